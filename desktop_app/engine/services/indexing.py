"""Indexing: queued documents are read, chunked, extracted, added to the graph and embedded.

`IndexingService.run` is the whole pipeline. Every step is a checkpoint: a document's text and
chunks in one transaction, then evidence chunk by chunk, then vectors batch by batch. After an
interruption, `run` continues from there. A document that has a text keeps it until a new version
of its file was read and has text (`store.file_versions`).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from filelock import FileLock, Timeout

from .. import paths
from ..changes import ChangeNotice
from ..errors import AppError, Cancelled, EnvironmentProblem, PasswordNeeded, UserError
from ..file_content import PIECE_BYTES
from ..garbage import release_freed_memory
from ..graph.name_linking import strip_title
from ..graph.names import normalise_name
from ..llm.protocols import Embedder
from ..llm.remote.contract import ServerGone
from ..messages import NO_MESSAGE, Message
from ..model import ChunkEvidence, ChunkSpan, DocumentId, Mention, ReadDocument
from ..person_names import split_authors
from ..progress import CancelToken, Clock, Progress, ProgressCallback, ignore_progress
from ..scanned_pages import ScannedTexts
from ..scheduler import Priority, WorkScheduler
from ..store import documents, evidence, file_versions, graph, scanned_pages, search
from ..store.db import Db
from ..store.document_metadata import apply_details
from ..store.file_versions import FileSource
from ..text.chunking import (
    ChunkingSettings,
    split_sentences,
)
from ..text.reader_process import DocumentReader
from .bibliography.marks import place_pending
from .document_analysis import (
    DocumentAnalysis,
    ExtractionInput,
    FileToRead,
    LocalAnalysis,
    list_chunk_spans,
)
from .document_passwords import shared_passwords
from .documents import load_chunking, store_chunking_settings
from .graph_update import update_graph
from .stored_figures import store_document_figures

log = logging.getLogger(__name__)

STRATEGY = "instant"
BATCH = 16
UPDATE_GRAPH_EVERY_S = 12.0
REPORT_EVERY_S = 5.0
ROWS_A_BATCH = 200  # documents of a table that are stored in one transaction
LOCK_INTERVAL_S = 0.3  # between two looks whether another process has ended its indexing
MAX_ATTEMPTS = 2  # starts of indexing a document that ended with the process
# A new version of a file with less text than both replaces the present text only if the user wants
# it: a file that a program or a network share emptied or cut off, or a notice in its place. A
# short note may become shorter, and of a long book a chapter may remain.
MIN_SHARE = 0.1  # of the present text
MIN_CHARS = 1000


@dataclass(frozen=True, slots=True)
class DocumentExtraction:
    """The chunks of a document, those that already have evidence, and the evidence of the rest."""

    chunks: Sequence[tuple[int, ChunkSpan]]
    done: frozenset[int]
    evidence: Iterator[ChunkEvidence]


def _try_lock(lock: FileLock) -> bool:
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return False
    return True


_ENDED_UNEXPECTEDLY = Message("Inkgraph ended unexpectedly each time it read this file.")


class IndexingService:
    """Indexes queued documents; one run at a time.

    Args:
        db: the read-write connection.
        find_embedder: gives the embedding model, None where none is installed.
        scheduler: makes the work pause while more urgent work needs the processor.
        reader: reads files in a child process; for `analysis` where that is not given.
        analysis: reads files, splits texts and extracts evidence.
        batch: windows whose vectors are computed together and stored in one transaction.
    """

    def __init__(
        self,
        db: Db,
        find_embedder: Callable[[], Embedder | None],
        chunking: ChunkingSettings | None = None,
        scheduler: WorkScheduler | None = None,
        reader: DocumentReader | None = None,
        analysis: DocumentAnalysis | None = None,
        batch: int = BATCH,
    ) -> None:
        self._db = db
        self._analysis = analysis or LocalAnalysis(reader)
        self._find_embedder = find_embedder
        self._batch = batch
        self.chunking = chunking or ChunkingSettings()  # of documents read from now on
        self._scheduler = scheduler or WorkScheduler()
        self._name_ids = evidence.NameIds(db, normalise_name)
        # texts of pages of the file that is being read
        self._scanned: ScannedTexts = {}
        # The document that is being indexed, and the token that stops it and not the run.
        self._current: tuple[DocumentId | None, CancelToken] = (None, CancelToken())

    def run(
        self,
        *,
        cancel: CancelToken | None = None,
        on_progress: ProgressCallback = ignore_progress,
        on_change: Callable[[ChangeNotice], None] = lambda change: None,
        embed: bool = True,
    ) -> None:
        """Work until every document is ready and embedded.

        Raises:
            Cancelled: the token was set; finished work stays, and a later run continues.
        """
        if not self._db.is_writable:
            return
        self._on_progress, self._on_change = on_progress, on_change
        self._graph_updated_at = time.monotonic()
        with (
            self._scheduler.hold(Priority.IMPORT, cancel) as permit,
            self._hold_lock(permit.cancel),
        ):
            self._permit = permit
            while True:
                permit.cancel.check()
                document_id = documents.find_next_to_index(self._db)
                if document_id is not None:
                    self._current = (document_id, CancelToken(permit.cancel))
                    try:
                        self._index(document_id)
                    except Cancelled:
                        permit.cancel.check()  # otherwise only this document was stopped
                    finally:
                        self._current = (None, permit.cancel)
                self._build_graph()
                if not self._has_waiting() and (not embed or self._embed()):
                    return

    @contextmanager
    def _hold_lock(self, cancel: CancelToken) -> Iterator[None]:
        """Wait until no other process of this user indexes the library: both would take one file.

        The system releases the lock of a process that ends.
        """
        lock = FileLock(paths.lock_file(self._db.path))
        try:
            Path(lock.lock_file).parent.mkdir(parents=True, exist_ok=True)
            while not _try_lock(lock):
                cancel.wait(LOCK_INTERVAL_S)
        except OSError as error:  # nothing can be written there: as before there was a lock
            log.info("indexing without a lock: %s", error)
        try:
            yield
        finally:
            lock.release()

    def stop_documents(self, document_ids: Iterable[int]) -> None:
        """Stop the work on documents whose state says that they are stopped, or that are gone.

        From any thread. The run goes on with the next document.
        """
        document_id, token = self._current
        if document_id in set(document_ids):
            token.cancel()

    @property
    def _cancel(self) -> CancelToken:
        return self._current[1]

    # --- the steps, in order ----------------------------------------------------------------------

    def _index(self, document_id: DocumentId) -> None:
        started = time.monotonic()
        with self._recording_failure(document_id) as attempt:
            attempt.source = source = self._begin(document_id)
            if source is not None:
                is_large = source.content.size > PIECE_BYTES
                with self._db.small_cache() if is_large else nullcontext():
                    found = self._read(document_id, source)
                    if is_large:
                        release_freed_memory()  # of the pieces that it came in
                    self._store_chunks(document_id, source, found)
                    del found
                if is_large:
                    release_freed_memory()
                attempt.source = None
            if documents.find_state(self._db, document_id) == "indexing":
                extraction = self._extract(document_id)
                self._store_evidence(document_id, extraction)
                log.info(
                    "document %d: %d chunks in %.2f s",
                    *(document_id, len(extraction.chunks), time.monotonic() - started),
                )

    def _begin(self, document_id: DocumentId) -> FileSource | None:
        """Count an attempt; return the file to read, None if the text is stored already."""
        with self._db.transaction():
            n_attempts = documents.count_attempt(self._db, document_id)
            is_stored = documents.find_state(self._db, document_id) == "indexing"
            source = None if is_stored else file_versions.find_file_to_read(self._db, document_id)
            if source is not None and not source.is_new:
                documents.set_state(self._db, document_id, "reading")
            elif source is not None:
                documents.ensure_job(self._db, document_id, started=True)
        if n_attempts > MAX_ATTEMPTS:
            if source is not None and source.is_new:
                self._refuse(document_id, source, _ENDED_UNEXPECTEDLY)
                return None
            raise UserError(_ENDED_UNEXPECTEDLY, "Retry it, or convert it to another format.")
        if source is None and not is_stored:
            self._give_up(document_id)
        return source

    def _give_up(self, document_id: DocumentId) -> None:
        """Take a document out of the queue of which no file is there to be read."""
        if not documents.has_text(self._db, document_id):
            raise UserError("The document's file is missing from the library.", "Add it again.")
        with self._db.transaction():
            waiting = file_versions.find_new_version(self._db, document_id)
            if waiting is not None:
                reason = Message("This version of the file is no longer kept.")
                file_versions.refuse_version(self._db, document_id, waiting[0], reason)
            documents.drop_job(self._db, document_id)

    def _read(self, document_id: DocumentId, source: FileSource) -> list[ReadDocument]:
        """Return the documents in a file, one per row of a table."""
        row = documents.find_document(self._db, document_id)
        if row is None:  # deleted in the meantime
            return []
        self._on_progress(Progress("reading", document_id=document_id))
        is_other = source.is_new and not source.is_same  # pages that were read are of another file
        self._scanned = {} if is_other else scanned_pages.fetch_texts_of_file(self._db, document_id)
        passwords = shared_passwords()
        password = passwords.find(source.content)
        file = FileToRead(
            document_id, source.sha256, row.file_name, source.content, password, self._scanned
        )
        try:
            found = self._analysis.read(
                file,
                cancel=self._cancel,
                on_page=lambda done, total: self._on_progress(
                    Progress("reading", done, total, document_id=document_id)
                ),
            )
        except PasswordNeeded:
            passwords.forget(source.content)
            raise
        if password is not None:
            passwords.confirm(source.content)
        return found

    def _store_chunks(
        self, document_id: DocumentId, source: FileSource, found: Sequence[ReadDocument]
    ) -> None:
        """Split documents into chunks and windows, and store these with the texts.

        The rows of a table are stored in batches. The first row, which has the file, comes last:
        until then the file counts as not read, so an interrupted table is read again. A new
        version replaces all rows of the old one at once.
        """
        if not found or not self._has_enough_text(document_id, source, found):
            return
        chunking = load_chunking(self._db, document_id) or self.chunking
        if source.is_new:
            self._replace_text(document_id, source, found, chunking)
            return
        known = documents.fetch_row_documents(self._db, document_id)
        for first in range(1, len(found), ROWS_A_BATCH):
            self._permit.checkpoint()
            chunked = [
                (number, self._split(found[number], chunking))
                for number in range(first, min(first + ROWS_A_BATCH, len(found)))
            ]
            changed: set[int] = set()
            with self._db.transaction():
                if not self._is_wanted(document_id, source):
                    return
                for number, one in chunked:
                    own_id = known.get(number)
                    if own_id is None:
                        own_id = documents.add_row_document(self._db, document_id, number)
                    self._store_text(own_id, one, source)
                    changed.add(own_id)
            self._on_progress(
                Progress("reading", first + len(chunked), len(found), document_id=document_id)
            )
            self._on_change(ChangeNotice(documents=frozenset(changed)))
        self._delete_rows([i for number, i in sorted(known.items()) if number >= len(found)])
        one = self._split(found[0], chunking)
        with self._db.transaction():
            if not self._is_wanted(document_id, source):
                return
            documents.set_attempts(self._db, document_id, 1)
            store_chunking_settings(self._db, document_id, chunking)
            self._store_text(document_id, one, source)
        self._on_change(ChangeNotice(documents=frozenset({document_id})))

    def _split(self, read: ReadDocument, settings: ChunkingSettings) -> ChunkedDocument:
        split = self._analysis.split(read, settings, self._cancel)
        return ChunkedDocument(replace(read, language=split.language), split.chunks, split.windows)

    def _replace_text(
        self,
        document_id: DocumentId,
        source: FileSource,
        found: Sequence[ReadDocument],
        chunking: ChunkingSettings,
    ) -> None:
        """Replace the text of a document, of a table that of all rows, in one transaction.

        Chunks are made before, since that takes as long as storing them: 10,000 rows are stored
        in 3 s. Stopping, cancelling and a kill leave the old version of all rows.
        """
        chunked: list[ChunkedDocument] = []
        for first in range(0, len(found), ROWS_A_BATCH):
            self._permit.checkpoint()
            batch = found[first : first + ROWS_A_BATCH]
            chunked += [self._split(read, chunking) for read in batch]
            if len(found) > 1:
                self._on_progress(
                    Progress("reading", len(chunked), len(found), document_id=document_id)
                )
        changed = {document_id}
        with self._db.transaction():
            if not self._is_wanted(document_id, source):
                return
            read_before = (
                scanned_pages.fetch_known_pages(self._db, document_id) if not source.is_same else {}
            )
            known = documents.fetch_row_documents(self._db, document_id)
            for number in range(1, len(found)):
                self._cancel.check()
                own_id = known.pop(number, None)
                if own_id is None:
                    own_id = documents.add_row_document(self._db, document_id, number)
                self._store_text(own_id, chunked[number], source)
                changed.add(own_id)
            if known:  # rows that the table no longer has
                graph.mark_graph_stale(self._db)
            for own_id in known.values():
                self._cancel.check()
                documents.delete_document(self._db, own_id)
                changed.add(own_id)
            documents.set_attempts(self._db, document_id, 1)
            store_chunking_settings(self._db, document_id, chunking)
            file_versions.take_version(self._db, document_id, source)
            if not source.is_same:
                scanned_pages.queue_again(
                    self._db, scanned_pages.fetch_ids_of_file(self._db, document_id)
                )
            self._store_text(document_id, chunked[0], source)
            if read_before:
                scanned_pages.keep_known_pages(self._db, document_id, read_before)
        self._on_change(ChangeNotice(documents=frozenset(changed)))

    def _has_enough_text(
        self, document_id: DocumentId, source: FileSource, found: Sequence[ReadDocument]
    ) -> bool:
        """Return whether the text may replace the present one; store the reason if it may not."""
        if not source.is_new:
            return True
        n_chars = sum(len(read.text.strip()) for read in found)
        n_before = file_versions.count_chars(self._db, document_id)
        is_short = n_chars < min(MIN_CHARS, MIN_SHARE * n_before)
        n_pictures = sum(len(read.pictures) for read in found)  # their text follows
        if n_pictures:
            n_pages = len(documents.fetch_pages(self._db, document_id))
            is_short = is_short and n_pictures < max(1, MIN_SHARE * n_pages)
        n_figures = sum(len(read.figures) for read in found)  # it may have nothing else
        if (n_chars or n_pictures or n_figures) and (source.is_accepted or not is_short):
            return True
        reason = Message(
            "The file changed, but its new version has almost no text left:"
            " {n:,} of {before:,} characters.",
            n=n_chars,
            before=n_before,
        )
        with self._db.transaction():
            # With 0 the user can't choose it; a picture may have a text.
            n_known = max(n_chars, n_pictures, n_figures)
            file_versions.refuse_version(self._db, document_id, source.sha256, reason, n_known)
        return False

    def _is_wanted(self, document_id: DocumentId, source: FileSource) -> bool:
        """Return whether the text is still to be stored: nobody stopped or replaced the file."""
        if source.is_new:
            return file_versions.is_waiting(self._db, document_id, source.sha256)
        row = self._db.row("SELECT state, sha256 FROM document WHERE id = ?", (document_id,))
        return row == ("reading", source.sha256)

    def _delete_rows(self, document_ids: Sequence[int]) -> None:
        """Delete the documents of rows that a table no longer has."""
        for first in range(0, len(document_ids), ROWS_A_BATCH):
            self._permit.checkpoint()
            batch = document_ids[first : first + ROWS_A_BATCH]
            with self._db.transaction():
                graph.mark_graph_stale(self._db)
                for own_id in batch:
                    documents.delete_document(self._db, own_id)
            self._on_change(ChangeNotice(documents=frozenset(batch)))

    def _store_text(self, document_id: int, chunked: ChunkedDocument, source: FileSource) -> None:
        if source.is_same and not source.is_more:  # its names are to be extracted again
            evidence.delete_extractions(self._db, document_id, STRATEGY)
        documents.clear_source(self._db, document_id)
        documents.store_read(self._db, document_id, chunked.read, chunked.chunks, chunked.windows)
        used = frozenset(self._scanned.get(chunked.read.place, ()))
        scanned_pages.note_pictures(self._db, document_id, chunked.read.pictures, used)
        store_document_figures(
            self._db,
            document_id,
            chunked.read,
            chunked.read.text,
            used,
            is_same_file=source.is_same or not source.is_new,
        )
        apply_details(self._db, document_id)
        place_pending(self._db, document_id)

    def _extract(self, document_id: DocumentId) -> DocumentExtraction:
        """Return the names and relations of the chunks that have none; found while iterating."""
        body = documents.find_body(self._db, document_id)
        if body is None:  # deleted in the meantime
            return DocumentExtraction((), frozenset(), iter(()))
        text = documents.fetch_text(self._db, document_id) or ""
        chunks = documents.fetch_chunks(self._db, document_id)
        spans = {span.order: span for _, span in chunks}
        done = evidence.done_chunks(self._db, document_id, STRATEGY)
        wanted = ExtractionInput(
            text,
            body.language,
            list_chunk_spans(list(spans.values())),
            (body.start, body.end),
            tuple(split_authors(body.author)),
        )
        found = self._analysis.extract(wanted, skip=done, cancel=self._cancel)
        # the subject of a letter says what it is about; it is no name
        if len(text) <= search.SHORT_DOCUMENT_CHARS and body.format != "eml":
            found = (
                add_title_as_name(one, spans[one.chunk_order], body.title, text) for one in found
            )
        return DocumentExtraction(chunks, done, found)

    def _store_evidence(self, document_id: DocumentId, extraction: DocumentExtraction) -> None:
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
                if n_done == len(extraction.done):
                    documents.set_attempts(self._db, document_id, 1)
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
        if change:
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
        clock = Clock(n_missing := search.count_unembedded(self._db))
        # the share of a document that was begun before a pause does not start at 0 again
        total = search.count_begun_windows(self._db) if n_missing else 0
        n_done = total - n_missing
        after = 0  # each batch starts after the last one: finished windows are skipped
        changed: set[int] = set()
        reported_at = time.monotonic()
        try:
            with self._permit.suspended():
                while not self._has_waiting():
                    clock.leave_out(self._permit.checkpoint())
                    batch = search.fetch_unembedded(self._db, self._batch, after)
                    if not batch and after == 0:
                        return True
                    if not batch:
                        after = 0  # ids of deleted windows may have been reused
                        continue
                    after = batch[-1][0]
                    try:
                        vectors = embedder.embed_passages([text for _, text in batch])
                    except ServerGone:  # goes on when it is back, with what has no vector yet
                        return True
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
                        self._on_change(ChangeNotice(documents=frozenset(changed)))
                        changed.clear()
        finally:
            if changed:
                self._on_change(ChangeNotice(documents=frozenset(changed)))
        return False

    # --- around the steps -------------------------------------------------------------------------

    def _has_waiting(self) -> bool:
        return documents.find_next_to_index(self._db) is not None

    @contextmanager
    def _recording_failure(self, document_id: DocumentId) -> Iterator[_Attempt]:
        """Store why a document cannot be indexed; the others continue.

        A problem of the machine, such as a full disk, is not the document's: the run ends, and the
        document stays in the queue.
        """
        attempt = _Attempt()
        reason, hint = NO_MESSAGE, NO_MESSAGE
        try:
            yield attempt
        except (Cancelled, EnvironmentProblem):
            self._name_ids.forget()
            with suppress(EnvironmentProblem), self._db.transaction():
                documents.set_attempts(self._db, document_id, 0)
            raise
        except AppError as error:
            reason, hint = error.message, error.hint
        except MemoryError:
            reason = Message("It needs more memory than this computer has free.")
        except Exception:
            log.exception("document %d can't be indexed", document_id)
            reason = Message(
                "A fault in Inkgraph stopped the reading of this file. The log has the details."
            )
        finally:
            if reason:
                self._name_ids.forget()
                if attempt.source is not None and attempt.source.is_new:
                    self._refuse(document_id, attempt.source, reason)
                else:
                    with self._db.transaction():
                        whole = Message("{message} {hint}", message=reason, hint=hint)
                        stored = whole if hint else reason
                        documents.set_state(self._db, document_id, "failed", stored)
            self._on_change(ChangeNotice(documents=frozenset({document_id})))

    def _refuse(self, document_id: DocumentId, source: FileSource, reason: Message) -> None:
        """Keep the text of a document whose new version cannot be read."""
        inner = reason.params.get("reason")  # without the file's name
        reason = inner if isinstance(inner, Message) else reason
        if source.is_same:
            whole = Message("The file can't be read again: {reason}", reason=reason)
        elif source.is_previous:
            whole = Message("The previous version can't be read: {reason}", reason=reason)
        else:
            whole = Message(
                "The file changed, but its new version can't be read: {reason}", reason=reason
            )
        with self._db.transaction():
            file_versions.refuse_version(self._db, document_id, source.sha256, whole)


@dataclass(slots=True)
class _Attempt:
    """One attempt to index a document; `source` is the file that is being read."""

    source: FileSource | None = None


@dataclass(frozen=True, slots=True)
class ChunkedDocument:
    """A document in chunks; `windows` has one list of (start, end) per chunk."""

    read: ReadDocument
    chunks: list[ChunkSpan]
    windows: list[list[tuple[int, int]]]


def add_title_as_name(
    found: ChunkEvidence, chunk: ChunkSpan, title: str, text: str
) -> ChunkEvidence:
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
