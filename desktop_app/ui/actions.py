"""What the window can do, as named actions with keys: for the palette, menus and the F1 sheet.

Owns names and keys only; the main window says what each does.
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence

from .theme.theme import Theme


class ActionWords(NamedTuple):
    text: str
    key: str
    icon: str
    group: str


WORDS = {
    "library": ActionWords("Go to the library", "Ctrl+1", "library", "Go to"),
    "graph": ActionWords("Go to the graph", "Ctrl+2", "graph", "Go to"),
    "entity": ActionWords("Go to names", "Ctrl+3", "names", "Go to"),
    "merge": ActionWords("Go to the merge desk", "Ctrl+4", "merge", "Go to"),
    "chat": ActionWords("Go to chat", "Ctrl+5", "chat", "Go to"),
    "models": ActionWords("Go to models", "Ctrl+6", "models", "Go to"),
    "palette": ActionWords("Search everything", "Ctrl+K", "search", "Go to"),
    "add_files": ActionWords("Add files…", "Ctrl+O", "add-file", "Library"),
    "add_folder": ActionWords("Add folder…", "Ctrl+Shift+O", "add-folder", "Library"),
    "import_folder": ActionWords(
        "Import a graph: folder of LightRAG or GraphRAG…", "", "graph", "Library"
    ),
    "import_file": ActionWords("Import a graph: JSON or GraphML file…", "", "graph", "Library"),
    "enrich": ActionWords("Enrich the library…", "Ctrl+E", "sparkle", "Enrichment"),
    "enrich_pause": ActionWords("Pause or go on enriching", "", "pause", "Enrichment"),
    "enrich_settings": ActionWords("How to enrich…", "", "sliders-horizontal", "Enrichment"),
    "enrich_suggest": ActionWords(
        "Suggest how to enrich, from my library…", "", "lightbulb", "Enrichment"
    ),
    "open_library": ActionWords("Open another library…", "", "folder-open", "Library"),
    "new_library": ActionWords("New library…", "", "add", "Library"),
    "new_chat": ActionWords("New chat", "Ctrl+N", "add", "Chat"),
    "undo": ActionWords("Undo the last change", "Ctrl+Z", "undo", "Edit"),
    "redo": ActionWords("Redo the last change", "Ctrl+Shift+Z", "retry", "Edit"),
    "history": ActionWords("History of changes…", "Ctrl+H", "clock-counter-clockwise", "Edit"),
    "create": ActionWords("Add a name…", "", "add", "Edit"),
    "export_corrections": ActionWords("Export corrections…", "", "export", "Edit"),
    "apply_corrections": ActionWords(
        "Apply corrections from a file…", "", "download-simple", "Edit"
    ),
    "sidebar": ActionWords("Show or hide the sidebar", "Ctrl+\\", "sidebar", "Window"),
    "inspector": ActionWords("Show or hide the facts", "Ctrl+Shift+\\", "inspector", "Window"),
    "reader": ActionWords("Show or hide the reader", "Ctrl+Shift+R", "reader", "Window"),
    "light": ActionWords("Light theme", "", "sun", "Window"),
    "dark": ActionWords("Dark theme", "", "moon", "Window"),
    "system": ActionWords("Theme of the system", "", "monitor", "Window"),
    "privacy": ActionWords("What Inkgraph may touch", "", "offline", "Help"),
    "shortcuts": ActionWords("Keyboard shortcuts", "F1", "keyboard", "Help"),
}


def build_actions(theme: Theme, parent: QObject) -> dict[str, QAction]:
    """Return the window's actions by name; those with a key work wherever the focus is."""
    actions = {}
    for name, words in WORDS.items():
        action = QAction(theme.icon(words.icon), words.text, parent)
        action.setObjectName(name)
        if words.key:
            action.setShortcut(QKeySequence(words.key))
        actions[name] = action
    return actions
