"""The models screen in Chinese: no English is left except the names of models."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from desktop_app.engine.llm.catalogue import load_catalogue
from desktop_app.engine.llm.link_download import LinkedModel
from desktop_app.engine.llm.machine import Machine
from desktop_app.engine.llm.model_checks import CheckResult
from desktop_app.engine.messages import Message
from desktop_app.engine.services.capability_results import ModelCapabilities, Share
from desktop_app.engine.services.model_capabilities import CapabilityProgress
from desktop_app.ui.models.cards import list_languages
from desktop_app.ui.models.link_dialog import LinkDialog
from desktop_app.ui.models.screen import ModelsScreen
from desktop_app.ui.translation import tr_message
from tests.ui.fakes import FakeContext
from tests.ui.untranslated import english_texts

# the fake registry has its own notes; the real ones are tested below
KNOWN = (
    "Reader 4B instruct reader-4b Small 0.6B small-0.6b Multilingual E5 small e5-small",
    "Quick, but terse.",
    *(
        f"{s.title} {s.page} {s.licence} {s.publisher} {s.parameters} {s.quantisation}"
        for s in load_catalogue().suggestions
    ),
)


def open_screen(context: FakeContext, qtbot) -> ModelsScreen:
    screen = ModelsScreen(context)
    screen.resize(900, 700)
    qtbot.addWidget(screen)
    screen.show()
    qtbot.waitUntil(lambda: len(screen.cards) == 3)
    return screen


def english_in(screen: ModelsScreen) -> list[str]:
    screen.place.hide()  # the folder's path
    return english_texts(screen, KNOWN)


def test_models_and_their_actions_are_chinese(chinese, context, qtbot):
    screen = open_screen(context, qtbot)
    assert screen.place.text().startswith("模型文件夹")
    assert english_in(screen) == []


def test_without_a_chat_model_the_banner_is_chinese(chinese, empty_context, qtbot):
    screen = open_screen(empty_context, qtbot)
    qtbot.waitUntil(screen.banner.isVisible)
    assert english_in(screen) == []


def test_what_a_model_can_do_is_chinese(chinese, context, qtbot):
    card = open_screen(context, qtbot).cards["reader-4b"]
    card.show_asking(CapabilityProgress("loading", 0, 10))
    assert card.progress_text.text() == "正在加载模型…"
    card.show_progress(None)
    poor, some = Share(0, 3), Share(2, 3)
    for shares in ((Share(3, 3), poor, some, poor), (poor, Share(4, 4), poor, poor)):
        found = ModelCapabilities(*shares, 90.0, 18.6, 14.0, 61.0, 9, 10, 1_795_000_000.0, "0.2")
        card.show_capabilities(found)
        assert english_texts(card, (*KNOWN, "Inkgraph 0.2 SHA-256")) == []
    rows = card.capabilities.facts.rows
    assert [value.text() for _, value in rows][:2] == ["3 个中 0 个", "4 个中 4 个"]


def test_a_test_and_the_confirmation_of_removal_are_chinese(chinese, context, qtbot):
    screen = open_screen(context, qtbot)
    card = screen.cards["reader-4b"]
    card.show_checking()
    assert english_in(screen) == []
    works = Message("{name} works: {rate:.0f} tokens/s.", name="reader-4b", rate=19)
    card.show_result(CheckResult(True, works, 1.2, 19.4, Message("红、橙、黄。")))
    assert card.result.text() == "reader-4b 运行正常：19 词元/秒 · 1.2 秒"
    qtbot.mouseClick(card.remove_button, Qt.MouseButton.LeftButton)
    assert context.messages.last.text == "要从本机移除 Reader 4B instruct 吗？"


def test_the_sample_of_an_embedder_is_not_quoted(chinese, context, qtbot):
    card = open_screen(context, qtbot).cards["e5-small"]
    sample = Message(
        "similar {near:.2f}, different {far:.2f}, {dim} dimensions", near=0.91, far=0.74, dim=384
    )
    works = Message("{name} works.", name="e5-small")
    card.show_result(CheckResult(True, works, 0.1, 320.0, sample))
    assert card.sample.text() == "相近 0.91，不相近 0.74，384 维"
    assert card.result.text() == "e5-small 运行正常 · 320.0 词元/秒 · 0.1 秒"


@pytest.mark.parametrize("entry", load_catalogue().entries, ids=lambda entry: entry.name)
def test_every_note_of_the_catalogue_is_chinese(chinese, entry):
    shown_text = tr_message(Message(entry.note))
    assert shown_text != entry.note and any(char >= "\u4e00" for char in shown_text)
    assert "multilingual" not in list_languages(entry.languages)


@pytest.mark.parametrize("suggestion", load_catalogue().suggestions, ids=lambda s: s.title)
def test_every_suggestion_is_chinese(chinese, suggestion):
    assert any(char >= "\u4e00" for char in tr_message(Message(suggestion.note)))


def test_the_dialog_for_a_link_is_chinese(chinese, context, qtbot):
    screen = open_screen(context, qtbot)
    dialog = LinkDialog(context, Machine(8_000_000_000, 0, 2), screen)
    dialog.link.setText("https://example.org")
    dialog.check()
    assert "不以 .gguf 结尾" in dialog.status.text()
    dialog._show_checked(LinkedModel("https://a.org/m.gguf", "m.gguf", 4_700_000_000))
    assert english_texts(dialog, ("https://…/model.gguf https://example.org m.gguf SHA-256",)) == []
