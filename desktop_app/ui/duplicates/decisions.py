"""Merging many clusters at once, and asking a model about clusters.

The dialog owns the check marks of its clusters and emits the result; the merge of all of them is
one edit, undone in one step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from desktop_app.engine.services.duplicates import UNCERTAIN, DuplicateCluster
from desktop_app.workers.lane import Lane
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..translation import tr, tr_message, trn
from ..widgets import Button, Label, PrimaryButton, format_number
from ..widgets.sheet import Sheet
from ..widgets.words import plain_tip
from .cluster_list import describe_row

CLUSTER_ROLE = Qt.ItemDataRole.UserRole
MOST_ASKED = 200  # clusters of one run


class MergeManyDialog(Sheet):
    """Emits `merge_wanted` with the checked clusters, or `never_wanted` with `keeps_apart`.

    The uncertain ones are unchecked at first, unless `checks_all`: the user has selected them.
    """

    merge_wanted = Signal(list)
    never_wanted = Signal(list)

    def __init__(
        self,
        title: str,
        clusters: Sequence[DuplicateCluster],
        parent: QWidget | None = None,
        *,
        keeps_apart: bool = False,
        checks_all: bool = False,
    ) -> None:
        super().__init__(title, parent)
        self._keeps_apart = keeps_apart
        listed = list(clusters) if keeps_apart else choose_mergeable(clusters)
        if keeps_apart:
            hint = tr("Uncheck what may be the same (Space). One undo reverts all.")
        else:
            hint = tr(
                "Uncheck what does not belong together (Space). Each entry keeps its first name. "
                "One undo reverts all."
            )
        self.add(Label(hint, "muted", wrap=True))
        if n_left := len(clusters) - len(listed):
            left = trn(
                "{n} suggestion is left for later: its names are in others, too.",
                "{n} suggestions are left for later: their names are in others, too.",
                n_left,
            )
            self.add(Label(left, "muted", wrap=True))
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Clusters to merge"))
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for one in listed:
            first = one.names_to_keep[0]
            others = [m.entity.name for m in one.members if m.entity.name != first]
            names = " = ".join((first, *others))
            item = QListWidgetItem(f"{names}   ·  {describe_row(one)}")
            item.setData(CLUSTER_ROLE, one)
            reasons = (*one.reasons[:4], *one.against[:2])
            item.setToolTip(plain_tip("\n".join(tr_message(reason.text) for reason in reasons)))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            sure = checks_all or one.likelihood != UNCERTAIN
            item.setCheckState(Qt.CheckState.Checked if sure else Qt.CheckState.Unchecked)
            self.list.addItem(item)
        self.add(self.list)
        self.column.setStretch(self.column.count() - 1, 1)
        self.count = Label("", "muted")
        self.add(self.count)
        cancel, self.merge_button = Button(tr("Cancel")), PrimaryButton(tr("Merge"))
        self.none_button = Button(tr("Select none"))
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
        n, total = len(self.ticked()), format_number(self.list.count())
        if self._keeps_apart:
            self.count.setText(
                trn("{n} of {total} selected", "{n} of {total} selected", n, total=total)
            )
            words = trn("Never merge {n}", "Never merge {n}", n) if n else tr("Never merge")
        else:
            self.count.setText(
                trn(
                    "{n} merge of {total} selected",
                    "{n} merges of {total} selected",
                    n,
                    total=total,
                )
            )
            words = trn("Merge {n}", "Merge {n}", n) if n else tr("Merge")
        self.merge_button.setText(words)
        self.merge_button.setEnabled(n > 0)

    def _merge(self) -> None:
        (self.never_wanted if self._keeps_apart else self.merge_wanted).emit(self.ticked())
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


class ModelVerdicts(QObject):
    """Asks a model about clusters one after another; emits `answered` with each verdict."""

    answered = Signal(object)

    def __init__(self, context: SessionContext, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._left: list[DuplicateCluster] = []
        self._n_asked = 0

    @property
    def is_busy(self) -> bool:
        return bool(self._left)

    def stop(self) -> None:
        """Stop after the answer that is being written."""
        self._left = self._left[:1]

    def ask(self, clusters: Sequence[DuplicateCluster]) -> None:
        """Ask about these clusters, unless a run is in progress."""
        if self._left or not clusters:
            return
        self._left, self._n_asked = list(clusters[:MOST_ASKED]), 0
        self._context.messages.show(
            trn(
                "Asking the chat model about {n} suggestion…",
                "Asking the chat model about {n} suggestions…",
                len(self._left),
            )
        )
        self._next()

    def _next(self) -> None:
        cluster, context = self._left[0], self._context
        if any(member.sentences for member in cluster.members):
            self._ask_model(cluster)
        else:
            fetch = context.duplicates.fetch_evidence
            self._run(context.duplicates_lane, fetch, cluster, self._ask_model)

    def _ask_model(self, cluster: DuplicateCluster) -> None:
        context = self._context
        self._run(context.model_lane, context.ask_about_duplicates, cluster, self._take)

    def _take(self, cluster: DuplicateCluster) -> None:
        self.answered.emit(cluster)
        self._n_asked += 1
        self._left = self._left[1:]
        if self._left:
            self._next()
        elif self._n_asked > 1:
            message = trn(
                "The chat model was asked about {n} suggestion.",
                "The chat model was asked about {n} suggestions.",
                self._n_asked,
            )
            self._context.messages.show(message, kind="ok")

    def _run(
        self,
        lane: Lane,
        fn: Callable[..., Any],
        cluster: DuplicateCluster,
        then: Callable[[DuplicateCluster], None],
    ) -> None:
        def fail(error: BaseException) -> None:
            self._left = []
            self._context.messages.show_error(error)

        Query(lane, fn, cluster, owner=self).on_success(then).on_error(fail).run()
