"""The sources of an answer: a row that unfolds into cards, by document, one for each passage.

Owns how a passage is shown with its best part marked and how near it is to the question.
Knows nothing of how it was found.
"""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop_app.ui.language import tr, trn
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import ElidedLabel, Label, SectionTitle

from .source_rows import Source, build_sources, group_sources
from .turns import Turn

INDENT = 13


class RelevanceBar(QWidget):
    """How near a passage is to the question, beside the nearest one."""

    def __init__(self, theme: Theme, share: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._share = min(1.0, max(0.0, share))
        self.setFixedSize(QSize(48, 4))
        share = round(100 * self._share)
        self.setToolTip(tr("{share} % as close as the closest passage", share=share))
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("line"))
        painter.drawRoundedRect(QRectF(self.rect()), 2, 2)
        painter.setBrush(self._theme.color("accent", 0.75))
        painter.drawRoundedRect(QRectF(0, 0, max(4.0, 48 * self._share), 4), 2, 2)
        painter.end()


class SourceCard(QFrame):
    """One passage: where it stands, and its words with the best part marked. Opens on a click."""

    opened = Signal(int, int, int)
    step = Signal(int)

    def __init__(self, theme: Theme, source: Source, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._source = source
        self._hovered = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        number = source.number
        called = tr("Source {n}", n=number) if number else tr("Source")
        named = (called, source.title, source.place)
        self.setAccessibleName(", ".join(w for w in (*named, source.closeness.lower()) if w))
        self.setAccessibleDescription(source.quote)
        mark = Label(str(number) if number else "·", "strong", self)
        mark.setFixedWidth(20)
        place = ElidedLabel(source.place, "small", self)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(place, 1)
        if source.share:
            head.addWidget(Label(source.closeness, "small", self))
            head.addWidget(RelevanceBar(theme, source.share, self))
        self._quote = QLabel(self)
        self._quote.setTextFormat(Qt.TextFormat.RichText)
        self._quote.setWordWrap(True)
        self._quote.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        body = QVBoxLayout()
        body.setSpacing(4)
        body.addLayout(head)
        body.addWidget(self._quote)
        row = QHBoxLayout(self)
        row.setContentsMargins(INDENT, 8, 12, 8)
        row.setSpacing(4)
        row.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(body, 1)
        theme.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        s, tokens = self._source, self._theme.tokens
        self._quote.setFont(self._theme.book_font(s.quote, 14))
        self._quote.setText(
            f'<p style="line-height:118%; color:{tokens.text2}">{escape(s.before)}'  # not shown
            f'<span style="background-color:{tokens.mark}; color:{tokens.text}">'  # not shown
            f"{escape(s.quote)}</span>{escape(s.after)}</p>"
        )

    def _open(self) -> None:
        self.opened.emit(self._source.document_id, self._source.start, self._source.end)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        inside = self.rect().contains(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and inside:
            self._open()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._open()
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.step.emit(1 if event.key() == Qt.Key.Key_Down else -1)
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._hovered = True
        self.update()

    def leaveEvent(self, event) -> None:
        self._hovered = False
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._hovered and not self.hasFocus():
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._theme.color("accent") if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("accent_soft", 0.5))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.end()


class DocumentTitle(QWidget):
    """Over the cards of one document: its title, and how many passages are of it."""

    def __init__(self, title: str, n_cards: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = ElidedLabel(title, "strong", self)
        row = QHBoxLayout(self)
        row.setContentsMargins(INDENT, 8, 12, 0)
        row.setSpacing(8)
        row.addWidget(self.label, 1)
        if n_cards > 1:
            row.addWidget(Label(trn("{n} passage", "{n} passages", n_cards), "small", self))


class SourceList(QWidget):
    """All cards of an answer, made when they are first unfolded; arrows go from card to card."""

    opened = Signal(int, int, int)

    def __init__(self, theme: Theme, turn: Turn, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards: list[SourceCard] = []
        self._theme = theme
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 8)
        self._column.setSpacing(0)
        sources = build_sources(turn)
        cited = [s for s in sources if s.number]
        self._add(cited)
        also = [s for s in sources if not s.number]
        if cited and also:
            title = SectionTitle(tr("Also found"), self)
            title.setContentsMargins(INDENT, 8, 0, 0)
            self._column.addWidget(title)
        self._add(also)

    def _add(self, sources: list[Source]) -> None:
        for title, group in group_sources(sources):
            self._column.addWidget(DocumentTitle(title, len(group), self))
            for source in group:
                card = SourceCard(self._theme, source, self)
                card.opened.connect(self.opened)
                card.step.connect(lambda by, c=card: self._go(c, by))
                self.cards.append(card)
                self._column.addWidget(card)

    def _go(self, card: SourceCard, by: int) -> None:
        place = self.cards.index(card) + by
        if 0 <= place < len(self.cards):
            self.cards[place].setFocus(Qt.FocusReason.TabFocusReason)
