"""Corrections on the screen of names: menus and keys of the list, the head and the connections.

Owns which names an edit concerns. What an edit is and how it is taken back belongs to
`ui/editing`.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QMenu, QWidget

from desktop_app.engine.types import EntityCard, EntityRow, RelationRow
from desktop_app.ui.context import Context
from desktop_app.ui.editing.entity_menu import EntityMenu
from desktop_app.ui.language import tr
from desktop_app.ui.widgets import add_shortcut

from .names_panel import NamesPanel
from .page import EntityPage


class Correcting(QObject):
    """Joins the list of names and the page of one to the menu of corrections."""

    def __init__(
        self, context: Context, names: NamesPanel, page: EntityPage, owner: QWidget
    ) -> None:
        super().__init__(owner)
        self._names, self._page = names, page
        self._card: EntityCard | None = None
        self.menu = EntityMenu(context, owner)
        self.popup = QMenu(owner)
        names.menu_wanted.connect(self._show_names_menu)
        names.chosen.connect(self._fill_several)
        page.relation_menu_wanted.connect(self._show_relation_menu)
        page.head.rename_wanted.connect(self._rename)
        page.head.renamed.connect(self._give_name)
        page.head.type_menu_wanted.connect(self._show_types)
        page.describe_wanted.connect(self._describe)
        page.belonging.history_wanted.connect(self._show_history)
        for keys, act, words in (
            ("F2", self._rename, tr("Rename this name")),
            ("Shift+F2", self._describe, tr("Describe this name")),
            ("Del", self._delete, tr("Delete this name")),  # not shown
            ("Ctrl+M", self._merge, tr("Merge with another name")),
            ("Ctrl+Shift+M", self._compare, tr("Compare with another name")),
        ):
            add_shortcut(owner, keys, act, words)
        self._fill_head()

    def set_card(self, card: EntityCard) -> None:
        """Offer what can be corrected of this entity."""
        self._card = card
        self._fill_head()

    # --- menus ----------------------------------------------------------------------------------

    def _fill_head(self) -> None:
        menu, card = self._page.head.actions_menu, self._card
        for sub in menu.findChildren(QMenu):
            sub.deleteLater()
        menu.clear()
        menu.addAction(self._page.head.enrich_action)
        menu.addSeparator()
        if card is not None:
            self.menu.fill(menu, [card.row])
            if card.aliases:
                away = menu.addMenu(tr("Take a name away"))
                for alias in card.aliases:
                    away.addAction(
                        alias, lambda a=alias, row=card.row: self.menu.remove_alias(row, a)
                    )
            menu.addSeparator()
            menu.addAction(tr("History of this name…"), lambda: self.menu.show_history(card.row))
        menu.addAction(tr("Add a name…"), self.menu.create)
        menu.addAction(tr("History of changes…"), lambda: self.menu.show_history())

    def _fill_several(self, rows: list[EntityRow]) -> None:
        menu = self._names.several_menu
        menu.clear()
        if len(rows) > 1:
            self.menu.fill(menu, rows)

    def _show_names_menu(self, point: QPoint) -> None:
        self.popup.clear()
        self.menu.fill(self.popup, self._names.selected_rows())
        self.popup.addSeparator()
        self.popup.addAction(tr("Add a name…"), self.menu.create)
        self.popup.popup(point)

    def _show_relation_menu(self, relation: RelationRow, point: QPoint) -> None:
        card = self._card
        if card is None:
            return
        self.popup.clear()
        self.popup.addAction(tr("Edit…"), lambda: self.menu.relate(card.row, relation))
        self.popup.addAction(tr("Delete"), lambda: self.menu.delete_relation(relation))
        self.popup.popup(point)

    # --- keys -----------------------------------------------------------------------------------

    def _rows(self) -> list[EntityRow]:
        """Return the names that a key is meant for: those selected, else the one that is shown."""
        rows = self._names.selected_rows()
        if len(rows) > 1 or self._card is None:
            return rows
        return [self._card.row]

    def _rename(self) -> None:
        """Let the name be typed over on its page, or in a sheet for one that is only selected."""
        rows, card = self._rows(), self._card
        if len(rows) != 1:
            return
        if card is not None and rows[0].id == card.row.id and self._page.isVisible():
            self._page.ensureVisible(0, 0)
            self._page.head.edit_name()
        else:
            self.menu.rename(rows[0])

    def _give_name(self, name: str) -> None:
        if self._card is not None:
            self.menu.give_name(self._card.row, name)

    def _describe(self) -> None:
        if len(rows := self._rows()) == 1:
            self.menu.describe(rows[0])

    def _show_types(self, point: QPoint) -> None:
        if self._card is not None:
            self.popup.clear()
            self.menu.fill_types(self.popup, [self._card.row])
            self.popup.popup(point)

    def _merge(self) -> None:
        rows = self._rows()
        if len(rows) == 1:
            self.menu.pick_to_merge(rows[0])
        elif rows:
            self.menu.merge(rows)

    def _show_history(self) -> None:
        if self._card is not None:
            self.menu.show_history(self._card.row)

    def _compare(self) -> None:
        rows = self._rows()
        if len(rows) == 1:
            self.menu.pick_to_compare(rows[0])
        elif len(rows) == 2:
            self.menu.compare(*rows)

    def _delete(self) -> None:
        if rows := self._rows():
            self.menu.delete(rows, forever=False)
