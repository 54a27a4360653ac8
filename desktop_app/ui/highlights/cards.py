"""How the rows of the list of highlights are measured and drawn, roomy or compact."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QPainter,
    QPen,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop_app.engine.highlight_colors import get_color
from desktop_app.engine.services.annotation_entries import AnnotationEntry
from desktop_app.engine.services.annotations import find_shown_words, shows_figure

from ..theme.fonts import is_chinese
from ..theme.stylesheet import mix_shades
from ..theme.theme import Theme
from ..translation import tr, tr_message, trn
from ..widgets.area_pictures import AreaPictures
from ..widgets.highlight_colors import paint_color
from ..widgets.labels import paint_box
from ..widgets.tables import ROW_ROLE, AnyIndex, RowList, inverts_selection
from ..widgets.tag_chips import SIGN, SIGN_GAP, measure_chips, measure_tags, paint_tags
from ..widgets.words import format_when
from .list import (
    COLOR,
    DOCUMENT,
    NO_FILES,
    EntryGroup,
    ListRow,
    ListTip,
    describe_kind,
    describe_spot,
    describe_title,
)

LEFT, RIGHT = 44, 16
STRIPE, STRIPE_LEFT = 4, 8  # pixels: the colour, and where it is in a card
UNDERLINE, UNDERLINE_BELOW = 2.0, 2  # pixels: of an underlined quotation, below its letters
CHECK, CHECK_LEFT, CARET = 16, 20, 14  # pixels: the check box, where it is; the caret of a group
WIDEST = 1_200  # pixels of a card; a wider list has its cards in the middle
SIDE = 16  # pixels at least beside a card
WIDE = 920  # pixels of a card that has place and date beside its texts, not below them
ASIDE_GAP = 32  # pixels before place and date
NOTE_SIDE, NOTE_ABOVE, NOTE_GAP = 8, 4, 12  # pixels of the ground of a note, and beside it
BAR_HEIGHT, BAR_GAP = 28, 8  # pixels: the actions on a card, and before them
GROUP_ABOVE, GROUP_BELOW = 14, 2  # pixels around the title of a group
FILE_SIDE = 6  # pixels beside the format of a file in its frame
PICTURE = QSize(320, 160)  # pixels of the room for the picture of an area
MOST_CHARACTERS = 2_000  # of a text that are measured: more than the lines of a folded card hold
MOST_UNFOLDED = 20_000  # characters of a text that are shown in an unfolded card
MOST_PLACE = 3  # lines of a place beside the texts
LINE_END = "\u2028"  # by which Qt breaks lines within a paragraph
JUDGED = 200  # characters of a quotation by which its language is judged
NARROWEST = 3  # pixels of a letter on average: a text of more has no room in a line
LEAST_LINE = 40  # pixels: narrower lines would have a letter each
DOT = "· "  # not shown: before the date and the document where they follow the place in a line
# of the accent in the ground of a note; the contrast of its text is at least 7 on a selected card
NOTE_TINT, NOTE_TINT_DARK = 0.11, 0.17


@dataclass(frozen=True, slots=True)
class Density:
    """How much room a card gives to its texts, in pixels and lines.

    Attributes:
        pad, gap, between: around the texts, between them, and between two cards.
        letters, line: the size and the line height of a quotation, in the book font.
        most_lines, most_note: lines of a quotation and of a note that is not unfolded.
        widest: of a line of a quotation.
        aside: for place and date at least, beside the texts.
        bar_foot: below the actions on a card.
        picture: of the height of `PICTURE`.
        has_links: whether cut texts end with "Show more", and notes and tags have a line each.
    """

    pad: int
    gap: int
    between: int
    letters: int
    line: int
    most_lines: int
    most_note: int
    widest: int
    aside: int
    bar_foot: int
    picture: float
    has_links: bool


# lines of 740 pixels have about 105 letters: longer ones are hard to read one after the other
ROOMY = Density(10, 6, 8, 15, 22, 6, 3, 740, 250, 6, 1.0, has_links=True)
# two lines of a quotation are as high as place and date; two may be longer; one more action
COMPACT = Density(6, 4, 4, 14, 20, 2, 1, 820, 290, 4, 0.4, has_links=False)


class CardPlaces(NamedTuple):
    """Where the parts of a card are; a part that a card does not have has an empty place.

    `note` is the ground of the note, `more` the line of "Show more".
    """

    quote: QRect
    note: QRect
    more: QRect
    tags: QRect
    document: QRect
    place: QRect
    day: QRect


class _Texts(NamedTuple):
    """How much room the texts of a card need.

    `n_quote` and `n_note` count lines, `note_width` and `last_width` (of the last line of the
    quotation) are pixels, and `is_cut` says whether a folded card cuts one of the two.
    """

    n_quote: int
    n_note: int
    note_width: int
    is_cut: bool
    last_width: int


class HighlightDelegate(QStyledItemDelegate):
    """Draws a card: the colour, quotation, note and tags, and document, place and date.

    These are beside the texts where a card is wide, and below them elsewhere; the actions on a
    card make them shorter and hide none. A card is as high as its texts, so that the gaps between
    cards are equal; long ones are cut and can be unfolded. That of an area has its picture at the
    left, and is as high as that at least. Under the pointer, or while cards are selected, there
    is a check box beside the colour.

    Args:
        selected: the annotations whose cards are selected.

    Attributes:
        pictures: of areas.
        density: the room of the texts.
        order: a key of `ORDERS`: what the titles of groups say is not repeated.
        files: what tells documents with the same title apart, `distinguish_titles`.
        searched: the words that are marked in quotations and notes.
        unfolded: the annotations whose texts are shown whole.
        bar_id: the annotation on whose card the actions are.
        bar: where these actions are.
    """

    def __init__(self, theme: Theme, selected: Container[int]) -> None:
        super().__init__()
        self._theme = theme
        self.selected = selected
        self.pictures = AreaPictures(theme)
        self.density = ROOMY
        self.order = DOCUMENT
        self.files: Mapping[int, str] = NO_FILES
        self.searched: re.Pattern[str] | None = None
        self.unfolded: set[int] = set()
        self.bar_id: int | None = None
        self.bar = QRect()
        self._last_widths: dict[tuple[str, int], int] = {}  # by a quotation and its width
        # of a text: its font, its width, and the most that are counted
        self._n_lines: dict[tuple[str, str, int, int], int] = {}
        self._fonts: dict[str, QFont] = {}
        self._known_metrics: dict[str, QFontMetrics] = {}
        theme.changed.connect(self._forget)

    def set_density(self, density: Density) -> None:
        """Give the texts this room from now on; the list must be laid out again."""
        self.density = density
        self._forget()

    def _forget(self) -> None:
        """Clear what was measured: fonts changed."""
        self._n_lines.clear()
        self._last_widths.clear()
        self._fonts.clear()
        self._known_metrics.clear()

    def _line(self, font: str) -> int:
        return self._metrics(font).lineSpacing()

    def _picture_size(self, entry: AnnotationEntry) -> QSize:
        """Return the size of the picture of an area, empty where there is none."""
        picture = self.pictures.light.get(entry.mark.id) if entry.mark.area is not None else None
        if picture is None:
            return QSize()
        size, theme = picture.size(), self._theme
        most = PICTURE * self.density.picture
        room = QSize(theme.length(most.width()), theme.length(most.height()))
        size.scale(room, Qt.AspectRatioMode.KeepAspectRatio)
        return size.expandedTo(QSize(1, 1))

    def _beside(self, entry: AnnotationEntry) -> int:
        """Return how far the texts are moved to the right by a picture."""
        size = self._picture_size(entry)
        return size.width() + RIGHT if not size.isEmpty() else 0

    def card_rect(self, row: QRect) -> QRect:
        """Return where the card, or the title of a group, is in a row."""
        width = min(self._theme.length(WIDEST), row.width() - 2 * SIDE)
        left = max(SIDE, (row.width() - width) // 2)
        return QRect(row.left() + left, row.top(), width, row.height() - self.density.between)

    def check_rect(self, card: QRect) -> QRect:
        """Return where the check box of a card is."""
        side = self._theme.length(CHECK)
        return QRect(card.left() + CHECK_LEFT, card.top() + self.density.pad + 1, side, side)

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
        widest, aside = length(self.density.widest), length(self.density.aside)
        texts = min(widest, room - aside - ASIDE_GAP)
        left = card.left() + LEFT + texts + ASIDE_GAP
        top = card.top() + self.density.pad
        return QRect(left, top, card.right() + 1 - RIGHT - left, card.height())

    def mark_words(self, text: str) -> None:
        """Mark the words of a search from now on."""
        words = sorted(set(text.split()), key=len, reverse=True)  # the longest that fits is marked
        self.searched = (
            re.compile("|".join(map(re.escape, words)), re.IGNORECASE) if words else None
        )

    def can_unfold(self, card: QRect, entry: AnnotationEntry, quote: str) -> bool:
        """Return whether texts of a card are cut, or are shown whole because they were."""
        area = self._find_texts(card, entry)
        return self._measure_texts(entry, quote, area.width()).is_cut

    def _find_texts(self, card: QRect, entry: AnnotationEntry) -> QRect:
        """Return the column of quotation, note and tags of a card, as high as the card."""
        pad = self.density.pad
        area = card.adjusted(LEFT + self._beside(entry), pad, -RIGHT, -pad)
        aside = self._find_aside(card)
        if not aside.isEmpty():
            area.setRight(aside.left() - ASIDE_GAP - 1)
        return area

    def _measure_texts(self, entry: AnnotationEntry, quote: str, width: int) -> _Texts:
        density, is_whole = self.density, entry.mark.id in self.unfolded
        n_quote, is_cut = self._count_shown(quote, "book", width, density.most_lines, is_whole)
        words = _shown_note(entry)
        around = 2 * NOTE_SIDE + self._theme.length(SIGN) + SIGN_GAP
        if density.has_links or not words:
            n_note, is_note_cut = self._count_shown(
                words, "text", width - around, density.most_note, is_whole
            )
            is_measured = not (density.has_links or is_cut)
            last = self._measure_last(quote, width, density.most_lines) if is_measured else width
            return _Texts(n_quote, n_note, width, is_cut or is_note_cut, last)
        tags = min(measure_tags(self._theme, entry.mark.tags), width // 2)
        room = width - (tags + NOTE_GAP if tags else 0)
        needed = around + self._metrics("text").horizontalAdvance(words[:MOST_CHARACTERS]) + 1
        is_note_cut = needed > room or LINE_END in words
        if is_whole and (is_cut or is_note_cut):
            n_note = self._count_lines(words, "text", width - around, MOST_UNFOLDED)
            return _Texts(n_quote, n_note, width, True, width)
        return _Texts(n_quote, 1, min(needed, room), is_cut or is_note_cut, width)

    def _measure_last(self, quote: str, width: int, most: int) -> int:
        """Return the width of the last line of a quotation that has at most so many lines."""
        key = quote, width
        if key not in self._last_widths:
            font = self._font("book", quote)
            lines = _break_lines(quote, font, width, most)
            last = QFontMetrics(font).horizontalAdvance(lines[-1]) if lines else 0
            self._last_widths[key] = last
        return self._last_widths[key]

    def places(self, card: QRect, entry: AnnotationEntry, quote: str) -> CardPlaces:
        """Return where the parts of a card are."""
        theme, small, density = self._theme, self._line("small"), self.density
        area, aside = self._find_texts(card, entry), self._find_aside(card)
        texts = self._measure_texts(entry, quote, area.width())
        y = area.top()

        def take(height: int) -> QRect:
            nonlocal y
            rect = QRect(area.left(), y, area.width(), height)
            y += height + (density.gap if height else 0)
            return rect

        quoted = take(texts.n_quote * theme.length(density.line))
        note_height = texts.n_note * self._line("text") + 2 * NOTE_ABOVE if texts.n_note else 0
        chips = measure_chips(theme) if entry.mark.tags else 0
        if density.has_links or (texts.is_cut and entry.mark.id in self.unfolded):
            noted, more, tags = take(note_height), take(small if texts.is_cut else 0), take(chips)
        elif not note_height and self._has_room_for_tags(entry, texts, area.width()):
            noted, more, high = QRect(), QRect(), theme.length(density.line)
            top = quoted.bottom() + 1 - high + (high - chips) // 2
            left = quoted.left() + texts.last_width + NOTE_GAP
            tags = QRect(left, top, area.right() + 1 - left, chips)
        else:  # the note and the tags have a line together
            line = take(max(note_height, chips))
            noted, more = QRect(line.topLeft(), QSize(texts.note_width, note_height)), QRect()
            beside = texts.note_width + NOTE_GAP if note_height else 0
            tags = line.adjusted(beside, (line.height() - chips) // 2, 0, 0)
            tags.setHeight(chips)
        has_bar = entry.mark.id == self.bar_id
        if aside.isEmpty():
            foot = take(small)
            if has_bar:
                foot.setRight(max(foot.left(), self.bar.left() - BAR_GAP))
            return CardPlaces(quoted, noted, more, tags, *self._divide_foot(foot, entry))
        found = self._divide_aside(aside, entry)
        for place in found:
            if has_bar and place.intersects(self.bar):
                place.setRight(max(place.left(), self.bar.left() - BAR_GAP))
        return CardPlaces(quoted, noted, more, tags, *found)

    def _has_room_for_tags(self, entry: AnnotationEntry, texts: _Texts, width: int) -> bool:
        """Return whether the tags of an entry fit behind the last line of its quotation."""
        needed = measure_tags(self._theme, entry.mark.tags)
        return bool(needed) and texts.last_width + NOTE_GAP + needed <= width

    def _divide_foot(self, foot: QRect, entry: AnnotationEntry) -> tuple[QRect, QRect, QRect]:
        """Return the places of document, place and date in one line: the place comes first.

        The date has the room that it needs, then the place; the document is cut or left out.
        """
        advance = self._metrics("small").horizontalAdvance
        title, place, day = (
            self._describe_title(entry),
            describe_spot(entry),
            self._describe_day(entry),
        )
        day_width = advance(DOT + day) if day else 0
        place_width = min(advance(place) + 1, max(0, foot.width() - day_width)) if place else 0
        day_left = foot.left() + place_width + (advance(" ") if place_width else 0)
        left = day_left + day_width + advance(" ")
        title_width = max(0, foot.right() + 1 - left) if title else 0
        top, height = foot.top(), foot.height()
        return (
            QRect(left, top, title_width, height),
            QRect(foot.left(), top, place_width, height),
            QRect(day_left, top, day_width, height),
        )

    def _divide_aside(self, aside: QRect, entry: AnnotationEntry) -> tuple[QRect, QRect, QRect]:
        """Return the places of document, place and date below each other."""
        small, density = self._line("small"), self.density
        down = self._theme.length(density.line) - self._metrics("small").height()
        y, left, width = aside.top() + down // 2 + 1, aside.left(), aside.width()  # level baselines
        found = []
        n_place = MOST_PLACE if density.has_links else 1
        for text, most in (
            (self._describe_title(entry), 1),
            (describe_spot(entry), n_place),
            (self._describe_day(entry), 1),
        ):
            height = small * self._count_lines(text, "small", width, most) if text else 0
            found.append(QRect(left, y, width, height))
            y += height + (density.gap // 2 if height else 0)
        document, place, day = found
        return document, place, day

    def _describe_title(self, entry: AnnotationEntry) -> str:
        """Return the title of the document, unless the title of the group says it."""
        return describe_title(entry, self.files) if self.order != DOCUMENT else ""

    def _describe_day(self, entry: AnnotationEntry) -> str:
        """Return kind and colour of an entry, and when it was made."""
        mark = entry.mark
        has_color = mark.kind != "bookmark" and self.order != COLOR  # else the title says it
        color = tr_message(get_color(mark.color).name) if has_color else ""
        return " · ".join(filter(None, (describe_kind(entry), color, format_when(mark.created_at))))

    def _font(self, name: str, text: str) -> QFont:
        """Return the font of a text: "book" for quotations, or a role of the theme."""
        if name == "book" and not text.isascii() and is_chinese(text[:JUDGED]):
            name = "book_zh"
        if name not in self._fonts:
            theme, is_book = self._theme, name.startswith("book")
            chinese = name == "book_zh"
            letters = self.density.letters
            font = theme.book_font("", letters, chinese=chinese) if is_book else theme.font(name)
            self._fonts[name] = font
        return self._fonts[name]

    def _count_lines(self, text: str, font: str, width: int, most: int) -> int:
        key = text, font, width, most
        if key not in self._n_lines:
            self._n_lines[key] = len(_break_lines(text, self._font(font, text), width, most))
        return self._n_lines[key]

    def _count_shown(
        self, text: str, font: str, width: int, most: int, whole: bool
    ) -> tuple[int, bool]:
        """Return how many lines of a text are shown, and whether a folded card cuts it.

        A single line more than `most` is shown where "Show more" would be as high.
        """
        over = 1 if self.density.has_links else 0
        n = self._count_lines(text, font, width, most + over + 1) if text else 0
        is_cut = n > most + over
        if is_cut and whole:
            return self._count_lines(text, font, width, MOST_UNFOLDED), True
        return (most if is_cut else n), is_cut

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        row: ListRow = index.data(ROW_ROLE)
        density = self.density
        if isinstance(row, EntryGroup):
            return QSize(200, GROUP_ABOVE + self._line("strong") + GROUP_BELOW + density.between)
        if isinstance(row, ListTip):
            return QSize(200, 2 * GROUP_ABOVE + self._line("small"))
        view = option.widget
        width = view.viewport().width() if isinstance(view, RowList) else option.rect.width()
        card = self.card_rect(QRect(0, 0, width, 100))
        places = self.places(card, row, index.data(Qt.ItemDataRole.DisplayRole))
        bottoms = [place.bottom() + 1 for place in places if not place.isEmpty()]
        bottoms.append(card.top() + density.pad + self._picture_size(row).height())
        height = max(bottoms) - card.top() + density.pad
        bar = self._theme.length(BAR_HEIGHT) + density.bar_foot
        height = max(height, bar + density.bar_foot)
        if density.has_links and not self._find_aside(card).isEmpty():  # only the date is beside it
            height = max(height, places.place.bottom() + 1 - card.top() + density.gap // 2 + bar)
        return QSize(200, height + density.between)

    def _metrics(self, font: str) -> QFontMetrics:
        if font not in self._known_metrics:  # a long list asks for them 100,000 times
            self._known_metrics[font] = QFontMetrics(self._font(font, ""))
        return self._known_metrics[font]

    @inverts_selection
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        row: ListRow = index.data(ROW_ROLE)
        card = self.card_rect(option.rect)
        painter.save()
        if isinstance(row, EntryGroup):
            self._paint_group(painter, option, row, card)
        elif isinstance(row, ListTip):
            room = card.adjusted(2, GROUP_ABOVE, 0, 0)
            self._draw(painter, room, row.words, "small", "text2")
        else:
            quote = index.data(Qt.ItemDataRole.DisplayRole)
            self._paint_card(painter, option, row, quote, card)
        painter.restore()

    def _paint_group(
        self, painter: QPainter, option: QStyleOptionViewItem, group: EntryGroup, area: QRect
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
            side = theme.length(10)
            disc = QRectF(room.left(), baseline - side + 1, side, side)
            paint_color(painter, theme.tokens, group.color, disc, side / 2)
            room.setLeft(room.left() + side + 8)
        count = trn("{n} entry", "{n} entries", group.count)
        if group.n_selected:
            count += " · " + trn("{n} selected", "{n} selected", group.n_selected)
        width = small.horizontalAdvance(count) + 12
        chip = self._measure_file(group.file, room.width() // 3)
        width += chip.width() + 8 if group.file else 0
        source = small.elidedText(group.source, Qt.TextElideMode.ElideRight, room.width() // 3)
        beside = small.horizontalAdvance(source) + 24 if source else 0
        most = room.width() - width - beside
        title = strong.elidedText(group.title, Qt.TextElideMode.ElideMiddle, most)
        start = QPoint(room.left(), baseline)
        self._draw_line(painter, start, title, theme.font("strong"), "text", marks=True)
        after = room.left() + strong.horizontalAdvance(title) + 12
        if group.file:
            chip.moveLeft(after - 4)
            chip.moveTop(room.top() + (strong.height() - chip.height()) // 2)
            self._paint_file(painter, chip, group.file)
            after = chip.right() + 1 + 8
        self._draw_line(painter, QPoint(after, baseline), count, theme.font("small"), "text2")
        if source:  # above the places of its cards
            left = area.right() + 1 - RIGHT - small.horizontalAdvance(source)
            start = QPoint(left, baseline)
            self._draw_line(painter, start, source, theme.font("small"), "text2", marks=True)

    def _measure_file(self, file: str, most: int) -> QRect:
        """Return the size of the frame around the format or the name of a file."""
        small = self._metrics("small")
        width = min(small.horizontalAdvance(file), most) + 2 * FILE_SIDE
        return QRect(0, 0, width, small.height() + 2)

    def _paint_file(self, painter: QPainter, place: QRect, file: str) -> None:
        """Paint the format or the name of a file in a frame, behind a title that two files have."""
        theme, small = self._theme, self._metrics("small")
        paint_box(painter, QRectF(place), Qt.BrushStyle.NoBrush, theme.color("line"), 1)
        words = small.elidedText(
            file, Qt.TextElideMode.ElideMiddle, place.width() - 2 * FILE_SIDE + 1
        )
        start = QPoint(place.left() + FILE_SIDE, place.top() + 1 + small.ascent())
        self._draw_line(painter, start, words, theme.font("small"), "text2")

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
        entry: AnnotationEntry,
        quote: str,
        card: QRect,
    ) -> None:
        theme, mark = self._theme, entry.mark
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
        places = self.places(card, entry, quote)
        self._paint_color(painter, entry, card)
        if is_selected or over or self.selected:
            self._paint_check(painter, self.check_rect(card), is_selected=is_selected)
        pad = self.density.pad
        self._paint_picture(painter, entry, card.adjusted(LEFT, pad, -RIGHT, -pad))
        is_label = not find_shown_words(mark)
        color = "text2" if is_label else "text"
        line = mark.color if mark.style == "underline" and not is_label else ""
        self._draw(painter, places.quote, quote, "book", color, marks=not is_label, line=line)
        if mark.note:
            self._paint_note(painter, entry, places.note)
        if not places.more.isEmpty():
            words = tr("Show less") if mark.id in self.unfolded else tr("Show more")
            link = theme.font("small")
            link.setWeight(QFont.Weight.DemiBold)
            link.setUnderline(theme.is_high)  # as other links there
            self._draw_lines(painter, places.more, [words], link, "accent", self._line("small"))
        if mark.tags:
            paint_tags(painter, theme, mark.tags, places.tags)
        is_below = self._find_aside(card).isEmpty()
        dot = DOT if is_below else ""
        for place, words, before in (
            (places.document, self._describe_title(entry), dot),
            (places.place, describe_spot(entry), ""),
            (places.day, self._describe_day(entry), dot if places.place.width() else ""),
        ):
            if words and not place.isEmpty():
                color = "text2" if before or place is not places.document else "text"
                marks = place is not places.day
                self._draw(
                    painter,
                    place,
                    before + words,
                    "small",
                    color,
                    marks=marks,
                    at_right=not is_below,
                )

    def _paint_note(self, painter: QPainter, entry: AnnotationEntry, place: QRect) -> None:
        """Draw a note on a ground, with the sign of notes: it is no quotation."""
        theme, words = self._theme, _shown_note(entry)
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
        self._draw_lines(painter, room, lines, font, "text", line, marks=True)

    def _paint_color(self, painter: QPainter, entry: AnnotationEntry, card: QRect) -> None:
        """Draw the colour of a highlight at the left of its card, as long as the card."""
        pad = self.density.pad
        left, top = card.left() + STRIPE_LEFT, card.top() + pad + 1
        stripe = QRectF(left, top, STRIPE, card.height() - 2 * pad - 2)
        if entry.mark.kind == "bookmark":
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("accent"))
            painter.drawRoundedRect(stripe, 2, 2)
        else:
            paint_color(painter, self._theme.tokens, entry.mark.color, stripe, 2)

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

    def _paint_picture(self, painter: QPainter, entry: AnnotationEntry, area: QRect) -> None:
        """Draw the picture of an area at the left of a card; that of a figure as it is printed."""
        size = self._picture_size(entry)
        picture = self.pictures.find(entry.mark.id, as_printed=shows_figure(entry.mark))
        if size.isEmpty() or picture is None:
            return
        place = QRect(QPoint(area.left(), area.top()), size)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(place, picture)
        painter.setPen(self._theme.color("line"))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(place)

    def _draw(
        self,
        painter: QPainter,
        area: QRect,
        text: str,
        font: str,
        color: str,
        *,
        marks: bool = False,
        line: str = "",
        at_right: bool = False,
    ) -> None:
        """Draw a text in as many lines as the area has, the last with an ellipsis.

        Args:
            line: the colour of a highlight in which the text is underlined, "" for none.
            at_right: end all lines at the right edge of the area.
        """
        used = self._font(font, text)
        spacing = self._theme.length(self.density.line) if font == "book" else self._line(font)
        lines = _break_lines(text, used, area.width(), max(1, area.height() // spacing))
        self._draw_lines(painter, area, lines, used, color, spacing, marks=marks, at_right=at_right)
        if line:
            metrics = QFontMetrics(used)
            below = max(0, spacing - metrics.height()) // 2 + metrics.ascent() + UNDERLINE_BELOW
            for number, words in enumerate(lines):
                top = area.top() + number * spacing + below
                width = min(area.width(), metrics.horizontalAdvance(words))
                place = QRectF(area.left(), top, width, UNDERLINE)
                paint_color(painter, self._theme.tokens, line, place)

    def _draw_lines(
        self,
        painter: QPainter,
        area: QRect,
        lines: Sequence[str],
        font: QFont,
        color: str,
        spacing: int,
        *,
        marks: bool = False,
        at_right: bool = False,
    ) -> None:
        metrics = QFontMetrics(font)
        above = max(0, spacing - metrics.height()) // 2 + metrics.ascent()
        for number, line in enumerate(lines):
            left = area.left()
            if at_right:
                left = max(left, area.right() + 1 - metrics.horizontalAdvance(line))
            start = QPoint(left, area.top() + number * spacing + above)
            self._draw_line(painter, start, line, font, color, marks=marks)

    def _draw_line(
        self,
        painter: QPainter,
        start: QPoint,
        line: str,
        font: QFont,
        color: str,
        *,
        marks: bool = False,
    ) -> None:
        """Draw a line from a point on its baseline; with `marks`, words of a search on a ground."""
        searched = self.searched if marks else None
        painter.setFont(font)
        painter.setPen(self._theme.color(color))
        painter.drawText(start, line)
        if searched is None:
            return
        metrics = QFontMetrics(font)
        painter.setPen(self._theme.mark_ink())
        for found in searched.finditer(line):
            left = start.x() + metrics.horizontalAdvance(line[: found.start()])
            width, top = metrics.horizontalAdvance(found[0]), start.y() - metrics.ascent()
            ground = QRect(left, top, width, metrics.height())
            painter.fillRect(ground, self._theme.color("mark"))
            painter.drawText(left, start.y(), found[0])


def _shown_note(entry: AnnotationEntry) -> str:
    """Return the note of an entry with its lines, without empty ones."""
    lines = (" ".join(line.split()) for line in entry.mark.note.splitlines())
    return LINE_END.join(filter(None, lines))


def _break_lines(text: str, font: QFont, width: int, most: int) -> list[str]:
    """Return a text in lines of this width, the last possible one with an ellipsis."""
    metrics = QFontMetrics(font)
    text = text[: MOST_UNFOLDED if most > ROOMY.most_lines + 2 else MOST_CHARACTERS]
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
