"""The window in Chinese: what `tr` finds, and how the engine's sentences are recognised."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from desktop_app.engine.errors import UserError
from desktop_app.engine.services.enrichment.rates import format_duration
from desktop_app.engine.text.reading import read_bytes
from desktop_app.ui import language
from desktop_app.ui.language import later, tr, tr_engine, trn
from tests.catalogue import tool

SCREENS = [name for name in tool.packages() if name != tool.SPOKEN]


@pytest.fixture
def chinese(qapp: QApplication) -> Iterator[None]:
    before = QLocale()
    kept = language.install(qapp, "zh")
    assert len(kept) == 2
    yield
    for translator in kept:
        qapp.removeTranslator(translator)
    QLocale.setDefault(before)


# --- sentences of the window --------------------------------------------------------------------


def test_english_needs_no_catalogue(qapp):
    before = QLocale()
    assert language.install(qapp, "en") == []
    QLocale.setDefault(before)
    assert tr("Library") == "Library"
    assert trn("{n} name", "{n} names", 1) == "1 name"
    assert trn("{n} name", "{n} names", 0) == "0 names"
    assert trn("{n} name in {title}", "{n} names in {title}", 2, title="A") == "2 names in A"


def test_large_numbers_are_written_as_the_locale_writes_them(qapp):
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English))
    assert trn("{n} name", "{n} names", 868_000) == "868,000 names"
    QLocale.setDefault(QLocale(QLocale.Language.German))
    assert trn("{n} name", "{n} names", 868_000) == "868.000 names"
    QLocale.setDefault(before)


@pytest.mark.parametrize("title", ["{n}", "{0} {title}", "a % b %n", "{", "“x” \\1"])
def test_a_value_may_hold_braces_and_signs(qapp, title):
    assert tr("Moved “{title}”", title=title) == f"Moved “{title}”"
    assert (
        trn("{n} name in {title}", "{n} names in {title}", 3, title=title) == f"3 names in {title}"
    )


def test_what_is_translated_later_stays_english_until_it_is_shown(chinese):
    word = later("Library")
    assert word == "Library"
    assert tr(word) == "资料库"


def test_chinese_has_one_form_for_every_number(chinese):
    counted = []
    for package in SCREENS:
        known = tool.read_ts(package)
        own = [m for m in tool.read_words(package).counted if m.count("{") == 1 and m in known]
        counted += [(many, known[many]) for many in own]
    assert counted
    for many, said in counted[:20]:
        assert trn("one", many, 1) == said.format(n=1)
        assert trn("one", many, 12) == said.format(n=12)
        assert trn("one", many, 12_345) == said.format(n="12,345")


def test_an_unknown_setting_follows_the_system():
    assert language.chosen_language("zh") == "zh"
    assert language.chosen_language("en") == "en"
    assert language.chosen_language("klingon") == language.chosen_language("system")


# --- what the engine says -----------------------------------------------------------------------


def test_the_english_window_leaves_what_the_engine_says_alone(qapp):
    for sentence in ("Try again.", "“a” can't be read: it is too large.", "anything else at all"):
        assert tr_engine(sentence) is sentence


def test_a_sentence_without_values_is_looked_up(chinese):
    assert tr_engine("Try again.") == "请重试。"
    assert tr_engine(format_duration(30)) == "不到一分钟"


def test_an_unknown_sentence_stays_as_it_is(chinese):
    for sentence in (
        "The cat sat.",
        "The cat sat. The dog ran.",
        "",
        "word",
        "多谢 了",
        " ",
        "{0} x",
    ):
        assert tr_engine(sentence) == sentence


def test_values_stay_untouched(chinese):
    said = tr_engine("“My {0} book.txt” is larger than 1,024 MB.")
    assert said == "“My {0} book.txt”超过 1,024 MB。"
    assert tr_engine("Rename “Bob” to “Robert\\1”") == "将“Bob”重命名为“Robert\\1”"


@pytest.mark.parametrize(
    "name",
    ["Try again.", "Try again. Type one.", "Delete chat", "Library", "it is too large.", "A “B” C"],
)
def test_a_document_named_like_a_sentence_keeps_its_name(chinese, name):
    assert tr_engine(f"“{name}” is a folder.") == f"“{name}”是文件夹。"
    said = tr_engine(f"“{name}” can't be read: it is too large. Split it into several files.")
    assert said == f"无法读取“{name}”：它太大。请拆分为多个文件。"


def test_the_reason_inside_a_sentence_is_translated_too(chinese):
    assert (
        tr_engine("“a.pdf” can't be read: it has 9,001 pages.")
        == "无法读取“a.pdf”：它有 9,001 页。"
    )
    twice = (
        "not put in order by the reranker: The reranker x failed (llama.cpp's code 3). Try again."
    )
    assert tr_engine(twice) == "未经重排模型排序：重排模型 x 出错（llama.cpp 代码 3）。请重试。"
    unknown = tr_engine("“a.pdf” can't be read: Permission denied. Check that you may read it.")
    assert unknown == "无法读取“a.pdf”：Permission denied。请确认有权读取。"


def test_what_a_reader_refuses_is_told_in_chinese(chinese):
    for content, name in ((b"", "a.txt"), (b"{\\rtf1 x", "b.rtf"), (b"%PDF-1.4 no", "c.pdf")):
        with pytest.raises(UserError) as caught:
            read_bytes(content, name)
        said = tr_engine(str(caught.value))
        assert said.startswith(f"无法读取“{name}”：")
        assert not any(word in said for word in ("it ", "its ", "again", "add"))


def test_the_pattern_with_most_words_of_its_own_counts(chinese):
    assert tr_engine("Delete collection “Mine”") == "删除合集“Mine”"
    assert tr_engine("Delete 4 names") == "删除 4 个名称"
    assert tr_engine("Delete “Bob”") == "删除“Bob”"
    assert tr_engine("Merge 3 names into “Bob”") == "将 3 个名称合并为“Bob”"
    assert tr_engine("Make 3 names a person") == "将 3 个名称设为人物"


def test_counts_and_names_in_the_history_read_well(chinese):
    assert tr_engine("Make “the big ship” an object") == "将“the big ship”设为物品"
    assert tr_engine("Make “Bob” and “Bobby” a person") == "将“Bob”和“Bobby”设为人物"
    assert tr_engine("Keep “贾宝玉” and “宝二爷” apart") == "永不合并“贾宝玉”和“宝二爷”"
    assert tr_engine("Add 3 documents to “Mine”") == "将 3 个文档添加到“Mine”"
    assert tr_engine("about 25 minutes; you can go on working") == "约 25 分钟，期间可以继续工作"


def test_every_sentence_of_the_engine_is_recognised_with_values_in_it(chinese):
    for template, said in tool.read_ts(tool.SPOKEN).items():
        sentence, wanted = (re.sub(r"\{(\d)\}", r"V\1x", text) for text in (template, said))
        assert tr_engine(sentence) == wanted


def test_a_list_of_a_thousand_reasons_takes_no_time(chinese):
    tr_engine("The cat sat on it.")  # reads the patterns

    def take(round_: int) -> float:
        started = time.perf_counter()
        for n in range(round_ * 500, (round_ + 1) * 500):
            assert tr_engine(f"“file {n}.pdf” can't be read: it has {n} pages.").startswith("无法")
            assert tr_engine(f"Nobody knows the sentence {n}, nor the next.").startswith("Nobody")
        return time.perf_counter() - started

    assert min(map(take, range(3))) < 0.1
