"""Communities and what is reported of them, as plain data.

A community is a group of entities that hang together; in the words of the window, a theme. No
behaviour, no SQL. Offsets are in characters of the document's text, as everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NewType

from .types import (
    ChunkId,
    DocumentId,
    EntityId,
    EntityRow,
    Found,
    Passage,
    RelationId,
    RelationRow,
)

CommunityId = NewType("CommunityId", int)

BY_HAND = "by hand"  # the `model` of a report that a person wrote


@dataclass(frozen=True, slots=True)
class Evidence:
    """A quoted sentence that a finding stands on, with the relation it shows, if it is of one."""

    document_id: DocumentId
    chunk_id: ChunkId
    start: int
    end: int
    quote: str
    title: str = ""
    heading: str = ""
    page_label: str = ""
    relation_id: RelationId | None = None
    entity_id: EntityId | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a report says: a headline, a sentence or two, and what they stand on."""

    headline: str
    text: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """What is said of a community.

    Attributes:
        rating: how much it matters in the library, 0 to 10; `reason` says why.
        model: what wrote it: "" for none (quoted and counted), `BY_HAND` for a person.
        is_stale: the community changed since.
        is_pinned: kept as it is, even where it is stale.
    """

    community_id: CommunityId
    title: str
    summary: str
    rating: float
    reason: str
    findings: tuple[Finding, ...]
    language: str = "en"
    model: str = ""
    is_stale: bool = False
    is_edited: bool = False
    is_pinned: bool = False
    created_at: float = 0.0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class CommunityRow:
    """One line of the tree of communities.

    Attributes:
        level: 0 is the coarsest; `parent_id` None there.
        title: of its report if it has one, else of its middle and its key words.
        top_names: the names in its middle, the first holds it together most.
        is_loose: gathers what is tied to nothing.
        weight: its share of all ties and mentions of the library, 0 to 1; orders reports.
        model: of its report, see `Report`; None where there is no report.
    """

    id: CommunityId
    level: int
    parent_id: CommunityId | None
    title: str
    n_members: int
    n_relations: int
    n_children: int
    weight: float
    top_names: tuple[str, ...] = ()
    key_words: tuple[str, ...] = ()
    is_loose: bool = False
    model: str | None = None
    rating: float = 0.0
    is_stale: bool = False
    is_edited: bool = False
    is_pinned: bool = False


@dataclass(frozen=True, slots=True)
class ThemeSpread:
    """Where in one document a community lives.

    Attributes:
        places: (place in the document from 0 to 1, weight) of the sentences that tie members.
        headings: (heading, sentences that tie members there), most first.
    """

    document_id: DocumentId
    title: str
    n_sentences: int
    places: tuple[tuple[float, float], ...] = ()
    headings: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class CommunityCard:
    """Everything a screen shows of one community; `report` is made without a model if need be."""

    row: CommunityRow
    report: Report
    members: tuple[EntityRow, ...]
    relations: tuple[RelationRow, ...]
    children: tuple[CommunityRow, ...]
    spread: tuple[ThemeSpread, ...]


@dataclass(frozen=True, slots=True)
class Related:
    """Another community of the same level, with how many relations lead there."""

    row: CommunityRow
    n_relations: int
    weight: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two communities side by side: what both have, and the ties from one to the other."""

    shared: tuple[EntityRow, ...]
    only_first: tuple[EntityRow, ...]
    only_second: tuple[EntityRow, ...]
    between: tuple[RelationRow, ...]
    shared_words: tuple[str, ...]


# --- asking the whole library -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RankedReport:
    """A report that a question was put to, as the overview mode ranked it.

    Attributes:
        relevance: 0 to 1, by words, vectors and weight; `judged` 0 to 1 by the model, None where
            it was not asked.
        points: what the model drew from it, with marks of its own sources.
        sources: what its evidence is numbered by.
    """

    community_id: CommunityId
    title: str
    level: int
    relevance: float
    judged: float | None = None
    points: tuple[str, ...] = ()
    sources: tuple[Passage, ...] = ()
    summary: str = ""


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """One question of a DRIFT search; they make a tree by `parent`, -1 for the person's own.

    `state` is "waiting", "searching", "answering", "done" or "nothing" (found).
    """

    number: int
    parent: int
    question: str
    state: str = "waiting"
    answer: str = ""
    score: float = 0.0
    n_passages: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class ThemesFound(Found):
    """What a question of the whole library found: reports as ranked, and the tree of questions."""

    reports: tuple[RankedReport, ...] = ()
    tree: tuple[AskedQuestion, ...] = ()
    n_calls: int = 0


@dataclass(frozen=True, slots=True)
class CallPlan:
    """What a whole-library question will cost: model calls at most, seconds, and in words."""

    n_calls: int
    seconds: float
    n_reports: int
    words: str = ""
