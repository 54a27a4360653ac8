"""Ranks reports for a question and selects the sentences that an answer can cite.

A missing report is made here by extraction and stored (as in LazyGraphRAG), by a connection that
writes. Where a question is limited to some documents, reports are made from those only and not
stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..communities.material import gather_material, quote
from ..communities.reader import CommunityReader
from ..communities.report_service import ReportService
from ..communities.report_writing import build_extractive
from ..communities.updater import refresh_communities
from ..model import CommunityRow, Evidence, Passage, RankedReport, Report, RetrievalResult
from ..query import QueryParam
from ..retrieval.community_ranking import CommunityRanking, list_content_words
from ..retrieval.retriever import Retriever, resolve_documents
from ..store import communities, graph, search
from ..store import documents as document_rows
from ..store.db import Db
from ..writing_systems import features

MAX_SENTENCES = 6  # of one report
MAX_FOUND = 2  # of these, windows of retrieved passages
LONGEST = 420  # characters of one source


@dataclass
class ReportExcerpt:
    """A report with the sentences that an answer can cite.

    Attributes:
        sources: the sentences, best first.
        judged: the best rating by the model of any source, None if not judged.
        useful: log odds by the model that a source helps, by the index of the source.
        near: similarity of a source to the question by vectors, by the index of the source.
        points: what a large model wrote about the report.
    """

    row: CommunityRow
    relevance: float
    report: Report
    sources: list[Passage]
    judged: float | None = None
    useful: dict[int, float] = field(default_factory=dict)
    near: dict[int, float] = field(default_factory=dict)
    points: tuple[str, ...] = ()

    def ranked(self) -> RankedReport:
        return RankedReport(
            self.row.id,
            self.report.title,
            self.row.level,
            self.relevance,
            self.judged,
            self.points,
            tuple(self.sources),
            self.report.summary,
        )

    def build_text(self) -> str:
        """Return the text for a prompt: title, summary, numbered sentences."""
        language = self.report.language
        lines = [self.report.title, quote(self.report.summary, language)]
        lines += [f"[{n}] {quote(p.text, language)}" for n, p in enumerate(self.sources, start=1)]
        return "\n".join(lines)


def rate_sources(excerpts: Sequence[ReportExcerpt], question: str, retriever: Retriever) -> None:
    """Set the similarity of every source to the question."""
    places = [(one, n) for one in excerpts for n in range(len(one.sources))]
    rated = retriever.rate_texts(question, [one.sources[n].text for one, n in places])
    for (one, n), value in zip(places, rated, strict=True):
        one.near[n] = value


def excerpt_reports(
    db: Db, ranking: CommunityRanking, question: str, n: int
) -> list[ReportExcerpt]:
    """Return the best reports for a question, each with its sources, best first.

    Args:
        db: new reports are stored if it writes.
    """
    chosen = ranking.ranked[:n]
    ids = [int(row.id) for row, _ in chosen]
    documents = None if ranking.document_ids is None else frozenset(ranking.document_ids)
    if documents is None and (set_aside := search.fetch_set_aside(db)):
        documents = frozenset(i for i, _ in document_rows.fetch_titles(db)) - set(set_aside)
    if documents is None:
        reports = ReportService(db, lambda: None).store_extractive(ids)
    else:
        reports = [build_extractive(gather_material(db, i, documents)) for i in ids]
    near = _windows_of(db, ranking, ids) if list_content_words(question) else {}
    excerpts: list[ReportExcerpt] = []
    for (row, relevance), report in zip(chosen, reports, strict=True):
        sources = near.get(int(row.id), [])[:MAX_FOUND]
        sources += _sources(db, report, question, MAX_SENTENCES - len(sources), sources)
        if sources:
            excerpts.append(ReportExcerpt(row, relevance, report, sources))
    return excerpts


def excerpt_reports_of(
    db: Db, found: RetrievalResult, param: QueryParam, n: int
) -> list[ReportExcerpt]:
    """Return the reports of the communities with most of the retrieved entities, best first."""
    refresh_communities(db)
    counts: Counter[int] = Counter()
    wanted = {int(row.id): row for row in CommunityReader(db).view(param.level)}
    ids = [int(e.id) for e in found.entities]
    for _, community, _ in communities.fetch_communities_of(db, ids):
        if community in wanted and not wanted[community].is_loose:
            counts[community] += 1
    ranked = [
        (wanted[i], round(n_found / len(ids), 4))
        for i, n_found in sorted(counts.items(), key=lambda c: (-c[1], -wanted[c[0]].weight))
    ]
    ranking = CommunityRanking(found, tuple(ranked), resolve_documents(db, param))
    return excerpt_reports(db, ranking, found.question, n)


def _windows_of(db: Db, ranking: CommunityRanking, ids: Sequence[int]) -> dict[int, list[Passage]]:
    """Return community -> best windows of those passages that name its members most often."""
    passages = {p.chunk_id: p for p in ranking.found.passages}
    of_entity = communities.fetch_community_of(db, ids)
    counts: dict[int, Counter[int]] = {}
    for chunk_id, entity_id, *_ in graph.fetch_named_in(db, list(passages)):
        if (community := of_entity.get(entity_id)) is not None:
            counts.setdefault(chunk_id, Counter())[community] += 1
    found: dict[int, list[Passage]] = {}
    for chunk_id, passage in passages.items():
        of_chunk = counts.get(chunk_id)
        if not of_chunk:
            continue
        community = min(of_chunk.items(), key=lambda item: (-item[1], item[0]))[0]
        window = search.find_passage(db, passage.document_id, passage.best_start, passage.best_end)
        if window is not None and len(window.text) <= LONGEST:
            found.setdefault(community, []).append(window)
    return found


def _sources(
    db: Db, report: Report, question: str, n: int, before: Sequence[Passage]
) -> list[Passage]:
    """Return sentences of a report as passages, those that share words with the question first."""
    wanted = list_content_words(question)
    best: list[tuple[int, int, Evidence]] = []
    for place, finding in enumerate(report.findings):
        if finding.evidence:
            shared = [len(wanted & features(e.quote)) for e in finding.evidence]
            top = max(range(len(shared)), key=lambda i: (shared[i], -i))
            best.append((-shared[top], place, finding.evidence[top]))
    sources: list[Passage] = []
    taken = [(p.document_id, p.start, p.end) for p in before]
    for _, _, one in sorted(best, key=lambda item: item[:2]):
        if len(sources) >= n:
            break
        if any(d == one.document_id and s <= one.start < e for d, s, e in taken):
            continue
        passage = search.find_passage(db, one.document_id, one.start, one.end)
        if passage is not None and passage.text.strip():
            taken.append((passage.document_id, passage.start, passage.end))
            sources.append(passage)
    return sources
