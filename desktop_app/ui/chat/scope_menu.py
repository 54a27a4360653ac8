"""Which documents a question is asked of: all, or those ticked in a list.

Owns the ticks. Knows nothing of questions; told the documents, it gives their ids.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine.types import DocumentRow
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, SearchField

ID_ROLE = Qt.ItemDataRole.UserRole


class ScopePanel(QFrame):
    """The panel under the button: all documents, or a list to tick and to search in."""

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("palette")
        self.all = QRadioButton("All documents", self)
        self.some = QRadioButton("Only these", self)
        self.all.setChecked(True)
        self.search = SearchField(theme, "Find a document", self)
        self.rows = QListWidget(self)
        self.rows.setUniformItemSizes(True)
        self.rows.setAccessibleName("Documents")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 12)
        column.setSpacing(8)
        column.addWidget(self.all)
        column.addWidget(self.some)
        column.addWidget(self.search)
        column.addWidget(self.rows)
        self.setFixedWidth(320)
        self.all.toggled.connect(self.changed)
        self.rows.itemChanged.connect(self._ticked)
        self.rows.itemClicked.connect(self._clicked)
        self.search.searched.connect(self._filter)

    def set_documents(self, documents: Sequence[DocumentRow]) -> None:
        """Show what is in the library now; ticks stay."""
        ticked = set(self.ticked())
        self.rows.blockSignals(True)
        self.rows.clear()
        for row in documents:
            item = QListWidgetItem(row.title or row.file_name, self.rows)
            item.setData(ID_ROLE, row.id)
            item.setToolTip(row.title)
            item.setFlags(Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsEnabled)
            state = Qt.CheckState.Checked if row.id in ticked else Qt.CheckState.Unchecked
            item.setCheckState(state)
        self.rows.blockSignals(False)
        self._filter(self.search.text().strip())

    def ticked(self) -> list[int]:
        items = (self.rows.item(i) for i in range(self.rows.count()))
        return [i.data(ID_ROLE) for i in items if i.checkState() == Qt.CheckState.Checked]

    def tick(self, document_ids: Sequence[int]) -> None:
        """Ask only these documents."""
        wanted = set(document_ids)
        for i in range(self.rows.count()):
            item = self.rows.item(i)
            checked = item.data(ID_ROLE) in wanted
            item.setCheckState(Qt.CheckState.Checked if checked else Qt.CheckState.Unchecked)

    def _ticked(self, _: QListWidgetItem) -> None:
        self.some.setChecked(True)
        self.changed.emit()

    def _clicked(self, item: QListWidgetItem) -> None:
        # a click on the words; one on the box has ticked it already
        box = self.rows.visualItemRect(item).left() + 28
        if self.rows.mapFromGlobal(self.cursor().pos()).x() > box:
            on = item.checkState() == Qt.CheckState.Checked
            item.setCheckState(Qt.CheckState.Unchecked if on else Qt.CheckState.Checked)

    def _filter(self, text: str) -> None:
        wanted = text.casefold()
        for i in range(self.rows.count()):
            item = self.rows.item(i)
            item.setHidden(wanted not in item.text().casefold())


class ScopeButton(Button):
    """Says which documents are asked and opens the panel; `document_ids` None for all."""

    changed = Signal()
    opened = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__("All documents", parent, kind="quiet", theme=theme, icon="library")
        self.setToolTip("Which documents are asked")
        self._compact = False
        self.panel = ScopePanel(theme, self)
        self.panel.changed.connect(self._changed)
        self.clicked.connect(self._open)

    @property
    def document_ids(self) -> list[int] | None:
        if self.panel.all.isChecked():
            return None
        return self.panel.ticked() or None

    def reset(self) -> None:
        """Ask all documents again."""
        self.panel.all.setChecked(True)

    def _open(self) -> None:
        self.opened.emit()
        corner = self.mapToGlobal(QPoint(self.width() - self.panel.width(), self.height() + 4))
        self.panel.setFixedHeight(380)
        self.panel.move(corner)
        self.panel.show()
        self.panel.search.setFocus()

    def set_compact(self, compact: bool) -> None:
        """Show the icon alone; what is chosen is the tooltip then."""
        self._compact = compact
        self._say()

    def words(self) -> str:
        """Return which documents are asked, in words."""
        ids = self.document_ids
        if ids is None:
            return "All documents"
        if len(ids) > 1:
            return f"{len(ids)} documents"
        rows = self.panel.rows
        items = (rows.item(i) for i in range(rows.count()))
        title = next((i.text() for i in items if i.data(ID_ROLE) == ids[0]), "")
        return title if len(title) <= 24 else title[:23] + "…"

    def _say(self) -> None:
        words = self.words()
        narrowed = self.document_ids is not None
        # a choice that narrows answers is never hidden behind an icon
        self.setText("" if self._compact and not narrowed else words)
        self.setToolTip(f"Which documents are asked: {words}")
        self.setAccessibleName(self.toolTip())

    def _changed(self) -> None:
        self._say()
        self.changed.emit()
