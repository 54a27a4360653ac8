"""Ten novels added on this computer, and on Dask clusters of one worker and of two beside it.

    python -m benchmarks.cluster [--workers 1 2] [--files N] [--kill]
    python -m benchmarks.cluster --enrich MODEL [--workers 1 2] [--passages N]

Prints, for each, the time, and the processor time of the writer (the thread that stores results and
builds the graph), of the rest of this process (receiving results), and of the workers with the
processes in which they read and analyse. What is left of the writer for a book is the limit of
scale: `busy_workers` threads of workers keep it busy, and 10,000 such books take `hours_10000`
hours with any number of machines. On a shared machine only the processor times mean something.
`--kill` ends one of two workers in the middle; the evidence of all runs is compared.

`--enrich` asks a chat model, an installed one or a GGUF file, about the first passages of A
Christmas Carol instead; the evidence of the runs with a cluster is compared with each other, and
counted where it differs from that of this computer, whose model has other passages in one batch. A
book is then one of 300 passages.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import psutil

from desktop_app.engine import paths
from desktop_app.engine.llm.link_download import marker_of
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.progress import Progress
from desktop_app.engine.services.cluster.analysis import ClusterAnalysis
from desktop_app.engine.services.cluster.connection import ClusterConnection
from desktop_app.engine.services.cluster.enrichment import ClusterPrograms
from desktop_app.engine.services.document_analysis import LocalAnalysis
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.enrichment.rates import find_chat_facts
from desktop_app.engine.services.enrichment.service import EnrichmentService
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.text_analysis.process import TextAnalysis
from desktop_app.engine.text.chunking import ChunkingSettings
from desktop_app.engine.text.reader_process import DocumentReader

from .cluster_processes import ClusterProcesses
from .common import data_file, make_parser, print_result

MANY_BOOKS = 10_000
PASSAGES_A_BOOK = 300  # of 400 tokens: half a million characters
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
    parser.add_argument("--enrich", metavar="MODEL", default="")
    parser.add_argument("--passages", type=int, default=32)
    options = parser.parse_args()
    if options.enrich:
        _compare_enrichment(options.enrich, options.workers, options.passages)
        return
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

    with _new_library(files) as library:
        return _measure(library, 0, work, [psutil.Process()], analysis.close)


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

            with _new_library(files) as library:
                return _measure(library, n_workers, work, workers, connection.close)
        finally:
            cluster.close()


@contextlib.contextmanager
def _new_library(files: list[Path]) -> Iterator[Library]:
    """Yield a library with files that wait to be read."""
    with tempfile.TemporaryDirectory(prefix="inkgraph-bench-") as folder:
        library = Library(Path(folder) / "bench.inkgraph")
        add_files(library.writer, files)
        yield library


def _measure(
    library: Library,
    n_workers: int,
    work: Callable[[Library], None],
    processes: list[psutil.Process],
    close: Callable[[], None],
) -> Run:
    """Do some work in a library, close it, and return what that took.

    Args:
        processes: that read and analyse, or start those that do.
    """
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


# --- enrichment -----------------------------------------------------------------------------------

# By place and name: what was decided, and how certain that is.
_DECIDED = (
    "SELECT n.chunk_id, a.text, n.type, n.description, n.confidence FROM name_claim n"
    " JOIN name a ON a.id = n.name_id ORDER BY 1, 2, 3, 4",
    "SELECT c.chunk_id, a.text || ' – ' || b.text || c.start, c.kind, c.direction, c.confidence"
    " FROM standing_claim c JOIN name a ON a.id = c.source_id JOIN name b ON b.id = c.target_id"
    " ORDER BY 1, 2, 3, 4",
)


def _compare_enrichment(model: str, n_workers: list[int], n_passages: int) -> None:
    with tempfile.TemporaryDirectory(prefix="inkgraph-bench-") as folder:
        registry = ModelRegistry([_link_model(model, Path(folder) / "models")])
        model = registry.chat_model_name()
        indexed = Path(folder) / "indexed.inkgraph"
        library = Library(indexed)
        add_files(library.writer, [data_file("en_novels", "gutenberg", "christmas_carol.txt")])
        IndexingService(library.writer, lambda: None).run(embed=False)
        library.close()
        runs, decided = [], []
        for n in (0, *n_workers):
            path = Path(folder) / f"{n}.inkgraph"
            shutil.copy(indexed, path)
            runs.append(_enrich(path, registry, model, n, n_passages))
            print(runs[-1])
            library = Library(path)
            decided.append([library.writer.rows(sql) for sql in _DECIDED])
            library.close()
        registry.close()
    here, *others = decided
    last = runs[-1]
    writer_s = last.writer_s + last.receiving_s
    print_result(
        "cluster_enrichment",
        model=model,
        passages=n_passages,
        runs=[asdict(run) for run in runs],
        same_on_clusters=all(other == others[0] for other in others),
        decisions=sum(map(len, here)),
        decided_otherwise=_count_others(here, others[0]),
        largest_difference=_find_largest_difference(here, others[0]),
        writer_share=round(writer_s / (writer_s + last.workers_s), 4),
        busy_workers=round(last.workers_s / writer_s),
        writer_hours_10000=round(writer_s / n_passages * PASSAGES_A_BOOK * MANY_BOOKS / 3600, 1),
        worker_hours_10000=round(last.workers_s / n_passages * PASSAGES_A_BOOK * MANY_BOOKS / 3600),
    )


def _link_model(name: str, folder: Path) -> Path:
    """Return a new folder with this model alone, so that it is the one in use.

    Args:
        name: of an installed model, or the path of a GGUF file.
    """
    file: Path | None = Path(name).resolve()
    if not name.endswith(".gguf"):
        file = ModelRegistry(paths.model_folders()).get_chat_row(name).path
    assert file is not None  # it is installed
    folder.mkdir()
    for one in (file, marker_of(file)):
        if one.exists():
            (folder / one.name).symlink_to(one)
    return folder


def _enrich(
    path: Path, registry: ModelRegistry, model: str, n_workers: int, n_passages: int
) -> Run:
    """Enrich the first passages of a library, on this computer if there are no workers."""
    with tempfile.TemporaryDirectory(prefix="inkgraph-bench-") as folder:
        variables = {"INKGRAPH_MODELS": str(path.parent / "models")}
        cluster = ClusterProcesses(Path(folder), variables) if n_workers else None
        try:
            processes, connection, programs = [psutil.Process()], None, None
            if cluster is not None:
                processes = [psutil.Process(w.pid) for w in cluster.start_workers(n_workers)]
                connection = ClusterConnection(cluster.address)
                programs = ClusterPrograms(connection, registry, model, registry.find_chat)

            def work(library: Library) -> None:
                service = EnrichmentService(
                    library.writer,
                    registry.find_chat,
                    find_facts=lambda: find_chat_facts(registry),
                )
                service.save_settings(replace(service.load_settings(), order="document"))
                service.enqueue()
                service.run(limit=n_passages, runner=programs)

            def close() -> None:
                if connection is not None:
                    connection.close()

            return _measure(Library(path), n_workers, work, processes, close)
        finally:
            if cluster is not None:
                cluster.close()


def _count_others(rows: list[list[Any]], other: list[list[Any]]) -> int:
    """Return how many decisions are in only one of two libraries, halved where they are others."""
    n = 0
    for one, two in zip(rows, other, strict=True):
        left, right = ({row[:-1] for row in some} for some in (one, two))
        n += max(len(left - right), len(right - left))
    return n


def _find_largest_difference(rows: list[list[Any]], other: list[list[Any]]) -> float:
    """Return the largest difference in certainty of the same decision."""
    most = 0.0
    for one, two in zip(rows, other, strict=True):
        known = {row[:-1]: row[-1] for row in two}
        most = max([most, *(abs(row[-1] - known.get(row[:-1], row[-1])) for row in one)])
    return round(most, 4)


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
