"""Lanes: jobs in order, results in the main thread, nothing after closing."""

from __future__ import annotations

import threading
import time

import pytest
from PySide6.QtCore import QObject, QThread

from desktop_app.engine.errors import Cancelled
from desktop_app.workers.lane import Lane, find_running
from desktop_app.workers.operations import Query, Work
from tests.failure_handlers import raise_failure


@pytest.fixture
def lane(qtbot):
    made = Lane("test", raise_failure)
    yield made
    assert made.close()


def test_jobs_run_in_order_outside_the_main_thread(qtbot, lane):
    here = QThread.currentThread()
    order, threads = [], set()

    def work(n):
        threads.add(threading.get_ident())
        order.append(n)
        return n

    results = []

    def show(n):
        assert QThread.currentThread() is here
        results.append(n)

    for n in range(20):
        Query(lane, work, n).on_success(show).run()
    qtbot.waitUntil(lambda: len(results) == 20)
    assert order == results == list(range(20))
    assert threads == threads - {threading.get_ident()} and len(threads) == 1


def test_progress_and_pieces_arrive_in_the_main_thread(qtbot, lane):
    here = QThread.currentThread()
    seen = []

    def work(job):
        for i in range(5):
            job.emit_piece(str(i))
        job.report("half")
        return "whole"

    def take(kind):
        def keep(value):
            assert QThread.currentThread() is here
            seen.append((kind, value))

        return keep

    operation = Work(lane, work).on_piece(take("piece")).on_progress(take("progress"))
    operation.on_success(take("done")).run()
    qtbot.waitUntil(lambda: ("done", "whole") in seen)
    assert "".join(v for k, v in seen if k == "piece") == "01234"
    assert ("progress", "half") in seen
    assert seen[-1] == ("done", "whole")


def test_a_piece_that_comes_soon_after_another_is_shown_without_a_third(qtbot, lane):
    shown, seen = [], threading.Event()

    def work(job):
        job.emit_piece("one ")
        job.emit_piece("two")
        seen.wait(30)  # as a model that thinks about the next word

    def show(piece):
        shown.append(piece)
        if "".join(shown) == "one two":
            seen.set()

    Work(lane, work).on_piece(show).run()
    qtbot.waitUntil(seen.is_set, timeout=20_000)
    assert "".join(shown) == "one two"


def test_lanes_that_close_are_waited_for_together(qtbot):
    lanes = [Lane(f"lane {number}", raise_failure) for number in range(3)]
    gate, started = threading.Event(), [threading.Event() for _ in lanes]

    def work(mark):
        mark.set()
        gate.wait(30)

    for lane, mark in zip(lanes, started, strict=True):
        Query(lane, work, mark).run()
    qtbot.waitUntil(lambda: all(mark.is_set() for mark in started))
    for lane in lanes:
        lane.begin_closing()
    assert find_running(lanes, 0.0) == lanes
    gate.set()
    assert find_running(lanes, time.monotonic() + 30) == []


def test_an_error_is_passed_on_and_the_lane_continues(qtbot, lane, logged_bugs):
    errors, results = [], []

    def fail():
        raise ValueError("no")

    Query(lane, fail).on_error(errors.append).run()
    Query(lane, lambda: 1).on_success(results.append).run()
    qtbot.waitUntil(lambda: bool(results))
    assert str(errors[0]) == "no"
    logged_bugs.clear()


def test_a_cancelled_job_calls_neither_success_nor_error(qtbot, lane):
    calls = []
    started = threading.Event()

    def work(job):
        started.set()
        while True:
            job.cancel_token.check()

    operation = Work(lane, work).on_success(calls.append).on_error(calls.append)
    operation.on_cancelled(lambda: calls.append("cancelled"))
    job = operation.run()
    qtbot.waitUntil(started.is_set)
    job.cancel()
    qtbot.waitUntil(lambda: calls == ["cancelled"])


def test_no_callback_is_called_for_a_deleted_owner(qtbot, lane):
    calls = []
    owner = QObject()
    gate = threading.Event()
    Query(lane, gate.wait, 5, owner=owner).on_success(calls.append).run()
    owner.deleteLater()
    del owner
    qtbot.wait(50)
    gate.set()
    after = []
    Query(lane, lambda: 1).on_success(after.append).run()
    qtbot.waitUntil(lambda: bool(after))
    assert calls == []


def test_a_closed_lane_accepts_no_jobs(qtbot):
    lane = Lane("short", raise_failure)
    assert lane.close()
    ran = []
    Query(lane, ran.append, 1).run()
    qtbot.wait(50)
    assert ran == [] and not lane.isRunning()


def test_closing_cancels_running_and_waiting_jobs(qtbot):
    lane = Lane("busy", raise_failure)
    started, ends = threading.Event(), []

    def work(job):
        started.set()
        while not job.cancel_token.cancelled:
            pass
        raise Cancelled

    Work(lane, work).on_cancelled(lambda: ends.append("first")).run()
    Work(lane, lambda job: 1).on_cancelled(lambda: ends.append("second")).run()
    qtbot.waitUntil(started.is_set)
    assert lane.close()
    qtbot.waitUntil(lambda: ends == ["first", "second"])
