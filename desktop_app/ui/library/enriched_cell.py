"""The table cell for enrichment: a text with a thin progress bar under it.

Owns how the bar is drawn; the share comes from the model.
"""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from desktop_app.ui.widgets import TextDelegate
from desktop_app.ui.widgets.tables import COLOR_ROLE

SHARE_ROLE = Qt.ItemDataRole.UserRole + 105
HEIGHT = 3


class EnrichedDelegate(TextDelegate):
    """Draws the text, and the bar under it while a share is given."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        share = index.data(SHARE_ROLE)
        if share is None:
            return
        ground = QRectF(option.rect.adjusted(8, 0, -8, 0))
        ground.setTop(option.rect.bottom() - HEIGHT - 1)
        ground.setHeight(HEIGHT)
        full = QRectF(ground)
        full.setWidth(ground.width() * share)
        waits = index.data(COLOR_ROLE) == "text2"
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("line"))
        painter.drawRoundedRect(ground, 1.5, 1.5)
        if share > 0:
            painter.setBrush(self._theme.color("text2" if waits else "accent", 0.8))
            painter.drawRoundedRect(full, 1.5, 1.5)
        painter.restore()
