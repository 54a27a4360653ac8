"""The highlights screen: all highlights, bookmarks and notes of the library, filtered and exported.

Owns what is listed, the filters, which groups are folded and which cards are selected. A click
opens the place in the reader, unless cards are selected: then it selects.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import cast

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPoint,
    QRect,
    QSettings,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QGuiApplication,
    QIcon,
    QImage,
    QKeySequence,
    QPainter,
    QPixmap,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QMenu,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine import paths
from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.file_names import make_file_name
from desktop_app.engine.services.annotations import Area
from desktop_app.engine.services.library_notes import (
    SUFFIXES,
    LibraryNote,
    NoteFilter,
    cite_note,
    export_notes,
)
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..editing.annotation_card import AnnotationCard, TagsCard
from ..editing.edits import EditRunner
from ..translation import later, tr, trn
from ..widgets import (
    Button,
    CheckBox,
    EmptyState,
    Flow,
    IconButton,
    Label,
    SearchField,
    Skeleton,
    ToolbarRow,
    build_column,
)
from ..widgets.area_pictures import load_image
from ..widgets.buttons import KeyDescriptions, add_shortcut
from ..widgets.fields import ChoiceBox, go_to_list
from ..widgets.menus import MenuKey
from ..widgets.note_colors import COLOR_WORDS, note_ink
from ..widgets.save_dialog import ask_where_to_save
from ..widgets.tables import ROW_ROLE, RowList
from ..widgets.tag_chips import find_tag
from .bars import EXPORTS, CardBar, SelectionBar, build_color_menu
from .how_to import HowToHighlight, KeyList
from .list import (
    BAR_FOOT,
    DOCUMENT,
    FEW,
    LEFT,
    ORDERS,
    PICTURE,
    HighlightDelegate,
    ListRow,
    ListTip,
    NoteGroup,
    NoteList,
    NotesModel,
    build_rows,
    note_words,
)

CHOICE_CHARS = 12
ORDER = "highlights/order"  # not shown: of the settings of this computer
FOLDED = "highlights/folded"  # not shown
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


BAR_RIGHT = 8  # pixels from the right edge of a card to its actions
CARD_INSET, CARD_RISE = 16, 14  # pixels by which a popup card is over the card of a note


@dataclass(frozen=True, slots=True)
class _Loaded:
    """All notes, the documents of each collection that has some, areas with pictures, and tags."""

    notes: list[LibraryNote]
    collections: dict[str, frozenset[int]]
    pictures: dict[int, tuple[Area, QImage]]
    tags: Sequence[str] = ()  # of highlights and documents


def _settings() -> QSettings:
    return QSettings(str(paths.data_dir() / "window.ini"), QSettings.Format.IniFormat)


def _load_order() -> str:
    return str(_settings().value(ORDER, DOCUMENT))


def _load_folded() -> list[str]:
    return str(_settings().value(FOLDED, "")).split()


class HighlightsScreen(QWidget):
    """Lists the highlights and notes of the open library."""

    open_passage = Signal(int, int, int)
    library_wanted = Signal()

    def __init__(self, context: SessionContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._edits = EditRunner(context, self)
        self._loaded = _Loaded([], {}, {})
        self._shown: list[LibraryNote] = []  # by document and place
        self._wanted_before = NoteFilter()
        self._is_stale = True
        self._is_loading = False
        self._folded = _load_folded()  # keys of groups, those folded last at the end
        self._folded_in_filter: list[str] = []  # while filters narrow the list: forgotten with them
        self._last_selected: int | None = None  # annotation, from which Shift selects
        self.card: AnnotationCard | TagsCard | None = None
        self.setMinimumSize(320, 240)
        self._build()
        self._connect()

    def _build(self) -> None:
        theme = self._context.theme
        bar = ToolbarRow(tr("Highlights"))
        self.count = Label("", "small")
        self.search = SearchField(theme, tr("Search in highlights and notes"), short=tr("Find"))
        self.search.setMaximumWidth(320)
        self.export_button = Button(tr("Export…"), theme=theme, icon="export", icon_alone=True)
        bar.add(self.count)
        bar.add_stretch()
        bar.add(self.search, 4)
        bar.add(self.export_button)
        self.document, self.collection = (
            self._add_choice(tr("Document")),
            self._add_choice(tr("Collection")),
        )
        self.tag, self.color = self._add_choice(tr("Tag")), self._add_choice(tr("Colour"))
        self.with_note = CheckBox(tr("With a note"))
        self.clear_button = Button(tr("Clear filters"), kind="quiet")
        self.order = ChoiceBox()
        self.order.setAccessibleName(tr("Order"))
        policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self.order.setSizeAdjustPolicy(policy)
        self.order.setMinimumContentsLength(CHOICE_CHARS)
        self.order.setToolTip(tr("Order of the list"))
        for order, words in ORDERS.items():
            self.order.addItem(theme.icon("ph.sort-ascending", color="text2"), tr(words), order)
        self.order.setCurrentIndex(max(0, self.order.findData(_load_order())))
        filters = Flow(gap=8)
        self.fold_button = IconButton(theme, "ph.arrows-in-line-vertical", tr("Fold all groups"))
        filters.add(self.order, self.fold_button)
        filters.add(self.document, self.collection, self.tag, self.color)
        filters.add(self.with_note, self.clear_button)
        self.filters = QWidget()
        build_column(filters, parent=self.filters, margins=(16, 8, 16, 8))
        self.model = NotesModel(self)
        self._delegate = HighlightDelegate(theme)
        self._delegate.order = _load_order()
        words = tr("Highlights and notes")
        self.list = NoteList(theme, self.model, self._delegate, words)
        self.list.setObjectName("highlightList")
        self.list.setUniformItemSizes(False)  # each row is as high as its texts
        self.list.setResizeMode(RowList.ResizeMode.Adjust)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        MenuKey(self.list)
        self.bar = CardBar(theme, self.list.viewport())
        self.selection = SelectionBar(theme)
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
        column.insertWidget(1, HowToHighlight(theme), 0, Qt.AlignmentFlag.AlignHCenter)
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
        self.setFocusProxy(self.list)
        build_column(bar, self.filters, self.selection, (self.stack, 1), parent=self, spacing=0)

    def _add_choice(self, name: str) -> ChoiceBox:
        box = ChoiceBox()
        box.setAccessibleName(name)
        policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        box.setSizeAdjustPolicy(policy)  # so that boxes stay where they are
        box.setMinimumContentsLength(CHOICE_CHARS)
        box.currentIndexChanged.connect(lambda _: self._filter())
        return box

    def _connect(self) -> None:
        self.search.searched.connect(lambda _: self._filter())
        self.search.left_down.connect(lambda: go_to_list(self.list))
        self.with_note.toggled.connect(lambda _: self._filter())
        self.order.activated.connect(lambda _: self._choose_order())
        self.clear_button.clicked.connect(self.clear_filters)
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
        self.bar.recolored.connect(lambda color: self._recolor(color, self._bar_notes()))
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
        self._context.theme.changed.connect(lambda: self._fill_colors(self.color.currentData()))
        self._context.theme.changed.connect(self.list.scheduleDelayedItemsLayout)
        self._fill_choices()

    # --- loading ----------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self.refresh()

    def _on_change(self, change: ChangeSet) -> None:
        if change.documents or change.collections:
            self._is_stale = True
            if self.isVisible():
                self.refresh()

    def refresh(self) -> None:
        """Load all notes; a change while loading loads them once more afterwards."""
        if self._is_loading:
            self._is_stale = True
            return
        self._is_loading, self._is_stale = True, False
        reader, marks = self._context.library_reader, self._context.annotations
        fetch = marks.fetch_pictures
        known = self._loaded.pictures

        def load() -> _Loaded:
            notes = reader.list_notes()
            areas = {note.mark.id: note.mark.area for note in notes if note.mark.area is not None}
            wanted = [i for i, area in areas.items() if i not in known or known[i][0] != area]
            pictures = {i: known[i] for i in areas.keys() & known.keys()}
            for at in range(0, len(wanted), BATCH):
                for i, png in fetch(wanted[at : at + BATCH]).items():
                    if (image := load_image(png, PICTURE.width())) is not None:
                        pictures[i] = areas[i], image
            noted = {note.mark.document_id for note in notes}
            members = reader.list_collection_members()
            return _Loaded(
                notes,
                {name: ids & noted for name, ids in members.items() if ids & noted},
                pictures,
                marks.list_tags(),
            )

        query = Query(self._context.reader_lane, load, owner=self)
        query.on_success(self._take).on_end(self._ended).run()

    def _ended(self) -> None:
        self._is_loading = False
        if self._is_stale and self.isVisible():
            self.refresh()

    def _take(self, loaded: _Loaded) -> None:
        self._loaded = loaded
        self._delegate.selected &= {note.mark.id for note in loaded.notes}
        self._delegate.pictures.light = {i: image for i, (_, image) in loaded.pictures.items()}
        self._fill_choices()
        self._filter()

    # --- filters ----------------------------------------------------------------------------

    def _fill_choices(self) -> None:
        notes = self._loaded.notes
        titles = {note.mark.document_id: note.reference.title for note in notes}
        own = {tag.casefold(): tag for note in notes for tag in note.mark.tags}
        shared = {tag.casefold(): tag for note in notes for tag in note.reference.tags}
        tags = [own[key] for key in sorted(own)]
        tags += [shared[key] for key in sorted(shared.keys() - own.keys())]
        collections = self._loaded.collections
        self._fill(self.document, tr("All documents"), [(t, i) for i, t in titles.items()])
        self._fill(self.collection, tr("All collections"), [(n, n) for n in sorted(collections)])
        self._fill(self.tag, tr("All tags"), [(tag, tag) for tag in tags])
        for place in range(1, self.tag.count()):
            is_own = self.tag.itemData(place).casefold() in own
            icon = "ph.tag" if is_own else "document"
            self.tag.setItemIcon(place, self._context.theme.icon(icon, color="text2"))
            if not is_own:
                words = tr("Tag of documents")
                self.tag.setItemData(place, words, Qt.ItemDataRole.ToolTipRole)
        self._fill_colors(self.color.currentData())
        self.collection.setEnabled(bool(collections))
        self.tag.setEnabled(bool(tags))

    @staticmethod
    def _fill(box: QComboBox, every: str, choices: Sequence[tuple[str, object]]) -> None:
        chosen = box.currentData()
        box.blockSignals(True)
        box.clear()
        box.addItem(every, None)
        for text, value in choices:
            box.addItem(text, value)
            box.setItemData(box.count() - 1, text, Qt.ItemDataRole.ToolTipRole)
        box.setCurrentIndex(max(0, box.findData(chosen)) if chosen is not None else 0)
        box.blockSignals(False)

    def _fill_colors(self, chosen: object) -> None:
        box = self.color
        choices = [(tr(words), color) for color, words in COLOR_WORDS.items()]
        self._fill(box, tr("All colours"), [*choices, (tr("Bookmarks"), "bookmark")])
        for place, color in enumerate(COLOR_WORDS, 1):
            box.setItemIcon(place, self._draw_swatch(color))

    def _draw_swatch(self, color: str) -> QIcon:
        picture = QPixmap(14, 14)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(note_ink(self._context.theme.tokens, color))
        painter.drawEllipse(2, 2, 10, 10)
        painter.end()
        return QIcon(picture)

    @property
    def wanted(self) -> NoteFilter:
        """What the filters ask for."""
        documents: frozenset[int] | None = None
        if (document := self.document.currentData()) is not None:
            documents = frozenset({document})
        if (collection := self.collection.currentData()) is not None:
            members = self._loaded.collections.get(collection, frozenset())
            documents = members if documents is None else documents & members
        return NoteFilter(
            text=self.search.text().strip(),
            document_ids=documents,
            tag=self.tag.currentData() or "",
            color=self.color.currentData() or "",
            with_note=self.with_note.isChecked(),
        )

    def clear_filters(self) -> None:
        """Show all notes."""
        for box in (self.document, self.collection, self.tag, self.color):
            box.setCurrentIndex(0)
        self.with_note.setChecked(False)
        self.search.clear()
        self._filter()

    def _filter(self) -> None:
        wanted = self.wanted
        if wanted != self._wanted_before:
            self._wanted_before, self._folded_in_filter = wanted, []
        self._shown = [note for note in self._loaded.notes if wanted.fits(note)]
        # what a filter hides is not acted on
        self._delegate.selected &= {note.mark.id for note in self._shown}
        self._list_rows()

    @property
    def _is_filtered(self) -> bool:
        return self.wanted != NoteFilter()

    @property
    def _folded_keys(self) -> list[str]:
        """The folded groups; those that are remembered are open while filters narrow the list."""
        return self._folded_in_filter if self._is_filtered else self._folded

    def _list_rows(self) -> None:
        """Show the wanted notes, with the place in the list kept."""
        notes, shown, is_filtered = self._loaded.notes, self._shown, self._is_filtered
        current = self.list.currentIndex().data(ROW_ROLE)
        order = self.order.currentData() or DOCUMENT
        selected = self._delegate.selected
        rows = build_rows(shown, order, folded=self._folded_keys, selected=selected)
        if len(shown) < FEW and not is_filtered:
            rows.append(ListTip(tr(TIP)))
        if rows != self.model.rows:
            top = self.list.verticalScrollBar().value()
            self.model.show_rows(rows)
            if (at := _find_again(rows, current)) is not None:
                self.list.setCurrentIndex(self.model.index(at, 0))
            self.list.verticalScrollBar().setValue(top)
        self.clear_button.setVisible(is_filtered)
        for box in (self.document, self.collection, self.tag, self.color):
            box.mark_active(box.currentData() is not None)
        groups = [row for row in rows if isinstance(row, NoteGroup)]
        all_folded = bool(groups) and all(group.folded for group in groups)
        words = tr("Unfold all groups") if all_folded else tr("Fold all groups")
        self.fold_button.set_tooltip(words)
        self.fold_button.set_icon(f"ph.arrows-{'out' if all_folded else 'in'}-line-vertical")
        self.fold_button.setEnabled(bool(groups))
        self.filters.setVisible(bool(notes) and not selected)
        self.selection.setVisible(bool(selected))
        self.selection.show_count(len(selected), len(shown))
        self.search.setVisible(bool(notes))
        self.export_button.setVisible(bool(notes))
        self.export_button.setEnabled(bool(shown))
        words = trn("{n} entry", "{n} entries", len(shown))
        if is_filtered:
            words = tr("{n} of {all}", n=len(shown), all=len(notes))
        self.count.setText(words if notes else "")
        self.stack.setCurrentWidget(self.list if shown else self.nothing if notes else self.empty)
        self.list.viewport().update()
        self._place_bar()

    def _choose_order(self) -> None:
        self._delegate.order = self.order.currentData()
        _settings().setValue(ORDER, self.order.currentData())
        self._filter()
        self.list.scrollToTop()

    def _find(self) -> None:
        self.search.setFocus()
        self.search.selectAll()

    # --- groups -----------------------------------------------------------------------------

    def _fold_row(self, row: int, fold: bool | None) -> None:
        """Fold the group of a row, or unfold it; None for the other way round."""
        rows = self.model.rows
        while row >= 0 and not isinstance(rows[row], NoteGroup):
            row -= 1
        group = rows[row] if row >= 0 else None
        if isinstance(group, NoteGroup) and fold is not group.folded:
            self.list.setCurrentIndex(self.model.index(row, 0))
            self._set_folded({group.key}, fold=not group.folded)

    def _fold_or_unfold_all(self) -> None:
        groups = [row for row in self.model.rows if isinstance(row, NoteGroup)]
        fold = not all(group.folded for group in groups)
        self._set_folded({group.key for group in groups}, fold=fold)

    def _set_folded(self, keys: set[str], *, fold: bool) -> None:
        known = [key for key in self._folded_keys if key not in keys]
        known += sorted(keys) if fold else []
        if self._is_filtered:
            self._folded_in_filter = known
        else:
            self._folded = known[-MOST_FOLDED:]
            _settings().setValue(FOLDED, " ".join(self._folded))
        self._list_rows()

    # --- long texts -------------------------------------------------------------------------

    def _can_unfold(self, row: int) -> bool:
        note, index = self.model.rows[row], self.model.index(row, 0)
        if not isinstance(note, LibraryNote):
            return False
        card = self._delegate.card_rect(self.list.visualRect(index))
        return self._delegate.can_unfold(card, note, index.data() or "")

    def _unfold(self, note: LibraryNote) -> None:
        """Show the texts of a card whole, or cut again."""
        self._delegate.unfolded ^= {note.mark.id}
        self.list.doItemsLayout()
        self.list.viewport().update()
        self._place_bar()

    def _unfold_current(self) -> None:
        row, note = self.list.currentIndex().row(), self._current()
        if note is not None and self._can_unfold(row):
            self._unfold(note)
            self.list.scrollTo(self.model.index(row, 0))

    # --- selection --------------------------------------------------------------------------

    @property
    def selected_notes(self) -> list[LibraryNote]:
        """The selected notes, by document and place."""
        return [note for note in self._shown if note.mark.id in self._delegate.selected]

    def _select_row(self, row: int, up_to: bool) -> None:
        """Select a card or a group or end that; or select all from the last card up to it."""
        note = self.model.rows[row]
        if isinstance(note, NoteGroup):
            self._select_group(note)
        if not isinstance(note, LibraryNote):
            return
        selected, last = self._delegate.selected, self._last_selected
        ids = [one.mark.id if isinstance(one, LibraryNote) else 0 for one in self.model.rows]
        if up_to:
            if last not in ids:
                current = self._current()
                last = current.mark.id if current is not None else note.mark.id
            first, end = sorted((ids.index(last), row))
            selected |= {i for i in ids[first : end + 1] if i}
            self._last_selected = last
        else:
            selected ^= {note.mark.id}
            self._last_selected = note.mark.id
        self._list_rows()

    def _select_group(self, group: NoteGroup) -> None:
        """Select all entries of a group; if they all are, end that."""
        ids = {note.mark.id for note in self._find_members(group)}
        if ids <= self._delegate.selected:
            self._delegate.selected -= ids
        else:
            self._delegate.selected |= ids
        self._list_rows()

    def select(self, notes: Sequence[LibraryNote]) -> None:
        """Select the cards of these notes too."""
        self._delegate.selected |= {note.mark.id for note in notes}
        self._list_rows()

    def clear_selection(self) -> None:
        self._delegate.selected.clear()
        self._last_selected = None
        self._list_rows()

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
        note = self.model.rows[row] if 0 <= row < len(self.model.rows) else None
        before = self._delegate.bar_id
        if not isinstance(note, LibraryNote) or self._delegate.selected:
            self.bar.hide()
            self._delegate.bar_id = None
        else:
            self._delegate.bar_id = note.mark.id
            self.bar.show_note(note)
            card = self._delegate.card_rect(self.list.visualRect(self.model.index(row, 0)))
            size = self.bar.sizeHint()
            self._delegate.bar = QRect(
                card.right() - BAR_RIGHT - size.width(),
                card.bottom() - BAR_FOOT - size.height(),
                size.width(),
                size.height(),
            )
            self.bar.setGeometry(self._delegate.bar)
            self.bar.show()
        if before != self._delegate.bar_id:
            self.list.viewport().update()

    def _bar_notes(self) -> list[LibraryNote]:
        """Return the note on whose card the actions are."""
        known = (note for note in self.model.notes if note.mark.id == self._delegate.bar_id)
        return list(known)[:1]

    def _act_on_bar(self, name: str) -> None:
        if notes := self._bar_notes():
            self.list.setCurrentIndex(self.model.index(self.model.rows.index(notes[0]), 0))
            self._act(name, notes)

    # --- actions ----------------------------------------------------------------------------

    def _current(self) -> LibraryNote | None:
        index = self.list.currentIndex()
        row = index.data(ROW_ROLE) if index.isValid() else None
        return row if isinstance(row, LibraryNote) else None

    def _targets(self) -> list[LibraryNote]:
        """Return the selected notes, or the current one."""
        current = self._current()
        return self.selected_notes or ([current] if current is not None else [])

    def _click(self, index: QModelIndex) -> None:
        """Open a card; or select or unfold it, fold or select its group, or filter by a tag."""
        row, note = index.row(), index.data(ROW_ROLE)
        if isinstance(note, NoteGroup):
            title = self._delegate.card_rect(self.list.visualRect(index))
            box = self._delegate.group_check_rect(title).adjusted(-3, -4, 3, 4)
            if box.contains(self.list.pressed_at):
                self._select_group(note)
            else:
                self._fold_row(row, None)
            return
        if not isinstance(note, LibraryNote):
            return
        keys, point = Qt.KeyboardModifier, self.list.pressed_at
        card = self._delegate.card_rect(self.list.visualRect(index))
        is_on_edge = point.x() < card.left() + LEFT
        if self.list.pressed_with & keys.ShiftModifier:
            self._select_row(row, True)
        elif self.list.pressed_with & keys.ControlModifier or is_on_edge:
            self._select_row(row, False)
        elif self._delegate.places(card, note, index.data() or "").more.contains(point):
            self._unfold(note)
        elif tag := self._find_tag(card, note, point):
            self.tag.setCurrentIndex(self.tag.findData(tag))
        elif self._delegate.selected:
            self._select_row(row, False)
        else:
            self._open(index)

    def _find_tag(self, card: QRect, note: LibraryNote, point: QPoint) -> str:
        """Return the tag at a point of a card."""
        if not note.mark.tags:
            return ""
        quote = self.model.describe(note, Qt.ItemDataRole.DisplayRole) or ""
        line = self._delegate.places(card, note, quote).tags
        return find_tag(self._context.theme, note.mark.tags, line, point)

    def _open(self, index: QModelIndex) -> None:
        note = index.data(ROW_ROLE)
        if isinstance(note, LibraryNote):
            self._open_note(note)

    def _open_note(self, note: LibraryNote) -> None:
        self.open_passage.emit(note.mark.document_id, note.mark.start, note.mark.end)

    def _act(self, name: str, notes: Sequence[LibraryNote] = ()) -> None:
        """Run an action on notes, or on the selected ones."""
        notes = notes or self._targets()
        if name == "all":
            self.select(self._shown)
        elif not notes:
            return
        elif name == "open":
            self._open_note(notes[0])
        elif name == "copy":
            self._copy(notes)
        elif name == "remove":
            self._remove(notes)
        elif name == "note":
            self.edit_note(notes[0])
        elif name == "tags":
            self.edit_tags(notes)

    def build_menu(self, note: LibraryNote) -> QMenu:
        """Return the context menu of a note; while several are selected, of all of them."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        mark, is_selected = note.mark, note.mark.id in self._delegate.selected
        notes = self.selected_notes if is_selected else [note]
        is_one = len(notes) == 1

        def add(words: str, keys: str, act: Callable[[], object]) -> None:
            action = menu.addAction(words)
            action.setShortcut(QKeySequence(keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)  # displayed only
            action.triggered.connect(lambda: act())

        if is_one:
            add(tr("Open in the reader"), "Return", lambda: self._open_note(note))
        copies = tr("Copy picture") if is_one and mark.area else tr("Copy with citation")
        add(copies, "Ctrl+C", lambda: self._copy(notes))
        menu.addSeparator()
        if any(one.mark.kind == "highlight" for one in notes):
            colors = build_color_menu(
                self._context.theme, menu, lambda color: self._recolor(color, notes)
            )
            colors.setTitle(tr("Colour"))
            menu.addMenu(colors)
        if is_one:
            words = tr("Edit note…") if mark.note else tr("Add note…")
            add(words, "F2", lambda: self.edit_note(note))
        add(tr("Tags…"), "T", lambda: self.edit_tags(notes))
        menu.addSeparator()
        row = self.model.rows.index(note)
        if is_one and self._can_unfold(row):
            is_whole = mark.id in self._delegate.unfolded
            add(tr("Show less") if is_whole else tr("Show more"), "E", lambda: self._unfold(note))
        words = tr("End the selection of this") if is_selected else tr("Select")
        add(words, "Space", lambda: self._select_row(row, False))
        if is_one:
            only = self.document.findData(mark.document_id)
            add(tr("Only this document"), "", lambda: self.document.setCurrentIndex(only))
        menu.addSeparator()
        add(tr("Remove"), "Del", lambda: self._remove(notes))
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

    def _find_members(self, group: NoteGroup) -> list[LibraryNote]:
        """Return the notes of a group, also of a folded one."""
        rows = build_rows(self._shown, self.order.currentData() or DOCUMENT)
        keys = [row.key if isinstance(row, NoteGroup) else "" for row in rows]
        at = keys.index(group.key) + 1
        return [row for row in rows[at : at + group.count] if isinstance(row, LibraryNote)]

    def _show_menu(self, point: QPoint) -> None:
        index = self.list.indexAt(point)
        row, where = index.data(ROW_ROLE), self.list.viewport().mapToGlobal(point)
        if isinstance(row, LibraryNote):
            self.build_menu(row).popup(where)
        elif isinstance(row, NoteGroup):
            self.build_group_menu(index.row()).popup(where)

    def _copy(self, notes: Sequence[LibraryNote]) -> None:
        """Copy quotations with their citations, or the picture of a single area."""
        messages = self._context.messages
        if len(notes) == 1 and notes[0].mark.area is not None:
            mark_id = notes[0].mark.id

            def take(found: dict[int, bytes]) -> None:
                if (image := load_image(found.get(mark_id, b""))) is not None:
                    QGuiApplication.clipboard().setImage(image)
                    messages.show(tr("Picture copied."), kind="ok")

            fetch = self._context.annotations.fetch_pictures
            query = Query(self._context.reader_lane, fetch, [mark_id], owner=self)
            query.on_success(take).run()
            return
        QGuiApplication.clipboard().setText("\n\n".join(map(cite_note, notes)))
        n = len(notes)
        words = trn("{n} entry copied with its citation.", "{n} entries copied with citations.", n)
        messages.show(tr("Copied with citation.") if n == 1 else words, kind="ok")

    def _recolor(self, color: str, notes: Sequence[LibraryNote] = ()) -> None:
        found = [n for n in notes or self._targets() if n.mark.kind == "highlight"]
        changed = [note.mark.id for note in found if note.mark.color != color]
        if not changed:
            return
        service, n = self._context.annotations, len(changed)
        words = trn("Colour of {n} highlight changed", "Colour of {n} highlights changed", n)
        # the colour of a single one is seen
        self._edits.run(service.recolor, changed, color, message=words if n > 1 else "")

    def _remove(self, notes: Sequence[LibraryNote]) -> None:
        service = self._context.annotations
        if len(notes) == 1:
            is_bookmark = notes[0].mark.kind == "bookmark"
            message = tr("Bookmark removed") if is_bookmark else tr("Highlight removed")
            self._edits.run(service.remove, notes[0].mark.id, message=message)
        elif notes:
            ids = [note.mark.id for note in notes]
            message = trn("{n} entry removed", "{n} entries removed", len(ids))
            self._edits.run(service.remove_many, ids, message=message)

    def edit_note(self, note: LibraryNote, *, tags: bool = False) -> None:
        """Open the card of a note, its colour and tags, to write a note or `tags`."""
        card = AnnotationCard(
            self._context.theme,
            note.mark,
            self,
            known_tags=self._loaded.tags,
            can_ask=False,
        )
        change = self._context.annotations.change
        card.changed.connect(
            lambda mark_id, color, words, tags: self._edits.run(
                change, mark_id, color=color, note=words, tags=tags
            )
        )
        card.removed.connect(lambda _: self._remove([note]))
        card.copied.connect(lambda _: self._copy([note]))
        self._show_card(card, note)
        (card.tags.field if tags else card.note).setFocus()

    def edit_tags(self, notes: Sequence[LibraryNote]) -> None:
        """Open the card of the tags of a note, or of several."""
        if len(notes) == 1:
            self.edit_note(notes[0], tags=True)
            return
        card = TagsCard(self._context.theme, [note.mark for note in notes], self, self._loaded.tags)
        ids, tag = [note.mark.id for note in notes], self._context.annotations.tag
        words = trn("Tags of {n} entry changed", "Tags of {n} entries changed", len(ids))
        card.changed.connect(
            lambda add, drop: self._edits.run(tag, ids, add=add, drop=drop, message=words)
        )
        self._show_card(card, None)
        card.tags.field.setFocus()

    def _show_card(self, card: AnnotationCard | TagsCard, note: LibraryNote | None) -> None:
        """Show a popup card below that of a note, or below the actions on selected ones."""
        self.card = card
        card.closed.connect(self._forget_card)
        where = self.selection.tags.mapToGlobal(self.selection.tags.rect().bottomLeft())
        if note is not None:
            index = self.model.index(self.model.rows.index(note), 0)
            self.list.scrollTo(index)
            row = self._delegate.card_rect(self.list.visualRect(index))
            foot = QPoint(row.right() - card.width() + CARD_INSET, row.bottom() - CARD_RISE)
            where = self.list.viewport().mapToGlobal(foot)
        card.show_at(where)

    def _forget_card(self) -> None:
        self.card = None

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
        """Ask for a file and write the shown notes to it, or the selected ones."""
        suffix = SUFFIXES[format]
        start = make_file_name(tr("Highlights and notes"), "notes") + suffix
        title, kind = tr("Export highlights"), f"*{suffix}"
        if path := ask_where_to_save(self, title, start, kind):
            self.write(path, format, self.selected_notes if chosen else None)

    def write(self, path: Path, format: str, notes: Sequence[LibraryNote] | None = None) -> None:
        """Write notes to a file, by document and place; None for those that are shown."""
        notes = list(self._shown if notes is None else notes)
        words = note_words()

        def done(n: int) -> None:
            text = trn(
                "{n} note written to “{file}”.",
                "{n} notes written to “{file}”.",
                n,
                file=path.name,
            )
            self._context.messages.show(text, kind="ok")

        fetch = self._context.annotations.fetch_pictures
        ids = [note.mark.id for note in notes if note.mark.area is not None]

        def export() -> int:
            return export_notes(notes, path, format, words, fetch(ids) if ids else {})

        Query(self._context.reader_lane, export, owner=self).on_success(done).run()


def _find_again(rows: Sequence[ListRow], current: object) -> int | None:
    """Return the place of a note or a group among other rows."""
    name = _name_row(current)
    names = [_name_row(row) for row in rows]
    return names.index(name) if name is not None and name in names else None


def _name_row(row: object) -> int | str | None:
    if isinstance(row, LibraryNote):
        return row.mark.id
    return row.key if isinstance(row, NoteGroup) else None
