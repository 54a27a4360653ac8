"""Tests what a question ties its short answer to: persons, relatives, first times."""

from __future__ import annotations

import pytest

from desktop_app.engine.answering.answer_ties import (
    ORDER,
    PERSON,
    RELATIVE,
    find_missing_tie,
    find_other_ordinal,
)
from desktop_app.engine.answering.claims import ClaimFault, judge_short_answer
from desktop_app.engine.model import ChunkId, DocumentId, Passage, RetrievalResult
from desktop_app.engine.text.chunking import split_sentences
from desktop_app.engine.writing_systems import language_of


def find_tie(answer, text, question, *people):
    at = text.index(answer)
    spans = split_sentences(text, language_of(text))
    span = next((a, b) for a, b in spans if a <= at < b)
    return find_missing_tie(answer, text, span, question, people)


SHA, TRIPITAKA = ("沙僧", "沙和尚", "悟净"), ("唐僧", "金蝉长老")
BANISHED = (
    "沙僧笑道：“师兄言之欠当。自来没个孙行者取经之说。"
    "菩萨曾言：取经人号曰金蝉长老只因他不听佛祖谈经贬下灵山。”"
)
SOLD = (
    "Hodge shook his head. “The mill was sold in spring. He had lost his money at cards. "
    "Rolf weeps still.” The rain fell. "
)


@pytest.mark.parametrize(
    ("question", "people", "lacking"),
    [
        ("沙僧为什么被贬？", [SHA], PERSON),
        ("沙僧和唐僧为什么被贬？", [SHA, TRIPITAKA], PERSON),
        ("唐僧为什么被贬？", [TRIPITAKA], ""),
    ],
)
def test_a_reason_in_a_speech_needs_the_person_beside_it(question, people, lacking):
    assert find_tie("不听佛祖谈经", BANISHED, question, *people) == lacking


@pytest.mark.parametrize(
    ("question", "name", "lacking"),
    [
        ("What had Anna lost at cards?", "Anna", PERSON),
        ("What had Rolf lost at cards?", "Rolf", ""),  # the speech names him
        ("What had Hodge lost at cards?", "Hodge", ""),  # the words before it do
        ("Why did Hodge sell the mill?", "Hodge", PERSON),  # a reason needs him beside it
    ],
)
def test_he_in_a_speech_is_a_person_named_near_it(question, name, lacking):
    assert find_tie("his money", SOLD, question, (name,)) == lacking


@pytest.mark.parametrize(
    "text",
    [
        "“I had lost my money at cards.”",  # who talks is named elsewhere
        "He had lost his money at cards.",  # the text itself says it
        "“He had lost his money at cards,” said Anna.",
    ],
)
def test_other_sentences_need_no_name(text):
    answer = text[text.index("lost") : text.index(" at cards")]
    assert find_tie(answer, text, "What had Anna lost?", ("Anna",)) == ""


@pytest.mark.parametrize(
    ("question", "text", "answer", "lacking"),
    [
        (
            "What is the name of the narrator's wife?",
            "Mrs. Elphinstone--that was the name of the woman in white--would listen to nobody.",
            "Elphinstone",
            RELATIVE,
        ),
        ("Who is Tom's wife?", "My brother's wife was Ellen.", "Ellen", RELATIVE),
        ("Who is Tom's wife?", "Ellen was the wife of a surgeon.", "Ellen", RELATIVE),
        ("Who is Tom's wife?", "Tom's wife was Ellen.", "Ellen", ""),
        ("Who is Tom's wife?", "Tom came. His wife was Ellen.", "Ellen", ""),
        ("Who is Tom's wife?", "In 1820 Tom married Ellen.", "Ellen", ""),
        ("Who is Tom's wife?", "Ellen called to her husband.", "Ellen", ""),
        ("Whose daughter is Ellen?", "Ellen sat beside Hodge.", "Hodge", RELATIVE),
        ("Whose daughter is Ellen?", "Ellen, Hodge's daughter, wept.", "Hodge", ""),
        ("What did Tom's wife buy?", "Ellen came home with a parrot.", "a parrot", ""),
        ("李成的妻子是谁？", "李成走到门前。王氏正在洗衣。", "王氏", RELATIVE),
        ("李成的妻子是谁？", "李成走了。张三的妻子是王氏。", "王氏", RELATIVE),
        ("李成的妻子是谁？", "李成娶了王氏。", "王氏", ""),
        ("李成是谁的儿子？", "李成，李广之子。", "李广", ""),
        ("李成的妻子是谁？", "Tom came with Ellen.", "Ellen", ""),  # another language
    ],
)
def test_a_relative_belongs_to_the_person_of_the_question(question, text, answer, lacking):
    assert find_tie(answer, text, question) == lacking


@pytest.mark.parametrize(
    ("question", "text", "answer", "lacking"),
    [
        ("悟空八戒第一次见面在哪里？", "他把马牵来。特来老婆婆府上安息一时。", "老婆婆府上", ORDER),
        ("杨志第一次到东京是哪年？", "杨志在庚子年又到东京。", "庚子年", ORDER),
        ("杨志第一次到东京是哪年？", "杨志初到东京是庚子年。", "庚子年", ""),
        ("他最后一次看见母亲是在哪里？", "他在桥头看见母亲。", "桥头", ORDER),
        ("他最后是怎么死的？", "他在桥头落马而死。", "落马", ""),  # an outcome
        ("Where did Tom first meet Rolf?", "Tom met Rolf again at the mill.", "the mill", ORDER),
        ("Where did Tom first meet Rolf?", "At first Tom saw Rolf at the mill.", "the mill", ""),
        ("Where was Tom for the last time?", "Tom sat in the inn.", "the inn", ORDER),
        ("What was the first house like?", "The Laurels was dilapidated.", "dilapidated", ""),
    ],
)
def test_a_first_time_needs_a_text_that_says_so(question, text, answer, lacking):
    assert find_tie(answer, text, question) == lacking


@pytest.mark.parametrize(
    ("question", "text", "answer", "check"),
    [
        ("沙僧为什么被贬下灵山？", BANISHED, "不听佛祖谈经", PERSON),
        ("Who is Tom's wife?", "My brother's wife was Ellen.", "Ellen", RELATIVE),
        ("Where did Tom first meet Rolf?", "Tom met Rolf at the mill.", "the mill", ORDER),
    ],
)
def test_an_answer_without_a_tie_is_not_stated_and_may_be_right(question, text, answer, check):
    source = Passage(ChunkId(1), DocumentId(1), "Tale", 0, len(text), 1.0, text, 0, len(text))
    found = RetrievalResult(question, "walk", (source,))
    verdict = judge_short_answer(answer, 1, 5.0, found.passages, found, [SHA])
    assert not verdict.stands and verdict.may_be_right
    assert verdict.reason == ClaimFault(check)


@pytest.mark.parametrize(
    ("asked", "text", "other"),
    [
        ("Where did the first cylinder fall?", "The fifth cylinder fell on the house.",
         "first cylinder"),
        ("Where did the 2nd cylinder fall?", "The second cylinder fell on the house.", ""),
        ("Where did the first cylinder fall?", "The fifth wheel fell on the house.", ""),
        ("Where did the first cylinder fall?", "A first cylinder fell. The fifth cylinder fell.",
         ""),
        ("第一大镇叫什么？", "沃灵顿是第1大镇，克鲁是第2大镇。", ""),
        ("第二十一回讲什么？", "第十二回讲他回乡。", "第二十一回讲"),
        ("第二十一章讲什么？", "第21章讲他回乡。", ""),
    ],
)  # fmt: skip
def test_a_thing_with_another_number_is_another_thing(asked, text, other) -> None:
    assert find_other_ordinal(asked, text) == other
