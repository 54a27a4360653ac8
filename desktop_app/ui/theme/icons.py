"""The icons of the window: glyphs of the bundled Phosphor font, painted in colours of the theme."""

from __future__ import annotations

import functools
import json
import logging
from collections.abc import Callable, Hashable
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QIcon, QIconEngine, QPainter, QPixmap

from desktop_app.engine import paths

from .fonts import ICON_CODES_FILE, ICON_FAMILY

log = logging.getLogger(__name__)

# What an icon stands for -> its name in the font. Names with "ph." are those of the font itself.
GLYPHS = {
    "library": "books",
    "graph": "share-network",
    "names": "identification-card",
    "entity": "identification-card",
    "chat": "chat-circle-text",
    "communities": "circles-three",
    "highlights": "highlighter-circle",
    "models": "cpu",
    "evaluation": "exam",
    "reader": "book-open",
    "search": "magnifying-glass",
    "settings": "gear",
    "offline": "shield-check",
    "server": "hard-drives",
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
def _load_codes() -> dict[str, int]:
    codes: dict[str, int] = json.loads(
        paths.resource("fonts", *ICON_CODES_FILE.split("/")).read_text("utf-8")
    )
    return codes


@functools.cache
def glyph(name: str) -> str:
    """Return the character of an icon; an unknown name gives a question mark and a log line."""
    family = GLYPHS.get(name, name.removeprefix("ph."))
    code = _load_codes().get(f"ph-{family}")
    if code is None:
        log.warning("no icon is called %r", name)
        return glyph("question")
    return chr(code)


@functools.cache
def _font(px: int) -> QFont:
    font = QFont(ICON_FAMILY)
    font.setPixelSize(px)
    return font


class GlyphEngine(QIconEngine):
    """Paints one glyph; reads its colour at every paint, so that the theme may change.

    In a place that is wider than high it is at the left: the rest is the gap to a text.
    """

    def __init__(self, char: str, color: Callable[[QIcon.Mode, QIcon.State], QColor]) -> None:
        super().__init__()
        self._char = char
        self._color = color

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        rect = QRect(rect.topLeft(), QSize(min(rect.width(), rect.height()), rect.height()))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        painter.setFont(_font(max(8, min(rect.width(), rect.height()))))
        painter.setPen(self._color(mode, state))
        if self._char == glyph("more"):
            self._paint_dots(painter, rect)
        else:
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self._char)
        painter.restore()

    @staticmethod
    def _paint_dots(painter: QPainter, rect: QRect) -> None:
        """Draw "…" on whole pixels: dots of the font fall between pixels and are pale."""
        dot = max(2, round(min(rect.width(), rect.height()) * 3 / 16))
        step = dot + max(2, round(dot * 2 / 3))
        left = rect.left() + (rect.width() - 2 * step - dot) // 2
        top = rect.top() + (rect.height() - dot) // 2
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(painter.pen().color())
        painter.setPen(Qt.PenStyle.NoPen)
        for number in range(3):
            painter.drawRoundedRect(QRect(left + number * step, top, dot, dot), 1, 1)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return pixmap

    def clone(self) -> QIconEngine:
        copy = GlyphEngine(self._char, self._color)
        _CLONES.append(copy)
        return copy


# Qt uses these engines longer than Python knows, so that this module must keep a reference to each.
#
# Python's garbage collector counts an engine to the `QIcon` that it was made for. If that object is
# in a cycle that nothing else reaches, the engine is emptied, although widgets have copies of the
# icon: the program crashes when they paint, or when they are given another icon. So the icons made
# first stay here, and everybody else has copies of them, to which no engine is counted.
_MADE: WeakKeyDictionary[QObject, dict[Hashable, QIcon]] = WeakKeyDictionary()
# Qt owns what `clone` returns, and Python does not know it: without another reference, the copy is
# deleted when `clone` returns.
_CLONES: list[GlyphEngine] = []


def glyph_icon(owner: QObject, key: Hashable, make: Callable[[], GlyphEngine]) -> QIcon:
    """Return a copy of the icon of `owner` with this key; `make` is called if there is none yet.

    The engine must not refer to `owner`, or neither would ever be deleted.
    """
    made = _MADE.setdefault(owner, {})
    if key not in made:
        made[key] = QIcon(make())
    return QIcon(made[key])
