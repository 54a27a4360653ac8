"""The message bar: texts, duration, actions."""

from __future__ import annotations

import logging

import pytest
import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from desktop_app.engine.errors import Cancelled, EnvironmentProblem, UserError
from desktop_app.ui.messages import STAY_MS, MessageBar, Messages
from desktop_app.ui.widgets import ToolbarRow, build_column
from tests.ui.fakes import FakeContext


@pytest.fixture
def bar(context: FakeContext, qtbot) -> MessageBar:
    window = QWidget()
    window.resize(800, 600)
    qtbot.addWidget(window)
    made = MessageBar(context.theme, context.messages, window)
    made.window_kept = window
    window.show()
    return made


def test_a_message_is_shown_with_its_action(bar: MessageBar, context: FakeContext, qtbot):
    undone = []
    context.messages.show("已合并 3 个名字", action_text="Undo", action=lambda: undone.append(1))
    assert bar.isVisible() and bar.text.text() == "已合并 3 个名字"
    qtbot.mouseClick(bar.action, Qt.MouseButton.LeftButton)
    assert undone == [1]
    assert not bar.isVisible()


def test_a_message_is_placed_above_widgets_kept_clear(bar: MessageBar, context: FakeContext):
    window = bar.parentWidget()
    foot = QWidget(window)
    foot.setGeometry(0, 500, 800, 100)
    context.messages.keep_clear(foot)
    context.messages.show("Note saved")
    assert bar.geometry().bottom() >= 500, "nothing is in its way while the foot is hidden"
    foot.show()
    context.messages.show("Note saved")
    assert bar.geometry().bottom() < 500
    foot.deleteLater()


def test_a_click_that_was_meant_for_what_was_there_before_does_not_hit_a_new_message(
    bar: MessageBar, context: FakeContext, qtbot
):
    window = bar.parentWidget()
    button = QPushButton("Delete", window)
    button.setGeometry(0, 480, 400, 120)
    button.show()
    undone, pressed = [], []
    button.clicked.connect(lambda: pressed.append(1))
    context.messages.show("Deleted", action_text="Undo", action=lambda: undone.append(1))
    qtbot.waitUntil(lambda: window.rect().contains(bar.geometry()))  # it slides in
    place = bar.action.mapTo(window, bar.action.rect().center())

    def click() -> None:
        target = window.childAt(place)
        qtbot.mouseClick(target, Qt.MouseButton.LeftButton, pos=target.mapFrom(window, place))

    context.messages.clear()
    QCursor.setPos(window.mapToGlobal(place))
    context.messages.show("Deleted", action_text="Undo", action=lambda: undone.append(1))
    click()
    assert (pressed, undone) == ([1], [])
    qtbot.waitUntil(lambda: window.childAt(place) is bar.action)
    click()
    assert (pressed, undone) == ([1], [1])
    QCursor.setPos(QPoint(0, 0))


def test_a_message_disappears_after_a_while_and_an_error_stays(
    bar: MessageBar, context: FakeContext, qtbot, monkeypatch
):
    monkeypatch.setitem(STAY_MS, "ok", 30)
    context.messages.show("Saved", kind="ok")
    assert bar.isVisible()
    qtbot.waitUntil(lambda: not bar.isVisible())
    context.messages.show("The disk is full", kind="bad")
    assert context.messages.last.stay_ms is None and bar.isVisible()


def test_a_long_message_fits_into_the_window(bar: MessageBar, context: FakeContext, qtbot):
    context.messages.show("A very long message about something that happened. " * 8)
    inside = bar.parentWidget().rect()
    qtbot.waitUntil(lambda: inside.contains(bar.geometry()))
    bar.parentWidget().resize(400, 500)
    qtbot.waitUntil(lambda: bar.parentWidget().rect().contains(bar.geometry()))


def test_an_expected_failure_shows_its_hint(context: FakeContext):
    context.messages.show_error(UserError("This file is empty.", "Choose another."))
    assert context.messages.last.text == "This file is empty. Choose another."
    assert context.messages.last.kind == "warn"
    context.messages.show_error(EnvironmentProblem("The disk is full."))
    assert context.messages.last.kind == "bad"


def test_cancelling_is_silent(context: FakeContext):
    context.messages.show_error(Cancelled())
    assert context.messages.last is None


def test_a_bug_is_logged_and_its_report_can_be_shown(
    bar: MessageBar,
    context: FakeContext,
    caplog: pytest.LogCaptureFixture,
    logged_bugs: list[logging.LogRecord],
):
    requested = []
    context.messages.report_wanted.connect(requested.append)
    try:
        raise KeyError("chunk 7")
    except KeyError as error:
        with caplog.at_level(logging.ERROR):
            context.messages.show_error(error)
    assert "chunk 7" in caplog.text
    logged_bugs.clear()
    assert context.messages.last.text == "Something went wrong in Inkgraph: KeyError: 'chunk 7'"
    assert context.messages.last.action_text == "Show report"
    bar.action.click()
    assert [type(error) for error in requested] == [KeyError]


def test_the_text_of_a_bug_is_shown_on_one_line_and_shortened(
    context: FakeContext, logged_bugs: list[logging.LogRecord]
):
    context.messages.show_error(ValueError("first\nsecond " + "x" * 500))
    logged_bugs.clear()
    text = context.messages.last.text
    assert "first second" in text and text.endswith("…") and len(text) < 250


def test_a_failure_after_closing_the_window_is_only_logged(
    qapp, logged_bugs: list[logging.LogRecord]
):
    messages = Messages()
    shiboken6.delete(messages)
    messages.show_error(KeyError("late"))
    assert len(logged_bugs) == 1
    logged_bugs.clear()


@pytest.fixture
def head(bar: MessageBar) -> ToolbarRow:
    """Return the head of a screen with a title at the left and two buttons at the right."""
    window = bar.parentWidget()
    made = ToolbarRow("Library", window)
    made.add_stretch()
    for _ in range(2):
        made.add(QPushButton("Add", made))
    made.setGeometry(0, 0, 800, 52)
    made.show()
    return made


def test_a_message_takes_the_free_part_of_the_head_of_a_screen(
    bar: MessageBar, context: FakeContext, qtbot, head: ToolbarRow
):
    context.messages.show("Deleted", action_text="Undo", action=lambda: None)
    taken = [head.title.geometry(), *(b.geometry() for b in head.findChildren(QPushButton))]
    assert head.geometry().contains(bar.geometry())
    assert not any(area.intersects(bar.geometry()) for area in taken)
    assert bar.rect().contains(bar.action.geometry()) and bar.rect().contains(bar.text.geometry())
    context.messages.show("A sentence of two lines, which is too long for one line of the head")
    assert head.geometry().contains(bar.geometry())
    assert not any(area.intersects(bar.geometry()) for area in taken)
    context.messages.show("A text that has no room there. " * 20)
    assert bar.y() > head.geometry().bottom()


def test_a_message_without_room_in_the_head_gets_a_strip_below_the_screen(
    context: FakeContext, qtbot
):
    window, screen, foot, strip = QWidget(), QWidget(), QWidget(), QWidget()
    qtbot.addWidget(window)
    build_column((screen, 1), foot, strip, parent=window, spacing=0)
    foot.setFixedHeight(60)
    window.resize(800, 600)
    bar = MessageBar(context.theme, context.messages, window, strip=strip)
    window.show()
    context.messages.show("3 files were added")
    QApplication.processEvents()
    assert strip.geometry().contains(bar.geometry())
    assert not screen.geometry().intersects(strip.geometry()) and foot.y() + 60 == strip.y()
    context.messages.clear()
    QApplication.processEvents()
    assert strip.isHidden() and foot.y() == 540
    context.messages.keep_clear(foot)  # its buttons must not move under the mouse
    context.messages.show("3 files were added")
    qtbot.waitUntil(lambda: bar.geometry().bottom() < 540)  # it slides in
    assert strip.isHidden() and foot.y() == 540


def test_a_message_leaves_the_head_of_a_screen_that_is_no_longer_shown(
    bar: MessageBar, context: FakeContext, qtbot, head: ToolbarRow
):
    context.messages.show("Deleted")
    assert head.geometry().contains(bar.geometry())
    head.hide()
    qtbot.waitUntil(lambda: bar.y() > 500)
