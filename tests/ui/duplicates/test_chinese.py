"""The merge desk in a Chinese window: no English is left on any part of it, and keys reach all."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from desktop_app.engine.services.duplicates import Duplicates
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.ui.duplicates.decisions import MergeManyDialog
from desktop_app.ui.duplicates.screen import DOUBTFUL, JOINED, MergeDesk
from desktop_app.ui.widgets.labels import SentenceLabel
from tests.books import add_book, id_of
from tests.ui.duplicates.test_duplicates_screen import NAMES, add_names
from tests.ui.fakes import FakeContext
from tests.ui.tab_order import walk_by_tab
from tests.ui.untranslated import english_texts

KNOWN = (
    *NAMES,
    "came to the ball danced Ball Part",
    "Hale Marsh WICKHAM spoke was silent Clockmaker",
)


@pytest.fixture
def library(tmp_path):
    made = Library(tmp_path / "small.inkgraph")
    add_names(made)
    yield made
    made.close()


@pytest.fixture
def open_desk(chinese: None, context: FakeContext, library, qtbot):
    def make() -> MergeDesk:
        context.library_reader = LibraryReader(library.reader())
        context.editing = EditingService(library.writer)
        context.duplicates = Duplicates(library.reader())
        made = MergeDesk(context)
        qtbot.addWidget(made)
        made.resize(1100, 760)
        made.show()
        qtbot.waitUntil(lambda: bool(made.page.cards))
        qtbot.waitUntil(lambda: all(card.sentences.labels for card in made.page.cards))
        qtbot.waitUntil(lambda: "合并后" in made.page.preview.text())
        qtbot.waitUntil(
            lambda: made.list.search_button.isEnabled() and context.duplicates_lane.n_jobs == 0
        )
        return made

    return make


def test_a_cluster_with_its_reasons_is_chinese(open_desk):
    desk = open_desk()
    assert "同一个" in desk.page.certainty.text()
    assert english_texts(desk, KNOWN) == []


def test_what_the_chat_model_said_is_chinese(open_desk):
    desk = open_desk()
    desk.verdicts.answered.emit(replace(desk.page.cluster, asked=0.7))
    assert "70%" in desk.page.asked.text()
    assert english_texts(desk, KNOWN) == []


def test_what_was_joined_on_its_own_is_chinese(open_desk, library, qtbot):
    add_book(library, ("Marsh spoke. ", "Hale was silent. "))
    with library.writer.transaction():  # a second name that the rules join: another case
        library.writer.write("UPDATE name SET text = 'WICKHAM' WHERE text = 'Marsh'")
        library.writer.write("UPDATE name SET key = 'wickham' WHERE text = 'WICKHAM'")
        library.writer.write("UPDATE setting SET value = '0' WHERE key = 'graph_version'")
    EditingService(library.writer).retype(
        id_of(library, "Hale"), "place"
    )  # derives the graph again
    desk = open_desk()
    qtbot.waitUntil(lambda: desk.joined.model.n_names == 1)
    desk.show_part(JOINED)
    qtbot.waitUntil(lambda: desk.joined.cards[0].sentences.labels != [])
    assert english_texts(desk, KNOWN) == []
    desk.joined.search.setText("没有")
    qtbot.waitUntil(lambda: desk.joined.model.rowCount() == 0)
    assert english_texts(desk, KNOWN) == []


def test_nobody_in_doubt_and_no_such_cluster_are_chinese(open_desk, qtbot):
    desk = open_desk()
    desk.show_part(DOUBTFUL)
    assert english_texts(desk, KNOWN) == []
    desk.show_part(0)
    desk.list.search.setText("没有")
    qtbot.waitUntil(lambda: desk.model.rowCount() == 0)
    assert english_texts(desk, KNOWN) == []


def test_a_merge_and_its_message_are_chinese(open_desk, context, qtbot):
    desk = open_desk()
    desk.page.about_button.click()
    sheet = desk.menu.sheet
    assert isinstance(sheet, MergeManyDialog) and english_texts(sheet, KNOWN) == []
    sheet.reject()
    desk.page.name.setEditText("本尼特")
    desk.page.merge()
    qtbot.waitUntil(lambda: context.messages.last is not None)
    assert context.messages.last.text == "已将 2 个名称合并为“本尼特”"
    assert context.messages.last.action_text == "撤销"


# --- by the keyboard alone ------------------------------------------------------------------------


def test_tab_goes_from_the_list_over_the_members_to_the_verdict(open_desk, qtbot):
    desk = open_desk()
    desk.activateWindow()

    def all_are_met_in_order() -> None:
        stops = walk_by_tab(desk, desk.list.view, qtbot)
        page, card = desk.page, desk.page.cards[0]
        wanted = [card.tick, card.open_button, *card.sentences.labels, page.name]
        wanted += [page.compare_button, page.skip_button, page.never_button, page.merge_button]
        assert [widget for widget in stops if widget in wanted] == wanted

    qtbot.waitUntil(all_are_met_in_order)  # the order is set once all sentences are there


def test_return_on_a_sentence_opens_its_place(open_desk, qtbot):
    desk = open_desk()
    label = desk.page.cards[0].sentences.labels[0]
    assert isinstance(label, SentenceLabel) and label.focusPolicy() & Qt.FocusPolicy.TabFocus
    with qtbot.waitSignal(desk.open_passage) as opened:
        qtbot.keyClick(label, Qt.Key.Key_Return)
    assert opened.args[2] > opened.args[1]


def test_the_arrow_down_leads_from_the_search_to_the_list(open_desk, qtbot):
    desk = open_desk()
    desk.activateWindow()
    desk.list.search.setFocus()
    qtbot.keyClick(desk.list.search, Qt.Key.Key_Down)
    assert desk.list.view.hasFocus()
