"""What was thrown away, to be brought back or let go for good.

Owns the list of the trash. Fetches nothing; what is wanted leaves by signals.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine.services.holdings import TRASH_DAYS, TrashRow
from desktop_app.ui.language import tr, trn
from desktop_app.ui.plain_tip import plain_tip
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, EmptyState, Label, TextDelegate, format_size, format_when
from desktop_app.ui.widgets.tables import SUBTITLE_ROLE

ID_ROLE = Qt.ItemDataRole.UserRole


class TrashPage(QWidget):
    """Emits the ids that are chosen, all of them if none is."""

    restore_wanted = Signal(list)
    delete_wanted = Signal(list)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.list = QListWidget()
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setItemDelegate(TextDelegate(theme, self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setAccessibleName(tr("Documents in the trash"))
        self.restore = Button(tr("Bring back"), theme=theme, icon="undo")
        self.delete = Button(tr("Delete for good"))
        self.told = Label("", "small", wrap=True)
        foot = QHBoxLayout()
        foot.setContentsMargins(16, 8, 16, 8)
        foot.setSpacing(8)
        foot.addWidget(self.told, 1)
        foot.addWidget(self.delete)
        foot.addWidget(self.restore)
        full = QWidget()
        column = QVBoxLayout(full)
        column.setContentsMargins(8, 8, 8, 0)
        column.setSpacing(0)
        column.addWidget(self.list, 1)
        column.addLayout(foot)
        empty = EmptyState(
            theme, "delete", tr("The trash is empty"), tr("What you delete waits here.")
        )
        self.stack = QStackedWidget()
        self.stack.addWidget(full)
        self.stack.addWidget(empty)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.stack)
        self.restore.clicked.connect(lambda: self.restore_wanted.emit(self.chosen()))
        self.delete.clicked.connect(lambda: self.delete_wanted.emit(self.chosen()))
        self.list.itemActivated.connect(lambda _: self.restore_wanted.emit(self.chosen()))
        self.list.itemSelectionChanged.connect(self._say)
        self.set_rows([])

    def set_rows(self, rows: Sequence[TrashRow], days: int = TRASH_DAYS) -> None:
        """List what was thrown away, and say after how many days it goes."""
        self.told.setText(
            trn(
                "What is here for more than a day goes for good.",
                "What is here for more than {n} days goes for good.",
                days,
            )
        )
        self.list.clear()
        for row in rows:
            facts = tr(
                "{file}, {size}, deleted {when}",
                file=row.file_name,
                size=format_size(row.size_bytes),
                when=format_when(row.trashed_at),
            )
            item = QListWidgetItem(row.title)
            item.setData(SUBTITLE_ROLE, facts)
            item.setToolTip(plain_tip(row.title))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{row.title}, {facts}")
            item.setData(ID_ROLE, row.id)
            self.list.addItem(item)
        self.stack.setCurrentIndex(0 if rows else 1)
        self._say()

    def chosen(self) -> list[int]:
        items = self.list.selectedItems() or [
            self.list.item(row) for row in range(self.list.count())
        ]
        return [item.data(ID_ROLE) for item in items]

    def _say(self) -> None:
        some = bool(self.list.selectedItems())
        self.restore.setText(tr("Bring back") if some else tr("Bring all back"))
        self.delete.setText(tr("Delete for good") if some else tr("Empty the trash"))
