"""The controller of enrichment: its queue, its dialogs, and its progress in the sidebar.

Connects the services of enrichment to the window. The session owns the lanes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from desktop_app.engine.changes import NOTHING, ChangeNotice
from desktop_app.engine.messages import Message
from desktop_app.engine.progress import CancelToken, Progress, ProgressCallback
from desktop_app.engine.scheduler import Priority
from desktop_app.engine.services.enrichment.settings import is_paused, store_paused
from desktop_app.session import Session

from ..context import SessionContext
from ..enrichment.words import describe_enrichment_run, describe_paused, describe_work
from ..shell.main_window import MainWindow
from ..translation import later, tr, tr_message, trn
from ..widgets.words import format_pace

if TYPE_CHECKING:  # imported when they are shown
    from desktop_app.engine.extraction.llm.tasks import EnrichSettings
    from desktop_app.engine.services.enrichment.tuning import Proposal

    from ..enrichment.dialogs import (
        EnrichmentSettingsDialog,
        StartEnrichmentDialog,
        SuggestionDialog,
    )

SAVED = later("Saved. Enriched passages keep their results until they are enriched again.")
NO_MODEL = later("Enriching needs a chat model.")


class EnrichmentController(QObject):
    """Controls the queue of enrichment of one open library, and opens its dialogs."""

    def __init__(self, context: SessionContext, window: MainWindow, session: Session) -> None:
        super().__init__(window)
        self._context, self._window, self._session = context, window, session
        self._writer, self._facts = session.library.writer, session.chat_facts
        self._status = window.sidebar.enrich_work
        self._last: Progress | None = None
        self._stopping = False
        self.titles: dict[int, str] = {}  # of the documents
        self.runner = context.enrichment_runner
        self.runner.progressed.connect(self._show_progress)
        self.runner.changed.connect(session.publish_work)
        self.runner.state_changed.connect(self._show_state)
        context.hub.changed.connect(self._on_change)
        self._connect_window()
        self._continue()

    def _connect_window(self) -> None:
        for name, slot in (
            ("enrich", self.ask),
            ("enrich_pause", self.pause_or_resume),
            ("enrich_settings", self.show_settings),
            ("enrich_suggest", self.suggest),
        ):
            action = self._window.actions_by_name[name]
            action.triggered.connect(lambda _=False, slot=slot: slot())
        status, library = self._status, self._window.screens.library
        library.enrich_wanted.connect(self.ask)
        library.enrich_now_wanted.connect(self.enrich)
        library.enrich_stop_wanted.connect(self.stop)
        library.enrich_retry_wanted.connect(self.retry)
        library.enrich_settings_wanted.connect(lambda: self.show_settings())
        documents = self._window.document_tabs
        documents.enrich_chapter_wanted.connect(lambda *part: self.enrich(chapter=part))
        status.pause_wanted.connect(self.pause)
        status.resume_wanted.connect(self.resume)
        status.cancel_wanted.connect(self.stop)

    def _continue(self) -> None:
        """Continue the work that was left at the last exit, unless the user paused it."""

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
                self._status.show_work(None, title, detail=detail)

        self._session.write(look, done=decide)

    # --- the queue --------------------------------------------------------------------------------

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
        service = self._context.enrichment

        def enqueue() -> ChangeNotice:
            if entity is not None:
                return service.enqueue_entity(entity, again=again)
            if chapter is not None:
                return service.enqueue_range(*chapter, again=again)
            return service.enqueue(documents or None, first=first, again=again)

        self._queue(enqueue)

    def enrich_entity(self, entity_id: int) -> None:
        """Queue the passages of an entity, and start."""
        self.enrich(entity=entity_id)

    def retry(self, documents: Sequence[int]) -> None:
        """Retry the failed passages of some documents."""

        def enqueue() -> ChangeNotice:
            change = NOTHING
            for document_id in documents:
                change = change | self._context.enrichment.retry(document_id)
            return change

        self._queue(enqueue)

    def _queue(self, enqueue: Callable[[], ChangeNotice]) -> None:
        """Queue something and start; without a chat model, show what is missing."""
        messages = self._context.messages

        def work() -> tuple[ChangeNotice, Message] | None:
            if self._facts() is None:
                return None
            change = enqueue()
            if change:
                store_paused(self._writer, False)
            return change, self._context.enrichment.status().waiting.words

        def done(result: tuple[ChangeNotice, Message] | None) -> None:
            if result is None:
                messages.show(
                    tr(NO_MODEL),
                    kind="warn",
                    action_text=tr("Open Models"),
                    action=self._window.navigator.open_models,
                )
                return
            change, words = result
            if not change:
                messages.show(tr("There is nothing left to enrich there."))
                return
            self._session.publish_work(change)
            messages.show(tr("Enriching: {time}.", time=tr_message(words)))
            self.runner.start()

        self._session.write(work, done=done)

    def stop(self, documents: Sequence[int] = ()) -> None:
        """Remove documents, or all, from the queue; finished work is kept."""

        def work() -> ChangeNotice:
            if not documents:  # so that nothing starts by itself at the next start either
                store_paused(self._writer, True)
            return self._context.enrichment.stop(documents or None)

        def done(change: ChangeNotice) -> None:
            self._session.publish_work(change)
            self._context.messages.show(tr("Enrichment stopped. Finished passages are kept."))
            if not documents:
                self._stopping, self._last = False, None
                self._status.hide()

        if not documents:
            self._stopping = True
            self.runner.pause()
        self._session.write(work, done=done)

    def pause(self) -> None:
        """Pause after the current passages; the queue stays paused after a restart."""
        self.runner.pause()
        self._session.write(store_paused, self._writer, True, done=lambda _: None)

    def resume(self) -> None:
        self._session.write(store_paused, self._writer, False, done=lambda _: self.runner.start())

    def pause_or_resume(self) -> None:
        if self.runner.is_running:
            self.pause()
        else:
            self.resume()

    # --- dialogs ----------------------------------------------------------------------------------

    def ask(self, documents: Sequence[int] = ()) -> StartEnrichmentDialog:
        """Show the estimate for enriching some documents, or the library; start if confirmed."""
        ids = list(documents) or None
        if ids is None:
            name = tr("the library")
        elif len(ids) == 1:
            title = self.titles.get(ids[0], "")
            name = f"“{title}”" if title else tr("this document")
        else:
            name = trn("{n} document", "{n} documents", len(ids))
        from ..enrichment.dialogs import StartEnrichmentDialog

        sheet = StartEnrichmentDialog(self._context, ids, name, self._window)
        sheet.agreed.connect(lambda ids, first, again: self.enrich(ids, first=first, again=again))
        sheet.models_wanted.connect(self._window.navigator.open_models)
        sheet.settings_wanted.connect(lambda: self.show_settings(sheet, then=sheet.refresh))
        sheet.open()
        return sheet

    def show_settings(
        self, over: QWidget | None = None, *, then: Callable[[], Any] = lambda: None
    ) -> EnrichmentSettingsDialog:
        """Edit the enrichment settings of the library; `then` is called after a change."""
        from ..enrichment.dialogs import EnrichmentSettingsDialog

        sheet = EnrichmentSettingsDialog(self._context, over or self._window)

        def save(settings: EnrichSettings) -> None:
            done = self._report_saved(then)
            self._session.write(self._context.enrichment.save_settings, settings, done=done)

        sheet.kept.connect(save)
        sheet.suggestion_wanted.connect(lambda: self.suggest(sheet, then=sheet.refresh))
        sheet.open()
        return sheet

    def suggest(
        self, over: QWidget | None = None, *, then: Callable[[], Any] = lambda: None
    ) -> SuggestionDialog:
        """Propose enrichment settings from a sample of the library."""
        from desktop_app.engine.services.enrichment.tuning import accept

        from ..enrichment.dialogs import SuggestionDialog

        sheet = SuggestionDialog(self._context, self._propose, over or self._window)

        def save(proposal: Proposal) -> None:
            self._session.write(accept, self._writer, proposal, done=self._report_saved(then))

        sheet.accepted_proposal.connect(save)
        sheet.open()
        return sheet

    def _report_saved(self, then: Callable[[], Any]) -> Callable[[Any], None]:
        def done(_: Any) -> None:
            self._context.messages.show(tr(SAVED))
            then()

        return done

    def _propose(self, cancel: CancelToken, on_progress: ProgressCallback) -> Proposal:
        """Return a proposal; runs in the model lane while enrichment pauses."""
        from desktop_app.engine.services.enrichment.tuning import propose

        facts = self._facts()
        with self._context.scheduler.hold(Priority.QUESTION):
            return propose(
                self._session.model_db,
                self._context.library_models.find_chat,
                n_parameters=facts.n_parameters if facts else 0,
                cancel=cancel,
                on_progress=on_progress,
            )

    # --- progress ---------------------------------------------------------------------------------

    def show_blocker(self) -> None:
        """Show what more urgent work enrichment waits for, if any."""
        if self.runner.is_running and self._last is not None:
            self._show_progress(self._last)

    def _show_progress(self, progress: Progress) -> None:
        self._last = progress
        if not self.runner.is_running:
            return
        title = self.titles.get(progress.document_id or 0, "")
        title, detail, pace = describe_work(progress, title)
        blocker = self._context.scheduler.find_blocker(Priority.ENRICHMENT)
        if blocker is not None:
            pace = format_pace(None, blocker)
        self._status.show_work(progress, title, detail=detail, pace=pace)

    def _show_state(self, state: str) -> None:
        if state == "paused" and not self._stopping:
            title, detail = tr("Enrichment paused"), tr("Finished passages are kept.")
            if (last := self._last) is not None and last.total and last.stage == "enriching":
                title, detail = describe_paused(last.total - last.done)
            self._status.show_work(self._last, title, detail=detail, paused=True)
        elif state == "idle":
            self._last = None
            self._status.hide()
            result = self._session.enrichment_job.last
            if result is not None and result.n_done:
                self._context.messages.show(describe_enrichment_run(result), kind="ok")

    def _on_change(self, change: ChangeNotice) -> None:
        if change.models:
            self._facts.forget()
