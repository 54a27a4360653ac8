"""Asks for the password of a PDF whose pages the reader can't show without it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from ..translation import later, tr
from ..widgets import Button, Label, PrimaryButton
from ..widgets.sheet import Sheet

WHERE_KEPT = later(
    "The password is kept in the keyring of this computer if it has one, otherwise until Inkgraph "
    "is closed. It is not stored in the library."
)


class PasswordDialog(Sheet):
    """`submitted` carries the password."""

    submitted = Signal(str)

    def __init__(self, title: str, *, wrong: bool, parent: QWidget | None = None) -> None:
        super().__init__(tr("“{title}” has a password", title=title), parent)
        if wrong:
            self.add(Label(tr("This password does not open it."), "bad", wrap=True))
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setAccessibleName(tr("Password of this document"))
        self.add_field(tr("Password of this document"), self.field)
        self.add(Label(tr(WHERE_KEPT), "muted", wrap=True))
        cancel, self.open_button = Button(tr("Cancel")), PrimaryButton(tr("Open"))
        cancel.clicked.connect(self.reject)
        self.open_button.clicked.connect(self._submit)
        self.field.returnPressed.connect(self._submit)
        self.field.textChanged.connect(self._update_button)
        self.add_foot([cancel, self.open_button])
        self._update_button()
        self.fit_content(420)
        self.field.setFocus()

    def _update_button(self) -> None:
        self.open_button.setEnabled(bool(self.field.text()))

    def _submit(self) -> None:
        if self.field.text():
            self.submitted.emit(self.field.text())
            self.accept()
