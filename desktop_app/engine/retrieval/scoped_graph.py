"""Entities and relations as the documents that may be looked at tell them, and no others.

With some documents set aside or not asked for, names, descriptions, sentences, types and counts
are made again from the evidence that remains, by the rules that the graph is made by.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..graph.curation import Curation, EntityEdit
from ..graph.evidence import (
    MAX_DESCRIPTION_CHARS,
    Claim,
    Judgement,
    describe,
    hash_fragments,
    list_fragments,
)
from ..graph.evidence_index import count_votes
from ..graph.relation_merging import Closeness, apply_user_relations, merge_claims
from ..graph.resolution.rules import top_type
from ..graph_input import fetch_curation
from ..model import STRUCK, EntityRow, RelationRow
from ..query import QueryParam
from ..store import collections, summaries
from ..store import graph as graph_rows
from ..store import graph_evidence as evidence
from ..store.db import Db
from .index import RetrievalIndex
from .introductions import choose_introductions

N_SENTENCES = 8  # among which an introduction is chosen
Pair = tuple[int, int]


def pairs_among(db: Db, entity_ids: Sequence[int], most: int = 8) -> list[Pair]:
    """Return the pairs tied among these entities, then the strongest of the first one."""
    among = graph_rows.fetch_relations_among(db, entity_ids)
    pairs = [(r.source_id, r.target_id) for r in among]
    if entity_ids:
        strongest = evidence.fetch_strongest_pairs(db, entity_ids[0], most)
        pairs += [(a, b) for a, b, _ in strongest]
    return list(dict.fromkeys(pairs))


class ScopedGraphReader:
    """Reads entities and relations for one search.

    Args:
        documents: those that may be looked at; None where none is left out, so that the graph
            itself may be read.
    """

    def __init__(self, db: Db, documents: frozenset[int] | None) -> None:
        self._db, self._documents = db, documents or frozenset()
        self._whole = documents is None
        self._known: dict[int, EntityRow | None] = {}
        self._named: dict[int, list[tuple[int, str, str, int, int]]] = {}
        self._curation: Curation | None = None

    def entities(self, entity_ids: Sequence[int]) -> list[EntityRow]:
        """Return the entities that the documents name, in the order asked for."""
        if self._whole:
            return graph_rows.fetch_entities(self._db, list(dict.fromkeys(entity_ids)))
        missing = [i for i in dict.fromkeys(entity_ids) if i not in self._known]
        if missing:
            self._tell(missing)
        told = (self._known[i] for i in dict.fromkeys(entity_ids))
        return [row for row in told if row is not None]

    def relations(self, pairs: Sequence[Pair]) -> list[RelationRow]:
        """Return the relations that the documents tell, in the order asked for."""
        pairs = list(dict.fromkeys(pairs))
        ids = evidence.find_relation_ids(self._db, pairs)
        rows = graph_rows.fetch_relation_rows(self._db, [ids[p] for p in pairs if p in ids])
        return rows if self._whole else self._retell(rows)

    # --- entities ---------------------------------------------------------------------------

    def _tell(self, entity_ids: list[int]) -> None:
        named, judged = self._read_names(entity_ids), defaultdict(list)
        partners: dict[int, set[int]] = defaultdict(set)
        for entity_id, *rest in evidence.fetch_judgements_of(self._db, list(named)):
            if rest[4] in self._documents:
                judged[entity_id].append(rest)
        for entity_id, other, document_id in evidence.fetch_partners_of(self._db, list(named)):
            if document_id in self._documents:
                partners[entity_id].add(other)
        self._known |= dict.fromkeys(entity_ids)
        for row in graph_rows.fetch_entities(self._db, list(named)):
            told = self._tell_one(row, named[row.id], judged[row.id])
            self._known[row.id] = replace(told, n_relations=len(partners[row.id]))

    def _read_names(self, entity_ids: Sequence[int]) -> dict[int, list]:
        """Return entity -> (name id, name, type, document id, mentions) of those still named."""
        missing = [i for i in entity_ids if i not in self._named]
        self._named |= {i: [] for i in missing}
        for entity_id, *rest in evidence.fetch_names_of(self._db, missing):
            if rest[3] in self._documents:
                self._named[entity_id].append(tuple(rest))
        return {i: self._named[i] for i in entity_ids if self._named[i]}

    def _tell_one(self, row: EntityRow, named: list, judged: list) -> EntityRow:
        types: Counter[str] = Counter()
        for _, _, kind, _, n in named:
            types[kind] += n
        edit = self._edit_of(row.id)
        votes = count_votes(types, [Judgement(n, t, d, c) for n, t, d, c, *_ in judged])
        said = [r for r in judged if r[1] != STRUCK]
        fragments = list_fragments(((r[4], r[5]), r[2]) for r in said if r[2])
        description = edit.description
        if description is None:
            description = self._describe(fragments) if fragments else self._quote(row.id)
        return replace(
            row,
            name=edit.new_name or _choose_name(row.name, named),
            type=edit.type or top_type(votes),
            n_mentions=types.total(),
            n_documents=len({document_id for _, _, _, document_id, _ in named}),
            description=description,
            n_enriched=len({r[6] for r in said}),
        )

    def _describe(self, fragments: tuple[str, ...]) -> str:
        return describe(fragments, self._summaries([fragments]))

    def _summaries(self, each: Sequence[tuple[str, ...]]) -> dict[str, str]:
        """Return the summaries of exactly these fragments: no other document is in them."""
        return summaries.fetch_texts(self._db, [hash_fragments(f) for f in each if len(f) > 1])

    def _quote(self, entity_id: int) -> str:
        places = evidence.fetch_sentences_of(self._db, entity_id)
        allowed = [place for place in places if place[0] in self._documents][:N_SENTENCES]
        found = [evidence.fetch_text(self._db, *place[1:]) for place in allowed]
        first, *more = [s[:MAX_DESCRIPTION_CHARS] for s in choose_introductions(found, 2)] or [""]
        room = MAX_DESCRIPTION_CHARS - len(first)
        return " … ".join([first, *(s for s in more if len(s) <= room)])

    def _edit_of(self, entity_id: int) -> EntityEdit:
        """Return what the person wrote over an entity: that comes from no document."""
        edit = EntityEdit()
        edits = self._read_curation().edits
        if not edits:
            return edit
        for name, _ in graph_rows.fetch_aliases(self._db, entity_id):
            if (own := edits.get(name)) is not None:
                edit = EntityEdit(
                    own.new_name or edit.new_name,
                    own.type or edit.type,
                    own.description if own.description is not None else edit.description,
                )
        return edit

    def _read_curation(self) -> Curation:
        if self._curation is None:
            self._curation = fetch_curation(self._db)
        return self._curation

    # --- relations --------------------------------------------------------------------------

    def _retell(self, rows: list[RelationRow]) -> list[RelationRow]:
        ends = self._tell_names({i: n for r in rows for i, n in _ends_of(r)})
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
            list_fragments((c.place, c.description) for c in of if c.description)
            for of in claims.values()
        ]
        texts = self._summaries(each)
        told = [
            self._fold(row, claims.get((row.source_id, row.target_id), []), ends, texts)
            for row in rows
        ]
        return self._with_quotes([row for row in told if row is not None])

    def _tell_names(self, shown: dict[int, str]) -> dict[int, str]:
        """Return entity -> the name it goes by, of those that the documents name."""
        return {
            i: self._edit_of(i).new_name or _choose_name(shown[i], named)
            for i, named in self._read_names(list(shown)).items()
        }

    def _fold(
        self,
        row: RelationRow,
        claims: list[Claim],
        ends: dict[int, str],
        texts: dict[str, str],
    ) -> tuple[RelationRow, int | None] | None:
        """Return a relation made of these claims, with the best of them; None if none is left."""
        pair = (row.source_id, row.target_id)
        if not ends.keys() >= set(pair):
            return None
        made = merge_claims(pair, claims, Closeness(0.0, 0.0, 0.0), texts)[0] if claims else None
        made = apply_user_relations(pair, made, self._hands_of(pair))
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

    def _hands_of(self, pair: Pair) -> list:
        hands = self._read_curation().hand_relations
        if not hands:
            return []
        names = [{name for name, _ in graph_rows.fetch_aliases(self._db, i)} for i in pair]
        return [
            h
            for h in hands
            if (h.source in names[0] and h.target in names[1])
            or (h.source in names[1] and h.target in names[0])
        ]

    def _with_quotes(self, told: list[tuple[RelationRow, int | None]]) -> list[RelationRow]:
        quotes = evidence.fetch_quotes(self._db, [best for _, best in told if best is not None])
        rows = []
        for row, best in told:
            if best in quotes:
                sentence, document_id, start, end = quotes[best]
                row = replace(
                    row,
                    sentence=sentence,
                    document_id=document_id,
                    sentence_start=start,
                    sentence_end=end,
                )
            rows.append(row)
        return rows


def _ends_of(row: RelationRow) -> tuple[tuple[int, str], tuple[int, str]]:
    return (row.source_id, row.source), (row.target_id, row.target)


def _choose_name(shown: str, named: Sequence[tuple[int, str, str, int, int]]) -> str:
    """Return the name that is shown if the documents have it, else the one they have most."""
    uses: Counter[str] = Counter()
    for _, name, _, _, n in named:
        uses[name] += n
    return shown if shown in uses else min(uses, key=lambda name: (-uses[name], name))


def resolve_documents(db: Db, param: QueryParam) -> tuple[int, ...] | None:
    """Return the documents to look in; None for all that are not set aside.

    Documents asked for by themselves count even where they are set aside, those of collections
    only where they are not. Of both, what is in both.
    """
    if param.collection_ids is None:
        return param.document_ids
    inside = collections.fetch_documents_of(db, param.collection_ids)
    if param.document_ids is None:
        return tuple(inside)
    return tuple(i for i in param.document_ids if i in set(inside))


def mark_allowed(db: Db, index: RetrievalIndex, document_ids: tuple[int, ...] | None) -> np.ndarray:
    """Return which rows of the index may be found, bool, shape (n_chunks,)."""
    if document_ids is None:
        aside = [r[0] for r in db.rows("SELECT id FROM document WHERE set_aside = 1")]
        return ~np.isin(index.documents, aside)
    return np.isin(index.documents, list(document_ids))
