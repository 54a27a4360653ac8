"""The entity screen: search, filters, evidence, history, long lists."""

from __future__ import annotations

import random
import threading
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage, QPainter, QResizeEvent
from PySide6.QtWidgets import QApplication

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.messages import Message
from desktop_app.engine.model import EntityRow, MentionRow, RelationRow
from desktop_app.engine.services.editing.history import HistoryRow
from desktop_app.engine.services.entity_comparison import CommunityMembership
from desktop_app.ui.editing.pick_dialog import PickEntityDialog
from desktop_app.ui.entity import quote_list
from desktop_app.ui.entity.names_panel import NameDelegate, NamesModel
from desktop_app.ui.entity.page import CONNECTIONS, MENTIONS, EntityPage, describe_company
from desktop_app.ui.entity.quote_list import FIRST_ROWS, PAD_X, PAD_Y, QuoteList
from desktop_app.ui.entity.quotes import QUOTE, RELATION, Quote, group_mentions
from desktop_app.ui.entity.screen import LIST_WIDTH, SETTLE_MS, EntityScreen
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets.spread_chart import (
    SpreadChart,
    find_step,
    is_dense,
    measure_density,
)
from desktop_app.ui.widgets.tables import ROW_ROLE, RowList


def click_row(qtbot, quotes: QuoteList, row: int, offset: QPoint) -> None:
    point = quotes.row_rect(row).topLeft() + offset
    qtbot.mouseClick(quotes, Qt.MouseButton.LeftButton, pos=point)


def many_names(count: int) -> list[EntityRow]:
    types = ("person", "place", "object")
    return [
        EntityRow(i, f"林{i}号" if i % 3 else f"Name {i}", types[i % 3], i % 50, i % 91, 1)
        for i in range(1, count + 1)
    ]


def test_twenty_thousand_names_are_filtered_and_scrolled(qtbot, context, screen) -> None:
    context.library_reader.top_entities = lambda **_: many_names(20_000)
    screen.load_names()
    qtbot.waitUntil(lambda: screen.names.model.rowCount() == 20_000)
    bar = screen.names.list.verticalScrollBar()
    for share in (0.2, 0.9, 0.4, 1.0):
        bar.setValue(round(bar.maximum() * share))
        screen.names.list.viewport().repaint()
    assert bar.maximum() > 500_000
    screen.names.model.set_filter(text="name 19")
    assert 0 < screen.names.model.rowCount() < 1_000


def test_names_are_filtered_by_type_and_sorted(qtbot, screen) -> None:
    screen.names.types.toggles["place"].click()
    rows = [screen.names.model.index(i).data(ROW_ROLE) for i in range(2)]
    assert {r.type for r in rows} == {"place"} and screen.names.model.rowCount() == 2
    assert screen.names.n_names.text() == "2 of 13"
    screen.names.types.toggles["place"].click()
    screen.names.model.set_sort("name")
    assert screen.names.model.index(0).data() == "Ada Merrow"


def test_the_names_of_one_document_are_listed_with_their_mentions_there(
    qtbot, context, screen
) -> None:
    names = screen.names
    n_all = names.model.n_all
    assert names.document.isHidden(), "there is nothing to choose between yet"
    names.set_documents([(2, "渡口"), (1, "The ferry")])
    assert names.document.isVisible() and names.document_id == 0
    screen.show_names_of(2)
    own = context.library_reader.entities_of_document(2, 100)
    qtbot.waitUntil(lambda: names.model.n_all == len(own))
    assert {(r.id, r.n_mentions) for r in names.model.rows} == {(r.id, r.n_mentions) for r in own}
    assert names.n_names.text() == str(len(own)) != str(n_all)
    context.hub.publish_edit(ChangeNotice(entities=frozenset({own[0].id})))
    qtbot.waitUntil(lambda: context.reader_lane.n_jobs == 0)
    assert names.model.n_all == len(own)
    names.set_documents([(1, "The ferry"), (3, "Another")])
    qtbot.waitUntil(lambda: names.model.n_all == n_all)


def test_a_name_is_found_by_its_alias(qtbot, screen) -> None:
    screen.names.search.setText("林先生")
    qtbot.waitUntil(lambda: screen.names.model.rowCount() == 1)
    assert screen.names.model.index(0).data() == "林秋白"
    screen.names.search.setText("nobody at all")
    qtbot.waitUntil(lambda: screen.names.pages.currentWidget() is screen.names.empty)
    assert screen.names.empty.title.text() == "No matching names"


def test_a_page_shows_the_entity_and_opens_its_evidence(qtbot, screen, show) -> None:
    show(1)
    assert screen.page.head.name.text() == "Ada Merrow"
    assert screen.page.head.aliases.text() == "Also: Miss Merrow, Ada"
    assert screen.page.description.isHidden()  # the evidence says the same
    with qtbot.waitSignal(screen.open_passage) as opened:
        click_row(qtbot, screen.page.sources, 0, QPoint(40, 14))
    mention = screen.loader.card.description_evidence[0]
    assert opened.args == [mention.document_id, mention.start, mention.end]


def test_a_connection_opens_its_entity_or_its_sentence(qtbot, screen, show) -> None:
    show(8)
    quotes = screen.page.relations
    first = quotes.quotes[0]
    assert first.kind == RELATION
    with qtbot.waitSignal(screen.open_passage) as opened:
        click_row(qtbot, quotes, 0, QPoint(PAD_X + 20, PAD_Y + 32))
    assert opened.args == list(first.place)
    with qtbot.waitSignal(screen.open_entity) as named:
        click_row(qtbot, quotes, 0, QPoint(PAD_X + 8, PAD_Y + 10))
    assert named.args == [first.entity_id] and screen.entity_id == first.entity_id


def test_the_evidence_of_a_connection_unfolds_and_folds(qtbot, context, screen, show) -> None:
    true_fetch = context.library_reader.fetch_relations
    context.library_reader.fetch_relations = lambda *a: [
        replace(r, n_evidence=3) for r in true_fetch(*a)
    ]
    evidence = [
        MentionRow(1, "The Ferry", 1, "x", 900 + i * 30, 901 + i * 30, "x saw y", 900 + i * 30)
        for i in range(3)
    ]
    context.library_reader.fetch_relation_evidence = lambda *a: evidence
    show(8)
    relations = screen.page.relations
    before, height = len(relations.quotes), screen.page.relations.height()
    relation_id = relations.quotes[0].relation_id
    screen.page.relations.evidence_wanted.emit(relation_id)
    qtbot.waitUntil(lambda: len(relations.quotes) == before + 3)
    assert screen.page.relations.height() > height
    screen.page.relations.evidence_wanted.emit(relation_id)
    assert len(relations.quotes) == before and screen.page.relations.height() == height


def test_mentions_are_loaded_in_pages_of_two_hundred(qtbot, context, screen, show) -> None:
    sentence = "Ada rowed over the river at dawn. "
    everything = [
        MentionRow(
            1, "The Ferry", i, "Ada", i * 40, i * 40 + 3, sentence, i * 40, f"{i // 10}",
            f"Chapter {i // 100 + 1}",
        )
        for i in range(1_000)
    ]  # fmt: skip
    true_get = context.library_reader.get_entity

    def get(entity_id: int):
        card = true_get(entity_id)
        return replace(card, row=replace(card.row, n_mentions=1_000))

    context.library_reader.get_entity = get
    context.library_reader.fetch_mentions = lambda i, limit=200, offset=0: everything[
        offset : offset + limit
    ]
    show(1)
    screen.page.tabs.setCurrentIndex(1)
    QApplication.processEvents()
    qtbot.waitUntil(lambda: context.reader_lane.n_jobs == 0)
    assert screen.page.n_mentions_shown == 200
    bar = screen.page.verticalScrollBar()

    def scroll_on(expected: int) -> bool:
        bar.setValue(bar.maximum())
        return screen.page.n_mentions_shown >= expected

    for expected in (400, 600, 800, 1_000):
        qtbot.waitUntil(lambda e=expected: scroll_on(e))
    headings = [q.detail for q in screen.page.mentions.quotes if q.kind == "group"]
    assert headings == [f"Chapter {i}" for i in range(1, 11)]
    qtbot.waitUntil(lambda: bar.maximum() > 20_000)
    with qtbot.waitSignal(screen.open_passage) as opened:
        click_row(qtbot, screen.page.mentions, 1, QPoint(40, 12))
    assert opened.args == [1, 0, 3]


def test_back_and_forward_between_names(qtbot, screen, show) -> None:
    for entity_id in (1, 8, 9):
        show(entity_id)
    screen.back_button.click()
    qtbot.waitUntil(lambda: screen.loader.card.row.id == 8)
    screen.go_back()
    qtbot.waitUntil(lambda: screen.loader.card.row.id == 1)
    assert not screen.back_button.isEnabled()
    screen.go_forward()
    qtbot.waitUntil(lambda: screen.loader.card.row.id == 8)
    show(2)
    assert not screen.forward_button.isEnabled()


def test_a_tick_of_the_spread_chart_opens_its_mention(qtbot, screen, context, show) -> None:
    show(1)
    mention = context.library_reader.fetch_mentions(1)[-1]
    position = mention.start / context.library_reader.get_document(1).n_chars
    chart = screen.page.spread
    strip = chart.strip_rect(0)
    point = QPoint(round(strip.left() + position * strip.width()), round(strip.center().y()))
    with qtbot.waitSignal(screen.open_passage) as opened:
        qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=point)
    assert opened.args == [1, mention.start, mention.end]


def test_arrow_keys_move_through_rows_and_return_opens_one(qtbot, screen, show) -> None:
    show(8)
    quotes = screen.page.relations
    quotes.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(quotes, Qt.Key.Key_Down)
    with qtbot.waitSignal(screen.open_passage) as opened:
        qtbot.keyClick(quotes, Qt.Key.Key_Return)
    assert opened.args == list(quotes.quotes[1].place)
    assert quotes.quotes[1].title in quotes.accessibleDescription()
    with qtbot.waitSignal(screen.open_entity):
        qtbot.keyClick(quotes, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)


def test_five_thousand_sentences_each_have_a_row(qtbot, context) -> None:
    quotes = QuoteList(context.theme, "Mentions")
    qtbot.addWidget(quotes)
    quotes.resize(700, 10)
    quotes.show()
    rows = [
        MentionRow(1, "F", i, "Ada", i * 99, i * 99 + 3, f"Ada {i} rowed. " * 9, i * 99)
        for i in range(5_000)
    ]
    for offset in range(0, 5_000, 200):
        quotes.add_quotes(group_mentions(rows[offset : offset + 200], (1, "")))
    assert quotes.row_at(quotes.row_rect(4_321).top()) == 4_321
    assert quotes.row_at(-1) == quotes.row_at(quotes.height() + 1) == -1


def test_a_name_is_shown_in_the_graph_and_asked_about(qtbot, screen, show) -> None:
    show(8)
    with qtbot.waitSignal(screen.show_in_graph) as shown:
        screen.page.head.graph_button.click()
    assert shown.args == [[8]]
    with qtbot.waitSignal(screen.ask_about) as asked:
        screen.page.head.ask_button.click()
    assert asked.args == ["林秋白是谁？"]


def test_a_deleted_name_is_reported(qtbot, screen) -> None:
    screen.show_entity(999)
    qtbot.waitUntil(lambda: screen.pages.currentWidget() is screen.nothing)
    assert screen.nothing.title.text() == "This name no longer exists"


def test_a_change_of_the_shown_name_is_loaded(qtbot, context, screen, show) -> None:
    show(1)
    rows = context.library_reader.entities
    rows[1] = replace(rows[1], name="Ada M.")
    context.hub.publish_edit(ChangeNotice(entities=frozenset({1})))
    qtbot.waitUntil(lambda: screen.page.head.name.text() == "Ada M.")


def test_a_page_that_is_read_again_is_shown_when_all_is_read(
    qtbot, context, screen, show, monkeypatch
) -> None:
    show(8)
    page, is_last, may_end = screen.page, threading.Event(), threading.Event()
    shown: list[str] = []
    for part in ("show_card", "set_spread", "set_relations", "set_events"):
        true_show = getattr(page, part)
        monkeypatch.setattr(
            page, part, lambda *a, _s=true_show, _p=part, **k: (shown.append(_p), _s(*a, **k))
        )
    true_list = context.library_reader.list_events

    def wait_and_list(*args):
        is_last.set()
        may_end.wait(20)
        return true_list(*args)

    context.library_reader.list_events = wait_and_list
    context.hub.publish_edit(ChangeNotice(entities=frozenset({8})))
    try:
        qtbot.waitUntil(is_last.is_set)
        QApplication.processEvents()
        assert not shown
    finally:
        may_end.set()
    qtbot.waitUntil(lambda: context.reader_lane.n_jobs == 0)
    assert "show_card" in shown and shown[-1] == "set_events"


def test_mentions_are_laid_out_when_their_list_is_shown(screen, show) -> None:
    show(8)
    page = screen.page
    n = page.n_mentions_shown
    assert n > 0 and not page.mentions.quotes and page.mentions.height() == 0
    page.tabs.setCurrentIndex(MENTIONS)
    assert sum(quote.kind == QUOTE for quote in page.mentions.quotes) == n
    page.tabs.setCurrentIndex(CONNECTIONS)
    page.tabs.setCurrentIndex(MENTIONS)
    assert sum(quote.kind == QUOTE for quote in page.mentions.quotes) == n == page.n_mentions_shown


def test_an_edit_loads_the_names_that_changed_and_no_others(qtbot, context, screen) -> None:
    qtbot.waitUntil(lambda: screen.names.model.n_all > 0 and not context.reader_lane.n_jobs)
    reader, model = context.library_reader, screen.names.model
    reader.calls.clear()
    n_before = model.n_all
    reader.entities[1] = replace(reader.entities[1], name="Ada M.")
    gone = reader.entities.pop(2).id
    context.hub.publish_edit(ChangeNotice(entities=frozenset({1, gone})))
    qtbot.waitUntil(lambda: model.find_row(gone) < 0)
    assert model.n_all == n_before - 1
    assert model.index(model.find_row(1)).data() == "Ada M."
    assert "fetch_entities" in reader.calls and "top_entities" not in reader.calls


def test_edits_are_read_at_once_and_what_indexing_reports_once_a_second(
    qtbot, context, screen, show
) -> None:
    show(1)
    qtbot.waitUntil(lambda: not context.reader_lane.n_jobs)
    rows, name = context.library_reader.entities, screen.page.head.name
    for new in ("Ada 1", "Ada 2", "Ada 3"):
        rows[1] = replace(rows[1], name=new)
        context.hub.publish_edit(ChangeNotice(entities=frozenset({1})))
        qtbot.waitUntil(lambda n=new: name.text() == n, timeout=SETTLE_MS // 2)
    rows[1] = replace(rows[1], name="Ada 4")
    context.hub.publish_work(ChangeNotice(entities=frozenset({1})))
    qtbot.wait(SETTLE_MS // 4)
    assert name.text() == "Ada 3"
    qtbot.waitUntil(lambda: name.text() == "Ada 4", timeout=3 * SETTLE_MS)


def test_a_merged_name_is_followed_to_the_one_that_replaced_it(
    qtbot, context, screen, show
) -> None:
    for entity_id in (9, 8, 1):
        show(entity_id)
    reader = context.library_reader
    gone = reader.entities.pop(1)
    reader.entities[8] = replace(reader.entities[8], name=gone.name)
    reader.find_by_names = lambda names: 8 if gone.name in names else None
    context.hub.publish_edit(ChangeNotice(entities=frozenset({1, 8})))
    qtbot.waitUntil(lambda: screen.loader.card is not None and screen.loader.card.row.id == 8)
    assert screen.pages.currentWidget() is screen.page and screen.entity_id == 8
    screen.go_back()  # not to the same name once more
    qtbot.waitUntil(lambda: screen.loader.card.row.id == 9)


def test_a_long_list_is_filled_as_far_as_it_is_seen_and_the_rest_soon_after(qtbot, context) -> None:
    quotes = [Quote(QUOTE, text=f"Row {n}. " * 9) for n in range(400)]
    made: list[int] = []

    def give():
        for n, quote in enumerate(quotes):
            made.append(n)
            yield quote

    shown = QuoteList(context.theme, "Connections")
    qtbot.addWidget(shown)
    shown.resize(400, 10)
    shown.fill(give())
    assert len(shown.quotes) == len(made) == FIRST_ROWS
    qtbot.waitUntil(lambda: len(shown.quotes) == 400)
    filled = [shown.row_rect(n) for n in range(400)]
    shown.set_quotes(quotes)
    assert filled == [shown.row_rect(n) for n in range(400)]
    shown.fill(give())
    shown.set_quotes(quotes[:3])  # ends the filling
    qtbot.wait(30)
    assert shown.quotes == quotes[:3]


def test_a_narrow_screen_shows_the_list_or_the_page(qtbot, screen, show) -> None:
    screen.resize(500, 700)
    assert screen.names.isVisible() and not screen.right.isVisible()
    show(1)
    assert screen.right.isVisible() and not screen.names.isVisible()
    screen.show_names()
    assert screen.names.isVisible()


def test_an_empty_library_shows_an_explanation(qtbot, empty_context) -> None:
    empty_context.library_reader.top_entities = lambda **_: []
    made = EntityScreen(empty_context)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: made.names.pages.currentWidget() is made.names.empty)
    assert made.names.empty.title.text() == "No names yet"


def test_names_beginning_with_the_filter_come_first() -> None:
    model = NamesModel()
    model.set_rows(
        [EntityRow(1, "Mrs Vane", "person", 9, 9, 1), EntityRow(2, "Vane Hall", "place", 1, 1, 1)]
    )
    model.set_filter(text="van")
    assert [model.index(i).data() for i in range(2)] == ["Vane Hall", "Mrs Vane"]


def test_names_that_read_the_same_say_their_story() -> None:
    model = NamesModel()
    stories = ["Pride and Prejudice", "Frankenstein"]
    model.set_rows(
        [
            EntityRow(i, "Elizabeth", "person", 9, 9, 1, story=title)
            for i, title in enumerate(stories)
        ]
    )
    for i, title in enumerate(stories):
        assert title in model.index(i).data(Qt.ItemDataRole.AccessibleTextRole)
        assert title in model.index(i).data(Qt.ItemDataRole.ToolTipRole)


def test_a_changed_name_that_keeps_its_place_is_only_repainted(qtbot) -> None:
    model = NamesModel()
    rows = [EntityRow(i, f"Name {i}", "person", 9, 9 - i, 1) for i in range(4)]
    model.set_rows(rows)
    changed: list[int] = []
    model.dataChanged.connect(lambda first, last: changed.extend((first.row(), last.row())))
    with qtbot.assertNotEmitted(model.modelReset):
        model.change_rows({2}, [replace(rows[2], type="place")])
    assert changed == [2, 2] and model.rows[2].type == "place"
    with qtbot.assertNotEmitted(model.modelReset):
        model.change_rows({2}, [])
    assert [row.id for row in model.rows] == [0, 1, 3] and model.rowCount() == 3


def test_a_changed_name_is_found_without_looking_at_all_others(monkeypatch) -> None:
    model = NamesModel()
    rows = [EntityRow(i, f"Name {i}", "person", 1, 5_000 - i, 1) for i in range(5_000)]
    model.set_rows(rows)
    n_ranked = 0
    rank = NamesModel._rank

    def count(self: NamesModel, row: EntityRow) -> tuple:
        nonlocal n_ranked
        n_ranked += 1
        return rank(self, row)

    monkeypatch.setattr(NamesModel, "_rank", count)
    model.change_rows({9, 4_000}, [replace(rows[4_000], n_relations=9_000, type="place")])
    assert [row.id for row in model.rows[:11]] == [4_000, *range(9), 10]
    assert model.count_types() == {"person": 4_998, "place": 1} and model.n_all == 4_999
    assert (model.find_row(4_000), model.find_row(9), model.find_row(12)) == (0, -1, 12)
    assert n_ranked < 200


@pytest.mark.parametrize("text", ["", "na"])
@pytest.mark.parametrize("sort", ["relations", "mentions", "name"])
def test_names_that_change_are_sorted_as_the_whole_list(qtbot, sort, text) -> None:
    choice = random.Random(f"{sort}{text}")

    def make(i: int) -> EntityRow:
        name = f"{choice.choice(['Name', 'An', 'Anna'])} {choice.randrange(99)}"
        type_ = choice.choice(["person", "place"])
        return EntityRow(i, name, type_, choice.randrange(9), choice.randrange(9), 1)

    model = NamesModel()
    view = RowList(model, NameDelegate(Theme("light"), model), "Names")
    qtbot.addWidget(view)
    model.set_rows([make(i) for i in range(40)])
    model.set_sort(sort)
    model.set_filter(text=text)
    for _round in range(60):
        view.select_row(choice.randrange(9))
        selected = view.currentIndex().data(ROW_ROLE).id
        ids = {choice.randrange(44) for _ in range(3)}
        model.change_rows(ids, [make(i) for i in ids if i % 5])
        now = model.find_row(selected)
        if now >= 0 and selected not in ids:
            assert view.currentIndex().row() == now
        keys = [model._rank(row) for row in model.rows]
        assert keys == sorted(keys) and model.rowCount() == len(keys)
        expected = NamesModel()
        expected.set_rows(model._all.values())
        expected.set_sort(sort)
        expected.set_filter(text=text)
        assert {row.id for row in model.rows} == {row.id for row in expected.rows}
        assert {*model.rows} == {*expected.rows}


def test_connections_are_sorted_by_the_number_that_is_shown(qtbot, context, screen, show) -> None:
    true_fetch = context.library_reader.fetch_relations
    context.library_reader.fetch_relations = lambda *a: [
        replace(relation, n_evidence=1 + k * 7 % 5) for k, relation in enumerate(true_fetch(*a))
    ]
    show(8)
    counts = [int(quote.count.split()[0]) for quote in screen.page.relations.quotes]
    assert len(set(counts)) > 1 and counts == sorted(counts, reverse=True)


def test_rename_type_and_merge_are_open_buttons(qtbot, screen, show) -> None:
    show(1)
    head, menu = screen.page.head, screen.corrections.popup
    assert all(
        button.isVisible() and button.text()
        for button in (head.rename_button, head.type_button, head.merge_button)
    )
    head.rename_button.click()
    assert head.name_edit.isVisible() and head.name_edit.text() == "Ada Merrow"
    head.name_edit.hide()
    head.type_button.click()
    assert menu.isVisible() and "Place" in {action.text() for action in menu.actions()}
    menu.close()
    head.merge_button.click()
    qtbot.waitUntil(lambda: screen.corrections.menu.sheet is not None)
    assert isinstance(screen.corrections.menu.sheet, PickEntityDialog)
    screen.corrections.menu.sheet.reject()


def test_an_ampersand_in_a_name_is_shown_in_the_last_change(qtbot, screen, show) -> None:
    show(1)
    what = Message("Rename “{name}” to “{new}”", name="Ada", new="Ada & Co")
    screen.page.belonging.set_history([HistoryRow(1, what, 0.0, undone=False)])
    assert "“Ada && Co”" in screen.page.belonging.history.text(), "one & would mark a key"


def find_overlaps(page: EntityPage) -> list[tuple[str, str]]:
    """Return the sections of a page that stand over the one before, or beyond its end."""
    sections = [
        page.head, page.sources_title, page.sources, page.spread_title, page.spread,
        page.belonging, page.tabs, page.relations, page.more_relations,
    ]  # fmt: skip
    rects = [
        (type(one).__name__, QRect(one.mapTo(page.body, QPoint()), one.size()))
        for one in sections
        if not one.isHidden()
    ]
    rects.append(("end", QRect(0, page.body.height(), 1, 1)))
    return [
        (above, below)
        for (above, first), (below, second) in pairwise(rects)
        if second.top() <= first.bottom()
    ]


def test_a_page_is_laid_out_as_soon_as_a_part_of_it_is_shown(qtbot, context, screen, show) -> None:
    show(2)  # another page was there before, with other heights
    true_get, true_fetch = context.library_reader.get_entity, context.library_reader.fetch_relations

    def get(entity_id: int):
        card = true_get(entity_id)
        many = [replace(card.description_evidence[0], sentence="Ada rowed over. " * 9)] * 4
        more = replace(card.row, n_relations=500)
        return replace(card, row=more, description_evidence=many)

    context.library_reader.get_entity = get
    context.library_reader.fetch_relations = lambda *a: [
        replace(true_fetch(*a)[0], id=number, sentence="Ada saw Tom at the ferry. " * 5)
        for number in range(60)
    ]
    context.library_reader.list_communities_of = lambda _: [
        CommunityMembership(number, number, f"Group {number}", 90 - number, ("Tom",))
        for number in range(6)
    ]
    seen: list[list[tuple[str, str]]] = []
    true_settle = screen.page.settle

    def settle() -> None:
        true_settle()
        seen.append(find_overlaps(screen.page))
        if screen.page.head.name.text() == "Ada Merrow":
            assert screen.page.relations.quotes, "the connections come with the head"

    screen.page.settle = settle
    screen.page.relations.filled.connect(settle)
    show(1)
    qtbot.waitUntil(lambda: len(screen.page.relations.quotes) == 60)
    assert len(seen) >= 8 and not any(seen), "no event of the layout has run in between"
    assert len(screen.page.belonging.communities) == 1, "those inside it come on request"


@pytest.mark.parametrize(
    ("n_passages", "names"),
    [
        ((5, 3, 3, 3), "A"),  # B and C have no more than D, which has no room
        ((1, 4, 3, 9, 2), "D, B, C"),
        ((4, 3), "A, B"),
        ((5, 5, 5, 5), ""),
        ((2, 1), ""),  # two passages are too few
        ((), ""),
    ],
)
def test_only_names_that_stand_out_are_listed_as_often_named_with_one(n_passages, names) -> None:
    relations = [
        RelationRow(n, 100, n, "Ottilie", "ABCDE"[n], 1.0, n_evidence)
        if n % 2
        else RelationRow(n, n, 100, "ABCDE"[n], "Ottilie", 1.0, n_evidence)
        for n, n_evidence in enumerate(n_passages)
    ]
    expected = f"Most often named together with {names}." if names else ""
    assert describe_company(relations, 100) == expected


def test_the_button_of_the_description_has_its_icon_or_its_frame_in_line_with_the_text(
    screen, show, context, qapp
):
    show(1)
    page = screen.page
    edge = page.spread_title.x() + PAD_X
    assert page.describe_button.x() == edge - PAD_X
    context.theme.set_contrast("on")
    context.theme.apply(qapp)
    page.settle()
    assert page.describe_button.x() == edge
    above = (one for one in (page.head, page.company, page.sources) if one.isVisible())
    assert page.describe_button.y() - max(one.geometry().bottom() for one in above) > 8


def test_communities_inside_the_largest_one_are_listed_on_request(
    context, screen, show, qtbot
) -> None:
    """Six links with nearly the same names stood on the page of a main character."""
    context.library_reader.list_communities_of = lambda _: [
        CommunityMembership(number, number, f"Group {number}", 90 - number, ("Tom",))
        for number in range(6)
    ]
    show(1)
    belonging = screen.page.belonging
    qtbot.waitUntil(lambda: len(belonging.communities) == 1)
    assert belonging.more.text() == "Show 5 communities inside it"
    before = belonging.height()
    belonging.more.click()
    assert [link.text() for link in belonging.communities][:2] == [
        "Group 0 (90 names)",
        "Group 1 (89 names)",
    ]
    assert belonging.height() > before and not find_overlaps(screen.page)
    indents = [link.mapTo(belonging, QPoint(0, 0)).x() for link in belonging.communities]
    assert indents == sorted(set(indents)), "each level stands further to the right"
    assert belonging.more.text() == "Fewer"
    belonging.more.click()
    assert len(belonging.communities) == 1


def test_quotations_name_their_document_in_the_order_of_the_text(context, screen, show) -> None:
    true_get = context.library_reader.get_entity

    def get(entity_id: int):
        card = true_get(entity_id)
        mentions = context.library_reader.fetch_mentions(entity_id)
        return replace(card, description_evidence=tuple(reversed(mentions[:3])))

    context.library_reader.get_entity = get
    show(1)
    places = [quote.place for quote in screen.page.sources.quotes]
    assert len(places) > 1 and places == sorted(places)
    title = context.library_reader.documents[places[0][0] - 1].title
    assert screen.page.sources.quotes[0].foot.startswith(title)
    context.library_reader.has_several_documents = lambda: False
    show(2)
    show(1)
    assert not screen.page.sources.quotes[0].foot.startswith(title)


def test_the_chosen_name_is_scrolled_to_the_middle_of_the_list(context, screen, qtbot) -> None:
    first = context.library_reader.entities[1]
    rows = [replace(first, id=number, name=f"Name {number:03}") for number in range(1, 200)]
    screen.names.set_rows(rows)
    view = screen.names.list
    wanted = screen.names.model.rows[120].id
    screen.names.select(wanted)
    at = view.visualRect(screen.names.model.index(120)).center().y()
    assert (
        abs(at - view.viewport().height() / 2) < 2 * view.visualRect(view.currentIndex()).height()
    )
    before = view.verticalScrollBar().value()
    screen.names.select(screen.names.model.rows[122].id)
    assert view.verticalScrollBar().value() == before, "what is in view does not move"


def test_a_strip_of_mentions_uses_the_width_and_marks_chapters(qtbot, context) -> None:
    chart = SpreadChart(context.theme)
    qtbot.addWidget(chart)
    chart.resize(560, 40)
    chart.set_spread([(1, "Dracula", [0.1, 0.9])])
    assert chart.strip_rect(0).width() > 0.8 * chart.width()
    plain = chart.grab().toImage()
    chapters = [(number / 20, f"Chapter {number}") for number in range(20)]
    chart.set_spread([(1, "Dracula", [0.1, 0.9])], {1: chapters})
    strip, marked = chart.strip_rect(0), chart.grab().toImage()

    def count_changed(y: int) -> int:
        return sum(plain.pixel(x, y) != marked.pixel(x, y) for x in range(chart.width()))

    end = round(strip.bottom())
    assert [count_changed(end + down) for down in (0, 1, 2, 3, 4)] == [0, 0, 0, 20, 20]
    assert chart._find_chapter(1, 0.12) == "Chapter 2"
    assert find_step(20, 450) == 1 and find_step(120, 450) == 5


def test_the_order_of_the_names_has_its_words_or_only_the_room_of_its_icon(qtbot, screen) -> None:
    screen.resize(1200, 700)
    names = screen.names
    assert names.width() == LIST_WIDTH
    for width, count, has_words in (
        (LIST_WIDTH, "12 of 20,000", True),
        (260, "20,000", False),
        (LIST_WIDTH, "2,950", True),
    ):
        names.setFixedWidth(width)
        names.n_names.setText(count)
        names.resizeEvent(QResizeEvent(names.size(), names.size()))
        QApplication.processEvents()
        button = names.sort_button
        assert button.text() == ("by connections" if has_words else "")
        assert button.width() == button.sizeHint().width(), "no gap is left where words were"
        assert button.accessibleName() == "by connections"


def test_mentions_whose_ticks_would_touch_are_shown_by_their_density() -> None:
    even = np.linspace(0, 1, 40)
    assert not is_dense(even, 300) and not is_dense(np.array([0.5]), 300)
    rng = np.random.default_rng(1)
    places = np.sort(np.concatenate((rng.uniform(0.2, 0.4, 3_000), rng.uniform(0.5, 1, 1_000))))
    assert is_dense(places, 300)
    shares = measure_density(places, 300)
    assert len(shares) == 60 and shares.max() == 1 and not shares[:12].any()
    assert 0 < shares[30:].mean() < 0.5 < shares[12:24].mean()


def test_a_chart_of_thousands_of_mentions_is_darker_where_there_are_more(qtbot, context) -> None:
    chart = SpreadChart(context.theme)
    qtbot.addWidget(chart)
    chart.resize(600, 40)
    rng = np.random.default_rng(2)
    few, many = rng.uniform(0.0, 0.5, 600), rng.uniform(0.5, 1.0, 6_000)
    chart.set_spread([(1, "水浒传", [*few.tolist(), *many.tolist()])])
    image, strip = chart.grab().toImage(), chart.strip_rect(0)

    def darkness(share: float) -> int:
        left = round(strip.left() + share * strip.width())
        column = [QPoint(left + x, y) for x in range(12) for y in range(chart.height())]
        ratio = image.devicePixelRatio()
        return sum(255 - image.pixelColor(point * ratio).lightness() for point in column)

    assert 0 < darkness(0.25) < darkness(0.75)
    with qtbot.waitSignal(chart.tick_clicked) as clicked:
        point = QPoint(round(strip.left() + 0.3 * strip.width()), round(strip.center().y()))
        qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=point)
    assert clicked.args[0] == 1 and abs(clicked.args[1] - 0.3) < 0.02


def test_communities_that_are_computed_later_come_to_the_page(qtbot, context, screen, show) -> None:
    show(1)
    assert not screen.page.belonging.communities
    rows = [CommunityMembership(4, 0, "The ferry", 9, ("Tom",))]
    context.library_reader.list_communities_of = lambda _: rows
    context.hub.publish_edit(ChangeNotice(communities=frozenset({4})))
    qtbot.waitUntil(lambda: len(screen.page.belonging.communities) == 1)
    assert screen.page.belonging.communities[0].text() == "The ferry (9 names)"
    assert not find_overlaps(screen.page)


@pytest.mark.parametrize(
    ("mode", "text", "is_paler"),
    [
        ("dark", "行者却将师父的衣服穿了", True),
        ("light", "行者却将师父的衣服穿了", False),
        ("dark", "Clara wound the clock.", False),
    ],
)
def test_chinese_serif_type_is_paler_around_bold_names_in_a_dark_theme(
    mode, text, is_paler, monkeypatch
):
    monkeypatch.setattr(quote_list, "PREFERS_BUNDLED", True)  # where FreeType draws text
    theme = Theme(mode)
    marked = Quote(RELATION, text=text, marks=((0, 2),))
    plain = Quote(QUOTE, text=text, marks=((0, 2),))
    lightest = {}
    for quote in (marked, plain):
        canvas = QImage(400, 80, QImage.Format.Format_RGB32)
        canvas.fill(theme.color("bg"))
        look = quote_list.QuotePainter(theme)
        top = look.head if quote is marked else 0
        with QPainter(canvas) as painter:
            look.paint(painter, QRect(0, -top, 400, 80), quote)
        # right of the two marked characters
        shades = [canvas.pixelColor(x, y).lightness() for x in range(60, 160) for y in range(32)]
        lightest[quote.kind] = max(abs(s - theme.color("bg").lightness()) for s in shades)
    assert (lightest[RELATION] < 0.85 * lightest[QUOTE]) == is_paler
