"""Answers in a few words: what is read, proposed and shown, and when the whole prompt is read."""

from __future__ import annotations

import pytest

from desktop_app.engine.answering.citations import UNRELATED
from desktop_app.engine.answering.pipeline import AnswerPipeline
from desktop_app.engine.answering.short_answers import (
    LARGE_MODEL,
    MOST_READ,
    Readings,
    ShortAnswer,
    choose_proposals,
    read_one_by_one,
    suits_short_answer,
)
from desktop_app.engine.errors import AppError
from desktop_app.engine.model import Answer, ChunkId, DocumentId, Passage, RetrievalResult
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.prompt_program import Choice, Write, Written
from desktop_app.engine.query import LIST_FORM, LONG_FORM, SHORT_FORM, QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from tests.fakes import HashEmbedder, ScriptedChatModel, reply_alike
from tests.story_library import open_story_library

QUESTION = "Who was lost near Port Ellis?"
FORGE = "Dick Rolf kept the forge at Marl. His sister Ada sold fish on the quay."
MILL = "The miller of Marl had two sons and a blind horse."


def passage(text: str, score: float, chunk: int) -> Passage:
    return Passage(ChunkId(chunk), DocumentId(1), "Marl", 0, len(text), score, text, 0, len(text))


def answering(by_passage: dict[str, str], *, likes: bool = True, **options) -> ScriptedChatModel:
    """Return a model that answers passages with these words; "none" to all others."""

    def reply(script, ask, line):
        if isinstance(ask, Write):
            words = next((a for part, a in by_passage.items() if part in script.text), " none")
            return Written(words, n_tokens=2, mean_logprob=-0.1)
        liked = reply_alike(script, ask, line)
        return liked if likes else Choice(liked.logprobs[::-1])

    return ScriptedChatModel(reply=reply, **options)


@pytest.fixture
def library(tmp_path):
    with open_story_library(tmp_path) as made:
        yield made


def build_pipeline(library, model) -> AnswerPipeline:
    return AnswerPipeline(Retriever(library.writer, HashEmbedder), library.writer, lambda: model)


def test_passages_are_read_alone_and_the_best_first():
    sources = [passage(MILL, 0.2, 1), passage(FORGE, 0.9, 2)]
    model = answering({"forge": " Dick Rolf"})
    found = read_one_by_one("Who kept the forge?", sources, model, "en")
    assert [(one.text, one.number) for one in found.answers] == [("Dick Rolf", 2), ("", 1)]
    assert [program.text for program, _, _ in model.script_lines] == [FORGE, MILL]


def test_only_the_best_passages_are_read():
    sources = [passage(f"{MILL} {n}", n / 10, n) for n in range(1, 9)]
    model = answering({})
    found = read_one_by_one("Who kept the forge?", sources, model, "en")
    assert [answer.number for answer in found.answers] == [8, 7, 6, 5][:MOST_READ]


def test_an_answer_that_does_not_end_is_not_proposed():
    model = ScriptedChatModel(reply=lambda *_: Written("Dick Rolf kept", 32, ended="long"))
    sources = [passage(FORGE, 1.0, 1)]
    [answer] = read_one_by_one("Who kept the forge?", sources, model, "en").answers
    assert answer.text and not answer.is_whole
    assert choose_proposals([answer], "Who kept the forge?", sources) == []


def test_a_cancelled_reading_gives_nothing():
    cancel = CancelToken()
    cancel.cancel()
    sources = [passage(FORGE, 1.0, 1)]
    found = read_one_by_one("Who kept it?", sources, answering({}), "en", cancel)
    assert found.answers == () and not found.is_in_none


@pytest.mark.parametrize("words", ["none", "None.", "无", "无。"])
def test_the_word_for_no_answer_is_no_answer(words):
    model = answering({"forge": words})
    sources = [passage(FORGE, 1.0, 1)]
    [found] = read_one_by_one("Who kept the forge?", sources, model, "en").answers
    assert found.text == ""


@pytest.mark.parametrize(
    ("question", "text", "answer", "is_proposed"),
    [
        ("Who kept the forge?", FORGE, "Dick Rolf", True),
        ("Who kept the forge?", FORGE, "Dick Rolf kept the forge.", True),
        ("Who kept the forge?", FORGE, "Dick Rolf, a smith from London", False),
        ("Who kept the forge?", FORGE, "the forge", False),
        ("Who kept the forge?", FORGE, "", False),
        ("谁守着铁铺？", "罗三守着铁铺，他妹妹卖鱼。", "罗三", True),
        ("谁守着铁铺？", "罗三守着铁铺，他妹妹卖鱼。", "罗三，他妹妹", True),
        ("谁守着铁铺？", "罗三守着铁铺，他妹妹卖鱼。", "罗三的哥哥", False),
        ("谁守着铁铺？", "罗三守着铁铺，他妹妹卖鱼。", "铁铺", False),
    ],
)
def test_only_words_of_the_passage_beyond_the_question_are_proposed(
    question, text, answer, is_proposed
):
    answers = [ShortAnswer(answer, 1, -0.2)]
    assert bool(choose_proposals(answers, question, [passage(text, 1.0, 1)])) is is_proposed


def test_the_surest_answer_is_proposed_first_and_each_text_once():
    sources = [passage(FORGE, 1.0, 1), passage(f"{FORGE} So it was.", 0.9, 2)]
    answers = [
        ShortAnswer("Ada", 1, -0.9),
        ShortAnswer("Dick Rolf", 1, -0.3),
        ShortAnswer("dick rolf.", 2, -0.1),
    ]
    proposed = choose_proposals(answers, "Who kept the forge?", sources)
    assert [(one.text, one.number) for one in proposed] == [("dick rolf.", 2), ("Ada", 1)]


@pytest.mark.parametrize(
    ("question", "param", "size", "suits"),
    [
        (QUESTION, QueryParam(), 1_500_000_000, True),
        (QUESTION, QueryParam(response_type=SHORT_FORM), 1_500_000_000, True),
        (QUESTION, QueryParam(response_type=LONG_FORM), 1_500_000_000, False),
        (QUESTION, QueryParam(response_type=LIST_FORM), 1_500_000_000, False),
        (QUESTION, QueryParam(user_prompt="In rhymes."), 1_500_000_000, False),
        (QUESTION, QueryParam(), LARGE_MODEL, False),
        ("List all the people whom she helped.", QueryParam(), 1_500_000_000, False),
    ],
)
def test_it_suits_small_models_and_questions_without_a_form(question, param, size, suits):
    model = ScriptedChatModel(n_parameters=size)
    found = RetrievalResult(question, "walk", ())
    assert suits_short_answer(found, param, model) is suits


def test_an_answer_of_one_passage_that_stands_is_the_whole_answer(library):
    model = answering({"Port Ellis": " Edmund Marsh"})
    *pieces, answer = build_pipeline(library, model).query_stream(QUESTION)
    assert isinstance(answer, Answer)
    [citation] = answer.citations
    assert answer.text == f"Edmund Marsh [{citation.number}]." == "".join(pieces)
    assert "Edmund Marsh" in citation.quote
    assert model.asked == [], "the prompt of several passages is not read"
    [stage] = [s for s in answer.found.stages if s.name == "answer checked"]
    assert stage.kept and not stage.dropped


def test_where_no_answer_stands_the_prompt_of_several_passages_is_read(library):
    model = answering({"Port Ellis": " Edmund Marsh"}, likes=False, answers=["Nobody knows [1]."])
    *_, answer = build_pipeline(library, model).query_stream(QUESTION)
    assert len(model.asked) == 1
    assert not answer.text.startswith("Edmund Marsh [")


def test_what_was_read_while_typing_is_not_read_again(library):
    model = answering({"Port Ellis": " Edmund Marsh"})
    pipeline = build_pipeline(library, model)
    pipeline.read_ahead(None, QUESTION, cancel=CancelToken())
    n_read = len(model.begun)
    assert n_read and model.asked == []
    *_, answer = pipeline.query_stream(QUESTION)
    assert answer.text.startswith("Edmund Marsh [")
    assert not [ask for _, ask, _ in model.script_lines[n_read:] if isinstance(ask, Write)]


def test_a_question_stopped_while_passages_are_read_ends(library):
    cancel = CancelToken()

    def reply(script, ask, line):
        cancel.cancel()
        return Written("Edmund Marsh", n_tokens=2)

    model = ScriptedChatModel(["Edmund Marsh [1]."], reply=reply)
    *_, answer = build_pipeline(library, model).query_stream(QUESTION, cancel=cancel)
    assert answer.stopped


def test_where_no_passage_answers_the_documents_seem_not_to_have_it(library):
    model = answering({})
    pieces = []
    *pieces, answer = build_pipeline(library, model).query_stream(QUESTION)
    assert answer.text.startswith(UNRELATED["en"]) and "".join(pieces) == answer.text
    assert answer.citations, "the nearest passages are quoted"
    assert model.asked == []


def test_the_model_is_asked_all_the_same_if_the_user_wants_it(library):
    model = answering({}, answers=["Edmund Marsh [1]."])
    anyway = QueryParam(only_if_found=False)
    *_, answer = build_pipeline(library, model).query_stream(QUESTION, anyway)
    assert len(model.asked) == 1 and answer.text.startswith("Edmund Marsh")


def test_one_passage_without_the_answer_says_little():
    none, other = ShortAnswer("", 1, -0.1), ShortAnswer("", 2, -0.1)
    assert not Readings((none,), is_complete=True).is_in_none
    assert Readings((none, other), is_complete=True).is_in_none
    ada = ShortAnswer("Ada", 2, -0.1)
    assert not Readings((none, ada), is_complete=True).is_in_none


def test_passages_that_could_not_be_read_may_have_the_answer():
    long = f"{FORGE} {MILL}"
    sources = [passage(text, 1.0, n) for n, text in enumerate((MILL, long, FORGE), 1)]

    def reply(script, ask, line):
        if script.text == long:
            raise AppError("The passage is too long.")
        return Written(" none", n_tokens=1)

    model = ScriptedChatModel(reply=reply)
    readings = read_one_by_one("Who fed the horse?", sources, model, "en")
    assert [one.number for one in readings.answers] == [1, 3]
    assert not readings.is_in_none


def test_the_prompt_of_a_short_answer_is_what_the_model_read(library):
    model = answering({"Port Ellis": " Edmund Marsh"})
    *_, answer = build_pipeline(library, model).query_stream(QUESTION)
    assert answer.prompt.startswith("You answer a question from a passage")
    assert answer.prompt.count("You answer a question from a passage") == 1
    read = [script.text for script, ask, _ in model.script_lines if isinstance(ask, Write)]
    assert len(read) > 1 and all(text in answer.prompt for text in read)
    assert answer.n_prompt_tokens == model.count_tokens(answer.prompt)
