"""Reads communities: hierarchy, cards with reports, positions in documents, comparisons.

Writes nothing, so any connection can be used. Communities can be older than the graph; see
`is_fresh`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from ..model import (
    CommunityCard,
    CommunityRow,
    CommunitySpread,
    Comparison,
    DocumentId,
    Related,
    Report,
)
from ..store import communities as community_rows
from ..store import documents, graph
from ..store.db import Db

MAX_MEMBERS = 2000
MAX_RELATIONS = 200
MAX_PLACES = 400
MAX_HEADINGS = 8
MAX_RELATED = 12


def _is_translatable(report: Report, language: str) -> bool:
    """Return whether nobody wrote a report, its state is current, and it is in another language."""
    is_untouched = not (report.model or report.is_edited or report.is_pinned or report.is_stale)
    return is_untouched and language not in ("", report.language)


class CommunityReader:
    """Queries about communities for screens and commands.

    Args:
        db: any connection of the calling thread.
    """

    def __init__(self, db: Db) -> None:
        self._db = db

    def is_fresh(self) -> bool:
        """Return whether the communities are of the current graph, or can't be updated."""
        from .updater import are_fresh

        return are_fresh(self._db) or not self._db.is_library_writable

    def levels(self) -> list[tuple[int, int]]:
        """Return (level, number of communities) of each level; 0 is the coarsest."""
        return community_rows.count_levels(self._db)

    def tree(self, level: int | None = None) -> list[CommunityRow]:
        """Return all communities, or those of a level; `parent_id` gives the hierarchy.

        Ordered by level, then by weight; the community of entities without relations is last.
        """
        return community_rows.fetch_communities(self._db, level)

    def view(self, level: int) -> list[CommunityRow]:
        """Return communities that contain each entity once, none finer than `level`.

        Includes communities of coarser levels that were not split further.
        """
        return [
            row
            for row in self.tree()
            if row.level == level or (row.level < level and not row.n_children)
        ]

    def get_report(
        self, community_id: int, *, language_if_mixed: str = "", language: str = ""
    ) -> Report:
        """Return the stored report of a community, else one without a model.

        Args:
            language_if_mixed: language of a new report if the texts are in several languages.
            language: of the reader: a report that nobody wrote has its own words in it.

        Raises:
            UserError: there is no such community.
        """
        return self._get_report(community_id, language_if_mixed, language, None)

    def _get_report(
        self,
        community_id: int,
        language_if_mixed: str,
        language: str,
        sentences: Sequence[community_rows.InnerSentence] | None,
    ) -> Report:
        kept = community_rows.find_report(self._db, community_id)
        if kept is not None and not _is_translatable(kept, language):
            return kept
        from .material import gather_material  # the reports' prompts take long to import
        from .report_writing import build_extractive

        material = gather_material(
            self._db, community_id, language_if_mixed=language_if_mixed, sentences=sentences
        )
        report = build_extractive(material, language)
        if kept is not None:
            return replace(
                kept, summary=report.summary, reason=report.reason, findings=report.findings
            )
        return community_rows.apply_report_edit(self._db, report)

    def get_card(self, community_id: int, *, language: str = "") -> CommunityCard:
        """Return a community with report, members, relations and documents.

        Args:
            language: of the reader, for a report without a model.

        Raises:
            UserError: there is no such community.
        """
        row = self._get_row(community_id)
        members = community_rows.fetch_members(self._db, community_id)[:MAX_MEMBERS]
        inner = community_rows.fetch_inner_relations(self._db, community_id, MAX_RELATIONS)
        sentences = community_rows.fetch_inner_sentences(self._db, community_id)
        return CommunityCard(
            row=row,
            report=self._get_report(community_id, language, language, sentences),
            members=tuple(graph.fetch_entities(self._db, members)),
            relations=tuple(graph.fetch_relation_rows(self._db, [one.id for one in inner])),
            children=tuple(community_rows.fetch_children(self._db, community_id)),
            spread=tuple(self._find_spread(sentences)),
        )

    def list_members(self, community_id: int) -> list[int]:
        """Return the ids of its members, the most central one first."""
        return community_rows.fetch_members(self._db, community_id)[:MAX_MEMBERS]

    def _find_spread(
        self, sentences: Sequence[community_rows.InnerSentence]
    ) -> list[CommunitySpread]:
        """Return the positions in each document of the sentences that relate the members."""
        lengths = documents.fetch_lengths(self._db)
        places: defaultdict[int, list[tuple[float, float]]] = defaultdict(list)
        headings: defaultdict[int, Counter[str]] = defaultdict(Counter)
        for document, start, _, heading, weight in sentences:
            n_chars = max(1, lengths[document][1])
            places[document].append((round(start / n_chars, 5), round(weight, 3)))
            headings[document][heading] += 1
        found = [
            CommunitySpread(
                DocumentId(document),
                lengths[document][0],
                len(own),
                tuple(own[:: 1 + len(own) // MAX_PLACES]),
                tuple((h, n) for h, n in headings[document].most_common(MAX_HEADINGS) if h),
            )
            for document, own in places.items()
        ]
        return sorted(found, key=lambda s: -s.n_sentences)

    def related(self, community_id: int) -> list[Related]:
        """Return the related communities of the same level, the most strongly related first."""
        row = self._get_row(community_id)
        related = community_rows.fetch_related_communities(self._db, community_id, row.level)[
            :MAX_RELATED
        ]
        found = community_rows.fetch_rows(self._db, [i for i, _, _ in related])
        return [
            Related(other, n, weight)
            for other, (_, n, weight) in zip(found, related, strict=True)
            if not other.is_loose
        ]

    def find_place(
        self, community_id: int, document_id: int, share: float
    ) -> tuple[int, int] | None:
        """Return (start, end) of its sentence nearest to a position (0 to 1) in a document."""
        _, n_chars = documents.fetch_lengths(self._db).get(document_id, ("", 0))
        near = round(share * n_chars)
        return community_rows.find_inner_sentence(self._db, community_id, document_id, near)

    def groups(self, level: int) -> dict[int, int]:
        """Return entity id -> id of its community in `view(level)`."""
        return community_rows.fetch_community_of(
            self._db, {int(row.id) for row in self.view(level)}
        )

    def compare(self, first: int, second: int) -> Comparison:
        """Return the members, relations and key words that two communities share or not.

        Raises:
            UserError: there is no such community.
        """
        both_rows = [self._get_row(i) for i in (first, second)]
        own, other = (
            community_rows.fetch_members(self._db, i)[:MAX_MEMBERS] for i in (first, second)
        )
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
            between=tuple(between[:MAX_RELATIONS]),
            shared_words=tuple(w for w in both_rows[0].key_words if w in both_rows[1].key_words),
        )

    def find(self, text: str) -> CommunityRow | None:
        """Return a community by id or by a part of its title, None if there is none."""
        if text.strip().isdigit():
            return next(iter(community_rows.fetch_rows(self._db, [int(text)])), None)
        wanted = text.strip().casefold()
        found = [row for row in self.tree() if wanted and wanted in row.title.casefold()]
        return found[0] if found else None

    def _get_row(self, community_id: int) -> CommunityRow:
        found = community_rows.fetch_rows(self._db, [community_id])
        if not found:
            from .material import build_missing_error

            raise build_missing_error()
        return found[0]
