"""Questions that ask for yes or no: which they are, and which sentence decides them."""

from __future__ import annotations

import pytest

from desktop_app.engine.answering.yes_no import (
    asks_yes_or_no,
    find_decisions,
    has_all_words,
    may_confirm,
)


@pytest.mark.parametrize(
    "question",
    [
        "Did Ada marry Tom?",
        "In the end, did Ada marry Tom?",
        "Is it true that Ada married Tom?",
        "Tom has a mill. Does Ada also have one?",
        "Hasn't the miller two sons?",
        "Is there a bell in Quenby?",
        "Did the man who sold fish drown?",
        "林冲杀了高俅吗？",
        "林冲是不是教头？",
        "林冲是否杀了高俅？",
        "沈家有没有银子？",
        "中标人可以转让项目吗",
        "他去过东京没有？",
        "林冲是教头，对吗？",
    ],
)
def test_a_question_that_yes_or_no_answers(question: str) -> None:
    assert asks_yes_or_no(question) is (not question.startswith("他去过"))


@pytest.mark.parametrize(
    "question",
    [
        "Who married Ada?",
        "Did Ada marry Tom or Peter?",
        "Can you tell me who married Ada?",
        "Did Ada marry Tom, and when?",
        "Does the book say who rang the bell?",
        "Tell me about Ada.",
        "Did Ada marry Tom",
        "谁杀了高俅？",
        "你知道谁杀了高俅吗？",
        "林冲是教头还是县令？",
        "林冲怎么了？",
        "林冲呢？",
    ],
)
def test_a_question_that_asks_for_more(question: str) -> None:
    assert not asks_yes_or_no(question)


YES = [
    ("Did Ada marry Tom?", "Ada married Tom in May."),
    ("Did Ada marry Tom?", "In May, Ada had married old Tom."),
    ("Did the miller steal the axe?", "That night the miller stole his brother's axe."),
    ("Has Rolf stolen the axe?", "Rolf has stolen the axe again."),
    ("Does Ada sell fish?", "Ada sells fish on the quay."),
    ("Was Jan a sailor in Marl?", "Jan was long a sailor in Marl."),
    ("Can Jan swim to Marl?", "Jan could swim to Marl."),
    ("Is there a bell in Quenby?", "There is a bell in Quenby."),
    ("鲁达打死了郑屠吗？", "鲁达三拳打死了郑屠。"),
    ("鲁达是否打死郑屠？", "次日，鲁达打死了郑屠。"),
    ("高俅被林冲杀了吗？", "高俅被林冲杀了。"),
    ("舜天的神号是尊敦吗？", "舜天（1166年生），琉球国王，神号尊敦。"),
    ("招标人可以撤回招标文件吗？", "招标人可以撤回招标文件。"),
]
NO = [
    ("Did Ada marry Tom?", "Ada never married Tom."),
    ("Did Ada marry Tom?", "Ada did not marry Tom."),
    ("Does MuPDF rely on threading?", "MuPDF does not rely on threading itself, but all can."),
    ("Was Jan a sailor in Marl?", "Jan was not a sailor in Marl."),
    ("玄德杀了吕布吗？", "玄德没有杀吕布。"),
    ("中标人可以转让中标项目吗？", "中标人不得向他人转让中标项目。"),
]
NEITHER = [
    ("Did Ada marry Tom?", "Ada wanted to marry Tom."),
    ("Did Ada marry Tom?", "Tom married Ada's sister."),
    ("Did Ada marry Tom?", "If Ada married Tom, all would be well."),
    ("Did Ada marry Tom?", "Perhaps Ada married Tom."),
    ("Did Ada marry Tom?", "Jan believed that Ada had married Tom."),
    ("Did Ada marry Tom?", "They said that Ada married Tom."),
    ("Did Ada marry Tom?", "Ada would marry Tom."),
    ("Did Ada marry Tom?", "Ada married Peter, and Tom went to sea."),
    ("Did Ada marry Tom?", "Ada married the son of Tom."),
    ("Did Ada marry Tom?", "Ada sat still, and she married Tom's hopes to hers."),
    ("Did Ada marry Tom?", "Had Ada married Tom?"),
    ("Did Ada marry Tom?", "Ada did not marry Tom until May."),
    ("Did Ada marry Tom?", "Ada did not marry Tom only for money."),
    ("Did Ada not marry Tom?", "Ada married Tom."),
    ("Did he die?", "He died."),
    ("Was Jan a sailor in Marl?", "Jan knew a sailor in Marl."),
    ("鲁达打死了郑屠吗？", "鲁达要打死郑屠。"),
    ("鲁达打死了郑屠吗？", "鲁达叫史进打死郑屠。"),
    ("鲁达打死了郑屠吗？", "郑屠打死了鲁达。"),
    ("鲁达打死了郑屠吗？", "若是鲁达打死了郑屠，便要吃官司。"),
    ("鲁达打死了郑屠吗？", "鲁达打死了郑屠么？"),
    ("李逵打死了柴进吗？", "李逵打死殷天赐 柴进失陷高唐州"),
    ("曹操救了黄忠吗？", "曹操见云东冲西突，救了黄忠。"),
    ("高俅杀了林冲吗？", "高俅被林冲杀了。"),
    ("鲁达打了三十人吗？", "鲁达打了三十五人。"),
    ("赵鹏生于1981年吗？", "赵鹏生于11981年。"),
    ("招标人可以撤回招标文件吗？", "招标人撤回招标文件的，应当赔偿。"),
    ("他来了吗？", "他来了。"),
]


@pytest.mark.parametrize(
    ("question", "sentence", "says"),
    [*((*one, [True]) for one in YES), *((*one, [False]) for one in NO),
     *((*one, []) for one in NEITHER)],
)  # fmt: skip
def test_a_sentence_says_yes_or_no_or_neither(question, sentence, says) -> None:
    found = find_decisions(question, sentence)
    assert [one.is_yes for one in found] == says
    for one in found:
        assert sentence[slice(*one.span)].strip() == sentence
        assert one.span[0] <= one.region[0] < one.region[1] <= one.span[1]


def test_the_sentence_that_decides_is_found_in_a_text() -> None:
    text = "It rained in Marl. Ada married Tom in May. They were poor."
    [found] = find_decisions("Did Ada marry Tom?", text)
    assert text[slice(*found.span)].strip() == "Ada married Tom in May."
    assert text[slice(*found.region)] == "Ada married Tom"
    assert find_decisions("阿达嫁给了汤姆吗？", text) == []


def test_all_words_of_a_question_in_any_form_and_order() -> None:
    text = "Tom was the man whom Ada, who was poor, had married."
    assert has_all_words("Did Ada marry Tom?", text)
    assert not has_all_words("Did Ada marry Peter?", text)
    assert has_all_words("郑屠打死了鲁达吗？", "鲁达三拳打死了郑屠。")
    assert not has_all_words("郑屠打死了史进吗？", "鲁达三拳打死了郑屠。")


@pytest.mark.parametrize(
    ("question", "sentence", "names", "may"),
    [
        ("Did Ada marry Tom?", "Ada, who was poor, had Tom to marry.", (), True),
        ("Did Ada marry Tom?", "Tom was the man whom Ada had married.", (), False),
        ("Did Ada marry Tom?", "She married Tom.", (), False),
        ("Did Ada marry Tom?", "Ada might marry Tom.", (), False),
        ("Did Ada marry Tom?", "Ada did not marry Tom.", (), False),
        ("Would Ada marry Tom?", "Ada would marry Tom.", (), True),
        ("鲁达打死了郑屠吗？", "鲁达三拳打死郑屠", ("郑屠", "鲁达"), True),
        ("鲁达打死了郑屠吗？", "郑屠三拳打死鲁达", ("郑屠", "鲁达"), False),
        ("鲁达打死了郑屠吗？", "鲁达没有打死郑屠", ("郑屠", "鲁达"), False),
    ],
)
def test_what_may_confirm_has_the_persons_in_order_and_states_it(
    question, sentence, names, may
) -> None:
    assert may_confirm(question, sentence, names) is may
