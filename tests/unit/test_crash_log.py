"""Tests that the next process finds a crash, with signal, step and stacks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_app.engine import crash_log

ROOT = Path(__file__).resolve().parents[2]
signals_only = pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path))
    return tmp_path


def run_session(body: str) -> int:
    program = (
        f"from desktop_app.engine import crash_log\ncrash_log.start_session('window')\n{body}\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.call([sys.executable, "-c", program], env=environment)


@signals_only
def test_a_crash_is_found_once_with_its_signal_and_step(home):
    run_session(
        "import os, signal\n"
        "crash_log.note_step('reading a long file name')\n"
        "crash_log.note_step('making embeddings')\n"
        "os.kill(os.getpid(), signal.SIGILL)"
    )
    [report] = crash_log.take_crashes("window")
    assert (report.signal, report.step, report.kind) == ("SIGILL", "making embeddings", "window")
    assert "Current thread" in report.file.read_text("utf-8")
    assert crash_log.take_crashes("window") == []


@signals_only
def test_a_killed_process_is_found_without_a_signal(home):
    run_session("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)")
    [report] = crash_log.take_crashes()
    assert report.signal == ""


def test_a_process_that_ends_normally_leaves_only_its_log(home):
    assert run_session("crash_log.note_step('anything')") == 0
    assert crash_log.take_crashes() == []
    [log] = crash_log.logs_dir().glob("window-*.log")
    assert "started (window)" in log.read_text("utf-8")


def test_a_running_process_is_no_crash(home):
    program = (
        "import sys\nfrom desktop_app.engine import crash_log\n"
        "crash_log.start_session('window')\nprint('ready', flush=True)\nsys.stdin.read()"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with child:
        assert child.stdout.readline().strip() == b"ready"
        assert crash_log.take_crashes() == []
        child.stdin.close()
        assert child.wait() == 0
    assert crash_log.take_crashes() == []


@signals_only
def test_the_parts_that_a_process_used_are_in_its_record(home):
    run_session(
        "import os, signal\n"
        "crash_log.note_part('OpenGL viewport')\n"
        "crash_log.note_step('making embeddings')\n"
        "crash_log.note_part('another part')\n"
        "os.kill(os.getpid(), signal.SIGSEGV)"
    )
    [report] = crash_log.take_crashes("window")
    assert report.parts == ("OpenGL viewport", "another part")
    assert (report.signal, report.step) == ("SIGSEGV", "making embeddings")


def test_a_process_that_ended_with_the_system_is_returned_only_on_request(home):
    folder = crash_log.logs_dir()
    folder.mkdir(parents=True)
    record = "Inkgraph\nkind: window\nstarted: 2026-01-01T00:00:00\nboot: 0\nstep: \npart: a part\n"
    for number in (1, 2):
        (folder / f"session-window-{number}.txt").write_text(record)
        found = crash_log.take_crashes("window", with_system_ends=number == 2)
        assert [(report.system_ended, report.parts) for report in found] == (
            [(True, ("a part",))] if number == 2 else []
        )
    assert list(folder.iterdir()) == []  # there is nothing to report


@signals_only
def test_only_the_last_ten_records_are_kept(home):
    folder = crash_log.logs_dir()
    folder.mkdir(parents=True)
    for number in range(14):
        text = f"Inkgraph\nkind: window\nstarted: 2026-01-01T00:00:{number:02}\nstep: \n"
        (folder / f"session-window-{number}.txt").write_text(text)
    assert len(crash_log.take_crashes("window")) == 14
    assert len(list(folder.glob("crash-*.txt"))) == 10


def test_a_folder_that_can_not_be_written_does_not_stop_the_program(home):
    (home / "logs").write_text("a file where the folder should be")
    assert run_session("print('went on')") == 0
