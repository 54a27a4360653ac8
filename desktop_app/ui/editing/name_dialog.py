"""A dialog for a name and optionally a type and a description. Runs no edit."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QPlainTextEdit, QWidget

from desktop_app.engine.model import ENTITY_TYPES

from ..language import tr
from ..widgets import Button, Label, PrimaryButton, format_type
from ..widgets.sheet import Sheet

WIDTH = 440


class NameDialog(Sheet):
    """Emits `given` with name, type and description; type is "" if it was not requested."""

    given = Signal(str, str, str)

    def __init__(
        self,
        title: str,
        *,
        name: str = "",
        hint: str = "",
        verb: str = "",
        type_: str | None = None,
        description: str | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(title, parent)
        self.name = QLineEdit(name)
        self.name.setAccessibleName(tr("Name"))
        self.name.setMaxLength(200)
        self.name.selectAll()
        self.add(self.name)
        self.type = build_type_box(type_ or "other")
        if type_ is not None:
            self.add(self.type)
        self.description = QPlainTextEdit(description or "")
        self.description.setAccessibleName(tr("Description"))
        self.description.setPlaceholderText(tr("What is known of it (may stay empty)"))
        self.description.setProperty("kind", "field")
        self.description.setTabChangesFocus(True)
        self.description.setFixedHeight(96)
        if description is not None:
            self.add(self.description)
        if hint:
            self.add(Label(hint, "muted", wrap=True))
        self._asks_type = type_ is not None
        cancel, self.save_button = Button(tr("Cancel")), PrimaryButton(verb or tr("Save"))
        cancel.clicked.connect(self.reject)
        self.save_button.clicked.connect(self._give)
        self.name.textChanged.connect(self._check)
        self.add_foot([cancel, self.save_button])
        self.fit_content(WIDTH)
        self._check()
        self.name.setFocus()

    def _check(self) -> None:
        self.save_button.setEnabled(bool(self.name.text().strip()))

    def _give(self) -> None:
        type_ = str(self.type.currentData()) if self._asks_type else ""
        self.given.emit(self.name.text().strip(), type_, self.description.toPlainText().strip())
        self.accept()


class TextDialog(Sheet):
    """A dialog for a longer text; emits `let_go` to restore the generated text."""

    given = Signal(str)
    let_go = Signal()

    def __init__(
        self, title: str, text: str, *, made: str | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(title, parent)
        self.text = QPlainTextEdit(text)
        self.text.setAccessibleName(title)
        self.text.setProperty("kind", "field")
        self.text.setFixedHeight(180)
        self.text.setTabChangesFocus(True)
        self.add(self.text)
        cancel, save = Button(tr("Cancel")), PrimaryButton(tr("Save"))
        self.save_button = save
        self.back_button = Button(tr("Use what the text gives"))
        self.back_button.setVisible(made is not None)
        cancel.clicked.connect(self.reject)
        save.clicked.connect(self._give)
        self.back_button.clicked.connect(self._let_go)
        self.add_foot([cancel, save], [self.back_button])
        self.fit_content(520)
        self.text.setFocus()

    def _give(self) -> None:
        self.given.emit(self.text.toPlainText().strip())
        self.accept()

    def _let_go(self) -> None:
        self.let_go.emit()
        self.accept()


def build_type_box(chosen: str) -> QComboBox:
    """Return a combo box of entity types."""
    box = QComboBox()
    box.setAccessibleName(tr("Type"))
    for type_ in ENTITY_TYPES:
        box.addItem(format_type(type_, capital=True), type_)
    box.setCurrentIndex(max(0, box.findData(chosen)))
    return box
