"""Names that were made one on their own while documents were read: the list, each with its reason.

Reads only. To take one apart is an edit like any other (`Editing.remove_alias`), and so is
its undoing; what a person joined by hand is not listed here.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace

from ..graph.duplicates.joined import explain_joined
from ..graph.names import normalise_name, sense_key, split_sense
from ..store import curation, graph
from ..store import duplicates as rows
from ..store.db import Db
from ..types import EntityRow, MentionRow, NameCount


@dataclass(frozen=True, slots=True)
class JoinedName:
    """One name that was joined: `key` is what curation knows it by, `to` the name it went to."""

    key: str
    name: str
    n_mentions: int
    to: str
    rule: str
    reason: str
    sentences: tuple[MentionRow, ...] = ()


@dataclass(frozen=True, slots=True)
class JoinedEntity:
    """An entity with the names that nobody joined by hand, the most used first."""

    entity: EntityRow
    names: tuple[JoinedName, ...]


def list_joined(db: Db) -> list[JoinedEntity]:
    """Return every entity with names joined on their own, the one with most mentions first."""
    by_entity: dict[int, list[tuple[NameCount, str]]] = defaultdict(list)
    for entity_id, name_id, text, sense, n, types, language in rows.fetch_joined_names(db):
        by_entity[entity_id].append(
            (NameCount(name_id, text, n, types, language), sense_key(text, sense))
        )
    by_hand: dict[str, set[str]] = defaultdict(set)
    for a, b in (*curation.fetch_merged(db), *curation.fetch_aliases(db)):
        by_hand[a].add(b)
        by_hand[b].add(a)
    also_called: dict[frozenset[str], int] = defaultdict(int)
    for left, right, n in rows.fetch_also_called(db):
        also_called[frozenset((normalise_name(left), normalise_name(right)))] += n
    shown = {row.id: row for row in graph.fetch_entities(db, by_entity)}
    found = []
    for entity_id, members in by_entity.items():
        row = shown[entity_id]
        counts = [count for count, _ in members]
        main = next((c for c in counts if c.name == row.name), counts[0])
        keys = {count.name_id: key for count, key in members}
        there = set(keys.values())
        names = {count.name_id: count for count in counts}
        joined = [
            JoinedName(keys[i], names[i].name, names[i].n_mentions, names[to].name, rule, reason)
            for i, (rule, reason, to) in explain_joined(counts, main, also_called).items()
            if names[i].n_mentions and not by_hand[keys[i]] & there
        ]
        if joined:
            joined.sort(key=lambda one: (-one.n_mentions, one.key))
            found.append(JoinedEntity(row, tuple(joined)))
    return sorted(found, key=lambda one: (-one.entity.n_mentions, one.entity.id))


def fetch_sentences(db: Db, found: JoinedEntity, n_sentences: int = 2) -> JoinedEntity:
    """Return the entity with sentences of each of its joined names."""
    names = []
    for one in found.names:
        name, sense = split_sense(one.key)
        ids = rows.fetch_mentions_by_name(db, found.entity.id, name, sense, n_sentences)
        names.append(replace(one, sentences=tuple(graph.fetch_mention_rows(db, ids))))
    return JoinedEntity(found.entity, tuple(names))
