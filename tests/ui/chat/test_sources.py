"""Sources as cards: grouped by document, with the cited sentence and the relevance."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from desktop_app.ui.chat.sources import SourceList, build_sources
from desktop_app.ui.chat.turns import turn_of_answer
from desktop_app.ui.widgets import ElidedLabel, Label
from tests.ui.chat.answers import FERRY, OUTLAWS, rich_answer
from tests.ui.fakes import FakeContext


def test_cited_sentences_are_marked_within_their_passages() -> None:
    sources = build_sources(turn_of_answer("q", rich_answer()))
    assert [s.number for s in sources] == [1, 2, 0, 0]
    assert sources[0].before.startswith("Every morning") and sources[0].place == "p. 12"
    assert sources[0].quote.startswith("Ada Merrow was the ferrywoman")
    assert sources[1].quote == "后来他上了黑风寨，做了第三把交椅。"


def test_relevance_is_shown_in_words_and_never_high_for_weak_matches() -> None:
    turn = turn_of_answer("q", rich_answer())
    matches = [s.closeness for s in build_sources(turn)]
    assert matches == ["Strong match", "Good match", "Good match", "Weak match"]
    assert {s.closeness for s in build_sources(replace(turn, weak=True))} == {"Weak match"}
    without = replace(turn, passages=())
    assert {s.closeness for s in build_sources(without)} == {""}


@pytest.fixture
def cards(qtbot, context: FakeContext) -> SourceList:
    made = SourceList(context.theme, turn_of_answer("q", rich_answer()))
    qtbot.addWidget(made)
    made.resize(600, 500)
    made.show()
    return made


def test_arrow_keys_move_between_cards_and_enter_opens_one(qtbot, cards: SourceList) -> None:
    cards.cards[0].setFocus()
    qtbot.keyClick(cards.cards[0], Qt.Key.Key_Down)
    qtbot.waitUntil(cards.cards[1].hasFocus)
    with qtbot.waitSignal(cards.opened) as opened:
        qtbot.keyClick(cards.cards[1], Qt.Key.Key_Return)
    citation = rich_answer().citations[1]
    assert opened.args == [2, citation.start, citation.end]
    qtbot.keyClick(cards.cards[1], Qt.Key.Key_Up)
    qtbot.waitUntil(cards.cards[0].hasFocus)


def test_a_card_describes_place_and_relevance_to_screen_readers(cards: SourceList) -> None:
    assert cards.cards[0].accessibleName() == f"Source 1, {FERRY}, p. 12, strong match"


def test_cards_of_one_document_are_grouped_under_its_title(cards: SourceList) -> None:
    titles = [label.full_text() for label in cards.findChildren(ElidedLabel)]
    shown = [text for text in titles if text in (FERRY, OUTLAWS)]
    assert shown == [FERRY, OUTLAWS, FERRY]  # cited ones first, then the others
    assert "2 passages" in [label.text() for label in cards.findChildren(Label)]
