"""The merge desk: a list of clusters at the left, the chosen one side by side at the right.

Owns the way from one cluster to the next and when clusters are looked for again. What a merge
is belongs to `ui/editing`.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.services.duplicates import DuplicateCluster
from desktop_app.ui.context import Context
from desktop_app.ui.editing.entity_menu import EntityMenu
from desktop_app.ui.widgets import EmptyState, Skeleton, add_shortcut, plural
from desktop_app.workers.operations import Query

from .cluster_list import ClusterList
from .cluster_page import ClusterPage

CERTAINTY = 0.5  # of a cluster, at first
SETTLE_MS = 3000


class MergeDesk(QWidget):
    """`counted` tells how many clusters there are, for the sidebar."""

    open_passage = Signal(int, int, int)
    open_entity = Signal(int)
    counted = Signal(int)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._certainty = CERTAINTY
        self._stale = True
        self._looking = False
        self._since = 0.0
        self.menu = EntityMenu(context, self)
        self.setObjectName("screenBody")
        self._build()
        self._later = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._later.timeout.connect(self._catch_up)
        context.hub.changed.connect(self._hub_changed)

    def _build(self) -> None:
        theme = self._context.theme
        self.list = ClusterList(theme, self._certainty, self)
        self.model = self.list.model
        self.page = ClusterPage(theme, self)
        self.empty = EmptyState(theme, "names", "Nothing to merge", parent=self)
        self.skeleton = Skeleton(theme, self)
        self.pages = QStackedWidget(self)
        for page in (self.empty, self.page, self.skeleton):
            self.pages.addWidget(page)
        splitter = QSplitter(Qt.Orientation.Horizontal, self)
        splitter.setHandleWidth(1)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.list)
        splitter.addWidget(self.pages)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([320, 720])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(splitter)
        self.list.chosen.connect(self._show_cluster)
        self.list.filtered.connect(self._say_count)
        self.list.look_wanted.connect(self.look)
        self.list.certainty_wanted.connect(self._set_certainty)
        self.list.ask_wanted.connect(self.ask_model)
        self.list.history_wanted.connect(self.menu.show_history)
        self.page.merge_wanted.connect(self._merge)
        self.page.never_wanted.connect(self._never)
        self.page.skip_wanted.connect(self.list.go_on)
        self.page.preview_wanted.connect(self._preview)
        self.page.place_clicked.connect(self.open_passage)
        self.page.open_wanted.connect(self.open_entity)
        for keys, act in (
            ("Ctrl+Return", self.page.merge),
            ("Ctrl+D", self.page.never),
            ("Ctrl+J", self.list.go_on),
            ("Ctrl+R", self.look),
        ):
            add_shortcut(self, keys, act)
        for number in range(9):
            add_shortcut(self, f"Alt+{number + 1}", lambda n=number: self.page.toggle(n))

    # --- looking ----------------------------------------------------------------------------

    def look(self) -> None:
        """Look for clusters again, in the background."""
        if self._looking:
            return
        self._looking, self._stale = True, False
        self.list.look_button.setEnabled(False)
        if not self.model.n_all:
            self.pages.setCurrentWidget(self.skeleton)
            self.skeleton.start()
        duplicates = self._context.duplicates
        query = Query(
            self._context.desk_lane,
            duplicates.find,
            certainty=self._certainty,
            since=self._since,
            owner=self,
        )
        query.on_success(self._show).on_error(self._failed).on_end(self._looked).run()

    def _looked(self) -> None:
        self._looking = False
        self.list.look_button.setEnabled(True)
        self.skeleton.stop()

    def _failed(self, error: BaseException) -> None:
        self.empty.set_texts("The search failed", "Look again; the log says more.")
        self.pages.setCurrentWidget(self.empty)
        self._context.messages.show_error(error)

    def _show(self, clusters: list[DuplicateCluster]) -> None:
        before = self.page.cluster.ids if self.page.cluster is not None else ()
        self.model.set_clusters(clusters)
        self._since = max((one.newest_at for one in clusters), default=self._since)
        self._say_count()
        self.list.select(self.model.find_row(before))

    def _say_count(self) -> None:
        n = self.model.n_all
        self.list.say_count()
        self.counted.emit(n)
        if not self.model.rowCount():
            self.empty.set_texts(
                "Nothing to merge" if not n else "No such cluster",
                "No names look like one. Set it looser to see more, or merge by hand on Names."
                if not n
                else "Try another filter.",
            )
            self.pages.setCurrentWidget(self.empty)

    # --- one cluster ------------------------------------------------------------------------

    def ask_model(self) -> None:
        """Ask the chat model whether the members are one; its answer stands beside the reasons."""
        cluster = self.page.cluster
        if cluster is None:
            return
        ask = self._context.ask_about_duplicates
        query = Query(self._context.model_lane, ask, cluster, owner=self)
        query.on_success(self._replace).on_error(self._context.messages.show_error).run()

    def _show_cluster(self, cluster: DuplicateCluster) -> None:
        self.pages.setCurrentWidget(self.page)
        self.page.show_cluster(cluster)
        if not any(member.sentences for member in cluster.members):
            fetch, lane = self._context.duplicates.fetch_evidence, self._context.desk_lane
            query = Query(lane, fetch, cluster, owner=self)
            query.on_success(self._replace).on_error(self._context.messages.show_error).run()

    def _replace(self, cluster: DuplicateCluster) -> None:
        self.model.replace(cluster)
        if self.page.cluster is not None and self.page.cluster.ids == cluster.ids:
            self.page.show_cluster(cluster)

    def _preview(self, ids: list[int]) -> None:
        query = Query(
            self._context.reader_lane, self._context.exploring.preview_merge, ids, owner=self
        )

        def show(preview) -> None:
            if [row.id for row in self.page.ticked()] == ids:
                self.page.show_preview(preview)

        query.on_success(show).run()

    # --- deciding ---------------------------------------------------------------------------

    def _merge(self, ids: list[int], name: str) -> None:
        told = f"Merged {plural(len(ids), 'name')} into “{name}”"
        editing = self._context.editing
        self.menu.edits.run(editing.merge, ids[0], ids[1:], name=name, told=told)
        self._decided(set(ids))

    def _never(self, ids: list[int]) -> None:
        told = f"{plural(len(ids), 'name')} stay apart"
        self.menu.edits.run(self._context.editing.never_merge, ids, told=told)
        self._decided(set(ids))

    def _decided(self, ids: set[int]) -> None:
        row = self.list.view.currentIndex().row()
        self.page.cluster = None
        self.model.drop(ids)
        self._say_count()
        self.list.select(row)

    def _set_certainty(self, certainty: float) -> None:
        self._certainty = certainty
        self.look()

    # --- keeping up -------------------------------------------------------------------------

    def _hub_changed(self, change: ChangeSet) -> None:
        if change.everything or change.entities or change.documents:
            self._stale = True
            self._later.start()

    def _catch_up(self) -> None:
        if self._stale and self.isVisible():
            self.look()

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._catch_up()
