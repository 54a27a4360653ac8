"""A ring round whatever the keyboard is on, for widgets whose own look does not say it.

Owns the ring and when it is there: after Tab, never after a click. Buttons and fields have theirs
in the style sheet; lists, check boxes, tabs and everything that paints itself have this one.
"""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTextEdit,
    QToolButton,
    QWidget,
)

WITH_OWN = (QPushButton, QToolButton, QLineEdit, QComboBox, QAbstractSpinBox)
SMALL = 48  # pixels; round something this low the ring stands outside of it
WIDTH = 2
MOVED = (
    QEvent.Type.Move,
    QEvent.Type.Resize,
    QEvent.Type.Show,
    QEvent.Type.Hide,
    QEvent.Type.LayoutRequest,
)


class FocusRing(QObject):
    """Follows the focus of an application; `color` is set by the theme."""

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self.color = QColor("black")
        self._widget: QWidget | None = None
        self._watched: list[QWidget] = []
        self._line: RingLine | None = None
        application.focusChanged.connect(self._follow)

    @property
    def widget(self) -> QWidget | None:
        """The widget that has the ring now."""
        shown = self._line is not None and shiboken6.isValid(self._line)
        return self._widget if shown else None

    @property
    def line(self) -> RingLine | None:
        return self._line

    def _follow(self, _: QWidget | None, widget: QWidget | None) -> None:
        self._leave()
        if widget is None or not wants_ring(widget):
            return
        window = widget.window()
        if widget is window or not window.testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange):
            return
        self._widget = widget
        self._line = RingLine(window, self)
        while widget is not None and widget is not window:
            widget.installEventFilter(self)
            self._watched.append(widget)
            widget = widget.parentWidget()
        self._place()

    def _leave(self) -> None:
        for widget in self._watched:
            if shiboken6.isValid(widget):
                widget.removeEventFilter(self)
        if self._line is not None and shiboken6.isValid(self._line):
            self._line.hide()
            self._line.deleteLater()
        self._widget, self._watched, self._line = None, [], None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in MOVED:
            self._place()
        return False

    def _place(self) -> None:
        line, widget = self._line, self._widget
        if line is None or widget is None or not (shiboken6.isValid(line)):
            return
        room = widget.visibleRegion().boundingRect()
        line.setVisible(not room.isEmpty())
        if room.isEmpty():
            return
        area = QRect(widget.mapTo(widget.window(), QPoint(0, 0)) + room.topLeft(), room.size())
        if area.height() < SMALL:
            area = area.adjusted(-WIDTH, -WIDTH, WIDTH, WIDTH)
        line.setGeometry(area.intersected(widget.window().rect()))
        line.raise_()


class RingLine(QWidget):
    """The ring itself, over everything in its window; no mouse ever meets it."""

    def __init__(self, window: QWidget, owner: FocusRing) -> None:
        super().__init__(window)
        self._owner = owner
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._owner.color, WIDTH))
        half = WIDTH / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(half, half, -half, -half), 5, 5)
        painter.end()


def wants_ring(widget: QWidget) -> bool:
    """Return whether a widget has no ring of its own in the style sheet."""
    if isinstance(widget, QPlainTextEdit | QTextEdit):
        return widget.property("kind") != "field"
    return not isinstance(widget, WITH_OWN)
