"""Times of the merge desk in a large library: 22 novels and 1,000 short documents, no models.

`python -m benchmarks.merge_desk [--library FILE]`. Works on a copy of the library of
`benchmarks.edits`. Each session is a process of its own with the real window, offscreen:

- `first`: a library in which nobody searched, the desk opened when the work at the opening of the
  library is done (mostly the search in the background, too)
- `second`: the next session
- `left alone`: a session after a merge in the one before, the desk opened after the search in the
  background; with the longest stall of the window meanwhile
- `after a merge`, `after a deletion`: the change is made and the desk opened at once

`shown_ms` is the time from the choice of the screen until the first cluster and its sentences are
painted. `search_s` is the processor time of one search. The last line is JSON.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .common import cache_folder, make_parser, print_result
from .edits import VERSION, make_library

if TYPE_CHECKING:
    from desktop_app.engine.services.duplicates import DuplicateMember
    from desktop_app.engine.store.db import Db
    from desktop_app.ui.duplicates.screen import MergeDesk

SESSIONS = ("first", "second", "left alone", "after a merge", "after a deletion")
LONGEST_WAIT_S = 90.0


def measure_search(path: Path) -> dict[str, object]:
    """Return the processor time of a search that reads nothing that was kept."""
    import gc

    from desktop_app.engine.services.duplicates import Duplicates
    from desktop_app.engine.services.library import Library

    gc.disable()  # the window collects garbage at quiet moments
    library = Library(path)
    started = time.process_time()
    found = Duplicates(library.reader()).find()
    taken = time.process_time() - started
    library.close()
    return {"search_s": round(taken, 2), "n_clusters": len(found)}


def measure_session(path: Path, kind: str) -> dict[str, object]:
    """Open the library in the window, change it as the session wants, and open the merge desk."""
    from .window_edits import WindowTimes

    times = WindowTimes(path)
    desk, session = times.screens.merge, times.workspace.session
    db, services = session.library.writer, session.services
    figures: dict[str, object] = {}
    if kind == "left alone":
        first, second = _choose_people(db)
        services.hub.publish_edit(services.editing.merge(first, [second]))
        times.worst_ms, started = 0.0, time.perf_counter()
        find_kept = "SELECT count(*) FROM duplicate_search, library_state WHERE version ="
        find_kept += " duplicates_version"
        until = started + LONGEST_WAIT_S
        while not db.value(find_kept) and time.perf_counter() < until:
            times.step()
            time.sleep(0.005)
        figures["kept_after_s"] = round(time.perf_counter() - started, 1)
        figures["stall_ms"] = round(times.worst_ms)
        times.settle()
    elif kind == "after a merge":
        first, second = _choose_people(db)
        services.hub.publish_edit(services.editing.merge(first, [second]))
        times.settle()
    elif kind == "after a deletion":
        document_id = db.value("SELECT id FROM document ORDER BY n_chars LIMIT 1 OFFSET 500")
        services.hub.publish_edit(services.documents.delete_documents([document_id]))
        times.settle()
    times.worst_ms = 0.0
    started, started_cpu = time.perf_counter(), time.process_time()
    times.window.show_screen("merge")
    while not any(member.sentences for member in _list_shown(desk)):
        times.step()
        time.sleep(0.005)  # a real event loop sleeps, too: waking up often slows the search
    times.step()
    figures["shown_ms"] = round((time.perf_counter() - started) * 1000)
    figures["cpu_ms"] = round((time.process_time() - started_cpu) * 1000)
    figures["open_stall_ms"] = round(times.worst_ms)
    figures["n_clusters"] = desk.model.n_all
    times.settle()
    times.close()
    return figures


def _list_shown(desk: MergeDesk) -> Sequence[DuplicateMember]:
    cluster = desk.page.cluster if desk.page.cards else None
    return cluster.members if cluster is not None else ()


def _choose_people(db: Db) -> list[int]:
    """Return two people who are named as often as the middle of all people."""
    return db.column(
        "SELECT id FROM entity WHERE type = 'person' AND n_mentions BETWEEN 20 AND 40"
        " ORDER BY id LIMIT 2"
    )


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--library", type=Path)
    parser.add_argument("--session", choices=("search", *SESSIONS), help="one, in this process")
    options = parser.parse_args()
    path = options.library or cache_folder() / f"edits-{VERSION}.inkgraph"
    if options.session:
        is_search = options.session == "search"
        print(
            json.dumps(
                measure_search(path) if is_search else measure_session(path, options.session)
            )
        )
        return
    if not path.exists():
        make_library(path)
    figures: dict[str, object] = {}
    with tempfile.TemporaryDirectory(prefix="inkgraph-bench-") as folder:
        copy = Path(folder) / "desk.inkgraph"
        shutil.copy(path, copy)
        for kind in ("search", *SESSIONS):
            # no models, so that nothing else runs meanwhile; a home each, which remembers no screen
            home = str(Path(folder) / kind.replace(" ", "-"))
            more = {"QT_QPA_PLATFORM": "offscreen", "INKGRAPH_HOME": home, "INKGRAPH_MODELS": home}
            command = [sys.executable, "-m", "benchmarks.merge_desk", "--session", kind]
            done = subprocess.run(
                [*command, "--library", str(copy)],
                env={**os.environ, **more},
                capture_output=True,
                text=True,
                check=True,
            )
            figures[kind] = json.loads(done.stdout.splitlines()[-1])
            print(f"{kind:18} {figures[kind]}", flush=True)
    print_result("merge desk", **figures)


if __name__ == "__main__":
    main()
