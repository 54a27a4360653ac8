"""Readers of plain text and Markdown."""

from __future__ import annotations

import re

from ...model import Heading, ReadDocument
from ..encodings import decode
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
