"""The table model of documents, filtered and sorted in one pass over plain data.

Owns which rows are shown in which order. A proxy model would call Python for every comparison;
sorting a list of keys is fast with 10,000 documents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from itertools import takewhile
from typing import Any, NamedTuple

from PySide6.QtCore import (
    QAbstractTableModel,
    QMimeData,
    QModelIndex,
    QObject,
    QRect,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

from desktop_app.engine.model import DocumentRow
from desktop_app.engine.person_names import shorten_authors, split_authors, split_name
from desktop_app.engine.store.enrichment import DocumentEnrichment
from desktop_app.ui.widgets.tables import (
    COLOR_ROLE,
    ICON_ROLE,
    SUBTITLE_ROLE,
    AnyIndex,
    HeldOrder,
    TextDelegate,
    inverts_selection,
    list_new_runs,
)
from desktop_app.ui.widgets.words import (
    format_day,
    format_day_time,
    format_language,
    format_number,
    name_format,
)

from ..theme.theme import Theme
from ..translation import later, tr
from .covers import RATIO, Covers
from .places import MIME
from .words import (
    NOTHING_PAUSED,
    PausedWork,
    StateWords,
    describe_authors,
    describe_content,
    describe_enriched,
    describe_enrichment,
    describe_file_kind,
    describe_origin,
    describe_read,
    describe_state,
    find_kind_words,
    format_share_read,
    is_begun,
    is_finished,
    is_settled,
    share,
    sort_enrichment,
    sort_state,
    subtitle,
)

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
READ_ROLE = Qt.ItemDataRole.UserRole + 2  # the share that was read, of a document that was begun
ENRICHED_ROLE = Qt.ItemDataRole.UserRole + 3  # whether a chat model has read any of its passages
STATE_ROLE = Qt.ItemDataRole.UserRole + 4  # the `StateWords` of a document
SHARE_ROLE = Qt.ItemDataRole.UserRole + 105
BAR_HEIGHT = 3
SAMPLE = 200  # documents from which the width of a column is found
COVER_MARGIN = 3  # pixels above and below the cover in a row
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


_FLAGS = (
    Qt.ItemFlag.ItemIsSelectable
    | Qt.ItemFlag.ItemIsEnabled
    | Qt.ItemFlag.ItemIsDragEnabled
    | Qt.ItemFlag.ItemNeverHasChildren
)


class DocumentColumn(NamedTuple):
    """One column; `text` and `key` take the document and its enrichment (None if unknown)."""

    title: str
    width: int
    is_number: bool
    text: Callable[[DocumentRow, DocumentEnrichment | None], str]
    key: Callable[[DocumentRow, DocumentEnrichment | None], Any]
    tooltip: str = ""


def number_or_blank(value: int) -> str:
    return format_number(value) if value else ""


def _by_name(row: DocumentRow) -> tuple[bool, str]:
    """Return the key that sorts by family name; documents without author come last."""
    names = split_authors(row.author)
    return not names, " ".join(split_name(names[0])).casefold() if names else ""


def _by_publication(row: DocumentRow) -> tuple[bool, str, str, int]:
    """Return the key that sorts by journal, volume and first page; works of none come last."""
    place = row.container or row.publisher
    volume = f"{row.volume:>8}{row.issue:>8}"
    first = "".join(takewhile(str.isdecimal, row.cited_pages))[:9]
    return not place, place.casefold(), volume, int(first or 0)


COLUMNS = (
    DocumentColumn(
        later("Title"), 320, False, lambda r, e: r.title, lambda r, e: r.title.casefold()
    ),
    DocumentColumn(
        later("State"), 144, False, lambda r, e: describe_state(r).text, lambda r, e: sort_state(r)
    ),
    DocumentColumn(
        later("Enriched"),
        112,
        False,
        lambda r, e: describe_enrichment(r, e).text,
        lambda r, e: sort_enrichment(e),
        later("Share of passages that a chat model has read"),
    ),
    DocumentColumn(
        later("Language"),
        88,
        False,
        lambda r, e: format_language(r.language),
        lambda r, e: r.language,
    ),
    DocumentColumn(
        later("Pages"), 64, True, lambda r, e: number_or_blank(r.n_pages), lambda r, e: r.n_pages
    ),
    DocumentColumn(
        later("Length"),
        84,
        True,
        lambda r, e: number_or_blank(r.n_chars),
        lambda r, e: r.n_chars,
        later("Characters of text"),
    ),
    DocumentColumn(
        later("Names"),
        60,
        True,
        lambda r, e: number_or_blank(r.n_entities),
        lambda r, e: r.n_entities,
    ),
    DocumentColumn(
        later("Added"), 120, False, lambda r, e: format_day(r.added_at), lambda r, e: r.added_at
    ),
    DocumentColumn(
        later("Author"),
        144,
        False,
        lambda r, e: shorten_authors(r.author),
        lambda r, e: _by_name(r),
    ),
    DocumentColumn(later("Year"), 52, False, lambda r, e: r.year, lambda r, e: r.year),
    DocumentColumn(
        later("Type"), 92, False, lambda r, e: name_format(r.format), lambda r, e: r.format
    ),
    # known to the model only
    DocumentColumn(
        later("Read"), 76, True, lambda r, e: "", lambda r, e: 0.0, later("Share that was read")
    ),
    DocumentColumn(
        later("Published in"),
        144,
        False,
        lambda r, e: r.container or r.publisher,
        lambda r, e: _by_publication(r),
        later("Journal or book, or the publisher"),
    ),
)
(
    TITLE,
    STATE,
    ENRICHED,
    LANGUAGE,
    PAGES,
    LENGTH,
    NAMES,
    ADDED,
    AUTHOR,
    YEAR,
    TYPE,
    READ,
    PUBLISHED,
) = range(len(COLUMNS))
SHOWN_AFTER_TITLE = (
    AUTHOR,
    YEAR,
    PUBLISHED,
    TYPE,
    READ,
)  # kept sort orders count the columns as above


class DocumentTableModel(QAbstractTableModel):
    """Shows the rows of `set_rows` that match filter, choice and place, sorted by one column.

    `order_changed` is emitted after the rows changed, and `order` with them.
    """

    order_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: list[DocumentRow] = []
        self._shown: list[DocumentRow] = []
        self._hidden: frozenset[int] = frozenset()
        self._titles: dict[int, str] = {}
        self._n_titled: Counter[str] = Counter()
        self._n_added: Counter[date] = Counter()
        self._has_full_authors = False
        self._enriched: dict[int, DocumentEnrichment] = {}
        self._read: dict[int, float] = {}
        self.paused = NOTHING_PAUSED
        self._filter = ""
        self._found: frozenset[int] = frozenset()
        self._belongs: Callable[[DocumentRow], bool] | None = None
        self._choice: Callable[[DocumentRow], bool] | None = None
        self._column = ADDED
        self._order = Qt.SortOrder.DescendingOrder
        # Whether rows stay where they are when their values change.
        self.is_held: Callable[[], bool] = lambda: False
        self.order = HeldOrder()

    @property
    def n_all(self) -> int:
        return len(self._all)

    @property
    def all_rows(self) -> Sequence[DocumentRow]:
        """All documents of the library, also those that a filter hides."""
        return self._all

    def find_empty_columns(self, columns: Sequence[int]) -> set[int]:
        """Return those of the columns that have no value for any document of the library."""
        values = (AUTHOR, YEAR, PUBLISHED)
        empty = {
            c
            for c in columns
            if c in values and not any(COLUMNS[c].text(row, None) for row in self._all)
        }
        if ENRICHED in columns and not any(map(is_begun, self._enriched.values())):
            empty.add(ENRICHED)
        if READ in columns and not any(self._read.values()):
            empty.add(READ)
        return empty

    def sample_authors(self, *, full: bool = False) -> set[str]:
        """Return the authors as shown, of the first documents of the library in any order."""
        describe = describe_authors if full else lambda row: shorten_authors(row.author)
        return {describe(row) for row in self._all[:SAMPLE] if row.author}

    def sample_titles(self) -> set[str]:
        """Return the titles of the first documents of the library in any order."""
        return {row.title for row in self._all[:SAMPLE]}

    def show_full_authors(self, full: bool) -> None:
        """Show single authors with all their names, or family names alone."""
        if full != self._has_full_authors:
            self._has_full_authors = full
            if self._shown:
                last = self.index(len(self._shown) - 1, AUTHOR)
                self.dataChanged.emit(self.index(0, AUTHOR), last)

    def is_settled(self) -> bool:
        """Return whether every document of the library is ready and nothing is to be done."""
        return bool(self._all) and all(map(is_settled, self._all))

    def set_rows(self, rows: list[DocumentRow], *, unhide: Iterable[int] = ()) -> None:
        """Set the rows; if the same documents stay in the same order, they are only repainted.

        Args:
            unhide: documents whose deletion had ended before the rows were read.
        """
        self._hidden = self._hidden.difference(unhide)
        self._all = list(rows)
        self._titles = {row.id: row.title for row in rows}
        self._n_titled = Counter(self._titles.values())
        self._n_added = Counter(date.fromtimestamp(row.added_at) for row in rows)
        self._rebuild(keeps_places=True)

    def sort_again(self) -> None:
        """Sort rows whose places were kept."""
        if self.order.is_unsorted:
            self._rebuild()

    def hide(self, document_ids: Iterable[int]) -> None:
        """Leave documents out that are being deleted, until `unhide`."""
        self._hidden |= frozenset(document_ids)
        self._rebuild(keeps_places=True)

    def unhide(self, document_ids: Iterable[int]) -> None:
        """Show documents again, if the library still has them."""
        hidden = self._hidden.difference(document_ids)
        if hidden != self._hidden:
            self._hidden = hidden
            self._rebuild(keeps_places=True)

    def set_enrichment(self, by_document: dict[int, DocumentEnrichment]) -> None:
        """Set the enrichment of each document, by its id."""
        if by_document != self._enriched:
            self._enriched = by_document
            self._rebuild(keeps_places=True)

    def set_read_shares(self, shares: dict[int, float]) -> None:
        """Set how much of each document is read, by its id; the others were not begun."""
        if shares != self._read:
            self._read = shares
            if self._choice is not None or self._column == READ:
                self._rebuild(keeps_places=True)
            if self._shown:
                last = self.index(len(self._shown) - 1, TITLE)
                self.dataChanged.emit(self.index(0, TITLE), last, [READ_ROLE])
                last = self.index(len(self._shown) - 1, READ)
                self.dataChanged.emit(self.index(0, READ), last, [Qt.ItemDataRole.DisplayRole])

    def set_paused(self, paused: PausedWork) -> None:
        """Set which work is paused, which the states of documents say."""
        if paused != self.paused:
            self.paused = paused
            if self._shown:
                last = self.index(len(self._shown) - 1, STATE)
                self.dataChanged.emit(self.index(0, TITLE), last)

    def describe_state(self, row: DocumentRow) -> StateWords:
        """Return the words of a document's state, with what is paused."""
        return describe_state(row, self.paused)

    def enrichment_of(self, document_id: int) -> DocumentEnrichment | None:
        return self._enriched.get(document_id)

    def list_begun(self, most: int) -> list[tuple[DocumentRow, float]]:
        """Return documents that are read in part, with their share, the last added first."""
        begun = [
            (row, share)
            for row in self._all
            if (share := self._read.get(row.id)) and not is_finished(share)
        ]
        return sorted(begun, key=lambda one: -one[0].added_at)[:most]

    def share_read(self, document_id: int) -> float:
        """Return how much of a document is read, 0 if it was not begun."""
        return self._read.get(document_id, 0.0)

    def set_filter(self, text: str) -> None:
        """Show documents with every word of a text in title, file, tags, note or reference."""
        self._filter = text.casefold().strip()
        self._found = frozenset()
        self._rebuild()

    def set_found(self, text: str, document_ids: Sequence[int]) -> None:
        """Show also the documents whose text contains the words of the filter."""
        if text.casefold().strip() == self._filter:
            self._found = frozenset(document_ids)
            self._rebuild()

    def set_place(self, belongs: Callable[[DocumentRow], bool] | None) -> None:
        """Show only the documents of one place; None shows all."""
        self._belongs = belongs
        self._rebuild()

    def set_choice(self, accepts: Callable[[DocumentRow], bool] | None) -> None:
        """Show only the documents with chosen values; None shows all."""
        self._choice = accepts
        self._rebuild()

    def list_candidates(self, *, any_place: bool = False) -> list[DocumentRow]:
        """Return the documents that match text and place, or only the text, in no order."""
        words, found = self._filter.split(), self._found
        belongs = (None if any_place else self._belongs) or (lambda row: True)
        return [
            row
            for row in self._all
            if row.id not in self._hidden
            and belongs(row)
            and (row.id in found or self._matches(row, words))
        ]

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if 0 <= column < len(COLUMNS):
            self._column, self._order = column, order
            self._rebuild()

    def _rebuild(self, *, keeps_places: bool = False) -> None:
        rows = self.list_candidates()
        if self._choice is not None:
            rows = list(filter(self._choice, rows))
        key = COLUMNS[self._column].key
        rows.sort(key=lambda r: r.title.casefold())
        reverse = self._order == Qt.SortOrder.DescendingOrder
        if self._column == READ:
            rows.sort(key=lambda r: self.share_read(r.id), reverse=reverse)
        else:
            rows.sort(key=lambda r: key(r, self._enriched.get(r.id)), reverse=reverse)
        is_held = keeps_places and self.is_held() and bool(self._shown)
        self._show(self.order.arrange(rows, self._shown, is_held=is_held), in_place=is_held)
        self.order_changed.emit()

    def _show(self, rows: list[DocumentRow], *, in_place: bool) -> None:
        """Show rows; with `in_place` those that stay have the order shown, among the others.

        Then none of those is another row for Qt, so that a click ends where it began.
        """
        if in_place:
            ids = {r.id for r in rows}
            for place in reversed([n for n, r in enumerate(self._shown) if r.id not in ids]):
                self.beginRemoveRows(QModelIndex(), place, place)
                del self._shown[place]
                self.endRemoveRows()
            for place, run in list_new_runs(rows, self._shown):
                self.beginInsertRows(QModelIndex(), place, place + len(run) - 1)
                self._shown[place:place] = run
                self.endInsertRows()
        if [r.id for r in rows] == [r.id for r in self._shown]:
            self._shown = rows
            if rows:
                last = self.index(len(rows) - 1, len(COLUMNS) - 1)
                self.dataChanged.emit(self.index(0, 0), last)
            return
        self.beginResetModel()
        self._shown = rows
        self.endResetModel()

    @staticmethod
    def _matches(row: DocumentRow, words: list[str]) -> bool:
        if not words:
            return True
        own = (
            f"{row.title} {row.file_name} {row.author} {row.year} {row.doi} {row.isbn} {row.state}"
            f" {row.container} {row.publisher} {row.item_key}"
        )
        text = f"{own} {' '.join(row.tags)} {row.comment}".casefold()
        return all(word in text for word in words)

    # --- dragging to a collection -----------------------------------------------------------

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        return _FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        ids = dict.fromkeys(self._shown[index.row()].id for index in indexes)
        data = QMimeData()
        data.setData(MIME, ",".join(map(str, ids)).encode())
        return data

    # --- Qt's interface ----------------------------------------------------------------------

    def rowCount(self, parent: AnyIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def columnCount(self, parent: AnyIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(COLUMNS)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = COLUMNS[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return tr(column.title)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column.is_number else LEFT
        if role == Qt.ItemDataRole.ToolTipRole:
            return tr(column.tooltip) if column.tooltip else None
        return None

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._shown[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            if column == STATE and is_settled(row):
                return ""  # the icon says it, so that what is not ready stands out
            if column == STATE:
                return self.describe_state(row).text
            if column == READ:
                read = self._read.get(row.id)
                return tr("Finished") if is_finished(read) else format_share_read(read)
            if column == AUTHOR and self._has_full_authors:
                return describe_authors(row)
            if column == ADDED and self._n_added[date.fromtimestamp(row.added_at)] > 1:
                return format_day_time(row.added_at)  # several have the same day
            return COLUMNS[column].text(row, self._enriched.get(row.id))
        if role == Qt.ItemDataRole.AccessibleTextRole and column == STATE:
            return self.describe_state(row).text
        if role == Qt.ItemDataRole.AccessibleDescriptionRole and column == TITLE:
            facts = (
                describe_origin(row),
                describe_content(row),
                describe_read(self._read.get(row.id)),
            )
            return ", ".join(filter(None, facts))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if COLUMNS[column].is_number else LEFT
        if role == ROW_ROLE:
            return row
        if role == STATE_ROLE:
            return self.describe_state(row)
        if role == READ_ROLE:
            return self._read.get(row.id)
        if role == ENRICHED_ROLE:
            found = self._enriched.get(row.id)
            return found is not None and found.n_enriched > 0
        if column == ENRICHED:
            return self._enrichment_data(row, role)
        if role == SUBTITLE_ROLE and column == TITLE:
            return subtitle(row, self._titles, is_ambiguous=self._n_titled[row.title] > 1)
        if role == Qt.ItemDataRole.ToolTipRole:
            if column == STATE:
                words = self.describe_state(row)
                return words.sentence or words.text
            if column == AUTHOR:
                return row.author or None
            if column == TYPE:
                return describe_file_kind(row) or None
            if column != TITLE:
                return None
            return self._describe(row)
        if column == STATE and role in (COLOR_ROLE, ICON_ROLE, SHARE_ROLE):
            words = self.describe_state(row)
            return {COLOR_ROLE: words.color, ICON_ROLE: words.icon, SHARE_ROLE: words.share}[role]
        if role == ICON_ROLE and column == TITLE:
            return find_kind_words(row).icon
        if role == COLOR_ROLE and (column != TITLE or row.set_aside):
            return "text2"
        return None

    def _describe(self, row: DocumentRow) -> str:
        """Return what a title or a card can't show, one fact per line."""
        found, read = self._enriched.get(row.id), self._read.get(row.id)
        facts = (
            row.title,
            row.file_name,
            describe_file_kind(row),
            self.describe_state(row).sentence,
            describe_read(read),
            describe_enriched(found) if found is not None and found.n_enriched else "",
        )
        return "\n".join(filter(None, facts))

    def _enrichment_data(self, row: DocumentRow, role: int) -> Any:
        found = self._enriched.get(row.id)
        if role == SHARE_ROLE:
            return share(found) if row.state == "ready" else None
        words = describe_enrichment(row, found)
        if role == COLOR_ROLE:
            return words.color
        if role == ICON_ROLE:
            return words.icon or None
        return (words.sentence or None) if role == Qt.ItemDataRole.ToolTipRole else None

    # --- documents and places -------------------------------------------------------------------

    def row_at(self, index: AnyIndex) -> DocumentRow | None:
        return self._shown[index.row()] if index.isValid() else None

    def shown_row(self, place: int) -> DocumentRow:
        return self._shown[place]

    def place_of(self, document_id: int) -> int:
        """Return the row of a document, -1 if it is not shown."""
        return next((i for i, r in enumerate(self._shown) if r.id == document_id), -1)

    def places_of(self, document_ids: Sequence[int]) -> list[int]:
        """Return the rows of the documents that are shown."""
        wanted = set(document_ids)
        return [i for i, r in enumerate(self._shown) if r.id in wanted] if wanted else []

    def title_of(self, document_id: int) -> str:
        return self._titles.get(document_id, "")


class TitleDelegate(TextDelegate):
    """Draws a title after the cover of its document."""

    def __init__(self, theme: Theme, covers: Covers, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._covers = covers

    def paint_lead(self, painter: QPainter, area: QRect, index: AnyIndex) -> int:
        height = area.height() - 2 * COVER_MARGIN
        cover = QRect(area.left(), area.top() + COVER_MARGIN, round(RATIO * height), height)
        row: DocumentRow | None = index.data(ROW_ROLE)
        if row is not None:
            self._covers.paint(painter, cover, row)
        return cover.width() + 10


class ProgressDelegate(TextDelegate):
    """Draws a text, and under it a bar while there is a SHARE_ROLE."""

    @inverts_selection
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        super().paint(painter, option, index)
        share = index.data(SHARE_ROLE)
        if share is None:
            return
        ground = QRectF(option.rect.adjusted(8, 0, -8, 0))
        ground.setTop(option.rect.bottom() - BAR_HEIGHT - 1)
        ground.setHeight(BAR_HEIGHT)
        full = QRectF(ground)
        full.setWidth(ground.width() * share)
        waits = index.data(COLOR_ROLE) == "text2"
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("line"))
        painter.drawRoundedRect(ground, 1.5, 1.5)
        if share > 0:
            painter.setBrush(self._theme.color("text2" if waits else "accent", 0.8))
            painter.drawRoundedRect(full, 1.5, 1.5)
        painter.restore()
