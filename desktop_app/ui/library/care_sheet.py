"""The library as a file: where it lies, how large it is, a backup, compacting, restoring.

Owns what is shown; what is wanted leaves by signals.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop_app.engine.types import LibraryOverview
from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import (
    Button,
    FactGrid,
    Label,
    PrimaryButton,
    format_number,
    format_size,
)
from desktop_app.ui.widgets.sheet import Sheet

PATTERNS = "*.inkgraph *.backup"


class CareSheet(Sheet):
    """Emits where a backup goes, that the file is to be compacted, or what is to be restored."""

    backup_wanted = Signal(str)
    compact_wanted = Signal()
    restore_wanted = Signal(str, str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(tr("This library"), parent)
        self._path = ""
        self.facts = FactGrid()
        self.add(self.facts)
        self.told = Label("", "muted", wrap=True)
        self.add(self.told)
        self.show_button = Button(tr("Show in its folder"), theme=theme, icon="ph.folder-open")
        self.compact = Button(tr("Compact"))
        self.compact.setToolTip(tr("Give the room of what was deleted back to the disk"))
        self.restore = Button(tr("Open a backup…"))
        self.backup = PrimaryButton(tr("Back up…"))
        self.show_button.clicked.connect(self._show)
        self.compact.clicked.connect(self.compact_wanted)
        self.backup.clicked.connect(self._ask_where)
        self.restore.clicked.connect(self._ask_which)
        self.add_foot([self.restore, self.compact, self.backup], [self.show_button], line=True)
        self.setFixedWidth(560)

    def set_overview(self, found: LibraryOverview) -> None:
        """Say where the library lies and what is in it."""
        self._path = found.path
        self.facts.set_facts(
            [
                (tr("Name"), found.name),
                (tr("File"), found.path),
                (tr("Size"), format_size(found.size_bytes)),
                (tr("Documents"), format_number(found.n_documents)),
                (tr("Names"), format_number(found.n_entities)),
                (tr("Passages"), format_number(found.n_chunks)),
                (tr("Chats"), format_number(found.n_chats)),
            ]
        )

    def say(self, text: str) -> None:
        self.told.setText(text)

    def _show(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(Path(self._path).parent)))

    def _ask_where(self) -> None:
        start = Path(self._path)
        place = str(start.with_name(tr("{name} backup", name=start.stem) + ".inkgraph"))
        path, _ = QFileDialog.getSaveFileName(self, tr("Back up the library"), place, _kinds())
        if path:
            self.backup_wanted.emit(path)

    def _ask_which(self) -> None:
        folder = str(Path(self._path).parent)
        backup, _ = QFileDialog.getOpenFileName(self, tr("Open a backup"), folder, _kinds())
        if not backup:
            return
        place = str(Path(folder) / (tr("{name} restored", name=Path(backup).stem) + ".inkgraph"))
        target, _ = QFileDialog.getSaveFileName(self, tr("Where it is to lie"), place, _kinds())
        if target:
            self.restore_wanted.emit(backup, target)


def _kinds() -> str:
    return f"{tr('Inkgraph libraries')} ({PATTERNS})"
