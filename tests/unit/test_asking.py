"""Answers: what the model is given, what is kept, what happens without a model."""

from __future__ import annotations

import pytest

from desktop_app.engine.answering.context import choose_passages, cut_around_best
from desktop_app.engine.answering.pipeline import AnswerPipeline
from desktop_app.engine.graph.evidence import choose_introductions
from desktop_app.engine.model import Passage
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.retrieval.strategies.books import expand_question
from desktop_app.engine.services.adding import add_files
from desktop_app.engine.services.chats import Chats
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from tests.fakes import HashEmbedder, ScriptedChatModel
from tests.unit.test_indexing import STORY, TALE

SENTENCES = [f"Sentence number {i} tells of the harbour and the rain." for i in range(30)]
LONG = " ".join(SENTENCES)


@pytest.fixture
def library(tmp_path):
    (tmp_path / "clock.txt").write_text(STORY, "utf-8")
    (tmp_path / "tea.txt").write_text(TALE, "utf-8")
    made = Library(tmp_path / "asked.inkgraph")
    add_files(made.writer, [tmp_path / "clock.txt", tmp_path / "tea.txt"])
    IndexingService(made.writer, HashEmbedder).run()
    yield made
    made.close()


def asking(library, model):
    return AnswerPipeline(Retriever(library.writer, HashEmbedder), library.writer, lambda: model)


def passage(best: int) -> Passage:
    start = LONG.index(SENTENCES[best])
    end = start + len(SENTENCES[best])
    return Passage(1, 1, "Rain", 500, 500 + len(LONG), 1.0, LONG, 500 + start, 500 + end)


@pytest.mark.parametrize("best", [0, 14, 29])
def test_a_long_passage_is_cut_to_whole_sentences_around_its_best(best):
    model = ScriptedChatModel([""])
    cut = cut_around_best(passage(best), 60, model.count_tokens)
    assert SENTENCES[best] in cut.text
    assert model.count_tokens(cut.text) <= 60
    assert LONG[cut.start - 500 : cut.end - 500] == cut.text
    assert cut.text.startswith("Sentence") and cut.text.endswith("rain.")


def test_passages_given_to_the_model_fit_its_context():
    model = ScriptedChatModel([""], n_ctx=900)
    chosen = choose_passages([passage(i) for i in range(8)], 360, model.count_tokens)
    assert 1 <= len(chosen) < 8
    assert sum(model.count_tokens(p.text) for p in chosen) <= 360


def test_the_answer_is_streamed_cited_and_kept(library):
    chats = Chats(library.writer, library.writer)
    chat_id = chats.create_chat()
    pieces, stages = [], []
    answer = asking(library, ScriptedChatModel(["Clara wound the clocks [4]. Nobody [77]."])).ask(
        chat_id,
        "Who wound the clocks?",
        on_piece=pieces.append,
        on_step=lambda p: stages.append(p.stage),
    )
    assert "".join(pieces) == "Clara wound the clocks [4]. Nobody [77]."
    assert stages == ["finding", "reading", "answering"]
    assert answer.text == "Clara wound the clocks [4]. Nobody."
    question, kept = chats.fetch_messages(chat_id)
    assert question.text == "Who wound the clocks?"
    assert kept.text == answer.text and kept.citations == answer.citations
    assert chats.list_chats()[0].title == "Who wound the clocks?"


def test_a_stopped_answer_is_kept_as_far_as_it_got(library):
    chats = Chats(library.writer, library.writer)
    chat_id, token = chats.create_chat(), CancelToken()
    model = ScriptedChatModel(["one two three four five six"])
    answer = asking(library, model).ask(
        chat_id, "Who wound the clocks?", cancel=token, on_piece=lambda piece: token.cancel()
    )
    assert answer.stopped
    assert answer.text.startswith("one") and "six" not in answer.text
    assert chats.fetch_messages(chat_id)[1].stopped


def test_without_a_model_the_answer_is_the_passages(library):
    answer = asking(library, None).ask(None, "Who was lost near Port Ellis?")
    assert answer.model == ""
    assert "Edmund Marsh had been a sailor" in answer.text or "Port Ellis" in answer.text
    assert [c.number for c in answer.citations] == list(range(1, len(answer.citations) + 1))


def test_weak_findings_are_said(library):
    nonsense = "qwrtz plmk vbnx"
    answer = asking(library, None).ask(None, nonsense)
    assert answer.found.weak
    assert "Little in your documents" in answer.text


def test_an_empty_library_says_that_nothing_was_found(tmp_path):
    empty = Library(tmp_path / "empty.inkgraph")
    answer = asking(empty, ScriptedChatModel(["Never asked."])).ask(None, "鲁智深是谁？")
    assert "没有" in answer.text and answer.citations == ()
    empty.close()


@pytest.mark.parametrize(
    ("question", "word"),
    [("他是怎么死的？", "圆寂"), ("How did he die?", "grave"), ("谁打死了他？", "一拳")],
)
def test_a_question_gets_the_words_that_stories_answer_in(question, word):
    assert word in expand_question(question)
    assert expand_question("Seven o'clock") == ""


def test_introductions_are_sentences_and_said_once():
    found = [
        "Stave I: Marley's Ghost\nStave II: The First",
        "Old Marley was dead.",
        "Old Marley\nwas dead!",
        "He was Scrooge's partner.",
    ]
    assert choose_introductions(found, 2) == [found[1], found[3]]
    assert choose_introductions(found[:1], 2) == found[:1]
