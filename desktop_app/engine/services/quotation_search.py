"""Finds where a quotation stands in the library, although it may differ from the text.

Candidates are the chunks that share the rarest words or pairs of Chinese characters with it; the
quotation is then aligned with each of them and its neighbours. Knows no model and no widget.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from ..errors import UserError
from ..model import DocumentId, Heading, Page
from ..store import documents, search
from ..store.db import Db
from ..store.fts_tokens import ENGLISH_STOP_WORDS, list_word_terms
from ..text.folded_words import list_forms
from ..text.quotation_alignment import Alignment, Quotation, QuotationPart
from ..text.sections import MOST_BEGINNING, complete_outline, find_section
from ..text.shown_text import show_text
from ..writing_systems import count_han, is_wide, replace_lone_surrogates

MOST_CHARS, MOST_WORDS = 20_000, 1_000  # of a quotation; Chinese characters are words
LEAST_WORDS, LEAST_HAN = 4, 6
LONG_WORDS, LONG_HAN = 6, 12  # from which a text is probably a quotation, not a search

MOST_TERMS = 64
FEW_TERMS = 6  # with fewer rare words, groups of frequent words are searched, too
FREQUENT_SHARE, FREQUENT_FLOOR = 0.1, 500  # chunks with a term from which it says too little
MOST_READ, LEAST_READ = 32, 6  # chunks with which a quotation is aligned
READ_WORDS = 1_500  # of all these alignments together, the words of the quotation
NEIGHBOUR_WEIGHT = 0.6
MOST_CHOSEN = 64  # some are near others, and are aligned together with them
SHARE_OF_BEST = 0.35  # chunks that share less than this part of the best one's words are left out
SKIPPED_CHARS = 3_000  # that the ellipses of a quotation may stand for
CONTEXT_CHARS = 80

# A shorter quotation has to be more like a place, since its words stand together by chance more
# easily. On 400 sentences of absent books and their pieces of 4 to 20 words, nothing that is in
# no way quoted reaches this, and 97 % of pieces of 12 words with 15 % replaced do.
LIKENESS_BASE, LIKENESS_PER_LETTER, MOST_LIKENESS = 0.4, 9.5, 0.85
LETTERS_OF_HAN = 5  # that a Chinese character is worth
SMALL_LIKENESS = 0.8

Wording = Literal["exact", "small", "similar"]
# "there" is in the document only, "quoted" in the quotation only; "around" is not quoted
PieceKind = Literal["around", "same", "there", "quoted", "skipped"]
_PIECES: dict[str, PieceKind] = {
    "same": "same",
    "omitted": "there",
    "added": "there",
    "changed": "there",
    "skipped": "skipped",
}
_BREAK = re.compile(r"[-‐\u00ad][ \t]*\r?\n\s*")


@dataclass(frozen=True, slots=True)
class QuotationPlace:
    """Where a quotation stands.

    Attributes:
        page: label of its first page, or of its first and last, "12–13"; "" without pages.
        chapter: the heading above it.
        share: of the document that comes before it, 0 to 1.
        found: share of the quotation's letters that are there in order, 0 to 1.
        wording: whether it differs from the quotation: not, a little, or more.
        text: the passage, with some words before and after it.
        text_start: offset of `text` in the document.
        parts: the passage, divided where it differs from the quotation.
    """

    document_id: DocumentId
    title: str
    start: int
    end: int
    page: str
    chapter: str
    share: float
    found: float
    likeness: float
    wording: Wording
    text: str
    text_start: int
    parts: tuple[QuotationPart, ...]


def is_quotation(text: str) -> bool:
    """Return whether a text is long enough to be a quotation rather than words to search for."""
    return count_han(text) >= LONG_HAN or len(text.split()) >= LONG_WORDS


def find_quotation(
    db: Db, text: str, limit: int = 10, document_ids: Collection[int] | None = None
) -> list[QuotationPlace]:
    """Return the places where a quotation stands, the most similar first.

    Args:
        document_ids: documents to search in; None for all of the library.

    Raises:
        UserError: the quotation is too short or too long.
    """
    quotation = check_quotation(text)
    least = choose_least_likeness(quotation)
    n_chars = len(quotation.text)
    reach = 2 * n_chars + (SKIPPED_CHARS if quotation.has_skips else 0)
    most = max(LEAST_READ, min(MOST_READ, READ_WORDS // len(quotation.words)))
    read: list[_Around] = []
    found: list[tuple[Alignment, _Around]] = []
    for chunk in _choose_chunks(db, quotation, document_ids):
        if len(read) == most:
            break
        if any(around.covers(chunk, n_chars) for around in read):
            continue
        around = _read_around(db, chunk, reach)
        read.append(around)
        found += ((one, around) for one in quotation.align(around.text, around.start, least))
    characters = set(quotation.text)

    def rank(one: tuple[Alignment, _Around]) -> tuple[float, int, int, int, int]:
        """Of equally similar places, those with the quotation's signs and script come first."""
        place, around = one
        n_other = sum(part.kind not in ("same", "skipped") for part in place.parts)
        passage = around.text[place.start - around.start : place.end - around.start]
        n_same = len(characters.intersection(passage))
        return -place.likeness, n_other, -n_same, around.document_id, place.start

    kept: list[tuple[Alignment, _Around]] = []
    for place, around in sorted(found, key=rank):
        if not any(_overlap(place, around, *other) for other in kept):
            kept.append((place, around))
    return _describe_places(db, kept[:limit])


def check_quotation(text: str) -> Quotation:
    """Return a quotation in words.

    Raises:
        UserError: it is too short or too long to be found.
    """
    text = replace_lone_surrogates(text.strip())
    quotation = Quotation(text[:MOST_CHARS])
    n_words = len(quotation.words)
    if len(text) > MOST_CHARS or n_words > MOST_WORDS:
        raise UserError(
            "The quotation has more than {n:,} words or Chinese characters.",
            "Paste its first page.",
            n=MOST_WORDS,
        )
    has_wide = any(is_wide(word.key[0]) for word in quotation.words)
    if n_words < (LEAST_HAN if has_wide else LEAST_WORDS):
        raise UserError(
            "The quotation is too short to be found.",
            "Give at least {words} words, or {han} Chinese characters.",
            words=LEAST_WORDS,
            han=LEAST_HAN,
        )
    return quotation


def choose_least_likeness(quotation: Quotation) -> float:
    """Return the likeness below which a place is not one of the quotation."""
    n_letters = sum(LETTERS_OF_HAN if is_wide(w.key[0]) else len(w.key) for w in quotation.words)
    return min(MOST_LIKENESS, LIKENESS_BASE + LIKENESS_PER_LETTER / max(1, n_letters))


# --- candidates -----------------------------------------------------------------------------------


def _choose_chunks(
    db: Db, quotation: Quotation, document_ids: Collection[int] | None
) -> list[search.ChunkPlace]:
    """Return the chunks that share the rarest words with a quotation, most first."""
    n_chunks = search.count_chunks_in_all(db)
    most = max(FREQUENT_FLOOR, round(n_chunks * FREQUENT_SHARE))
    words, groups = _list_terms(quotation.text)

    def find(terms: Sequence[str]) -> list[np.ndarray]:
        found = search.find_chunks_of_each(db, terms, most)
        return [ids for ids in found if 0 < len(ids) <= most]

    found = find(words)
    if len(found) < FEW_TERMS:
        found += find(groups)
    if not found:
        return []
    weights = np.zeros(int(max(ids[-1] for ids in found)) + 2)
    for ids in found:
        weights[ids] += np.log(1 + n_chunks / len(ids))
    if document_ids is not None:
        is_inside = np.zeros(len(weights), dtype=bool)
        inside = np.array(search.fetch_chunk_ids(db, document_ids), dtype=np.int64)
        is_inside[inside[inside < len(weights)]] = True
        weights[~is_inside] = 0
    beside = np.zeros(len(weights))  # a quotation may begin in one chunk and end in the next
    np.maximum(weights[:-1], beside[1:], out=beside[1:])
    np.maximum(weights[1:], beside[:-1], out=beside[:-1])
    weights = np.where(weights > 0, weights + NEIGHBOUR_WEIGHT * beside, 0)
    chosen = np.argsort(-weights, kind="stable")[:MOST_CHOSEN]
    chosen = chosen[weights[chosen] > SHARE_OF_BEST * weights[chosen[0]]]
    places = search.fetch_chunk_places(db, chosen.tolist())
    return [places[i] for i in chosen.tolist() if i in places]


def _list_terms(text: str) -> tuple[list[str], list[str]]:
    """Return FTS5 expressions for a quotation: its words worth looking up, its groups of words."""
    terms = list(dict.fromkeys(list_word_terms(_BREAK.sub("", text), list_forms)))
    rare = [term for term in terms if term.strip('"').lower() not in ENGLISH_STOP_WORDS]
    step = max(1.0, len(rare) / MOST_TERMS)
    rare = [rare[int(i * step)] for i in range(min(len(rare), MOST_TERMS))]
    words = [term.strip('"') for term in terms[:MOST_TERMS] if " OR " not in term]
    groups = [*pairwise(words), *zip(words, words[1:], words[2:], strict=False)]
    return rare, [f'"{" ".join(group)}"' for group in groups]


@dataclass(frozen=True, slots=True)
class _Around:
    """A chunk with the text near it; `start` is the offset of `text` in the document."""

    chunk: search.ChunkPlace
    start: int
    text: str

    @property
    def document_id(self) -> int:
        return self.chunk.document_id

    def covers(self, chunk: search.ChunkPlace, n_chars: int) -> bool:
        """Return whether a quotation of this length that touches another chunk is in the text."""
        mine = self.chunk
        is_near = mine.start - n_chars <= chunk.start and chunk.end <= mine.end + n_chars
        return chunk.document_id == mine.document_id and is_near


def _read_around(db: Db, chunk: search.ChunkPlace, n_chars: int) -> _Around:
    rows = search.fetch_around(db, chunk, n_chars)
    start, last = max(chunk.start - n_chars, rows[0][0]), chunk.end + n_chars
    text = ""
    for at, part in rows:  # what is between chunks is white space
        part = part[max(0, start - at) : max(0, last - at)]
        text += " " * (max(at, start) - start - len(text)) + part
    return _Around(chunk, start, text)


def _overlap(one: Alignment, around: _Around, other: Alignment, elsewhere: _Around) -> bool:
    same = around.document_id == elsewhere.document_id
    return same and one.start < other.end and other.start < one.end


# --- places ---------------------------------------------------------------------------------------


def list_pieces(place: QuotationPlace) -> list[tuple[PieceKind, str]]:
    """Return the passage to display in pieces, with its differences and some words around it."""
    shown = show_text(place.text, one_line=True)

    def take(start: int, end: int) -> str:
        first, last = shown.span(start - place.text_start, end - place.text_start)
        return shown.text[first:last]

    end = place.text_start + len(place.text)
    pieces: list[tuple[PieceKind, str]] = [("around", take(place.text_start, place.start))]
    position = place.start
    for part in place.parts:
        pieces.append(("same", take(position, part.start)))
        quoted = " ".join(part.quoted.split())
        there = take(part.start, part.end)
        if part.kind == "added" and _needs_space(quoted[:1]):
            is_first = position == place.start and part.start == position
            pieces += (
                [("quoted", quoted), ("same", " ")]
                if is_first
                else [("same", " "), ("quoted", quoted)]
            )
        else:
            pieces += [("quoted", quoted), (_PIECES[part.kind], there)]
        position = max(position, part.end)
    pieces += [("same", take(position, place.end)), ("around", take(place.end, end))]
    joined: list[tuple[PieceKind, str]] = []
    for kind, text in pieces:
        if joined and joined[-1][0] == kind:
            joined[-1] = kind, joined[-1][1] + text
        elif text:
            joined.append((kind, text))
    return joined


def _needs_space(char: str) -> bool:
    return char.isalnum() and not is_wide(char)


def _describe_places(db: Db, places: Sequence[tuple[Alignment, _Around]]) -> list[QuotationPlace]:
    lengths = documents.fetch_lengths(db) if places else {}
    pages: dict[int, list[Page]] = {}
    outlines: dict[int, list[Heading]] = {}
    for place, around in places:
        if around.document_id not in pages:
            pages[around.document_id] = documents.fetch_pages(db, around.document_id)
            outlines[around.document_id] = complete_outline(
                documents.fetch_outline(db, around.document_id),
                documents.fetch_beginning(db, around.document_id, MOST_BEGINNING)
                if place.start < MOST_BEGINNING
                else "",
            )
    return [
        _describe(
            place,
            around,
            lengths.get(around.document_id, ("", 0)),
            pages[around.document_id],
            outlines[around.document_id],
        )
        for place, around in places
    ]


def _describe(
    place: Alignment,
    around: _Around,
    document: tuple[str, int],
    pages: Sequence[Page],
    outline: Sequence[Heading],
) -> QuotationPlace:
    title, n_chars = document
    first = max(0, place.start - around.start - CONTEXT_CHARS)
    last = place.end - around.start + CONTEXT_CHARS
    is_near = place.likeness >= SMALL_LIKENESS
    return QuotationPlace(
        DocumentId(around.document_id),
        title,
        place.start,
        place.end,
        _label_pages(pages, place),
        _find_chapter(outline, place.start),
        place.start / n_chars if n_chars else 0.0,
        place.found,
        place.likeness,
        "exact" if place.is_exact else "small" if is_near else "similar",
        around.text[first:last],
        around.start + first,
        place.parts,
    )


def _label_pages(pages: Sequence[Page], place: Alignment) -> str:
    touched = [p for p in pages if p.start < place.end and p.end > place.start]
    labels = [page.number for page in (*touched[:1], *touched[1:][-1:])]
    return "–".join(dict.fromkeys(labels))


def _find_chapter(outline: Sequence[Heading], start: int) -> str:
    at = find_section(outline, start)
    return " ".join(outline[at].title.split()) if at >= 0 else ""
