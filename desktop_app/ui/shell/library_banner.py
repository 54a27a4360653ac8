"""A strip above the screens for a state of the whole library: damaged, or read-only."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from ..theme.theme import Theme
from ..widgets import Button, Label, build_row

ICON_PX = 16


class LibraryBanner(QFrame):
    """One sentence with up to two buttons; stays until the library is closed.

    `details_wanted` and `restore_wanted` are the ways out of a damaged library.
    """

    details_wanted = Signal()
    restore_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("libraryBanner")
        self._theme = theme
        self._icon, self._color = "info", "text"
        self.icon = QLabel()
        self.text = Label("", wrap=True)
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.details = Button("")
        self.restore = Button("")
        build_row(
            (self.icon, 0, Qt.AlignmentFlag.AlignVCenter),
            (self.text, 1),
            self.details,
            self.restore,
            parent=self,
            spacing=12,
            margins=(16, 8, 16, 8),
        )
        self.details.clicked.connect(self.details_wanted)
        self.restore.clicked.connect(self.restore_wanted)
        theme.changed.connect(self._draw_icon)
        self.hide()

    def show_state(
        self, text: str, *, is_damage: bool, details_text: str = "", restore_text: str = ""
    ) -> None:
        """Show a sentence; a button without a text is hidden."""
        self._icon, self._color = ("warning-circle", "bad") if is_damage else ("info", "text")
        self._draw_icon()
        self.text.setText(text)
        self.setAccessibleName(text)
        for button, label in ((self.details, details_text), (self.restore, restore_text)):
            button.setText(label)
            button.setVisible(bool(label))
        self.show()

    def _draw_icon(self) -> None:
        self.icon.setPixmap(self._theme.icon(self._icon, color=self._color).pixmap(ICON_PX))
