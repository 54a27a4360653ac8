"""The window's actions, and the list of all commands that can be run now.

Commands come from the window's actions and from the shortcuts, menus and toolbar buttons of each
screen, so none is listed by hand. The command palette and the list of shortcuts use them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QMenu, QToolButton, QWidget

from ..language import later, tr
from ..theme.theme import Theme
from ..widgets import IconButton, ToolbarRow


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
    """Return the window's actions by name. Shortcuts work wherever the focus is."""
    actions = {}
    for name, words in WORDS.items():
        action = QAction(theme.icon(words.icon), tr(words.text), parent)
        action.setObjectName(name)
        if words.key:
            action.setShortcut(QKeySequence(words.key))
        actions[name] = action
    return actions


SCREEN_TITLES = {
    "library": later("Library"),
    "graph": later("Graph"),
    "entity": later("Names"),
    "merge": later("Merge desk"),
    "communities": later("Communities"),
    "chat": later("Chat"),
    "models": later("Models"),
    "settings": later("Settings"),
    "reader": later("Reader"),
}


@dataclass(frozen=True, slots=True)
class WindowCommand:
    """One command that can be run now.

    Attributes:
        group: the title of its screen, or the group of a window action.
        keys: the shortcut as this system writes it, "" for none.
        run: runs the command from anywhere; None if the focus has to be in a certain widget.
        key: a stable identifier, stored in the list of recent commands.
    """

    text: str
    group: str
    keys: str = ""
    icon: str = "caret-right"
    run: Callable[[], object] | None = None
    key: str = ""


def list_commands(
    actions: Mapping[str, QAction],
    places: Iterable[tuple[str, QWidget]],
    show_screen: Callable[[str], None],
) -> list[WindowCommand]:
    """Return what can be done now, the window's actions first, without duplicates.

    Args:
        actions: the window's actions by name.
        places: screen names with the widgets whose keys, buttons and menus are listed.
        show_screen: brings a screen to the front before one of its commands runs.
    """
    found: dict[tuple[str, str], WindowCommand] = {}
    for command in _iter_commands(actions, places, show_screen):
        place = command.group, command.text
        before = found.get(place)
        if before is None:
            found[place] = command
        elif command.keys and command.keys not in before.keys.split(" · "):
            keys = f"{before.keys} · {command.keys}" if before.keys else command.keys
            found[place] = replace(before, keys=keys)
    return list(found.values())


def _iter_commands(
    actions: Mapping[str, QAction],
    places: Iterable[tuple[str, QWidget]],
    show_screen: Callable[[str], None],
) -> Iterator[WindowCommand]:
    for name, action in actions.items():
        words = WORDS[name]
        keys = _written(action.shortcut())
        if action.isEnabled() and name != "palette":
            yield WindowCommand(
                action.text(), tr(words.group), keys, words.icon, action.trigger, f"window/{name}"
            )
        elif keys:
            yield WindowCommand(action.text(), tr(words.group), keys)
    for name, screen in places:
        group = tr(SCREEN_TITLES.get(name, name))
        for command in _iter_screen_commands(screen, group, partial(show_screen, name)):
            yield replace(command, key=f"{name}/{command.text}")


def _iter_screen_commands(
    screen: QWidget, group: str, show: Callable[[], None]
) -> Iterator[WindowCommand]:
    buttons = list(_buttons(screen))
    by_keys = {b.keys: b for b in screen.findChildren(IconButton) if b.keys}
    for shortcut in screen.findChildren(QShortcut):
        keys = _written(shortcut.key())
        owner = by_keys.get(shortcut.key().toString())
        text = shortcut.whatsThis() or (owner.accessibleName() if owner is not None else "")
        if text:
            # A command for the selection applies to the current selection of that screen.
            yield WindowCommand(text, group, keys, run=_with(show, shortcut.activated.emit))
    for button in buttons:
        text = button.accessibleName() or button.text().replace("&", "")
        if text and button.isEnabled():
            yield WindowCommand(text, group, run=_with(show, _pressing(button)))
    for action in _menu_actions(screen):
        yield WindowCommand(
            _with_title(action),
            group,
            _written(action.shortcut()),
            run=_with(show, action.trigger),
        )
    for widget in screen.findChildren(QWidget):
        for keys, words in getattr(widget, "spoken_keys", ()):
            yield WindowCommand(tr(words), group, _written(QKeySequence(keys)) or keys)


def _buttons(screen: QWidget) -> Iterator[QAbstractButton]:
    """Yield the visible buttons in the toolbar rows of a screen."""
    for row in screen.findChildren(ToolbarRow):
        for button in row.findChildren(QAbstractButton):
            inside = button.parentWidget()
            if not isinstance(inside, QLineEdit | QComboBox) and not button.isHidden():
                yield button


def _menu_actions(screen: QWidget) -> Iterator[QAction]:
    """Yield the actions of permanent menus; context menus are built when they open."""
    for action in screen.findChildren(QAction):
        owner = action.parent()  # Plots are skipped: they bring menus of their own.
        own = isinstance(owner, QWidget) and not isinstance(owner, QLineEdit)
        if own and action.text() and action.isEnabled() and not action.menu():
            yield action


def _with_title(action: QAction) -> str:
    """Return the text of an action, with the title of its menu before it."""
    text = action.text().replace("&", "")
    titles = [m.title() for m in action.associatedObjects() if isinstance(m, QMenu)]
    title = next((t.replace("&", "") for t in titles if t), "")
    return tr("{menu}: {entry}", menu=title, entry=text) if title else text


def _pressing(button: QAbstractButton) -> Callable[[], None]:
    def press() -> None:
        if isinstance(button, QToolButton) and button.menu() is not None:
            button.showMenu()
        else:
            button.click()

    return press


def _with(show: Callable[[], None], act: Callable[[], object]) -> Callable[[], None]:
    def run() -> None:
        show()
        act()

    return run


def _written(keys: QKeySequence) -> str:
    return keys.toString(QKeySequence.SequenceFormat.NativeText)
