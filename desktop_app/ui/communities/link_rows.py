"""Other communities under each other, each leading to its own report.

Owns a row: a dot of its colour, the title, and a few words at the right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QVBoxLayout, QWidget

from desktop_app.ui.language import trn
from desktop_app.ui.plain_tip import plain_tip
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, clear_layout

from .tree_delegate import shade_color

SHOWN = 8


class Link(NamedTuple):
    """Where a row leads, its words, those at the right, and its colour of the twelve."""

    number: int
    title: str
    detail: str
    shade: int


class LinkRow(QAbstractButton):
    """One community to go to."""

    def __init__(self, theme: Theme, link: Link, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self.link = theme, link
        self.setText(link.title)
        self.setAccessibleName(f"{link.title}. {link.detail}")
        self.setToolTip(plain_tip(link.title))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(200, self._theme.length(28))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, area = self._theme, QRectF(self.rect())
        painter.setPen(Qt.PenStyle.NoPen)
        if self.underMouse() or self.hasFocus():
            painter.setBrush(theme.color("accent_soft", 0.6))
            painter.drawRoundedRect(area, 6, 6)
        painter.setBrush(shade_color(theme, self.link.shade))
        painter.drawEllipse(QRectF(6, area.center().y() - 4, 8, 8))
        small = QFontMetrics(theme.font("small"))
        width = small.horizontalAdvance(self.link.detail)
        painter.setFont(theme.font("small"))
        painter.setPen(theme.color("text2"))
        end = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(area.adjusted(0, 0, -8, 0), end, self.link.detail)
        painter.setFont(theme.font("text"))
        painter.setPen(theme.color("text"))
        words = area.adjusted(INSET, 0, -width - 20, 0)
        metrics = QFontMetrics(theme.font("text"))
        title = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, int(words.width()))
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, title)
        painter.end()


INSET = 22


class LinkRows(QWidget):
    """Emits `chosen` with a community."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: list[LinkRow] = []
        self._column = QVBoxLayout(self, spacing=0)
        self._column.setContentsMargins(0, 0, 0, 0)

    def set_links(self, links: Sequence[Link], *, most: int = SHOWN) -> None:
        """Show these; beyond `most` the rest comes when it is asked for."""
        clear_layout(self._column)
        self.rows = []
        fold = len(links) > most + 1
        for link in links[:most] if fold else links:
            row = LinkRow(self._theme, link, self)
            row.clicked.connect(lambda _=False, n=link.number: self.chosen.emit(n))
            self._column.addWidget(row)
            row.show()  # what is not shown yet is not measured
            self.rows.append(row)
        if fold:
            rest = len(links) - most
            more = Button(trn("{n} more", "{n} more", rest), self, kind="link")
            more.clicked.connect(lambda: self.set_links(links, most=len(links)))
            self._column.addWidget(more, 0, Qt.AlignmentFlag.AlignLeft)
            more.show()
