"""Fake screens for tests of the main window: signals, and recorded calls."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop_app.ui.shell.navigator import Screens

METHODS = (
    "open_at",
    "show_entity",
    "show_entities",
    "set_question",
    "open_chat",
    "new_chat",
    "toggle_inspector",
    "add_files",
    "add_folder",
)


class FakeScreen(QWidget):
    """Has the signals that the window connects; `calls` records the calls of `METHODS`."""

    open_passage = Signal(int, int, int)
    open_entity = Signal(int)
    show_in_graph = Signal(object)
    ask_about = Signal(str)
    open_models = Signal()
    action_wanted = Signal(str)
    restart_wanted = Signal()
    open_chat_wanted = Signal(int)
    search_wanted = Signal()
    library_file_requested = Signal()
    watch_requested = Signal()
    counted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple] = []
        self.list = SimpleNamespace(is_inspector_wanted=True)

    def __getattr__(self, name: str) -> Any:
        if name in METHODS:
            return lambda *args: self.calls.append((name, *args))
        raise AttributeError(name)

    def entries(self) -> list:
        return []


class FakeLibraryScreen(FakeScreen):
    open_document = Signal(int)


class FakeReaderScreen(FakeScreen):
    closed = Signal()
    document_id: int | None = None

    def open_document(self, document_id: int) -> None:
        self.calls.append(("open_document", document_id))


def build_screens(**given: QWidget) -> Screens:
    """Return the given screens and fake ones for the rest."""
    names = ("graph", "entity", "merge", "communities", "chat", "models", "settings")
    screens: dict[str, Any] = {"library": FakeLibraryScreen(), "reader": FakeReaderScreen()}
    screens |= {name: FakeScreen() for name in names}
    return Screens(**screens | given)
