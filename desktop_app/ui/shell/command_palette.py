"""The command palette: searches names, documents, chats, commands and settings.

Owns the popup, its queries and the selected row. `palette_search` ranks the rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import shiboken6
from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..language import tr
from ..settings.window_options import open_settings
from ..theme.theme import Theme
from ..theme.tokens import ROW
from ..widgets.tables import COLOR_ROLE, ICON_ROLE, SUBTITLE_ROLE, paint_ground
from .actions import WindowCommand
from .navigator import Navigator
from .palette_search import PaletteRow, PaletteSources, list_rows

TITLE = 28
WHAT_ROLE = Qt.ItemDataRole.UserRole


class PaletteDelegate(QStyledItemDelegate):
    """Draws a row (icon, text, note at the right) or a section title."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        height = ROW if index.data(WHAT_ROLE) is not None else TITLE
        return QSize(0, self._theme.length(height))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        painter.save()
        area = option.rect.adjusted(16, 0, -16, 0)
        if index.data(WHAT_ROLE) is None:
            self._paint_title(painter, area, str(index.data()))
        else:
            paint_ground(painter, option, index, self)
            chosen = bool(option.state & QStyle.StateFlag.State_Selected)
            self._paint_row(painter, area, index, chosen)
        painter.restore()

    def _paint_title(self, painter: QPainter, area: QRect, text: str) -> None:
        font = self._theme.font("small")
        font.setWeight(font.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(self._theme.color("text2"))
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
        painter.drawText(area.adjusted(0, 0, 0, -4), flags, text)

    def _paint_row(
        self,
        painter: QPainter,
        area: QRect,
        index: QModelIndex | QPersistentModelIndex,
        chosen: bool,
    ) -> None:
        color = index.data(COLOR_ROLE) or "text2"
        if icon := index.data(ICON_ROLE):
            side = self._theme.length(16)
            spot = QRect(area.left(), area.center().y() - side // 2 + 1, side, side)
            self._theme.icon(icon, color=color).paint(painter, spot)
        area.setLeft(area.left() + self._theme.length(26))
        font, small = self._theme.font("text"), self._theme.font("small")
        metrics, narrow = QFontMetrics(font), QFontMetrics(small)
        text, note = str(index.data() or ""), str(index.data(SUBTITLE_ROLE) or "")
        wide = narrow.horizontalAdvance(note)
        room = area.width() - min(wide, area.width() // 3) - 16 * bool(note)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        baseline = area.center().y() + (metrics.capHeight() + 1) // 2
        painter.setFont(font)
        painter.setPen(self._theme.color("text2" if not index.data(WHAT_ROLE).key else "text"))
        painter.drawText(area.left(), baseline, shown)
        left = area.left() + metrics.horizontalAdvance(shown) + 16
        space = area.right() - left
        if note and space > 24:
            tail = narrow.elidedText(note, Qt.TextElideMode.ElideMiddle, space)
            painter.setFont(small)
            # The muted text colour has too little contrast on the selection.
            painter.setPen(self._theme.color("text" if chosen else "text2"))
            painter.drawText(area.right() - narrow.horizontalAdvance(tail), baseline, tail)


def add_title(results: QListWidget, text: str) -> int:
    """Add a section title that cannot be selected; return its height."""
    shown = QListWidgetItem(text)
    shown.setFlags(Qt.ItemFlag.NoItemFlags)
    results.addItem(shown)
    return TITLE


def add_row(results: QListWidget, row: PaletteRow) -> int:
    """Add a row; return its height."""
    shown = QListWidgetItem(row.text)
    shown.setData(SUBTITLE_ROLE, row.note)
    shown.setData(ICON_ROLE, row.icon)
    if row.key.startswith("name/"):
        shown.setData(COLOR_ROLE, row.icon)
    shown.setData(WHAT_ROLE, row)
    results.addItem(shown)
    return ROW


MAX_NAMES, MAX_KEPT = 8, 20
TYPING_MS, CHATS_FROM = 80, 2
NAME, FEW_NAMES = "name/", 4
WIDTH, HEIGHT = 620, 460


class CommandPalette(QFrame):
    """A popup in the upper middle of the window; Escape or a click elsewhere closes it.

    Args:
        gather: returns the commands; called when the palette opens.
        settings: returns the settings; called when the palette opens.
    """

    def __init__(
        self,
        context: SessionContext,
        navigator: Navigator,
        gather: Callable[[], list[WindowCommand]],
        settings: Callable[[], list],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("palette")
        self._context, self._parent = context, parent
        self._navigator, self._gather, self._settings = navigator, gather, settings
        self._serial = 0
        self._came_from: QWidget | None = None
        self._sources = PaletteSources()
        saved = open_settings().value("palette/recent", [])
        self._recent: list[str] = [saved] if isinstance(saved, str) else []
        if isinstance(saved, list):
            self._recent = [str(key) for key in saved]
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Search names, documents, chats, commands and settings"))
        self.field.setAccessibleName(tr("Search everything"))
        self.results = QListWidget()
        self.results.setAccessibleName(tr("Results"))
        self.results.setItemDelegate(PaletteDelegate(context.theme, self.results))
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
        """Show the palette with an empty search field."""
        self._came_from = QApplication.focusWidget()
        parent = self._parent
        width = min(self._context.theme.breadth(WIDTH), parent.width() - 48)
        self.setGeometry((parent.width() - width) // 2, 64, width, 320)
        self._sources = PaletteSources(self._gather(), self._settings())
        self.field.clear()
        self._read_lists()
        self._search()
        self.raise_()
        self.show()
        self.field.setFocus()

    def close_palette(self) -> None:
        """Hide the palette and restore the focus."""
        before, self._came_from = self._came_from, None
        if before is not None and shiboken6.isValid(before) and before.isVisible():
            before.setFocus()
        self.hide()

    # --- search -----------------------------------------------------------------------------------

    def _read_lists(self) -> None:
        sources = self._sources

        def take(name: str) -> Callable[[list], None]:
            def keep(rows: list) -> None:
                setattr(sources, name, rows)
                if sources is self._sources:
                    self._fill()

            return keep

        library_reader, chats = self._context.library_reader, self._context.chats
        self._ask(library_reader.list_documents, then=take("documents"))
        self._ask(chats.list_chats, then=take("chats"))
        names = [k.removeprefix(NAME) for k in self._recent if k.startswith(NAME)][:FEW_NAMES]

        def find_known() -> list:
            found = [row for name in names for row in library_reader.find_entities(name, 1)]
            return [row for row in found if row.name in names]

        self._ask(find_known, then=take("known"))

    def _search(self) -> None:
        self._timer.stop()
        self._serial += 1
        serial, text, sources = self._serial, self.field.text().strip(), self._sources

        def take(name: str) -> Callable[[list], None]:
            def keep(rows: list) -> None:
                if serial == self._serial:
                    setattr(sources, name, rows)
                    self._fill()

            return keep

        if not text:
            sources.entities, sources.hits = [], []
        self._fill()
        if text:
            self._ask(
                self._context.library_reader.find_entities, text, MAX_NAMES, then=take("entities")
            )
        if len(text) >= CHATS_FROM:
            self._ask(self._context.chats.find, text, MAX_NAMES, then=take("hits"))
        else:
            sources.hits = []

    def _ask(self, fn: Callable[..., list], *args: Any, then: Callable[[list], None]) -> None:
        query = Query(self._context.reader_lane, fn, *args, owner=self)
        query.on_success(then).run()

    def _fill(self) -> None:
        text = self.field.text().strip()
        before = self._chosen_key() if text else ""
        self.results.clear()
        height = 0
        for title, rows in list_rows(self._sources, self._navigator, text, self._recent):
            height += add_title(self.results, title)
            for row in rows:
                height += add_row(self.results, row)
        if self.results.count() == 0:
            nothing = PaletteRow(tr("Nothing found"), "", "", "", lambda: None)
            height += add_row(self.results, nothing)
        # The height fits the search field, the rows and the margins.
        room, length = self._parent.height() - 128, self._context.theme.length
        self.resize(self.width(), min(length(HEIGHT), room, 60 + length(height)))
        self._choose(before)

    def _chosen_key(self) -> str:
        current = self.results.currentItem()
        row = current.data(WHAT_ROLE) if current is not None else None
        # The first row is selected by default, not by the user.
        return row.key if row is not None and self.results.currentRow() > 1 else ""

    def _choose(self, key: str) -> None:
        rows = [i for i in range(self.results.count()) if self._row(i) is not None]
        kept = [i for i in rows if key and (row := self._row(i)) and row.key == key]
        self.results.setCurrentRow((kept or rows or [0])[0])
        if not kept:
            self.results.scrollToTop()

    def _row(self, place: int) -> PaletteRow | None:
        return self.results.item(place).data(WHAT_ROLE)

    # --- choosing ---------------------------------------------------------------------------

    def _run(self, shown: QListWidgetItem | None) -> None:
        row: PaletteRow | None = shown.data(WHAT_ROLE) if shown is not None else None
        if row is None or not row.key:
            return
        self._recent = [row.key, *(k for k in self._recent if k != row.key)][:MAX_KEPT]
        open_settings().setValue("palette/recent", self._recent)
        self.close_palette()
        row.act()

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
            rows = [i for i in range(self.results.count()) if self._row(i) is not None]
            if rows:
                now = self.results.currentRow()
                place = rows.index(now) if now in rows else 0
                place = min(len(rows) - 1, max(0, place + steps[Qt.Key(key)]))
                self.results.setCurrentRow(rows[place])
                if place == 0:
                    self.results.scrollToTop()
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
