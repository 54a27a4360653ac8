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

from ..theme.theme import Theme
from ..translation import later, tr
from ..widgets import IconButton, KeyDescriptions, ToolbarRow
from ..widgets.buttons import format_keys


class ActionWords(NamedTuple):
    text: str
    key: str
    icon: str


_GO = {
    "library": ActionWords(later("Go to the library"), "Ctrl+1", "library"),
    "graph": ActionWords(later("Go to the graph"), "Ctrl+2", "graph"),
    "entity": ActionWords(later("Go to names"), "Ctrl+3", "names"),
    "merge": ActionWords(later("Go to the merge desk"), "Ctrl+4", "merge"),
    "communities": ActionWords(later("Go to communities"), "Ctrl+5", "communities"),
    "chat": ActionWords(later("Go to chat"), "Ctrl+6", "chat"),
    "highlights": ActionWords(later("Go to highlights"), "Ctrl+7", "highlights"),
    "models": ActionWords(later("Go to models"), "Ctrl+8", "models"),
    "evaluation": ActionWords(later("Go to the evaluation"), "Ctrl+9", "evaluation"),
    "settings": ActionWords(later("Settings"), "Ctrl+,", "settings"),
    "palette": ActionWords(later("Search everything"), "Ctrl+K", "search"),
}
_LIBRARY = {
    "add_files": ActionWords(later("Add files…"), "Ctrl+O", "add-file"),
    "add_folder": ActionWords(later("Add folder…"), "Ctrl+Shift+O", "add-folder"),
    "import_folder": ActionWords(later("Import graph from LightRAG or GraphRAG…"), "", "graph"),
    "import_file": ActionWords(later("Import graph from JSON or GraphML…"), "", "graph"),
    "zotero": ActionWords(later("Add from Zotero…"), "", "ph.books"),
    "zotero_update": ActionWords(later("Update from Zotero"), "", "retry"),
    "references": ActionWords(later("Import references…"), "", "ph.quotes"),
    "open_library": ActionWords(later("Open another library…"), "", "folder-open"),
    "new_library": ActionWords(later("New library…"), "", "add"),
    "maintenance": ActionWords(later("Library maintenance…"), "", "notebook"),
    "back_up": ActionWords(later("Back up now"), "", "ph.floppy-disk"),
    "restore": ActionWords(later("Restore a backup…"), "", "clock-counter-clockwise"),
    "watch": ActionWords(later("Watched folders…"), "", "ph.eye"),
    "export_library": ActionWords(later("Export the library…"), "", "export"),
}
_ENRICHMENT = {
    "enrich": ActionWords(later("Enrich the library…"), "Ctrl+E", "sparkle"),
    "enrich_pause": ActionWords(later("Pause or resume enrichment"), "", "pause"),
    "enrich_settings": ActionWords(later("Enrichment settings…"), "", "sliders-horizontal"),
    "enrich_suggest": ActionWords(later("Suggest enrichment settings…"), "", "lightbulb"),
}
_EDIT = {
    "undo": ActionWords(later("Undo the last change"), "Ctrl+Z", "undo"),
    "redo": ActionWords(later("Redo the last change"), "Ctrl+Shift+Z", "retry"),
    "find_quotation": ActionWords(later("Find a quotation…"), "Ctrl+Shift+F", "ph.quotes"),
    "history": ActionWords(later("History of changes…"), "Ctrl+H", "clock-counter-clockwise"),
    "create": ActionWords(later("Add name…"), "", "add"),
    "export_corrections": ActionWords(later("Export corrections…"), "", "export"),
    "apply_corrections": ActionWords(later("Import corrections…"), "", "download-simple"),
}
_DOCUMENTS = {
    "reader": ActionWords(later("Show or hide the reader beside"), "Ctrl+Shift+R", "reader"),
    "next_tab": ActionWords(later("Next tab"), "Ctrl+Tab", "ph.arrow-right"),
    "previous_tab": ActionWords(later("Previous tab"), "Ctrl+Shift+Tab", "ph.arrow-left"),
    "close_tab": ActionWords(later("Close tab"), "Ctrl+W", "close"),
    "reopen_tab": ActionWords(later("Reopen closed tab"), "Ctrl+Shift+T", "retry"),
    "tab_right": ActionWords(later("Move tab to the right"), "", "ph.arrow-right"),
    "tab_left": ActionWords(later("Move tab to the left"), "", "ph.arrow-left"),
    "tab_window": ActionWords(
        later("Move tab to a new window"), "Ctrl+Shift+N", "ph.arrow-square-out"
    ),
}
_WINDOW = {
    "sidebar": ActionWords(later("Show or hide the sidebar"), "Ctrl+\\", "sidebar"),
    "inspector": ActionWords(later("Show or hide the inspector"), "Ctrl+Shift+\\", "inspector"),
    "next_area": ActionWords(later("Next area"), "F6", "ph.arrow-right"),
    "previous_area": ActionWords(later("Previous area"), "Shift+F6", "ph.arrow-left"),
    "message": ActionWords(later("Run the message's action"), "Ctrl+.", "check-circle"),
    "full_screen": ActionWords(later("Full screen"), "F11", "ph.corners-out"),
    "restart": ActionWords(later("Restart Inkgraph"), "", "retry"),
    "quit": ActionWords(later("Quit"), "Ctrl+Q", "ph.sign-out"),
    "light": ActionWords(later("Light theme"), "", "sun"),
    "dark": ActionWords(later("Dark theme"), "", "moon"),
    "system": ActionWords(later("Follow system theme"), "", "monitor"),
}
GROUPS = {
    later("Go to"): _GO,
    later("Library"): _LIBRARY,
    later("Enrichment"): _ENRICHMENT,
    later("Chat"): {"new_chat": ActionWords(later("New chat"), "Ctrl+N", "add")},
    later("Edit"): _EDIT,
    later("Documents"): _DOCUMENTS,
    later("Window"): _WINDOW,
    later("Help"): {
        "privacy": ActionWords(later("Privacy"), "", "offline"),
        "shortcuts": ActionWords(later("Keyboard shortcuts"), "F1", "keyboard"),
        "report": ActionWords(later("Report a problem…"), "", "warning"),
    },
}


def build_actions(theme: Theme, parent: QObject) -> dict[str, QAction]:
    """Return the window's actions by name. Shortcuts work wherever the focus is."""
    actions = {}
    for words_by_name in GROUPS.values():
        for name, words in words_by_name.items():
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
    "highlights": later("Highlights"),
    "models": later("Models"),
    "evaluation": later("Evaluation"),
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
    for title, words_by_name in GROUPS.items():
        for name, words in words_by_name.items():
            action, group = actions[name], tr(title)
            keys = format_keys(action.shortcut())
            if action.isEnabled() and name != "palette":
                key, run = f"window/{name}", action.trigger
                yield WindowCommand(action.text(), group, keys, words.icon, run, key)
            elif keys:
                yield WindowCommand(action.text(), group, keys)
    for name, screen in places:
        group = tr(SCREEN_TITLES.get(name, name))
        for command in _iter_screen_commands(screen, group, partial(show_screen, name)):
            yield replace(command, key=f"{name}/{command.text}")


def _iter_screen_commands(
    screen: QWidget, group: str, show: Callable[[], None]
) -> Iterator[WindowCommand]:
    def show_and(act: Callable[[], object]) -> Callable[[], None]:
        def run() -> None:
            show()
            act()

        return run

    by_keys = {b.keys: b for b in screen.findChildren(IconButton) if b.keys}
    for shortcut in screen.findChildren(QShortcut):
        keys = format_keys(shortcut.key())
        owner = by_keys.get(shortcut.key().toString())
        text = shortcut.whatsThis() or (owner.accessibleName() if owner is not None else "")
        if text:
            # A command for the selection applies to the current selection of that screen.
            yield WindowCommand(text, group, keys, run=show_and(shortcut.activated.emit))
    for row in screen.findChildren(ToolbarRow):
        for button in row.findChildren(QAbstractButton):
            text = button.accessibleName() or button.text().replace("&", "")
            in_field = isinstance(button.parentWidget(), QLineEdit | QComboBox)
            if text and button.isEnabled() and not button.isHidden() and not in_field:
                press: Callable[[], object] = button.click
                if isinstance(button, QToolButton) and button.menu() is not None:
                    press = button.showMenu
                yield WindowCommand(text, group, run=show_and(press))
    for action in _menu_actions(screen):
        text, keys = _with_title(action), format_keys(action.shortcut())
        yield WindowCommand(text, group, keys, run=show_and(action.trigger))
    for described in screen.findChildren(KeyDescriptions):
        for keys, words in described.keys:
            yield WindowCommand(tr(words), group, format_keys(keys))


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
