"""Reads a library as the search for duplicates wants it: names, neighbours, what stands where."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection
from itertools import combinations

import numpy as np

from ..graph.duplicates import NameFacts, TextFacts
from ..graph.duplicates.facts import two
from ..graph.duplicates.told import is_equating
from ..store import duplicates as rows
from ..store.db import Db

_CROWD = 16  # names of one sentence; more are a list
_ACROSS_QUOTES = 0.3
_BETWEEN = 24  # characters between two names that can equate them
_QUOTES = frozenset("”“\"'」「』『")

FindVectors = Callable[[list[int]], np.ndarray | None]


def read_facts(
    db: Db, find_vectors: FindVectors | None = None
) -> tuple[list[NameFacts], TextFacts]:
    """Return every entity of a library and what its text says of pairs of them.

    Args:
        find_vectors: gives a row of length 1 for each entity id, or None without a model.
    """
    names: dict[int, list[str]] = {}
    about: dict[int, tuple[str, int]] = {}
    for entity_id, shown, type_, n_mentions, name, _ in rows.fetch_names(db):
        about[entity_id] = (type_, n_mentions)
        known = names.setdefault(entity_id, [shown])
        if name not in known:
            known.append(name)
    neighbours: dict[int, dict[int, float]] = defaultdict(dict)
    for source, target, weight in rows.fetch_ties(db):
        neighbours[source][target] = neighbours[target][source] = weight
    places = rows.fetch_places(db)
    chunks: dict[int, set[int]] = defaultdict(set)
    documents: dict[int, set[int]] = defaultdict(set)
    for document_id, chunk_id, _, _, _, entity_id in places:
        chunks[entity_id].add(chunk_id)
        documents[entity_id].add(document_id)
    facts = [
        NameFacts(
            id=entity_id,
            names=tuple(names[entity_id]),
            type=type_,
            n_mentions=n_mentions,
            documents=frozenset(documents[entity_id]),
            chunks=frozenset(chunks[entity_id]),
            neighbours=neighbours.get(entity_id, {}),
        )
        for entity_id, (type_, n_mentions) in about.items()
    ]
    vectors = find_vectors([one.id for one in facts]) if find_vectors else None
    return facts, _read_text(db, places, vectors)


def _read_text(
    db: Db, places: list[tuple[int, int, int, int, int, int]], vectors: np.ndarray | None
) -> TextFacts:
    texts = dict(rows.iter_texts(db))
    told: Counter[tuple[int, int]] = Counter()
    for a, b, n in rows.fetch_told(db):
        told[a, b] += n
    glued: Counter[tuple[int, int]] = Counter()
    together: dict[tuple[int, int], float] = defaultdict(float)
    sentence: dict[tuple[int, int], None] = {}  # (entity, how many quotes opened or closed)
    n_quotes = 0
    joined: set[tuple[int, int]] = set()
    previous = (-1, -1, -1, -1)  # document, sentence, end, entity
    for document_id, _, start, end, sentence_start, entity_id in [*places, (-1, 0, 0, 0, 0, 0)]:
        if (document_id, sentence_start) != previous[:2]:
            if 1 < len(sentence) <= _CROWD:
                for pair, weight in _meetings(sentence).items():
                    if pair not in joined:
                        together[pair] += weight
            sentence, joined, n_quotes = {}, set(), 0
        else:
            between = texts.get(document_id, "")[previous[2] : start]
            n_quotes += not _QUOTES.isdisjoint(between)
            if entity_id != previous[3] and start >= previous[2] and len(between) <= _BETWEEN:
                pair = two(entity_id, previous[3])
                if not between or (len(between) == 1 and between in _QUOTES):
                    glued[previous[3], entity_id] += 1
                    joined.add(pair)
                elif is_equating(between):
                    told[pair] += 1
                    joined.add(pair)
        sentence[entity_id, n_quotes] = None
        previous = (document_id, sentence_start, end, entity_id)
    return TextFacts(
        told=told,
        glued=glued,
        together=together,
        never=frozenset(two(a, b) for a, b in rows.fetch_never(db)),
        vectors=vectors,
    )


def _meetings(sentence: Collection[tuple[int, int]]) -> dict[tuple[int, int], float]:
    """Return the pairs of a sentence; who speaks may well name himself, so that counts less."""
    found: dict[tuple[int, int], float] = {}
    for (a, side), (b, other_side) in combinations(sentence, 2):
        if a != b:
            pair = two(a, b)
            found[pair] = max(found.get(pair, 0.0), 1.0 if side == other_side else _ACROSS_QUOTES)
    return found
