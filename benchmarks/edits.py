"""Times of single edits in a large library: 22 novels and 1,000 short documents, no models.

`python -m benchmarks.edits [--library FILE] [--repeat 10]`. The library is made once (about a
quarter of an hour) and kept beside the other benchmark libraries; each run works on a copy. Each
edit is timed as the window makes it: until the graph is up to date; then its undo. The first edit
after opening is given apart. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from pathlib import Path

import platformdirs

from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library

from .common import DATA, data_file

VERSION = 1  # of what is made; raise it to have it made anew
N_NOTES = 1000
GUTENBERG = ("war_and_peace", "great_expectations", "dracula", "pride_and_prejudice",
             "sherlock_holmes", "frankenstein", "christmas_carol", "alice")  # fmt: skip
CHINESE = ("honglou/honglou", "sanguo/sanguo", "shuihu/shuihu_120", "xiyou/xiyou")


def list_novels() -> list[Path]:
    novels = sorted(DATA.joinpath("en_novels", "litbank_full").glob("[0-9]*.txt"))
    novels += [data_file("en_novels", "gutenberg", f"{name}.txt") for name in GUTENBERG]
    return novels + [data_file("zh_novels", *f"{name}.txt".split("/")) for name in CHINESE]


def write_notes(folder: Path) -> list[Path]:
    """Write passages of 2WikiMultihopQA as files of their own."""
    passages = json.loads(
        data_file("qa", "2wiki_hipporag", "2wikimultihopqa_corpus.json").read_text("utf-8")
    )
    files = []
    for number, passage in enumerate(passages[:N_NOTES]):
        files.append(folder / f"note-{number:04}.txt")
        files[-1].write_text(f"{passage['title']}\n\n{passage['text']}\n", "utf-8")
    return files


def make_library(path: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="inkgraph-bench-") as folder:
        part = Path(folder) / "edits.inkgraph"
        library = Library(part)
        started = time.monotonic()
        add_files(library.writer, [*list_novels(), *write_notes(Path(folder))])
        IndexingService(library.writer, lambda: None).run(embed=False)
        print(f"made in {time.monotonic() - started:.0f} s", flush=True)
        library.close()
        path.parent.mkdir(parents=True, exist_ok=True)
        part.rename(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--library", type=Path)
    parser.add_argument("--repeat", type=int, default=10)
    options = parser.parse_args()
    cache = Path(os.environ.get("INKGRAPH_BENCH", platformdirs.user_cache_path("inkgraph-bench")))
    path = options.library or cache / f"edits-{VERSION}.inkgraph"
    if not path.exists():
        make_library(path)


if __name__ == "__main__":
    main()
