"""Asks the chat model about clusters, one after the other; its answer stands beside the reasons.

Owns the queue of those still to be asked. Decides nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_app.engine.services.duplicates import DuplicateCluster
from desktop_app.ui.context import Context
from desktop_app.ui.language import trn
from desktop_app.workers.operations import Query

if TYPE_CHECKING:
    from .screen import MergeDesk

MOST = 200  # clusters of one round


class AskingModel(QObject):
    """Asks about the cluster that is shown, or about all of the list until the model fails."""

    def __init__(self, context: Context, desk: MergeDesk) -> None:
        super().__init__(desk)
        self._context, self._desk = context, desk
        self._left: list[DuplicateCluster] = []
        self._n_asked = 0

    @property
    def is_busy(self) -> bool:
        return bool(self._left)

    def ask_one(self) -> None:
        """Ask about the cluster that is shown."""
        if (cluster := self._desk.page.cluster) is not None:
            self._ask([cluster])

    def ask_all(self) -> None:
        """Ask about every cluster of the list that was not asked about; a second time stops."""
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
            self._run(self._context.desk_lane, fetch, cluster, self._fetched)

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
            told = trn(
                "The chat model was asked about {n} cluster.",
                "The chat model was asked about {n} clusters.",
                self._n_asked,
            )
            self._context.messages.show(told, kind="ok")

    def _failed(self, error: BaseException) -> None:
        self._left = []
        self._context.messages.show_error(error)

    def _run(self, lane, fn, cluster: DuplicateCluster, then) -> None:
        Query(lane, fn, cluster, owner=self).on_success(then).on_error(self._failed).run()
