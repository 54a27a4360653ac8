"""Reader of Markdown: the source without its front matter, with the headings as outline.

Title and author come from the front matter.
"""

from __future__ import annotations

import re

from ...model import Heading, ReadDocument
from ..encodings import decode_with_notes
from .document_builder import build_document, normalise_newlines

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_ATX = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$")
_SETEXT = re.compile(r"^ {0,3}(=+|-+)[ \t]*$")
_STRUCTURE = re.compile(r"\s*(?:[-*+>|#]|\d+\.|    )")
_FRONT = re.compile(r"\A---\n(.*?)\n(?:---|\.\.\.)\n", re.S)
_INLINE = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|[*_`]{1,3}|<[^>]+>")


def read_md(content: bytes, stem: str) -> ReadDocument:
    """Return the source with its outline.

    Raises:
        Unreadable: it is empty or not text.
    """
    decoded = decode_with_notes(content)
    text = normalise_newlines(decoded.text)
    front = _FRONT.match(text)
    values = _front_values(front.group(1)) if front else {}
    text = text[front.end() :].lstrip("\n") if front else text
    outline = find_markdown_outline(text)
    first = outline[0] if outline else None
    return build_document(
        text,
        format="md",
        stem=stem,
        title=values.get("title", "") or (first.title if first and first.level == 1 else ""),
        author=values.get("author", ""),
        outline=outline,
        notes=decoded.notes,
        title_from_text=not outline,
    )


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
                headings.append(Heading(len(atx.group(1)), _plain(atx.group(2)), at))
            elif setext and previous.strip() and not _STRUCTURE.match(previous):
                level = 1 if setext.group(1)[0] == "=" else 2
                headings.append(Heading(level, _plain(previous), previous_at))
        previous, previous_at = line, at
        at += len(line) + 1
    return tuple(h for h in headings if h.title)


def _plain(title: str) -> str:
    return re.sub(r"\s+", " ", _INLINE.sub(lambda m: m.group(1) or "", title)).strip()


def _front_values(block: str) -> dict[str, str]:
    pairs = re.findall(r"^(\w+):[ \t]*(.+)$", block, re.M)
    return {key.lower(): value.strip(" \t\"'") for key, value in pairs}
