"""High contrast: buttons have borders, which keep their distance; all links have a line."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from desktop_app.ui.chat.composer import QuestionBox
from desktop_app.ui.chat.fold import FoldSection
from desktop_app.ui.chat.turn_widget import INDENT, TurnFoot, TurnWidget
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
def high(theme: Theme) -> Theme:
    theme.set_contrast("on")
    return theme


def left_in(widget: QWidget, holder: QWidget) -> int:
    return widget.mapTo(holder, QPoint(0, 0)).x()


def test_the_options_of_a_question_keep_their_distance(qtbot, high: Theme) -> None:
    box = QuestionBox(high)
    qtbot.addWidget(box)
    box.resize(900, 100)
    box.show()
    shown = [button for button in box.choices._buttons if button.isVisible()]
    assert left_in(shown[0], box) >= 8
    assert box.height() - box.choices.geometry().bottom() > 8
    assert all(b.x() - a.geometry().right() > 8 for a, b in pairwise(shown))
    for width in range(360, 900, 60):  # they still fit
        box.resize(width, 100)
        QApplication.processEvents()
        assert box.choices._wanted_width() <= box.choices.width() or box.choices._is_compact()
    high.set_contrast("off")
    QApplication.processEvents()
    assert left_in(shown[0], box) == 0  # the icon is below the text, and nothing has a border


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
    first, second = (made._followups.itemAt(n).widget() for n in range(2))
    assert left_in(first, made) == INDENT
    assert second.y() - first.geometry().bottom() > 8
    assert left_in(foot.inspect_button, foot) == INDENT
    assert foot.copy_button.x() - foot.inspect_button.geometry().right() > 8


def test_the_title_of_a_section_is_apart_from_its_border(qtbot, theme: Theme) -> None:
    section = FoldSection(theme, "Searched for")
    qtbot.addWidget(section)
    narrow = section.button.sizeHint().width()
    theme.set_contrast("on")
    assert section.button.sizeHint().width() >= narrow + 8


def test_nothing_fades_out_in_high_contrast_or_over_the_last_text(qtbot, theme: Theme) -> None:
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
    theme.set_contrast("on")
    assert not fade.isVisible()
