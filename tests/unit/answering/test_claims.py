"""Tests the check of an answer's sentences against the passages that they cite."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_app.engine.answering.claims import (
    INTRODUCTION,
    LONGEST_WINDOW,
    MOST_QUOTED,
    NO_ANSWER,
    SPOKEN,
    SURE,
    SURE_LITERAL,
    SURE_SHORT,
    ClaimFault,
    JudgedPart,
    answers_another,
    ask_preference,
    check_claims,
    close_speech,
    extend_window,
    find_claims,
    find_contradiction,
    find_direction,
    find_missing_words,
    is_literal,
    judge_short_answer,
    reach_asked,
    show_odds,
    state_short_answer,
)
from desktop_app.engine.model import Answer, ChunkId, DocumentId, Passage, RetrievalResult
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.prompt_program import Choice
from desktop_app.engine.services.evaluation.measures import iter_shown
from tests.fakes import SAYS_NOTHING, ScriptedChatModel, reply_alike

EN = (
    "The market opened at six. Rolf struck the miller with a spade. The miller fell into the "
    "river in 1831. Nobody saw it. Jan had gone to sea. He came back with a parrot."
)
ZH = "那日鲁达走到街上。鲁达三拳打死了郑屠。众人都不敢近前。"


def passage(text: str, chunk: int = 1) -> Passage:
    return Passage(ChunkId(chunk), DocumentId(1), "Tale", 0, len(text), 1.0 / chunk, text, 0, 25)


def answer(text: str, question: str, *passages: Passage, citations=()) -> Answer:
    return Answer(text, citations, RetrievalResult(question, "walk", passages), model="scripted")


def doubting(*words: str) -> ScriptedChatModel:
    """Return a model that finds claims with one of these words not in the passage."""

    def reply(script, ask, line):
        liked = reply_alike(script, ask, line)
        asked = script.messages[-1].text.split("Question:")[-1] + script.text
        return Choice(liked.logprobs[::-1]) if any(w in asked for w in words) else liked

    return ScriptedChatModel(reply=reply)


def leaning(odds: float) -> ScriptedChatModel:
    """Return a model with these log-odds for each claim."""

    def reply(script, ask, line):
        liked = reply_alike(script, ask, line)
        return Choice(tuple(odds if logprob == 0.0 else 0.0 for logprob in liked.logprobs))

    return ScriptedChatModel(reply=reply)


def check(text: str, question: str, model: ScriptedChatModel, *passages: Passage, **more) -> Answer:
    given = answer(text, question, *passages)
    language = more.pop("language", "en")
    return check_claims(given, passages, model, CancelToken(), language, **more)


def test_marks_before_and_after_the_full_stop_belong_to_their_sentence():
    text = "Rolf struck him [1]. The miller fell. [2] Nobody saw it. Jan was at sea [1]."
    found = find_claims(text, [passage(EN), passage(EN, 2)], "What happened?")
    assert [(c.text, c.number) for c in found] == [
        ("Rolf struck him.", 1),
        ("The miller fell.", 2),
        ("Nobody saw it.", 1),  # as the next one, which is marked
        ("Jan was at sea.", 1),
    ]
    assert [text[c.start : c.end] for c in found] == [
        "Rolf struck him [1].",
        "The miller fell. [2]",
        "Nobody saw it.",
        "Jan was at sea [1].",
    ]


def test_a_list_has_a_claim_in_each_line():
    text = "Two things:\n\n- Rolf struck the miller [1]\n2. Jan went to sea [1]"
    found = find_claims(text, [passage(EN)], "What happened?")
    assert [c.text for c in found][1:] == ["Rolf struck the miller", "Jan went to sea"]
    assert "spade" in found[1].evidence and EN[slice(*found[2].quote)] == "Jan had gone to sea."


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("The miller fell in 1832 [1].", "its passage does not say “1832”"),
        ("The miller was struck by Hodge [1].", "its passage does not name Hodge"),
        ("The miller fell into the river.", "it cites no passage"),
        ("The miller fell [1].", "it only repeats the question"),
        ("The miller fell into the river in 1831 [1].", ""),
    ],
)
def test_rules(claim, reason):
    [found] = find_claims(claim, [passage(EN)], "When did the miller fall, when he fell?")
    why = find_contradiction(found, "When did the miller fall, when he fell?", [])
    assert (why.describe("en") if why else "") == reason


@pytest.mark.parametrize(
    ("text", "one", "other", "direction"),
    [
        ("Rolf struck Jan.", "Rolf", "Jan", 1),
        ("Jan was struck by Rolf.", "Rolf", "Jan", 1),
        ("Jan was struck by Rolf.", "Jan", "Rolf", -1),
        ("Rolf and Jan struck the miller.", "Rolf", "Jan", 0),
        ("Rolf went home; long after that Jan came.", "Rolf", "Jan", 0),
        ("鲁达打死了郑屠", "鲁达", "郑屠", 1),
        ("郑屠被鲁达三拳打死", "鲁达", "郑屠", 1),
        ("鲁达和郑屠", "鲁达", "郑屠", 0),
        ("鲁达把那个卖肉的镇关西郑屠打死", "鲁达", "郑屠", 1),
        ("Rolf slept.", "Rolf", "Jan", 0),
    ],
)
def test_the_direction_of_an_action(text, one, other, direction):
    assert find_direction(text, one, other) == direction


def test_reversed_roles_are_refused():
    [claim] = find_claims("鲁达被郑屠打死了[1]。", [passage(ZH)], "鲁达怎么死的？")
    names = ["鲁达", "郑屠"]
    why = find_contradiction(claim, "鲁达怎么死的？", names)
    assert why is not None and why.check == "reversed" and why.words == ("郑屠", "鲁达")
    [right] = find_claims("郑屠被鲁达打死了[1]。", [passage(ZH)], "郑屠怎么死的？")
    assert not find_contradiction(right, "郑屠怎么死的？", names)


@pytest.mark.parametrize(
    ("claim", "text", "fault"),
    [
        (
            "柳三娘是柳含章的女儿。",
            "都叫她柳三娘。她本名柳含章，原是一位老塾师的女儿。",
            ("柳含章", "女儿"),
        ),
        ("柳三娘是一位老塾师的女儿。", "都叫她柳三娘。她本名柳含章，原是一位老塾师的女儿。", None),
        ("柳三娘是柳含章的女儿。", "柳含章开着酒楼，柳三娘是他的女儿。", None),
        ("Ada was Hodge's daughter.", "Hodge milled. Ada was a smith's daughter, and poor.", "it"),
        ("Ada was the daughter of Hodge.", "Hodge milled. Ada was a smith's daughter.", "it"),
        ("Ada was the daughter of Hodge.", "Hodge milled. Ada was his daughter.", None),
        ("Ada was the daughter of Hodge.", "The daughter of old Hodge was Ada.", None),
        ("Ada was the heir of Hodge.", "Hodge left all that he had to Ada.", None),
    ],
)
def test_a_thing_belongs_to_the_owner_that_its_clause_names(claim, text, fault):
    question = "柳三娘是谁？" if "柳" in claim else "Who was Ada?"
    [one] = find_claims(f"{claim} [1]", [passage(text)], question)
    why = find_contradiction(one, question, [])
    if fault is None:
        assert why is None
    else:
        owner = ("Hodge", "daughter") if fault == "it" else fault
        assert why == ClaimFault("owner", owner) and all(w in why.describe("en") for w in owner)
    asked = f"{question} {claim}"
    assert find_contradiction(one, asked, []) in (None, ClaimFault("repeats"))


def test_names_in_another_script_are_not_compared():
    [claim] = find_claims("The butcher was killed by Lu Da [1].", [passage(ZH)], "Who died?")
    assert claim.number == 1 and not find_contradiction(claim, "Who died?", ["Lu Da"])


@pytest.mark.parametrize(
    ("text", "is_speech"),
    [
        ("If I were you, I'd go stretch myself over her grave [1].", True),
        ("He came home and I saw him [1].", True),
        ("我杀了他 [1]。", True),
        ("Charles I was king in World War I [1].", False),
        ("In this paper we propose a mine [1].", False),
        ("我国的首都是北京 [1]。", False),
    ],
)
def test_a_sentence_in_the_first_person_is_quoted(text: str, is_speech: bool) -> None:
    [found] = find_claims(text, [passage(text.replace(" [1]", ""))], "How did Hindley die?")
    why = find_contradiction(found, "How did Hindley die?", [])
    assert (why is not None and why.check == "speech") == is_speech
    asked = find_contradiction(found, "What did my brother say? 我问", [])
    assert asked is None or asked.check != "speech"


LIE = "The stranger laid down a bag. “In it is the head of the miller,” he cried. Then he left."
LIE_ZH = "铁臂把革囊丢下，大叫道：“囊中就是仇人的首级。”众人都不敢近前。"


@pytest.mark.parametrize(
    ("text", "question", "is_spoken"),
    [
        ("The head of the miller is in the bag.", "What is in the bag?", True),
        ("The stranger said the head of the miller was in it.", "What is in the bag?", False),
        ("The head of the miller is in the bag.", "What did the stranger say?", False),
        ("The stranger laid down a bag.", "What did he do?", False),
    ],
)
def test_direct_speech_is_not_stated_as_a_fact(text: str, question: str, is_spoken: bool) -> None:
    checked = check(f"{text} [1]", question, ScriptedChatModel(), passage(LIE))
    assert checked.text == f"{text} [1]" + (SPOKEN["en"] if is_spoken else "")
    found = RetrievalResult(question, "walk", (passage(LIE),))
    verdict = judge_short_answer(text, 1, 5.0, found.passages, found)
    stated = state_short_answer([JudgedPart(question, verdict)], found.passages, found, "en")
    assert stated.text.endswith(SPOKEN["en"]) is is_spoken


def test_a_swindlers_words_are_his_in_chinese() -> None:
    text = "囊中是仇人的首级。[1]"
    question = "革囊里是什么？"
    checked = check(text, question, ScriptedChatModel(), passage(LIE_ZH), language="zh")
    assert checked.text == text + SPOKEN["zh"]


def test_the_note_about_a_persons_words_is_in_the_language_of_the_question() -> None:
    text = "The head of the miller is in the bag. [1]"
    checked = check(text, "袋里是什么？", ScriptedChatModel(), passage(LIE), language="zh")
    assert checked.text == text + SPOKEN["zh"]
    found = RetrievalResult("袋里是什么？", "walk", (passage(LIE),))
    verdict = judge_short_answer("The head of the miller", 1, 5.0, found.passages, found)
    stated = state_short_answer([JudgedPart("", verdict)], found.passages, found, "zh")
    assert stated.text.endswith(SPOKEN["zh"])


@pytest.mark.parametrize(
    ("odds", "read", "stands"),
    [
        (0.5, ["Jan came back with a parrot."], True),
        (0.5, ["a spade"], False),
        (0.5, [], False),
        (0.5, None, True),  # passages were not read alone
        (0.9, ["a spade"], True),
    ],
)
def test_a_literal_sentence_in_doubt_needs_a_word_of_a_short_answer(odds, read, stands) -> None:
    text, question = "He came back with a parrot [1].", "What did Jan bring home?"
    checked = check(text, question, leaning(odds), passage(EN), short_answers=read)
    assert checked.text.startswith("He came back") is stands
    [verdict] = [one for one in checked.found.check.checked if "parrot" in one.text]
    assert (verdict.failed, verdict.needed) == (("", 0.3) if stands else ("unclear", 0.8))


def test_a_literal_sentence_that_asks_states_nothing() -> None:
    text = "Tom went in. Was it Rolf who had taken the spade? Nobody knew."
    claim = "Was it Rolf who had taken the spade? [1]"
    checked = check(claim, "Who had taken the spade away?", leaning(2.0), passage(text))
    assert [one.failed for one in checked.found.check.checked] == ["asked"]
    assert checked.text.startswith(INTRODUCTION["en"])


def test_a_literal_sentence_that_is_not_the_first_time_does_not_answer_for_it() -> None:
    text = "Jan met Rolf at the mill on a cold day. They ate there."
    claim = "Jan met Rolf at the mill on a cold day [1]."
    for question, failed in (("Where did Jan meet Rolf for the first time?", "order"),
                             ("Where did Jan meet Rolf?", "")):  # fmt: skip
        checked = check(claim, question, leaning(2.0), passage(text))
        assert [one.failed for one in checked.found.check.checked] == [failed]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            "Rolf struck the miller; Hodge sold seven clocks; Jan had gone to sea [1].",
            ["Rolf struck the miller", "Hodge sold seven clocks", "Jan had gone to sea."],
        ),
        ("Rolf struck; the miller fell into the river [1].",
         ["Rolf struck; the miller fell into the river."]),
        ("鲁达打死了郑屠；郑屠卖了三口猪；走了。 [1]",
         ["鲁达打死了郑屠", "郑屠卖了三口猪；走了。"]),
    ],
)  # fmt: skip
def test_the_items_of_a_list_are_claims_of_their_own(text: str, claims: list[str]) -> None:
    one = passage(ZH if "鲁" in text else EN)
    found = find_claims(text, [one], "What happened?")
    assert [claim.text for claim in found] == claims
    assert "".join(text[claim.start : claim.end] for claim in found) == text
    assert {claim.number for claim in found} == {1}


def test_a_wrong_item_of_a_list_leaves_the_others() -> None:
    text = "Rolf struck the miller with a spade; Hodge sold 77 clocks; Jan had gone to sea [1]."
    checked = check(text, "What happened?", ScriptedChatModel(), passage(EN))
    assert [one.failed for one in checked.found.check.checked] == ["", "number", ""]
    assert checked.text.startswith("Rolf struck the miller with a spade; ")
    assert "77" not in checked.text and checked.text.endswith("Jan had gone to sea [1].")


@pytest.mark.parametrize(
    ("text", "first", "quoted"),
    [
        ("唐僧道：“有甚话说！你去罢。”行者便走。", "唐僧道：“有甚话说！",
         "唐僧道：“有甚话说！你去罢。”"),
        ('Jan said, "Go! I will stay." Rolf left.', 'Jan said, "Go!',
         'Jan said, "Go! I will stay."'),
        ("唐僧道：“有甚话说！\n\n行者便走。", "唐僧道：“有甚话说！", "唐僧道：“有甚话说！"),
    ],
)  # fmt: skip
def test_a_quotation_has_the_rest_of_a_speech_that_it_opens(text, first, quoted) -> None:
    one = replace(passage(text), best_end=len(first))
    start, end = close_speech(one, (0, len(first)))
    assert text[start:end] == quoted


def test_the_model_is_asked_in_both_orders():
    model = ScriptedChatModel()
    [claim] = find_claims("Rolf struck the miller [1].", [passage(EN)], "Who struck?")
    assert ask_preference(claim, "Who struck?", model) == 2.0 > SURE
    first, second = (program for program, _, _ in model.script_lines)
    assert first.messages == second.messages, "passage and question are read once"
    assert claim.evidence in first.messages[-1].text
    assert [f"A. {SAYS_NOTHING[0]}" in one.text for one in (first, second)] == [False, True]

    always_a = ScriptedChatModel(reply=lambda *_: Choice((0.0, -9.0)))
    assert ask_preference(claim, "Who struck?", always_a) == 0.0


def test_what_does_not_stand_becomes_the_cited_sentence():
    text = "Rolf struck the miller with a spade [1]. Jan had drowned at sea [1]."
    checked = check(text, "What did they do?", doubting("drowned"), passage(EN))
    assert (
        checked.text == ("Rolf struck the miller with a spade [1]. “Jan had gone to sea.” [2]")
        or checked.text == "Rolf struck the miller with a spade [1]. “Jan had gone to sea.” [1]"
    )
    assert "drowned" not in checked.text
    stage = checked.found.stages[-1]
    assert stage.name == "answer checked" and "drowned" in stage.dropped[0]
    assert [one.failed for one in stage.checked] == ["", "unclear"]  # in the order of the answer
    rejected = stage.checked[1]
    assert rejected.text == "Jan had drowned at sea." and rejected.chunk_id == 1
    shown = EN[rejected.start : rejected.end]  # with the next one, since it is short
    assert shown == "Jan had gone to sea. He came back with a parrot."
    assert rejected.odds < rejected.needed == SURE
    assert stage.kept[0].startswith("Rolf struck the miller")
    quotes = {c.number: c.quote for c in checked.citations}
    assert "Jan had gone to sea." in quotes.values()


LITERAL = "Jan had gone to sea [1]. He came back with a parrot [1]."


def test_a_sentence_of_the_passage_stands_sooner_than_another() -> None:
    odds = (SURE_LITERAL + SURE) / 2
    assert check(LITERAL, "Where was Jan?", leaning(odds), passage(EN)).text == LITERAL
    other = check("Jan was a sailor then [1].", "Where was Jan?", leaning(odds), passage(EN))
    assert other.text.startswith(INTRODUCTION["en"]) and "> “Jan had gone" in other.text
    below = check(LITERAL, "Where was Jan?", leaning(SURE_LITERAL - 0.1), passage(EN))
    assert below.text.startswith(INTRODUCTION["en"])


def test_a_quotation_that_goes_on_stands_as_a_whole() -> None:
    """The second sentence is not asked about; beside another one it would not stand."""
    text = "Jan had gone to sea [1]. He came back with a parrot [1]."

    def reply(script, ask, line):
        liked = reply_alike(script, ask, line)
        asked = script.messages[-1].text.split("Question:")[-1] + script.text
        return Choice((0.0, 0.0)) if "parrot" in asked else liked

    kept = check(text, "Where was Jan?", ScriptedChatModel(reply=reply), passage(EN))
    assert kept.text == text
    apart = check(
        "The market opened at six [1]. He came back with a parrot [1].", "What?",
        ScriptedChatModel(reply=reply), passage(EN),
    )  # fmt: skip
    assert apart.text.startswith("The market opened at six [1].") and "“He came" in apart.text


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("Rolf struck the miller with a spade", True),
        ("rolf struck the miller, with a spade.", True),
        ("Rolf has struck a miller with the spade", True),  # articles and auxiliary verbs
        ("Rolf struck the miller with spades", False),
        ("Rolf never struck the miller with a spade", False),
        ("The miller struck Rolf with a spade", False),
        ("Nobody saw it", False),  # too short
        ("the miller with a spade the miller", False),
    ],
)
def test_literal_sentences(text, is_one) -> None:
    claim = find_claims(f"{text} [1]", [passage(EN)], "What?")[0]
    assert is_literal(claim) == is_one


@pytest.mark.parametrize(
    ("sentence", "number"),
    [
        ("The toll was 14 pence [1].", 2),
        ("Hodge paid the toll to Marrow [1].", 2),
        ("The toll was 15 pence [1].", 1),  # no passage has it
        ("The toll was paid [1].", 1),
    ],
)
def test_a_fact_that_another_source_has_alone_is_compared_with_that_source(sentence, number):
    toll = passage("A toll of 14 pence was paid at the ford. It went to Marrow by law.", 2)
    [claim] = find_claims(sentence, [passage(EN), toll], "What did Hodge pay?")
    assert claim.number == number


def test_a_copied_sentence_gets_the_number_of_its_passage() -> None:
    other = passage("Hodge kept bees. The bees were his only friends in those years.", 2)
    text = "The bees were his only friends in those years [1]."
    checked = check(text, "Who were his friends?", ScriptedChatModel(), passage(EN), other)
    assert checked.text == "The bees were his only friends in those years [2]."
    assert [c.chunk_id for c in checked.citations] == [2]


def test_literal_sentences_in_chinese() -> None:
    claim = find_claims("鲁达三拳打死了郑屠。 [1]", [passage(ZH)], "怎样？")[0]
    assert is_literal(claim)
    assert not is_literal(replace(claim, text="郑屠三拳打死了鲁达"))


def test_two_quotations_of_one_passage_lead_to_their_own_sentences():
    text = "The miller drowned himself in the river [1]. Jan had drowned at sea [1]."
    checked = check(text, "What did they do?", doubting("drowned"), passage(EN))
    assert checked.text.startswith(INTRODUCTION["en"]) and "drowned" not in checked.text
    by_number = {c.number: c for c in checked.citations}
    assert len(by_number) >= 2 and all(f"[{n}]" in checked.text for n in by_number)
    for citation in by_number.values():
        assert EN[citation.start : citation.end] == citation.quote


def test_the_best_window_is_quoted_once_where_nothing_stands():
    checked = check("It was Hodge who did it [1].", "Who did it?", ScriptedChatModel(), passage(EN))
    lines = checked.text.split("\n\n")
    assert lines[0] == INTRODUCTION["en"] and len(lines) == len(set(lines)) >= 2
    uncited = check("Hodge did it.", "Who did it?", ScriptedChatModel(), passage(EN))
    assert uncited.text.startswith(INTRODUCTION["en"]) and len(uncited.citations) == 1


def test_the_next_passages_are_quoted_too_where_nothing_stands():
    texts = ["Ada rowed to the mill.", "Tobias sold clocks there.", "Jan came home late.", "Rain."]
    given = [
        replace(passage(text, n), document_id=DocumentId(n), best_end=len(text))
        for n, text in enumerate(texts, 1)
    ]
    checked = check("It was Hodge [1].", "Who did it?", ScriptedChatModel(), *given)
    lines = checked.text.split("\n\n")[1:]
    assert lines == [f"> “{text}” [{n}]" for n, text in enumerate(texts[:3], 1)]
    assert [c.quote for c in checked.citations] == texts[:3]
    checked = check("It was Hodge [3].", "Who did it?", ScriptedChatModel(), *given)
    assert checked.text.split("\n\n")[1:3] == [f"> “{texts[0]}” [1]", f"> “{texts[2]}” [3]"]
    longer = replace(passage(f"{texts[0]} It was noon.", 5), best_end=36)
    again = check("It was Hodge [1].", "Who?", ScriptedChatModel(), given[0], longer, given[1])
    assert again.text.count("Ada rowed") == 1 and "Tobias sold clocks" in again.text


def test_passages_that_overlap_are_quoted_once():
    start, end = 26, EN.index("The miller fell")
    first = replace(passage(EN), best_start=start, best_end=end)
    again = replace(passage(EN, 2), start=start, end=len(EN), text=EN[start:])
    text = "It was Hodge who struck the miller [2]."
    checked = check(text, "Who?", ScriptedChatModel(), first, again)
    assert checked.text.count("struck the miller with a spade") == 1


@pytest.mark.parametrize("question", ["Where was Jan?", "Where was Jan, and his parrot?"])
def test_what_the_answer_has_word_for_word_is_not_quoted_again(question):
    start = EN.index("Nobody saw it")
    again = replace(passage(EN, 2), start=start, end=len(EN), text=EN[start:])
    text = "Jan had drowned at sea [1]. He came back with a parrot [2]."
    checked = check(text, question, doubting("drowned"), passage(EN), again)
    assert checked.text.count("parrot") == 1 and "“Jan had gone to sea.”" in checked.text


@pytest.mark.parametrize(
    ("speech", "end"),
    [
        ("Jan went. “I had the spade,” he said; “it was mine.” Nobody spoke.", ".”"),
        ('Jan went. "I had the spade," he said; "it was mine." Nobody spoke.', '."'),
        ("“Jan, the spade is mine.” Nobody spoke.", "Jan, the spade is mine."),
    ],
)
def test_a_quotation_has_the_mark_that_closes_a_speech_in_it(speech, end):
    first = replace(
        passage(speech), best_start=speech.index("Jan"), best_end=speech.index("mine.") + 5
    )
    checked = check("Hodge had it.", "Who?", ScriptedChatModel(), first)
    (citation,) = checked.citations
    assert citation.quote.endswith(end) and citation.quote in speech


def test_a_quotation_with_speech_in_it_has_no_marks_around_it():
    speech = 'The gate fell. "Rolf had the spade," said Jan to the miller.'
    checked = check("Hodge had it.", "Who?", ScriptedChatModel(), passage(speech, 1))
    quoted = [line for line in checked.text.split("\n\n") if line.startswith("> ")]
    assert quoted and "“" not in checked.text.replace(INTRODUCTION["en"], "")


def test_an_answer_has_few_quotations():
    text = "".join(f"It was sentence {n} with a word like word{n}. " for n in range(9))
    claims = " ".join(f"It was Hodge with word{n} [1]." for n in range(9))
    checked = check(claims, "Who?", ScriptedChatModel(), passage(text))
    assert checked.text.count("“") == MOST_QUOTED == len(checked.citations)


def test_a_quotation_has_no_markup_and_an_end():
    text = "He *never* [saw](x) `it`. " + "word " * 300
    checked = check("It was Hodge [1].", "Who?", ScriptedChatModel(), passage(text))
    shown = checked.text.replace(INTRODUCTION["en"], "").replace("\n\n> ", "\n\n")
    assert not set("*`<>") & set(shown) and "](x)" not in shown
    assert all(len(line) < LONGEST_WINDOW + 20 for line in shown.split("\n\n"))


@pytest.mark.parametrize(
    ("text", "question", "quoted"),
    [
        ("One man was called Gull. Captain Sayle had a brig. He was old.", "Who is called Gull?",
         "One man was called Gull. Captain Sayle had a brig."),
        ("It rained. Captain Sayle had a brig. The Gull, they called him.", "Who is called Gull?",
         "Captain Sayle had a brig. The Gull, they called him."),
        ("It rained. Captain Sayle, called Gull, had a brig. Gull was old.", "Who is called Gull?",
         "Captain Sayle, called Gull, had a brig."),
        ("海边只有一个人叫老鸥。沈船长有一条双桅船。他很老。", "谁叫老鸥？",
         "海边只有一个人叫老鸥。沈船长有一条双桅船。"),
    ],
)  # fmt: skip
def test_a_quotation_reaches_to_what_is_asked(text, question, quoted):
    one = passage(text)
    start = text.index("沈" if "沈" in text else "Captain")
    end = text.index("。" if "沈" in text else ".", start) + 1
    first, last = reach_asked(one, (start, end), question)
    assert text[first:last] == quoted


def test_a_quotation_has_no_blank_where_its_source_has_italics():
    said = passage('Jan had gone to sea, and it says: *The scale asks no name.*" He came back.')
    text = check("Jan sells parrots [1].", "What says it?", doubting("parrots"), said).text
    assert 'The scale asks no name."' in text


def test_of_an_answer_to_be_translated_the_rest_is_left_out():
    text = "Rolf struck the miller with a spade [1]. Jan had drowned at sea [1]."
    checked = check(text, "What?", doubting("drowned"), passage(EN), is_translated=True)
    assert checked.text == "Rolf struck the miller with a spade [1]."


def test_a_stopped_answer_says_that_it_was_not_checked():
    token = CancelToken()
    token.cancel()
    model = ScriptedChatModel()
    given = answer("Rolf struck", "Who?", passage(EN))
    checked = check_claims(given, [passage(EN)], model, token, "en")
    assert checked.text.startswith("Rolf struck\n\n(Stopped") and not model.script_lines
    nothing = answer("", "Who?", passage(EN))
    assert check_claims(nothing, [passage(EN)], model, token, "en").text == ""


def test_a_quotation_reaches_to_near_sentences_with_words_asked_for():
    text = (
        "It was cold. Tom hung the bell on the chain. You never heard such a noise. Then the chain "
        "sawed in the ring. Nobody slept. They ate bread. It was late. The ring was gold."
    )
    start = text.index("Tom")
    whole = replace(passage(text), best_start=start, best_end=text.index(" You"))
    first, last = extend_window(
        whole, (whole.best_start, whole.best_end), "What did the chain do to the ring?"
    )
    assert text[first:last].startswith("Tom hung") and text[first:last].endswith("in the ring.")
    cut = replace(whole, text=text[: text.index(" You")])
    given = answer("Hodge had it.", "What did the chain do to the ring?", whole)
    checked = check_claims(given, [cut], ScriptedChatModel(), CancelToken(), "en")
    assert "sawed in the ring" in checked.text  # also where the prompt had only a part


def test_a_quotation_leaves_out_the_heading_of_its_chapter():
    text = "IV. Gull\n\nThe Captain\n\nOne man was called Gull."
    first = replace(passage(text), best_end=len(text), heading="Part one · IV. Gull – The Captain")
    checked = check("Hodge had it.", "Who was called Gull?", ScriptedChatModel(), first)
    assert "“One man was called Gull.”" in checked.text


@pytest.mark.parametrize(("odds", "stands"), [(SURE_SHORT - 0.1, False), (SURE_SHORT, True)])
def test_a_short_answer_needs_its_own_certainty_even_where_it_is_copied(odds, stands):
    found = RetrievalResult("What did Rolf do?", "walk", (passage(EN),))
    copied = "Rolf struck the miller with a spade."
    verdict = judge_short_answer(copied, 1, odds, found.passages, found)
    assert verdict.stands is stands
    assert bool(verdict.reason) is not stands


def test_the_rules_hold_for_short_answers_however_sure_the_model_is():
    found = RetrievalResult("Who had gone to sea?", "walk", (passage(EN),))
    verdict = judge_short_answer("Peter Marsh", 1, 5.0, found.passages, found)
    assert not verdict.stands and verdict.reason == ClaimFault("name", ("Marsh",))


@pytest.mark.parametrize(
    ("question", "text", "reason", "stands"),
    [
        ("Why did the knights run?", "The knights ran to guard the roads.", "To guard", True),
        ("Why did the man weep?", "He wept. She ran back to fetch a box.", "To fetch a box", False),
        ("What did she do then?", "He wept. She ran back to fetch a box.", "To fetch a box", True),
        ("唐僧为什么离开长安？", "唐僧离开长安去取经。", "去取经", True),
        ("唐僧为何离开长安？", "唐僧走了。八戒要去取经。", "要去取经", False),
    ],
)
def test_a_reason_is_from_a_sentence_with_what_it_is_the_reason_of(question, text, reason, stands):
    found = RetrievalResult(question, "walk", (passage(text),))
    verdict = judge_short_answer(reason, 1, 2.0, found.passages, found)
    assert verdict.stands is stands and verdict.may_be_right is not stands


def test_a_question_in_the_text_confirms_nothing():
    asks, says = "那先生怒目道：“你师父可是唐三藏么？”", "行者笑道：“师父正是唐三藏。”"
    for sentence, stands in ((asks, False), (says, True)):
        found = RetrievalResult("悟空的师父是谁？", "walk", (passage(sentence),))
        verdict = judge_short_answer("唐三藏", 1, 2.0, found.passages, found)
        assert verdict.stands is stands
        assert stands or (verdict.may_be_right and verdict.reason == ClaimFault("asked"))


def test_a_short_answer_that_stands_is_stated_and_the_rejected_ones_have_reasons():
    found = RetrievalResult("Who had gone to sea?", "walk", (passage(EN),))
    rolf, jan = (
        judge_short_answer(name, 1, odds, found.passages, found)
        for name, odds in (("Rolf", -1.0), ("Jan", 1.0))
    )
    parts = [JudgedPart(found.question, jan, (rolf,))]
    answer = state_short_answer(parts, found.passages, found, "en")
    assert answer.text == "Jan [1]."
    [stage] = answer.found.stages
    assert stage.kept[0].startswith("Jan") and stage.dropped[0].startswith("Rolf (")
    assert [(one.text, one.failed) for one in stage.checked] == [("Rolf", "unclear"), ("Jan", "")]
    assert {one.needed for one in stage.checked} == {SURE_SHORT}


def test_each_part_of_a_question_has_its_answer_or_says_that_none_was_found():
    found = RetrievalResult("Who had gone to sea, and why did he go?", "walk", (passage(EN),))
    jan = judge_short_answer("Jan", 1, 1.0, found.passages, found)
    rolf = judge_short_answer("Rolf", 1, -1.0, found.passages, found)
    parts = [
        JudgedPart("Who had gone to sea?", jan),
        JudgedPart("why did he go?", None, (rolf,)),
    ]
    answer = state_short_answer(parts, found.passages, found, "en")
    assert answer.text == f"- Who had gone to sea? Jan [1].\n- why did he go? {NO_ANSWER['en']}"
    assert [c.number for c in answer.citations] == [1]
    assert [one.text for one in answer.found.stages[0].checked] == ["Jan", "Rolf"]
    [(words, citation, is_stated)] = iter_shown(answer)
    assert words.endswith("Jan") and citation.number == 1 and is_stated


def test_an_answer_belongs_to_the_part_whose_words_its_sentence_has():
    text = "秤房的铜权上刻着无私二字。临别时送他一枚小铜权，上面刻着四个字：秤不问名。"
    parts = ["秤房的铜权上刻的是什么字？", "送给海鸥的小铜权上又刻着什么？"]
    small = judge_short_answer("秤不问名", 1, 9.0, [passage(text)], answer("", parts[0]).found)
    large = judge_short_answer("无私", 1, 9.0, [passage(text)], answer("", parts[0]).found)
    assert answers_another(small.claim, [passage(text)], parts[0], parts[1:])
    assert not answers_another(small.claim, [passage(text)], parts[1], parts[:1])
    assert not answers_another(large.claim, [passage(text)], parts[0], parts[1:])
    assert not answers_another(small.claim, [passage(text)], parts[0], [])


def test_the_record_of_a_check_has_what_each_rejection_is_about():
    text = "The miller fell in 1832 [1]. The miller was struck by Hodge [1]. Rain fell."
    checked = check(text, "What happened?", ScriptedChatModel(), passage(EN))
    [stage] = [one for one in checked.found.stages if one.name == "answer checked"]
    assert [(one.failed, one.words) for one in stage.checked] == [
        ("number", ("1832",)),
        ("name", ("Hodge",)),
        ("uncited", ()),
    ]
    assert [one.chunk_id for one in stage.checked] == [1, 1, 0]
    assert {one.needed for one in stage.checked} == {0.0}, "the model was not asked"
    assert {one.unlisted for one in stage.checked} == {None}
    given = answer("The miller fell in 1832 [1].", "What happened?")  # of a relation's sentence
    other = check_claims(given, [passage(EN)], ScriptedChatModel(), CancelToken(), "en")
    assert [one.unlisted for one in other.found.check.checked] == [passage(EN)]


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("The miller paid 8 crowns [1].", ClaimFault("number", ("8",))),  # of 18
        ("The miller paid 18 crowns [1].", None),
        ("The miller paid 1200 crowns [1].", None),
        ("The miller paid 200 crowns [1].", ClaimFault("number", ("200",))),
        # the first one in the text
        ("The miller paid 3,400 of 9,100 crowns [1].", ClaimFault("number", ("3400",))),
        ("The miller paid 2.5 crowns [1].", ClaimFault("number", ("2.5",))),  # of 12.5
        ("The miller planned it with Ann [1].", ClaimFault("name", ("Ann",))),
        ("The miller paid for Bennet [1].", None),
    ],
)
def test_numbers_and_names_are_compared_as_whole_words(sentence, reason):
    text = "The miller had planned it. He paid 18 crowns, 1,200 in all, 12.5 for the Bennets."
    [claim] = find_claims(sentence, [passage(text)], "What did he pay?")
    assert find_contradiction(claim, "What did he pay?", []) == reason


@pytest.mark.parametrize(
    ("sentence", "passage_text", "missing"),
    [
        ("Rolf struck the merchant with a spade.", EN, ["merchant"]),
        ("The millers were struck in 1832.", EN, ["1832"]),  # other endings are no other words
        ("Jan had gone to sea.", EN, []),
        ("林冲的妻子是张氏。", "林冲的娘子张氏，", ["妻子"]),
        ("鲁达打死了郑屠。", ZH, []),
        ("鲁达打死了西门庆。", ZH, ["西门庆"]),
        ("Jan came back because of a parrot.", EN, []),  # a word that only links others
        ("因为鲁达打死了郑屠。", ZH, []),
        ("Lu Da killed the butcher.", ZH, []),  # words of two languages are not compared
    ],
)
def test_the_words_that_a_passage_does_not_have(sentence, passage_text, missing):
    spans = find_missing_words(sentence, passage_text)
    assert [sentence[start:end] for start, end in spans] == missing


@pytest.mark.parametrize("limit", [SURE, SURE_LITERAL, SURE_SHORT])
def test_the_number_of_a_rejected_sentence_is_below_the_one_it_needs(limit):
    assert show_odds(limit - 0.001) < show_odds(limit, needed=True)
    assert [show_odds(odds) for odds in (-900.0, 0.0, 900.0)] == [0, 50, 100]
