"""The parts of menus that are about shelves: details, collections, tags, the trash, places.

Own the words of the entries; what they do is `Shelving`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from desktop_app.engine.types import DocumentRow
from desktop_app.ui.language import tr

from .places import Place

if TYPE_CHECKING:
    from .shelving import Shelving


def add_shelf_menu(menu: QMenu, shelving: Shelving, rows: Sequence[DocumentRow]) -> None:
    """Add what can be done with documents about their shelf."""
    ids = [row.id for row in rows]
    menu.addAction(tr("Details…"), lambda: shelving.edit_details(rows))
    into = menu.addMenu(tr("Add to collection"))
    for found in shelving.collections:
        into.addAction(found.name, lambda c=found: shelving.collect(c.id, c.name, ids))
    if shelving.collections:
        into.addSeparator()
    into.addAction(tr("New collection…"), lambda: shelving.new_collection(ids))
    place = shelving.places.current
    if place.kind == "collection":
        words = tr("Take out of “{name}”", name=place.words)
        menu.addAction(words, lambda: shelving.take_out(place, ids))
    tags = menu.addMenu(tr("Tags"))
    for tag in shelving.tags:
        action = tags.addAction(tag)
        action.setCheckable(True)
        action.setChecked(all(tag in row.tags for row in rows))
        action.triggered.connect(lambda on, tag=tag: shelving.tag(ids, tag, on))
    if shelving.tags:
        tags.addSeparator()
    tags.addAction(tr("New tag…"), lambda: shelving.new_tag(ids))


def add_places_menu(menu: QMenu, shelving: Shelving) -> None:
    """Offer the places where their list has no room, and what concerns all of one."""
    if shelving.places.isHidden():
        into = menu.addMenu(tr("Show"))
        for place in shelving.list_places():
            if place.kind != "heading":
                words = f"{place.words}  ({place.count})" if place.count else place.words
                into.addAction(words, lambda p=place: shelving.places.choose(p.kind, p.words))
    _add_retry_all(menu, shelving)
    menu.addAction(tr("New collection…"), shelving.new_collection)


def build_place_menu(parent: QWidget, shelving: Shelving, place: Place) -> QMenu:
    """Return what can be done with a place."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.addAction(tr("New collection…"), shelving.new_collection)
    if place.kind == "collection":
        menu.addAction(tr("Rename…"), lambda: shelving.rename_collection(place))
        menu.addAction(tr("Delete the collection"), lambda: shelving.delete_collection(place))
    elif place.kind == "tag":
        menu.addAction(tr("Rename…"), lambda: shelving.rename_tag(place))
        menu.addAction(tr("Take the tag off all documents"), lambda: shelving.remove_tag(place))
    elif place.kind == "failed":
        _add_retry_all(menu, shelving)
    elif place.kind == "trash" and shelving.has_trash:
        menu.addAction(tr("Empty the trash"), shelving.empty_trash)
    return menu


def _add_retry_all(menu: QMenu, shelving: Shelving) -> None:
    if n := len(shelving.failed_ids):
        menu.addAction(tr("Retry all failed ({n})", n=n), shelving.retry_failed)
