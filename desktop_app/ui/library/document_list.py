"""The table or cards of documents, and the facts of the selected document.

Owns columns, selection and which columns are hidden in a narrow window. Changes no documents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QItemSelectionRange,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QScrollArea,
    QStackedWidget,
    QWidget,
)

from desktop_app.engine.model import DocumentRow, EntityRow, LibraryOverview
from desktop_app.engine.progress import Progress
from desktop_app.engine.store.enrichment import DocumentEnrichment, Failure

from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets import (
    STRETCH,
    Hairline,
    Label,
    RowTable,
    build_column,
    build_row,
    format_number,
    format_size,
)
from ..widgets.tables import ListUse, UpdateLink
from ..widgets.words import format_day_time
from .cards import CardView
from .covers import Covers
from .details import DetailsDialog
from .inspector import WIDTH as INSPECTOR_WIDTH
from .inspector import DocumentInspector
from .table_model import (
    ADDED,
    AUTHOR,
    COLUMNS,
    ENRICHED,
    LANGUAGE,
    LENGTH,
    NAMES,
    PAGES,
    PUBLISHED,
    READ,
    SHOWN_AFTER_TITLE,
    STATE,
    TITLE,
    TYPE,
    YEAR,
    DocumentTableModel,
    ProgressDelegate,
    TitleDelegate,
)
from .words import PausedWork, describe_pace, describe_scan_pace, is_busy

# (column, minimum width of the list without its inspector to show it)
SPARE_COLUMNS = (
    (LENGTH, 1120),
    (LANGUAGE, 1030),
    (PAGES, 960),
    (ENRICHED, 860),
    (READ, 700),
    (TYPE, 640),
    (ADDED, 570),
    (NAMES, 510),
    (PUBLISHED, 1000),
    (YEAR, 460),
    (AUTHOR, 400),
)
LEAST_TITLE = 240  # pixels of the titles, which are what one looks for
# Where works have a journal, it takes the room of columns that say less.
BEFORE_PUBLISHED, PUBLISHED_ROOM = (LENGTH, LANGUAGE, PAGES), 200
AUTHOR_WIDTHS, AUTHOR_AROUND = (80, 144), 24  # pixels: least and most; beside the text
MOST_FULL = 240  # pixels of authors with all their names
TITLE_AROUND, TITLE_SHARE = 56, 0.55  # beside its text; of the table, which titles have first
INSPECTOR_FROM = 760
# Of the list with the details that are edited: less, and they are a dialog.
DETAILS_WIDTH, DETAILS_FROM = 440, 780
HINT_UP_TO = 8  # documents; who has more knows how to add them
MOST_BEGUN = 3  # documents that the panel offers to read on
OF_LIBRARY = -1  # in place of a document id: the top names are those of the library
HINT_GAP = 24  # pixels between the summary and the hint at least


class DocumentList(QWidget):
    """Shows documents and their selection.

    `too_narrow_for_details` is emitted when the list lost the room for the details that are edited.
    `failures_wanted` and `top_names_wanted` (top names and collections) carry a document id, the
    latter `OF_LIBRARY` while none is selected;
    `sum_enrichment` returns the summed enrichment numbers of documents; set by the screen.
    """

    failures_wanted = Signal(int)
    top_names_wanted = Signal(int)
    too_narrow_for_details = Signal()

    def __init__(
        self, theme: Theme, model: DocumentTableModel, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.model = model
        self._theme = theme
        self.is_inspector_wanted = True
        self._is_wanted_narrow = False  # where it leaves few columns: only on request
        self._kept: list[int] = []
        self._progress: Progress | None = None
        self._page_progress: Progress | None = None  # of pages that are pictures
        self._are_pages_paused = False
        self._failures: tuple[int, Sequence[Failure]] = (0, ())
        self._with_names = 0  # the document whose top names are shown or wanted
        self.sum_enrichment: Callable[[list[int]], DocumentEnrichment | None] = lambda ids: None
        self.covers = Covers(theme, self)
        self.table = RowTable(theme)
        self.table.setAccessibleName(tr("Documents"))
        self.table.setModel(model)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.setDragEnabled(True)
        self.table.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(TITLE, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(48)
        for place, column in enumerate(SHOWN_AFTER_TITLE, 1):
            header.moveSection(header.visualIndex(column), place)
        self.table.setItemDelegateForColumn(TITLE, TitleDelegate(theme, self.covers, self.table))
        self.covers.changed.connect(self.table.viewport().update)
        for column in (STATE, ENRICHED):
            self.table.setItemDelegateForColumn(column, ProgressDelegate(theme, self.table))
        self.table.sortByColumn(ADDED, Qt.SortOrder.DescendingOrder)
        self.cards = CardView(theme, model, self.covers)
        self.cards.setSelectionModel(self.table.selectionModel())
        self.views = QStackedWidget()
        # The same room at both sides of a selected row. Cards have room at their right already,
        # and that of the scroll bar, so that the last one is as far from the panel as from others.
        self._table_page = QWidget()
        build_row((self.table, 1), parent=self._table_page, margins=(0, 0, 8, 0))
        self.views.addWidget(self._table_page)
        self.views.addWidget(self.cards)
        self.inspector = DocumentInspector(theme, self.covers)
        self.summary = Label("", "small")
        self.hint = Label(tr("Drop files or folders here to add them"), "small")
        self.update_link = UpdateLink()
        self.update_link.clicked.connect(self._bring_new)
        self.foot = QWidget()
        build_row(
            self.summary,
            self.update_link,
            STRETCH,
            self.hint,
            parent=self.foot,
            margins=(16, 6, 16, 8),
        )
        listed = build_column(
            build_row(8, (self.views, 1), spacing=0), Hairline(), self.foot, spacing=0
        )
        self.details = QScrollArea()  # what is edited, in place of the facts
        self.details.setObjectName("inspector")
        self.details.setWidgetResizable(True)
        self.details.setFrameShape(QScrollArea.Shape.NoFrame)
        self.details.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.details.hide()
        build_row((listed, 1), self.inspector, self.details, parent=self, spacing=0)
        self._overview: LibraryOverview | None = None
        self._are_facts_old = False  # the overview changed while the list was hidden
        use = ListUse([self.table, self.cards], self)
        use.ended.connect(model.sort_again)
        model.is_held = use
        self.table.selectionModel().selectionChanged.connect(self.show_selected)
        model.modelAboutToBeReset.connect(self._keep_selection)
        model.modelReset.connect(self._restore_selection)
        model.modelReset.connect(self._show_summary)
        for changed in (model.rowsInserted, model.rowsRemoved):
            changed.connect(self._show_summary)
        for changed in (model.modelReset, model.dataChanged):
            changed.connect(self._fit)
        model.order_changed.connect(self._show_order)
        theme.changed.connect(self._set_widths)
        self._set_widths()

    def _set_widths(self) -> None:
        for i, column in enumerate(COLUMNS):
            self.table.setColumnWidth(i, self._theme.length(column.width))
        self._fit()

    def _fit_author(self) -> None:
        """Make the column of authors as wide as they need: the rest belongs to the titles.

        They have all their names where the titles have what they need, at most a share, without
        that room.
        """
        metrics = QFontMetrics(self._theme.font("text"))

        def measure(words: Iterable[str]) -> int:
            return max(map(metrics.horizontalAdvance, words), default=0)

        least, most = (self._theme.length(size) for size in AUTHOR_WIDTHS)
        width = min(max(measure(self.model.sample_authors()) + AUTHOR_AROUND, least), most)
        full = max(measure(self.model.sample_authors(full=True)) + AUTHOR_AROUND, least)
        room = self.table.viewport().width()
        titles = measure(self.model.sample_titles()) + self._theme.length(TITLE_AROUND)
        taken = sum(
            self.table.columnWidth(column)
            for column in range(len(COLUMNS))
            if column not in (TITLE, AUTHOR) and not self.table.isColumnHidden(column)
        )
        left = room - taken - min(titles, round(TITLE_SHARE * room))
        is_full = full <= min(left, self._theme.length(MOST_FULL))
        width = full if is_full else width
        self.model.show_full_authors(is_full)
        if width != self.table.columnWidth(AUTHOR):
            self.table.setColumnWidth(AUTHOR, width)

    @property
    def view(self) -> QAbstractItemView:
        """The table or the cards, whichever is shown."""
        return self.cards if self.shows_cards else self.table

    @property
    def is_editing(self) -> bool:
        """Whether details are edited beside the list, in place of the facts."""
        return not self.details.isHidden()

    @property
    def shows_cards(self) -> bool:
        return self.views.currentWidget() is self.cards

    def show_cards(self, cards: bool) -> None:
        """Show cards or the table; the selection stays and is scrolled to."""
        had_focus = self.view.hasFocus()
        self.views.setCurrentWidget(self.cards if cards else self._table_page)
        self.setFocusProxy(self.view)
        if had_focus:
            self.view.setFocus()
        if chosen := self.selected_rows():
            self.view.scrollTo(self.model.index(self.model.place_of(chosen[0].id), TITLE))

    def selected_rows(self) -> list[DocumentRow]:
        # read ranges: `selectedRows` queries the model for every cell, slow with 10,000 rows
        places: set[int] = set()
        selection = self.table.selectionModel().selection()
        for chosen in cast(Iterable[QItemSelectionRange], selection):
            places.update(range(chosen.top(), chosen.bottom() + 1))
        return [self.model.shown_row(place) for place in sorted(places)]

    def current_row(self) -> DocumentRow | None:
        rows = self.selected_rows()
        return rows[0] if len(rows) == 1 else None

    def select(self, *document_ids: int) -> None:
        """Select documents and scroll to the first."""
        places = [p for i in document_ids if (p := self.model.place_of(i)) >= 0]
        if not places:
            return
        self._select_places(places)
        first = self.model.index(places[0], TITLE)
        flag = QItemSelectionModel.SelectionFlag.NoUpdate
        self.table.selectionModel().setCurrentIndex(first, flag)
        self.view.scrollTo(first)

    def show_selected(self, *_: Any) -> None:
        """Show the facts of the selected documents from the current rows."""
        self._are_facts_old = False
        rows = self.selected_rows()
        row = rows[0] if len(rows) == 1 else None
        if row is None:
            self._failures = (0, ())
            name = self._overview.name if self._overview is not None else ""
            facts = [] if rows else self._list_library_facts()
            begun = [] if rows else self.model.list_begun(MOST_BEGUN)
            self.inspector.show_several(rows, name, facts, begun)
            if rows or not self.model.n_all:
                self._with_names = 0
                self.inspector.show_top_names((), ())
            elif self._with_names != OF_LIBRARY:
                self._with_names = OF_LIBRARY
                self.top_names_wanted.emit(OF_LIBRARY)
            self.inspector.enrichment.show_found(self.sum_enrichment([r.id for r in rows]))
            return
        same_as = self.model.title_of(row.duplicate_of or 0)
        self.inspector.show_row(row, same_as, self.model.share_read(row.id))
        self._show_pace(row)
        if self._with_names != row.id:
            self._with_names = row.id
            self.top_names_wanted.emit(row.id)
        found = self.model.enrichment_of(row.id) if row.state == "ready" else None
        if self._failures[0] != row.id:
            self._failures = (row.id, ())
        self.inspector.enrichment.show_found(found, self._failures[1])
        if found is not None and found.n_failed:
            self.failures_wanted.emit(row.id)

    def forget_top_names(self) -> None:
        """Want top names and collections again when the document is shown the next time."""
        self._with_names = 0

    def show_library_names(self, names: Sequence[EntityRow]) -> None:
        """Show the top names of the library, if no document is selected."""
        if not self.selected_rows():
            self.inspector.show_top_names(names, ())

    def show_top_names(
        self, document_id: int, names: Sequence[EntityRow], collections: Sequence[str]
    ) -> None:
        """Show the top names and the collections of a document, if it is the selected one."""
        row = self.current_row()
        if row is not None and row.id == document_id:
            self.inspector.show_top_names(names, collections)

    def show_progress(self, progress: Progress) -> None:
        """Show the progress of a document, if it is the selected one."""
        self._progress = progress
        self._show_pace(self.current_row())

    def show_paused(self, paused: PausedWork) -> None:
        """Show in the states of documents which work is paused."""
        if paused != self.model.paused:
            self.inspector.paused = paused
            self.model.set_paused(paused)
            self.show_selected()

    def show_page_progress(self, progress: Progress | None, *, paused: bool) -> None:
        """Show how fast the pages of a document are read, if it is the selected one."""
        self._page_progress, self._are_pages_paused = progress, paused
        self._show_pace(self.current_row())

    def _show_pace(self, row: DocumentRow | None) -> None:
        pace = ""
        if row is not None:
            pace = describe_pace(row, self._progress) or describe_scan_pace(
                row, self._page_progress, paused=self._are_pages_paused
            )
        self.inspector.show_pace(pace)

    def show_failures(self, document_id: int, failures: Sequence[Failure]) -> None:
        """Show why passages of the selected document failed."""
        row = self.current_row()
        if row is None or row.id != document_id or self._failures == (document_id, failures):
            return
        self._failures = (document_id, failures)
        found = self.model.enrichment_of(document_id) if row.state == "ready" else None
        self.inspector.enrichment.show_found(found, failures)

    def set_overview(self, overview: LibraryOverview) -> None:
        """Set the numbers of the whole library, shown below the list and beside it."""
        if overview != self._overview:
            self._overview = overview
            self._show_summary()
            if not self.selected_rows():
                if self.isVisible():
                    self.show_selected()
                else:  # an edit on another screen does not wait for it
                    self._are_facts_old = True

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._are_facts_old:
            self.show_selected()

    def _list_library_facts(self) -> list[tuple[str, str]]:
        """Return what the panel says of the library while no document is selected."""
        if (found := self._overview) is None or not self.model.n_all:
            return []
        rows = self.model.all_rows
        last = max(rows, key=lambda row: row.added_at)
        n_waiting, n_failed = sum(map(is_busy, rows)), sum(row.state == "failed" for row in rows)
        return [
            (tr("Documents"), format_number(found.n_documents)),
            (tr("Names"), format_number(found.n_entities) if found.n_entities else ""),
            (tr("Connections"), format_number(found.n_relations) if found.n_relations else ""),
            (tr("Mentions"), format_number(found.n_mentions) if found.n_mentions else ""),
            (tr("Highlights"), format_number(found.n_annotations) if found.n_annotations else ""),
            (tr("Waiting"), format_number(n_waiting) if n_waiting else ""),
            (tr("Not read"), format_number(n_failed) if n_failed else ""),
            (tr("Last added"), f"{last.title} · {format_day_time(last.added_at)}"),
            (tr("Size on disk"), format_size(found.size_bytes)),
        ]

    def _show_summary(self) -> None:
        """Show how much is listed below the documents: their number, names and size."""
        n, total = self.model.rowCount(), self.model.n_all
        parts = [trn("{n} document", "{n} documents", n)]
        if n < total:
            parts = [tr("{n} of {total} documents", n=format_number(n), total=format_number(total))]
        elif self._overview is not None and (n_names := self._overview.n_entities):
            parts.append(trn("{n} name", "{n} names", n_names))
        parts.append(format_size(sum(self.model.shown_row(i).size_bytes for i in range(n))))
        self.summary.setText(" · ".join(parts))
        self._fit_hint()

    def _show_order(self) -> None:
        """Show whether rows kept their places, so that the order is older than what they say."""
        self.update_link.show_order(self.model.order)
        self._fit_hint()

    def _bring_new(self) -> None:
        """Sort the rows; new ones may be above those in sight."""
        n_new = self.model.order.n_new
        self.model.sort_again()
        if n_new:
            self.view.scrollToTop()

    def toggle_inspector(self) -> None:
        """Show or hide the facts; where there is little room, until the window is wider."""
        if 0 < self.width() < INSPECTOR_FROM:
            self._is_wanted_narrow = not self._is_wanted_narrow
        else:
            self.is_inspector_wanted = not self.is_inspector_wanted
        self._fit()

    def dock_details(self, sheet: DetailsDialog) -> bool:
        """Show the details that are edited beside the list; return False if it has no room left."""
        if self.width() < self._theme.length(DETAILS_FROM):
            return False
        self.details.setFixedWidth(self._theme.breadth(DETAILS_WIDTH))
        self.details.setWidget(sheet)
        sheet.become_panel()
        sheet.finished.connect(lambda _: self._end_details(sheet))
        self.details.show()
        self._fit()
        return True

    def _end_details(self, sheet: DetailsDialog) -> None:
        if self.details.widget() is sheet:
            self.details.takeWidget()
            sheet.setParent(self)  # until it is deleted
            self.details.hide()
            self._fit()

    def _keep_selection(self) -> None:
        self._kept = [row.id for row in self.selected_rows()]

    def _restore_selection(self) -> None:
        self._select_places(self.model.places_of(self._kept))
        self.show_selected()

    def _select_places(self, places: Sequence[int]) -> None:
        selection = QItemSelection()
        ordered = sorted(places)
        starts = [i for i, p in enumerate(ordered) if i == 0 or p != ordered[i - 1] + 1]
        for first, after in zip(starts, [*starts[1:], len(ordered)], strict=False):
            last = self.model.index(ordered[after - 1], len(COLUMNS) - 1)
            selection.append(QItemSelectionRange(self.model.index(ordered[first], 0), last))
        flag = QItemSelectionModel.SelectionFlag
        self.table.selectionModel().select(selection, flag.ClearAndSelect)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        if self.width() >= INSPECTOR_FROM:
            self._is_wanted_narrow = False
            shown = self.is_inspector_wanted
        else:
            shown = self._is_wanted_narrow
        if self.is_editing and self.width() < self._theme.length(DETAILS_FROM):
            self.too_narrow_for_details.emit()
        shown = shown and not self.is_editing
        self.inspector.setVisible(shown)
        room = self.width() - (INSPECTOR_WIDTH if shown else 0)
        room -= self.details.width() if self.is_editing else 0
        hidden = self.model.find_empty_columns((AUTHOR, YEAR, ENRICHED, READ, PUBLISHED))
        has_journals = PUBLISHED not in hidden
        if self.model.is_settled():
            hidden.add(STATE)  # equal ticks say nothing
        for column, least in SPARE_COLUMNS:  # the first is the first to give way to the titles
            if column in BEFORE_PUBLISHED and has_journals:
                least += PUBLISHED_ROOM
            shown_widths = (
                c.width for n, c in enumerate(COLUMNS) if n != TITLE and n not in hidden
            )
            taken = LEAST_TITLE + sum(shown_widths)
            if room < self._theme.length(max(least, taken if column not in hidden else 0)):
                hidden.add(column)
        for column in range(len(COLUMNS)):
            self.table.setColumnHidden(column, column in hidden)
        self._fit_author()
        self._fit_hint()

    def _fit_hint(self) -> None:
        """Show beside the summary of a few documents that files can be dropped here."""
        beside = (self.inspector, self.details)
        room = self.width() - sum(one.width() for one in beside if one.isVisibleTo(self))
        needed = 2 * 16 + self.summary.sizeHint().width() + self.hint.sizeHint().width() + HINT_GAP
        if not self.update_link.isHidden():
            needed += self.update_link.sizeHint().width()
        self.hint.setVisible(0 < self.model.n_all <= HINT_UP_TO and needed <= room)
