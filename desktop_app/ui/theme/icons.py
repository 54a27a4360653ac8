"""Icons of one family (Phosphor), painted in the theme's colour at the moment they are drawn.

Owns the names we use and their glyphs. Knows no widgets and no screens; an icon given out
once follows every later change of theme by itself.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable

import qtawesome
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QIcon, QIconEngine, QPainter, QPixmap

log = logging.getLogger(__name__)

# Our names for what the family calls otherwise.
GLYPHS = {
    "library": "books",
    "graph": "share-network",
    "names": "identification-card",
    "entity": "identification-card",
    "chat": "chat-circle-text",
    "communities": "circles-three",
    "models": "cpu",
    "reader": "book-open",
    "search": "magnifying-glass",
    "settings": "gear",
    "offline": "shield-check",
    "close": "x",
    "add": "plus",
    "add-file": "file-plus",
    "add-folder": "folder-plus",
    "document": "file-text",
    "delete": "trash",
    "retry": "arrow-clockwise",
    "undo": "arrow-counter-clockwise",
    "more": "dots-three",
    "sidebar": "columns",
    "inspector": "info",
    "install": "download-simple",
    "rename": "pencil-simple",
    "set-aside": "eye-slash",
    "drop": "tray",
    "send": "paper-plane-right",
    "path": "git-branch",
    "merge": "git-merge",
    "person": "user",
    "place": "map-pin",
    "organisation": "buildings",
    "event": "calendar",
    "object": "cube",
    "concept": "lightbulb",
    "other": "question",
}


@functools.cache
def glyph(name: str) -> str:
    """Return the character of an icon; an unknown name gives a question mark and a log line."""
    family = GLYPHS.get(name, name.removeprefix("ph."))
    try:
        return qtawesome.charmap(f"ph.{family}")
    except Exception:  # qtawesome raises its own kinds for a bad name
        log.warning("no icon is called %r", name)
        return qtawesome.charmap("ph.question")


@functools.cache
def _font(px: int) -> QFont:
    font = qtawesome.font("ph", px)
    font.setPixelSize(px)
    return font


class GlyphEngine(QIconEngine):
    """Paints one glyph; asks for its colour each time, so that the theme may change."""

    def __init__(self, char: str, color: Callable[[QIcon.Mode], QColor]) -> None:
        super().__init__()
        self._char = char
        self._color = color

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        painter.setFont(_font(max(8, min(rect.width(), rect.height()))))
        painter.setPen(self._color(mode))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self._char)
        painter.restore()

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return pixmap

    def clone(self) -> QIconEngine:
        return GlyphEngine(self._char, self._color)
