"""Previews of edits: what a merge or a deletion would change. Reads only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...errors import UserError
from ...graph.duplicates.complete_names import KnownName, choose_complete_name
from ...messages import Message
from ...model import EntityRow, RelationRow
from ...store import curation, documents, graph
from ...store.db import Db
from .service import fetch_curation_keys

MAX_LISTED = 200


@dataclass(frozen=True, slots=True)
class MergePreview:
    """The entity that a merge would produce.

    Attributes:
        members: the entity that is kept comes first.
        names: all names, most frequent first.
        proposed_name: the name to keep: of a person the most complete one, else that of the first.
        types: the types to choose from; the kept entity's comes first.
        descriptions: (name, description) to choose from, in the same order.
        n_mentions, n_relations: counts after the merge.
        doubles: relations that would be combined, as (name at the other end, how many).
        loops: relations between the members, which would be removed.
        apart: pairs that the user decided to keep apart; the merge would revoke this.
    """

    members: tuple[EntityRow, ...]
    names: tuple[str, ...]
    proposed_name: str
    types: tuple[str, ...]
    descriptions: tuple[tuple[str, str], ...]
    n_mentions: int
    n_relations: int
    doubles: tuple[tuple[str, int], ...]
    loops: tuple[RelationRow, ...]
    apart: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class DeletePreview:
    """The data that is deleted with documents, and the data that loses evidence."""

    title: str
    n_chunks: int
    n_mentions: int
    entities_gone: tuple[EntityRow, ...]
    n_entities_gone: int
    n_entities_less: int
    n_relations_gone: int
    n_documents: int = 1


def _propose_name(
    members: Sequence[EntityRow], names: Sequence[str], uses: Mapping[str, int]
) -> str:
    first = members[0]
    if first.type != "person":
        return first.name
    own = [member.name for member in members]
    listed = dict.fromkeys((*own, *names))
    return choose_complete_name([KnownName(name, uses.get(name, 0)) for name in listed])


def preview_merge(db: Db, entity_ids: Sequence[int]) -> MergePreview:
    """Return the result of `EditingService.merge` for these entities, the first one kept.

    Raises:
        UserError: fewer than two of them are in the graph.
    """
    members = graph.fetch_entities(db, dict.fromkeys(entity_ids))
    if len(members) < 2:
        raise UserError("Merging needs at least two names.", "Select another name as well.")
    ids = {member.id for member in members}
    uses: dict[str, int] = {}
    for member in members:
        for name, _, n in graph.fetch_names_of(db, member.id):
            uses[name] = uses.get(name, 0) + n
    loops: dict[int, RelationRow] = {}
    others: dict[int, list[str]] = {}
    for member in members:
        for relation in graph.fetch_relations(db, member.id, 100_000):
            if relation.source_id in ids and relation.target_id in ids:
                loops[relation.id] = relation
            elif relation.source_id in ids:
                others.setdefault(relation.target_id, []).append(relation.target)
            else:
                others.setdefault(relation.source_id, []).append(relation.source)
    doubles = sorted(
        ((names[0], len(names)) for names in others.values() if len(names) > 1),
        key=lambda double: (-double[1], double[0]),
    )
    owner = {key: m.name for m in members for key in fetch_curation_keys(db, m.id)}
    pairs = curation.fetch_never_merged(db)
    apart = [(owner[a], owner[b]) for a, b in pairs if a in owner and b in owner]
    names = tuple(sorted(uses, key=lambda name: (-uses[name], name)))
    return MergePreview(
        members=tuple(members),
        names=names,
        proposed_name=_propose_name(members, names, uses),
        types=tuple(dict.fromkeys(member.type for member in members)),
        descriptions=tuple((m.name, m.description) for m in members if m.description),
        n_mentions=sum(member.n_mentions for member in members),
        n_relations=len(others),
        doubles=tuple(doubles),
        loops=tuple(sorted(loops.values(), key=lambda r: (-r.weight, r.id))),
        apart=tuple(sorted({(a, b) for a, b in apart if a != b})),
    )


def preview_delete(db: Db, document_ids: int | Sequence[int]) -> DeletePreview:
    """Return what deleting one document or several would delete."""
    ids = [document_ids] if isinstance(document_ids, int) else list(dict.fromkeys(document_ids))
    titles = documents.fetch_titles(db, ids)
    if not ids or len(titles) < len(ids):
        raise UserError("This document is no longer in the library.", "Look at the list again.")
    n_chunks, n_mentions = documents.count_evidence(db, ids)
    affected = graph.fetch_entities_in(db, ids)
    remaining = graph.fetch_entities_without(db, ids)
    gone = [i for i in affected if i not in remaining]
    n_relations = graph.count_relations_only_in(db, ids)
    listed = sorted(graph.fetch_entities(db, gone), key=lambda e: (-e.n_mentions, e.name))
    return DeletePreview(
        title=titles[0][1] if len(ids) == 1 else Message("{n} documents", n=len(ids)),
        n_chunks=n_chunks,
        n_mentions=n_mentions,
        entities_gone=tuple(listed[:MAX_LISTED]),
        n_entities_gone=len(gone),
        n_entities_less=len(affected) - len(gone),
        n_relations_gone=n_relations,
        n_documents=len(ids),
    )
