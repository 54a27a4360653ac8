"""Tests rates of progress and cancelling."""

from __future__ import annotations

import time

import pytest

from desktop_app.engine.errors import Cancelled
from desktop_app.engine.progress import CancelToken, Clock


def test_the_first_unit_starts_the_measurement(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    clock = Clock(11)
    now[0] = 8.0  # a model took eight seconds to load
    clock.tick()
    assert clock.left_s is None
    now[0] = 9.0
    clock.tick(5)
    assert clock.rate == 5.0
    assert clock.left_s == 1.0
    now[0] = 10.0
    clock.tick(5)
    assert clock.left_s == 0.0


def test_waiting_time_does_not_count_for_the_rate(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    clock = Clock(11)
    clock.leave_out(3.0)  # before the first unit nothing is measured anyway
    clock.tick()
    now[0] = 61.0  # a minute of it went to an answer
    clock.leave_out(60.0)
    clock.tick(5)
    assert clock.rate == 5.0
    assert clock.left_s == 1.0


def test_a_token_stops_work_once_it_is_cancelled():
    token = CancelToken()
    token.check()
    token.cancel()
    assert token.cancelled
    with pytest.raises(Cancelled):
        token.check()
