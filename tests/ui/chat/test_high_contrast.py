"""High contrast: one level of borders; what is in a box has none of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QWidget

from desktop_app.ui.chat.composer import QuestionBox
from desktop_app.ui.chat.fold import FoldSection
from desktop_app.ui.chat.suggestions import QuestionButton
from desktop_app.ui.chat.turn_widget import INDENT, NAMED_PADDING, TurnFoot, TurnWidget
from desktop_app.ui.chat.turns import Turn
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets.layout import ScrollFade


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    made = Theme("light", contrast="off")
    made.apply(qapp)
    yield made
    qapp.setStyleSheet("")


@pytest.fixture
def high(theme: Theme, qapp: QApplication) -> Theme:
    theme.set_contrast("on")
    theme.apply(qapp)
    return theme


def left_in(widget: QWidget, holder: QWidget) -> int:
    return widget.mapTo(holder, QPoint(0, 0)).x()


def borders(button: QWidget, theme: Theme) -> set[str]:
    """Return the colours on the left and right edge of a button."""
    image = button.grab().toImage()
    middle = image.height() // 2
    return {image.pixelColor(x, middle).name() for x in (0, image.width() - 1)}


def test_the_options_in_the_question_box_have_no_borders_of_their_own(qtbot, high: Theme) -> None:
    box = QuestionBox(high)
    qtbot.addWidget(box)
    box.resize(900, 100)
    box.show()
    shown = [button for button in box.options._buttons if button.isVisible()]
    assert left_in(shown[0], box) == 0  # the icon is below the text
    assert all(high.color("line").name() not in borders(button, high) for button in shown)
    for width in range(360, 900, 60):  # they still fit
        box.resize(width, 100)
        QApplication.processEvents()
        assert box.options._wanted_width() <= box.options.width() or box.options._is_compact()


def test_buttons_below_an_answer_begin_with_its_text(qtbot, high: Theme) -> None:
    made = TurnWidget(high, Turn("Who is Ada?", text="Ada is here."))
    qtbot.addWidget(made)
    made.resize(700, 400)
    made.show_followups(["Who is Ben?", "Who is Cleo?"])
    made.show()
    foot = TurnFoot(high)
    qtbot.addWidget(foot)
    foot.show_turn(Turn("Who is Ada?", text="Ada is here.", message_id=1))
    foot.resize(700, 32)
    foot.show()
    QApplication.processEvents()
    first, second = made.followups.findChildren(QuestionButton)
    heading = made.followups.findChild(QLabel)
    assert left_in(heading, made) + heading.contentsMargins().left() == INDENT
    assert left_in(first, made) == INDENT
    assert second.y() - first.geometry().bottom() > 8
    begins = left_in(foot.inspect_button, foot) + NAMED_PADDING
    assert begins == INDENT  # without a border, its icon is there
    assert high.color("line").name() not in borders(foot.inspect_button, high)
    assert borders(first, high) == {high.color("line").name()}


def test_the_title_of_a_section_has_no_border(qtbot, high: Theme) -> None:
    section = FoldSection(high, "Searched for")
    qtbot.addWidget(section)
    section.resize(300, 60)
    assert high.color("line").name() not in borders(section.button, high)


def test_the_rule_before_a_quotation_is_as_dark_as_text(theme: Theme) -> None:
    assert theme.rule().alphaF() < 0.5
    theme.set_contrast("on")
    assert theme.rule() == theme.color("text2")


def test_a_line_is_where_texts_fade_out_in_high_contrast_and_nothing_below_the_last_one(
    qtbot, theme: Theme
) -> None:
    area, body = QScrollArea(), QWidget()
    qtbot.addWidget(area)
    body.setFixedSize(100, 900)
    area.setWidget(body)
    fade = ScrollFade(theme, area)
    area.resize(200, 300)
    area.show()
    bar = area.verticalScrollBar()
    assert fade.isVisible()
    bar.setValue(bar.maximum() - 10)
    assert not fade.isVisible()
    bar.setValue(0)
    assert fade.isVisible() and fade.height() > 8
    theme.set_contrast("on")
    assert fade.isVisible() and fade.height() == 1
    assert fade.geometry().bottom() == area.viewport().geometry().bottom()
    assert fade.grab().toImage().pixelColor(5, 0) == theme.color("line")


def test_the_question_box_has_a_thick_border_while_it_has_the_focus(qtbot, high: Theme) -> None:
    box = QuestionBox(high)
    qtbot.addWidget(box)
    box.resize(600, 90)
    box.show()
    accent = high.color("accent")

    def count_pixels() -> int:
        image = box.grab().toImage()
        return sum(image.pixelColor(x, box.height() // 2) == accent for x in range(5))

    box.edit.setFocus()
    qtbot.waitUntil(box.edit.hasFocus)
    assert count_pixels() == 3
    box.edit.clearFocus()
    assert count_pixels() == 0
