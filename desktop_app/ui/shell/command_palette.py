"""The command palette: searches names, documents, pictures, chats, commands and quotations.

Owns the popup, its queries, the order of the rows (sections, best match first) and the selected
row.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

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
    Signal,
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
    QWidget,
)

from desktop_app.engine.model import ChatRow, DocumentRow, EntityRow
from desktop_app.engine.store.chats import ChatHit
from desktop_app.engine.store.figures import StoredFigure
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..figures.descriptions import label_description
from ..theme.design_tokens import ROW
from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets import build_column
from ..widgets.tables import COLOR_ROLE, ICON_ROLE, SUBTITLE_ROLE, inverts_selection, paint_ground
from ..window_file import open_window_file
from .actions import WindowCommand
from .navigator import Navigator

if TYPE_CHECKING:  # imported when something is searched
    from desktop_app.engine.services.quotation_search import QuotationPlace

WHOLE, START, WORD, INSIDE, LETTERS = 100, 80, 60, 40, 15


def rate(text: str, wanted: str) -> int:
    """Return how well a text matches, 0 for not at all; both arguments are casefolded.

    Every word of the query must match. A word that does not occur may match by its letters in
    order, so that "lbry" finds "library".
    """
    if not wanted:
        return 1
    if text == wanted:
        return WHOLE
    if text.startswith(wanted):
        return START
    words = wanted.split()
    marks = [_rate_word(text, word) for word in words]
    if not all(marks):
        return 0
    together = 10 if len(words) > 1 and wanted in text else 0
    return sum(marks) // len(marks) + together


def _rate_word(text: str, word: str) -> int:
    place = text.find(word)
    if place < 0:
        return LETTERS if len(word) > 2 and _has_letters(text, word) else 0
    if place == 0 or _parts(text[place - 1], text[place]):
        return WORD
    # A word may start later in the text than the first place where its letters occur.
    later = text.find(" " + word)
    return WORD if later >= 0 else INSIDE


def _parts(before: str, here: str) -> bool:
    """Return whether a word can start between two characters; any Chinese character starts one."""
    return not before.isalnum() or here > "\u2e80"


def _has_letters(text: str, word: str) -> bool:
    """Return whether the letters of a word occur in order, close together, from a word start."""
    start = text.find(word[0])
    while start >= 0:
        if start == 0 or not text[start - 1].isalnum():
            place = start
            for letter in word[1:]:
                place = text.find(letter, place + 1)
                if place < 0:
                    return False
            if place - start <= 3 * len(word):
                return True
        start = text.find(word[0], start + 1)
    return False


EACH, EMPTY_EACH = 6, 7
MAX_PLACES = 4  # of a quotation, of each kind


@dataclass(frozen=True, slots=True)
class PaletteRow:
    """One row; `key` is stable across restarts and libraries, `act` runs when it is chosen."""

    text: str
    note: str
    icon: str
    key: str
    act: Callable[[], Any]
    mark: int = 0


@dataclass(slots=True)
class PaletteSources:
    """The candidates; entities and hits are queried for the current text.

    `known` are the recently opened names.
    """

    commands: list[WindowCommand] = field(default_factory=list)
    settings: list[tuple[str, str, str, str]] = field(default_factory=list)
    documents: list[DocumentRow] = field(default_factory=list)
    chats: list[ChatRow] = field(default_factory=list)
    entities: list[EntityRow] = field(default_factory=list)
    known: list[EntityRow] = field(default_factory=list)
    hits: list[ChatHit] = field(default_factory=list)
    places: list[QuotationPlace] = field(default_factory=list)
    figures: list[StoredFigure] = field(default_factory=list)
    find_quotation: Callable[[str], object] | None = None  # opens the dialog for it
    # A cache of ratings for the current text, since rows are listed once per finished query.
    rated: dict[tuple[str, str, int], list[tuple[int, Any]]] = field(default_factory=dict)


NAME, STORY = "name/", "\t"  # no name has a tab, since names are stored with single spaces


def build_name_key(name: str, story: str) -> str:
    """Return the key of a name's row; namesakes in different stories have different keys."""
    return f"{NAME}{name}{STORY}{story}" if story else NAME + name


def list_rows(
    sources: PaletteSources, navigator: Navigator, text: str, recent: Sequence[str]
) -> list[tuple[str, list[PaletteRow]]]:
    """Return sections with their rows, best first; of equal ones those used recently."""
    wanted = " ".join(text.casefold().split())
    entities = sources.entities if wanted else sources.known  # the query ranks them
    names = [
        PaletteRow(
            e.name,
            e.story or trn("{n} mention", "{n} mentions", e.n_mentions),
            e.type,
            build_name_key(e.name, e.story),
            partial(navigator.open_entity, e.id),
            85 - place,
        )
        for place, e in enumerate(entities)
    ]
    documents = [
        PaletteRow(
            d.title,
            d.file_name,
            "document",
            f"document/{d.title}",
            partial(navigator.open_document, d.id),
            mark,
        )
        for mark, d in _rows_of(sources, "document", wanted, recent)
    ]
    chats = [
        PaletteRow(
            c.title or tr("New chat"),
            trn("{n} message", "{n} messages", c.n_messages),
            "chat",
            f"chat/{c.title}",
            partial(navigator.open_chat, c.id),
            mark,
        )
        for mark, c in _rows_of(sources, "chat", wanted, recent)
    ]
    commands = [
        PaletteRow(c.text, f"{c.group}   {c.keys}".strip(), c.icon, f"do/{c.key}", c.run)
        for c in sources.commands
        if c.run is not None
    ]
    if not wanted:
        by_key = {row.key: row for row in (*names, *documents, *chats, *commands)}
        lately = [by_key[key] for key in recent if key in by_key][:EMPTY_EACH]
        known = {row.key for row in lately}
        others = [row for row in commands if row.key not in known]
        return [(t, r) for t, r in ((tr("Recent"), lately), (tr("Commands"), others)) if r]
    settings = [
        PaletteRow(
            label,
            title,
            "settings",
            f"setting/{section}/{name}",
            partial(navigator.open_setting, section, name),
        )
        for section, name, label, title in sources.settings
    ]
    kinds = {
        tr("Names"): names,
        tr("Documents"): documents,
        tr("Chats"): chats,
        tr("Commands"): commands,
        tr("Settings"): settings,
    }
    sections = []
    for title, rows in kinds.items():
        # a name that was found by an alias does not contain the text
        marks = [(row.mark or rate(row.text.casefold(), wanted), row) for row in rows]
        marked = [(mark + 8 * (row.key in recent), row) for mark, row in marks if mark > 0]
        if marked:
            best = sorted(marked, key=lambda m: -m[0])[:EACH]
            sections.append((best[0][0], title, [row for _, row in best]))
    sections.sort(key=lambda s: -s[0])
    listed = [*_list_places(sources, navigator, text)]
    listed += [(title, rows) for _, title, rows in sections]
    titles: dict[int, str] = {c.id: c.title for c in sources.chats}
    hits = [
        PaletteRow(
            " ".join(h.snippet.split()),
            titles.get(h.chat_id, "") or h.title,
            "ph.quotes",
            f"hit/{h.message_id}",
            partial(navigator.open_chat, h.chat_id, h.message_id),
        )
        for h in sources.hits
        if h.message_id
    ]
    pictures = [_build_figure_row(figure, navigator, wanted.split()) for figure in sources.figures]
    if pictures:
        listed.append((tr("Pictures"), pictures[:EACH]))
    if hits:
        listed.append((tr("In chats"), hits[:EACH]))
    return listed


def _build_figure_row(
    figure: StoredFigure, navigator: Navigator, wanted: Sequence[str]
) -> PaletteRow:
    caption = " ".join((figure.caption or figure.figure.alt).split())
    page = tr("p. {page}", page=figure.page_text) if figure.page_text else ""
    own = f"{figure.caption} {figure.figure.alt} {figure.words}".casefold()
    title = caption or tr("Picture with “{words}”", words=figure.words[:60])
    described = ""
    if not all(word in own for word in wanted):  # found by its description
        described = label_description(figure)
        if caption:
            described += f": {figure.description[:60]}"
        else:
            title = figure.description
    return PaletteRow(
        title,
        " · ".join(part for part in (described, figure.title, page) if part),
        "ph.image",
        f"figure/{figure.document_id}/{figure.number}",
        partial(navigator.open_figure, figure),
    )


def _list_places(
    sources: PaletteSources, navigator: Navigator, text: str
) -> Iterator[tuple[str, list[PaletteRow]]]:
    """Yield the sections of a text that is long enough to be a quotation."""
    from desktop_app.engine.services.quotation_search import is_quotation

    if sources.find_quotation is None or not is_quotation(text):
        return
    exact = [place for place in sources.places if place.wording == "exact"]
    others = [place for place in sources.places if place.wording != "exact"]
    for title, places in ((tr("Quoted from"), exact), (tr("Similar passages"), others)):
        if places:
            yield title, [_build_place_row(place, navigator) for place in places[:MAX_PLACES]]
    show = tr("Show the differences…") if others else tr("Find this quotation…")
    act = partial(sources.find_quotation, text)
    yield tr("Quotation"), [PaletteRow(show, "", "ph.quotes", "quotation", act)]


def _build_place_row(place: QuotationPlace, navigator: Navigator) -> PaletteRow:
    from desktop_app.engine.services.quotation_search import list_pieces

    kept = (piece for kind, piece in list_pieces(place) if kind not in ("around", "quoted"))
    page = tr("p. {page}", page=place.page) if place.page else place.chapter
    return PaletteRow(
        " ".join("".join(kept).split()),
        " · ".join(part for part in (place.title, page) if part),
        "ph.quotes",
        f"place/{place.document_id}/{place.start}",
        partial(navigator.open_passage, place.document_id, place.start, place.end),
    )


def _rows_of(
    sources: PaletteSources, kind: str, wanted: str, recent: Sequence[str]
) -> list[tuple[int, Any]]:
    """Return the documents or chats whose titles match best, with their ratings."""
    rows: Sequence[Any] = sources.documents if kind == "document" else sources.chats
    if not wanted:
        return [(0, row) for row in rows if f"{kind}/{row.title}" in recent]
    key = kind, wanted, len(rows)
    if key not in sources.rated:
        marked = ((rate(row.title.casefold(), wanted), -place) for place, row in enumerate(rows))
        best = heapq.nlargest(3 * EACH, (m for m in marked if m[0]))
        sources.rated[key] = [(mark, rows[-place]) for mark, place in best]
    return sources.rated[key]


TITLE = 28
WHAT_ROLE = Qt.ItemDataRole.UserRole
AnyIndex = QModelIndex | QPersistentModelIndex


class PaletteDelegate(QStyledItemDelegate):
    """Draws a row (icon, text, note at the right) or a section title."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        height = ROW if index.data(WHAT_ROLE) is not None else TITLE
        return QSize(0, self._theme.length(height))

    @inverts_selection
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        painter.save()
        area = option.rect.adjusted(16, 0, -16, 0)
        if index.data(WHAT_ROLE) is None:
            font = self._theme.font("small")
            font.setWeight(font.Weight.DemiBold)
            painter.setFont(font)
            painter.setPen(self._theme.color("text2"))
            bottom = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
            painter.drawText(area.adjusted(0, 0, 0, -4), bottom, str(index.data()))
        else:
            paint_ground(painter, option, index, self)
            chosen = bool(option.state & QStyle.StateFlag.State_Selected)
            self._paint_row(painter, area, index, chosen)
        painter.restore()

    def _paint_row(self, painter: QPainter, area: QRect, index: AnyIndex, chosen: bool) -> None:
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
    if row.key.startswith(NAME):
        shown.setData(COLOR_ROLE, row.icon)
    shown.setData(WHAT_ROLE, row)
    results.addItem(shown)
    return ROW


MAX_NAMES, MAX_KEPT = 8, 20
TYPING_MS, CHATS_FROM = 80, 2
FEW_NAMES, NAMESAKES = 4, 5
WIDTH, HEIGHT = 620, 460


class CommandPalette(QFrame):
    """A popup in the upper middle of the window; Escape or a click elsewhere closes it.

    Emits `quotation_wanted` with a text for the dialog that finds quotations.

    Args:
        gather: returns the commands; called when the palette opens.
        settings: returns the settings; called when the palette opens.
    """

    quotation_wanted = Signal(str)

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
        saved = open_window_file().value("palette/recent", [])
        keys = saved if isinstance(saved, list) else [saved]  # one key is read as a string
        self._recent = [str(key) for key in keys if key]
        self.field = QLineEdit()
        self.field.setPlaceholderText(
            tr("Search names, documents, pictures, chats, commands; or paste a quotation")
        )
        self.field.setAccessibleName(tr("Search everything"))
        self.results = QListWidget()
        self.results.setAccessibleName(tr("Results"))
        self.results.setItemDelegate(PaletteDelegate(context.theme, self.results))
        self.results.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.results.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        results = (self.results, 1)
        build_column(self.field, results, parent=self, spacing=4, margins=(1, 1, 1, 5))
        self._timer = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._timer.timeout.connect(self._search)
        self.field.textChanged.connect(lambda _: self._timer.start())
        # Several answers often come in one turn of the event loop; they are listed together.
        self._fill_timer = QTimer(self, singleShot=True, interval=0)
        self._fill_timer.timeout.connect(self._fill)
        self.field.installEventFilter(self)
        self.results.itemClicked.connect(self._run)
        self.hide()

    def open(self) -> None:
        """Show the palette with an empty search field."""
        self._came_from = QApplication.focusWidget()
        parent = self._parent
        width = min(self._context.theme.breadth(WIDTH), parent.width() - 48)
        self.setGeometry((parent.width() - width) // 2, 64, width, 320)
        settings = self._settings()
        self._sources = PaletteSources(
            self._gather(), settings, find_quotation=self.quotation_wanted.emit
        )
        self.field.clear()
        self._read_lists()
        self._search()
        self.raise_()
        self.show()
        self.field.setFocus()

    def gather_again(self) -> None:
        """List the commands again while the palette is open: a screen was built."""
        self._sources.commands = self._gather()
        self._fill_timer.start()

    def close_palette(self) -> None:
        """Hide the palette and restore the focus."""
        before, self._came_from = self._came_from, None
        if before is not None and shiboken6.isValid(before) and before.isVisible():
            before.setFocus()
        self.hide()

    def _read_lists(self) -> None:
        sources = self._sources

        def take(name: str) -> Callable[[list], None]:
            def keep(rows: list) -> None:
                setattr(sources, name, rows)
                if sources is self._sources:
                    self._fill_timer.start()

            return keep

        library_reader, chats = self._context.library_reader, self._context.chats
        self._ask(library_reader.list_documents, then=take("documents"))
        self._ask(chats.list_chats, then=take("chats"))
        keys = [key for key in self._recent if key.startswith(NAME)][:FEW_NAMES]
        names = list(dict.fromkeys(key.removeprefix(NAME).partition(STORY)[0] for key in keys))

        def find_known() -> list:
            found = [row for name in names for row in library_reader.find_entities(name, NAMESAKES)]
            return [row for row in found if build_name_key(row.name, row.story) in keys]

        self._ask(find_known, then=take("known"))

    def _search(self) -> None:
        self._timer.stop()
        self._serial += 1
        serial, text, sources = self._serial, self.field.text().strip(), self._sources

        def take(name: str) -> Callable[[list], None]:
            def keep(rows: list) -> None:
                if serial == self._serial:
                    setattr(sources, name, rows)
                    self._fill_timer.start()

            return keep

        if not text:
            sources.entities, sources.hits, sources.figures = [], [], []
        from desktop_app.engine.services.quotation_search import MOST_WORDS, is_quotation

        # a longer one is for the dialog
        is_quoted = is_quotation(text) and len(text) <= MOST_WORDS
        if not is_quoted:
            sources.places = []
        self._fill()
        if is_quoted:
            find = self._context.library_reader.find_quotation
            self._ask(find, text, 2 * MAX_PLACES, then=take("places"))
        if text:
            self._ask(
                self._context.library_reader.find_entities, text, MAX_NAMES, then=take("entities")
            )
        if len(text) >= CHATS_FROM:
            self._ask(self._context.chats.find, text, MAX_NAMES, then=take("hits"))
            find_figures = self._context.figure_reader.search
            self._ask(find_figures, text, MAX_NAMES, then=take("figures"))
        else:
            sources.hits, sources.figures = [], []

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

    def _run(self, shown: QListWidgetItem | None) -> None:
        row: PaletteRow | None = shown.data(WHAT_ROLE) if shown is not None else None
        if row is None or not row.key:
            return
        self._recent = [row.key, *(k for k in self._recent if k != row.key)][:MAX_KEPT]
        open_window_file().setValue("palette/recent", self._recent)
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
