"""The command palette: type, and actions, documents and names that fit are listed.

Owns what is asked where while typing; a choice is told by signals or triggers its action.
"""

from __future__ import annotations

from typing import Any

import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine.types import DocumentRow, EntityRow
from desktop_app.workers.operations import Query

from .theme.tokens import ROW
from .widgets import TextDelegate, plural
from .widgets.tables import COLOR_ROLE, ICON_ROLE, SUBTITLE_ROLE

WHAT_ROLE = Qt.ItemDataRole.UserRole
MAX_EACH = 8
TYPING_MS = 80


class Palette(QFrame):
    """Floats over the window's upper middle; Escape or a click elsewhere closes it."""

    entity_chosen = Signal(int)
    document_chosen = Signal(int)

    def __init__(self, context: Any, actions: dict[str, QAction], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("palette")
        self._context = context
        self._actions = actions
        self._serial = 0
        self._came_from: QWidget | None = None
        self._documents: list[DocumentRow] = []
        self._entities: list[EntityRow] = []
        self.field = QLineEdit()
        self.field.setPlaceholderText("Search names, documents and commands")
        self.field.setAccessibleName("Search everything")
        self.results = QListWidget()
        self.results.setAccessibleName("Results")
        self.results.setItemDelegate(TextDelegate(context.theme, self.results))
        self.results.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.results.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 5)
        column.setSpacing(4)
        column.addWidget(self.field)
        column.addWidget(self.results, 1)
        self._timer = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._timer.timeout.connect(self._search)
        self.field.textChanged.connect(lambda _: self._timer.start())
        self.field.installEventFilter(self)
        self.results.itemClicked.connect(self._run)
        self.hide()

    def open(self) -> None:
        """Show, empty, ready to type."""
        self._came_from = QApplication.focusWidget()
        parent = self.parentWidget()
        width = min(560, parent.width() - 48)
        self.setGeometry((parent.width() - width) // 2, 64, width, 320)
        self.field.clear()
        self._entities = []
        self._search()
        self.raise_()
        self.show()
        self.field.setFocus()

    def close_palette(self) -> None:
        """Hide and give the keyboard back to where it was."""
        before, self._came_from = self._came_from, None
        if before is not None and shiboken6.isValid(before) and before.isVisible():
            before.setFocus()
        self.hide()

    # --- finding ----------------------------------------------------------------------------

    def _search(self) -> None:
        self._timer.stop()
        self._serial += 1
        serial, text = self._serial, self.field.text().strip()
        self._fill()
        exploring, lane = self._context.exploring, self._context.reader_lane

        def show_documents(rows: list[DocumentRow]) -> None:
            if serial == self._serial:
                self._documents = rows
                self._fill()

        def show_entities(rows: list[EntityRow]) -> None:
            if serial == self._serial:
                self._entities = rows
                self._fill()

        tell = self._context.messages.show_error
        Query(lane, exploring.list_documents, owner=self).on_success(show_documents).on_error(
            tell
        ).run()
        if text:
            found = Query(lane, exploring.find_entities, text, MAX_EACH, owner=self)
            found.on_success(show_entities).on_error(tell).run()
        else:
            self._entities = []

    def _fill(self) -> None:
        text = self.field.text().strip().casefold()
        chosen = max(0, self.results.currentRow())
        self.results.clear()
        for entity in self._entities if text else []:
            self._add(
                entity.name, plural(entity.n_mentions, "mention"), entity.type, entity.type, entity
            )
        documents = [d for d in self._documents if text and text in d.title.casefold()]
        for document in documents[:MAX_EACH]:
            self._add(document.title, document.file_name, "document", "", document)
        for action in self._actions.values():
            if text in action.text().casefold() and action.objectName() != "palette":
                key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
                self._add(action.text(), key, "caret-right", "", action)
        if self.results.count() == 0:
            self._add("Nothing found", "", "", "text2", None)
        # as high as what it shows: field, rows, margins
        room = self.parentWidget().height() - 128
        self.resize(self.width(), min(440, room, 56 + ROW * self.results.count()))
        self.results.setCurrentRow(min(chosen, self.results.count() - 1) if text else 0)

    def _add(self, text: str, subtitle: str, icon: str, color: str, what: object) -> None:
        shown = QListWidgetItem(text)
        shown.setData(SUBTITLE_ROLE, subtitle)
        shown.setData(ICON_ROLE, icon)
        if color == "text2":
            shown.setData(COLOR_ROLE, color)
        shown.setData(WHAT_ROLE, what)
        self.results.addItem(shown)

    # --- choosing ---------------------------------------------------------------------------

    def _run(self, shown: QListWidgetItem | None) -> None:
        what = shown.data(WHAT_ROLE) if shown is not None else None
        if what is None:
            return
        self.close_palette()
        if isinstance(what, QAction):
            what.trigger()
        elif isinstance(what, EntityRow):
            self.entity_chosen.emit(what.id)
        else:
            self.document_chosen.emit(what.id)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut and self.isVisible():
            self.hide()
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._take_key(event.key())
        return False

    def _take_key(self, key: int) -> bool:
        steps = {
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_PageDown: 8,
            Qt.Key.Key_PageUp: -8,
        }
        if key in steps:
            last = self.results.count() - 1
            wanted = self.results.currentRow() + steps[Qt.Key(key)]
            self.results.setCurrentRow(min(last, max(0, wanted)))
            return True
        if key == Qt.Key.Key_Escape:
            self.close_palette()
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._timer.isActive():
                self._search()
            self._run(self.results.currentItem())
            return True
        return False
