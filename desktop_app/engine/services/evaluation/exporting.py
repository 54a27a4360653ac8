"""Writes a run to a file: everything as JSON, or a table with one row for each answer as CSV."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ...errors import UserError
from ..exporting.references import write_file
from .judging import list_pairs
from .measures import MEASURES
from .model import EvaluationRun
from .statistics import compare, count_wins, summarise

FORMATS = (".json", ".csv")
# Cells that begin so are formulas in a spreadsheet; a document must not bring one there.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def check_format(path: Path) -> None:
    """Raise `UserError` for a file name whose ending names no format."""
    if path.suffix.lower() not in FORMATS:
        raise UserError(
            "“{name}” has no ending that names a format.",
            "Write the name with .json or .csv at its end.",
            name=path.name,
        )


def export_run(run: EvaluationRun, path: Path) -> None:
    """Write a run in the format that the ending of the file names.

    Raises:
        UserError: the ending is unknown.
        EnvironmentProblem: the file can't be written.
    """
    check_format(path)
    is_json = path.suffix.lower() == ".json"
    text = json.dumps(describe_run(run), ensure_ascii=False, indent=1) if is_json else _table(run)
    # Spreadsheets read UTF-8 only with a byte order mark.
    encoding = "utf-8" if is_json else "utf-8-sig"
    write_file(path, text.encode(encoding, "replace"))


def describe_run(run: EvaluationRun) -> dict[str, Any]:
    """Return a run as plain data: settings, versions, summaries, comparisons, every answer."""
    judges = list(dict.fromkeys(one.judge for one in run.judgements))
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
                    measure.key: asdict(summarise(list(values.values()), measure))
                    for measure in MEASURES
                    if (values := run.values(number, measure.key))
                },
            }
            for number, column in enumerate(run.plan.columns)
        ],
        "comparisons": [
            {
                "first": first,
                "second": second,
                "measure": measure.key,
                **{k: v for k, v in asdict(found).items() if k != "measure"},
            }
            for first in range(len(run.plan.columns))
            for second in range(first + 1, len(run.plan.columns))
            for measure in MEASURES
            if (
                found := compare(
                    run.values(first, measure.key), run.values(second, measure.key), measure
                )
            )
        ],
        "win_rates": [
            {"judge": judge, "first": first, "second": second, **asdict(rate)}
            for judge in judges
            for first, second in list_pairs(run)
            for rate in count_wins(run, first, second, judge)
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
