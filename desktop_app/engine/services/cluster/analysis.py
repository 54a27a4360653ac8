"""Analyses the documents that wait in a library on a cluster, ahead of the one that is written.

`ClusterAnalysis` sends the files of the next documents in the queue to workers. When indexing asks
for one, it waits for its result; what indexing asks for then, chunks and evidence, is answered from
it. Results are found by all that they depend on, so one that does not fit, of a document whose
author the user changed meanwhile, is never used: this computer computes it. So is what is not sent:
encrypted files, files with scanned pages that were read, large files, and what a worker can't read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ...errors import EnvironmentProblem
from ...file_content import FileContent, load_bytes
from ...model import ChunkEvidence, DocumentId, ReadDocument
from ...progress import CancelToken, Clock, Progress, ProgressCallback, ignore_progress
from ...store import document_metadata, documents, file_versions, scanned_pages
from ...store.db import Db
from ...text.chunking import ChunkingSettings
from ..document_analysis import DocumentAnalysis, ExtractionInput, FileToRead, LocalAnalysis
from ..document_passwords import looks_encrypted
from ..documents import load_chunking
from ..text_analysis.splitting import SplitText
from .connection import ClusterConnection, PendingTask, ResultLost, WorkersDied
from .tasks import FileResult, FileTask, run_file_task

MAX_SENT_BYTES = 64 * 1024 * 1024  # of one file: the parts of large mail boxes have as much
MAX_BYTES_AHEAD = 256 * 1024 * 1024  # of all files that were sent and not asked for yet
# For each thread of a worker one file in work and one that waits, so that no worker is idle while
# results are written; two more for clusters of few threads.
AHEAD_PER_THREAD, MORE_AHEAD = 2, 2
MAX_AHEAD = 1_000  # one writer keeps no more threads busy than that
MAX_SENT_TIMES = 3


@dataclass(frozen=True, slots=True)
class _Sent:
    """A file that was sent, and with which settings its chunks are made."""

    pending: PendingTask
    sha256: str
    n_bytes: int
    settings: ChunkingSettings


class ClusterAnalysis:
    """Fulfils `DocumentAnalysis` with the workers of a cluster; for the thread of `db`.

    Args:
        chunking: settings for documents that have none of their own, as `IndexingService` has.
        local: for what is not done on the cluster.

    Attributes:
        n_read: files that were read; one whose scanned pages were read meanwhile counts again.
        read_here: documents whose files this computer read.
    """

    def __init__(
        self,
        db: Db,
        cluster: ClusterConnection,
        chunking: ChunkingSettings,
        *,
        local: DocumentAnalysis | None = None,
        on_progress: ProgressCallback = ignore_progress,
    ) -> None:
        self._db, self._cluster, self._chunking = db, cluster, chunking
        self._local = local or LocalAnalysis()
        self._on_progress = on_progress
        self._sent: dict[DocumentId, _Sent] = {}  # in the order of the queue
        self._unsent: set[DocumentId] = set()  # documents whose files are not sent
        # What indexing will ask for, of the last file. A document is found by its identity, and
        # held so that no other one gets it.
        self._splits: dict[int, tuple[ReadDocument, ChunkingSettings, SplitText]] = {}
        self._evidence: dict[ExtractionInput, tuple[ChunkEvidence, ...]] = {}
        self.n_read = 0
        self.read_here: set[DocumentId] = set()
        self._clock: Clock | None = None

    def read(
        self, file: FileToRead, *, cancel: CancelToken, on_page: Callable[[int, int], None]
    ) -> list[ReadDocument]:
        """Return the documents in a file, from a worker if one could read it.

        Raises:
            EnvironmentProblem: the cluster is gone, or one of its workers can't work.
        """
        self._splits.clear()
        self._evidence.clear()
        if self._clock is None:
            self._clock = Clock(documents.count_to_index(self._db))
        sent, result = self._find_result(file, cancel)
        self.n_read += 1
        self._clock.tick()
        if sent is None or not result.documents:
            self.read_here.add(file.document_id)
            return self._local.read(file, cancel=cancel, on_page=on_page)
        for one in result.documents:
            self._splits[id(one.read)] = (one.read, sent.settings, one.split)
            if one.evidence is not None:
                self._evidence[one.wanted] = one.evidence
        return [one.read for one in result.documents]

    def split(
        self, read: ReadDocument, settings: ChunkingSettings, cancel: CancelToken
    ) -> SplitText:
        found = self._splits.pop(id(read), None)
        if found is not None and found[0] is read and found[1] == settings:
            return found[2]
        return self._local.split(read, settings, cancel)

    def extract(
        self, wanted: ExtractionInput, *, skip: frozenset[int], cancel: CancelToken
    ) -> Iterator[ChunkEvidence]:
        found = self._evidence.pop(wanted, None)
        if found is None:
            return self._local.extract(wanted, skip=skip, cancel=cancel)
        return (one for one in found if one.chunk_order not in skip)

    # --- sending ----------------------------------------------------------------------------------

    def _find_result(
        self, file: FileToRead, cancel: CancelToken
    ) -> tuple[_Sent | None, FileResult]:
        """Return how a file was sent, and its result; None if it is not for the cluster."""
        self._unsent.discard(file.document_id)
        sent = self._sent.pop(file.document_id, None)
        may_be_sent = not file.password and not file.scanned and _may_be_sent(file.content)
        if sent is not None and not (may_be_sent and sent.sha256 == file.sha256):
            self._cluster.drop(sent.pending)  # it was replaced meanwhile
            sent = None
        total = self.n_read + documents.count_to_index(self._db)
        for _ in range(MAX_SENT_TIMES if may_be_sent else 0):
            self._cluster.wait_until_connected(cancel)
            if sent is None:
                sent = self._send(file.document_id, file.sha256, file.file_name, file.content)
            try:
                self._send_ahead(file.document_id)
                result = self._cluster.wait(sent.pending, cancel, lambda: self._report(total))
            except ResultLost:  # and with it all others, as a rule
                self._drop_sent()
                sent = None
            except WorkersDied:  # of this file, perhaps: the process that reads it here may die
                return None, FileResult()
            except BaseException:
                self._cluster.drop(sent.pending)
                raise
            else:
                if result.problem:
                    raise EnvironmentProblem(
                        "The worker on {worker} can't be used: {reason}",
                        worker=result.worker,
                        reason=result.problem,
                    )
                self._send_ahead(file.document_id)
                for following in self._sent.values():  # is fetched while this one is written
                    self._cluster.start_fetching(following.pending)
                    break
                return sent, result
        self._send_ahead(file.document_id)
        return None, FileResult()

    def _send_ahead(self, current: DocumentId) -> None:
        """Send the next files of the queue, as many as the workers have use for."""
        n_ahead = min(MAX_AHEAD, MORE_AHEAD + AHEAD_PER_THREAD * self._cluster.n_threads)
        n_bytes = sum(one.n_bytes for one in self._sent.values())
        for document_id in documents.list_next_to_index(self._db, n_ahead + 1):
            if len(self._sent) >= n_ahead or n_bytes >= MAX_BYTES_AHEAD:
                return
            if document_id == current or document_id in self._sent or document_id in self._unsent:
                continue
            source = file_versions.find_file_to_read(self._db, document_id)
            if (
                source is None
                or scanned_pages.fetch_texts_of_file(self._db, document_id)
                or not _may_be_sent(source.content)
            ):
                self._unsent.add(document_id)
                continue
            name = documents.fetch_file_name(self._db, document_id)
            sent = self._send(document_id, source.sha256, name, source.content)
            self._sent[document_id] = sent
            n_bytes += sent.n_bytes

    def _send(
        self, document_id: DocumentId, sha256: str, file_name: str, content: FileContent
    ) -> _Sent:
        settings = load_chunking(self._db, document_id) or self._chunking
        task = FileTask(
            file_name=file_name,
            sha256=sha256,
            content=load_bytes(content),
            settings=settings,
            author=document_metadata.find_given_author(self._db, document_id),
            environment=self._cluster.environment,
        )
        pending = self._cluster.submit(run_file_task, task)
        return _Sent(pending, sha256, content.size, settings)

    def _drop_sent(self) -> None:
        for sent in self._sent.values():
            self._cluster.drop(sent.pending)
        self._sent.clear()

    def _report(self, total: int) -> None:
        assert self._clock is not None
        self._on_progress(
            Progress("cluster", self.n_read, total, self._clock.rate, self._clock.left_s)
        )


def _may_be_sent(content: FileContent) -> bool:
    """Return whether a file is sent: passwords stay on this computer, and so do large files."""
    return content.size <= MAX_SENT_BYTES and not looks_encrypted(content)
