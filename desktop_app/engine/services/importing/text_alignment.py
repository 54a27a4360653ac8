"""Aligns imported chunks to texts; joins the chunks where no text is known.

Pure: strings and offsets. A chunk that the text contains, ignoring white space, becomes one of
our chunks; the rest of the text is split by our own chunker; a chunk that the text doesn't
contain is attached to the most similar piece.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise

from ...graph.names import normalise_name
from ...messages import Message
from ...model import ChunkSpan, Heading
from ...text.chunking import ChunkingSettings, CountTokens, chunk_text, split_sentences
from .model import ImportedChunk, ImportedDocument, ImportedGraph

MIN_OVERLAP = 20  # minimum overlap in characters to join two chunks
MAX_OVERLAP = 6_000
MAX_TOKENS = 2_000  # longer chunks are split, for readers and small models
SMALL_GAP = 40
MIN_SHARED = 0.15
SHINGLE = 8
MAX_UNLIKE = 2_000  # chunks of a document that are searched in all of its text
Span = tuple[int, int]


@dataclass(slots=True)
class Layout:
    """Spans of a text in order, and the spans of each imported chunk."""

    spans: list[ChunkSpan]
    orders_of: dict[str, list[int]] = field(default_factory=dict)
    strays: list[ImportedChunk] = field(default_factory=list)
    n_attached: int = 0


def collect_chunks(graph: ImportedGraph) -> list[tuple[ImportedDocument, str, list[ImportedChunk]]]:
    """Return every document with its chunks in order; unknown texts are joined from them."""
    chunks_of: dict[str, list[ImportedChunk]] = defaultdict(list)
    for chunk in graph.chunks:
        chunks_of[chunk.document].append(chunk)
    found = []
    for document in graph.documents:
        chunks = sorted(chunks_of[document.key], key=lambda c: c.order)
        text = document.text if document.text.strip() else join_chunks([c.text for c in chunks])
        if text.strip():
            found.append((document, text, chunks))
        else:
            graph.left_out[Message("documents without text")] += 1
    return found


def join_chunks(texts: Sequence[str]) -> str:
    """Return the text of consecutive chunks; overlaps are removed."""
    joined = ""
    for text in texts:
        if not joined:
            joined = text
            continue
        shared = _overlap(joined[-MAX_OVERLAP:], text)
        joined += text[shared:] if shared else f"\n\n{text}"
    return joined


def _overlap(before: str, after: str) -> int:
    """Return the length of the overlap between the end of one text and the start of the other."""
    if after in before:
        return len(after)
    at = before.find(after[:MIN_OVERLAP]) if len(after) > MIN_OVERLAP else -1
    while at >= 0:
        if after.startswith(before[at:]):
            return len(before) - at
        at = before.find(after[:MIN_OVERLAP], at + 1)
    return 0


def align_chunks(
    text: str,
    chunks: Sequence[ImportedChunk],
    outline: Sequence[Heading],
    language: str,
    count_tokens: CountTokens,
) -> Layout:
    """Return the chunks of a new document, the imported ones where the text contains them."""
    places = find_places(text, chunks)
    spans = _fill(text, sorted({p for p in places if p is not None}), language, count_tokens)
    paths = _heading_paths(outline, [start for start, _ in spans])
    made = [
        ChunkSpan(i, start, end, count_tokens(text[start:end]), path)
        for i, ((start, end), path) in enumerate(zip(spans, paths, strict=True))
    ]
    return attach(text, chunks, places, made)


def attach(
    text: str,
    chunks: Sequence[ImportedChunk],
    places: Sequence[Span | None],
    spans: Sequence[ChunkSpan],
) -> Layout:
    """Return the spans of each imported chunk, by its place or else by shared words."""
    layout = Layout(list(spans))
    shingles: list[set[str]] = []
    starts = [span.start for span in spans]
    n_searched = 0
    for chunk, place in zip(chunks, places, strict=True):
        if place is not None:
            orders = [s.order for s in _spans_from(spans, starts, place) if _covers(place, s)]
        elif n_searched >= MAX_UNLIKE:
            orders = []
        else:
            n_searched += 1
            shingles = shingles or [_shingles(text[s.start : s.end]) for s in spans]
            orders = _most_alike(chunk.text, shingles)
            layout.n_attached += bool(orders)
        if not orders:
            layout.strays.append(chunk)
            continue
        known = layout.orders_of.setdefault(chunk.key, [])
        known += [order for order in orders if order not in known]
    return layout


def _spans_from(spans: Sequence[ChunkSpan], starts: Sequence[int], place: Span) -> list[ChunkSpan]:
    """Return the spans that share characters with a place, in order."""
    last = bisect_left(starts, place[1])
    first = last
    while first and spans[first - 1].end > place[0]:
        first -= 1
    return list(spans[first:last])


def _covers(place: Span, span: ChunkSpan) -> bool:
    """Return whether a span is part of an imported chunk, or contains a large part of it."""
    shared = min(place[1], span.end) - max(place[0], span.start)
    return shared > 0 and shared >= 0.5 * min(place[1] - place[0], span.end - span.start)


def find_places(text: str, chunks: Sequence[ImportedChunk]) -> list[Span | None]:
    """Return the place of each chunk in the text, ignoring white space and broken characters."""
    places: list[Span | None] = []
    squeezed: tuple[str, list[int]] | None = None
    last = n_missed = 0
    for chunk in chunks:
        if n_missed >= MAX_UNLIKE:
            places.append(None)
            continue
        wanted = chunk.text.strip(" \t\n\u3000\ufffd")
        at = text.find(wanted, last)
        at = at if at >= 0 or not last else text.find(wanted)
        if at >= 0 and wanted:
            places.append((at, at + len(wanted)))
            last = at + 1
            continue
        squeezed = squeezed or _squeeze(text)
        place = _find_squeezed(squeezed, _squeeze(wanted)[0], last)
        n_missed += place is None
        places.append(place)
        last = place[0] + 1 if place else last
    return places


def _squeeze(text: str) -> tuple[str, list[int]]:
    kept = [i for i, c in enumerate(text) if not c.isspace() and c != "\ufffd"]
    return "".join(text[i] for i in kept), kept


def _find_squeezed(squeezed: tuple[str, list[int]], wanted: str, after: int) -> Span | None:
    text, places = squeezed
    if not wanted:
        return None
    at = text.find(wanted, bisect_left(places, after))
    at = at if at >= 0 else text.find(wanted)
    return (places[at], places[at + len(wanted) - 1] + 1) if at >= 0 else None


def _fill(text: str, found: list[Span], language: str, count_tokens: CountTokens) -> list[Span]:
    """Return spans that cover the text: imported ones, and ours between them."""
    spans: list[Span] = []
    at = 0
    for start, end in [*found, (len(text), len(text))]:
        if start > at and text[at:start].strip():
            if spans and start - at < SMALL_GAP:
                spans[-1] = (spans[-1][0], start)
            else:
                spans += _cut(text, at, start, language, count_tokens)
        if end > at:
            too_long = count_tokens(text[start:end]) > MAX_TOKENS
            spans += _cut(text, start, end, language, count_tokens) if too_long else [(start, end)]
            at = end
    return [s for s in spans if s[1] > s[0]]


def _cut(text: str, start: int, end: int, language: str, count_tokens: CountTokens) -> list[Span]:
    made = chunk_text(text[start:end], (), language, ChunkingSettings(), count_tokens)
    return [(start + c.start, start + c.end) for c in made]


def _heading_paths(outline: Sequence[Heading], starts: Sequence[int]) -> list[str]:
    """Return the headings above each of these offsets, which are in order."""
    headings = sorted(outline, key=lambda h: h.start)
    stack: list[Heading] = []
    paths, at = [], 0
    for start in starts:
        while at < len(headings) and headings[at].start <= start:
            stack = [h for h in stack if h.level < headings[at].level] + [headings[at]]
            at += 1
        paths.append(" › ".join(h.title for h in stack))
    return paths


def _shingles(text: str) -> set[str]:
    plain = _squeeze(text)[0].casefold()
    return {plain[i : i + SHINGLE] for i in range(max(1, len(plain) - SHINGLE + 1))}


def _most_alike(text: str, pieces: Sequence[set[str]]) -> list[int]:
    """Return the most similar pieces of a chunk; the best, and any with a quarter of its words."""
    wanted = _shingles(text)
    shares = [len(wanted & piece) / len(wanted) for piece in pieces]
    if not shares or max(shares) < MIN_SHARED:
        return []
    best = max(shares)
    return [i for i, share in enumerate(shares) if share == best or share >= 0.25]


_QUOTES = str.maketrans("’‘‛`´“”„«»–—‐•・‧_", "'''''\"\"\"\"\"---··· ")
_CJK_CHARACTERS = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff"
_CJK = re.compile(f"[{_CJK_CHARACTERS}]")
_WORD = re.compile(r"[^\W\d_]{3,}|[\u4e00-\u9fff]{2}")


_BLANKS = re.compile(r"\A[\s_]+|[\s_]{2,}|[^\S ]|_")


class FoldedText:
    """A text in the form used for comparing names.

    Attributes:
        text: in lower case and normal width; a run of white space is one space.
    """

    __slots__ = ("_shifts", "_starts", "text")

    def __init__(self, original: str) -> None:
        # Offsets of the original differ by a constant between two of these places.
        self._starts, self._shifts = array("I", [0]), array("i", [0])
        fold = self._fold_ascii if original.isascii() else self._fold_any
        self.text = fold(original)

    def place(self, at: int) -> int:
        """Return the offset in the original of a character of `text`."""
        return at + self._shifts[bisect_right(self._starts, at) - 1]

    def _shift(self, at: int, place: int) -> None:
        if self._shifts[-1] != place - at:
            self._starts.append(at)
            self._shifts.append(place - at)

    def _fold_ascii(self, original: str) -> str:
        plain = original.lower().replace("`", "'")
        parts: list[str] = []
        size = last = 0
        for run in _BLANKS.finditer(plain):
            start, end = run.span()
            parts.append(plain[last:start])
            size += start - last
            if start:
                parts.append(" ")
                size += 1
            self._shift(size, end)
            last = end
        parts.append(plain[last:])
        return "".join(parts)

    def _fold_any(self, original: str) -> str:
        folded: list[str] = []
        blank = True
        for i, char in enumerate(original):
            if char.isspace() or char == "_":
                if not blank:
                    self._shift(len(folded), i)
                    folded.append(" ")
                blank = True
                continue
            blank = False
            lower = (
                char.lower() if char < "\x80" else unicodedata.normalize("NFKC", char).casefold()
            )
            for c in lower.translate(_QUOTES):
                self._shift(len(folded), i)
                folded.append(c)
        return "".join(folded)


@lru_cache(maxsize=8192)
def list_variants(name: str) -> tuple[str, ...]:
    """Return the forms in which a name is searched: as it is, normalized, without a bracket."""
    variants = [FoldedText(name).text.strip(), normalise_name(name)]
    variants.append(FoldedText(re.sub(r"\s*[(（].*?[)）]\s*$", "", name)).text.strip())
    return tuple(dict.fromkeys(v for v in variants if v))


class AlignedPassage:
    """One chunk of a document, in which names are searched."""

    def __init__(self, document: int, order: int, start: int, text: str, language: str) -> None:
        self.document, self.order, self.start, self.text = document, order, start, text
        self.end = start + len(text)
        self._language = language

    @cached_property
    def folded(self) -> FoldedText:
        return FoldedText(self.text)

    @cached_property
    def sentences(self) -> list[Span]:
        found = split_sentences(self.text, self._language) or [(0, len(self.text))]
        return [(a + self.start, b + self.start) for a, b in found]

    def find(self, name: str) -> list[Span]:
        """Return every place of a name, in the first of its variants that occurs."""
        for variant in list_variants(name):
            if spans := self._find_folded(variant):
                return spans
        return []

    def _find_folded(self, name: str) -> list[Span]:
        text, place = self.folded.text, self.folded.place
        spans: list[Span] = []
        at = text.find(name)
        while at >= 0:
            end = at + len(name)
            if _ends_word(text, at) and _ends_word(text, end):
                spans.append((self.start + place(at), self.start + place(end - 1) + 1))
                at = text.find(name, end)
            else:
                at = text.find(name, at + 1)
        return spans

    def find_sentence_at(self, offset: int) -> Span:
        """Return the sentence at an offset, or the last that begins before it."""
        at = bisect_right(self.sentences, (offset, self.end)) - 1
        return self.sentences[max(0, at)]

    def find_similar_sentence(self, name: str, descriptions: Iterable[str]) -> Span:
        """Return the sentence with most words of a name and its description; the first if none."""
        own, other = _words(name), _words(" ".join(descriptions))
        return max(
            self.sentences,
            key=lambda s: (
                4 * len(own & (here := _words(self.text[s[0] - self.start : s[1] - self.start])))
                + len(other & here),
                -s[0],
            ),
        )

    def find_quote(self, quote: str) -> Span | None:
        """Return the place of a quotation, without its marks and outer white space."""
        wanted = FoldedText(quote).text.strip(" \"'.…")
        at = self.folded.text.find(wanted) if len(wanted) >= 8 else -1
        if at < 0:
            return None
        place = self.folded.place
        return self.start + place(at), self.start + place(at + len(wanted) - 1) + 1


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}


def _ends_word(text: str, at: int) -> bool:
    """Return whether a name may begin or end here: not inside a word of an alphabetic script."""
    if at <= 0 or at >= len(text):
        return True
    before, after = text[at - 1], text[at]
    return not (
        before.isalnum() and after.isalnum() and not _CJK.match(before) and not _CJK.match(after)
    )


_FEW_PASSAGES = 16  # searched without looking at the other words of a name
_TOKEN = re.compile(rf"[{_CJK_CHARACTERS}]+|[^\W_{_CJK_CHARACTERS}]+|\S")


class PassageIndex:
    """Finds the passages that can have a name: an inverted index of their words.

    A name begins and ends where a word does, so that a passage with it has all of its words. Of
    Chinese, Japanese and Korean, each character and each pair of them is a word.
    """

    def __init__(self, passages: Sequence[AlignedPassage]) -> None:
        self._passages = passages

    @cached_property
    def _numbers(self) -> dict[str, array[int]]:
        numbers: dict[str, array[int]] = {}
        for number, passage in enumerate(self._passages):
            for token in set(_list_tokens(passage.folded.text, with_single=True)):
                numbers.setdefault(token, array("I")).append(number)
        return numbers

    def find(self, name: str) -> list[AlignedPassage]:
        """Return the passages with a name, in order."""
        numbers: set[int] = set()
        for variant in list_variants(name):
            found = [self._numbers.get(token, ()) for token in _list_tokens(variant)]
            found.sort(key=len)
            is_rare = not found or len(found[0]) <= _FEW_PASSAGES
            numbers.update(*found[:1] if is_rare else [set(found[0]).intersection(*found[1:])])
        return [self._passages[i] for i in sorted(numbers) if self._passages[i].find(name)]


def _list_tokens(text: str, *, with_single: bool = False) -> Iterator[str]:
    """Yield the words of a folded text.

    Args:
        with_single: also the single characters of longer words that have pairs.
    """
    for match in _TOKEN.finditer(text):
        token = match.group()
        if len(token) > 1 and _CJK.match(token):
            yield from map("".join, pairwise(token))
            if with_single:
                yield from token
        else:
            yield token
