"""The communities screen: the hierarchy at the left, the report of the selected one beside it.

Owns the selected community and when data is loaded again. `actions` runs the commands; requests
for other screens are signals.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QLocale, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.progress import Progress
from desktop_app.engine.scheduler import Priority
from desktop_app.workers.lane import Job
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets import (
    Button,
    ElidedLabel,
    EmptyState,
    Hairline,
    IconButton,
    Label,
    PrimaryButton,
    ProgressLine,
    Skeleton,
    add_shortcut,
    build_column,
    build_row,
    format_number,
)
from ..widgets.words import format_pace
from .actions import CommunityActions
from .community_tree import CommunityTree, read_community_tree
from .page import CommunityPage, PageContent, load_page_content
from .tree_panel import MAP, TreePanel

HEIGHT = 51


class CommunitiesToolbar(QWidget):
    """The toolbar; emits a signal for each command."""

    list_wanted = Signal()
    fresh_wanted = Signal()
    write_wanted = Signal()
    pause_wanted = Signal()
    resume_wanted = Signal()
    stop_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        theme.changed.connect(self._fit)
        self._fit()
        self.list_button = IconButton(theme, "sidebar", tr("All communities"), self)
        self.list_button.hide()
        self.title = Label(tr("Communities"), "title", self)
        self.count = ElidedLabel("", "muted", self)
        changed = tr("The graph has changed since the communities were found")
        self.fresh_button = Button(tr("Update"), self, theme=theme, icon="retry", tooltip=changed)
        self.fresh_button.hide()
        every = tr("Write reports for all communities, or for those that changed")
        self.write_button = Button(
            tr("Write reports…"), self, theme=theme, icon="ph.pen-nib", tooltip=every
        )
        self.work = QWidget(self)
        self.status = Label("", "small", self.work)
        self.line = ProgressLine(self.work)
        self.line.setFixedWidth(96)
        self.pause_button = IconButton(theme, "pause", tr("Pause writing"), self.work)
        self.resume_button = IconButton(theme, "play", tr("Resume writing"), self.work)
        self.stop_button = IconButton(theme, "stop", tr("Stop writing"), self.work)
        buttons = (self.pause_button, self.resume_button, self.stop_button)
        build_row(self.status, 4, self.line, *buttons, parent=self.work, spacing=4)
        self.work.hide()
        build_row(
            *(self.list_button, self.title, (self.count, 1), self.work),
            *(self.fresh_button, self.write_button),
            parent=self,
            margins=(16, 0, 12, 0),
        )
        self.list_button.clicked.connect(self.list_wanted)
        self.fresh_button.clicked.connect(self.fresh_wanted)
        self.write_button.clicked.connect(self.write_wanted)
        self.pause_button.clicked.connect(self.pause_wanted)
        self.resume_button.clicked.connect(self.resume_wanted)
        self.stop_button.clicked.connect(self.stop_wanted)

    def _fit(self) -> None:
        self.setFixedHeight(self._theme.length(HEIGHT))

    def set_community_tree(self, community_tree: CommunityTree) -> None:
        """Show the number of communities and of outdated reports."""
        parts = [tr("Groups of closely connected names")]
        if n := community_tree.n_real:
            levels = community_tree.n_levels
            if levels == 1:
                parts.append(trn("{n} in all", "{n} in all", n))
            else:
                parts.append(
                    tr("{n} in all, on {levels} levels", n=format_number(n), levels=levels)
                )
        if community_tree.n_written:
            parts.append(trn("{n} report", "{n} reports", community_tree.n_written))
        if community_tree.n_stale:
            parts.append(trn("{n} outdated", "{n} outdated", community_tree.n_stale))
        self.count.setText(" · ".join(parts))
        self.write_button.setVisible(n > 0)

    def show_work(
        self, state: str, progress: Progress | None, blocker: Priority | None = None
    ) -> None:
        """Show the state of report writing.

        Args:
            state: "running", "paused" or "idle".
            blocker: the more urgent work that it waits for.
        """
        self.work.setVisible(state != "idle")
        running = state == "running"
        self.pause_button.setVisible(running)
        self.resume_button.setVisible(state == "paused")
        if progress is None or not progress.total:
            self.line.set_share(None if running else 0.0)
            self.status.setText(tr("Writing…") if running else tr("Paused"))
            return
        self.line.set_share(progress.done / progress.total)
        done, total = format_number(progress.done), format_number(progress.total)
        status = tr("{done} of {total} written", done=done, total=total)
        left = format_pace(progress.left_s, blocker) if running else tr("Paused")
        self.status.setText(f"{status} · {left}" if left else status)


class CommunityPageLoader(QObject):
    """Loads pages in a lane: `loaded` gives the content, `failed` the error."""

    loaded = Signal(object)
    failed = Signal(object)
    place_found = Signal(int, int, int)

    def __init__(self, context: SessionContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context, self._work = context, context.communities
        self._job: Job | None = None
        self.wanted: int | None = None

    def read(self, number: int) -> None:
        """Load the page of a community; an earlier request that has not started is dropped."""
        self.wanted = number
        if self._job is not None:
            self._job.cancel()
        work = self._work
        is_chinese = QLocale().language() == QLocale.Language.Chinese
        language = "zh" if is_chinese else "en"
        query = Query(work.lane, load_page_content, work.reader, number, language, owner=self)

        def show(content: PageContent) -> None:
            if number == self.wanted:
                self.loaded.emit(content)

        def fail(error: BaseException) -> None:
            if number == self.wanted:
                self.wanted = None
                self.failed.emit(error)

        self._job = query.on_success(show).on_error(fail).run()

    def find_place(self, document_id: int, share: float) -> None:
        """Find the sentence of this community that is nearest to a position in a document."""
        work = self._work

        def report_place(place: tuple[int, int] | None) -> None:
            if place is not None:
                self.place_found.emit(document_id, *place)

        find = work.reader.find_place
        query = Query(work.lane, find, self.wanted, document_id, share, owner=self)
        query.on_success(report_place).run()


SETTLE_MS = 1500
TREE_WIDTH, MAP_WIDTH = 320, 520
NARROW = 660


class CommunitiesScreen(QWidget):
    """`show_community` opens one; `counted` gives the number of those in the list."""

    open_passage = Signal(int, int, int)
    open_entity = Signal(int)
    show_in_graph = Signal(object)
    color_wanted = Signal(object, int)
    ask_wanted = Signal(str, str)
    action_wanted = Signal(str)
    counted = Signal(int)

    def __init__(self, context: SessionContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._work = context.communities
        self._stale, self._page_stale = True, False
        self._reading = self._making = False
        self._was_read_in_sight = False
        self._was_narrow = False
        self._progress: Progress | None = None
        self.setObjectName("screenBody")
        self._build()
        self.commands = CommunityActions(context, self)
        self.reading = CommunityPageLoader(context, self)
        self._join()
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self._catch_up)
        self._work.refresh.ended.connect(self._made)
        context.hub.changed.connect(self._hub_changed)

    def _build(self) -> None:
        theme = self._context.theme
        self.head = CommunitiesToolbar(theme, self)
        self.left = TreePanel(theme, self)
        self.page = CommunityPage(theme, self)
        finding = tr("Finding groups of closely connected names…")
        self.skeleton = Skeleton(theme, self, row_height=46, words=finding)
        add = PrimaryButton(tr("Add files…"), theme=theme, icon="add-file")
        add.clicked.connect(lambda: self.action_wanted.emit("add_files"))
        nothing = tr(
            "A community is a group of closely connected names, with a report on what it is about."
            " Communities are found automatically when you add documents."
        )
        self.no_communities = EmptyState(
            theme, "communities", tr("No communities yet"), nothing, [add], parent=self
        )
        hint = tr("Its report is shown here, with the evidence.")
        self.no_selection = EmptyState(
            theme, "communities", tr("Select a community"), hint, parent=self
        )
        self.right = QStackedWidget(self)
        self.right.setMinimumWidth(300)
        self.reading_page = Skeleton(theme, self, words=tr("Loading the report…"))
        self.right.addWidget(self.no_selection)
        self.right.addWidget(self.reading_page)
        self.right.addWidget(self.page)
        self.splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.left)
        self.splitter.addWidget(self.right)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([TREE_WIDTH, 760])
        self.pages = QStackedWidget(self)
        for page in (self.skeleton, self.splitter, self.no_communities):
            self.pages.addWidget(page)
        build_column(self.head, Hairline(parent=self), (self.pages, 1), parent=self, spacing=0)
        self.setFocusProxy(self.left.tree)

    def _join(self) -> None:
        commands, page, runner = self.commands, self.page, self._work.runner
        commands.write_button = page.head.more_button
        self.left.chosen.connect(self._choose)
        self.left.menu_wanted.connect(self._show_menu)
        self.left.view_changed.connect(self._fit_view)
        page.head.command_wanted.connect(self.run_command)
        page.community_wanted.connect(self.show_community)
        page.place_clicked.connect(self.open_passage)
        page.tick_clicked.connect(self.reading.find_place)
        self.reading.place_found.connect(self.open_passage)
        self.reading.loaded.connect(self._show_page)
        self.reading.failed.connect(self._page_failed)
        page.name_clicked.connect(self.open_entity)
        page.name_double_clicked.connect(lambda number: self.show_in_graph.emit([number]))
        commands.graph_wanted.connect(self.show_in_graph)
        commands.color_wanted.connect(self.color_wanted)
        commands.ask_wanted.connect(self.ask_wanted)
        commands.community_wanted.connect(self.show_community)
        commands.entity_wanted.connect(self.open_entity)
        commands.place_wanted.connect(self.open_passage)
        self.head.fresh_wanted.connect(self.make)
        self.head.write_wanted.connect(commands.write_many)
        self.head.list_wanted.connect(lambda: self._want_list(self.left.isHidden()))
        runner.progressed.connect(self._show_progress)
        runner.state_changed.connect(self._show_state)

        def find() -> None:
            self._want_list(True)
            self.left.search.setFocus()

        for keys, words, act in (
            ("Ctrl+F", tr("Find a community"), find),
            ("Ctrl+M", tr("Switch between tree and map"), self.left.switch_view),
            ("Ctrl+Return", tr("Ask about this community"), lambda: self.run_command("ask")),
            ("Ctrl+R", tr("Update"), self.make),
        ):
            add_shortcut(self, keys, act, words)

    @property
    def community_id(self) -> int | None:
        """The community that is shown or being loaded."""
        return self.reading.wanted

    @property
    def community_tree(self) -> CommunityTree:
        return self.left.community_tree

    def show_community(self, number: int) -> None:
        """Show the report of a community and select it in the tree."""
        self.left.mark(number)
        self._choose(number)

    def run_command(self, command: str) -> None:
        """Run a command of the page for the community that is shown."""
        if self.page.content is not None and self.right.currentWidget() is self.page:
            self.commands.run(command, self.page.content.card, self.community_tree)

    def _choose(self, number: int) -> None:
        if self.right.currentWidget() is self.no_selection:  # else the last page stays until then
            self.reading_page.start()
            self.right.setCurrentWidget(self.reading_page)
        self.reading.read(number)
        self._want_list(False)

    def _show_page(self, content: PageContent) -> None:
        self._page_stale = False
        before = self.page.content
        self.page.show_content(content, self.community_tree)
        self.reading_page.stop()
        self.right.setCurrentWidget(self.page)
        if before is None or before.card.row.id != content.card.row.id:
            self.page.verticalScrollBar().setValue(0)

    def _page_failed(self, error: BaseException) -> None:
        self.reading_page.stop()
        self.right.setCurrentWidget(self.no_selection)
        if not self._stale:  # it was deleted and the tree is not updated yet
            self._context.messages.show_error(error)

    def _show_menu(self, number: int, at: QPoint) -> None:
        row = self.community_tree.rows.get(number)
        if row is not None:
            self.commands.build_menu(row, self.community_tree, self.community_id).popup(at)

    def _fit_view(self, view: int) -> None:
        """Give the map more room than the tree."""
        room = max(self.width(), 1)  # of the splitter, which has no size before it is shown
        wide, share = (MAP_WIDTH, 0.55) if view == MAP else (TREE_WIDTH, 0.4)
        wide = min(wide, round(room * share))
        self.splitter.setSizes([wide, room - wide])
        self.setFocusProxy(self.left.map.treemap if view == MAP else self.left.tree)

    def _is_narrow(self) -> bool:
        return self.width() < self._context.theme.length(NARROW)

    def _want_list(self, wanted: bool) -> None:
        """Show the list or the page if there is room for only one of them."""
        narrow = self._is_narrow()
        self.head.list_button.setVisible(narrow)
        self.left.setVisible(wanted or not narrow)
        self.right.setVisible(not (wanted and narrow))

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        narrow = self._is_narrow()
        if narrow != self._was_narrow:
            self._was_narrow = narrow
            self._want_list(False)
            self._fit_view(self.left.view)

    def prepare(self) -> Iterator[None]:
        """Load the hierarchy and the first page before the screen is shown."""
        if self._stale and not self.isVisible():
            self.refresh()
            yield

    def refresh(self) -> None:
        """Load the hierarchy and the page again."""
        if self._reading:
            self._stale = True
            return
        self._reading, self._stale = True, False
        if not len(self.community_tree):
            self.pages.setCurrentWidget(self.skeleton)
            self.skeleton.start()
        work = self._work
        query = Query(
            work.lane,
            lambda: (read_community_tree(work.reader), work.reader.is_fresh()),
            owner=self,
        )

        def end() -> None:
            self._reading = False
            if self._stale and self.isVisible():
                self._settle.start()

        query.on_success(self._show_community_tree).on_error(self._failed).on_end(end).run()

    def make(self) -> None:
        """Update the communities from the graph."""
        self._making = True
        self.head.fresh_button.setEnabled(False)
        self._work.refresh.start()

    def _made(self) -> None:
        """Read what an update has stored, whoever started it."""
        self.head.fresh_button.setEnabled(True)
        if self._making:
            self._making = False
            self.refresh()

    def _show_community_tree(self, read: tuple[CommunityTree, bool]) -> None:
        community_tree, is_fresh = read
        first = not len(self.community_tree)
        in_sight = self.isVisible()
        if not is_fresh and not in_sight:
            self._stale = True  # it is read again when the screen is shown
        elif (
            not is_fresh
            and not self._making
            and not (self._was_read_in_sight and len(community_tree))
        ):
            self.make()  # it takes a moment; until then the previous result stays
        self._was_read_in_sight |= in_sight
        self.left.set_community_tree(community_tree)
        self.head.set_community_tree(community_tree)
        self.head.fresh_button.setVisible(
            not is_fresh and bool(len(community_tree)) and not self._making
        )
        self.counted.emit(community_tree.n_main)
        if not len(community_tree):
            waiting = self._making
            self.pages.setCurrentWidget(self.skeleton if waiting else self.no_communities)
            return
        self.skeleton.stop()
        self.pages.setCurrentWidget(self.splitter)
        if first:
            self._fit_view(self.left.view)
        if self.community_id is None or self.community_id not in community_tree:
            self.show_community(community_tree.children()[0])
        elif self._page_stale or first:
            self.reading.read(self.community_id)

    def _failed(self, error: BaseException) -> None:
        self.skeleton.stop()
        if not len(self.community_tree):
            self.pages.setCurrentWidget(self.no_communities)
        self._context.messages.show_error(error)

    def _hub_changed(self, change: ChangeNotice) -> None:
        if not (change.communities or change.entities or change.relations):
            return
        self._stale = True
        if self.community_id in change.communities:
            self._page_stale = True
        if change.communities:
            self._catch_up()
        else:
            self._settle.start()

    def _catch_up(self) -> None:
        if self._stale and self.isVisible():
            self.refresh()

    def _show_progress(self, progress: Progress) -> None:
        self._progress = progress
        self.show_blocker()

    def show_blocker(self) -> None:
        """Show what more urgent work the reports wait for, if any."""
        if self._progress is not None:
            blocker = self._work.job.find_blocker()
            self.head.show_work(self._work.runner.state, self._progress, blocker)

    def _show_state(self, state: str) -> None:
        if state == "idle":
            self._progress = None
        self.head.show_work(state, self._progress)

    def showEvent(self, event) -> None:
        super().showEvent(event)
        if self._context.communities.runner.state != "idle":
            self._show_state(self._work.runner.state)
        self._catch_up()
