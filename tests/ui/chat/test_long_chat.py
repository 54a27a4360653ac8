"""The turn list: few widgets at a time, and a stable scroll position."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from desktop_app.ui.chat.turn_list import FIRST, MOST, TOP, TurnList
from desktop_app.ui.theme.theme import Theme

HEIGHT = 180


class Tall(QLabel):
    """A turn of a fixed height."""

    def __init__(self, number: int) -> None:
        super().__init__(f"Turn {number}")
        self.number = number
        self.setFixedHeight(HEIGHT)


@pytest.fixture
def turns(qtbot) -> Iterator[TurnList]:
    made = TurnList(Theme("light"))
    qtbot.addWidget(made)
    made.resize(700, 600)
    made.show()
    yield made


def numbers(turns: TurnList) -> list[int]:
    return [widget.number for widget in turns.widgets()]


def builders(n: int, built: list[int] | None = None) -> list:
    def build(number: int) -> Tall:
        if built is not None:
            built.append(number)
        return Tall(number)

    return [lambda i=i: build(i) for i in range(n)]


def is_settled(turns: TurnList) -> bool:
    return not turns.fill_timer.isActive() and turns.anchor is None


def test_a_chat_of_200_turns_opens_with_the_newest_and_fills_the_view(qtbot, turns) -> None:
    built: list[int] = []
    turns.set_builders(builders(200, built))
    assert built == [198, 199] and len(built) == FIRST  # at once
    qtbot.waitUntil(lambda: is_settled(turns) and turns.verticalScrollBar().maximum() > 0)
    bar = turns.verticalScrollBar()
    assert bar.value() == bar.maximum()
    assert built[2:] == sorted(built[2:], reverse=True) and len(built) < 12


def test_scrolling_up_and_down_keeps_few_widgets_and_loses_no_turn(qtbot, turns) -> None:
    turns.set_builders(builders(60))
    bar = turns.verticalScrollBar()
    seen: set[int] = set()

    def go(by: int) -> bool:
        bar.setValue(bar.value() + by)
        seen.update(numbers(turns))
        assert numbers(turns) == list(range(numbers(turns)[0], numbers(turns)[-1] + 1))
        assert len(turns.widgets()) <= MOST + 1
        return bar.value() == (bar.maximum() if by > 0 else 0) and is_settled(turns)

    qtbot.waitUntil(lambda: is_settled(turns) and bar.maximum() > 0)
    qtbot.waitUntil(lambda: go(-120) and turns.n_earlier == 0, timeout=20_000)
    assert seen == set(range(60))
    qtbot.waitUntil(lambda: go(120) and turns.n_later == 0, timeout=20_000)
    assert numbers(turns)[-1] == 59


def test_a_chat_opens_at_the_question_of_its_last_turn_if_that_is_higher_than_the_view(
    qtbot, turns
) -> None:
    def build_long() -> Tall:
        made = Tall(20)
        made.setFixedHeight(900)
        return made

    turns.set_builders([*builders(20), build_long])
    bar = turns.verticalScrollBar()
    qtbot.waitUntil(lambda: is_settled(turns) and bar.maximum() > 0)
    long = turns.widgets()[-1]
    assert long.y() - bar.value() == TOP < bar.maximum()
    turns.add(Tall(21))
    qtbot.waitUntil(lambda: is_settled(turns) and bar.value() == bar.maximum())
    turns.widgets()[-1].setFixedHeight(400)  # an answer that is being written
    qtbot.waitUntil(lambda: turns.widgets()[-1].height() == 400)
    qtbot.waitUntil(lambda: bar.value() == bar.maximum())


def test_scrolling_while_turns_are_built_is_not_undone(qtbot, turns) -> None:
    turns.set_builders(builders(60))
    bar = turns.verticalScrollBar()
    qtbot.waitUntil(lambda: is_settled(turns) and bar.maximum() > 0)
    bar.setValue(450)
    qtbot.waitUntil(lambda: turns.anchor is not None)
    # not read from the layout: the new turn may already have its place while the
    # scroll bar's range is still the old one
    widget, offset = turns.anchor
    bar.setValue(bar.value() - 60)  # the user scrolls on
    qtbot.waitUntil(lambda: is_settled(turns))
    assert widget.y() - bar.value() == offset + 60


def test_a_distant_turn_is_shown_with_its_surroundings(qtbot, turns) -> None:
    built: list[int] = []
    turns.set_builders(builders(200, built), at=40)
    assert len(built) <= 4 and 40 in built
    bar = turns.verticalScrollBar()

    def is_there() -> bool:
        wanted = next(w for w in turns.widgets() if w.number == 40)
        return is_settled(turns) and 0 <= wanted.y() - bar.value() < 60

    qtbot.waitUntil(is_there)
    assert numbers(turns)[0] < 40 < numbers(turns)[-1]


def test_the_focus_moves_to_the_box_when_turns_are_removed(qtbot) -> None:
    window = QWidget()
    turns, box, other = (
        TurnList(Theme("light"), window),
        QLineEdit(window),
        QPushButton("First", window),
    )
    column = QVBoxLayout(window)
    for widget in (other, turns, box):
        column.addWidget(widget)
    turns.rest = box
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    turns.set_builders([lambda: QPushButton("Copy")])
    qtbot.waitUntil(lambda: turns.widgets()[0].isVisible())
    turns.widgets()[0].setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is turns.widgets()[0])
    turns.clear()
    assert QApplication.focusWidget() is box
