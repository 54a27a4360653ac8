"""The line over the settings that says what a restart is for. Owns its words and its button."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop_app.ui.language import tr
from desktop_app.ui.widgets import Label, PrimaryButton


class RestartBanner(QWidget):
    """Hidden until something was changed that holds after a restart only."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        ground = QFrame()
        ground.setObjectName("banner")
        row = QHBoxLayout(ground)
        row.setContentsMargins(12, 6, 6, 6)
        row.addWidget(Label(tr("What you changed holds after a restart."), wrap=True), 1)
        self.button = PrimaryButton(tr("Restart now"))
        self.button.setToolTip(tr("Opens this library again; work goes on where it was"))
        row.addWidget(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 16, 0)
        column.addWidget(ground)
        self.hide()
