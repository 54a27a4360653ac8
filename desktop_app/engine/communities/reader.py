"""Reading communities: the tree, a card with report and evidence, where each lives, two compared.

Only reads, so any reader's connection will do; `are_fresh` says whether the graph went on since.
"""

from __future__ import annotations

from collections import Counter

from ..errors import UserError
from ..model import CommunityCard, CommunityRow, CommunitySpread, Comparison, Related, Report
from ..store import communities, graph, reports
from ..store import communities as rows
from ..store.db import Db
from .material import gather_material
from .report_writing import build_extractive, fetch_scale
from .updater import are_fresh

MOST_MEMBERS = 2000
MOST_RELATIONS = 200
MOST_PLACES = 400
MOST_HEADINGS = 8
MOST_RELATED = 12


class CommunityReader:
    """Answers what a screen or a command asks about communities.

    Args:
        db: any connection of the calling thread's own.
    """

    def __init__(self, db: Db) -> None:
        self._db = db

    def is_fresh(self) -> bool:
        """Say whether communities were made of the graph as it is now."""
        return are_fresh(self._db)

    def levels(self) -> list[tuple[int, int]]:
        """Return (level, communities) of each level, 0 the coarsest."""
        return rows.count_levels(self._db)

    def tree(self, level: int | None = None) -> list[CommunityRow]:
        """Return every community, or those of a level; `parent_id` makes them a tree.

        Ordered by level, the weightiest first, the one of loose entities last.
        """
        return rows.fetch_communities(self._db, level)

    def view(self, level: int) -> list[CommunityRow]:
        """Return communities that together hold every entity once, none finer than `level`.

        What was small enough not to be divided further stands in for itself.
        """
        return [
            row
            for row in self.tree()
            if row.level == level or (row.level < level and not row.n_children)
        ]

    def get_report(self, community_id: int) -> Report:
        """Return what is said of a community, made without a model where nothing is kept.

        Raises:
            UserError: there is no such community.
        """
        kept = reports.find_report(self._db, community_id)
        if kept is not None:
            return kept
        material = gather_material(self._db, community_id)
        made = build_extractive(material, fetch_scale(self._db, material.row.level))
        return reports.apply_edit(self._db, made)

    def get_card(self, community_id: int) -> CommunityCard:
        """Return all that is shown of a community; raises as `get_report` does."""
        row = self._get_row(community_id)
        members = rows.fetch_members(self._db, community_id)[:MOST_MEMBERS]
        ties = rows.fetch_inner_ties(self._db, community_id)[:MOST_RELATIONS]
        return CommunityCard(
            row=row,
            report=self.get_report(community_id),
            members=tuple(graph.fetch_entities(self._db, members)),
            relations=tuple(graph.fetch_relation_rows(self._db, [t[0] for t in ties])),
            children=tuple(rows.fetch_children(self._db, community_id)),
            spread=tuple(self.spread(community_id)),
        )

    def list_members(self, community_id: int) -> list[int]:
        """Return the ids of its names, the one in the middle first."""
        return rows.fetch_members(self._db, community_id)[:MOST_MEMBERS]

    def spread(self, community_id: int) -> list[CommunitySpread]:
        """Return where in each document the sentences stand that tie its members."""
        lengths = {
            i: (t, n) for i, t, n in self._db.rows("SELECT id, title, n_chars FROM document")
        }
        places: dict[int, list[tuple[float, float]]] = {}
        headings: dict[int, Counter[str]] = {}
        for document, start, _, heading, weight in rows.fetch_inner_sentences(
            self._db, community_id
        ):
            n_chars = max(1, lengths[document][1])
            places.setdefault(document, []).append((round(start / n_chars, 5), round(weight, 3)))
            headings.setdefault(document, Counter())[heading] += 1
        found = [
            CommunitySpread(
                document,
                lengths[document][0],
                len(own),
                tuple(own[:: 1 + len(own) // MOST_PLACES]),
                tuple((h, n) for h, n in headings[document].most_common(MOST_HEADINGS) if h),
            )
            for document, own in places.items()
        ]
        return sorted(found, key=lambda s: -s.n_sentences)

    def related(self, community_id: int) -> list[Related]:
        """Return the communities of its level that it is tied to, the strongest ties first."""
        row = self._get_row(community_id)
        ties = communities.fetch_outer_ties(self._db, community_id, row.level)[:MOST_RELATED]
        found = rows.fetch_rows(self._db, [i for i, _, _ in ties])
        return [
            Related(other, n, weight)
            for other, (_, n, weight) in zip(found, ties, strict=True)
            if not other.is_loose
        ]

    def find_place(
        self, community_id: int, document_id: int, share: float
    ) -> tuple[int, int] | None:
        """Return (start, end) of its sentence nearest to a place (0 to 1) of a document."""
        n_chars = self._db.value("SELECT n_chars FROM document WHERE id = ?", (document_id,)) or 0
        near = round(share * n_chars)
        return communities.find_inner_sentence(self._db, community_id, document_id, near)

    def communities_of(self, entity_id: int) -> list[CommunityRow]:
        """Return the communities an entity is in, the coarsest first."""
        found = rows.fetch_communities_of(self._db, [entity_id])
        return rows.fetch_rows(self._db, [community for _, community, _ in found])

    def groups(self, level: int) -> dict[int, int]:
        """Return entity -> community in `view(level)`, to colour a picture by."""
        wanted = {int(row.id) for row in self.view(level)}
        return {
            entity: community
            for entity, community in self._db.rows(
                "SELECT entity_id, community_id FROM community_member"
            )
            if community in wanted
        }

    def compare(self, first: int, second: int) -> Comparison:
        """Return two communities side by side; raises as `get_report` does."""
        rows_ = [self._get_row(i) for i in (first, second)]
        own, other = (rows.fetch_members(self._db, i)[:MOST_MEMBERS] for i in (first, second))
        both = set(own) & set(other)
        only = [[i for i in ids if i not in both] for ids in (own, other)]
        sides = [set(ids) for ids in only]
        between = [
            r
            for r in graph.fetch_relations_among(self._db, only[0] + only[1])
            if (r.source_id in sides[0]) != (r.target_id in sides[0])
        ]
        between.sort(key=lambda r: (-r.weight, r.id))
        fetch = graph.fetch_entities
        return Comparison(
            shared=tuple(fetch(self._db, [i for i in own if i in both])),
            only_first=tuple(fetch(self._db, only[0])),
            only_second=tuple(fetch(self._db, only[1])),
            between=tuple(between[:MOST_RELATIONS]),
            shared_words=tuple(w for w in rows_[0].key_words if w in rows_[1].key_words),
        )

    def find(self, text: str) -> CommunityRow | None:
        """Return a community by its id, or by a word of its title, None if there is none."""
        if text.strip().isdigit():
            return next(iter(rows.fetch_rows(self._db, [int(text)])), None)
        wanted = text.strip().casefold()
        found = [row for row in self.tree() if wanted and wanted in row.title.casefold()]
        return found[0] if found else None

    def _get_row(self, community_id: int) -> CommunityRow:
        found = rows.fetch_rows(self._db, [community_id])
        if not found:
            raise UserError("There is no such community any more.", "See: inkgraph communities")
        return found[0]
