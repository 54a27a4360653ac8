"""Writes a run to a file: all of it as JSON, the answers as CSV, a page for reading as Markdown."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ...errors import UserError
from ..exporting.markdown import disarm_line
from ..exporting.output import write_bytes
from .judging import CRITERION_TITLES
from .measures import MEASURES, Measure
from .model import EvaluationQuestion, EvaluationRun, Outcome
from .statistics import Summary
from .summaries import RunSummary, is_wrong, summarise_run

FORMATS = (".json", ".csv", ".md")
# Cells that begin so are formulas in a spreadsheet; a document must not bring one there.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def check_format(path: Path) -> None:
    """Raise `UserError` for a file name whose ending names no format."""
    if path.suffix.lower() not in FORMATS:
        raise UserError(
            "“{name}” has no ending that names a format.",
            "Write the name with .json, .csv or .md at its end.",
            name=path.name,
        )


def export_run(run: EvaluationRun, path: Path) -> None:
    """Write a run in the format that the ending of the file names.

    Raises:
        UserError: the ending is unknown.
        EnvironmentProblem: the file can't be written.
    """
    check_format(path)
    match path.suffix.lower():
        case ".json":
            text = json.dumps(build_run_data(run), ensure_ascii=False, indent=1)
        case ".md":
            text = build_markdown(run)
        case _:
            text = "\ufeff" + _table(run)  # spreadsheets read UTF-8 only with this mark
    write_bytes(path, text.encode("utf-8", "replace"))


def build_run_data(run: EvaluationRun) -> dict[str, Any]:
    """Return a run as plain data: settings, versions, summaries, comparisons, every answer."""
    summary = summarise_run(run)
    return {
        "run": run.id,
        "title": run.plan.title,
        "created_at": run.created_at,
        "finished": run.is_finished,
        "settings": dict(run.plan.settings),
        "versions": dict(run.plan.versions),
        "columns": [
            {
                "mode": column.mode,
                "model": column.model,
                "measures": {
                    row.measure.key: asdict(cell)
                    for row in summary.rows
                    if (cell := row.cells[number]) is not None
                },
            }
            for number, column in enumerate(run.plan.columns)
        ],
        "best": {row.measure.key: row.best for row in summary.rows if row.best is not None},
        "comparisons": [
            {
                "first": pair.first,
                "second": pair.second,
                "measure": one.measure.key,
                **{k: v for k, v in asdict(one).items() if k != "measure"},
            }
            for pair in summary.pairs
            for one in pair.comparisons
        ],
        "win_rates": [
            {"judge": judged.judge, "first": pair.first, "second": pair.second, **asdict(rate)}
            for pair in summary.pairs
            for judged in pair.judged
            for rate in judged.rates
        ],
        "questions": [asdict(question) for question in run.plan.questions],
        "answers": [
            {
                "column": one.column,
                "question": one.question,
                "asked_at": one.asked_at,
                "text": one.outcome.text,
                "error": str(one.outcome.error),
                "refused": one.outcome.is_refused,
                "measures": dict(one.measures),
                "citations": [asdict(citation) for citation in one.outcome.citations],
                "passages": [[p.document_id, p.start, p.end] for p in one.outcome.passages],
            }
            for one in run.results
        ],
        "judgements": [asdict(one) for one in run.judgements],
    }


def _table(run: EvaluationRun) -> str:
    judged = {(one.column, one.question): one.values for one in run.judgements if one.other < 0}
    keys = [measure.key for measure in MEASURES]
    made = io.StringIO()
    write = csv.writer(made)
    head = ("run", "question", "kind", "answerable", "gold", "mode", "model", "answer", "error")
    write.writerow([*head, *keys])
    for one in run.results:
        question, column = run.plan.questions[one.question], run.plan.columns[one.column]
        measures = {**one.measures, **judged.get((one.column, one.question), {})}
        texts = (
            *(question.text, question.kind, "yes" if question.is_answerable else "no"),
            *(" | ".join(question.answers), column.mode, column.model),
            *(one.outcome.text, str(one.outcome.error)),
        )
        write.writerow([run.id, *map(_harmless, texts), *(measures.get(key, "") for key in keys)])
    return made.getvalue()


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


# --- Markdown -------------------------------------------------------------------------------------


def build_markdown(run: EvaluationRun) -> str:
    """Return a run as a page for reading: the table, the comparisons, every question."""
    summary, titles = summarise_run(run), [column.title for column in run.plan.columns]
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(run.created_at))
    n = len(run.plan.questions)
    lines = [
        f"# Evaluation {run.id}: {_line(run.plan.title)}",
        "",
        f"{when}, {n:,} {'question' if n == 1 else 'questions'}"
        + ("" if run.is_finished else ", unfinished"),
        "",
        *(f"- {name}: {_line(str(value))}" for name, value in _list_settings(run)),
        "",
        "Means, or medians of times, with their 95 % interval and the number of questions. A bold"
        " value is better than each other one, and hardly by chance.",
        "",
        _row(["", *titles]),
        _row(["---"] * (len(titles) + 1)),
    ]
    for row in summary.rows:
        cells = [
            f"**{_cell(cell, row.measure)}**" if number == row.best else _cell(cell, row.measure)
            for number, cell in enumerate(row.cells)
        ]
        lines.append(_row([str(row.measure.title), *cells]))
    lines += _list_comparisons(summary, titles)
    for number, question in enumerate(run.plan.questions):
        lines += ["", *_describe_question(run, number, question, titles)]
    return "\n".join(lines) + "\n"


def _list_settings(run: EvaluationRun) -> list[tuple[str, object]]:
    return sorted({**run.plan.settings, **run.plan.versions}.items())


def _list_comparisons(summary: RunSummary, titles: Sequence[str]) -> list[str]:
    lines = []
    for pair in summary.pairs:
        lines += ["", f"## {_line(titles[pair.first])} against {_line(titles[pair.second])}", ""]
        lines += [f"- {one.measure.title}: {one.verdict}" for one in pair.comparisons]
        for judged in pair.judged:
            lines += [
                f"- {CRITERION_TITLES[rate.criterion]}, judged by {_line(judged.judge)}:"
                f" {rate.verdict}"
                for rate in judged.rates
            ]
    return lines


def _describe_question(
    run: EvaluationRun, number: int, question: EvaluationQuestion, titles: Sequence[str]
) -> list[str]:
    gold = " | ".join(question.answers)
    expected = gold or ("–" if question.is_answerable else "no answer")
    lines = [f"## {number + 1}. {_line(question.text)}", "", f"Expected: {_line(expected)}", ""]
    for one in run.results:
        if one.question == number:
            mark = "wrong" if is_wrong(one) else "right"
            lines.append(
                f"- {_line(titles[one.column])} ({mark}): {_line(_show_outcome(one.outcome))}"
            )
            lines += [
                f"  - [{c.number}] {_line(c.title)}{f', p. {c.page}' if c.page else ''}:"
                f" “{_line(c.quote)}”"
                for c in one.outcome.citations
            ]
    return lines


def _show_outcome(outcome: Outcome) -> str:
    return str(outcome.error) or outcome.text or f"{len(outcome.passages)} passages"


def _cell(cell: Summary | None, measure: Measure) -> str:
    if cell is None:
        return "–"
    if measure.unit == "share":
        return f"{cell.value:.2f} ({cell.low:.2f}–{cell.high:.2f}; {cell.n})"
    unit = " s" if measure.unit == "s" else ""
    digits = 1 if measure.unit == "s" else 0
    return f"{cell.value:.{digits}f}{unit} (p95 {cell.p95:.{digits}f}{unit}; {cell.n})"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _line(text: str) -> str:
    """Return a text of a document, a file or a model in one line that nothing can be hidden in."""
    return disarm_line(text)
