"""From import to a graph that is ready and searchable: A Christmas Carol and 水浒传."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library_reader import LibraryReader

from .common import data_file, make_parser, open_scratch, print_result

BOOKS = {
    "carol": ("en_novels", "gutenberg", "christmas_carol.txt"),
    "shuihu": ("zh_novels", "shuihu", "shuihu_120.txt"),
}
QUESTIONS = {"carol": "Who is Marley?", "shuihu": "鲁智深是怎么死的？"}


def measure(name: str, path: Path) -> float:
    """Index one book in this process and return seconds, models' loading included."""
    with open_scratch() as (library, registry):
        started = time.monotonic()
        indexing = IndexingService(library.writer, registry.find_embedder)
        add_files(library.writer, [path])
        indexing.run(embed=False)
        found = Retriever(library.writer, lambda: None).find(QUESTIONS[name])
        seconds = time.monotonic() - started
        library_reader = LibraryReader(library.writer)
        overview = library_reader.overview()
        print(
            f"{name}: {seconds:.1f} s, {overview.n_chunks:,} passages, {overview.n_entities:,} "
            f"names, {overview.n_relations:,} relations, {len(found.passages)} passages found"
        )
        names = [f"{e.name} {e.n_mentions}" for e in library_reader.top_entities(25)]
        print("  " + ", ".join(names))
    return seconds


def main() -> None:
    """Measure each book in a process of its own, so that none profits from the other."""
    parser = make_parser(__doc__)
    parser.add_argument("book", nargs="?", choices=BOOKS, help="only this one, in this process")
    book = parser.parse_args().book
    if book:
        print(measure(book, data_file(*BOOKS[book])))
        return
    figures = {}
    for name in BOOKS:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.instant", name],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        lines = done.stdout.strip().splitlines()
        print("\n".join(lines[:-1]), flush=True)
        figures[f"{name}_s"] = round(float(lines[-1]), 2)
    print_result("instant", **figures)


if __name__ == "__main__":
    main()
