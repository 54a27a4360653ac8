"""Small pictures of figures with their captions, beside a passage or on the page of a name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from desktop_app.engine.figures import find_mentions
from desktop_app.engine.store.figures import StoredFigure
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..theme.design_tokens import LIGHT
from ..theme.theme import Theme
from ..translation import tr
from ..widgets.buttons import ClickArea
from ..widgets.labels import paint_box
from ..widgets.layout import Flow, build_column
from ..widgets.words import plain_tip
from .descriptions import label_description, speak_description
from .pictures import FigurePictures
from .viewer import FigureViewer

THUMBNAIL = QSize(72, 54)  # units
CARD_WIDTH, DESCRIPTION_LINES = 264, 2
PIXELS = 320  # of the longer side of a small picture, for screens with two pixels per unit


def describe_figure(figure: StoredFigure) -> str:
    """Return the caption of a figure in one line, or what the file says instead of it."""
    words = figure.caption or figure.figure.alt or tr("Picture without a caption")
    return " ".join(words.split())


def describe_figure_page(figure: StoredFigure, *, with_title: bool = False) -> str:
    """Return the page, after the title of the document if that is wanted."""
    page = tr("p. {page}", page=figure.page_text) if figure.page_text else ""
    return " · ".join(part for part in (figure.title if with_title else "", page) if part)


def paint_picture(painter: QPainter, area: QRectF, picture: QImage, theme: Theme) -> None:
    """Paint a picture into the middle of an area, on white, with a thin edge."""
    size = QSize(picture.size())
    size.scale(area.size().toSize(), Qt.AspectRatioMode.KeepAspectRatio)
    place = QRectF(0, 0, size.width(), size.height())
    place.moveCenter(area.center())
    painter.fillRect(place, LIGHT.surface)
    ratio = painter.device().devicePixelRatio()
    # The painter's own scaling leaves out lines of pixels below half of the size.
    painter.drawImage(
        place,
        picture.scaled(
            size * ratio,
            Qt.AspectRatioMode.IgnoreAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        ),
    )
    draw_frame(painter, place, theme)


def draw_frame(painter: QPainter, place: QRectF, theme: Theme) -> None:
    """Draw the edge of a picture, or of one that is not there yet."""
    painter.setPen(theme.color("line"))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(place)


class FigureCard(ClickArea):
    """A small picture, beside it two lines of its caption and its place."""

    def __init__(
        self,
        theme: Theme,
        figure: StoredFigure,
        pictures: FigurePictures,
        parent: QWidget | None = None,
        *,
        with_title: bool = False,
    ) -> None:
        super().__init__(parent)
        self._theme, self.figure = theme, figure
        self._picture: QImage | None = None
        self._caption = describe_figure(figure)
        self._place = describe_figure_page(figure, with_title=with_title)
        described = speak_description(figure) if figure.description else ""
        parts = (self._caption[:200], self._place, described)
        self.setAccessibleName(", ".join(w for w in parts if w))
        tip = "\n".join(w for w in (self._caption[:600], described) if w)
        self.setToolTip(plain_tip(tip))
        theme.changed.connect(self._resize)
        self._resize()
        pictures.load(figure, PIXELS, self._take)

    def _resize(self) -> None:
        length = self._theme.length
        height = length(THUMBNAIL.height()) + length(8)
        if self.figure.description:
            spacing = QFontMetrics(self._theme.font("small")).lineSpacing()
            height += (1 + DESCRIPTION_LINES) * spacing + length(2)
        self.setFixedSize(self._theme.breadth(CARD_WIDTH), height)
        self.update()

    def _take(self, picture: QImage) -> None:
        self._picture = picture
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self.underMouse() or self.hasFocus():
                edge = theme.color("accent") if self.hasFocus() else None
                paint_box(painter, QRectF(self.rect()), theme.color("accent_soft", 0.5), edge)
            width, height = theme.length(THUMBNAIL.width()), theme.length(THUMBNAIL.height())
            frame = QRectF(4, 4, width, height)
            if self._picture is not None:
                paint_picture(painter, frame, self._picture, theme)
            else:
                draw_frame(painter, frame, theme)
            left = frame.right() + 8
            room = int(self.width() - left - 6)
            font, small = theme.font("text"), theme.font("small")
            metrics = QFontMetrics(font)
            lines = wrap_lines(self._caption, metrics, room, 2 if self._place else 3)
            y = 4 + metrics.ascent()
            painter.setFont(font)
            painter.setPen(theme.color("text"))
            for line in lines:
                painter.drawText(int(left), y, line)
                y += metrics.lineSpacing()
            if self._place:
                narrow = QFontMetrics(small)
                painter.setFont(small)
                painter.setPen(theme.color("text2"))
                shown = narrow.elidedText(self._place, Qt.TextElideMode.ElideRight, room)
                painter.drawText(int(left), y, shown)
            if self.figure.description:
                self._paint_description(painter, QRectF(frame.left(), frame.bottom() + 4, 0, 0))

    def _paint_description(self, painter: QPainter, place: QRectF) -> None:
        """Paint who describes the picture, and below it the description."""
        theme = self._theme
        small = theme.font("small")
        metrics = QFontMetrics(small)
        room = int(self.width() - place.left() - 6)
        y = int(place.top()) + metrics.ascent()
        label = label_description(self.figure)
        painter.setFont(small)
        painter.setPen(theme.color("text2"))
        elided = metrics.elidedText(label, Qt.TextElideMode.ElideRight, room)
        painter.drawText(int(place.left()), y, elided)
        painter.setPen(theme.color("text"))
        for line in wrap_lines(self.figure.description, metrics, room, DESCRIPTION_LINES):
            y += metrics.lineSpacing()
            painter.drawText(int(place.left()), y, line)


def wrap_lines(text: str, metrics: QFontMetrics, width: int, most: int) -> list[str]:
    """Return a text in at most so many lines, the last one cut with "…"."""
    lines: list[str] = []
    rest = text.strip()
    while rest and len(lines) < most - 1:
        n = len(rest)
        if metrics.horizontalAdvance(rest) > width:
            low, high = 1, n
            while low + 1 < high:
                middle = (low + high) // 2
                fits = metrics.horizontalAdvance(rest[:middle]) <= width
                low, high = (middle, high) if fits else (low, middle)
            blank = rest.rfind(" ", 0, low + 1)
            n = blank if blank > low // 2 else low
        lines.append(rest[:n].rstrip())
        rest = rest[n:].lstrip()
    if rest:
        lines.append(metrics.elidedText(rest, Qt.TextElideMode.ElideRight, width))
    return lines


class FigureStrip(QWidget):
    """Cards of figures in lines; a click opens the figure large. Hidden without figures."""

    place_wanted = Signal(int, int, int)  # document, start and end, from the large picture

    def __init__(
        self,
        context: SessionContext,
        pictures: FigurePictures,
        parent: QWidget | None = None,
        *,
        with_title: bool = False,
    ) -> None:
        super().__init__(parent)
        self._context, self._pictures, self._with_title = context, pictures, with_title
        self.flow = Flow(self, gap=6)
        build_column(self.flow, parent=self, spacing=0)
        self.cards: list[FigureCard] = []
        self.hide()

    def set_figures(self, figures: Sequence[StoredFigure]) -> None:
        if [card.figure for card in self.cards] == list(figures):
            return
        self.flow.clear()
        self.cards = []
        for number, figure in enumerate(figures):
            card = FigureCard(
                self._context.theme,
                figure,
                self._pictures,
                self.flow,
                with_title=self._with_title,
            )
            card.clicked.connect(lambda n=number: self.open(n))
            self.cards.append(card)
        self.flow.add(*self.cards)
        self.setVisible(bool(figures))

    def open(self, number: int) -> FigureViewer:
        """Show a figure large."""
        viewer = FigureViewer(
            self._context, [card.figure for card in self.cards], number, self.window()
        )
        viewer.place_wanted.connect(self.place_wanted)
        viewer.open()
        return viewer


class PassageFigures(QObject):
    """Finds the figures that passages mention, and shows them in strips.

    Args:
        on_place: opens the place of a figure: document, start and end.
    """

    def __init__(
        self,
        context: SessionContext,
        on_place: Callable[[int, int, int], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._context, self._on_place = context, on_place
        self.pictures = FigurePictures(context, self)

    def build_strip(self, parent: QWidget) -> FigureStrip:
        """Return an empty strip."""
        strip = FigureStrip(self._context, self.pictures, parent)
        strip.place_wanted.connect(self._on_place)
        return strip

    def fill(self, strip: FigureStrip, document_id: int, text: str, at: int) -> None:
        """Show the figures in a strip that a passage at an offset mentions."""
        self.find(strip, document_id, text, at, strip.set_figures)

    def find(
        self,
        owner: QObject,
        document_id: int,
        text: str,
        at: int,
        then: Callable[[list[StoredFigure]], None],
    ) -> None:
        """Call `then` with the figures that a passage mentions, while its owner lives."""
        if next(find_mentions(text), None) is None:
            then([])
            return
        find = self._context.figure_reader.list_mentioned
        query = Query(self._context.reader_lane, find, document_id, text, at, owner=owner)
        query.on_success(then).run()
