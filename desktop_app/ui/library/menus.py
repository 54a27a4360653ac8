"""The menus of the library screen: one for the selected documents, one for the whole list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from desktop_app.engine.model import DocumentRow

from ..language import tr
from .places import Place
from .words import BUSY_STATES, can_retry

if TYPE_CHECKING:
    from .screen import LibraryScreen
    from .shelving import CollectionsController


def add_shelf_menu(
    menu: QMenu, shelving: CollectionsController, rows: Sequence[DocumentRow]
) -> None:
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


def add_places_menu(menu: QMenu, shelving: CollectionsController) -> None:
    """Offer the places where their list has no room, and what concerns all of one."""
    if shelving.places.isHidden():
        into = menu.addMenu(tr("Show"))
        for place in shelving.list_places():
            if place.kind != "heading":
                words = f"{place.words}  ({place.count})" if place.count else place.words
                into.addAction(words, lambda p=place: shelving.places.choose(p.kind, p.words))
    _add_retry_all(menu, shelving)
    menu.addAction(tr("New collection…"), shelving.new_collection)


def build_place_menu(parent: QWidget, shelving: CollectionsController, place: Place) -> QMenu:
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


def _add_retry_all(menu: QMenu, shelving: CollectionsController) -> None:
    if n := len(shelving.failed_ids):
        menu.addAction(tr("Retry all failed ({n})", n=n), shelving.retry_failed)


def build_document_menu(screen: LibraryScreen, rows: list[DocumentRow]) -> QMenu:
    """Return what can be done with these documents, for one or for all of them."""
    menu = QMenu(screen)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    first = rows[0]
    if len(rows) == 1:
        opening = menu.addAction(tr("Open"), lambda: screen.open_document.emit(first.id))
        opening.setEnabled(first.state not in ("failed", "waiting"))
        menu.addAction(tr("Rename…"), lambda: screen.shelving.details.rename(first))
    add_shelf_menu(menu, screen.shelving, rows)
    menu.addSeparator()
    retriable = [row for row in rows if can_retry(row)]
    if retriable:
        word = tr("Retry") if any(row.state == "failed" for row in retriable) else tr("Go on")
        menu.addAction(word, lambda: [screen.retry_requested.emit(r.id) for r in retriable])
    waiting = [row.id for row in rows if row.state == "waiting"]
    if waiting:
        menu.addAction(tr("Read next"), lambda: screen.shelving.read_next(waiting))
    busy = [row for row in rows if row.state in BUSY_STATES]
    if busy:
        menu.addAction(tr("Stop"), lambda: [screen.cancel_requested.emit(row.id) for row in busy])
    _add_enrichment(menu, screen, rows)
    ready = [row for row in rows if row.state in ("ready", "paused")]
    if ready:
        menu.addAction(tr("Index again…"), lambda: screen.indexing.ask([r.id for r in ready]))
    aside = not first.set_aside
    menu.addAction(
        tr("Set aside from questions") if aside else tr("Use in questions again"),
        lambda: [screen.set_aside(row, aside) for row in rows],
    )
    menu.addSeparator()
    menu.addAction(tr("Move to the trash"), lambda: screen.shelving.throw_away(rows))
    menu.addAction(tr("Delete for good…"), lambda: screen.confirm_delete(rows))
    return menu


def _add_enrichment(menu: QMenu, screen: LibraryScreen, rows: list[DocumentRow]) -> None:
    """Add what can be done about enrichment; documents that are not read yet have none."""
    ids = [row.id for row in rows if row.state == "ready"]
    found = screen.news.sum_up(ids)
    if found is None or not found.n_chunks:
        return
    menu.addSeparator()
    menu.addAction(tr("Enrich…"), lambda: screen.enrich_requested.emit(ids))
    menu.addAction(tr("Enrich now"), lambda: screen.enrich_now_requested.emit(ids))
    if found.n_failed:
        menu.addAction(tr("Retry failed passages"), lambda: screen.enrich_retry_requested.emit(ids))
    if found.n_waiting:
        menu.addAction(tr("Stop enriching"), lambda: screen.enrich_stop_requested.emit(ids))
    menu.addSeparator()


def build_more_menu(screen: LibraryScreen) -> QMenu:
    """Return what has no button of its own."""
    menu = QMenu(screen)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.addAction(tr("Add folder…"), screen.add_folder)
    menu.addAction(tr("Paste"), screen.pasting.paste)
    menu.addAction(tr("Add the demo texts"), screen.demo_requested.emit)
    menu.addSeparator()
    menu.addAction(tr("Pause indexing"), screen.pause_requested.emit)
    menu.addAction(tr("Go on indexing"), screen.resume_requested.emit)
    menu.addSeparator()
    menu.addAction(tr("Enrich the library…"), lambda: screen.enrich_requested.emit([]))
    menu.addAction(tr("How to enrich…"), screen.enrich_settings_requested.emit)
    given = menu.addMenu(tr("Import a graph"))
    given.addAction(
        tr("Folder of LightRAG or GraphRAG…"), lambda: screen.import_graph_requested.emit(True)
    )
    given.addAction(tr("JSON or GraphML file…"), lambda: screen.import_graph_requested.emit(False))
    menu.addSeparator()
    add_places_menu(menu, screen.shelving)
    menu.addAction(tr("Watched folders…"), screen.watch_requested.emit)
    menu.addAction(tr("This library…"), screen.care_requested.emit)
    menu.addSeparator()
    menu.addAction(tr("Show or hide the facts"), screen.toggle_inspector)
    return menu
