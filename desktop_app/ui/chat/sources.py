"""The sources of an answer: a list of cards by document, one card per passage.

Shows each passage with its supporting sentence and its relevance. Knows nothing of retrieval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from ..language import tr, trn
from ..theme.theme import Theme
from ..widgets import ElidedLabel, Label, SectionTitle
from .turn import Turn, describe_location

AROUND = 90
VERY_CLOSE, CLOSE = 0.75, 0.4  # of the best passage's score


@dataclass(frozen=True, slots=True)
class Source:
    """The content of one card; `number` is 0 for a passage that was used but not cited.

    `share` is its score relative to the best one, 0 without a score.
    """

    number: int
    document_id: int
    title: str
    place: str
    start: int
    end: int
    before: str
    quote: str
    after: str
    share: float
    weak: bool = False

    @property
    def closeness(self) -> str:
        """The relevance of the passage as text."""
        if not self.share:
            return ""
        if self.weak or self.share < CLOSE:
            return tr("Loosely")
        return tr("Very close" if self.share >= VERY_CLOSE else "Fairly close")


def build_sources(turn: Turn) -> list[Source]:
    """Return the cited passages in the order of their numbers, then the others."""
    best = max((p.score for p in turn.passages), default=0.0) or 1.0
    by_chunk = {p.chunk_id: p for p in turn.passages}
    sources = []
    for citation in turn.citations:
        passage = by_chunk.get(citation.chunk_id)
        text, start = (passage.text, passage.start) if passage else (citation.quote, citation.start)
        place = describe_location(
            citation.page_label, passage.heading if passage else "", citation.title
        )
        share = max(0.0, passage.score / best) if passage else 0.0
        parts = _cut(text, citation.start - start, citation.end - start, citation.quote)
        where = (citation.document_id, citation.title, place, citation.start, citation.end)
        sources.append(Source(citation.number, *where, *parts, share, turn.weak))
    cited = {c.chunk_id for c in turn.citations}
    for p in turn.passages:
        if p.chunk_id in cited:
            continue
        parts = _cut(p.text, p.best_start - p.start, p.best_end - p.start, "")
        place = describe_location(p.page_label, p.heading, p.title)
        where = (p.document_id, p.title, place, p.best_start, p.best_end)
        share = max(0.0, p.score / best)
        sources.append(Source(0, *where, *parts, share, turn.weak))
    return sources


def group_sources(sources: Sequence[Source]) -> list[tuple[str, list[Source]]]:
    """Return the sources with the titles of their documents, in order of first occurrence."""
    groups: dict[int, list[Source]] = {}
    for source in sources:
        groups.setdefault(source.document_id, []).append(source)
    return [(group[0].title, group) for group in groups.values()]


def _cut(text: str, start: int, end: int, quote: str) -> tuple[str, str, str]:
    """Return the text before, in and after the quoted part, cut at word boundaries if possible."""
    if not 0 <= start < end <= len(text):
        return "", " ".join((quote or text[:240]).split()), ""
    before, after = text[:start], text[end:]
    if len(before) > AROUND:
        before = before[-AROUND:]
        blank = before.find(" ", 0, 20)
        before = "… " + before[blank + 1 :]
    if len(after) > AROUND:
        after = after[:AROUND]
        blank = after.rfind(" ", AROUND - 20)
        after = (after[:blank] if blank > 0 else after).rstrip(" .。") + " …"
    before, quoted, after = (
        " ".join(f"|{part}|".split())[1:-1] for part in (before, text[start:end], after)
    )
    return before, quoted, after


INDENT = 13


class RelevanceBar(QWidget):
    """A bar for the relevance of a passage, relative to the best one."""

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
    """One passage with its location and its supporting part highlighted; opens on a click."""

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
    """The title of a document and the number of its passages."""

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
    """All cards of an answer, created when first expanded; arrow keys move between them."""

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
