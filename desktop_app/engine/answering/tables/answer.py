"""The answer that a table gives: the sentence for a cell or row, and its citation.

A small model often reads rows wrongly, and a quoted row leaves it to the reader to find the column.
So the cell is stated without a model (decision 147); `pipeline` decides when to ask for it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...model import Answer, RetrievalResult
from ...store.db import Db
from ..citations import escape_markdown, escape_within_line
from ..claims import AnswerClaim, state_claims
from .cell_selection import find_cells
from .cell_values import StatedCell
from .named_tables import load_tables
from .question import read_question

MAX_CAPTION_CHARS = 160  # that are shown in an answer
_FORMS = {
    "en": ("{row}, {column}: {value}{table}", " ({caption})"),
    "zh": ("{row}，{column}：{value}{table}", "（{caption}）"),
}
_EXTREME_FORMS = {
    ("en", "highest"): "The highest of {n} rows in the column “{column}”: {row}, {value}{table}",
    ("en", "lowest"): "The lowest of {n} rows in the column “{column}”: {row}, {value}{table}",
    ("zh", "highest"): "“{column}”一列{n}行中最高的是：{row}，{value}{table}",
    ("zh", "lowest"): "“{column}”一列{n}行中最低的是：{row}，{value}{table}",
}


def answer_from_tables(db: Db, found: RetrievalResult, language: str) -> Answer | None:
    """Return the answer that a table among the passages gives, None if none gives one for sure."""
    if not read_question(found.question).is_for_cell:
        return None  # before tables are read: most questions are not for a cell
    cells = find_cells(found.question, load_tables(db, found.passages))
    return _build_answer(cells, found, language)


def _build_answer(
    cells: Sequence[StatedCell], found: RetrievalResult, language: str
) -> Answer | None:
    """Return the answer that gives these cells, None if a passage with one of them is missing."""
    claims: list[AnswerClaim] = []
    for cell in cells:
        document_id, (start, end) = cell.table.key[0], cell.span
        number = next(
            (
                n
                for n, one in enumerate(found.passages, 1)
                if one.document_id == document_id and one.start <= start and end <= one.end
            ),
            0,
        )
        if not number:
            return None
        text = describe_cell(cell, language)
        claims.append(AnswerClaim(text, 0, len(text), number, (start, end)))
    return state_claims(claims, found.passages, found, language) if claims else None


def describe_cell(cell: StatedCell, language: str) -> str:
    """Return a sentence that gives a cell, or a whole row, with the names of row and columns."""
    form, around = _FORMS[language]
    comma = ", " if language == "en" else "，"
    semicolon, colon = ("; ", ": ") if language == "en" else ("；", "：")
    value = _show(cell.value)
    for other in cell.others:
        value += f"{semicolon}{_show(other.column)}{colon}{_show(other.value)}"
    caption = cell.table.caption or next(iter(cell.table.titles), "")
    if len(caption) > MAX_CAPTION_CHARS:
        caption = f"{caption[: MAX_CAPTION_CHARS - 1].rstrip()}…"
    return (_EXTREME_FORMS[language, cell.extreme] if cell.extreme else form).format(
        row=_show_first(comma.join(cell.row)),
        column=_show(cell.column),
        value=value,
        table=around.format(caption=_show(caption.rstrip(".。"))) if caption else "",
        n=cell.n_rows,
    )


def _show_first(text: str) -> str:
    """Return what begins a line; a sign before a number is no mark of a list."""
    text = re.sub(r"^\s*-(?=\s?\d)", "\N{MINUS SIGN}", text)
    return " ".join(escape_markdown(text).split())


def _show(text: str) -> str:
    return " ".join(escape_within_line(text).split())
