"""Describes a name: what the user or a model wrote, or else the sentences that define it.

Reads only. The description that is stored with the graph is for search and for models: without a
model it is what has the name near its beginning, which need not describe it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..answering.direct_speech import find_speech
from ..errors import UserError
from ..graph.definitions import choose_definitions
from ..graph.evidence import choose_introductions
from ..graph.introductions import order_introductions
from ..model import EntityCard, MentionRow
from ..store import graph
from ..store.db import Db
from .provenance import find_description_source

# The best ones by the weights of the extraction. Of the 60 most mentioned names of five novels and
# a manual, 40 have a definition among all their mentions, and 39 of them among these.
_N_READ = 400
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
    mentions = graph.fetch_best_mentions(db, entity_id, _N_READ)
    is_quoted = find_description_source(db, entity_id) == "quote"
    if is_quoted:
        shown = choose_definitions(
            mentions, is_person=row.type == "person", is_spoken=_build_speech_test(db)
        )
        description = " ".join(" ".join(one.sentence.split()) for one in shown)
    else:
        shown, description = _choose_introductions(mentions), row.description
    names = graph.fetch_aliases(db, entity_id)
    return EntityCard(
        row=row,
        aliases=tuple(n for n, _ in names if n != row.name),
        description=description,
        description_evidence=tuple(shown),
        edited=graph.is_edited(db, entity_id),
        is_quoted=is_quoted,
    )


def list_introductions(db: Db, entity_id: int) -> list[MentionRow]:
    """Return the sentences that introduce an entity, whether they define it or not."""
    return _choose_introductions(graph.fetch_best_mentions(db, entity_id, _N_READ))


def _choose_introductions(mentions: Sequence[MentionRow]) -> list[MentionRow]:
    return choose_introductions(order_introductions(mentions), _N_SOURCES, lambda one: one.sentence)


def _build_speech_test(db: Db) -> Callable[[MentionRow], bool]:
    """Return what finds out whether a mention is in direct speech, by the passage around it."""

    def is_spoken(mention: MentionRow) -> bool:
        text, start = graph.fetch_chunk_text(db, mention.chunk_id)
        place = mention.start - start
        return any(begin <= place < end for begin, end in find_speech(text))

    return is_spoken
