"""The history of corrections, with a jump to any of them. Shows rows that are passed in."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from desktop_app.engine.services.editing.history import HistoryRow

from ..language import later, tr, tr_message
from ..theme.theme import Theme
from ..widgets import Button, Label, format_when
from ..widgets.sheet import Sheet

ID_ROLE = Qt.ItemDataRole.UserRole
BEGINNING = later("Before all of these")
OF_ALL = later("Newest first. Choose one to go back to it, or forward again; nothing is lost.")
OF_ONE = later(
    "What was changed by hand, newest first. Going back to one takes back every later change in "
    "the library, of other names too; nothing is lost."
)


class HistoryDialog(Sheet):
    """Emits `jump_wanted` with the id of an edit, 0 for the state before all edits."""

    jump_wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, of: str = "") -> None:
        super().__init__(
            tr("History of “{name}”", name=of) if of else tr("History of changes"), parent
        )
        self._theme, self._of = theme, of
        self.add(
            Label(
                tr(OF_ONE) if of else tr(OF_ALL),
                "muted",
                wrap=True,
            )
        )
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Changes, newest first"))
        self.list.setUniformItemSizes(True)
        self.add(self.list)
        self.column.setStretch(self.column.count() - 1, 1)
        self.nothing = Label(tr("Nothing has been changed by hand yet."), "muted")
        self.add(self.nothing)
        self.jump_button = Button(tr("Go to this one"))
        close = Button(tr("Close"))
        close.clicked.connect(self.accept)
        self.jump_button.clicked.connect(self._jump)
        self.add_foot([close], [self.jump_button], line=True)
        self.list.itemActivated.connect(lambda _: self._jump())
        self.list.currentItemChanged.connect(lambda *_: self._check())
        self.fit(480, 560)
        self._here = 0
        self._is_fresh = True
        self._check()

    def set_rows(self, rows: Sequence[HistoryRow]) -> None:
        """Show the changes; undone ones are muted, the current one is marked."""
        self.list.clear()
        self._here = next((row.id for row in rows if not row.undone), 0)
        for row in rows:
            mark = "●" if row.id == self._here else "○" if row.undone else "  "
            label = tr_message(row.label)
            item = QListWidgetItem(f"{mark}  {label}   ·  {format_when(row.created_at)}")
            item.setData(ID_ROLE, row.id)
            item.setToolTip(tr("Taken back") if row.undone else label)
            if row.undone:
                item.setForeground(self._theme.color("text2"))
            self.list.addItem(item)
            if row.id == self._here:
                self.list.setCurrentItem(item)
        if rows and not self._of:
            first = QListWidgetItem(f"{'●' if not self._here else '  '}  {tr(BEGINNING)}")
            first.setData(ID_ROLE, 0)
            self.list.addItem(first)
        self.list.setVisible(bool(rows))
        self.nothing.setVisible(not rows)
        if rows and self._is_fresh:  # focus starts on a row that can be chosen
            self._is_fresh = False
            self.list.setFocus()
        self._check()

    def _check(self) -> None:
        item = self.list.currentItem()
        self.jump_button.setEnabled(item is not None and item.data(ID_ROLE) != self._here)

    def _jump(self) -> None:
        item = self.list.currentItem()
        if item is not None and item.data(ID_ROLE) != self._here:
            self.jump_wanted.emit(item.data(ID_ROLE))
