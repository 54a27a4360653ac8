"""A widget that places others one after another, in as many lines as they need."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget


class Flow(QWidget):
    """Fills lines from left to right; no widget is wider than the line.

    It has no layout: one whose height depends on its width gets too little in scroll areas.
    """

    def __init__(self, parent: QWidget | None = None, *, gap: int = 6) -> None:
        super().__init__(parent)
        self._gap = gap
        self._widgets: list[QWidget] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def add(self, widget: QWidget) -> None:
        widget.setParent(self)
        widget.show()
        self._widgets.append(widget)
        self._place()

    def clear(self) -> None:
        """Remove and delete all widgets."""
        for widget in self._widgets:
            widget.hide()
            widget.deleteLater()
        self._widgets = []
        self._place()

    def sizeHint(self) -> QSize:
        return QSize(80, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Show):
            self._place()
        return super().event(event)

    def _place(self) -> None:
        left = top = line = 0
        for widget in self._widgets:
            if widget.isHidden():
                continue
            widget.ensurePolished()  # otherwise its size hint is not the one it will have
            size = widget.sizeHint()
            width = min(size.width(), self.width())
            if left and left + width > self.width():
                left, top, line = 0, top + line + self._gap, 0
            widget.setGeometry(left, top, width, size.height())
            left, line = left + width + self._gap, max(line, size.height())
        self.setFixedHeight(top + line)
