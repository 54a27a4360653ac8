"""The scroll bar of the reader's views, with marks for passages, hits, annotations and names."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QScrollBar, QWidget

from ..theme.theme import Theme
from ..widgets.highlight_colors import COLOR_WORDS, highlight_color, paint_color

# layers of the scroll bar, painted in this order, the last on top
ORDER = ("followed", "marks", "hits", "hit", "passage")
NEAR_PX = 4


class MarginBar(QScrollBar):
    """A scroll bar with marks; `offset_chosen` carries the offset of a clicked mark.

    Args:
        shares: maps offsets, shape (N,), to their share of the document's height, 0 to 1.
    """

    offset_chosen = Signal(int)

    def __init__(
        self,
        theme: Theme,
        shares: Callable[[np.ndarray], np.ndarray],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._theme, self._shares = theme, shares
        self._layers: dict[str, tuple[np.ndarray, str | Sequence[str]]] = {}
        theme.changed.connect(self.update)

    def clear(self) -> None:
        self._layers.clear()
        self.update()

    def set_layer(self, name: str, offsets: Sequence[int], color: str | Sequence[str]) -> None:
        """Show marks at offsets.

        Args:
            color: of all or of each: a token, an entity type, or the colour of a highlight.
        """
        if offsets:
            self._layers[name] = (np.array(offsets, dtype=np.int64), color)
        else:
            self._layers.pop(name, None)
        self.update()

    def offsets_of(self, name: str) -> list[int]:
        """Return the offsets of a layer's marks."""
        return self._layers[name][0].tolist() if name in self._layers else []

    def rows_of(self, name: str) -> np.ndarray:
        """Return the pixel rows of a layer's marks, shape (N,)."""
        offsets = self._layers[name][0]
        return np.rint(self._shares(offsets) * (self.height() - 3)).astype(np.int64) + 1

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._layers:
            return
        painter, theme = QPainter(self), self._theme
        for name in ORDER:
            if name in self._layers:
                rows, named = self.rows_of(name).tolist(), self._layers[name][1]
                colors = [named] * len(rows) if isinstance(named, str) else named
                for y, color_name in sorted(set(zip(rows, colors, strict=True))):
                    color = self._color(color_name)
                    color.setAlpha(230)
                    if name == "hit":  # the current one stands out among many
                        painter.fillRect(0, int(y) - 2, self.width(), 4, color)
                        continue
                    if theme.is_high and color_name in COLOR_WORDS:
                        place = QRectF(self.width() - 7, int(y) - 2, 7, 4)
                        paint_color(painter, theme.tokens, color_name, place)
                    else:
                        painter.fillRect(self.width() - 6, int(y) - 1, 5, 2, color)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            offset = self._mark_at(event.position().y())
            if offset is not None:
                self.offset_chosen.emit(offset)
                return
        super().mousePressEvent(event)

    def _mark_at(self, y: float) -> int | None:
        """Return the offset of the nearest mark, None on the handle, which is dragged."""
        length = max(1, self.maximum() - self.minimum() + self.pageStep())
        top = (self.value() - self.minimum()) / length * self.height()
        if top <= y <= top + max(32.0, self.pageStep() / length * self.height()):
            return None
        best, found = NEAR_PX + 0.5, None
        for name in reversed(ORDER):
            if name in self._layers:
                far = np.abs(self.rows_of(name) - y)
                at = int(far.argmin())
                if far[at] < best:
                    best, found = float(far[at]), int(self._layers[name][0][at])
        return found

    def _color(self, name: str) -> QColor:
        if name in COLOR_WORDS:
            return highlight_color(self._theme, name, strong=True)
        if name in self._theme.tokens.types:
            return QColor(self._theme.type_color(name))
        return QColor(self._theme.color(name))
