"""Reads web pages."""

from __future__ import annotations

import re

from ..types import ReadDocument
from .assembling import assemble, normalise_newlines
from .encodings import Decoded, decode_with_notes
from .markup import flow_text

_CHARSET = re.compile(
    rb"""<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?\s*([\w-]+)""", re.I
)


def decode_markup(content: bytes) -> Decoded:
    """Decode HTML or XML, trusting what it says of its encoding where that works."""
    declared = _CHARSET.search(content[:4096])
    return decode_with_notes(content, declared.group(1).decode("ascii") if declared else "")


def read_html(content: bytes, stem: str) -> ReadDocument:
    """Return what the page shows, with its headings as outline.

    Raises:
        Unreadable: it is no text, or the page shows none.
    """
    decoded = decode_markup(content)
    page = flow_text(normalise_newlines(decoded.text))
    return assemble(
        page.text,
        format="html",
        stem=stem,
        title=page.title,
        author=page.author,
        outline=page.headings,
        notes=decoded.notes,
        title_from_text=True,
    )
