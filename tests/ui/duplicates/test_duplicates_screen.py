"""The merge desk with a real library, services and lanes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt

from desktop_app.engine.graph.duplicates.model import DuplicateReason
from desktop_app.engine.messages import Message
from desktop_app.engine.services.editing.previews import MergePreview
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.ui.duplicates.cluster_list import describe_row
from desktop_app.ui.duplicates.cluster_page import NAME_ROOM, choose_reasons
from desktop_app.ui.theme.design_tokens import LIGHT
from desktop_app.ui.theme.stylesheet import build_stylesheet
from desktop_app.ui.widgets import KeyButton
from desktop_app.ui.widgets.emphasis import find_differences
from tests.books import shown
from tests.ui.duplicates.names import NAMES, open_merge_desk
from tests.ui.fakes import FakeContext


@pytest.fixture
def screen(context: FakeContext, library, qtbot):
    made = open_merge_desk(context, library, qtbot)
    qtbot.waitUntil(lambda: made.model.rowCount() == 2)
    return made


def names_of(screen) -> set[str]:
    return {card.member.entity.name for card in screen.page.cards}


def test_members_of_a_cluster_are_shown_side_by_side_with_sentences(screen, qtbot):
    assert names_of(screen) in (set(NAMES[:2]), set(NAMES[2:4]))
    qtbot.waitUntil(lambda: all(card.sentences.labels for card in screen.page.cards))
    qtbot.waitUntil(lambda: "After merging" in screen.page.preview.text())
    assert "differ by 1 letter" in screen.page.pro.reasons[0]
    assert screen.page.certainty.text() == "Likely the same"
    assert screen.page.contra.reasons == ()


def test_a_merge_shows_the_next_cluster_and_can_be_undone(screen, context, library, qtbot):
    first = names_of(screen)
    screen.page.name.setEditText("The one")
    qtbot.keyClick(screen, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: "The one" in shown(library))
    assert not first & (shown(library) - {"The one"})
    qtbot.waitUntil(lambda: names_of(screen) == set(NAMES[:4]) - first)
    qtbot.waitUntil(lambda: context.messages.last is not None)
    context.messages.last.action()
    qtbot.waitUntil(lambda: first <= shown(library))


def test_never_merge_holds_for_the_next_search(screen, library, qtbot):
    first = names_of(screen)
    screen.page.never_button.click()
    qtbot.waitUntil(lambda: library.writer.rows("SELECT * FROM never_merged") != [])
    with qtbot.waitSignal(screen.counted, timeout=5000):
        screen.search()
    qtbot.waitUntil(lambda: screen.model.n_all == 1)
    assert names_of(screen) != first and first <= shown(library)


def test_skipping_wraps_around_and_unticking_disables_merging(screen, qtbot):
    first = names_of(screen)
    screen.page.skip_button.click()
    assert names_of(screen) != first
    screen.page.skip_button.click()
    assert names_of(screen) == first
    screen.page.toggle(0)
    assert not screen.page.merge_button.isEnabled() and "at least two" in screen.page.preview.text()


def test_the_list_is_searched_and_says_when_nothing_is_left(screen, qtbot):
    screen.list.set_view(text="darc")
    assert screen.model.rowCount() == 1 and names_of(screen) == set(NAMES[2:4])
    screen.list.set_view(text="nobody")
    assert screen.pages.currentWidget() is screen.empty
    screen.list.set_view(text="")
    assert screen.model.rowCount() == 2


def test_during_a_search_no_empty_state_is_shown(screen, qtbot):
    qtbot.waitUntil(lambda: screen.model.n_all > 0 and screen.list.search_button.isEnabled())
    screen.model.set_clusters([])
    screen.search()
    screen.list.filtered.emit()  # updates the counts, as the results of the other tabs do
    assert screen.pages.currentWidget() is screen.skeleton
    qtbot.waitUntil(lambda: screen.list.search_button.isEnabled())
    assert screen.pages.currentWidget() is screen.page


@pytest.fixture
def searches(screen, monkeypatch) -> list[object]:
    """Return what is added for each search of clusters."""
    made: list[object] = []
    find = screen._context.duplicates.find

    def count(**options):
        made.append(options)
        return find(**options)

    monkeypatch.setattr(screen._context.duplicates, "find", count)
    return made


def wait_for_lanes(screen, qtbot) -> None:
    context = screen._context
    lanes = (context.writer_lane, context.duplicates_lane, context.reader_lane)
    qtbot.waitUntil(lambda: not any(lane.n_jobs for lane in lanes))


@pytest.mark.parametrize("button", ["merge_button", "never_button"])
def test_a_decided_cluster_goes_and_comes_back_with_undo_alone(
    screen, context, qtbot, button, searches
):
    """The list was computed again 3 s after each decision: rows moved, decided ones came back."""
    wait_for_lanes(screen, qtbot)
    before = [one.ids for one in screen.model.rows]
    seen: list[list[tuple[int, ...]]] = []
    model = screen.model
    for changed in (model.rowsInserted, model.rowsRemoved, model.modelReset):
        changed.connect(lambda *_: seen.append([one.ids for one in model.rows]))
    getattr(screen.page, button).click()
    wait_for_lanes(screen, qtbot)
    assert [one.ids for one in model.rows] == before[1:] and seen == [before[1:]]
    screen._later.timeout.emit()
    assert not searches and screen.list.search_button.toolTip().startswith("Names have changed")
    context.messages.last.action()
    qtbot.waitUntil(lambda: [one.ids for one in model.rows] == before)
    assert seen == [before[1:], before] and not searches
    screen.search()
    qtbot.waitUntil(lambda: len(searches) == 1 and screen.list.search_button.isEnabled())
    assert screen.list.search_button.toolTip().startswith("Compare all names")


def test_a_cluster_comes_back_if_its_decision_fails(screen, context, library, qtbot):
    before = [one.ids for one in screen.model.rows]
    EditingService(library.writer).delete(before[0][1])
    screen.page.merge_button.click()
    assert [one.ids for one in screen.model.rows] == before[1:]
    qtbot.waitUntil(lambda: [one.ids for one in screen.model.rows] == before)
    assert context.messages.last.kind == "warn"


def test_a_cluster_that_was_decided_elsewhere_goes(screen, context, library, qtbot):
    before = [one.ids for one in screen.model.rows]
    change = EditingService(library.writer).merge(before[1][0], before[1][1:])
    context.hub.publish_edit(change)
    qtbot.waitUntil(lambda: [one.ids for one in screen.model.rows] == before[:1])
    assert screen.page.cluster.ids == before[0]


def test_a_change_of_a_name_repaints_the_rows_with_it_alone(screen, qtbot):
    first, second = screen.model.rows
    wide = replace(first, members=(*first.members, second.members[0]))
    screen.model.set_clusters([first, second, wide])
    assert set(screen.model.find_clusters({second.ids[0]})) == {second, wide}
    assert screen.model.find_clusters({*range(-9, 0)}) == []
    painted: list[int] = []
    screen.model.dataChanged.connect(lambda index, _: painted.append(index.row()))
    screen.model.replace([first, replace(second, certainty=0.9)])
    assert painted == [screen.model.find_row(second.ids)]
    screen.model.drop([wide])
    (left,) = screen.model.find_clusters({second.ids[0]})
    assert left.certainty == 0.9 and left in screen.model.rows
    screen.model.put_back(second, 0)
    assert (screen.model.n_all, screen.model.rowCount()) == (2, 2)
    assert screen.model.find_row(wide.ids) == -1


def test_members_are_unchecked_and_checked_with_keys(screen, context, library, qtbot):
    first = screen.page.cluster
    three = replace(first, members=(*first.members, screen.model.rows[1].members[0]))
    screen.page.show_cluster(three)
    alt = Qt.KeyboardModifier.AltModifier
    qtbot.keyClick(screen, Qt.Key.Key_3, alt)
    assert [row.id for row in screen.page.ticked()] == list(first.ids)
    qtbot.waitUntil(lambda: screen.page.preview.text().startswith("2 of 3 names selected."))
    for n_ticked in (3, 0):
        qtbot.keyClick(screen, Qt.Key.Key_0, alt)
        assert len(screen.page.ticked()) == n_ticked
    assert not screen.page.merge_button.isEnabled()
    assert screen.page.all_button.text() == "Select all"


def test_a_row_says_what_is_against_and_is_never_cut_to_a_reason(screen):
    one = screen.model.rows[0]
    assert describe_row(one) == "Likely the same · similar spelling"
    doubted = replace(one, against=(DuplicateReason("types", 1.2, Message("other types")),))
    assert describe_row(doubted) == "Uncertain · similar spelling · evidence against"
    screen.page.show_cluster(doubted)
    screen.page.cluster = None
    screen.page.show_cluster(doubted)
    assert screen.page.certainty.text() == "Uncertain"
    assert screen.page.contra.reasons == ("other types",)


def test_one_of_two_reasons_that_say_the_same_is_shown() -> None:
    def reason(method: str) -> DuplicateReason:
        return DuplicateReason(method, 0.9, Message("words"))

    kinds = ["ngram", "part", "spelling"]
    assert [one.method for one in choose_reasons([*map(reason, kinds)])] == ["ngram", "part"]
    assert [one.method for one in choose_reasons([reason("spelling")])] == ["spelling"]


def test_the_words_in_which_two_names_differ_are_marked(screen) -> None:
    first, second = (card.tick for card in screen.page.cards)
    spans = find_differences(first.text(), second.text())
    assert first.marks == spans and second.marks == find_differences(second.text(), first.text())
    # without a word in common nothing is marked, and never a single letter of a word
    assert find_differences("Naive RAG", "NaiveRAG") == ()
    assert find_differences("Bob", "Uncle Robert") == ()
    assert find_differences("Thomas Penhallow", "Tom") == ()
    assert find_differences("Mrs. Roke", "Agnes Roke") == ((0, 4),)
    assert find_differences("Agnes Roke", "Mrs. Roke") == ((0, 5),)
    assert find_differences("John Roke", "Jon Roke") == ((0, 4),)
    # names with a word or character in common are marked however much they differ
    assert find_differences("Agnes Penhallow", "Agnes") == ((6, 15),)
    assert find_differences("Agnes Roke", "Agnes") == ((6, 10),)
    assert find_differences("唐牛儿", "唐二") == ((1, 3),)
    assert find_differences("唐二", "唐牛儿") == ((1, 2),)
    assert find_differences("Tom", "Penhallow") == find_differences("解宝", "双尾蝎") == ()


def test_a_row_names_the_name_that_its_evidence_is_about(screen) -> None:
    """“Penhallow” was called part of the name “Tom”, “Agnes Roke” part of “Mrs. Roke”."""
    one = screen.model.rows[0]

    def describe(method: str, text: Message, aliases: tuple[str, ...] = ()) -> str:
        members = (replace(one.members[0], names=aliases), *one.members[1:])
        reason = DuplicateReason(method, 0.7, text)
        return describe_row(replace(one, members=members, reasons=(reason,))).split(" · ")[1]

    first, second = (member.entity.name for member in one.members)
    part = Message("“{form}” is part of “{other}”", form=second, other="Tom Penhallow")
    assert describe("part", part, ("Tom Penhallow",)) == "part of the name: “Tom Penhallow”"
    part = Message("“{form}” is part of “{other}”", form=second, other=first)
    assert describe("part", part) == "part of the name"
    title = Message(
        "“{form}” and “{other}” start with “{surname}”; “{rest}” is a title",
        form=second,
        other="孙大圣",
        surname="孙",
        rest="长老",
    )
    assert describe("surname", title) == "shared surname “孙”"
    assert describe("surname", title, ("孙大圣",)) == "shared surname “孙”, in “孙大圣”"
    shared = Message(
        "“{form}” and “{other}” have “{part}” in common",
        form="Mrs. Roke",
        other="Agnes Roke",
        part="Roke",
    )
    assert describe("part", shared) == "shared surname “Roke”"
    shared = Message(
        "“{form}” and “{other}” have “{part}” in common",
        form="Miss Belinda",
        other="Belinda Cratchit",
        part="Belinda",
    )
    assert describe("part", shared) == "in common: “Belinda”"
    # what a shown name does not contain is said of the name that does
    shared = Message(
        "“{form}” and “{other}” have “{part}” in common",
        form=second,
        other="Mr. Franklin Blake",
        part="Blake",
    )
    assert describe("part", shared, ("Mr. Franklin Blake",)) == (
        "part of the name: “Mr. Franklin Blake”"
    )
    shared = Message(shared.template, **{**shared.params, "form": "Mr. Blake"})
    assert describe("part", shared, ("Mr. Franklin Blake",)) == (
        "shared surname “Blake”, in “Mr. Franklin Blake”"
    )
    letters = Message("“{a}” and “{b}” have the same letters", a="Uncle Scrooge", b=second)
    assert describe("ngram", letters, ("Uncle Scrooge",)) == "same letters: “Uncle Scrooge”"


def test_the_line_above_the_list_begins_where_its_texts_do(screen) -> None:
    button = screen.list.kind_button
    screen.list.setStyleSheet(build_stylesheet(LIGHT, {}))
    image = button.grab().toImage()
    ground, rows = image.pixel(0, 0), range(image.height())
    inked = (x for x in range(image.width()) if any(image.pixel(x, y) != ground for y in rows))
    left = button.mapTo(screen.list, QPoint(next(inked), 0)).x()
    assert 12 <= left <= 14  # the rows of the list have a margin of 12


def test_the_button_for_all_of_a_kind_counts_them(screen) -> None:
    assert screen.list.kind_button.text() == "Select all 2 suggestions of this kind"
    assert screen.list.kind_button.toolTip().endswith("Likely the same · similar spelling")
    first, second = screen.model.rows
    screen.model.replace([replace(first, certainty=0.5)])
    screen.list.select(1)
    screen.list.select(0)
    assert screen.list.kind_button.text() == "No others of this kind"
    assert not screen.list.kind_button.isEnabled()
    assert second in screen.model.rows


def test_the_button_for_all_of_a_kind_is_short_where_there_is_little_room(screen) -> None:
    button, whole = screen.list.kind_button, "Select all 2 suggestions of this kind"
    needed = button.sizeHint().width()
    screen.list.resize(needed, screen.list.height())  # its margins have no room beside the text
    assert button.text() == "Select all 2 of this kind"
    assert "Likely the same · similar spelling" in button.toolTip()
    assert button.accessibleName() == whole
    screen.list.resize(needed + 60, screen.list.height())
    assert button.text() == whole


def test_a_card_lists_connections(screen) -> None:
    member = replace(screen.page.cluster.members[0], connections=("Ada", "Tom"))
    card = screen.page.cards[0]
    card.show_member(member)
    assert card.connections.text() == "Connected with: Ada, Tom"
    card.show_member(replace(member, connections=()))
    assert card.connections.isHidden()


def test_buttons_name_their_keys_where_there_is_room(screen, qtbot) -> None:
    page = screen.page
    named = [button for button in page.foot_buttons if button.keys]

    def is_whole(button: KeyButton) -> bool:
        return button.width() >= button.text_width()

    screen.resize(1400, 800)
    qtbot.waitUntil(lambda: all(button.has_keys_painted() for button in named))
    assert page.name.geometry().center().y() == page.skip_button.geometry().center().y()
    screen.resize(1050, 600)
    qtbot.waitUntil(lambda: all(map(is_whole, page.foot_buttons)))
    screen.resize(760, 600)  # the name has a line of its own, and no button is cut off
    qtbot.waitUntil(lambda: page.name.geometry().bottom() < page.skip_button.y())
    qtbot.waitUntil(lambda: all(map(is_whole, page.foot_buttons)))
    assert not any(button.has_keys_painted() for button in named)
    assert page.name.width() > 280
    assert page.merge_button.text() == "Merge" and "Ctrl+Enter" in page.merge_button.toolTip()


@pytest.mark.parametrize("scale", [1.0, 1.6])
def test_no_action_is_cut_off_in_a_small_window(screen, context, qtbot, scale) -> None:
    context.theme.set_scale(scale)
    page = screen.page
    for width in range(1060, 1400, 40):
        screen.resize(width, 640)
        qtbot.waitUntil(lambda: all(b.width() >= b.text_width() for b in page.foot_buttons))
        qtbot.waitUntil(lambda: page.name.width() >= context.theme.breadth(NAME_ROOM))
    context.theme.set_scale(1.0)


def test_the_most_complete_name_is_kept_unless_another_is_chosen(screen, qtbot) -> None:
    page, one = screen.page, screen.page.cluster
    first, second = one.members[:2]
    short = replace(first, entity=replace(first.entity, name="Ottilie", n_mentions=12), names=())
    full = replace(second, entity=replace(second.entity, name="Ottilie Brand", n_mentions=1))
    epithet = replace(second, entity=replace(second.entity, id=99, name="Old Scale"), names=())
    page.show_cluster(replace(one, members=(short, full, epithet)))
    preview = MergePreview((), (), "", (), (), 13, 4, (), (), ())
    page.show_preview(preview)
    assert page.name.currentText() == "Ottilie Brand"
    assert [card.kept.isHidden() for card in page.cards] == [True, False, True]
    assert "most complete name" in page.preview.text()
    page.cards[1].tick.setChecked(False)
    assert page.name.currentText() == "Ottilie" and not page.cards[0].kept.isHidden()
    page.cards[1].tick.setChecked(True)
    page.name.setEditText("Old Scale")  # chosen by the user
    page.cards[2].tick.setChecked(False)
    page.cards[2].tick.setChecked(True)
    assert page.name.currentText() == "Old Scale" and not page.cards[2].kept.isHidden()
    page.show_preview(preview)
    assert "suggested" not in page.preview.text()
