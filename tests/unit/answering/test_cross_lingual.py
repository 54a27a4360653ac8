"""Tests questions in another language than the documents: translation of question and answer."""

from __future__ import annotations

import pytest

from desktop_app.engine.answering.citations import RepetitionDetector
from desktop_app.engine.answering.cross_lingual import translate_question
from desktop_app.engine.answering.pipeline import AnswerPipeline
from desktop_app.engine.graph.transliteration import (
    PhoneticNames,
    RomanizedNames,
    phonetic_key_of_chinese,
    phonetic_key_of_latin,
    romanize_name,
)
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from tests.fakes import HashEmbedder, ScriptedChatModel
from tests.unit.services.test_indexing import STORY, TALE


@pytest.fixture
def make_library(tmp_path):
    made = []

    def make(text: str) -> Library:
        (tmp_path / "book.txt").write_text(text, "utf-8")
        library = Library(tmp_path / "crossed.inkgraph")
        add_files(library.writer, [tmp_path / "book.txt"])
        IndexingService(library.writer, HashEmbedder).run()
        made.append(library)
        return library

    yield make
    for library in made:
        library.close()


def asking(library, model):
    return AnswerPipeline(Retriever(library.writer, HashEmbedder), library.writer, lambda: model)


def test_an_english_question_is_translated_to_chinese_and_the_answer_back(make_library):
    model = ScriptedChatModel(
        [
            "陆青山从柳三娘那里得到了什么？",
            "陆青山得到一封信[2]。",
            "Lu Qingshan was given a letter.",
        ]
    )
    pieces, steps = [], []
    answer = asking(make_library(TALE), model).ask(
        None,
        "What does Lu Qingshan get from Liu Sanniang?",
        on_piece=pieces.append,
        on_step=lambda step: steps.append(step.stage),
    )
    assert answer.text.startswith("Lu Qingshan was given a letter [1].")
    assert "".join(pieces) == answer.text
    assert "陆青山得到一封信 [1]。" in answer.text
    assert "".join(pieces) == answer.text
    assert answer.citations and "陆青山" in answer.citations[0].quote
    put_over, put_to_sources, put_back = model.asked
    assert put_over[-1].text == "What does 陆青山 get from 柳三娘?"
    assert "陆青山从柳三娘那里得到了什么？" in put_to_sources[-1].text
    assert put_back[-1].text.split() == ["Lu", "Qingshan", "得到一封信。"]
    assert steps == [
        "finding",
        "preparing",
        "translating",
        "reading",
        "answering",
        "checking",
        "translating",
    ]
    assert answer.found.asked == "What does Lu Qingshan get from Liu Sanniang?"
    translation = [
        s for s in answer.found.stages if s.name == "asked in the language of the sources"
    ]
    assert translation[0].kept == ("陆青山从柳三娘那里得到了什么？",)


def test_a_chinese_question_is_translated_to_english(make_library):
    model = ScriptedChatModel(
        ["Who wound the clocks?", "Clara wound them. [1]", "Clara 给钟上了弦。"]
    )
    answer = asking(make_library(STORY), model).query("谁给钟上弦？")
    assert answer.text.startswith("Clara 给钟上了弦 [2]。")
    assert "Clara wound them. [2]" in answer.text
    assert model.asked[1][-1].text.count("Who wound the clocks?") == 1


def test_a_missing_answer_is_reported_in_the_language_of_the_question(make_library):
    model = ScriptedChatModel(["陆青山多大年纪？", "您的文档中似乎没有提到。"])
    answer = asking(make_library(TALE), model).query("How old is Lu Qingshan?")
    assert answer.text.startswith("Your documents don't seem to say.")
    assert len(model.asked) == 2


def test_the_same_language_a_larger_model_and_other_modes_need_no_translation(make_library):
    library = make_library(TALE)
    for question, param, size in (
        ("陆青山得到了什么？", QueryParam(), 1_500_000_000),
        ("What does Lu Qingshan get?", QueryParam(), 7_000_000_000),
        ("What does Lu Qingshan get?", QueryParam(mode="mix"), 1_500_000_000),
    ):
        model = ScriptedChatModel(["A letter [1]."], n_parameters=size)
        asking(library, model).query(question, param)
        assert len(model.asked) == 1, question


@pytest.mark.parametrize(
    "translation",
    [
        "",
        "陆青山得到了一封信。",  # an answer, not the question
        "他得到了什么？",  # without the name
        "What does 陆青山 get?",  # not translated
        "陆青山的城的城的城的城的城的城？",  # a repetition loop
        "陆青山得到信了吗？",  # asks whether, not what
    ],
)
def test_an_unfaithful_translation_of_a_question_is_not_used(translation):
    model = ScriptedChatModel([translation])
    meant = (("Lu Qingshan", "陆青山"),)
    question = "What does Lu Qingshan get?"
    assert translate_question(question, meant, "zh", model, CancelToken()) == ""


def test_an_unknown_name_is_not_translated():
    meant = (("Lu Qingshan", "陆青山"),)
    question = "What does Lu Qingshan do at Redford?"
    for translation, used in (("陆青山在青州做什么？", False), ("陆青山在 Redford 做什么？", True)):
        model = ScriptedChatModel([translation])
        assert bool(translate_question(question, meant, "zh", model, CancelToken())) is used


def test_a_question_that_cannot_be_translated_is_asked_unchanged(make_library):
    model = ScriptedChatModel(["no translation", "A letter [1]."])
    answer = asking(make_library(TALE), model).query("What does Lu Qingshan get?")
    assert answer.text.startswith("A letter [2].")


def test_a_repeated_sentence_ends_the_answer(make_library):
    model = ScriptedChatModel(["Clara wound the clocks. " * 9])
    answer = asking(make_library(STORY), model).query("Who wound the clocks?")
    assert answer.text.count("Clara wound the clocks") == 1


def test_short_sentences_may_be_repeated():
    repeating = RepetitionDetector()
    assert not any(repeating.add(piece) for piece in ("Yes. ", "No. ", "Yes. ", "Yes."))
    assert repeating.cut is None


# --- names by their sound -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("latin", "chinese"),
    [
        ("Scrooge", "斯克鲁奇"),
        ("Marley", "马利"),
        ("Fezziwig", "菲兹威格"),
        ("Bingley", "彬格莱"),
        ("Charlotte", "夏洛特"),
        ("Rostov", "罗斯托夫"),
    ],
)
def test_a_name_matches_its_transliteration(latin, chinese):
    assert phonetic_key_of_latin(latin)[0] == phonetic_key_of_chinese(chinese)[0]


def test_transliterated_names_are_found_in_a_question():
    names = ["Ebenezer Scrooge", "Elizabeth", "Mr. Darcy", "Bob", "London", "Fred"]
    sounded = PhoneticNames([(name, i) for i, name in enumerate(names)])

    def find(question: str) -> list[tuple[str, int]]:
        return sorted((question[a:b], v[0]) for a, b, v in sounded.find(question))

    assert find("斯克鲁奇为什么讨厌圣诞节？") == [("斯克鲁奇", 0)]
    assert find("伊丽莎白为什么拒绝达西？") == [("伊丽莎白", 1), ("达西", 2)]
    assert find("谁是安·达西？") == [("安·达西", 2)]
    assert find("鲍勃和弗雷德是谁？") == [("弗雷德", 5), ("鲍勃", 3)]
    for plain in ("这本书的主题是什么？", "舞会上发生了什么事情？", "实验方法的主要步骤有哪些？"):
        assert find(plain) == []


def test_places_and_double_surnames_have_their_english_spelling():
    spelled = RomanizedNames([("景阳冈", 1), ("西门庆", 2), ("梁山", 3), ("浔阳楼", 4)])
    question = "Does Ximen Qing see Jingyang Ridge, Mount Liang or the Xunyang Pavilion?"
    assert [(question[a:b], v) for a, b, v in spelled.find(question)] == [
        ("Ximen Qing", [2]),
        ("Jingyang Ridge", [1]),
        ("Mount Liang", [3]),
        ("Xunyang Pavilion", [4]),
    ]
    assert romanize_name("鲁智深") == "Lu Zhishen"
    assert romanize_name("西门庆") == "Ximen Qing"
    assert romanize_name("景阳冈") == "Jingyanggang"
    assert romanize_name("Scrooge") == ""


@pytest.mark.parametrize(
    ("asked", "translated", "to"),
    [
        ("Who sold the mill?", "谁卖掉了磨坊？", "zh"),
        ("Who was 王小二 killed by?", "王小二是被谁杀死的？", "zh"),
        ("What did the man who sold the mill get?", "卖掉磨坊的人得到了什么？", "zh"),
        ("Which officer arrested 王小二?", "逮捕王小二的是谁？", "zh"),
        ("Whom does 李氏 marry?", "李氏嫁给了谁？", "zh"),
        ("What killed the horses?", "马是被什么杀死的？", "zh"),
        ("Tom是被谁打伤的？", "By whom was Tom wounded?", "en"),
        ("Tom是什么人？", "Who is Tom?", "en"),
        ("谁在桥上救了Tom？", "Who rescued Tom on the bridge?", "en"),
        ("磨坊最后怎么样了？", "What happens to the mill in the end?", "en"),
    ],
)
def test_a_translation_that_asks_for_the_same_is_taken(asked: str, translated: str, to: str):
    model = ScriptedChatModel([translated])
    assert translate_question(asked, (), to, model, CancelToken()) == translated


@pytest.mark.parametrize(
    ("asked", "translated", "to"),
    [
        ("马是被什么杀死的？", "Who was killed by the horses?", "en"),
        ("Tom是被谁打伤的？", "Who was wounded by Tom?", "en"),
        ("谁在桥上救了Tom？", "Whom did Tom rescue on the bridge?", "en"),
        ("磨坊是怎么烧掉的？", "Who burnt the mill?", "en"),
        ("Who gave 王小二 the horse?", "王小二把马给了谁？", "zh"),
        ("Whom did 李氏 rescue?", "谁救了李氏？", "zh"),
        ("What is in the mill?", "谁在磨坊里？", "zh"),
        ("Who is in the mill?", "磨坊里有什么？", "zh"),
    ],
)
def test_a_translation_that_asks_for_something_else_is_not(asked: str, translated: str, to: str):
    assert translate_question(asked, (), to, ScriptedChatModel([translated]), CancelToken()) == ""
