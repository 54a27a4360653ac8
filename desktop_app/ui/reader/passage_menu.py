"""The context menu of a document: for a selection, a name, a highlight or a position.

Owns which actions are offered for what. The chosen action is emitted by the view's signals.
"""

from __future__ import annotations

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu

from desktop_app.ui.language import later, tr

from .ranges import MenuTarget, Name
from .view import DocumentView

COLOR_WORDS = {
    "yellow": later("Yellow"),
    "green": later("Green"),
    "blue": later("Blue"),
    "pink": later("Pink"),
}
MAX_NAME_CHARS = 60


def build_menu(
    view: DocumentView,
    name: Name | None = None,
    offset: int | None = None,
    note_id: int | None = None,
) -> QMenu:
    """Return the menu for the selection or marked passage and for what is under the pointer."""
    menu = QMenu(view)
    target = view.menu_target(name, offset, note_id)

    def add(words: str, action: str, to: QMenu = menu) -> None:
        to.addAction(words).triggered.connect(lambda: view.action_requested.emit(action, target))

    if name is not None:
        _add_name_actions(menu, view, name, target)
    if note_id is not None:
        add(tr("Edit the note…"), "edit_note")
        add(tr("Remove the highlight"), "remove_note")
        menu.addSeparator()
    copy = menu.addAction(tr("Copy"))
    copy.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
    copy.setEnabled(bool(target.text))
    copy.triggered.connect(lambda: view.action_requested.emit("copy", target))
    if target.text:
        add(tr("Copy with its source"), "quote")
    ask = menu.addAction(tr("Ask about this passage"))
    ask.setEnabled(bool(target.text))
    ask.triggered.connect(lambda: view.action_requested.emit("ask", target))
    if target.text:
        add(tr("Show its names in the graph"), "graph")
        menu.addSeparator()
        if note_id is None:
            colors = menu.addMenu(tr("Highlight"))
            for color, words in COLOR_WORDS.items():
                add(tr(words), f"highlight {color}", colors)  # not shown
            add(tr("Highlight with a note…"), "highlight_note")
        if len(target.text) <= MAX_NAME_CHARS and "\n" not in target.text and name is None:
            menu.addSeparator()
            add(tr("Add “{words}” as a name…", words=target.text), "add_name")
            add(tr("“{words}” is the same as…", words=target.text), "same_as")
    menu.addSeparator()
    add(tr("Bookmark this place"), "bookmark")
    enrich = menu.addAction(view.enrich_words)
    at = view.top_offset() if offset is None else offset
    enrich.triggered.connect(lambda: view.enrich_wanted.emit(at))
    return menu


def _add_name_actions(menu: QMenu, view: DocumentView, name: Name, target: MenuTarget) -> None:
    entity_id, title = name[2], name[3]
    menu.addAction(tr("Open {name}", name=title)).triggered.connect(
        lambda: view.name_opened.emit(entity_id)
    )
    menu.addAction(tr("Show {name} in the graph", name=title)).triggered.connect(
        lambda: view.name_in_graph.emit(entity_id)
    )

    def add(words: str, action: str, to: QMenu = menu) -> None:
        to.addAction(words).triggered.connect(lambda: view.action_requested.emit(action, target))

    add(tr("Mark every {name} in the margin", name=title), "follow")
    menu.addSeparator()
    add(tr("{name} is the same as…", name=title), "merge")
    not_it = menu.addMenu(tr("This is not {name}…", name=title))
    add(tr("It is somebody else of this name…"), "not_namesake", not_it)
    text_here = view.text[name[0] : name[1]].strip()
    if text_here and text_here != title:
        words = " ".join(text_here.split())
        label = tr("“{words}” is not another name of {name}", words=words, name=title)
        add(label, "not_alias", not_it)
    add(tr("It is no name at all"), "not_name", not_it)
    menu.addSeparator()
