"""The selection of a view: by mouse and keyboard; also clicks on names and highlights.

Owns the selected range. Knows no layout: the view maps points to offsets, which a page of a PDF may
know only later.
"""

from __future__ import annotations

import re
from typing import cast

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
)
from PySide6.QtWidgets import QToolTip

from .passage_actions import build_menu
from .view import DocumentView

_WORD = re.compile(r"[^\W_]+(?:[’'-][^\W_]+)*")
_LEFT = Qt.MouseButton.LeftButton
_KEYBOARD = QContextMenuEvent.Reason.Keyboard


class Selection(QObject):
    """The selection of one view; filters the view's mouse, key and menu events."""

    changed = Signal()

    def __init__(self, view: DocumentView) -> None:
        super().__init__(view)
        self._view = view
        self._anchor: int | None = None
        self._head = 0
        self._dragging = False
        self._pressed_at = QPointF()
        self._pointer = QPointF()
        self._last_double = QPointF(-99, -99)
        self._scroll = QTimer(self, interval=30)
        self._scroll.timeout.connect(self._auto_scroll)
        self._triple = QTimer(
            self, singleShot=True, interval=QGuiApplication.styleHints().mouseDoubleClickInterval()
        )
        view.viewport().installEventFilter(self)
        view.installEventFilter(self)

    @property
    def range(self) -> tuple[int, int] | None:
        """The selected range, None if nothing is selected."""
        if self._anchor is None or self._anchor == self._head:
            return None
        return (min(self._anchor, self._head), max(self._anchor, self._head))

    @property
    def text(self) -> str:
        chosen = self.range
        return self._view.copied(*chosen) if chosen else ""

    @property
    def anchor(self) -> int | None:
        """The offset at which the selection started."""
        return self._anchor

    @property
    def head(self) -> int | None:
        """The offset to which the selection was extended, from which the keyboard continues."""
        return None if self._anchor is None else self._head

    def collapse(self) -> None:
        """Select nothing but keep the head, so that the caret stays."""
        self._set(None if self._anchor is None else self._head, self._head)

    def clear(self) -> None:
        self._dragging = False
        self._scroll.stop()
        self._set(None, 0)

    def select(self, start: int, end: int) -> None:
        self._set(start, end)

    def copy(self) -> None:
        if self.range:
            QGuiApplication.clipboard().setText(self.text)

    def retry_drag(self) -> None:
        """Continue a drag on a page whose letters were not loaded before."""
        if self._dragging:
            if self._anchor is None:
                self._anchor = self._offset(self._pressed_at)
            self._extend()

    def _set(self, anchor: int | None, head: int) -> None:
        before = self.range
        self._anchor, self._head = anchor, head
        self._view.viewport().update()
        if self.range != before:
            self.changed.emit()

    def _offset(self, point: QPointF) -> int | None:
        return self._view.offset_at(point.x(), point.y())

    # --- events -----------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is self._view:
            return self._filter_view_event(kind, event)
        if kind == QEvent.Type.MouseButtonPress:
            return self._press(cast(QMouseEvent, event))
        if kind == QEvent.Type.MouseButtonDblClick:
            return self._double_click(cast(QMouseEvent, event))
        if kind == QEvent.Type.MouseMove:
            return self._move(cast(QMouseEvent, event))
        if kind == QEvent.Type.MouseButtonRelease:
            return self._release(cast(QMouseEvent, event))
        if kind == QEvent.Type.ContextMenu:
            self._show_menu(cast(QContextMenuEvent, event))
            return True
        if kind == QEvent.Type.ToolTip:
            self._show_tooltip(cast(QHelpEvent, event))
            return True
        return False

    def _filter_view_event(self, kind: QEvent.Type, event: QEvent) -> bool:
        if kind in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride):
            return self._press_key(cast(QKeyEvent, event))
        is_menu = kind == QEvent.Type.ContextMenu
        if is_menu and cast(QContextMenuEvent, event).reason() == _KEYBOARD:
            self.open_menu()
            return True
        return False

    def _press_key(self, event: QKeyEvent) -> bool:
        for keys, act in (
            (QKeySequence.StandardKey.Copy, self.copy),
            (QKeySequence.StandardKey.SelectAll, self._select_all),
        ):
            if event.matches(keys):
                event.accept()
                if event.type() == QEvent.Type.KeyPress:
                    act()
                    return True
                return False
        command = self._view.caret.find_command(event)
        if command is None:
            return False
        event.accept()
        if event.type() == QEvent.Type.KeyPress:
            command()
            return True
        return False

    def _select_all(self) -> None:
        self.select(0, len(self._view.text))

    def _press(self, event: QMouseEvent) -> bool:
        if event.button() != _LEFT:
            return False
        point = event.position()
        self._view.setFocus(Qt.FocusReason.MouseFocusReason)
        self._pressed_at = self._pointer = point
        offset = self._offset(point)
        if self._triple.isActive() and (point - self._last_double).manhattanLength() < 6:
            self._triple.stop()
            if offset is not None:
                self.select(*self._view.paragraph_at(offset))
            return True
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self._anchor is not None:
            self._set(self._anchor, self._head if offset is None else offset)
        else:
            self._set(offset, offset or 0)
        self._dragging = True
        return True

    def _double_click(self, event: QMouseEvent) -> bool:
        if event.button() != _LEFT:
            return False
        offset = self._offset(event.position())
        if offset is None:
            return True
        text = self._view.text
        low = max(0, offset - 40)
        for found in _WORD.finditer(text, low, min(len(text), offset + 60)):
            if found.start() <= offset <= found.end():
                word = found.group()
                # Chinese has no spaces between words: select two characters
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
        x, y = self._pointer.x(), self._pointer.y()
        if self._view.name_at(x, y):
            shape = Qt.CursorShape.PointingHandCursor
        else:
            over = self._view.is_text_at(x, y)
            shape = Qt.CursorShape.IBeamCursor if over else Qt.CursorShape.ArrowCursor
        self._view.viewport().setCursor(shape)
        return False

    def _extend(self) -> None:
        offset = self._offset(self._pointer)
        if offset is not None and self._anchor is not None:
            self._set(self._anchor, offset)

    def _auto_scroll(self) -> None:
        y, height = self._pointer.y(), self._view.viewport().height()
        self._view.scroll_by(y / 3 if y < 0 else (y - height) / 3 + 1)
        self._extend()

    def _release(self, event: QMouseEvent) -> bool:
        if event.button() != _LEFT or not self._dragging:
            return False
        self._dragging = False
        self._scroll.stop()
        point = event.position()
        if self.range is None and (point - self._pressed_at).manhattanLength() < 4:
            self._click(point)
        return True

    def _click(self, point: QPointF) -> None:
        view, where = self._view, self._view.viewport().mapToGlobal(point.toPoint())
        name = view.name_at(point.x(), point.y())
        note = None if name else view.note_at(point.x(), point.y())
        if name:
            view.name_clicked.emit(name, where)
        elif note is not None:
            view.note_clicked.emit(note, where)

    def open_menu(self) -> None:
        """Open the menu for the selection, or for the name or highlight at the caret."""
        view, caret = self._view, self._view.caret
        menu = build_menu(view, caret.name(), caret.at, caret.note_id())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(caret.point() or view.viewport().mapToGlobal(view.viewport().rect().center()))

    def _show_menu(self, event: QContextMenuEvent) -> None:
        view = self._view
        x, y = event.pos().x(), event.pos().y()
        offset, chosen = view.offset_at(x, y), self.range
        if chosen and (offset is None or not chosen[0] <= offset <= chosen[1]):
            self.clear()  # the click is outside the selection
        menu = build_menu(view, view.name_at(x, y), offset, view.note_at(x, y))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def _show_tooltip(self, event: QHelpEvent) -> None:
        x, y = event.pos().x(), event.pos().y()
        name, note_id = self._view.name_at(x, y), self._view.note_at(x, y)
        note = next((n.note for n in self._view.notes if n.id == note_id), "")
        if name:
            QToolTip.showText(event.globalPos(), f"{name[3]} · {name[4]}", self._view)
        elif note:
            QToolTip.showText(event.globalPos(), note[:400], self._view)
        else:
            QToolTip.hideText()
