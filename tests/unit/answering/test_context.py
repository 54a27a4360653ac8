"""Tests the prompt: token budget, sources, and what stays the same between turns."""

from __future__ import annotations

import re

import pytest

from desktop_app.engine.answering.citations import is_refusal
from desktop_app.engine.answering.context import (
    FIRST_TOKEN_S,
    SHARES,
    ReadingSpeed,
    TokenBudget,
    build_context,
    build_conversation,
    build_messages,
    choose_passages,
    cut_unfinished,
    plan_budget,
)
from desktop_app.engine.llm.protocols import ChatRun
from desktop_app.engine.model import ChatMessage, Passage
from desktop_app.engine.query import LIST_FORM, LONG_FORM, SHORT_FORM, QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from tests.fakes import HashEmbedder, ScriptedChatModel
from tests.story_library import open_story_library

COUNT = ScriptedChatModel().count_tokens


@pytest.fixture
def library(tmp_path):
    with open_story_library(tmp_path) as made:
        yield made


def find(library, question, **param):
    return Retriever(library.writer, HashEmbedder).find(question, QueryParam(**param))


def context_of(library, found, budget):
    return build_context(library.writer, found, budget, COUNT, "en")


def test_every_number_in_the_context_is_a_source(library):
    found = find(library, "Who was lost near Port Ellis?", mode="mix")
    made = context_of(library, found, TokenBudget(400, 80, 120))
    numbers = {int(n) for n in re.findall(r"\[(\d+)\]", made.text)}
    assert numbers == set(range(1, len(made.sources) + 1))
    texts = dict(library.writer.rows("SELECT document_id, text FROM document_text"))
    for source in made.sources:
        assert texts[source.document_id][source.start : source.end] == source.text


def test_entities_and_relations_precede_passages_and_are_cut_to_their_token_limits(library):
    found = find(library, "Who was lost near Port Ellis?", mode="hybrid")
    assert found.entities and found.relations
    made = context_of(library, found, TokenBudget(400, 60, 60))
    assert made.text.index("Names:") < made.text.index("Relations:") < made.text.index("Passages:")
    names = next(s for s in made.stages if s.name == "names in the context")
    assert names.kept and len(names.kept) + len(names.dropped) <= len(found.entities)
    between = made.text[made.text.index("Names:") : made.text.index("Relations:")]
    assert COUNT(between) <= 60 + 10
    assert COUNT(made.text) <= 400


def test_dropped_passages_are_reported(library):
    found = find(library, "Who was lost near Port Ellis?")
    made = context_of(library, found, TokenBudget(70))
    stage = made.stages[-1]
    assert stage.name == "context" and len(stage.kept) == 1
    assert len(stage.kept) + len(stage.dropped) == len(found.passages)
    assert "of 70 tokens" in stage.note


def test_entities_bring_in_nothing_from_excluded_documents(library):
    tea = library.writer.value("SELECT id FROM document WHERE file_name = 'tea.txt'")
    found = find(library, "Clara Wren 沈砚", mode="mix", document_ids=(tea,))
    made = context_of(library, found, TokenBudget(600, 150, 150))
    assert {source.document_id for source in made.sources} == {tea}
    assert "Clara" not in made.text and "沈砚" in made.text


def passage(chunk_id: int, best: int = 0) -> Passage:
    text = " ".join(f"Chunk {chunk_id} has the sentence number {i}." for i in range(40))
    start = text.index(f"number {best}.") - 27
    return Passage(chunk_id, 1, "T", 0, len(text), 1.0, text, max(0, start), start + 30)


def test_passages_of_earlier_turns_stay_first_and_unchanged():
    before = choose_passages([passage(1), passage(2), passage(3)], 800, COUNT)
    assert [p.chunk_id for p in before] == [3, 2, 1]
    again = choose_passages([passage(4), passage(2), passage(3)], 800, COUNT, before)
    assert [p.chunk_id for p in again] == [3, 2, 4]
    assert [p.text for p in again[:2]] == [p.text for p in before[:2]]
    elsewhere = choose_passages([passage(2), passage(3, best=39)], 800, COUNT, before)
    assert "number 39." in elsewhere[0].text


def test_the_best_passage_comes_last_even_if_it_was_in_an_earlier_prompt():
    before = choose_passages([passage(1), passage(2), passage(3)], 800, COUNT)
    again = choose_passages([passage(3), passage(2), passage(1)], 800, COUNT, before)
    assert [p.chunk_id for p in again] == [1, 2, 3]
    same = choose_passages([passage(1), passage(3), passage(2)], 800, COUNT, before)
    assert same == before


def test_better_passages_have_more_of_their_text():
    chosen = choose_passages([passage(i) for i in range(1, 6)], 800, COUNT)
    sizes = [COUNT(p.text) for p in reversed(chosen)]
    assert sizes == sorted(sizes, reverse=True)
    assert 300 <= sizes[0] <= 400 and 150 <= sizes[1] <= 250
    assert len(sizes) >= 4


def test_kept_passages_do_not_exceed_the_budget():
    before = choose_passages([passage(1), passage(2), passage(3)], 800, COUNT)
    for first in range(4, 8):
        again = choose_passages([passage(n) for n in (first, 1, 2, 3)], 800, COUNT, before)
        assert sum(COUNT(p.text) + COUNT(p.title) + 6 for p in again) <= 800


def test_the_last_ranked_passage_is_cut_to_what_is_left():
    chosen = choose_passages([passage(i) for i in range(1, 6)], 340, COUNT)
    assert len(chosen) == 2
    assert [p.chunk_id for p in chosen] == [2, 1]
    assert COUNT(chosen[0].text) < COUNT(chosen[1].text)
    assert sum(COUNT(p.text) + COUNT(p.title) + 6 for p in chosen) <= 340


def test_the_token_budget_depends_on_the_prompt_speed():
    slow, usual, fast = (plan_budget(QueryParam(), 8192, r, 150) for r in (20.0, 100.0, 400.0))
    assert slow.context < usual.context < fast.context
    assert usual.context + 150 <= 100 * FIRST_TOKEN_S
    assert plan_budget(QueryParam(), 8192, 1e6, 150).context < 8192 - 300
    assert plan_budget(QueryParam(), 1024, 1e6, 150).context < 1024 - 300 - 150
    waited = plan_budget(QueryParam(), 8192, 100.0, 150, spent_s=8.0)
    assert waited.context < usual.context


def test_given_limits_are_respected():
    given = plan_budget(QueryParam(mode="mix", max_total_tokens=2000), 8192, 10.0, 150)
    assert given.context == 1850 and given.entities == int(SHARES[1] * 1850)
    param = QueryParam(mode="local", max_entity_tokens=7, max_relation_tokens=9)
    parts = plan_budget(param, 8192, 100.0, 150)
    assert (parts.entities, parts.relations) == (7, 9)
    assert plan_budget(QueryParam(), 8192, 100.0, 150).entities == 0


def test_the_prompt_speed_is_measured_on_the_last_long_prompts():
    pace, model = ReadingSpeed(), ScriptedChatModel(name="m")
    usual = pace.get_rate(model)
    pace.record(model)
    assert pace.get_rate(model) == usual
    for n_reused, rate in ((0, 40.0), (580, 9000.0), (0, 20.0), (100, 30.0)):
        model.last_run = ChatRun(600, n_reused, (600 - n_reused) / rate)
        pace.record(model)
    assert pace.get_rate(model) == pytest.approx(30.0) and not pace.is_fast(model)
    other = ScriptedChatModel(name="other")
    assert pace.get_rate(other) == usual and pace.is_fast(other)


def test_instructions_are_the_same_for_all_turns_and_the_question_comes_last():
    options = QueryParam(user_prompt="Be kind.", response_type="Bullet Points")
    plain = build_messages("Who?", "[1] T\nText.", "", QueryParam(), "en")
    later = build_messages("And he?", "[1] T\nText.", "Q: Who?\nA: Ann.", options, "en")
    assert plain[0] == later[0]
    text = later[1].text
    assert text.index("Text.") < text.index("A: Ann.") < text.index("And he?")
    assert "Bullet Points" in text and text.endswith("Be kind.")
    shared = len("Sources:\n\n[1] T\nText.")
    assert plain[1].text[:shared] == text[:shared]


def test_a_custom_system_prompt_gets_the_context():
    param = QueryParam(
        system_prompt="As a pirate. {context_data} {response_type}", response_type="A"
    )
    system, asked = build_messages("Who {is} it?", "[1] {x}", "", param, "en")
    assert system.text == "As a pirate. [1] {x} A"
    assert asked.text.startswith("Who {is} it?") and "[1]" not in asked.text
    bare = build_messages("Who?", "[1] T", "", QueryParam(system_prompt="Short."), "en")
    assert bare[0].text == "Short." and "[1] T" in bare[1].text


def test_bypass_mode_keeps_the_chat_history_unchanged():
    history = (ChatMessage("user", "Hi"), ChatMessage("assistant", "Hello"))
    roles = [m.role for m in build_conversation("Why?", history, QueryParam(), "en")]
    assert roles == ["system", "user", "assistant", "user"]


@pytest.mark.parametrize(
    ("text", "nothing"),
    [
        ("Your documents don't seem to say.", True),
        ("Your documents don't seem to say. [1]", True),
        ("您的文档中似乎没有提到。", True),
        ("The sources do not mention any submarine.", True),
        ("Marley was dead. The documents don't say how he died.", False),
        ("He did not mention the documents to her.", False),
    ],
)
def test_answers_that_nothing_was_found_are_recognised(text, nothing):
    assert is_refusal(text) is nothing


def test_the_response_type_limits_the_length_of_the_answer():
    forms = (SHORT_FORM, "", LIST_FORM, LONG_FORM)
    n_short, n_usual, n_list, n_long = (
        plan_budget(QueryParam(response_type=form), 8192, 1e6, 150).answer for form in forms
    )
    assert n_short < n_usual < n_list < n_long
    assert plan_budget(QueryParam(response_type="A sonnet"), 8192, 1e6, 150).answer == n_list


def test_a_known_response_type_is_requested_in_the_language_of_the_question():
    param = QueryParam(response_type=SHORT_FORM)
    assert "一两句话" in build_messages("谁？", "[1] 甲", "", param, "zh")[1].text
    assert SHORT_FORM in build_messages("Who?", "[1] A", "", param, "en")[1].text


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("He left [1]. She stayed [2]. And then the", "He left [1]. She stayed [2]."),
        ("林冲上了梁山[1]。后来他又", "林冲上了梁山[1]。"),
        ("- Ada, who rows the ferry\n- Tobias, w", "- Ada, who rows the ferry"),
        ("He left [1]. She stayed [2].", "He left [1]. She stayed [2]."),
        ("A sentence that has no end as far as it", "A sentence that has no end as far as it …"),
    ],
)
def test_a_truncated_answer_ends_with_a_whole_sentence(written, kept):
    assert cut_unfinished(written) == kept
