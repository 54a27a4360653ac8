"""What encryption costs: opening, search, indexing, merging, backups, and encrypting a library.

A plain library and its encrypted copy take turns at every step, so that both meet the same load
of the machine. Search runs over the library of `big_library`; no model is needed.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.encryption import encrypt_library
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library, write_backup
from desktop_app.engine.store.encryption import LibraryKey, derive_key

from . import big_library
from .common import data_file, make_parser, print_result
from .latency import WARM_UP, DrawnVectors, draw_questions

PASSPHRASE = "a passphrase for the benchmark"
BOOK = ("en_novels", "gutenberg", "christmas_carol.txt")
KINDS = ("plain", "encrypted")
N_MERGES = 10

Keys = dict[str, LibraryKey | None]


@dataclass
class Spent:
    """Seconds of each turn: on the clock, and of the processor (in this process)."""

    clock: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)


def take_turns(n: int, work: Callable[[str, int], object]) -> dict[str, Spent]:
    """Return what `work(kind, turn)` took by kind; the kinds change places at each turn."""
    spent = {kind: Spent() for kind in KINDS}
    for turn in range(n):
        for kind in KINDS if turn % 2 == 0 else KINDS[::-1]:
            started, used = time.perf_counter(), time.process_time()
            work(kind, turn)
            spent[kind].clock.append(time.perf_counter() - started)
            spent[kind].processor.append(time.process_time() - used)
    return spent


def describe(name: str, spent: dict[str, Spent]) -> dict[str, float]:
    """Print and return median and 95th percentile in ms, and the ratios of the medians.

    On a machine that does other things, the ratio of the processor time is the one to read.
    """
    figures: dict[str, float] = {}
    for kind in KINDS:
        p50, p95 = np.percentile(spent[kind].clock, (50, 95)) * 1000
        cpu = float(np.median(spent[kind].processor)) * 1000
        figures |= {f"{kind}_p50": p50, f"{kind}_p95": p95, f"{kind}_cpu": cpu}
    for what in ("p50", "cpu"):
        figures[f"ratio_{what}"] = figures[f"encrypted_{what}"] / figures[f"plain_{what}"]
    figures = {key: round(value, 3) for key, value in figures.items()}
    shown = "; ".join(
        f"{kind} {figures[f'{kind}_p50']:.1f} (processor {figures[f'{kind}_cpu']:.1f})"
        for kind in KINDS
    )
    ratios = f"ratio {figures['ratio_p50']:.2f} (processor {figures['ratio_cpu']:.2f})"
    print(f"{name}: {shown} ms, {ratios}", flush=True)
    return figures


def measure_opening(paths: dict[str, Path], salt: bytes, n: int) -> dict[str, float]:
    """Return the cost of opening a library; of an encrypted one from its passphrase."""

    def work(kind: str, turn: int) -> None:
        key = derive_key(PASSPHRASE, salt) if kind == "encrypted" else None
        library = Library(paths[kind], key=key)
        library.reader().value("SELECT count(*) FROM document")
        library.close()

    return describe("opening", take_turns(n, work))


def measure_search(paths: dict[str, Path], keys: Keys, n: int) -> dict[str, float]:
    embedder = DrawnVectors()
    libraries = {kind: Library(paths[kind], key=keys[kind]) for kind in KINDS}
    try:
        finders = {k: Retriever(lib.reader(), lambda: embedder) for k, lib in libraries.items()}
        asked = draw_questions(10_000, n + WARM_UP)
        for question in asked[:WARM_UP]:
            for kind in KINDS:
                finders[kind].find(question, QueryParam(mode="walk"))
        spent = take_turns(
            n, lambda kind, turn: finders[kind].find(asked[WARM_UP + turn], QueryParam(mode="walk"))
        )
    finally:
        for library in libraries.values():
            library.close()
    return describe("search (walk)", spent)


def measure_indexing(folder: Path, keys: Keys, n: int) -> dict[str, float]:
    book = data_file(*BOOK)

    def work(kind: str, turn: int) -> None:
        library = Library(folder / f"{kind}{turn}.inkgraph", key=keys[kind])
        add_files(library.writer, [book])
        IndexingService(library.writer, lambda: None).run(embed=False)
        library.close()

    work("plain", -1)  # loads the taggers
    return describe("indexing A Christmas Carol", take_turns(n, work))


def measure_merging(folder: Path, keys: Keys) -> dict[str, float]:
    """Merge pairs of entities of the indexed books, and take each merge back."""
    libraries = {kind: Library(folder / f"{kind}0.inkgraph", key=keys[kind]) for kind in KINDS}
    try:
        ids = {
            kind: library.writer.column("SELECT id FROM entity ORDER BY id LIMIT 40")
            for kind, library in libraries.items()
        }
        services = {kind: EditingService(library.writer) for kind, library in libraries.items()}

        def work(kind: str, turn: int) -> None:
            services[kind].merge(ids[kind][2 * turn], [ids[kind][2 * turn + 1]])

        return describe("merging two entities", take_turns(N_MERGES, work))
    finally:
        for library in libraries.values():
            library.close()


def measure_backup(paths: dict[str, Path], keys: Keys, folder: Path, n: int) -> dict[str, float]:
    libraries = {kind: Library(paths[kind], key=keys[kind]) for kind in KINDS}

    def work(kind: str, turn: int) -> None:
        write_backup(libraries[kind].path, folder / f"{kind}.backup")

    try:
        return describe("verified backup", take_turns(n, work))
    finally:
        for library in libraries.values():
            library.close()


def main() -> None:
    """Measure, and print the figures as the last line."""
    parser = make_parser(__doc__)
    parser.add_argument("--chunks", type=int, default=10_000)
    parser.add_argument("--turns", type=int, default=60, help="questions")
    options = parser.parse_args()
    detail: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory(prefix="inkgraph-bench-") as scratch:
        folder = Path(scratch)
        paths = {kind: folder / f"big {kind}.inkgraph" for kind in KINDS}
        big = big_library.ensure_big_library(options.chunks)
        for path in paths.values():
            shutil.copyfile(big, path)
            Library(path).close()  # upgraded, with page checksums
        started = time.perf_counter()
        key = encrypt_library(paths["encrypted"], PASSPHRASE)
        keys: Keys = {"plain": None, "encrypted": key}
        encrypting_s = time.perf_counter() - started
        sizes = {kind: path.stat().st_size / 1e6 for kind, path in paths.items()}
        print(
            f"encrypting {sizes['plain']:.0f} MB: {encrypting_s:.1f} s,"
            f" then {sizes['encrypted']:.0f} MB",
            flush=True,
        )
        detail["opening"] = measure_opening(paths, key.salt, 5)
        detail["search"] = measure_search(paths, keys, options.turns)
        detail["backup"] = measure_backup(paths, keys, folder, 3)
        detail["indexing"] = measure_indexing(folder, keys, 2)
        detail["merging"] = measure_merging(folder, keys)
    print_result(
        "encryption",
        encrypting_s=round(encrypting_s, 1),
        library_mb=round(sizes["plain"]),
        **{f"{name}_ratio": figures["ratio_cpu"] for name, figures in detail.items()},
        detail=detail,
    )


if __name__ == "__main__":
    main()
