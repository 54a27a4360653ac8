"""Asks which folders are watched. Owns the list; what is wanted leaves by signals."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QFrame, QListWidget, QStackedWidget, QWidget

from desktop_app.ui.language import later, tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, Label, PrimaryButton
from desktop_app.ui.widgets.sheet import Sheet

HOW = later("""New and changed files of these folders come into the library by themselves while \
Inkgraph is open. Files that you delete there are told; their documents stay.""")


class WatchSheet(Sheet):
    """Shows folders; `watch_wanted` and `forget_wanted` carry a path."""

    watch_wanted = Signal(str)
    forget_wanted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(tr("Watched folders"), parent)
        self.add(Label(tr(HOW), "muted", wrap=True))
        self.list = QListWidget()
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setAccessibleName(tr("Watched folders"))
        nothing = Label(tr("No folder is watched."), "muted")
        nothing.setContentsMargins(8, 8, 8, 8)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.list)
        self._stack.addWidget(nothing)
        self.add(self._stack)
        self.column.setStretch(self.column.count() - 1, 1)
        self.forget = Button(tr("Watch no more"))
        self.choose = Button(tr("Watch a folder…"), theme=theme, icon="add-folder")
        done = PrimaryButton(tr("Done"))
        self.forget.clicked.connect(self._forget)
        self.choose.clicked.connect(self._choose)
        done.clicked.connect(self.accept)
        self.add_foot([self.choose, done], [self.forget], line=True)
        self.list.itemSelectionChanged.connect(self._tell)
        self.fit(520, 360)
        self.set_folders([])

    def set_folders(self, folders: Sequence[str]) -> None:
        self.list.clear()
        self.list.addItems(list(folders))
        self._stack.setCurrentIndex(0 if folders else 1)
        self._tell()

    def _tell(self) -> None:
        self.forget.setEnabled(bool(self.list.selectedItems()))

    def _choose(self) -> None:
        if folder := QFileDialog.getExistingDirectory(self, tr("Watch a folder")):
            self.watch_wanted.emit(folder)

    def _forget(self) -> None:
        for item in self.list.selectedItems():
            self.forget_wanted.emit(item.text())
