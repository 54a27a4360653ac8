"""What is on the clipboard comes into the library: files and folders, or a text with a title.

Owns what of a clipboard can be added. Adding itself is asked for by the screen's signals.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QObject, QUrl, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from ..language import tr, trn
from ..widgets import Button, Label, PrimaryButton
from ..widgets.sheet import Sheet

if TYPE_CHECKING:
    from .screen import LibraryScreen


SHOWN = 4_000
TITLE_LENGTH = 80


class PasteDialog(Sheet):
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


MOST_LINES = 500  # of a text that may be a list of files


@dataclass(frozen=True, slots=True)
class Pasted:
    """Files and folders, or a text; both empty where there is nothing to add."""

    files: tuple[str, ...] = ()
    text: str = ""


def read_pasted(data: QMimeData | None) -> Pasted:
    """Return what can be added of what was copied; a list of paths stands for the files."""
    if data is None:
        return Pasted()
    files = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
    text = data.text() if data.hasText() else ""
    files = files or _paths_in(text)
    if files:
        return Pasted(files=tuple(files))
    return Pasted(text=text if text.strip() else "")


def _paths_in(text: str) -> list[str]:
    lines = [line.strip().strip('"') for line in text.strip().splitlines()[:MOST_LINES]]
    paths = [QUrl(p).toLocalFile() if p.startswith("file://") else p for p in lines if p]
    return paths if paths and all(_is_there(path) for path in paths) else []


def _is_there(path: str) -> bool:
    try:
        return Path(path).is_absolute() and Path(path).exists()
    except (OSError, ValueError):  # a line of a book can be too long for a name, or hold zeros
        return False


class Pasting(QObject):
    """Pastes into one screen; a text is asked a title first."""

    def __init__(self, screen: LibraryScreen) -> None:
        super().__init__(screen)
        self._screen = screen
        self.sheet: PasteDialog | None = None

    def paste(self) -> None:
        """Add what is on the clipboard, or say that there is nothing."""
        found = read_pasted(QGuiApplication.clipboard().mimeData())
        if found.files:
            self._screen.files_dropped.emit(list(found.files))
        elif found.text:
            sheet = self.sheet = PasteDialog(found.text, self._screen)
            sheet.given.connect(self._screen.text_pasted)
            sheet.open()
        else:
            self._screen.say(tr("There are no files and no text on the clipboard."))
