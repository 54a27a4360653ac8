"""The sources of an answer: a list of cards by document, one card per passage.

Shows each passage with its supporting sentence and its relevance. Knows nothing of retrieval.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget

from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets import (
    ClickArea,
    ElidedLabel,
    Label,
    SectionTitle,
    build_column,
    build_row,
    paint_box,
)
from .turns import Turn, describe_location

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
            return tr("Weak match")
        return tr("Strong match" if self.share >= VERY_CLOSE else "Good match")


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
        self.setToolTip(tr("Relevance: {share} % of the best passage", share=share))
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("line"))
            painter.drawRoundedRect(QRectF(self.rect()), 2, 2)
            painter.setBrush(self._theme.color("accent", 0.75))
            painter.drawRoundedRect(QRectF(0, 0, max(4.0, 48 * self._share), 4), 2, 2)


class SourceCard(ClickArea):
    """One passage with its location and its supporting part highlighted; opens on a click."""

    opened = Signal(int, int, int)
    step = Signal(int)

    def __init__(self, theme: Theme, source: Source, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._source = source
        where = (source.document_id, source.start, source.end)
        self.clicked.connect(lambda: self.opened.emit(*where))
        number = source.number
        called = tr("Source {n}", n=number) if number else tr("Source")
        named = (called, source.title, source.place)
        self.setAccessibleName(", ".join(w for w in (*named, source.closeness.lower()) if w))
        self.setAccessibleDescription(source.quote)
        mark = Label(str(number) if number else "·", "strong", self)
        mark.setFixedWidth(20)
        place = ElidedLabel(source.place, "small", self)
        head = build_row((place, 1))
        if source.share:
            head.addWidget(Label(source.closeness, "small", self))
            head.addWidget(RelevanceBar(theme, source.share, self))
        self._quote = QLabel(self)
        self._quote.setTextFormat(Qt.TextFormat.RichText)
        self._quote.setWordWrap(True)
        self._quote.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        body = build_column(head, self._quote, spacing=4)
        top = Qt.AlignmentFlag.AlignTop
        build_row((mark, 0, top), (body, 1), parent=self, spacing=4, margins=(INDENT, 8, 12, 8))
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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.step.emit(1 if event.key() == Qt.Key.Key_Down else -1)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.underMouse() or self.hasFocus():
            edge = self._theme.color("accent") if self.hasFocus() else None
            with QPainter(self) as painter:
                ground = self._theme.color("accent_soft", 0.5)
                paint_box(painter, QRectF(self.rect()), ground, edge)


class SourceList(QWidget):
    """All cards of an answer, created when first expanded; arrow keys move between them."""

    opened = Signal(int, int, int)

    def __init__(self, theme: Theme, turn: Turn, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards: list[SourceCard] = []
        self._theme = theme
        self._column = build_column(parent=self, spacing=0, margins=(0, 0, 0, 8))
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
        groups: dict[int, list[Source]] = {}  # by document, in order of first occurrence
        for source in sources:
            groups.setdefault(source.document_id, []).append(source)
        for group in groups.values():
            n = trn("{n} passage", "{n} passages", len(group)) if len(group) > 1 else ""
            title, count = ElidedLabel(group[0].title, "strong", self), Label(n, "small", self)
            count.setVisible(bool(n))
            self._column.addLayout(build_row((title, 1), count, margins=(INDENT, 8, 12, 0)))
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
