"""Curation keys of entities.

A key is a name, plus the number of its sense where the name was split.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ...graph.names import sense_key, split_sense
from ...store import graph, splits
from ...store.db import Db


def get_main_key(db: Db, entity_id: int) -> str:
    """Return the key of an entity's most frequent name, which its edits are stored under."""
    return all_keys(db, entity_id)[0]


def all_keys(db: Db, entity_id: int) -> list[str]:
    """Return the keys of all names of an entity, most frequent first."""
    return [sense_key(name, sense) for name, sense, _ in graph.fetch_names_of(db, entity_id)]


def fetch_keys_of_group(db: Db, key: str) -> set[str]:
    """Return the keys of the entity that has this key; at least the key itself."""
    name, sense = split_sense(key)
    entity_id = graph.find_entity_of_name(db, name, sense)
    return {key} if entity_id is None else {key, *all_keys(db, entity_id)}


Places = dict[tuple[str, int], list[tuple[str, int]]]
"""(name as written, sense) -> where it stands: (document sha256, start)."""


def divide_places(db: Db, entity_id: int, mention_ids: Sequence[int]) -> tuple[Places, Places]:
    """Return the places of the chosen mentions of an entity, and those of its other mentions."""
    rows = graph.fetch_mention_places(db, entity_id)
    wanted = set(mention_ids)
    # Two extractors can give the same place a mention each; both mean the same entity.
    taken = {(document, start) for i, _, _, document, start in rows if i in wanted}
    chosen: Places = defaultdict(list)
    rest: Places = defaultdict(list)
    for _, name, sense, document, start in rows:
        part = chosen if (document, start) in taken else rest
        part[name, sense].append((document, start))
    return dict(chosen), dict(rest)


def fetch_places(db: Db, mention_ids: Sequence[int]) -> list[tuple[str, str, int]]:
    """Return (name as written, document sha256, start) of mentions."""
    found = (graph.find_mention_place(db, i) for i in dict.fromkeys(mention_ids))
    return [place for place in found if place is not None]


def make_sense(db: Db, name: str, sense: int, key: str) -> str:
    """Add a sense of a name and return its curation key."""
    splits.ensure_senses(db, name, key, [sense])
    return sense_key(name, sense)
