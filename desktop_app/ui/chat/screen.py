"""The chat screen: connects the conversation, the question box and the answer inspector.

Requests for other screens are signals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QWidget

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.model import Answer
from desktop_app.engine.query import QueryParam
from desktop_app.workers.operations import Query

from ..allowed_addresses import forget_sites
from ..context import SessionContext
from ..language import later, tr
from .chat_actions import ChatActions, as_text
from .column import ChatColumn, ChatHead
from .composer import DO, FORM, MODE, SlashCommand, apply_commands, split_commands
from .conversation import Conversation
from .inspection import presentation
from .inspection.panel import NARROWEST, WIDTH, AnswerInspector
from .library_context import LibraryContext
from .question_queue import QuestionJob, QuestionQueue
from .turn import Turn, vary
from .turn_widget import TurnWidget


class ChatHeadController(QObject):
    """Handles the header; `changed` and `opened` give a chat, `gone` if it was deleted."""

    changed = Signal(int)
    opened = Signal(int)
    gone = Signal()

    def __init__(
        self, context: SessionContext, asks: QuestionQueue, actions: ChatActions, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._context, self._question_queue, self._actions = context, asks, actions
        self._window = parent

    def watch(self, head: ChatHead, conversation: Conversation) -> None:
        """Connect a header to a conversation."""
        self._head, self._conversation = head, conversation
        head.rename_wanted.connect(self._rename)
        head.delete_wanted.connect(self._delete)
        head.copy_wanted.connect(self._copy)
        head.export_wanted.connect(self.export)
        head.forget_sites_wanted.connect(self._forget_sites)
        self._actions.renamed.connect(self.changed)
        self._actions.rename_failed.connect(conversation.read_title)
        self._actions.deleted.connect(self._deleted)
        self._actions.restored.connect(self._restored)

    @property
    def title(self) -> str:
        return self._head.title_edit.title()

    def export(self) -> None:
        """Ask for a file name and save the chat there."""
        if self._conversation.chat_id is not None:
            self._actions.ask_where(self._conversation.chat_id, self.title, self._window)

    def _rename(self, title: str) -> None:
        if self._conversation.chat_id is not None:
            self._actions.rename(self._conversation.chat_id, title)

    def _delete(self) -> None:
        if self._conversation.chat_id is not None:
            for ask in self._conversation.list_live_questions():
                self._question_queue.remove(ask)
            self._actions.delete(self._conversation.chat_id, self.title)

    def _deleted(self, chat_id: int) -> None:
        if self._conversation.chat_id == chat_id:
            self.gone.emit()
        self.changed.emit(chat_id)

    def _restored(self, chat_id: int) -> None:
        self.opened.emit(chat_id)
        self.changed.emit(chat_id)

    def _forget_sites(self) -> None:
        forget_sites()
        words = tr("Before an address is opened, you are asked again.")
        self._context.messages.show(words, kind="ok")

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(as_text(self._conversation.all_turns()))
        self._context.messages.show(tr("Copied the chat"), kind="ok")


SIDE_BY_SIDE = 580  # in a narrower window the panel replaces the chat
READING = later("Reading how this was found…")


class InspectorController(QObject):
    """A splitter of the chat and the inspector; `closed` when the inspector was closed."""

    closed = Signal()

    def __init__(self, context: SessionContext, chat: QWidget, parent: QWidget) -> None:
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
        """Open the inspector for an answer; `came_from` gets the focus after it is closed."""
        self._number += 1
        number = self._number
        self._came_from = came_from
        self._chat_first = False
        self._open()
        if turn.kept is not None:
            self.panel.show_answer(turn.kept)
            return
        fetch = self._context.chats.fetch_answer
        if not turn.message_id:
            self.panel.show_text(tr(presentation.NOT_KEPT))
            return
        self.panel.show_text(tr(READING))

        def shown(answer: Answer | None) -> None:
            if number != self._number or not self.is_open:
                return
            if answer is None:
                self.panel.show_text(tr(presentation.NOT_KEPT))
            else:
                self.panel.show_answer(answer)

        def failed(error: BaseException) -> None:
            if number == self._number:
                self.panel.show_text(tr("It could not be read."))
                self._context.messages.show_error(error)

        query = Query(self._context.reader_lane, fetch, turn.message_id, owner=self)
        query.on_success(shown).on_error(failed).run()

    def toggle(self, widgets: Sequence[TurnWidget]) -> None:
        """Close the inspector, or open it for the last of these turns that has an answer."""
        if self.is_open:
            self.close()
            return
        for widget in reversed(widgets):
            if widget.turn.answered and not widget.inspect_button.isHidden():
                self.show(widget.turn, widget.inspect_button)
                return

    def close(self) -> None:
        """Close the inspector and return the focus to where it was opened."""
        if not self.is_open:
            return
        self._number += 1
        self.panel.hide()
        self._chat.show()
        button, self._came_from = self._came_from, None
        try:
            if button is not None and button.isVisible():
                button.setFocus()
        except RuntimeError:  # its turn was deleted meanwhile
            pass
        self.closed.emit()

    def fit(self, width: int) -> None:
        """Show chat and inspector side by side, or one of them if there is no room for both."""
        room = width >= SIDE_BY_SIDE
        if self.is_open and not room and self._chat_first:
            self.close()
        self._chat.setVisible(not self.is_open or room)

    def prefer_chat(self, *_: int) -> None:
        """Keep the chat visible when room gets scarce, since the user reads there."""
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


class ChatScreen(QWidget):
    """Shows one chat; `chat_changed` when a chat is created, renamed, answered or deleted."""

    open_passage = Signal(int, int, int)
    open_entity = Signal(int)
    show_in_graph = Signal(object)
    chat_changed = Signal(int)
    open_models = Signal()
    search_wanted = Signal()

    def __init__(self, context: SessionContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._question_queue, self._actions = (
            QuestionQueue(context, self),
            ChatActions(context, self),
        )
        self._library_context = LibraryContext(context, self)
        self._build()
        self._join()
        context.messages.keep_clear(self.box)
        self._library_context.read()
        self._show_page()

    def _build(self) -> None:
        self.setObjectName("screenBody")
        column = self.column = ChatColumn(self._context.theme, self)
        self.head, self.pages, self.empty = column.head, column.pages, column.empty
        self.turns, self.skeleton = column.turns, column.skeleton
        self.box, self.note = column.box, column.note
        self.choices = self.box.choices
        self.inspector = InspectorController(self._context, self.column, self)
        self.conversation = Conversation(
            self._context, self._question_queue, self._actions, self.turns, self._make_turn, self
        )
        self.head_controller = ChatHeadController(
            self._context, self._question_queue, self._actions, self
        )
        self.head_controller.watch(self.head, self.conversation)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.inspector.splitter)
        self.setFocusProxy(self.box)

    def _join(self) -> None:
        self.inspector.panel.open_passage.connect(self.open_passage)
        self.inspector.panel.open_entity.connect(self.open_entity)
        self.box.escaped.connect(self.inspector.close)
        self.box.asked.connect(self.submit)
        self.box.stopped.connect(self.stop)
        self.empty.picked.connect(self.ask)
        self.column.commands.picked.connect(self._command_picked)
        self.head.new_wanted.connect(self.new_chat)
        self._library_context.serve(self.choices)
        self.choices.model.more.connect(self.open_models)
        self._library_context.documents.connect(self.column.show_documents)
        self._library_context.names.connect(self.empty.show_names)
        self._library_context.circles.connect(self.empty.show_circles)
        self._question_queue.chat_created.connect(self._chat_created)
        self._question_queue.ended.connect(self._ended)
        self.head_controller.changed.connect(self.chat_changed)
        self.head_controller.gone.connect(self.new_chat)
        self.head_controller.opened.connect(self.open_chat)
        self.conversation.titled.connect(self._show_title)
        self.conversation.loaded.connect(self._loaded)
        for slot in (self._loaded, self._context.messages.show_error):
            self.conversation.failed.connect(slot)
        self._context.hub.changed.connect(self._hub_changed)

    # --- current chat -----------------------------------------------------------------------------

    @property
    def chat_id(self) -> int | None:
        """The chat that is shown; None for one without a question."""
        return self.conversation.chat_id

    def new_chat(self) -> None:
        """Show a new chat; it is stored with its first question."""
        self.inspector.close()
        self.box.end_editing()
        self.conversation.begin()
        self.head.show_chat("", exists=False)
        self._show_page()
        self.box.setFocus()

    def open_chat(self, chat_id: int, message_id: int = 0) -> None:
        """Show a stored chat; with a message, its branch, scrolled to the message."""
        if chat_id != self.chat_id:
            self.inspector.close()
        self.box.end_editing()
        self.conversation.open(chat_id)
        self.head.show_chat("…", exists=True)
        self.column.show_loading()
        self.conversation.read_title()
        if message_id and not self.conversation.is_answering:
            read = self.conversation.read
            self._actions.show_branch(chat_id, message_id, lambda: read(at=message_id))
        else:
            self.conversation.read(at=message_id)

    def set_question(self, text: str) -> None:
        """Put a question in the box without sending it."""
        self.box.set_text(text)

    def toggle_inspector(self) -> None:
        """Show how the last answer was found, or hide that."""
        self.inspector.toggle(self.turns.widgets())

    def refresh(self) -> None:
        """Load the chat again."""
        if self.chat_id is not None:
            self.conversation.read_title()
            self.conversation.read()
        self._library_context.read()

    def _loaded(self, *_: object) -> None:
        self.skeleton.stop()
        self._show_page()

    def _show_title(self, title: str | None) -> None:
        if title is None:
            self.new_chat()  # it was deleted elsewhere
        else:
            self.head.show_chat(title, exists=True)

    def _show_page(self) -> None:
        shown = self.conversation.turns or self.conversation.list_live_questions()
        self.pages.setCurrentWidget(self.turns if shown else self.empty)
        self.box.set_answering(self.conversation.is_answering)

    def _make_turn(self, turn: Turn, ask: QuestionJob | None = None) -> TurnWidget:
        conversation, actions = self.conversation, self._actions
        widget = TurnWidget(self._context.theme, turn, ask, self)
        widget.open_passage.connect(self.inspector.prefer_chat)
        widget.open_passage.connect(self.open_passage)
        widget.open_entity.connect(self.open_entity)
        widget.show_in_graph.connect(lambda t: actions.find_names(t, self.show_in_graph.emit))
        widget.open_models.connect(self.open_models)
        widget.inspect.connect(lambda t: self.inspector.show(t, widget.inspect_button))
        widget.will_unfold.connect(self.turns.hold)
        widget.passages_wanted.connect(lambda: actions.fill(widget.turn, widget, widget.keep))
        widget.ask_again.connect(lambda question: self._ask_again(widget, question))
        widget.ask_next.connect(self.ask)
        widget.edit_wanted.connect(lambda t: self.box.begin_editing(t, t.question))
        widget.version_wanted.connect(conversation.show_version)
        if ask is not None:
            widget.withdrawn.connect(lambda: self._withdraw(widget, ask))
        else:
            conversation.name(
                widget,
                is_last=not conversation.list_live_questions()
                and conversation.turns[-1:] == [turn],
            )
        return widget

    # --- asking -----------------------------------------------------------------------------

    def submit(self, text: str) -> None:
        """Run the slash commands of an input, and ask the rest as a question."""
        instead_of = self.box.editing
        self.box.end_editing()
        commands, question = split_commands(text)
        if question:
            param = apply_commands(commands, self.choices.param) if commands else None
            self.ask(question, param, instead_of)
            return
        for command in commands:
            self.do(command)

    def ask(
        self, question: str, param: QueryParam | None = None, instead_of: Turn | None = None
    ) -> None:
        """Ask a question after those that are waiting.

        `instead_of` is a stored turn; the new turn is shown in its place as another version.
        """
        conversation = self.conversation
        if conversation.waits(lambda: self.ask(question, param, instead_of)):
            return
        conversation.hide_followups()
        ask = self._question_queue.ask(
            question,
            chat_id=self.chat_id,
            draft=conversation.draft,
            param=vary(param or self.choices.param, question, instead_of),
            instead_of=conversation.cut_before(instead_of),
        )
        ask.has_own_options = param is not None
        self.turns.add(self._make_turn(ask.turn, ask))
        self._show_page()

    def _ask_last_again(self) -> None:
        for widget in self.turns.widgets()[-1:]:
            self._ask_again(widget, widget.turn.question)

    def do(self, command: SlashCommand) -> None:
        """Run a slash command without a question; a mode or length stays chosen."""
        verbs: dict[str, Callable[[], object]] = {
            "new": self.new_chat,
            "again": self._ask_last_again,
            "find": self.search_wanted.emit,
            "export": self.head_controller.export,
            "rename": self.head.rename_action.trigger,
        }
        if command.kind == MODE:
            self.choices.set_mode(command.value)
        elif command.kind == FORM:
            self.choices.length.set_form(command.value)
        else:
            verbs[command.value]()

    def _command_picked(self, name: str) -> None:
        (command,), _ = split_commands(f"/{name}")
        self.box.set_text("" if command.kind == DO else f"/{name} ")
        if command.kind == DO:
            self.do(command)

    def _chat_created(self, draft: int, chat_id: int) -> None:
        if self.chat_id is None and draft == self.conversation.draft:  # still shown
            self.conversation.chat_id = chat_id
            self.conversation.read_title()
        self.chat_changed.emit(chat_id)

    def stop(self) -> None:
        """Stop the running answer of this chat; later questions stay in the queue."""
        first = next((ask for ask in self.conversation.list_live_questions() if ask.is_live), None)
        if first is not None:
            first.stop()

    def _withdraw(self, widget: TurnWidget, ask: QuestionJob) -> None:
        self._question_queue.remove(ask)
        self.turns.remove(widget)
        if not self.box.text().strip():
            self.box.set_text(ask.question)  # the typed text is restored
        if ask.instead_of:
            self.conversation.read()  # the replaced turns are shown again
        self._show_page()

    def _ask_again(self, widget: TurnWidget, question: str) -> None:
        ask = widget.ask
        if ask is not None and ask.error is not None:
            instead_of = ask.instead_of
            self._question_queue.remove(ask)
            self.turns.remove(widget)
            self.ask(question, ask.param, Turn(question, question_id=instead_of))
        else:
            own = ask.param if ask is not None and ask.has_own_options else None
            if ask is None or ask.turn.question_id:
                self.ask(question, own, widget.turn)
            else:  # its position is not known yet
                self.conversation.update_finished(ask, lambda: self.ask(question, own, widget.turn))

    def _ended(self, ask: QuestionJob) -> None:
        conversation = self.conversation
        if ask in conversation.list_live_questions():
            self._show_page()
            conversation.read_title()
            conversation.update_finished(ask)
        if ask.error is not None:
            self._context.messages.show_error(ask.error)
        if ask.chat_id is not None:
            self.chat_changed.emit(ask.chat_id)

    # --- header and inspector ---------------------------------------------------------------------

    def _hub_changed(self, change: ChangeSet) -> None:
        if self.chat_id is not None and (change.everything or self.chat_id in change.chats):
            self.conversation.read_title()

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._library_context.read_models()
        QTimer.singleShot(0, self.box.edit, self.box.edit.setFocus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.inspector.is_open:
            self.inspector.close()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self.inspector.fit(self.width())
