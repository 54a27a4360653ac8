"""Times of single edits in a large library: 22 novels and 1,000 short documents, no models.

`python -m benchmarks.edits [--library FILE] [--repeat 10] [--window]`. The library is made once
(about a quarter of an hour) and kept beside the other benchmark libraries; each run works on a
copy. Each edit is timed as the window makes it: until the graph is up to date; then its undo. The
first edit after opening is given apart. `--window` measures in the real window instead
(`window_edits.py`; about 3 minutes for each repetition). The last line is JSON.
"""

from __future__ import annotations

import json
import math
import random
import shutil
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path

from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.graph_update import count_graph_differences, update_graph
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library

from .common import DATA, cache_folder, data_file, make_parser, print_result
from .window_edits import IN_FRONT, measure_window

VERSION = 1  # of what is made; raise it to have it made anew
N_NOTES = 1000
SEED = 16
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


def measure(path: Path, repeat: int) -> dict[str, object]:
    """Make each kind of edit several times and undo it; return seconds by kind."""
    taken: dict[str, list[float]] = defaultdict(list)

    def time_of(kind: str, work: Callable[[], object]) -> None:
        started = time.monotonic()
        work()
        taken[kind].append(time.monotonic() - started)

    started = time.monotonic()
    library = Library(path)
    db = library.writer
    opened_s = time.monotonic() - started
    update_graph(db)  # what the window does in the background once a library is open
    loaded_s = time.monotonic() - started - opened_s
    editing, documents = EditingService(db), DocumentService(db)
    choice = random.Random(SEED)
    people = db.column("SELECT id FROM entity WHERE type = 'person' AND n_mentions > 2")
    for number in range(repeat):
        first, second, third = choice.sample(people, 3)
        mentions = db.column(
            "SELECT m.id FROM mention m JOIN entity_name en USING (name_id)"
            " WHERE en.entity_id = ?", (second,)
        )[::2]  # fmt: skip
        edits = {
            "merge": partial(editing.merge, first, [second]),
            "split": partial(editing.split, second, mentions, f"Person {number}"),
            "rename": partial(editing.rename, first, f"New name {number}"),
            "retype": partial(editing.retype, first, "place"),
            "describe": partial(editing.describe, first, "As I said."),
            "relate": partial(editing.relate, first, third, description="By hand."),
            "delete": partial(editing.delete, third),
        }
        for kind, edit in edits.items():
            time_of(kind, edit)
            time_of(f"{kind}, undo", editing.undo)
    with tempfile.TemporaryDirectory(prefix="inkgraph-bench-") as folder:
        for number in range(repeat):
            note = Path(folder) / f"own-note-{number}.txt"
            novel = choice.choice(list_novels())
            text = novel.read_text("utf-8", errors="replace")
            start = choice.randrange(len(text) - 3000)
            note.write_text(f"Note {number}\n\n{text[start : start + 2500]}\n", "utf-8")

            def add(note: Path = note) -> None:
                add_files(db, [note])
                IndexingService(db, lambda: None).run(embed=False)

            time_of("note added", add)
            document_id = db.value("SELECT max(id) FROM document")
            time_of("note deleted", partial(documents.trash_documents, [document_id]))
            time_of("note deleted, undo", editing.undo)
            documents.trash_documents([document_id])
    novels = db.column("SELECT id FROM document WHERE n_chars BETWEEN 3e5 AND 1e6 ORDER BY id")
    for document_id in novels[:repeat]:
        time_of("novel deleted", partial(documents.trash_documents, [document_id]))
        time_of("novel deleted, undo", editing.undo)
    n_different = count_graph_differences(db)
    assert n_different == 0, f"{n_different} rows differ from a graph made anew"
    library.close()
    return {
        "open_s": round(opened_s, 2),
        "load_s": round(loaded_s, 2),
        **{
            kind: {
                "first_ms": round(1000 * each[0]),
                "median_ms": round(1000 * statistics.median(each)),
                "p95_ms": round(1000 * sorted(each)[math.ceil(0.95 * len(each)) - 1]),
            }
            for kind, each in taken.items()
        },
    }


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--library", type=Path)
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--window", action="store_true", help="in the real window, offscreen")
    parser.add_argument("--jobs", action="store_true", help="print the jobs of each edit")
    parser.add_argument(
        "--in-front", nargs="+", choices=IN_FRONT, default=IN_FRONT, help="screens, with --window"
    )
    options = parser.parse_args()
    path = options.library or cache_folder() / f"edits-{VERSION}.inkgraph"
    if not path.exists():
        make_library(path)
    with tempfile.TemporaryDirectory(prefix="inkgraph-bench-") as folder:
        copy = Path(folder) / "edits.inkgraph"
        shutil.copy(path, copy)
        Library(copy).close()  # upgrades it
        if options.window:
            figures = measure_window(
                copy, options.repeat, in_front=options.in_front, print_jobs=options.jobs
            )
        else:
            figures = measure(copy, options.repeat)
    for kind, values in figures.items():
        print(f"{kind:18} {values}")
    print_result(
        "edits in the window" if options.window else "edits",
        n_documents=len(list_novels()) + N_NOTES,
        **figures,
    )


if __name__ == "__main__":
    main()
