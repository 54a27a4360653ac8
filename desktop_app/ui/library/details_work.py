"""The way from what a person types of documents to the library, and back by "Undo".

Owns the sheet that asks; knows nothing of lists and places.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QInputDialog, QWidget

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.types import DocumentRow
from desktop_app.ui.language import tr
from desktop_app.workers.operations import Query

from .details_sheet import DetailsSheet


class DetailsWork(QObject):
    """Asks for details, writes them, and offers the way back in the message bar."""

    def __init__(self, context: Any, window: QWidget) -> None:
        super().__init__(window)
        self._context, self._window = context, window
        self.sheet: DetailsSheet | None = None

    def ask(self, rows: Sequence[DocumentRow]) -> None:
        """Ask for details and write them over what the files say."""
        if not rows:
            return
        ids = [row.id for row in rows]
        sheet = self.sheet = DetailsSheet(rows, self._window)
        sheet.given.connect(lambda given: self.write(ids, given))
        sheet.open()

    def rename(self, row: DocumentRow | None) -> None:
        if row is None:
            return
        title, agreed = QInputDialog.getText(
            self._window, tr("Rename"), tr("Title"), text=row.title
        )
        if agreed and title.strip() and title.strip() != row.title:
            self.write([row.id], {"title": title.strip()})

    def write(self, ids: list[int], given: dict[str, Any]) -> None:
        """Write details, as the sheet gives them; the message that says so brings the old back."""
        work = self._context.library_work
        fields = dict(given)
        shared = fields.pop("tags_shared", None)
        tags = fields.pop("tags", []) if shared is not None else []

        def change() -> ChangeSet:
            told = work.edit_details(ids, **fields) if fields else ChangeSet()
            return told | self._change_tags(ids, tags, [t for t in shared or () if t not in tags])

        self._run(ids, change)

    def change_tags(
        self, ids: list[int], add: Sequence[str] = (), drop: Sequence[str] = ()
    ) -> None:
        """Put tags on documents and take others off."""
        if ids:
            self._run(ids, lambda: self._change_tags(ids, add, drop))

    def _change_tags(self, ids: list[int], add: Sequence[str], drop: Sequence[str]) -> ChangeSet:
        work, told = self._context.library_work, ChangeSet()
        for tag in drop:  # before the others: the new name may differ in its case only
            told |= work.tag(ids, tag, on=False)
        for tag in add:
            told |= work.tag(ids, tag)
        return told

    def _run(self, ids: list[int], change: Callable[[], ChangeSet]) -> None:
        work = self._context.library_work

        def run() -> tuple[ChangeSet, Any]:
            kept = work.keep_details(ids)
            return change(), kept

        def done(result: tuple[ChangeSet, Any]) -> None:
            told, kept = result
            self._context.hub.tell(told)
            self._context.messages.show(
                tr("Details changed"),
                kind="ok",
                action_text=tr("Undo"),
                action=lambda: self._put_back(kept),
            )

        query = Query(self._context.writer_lane, run, owner=self)
        query.on_success(done).run()

    def _put_back(self, kept: Any) -> None:
        def done(change: ChangeSet) -> None:
            self._context.hub.tell(change)
            self._context.messages.show(tr("The details are as they were."), kind="ok")

        work = self._context.library_work
        query = Query(self._context.writer_lane, work.put_back_details, kept, owner=self)
        query.on_success(done).run()
