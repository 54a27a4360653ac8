"""Tests the measures of answers, their intervals and comparisons, on invented answers."""

from __future__ import annotations

import pytest

from desktop_app.engine.answering.citations import (
    NOT_IN_READ,
    NOT_SAID,
    ONLY_PASSAGES,
    UNKNOWN,
    UNRELATED,
)
from desktop_app.engine.answering.claims import INTRODUCTION
from desktop_app.engine.answering.guesses import PERHAPS
from desktop_app.engine.messages import Message
from desktop_app.engine.model import Answer, Citation, Passage, RetrievalResult, Stage
from desktop_app.engine.services.evaluation.measures import (
    MEASURES,
    answer_f1,
    answer_in_text,
    claim_in_citation,
    contained_share,
    covered_share,
    evidence_recall,
    is_equal,
    is_refused,
    is_stated,
    iter_shown,
    list_sourced,
    measure_outcome,
    share_of_gold,
    short_f1,
    statement_words,
    token_f1,
)
from desktop_app.engine.services.evaluation.model import (
    EvaluationQuestion,
    Outcome,
    ShownCitation,
    ShownClaim,
    Span,
)
from desktop_app.engine.services.evaluation.places import PlacedEvidence, PlacedQuestion
from desktop_app.engine.services.evaluation.statistics import (
    CHANCE,
    WinRate,
    compare,
    sign_test,
    summarise,
)

BY_KEY = {measure.key: measure for measure in MEASURES}


@pytest.mark.parametrize(
    ("gold", "text", "share"),
    [
        ("Cornish heath", "It is the Cornish heath.", 1.0),
        ("Outside the cottage", "He stood by Toto's cottage.", 0.5),
        ("The bear", "The beard.", 0.0),
        ("of the", "anything", 1.0),
    ],
)
def test_containment_counts_content_words_of_the_gold_answer(gold, text, share):
    assert contained_share(gold, text) == share


def test_f1_counts_words_as_squad_does():
    assert token_f1("The Cornish heath!", "Cornish heath") == 1.0
    assert token_f1("Cornish heath near Truro", "Cornish heath") == pytest.approx(2 * 0.5 / 1.5)
    assert token_f1("Raccoon raccoon", "Raccoon") == pytest.approx(2 / 3)
    assert token_f1("", "Raccoon") == token_f1("Bear", "Raccoon") == 0.0
    assert token_f1("in 1842", "1842") == pytest.approx(2 / 3)  # only articles are left out
    assert answer_f1("a bear", ["Raccoon", "bear"]) == 1.0


def test_short_answers_are_equal_by_letters_and_numbers():
    assert is_equal("朗·霍华德。", "朗霍华德") and is_equal("The miller.", "the miller")
    assert not is_equal("1621年", "1622年")


def test_f1_of_chinese_answers_counts_the_longest_common_part():
    assert short_f1("巴黎城西边", "法国巴黎城西边") == pytest.approx(2 * 5 / 12)
    assert share_of_gold("法国巴黎", "它在法国巴黎城西边") == 1.0
    assert share_of_gold("法国巴黎", "巴黎") == 0.5
    assert answer_in_text(["x", "巴黎"], "它在法国巴黎") == 1.0


@pytest.mark.parametrize(
    ("text", "refused", "stated"),
    [
        (NOT_SAID["en"], True, False),
        (f"{UNRELATED['en']}\n\n> “A long passage.” [1]", True, False),
        (UNKNOWN["zh"].format("武松"), True, False),
        (f"{NOT_IN_READ['en']}\n\n> {'A long passage. ' * 30} [1]", True, False),
        (f"{NOT_IN_READ['zh']}\n\n> “武松打虎。” [1]", True, False),
        (f"{ONLY_PASSAGES['en']}\n\n> “A passage.” [1]", False, False),
        (f"{INTRODUCTION['en']}\n\n> “A passage.” [1]", False, False),
        (f"{PERHAPS['en'].format('The miller', 1)}\n\n> “A passage.” [1]", False, False),
        ("The miller [1].", False, True),
    ],
)
def test_refusals_and_quotations_are_known_apart(text, refused, stated):
    assert (is_refused(text), is_stated(text)) == (refused, stated)


def test_evidence_counts_by_its_characters_and_the_best_of_several_places():
    spans = [Span(1, 0, 10), Span(1, 8, 20), Span(2, 100, 700)]
    assert covered_share(spans, 1, 5, 25) == 0.75
    twice = PlacedEvidence((Span(3, 0, 10, "x"), Span(1, 10, 30, "x")))
    assert evidence_recall([twice], spans) == 0.5
    page, other = PlacedEvidence((Span(2, 0, 3000),)), PlacedEvidence((Span(2, 650, 3000),))
    assert evidence_recall([page, other], spans) == 0.5  # 600 characters of one, 50 of the other
    assert statement_words(["Ada wound clocks", "Tom"], ["Ada wound", "clocks"]) == pytest.approx(
        1 / 3
    )


def test_a_citation_has_the_words_that_the_question_lacks():
    question = "Who kept a shop?"
    assert claim_in_citation("Tobias Quill kept a shop", "So Quill kept it.", question) == 0.5
    assert claim_in_citation("He kept a shop", "Nothing.", "Who kept a shop? he") == 1.0
    assert claim_in_citation("柳三娘开店", "店主柳三娘", "谁开店？") == pytest.approx(2 / 3)


def test_claims_of_an_answer_have_what_they_cite():
    text = "Ada rowed. Tobias sold clocks. Nobody saw it."
    citations = (Citation(1, 1, 1, "Tale", 0, 10, "Ada rowed."),
                 Citation(2, 2, 1, "Tale", 11, 30, "Tobias sold clocks."))  # fmt: skip
    passages = (Passage(1, 1, "Tale", 0, 10, 1.0, text[:10], 0, 10),
                Passage(2, 1, "Tale", 11, 30, 0.9, text[11:30], 11, 30))  # fmt: skip
    checked = Stage("answer checked", ("Ada rowed. 1.2",))
    found = RetrievalResult("Who?", "walk", passages, stages=(checked,))
    answer = Answer("Ada rowed [1]. “Tobias sold clocks.” [2]", citations, found)
    assert [(words, c.number, stated) for words, c, stated in iter_shown(answer)] == [
        ("Ada rowed", 1, True),
        ("“Tobias sold clocks.”", 2, False),
    ]
    [sourced] = list_sourced(answer)
    assert (sourced.text, sourced.evidence) == ("Ada rowed.", "Ada rowed.")


ASKED = EvaluationQuestion("Who kept a shop?", ("Tobias Quill",))
PLACED = PlacedQuestion(ASKED, (PlacedEvidence((Span(1, 0, 20, "x"),)),), ("Quill sold clocks",))
SHOWN = Outcome(
    "Tobias Quill did [1].",
    claims=(ShownClaim("Tobias Quill did", "Tobias Quill kept a shop."),),
    citations=(ShownCitation(1, "Tale", "Tobias Quill kept a shop.", 1, 0, 25),),
    passages=(Span(1, 0, 40, "…"),),
    sources=(Span(1, 10, 40, "Quill kept it"),),
    has_model=True,
    first_s=1.5,
    seconds=3.0,
    n_prompt_tokens=900,
    n_written_tokens=7,
)


def test_an_outcome_has_the_measures_that_apply():
    assert measure_outcome(PLACED, SHOWN) == {
        "evidence_recall": 1.0,
        "evidence_in_prompt": 0.5,
        "statement_words": pytest.approx(1 / 3),
        "answer_in_prompt": 0.5,
        "answered": 1.0,
        "f1": pytest.approx(0.8),
        "answer_shown": 1.0,
        "answer_in_citation": 1.0,
        "claim_in_citation": 1.0,
        "first_s": 1.5,
        "seconds": 3.0,
        "prompt_tokens": 900.0,
        "written_tokens": 7.0,
    }
    only_found = Outcome(passages=SHOWN.passages, sources=SHOWN.sources)
    assert set(measure_outcome(PLACED, only_found)) == {
        "evidence_recall", "evidence_in_prompt", "statement_words", "answer_in_prompt", "answered",
    }  # fmt: skip
    unanswerable = PlacedQuestion(EvaluationQuestion("Why?", is_answerable=False))
    refused = Outcome(NOT_SAID["en"], is_refused=True, has_model=True)
    assert measure_outcome(unanswerable, refused)["refused"] == 1.0
    assert "answered" not in measure_outcome(unanswerable, refused)
    assert measure_outcome(PLACED, Outcome(error=Message("too long"))) == {}
    quoted = Outcome(f"{INTRODUCTION['en']} “Tobias Quill” [1]", has_model=True)
    assert measure_outcome(PLACED, quoted)["f1"] == 0.0  # nothing is stated


def test_a_mean_has_an_interval_and_times_a_median_and_a_tail():
    share = summarise([0.0, 1.0] * 10, BY_KEY["f1"])
    assert (share.value, share.n) == (0.5, 20)
    assert 0.2 < share.low < 0.35 and 0.65 < share.high < 0.8
    assert summarise([0.0, 1.0] * 10, BY_KEY["f1"]) == share  # the same every time
    time = summarise([float(n) for n in range(1, 101)], BY_KEY["seconds"])
    assert (time.value, time.p95) == (50.5, pytest.approx(95.05))
    one = summarise([0.25], BY_KEY["f1"])
    assert (one.low, one.high) == (0.25, 0.25)


def test_twenty_questions_prove_little_and_the_comparison_says_so():
    first = {n: 1.0 for n in range(20)}
    second = first | {0: 0.0, 1: 0.0, 2: 0.0}
    found = compare(first | {19: 0.0}, second, BY_KEY["f1"])
    assert found is not None
    assert (found.n_better, found.n_worse, found.n_equal) == (3, 1, 16)
    assert found.p == pytest.approx(0.625) and "may be chance" in found.verdict
    assert found.verdict == (
        "better in 3, worse in 1, equal in 16 of 20 questions: this may be chance (p = 0.62)"
    )
    clear = compare(first, {n: 0.0 for n in range(20)}, BY_KEY["f1"])
    assert clear is not None and clear.p < CHANCE and "hardly chance" in clear.verdict
    assert compare(first, first, BY_KEY["f1"]).verdict.endswith("no difference")
    assert compare({1: 1.0}, {2: 1.0}, BY_KEY["f1"]) is None
    assert compare(first, first, BY_KEY["prompt_tokens"]) is None  # neither more nor less is better


def test_less_time_is_better_and_half_a_second_is_no_difference():
    found = compare({1: 2.0, 2: 5.0}, {1: 4.0, 2: 5.3}, BY_KEY["seconds"])
    assert found is not None and (found.n_better, found.n_equal) == (1, 1)
    assert found.difference == pytest.approx(-1.15)


def test_the_sign_test_is_exact_and_has_no_largest_number():
    assert sign_test(0, 0) == 1.0
    assert sign_test(6, 0) == pytest.approx(2 / 64)
    assert sign_test(3, 3) == 1.0
    assert 0.0 <= sign_test(3000, 2000) < 1e-40
    assert WinRate("overall", 9, 0, 3).verdict.endswith("hardly chance (p = 0.004)")
    assert "may be chance" in WinRate("overall", 2, 1, 9).verdict
