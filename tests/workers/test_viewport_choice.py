"""Tests how OpenGL is tried and chosen: with real child processes that fail in every way."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from desktop_app.engine import crash_log
from desktop_app.engine.errors import Cancelled
from desktop_app.engine.progress import CancelToken
from desktop_app.workers.viewport_choice import (
    AUTOMATIC,
    CARD,
    CHILD_MODULE,
    PROCESSOR,
    RETRY_DAYS,
    WITHOUT_OPENGL,
    OpenGLResult,
    ViewportChoice,
    fingerprint_graphics,
    run_trial,
)
from tests.failure_handlers import raise_failure

ROOT = Path(__file__).resolve().parents[2]
TRIED_MS = 30_000
signals_only = pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")

FASTER = OpenGLResult(
    renderer="Card 1",
    raster_ms=12.0,
    opengl_ms=4.0,
    raster_processor_ms=12.0,
    opengl_processor_ms=3.0,
    mean_difference=0.002,
    worst_difference=0.03,
)
# Mesa's llvmpipe with 16 processors: faster by the clock, by the work of all of them.
SOFTWARE = replace(FASTER, opengl_ms=9.0, opengl_processor_ms=80.0)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def write_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Return a function that makes a module of a program and returns the module's name."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    def write(program: str) -> str:
        (tmp_path / "made_up_trial.py").write_text(program, "utf-8")
        return "made_up_trial"

    return write


@pytest.fixture
def build_choice(qapp, home: Path) -> Iterator[Callable[..., ViewportChoice]]:
    """Return a function that starts anew with the same file, as the next start does."""
    made: list[ViewportChoice] = []

    def build(module: str = CHILD_MODULE, qt_platform: str = "xcb") -> ViewportChoice:
        for before in made:
            before.close()
        choice = ViewportChoice(
            home / "graphics.json", raise_failure, qt_platform=qt_platform, module=module
        )
        made.append(choice)
        return choice

    yield build
    for choice in made:
        choice.close()


def print_result(result: OpenGLResult) -> str:
    """Return a program that reports this result after it was asked."""
    return f"import sys\nsys.stdin.readline()\nprint({json.dumps(asdict(result))!r})\n"


def try_it(choice: ViewportChoice, qtbot) -> None:
    choice.try_now()
    qtbot.waitUntil(lambda: choice.lane.n_jobs == 0, timeout=TRIED_MS)


# --- the child process ---------------------------------------------------------------------------


@pytest.mark.parametrize("qt_platform", ["offscreen", "minimal"])
def test_a_platform_without_opengl_is_found_by_the_real_child(home, qt_platform: str):
    result = run_trial(qt_platform, 1.0)
    assert result.find_fault() == "there is no OpenGL context"
    assert not result.is_faster


@signals_only
def test_a_platform_that_ends_the_real_child_is_a_problem(home):
    result = run_trial("no-such-platform", 1.0)
    assert "SIGABRT" in result.find_fault()
    assert list(crash_log.logs_dir().glob("crash-*-viewport-*.txt"))


@signals_only
def test_a_child_that_a_signal_ends_is_a_problem_with_a_record(home, write_child):
    module = write_child(
        "import faulthandler, os, signal\n"
        "faulthandler.enable()\n"
        "os.kill(os.getpid(), signal.SIGSEGV)\n"
    )
    assert "SIGSEGV" in run_trial("xcb", 1.0, module=module).find_fault()
    [record] = crash_log.logs_dir().glob("crash-*-viewport-*.txt")
    assert "SIGSEGV" in record.read_text("utf-8")


@signals_only
def test_a_child_that_the_system_kills_says_nothing(home, write_child):
    module = write_child("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n")
    assert run_trial("xcb", 1.0, module=module) is None


def test_a_child_that_hangs_is_ended_and_a_problem(home, write_child):
    module = write_child("import time\nwhile True:\n    time.sleep(1)\n")
    result = run_trial("xcb", 1.0, module=module, timeout_s=0.5)
    assert "did not end" in result.find_fault()


@pytest.mark.parametrize(
    "printed", ["", "Segmentation?", "[1, 2]", "3", '{"raster_ms": "fast"}', '{"crashes": 0.5}']
)
def test_a_child_that_prints_nonsense_is_a_problem(home, write_child, printed: str):
    result = run_trial("xcb", 1.0, module=write_child(f"print({printed!r})\n"))
    assert result.find_fault() == "the trial printed no result"


def test_a_result_without_times_is_a_problem(home, write_child):
    result = run_trial("xcb", 1.0, module=write_child("print('{}')\n"))
    assert result.find_fault() == "nothing was measured"


def test_a_child_that_exits_with_an_error_is_a_problem(home, write_child):
    module = write_child(print_result(FASTER) + "sys.exit(4)\n")
    assert "exit code 4" in run_trial("xcb", 1.0, module=module).find_fault()


def test_lines_of_a_driver_before_the_result_are_ignored(home, write_child):
    module = write_child("print('libGL: a warning')\n" + print_result(FASTER))
    assert run_trial("xcb", 1.0, module=module) == FASTER


def test_the_child_is_asked_for_the_ratio_and_gets_the_platform(home, write_child):
    module = write_child(
        "import json, os, sys\n"
        "ratio = json.loads(sys.stdin.readline())['ratio']\n"
        "print(json.dumps({'problem': f\"{os.environ['QT_QPA_PLATFORM']} {ratio}\"}))\n"
    )
    assert run_trial("wayland", 1.5, module=module).problem == "wayland 1.5"


def test_a_cancelled_trial_ends_its_child(home, write_child, tmp_path):
    started = tmp_path / "started"
    module = write_child(
        f"import pathlib, time\npathlib.Path({str(started)!r}).touch()\n"
        "while True:\n    time.sleep(1)\n"
    )
    token = CancelToken()

    def cancel_when_it_runs() -> None:
        while not started.exists():
            threading.Event().wait(0.02)
        token.cancel()

    thread = threading.Thread(target=cancel_when_it_runs)
    thread.start()
    with pytest.raises(Cancelled):
        run_trial("xcb", 1.0, module=module, cancel=token)
    thread.join()


# --- the decision --------------------------------------------------------------------------------


def test_opengl_is_used_from_the_next_start_after_its_trial(build_choice, write_child, qtbot):
    choice = build_choice(write_child(print_result(FASTER)))
    assert not choice.decide(AUTOMATIC) and choice.needs_trial()
    try_it(choice, qtbot)
    again = build_choice()
    assert again.decide(AUTOMATIC) and not again.needs_trial()
    assert not again.decide(PROCESSOR)


@pytest.mark.parametrize(
    "result",
    [
        replace(FASTER, opengl_ms=15.0),
        replace(FASTER, opengl_ms=11.0),
        SOFTWARE,
    ],
    ids=["slower", "hardly faster", "software on many processors"],
)
def test_opengl_that_is_not_faster_is_used_only_if_chosen(
    build_choice, write_child, qtbot, result: OpenGLResult
):
    try_it(build_choice(write_child(print_result(result))), qtbot)
    assert not build_choice().decide(AUTOMATIC)
    assert build_choice().decide(CARD)


@pytest.mark.parametrize(
    "result",
    [
        replace(FASTER, mean_difference=0.05),
        replace(FASTER, worst_difference=0.3),
        replace(FASTER, mean_difference=float("nan")),
        OpenGLResult("there is no OpenGL context"),
    ],
    ids=["paler", "without labels", "no number", "no context"],
)
def test_opengl_that_draws_wrongly_is_never_used(
    build_choice, write_child, qtbot, result: OpenGLResult
):
    try_it(build_choice(write_child(print_result(result))), qtbot)
    choice = build_choice()
    assert not choice.decide(AUTOMATIC) and not choice.decide(CARD)


@signals_only
def test_after_a_trial_that_crashed_the_processor_draws(build_choice, write_child, qtbot):
    module = write_child("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n")
    try_it(build_choice(module), qtbot)
    choice = build_choice()
    assert not choice.decide(AUTOMATIC) and not choice.needs_trial()
    assert not choice.decide(CARD) and choice.needs_trial()  # the user wants it


@pytest.mark.parametrize("qt_platform", WITHOUT_OPENGL)
def test_platforms_without_opengl_try_nothing(build_choice, home, qt_platform: str):
    choice = build_choice(qt_platform=qt_platform)
    assert not choice.decide(CARD)
    choice.try_soon()
    assert not choice._later.isActive() and not (home / "graphics.json").exists()


def test_no_trial_runs_while_the_processor_is_chosen(build_choice):
    choice = build_choice()
    assert not choice.decide(PROCESSOR)
    choice.try_soon()
    assert not choice._later.isActive()
    assert not choice.decide(AUTOMATIC)
    choice.try_soon()
    assert choice._later.isActive()


def test_another_driver_is_tried_again(build_choice, write_child, qtbot, monkeypatch):
    try_it(build_choice(write_child(print_result(FASTER))), qtbot)
    monkeypatch.setenv("LIBGL_ALWAYS_SOFTWARE", "1")
    choice = build_choice()
    assert not choice.decide(AUTOMATIC) and choice.needs_trial()
    monkeypatch.delenv("LIBGL_ALWAYS_SOFTWARE")
    assert build_choice().decide(AUTOMATIC)


def test_the_fingerprint_stays_after_another_login(monkeypatch):
    before = fingerprint_graphics("xcb")
    monkeypatch.setenv("XAUTHORITY", "/run/user/1000/.Xauthority-2")
    monkeypatch.setenv("QT_API", "pyside6")  # set by a package when it is imported
    assert fingerprint_graphics("xcb") == before
    assert fingerprint_graphics("wayland") != before


def test_an_old_result_is_tried_again_and_used_until_then(build_choice, write_child, qtbot, home):
    try_it(build_choice(write_child(print_result(FASTER))), qtbot)
    stored = json.loads((home / "graphics.json").read_text("utf-8"))
    for result in stored["results"].values():
        result["tried"] = (date.today() - timedelta(days=RETRY_DAYS + 1)).isoformat()
    (home / "graphics.json").write_text(json.dumps(stored), "utf-8")
    choice = build_choice()
    assert choice.decide(AUTOMATIC) and choice.needs_trial()


@pytest.mark.parametrize("content", ["", "{", "[]", '{"mode": 3, "results": {"a": 1}}', "null"])
def test_a_damaged_file_is_as_none(build_choice, home, content: str):
    home.mkdir(parents=True, exist_ok=True)
    (home / "graphics.json").write_text(content, "utf-8")
    choice = build_choice()
    assert not choice.decide(AUTOMATIC) and choice.needs_trial()


def test_a_trial_during_which_the_system_stopped_is_not_repeated(build_choice, write_child, qtbot):
    copy_file = (
        "import pathlib, shutil, os, sys\nsys.stdin.readline()\n"
        "home = pathlib.Path(__file__).parent / 'home'\n"
        "shutil.copy(home / 'graphics.json', home / 'as found.json')\n"
    )
    choice = build_choice(write_child(copy_file + print_result(FASTER)))
    try_it(choice, qtbot)
    found = choice._file.with_name("as found.json")
    found.replace(choice._file)  # the file as it was when the system stopped
    choice = build_choice()
    assert not choice.decide(AUTOMATIC) and not choice.needs_trial()


def test_a_trial_that_was_cancelled_is_done_at_the_next_start(build_choice, write_child, qtbot):
    started = build_choice()._file.with_name("started")
    started.parent.mkdir(parents=True, exist_ok=True)
    module = write_child(
        f"import pathlib, time\npathlib.Path({str(started)!r}).touch()\n"
        "while True:\n    time.sleep(1)\n"
    )
    choice = build_choice(module)
    choice.try_now()
    qtbot.waitUntil(started.exists, timeout=TRIED_MS)
    assert choice.close()
    assert build_choice().needs_trial()


# --- crashes -------------------------------------------------------------------------------------


def run_and_crash(choice: ViewportChoice, mode: str) -> list[crash_log.CrashReport]:
    """Return the record of a process that decides the same way as `choice` and then crashes."""
    program = (
        "import os, signal, sys\nfrom pathlib import Path\n"
        "from PySide6.QtCore import QCoreApplication\napplication = QCoreApplication([])\n"
        "from desktop_app.engine import crash_log\n"
        "from desktop_app.workers.viewport_choice import ViewportChoice\n"
        "crash_log.start_session('window')\n"
        f"choice = ViewportChoice(Path({str(choice._file)!r}), print, qt_platform='xcb')\n"
        f"choice.decide({mode!r})\nos.kill(os.getpid(), signal.SIGSEGV)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True)
    assert done.returncode == -signal.SIGSEGV, done.stderr.decode()[-2000:]
    return crash_log.take_crashes("window", with_system_ends=True)


@signals_only
def test_after_a_crash_with_opengl_the_processor_draws_and_it_is_tried_again(
    build_choice, write_child, qtbot, caplog
):
    module = write_child(print_result(FASTER))
    choice = build_choice(module)
    try_it(choice, qtbot)
    [report] = run_and_crash(choice, AUTOMATIC)
    assert report.signal == "SIGSEGV" and report.parts == ("OpenGL viewport",)

    choice = build_choice(module)
    choice.take_crashes([report])
    assert not choice.decide(AUTOMATIC)
    assert "a start with OpenGL ended unexpectedly" in caplog.text
    choice = build_choice(module)
    choice.decide(AUTOMATIC)
    assert choice.needs_trial()
    try_it(choice, qtbot)

    [report] = run_and_crash(choice, AUTOMATIC)  # the second in a row
    assert report.parts == ("OpenGL viewport",)
    choice = build_choice(module)
    choice.take_crashes([report])
    assert not choice.decide(AUTOMATIC) and not choice.needs_trial()


@signals_only
def test_a_crash_without_opengl_changes_nothing(build_choice, write_child, qtbot):
    choice = build_choice(write_child(print_result(FASTER)))
    try_it(choice, qtbot)
    [report] = run_and_crash(choice, PROCESSOR)
    assert report.parts == ()
    build_choice().decide(AUTOMATIC)
    choice = build_choice()
    choice.take_crashes([report])
    assert choice.decide(AUTOMATIC)


@signals_only
def test_a_start_that_ends_in_order_forgets_the_crash_before_it(build_choice, write_child, qtbot):
    module = write_child(print_result(FASTER))
    choice = build_choice(module)
    try_it(choice, qtbot)
    [report] = run_and_crash(choice, AUTOMATIC)
    choice.take_crashes([report])
    try_it(choice, qtbot)
    choice = build_choice(module)
    assert choice.decide(AUTOMATIC)
    choice.close()
    choice = build_choice(module)
    choice.take_crashes([report])
    assert choice.needs_trial()  # it counts as the first


def test_a_failure_in_the_window_counts_until_the_setting_changes(build_choice, write_child, qtbot):
    choice = build_choice(write_child(print_result(FASTER)))
    try_it(choice, qtbot)
    assert build_choice().decide(AUTOMATIC)
    build_choice().record_failure()
    choice = build_choice()
    assert not choice.decide(AUTOMATIC) and not choice.needs_trial()
    choice = build_choice()
    assert not choice.decide(CARD) and choice.needs_trial()
