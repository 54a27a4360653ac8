"""Covers of documents: those from their files, and drawn ones for all others.

`Covers` keeps the pictures in sight and asks for those that are missing. A file has its picture or
a drawn cover, never one after the other: an empty page stands for a picture until it arrives, and
a drawn cover for a document that is known to have none. All covers have one shape. A large drawn
cover has title and author, so that books which begin with the same letter differ; a small one has
a letter. Colours and composition of a drawn cover follow from author and title alone: a document
looks the same in every library and on every computer.
"""

from __future__ import annotations

import re
import zlib
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QImage,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QWidget

from desktop_app.engine.model import DocumentRow
from desktop_app.engine.person_names import shorten_authors
from desktop_app.engine.services.covers import FORMATS, Cover
from desktop_app.engine.writing_systems import has_han

from ..theme.design_tokens import CLOTH_INK, CLOTH_RULE, CLOTHS, step_colors
from ..theme.fonts import is_chinese
from ..theme.theme import Theme
from ..widgets.words import SUBTITLE

MAX_KEPT = 150  # pictures, of up to 390 kB each
LOAD_MS = 30  # requests within this time are one query
RATIO = 0.75  # width by height of a cover
# One letter stands for a title; with these, all titles that begin with "The" would look alike.
ARTICLES = frozenset("a an the der die das le la les el los las il".split())  # not shown
TITLE_FROM = 64  # pixels of width; a narrower drawn cover has a letter in place of its title
FULL_WIDTH = 160  # pixels; every cover with a title is this one, scaled: its lines are the same
TITLE_LINES, SUBTITLE_LINES = 4, 2  # on a drawn cover, the first of both together
# Sizes of a title by the width of the cover, the largest first that breaks no word.
TITLE_SIZES, SUBTITLE_SIZE, AUTHOR_SIZE = (0.128, 0.112, 0.096, 0.084), 0.072, 0.078
SMALL_TITLE = 0.112  # the largest size at which a title without a subtitle has all lines
# On covers and cards, text after a dash or in brackets is a subtitle, too.
BEFORE_SUBTITLE = re.compile(rf"{SUBTITLE}|\s*—+\s*|\s–\s|(?=（)")
ELLIPSIS = "…"
SPINE = 0.06  # share of the width
N_COMPOSITIONS, BANDED, FRAMED = 3, 1, 2  # of drawn covers; others are centred with a rule
FOOTLESS = 0.4  # of the height: the middle of a title without an author below it
LEADING = 1.12  # of characters below each other
MAX_ON_SLIP = 8  # characters of a Chinese title that stand below each other


@dataclass(frozen=True, slots=True)
class CoverColors:
    """The colours of a drawn cover: cloth, spine and band, letters, thin lines."""

    ground: QColor
    shade: QColor
    ink: QColor
    rule: QColor


def split_title(title: str) -> list[str]:
    """Return title and subtitle, or the title alone."""
    main, *rest = (part.strip() for part in BEFORE_SUBTITLE.split(title.strip(), maxsplit=1))
    return [main, *filter(None, rest)] if main else [title.strip()]


def break_lines(
    text: str, font: QFont, width: int, most: int, *, keeps_hyphens: bool = False
) -> tuple[list[str], bool]:
    """Return a text in lines, and whether it fits without breaking a word.

    What has no room ends in an ellipsis, after a whole word where one is near.

    Args:
        keeps_hyphens: leave a word with a hyphen on one line if the line has room for it.
    """
    text = " ".join(text.split())
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    lines: list[str] = []
    is_whole = True
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        start, end = line.textStart(), line.textStart() + line.textLength()
        if keeps_hyphens and (earlier := _find_break_before_hyphen(text, start, end)):
            line.setNumColumns(earlier - start)
            end = line.textStart() + line.textLength()
        if len(lines) == most - 1 and end < len(text):
            lines.append(_elide(text[start:], font, width))
            is_whole = False
            break
        lines.append(text[start:end].rstrip())
        is_whole &= end == len(text) or not (text[end - 1].isascii() and text[end - 1].isalnum())
    layout.endLayout()
    return lines, is_whole


def _find_break_before_hyphen(text: str, start: int, end: int) -> int:
    """Return where a line ends earlier that would end after a hyphen within a word, else 0."""
    is_within = text[end - 1 : end] == "-" and text[end : end + 1].isalnum()
    return text.rfind(" ", start, end) + 1 if is_within else 0


def balance_lines(text: str, font: QFont, width: int, most: int) -> tuple[list[str], bool]:
    """Return a text as `break_lines` does, its lines of about the same length where all of it fits.

    They are those of the least width with which there are no more lines.
    """
    lines, is_whole = break_lines(text, font, width, most, keeps_hyphens=True)
    if len(lines) < 2 or not is_whole:
        return lines, is_whole
    least, best = width // len(lines), width
    while best - least > 1:
        tried = (least + best) // 2
        shorter, is_shorter_whole = break_lines(text, font, tried, most, keeps_hyphens=True)
        if is_shorter_whole and len(shorter) == len(lines):
            lines, best = shorter, tried
        else:
            least = tried
    return lines, is_whole


def _elide(text: str, font: QFont, width: int) -> str:
    """Return the beginning of a text that fits a width, with an ellipsis after it."""
    metrics = QFontMetrics(font)
    if metrics.horizontalAdvance(text) <= width:
        return text
    cut = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
    # Qt writes dots where the first family has no ellipsis: that of a Chinese font is centred in
    # height, which is right behind Chinese characters only
    has_dots = cut.endswith("...") and not is_chinese(text)
    cut = cut.rstrip(f".{ELLIPSIS}")
    if not text[len(cut)].isspace():  # within a word
        words = re.sub(r"[^\s-]+$", "", cut)
        cut = words if 2 * len(words) > len(cut) else cut
    return cut.rstrip(" ,;:–—-（(") + ("..." if has_dots else ELLIPSIS)


class Covers(QObject):
    """Pictures of documents by id, and the painting of covers.

    `wanted` carries ids of documents that were painted without being known; `take` answers it.
    """

    wanted = Signal(list)
    changed = Signal()

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._known: OrderedDict[int, QImage | None] = OrderedDict()
        self._missing: dict[int, None] = {}
        self._asked: set[int] = set()  # and not answered
        self._unmade: set[int] = set()  # whose files nobody looked into yet
        self._small: dict[tuple[int, int, int], QImage] = {}
        self._set: dict[tuple[str, int, float], list[tuple[QFont, list[str]]]] = {}  # titles
        self._timer = QTimer(self, singleShot=True, interval=LOAD_MS)
        self._timer.timeout.connect(self._request)

    def find(self, row: DocumentRow) -> QImage | None:
        """Return the picture of a document; None if it has none, or until it is loaded."""
        if row.format not in FORMATS:
            return None
        if row.id in self._known:
            self._known.move_to_end(row.id)
            return self._known[row.id]
        if row.id not in self._asked:
            self._missing[row.id] = None
            if not self._timer.isActive():
                self._timer.start()
        return None

    def is_open(self, row: DocumentRow) -> bool:
        """Return whether a document may still get a picture from its file."""
        is_known = row.id in self._known and row.id not in self._unmade
        return row.format in FORMATS and not is_known

    def take(self, asked: Iterable[int], found: Mapping[int, Cover | None]) -> None:
        """Keep the covers of the documents that were asked for.

        None in `found` stands for a file without a cover; a file that is not in it has no cover
        made yet.

        Those that `forget` named meanwhile are asked for again: their covers may be older.
        """
        for document_id in asked:
            if document_id not in self._asked:
                continue
            self._asked.discard(document_id)
            image = _to_image(found.get(document_id))
            if document_id not in found:
                self._unmade.add(document_id)
            self._known[document_id] = image and _fit_frame(image)
            self._known.move_to_end(document_id)
        while len(self._known) > MAX_KEPT:
            self._unmade.discard(self._known.popitem(last=False)[0])
        self.changed.emit()

    def give_up(self, document_ids: Iterable[int]) -> None:
        """Take back a request that failed; it is repeated when they are painted the next time."""
        self._asked.difference_update(document_ids)

    def forget(self, document_ids: Iterable[int]) -> None:
        """Load these again when they are painted the next time."""
        for document_id in document_ids:
            self._known.pop(document_id, None)
            self._unmade.discard(document_id)
            self._asked.discard(document_id)
        self.changed.emit()

    def shows_title(self, row: DocumentRow, width: int) -> bool:
        """Return whether a cover of this width is a drawn one with the whole title on it."""
        is_drawn = self.find(row) is None and not self.is_open(row)
        if not is_drawn or width < TITLE_FROM or not find_initial(row.title):
            return False
        if _find_slip_title(row.title):
            return True
        parts = self._set_title(row.title, FULL_WIDTH, _title_room(row.title, FULL_WIDTH))
        shown = "".join(line for _, lines in parts for line in lines)
        return re.sub(r"\W", "", shown) == re.sub(r"\W", "", row.title)

    def _request(self) -> None:
        asked, self._missing = list(self._missing)[-MAX_KEPT:], {}
        self._asked.update(asked)
        self.wanted.emit(asked)

    # --- painting ---------------------------------------------------------------------------------

    def paint(self, painter: QPainter, area: QRect, row: DocumentRow) -> None:
        """Paint the cover of a document into an area, as large as its shape allows."""
        picture = self.find(row)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        width = min(area.width(), round(RATIO * area.height()))
        frame = _center(QSize(width, round(width / RATIO)), area)
        if picture is not None:
            self._paint_picture(painter, frame, picture)
        elif self.is_open(row):
            self._paint_empty(painter, frame, row)
        else:
            self._paint_drawn(painter, frame, row)
        painter.restore()

    def _paint_empty(self, painter: QPainter, area: QRect, row: DocumentRow) -> None:
        """Paint a page with a pale letter, where a picture is expected."""
        painter.fillPath(_outline(area), self._theme.color("surface"))
        painter.setPen(self._theme.color("text2"))
        self._paint_initial(painter, area, row, share=0.5 if area.width() < TITLE_FROM else 0.16)
        self._paint_edge(painter, area)

    def _paint_picture(self, painter: QPainter, area: QRect, picture: QImage) -> None:
        painter.save()
        painter.setClipPath(_outline(area))
        painter.drawImage(area, self._scale(picture, area.size(), painter))
        if self._theme.is_dark:  # a white page would be the brightest thing in the window
            painter.fillRect(area, QColor(0, 0, 0, 40))
        painter.restore()
        self._paint_edge(painter, area)

    def _scale(self, picture: QImage, size: QSize, painter: QPainter) -> QImage:
        """Return a picture for a size; smaller ones are made once, of all their pixels."""
        ratio = painter.device().devicePixelRatioF()
        wanted = QSize(round(ratio * size.width()), round(ratio * size.height()))
        if wanted.width() >= picture.width():
            return picture
        key = (picture.cacheKey(), wanted.width(), wanted.height())
        if key not in self._small:
            if len(self._small) > MAX_KEPT:
                self._small.clear()
            how = Qt.TransformationMode.SmoothTransformation
            self._small[key] = picture.scaled(wanted, Qt.AspectRatioMode.IgnoreAspectRatio, how)
        return self._small[key]

    def _edge(self) -> QPen:
        """Return the pen around a cover: it parts white pages from the list, and from its row."""
        return QPen(self._theme.color("text2", 1.0 if self._theme.is_high else 0.42), 1)

    def _paint_edge(self, painter: QPainter, area: QRect) -> None:
        painter.setPen(self._edge())
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2)

    def _paint_drawn(self, painter: QPainter, area: QRect, row: DocumentRow) -> None:
        """Paint a cloth-bound book in a muted colour, with title or first letter."""
        outline = _outline(area)
        colors = self._pick_colors(row)
        painter.fillPath(outline, colors.ground)
        if area.width() >= TITLE_FROM and find_initial(row.title):
            painter.save()
            painter.setClipPath(outline)
            share = area.width() / FULL_WIDTH
            painter.translate(area.topLeft())
            painter.scale(share, share)
            whole = QRect(0, 0, round(area.width() / share), round(area.height() / share))
            self._paint_face(painter, whole, row, colors)
            painter.restore()
        else:
            spine = max(2, round(SPINE * area.width()))
            painter.save()
            painter.setClipPath(outline)
            painter.fillRect(area.adjusted(0, 0, spine - area.width(), 0), colors.shade)
            painter.restore()
            painter.setPen(colors.ink)
            self._paint_initial(painter, area.adjusted(spine, 0, 0, 0), row)
        self._paint_edge(painter, area)

    def _pick_colors(self, row: DocumentRow) -> CoverColors:
        """Return the colours of a drawn cover: the same for all works of an author."""
        theme = self._theme
        number = _hash_words(row.author or row.title)
        if theme.is_high:
            steps, text = step_colors(theme.tokens), theme.color("text")
            tone = QColor(steps[number % len(steps)])
            return CoverColors(theme.color("surface"), tone, text, text)
        ground = QColor(CLOTHS[number % len(CLOTHS)])
        shade = _mix(QColor("black"), ground, 4)
        return CoverColors(ground, shade, QColor(CLOTH_INK), QColor(CLOTH_RULE))

    def _paint_face(
        self, painter: QPainter, area: QRect, row: DocumentRow, colors: CoverColors
    ) -> None:
        """Paint title, subtitle and author in the composition that belongs to the title."""
        number = pick_composition(row.title)
        if main := _find_slip_title(row.title):
            self._paint_slip(painter, area, row, main, colors)
        elif number == BANDED:
            self._paint_banded(painter, area, row, colors)
        else:
            self._paint_centred(painter, area, row, colors, framed=number == FRAMED)

    def _paint_centred(
        self,
        painter: QPainter,
        area: QRect,
        row: DocumentRow,
        colors: CoverColors,
        *,
        framed: bool,
    ) -> None:
        """Paint title and author in the middle, within a frame or with a rule between them."""
        width, height = area.width(), area.height()
        spine = 0 if framed else round(SPINE * width)
        face = area.adjusted(spine, 0, 0, 0)
        if framed:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for inset in (0.035, 0.055):
                side = round(inset * width)
                painter.setPen(QPen(colors.rule, 1))
                painter.drawRect(QRectF(area).adjusted(side, side, -side, -side))
        else:
            painter.fillRect(area.adjusted(0, 0, spine - width, 0), colors.shade)
        room = _title_room(row.title, width)
        parts = self._set_title(row.title, width, room)
        painter.setPen(colors.ink)
        gap = round(0.02 * height)
        is_full = sum(len(lines) for _, lines in parts) == TITLE_LINES
        top = round((0.2 if framed and not is_full else 0.15) * height)
        if not row.author:
            top = max(top, round(FOOTLESS * height) - _measure_parts(parts, gap) // 2)
        for font, lines in parts:
            top = _draw_lines(painter, face, top, font, lines) + gap
        middle, length = face.center().x(), round(0.24 * face.width())
        top += round(0.04 * height)
        foot = 0.14 if framed else 0.12
        if top + gap < self._paint_author(painter, face, row, colors.ink, room, foot=foot):
            painter.setPen(QPen(colors.rule, 1))
            painter.drawLine(middle - length // 2, top, middle + length // 2, top)

    def _paint_banded(
        self, painter: QPainter, area: QRect, row: DocumentRow, colors: CoverColors
    ) -> None:
        """Paint the title at the left of a broad band between two rules, the author at the foot."""
        width, height = area.width(), area.height()
        room = _title_room(row.title, width)
        margin = (width - room) // 2
        parts = self._set_title(row.title, width, room)
        gap = round(0.02 * height)
        tall = _measure_parts(parts, gap) + round(0.1 * height)
        top = round(0.13 * height)
        if not row.author:
            top = max(top, round(FOOTLESS * height) - tall // 2)
        band = QRect(0, top, width, tall)
        if not self._theme.is_high:
            painter.fillRect(band, colors.shade)
        painter.setPen(QPen(colors.rule, 1))
        for y in (band.top(), band.bottom()):
            painter.drawLine(0, y, width, y)
        painter.setPen(colors.ink)
        top = band.top() + round(0.055 * height)
        face = area.adjusted(margin, 0, -margin, 0)
        for font, lines in parts:
            top = _draw_lines(painter, face, top, font, lines, centred=False) + gap
        self._paint_author(painter, face, row, colors.ink, room, centred=False)

    def _paint_slip(
        self, painter: QPainter, area: QRect, row: DocumentRow, main: str, colors: CoverColors
    ) -> None:
        """Paint a Chinese title from top to bottom on a slip of paper, as on a bound book."""
        width, height = area.width(), area.height()
        is_high = self._theme.is_high
        size = min(0.16 * width, 0.6 * height / (LEADING * len(main)))
        font = self._book_font(main, size)
        font.setWeight(QFont.Weight.DemiBold)
        metrics, step = QFontMetrics(font), round(LEADING * font.pixelSize())
        slip = QRect(0, 0, round(1.75 * font.pixelSize()), step * len(main) + round(0.08 * height))
        slip.moveTopLeft(QPoint(round(0.11 * width), round(0.09 * height)))
        painter.setPen(QPen(colors.rule, 1))
        painter.setBrush(colors.ground if is_high else colors.ink)
        painter.drawRect(slip)
        inner = QRectF(slip).adjusted(2.5, 2.5, -2.5, -2.5)
        painter.setPen(QPen(colors.ink if is_high else colors.ground, 0.6))
        painter.drawRect(inner)
        painter.setPen(colors.ink if is_high else colors.shade)
        left = round(slip.center().x() + 1 - metrics.horizontalAdvance(main[0]) / 2)
        _draw_column(painter, left, slip.top() + round(0.04 * height), font, main)
        right = slip.right() + round(0.06 * width)
        if len(parts := split_title(row.title)) > 1:
            words = parts[1].strip("（）")
            size = min(SUBTITLE_SIZE * width, 0.7 * height / (LEADING * len(words)))
            small = self._book_font(words, size)
            painter.setPen(colors.ink)
            _draw_column(painter, right, slip.top(), small, words)
        face = area.adjusted(slip.left(), 0, -slip.left(), 0)
        self._paint_author(painter, face, row, colors.ink, face.width(), centred=False)

    def _paint_author(
        self,
        painter: QPainter,
        face: QRect,
        row: DocumentRow,
        ink: QColor,
        room: int,
        *,
        centred: bool = True,
        foot: float = 0.12,
    ) -> int:
        """Paint the author above the foot of a cover; return where that begins."""
        author = shorten_authors(row.author) if ";" in row.author else row.author
        if not author:
            return face.bottom()
        font = self._book_font(author, AUTHOR_SIZE * face.height() * RATIO)
        lines, _ = break_lines(author, font, room, 2)
        height = len(lines) * QFontMetrics(font).height()
        painter.setPen(ink)
        top = face.bottom() - round(foot * face.height()) - height
        _draw_lines(painter, face, top, font, lines, centred=centred)
        return top

    def _set_title(self, title: str, width: int, room: int) -> list[tuple[QFont, list[str]]]:
        """Return title and subtitle in at most `TITLE_LINES` lines, with their fonts."""
        key = (title, width, self._theme.scale)
        if key not in self._set:
            if len(self._set) > MAX_KEPT:
                self._set.clear()
            main, *rest = split_title(title)
            tries = []
            for size in TITLE_SIZES:
                font = self._book_font(main, size * width)
                font.setWeight(QFont.Weight.DemiBold)
                lines, is_whole = balance_lines(main, font, room, TITLE_LINES)
                is_full = len(lines) == TITLE_LINES and (bool(rest) or size > SMALL_TITLE)
                tries.append((not is_whole, is_full, -size, font, lines))
            # the largest that breaks no word, and if possible leaves room for what is below
            is_cut, is_full, _, font, lines = min(tries, key=lambda made: made[:3])
            parts = [(font, lines)]
            if rest and not (is_cut or is_full):
                small = self._book_font(rest[0], SUBTITLE_SIZE * width)
                lines, _ = balance_lines(
                    rest[0], small, room, min(SUBTITLE_LINES, TITLE_LINES - len(lines))
                )
                parts.append((small, lines))
            self._set[key] = parts
        return self._set[key]

    def _book_font(self, text: str, size: float) -> QFont:
        font = self._theme.book_font(text, 13)
        font.setPixelSize(max(9, round(size)))
        return font

    def _paint_initial(
        self, painter: QPainter, area: QRect, row: DocumentRow, share: float = 0.5
    ) -> None:
        initial = find_initial(row.title)
        font = self._theme.book_font(initial, 13)
        font.setPixelSize(max(8, round(area.height() * share)))
        painter.setFont(font)
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, initial.upper())


def _hash_words(words: str) -> int:
    """Return a number that is the same for the same words on every computer, unlike `hash`."""
    return zlib.crc32(" ".join(words.split()).casefold().encode("utf-8", "replace"))


def pick_composition(title: str) -> int:
    """Return the composition of a drawn cover: `BANDED`, `FRAMED`, or 0 for a rule in the middle.

    Colours follow from the lowest part of the same kind of number, so this takes a higher one.
    """
    return _hash_words(title) // len(CLOTHS) % N_COMPOSITIONS


def _find_slip_title(title: str) -> str:
    """Return the main title if it stands on a slip, else an empty text."""
    main = split_title(title)[0]
    fits = 0 < len(main) <= MAX_ON_SLIP and all(map(has_han, main))
    return main if fits and pick_composition(title) != BANDED else ""


def _title_room(title: str, width: int) -> int:
    """Return the width of the lines of a title on a drawn cover."""
    composition = pick_composition(title)
    if composition == BANDED:
        return width - 2 * round(0.11 * width)
    if composition == FRAMED:
        return width - 2 * round(0.14 * width)
    return width - round(SPINE * width) - 2 * round(0.1 * width)


def _draw_lines(
    painter: QPainter,
    area: QRect,
    top: int,
    font: QFont,
    lines: Iterable[str],
    *,
    centred: bool = True,
) -> int:
    """Draw lines in the middle or at the left of an area; return where the next one begins."""
    metrics = QFontMetrics(font)
    painter.setFont(font)
    for line in lines:
        left = area.left()
        if centred:
            left = area.center().x() - metrics.horizontalAdvance(line) // 2
        elif line.startswith("（"):  # wide at its left
            left -= metrics.tightBoundingRect(line[0]).left()
        painter.drawText(left, top + metrics.ascent(), line)
        top += metrics.height()
    return top


def _measure_parts(parts: Iterable[tuple[QFont, list[str]]], gap: int) -> int:
    """Return the height of lines in several fonts, with a gap below each part."""
    return sum(len(lines) * QFontMetrics(font).height() + gap for font, lines in parts)


def _draw_column(painter: QPainter, left: int, top: int, font: QFont, words: str) -> None:
    """Draw characters below each other."""
    painter.setFont(font)
    width, step = QFontMetrics(font).horizontalAdvance(words[0]), round(LEADING * font.pixelSize())
    for number, char in enumerate(words):
        box = QRectF(left, top + number * step, width + 2, step)
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, char)


def _mix(color: QColor, ground: QColor, n_parts: int) -> QColor:
    """Return one part of a colour in so many parts, the rest of them of the ground."""
    share = 1 / n_parts
    return QColor(
        *(
            round(share * a + (1 - share) * b)
            for a, b in (
                (color.red(), ground.red()),
                (color.green(), ground.green()),
                (color.blue(), ground.blue()),
            )
        )
    )


def _outline(area: QRect) -> QPainterPath:
    outline = QPainterPath()
    outline.addRoundedRect(QRectF(area), 2, 2)
    return outline


def _fit_frame(picture: QImage) -> QImage:
    """Return a picture in the shape that all covers have.

    Nothing is cut off and nothing is distorted: what is missing on two sides is filled with the
    mean colour of the edge there, so that pages and pictures seem to go on.
    """
    width, height = picture.width(), picture.height()
    frame = QSize(max(width, round(RATIO * height)), max(height, round(width / RATIO)))
    if frame == picture.size():
        return picture
    framed = QImage(frame, picture.format())
    place = _center(picture.size(), QRect(0, 0, frame.width(), frame.height()))
    edges = (
        (QRect(0, 0, 1, height), QRect(0, 0, place.left(), frame.height())),
        (QRect(width - 1, 0, 1, height), framed.rect().adjusted(place.right() + 1, 0, 0, 0)),
        (QRect(0, 0, width, 1), QRect(0, 0, frame.width(), place.top())),
        (QRect(0, height - 1, width, 1), framed.rect().adjusted(0, place.bottom() + 1, 0, 0)),
    )
    painter = QPainter(framed)
    for edge, beside in edges:
        if not beside.isEmpty():
            painter.fillRect(beside, _mean_color(picture.copy(edge)))
    painter.drawImage(place.topLeft(), picture)
    painter.end()
    return framed


def _mean_color(picture: QImage) -> QColor:
    how = Qt.TransformationMode.SmoothTransformation
    return picture.scaled(1, 1, Qt.AspectRatioMode.IgnoreAspectRatio, how).pixelColor(0, 0)


def _center(size: QSize, area: QRect) -> QRect:
    placed = QRect(area.topLeft(), size)
    placed.moveCenter(area.center())
    return placed


def _to_image(cover: Cover | None) -> QImage | None:
    if cover is None:
        return None
    format = QImage.Format.Format_RGB888
    return QImage(cover.pixels, cover.width, cover.height, 3 * cover.width, format).copy()


class CoverBox(QWidget):
    """The cover of one document, beside its title or its details.

    Args:
        height: pixels; its width follows.
    """

    HEIGHT = 128

    def __init__(
        self, theme: Theme, covers: Covers, parent: QWidget | None = None, *, height: int = HEIGHT
    ) -> None:
        super().__init__(parent)
        self._theme, self._covers, self._height = theme, covers, height
        self._row: DocumentRow | None = None
        covers.changed.connect(self.update)
        theme.changed.connect(self._fit)
        self._fit()
        self.hide()

    def show_row(self, row: DocumentRow | None) -> None:
        """Show the cover of a document; None hides the box."""
        self._row = row
        self.setVisible(row is not None)
        self.update()

    def _fit(self) -> None:
        height = self._theme.length(self._height)
        self.setFixedSize(round(RATIO * height), height)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._row is not None:
            painter = QPainter(self)
            self._covers.paint(painter, self.rect(), self._row)
            painter.end()


def find_initial(title: str) -> str:
    """Return the first letter of a title after its article."""
    words = re.findall(r"[^\W_]+", title)
    if len(words) > 1 and words[0].lower() in ARTICLES:
        words = words[1:]
    return words[0][0] if words else ""
