"""The one window: places the sidebar, the screens and the reader, and joins their signals.

Decides nothing: what is asked for leaves by signals, what is shown comes by methods.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMainWindow,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from desktop_app.engine import paths
from desktop_app.engine.progress import Progress
from desktop_app.engine.types import ChatRow, LibraryOverview

from .actions import build_actions
from .areas import Areas
from .commands import SCREEN_TITLES, gather
from .doors import Doors
from .dropping import DropOverlay, find_files
from .keys_sheet import KeysSheet
from .language import tr
from .library_files import ask_for_library, ask_for_new_library
from .messages import MessageBar
from .palette import Palette
from .sheets import build_privacy_sheet
from .sidebar import Rail, Sidebar
from .window_state import keep_panels, restore_panels

STACKED = ("library", "graph", "entity", "merge", "communities", "chat", "models", "settings")


class MainWindow(QMainWindow):
    """Takes the screens by name: library, reader, graph, entity, merge, chat, models."""

    files_dropped = Signal(list)
    pause_requested = Signal()
    resume_requested = Signal()
    cancel_requested = Signal()
    theme_requested = Signal(str)
    library_requested = Signal(str)
    undo_requested = Signal()
    redo_requested = Signal()
    restart_requested = Signal()

    def __init__(self, context: Any, screens: dict[str, QWidget]) -> None:
        super().__init__()
        self.context = context
        self.screens = screens
        self.current = ""
        self.reader_share = 0.5  # of the room beside the sidebar, while it is open
        self._overview: LibraryOverview | None = None
        self.setWindowTitle("Inkgraph")  # not shown: a name
        self.setAcceptDrops(True)
        self.setMinimumSize(880, 560)
        self.doors = Doors(self)
        self.actions_by_name = build_actions(context.theme, self)
        self.addActions(list(self.actions_by_name.values()))
        self._place()
        self._join_actions()
        self._join_sidebar()
        self._join_screens()
        restore_panels(self)
        self.show_screen("library")

    # --- placing ------------------------------------------------------------------------------

    def _place(self) -> None:
        self.sidebar = Sidebar(self.context, self.actions_by_name)
        self.rail = Rail(self.context.theme, self.actions_by_name["sidebar"])
        self.stack = QStackedWidget()
        self.stack.setObjectName("screenBody")
        self.stack.setMinimumWidth(320)
        for name in STACKED:
            if name in self.screens:
                self.stack.addWidget(self.screens[name])
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.stack)
        self.splitter.splitterMoved.connect(self._keep_share)
        self.reader = self.screens.get("reader")
        if self.reader is not None:
            self.reader.setMinimumWidth(320)
            self.splitter.addWidget(self.reader)
            self.reader.hide()
        body = QWidget()
        row = QHBoxLayout(body)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.rail)
        row.addWidget(self.sidebar)
        # a splitter would take the message bar for one more pane
        area = QWidget()
        inside = QHBoxLayout(area)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(self.splitter)
        row.addWidget(area, 1)
        self.setCentralWidget(body)
        self.message_bar = MessageBar(self.context.theme, self.context.messages, area)
        self.palette_box = Palette(
            self.context, self.doors, lambda: gather(self), self._list_settings, body
        )
        self.drop_overlay = DropOverlay(self.context.theme, body)
        self.areas = Areas(self)

    def _join_actions(self) -> None:
        do = {
            "palette": self._toggle_palette,
            "add_files": lambda: self.doors.call("library", "add_files"),
            "add_folder": lambda: self.doors.call("library", "add_folder"),
            "open_library": lambda: self._want_library(ask_for_library),
            "new_library": lambda: self._want_library(ask_for_new_library),
            "new_chat": self.doors.new_chat,
            "sidebar": lambda: self.show_sidebar(self.sidebar.isHidden()),
            "inspector": lambda: self.doors.call(self.current, "toggle_inspector"),
            "reader": lambda: self._show_reader(self.reader is not None and self.reader.isHidden()),
            "undo": self.undo_requested.emit,
            "redo": self.redo_requested.emit,
            "privacy": self._show_privacy,
            "full_screen": self._toggle_full_screen,
            "next_area": lambda: self.areas.step(1),
            "previous_area": lambda: self.areas.step(-1),
            "message": self.message_bar.act,
            "restart": self.restart_requested.emit,
            "quit": self.close,
            "care": lambda: self.doors.have_said("library", "care_requested"),
            "watch": lambda: self.doors.have_said("library", "watch_requested"),
            "shortcuts": self._show_keys,
        }
        for name in STACKED:
            do[name] = lambda name=name: self.show_screen(name)
        for name in ("system", "light", "dark"):
            do[name] = lambda name=name: self.theme_requested.emit(name)
        for name, slot in do.items():
            action: QAction = self.actions_by_name[name]
            action.triggered.connect(lambda _=False, slot=slot: slot())

    def _join_sidebar(self) -> None:
        self.sidebar.screen_wanted.connect(self.show_screen)
        self.sidebar.chat_wanted.connect(self.doors.chat)
        self.sidebar.chats.message_wanted.connect(self.doors.chat)
        self.sidebar.library_wanted.connect(self.library_requested)
        self.sidebar.work.pause_requested.connect(self.pause_requested)
        self.sidebar.work.resume_requested.connect(self.resume_requested)
        self.sidebar.work.cancel_requested.connect(self.cancel_requested)

    def _join_screens(self) -> None:
        """Join what screens say to the screens that answer; a screen says what it can."""
        answers = {
            "open_passage": self.doors.passage,
            "open_document": self.doors.document,
            "open_entity": self.doors.entity,
            "show_in_graph": self.doors.in_graph,
            "ask_about": self.doors.ask,
            "open_models": lambda: self.show_screen("models"),
            "action_wanted": lambda name: self.actions_by_name[name].trigger(),
            "restart_wanted": self.restart_requested.emit,
            "search_wanted": lambda: self.sidebar.chats.open_search(self.show_sidebar),
        }
        for name, screen in self.screens.items():
            for said, answer in answers.items():
                signal = getattr(screen, said, None)
                # the reader has a method called open_document
                if signal is not None and hasattr(signal, "connect"):
                    signal.connect(answer)
            if name == "merge" and hasattr(screen, "counted"):
                screen.counted.connect(self.sidebar.rows["merge"].set_count)
            if name == "reader" and hasattr(screen, "closed"):
                screen.closed.connect(lambda: self._show_reader(False))

    # --- what is shown ------------------------------------------------------------------------

    def show_screen(self, name: str) -> None:
        """Bring a screen to the front; the reader opens beside the one that is there."""
        if name == "reader":
            self._show_reader(True)
            return
        if name in STACKED and name in self.screens:
            self.current = name
            self.stack.setCurrentWidget(self.screens[name])
            self.sidebar.set_current(name)
            self.screens[name].setFocus()

    def show_work(self, progress: Progress | None, title: str) -> None:
        self.sidebar.work.show_work(progress, title)

    def set_overview(self, overview: LibraryOverview) -> None:
        self._overview = overview
        self.setWindowTitle(f"{overview.name} – Inkgraph")  # not shown: a name
        self.sidebar.set_overview(overview)

    def set_chats(self, rows: list[ChatRow]) -> None:
        self.sidebar.set_chats(rows)

    def set_recent_libraries(self, recent: list[str]) -> None:
        self.sidebar.set_recent(recent)

    def show_sidebar(self, shown: bool) -> None:
        self.sidebar.setVisible(shown)
        self.rail.setVisible(not shown)

    def _show_reader(self, shown: bool) -> None:
        if self.reader is None or self.reader.isHidden() != shown:
            return
        self.reader.setVisible(shown)
        if shown and 0 in self.splitter.sizes():
            part = round(1000 * self.reader_share)
            self.splitter.setSizes([1000 - part, part])

    def _keep_share(self) -> None:
        left, right = self.splitter.sizes()
        self.reader_share = right / max(1, left + right)

    # --- asked for by keys and the palette ---------------------------------------------------

    def _toggle_full_screen(self) -> None:
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def _toggle_palette(self) -> None:
        if self.palette_box.isVisible():
            self.palette_box.close_palette()
        else:
            self.palette_box.open()

    def _list_settings(self) -> list:
        return self.doors.call("settings", "entries") or []

    def _show_keys(self) -> None:
        here = tr(SCREEN_TITLES.get(self.current, ""))
        KeysSheet(self.context.theme, gather(self), self, first=here).open()

    def _show_privacy(self) -> None:
        path = self._overview.path if self._overview else str(paths.default_library())
        build_privacy_sheet(self, path).open()

    def _want_library(self, ask: Callable[[QWidget], str]) -> None:
        if path := ask(self):
            self.library_requested.emit(path)

    # --- files dropped, size kept ---------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if find_files(event.mimeData()):
            event.acceptProposedAction()
            self.drop_overlay.cover()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.drop_overlay.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        self.drop_overlay.hide()
        if files := find_files(event.mimeData()):
            event.acceptProposedAction()
            self.files_dropped.emit(files)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.palette_box.hide()

    def closeEvent(self, event: QCloseEvent) -> None:
        keep_panels(self)
        super().closeEvent(event)
