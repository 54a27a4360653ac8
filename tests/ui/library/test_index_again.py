"""Indexing documents again: options, estimate, queue."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLineEdit

from desktop_app.engine.text.chunking import ChunkingSettings
from desktop_app.ui.library.index_again import IndexAgainDialog
from desktop_app.ui.library.screen import LibraryScreen

USUAL = ChunkingSettings()


@pytest.fixture
def screen(context, qtbot) -> LibraryScreen:
    made = LibraryScreen(context)
    made.resize(1240, 700)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: not made.is_loading and bool(made.enrichment.by_document))
    return made


def open_sheet(context, n: int, cut, enriched: int, qtbot) -> IndexAgainDialog:
    sheet = IndexAgainDialog(context.theme, n, cut, USUAL, enriched)
    qtbot.addWidget(sheet)
    sheet.show()
    return sheet


def test_the_menu_opens_the_options_and_queues_the_selection(screen, context, qtbot):
    screen.list.table.selectAll()
    menu = screen.build_document_menu(screen.list.selected_rows())
    next(a for a in menu.actions() if a.text() == "Index again…").trigger()
    qtbot.waitUntil(lambda: screen.indexing.sheet is not None)
    sheet = screen.indexing.sheet
    assert sheet.title.text() == "Index 5 documents again"
    assert "36 passages are enriched" not in sheet.hint.text()  # nothing was changed yet
    sheet.form.rows["chunk_token_size"].enter(800)
    assert sheet.hint.text().startswith("36 passages are enriched")
    with qtbot.waitSignal(screen.resume_wanted):
        sheet.agree.click()
    [(_, ids, chunking)] = [c for c in context.documents.calls if c[0] == "reindex"]
    assert set(ids) == {1, 2, 4, 8, 9} and chunking == ChunkingSettings(chunk_token_size=800)
    qtbot.waitUntil(lambda: context.messages.last is not None)
    assert context.messages.last.text == "5 documents are indexed again."


def test_unchanged_options_are_not_written(context, qtbot):
    sheet = open_sheet(context, 1, ChunkingSettings(chunk_token_size=120), 0, qtbot)
    assert sheet.use_default.isVisible() and not sheet.hint.isVisible()
    with qtbot.waitSignal(sheet.submitted) as emitted:
        sheet.agree.click()
    assert emitted.args == [None]


def test_fields_without_effect_are_disabled_and_conflicts_are_shown(context, qtbot):
    sheet = open_sheet(context, 1, USUAL, 0, qtbot)
    mode, size = sheet.form.rows["mode"], sheet.form.rows["chunk_token_size"]
    separator = sheet.form.rows["separator"]
    overlap = sheet.form.rows["chunk_overlap_token_size"]
    assert not separator.isEnabled() and separator.findChild(QLineEdit).text() == "\\n\\n"
    mode.enter("separator")
    assert separator.isEnabled() and not size.isEnabled()
    separator.enter("")
    assert sheet.hint.text() == "Enter the separator between passages."
    assert not sheet.agree.isEnabled()
    separator.enter("***\n")
    assert sheet.agree.isEnabled() and sheet.settings.separator == "***\n"
    overlap.enter(900)
    assert "must be smaller" in sheet.hint.text() and not sheet.agree.isEnabled()
    sheet.use_default.click()
    assert sheet.settings == USUAL and sheet.agree.isEnabled()


def test_documents_with_different_chunking_get_the_same(context, qtbot):
    sheet = open_sheet(context, 3, None, 0, qtbot)
    assert sheet.hint.text().startswith("These documents are split in different ways")
    with qtbot.waitSignal(sheet.submitted) as emitted:
        sheet.agree.click()
    assert emitted.args == [USUAL]


def test_no_help_text_is_cut_also_when_a_problem_is_shown(context, qtbot):
    sheet = open_sheet(context, 2, USUAL, 0, qtbot)
    rows = sheet.form.rows.values()

    def are_whole() -> bool:
        shown = [text for row in rows for text in (row.help, row.problem) if text.isVisible()]
        return all(text.height() >= text.heightForWidth(text.width()) for text in shown)

    assert are_whole()
    before = sheet.height()
    sheet.form.rows["chunk_token_size"].enter("many")
    qtbot.waitUntil(lambda: sheet.height() > before and are_whole())
