"""The lines of the list of chats: headings of folders, chats, and places that a search found.

Owns the order of lines and how each is drawn. Knows no services.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_app.engine.services.chats import ChatHit
from desktop_app.engine.types import ChatRow

from .language import tr, trn
from .theme.theme import Theme
from .widgets.tables import paint_ground

LINE_ROLE = Qt.ItemDataRole.UserRole + 1
ROW, TALL, SHORT = 28, 44, 24


@dataclass(frozen=True, slots=True)
class Line:
    """`kind` is "folder", "chat", "hit" or "more"; `count` is how many chats a folder has, or
    how many places of a chat are left out."""

    kind: str
    text: str
    chat: ChatRow | None = None
    folder: str = ""
    count: int = 0
    is_open: bool = True
    hit: ChatHit | None = None
    inside: bool = False


def lines_of(rows: Sequence[ChatRow], closed: set[str]) -> list[Line]:
    """Return pinned chats first, then folders by name, then the others, the newest first."""
    lines = [Line("chat", row.title, row) for row in rows if row.pinned]
    loose = [row for row in rows if not row.pinned]
    folders = sorted({row.folder for row in loose if row.folder}, key=str.casefold)
    for folder in folders:
        inside = [row for row in loose if row.folder == folder]
        is_open = folder not in closed
        lines.append(Line("folder", folder, None, folder, len(inside), is_open))
        if is_open:
            lines += [Line("chat", row.title, row, folder, inside=True) for row in inside]
    lines += [Line("chat", row.title, row) for row in loose if not row.folder]
    return lines


def lines_found(hits: Sequence[ChatHit]) -> list[Line]:
    """Return what was found by chat, in the order of the first of each."""
    groups: dict[int, list[ChatHit]] = {}
    for hit in hits:
        groups.setdefault(hit.chat_id, []).append(hit)
    lines = []
    for group in groups.values():
        lines += [Line("hit", h.title, hit=h, inside=place > 0) for place, h in enumerate(group)]
        if n_more := sum(hit.n_more for hit in group):
            more = trn("and {n} more", "and {n} more", n_more)
            lines.append(Line("more", more, hit=group[0], count=n_more, inside=True))
    return lines


class ChatDelegate(QStyledItemDelegate):
    """Draws one line; a place found has the words around it under its chat's title."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        line: Line = index.data(LINE_ROLE)
        has_words = line.hit is not None and (line.inside or bool(line.hit.message_id))
        height = (SHORT if line.inside else TALL) if has_words else ROW
        return QSize(80, round(height * max(1.0, self._theme.scale)))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        paint_ground(painter, option, index, self)
        line: Line = index.data(LINE_ROLE)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        area = option.rect.adjusted(8, 0, -8, 0)
        painter.save()
        if line.kind == "hit" and line.hit is not None and line.hit.message_id:
            self._paint_hit(painter, area, line, selected=selected)
        else:
            self._paint_line(painter, area, line, selected=selected)
        painter.restore()

    def _paint_line(self, painter: QPainter, area: QRect, line: Line, *, selected: bool) -> None:
        theme = self._theme
        icon = ""
        if line.kind == "folder":
            icon = "caret-down" if line.is_open else "caret-right"
        elif line.chat is not None and line.chat.pinned:
            icon = "push-pin"
        if line.inside and line.kind != "more":
            area.setLeft(area.left() + 18)
        if icon:
            size = 12
            spot = QRect(area.left(), area.center().y() - size // 2, size, size)
            theme.icon(icon, color="text" if selected else "text2").paint(painter, spot)
            area.setLeft(area.left() + 18)
        if line.kind == "folder":
            painter.setFont(theme.font("small"))
            painter.setPen(theme.color("text2"))
            count = str(line.count)
            painter.drawText(area, _RIGHT, count)
            area.setRight(area.right() - QFontMetrics(painter.font()).horizontalAdvance(count) - 8)
            painter.setFont(theme.font("strong"))
        else:
            painter.setFont(theme.font("small" if line.kind == "more" else "text"))
        painter.setPen(theme.color("accent" if line.kind == "more" and not selected else "text"))
        text = " ".join((line.text or tr("New chat")).split())
        painter.drawText(area, _LEFT, _elide(painter, text, area.width()))

    def _paint_hit(self, painter: QPainter, area: QRect, line: Line, *, selected: bool) -> None:
        theme, hit, lower = self._theme, line.hit, area
        if hit is None:
            return
        if not line.inside:
            half = area.height() // 2
            upper = QRect(area.left(), area.top() + 3, area.width(), half)
            lower = QRect(area.left(), area.top() + half - 1, area.width(), half)
            painter.setFont(theme.font("text"))
            painter.setPen(theme.color("text"))
            title = hit.title or tr("New chat")
            painter.drawText(upper, _LEFT, _elide(painter, title, upper.width()))
        painter.setFont(theme.font("small"))
        metrics = QFontMetrics(painter.font())
        start, end = hit.found
        # the word found is what matters: what stands before it gives way
        begin = max(0, start - 10)
        if begin and (blank := hit.snippet.find(" ", begin, start - 1)) >= 0:
            begin = blank + 1
        before = ("…" if begin else "") + hit.snippet[begin:start]
        left = lower.left() + metrics.horizontalAdvance(before)
        word = hit.snippet[start:end]
        mark = QRect(left, lower.center().y() - 7, metrics.horizontalAdvance(word), 16)
        if word and not selected:
            painter.fillRect(mark, theme.color("mark"))
        painter.setPen(theme.color("text" if selected else "text2"))
        painter.drawText(lower, _LEFT, _elide(painter, before + hit.snippet[start:], lower.width()))
        if word:
            painter.setPen(theme.color("text"))
            painter.setClipRect(lower)
            painter.drawText(mark.adjusted(0, -4, 2, 4), _LEFT, word)


_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def _elide(painter: QPainter, text: str, width: int) -> str:
    return QFontMetrics(painter.font()).elidedText(text, Qt.TextElideMode.ElideRight, width)
