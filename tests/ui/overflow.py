"""Finds what does not fit in a panel: widgets beyond its right edge, and texts that are cut off.

Text that a widget paints itself is not checked; such widgets elide it in their own paint code.
"""

from __future__ import annotations

import re

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QCheckBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QScrollBar,
    QTextEdit,
    QWidget,
)

SLACK = 1  # pixels that rounding of widths may take
_BREAKS = re.compile(r"[\s\u200b]+|(?<=[-–—/])|(?<=[\u3000-\u9fff\uff00-\uffef])")


def find_overflow(panel: QWidget) -> list[str]:
    """Return a line for every visible widget of the panel that does not fit."""
    found = []
    for widget in [panel, *panel.findChildren(QWidget)]:
        if not widget.isVisible() or isinstance(widget, QScrollBar):
            continue
        left = widget.mapTo(panel, QPoint(0, 0)).x()
        right = left + widget.width()
        if left < -SLACK or right > panel.width() + SLACK:
            found.append(f"{_name(widget)} reaches from {left} to {right} of {panel.width()}")
        elif (missing := _missing_width(widget)) > SLACK:
            found.append(f"{_name(widget)} has {missing} pixels too few")
        if (lower := _missing_height(widget)) > SLACK:
            found.append(f"{_name(widget)} has {lower} pixels too few in height")
        if isinstance(widget, QAbstractScrollArea) and _scrolls_sideways(widget):
            found.append(f"{_name(widget)} scrolls sideways")
    return found


def _missing_width(widget: QWidget) -> int:
    """Return by how much the widest text of a widget is wider than the room for it."""
    if isinstance(widget, QPushButton | QCheckBox | QRadioButton):
        if widget.minimumSizeHint().width() < widget.sizeHint().width():
            return 0  # it elides its text
        return widget.sizeHint().width() - widget.width() if widget.text() else 0
    if isinstance(widget, QLabel) and QLabel.text(widget):
        margin = 2 * widget.margin()
        room = widget.contentsRect().width() - margin
        return _label_width(widget) - room
    return 0


def _missing_height(widget: QWidget) -> int:
    if isinstance(widget, QLabel) and widget.wordWrap():
        return widget.heightForWidth(widget.width()) - widget.height()
    return 0


def _label_width(label: QLabel) -> int:
    text, metrics = QLabel.text(label), label.fontMetrics()  # with its line breaks
    if label.textFormat() == Qt.TextFormat.RichText:
        document = QTextDocument()
        document.setDefaultFont(label.font())
        document.setHtml(text)
        document.setTextWidth(1 if label.wordWrap() else -1)
        return round(document.idealWidth())
    parts = _BREAKS.split(text) if label.wordWrap() else text.split("\n")
    return max((metrics.horizontalAdvance(part) for part in parts), default=0)


def _scrolls_sideways(area: QAbstractScrollArea) -> bool:
    if isinstance(area, QTextEdit | QLineEdit):
        return False
    never = area.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    return area.horizontalScrollBar().maximum() > 0 and not never


def _name(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QLabel | QAbstractButton) else ""
    words = f" “{text[:40]}”" if text else ""
    return f"{type(widget).__name__}{words}"
