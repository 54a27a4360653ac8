"""The panel "How to answer": free instructions, and the expert options when expanded.

Owns the values set there. Knows nothing of questions.
"""

from __future__ import annotations

import re
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from ..language import tr
from ..theme.stylesheet import mix
from ..theme.theme import Theme
from ..widgets import Button, IconButton, Label, SectionTitle
from ..widgets.menus import show_by
from .fold import FoldButton
from .query_options import QueryOption, describe_options, list_expert_options

WIDTH = 380
MOST_HEIGHT = 300


def make_field(option: QueryOption, parent: QWidget) -> QWidget:
    """Return the editor of an option: a check box, a number, a list or a text."""
    if option.kind == "bool":
        field: QWidget = QCheckBox(tr(option.label), parent)
    elif option.choices:
        field = QComboBox(parent)
        for value, words in option.choices:
            field.addItem(tr(words), value)
    elif option.kind == "float":
        field = QDoubleSpinBox(parent)
        field.setRange(option.low, option.high)
        field.setSingleStep(0.05)
    elif option.listed:
        field = QLineEdit(parent)
        field.setPlaceholderText(tr("As the question has"))
    elif option.kind == "str":
        field = QPlainTextEdit(parent)
        field.setProperty("kind", "field")
        field.setTabChangesFocus(True)
        field.setPlaceholderText(tr("Ours"))
        field.setStyleSheet("min-height: 56px; max-height: 56px;")
    else:
        field = QSpinBox(parent)
        field.setRange(int(option.low), int(option.high))
        field.setSingleStep(500 if option.high > 1000 else 1)
        field.setSpecialValueText(tr(option.zero))
    if isinstance(field, QSpinBox | QDoubleSpinBox):
        field.lineEdit().setTextMargins(6, 0, 6, 0)
    field.setToolTip(tr(option.hint))
    field.setAccessibleName(tr(option.label))
    field.setAccessibleDescription(tr(option.hint))
    return field


def read_field(field: QWidget) -> Any:
    if isinstance(field, QCheckBox):
        return field.isChecked()
    if isinstance(field, QComboBox):
        return field.currentData()
    if isinstance(field, QLineEdit):
        parts = (word.strip() for word in re.split(r"[,，、;；]", field.text()))
        return tuple(word for word in parts if word)
    if isinstance(field, QPlainTextEdit):
        return field.toPlainText().strip()
    if isinstance(field, QDoubleSpinBox):
        return round(field.value(), 4)
    if isinstance(field, QSpinBox):
        return field.value()
    raise TypeError(type(field))


def fill_field(field: QWidget, value: Any) -> None:
    if isinstance(field, QCheckBox):
        field.setChecked(bool(value))
    elif isinstance(field, QComboBox):
        field.setCurrentIndex(max(0, field.findData(value)))
    elif isinstance(field, QLineEdit):
        field.setText(", ".join(value))
    elif isinstance(field, QPlainTextEdit):
        field.setPlainText(value)
    elif isinstance(field, QSpinBox | QDoubleSpinBox):
        field.setValue(value)


class QueryOptionsPanel(QFrame):
    """`changed` after every change; `values()` are those that differ from the defaults."""

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("moreOptions")
        self._theme = theme
        self._options = list_expert_options()
        self.fields: dict[str, QWidget] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        column.addWidget(SectionTitle(tr("Further wishes"), self))
        self.instructions = QPlainTextEdit(self)
        self.instructions.setProperty("kind", "field")
        example = tr("For example: in simple words; compare both books")
        self.instructions.setPlaceholderText(example)
        self.instructions.setAccessibleName(tr("Further wishes for how to answer"))
        self.instructions.setTabChangesFocus(True)
        # the theme's style sheet sets a minimum height, which overrides others
        self.instructions.setStyleSheet("min-height: 56px; max-height: 56px;")
        column.addWidget(self.instructions)
        self.fold = FoldButton(theme, tr("For experts"), self)
        column.addWidget(self.fold, 0, Qt.AlignmentFlag.AlignLeft)
        self.expert = QScrollArea(self)
        self.expert.setWidgetResizable(True)
        self.expert.setFrameShape(QFrame.Shape.NoFrame)
        self.expert.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.expert.setFixedHeight(MOST_HEIGHT)
        self.expert.setWidget(self._build_expert())
        self.expert.hide()
        column.addWidget(self.expert)
        foot = QHBoxLayout()
        self.reset_button = Button(tr("Back to the usual"), self, kind="link")
        self.reset_button.clicked.connect(self.reset)
        foot.addWidget(self.reset_button)
        foot.addStretch(1)
        column.addLayout(foot)
        self.setFixedWidth(WIDTH)
        self.fold.toggled.connect(self._unfold)
        self.instructions.textChanged.connect(self._changed)
        theme.changed.connect(self._restyle)
        self._restyle()
        self._changed()

    def _restyle(self) -> None:
        tokens = self._theme.tokens
        edge = f"1px solid {mix(tokens.line, tokens.text2, 0.25)}"  # not shown
        self.setStyleSheet(
            f"#moreOptions {{ background: {tokens.surface}; border: {edge}; border-radius: 6px; }}"
            "QScrollArea, #expertBody { background: transparent; }"
            "QSpinBox, QDoubleSpinBox { padding: 0 6px; }"
            f"QDoubleSpinBox {{ background: {tokens.surface}; border: {edge}; border-radius: 6px;"
            " min-height: 28px; max-height: 28px; }"
            "QDoubleSpinBox > QLineEdit { background: transparent; border: none; padding: 0 8px;"
            " min-height: 0; }"
            f"QDoubleSpinBox:focus {{ border-color: {tokens.accent}; }}"
            "QDoubleSpinBox::up-button, QDoubleSpinBox::down-button { width: 0; border: none; }"
        )

    def _build_expert(self) -> QWidget:
        body = QWidget(self)
        body.setObjectName("expertBody")
        form = QFormLayout(body)
        form.setContentsMargins(0, 0, 12, 0)
        form.setHorizontalSpacing(12)
        form.setVerticalSpacing(4)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.FieldsStayAtSizeHint)
        for option in self._options:
            field = make_field(option, body)
            fill_field(field, option.default)
            self.fields[option.name] = field
            if isinstance(field, QCheckBox):
                form.addRow(field)
                field.toggled.connect(self._changed)
                continue
            if isinstance(field, QPlainTextEdit):
                title = Label(tr(option.label), "muted", body)
                title.setBuddy(field)
                form.addRow(title)
                form.addRow(field)
                field.textChanged.connect(self._changed)
                continue
            field.setFixedWidth(150)
            label = Label(tr(option.label), "muted", body, wrap=True)
            label.setToolTip(tr(option.hint))
            label.setBuddy(field)
            form.addRow(label, field)
            if isinstance(field, QLineEdit):
                field.textChanged.connect(lambda *_: self._changed())
            elif isinstance(field, QComboBox):
                field.currentIndexChanged.connect(lambda *_: self._changed())
            elif isinstance(field, QSpinBox | QDoubleSpinBox):
                field.valueChanged.connect(lambda *_: self._changed())
        return body

    def _unfold(self, opened: bool) -> None:
        foot = self.geometry().bottom()
        self.expert.setVisible(opened)
        self.adjustSize()
        if self.isVisible():  # it is above its button and grows upwards
            self.move(self.x(), max(8, foot - self.height() + 1))

    def _changed(self, *_: object) -> None:
        self.reset_button.setEnabled(bool(self.values()))
        self.changed.emit()

    def values(self) -> dict[str, Any]:
        """Return the values that differ from `QueryParam`'s defaults, by field name."""
        found: dict[str, Any] = {}
        if text := self.instructions.toPlainText().strip():
            found["user_prompt"] = text
        for option in self._options:
            value = read_field(self.fields[option.name])
            if value != option.default:
                found[option.name] = value
        return found

    def reset(self) -> None:
        """Set everything to its default."""
        self.instructions.clear()
        for option in self._options:
            fill_field(self.fields[option.name], option.default)

    def show_by(self, button: QWidget) -> None:
        """Open above a button, aligned at its right edge."""
        self.adjustSize()
        show_by(self, button)
        self.instructions.setFocus()


class QueryOptionsButton(IconButton):
    """Opens the panel; its icon is coloured while a value differs from its default."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "sliders-horizontal", tr("How to answer"), parent)
        self.panel = QueryOptionsPanel(theme, self)
        self.panel.changed.connect(self._update_text)
        self.clicked.connect(lambda: self.panel.show_by(self))

    def values(self) -> dict[str, Any]:
        return self.panel.values()

    def _update_text(self) -> None:
        summary = describe_options(self.panel.values())
        self.set_icon("sliders-horizontal", "accent" if summary else "text2")
        words = tr("How to answer: {wishes}", wishes=summary) if summary else tr("How to answer")
        self.set_tooltip(words)
