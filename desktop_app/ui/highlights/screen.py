"""The highlights screen: all highlights, bookmarks and notes of the library, filtered and exported.

Owns what is listed, which groups are folded, and what is done with cards. A click opens the
place in the reader, unless cards are selected: then it selects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import cast

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPoint,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QGuiApplication,
    QImage,
    QKeySequence,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QMenu,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.file_names import make_file_name
from desktop_app.engine.services.annotation_entries import (
    SUFFIXES,
    AnnotationEntry,
    EntryFilter,
    cite_entry,
    export_entries,
)
from desktop_app.engine.services.annotations import Area
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..editing.annotation_card import AnnotationCard, TagsCard
from ..editing.edits import EditRunner
from ..translation import later, tr, trn
from ..widgets import (
    Button,
    EmptyState,
    IconButton,
    Label,
    SearchField,
    Skeleton,
    ToolbarRow,
    build_column,
)
from ..widgets.area_pictures import load_image
from ..widgets.buttons import CaretButton, KeyDescriptions, add_shortcut
from ..widgets.fields import go_to_list
from ..widgets.highlight_colors import COLOR_WORDS
from ..widgets.menus import MenuKey
from ..widgets.save_dialog import ask_where_to_save
from ..widgets.tables import ROW_ROLE, RowList
from ..widgets.tag_chips import find_tag
from ..widgets.words import distinguish_titles, format_number
from ..window_file import open_window_file
from .card_bar import EXPORTS, CardBar, build_color_menu
from .cards import COMPACT, LEFT, PICTURE, ROOMY, HighlightDelegate
from .filters import EntryFilters, build_choice
from .how_to import HowToHighlight, KeyList
from .list import (
    DOCUMENT,
    FEW,
    ORDERS,
    EntriesModel,
    EntryGroup,
    EntryList,
    ListRow,
    ListTip,
    build_rows,
    entry_words,
)
from .selection import EntrySelection, SelectionBar

ORDER = "highlights/order"  # not shown: of the settings of this computer
FOLDED = "highlights/folded"  # not shown
COMPACTED = "highlights/compact"  # not shown
MOST_FOLDED = 500  # groups that are remembered; each has 16 characters in the settings
TIP = later("Select text in a document and press 1 to 4, or M for a note, to add more.")
BATCH = 50  # pictures of areas that are read at once
LIST_KEYS = (
    ("Space", later("Select the highlight, or all of the group")),
    ("Shift+Down", later("Select the next highlight too")),
    ("Left", later("Fold the group (Right unfolds it)")),
    ("Return", later("Open the highlight, or fold or unfold the group")),
)
KEYS = (
    (tuple(str(number) for number, _ in enumerate(COLOR_WORDS, 1)), later("highlight")),
    (("M",), later("highlight with a note")),
    (("Ctrl+D",), later("bookmark")),
)


SEARCH_WIDEST, SEARCH_LEAST = 320, 120  # pixels
HEAD_AROUND, HEAD_GAP = 28, 8  # pixels: the margins of the head, and before the search field
DRAWN_FROM = 440  # pixels: a lower screen has no room for the drawing above its texts
BAR_RIGHT = 8  # pixels from the right edge of a card to its actions
CARD_INSET, CARD_RISE = 16, 14  # pixels by which a popup card is over the card of an entry


@dataclass(frozen=True, slots=True)
class _Loaded:
    """All entries, and what is shown with them.

    Attributes:
        collections: the documents of each collection that has entries.
        pictures: of areas.
        tags: of highlights and documents.
        files: what tells documents with the same title apart.
    """

    entries: list[AnnotationEntry]
    collections: dict[str, frozenset[int]]
    pictures: dict[int, tuple[Area, QImage]]
    tags: Sequence[str] = ()
    files: Mapping[int, str] = field(default_factory=dict)


def _load_order() -> str:
    return str(open_window_file().value(ORDER, DOCUMENT))


def _load_compact() -> bool:
    return bool(open_window_file().value(COMPACTED, False, type=bool))


def _load_folded() -> list[str]:
    return str(open_window_file().value(FOLDED, "")).split()


class HighlightsScreen(QWidget):
    """Lists the highlights and notes of the open library."""

    open_passage = Signal(int, int, int)
    library_wanted = Signal()

    def __init__(self, context: SessionContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._edits = EditRunner(context, self)
        self._loaded = _Loaded([], {}, {})
        self._export_words = tr("Export")
        self._shown: list[AnnotationEntry] = []  # by document and place
        self._wanted_before = EntryFilter()
        self._is_stale = True
        self._is_loading = False
        self._folded = _load_folded()  # keys of groups, those folded last at the end
        self._folded_in_filter: list[str] = []  # while filters narrow the list: forgotten with them
        self._selection = EntrySelection(self)
        self.card: AnnotationCard | TagsCard | None = None
        self.setMinimumSize(320, 240)
        self._build()
        self._connect()

    def _build(self) -> None:
        theme = self._context.theme
        self.head = ToolbarRow(tr("Highlights"))
        self.count = Label("", "small")
        self.search = SearchField(theme, tr("Search in highlights and notes"), short=tr("Find"))
        self.search.setMaximumWidth(SEARCH_WIDEST)
        self.export_button = CaretButton(tr("Export"), theme, "export", kind="")
        self.selection = SelectionBar(theme)
        self.head.add(self.count, 1)
        self.head.add(self.selection, 1)
        self.head.add(self.search, 4)
        self.head.add(self.export_button)
        self.order = build_choice(tr("Order"))
        self.order.setToolTip(tr("Order of the list"))
        for order, words in ORDERS.items():
            self.order.addItem(theme.icon("ph.sort-ascending", color="text2"), tr(words), order)
        self.order.setCurrentIndex(max(0, self.order.findData(_load_order())))
        self.fold_button = IconButton(theme, "ph.arrows-in-line-vertical", tr("Fold all groups"))
        self.compact_button = IconButton(theme, "ph.rows", tr("Compact list"))
        self.compact_button.setCheckable(True)
        self.compact_button.setChecked(_load_compact())
        before = (self.order, self.fold_button, self.compact_button)
        self.filters = EntryFilters(theme, before)
        self.model = EntriesModel(self)
        self._delegate = HighlightDelegate(theme, self._selection.ids)
        self._delegate.order = _load_order()
        self._delegate.set_density(COMPACT if _load_compact() else ROOMY)
        words = tr("Highlights and notes")
        self.list = EntryList(theme, self.model, self._delegate, words)
        self.list.setObjectName("highlightList")
        self.list.setUniformItemSizes(False)  # each row is as high as its texts
        self.list.setResizeMode(RowList.ResizeMode.Adjust)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        MenuKey(self.list)
        self.bar = CardBar(theme, self.list.viewport())
        go = Button(tr("Choose a document"), theme=theme, icon="library")
        go.clicked.connect(self.library_wanted)
        self.empty = EmptyState(
            theme,
            "ph.highlighter-circle",
            tr("No highlights yet"),
            tr(
                "Select text in a document and choose a colour in the bar that appears. Highlights,"
                " notes and bookmarks are listed here, with document and page, and can be exported."
            ),
            buttons=[go],
        )
        column = cast(QVBoxLayout, self.empty.layout())
        self.drawing = HowToHighlight(theme)
        column.insertWidget(1, self.drawing, 0, Qt.AlignmentFlag.AlignHCenter)
        column.insertWidget(6, KeyList(KEYS), 0, Qt.AlignmentFlag.AlignHCenter)
        self.empty.icon.hide()
        nothing_clear = Button(tr("Clear filters"))
        nothing_clear.clicked.connect(self.clear_filters)
        self.nothing = EmptyState(
            theme, "search", tr("No highlights match the filters"), buttons=[nothing_clear]
        )
        self.skeleton = Skeleton(theme)
        self.stack = QStackedWidget()
        for page in (self.skeleton, self.list, self.nothing, self.empty):
            self.stack.addWidget(page)
        build_column(self.head, self.filters, (self.stack, 1), parent=self, spacing=0)

    def _connect(self) -> None:
        self.search.searched.connect(lambda _: self._filter())
        self.search.left_down.connect(lambda: go_to_list(self.list))
        self.filters.changed.connect(self._filter)
        self.filters.clear_button.clicked.connect(self.clear_filters)
        self.compact_button.toggled.connect(self._set_compact)
        self._selection.changed.connect(self._list_rows)
        self.order.activated.connect(lambda _: self._choose_order())
        self.export_button.clicked.connect(self._show_export_menu)
        self.fold_button.clicked.connect(self._fold_or_unfold_all)
        self.list.clicked.connect(self._click)
        self.list.activated.connect(self._open)
        self.list.customContextMenuRequested.connect(self._show_menu)
        self.list.selected.connect(self._select_row)
        self.list.folded.connect(self._fold_row)
        self.list.hovered.connect(lambda _: self._place_bar())
        self.list.selectionModel().currentChanged.connect(lambda *_: self._place_bar())
        self.list.verticalScrollBar().valueChanged.connect(lambda _: self._place_bar())
        self.list.installEventFilter(self)
        self.bar.wanted.connect(self._act_on_bar)
        self.bar.recolored.connect(lambda color: self._recolor(color, self._bar_entries()))
        self.selection.wanted.connect(self._act)
        self.selection.recolored.connect(self._recolor)
        self.selection.export_wanted.connect(lambda format: self._ask_where(format, chosen=True))
        self.selection.cleared.connect(self.clear_selection)
        for keys, name, words in (
            ("Del", "remove", tr("Remove the highlight")),
            ("Ctrl+C", "copy", tr("Copy the highlight with its citation")),
            ("F2", "note", tr("Edit the note")),
            ("T", "tags", tr("Edit the tags")),
            ("Ctrl+A", "all", tr("Select all highlights in the list")),
        ):
            add_shortcut(self.list, keys, partial(self._act, name), words)
        for number, (color, words) in enumerate(COLOR_WORDS.items(), 1):
            add_shortcut(
                self.list,
                str(number),
                partial(self._recolor, color),
                tr("Colour of the highlight: {color}", color=tr(words)),
            )
        KeyDescriptions(self.list, LIST_KEYS)
        add_shortcut(self.list, "E", self._unfold_current, tr("Show more or less of the highlight"))
        add_shortcut(self.list, "Esc", self.clear_selection, tr("End the selection"))
        add_shortcut(self, "Ctrl+F", self._find, tr("Search in highlights"))
        self._context.hub.changed.connect(self._on_change)
        self._context.theme.changed.connect(self.list.scheduleDelayedItemsLayout)
        self.filters.fill([], {})

    # --- loading ----------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self.refresh()

    def _on_change(self, change: ChangeNotice) -> None:
        if change.documents or change.collections:
            self._is_stale = True
            if self.isVisible():
                self.refresh()

    def refresh(self) -> None:
        """Load all entries; a change while loading loads them once more afterwards."""
        if self._is_loading:
            self._is_stale = True
            return
        self._is_loading, self._is_stale = True, False
        reader, marks = self._context.library_reader, self._context.annotations
        fetch = marks.fetch_pictures
        known = self._loaded.pictures

        def load() -> _Loaded:
            entries = reader.list_annotation_entries()
            areas = {
                entry.mark.id: entry.mark.area for entry in entries if entry.mark.area is not None
            }
            wanted = [i for i, area in areas.items() if i not in known or known[i][0] != area]
            pictures = {i: known[i] for i in areas.keys() & known.keys()}
            for at in range(0, len(wanted), BATCH):
                for i, png in fetch(wanted[at : at + BATCH]).items():
                    if (image := load_image(png, PICTURE.width())) is not None:
                        pictures[i] = areas[i], image
            noted = {entry.mark.document_id for entry in entries}
            members = reader.list_collection_members()
            return _Loaded(
                entries,
                {name: ids & noted for name, ids in members.items() if ids & noted},
                pictures,
                marks.list_tags(),
                distinguish_titles(reader.list_equal_titles()),
            )

        query = Query(self._context.reader_lane, load, owner=self)
        query.on_success(self._take).on_end(self._ended).run()

    def _ended(self) -> None:
        self._is_loading = False
        if self._is_stale and self.isVisible():
            self.refresh()

    def _take(self, loaded: _Loaded) -> None:
        self._loaded = loaded
        self._selection.keep({entry.mark.id for entry in loaded.entries})
        self._delegate.pictures.light = {i: image for i, (_, image) in loaded.pictures.items()}
        self._delegate.files = self.model.files = loaded.files
        self.filters.fill(loaded.entries, loaded.collections, loaded.files)
        self._filter()

    # --- filters ----------------------------------------------------------------------------

    @property
    def wanted(self) -> EntryFilter:
        """What the filters and the search ask for."""
        return self.filters.find_wanted(self.search.text())

    def clear_filters(self) -> None:
        """Show all entries."""
        self.filters.clear()
        self.search.clear()
        self._filter()

    def _filter(self) -> None:
        wanted = self.wanted
        if wanted != self._wanted_before:
            self._wanted_before, self._folded_in_filter = wanted, []
            self._delegate.mark_words(wanted.text)
        self._shown = [entry for entry in self._loaded.entries if wanted.fits(entry)]
        # what a filter hides is not acted on
        self._selection.keep({entry.mark.id for entry in self._shown})
        self._list_rows()

    @property
    def _is_filtered(self) -> bool:
        return self.wanted != EntryFilter()

    @property
    def _folded_keys(self) -> list[str]:
        """The folded groups; those that are remembered are open while filters narrow the list."""
        return self._folded_in_filter if self._is_filtered else self._folded

    def _list_rows(self) -> None:
        """Show the wanted entries, with the place in the list kept."""
        entries, shown, is_filtered = self._loaded.entries, self._shown, self._is_filtered
        current = self.list.currentIndex().data(ROW_ROLE)
        order = self.order.currentData() or DOCUMENT
        selected = self._selection.ids
        files = self._loaded.files
        rows = build_rows(shown, order, folded=self._folded_keys, selected=selected, files=files)
        if len(shown) < FEW and not is_filtered:
            rows.append(ListTip(tr(TIP)))
        if rows != self.model.rows:
            top = self.list.verticalScrollBar().value()
            self.model.show_rows(rows)
            if (at := _find_again(rows, current)) is not None:
                self.list.setCurrentIndex(self.model.index(at, 0))
            self.list.verticalScrollBar().setValue(top)
        self.filters.mark_active(narrows=is_filtered)
        groups = [row for row in rows if isinstance(row, EntryGroup)]
        all_folded = bool(groups) and all(group.folded for group in groups)
        words = tr("Unfold all groups") if all_folded else tr("Fold all groups")
        self.fold_button.set_tooltip(words)
        self.fold_button.set_icon(f"ph.arrows-{'out' if all_folded else 'in'}-line-vertical")
        self.fold_button.setEnabled(bool(groups))
        self.filters.setVisible(bool(entries))
        self._show_head(bool(selected), is_filtered=is_filtered)
        words = trn("{n} entry", "{n} entries", len(shown))
        if is_filtered:
            words = tr("{n} of {all}", n=len(shown), all=len(entries))
        self.count.setText(words if entries else "")
        had_focus = self.hasFocus()  # as long as nothing is listed
        self.stack.setCurrentWidget(self.list if shown else self.nothing if entries else self.empty)
        # Qt accepts None here, its stubs do not
        self.setFocusProxy(cast(QWidget, self.list if shown else None))
        if had_focus:
            self.setFocus()
        self.list.viewport().update()
        self._place_bar()

    def _show_head(self, is_selecting: bool, *, is_filtered: bool) -> None:
        """Show the title of the screen, or what can be done with the selected cards."""
        n_shown, has_entries = len(self._shown), bool(self._loaded.entries)
        number = format_number(n_shown)
        words = tr("Export {n} shown", n=number) if is_filtered else tr("Export all {n}", n=number)
        self._export_words = words if n_shown else tr("Export")
        self.export_button.setEnabled(bool(n_shown))
        self.selection.show_count(len(self._selection.ids), n_shown, is_filtered=is_filtered)
        self.head.mark_active(is_selecting)
        self.selection.setVisible(is_selecting)
        self._fit_head()
        for widget in (self.head.title, self.count):
            widget.setVisible(not is_selecting)
        self.export_button.setVisible(has_entries and not is_selecting)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_head()
        self.drawing.setVisible(self.height() >= self._context.theme.length(DRAWN_FROM))

    def _fit_head(self) -> None:
        """Hide the search field where the actions on selected cards need its room."""
        room = self.width() - HEAD_AROUND
        is_selecting = not self.selection.isHidden()
        beside = room - self._context.theme.length(SEARCH_LEAST) - HEAD_GAP
        has_room = not is_selecting or self.selection.fit(beside)
        if not has_room:
            self.selection.fit(room)
        left = (
            room - self.selection.sizeHint().width() - HEAD_GAP if is_selecting else SEARCH_WIDEST
        )
        # a wider field would cut the words of the bar; a wider bar would hold the window open
        self.search.setMaximumWidth(max(1, min(SEARCH_WIDEST, left)))
        self.search.setVisible(bool(self._loaded.entries) and has_room)
        for words in (self._export_words, tr("Export")):
            self.export_button.setText(words)
            self.export_button.setMinimumWidth(self.export_button.sizeHint().width())
            if self.head.minimumSizeHint().width() <= self.width():
                break

    def _set_compact(self, compact: bool) -> None:
        """Show cards with less room, or with more; the current one stays in view."""
        open_window_file().setValue(COMPACTED, compact)
        self._delegate.set_density(COMPACT if compact else ROOMY)
        self.list.doItemsLayout()
        self.list.scrollTo(self.list.currentIndex())
        self._place_bar()

    def _choose_order(self) -> None:
        self._delegate.order = self.order.currentData()
        open_window_file().setValue(ORDER, self.order.currentData())
        self._filter()
        self.list.scrollToTop()

    def _find(self) -> None:
        self.search.setFocus()
        self.search.selectAll()

    # --- groups -----------------------------------------------------------------------------

    def _fold_row(self, row: int, fold: bool | None) -> None:
        """Fold the group of a row, or unfold it; None for the other way round."""
        rows = self.model.rows
        while row >= 0 and not isinstance(rows[row], EntryGroup):
            row -= 1
        group = rows[row] if row >= 0 else None
        if isinstance(group, EntryGroup) and fold is not group.folded:
            self.list.setCurrentIndex(self.model.index(row, 0))
            self._set_folded({group.key}, fold=not group.folded)

    def _fold_or_unfold_all(self) -> None:
        groups = [row for row in self.model.rows if isinstance(row, EntryGroup)]
        fold = not all(group.folded for group in groups)
        self._set_folded({group.key for group in groups}, fold=fold)

    def _set_folded(self, keys: set[str], *, fold: bool) -> None:
        known = [key for key in self._folded_keys if key not in keys]
        known += sorted(keys) if fold else []
        if self._is_filtered:
            self._folded_in_filter = known
        else:
            self._folded = known[-MOST_FOLDED:]
            open_window_file().setValue(FOLDED, " ".join(self._folded))
        self._list_rows()

    # --- long texts -------------------------------------------------------------------------

    def _can_unfold(self, row: int) -> bool:
        entry, index = self.model.rows[row], self.model.index(row, 0)
        if not isinstance(entry, AnnotationEntry):
            return False
        card = self._delegate.card_rect(self.list.visualRect(index))
        return self._delegate.can_unfold(card, entry, index.data() or "")

    def _unfold(self, entry: AnnotationEntry) -> None:
        """Show the texts of a card whole, or cut again."""
        self._delegate.unfolded ^= {entry.mark.id}
        self.list.doItemsLayout()
        self.list.viewport().update()
        self._place_bar()

    def _unfold_current(self) -> None:
        row, entry = self.list.currentIndex().row(), self._current()
        if entry is not None and self._can_unfold(row):
            self._unfold(entry)
            self.list.scrollTo(self.model.index(row, 0))

    # --- selection --------------------------------------------------------------------------

    @property
    def selected_entries(self) -> list[AnnotationEntry]:
        """The selected entries, by document and place."""
        return [entry for entry in self._shown if entry.mark.id in self._selection.ids]

    def _select_row(self, row: int, up_to: bool) -> None:
        """Select a card or a group or end that; or select all from the last card up to it."""
        entry = self.model.rows[row]
        if isinstance(entry, EntryGroup):
            self._select_group(entry)
        elif isinstance(entry, AnnotationEntry) and up_to:
            current, listed = self._current(), [one.mark.id for one in self.model.entries]
            start = current.mark.id if current is not None else None
            self._selection.select_up_to(entry.mark.id, listed, start)
        elif isinstance(entry, AnnotationEntry):
            self._selection.toggle(entry.mark.id)

    def _select_group(self, group: EntryGroup) -> None:
        """Select all entries of a group; if they all are, end that."""
        self._selection.toggle_all({entry.mark.id for entry in self._find_members(group)})

    def select(self, entries: Sequence[AnnotationEntry]) -> None:
        """Select the cards of these entries too."""
        self._selection.add({entry.mark.id for entry in entries})

    def clear_selection(self) -> None:
        self._selection.clear()

    # --- the actions on a card --------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut, QEvent.Type.Resize):
            self._place_bar()
        return False

    def _place_bar(self) -> None:
        """Put the actions on the card under the pointer, else on the current one with the focus."""
        row = self.list.hovered_row
        focus = QApplication.focusWidget()
        has_focus = focus is not None and (focus is self.list or self.bar.isAncestorOf(focus))
        if row < 0 and has_focus:
            row = self.list.currentIndex().row()
        entry = self.model.rows[row] if 0 <= row < len(self.model.rows) else None
        before = self._delegate.bar_id
        if not isinstance(entry, AnnotationEntry) or self._selection.ids:
            self.bar.hide()
            self._delegate.bar_id = None
        else:
            self._delegate.bar_id = entry.mark.id
            card = self._delegate.card_rect(self.list.visualRect(self.model.index(row, 0)))
            has_link = self._delegate.density.has_links
            is_whole = entry.mark.id in self._delegate.unfolded
            self.bar.show_entry(
                entry, is_cut=not has_link and self._can_unfold(row), is_whole=is_whole
            )
            size = self.bar.sizeHint()
            self._delegate.bar = QRect(
                card.right() - BAR_RIGHT - size.width(),
                card.bottom() - self._delegate.density.bar_foot - size.height(),
                size.width(),
                size.height(),
            )
            self.bar.setGeometry(self._delegate.bar)
            self.bar.show()
        if before != self._delegate.bar_id:
            self.list.viewport().update()

    def _bar_entries(self) -> list[AnnotationEntry]:
        """Return the entry on whose card the actions are."""
        known = (entry for entry in self.model.entries if entry.mark.id == self._delegate.bar_id)
        return list(known)[:1]

    def _act_on_bar(self, name: str) -> None:
        if entries := self._bar_entries():
            self.list.setCurrentIndex(self.model.index(self.model.rows.index(entries[0]), 0))
            self._act(name, entries)

    # --- actions ----------------------------------------------------------------------------

    def _current(self) -> AnnotationEntry | None:
        index = self.list.currentIndex()
        row = index.data(ROW_ROLE) if index.isValid() else None
        return row if isinstance(row, AnnotationEntry) else None

    def _targets(self) -> list[AnnotationEntry]:
        """Return the selected entries, or the current one."""
        current = self._current()
        return self.selected_entries or ([current] if current is not None else [])

    def _click(self, index: QModelIndex) -> None:
        """Open a card; or select or unfold it, fold or select its group, or filter by a tag."""
        row, entry = index.row(), index.data(ROW_ROLE)
        if isinstance(entry, EntryGroup):
            title = self._delegate.card_rect(self.list.visualRect(index))
            box = self._delegate.group_check_rect(title).adjusted(-3, -4, 3, 4)
            if box.contains(self.list.pressed_at):
                self._select_group(entry)
            else:
                self._fold_row(row, None)
            return
        if not isinstance(entry, AnnotationEntry):
            return
        keys, point = Qt.KeyboardModifier, self.list.pressed_at
        card = self._delegate.card_rect(self.list.visualRect(index))
        is_on_edge = point.x() < card.left() + LEFT
        if self.list.pressed_with & keys.ShiftModifier:
            self._select_row(row, True)
        elif self.list.pressed_with & keys.ControlModifier or is_on_edge:
            self._select_row(row, False)
        elif self._delegate.places(card, entry, index.data() or "").more.contains(point):
            self._unfold(entry)
        elif tag := self._find_tag(card, entry, point):
            self.filters.tag.setCurrentIndex(self.filters.tag.findData(tag))
        elif self._selection.ids:
            self._select_row(row, False)
        else:
            self._open(index)

    def _find_tag(self, card: QRect, entry: AnnotationEntry, point: QPoint) -> str:
        """Return the tag at a point of a card."""
        if not entry.mark.tags:
            return ""
        quote = self.model.describe(entry, Qt.ItemDataRole.DisplayRole) or ""
        line = self._delegate.places(card, entry, quote).tags
        return find_tag(self._context.theme, entry.mark.tags, line, point)

    def _open(self, index: QModelIndex) -> None:
        entry = index.data(ROW_ROLE)
        if isinstance(entry, AnnotationEntry):
            self._open_entry(entry)

    def _open_entry(self, entry: AnnotationEntry) -> None:
        self.open_passage.emit(entry.mark.document_id, entry.mark.start, entry.mark.end)

    def _act(self, name: str, entries: Sequence[AnnotationEntry] = ()) -> None:
        """Run an action on entries, or on the selected ones."""
        entries = entries or self._targets()
        if name == "all":
            self.select(self._shown)
        elif not entries:
            return
        elif name == "unfold":
            self._unfold(entries[0])
        elif name == "open":
            self._open_entry(entries[0])
        elif name == "copy":
            self._copy(entries)
        elif name == "remove":
            self._remove(entries)
        elif name == "note":
            self.edit_note(entries[0])
        elif name == "tags":
            self.edit_tags(entries)

    def build_menu(self, entry: AnnotationEntry) -> QMenu:
        """Return the context menu of an entry; while several are selected, of all of them."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        mark, is_selected = entry.mark, entry.mark.id in self._selection.ids
        entries = self.selected_entries if is_selected else [entry]
        is_one = len(entries) == 1

        def add(words: str, keys: str, act: Callable[[], object]) -> None:
            action = menu.addAction(words)
            action.setShortcut(QKeySequence(keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)  # displayed only
            action.triggered.connect(lambda: act())

        if is_one:
            add(tr("Open in the reader"), "Enter", lambda: self._open_entry(entry))
        copies = tr("Copy picture") if is_one and mark.area else tr("Copy with citation")
        add(copies, "Ctrl+C", lambda: self._copy(entries))
        menu.addSeparator()
        if any(one.mark.kind == "highlight" for one in entries):
            colors = build_color_menu(
                self._context.theme, menu, lambda color: self._recolor(color, entries)
            )
            colors.setTitle(tr("Colour"))
            menu.addMenu(colors)
        if is_one:
            words = tr("Edit note…") if mark.note else tr("Add note…")
            add(words, "F2", lambda: self.edit_note(entry))
        add(tr("Tags…"), "T", lambda: self.edit_tags(entries))
        menu.addSeparator()
        row = self.model.rows.index(entry)
        if is_one and self._can_unfold(row):
            is_whole = mark.id in self._delegate.unfolded
            add(tr("Show less") if is_whole else tr("Show more"), "E", lambda: self._unfold(entry))
        words = tr("End the selection of this") if is_selected else tr("Select")
        add(words, "Space", lambda: self._select_row(row, False))
        if is_one:
            box = self.filters.document
            only = box.findData(mark.document_id)
            add(tr("Only this document"), "", lambda: box.setCurrentIndex(only))
        menu.addSeparator()
        add(tr("Remove"), "Del", lambda: self._remove(entries))
        return menu

    def build_group_menu(self, row: int) -> QMenu:
        """Return the context menu of the title of a group."""
        group = self.model.rows[row]
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        words = tr("Unfold") if group.folded else tr("Fold")
        menu.addAction(words).triggered.connect(lambda: self._fold_row(row, None))
        menu.addAction(self.fold_button.accessibleName()).triggered.connect(
            self._fold_or_unfold_all
        )
        menu.addSeparator()
        words = trn("Select {n} entry", "Select {n} entries", group.count)
        menu.addAction(words).triggered.connect(lambda: self.select(self._find_members(group)))
        return menu

    def _find_members(self, group: EntryGroup) -> list[AnnotationEntry]:
        """Return the entries of a group, also of a folded one."""
        order = self.order.currentData() or DOCUMENT
        rows = build_rows(self._shown, order, files=self._loaded.files)
        keys = [row.key if isinstance(row, EntryGroup) else "" for row in rows]
        at = keys.index(group.key) + 1
        return [row for row in rows[at : at + group.count] if isinstance(row, AnnotationEntry)]

    def _show_menu(self, point: QPoint) -> None:
        index = self.list.indexAt(point)
        row, where = index.data(ROW_ROLE), self.list.viewport().mapToGlobal(point)
        if isinstance(row, AnnotationEntry):
            self.build_menu(row).popup(where)
        elif isinstance(row, EntryGroup):
            self.build_group_menu(index.row()).popup(where)

    def _copy(self, entries: Sequence[AnnotationEntry]) -> None:
        """Copy quotations with their citations, or the picture of a single area."""
        messages = self._context.messages
        if len(entries) == 1 and entries[0].mark.area is not None:
            mark_id = entries[0].mark.id

            def take(found: dict[int, bytes]) -> None:
                if (image := load_image(found.get(mark_id, b""))) is not None:
                    QGuiApplication.clipboard().setImage(image)
                    messages.show(tr("Picture copied."), kind="ok")

            fetch = self._context.annotations.fetch_pictures
            query = Query(self._context.reader_lane, fetch, [mark_id], owner=self)
            query.on_success(take).run()
            return
        QGuiApplication.clipboard().setText("\n\n".join(map(cite_entry, entries)))
        n = len(entries)
        words = trn("{n} entry copied with its citation.", "{n} entries copied with citations.", n)
        messages.show(tr("Copied with citation.") if n == 1 else words, kind="ok")

    def _recolor(self, color: str, entries: Sequence[AnnotationEntry] = ()) -> None:
        found = [n for n in entries or self._targets() if n.mark.kind == "highlight"]
        changed = [entry.mark.id for entry in found if entry.mark.color != color]
        if not changed:
            return
        service, n = self._context.annotations, len(changed)
        words = trn("Colour of {n} highlight changed", "Colour of {n} highlights changed", n)
        # the colour of a single one is seen
        self._edits.run(service.recolor, changed, color, message=words if n > 1 else "")

    def _remove(self, entries: Sequence[AnnotationEntry]) -> None:
        service = self._context.annotations
        if len(entries) == 1:
            is_bookmark = entries[0].mark.kind == "bookmark"
            message = tr("Bookmark removed") if is_bookmark else tr("Highlight removed")
            self._edits.run(service.remove, entries[0].mark.id, message=message)
        elif entries:
            ids = [entry.mark.id for entry in entries]
            message = trn("{n} entry removed", "{n} entries removed", len(ids))
            self._edits.run(service.remove_many, ids, message=message)

    def edit_note(self, entry: AnnotationEntry, *, tags: bool = False) -> None:
        """Open the card of an entry, its colour and tags, to write a note or `tags`."""
        card = AnnotationCard(
            self._context.theme,
            entry.mark,
            self,
            known_tags=self._loaded.tags,
            can_ask=False,
        )
        change = self._context.annotations.change
        card.changed.connect(
            lambda mark_id, color, words, tags, session: self._edits.run(
                change, mark_id, color=color, note=words, tags=tags, session=session
            )
        )
        card.removed.connect(lambda _: self._remove([entry]))
        card.copied.connect(lambda _: self._copy([entry]))
        self._show_card(card, entry)
        (card.tags.field if tags else card.note).setFocus()

    def edit_tags(self, entries: Sequence[AnnotationEntry]) -> None:
        """Open the card of the tags of an entry, or of several."""
        if len(entries) == 1:
            self.edit_note(entries[0], tags=True)
            return
        card = TagsCard(
            self._context.theme, [entry.mark for entry in entries], self, self._loaded.tags
        )
        ids, tag = [entry.mark.id for entry in entries], self._context.annotations.tag
        words = trn("Tags of {n} entry changed", "Tags of {n} entries changed", len(ids))
        card.changed.connect(
            lambda add, drop: self._edits.run(tag, ids, add=add, drop=drop, message=words)
        )
        self._show_card(card, None)
        card.tags.field.setFocus()

    def _show_card(self, card: AnnotationCard | TagsCard, entry: AnnotationEntry | None) -> None:
        """Show a popup card below that of an entry, or below the actions on selected ones."""
        self.card = card
        card.closed.connect(self._forget_card)
        where = self.selection.tags.mapToGlobal(self.selection.tags.rect().bottomLeft())
        if entry is not None:
            index = self.model.index(self.model.rows.index(entry), 0)
            self.list.scrollTo(index)
            row = self._delegate.card_rect(self.list.visualRect(index))
            foot = QPoint(row.right() - card.width() + CARD_INSET, row.bottom() - CARD_RISE)
            where = self.list.viewport().mapToGlobal(foot)
        card.show_at(where)

    def _forget_card(self) -> None:
        self.card = None

    def save_changes(self) -> None:
        """Close the open card, which stores what was typed in it, before the window closes."""
        if self.card is not None:
            self.card.close_card()

    def build_export_menu(self) -> QMenu:
        """Return the menu of formats."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for words, format in EXPORTS:
            menu.addAction(tr(words)).triggered.connect(self._exporter(format))
        return menu

    def _exporter(self, format: str) -> Callable[[], None]:
        return lambda: self._ask_where(format)

    def _show_export_menu(self) -> None:
        button = self.export_button
        self.build_export_menu().popup(button.mapToGlobal(button.rect().bottomLeft()))

    def _ask_where(self, format: str, *, chosen: bool = False) -> None:
        """Ask for a file and write the shown entries to it, or the selected ones."""
        suffix = SUFFIXES[format]
        start = make_file_name(tr("Highlights and notes"), "notes") + suffix
        title, kind = tr("Export highlights"), f"*{suffix}"
        if path := ask_where_to_save(self, title, start, kind):
            self.write(path, format, self.selected_entries if chosen else None)

    def write(
        self, path: Path, format: str, entries: Sequence[AnnotationEntry] | None = None
    ) -> None:
        """Write entries to a file, by document and place; None for those that are shown."""
        entries = list(self._shown if entries is None else entries)
        words = entry_words()

        def done(n: int) -> None:
            text = trn(
                "{n} note written to “{file}”.",
                "{n} notes written to “{file}”.",
                n,
                file=path.name,
            )
            self._context.messages.show(text, kind="ok")

        fetch = self._context.annotations.fetch_pictures
        ids = [entry.mark.id for entry in entries if entry.mark.area is not None]

        def export() -> int:
            return export_entries(entries, path, format, words, fetch(ids) if ids else {})

        Query(self._context.reader_lane, export, owner=self).on_success(done).run()


def _find_again(rows: Sequence[ListRow], current: object) -> int | None:
    """Return the place of an entry or a group among other rows."""
    name = _name_row(current)
    names = [_name_row(row) for row in rows]
    return names.index(name) if name is not None and name in names else None


def _name_row(row: object) -> int | str | None:
    if isinstance(row, AnnotationEntry):
        return row.mark.id
    return row.key if isinstance(row, EntryGroup) else None
