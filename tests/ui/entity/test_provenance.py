"""Provenance on the entity screen: instant graph, chat model, rejected names."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.model import MentionRow
from desktop_app.engine.services.provenance import ClaimRow, EntityProvenance, RejectedName
from desktop_app.ui.editing.dialogs import TextDialog
from desktop_app.ui.entity.page import CLAIMS
from desktop_app.ui.entity.quotes import CLAIM
from desktop_app.ui.widgets.provenance import describe_description_source, describe_type_source
from tests.ui.fakes import FakeContext

LIN = 8
MODEL = "tiny-model"


def enrich(context: FakeContext, **more) -> list[str]:
    """Let a model describe the first half of a name's connections; return their kinds."""
    library_reader = context.library_reader
    true_fetch = library_reader.fetch_relations
    kinds = ["family", "friend", "family", "their own word"]

    def fetch(entity_id: int, limit: int = 100):
        rows = true_fetch(entity_id, limit)
        return [
            replace(r, kind=kinds[i], n_enriched=1, confidence=0.9) if i < len(rows) // 2 else r
            for i, r in enumerate(rows)
        ]

    library_reader.fetch_relations = fetch
    enriched = [r.kind for r in fetch(LIN) if r.kind]
    counts = tuple((kind, enriched.count(kind)) for kind in dict.fromkeys(enriched))
    rest = len(fetch(LIN)) - len(enriched)
    standing = EntityProvenance(
        "model", "model", 0.8, (MODEL,), (), 40, 12, 9, (*counts, ("", rest)), len(enriched)
    )
    library_reader.describe_provenance = lambda entity_id: replace(standing, **more)
    return enriched


def test_a_page_of_the_instant_graph_says_that_no_model_read_it(qtbot, screen, show) -> None:
    show(LIN)
    head = screen.page.head
    assert head.source.text() == "Quoted" and head.sureness.isHidden()
    assert "not described by a model" in head.source.toolTip() and head.standing.isHidden()
    assert screen.page.kinds.isHidden()  # nothing to filter by
    assert {q.mark for q in screen.page.relations.quotes} == {""}


def test_a_page_states_how_many_passages_its_description_is_from(
    qtbot, context, screen, show
) -> None:
    enrich(context)
    show(LIN)
    head = screen.page.head
    assert head.source.text() == "By a model" and head.sureness.isVisible()
    assert "12 of 40 passages, by tiny-model" in head.standing.full_text()
    assert "sure" in head.chip.toolTip() and "9 passages" in head.chip.toolTip()


def test_the_page_offers_to_write_a_description_and_to_edit_ones_own(
    qtbot, context, screen, show
) -> None:
    show(LIN)
    button = screen.page.describe_button
    assert button.isVisible() and button.text() == "Write your own description"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    def find_dialogs() -> list[TextDialog]:
        return [w for w in QApplication.topLevelWidgets() if isinstance(w, TextDialog)]

    qtbot.waitUntil(lambda: bool(find_dialogs()))
    find_dialogs()[0].reject()
    context.library_reader.describe_provenance = lambda entity_id: EntityProvenance("hand")
    screen.refresh()
    qtbot.waitUntil(lambda: button.text() == "Edit your description")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("hand", "by you"),
        ("import", "imported from LightRAG"),
        ("quote", "not described by a model"),
    ],
)
def test_the_source_of_a_description_is_shown(source: str, words: str) -> None:
    standing = EntityProvenance(source, origins=("LightRAG",))
    assert words in describe_description_source(standing)
    assert "person" in describe_type_source(replace(standing, type_from="hand"), "person")


def test_connections_show_their_kind_and_whether_they_are_instant(
    qtbot, context, screen, show
) -> None:
    enriched = enrich(context)
    show(LIN)
    quotes = screen.page.relations.quotes
    assert [q.relation_kind for q in quotes if q.relation_kind] == enriched and enriched
    assert {q.mark for q in quotes if not q.relation_kind} == {"without a model"}
    assert all(q.confidence == 0.9 for q in quotes if q.relation_kind)
    assert not screen.page.relations.grab().isNull()
    assert "family" in quotes[0].mark_tip and "sure" in quotes[0].mark_tip


def test_connections_are_filtered_by_kind_and_by_what_a_model_confirmed(
    qtbot, context, screen, show
) -> None:
    enriched = enrich(context)
    show(LIN)
    page = screen.page
    n_all = len(page.relations.quotes)
    page.kinds.confirmed.click()
    assert len(page.relations.quotes) == len(enriched) < n_all
    page.kinds.toggles["family"].click()
    assert {q.relation_kind for q in page.relations.quotes} == {"family"}
    page.kinds.toggles["family"].click()
    page.kinds.toggles[""].click()
    assert not page.relations.quotes and page.nothing.text() == "No connections of this kind."
    show(2)
    assert not page.kinds.is_set and page.relations.quotes


def test_a_filter_loads_the_remaining_connections(qtbot, context, screen, show) -> None:
    enrich(context)
    rows = context.library_reader.entities
    rows[LIN] = replace(rows[LIN], n_relations=rows[LIN].n_relations + 1)
    show(LIN)
    asked = []
    screen.page.all_relations_wanted.connect(lambda: asked.append(True))
    screen.page.kinds.confirmed.click()
    assert asked == [True]


def test_the_description_by_a_model_is_above_the_quoted_sentence(
    qtbot, context, screen, show
) -> None:
    true_fetch = context.library_reader.fetch_relations
    context.library_reader.fetch_relations = lambda *a: [
        replace(r, description="They are friends of old.") for r in true_fetch(*a)
    ]
    show(LIN)
    quote = screen.page.relations.quotes[0]
    assert quote.summary == "They are friends of old." and quote.text
    height = screen.page.relations.row_rect(0).height()
    screen.page.relations.set_quotes([replace(quote, summary="")])
    assert height > screen.page.relations.row_rect(0).height()


def test_claims_have_a_tab_if_there_are_any_and_open_their_passage(
    qtbot, context, screen, show
) -> None:
    show(2)
    assert not screen.page.tabs.isTabVisible(CLAIMS)
    claim = ClaimRow(
        "Ada Merrow", "", "debt", "suspected", "1871", "", "She owes.", "Ada owes a penny.",
        1, "The Ferry", 20, 37, "4",
    )  # fmt: skip
    context.library_reader.fetch_claims = lambda entity_id, limit=200: [claim]
    show(LIN)
    page = screen.page
    assert page.tabs.isTabVisible(CLAIMS) and page.tabs.tabText(CLAIMS) == "Claims  1"
    page.tabs.setCurrentIndex(CLAIMS)
    quote = page.claims.quotes[0]
    assert (quote.kind, quote.title, quote.detail) == (CLAIM, "debt", "suspected · 1871")
    with qtbot.waitSignal(screen.open_passage) as opened:
        point = page.claims.row_rect(0).topLeft() + QPoint(40, 60)
        qtbot.mouseClick(page.claims, Qt.MouseButton.LeftButton, pos=point)
    assert opened.args == [1, 20, 37]


def test_the_shown_name_can_be_enriched(qtbot, screen, show) -> None:
    show(8)
    actions = {a.text(): a for a in screen.page.head.actions_menu.actions()}
    with qtbot.waitSignal(screen.enrich_entity_wanted) as asked:
        actions["Enrich this now"].trigger()
    assert asked.args == [8]


def test_rejected_names_are_listed_and_can_be_kept(qtbot, context, screen) -> None:
    assert screen.names.rejected.isHidden()
    place = MentionRow(1, "The Ferry", 1, "Monday", 40, 46, "On Monday it rained.", 37)
    rejected = [RejectedName("Monday", 4, 2, 3, (MODEL,), place), RejectedName("Sir", 2, 1, 1)]
    kept: list[str] = []

    def keep(name: str) -> ChangeNotice:
        kept.append(name)
        rejected[:] = [one for one in rejected if one.name != name]
        return ChangeNotice(entities=frozenset({1}))

    context.library_reader.list_rejected_names = lambda: list(rejected)
    context.editing = SimpleNamespace(keep_name=keep, undo=lambda: (None, ChangeNotice()))
    screen.load_names()
    qtbot.waitUntil(screen.names.rejected.isVisible)
    assert screen.names.rejected.text() == "2 names rejected by the model"
    screen.names.rejected.click()
    assert screen.pages.currentWidget() is screen.rejected
    screen.rejected.buttons["Monday"].click()
    qtbot.waitUntil(lambda: list(screen.rejected.buttons) == ["Sir"])
    assert kept == ["Monday"] and context.messages.last.action_text == "Undo"
    screen.rejected.buttons["Sir"].click()
    qtbot.waitUntil(lambda: screen.pages.currentWidget() is screen.nothing)
    assert screen.names.rejected.isHidden()


def test_back_returns_from_rejected_names_to_the_page(qtbot, screen, show) -> None:
    show(LIN)
    screen.show_rejected()
    assert screen.back_button.isEnabled()
    screen.go_back()
    qtbot.waitUntil(lambda: screen.pages.currentWidget() is screen.page)
    assert screen.entity_id == LIN and not screen.back_button.isEnabled()


def test_picking_a_name_closes_the_rejected_names(qtbot, context, screen, show) -> None:
    show(LIN)
    context.library_reader.list_rejected_names = lambda: [RejectedName("Sir", 2, 1, 1)]
    screen.load_names()
    qtbot.waitUntil(screen.names.rejected.isVisible)
    screen.show_rejected()
    context.hub.publish_edit(ChangeNotice(entities=frozenset({LIN})))
    screen.refresh()
    qtbot.waitUntil(lambda: context.reader_lane.n_jobs == 0)
    assert screen.pages.currentWidget() is screen.rejected  # it is open, so it stays
    show(LIN)
    qtbot.waitUntil(lambda: screen.pages.currentWidget() is screen.page)
