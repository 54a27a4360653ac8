"""Which files were not taken, and why each. Shows them, and changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_app.ui.language import tr, tr_said, trn
from desktop_app.ui.plain_tip import plain_tip
from desktop_app.ui.widgets import Button, Label, PrimaryButton
from desktop_app.ui.widgets.sheet import Sheet, scrolling

MOST = 200  # that are listed; all are copied


class RefusedSheet(Sheet):
    """Lists files with their reasons.

    Args:
        refused: path -> why, as the engine says it.
    """

    def __init__(self, refused: Mapping[str, str], parent: QWidget | None = None) -> None:
        n = len(refused)
        super().__init__(trn("{n} file was not added", "{n} files were not added", n), parent)
        self._lines = [(path, tr_said(reason)) for path, reason in refused.items()]
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for path, reason in self._lines[:MOST]:
            name = Label(Path(path).name, "strong", wrap=True)
            name.setToolTip(plain_tip(path))
            column.addWidget(name)
            column.addWidget(Label(reason, "muted", wrap=True))
            column.addSpacing(12)
        if n > MOST:
            column.addWidget(Label(trn("and {n} more", "and {n} more", n - MOST), "small"))
        column.addStretch(1)
        self.column.addWidget(scrolling(body), 1)
        copy, close = Button(tr("Copy the list")), PrimaryButton(tr("Close"))
        copy.clicked.connect(self._copy)
        close.clicked.connect(self.accept)
        self.add_foot([close], [copy], line=True)
        self.fit(560, 420)

    def _copy(self) -> None:
        text = "\n".join(f"{path}\t{reason}" for path, reason in self._lines)
        QGuiApplication.clipboard().setText(text)
