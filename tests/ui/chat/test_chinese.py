"""The chat screen in Chinese: no English is left."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel, QMenu, QWidget

from desktop_app.engine.progress import Progress
from desktop_app.ui.chat.inspection.panel import AnswerInspector
from desktop_app.ui.chat.inspection.presentation import step_title, step_word
from desktop_app.ui.chat.screen import ChatScreen
from desktop_app.ui.chat.turn_widget import TurnWidget
from desktop_app.ui.chat.turns import describe_queue_position, describe_step, turn_of_answer
from tests.ui.chat.answers import checked_answer, rich_answer
from tests.ui.fakes import FakeContext

# names of models, keys and file formats, which are not translated
OWN = re.compile(
    r"Ada Merrow|Harrow Ford|Great Flood|The Ferry[^·\n]*|ferry work|learning to swim|Could Ada.*"
    r"|And could she swim\?|qwen[\w.\u200b-]+|GraphRAG|Ctrl|Esc|Enter|context_data|“Ada”.*"
    r"|The model's context.*|No reranker is installed.|tiny|Tiny[\w .]*|demo[\w .]*|Qwen[\w .]*",
    re.DOTALL,
)


def words_of(top: QWidget) -> Iterator[str]:
    """Yield all texts, tooltips and accessible names."""
    for widget in (top, *top.findChildren(QWidget)):
        yield widget.toolTip()
        yield widget.accessibleName()
        if isinstance(widget, QLabel | QAbstractButton):
            yield re.sub(r"<[^>]*>", " ", widget.text())
        if isinstance(widget, QMenu):
            yield from (action.text() for action in widget.actions())
        if hasattr(widget, "placeholderText"):
            yield widget.placeholderText()


def english_in(words: Iterator[str]) -> list[str]:
    return sorted({w for w in words if re.search(r"[A-Za-z]{3,}", OWN.sub("", w))})


def test_the_screen_is_chinese(qtbot, context: FakeContext, chinese) -> None:
    context.chats.rows.clear()
    screen = ChatScreen(context)
    qtbot.addWidget(screen)
    asked = {b.text() for b in screen.empty.questions()}
    shown_text = [w for w in english_in(words_of(screen)) if w not in asked]
    assert shown_text == []


def test_a_turn_is_chinese(qtbot, context: FakeContext, chinese) -> None:
    turn = TurnWidget(context.theme, turn_of_answer("谁？", rich_answer()))
    qtbot.addWidget(turn)
    turn.resize(700, 500)
    turn.show()
    turn.foot.sources_button.click()
    shown_text = english_in(words_of(turn))
    quoted = " ".join(p.text for p in rich_answer().found.passages)
    plain = [" ".join(w.split()).strip("… ") for w in shown_text]
    assert [w for w in plain if w[:20] not in quoted] == []


def test_the_inspection_of_an_answer_is_chinese(qtbot, context: FakeContext, chinese) -> None:
    panel = AnswerInspector(context.theme)
    qtbot.addWidget(panel)
    panel.show_answer(checked_answer())
    quoted = ("Ada", "Rindfleisc", "It was so")
    shown = [w for w in english_in(words_of(panel)) if not any(part in w for part in quoted)]
    assert shown == []


@pytest.mark.parametrize("key", ["asking", "finding", "reading", "answering", "reports", "new"])
def test_the_current_step_is_shown_in_chinese(chinese, key: str) -> None:
    shown_text = describe_step(Progress(key, 2, 7))
    assert shown_text and not re.search("[A-Za-z]", shown_text)


def test_queue_positions_are_chinese(chinese) -> None:
    assert describe_queue_position(1) == "等待中：下一个就是"
    assert describe_queue_position(22) == "等待中：排在第 22 位"


def test_steps_of_the_engine_are_chinese(chinese) -> None:
    for name in ("words", "names in the context", "keywords_by_the_model", "follow-up", "walk"):
        assert not re.search("[A-Za-z]", step_title(name) + step_word(name))
