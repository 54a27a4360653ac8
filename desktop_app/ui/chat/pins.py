"""The passages that the user pinned: the next questions of their chat read them first.

Owns which passages are pinned in which chat while the program runs, and the row that names them
above the question box.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtWidgets import QLabel, QWidget

from desktop_app.engine.model import ChunkId

from ..theme.theme import Theme
from ..translation import tr
from ..widgets import Button, ElidedLabel, build_row


class Pins(QObject):
    """The pinned passages of each chat, as chunk id -> place; `changed` when those shown change."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._by_chat: dict[int | None, dict[ChunkId, str]] = {}
        self._chat_id: int | None = None

    @property
    def shown(self) -> dict[ChunkId, str]:
        """The pinned passages of the chat that is shown, in the order in which they were pinned."""
        return self._by_chat.get(self._chat_id, {})

    def show(self, chat_id: int | None) -> None:
        """Show those of another chat; None for a new one, which has none."""
        if chat_id is None:
            self._by_chat.pop(None, None)
        self._chat_id = chat_id
        self.changed.emit()

    def move_to(self, chat_id: int) -> None:
        """Give those of the new chat to the chat that it became with its first question."""
        self._by_chat[chat_id] = self._by_chat.pop(None, {})
        self._chat_id = chat_id

    def set_pinned(self, chunk_id: ChunkId, place: str, *, pinned: bool) -> None:
        """Pin a passage in the chat that is shown, or unpin it."""
        own = self._by_chat.setdefault(self._chat_id, {})
        if pinned:
            own[chunk_id] = place
        else:
            own.pop(chunk_id, None)
        self.changed.emit()

    def clear(self) -> None:
        """Unpin all passages of the chat that is shown."""
        self._by_chat.pop(self._chat_id, None)
        self.changed.emit()


class PinsRow(QWidget):
    """Names the pinned passages; hidden while there are none."""

    def __init__(self, theme: Theme, pins: Pins, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._pins = theme, pins
        self._icon = QLabel(self)
        self.words = ElidedLabel("", "small", self)
        self.clear_button = Button(tr("Unpin all"), self, kind="link")
        self.clear_button.clicked.connect(pins.clear)
        build_row(
            *(self._icon, (self.words, 1), self.clear_button),
            parent=self,
            spacing=8,
            margins=(12, 0, 4, 0),
        )
        pins.changed.connect(self._show_pins)
        theme.changed.connect(self._restyle)
        self._restyle()
        self._show_pins()

    def _restyle(self) -> None:
        self._icon.setPixmap(self._theme.icon("push-pin").pixmap(QSize(14, 14)))

    def _show_pins(self) -> None:
        places = list(self._pins.shown.values())
        self.words.setText(tr("Pinned for the next questions: {places}", places="; ".join(places)))
        self.setVisible(bool(places))
