"""Covers of documents: those from their files, and drawn ones for all others.

`Covers` keeps the pictures in sight and asks for those that are missing; it paints a drawn cover
until one arrives, and for a document that has none. All covers have one shape. A large drawn cover
has title and author, so that books which begin with the same letter differ; a small one has a
letter.
"""

from __future__ import annotations

import re
import zlib
from collections import OrderedDict
from collections.abc import Iterable, Mapping

from PySide6.QtCore import QObject, QRect, QRectF, QSize, Qt, QTimer, Signal
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

from ..theme.design_tokens import step_colors
from ..theme.theme import Theme
from ..widgets.words import SUBTITLE

MAX_KEPT = 150  # pictures, of up to 390 kB each
LOAD_MS = 30  # requests within this time are one query
RATIO = 0.75  # width by height of a cover
# One letter stands for a title; with these, all titles that begin with "The" would look alike.
ARTICLES = frozenset("a an the der die das le la les el los las il".split())  # not shown
TITLE_FROM = 64  # pixels of width; a narrower drawn cover has a letter in place of its title
FULL_WIDTH = 150  # pixels; a narrower cover with a title is this one, scaled down
TITLE_LINES = 4  # on a drawn cover
# Sizes of a title by the width of the cover, the largest first that breaks no word.
TITLE_SIZES, SUBTITLE_SIZE, AUTHOR_SIZE = (0.128, 0.112, 0.096, 0.084), 0.072, 0.068
ON_COVER = re.compile(rf"{SUBTITLE}|(?=（)")  # on a cover, text in brackets is a subtitle, too
ELLIPSIS = "…"


def break_lines(text: str, font: QFont, width: int, most: int) -> tuple[list[str], bool]:
    """Return a text in lines, and whether it fits without breaking a word.

    What has no room ends in an ellipsis, after a whole word where one is near.
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
        if len(lines) == most - 1 and end < len(text):
            lines.append(_elide(text[start:], font, width))
            is_whole = False
            break
        lines.append(text[start:end].rstrip())
        is_whole &= end == len(text) or not (text[end - 1].isascii() and text[end - 1].isalnum())
    layout.endLayout()
    return lines, is_whole


def _elide(text: str, font: QFont, width: int) -> str:
    """Return the beginning of a text that fits a width, with an ellipsis after it."""
    metrics = QFontMetrics(font)
    if metrics.horizontalAdvance(text) <= width:
        return text
    cut = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
    cut = cut.rstrip(f".{ELLIPSIS}")  # Qt's ellipsis depends on the font
    if not text[len(cut)].isspace():  # within a word
        words = re.sub(r"[^\s-]+$", "", cut)
        cut = words if 2 * len(words) > len(cut) else cut
    return cut.rstrip(" ,;:–—-（(") + ELLIPSIS


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

    def take(self, asked: Iterable[int], found: Mapping[int, Cover]) -> None:
        """Keep the covers of the documents that were asked for.

        Those that `forget` named meanwhile are asked for again: their covers may be older.
        """
        for document_id in asked:
            if document_id not in self._asked:
                continue
            self._asked.discard(document_id)
            image = _to_image(found.get(document_id))
            self._known[document_id] = image and _fit_frame(image)
            self._known.move_to_end(document_id)
        while len(self._known) > MAX_KEPT:
            self._known.popitem(last=False)
        self.changed.emit()

    def give_up(self, document_ids: Iterable[int]) -> None:
        """Take back a request that failed; it is repeated when they are painted the next time."""
        self._asked.difference_update(document_ids)

    def forget(self, document_ids: Iterable[int]) -> None:
        """Load these again when they are painted the next time."""
        for document_id in document_ids:
            self._known.pop(document_id, None)
            self._asked.discard(document_id)
        self.changed.emit()

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
        if picture is None:
            self._paint_drawn(painter, frame, row)
        else:
            self._paint_picture(painter, frame, picture)
        painter.restore()

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
        """Paint a plain book: spine and ground in a quiet colour, with title or first letter."""
        theme = self._theme
        tone = _tone(theme, row)
        outline = _outline(area)
        ground = theme.color("surface") if theme.is_high else _mix(tone, theme.color("surface"), 5)
        painter.fillPath(outline, ground)
        spine = QRectF(area.left(), area.top(), max(2.0, area.width() * 0.07), area.height())
        painter.save()
        painter.setClipPath(outline)
        painter.fillRect(spine, tone if theme.is_high else _mix(tone, theme.color("surface"), 2))
        painter.restore()
        face = area.adjusted(round(spine.width()), 0, 0, 0)
        ink = theme.color("text") if theme.is_high else _mix(tone, theme.color("text"), 3)
        rule = theme.color("text") if theme.is_high else _mix(tone, theme.color("text2"), 2)
        if area.width() >= TITLE_FROM and find_initial(row.title):
            painter.save()
            share = min(1.0, area.width() / FULL_WIDTH)
            painter.translate(face.topLeft())
            painter.scale(share, share)
            whole = QRect(0, 0, round(face.width() / share), round(face.height() / share))
            self._paint_face(painter, whole, row, ink, rule)
            painter.restore()
        else:
            painter.setPen(ink)
            self._paint_initial(painter, face, row)
        self._paint_edge(painter, area)

    def _paint_rule(self, painter: QPainter, face: QRect, top: int, color: QColor) -> None:
        length, middle = round(0.24 * face.width()), face.center().x()
        painter.setPen(QPen(color, 1))
        painter.drawLine(middle - length // 2, top, middle + length // 2, top)

    def _paint_face(
        self, painter: QPainter, face: QRect, row: DocumentRow, ink: QColor, rule: QColor
    ) -> None:
        """Paint title, subtitle and author as on the front of a bound book."""
        margin = round(0.1 * face.width())
        room = face.width() - 2 * margin
        painter.setPen(ink)
        top = face.top() + round(0.15 * face.height())
        for font, lines in self._set_title(row.title, face.width(), room):
            top = _draw_centred(painter, face, top, font, lines)
            top += round(0.02 * face.height())
        self._paint_rule(painter, face, top + round(0.04 * face.height()), rule)
        if author := shorten_authors(row.author):
            font = self._book_font(author, AUTHOR_SIZE * face.width())
            lines, _ = break_lines(author, font, room, 2)
            height = len(lines) * QFontMetrics(font).height()
            painter.setPen(ink)
            foot = face.bottom() - round(0.08 * face.height()) - height
            _draw_centred(painter, face, foot, font, lines)

    def _set_title(self, title: str, width: int, room: int) -> list[tuple[QFont, list[str]]]:
        """Return title and subtitle in lines, at most `TITLE_LINES` together, with their fonts."""
        key = (title, width, self._theme.scale)
        if key not in self._set:
            if len(self._set) > MAX_KEPT:
                self._set.clear()
            main, *rest = ON_COVER.split(title.strip(), maxsplit=1)
            tries = []
            for size in TITLE_SIZES:
                font = self._book_font(main, size * width)
                font.setWeight(QFont.Weight.DemiBold)
                lines, is_whole = break_lines(main, font, room, TITLE_LINES)
                tries.append((not is_whole, len(lines) == TITLE_LINES, -size, font, lines))
            # the largest that breaks no word, and if possible not the one that needs all lines
            is_cut, is_full, _, font, lines = min(tries, key=lambda made: made[:3])
            parts = [(font, lines)]
            if rest and rest[0].strip() and not (is_cut or is_full):
                small = self._book_font(rest[0], SUBTITLE_SIZE * width)
                lines, _ = break_lines(rest[0], small, room, min(2, TITLE_LINES - len(lines)))
                parts.append((small, lines))
            self._set[key] = parts
        return self._set[key]

    def _book_font(self, text: str, size: float) -> QFont:
        font = self._theme.book_font(text, 13)
        font.setPixelSize(max(9, round(size)))
        return font

    def _paint_initial(self, painter: QPainter, area: QRect, row: DocumentRow) -> None:
        initial = find_initial(row.title)
        font = self._theme.book_font(initial, 13)
        font.setPixelSize(max(8, round(area.height() * 0.5)))
        painter.setFont(font)
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, initial.upper())


def _draw_centred(
    painter: QPainter, area: QRect, top: int, font: QFont, lines: Iterable[str]
) -> int:
    """Draw lines in the middle of an area; return where the next line begins."""
    metrics = QFontMetrics(font)
    painter.setFont(font)
    for line in lines:
        left = area.center().x() - metrics.horizontalAdvance(line) // 2
        painter.drawText(left, top + metrics.ascent(), line)
        top += metrics.height()
    return top


def _tone(theme: Theme, row: DocumentRow) -> QColor:
    """Return the colour of a drawn cover: the same for all works of an author."""
    steps = step_colors(theme.tokens)
    key = (row.author or row.title).casefold().encode("utf-8", "replace")
    return QColor(steps[zlib.crc32(key) % len(steps)])


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
    """The cover of one document, beside its title."""

    WIDTH, HEIGHT = 96, 128

    def __init__(self, theme: Theme, covers: Covers, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._covers = theme, covers
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
        self.setFixedSize(self._theme.length(self.WIDTH), self._theme.length(self.HEIGHT))

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
