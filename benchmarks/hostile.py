"""Attack files through a real window: each is ready or refused within its limits.

`python -m benchmarks.hostile [NAME …]`. After each attack a good file must be ready. Measured until
the window is idle again: the memory that the program and the processes of its parsers take, and the
longest stall of the window's thread, without the time in which other programs had the processor (in
brackets: with it). Before the first attack, good files of each kind are read, so that libraries are
loaded; there is no model, because parsers are attacked. The attack files are made by
`attack_files`, each in a process of its own. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from .attack_files import ATTACKS, Attack, make_pdf, show
from .common import make_parser, print_result

TICK_MS = 5
LIMIT_S = 100.0  # 60 s without progress, and what a busy machine adds
IMPORT_LIMIT_S = 600.0  # of the largest graph: a million rows
MAX_INDEXING_S = 60.0  # of a long text: what makes progress is stopped then
IDLE_S = 0.5  # longer than the window waits before it reports changes
MAX_GROWTH_MB = 100.0
MAX_STALL_MS = 200.0
PARSERS = re.compile(rb"reader_child|page_child|cover_child|text_analysis.child")
MAX_CHILD_MB = 1_600.0  # 1,500 that it allocates, and the libraries that it has loaded


def read_memory_mb(pid: int | str, key: str = "RssAnon") -> float:
    """Return the memory of a process; `RssAnon` is without the pages of mapped files.

    SQLite maps the library; the system takes those pages back when it needs them.
    """
    try:
        status = Path(f"/proc/{pid}/status").read_text("utf-8")
        return int(status.partition(f"{key}:")[2].split()[0]) / 1024
    except (OSError, IndexError, ValueError):
        return 0.0


def find_parsers() -> list[str]:
    """Return the process ids of this process's children that parse files."""
    found: list[str] = []
    for task in Path("/proc/self/task").iterdir():
        try:
            for pid in (task / "children").read_text("utf-8").split():
                if PARSERS.search(Path(f"/proc/{pid}/cmdline").read_bytes()):
                    found.append(pid)
        except OSError:
            continue
    return found


def read_queued_ms() -> dict[str, float]:
    """Return thread -> how long it was ready to run while others had the processor."""
    queued: dict[str, float] = {}
    for task in os.listdir("/proc/self/task"):
        with suppress(OSError, IndexError):  # it ended
            path = Path(f"/proc/self/task/{task}/schedstat")
            queued[task] = int(path.read_text("utf-8").split()[1]) / 1e6
    return queued


class Watch:
    """Measures the window's thread and memory while an attack runs."""

    def __init__(self, application: Any) -> None:
        from PySide6.QtCore import Qt, QTimer

        self._application = application
        self._last = time.perf_counter()
        self._timer = QTimer(timerType=Qt.TimerType.PreciseTimer, interval=TICK_MS)
        self._timer.timeout.connect(self._tick)
        self._timer.start()
        self._looked = 0.0
        self.begin()

    def begin(self) -> None:
        self.stall_ms = self.whole_stall_ms = self.child_mb = 0.0
        self.start_mb = self.peak_mb = read_memory_mb("self")
        self._last, self._queued = time.perf_counter(), read_queued_ms()

    def _tick(self) -> None:
        now, queued = time.perf_counter(), read_queued_ms()
        gap = (now - self._last) * 1000 - TICK_MS
        self.whole_stall_ms = max(self.whole_stall_ms, gap)
        # The thread that has the GIL may have waited for the processor, too.
        waited = max(ms - self._queued.get(task, 0.0) for task, ms in queued.items())
        self.stall_ms = max(self.stall_ms, gap - waited)
        self._last, self._queued = now, queued

    def _look(self) -> None:
        self.peak_mb = max(self.peak_mb, read_memory_mb("self"))
        for pid in find_parsers():
            self.child_mb = max(self.child_mb, read_memory_mb(pid, "VmHWM"))

    def wait(self, done: Callable[[], object], limit_s: float = LIMIT_S) -> bool:
        """Run the event loop until `done` or the limit; return whether it was done."""
        deadline = time.monotonic() + limit_s
        while time.monotonic() < deadline:
            self._application.processEvents()
            if time.monotonic() - self._looked > 0.05:
                self._looked = time.monotonic()
                self._look()
                if done():
                    return True
            time.sleep(0.001)
        return False


class Session:
    """A window with a library, and what happens to files in it."""

    def __init__(self, folder: Path) -> None:
        from PySide6.QtWidgets import QApplication

        from desktop_app.app import App
        from desktop_app.ui.controllers.communities import CommunityController
        from desktop_app.ui.controllers.graph_import import GraphImport

        self.folder = folder
        self._application = QApplication([])
        self._app = App(self._application)
        library = folder / "hostile.inkgraph"
        self.workspace = self._app.open_library(library)
        self.watch = Watch(self._application)
        # never another copy of SQLite in this process: it would release the locks of this one
        self._database = self.workspace.session.library.reader()
        self.added: list[Any] = []
        self.failures: list[BaseException] = []
        self.workspace.session.files_added.connect(self.added.append)
        self.workspace.session.failed.connect(self.failures.append)
        imports = self.workspace.window.findChild(GraphImport)
        assert imports is not None
        self.imports = imports
        communities = self.workspace.window.findChild(CommunityController)
        assert communities is not None
        self.communities = communities
        self.states: list[str] = []
        self.workspace.session.indexing_runner.state_changed.connect(self.states.append)
        self._warm_up()

    def _warm_up(self) -> None:
        """Read a good file in each way."""
        text, graph, pdf = (self.folder / name for name in ("warm.txt", "warm.json", "warm.pdf"))
        text.write_text("The tide came in. Ada Byron wrote letters to Clara Wren.", "utf-8")
        chunk = {"content": "Clara Wren winds clocks.", "source_id": "a"}
        graph.write_text(json.dumps({"chunks": [chunk]}), "utf-8")
        pdf.write_bytes(make_pdf([show(b"The tide.")], b""))
        outcomes = [self.add(text), self.add(pdf), self.import_graph(graph), self.show_page(pdf)]
        print(f"good files first: {outcomes}", flush=True)
        self.watch.wait(lambda: self.states[-1:] == ["idle"])
        self.wait_until_idle()

    def wait_until_idle(self) -> None:
        """Wait for what follows a change: the queue, the graph, its communities, the screens."""
        lanes, since = self.workspace.session.lanes.values(), time.monotonic()

        def is_idle() -> bool:
            nonlocal since
            if self.communities._quiet.isActive() or any(lane.n_jobs for lane in lanes):
                since = time.monotonic()
            return time.monotonic() - since > IDLE_S

        self.watch.wait(is_idle)

    def close(self) -> bool:
        """Close the window; return False if a thread still runs."""
        return self._app.close()

    def add(self, path: Path) -> str:
        """Add a file; return what became of it."""
        self.added.clear()
        self.failures.clear()
        self.workspace.session.add_paths([str(path)])
        if not self.watch.wait(lambda: self.added or self.failures):
            return "HANG while it was added"
        if self.failures:
            return f"FAILED {self.failures[0]!r}"
        added = self.added[0]
        if added.refused:
            return f"refused: {next(iter(added.refused.values()))}"
        ids = ", ".join(map(str, added.documents))
        query = f"SELECT state, reason FROM document WHERE id IN ({ids})"
        rows: list[tuple[str, str]] = []
        began = changed = time.monotonic()
        version = 0

        def is_done() -> bool:
            nonlocal changed, version
            rows[:] = self._database.rows(query)
            now = self._database.value("PRAGMA data_version")
            if now != version:
                changed, version = time.monotonic(), now
            return bool(rows) and all(state in ("ready", "failed", "paused") for state, _ in rows)

        def is_long() -> bool:
            """Return whether it is a long text of which each chunk is stored."""
            is_read = bool(rows) and rows[0][0] == "indexing"
            return is_read and time.monotonic() - began > MAX_INDEXING_S

        self.watch.wait(lambda: is_done() or is_long() or time.monotonic() - changed > LIMIT_S, 900)
        if not is_done():
            state = rows[0][0] if rows else "gone"
            for one in added.documents:
                self.workspace.session.stop_document(one)
            if not self.watch.wait(is_done, LIMIT_S):
                return f"HANG ({state}, not stopped)"
            is_moving = time.monotonic() - changed < LIMIT_S
            return "ready in parts (long; stopped)" if is_moving else f"HANG ({state})"
        if any(state == "failed" for state, _ in rows):
            return f"refused: {shorten(rows[0][1])}"
        return "ready"

    def import_graph(self, path: Path) -> str:
        imports = self.imports
        shown: list[str] = []
        messages = self.workspace.context.messages
        connection = messages.posted.connect(lambda message: shown.append(message.text))
        try:
            imports.run_import(path)
            if not self.watch.wait(lambda: imports._job is None, IMPORT_LIMIT_S):
                imports.cancel()
                return "HANG"
        finally:
            messages.posted.disconnect(connection)
        return f"refused: {shown[0]}" if shown and not self._has_text(path) else "ready"

    def _has_text(self, path: Path) -> bool:
        """Return whether a graph of this file is in the library."""
        query = "SELECT count(*) FROM document WHERE source_path = ?"
        return bool(self._database.value(query, [str(path)]))

    def show_page(self, path: Path) -> str:
        """Show the first page in the reader's view."""
        from desktop_app.engine.model import Page

        view = self.workspace.window.screens.reader.pdf_view
        worker = view.worker
        failures: list[object] = []
        worker.failed.connect(failures.append)
        view.set_document(path.read_bytes(), None, "tide", [Page(0, "1", 0, 4)])
        view.worker.add_requests(lambda: [("picture", 0, 1.0)] if worker.sizes else [])
        done = self.watch.wait(
            lambda: failures or worker.failure(0) is not None or worker.picture(0) is not None
        )
        reason = worker.failure(0) or (failures and str(failures[0]))
        view.clear()
        return "HANG" if not done else f"refused: {reason}" if reason else "shown"

    def load_model(self, path: Path) -> str:
        from desktop_app.engine.errors import AppError
        from desktop_app.engine.llm.gguf_header import load_header

        try:
            load_header(path)
        except AppError as error:
            return f"refused: {error.message}"
        return "ready"

    def open_library(self, path: Path) -> str:
        from desktop_app.engine.errors import AppError
        from desktop_app.engine.services.library import Library

        try:
            Library(path).close()
        except AppError as error:
            return f"refused: {error.message}"
        return "opened"


def shorten(stored: str) -> str:
    from desktop_app.engine.messages import Message

    return str(Message.from_stored(stored))


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="attack files (default: all)")
    parser.add_argument("--make", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.make:
        number, name = options.make
        ATTACKS[int(number)].make(Path(os.fsdecode(bytes.fromhex(name))))
        return 0
    attacks = [a for a in ATTACKS if not options.names or a.name in options.names]
    with tempfile.TemporaryDirectory(prefix="inkgraph-hostile-") as home:
        os.environ["INKGRAPH_HOME"] = home
        os.environ["INKGRAPH_MODELS"] = home  # the window without models: parsers are attacked
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        session = Session(Path(home))
        code = 1
        try:
            code = run(session, attacks)
        finally:
            is_closed = session.close()
    if not is_closed:
        from desktop_app.app import end_process

        end_process(code)  # as the program does: Qt would abort it
    return code


def run(session: Session, attacks: list[Attack]) -> int:
    """Run the attacks and print a table; return the exit code."""
    ways = {"add": session.add, "import": session.import_graph, "page": session.show_page}
    ways |= {"model": session.load_model, "library": session.open_library}
    bad: list[str] = []
    worst = {"stall_ms": 0.0, "growth_mb": 0.0, "child_mb": 0.0, "seconds": 0.0}
    outcomes = {"ready": 0, "refused": 0}
    for number, attack in enumerate(attacks):
        folder = session.folder / f"attack {number}"
        folder.mkdir()
        path = folder / attack.name
        make(attack, path)
        watch = session.watch
        watch.wait(lambda: False, 0.2)
        watch.begin()
        began = time.monotonic()
        try:
            outcome = ways[attack.how](path)
        except Exception as error:
            outcome = f"FAILED {error!r}"
        seconds = time.monotonic() - began
        session.wait_until_idle()
        growth, stall, child = watch.peak_mb - watch.start_mb, watch.stall_ms, watch.child_mb
        whole = watch.whole_stall_ms
        good = folder / "good.txt"
        good.write_text(f"The tide came in. Clerk number {number} wrote letters.", "utf-8")
        after = session.add(good)
        problems = []
        if outcome.startswith(("HANG", "FAILED")) or "A fault in Inkgraph" in outcome:
            problems.append("outcome")
        if growth > MAX_GROWTH_MB:
            problems.append("memory")
        if stall > MAX_STALL_MS:
            problems.append("stall")
        if child > MAX_CHILD_MB:
            problems.append("child")
        if after != "ready":
            problems.append(f"after it: {after}")
        if problems:
            bad.append(attack.name)
        outcomes["refused" if outcome.startswith("refused") else "ready"] += 1
        for key, value in zip(worst, (stall, growth, child, seconds), strict=True):
            worst[key] = round(max(worst[key], value), 1)
        name = attack.name.encode("utf-8", "backslashreplace").decode()[:28]
        print(
            f"{attack.how:8}{name!r:32}{seconds:6.1f} s {growth:6.0f} MB {child:6.0f} MB "
            f"{stall:5.0f} ({whole:.0f}) ms  {' '.join(problems):8} {outcome[:110]!r}",
            flush=True,
        )
    print_result("hostile", attacks=len(attacks), **outcomes, **worst, bad=len(bad), which=bad)
    return 1 if bad else 0


def make(attack: Attack, path: Path) -> None:
    """Make the file in a process of its own, whose memory is not this one's."""
    number = next(i for i, one in enumerate(ATTACKS) if one is attack)
    name = os.fsencode(path).hex()
    command = [sys.executable, "-m", "benchmarks.hostile", "--make", str(number), name]
    subprocess.run(command, check=True)


if __name__ == "__main__":
    raise SystemExit(main())
