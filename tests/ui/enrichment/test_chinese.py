"""The dialogs and messages of enrichment in Chinese."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from desktop_app.engine.errors import UserError
from desktop_app.engine.messages import Message
from desktop_app.engine.progress import Progress
from desktop_app.engine.services.enrichment.tuning import Proposal
from desktop_app.engine.services.importing.service import Imported
from desktop_app.ui.enrichment.dialogs import (
    EnrichmentSettingsDialog,
    StartEnrichmentDialog,
    SuggestionDialog,
)
from desktop_app.ui.enrichment.words import (
    PROPOSED_TYPES,
    WORD_FORMATS,
    describe_enrichment_run,
    describe_import,
    describe_paused,
    describe_work,
    format_type_word,
)
from desktop_app.ui.widgets.fields import WordList
from tests.ui.untranslated import english_texts

KNOWN = ("reader-4b",)
PROPOSAL = Proposal(
    *("story", "zh", ("person", "family", "weapon", "other"), ("family", "enemy")),
    *("例子", 8, "reader-4b"),
    notes=(Message("No passage made a good example; the built-in one is used."),),
)


def show(sheet, qtbot):
    # closing deletes a dialog; qtbot would close it again
    sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(sheet)
    sheet.open()
    return sheet


@pytest.mark.parametrize("ids", [None, [4, 8]])
def test_the_start_dialog_is_chinese(chinese, context, qtbot, ids):
    sheet = show(StartEnrichmentDialog(context, ids, "资料库"), qtbot)
    qtbot.waitUntil(lambda: sheet.start_button.isEnabled())
    assert sheet.windowTitle() == "深度提取资料库" and sheet.words.text().endswith("。")
    assert english_texts(sheet, KNOWN) == []


def test_the_start_dialog_without_a_model_is_chinese(chinese, empty_context, qtbot):
    sheet = show(StartEnrichmentDialog(empty_context, None, "资料库"), qtbot)
    qtbot.waitUntil(lambda: not sheet.models_button.isHidden())
    assert english_texts(sheet) == []


def test_every_setting_is_chinese(chinese, context, qtbot):
    sheet = show(EnrichmentSettingsDialog(context), qtbot)
    qtbot.waitUntil(lambda: context.reader_lane.n_jobs == 0)
    assert english_texts(sheet) == []
    types = sheet.form.rows["entity_types"].findChild(WordList)
    assert types.words()[0] == "person" and types.buttons[0].text() == "人物"


def test_a_type_typed_in_chinese_is_stored_by_its_key(chinese, context, qtbot):
    sheet = show(EnrichmentSettingsDialog(context), qtbot)
    qtbot.waitUntil(lambda: context.reader_lane.n_jobs == 0)
    words = sheet.form.rows["entity_types"].findChild(WordList)
    words.set_words(("person",))
    words.field.setText("地点、家族，法宝")
    words.add_typed()
    assert words.words() == ("person", "place", "family", "法宝")
    kinds = sheet.form.rows["kinds"].findChild(WordList)
    kinds.field.setText("朋友、师徒")
    kinds.add_typed()
    assert kinds.words() == ("friend", "师徒")
    words.set_words(())
    sheet.save_button.click()
    assert sheet.form.rows["entity_types"].problem.text() == "至少需要一项。"


def test_every_type_has_a_chinese_word_that_maps_back(chinese):
    shown_text = {word: format_type_word(word) for word in PROPOSED_TYPES}
    assert all(not words.isascii() for words in shown_text.values())
    parse = WORD_FORMATS["entity_types"].parse
    assert {word: parse(words) for word, words in shown_text.items()} == {w: w for w in shown_text}
    assert format_type_word("法宝") == parse("法宝") == "法宝"


def test_in_english_a_type_is_shown_by_its_key(qapp):
    assert [format_type_word(word) for word in PROPOSED_TYPES] == list(PROPOSED_TYPES)


def test_a_proposal_and_its_notes_are_chinese(chinese, context, qtbot):
    sheet = show(SuggestionDialog(context, lambda *_: PROPOSAL), qtbot)
    assert english_texts(sheet) == []
    qtbot.waitUntil(lambda: sheet.use_button.isEnabled())
    assert english_texts(sheet, KNOWN) == []
    assert sheet.form.values()["entity_types"] == PROPOSAL.entity_types


def test_a_proposal_that_failed_says_so_in_chinese(chinese, context, qtbot):
    def fail(*_):
        raise UserError("There is no text to ask about.")

    sheet = show(SuggestionDialog(context, fail), qtbot)
    qtbot.waitUntil(lambda: sheet.stack.currentWidget() is sheet.failed)
    assert english_texts(sheet) == []


def test_progress_and_import_messages_are_chinese(chinese):
    shown_text = [
        *describe_work(Progress("enriching", done=3, total=9), "红楼梦"),
        *describe_work(Progress("graph"), ""),
        *describe_work(Progress("summaries", done=1, total=4), ""),
        *describe_work(Progress("enriching"), ""),
        *describe_paused(12),
        describe_enrichment_run(type("Run", (), {"n_done": 9, "n_failed": 2})()),
    ]
    imported = Imported(
        *("LightRAG", "图"), documents=(1,), updated=(2,), n_entities=5, n_relations=4,
        unchanged=1, n_claims=2, unseen_names=tuple("甲乙丙丁戊己庚"), n_unseen_relations=3,
        n_attached=1, left_out={Message("passages without text"): 2},
    )  # fmt: skip
    text, besides = describe_import(imported)
    for sentence in (*shown_text, text.replace("LightRAG", ""), *besides):
        assert not any(char.isascii() and char.isalpha() for char in sentence), sentence
