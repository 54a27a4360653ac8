"""The plain data that layers pass to each other: documents, entities, answers, reports."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NewType

DocumentId = NewType("DocumentId", int)
ChunkId = NewType("ChunkId", int)
EntityId = NewType("EntityId", int)
RelationId = NewType("RelationId", int)
ChatId = NewType("ChatId", int)
CollectionId = NewType("CollectionId", int)

EntityType = Literal["person", "place", "organisation", "event", "object", "concept", "other"]
ENTITY_TYPES: tuple[str, ...] = (
    "person",
    "place",
    "organisation",
    "event",
    "object",
    "concept",
    "other",
)
STRUCK = "none"  # the type of a word that a model says names nobody and nothing
DocumentState = Literal["waiting", "reading", "indexing", "ready", "failed", "paused"]


# --- source: what is said ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a paged document; `label` is the printed number ("xii"), "" if unknown."""

    index: int
    label: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Heading:
    """One line of the outline; `level` 1 is a chapter or part; `page_index` None if unpaged."""

    level: int
    title: str
    start: int
    page_index: int | None = None


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """What a reader makes of one file (jsonl and csv give several).

    Attributes:
        text: the whole text, LF line ends; every offset points into it.
        body_start, body_end: the part that is the work itself (without licence head and tail).
        language: ISO 639-1 code of most of the text ("en", "zh"), "und" if unknown.
        notes: what a person should know ("3 of 40 pages have no text").
    """

    title: str
    text: str
    format: str
    language: str
    pages: tuple[Page, ...] = ()
    outline: tuple[Heading, ...] = ()
    author: str = ""
    year: str = ""
    body_start: int = 0
    body_end: int = -1
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.body_end < 0:
            object.__setattr__(self, "body_end", len(self.text))


@dataclass(frozen=True, slots=True)
class ChunkSpan:
    """A piece of a document that is read and retrieved as one; text = document[start:end]."""

    order: int
    start: int
    end: int
    n_tokens: int
    heading_path: str = ""


# --- evidence: what one chunk says ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mention:
    """A name seen in the text, verbatim, with the sentence it stands in.

    `weight` says how well the sentence introduces the name, 0 to 1 (1: "X was a clerk").
    """

    name: str
    type: str
    start: int
    end: int
    sentence_start: int
    sentence_end: int
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class ClaimedRelation:
    """Two names tied together by one sentence (or two neighbouring ones) of a chunk.

    `weight` sums closeness over the chunk (1.0 for one sentence of its own, less further apart);
    start and end are of the best sentence; `description` is empty for the instant graph, where
    the quoted sentence stands for it; `keywords` are the words that tie the two; `kind` and its
    `confidence` (0 to 1) come from a model, "" and 0 where it was not asked.
    """

    source: str
    target: str
    start: int
    end: int
    weight: float = 1.0
    description: str = ""
    keywords: tuple[str, ...] = ()
    kind: str = ""
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class NameClaim:
    """What a model says of one name in one chunk.

    `type` is one of the library's entity types, "" where it was not asked, or `STRUCK` for a
    word that names nobody and nothing; `confidence` of the type, 0 to 1.
    """

    name: str
    type: str = ""
    description: str = ""
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class TextClaim:
    """A claim the text makes about somebody, quoted; `status` is true, false or suspected."""

    subject: str
    type: str
    status: str
    description: str
    start: int
    end: int
    object: str = ""
    start_date: str = ""
    end_date: str = ""


@dataclass(frozen=True, slots=True)
class ChunkEvidence:
    """All that one strategy found in one chunk; `also_called` are pairs the text itself equates.

    A model's evidence holds all relations of the chunk that are to stand (those it was not asked
    about as well), the mentions that the instant graph missed, and `names`.
    """

    chunk_order: int
    mentions: tuple[Mention, ...]
    relations: tuple[ClaimedRelation, ...]
    also_called: tuple[tuple[str, str], ...] = ()
    names: tuple[NameClaim, ...] = ()
    claims: tuple[TextClaim, ...] = ()


# --- graph: what is made of it ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NameCount:
    """A name of the evidence with what decides which entity it belongs to.

    `types` counts mentions by type; `language` is that of most mentions; `neighbours` counts
    names of the same claimed relations; `documents` and `chunks` are ids.
    """

    name_id: int
    name: str
    n_mentions: int
    types: dict[str, int]
    language: str
    documents: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class EntityRow:
    """One line of an entity list or one disc of the graph.

    `n_enriched` counts the chunks in which a model says something of it; 0 is instant only.
    """

    id: EntityId
    name: str
    type: str
    n_mentions: int
    n_relations: int
    n_documents: int
    description: str = ""
    n_enriched: int = 0


@dataclass(frozen=True, slots=True)
class MentionRow:
    """One place where an entity is named, with its sentence, ready to be shown."""

    document_id: DocumentId
    document_title: str
    chunk_id: ChunkId
    name: str
    start: int
    end: int
    sentence: str
    sentence_start: int
    page_label: str = ""
    heading: str = ""


@dataclass(frozen=True, slots=True)
class RelationRow:
    """Two entities tied together; `sentence` is the best evidence, quoted.

    `n_enriched` counts the chunks in which a model says something of it; `confidence` (0 to 1)
    is that of the `kind`.
    """

    id: RelationId
    source_id: EntityId
    target_id: EntityId
    source: str
    target: str
    weight: float
    n_evidence: int
    description: str = ""
    keywords: tuple[str, ...] = ()
    kind: str = ""
    sentence: str = ""
    document_id: DocumentId | None = None
    sentence_start: int = 0
    sentence_end: int = 0
    n_enriched: int = 0
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class EntityCard:
    """Everything the entity screen shows at first sight."""

    row: EntityRow
    aliases: tuple[str, ...]
    description: str
    description_evidence: tuple[MentionRow, ...] = ()
    edited: bool = False


@dataclass(frozen=True, slots=True)
class Subgraph:
    """A part of the graph to draw; `n_all` is how many entities the whole graph has."""

    entities: tuple[EntityRow, ...]
    relations: tuple[RelationRow, ...]
    n_all: int


# --- library rows ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """One line of the library."""

    id: DocumentId
    title: str
    file_name: str
    format: str
    language: str
    state: str
    reason: str = ""
    author: str = ""
    n_chars: int = 0
    n_pages: int = 0
    size_bytes: int = 0
    n_chunks: int = 0
    n_chunks_done: int = 0
    n_windows: int = 0
    n_embedded: int = 0
    n_mentions: int = 0
    n_entities: int = 0
    added_at: float = 0.0
    set_aside: bool = False
    duplicate_of: DocumentId | None = None
    notes: tuple[str, ...] = ()
    year: str = ""
    tags: tuple[str, ...] = ()
    comment: str = ""


@dataclass(frozen=True, slots=True)
class LibraryOverview:
    """The numbers beside the screens in the sidebar."""

    path: str
    name: str
    size_bytes: int
    n_documents: int
    n_entities: int
    n_relations: int
    n_mentions: int
    n_chunks: int
    n_windows: int
    n_embedded: int
    n_chats: int
    embedding_model: str = ""


# --- finding and answering ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk found for a question; best_start and best_end bound its best window or sentence.

    `routes` names what found it, with the score each gave: ("walk", 0.31), ("words", 12.2).
    """

    chunk_id: ChunkId
    document_id: DocumentId
    title: str
    start: int
    end: int
    score: float
    text: str
    best_start: int
    best_end: int
    page_label: str = ""
    page_index: int | None = None
    heading: str = ""
    routes: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Keywords:
    """What a question is about: themes (`high`), and names or things (`low`)."""

    high: tuple[str, ...] = ()
    low: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of finding or of building the context, as the inspector shows it.

    `kept` and `dropped` are labels in the order of rank ("Jacob Marley 0.83"); `note` says why
    something was dropped or left undone.
    """

    name: str
    kept: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    ms: float = 0.0
    note: str = ""


@dataclass(frozen=True, slots=True)
class RetrievalResult:
    """What retrieval gives: passages best first, and how it got there.

    `weak` is true when nothing found has much to do with the question.
    `timings_ms` maps a step to milliseconds; `notes` says what was not available and why.
    `asked` is the question as the person put it, where a follow-up was rewritten.
    `meant` has (name in the question, name in the library) where these differ.
    """

    question: str
    mode: str
    passages: tuple[Passage, ...]
    entities: tuple[EntityRow, ...] = ()
    relations: tuple[RelationRow, ...] = ()
    weak: bool = False
    timings_ms: dict[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    keywords: Keywords = Keywords()
    stages: tuple[Stage, ...] = ()
    asked: str = ""
    meant: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """A checked [n] of an answer: the sentence it stands on, with its place."""

    number: int
    chunk_id: ChunkId
    document_id: DocumentId
    title: str
    start: int
    end: int
    quote: str
    page_label: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as kept: text with checked [n] marks, its citations, and where it came from.

    `model` is "" when no chat model is there and the text is the passages themselves.
    `stopped` is true when the person stopped it early.
    """

    text: str
    citations: tuple[Citation, ...]
    found: RetrievalResult
    model: str = ""
    prompt: str = ""
    stopped: bool = False
    seconds: float = 0.0
    first_token_s: float = 0.0
    n_prompt_tokens: int = 0


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One turn as a model takes it; role is "system", "user" or "assistant"."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class ChatRow:
    """One conversation in the sidebar."""

    id: ChatId
    title: str
    updated_at: float
    n_messages: int
    folder: str = ""
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class MessageRow:
    """One kept turn of a conversation, with the citations of an answer; `weak` as in `Found`.

    `versions` are the questions that stand at the same place, itself among them, oldest first.
    """

    id: int
    chat_id: ChatId
    role: str
    text: str
    created_at: float
    citations: tuple[Citation, ...] = ()
    passages: tuple[Passage, ...] = ()
    model: str = ""
    stopped: bool = False
    seconds: float = 0.0
    weak: bool = False
    versions: tuple[int, ...] = ()


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
class CommunitySpread:
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
    spread: tuple[CommunitySpread, ...]


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
class CommunitiesFound(RetrievalResult):
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
