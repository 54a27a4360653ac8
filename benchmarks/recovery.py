"""Recovers damaged libraries: 20 with a wrecked page, 20 that were cut off; encrypted ones, too.

A library of novels, PDFs and corrections is damaged with seeded random numbers: 4,096 random bytes
in the place of a page, or an end anywhere between the first and the last page. Each is recovered,
indexed, and compared with the library: every text must be the same, or the report must say so.
Of the library as an encrypted one, a quarter as many are damaged; what SQLite itself reads of
them is not counted.
`python -m benchmarks.recovery [--seeds N]`; the last line is JSON.
"""

from __future__ import annotations

import random
import shutil
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import apsw
import numpy as np

from desktop_app.engine.errors import AppError
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.encryption import encrypt_library
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.recovery import recover
from desktop_app.engine.store import search
from desktop_app.engine.store.db import CURATION_TABLES, Db
from desktop_app.engine.store.encryption import LibraryKey

from .common import data_file, make_parser, print_result

PAGE = 4096
DOCUMENT_CHARS = 40_000
N_NOVELS, N_CORRECTIONS = 10, 12
AS_IT_WAS = ("complete", "read again", "file lost")


@dataclass(frozen=True)
class Sample:
    """What a library holds: texts by title, rows of corrections."""

    texts: dict[str, str]
    corrections: set[tuple]


def build_library(folder: Path) -> Path:
    path = folder / "whole.inkgraph"
    library = Library(path)
    try:
        novels = sorted(data_file("en_novels", "gutenberg").glob("*.txt"))[:N_NOVELS]
        files = []
        for novel in novels:
            text = novel.read_text("utf-8", errors="replace")
            start = text.find("\n", len(text) // 3)
            files.append(folder / novel.name)
            files[-1].write_text(text[start : start + DOCUMENT_CHARS], "utf-8")
        files += sorted(data_file("files", "pdf_papers").glob("*.pdf"))[:2]
        add_files(library.writer, files)
        IndexingService(library.writer, lambda: None).run(embed=False)
        editing = EditingService(library.writer)
        ids = library.writer.column("SELECT id FROM entity ORDER BY n_mentions DESC")
        for number, entity_id in enumerate(ids[:N_CORRECTIONS]):
            editing.describe(entity_id, f"Corrected by hand, number {number}.")
        windows = library.writer.column("SELECT id FROM window")
        vectors = np.random.default_rng(0).standard_normal((len(windows), 384)).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        with library.writer.transaction():
            search.ensure_vector_index(library.writer, "random", 384)
            search.store_vectors(library.writer, windows, vectors)
    finally:
        library.close()
    return path


def read_sample(path: Path, key: LibraryKey | None = None) -> Sample:
    db = Db(path, read_only=True, key=key)
    try:
        texts = dict(
            db.rows("SELECT title, text FROM document JOIN document_text ON document_id = id")
        )
        corrections = {
            (table, *row) for table in CURATION_TABLES for row in db.rows(f"SELECT * FROM {table}")
        }
        return Sample(texts, corrections)
    finally:
        db.close()


def wreck_page(content: bytes, seed: int, first: int = 0) -> bytes:
    dice = random.Random(seed)
    page = dice.randrange(first, len(content) // PAGE)
    return content[: page * PAGE] + dice.randbytes(PAGE) + content[(page + 1) * PAGE :]


def wreck_later_page(content: bytes, seed: int) -> bytes:
    """Damage any page but the first: without its salt there is no key."""
    return wreck_page(content, seed, first=1)


def cut_off(content: bytes, seed: int) -> bytes:
    return content[: random.Random(seed).randrange(PAGE, len(content))]


def count_by_sqlite(path: Path, sample: Sample) -> int:
    """Return the number of documents whose text SQLite itself still reads, row by row."""
    n_read = 0
    try:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    except apsw.Error:
        return 0
    for document_id in range(1, len(sample.texts) + 1):
        try:
            [[title, text]] = connection.execute(
                "SELECT title, text FROM document JOIN document_text ON document_id = id"
                " WHERE id = ?",
                (document_id,),
            ).fetchall()
            n_read += sample.texts.get(str(title)) == text
        except (apsw.Error, ValueError):
            continue
    connection.close()
    return n_read


def recover_one(damaged: Path, sample: Sample, key: LibraryKey | None) -> Counter[str]:
    """Return counts of documents by what became of them, and of corrections."""
    target = damaged.with_name("recovered.inkgraph")
    target.unlink(missing_ok=True)
    counts: Counter[str] = Counter()
    if key is None:
        counts["documents that SQLite reads"] = count_by_sqlite(damaged, sample)
    before = damaged.read_bytes()
    try:
        report = recover(damaged, target, key=key)
    except AppError as error:
        print(f"  {error}")
        counts["nothing, with the reason"] = 1
        return counts
    library = Library(target, key=key)
    IndexingService(library.writer, lambda: None).run(embed=False)
    library.close()
    found = read_sample(target, key)
    states = {one.title: one.state for one in report.saved.documents}
    for title, text in sample.texts.items():
        same = found.texts.get(title) == text or text in found.texts.values()
        stated = states.get(title, "not known any more")
        counts["documents with their whole text"] += same
        counts[f"documents: {stated}"] += 1
        # a text that is not what it was, without a word about it
        counts["documents wrong in silence"] += (
            not same and title in found.texts and (stated in AS_IT_WAS)
        )
    counts["corrections"] = len(found.corrections & sample.corrections)
    counts["corrections that were not made"] = len(found.corrections - sample.corrections)
    counts["damaged files written to"] = damaged.read_bytes() != before
    return counts


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="inkgraph-bench-") as name:
        folder = Path(name)
        whole = build_library(folder)
        sample, plain = read_sample(whole), whole.read_bytes()
        print(f"{len(sample.texts)} documents, {len(plain):,} bytes")
        figures: dict[str, object] = {}
        key = encrypt_library(whole, "correct horse battery")
        encrypted, n_encrypted = whole.read_bytes(), max(1, options.seeds // 4)
        for kind, damage, content, key_used, n_seeds in (
            ("wrecked page", wreck_page, plain, None, options.seeds),
            ("cut off", cut_off, plain, None, options.seeds),
            ("wrecked page, encrypted", wreck_later_page, encrypted, key, n_encrypted),
            ("cut off, encrypted", cut_off, encrypted, key, n_encrypted),
        ):
            total: Counter[str] = Counter()
            n_recovered, began = 0, time.monotonic()
            for seed in range(n_seeds):
                damaged = folder / "damaged.inkgraph"
                damaged.write_bytes(damage(content, seed))
                counts = recover_one(damaged, sample, key_used)
                n_recovered += not counts["nothing, with the reason"]
                total += counts
                print(f"{kind} {seed}: {dict(counts)}", flush=True)
            figures[kind] = {
                "recovered": n_recovered,
                "of": n_seeds,
                "documents": len(sample.texts) * n_seeds,
                "corrections there": len(sample.corrections) * n_seeds,
                **total,
                "seconds": round(time.monotonic() - began, 1),
            }
        shutil.rmtree(folder, ignore_errors=True)
    print_result("recovery", **figures)


if __name__ == "__main__":
    main()
