"""Tests storing and loading the trace of an answer."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from desktop_app.engine.messages import Message
from desktop_app.engine.model import (
    ANSWER_CHECKED,
    Answer,
    CheckedSentence,
    Citation,
    EntityRow,
    Keywords,
    Passage,
    RelationRow,
    RetrievalResult,
    Stage,
)
from desktop_app.engine.services.chats import Chats
from desktop_app.engine.store import chats
from desktop_app.engine.store.chats import MAX_LABELS, pack_trace
from desktop_app.engine.store.db import Db

TEXT = "宋江在郓城县做押司。"
PASSAGE = Passage(
    7, 1, "水浒传", 0, 10, 0.9, TEXT, 0, 9, "12", 11, "第十八回", (("words", 12.2), ("walk", 0.31))
)
UNLISTED = replace(PASSAGE, chunk_id=9, routes=())
ANSWER = Answer(
    text="He was a clerk [1].",
    citations=(Citation(1, 7, 1, "水浒传", 0, 9, TEXT, "12"),),
    found=RetrievalResult(
        question="What was Song Jiang before Liangshan?",
        mode="walk",
        passages=(PASSAGE,),
        entities=(EntityRow(3, "宋江", "person", 900, 40, 1, "押司"),),
        relations=(RelationRow(5, 3, 4, "宋江", "郓城县", 2.0, 3, kind="lives in"),),
        weak=True,
        timings_ms={"names": 1.5, "meaning": 40.0},
        notes=(Message("No reranker is here."),),
        keywords=Keywords(("office",), ("Song Jiang",)),
        stages=(
            Stage("names", ("宋江 0.9",), ("江州 0.2",), 1.5, Message("too unlike")),
            Stage(
                ANSWER_CHECKED,
                dropped=("He was a judge. (its passage does not name 王)",),
                checked=(
                    CheckedSentence("He was a judge.", "name", ("王",), 7, 0, 9, 0.1, 0.8),
                    CheckedSentence("He left.", "unclear", (), 9, 0, 9, unlisted=UNLISTED),
                ),
            ),
        ),
        asked="What was he before that?",
    ),
    model="small",
    prompt="Answer from the sources.",
    seconds=6.5,
    first_token_s=2.25,
    n_prompt_tokens=812,
)


@pytest.fixture
def db(tmp_path):
    made = Db(tmp_path / "x.inkgraph")
    yield made
    made.close()


def keep(db: Db, answer: Answer) -> int:
    with db.transaction():
        return chats.add_answer(db, chats.add_chat(db, ""), answer)


def test_an_answer_is_loaded_as_it_was_stored(db: Db) -> None:
    message_id = keep(db, ANSWER)
    assert Chats(db, db).fetch_answer(message_id) == ANSWER


def test_the_history_shows_that_results_were_weak(db: Db) -> None:
    keep(db, ANSWER)
    (row,) = chats.fetch_messages(db, 1)
    assert row.weak and row.passages == (PASSAGE,)


def test_a_question_has_no_trace(db: Db) -> None:
    with db.transaction():
        question = chats.add_question(db, chats.add_chat(db, ""), "Who?")
    assert chats.fetch_answer(db, question) is None
    assert chats.fetch_answer(db, 999) is None


def test_a_trace_of_the_first_version_is_readable(db: Db) -> None:
    message_id = keep(db, ANSWER)
    old = json.dumps({"mode": "walk", "entities": [3, 4], "timings_ms": {"walk": 2.0}})
    with db.transaction():
        db.write("UPDATE message SET trace = ? WHERE id = ?", (old, message_id))
    answer = chats.fetch_answer(db, message_id)
    assert answer.found.timings_ms == {"walk": 2.0} and answer.found.mode == "walk"
    assert answer.found.entities == answer.found.stages == answer.found.passages == ()
    assert answer.prompt == ANSWER.prompt


def test_a_check_stored_by_an_older_version_has_its_sentences_only(db: Db) -> None:
    message_id = keep(db, ANSWER)
    trace = json.loads(pack_trace(ANSWER))
    del trace["stages"][1]["checked"]
    with db.transaction():
        db.write("UPDATE message SET trace = ? WHERE id = ?", (json.dumps(trace), message_id))
    check = chats.fetch_answer(db, message_id).found.check
    assert check.checked == () and check.dropped == ANSWER.found.check.dropped


def test_fields_of_a_later_version_are_ignored(db: Db) -> None:
    message_id = keep(db, ANSWER)
    trace = json.loads(pack_trace(ANSWER))
    trace["stages"][0]["colour"] = "red"
    with db.transaction():
        db.write("UPDATE message SET trace = ? WHERE id = ?", (json.dumps(trace), message_id))
    assert chats.fetch_answer(db, message_id).found.stages == ANSWER.found.stages


def test_a_stage_with_thousands_of_dropped_passages_is_shortened() -> None:
    stage = Stage("words", dropped=tuple(f"{'x' * 900} {i}" for i in range(5000)))
    trace = pack_trace(replace(ANSWER, found=replace(ANSWER.found, stages=(stage,) * 3)))
    dropped = json.loads(trace)["stages"][0]["dropped"]
    assert len(dropped) == MAX_LABELS + 1 and dropped[-1] == f"… {5000 - MAX_LABELS}"
    assert len(trace) < 100_000


def test_numpy_numbers_can_be_stored() -> None:
    found = replace(ANSWER.found, timings_ms={"walk": np.float32(2.5)})
    assert json.loads(pack_trace(replace(ANSWER, found=found)))["timings_ms"] == {"walk": 2.5}


def test_a_stored_message_has_the_number_of_sentences_that_were_rejected(db) -> None:
    flies = CheckedSentence("He flies.", "name", ("He",), 100)
    checked = (CheckedSentence("He rows."), flies, CheckedSentence("He swims.", "unclear"))
    dropped = ("He flies. (no)", "He swims. (no)")
    check = Stage(ANSWER_CHECKED, ("He rows. 0.90",), dropped, checked=checked)
    found = replace(ANSWER.found, stages=(*ANSWER.found.stages, check))
    assert found.check == check != ANSWER.found.check
    for answer in (ANSWER, replace(ANSWER, found=found)):
        keep(db, answer)
    messages = [chats.fetch_messages(db, chat_id)[-1] for chat_id in (1, 2)]
    assert [message.n_rejected for message in messages] == [1, 2]
    assert messages[1].n_confirmed == 1
    assert messages[1].failed == flies  # the first of them
