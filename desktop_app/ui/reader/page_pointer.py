"""The pointer over PDF pages: dragging them, clicking on names, tips and the context menu.

Owns what the mouse does in the page view. Knows no layout: it asks the view what is under a
point.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QHelpEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QToolTip

from .view import Name, add_enrich_action, add_name_actions

if TYPE_CHECKING:
    from .pdf_view import PdfView


class PagePointer(QObject):
    """The mouse over one page view; it watches the view's events."""

    def __init__(self, view: PdfView) -> None:
        super().__init__(view)
        self._view = view
        self._grip: QPoint | None = None
        view.viewport().installEventFilter(self)
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.ContextMenu:
            self._open_menu(event)
            return True
        if watched is self._view:
            return False
        if kind == QEvent.Type.MouseButtonPress:
            return self._press(event)
        if kind == QEvent.Type.MouseMove:
            return self._move(event)
        if kind == QEvent.Type.MouseButtonRelease:
            self._grip = None
            self._view.viewport().unsetCursor()
            return True
        if kind == QEvent.Type.ToolTip:
            self._tip(event)
            return True
        return False

    def build_menu(self, name: Name | None = None) -> QMenu:
        """Return the menu for the marked passage, and for a name under the pointer."""
        view = self._view
        menu = QMenu(view)
        add_name_actions(menu, view, name)
        about = " ".join(view.work.text[slice(*view.passage)].split()) if view.passage else ""
        copy = menu.addAction("Copy passage")
        ask = menu.addAction("Ask about this passage")
        for action in (copy, ask):
            action.setEnabled(bool(about))
        copy.triggered.connect(lambda: QGuiApplication.clipboard().setText(about))
        ask.triggered.connect(lambda: view.ask_about.emit(about))
        add_enrich_action(menu, view, None)
        return menu

    def _press(self, event: QMouseEvent) -> bool:
        if event.button() == Qt.MouseButton.LeftButton:
            name = self._view.name_at(event.position())
            if name:
                self._view.name_clicked.emit(name[2])
            else:
                self._grip = event.position().toPoint()
        return True

    def _move(self, event: QMouseEvent) -> bool:
        view = self._view
        if self._grip is None:
            name = view.name_at(event.position())
            shape = Qt.CursorShape.PointingHandCursor if name else Qt.CursorShape.ArrowCursor
            view.viewport().setCursor(shape)
            return True
        here = event.position().toPoint()
        moved, self._grip = here - self._grip, here
        for bar, step in (
            (view.verticalScrollBar(), moved.y()),
            (view.horizontalScrollBar(), moved.x()),
        ):
            bar.setValue(bar.value() - step)
        view.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        return True

    def _tip(self, event: QHelpEvent) -> None:
        name = self._view.name_at(QPointF(event.pos()))
        QToolTip.showText(event.globalPos(), f"{name[3]} · {name[4]}" if name else "", self._view)

    def _open_menu(self, event: QContextMenuEvent) -> None:
        menu = self.build_menu(self._view.name_at(QPointF(event.pos())))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())
