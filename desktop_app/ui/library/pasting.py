"""What is on the clipboard comes into the library: files and folders, or a text with a title.

Owns what of a clipboard can be added. Adding itself is asked for by the screen's signals.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QObject, QUrl
from PySide6.QtGui import QGuiApplication

from desktop_app.ui.language import tr

from .paste_sheet import PasteSheet

if TYPE_CHECKING:
    from .screen import LibraryScreen

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
        self.sheet: PasteSheet | None = None

    def paste(self) -> None:
        """Add what is on the clipboard, or say that there is nothing."""
        found = read_pasted(QGuiApplication.clipboard().mimeData())
        if found.files:
            self._screen.files_dropped.emit(list(found.files))
        elif found.text:
            sheet = self.sheet = PasteSheet(found.text, self._screen)
            sheet.given.connect(self._screen.text_pasted)
            sheet.open()
        else:
            self._screen.say(tr("There are no files and no text on the clipboard."))
