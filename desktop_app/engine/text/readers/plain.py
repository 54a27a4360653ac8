"""Readers of plain text, Markdown, JSON Lines and CSV.

A table gives one document for each row with a text, else one for the file.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from ...messages import Message
from ...model import Heading, ReadDocument
from ...progress import CancelToken
from ..encodings import decode, normalise_newlines
from .archives import MAX_ROWS, Unreadable
from .document_builder import build_document, is_generic


def read_txt(content: bytes, stem: str) -> ReadDocument:
    """Return the unchanged text with its chapters.

    Raises:
        Unreadable: it is empty or not text.
    """
    decoded = decode(content)
    return build_document(decoded.text, format="txt", stem=stem, notes=decoded.notes)


_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_ATX = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.+)$")
_SETEXT = re.compile(r"^ {0,3}(=+|-+)[ \t]*$")
_STRUCTURE = re.compile(r"\s*(?:[-*+>|#]|\d+\.|    )")
_FRONT = re.compile(r"\A---\n(.*?)\n(?:---|\.\.\.)\n", re.S)
_MAX_HEADING = 300  # characters of its source; `_INLINE` is quadratic
_INLINE = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|[*_`]{1,3}|<[^>]+>")


def read_md(content: bytes, stem: str) -> ReadDocument:
    """Return the source with its outline.

    Raises:
        Unreadable: it is empty or not text.
    """
    decoded = decode(content)
    text, values = decoded.text, dict[str, str]()
    if front := _FRONT.match(text):
        text = text[front.end() :].lstrip("\n")
        values = _read_front_matter(front.group(1))
    outline = find_markdown_outline(text)
    first = outline[0] if outline else None
    heading = first.title if first and first.level == 1 and not is_generic(first.title) else ""
    year = re.search(r"\b(1[5-9]\d\d|20\d\d)\b", values.get("year") or values.get("date") or "")
    return build_document(
        text,
        format="md",
        stem=stem,
        title=values.get("title", "") or heading,
        author=values.get("author") or values.get("authors") or "",
        year=year.group() if year else "",
        doi=values.get("doi", ""),
        isbn=values.get("isbn", ""),
        outline=outline,
        notes=decoded.notes,
        title_from_text=not outline,
    )


def _read_front_matter(block: str) -> dict[str, str]:
    """Return the values of a YAML block that are texts; the items of a list with semicolons."""
    values: dict[str, str] = {}
    key = ""
    for line in block.split("\n"):
        if match := re.match(r"(\w+):[ \t]*(.*)$", line):
            key, value = match.group(1).lower(), match.group(2).strip()
            if value.startswith("[") and value.endswith("]"):
                value = "; ".join(item.strip(" \t\"'") for item in value[1:-1].split(","))
            values[key] = value.strip(" \t\"'")
        elif key and (item := re.match(r"[ \t]*-[ \t]+(?:name:[ \t]*)?(\S.*)$", line)):
            values[key] = "; ".join(filter(None, (values[key], item.group(1).strip(" \t\"'"))))
    return values


def find_markdown_outline(text: str) -> tuple[Heading, ...]:
    """Return the ATX and Setext headings outside code blocks."""
    headings: list[Heading] = []
    fence = ""
    at, previous, previous_at = 0, "", 0
    for line in text.split("\n"):
        opened = _FENCE.match(line)
        if opened and (not fence or line.strip().startswith(fence)):
            fence = "" if fence else opened.group(1)
        elif not fence:
            atx, setext = _ATX.match(line), _SETEXT.match(line)
            if atx:
                title = atx.group(2).rstrip(" \t").rstrip("#")
                headings.append(Heading(len(atx.group(1)), _plain(title), at))
            elif setext and previous.strip() and not _STRUCTURE.match(previous):
                level = 1 if setext.group(1)[0] == "=" else 2
                headings.append(Heading(level, _plain(previous), previous_at))
        previous, previous_at = line, at
        at += len(line) + 1
    return tuple(h for h in headings if h.title)


def _plain(title: str) -> str:
    title = _INLINE.sub(lambda m: m.group(1) or "", title.strip()[:_MAX_HEADING])
    return re.sub(r"\s+", " ", title).strip()


_TEXT_KEYS = ("text", "content", "body", "正文", "内容")
_TITLE_KEYS = ("title", "name", "标题")
_KEYS = (*_TEXT_KEYS, *_TITLE_KEYS, "author")
_MAX_FIELD = 50_000_000
_REPORT_EVERY_ROWS = 500


def read_jsonl(
    content: bytes,
    stem: str,
    cancel: CancelToken | None = None,
    on_row: Callable[[int, int], None] | None = None,
) -> list[ReadDocument]:
    """Return a document for each line that is a JSON object with a `text`.

    `on_row(done, total)` is called now and then, also by `read_csv`.

    Raises:
        Unreadable: there is no such line.
        Cancelled: the token was set.
    """
    decoded = decode(content)
    rows: list[dict[str, object]] = []
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
            known = {str(key).strip().lower(): value for key, value in row.items()}
            rows.append({key: known[key] for key in _KEYS if key in known})
        if len(rows) > MAX_ROWS:
            raise _too_many_rows()
    notes = [Message("{n} lines are not JSON and are left out.", n=n_bad)] if n_bad else []
    documents = _documents(rows, stem, "jsonl", [*decoded.notes, *notes], cancel, on_row)
    if not documents:
        raise Unreadable(
            "no line of it is a JSON object with a “text”.",
            'Write one object per line: {"title": "…", "text": "…"}.',
        )
    return documents


def read_csv(
    content: bytes,
    stem: str,
    cancel: CancelToken | None = None,
    on_row: Callable[[int, int], None] | None = None,
) -> list[ReadDocument]:
    """Return a document for each row if there is a `text` column, else the file as one document.

    Raises:
        Unreadable: it is empty or not text, or has too many rows.
        Cancelled: the token was set.
    """
    decoded = decode(content)
    text = decoded.text
    previous = csv.field_size_limit(_MAX_FIELD)
    try:
        try:
            dialect: type[csv.Dialect] | csv.Dialect = csv.Sniffer().sniff(text[:8192], ",;\t|")
        except csv.Error:
            dialect = csv.excel
        rows = _read_rows(csv.reader(io.StringIO(text, newline=""), dialect))
    except csv.Error:
        rows = []
    finally:
        csv.field_size_limit(previous)
    documents = _documents(rows, stem, "csv", decoded.notes, cancel, on_row)
    return documents or [build_document(text, format="csv", stem=stem, title_from_text=False)]


def _read_rows(lines: Iterator[list[str]]) -> list[dict[str, object]]:
    """Return the rows without the columns that are not used; empty without a column of texts."""
    header = next(lines, [])
    columns = {name.strip().lower(): i for i, name in enumerate(header)}
    used = {key: columns[key] for key in _KEYS if key in columns}
    if not any(key in used for key in _TEXT_KEYS):
        return []
    rows: list[dict[str, object]] = []
    for line in lines:
        if line:
            rows.append({key: line[i] for key, i in used.items() if i < len(line)})
        if len(rows) > MAX_ROWS:
            raise _too_many_rows()
    return rows


def _too_many_rows() -> Unreadable:
    return Unreadable(
        "it has too many rows.", "Split it into files of at most {most:,} rows.", most=MAX_ROWS
    )


def _documents(
    rows: Sequence[dict[str, object]],
    stem: str,
    format: str,
    notes: Iterable[Message],
    cancel: CancelToken | None,
    on_row: Callable[[int, int], None] | None,
) -> list[ReadDocument]:
    """Return a document for each row with a text; the keys of `rows` are some of `_KEYS`."""
    documents: list[ReadDocument] = []
    for number, row in enumerate(rows, 1):
        if cancel is not None:
            cancel.check()
        if on_row is not None and number % _REPORT_EVERY_ROWS == 0:
            on_row(number, len(rows))
        text = next((row[k] for k in _TEXT_KEYS if isinstance(row.get(k), str)), "")
        title = next((row[k] for k in _TITLE_KEYS if isinstance(row.get(k), str)), "")
        if not isinstance(text, str) or not text.strip():
            continue
        document = build_document(
            normalise_newlines(text),
            format=format,
            stem=f"{stem} {number}",
            title=str(title),
            author=str(row.get("author") or ""),
            notes=list(notes),
            title_from_text=False,
        )
        documents.append(document)
    return documents
