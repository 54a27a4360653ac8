"""One open library for the servers: what programs may read, ask and change, as plain data.

Owns the connections and the threads that use them: reading side by side, one question at a time,
one change at a time. Knows no protocol. A server that may not change the library gives out no
connection that can write.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ..engine.answering.pipeline import AnswerPipeline
from ..engine.answering.query_data import describe_passage
from ..engine.communities.reader import CommunityReader
from ..engine.errors import EnvironmentProblem, UserError
from ..engine.llm.protocols import ChatModel, Embedder, Reranker
from ..engine.model import (
    DIRECTIONS,
    EVENT_ROLES,
    Answer,
    Citation,
    DocumentId,
    DocumentRow,
    EntityCard,
    EntityRow,
    EventRow,
    MentionRow,
    RelationRow,
    RetrievalResult,
)
from ..engine.progress import CancelToken, ProgressCallback, ignore_progress
from ..engine.query import QueryParam
from ..engine.retrieval.community_ranking import CommunityRanking
from ..engine.retrieval.retriever import Retriever
from ..engine.services.editing.service import EditingService
from ..engine.services.entity_lookup import choose_documents, get_entity_id, write_name
from ..engine.services.library import Library
from ..engine.services.library_reader import LibraryReader
from ..engine.store.db import Db

MAX_PASSAGE_CHARS = 20_000  # of one answer to a program; a longer text is read in parts
MAX_EVIDENCE = 20
MAX_CLIENT_CHARS = 60


class EditingRefused(UserError):
    """A change was asked for that this server does not make."""


@dataclass(frozen=True)
class Models:
    """What the servers need of the model registry."""

    find_chat: Callable[[], ChatModel | None]
    find_embedder: Callable[[], Embedder | None]
    find_reranker: Callable[[], Reranker | None] = lambda: None
    embedding_name: Callable[[], str] = lambda: ""


class SharedRetriever(Retriever):
    """A retriever that several threads use in turn, because its index may take much memory."""

    def __init__(self, db: Db, models: Models) -> None:
        super().__init__(db, models.find_embedder, models.find_reranker)
        self._turn = threading.RLock()

    def find(self, question: str, param: QueryParam = QueryParam()) -> RetrievalResult:
        with self._turn:
            return super().find(question, param)

    def fetch_state(self, param: QueryParam) -> Hashable:
        with self._turn:
            return super().fetch_state(param)

    def rank_communities(self, question: str, param: QueryParam) -> CommunityRanking:
        with self._turn:
            return super().rank_communities(question, param)

    def rate_texts(self, question: str, texts: Sequence[str]) -> list[float]:
        with self._turn:
            return super().rate_texts(question, texts)

    def find_names(self, text: str) -> list[str]:
        with self._turn:
            return super().find_names(text)


class LibraryAccess:
    """Reads, asks and changes one library for other programs.

    All methods may be called from any thread; those that read use a connection of the thread.

    Args:
        may_edit: whether `editing` and `writing` give the connection that writes.

    Raises:
        UserError, EnvironmentProblem: as the services that are called.
    """

    def __init__(self, library: Library, models: Models, *, may_edit: bool = False) -> None:
        self.library, self.models, self.may_edit = library, models, may_edit
        self.name = library.path.stem
        status = library.path.stat()
        self._file_id = (status.st_dev, status.st_ino)
        self._local = threading.local()
        self._opening = threading.Lock()
        self._asking, self._writing = threading.Lock(), threading.Lock()
        # It only reads: no call of a model is stored. All three have the same connection, so that
        # communities that are not in the file are computed in memory once.
        db = library.reader()
        retriever = SharedRetriever(db, models)
        self._search = AnswerPipeline(retriever, db, lambda: None)
        self._answers = AnswerPipeline(retriever, db, models.find_chat)

    @property
    def reader(self) -> LibraryReader:
        """The reader of the calling thread.

        Raises:
            EnvironmentProblem: the library is no longer where it was opened.
        """
        self.check_place()
        if not hasattr(self._local, "reader"):
            with self._opening:
                self._local.reader = LibraryReader(self.library.reader())
        found: LibraryReader = self._local.reader
        return found

    def check_place(self) -> None:
        """Raise if the library's file was moved, deleted or replaced since it was opened."""
        try:
            status = self.library.path.stat()
        except OSError:
            status = None
        if status is None or (status.st_dev, status.st_ino) != self._file_id:
            raise EnvironmentProblem(
                "The library “{name}” was moved, deleted or replaced.",
                "Start the server again with the place where it is now.",
                name=self.library.path.name,
            )

    # --- documents ------------------------------------------------------------------------------

    def list_documents(self) -> list[dict[str, Any]]:
        return [describe_document(row) for row in self.reader.list_documents()]

    def get_document(self, document_id: int) -> DocumentRow:
        return self.reader.get_document(document_id)

    def read_passage(self, document_id: int, start: int = 0, end: int = 0) -> dict[str, Any]:
        """Return part of the text of a document, with the pages and headings in it.

        Args:
            start, end: offsets in characters; `end` 0 is as far as one answer goes.
        """
        reader = self.reader
        row = reader.get_document(document_id)
        text = reader.fetch_text(document_id)
        if not 0 <= start <= len(text):
            raise UserError(
                "The text of “{title}” has {n} characters; there is no offset {start}.",
                "Choose a smaller offset.",
                title=row.title,
                n=len(text),
                start=start,
            )
        last = min(end or len(text), len(text), start + MAX_PASSAGE_CHARS)
        pages = [page for page in reader.fetch_pages(document_id) if page.start < last]
        headings = [one for one in reader.fetch_outline(document_id) if one.start < last]
        return {
            "document": document_id,
            "title": row.title,
            "start": start,
            "end": max(start, last),
            "n_chars": len(text),
            "text": text[start:last],
            "pages": [
                {"page": page.number, "start": page.start} for page in pages if page.end > start
            ],
            "heading": next((one.title for one in reversed(headings) if one.start <= start), ""),
        }

    # --- names ----------------------------------------------------------------------------------

    def find_entities(self, text: str, limit: int = 20) -> list[dict[str, Any]]:
        return [build_entity_data(row) for row in self.reader.find_entities(text, limit)]

    def get_entity_id(self, name: str) -> int:
        return get_entity_id(self.reader, name)

    def get_entity(self, name: str) -> dict[str, Any]:
        """Return what is known about an entity, with sentences as evidence."""
        card = self.reader.get_entity(self.get_entity_id(name))
        mentions = self.reader.fetch_mentions(card.row.id, MAX_EVIDENCE)
        return describe_card(card, mentions)

    def list_neighbours(self, name: str, limit: int = 20) -> list[dict[str, Any]]:
        """Return the relations of an entity, the strongest first."""
        reader = self.reader
        relations = reader.fetch_relations(get_entity_id(reader, name), limit)
        return [build_relation_data(row) for row in relations]

    def list_events(self, name: str, limit: int = 100) -> list[dict[str, Any]]:
        """Return the events in which an entity takes part, in the order of the text."""
        reader = self.reader
        return [
            build_event_data(row) for row in reader.list_events(get_entity_id(reader, name), limit)
        ]

    def find_paths(self, source: str, target: str) -> list[dict[str, Any]]:
        """Return paths between two entities, each relation with its sentences."""
        reader = self.reader
        paths = reader.graph.find_paths(
            get_entity_id(reader, source), get_entity_id(reader, target)
        )
        return [
            {
                "how": path.how,
                "names": [write_name(row) for row in path.entities],
                "steps": [
                    {
                        **build_relation_data(step.relation),
                        "evidence": [describe_mention(row) for row in step.evidence],
                    }
                    for step in path.steps
                ],
            }
            for path in paths
        ]

    def list_reports(self) -> list[dict[str, Any]]:
        """Return the communities whose reports can be read, the largest first."""
        communities = CommunityReader(self.reader.db)
        return [
            {"community": row.id, "title": row.title, "level": row.level, "n_names": row.n_members}
            for row in communities.tree()
            if not row.is_loose
        ]

    def get_report(self, community_id: int) -> str:
        """Return the report of a community as Markdown, made without a model if none is stored."""
        report = CommunityReader(self.reader.db).get_report(community_id)
        findings = [f"## {one.headline}\n\n{one.text}" for one in report.findings]
        return "\n\n".join([f"# {report.title}", report.summary, *findings])

    def find_relation(self, source: int, target: int) -> RelationRow | None:
        """Return the relation between two entities, whichever is its source."""
        found = self.reader.graph.exactly([source, target]).relations
        return next((row for row in found if row.source_id != row.target_id), None)

    # --- questions ------------------------------------------------------------------------------

    def search(self, question: str, param: QueryParam) -> dict[str, Any]:
        """Return the passages, names and relations for a question; no chat model is called."""
        self.check_place()
        return self._search.query_data(question, param)

    def choose_documents(self, titles: Sequence[str]) -> tuple[DocumentId, ...] | None:
        return choose_documents(self.reader, titles)

    def answer(
        self,
        question: str,
        param: QueryParam = QueryParam(),
        cancel: CancelToken | None = None,
        on_step: ProgressCallback = ignore_progress,
    ) -> Answer:
        """Return the checked answer to a question; questions wait for each other.

        What the model writes on the way is a draft until its sentences were compared with their
        passages, and is not given out.

        Raises:
            Cancelled: the token was set before the question's turn.
        """
        self.check_place()
        cancel = cancel or CancelToken()
        while not self._asking.acquire(timeout=0.1):
            cancel.check()
        try:
            found = None
            for piece in self._answers.query_stream(
                question, param, cancel=cancel, on_step=on_step
            ):
                if isinstance(piece, Answer):
                    found = piece
        finally:
            self._asking.release()
        assert found is not None
        return found

    # --- changes --------------------------------------------------------------------------------

    @contextmanager
    def writing(self, client: str) -> Iterator[Db]:
        """Give the connection that writes; edits are labelled with the name of a program.

        Raises:
            EditingRefused: the server was started for reading only.
        """
        if not self.may_edit:
            raise EditingRefused(
                "This server only reads the library.", "Start it with --allow-edit to change it."
            )
        self.check_place()
        shown = "".join(c if c.isprintable() else " " for c in client)  # also in a terminal
        name = " ".join(shown.split())[:MAX_CLIENT_CHARS] or "unnamed program"
        with self._writing, self.library.writer.edits_of(name):
            yield self.library.writer

    @contextmanager
    def editing(self, client: str) -> Iterator[EditingService]:
        """Give the service that changes names and relations; each call is one undoable edit."""
        with self.writing(client) as writer:
            yield EditingService(writer)


# --- rows as plain data -------------------------------------------------------------------------


def describe_document(row: DocumentRow) -> dict[str, Any]:
    return {
        "document": row.id,
        "title": row.title,
        "file_name": row.file_name,
        "author": row.author,
        "year": row.year,
        "language": row.language,
        "format": row.format,
        "state": row.state,
        "n_chars": row.n_chars,
        "n_pages": row.n_pages,
    }


def build_entity_data(row: EntityRow) -> dict[str, Any]:
    return {
        "name": write_name(row),
        "type": row.type,
        "n_mentions": row.n_mentions,
        "n_relations": row.n_relations,
        "n_documents": row.n_documents,
        "description": row.description,
    }


def describe_card(card: EntityCard, mentions: Sequence[MentionRow]) -> dict[str, Any]:
    return {
        **build_entity_data(card.row),
        "aliases": list(card.aliases),
        "description": card.description,
        "mentions": [describe_mention(row) for row in mentions],
    }


def describe_mention(row: MentionRow) -> dict[str, Any]:
    return {
        "document": row.document_id,
        "title": row.document_title,
        "page": row.page_label,
        "heading": row.heading,
        "start": row.start,
        "end": row.end,
        "sentence": " ".join(row.sentence.split()),
    }


def build_relation_data(row: RelationRow) -> dict[str, Any]:
    return {
        "source": row.source,
        "target": row.target,
        "kind": row.kind,
        "direction": DIRECTIONS[row.direction],
        "weight": round(row.weight, 3),
        "keywords": list(row.keywords),
        "description": row.description,
        "n_sentences": row.n_evidence,
        "document": row.document_id,
        "start": row.sentence_start,
        "end": row.sentence_end,
        "sentence": " ".join(row.sentence.split()),
    }


def build_event_data(row: EventRow) -> dict[str, Any]:
    actors, patients, places = (row.list_names(role) for role in EVENT_ROLES)
    return {
        "event": row.id,
        "kind": row.kind,
        "actors": actors,
        "patients": patients,
        "places": places,
        "document": row.document_id,
        "title": row.document_title,
        "page": row.page_label,
        "heading": row.heading,
        "start": row.start,
        "end": row.end,
        "sentence": " ".join(row.sentence.split()),
        "is_edited": row.is_edited,
    }


def describe_citation(one: Citation) -> dict[str, Any]:
    return {
        "number": one.number,
        "document": one.document_id,
        "title": one.title,
        "page": one.page_label,
        "start": one.start,
        "end": one.end,
        "quote": " ".join(one.quote.split()),
    }


def describe_answer(answer: Answer) -> dict[str, Any]:
    """Return an answer with its citations and passages."""
    return {
        "answer": answer.text,
        "model": answer.model,
        "citations": [describe_citation(one) for one in answer.citations],
        "passages": [describe_passage(one) for one in answer.found.passages],
    }
