"""The sources of an answer: a list of cards by document, one card per passage.

Shows each passage with its supporting sentence and its relevance. Knows nothing of retrieval.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QKeyEvent,
    QMoveEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextLayout,
)
from PySide6.QtWidgets import QLabel, QWidget

from desktop_app.engine.answering.citations import find_key_sentence
from desktop_app.engine.model import ChunkId
from desktop_app.engine.text.shown_text import ShownText, Span, show_text

from ..theme.design_tokens import ANSWER_PX
from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets import (
    STRETCH,
    Button,
    ClickArea,
    ElidedLabel,
    IconButton,
    Label,
    build_column,
    build_row,
    paint_box,
)
from ..widgets.emphasis import build_html
from ..widgets.words import find_cut
from .answer_view import LINE_PX
from .citation_number import CitationNumber
from .pins import Pins
from .turns import Turn, describe_location

AROUND = 90
_HEADING = re.compile(r"^#{1,6}[ \t]+.*(?:\n|\Z)", re.MULTILINE)
VERY_CLOSE, CLOSE = 0.75, 0.4  # of the best passage's score


@dataclass(frozen=True, slots=True)
class Source:
    """The content of one card; `number` is 0 for a passage that was used but not cited.

    `share` is its score relative to the best one, 0 without a score. `rank` is its place before
    there is an answer, 0 afterwards. `is_marked`: its quotation is highlighted. `around` is the
    whole text of the passage before and after the quotation.
    """

    number: int
    chunk_id: ChunkId
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
    rank: int = 0
    is_marked: bool = True
    around: tuple[str, str] = ("", "")

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
        text, start = _drop_heading(text, start, place)
        span = citation.start - start, citation.end - start
        parts = _cut(text, *span, citation.quote)
        around = _cut(text, *span, citation.quote, len(text))[::2]
        where = (
            citation.chunk_id,
            citation.document_id,
            citation.title,
            place,
            citation.start,
            citation.end,
        )
        sources.append(
            Source(citation.number, *where, *parts, share, turn.weak, around=(around[0], around[1]))
        )
    cited = {c.chunk_id for c in turn.citations}
    for rank, p in enumerate(turn.passages, 1):
        if p.chunk_id in cited:
            continue
        place = describe_location(p.page_label, p.heading, p.title)
        text, start = _drop_heading(p.text, p.start, place)
        # before there is an answer, the sentence nearest to the question is marked
        best_part = (p.best_start, p.best_end) if cited else find_key_sentence(p, turn.question)
        span = best_part[0] - start, best_part[1] - start
        before, _, after = _cut(text, *span, "", len(text))
        where = (p.chunk_id, p.document_id, p.title, place, *best_part)
        share = max(0.0, p.score / best)
        sources.append(
            Source(
                *(0, *where, *_cut(text, *span, ""), share, turn.weak),
                is_marked=not cited,
                around=(before, after),
                rank=0 if turn.answered else rank,
            )
        )
    return sources


def _drop_heading(text: str, start: int, place: str) -> tuple[str, int]:
    """Return a passage without a first line that only repeats its location, and its start."""
    first, _, rest = text.lstrip().partition("\n")
    if rest and first.strip() and place.casefold().endswith(first.strip().casefold()):
        return rest, start + len(text) - len(rest)
    return text, start


def _cut(text: str, start: int, end: int, quote: str, most: int = AROUND) -> tuple[str, str, str]:
    """Return the text before, in and after the quoted part, cut at word boundaries if possible."""
    if not 0 <= start < end <= len(text):
        return "", " ".join((quote or text[:240]).split()), ""
    before, after = text[:start], text[end:]
    if len(before) > most:
        before = before[-most:]
        blank = before.find(" ", 0, 20)
        before = "… " + before[blank + 1 :]
    if len(after) > most:
        after = after[:most]
        blank = after.rfind(" ", most - 20)
        after = (after[:blank] if blank > 0 else after).rstrip(" .。,，;；:：、") + "…"
    # The heading of the passage is shown above it.
    pieces = (_HEADING.sub("", part) for part in (before, text[start:end], after))
    before, quoted, after = (" ".join(f"|{part}|".split())[1:-1] for part in pieces)
    return before.lstrip(), quoted, after


INDENT = 13
BEFORE_QUOTE, RULE = 12, 2  # pixels: the rule of an excerpt from its text, and its width
HEX = QColor.NameFormat.HexArgb


class RelevanceBar(QWidget):
    """A bar for the relevance of a passage, relative to the best one."""

    def __init__(self, theme: Theme, share: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._share = min(1.0, max(0.0, share))
        self.setFixedSize(QSize(48, 4))
        share = round(100 * self._share)
        self.setToolTip(tr("Relevance: {share}% of the best passage", share=share))
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("line"))
            painter.drawRoundedRect(QRectF(self.rect()), 2, 2)
            painter.setBrush(self._theme.color("accent", 0.75))
            painter.drawRoundedRect(QRectF(0, 0, max(4.0, 48 * self._share), 4), 2, 2)


STOPS = (".", "!", "?", "。", "！", "？")
MOST_LINES = 3  # of a card that is not expanded


def cut_to_lines(
    shown: ShownText, mark: Span, font: QFont, width: int, n_lines: int
) -> tuple[ShownText, Span]:
    """Return the part of a text that fits on so many lines, with its marked range.

    It begins with the marked range if the range would not fit otherwise.
    """
    if (end := _find_end(shown.text, font, width, n_lines)) == len(shown.text):
        return shown, mark
    start = 0
    if mark[1] > end and mark[0]:
        start, lead = mark[0], "… "
        rest = f"{lead}{shown.text[start:]}"
        end = start + _find_end(rest, font, width, n_lines) - len(lead)
    is_cut = end < len(shown.text)
    if is_cut:
        end = find_cut(shown.text, max(start + 1, end - 2))
        end = max(start + 1, start + len(shown.text[start:end].rstrip(" \"'“‘([（,，;；:：、")))
    # a sentence that ends there keeps its full stop
    tail = " …" if shown.text[start:end].endswith(STOPS) else "…"
    piece = shown.slice(start, end).with_ends("… " if start else "", tail if is_cut else "")
    moved = (2 if start else 0) - start
    return piece, (mark[0] + moved, min(mark[1], end) + moved)


def _find_end(text: str, font: QFont, width: int, n_lines: int) -> int:
    """Return the place in a text where its first lines end."""
    layout = QTextLayout(text, font)
    layout.beginLayout()
    end = 0
    for _ in range(n_lines):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(max(1, width))
        end = line.textStart() + line.textLength()
    layout.endLayout()
    # Qt counts in UTF-16 units
    return len(text.encode("utf-16-le")[: 2 * end].decode("utf-16-le", "ignore"))


class SourceCard(ClickArea):
    """One passage with its location and its best part highlighted; opens on a click.

    It has a few lines around that part, and the whole passage after a click on its arrow.
    """

    opened = Signal(int, int, int)
    step = Signal(int)

    def __init__(
        self,
        theme: Theme,
        source: Source,
        pins: Pins,
        parent: QWidget | None = None,
        *,
        shows_closeness: bool = True,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._source = source
        self._pins = pins
        self._is_laid_out = False
        # Signs of emphasis are removed from the whole text: a pair can begin before the quotation.
        self._short = self._read(source.before, source.after)
        self._whole = self._read(*source.around) if any(source.around) else self._short
        where = (source.document_id, source.start, source.end)
        self.place = where[:2]
        self.clicked.connect(lambda: self.opened.emit(*where))
        number = source.number
        called = tr("Source {n}", n=number) if number else tr("Source")
        named = (called, source.title, source.place)
        self.setAccessibleName(", ".join(w for w in (*named, source.closeness.lower()) if w))
        shown, marked = self._short
        self.setAccessibleDescription(shown.slice(*marked).text)
        # as high as the button of its line
        shown_number = str(number or source.rank or "")
        self.mark = CitationNumber(theme, shown_number, theme.length(28), self)
        place = ElidedLabel(source.place, "small", self)
        head = build_row((place, 1))
        if source.share and shows_closeness:
            head.addWidget(Label(source.closeness, "small", self))
            head.addWidget(RelevanceBar(theme, source.share, self))
        self.more_button = IconButton(theme, "caret-down", "", self, size=14)
        self.more_button.setCheckable(True)
        self.more_button.toggled.connect(self._show_quote)
        head.addWidget(self.more_button)
        self.pin_button = IconButton(theme, "push-pin", "", self, size=14)
        self.pin_button.setCheckable(True)
        self.pin_button.clicked.connect(
            lambda pinned: pins.set_pinned(
                source.chunk_id, source.place or source.title, pinned=pinned
            )
        )
        pins.changed.connect(self._show_pinned)
        self._show_pinned()
        head.addWidget(self.pin_button)
        self._quote = QLabel(self)
        self._quote.setTextFormat(Qt.TextFormat.RichText)
        self._quote.setWordWrap(True)
        self._quote.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        body = build_column(head, self._quote, spacing=0)
        top = Qt.AlignmentFlag.AlignTop
        build_row(
            (self.mark, 0, top), (body, 1), parent=self, spacing=8, margins=(INDENT, 2, 12, 8)
        )
        theme.changed.connect(self._show_quote)
        self._show_quote()

    def _read(self, before: str, after: str) -> tuple[ShownText, Span]:
        """Return the quotation between these texts, and its place in them."""
        quote, start = self._source.quote, len(before)
        shown = show_text(f"{before}{quote}{after}", one_line=True)  # as in an answer
        return shown, shown.span(start, start + len(quote))

    def clear_rank(self) -> None:
        """Show no number: those of an answer that is being written are others."""
        if not self._source.number:
            self.mark.clear()

    def _show_pinned(self) -> None:
        pinned = self._source.chunk_id in self._pins.shown
        self.pin_button.setChecked(pinned)
        self.pin_button.set_tooltip(tr("Unpin") if pinned else tr("Pin for the next questions"))

    def _show_quote(self) -> None:
        s, tokens, is_whole = self._source, self._theme.tokens, self.more_button.isChecked()
        font = self._theme.book_font(s.quote, ANSWER_PX)
        shown, marked = self._whole if is_whole else self._short
        if not is_whole and self._is_laid_out:
            shown, marked = cut_to_lines(shown, marked, font, self._quote.width(), MOST_LINES)
        # as the quotations in an answer; a passage that is not cited recedes
        ink = tokens.text if s.is_marked else tokens.text2
        style = f"color:{ink}"  # not shown
        if s.is_marked:
            style += f"; background-color:{self._theme.tint().name(HEX)}"  # not shown
            if self._theme.is_high and not s.number:  # the two colours of text are nearly the same
                style += "; font-weight:600"  # not shown
        self._quote.setFont(font)
        self._quote.setText(
            f'<p style="line-height:{self._theme.px(LINE_PX)}px; color:{ink}">'  # not shown
            f"{build_html(shown, [marked], style)}</p>"  # not shown
        )
        self.more_button.setVisible(shown.text != self._whole[0].text or is_whole)
        self.more_button.set_icon("caret-up" if is_whole else "caret-down")
        self.more_button.set_tooltip(tr("Show less") if is_whole else tr("Show the whole passage"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():  # the label has its width by now
            self._is_laid_out = True
            self._show_quote()

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
        with QPainter(self) as painter:
            painter.fillRect(self.find_rule(), self._theme.rule())

    def find_rule(self) -> QRectF:
        """Return the area of the rule before the excerpt, in pixels."""
        quote = QRectF(self._quote.geometry())
        return QRectF(quote.left() - BEFORE_QUOTE, quote.top() + 2, RULE, quote.height() - 4)


class SourceList(QWidget):
    """All cards of an answer, created when first expanded; arrow keys move between them.

    Args:
        at_first: the number of cards of passages that are shown without a click, where no passage
            is cited; 0 for all.
    """

    opened = Signal(int, int, int)
    left = Signal()  # the mouse is no longer over it
    moved = Signal(int)  # down by so many pixels

    def __init__(
        self,
        theme: Theme,
        turn: Turn,
        pins: Pins,
        parent: QWidget | None = None,
        *,
        at_first: int = 0,
    ) -> None:
        super().__init__(parent)
        self.cards: list[SourceCard] = []
        self._is_ranked = True
        self._theme, self._pins = theme, pins
        self._column = build_column(parent=self, spacing=0, margins=(0, 0, 0, 8))
        sources = build_sources(turn)
        cited = [s for s in sources if s.number]
        self._add(cited)
        also = [s for s in sources if not s.number]
        if at_first and not cited:
            self._add(also[:at_first])
            also = also[at_first:]
        self.more_button: Button | None = None
        if self.cards and also:
            words = trn("Show {n} more passage", "Show {n} more passages", len(also))
            self.more_button = Button(words, self, kind="link")
            self.more_button.clicked.connect(lambda: self._show_others(also))
            left = Qt.AlignmentFlag.AlignLeft
            row = build_row((self.more_button, 0, left), STRETCH, margins=(INDENT - 4, 8, 0, 0))
            self._column.addLayout(row)
        else:
            self._add(also)

    @property
    def is_in_use(self) -> bool:
        """Whether the mouse is over it."""
        return self.isVisible() and self.underMouse()

    def clear_ranks(self) -> None:
        """Show the ranks of passages no longer."""
        self._is_ranked = False
        for card in self.cards:
            card.clear_rank()

    def find_focused(self) -> tuple[int, int] | None:
        """Return document and start of the passage whose card has the focus."""
        return next((card.place for card in self.cards if card.hasFocus()), None)

    def focus(self, place: tuple[int, int]) -> None:
        """Give the focus to the card of a passage, else to the first card."""
        same = next((card for card in self.cards if card.place == place), None)
        for card in [same or self.cards[0]] if self.cards else []:
            card.setFocus(Qt.FocusReason.TabFocusReason)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.left.emit()

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self.moved.emit(event.pos().y() - event.oldPos().y())

    def _show_others(self, also: list[Source]) -> None:
        """Show the passages that were read and not cited."""
        place = len(self.cards)
        self._add(also)
        self.cards[place].setFocus(Qt.FocusReason.TabFocusReason)
        if self.more_button is not None:
            self.more_button.hide()

    def _add(self, sources: list[Source]) -> None:
        # the same word beside each passage says nothing
        shows_closeness = len({source.closeness for source in sources}) > 1
        groups: dict[int, list[Source]] = {}  # by document, in order of first occurrence
        for source in sources:
            groups.setdefault(source.document_id, []).append(source)
        for group in groups.values():
            n = trn("{n} passage", "{n} passages", len(group)) if len(group) > 1 else ""
            title, count = ElidedLabel(group[0].title, "strong", self), Label(n, "small", self)
            count.setVisible(bool(n))
            self._column.addLayout(build_row((title, 1), count, margins=(INDENT, 8, 12, 4)))
            for source in group:
                card = SourceCard(
                    *(self._theme, source, self._pins, self),
                    shows_closeness=shows_closeness,
                )
                if not self._is_ranked:
                    card.clear_rank()
                card.opened.connect(self.opened)
                card.step.connect(lambda by, c=card: self._go(c, by))
                self.cards.append(card)
                self._column.addWidget(card)

    def _go(self, card: SourceCard, by: int) -> None:
        place = self.cards.index(card) + by
        if 0 <= place < len(self.cards):
            self.cards[place].setFocus(Qt.FocusReason.TabFocusReason)
