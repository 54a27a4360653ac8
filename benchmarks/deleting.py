"""Deleting 20 of 100 documents, and reading one again after a small change.

The documents are parts of six novels, indexed without a model, 20,000 characters each in English,
8,000 in Chinese. Deleted are every fifth, at once and (on a copy) one after the other; summaries
are not made.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.graph_update import update_graph
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.store.backup import write_copy

from .common import data_file, make_parser, print_result

ENGLISH = ("great_expectations.txt", "dracula.txt", "pride_and_prejudice.txt",
           "sherlock_holmes.txt")  # fmt: skip
CHINESE = ("shuihu/shuihu_120.txt", "xiyou/xiyou.txt")
N_DOCUMENTS, N_DELETED = 100, 20


def write_documents(folder: Path) -> list[Path]:
    """Write the parts as files of their own and return them."""
    books = [(data_file("en_novels", "gutenberg", name), 20_000) for name in ENGLISH]
    books += [(data_file("zh_novels", *name.split("/")), 8_000) for name in CHINESE]
    files: list[Path] = []
    each = -(-N_DOCUMENTS // len(books))
    for path, size in books:
        text = path.read_text("utf-8", errors="replace")[4_000:]
        for number in range(each):
            part = text[number * size : (number + 1) * size]
            files.append(folder / f"{path.stem}-{number:02}.txt")
            files[-1].write_text(part, "utf-8")
    return files[:N_DOCUMENTS]


def measure(folder: Path) -> dict[str, float]:
    files = write_documents(folder)
    library = Library(folder / "whole.inkgraph")
    started = time.monotonic()
    add_files(library.writer, files)
    IndexingService(library.writer, lambda: None).run(embed=False)
    figures = {"index_s": time.monotonic() - started}
    for table in ("document", "entity", "relation", "mention"):
        figures[f"n_{table}"] = library.writer.value(f"SELECT count(*) FROM {table}")
    figures |= read_again(library, files[3])
    ids = [i for (i,) in library.writer.rows("SELECT id FROM document ORDER BY id")][::5]
    write_copy(library.writer, folder / "copy.inkgraph")
    figures["delete_20_s"] = _delete(library, [ids[:N_DELETED]])
    kept = _picture(library)
    update_graph(library.writer)
    assert _picture(library) == kept, "the graph is not what the remaining evidence gives"
    library.close()
    copy = Library(folder / "copy.inkgraph")
    figures["delete_20_one_by_one_s"] = _delete(copy, [[i] for i in ids[:N_DELETED]])
    assert _picture(copy) == kept
    copy.close()
    return figures


def read_again(library: Library, file: Path) -> dict[str, float]:
    """Change one sentence in the middle of a file and have it read again."""
    chunks = (
        "SELECT c.id FROM chunk c JOIN document d ON d.id = c.document_id WHERE d.file_name = ?"
    )
    before = {i for (i,) in library.writer.rows(chunks, (file.name,))}
    text = file.read_text("utf-8")
    middle = text.find(". ", len(text) // 2) + 2
    file.write_text(f"{text[:middle]}Nobody had expected it. {text[middle:]}", "utf-8")
    started = time.monotonic()
    add_files(library.writer, [file])
    IndexingService(library.writer, lambda: None).run(embed=False)
    seconds = time.monotonic() - started
    after = {i for (i,) in library.writer.rows(chunks, (file.name,))}
    return {
        "changed_file_s": seconds,
        "changed_file_chunks": len(after),
        "changed_file_chunks_read": len(after - before),
    }


def _delete(library: Library, groups: list[list[int]]) -> float:
    work = DocumentService(library.writer)
    started = time.monotonic()
    for ids in groups:
        work.delete_documents(ids)
    return time.monotonic() - started


def _picture(library: Library) -> tuple[list, list]:
    db = library.writer
    return (
        db.rows("SELECT name, type, description, n_mentions, n_relations FROM entity ORDER BY id"),
        db.rows("SELECT source_id, target_id, weight FROM relation ORDER BY 1, 2"),
    )


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--keep", type=Path, help="folder to work in, left as it is afterwards")
    options = parser.parse_args()
    folder = options.keep or Path(tempfile.mkdtemp(prefix="inkgraph-deleting-"))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        figures = measure(folder)
    finally:
        if options.keep is None:
            shutil.rmtree(folder, ignore_errors=True)
    print_result("deleting", **{key: round(value, 3) for key, value in figures.items()})


if __name__ == "__main__":
    main()
