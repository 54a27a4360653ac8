"""The overlay that is shown while files are dragged over the window.

The window decides what happens with dropped files.
"""

from __future__ import annotations

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from ..language import tr
from ..theme.theme import Theme
from . import Label


def find_files(data: QMimeData) -> list[str]:
    """Return the files and folders of this computer that are being dragged."""
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()]


class DropOverlay(QFrame):
    """Covers the window while files are dragged over it."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("dropOverlay")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._theme = theme
        self._icon = QLabel()
        self._icon.setAlignment(Qt.AlignmentFlag.AlignCenter)
        text = Label(tr("Drop to add to the library"), "title")
        text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column = QVBoxLayout(self)
        column.setSpacing(12)
        column.addStretch(1)
        column.addWidget(self._icon)
        column.addWidget(text)
        column.addStretch(1)
        self.hide()

    def cover(self) -> None:
        """Show over the whole parent."""
        self._icon.setPixmap(self._theme.icon("drop", color="accent").pixmap(40, 40))
        self.setGeometry(self.parentWidget().rect())
        self.raise_()
        self.show()
