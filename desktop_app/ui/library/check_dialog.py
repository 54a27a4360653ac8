"""The dialog of a check: its progress, what is damaged, what can be used, and the ways out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from desktop_app.engine.errors import DamagedLibrary
from desktop_app.engine.progress import Progress

from ..messages import describe_error
from ..translation import later, tr, tr_message
from ..widgets import Button, Label, PrimaryButton, ProgressLine, build_column
from ..widgets.sheet import Sheet, scrolling

if TYPE_CHECKING:
    from desktop_app.engine.services.library_check import LibraryCheckResult

STAGES: Mapping[str, str] = {
    "pages": later("Verifying checksums…"),
    "structure": later("Checking the structure of the file…"),
    "documents": later("Comparing documents…"),
    "trash": later("Comparing the trash…"),
    "corrections": later("Reading corrections…"),
    "chats": later("Reading chats…"),
    "graph": later("Comparing the graph…"),
    "words": later("Checking the word index…"),
    "vectors": later("Checking the vectors…"),
}


class CheckDialog(Sheet):
    """Shows a running check, then its result; closing it cancels the check."""

    repair_wanted = Signal()
    restore_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Check the library"), parent)
        self.stage = Label(tr("Checking…"), "muted", wrap=True)
        self.line = ProgressLine()
        self.line.set_share(None)
        self.add(self.stage)
        self.add(self.line)
        self.body = QWidget()
        self._lines = build_column(parent=self.body, spacing=8)
        self._lines.addStretch(1)
        self.column.addWidget(scrolling(self.body), 1)
        self.copy, self.close_button = Button(tr("Copy")), PrimaryButton(tr("Cancel"))
        self.repair = Button(tr("Rebuild"))
        self.repair.setToolTip(tr("Rebuild the graph and the search indexes"))
        self.restore = Button(tr("Restore a backup…"))
        self.copy.clicked.connect(self._copy)
        self.repair.clicked.connect(self.repair_wanted)
        self.restore.clicked.connect(self.restore_wanted)
        self.close_button.clicked.connect(self.reject)
        self.add_foot([self.repair, self.restore, self.close_button], [self.copy], line=True)
        for button in (self.copy, self.repair, self.restore):
            button.hide()
        self.texts: list[str] = []
        self.fit(520, 320)

    def show_progress(self, progress: Progress) -> None:
        self.stage.setText(tr(STAGES.get(progress.stage, STAGES["structure"])))
        self.line.set_share(progress.done / progress.total if progress.total else None)

    def show_result(self, result: LibraryCheckResult) -> None:
        """Show what was found, one sentence a line."""
        self._show_texts([tr_message(message) for message in result.describe()])
        self.copy.setVisible(not result.is_sound)
        self.repair.setVisible(not result.is_sound and not result.is_damaged)
        self.restore.setVisible(result.is_damaged)

    def show_failure(self, error: BaseException) -> None:
        """Show why the check ended early, such as a library that can't be opened any more."""
        self._show_texts([describe_error(error)])
        self.copy.show()
        self.restore.setVisible(isinstance(error, DamagedLibrary))

    def _show_texts(self, texts: list[str]) -> None:
        self.line.hide()
        self.stage.hide()
        self.texts = texts
        for number, text in enumerate(texts):
            role = "" if number else "strong"
            self._lines.insertWidget(number, Label(text, role, wrap=True))
        self.close_button.setText(tr("Close"))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(self.texts))
