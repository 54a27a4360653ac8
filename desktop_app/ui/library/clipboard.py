"""Adds the content of the clipboard to the library: files and folders, or a text with a title.

Owns what of a clipboard can be added. Adding itself is requested by signals.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, QUrl, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from ..translation import tr, trn
from ..widgets import Button, PrimaryButton
from ..widgets.sheet import Sheet

MAX_PREVIEW_CHARS = 4_000
TITLE_LENGTH = 80


class PasteDialog(Sheet):
    """Asks for a title; `submitted` carries the title and the whole text."""

    submitted = Signal(str, str)

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(tr("Add the pasted text"), parent)
        self._text = text
        self.title_field = QLineEdit(suggest_title(text))
        self.title_field.setAccessibleName(tr("Title"))
        self.title_field.setMaxLength(200)
        self.title_field.selectAll()
        self.preview = QPlainTextEdit(_shorten(text, MAX_PREVIEW_CHARS))
        self.preview.setReadOnly(True)
        self.preview.setProperty("kind", "field")
        self.preview.setAccessibleName(tr("The text"))
        self.preview.setTabChangesFocus(True)
        self.preview.setFixedHeight(168)
        self.add_field(tr("Title"), self.title_field)
        n_chars = trn("{n} character", "{n} characters", len(text))
        self.add_field(tr("The text: {n_chars}", n_chars=n_chars), self.preview)
        cancel, self.agree = Button(tr("Cancel")), PrimaryButton(tr("Add"))
        cancel.clicked.connect(self.reject)
        self.agree.clicked.connect(self._submit)
        self.title_field.textChanged.connect(self._update_button)
        self.add_foot([cancel, self.agree], line=True)
        self.fit_content(520)
        self.title_field.setFocus()
        self._update_button()

    def _update_button(self) -> None:
        self.agree.setEnabled(bool(self.title_field.text().strip()))

    def _submit(self) -> None:
        title = " ".join(self.title_field.text().split())
        if title:
            self.submitted.emit(title, self._text)
            self.accept()


def _shorten(text: str, n_chars: int) -> str:
    return text[:n_chars] + ("…" if len(text) > n_chars else "")


def suggest_title(text: str) -> str:
    """Return the first line with words, without heading or list marks, shortened."""
    for line in text.splitlines():
        words = " ".join(line.strip().lstrip("#*>- ").split())
        if words:
            short = words[:TITLE_LENGTH]
            return short if len(words) <= TITLE_LENGTH else short.rsplit(" ", 1)[0] + "…"
    return ""


MAX_LINES = 500  # of a text that is checked for a list of files


@dataclass(frozen=True, slots=True)
class Pasted:
    """Files and folders, or a text; both empty if there is nothing to add."""

    files: tuple[str, ...] = ()
    text: str = ""


def read_pasted(data: QMimeData | None) -> Pasted:
    """Return what can be added from the clipboard; a list of paths counts as the files."""
    if data is None:
        return Pasted()
    files = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
    text = data.text() if data.hasText() else ""
    files = files or _paths_in(text)
    if files:
        return Pasted(files=tuple(files))
    return Pasted(text=text if text.strip() else "")


def _paths_in(text: str) -> list[str]:
    lines = [line.strip().strip('"') for line in text.strip().splitlines()[:MAX_LINES]]
    paths = [QUrl(p).toLocalFile() if p.startswith("file://") else p for p in lines if p]
    return paths if paths and all(_exists(path) for path in paths) else []


def _exists(path: str) -> bool:
    try:
        return Path(path).is_absolute() and Path(path).exists()
    except (OSError, ValueError):  # too long for a file name, or contains a null character
        return False


class ClipboardImport(QObject):
    """Reads the clipboard; asks for a title before a text is added.

    Args:
        show_message: shows a text in the message bar.
        parent: the widget over which the dialog opens.
    """

    files_pasted = Signal(list)
    text_shown = Signal()  # in the dialog that asks for its title
    text_pasted = Signal(str, str)  # title, text

    def __init__(self, show_message: Callable[[str], None], parent: QWidget) -> None:
        super().__init__(parent)
        self._show_message, self._parent = show_message, parent
        self.sheet: PasteDialog | None = None

    def paste(self) -> None:
        """Request to add the clipboard's content, or show that there is none."""
        found = read_pasted(QGuiApplication.clipboard().mimeData())
        if found.files:
            self.files_pasted.emit(list(found.files))
        elif found.text:
            sheet = self.sheet = PasteDialog(found.text, self._parent)
            sheet.submitted.connect(self.text_pasted)
            sheet.open()
            self.text_shown.emit()
        else:
            self._show_message(tr("There are no files and no text on the clipboard."))
