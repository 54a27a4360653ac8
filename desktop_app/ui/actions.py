"""What the window can do, as named actions with keys: for the palette, menus and the F1 sheet.

Owns names and keys only; the main window says what each does.
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence

from .language import later, tr
from .theme.theme import Theme


class ActionWords(NamedTuple):
    text: str
    key: str
    icon: str
    group: str


WORDS = {
    "library": ActionWords(later("Go to the library"), "Ctrl+1", "library", later("Go to")),
    "graph": ActionWords(later("Go to the graph"), "Ctrl+2", "graph", later("Go to")),
    "entity": ActionWords(later("Go to names"), "Ctrl+3", "names", later("Go to")),
    "merge": ActionWords(later("Go to the merge desk"), "Ctrl+4", "merge", later("Go to")),
    "chat": ActionWords(later("Go to chat"), "Ctrl+5", "chat", later("Go to")),
    "communities": ActionWords(later("Go to communities"), "Ctrl+7", "communities", later("Go to")),
    "models": ActionWords(later("Go to models"), "Ctrl+6", "models", later("Go to")),
    "settings": ActionWords(later("Settings"), "Ctrl+,", "settings", later("Go to")),
    "palette": ActionWords(later("Search everything"), "Ctrl+K", "search", later("Go to")),
    "add_files": ActionWords(later("Add files…"), "Ctrl+O", "add-file", later("Library")),
    "add_folder": ActionWords(later("Add folder…"), "Ctrl+Shift+O", "add-folder", later("Library")),
    "import_folder": ActionWords(
        later("Import a graph: folder of LightRAG or GraphRAG…"), "", "graph", later("Library")
    ),
    "import_file": ActionWords(
        later("Import a graph: JSON or GraphML file…"), "", "graph", later("Library")
    ),
    "enrich": ActionWords(later("Enrich the library…"), "Ctrl+E", "sparkle", later("Enrichment")),
    "enrich_pause": ActionWords(
        later("Pause or go on enriching"), "", "pause", later("Enrichment")
    ),
    "enrich_settings": ActionWords(
        later("How to enrich…"), "", "sliders-horizontal", later("Enrichment")
    ),
    "enrich_suggest": ActionWords(
        later("Suggest how to enrich, from my library…"), "", "lightbulb", later("Enrichment")
    ),
    "open_library": ActionWords(
        later("Open another library…"), "", "folder-open", later("Library")
    ),
    "new_library": ActionWords(later("New library…"), "", "add", later("Library")),
    "care": ActionWords(
        later("This library: size, backup, compact…"), "", "notebook", later("Library")
    ),
    "watch": ActionWords(later("Watched folders…"), "", "ph.eye", later("Library")),
    "new_chat": ActionWords(later("New chat"), "Ctrl+N", "add", later("Chat")),
    "undo": ActionWords(later("Undo the last change"), "Ctrl+Z", "undo", later("Edit")),
    "redo": ActionWords(later("Redo the last change"), "Ctrl+Shift+Z", "retry", later("Edit")),
    "history": ActionWords(
        later("History of changes…"), "Ctrl+H", "clock-counter-clockwise", later("Edit")
    ),
    "create": ActionWords(later("Add a name…"), "", "add", later("Edit")),
    "export_corrections": ActionWords(later("Export corrections…"), "", "export", later("Edit")),
    "apply_corrections": ActionWords(
        later("Apply corrections from a file…"), "", "download-simple", later("Edit")
    ),
    "sidebar": ActionWords(
        later("Show or hide the sidebar"), "Ctrl+\\", "sidebar", later("Window")
    ),
    "inspector": ActionWords(
        later("Show or hide the facts"), "Ctrl+Shift+\\", "inspector", later("Window")
    ),
    "reader": ActionWords(
        later("Show or hide the reader"), "Ctrl+Shift+R", "reader", later("Window")
    ),
    "next_area": ActionWords(later("Next area"), "F6", "ph.arrow-right", later("Window")),
    "previous_area": ActionWords(
        later("Area before"), "Shift+F6", "ph.arrow-left", later("Window")
    ),
    "message": ActionWords(
        later("Do what the message offers"), "Ctrl+.", "check-circle", later("Window")
    ),
    "full_screen": ActionWords(later("Full screen"), "F11", "ph.corners-out", later("Window")),
    "restart": ActionWords(later("Restart Inkgraph"), "", "retry", later("Window")),
    "quit": ActionWords(later("Quit"), "Ctrl+Q", "ph.sign-out", later("Window")),
    "light": ActionWords(later("Light theme"), "", "sun", later("Window")),
    "dark": ActionWords(later("Dark theme"), "", "moon", later("Window")),
    "system": ActionWords(later("Theme of the system"), "", "monitor", later("Window")),
    "privacy": ActionWords(later("What Inkgraph may touch"), "", "offline", later("Help")),
    "shortcuts": ActionWords(later("Keyboard shortcuts"), "F1", "keyboard", later("Help")),
}


def build_actions(theme: Theme, parent: QObject) -> dict[str, QAction]:
    """Return the window's actions by name; those with a key work wherever the focus is."""
    actions = {}
    for name, words in WORDS.items():
        action = QAction(theme.icon(words.icon), tr(words.text), parent)
        action.setObjectName(name)
        if words.key:
            action.setShortcut(QKeySequence(words.key))
        actions[name] = action
    return actions
