"""Which documents a question is asked of: all, those of some collections, or those ticked.

Owns the button that always says so. Knows nothing of questions; told the documents and the
collections, it gives their ids.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QRadioButton, QVBoxLayout, QWidget

from desktop_app.engine.types import DocumentRow
from desktop_app.ui.language import tr, trn
from desktop_app.ui.plain_tip import plain_tip
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, SearchField

from .popups import show_by
from .tick_list import TickList

LONGEST_TITLE = 24
HEIGHT = 400


class ScopePanel(QFrame):
    """The panel under the button: all documents, or a list to tick and to search in."""

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("palette")
        self.all = QRadioButton(tr("All documents"), self)
        self.of_collections = QRadioButton(tr("Only these collections"), self)
        self.some = QRadioButton(tr("Only these documents"), self)
        self._choice = QButtonGroup(self)
        for button in (self.all, self.of_collections, self.some):
            self._choice.addButton(button)
        self.all.setChecked(True)
        self.search = SearchField(theme, tr("Find a document"), self)
        self.rows = TickList(tr("Documents"), self)
        self.collections = TickList(tr("Collections"), self)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 12)
        column.setSpacing(4)
        for widget in (self.all, self.of_collections, self.some, self.search):
            column.addWidget(widget)
        column.addWidget(self.collections, 1)
        column.addWidget(self.rows, 1)
        self.setFixedWidth(320)
        self.of_collections.hide()
        self._choice.buttonToggled.connect(self._chosen)
        self.rows.ticked_changed.connect(lambda: self._ticked(self.some))
        self.collections.ticked_changed.connect(lambda: self._ticked(self.of_collections))
        self.search.searched.connect(self.rows.filter)
        self._chosen()

    def set_documents(self, documents: Sequence[DocumentRow]) -> None:
        """Show what is in the library now; ticks stay."""
        self.rows.set_rows([(int(d.id), d.title or d.file_name) for d in documents])
        self.changed.emit()

    def set_collections(self, collections: Sequence[tuple[int, str]]) -> None:
        """Show these collections; without any there is no such choice."""
        self.collections.set_rows(list(collections))
        self.of_collections.setVisible(bool(collections))
        if not collections and self.of_collections.isChecked():
            self.all.setChecked(True)
        self._chosen()

    def ticked(self) -> list[int]:
        return self.rows.ticked()

    def tick(self, document_ids: Sequence[int]) -> None:
        """Ask only these documents."""
        self.rows.tick(document_ids)

    def tick_collections(self, collection_ids: Sequence[int]) -> None:
        """Ask only the documents of these collections."""
        self.collections.tick(collection_ids)

    def _ticked(self, choice: QRadioButton) -> None:
        choice.setChecked(True)
        self.changed.emit()

    def fit(self) -> None:
        """Take the height of the list that counts, up to a limit."""
        by_collection = self.of_collections.isChecked()
        rows = self.collections if by_collection else self.rows
        above = self.sizeHint().height() - rows.sizeHint().height()
        row = max(28, rows.sizeHintForRow(0))
        self.setFixedHeight(min(HEIGHT, above + max(2, rows.count()) * row + 8))

    def _chosen(self, *_: object) -> None:
        # only the list that counts is there, so that no tick seems to count that does not
        by_collection = self.of_collections.isChecked()
        self.collections.setVisible(by_collection)
        self.rows.setVisible(not by_collection)
        self.search.setVisible(not by_collection)
        if self.isVisible():
            self.fit()
        self.changed.emit()


class ScopeButton(Button):
    """Says which documents are asked and opens the panel; the ids are None for all."""

    changed = Signal()
    opened = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(tr("All documents"), parent, kind="quiet", theme=theme, icon="library")
        self._compact = False
        self.panel = ScopePanel(theme, self)
        self.panel.changed.connect(self._changed)
        self.clicked.connect(self._open)
        self._say()

    @property
    def document_ids(self) -> tuple[int, ...] | None:
        if not self.panel.some.isChecked():
            return None
        return tuple(self.panel.rows.ticked()) or None

    @property
    def collection_ids(self) -> tuple[int, ...] | None:
        if not self.panel.of_collections.isChecked():
            return None
        return tuple(self.panel.collections.ticked()) or None

    def reset(self) -> None:
        """Ask all documents again."""
        self.panel.all.setChecked(True)

    def _open(self) -> None:
        self.opened.emit()
        self.panel.fit()
        show_by(self.panel, self)
        first = self.panel.collections if self.panel.of_collections.isChecked() else None
        (first or self.panel.search).setFocus()

    def set_compact(self, compact: bool) -> None:
        """Say it shorter."""
        self._compact = compact
        self._say()

    def words(self) -> str:
        """Return which documents are asked, in words."""
        documents, collections = self.document_ids or (), self.collection_ids or ()
        if len(documents) > 1:
            return trn("{n} document", "{n} documents", len(documents))
        if len(collections) > 1:
            return trn("{n} collection", "{n} collections", len(collections))
        if documents:
            return _name_of(self.panel.rows, documents)
        if collections:
            return _name_of(self.panel.collections, collections)
        return tr("All documents")

    def _say(self) -> None:
        words = self.words()
        usual = not self.document_ids and not self.collection_ids
        # which documents are asked is never hidden behind an icon
        self.setText(tr("All") if self._compact and usual else words)
        names = self.panel.rows.names(self.document_ids or ())
        names += self.panel.collections.names(self.collection_ids or ())
        self.setAccessibleName(tr("Which documents are asked: {names}", names=words))
        if len(names) > 1:
            told = tr(", ").join(names[:8]) + (" …" if len(names) > 8 else "")
            words = tr("{count}: {names}", count=words, names=told)
        self.setToolTip(plain_tip(tr("Which documents are asked: {names}", names=words)))

    def _changed(self) -> None:
        self._say()
        self.changed.emit()


def _name_of(rows: TickList, ids: tuple[int, ...]) -> str:
    title = next(iter(rows.names(ids)), "")
    return title if len(title) <= LONGEST_TITLE else title[: LONGEST_TITLE - 1] + "…"
