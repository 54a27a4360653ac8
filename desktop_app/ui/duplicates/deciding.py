"""What a person decides at the merge desk, as edits: who is one, who is not, who is meant.

Owns how each is told. What an edit is belongs to the engine; the desk goes on to the next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_app.engine.graph.names import split_sense
from desktop_app.engine.services.duplicates import DuplicateCluster
from desktop_app.ui.context import Context
from desktop_app.ui.language import tr, trn

from .many_sheet import SURE, ManySheet, gather

if TYPE_CHECKING:
    from .screen import MergeDesk


class Deciding(QObject):
    """Runs the edits of the desk, each with a message that leads back."""

    def __init__(self, context: Context, desk: MergeDesk) -> None:
        super().__init__(desk)
        self._context, self._desk = context, desk

    def merge(self, ids: list[int], name: str) -> None:
        told = trn(
            "Merged {n} name into “{name}”", "Merged {n} names into “{name}”", len(ids), name=name
        )
        editing = self._context.editing
        self._desk.menu.edits.run(editing.merge, ids[0], ids[1:], name=name, told=told)
        self._desk.drop(set(ids))

    def never_merge(self, ids: list[int]) -> None:
        told = trn("{n} name stays apart", "{n} names stay apart", len(ids))
        self._desk.menu.edits.run(self._context.editing.never_merge, ids, told=told)
        self._desk.drop(set(ids))

    def choose_many(self) -> None:
        """Offer all of the list that are very likely, to be merged at once."""
        sure = [one for one in self._desk.model.shown() if one.certainty >= SURE]
        if not sure:
            self._context.messages.show(tr("None of these is very likely; decide one by one."))
            return
        self._offer(ManySheet(sure, self._desk))

    def choose_about(self) -> None:
        """Offer all clusters about the first name of the one that is shown."""
        if clusters := self._desk.list_about():
            name = clusters[0].members[0].entity.name
            self._offer(ManySheet(clusters, self._desk, title=tr("Merge into “{name}”", name=name)))

    def _offer(self, sheet: ManySheet) -> None:
        sheet.merge_wanted.connect(self._merge_many)
        self._desk.menu.open_sheet(sheet)

    def _merge_many(self, clusters: list[DuplicateCluster]) -> None:
        groups = gather(clusters)
        n = sum(len(others) + 1 for _, others, _ in groups)
        told = trn(
            "Merged {n} name into {into}",
            "Merged {n} names into {into}",
            n,
            into=trn("{n} name", "{n} names", len(groups)),
        )
        self._desk.menu.edits.run(self._context.editing.merge_many, groups, told=told)
        self._desk.drop({i for one in clusters for i in one.ids[1:]})

    def take_apart(self, entity_id: int, key: str) -> None:
        """Take a name away that was joined on its own."""
        told = tr("“{name}” stands for itself again", name=split_sense(key)[0])
        verb, edits = self._context.editing.remove_alias, self._desk.menu.edits
        edits.run(verb, entity_id, key, told=told, then=self._desk.read_parts)

    def tell_which(self, mention_ids: list[int], entity_id: int) -> None:
        """Say whom mentions of a split name mean."""
        told = trn("{n} passage told apart", "{n} passages told apart", len(mention_ids))
        verb, edits = self._context.editing.tell_which, self._desk.menu.edits
        edits.run(verb, mention_ids, entity_id, told=told)
        self._desk.say_count()
