"""The inspector beside the chat: opened from an answer, folded away, closed by Escape.

Owns where the panel stands, how wide it is, and reading a kept answer for it. Knows nothing of
what the panel shows.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QSplitter, QWidget

from desktop_app.engine.types import Answer
from desktop_app.ui.context import Context
from desktop_app.ui.language import later, tr
from desktop_app.workers.operations import Query

from .inspection import telling
from .inspection.panel import NARROWEST, WIDTH, AnswerInspector
from .turns import Turn

SIDE_BY_SIDE = 580  # with less room, the panel takes the place of the chat, or makes way
READING = later("Reading how this was found…")


class Inspecting(QObject):
    """A splitter of the chat and the panel; `closed` when the panel went."""

    closed = Signal()

    def __init__(self, context: Context, chat: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._chat = chat
        self._number = 0
        self._width = WIDTH
        self._came_from: QWidget | None = None
        self._chat_first = False
        self.panel = AnswerInspector(context.theme, parent)
        self.panel.hide()
        self.panel.closed.connect(self.close)
        self.panel.open_passage.connect(lambda *_: self._prefer(chat_first=False))
        self.splitter = QSplitter(Qt.Orientation.Horizontal, parent)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(chat)
        self.splitter.addWidget(self.panel)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 0)
        self.splitter.splitterMoved.connect(self._moved)

    @property
    def is_open(self) -> bool:
        return not self.panel.isHidden()

    def show(self, turn: Turn, came_from: QWidget | None = None) -> None:
        """Open the panel for an answer; `came_from` gets the focus back at the end."""
        self._number += 1
        number = self._number
        self._came_from = came_from
        self._chat_first = False
        self._open()
        if turn.kept is not None:
            self.panel.show_answer(turn.kept)
            return
        fetch = getattr(self._context.chats, "fetch_answer", None)
        if fetch is None or not turn.message_id:
            self.panel.show_words(tr(telling.NOT_KEPT))
            return
        self.panel.show_words(tr(READING))

        def shown(answer: Answer | None) -> None:
            if number != self._number or not self.is_open:
                return
            if answer is None:
                self.panel.show_words(tr(telling.NOT_KEPT))
            else:
                self.panel.show_answer(answer)

        def failed(error: BaseException) -> None:
            if number == self._number:
                self.panel.show_words(tr("It could not be read."))
                self._context.messages.show_error(error)

        query = Query(self._context.reader_lane, fetch, turn.message_id, owner=self)
        query.on_success(shown).on_error(failed).run()

    def toggle(self, widgets: Sequence[QWidget]) -> None:
        """Close the panel, or open it for the last of these turns that has an answer."""
        if self.is_open:
            self.close()
            return
        for widget in reversed(widgets):
            if widget.turn.answered and not widget.inspect_button.isHidden():
                self.show(widget.turn, widget.inspect_button)
                return

    def close(self) -> None:
        """Fold the panel away; the focus goes back to where it was opened."""
        if not self.is_open:
            return
        self._number += 1
        self.panel.hide()
        self._chat.show()
        button, self._came_from = self._came_from, None
        try:
            if button is not None and button.isVisible():
                button.setFocus()
        except RuntimeError:  # its turn is gone meanwhile
            pass
        self.closed.emit()

    def fit(self, width: int) -> None:
        """Show chat and panel side by side, or one of them where there is no room."""
        room = width >= SIDE_BY_SIDE
        if self.is_open and not room and self._chat_first:
            self.close()
        self._chat.setVisible(not self.is_open or room)

    def prefer_chat(self, *_: int) -> None:
        """Let the chat stay where room gets scarce, since a person is reading there."""
        self._prefer(chat_first=True)

    def _prefer(self, *, chat_first: bool) -> None:
        self._chat_first = chat_first

    def _open(self) -> None:
        was_open = self.is_open
        self.panel.show()
        width = self.splitter.width()
        self.fit(width)
        if not was_open:
            self.splitter.setSizes([max(1, width - self._width), self._width])
        self.panel.setFocus()

    def _moved(self, *_: int) -> None:
        if self._chat.isVisible():
            self._width = max(NARROWEST, self.panel.width())
