"""The main window: places the sidebar, the screens and the reader, and shows one of the screens.

A screen is placed when it is built; `ui/screens.py` connects its signals. The window saves and
restores its size, panels and current screen. Requests leave by signals; services and the store are
unknown here.
"""

from __future__ import annotations

import hashlib
import weakref
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import shiboken6
from PySide6.QtCore import QByteArray, QObject, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QMainWindow,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from desktop_app.engine import paths
from desktop_app.engine.model import ChatRow, LibraryOverview
from desktop_app.engine.progress import Progress

from ..context import SessionContext
from ..dialogs import build_privacy_sheet, build_report_sheet
from ..messages import MessageBar
from ..reader.tabs import DocumentTabs
from ..translation import later, tr
from ..widgets import STRETCH, Button, Hairline, build_column, build_row
from ..widgets.states import DropOverlay, find_files
from ..window_file import open_window_file
from .actions import SCREEN_TITLES, WindowCommand, build_actions, list_commands
from .command_palette import CommandPalette
from .field_undo import FieldUndo
from .library_banner import LibraryBanner
from .navigator import Navigator, Screens
from .shortcuts import ShortcutsDialog
from .sidebar import Sidebar


class FocusCycle(QObject):
    """Moves the focus between the areas of the window; remembers the last widget of each area.

    Args:
        list_areas: returns the areas by name, in order; only visible ones get the focus.
    """

    def __init__(
        self, list_areas: Callable[[], dict[str, QWidget | None]], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._window, self._list_areas = parent, list_areas
        self._last: dict[str, weakref.ref[QWidget]] = {}
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._remember)

    def shown(self) -> dict[str, QWidget]:
        """Return the visible areas by name, in order."""
        areas = self._list_areas()
        return {k: w for k, w in areas.items() if w is not None and w.isVisible()}

    def step(self, by: int) -> None:
        """Focus the next area (`by` = 1) or the previous one (-1)."""
        areas = self.shown()
        names = list(areas)
        here = self._area_of(QApplication.focusWidget(), areas)
        place = names.index(here) + by if here in names else 0
        for turn in range(len(names)):
            name = names[(place + turn * by) % len(names)]
            area, last = areas[name], self._last.get(name, lambda: None)()
            widgets = [*([last] if last is not None else []), *area.findChildren(QWidget)]
            target = next((w for w in widgets if _can_be_in(w, area)), None)
            if target is not None:
                target.setFocus(Qt.FocusReason.TabFocusReason)
                return

    def _remember(self, before: QWidget | None, now: QWidget | None) -> None:
        if not shiboken6.isValid(self._window):  # Qt takes the focus from what it deletes
            return
        areas = self.shown()
        name = self._area_of(now, areas)
        if now is None or not name:
            return
        if before is not None and not before.isVisible():
            # Qt gives the focus of a hidden widget to the next one, perhaps in another area,
            # which would get a focus ring that nobody asked for.
            left = self._area_of(before, areas)
            if left and left != name:
                now.clearFocus()
                return
        self._last[name] = weakref.ref(now)

    @staticmethod
    def _area_of(widget: QWidget | None, areas: dict[str, QWidget]) -> str:
        if widget is None:
            return ""
        # The message bar overlaps the area of the screens and wins.
        fit = [n for n, area in areas.items() if area is widget or area.isAncestorOf(widget)]
        return fit[-1] if fit else ""


def _can_be_in(widget: QWidget, area: QWidget) -> bool:
    tabbed = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    there = widget.isVisible() and widget.isEnabled()
    return tabbed and there and area.isAncestorOf(widget)


LIBRARY_FILTER = later("Inkgraph libraries (*.inkgraph)")


def ask_for_library(parent: QWidget) -> str:
    """Return the chosen library file, "" if cancelled."""
    start = str(paths.default_library().parent)
    path, _ = QFileDialog.getOpenFileName(parent, tr("Open a library"), start, tr(LIBRARY_FILTER))
    return path


WIDTH, HEIGHT = 1280, 800
MOST_IN_USE = 20  # documents that questions are suggested about
PLACE_MS = 3_000  # after a change at most, and after the start: then what was restored is shown
# Rows of the sidebar whose numbers take seconds to count, and the names under which they are saved.
SLOW_COUNTS = {"merge": "suggestions", "communities": "communities"}
RESTORING = "is_restoring"  # in the settings while the place of a library is shown again
STACKED = (
    "library",
    "graph",
    "entity",
    "merge",
    "communities",
    "chat",
    "highlights",
    "models",
    "evaluation",
    "settings",
)


class MainWindow(QMainWindow):
    """Sidebar, current screen, and documents in tabs or beside it.

    Size and panels are shared by all libraries; the current screen and the open documents are
    saved per library. Both are kept in `window.ini`.
    """

    files_expected = Signal()  # files are held over the window
    files_dropped = Signal(list)
    pause_wanted = Signal()
    resume_wanted = Signal()
    theme_wanted = Signal(str)
    library_wanted = Signal(str)
    new_library_wanted = Signal(str, str)  # path, passphrase or ""
    encryption_wanted = Signal(object)  # an `EncryptionChange`
    backup_wanted = Signal()
    restore_wanted = Signal()
    undo_wanted = Signal()
    redo_wanted = Signal()
    restart_wanted = Signal()

    def __init__(self, context: SessionContext, screens: Screens) -> None:
        super().__init__()
        self.context = context
        self.screens = screens
        self.current = ""
        # Numbers in the sidebar that take seconds to count; None while one is not known.
        self._counts: dict[str, int | None] = dict.fromkeys(SLOW_COUNTS)
        self._quotation = ""  # that was looked for last
        self._place_library = ""  # the library whose place is kept
        self._saved_place: dict[str, str | int] | None = None
        # Compared, since tabs, their documents and windows of their own change in many ways.
        self._place_timer = QTimer(self, interval=PLACE_MS)
        self._place_timer.timeout.connect(self._save_changed_place)
        # whether the sidebar has words: a document needs the width more than a screen
        self._wide_sidebar = {"screens": True, "documents": False}
        self._overview: LibraryOverview | None = None
        self.setWindowTitle("Inkgraph")  # not shown: a name
        self.setAcceptDrops(True)
        self.setMinimumSize(880, 560)
        self.actions_by_name = build_actions(context.theme, self)
        self.addActions(list(self.actions_by_name.values()))
        self._place()
        self._connect_actions()
        self._connect_sidebar()
        self._restore_panels()
        screens.when_built(self._place_screen)
        context.theme.adopt(self)
        context.theme.changed.connect(self._fit_sidebar)
        self.show_screen("library")

    def _place(self) -> None:
        self.sidebar = Sidebar(self.context, self.actions_by_name)
        self.sidebar.add_part("library", self.screens.library.places_panel)
        self.stack = QStackedWidget()
        self.stack.setObjectName("screenBody")
        self.document_tabs = DocumentTabs(self.context, self.stack, lambda: self.screens.reader)
        self.library_name = Button(
            "", kind="bare", theme=self.context.theme, icon="caret-down", elide=True
        )
        self.library_name.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the icon is last
        self.library_name.setFont(self.context.theme.font("strong"))
        self.library_name.setAccessibleName(tr("Switch library"))
        self.library_name.clicked.connect(lambda: self.sidebar.show_libraries(self.library_name))
        build_row(
            self.library_name, STRETCH, parent=self.document_tabs.before_tabs, margins=(0, 0, 8, 1)
        )
        self.document_tabs.bar.home_titles = [tr(title) for title in SCREEN_TITLES.values()]
        self.navigator = Navigator(
            self.screens, self.document_tabs, self.show_screen, self.sidebar.chats.select
        )
        body = QWidget()
        # A direct child of the splitter would become one more pane.
        area = QWidget()
        self.banner = LibraryBanner(self.context.theme)
        strip = QWidget()
        build_column(Hairline(), STRETCH, parent=strip, spacing=0)
        build_column(self.banner, (self.document_tabs, 1), strip, parent=area, spacing=0)
        build_row(self.sidebar, (area, 1), parent=body, spacing=0)
        self.setCentralWidget(body)
        self.message_bar = MessageBar(
            *(self.context.theme, self.context.messages, body),
            area=area,
            aside=self.sidebar.pages,
            strip=strip,
        )
        self.context.messages.report_wanted.connect(self.show_report)
        self.palette_box = CommandPalette(
            *(self.context, self.navigator, self.list_commands),
            *(lambda: self.screens.settings.entries(), body),
        )
        self.palette_box.quotation_wanted.connect(self.find_quotation)
        self.drop_overlay = DropOverlay(self.context.theme, body)
        self.areas = FocusCycle(self._list_areas, self)
        FieldUndo(self)

    def _place_screen(self, name: str, screen: QWidget) -> None:
        """Take a screen that was built, hidden until it is shown."""
        if name == "reader":
            self.document_tabs.place_beside(self.screens.reader)
        else:
            screen.resize(self.stack.size())
            self.stack.addWidget(screen)
        settings = open_window_file()
        for key, splitter in iter_splitters(name, screen):
            state = settings.value(f"splitters/{key}")
            if isinstance(state, QByteArray):
                splitter.restoreState(state)
                splitter.setHandleWidth(1)  # the saved state may have another width
                splitter.setChildrenCollapsible(False)
        if self.palette_box.isVisible():
            self.palette_box.gather_again()

    def _list_areas(self) -> dict[str, QWidget | None]:
        return {
            "sidebar": self.sidebar,
            "banner": self.banner,
            "tabs": self.document_tabs.bar,
            "screen": self.document_tabs.page or self.stack.currentWidget(),
            "reader": self.document_tabs.beside if self.document_tabs.is_beside_shown else None,
            "message": self.message_bar,
        }

    def _connect_actions(self) -> None:
        library, documents = self.screens.library, self.document_tabs
        do: dict[str, Callable[[], object]] = {
            "palette": self._toggle_palette,
            "find_quotation": self.find_quotation,
            "add_files": library.add_files,
            "add_folder": library.add_folder,
            "open_library": self._ask_for_library,
            "new_library": self._ask_for_new_library,
            "new_chat": self.navigator.open_new_chat,
            "sidebar": lambda: self.show_sidebar(self.sidebar.is_narrow),
            "inspector": self._toggle_inspector,
            "reader": documents.toggle_beside,
            "next_tab": lambda: documents.step(1),
            "previous_tab": lambda: documents.step(-1),
            "tab_right": lambda: documents.move_tab(1),
            "tab_left": lambda: documents.move_tab(-1),
            "close_tab": documents.close_current,
            "reopen_tab": documents.reopen_closed,
            "tab_window": documents.tear_off_current,
            "undo": self.undo_wanted.emit,
            "redo": self.redo_wanted.emit,
            "privacy": self._show_privacy,
            "report": lambda: self.show_report(),
            "full_screen": lambda: self.setWindowState(
                self.windowState() ^ Qt.WindowState.WindowFullScreen
            ),
            "next_area": lambda: self.areas.step(1),
            "previous_area": lambda: self.areas.step(-1),
            "message": self.message_bar.act,
            "restart": self.restart_wanted.emit,
            "quit": self.close,
            "maintenance": library.library_file_wanted.emit,
            "back_up": self.backup_wanted.emit,
            "restore": self.restore_wanted.emit,
            "watch": library.watch_wanted.emit,
            "shortcuts": self._show_keys,
        }
        for name in STACKED:
            do[name] = partial(self._open_screen, name)
        for name in ("system", "light", "dark"):
            do[name] = partial(self.theme_wanted.emit, name)
        for name, slot in do.items():
            action: QAction = self.actions_by_name[name]
            action.triggered.connect(lambda _=False, slot=slot: slot())
        for name in ("undo", "redo", "close_tab", "reopen_tab", "quit"):
            documents.window_actions.append(self.actions_by_name[name])

    def _connect_sidebar(self) -> None:
        """Connect the sidebar and the documents; those of the screens are in `ui/screens.py`."""
        navigator, sidebar, documents = self.navigator, self.sidebar, self.document_tabs
        sidebar.screen_wanted.connect(self._open_screen)
        sidebar.chats.chat_wanted.connect(navigator.open_chat)
        sidebar.chats.message_wanted.connect(navigator.open_chat)
        sidebar.library_wanted.connect(self.library_wanted)
        sidebar.work.pause_wanted.connect(self.pause_wanted)
        sidebar.work.resume_wanted.connect(self.resume_wanted)
        documents.open_entity.connect(navigator.open_entity)
        documents.show_in_graph.connect(navigator.show_in_graph)
        documents.ask_about.connect(navigator.put_question)
        for signal in (documents.open_entity, documents.show_in_graph, documents.ask_about):
            signal.connect(lambda *_: self.activateWindow())  # it may come from another window
        documents.current_changed.connect(self._mark_screen)

    def run_action(self, name: str) -> None:
        """Do what one of the window's actions does."""
        self.actions_by_name[name].trigger()

    def show_count(self, name: str, n: int | None) -> None:
        """Show the number beside the merge desk or communities; it is saved for the next start.

        Args:
            n: None while it is counted again.
        """
        self._counts[name] = n
        if n is None:
            self.sidebar.set_pending(name)
        else:
            self.sidebar.set_count(name, n)

    def list_documents_in_use(self) -> list[int]:
        """Return the documents that are open or selected, the most recent ones first."""
        documents = self.document_tabs
        beside = [documents.beside.document_id] if documents.is_beside_shown else []
        selected = [row.id for row in self.screens.library.list.selected_rows()]
        found = [*beside, *documents.last_shown_ids, *selected]
        return [one for one in dict.fromkeys(found) if one is not None][:MOST_IN_USE]

    def show_screen(self, name: str) -> None:
        """Bring a screen to the front; the reader opens beside the current one."""
        if name == "reader":
            if self.document_tabs.page is None:
                self.document_tabs.show_beside(True)
            return
        if name in STACKED:
            self.current = name
            screen = self.screens.get(name)
            self.stack.setCurrentWidget(screen)
            self.document_tabs.set_home(tr(SCREEN_TITLES[name]), self.actions_by_name[name].icon())
            self.document_tabs.show_home()
            self._mark_screen()
            screen.setFocus()
            focused = QApplication.focusWidget()
            if focused is not None and focused is not screen and not screen.isAncestorOf(focused):
                focused.clearFocus()  # Qt took it where the screen has nothing to focus

    def _open_screen(self, name: str) -> None:
        """Show a screen; the library, if it is in front already, without a chosen place."""
        if name == self.current == "library" and self.document_tabs.page is None:
            self.screens.library.show_all()
        self.show_screen(name)

    def show_place(self) -> None:
        """Bring the library to the front for a place that was clicked."""
        if self.current != "library" or self.document_tabs.page is not None:
            self.show_screen("library")

    def _mark_screen(self) -> None:
        """Mark the screen in the sidebar, none while a document is in front."""
        self.sidebar.set_current(self.current if self.document_tabs.page is None else "")
        self._fit_sidebar()

    def show_work(self, progress: Progress | None, title: str, pace: str = "") -> None:
        self.sidebar.work.show_work(progress, title, pace=pace)

    def set_overview(self, overview: LibraryOverview) -> None:
        self._overview = overview
        self.setWindowTitle(f"{overview.name} – Inkgraph")  # not shown: a name
        self.sidebar.set_overview(overview)
        self.library_name.setText(self.sidebar.library_button.text())
        self.screens.library.set_overview(overview)

    def set_chats(self, rows: list[ChatRow]) -> None:
        self.sidebar.set_chats(rows)

    def set_recent_libraries(self, recent: list[str]) -> None:
        self.sidebar.set_recent(recent)

    def show_sidebar(self, wide: bool) -> None:
        """Show the words of the sidebar, or its icons: for the screens, or for documents."""
        self._wide_sidebar["screens" if self.document_tabs.page is None else "documents"] = wide
        self._fit_sidebar()

    def _fit_sidebar(self) -> None:
        """Give the sidebar the form that was chosen for screens, or for documents.

        The tabs have the same places in both.
        """
        wide = self._wide_sidebar["screens" if self.document_tabs.page is None else "documents"]
        if wide == self.sidebar.is_narrow:
            self.sidebar.set_narrow(not wide)
        narrow_px, wide_px = self.sidebar.widths
        self.document_tabs.set_room_before_tabs(0 if wide else wide_px - narrow_px)
        self.screens.library.show_places_button(not self._wide_sidebar["screens"])

    def _toggle_palette(self) -> None:
        if self.palette_box.isVisible():
            self.palette_box.close_palette()
        else:
            self.palette_box.open()

    def find_quotation(self, text: str = "") -> None:
        """Open the dialog that finds a quotation, with a text or with that of the last time."""

        from ..quotations.sheet import QuotationSheet

        def keep(text: str) -> None:
            self._quotation = text

        sheet = QuotationSheet(self.context, text or self._quotation, self)
        sheet.text_kept.connect(keep)
        sheet.place_chosen.connect(self.navigator.open_passage)
        sheet.open()

    def _toggle_inspector(self) -> None:
        s = self.screens
        toggles = {
            "library": s.library.toggle_inspector,
            "graph": s.graph.toggle_inspector,
            "chat": s.chat.toggle_inspector,
        }
        if self.current in toggles:
            toggles[self.current]()

    def list_commands(self) -> list[WindowCommand]:
        """Return all commands that can be run now, for the palette and the list of shortcuts.

        Those of a screen that is not built yet are missing; `gather_again` of the palette adds them
        when it is.
        """
        screens = self.screens.list_built()
        if "reader" in screens:
            screens["reader"] = self.document_tabs.reader
        sidebar = [
            ("chat", self.sidebar.chats_part),
            ("library", self.screens.library.places_panel),
        ]
        places = [*sidebar, *screens.items()]
        return list_commands(self.actions_by_name, places, self.show_screen)

    def _show_keys(self) -> None:
        self.screens.build_all()
        here = tr(SCREEN_TITLES.get(self.current, ""))
        ShortcutsDialog(self.context.theme, self.list_commands(), self, first=here).open()

    def _show_privacy(self) -> None:
        path = self._overview.path if self._overview else str(paths.default_library())
        server = self.context.library_models.server
        build_privacy_sheet(self, path, server, self._show_model_server).open()

    def _show_model_server(self) -> None:
        self._open_screen("settings")
        self.screens.settings.show_section("model_server")

    def show_report(self, error: BaseException | None = None, crash: Path | None = None) -> None:
        """Show the report on a bug or a crash, or on a problem without a message."""
        from desktop_app.engine.services.problem_report import build_problem_report

        found, counts = self._overview, None
        if found is not None:
            counts = {
                "documents": found.n_documents,
                "names": found.n_entities,
                "relations": found.n_relations,
                "passages": found.n_windows,
                "embedded": found.n_embedded,
            }
        report = build_problem_report(counts=counts, error=error, crash=crash)
        build_report_sheet(self, report).open()

    def _ask_for_library(self) -> None:
        if path := ask_for_library(self):
            self.library_wanted.emit(path)

    def _ask_for_new_library(self) -> None:
        from ..library.encryption import NewLibraryDialog

        folder = paths.default_library().parent
        dialog = NewLibraryDialog(self.context.theme, folder, self)
        dialog.chosen.connect(self.new_library_wanted)
        dialog.open()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if find_files(event.mimeData()):
            event.acceptProposedAction()
            self.drop_overlay.cover()
            self.files_expected.emit()

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
        self._save_panels()
        self.document_tabs.hide_windows()
        super().closeEvent(event)

    def save_place(self, library: str) -> None:
        """Save the current screen and the open documents for this library."""
        self._place_timer.stop()
        settings, key = open_window_file(), _build_place_key(library)
        self._saved_place = self._find_place()
        for name, value in self._saved_place.items():
            settings.setValue(f"{key}/{name}", value)
        settings.remove(f"{key}/{RESTORING}")
        settings.sync()  # else a crash could lose it

    def keep_place(self, library: str) -> None:
        """Save the place from now on a few seconds after it changed, until `save_place`."""
        self._place_library = library
        self._place_timer.start()

    def _save_changed_place(self) -> None:
        if self._find_place() != self._saved_place:
            self.save_place(self._place_library)
            self._place_timer.start()

    def _find_place(self) -> dict[str, str | int]:
        return {
            "screen": self.current,
            "documents": self.document_tabs.save_state(),
            **{
                key: "" if self._counts[name] is None else str(self._counts[name])
                for name, key in SLOW_COUNTS.items()
            },
        }

    def restore_place(self, library: str) -> None:
        """Show the screen and the documents that were saved for this library.

        If the program ended while it did that the last time, the documents are tabs that are not
        shown: one of them may have ended it.
        """
        settings, key = open_window_file(), _build_place_key(library)
        has_ended = bool(settings.value(f"{key}/{RESTORING}", False, type=bool))
        settings.setValue(f"{key}/{RESTORING}", True)  # until the place is saved
        settings.sync()
        self.show_screen(str(settings.value(f"{key}/screen", "")))
        documents = str(settings.value(f"{key}/documents", ""))
        self.document_tabs.restore_state(documents, shows_them=not has_ended)
        for name, stored in SLOW_COUNTS.items():
            known = str(settings.value(f"{key}/{stored}", ""))
            self.show_count(name, int(known) if known.isdecimal() else None)

    def _save_panels(self) -> None:
        settings = open_window_file()
        settings.setValue("window/geometry", self.saveGeometry())
        settings.setValue("window/sidebar", self._wide_sidebar["screens"])
        settings.setValue("window/sidebar_documents", self._wide_sidebar["documents"])
        settings.setValue("window/reader_share", self.document_tabs.beside_share)
        for name, screen in self.screens.list_built().items():
            for key, splitter in iter_splitters(name, screen):
                settings.setValue(f"splitters/{key}", splitter.saveState())
        settings.setValue("window/facts", self.screens.library.list.is_inspector_wanted)
        settings.sync()

    def _restore_panels(self) -> None:
        settings = open_window_file()
        geometry = settings.value("window/geometry")
        if not (isinstance(geometry, QByteArray) and self.restoreGeometry(geometry)):
            self.resize(WIDTH, HEIGHT)
        for place, key in (("screens", "sidebar"), ("documents", "sidebar_documents")):
            default = self._wide_sidebar[place]
            self._wide_sidebar[place] = bool(settings.value(f"window/{key}", default, type=bool))
        self._fit_sidebar()
        share = settings.value("window/reader_share", 0.5, type=float)
        if isinstance(share, float):
            self.document_tabs.beside_share = min(0.8, max(0.2, share))
        wanted = bool(settings.value("window/facts", True, type=bool))
        self.screens.library.list.is_inspector_wanted = wanted


def iter_splitters(name: str, screen: QWidget) -> Iterator[tuple[str, QSplitter]]:
    """Yield the splitters of a screen, each with the key under which its state is saved."""
    for place, splitter in enumerate(screen.findChildren(QSplitter)):
        yield f"{name}-{splitter.objectName() or place}", splitter


def _build_place_key(library: str) -> str:
    return f"places/{hashlib.sha256(library.encode()).hexdigest()[:16]}"
