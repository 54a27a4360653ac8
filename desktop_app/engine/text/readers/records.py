"""Readers of JSON, JSON Lines and CSV.

A table with a column of texts gives one document for each row: a column that is called so, else one
whose values are sentences. Any other table is one document, in which each row repeats the headers.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from ...messages import Message
from ...model import ReadDocument
from ...progress import CancelToken
from ..encodings import decode, normalise_newlines
from .archives import MAX_ROWS, Unreadable, too_many_rows
from .document_builder import build_document
from .tables import clean_cell, format_row, format_tables
from .text_builder import TextBuilder

_TEXT_KEYS = ("text", "content", "body", "正文", "内容")
_TITLE_KEYS = ("title", "name", "标题", "headline", "subject", "题目", "题名")
_AUTHOR_KEYS = ("author", "authors", "作者")
_MAX_FIELD = 50_000_000
_REPORT_EVERY_ROWS = 500
_SAMPLE_ROWS = 200
_MIN_TEXT_CHARS = 80  # in the mean, of the values of a column of texts
_MIN_TEXT_SHARE = 0.6  # of rows that have one
_MAX_DEPTH = 20
# In its first line, Excel names the separator of a file that it would else read with its own.
_SEPARATOR_LINE = re.compile(r"[\"']?sep=(?P<separator>[^\w\s\"']|\t)[\"']?\r?\n", re.I)

Row = dict[str, object]
OnRow = Callable[[int, int], None]


def read_jsonl(
    content: bytes,
    stem: str,
    cancel: CancelToken | None = None,
    on_row: OnRow | None = None,
) -> list[ReadDocument]:
    """Return a document for each line that is a JSON object with a text.

    `on_row(done, total)` is called now and then, also by the other readers.

    Raises:
        Unreadable: there is no such line.
        Cancelled: the token was set.
    """
    decoded = decode(content)
    rows: list[Row] = []
    n_bad = 0
    for line in decoded.text.split("\n"):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            n_bad += 1
            continue
        if isinstance(row, dict):
            rows.append(_flatten(row))
        if len(rows) > MAX_ROWS:
            raise too_many_rows()
    notes = [Message("{n} lines are not JSON and are left out.", n=n_bad)] if n_bad else []
    documents = _read_rows(rows, stem, "jsonl", [*decoded.notes, *notes], cancel, on_row)
    if not documents:
        raise Unreadable(
            "no line of it is a JSON object with a “text”.",
            'Write one object per line: {"title": "…", "text": "…"}.',
        )
    return documents


def read_json(
    content: bytes,
    stem: str,
    cancel: CancelToken | None = None,
    on_row: OnRow | None = None,
) -> list[ReadDocument]:
    """Return a document for each object with a text in the longest list, else one for the file.

    Raises:
        Unreadable: it is no JSON, or has no value.
        Cancelled: the token was set.
    """
    decoded = decode(content)
    try:
        value = json.loads(decoded.text)
    except RecursionError:
        raise Unreadable("its parts are nested too deep.", "Save its text as CSV.") from None
    except ValueError:
        try:  # JSON Lines with the wrong name
            return read_jsonl(content, stem, cancel, on_row)
        except Unreadable:
            raise Unreadable(
                "it is not JSON, despite its name.", "Save or download it again."
            ) from None
    rows = [_flatten(row) for row in _find_rows(value)]
    if len(rows) > MAX_ROWS:
        raise too_many_rows()
    if rows and (documents := _read_rows(rows, stem, "json", decoded.notes, cancel, on_row)):
        return documents
    builder = TextBuilder()
    if rows:
        builder.add_rows([_format_row(row) for row in rows])
    else:
        builder.add_rows(list(_iter_lines(value)))
    return [
        build_document(
            builder.text,
            format="json",
            stem=stem,
            notes=decoded.notes,
            title_from_text=False,
        )
    ]


def read_csv(
    content: bytes,
    stem: str,
    cancel: CancelToken | None = None,
    on_row: OnRow | None = None,
) -> list[ReadDocument]:
    """Return a document for each row if there is a column of texts, else the file as one document.

    Raises:
        Unreadable: it is empty or not text, or has too many rows.
        Cancelled: the token was set.
    """
    decoded = decode(content)
    dialect, text = _find_dialect(decoded.text)
    documents: list[ReadDocument] = []
    as_table = text
    previous = csv.field_size_limit(_MAX_FIELD)
    try:
        lines = csv.reader(io.StringIO(text, newline=""), dialect)
        header = next(lines, [])
        sample = [
            _name_cells(header, line, dialect.delimiter) for line in islice(lines, _SAMPLE_ROWS)
        ]
        if used := _choose_columns(header, sample):
            lines = csv.reader(io.StringIO(text, newline=""), dialect)
            next(lines, None)
            rows, n_long = _pick_cells(lines, header, used, dialect.delimiter)
            notes = list(decoded.notes)
            if n_long:
                notes.append(
                    Message(
                        "Rows with more cells than the header: {n}. Their last cells are kept.",
                        n=n_long,
                    )
                )
            documents = _read_rows(rows, stem, "csv", notes, cancel, on_row)
        elif len(header) > 1:
            as_table = _format_table(csv.reader(io.StringIO(text, newline=""), dialect)) or text
    except csv.Error:
        documents = []
    finally:
        csv.field_size_limit(previous)
    return documents or [
        build_document(
            as_table, format="csv", stem=stem, notes=decoded.notes, title_from_text=False
        )
    ]


def _find_dialect(text: str) -> tuple[type[csv.Dialect], str]:
    """Return how the cells of a CSV file are separated, and its text from the header on."""
    if named := _SEPARATOR_LINE.match(text):
        dialect = type("Named", (csv.excel,), {"delimiter": named["separator"]})
        return dialect, text[named.end() :]
    try:
        return csv.Sniffer().sniff(text[:8192], ",;\t|"), text
    except csv.Error:
        return csv.excel, text


def _format_table(lines: Iterable[list[str]]) -> str:
    """Return a table with the headers in each row, or above all; "" if that is too long."""
    builder = TextBuilder()
    rows = [[clean_cell(cell) for cell in line] for line in lines]
    if len(rows) > MAX_ROWS:
        return ""
    try:
        for table in format_tables(rows):
            builder.add_rows(table)
    except Unreadable:
        return ""
    return builder.text


def _name_cells(header: Sequence[str], line: Sequence[str], separator: str) -> Row:
    row: Row = {_key(name): cell for name, cell in zip(header, line, strict=False)}
    if len(line) > len(header) > 0:
        row[_key(header[-1])] = separator.join(line[len(header) - 1 :])
    return row


def _choose_columns(header: Sequence[str], sample: Sequence[Row]) -> list[str]:
    """Return the names of the columns that are read; none without a column of texts."""
    names = list(map(_key, header))
    known = [key for key in (*_TEXT_KEYS, *_TITLE_KEYS, *_AUTHOR_KEYS) if key in names]
    if any(key in _TEXT_KEYS for key in known):
        return known
    return names if find_text_column(sample) else []


def _pick_cells(
    lines: Iterator[list[str]], header: Sequence[str], used: Sequence[str], separator: str
) -> tuple[list[Row], int]:
    """Return the cells of the used columns, and the number of rows that are longer than the header.

    What is beyond a last column of texts belongs to it: its texts have separators in them, and no
    quotation marks around them. Elsewhere it stands below the text of the row.
    """
    names = list(map(_key, header))
    text_key = next((key for key in _TEXT_KEYS if key in used), "")
    n_long = 0
    columns = {name: number for number, name in enumerate(names) if name in used}
    rows: list[Row] = []
    for line in lines:
        if line:
            row: Row = {key: line[i] for key, i in columns.items() if i < len(line)}
            beyond = line[len(header) :]
            if any(cell.strip() for cell in beyond):
                n_long += 1
                if text_key in ("", names[-1]):
                    row[names[-1]] = separator.join([line[len(header) - 1], *beyond])
                else:
                    row[text_key] = f"{row[text_key]}\n\n{' | '.join(filter(None, beyond))}"
            rows.append(row)
        if len(rows) > MAX_ROWS:
            raise too_many_rows()
    return rows, n_long


def find_text_column(rows: Sequence[Row]) -> str:
    """Return the column whose values are texts: long, with words, in most rows; "" if none is."""
    lengths: dict[str, list[int]] = {}
    for row in rows:
        for key, value in row.items():
            if isinstance(value, str) and _is_prose(value):
                lengths.setdefault(key, []).append(len(value))
    best = ""
    for key, found in lengths.items():
        is_usual = len(found) >= _MIN_TEXT_SHARE * len(rows)
        is_long = sum(found) >= _MIN_TEXT_CHARS * len(found)
        if is_usual and is_long and (not best or sum(found) > sum(lengths[best])):
            best = key
    return best


def _is_prose(value: str) -> bool:
    """Return whether a value has several words: no address, no number."""
    return value.count(" ") >= 3 or (len(value) >= 12 and not value.isascii())


def _key(name: object) -> str:
    return str(name).strip().lower()


def _flatten(row: dict[Any, Any]) -> Row:
    """Return an object with the values of inner objects under "outer.inner"."""
    flat: Row = {}
    pending = [("", row, 0)]
    while pending:
        prefix, one, depth = pending.pop()
        for key, value in one.items():
            name = f"{prefix}{_key(key)}"
            if isinstance(value, dict) and depth < _MAX_DEPTH:
                pending.append((f"{name}.", value, depth + 1))
            elif isinstance(value, list) and all(isinstance(v, (str, int, float)) for v in value):
                flat[name] = ", ".join(map(str, value))
            else:
                flat[name] = value
    return flat


def _find_rows(value: Any) -> list[dict[Any, Any]]:
    """Return the objects of the longest list of objects in a value."""
    best: list[dict[Any, Any]] = []
    pending = [(value, 0)]
    while pending:
        one, depth = pending.pop()
        if depth > _MAX_DEPTH:
            continue
        if isinstance(one, list):
            rows = [row for row in one if isinstance(row, dict)]
            if len(rows) > len(best):
                best = rows
            elif not rows:
                pending += [(inner, depth + 1) for inner in one if isinstance(inner, list)]
        elif isinstance(one, dict):
            pending += [(v, depth + 1) for v in one.values() if isinstance(v, (dict, list))]
    if not best and isinstance(value, dict):
        return [value]
    return best


def _iter_lines(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield the texts and numbers of a value."""
    if isinstance(value, dict):
        yield _format_row(_flatten(value))
    elif isinstance(value, list) and depth < _MAX_DEPTH:
        for one in value:
            yield from _iter_lines(one, depth + 1)
    elif value is not None:
        yield clean_cell(str(value))


def _format_row(row: Row) -> str:
    shown = {key: clean_cell(_show(value)) for key, value in row.items()}
    return format_row(list(shown), list(shown.values()))


def _show(value: object) -> str:
    if value is None or value == "":
        return ""
    if isinstance(value, (list, dict)):
        return "; ".join(filter(None, _iter_lines(value)))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read_rows(
    rows: Sequence[Row],
    stem: str,
    format: str,
    notes: Iterable[Message],
    cancel: CancelToken | None,
    on_row: OnRow | None,
) -> list[ReadDocument]:
    """Return a document for each row with a text.

    A column that has a name for texts is the text. Where the text was found by its length, the
    other columns stand before it.
    """
    is_named = any(key in row for row in rows for key in _TEXT_KEYS)
    text_keys = _TEXT_KEYS if is_named else (find_text_column(rows[:_SAMPLE_ROWS]),)
    documents: list[ReadDocument] = []
    for number, row in enumerate(rows, 1):
        if cancel is not None:
            cancel.check()
        if on_row is not None and number % _REPORT_EVERY_ROWS == 0:
            on_row(number, len(rows))
        text = next((row[k] for k in text_keys if isinstance(row.get(k), str)), "")
        title = next((row[k] for k in _TITLE_KEYS if isinstance(row.get(k), str)), "")
        if not isinstance(text, str) or not text.strip():
            continue
        if not is_named:
            others = {k: v for k, v in row.items() if k not in (*text_keys, *_TITLE_KEYS)}
            text = "\n\n".join(filter(None, (_format_row(others), text)))
        author = next((row[k] for k in _AUTHOR_KEYS if row.get(k)), "")
        document = build_document(
            normalise_newlines(text),
            format=format,
            stem=f"{stem} {number}",
            title=str(title),
            author=str(author),
            notes=list(notes),
            title_from_text=False,
        )
        documents.append(document)
    return documents
