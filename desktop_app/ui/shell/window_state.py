"""What the window keeps from one start to the next: its size, its panels, and where one was.

Owns the keys of `window.ini` for that. Size and panels are the same for all libraries; the screen
in front and the document in the reader are kept for each library by itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QSplitter

from desktop_app.engine import paths

if TYPE_CHECKING:
    from .main_window import MainWindow


WIDTH, HEIGHT = 1280, 800


def open_settings() -> QSettings:
    """Return what the window keeps; all that are open at once share one memory."""
    return QSettings(str(paths.data_dir() / "window.ini"), QSettings.Format.IniFormat)


def restore_panels(window: MainWindow) -> None:
    """Bring back the window's size, its sidebar, its splitters and the facts of the library."""
    settings = open_settings()
    geometry = settings.value("window/geometry")
    if not (isinstance(geometry, QByteArray) and window.restoreGeometry(geometry)):
        window.resize(WIDTH, HEIGHT)
    window.show_sidebar(settings.value("window/sidebar", True, type=bool))
    share = settings.value("window/reader_share", 0.5, type=float)
    window.reader_share = min(0.8, max(0.2, share))
    for name, splitter in _splitters(window):
        state = settings.value(f"splitters/{name}")
        if isinstance(state, QByteArray):
            splitter.restoreState(state)
            splitter.setHandleWidth(1)  # which the state would bring back as it was once
            splitter.setChildrenCollapsible(False)
    documents = getattr(window.screens.get("library"), "list", None)
    wanted = settings.value("window/facts", True, type=bool)
    if documents is not None and documents.is_inspector_wanted != wanted:
        documents.toggle_inspector()


def keep_panels(window: MainWindow) -> None:
    """Keep what `restore_panels` brings back."""
    settings = open_settings()
    settings.setValue("window/geometry", window.saveGeometry())
    settings.setValue("window/sidebar", not window.sidebar.isHidden())
    settings.setValue("window/reader_share", window.reader_share)
    for name, splitter in _splitters(window):
        settings.setValue(f"splitters/{name}", splitter.saveState())
    documents = getattr(window.screens.get("library"), "list", None)
    if documents is not None:
        settings.setValue("window/facts", documents.is_inspector_wanted)
    settings.sync()


def restore_place(window: MainWindow, library: str) -> None:
    """Show the screen that was in front and the document that was open in this library."""
    settings, key = open_settings(), _key(library)
    screen = str(settings.value(f"{key}/screen", ""))
    if screen in window.screens:
        window.show_screen(screen)
    document = settings.value(f"{key}/document", 0, type=int)
    if document:
        window.doors.document(document)


def keep_place(window: MainWindow, library: str) -> None:
    """Keep what `restore_place` brings back."""
    settings, key = open_settings(), _key(library)
    settings.setValue(f"{key}/screen", window.current)
    reader = window.reader
    is_open = reader is not None and not reader.isHidden()
    settings.setValue(f"{key}/document", getattr(reader, "document_id", 0) if is_open else 0)


def _key(library: str) -> str:
    return f"places/{hashlib.sha256(library.encode()).hexdigest()[:16]}"


def _splitters(window: MainWindow) -> Iterator[tuple[str, QSplitter]]:
    for name, screen in window.screens.items():
        for place, splitter in enumerate(screen.findChildren(QSplitter)):
            yield f"{name}-{splitter.objectName() or place}", splitter
