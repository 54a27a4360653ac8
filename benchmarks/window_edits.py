"""Times of edits and of screens in the real window: `python -m benchmarks.edits --window`.

Each edit is made as the user makes it, with the library, the graph around one name, the page of a
name and the merge desk opened before. It is timed from the action until every lane is idle and
the event loop has run once more, so that all open screens have painted the result, as far as it is
in view (`all_ms`). In the graph the nodes may then still be moving to their new places; `still_ms`
is the time until they rest. Other numbers: the longest stall of the window's thread, and the time
of the engine's own work. Work that starts later by itself is listed as `late`. At the end
short notes are added, the first one apart: `listed_ms` is the time until the file is in the list of
documents, `shown_ms` that until its name is in the graph. Nothing is asserted; the jobs of each
edit go to `--jobs`.
"""

from __future__ import annotations

import math
import os
import random
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop_app.ui.library.table_model import DocumentTableModel

SEED = 16
LIMIT_S = 120.0
LATE_S = 3.6  # longer than any timer of a screen
SCREENS = ("library", "graph", "entity", "merge", "communities", "chat", "models", "settings")
IN_FRONT = ("library", "graph", "entity", "merge")  # screens in front of which names are edited


class WindowTimes:
    """Opens a library in the window and measures what the user waits for."""

    def __init__(self, path: Path) -> None:
        from PySide6.QtWidgets import QApplication

        from desktop_app.app import App
        from desktop_app.workers.lane import Job

        jobs: list[tuple[str, float]] = []  # label, milliseconds
        self.jobs = jobs
        run_here = Job.run_here

        def timed(self: Job) -> None:
            started = time.perf_counter()
            try:
                run_here(self)
            finally:
                jobs.append((self.label, (time.perf_counter() - started) * 1000))

        Job.run_here = timed  # type: ignore[method-assign]  # every job, wherever it is made
        self.application = QApplication([])
        self.app = App(self.application)
        started = time.perf_counter()
        self.workspace = self.app.open_library(path)
        self.window = self.workspace.window
        self.window.resize(1440, 900)
        self.window.show()
        self.screens = self.window.screens
        self.worst_ms = 0.0
        self.wait(lambda: self.screens.library.model.n_all > 0)
        self.usable_s = time.perf_counter() - started
        self.open_stall_ms = self.worst_ms
        self.settle()
        self.settled_s = time.perf_counter() - started
        self.first_jobs = list(self.jobs)

    # --- the event loop -------------------------------------------------------------------------

    def step(self) -> None:
        started = time.perf_counter()
        self.application.processEvents()
        self.worst_ms = max(self.worst_ms, (time.perf_counter() - started) * 1000)
        time.sleep(0.0005)

    def wait(self, until: Callable[[], bool]) -> float:
        """Run the event loop until a condition; return the milliseconds."""
        started = time.perf_counter()
        while not until() and time.perf_counter() - started < LIMIT_S:
            self.step()
        return (time.perf_counter() - started) * 1000

    def is_idle(self) -> bool:
        session = self.workspace.session
        lanes = list(session.lanes.values())
        if not self.workspace.preparation.is_done:
            return False
        lanes.append(self.screens.graph.navigation.loader.lane)
        jobs = [job.label for lane in lanes for job in lane._jobs]
        if session.publish_timer.isActive() or any(label not in BESIDE for label in jobs):
            return False
        entity, graph = self.screens.entity, self.screens.graph
        waits = entity.isVisible() and (entity._names_stale or entity._page_stale)
        return not waits and not (graph.isVisible() and graph._stale)

    def settle(self) -> float:
        """Run the event loop until nothing runs; return when that was, as by `perf_counter`.

        The time is that after the first whole round of the event loop without work, which paints
        what the last job brought. Twenty such rounds in a row end the wait.
        """
        started = ended = time.perf_counter()
        n_quiet = 0
        while n_quiet < 20 and ended - started < LIMIT_S:
            self.step()
            n_quiet = n_quiet + 1 if self.is_idle() else 0
            if n_quiet <= 2:
                ended = time.perf_counter()
        return ended

    def rest(self, seconds: float = LATE_S) -> None:
        """Let what starts later run to its end."""
        until = time.perf_counter() + seconds
        self.wait(lambda: time.perf_counter() > until)
        self.settle()

    # --- measuring ------------------------------------------------------------------------------

    def measure(
        self, act: Callable[[], object], *, shown: Callable[[], bool] | None = None
    ) -> dict[str, float]:
        """Act as the user does and wait until every screen shows the result."""
        self.rest(0.05)
        self.worst_ms, self.jobs[:] = 0.0, []
        started = time.perf_counter()
        act()
        self.worst_ms = (time.perf_counter() - started) * 1000
        shown_ms = (time.perf_counter() - started) * 1000 if shown is None else self.wait(shown)
        all_ms = (self.settle() - started) * 1000
        self.wait(lambda: not self.screens.graph.canvas._movement.running)
        still_ms = max(all_ms, (time.perf_counter() - started) * 1000)
        stall_ms, n_jobs = self.worst_ms, len(self.jobs)
        engine_ms = sum(ms for label, ms in self.jobs if label.startswith(EDIT_LABELS))
        self.rest()
        late_ms = sum(ms for _, ms in self.jobs[n_jobs:])
        return {
            "all_ms": all_ms,
            "still_ms": still_ms,
            "engine_ms": engine_ms,
            "more_ms": all_ms - engine_ms,
            "shown_ms": shown_ms,
            "stall_ms": stall_ms,
            "late_ms": late_ms,
            "late_stall_ms": self.worst_ms,
        }

    def measure_note(self, number: int) -> dict[str, float]:
        """Add a text file of a page with a new name, as if it was dropped on the window.

        Returns:
            `measure` of it, where `shown_ms` is the time until the name is in the graph;
            `listed_ms` that until the file is in the list of documents.
        """
        db = self.workspace.session.library.reader()
        name = NOTE_NAMES[number % len(NOTE_NAMES)]
        sentences = f"{name} met Ishbel Tarn at the mill. {name} wrote to Ishbel Tarn. "
        with tempfile.TemporaryDirectory(prefix="inkgraph-note-") as folder:
            path = Path(folder) / f"note-{number}.txt"
            path.write_text(sentences * 20, "utf-8")
            listed_ms = started = 0.0

            def add() -> None:
                nonlocal started
                started = time.perf_counter()
                self.window.files_dropped.emit([str(path)])

            def is_in_graph() -> bool:
                nonlocal listed_ms
                if not listed_ms and db.value(
                    "SELECT 1 FROM document WHERE file_name = ?", (path.name,)
                ):
                    listed_ms = (time.perf_counter() - started) * 1000
                return bool(db.value("SELECT 1 FROM entity WHERE name = ?", (name,)))

            found = self.measure(add, shown=is_in_graph)
        return found | {"listed_ms": listed_ms}

    def close(self) -> None:
        self.app.close()


NOTE_NAMES = (  # that are in no library of the benchmarks
    *("Zebulon Quarry", "Marcus Tolliver", "Helena Brackwater"),
    *("Oswin Pettigrass", "Ludmila Thornbury", "Casimir Wexcombe"),
)

# Not caused by an edit, or nothing that is seen: saving the view of the graph after it was shown,
# and the question of every 1.5 s whether another process changed the library.
BESIDE = ("GraphViews.save", "ForeignWatch._look")
EDIT_LABELS = ("EditRunner.", "work")  # "work" is an undo


def measure_window(
    path: Path, repeat: int, *, in_front: Sequence[str] = IN_FRONT, print_jobs: bool = False
) -> dict[str, object]:
    """Return the times of opening, of screens, of search fields, and of edits by kind."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory(prefix="inkgraph-window-") as home:
        os.environ["INKGRAPH_HOME"] = home
        os.environ["INKGRAPH_MODELS"] = home  # without models nothing else runs meanwhile
        times = WindowTimes(path)
        try:
            return _measure(times, repeat, in_front, print_jobs)
        finally:
            times.close()


def _measure(
    times: WindowTimes, repeat: int, in_front: Sequence[str], print_jobs: bool
) -> dict[str, object]:
    figures: dict[str, object] = {
        "open": {
            "usable_s": round(times.usable_s, 2),
            "settled_s": round(times.settled_s, 2),
            "stall_ms": round(times.open_stall_ms),
        }
    }
    taken: dict[str, list[dict[str, float]]] = defaultdict(list)

    def note(kind: str, one: dict[str, float]) -> None:
        taken[kind].append(one)
        if print_jobs:
            print(kind, {k: round(v) for k, v in one.items()})
            for label, ms in sorted(times.jobs, key=lambda job: -job[1])[:8]:
                print(f"    {ms:8.1f} {label}")

    if print_jobs:
        print("opening", sorted(((round(ms), label) for label, ms in times.first_jobs))[-8:])
    window, screens = times.window, times.screens
    session = times.workspace.session
    editing, edits = session.services.editing, screens.entity.corrections.menu.edits
    db = session.library.reader()
    choice = random.Random(SEED)
    people = db.column("SELECT id FROM entity WHERE type = 'person' AND n_mentions > 2")
    window.navigator.show_in_graph([people[0]])
    times.rest()
    window.navigator.open_entity(people[0])
    times.rest()
    for turn in range(2):
        for name in SCREENS:
            note(
                f"{'first ' if turn == 0 else ''}{name}",
                times.measure(partial(window.show_screen, name)),
            )
    fields = {
        "library": screens.library.filter,
        "entity": screens.entity.names.search,
        "merge": screens.merge.list.search,
    }
    for name, field in fields.items():
        window.show_screen(name)
        times.rest()
        searched: list[str] = []
        field.searched.connect(searched.append)
        for text in ("m", "ma", "mar", ""):
            searched.clear()
            act, is_searched = partial(field.setText, text), partial(bool, searched)
            note(f"type in {name}", times.measure(act, shown=is_searched))
    for name in in_front:
        for _number in range(repeat):
            first, second, third = choice.sample(people, 3)
            mentions = db.column(
                "SELECT m.id FROM mention m JOIN entity_name en USING (name_id)"
                " WHERE en.entity_id = ?", (second,)
            )[::2]  # fmt: skip
            screens.graph.show_entities([first])
            screens.entity.show_entity(first)
            window.show_screen(name)
            times.rest()
            for kind, act in {
                "merge": partial(edits.run, editing.merge, first, [second], message="Merged"),
                "split": partial(edits.run, editing.split, second, mentions, "Half"),
                "rename": partial(edits.run, editing.rename, first, "A new name"),
                "retype": partial(edits.run, editing.retype, first, "place"),
                "delete": partial(edits.run, editing.delete, third),
            }.items():
                note(f"{kind} ({name})", times.measure(act))
                note(f"{kind}, undo ({name})", times.measure(edits.undo))
    for _number in range(repeat):
        window.show_screen("library")
        times.rest()
        model = screens.library.model
        row = choice.choice([row for row in model._shown if row.n_chars < 5000])
        screens.library.list.select(row.id)
        move = partial(screens.library.collections.move_to_trash, [row])
        is_gone = partial(_is_gone, model, row.id)
        note("delete document", times.measure(move, shown=is_gone))
        note("delete document, undo", times.measure(edits.undo))
    window.show_screen("library")
    for number in range(1 + repeat):
        note(f"{'first' if number == 0 else 'later'} note", times.measure_note(number))
    screens.merge.show_part(0)
    window.show_screen("merge")
    times.rest(8)
    for _number in range(repeat):
        if screens.merge.page.cluster is None:
            break
        before = [one.ids for one in screens.merge.model.rows]
        with suppress(StopIteration):
            note("decide on a cluster", times.measure(screens.merge.page.merge))
            after = [one.ids for one in screens.merge.model.rows]
            kept = [ids for ids in before if ids in set(after)]
            taken["decide on a cluster"][-1]["moved"] = float(kept != after)
            note("decide, undo", times.measure(edits.undo))
    for kind, ones in taken.items():
        figures[kind] = {
            key: round(_p95([one[key] for one in ones]))
            for key in (
                "all_ms",
                "still_ms",
                "engine_ms",
                "more_ms",
                "shown_ms",
                "stall_ms",
                "late_ms",
            )
        } | {"median_ms": round(statistics.median(one["all_ms"] for one in ones))}
        if "listed_ms" in ones[0]:
            figures[kind]["listed_ms"] = round(_p95([one["listed_ms"] for one in ones]))  # type: ignore[index]
        if "moved" in ones[0]:
            figures[kind]["moved"] = sum(one["moved"] for one in ones)  # type: ignore[index]
    return figures


def _is_gone(model: DocumentTableModel, document_id: int) -> bool:
    return model.place_of(document_id) < 0


def _p95(numbers: list[float]) -> float:
    return sorted(numbers)[math.ceil(0.95 * len(numbers)) - 1]
