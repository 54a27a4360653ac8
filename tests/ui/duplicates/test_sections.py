"""The other tabs of the merge desk: automatic merges, ambiguous mentions, bulk merges."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt

from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.ui.duplicates.decisions import MergeManyDialog
from desktop_app.ui.duplicates.screen import AMBIGUOUS, AUTOMATIC, TO_DECIDE
from desktop_app.ui.editing.compare_dialog import CompareEntitiesDialog
from tests.books import add_book, id_of, shown
from tests.ui.duplicates.names import add_automatic_merge, open_merge_desk


def test_automatic_merges_are_listed_separated_and_restored(context, library, qtbot):
    add_automatic_merge(library)
    screen = open_merge_desk(context, library, qtbot)
    qtbot.waitUntil(lambda: screen.automatic.model.n_names == 1)
    assert "Merged automatically  1" in screen.tabs.tabText(AUTOMATIC)
    screen.show_part(AUTOMATIC)
    qtbot.waitUntil(lambda: screen.automatic.cards[0].sentences.labels != [])
    card = screen.automatic.cards[0]
    assert card.joined.rule == "spelling"
    qtbot.keyClick(screen, Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: {"WICKHAM", "Wickham"} <= shown(library))
    qtbot.waitUntil(lambda: screen.automatic.model.n_names == 0)
    assert screen.automatic.pages.currentWidget() is screen.automatic.empty
    qtbot.waitUntil(lambda: context.messages.last is not None)
    context.messages.last.action()
    qtbot.waitUntil(lambda: len({"WICKHAM", "Wickham"} & shown(library)) == 1)


def test_the_line_of_the_chosen_tab_is_on_the_rule_of_the_header(context, library, qtbot):
    screen = open_merge_desk(context, library, qtbot)
    screen.resize(1200, 700)
    tabs = screen.tabs
    qtbot.waitUntil(tabs.isVisible)
    end = tabs.mapTo(screen, tabs.tabRect(TO_DECIDE).bottomLeft()).y()
    assert end + 1 == screen.parts.y() - 1  # the rule is one pixel


def test_an_ambiguous_mention_is_resolved_with_a_key(context, library, qtbot):
    add_book(library)
    editing = EditingService(library.writer)
    mentions = LibraryReader(library.writer).list_mentions(id_of(library, "Tobias"))
    editing.split(id_of(library, "Tobias"), [mentions[1][0]], "Tobias the younger")
    add_book(library, ("Tobias was alone that day. ",), title="Alone")
    screen = open_merge_desk(context, library, qtbot)
    qtbot.waitUntil(lambda: screen.ambiguous.n_questions == 1)
    assert screen.tabs.tabText(AMBIGUOUS).endswith("1")
    screen.show_part(AMBIGUOUS)
    assert (
        "Tobias" in screen.ambiguous.asked.text() and "Alone" in screen.ambiguous.where.full_text()
    )
    assert ["younger" in button.text() for button in screen.ambiguous.buttons] == [False, True]
    qtbot.keyClick(screen.ambiguous, Qt.Key.Key_2)
    younger = id_of(library, "Tobias the younger")
    count = "SELECT n_mentions FROM entity WHERE id = ?"
    qtbot.waitUntil(lambda: library.writer.value(count, (younger,)) == 2)
    assert screen.ambiguous.question is None
    assert screen.ambiguous.pages.currentWidget() is screen.ambiguous.empty


def test_very_likely_clusters_are_merged_together_except_unticked_ones(context, library, qtbot):
    screen = open_merge_desk(context, library, qtbot)
    clusters = screen.model.rows
    assert len(clusters) == 2
    reason = replace(clusters[0].reasons[0], method="fingerprint")
    sure = [replace(one, certainty=1.0, against=(), reasons=(reason,)) for one in clusters]
    screen.model.set_clusters(sure)
    clusters = screen.model.rows
    screen.choose_very_likely()
    sheet = screen.menu.sheet
    assert isinstance(sheet, MergeManyDialog)
    sheet.list.item(1).setCheckState(Qt.CheckState.Unchecked)
    assert sheet.ticked() == [clusters[0]] and sheet.merge_button.text() == "Merge 1"
    before = shown(library)
    sheet.merge_button.click()
    qtbot.waitUntil(lambda: len(shown(library)) == len(before) - 1)
    qtbot.waitUntil(lambda: context.messages.last is not None)
    context.messages.last.action()
    qtbot.waitUntil(lambda: shown(library) == before)


def test_two_members_are_compared_and_marked_as_different(context, library, qtbot):
    screen = open_merge_desk(context, library, qtbot)
    qtbot.keyClick(
        screen,
        Qt.Key.Key_M,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    qtbot.waitUntil(lambda: isinstance(screen.menu.sheet, CompareEntitiesDialog))
    sheet = screen.menu.sheet
    names = {sheet.found.left.entity.name, sheet.found.right.entity.name}
    assert names == {card.member.entity.name for card in screen.page.cards}
    sheet.never_button.click()
    qtbot.waitUntil(lambda: library.writer.rows("SELECT * FROM never_merged") != [])


def test_the_model_judges_all_clusters_and_the_list_shows_it(context, library, qtbot):
    asked = []

    def answer(cluster):
        asked.append(cluster.ids)
        return replace(cluster, asked=0.75)

    context.ask_about_duplicates = answer
    screen = open_merge_desk(context, library, qtbot)
    screen.ask_about_all()
    qtbot.waitUntil(lambda: all(one.asked == 0.75 for one in screen.model.rows))
    qtbot.waitUntil(lambda: not screen.verdicts.is_busy)
    assert sorted(asked) == sorted(one.ids for one in screen.model.rows)
    qtbot.waitUntil(lambda: "75%" in screen.page.asked.text())
    assert [one.certainty for one in screen.model.rows] != [0.75, 0.75]


def test_tabs_are_switched_with_keys(context, library, qtbot):
    screen = open_merge_desk(context, library, qtbot)
    assert screen.part == TO_DECIDE
    for part in (AUTOMATIC, AMBIGUOUS, TO_DECIDE):
        qtbot.keyClick(screen, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
        assert screen.part == screen.parts.currentIndex() == part


def test_all_clusters_of_one_name_are_merged_together(context, library, qtbot):
    screen = open_merge_desk(context, library, qtbot)
    first, second = screen.model.rows[:2]
    same_first = replace(second, members=(first.members[0], *second.members[1:]))
    screen.model.set_clusters([first, same_first])
    screen.list.select(0)
    name = first.members[0].entity.name
    assert screen.page.about_button.text() == f"Review 2 suggestions with {name}…"
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(screen, Qt.Key.Key_Return, keys)
    qtbot.waitUntil(lambda: isinstance(screen.menu.sheet, MergeManyDialog))
    sheet = screen.menu.sheet
    assert name in sheet.windowTitle() and len(sheet.ticked()) == 2
    before = shown(library)
    sheet.merge_button.click()
    qtbot.waitUntil(lambda: len(shown(library)) == len(before) - 2)
    qtbot.waitUntil(lambda: screen.model.rowCount() == 0)


def test_several_clusters_are_selected_and_merged_in_one_step(context, library, qtbot):
    screen = open_merge_desk(context, library, qtbot)
    view, before = screen.list.view, shown(library)
    assert screen.model.rowCount() == 2 and not screen.shows_several
    for row, keys in (
        (0, Qt.KeyboardModifier.NoModifier),
        (1, Qt.KeyboardModifier.ControlModifier),
    ):
        point = view.visualRect(screen.model.index(row)).center()
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, keys, point)
    assert screen.shows_several and screen.several.title.text() == "2 suggestions selected"
    assert all(
        member.entity.name in screen.several.names.text()
        for one in screen.model.rows
        for member in one.members
    )
    assert screen.several.merge_button.text() == "Merge 2…"
    screen.grab()
    qtbot.keyClick(screen, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: isinstance(screen.menu.sheet, MergeManyDialog))
    sheet = screen.menu.sheet
    assert len(sheet.ticked()) == sheet.list.count() == 2 and shown(library) == before
    sheet.merge_button.click()
    qtbot.waitUntil(lambda: len(shown(library)) == len(before) - 2)
    qtbot.waitUntil(lambda: context.messages.last is not None)
    context.messages.last.action()
    qtbot.waitUntil(lambda: shown(library) == before)
    qtbot.waitUntil(lambda: screen.model.rowCount() == 2)


def test_several_clusters_are_kept_apart_in_one_step(context, library, qtbot):
    screen = open_merge_desk(context, library, qtbot)
    alike = [replace(one, reasons=screen.model.rows[0].reasons, against=(), certainty=0.7)
             for one in screen.model.rows]  # fmt: skip
    screen.model.set_clusters(alike)
    screen.list.select(0)
    assert screen.list.kind_button.isEnabled() and not screen.shows_several
    screen.list.kind_button.click()
    assert len(screen.list.selected) == 2 and screen.shows_several
    screen.several.never_button.click()
    qtbot.waitUntil(lambda: isinstance(screen.menu.sheet, MergeManyDialog))
    sheet = screen.menu.sheet
    assert sheet.merge_button.text() == "Never merge 2"
    sheet.merge_button.click()
    kept = "SELECT count(*) FROM never_merged"
    qtbot.waitUntil(lambda: library.writer.value(kept) >= 2)
    qtbot.waitUntil(lambda: screen.model.rowCount() == 0)
    assert screen.pages.currentWidget() is screen.empty
    qtbot.waitUntil(lambda: context.messages.last is not None)
    context.messages.last.action()
    qtbot.waitUntil(lambda: library.writer.value(kept) == 0)


def test_a_row_alone_shows_its_cluster_again(context, library, qtbot):
    screen = open_merge_desk(context, library, qtbot)
    screen.list.view.selectAll()
    assert screen.shows_several
    screen.list.select(1)
    assert screen.pages.currentWidget() is screen.page
    assert screen.page.cluster == screen.model.rows[1]
    for card in screen.page.cards:
        qtbot.waitUntil(lambda card=card: card.sentences.sources != [])
        assert (
            card.sentences.sources[0]
            .full_text()
            .startswith(card.member.sentences[0].document_title)
        )
