"""All questions that are on their way, in whichever chat they were asked.

Owns making a chat for the first question of one, and which questions belong to which chat.
Knows no widgets.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from desktop_app.engine.query import QueryParam
from desktop_app.ui.context import Context
from desktop_app.workers.operations import Query

from .live_ask import WAITING, LiveAsk
from .turns import Turn


class Asks(QObject):
    """Holds live questions; `draft` numbers a chat that has no id yet."""

    chat_made = Signal(int, int)  # draft, chat
    ended = Signal(object)  # the LiveAsk

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._asks: list[LiveAsk] = []
        self._making: set[int] = set()

    def __iter__(self):
        return iter(list(self._asks))

    def of(self, chat_id: int | None, draft: int) -> list[LiveAsk]:
        """Return the questions of a chat, or of a draft, in the order they were asked."""
        if chat_id is None:
            return [a for a in self._asks if a.chat_id is None and a.draft == draft]
        return [a for a in self._asks if a.chat_id == chat_id]

    def ask(
        self,
        question: str,
        *,
        chat_id: int | None,
        draft: int,
        param: QueryParam,
        instead_of: int = 0,
    ) -> LiveAsk:
        """Return a question that has its place in the queue, or gets it with its chat."""
        ask = LiveAsk(
            self._context, question, param, draft=draft, instead_of=instead_of, parent=self
        )
        ask.begun.connect(self._number)
        ask.ended.connect(lambda: self._over(ask))
        self._asks.append(ask)
        self._number()
        if chat_id is not None:
            ask.start(chat_id)
        elif draft not in self._making:
            self._make_chat(draft)
        return ask

    def remove(self, ask: LiveAsk) -> None:
        """Forget a question, stopping it if need be."""
        if ask in self._asks:
            self._asks.remove(ask)
            ask.stop()
            self._number()

    def _over(self, ask: LiveAsk) -> None:
        self._number()
        self.ended.emit(ask)

    def _number(self) -> None:
        """Tell every question that waits its place; all chats wait in one line."""
        waiting = (ask for ask in self._asks if ask.state == WAITING)
        for place, ask in enumerate(waiting, start=1):
            ask.set_place(place)

    def drop_kept(self, chat_id: int, history: list[Turn]) -> None:
        """Forget what is over and kept in the chat; failures are only known here and stay."""
        kept = {(t.question, t.text) for t in history if t.answered}
        for ask in self.of(chat_id, 0):
            is_kept = ask.turn.question_id or (ask.turn.question, ask.turn.text) in kept
            if not ask.is_live and is_kept:
                self._asks.remove(ask)

    def drop_over(self, chat_id: int) -> None:
        """Forget all questions of a chat that are over, for it is read again."""
        self._asks = [a for a in self._asks if a.chat_id != chat_id or a.is_live]

    def _make_chat(self, draft: int) -> None:
        self._making.add(draft)

        def made(chat_id: int) -> None:
            self._making.discard(draft)
            for ask in self.of(None, draft):
                ask.start(chat_id)
            self.chat_made.emit(draft, chat_id)

        def fail(error: BaseException) -> None:
            self._making.discard(draft)
            for ask in self.of(None, draft):
                ask.fail(error)

        lane, chats = self._context.writer_lane, self._context.chats
        Query(lane, chats.create_chat, owner=self).on_success(made).on_error(fail).run()
