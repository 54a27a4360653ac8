"""Finds what does not fit: widgets beyond an edge, and texts that are cut off.

A text that does not fit ends in an ellipsis, and a tooltip has all of it; where commands have to be
whole, what does not fit is in a menu or on the next line. Text that a widget
paints itself is not checked, only that the widget has the room it asks for; such widgets elide
it in their own paint code.
"""

from __future__ import annotations

import re

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QCheckBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QScrollBar,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionFrame,
    QTabBar,
    QTextEdit,
    QToolButton,
    QWidget,
)

from desktop_app.ui.widgets import Button, KeyButton

SLACK = 1  # pixels that rounding of widths may take
TEXT_MARGIN = 4  # pixels beside the text of a line edit
ELLIPSIS = "…"
LONGEST_COMMAND = 24  # letters of a button; longer ones are titles, questions and file names
_BREAKS = re.compile(r"[\s\u200b]+|(?<=[-–—/])|(?<=[\u3000-\u9fff\uff00-\uffef])")


def find_overflow(panel: QWidget, *, whole_commands: bool = False) -> list[str]:
    """Return a line for every visible widget of the panel that does not fit.

    Args:
        whole_commands: the text of a command may not end in an ellipsis.
    """
    found = []
    for widget in [panel, *panel.findChildren(QWidget)]:
        if not widget.isVisible() or isinstance(widget, QScrollBar):
            continue
        is_holder = type(widget) is QWidget  # what it holds is measured itself
        if not is_holder and (beyond := _find_edge(widget, panel)):
            found.append(f"{_name(widget)} {beyond}")
        elif (missing := _missing_width(widget)) > SLACK:
            found.append(f"{_name(widget)} has {missing} pixels too few")
        elif whole_commands and (missing := _missing_of_command(widget)) > SLACK:
            found.append(f"{_name(widget)} is cut by {missing} pixels")
        if (lower := _missing_height(widget)) > SLACK:
            found.append(f"{_name(widget)} has {lower} pixels too few in height")
        if isinstance(widget, QLabel) and _lacks_tooltip(widget):
            found.append(f"{_name(widget)} is cut off and has no tooltip")
        if isinstance(widget, QAbstractScrollArea) and _scrolls_sideways(widget):
            found.append(f"{_name(widget)} scrolls sideways")
    return found


def _find_edge(widget: QWidget, panel: QWidget) -> str:
    """Return how far a widget reaches beyond what holds it; an area that scrolls may hide it."""
    area, around = widget.rect(), widget
    while around is not panel:
        holder = around.parentWidget()
        area = QRect(around.mapTo(holder, area.topLeft()), area.size())
        if area.left() < -SLACK or area.right() + 1 > holder.width() + SLACK:
            return f"reaches from {area.left()} to {area.right() + 1} of {holder.width()}"
        scroll = holder.parentWidget()
        if isinstance(scroll, QAbstractScrollArea) and holder is scroll.viewport():
            return ""
        if area.top() < -SLACK or area.bottom() + 1 > holder.height() + SLACK:
            return (
                f"reaches down from {area.top()} to {area.bottom() + 1} of {holder.height()} "
                f"in {type(holder).__name__}"
            )
        around = holder
    return ""


def _missing_width(widget: QWidget) -> int:
    """Return by how much the widest text of a widget is wider than the room for it."""
    hint = widget.sizeHint().width()
    if isinstance(widget, QPushButton | QCheckBox | QRadioButton):
        if widget.minimumSizeHint().width() < hint:
            return 0  # it elides its text
        return hint - widget.width() if widget.text() else 0
    if isinstance(widget, QLabel):
        room = widget.contentsRect().width() - 2 * widget.margin()
        return _label_width(widget) - room if QLabel.text(widget) else 0
    if isinstance(widget, QComboBox):
        return _box_width(widget)
    if isinstance(widget, QLineEdit):
        return _placeholder_width(widget)
    if isinstance(widget, QTabBar):
        rects = [widget.tabRect(tab) for tab in range(widget.count())]
        return max((rect.right() + 1 - widget.width() for rect in rects), default=0)
    if isinstance(widget, QHeaderView):
        return _heading_width(widget)
    is_icon = isinstance(widget, QAbstractButton) and not widget.text()
    if widget.sizePolicy().horizontalPolicy() == QSizePolicy.Policy.Fixed and not is_icon:
        return widget.minimumSizeHint().width() - widget.width()
    return 0


def _missing_of_command(widget: QWidget) -> int:
    """Return by how much the text of a button is cut; none if it shows its icon alone."""
    if not isinstance(widget, Button) or widget.is_icon_alone:
        return 0
    if not widget.text() or len(widget.text()) > LONGEST_COMMAND:
        return 0
    whole = widget.text_width() if isinstance(widget, KeyButton) else widget.sizeHint().width()
    return whole - widget.width()


def _missing_height(widget: QWidget) -> int:
    if isinstance(widget, QToolButton) and isinstance(widget.parent(), QLineEdit):
        return 0  # Qt paints the icon of such a button, never its text
    if isinstance(widget, QLabel) and QLabel.text(widget):
        if widget.wordWrap():
            return widget.heightForWidth(widget.width()) - widget.height()
        room = widget.contentsRect().height() - 2 * widget.margin()
        rich = widget.textFormat() == Qt.TextFormat.RichText
        n_lines = 1 if rich else QLabel.text(widget).count("\n") + 1
        return n_lines * widget.fontMetrics().height() - room
    has_text = isinstance(widget, QAbstractButton) and widget.text()
    if has_text and widget.hasHeightForWidth():
        return widget.heightForWidth(widget.width()) - widget.height()
    if has_text or isinstance(widget, QComboBox | QTabBar | QLineEdit):
        return widget.fontMetrics().height() - widget.height()
    return 0


def _lacks_tooltip(label: QLabel) -> bool:
    """Whether a label shows only a part of its text, ended by an ellipsis, and no tooltip."""
    whole = getattr(label, "full_text", label.text)()
    shown = QLabel.text(label)
    return shown.endswith(ELLIPSIS) and not whole.endswith(ELLIPSIS) and not label.toolTip()


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


def _box_width(box: QComboBox) -> int:
    """Return by how much the current text is wider than its field, unless the box elides it."""
    if box.minimumSizeHint().width() < box.sizeHint().width() or box.isEditable():
        return 0
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    part = QStyle.SubControl.SC_ComboBoxEditField
    field = box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, box)
    icon = 0 if box.itemIcon(box.currentIndex()).isNull() else box.iconSize().width() + 4
    return box.fontMetrics().horizontalAdvance(box.currentText()) + icon - field.width()


def _placeholder_width(edit: QLineEdit) -> int:
    if edit.text() or not edit.placeholderText() or edit.toolTip():
        return 0
    option = QStyleOptionFrame()
    edit.initStyleOption(option)
    room = edit.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, edit)
    margins = edit.textMargins()
    room = room.width() - margins.left() - margins.right() - TEXT_MARGIN
    for button in edit.findChildren(QToolButton):
        room -= button.width() if button.isVisible() else 0
    return edit.fontMetrics().horizontalAdvance(edit.placeholderText()) - room


def _heading_width(heading: QHeaderView) -> int:
    """Return by how much the title of a column is wider than the column, without a tooltip."""
    model, missing = heading.model(), 0
    if model is None or heading.orientation() == Qt.Orientation.Vertical:
        return 0
    for section in range(heading.count()):
        tip = model.headerData(section, heading.orientation(), Qt.ItemDataRole.ToolTipRole)
        if not heading.isSectionHidden(section) and not tip:
            title = str(model.headerData(section, heading.orientation()) or "")
            needed = heading.fontMetrics().horizontalAdvance(title) + 16
            missing = max(missing, needed - heading.sectionSize(section))
    return missing


def _scrolls_sideways(area: QAbstractScrollArea) -> bool:
    if isinstance(area, QTextEdit | QPlainTextEdit):
        return False
    never = area.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    return area.horizontalScrollBar().maximum() > 0 and not never


def _name(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QLabel | QAbstractButton) else ""
    if isinstance(widget, QComboBox):
        text = widget.currentText()
    elif isinstance(widget, QLineEdit):
        text = widget.placeholderText()
    words = f" “{text[:40]}”" if text else ""
    return f"{type(widget).__name__}{words}"
