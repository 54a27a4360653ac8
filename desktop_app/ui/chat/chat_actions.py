"""What can be done with a kept chat: rename, delete and bring back, export, find its names.

Owns these operations and what is said about them. Knows no widgets but the one to ask where a
file goes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop_app.engine.services.naming import NamedPart
from desktop_app.engine.types import Answer
from desktop_app.ui.context import Context
from desktop_app.ui.language import later, tr
from desktop_app.workers.operations import Query

from .chat_file import write_chat
from .turns import Turn, pair_turns

MOST_NAMES = 20
FILES = later("Markdown (*.md);;Web page (*.html);;JSON with all sources (*.json)")


class ChatActions(QObject):
    """Emits the chat that was `renamed`, `deleted` or `restored`."""

    renamed = Signal(int)
    rename_failed = Signal()
    deleted = Signal(int)
    restored = Signal(int)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context

    def rename(self, chat_id: int, title: str) -> None:
        def fail(error: BaseException) -> None:
            self._context.messages.show_error(error)
            self.rename_failed.emit()

        rename = self._context.chats.rename_chat
        query = Query(self._context.writer_lane, rename, chat_id, title, owner=self)
        query.on_success(lambda _: self.renamed.emit(chat_id)).on_error(fail).run()

    def delete(self, chat_id: int, title: str) -> None:
        """Delete at once; the message that says so has the way back."""

        def gone(step: int) -> None:
            self._context.messages.show(
                tr("Deleted the chat “{title}”", title=title),
                action_text=tr("Undo"),
                action=lambda: self._bring_back(chat_id, step),
            )
            self.deleted.emit(chat_id)

        delete = self._context.chats.delete_chat
        query = Query(self._context.writer_lane, delete, chat_id, owner=self)
        query.on_success(gone).run()

    def _bring_back(self, chat_id: int, step: int) -> None:
        undo = self._context.chats.undo_delete
        query = Query(self._context.writer_lane, undo, step, owner=self)
        query.on_success(lambda _: self.restored.emit(chat_id)).run()

    def show_branch(
        self,
        chat_id: int,
        message_id: int,
        then: Callable[[], None],
        otherwise: Callable[[], None] = lambda: None,
    ) -> None:
        """Show the branch through a message, then go on; `otherwise` where that fails."""

        def fail(error: BaseException) -> None:
            self._context.messages.show_error(error)
            otherwise()

        show = self._context.chats.show_branch
        query = Query(self._context.writer_lane, show, chat_id, message_id, owner=self)
        query.on_success(lambda _: then()).on_error(fail).run()

    # --- as a file --------------------------------------------------------------------------------

    def ask_where(self, chat_id: int, title: str, parent: QWidget) -> None:
        """Ask where the chat is to be saved, and save it there."""
        plain = "".join(c if c.isalnum() or c in " -_" else " " for c in title)
        name = " ".join(plain.split())[:60] or "chat"
        ask = QFileDialog.getSaveFileName
        path, kind = ask(parent, tr("Export the chat"), f"{name}.md", tr(FILES))
        if not path:
            return
        where = Path(path)
        if not where.suffix:
            where = where.with_suffix(kind[kind.index("*") + 1 : kind.index(")")])
        self.export(chat_id, title, where)

    def export(self, chat_id: int, title: str, path: Path) -> None:
        """Write the branch shown to a file, with the sentences its answers stand on."""
        chats = self._context.chats

        def write() -> None:
            write_chat(path, title, pair_turns(chats.fetch_messages(chat_id, whole=True)))

        def done(_: object) -> None:
            words = tr("Saved the chat as “{name}”", name=path.name)
            self._context.messages.show(words, kind="ok")

        query = Query(self._context.reader_lane, write, owner=self)
        query.on_success(done).run()

    # --- names and passages; nothing is told to a widget that is gone ----------------------------

    def fill(self, turn: Turn, widget: QWidget, then: Callable[[Turn], None]) -> None:
        """Give a turn with the passages of its answer, which are not read with old ones."""

        def show(answer: Answer | None) -> None:
            if answer is not None:
                found = answer.found
                then(replace(turn, passages=found.passages, weak=found.weak))

        fetch = self._context.chats.fetch_answer
        query = Query(self._context.reader_lane, fetch, turn.message_id, owner=widget)
        query.on_success(show).run()

    def name(self, turn: Turn, widget: QWidget, then: Callable[[Turn], None]) -> None:
        """Give a turn with the names of the library that stand in its answer."""
        chats, passages = self._context.chats, turn.passages

        def find() -> list[NamedPart]:
            read = passages
            if not read and turn.message_id:
                answer = chats.fetch_answer(turn.message_id)
                read = answer.found.passages if answer is not None else ()
            return chats.find_named(turn.text, read)

        query = Query(self._context.reader_lane, find, owner=widget)
        query.on_success(lambda named: then(replace(turn, named=tuple(named)))).run()

    def find_names(self, turn: Turn, then: Callable[[list[int]], None]) -> None:
        """Give the entities of an answer: those it names, else those found for it."""
        ids = [part.entity_id for part in turn.named] or [row.id for row in turn.entities]
        if ids:
            then(list(dict.fromkeys(ids)))
            return
        spans = [(c.document_id, c.start, c.end) for c in turn.citations]
        spans = spans or [(p.document_id, p.best_start, p.best_end) for p in turn.passages]
        exploring = self._context.exploring

        def find() -> list[int]:
            counts = Counter(m[2] for span in spans for m in exploring.mentions_in(*span))
            return [entity_id for entity_id, _ in counts.most_common(MOST_NAMES)]

        def show(ids: list[int]) -> None:
            if ids:
                then(ids)
            else:
                self._context.messages.show(tr("These passages name nobody and nothing."))

        query = Query(self._context.reader_lane, find, owner=self)
        query.on_success(show).run()
