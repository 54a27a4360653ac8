"""Opens the sheets of enrichment over the window and has done what was agreed in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from .engine.extract.tasks import EnrichSettings
from .engine.progress import CancelToken, ProgressCallback
from .engine.services.enrich_facts import find_chat_facts
from .engine.services.tuning import Proposal, accept, propose
from .engine.store.db import Db
from .enrichment import Enrichment
from .ui.context import Context
from .ui.enrich.asking_sheet import AskingSheet
from .ui.enrich.settings_sheet import SettingsSheet
from .ui.enrich.suggestion_sheet import SuggestionSheet
from .ui.language import later, tr, trn

KEPT = later("Kept. What is enriched already stays until it is enriched again.")


class EnrichSheets(QObject):
    """One sheet of each kind at a time.

    Args:
        model_db: a reading connection of the model lane's own.
        write: runs a change in the writer lane: `write(method, *args, done=takes_result)`.
    """

    def __init__(
        self,
        context: Context,
        enrichment: Enrichment,
        window: QWidget,
        *,
        writer: Db,
        model_db: Db,
        write: Callable[..., None],
    ) -> None:
        super().__init__(window)
        self._context, self._enrichment, self._window = context, enrichment, window
        self._writer, self._model_db, self._write = writer, model_db, write
        self.is_tuning = False  # read by enrichment's work, which then makes way

    def ask(self, documents: Sequence[int] = ()) -> AskingSheet:
        """Say what enriching some documents takes, or the library, and start if it is agreed."""
        ids = list(documents) or None
        sheet = AskingSheet(self._context, ids, self._name(ids), self._window)
        sheet.agreed.connect(self._agreed)
        sheet.models_wanted.connect(self._enrichment.models_wanted)
        sheet.settings_wanted.connect(lambda: self.show_settings(sheet, then=sheet.refresh))
        sheet.open()
        return sheet

    def _name(self, ids: list[int] | None) -> str:
        if ids is None:
            return tr("the library")
        if len(ids) == 1:
            title = self._enrichment.titles.get(ids[0], "")
            return f"“{title}”" if title else tr("this document")
        return trn("{n} document", "{n} documents", len(ids))

    def _agreed(self, ids: list[int] | None, first: bool, again: bool) -> None:
        self._enrichment.enrich(ids, first=first, again=again)

    def show_settings(
        self, over: QWidget | None = None, *, then: Callable[[], Any] = lambda: None
    ) -> SettingsSheet:
        """Show how the library is enriched; `then` is called when that was changed."""
        sheet = SettingsSheet(self._context, over or self._window)

        def kept(_: Any) -> None:
            self._context.messages.show(tr(KEPT))
            then()

        def keep(settings: EnrichSettings) -> None:
            self._write(self._context.enriching.save_settings, settings, done=kept)

        sheet.kept.connect(keep)
        sheet.suggestion_wanted.connect(lambda: self.suggest(sheet, then=sheet.refresh))
        sheet.open()
        return sheet

    def suggest(
        self, over: QWidget | None = None, *, then: Callable[[], Any] = lambda: None
    ) -> SuggestionSheet:
        """Look at a sample of the library and propose how to enrich it."""
        sheet = SuggestionSheet(self._context, self._propose, over or self._window)

        def kept(_: Any) -> None:
            self._context.messages.show(tr(KEPT))
            then()

        def keep(proposal: Proposal) -> None:
            self._write(accept, self._writer, proposal, done=kept)

        sheet.accepted_proposal.connect(keep)
        sheet.open()
        return sheet

    def _propose(self, cancel: CancelToken, on_progress: ProgressCallback) -> Proposal:
        """Runs in the model lane; enrichment leaves it the model meanwhile."""
        self.is_tuning = True
        facts = find_chat_facts(self._context.shelf)
        try:
            return propose(
                self._model_db,
                self._context.shelf.find_chat,
                n_parameters=facts.n_parameters if facts else 0,
                cancel=cancel,
                on_progress=on_progress,
            )
        finally:
            self.is_tuning = False
