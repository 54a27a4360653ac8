"""The menu of the right button over a document: for a selection, a name, a highlight, a place.

Owns what is offered where, in which words. What is chosen leaves by the view's signals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu

from desktop_app.ui.language import later, tr

if TYPE_CHECKING:
    from .view import DocumentView, Name

COLOR_WORDS = {
    "yellow": later("Yellow"),
    "green": later("Green"),
    "blue": later("Blue"),
    "pink": later("Pink"),
}
LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Spot:
    """What a menu is about: a range with its words, and the name or highlight under the pointer."""

    start: int
    end: int
    text: str
    name: Name | None = None
    note_id: int | None = None


def build_menu(
    view: DocumentView,
    name: Name | None = None,
    offset: int | None = None,
    note_id: int | None = None,
) -> QMenu:
    """Return the menu for what is selected or marked and what is under the pointer."""
    menu = QMenu(view)
    spot = view.spot(name, offset, note_id)

    def add(words: str, verb: str, to: QMenu = menu) -> None:
        to.addAction(words).triggered.connect(lambda: view.verb_wanted.emit(verb, spot))

    if name is not None:
        _add_name(menu, view, name, spot)
    if note_id is not None:
        add(tr("Edit the note…"), "edit_note")
        add(tr("Remove the highlight"), "remove_note")
        menu.addSeparator()
    copy = menu.addAction(tr("Copy"))
    copy.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
    copy.setEnabled(bool(spot.text))
    copy.triggered.connect(lambda: view.verb_wanted.emit("copy", spot))
    if spot.text:
        add(tr("Copy with its source"), "quote")
    ask = menu.addAction(tr("Ask about this passage"))
    ask.setEnabled(bool(spot.text))
    ask.triggered.connect(lambda: view.verb_wanted.emit("ask", spot))
    if spot.text:
        add(tr("Show its names in the graph"), "graph")
        menu.addSeparator()
        if note_id is None:
            colors = menu.addMenu(tr("Highlight"))
            for color, words in COLOR_WORDS.items():
                add(tr(words), f"highlight {color}", colors)  # not shown
            add(tr("Highlight with a note…"), "highlight_note")
        if len(spot.text) <= LONGEST_NAME and "\n" not in spot.text and name is None:
            menu.addSeparator()
            add(tr("Add “{words}” as a name…", words=spot.text), "add_name")
            add(tr("“{words}” is the same as…", words=spot.text), "same_as")
    menu.addSeparator()
    add(tr("Bookmark this place"), "bookmark")
    enrich = menu.addAction(view.enrich_words)
    at = view.top_offset() if offset is None else offset
    enrich.triggered.connect(lambda: view.enrich_wanted.emit(at))
    return menu


def _add_name(menu: QMenu, view: DocumentView, name: Name, spot: Spot) -> None:
    entity_id, title = name[2], name[3]
    menu.addAction(tr("Open {name}", name=title)).triggered.connect(
        lambda: view.name_opened.emit(entity_id)
    )
    menu.addAction(tr("Show {name} in the graph", name=title)).triggered.connect(
        lambda: view.name_in_graph.emit(entity_id)
    )

    def add(words: str, verb: str, to: QMenu = menu) -> None:
        to.addAction(words).triggered.connect(lambda: view.verb_wanted.emit(verb, spot))

    add(tr("Mark every {name} in the margin", name=title), "follow")
    menu.addSeparator()
    add(tr("{name} is the same as…", name=title), "merge")
    not_it = menu.addMenu(tr("This is not {name}…", name=title))
    add(tr("It is somebody else of this name…"), "not_namesake", not_it)
    here = view.text[name[0] : name[1]].strip()
    if here and here != title:
        words = " ".join(here.split())
        told = tr("“{words}” is not another name of {name}", words=words, name=title)
        add(told, "not_alias", not_it)
    add(tr("It is no name at all"), "not_name", not_it)
    menu.addSeparator()
