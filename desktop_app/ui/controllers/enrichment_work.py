"""The enrichment queue of one open library: adds, starts, pauses, stops, and shows progress.

Connects the services of enrichment to the sidebar. The session owns the lanes; the dialogs are in
`enrichment`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from desktop_app.engine.changes import NOTHING, ChangeSet
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.messages import Message
from desktop_app.engine.progress import Progress
from desktop_app.engine.scheduler import Priority
from desktop_app.engine.services.enrichment.rates import ChatFacts, find_chat_facts
from desktop_app.engine.services.enrichment.settings import is_paused, store_paused
from desktop_app.engine.store.db import Db
from desktop_app.workers.enrichment_job import EnrichmentJob

from ..context import SessionContext
from ..enrichment.words import describe_paused, describe_run, describe_work
from ..language import later, tr, tr_message
from ..shell.sidebar import WorkStatus

NO_MODEL = later("Enriching needs a chat model.")
WAITING_FOR = {
    Priority.QUESTION: later("Paused while answering"),
    Priority.IMPORT: later("Paused while reading documents"),
    Priority.REPORTS: later("Paused while writing reports"),
}


class CachedChatFacts:
    """Caches the facts about the chat model until `forget`, since a lookup reads folders."""

    def __init__(self, registry: ModelRegistry) -> None:
        self._registry = registry
        self._lock = threading.Lock()
        self._known: list[ChatFacts | None] = []

    def __call__(self) -> ChatFacts | None:
        with self._lock:
            if not self._known:
                self._known.append(find_chat_facts(self._registry))
            return self._known[0]

    def forget(self) -> None:
        with self._lock:
            self._known.clear()


class EnrichmentWork(QObject):
    """Controls the queue of enrichment and shows its progress in the sidebar.

    Args:
        write: runs a change in the writer lane: `write(method, *args, done=takes_result)`.
        publish: announces a change to the screens.
    """

    models_wanted = Signal()

    def __init__(
        self,
        context: SessionContext,
        work: EnrichmentJob,
        facts: CachedChatFacts,
        writer: Db,
        *,
        write: Callable[..., None],
        publish: Callable[[ChangeSet], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context, self._work, self._facts, self._writer = context, work, facts, writer
        self._write, self._publish = write, publish
        self._status: WorkStatus | None = None
        self._last: Progress | None = None
        self._stopping = False
        self.titles: dict[int, str] = {}
        self.runner = context.enrichment_runner
        self.runner.progressed.connect(self._show_progress)
        self.runner.changed.connect(publish)
        self.runner.state_changed.connect(self._show_state)
        context.hub.changed.connect(self._on_change)

    def join(self, foot: WorkStatus) -> None:
        """Show progress in this widget and continue the work that was left at the last exit.

        A queue that the user paused stays paused.
        """
        self._status = foot
        foot.pause_requested.connect(self.pause)
        foot.resume_requested.connect(self.resume)
        foot.cancel_requested.connect(self.stop)

        def look() -> tuple[bool, int]:
            if self._facts() is None:
                return True, 0
            return is_paused(self._writer), self._context.enrichment.status().total.n_waiting

        def decide(kept: tuple[bool, int]) -> None:
            paused, n_waiting = kept
            if not paused:
                self.runner.start()  # ends at once if nothing is queued
            elif n_waiting:
                title, detail = describe_paused(n_waiting)
                foot.show_work(None, title, detail=detail)

        self._write(look, done=decide)

    # --- starting, pausing, stopping ----------------------------------------------------------

    def enrich(
        self,
        documents: Sequence[int] | None = None,
        entity: int | None = None,
        chapter: tuple[int, int, int] | None = None,
        *,
        first: bool = True,
        again: bool = False,
    ) -> None:
        """Queue documents, an entity's passages, a part of a document, or everything; then start.

        Args:
            chapter: the document, and start and end of the part in its text.
        """
        enriching = self._context.enrichment

        def want() -> ChangeSet:
            if entity is not None:
                return enriching.enqueue_entity(entity, again=again)
            if chapter is not None:
                return enriching.enqueue_range(*chapter, again=again)
            return enriching.enqueue(documents or None, first=first, again=again)

        self._queue(want)

    def retry(self, documents: Sequence[int]) -> None:
        """Retry the failed passages of some documents."""

        def want() -> ChangeSet:
            change = NOTHING
            for document_id in documents:
                change = change | self._context.enrichment.retry(document_id)
            return change

        self._queue(want)

    def _queue(self, want: Callable[[], ChangeSet]) -> None:
        """Queue something and start; without a chat model, show what is missing."""

        def work() -> tuple[ChangeSet, Message] | None:
            if self._facts() is None:
                return None
            change = want()
            if change:
                store_paused(self._writer, False)
            return change, self._context.enrichment.status().waiting.words

        self._write(work, done=self._queued)

    def _queued(self, result: tuple[ChangeSet, Message] | None) -> None:
        messages = self._context.messages
        if result is None:
            messages.show(
                tr(NO_MODEL),
                kind="warn",
                action_text=tr("Open Models"),
                action=self.models_wanted.emit,
            )
            return
        change, words = result
        if not change:
            messages.show(tr("There is nothing left to enrich there."))
            return
        self._publish(change)
        messages.show(tr("Enriching: {time}.", time=tr_message(words)))
        self.runner.start()

    def stop(self, documents: Sequence[int] = ()) -> None:
        """Remove documents, or all, from the queue; finished work is kept."""

        def work() -> ChangeSet:
            if not documents:  # so that nothing starts by itself at the next start either
                store_paused(self._writer, True)
            return self._context.enrichment.stop(documents or None)

        def done(change: ChangeSet) -> None:
            self._publish(change)
            self._context.messages.show(tr("Enriching is stopped. What is done stays."))
            if not documents and self._status is not None:
                self._stopping, self._last = False, None
                self._status.hide()

        if not documents:
            self._stopping = True
            self.runner.pause()
        self._write(work, done=done)

    def pause(self) -> None:
        """Pause after the current passages; the queue stays paused after a restart."""
        self.runner.pause()
        self._write(store_paused, self._writer, True, done=lambda _: None)

    def resume(self) -> None:
        self._write(store_paused, self._writer, False, done=lambda _: self.runner.start())

    def pause_or_resume(self) -> None:
        if self.runner.state == "running":
            self.pause()
        else:
            self.resume()

    # --- progress ---------------------------------------------------------------------------------

    def show_blocker(self) -> None:
        """Show what more urgent work enrichment waits for, if any."""
        if self.runner.is_running and self._last is not None:
            self._show_progress(self._last)

    def _show_progress(self, progress: Progress) -> None:
        self._last = progress
        if self._status is None or self.runner.state != "running":
            return
        title = self.titles.get(progress.document_id or 0, "")
        title, detail, pace = describe_work(progress, title)
        blocker = self._context.scheduler.find_blocker(Priority.ENRICHMENT)
        if blocker is not None:
            pace = tr(WAITING_FOR[blocker])
        self._status.show_work(progress, title, detail=detail, pace=pace)

    def _show_state(self, state: str) -> None:
        if self._status is None:
            return
        if state == "paused" and not self._stopping:
            title, detail = tr("Enriching is paused"), tr("What is done stays.")
            if (last := self._last) is not None and last.total and last.stage == "enriching":
                title, detail = describe_paused(last.total - last.done)
            self._status.show_work(self._last, title, detail=detail, paused=True)
        elif state == "idle":
            self._last = None
            self._status.hide()
            result = self._work.last
            if result is not None and result.n_done:
                self._context.messages.show(describe_run(result), kind="ok")

    def _on_change(self, change: ChangeSet) -> None:
        if change.models:
            self._facts.forget()
