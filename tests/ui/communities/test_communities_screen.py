"""The communities screen with a real library, services and lanes."""

from __future__ import annotations

import threading
from dataclasses import replace

from PySide6.QtCore import QPoint, Qt

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.communities.reader import CommunityReader
from desktop_app.engine.communities.updater import are_fresh
from desktop_app.ui.communities.community_tree import ROOT, CommunityTree
from desktop_app.ui.communities.group_drawing import MAX_NAMES, build_group_picture
from desktop_app.ui.communities.page import FindingRows, count_passages
from desktop_app.ui.communities.parts import MAX_AT_ONCE, SECOND_CLICK_MS, Chip, ChipFlow
from desktop_app.ui.communities.screen import TREE_WIDTH, CommunitiesScreen
from desktop_app.ui.communities.tree_panel import MAP
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, PrimaryButton
from desktop_app.ui.widgets.buttons import LINK_PAD
from desktop_app.workers.lane import Job
from desktop_app.workers.operations import Query
from tests.books import add_book, id_of

LONG = 20_000


def shown_id(screen: CommunitiesScreen) -> int:
    return int(screen.page.content.card.row.id)


def open_sheet(screen: CommunitiesScreen, qtbot, command: str):
    screen.run_command(command)
    qtbot.waitUntil(lambda: screen.commands.sheet is not None, timeout=LONG)
    return screen.commands.sheet


def test_the_first_community_is_shown_with_its_report(screen, book):
    page, row = screen.page, screen.page.content.card.row
    assert row.title.startswith(page.head.title.text())
    assert (
        f"{row.n_members} names" in page.head.facts.text() and "% of all)" in page.head.facts.text()
    )
    assert page.summary.text() and page.head.reason.isHidden()
    assert "Written without a model" in page.head.facts.text()
    assert len(page.findings.rows) == len(page.content.card.report.findings) > 0
    assert not page.content.card.report.model and page.titles["findings"].text() == (
        "Example sentences"
    )
    assert {chip.text() for chip in page.members.chips} == {
        m.name for m in page.content.card.members
    }
    assert screen.head.count.full_text().endswith(f"{screen.community_tree.n_real} in all")
    assert screen.left.found.text() == "2 main communities"
    assert screen.left.sort_button.text() == "Largest first"
    assert screen.left.view_button.text() == "Treemap"
    page.grab()


def test_quoted_text_is_in_the_book_font_and_actions_begin_at_one_edge(screen, context):
    finding = screen.page.findings.rows[0].head
    summary = screen.page.summary
    assert finding.text.font().families() == summary.font().families()
    assert finding.text.font().families() != finding.headline.font().families()
    text_left = finding.text.x() + finding.text.contentsMargins().left()
    assert finding.count.x() + LINK_PAD == text_left
    head = screen.page.head
    first = head.ask_button
    assert first.mapTo(head, first.rect().topLeft()).x() == head.title.x()
    assert [action.text() for action in head.more_button.menu().actions()] == [
        *("Edit the report", "Rewrite the report", "Compare with another…"),
        *("Pin: never rewrite the report", "Colour the graph by community"),
    ]


def test_the_count_is_emitted_for_the_sidebar(context, book, work, qtbot):
    made = CommunitiesScreen(context)
    qtbot.addWidget(made)
    with qtbot.waitSignal(made.counted, timeout=LONG) as emitted:
        made.show()
    n = sum(not row.is_loose and not row.level for row in CommunityReader(book.writer).tree())
    assert emitted.args == [n]


def test_a_finding_opens_to_sentences_that_stand_in_the_book(screen, book, qtbot):
    row = screen.page.findings.rows[0]
    qtbot.mouseClick(row.head, Qt.MouseButton.LeftButton)
    assert row.is_open and row.sentences
    one = row.finding.evidence[0]
    with qtbot.waitSignal(screen.open_passage) as emitted:
        qtbot.mouseClick(row.sentences[0], Qt.MouseButton.LeftButton)
    document, start, end = emitted.args
    sql = "SELECT text FROM document_text WHERE document_id = ?"
    assert book.writer.value(sql, (document,))[start:end] == one.quote
    qtbot.keyClick(row.head, Qt.Key.Key_Return)
    assert not row.is_open and row.sentences[0].isHidden()


def test_a_click_on_a_name_opens_its_page_and_a_double_click_the_graph(screen, book, qtbot):
    chip = screen.page.members.chips[0]
    number = int(screen.page.content.card.members[0].id)
    with qtbot.waitSignal(screen.open_entity, timeout=LONG) as emitted:
        qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert emitted.args == [number]
    not_opened = qtbot.assertNotEmitted(screen.open_entity, wait=SECOND_CLICK_MS + 50)
    with not_opened, qtbot.waitSignal(screen.show_in_graph, timeout=LONG) as graph:
        qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
        qtbot.mouseDClick(chip, Qt.MouseButton.LeftButton)
        qtbot.mouseRelease(chip, Qt.MouseButton.LeftButton)
    assert graph.args == [[number]]
    with qtbot.waitSignal(screen.open_entity, timeout=LONG):
        qtbot.keyClick(chip, Qt.Key.Key_Return)


def test_chips_title_and_summary_have_one_ranking(screen, book):
    row = screen.page.content.card.row
    chips = [chip.text() for chip in screen.page.members.chips]
    assert tuple(chips[: len(row.top_names)]) == row.top_names[: len(chips)]
    assert row.title.startswith(chips[0]) and chips[0] in screen.page.summary.text()


def test_the_best_connected_names_are_drawn_and_can_be_opened(screen, book, qtbot):
    drawing, card = screen.page.drawing, screen.page.content.card
    picture = drawing.picture
    assert picture is not None and not drawing.isHidden()
    assert [m.name for m in picture.members] == [m.name for m in card.members[:MAX_NAMES]]
    assert len(picture.pairs) == sum(
        {r.source, r.target} <= {m.name for m in picture.members} for r in card.relations
    )
    points = drawing.points()
    assert (points > 0).all() and (points < (drawing.width(), drawing.height())).all()
    drawing.grab()
    with qtbot.waitSignal(screen.open_entity, timeout=LONG) as opened:
        at = QPoint(*(round(value) for value in points[1].tolist()))
        qtbot.mouseClick(drawing, Qt.MouseButton.LeftButton, pos=at)
    assert opened.args == [int(picture.members[1].id)]
    few = replace(card, members=card.members[:3])
    assert build_group_picture(few) is None


def test_sentences_are_ordered_by_the_passages_of_their_pairs(screen, book):
    card = screen.page.content.card
    n_passages = {int(r.id): r.n_evidence for r in card.relations}
    counts = [count_passages(row.finding, n_passages) for row in screen.page.findings.rows]
    assert len(counts) > 1 and counts == sorted(counts, reverse=True)


def test_a_finding_says_how_many_of_all_passages_can_be_shown(context, screen, qtbot):
    finding = next(f for f in screen.page.content.card.report.findings if f.evidence[0].relation_id)
    relation, n = int(finding.evidence[0].relation_id), len(finding.evidence)
    rows = FindingRows(context.theme)
    qtbot.addWidget(rows)
    rows.set_findings([finding], {relation: 1_405})
    assert rows.rows[0].head.count.text() == f"Show {n} of 1,405 passages"
    rows.set_findings([finding], {relation: n})
    words = "Show 1 passage" if n == 1 else f"Show {n} passages"
    assert rows.rows[0].head.count.text() == words
    rows.rows[0].toggle()
    assert rows.rows[0].head.count.text() == ("Hide the passage" if n == 1 else "Hide the passages")


def test_ctrl_return_on_a_name_shows_it_in_the_graph(screen, book, qtbot):
    chip = screen.page.members.chips[0]
    chip.setFocus()
    not_asked = qtbot.assertNotEmitted(screen.ask_wanted, wait=200)
    with not_asked, qtbot.waitSignal(screen.show_in_graph, timeout=LONG):
        qtbot.keyClick(chip, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)


def test_more_names_are_shown_on_demand(context, qtbot):
    flow = ChipFlow(context.theme, "Names", most=5)
    qtbot.addWidget(flow)
    flow.resize(300, 10)
    made = []
    flow.set_chips(range(1_000), lambda n: made.append(n) or Chip(n, f"Name {n}", "person"))
    flow.show()
    low = flow.height()
    assert len(flow.chips) == len(made) == 5
    (more,) = flow.findChildren(Button)
    qtbot.mouseClick(more, Qt.MouseButton.LeftButton)
    assert len(flow.chips) == 5 + MAX_AT_ONCE and flow.height() > low
    assert "695" in flow.findChildren(Button)[-1].text()


def test_a_tick_of_the_spread_chart_opens_a_sentence_of_the_theme(screen, book, qtbot):
    document, _, places = screen.page.spread.rows()[0]
    with qtbot.waitSignal(screen.open_passage, timeout=LONG) as emitted:
        screen.page.spread.tick_clicked.emit(document, float(places[-1]))
    text = book.writer.value("SELECT text FROM document_text WHERE document_id = ?", (document,))
    sentence = text[emitted.args[1] : emitted.args[2]]
    assert sum(m.name in sentence for m in screen.page.content.card.members) >= 2


def test_asking_about_the_theme_opens_the_chat(screen, qtbot):
    with qtbot.waitSignal(screen.ask_wanted) as emitted:
        screen.page.head.ask_button.click()
    question, mode = emitted.args
    assert screen.page.head.title.text() in question and mode == "overview"
    row = screen.page.content.card.row
    menu = screen.commands.build_menu(row, screen.community_tree, None)
    with qtbot.waitSignal(screen.ask_wanted) as emitted:
        menu.actions()[1].trigger()
    assert emitted.args[1] == "drift"


def test_it_is_shown_in_the_graph_and_in_its_colours(screen, qtbot):
    names = [int(m.id) for m in screen.page.content.card.members]
    with qtbot.waitSignal(screen.show_in_graph) as emitted:
        screen.page.head.graph_button.click()
    assert emitted.args == [names]
    with qtbot.waitSignal(screen.color_wanted) as emitted:
        screen.page.head.more_actions["color"].trigger()
    assert emitted.args == [names, screen.page.content.card.row.level]


def test_an_edit_is_stored_and_can_be_undone(screen, context, book, qtbot):
    before, number = screen.page.head.title.text(), shown_id(screen)
    n = len(screen.page.findings.rows)
    sheet = open_sheet(screen, qtbot, "edit")
    sheet.name.setText("The clocks of the harbour")
    sheet.fields[0].out_button.click()
    sheet.save_button.click()
    title = screen.page.head.title
    qtbot.waitUntil(lambda: title.text() == "The clocks of the harbour", timeout=LONG)
    assert len(screen.page.findings.rows) == n - 1
    qtbot.waitUntil(lambda: context.draft_keeper._stored == {}, timeout=LONG)
    assert "Written by you" in screen.page.head.facts.text()
    qtbot.waitUntil(lambda: screen.community_tree.rows[number].is_edited, timeout=LONG)
    screen.commands.edits.undo()
    qtbot.waitUntil(lambda: title.text() == before, timeout=LONG)
    assert len(screen.page.findings.rows) == n


def test_the_generated_report_can_be_restored(screen, qtbot):
    before = screen.page.head.title.text()
    sheet = open_sheet(screen, qtbot, "edit")
    assert sheet.back_button.isHidden()
    sheet.summary.setPlainText("Mine.")
    sheet.add_finding()
    sheet.fields[-1].headline.setText("A point of my own")
    sheet.save_button.click()
    qtbot.waitUntil(lambda: screen.page.summary.text() == "Mine.", timeout=LONG)
    assert screen.page.findings.rows[-1].finding.headline == "A point of my own"
    sheet = open_sheet(screen, qtbot, "edit")
    sheet.back_button.click()
    qtbot.waitUntil(lambda: screen.page.summary.text() != "Mine.", timeout=LONG)
    assert screen.page.head.title.text() == before


def test_a_report_that_was_not_saved_is_there_when_it_is_edited_again(screen, qtbot):
    sheet = open_sheet(screen, qtbot, "edit")
    before = sheet.read_typed()
    sheet.summary.setPlainText("Mine.")
    sheet.fields[0].out_button.click()
    sheet.add_finding()
    sheet.fields[-1].headline.setText("A point of my own")
    typed = sheet.read_typed()
    sheet.reject()
    qtbot.waitUntil(lambda: screen.commands.sheet is None, timeout=LONG)
    sheet = open_sheet(screen, qtbot, "edit")
    assert sheet.read_typed() == typed != before
    sheet.discard_button.click()
    assert [one.finding() for one in sheet.fields][-1] is None
    n = len(before["findings"])
    assert {**sheet.read_typed(), "findings": sheet.read_typed()["findings"][:n]} == before
    sheet.reject()


def test_a_pinned_report_is_not_written_again(screen, qtbot):
    screen.page.head.more_actions["pin"].trigger()
    qtbot.waitUntil(lambda: not screen.page.head.pinned.isHidden(), timeout=LONG)
    assert not screen.page.head.more_actions["write"].isEnabled()
    screen.page.head.more_actions["pin"].trigger()
    qtbot.waitUntil(lambda: screen.page.head.pinned.isHidden(), timeout=LONG)
    assert screen.page.head.more_actions["write"].isEnabled()


def test_all_reports_are_written_and_only_those_due(screen, work, book, qtbot):
    screen.commands.write_many()
    sheet = screen.commands.sheet
    assert sheet.by_model.isEnabled()  # of the fake registry; this library has none
    sheet.plain.setChecked(True)
    qtbot.waitUntil(sheet.write_button.isEnabled, timeout=LONG)
    assert "report" in sheet.summary.text()
    sheet.write_button.click()
    qtbot.waitUntil(
        lambda: screen.community_tree.n_written == len(screen.community_tree), timeout=LONG
    )
    qtbot.waitUntil(lambda: work.runner.state == "idle", timeout=LONG)
    assert work.job.n_done == len(screen.community_tree)
    screen.commands.write_many()
    sheet = screen.commands.sheet
    sheet.plain.setChecked(True)
    qtbot.waitUntil(lambda: "nothing to write" in sheet.summary.text(), timeout=LONG)
    assert not sheet.write_button.isEnabled()
    sheet.reject()


def test_one_report_is_written_again_without_a_model(screen, work, qtbot):
    number = shown_id(screen)
    assert screen.community_tree.rows[number].model is None
    screen.commands.write([number], use_model=False)
    qtbot.waitUntil(lambda: screen.community_tree.rows[number].model == "", timeout=LONG)
    qtbot.waitUntil(lambda: screen.page.content.card.report.created_at > 0, timeout=LONG)


def test_a_link_opens_the_related_community(screen, qtbot):
    assert len(screen.community_tree) >= 2
    link = screen.page.related.rows[0]
    assert "connection" in link.link.detail
    qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: shown_id(screen) == link.link.number, timeout=LONG)
    assert screen.left.current == link.link.number


def test_two_communities_are_compared(screen, qtbot):
    sheet = open_sheet(screen, qtbot, "compare")
    qtbot.waitUntil(lambda: bool(sheet.sides[0].title.text()), timeout=LONG)
    assert sheet.sides[0].title.text() != sheet.sides[1].title.text()
    assert "connection" in sheet.relations_title.text()
    assert sheet.sides[0].names.chips and sheet.sides[1].names.chips
    second = sheet.second
    sheet.open_button.click()
    qtbot.waitUntil(lambda: shown_id(screen) == second, timeout=LONG)


def test_after_a_new_book_they_can_be_brought_up_to_date(screen, context, book, qtbot):
    assert screen.head.fresh_button.isHidden()
    extra = ("Petrel met Clara. Clara told Petrel of Tobias. Tobias knew Petrel well. ",)
    add_book(book, extra, title="Third")
    context.hub.publish_edit(ChangeNotice(entities=frozenset({1})))
    qtbot.waitUntil(lambda: not screen.head.fresh_button.isHidden(), timeout=LONG)
    screen.head.fresh_button.click()
    qtbot.waitUntil(screen.head.fresh_button.isHidden, timeout=LONG)
    assert CommunityReader(book.writer).is_fresh()


def test_communities_that_were_never_found_are_found_when_the_screen_is_shown(
    context, library, work, qtbot
):
    add_book(library)
    made = CommunitiesScreen(context)
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    qtbot.waitUntil(lambda: made.page.content is not None, timeout=LONG)
    assert len(made.community_tree) > 0


def test_an_empty_library_says_what_to_do(context, library, work, qtbot):
    made = CommunitiesScreen(context)
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    qtbot.waitUntil(lambda: made.pages.currentWidget() is made.no_communities, timeout=LONG)
    assert made.head.write_button.isHidden()
    with qtbot.waitSignal(made.action_wanted) as emitted:
        made.no_communities.findChild(PrimaryButton).click()
    assert emitted.args == ["add_files"]


def test_in_a_narrow_window_the_list_is_hidden(screen, qtbot):
    assert screen.left.isVisible() and screen.head.list_button.isHidden()
    screen.resize(520, 700)
    qtbot.waitUntil(screen.left.isHidden)
    assert screen.right.isVisible()
    screen.head.list_button.click()
    assert screen.left.isVisible() and screen.right.isHidden()
    screen.left.choose(screen.community_tree.children()[0])
    assert screen.left.isHidden() and screen.right.isVisible()


def test_light_and_dark_are_painted_in_tree_and_map(screen, context, qtbot):
    theme: Theme = context.theme
    for mode in ("dark", "light"):
        theme.set_mode(mode)
        for view in (MAP, 0):
            screen.left.show_view(view)
            assert not screen.grab().isNull()


def test_the_menu_of_a_community_pins_and_compares(screen, qtbot):
    row = screen.page.content.card.row
    menu = screen.commands.build_menu(row, screen.community_tree, None)
    words = [action.text() for action in menu.actions() if action.text()]
    assert "Pin the report" in words and "Compare with another…" in words
    pin = next(a for a in menu.actions() if a.text() == "Pin the report")
    pin.trigger()
    qtbot.waitUntil(lambda: screen.community_tree.rows[int(row.id)].is_pinned, timeout=LONG)


def test_an_edit_does_not_wait_for_communities_that_are_computed(book, work, context, qtbot):
    """It did, for up to 9 s: they were computed in the writer lane."""
    release = threading.Event()
    work.refresh.lane.submit(Job(lambda job: release.wait(20), "a long computation"))
    work.refresh.start()
    edit = Query(context.writer_lane, context.editing.retype, id_of(book, "Marsh"), "place")
    done: list[ChangeNotice] = []
    edit.on_success(done.append).run()
    try:
        qtbot.waitUntil(lambda: bool(done))
        assert work.refresh.is_running
        with qtbot.waitSignal(work.refresh.refreshed):
            release.set()
    finally:
        release.set()
    assert are_fresh(book.writer) and not work.refresh.is_running


def test_communities_are_loaded_before_the_screen_is_shown(context, book, work, qtbot, monkeypatch):
    read: list[str] = []
    tree, card = work.reader.tree, work.reader.get_card
    monkeypatch.setattr(work.reader, "tree", lambda: (read.append("tree"), tree())[1])
    monkeypatch.setattr(
        work.reader, "get_card", lambda *a, **k: (read.append("card"), card(*a, **k))[1]
    )
    made = CommunitiesScreen(context)
    qtbot.addWidget(made)
    made.resize(1100, 760)
    assert list(made.prepare()) == [None]
    qtbot.waitUntil(lambda: made.page.content is not None, timeout=LONG)
    assert read == ["tree", "card"]
    made.show()
    assert made.pages.currentWidget() is made.splitter
    assert made.right.currentWidget() is made.page
    assert made.left.width() == TREE_WIDTH
    assert work.lane.n_jobs == 0
    assert read == ["tree", "card"]
    assert list(made.prepare()) == []


def test_outdated_communities_are_updated_when_the_screen_is_shown_not_before(
    context, library, work, qtbot
):
    add_book(library)
    made = CommunitiesScreen(context)
    qtbot.addWidget(made)
    started: list[bool] = []
    make = made.make
    made.make = lambda: (started.append(made.isVisible()), make())[1]
    with qtbot.waitSignal(made.counted, timeout=LONG):
        list(made.prepare())
    assert started == []
    made.show()
    qtbot.waitUntil(lambda: made.page.content is not None, timeout=LONG)
    assert started == [True]


def test_the_children_of_a_community_are_sorted_when_they_are_asked_for(screen, monkeypatch):
    sorted_for: list[int] = []
    children = CommunityTree.children

    def count(self, number=ROOT, sort="size"):
        sorted_for.append(number)
        return children(self, number, sort)

    monkeypatch.setattr(CommunityTree, "children", count)
    screen.left.model.update(sort="title")
    assert sorted_for == []
    assert screen.left.model.rowCount() > 0
    assert sorted_for == [ROOT]
