"""The models screen with a fake registry and real lanes."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from desktop_app.engine.errors import EnvironmentProblem
from desktop_app.engine.llm.reranking import CHAT_RERANKER
from desktop_app.engine.messages import Message
from desktop_app.ui.models.screen import ModelsScreen
from tests.ui.fakes import FakeContext


def open_screen(context: FakeContext, qtbot) -> ModelsScreen:
    screen = ModelsScreen(context)
    screen.resize(900, 700)
    qtbot.addWidget(screen)
    screen.show()
    qtbot.waitUntil(lambda: len(screen.cards) == 3)
    return screen


@pytest.fixture
def screen(context: FakeContext, qtbot) -> ModelsScreen:
    return open_screen(context, qtbot)


def test_a_card_shows_the_requirements_of_a_model(screen: ModelsScreen):
    card = screen.cards["reader-4b"]
    assert card.facts.text() == (
        "Size 2.5 GB · Memory 4.2 GB · Licence Apache-2.0 · Languages English, 中文 · Speed here –"
    )
    assert card.badge.text() == "in use"
    assert card.check_button.isVisible() and not card.install_button.isVisible()


def test_without_a_chat_model_a_banner_is_shown(empty_context: FakeContext, qtbot):
    screen = open_screen(empty_context, qtbot)
    qtbot.waitUntil(screen.banner.isVisible)
    qtbot.waitUntil(screen.cards["reader-4b"].install_button.isVisible)


def test_with_a_chat_model_there_is_no_banner(screen: ModelsScreen):
    assert not screen.banner.isVisible()


def test_installing_shows_progress_and_then_the_model(screen, context, qtbot):
    hold = context.model_registry.hold = threading.Event()
    card = screen.cards["small-0.6b"]
    qtbot.mouseClick(card.install_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: card.line.isVisible() and card.cancel_button.isVisible())
    assert not card.install_button.isVisible()
    hold.set()
    qtbot.waitUntil(lambda: card.use_button.isVisible())
    assert not card.line.isVisible()
    assert "Small 0.6B is installed." in context.messages.last.text


def test_an_installation_can_be_cancelled(screen, context, qtbot):
    context.model_registry.hold = threading.Event()
    card = screen.cards["small-0.6b"]
    screen.install("small-0.6b")
    qtbot.waitUntil(card.cancel_button.isVisible)
    qtbot.mouseClick(card.cancel_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(card.install_button.isVisible)
    assert context.messages.last is None


def test_a_failed_installation_shows_the_reason_and_can_be_repeated(screen, context, qtbot):
    context.model_registry.install_fails = EnvironmentProblem("The disk is full.", "Free 500 MB.")
    screen.install("small-0.6b")
    qtbot.waitUntil(lambda: context.messages.last is not None)
    assert context.messages.last.text == "The disk is full. Free 500 MB."
    qtbot.waitUntil(screen.cards["small-0.6b"].install_button.isVisible)


def test_a_check_shows_speed_and_a_sample(screen, qtbot):
    card = screen.cards["reader-4b"]
    qtbot.mouseClick(card.check_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "18.6 tokens/s" in card.result.text())
    assert "船在黎明开" in card.sample.text()
    assert card.check_button.isEnabled()


def test_the_model_in_use_is_marked(screen, context, qtbot):
    screen.install("small-0.6b")
    card = screen.cards["small-0.6b"]
    qtbot.waitUntil(card.use_button.isVisible)
    qtbot.mouseClick(card.use_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: card.badge.text() == "in use")
    assert screen.cards["reader-4b"].badge.text() == "installed"


def test_removing_asks_first(screen, context, qtbot):
    card = screen.cards["reader-4b"]
    qtbot.mouseClick(card.remove_button, Qt.MouseButton.LeftButton)
    assert card.remove_button.isVisible()
    context.messages.last.action()
    qtbot.waitUntil(card.install_button.isVisible)
    qtbot.waitUntil(screen.banner.isVisible)


def test_a_reranker_is_chosen_and_removed(screen, context, qtbot):
    choice = screen.reranker.choice
    qtbot.waitUntil(lambda: choice.count() == 2)
    assert choice.currentData() == ""
    choice.setCurrentIndex(1)
    choice.activated.emit(1)
    qtbot.waitUntil(lambda: context.model_registry.reranker == CHAT_RERANKER)
    qtbot.waitUntil(lambda: choice.currentData() == CHAT_RERANKER)
    choice.setCurrentIndex(0)
    choice.activated.emit(0)
    qtbot.waitUntil(lambda: context.model_registry.reranker == "")


def test_without_a_chat_model_no_reranking_by_it_is_offered(empty_context, qtbot):
    screen = open_screen(empty_context, qtbot)
    qtbot.waitUntil(lambda: screen.reranker.choice.count() == 1)


def test_a_model_that_was_set_aside_is_shown_as_such_until_it_is_tested(screen, context, qtbot):
    rows, card = context.model_registry.rows, screen.cards["e5-small"]
    assert card.badge.text() == "in use"
    good = rows[2]
    rows[2] = replace(good, active=False, damaged=True, note=Message("It stopped twice."))
    screen.hide()
    screen.show()
    qtbot.waitUntil(lambda: card.note.text() == "It stopped twice.")
    assert card.badge.text() == "installed" and card.use_button.isVisible()
    rows[2] = good
    qtbot.mouseClick(card.check_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: card.badge.text() == "in use")
    assert card.result.isVisible()
