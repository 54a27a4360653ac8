"""What a right click offers: on a name, and on the ground.

Owns the words and their order; what is done is the screen's own verbs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

if TYPE_CHECKING:
    from .screen import ExplorerScreen


def build_menu(screen: ExplorerScreen, row: int | None) -> QMenu:
    """Return the menu of a disc, or of the ground where `row` is None."""
    canvas = screen.canvas
    menu = QMenu(screen)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if row is None:
        menu.addAction("Fit everything", canvas.fit)
        menu.addAction("Top names", screen.show_top)
        return menu
    entity_id = int(canvas.data.entities[row].id)
    menu.addAction("Open", lambda: screen.open_entity.emit(entity_id))
    menu.addAction("Expand", lambda: screen.expand(entity_id))
    menu.addAction("Only this and its neighbours", lambda: screen.show_entities([entity_id]))
    menu.addAction(
        "Enrich this now", lambda: screen.enrich_entity_requested.emit(entity_id)
    ).setToolTip("A model reads the passages that name it before all others")
    menu.addAction("Hide", lambda: screen.hide_entity(entity_id))
    if canvas.data.pinned[row]:
        menu.addAction("Unpin", lambda: canvas.unpin(row))
    return menu
