"""Translation of window texts and of engine messages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from desktop_app.engine.durations import format_estimate
from desktop_app.engine.errors import EnvironmentProblem, UserError
from desktop_app.engine.messages import Message, fill_template, separate_scripts
from desktop_app.engine.text.reading import read_bytes
from desktop_app.ui import translation as language
from desktop_app.ui.translation import later, tr, tr_message, trn
from tests.catalogue import tool

SCREENS = [name for name in tool.packages() if name != tool.ENGINE]


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
def test_values_may_contain_braces_and_percent_signs(qapp, title):
    assert tr("Moved “{title}”", title=title) == f"Moved “{title}”"
    assert (
        trn("{n} name in {title}", "{n} names in {title}", 3, title=title) == f"3 names in {title}"
    )


def test_a_text_marked_for_later_stays_english_until_it_is_shown(chinese):
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
    for many, translation in counted[:20]:
        assert trn("one", many, 1) == translation.format(n=1)
        assert trn("one", many, 12) == translation.format(n=12)
        assert trn("one", many, 12_345) == translation.format(n="12,345")


def test_an_unknown_setting_follows_the_system():
    assert language.chosen_language("zh") == "zh"
    assert language.chosen_language("en") == "en"
    assert language.chosen_language("klingon") == language.chosen_language("system")


# --- messages of the engine ---------------------------------------------------------------------


def test_the_english_window_shows_messages_as_they_are(qapp):
    for message in (Message("Try again."), Message.from_stored("Delete chat")):
        assert tr_message(message) == str(message)


def test_a_message_is_translated_by_its_template(chinese):
    assert tr_message(Message("Try again.")) == "请重试。"
    assert tr_message(format_estimate(30)) == "不到一分钟"
    assert tr_message(
        Message("Choose a value from {least:,} to {most:,}.", least=5, most=1024)
    ) == ("请填 5 到 1,024 之间的值。")
    assert tr_message(Message("The cat sat.")) == "The cat sat."
    assert tr_message(Message("")) == ""


@pytest.mark.parametrize(
    "name", ["Try again.", "My {0} book", "{name}", "{reason}", "Library", "A “B” C", "a \\1"]
)
def test_values_stay_untouched(chinese, name):
    assert tr_message(Message("Create collection “{name}”", name=name)) == f"新建合集“{name}”"


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        ("林冲", "段落 2 没有提到林冲"),
        ("Stapleton", "段落 2 没有提到 Stapleton"),
        ("“x”", "段落 2 没有提到“x”"),
    ],
)
def test_latin_values_have_spaces_beside_chinese_characters(chinese, word, shown):
    passage = tr("Passage {n}", n=2)
    assert tr("{passage} does not name {word}", passage=passage, word=word) == shown
    assert separate_scripts("杀死", word, "。").strip() == word


def test_messages_have_spaces_between_latin_letters_and_chinese_characters(chinese):
    edited = Message("Edit the details of {documents}", documents=Message("{n} documents", n=3))
    assert tr_message(edited) == "编辑 3 个文档的详细信息"
    assert tr_message(Message("Edit the details of {documents}", documents="Emma")) == (
        "编辑 Emma 的详细信息"
    )
    assert str(edited) == "Edit the details of 3 documents"


def test_messages_inside_a_message_are_translated(chinese):
    inner = EnvironmentProblem(
        "The reranker {model} failed (llama.cpp's code {code}).", "Try again.", model="x", code=3
    )
    note = Message("not reranked: {reason}", reason=inner.full_message)
    assert tr_message(note).endswith("：重排模型 x 出错（llama.cpp 代码 3）。请重试。")
    names = Message("“{name}” and “{other}”", name="贾宝玉", other="宝二爷")
    assert tr_message(Message("Never merge {names}", names=names)) == "永不合并“贾宝玉”和“宝二爷”"
    documents = Message("{n} documents", n=3)
    label = Message("Add {documents} to “{name}”", documents=documents, name="Mine")
    assert tr_message(label) == "将 3 个文档添加到“Mine”"


def test_errors_of_readers_are_chinese(chinese):
    for content, name in ((b"", "a.txt"), (b"ITSF" + bytes(9), "b.chm"), (b"%PDF-1.4 no", "c.pdf")):
        with pytest.raises(UserError) as caught:
            read_bytes(content, name)
        text = tr_message(caught.value.full_message)
        assert text.startswith(f"无法读取“{name}”：")
        assert not any(word in text for word in ("it ", "its ", "again", "add"))


def test_every_template_is_shown_in_chinese_with_values_in_it(chinese):
    for template, translation in tool.read_ts(tool.ENGINE).items():
        fields = dict(tool.re.findall(r"\{(\w+)(?::([^{}]*))?\}", template))
        values = {name: 7 if spec else f"V{name}x" for name, spec in fields.items()}
        shown = tr_message(Message(template, **values))
        assert shown == fill_template(translation, values, quote_gaps=False), template
