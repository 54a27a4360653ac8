"""Reader of JSON Lines and CSV: one document for each row with a text, else one for the file."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable

from ...messages import Message
from ...model import ReadDocument
from ..encodings import decode_with_notes
from .document_builder import build_document, normalise_newlines
from .limits import MAX_ROWS, Unreadable

_TEXT_KEYS = ("text", "content", "body", "正文", "内容")
_TITLE_KEYS = ("title", "name", "标题")
_MAX_FIELD = 50_000_000


def read_jsonl(content: bytes, stem: str) -> list[ReadDocument]:
    """Return a document for each line that is a JSON object with a `text`.

    Raises:
        Unreadable: there is no such line.
    """
    decoded = decode_with_notes(content)
    rows: list[dict[str, object]] = []
    n_bad = 0
    text = normalise_newlines(decoded.text)
    for line in text.split("\n"):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            n_bad += 1
            continue
        if isinstance(row, dict):
            rows.append(row)
    notes = [Message("{n} lines are not JSON and are left out.", n=n_bad)] if n_bad else []
    documents = _documents(rows, stem, "jsonl", [*decoded.notes, *notes])
    if not documents:
        raise Unreadable(
            "no line of it is a JSON object with a “text”.",
            'Write one object a line: {"title": "…", "text": "…"}.',
        )
    return documents


def read_csv(content: bytes, stem: str) -> list[ReadDocument]:
    """Return a document for each row if there is a `text` column, else the file as one document.

    Raises:
        Unreadable: it is empty or not text.
    """
    decoded = decode_with_notes(content)
    text = normalise_newlines(decoded.text)
    previous = csv.field_size_limit(_MAX_FIELD)
    try:
        try:
            dialect: type[csv.Dialect] | csv.Dialect = csv.Sniffer().sniff(text[:8192], ",;\t|")
        except csv.Error:
            dialect = csv.excel
        rows = list(csv.DictReader(io.StringIO(text, newline=""), dialect=dialect))
    except csv.Error:
        rows = []
    finally:
        csv.field_size_limit(previous)
    clean = [{str(k): v for k, v in row.items() if k} for row in rows]
    documents = _documents(clean, stem, "csv", decoded.notes)
    return documents or [build_document(text, format="csv", stem=stem, title_from_text=False)]


def _documents(
    rows: Iterable[dict[str, object]], stem: str, format: str, notes: Iterable[Message]
) -> list[ReadDocument]:
    documents: list[ReadDocument] = []
    for number, row in enumerate(rows, 1):
        if len(documents) >= MAX_ROWS:
            raise Unreadable(
                "it has too many rows.", "Split it at {most:,} rows a file.", most=MAX_ROWS
            )
        lower = {key.strip().lower(): value for key, value in row.items()}
        text = next((lower[k] for k in _TEXT_KEYS if isinstance(lower.get(k), str)), "")
        title = next((lower[k] for k in _TITLE_KEYS if isinstance(lower.get(k), str)), "")
        if not isinstance(text, str) or not text.strip():
            continue
        document = build_document(
            normalise_newlines(text),
            format=format,
            stem=f"{stem} {number}",
            title=str(title),
            author=str(lower.get("author") or ""),
            notes=list(notes),
            title_from_text=False,
        )
        documents.append(document)
    return documents
