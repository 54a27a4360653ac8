"""The highlights screen: all highlights, bookmarks and notes of the library, filtered and exported.

Owns what is listed and the filters. A click opens the place in the reader.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from PySide6.QtCore import QModelIndex, QPoint, QSettings, Qt, Signal
from PySide6.QtGui import QGuiApplication, QIcon, QImage, QPainter, QPixmap, QShowEvent
from PySide6.QtWidgets import QComboBox, QMenu, QStackedWidget, QVBoxLayout, QWidget

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
from ..editing.edits import EditRunner
from ..translation import later, tr, trn
from ..widgets import (
    Button,
    CheckBox,
    EmptyState,
    Flow,
    Label,
    SearchField,
    Skeleton,
    ToolbarRow,
    build_column,
)
from ..widgets.area_pictures import load_image
from ..widgets.buttons import add_shortcut
from ..widgets.fields import ChoiceBox, go_to_list
from ..widgets.menus import MenuKey
from ..widgets.note_colors import COLOR_WORDS, note_ink
from ..widgets.save_dialog import ask_where_to_save
from ..widgets.tables import ROW_ROLE, RowList
from .how_to import HowToHighlight, KeyList
from .list import (
    DOCUMENT,
    FEW,
    ORDERS,
    PICTURE,
    HighlightDelegate,
    ListTip,
    NoteList,
    NotesModel,
    build_rows,
    note_words,
)

CHOICE_CHARS = 12
ORDER = "highlights/order"  # not shown: of the settings of this computer
TIP = later("Select text in a document and press 1 to 4, or M for a note, to add more.")
BATCH = 50  # pictures of areas that are read at once
KEYS = (
    (("1", "2", "3", "4"), later("highlight")),
    (("M",), later("highlight with a note")),
    (("Ctrl+D",), later("bookmark")),
)


@dataclass(frozen=True, slots=True)
class _Loaded:
    """All notes, the documents of each collection that has some, and the areas with pictures."""

    notes: list[LibraryNote]
    collections: dict[str, frozenset[int]]
    pictures: dict[int, tuple[Area, QImage]]


def _settings() -> QSettings:
    return QSettings(str(paths.data_dir() / "window.ini"), QSettings.Format.IniFormat)


def _load_order() -> str:
    return str(_settings().value(ORDER, DOCUMENT))


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
        self._is_stale = True
        self._is_loading = False
        self.setMinimumSize(320, 240)
        self._build()
        self._connect()

    def _build(self) -> None:
        theme = self._context.theme
        bar = ToolbarRow(tr("Highlights"))
        self.count = Label("", "small")
        self.search = SearchField(theme, tr("Search in highlights and notes"))
        self.search.setMaximumWidth(320)
        self.export_button = Button(tr("Export…"), theme=theme, icon="export")
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
        filters.add(self.order, self.document, self.collection, self.tag, self.color)
        filters.add(self.with_note, self.clear_button)
        self.filters = QWidget()
        build_column(filters, parent=self.filters, margins=(16, 8, 16, 8))
        self.model = NotesModel(self)
        self._delegate = HighlightDelegate(theme)
        self._delegate.order = _load_order()
        self.list = NoteList(self.model, self._delegate, tr("Highlights and notes"))
        self.list.setObjectName("highlightList")
        self.list.setUniformItemSizes(False)  # each row is as high as its texts
        self.list.setResizeMode(RowList.ResizeMode.Adjust)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        MenuKey(self.list)
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
        build_column(bar, self.filters, (self.stack, 1), parent=self, spacing=0)

    def _add_choice(self, name: str) -> QComboBox:
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
        self.list.clicked.connect(self._open)
        self.list.activated.connect(self._open)
        self.list.customContextMenuRequested.connect(self._show_menu)
        add_shortcut(self.list, "Del", self._remove, tr("Remove the highlight"))
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
        reader, fetch = self._context.library_reader, self._context.annotations.fetch_pictures
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
            )

        query = Query(self._context.reader_lane, load, owner=self)
        query.on_success(self._take).on_end(self._ended).run()

    def _ended(self) -> None:
        self._is_loading = False
        if self._is_stale and self.isVisible():
            self.refresh()

    def _take(self, loaded: _Loaded) -> None:
        self._loaded = loaded
        self._delegate.pictures.light = {i: image for i, (_, image) in loaded.pictures.items()}
        self._fill_choices()
        self._filter()

    # --- filters ----------------------------------------------------------------------------

    def _fill_choices(self) -> None:
        notes = self._loaded.notes
        titles = {note.mark.document_id: note.reference.title for note in notes}
        tags = {tag.casefold(): tag for note in notes for tag in note.reference.tags}
        collections = self._loaded.collections
        self._fill(self.document, tr("All documents"), [(t, i) for i, t in titles.items()])
        self._fill(self.collection, tr("All collections"), [(n, n) for n in sorted(collections)])
        self._fill(self.tag, tr("All tags"), [(tags[key], tags[key]) for key in sorted(tags)])
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
        wanted, notes = self.wanted, self._loaded.notes
        current = self._current()
        self._shown = shown = [note for note in notes if wanted.fits(note)]
        is_filtered = wanted != NoteFilter()
        rows = build_rows(shown, self.order.currentData() or DOCUMENT)
        if len(shown) < FEW and not is_filtered:
            rows.append(ListTip(tr(TIP)))
        if rows != self.model.rows:
            top = self.list.verticalScrollBar().value()
            self.model.show_rows(rows)
            if current is not None:
                ids = [row.mark.id if isinstance(row, LibraryNote) else -1 for row in rows]
                if current.mark.id in ids:
                    place = self.model.index(ids.index(current.mark.id), 0)
                    self.list.setCurrentIndex(place)
            self.list.verticalScrollBar().setValue(top)
        self.clear_button.setVisible(is_filtered)
        self.filters.setVisible(bool(notes))
        self.search.setVisible(bool(notes))
        self.export_button.setVisible(bool(notes))
        self.export_button.setEnabled(bool(shown))
        words = trn("{n} entry", "{n} entries", len(shown))
        if is_filtered:
            words = tr("{n} of {all}", n=len(shown), all=len(notes))
        self.count.setText(words if notes else "")
        self.stack.setCurrentWidget(self.list if shown else self.nothing if notes else self.empty)

    def _choose_order(self) -> None:
        self._delegate.order = self.order.currentData()
        _settings().setValue(ORDER, self.order.currentData())
        self._filter()
        self.list.scrollToTop()

    def _find(self) -> None:
        self.search.setFocus()
        self.search.selectAll()

    # --- actions ----------------------------------------------------------------------------

    def _current(self) -> LibraryNote | None:
        index = self.list.currentIndex()
        row = index.data(ROW_ROLE) if index.isValid() else None
        return row if isinstance(row, LibraryNote) else None

    def _open(self, index: QModelIndex) -> None:
        note = index.data(ROW_ROLE)
        if not isinstance(note, LibraryNote):
            return
        self.open_passage.emit(note.mark.document_id, note.mark.start, note.mark.end)

    def build_menu(self, note: LibraryNote) -> QMenu:
        """Return the context menu of a note."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        mark = note.mark
        for words, act in (
            (tr("Open in the reader"), lambda: self.open_passage.emit(
                mark.document_id, mark.start, mark.end)),
            (tr("Copy with citation"), lambda: self._copy(note)),
            (tr("Only this document"), lambda: self.document.setCurrentIndex(
                self.document.findData(mark.document_id))),
            (tr("Remove"), lambda: self._remove(note)),
        ):  # fmt: skip
            menu.addAction(words).triggered.connect(act)
        return menu

    def _show_menu(self, point: QPoint) -> None:
        index = self.list.indexAt(point)
        if index.isValid() and isinstance(index.data(ROW_ROLE), LibraryNote):
            self.build_menu(index.data(ROW_ROLE)).popup(self.list.viewport().mapToGlobal(point))

    def _copy(self, note: LibraryNote) -> None:
        QGuiApplication.clipboard().setText(cite_note(note))
        self._context.messages.show(tr("Copied with citation."), kind="ok")

    def _remove(self, note: LibraryNote | None = None) -> None:
        note = note or self._current()
        if note is not None:
            is_bookmark = note.mark.kind == "bookmark"
            message = tr("Bookmark removed") if is_bookmark else tr("Highlight removed")
            self._edits.run(self._context.annotations.remove, note.mark.id, message=message)

    def build_export_menu(self) -> QMenu:
        """Return the menu of formats."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for words, format in (
            (tr("Markdown…"), "markdown"),
            (tr("Word (DOCX)…"), "docx"),
            (tr("CSL-JSON (Zotero)…"), "csl"),
        ):
            menu.addAction(words).triggered.connect(self._exporter(format))
        return menu

    def _exporter(self, format: str) -> Callable[[], None]:
        return lambda: self._ask_where(format)

    def _show_export_menu(self) -> None:
        button = self.export_button
        self.build_export_menu().popup(button.mapToGlobal(button.rect().bottomLeft()))

    def _ask_where(self, format: str) -> None:
        suffix = SUFFIXES[format]
        start = make_file_name(tr("Highlights and notes"), "notes") + suffix
        title, kind = tr("Export highlights"), f"*{suffix}"
        if path := ask_where_to_save(self, title, start, kind):
            self.write(path, format)

    def write(self, path: Path, format: str) -> None:
        """Write the shown notes to a file, by document and place."""
        notes = list(self._shown)
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
