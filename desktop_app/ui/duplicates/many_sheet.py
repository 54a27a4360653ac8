"""Many clusters merged at once: all that are very likely, each to be looked at and unticked.

Owns the ticks. What is merged is told by a signal; it is one edit, and undone as one.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from desktop_app.engine.services.duplicates import DuplicateCluster
from desktop_app.ui.language import tr, tr_said, trn
from desktop_app.ui.widgets import Button, Label, PrimaryButton, format_number
from desktop_app.ui.widgets.sheet import Sheet

CLUSTER_ROLE = Qt.ItemDataRole.UserRole
SURE = 0.85


class ManySheet(Sheet):
    """Emits `merge_wanted` with the clusters that are ticked."""

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
            why = f"   ·  {tr_said(one.reasons[0].text)}" if one.reasons else ""
            item = QListWidgetItem(f"{tr('{n} %', n=percent)}   {names}{why}")
            item.setData(CLUSTER_ROLE, one)
            item.setToolTip("\n".join(tr_said(reason.text) for reason in one.reasons[:4]))
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
    """Return the clusters, the surest first, of which no two want the same name elsewhere.

    Several may have one first member: all of theirs go to it.
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
    """Return (the one that stays, the others, its name) of clusters that were chosen so."""
    groups: dict[int, tuple[list[int], str]] = {}
    for one in clusters:
        others, _ = groups.setdefault(one.ids[0], ([], one.members[0].entity.name))
        others += one.ids[1:]
    return [(first, others, name) for first, (others, name) in groups.items()]
