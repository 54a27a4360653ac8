"""Enrichment on the library screen: instant, enriched and failed documents."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from desktop_app.engine.changes import ChangeNotice
from desktop_app.ui.library.screen import LibraryScreen
from desktop_app.ui.library.table_model import ENRICHED, SHARE_ROLE
from desktop_app.ui.library.words import describe_enrichment
from desktop_app.ui.widgets import Label
from tests.ui.fake_enrichment import sample_enrichment
from tests.ui.fakes import FakeContext, sample_documents


@pytest.fixture
def screen(context: FakeContext, qtbot) -> LibraryScreen:
    made = LibraryScreen(context)
    made.resize(1220, 760)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: not made.is_loading and bool(made.enrichment.by_document))
    return made


def cell(screen: LibraryScreen, document_id: int, role=Qt.ItemDataRole.DisplayRole):
    return screen.model.index(screen.model.place_of(document_id), ENRICHED).data(role)


def facts(widget) -> str:
    return " | ".join(label.text() for label in widget.findChildren(Label) if label.isVisible())


def test_every_enrichment_state_has_a_text():
    row = sample_documents(time.time())[0]
    found = sample_enrichment()
    words = {i: describe_enrichment(row, one).text for i, one in found.items()}
    assert words == {1: "Enriched", 2: "Waiting", 4: "56%", 8: "Not yet"}
    stopped = replace(found[4], n_waiting=0)
    assert describe_enrichment(row, stopped).text == "56%, 3 failed"
    assert describe_enrichment(row, replace(stopped, n_enriched=0)).text == "3 failed"
    assert describe_enrichment(replace(row, state="indexing"), found[4]).text == ""


def test_the_list_shows_instant_and_enriched_documents(screen):
    assert [cell(screen, i) for i in (1, 2, 3, 4, 8)] == [
        "Enriched", "Waiting", "", "56%", "Not yet",
    ]  # fmt: skip
    assert cell(screen, 4, SHARE_ROLE) == pytest.approx(34 / 60)
    assert cell(screen, 1, SHARE_ROLE) is None


def test_the_inspector_shows_costs_and_failures(screen, qtbot):
    screen.list.select(4)
    panel = screen.list.inspector.enrichment
    qtbot.waitUntil(lambda: "repeated" in facts(panel))
    shown_text = facts(panel)
    assert (
        "34 of 60 passages" in shown_text and "91,400" in shown_text and "reader-4b" in shown_text
    )
    assert "No results | 5" in shown_text
    assert panel.retry_button.isVisible() and panel.stop_button.isVisible()
    with qtbot.waitSignal(screen.enrich_retry_wanted) as asked:
        panel.retry_button.click()
    assert asked.args == [[4]]


def test_a_failed_passage_opens_in_the_document(screen, qtbot):
    screen.list.select(4)
    panel = screen.list.inspector.enrichment
    qtbot.waitUntil(lambda: panel.failures.count() > 0)
    link = panel.failures.itemAt(1).widget()
    assert link.text() == "Passage 4 · Marley's Ghost"
    with qtbot.waitSignal(screen.open_passage) as opened:
        link.click()
    assert opened.args == [4, 6_000, 7_900]


def test_an_instant_document_shows_what_enrichment_adds(screen, qtbot):
    screen.list.select(8)
    panel = screen.list.inspector.enrichment
    assert "without a model" in panel.enrich_button.toolTip() and panel.facts.isHidden()
    assert not panel.retry_button.isVisible()
    with qtbot.waitSignal(screen.enrich_wanted) as asked:
        panel.enrich_button.click()
    assert asked.args == [[8]]


def test_a_waiting_document_can_be_prioritised_or_stopped(screen, qtbot):
    screen.list.select(2)
    panel = screen.list.inspector.enrichment
    with qtbot.waitSignal(screen.enrich_now_wanted) as asked:
        panel.now_button.click()
    assert asked.args == [[2]]
    with qtbot.waitSignal(screen.enrich_stop_wanted) as asked:
        panel.stop_button.click()
    assert asked.args == [[2]]


def test_an_unread_document_has_no_enrichment(screen):
    screen.list.select(3)
    assert not screen.list.inspector.enrichment.isVisible()


def enrich_all(screen) -> None:
    menu = screen.build_more_menu()
    next(a for a in menu.actions() if a.text() == "Enrich all…").trigger()
    menu.deleteLater()


def test_counts_of_several_documents_are_summed(screen, qtbot):
    screen.list.table.selectAll()
    panel = screen.list.inspector.enrichment
    qtbot.waitUntil(lambda: "36 of 124 passages" in facts(panel))
    with qtbot.waitSignal(screen.enrich_wanted) as asked:
        panel.enrich_button.click()
    assert set(asked.args[0]) == {1, 2, 4, 8}
    with qtbot.waitSignal(screen.enrich_wanted) as asked:
        enrich_all(screen)
    assert asked.args == [[]]


def test_without_a_selection_the_whole_library_is_summarised(screen, qtbot):
    with qtbot.waitSignal(screen.enrich_wanted) as asked:
        enrich_all(screen)
    assert asked.args == [[]]


def test_the_menu_matches_the_enrichment_state(screen):
    def words(document_id: int) -> set[str]:
        screen.list.select(document_id)
        menu = screen.build_document_menu(screen.list.selected_rows())
        return {action.text() for action in menu.actions()}

    assert {"Enrich…", "Enrich now", "Stop enriching", "Retry failed passages"} <= words(4)
    assert "Stop enriching" not in words(8)
    assert "Enrich…" not in words(3)


def test_new_counts_reach_the_list_and_the_inspector(screen, context, qtbot):
    screen.list.select(2)
    enrichment = context.enrichment
    enrichment.by_document = enrichment.by_document | {
        2: replace(enrichment.by_document[2], n_enriched=2, n_waiting=0)
    }
    context.hub.publish_edit(ChangeNotice(documents=frozenset({1})))
    qtbot.waitUntil(lambda: cell(screen, 2) == "Enriched")
    qtbot.waitUntil(lambda: "2 of 2 passages" in facts(screen.list.inspector.enrichment))
