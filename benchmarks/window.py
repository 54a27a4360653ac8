"""Start to a usable window, and every stall of the window's thread while indexing 水浒传.

    python -m benchmarks.window [--library FILE] [--seconds N]

While the novel is indexed, the benchmark uses the window: it types in every search field, opens
documents in tabs and switches tabs and screens. Stalls above 50 ms are listed with their stacks.
With `--library` a copy of that library is used instead of an empty one.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.engine import paths

from .common import data_file, make_parser, print_result
from .stalls import StallProbe

if TYPE_CHECKING:
    from desktop_app.ui.workspace import Workspace

LIMIT_S = 900.0


def main() -> None:
    """Measure in a fresh process with a profile of its own, after one start to warm the disk."""
    parser = make_parser(__doc__)
    parser.add_argument("--library", type=Path)
    parser.add_argument("--seconds", type=float, default=LIMIT_S)
    parser.add_argument("--inner", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inner:
        _inner(options.inner, options.seconds)
        return
    with tempfile.TemporaryDirectory(prefix="inkgraph-window-") as home:
        env = os.environ | {
            "INKGRAPH_MODELS": str(paths.models_dir()),
            "INKGRAPH_HOME": home,
            "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen"),
        }
        if options.library:
            os.environ["INKGRAPH_HOME"] = home
            paths.default_library().parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(options.library, paths.default_library())
        starts = [_run(env, "start", options.seconds) for _ in range(3)]
        stall = _run(env, "stall", options.seconds)
    print(f"starts: {starts}")
    start_s, start_cpu_s = (
        round(sorted(start[figure] for start in starts)[1], 2)
        for figure in ("start_s", "start_cpu_s")
    )
    print_result("window", start_s=start_s, start_cpu_s=start_cpu_s, **stall)


def _run(env: dict[str, str], what: str, seconds: float) -> dict[str, float]:
    started = time.time()
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.window", "--inner", what, "--seconds", str(seconds)],
        env=env | {"INKGRAPH_STARTED": str(started)},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    *report, figures = done.stdout.strip().splitlines()
    print("\n".join(report))
    found: dict[str, float] = json.loads(figures)
    return found


def _inner(what: str, seconds: float) -> None:
    from PySide6.QtCore import QEventLoop
    from PySide6.QtWidgets import QApplication

    from desktop_app.app import App, end_process

    application = QApplication([])
    app = App(application)
    workspace = app.open_library(paths.default_library())
    workspace.window.resize(1440, 900)
    workspace.window.show()
    application.processEvents()
    figures: dict[str, float] = {
        "start_s": round(time.time() - float(os.environ["INKGRAPH_STARTED"]), 3),
        "start_cpu_s": round(time.process_time(), 3),
        "n_modules": len(sys.modules),
    }
    if what == "stall":
        flags = QEventLoop.ProcessEventsFlag.WaitForMoreEvents
        probe = StallProbe()

        def pause(pause_s: float) -> None:
            end = time.monotonic() + pause_s
            while time.monotonic() < end:
                application.processEvents(flags)  # the timer of the probe ends the wait

        pause(3.0)
        print(f"opening: {probe.longest_ms} ms\n{probe.report()}")
        probe.clear()
        book: Path = data_file("zh_novels", "shuihu", "shuihu_120.txt")
        states: list[str] = []
        workspace.session.indexing_runner.state_changed.connect(states.append)
        workspace.session.add_paths([str(book)])
        started = time.monotonic()
        user = User(workspace, probe, pause)
        while time.monotonic() - started < seconds:
            user.act()
            if "idle" in states and time.monotonic() - started > 5:
                break
        probe.stop()
        print(f"{len(probe.stalls)} stalls of at least 50 ms\n{probe.report()}")
        figures = {
            "indexing_s": round(time.monotonic() - started, 1),
            "worst_stall_ms": probe.longest_ms,
            "p99_stall_ms": probe.p99_ms,
            "stalls_above_100_ms": sum(gap > 100 for gap in probe.gaps),
            "n_actions": user.n_actions,
        }
    print(json.dumps(figures))
    if not app.close():
        end_process(0)  # a model is being loaded; Qt would abort when its thread is destroyed


class User:
    """Uses the window as a person does: types in its search fields, changes tabs and screens."""

    def __init__(
        self, workspace: Workspace, probe: StallProbe, pause: Callable[[float], None]
    ) -> None:
        self._workspace, self._probe, self._pause = workspace, probe, pause
        self._random = random.Random(16)
        self.n_actions = 0

    def act(self) -> None:
        """Do one of the things that a user does, at random."""
        window = self._workspace.window
        library = window.screens.library
        rows = (library.model.shown_row(at) for at in range(library.model.rowCount()))
        ids = [row.id for row in rows if row.state == "ready"]
        screens = ("library", "graph", "entity", "merge", "communities", "highlights", "models",
                   "settings", "chat")  # fmt: skip
        screen = self._random.choice(screens)
        actions: list[tuple[str, Callable[[], None]]] = [
            ("type in the library's filter", self._filter_library),
            ("type in Ctrl+K", self._search_all),
            ("type in the filter of names", self._filter_names),
            ("type in a question", self._type_question),
            (f"show {screen}", lambda: window.show_screen(screen)),
        ]
        if ids:
            document = self._random.choice([*ids[:10], *ids])
            actions += [
                ("open a document", lambda: window.document_tabs.open_document(document)),
                ("next tab", lambda: window.document_tabs.step(1)),
                ("find in the document", self._find),
            ]
        name, act = self._random.choice(actions)
        self._probe.doing = name
        self.n_actions += 1
        act()
        self._pause(0.6)
        while len(window.document_tabs.open_ids) > 8:
            window.document_tabs.close_current()
            window.document_tabs.step(1)

    def _type(self, text: str) -> None:
        from PySide6.QtCore import QCoreApplication, QEvent, Qt
        from PySide6.QtGui import QKeyEvent
        from PySide6.QtWidgets import QApplication

        for letter in text:
            target = QApplication.focusWidget() or self._workspace.window
            for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                none = Qt.KeyboardModifier.NoModifier
                QCoreApplication.postEvent(
                    target, QKeyEvent(kind, ord(letter.upper()), none, letter)
                )
            self._pause(0.12)

    def _filter_library(self) -> None:
        window = self._workspace.window
        window.show_screen("library")
        window.screens.library.filter.setFocus()
        self._type(self._random.choice(("war", "note", "宋江")))
        self._pause(0.3)
        window.screens.library.filter.clear()

    def _search_all(self) -> None:
        palette = self._workspace.window.palette_box
        palette.open()
        palette.field.setFocus()
        self._type(self._random.choice(("moby", "宋江", "settings")))
        self._pause(0.3)
        palette.close_palette()

    def _filter_names(self) -> None:
        window = self._workspace.window
        window.show_screen("entity")
        search = window.screens.entity.names.search
        search.setFocus()
        self._type(self._random.choice(("prince", "林", "bob")))
        self._pause(0.3)
        search.clear()

    def _type_question(self) -> None:
        window = self._workspace.window
        window.show_screen("chat")
        edit = window.screens.chat.box.edit
        edit.setFocus()
        self._type("who is bob")
        edit.clear()

    def _find(self) -> None:
        reader = self._workspace.window.document_tabs.reader
        reader.search.start()
        self._type(self._random.choice(("the", "river", "宋江")))
        self._pause(0.5)
        reader.find_bar.field.clear()


if __name__ == "__main__":
    main()
