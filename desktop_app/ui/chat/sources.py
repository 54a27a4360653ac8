"""The sources of an answer: a list of cards by document, one card per passage.

Shows each passage with its supporting sentence and its relevance. Knows nothing of retrieval.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMoveEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextLayout,
)
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from desktop_app.engine.answering.citations import (
    MARK,
    find_clear_sentences,
    find_new_words,
)
from desktop_app.engine.answering.claims import SPOKEN
from desktop_app.engine.messages import Message
from desktop_app.engine.model import ChunkId, Citation, Passage
from desktop_app.engine.text.chunking import split_paragraphs, split_sentences
from desktop_app.engine.text.shown_text import ShownText, Span, show_text
from desktop_app.engine.text_tables import describe_cells, find_tables, header_above
from desktop_app.engine.writing_systems import language_of

from ..figures.strip import FigureStrip, PassageFigures
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
from .fold import LINK_AT_EDGE
from .passage_words import describe_chapter, describe_position, make_passage
from .pins import Pins
from .turns import Turn

_HEADING = re.compile(r"#{1,6}[ \t]+")
VERY_CLOSE, CLOSE = 0.75, 0.4  # of the best passage's score


@dataclass(frozen=True, slots=True)
class PassageText:
    """The text of a passage as one line, without headings, which are shown above it.

    Attributes:
        sentences: their ranges in `text`.
        breaks: the places of the blanks that are paragraph breaks.
        offsets: for each character its offset in the text as it is stored.
    """

    text: str
    sentences: tuple[Span, ...]
    breaks: tuple[int, ...]
    offsets: tuple[int, ...]

    def find_range(self, start: int, end: int) -> Span:
        """Return the place of a stored range, the first sentence where it is not in the text."""
        first, last = bisect_left(self.offsets, start), bisect_left(self.offsets, end)
        return (first, last) if first < last else (self.sentences or ((0, len(self.text)),))[0]


def arrange_text(stored: str) -> PassageText:
    """Return the text of a passage, divided into paragraphs and sentences."""
    language = language_of(stored)
    paragraphs = split_paragraphs(stored, language)
    rows = {row for table in find_tables(stored) for row in table.rows}
    # a passage may consist of a heading only
    bodies = [p for p in paragraphs if not _HEADING.match(stored, *p)] or paragraphs
    characters: list[str] = []
    offsets: list[int] = []
    sentences: list[Span] = []
    breaks: list[int] = []

    def add_blank(offset: int) -> None:
        characters.append(" ")
        offsets.append(offset)

    for first, last in bodies:
        if characters:
            breaks.append(len(characters))
            add_blank(offsets[-1] + 1)
        before = first
        is_row = (first, last) in rows  # of a table: one sentence
        whole = [(0, last - first)]
        for begin, end in whole if is_row else split_sentences(stored[first:last], language):
            begin, end = first + begin, first + end
            if begin > before:
                add_blank(before)
            place = len(characters)
            for offset in range(begin, end):
                if not stored[offset].isspace():
                    characters.append(stored[offset])
                    offsets.append(offset)
                elif characters[-1] != " ":
                    add_blank(offset)
            sentences.append((place, len(characters)))
            before = end
    return PassageText("".join(characters), tuple(sentences), tuple(breaks), tuple(offsets))


@dataclass(frozen=True, slots=True)
class Source:
    """The content of one card.

    `number` is the rank of its passage, which citations have, too. `chapter` and `position` say
    where it is in its document, `position` as a page or a percentage. `share` is its score relative
    to the best one, 0 without a score. `is_cited`: the answer cites or quotes it. `is_other`: there
    is an answer, and it does not. `start` and `end` are the marked sentence in the document,
    `marked` is its place in `passage`. `nearest` is the sentence nearest to the question, in the
    document, and `core` its place in `passage`: the excerpt is around it, before the answer and
    after it. `is_marked`: the marked sentence has a colour, as one that is far from the best one of
    all passages has not. `header` is that of the table around the marked sentence, "" outside
    tables.
    """

    number: int
    chunk_id: ChunkId
    document_id: int
    title: str
    chapter: str
    position: str
    start: int
    end: int
    passage: PassageText
    marked: Span
    nearest: Span
    core: Span
    share: float
    weak: bool = False
    is_cited: bool = False
    is_other: bool = False
    is_marked: bool = True
    header: str = ""

    @property
    def place(self) -> str:
        """Where it is in its document, in one line."""
        return " · ".join(part for part in (self.chapter, self.position) if part)

    @property
    def quote(self) -> str:
        """The marked sentence, with its markup."""
        return self.passage.text[slice(*self.marked)]

    @property
    def before(self) -> str:
        """The text of the passage before the marked sentence, with its markup."""
        return self.passage.text[: self.marked[0]]

    @property
    def after(self) -> str:
        """The text of the passage after the marked sentence, with its markup."""
        return self.passage.text[self.marked[1] :]

    def has_sentence_of(self, other: Source) -> bool:
        """Whether the question has the same sentence in both, as in overlapping passages."""
        (start, end), (first, last) = self.nearest, other.nearest
        if self.document_id != other.document_id or start >= last or first >= end:
            return False
        return self.passage.text[slice(*self.core)] == other.passage.text[slice(*other.core)]

    @property
    def closeness(self) -> str:
        """The relevance of the passage as text."""
        if not self.share:
            return ""
        if self.weak or self.share < CLOSE:
            return tr("Weak match")
        return tr("Strong match" if self.share >= VERY_CLOSE else "Good match")


def build_sources(turn: Turn) -> list[Source]:
    """Return all passages, best first, with the numbers that citations have.

    What is cited and was not found, or is not loaded, comes after them. The sentence nearest to
    the question is marked, unless that of another passage is clearly nearer, or the one that
    supports an answer.
    """
    best = max((p.score for p in turn.passages), default=0.0) or 1.0
    cited: dict[ChunkId, Citation] = {}
    for citation in turn.citations:
        cited.setdefault(citation.chunk_id, citation)
    found = {p.chunk_id for p in turn.passages}
    listed = [(n, p) for n, p in enumerate(turn.passages, 1)]
    listed += [(c.number, make_passage(c)) for c in cited.values() if c.chunk_id not in found]
    nearest = find_clear_sentences([p for _, p in listed], turn.searched_for)
    return [
        _build_source(number, p, turn, cited.get(p.chunk_id), best, *near)
        for (number, p), near in zip(listed, nearest, strict=True)
    ]


def _find_cells(p: Passage, citation: Citation | None, marked: Span) -> tuple[Message, str]:
    """Return the place of the marked sentence in a table, and the header of the table."""
    first, last = marked[0] - p.start, marked[1] - p.start
    cells = describe_cells(p.text, p.table, first, last)
    if citation is not None and p.table is None and len(p.text) == len(citation.quote):
        cells = citation.cells  # a passage that is not loaded
    return cells, header_above(p.text, p.table, first)


def _build_source(
    number: int,
    p: Passage,
    turn: Turn,
    citation: Citation | None,
    best: float,
    nearest: Span,
    is_clear: bool,
) -> Source:
    chapter = describe_chapter(p.heading, p.title)
    text, start = _drop_heading(p.text, p.start, chapter)
    passage = arrange_text(text)
    support = None if turn.shows_passages else citation
    guessed = _find_guessed(turn, number)
    marked = nearest if support is None else _find_words(turn, support)
    if guessed is not None:
        marked, is_clear = (guessed.start, guessed.end), True
    cells, header = _find_cells(p, citation, marked)
    return Source(
        number,
        p.chunk_id,
        p.document_id,
        p.title,
        chapter,
        describe_position(p, cells),
        *marked,
        passage,
        passage.find_range(marked[0] - start, marked[1] - start),
        nearest,
        passage.find_range(nearest[0] - start, nearest[1] - start),
        max(0.0, p.score / best),
        turn.weak,
        is_cited=citation is not None,
        # where no answer is written, none of its passages is left out
        is_other=citation is None and bool(turn.citations) and not turn.shows_passages,
        is_marked=is_clear or support is not None,
        header=header,
    )


def _find_guessed(turn: Turn, number: int) -> Citation | None:
    """Return the sentence of this passage with the answer that may be right ("Perhaps: …").

    The passage may be quoted at length, too; the sentence is the shortest with the answer's words.
    """
    if turn.guess is None or turn.guess[1] != number:
        return None
    words, _ = turn.guess
    cited = (one for one in turn.citations if one.number == number)
    with_words = (one for one in cited if find_new_words(words, one.quote, turn.searched_for))
    return min(with_words, key=lambda one: len(one.quote), default=None)


def _find_words(turn: Turn, citation: Citation) -> Span:
    """Return where the new words of an answer are in its sentence, else the whole sentence."""
    stated = MARK.sub("", turn.stated)
    for note in SPOKEN.values():  # no words of the passage
        stated = stated.replace(note, "")
    span = find_new_words(stated, citation.quote, turn.searched_for)
    if span is None or len(citation.quote.casefold()) != len(citation.quote):
        return citation.start, citation.end
    return citation.start + span[0], citation.start + span[1]


def _drop_heading(text: str, start: int, chapter: str) -> tuple[str, int]:
    """Return a passage without a first line that only repeats its chapter, and its start."""
    first, _, rest = text.lstrip().partition("\n")
    heading, known = ("".join(words.casefold().split()) for words in (first, chapter))
    if rest and heading and known.endswith(heading):  # their blanks may differ
        return rest, start + len(text) - len(rest)
    return text, start


INDENT = 13  # pixels, on both sides of the texts
HEAD_HEIGHT, AFTER_NUMBER = 28, 8  # pixels: of the line above an excerpt, as of its buttons
BEFORE_QUOTE, RULE = 12, 2  # pixels: the rule of an excerpt from its text, and its width
READING_RULE = 4  # pixels: its width while the passage is read, which is no mere change of colour
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


BESIDE_MORE = 16  # pixels: the button for more passages from what is beside it
MOST_LINES = 3  # of a card that is not expanded
# With the sentence that an answer cites beside what stood there before: as much again.
MOST_GROWN_LINES = 2 * MOST_LINES
OMITTED = " … "  # between two parts of a passage
NEW_LINE, LINE_BREAK = "\n", "\u2028"  # of Qt's layout


def join_introductions(text: str, sentences: Sequence[Span]) -> list[Span]:
    """Return sentences of which each that ends with a colon is one with what it introduces."""
    joined: list[Span] = []
    goes_on = False
    for start, end in sentences:
        if goes_on:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
        goes_on = text[start:end].rstrip().endswith((":", "："))
    return joined


def choose_excerpt(
    sentences: Sequence[Span], core: Span, fits: Callable[[int, int], bool]
) -> Span | None:
    """Return the range of the whole sentences around one that fit; None if it alone does not."""
    inside = [n for n, (a, b) in enumerate(sentences) if a < core[1] and core[0] < b]
    if not inside:
        return core if fits(*core) else None
    first, last = inside[0], inside[-1]
    if not fits(sentences[first][0], sentences[last][1]):
        return None
    grows = True
    while grows:
        grows = False
        if first > 0 and fits(sentences[first - 1][0], sentences[last][1]):
            first, grows = first - 1, True
        if last + 1 < len(sentences) and fits(sentences[first][0], sentences[last + 1][1]):
            last, grows = last + 1, True
    return sentences[first][0], sentences[last][1]


def close_quotes(excerpt: ShownText) -> ShownText:
    """Return an excerpt with the quotation marks that its first and last paragraph lack.

    The other paragraphs are whole, and those of a long speech have an opening mark only.
    """
    paragraphs = excerpt.text.split(NEW_LINE)
    first, last = paragraphs[0], paragraphs[-1]
    opened = ShownText(first).with_closed_quotes().text
    closed = ShownText(last).with_closed_quotes().text
    before, after = opened[: opened.index(first)], closed[closed.index(last) + len(last) :]
    return excerpt.with_ends(before, after) if before or after else excerpt


def cut_sentence(
    shown: ShownText, begin: int, mark: Span, font: QFont, width: int, n_lines: int
) -> Span:
    """Return the range of the beginning of a sentence that is longer than these lines.

    Args:
        begin: of the sentence; where the marked words would not be seen, it begins with them.
    """
    rest = shown.text[begin:]
    end = begin + find_cut(rest, max(1, _find_end(rest, font, width, n_lines) - 2))
    if begin < mark[0] and end < mark[1]:
        return cut_sentence(shown, mark[0], mark, font, width, n_lines)
    piece = shown.text[begin : max(begin + 1, end)]
    return begin, begin + max(1, len(piece.rstrip(" \"'“‘(（[，,；;：:、")))


def join_parts(
    whole: ShownText, parts: Sequence[Span], marked: Span, ends: Sequence[int]
) -> tuple[ShownText, list[Span]]:
    """Return parts of a text with a sign where text is left out, and the marked ranges in it.

    Args:
        ends: where sentences end; a last part that ends elsewhere is cut.
    """
    joined, marks = ShownText(""), list[Span]()
    for number, (start, end) in enumerate(parts):
        is_cut = end not in ends
        piece = whole.slice(start, end)
        shown = piece if is_cut else close_quotes(piece)
        moved = len(joined.text) + (len(OMITTED) if number else 0) - start
        first, last = max(start, marked[0]), min(end, marked[1])
        if first < last:
            added = shown.text.index(piece.text)
            # with the quotation mark that is added beside it
            begin = first + added if first > start else start
            marks.append(
                (begin + moved, (last + added if last < end else start + len(shown.text)) + moved)
            )
        joined = joined.followed_by(OMITTED, shown) if number else shown
        if is_cut and number == len(parts) - 1:
            joined = joined.with_ends("", "…")
    return joined, marks


def _find_end(text: str, font: QFont, width: int, n_lines: int) -> int:
    """Return the place in a text where its first lines end."""
    layout = QTextLayout(text.replace(NEW_LINE, LINE_BREAK), font)
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
        figures: PassageFigures | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._source = source
        self._pins = pins
        self._is_laid_out = self.is_pointed_out = self.is_read_now = False
        self.clicked.connect(
            lambda: self.opened.emit(self._source.document_id, self._source.start, self._source.end)
        )
        # the same chip as in the answer
        self.mark = CitationNumber(theme, str(source.number), theme.length(HEAD_HEIGHT), self)
        # it has a tooltip; a click on it opens the passage all the same
        self.mark.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, False)
        self._chapter = ElidedLabel("", "small", self)
        # as wide as its text, and narrower where there is no room for it
        self._chapter.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        # ends with its text, so that its position follows after one blank
        self._chapter.setContentsMargins(0, 0, -ElidedLabel.SPARE, 0)
        self._position = Label("", "small", self)
        place = build_row(self._chapter, self._position, spacing=0)
        head = build_row(self.mark, place, STRETCH, spacing=AFTER_NUMBER)
        self._closeness = Label("", "small", self)
        self._bar = RelevanceBar(theme, source.share, self)
        head.addWidget(self._closeness)
        head.addWidget(self._bar)
        self.show_closeness(False)
        self.open_button = Button(tr("Open"), self, kind="link", tooltip=tr("Open in the reader"))
        self.open_button.clicked.connect(self.clicked)
        head.addWidget(self.open_button)
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
        self._quote.setContentsMargins(RULE + BEFORE_QUOTE, 0, 0, 0)
        column = build_column(
            head, self._quote, parent=self, spacing=0, margins=(INDENT, 2, INDENT, 8)
        )
        self.figures: FigureStrip | None = None
        if figures is not None:
            self.figures = figures.build_strip(self)
            self.figures.setContentsMargins(RULE + BEFORE_QUOTE, 6, 0, 0)
            column.addWidget(self.figures)
            figures.fill(self.figures, source.document_id, source.passage.text, source.start)
        theme.changed.connect(self._show_quote)
        self._take(source)

    @property
    def source(self) -> Source:
        return self._source

    def set_source(self, source: Source) -> None:
        """Show what an answer changed: whether it cites the passage, and its sentence.

        Its relevance stays: that a model found no answer in it stands above the passages.
        """
        source = replace(source, weak=self._source.weak)
        if source != self._source:
            self._take(source)

    def point_out(self, is_on: bool) -> None:
        """Show the ground of the card as under the mouse, while its number is under it."""
        if is_on != self.is_pointed_out:
            self.is_pointed_out = is_on
            self.update()

    def show_reading(self, is_read: bool) -> None:
        """Show the rule beside the excerpt as of the passage that a model reads now, or not."""
        if is_read != self.is_read_now:
            self.is_read_now = is_read
            self.update()

    def show_closeness(self, is_shown: bool) -> None:
        """Show the relevance beside the location; without it, the tooltip of the number has it."""
        self._closeness.setVisible(is_shown and bool(self._source.share))
        self._bar.setVisible(is_shown and bool(self._source.share))

    def _take(self, source: Source) -> None:
        self._source = source
        # Signs of emphasis are removed from the whole text: a pair can begin before the quotation.
        shown = show_text(source.passage.text, one_line=True)  # as in an answer
        characters = list(shown.text)
        for place in map(shown.to_shown, source.passage.breaks):
            if characters[place : place + 1] == [" "]:
                characters[place] = NEW_LINE
        self._whole = replace(shown, text="".join(characters))
        spans = [shown.span(*span) for span in source.passage.sentences]
        self._sentences = join_introductions(self._whole.text, spans)
        self._marked, self._core = shown.span(*source.marked), shown.span(*source.core)
        called = tr("Source {n}" if source.is_cited else "Passage {n}", n=source.number)
        named = (called, source.title, source.place)
        self.setAccessibleName(", ".join(w for w in (*named, source.closeness.lower()) if w))
        self.setAccessibleDescription(shown.slice(*self._marked).text)
        self._chapter.setText(source.chapter)
        self._chapter.setVisible(bool(source.chapter))
        joint = " · " if source.chapter else ""
        self._position.setText(f"{joint}{source.position}" if source.position else "")
        self._position.setVisible(bool(source.position))
        self.open_button.setAccessibleName(tr("Open passage {n}", n=source.number))
        self._closeness.setText(source.closeness)
        words = (source.closeness, self._bar.toolTip()) if source.share else ()
        self.mark.setToolTip("\n".join((tr("Passage {n}", n=source.number), *words)))
        self.mark.set_quiet(source.is_other)
        self._show_quote()

    def _find_excerpt(self, font: QFont) -> tuple[ShownText, list[Span]]:
        """Return the text of the card while it is not expanded, and its marked ranges.

        It is around the sentence nearest to the question, which the card has before the answer. A
        sentence that the answer cites is marked in it, and is whole if it can be: its end may say
        what it proves. If it is elsewhere, it is added.
        """
        width, marked = self._quote.contentsRect().width(), self._marked
        ends = [*(end for _, end in self._sentences), len(self._whole.text)]

        def fits(start: int, end: int, n_lines: int = MOST_LINES) -> bool:
            text = close_quotes(self._whole.slice(start, end)).text
            return _find_end(text, font, width, n_lines) == len(text)

        def cut(begin: int, mark: Span, n_lines: int = MOST_LINES) -> Span:
            start, end = cut_sentence(self._whole, begin, mark, font, width, n_lines)
            # where a sentence of a longer part ends with it, nothing of it is missing
            return start, next((place for place in ends if end <= place <= end + 2), end)

        def find_begin(place: int) -> int:
            begins = [start for start, end in self._sentences if start <= place < end]
            return begins[-1] if begins else place

        first = choose_excerpt(self._sentences, self._core, fits)
        if first is None:
            first = self._find_cited_sentence()
            if first is None or not fits(*first, MOST_GROWN_LINES):
                first = cut(find_begin(self._core[0]), self._core)
        parts = [first]
        is_inside = first[0] <= marked[0] < marked[1] <= first[1]
        if marked != self._core and not is_inside:
            begin = find_begin(marked[0])
            end = next((end for end in sorted(ends) if end >= marked[1]), marked[1])
            grown = min(first[0], begin), max(first[1], end)
            if fits(*grown, MOST_GROWN_LINES):
                parts = [grown]
            elif marked[0] < first[1] and first[0] < marked[1]:
                parts = [cut(grown[0], marked, MOST_GROWN_LINES)]
            else:
                if first[0] <= begin < first[1]:  # of a sentence that is cut, its later words
                    begin = marked[0]
                own = (begin, end) if fits(begin, end) else cut(begin, marked)
                parts = sorted((first, own))
                if not self._whole.text[parts[0][1] : parts[1][0]].strip():  # nothing is between
                    parts = [(parts[0][0], parts[1][1])]
        return join_parts(self._whole, parts, marked, ends)

    def _find_cited_sentence(self) -> Span | None:
        """Return the sentence of the best part if the answer cites words of it, else None."""
        if not self._source.is_cited:
            return None
        first, last = min(self._core[0], self._marked[0]), max(self._core[1], self._marked[1])
        return next(((a, b) for a, b in self._sentences if a <= first and last <= b), None)

    def _show_pinned(self) -> None:
        pinned = self._source.chunk_id in self._pins.shown
        self.pin_button.setChecked(pinned)
        self.pin_button.set_tooltip(tr("Unpin") if pinned else tr("Pin for the next questions"))

    def _show_quote(self) -> None:
        s, tokens, is_whole = self._source, self._theme.tokens, self.more_button.isChecked()
        font = self._theme.book_font(s.quote, ANSWER_PX)
        shown, marks = self._whole, [self._marked]
        if not is_whole and self._is_laid_out:
            shown, marks = self._find_excerpt(font)
        # a passage that an answer does not cite recedes
        ink = tokens.text2 if s.is_other else tokens.text
        style = f"color:{ink}"  # not shown
        if s.is_marked and not s.is_other:
            style += f"; background-color:{self._theme.tint().name(HEX)}"  # not shown
            if self._theme.is_high:  # the tint alone is hard to see there
                style += "; font-weight:600"  # not shown
        self._quote.setFont(font)
        self._quote.setText(
            f'<p style="line-height:{self._theme.px(LINE_PX)}px; color:{ink}">'  # not shown
            f"{self._write_header(shown.text, font)}"
            f"{build_html(shown, marks, style).replace(NEW_LINE, '<br>')}</p>"  # not shown
        )
        self.more_button.setVisible(is_whole or shown.text != self._whole.text)
        self.more_button.set_icon("caret-up" if is_whole else "caret-down")
        self.more_button.set_tooltip(tr("Show less") if is_whole else tr("Show the whole passage"))

    def _write_header(self, excerpt: str, font: QFont) -> str:
        """Return the header of a table as a line above rows that are shown without it."""
        header = self._source.header
        if not header or header in excerpt:
            return ""
        width = max(1, self._quote.width())
        shown = QFontMetrics(font).elidedText(header, Qt.TextElideMode.ElideRight, width)
        ink = self._theme.tokens.text2
        return f'<span style="color:{ink}">{html.escape(shown)}</span><br>'  # not shown

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
        if self.underMouse() or self.hasFocus() or self.is_pointed_out:
            edge = self._theme.color("accent") if self.hasFocus() else None
            with QPainter(self) as painter:
                ground = self._theme.color("accent_soft", 0.5)
                paint_box(painter, QRectF(self.rect()), ground, edge)
        with QPainter(self) as painter:
            ink = self._theme.color("accent") if self.is_read_now else self._theme.rule()
            painter.fillRect(self.find_rule(), ink)

    def find_rule(self) -> QRectF:
        """Return the area of the rule before the excerpt, in pixels."""
        quote = QRectF(self._quote.geometry())
        width = READING_RULE if self.is_read_now else RULE
        return QRectF(quote.left(), quote.top() + 2, width, quote.height() - 4)


class _Entry(QWidget):
    """A card with the title of its document above it, where that is not the one before."""

    def __init__(self, card: SourceCard, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        card.setParent(self)
        self.card = card
        self.title = ElidedLabel(title, "muted", self)
        self.heading = QWidget(self)
        build_row((self.title, 1), parent=self.heading, margins=(INDENT, 12, INDENT, 6))
        build_column(self.heading, card, parent=self, spacing=0)


class SourceList(QWidget):
    """All cards of a question, best passage first; arrow keys move between them.

    The cards stay where they are from the first search to the finished answer. Cards of passages
    that are hidden at first are created when they are wanted.

    Args:
        at_first: the number of cards of passages that are shown without a click, where no passage
            is cited; 0 for all.
        figures: finds the figures that passages mention.
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
        figures: PassageFigures | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._pins, self._at_first = theme, pins, at_first
        self._figures = figures
        self._entries: dict[ChunkId, _Entry] = {}
        self._sources: list[Source] = []
        self._shows_all = self._shows_passages = False
        self._column = build_column(parent=self, spacing=0, margins=(0, 0, 0, 8))
        self.more_button = Button("", self, kind="link")
        self.more_button.setStyleSheet(LINK_AT_EDGE)  # begins where the texts above it begin
        self.more_button.clicked.connect(self._show_others)
        left = Qt.AlignmentFlag.AlignLeft
        self._more = build_row(
            (self.more_button, 0, left), STRETCH, spacing=BESIDE_MORE, margins=(INDENT, 8, 0, 0)
        )
        self._column.addLayout(self._more)
        self.show_turn(turn)

    @property
    def cards(self) -> list[SourceCard]:
        """The cards that are shown, from top to bottom."""
        shown = (self._entries.get(source.chunk_id) for source in self._sources)
        return [entry.card for entry in shown if entry is not None and not entry.isHidden()]

    def add_beside_more(self, widget: QWidget) -> None:
        """Show a widget beside the button for more passages."""
        self._more.insertWidget(1, widget)

    def show_turn(self, turn: Turn) -> None:
        """Show the passages of a turn, or what its answer changed about them.

        Passages that a written answer does not cite are hidden behind a button. Where nothing is
        written, the first ones stay, and those that it quotes.
        """
        self._ranked = tuple(p.chunk_id for p in turn.passages)
        self._sources = build_sources(turn)
        self._shows_passages = turn.shows_passages
        for source in self._sources:
            if (entry := self._entries.get(source.chunk_id)) is not None:
                entry.card.set_source(source)
        self._place()

    def is_of(self, turn: Turn) -> bool:
        """Whether these are the passages of a turn, in their order."""
        return self._ranked == tuple(p.chunk_id for p in turn.passages)

    def _choose_shown(self) -> list[Source]:
        if self._shows_all:
            return self._sources
        cited = [source for source in self._sources if source.is_cited]
        if cited and not self._shows_passages:
            focused = [e.card.source for e in self._entries.values() if e.card.hasFocus()]
            return [source for source in self._sources if source in (*cited, *focused)]
        if not self._at_first:
            return self._sources
        first: list[Source] = []
        for source in self._sources:  # two with the same sentence say the same
            if len(first) < self._at_first and not any(map(source.has_sentence_of, first)):
                first.append(source)
        return [source for source in self._sources if source in first or source.is_cited]

    def _place(self) -> None:
        """Show the chosen cards in the order of their numbers, each document with its title."""
        shown = self._choose_shown()
        chosen = {source.chunk_id for source in shown}
        place = 0
        for source in self._sources:
            entry = self._entries.get(source.chunk_id)
            if entry is None and source.chunk_id in chosen:
                entry = self._build(source)
                self._column.insertWidget(place, entry)
            if entry is not None:
                entry.setVisible(source.chunk_id in chosen)
                place += 1
        before: _Entry | None = None
        # the same word beside each passage says nothing
        is_told_apart = len({self._entries[s.chunk_id].card.source.closeness for s in shown}) > 1
        for source in shown:
            entry = self._entries[source.chunk_id]
            entry.card.show_closeness(is_told_apart)
            begins = before is None or before.card.source.document_id != source.document_id
            entry.heading.setVisible(begins)
            before = entry
        n_hidden = len(self._sources) - len(shown)
        words = trn("Show {n} more passage", "Show {n} more passages", n_hidden)
        self.more_button.setText(words)
        self.more_button.setVisible(n_hidden > 0)

    def _build(self, source: Source) -> _Entry:
        card = SourceCard(self._theme, source, self._pins, self, self._figures)
        card.opened.connect(self.opened)
        card.step.connect(lambda by: self._go(card, by))
        entry = self._entries[source.chunk_id] = _Entry(card, source.title, self)
        return entry

    @property
    def is_in_use(self) -> bool:
        """Whether the mouse is over it."""
        return self.isVisible() and self.underMouse()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.left.emit()

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self.moved.emit(event.pos().y() - event.oldPos().y())

    def _show_others(self) -> None:
        """Show the passages that were read and not cited."""
        known = {card.source.chunk_id for card in self.cards}
        self._shows_all = True
        self._place()
        first = next(card for card in self.cards if card.source.chunk_id not in known)
        first.setFocus(Qt.FocusReason.TabFocusReason)

    def point_out(self, number: int) -> None:
        """Show which card has a number; 0 for none."""
        for card in self.cards:
            card.point_out(card.source.number == number)

    def show_reading(self, chunk_id: int | None) -> None:
        """Show which passage a model reads now, None for none."""
        for card in self.cards:
            card.show_reading(card.source.chunk_id == chunk_id)

    def show_card(self, number: int) -> SourceCard | None:
        """Focus the card with a number, after showing those that are hidden; return it."""
        if number not in [card.source.number for card in self.cards]:
            self._shows_all = True
            self._place()
        found = next((card for card in self.cards if card.source.number == number), None)
        if found is not None:
            found.setFocus(Qt.FocusReason.TabFocusReason)
        return found

    def _go(self, card: SourceCard, by: int) -> None:
        cards = self.cards
        place = cards.index(card) + by
        if 0 <= place < len(cards):
            cards[place].setFocus(Qt.FocusReason.TabFocusReason)
