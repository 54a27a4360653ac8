"""Enrichment of one open library at work: what is queued, the runner, and what is told of it.

Joins the services of enrichment to the window; the desk owns the lanes, the sheets are asked for
by signals.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from desktop_app.engine.changes import NOTHING, ChangeSet
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.progress import Progress
from desktop_app.engine.services.enrichment.rates import ChatFacts, find_chat_facts
from desktop_app.engine.services.enrichment.settings import is_paused, store_paused
from desktop_app.engine.store.db import Db
from desktop_app.workers.enrichment_job import EnrichmentJob

from ..context import Context
from ..enrichment.words import describe_paused, describe_run, describe_work
from ..language import later, tr, tr_said
from ..shell.sidebar import WorkStatus

NO_MODEL = later("Enriching needs a chat model.")


class CachedChatFacts:
    """Remembers what is known of the chat model until `forget`: asking looks through folders."""

    def __init__(self, shelf: ModelRegistry) -> None:
        self._shelf = shelf
        self._lock = threading.Lock()
        self._known: list[ChatFacts | None] = []

    def __call__(self) -> ChatFacts | None:
        with self._lock:
            if not self._known:
                self._known.append(find_chat_facts(self._shelf))
            return self._known[0]

    def forget(self) -> None:
        with self._lock:
            self._known.clear()


class EnrichmentWork(QObject):
    """Queues, starts, pauses and stops, and says at the foot of the sidebar how it goes.

    Args:
        write: runs a change in the writer lane: `write(method, *args, done=takes_result)`.
        tell: takes what changed.
    """

    models_wanted = Signal()

    def __init__(
        self,
        context: Context,
        work: EnrichmentJob,
        facts: CachedChatFacts,
        writer: Db,
        *,
        write: Callable[..., None],
        tell: Callable[[ChangeSet], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context, self._work, self._facts, self._writer = context, work, facts, writer
        self._write, self._tell = write, tell
        self._foot: WorkStatus | None = None
        self._last: Progress | None = None
        self._stopping = False
        self._waits_for_reading = False
        self.titles: dict[int, str] = {}
        self.runner = context.enrich_runner
        self.runner.progressed.connect(self._show_progress)
        self.runner.changed.connect(tell)
        self.runner.state_changed.connect(self._show_state)
        context.hub.changed.connect(self._on_change)

    def join(self, foot: WorkStatus) -> None:
        """Show at this foot how it goes, and go on with what was left at the last closing.

        What the person had paused stays so.
        """
        self._foot = foot
        foot.pause_requested.connect(self.pause)
        foot.resume_requested.connect(self.resume)
        foot.cancel_requested.connect(self.stop)

        def look() -> tuple[bool, int]:
            if self._facts() is None:
                return True, 0
            return is_paused(self._writer), self._context.enriching.status().total.n_waiting

        def decide(kept: tuple[bool, int]) -> None:
            paused, n_waiting = kept
            if not paused:
                self.runner.start()  # ends at once where nothing waits
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
        """Queue documents, an entity's passages, a stretch of a document, or all, and start.

        Args:
            chapter: the document, and where the stretch starts and ends in its text.
        """
        enriching = self._context.enriching

        def want() -> ChangeSet:
            if entity is not None:
                return enriching.enqueue_entity(entity, again=again)
            if chapter is not None:
                return enriching.enqueue_range(*chapter, again=again)
            return enriching.enqueue(documents or None, first=first, again=again)

        self._queue(want)

    def retry(self, documents: Sequence[int]) -> None:
        """Try again what was given up in some documents."""

        def want() -> ChangeSet:
            change = NOTHING
            for document_id in documents:
                change = change | self._context.enriching.retry(document_id)
            return change

        self._queue(want)

    def _queue(self, want: Callable[[], ChangeSet]) -> None:
        """Put something into the queue and work it off; without a model say what is missing."""

        def work() -> tuple[ChangeSet, str] | None:
            if self._facts() is None:
                return None
            change = want()
            if change:
                store_paused(self._writer, False)
            return change, self._context.enriching.status().waiting.words if change else ""

        self._write(work, done=self._queued)

    def _queued(self, result: tuple[ChangeSet, str] | None) -> None:
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
        self._tell(change)
        messages.show(tr("Enriching: {time}.", time=tr_said(words)))
        self.runner.start()

    def stop(self, documents: Sequence[int] = ()) -> None:
        """Take documents, or all, out of the queue; what is done stays."""

        def work() -> ChangeSet:
            if not documents:  # nothing begins by itself at the next start either
                store_paused(self._writer, True)
            return self._context.enriching.stop(documents or None)

        def done(change: ChangeSet) -> None:
            self._tell(change)
            self._context.messages.show(tr("Enriching is stopped. What is done stays."))
            if not documents and self._foot is not None:
                self._stopping, self._last = False, None
                self._foot.hide()

        if not documents:
            self._stopping = True
            self.runner.pause()
        self._write(work, done=done)

    def pause(self) -> None:
        """Stop after the passages in hand; the next start of the program leaves it so."""
        self.runner.pause()
        self._write(store_paused, self._writer, True, done=lambda _: None)

    def resume(self) -> None:
        self._write(store_paused, self._writer, False, done=lambda _: self.runner.start())

    def pause_or_resume(self) -> None:
        if self.runner.state == "running":
            self.pause()
        else:
            self.resume()

    # --- what is told -------------------------------------------------------------------------

    def set_reading(self, reading: bool) -> None:
        """Hear whether documents are being read: enrichment makes way for that."""
        if reading != self._waits_for_reading:
            self._waits_for_reading = reading
            if self.runner.state == "running" and self._last is not None:
                self._show_progress(self._last)

    def _show_progress(self, progress: Progress) -> None:
        self._last = progress
        if self._foot is None or self.runner.state != "running":
            return
        title = self.titles.get(progress.document_id or 0, "")
        title, detail, pace = describe_work(progress, title)
        if self._waits_for_reading:
            pace = tr("Waits until reading is done")
        self._foot.show_work(progress, title, detail=detail, pace=pace)

    def _show_state(self, state: str) -> None:
        if self._foot is None:
            return
        if state == "paused" and not self._stopping:
            title, detail = tr("Enriching is paused"), tr("What is done stays.")
            if (last := self._last) is not None and last.total and last.stage == "enriching":
                title, detail = describe_paused(last.total - last.done)
            self._foot.show_work(self._last, title, detail=detail, paused=True)
        elif state == "idle":
            self._last = None
            self._foot.hide()
            result = self._work.last
            if result is not None and result.n_done:
                self._context.messages.show(describe_run(result), kind="ok")

    def _on_change(self, change: ChangeSet) -> None:
        if change.everything:  # a model may have been installed, chosen or removed
            self._facts.forget()
