"""The dialog that asks for one line of text, such as a title or the name of a folder."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from ..translation import tr
from .buttons import Button, PrimaryButton
from .sheet import Sheet

WIDTH = 440


class LineDialog(Sheet):
    """Emits `given` with the text, without spaces around it and never empty."""

    given = Signal(str)

    def __init__(
        self,
        title: str,
        label: str,
        action_text: str,
        *,
        text: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(title, parent)
        self.field = QLineEdit(text)
        self.field.setAccessibleName(label)
        self.add_field(label, self.field)
        cancel, self.save_button = Button(tr("Cancel")), PrimaryButton(action_text)
        cancel.clicked.connect(self.reject)
        self.save_button.clicked.connect(self._give)
        self.field.textChanged.connect(self._check)
        self.add_foot([cancel, self.save_button])
        self.register_fields(text=self.field)
        self.fit_content(WIDTH)
        self._check()
        self.field.selectAll()
        self.field.setFocus()

    def _check(self) -> None:
        self.save_button.setEnabled(bool(self.field.text().strip()))

    def _give(self) -> None:
        self.given.emit(self.field.text().strip())
        self.accept()


def ask_line(
    parent: QWidget,
    title: str,
    label: str,
    action_text: str,
    *,
    text: str = "",
    then: Callable[[str], object],
) -> None:
    """Ask over a window for one line of text; `then` gets it."""
    dialog = LineDialog(title, label, action_text, text=text, parent=parent.window())
    dialog.given.connect(then)
    dialog.open()
