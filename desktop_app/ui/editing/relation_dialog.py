"""A dialog for a connection of two entities: the other entity, the kind, a description."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QListWidget, QListWidgetItem, QPlainTextEdit, QWidget

from desktop_app.engine.model import EntityRow, RelationRow

from ..language import tr
from ..theme.theme import Theme
from ..widgets import Button, Label, PrimaryButton, SearchField, format_type
from ..widgets.fields import go_to_list
from ..widgets.sheet import Sheet
from ..widgets.words import format_kind

FindNames = Callable[[str, Callable[[Sequence[EntityRow]], None]], None]
ID_ROLE = Qt.ItemDataRole.UserRole


class RelationDialog(Sheet):
    """Emits `given` with (other entity's id, kind, description).

    Args:
        relation: the one to edit; None to create one, which asks for the other entity.
        find: looks up names for the search text and passes them to a callback.
    """

    given = Signal(int, str, str)

    def __init__(
        self,
        theme: Theme,
        entity: EntityRow,
        kinds: Sequence[str],
        *,
        relation: RelationRow | None = None,
        find: FindNames | None = None,
        parent: QWidget | None = None,
    ) -> None:
        other = ""
        if relation is not None:
            other = relation.target if relation.source_id == entity.id else relation.source
        title = tr("Connect “{name}” with…", name=entity.name)
        if other:
            title = tr("“{name}” and “{other}”", name=entity.name, other=other)
        super().__init__(title, parent)
        self._relation, self._find, self._kinds = relation, find, tuple(kinds)
        self._other_id = 0
        if relation is not None:
            ids = (relation.source_id, relation.target_id)
            self._other_id = ids[0] if ids[1] == entity.id else ids[1]
        self.search = SearchField(theme, tr("Name of the other one"))
        self.found = QListWidget()
        self.found.setAccessibleName(tr("Names found"))
        self.found.setFixedHeight(112)
        if relation is None:
            self.add(self.search)
            self.add(self.found)
        self.kind = QComboBox()
        self.kind.setEditable(True)
        self.kind.setAccessibleName(tr("Kind"))
        self.kind.addItems(["", *(format_kind(kind) for kind in kinds)])
        self.kind.setCurrentText(format_kind(relation.kind) if relation else "")
        self.add(Label(tr("Kind (may stay empty)"), "small"))
        self.add(self.kind)
        self.description = QPlainTextEdit(relation.description if relation else "")
        self.description.setAccessibleName(tr("What ties them"))
        self.description.setPlaceholderText(tr("What ties them, in a sentence (may stay empty)"))
        self.description.setProperty("kind", "field")
        self.description.setFixedHeight(96)
        self.description.setTabChangesFocus(True)
        self.add(self.description)
        cancel, self.save_button = Button(tr("Cancel")), PrimaryButton(tr("Save"))
        cancel.clicked.connect(self.reject)
        self.save_button.clicked.connect(self._give)
        self.add_foot([cancel, self.save_button])
        self.search.searched.connect(self._look_up)
        self.search.left_down.connect(lambda: go_to_list(self.found))
        self.found.currentItemChanged.connect(self._chosen)
        self.fit_content(460)
        self._check()

    def show_names(self, rows: Sequence[EntityRow]) -> None:
        """Show these names."""
        self.found.clear()
        for row in rows:
            item = QListWidgetItem(f"{row.name}   ·  {format_type(row.type)}")
            item.setData(ID_ROLE, row.id)
            self.found.addItem(item)
        if rows:
            self.found.setCurrentRow(0)

    def _look_up(self, text: str) -> None:
        if self._find is not None and text:
            self._find(text, self.show_names)

    def _chosen(self, item: QListWidgetItem | None, _: object = None) -> None:
        self._other_id = item.data(ID_ROLE) if item is not None else 0
        self._check()

    def _check(self) -> None:
        self.save_button.setEnabled(bool(self._other_id))

    def _give(self) -> None:
        text = self.description.toPlainText().strip()
        self.given.emit(self._other_id, self._chosen_kind(), text)
        self.accept()

    def _chosen_kind(self) -> str:
        """Return the chosen kind; a custom kind is kept as typed."""
        typed = self.kind.currentText().strip()
        if self._relation is not None and typed == format_kind(self._relation.kind):
            return self._relation.kind
        return next((kind for kind in self._kinds if typed == format_kind(kind)), typed)
