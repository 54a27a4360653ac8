"""Backs up a library of 1 GB while edits go on: time, longest wait of an edit, cost of an edit.

The library is the one of `latency` with 10,000 passages (graph, vectors, texts: 126 MB) and files
of documents up to the size. `python -m benchmarks.backups [--megabytes N]`; the last line is JSON.
"""

from __future__ import annotations

import os
import shutil
import statistics
import tempfile
import threading
import time
from pathlib import Path

from desktop_app.engine.messages import Message
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.services.backups import BY_HAND, Backups, restore
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.preferences import BackupSettings
from desktop_app.engine.store import backup, curation
from desktop_app.engine.store.backup import LibraryCounts
from desktop_app.engine.store.db import Db

from .big_library import ensure_big_library
from .common import make_parser, print_result

FILE_BYTES = 3_000_000
N_EDITS, PAUSE_S = 200, 0.02


def build_library(path: Path, n_bytes: int) -> None:
    shutil.copyfile(ensure_big_library(10_000), path)
    library = Library(path)
    try:
        db = library.writer
        for document_id in db.column("SELECT id FROM document ORDER BY id"):
            if path.stat().st_size > n_bytes:
                break
            with db.transaction():
                db.write(
                    "UPDATE original SET content = ? WHERE document_id = ?",
                    (os.urandom(FILE_BYTES), document_id),
                )
            library.writer.checkpoint()
    finally:
        library.close()


def edit_once(db: Db, number: int) -> float:
    """Make one edit; return its milliseconds."""
    began = time.perf_counter()
    with db.edit(Message("Delete {names}", names=str(number))):
        curation.add_deleted_name(db, f"name {number}")
    return (time.perf_counter() - began) * 1000


def measure_commits(db: Db, *, durable: bool) -> float:
    """Return the median of the milliseconds of a small transaction."""
    times = []
    for number in range(N_EDITS):
        began = time.perf_counter()
        with db.transaction(durable=durable):
            db.write("INSERT OR REPLACE INTO setting VALUES ('bench', ?)", (str(number),))
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--megabytes", type=int, default=1000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="inkgraph-bench-") as name:
        path = Path(name) / "big.inkgraph"
        build_library(path, options.megabytes * 1_000_000)
        library = Library(path)
        db, backups = library.writer, Backups(path, BackupSettings)
        normal, full = (measure_commits(db, durable=value) for value in (False, True))
        alone = [edit_once(db, number) for number in range(N_EDITS)]
        verify = backup._verify
        spent: dict[str, float] = {}

        def timed_verify(
            db: Db, part: Path, counts: LibraryCounts | None, cancel: CancelToken
        ) -> None:
            began = time.perf_counter()
            verify(db, part, counts, cancel)
            spent["verify"] = time.perf_counter() - began

        backup._verify = timed_verify
        began = time.perf_counter()
        thread = threading.Thread(target=backups.make, args=(BY_HAND,))
        thread.start()
        during, number = [], N_EDITS
        while thread.is_alive():
            during.append(edit_once(db, number))
            number += 1
            time.sleep(PAUSE_S)
        seconds = time.perf_counter() - began
        log = path.with_name(path.name + "-wal").stat().st_size
        began = time.perf_counter()
        library.close()
        closing = time.perf_counter() - began
        began = time.perf_counter()
        restore(backups.list()[0].path, path)
        print_result(
            "backups",
            megabytes=round(path.stat().st_size / 1e6),
            seconds=round(seconds, 1),
            seconds_of_verification=round(spent["verify"], 1),
            edits_meanwhile=len(during),
            longest_edit_ms=round(max(during), 1),
            median_edit_ms=round(statistics.median(during), 2),
            longest_edit_alone_ms=round(max(alone), 1),
            median_edit_alone_ms=round(statistics.median(alone), 2),
            commit_normal_ms=round(normal, 2),
            commit_full_ms=round(full, 2),
            log_megabytes=round(log / 1e6, 1),
            closing_s=round(closing, 2),
            restoring_s=round(time.perf_counter() - began, 1),
        )


if __name__ == "__main__":
    main()
