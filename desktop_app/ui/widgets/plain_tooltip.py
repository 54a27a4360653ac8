"""Tooltips that show what others wrote as it is written.

Owns nothing but this: Qt takes a tooltip with tags in it for a page, which may load files.
"""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt


def plain_tip(text: str) -> str:
    """Return a tooltip that shows exactly this text; titles, names and answers may have tags."""
    if not Qt.mightBeRichText(text):
        return text
    return f"<p>{escape(text)}</p>".replace("\n", "<br>")
