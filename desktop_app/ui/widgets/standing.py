"""On whose word what is shown of an entity stands: a mark, and a line that says more.

Owns these words. Is told the standing; knows no screens.
"""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from desktop_app.engine.services.said import EntityStanding
from desktop_app.ui.theme.theme import Theme

from .labels import Badge
from .words import format_number, format_sureness, plural, shorten_list

MARKS = {
    "model": ("models", "By a model"),
    "quote": ("ph.quotes", "Quoted"),
    "hand": ("rename", "By you"),
    "import": ("install", "Imported"),
}


def say_description(standing: EntityStanding) -> str:
    """Return where the description comes from: of how many passages, by whom."""
    source = standing.description_from
    if source == "hand":
        return "Described by you"
    if source == "import":
        return f"Description imported from {shorten_list(standing.origins) or 'another graph'}"
    if source == "model":
        part = f"{format_number(standing.n_described)} of {plural(standing.n_passages, 'passage')}"
        by = f", by {shorten_list(standing.models)}" if standing.models else ""
        return f"Described from {part}{by}"
    if standing.models:
        return f"Quoted: {shorten_list(standing.models)} added no words of its own"
    return "Instant: quoted from the text, no model has read it yet"


def say_type(standing: EntityStanding, entity_type: str) -> str:
    """Return who says that it is a person, a place …, and how sure they are."""
    who = standing.type_from
    if who == "hand":
        return f"You say it is: {entity_type}"
    if who == "import":
        return f"It was imported as: {entity_type}"
    if who == "model":
        sure = format_sureness(standing.type_sureness) or "no word on how sure"
        # who that is, is said once
        told = standing.description_from == "model" or not standing.models
        by = "" if told else f", says {shorten_list(standing.models)}"
        asked = f"asked in {plural(standing.n_judged, 'passage')}"
        return f"{entity_type.capitalize()}: {sure}{by}, {asked}"
    return f"Instant: {entity_type} by what the text around it looks like"


class SourceMark(Badge):
    """The sign and the word for where a description comes from."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "", "text2", parent)
        self._icon = "ph.quotes"

    def set_source(self, standing: EntityStanding) -> None:
        self._icon, words = MARKS[standing.description_from]
        self.set_text(words)
        self.setToolTip(say_description(standing))

    def sizeHint(self) -> QSize:
        return QSize(self._text_width() + 34, 22)

    def _text_left(self) -> int:
        return 26

    def _paint_sign(self, painter: QPainter) -> None:
        spot = QRect(7, (self.height() - 14) // 2, 14, 14)
        self._theme.icon(self._icon, size=14).paint(painter, spot)
