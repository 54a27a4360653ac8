"""The list of highlights and notes: its rows, their order and groups, and how they are drawn."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple, cast

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QSinglePointEvent,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_app.engine.highlight_colors import get_color
from desktop_app.engine.services.annotations import find_shown_words, shows_figure
from desktop_app.engine.services.library_notes import LibraryNote, NoteWords, describe_place

from ..theme.fonts import is_chinese
from ..theme.stylesheet import mix_shades
from ..theme.theme import Theme
from ..translation import later, tr, tr_message, trn
from ..widgets.area_pictures import AreaPictures
from ..widgets.labels import paint_box
from ..widgets.note_colors import COLOR_WORDS, note_ink
from ..widgets.tables import ROW_ROLE, AnyIndex, RowList, RowsModel, inverts_selection
from ..widgets.tag_chips import SIGN, SIGN_GAP, measure_chips, paint_tags
from ..widgets.words import FRONT_MATTER, format_authors, format_day, format_headings, format_when

PAD, GAP, LEFT, RIGHT = 12, 6, 44, 16
STRIPE, STRIPE_LEFT = 4, 8  # pixels: the colour, and where it is in a card
CHECK, CHECK_LEFT, CARET = 16, 20, 14  # pixels: the check box, where it is; the caret of a group
BETWEEN = 8  # pixels between two cards
WIDEST = 1_200  # pixels of a card; a wider list has its cards in the middle
SIDE = 16  # pixels at least beside a card
WIDE = 920  # pixels of a card that has place and date beside its texts, not below them
ASIDE, ASIDE_GAP = 250, 32  # pixels at least for place and date, and before them
TEXT_WIDEST = 740  # pixels of a line of a quotation: about 105 letters
QUOTE_PX, QUOTE_LINE = 15, 22  # pixels: letters and lines of a quotation, in the book font
NOTE_SIDE, NOTE_ABOVE = 8, 4  # pixels of the ground of a note around its words
BAR_HEIGHT, BAR_FOOT = 28, 6  # pixels: the actions on a card, and below them
GROUP_ABOVE, GROUP_BELOW = 14, 2  # pixels around the title of a group
PICTURE = QSize(320, 160)  # pixels of the room for the picture of an area
MOST_CHARACTERS = 2_000  # of a text that are measured: more than the lines of a folded card hold
MOST_UNFOLDED = 20_000  # characters of a text that are shown in an unfolded card
MOST_LINES, MOST_NOTE, MOST_PLACE = 6, 3, 3  # lines of a quotation, a note, a place beside them
LINE_END = "\u2028"  # by which Qt breaks lines within a paragraph
JUDGED = 200  # characters of a quotation by which its language is judged
NARROWEST = 3  # pixels of a letter on average: a text of more has no room in a line
LEAST_LINE = 40  # pixels: narrower lines would have a letter each
# of the accent in the ground of a note; the contrast of its text is at least 7 on a selected card
NOTE_TINT, NOTE_TINT_DARK = 0.11, 0.17
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
class NoteGroup:
    """The title above the rows of one document, day or colour.

    Attributes:
        source: authors and year of a document.
        color: of highlights, "" for other groups.
        key: by which it is remembered that it is folded; it names no document.
        n_selected: of its entries.
    """

    title: str
    count: int
    source: str = ""
    color: str = ""
    key: str = ""
    folded: bool = False
    n_selected: int = 0


@dataclass(frozen=True, slots=True)
class ListTip:
    """A line below a short list: how more highlights are made."""

    words: str


ListRow = LibraryNote | NoteGroup | ListTip


def note_words() -> NoteWords:
    """Return the words of places and exported files in the window's language."""
    return NoteWords(
        title=tr("Highlights and notes"),
        page=tr("p. {page}"),
        bookmark=tr("Bookmark"),
        note=tr("Note"),
        area=tr("Area of the page"),
        front=tr(FRONT_MATTER),
        tags=tr("Tags: {tags}"),
    )


def describe_source(note: LibraryNote, *, with_title: bool = True) -> str:
    """Return the document and the place of a note in one line.

    Args:
        with_title: name the document, which the title of a group may say already.
    """
    note = replace(note, chapter=format_headings(note.chapter))
    place = describe_place(note, note_words())
    if note.mark.lost:
        place = tr("{place} · no longer in the text", place=place)
    parts = [note.reference.title if with_title else "", place]
    if note.mark.kind == "bookmark":
        parts.insert(0, tr("Bookmark"))
    elif note.mark.style == "underline":
        parts.insert(0, tr("Underline"))
    return " · ".join(part for part in parts if part)


def build_rows(
    notes: Sequence[LibraryNote],
    order: str,
    *,
    folded: Container[str] = (),
    selected: Container[int] = (),
) -> list[ListRow]:
    """Return notes in an order, a key of `ORDERS`, with the titles of their groups.

    Args:
        notes: by document and place.
        folded: keys of groups of which only the title is wanted.
        selected: the annotations that are counted in the titles.
    """
    ways: dict[str, Callable[[LibraryNote], NoteGroup]] = {
        DOCUMENT: _group_of_document,
        NEWEST: lambda note: NoteGroup(_describe_day(note), 0),
        COLOR: _group_of_color,
    }
    colors = [*COLOR_WORDS, ""]
    if order == NEWEST:
        notes = sorted(notes, key=lambda note: (-note.mark.created_at, -note.mark.id))
    elif order == COLOR:
        notes = sorted(notes, key=lambda note: colors.index(_group_of_color(note).color))
    rows: list[ListRow] = []
    for group, members in groupby(notes, key=ways[order]):
        several = list(members)
        key = _build_key(order, group, several[0])
        n_selected = sum(note.mark.id in selected for note in several)
        is_folded = key in folded
        rows.append(
            replace(group, count=len(several), key=key, folded=is_folded, n_selected=n_selected)
        )
        rows += [] if is_folded else several
    return rows


def _build_key(order: str, group: NoteGroup, first: LibraryNote) -> str:
    """Return by what a group is remembered: titles are no business of the settings' file."""
    number = first.mark.document_id if order == DOCUMENT else 0
    parts = (order, group.title if not group.color else group.color, str(number))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:KEY_CHARS]


def _group_of_document(note: LibraryNote) -> NoteGroup:
    reference = note.reference
    source = format_authors(reference.author, reference.year)
    return NoteGroup(reference.title, 0, source)


def _describe_day(note: LibraryNote) -> str:
    words = format_day(note.mark.created_at) if note.mark.created_at > 0 else tr("Without a date")
    return words[:1].upper() + words[1:]


def _group_of_color(note: LibraryNote) -> NoteGroup:
    if note.mark.kind == "bookmark":
        return NoteGroup(tr("Bookmarks"), 0)
    color = get_color(note.mark.color)
    return NoteGroup(tr_message(color.name), 0, color=color.key)


class NotesModel(RowsModel):
    """The notes that are shown, with the titles of their groups."""

    @property
    def notes(self) -> list[LibraryNote]:
        return [row for row in self.rows if isinstance(row, LibraryNote)]

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        if index.isValid() and isinstance(index.data(ROW_ROLE), ListTip):
            return Qt.ItemFlag.NoItemFlags
        return super().flags(index)

    def describe(self, row: ListRow, role: int) -> str | None:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        if isinstance(row, ListTip):
            return row.words
        if isinstance(row, NoteGroup):
            entries = trn("{n} entry", "{n} entries", row.count)
            return f"{row.title}: {entries}{tr(' (folded)') if row.folded else ''}"
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
        return f"{kind}: {quote}. {row.mark.note}{tags} {describe_source(row)}"


class NoteList(RowList):
    """The list; `select_row` counts notes only.

    `selected` carries the row of a card or a group to be selected or not, and whether all from the
    last card are meant; `folded` the row of a group or of a card in it, and whether it is to be
    folded, None for the other way round.
    """

    selected = Signal(int, bool)
    folded = Signal(int, object)
    hovered = Signal(int)  # the row under the pointer, -1 for none
    _is_made = False  # Qt asks for rows while the list is made

    def __init__(
        self, theme: Theme, model: NotesModel, delegate: QStyledItemDelegate, name: str
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
        places = [at for at, one in enumerate(self._rows()) if isinstance(one, LibraryNote)]
        if places:
            at = places[min(max(0, row), len(places) - 1)]
            self.setCurrentIndex(self.model().index(at, 0))
        return bool(places)

    def _rows(self) -> Sequence[ListRow]:
        model = self.model()
        return model.rows if isinstance(model, NotesModel) else ()

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
        is_group = 0 <= row < len(rows) and isinstance(rows[row], NoteGroup)
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
        while 0 <= at < len(rows) and not isinstance(rows[at], LibraryNote):
            at += step
        if 0 <= at < len(rows):
            self.setCurrentIndex(self.model().index(at, 0))
            self.selected.emit(at, True)


class GroupTitle(QWidget):
    """The title of the group whose cards are at the top of a list, once it is scrolled away.

    The title of the next group pushes it out. A click scrolls back to the first card of the group.
    """

    def __init__(self, theme: Theme, notes: NoteList) -> None:
        super().__init__(notes.viewport())
        self._theme, self._list = theme, notes
        self.index = QModelIndex()  # of the group
        self.hide()

    def place(self) -> None:
        """Show the title where it belongs, or hide it."""
        notes, rows = self._list, self._list.model()
        first = notes.indexAt(QPoint(LEFT, 0)).row()
        above = (rows.index(at, 0) for at in range(first, -1, -1))
        index = next(filter(_is_group, above), QModelIndex())
        place = notes.visualRect(index)
        if not index.isValid() or place.top() >= 0 or index.data(ROW_ROLE).folded:
            self.hide()
            return
        self.index = index
        top, height = 0, place.height()
        for at in range(first + 1, rows.rowCount()):
            below = notes.visualRect(rows.index(at, 0)).top()
            if below >= height:
                break
            if _is_group(rows.index(at, 0)):
                top = below - height
                break
        self.setGeometry(0, top, notes.viewport().width(), height)
        self.show()
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
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()
        if self.index.isValid():
            self._list.scrollTo(self.index, QAbstractItemView.ScrollHint.PositionAtTop)


def _is_group(index: QModelIndex) -> bool:
    return isinstance(index.data(ROW_ROLE), NoteGroup)


class CardPlaces(NamedTuple):
    """Where the parts of a card are; a part that a card does not have has an empty place.

    `note` is the ground of the note, `more` the line of "Show more", `source` document and place.
    """

    quote: QRect
    note: QRect
    more: QRect
    tags: QRect
    source: QRect
    day: QRect


class HighlightDelegate(QStyledItemDelegate):
    """Draws a card: the colour, quotation, note and tags, and place and date.

    Place and date are beside the texts where a card is wide, and below them elsewhere. A card is
    as high as its texts, so that the gaps between cards are equal; long ones are cut and have
    "Show more". That of an area has its picture at the left, and is as high as that at least.
    Under the pointer, or while cards are selected, there is a check box beside the colour.

    Attributes:
        pictures: of areas.
        order: a key of `ORDERS`: what the groups say is not said again.
        selected: the annotations whose cards are selected.
        unfolded: the annotations whose texts are shown whole.
        bar_id: the annotation on whose card the actions are.
        bar: where these actions are, over the date if that is there.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.pictures = AreaPictures(theme)
        self.order = DOCUMENT
        self.selected: set[int] = set()
        self.unfolded: set[int] = set()
        self.bar_id: int | None = None
        self.bar = QRect()
        # of a text: its font, its width, and the most that are counted
        self._n_lines: dict[tuple[str, str, int, int], int] = {}
        self._fonts: dict[str, QFont] = {}
        self._known_metrics: dict[str, QFontMetrics] = {}
        theme.changed.connect(self._forget)

    def _forget(self) -> None:
        """Clear what was measured: fonts changed."""
        self._n_lines.clear()
        self._fonts.clear()
        self._known_metrics.clear()

    def _line(self, font: str) -> int:
        return self._metrics(font).lineSpacing()

    def _picture_size(self, note: LibraryNote) -> QSize:
        """Return the size of the picture of an area, empty where there is none."""
        picture = self.pictures.light.get(note.mark.id) if note.mark.area is not None else None
        if picture is None:
            return QSize()
        size, theme = picture.size(), self._theme
        room = QSize(theme.length(PICTURE.width()), theme.length(PICTURE.height()))
        size.scale(room, Qt.AspectRatioMode.KeepAspectRatio)
        return size.expandedTo(QSize(1, 1))

    def _beside(self, note: LibraryNote) -> int:
        """Return how far the texts are moved to the right by a picture."""
        size = self._picture_size(note)
        return size.width() + RIGHT if not size.isEmpty() else 0

    def card_rect(self, row: QRect) -> QRect:
        """Return where the card, or the title of a group, is in a row."""
        width = min(self._theme.length(WIDEST), row.width() - 2 * SIDE)
        left = max(SIDE, (row.width() - width) // 2)
        return QRect(row.left() + left, row.top(), width, row.height() - BETWEEN)

    def check_rect(self, card: QRect) -> QRect:
        """Return where the check box of a card is."""
        side = self._theme.length(CHECK)
        return QRect(card.left() + CHECK_LEFT, card.top() + PAD + 1, side, side)

    def group_check_rect(self, area: QRect) -> QRect:
        """Return where the check box of the title of a group is: above those of its cards."""
        side = self._theme.length(CHECK)
        top = area.top() + GROUP_ABOVE + (self._line("strong") - side) // 2
        return QRect(area.left() + CHECK_LEFT, top, side, side)

    def _find_aside(self, card: QRect) -> QRect:
        """Return the column of places and dates of a card; empty in a narrow card."""
        length = self._theme.length
        if card.width() < length(WIDE):
            return QRect()
        room = card.width() - LEFT - RIGHT
        texts = min(length(TEXT_WIDEST), room - length(ASIDE) - ASIDE_GAP)
        left = card.left() + LEFT + texts + ASIDE_GAP
        return QRect(left, card.top() + PAD, card.right() + 1 - RIGHT - left, card.height())

    def can_unfold(self, card: QRect, note: LibraryNote, quote: str) -> bool:
        """Return whether a card has "Show more" or "Show less"."""
        return not self.places(card, note, quote).more.isEmpty()

    def places(self, card: QRect, note: LibraryNote, quote: str) -> CardPlaces:
        """Return where the parts of a card are."""
        theme, small = self._theme, self._line("small")
        area = card.adjusted(LEFT + self._beside(note), PAD, -RIGHT, -PAD)
        aside = self._find_aside(card)
        if not aside.isEmpty():
            area.setRight(aside.left() - ASIDE_GAP - 1)
        is_whole = note.mark.id in self.unfolded
        n_quote, is_cut = self._count_shown(quote, "book", area.width(), MOST_LINES, whole=is_whole)
        words = _shown_note(note)
        inner = area.width() - 2 * NOTE_SIDE - theme.length(SIGN) - SIGN_GAP
        n_note, is_note_cut = self._count_shown(words, "text", inner, MOST_NOTE, whole=is_whole)
        y = area.top()

        def take(height: int) -> QRect:
            nonlocal y
            rect = QRect(area.left(), y, area.width(), height)
            y += height + (GAP if height else 0)
            return rect

        quoted = take(n_quote * theme.length(QUOTE_LINE))
        noted = take(n_note * self._line("text") + 2 * NOTE_ABOVE if n_note else 0)
        more = take(small if is_cut or is_note_cut else 0)
        tags = take(measure_chips(theme) if note.mark.tags else 0)
        if aside.isEmpty():
            foot = take(small)
            day = format_when(note.mark.created_at)
            width = self._metrics("small").horizontalAdvance(day) if day else 0
            source = foot.adjusted(0, 0, -width - 16 if day else 0, 0)
            return CardPlaces(
                quoted, noted, more, tags, source, foot.adjusted(foot.width() - width, 0, 0, 0)
            )
        n_source = self._count_lines(
            self._describe_source(note), "small", aside.width(), MOST_PLACE
        )
        down = theme.length(QUOTE_LINE) - self._metrics("small").height()  # baselines are level
        source = QRect(aside.left(), aside.top() + down // 2 + 1, aside.width(), n_source * small)
        day_place = QRect(aside.left(), source.bottom() + 1 + GAP // 2, aside.width(), small)
        return CardPlaces(quoted, noted, more, tags, source, day_place)

    def _describe_source(self, note: LibraryNote) -> str:
        return describe_source(note, with_title=self.order != DOCUMENT)

    def _font(self, name: str, text: str) -> QFont:
        """Return the font of a text: "book" for quotations, or a role of the theme."""
        if name == "book" and not text.isascii() and is_chinese(text[:JUDGED]):
            name = "book_zh"
        if name not in self._fonts:
            theme, is_book = self._theme, name.startswith("book")
            chinese = name == "book_zh"
            font = theme.book_font("", QUOTE_PX, chinese=chinese) if is_book else theme.font(name)
            self._fonts[name] = font
        return self._fonts[name]

    def _count_lines(self, text: str, font: str, width: int, most: int) -> int:
        key = text, font, width, most
        if key not in self._n_lines:
            self._n_lines[key] = len(_break_lines(text, self._font(font, text), width, most))
        return self._n_lines[key]

    def _count_shown(
        self, text: str, font: str, width: int, most: int, *, whole: bool
    ) -> tuple[int, bool]:
        """Return how many lines of a text are shown, and whether a folded card cuts it.

        A single line more than `most` is shown: "Show more" would be as high.
        """
        n = self._count_lines(text, font, width, most + 2) if text else 0
        is_cut = n > most + 1
        if is_cut and whole:
            return self._count_lines(text, font, width, MOST_UNFOLDED), True
        return (most if is_cut else n), is_cut

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        row: ListRow = index.data(ROW_ROLE)
        if isinstance(row, NoteGroup):
            return QSize(200, GROUP_ABOVE + self._line("strong") + GROUP_BELOW + BETWEEN)
        if isinstance(row, ListTip):
            return QSize(200, 2 * GROUP_ABOVE + self._line("small"))
        view = option.widget
        width = view.viewport().width() if isinstance(view, RowList) else option.rect.width()
        card = self.card_rect(QRect(0, 0, width, 100))
        places = self.places(card, row, index.data(Qt.ItemDataRole.DisplayRole))
        bottoms = [place.bottom() + 1 for place in places if not place.isEmpty()]
        bottoms.append(card.top() + PAD + self._picture_size(row).height())
        height = max(bottoms) - card.top() + PAD
        if not self._find_aside(card).isEmpty():  # the actions cover the date only
            bar = GAP // 2 + self._theme.length(BAR_HEIGHT) + BAR_FOOT
            height = max(height, places.source.bottom() + 1 - card.top() + bar)
        return QSize(200, height + BETWEEN)

    def _metrics(self, font: str) -> QFontMetrics:
        if font not in self._known_metrics:  # a long list asks for them 100,000 times
            self._known_metrics[font] = QFontMetrics(self._font(font, ""))
        return self._known_metrics[font]

    @inverts_selection
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        row: ListRow = index.data(ROW_ROLE)
        card = self.card_rect(option.rect)
        painter.save()
        if isinstance(row, NoteGroup):
            self._paint_group(painter, option, row, card)
        elif isinstance(row, ListTip):
            room = card.adjusted(2, GROUP_ABOVE, 0, 0)
            self._draw(painter, room, row.words, "small", "text2")
        else:
            quote = index.data(Qt.ItemDataRole.DisplayRole)
            self._paint_card(painter, option, row, quote, card)
        painter.restore()

    def _paint_group(
        self, painter: QPainter, option: QStyleOptionViewItem, group: NoteGroup, area: QRect
    ) -> None:
        """Paint the title of a group, its number of entries, and its source at the right."""
        theme, state = self._theme, option.state
        room = area.adjusted(2, GROUP_ABOVE, -2, 0)
        strong, small = self._metrics("strong"), self._metrics("small")
        baseline = room.top() + strong.ascent()
        has_ring = self._has_key_focus(option)
        over = bool(state & QStyle.StateFlag.State_MouseOver)
        ground = QRectF(room.left() - 2, room.top() - 5, room.width() + 4, strong.height() + 10)
        if over:
            paint_box(painter, ground, theme.color("accent_soft", 0.5))
        if has_ring:  # a ring without a ground: a selected card has a ground
            paint_box(painter, ground, Qt.BrushStyle.NoBrush, theme.color("accent"), 2)
        side = theme.length(CARET)
        caret = QRect(room.left() + 2, room.top() + (strong.height() - side) // 2, side, side)
        icon = "caret-right" if group.folded else "caret-down"
        theme.icon(icon, color="text2").paint(painter, caret)
        if over or has_ring or self.selected:
            is_all = 0 < group.n_selected == group.count
            box = self.group_check_rect(area)
            self._paint_check(painter, box, is_selected=is_all, is_part=group.n_selected > 0)
        room.setLeft(area.left() + LEFT)
        if group.color:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(note_ink(theme.tokens, group.color))
            side = theme.length(10)
            painter.drawEllipse(QRectF(room.left(), baseline - side + 1, side, side))
            room.setLeft(room.left() + side + 8)
        count = trn("{n} entry", "{n} entries", group.count)
        if group.n_selected:
            count += " · " + trn("{n} selected", "{n} selected", group.n_selected)
        width = small.horizontalAdvance(count) + 12
        source = small.elidedText(group.source, Qt.TextElideMode.ElideRight, room.width() // 3)
        beside = small.horizontalAdvance(source) + 24 if source else 0
        most = room.width() - width - beside
        title = strong.elidedText(group.title, Qt.TextElideMode.ElideMiddle, most)
        painter.setFont(theme.font("strong"))
        painter.setPen(theme.color("text"))
        painter.drawText(room.left(), baseline, title)
        painter.setFont(theme.font("small"))
        painter.setPen(theme.color("text2"))
        after = room.left() + strong.horizontalAdvance(title) + 12
        painter.drawText(after, baseline, count)
        if source:
            aside, left = self._find_aside(area), room.right() - beside + 18
            if not aside.isEmpty() and after + width <= aside.left() <= left:
                left = aside.left()  # above the places of its cards
            painter.drawText(left, baseline, source)

    @staticmethod
    def _has_key_focus(option: QStyleOptionViewItem) -> bool:
        """Return whether a row is the current one of a list that is used with the keyboard."""
        return (
            bool(option.state & QStyle.StateFlag.State_Selected)
            and option.widget is not None
            and option.widget.hasFocus()
            and option.widget.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
        )

    def _paint_card(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        note: LibraryNote,
        quote: str,
        card: QRect,
    ) -> None:
        theme, mark = self._theme, note.mark
        is_current = bool(option.state & QStyle.StateFlag.State_Selected)
        over = bool(option.state & QStyle.StateFlag.State_MouseOver) or mark.id == self.bar_id
        is_selected = mark.id in self.selected
        ground = theme.color("accent_soft" if is_selected else "surface")
        if over and not is_selected:
            ground = QColor(mix_shades(theme.tokens)["hover"])
        if is_current and theme.is_high:
            ground = theme.color("bg")
        edge = theme.color("accent" if is_current or is_selected else "line")
        paint_box(painter, QRectF(card), ground, edge, 2 if self._has_key_focus(option) else 1)
        places = self.places(card, note, quote)
        self._paint_color(painter, note, card)
        if is_selected or over or self.selected:
            self._paint_check(painter, self.check_rect(card), is_selected=is_selected)
        self._paint_picture(painter, note, card.adjusted(LEFT, PAD, -RIGHT, -PAD))
        is_label = not find_shown_words(mark)
        self._draw(painter, places.quote, quote, "book", "text2" if is_label else "text")
        if mark.note:
            self._paint_note(painter, note, places.note)
        if not places.more.isEmpty():
            words = tr("Show less") if mark.id in self.unfolded else tr("Show more")
            link = theme.font("small")
            link.setWeight(QFont.Weight.DemiBold)
            link.setUnderline(theme.is_high)  # as other links there
            self._draw_lines(painter, places.more, [words], link, "accent", self._line("small"))
        if mark.tags:
            paint_tags(painter, theme, mark.tags, places.tags)
        day = format_when(mark.created_at)
        is_covered = mark.id == self.bar_id and self.bar.intersects(places.day)
        if day and not is_covered:
            self._draw(painter, places.day, day, "small", "text2")
        self._draw(painter, places.source, self._describe_source(note), "small", "text2")

    def _paint_note(self, painter: QPainter, note: LibraryNote, place: QRect) -> None:
        """Draw a note on a ground, with the sign of notes: it is no quotation."""
        theme, words = self._theme, _shown_note(note)
        side, line = theme.length(SIGN), self._line("text")
        room = place.adjusted(NOTE_SIDE + side + SIGN_GAP, NOTE_ABOVE, -NOTE_SIDE, -NOTE_ABOVE)
        font = theme.font("text")
        lines = _break_lines(words, font, room.width(), max(1, room.height() // line))
        widest = max((QFontMetrics(font).horizontalAdvance(line) for line in lines), default=0)
        box = QRectF(place)
        box.setRight(min(box.right(), room.left() + widest + NOTE_SIDE))
        edge = theme.color("line") if theme.is_high else None
        tint = NOTE_TINT_DARK if theme.is_dark else NOTE_TINT
        paint_box(painter, box, theme.color("accent", tint), edge)
        sign = QRect(place.left() + NOTE_SIDE, room.top() + (line - side) // 2, side, side)
        theme.icon("ph.note", color="accent").paint(painter, sign)
        self._draw_lines(painter, room, lines, font, "text", line)

    def _paint_color(self, painter: QPainter, note: LibraryNote, card: QRect) -> None:
        """Draw the colour of a highlight at the left of its card, as long as the card."""
        ink = note_ink(self._theme.tokens, note.mark.color)
        if note.mark.kind == "bookmark":
            ink = self._theme.color("accent")
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        left, top = card.left() + STRIPE_LEFT, card.top() + PAD + 1
        painter.drawRoundedRect(QRectF(left, top, STRIPE, card.height() - 2 * PAD - 2), 2, 2)

    def _paint_check(
        self, painter: QPainter, box: QRect, *, is_selected: bool, is_part: bool = False
    ) -> None:
        """Draw a check box; with a dash where only a part of a group is selected."""
        theme, is_filled = self._theme, is_selected or is_part
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("accent" if is_filled else "text2"), 1))
        painter.setBrush(theme.color("accent" if is_filled else "surface"))
        painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        if is_filled:
            icon = "ph.check" if is_selected else "ph.minus"
            theme.icon(icon, color="on_accent").paint(painter, box.adjusted(2, 2, -2, -2))

    def _paint_picture(self, painter: QPainter, note: LibraryNote, area: QRect) -> None:
        """Draw the picture of an area at the left of a card; that of a figure as it is printed."""
        size = self._picture_size(note)
        picture = self.pictures.find(note.mark.id, as_printed=shows_figure(note.mark))
        if size.isEmpty() or picture is None:
            return
        place = QRect(QPoint(area.left(), area.top()), size)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(place, picture)
        painter.setPen(self._theme.color("line"))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(place)

    def _draw(self, painter: QPainter, area: QRect, text: str, font: str, color: str) -> None:
        """Draw a text in as many lines as the area has, the last with an ellipsis."""
        used = self._font(font, text)
        spacing = self._theme.length(QUOTE_LINE) if font == "book" else self._line(font)
        lines = _break_lines(text, used, area.width(), max(1, area.height() // spacing))
        self._draw_lines(painter, area, lines, used, color, spacing)

    def _draw_lines(
        self,
        painter: QPainter,
        area: QRect,
        lines: Sequence[str],
        font: QFont,
        color: str,
        spacing: int,
    ) -> None:
        metrics = QFontMetrics(font)
        above = max(0, spacing - metrics.height()) // 2
        painter.setFont(font)
        painter.setPen(self._theme.color(color))
        for number, line in enumerate(lines):
            baseline = area.top() + number * spacing + above + metrics.ascent()
            painter.drawText(area.left(), baseline, line)


def _shown_note(note: LibraryNote) -> str:
    """Return the words of a note with its lines, without empty ones."""
    lines = (" ".join(line.split()) for line in note.mark.note.splitlines())
    return LINE_END.join(filter(None, lines))


def _break_lines(text: str, font: QFont, width: int, most: int) -> list[str]:
    """Return a text in lines of this width, the last possible one with an ellipsis."""
    metrics = QFontMetrics(font)
    text = text[: MOST_UNFOLDED if most > MOST_LINES + 2 else MOST_CHARACTERS]
    width = max(LEAST_LINE, width)
    is_short = len(text) * NARROWEST < width and LINE_END not in text
    if is_short and metrics.horizontalAdvance(text) <= width:
        return [text] if text else []
    if most == 1:
        shown = text.replace(LINE_END, " ")
        return [metrics.elidedText(shown, Qt.TextElideMode.ElideRight, width)]
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    units = text.encode("utf-16-le")  # Qt counts in these
    lines: list[str] = []
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        start, end = 2 * line.textStart(), 2 * (line.textStart() + line.textLength())
        if len(lines) == most - 1 and end < len(units):
            rest, _, more = units[start:].decode("utf-16-le").partition(LINE_END)
            rest += " …" if more else ""
            lines.append(metrics.elidedText(rest, Qt.TextElideMode.ElideRight, width))
            break
        lines.append(units[start:end].decode("utf-16-le").strip())
    layout.endLayout()
    return lines
