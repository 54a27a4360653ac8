"""The decisions of the merge desk: merge one or many clusters, keep apart, ask a model.

The dialog for many clusters owns their check marks and emits the result; the merge of all of
them is one edit, undone in one step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from desktop_app.engine.graph.names import split_sense
from desktop_app.engine.services.duplicates import DuplicateCluster
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..language import tr, tr_message, trn
from ..widgets import Button, Label, PrimaryButton, format_number
from ..widgets.sheet import Sheet

if TYPE_CHECKING:
    from .screen import MergeDesk


CLUSTER_ROLE = Qt.ItemDataRole.UserRole
SURE = 0.85


class MergeManyDialog(Sheet):
    """Emits `merge_wanted` with the checked clusters."""

    merge_wanted = Signal(list)

    def __init__(
        self,
        clusters: Sequence[DuplicateCluster],
        parent: QWidget | None = None,
        *,
        title: str = "",
    ) -> None:
        super().__init__(title or tr("Merge the very likely ones"), parent)
        hint = tr(
            "Look down the list and untick what is not one (Space). Each takes the name of its "
            "first member. One undo takes all of it back."
        )
        self.add(Label(hint, "muted", wrap=True))
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Clusters to merge"))
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for one in choose_mergeable(clusters):
            names = " = ".join(member.entity.name for member in one.members)
            percent = format_number(round(100 * one.certainty))
            why = f"   ·  {tr_message(one.reasons[0].text)}" if one.reasons else ""
            item = QListWidgetItem(f"{tr('{n} %', n=percent)}   {names}{why}")
            item.setData(CLUSTER_ROLE, one)
            item.setToolTip("\n".join(tr_message(reason.text) for reason in one.reasons[:4]))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked)
            self.list.addItem(item)
        self.add(self.list)
        self.column.setStretch(self.column.count() - 1, 1)
        self.count = Label("", "muted")
        self.add(self.count)
        cancel, self.merge_button = Button(tr("Cancel")), PrimaryButton(tr("Merge"))
        self.none_button = Button(tr("Tick none"))
        cancel.clicked.connect(self.reject)
        self.merge_button.clicked.connect(self._merge)
        self.none_button.clicked.connect(self._tick_none)
        self.add_foot([cancel, self.merge_button], [self.none_button], line=True)
        self.list.itemChanged.connect(lambda _: self._check())
        self.fit(640, 620)
        self._check()
        self.list.setCurrentRow(0)
        self.list.setFocus()

    def ticked(self) -> list[DuplicateCluster]:
        items = (self.list.item(i) for i in range(self.list.count()))
        return [i.data(CLUSTER_ROLE) for i in items if i.checkState() == Qt.CheckState.Checked]

    def _tick_none(self) -> None:
        for i in range(self.list.count()):
            self.list.item(i).setCheckState(Qt.CheckState.Unchecked)

    def _check(self) -> None:
        n = len(self.ticked())
        total = format_number(self.list.count())
        self.count.setText(
            trn("{n} merge of {total} ticked", "{n} merges of {total} ticked", n, total=total)
        )
        self.merge_button.setText(trn("Merge {n}", "Merge {n}", n) if n else tr("Merge"))
        self.merge_button.setEnabled(n > 0)

    def _merge(self) -> None:
        self.merge_wanted.emit(self.ticked())
        self.accept()


def choose_mergeable(clusters: Sequence[DuplicateCluster]) -> list[DuplicateCluster]:
    """Return clusters without conflicting targets, the most certain first.

    Clusters with the same first member do not conflict: all are merged into that member.
    """
    firsts: set[int] = set()
    others: set[int] = set()
    chosen = []
    for one in sorted(clusters, key=lambda one: (-one.certainty, one.ids)):
        first, *rest = one.ids
        if first not in others and others.isdisjoint(rest) and firsts.isdisjoint(rest):
            firsts.add(first)
            others.update(rest)
            chosen.append(one)
    return chosen


def gather(clusters: Sequence[DuplicateCluster]) -> list[tuple[int, list[int], str]]:
    """Return (kept entity, other entities, name) for clusters that do not conflict."""
    groups: dict[int, tuple[list[int], str]] = {}
    for one in clusters:
        others, _ = groups.setdefault(one.ids[0], ([], one.members[0].entity.name))
        others += one.ids[1:]
    return [(first, others, name) for first, (others, name) in groups.items()]


class ClusterDecisions(QObject):
    """Runs the edits of the merge desk, each with a message that offers undo."""

    def __init__(self, context: SessionContext, desk: MergeDesk) -> None:
        super().__init__(desk)
        self._context, self._desk = context, desk

    def merge(self, ids: list[int], name: str) -> None:
        message = trn(
            "Merged {n} name into “{name}”", "Merged {n} names into “{name}”", len(ids), name=name
        )
        editing = self._context.editing
        self._desk.menu.edits.run(editing.merge, ids[0], ids[1:], name=name, told=message)
        self._desk.drop(set(ids))

    def never_merge(self, ids: list[int]) -> None:
        message = trn("{n} name stays apart", "{n} names stay apart", len(ids))
        self._desk.menu.edits.run(self._context.editing.never_merge, ids, told=message)
        self._desk.drop(set(ids))

    def choose_many(self) -> None:
        """Offer to merge all clusters of the list that are very likely."""
        sure = [one for one in self._desk.model.shown() if one.certainty >= SURE]
        if not sure:
            self._context.messages.show(tr("None of these is very likely; decide one by one."))
            return
        self._offer(MergeManyDialog(sure, self._desk))

    def choose_about(self) -> None:
        """Offer to merge all clusters with the same first member as the current one."""
        if clusters := self._desk.list_about():
            name = clusters[0].members[0].entity.name
            self._offer(
                MergeManyDialog(clusters, self._desk, title=tr("Merge into “{name}”", name=name))
            )

    def _offer(self, sheet: MergeManyDialog) -> None:
        sheet.merge_wanted.connect(self._merge_many)
        self._desk.menu.open_sheet(sheet)

    def _merge_many(self, clusters: list[DuplicateCluster]) -> None:
        groups = gather(clusters)
        n = sum(len(others) + 1 for _, others, _ in groups)
        message = trn(
            "Merged {n} name into {into}",
            "Merged {n} names into {into}",
            n,
            into=trn("{n} name", "{n} names", len(groups)),
        )
        self._desk.menu.edits.run(self._context.editing.merge_many, groups, told=message)
        self._desk.drop({i for one in clusters for i in one.ids[1:]})

    def take_apart(self, entity_id: int, key: str) -> None:
        """Separate a name that was merged automatically."""
        message = tr("“{name}” stands for itself again", name=split_sense(key)[0])
        verb, edits = self._context.editing.remove_alias, self._desk.menu.edits
        edits.run(verb, entity_id, key, told=message, then=self._desk.read_parts)

    def assign_mentions(self, mention_ids: list[int], entity_id: int) -> None:
        """Assign mentions of a split name to the chosen entity."""
        message = trn("{n} passage told apart", "{n} passages told apart", len(mention_ids))
        verb, edits = self._context.editing.assign_mentions, self._desk.menu.edits
        edits.run(verb, mention_ids, entity_id, told=message)
        self._desk.say_count()


MOST = 200  # clusters of one run


class ModelVerdicts(QObject):
    """Asks a model about the current cluster, or about the whole list until the model fails."""

    def __init__(self, context: SessionContext, desk: MergeDesk) -> None:
        super().__init__(desk)
        self._context, self._desk = context, desk
        self._left: list[DuplicateCluster] = []
        self._n_asked = 0

    @property
    def is_busy(self) -> bool:
        return bool(self._left)

    def ask_one(self) -> None:
        """Ask the model about the current cluster."""
        if (cluster := self._desk.page.cluster) is not None:
            self._ask([cluster])

    def ask_all(self) -> None:
        """Ask about every cluster of the list not asked about yet; a second call stops the run."""
        if self._left:
            self._left = self._left[:1]
            return
        self._ask([one for one in self._desk.model.shown() if one.asked is None][:MOST])

    def _ask(self, clusters: list[DuplicateCluster]) -> None:
        if self._left or not clusters:
            return
        self._left, self._n_asked = list(clusters), 0
        self._context.messages.show(
            trn(
                "Asking the chat model about {n} cluster…",
                "Asking the chat model about {n} clusters…",
                len(clusters),
            )
        )
        self._next()

    def _next(self) -> None:
        cluster = self._left[0]
        fetch, ask = self._context.duplicates.fetch_evidence, self._context.ask_about_duplicates
        if any(member.sentences for member in cluster.members):
            self._run(self._context.model_lane, ask, cluster, self._answered)
        else:
            self._run(self._context.duplicates_lane, fetch, cluster, self._fetched)

    def _fetched(self, cluster: DuplicateCluster) -> None:
        if self._left:
            ask = self._context.ask_about_duplicates
            self._run(self._context.model_lane, ask, cluster, self._answered)

    def _answered(self, cluster: DuplicateCluster) -> None:
        self._desk.replace(cluster)
        self._n_asked += 1
        self._left = self._left[1:]
        if self._left:
            self._next()
        elif self._n_asked > 1:
            message = trn(
                "The chat model was asked about {n} cluster.",
                "The chat model was asked about {n} clusters.",
                self._n_asked,
            )
            self._context.messages.show(message, kind="ok")

    def _failed(self, error: BaseException) -> None:
        self._left = []
        self._context.messages.show_error(error)

    def _run(self, lane, fn, cluster: DuplicateCluster, then) -> None:
        Query(lane, fn, cluster, owner=self).on_success(then).on_error(self._failed).run()
