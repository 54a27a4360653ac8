"""The list of places where a quotation stands: its rows, and how they are drawn.

A difference has a colour and a sign: "+" stands before what is only in the document, "−" before
what is only in the quotation, which is also struck out.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_app.engine.services.quotation_search import PieceKind, QuotationPlace, list_pieces
from desktop_app.engine.writing_systems import has_han

from ..theme.theme import Theme
from ..translation import later, tr
from ..widgets.tables import ROW_ROLE, AnyIndex, RowList, RowsModel, inverts_selection, paint_ground
from ..widgets.words import find_cut, format_headings

PAD, GAP, SIDE, DISC = 12, 8, 24, 8
LEADING = 1.3
AROUND, AROUND_HAN = 60, 24  # characters that are shown of the words around a passage
PLUS, MINUS, THIN, CUT = "+", "−", "\u2009", "…"
JOIN = "\u2060"  # no line ends between a sign and its words
ShownKind = PieceKind | Literal["plus", "minus"]
COLORS: Mapping[str, str] = {
    **{"around": "text2", "skipped": "text2"},
    **{"plus": "ok", "there": "ok", "minus": "bad", "quoted": "bad"},
}
WORDINGS: Mapping[str, tuple[str, str]] = {
    "exact": (later("Exact"), "ok"),
    "small": (later("Small differences"), "warn"),
    "similar": (later("Similar wording"), "text2"),
}


def describe_quotation_place(place: QuotationPlace) -> str:
    """Return the page and the chapter, or the share of the document before the place."""
    where = tr("p. {page}", page=place.page) if place.page else ""
    share = round(100 * place.share)
    where = where or (tr("at {share}%", share=share) if share else tr("at the beginning"))
    is_title = place.chapter.casefold() == place.title.casefold()
    return " · ".join(p for p in (where, "" if is_title else format_headings(place.chapter)) if p)


def describe_wording(place: QuotationPlace) -> str:
    """Return how like the quotation a place is."""
    words, found = tr(WORDINGS[place.wording][0]), round(100 * place.found)
    if place.wording == "exact" or found == 100:
        return words
    return tr("{words} · {share}%", words=words, share=found)


@lru_cache(maxsize=200)
def list_shown_pieces(place: QuotationPlace) -> tuple[tuple[ShownKind, str], ...]:
    """Return the passage in pieces, with the signs of differences as pieces of their own.

    The words around it, and what an ellipsis skips, are shortened.
    """
    shown: list[tuple[ShownKind, str]] = []
    for number, (kind, text) in enumerate(list_pieces(place)):
        room = AROUND_HAN if has_han(text) else AROUND
        if kind == "around":
            text = _cut_before(text, room) if number == 0 else _cut_after(text, room)
        elif kind == "skipped" and len(text) > 2 * room:
            text = f"{_cut_after(text, room)} {_cut_before(text, room).removeprefix(CUT)}"
        if kind == "there" and shown and shown[-1][0] == "quoted":
            shown.append(("same", THIN))
        if kind in ("quoted", "there"):
            shown.append(("minus", MINUS + JOIN) if kind == "quoted" else ("plus", PLUS + JOIN))
        shown.append((kind, text))
    return tuple(shown)


def _cut_before(text: str, room: int) -> str:
    if len(text) <= room:
        return text
    return CUT + text[find_cut(text, len(text) - room, backward=True) :].lstrip()


def _cut_after(text: str, room: int) -> str:
    return text if len(text) <= room else text[: find_cut(text, room)].rstrip() + CUT


def write_passage(place: QuotationPlace) -> str:
    """Return the passage as it is displayed, with the signs of its differences."""
    return "".join(text for _, text in list_shown_pieces(place))


class PlacesModel(RowsModel):
    """The places that are shown."""

    def describe(self, row: QuotationPlace, role: int) -> str | None:
        if role == Qt.ItemDataRole.DisplayRole:
            return write_passage(row)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            head = f"{row.title}, {describe_quotation_place(row)}. {describe_wording(row)}."
            return f"{head} {write_passage(row)}"
        return None


class QuotationPlaceDelegate(QStyledItemDelegate):
    """Draws the document and the place, how like the quotation it is, and the passage."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._heights: dict[tuple[QuotationPlace, int], int] = {}  # of passages at a width

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        view = option.widget or self.parent()
        width = view.viewport().width() if isinstance(view, RowList) else option.rect.width()
        key = index.data(ROW_ROLE), width
        if key not in self._heights:
            layout = self._layout(*key)
            self._heights[key] = round(layout.lineCount() * self._line(layout))
        height = self._heights[key] + self._head_height() + GAP + 2 * PAD
        return QSize(min(width, 200), height)

    def forget(self) -> None:
        """Clear the measured heights: other places are shown, or fonts changed."""
        self._heights.clear()

    def _head_height(self) -> int:
        return QFontMetrics(self._theme.font("strong")).lineSpacing()

    @staticmethod
    def _line(layout: QTextLayout) -> float:
        return layout.lineAt(0).height() * LEADING if layout.lineCount() else 0.0

    def _layout(self, place: QuotationPlace, width: int) -> QTextLayout:
        pieces = list_shown_pieces(place)
        text = "".join(piece for _, piece in pieces)
        layout = QTextLayout(text, self._theme.book_font(text, 15))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        formats, start = [], 0
        looks = {kind: self._look(kind) for kind, _ in pieces}
        for kind, piece in pieces:
            part = QTextLayout.FormatRange()
            part.start, part.length = start, len(piece.encode("utf-16-le")) // 2  # Qt's units
            part.format = looks[kind]
            formats.append(part)
            start += part.length
        layout.setFormats(formats)
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(80, width - 2 * SIDE))
        layout.endLayout()
        for number in range(layout.lineCount()):
            line = layout.lineAt(number)
            line.setPosition(QPointF(0, number * self._line(layout)))
        return layout

    def _look(self, kind: ShownKind) -> QTextCharFormat:
        look = QTextCharFormat()
        look.setForeground(self._theme.color(COLORS.get(kind, "text")))
        if kind == "there":
            look.setFontUnderline(True)
        elif kind == "quoted":
            look.setFontStrikeOut(True)
        elif kind == "skipped":
            look.setFontItalic(True)
        return look

    @inverts_selection
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        place: QuotationPlace = index.data(ROW_ROLE)
        paint_ground(painter, option, index, self)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = option.rect.adjusted(SIDE, PAD, -SIDE, -PAD)
        self._paint_head(painter, QRect(area.topLeft(), QSize(area.width(), 0)), place)
        layout = self._layout(place, option.rect.width())
        top = area.top() + self._head_height() + GAP
        layout.draw(painter, QPointF(area.left(), top))
        painter.restore()

    def _paint_head(self, painter: QPainter, area: QRect, place: QuotationPlace) -> None:
        theme = self._theme
        strong, small = theme.font("strong"), theme.font("small")
        metrics, narrow = QFontMetrics(strong), QFontMetrics(small)
        baseline = area.top() + metrics.ascent()
        wording = describe_wording(place)
        left = area.right() + 1 - narrow.horizontalAdvance(wording)
        painter.setFont(small)
        painter.setPen(theme.color("text"))
        painter.drawText(left, baseline, wording)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color(WORDINGS[place.wording][1]))
        left -= DISC + 6
        middle = baseline - narrow.xHeight() / 2
        painter.drawEllipse(QRectF(left, middle - DISC / 2, DISC, DISC))
        room = left - 16 - area.left()
        title = metrics.elidedText(place.title, Qt.TextElideMode.ElideRight, room * 6 // 10)
        painter.setFont(strong)
        painter.setPen(theme.color("text"))
        painter.drawText(area.left(), baseline, title)
        used = metrics.horizontalAdvance(title) + 12
        where = narrow.elidedText(
            describe_quotation_place(place), Qt.TextElideMode.ElideRight, max(0, room - used)
        )
        painter.setFont(small)
        painter.setPen(theme.color("text2"))
        painter.drawText(area.left() + used, baseline, where)


class PlaceList(RowList):
    """The places, each as high as its passage."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        self.places = PlacesModel()
        self._delegate = QuotationPlaceDelegate(theme)
        super().__init__(self.places, self._delegate, tr("Places of the quotation"), parent)
        self.places.setParent(self)
        self.setUniformItemSizes(False)
        self.setResizeMode(RowList.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        theme.changed.connect(self._measure_again)

    def _measure_again(self) -> None:
        self._delegate.forget()
        self.scheduleDelayedItemsLayout()

    def show_places(self, places: list[QuotationPlace]) -> None:
        """Show these places, the first one selected."""
        self._delegate.forget()
        self.places.show_rows(places)
        self.select_row(0)
        self.scrollToTop()
