"""The window of one open library: creates it and its controllers, and connects them.

`screens.py` has its screens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.messages import Message
from desktop_app.engine.model import LibraryOverview
from desktop_app.engine.progress import Progress
from desktop_app.engine.scheduler import Priority
from desktop_app.session import Session
from desktop_app.workers.open_window import OpenWindow
from desktop_app.workers.operations import Query, Work

from .context import SessionContext
from .controllers.communities import CommunityController
from .controllers.descriptions import DescriptionController
from .controllers.duplicates import DuplicateController
from .controllers.editing import EditingController
from .controllers.enrichment import EnrichmentController
from .controllers.graph_import import GraphImport
from .controllers.library import LibraryController, describe_indexing_stage
from .controllers.library_export import LibraryExport
from .controllers.references import ReferenceImport
from .controllers.scans import ScanController
from .messages import Messages
from .screens import Parts, build_screens, connect_screens, prepare_screens
from .sheet_drafts import SheetDraftKeeper
from .shell.main_window import MainWindow
from .shell.notifications import FinishedNotification
from .shell.screen_preparation import ScreenPreparation
from .theme.theme import Theme
from .translation import tr, tr_message
from .widgets.words import distinguish_titles

PAINTED_MS = 100  # after the event loop begins, the window was painted with its first rows


class _Titles(NamedTuple):
    """Ids and titles of documents, of those in the trash, and the files of those with one title."""

    titles: list[tuple[int, str]]
    in_trash: list[tuple[int, str]]
    equal: list[tuple[int, str, str, str]]


class Workspace(QObject):
    """Shows a session in a window; `close` closes both.

    Args:
        use_opengl: for the viewport of the graph.
        mark: shows other starts that the library is open; closed with the window.
    """

    opengl_failed = Signal()

    def __init__(
        self,
        session: Session,
        theme: Theme,
        *,
        use_opengl: bool = False,
        mark: OpenWindow | None = None,
    ) -> None:
        super().__init__()
        self.session, self._mark = session, mark
        messages = Messages(self)
        session.failed.connect(messages.show_error)
        services = session.services
        keeper = SheetDraftKeeper(services.sheet_drafts, services.writer_lane, services.hub)
        self.context = SessionContext(
            **vars(services),
            theme=theme,
            messages=messages,
            draft_keeper=keeper,
            use_opengl=use_opengl,
        )
        self.window = MainWindow(self.context, build_screens(self.context))
        self.enrichment = EnrichmentController(self.context, self.window, session)
        GraphImport(self.context, self.window, session)
        self.references = ReferenceImport(self.context, self.window, session)
        exports = LibraryExport(self.context, self.window, session)
        EditingController(self.context, self.window, session.library.writer)
        self.communities = CommunityController(self.context, self.window, session)
        duplicates = DuplicateController(self.context, self.window, session)
        self.scans = ScanController(self.context, self.window, session)
        self.descriptions = DescriptionController(self.context, self.window, session)
        self.library_controller = LibraryController(self.context, self.window, session)
        self.library_controller.bibliographies_found.connect(self.references.add)
        self._progress: Progress | None = None
        self._titles: dict[int, str] = {}  # of the documents
        self._overview: LibraryOverview | None = None  # since which no document changed
        self._n_document_changes = 0
        self._connect()
        if mark is not None:
            mark.front_wanted.connect(self.come_to_front)
            mark.others_changed.connect(self.library_controller.state.show_shared)
            self.library_controller.state.show_shared(mark.has_others)
        parts = Parts(
            window=self.window,
            session=session,
            enrichment=self.enrichment,
            exports=exports,
            communities=self.communities,
            duplicates=duplicates,
            opengl_failed=self.opengl_failed,
            list_titles=lambda: list(self._titles.items()),
        )
        connect_screens(self.window.screens, parts)
        session.is_shown.clear()
        wait = partial(QTimer.singleShot, PAINTED_MS, self, session.is_shown.set)
        QTimer.singleShot(0, self, wait)  # when the event loop begins
        self._reload()
        self.window.restore_place(str(session.library.path))
        self.window.keep_place(str(session.library.path))
        session.start()
        window = self.window
        screens = chain(self._prepare_services(), prepare_screens(window.screens))
        steps = chain(screens, window.document_tabs.prepare())
        self.preparation = ScreenPreparation(window.stack, steps, window)
        self.preparation.start()

    def _prepare_services(self) -> Iterator[None]:
        """Import and build the services that the window did not need; they have no Qt classes."""
        session, has_ended = self.session, False

        def end() -> None:
            nonlocal has_ended
            has_ended = True

        Work(session.lanes["preparing"], session.prepare, owner=self).on_end(end).run()
        while not has_ended:
            yield

    def _connect(self) -> None:
        session, window, runner = self.session, self.window, self.session.indexing_runner
        runner.progressed.connect(self._show_progress)
        runner.state_changed.connect(self._show_state)
        window.pause_wanted.connect(runner.pause)
        window.resume_wanted.connect(runner.start)
        session.schedule_changed.connect(self.enrichment.show_blocker)
        session.schedule_changed.connect(self.scans.show_blocker)
        session.schedule_changed.connect(self.descriptions.show_blocker)
        session.schedule_changed.connect(self.communities.show_blocker)
        session.schedule_changed.connect(self._show_progress_again)
        notice = FinishedNotification(window, self.context.theme.icon("library", color="accent"))
        notice.watch(runner, lambda: tr("The added documents are indexed."))
        notice.watch(self.context.enrichment_runner, lambda: tr("Enrichment is finished."))
        session.edited_elsewhere.connect(self._show_foreign_edit)
        session.missing_changed.connect(self._show_missing)
        session.server_changed.connect(self._show_server)
        self._show_server(is_new=False)
        # after the screens: what they read is waited for, the counts of the sidebar are not
        self.context.hub.changed.connect(self._reload, Qt.ConnectionType.QueuedConnection)

    def _reload(self, change: ChangeNotice | None = None) -> None:
        if change is not None and change.queued:
            self.session.start_indexing()
        lane, library_reader = self.context.reader_lane, self.context.library_reader
        if change is None or change.documents or change.queued:
            self._overview, self._n_document_changes = None, self._n_document_changes + 1
        show = partial(self._show_overview, self._n_document_changes)
        Query(lane, library_reader.overview, self._overview, owner=self).on_success(show).run()
        if change is None or change.chats or change.documents:
            chats = Query(lane, library_reader.list_chats, owner=self)
            chats.on_success(self.window.set_chats).run()
        if change is None or change.documents:

            def fetch_titles() -> _Titles:
                return _Titles(
                    library_reader.list_titles(),
                    library_reader.list_titles_in_trash(),
                    library_reader.list_equal_titles(),
                )

            titles = Query(lane, fetch_titles, owner=self)
            titles.on_success(self._keep_titles).run()

    def _show_overview(self, n_document_changes: int, overview: LibraryOverview) -> None:
        if n_document_changes == self._n_document_changes:  # else it is counted again
            self._overview = overview
        self.window.set_overview(overview)

    def _show_server(self, *, is_new: bool = True) -> None:
        """Show where the models are, and which of them answers."""
        self.window.sidebar.set_server(self.context.library_models.state)
        if is_new:
            self.context.hub.publish_work(ChangeNotice(models=True))

    def _show_foreign_edit(self, edit: Message) -> None:
        """Name an edit by another program, which Ctrl+Z would undo next."""
        self.context.messages.show(
            tr("Another window or program changed this library: {edit}", edit=tr_message(edit))
        )

    def _show_missing(self, is_missing: bool) -> None:
        """Show that the file of the open library was moved or deleted, or that it is back."""
        path = self.session.library.path
        if is_missing:
            words = tr(
                "The file of this library is no longer in “{folder}”. Put it back before you close "
                "the window or change anything.",
                folder=path.parent,
            )
        else:
            words = tr("The file of this library is back.")
        self.context.messages.show(words, kind="bad" if is_missing else "ok")

    def _keep_titles(self, found: _Titles) -> None:
        """Pass on the titles of the documents, and those of the documents in the trash."""
        self._titles = self.enrichment.titles = self.scans.titles = dict(found.titles)
        self.descriptions.titles = self._titles
        files = distinguish_titles(found.equal)
        self.window.document_tabs.set_titles(self._titles, dict(found.in_trash), files)
        if self.window.screens.is_built("entity"):
            self.window.screens.entity.names.set_documents(found.titles)
        self._show_progress_again()  # the title of the document that is read may be another now

    def _show_progress(self, progress: Progress) -> None:
        if self.session.indexing_runner.state == "paused":
            return  # a report from before the pause
        self._progress = progress
        self.window.screens.library.show_progress(progress)
        waits = self.context.scheduler.find_blocker(Priority.IMPORT) == Priority.QUESTION
        pace = tr("Paused while answering") if waits else ""
        self.window.show_work(progress, describe_indexing_stage(progress, self._titles), pace)

    def _show_progress_again(self) -> None:
        """Show the progress again: indexing waits for an answer or goes on, or a title changed."""
        if self.session.indexing_runner.is_running and self._progress is not None:
            self._show_progress(self._progress)

    def _show_state(self, state: str) -> None:
        self.window.screens.library.show_paused(state == "paused")
        if state != "running":
            self._progress = None
        if state == "idle":
            self.window.show_work(None, "")
        elif state == "paused":
            self.window.show_work(None, tr("Paused"))

    def come_to_front(self, files: Sequence[str] = ()) -> None:
        """Show the window, as far as the system lets a program do that, and add files."""
        window = self.window
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()
        QApplication.alert(window)  # where the system only lets it ask for attention
        if files:
            self.library_controller.add(list(files))

    def close(self, *, end_program: bool = False) -> bool:
        """Close the window at once and stop all work; it continues at the next start.

        Args:
            end_program: also end the child processes, which other libraries could use.

        Returns:
            False if a thread did not end in time; the window is then deleted when it ends.
        """
        self.preparation.stop()
        if self._mark is not None:
            self._mark.close()
        self.window.screens.finish()  # so that what a screen runs is stopped below
        self.window.save_place(str(self.session.library.path))
        self.window.close()
        documents, screens = self.window.document_tabs, self.window.screens
        documents.save_changes()
        self.context.draft_keeper.save_changes()
        lanes = documents.lanes()
        if screens.is_built("chat"):
            screens.chat.save_changes()
        if screens.is_built("highlights"):
            screens.highlights.save_changes()
        if screens.is_built("evaluation"):
            screens.evaluation.save_changes()
        if screens.is_built("graph"):
            screens.graph.save_changes()
            lanes.append(screens.graph.navigation.loader.lane)
        self.session.closed.connect(self._delete)
        return self.session.close(lanes, end_program=end_program)

    def _delete(self) -> None:
        self.window.document_tabs.shut_down()
        if self.window.screens.is_built("graph"):
            self.window.screens.graph.shut_down()
        self.window.deleteLater()
        self.deleteLater()
