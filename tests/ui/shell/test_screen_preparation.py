"""Screens are styled and laid out before they are shown, in small steps."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import chain, pairwise

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from desktop_app.ui.shell import screen_preparation
from desktop_app.ui.shell.screen_preparation import ScreenPreparation
from desktop_app.ui.widgets import Label, build_column


class EventRecorder(QObject):
    """Records the events of widgets, to count them by type."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[QObject, QEvent.Type]] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.seen.append((watched, event.type()))
        return False

    def count(self, kind: QEvent.Type, *widgets: QWidget) -> int:
        return sum(kind == seen and watched in widgets for watched, seen in self.seen)


@pytest.fixture
def stack(qtbot, monkeypatch: pytest.MonkeyPatch) -> QStackedWidget:
    """Return a window with three pages, the first of them shown."""
    monkeypatch.setattr(screen_preparation, "START_MS", 0)
    monkeypatch.setattr(screen_preparation, "PAUSE_MS", 0)
    made = QStackedWidget()
    qtbot.addWidget(made)
    for _ in range(3):
        page = QWidget()
        inner = QWidget()
        build_column(*(Label(f"Row {n}", wrap=True) for n in range(5)), parent=inner)
        build_column(inner, parent=page)
        made.addWidget(page)
    made.resize(640, 480)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_hidden_pages_are_laid_out_and_not_shown(stack: QStackedWidget, qtbot):
    watch = EventRecorder()
    hidden = [stack.widget(1), stack.widget(2)]
    labels = [label for page in hidden for label in page.findChildren(Label)]
    for widget in (*hidden, *labels):
        widget.installEventFilter(watch)
    preparation = ScreenPreparation(stack, iter(()), stack)
    preparation.start()
    qtbot.waitUntil(lambda: preparation.is_done)
    assert watch.count(QEvent.Type.Show, *hidden, *labels) == 0
    assert watch.count(QEvent.Type.Resize, *labels) >= len(labels)
    assert {page.size().toTuple() for page in hidden} == {(640, 480)}
    assert all(label.width() > 600 for label in labels)
    assert all(label.testAttribute(Qt.WidgetAttribute.WA_WState_Polished) for label in labels)
    watch.seen.clear()
    stack.setCurrentIndex(1)  # the click: nothing is left to be styled or placed
    assert watch.count(QEvent.Type.Resize, *labels) == 0


def test_steps_run_one_in_a_turn_of_the_event_loop(stack: QStackedWidget, qtbot):
    happened: list[str] = []

    def step(name: str) -> Iterator[None]:
        for number in range(2):
            happened.append(f"{name}{number}")
            yield

    other = QTimer(stack)  # what else waits for the event loop, as key presses do
    other.timeout.connect(lambda: happened.append("other"))
    other.start(0)
    preparation = ScreenPreparation(stack, chain(step("a"), step("b")), stack)
    preparation.start()
    qtbot.waitUntil(lambda: preparation.is_done)
    other.stop()
    places = [place for place, what in enumerate(happened) if what != "other"]
    assert [happened[place] for place in places] == ["a0", "a1", "b0", "b1"]
    assert all("other" in happened[one:next_one] for one, next_one in pairwise(places))


def test_a_stopped_preparation_does_nothing_more(stack: QStackedWidget, qtbot):
    begun: list[int] = []

    def steps() -> Iterator[None]:
        while True:
            begun.append(len(begun))
            yield

    preparation = ScreenPreparation(stack, steps(), stack)
    preparation.start()
    qtbot.waitUntil(lambda: bool(begun))
    preparation.stop()
    n_begun = len(begun)
    for _ in range(3):
        QApplication.processEvents()
    assert len(begun) == n_begun


def test_sizes_are_computed_in_steps_and_a_widget_that_is_gone_is_left_out(
    stack: QStackedWidget, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(screen_preparation, "STEP_S", 0.0)  # a step for each widget
    page = stack.widget(2)
    steps = screen_preparation.compute_size_hints(page)
    next(steps)
    shiboken6.delete(page.findChildren(QWidget)[0])
    assert sum(1 for _ in steps) >= 5
    assert not page.isVisible()


def test_widgets_get_their_places_in_steps(stack: QStackedWidget, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(screen_preparation, "STEP_S", 0.0)  # a step for each widget
    page = stack.widget(2)
    page.resize(500, 400)  # a widget without a place is 640 pixels wide
    widths = [page.findChildren(Label)[-1].width() for _ in screen_preparation.place_widgets(page)]
    assert len(widths) >= 5 and widths[0] == 640 and 400 < widths[-1] <= 500
    assert not page.isVisible()


class Clock:
    """Takes the place of `time` in the module; `now` is set by the test."""

    def __init__(self) -> None:
        self.now = 100.0
        self.perf_counter = time.perf_counter

    def monotonic(self) -> float:
        return self.now


def test_steps_wait_while_the_user_types_or_clicks_but_at_most_five_seconds(
    stack: QStackedWidget, qtbot, monkeypatch: pytest.MonkeyPatch
):
    clock = Clock()
    monkeypatch.setattr(screen_preparation, "time", clock)
    monkeypatch.setattr(screen_preparation, "PAUSE_MS", 1)
    done: list[float] = []

    def steps() -> Iterator[None]:
        while True:
            done.append(clock.now)
            yield

    preparation = ScreenPreparation(stack, steps(), stack)
    preparation.start()
    qtbot.waitUntil(lambda: bool(done))
    for act in (
        lambda: qtbot.keyClick(stack, "a"),
        lambda: qtbot.mouseClick(stack, Qt.MouseButton.LeftButton),
    ):
        act()
        n_done = len(done)
        asked: list[int] = []
        monkeypatch.setattr(clock, "monotonic", lambda asked=asked: asked.append(1) or clock.now)
        clock.now += 0.29
        preparation._timer.start(0)
        qtbot.waitUntil(lambda asked=asked: bool(asked))  # it looked, and did nothing
        assert len(done) == n_done
        clock.now += 0.02
        preparation._timer.start(0)
        qtbot.waitUntil(lambda n_done=n_done: len(done) > n_done)
    began = clock.now
    while len(done) == n_done + 1 or done[-1] == began:  # keys without a pause
        qtbot.keyClick(stack, "a")
        preparation._timer.start(0)
        QApplication.processEvents()
        clock.now += 0.1
        assert clock.now - began < 6
    assert 5 <= done[-1] - began < 5.5
    preparation.stop()
    n_done = len(done)
    qtbot.keyClick(stack, "a")
    assert len(done) == n_done


def test_a_step_that_takes_long_waits_for_a_pause_of_the_user(
    stack: QStackedWidget, qtbot, monkeypatch: pytest.MonkeyPatch
):
    clock = Clock()
    monkeypatch.setattr(screen_preparation, "time", clock)
    monkeypatch.setattr(screen_preparation, "PAUSE_MS", 1)
    done: list[float] = []

    def steps() -> Iterator[float | None]:
        yield 2.0
        done.append(clock.now)
        yield None

    preparation = ScreenPreparation(stack, steps(), stack)
    preparation.start()
    while clock.now < 130:  # keys without a pause of two seconds, for much longer than 5 s
        qtbot.keyClick(stack, "a")
        clock.now += 1.9
        preparation._timer.start(0)
        QApplication.processEvents()
    assert not done
    clock.now += 0.2
    preparation._timer.start(0)
    qtbot.waitUntil(lambda: bool(done))
    assert done == [clock.now]


def test_the_events_of_a_step_are_not_input_of_the_user(
    stack: QStackedWidget, qtbot, monkeypatch: pytest.MonkeyPatch
):
    done: list[int] = []

    def steps() -> Iterator[None]:
        for number in range(3):  # a screen may send itself such an event while it is built
            qtbot.mouseClick(stack, Qt.MouseButton.LeftButton)
            done.append(number)
            yield

    monkeypatch.setattr(screen_preparation, "QUIET_S", 60.0)
    preparation = ScreenPreparation(stack, steps(), stack)
    preparation.start()
    qtbot.waitUntil(lambda: preparation.is_done)
    assert done == [0, 1, 2]
