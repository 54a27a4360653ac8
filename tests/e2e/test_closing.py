"""Closing the window ends the process, whatever runs, and leaves a sound library."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.closing import close_during, list_kinds, prepare
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader

ROOT = Path(__file__).resolve().parents[2]
# A child process, a model's process and a statement at once. `-m slow` closes the window during all
# others, such as the loop over a text and a thread that never returns.
USUAL = ("several at once",)
OTHERS = [kind for kind in list_kinds() if kind not in USUAL]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("closing")
    prepare(made, n_chars=8_000, use_installed_models=False)
    return made


@pytest.mark.parametrize(
    "kind", [*USUAL, *(pytest.param(kind, marks=pytest.mark.slow) for kind in OTHERS)]
)
def test_the_process_ends_by_itself_and_the_library_is_sound(folder: Path, kind: str):
    closed = close_during(kind, folder)
    assert closed.code == 0, closed.errors
    assert closed.seconds >= 0, "the window was not closed by the test"
    assert closed.problems == [] and closed.n_documents >= 1
    assert "QThread: Destroyed" not in closed.errors and "Traceback" not in closed.errors


def run_script(script: str, folder: Path, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    """Run a script in a process of its own; its argument is a copy of the library."""
    library = tmp_path / "library.inkgraph"
    library.write_bytes((folder / "base.inkgraph").read_bytes())
    environment = os.environ | {"INKGRAPH_HOME": str(tmp_path / "home"), "INKGRAPH_SUPERVISED": "1"}
    environment["INKGRAPH_MODELS"] = str(tmp_path / "none")
    return subprocess.run(
        [sys.executable, "-c", script, str(library)],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )


# Renames names and closes the window before the first edit has begun: a job is in front of them.
EDITING = """
import sys, threading
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from benchmarks.live_objects import note_made
from desktop_app.__main__ import run
from desktop_app.session import Session
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.workers.operations import Query

application = QApplication(sys.argv[:1])

def edit():
    window = next((w for w in application.topLevelWidgets() if isinstance(w, MainWindow)), None)
    if window is None or not window.isVisible():
        return
    timer.stop()
    services = sessions[0].services
    lane, busy = services.writer_lane, threading.Event()
    closing = threading.Event()
    Query(lane, lambda: closing.wait(20)).run()
    for row in services.library_reader.top_entities(3):
        Query(lane, services.editing.rename, row.id, row.name + " Renamed").run()
    application.lastWindowClosed.connect(closing.set)
    window.close()

timer = QTimer(interval=50)
timer.timeout.connect(edit)
timer.start()
with note_made(Session) as sessions:
    sys.exit(run(["--library", sys.argv[1]]))
"""


# The start fails after the library was opened, while a lane is in a call that does not return.
FAILING = """
import sys, threading
from desktop_app import app
from desktop_app.__main__ import run
from desktop_app.workers.operations import Work

open_library = app.App.open_library

def fail(self, *args):
    session = open_library(self, *args).session
    session.is_shown.set()  # which the first job of this lane waits for
    lane = session.lanes["indexing"]
    begun = threading.Event()
    Work(lane, lambda job: (begun.set(), threading.Event().wait())).run()
    begun.wait()
    raise RuntimeError("a bug at the start")

app.App.open_library = fail
sys.exit(run(["--library", sys.argv[1]]))
"""


def test_a_bug_at_the_start_ends_the_process_in_order_while_a_lane_runs(
    folder: Path, tmp_path: Path
):
    done = run_script(FAILING, folder, tmp_path)
    assert done.returncode == 3, done.stderr
    assert "RuntimeError" in done.stderr and "QThread: Destroyed" not in done.stderr


def test_edits_that_wait_when_the_window_closes_are_committed(folder: Path, tmp_path: Path):
    done = run_script(EDITING, folder, tmp_path)
    assert done.returncode == 0, done.stderr
    opened = Library(tmp_path / "library.inkgraph")
    names = [row.name for row in LibraryReader(opened.writer).top_entities(5)]
    opened.close()
    assert sum(name.endswith("Renamed") for name in names) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_command_that_is_stopped_rolls_back_and_exits_with_130(
    folder: Path, tmp_path: Path, name: str
):
    library = tmp_path / "library.inkgraph"
    environment = os.environ | {"INKGRAPH_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT)}
    environment["INKGRAPH_MODELS"] = str(tmp_path / "none")
    environment.pop("INKGRAPH_SUPERVISED", None)
    command = [sys.executable, "-m", "desktop_app", "add", "--library", str(library)]
    child = subprocess.Popen(
        [*command, str(folder / "slow.pdf")],
        env=environment,
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # so that the signal reaches parent and child, as from a terminal
    )
    with child:
        assert child.stderr is not None
        while "reading" not in (line := child.stderr.readline()):
            assert line, "it ended before it read the file"
        if name == "SIGINT":
            os.killpg(child.pid, signal.SIGINT)
        else:
            child.send_signal(signal.SIGTERM)
        rest = child.stderr.read()
        assert child.wait() == 130, rest
    assert "stopped; run the same command to go on" in rest
    opened = Library(library)
    assert opened.writer.integrity_problems() == []
    [document] = LibraryReader(opened.writer).list_documents()
    opened.close()
    assert document.state == "waiting" or document.state == "reading"
