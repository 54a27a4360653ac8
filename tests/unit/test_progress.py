"""Tests rates of progress and cancelling."""

from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.errors import Cancelled
from desktop_app.engine.progress import CancelToken, Clock, TimeLeft


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


steps = st.lists(
    st.tuples(
        st.floats(0.001, 400.0),  # seconds until the next units: bursts and long stops
        st.integers(1, 300),  # units that come at once
        st.floats(0.0, 3_000.0),  # a pause for an answer, which is left out
    ),
    min_size=3,
    max_size=60,
)


@given(steps)
def test_the_time_left_never_jumps_by_more_than_a_factor_of_two(steps):
    now = 0.0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "monotonic", lambda: now)
        clock = Clock(sum(n for _, n, _ in steps) + 1_000)
        before, worked = None, [(0.0, 0.0)]
        active = 0.0
        for seconds, n, pause in steps:
            now += pause
            clock.leave_out(pause)
            now += seconds
            clock.tick(n)
            active += seconds
            left = clock.left_s
            if left is None:
                continue
            shown = max(left, 2 * TimeLeft.SHORT_S)  # below: "less than a minute"
            if before is not None:
                assert before / 2.001 <= shown <= before * 2.001
            before = shown
            worked.append((active, shown))
        for (at, first), (later, second) in itertools.pairwise(worked[1:]):
            if later - at < TimeLeft.DOUBLING_S / 10:  # many units in one second: a tenth of it
                assert second <= first * 1.08 and second >= first / 1.08


def test_a_steady_rate_gives_the_plain_quotient(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    clock = Clock(10_001)
    clock.tick()
    for second in range(1, 101):
        now[0] = float(second)
        clock.tick(10)
        assert clock.left_s == pytest.approx((10_000 - 10 * second) / 10)


def test_a_burst_is_followed_within_a_minute(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    clock = Clock(100_001)
    clock.tick()
    now[0] = 1.0
    clock.tick(1)  # one unit in the first second, then a hundred a second
    assert clock.left_s == pytest.approx(99_999)
    for second in range(2, 130):
        now[0] = float(second)
        clock.tick(100)
    assert clock.left_s == pytest.approx((100_000 - 12_801) / clock.rate, rel=0.01)


def test_more_work_begins_a_new_estimate():
    left = TimeLeft()
    assert left.update(100.0, at=1.0, total=10) == 100.0
    assert left.update(1_000.0, at=2.0, total=10) < 110
    assert left.update(1_000.0, at=2.0, total=90) == 1_000.0


def test_a_wait_ends_with_the_token():
    token = CancelToken()
    token.wait(0.0)
    token.cancel()
    with pytest.raises(Cancelled):
        token.wait(3_600.0)
