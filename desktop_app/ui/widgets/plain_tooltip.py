"""Tooltips with text from documents, shown as plain text.

Qt renders a tooltip with tags as HTML, which may load files.
"""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt


def plain_tip(text: str) -> str:
    """Return the tooltip that shows exactly this text, even where it contains tags."""
    if not Qt.mightBeRichText(text):
        return text
    return f"<p>{escape(text)}</p>".replace("\n", "<br>")
