"""The other parts of the merge desk: what was joined on its own, who is in doubt, many at once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from desktop_app.engine.services.duplicates import Duplicates
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.ui.duplicates.decisions import MergeManyDialog
from desktop_app.ui.duplicates.screen import DOUBTFUL, JOINED, TO_DECIDE, MergeDesk
from desktop_app.ui.editing.compare_dialog import CompareEntitiesDialog
from tests.books import add_book, id_of, shown
from tests.ui.duplicates.test_duplicates_screen import add_names
from tests.ui.fakes import FakeContext


@pytest.fixture
def library(tmp_path):
    made = Library(tmp_path / "small.inkgraph")
    add_names(made)
    yield made
    made.close()


def open_desk(context: FakeContext, library, qtbot) -> MergeDesk:
    context.library_reader = LibraryReader(library.reader())
    context.editing = EditingService(library.writer)
    context.duplicates = Duplicates(library.reader())
    made = MergeDesk(context)
    qtbot.addWidget(made)
    made.resize(1100, 760)
    made.show()
    qtbot.waitUntil(lambda: bool(made.page.cards))
    return made


def test_what_was_joined_on_its_own_is_listed_and_taken_apart_with_a_way_back(
    context, library, qtbot
):
    add_book(library, ("Marsh spoke. ", "Hale was silent. "))
    with library.writer.transaction():  # a second name that the rules join: another case
        library.writer.write("UPDATE name SET text = 'WICKHAM' WHERE text = 'Marsh'")
        library.writer.write("UPDATE name SET key = 'wickham' WHERE text = 'WICKHAM'")
        library.writer.write("UPDATE setting SET value = '0' WHERE key = 'graph_version'")
    EditingService(library.writer).retype(
        id_of(library, "Hale"), "place"
    )  # derives the graph again
    desk = open_desk(context, library, qtbot)
    qtbot.waitUntil(lambda: desk.joined.model.n_names == 1)
    assert "Merged automatically  1" in desk.tabs.tabText(JOINED)
    desk.show_part(JOINED)
    qtbot.waitUntil(lambda: desk.joined.cards[0].sentences.labels != [])
    card = desk.joined.cards[0]
    assert card.joined.rule == "spelling"
    qtbot.keyClick(desk, Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: {"WICKHAM", "Wickham"} <= shown(library))
    qtbot.waitUntil(lambda: desk.joined.model.n_names == 0)
    assert desk.joined.pages.currentWidget() is desk.joined.empty
    qtbot.waitUntil(lambda: context.messages.last is not None)
    context.messages.last.action()
    qtbot.waitUntil(lambda: len({"WICKHAM", "Wickham"} & shown(library)) == 1)


def test_who_is_meant_is_asked_and_answered_with_a_key(context, library, qtbot):
    add_book(library)
    editing = EditingService(library.writer)
    mentions = LibraryReader(library.writer).list_mentions(id_of(library, "Tobias"))
    editing.split(id_of(library, "Tobias"), [mentions[1][0]], "Tobias the younger")
    add_book(library, ("Tobias was alone that day. ",), title="Alone")
    desk = open_desk(context, library, qtbot)
    qtbot.waitUntil(lambda: desk.doubtful.n_questions == 1)
    assert desk.tabs.tabText(DOUBTFUL).endswith("1")
    desk.show_part(DOUBTFUL)
    assert "Tobias" in desk.doubtful.asked.text() and "Alone" in desk.doubtful.where.full_text()
    assert ["younger" in button.text() for button in desk.doubtful.buttons] == [False, True]
    qtbot.keyClick(desk.doubtful, Qt.Key.Key_2)
    younger = id_of(library, "Tobias the younger")
    count = "SELECT n_mentions FROM entity WHERE id = ?"
    qtbot.waitUntil(lambda: library.writer.value(count, (younger,)) == 2)
    assert desk.doubtful.question is None
    assert desk.doubtful.pages.currentWidget() is desk.doubtful.empty


def test_very_likely_ones_are_merged_at_once_but_for_those_unticked(context, library, qtbot):
    desk = open_desk(context, library, qtbot)
    clusters = desk.model.rows
    assert len(clusters) == 2
    desk.model.set_clusters([replace(one, certainty=1.0) for one in clusters])
    clusters = desk.model.rows
    desk.choose_very_likely()
    sheet = desk.menu.sheet
    assert isinstance(sheet, MergeManyDialog)
    sheet.list.item(1).setCheckState(Qt.CheckState.Unchecked)
    assert sheet.ticked() == [clusters[0]] and sheet.merge_button.text() == "Merge 1"
    before = shown(library)
    sheet.merge_button.click()
    qtbot.waitUntil(lambda: len(shown(library)) == len(before) - 1)
    qtbot.waitUntil(lambda: context.messages.last is not None)
    context.messages.last.action()
    qtbot.waitUntil(lambda: shown(library) == before)


def test_two_of_a_cluster_are_compared_and_kept_apart_from_there(context, library, qtbot):
    desk = open_desk(context, library, qtbot)
    qtbot.keyClick(
        desk, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    qtbot.waitUntil(lambda: isinstance(desk.menu.sheet, CompareEntitiesDialog))
    sheet = desk.menu.sheet
    names = {sheet.found.left.entity.name, sheet.found.right.entity.name}
    assert names == {card.member.entity.name for card in desk.page.cards}
    sheet.never_button.click()
    qtbot.waitUntil(lambda: library.writer.rows("SELECT * FROM never_merged") != [])


def test_the_model_is_asked_about_all_and_says_so_in_the_list(context, library, qtbot):
    asked = []

    def answer(cluster):
        asked.append(cluster.ids)
        return replace(cluster, asked=0.75)

    context.ask_about_duplicates = answer
    desk = open_desk(context, library, qtbot)
    desk.ask_about_all()
    qtbot.waitUntil(lambda: not desk.verdicts.is_busy)
    assert sorted(asked) == sorted(one.ids for one in desk.model.rows)
    assert all(one.asked == 0.75 for one in desk.model.rows)
    assert "75 %" in desk.page.asked.text()
    assert [one.certainty for one in desk.model.rows] != [0.75, 0.75]


def test_parts_are_gone_through_with_keys(context, library, qtbot):
    desk = open_desk(context, library, qtbot)
    assert desk.part == TO_DECIDE
    for part in (JOINED, DOUBTFUL, TO_DECIDE):
        qtbot.keyClick(desk, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
        assert desk.part == desk.parts.currentIndex() == part


def test_all_that_is_about_one_name_is_offered_at_once(context, library, qtbot):
    desk = open_desk(context, library, qtbot)
    first, second = desk.model.rows[:2]
    same_first = replace(second, members=(first.members[0], *second.members[1:]))
    desk.model.set_clusters([first, same_first])
    desk.list.select(0)
    name = first.members[0].entity.name
    assert desk.page.about_button.text() == f"All 2 with {name}…"
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(desk, Qt.Key.Key_Return, keys)
    qtbot.waitUntil(lambda: isinstance(desk.menu.sheet, MergeManyDialog))
    sheet = desk.menu.sheet
    assert name in sheet.windowTitle() and len(sheet.ticked()) == 2
    before = shown(library)
    sheet.merge_button.click()
    qtbot.waitUntil(lambda: len(shown(library)) == len(before) - 2)
    qtbot.waitUntil(lambda: desk.model.rowCount() == 0)
