"""The list of highlights and notes: its rows, their order and groups, and how they are drawn."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple, cast

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QSinglePointEvent,
)
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_app.engine.services.annotations import find_shown_words, shows_figure
from desktop_app.engine.services.library_notes import LibraryNote, NoteWords, describe_place

from ..theme.stylesheet import mix_shades
from ..theme.theme import Theme
from ..translation import later, tr, trn
from ..widgets.area_pictures import AreaPictures
from ..widgets.labels import paint_box
from ..widgets.note_colors import COLOR_WORDS, note_ink
from ..widgets.tables import ROW_ROLE, AnyIndex, RowList, RowsModel, inverts_selection
from ..widgets.tag_chips import SIGN, SIGN_GAP, measure_chips, paint_tags
from ..widgets.words import FRONT_MATTER, format_authors, format_day, format_headings, format_when

PAD, GAP, LEFT, RIGHT = 12, 6, 34, 16
STRIPE, CHECK, CARET = 4, 16, 14  # pixels: the colour, the check box over it; of a group
BETWEEN = 8  # pixels between two cards
WIDEST = 820  # pixels of a card: longer lines are hard to read
SIDE = 16  # pixels at least beside a card
GROUP_ABOVE, GROUP_BELOW = 14, 2  # pixels around the title of a group
PICTURE = QSize(320, 160)  # pixels of the room for the picture of an area
MOST_CHARACTERS = 2_000  # of a quotation that are measured: more than three lines hold
MOST_LINES = 3  # of a quotation, of which one is the note if there is one
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
    return NoteGroup(tr(COLOR_WORDS[note.mark.color]), 0, color=note.mark.color)


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
        kind = tr(COLOR_WORDS[row.mark.color])
        if row.mark.kind == "bookmark":
            kind = tr("Bookmark")
        tags = f" {tr('Tags')}: {', '.join(row.mark.tags)}." if row.mark.tags else ""
        return f"{kind}: {quote}. {row.mark.note}{tags} {describe_source(row)}"


class NoteList(RowList):
    """The list; `select_row` counts notes only.

    `selected` carries the row of a card to be selected or not, and whether all from the last one
    are meant; `folded` the row of a group or of a card in it, and whether it is to be folded, None
    for the other way round.
    """

    selected = Signal(int, bool)
    folded = Signal(int, object)
    hovered = Signal(int)  # the row under the pointer, -1 for none

    def __init__(
        self,
        model: NotesModel,
        delegate: QStyledItemDelegate,
        name: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(model, delegate, name, parent)
        self.pressed_at = QPoint()
        self.pressed_with = Qt.KeyboardModifier.NoModifier
        self._hovered = -1
        self.verticalScrollBar().valueChanged.connect(lambda _: self._hover(self._pointer))
        self._pointer: QPoint | None = None

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
        """Select with Space, and with Shift and an arrow; fold with Left, Right and Space."""
        row, key, rows = self.currentIndex().row(), event.key(), self._rows()
        keys, shift = Qt.Key, Qt.KeyboardModifier.ShiftModifier
        is_group = 0 <= row < len(rows) and isinstance(rows[row], NoteGroup)
        if row >= 0 and key in (keys.Key_Left, keys.Key_Right):
            self.folded.emit(row, key == keys.Key_Left)
        elif row >= 0 and is_group and key in (keys.Key_Space, keys.Key_Return, keys.Key_Enter):
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


class CardPlaces(NamedTuple):
    """Where the parts of a card are; a note or tags that there are not have an empty place."""

    quote: QRect
    note: QRect
    tags: QRect
    foot: QRect


class HighlightDelegate(QStyledItemDelegate):
    """Draws a card: the colour, up to three lines of quotation and note, tags, place and date.

    A card is as high as its texts, so that the gaps between cards are equal. That of an area has
    its picture at the left, and is as high as that at least. Under the pointer, or while cards are
    selected, there is a check box above the colour.

    Attributes:
        pictures: of areas.
        order: a key of `ORDERS`: what the groups say is not said again.
        selected: the annotations whose cards are selected.
        bar_id: the annotation on whose card the actions are, over its date.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.pictures = AreaPictures(theme)
        self.order = DOCUMENT
        self.selected: set[int] = set()
        self.bar_id: int | None = None
        self._n_lines: dict[tuple[str, int, int], int] = {}  # of a quotation, its width, its most
        theme.changed.connect(self._n_lines.clear)

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
        return QRect(row.left() + SIDE, row.top(), width, row.height() - BETWEEN)

    def check_rect(self, card: QRect) -> QRect:
        """Return where the check box of a card is."""
        side = self._theme.length(CHECK)
        return QRect(card.left() + (LEFT - side) // 2, card.top() + PAD, side, side)

    def places(self, card: QRect, note: LibraryNote, quote: str) -> CardPlaces:
        """Return where the parts of a card are."""
        area = card.adjusted(LEFT + self._beside(note), PAD, -RIGHT, -PAD)
        line, chips = self._line("text"), measure_chips(self._theme)
        n_lines = self._count_drawn(quote, area.width(), _count_lines(note))
        y = area.top()

        def take(height: int) -> QRect:
            nonlocal y
            rect = QRect(area.left(), y, area.width(), height)
            y += height + (GAP if height else 0)
            return rect

        return CardPlaces(
            take(n_lines * line),
            take(line if note.mark.note else 0),
            take(chips if note.mark.tags else 0),
            take(self._line("small")),
        )

    def _count_drawn(self, quote: str, width: int, most: int) -> int:
        key = quote, width, most
        if key not in self._n_lines:
            self._n_lines[key] = len(_break_lines(quote, self._metrics("text"), width, most))
        return self._n_lines[key]

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        row: ListRow = index.data(ROW_ROLE)
        if isinstance(row, NoteGroup):
            return QSize(200, GROUP_ABOVE + self._line("strong") + GROUP_BELOW + BETWEEN)
        if isinstance(row, ListTip):
            return QSize(200, 2 * GROUP_ABOVE + self._line("small"))
        view = option.widget
        width = view.viewport().width() if isinstance(view, RowList) else option.rect.width()
        card = self.card_rect(QRect(0, 0, width, 100))
        foot = self.places(card, row, index.data(Qt.ItemDataRole.DisplayRole)).foot
        height = foot.bottom() + 1 - card.top() - PAD
        return QSize(200, max(height, self._picture_size(row).height()) + 2 * PAD + BETWEEN)

    def _metrics(self, font: str) -> QFontMetrics:
        return QFontMetrics(self._theme.font(font))

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
        has_ring = (
            bool(state & QStyle.StateFlag.State_Selected)
            and option.widget is not None
            and option.widget.hasFocus()
            and option.widget.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
        )
        if has_ring or state & QStyle.StateFlag.State_MouseOver:
            ground = QRectF(room.left() - 2, room.top() - 5, room.width() + 4, strong.height() + 10)
            edge = theme.color("accent") if has_ring else None
            paint_box(painter, ground, theme.color("accent_soft", 0.5), edge)
        side = theme.length(CARET)
        caret = QRect(room.left() + 2, room.top() + (strong.height() - side) // 2, side, side)
        icon = "caret-right" if group.folded else "caret-down"
        theme.icon(icon, color="text2").paint(painter, caret)
        room.setLeft(caret.right() + 9)
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
        painter.drawText(room.left() + strong.horizontalAdvance(title) + 12, baseline, count)
        if source:
            painter.drawText(room.right() - beside + 18, baseline, source)

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
        paint_box(painter, QRectF(card), ground, edge)
        places = self.places(card, note, quote)
        self._paint_color(painter, note, card)
        if is_selected or over or self.selected:
            self._paint_check(painter, self.check_rect(card), ground, is_selected=is_selected)
        self._paint_picture(painter, note, card.adjusted(LEFT, PAD, -RIGHT, -PAD))
        line = self._line("text")
        is_label = mark.area is not None and not find_shown_words(mark)
        self._draw(painter, places.quote, quote, "text", "text2" if is_label else "text")
        if mark.note:
            side = theme.length(SIGN)
            below = places.note
            sign = QRect(below.left(), below.top() + (line - side) // 2, side, side)
            theme.icon("ph.note", color="text2").paint(painter, sign)
            words = below.adjusted(side + SIGN_GAP, 0, 0, 0)
            self._draw(painter, words, " ".join(mark.note.split()), "text", "text")
        if mark.tags:
            paint_tags(painter, theme, mark.tags, places.tags)
        foot = places.foot
        day = format_when(mark.created_at)
        if day and mark.id != self.bar_id:
            width = self._metrics("small").horizontalAdvance(day)
            at = foot.adjusted(foot.width() - width, 0, 0, 0)
            self._draw(painter, at, day, "small", "text2")
            foot.setWidth(foot.width() - width - 16)
        source = describe_source(note, with_title=self.order != DOCUMENT)
        self._draw(painter, foot, source, "small", "text2")

    def _paint_color(self, painter: QPainter, note: LibraryNote, card: QRect) -> None:
        """Draw the colour of a highlight at the left of its card, as long as the card."""
        ink = note_ink(self._theme.tokens, note.mark.color)
        if note.mark.kind == "bookmark":
            ink = self._theme.color("accent")
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        left, top = card.left() + (LEFT - STRIPE) / 2, card.top() + PAD + 1
        painter.drawRoundedRect(QRectF(left, top, STRIPE, card.height() - 2 * PAD - 2), 2, 2)

    def _paint_check(
        self, painter: QPainter, box: QRect, ground: QColor, *, is_selected: bool
    ) -> None:
        """Draw a check box over the upper end of the colour."""
        theme = self._theme
        painter.fillRect(box.adjusted(-2, -PAD // 2, 2, 4), ground)
        edge = theme.color("accent" if is_selected else "text2")
        fill = theme.color("accent" if is_selected else "surface")
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(edge, 1))
        painter.setBrush(fill)
        painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        if is_selected:
            theme.icon("ph.check", color="on_accent").paint(painter, box.adjusted(2, 2, -2, -2))

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

    def _draw(self, painter: QPainter, area: QRect, text: str, font: str, color: str) -> int:
        """Draw a text in as many lines as the area has, the last with an ellipsis.

        Returns:
            the number of lines that the text has taken.
        """
        used = self._theme.font(font)
        metrics = QFontMetrics(used)
        painter.setFont(used)
        painter.setPen(self._theme.color(color))
        spacing = metrics.lineSpacing()
        lines = _break_lines(text, metrics, area.width(), max(1, area.height() // spacing))
        for number, line in enumerate(lines):
            painter.drawText(area.left(), area.top() + number * spacing + metrics.ascent(), line)
        return len(lines)


def _count_lines(note: LibraryNote) -> int:
    """Return how many lines the quotation of a note may have."""
    return MOST_LINES - 1 if note.mark.note else MOST_LINES


def _break_lines(text: str, metrics: QFontMetrics, width: int, most: int) -> list[str]:
    """Return a text in lines of this width, the last possible one with an ellipsis."""
    lines: list[str] = []
    text = text[:MOST_CHARACTERS]
    while text and len(lines) < most:
        shown, rest = text, ""
        if metrics.horizontalAdvance(text) > width:
            if len(lines) == most - 1:
                shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
            else:
                shown, rest = _cut_line(text, metrics, width)
        lines.append(shown)
        text = rest
    return lines


def _cut_line(text: str, metrics: QFontMetrics, width: int) -> tuple[str, str]:
    """Return the part of a text that fits in one line, and the rest."""
    low, high = 1, min(len(text), 1_000)
    while low < high:
        middle = (low + high + 1) // 2
        if metrics.horizontalAdvance(text[:middle]) <= width:
            low = middle
        else:
            high = middle - 1
    space = text.rfind(" ", 0, low + 1)
    at = space if space > low // 2 else low
    return text[:at].rstrip(), text[at:].lstrip()
