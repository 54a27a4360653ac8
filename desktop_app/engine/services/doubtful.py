"""Mentions of split names of which nothing tells whom they mean: what a person is asked about.

Reads only; the answer is an edit (`Editing.tell_which`), and ends the asking.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from ..store import graph, splits
from ..store.db import Db
from ..types import EntityRow, MentionRow
from .senses import list_doubtful

MAX_ASKED = 500


@dataclass(frozen=True, slots=True)
class DoubtfulMention:
    """One place; `now` is the entity it is counted to until a person says otherwise."""

    id: int
    mention: MentionRow
    now: int


@dataclass(frozen=True, slots=True)
class DoubtfulName:
    """A name that several have, with the places nobody knows whom they mean."""

    name: str
    choices: tuple[EntityRow, ...]
    mentions: tuple[DoubtfulMention, ...]


def list_doubtful_names(db: Db, limit: int = MAX_ASKED) -> list[DoubtfulName]:
    """Return what to ask about, the name with most doubtful mentions first."""
    ids = list_doubtful(db)[:limit]
    home = splits.fetch_entities_of_mentions(db, ids)
    by_name: dict[str, dict[tuple[int, int], DoubtfulMention]] = defaultdict(dict)
    for mention_id, mention in zip(ids, graph.fetch_mention_rows(db, ids), strict=True):
        if mention_id in home:  # a place may have two mentions; both mean the same
            place = mention.document_id, mention.start
            asked = DoubtfulMention(mention_id, mention, home[mention_id])
            by_name[mention.name].setdefault(place, asked)
    found = []
    for name, places in by_name.items():
        choices = graph.fetch_entities(db, splits.fetch_namesakes(db, name))
        if len(choices) > 1:
            found.append(DoubtfulName(name, tuple(choices), tuple(places.values())))
    return sorted(found, key=lambda one: (-len(one.mentions), one.name))
