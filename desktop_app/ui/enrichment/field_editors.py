"""Editors of the enrichment fields: a list of words, and one control for each kind of field.

A word list contains each word once. Knows nothing of the meaning of the words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from ..language import tr
from ..theme.theme import Theme
from ..widgets import Button, Label, SectionTitle, clear_layout
from ..widgets.flow import FlowLayout
from .fields import Field

GAP = 4


class WordList(QWidget):
    """An ordered list of words; `words` returns them, `changed` is emitted when they change.

    Args:
        say: maps a word to its shown form.
        read: maps typed text in the shown form to the word.
    """

    changed = Signal()

    def __init__(
        self,
        theme: Theme,
        name: str,
        hint: str,
        parent: QWidget | None = None,
        *,
        say: Callable[[str], str] = str,
        read: Callable[[str], str] = str,
    ) -> None:
        super().__init__(parent)
        self._theme, self._say, self._read = theme, say, read
        self._words: list[str] = []
        self._name = name
        self.buttons: list[Button] = []
        self._shown = QWidget()
        self._flow = FlowLayout(self._shown, gap=GAP)
        self.field = QLineEdit()
        self.field.setPlaceholderText(hint)
        self.field.setAccessibleName(f"{name}: {hint}")
        self.field.returnPressed.connect(self.add_typed)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        column.addWidget(self._shown)
        column.addWidget(self.field)

    def words(self) -> tuple[str, ...]:
        """Return the words, including typed text that is not added yet."""
        typed = [self._read(word) for word in _split(self.field.text())]
        typed = [word for word in typed if word not in self._words]
        return (*self._words, *dict.fromkeys(typed))

    def set_words(self, words: tuple[str, ...]) -> None:
        self._words = list(dict.fromkeys(w.strip() for w in words if w.strip()))
        self._show()

    def add_typed(self) -> None:
        """Add the typed words, separated by commas."""
        words = self.words()
        self.field.clear()
        if words != tuple(self._words):
            self.set_words(words)
            self.changed.emit()

    def remove(self, word: str) -> None:
        place = self._words.index(word)
        self._words.remove(word)
        self._show()
        # keep the keyboard focus in place
        near = self.buttons[min(place, len(self.buttons) - 1)] if self.buttons else self.field
        near.setFocus()
        self.changed.emit()

    def _show(self) -> None:
        clear_layout(self._flow)
        self.buttons = []
        for word in self._words:
            text = self._say(word)
            button = Button(text.replace("&", "&&"), kind="chip", theme=self._theme, icon="close")
            button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the cross behind the word
            button.setToolTip(tr("Take out “{word}”", word=text))
            button.setAccessibleName(tr("{list}: take out {word}", list=self._name, word=text))
            button.clicked.connect(lambda _=False, word=word: self.remove(word))
            self._flow.addWidget(button)
            button.ensurePolished()  # otherwise it reports a width that it will not have
            self.buttons.append(button)
        self._shown.setVisible(bool(self._words))
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        # height-for-width layouts are given too little height in scroll areas
        if self._words and self.width() > 0:
            self._shown.setFixedHeight(self._flow.heightForWidth(max(80, self.width())))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Return adds a word here; it must not press the dialog's button
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
            return
        super().keyPressEvent(event)


def _split(text: str) -> list[str]:
    for comma in "，、;；\n":
        text = text.replace(comma, ",")
    return [word for part in text.split(",") if (word := " ".join(part.split()))]


LABEL_WIDTH = 156


class FieldEditor:
    """A field with its control; `value` is the current value."""

    def __init__(
        self, field: Field, widget: QWidget, get: Callable[[], Any], put: Callable[[Any], None]
    ) -> None:
        self.field = field
        self.widget = widget
        self.value = get
        self.set_value = put


class WheelGuard(QObject):
    """Ignores the mouse wheel on a control, so that scrolling past it changes no setting."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel and not watched.hasFocus():
            event.ignore()
            return True
        return False


def build_editor(theme: Theme, field: Field, parent: QWidget) -> FieldEditor:
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


def _build_choice(theme: Theme, field: Field, parent: QWidget) -> FieldEditor:
    box = QComboBox(parent)
    box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    box.installEventFilter(WheelGuard(box))
    for value, words in field.offer():
        box.addItem(words, value)

    def put(value: Any) -> None:
        place = box.findData(value)
        if place < 0:  # set elsewhere, such as on the command line: kept unchanged
            box.addItem(str(value), value)
            place = box.count() - 1
        box.setCurrentIndex(place)

    return FieldEditor(field, box, box.currentData, put)


def _build_words(theme: Theme, field: Field, parent: QWidget) -> FieldEditor:
    words = WordList(theme, tr(field.label), tr(field.hint), parent, say=field.say, read=field.read)
    return FieldEditor(field, words, words.words, words.set_words)


def _build_number(theme: Theme, field: Field, parent: QWidget) -> FieldEditor:
    box = QSpinBox(parent)
    box.setRange(field.least, field.most)
    box.setProperty("arrows", True)
    box.setFixedWidth(112)
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    box.installEventFilter(WheelGuard(box))
    box.lineEdit().setTextMargins(6, 0, 6, 0)
    if field.unit:
        box.setSuffix(f" {tr(field.unit)}")
    return FieldEditor(field, box, box.value, box.setValue)


def _build_flag(theme: Theme, field: Field, parent: QWidget) -> FieldEditor:
    box = QCheckBox(tr(field.help), parent)
    box.setAccessibleName(tr(field.label))
    return FieldEditor(field, box, box.isChecked, box.setChecked)


def _build_text(theme: Theme, field: Field, parent: QWidget) -> FieldEditor:
    box = QPlainTextEdit(parent)
    box.setProperty("kind", "field")
    box.setPlaceholderText(tr(field.hint))
    box.setTabChangesFocus(True)
    box.setFixedHeight(108)
    return FieldEditor(field, box, lambda: box.toPlainText().strip(), box.setPlainText)


class FieldForm(QWidget):
    """Fields in groups, with a label beside each control and its help text below."""

    def __init__(
        self,
        theme: Theme,
        groups: Iterable[tuple[str, tuple[Field, ...]]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.editors: dict[str, FieldEditor] = {}
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
            help_label = Label(tr(field.help), "small", wrap=True)
            help_label.setContentsMargins(0, 0, 0, 4)
            grid.addWidget(help_label, row + 1, 1)

    def values(self) -> dict[str, Any]:
        return {name: editor.value() for name, editor in self.editors.items()}

    def set_values(self, source: Any) -> None:
        """Show the values of any object that has the attributes of the fields."""
        for name, editor in self.editors.items():
            editor.set_value(getattr(source, name))
