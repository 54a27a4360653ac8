"""The chat screen: connects the conversation, the question box and the answer inspector.

Requests for other screens are signals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QLocale, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from desktop_app.engine.changes import NOTHING, ChangeNotice
from desktop_app.engine.model import DocumentRow, EntityRow
from desktop_app.engine.query import QueryParam
from desktop_app.engine.services.chats import WaitingQuestion
from desktop_app.engine.writing_systems import has_han
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..figures.strip import PassageFigures
from ..theme.theme import Theme
from ..translation import later, tr, trn
from ..widgets import Label, Skeleton, build_column, build_row, format_number
from ..widgets.modes import BYPASS
from ..widgets.words import join_sentences
from .composer import (
    ACTION,
    FORM,
    MODE,
    QuestionBox,
    SlashCommand,
    SlashMenu,
    apply_commands,
    split_commands,
)
from .conversation import Conversation
from .deleted_chats import DeletedChats
from .drafts import DraftKeeper
from .header import ChatHeader
from .inspection.panel import InspectorController
from .pins import Pins, PinsRow
from .prefetch import QuestionPrefetch
from .suggestions import EmptyChat, choose_suggested_documents
from .turn_list import COLUMN_WIDTH, TurnList
from .turn_widget import TurnWidget
from .turns import HELD, QuestionJob, QuestionQueue, Turn, vary

SETTLE_MS = 1000
MAX_NAMES = 40  # from which suggested questions are made
ABOVE_BOX = 0.5  # of the height, without a question
UNLIMITED = 16_777_215  # pixels: the limit of Qt
MIN_WIDTH = 300  # pixels
NO_DOCUMENTS = later("Without your documents: the model answers from memory and may be wrong.")


def describe_progress(documents: Sequence[DocumentRow]) -> str:
    """Return how much of the library is indexed, "" if all of it is."""
    coming = any(d.state in ("reading", "indexing", "waiting") for d in documents)
    n_all = sum(d.n_chunks for d in documents)
    if not coming or not n_all:
        return ""
    n_done = sum(d.n_chunks_done for d in documents)
    done, whole = format_number(n_done), format_number(n_all)
    return tr("{n} of {m} passages are indexed; you can ask now.", n=done, m=whole)


class ChatColumn(QWidget):
    """Turns, and the question box at the bottom with a note below it; a header is added on top.

    Without a question the box is in the middle, where only the space below it changes with it.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("screenBody")
        self.setMinimumWidth(MIN_WIDTH)
        self._progress = ""
        self.empty = EmptyChat(theme, self)
        self.turns = TurnList(theme, self)
        self.skeleton = Skeleton(theme, self)
        self.pages = QStackedWidget(self)
        for page in (self.empty, self.turns, self.skeleton):
            self.pages.addWidget(page)
        self.box = QuestionBox(theme, self)
        self.turns.rest = self.box
        self.options = self.box.options
        self.commands = SlashMenu(theme, self.box, self)
        self.note = Label("", "small", self, wrap=True)
        self.pins = Pins(self)
        self.pins.changed.connect(lambda: self.options.set_pinned(tuple(self.pins.shown)))
        self.pins_row = PinsRow(theme, self.pins, self)
        foot = build_column(self.pins_row, self.box, self.note, spacing=4)
        self._foot_row = build_row(foot, spacing=-1, margins=(24, 8, 24, 12))
        self.rows = build_column((self.pages, 1), self._foot_row, parent=self, spacing=0)
        self.rows.addStretch(0)
        self.pages.currentChanged.connect(self._place_box)
        self.empty.suggested.connect(self._place_box)
        self.options.param_changed.connect(self._update_note)
        self.setFocusProxy(self.box)
        self._update_note()

    def show_loading(self) -> None:
        """Show that a chat is being loaded, if that takes a moment."""
        self.pages.setCurrentWidget(self.skeleton)
        self.skeleton.start()

    def show_documents(self, documents: Sequence[DocumentRow]) -> None:
        """Offer these documents as scope and show how much of them is indexed."""
        self.options.scope.panel.set_documents([d for d in documents if d.state != "failed"])
        self._progress = describe_progress(documents)
        self._update_note()

    def _update_note(self) -> None:
        """Show below the box what the next answer will not use."""
        param = self.options.param
        narrowed = param.document_ids or param.collection_ids
        scope = tr("Searches only: {names}.", names=self.options.scope.words()) if narrowed else ""
        words = join_sentences((scope, self._progress))
        self.note.setText(tr(NO_DOCUMENTS) if param.mode == BYPASS else words)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        side = max(24, (self.width() - COLUMN_WIDTH) // 2)
        self._foot_row.setContentsMargins(side, 8, side, 12)
        self._place_box()
        self.commands.hide()

    def _place_box(self) -> None:
        """Give the page above the box its height: all the room, or half of it without a question.

        It does not depend on the text in the box, which grows into the space below it.
        """
        height = UNLIMITED
        if self.pages.currentWidget() is self.empty:
            if (layout := self.empty.layout()) is not None:
                layout.activate()  # otherwise its hint is that of the suggestions before
            height = max(self.empty.sizeHint().height(), round(ABOVE_BOX * self.height()))
        self.pages.setMaximumHeight(height)


class LibraryContext(QObject):
    """Keeps what a chat shows of its library up to date: documents, names, models.

    The lists are loaded while they are visible, and at most once a second, since indexing reports
    changes all the time. `list_in_use` returns the documents that are open or selected.
    """

    def __init__(self, context: SessionContext, column: ChatColumn) -> None:
        super().__init__(column)
        self._context, self._column = context, column
        options = column.options
        options.scope.opened.connect(self.read)
        options.model.opened.connect(self.read_models)
        options.model.wanted.connect(self.use_model)
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self.catch_up)
        self._stale = NOTHING
        self._shown_in_use: tuple[tuple[int, ...], bool] = ((), False)
        self.list_in_use: Callable[[], Sequence[int]] = tuple
        context.hub.changed.connect(self._hub_changed)

    def read(self) -> None:
        """Load documents, names, topics and collections now."""
        self._stale = NOTHING
        self._read_names()
        reader, column = self._context.library_reader, self._column
        panel = column.options.scope.panel
        self._query(reader.list_documents).on_success(column.show_documents).run()
        self._query(reader.list_collections).on_success(
            lambda rows: panel.set_collections([(int(row.id), row.name) for row in rows])
        ).run()

    def _read_names(self) -> None:
        empty = self._column.empty
        top = self._query(self._context.library_reader.top_entities, MAX_NAMES)
        top.on_success(empty.show_names).run()
        self._shown_in_use = self._find_in_use()
        by_document = self._query(self._list_names_by_document, *self._shown_in_use)
        by_document.on_success(lambda found: empty.show_documents(*found[:2], n_in_use=found[2]))
        by_document.run()
        communities = self._query(self._context.chats.list_community_names)
        communities.on_success(empty.show_communities).run()

    def _find_in_use(self) -> tuple[tuple[int, ...], bool]:
        """Return the documents in use, and whether the next question is limited to them."""
        limited = self._column.options.scope.document_ids
        return limited or tuple(self.list_in_use()), bool(limited)

    def _list_names_by_document(
        self, in_use: tuple[int, ...], is_limited: bool
    ) -> tuple[list[list[EntityRow]], list[tuple[str, str]], int]:
        """Return the top names of some documents, pairs of people, and the number in use.

        Runs in the lane. Of a Chinese document these are only names in Chinese, and of other
        documents only names in other scripts, if there are any. If the next question `is_limited`
        to the documents in use, others are left out.
        """
        library = self._context.library_reader
        chinese = QLocale().language() == QLocale.Language.Chinese
        used, others = choose_suggested_documents(
            library.list_documents(), chinese=chinese, in_use=in_use
        )
        names, pairs = [], list[tuple[str, str]]()
        for row in used if is_limited and used else (*used, *others):
            found, is_zh = library.list_subjects(row.id, MAX_NAMES), row.language == "zh"
            own = [one for one in found if has_han(one.name) == is_zh]
            names.append(own if own or is_zh else found)
            related = library.list_pairs(row.id, names[-1])
            pairs += [(one.name, other.name) for one, other in related]
        return names, pairs, len(used)

    def catch_up(self) -> None:
        """Load what changed since the last time, if the chat is visible."""
        if not self._column.isVisible():
            return
        stale, self._stale = self._stale, NOTHING
        if stale.documents or stale.models:
            self.read()
        elif stale.entities or self._find_in_use() != self._shown_in_use:
            self._read_names()

    def read_models(self) -> None:
        """Load the list of installed models."""
        query = self._query(self._context.library_models.list_models)
        query.on_success(self._column.options.model.set_models).run()

    def use_model(self, name: str) -> None:
        """Use another chat model; it is loaded with the next question."""

        def done(_: object) -> None:
            self.read_models()
            words = tr("This model answers from the next question on.")
            self._context.messages.show(words, kind="ok")

        self._query(self._context.library_models.use_chat, name).on_success(done).run()

    def _query(self, fn: Callable[..., Any], *args: Any) -> Query:
        return Query(self._context.reader_lane, fn, *args, owner=self)

    def _hub_changed(self, change: ChangeNotice) -> None:
        if change.documents or change.entities or change.models:
            self._stale |= change
            if not self._settle.isActive():
                self._settle.start()


class ChatScreen(QWidget):
    """Shows one chat; `chat_changed` when a chat is created, renamed, answered or deleted."""

    open_passage = Signal(int, int, int)
    open_entity = Signal(int)
    show_in_graph = Signal(object)
    chat_changed = Signal(int)
    open_models = Signal()
    open_chat_wanted = Signal(int)
    search_wanted = Signal()

    def __init__(self, context: SessionContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.setObjectName("screenBody")
        self.passage_figures = PassageFigures(context, self.open_passage.emit, self)
        self.questions = QuestionQueue(context, self)
        column = self.column = ChatColumn(context.theme, self)
        self.pages, self.empty, self.turns = column.pages, column.empty, column.turns
        self.box, self.note, self.options = column.box, column.note, column.options
        self.conversation = Conversation(context, self.questions, self.turns, self._make_turn, self)
        self.head = ChatHeader(context, self.conversation, column)
        column.rows.insertWidget(0, self.head)
        self.prefetch = QuestionPrefetch(
            context, self.box, lambda: (self.chat_id, self.options.param)
        )
        self._drafts = DraftKeeper(context, self.box, self)
        self.deleted_chats = DeletedChats(context, self._drafts, self.questions, self)
        self.inspector = InspectorController(context, column, self)
        self._library_context = LibraryContext(context, column)
        build_row(self.inspector.splitter, parent=self, spacing=-1)
        self.setFocusProxy(self.box)
        self._connect()
        context.messages.keep_clear(self.box)
        self._library_context.read()
        self._show_page()
        waiting = Query(context.reader_lane, context.chats.list_waiting, owner=self)
        waiting.on_success(self._hold).run()

    def _connect(self) -> None:
        self.inspector.panel.open_passage.connect(self.open_passage)
        self.inspector.panel.open_entity.connect(self.open_entity)
        self.box.escaped.connect(self.inspector.close)
        self.box.asked.connect(self.submit)
        self.box.stopped.connect(self.stop)
        self.empty.picked.connect(self.ask)
        self.column.commands.picked.connect(self._command_picked)
        self.options.model.more.connect(self.open_models)
        self.questions.chat_created.connect(self._chat_created)
        self.questions.stored.connect(self.chat_changed)  # whose name the question may be
        self.questions.ended.connect(self._ended)
        self.head.new_wanted.connect(self.new_chat)
        self.head.changed.connect(self.chat_changed)
        self.head.deleted.connect(self._deleted)
        self.head.restored.connect(self._restored)
        self.deleted_chats.restored.connect(self._show_restored)
        self.conversation.titled.connect(self._show_title)
        self.conversation.loaded.connect(self._loaded)
        for slot in (self._loaded, self._context.messages.show_error):
            self.conversation.failed.connect(slot)
        self._context.hub.changed.connect(self._hub_changed)

    @property
    def chat_id(self) -> int | None:
        """The chat that is shown; None for one without a question."""
        return self.conversation.chat_id

    def new_chat(self) -> None:
        """Show a new chat; it is stored with its first question."""
        self.inspector.close()
        self.box.end_editing()
        self.conversation.open(None)
        self._drafts.show(None)
        self.column.pins.show(None)
        self.head.show_chat("", exists=False)
        self._show_page()
        self.box.setFocus()

    def open_chat(self, chat_id: int, message_id: int = 0) -> None:
        """Show a stored chat; with a message, its branch, scrolled to the message."""
        if chat_id != self.chat_id:
            self.inspector.close()
        self.box.end_editing()
        self.conversation.open(chat_id)
        self._drafts.show(chat_id)
        self.column.pins.show(chat_id)
        self.head.show_chat("…", exists=True)
        self.column.show_loading()
        self.conversation.read_title()
        if message_id and not self.conversation.is_answering:
            self.conversation.show_message(message_id)
        else:
            self.conversation.read(at=message_id)

    def set_documents_in_use(self, list_in_use: Callable[[], Sequence[int]]) -> None:
        """Set what returns the documents that are open or selected: questions suggest them."""
        self._library_context.list_in_use = list_in_use

    def set_question(self, text: str) -> None:
        """Put a question in the box without sending it."""
        self.box.set_text(text)

    def save_changes(self) -> None:
        """Store the text in the question box, before the window closes."""
        self._drafts.save()

    def _hold(self, questions: list[WaitingQuestion]) -> None:
        """Show the questions that waited when the program ended; they are not asked yet."""
        if not questions:
            return
        self.questions.hold(questions)
        chat_id = questions[0].chat_id
        if self.chat_id in {one.chat_id for one in questions}:
            self.conversation.read()
            return
        self._context.messages.show(
            trn(
                "{n} question was not asked before Inkgraph ended.",
                "{n} questions were not asked before Inkgraph ended.",
                len(questions),
            ),
            action_text=tr("Show"),
            action=lambda: self.open_chat_wanted.emit(chat_id),
        )

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
        self.column.skeleton.stop()
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

    def _make_turn(self, turn: Turn, job: QuestionJob | None = None) -> TurnWidget:
        conversation = self.conversation
        widget = TurnWidget(
            self._context.theme, turn, job, self, self.column.pins, self.passage_figures
        )
        widget.open_passage.connect(self.inspector.prefer_chat)
        widget.open_passage.connect(self.open_passage)
        widget.open_entity.connect(self.open_entity)
        widget.show_in_graph.connect(
            lambda t: conversation.find_entities(t, self.show_in_graph.emit)
        )
        widget.open_models.connect(self.open_models)
        widget.inspect.connect(lambda t: self.inspector.press(t, widget.inspect_button))
        widget.show_check.connect(lambda t: self.inspector.show_check(t, widget.inspect_button))
        if self.inspector.shows(turn):  # it was built again
            self.inspector.take_button(widget.inspect_button)
        widget.will_unfold.connect(self.turns.hold)
        widget.found_shown.connect(lambda: self.turns.show_top_of(widget))
        widget.card_wanted.connect(self.turns.ensureWidgetVisible)
        widget.moved_under_hand.connect(self.turns.scroll_by)
        widget.passages_wanted.connect(lambda: conversation.load_passages(widget))
        widget.ask_again.connect(lambda question: self._ask_again(widget, question))
        widget.ask_anyway.connect(lambda question: self._ask_anyway(widget, question))
        widget.read_further.connect(lambda *further: self._read_further(widget, *further))
        widget.ask_next.connect(self.ask)
        widget.export_wanted.connect(self.head.ask_and_export)
        widget.edit_wanted.connect(lambda t: self.box.begin_editing(t, t.question))
        widget.version_wanted.connect(conversation.show_version)
        if job is not None:
            widget.withdrawn.connect(lambda: self._withdraw(widget, job))
        else:
            is_last = not conversation.list_live_questions()
            conversation.find_names(widget, is_last=is_last and conversation.turns[-1:] == [turn])
        return widget

    def submit(self, text: str) -> None:
        """Run the slash commands of an input, and ask the rest as a question."""
        instead_of = self.box.editing
        self.box.end_editing()
        commands, question = split_commands(text)
        if question:
            param = apply_commands(commands, self.options.param) if commands else None
            self.ask(question, param, instead_of)
            return
        for command in commands:
            self.run_command(command)

    def ask(
        self, question: str, param: QueryParam | None = None, instead_of: Turn | None = None
    ) -> None:
        """Ask a question after those that are waiting.

        `instead_of` is a stored turn; the new turn is shown in its place as another version.
        """
        conversation = self.conversation
        if conversation.postpone_while_switching(lambda: self.ask(question, param, instead_of)):
            return
        conversation.hide_followups()
        job = self.questions.ask(
            question,
            chat_id=self.chat_id,
            draft=conversation.draft,
            param=vary(param or self.options.param, question, instead_of),
            instead_of=conversation.cut_before(instead_of),
        )
        job.has_own_options = param is not None
        self.turns.add(self._make_turn(job.turn, job))
        found = self.prefetch.take((self.chat_id, question, job.param))
        if found is not None and instead_of is None:
            job.set_found(found)
        self._show_page()

    def run_command(self, command: SlashCommand) -> None:
        """Run a slash command without a question; a mode or length stays chosen."""

        def ask_again() -> None:
            for widget in self.turns.widgets()[-1:]:
                self._ask_again(widget, widget.turn.question)

        actions: dict[str, Callable[[], object]] = {
            "new": self.new_chat,
            "again": ask_again,
            "find": self.search_wanted.emit,
            "export": self.head.export_action.trigger,
            "rename": self.head.rename_action.trigger,
        }
        if command.kind == MODE:
            self.options.set_mode(command.value)
        elif command.kind == FORM:
            self.options.length.set_form(command.value)
        else:
            actions[command.value]()

    def _command_picked(self, name: str) -> None:
        (command,), _ = split_commands(f"/{name}")
        self.box.set_text("" if command.kind == ACTION else f"/{name} ")
        if command.kind == ACTION:
            self.run_command(command)

    def _deleted(self, chat_id: int) -> None:
        self.deleted_chats.remove(chat_id)
        if chat_id == self.chat_id:
            self.new_chat()

    def _restored(self, chat_id: int) -> None:
        self.deleted_chats.follow([chat_id])
        self.open_chat(chat_id)

    def _show_restored(self, chat_id: int) -> None:
        """Show the questions that came back with a chat."""
        if chat_id == self.chat_id:
            self.conversation.read()

    def _chat_created(self, draft: int, chat_id: int) -> None:
        self.deleted_chats.add(chat_id)
        if self.chat_id is None and draft == self.conversation.draft:  # still shown
            self.conversation.chat_id = chat_id
            self._drafts.move_to(chat_id)
            self.column.pins.move_to(chat_id)
            self.conversation.read_title()
        self.chat_changed.emit(chat_id)

    def stop(self) -> None:
        """Stop the running answer of this chat; later questions stay in the queue."""
        first = next((job for job in self.conversation.list_live_questions() if job.is_live), None)
        if first is not None:
            self.questions.stop(first)

    def _withdraw(self, widget: TurnWidget, job: QuestionJob) -> None:
        self.questions.remove(job)
        self.turns.remove(widget)
        if not self.box.text().strip():
            self.box.set_text(job.question)  # the typed text is restored
        if job.instead_of:
            self.conversation.read()  # the replaced turns are shown again
        self._show_page()

    def _ask_anyway(self, widget: TurnWidget, question: str) -> None:
        """Ask the model a question for which nothing close was found."""
        job = widget.job
        own = job.param if job is not None else self.options.param
        self._ask_version(widget, question, replace(own, only_if_found=False))

    def _read_further(self, widget: TurnWidget, question: str, n: int) -> None:
        """Let the model read more of the passages that were found, where none has the answer."""
        job = widget.job
        own = job.param if job is not None else self.options.param
        self._ask_version(widget, question, replace(own, most_read=n))

    def _ask_again(self, widget: TurnWidget, question: str) -> None:
        job = widget.job
        if job is not None and job.state == HELD:
            self.questions.resume(job, self.options.param)
            if job.instead_of:
                self.conversation.read()  # without the turns that it replaces
            self._show_page()
        elif job is not None and job.error is not None:
            instead_of = job.instead_of
            self.questions.remove(job)
            self.turns.remove(widget)
            self.ask(question, job.param, Turn(question, question_id=instead_of))
        else:
            own = job.param if job is not None and job.has_own_options else None
            self._ask_version(widget, question, own)

    def _ask_version(self, widget: TurnWidget, question: str, param: QueryParam | None) -> None:
        """Ask the question of a finished turn again; the answers become versions of it."""
        job = widget.job
        if job is None or job.turn.question_id:
            self.ask(question, param, widget.turn)
        else:  # its position is not known yet
            self.conversation.update_finished(job, lambda: self.ask(question, param, widget.turn))

    def _ended(self, job: QuestionJob) -> None:
        conversation = self.conversation
        if job in conversation.list_live_questions():
            self._show_page()
            conversation.read_title()
            conversation.update_finished(job)
        if job.error is not None:
            self._context.messages.show_error(job.error)
        if job.chat_id is not None:
            self.chat_changed.emit(job.chat_id)

    def _hub_changed(self, change: ChangeNotice) -> None:
        if change.chats:
            self.deleted_chats.follow(change.chats)
        if self.chat_id is not None and self.chat_id in change.chats:
            self.conversation.read_title()

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._library_context.read_models()
        self._library_context.catch_up()
        QTimer.singleShot(0, self.box.edit, self.box.edit.setFocus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.inspector.is_open:
            self.inspector.close()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self.inspector.fit(self.width())
