"""Indexing: queued documents are read, chunked, extracted, added to the graph and embedded.

Every step is a checkpoint: a document's text and chunks in one transaction, then evidence chunk
by chunk, then vectors batch by batch. After an interruption, `run` continues from there.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from ..changes import EVERYTHING, ChangeSet
from ..errors import AppError, Cancelled, UserError, msg
from ..extraction.instant import InstantExtractor, guess_language
from ..graph.name_linking import strip_title
from ..graph.names import normalise_name
from ..llm.protocols import Embedder
from ..model import ChunkEvidence, ChunkSpan, DocumentId, Mention, ReadDocument
from ..progress import CancelToken, Clock, Progress, ProgressCallback, ignore_progress
from ..store import documents, evidence, jobs, library_settings, search
from ..store.db import Db
from ..store.document_metadata import apply_details
from ..store.library_settings import find_embedding_model
from ..text.chunking import (
    ChunkingSettings,
    chunk_text,
    load_tiktoken_counter,
    split_sentences,
    split_windows,
)
from ..text.reading import read_bytes
from .documents import load_chunking, store_chunking
from .graph_update import update_graph

BATCH = 16


def embed_windows(
    db: Db,
    find_embedder: Callable[[], Embedder | None],
    may_go_on: Callable[[], bool],
    on_progress: ProgressCallback,
) -> bool:
    """Embed the windows that have no vector; True when none is left or there is no model.

    Args:
        may_go_on: asked before each batch; False ends the work early, and this returns False.
    """
    if not search.has_windows(db):
        return True
    embedder = find_embedder()
    if embedder is None:
        return True
    if find_embedding_model(db) != (embedder.name, embedder.dim):
        with db.transaction():
            search.ensure_vector_index(db, embedder.name, embedder.dim)
    total = search.count_unembedded(db)
    done, clock = 0, Clock(total)
    after = 0  # each batch starts after the last one instead of skipping all finished windows
    while True:
        batch = search.fetch_unembedded(db, BATCH, after)
        if not batch:
            if after == 0:
                return True
            after = 0  # ids of deleted windows may have been reused
            continue
        if not may_go_on():
            return False
        after = batch[-1][0]
        vectors = embedder.embed_passages([text for _, text in batch])
        with db.transaction():
            search.store_vectors(db, [window_id for window_id, _ in batch], vectors)
        done += len(batch)
        clock.tick(len(batch))
        on_progress(Progress("embedding", done, total, clock.rate, clock.left_s))


# About three sentences; the counter's vocabulary takes 1.4 tokens for a Chinese character.
WINDOW_TOKENS = {"en": 100, "zh": 170, "ja": 170, "ko": 170}


@dataclass(frozen=True, slots=True)
class Prepared:
    """A chunked document; `windows` has one list of (start, end) per chunk."""

    read: ReadDocument
    chunks: list[ChunkSpan]
    windows: list[list[tuple[int, int]]]


def prepare(read: ReadDocument, settings: ChunkingSettings, cancel: CancelToken) -> Prepared:
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
    return Prepared(read, chunks, windows)


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


log = logging.getLogger(__name__)

STRATEGY = "instant"
UPDATE_GRAPH_EVERY_S = 12.0
REPORT_EVERY_S = 5.0
MAX_WAIT_S = 120.0
MAX_ATTEMPTS = 3  # starts of reading a file that ended with the process


class IndexingService:
    """Indexes queued documents.

    Args:
        db: the read-write connection.
        find_embedder: gives the embedding model, None where none is installed.
        should_yield: true while more urgent work needs the processor.
    """

    def __init__(
        self,
        db: Db,
        find_embedder: Callable[[], Embedder | None],
        chunking: ChunkingSettings | None = None,
        should_yield: Callable[[], bool] = lambda: False,
    ) -> None:
        self._db = db
        self._find_embedder = find_embedder
        self._chunking = chunking or ChunkingSettings()
        self._should_yield = should_yield
        self._extractor = InstantExtractor(split_sentences)
        self._name_ids = evidence.NameIds(db, normalise_name)

    def use_chunking(self, chunking: ChunkingSettings) -> None:
        """Set the chunking for documents read from now on."""
        self._chunking = chunking

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
        cancel = cancel or CancelToken()
        while True:
            self._index_waiting(cancel, on_progress, on_change)
            if not embed or self._embed(cancel, on_progress, on_change):
                return

    def _index_waiting(
        self,
        cancel: CancelToken,
        on_progress: ProgressCallback,
        on_change: Callable[[ChangeSet], None],
    ) -> None:
        """Read every waiting document; the graph is updated every few seconds of work."""
        updated_at = time.monotonic()
        while (document_id := documents.find_next_to_index(self._db)) is not None:
            cancel.check()
            self._index(document_id, cancel, on_progress)
            if time.monotonic() - updated_at > UPDATE_GRAPH_EVERY_S:
                self._update_graph(on_progress)
                updated_at = time.monotonic()
            on_change(EVERYTHING)
        if library_settings.is_graph_stale(self._db):
            self._update_graph(on_progress)
            on_change(EVERYTHING)

    def _update_graph(self, on_progress: ProgressCallback) -> None:
        on_progress(Progress("graph"))
        update_graph(self._db)
        with self._db.transaction():
            library_settings.mark_graph_stale(self._db, False)

    # --- one document -----------------------------------------------------------------------------

    def _index(
        self, document_id: DocumentId, cancel: CancelToken, on_progress: ProgressCallback
    ) -> None:
        try:
            if documents.find_state(self._db, document_id) != "indexing":
                self._read(document_id, cancel, on_progress)
            self._find_names(document_id, cancel, on_progress)
        except Cancelled:
            with self._db.transaction():
                jobs.clear_attempts(self._db, "index", document_id)
            raise
        except AppError as error:
            self._fail(document_id, str(error))
        except MemoryError:
            self._fail(document_id, msg("It needs more memory than this computer has free."))
        except Exception:
            log.exception("document %d can't be indexed", document_id)
            self._fail(
                document_id,
                msg("Inkgraph stumbled over this file: a bug. The log says where."),
            )

    def _fail(self, document_id: DocumentId, reason: str) -> None:
        self._name_ids.forget()
        with self._db.transaction():
            documents.set_state(self._db, document_id, "failed", reason)

    def _read(
        self, document_id: DocumentId, cancel: CancelToken, on_progress: ProgressCallback
    ) -> None:
        row = documents.find_document(self._db, document_id)
        original = documents.fetch_original(self._db, document_id)
        if row is None or original is None:
            raise UserError("The document's file is missing from the library.", "Add it again.")
        with self._db.transaction():
            documents.set_state(self._db, document_id, "reading")
            documents.clear_source(self._db, document_id)
            n_attempts = jobs.count_attempt(self._db, "index", document_id)
        if n_attempts > MAX_ATTEMPTS:
            raise UserError(
                "Inkgraph ended unexpectedly each time it read this file.",
                "Retry it, or convert it to another format.",
            )
        on_progress(Progress("reading", document_id=document_id))
        content, password = original
        found = read_bytes(
            content,
            row.file_name,
            password=password or None,
            cancel=cancel,
            on_page=lambda done, total: on_progress(
                Progress("reading", done, total, document_id=document_id)
            ),
        )
        chunking = load_chunking(self._db, document_id) or self._chunking
        prepared = [prepare(read, chunking, cancel) for read in found]
        with self._db.transaction():
            jobs.clear_attempts(self._db, "index", document_id)
            store_chunking(self._db, document_id, chunking)
            documents.delete_rows_from(self._db, document_id, len(prepared))
            for number, one in enumerate(prepared):
                own_id = (
                    document_id
                    if number == 0
                    else documents.take_row_document(self._db, document_id, number)
                )
                documents.store_read(self._db, own_id, one.read, one.chunks, one.windows)
                apply_details(self._db, own_id)

    def _find_names(
        self, document_id: DocumentId, cancel: CancelToken, on_progress: ProgressCallback
    ) -> None:
        text = documents.fetch_text(self._db, document_id) or ""
        found_body = documents.find_body(self._db, document_id)
        if found_body is None:  # deleted in the meantime
            return
        title, language, body_start, body_end = found_body
        chunks = documents.fetch_chunks(self._db, document_id)
        chunk_ids = {span.order: chunk_id for chunk_id, span in chunks}
        done = evidence.done_chunks(self._db, document_id, STRATEGY)
        n_done, clock = len(done), Clock(len(chunks) - len(done))
        on_progress(Progress("names", n_done, len(chunks), document_id=document_id))
        with self._db.transaction():
            library_settings.mark_graph_stale(self._db)
        found = self._extractor.extract(
            text,
            [span for _, span in chunks],
            language,
            skip=done,
            cancel=cancel,
            body=(body_start, body_end),
        )
        spans = {span.order: span for _, span in chunks}
        for one in found:
            cancel.check()
            clock.leave_out(self._wait_while_busy(cancel))
            if not self._is_being_indexed(document_id):
                return
            if len(text) <= search.SHORT_DOCUMENT_CHARS:
                one = with_title(one, spans[one.chunk_order], title, text)
            try:
                with self._db.transaction():
                    evidence.store_evidence(
                        self._db,
                        document_id,
                        chunk_ids[one.chunk_order],
                        one,
                        self._name_ids,
                        strategy=STRATEGY,
                    )
            except BaseException:
                self._name_ids.forget()
                raise
            n_done += 1
            clock.tick()
            on_progress(
                Progress("names", n_done, len(chunks), clock.rate, clock.left_s, document_id)
            )
        with self._db.transaction():
            documents.finish_indexing(self._db, document_id)

    def _is_being_indexed(self, document_id: DocumentId) -> bool:
        """Return whether a document is still to be read, not stopped or deleted."""
        return documents.find_state(self._db, document_id) == "indexing"

    def _embed(
        self,
        cancel: CancelToken,
        on_progress: ProgressCallback,
        on_change: Callable[[ChangeSet], None],
    ) -> bool:
        """Embed what has no vector yet; False if new documents wait to be read first."""
        reported_at = time.monotonic()

        def may_go_on() -> bool:
            nonlocal reported_at
            cancel.check()
            self._wait_while_busy(cancel)
            if time.monotonic() - reported_at > REPORT_EVERY_S:
                reported_at = time.monotonic()
                on_change(ChangeSet(documents=frozenset({search.last_embedded(self._db)})))
            return documents.find_next_to_index(self._db) is None

        done = embed_windows(self._db, self._find_embedder, may_go_on, on_progress)
        on_change(EVERYTHING)
        return done

    def _wait_while_busy(self, cancel: CancelToken) -> float:
        """Wait while an answer needs the processor; return for how long."""
        began = time.monotonic()
        while self._should_yield() and time.monotonic() < began + MAX_WAIT_S:
            cancel.check()
            time.sleep(0.05)
        return time.monotonic() - began
