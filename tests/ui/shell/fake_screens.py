"""Fake screens for tests of the main window: signals, and recorded calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QToolButton, QWidget

from desktop_app.ui.shell.navigator import Screens

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


class FakeScreen(QWidget):
    """Has the signals that the window connects; `calls` records the calls of `METHODS`."""

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
    library_file_requested = Signal()
    watch_requested = Signal()
    library_wanted = Signal()
    counted = Signal(int)
    place_opened = Signal()
    quotation_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple] = []
        self.places_panel = QWidget(self)
        self.list = SimpleNamespace(is_inspector_wanted=True)

    def __getattr__(self, name: str) -> Any:
        if name in METHODS:
            return lambda *args: self.calls.append((name, *args))
        raise AttributeError(name)

    def entries(self) -> list:
        return []

    def set_documents_in_use(self, list_in_use: Callable[[], Sequence[int]]) -> None:
        self.list_in_use = list_in_use


class FakeLibraryScreen(FakeScreen):
    open_document = Signal(int)
    open_beside = Signal(int)
    open_in_window = Signal(int)
    open_entity = Signal(int)
    names_wanted = Signal(int)


class FakePreferences(QObject):
    changed = Signal()

    def load(self) -> None:
        pass


class FakeReaderScreen(FakeScreen):
    closed = Signal()
    enrich_chapter_requested = Signal(int, int, int)
    document_id: int | None = None
    view = None

    def __init__(self) -> None:
        super().__init__()
        self.head = SimpleNamespace(tab_button=QToolButton(self))
        self.preferences = FakePreferences(self)

    def open_document(self, document_id: int) -> None:
        self.calls.append(("open_document", document_id))


def build_screens(**given: QWidget) -> Screens:
    """Return the given screens and fake ones for the rest."""
    names = ("graph", "entity", "merge", "communities", "chat", "highlights", "models")
    names += ("settings",)
    screens: dict[str, Any] = {"library": FakeLibraryScreen(), "reader": FakeReaderScreen()}
    screens |= {name: FakeScreen() for name in names}
    return Screens(**screens | given)
