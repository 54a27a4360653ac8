"""Answers to questions for yes or no: what is stated, what is left open, and what is read."""

from __future__ import annotations

import pytest

from desktop_app.engine.answering.citations import UNDECIDED
from desktop_app.engine.answering.pipeline import AnswerPipeline
from desktop_app.engine.answering.yes_no_answers import (
    OBJECTION,
    SURE_YES,
    SURE_YES_IN_OTHER_WORDS,
)
from desktop_app.engine.model import Answer
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.prompt_program import Choice
from desktop_app.engine.query import MAX_READ, QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.evaluation.measures import is_refused, is_stated, iter_shown
from desktop_app.engine.services.indexing import IndexingService
from tests.fakes import HashEmbedder, ScriptedChatModel, reply_alike
from tests.story_library import open_story_library

TOM = "Ada Rolf kept bees at Marl. Ada married Tom Reed in May. They had no children."
JAN = "Ruth Vale, a widow, was the aunt of the miller Jan Holm and liked him. It rained all day."
MILL = "Peter never sold the mill at Quenby. It stood empty."
TALE = "阿福在白芦渡开店。阿福娶了春桃为妻。两人没有孩子。"
TEXTS = {"tom.txt": TOM, "jan.txt": JAN, "mill.txt": MILL, "tale.txt": TALE}


@pytest.fixture
def library(tmp_path):
    with open_story_library(tmp_path) as made:
        for name, text in TEXTS.items():
            (tmp_path / name).write_text(text, "utf-8")
        add_files(made.writer, [tmp_path / name for name in TEXTS])
        IndexingService(made.writer, HashEmbedder).run()
        yield made


def answering(odds: float) -> ScriptedChatModel:
    """Return a model with these log-odds of yes against no."""

    def reply(script, ask, line):
        if getattr(ask, "options", ()) != ("A", "B", "C"):
            return reply_alike(script, ask, line)
        yes = "是。" if "不是。" in script.text else "Yes."
        lines = [line[3:] for line in script.text.splitlines() if line[1:3] == ". "]
        return Choice(tuple(odds if line == yes else 0.0 for line in lines))

    return ScriptedChatModel(reply=reply)


def ask(library, question: str, model: ScriptedChatModel, **param) -> Answer:
    retriever = Retriever(library.writer, HashEmbedder)
    pipeline = AnswerPipeline(retriever, library.writer, lambda: model)
    *_, answer = pipeline.query_stream(question, QueryParam(**param))
    return answer


@pytest.mark.parametrize(
    ("question", "head", "sentence"),
    [
        ("Did Ada marry Tom?", "Yes: ", "Ada married Tom Reed in May"),
        ("Did Peter sell the mill?", "No: ", "Peter never sold the mill at Quenby"),
        ("阿福娶了春桃吗？", "是：", "阿福娶了春桃为妻"),
    ],
)
def test_the_sentence_that_decides_is_the_answer(library, question, head, sentence):
    model = answering(OBJECTION)
    answer = ask(library, question, model)
    assert answer.text.startswith(f"{head}{sentence} [")
    [citation] = answer.citations
    assert sentence in citation.quote and not model.asked
    assert len(model.begun) == (head != "No: "), "the model may object to yes only"
    assert is_stated(answer.text) and answer.model == "scripted"
    assert [stated for _, _, stated in iter_shown(answer)] == [True]
    rank = next(n for n, p in enumerate(answer.found.passages, 1) if sentence in p.text)
    assert citation.number == rank


def test_the_model_can_object_to_yes(library):
    model = answering(OBJECTION - 0.1)
    answer = ask(library, "Did Ada marry Tom?", model)
    assert answer.text.startswith(UNDECIDED["en"]) and is_refused(answer.text)
    assert not model.asked and answer.citations


def test_the_model_alone_says_yes_only_where_it_is_sure_and_all_words_are_there(library):
    question = "Did Ruth like the miller Holm?"
    for odds, head in ((SURE_YES, "Yes: "), (SURE_YES - 0.1, UNDECIDED["en"])):
        model = answering(odds)
        assert ask(library, question, model).text.startswith(head)
        assert len(model.begun) == 1, "only the passage with all words is read"
    model = answering(9.0)
    answer = ask(library, "Did Ruth marry the miller of Quenby?", model)
    assert answer.text.startswith(UNDECIDED["en"]) and not model.begun


def test_in_other_words_the_model_must_be_surer_and_the_persons_named(library):
    question = "Did Ruth bring up Holm?"
    for odds, head in ((SURE_YES_IN_OTHER_WORDS, "Yes: "), (SURE_YES, UNDECIDED["en"])):
        assert ask(library, question, answering(odds)).text.startswith(head)
    for question in ("Did Ruth bring up Ada?", "Did Holm bring up Ruth?"):
        model = answering(9.0)
        assert ask(library, question, model).text.startswith(UNDECIDED["en"])
        assert not model.begun


def test_what_is_open_is_in_the_language_of_the_question(library):
    answer = ask(library, "春桃打死了阿福吗？", answering(SURE_YES))
    assert answer.text.startswith(UNDECIDED["zh"]) and "> " in answer.text


def test_sentences_that_say_different_things_decide_nothing(library, tmp_path):
    (tmp_path / "no.txt").write_text("Ada never married Tom, they say at Marl.", "utf-8")
    add_files(library.writer, [tmp_path / "no.txt"])
    IndexingService(library.writer, HashEmbedder).run()
    model = answering(9.0)
    assert ask(library, "Did Ada marry Tom?", model).text.startswith(UNDECIDED["en"])
    assert not model.begun


def test_the_model_writes_an_answer_if_the_user_wants_one_all_the_same(library):
    model = answering(0.0)
    answer = ask(library, "Did Tom sell bees?", model, only_if_found=False)
    assert not answer.text.startswith(UNDECIDED["en"])
    assert model.asked


def test_a_typed_question_is_decided_once(library):
    model = answering(1.0)
    pipeline = AnswerPipeline(
        Retriever(library.writer, HashEmbedder), library.writer, lambda: model
    )
    pipeline.read_ahead(None, "Did Ada marry Tom?", cancel=CancelToken())
    *_, answer = pipeline.query_stream("Did Ada marry Tom?", QueryParam())
    assert answer.text.startswith("Yes: ") and len(model.begun) == 1
    assert answer.found.n_read <= MAX_READ
