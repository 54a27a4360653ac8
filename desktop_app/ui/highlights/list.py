"""The list of highlights and notes: its rows, their order and groups, and how keys act on it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from types import MappingProxyType
from typing import cast

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QSinglePointEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_app.engine.highlight_colors import get_color
from desktop_app.engine.services.annotation_entries import (
    AnnotationEntry,
    EntryWords,
    describe_entry_place,
)
from desktop_app.engine.services.annotations import find_shown_words

from ..theme.theme import Theme
from ..translation import later, tr, tr_message, trn
from ..widgets.highlight_colors import COLOR_WORDS
from ..widgets.tables import ROW_ROLE, AnyIndex, RowList, RowsModel
from ..widgets.words import FRONT_MATTER, format_authors, format_day, format_headings

NO_FILES: Mapping[int, str] = MappingProxyType({})  # every title is that of one document
KEY_CHARS = 16  # of the key of a group
FEW = 4  # entries: with fewer, the list says below them how to add more

# the order of the rows, and by what they are grouped
DOCUMENT, NEWEST, COLOR = "document", "newest", "color"  # not shown
ORDERS = {
    DOCUMENT: later("By document"),
    NEWEST: later("Newest first"),
    COLOR: later("By colour"),
}


@dataclass(frozen=True, slots=True)
class EntryGroup:
    """The title above the rows of one document, day or colour.

    Attributes:
        source: authors and year of a document.
        file: the format or the file of a document, if another one has the same title.
        color: of highlights, "" for other groups.
        key: by which it is remembered that it is folded; it names no document.
        n_selected: of its entries.
    """

    title: str
    count: int
    source: str = ""
    file: str = ""
    color: str = ""
    key: str = ""
    folded: bool = False
    n_selected: int = 0


@dataclass(frozen=True, slots=True)
class ListTip:
    """A line below a short list: how more highlights are made."""

    words: str


ListRow = AnnotationEntry | EntryGroup | ListTip


def entry_words() -> EntryWords:
    """Return the words of places and exported files in the window's language."""
    return EntryWords(
        title=tr("Highlights and notes"),
        page=tr("p. {page}"),
        bookmark=tr("Bookmark"),
        note=tr("Note"),
        area=tr("Area of the page"),
        front=tr(FRONT_MATTER),
        tags=tr("Tags: {tags}"),
    )


def describe_spot(entry: AnnotationEntry) -> str:
    """Return page and section of an entry, and whether its words are no longer there."""
    place = describe_entry_place(
        replace(entry, chapter=format_headings(entry.chapter)), entry_words()
    )
    return tr("{place} · no longer in the text", place=place) if entry.mark.lost else place


def describe_kind(entry: AnnotationEntry) -> str:
    """Return what an entry is, "" for a usual highlight."""
    if entry.mark.kind == "bookmark":
        return tr("Bookmark")
    return tr("Underline") if entry.mark.style == "underline" else ""


def describe_title(entry: AnnotationEntry, files: Mapping[int, str] = NO_FILES) -> str:
    """Return the title of the document, with its file if another document has this title."""
    return " · ".join(filter(None, (entry.reference.title, files.get(entry.mark.document_id, ""))))


def describe_source(entry: AnnotationEntry, files: Mapping[int, str] = NO_FILES) -> str:
    """Return kind, document and place of an entry in one line."""
    parts = (describe_kind(entry), describe_title(entry, files), describe_spot(entry))
    return " · ".join(filter(None, parts))


def build_rows(
    entries: Sequence[AnnotationEntry],
    order: str,
    *,
    folded: Container[str] = (),
    selected: Container[int] = (),
    files: Mapping[int, str] = NO_FILES,
) -> list[ListRow]:
    """Return entries in an order, a key of `ORDERS`, with the titles of their groups.

    Args:
        entries: by document and place.
        folded: keys of groups of which only the title is wanted.
        selected: the annotations that are counted in the titles.
        files: what tells documents with the same title apart, `distinguish_titles`.
    """
    ways: dict[str, Callable[[AnnotationEntry], EntryGroup]] = {
        DOCUMENT: lambda entry: _group_of_document(entry, files),
        NEWEST: lambda entry: EntryGroup(_describe_day(entry), 0),
        COLOR: _group_of_color,
    }
    colors = [*COLOR_WORDS, ""]
    if order == NEWEST:
        entries = sorted(entries, key=lambda entry: (-entry.mark.created_at, -entry.mark.id))
    elif order == COLOR:
        entries = sorted(entries, key=lambda entry: colors.index(_group_of_color(entry).color))
    rows: list[ListRow] = []

    def find_group(entry: AnnotationEntry) -> tuple[EntryGroup, int]:
        # also two documents with the same title, authors and name of the file
        return ways[order](entry), entry.mark.document_id if order == DOCUMENT else 0

    for (group, _), members in groupby(entries, key=find_group):
        several = list(members)
        key = _build_key(order, group, several[0])
        n_selected = sum(entry.mark.id in selected for entry in several)
        is_folded = key in folded
        rows.append(
            replace(group, count=len(several), key=key, folded=is_folded, n_selected=n_selected)
        )
        rows += [] if is_folded else several
    return rows


def _build_key(order: str, group: EntryGroup, first: AnnotationEntry) -> str:
    """Return by what a group is remembered: titles are no business of the settings' file."""
    number = first.mark.document_id if order == DOCUMENT else 0
    parts = (order, group.title if not group.color else group.color, str(number))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:KEY_CHARS]


def _group_of_document(entry: AnnotationEntry, files: Mapping[int, str]) -> EntryGroup:
    reference = entry.reference
    source = format_authors(reference.author, reference.year)
    return EntryGroup(reference.title, 0, source, files.get(entry.mark.document_id, ""))


def _describe_day(entry: AnnotationEntry) -> str:
    words = format_day(entry.mark.created_at) if entry.mark.created_at > 0 else tr("Without a date")
    return words[:1].upper() + words[1:]


def _group_of_color(entry: AnnotationEntry) -> EntryGroup:
    if entry.mark.kind == "bookmark":
        return EntryGroup(tr("Bookmarks"), 0)
    color = get_color(entry.mark.color)
    return EntryGroup(tr_message(color.name), 0, color=color.key)


class EntriesModel(RowsModel):
    """The entries that are shown, with the titles of their groups.

    Attributes:
        files: what tells documents with the same title apart, `distinguish_titles`.
    """

    files: Mapping[int, str] = NO_FILES

    @property
    def entries(self) -> list[AnnotationEntry]:
        return [row for row in self.rows if isinstance(row, AnnotationEntry)]

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        if index.isValid() and isinstance(index.data(ROW_ROLE), ListTip):
            return Qt.ItemFlag.NoItemFlags
        return super().flags(index)

    def describe(self, row: ListRow, role: int) -> str | None:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        if isinstance(row, ListTip):
            return row.words
        if isinstance(row, EntryGroup):
            entries = trn("{n} entry", "{n} entries", row.count)
            title = f"{row.title} ({row.file})" if row.file else row.title
            return f"{title}: {entries}{tr(' (folded)') if row.folded else ''}"
        quote = find_shown_words(row.mark)
        if not quote:
            is_page = row.mark.area is None
            quote = tr("(a page without text)") if is_page else tr("Area of the page")
        if role == Qt.ItemDataRole.DisplayRole:
            return quote
        kind = tr_message(get_color(row.mark.color).name)
        if row.mark.kind == "bookmark":
            kind = tr("Bookmark")
        tags = f" {tr('Tags')}: {', '.join(row.mark.tags)}." if row.mark.tags else ""
        return f"{kind}: {quote}. {row.mark.note}{tags} {describe_source(row, self.files)}"


class EntryList(RowList):
    """The list; `select_row` counts entries only.

    `selected` carries the row of a card or a group to be selected or not, and whether all from the
    last card are meant; `folded` the row of a group or of a card in it, and whether it is to be
    folded, None for the other way round.
    """

    selected = Signal(int, bool)
    folded = Signal(int, object)
    hovered = Signal(int)  # the row under the pointer, -1 for none
    _is_made = False  # Qt asks for rows while the list is made

    def __init__(
        self, theme: Theme, model: EntriesModel, delegate: QStyledItemDelegate, name: str
    ) -> None:
        super().__init__(model, delegate, name)
        self.pressed_at = QPoint()
        self.pressed_with = Qt.KeyboardModifier.NoModifier
        self._hovered = -1
        self._pointer: QPoint | None = None
        self.group_title = GroupTitle(theme, self)
        self.verticalScrollBar().valueChanged.connect(lambda _: self._scrolled())
        model.modelReset.connect(self.group_title.place)
        model.dataChanged.connect(lambda *_: self.group_title.update())
        self._is_made = True

    @property
    def hovered_row(self) -> int:
        return self._hovered

    def select_row(self, row: int) -> bool:
        places = [at for at, one in enumerate(self._rows()) if isinstance(one, AnnotationEntry)]
        if places:
            at = places[min(max(0, row), len(places) - 1)]
            self.setCurrentIndex(self.model().index(at, 0))
        return bool(places)

    def _rows(self) -> Sequence[ListRow]:
        model = self.model()
        return model.rows if isinstance(model, EntriesModel) else ()

    def _scrolled(self) -> None:
        self._hover(self._pointer)
        self.group_title.place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._is_made:
            self.group_title.place()

    def scrollTo(
        self,
        index: AnyIndex,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        super().scrollTo(index, hint)
        if self._is_made:
            self._show_below_title(index, hint)

    def _show_below_title(self, index: AnyIndex, hint: QAbstractItemView.ScrollHint) -> None:
        """Scroll back by what the title of its group covers of a row."""
        self.group_title.place()
        hidden = self.group_title.geometry().bottom() + 1 - self.visualRect(index).top()
        if hint == QAbstractItemView.ScrollHint.EnsureVisible and not self.group_title.isHidden():
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() - max(0, hidden))

    def _hover(self, point: QPoint | None) -> None:
        self._pointer = point
        row = self.indexAt(point).row() if point is not None else -1
        if row != self._hovered:
            self._hovered = row
            self.hovered.emit(row)

    def viewportEvent(self, event: QEvent) -> bool:
        kind = event.type()
        if kind in (QEvent.Type.MouseMove, QEvent.Type.HoverMove, QEvent.Type.HoverEnter):
            self._hover(cast(QSinglePointEvent, event).position().toPoint())
        elif kind in (QEvent.Type.Leave, QEvent.Type.HoverLeave):
            self._hover(None)
        elif kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick):
            press = cast(QMouseEvent, event)
            self.pressed_at, self.pressed_with = press.position().toPoint(), press.modifiers()
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select with Space, and with Shift and an arrow; fold with Left, Right and Return."""
        row, key, rows = self.currentIndex().row(), event.key(), self._rows()
        keys, shift = Qt.Key, Qt.KeyboardModifier.ShiftModifier
        is_group = 0 <= row < len(rows) and isinstance(rows[row], EntryGroup)
        if row >= 0 and key in (keys.Key_Left, keys.Key_Right):
            self.folded.emit(row, key == keys.Key_Left)
        elif row >= 0 and is_group and key in (keys.Key_Return, keys.Key_Enter):
            self.folded.emit(row, None)
        elif row >= 0 and key == keys.Key_Space:
            self.selected.emit(row, False)
        elif row >= 0 and key in (keys.Key_Up, keys.Key_Down) and event.modifiers() & shift:
            self._extend(row, -1 if key == keys.Key_Up else 1)
        else:
            super().keyPressEvent(event)

    def _extend(self, row: int, step: int) -> None:
        """Go to the next card with the selection."""
        rows = self._rows()
        at = row + step
        while 0 <= at < len(rows) and not isinstance(rows[at], AnnotationEntry):
            at += step
        if 0 <= at < len(rows):
            self.setCurrentIndex(self.model().index(at, 0))
            self.selected.emit(at, True)


class GroupTitle(QWidget):
    """The title of the group whose cards are at the top of a list, once it is scrolled away.

    The title of the next group pushes it out. A click scrolls back to the first card of the group.
    """

    def __init__(self, theme: Theme, entries: EntryList) -> None:
        super().__init__(entries.viewport())
        self._theme, self._list = theme, entries
        self.index = QModelIndex()  # of the group
        self.hide()

    def place(self) -> None:
        """Show the title where it belongs, or hide it."""
        entries, rows = self._list, self._list.model()
        first = entries.indexAt(QPoint(0, 0)).row()
        above = (rows.index(at, 0) for at in range(first, -1, -1))
        index = next(filter(_is_group, above), QModelIndex())
        place = entries.visualRect(index)
        if not index.isValid() or place.top() >= 0 or index.data(ROW_ROLE).folded:
            self.hide()
            return
        self.index = index
        top, height = 0, place.height()
        for at in range(first + 1, rows.rowCount()):
            below = entries.visualRect(rows.index(at, 0)).top()
            if below >= height:
                break
            if _is_group(rows.index(at, 0)):
                top = below - height
                break
        self.setGeometry(0, top, entries.viewport().width(), height)
        self.show()
        self.raise_()  # above the actions on a card that is scrolled below it
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.index.isValid():
            return
        option = QStyleOptionViewItem()
        self._list.initViewItemOption(option)
        option.rect = self.rect()
        flags = QStyle.StateFlag
        option.state &= ~(flags.State_HasFocus | flags.State_MouseOver | flags.State_Selected)
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("bg"))
        self._list.itemDelegate().paint(painter, option, self.index)
        line = QRect(0, self.height() - 1, self.width(), 1)  # cards go below it
        painter.fillRect(line, self._theme.color("line"))
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()
        if self.index.isValid():
            self._list.scrollTo(self.index, QAbstractItemView.ScrollHint.PositionAtTop)


def _is_group(index: QModelIndex) -> bool:
    return isinstance(index.data(ROW_ROLE), EntryGroup)
