"""Makes one entity out of its names and what models say of them. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..types import STRUCK, NameCount
from .curation import EntityEdit
from .fragments import describe, hash_fragments, list_fragments
from .names import split_sense
from .resolve import top_type
from .tally import Tally
from .voting import count_votes


@dataclass(frozen=True, slots=True)
class DerivedEntity:
    """An entity to be kept; `description` is None where the evidence's best sentence stands.

    `n_enriched` counts the chunks in which a model says something of it.
    """

    id: int
    name: str
    type: str
    name_ids: tuple[int, ...]
    n_mentions: int
    n_documents: int
    n_relations: int
    description: str | None
    edited: bool
    n_enriched: int = 0


def build_entity(
    members: Sequence[NameCount],
    shown: NameCount,
    tally: Tally,
    n_relations: int,
    edits: Mapping[str, EntityEdit],
    summaries: Mapping[str, str],
) -> tuple[DerivedEntity, str]:
    """Return an entity and the key that a summary of it would have, "" if none.

    Its type is what most mentions and judgements give; its description is the person's, else a
    summary of what models said, else the best of that.

    Args:
        members: its names, smallest id first; `shown` is one of them.
    """
    edit = _unite_edits(members, edits)
    votes: Counter[str] = Counter()
    said, chunks = [], set()
    for member in members:
        judged = tally.judgements(member.name_id)
        votes += count_votes(tally.types(member.name_id), [one for _, one in judged])
        for extraction, one in judged:
            if one.type != STRUCK:
                chunks.add(extraction.chunk_id)
                if one.description:
                    said.append((extraction.place, one.description))
    fragments = list_fragments(said)
    description = edit.description
    if description is None and fragments:
        description = describe(fragments, summaries)
    entity = DerivedEntity(
        id=members[0].name_id,
        name=edit.new_name or split_sense(shown.name)[0],
        type=edit.type or top_type(votes),
        name_ids=tuple(m.name_id for m in members),
        n_mentions=sum(m.n_mentions for m in members),
        n_documents=len(frozenset().union(*(m.documents for m in members))),
        n_relations=n_relations,
        description=description,
        edited=edit != EntityEdit(),
        n_enriched=len(chunks),
    )
    return entity, hash_fragments(fragments) if len(fragments) > 1 else ""


def _unite_edits(members: Sequence[NameCount], edits: Mapping[str, EntityEdit]) -> EntityEdit:
    edit = EntityEdit()
    for member in members:
        if (own := edits.get(member.name)) is not None:
            edit = EntityEdit(
                own.new_name or edit.new_name,
                own.type or edit.type,
                own.description if own.description is not None else edit.description,
            )
    return edit
