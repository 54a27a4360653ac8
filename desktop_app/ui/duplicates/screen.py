"""The merge desk: clusters to decide on, automatic merges, and ambiguous mentions.

Owns the step from one cluster to the next and the decisions. Each decision is an edit of
`ui/editing`, with a message that offers undo. The list changes by what the person does: clusters
go when they are decided, here or elsewhere, and come back when that is undone. It is computed
again only on request, and marked as outdated when the graph has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.graph.names import split_sense
from desktop_app.engine.services.duplicates import VERY_LIKELY, AutomaticMerge, DuplicateCluster
from desktop_app.engine.services.editing.previews import MergePreview
from desktop_app.engine.services.provenance import AmbiguousName
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..editing.entity_menu import EntityMenu
from ..translation import later, tr, trn
from ..widgets import (
    ChoiceBox,
    ElidedLabel,
    EmptyState,
    Hairline,
    Skeleton,
    add_shortcut,
    build_column,
    build_row,
    build_splitter,
    format_number,
)
from ..widgets.layout import HeadTabs, order_tabs
from .ambiguous_mentions import AmbiguousMentionsView
from .automatic_merges import AutomaticMergesView
from .cluster_list import ClusterList
from .cluster_page import ClusterPage, SeveralPage
from .decisions import MergeManyDialog, ModelVerdicts

PARTS = (later("To decide"), later("Merged automatically"), later("Ambiguous mentions"))
TO_DECIDE, AUTOMATIC, AMBIGUOUS = range(3)
HEIGHT = 51
NARROW = 720  # pixels of width of the screen
TIGHT = 560  # pixels, below which the list is above the page
LIST_WIDTH = 320  # pixels, in wider ones
CERTAINTY = 0.5  # at first; from it follows the number of clusters
SETTLE_MS = 3000


class PartChoice(QWidget):
    """The parts of the screen as tabs, or as a drop-down box where the tabs don't fit."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.tabs, self.box = HeadTabs(self), ChoiceBox(self)
        for part in (self.tabs, self.box):
            part.setAccessibleName(tr("Parts of the merge desk"))
        for words in PARTS:
            self.tabs.addTab(tr(words))
            self.box.addItem(tr(words))
        self.box.setSizeAdjustPolicy(
            ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.box.setMinimumContentsLength(8)
        self.tabs.currentChanged.connect(self.box.setCurrentIndex)
        self.box.activated.connect(self.tabs.setCurrentIndex)
        build_row((self.tabs, 1), (self.box, 1), parent=self, spacing=0)
        self.setMinimumWidth(80)
        self._choose()

    def set_text(self, part: int, words: str) -> None:
        self.tabs.setTabText(part, words)
        self.tabs.setTabToolTip(part, words)
        self.box.setItemText(part, words)
        self._choose()

    def whole_width(self) -> int:
        """Return the width at which no tab is cut."""
        beside = 26  # the padding of a tab
        texts = [self.tabs.tabText(part) for part in range(len(PARTS))]
        metrics = self.tabs.fontMetrics()
        return sum(metrics.horizontalAdvance(text) + beside for text in texts)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._choose()

    def _choose(self) -> None:
        is_wide = self.width() >= self.whole_width()
        self.tabs.setVisible(is_wide)
        self.box.setVisible(not is_wide)


class MergeDesk(QWidget):
    """The merge desk.

    `counted` emits the number of clusters for the sidebar, and whether they are those of an older
    graph; `searching` that a search in the background is not needed any more.
    """

    open_passage = Signal(int, int, int)
    open_entity = Signal(int)
    counted = Signal(int, bool)
    searching = Signal()

    def __init__(self, context: SessionContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._certainty = CERTAINTY
        self._stale = True
        self._searching = False
        self._deciding: list[tuple[DuplicateCluster, int]] = []  # with their rows
        self._decided: list[tuple[DuplicateCluster, int]] = []
        self._since = 0.0
        self.menu = EntityMenu(context, self)
        self.verdicts = ModelVerdicts(context, self)
        self.setObjectName("screenBody")
        self._build()
        self._connect()
        self._add_shortcuts()
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
        searching = tr("Comparing all names of the library…")
        self.skeleton = Skeleton(theme, self, words=searching)
        self.several = SeveralPage(theme, self)
        self.pages = QStackedWidget(self)
        for page in (self.empty, self.page, self.several, self.skeleton):
            self.pages.addWidget(page)
        self.automatic = AutomaticMergesView(theme, self)
        self.ambiguous = AmbiguousMentionsView(theme, self)
        self.parts = QStackedWidget(self)
        self.splitter = build_splitter(self.list, self.pages, sizes=(LIST_WIDTH, 720))
        self._is_narrow = self._is_tight = False
        for part in (self.splitter, self.automatic, self.ambiguous):
            self.parts.addWidget(part)
        self.part_choice = PartChoice(self)
        self.tabs = self.part_choice.tabs
        buttons = (self.list.search_button, self.list.more_button)
        bar = QWidget(self)
        bar.setFixedHeight(HEIGHT)
        self.title = ElidedLabel(tr("Merge desk"), "title")
        self.title.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        build_row(
            *(self.title, 8, (self.part_choice, 1), *buttons),
            parent=bar,
            spacing=8,
            margins=(16, 0, 8, 0),
        )
        order_tabs(
            (
                self.tabs,
                self.part_choice.box,
                *buttons,
                self.list.search,
                self.list.view,
                self.page.about_button,
            )
        )
        build_column(bar, Hairline(parent=self), (self.parts, 1), parent=self, spacing=0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.width() < self._context.theme.length(NARROW)
        self.list.fit(narrow=is_narrow)
        is_tight = self.width() < self._context.theme.length(TIGHT)
        if (is_narrow, is_tight) != (self._is_narrow, self._is_tight):
            self._is_narrow, self._is_tight = is_narrow, is_tight
            self._share_room()
        # the sidebar says where one is; the names of the parts are needed more than the title
        room = self.width() - self.title.sizeHint().width() - self.list.search_button.width()
        self.title.setVisible(room > self.part_choice.whole_width() + 120)

    def _share_room(self) -> None:
        """Leave the room to the page: in a narrow window the evidence has none beside a list.

        The names of a suggestion fit at the least width of the list. In a tight one, as beside the
        reader, the list is above the page.
        """
        directions = Qt.Orientation
        self.splitter.setOrientation(
            directions.Vertical if self._is_tight else directions.Horizontal
        )
        wanted = self.list.minimumWidth() if self._is_narrow else LIST_WIDTH
        rest = self.width() - wanted
        if self._is_tight:
            wanted = self.height() // 4
            rest = self.height() - wanted
        self.splitter.setSizes([wanted, max(1, rest)])

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(self.show_part)
        self.list.chosen.connect(self._show_cluster)
        self.list.several_chosen.connect(self._show_several)
        self.several.merge_wanted.connect(self._merge_selected)
        self.several.never_wanted.connect(self._keep_selected_apart)
        self.list.filtered.connect(self._show_counts)
        self.list.search_wanted.connect(self.search_again)
        self.list.certainty_wanted.connect(self._set_certainty)
        self.list.ask_wanted.connect(self._ask_about_current)
        self.list.ask_all_wanted.connect(self.ask_about_all)
        self.list.many_wanted.connect(self.choose_very_likely)
        self.list.history_wanted.connect(self.menu.show_history)
        self.verdicts.answered.connect(self._replace)
        self.page.merge_wanted.connect(self._merge)
        self.page.never_wanted.connect(self._never_merge)
        self.page.skip_wanted.connect(self.list.go_on)
        self.page.about_wanted.connect(self._choose_about)
        self.page.preview_wanted.connect(self._preview)
        self.page.compare_wanted.connect(lambda rows: self.menu.compare(*rows))
        self.page.open_wanted.connect(self.open_entity)
        self.page.place_clicked.connect(self.open_passage)
        self.automatic.separation_wanted.connect(self._separate)
        self.automatic.sentences_wanted.connect(self._read_sentences)
        self.automatic.open_wanted.connect(self.open_entity)
        self.automatic.place_clicked.connect(self.open_passage)
        self.ambiguous.assigned.connect(self._assign_mentions)
        self.ambiguous.place_clicked.connect(self.open_passage)
        self.menu.open_wanted.connect(self.open_entity)
        self.menu.place_wanted.connect(self.open_passage)

    def _add_shortcuts(self) -> None:
        def on_clusters(act: Callable[[], None]) -> Callable[[], None]:
            return lambda: act() if self.part == TO_DECIDE else None

        def skip() -> None:
            if self.part == AMBIGUOUS:
                self.ambiguous.skip()
            elif self.part == TO_DECIDE:
                self.list.go_on()

        def press(number: int) -> None:
            (self.page.toggle, self.automatic.separate, self.ambiguous.answer)[self.part](number)

        def step(by: int) -> None:
            self.tabs.setCurrentIndex((self.part + by) % len(PARTS))

        for keys, act, words in (
            ("Ctrl+Return", on_clusters(self._press_merge), tr("Merge these names")),
            ("Ctrl+Shift+Return", on_clusters(self._choose_about), tr("Merge several")),
            ("Ctrl+D", on_clusters(self._press_never), tr("Never merge these")),
            ("Ctrl+Shift+M", on_clusters(self.page.compare), tr("Compare these names")),
            ("Ctrl+J", skip, tr("Decide later")),
            ("Ctrl+R", self.search_again, tr("Look for duplicates again")),
            ("Ctrl+PgDown", lambda: step(1), tr("Next list")),
            ("Ctrl+PgUp", lambda: step(-1), tr("Previous list")),
        ):
            add_shortcut(self, keys, act, words)
        add_shortcut(self, "Alt+0", on_clusters(self.page.toggle_all), tr("Select all or none"))
        for number in range(9):
            add_shortcut(self, f"Alt+{number + 1}", partial(press, number))  # not shown

    @property
    def is_outdated(self) -> bool:
        """Whether the clusters are those of an older graph."""
        return self._stale

    # --- parts ------------------------------------------------------------------------------

    @property
    def part(self) -> int:
        return self.tabs.currentIndex()

    def show_part(self, part: int) -> None:
        """Show the clusters, the automatic merges, or the ambiguous mentions."""
        self.tabs.setCurrentIndex(part)
        self.parts.setCurrentIndex(part)
        self.list.more_button.setVisible(part == TO_DECIDE)
        (self.list.view, self.automatic.list, self.ambiguous)[part].setFocus()

    # --- searching --------------------------------------------------------------------------

    def search_again(self) -> None:
        """Search for the person, who may expect more than a model had the time for before."""
        self.search(anew=True)

    def search(self, *, anew: bool = False) -> None:
        """Show the clusters of the present graph, found in the background if it has changed."""
        if self._searching:
            return
        self.searching.emit()
        self._searching, self._stale = True, False
        self.list.show_outdated(False)
        self.list.search_button.setEnabled(False)
        if not self.model.n_all:
            self.pages.setCurrentWidget(self.skeleton)
            self.skeleton.start()
        query = Query(
            self._context.duplicates_lane,
            self._context.duplicates.find,
            certainty=self._certainty,
            since=self._since,
            anew=anew,
            owner=self,
        )
        query.on_success(self._show).on_success(self._keep)
        query.on_error(self._fail).on_end(self._end_search).run()

    def _keep(self, _: object) -> None:
        """Store what was found, after it is shown; in the lane that may wait for indexing."""
        Query(self._context.writer_lane, self._context.duplicates.keep, owner=self).run()

    def _read_parts(self) -> None:
        """Read the automatic merges and the ambiguous mentions."""

        def show_automatic(rows: list[AutomaticMerge]) -> None:
            self.automatic.set_rows(rows)
            self._show_counts()

        def show_ambiguous(names: list[AmbiguousName]) -> None:
            self.ambiguous.set_names(names)
            self._show_counts()

        context = self._context
        automatic = Query(
            context.duplicates_lane, context.duplicates.list_automatic_merges, owner=self
        )
        automatic.on_success(show_automatic).run()
        ambiguous = Query(
            context.reader_lane, context.library_reader.list_ambiguous_names, owner=self
        )
        ambiguous.on_success(show_ambiguous).run()

    def _read_sentences(self, one: AutomaticMerge) -> None:
        fetch, lane = self._context.duplicates.fetch_joined_sentences, self._context.duplicates_lane
        Query(lane, fetch, one, owner=self).on_success(self.automatic.show_sentences).run()

    def _end_search(self) -> None:
        self._searching = False
        self.list.search_button.setEnabled(True)
        self.skeleton.stop()
        self._read_parts()  # after the sentences of the first cluster were asked for

    def _fail(self, error: BaseException) -> None:
        self.empty.set_texts(tr("The search failed"), tr("Try again, or see the log."))
        self.pages.setCurrentWidget(self.empty)
        self._context.messages.show_error(error)

    def _show(self, clusters: list[DuplicateCluster]) -> None:
        self._searching = False
        self._decided.clear()
        deciding = {one.ids for one, _ in self._deciding}
        clusters = [one for one in clusters if one.ids not in deciding]
        before = self.page.cluster.ids if self.page.cluster is not None else ()
        self.model.set_clusters(clusters)
        self._since = max((one.newest_at for one in clusters), default=self._since)
        self._show_counts()
        self.list.select(self.model.find_row(before))

    def _show_counts(self) -> None:
        """Show the counts on the tabs and emit the total for the sidebar."""
        n, n_ambiguous = self.model.n_all, self.ambiguous.n_questions
        for part, count in enumerate((n, self.automatic.model.n_names, n_ambiguous)):
            words = tr(PARTS[part])
            words = f"{words}  {format_number(count)}" if count else words
            self.part_choice.set_text(part, words)
        self.counted.emit(n + n_ambiguous, self.is_outdated)
        if not self.model.rowCount() and not self._searching:
            if n:
                texts = (tr("No matching suggestions"), tr("Try another filter."))
            else:
                text = tr(
                    "Names that may be the same are suggested here after indexing. For more "
                    "suggestions, choose a looser setting."
                )
                texts = (tr("Nothing to merge"), text)
            self.empty.set_texts(*texts)
            self.pages.setCurrentWidget(self.empty)

    # --- one cluster ------------------------------------------------------------------------

    def _list_about(self) -> list[DuplicateCluster]:
        """Return all shown clusters with the same first member as the current one."""
        here = self.page.cluster.ids[:1] if self.page.cluster is not None else ()
        return [one for one in self.model.rows if one.ids[:1] == here]

    def _show_cluster(self, cluster: DuplicateCluster) -> None:
        self.pages.setCurrentWidget(self.page)
        self.page.show_cluster(cluster)
        self.page.offer_all(len(self._list_about()))
        if not any(member.sentences for member in cluster.members):
            fetch, lane = self._context.duplicates.fetch_evidence, self._context.duplicates_lane
            Query(lane, fetch, cluster, owner=self).on_success(self._replace).run()

    def _show_several(self, clusters: list[DuplicateCluster]) -> None:
        self.several.show_clusters(clusters)
        self.pages.setCurrentWidget(self.several)

    @property
    def shows_several(self) -> bool:
        """Whether several clusters are selected, on which one step decides."""
        return self.pages.currentWidget() is self.several

    def _press_merge(self) -> None:
        if self.shows_several:
            self._merge_selected()
        else:
            self.page.merge()

    def _press_never(self) -> None:
        if self.shows_several:
            self._keep_selected_apart()
        else:
            self.page.never()

    def _replace(self, cluster: DuplicateCluster) -> None:
        """Show a more detailed version of a cluster: with sentences, or with a model's verdict."""
        self.model.replace([cluster])
        if self.page.cluster is not None and self.page.cluster.ids == cluster.ids:
            self.page.show_cluster(cluster)

    def _preview(self, ids: list[int]) -> None:
        def show(preview: MergePreview) -> None:
            if [row.id for row in self.page.ticked()] == ids:
                self.page.show_preview(preview)

        lane, preview_merge = self._context.reader_lane, self._context.library_reader.preview_merge
        Query(lane, preview_merge, ids, owner=self).on_success(show).run()

    def _set_certainty(self, certainty: float) -> None:
        self._certainty = certainty
        self.search()

    # --- decisions --------------------------------------------------------------------------

    def _decide(
        self,
        clusters: Sequence[DuplicateCluster],
        edit: Callable[..., ChangeNotice],
        *args: object,
        message: str,
        **options: Any,
    ) -> None:
        """Remove clusters, run their decision, and bring them back if it fails."""
        removed = [(one, self.model.find_row(one.ids)) for one in clusters]
        self._deciding += removed
        row = self.list.view.currentIndex().row()
        self.page.cluster = None
        self.model.drop(clusters)
        self._show_counts()
        if self.page.cluster is None:
            self.list.select(row)

        def end() -> None:
            self._deciding = [one for one in self._deciding if one not in removed]

        def succeeded() -> None:
            end()
            self._decided += removed

        def failed() -> None:
            end()
            self._put_back(removed)

        run = self.menu.edits.run
        run(edit, *args, message=message, then=succeeded, failed=failed, **options)

    def _put_back(self, removed: Sequence[tuple[DuplicateCluster, int]]) -> None:
        for one, row in sorted(removed, key=lambda each: each[1]):
            self.model.put_back(one, row)
        self._show_counts()
        if self.page.cluster is None or self.pages.currentWidget() is not self.page:
            self.list.select(max(0, removed[0][1]))

    def _check_undecided(self, ids: Set[int]) -> None:
        """Remove clusters that were decided elsewhere; bring back those that were undone."""
        shown = self.model.find_clusters(ids)
        decided = [each for each in self._decided if not ids.isdisjoint(each[0].ids)]
        if not shown and not decided:
            return

        def show(undecided: list[DuplicateCluster]) -> None:
            now = {one.ids: one for one in undecided}
            here = self.page.cluster
            gone = [one for one in shown if one.ids not in now]
            row = self.list.view.currentIndex().row()
            self.model.drop(gone)
            self.model.replace(now[one.ids] for one in shown if one.ids in now)
            back = [(now[one.ids], row) for one, row in decided if one.ids in now]
            self._decided = [each for each in self._decided if each[0].ids not in now]
            self._decided += [(one, 0) for one in gone]
            if here is not None and any(one.ids == here.ids for one in gone):
                self.page.cluster = None
                self.list.select(row)
            if back:
                self._put_back(back)
            self._show_counts()

        clusters = [*shown, *(one for one, _ in decided)]
        fetch, lane = self._context.duplicates.list_undecided, self._context.duplicates_lane
        Query(lane, fetch, clusters, owner=self).on_success(show).run()

    def _merge(self, ids: list[int], name: str) -> None:
        message = trn(
            "Merged {n} name into “{name}”", "Merged {n} names into “{name}”", len(ids), name=name
        )
        merge = self._context.editing.merge
        self._decide(self._list_current(), merge, ids[0], ids[1:], name=name, message=message)

    def _never_merge(self, ids: list[int]) -> None:
        message = trn("{n} name will not be merged", "{n} names will not be merged", len(ids))
        self._decide(self._list_current(), self._context.editing.never_merge, ids, message=message)

    def _list_current(self) -> list[DuplicateCluster]:
        return [self.page.cluster] if self.page.cluster is not None else []

    def choose_very_likely(self) -> None:
        """Offer to merge all clusters of the list that are very likely."""
        if likely := [one for one in self.model.rows if one.likelihood == VERY_LIKELY]:
            self._offer(tr("Merge very likely duplicates"), likely)
        else:
            self._context.messages.show(tr("None of these is very likely. Decide one by one."))

    def _choose_about(self) -> None:
        """Offer to merge all clusters with the same first member as the current one."""
        if clusters := self._list_about():
            name = clusters[0].members[0].entity.name
            self._offer(tr("Merge into “{name}”", name=name), clusters)

    def _offer(self, title: str, clusters: Sequence[DuplicateCluster]) -> None:
        dialog = MergeManyDialog(title, clusters, self)
        dialog.merge_wanted.connect(self._merge_many)
        self.menu.open_sheet(dialog)

    def _merge_selected(self) -> None:
        title = tr("Merge the selected suggestions")
        dialog = MergeManyDialog(title, self.list.selected, self, checks_all=True)
        dialog.merge_wanted.connect(self._merge_many)
        self.menu.open_sheet(dialog)

    def _keep_selected_apart(self) -> None:
        title = tr("Never merge the selected suggestions")
        dialog = MergeManyDialog(title, self.list.selected, self, keeps_apart=True, checks_all=True)
        dialog.never_wanted.connect(self._never_merge_many)
        self.menu.open_sheet(dialog)

    def _never_merge_many(self, clusters: list[DuplicateCluster]) -> None:
        n = len({entity_id for one in clusters for entity_id in one.ids})
        message = trn("{n} name will not be merged", "{n} names will not be merged", n)
        groups = [list(one.ids) for one in clusters]
        self._decide(clusters, self._context.editing.never_merge_many, groups, message=message)

    def _merge_many(self, clusters: list[DuplicateCluster]) -> None:
        groups: dict[int, tuple[list[int], str]] = {}
        for one in clusters:
            others, _ = groups.setdefault(one.ids[0], ([], one.names_to_keep[0]))
            others += one.ids[1:]
        message = trn(
            "Merged {n} name into {into}",
            "Merged {n} names into {into}",
            sum(len(others) + 1 for others, _ in groups.values()),
            into=trn("{n} name", "{n} names", len(groups)),
        )
        merges = [(first, others, name) for first, (others, name) in groups.items()]
        self._decide(clusters, self._context.editing.merge_many, merges, message=message)

    def _separate(self, entity_id: int, key: str) -> None:
        """Separate a name that was merged automatically."""
        message = tr("“{name}” is a separate name again", name=split_sense(key)[0])
        remove = self._context.editing.remove_alias
        self.menu.edits.run(remove, entity_id, key, message=message, then=self._read_parts)

    def _assign_mentions(self, mention_ids: list[int], entity_id: int) -> None:
        """Assign mentions of a split name to the chosen entity."""
        message = trn("{n} mention assigned", "{n} mentions assigned", len(mention_ids))
        assign = self._context.editing.assign_mentions
        self.menu.edits.run(assign, mention_ids, entity_id, message=message)
        self._show_counts()

    def _ask_about_current(self) -> None:
        if self.page.cluster is not None:
            self.verdicts.ask([self.page.cluster])

    def ask_about_all(self) -> None:
        """Ask a model about every cluster of the list; a second call stops the run."""
        if self.verdicts.is_busy:
            self.verdicts.stop()
        else:
            self.verdicts.ask([one for one in self.model.rows if one.asked is None])

    # --- changes ----------------------------------------------------------------------------

    def _hub_changed(self, change: ChangeNotice) -> None:
        if change.entities:
            self._stale = True
            self.list.show_outdated(True)
            self._check_undecided(change.entities)
            self._later.start()

    def _catch_up(self) -> None:
        """Search where there is no list yet, which the person could be working on."""
        is_empty = not self.model.n_all and not self._deciding and not self._decided
        if self._stale and is_empty and self.isVisible():
            self.search()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._catch_up()
