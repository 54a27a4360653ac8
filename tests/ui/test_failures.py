"""Every failure is shown: what no caller handles appears in the message bar and the log.

Goes through every class of operation and of queue runner that the program has, found by reading
the package, so that a new one is tested without changes here.
"""

from __future__ import annotations

import importlib
import inspect
import logging
import pkgutil
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, QThread, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget

import desktop_app
from benchmarks.live_objects import note_made
from desktop_app import __version__
from desktop_app.app import App, FirstStart
from desktop_app.engine.errors import AppError, Cancelled, EnvironmentProblem, UserError
from desktop_app.engine.services.problem_report import build_problem_report
from desktop_app.ui.messages import MessageBar, Messages, ShownMessage
from desktop_app.ui.theme.theme import Theme
from desktop_app.workers.background_jobs import QueueRunner
from desktop_app.workers.failures import REPEAT_S, ExceptionHooks, log_failure
from desktop_app.workers.lane import Job, Lane
from desktop_app.workers.operations import Query, Work
from tests.failure_handlers import raise_failure

LOGGER = "desktop_app.workers.failures"
Records = list[logging.LogRecord]


# --- operations and runners ----------------------------------------------------------


def subclasses(base: type) -> list[type]:
    """Return a class of the program and all its subclasses."""
    for module in pkgutil.walk_packages(desktop_app.__path__, "desktop_app."):
        if not module.name.startswith("desktop_app.engine"):  # no Qt there
            importlib.import_module(module.name)
    found, open_ = [base], [base]
    while open_:
        for kind in open_.pop().__subclasses__():
            if kind.__module__.startswith("desktop_app.") and kind not in found:
                found.append(kind)
                open_.append(kind)
    return found


OPERATIONS = subclasses(Query)
RUNNERS = subclasses(QueueRunner)
Start = Callable[[Lane, Callable[..., None]], QObject | None]


def start_operation(kind: type[Query]) -> Start:
    return lambda lane, fail: kind(lane, fail).run()


def start_runner(kind: type[QueueRunner]) -> Start:
    def start(lane: Lane, fail: Callable[..., None]) -> QObject:
        runner = kind(lane, fail)
        runner.start()
        return runner

    return start


WAYS: dict[str, Start] = {
    **{kind.__name__: start_operation(kind) for kind in OPERATIONS},
    **{kind.__name__: start_runner(kind) for kind in RUNNERS},
    "a job given to the lane itself": lambda lane, fail: lane.submit(Job(fail, "a job")),
}


@pytest.fixture
def messages(qapp) -> Messages:
    return Messages()


@pytest.fixture
def posted(messages: Messages) -> list[ShownMessage]:
    """Return the list of shown messages, filled as they come."""
    shown: list[ShownMessage] = []
    messages.posted.connect(shown.append)
    return shown


@pytest.fixture
def bar(messages: Messages, qtbot) -> MessageBar:
    window = QWidget()
    window.resize(800, 600)
    qtbot.addWidget(window)
    made = MessageBar(Theme("light"), messages, window)
    made.window_kept = window
    window.show()
    return made


@pytest.fixture
def lane(messages: Messages, qtbot) -> Iterator[Lane]:
    made = Lane("test", messages.show_error)
    yield made
    assert made.close()


def raiser(error: BaseException) -> Callable[..., None]:
    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


def failure_records(caplog: pytest.LogCaptureFixture) -> Records:
    return [record for record in caplog.records if record.name == LOGGER]


def wait_until_worked_off(qtbot, lane: Lane) -> None:
    """Wait for the end of another job: all jobs requested before have ended by then."""
    done = []
    Query(lane, lambda: 1).on_success(done.append).run()
    qtbot.waitUntil(lambda: bool(done))


# --- every operation ----------------------------------------------------------------------------


def test_the_operations_and_runners_of_the_program_are_found():
    assert {Query, Work} <= set(OPERATIONS)
    assert [QueueRunner] == RUNNERS


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "error, text, kind",
    [
        (UserError("This file is empty.", "Choose another."), "This file is empty. Choose another.",
         "warn"),
        (EnvironmentProblem("The disk is full."), "The disk is full.", "bad"),
    ],
)  # fmt: skip
def test_an_expected_failure_is_shown_and_logged(
    qtbot, lane, bar, posted, caplog, way: str, error: AppError, text: str, kind: str
):
    caplog.set_level(logging.INFO, LOGGER)
    held = WAYS[way](lane, raiser(error))
    qtbot.waitUntil(bar.isVisible)
    assert bar.text.text() == text and posted[-1].kind == kind
    assert not bar.action.isVisible()
    (record,) = failure_records(caplog)
    assert record.levelno == logging.INFO and text in record.getMessage()
    del held


@pytest.mark.parametrize("way", WAYS)
def test_a_bug_is_shown_once_with_its_report_and_logged_with_its_traceback(
    qtbot, lane, bar, messages, posted, caplog, logged_bugs: Records, way: str
):
    requested = []
    messages.report_wanted.connect(requested.append)
    held = WAYS[way](lane, raiser(KeyError("chunk 7")))
    qtbot.waitUntil(bar.isVisible)
    wait_until_worked_off(qtbot, lane)
    assert [message.text for message in posted] == [
        "Something went wrong in Inkgraph: KeyError: 'chunk 7'"
    ]
    assert bar.action.isVisible() and bar.action.text() == "Show report"
    bar.action.click()
    [error] = requested
    report = build_problem_report(error=error)
    assert f"Inkgraph {__version__}" in report
    assert "in fail" in report and "KeyError" in report and "chunk 7" not in report
    (record,) = failure_records(caplog)
    assert record.levelno == logging.ERROR and record.exc_info is not None
    assert "Traceback" in caplog.text and "in fail" in caplog.text
    logged_bugs.clear()
    del held


@pytest.mark.parametrize("way", WAYS)
def test_cancelled_work_is_silent(qtbot, lane, posted, caplog, way: str):
    caplog.set_level(logging.DEBUG, LOGGER)
    held = WAYS[way](lane, raiser(Cancelled()))
    wait_until_worked_off(qtbot, lane)
    assert posted == [] and failure_records(caplog) == []
    del held


def test_a_runner_is_idle_after_a_failure_and_can_start_again(qtbot, lane, bar):
    errors = [UserError("The first run fails.")]
    runs = []

    def run(**_: object) -> None:
        runs.append(1)
        if errors:
            raise errors.pop()

    runner = QueueRunner(lane, run)
    runner.start()
    qtbot.waitUntil(lambda: bar.text.text() == "The first run fails.")
    qtbot.waitUntil(lambda: runner.state == "idle")
    runner.start()
    qtbot.waitUntil(lambda: len(runs) == 2 and runner.state == "idle")


# --- handlers, owners ---------------------------------------------------------------------------


@pytest.mark.parametrize("error", [UserError("Not this one."), ValueError("a bug")])
def test_an_error_handler_replaces_the_message_and_the_failure_is_logged(
    qtbot, lane, posted, caplog, logged_bugs: Records, error: Exception
):
    caplog.set_level(logging.INFO, LOGGER)
    taken = []
    Query(lane, raiser(error)).on_error(taken.append).run()
    qtbot.waitUntil(lambda: bool(taken))
    wait_until_worked_off(qtbot, lane)
    assert taken == [error] and posted == []
    (record,) = failure_records(caplog)
    is_bug = not isinstance(error, AppError)
    assert record.levelno == (logging.ERROR if is_bug else logging.INFO)
    assert (record.exc_info is not None) == is_bug
    logged_bugs.clear()


def test_a_handler_that_shows_the_failure_too_does_not_log_it_twice(
    qtbot, lane, messages, posted, caplog, logged_bugs: Records
):
    Query(lane, raiser(ValueError("a bug"))).on_error(messages.show_error).run()
    qtbot.waitUntil(lambda: bool(posted))
    wait_until_worked_off(qtbot, lane)
    assert len(posted) == len(failure_records(caplog)) == 1
    logged_bugs.clear()


def test_the_same_exception_raised_again_is_logged_again(qtbot, lane, caplog, logged_bugs: Records):
    error = ValueError("kept and raised again")
    for _ in range(2):
        Query(lane, raiser(error)).run()
    wait_until_worked_off(qtbot, lane)
    assert len(failure_records(caplog)) == 2
    logged_bugs.clear()


@pytest.mark.parametrize("has_handler", [True, False])
@pytest.mark.parametrize("error", [UserError("It was not saved."), ValueError("a bug")])
def test_the_failure_of_an_operation_with_a_deleted_owner_is_logged_and_shown(
    qtbot, lane, posted, caplog, logged_bugs: Records, error: Exception, has_handler: bool
):
    caplog.set_level(logging.INFO, LOGGER)
    owner, gate, taken = QObject(), threading.Event(), []

    def work() -> None:
        gate.wait(5)
        raise error

    query = Query(lane, work, owner=owner)
    if has_handler:
        query.on_error(taken.append)
    query.run()
    shiboken6.delete(owner)
    gate.set()
    wait_until_worked_off(qtbot, lane)
    assert taken == []
    assert len(posted) == len(failure_records(caplog)) == 1
    logged_bugs.clear()


def test_a_failure_after_the_window_was_closed_is_logged(
    qtbot, lane, messages, caplog, logged_bugs: Records
):
    gate = threading.Event()

    def work() -> None:
        gate.wait(5)
        raise ValueError("late")

    Query(lane, work).run()
    shiboken6.delete(messages)
    gate.set()
    wait_until_worked_off(qtbot, lane)
    assert len(failure_records(caplog)) == 1
    logged_bugs.clear()


def test_a_failure_is_logged_even_without_an_event_loop(messages, caplog, logged_bugs: Records):
    lane = Lane("closing", messages.show_error)
    started = threading.Event()

    def work(job: Job) -> None:
        started.set()
        while not job.cancel_token.cancelled:
            pass
        raise ValueError("while closing")

    Work(lane, work).run()
    assert started.wait(5)
    assert lane.close()
    assert len(failure_records(caplog)) == 1
    logged_bugs.clear()


def test_a_failing_handler_does_not_block_the_lane(qtbot, lane, logged_bugs: Records):
    def bad_handler(error: BaseException) -> None:
        raise RuntimeError("in the handler") from error

    ended = []
    with qtbot.capture_exceptions() as caught:
        Query(lane, raiser(UserError("No."))).on_error(bad_handler).on_end(
            lambda: ended.append(1)
        ).run()
        wait_until_worked_off(qtbot, lane)
    assert ended == [1] and lane.n_jobs == 0
    assert [kind for kind, _, _ in caught] == [RuntimeError]


def test_the_cause_of_an_expected_failure_is_logged(caplog):
    caplog.set_level(logging.INFO, LOGGER)
    try:
        try:
            raise PermissionError("read-only")
        except OSError as error:
            raise EnvironmentProblem("The file can't be written.") from error
    except EnvironmentProblem as error:
        log_failure(error, "saving")
    assert "saving failed: The file can't be written." in caplog.text
    assert "PermissionError('read-only')" in caplog.text


# --- the whole window ---------------------------------------------------------------------------


def test_every_lane_of_the_window_shows_failures_in_its_message_bar(
    app: App, tmp_path: Path, qtbot
):
    with note_made(Lane) as lanes:
        workspace = app.open_library(tmp_path / "one.inkgraph")
        workspace.window.screens.build_all()
    names = [lane.objectName() for lane in lanes]
    assert {"reader", "writer", "model", "graph layout", "pdf pages", "reports"} <= set(names)
    assert len(set(names)) == len(names)
    bar = workspace.window.message_bar
    for lane, name in zip(lanes, names, strict=True):
        text = f"It failed in {name}."
        Query(lane, raiser(UserError(text))).run()
        qtbot.waitUntil(lambda text=text: bar.isVisible() and bar.text.text() == text)


def test_a_bug_before_a_library_is_open_is_shown_by_the_welcome_window(app: App):
    first = app.first_start = FirstStart(app)
    first.show()
    app.show_failure(ValueError("no library yet"))
    problem = first.window.problem
    assert problem.isVisible() and "ValueError: no library yet" in problem.text()
    first.window.finish()


def test_a_bug_while_no_window_is_open_is_tolerated(app: App):
    app.show_failure(ValueError("between two windows"))
    assert app.workspace is None


# --- what no operation runs: slots, threads, __del__ --------------------------------------------


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def hooks(qtbot, messages, clock, monkeypatch) -> Iterator[ExceptionHooks]:
    """Install the exception hooks over Python's own, not over those of pytest."""
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)
    monkeypatch.setattr(threading, "excepthook", threading.__excepthook__)
    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)
    made = ExceptionHooks(messages.show_error, clock)
    made.install()
    yield made
    made.restore()


class Sender(QObject):
    fired = Signal()


def test_a_bug_in_a_slot_is_shown_and_logged_once(
    qtbot, hooks, bar, posted, caplog, logged_bugs: Records
):
    sender = Sender()
    sender.fired.connect(raiser(KeyError("in a slot")))
    sender.fired.emit()
    assert posted == [], "shown from the event loop, not from within what failed"
    qtbot.waitUntil(bar.isVisible)
    assert "KeyError: 'in a slot'" in bar.text.text()
    assert bar.action.text() == "Show report"
    (record,) = failure_records(caplog)
    assert record.exc_info is not None
    logged_bugs.clear()


def test_a_bug_in_a_success_callback_is_shown_and_the_lane_continues(
    qtbot, hooks, lane, bar, logged_bugs: Records
):
    ended = []
    query = Query(lane, lambda: 1).on_success(raiser(ValueError("in the callback")))
    query.on_end(lambda: ended.append(1)).run()
    qtbot.waitUntil(bar.isVisible)
    assert "ValueError: in the callback" in bar.text.text()
    wait_until_worked_off(qtbot, lane)
    assert ended == [1] and lane.n_jobs == 0
    assert len(logged_bugs) == 1
    logged_bugs.clear()


def test_an_expected_failure_in_a_slot_shows_its_hint(qtbot, hooks, bar, caplog):
    sender = Sender()
    sender.fired.connect(raiser(UserError("This name is too long.", "Use 80 characters.")))
    sender.fired.emit()
    qtbot.waitUntil(bar.isVisible)
    assert bar.text.text() == "This name is too long. Use 80 characters."


def test_cancelling_in_a_slot_is_silent(qtbot, hooks, lane, posted, caplog):
    caplog.set_level(logging.DEBUG, LOGGER)
    sender = Sender()
    sender.fired.connect(raiser(Cancelled()))
    sender.fired.emit()
    wait_until_worked_off(qtbot, lane)
    assert posted == [] and failure_records(caplog) == []


def test_a_bug_in_a_plain_thread_is_shown_on_the_windows_thread(
    qtbot, hooks, messages, bar, logged_bugs: Records
):
    threads = []
    messages.posted.connect(lambda _: threads.append(QThread.currentThread()))
    thread = threading.Thread(target=raiser(ValueError("in a thread")), name="watcher")
    thread.start()
    thread.join()
    qtbot.waitUntil(bar.isVisible)
    assert "ValueError: in a thread" in bar.text.text()
    assert threads == [QThread.currentThread()]
    assert "watcher" in logged_bugs[0].getMessage()
    logged_bugs.clear()


def test_a_bug_in_a_qt_thread_outside_of_jobs_is_shown(qtbot, hooks, bar, logged_bugs: Records):
    class Broken(QThread):
        def run(self) -> None:
            raise ValueError("in a Qt thread")

    thread = Broken()
    thread.start()
    assert thread.wait(5_000)
    qtbot.waitUntil(bar.isVisible)
    assert "ValueError: in a Qt thread" in bar.text.text()
    logged_bugs.clear()


def test_exceptions_in_destructors_are_logged(hooks, posted, caplog, logged_bugs: Records):
    class Leaving:
        def __del__(self) -> None:
            raise ValueError("in __del__")

    Leaving()
    (record,) = failure_records(caplog)
    assert record.exc_info is not None and "__del__" in record.getMessage()
    assert posted == []
    logged_bugs.clear()


def test_repeated_paint_failures_are_reported_rarely(
    qtbot, hooks, clock, posted, caplog, logged_bugs: Records
):
    class Broken(QWidget):
        n_painted = 0

        def paintEvent(self, event: QPaintEvent) -> None:
            self.n_painted += 1
            raise ValueError("in paintEvent")

    widget = Broken()
    qtbot.addWidget(widget)
    widget.show()
    qtbot.waitUntil(lambda: len(posted) == 1)

    def paint_again() -> None:
        n_painted = widget.n_painted
        widget.update()
        qtbot.waitUntil(lambda: widget.n_painted > n_painted)

    for _ in range(5):
        paint_again()
    assert len(failure_records(caplog)) == 1
    clock.now += REPEAT_S
    paint_again()
    qtbot.waitUntil(lambda: len(posted) == 2)
    assert len(failure_records(caplog)) == 2
    logged_bugs.clear()


def test_a_failure_while_showing_a_failure_is_only_logged(
    qtbot, monkeypatch, caplog, logged_bugs: Records
):
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)
    hooks = ExceptionHooks(raise_failure)
    hooks.install()
    sender = Sender()
    sender.fired.connect(raiser(ValueError("first")))
    sender.fired.emit()
    qtbot.waitUntil(lambda: len(failure_records(caplog)) == 2)
    hooks.restore()
    logged_bugs.clear()


def test_ctrl_c_and_exit_go_to_the_former_hook(qapp, monkeypatch, caplog):
    former = []
    monkeypatch.setattr(sys, "excepthook", lambda *args: former.append(args[0]))
    hooks = ExceptionHooks(raise_failure)
    hooks.install()
    for kind in (KeyboardInterrupt, SystemExit):
        sys.excepthook(kind, kind(), None)
    hooks.restore()
    assert former == [KeyboardInterrupt, SystemExit] and failure_records(caplog) == []


def test_a_former_hook_is_still_called_and_restored(qapp, monkeypatch, logged_bugs: Records):
    called = []

    def debugger(*args: object) -> None:
        called.append(args)

    monkeypatch.setattr(sys, "excepthook", debugger)
    before = (sys.excepthook, threading.excepthook, sys.unraisablehook)
    hooks = ExceptionHooks(raise_failure)
    hooks.install()
    error = ValueError("seen by both")
    sys.excepthook(ValueError, error, None)
    hooks.restore()
    assert called == [(ValueError, error, None)]
    assert (sys.excepthook, threading.excepthook, sys.unraisablehook) == before
    assert len(logged_bugs) == 1
    logged_bugs.clear()
    QCoreApplication.removePostedEvents(hooks)


def test_composing_a_window_does_not_change_the_hooks(app: App, tmp_path: Path):
    before = (sys.excepthook, threading.excepthook, sys.unraisablehook)
    app.open_library(tmp_path / "one.inkgraph")
    assert (sys.excepthook, threading.excepthook, sys.unraisablehook) == before


def test_a_lane_requires_a_failure_handler():
    parameter = inspect.signature(Lane).parameters["on_failure"]
    assert parameter.default is inspect.Parameter.empty
