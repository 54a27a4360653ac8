"""Collects the material of a community report: members, and key points with their sentences.

Key points are the strongest relations inside the community. Can be limited to some documents.
Writes nothing.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from ..errors import UserError
from ..graph.definitions import choose_definitions
from ..graph.evidence import choose_introductions
from ..model import (
    CommunityRow,
    DocumentId,
    EntityId,
    EntityRow,
    Evidence,
    MentionRow,
    RelationId,
    RelationRow,
)
from ..store import communities as community_rows
from ..store import documents, graph, graph_view
from ..store.db import Db
from ..text.chunking import SENTENCE_END
from ..text.shown_text import show_text
from ..writing_systems import features, has_han

MAX_FINDINGS, MIN_FINDINGS = 10, 5
SENTENCES_PER_RELATION = 3
N_RELATIONS = 200  # strongest relations that key points are chosen from
N_SENTENCE_CANDIDATES = 12  # sentences of a relation from which the best are chosen
REPEATED_END_FACTOR = 0.55  # factor on the weight for each use of an end in an earlier key point
MAX_MEMBERS = 400
# For the definition in a summary: members, and the best mentions of each. With hundreds of
# communities more are worth the time only in large ones, whose names have thousands of mentions.
_N_CENTRAL, _N_DEFINING = 3, 48
_LARGE, _N_DEFINING_OF_LARGE = 50, 400  # members; as many mentions as the page of a name reads
MIXED_SHARE = 0.25  # of the sentences: from then on the texts count as mixed
GOOD_LENGTH = {"en": (45, 240), "zh": (14, 90)}
MAX_QUOTE_CHARS = {"en": 300, "zh": 120}
_LEADING_MARKS = re.compile(r"^[\s\"'“”‘’「『（(\]】,.;:!?，。；：！？、—-]+")


@dataclass(frozen=True, slots=True)
class Scale:
    """Reference values for a rating: entities of the library, largest weight of the level."""

    n_entities: int
    heaviest: float

    def rate(self, weight: float) -> float:
        """Return 0 to 10: the largest weight gives 10, a quarter of it gives 5."""
        return round(10.0 * sqrt(weight / self.heaviest), 1) if self.heaviest else 0.0


@dataclass(frozen=True, slots=True)
class KeyPoint:
    """A relation, or an entity if `relation` is None, with its best sentences."""

    names: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    relation: RelationRow | None = None
    entity: EntityRow | None = None


@dataclass(frozen=True, slots=True)
class ReportMaterial:
    """Everything that the report of one community is made from; points best first."""

    row: CommunityRow
    language: str
    members: tuple[EntityRow, ...]
    points: tuple[KeyPoint, ...]
    # title, heading of the section with most sentences ("" where none stands out), their number
    books: tuple[tuple[str, str, int], ...]
    scale: Scale
    definition: str = ""  # a sentence that says who or what one of the central members is


def build_missing_error() -> UserError:
    """Return the error about a community that does not exist."""
    return UserError(
        "There is no such community any more.",
        "Select another one in the list of communities, or press “Update” there.",
    )


def gather_material(
    db: Db,
    community_id: int,
    document_ids: frozenset[int] | None = None,
    *,
    language_if_mixed: str = "",
    sentences: Sequence[community_rows.InnerSentence] | None = None,
) -> ReportMaterial:
    """Return the material of a community; its language is that of its texts.

    Args:
        document_ids: use the evidence of these documents only; None for all.
        language_if_mixed: "en" or "zh" for texts in both languages; "" for the more frequent one.
        sentences: those of `fetch_inner_sentences`, if they have been read: a large community has
            tens of thousands.

    Raises:
        UserError: there is no such community.
    """
    found = community_rows.fetch_rows(db, [community_id])
    if not found:
        raise build_missing_error()
    member_ids = community_rows.fetch_members(db, community_id)[:MAX_MEMBERS]
    if document_ids is not None:
        found_in = graph_view.fetch_homes(db, member_ids)
        here = {entity for entity, document, _, _ in found_in if document in document_ids}
        member_ids = [i for i in member_ids if i in here]
    members = graph.fetch_entities(db, member_ids)
    # Places first: a community can have names in Latin letters and yet be of Chinese texts.
    places = (
        community_rows.fetch_inner_sentences(db, community_id) if sentences is None else sentences
    )
    homes = [place[0] for place in places] or [
        document for _, document, _, _ in graph_view.fetch_homes(db, member_ids)
    ]
    languages = documents.fetch_languages(db)
    language = choose_language(
        [languages[i] for i in homes if document_ids is None or i in document_ids],
        [m.name for m in members[:12]],
        language_if_mixed,
    )
    points = _relation_points(db, community_id, language, document_ids)
    definition = None
    if not found[0].is_loose:
        definition = _find_definition(db, members, document_ids)
    if len(points) < MIN_FINDINGS:
        covered = {i for p in points if p.relation for i in _relation_ends(p.relation)}
        quoted = {(e.document_id, e.start) for p in points for e in p.evidence[:1]}
        if definition is not None:  # it has its place in the summary
            quoted.add((definition.document_id, definition.sentence_start))
        more = _member_points(db, members, document_ids, covered, quoted)
        points += more[: MIN_FINDINGS - len(points)]
    # The three documents with most sentences.
    counts: Counter[int] = Counter()
    headings: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for document_id, _, _, heading, _ in places:
        if document_ids is None or document_id in document_ids:
            counts[document_id] += 1
            headings[document_id][heading] += 1
    titles = dict(documents.fetch_titles(db))
    books = (
        (titles.get(i, ""), _find_main_heading(headings[i]), n) for i, n in counts.most_common(3)
    )
    scale = Scale(*community_rows.fetch_scale(db, found[0].level))
    return ReportMaterial(
        found[0],
        language,
        tuple(members),
        tuple(points),
        tuple(books),
        scale,
        "" if definition is None else definition.sentence,
    )


def _find_main_heading(headings: Counter[str]) -> str:
    """Return the heading that a third of the sentences have, "" if there is none.

    Of a hundred chapters one always has most, which says nothing about it.
    """
    heading, n = headings.most_common(1)[0]
    return heading if 3 * n >= headings.total() else ""


def _find_definition(
    db: Db, members: Sequence[EntityRow], document_ids: frozenset[int] | None
) -> MentionRow | None:
    """Return what defines one of the members first, the best connected member first."""
    n_read = _N_DEFINING_OF_LARGE if len(members) >= _LARGE else _N_DEFINING
    for member in members[:_N_CENTRAL]:
        mentions = [
            one
            for one in graph.fetch_best_mentions(db, member.id, n_read)
            if document_ids is None or one.document_id in document_ids
        ]
        for one in choose_definitions(mentions, is_person=member.type == "person", limit=1):
            return one
    return None


def choose_language(languages: Sequence[str], names: Sequence[str], if_mixed: str) -> str:
    """Return "en" or "zh", from the languages of the documents of all sentences.

    Args:
        languages: one per sentence; if there are none, the names decide.
        if_mixed: the language where the rarer one has at least `MIXED_SHARE`; "" for no choice.
    """
    flags = [language == "zh" for language in languages] or [has_han(name) for name in names]
    share = sum(flags) / max(1, len(flags))
    if if_mixed and MIXED_SHARE <= share <= 1 - MIXED_SHARE:
        return if_mixed
    return "zh" if share > 0.5 else "en"


def _relation_points(
    db: Db, community_id: int, language: str, document_ids: frozenset[int] | None
) -> list[KeyPoint]:
    """Return the strongest relations with sentences; repeated entities lower the weight."""
    inner = community_rows.fetch_inner_relations(db, community_id, N_RELATIONS)
    used: Counter[int] = Counter()
    points: list[KeyPoint] = []
    quoted: set[tuple[int, int]] = set()
    while inner and len(points) < MAX_FINDINGS:
        best = max(
            inner,
            key=lambda r: (
                r.weight * REPEATED_END_FACTOR ** (used[r.source_id] + used[r.target_id]),
                -r.id,
            ),
        )
        inner.remove(best)
        relation = next(iter(graph.fetch_relation_rows(db, [best.id])), None)
        if relation is None:
            continue
        sentences = [
            s
            for s in graph.fetch_relation_evidence(db, best.id, N_SENTENCE_CANDIDATES)
            if document_ids is None or s.document_id in document_ids
        ]
        chosen = _best_sentences(sentences, (relation.source, relation.target), language, quoted)
        if not chosen or (chosen[0].document_id, chosen[0].start) in quoted:
            continue  # no sentence that was not quoted before
        quoted.update((s.document_id, s.start) for s in chosen[:1])
        used.update(_relation_ends(relation))
        points.append(
            KeyPoint(
                (relation.source, relation.target),
                tuple(_build_evidence(s, relation_id=relation.id) for s in chosen),
                relation,
            )
        )
    return points


def _member_points(
    db: Db,
    members: Sequence[EntityRow],
    document_ids: frozenset[int] | None,
    covered_entities: set[int],
    quoted: set[tuple[DocumentId, int]],
) -> list[KeyPoint]:
    """Return key points about single members, for communities with few relations.

    Args:
        quoted: places of sentences that other points begin with; no point repeats them.
    """
    points = []
    for member in sorted(members[:12], key=lambda m: m.id in covered_entities):
        mentions = [
            m
            for m in graph.fetch_best_mentions(db, member.id, 8)
            if (document_ids is None or m.document_id in document_ids)
            and (m.document_id, m.sentence_start) not in quoted
        ]
        chosen = choose_introductions(mentions, 2, lambda m: m.sentence)
        if chosen:
            quoted.add((chosen[0].document_id, chosen[0].sentence_start))
            evidence = tuple(_build_evidence(m, entity_id=member.id) for m in chosen)
            points.append(KeyPoint((member.name,), evidence, entity=member))
    return points


def _best_sentences(
    sentences: Sequence[MentionRow],
    names: tuple[str, ...],
    language: str,
    quoted: set[tuple[int, int]],
) -> list[MentionRow]:
    """Return the best sentences of a relation: complete, of readable length, with both names."""
    low, high = GOOD_LENGTH[language]

    def value(place: int, sentence: MentionRow) -> float:
        text = " ".join(sentence.sentence.split())
        score = 1.0 / (1.0 + 0.15 * place)
        score *= 1.0 if low <= len(text) <= high else 0.55 if len(text) < 2 * high else 0.3
        score *= 1.0 if SENTENCE_END.search(text) else 0.7
        score *= 0.6 + 0.2 * sum(name in text for name in names)
        score *= 0.8 if text.count("“") + text.count("「") else 1.0
        return score * (0.4 if (sentence.document_id, sentence.start) in quoted else 1.0)

    ranked = sorted(enumerate(sentences), key=lambda item: -value(*item))
    chosen: list[MentionRow] = []
    seen: list[set[str]] = []
    for _, sentence in ranked:
        words = features(sentence.sentence)
        if any(len(words & other) > 0.8 * max(1, len(words)) for other in seen):
            continue
        seen.append(words)
        chosen.append(sentence)
        if len(chosen) == SENTENCES_PER_RELATION:
            break
    return chosen


def _build_evidence(
    sentence: MentionRow,
    *,
    relation_id: RelationId | None = None,
    entity_id: EntityId | None = None,
) -> Evidence:
    return Evidence(
        document_id=sentence.document_id,
        chunk_id=sentence.chunk_id,
        start=sentence.sentence_start,
        end=sentence.sentence_start + len(sentence.sentence),
        quote=sentence.sentence,
        title=sentence.document_title,
        heading=sentence.heading,
        page_label=sentence.page_label,
        relation_id=relation_id,
        entity_id=entity_id,
    )


def quote(text: str, language: str) -> str:
    """Return a sentence as one line, shortened to the maximum length of a quotation."""
    text = show_text(text, one_line=True).with_closed_quotes().text
    is_quoted = text[:1] in '“「『"'
    text = text if is_quoted else _LEADING_MARKS.sub("", text)
    most = MAX_QUOTE_CHARS[language]
    if len(text) <= most:
        return text
    cut = max(text.rfind(mark, most // 2, most) for mark in ("; ", ", ", "，", "；", " "))
    return text[: cut if cut > 0 else most].rstrip(" ,;，；") + "…"


def _relation_ends(relation: RelationRow) -> tuple[int, int]:
    return int(relation.source_id), int(relation.target_id)
