"""The merge desk: clusters to decide on, automatic merges, and ambiguous mentions.

Owns the step from one cluster to the next and the time of a new search. Merging itself
belongs to `ui/editing`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.services.duplicates import AutomaticMerge, DuplicateCluster
from desktop_app.engine.services.provenance import AmbiguousName
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..editing.entity_menu import EntityMenu
from ..language import later, tr
from ..widgets import EmptyState, Hairline, Label, Skeleton, add_shortcut, format_number
from ..widgets.layout import order_tabs
from .ambiguous_mentions import AmbiguousMentionsView
from .automatic_merges import AutomaticMergesView
from .cluster_list import ClusterList
from .cluster_page import ClusterPage
from .decisions import ClusterDecisions, ModelVerdicts

PARTS = (later("To decide"), later("Made one on their own"), later("Who is meant?"))
TO_DECIDE, JOINED, DOUBTFUL = range(3)
HEIGHT = 51


class MergeDeskToolbar(QWidget):
    """Emits `part_changed` with one of TO_DECIDE, JOINED, DOUBTFUL."""

    part_changed = Signal(int)

    def __init__(self, buttons: Sequence[QWidget], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(HEIGHT)
        self.tabs = QTabBar(self)
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setAccessibleName(tr("Parts of the merge desk"))
        for words in PARTS:
            self.tabs.addTab(tr(words))
        self.tabs.currentChanged.connect(self.part_changed)
        row = QHBoxLayout(self, spacing=8)
        row.setContentsMargins(16, 0, 8, 0)
        row.addWidget(Label(tr("Merge desk"), "title", self))
        row.addSpacing(8)
        row.addWidget(
            self.tabs, 1
        )  # uses all free width, because its size hint lags behind the counts
        for button in buttons:
            row.addWidget(button)

    @property
    def part(self) -> int:
        return self.tabs.currentIndex()

    def set_part(self, part: int) -> None:
        self.tabs.setCurrentIndex(part)

    def step(self, by: int) -> None:
        """Switch to the next or previous part, cyclically."""
        self.tabs.setCurrentIndex((self.part + by) % len(PARTS))

    def set_counts(self, counts: Sequence[int]) -> None:
        """Show the number of entries of each part."""
        for part, (words, n) in enumerate(zip(PARTS, counts, strict=True)):
            self.tabs.setTabText(part, f"{tr(words)}  {format_number(n)}" if n else tr(words))


CERTAINTY = 0.5  # at first, the number of clusters
SETTLE_MS = 3000


class MergeDesk(QWidget):
    """The merge desk; `counted` emits the number of clusters for the sidebar."""

    open_passage = Signal(int, int, int)
    open_entity = Signal(int)
    counted = Signal(int)

    def __init__(self, context: SessionContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._certainty = CERTAINTY
        self._stale = True
        self._looking = False
        self._since = 0.0
        self.menu = EntityMenu(context, self)
        self.asking = ModelVerdicts(context, self)
        self.deciding = ClusterDecisions(context, self)
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
        self._context.messages.keep_clear(self.page.foot)
        self.empty = EmptyState(theme, "names", tr("Nothing to merge"), parent=self)
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
        self.joined = AutomaticMergesView(theme, self)
        self.doubtful = AmbiguousMentionsView(theme, self)
        self.parts = QStackedWidget(self)
        for part in (splitter, self.joined, self.doubtful):
            self.parts.addWidget(part)
        whole = QVBoxLayout(self, spacing=0)
        whole.setContentsMargins(0, 0, 0, 0)
        buttons = [self.list.look_button, self.list.more_button]
        self.tabs = MergeDeskToolbar(buttons, self)
        stops = (*buttons, self.list.search, self.list.view, self.page.about_button)
        order_tabs((self.tabs.tabs, *stops))
        whole.addWidget(self.tabs)
        whole.addWidget(Hairline(parent=self))
        whole.addWidget(self.parts, 1)
        self._join()

    def _join(self) -> None:
        self.tabs.part_changed.connect(self.show_part)
        self.list.chosen.connect(self._show_cluster)
        self.list.filtered.connect(self.say_count)
        self.list.look_wanted.connect(self.look)
        self.list.certainty_wanted.connect(self._set_certainty)
        self.list.ask_wanted.connect(self.asking.ask_one)
        self.list.ask_all_wanted.connect(self.asking.ask_all)
        self.list.many_wanted.connect(self.deciding.choose_many)
        self.list.history_wanted.connect(lambda: self.menu.show_history())
        self.page.merge_wanted.connect(self.deciding.merge)
        self.page.never_wanted.connect(self.deciding.never_merge)
        self.page.skip_wanted.connect(self.list.go_on)
        self.page.about_wanted.connect(self.deciding.choose_about)
        self.page.preview_wanted.connect(self._preview)
        self.page.compare_wanted.connect(lambda rows: self.menu.compare(*rows))
        self.joined.apart_wanted.connect(self.deciding.take_apart)
        self.joined.sentences_wanted.connect(self._read_joined)
        self.doubtful.assigned.connect(self.deciding.assign_mentions)
        for part in (self.page, self.joined):
            part.open_wanted.connect(self.open_entity)
        for part in (self.page, self.joined, self.doubtful):
            part.place_clicked.connect(self.open_passage)
        self.menu.open_wanted.connect(self.open_entity)
        self.menu.place_wanted.connect(self.open_passage)
        here, choose = self._here, self.deciding.choose_about
        for keys, act, words in (
            ("Ctrl+Return", lambda: here(self.page.merge), tr("Merge these names")),
            ("Ctrl+Shift+Return", lambda: here(choose), tr("Merge, with choices")),
            ("Ctrl+D", lambda: here(self.page.never), tr("Never merge these")),
            ("Ctrl+Shift+M", lambda: here(self.page.compare), tr("Compare these names")),
            ("Ctrl+J", lambda: here(self.list.go_on, skip=self.doubtful.skip), tr("Go on")),
            ("Ctrl+R", self.look, tr("Look again")),
            ("Ctrl+PgDown", lambda: self.tabs.step(1), tr("Next list")),
            ("Ctrl+PgUp", lambda: self.tabs.step(-1), tr("Previous list")),
        ):
            add_shortcut(self, keys, act, words)
        for number in range(9):
            add_shortcut(self, f"Alt+{number + 1}", lambda n=number: self._press(n))  # not shown

    # --- parts ------------------------------------------------------------------------------

    @property
    def part(self) -> int:
        return self.tabs.part

    def show_part(self, part: int) -> None:
        """Show the clusters, the automatic merges, or the ambiguous mentions."""
        self.tabs.set_part(part)
        self.parts.setCurrentIndex(part)
        self.list.more_button.setVisible(part == TO_DECIDE)
        {JOINED: self.joined.list, DOUBTFUL: self.doubtful}.get(part, self.list.view).setFocus()

    def _here(self, act: Callable[[], None], skip: Callable[[], None] | None = None) -> None:
        """Call the handler of a key for the part that is shown."""
        if self.part == TO_DECIDE:
            act()
        elif self.part == DOUBTFUL and skip is not None:
            skip()

    def _press(self, number: int) -> None:
        press = (self.page.toggle, self.joined.take_apart, self.doubtful.answer)
        press[self.part](number)

    # --- looking ----------------------------------------------------------------------------

    def look(self) -> None:
        """Search for clusters again, in the background."""
        if self._looking:
            return
        self._looking, self._stale = True, False
        self.list.look_button.setEnabled(False)
        if not self.model.n_all:
            self.pages.setCurrentWidget(self.skeleton)
            self.skeleton.start()
        duplicates = self._context.duplicates
        query = Query(
            self._context.duplicates_lane,
            duplicates.find,
            certainty=self._certainty,
            since=self._since,
            owner=self,
        )
        query.on_success(self._show).on_error(self._failed).on_end(self._looked).run()
        self.read_parts()

    def read_parts(self) -> None:
        """Read the automatic merges and the ambiguous mentions."""
        lane = self._context.duplicates_lane
        joined = Query(lane, self._context.duplicates.list_automatic_merges, owner=self)
        joined.on_success(self._show_joined).run()
        reader, library_reader = self._context.reader_lane, self._context.library_reader
        doubtful = Query(reader, library_reader.list_ambiguous_names, owner=self)
        doubtful.on_success(self._show_doubtful).run()

    def _show_joined(self, rows: list[AutomaticMerge]) -> None:
        self.joined.set_rows(rows)
        self.say_count()

    def _show_doubtful(self, names: list[AmbiguousName]) -> None:
        self.doubtful.set_names(names)
        self.say_count()

    def _read_joined(self, one: AutomaticMerge) -> None:
        fetch, lane = self._context.duplicates.fetch_joined_sentences, self._context.duplicates_lane
        Query(lane, fetch, one, owner=self).on_success(self.joined.show_sentences).run()

    def _looked(self) -> None:
        self._looking = False
        self.list.look_button.setEnabled(True)
        self.skeleton.stop()

    def _failed(self, error: BaseException) -> None:
        self.empty.set_texts(tr("The search failed"), tr("Look again; the log says more."))
        self.pages.setCurrentWidget(self.empty)
        self._context.messages.show_error(error)

    def _show(self, clusters: list[DuplicateCluster]) -> None:
        self._looking = False
        before = self.page.cluster.ids if self.page.cluster is not None else ()
        self.model.set_clusters(clusters)
        self._since = max((one.newest_at for one in clusters), default=self._since)
        self.say_count()
        self.list.select(self.model.find_row(before))

    def say_count(self) -> None:
        """Show the counts on the tabs and emit the total for the sidebar."""
        n = self.model.n_all
        self.tabs.set_counts((n, self.joined.model.n_names, self.doubtful.n_questions))
        self.counted.emit(n + self.doubtful.n_questions)
        if not self.model.rowCount() and not self._looking:
            self.empty.set_texts(
                tr("Nothing to merge" if not n else "No such cluster"),
                tr(
                    "No names look like one. Set it looser to see more, or merge by hand on Names."
                    if not n
                    else "Try another filter."
                ),
            )
            self.pages.setCurrentWidget(self.empty)

    # --- one cluster ------------------------------------------------------------------------

    def list_about(self) -> list[DuplicateCluster]:
        """Return all shown clusters with the same first member as the current one."""
        here = self.page.cluster.ids[:1] if self.page.cluster is not None else ()
        return [one for one in self.model.shown() if one.ids[:1] == here]

    def _show_cluster(self, cluster: DuplicateCluster) -> None:
        self.pages.setCurrentWidget(self.page)
        self.page.show_cluster(cluster)
        self.page.say_more(len(self.list_about()))
        if not any(member.sentences for member in cluster.members):
            fetch, lane = self._context.duplicates.fetch_evidence, self._context.duplicates_lane
            query = Query(lane, fetch, cluster, owner=self)
            query.on_success(self.replace).run()

    def replace(self, cluster: DuplicateCluster) -> None:
        """Show a more detailed version of a cluster: with sentences, or with a model's verdict."""
        self.model.replace(cluster)
        if self.page.cluster is not None and self.page.cluster.ids == cluster.ids:
            self.page.show_cluster(cluster)

    def _preview(self, ids: list[int]) -> None:
        query = Query(
            self._context.reader_lane, self._context.library_reader.preview_merge, ids, owner=self
        )

        def show(preview) -> None:
            if [row.id for row in self.page.ticked()] == ids:
                self.page.show_preview(preview)

        query.on_success(show).run()

    def drop(self, ids: set[int]) -> None:
        """Remove decided clusters and go to the next one."""
        row = self.list.view.currentIndex().row()
        self.page.cluster = None
        self.model.drop(ids)
        self.say_count()
        self.list.select(row)

    def _set_certainty(self, certainty: float) -> None:
        self._certainty = certainty
        self.look()

    # --- keeping up -------------------------------------------------------------------------

    def _hub_changed(self, change: ChangeSet) -> None:
        if change.entities:
            self._stale = True
            self._later.start()

    def _catch_up(self) -> None:
        if self._stale and self.isVisible():
            self.look()

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._catch_up()
