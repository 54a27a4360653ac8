"""A chart of where an entity is mentioned: one line per document, one tick per mention.

Short strokes below the line are the starts of chapters.

Mentions too many for ticks are drawn as their density. Positions are 0 at the start of a document
and 1 at its end.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import format_number
from desktop_app.ui.widgets.words import format_heading, join_words

from ..translation import tr, trn

LINE, SHOWN = 24, 6
TITLE = 180  # pixels: the most of a title
CHAPTER_GAP = 8  # pixels: least distance of two marks of chapters; else every 5th, 10th … is marked
CHAPTER_DROP = 3  # pixels from a strip to the marks of its chapters: else they look like mentions
BIN = 3  # pixels: the room of a tick that is seen as one
BAR, BAR_GAP = 5, 1  # pixels: of the bars of a density, and between them
STEPS: dict[int, tuple[int, int]] = {  # rows down, ticks to the right
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
}


def is_dense(places: np.ndarray, width: float) -> bool:
    """Return whether most ticks would touch others on a strip of this many pixels.

    Args:
        places: positions from 0 to 1, sorted, shape (N,).
    """
    if len(places) < 2:
        return False
    gaps = np.diff(places) * width
    return len(places) * BIN > width / 2 and float(np.median(gaps)) < BIN


def measure_density(places: np.ndarray, width: float) -> np.ndarray:
    """Return how many mentions each part of a strip has, 1 where they are most.

    Args:
        places: positions from 0 to 1, shape (N,).
        width: of the strip, in pixels.

    Returns:
        The shares of the largest count, one per bar.
    """
    n_bins = max(1, int(width) // BAR)
    counts, _ = np.histogram(np.clip(places, 0, 1), bins=n_bins, range=(0.0, 1.0))
    return np.asarray(counts / max(1, counts.max()))


def find_step(n_chapters: int, width: float) -> int:
    """Return 1 to mark each chapter on a strip of this many pixels, or 5, 10 … for each nth."""
    for step in (1, 5, 10, 20, 50, 100):
        if n_chapters * CHAPTER_GAP <= width * step:
            return step
    return max(1, n_chapters)


class SpreadChart(QWidget):
    """Emits `tick_clicked` with a document and the position of the nearest mention."""

    tick_clicked = Signal(int, float)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._all: list[tuple[int, str, np.ndarray]] = []
        self._chapters: Mapping[int, Sequence[tuple[float, str]]] = {}
        self._title_room = self._count_room = 0
        self._unfolded = False
        self._touched = -1
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._line = LINE
        self._spot = (0, 0)  # current row and tick of the arrow keys
        theme.changed.connect(self._fit)

    def set_spread(
        self,
        spread: Sequence[tuple[int, str, Sequence[float]]],
        chapters: Mapping[int, Sequence[tuple[float, str]]] = MappingProxyType({}),
    ) -> None:
        """Show these documents, the one with most mentions first.

        Args:
            chapters: of a document: where they start, from 0 to 1, in order, and their titles.
        """
        self._chapters = chapters
        rows = [(d, t, np.sort(np.asarray(p, dtype=np.float64))) for d, t, p in spread if len(p)]
        self._all = sorted(rows, key=lambda row: -len(row[2]))
        self._unfolded, self._spot = False, (0, 0)
        counts = [
            trn("{title}: {n} mention", "{title}: {n} mentions", len(p), title=t)
            for _, t, p in self._all[:SHOWN]
        ]
        self.setAccessibleName(tr("Mentions. {documents}", documents=join_words(counts)))
        self._fit()

    def rows(self) -> list[tuple[int, str, np.ndarray]]:
        """Return what is shown now."""
        return self._all if self._unfolded else self._all[:SHOWN]

    def sizeHint(self) -> QSize:
        return QSize(480, self.height())

    def _has_rest(self) -> bool:
        return len(self._all) > SHOWN

    def _fit(self) -> None:
        self._line = self._theme.length(LINE)
        self.setVisible(bool(self._all))
        self.setFixedHeight(self._line * (len(self.rows()) + self._has_rest()))
        metrics = QFontMetrics(self._theme.font("small"))
        titles = (metrics.horizontalAdvance(title) + 2 for _, title, _ in self.rows())
        self._title_room = min(self._theme.length(TITLE), max(titles, default=0))
        counts = (metrics.horizontalAdvance(format_number(len(p))) for _, _, p in self.rows())
        self._count_room = max(counts, default=0) + 2
        self.update()

    def strip_rect(self, row: int) -> QRectF:
        """Return where the mentions of a row are drawn: what titles and counts leave."""
        title = min(self._title_room, self.width() // 3)
        width = self.width() - title - self._count_room - 16
        return QRectF(title + 8, row * self._line + 5, max(40, width), self._line - 10)

    # --- drawing ----------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        small = self._theme.font("small")
        metrics = QFontMetrics(small)
        painter.setFont(small)
        for row, (document_id, title, places) in enumerate(self.rows()):
            strip = self.strip_rect(row)
            words = QRect(0, row * self._line, round(strip.left()) - 8, self._line)
            painter.setPen(self._theme.color("text" if row == self._touched else "text2"))
            shown = metrics.elidedText(title, Qt.TextElideMode.ElideRight, words.width())
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, shown)
            painter.setPen(self._theme.color("text2"))
            left = round(strip.right()) + 8
            count = QRect(left, row * self._line, self._count_room, self._line)
            flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.drawText(count, flags, format_number(len(places)))
            self._paint_chapters(painter, strip, self._chapters.get(document_id, ()))
            self._paint_ticks(painter, strip, places)
            if self.hasFocus() and row == self._spot[0]:
                self._paint_spot(painter, strip, places)
        if self._has_rest():
            rest = QRect(0, self.height() - self._line, self.width(), self._line)
            painter.setPen(self._theme.color("accent"))
            n_more = len(self._all) - SHOWN
            text = tr("Fewer")
            if not self._unfolded:
                text = trn("{n} more document", "{n} more documents", n_more)
            painter.drawText(rest, Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()

    def _paint_chapters(
        self, painter: QPainter, strip: QRectF, chapters: Sequence[tuple[float, str]]
    ) -> None:
        """Draw the starts of chapters as short strokes below the strip, away from the mentions."""
        step = find_step(len(chapters), strip.width())
        painter.setPen(QPen(self._theme.color("text2", 0.45), 1))
        y = strip.bottom() + CHAPTER_DROP
        for place, _ in chapters[::step]:
            x = strip.left() + round(min(1.0, place) * (strip.width() - 1)) + 0.5
            painter.drawLine(QLineF(x, y, x, y + 1))

    def _paint_ticks(self, painter: QPainter, strip: QRectF, places: np.ndarray) -> None:
        is_density = is_dense(places, strip.width())
        y = strip.bottom() if is_density else strip.center().y()
        painter.setPen(QPen(self._theme.color("line"), 1))
        painter.drawLine(QLineF(strip.left(), y, strip.right(), y))
        if is_density:
            self._paint_density(painter, strip, places)
            return
        # at most one tick per pixel; several mentions make it stronger
        pixels, counts = np.unique(
            np.round(np.clip(places, 0, 1) * (strip.width() - 1)).astype(int), return_counts=True
        )
        for strength, low, high in ((0.55, 1, 1), (0.8, 2, 3), (1.0, 4, 1 << 30)):
            some = pixels[(counts >= low) & (counts <= high)]
            lines = [
                QLineF(strip.left() + x + 0.5, strip.top(), strip.left() + x + 0.5, strip.bottom())
                for x in some.tolist()
            ]
            painter.setPen(QPen(self._theme.color("accent", strength), 1))
            painter.drawLines(lines)

    def _paint_density(self, painter: QPainter, strip: QRectF, places: np.ndarray) -> None:
        """Draw how many mentions each part of a document has, as bars that stand on its end.

        Bars with a gap between them: touching ones of a frequent name are one solid block.
        """
        shares = measure_density(places, strip.width())
        painter.setPen(Qt.PenStyle.NoPen)
        width = strip.width() / len(shares)
        for number, share in enumerate(shares.tolist()):
            if share > 0:
                height = max(1.0, strip.height() * share)
                painter.setBrush(self._theme.color("accent", 0.45 + 0.55 * share))
                left, top = strip.left() + number * width, strip.bottom() - height
                painter.drawRect(QRectF(left, top, width - BAR_GAP, height))

    def _paint_spot(self, painter: QPainter, strip: QRectF, places: np.ndarray) -> None:
        x = strip.left() + float(places[self._spot[1]]) * (strip.width() - 1)
        painter.setPen(QPen(self._theme.color("accent"), 2))
        painter.drawRoundedRect(QRectF(x - 4, strip.top() - 3, 8, strip.height() + 6), 3, 3)

    # --- keys -------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move between documents and mentions with the arrow keys; Return opens a mention."""
        row, tick = self._spot
        key, rows = event.key(), self.rows()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and rows:
            self.tick_clicked.emit(rows[row][0], float(rows[row][2][tick]))
            return
        if key not in STEPS or not rows:
            super().keyPressEvent(event)
            return
        down, right = STEPS[key]
        if row + down == len(rows) and self._has_rest() and not self._unfolded:
            self._unfolded = True
            self._fit()
        row = max(0, min(row + down, len(self.rows()) - 1))
        tick = max(0, min(tick + right, len(self.rows()[row][2]) - 1))
        self._spot = (row, tick)
        self.update()

    # --- pointer ----------------------------------------------------------------------------

    def find_tick(self, point: QPointF) -> tuple[int, float] | None:
        """Return the row and the position of the mention nearest to a point of its strip."""
        row = int(point.y() // self._line)
        if not 0 <= row < len(self.rows()):
            return None
        strip, places = self.strip_rect(row), self.rows()[row][2]
        if not strip.left() - 4 <= point.x() <= strip.right() + 4:
            return None
        wanted = (point.x() - strip.left()) / strip.width()
        return row, float(places[int(np.abs(places - wanted).argmin())])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        tick = self.find_tick(event.position())
        on_rest = self._has_rest() and event.position().y() >= self.height() - self._line
        hand = Qt.CursorShape.PointingHandCursor
        self.setCursor(hand if tick or on_rest else Qt.CursorShape.ArrowCursor)
        touched = tick[0] if tick else -1
        if touched != self._touched:
            self._touched = touched
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._touched = -1
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if self._has_rest() and event.position().y() >= self.height() - self._line:
            self._unfolded = not self._unfolded
            self._fit()
        elif (tick := self.find_tick(event.position())) is not None:
            self.tick_clicked.emit(self.rows()[tick[0]][0], tick[1])

    def _find_chapter(self, document_id: int, place: float) -> str:
        """Return the title of the chapter at a place, "" before the first one."""
        chapters = self._chapters.get(document_id, ())
        number = bisect_right(chapters, place, key=lambda one: one[0])
        return format_heading(chapters[number - 1][1]) if number else ""

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            tick = self.find_tick(QPointF(event.pos()))
            if tick is None:
                QToolTip.hideText()
            else:
                document_id, title, _ = self.rows()[tick[0]]
                if chapter := self._find_chapter(document_id, tick[1]):
                    title = f"{title} · {chapter}"
                QToolTip.showText(
                    event.globalPos(),
                    tr("{title}, at {share}", title=title, share=f"{tick[1]:.0%}"),
                    self,
                )
            return True
        return super().event(event)
