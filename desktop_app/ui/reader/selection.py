"""Selecting text with the mouse, copying it, asking about it, and clicking on names.

Owns what is selected in the flowing view and its context menu. Knows no layout: it asks the
view which offset is under the pointer.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QHelpEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QMenu, QToolTip

from .blocks import flowed
from .view import Name, add_enrich_action, add_name_actions

if TYPE_CHECKING:
    from .text_view import TextView

_WORD = re.compile(r"[^\W_]+(?:[’'-][^\W_]+)*")


class TextSelection(QObject):
    """The selection of one text view; it watches the view's mouse, keys and menu."""

    def __init__(self, view: TextView) -> None:
        super().__init__(view)
        self._view = view
        self._anchor: int | None = None
        self._head = 0
        self._dragging = False
        self._pressed_at = QPointF()
        self._pointer = QPointF()
        self._last_double = QPointF(-99, -99)
        self._scroll = QTimer(self, interval=30)
        self._scroll.timeout.connect(self._drag_on)
        self._triple = QTimer(
            self, singleShot=True, interval=QGuiApplication.styleHints().mouseDoubleClickInterval()
        )
        view.viewport().installEventFilter(self)
        view.installEventFilter(self)

    @property
    def range(self) -> tuple[int, int] | None:
        """What is selected, None if nothing is."""
        if self._anchor is None or self._anchor == self._head:
            return None
        return (min(self._anchor, self._head), max(self._anchor, self._head))

    @property
    def text(self) -> str:
        chosen = self.range
        if chosen is None:
            return ""
        return flowed(self._view.setter.text, self._view.setter.blocks, *chosen)

    def clear(self) -> None:
        self._anchor = None
        self._dragging = False
        self._scroll.stop()
        self._view.viewport().update()

    def select(self, start: int, end: int) -> None:
        self._anchor, self._head = start, end
        self._view.viewport().update()

    def copy(self) -> None:
        if self.range:
            QGuiApplication.clipboard().setText(self.text)

    # --- events -----------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is self._view:
            if kind in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride):
                return self._key(event)
            return False
        if kind == QEvent.Type.MouseButtonPress:
            return self._press(event)
        if kind == QEvent.Type.MouseButtonDblClick:
            return self._double(event)
        if kind == QEvent.Type.MouseMove:
            return self._move(event)
        if kind == QEvent.Type.MouseButtonRelease:
            return self._release(event)
        if kind == QEvent.Type.ContextMenu:
            self._menu(event)
            return True
        if kind == QEvent.Type.ToolTip:
            self._tip(event)
            return True
        return False

    def _key(self, event: QEvent) -> bool:
        for keys, act in (
            (QKeySequence.StandardKey.Copy, self.copy),
            (QKeySequence.StandardKey.SelectAll, self._select_all),
        ):
            if event.matches(keys):  # type: ignore[attr-defined]
                event.accept()
                if event.type() == QEvent.Type.KeyPress:
                    act()
                    return True
        return False

    def _select_all(self) -> None:
        self.select(0, len(self._view.setter.text))

    def _press(self, event: QMouseEvent) -> bool:
        if event.button() != Qt.MouseButton.LeftButton:
            return False
        point = event.position()
        self._view.setFocus(Qt.FocusReason.MouseFocusReason)
        offset = self._view.offset_at(point.x(), point.y())
        if self._triple.isActive() and (point - self._last_double).manhattanLength() < 6:
            self._triple.stop()
            blocks = self._view.setter.blocks
            at = blocks.at(offset)
            self.select(int(blocks.starts[at]), int(blocks.ends[at]))
            return True
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self._anchor is not None:
            self._head = offset
        else:
            self._anchor = self._head = offset
        self._pressed_at, self._dragging = point, True
        self._view.viewport().update()
        return True

    def _double(self, event: QMouseEvent) -> bool:
        if event.button() != Qt.MouseButton.LeftButton:
            return False
        offset = self._view.offset_at(event.position().x(), event.position().y())
        text = self._view.setter.text
        low = max(0, offset - 40)
        for found in _WORD.finditer(text, low, min(len(text), offset + 60)):
            if found.start() <= offset <= found.end():
                word = found.group()
                # a run of Chinese has no words to tell apart here: take two characters
                if not word.isascii() and len(word) > 8:
                    self.select(offset, min(offset + 2, found.end()))
                else:
                    self.select(found.start(), found.end())
                break
        self._last_double = event.position()
        self._triple.start()
        return True

    def _move(self, event: QMouseEvent) -> bool:
        self._pointer = event.position()
        if self._dragging:
            self._extend()
            outside = not 0 <= self._pointer.y() < self._view.viewport().height()
            if outside and not self._scroll.isActive():
                self._scroll.start()
            elif not outside:
                self._scroll.stop()
            return True
        name = self._view.name_at(self._pointer.x(), self._pointer.y())
        left = self._view.column_left
        over_text = left <= self._pointer.x() <= left + self._view.setter.column
        shape = Qt.CursorShape.IBeamCursor if over_text else Qt.CursorShape.ArrowCursor
        self._view.viewport().setCursor(Qt.CursorShape.PointingHandCursor if name else shape)
        return False

    def _extend(self) -> None:
        self._head = self._view.offset_at(self._pointer.x(), self._pointer.y())
        self._view.viewport().update()

    def _drag_on(self) -> None:
        y, height = self._pointer.y(), self._view.viewport().height()
        self._view.scroll_by(y / 3 if y < 0 else (y - height) / 3 + 1)
        self._extend()

    def _release(self, event: QMouseEvent) -> bool:
        if event.button() != Qt.MouseButton.LeftButton or not self._dragging:
            return False
        self._dragging = False
        self._scroll.stop()
        point = event.position()
        if self.range is None and (point - self._pressed_at).manhattanLength() < 4:
            name = self._view.name_at(point.x(), point.y())
            if name:
                self._view.name_clicked.emit(name[2])
        return True

    def _menu(self, event: QContextMenuEvent) -> None:
        x, y = event.pos().x(), event.pos().y()
        menu = self.build_menu(self._view.name_at(x, y), self._view.offset_at(x, y))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def build_menu(self, name: Name | None = None, offset: int | None = None) -> QMenu:
        """Return the menu: copy, ask about what is selected or marked, open a name."""
        menu = QMenu(self._view)
        add_name_actions(menu, self._view, name)
        copy = menu.addAction("Copy")
        copy.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        copy.setEnabled(self.range is not None)
        copy.triggered.connect(self.copy)
        ask = menu.addAction("Ask about this passage")
        about = self.text
        if not about and self._view.passage:
            about = flowed(self._view.setter.text, self._view.setter.blocks, *self._view.passage)
        ask.setEnabled(bool(about))
        ask.triggered.connect(lambda: self._view.ask_about.emit(about))
        add_enrich_action(menu, self._view, offset)
        return menu

    def _tip(self, event: QHelpEvent) -> None:
        name = self._view.name_at(event.pos().x(), event.pos().y())
        if name:
            QToolTip.showText(event.globalPos(), f"{name[3]} · {name[4]}", self._view)
        else:
            QToolTip.hideText()
