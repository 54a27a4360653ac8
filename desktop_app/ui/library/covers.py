"""Covers of documents: those from their files, and drawn ones for all others.

`Covers` keeps the pictures in sight and asks for those that are missing; it paints a drawn cover
until one arrives, and for a document that has none.
"""

from __future__ import annotations

import re
import zlib
from collections import OrderedDict
from collections.abc import Iterable, Mapping

from PySide6.QtCore import QObject, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
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
from desktop_app.engine.services.covers import FORMATS, Cover
from desktop_app.engine.writing_systems import HAN, KANA

from ..theme.design_tokens import step_colors
from ..theme.theme import Theme

MAX_KEPT = 300  # pictures, of some 130 kB each
LOAD_MS = 30  # requests within this time are one query
RATIO = 0.75  # width by height of a drawn cover
# One letter stands for a title; with these, all titles that begin with "The" would look alike.
ARTICLES = frozenset("a an the der die das le la les el los las il".split())  # not shown
WORDS_FROM = 64  # pixels of width; a narrower cover has the first letter of its title
MAX_LINES = 5
LARGEST_TITLE = 0.16  # pixels of a letter, by pixels of width
WIDE = re.compile(f"[{HAN}{KANA}]")  # a line may break at each of these


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
            self._known[document_id] = _to_image(found.get(document_id))
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
        if picture is None:
            width = min(area.width(), round(RATIO * area.height()))
            self._paint_drawn(painter, _center(QSize(width, area.height()), area), row)
        else:
            size = picture.size().scaled(area.size(), Qt.AspectRatioMode.KeepAspectRatio)
            self._paint_picture(painter, _center(size, area), picture)
        painter.restore()

    def _paint_picture(self, painter: QPainter, area: QRect, picture: QImage) -> None:
        painter.drawImage(area, self._scale(picture, area.size(), painter))
        if self._theme.is_dark:  # a white page would be the brightest thing in the window
            painter.fillRect(area, QColor(0, 0, 0, 40))
        painter.setPen(self._edge())
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5))

    def _scale(self, picture: QImage, size: QSize, painter: QPainter) -> QImage:
        """Return a picture for a size; much smaller ones are made once, of all their pixels."""
        ratio = painter.device().devicePixelRatioF()
        wanted = QSize(round(ratio * size.width()), round(ratio * size.height()))
        if 2 * wanted.width() >= picture.width():
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
        """Paint a plain book: spine and ground in a quiet colour, title, line and author."""
        theme = self._theme
        tone = _tone(theme, row)
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(area), 2, 2)
        ground = theme.color("surface") if theme.is_high else _mix(tone, theme.color("surface"), 5)
        painter.fillPath(outline, ground)
        spine = QRectF(area.left(), area.top(), max(2.0, area.width() * 0.07), area.height())
        painter.save()
        painter.setClipPath(outline)
        painter.fillRect(spine, tone if theme.is_high else _mix(tone, theme.color("surface"), 2))
        painter.restore()
        left = round(spine.width())
        if area.width() < WORDS_FROM:
            self._paint_initial(painter, area.adjusted(left, 0, 0, 0), row)
        else:
            margin = max(4, round(area.width() * 0.08))
            inner = area.adjusted(left + margin, margin, -margin, -margin)
            self._paint_words(painter, QRectF(inner), row, tone)
        self._paint_edge(painter, area)

    def _paint_initial(self, painter: QPainter, area: QRect, row: DocumentRow) -> None:
        initial = find_initial(row.title)
        font = self._theme.book_font(initial, 13)
        font.setPixelSize(max(8, round(area.height() * 0.5)))
        painter.setFont(font)
        painter.setPen(self._theme.color("text"))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, initial.upper())

    def _paint_words(self, painter: QPainter, area: QRectF, row: DocumentRow, tone: QColor) -> None:
        theme = self._theme
        title = " ".join(row.title.split())
        font = _fit_words(theme.book_font(title, 11), title, area.width())
        author = row.author.split(";")[0].strip()
        small = theme.book_font(author, 9)
        small.setPixelSize(max(7, round(area.width() * 0.12)))
        foot = QFontMetricsF(small).height() if author else 0.0
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        metrics = QFontMetricsF(font)
        room = area.height() - foot - 8
        n_lines = max(1, min(MAX_LINES, int(room // metrics.height())))
        layout = QTextLayout(title, font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.beginLayout()
        top = area.top()
        for number in range(n_lines):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(area.width())
            start, end = line.textStart(), line.textStart() + line.textLength()
            part = title[start:end].rstrip()
            if number == n_lines - 1 and end < len(title):
                rest = title[start:]
                part = metrics.elidedText(rest, Qt.TextElideMode.ElideRight, area.width())
            painter.drawText(QPointF(area.left(), top + metrics.ascent()), part)
            top += metrics.height()
        layout.endLayout()
        rule = theme.color("text") if theme.is_high else _mix(tone, theme.color("text2"), 2)
        painter.setPen(QPen(rule, 1))
        end_of_rule = QPointF(area.left() + area.width() * 0.3, top + 3)
        painter.drawLine(QPointF(area.left(), top + 3), end_of_rule)
        if author:
            painter.setFont(small)
            painter.setPen(theme.color("text2"))
            measure = QFontMetricsF(small)
            shown = measure.elidedText(author, Qt.TextElideMode.ElideRight, area.width())
            painter.drawText(QPointF(area.left(), area.bottom() - measure.descent()), shown)


def _fit_words(font: QFont, title: str, width: float) -> QFont:
    """Return a font in which no word of a title is broken, if there is one that can be read."""
    font.setPixelSize(max(8, round(width * LARGEST_TITLE)))
    widest = max(map(QFontMetricsF(font).horizontalAdvance, _list_unbroken(title)), default=0.0)
    if widest > width:
        font.setPixelSize(max(8, int(font.pixelSize() * width / widest)))
    return font


def _list_unbroken(title: str) -> list[str]:
    """Return the words of a title; text without spaces, as in Chinese, is broken anywhere."""
    return [word for word in re.split(r"(?<=-)|\s", title) if not WIDE.search(word)]


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

    WIDTH, HEIGHT = 60, 80

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
