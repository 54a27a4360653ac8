"""Describes a name: what the user or a model wrote, or else the sentences that define it.

Reads only. The description that is stored with the graph is for search and for models: without a
model it is what has the name near its beginning, which need not describe it.
"""

from __future__ import annotations

from ..errors import UserError
from ..graph.definitions import (
    ONLY_NAMED,
    choose_definitions,
    find_plain_role,
    is_plain_sentence,
    order_introductions,
)
from ..graph.evidence import choose_introductions
from ..model import EntityCard, MentionRow
from ..retrieval.name_definitions import MAX_READ_MENTIONS, fetch_definitions
from ..store import graph
from ..store.db import Db
from .provenance import find_description_source

_N_SOURCES = 4


def describe_entity(db: Db, entity_id: int) -> EntityCard:
    """Return an entity with its description and the sentences that the page of it shows.

    Without a model's or the user's description these are the sentences that define it, and together
    they are the description; there may be none.

    Raises:
        UserError: the entity is gone.
    """
    row = graph.find_entity(db, entity_id)
    if row is None:
        raise UserError("This name is no longer in the graph.", "Search for it again.")
    is_quoted = find_description_source(db, entity_id) == "quote"
    if is_quoted:
        shown = fetch_definitions(db, row)
        description = " ".join(" ".join(one.sentence.split()) for one in shown)
    else:
        shown, description = list_introductions(db, entity_id), row.description
    names = graph.fetch_aliases(db, entity_id)
    return EntityCard(
        row=row,
        aliases=tuple(n for n, _ in names if n != row.name),
        description=description,
        description_evidence=tuple(shown),
        edited=graph.is_edited(db, entity_id),
        is_quoted=is_quoted,
    )


def propose_description(db: Db, entity_id: int) -> str:
    """Return a sentence to begin a description with, where no sentence defines the name.

    "" where the text says nothing that describes it: no text is better than a poor one.
    """
    row = graph.find_entity(db, entity_id)
    if row is None:
        return ""
    mentions = graph.fetch_best_mentions(db, entity_id, MAX_READ_MENTIONS)
    is_person = row.type == "person"
    # in direct speech, too: who writes the description reads it first
    plain = [one for one in mentions if is_plain_sentence(one.sentence)]
    spoken = choose_definitions(plain, is_person=is_person, limit=1, least=ONLY_NAMED)
    found = spoken[0] if spoken else find_plain_role(mentions) if is_person else None
    return " ".join(found.sentence.split()) if found is not None else ""


def list_introductions(db: Db, entity_id: int) -> list[MentionRow]:
    """Return the sentences that introduce an entity, whether they define it or not."""
    mentions = graph.fetch_best_mentions(db, entity_id, MAX_READ_MENTIONS)
    return choose_introductions(order_introductions(mentions), _N_SOURCES, lambda one: one.sentence)
