"""Keeps what is typed in sheets until it is saved or discarded, also over the end of the program.

Owns the drafts of the open library in memory and which sheets are open; the library stores them.
Knows no fields of a sheet.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.services.sheet_drafts import SheetDrafts
from desktop_app.engine.store.sheet_drafts import DraftKey, SheetDraft
from desktop_app.session import Hub
from desktop_app.workers.lane import Lane
from desktop_app.workers.operations import Query

from .widgets.sheet import Sheet


class SheetDraftKeeper(QObject):
    """Gives sheets what was typed in them before, and stores what is typed now."""

    def __init__(self, drafts: SheetDrafts, writer_lane: Lane, hub: Hub) -> None:
        super().__init__()
        self._drafts, self._lane = drafts, writer_lane
        self._stored: dict[tuple[str, str, int, str], SheetDraft] = {}
        self._n_writes = 0  # a list that was read before one is out of date
        self._open: list[Sheet] = []
        hub.changed.connect(self._follow)
        self._load()

    def attach(self, sheet: Sheet, key: DraftKey, *, restore: bool = True) -> Callable[[], None]:
        """Restore what was typed in a sheet about the same thing, and keep what is typed now.

        Call it when the sheet shows what is stored, before it is opened.

        Args:
            restore: False for a sheet that shows what was typed a moment ago.

        Returns:
            a function that drops the draft, for the success of the edit that the sheet asked for.
        """
        self._open.append(sheet)
        sheet.draft_changed.connect(partial(self._write, key))
        sheet.finished.connect(lambda _: self._open.remove(sheet) if sheet in self._open else None)
        sheet.keep_draft(self._stored.get(key.place, {}) if restore else {})
        return partial(self._write, key, {})

    def save_changes(self) -> None:
        """Store what is typed in the sheets that are open, before the window closes."""
        for sheet in self._open:
            sheet.store_draft()

    def _write(self, key: DraftKey, fields: SheetDraft) -> None:
        if fields != self._stored.get(key.place, {}):
            self._n_writes += 1
            self._stored.pop(key.place, None)
            if fields:
                self._stored[key.place] = fields
            Query(self._lane, self._drafts.save, key, fields, owner=self).run()

    def _follow(self, change: ChangeNotice) -> None:
        """Drop the drafts of what was deleted."""
        if self._stored and (change.entities or change.documents or change.communities):
            self._load()

    def _load(self) -> None:
        n_writes = self._n_writes

        def take(found: dict[DraftKey, SheetDraft]) -> None:
            if n_writes == self._n_writes:
                self._stored = {key.place: fields for key, fields in found.items()}
            elif not n_writes:  # the first list: what was written since is newer
                self._stored = {key.place: v for key, v in found.items()} | self._stored

        # in the lane of what is written, so that nothing written before is missing
        Query(self._lane, self._drafts.list_all, owner=self).on_success(take).run()
