"""Enrichment's part of the desk: builds what it needs and joins it to window and screens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject

from .engine.changes import ChangeSet
from .engine.store.db import Db
from .enrich_sheets import EnrichSheets
from .enrichment import ChatFactsOnce, Enrichment
from .graph_import import GraphImport
from .ui.context import Context
from .ui.main_window import MainWindow
from .workers.enriching import EnrichingWork
from .workers.lane import Lane


class EnrichDesk(QObject):
    """Holds the queue's control, the sheets and the import of one open library.

    Args:
        model_db: the model lane's reading connection.
        write: runs a change in the writer lane: `write(method, *args, done=takes_result)`.
        tell: takes what changed; index: has new passages embedded.
    """

    def __init__(
        self,
        context: Context,
        window: MainWindow,
        work: EnrichingWork,
        facts: ChatFactsOnce,
        *,
        writer: Db,
        model_db: Db,
        import_lane: Lane,
        write: Callable[..., None],
        tell: Callable[[ChangeSet], None],
        index: Callable[[], None],
    ) -> None:
        super().__init__(window)
        self._context, self._window = context, window
        self._is_reading = False
        self.enrichment = Enrichment(
            context, work, facts, writer, write=write, tell=tell, parent=self
        )
        self.sheets = EnrichSheets(
            context, self.enrichment, window, writer=writer, model_db=model_db, write=write
        )
        self.graph_import = GraphImport(
            context,
            import_lane,
            writer,
            window,
            window.sidebar.import_work,
            tell=tell,
            index=index,
        )

    @property
    def is_model_wanted(self) -> bool:
        """Say whether an answer, tuning or the reading of documents comes before enrichment."""
        return self._context.asking.is_busy or self.sheets.is_tuning or self._is_reading

    def set_reading(self, reading: bool) -> None:
        """Hear whether documents are being read: what is instant comes first.

        The slow search by meaning is not waited for; it goes on beside.
        """
        self._is_reading = reading
        self.enrichment.set_reading(reading)

    def join(self) -> None:
        """Join the window's actions and screens; what a screen does not say is not missed."""
        enrichment, sheets, take_in = self.enrichment, self.sheets, self.graph_import
        for name, slot in (
            ("enrich", sheets.ask),
            ("enrich_pause", enrichment.pause_or_resume),
            ("enrich_settings", sheets.show_settings),
            ("enrich_suggest", sheets.suggest),
            ("import_folder", lambda: take_in.ask(True)),
            ("import_file", lambda: take_in.ask(False)),
        ):
            action = self._window.actions_by_name[name]
            action.triggered.connect(lambda _=False, slot=slot: slot())
        answers: dict[str, Callable[..., Any]] = {
            "enrich_requested": sheets.ask,
            "enrich_now_requested": enrichment.enrich,
            "enrich_stop_requested": enrichment.stop,
            "enrich_retry_requested": enrichment.retry,
            "enrich_settings_requested": lambda: sheets.show_settings(),
            "import_graph_requested": take_in.ask,
            "enrich_entity_requested": lambda entity: enrichment.enrich(entity=entity),
            "enrich_chapter_requested": lambda *place: enrichment.enrich(chapter=place),
        }
        for screen in self._window.screens.values():
            for said, answer in answers.items():
                signal = getattr(screen, said, None)
                if hasattr(signal, "connect"):
                    signal.connect(answer)
        enrichment.models_wanted.connect(lambda: self._window.show_screen("models"))
        enrichment.join(self._window.sidebar.enrich_work)
