"""Indexing: queued documents are read, chunked, extracted, added to the graph and embedded.

`IndexingService.run` is the whole pipeline. Every step is a checkpoint: a document's text and
chunks in one transaction, then evidence chunk by chunk, then vectors batch by batch. After an
interruption, `run` continues from there.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from ..changes import ChangeSet
from ..errors import AppError, Cancelled, PasswordNeeded, UserError
from ..extraction.instant import InstantExtractor, guess_language
from ..graph.name_linking import strip_title
from ..graph.names import normalise_name
from ..llm.protocols import Embedder
from ..messages import NO_MESSAGE, Message
from ..model import ChunkEvidence, ChunkSpan, DocumentId, Mention, ReadDocument
from ..progress import CancelToken, Clock, Progress, ProgressCallback, ignore_progress
from ..scheduler import Priority, WorkScheduler
from ..store import documents, evidence, graph, search
from ..store.db import Db
from ..store.document_metadata import apply_details
from ..text.chunking import (
    ChunkingSettings,
    chunk_text,
    load_tiktoken_counter,
    split_sentences,
    split_windows,
)
from ..text.reader_process import DocumentReader, shared_reader
from .document_passwords import shared_passwords
from .documents import load_chunking, store_chunking
from .graph_update import update_graph

log = logging.getLogger(__name__)

STRATEGY = "instant"
BATCH = 16
UPDATE_GRAPH_EVERY_S = 12.0
REPORT_EVERY_S = 5.0
ROWS_A_BATCH = 200  # documents of a table that are stored in one transaction
MAX_ATTEMPTS = 3  # starts of reading a file that ended with the process
# About three sentences; the counter's vocabulary takes 1.4 tokens for a Chinese character.
WINDOW_TOKENS = {"en": 100, "zh": 170, "ja": 170, "ko": 170}


@dataclass(frozen=True, slots=True)
class DocumentExtraction:
    """The chunks of a document, those that already have evidence, and the evidence of the rest."""

    chunks: Sequence[tuple[int, ChunkSpan]]
    done: frozenset[int]
    evidence: Iterator[ChunkEvidence]


class IndexingService:
    """Indexes queued documents; one run at a time.

    Args:
        db: the read-write connection.
        find_embedder: gives the embedding model, None where none is installed.
        scheduler: makes the work pause while more urgent work needs the processor.
        reader: reads files in a child process.
    """

    def __init__(
        self,
        db: Db,
        find_embedder: Callable[[], Embedder | None],
        chunking: ChunkingSettings | None = None,
        scheduler: WorkScheduler | None = None,
        reader: DocumentReader | None = None,
    ) -> None:
        self._db = db
        self._reader = reader or shared_reader()
        self._find_embedder = find_embedder
        self.chunking = chunking or ChunkingSettings()  # of documents read from now on
        self._scheduler = scheduler or WorkScheduler()
        self._extractor = InstantExtractor(split_sentences)
        self._name_ids = evidence.NameIds(db, normalise_name)

    def run(
        self,
        *,
        cancel: CancelToken | None = None,
        on_progress: ProgressCallback = ignore_progress,
        on_change: Callable[[ChangeSet], None] = lambda change: None,
        embed: bool = True,
    ) -> None:
        """Work until every document is ready and embedded.

        Raises:
            Cancelled: the token was set; finished work stays, and a later run continues.
        """
        self._on_progress, self._on_change = on_progress, on_change
        self._graph_updated_at = time.monotonic()
        with self._scheduler.hold(Priority.IMPORT, cancel) as permit:
            self._permit = permit
            while True:
                permit.cancel.check()
                document_id = documents.find_next_to_index(self._db)
                if document_id is not None:
                    with self._recording_failure(document_id):
                        found = self._read(document_id)
                        self._chunk(document_id, found)
                        extraction = self._extract(document_id)
                        self._store(document_id, extraction)
                self._build_graph()
                if not self._has_waiting() and (not embed or self._embed()):
                    return

    # --- the steps, in order ----------------------------------------------------------------------

    def _read(self, document_id: DocumentId) -> list[ReadDocument]:
        """Return the documents in a file, one per row of a table; empty if chunks are stored."""
        if documents.find_state(self._db, document_id) == "indexing":
            return []
        row = documents.find_document(self._db, document_id)
        content = documents.fetch_original(self._db, document_id)
        if row is None or content is None:
            raise UserError("The document's file is missing from the library.", "Add it again.")
        with self._db.transaction():
            documents.set_state(self._db, document_id, "reading")
            documents.clear_source(self._db, document_id)
            n_attempts = documents.count_attempt(self._db, document_id)
        if n_attempts > MAX_ATTEMPTS:
            raise UserError(
                "Inkgraph ended unexpectedly each time it read this file.",
                "Retry it, or convert it to another format.",
            )
        self._on_progress(Progress("reading", document_id=document_id))
        passwords = shared_passwords()
        password = passwords.find(content)
        try:
            found = self._reader.read(
                content,
                row.file_name,
                password=password,
                cancel=self._permit.cancel,
                on_page=lambda done, total: self._on_progress(
                    Progress("reading", done, total, document_id=document_id)
                ),
            )
        except PasswordNeeded:
            passwords.forget(content)
            raise
        if password is not None:
            passwords.confirm(content)
        return found

    def _chunk(self, document_id: DocumentId, found: Sequence[ReadDocument]) -> None:
        """Split documents into chunks and windows, and store these with the texts.

        The rows of a table are stored in batches. The first row, which has the file, comes last:
        until then the file counts as not read, so an interrupted table is read again.
        """
        if not found:
            return
        chunking = load_chunking(self._db, document_id) or self.chunking
        with self._db.transaction():
            deleted = documents.delete_rows_from(self._db, document_id, len(found))
        if deleted:
            self._on_change(ChangeSet(documents=frozenset(deleted)))
        known = documents.fetch_row_documents(self._db, document_id) if len(found) > 1 else {}
        for first in range(1, len(found), ROWS_A_BATCH):
            self._permit.checkpoint()
            chunked = [
                (number, chunk_document(found[number], chunking, self._permit.cancel))
                for number in range(first, min(first + ROWS_A_BATCH, len(found)))
            ]
            changed: set[int] = set()
            with self._db.transaction():
                if documents.find_state(self._db, document_id) != "reading":
                    return  # stopped or deleted in the meantime
                for number, one in chunked:
                    own_id = known.get(number)
                    if own_id is None:
                        own_id = documents.add_row_document(self._db, document_id, number)
                    else:
                        documents.clear_source(self._db, own_id)
                    self._store_text(own_id, one)
                    changed.add(own_id)
            self._on_progress(
                Progress("reading", first + len(chunked), len(found), document_id=document_id)
            )
            self._on_change(ChangeSet(documents=frozenset(changed)))
        one = chunk_document(found[0], chunking, self._permit.cancel)
        with self._db.transaction():
            if documents.find_state(self._db, document_id) != "reading":
                return
            documents.clear_attempts(self._db, document_id)
            store_chunking(self._db, document_id, chunking)
            self._store_text(document_id, one)
        self._on_change(ChangeSet(documents=frozenset({document_id})))

    def _store_text(self, document_id: int, chunked: ChunkedDocument) -> None:
        documents.store_read(self._db, document_id, chunked.read, chunked.chunks, chunked.windows)
        apply_details(self._db, document_id)

    def _extract(self, document_id: DocumentId) -> DocumentExtraction:
        """Return the names and relations of the chunks that have none; found while iterating."""
        body = documents.find_body(self._db, document_id)
        if body is None:  # deleted in the meantime
            return DocumentExtraction((), frozenset(), iter(()))
        title, language, body_start, body_end = body
        text = documents.fetch_text(self._db, document_id) or ""
        chunks = documents.fetch_chunks(self._db, document_id)
        spans = {span.order: span for _, span in chunks}
        done = evidence.done_chunks(self._db, document_id, STRATEGY)
        found = self._extractor.extract(
            text,
            list(spans.values()),
            language,
            skip=done,
            cancel=self._permit.cancel,
            body=(body_start, body_end),
        )
        if len(text) <= search.SHORT_DOCUMENT_CHARS:
            found = (with_title(one, spans[one.chunk_order], title, text) for one in found)
        return DocumentExtraction(chunks, done, found)

    def _store(self, document_id: DocumentId, extraction: DocumentExtraction) -> None:
        """Store evidence chunk by chunk, unless the document is stopped or deleted meanwhile."""
        chunk_ids = {span.order: chunk_id for chunk_id, span in extraction.chunks}
        n_done, n_chunks = len(extraction.done), len(extraction.chunks)
        clock = Clock(n_chunks - n_done)
        self._on_progress(Progress("names", n_done, n_chunks, document_id=document_id))
        with self._db.transaction():
            graph.mark_graph_stale(self._db)
        for one in extraction.evidence:
            clock.leave_out(self._permit.checkpoint())
            if documents.find_state(self._db, document_id) != "indexing":
                return
            chunk_id = chunk_ids[one.chunk_order]
            with self._db.transaction():
                evidence.store_evidence(
                    self._db, document_id, chunk_id, one, self._name_ids, strategy=STRATEGY
                )
            n_done += 1
            clock.tick()
            self._on_progress(
                Progress("names", n_done, n_chunks, clock.rate, clock.left_s, document_id)
            )
        with self._db.transaction():
            documents.finish_indexing(self._db, document_id)

    def _build_graph(self) -> None:
        """Update the graph from the evidence; every few seconds while documents wait."""
        is_due = time.monotonic() - self._graph_updated_at > UPDATE_GRAPH_EVERY_S
        if not graph.is_graph_stale(self._db) or (self._has_waiting() and not is_due):
            return
        self._on_progress(Progress("graph"))
        with self._db.transaction():
            change = update_graph(self._db)
            graph.mark_graph_stale(self._db, False)
        self._graph_updated_at = time.monotonic()
        self._on_change(change)

    def _embed(self) -> bool:
        """Embed what has no vector yet; False if new documents wait to be read first.

        Takes long, so less urgent work runs meanwhile.
        """
        embedder = self._find_embedder() if search.has_windows(self._db) else None
        if embedder is None:
            return True
        if search.find_embedding_model(self._db) != (embedder.name, embedder.dim):
            with self._db.transaction():
                search.ensure_vector_index(self._db, embedder.name, embedder.dim)
        clock = Clock(total := search.count_unembedded(self._db))
        n_done = after = 0  # each batch starts after the last one: finished windows are skipped
        changed: set[int] = set()
        reported_at = time.monotonic()
        try:
            with self._permit.suspended():
                while not self._has_waiting():
                    self._permit.checkpoint()
                    batch = search.fetch_unembedded(self._db, BATCH, after)
                    if not batch and after == 0:
                        return True
                    if not batch:
                        after = 0  # ids of deleted windows may have been reused
                        continue
                    after = batch[-1][0]
                    vectors = embedder.embed_passages([text for _, text in batch])
                    ids = [window_id for window_id, _ in batch]
                    with self._db.transaction():
                        search.store_vectors(self._db, ids, vectors)
                    changed |= search.fetch_window_documents(self._db, ids)
                    n_done += len(batch)
                    clock.tick(len(batch))
                    self._on_progress(
                        Progress("embedding", n_done, total, clock.rate, clock.left_s)
                    )
                    if time.monotonic() - reported_at > REPORT_EVERY_S:
                        reported_at = time.monotonic()
                        self._on_change(ChangeSet(documents=frozenset(changed)))
                        changed.clear()
        finally:
            if changed:
                self._on_change(ChangeSet(documents=frozenset(changed)))
        return False

    # --- around the steps -------------------------------------------------------------------------

    def _has_waiting(self) -> bool:
        return documents.find_next_to_index(self._db) is not None

    @contextmanager
    def _recording_failure(self, document_id: DocumentId) -> Iterator[None]:
        """Store why a document cannot be indexed; the others continue."""
        reason = NO_MESSAGE
        try:
            yield
        except Cancelled:
            self._name_ids.forget()
            with self._db.transaction():
                documents.clear_attempts(self._db, document_id)
            raise
        except AppError as error:
            reason = error.full_message
        except MemoryError:
            reason = Message("It needs more memory than this computer has free.")
        except Exception:
            log.exception("document %d can't be indexed", document_id)
            reason = Message("Inkgraph stumbled over this file: a bug. The log says where.")
        finally:
            if reason:
                self._name_ids.forget()
                with self._db.transaction():
                    documents.set_state(self._db, document_id, "failed", reason)
            self._on_change(ChangeSet(documents=frozenset({document_id})))


@dataclass(frozen=True, slots=True)
class ChunkedDocument:
    """A document in chunks; `windows` has one list of (start, end) per chunk."""

    read: ReadDocument
    chunks: list[ChunkSpan]
    windows: list[list[tuple[int, int]]]


def chunk_document(
    read: ReadDocument, settings: ChunkingSettings, cancel: CancelToken
) -> ChunkedDocument:
    """Split a document into chunks and windows, by its stated or detected language."""
    if read.language == "und":
        guessed = guess_language(read.text[read.body_start : read.body_end])
        read = replace(read, language=guessed)
    count_tokens = load_tiktoken_counter()
    chunks = chunk_text(read.text, read.outline, read.language, settings, count_tokens)
    windows = []
    for chunk in chunks:
        cancel.check()
        windows.append(
            split_windows(
                read.text,
                chunk.start,
                chunk.end,
                read.language,
                target_tokens=WINDOW_TOKENS.get(read.language, WINDOW_TOKENS["en"]),
                count_tokens=count_tokens,
            )
        )
    return ChunkedDocument(read, chunks, windows)


def with_title(found: ChunkEvidence, chunk: ChunkSpan, title: str, text: str) -> ChunkEvidence:
    """Add a short document's title as a name where the text has it and no mention overlaps."""
    name = strip_title(title)
    start = text.find(name, chunk.start, chunk.end) if len(name) >= 2 else -1
    if start < 0:
        return found
    end = start + len(name)
    if any(m.start < end and m.end > start for m in found.mentions):
        return found
    sentence_start, sentence_end = next(
        (
            (a + chunk.start, b + chunk.start)
            for a, b in split_sentences(text[chunk.start : chunk.end], "und")
            if a + chunk.start <= start < b + chunk.start
        ),
        (chunk.start, chunk.end),
    )
    mention = Mention(name, "other", start, end, sentence_start, sentence_end, 1.0)
    return replace(found, mentions=(*found.mentions, mention))
