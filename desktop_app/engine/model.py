"""The plain data that layers pass to each other: documents, entities, answers, reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NewType

from .figures import Figure
from .messages import NO_MESSAGE, Message
from .text_tables import TableStart

DocumentId = NewType("DocumentId", int)
ChunkId = NewType("ChunkId", int)
EntityId = NewType("EntityId", int)
RelationId = NewType("RelationId", int)
EventId = NewType("EventId", int)
ChatId = NewType("ChatId", int)
CollectionId = NewType("CollectionId", int)

MAX_NAME = 200  # characters of the name of an entity
ENTITY_TYPES: tuple[str, ...] = (
    "person",
    "place",
    "organisation",
    "event",
    "object",
    "concept",
    "other",
)
REJECTED = "none"  # the type of a word that a model rejected as a name


# --- source ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a paged document; `label` is the printed number ("xii"), "" if unknown."""

    index: int
    label: str
    start: int
    end: int

    @property
    def number(self) -> str:
        """The printed number, or the place in the file where none is known.

        `store/page_labels.py` has the same rule in SQL.
        """
        return self.label or str(self.index + 1)


def has_printed_numbers(pages: Iterable[Page]) -> bool:
    """Return whether pages have printed numbers that are not their places in the file."""
    return any(page.number != str(page.index + 1) for page in pages)


@dataclass(frozen=True, slots=True)
class Heading:
    """One line of the outline; `level` 1 is a chapter or part; `page_index` None if unpaged."""

    level: int
    title: str
    start: int
    page_index: int | None = None


PICTURE_FORMATS = ("png", "jpeg", "tiff", "webp", "gif", "heic", "avif", "bmp", "jp2")
DRAWN_FORMATS = ("pdf", *PICTURE_FORMATS)  # whose pages are shown as they look


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """The content of one file (jsonl and csv files have several).

    Attributes:
        text: the whole text, LF line ends; every offset points into it.
        body_start, body_end: the work itself, without a licence text before and after it.
        author: the names of all authors, separated by semicolons.
        language: ISO 639-1 code of most of the text ("en", "zh"), "und" if unknown.
        notes: for the user ("3 of 40 pages have no text").
        pictures: pages without text of their own, which have to be read as pictures.
        figures: pictures and drawings in the order of the text.
        place: where the document lies in its file, for `reading.find_inner_file`; "" for a document
            that is the file itself.
    """

    title: str
    text: str
    format: str
    language: str
    pages: tuple[Page, ...] = ()
    outline: tuple[Heading, ...] = ()
    author: str = ""
    year: str = ""
    doi: str = ""
    isbn: str = ""
    body_start: int = 0
    body_end: int = -1
    notes: tuple[Message, ...] = ()
    pictures: tuple[int, ...] = ()
    figures: tuple[Figure, ...] = ()
    place: str = ""

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


# --- direction of relations -------------------------------------------------------------

# The sum of the directions that are known, so that two opposite ones are both kept.
UNDIRECTED, FORWARD, BACKWARD, BOTH_WAYS = 0, 1, 2, 3
DIRECTIONS = ("", "forward", "backward", "both")
"""The words of exported files, by direction: forward is from source to target."""
_REVERSED = (UNDIRECTED, BACKWARD, FORWARD, BOTH_WAYS)


def reverse_direction(direction: int) -> int:
    """Return the same direction for a relation whose ends are exchanged."""
    return _REVERSED[direction]


def parse_direction(word: object) -> int:
    """Return the direction of a word of an exported file; an unknown word is none."""
    return DIRECTIONS.index(word) if word in DIRECTIONS else UNDIRECTED


# --- evidence of one chunk ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mention:
    """One occurrence of a name in the text with its sentence.

    `weight` rates how well the sentence introduces the name, 0 to 1 (1: "X was a clerk").
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
    """A relation between two names in one sentence (or two neighbouring ones) of a chunk.

    `weight` sums proximity over the chunk (1.0 for names in one sentence, less further apart);
    start and end are of the best sentence; `description` is empty in the instant graph, which
    uses the quoted sentence; `keywords` are the words between the names; `kind` and its
    `confidence` (0 to 1) come from a model, "" and 0 without one, but for `WRITES`; `direction` is
    that of `kind`, where the source of the claim states it.
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
    direction: int = UNDIRECTED


WRITES = "writes"
"""The kind of the relation from the sender of a letter to those who got it.

The head of the letter states it, so no model is needed for it.
"""


@dataclass(frozen=True, slots=True)
class NameClaim:
    """The claim of a model about one name in one chunk.

    `type` is one of the library's entity types, "" if the model was not asked, or `REJECTED` for a
    word that is not a name; `confidence` is that of the type, 0 to 1.
    """

    name: str
    type: str = ""
    description: str = ""
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class TextClaim:
    """A quoted claim of the text about an entity; `status` is true, false or suspected."""

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
class ClaimedEvent:
    """An event that a sentence states: its kind, its actors, its patients and its places.

    Attributes:
        kind: one of those of `words/events.toml`.
        start, end: of the sentence.
        word_start, word_end: of the verb.
        actors, patients, places: the starts of the mentions that have this role.
    """

    kind: str
    start: int
    end: int
    word_start: int
    word_end: int
    actors: tuple[int, ...] = ()
    patients: tuple[int, ...] = ()
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ChunkEvidence:
    """The findings of one strategy in one chunk; `also_called` are names that the text equates.

    The evidence of a model contains all valid relations of the chunk (also those it was not asked
    about), the mentions that the instant graph missed, and `names`. Only the instant graph has
    `events`.
    """

    chunk_order: int
    mentions: tuple[Mention, ...]
    relations: tuple[ClaimedRelation, ...]
    also_called: tuple[tuple[str, str], ...] = ()
    names: tuple[NameClaim, ...] = ()
    claims: tuple[TextClaim, ...] = ()
    events: tuple[ClaimedEvent, ...] = ()


# --- graph ------------------------------------------------------------------


FIRST_STORY = 1 << 32
"""Senses of names from this number on are those of stories, smaller ones the user's."""


@dataclass(frozen=True, slots=True)
class NameCount:
    """A name of the evidence with the counts that entity resolution uses.

    `types` counts mentions by type; `language` is that of most mentions; `neighbours` counts
    names of the same claimed relations; `documents` counts mentions by document id.
    """

    name_id: int
    name: str
    n_mentions: int
    types: dict[str, int]
    language: str
    documents: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EntityRow:
    """An entity as shown in lists and in the graph.

    `n_enriched` counts the chunks in which a model described it; 0 for the instant graph only.
    `story` is the title of its story if another entity has the same name, "" otherwise.
    """

    id: EntityId
    name: str
    type: str
    n_mentions: int
    n_relations: int
    n_documents: int
    description: str = ""
    n_enriched: int = 0
    story: str = ""


@dataclass(frozen=True, slots=True)
class MentionRow:
    """One mention of an entity with its sentence, ready to be shown."""

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


ACTOR, PATIENT, PLACE = "actor", "patient", "place"
EVENT_ROLES = (ACTOR, PATIENT, PLACE)
EVENT_KINDS = (
    *("dies", "kills", "marries", "born", "meets", "helps", "fights", "wins", "captures"),
    *("wounds", "departs", "arrives", "appointed", "vows", "betrays", "learns", "gives", "tells"),
    *("recounts", "described"),
)
"""The kinds of events; their verbs are in `words/events.toml`."""


@dataclass(frozen=True, slots=True)
class EventPart:
    """An entity that takes part in an event; `role` is one of `EVENT_ROLES`.

    `written` is its name in the sentence.
    """

    entity_id: EntityId
    name: str
    role: str
    written: str = ""


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event with its sentence and all who take part, in the order of the text."""

    id: EventId
    kind: str
    document_id: DocumentId
    document_title: str
    start: int
    end: int
    sentence: str
    word_start: int
    word_end: int
    page_label: str = ""
    heading: str = ""
    parts: tuple[EventPart, ...] = ()
    is_edited: bool = False  # written by the user

    def list_ids(self, role: str) -> tuple[EntityId, ...]:
        """Return the entities that have a role in it."""
        return tuple(part.entity_id for part in self.parts if part.role == role)

    def list_names(self, role: str) -> list[str]:
        """Return the names of the entities that have a role in it."""
        return [part.name for part in self.parts if part.role == role]


@dataclass(frozen=True, slots=True)
class RelationRow:
    """A relation between two entities; `sentence` is the best evidence, quoted.

    `n_enriched` counts the chunks in which a model described it; `confidence` (0 to 1) is that
    of the `kind`.
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
    direction: int = UNDIRECTED
    source_type: str = ""
    target_type: str = ""


@dataclass(frozen=True, slots=True)
class EntityCard:
    """The overview of an entity on its screen.

    `is_quoted`: nobody described it, so the description is the sentences of the evidence; there may
    be none.
    """

    row: EntityRow
    aliases: tuple[str, ...]
    description: str
    description_evidence: tuple[MentionRow, ...] = ()
    edited: bool = False
    is_quoted: bool = False


@dataclass(frozen=True, slots=True)
class Subgraph:
    """A part of the graph to draw; `n_all` is how many entities the whole graph has."""

    entities: tuple[EntityRow, ...]
    relations: tuple[RelationRow, ...]
    n_all: int


# --- library rows ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NewVersion:
    """A version of a document's file whose text does not replace the document's.

    Attributes:
        state: waiting or reading; refused: it can't be read, or has too little text; declined: the
            user keeps the present text.
        reason: why it was refused.
        kind: changed: the file changed; same: it is read again; previous: it is restored.
        n_chars: length of its text if the user may choose it, else 0.
        is_kept: its bytes are in the library.
    """

    state: str
    reason: Message = NO_MESSAGE
    n_chars: int = 0
    found_at: float = 0.0
    kind: str = "changed"
    is_kept: bool = True


@dataclass(frozen=True, slots=True)
class PreviousVersion:
    """The file before its last change, which can be restored; `taken_at` is when it was added."""

    size_bytes: int
    taken_at: float


@dataclass(frozen=True, slots=True)
class ScanNumbers:
    """How many pages of a document are pictures, by what is done with them."""

    n_waiting: int = 0
    n_read: int = 0
    n_failed: int = 0
    n_left: int = 0

    @property
    def n_pages(self) -> int:
        return self.n_waiting + self.n_read + self.n_failed + self.n_left


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """One line of the library.

    `taken_at` is when the file of the present text was added. `container` is the journal or book
    that a work appeared in, `cited_pages` are its pages there, and `item_key` is its key in Zotero.
    """

    id: DocumentId
    title: str
    file_name: str
    format: str
    language: str
    state: str
    reason: Message = NO_MESSAGE
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
    notes: tuple[Message, ...] = ()
    year: str = ""
    tags: tuple[str, ...] = ()
    comment: str = ""
    taken_at: float = 0.0
    new_version: NewVersion | None = None
    previous: PreviousVersion | None = None
    doi: str = ""
    isbn: str = ""
    container: str = ""
    volume: str = ""
    issue: str = ""
    cited_pages: str = ""
    publisher: str = ""
    item_key: str = ""
    scans: ScanNumbers = ScanNumbers()

    @property
    def is_unreadable(self) -> bool:
        """Whether nothing of the document can be read: all its pages are damaged pictures."""
        is_failed = 0 < self.scans.n_failed == self.scans.n_pages
        return self.state == "ready" and not self.n_chars and is_failed


@dataclass(frozen=True, slots=True)
class Reference:
    """What a citation says of a document.

    Attributes:
        author: the names of all authors, separated by semicolons.
        title: as in the library, where it may be the name of the file.
        kind: of work, as CSL names it; this and what follows is known from bibliographies only.
        container: the journal or book that the work appeared in; `editors` are its editors, as
            `author`.
    """

    document_id: int
    title: str
    author: str = ""
    year: str = ""
    doi: str = ""
    isbn: str = ""
    language: str = "und"
    format: str = ""
    tags: tuple[str, ...] = ()
    kind: str = ""
    container: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    publisher: str = ""
    place: str = ""
    edition: str = ""
    editors: str = ""


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
    n_annotations: int = 0  # highlights, bookmarks and notes
    embedding_model: str = ""
    versions_bytes: int = 0  # of previous and refused versions of files


# --- retrieval and answering ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Passage:
    """A retrieved chunk; best_start and best_end are the offsets of its best window or sentence.

    `routes` are the retrieval routes that found it, with scores: ("walk", 0.31), ("words", 12.2).
    `table` is set where the passage begins inside a table: its header is not part of the text.
    `n_document_chars` is the length of its document's text, 0 where it is not known.
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
    table: TableStart | None = None
    n_document_chars: int = 0


@dataclass(frozen=True, slots=True)
class Keywords:
    """Keywords of a question: themes (`high`), and names or things (`low`)."""

    high: tuple[str, ...] = ()
    low: tuple[str, ...] = ()


ANSWER_CHECKED = "answer checked"  # the stage with the sentences of an answer
READ_ONE_BY_ONE = "read one by one"  # the stage with the passages that gave no standing answer


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """A sentence of an answer with the passage that it was compared with.

    Attributes:
        failed: the check that rejected it, a key of `claims.REASONS`; "" if it was confirmed.
        words: what that check is about: the number or name that the passage lacks, or the two
            names whose roles are reversed.
        chunk_id: of the passage, 0 for none.
        start, end: of the one or two sentences of the passage nearest to it, in the document.
        odds: the model's log-odds that the passage says so, the confidence of a short answer.
        needed: the odds from which on it is confirmed; 0 where the model was not asked.
        unlisted: the passage, where it is not among those that were found, as the sentence of a
            relation is; None otherwise.
    """

    text: str
    failed: str = ""
    words: tuple[str, ...] = ()
    chunk_id: int = 0
    start: int = 0
    end: int = 0
    odds: float = 0.0
    needed: float = 0.0
    unlisted: Passage | None = None


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of retrieval or of building the context, for the inspector.

    `kept` and `dropped` are labels in the order of rank ("Jacob Marley 0.83"); `note` is the
    reason why something was dropped or not done. `checked` has the sentences of an answer that was
    checked, as the model wrote them, in order; none in answers of older versions.
    """

    name: str
    kept: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    ms: float = 0.0
    note: Message = NO_MESSAGE
    checked: tuple[CheckedSentence, ...] = ()

    @property
    def first_failed(self) -> CheckedSentence | None:
        """The first sentence that was not confirmed; None where there is none."""
        return next((one for one in self.checked if one.failed), None)


def count_read(stages: Iterable[Stage]) -> int:
    """Return the passages that the stages say were read one by one without an answer."""
    return sum(len(stage.dropped) for stage in stages if stage.name == READ_ONE_BY_ONE)


@dataclass(frozen=True, slots=True)
class RetrievalResult:
    """The result of retrieval: passages, best first, and the stages that found them.

    `weak` is true if no passage is relevant to the question.
    `timings_ms` maps a step to milliseconds; `notes` lists what was not available and why.
    `asked` is the question as the user asked it, if it was rewritten.
    `meant` has (name in the question, name in the library) where these differ.
    `unknown` has the names in the question that occur nowhere in the library.
    """

    question: str
    mode: str
    passages: tuple[Passage, ...]
    entities: tuple[EntityRow, ...] = ()
    relations: tuple[RelationRow, ...] = ()
    weak: bool = False
    timings_ms: dict[str, float] = field(default_factory=dict)
    notes: tuple[Message, ...] = ()
    keywords: Keywords = Keywords()
    stages: tuple[Stage, ...] = ()
    asked: str = ""
    meant: tuple[tuple[str, str], ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def n_read(self) -> int:
        """The passages that the model read one by one without finding the answer in them."""
        return count_read(self.stages)

    @property
    def check(self) -> Stage | None:
        """The check of the answer's sentences; None where no sentence was checked."""
        return next((one for one in reversed(self.stages) if one.name == ANSWER_CHECKED), None)


@dataclass(frozen=True, slots=True)
class Citation:
    """A checked mark [n] of an answer, with the sentence that supports it.

    `cells` is its place in a table in words, an empty message outside tables.
    """

    number: int
    chunk_id: ChunkId
    document_id: DocumentId
    title: str
    start: int
    end: int
    quote: str
    page_label: str = ""
    cells: Message = NO_MESSAGE


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: text with checked [n] marks, citations and the retrieval result.

    `model` is "" without a chat model, where the text is a list of passages.
    `stopped` is true if the user stopped the generation.
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
    """One message for a chat model; role is "system", "user" or "assistant"."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class ChatRow:
    """One conversation in the sidebar."""

    id: ChatId
    title: str
    n_messages: int
    folder: str = ""
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A stored turn of a chat, with the citations of an answer; `weak` as in `RetrievalResult`.

    `versions` are the versions of a question, itself included, oldest first. `n_rejected` is the
    number of sentences that the check of the answer rejected, `failed` the first of them,
    `n_confirmed` that of the others. `n_read` is that of the passages that the model read one by
    one without an answer.
    `understood` is the question of an answer as it was searched for, with what a follow-up leaves
    out; "" where it is not loaded.
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
    n_rejected: int = 0
    failed: CheckedSentence | None = None
    n_confirmed: int = 0
    n_read: int = 0
    understood: str = ""


CommunityId = NewType("CommunityId", int)

BY_HAND = "by hand"  # the `model` of a report that the user wrote


@dataclass(frozen=True, slots=True)
class Evidence:
    """A quoted sentence that supports a finding, with its relation if there is one."""

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
    """One finding of a report: headline, text and evidence."""

    headline: str
    text: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The report of a community.

    Attributes:
        rating: importance in the library, 0 to 10; `reason` explains it.
        model: its author: "" for an extractive report, `BY_HAND` for the user.
        is_stale: the community changed after the report was written.
        is_pinned: not rewritten, even if it is stale.
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
    """A community in the tree of communities.

    Attributes:
        level: 0 is the coarsest; `parent_id` None there.
        title: of its report if it has one, else its central names and key words.
        top_names: the most central names, the most central first.
        is_loose: contains the entities without relations.
        weight: its share of all relations and mentions, 0 to 1; orders reports.
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


class CommunitySize(NamedTuple):
    """What a community is numbered by; see `CommunityRow`."""

    id: int
    level: int
    parent_id: int | None
    n_members: int
    weight: float


@dataclass(frozen=True, slots=True)
class CommunitySpread:
    """The distribution of a community over one document.

    Attributes:
        places: (position in the document from 0 to 1, weight) of sentences with relations between
            members.
        headings: (heading, number of such sentences), most first.
    """

    document_id: DocumentId
    title: str
    n_sentences: int
    places: tuple[tuple[float, float], ...] = ()
    headings: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class CommunityCard:
    """One community for its screen; `report` is extractive if no model wrote one."""

    row: CommunityRow
    report: Report
    members: tuple[EntityRow, ...]
    relations: tuple[RelationRow, ...]
    children: tuple[CommunityRow, ...]
    spread: tuple[CommunitySpread, ...]


@dataclass(frozen=True, slots=True)
class Related:
    """Another community of the same level, with the number of relations to it."""

    row: CommunityRow
    n_relations: int
    weight: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two communities compared: common members and the relations between them."""

    shared: tuple[EntityRow, ...]
    only_first: tuple[EntityRow, ...]
    only_second: tuple[EntityRow, ...]
    between: tuple[RelationRow, ...]
    shared_words: tuple[str, ...]


# --- questions about the whole library -------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RankedReport:
    """A report ranked for a question about the whole library.

    Attributes:
        relevance: 0 to 1, by words, vectors and weight; `judged` 0 to 1 by the model, None if
            the model was not asked.
        points: what the model extracted from the report, with marks of its sources.
        sources: the passages that the marks refer to.
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
    """One question of a DRIFT search; `parent` makes them a tree, -1 for the user's question.

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
    """The result for the whole library: ranked reports and the tree of questions."""

    reports: tuple[RankedReport, ...] = ()
    tree: tuple[AskedQuestion, ...] = ()
    n_calls: int = 0


@dataclass(frozen=True, slots=True)
class CallPlan:
    """The cost of a question about the whole library: most model calls, seconds, and as text."""

    n_calls: int
    seconds: float
    n_reports: int
    words: Message = NO_MESSAGE


# --- evidence and curation, as the graph is built from them ---------------------------------------

INSTANT = "instant"  # the strategy without a model

Place = tuple[int, int]
"""Document id and offset; sorts by reading order."""


class Claim(NamedTuple):
    """A claimed relation between two names, as stored."""

    id: int
    source_id: int
    target_id: int
    weight: float
    keywords: tuple[str, ...] = ()
    description: str = ""
    kind: str = ""
    confidence: float = 0.0
    place: Place = (0, 0)
    chunk_id: int = 0
    direction: int = UNDIRECTED


@dataclass(frozen=True, slots=True)
class Judgement:
    """A model's type and description of one name in one chunk; type "" if it was not asked."""

    name_id: int
    type: str = ""
    description: str = ""
    confidence: float = 0.0


PlacedJudgement = tuple[Judgement, Place, int]
"""A judgement, the start of its chunk, and the chunk."""


@dataclass(frozen=True, slots=True, eq=False)
class StoredExtraction:
    """The result of one finished extraction of a chunk; compared by identity.

    Attributes:
        place: start of the chunk.
        mentions: (name id, type, count).
        also_called: pairs of names that the text equates.
    """

    id: int
    chunk_id: int
    place: Place
    language: str
    strategy: str = INSTANT
    mentions: tuple[tuple[int, str, int], ...] = ()
    claims: tuple[Claim, ...] = ()
    judgements: tuple[Judgement, ...] = ()
    also_called: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class UserRelation:
    """A relation that the user added, changed or (`deleted`) removed.

    `direction` is None if the user did not decide it.
    """

    source: str
    target: str
    description: str = ""
    keywords: tuple[str, ...] = ()
    weight: float = 1.0
    deleted: bool = False
    kind: str = ""
    direction: int | None = None


@dataclass(frozen=True, slots=True)
class UserEvent:
    """An event that the user added or corrected; its people are names with their senses.

    Attributes:
        document: the sha256 of the document when the event was written.
        place, length: of the verb in the sentence.
        start: of the sentence in the document when the event was written.
        by_role: the names in the order of `EVENT_ROLES`.
    """

    document: str
    kind: str
    sentence: str
    place: int
    start: int
    by_role: tuple[tuple[str, ...], ...]
    length: int

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for names in self.by_role for name in names)

    @classmethod
    def from_stored(cls, row: tuple[Any, ...]) -> UserEvent:
        """Return the event of a row of `hand_event`."""
        by_role = tuple(tuple(filter(None, names.split("\n"))) for names in row[5:8])
        document, kind, sentence, place, start = row[:5]
        return cls(document, kind, sentence, place, start, by_role, row[8])

    def to_stored(self) -> tuple[Any, ...]:
        """Return the row of `hand_event`."""
        names = ("\n".join(names) for names in self.by_role)
        return (
            self.document,
            self.kind,
            self.sentence,
            self.place,
            self.start,
            *names,
            self.length,
        )


@dataclass(frozen=True, slots=True)
class EntityEdit:
    """Values that the user set for an entity; None keeps the derived value."""

    new_name: str | None = None
    type: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Curation:
    """All decisions of the user, keyed by names (see `graph.names.sense_key` for senses).

    `deleted_names` maps a name to the documents in which it is deleted; None for all documents.
    """

    merged: tuple[tuple[str, str], ...] = ()
    never_merged: frozenset[frozenset[str]] = frozenset()
    edits: Mapping[str, EntityEdit] = field(default_factory=dict)
    aliases: tuple[tuple[str, str], ...] = ()
    deleted_names: Mapping[str, frozenset[int] | None] = field(default_factory=dict)
    user_relations: tuple[UserRelation, ...] = ()
    user_entities: frozenset[str] = frozenset()
