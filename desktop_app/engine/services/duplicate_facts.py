"""Reads what the duplicate search compares: names, their places and relations, and the text.

Knows no rule about which names are duplicates. Everything is read that `duplicates_version` of the
library counts the changes of (migration 0029); who reads more has to count it there.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from itertools import combinations, pairwise
from operator import itemgetter
from typing import TypeVar

import numpy as np

from ..graph.duplicates.model import ApartSentence, NameFacts, PairKey, TextFacts, pair_key
from ..graph.duplicates.shared_context import (
    DISTINGUISHING,
    DISTINGUISHING_WORDS,
    is_equating,
)
from ..progress import never_pause
from ..store import duplicates as duplicate_rows
from ..store.db import Db
from ..store.duplicates import MentionSpan

_MAX_NAMES = 16  # more names in one sentence are a list
_ACROSS_QUOTES = 0.3
_MAX_GAP_CHARS = 24  # most characters between two names in an equating phrase
_QUOTES = frozenset("”“\"'」「』『")
_QUOTE = re.compile(f"[{''.join(sorted(_QUOTES))}]")

_MIN_PRONOUNS, _MIN_PRONOUN_SHARE = 4, 0.8  # of one gender beside the mentions of a person
_AFTER_SENTENCE_CHARS = 120  # about a sentence
_GENDERS = {
    **dict.fromkeys(("he", "him", "his", "himself"), "m"),
    **dict.fromkeys(("she", "her", "hers", "herself"), "f"),
}
# Begins with a set of letters, which `re` looks for fast. Ignores the case of ASCII letters only,
# because "hiſ" of old prints is no key of `_GENDERS`.
_PRONOUN = re.compile(
    r"[hHsS](?<![^\W\d_].)(?:"
    + "|".join(
        f"(?<=[{word[0]}{word[0].upper()}])"
        + "".join(f"[{letter}{letter.upper()}]" for letter in word[1:])
        for word in _GENDERS
    )
    + r")(?![^\W\d_])"
)

Row = TypeVar("Row")
FindVectors = Callable[[list[int], Callable[[], None]], np.ndarray | None]
_PAUSE_ROWS = 500  # rows between two pauses: about a millisecond
# No document, sentence or entity has these numbers: the last sentence ends before, the first
# begins after them.
_AFTER_LAST = MentionSpan(-1, 0, 0, 0, 0, 0, -1)
_BEFORE_FIRST = MentionSpan(-1, -1, -1, -1, -1, -1, -1)


def read_facts(
    db: Db, find_vectors: FindVectors | None = None, pause: Callable[[], None] = never_pause
) -> tuple[list[NameFacts], TextFacts]:
    """Return all entities and, for pairs of them, what the text states.

    Args:
        find_vectors: gives one row of length 1 per entity id, or None without a model; calls
            `pause` between steps.
        pause: called every millisecond or so; a search in the background rests in it.
    """
    names: dict[int, list[str]] = {}
    about: dict[int, tuple[str, int]] = {}
    for use in duplicate_rows.fetch_name_uses(db):
        about[use.entity_id] = (use.entity_type, use.n_mentions)
        known = names.setdefault(use.entity_id, [use.entity_name])
        if use.name not in known:
            known.append(use.name)
    pause()
    neighbours: dict[int, dict[int, float]] = defaultdict(dict)
    for source, target, weight in _with_pauses(duplicate_rows.fetch_relation_weights(db), pause):
        neighbours[source][target] = neighbours[target][source] = weight
    spans = duplicate_rows.fetch_mention_spans(db)
    texts = dict(duplicate_rows.iter_texts(db))
    people = {entity_id for entity_id, (type_, _) in about.items() if type_ == "person"}
    genders = _read_genders(texts, spans, people, pause)
    chunks: dict[int, set[int]] = defaultdict(set)
    documents: dict[int, set[int]] = defaultdict(set)
    for span in _with_pauses(spans, pause):
        chunks[span.entity_id].add(span.chunk_id)
        documents[span.entity_id].add(span.document_id)
    facts = [
        NameFacts(
            id=entity_id,
            names=tuple(names[entity_id]),
            type=type_,
            n_mentions=n_mentions,
            documents=frozenset(documents[entity_id]),
            chunks=frozenset(chunks[entity_id]),
            neighbours=neighbours.get(entity_id, {}),
            gender=genders.get(entity_id, ""),
        )
        for entity_id, (type_, n_mentions) in about.items()
    ]
    pause()
    vectors = find_vectors([one.id for one in facts], pause) if find_vectors else None
    return facts, _read_text(db, texts, spans, vectors, pause)


def _with_pauses(found: Sequence[Row], pause: Callable[[], None]) -> Iterator[Row]:
    for start in range(0, len(found), _PAUSE_ROWS):
        yield from found[start : start + _PAUSE_ROWS]
        pause()


def _read_genders(
    texts: Mapping[int, str],
    spans: Sequence[MentionSpan],
    people: Set[int],
    pause: Callable[[], None],
) -> dict[int, str]:
    """Return the gender of people by the English pronouns after their names: "m" or "f".

    Sentences that name nobody else count, with what follows up to the next name: of 326 people
    of seventeen novels whose title or first name shows the gender, 311 have the same by pronouns.
    """
    beside: dict[int, Counter[str]] = defaultdict(Counter)
    sentences: list[MentionSpan] = []  # by the first name of each; `entity_id` -1: of several
    previous, only = (-1, -1), -1
    for span in _with_pauses(spans, pause):
        if (span.document_id, span.sentence_start) != previous:
            previous, only = (span.document_id, span.sentence_start), span.entity_id
            sentences.append(span)
        elif span.entity_id != only != -1:
            sentences[-1] = sentences[-1]._replace(entity_id=-1)
            only = -1
    sentences.append(_AFTER_LAST)
    for number, (one, following) in enumerate(pairwise(sentences)):
        if not number % _PAUSE_ROWS:
            pause()
        if one.entity_id not in people:
            continue
        last = one.sentence_end + _AFTER_SENTENCE_CHARS
        if following.document_id == one.document_id:
            last = max(one.sentence_end, min(following.sentence_start, last))
        words = _PRONOUN.findall(texts.get(one.document_id, ""), one.end, last)
        if words:
            beside[one.entity_id].update(_GENDERS[word.lower()] for word in words)
    genders = {}
    for entity_id, counts in beside.items():
        gender, n = max(counts.items(), key=itemgetter(1), default=("", 0))
        if n >= _MIN_PRONOUNS and n >= _MIN_PRONOUN_SHARE * counts.total():
            genders[entity_id] = gender
    return genders


def _read_text(
    db: Db,
    texts: Mapping[int, str],
    spans: Sequence[MentionSpan],
    vectors: np.ndarray | None,
    pause: Callable[[], None],
) -> TextFacts:
    equated: Counter[PairKey] = Counter()
    for a, b, n in duplicate_rows.fetch_equated_pairs(db):
        equated[a, b] += n
    adjacent: Counter[PairKey] = Counter()
    together: dict[PairKey, float] = defaultdict(float)
    sentence: dict[tuple[int, int], None] = {}  # (entity, number of quotation marks before it)
    n_quotes = 0
    joined: set[PairKey] = set()
    before = _BEFORE_FIRST
    text = ""
    for span in _with_pauses([*spans, _AFTER_LAST], pause):
        if (span.document_id, span.sentence_start) != (before.document_id, before.sentence_start):
            if 1 < len(sentence) <= _MAX_NAMES:
                for pair, weight in _weigh_pairs(sentence).items():
                    if pair not in joined:
                        together[pair] += weight
            sentence, joined, n_quotes = {}, set(), 0
            text = texts.get(span.document_id, "")
        else:
            if _QUOTE.search(text, before.end, span.start) is not None:
                n_quotes += 1
            is_near = before.end <= span.start <= before.end + _MAX_GAP_CHARS
            if is_near and span.entity_id != before.entity_id:
                pair = pair_key(span.entity_id, before.entity_id)
                between = text[before.end : span.start]
                if not between or (len(between) == 1 and between in _QUOTES):
                    adjacent[before.entity_id, span.entity_id] += 1
                    joined.add(pair)
                elif is_equating(between, text[span.end : span.end + 1]):
                    equated[pair] += 1
                    joined.add(pair)
        sentence[span.entity_id, n_quotes] = None
        before = span
    return TextFacts(
        stated=equated,
        adjacent=adjacent,
        together=together,
        never=frozenset(pair_key(a, b) for a, b in duplicate_rows.fetch_pairs_kept_apart(db)),
        vectors=vectors,
        distinguished=_find_apart_sentences(texts, spans, pause),
    )


def _find_apart_sentences(
    texts: Mapping[int, str], spans: Sequence[MentionSpan], pause: Callable[[], None]
) -> dict[int, list[ApartSentence]]:
    """Return the sentences with a phrase of `distinguished`, by the entities that they name."""
    named: dict[tuple[int, int], set[int]] = defaultdict(set)
    before_document, before_sentence, is_hit = -1, -1, False
    candidates: Sequence[int] = ()  # places in the document where a phrase may be
    for span in _with_pauses(spans, pause):
        start, end = span.sentence_start, span.sentence_end
        if span.document_id != before_document:
            before_document, before_sentence, is_hit = span.document_id, -1, False
            text = texts.get(span.document_id, "")
            candidates = _find_distinguishing_words(text)
        if not candidates:
            continue
        if start != before_sentence:
            before_sentence = start
            number = bisect_left(candidates, start)
            may_hit = number < len(candidates) and candidates[number] < end
            is_hit = may_hit and DISTINGUISHING.search(text, start, end) is not None
        if is_hit:
            named[span.document_id, start].add(span.entity_id)
    found: dict[int, list[ApartSentence]] = defaultdict(list)
    for (document_id, start), entities in named.items():
        for entity_id in entities:
            found[entity_id].append(ApartSentence(document_id, start, frozenset(entities)))
    return found


def _find_distinguishing_words(text: str) -> Sequence[int]:
    """Return, in order, where a phrase of `DISTINGUISHING` may be: each match contains one place.

    Searching one word of each phrase takes a tenth of the time of the regular expression.
    """
    small, has_ascii_only = text.lower(), text.isascii()
    if not has_ascii_only:
        # To a regular expression that ignores case, the long s and the dotless i are s and i.
        small = small.replace("ſ", "s").replace("ı", "i")
    if len(small) != len(text):  # İ became two characters, and the places behind it are wrong
        return range(len(text))
    found = []
    for word in DISTINGUISHING_WORDS:
        is_latin = word.isascii()
        if has_ascii_only and not is_latin:
            continue
        place = small.find(word)
        while place >= 0:
            if not is_latin or place == 0 or not small[place - 1].isalnum():
                found.append(place)
            place = small.find(word, place + 1)
    return sorted(found)


def _weigh_pairs(sentence: Collection[tuple[int, int]]) -> dict[PairKey, float]:
    """Return pairs of entities in a sentence with weights.

    Pairs across a quotation mark count less, because speakers can mention themselves.
    """
    found: dict[PairKey, float] = {}
    for (a, side), (b, other_side) in combinations(sentence, 2):
        if a != b:
            pair = (a, b) if a < b else (b, a)
            found[pair] = max(found.get(pair, 0.0), 1.0 if side == other_side else _ACROSS_QUOTES)
    return found
