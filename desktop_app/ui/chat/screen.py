"""The chat: questions asked of the library, answers with the places they stand on.

Owns which chat is shown and which questions are on their way, also those of chats that were
left. Opens nothing itself: it says so by signals.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.types import ChatRow, DocumentRow, MessageRow
from desktop_app.ui.context import Context
from desktop_app.workers.operations import Query

from .asks import Asks
from .chat_actions import ChatActions
from .chat_column import ChatColumn
from .inspecting import Inspecting
from .live_ask import LiveAsk
from .surroundings import Surroundings, describe_progress
from .turn_widget import TurnWidget
from .turns import Turn, copy_text, merge_history, pair_turns


class ChatScreen(QWidget):
    """One chat at a time; `chat_changed` when a chat is made, renamed, answered or deleted."""

    open_passage = Signal(int, int, int)
    open_entity = Signal(int)
    show_in_graph = Signal(object)
    chat_changed = Signal(int)
    open_models = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._chat_id: int | None = None
        self._draft = 0
        self._asks = Asks(context, self)
        self._actions = ChatActions(context, self)
        self._surroundings = Surroundings(context, self)
        self._turns: list[Turn] = []  # the kept ones, as they were read
        self._load_number = 0
        self.setObjectName("screenBody")
        self._build()
        context.hub.changed.connect(self._hub_changed)
        self._surroundings.read()
        self._show_page()

    def _build(self) -> None:
        self.column = ChatColumn(self._context.theme, self)
        self.head, self.empty = self.column.head, self.column.empty
        self.turns, self.skeleton = self.column.turns, self.column.skeleton
        self.pages, self.box, self.note = self.column.pages, self.column.box, self.column.note
        self.inspecting = Inspecting(self._context, self.column, self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.inspecting.splitter)
        self.inspecting.panel.open_passage.connect(self.open_passage)
        self.inspecting.panel.open_entity.connect(self.open_entity)
        self.box.escaped.connect(self.inspecting.close)
        self.box.asked.connect(self.ask)
        self.box.stopped.connect(self.stop)
        self.empty.picked.connect(self.ask)
        self.head.new_wanted.connect(self.new_chat)
        self.head.rename_wanted.connect(self._rename)
        self.head.delete_wanted.connect(self._delete)
        self.head.copy_wanted.connect(self._copy_all)
        self.head.scope.opened.connect(self._surroundings.read)
        self._surroundings.documents.connect(self._show_documents)
        self._surroundings.names.connect(self.empty.show_names)
        self._surroundings.collections.connect(self.head.scope.panel.set_collections)
        self._asks.chat_made.connect(self._chat_made)
        self._asks.ended.connect(self._ended)
        self._actions.renamed.connect(self.chat_changed)
        self._actions.rename_failed.connect(self._load_title)
        self._actions.deleted.connect(self._deleted)
        self._actions.restored.connect(self._restored)
        self.setFocusProxy(self.box)

    # --- which chat -------------------------------------------------------------------------

    @property
    def chat_id(self) -> int | None:
        """The chat that is shown; None for one without a question."""
        return self._chat_id

    def new_chat(self) -> None:
        """Begin a chat; it is kept from its first question on."""
        self._load_number += 1
        self.inspecting.close()
        self._chat_id = None
        self._draft += 1
        self._turns = []
        self.turns.clear()
        self.head.show_chat("", exists=False)
        self._show_page()
        self.box.setFocus()

    def open_chat(self, chat_id: int) -> None:
        """Show a kept chat, with the questions that are being answered in it."""
        if chat_id != self._chat_id:
            self.inspecting.close()
        self._chat_id = chat_id
        self._turns = []
        self.turns.clear()
        self.head.show_chat("…", exists=True)
        self.pages.setCurrentWidget(self.skeleton)
        self.skeleton.start()
        self._load_title()
        self._load_messages()

    def set_question(self, text: str) -> None:
        """Put a question in the box without sending it."""
        self.box.set_text(text)

    def toggle_inspector(self) -> None:
        """Show how the last answer was found, or fold that away."""
        self.inspecting.toggle(self.turns.widgets())

    def refresh(self) -> None:
        """Read again what is shown."""
        if self._chat_id is not None:
            self._load_title()
            self._load_messages()
        self._surroundings.read()

    def _load_messages(self) -> None:
        self._load_number += 1
        number, chat_id = self._load_number, self._chat_id

        def show(rows: list[MessageRow]) -> None:
            if number == self._load_number:
                self._show_messages(rows)

        def fail(error: BaseException) -> None:
            if number == self._load_number:
                self.skeleton.stop()
                self._show_page()
                self._context.messages.show_error(error)

        lane, chats = self._context.reader_lane, self._context.chats
        Query(lane, chats.fetch_messages, chat_id, owner=self).on_success(show).on_error(fail).run()

    def _show_messages(self, rows: list[MessageRow]) -> None:
        self.skeleton.stop()
        history = pair_turns(rows)
        if self._chat_id is not None:
            self._asks.drop_kept(self._chat_id, history)
        mine = self._mine()
        self._turns = merge_history(history, [ask.question for ask in mine])
        builders = [lambda t=turn: self._make_turn(t) for turn in self._turns]
        builders += [lambda a=ask: self._make_turn(a.turn, a) for ask in mine]
        self.turns.set_builders(builders)
        self._show_page()

    def _load_title(self) -> None:
        chat_id = self._chat_id

        def show(rows: list[ChatRow]) -> None:
            if chat_id != self._chat_id:
                return
            row = next((row for row in rows if row.id == chat_id), None)
            if row is not None:
                self.head.show_chat(row.title or self._first_question(), exists=True)
            elif chat_id is not None:
                self.new_chat()  # it was deleted elsewhere

        lane, chats = self._context.reader_lane, self._context.chats
        Query(lane, chats.list_chats, owner=self).on_success(show).run()

    def _mine(self) -> list[LiveAsk]:
        return self._asks.of(self._chat_id, self._draft)

    def _first_question(self) -> str:
        asked = [ask.question for ask in self._mine()]
        first = [turn.question for turn in self._turns[:1]] + asked
        return first[0] if first else ""

    def _show_page(self) -> None:
        mine = self._mine()
        page = self.turns if self._turns or mine else self.empty
        self.pages.setCurrentWidget(page)
        self.box.set_answering(any(ask.is_live for ask in mine))

    def _make_turn(self, turn: Turn, ask: LiveAsk | None = None) -> TurnWidget:
        widget = TurnWidget(self._context.theme, turn, ask, self)
        widget.open_passage.connect(self.inspecting.prefer_chat)
        widget.open_passage.connect(self.open_passage)
        widget.show_in_graph.connect(
            lambda turn: self._actions.find_names(turn, self.show_in_graph.emit)
        )
        widget.open_models.connect(self.open_models)
        widget.inspect.connect(lambda turn: self.inspecting.show(turn, widget.inspect_button))
        widget.will_unfold.connect(self.turns.hold)
        widget.ask_again.connect(lambda question: self._ask_again(widget, ask, question))
        if ask is not None:
            widget.withdrawn.connect(lambda: self._withdraw(widget, ask))
        return widget

    # --- asking -----------------------------------------------------------------------------

    def ask(self, question: str) -> None:
        """Ask now, or after the questions that wait already."""
        ask = self._asks.ask(
            question,
            chat_id=self._chat_id,
            draft=self._draft,
            param=self.head.param,
        )
        self.turns.add(self._make_turn(ask.turn, ask))
        self._show_page()

    def _chat_made(self, draft: int, chat_id: int) -> None:
        if self._chat_id is None and draft == self._draft:  # still the one that is shown
            self._chat_id = chat_id
            self._load_title()
        self.chat_changed.emit(chat_id)

    def stop(self) -> None:
        """Stop the answer that is being written in this chat; later questions keep waiting."""
        first = next((ask for ask in self._mine() if ask.is_live), None)
        if first is not None:
            first.stop()

    def _withdraw(self, widget: TurnWidget, ask: LiveAsk) -> None:
        self._asks.remove(ask)
        self.turns.remove(widget)
        if not self.box.text().strip():
            self.box.set_text(ask.question)  # nothing typed is lost
        self._show_page()

    def _ask_again(self, widget: TurnWidget, ask: LiveAsk | None, question: str) -> None:
        if ask is not None and ask.error is not None:
            self._asks.remove(ask)
            self.turns.remove(widget)
        self.ask(question)

    def _ended(self, ask: LiveAsk) -> None:
        if ask in self._mine():
            self._show_page()
            self._load_title()
        if ask.error is not None:
            self._context.messages.show_error(ask.error)
        if ask.chat_id is not None:
            self.chat_changed.emit(ask.chat_id)

    # --- what can be done with a chat ----------------------------------------------------------

    def _rename(self, title: str) -> None:
        if self._chat_id is not None:
            self._actions.rename(self._chat_id, title)

    def _delete(self) -> None:
        if self._chat_id is not None:
            for ask in self._mine():
                self._asks.remove(ask)
            self._actions.delete(self._chat_id, self.head.title_edit.title())

    def _deleted(self, chat_id: int) -> None:
        if self._chat_id == chat_id:
            self.new_chat()
        self.chat_changed.emit(chat_id)

    def _restored(self, chat_id: int) -> None:
        self.open_chat(chat_id)
        self.chat_changed.emit(chat_id)

    def _copy_all(self) -> None:
        turns = self._turns + [ask.turn for ask in self._mine()]
        parts = [f"{turn.question}\n\n{copy_text(turn)}".strip() for turn in turns]
        QGuiApplication.clipboard().setText("\n\n---\n\n".join(parts))
        self._context.messages.show("Copied the chat", kind="ok")

    # --- around the chat ---------------------------------------------------------------------

    def _show_documents(self, documents: list[DocumentRow]) -> None:
        self.head.scope.panel.set_documents([d for d in documents if d.state != "failed"])
        self.column.set_progress(describe_progress(documents))

    def _hub_changed(self, change: ChangeSet) -> None:
        if self._chat_id is not None and (change.everything or self._chat_id in change.chats):
            self._load_title()

    def showEvent(self, event) -> None:
        super().showEvent(event)
        QTimer.singleShot(0, self.box.edit, self.box.edit.setFocus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.inspecting.is_open:
            self.inspecting.close()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self.inspecting.fit(self.width())
