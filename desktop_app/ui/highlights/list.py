"""The list of highlights and notes: its rows, their order and groups, and how they are drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_app.engine.services.annotations import find_shown_words, shows_figure
from desktop_app.engine.services.library_notes import LibraryNote, NoteWords, describe_place

from ..theme.theme import Theme
from ..translation import later, tr, trn
from ..widgets.area_pictures import AreaPictures
from ..widgets.labels import paint_box
from ..widgets.note_colors import COLOR_WORDS, note_ink
from ..widgets.tables import ROW_ROLE, AnyIndex, RowList, RowsModel, inverts_selection
from ..widgets.words import FRONT_MATTER, format_authors, format_day, format_headings, format_when

PAD, GAP, LEFT, RIGHT = 12, 4, 24, 16
BETWEEN = 8  # pixels between two cards
WIDEST = 820  # pixels of a card: longer lines are hard to read
SIDE = 16  # pixels at least beside a card
GROUP_ABOVE, GROUP_BELOW = 14, 2  # pixels around the title of a group
PICTURE = QSize(320, 160)  # pixels of the room for the picture of an area
MOST_CHARACTERS = 2_000  # of a quotation that are measured: more than three lines hold
MOST_LINES = 3  # of a quotation, of which one is the note if there is one
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
    """

    title: str
    count: int
    source: str = ""
    color: str = ""


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


def build_rows(notes: Sequence[LibraryNote], order: str) -> list[ListRow]:
    """Return notes in an order, a key of `ORDERS`, with the titles of their groups.

    Args:
        notes: by document and place.
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
        rows += [replace(group, count=len(several)), *several]
    return rows


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
    """The notes that are shown, with the titles of their groups, which can't be chosen."""

    @property
    def notes(self) -> list[LibraryNote]:
        return [row for row in self.rows if isinstance(row, LibraryNote)]

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        if index.isValid() and not isinstance(index.data(ROW_ROLE), LibraryNote):
            return Qt.ItemFlag.NoItemFlags
        return super().flags(index)

    def describe(self, row: ListRow, role: int) -> str | None:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        if isinstance(row, ListTip):
            return row.words
        if isinstance(row, NoteGroup):
            entries = trn("{n} entry", "{n} entries", row.count)
            return f"{row.title}: {entries}"
        quote = find_shown_words(row.mark)
        if not quote:
            is_page = row.mark.area is None
            quote = tr("(a page without text)") if is_page else tr("Area of the page")
        if role == Qt.ItemDataRole.DisplayRole:
            return quote
        kind = tr(COLOR_WORDS[row.mark.color])
        if row.mark.kind == "bookmark":
            kind = tr("Bookmark")
        return f"{kind}: {quote}. {row.mark.note} {describe_source(row)}"


class NoteList(RowList):
    """The list; `select_row` counts notes only."""

    def select_row(self, row: int) -> bool:
        places = [at for at, one in enumerate(self._rows()) if isinstance(one, LibraryNote)]
        if places:
            at = places[min(max(0, row), len(places) - 1)]
            self.setCurrentIndex(self.model().index(at, 0))
        return bool(places)

    def _rows(self) -> Sequence[ListRow]:
        model = self.model()
        return model.rows if isinstance(model, NotesModel) else ()


class HighlightDelegate(QStyledItemDelegate):
    """Draws a card: the colour, up to three lines of quotation and note, the place and the date.

    A card is as high as its texts, so that the gaps between cards are equal. That of an area has
    its picture at the left, and is as high as that at least.

    Attributes:
        pictures: of areas.
        order: a key of `ORDERS`: what the groups say is not said again.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.pictures = AreaPictures(theme)
        self.order = DOCUMENT
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

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        row: ListRow = index.data(ROW_ROLE)
        if isinstance(row, NoteGroup):
            return QSize(200, GROUP_ABOVE + self._line("strong") + GROUP_BELOW + BETWEEN)
        if isinstance(row, ListTip):
            return QSize(200, 2 * GROUP_ABOVE + self._line("small"))
        view = option.widget
        width = view.viewport().width() if isinstance(view, RowList) else option.rect.width()
        card = self.card_rect(QRect(0, 0, width, 100))
        room = card.width() - LEFT - RIGHT - self._beside(row)
        key = index.data(Qt.ItemDataRole.DisplayRole), room, _count_lines(row)
        if key not in self._n_lines:
            quote, room, most = key
            self._n_lines[key] = len(_break_lines(quote, self._metrics("text"), room, most))
        below = self._line("text") + GAP if row.mark.note else 0
        height = self._n_lines[key] * self._line("text") + GAP + below + self._line("small")
        return QSize(200, max(height, self._picture_size(row).height()) + 2 * PAD + BETWEEN)

    def _metrics(self, font: str) -> QFontMetrics:
        return QFontMetrics(self._theme.font(font))

    @inverts_selection
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        row: ListRow = index.data(ROW_ROLE)
        card = self.card_rect(option.rect)
        painter.save()
        if isinstance(row, NoteGroup):
            self._paint_group(painter, row, card)
        elif isinstance(row, ListTip):
            room = card.adjusted(2, GROUP_ABOVE, 0, 0)
            self._draw(painter, room, row.words, "small", "text2")
        else:
            quote = index.data(Qt.ItemDataRole.DisplayRole)
            self._paint_card(painter, option, row, quote, card)
        painter.restore()

    def _paint_group(self, painter: QPainter, group: NoteGroup, area: QRect) -> None:
        """Paint the title of a group, its number of entries, and its source at the right."""
        room = area.adjusted(2, GROUP_ABOVE, -2, 0)
        strong, small = self._metrics("strong"), self._metrics("small")
        baseline = room.top() + strong.ascent()
        if group.color:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(note_ink(self._theme.tokens, group.color))
            side = self._theme.length(10)
            painter.drawEllipse(QRectF(room.left(), baseline - side + 1, side, side))
            room.setLeft(room.left() + side + 8)
        count = trn("{n} entry", "{n} entries", group.count)
        width = small.horizontalAdvance(count) + 12
        source = small.elidedText(group.source, Qt.TextElideMode.ElideRight, room.width() // 3)
        beside = small.horizontalAdvance(source) + 24 if source else 0
        most = room.width() - width - beside
        title = strong.elidedText(group.title, Qt.TextElideMode.ElideMiddle, most)
        painter.setFont(self._theme.font("strong"))
        painter.setPen(self._theme.color("text"))
        painter.drawText(room.left(), baseline, title)
        painter.setFont(self._theme.font("small"))
        painter.setPen(self._theme.color("text2"))
        painter.drawText(room.left() + strong.horizontalAdvance(title) + 12, baseline, count)
        if source:
            painter.drawText(room.right() - beside + 24, baseline, source)

    def _paint_card(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        note: LibraryNote,
        quote: str,
        card: QRect,
    ) -> None:
        theme = self._theme
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        over = bool(option.state & QStyle.StateFlag.State_MouseOver)
        ground = theme.color("accent_soft" if chosen else "hover" if over else "surface")
        if chosen and theme.is_high:
            ground = theme.color("bg")
        edge = theme.color("accent" if chosen else "line")
        paint_box(painter, QRectF(card), ground, edge)
        area = card.adjusted(LEFT, PAD, -RIGHT, -PAD)
        ink = note_ink(theme.tokens, note.mark.color)
        if note.mark.kind == "bookmark":
            ink = theme.color("accent")
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        painter.drawRoundedRect(
            QRectF(card.left() + 10, area.top() + 1, 4, area.height() - 2), 2, 2
        )
        self._paint_picture(painter, note, area)
        area.setLeft(area.left() + self._beside(note))
        line = self._line("text")
        is_label = note.mark.area is not None and not find_shown_words(note.mark)
        rect = QRect(area.left(), area.top(), area.width(), _count_lines(note) * line)
        n_lines = self._draw(painter, rect, quote, "text", "text2" if is_label else "text")
        y = area.top() + line * n_lines + GAP
        if note.mark.note:
            side = theme.length(14)
            where = QRect(area.left(), y + (line - side) // 2, side, side)
            theme.icon("ph.note", color="text2").paint(painter, where)
            below = QRect(area.left() + side + 6, y, area.width() - side - 6, line)
            self._draw(painter, below, " ".join(note.mark.note.split()), "text", "text")
            y += line + GAP
        foot = QRect(area.left(), y, area.width(), self._line("small"))
        day = format_when(note.mark.created_at)
        if day:
            width = self._metrics("small").horizontalAdvance(day)
            at = foot.adjusted(foot.width() - width, 0, 0, 0)
            self._draw(painter, at, day, "small", "text2")
            foot.setWidth(foot.width() - width - 16)
        source = describe_source(note, with_title=self.order != DOCUMENT)
        self._draw(painter, foot, source, "small", "text2")

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
