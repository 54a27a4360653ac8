"""Fake screens for tests of the main window: signals, and recorded calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QToolButton, QWidget

from desktop_app.ui.screens import SCREENS, Parts, connect_screens
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.shell.navigator import Screens
from tests.ui.fakes import FakeContext

METHODS = (
    "open_at",
    "show_entity",
    "show_entities",
    "show_names_of",
    "show_community",
    "set_question",
    "open_chat",
    "new_chat",
    "toggle_inspector",
    "add_files",
    "add_folder",
    "set_overview",
    "show_all",
    "show_places_button",
    "shut_down",
)


class FakeCommunitiesHead(QWidget):
    pause_wanted = Signal()
    resume_wanted = Signal()
    stop_wanted = Signal()


class FakeCanvas(QWidget):
    opengl_failed = Signal()


class FakeScreen(QWidget):
    """Has the signals that `ui/screens.py` connects; `calls` records the calls of `METHODS`."""

    open_passage = Signal(int, int, int)
    open_entity = Signal(int)
    open_community = Signal(int)
    show_in_graph = Signal(object)
    ask_about = Signal(str)
    open_models = Signal()
    action_wanted = Signal(str)
    restart_wanted = Signal()
    open_chat_wanted = Signal(int)
    search_wanted = Signal()
    library_file_wanted = Signal()
    watch_wanted = Signal()
    library_wanted = Signal()
    counted = Signal(int)
    place_opened = Signal()
    quotation_wanted = Signal(str)
    ask_wanted = Signal(str, str)
    color_wanted = Signal(list, int)
    changed = Signal()
    chat_changed = Signal(int)
    enrich_entity_wanted = Signal(int)
    export_library_wanted = Signal()
    searching = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple] = []
        self.places_panel = QWidget(self)
        self.list = SimpleNamespace(is_inspector_wanted=True)
        self.names = SimpleNamespace(set_documents=lambda titles: None)
        self.canvas, self.head = FakeCanvas(self), FakeCommunitiesHead(self)

    def __getattr__(self, name: str) -> Any:
        if name in METHODS:
            return lambda *args: self.calls.append((name, *args))
        raise AttributeError(name)

    def entries(self) -> list:
        return []

    def show_blocker(self) -> None:
        """Do nothing: no fake screen has work that could wait."""

    def set_documents_in_use(self, list_in_use: Callable[[], Sequence[int]]) -> None:
        self.list_in_use = list_in_use


class FakeLibraryScreen(FakeScreen):
    open_document = Signal(int)
    open_beside = Signal(int)
    open_in_window = Signal(int)
    open_entity = Signal(int)
    names_wanted = Signal(int)
    demo_wanted = Signal()
    pause_wanted = Signal()
    resume_wanted = Signal()
    cancel_wanted = Signal(int)
    retry_wanted = Signal(int)
    delete_wanted = Signal(list)


class FakePreferences(QObject):
    changed = Signal()

    def load(self) -> None:
        pass


class FakeReaderScreen(FakeScreen):
    closed = Signal()
    enrich_chapter_wanted = Signal(int, int, int)
    document_id: int | None = None
    view = None

    def __init__(self) -> None:
        super().__init__()
        self.head = SimpleNamespace(tab_button=QToolButton(self))
        self.preferences = FakePreferences(self)

    def open_document(self, document_id: int) -> None:
        self.calls.append(("open_document", document_id))


def build_window(context: FakeContext, **given: QWidget) -> MainWindow:
    """Return a window with the given screens, and fake ones for the rest."""
    builders: dict[str, Callable[[], QWidget]] = dict.fromkeys(SCREENS, FakeScreen)
    builders |= {"library": FakeLibraryScreen, "reader": FakeReaderScreen}
    builders |= {name: lambda screen=screen: screen for name, screen in given.items()}
    window = MainWindow(context, Screens(builders))
    ignore = Mock()  # takes what goes to the session and to controllers
    parts = Parts(
        window=window,
        session=ignore,
        enrichment=ignore,
        exports=ignore,
        communities=ignore,
        duplicates=ignore,
        opengl_failed=ignore.failed,
        list_titles=list,
    )
    connect_screens(window.screens, parts)
    return window
