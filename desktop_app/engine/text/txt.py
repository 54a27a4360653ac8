"""Reads plain text and whatever else is text and no other known format."""

from __future__ import annotations

from ..types import ReadDocument
from .assembling import assemble, normalise_newlines
from .encodings import decode_with_notes


def read_txt(content: bytes, stem: str) -> ReadDocument:
    """Return the text as it is, with its chapters.

    Raises:
        Unreadable: it is empty, or no text.
    """
    decoded = decode_with_notes(content)
    notes = list(decoded.notes)
    return assemble(normalise_newlines(decoded.text), format="txt", stem=stem, notes=notes)
