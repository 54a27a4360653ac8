"""Entities and relations as described by the documents in the scope of a search.

If some documents are set aside or not selected, names, descriptions, sentences, types and counts
are derived again from the remaining evidence, by the rules of `graph/builder.py`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from ..graph.builder import (
    DerivedRelation,
    apply_user_relations,
    merge_claims,
    merge_edits,
    orient_user_relation,
)
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
from ..store import graph as graph_rows
from ..store import search
from ..store.curation import fetch_curation
from ..store.db import Db
from ..store.evidence import fetch_summaries

N_SENTENCES = 8  # from which an introduction is chosen
Pair = tuple[int, int]
NameRow = tuple[int, str, str, int, int]  # name id, name, type, document id, mentions
JudgementRow = tuple[int, int, str, str, float, int, int, int]
"""Entity id, name id, type, description, confidence, document id, start, chunk id."""


class ScopedGraphReader:
    """Reads entities and relations for one search in some documents."""

    def __init__(self, db: Db, document_ids: frozenset[int]) -> None:
        self._db, self._documents = db, document_ids
        self._entities: dict[int, EntityRow | None] = {}
        self._named: dict[int, list[NameRow]] = {}

    def entities(self, entity_ids: Sequence[int]) -> list[EntityRow]:
        """Return the entities that the documents mention, in the given order."""
        missing = [i for i in entity_ids if i not in self._entities]
        named = self._read_names(missing)
        judged: dict[int, list[JudgementRow]] = defaultdict(list)
        partners: dict[int, set[int]] = defaultdict(set)
        for judgement in graph_rows.fetch_judgements_of(self._db, list(named)):
            entity_id, _, _, _, _, document_id, _, _ = judgement
            if document_id in self._documents:
                judged[entity_id].append(judgement)
        for entity_id, other, document_id in graph_rows.fetch_partners_of(self._db, list(named)):
            if document_id in self._documents:
                partners[entity_id].add(other)
        self._entities |= dict.fromkeys(missing)
        for entity in graph_rows.fetch_entities(self._db, list(named)):
            described = self._describe_entity(entity, named[entity.id], judged[entity.id])
            self._entities[entity.id] = replace(described, n_relations=len(partners[entity.id]))
        return [row for i in entity_ids if (row := self._entities[i]) is not None]

    def _read_names(self, entity_ids: Sequence[int]) -> dict[int, list[NameRow]]:
        """Return entity -> its names in the documents; entities without one are left out."""
        missing = [i for i in entity_ids if i not in self._named]
        self._named |= {i: [] for i in missing}
        for entity_id, name_id, name, type_, document_id, n in graph_rows.fetch_name_counts(
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
            description = self._quote(row.id)
            if fragments:
                description = choose_description(fragments, self._fetch_summaries([fragments]).get)
        return replace(
            row,
            name=edit.new_name or _choose_name(row.name, named),
            type=edit.type or top_type(votes),
            n_mentions=types.total(),
            n_documents=len({document_id for _, _, _, document_id, _ in named}),
            description=description,
            n_enriched=len({r[7] for r in accepted}),
        )

    def _fetch_summaries(self, each: Sequence[tuple[str, ...]]) -> dict[str, str]:
        """Return the stored summaries of exactly these fragments, by their hash."""
        return fetch_summaries(self._db, [hash_fragments(f) for f in each if len(f) > 1])

    def _quote(self, entity_id: int) -> str:
        places = graph_rows.fetch_sentences_of(self._db, entity_id)
        allowed = [place for place in places if place[0] in self._documents][:N_SENTENCES]
        found = [search.fetch_text(self._db, *place[1:]) for place in allowed]
        first, *more = [s[:MAX_DESCRIPTION_CHARS] for s in choose_introductions(found, 2)] or [""]
        room = MAX_DESCRIPTION_CHARS - len(first)
        return " … ".join([first, *(s for s in more if len(s) <= room)])

    def _edit_of(self, entity_id: int) -> EntityEdit:
        """Return the user's edit of an entity, which holds whatever the scope."""
        edits = self._curation.edits
        if not edits:
            return EntityEdit()
        aliases = graph_rows.fetch_aliases(self._db, entity_id)
        return merge_edits(sorted(name for name, _ in aliases), edits)

    @cached_property
    def _curation(self) -> Curation:
        return fetch_curation(self._db)

    # --- relations ----------------------------------------------------------------------------

    def describe_relations(self, rows: list[RelationRow]) -> list[RelationRow]:
        """Return the relations with evidence in the documents, in the given order."""
        shown: dict[int, str] = {}
        for row in rows:
            shown |= {row.source_id: row.source, row.target_id: row.target}
        ends = {
            i: self._edit_of(i).new_name or _choose_name(shown[i], named)
            for i, named in self._read_names(list(shown)).items()
        }
        wanted = {(r.source_id, r.target_id) for r in rows}
        claims: dict[Pair, list[Claim]] = defaultdict(list)
        for claim in graph_rows.fetch_claims_among(self._db, list(ends)):
            row_id, a, b, weight, words, text, kind, confidence = claim[:8]
            document_id, start, chunk, direction = claim[8:]
            if (a, b) in wanted and document_id in self._documents:
                keywords = tuple(k for k in words.split("\n") if k)
                place = (document_id, start)
                claims[a, b].append(
                    Claim(
                        row_id, a, b, weight, keywords, text, kind, confidence, place, chunk,
                        direction,
                    )
                )  # fmt: skip
        fragments = [
            list_fragments((c.place, c.description) for c in own if c.description)
            for own in claims.values()
        ]
        texts = self._fetch_summaries(fragments)
        derived: list[tuple[RelationRow, DerivedRelation]] = []
        for row in rows:
            pair = (row.source_id, row.target_id)
            own = claims.get(pair, [])
            made = merge_claims(pair, own, texts.get) if own else None
            made = apply_user_relations(pair, made, self._find_user_relations(pair))
            if made is not None and ends.keys() >= set(pair):
                derived.append((row, made))
        best_claims = [r.best_claim for _, r in derived if r.best_claim is not None]
        quotes = graph_rows.fetch_quotes(self._db, best_claims)
        described = []
        for row, made in derived:
            quote = quotes.get(made.best_claim or 0)
            sentence, quoted_id, start, end = quote or ("", None, 0, 0)
            described.append(
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
                    direction=made.direction,
                    sentence=sentence,
                    document_id=None if quoted_id is None else DocumentId(quoted_id),
                    sentence_start=start,
                    sentence_end=end,
                )
            )
        return described

    def _find_user_relations(self, pair: Pair) -> list[UserRelation]:
        user_relations = self._curation.user_relations
        if not user_relations:
            return []
        names = [{name for name, _ in graph_rows.fetch_aliases(self._db, i)} for i in pair]
        return [
            orient_user_relation(r, is_reversed=r.source in names[1])
            for r in user_relations
            if (r.source in names[0] and r.target in names[1])
            or (r.source in names[1] and r.target in names[0])
        ]


def _choose_name(shown: str, named: Sequence[NameRow]) -> str:
    """Return the shown name if the documents contain it, else the most frequent one."""
    uses: Counter[str] = Counter()
    for _, name, _, _, n in named:
        uses[name] += n
    return shown if shown in uses else min(uses, key=lambda name: (-uses[name], name))
