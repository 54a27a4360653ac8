"""Entities and relations as described by the documents in the scope of a search.

If some documents are set aside or not selected, names, descriptions, sentences, types and counts
are derived again from the remaining evidence, by the rules of `graph/builder.py`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..graph.builder import apply_user_relations, merge_claims, merge_edits
from ..graph.evidence import (
    MAX_DESCRIPTION_CHARS,
    choose_description,
    choose_introductions,
    count_votes,
    hash_fragments,
    list_fragments,
)
from ..graph.resolution import top_type
from ..model import (
    REJECTED,
    Claim,
    Curation,
    DocumentId,
    EntityEdit,
    EntityRow,
    Judgement,
    RelationRow,
    UserRelation,
)
from ..query import QueryParam
from ..store import collections
from ..store import graph as graph_rows
from ..store import graph_evidence as evidence
from ..store.curation import fetch_curation
from ..store.db import Db
from ..store.evidence import fetch_summaries
from .index import RetrievalIndex

N_SENTENCES = 8  # from which an introduction is chosen
Pair = tuple[int, int]
NameRow = tuple[int, str, str, int, int]  # name id, name, type, document id, mentions
JudgementRow = tuple[int, int, str, str, float, int, int, int]
"""Entity id, name id, type, description, confidence, document id, start, chunk id."""


def pairs_among(db: Db, entity_ids: Sequence[int], most: int = 8) -> list[Pair]:
    """Return the related pairs among these entities, then the strongest pairs of the first one."""
    among = graph_rows.fetch_relations_among(db, entity_ids)
    pairs: list[Pair] = [(r.source_id, r.target_id) for r in among]
    if entity_ids:
        strongest = evidence.fetch_strongest_pairs(db, entity_ids[0], most)
        pairs += [(a, b) for a, b, _ in strongest]
    return list(dict.fromkeys(pairs))


class ScopedGraphReader:
    """Reads entities and relations for one search.

    Args:
        documents: ids of the documents in scope; None for all, so that the stored graph is read.
    """

    def __init__(self, db: Db, documents: frozenset[int] | None) -> None:
        self._db, self._documents = db, documents or frozenset()
        self._reads_whole_graph = documents is None
        self._entities: dict[int, EntityRow | None] = {}
        self._named: dict[int, list[NameRow]] = {}
        self._curation: Curation | None = None

    def entities(self, entity_ids: Sequence[int]) -> list[EntityRow]:
        """Return the entities that the documents mention, in the given order."""
        if self._reads_whole_graph:
            return graph_rows.fetch_entities(self._db, list(dict.fromkeys(entity_ids)))
        missing = [i for i in dict.fromkeys(entity_ids) if i not in self._entities]
        if missing:
            self._load_entities(missing)
        described = (self._entities[i] for i in dict.fromkeys(entity_ids))
        return [row for row in described if row is not None]

    def relations(self, pairs: Sequence[Pair]) -> list[RelationRow]:
        """Return the relations with evidence in the documents, in the given order."""
        pairs = list(dict.fromkeys(pairs))
        ids = evidence.find_relation_ids(self._db, pairs)
        rows = graph_rows.fetch_relation_rows(self._db, [ids[p] for p in pairs if p in ids])
        return rows if self._reads_whole_graph else self._describe_relations(rows)

    # --- entities -----------------------------------------------------------------------------

    def _load_entities(self, entity_ids: list[int]) -> None:
        named = self._read_names(entity_ids)
        judged: dict[int, list[JudgementRow]] = defaultdict(list)
        partners: dict[int, set[int]] = defaultdict(set)
        for row in evidence.fetch_judgements_of(self._db, list(named)):
            entity_id, _, _, _, _, document_id, _, _ = row
            if document_id in self._documents:
                judged[entity_id].append(row)
        for entity_id, other, document_id in evidence.fetch_partners_of(self._db, list(named)):
            if document_id in self._documents:
                partners[entity_id].add(other)
        self._entities |= dict.fromkeys(entity_ids)
        for entity in graph_rows.fetch_entities(self._db, list(named)):
            described = self._describe_entity(entity, named[entity.id], judged[entity.id])
            self._entities[entity.id] = replace(described, n_relations=len(partners[entity.id]))

    def _read_names(self, entity_ids: Sequence[int]) -> dict[int, list[NameRow]]:
        """Return entity -> its names in the documents; entities without one are left out."""
        missing = [i for i in entity_ids if i not in self._named]
        self._named |= {i: [] for i in missing}
        for entity_id, name_id, name, type_, document_id, n in evidence.fetch_names_of(
            self._db, missing
        ):
            if document_id in self._documents:
                self._named[entity_id].append((name_id, name, type_, document_id, n))
        return {i: self._named[i] for i in entity_ids if self._named[i]}

    def _describe_entity(
        self, row: EntityRow, named: Sequence[NameRow], judged: Sequence[JudgementRow]
    ) -> EntityRow:
        types: Counter[str] = Counter()
        for _, _, kind, _, n in named:
            types[kind] += n
        edit = self._edit_of(row.id)
        votes = count_votes(types, [Judgement(*row[1:5]) for row in judged])
        accepted = [r for r in judged if r[2] != REJECTED]
        fragments = list_fragments(((r[5], r[6]), r[3]) for r in accepted if r[3])
        description = edit.description
        if description is None:
            description = self._summarise(fragments) if fragments else self._quote(row.id)
        return replace(
            row,
            name=edit.new_name or _choose_name(row.name, named),
            type=edit.type or top_type(votes),
            n_mentions=types.total(),
            n_documents=len({document_id for _, _, _, document_id, _ in named}),
            description=description,
            n_enriched=len({r[7] for r in accepted}),
        )

    def _summarise(self, fragments: tuple[str, ...]) -> str:
        return choose_description(fragments, self._summaries([fragments]))

    def _summaries(self, each: Sequence[tuple[str, ...]]) -> dict[str, str]:
        """Return the stored summaries of exactly these fragments, by their hash."""
        return fetch_summaries(self._db, [hash_fragments(f) for f in each if len(f) > 1])

    def _quote(self, entity_id: int) -> str:
        places = evidence.fetch_sentences_of(self._db, entity_id)
        allowed = [place for place in places if place[0] in self._documents][:N_SENTENCES]
        found = [evidence.fetch_text(self._db, *place[1:]) for place in allowed]
        first, *more = [s[:MAX_DESCRIPTION_CHARS] for s in choose_introductions(found, 2)] or [""]
        room = MAX_DESCRIPTION_CHARS - len(first)
        return " … ".join([first, *(s for s in more if len(s) <= room)])

    def _edit_of(self, entity_id: int) -> EntityEdit:
        """Return the user's edit of an entity, which holds whatever the scope."""
        edits = self._read_curation().edits
        if not edits:
            return EntityEdit()
        aliases = graph_rows.fetch_aliases(self._db, entity_id)
        return merge_edits((name for name, _ in aliases), edits)

    def _read_curation(self) -> Curation:
        if self._curation is None:
            self._curation = fetch_curation(self._db)
        return self._curation

    # --- relations ----------------------------------------------------------------------------

    def _describe_relations(self, rows: list[RelationRow]) -> list[RelationRow]:
        ends = self._choose_names({i: n for r in rows for i, n in _name_ends(r)})
        wanted = {(r.source_id, r.target_id) for r in rows}
        claims: dict[Pair, list[Claim]] = defaultdict(list)
        found = evidence.fetch_claims_among(self._db, list(ends))
        for (
            i,
            a,
            b,
            weight,
            words,
            description,
            kind,
            confidence,
            document_id,
            start,
            chunk,
        ) in found:
            if (a, b) in wanted and document_id in self._documents:
                keywords = tuple(k for k in words.split("\n") if k)
                place = (document_id, start)
                claims[a, b].append(
                    Claim(i, a, b, weight, keywords, description, kind, confidence, place, chunk)
                )
        each = [
            list_fragments((c.place, c.description) for c in each_claims if c.description)
            for each_claims in claims.values()
        ]
        texts = self._summaries(each)
        described = [
            self._describe_relation(
                row, claims.get((row.source_id, row.target_id), []), ends, texts
            )
            for row in rows
        ]
        return self._with_quotes([row for row in described if row is not None])

    def _choose_names(self, shown: dict[int, str]) -> dict[int, str]:
        """Return entity -> its shown name, for those that the documents mention."""
        return {
            i: self._edit_of(i).new_name or _choose_name(shown[i], named)
            for i, named in self._read_names(list(shown)).items()
        }

    def _describe_relation(
        self,
        row: RelationRow,
        claims: list[Claim],
        ends: dict[int, str],
        texts: dict[str, str],
    ) -> tuple[RelationRow, int | None] | None:
        """Return a relation derived from these claims and its best claim; None without evidence."""
        pair = (row.source_id, row.target_id)
        if not ends.keys() >= set(pair):
            return None
        made = merge_claims(pair, claims, texts)[0] if claims else None
        made = apply_user_relations(pair, made, self._find_user_relations(pair))
        if made is None:
            return None
        best = made.best_claim
        return (
            replace(
                row,
                source=ends[row.source_id],
                target=ends[row.target_id],
                weight=min(row.weight, made.weight),
                n_evidence=made.n_evidence,
                description=made.description,
                keywords=made.keywords,
                kind=made.kind,
                n_enriched=made.n_enriched,
                confidence=made.confidence,
                sentence="",
                document_id=None,
                sentence_start=0,
                sentence_end=0,
            ),
            best,
        )

    def _find_user_relations(self, pair: Pair) -> list[UserRelation]:
        user_relations = self._read_curation().hand_relations
        if not user_relations:
            return []
        names = [{name for name, _ in graph_rows.fetch_aliases(self._db, i)} for i in pair]
        return [
            r
            for r in user_relations
            if (r.source in names[0] and r.target in names[1])
            or (r.source in names[1] and r.target in names[0])
        ]

    def _with_quotes(self, described: list[tuple[RelationRow, int | None]]) -> list[RelationRow]:
        quotes = evidence.fetch_quotes(
            self._db, [best for _, best in described if best is not None]
        )
        rows = []
        for row, best in described:
            if best in quotes:
                sentence, document_id, start, end = quotes[best]
                row = replace(
                    row,
                    sentence=sentence,
                    document_id=DocumentId(document_id),
                    sentence_start=start,
                    sentence_end=end,
                )
            rows.append(row)
        return rows


def _name_ends(row: RelationRow) -> tuple[tuple[int, str], tuple[int, str]]:
    return (row.source_id, row.source), (row.target_id, row.target)


def _choose_name(shown: str, named: Sequence[NameRow]) -> str:
    """Return the shown name if the documents contain it, else the most frequent one."""
    uses: Counter[str] = Counter()
    for _, name, _, _, n in named:
        uses[name] += n
    return shown if shown in uses else min(uses, key=lambda name: (-uses[name], name))


def resolve_documents(db: Db, param: QueryParam) -> tuple[int, ...] | None:
    """Return the documents to search; None for all that are not set aside.

    Documents selected by id are searched even if they are set aside, those of collections are not.
    If both are given, the result is the intersection.
    """
    if param.collection_ids is None:
        return param.document_ids
    inside = collections.fetch_documents_of(db, param.collection_ids)
    if param.document_ids is None:
        return tuple(inside)
    return tuple(i for i in param.document_ids if i in set(inside))


def mark_allowed(db: Db, index: RetrievalIndex, document_ids: tuple[int, ...] | None) -> np.ndarray:
    """Return which rows of the index are in scope, bool, shape (n_chunks,)."""
    if document_ids is None:
        set_aside = db.column("SELECT id FROM document WHERE set_aside = 1")
        return ~np.isin(index.documents, set_aside)
    return np.isin(index.documents, list(document_ids))
