"""Runs of evaluations with their answers and judgements, as JSON texts.

Knows neither questions nor measures: what the texts contain is for `services/evaluation`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from .db import Db


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run as it is stored; `n_done` are its answers."""

    id: int
    created_at: float
    is_finished: bool
    plan: str
    n_done: int


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """The answer of one question in one column; `outcome` and `measures` are JSON."""

    column: int
    question: int
    key: str
    asked_at: float
    outcome: str
    measures: str


@dataclass(frozen=True, slots=True)
class JudgementRecord:
    """A judgement; `other` is -1 for one of a single answer, `judged` is JSON."""

    judge: str
    column: int
    other: int
    question: int
    judged: str


_RUNS = (
    "SELECT id, created_at, finished_at IS NOT NULL, plan,"
    " (SELECT count(*) FROM evaluation_answer WHERE run_id = evaluation_run.id)"
    " FROM evaluation_run"
)


def fetch_runs(db: Db) -> list[RunRecord]:
    """Return all runs, newest first."""
    return [_to_run(row) for row in db.rows(f"{_RUNS} ORDER BY id DESC")]


def find_run(db: Db, run_id: int) -> RunRecord | None:
    """Return a run, None if there is none with this number."""
    row = db.row(f"{_RUNS} WHERE id = ?", (run_id,))
    return _to_run(row) if row else None


def find_run_of(db: Db, signature: str) -> RunRecord | None:
    """Return the newest run of the same questions, settings and state of the library."""
    row = db.row(f"{_RUNS} WHERE signature = ? ORDER BY id DESC LIMIT 1", (signature,))
    return _to_run(row) if row else None


def _to_run(row: tuple[int, float, int, str, int]) -> RunRecord:
    run_id, created_at, is_finished, plan, n_done = row
    return RunRecord(run_id, created_at, bool(is_finished), plan, n_done)


def add_run(db: Db, signature: str, plan: str) -> int:
    """Store a new run without answers; return its number."""
    return db.write(
        "INSERT INTO evaluation_run(created_at, signature, plan) VALUES (?, ?, ?)",
        (time.time(), signature, plan),
    )


def finish_run(db: Db, run_id: int) -> None:
    db.write("UPDATE evaluation_run SET finished_at = ? WHERE id = ?", (time.time(), run_id))


def delete_run(db: Db, run_id: int) -> None:
    """Delete a run with its answers and judgements."""
    db.write("DELETE FROM evaluation_run WHERE id = ?", (run_id,))


def fetch_answers(db: Db, run_id: int) -> list[AnswerRecord]:
    """Return the answers of a run by column and question."""
    found = db.rows(
        "SELECT column_no, question_no, key, asked_at, outcome, measures FROM evaluation_answer"
        " WHERE run_id = ? ORDER BY column_no, question_no",
        (run_id,),
    )
    return [AnswerRecord(*row) for row in found]


def find_answer(db: Db, key: str) -> AnswerRecord | None:
    """Return the newest answer with this key, of any run."""
    row = db.row(
        "SELECT column_no, question_no, key, asked_at, outcome, measures FROM evaluation_answer"
        " WHERE key = ? ORDER BY asked_at DESC LIMIT 1",
        (key,),
    )
    return AnswerRecord(*row) if row else None


def store_answer(db: Db, run_id: int, answer: AnswerRecord) -> None:
    db.write(
        "INSERT OR REPLACE INTO evaluation_answer VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            run_id,
            answer.column,
            answer.question,
            answer.key,
            answer.asked_at,
            answer.outcome,
            answer.measures,
        ),
    )


def fetch_judgements(db: Db, run_id: int) -> list[JudgementRecord]:
    """Return the judgements of a run by judge, columns and question."""
    found = db.rows(
        "SELECT judge, column_no, other_no, question_no, judged FROM evaluation_judgement"
        " WHERE run_id = ? ORDER BY judge, column_no, other_no, question_no",
        (run_id,),
    )
    return [JudgementRecord(*row) for row in found]


def store_judgement(db: Db, run_id: int, one: JudgementRecord) -> None:
    db.write(
        "INSERT OR REPLACE INTO evaluation_judgement VALUES (?, ?, ?, ?, ?, ?, ?)",
        (run_id, one.judge, one.column, one.other, one.question, time.time(), one.judged),
    )
