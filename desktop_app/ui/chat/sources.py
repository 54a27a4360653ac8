"""The sources of an answer: a row that unfolds into cards, one for each passage.

Owns how a passage is shown with its best part marked and how near it is to the question.
Knows nothing of how it was found.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import ElidedLabel, Label, SectionTitle

from .turns import Turn, place_words

AROUND = 90


@dataclass(frozen=True, slots=True)
class Source:
    """What one card shows; `number` 0 for a passage that was read and not cited."""

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


def build_sources(turn: Turn) -> list[Source]:
    """Return the cited passages in the order of their numbers, then those only read."""
    best = max((p.score for p in turn.passages), default=0.0) or 1.0
    by_chunk = {p.chunk_id: p for p in turn.passages}
    sources = []
    for citation in turn.citations:
        passage = by_chunk.get(citation.chunk_id)
        text, start = (passage.text, passage.start) if passage else (citation.quote, citation.start)
        place = place_words(citation.page_label, passage.heading if passage else "")
        share = passage.score / best if passage else 0.0
        parts = _cut(text, citation.start - start, citation.end - start, citation.quote)
        span = (citation.start, citation.end)
        sources.append(
            Source(
                citation.number, citation.document_id, citation.title, place, *span, *parts, share
            )
        )
    cited = {c.chunk_id for c in turn.citations}
    for p in turn.passages:
        if p.chunk_id in cited:
            continue
        parts = _cut(p.text, p.best_start - p.start, p.best_end - p.start, "")
        place = place_words(p.page_label, p.heading)
        span = (p.best_start, p.best_end)
        sources.append(Source(0, p.document_id, p.title, place, *span, *parts, p.score / best))
    return sources


def _cut(text: str, start: int, end: int, quote: str) -> tuple[str, str, str]:
    """Return what stands before, in and after the quoted part, cut at words where it can."""
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
    return tuple(" ".join(f"|{part}|".split())[1:-1] for part in (before, text[start:end], after))


class RelevanceBar(QWidget):
    """How near a passage is to the question, beside the nearest one."""

    def __init__(self, theme: Theme, share: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._share = min(1.0, max(0.0, share))
        self.setFixedSize(QSize(48, 4))
        self.setToolTip(f"{round(100 * self._share)} % as close as the closest passage")
        self.setAccessibleName(self.toolTip())

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

    def __init__(self, theme: Theme, source: Source, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._source = source
        self._hovered = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(f"Source {source.number or ''} {source.title} {source.place}")
        number = Label(str(source.number) if source.number else "·", "strong", self)
        number.setFixedWidth(20)
        title = ElidedLabel(source.title, "strong", self)
        title.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        place = ElidedLabel(source.place, "small", self)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(title, 1)
        head.addWidget(place, 1)
        if source.share:
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
        row.setContentsMargins(13, 8, 12, 8)
        row.setSpacing(4)
        row.addWidget(number, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(body, 1)
        theme.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        s, tokens = self._source, self._theme.tokens
        font = self._theme.font("book")
        font.setPixelSize(self._theme.px(14))
        self._quote.setFont(font)
        self._quote.setText(
            f'<p style="line-height:118%; color:{tokens.text2}">{escape(s.before)}'
            f'<span style="background-color:{tokens.mark}; color:{tokens.text}">'
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
            return
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


class SourceList(QWidget):
    """All cards of an answer, made when they are first unfolded."""

    opened = Signal(int, int, int)

    def __init__(self, theme: Theme, turn: Turn, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(0)
        said_more = False
        for source in build_sources(turn):
            if not source.number and not said_more and turn.citations:
                said_more = True
                title = SectionTitle("Also read", self)
                title.setContentsMargins(13, 0, 0, 0)
                column.addWidget(title)
            card = SourceCard(theme, source, self)
            card.opened.connect(self.opened)
            column.addWidget(card)
