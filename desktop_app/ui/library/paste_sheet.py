"""Asks what a pasted text is to be called. Shows its beginning; adds nothing itself."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from desktop_app.ui.language import tr, trn
from desktop_app.ui.widgets import Button, Label, PrimaryButton
from desktop_app.ui.widgets.sheet import Sheet

SHOWN = 4_000
TITLE_LENGTH = 80


class PasteSheet(Sheet):
    """Emits `given` with a title and the whole text."""

    given = Signal(str, str)

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(tr("Add the pasted text"), parent)
        self._text = text
        self.title_field = QLineEdit(suggest_title(text))
        self.title_field.setAccessibleName(tr("Title"))
        self.title_field.setPlaceholderText(tr("Title"))
        self.title_field.setMaxLength(200)
        self.title_field.selectAll()
        self.preview = QPlainTextEdit(text[:SHOWN] + ("…" if len(text) > SHOWN else ""))
        self.preview.setReadOnly(True)
        self.preview.setProperty("kind", "field")
        self.preview.setAccessibleName(tr("The text"))
        self.preview.setTabChangesFocus(True)
        self.preview.setFixedHeight(168)
        self.add(Label(tr("Title"), "muted"))
        self.add(self.title_field)
        self.add(self.preview)
        self.add(Label(trn("{n} character", "{n} characters", len(text)), "small"))
        cancel, self.agree = Button(tr("Cancel")), PrimaryButton(tr("Add"))
        cancel.clicked.connect(self.reject)
        self.agree.clicked.connect(self._give)
        self.title_field.textChanged.connect(self._tell)
        self.add_foot([cancel, self.agree], line=True)
        self.setFixedWidth(520)
        self.title_field.setFocus()
        self._tell()

    def _tell(self) -> None:
        self.agree.setEnabled(bool(self.title_field.text().strip()))

    def _give(self) -> None:
        title = " ".join(self.title_field.text().split())
        if title:
            self.given.emit(title, self._text)
            self.accept()


def suggest_title(text: str) -> str:
    """Return the first line that says something, without the marks of a heading."""
    for line in text.splitlines():
        words = " ".join(line.strip().lstrip("#*>- ").split())
        if words:
            short = words[:TITLE_LENGTH]
            return short if len(words) <= TITLE_LENGTH else short.rsplit(" ", 1)[0] + "…"
    return ""
