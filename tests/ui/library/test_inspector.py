"""The panel of the selected document: top names, what the user gave to it, and its file last."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from desktop_app.engine.changes import ChangeNotice
from desktop_app.ui.library.selection import SelectionPanel
from desktop_app.ui.library.words import choose_top_names
from desktop_app.ui.widgets import Label
from desktop_app.ui.widgets.layout import CopiedFact
from tests.ui.fakes import FakeContext
from tests.ui.library.test_collections import places


def facts(widget) -> list[str]:
    return [label.text() for label in widget.findChildren(Label) if label.isVisible()]


def named_documents(context: FakeContext) -> list[int]:
    """Return the documents that have names in the fake library and say so."""
    reader = context.library_reader
    rows = [row for row in reader.documents if row.n_entities]
    return [row.id for row in rows if reader.entities_of_document(row.id, 1)]


def test_the_top_names_of_a_document_are_chips_that_open_them(screen, context, qtbot):
    document_id = named_documents(context)[0]
    names = choose_top_names(context.library_reader.entities_of_document(document_id, 16), 8)
    screen.list.select(document_id)
    panel = screen.list.inspector.top_names
    qtbot.waitUntil(lambda: [chip.text() for chip in panel.rows] == [r.name for r in names])
    assert panel.isVisible() and panel.unit.text() == "Mentions"
    assert panel.rows[0].toolTip() == f"{names[0].name} · {names[0].n_mentions:,} mentions"
    with qtbot.waitSignal(screen.open_entity) as opened:
        panel.rows[0].click()
    assert opened.args == [names[0].id]
    screen.list.select(*named_documents(context), 1)
    assert panel.isHidden()


def test_without_a_selection_the_panel_shows_the_top_names_of_the_library(screen, context, qtbot):
    panel = screen.list.inspector.top_names
    screen.list.table.clearSelection()
    best = choose_top_names(context.library_reader.top_entities(16), 8)
    names = [row.name for row in sorted(best, key=lambda row: -row.n_mentions)]
    qtbot.waitUntil(lambda: [row.text() for row in panel.rows] == names and panel.isVisible())
    with qtbot.waitSignal(screen.open_entity):
        panel.rows[0].click()
    n_asked = context.library_reader.calls.count("top_entities")
    screen.list.show_selected()
    qtbot.wait(120)
    assert context.library_reader.calls.count("top_entities") == n_asked
    bare = next(row.id for row in context.library_reader.documents if not row.n_entities)
    screen.list.select(bare)
    assert panel.isHidden()
    screen.list.table.clearSelection()
    qtbot.waitUntil(lambda: [row.text() for row in panel.rows] == names and panel.isVisible())


def test_without_a_selection_the_panel_offers_to_read_on(screen, context, qtbot):
    rows = [row for row in context.library_reader.documents if row.state == "ready"][:3]
    screen.list.table.clearSelection()
    begun = screen.list.inspector.begun
    assert begun.isHidden()
    screen._show_read_shares({rows[0].id: 0.34, rows[1].id: 1.0})
    assert begun.isVisible()
    assert [button.toolTip() for button in begun.buttons] == [rows[0].title]
    assert "34%" in " ".join(label.text() for label in begun.findChildren(Label))
    with qtbot.waitSignal(screen.list.inspector.open_clicked) as opened:
        begun.buttons[0].click()
    assert opened.args == [rows[0].id]
    screen.list.select(rows[2].id)
    assert begun.isHidden()
    screen.list.select(rows[2].id, rows[1].id)
    assert begun.isHidden()


def test_a_document_without_names_shows_none(screen, context, qtbot):
    screen.list.select(named_documents(context)[0])
    qtbot.waitUntil(screen.list.inspector.top_names.isVisible)
    bare = next(row.id for row in context.library_reader.documents if not row.n_entities)
    screen.list.select(bare)
    assert screen.list.inspector.top_names.isHidden()


def test_the_query_is_not_repeated_for_each_change_of_the_list(screen, context, qtbot):
    screen.list.select(named_documents(context)[0])
    qtbot.waitUntil(lambda: bool(screen.list.inspector.top_names.rows))
    chip = screen.list.inspector.top_names.rows[0]
    n_asked = context.library_reader.calls.count("entities_of_document")
    for _ in range(5):
        screen.list.show_selected()
    qtbot.wait(120)
    assert context.library_reader.calls.count("entities_of_document") == n_asked
    context.hub.publish_edit(ChangeNotice(documents=frozenset({1})))
    qtbot.waitUntil(
        lambda: context.library_reader.calls.count("entities_of_document") == n_asked + 1
    )
    qtbot.wait(60)
    assert screen.list.inspector.top_names.rows[0] is chip  # the focus stays


def test_signs_and_cut_names_are_no_top_names(context):
    row = next(iter(context.library_reader.entities.values()))
    given = ["D̂", "Dˆ", "Answer 2 (LightRAG", "李", "RAG", "Li Wei (Paris)", "Ann", "Bo"]
    chosen = choose_top_names([replace(row, name=name, n_mentions=9) for name in given], 4)
    assert [row.name for row in chosen] == ["李", "RAG", "Li Wei (Paris)", "Ann"]


def test_names_with_few_mentions_are_left_out_unless_there_are_no_others(context):
    row = next(iter(context.library_reader.entities.values()))
    rows = [replace(row, name=f"Ann {n}", n_mentions=n) for n in (40, 3, 2, 1)]
    assert [row.n_mentions for row in choose_top_names(rows, 8)] == [40, 3]
    assert [row.n_mentions for row in choose_top_names(rows[2:], 8)] == [2, 1]


def test_a_chip_has_the_number_of_mentions_beside_the_name(screen, context, qtbot):
    document_id = named_documents(context)[0]
    screen.list.select(document_id)
    panel = screen.list.inspector.top_names
    qtbot.waitUntil(lambda: bool(panel.rows))
    chip, name = panel.rows[0], context.library_reader.entities_of_document(document_id, 1)[0]
    assert chip.count == f"{name.n_mentions:,}"
    with_count = chip.sizeHint().width()
    chip.count = ""
    assert chip.sizeHint().width() < with_count


def test_a_doi_is_copied_by_a_click_or_a_key(screen, context, qtbot):
    panel, row = screen.list.inspector, context.library_reader.get_document(4)
    panel.show_row(replace(row, doi="10.48550/arxiv.2410.05779"))
    link = panel.facts.findChild(CopiedFact)
    for act in (
        lambda: qtbot.mouseClick(link, Qt.MouseButton.LeftButton),
        lambda: qtbot.keyClick(link, Qt.Key.Key_Return),
    ):
        QApplication.clipboard().clear()
        act()
        assert QApplication.clipboard().text() == "10.48550/arxiv.2410.05779"


def test_values_of_the_user_and_of_the_file_begin_on_one_column(screen, context, qtbot):
    panel, row = screen.list.inspector, context.library_reader.get_document(4)
    panel.show_row(replace(row, doi="10.48550/arxiv.2410.05779", comment="for the course"))
    QApplication.processEvents()
    lefts = {
        shown.mapTo(panel, QPoint(0, 0)).x()
        for grid in (panel.facts, panel.file_facts)
        for _, shown in grid.rows
    }
    assert len(lefts) == 1


def test_collections_tags_and_progress_come_before_the_file(screen, context, qtbot):
    context.documents.edit_details([4], tags=["ghosts", "winter"])
    context.collections.create("Christmas", [4])
    screen.refresh()
    qtbot.waitUntil(lambda: "Christmas" in places(screen))
    screen.model.set_read_shares({4: 0.12})
    screen.list.select(4)
    panel = screen.list.inspector
    qtbot.waitUntil(lambda: "Christmas" in facts(panel.facts))
    assert "ghosts, winter" in facts(panel.facts)
    assert "pg46.epub" in str(facts(panel.file_facts))
    assert panel.read_words.text() == "12% read" and panel.read_line.isVisible()
    assert panel.facts.y() < panel.file_facts.y() < panel.enrichment.y()
    screen.list.select(1)
    assert "Christmas" not in facts(panel.facts) and panel.read_words.isHidden()


def test_a_cover_and_its_title_begin_on_one_line(screen, qtbot):
    screen.list.select(4)
    panel = screen.list.inspector
    assert panel.cover.y() == panel.title.y()


def test_a_chinese_bracket_without_room_has_a_line_of_its_own(screen, context):
    row = context.library_reader.get_document(4)
    panel = screen.list.inspector
    panel.show_row(replace(row, title="水浒传（楔子至第二十回）"))
    assert panel.title.text() == "水浒传\n（楔子至第二十回）"
    panel.show_row(replace(row, title="水浒传（上）"))
    assert panel.title.text() == "水浒传（上）"


def test_the_pages_of_several_documents_name_how_many_documents_have_pages(context, qtbot):
    panel = SelectionPanel(context.theme)
    qtbot.addWidget(panel)
    text, other = context.library_reader.list_documents()[:2]

    def shown() -> dict[str, str]:
        return {name.text(): value.text() for name, value in panel.facts.rows}

    paper, thesis = replace(text, n_pages=16), replace(other, n_pages=4)
    panel.show_rows([paper, replace(other, n_pages=0)])
    assert shown()["Pages"] == "16 (in 1 document)"
    panel.show_rows([paper, thesis])
    assert shown()["Pages"] == "20"
    panel.show_rows([replace(text, n_pages=0), replace(other, n_pages=0)])
    assert "Pages" not in shown()
