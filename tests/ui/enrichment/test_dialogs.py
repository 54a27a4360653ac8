"""The dialogs of enrichment with fake services and real lanes."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from desktop_app.engine.errors import UserError
from desktop_app.engine.extraction.llm.tasks import EnrichSettings
from desktop_app.engine.messages import Message
from desktop_app.engine.progress import Progress
from desktop_app.engine.services.enrichment.rates import EnrichProgress
from desktop_app.engine.services.enrichment.tuning import Proposal
from desktop_app.engine.services.importing.service import Imported
from desktop_app.ui.enrichment.dialogs import (
    EnrichmentSettingsDialog,
    StartEnrichmentDialog,
    SuggestionDialog,
)
from desktop_app.ui.enrichment.words import describe_import, describe_work
from desktop_app.ui.widgets.fields import WordList


def show(sheet, qtbot):
    # closing deletes a dialog; qtbot would close it again
    sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(sheet)
    sheet.open()
    return sheet


# --- the start dialog ----------------------------------------------------------


def ask(context, qtbot, ids=None) -> StartEnrichmentDialog:
    sheet = show(StartEnrichmentDialog(context, ids, "the library"), qtbot)
    qtbot.waitUntil(lambda: context.reader_lane.n_jobs == 0)
    return sheet


def test_the_estimate_comes_before_the_start(context, qtbot):
    sheet = ask(context, qtbot, [4, 8])
    assert sheet.words.text() == "About 25 minutes; you can keep working."
    assert "86 passages" in sheet.details.text() and "reader-4b" in sheet.details.text()
    assert "rough estimate" in sheet.details.text()
    with qtbot.waitSignal(sheet.agreed) as agreed:
        qtbot.keyClick(sheet, Qt.Key.Key_Return)
    assert agreed.args == [[4, 8], False, False]


def test_waiting_work_can_be_overtaken(context, qtbot):
    sheet = ask(context, qtbot)
    assert "25" in sheet.first.text()
    sheet.first.setChecked(True)
    with qtbot.waitSignal(sheet.agreed) as agreed:
        sheet.start_button.click()
    assert agreed.args == [None, True, False]


def test_finished_documents_can_be_enriched_again(context, qtbot):
    sheet = ask(context, qtbot, [1])
    assert "nothing left" in sheet.words.text()
    assert not sheet.start_button.isEnabled()
    sheet.again.setChecked(True)
    qtbot.waitUntil(sheet.start_button.isEnabled)


def test_without_a_model_it_says_where_to_get_one(empty_context, qtbot):
    sheet = ask(empty_context, qtbot)
    assert "Get one under Models" in sheet.words.text()
    assert not sheet.start_button.isVisible()
    with qtbot.waitSignal(sheet.models_wanted):
        sheet.models_button.click()


def test_no_text_of_the_start_dialog_is_cut_off(context, qtbot):
    sheet = ask(context, qtbot)
    for label in (sheet.words, sheet.details, sheet.about):
        assert label.height() >= label.heightForWidth(label.width())


# --- settings -------------------------------------------------------------------------------


def settings_sheet(context, qtbot) -> EnrichmentSettingsDialog:
    sheet = show(EnrichmentSettingsDialog(context), qtbot)
    qtbot.waitUntil(lambda: context.reader_lane.n_jobs == 0)
    return sheet


def test_every_setting_has_a_row(context, qtbot):
    sheet = settings_sheet(context, qtbot)
    assert set(sheet.form.rows) == set(EnrichSettings.__dataclass_fields__)


def test_the_settings_of_the_library_are_shown_and_stored(context, qtbot):
    context.enrichment.settings = EnrichSettings(order="document", kinds=("师徒",), n_threads=37)
    sheet = settings_sheet(context, qtbot)
    rows = sheet.form.rows
    assert rows["order"].editor.read() == "document"
    assert rows["n_threads"].editor.read() == "37"
    rows["claims"].editor.set_value(True)
    rows["kinds"].findChild(QLineEdit).setText("结拜，朋友")
    with qtbot.waitSignal(sheet.kept) as kept:
        sheet.save_button.click()
    assert kept.args[0] == replace(
        context.enrichment.settings, claims=True, kinds=("师徒", "结拜", "朋友")
    )


def test_unchanged_settings_are_not_stored(context, qtbot):
    sheet = settings_sheet(context, qtbot)
    with qtbot.assertNotEmitted(sheet.kept):
        sheet.save_button.click()


def test_settings_without_a_type_are_refused(context, qtbot):
    sheet = settings_sheet(context, qtbot)
    sheet.form.rows["entity_types"].editor.set_value(())
    with qtbot.assertNotEmitted(sheet.kept):
        sheet.save_button.click()
    assert "one" in sheet.form.rows["entity_types"].problem.text() and sheet.isVisible()


def test_all_types_are_visible(context, qtbot):
    sheet = settings_sheet(context, qtbot)
    words = sheet.form.rows["entity_types"].findChild(WordList)
    assert len(words.buttons) == 7

    def in_sight() -> bool:
        last = words.buttons[-1]
        return last.geometry().bottom() <= last.parentWidget().height()

    qtbot.waitUntil(in_sight)


def test_a_word_is_listed_once_and_removed_by_its_button(context, qtbot):
    words = WordList(context.theme, "Types")
    qtbot.addWidget(words)
    words.set_words(("person", "place"))
    words.field.setText("place, river")
    qtbot.keyClick(words.field, Qt.Key.Key_Return)
    assert words.words() == ("person", "place", "river")
    words.buttons[1].click()
    assert words.words() == ("person", "river")


# --- tuning ---------------------------------------------------------------------------------

PROPOSAL = Proposal(
    "story", "zh", ("person", "place", "other"), (), "例", 24, "reader-4b", ("A note.",)
)


def suggest(context, qtbot, propose) -> SuggestionDialog:
    return show(SuggestionDialog(context, propose), qtbot)


def test_a_proposal_is_shown_edited_and_accepted(context, qtbot):
    def propose(cancel, on_progress):
        on_progress(Progress("sampling", 1, 8))
        return PROPOSAL

    sheet = suggest(context, qtbot, propose)
    qtbot.waitUntil(sheet.use_button.isEnabled)
    assert "24 passages" in sheet.origin.text() and "reader-4b" in sheet.origin.text()
    sheet.form.rows["language"].editor.set_value("")
    with qtbot.waitSignal(sheet.accepted_proposal) as accepted:
        sheet.use_button.click()
    assert accepted.args[0] == replace(PROPOSAL, language="")


def test_closing_cancels_the_suggestion(context, qtbot):
    began = threading.Event()
    stopped = []

    def propose(cancel, on_progress):
        began.set()
        while not cancel.cancelled:
            began.wait(0.01)
        stopped.append(True)
        cancel.check()

    sheet = suggest(context, qtbot, propose)
    qtbot.waitUntil(began.is_set)
    sheet.cancel_button.click()
    qtbot.waitUntil(lambda: stopped == [True])


def test_a_failed_suggestion_says_why_and_can_be_repeated(context, qtbot):
    fails = [UserError("The model is damaged.")]

    def propose(cancel, on_progress):
        if fails:
            raise fails.pop()
        return PROPOSAL

    sheet = suggest(context, qtbot, propose)
    qtbot.waitUntil(lambda: sheet.stack.currentWidget() is sheet.failed)
    assert "damaged" in sheet.failed.text.text()
    qtbot.waitUntil(sheet.again_button.isVisible)
    sheet.again_button.click()
    qtbot.waitUntil(sheet.use_button.isEnabled)


def test_an_empty_library_has_nothing_to_suggest(context, qtbot):
    sheet = suggest(context, qtbot, lambda *_: Proposal(notes=(Message("Add documents first."),)))
    qtbot.waitUntil(lambda: sheet.stack.currentWidget() is sheet.failed)
    assert not sheet.use_button.isEnabled()


# --- words ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("progress", "words"),
    [
        (
            EnrichProgress("enriching", 34, 120, 0.1, 700.0, 4, 95.4),
            ("Enriching 水浒传", "34 of 120 passages", "12 min left · 6.0 passages a minute"),
        ),
        (
            EnrichProgress("enriching", 34, 120, 0.1, None, 4, 0.0, 2),
            ("Enriching 水浒传", "34 of 120, 2 failed", "6.0 passages a minute"),
        ),
        (EnrichProgress("enriching"), ("Enriching 水浒传", "starting the model", "")),
        (Progress("graph"), ("Building the graph", "", "")),
        (Progress("summaries", 3, 9), ("Summarizing", "3 of 9 descriptions", "")),
    ],
)
def test_the_sidebar_shows_progress_and_speed(progress, words):
    assert describe_work(progress, "水浒传") == words


def test_an_import_reports_imported_and_skipped_items():
    imported = Imported(
        "LightRAG", "红楼梦", (1, 2), (), 1, 40, 1_204, 2_310,
        unseen_names=("a", "b", "c", "d", "e", "f"), left_out={Message("no passage"): 2},
    )  # fmt: skip
    text, besides = describe_import(imported)
    assert text == (
        "LightRAG's graph in “红楼梦”: 2 new documents; 1,204 names, 2,310 connections."
    )
    assert "1 document unchanged" in besides
    assert any("a, b, c, d, e and 1 more" in line for line in besides)
    assert "no passage: 2" in besides
    text, besides = describe_import(Imported("GraphRAG", "out", unchanged=3))
    assert text.endswith("nothing new.") and besides == []
