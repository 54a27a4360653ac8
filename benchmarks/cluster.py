"""Ten novels added on this computer, and on Dask clusters of one worker and of two beside it.

    python -m benchmarks.cluster [--workers 1 2] [--files N] [--kill]

Prints, for each, the time, and the processor time of the writer (the thread that stores results and
builds the graph), of the rest of this process (receiving results), and of the workers with the
processes in which they read and analyse. What is left of the writer for a book is the limit of
scale: `busy_workers` threads of workers keep it busy, and 10,000 such books take `hours_10000`
hours with any number of machines. On a shared machine only the processor times mean something.
`--kill` ends one of two workers in the middle; the evidence of all runs is compared.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

from desktop_app.engine.progress import Progress
from desktop_app.engine.services.cluster.analysis import ClusterAnalysis
from desktop_app.engine.services.cluster.connection import ClusterConnection
from desktop_app.engine.services.document_analysis import LocalAnalysis
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.text_analysis.process import TextAnalysis
from desktop_app.engine.text.chunking import ChunkingSettings
from desktop_app.engine.text.reader_process import DocumentReader

from .cluster_processes import ClusterProcesses
from .common import data_file, make_parser, print_result

MANY_BOOKS = 10_000
# Novels of 0.15 to 1 million characters, two of them as web pages.
NOVELS = (
    *("great_expectations.txt", "dracula.txt", "pride_and_prejudice.htm", "sherlock_holmes.txt"),
    *("pride_and_prejudice.txt", "frankenstein.txt", "christmas_carol.htm", "christmas_carol.txt"),
    *("alice.txt", "sherlock_holmes_latin1.txt"),
)
_STATES = "SELECT id, state, reason, n_chars FROM document ORDER BY id"
# By what they say, not by their ids: those of the names of namesakes and of connections follow the
# moments when the graph is updated, which is every few seconds.
_EVIDENCE = (
    "SELECT m.document_id, m.start, m.end, m.type, m.weight, n.text, n.sense FROM mention m"
    " JOIN name n ON n.id = m.name_id ORDER BY m.document_id, m.start, m.end, n.text",
    "SELECT c.document_id, c.start, c.end, a.text, b.text, c.weight, c.keywords, c.direction"
    " FROM claimed_relation c JOIN name a ON a.id = c.source_id JOIN name b ON b.id = c.target_id"
    " ORDER BY 1, 2, 3, 4, 5",
    "SELECT text, sense FROM name ORDER BY 1, 2",
    "SELECT name, type, n_mentions FROM entity ORDER BY 1, 2, 3",
)


@dataclass(frozen=True, slots=True)
class Run:
    """Times of one run, in seconds; of workers with the processes that they started.

    Attributes:
        evidence: digests of the states of the documents, mentions, relations, names and entities.
    """

    workers: int
    wall_s: float
    writer_s: float
    receiving_s: float
    workers_s: float
    evidence: str


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--files", type=int, default=len(NOVELS))
    parser.add_argument("--kill", action="store_true")
    options = parser.parse_args()
    files = [data_file("en_novels", "gutenberg", name) for name in NOVELS[: options.files]]
    runs = [_run_here(files)]
    runs += [_run_on_cluster(files, n, is_killed=False) for n in options.workers]
    if options.kill:
        runs.append(_run_on_cluster(files, 2, is_killed=True))
    for run in runs:
        print(run)
    last = runs[-1]
    print_result(
        "cluster",
        runs=[asdict(run) for run in runs],
        same_evidence=len({run.evidence for run in runs}) == 1,
        writer_share=round(last.writer_s / (last.writer_s + last.receiving_s + last.workers_s), 3),
        busy_workers=round(last.workers_s / (last.writer_s + last.receiving_s), 1),
        hours_10000=round((last.writer_s + last.receiving_s) / len(files) * MANY_BOOKS / 3600, 1),
    )


def _run_here(files: list[Path]) -> Run:
    analysis = LocalAnalysis(DocumentReader(), TextAnalysis())  # end with the run, and are counted

    def work(library: Library) -> None:
        service = IndexingService(library.writer, lambda: None, analysis=analysis)
        service.run(embed=False)

    return _measure(files, 0, work, [psutil.Process()], analysis.close)


def _run_on_cluster(files: list[Path], n_workers: int, *, is_killed: bool) -> Run:
    with tempfile.TemporaryDirectory(prefix="inkgraph-bench-") as folder:
        cluster = ClusterProcesses(Path(folder))
        try:
            workers = [psutil.Process(w.pid) for w in cluster.start_workers(n_workers)]
            connection = ClusterConnection(cluster.address)

            def kill(progress: Progress) -> None:
                if is_killed and progress.done == 3 and len(cluster.workers) == n_workers:
                    cluster.kill_worker(cluster.workers[0])

            def work(library: Library) -> None:
                settings = ChunkingSettings()
                analysis = ClusterAnalysis(library.writer, connection, settings, on_progress=kill)
                service = IndexingService(library.writer, lambda: None, settings, analysis=analysis)
                service.run(embed=False)

            return _measure(files, n_workers, work, workers, connection.close)
        finally:
            cluster.close()


def _measure(
    files: list[Path],
    n_workers: int,
    work: Callable[[Library], None],
    processes: list[psutil.Process],
    close: Callable[[], None],
) -> Run:
    """Add files to a new library and return what that took.

    Args:
        processes: that read and analyse, or start those that do.
    """
    with tempfile.TemporaryDirectory(prefix="inkgraph-bench-") as folder:
        library = Library(Path(folder) / "bench.inkgraph")
        add_files(library.writer, files)
        before = _sum_seconds(processes)
        started, thread, process = time.perf_counter(), time.thread_time(), time.process_time()
        work(library)
        wall_s = time.perf_counter() - started
        writer_s = time.thread_time() - thread
        receiving_s = time.process_time() - process - writer_s
        workers_s = _sum_seconds(processes) - before
        digests = []
        for sql in (_STATES, *_EVIDENCE):
            digest = hashlib.sha256()
            for row in library.writer.iterate(sql):
                digest.update(repr(row).encode())
            digests.append(digest.hexdigest()[:8])
        library.close()
        close()
    return Run(
        n_workers,
        round(wall_s, 1),
        round(writer_s, 1),
        round(receiving_s, 1),
        round(workers_s, 1),
        " ".join(digests),
    )


def _sum_seconds(processes: list[psutil.Process]) -> float:
    """Return the processor time of processes and their children; of this one the children's."""
    total = 0.0
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            family = process.children(recursive=True)
            if process.pid != os.getpid():
                family.append(process)
            for one in family:
                with contextlib.suppress(psutil.NoSuchProcess):
                    total += sum(one.cpu_times()[:4])
    return total


if __name__ == "__main__":
    main()
