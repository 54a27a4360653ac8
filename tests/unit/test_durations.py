"""Durations in words: measured ones in units, estimated ones rounded."""

from __future__ import annotations

import pytest

from desktop_app.engine.durations import format_duration, format_estimate, format_seconds


def test_a_measured_duration_is_shown_in_suitable_units():
    seconds = (0.4, 41, 89.4, 90, 1_204, 5_399, 7_200, 12_000)
    words = ["0 s", "41 s", "89 s", "2 min", "20 min", "1 h 30 min", "2 h", "3 h 20 min"]
    assert [str(format_duration(one)) for one in seconds] == words


def test_the_time_of_an_answer_is_in_minutes_from_one_minute_on():
    seconds = (0.42, 9.94, 9.96, 59.4, 59.7, 60, 369, 3_599.9, 3_600, 3_720)
    words = ["0.4 s", "9.9 s", "10 s", "59 s", "1 min", "1 min", "6 min 9 s", "1 h", "1 h"]
    assert [str(format_seconds(one)) for one in seconds] == [*words, "1 h 2 min"]
    assert str(format_seconds(4, 0)) == "4 s"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (20, "less than a minute"),
        (70, "about a minute"),
        (400, "about 7 minutes"),
        (1500, "about 25 minutes"),
        (3600, "about an hour"),
        (5400, "about 1½ hours"),
        (36000, "about 10 hours"),
        (260000, "about 3 days"),
    ],
)
def test_an_estimated_duration_is_rounded(seconds, words):
    assert format_estimate(seconds) == words
