"""What a right click offers: on a name, on several that are chosen, and on the ground.

Owns the words and their order; what is done is the screen's own verbs, and the corrections that
every screen offers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from desktop_app.ui.editing.entity_menu import EntityMenu
from desktop_app.ui.language import tr, trn

if TYPE_CHECKING:
    from .screen import ExplorerScreen


def build_menu(screen: ExplorerScreen, row: int | None) -> QMenu:
    """Return the menu of a disc (or of all that are chosen), or of the ground without one."""
    canvas, do = screen.canvas, screen.do
    menu = QMenu(screen)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    chosen = canvas.chosen_ids()
    if row is None:
        menu.addAction(tr("Fit everything"), canvas.fit)
        if chosen:
            menu.addAction(tr("Zoom to what is chosen"), lambda: do("zoom"))
        menu.addAction(tr("Choose all"), lambda: canvas.choose(canvas.data.shown.nonzero()[0]))
        menu.addAction(tr("Arrange anew"), screen.arrange_anew)
        menu.addAction(tr("Top names"), screen.show_top)
        return menu
    entity_id = int(canvas.data.entities[row].id)
    if len(chosen) > 1 and entity_id in chosen:
        _add_for_several(menu, screen, len(chosen))
    else:
        _add_for_one(menu, screen, row, entity_id)
    _add_corrections(menu, screen)
    return menu


def _add_for_one(menu: QMenu, screen: ExplorerScreen, row: int, entity_id: int) -> None:
    do, canvas = screen.do, screen.canvas
    menu.addAction(tr("Open"), lambda: screen.open_entity.emit(entity_id))
    menu.addAction(tr("Expand"), lambda: screen.expand(entity_id))
    menu.addAction(tr("Choose whom to add…"), lambda: screen.choose_expansion(entity_id))
    menu.addAction(tr("Only this and its neighbours"), lambda: screen.show_entities([entity_id]))
    menu.addAction(tr("Arrange around this"), lambda: screen.set_layout("radial", entity_id))
    menu.addAction(tr("Find a way to…"), lambda: do("way"))
    menu.addAction(
        tr("Enrich this now"), lambda: screen.enrich_entity_requested.emit(entity_id)
    ).setToolTip(tr("A model reads the passages that name it before all others"))
    menu.addAction(tr("Choose its neighbours"), lambda: do("neighbours"))
    menu.addAction(tr("Hide"), lambda: screen.wandering.hide([entity_id]))
    if canvas.data.pinned[row]:
        menu.addAction(tr("Unpin"), lambda: canvas.unpin(row))
    else:
        menu.addAction(tr("Pin"), lambda: canvas.set_pinned([row], True))


def _add_for_several(menu: QMenu, screen: ExplorerScreen, n: int) -> None:
    do = screen.do
    if n == 2:
        menu.addAction(tr("Find a way between them"), lambda: do("way"))
    menu.addAction(tr("Names they have in common"), lambda: do("shared"))
    menu.addAction(tr("Expand"), lambda: do("expand"))
    menu.addAction(
        trn("Keep only this {n} name", "Keep only these {n} names", n), lambda: do("keep")
    )
    menu.addAction(tr("Hide"), lambda: do("hide"))
    menu.addAction(tr("Choose all others"), lambda: do("invert"))
    menu.addAction(tr("Zoom to them"), lambda: do("zoom"))
    menu.addAction(tr("Pin or unpin"), lambda: do("pin"))


def _add_corrections(menu: QMenu, screen: ExplorerScreen) -> None:
    """Add what can be corrected of the names, as the screen of names offers it."""
    rows = screen.canvas.chosen_rows()
    if not rows:
        return
    if screen.corrections is None:
        screen.corrections = EntityMenu(screen.context, screen)
        screen.corrections.open_wanted.connect(screen.open_entity)
        screen.corrections.place_wanted.connect(screen.open_passage)
    menu.addSeparator()
    screen.corrections.fill(menu, rows)
