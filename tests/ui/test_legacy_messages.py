"""Sentences stored by old libraries without a template are translated."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from desktop_app.engine import paths
from desktop_app.engine.messages import Message
from desktop_app.ui.translation import tr_message
from tests.ui.untranslated import use_language

PATTERNS = dict(
    line.split("\t")
    for line in paths.resource("translations", "old_sentences_zh.tsv")
    .read_text("utf-8")
    .splitlines()
)


@pytest.fixture(autouse=True)
def chinese(qapp: QApplication) -> Iterator[None]:
    yield from use_language(qapp, "zh")


def show(sentence: str) -> str:
    return tr_message(Message.from_stored(sentence))


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("Rename “Bob” to “Robert\\1”", "将“Bob”重命名为“Robert\\1”"),
        ("Delete collection “Mine”", "删除合集“Mine”"),
        ("Delete 4 names", "删除 4 个实体"),
        ("Delete “Bob”", "删除“Bob”"),
        ("Merge 3 names into “Bob”", "将 3 个实体合并为“Bob”"),
        ("Make “the big ship” an object", "将“the big ship”设为物品"),
        ("Make “Bob” and “Bobby” a person", "将“Bob”和“Bobby”设为人物"),
        ("Keep “贾宝玉” and “宝二爷” apart", "永不合并“贾宝玉”和“宝二爷”"),
        ("Add 3 documents to “Mine”", "将 3 个文档添加到“Mine”"),
        ("“a.pdf” can't be read: it has 9,001 pages.", "无法读取“a.pdf”：它有 9,001 页。"),
        ("“a.pdf” can't be read: Some words.", "无法读取“a.pdf”：Some words。"),
        ("120 of 459 tokens", "459 个词元中用了 120 个"),
        (
            "not put in order by the reranker: The model x was closed meanwhile. Try again.",
            "重排器未能排序：模型 x 已在此期间关闭。请重试。",
        ),
    ],
)
def test_an_old_sentence_is_recognised(sentence, shown):
    assert show(sentence) == shown


@pytest.mark.parametrize(
    "name",
    ["Try again.", "Try again. Type one.", "Delete chat", "Library", "it is too large.", "A “B” C"],
)
def test_a_document_named_like_a_sentence_keeps_its_name(name):
    sentence = f"“{name}” can't be read: it is too large. Split it into several files."
    assert show(sentence) == f"无法读取“{name}”：它太大。请拆分为多个文件。"


@pytest.mark.parametrize(
    "sentence", ["The cat sat.", "The cat sat. The dog ran.", "", "word", "多谢 了", " ", "{0} x"]
)
def test_an_unknown_sentence_stays_as_it_is(sentence):
    assert show(sentence) == sentence


def test_every_pattern_has_its_values_in_the_translation():
    for pattern, translation in PATTERNS.items():
        for n in range(4):
            assert pattern.count(f"{{{n}}}") == translation.count(f"{{{n}}}"), pattern
