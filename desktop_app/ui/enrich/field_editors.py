"""The control that goes with each kind of setting: how it is shown, and what it says.

Owns one editor a field, all with `value` and `set_value`; knows nothing of enrichment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QPlainTextEdit,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Label, SectionTitle

from .fields import Field
from .word_list import WordList

LABEL_WIDTH = 156


class Editor:
    """A field with its control; `value` is what it says now."""

    def __init__(
        self, field: Field, widget: QWidget, get: Callable[[], Any], put: Callable[[Any], None]
    ) -> None:
        self.field = field
        self.widget = widget
        self.value = get
        self.set_value = put


class WheelGuard(QObject):
    """Keeps the wheel for scrolling: a setting must not change because one scrolls past it."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel and not watched.hasFocus():
            event.ignore()
            return True
        return False


def build_editor(theme: Theme, field: Field, parent: QWidget) -> Editor:
    """Return the control of a field."""
    made = {
        "choice": _build_choice,
        "words": _build_words,
        "number": _build_number,
        "flag": _build_flag,
        "text": _build_text,
    }[field.kind](theme, field, parent)
    if not made.widget.accessibleName():
        made.widget.setAccessibleName(tr(field.label))
    if field.help:
        made.widget.setToolTip(tr(field.help))
    return made


def _build_choice(theme: Theme, field: Field, parent: QWidget) -> Editor:
    box = QComboBox(parent)
    box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    box.installEventFilter(WheelGuard(box))
    for value, words in field.offer():
        box.addItem(words, value)

    def put(value: Any) -> None:
        place = box.findData(value)
        if place < 0:  # said elsewhere, such as by a command: kept as it is
            box.addItem(str(value), value)
            place = box.count() - 1
        box.setCurrentIndex(place)

    return Editor(field, box, box.currentData, put)


def _build_words(theme: Theme, field: Field, parent: QWidget) -> Editor:
    words = WordList(theme, tr(field.label), tr(field.hint), parent, say=field.say, read=field.read)
    return Editor(field, words, words.words, words.set_words)


def _build_number(theme: Theme, field: Field, parent: QWidget) -> Editor:
    box = QSpinBox(parent)
    box.setRange(field.least, field.most)
    box.setProperty("arrows", True)
    box.setFixedWidth(112)
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    box.installEventFilter(WheelGuard(box))
    box.lineEdit().setTextMargins(6, 0, 6, 0)
    if field.unit:
        box.setSuffix(f" {tr(field.unit)}")
    return Editor(field, box, box.value, box.setValue)


def _build_flag(theme: Theme, field: Field, parent: QWidget) -> Editor:
    box = QCheckBox(tr(field.help), parent)
    box.setAccessibleName(tr(field.label))
    return Editor(field, box, box.isChecked, box.setChecked)


def _build_text(theme: Theme, field: Field, parent: QWidget) -> Editor:
    box = QPlainTextEdit(parent)
    box.setProperty("kind", "field")
    box.setPlaceholderText(tr(field.hint))
    box.setTabChangesFocus(True)
    box.setFixedHeight(108)
    return Editor(field, box, lambda: box.toPlainText().strip(), box.setPlainText)


class FieldForm(QWidget):
    """Fields in groups, a label beside each control and what it does below."""

    def __init__(
        self,
        theme: Theme,
        groups: Iterable[tuple[str, tuple[Field, ...]]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.editors: dict[str, Editor] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        for title, fields in groups:
            if title:
                column.addWidget(SectionTitle(tr(title)))
            grid = QGridLayout()
            grid.setHorizontalSpacing(12)
            grid.setVerticalSpacing(4)
            grid.setColumnMinimumWidth(0, LABEL_WIDTH)
            grid.setColumnStretch(1, 1)
            for field in fields:
                self._add(theme, grid, field)
            column.addLayout(grid)
        column.addStretch(1)

    def _add(self, theme: Theme, grid: QGridLayout, field: Field) -> None:
        editor = self.editors[field.name] = build_editor(theme, field, self)
        row = grid.rowCount() if grid.count() else 0
        label = Label(tr(field.label))
        label.setMinimumHeight(30)
        label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        label.setBuddy(editor.widget)
        grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
        align = Qt.AlignmentFlag.AlignLeft if field.kind == "number" else Qt.AlignmentFlag(0)
        grid.addWidget(editor.widget, row, 1, align)
        if field.help and field.kind != "flag":
            told = Label(tr(field.help), "small", wrap=True)
            told.setContentsMargins(0, 0, 0, 4)
            grid.addWidget(told, row + 1, 1)

    def values(self) -> dict[str, Any]:
        return {name: editor.value() for name, editor in self.editors.items()}

    def set_values(self, source: Any) -> None:
        """Show the values of settings or of a proposal, whatever has these attributes."""
        for name, editor in self.editors.items():
            editor.set_value(getattr(source, name))
