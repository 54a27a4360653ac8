"""The controller of the window: applies settings and restores the last screen of a library."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject

from desktop_app.engine.progress import Progress
from desktop_app.engine.services.adding import Added
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.preferences import Preferences

from ..context import SessionContext
from ..language import later, tr, tr_message, trn
from ..shell.main_window import MainWindow

STAGE_TITLES = {  # for one document, for all
    "reading": (later("Reading {title}"), later("Reading")),
    "names": (later("Finding names in {title}"), later("Finding names")),
    "graph": (later("Building the graph"), later("Building the graph")),
    "embedding": (later("Preparing search by meaning"), later("Preparing search by meaning")),
}


class ShellController(QObject):
    """Applies settings that need no restart; saves and restores the current screen."""

    def __init__(
        self, context: SessionContext, window: MainWindow, indexing: IndexingService, library: Path
    ) -> None:
        super().__init__(window)
        self._context, self._window = context, window
        self._indexing, self._library = indexing, str(library)
        window.screens.settings.changed.connect(self.take_settings)
        self.take_settings("care", Preferences().trash)
        window.restore_place(self._library)

    def take_settings(self, section: str, settings: Any) -> None:
        """Apply the settings that need no restart."""
        if section == "reading":
            self._indexing.use_chunking(settings)
        elif section == "care":
            self._context.documents.trash_days = settings.trash_days

    def keep(self) -> None:
        """Save the current screen and document; called before the window closes."""
        self._window.save_place(self._library)


def describe_stage(progress: Progress, titles: dict[int, str]) -> str:
    """Return the title of an indexing stage, with the document if it is known."""
    of_one, of_all = STAGE_TITLES.get(progress.stage, STAGE_TITLES["reading"])
    title = titles.get(progress.document_id or 0, "")
    return tr(of_one, title=title) if title else tr(of_all)


def describe_refused(added: Added) -> str:
    """Return why the first file was refused, and the number of other refused files."""
    first = tr_message(next(iter(added.refused.values())))
    if more := len(added.refused) - 1:
        return trn("{first} And {n} more.", "{first} And {n} more.", more, first=first)
    return first
