"""The merge desk in Chinese, and its keys."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from desktop_app.ui.duplicates.decisions import MergeManyDialog
from desktop_app.ui.duplicates.screen import AMBIGUOUS, AUTOMATIC, MergeDesk
from desktop_app.ui.widgets.labels import SentenceLabel
from tests.ui.duplicates.names import NAMES, add_automatic_merge, open_merge_desk
from tests.ui.fakes import FakeContext
from tests.ui.tab_order import walk_by_tab
from tests.ui.untranslated import english_texts

KNOWN = (
    *NAMES,
    "came to the ball danced Ball Part",
    "Hale Marsh WICKHAM spoke was silent Clockmaker",
)


@pytest.fixture
def open_screen(chinese: None, context: FakeContext, library, qtbot):
    def make() -> MergeDesk:
        made = open_merge_desk(context, library, qtbot)
        qtbot.waitUntil(lambda: all(card.sentences.labels for card in made.page.cards))
        qtbot.waitUntil(lambda: "合并后" in made.page.preview.text())
        qtbot.waitUntil(
            lambda: made.list.search_button.isEnabled() and context.duplicates_lane.n_jobs == 0
        )
        return made

    return make


def test_a_cluster_with_its_reasons_is_chinese(open_screen):
    screen = open_screen()
    assert "同一对象" in screen.page.certainty.text()
    assert english_texts(screen, KNOWN) == []


def test_the_verdict_of_the_chat_model_is_chinese(open_screen):
    screen = open_screen()
    screen.verdicts.answered.emit(replace(screen.page.cluster, asked=0.7))
    assert "70%" in screen.page.asked.text()
    assert english_texts(screen, KNOWN) == []


def test_automatic_merges_are_chinese(open_screen, library, qtbot):
    add_automatic_merge(library)
    screen = open_screen()
    qtbot.waitUntil(lambda: screen.automatic.model.n_names == 1)
    screen.show_part(AUTOMATIC)
    qtbot.waitUntil(lambda: screen.automatic.cards[0].sentences.labels != [])
    assert english_texts(screen, KNOWN) == []
    screen.automatic.search.setText("没有")
    qtbot.waitUntil(lambda: screen.automatic.model.rowCount() == 0)
    assert english_texts(screen, KNOWN) == []


def test_empty_lists_are_chinese(open_screen, qtbot):
    screen = open_screen()
    screen.show_part(AMBIGUOUS)
    assert english_texts(screen, KNOWN) == []
    screen.show_part(0)
    screen.list.search.setText("没有")
    qtbot.waitUntil(lambda: screen.model.rowCount() == 0)
    assert english_texts(screen, KNOWN) == []


def test_a_merge_and_its_message_are_chinese(open_screen, context, qtbot):
    screen = open_screen()
    screen.page.about_button.click()
    sheet = screen.menu.sheet
    assert isinstance(sheet, MergeManyDialog) and english_texts(sheet, KNOWN) == []
    sheet.reject()
    screen.page.name.setEditText("本尼特")
    screen.page.merge()
    qtbot.waitUntil(lambda: context.messages.last is not None)
    assert context.messages.last.text == "已将 2 个实体合并为“本尼特”"
    assert context.messages.last.action_text == "撤销"


# --- keyboard ------------------------------------------------------------------------


def test_tab_moves_from_the_list_over_the_members_to_the_buttons(open_screen, qtbot):
    screen = open_screen()
    screen.activateWindow()

    def all_are_met_in_order() -> None:
        stops = walk_by_tab(screen, screen.list.view, qtbot)
        page, card = screen.page, screen.page.cards[0]
        wanted = [card.tick, card.open_button, *card.sentences.labels, page.name]
        wanted += [page.compare_button, page.skip_button, page.never_button, page.merge_button]
        assert [widget for widget in stops if widget in wanted] == wanted

    qtbot.waitUntil(all_are_met_in_order)  # the order is set once all sentences are loaded


def test_return_on_a_sentence_opens_its_passage(open_screen, qtbot):
    screen = open_screen()
    label = screen.page.cards[0].sentences.labels[0]
    assert isinstance(label, SentenceLabel) and label.focusPolicy() & Qt.FocusPolicy.TabFocus
    with qtbot.waitSignal(screen.open_passage) as opened:
        qtbot.keyClick(label, Qt.Key.Key_Return)
    assert opened.args[2] > opened.args[1]


def test_arrow_down_moves_from_the_search_to_the_list(open_screen, qtbot):
    screen = open_screen()
    screen.activateWindow()
    screen.list.search.setFocus()
    qtbot.keyClick(screen.list.search, Qt.Key.Key_Down)
    assert screen.list.view.hasFocus()
