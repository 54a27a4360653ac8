"""Tests the demo: retrieval of the passages with the facts, and correct answers.

The passages are checked with and without the embedding model. The answers need the starter chat
model and about a minute of processor time (`-m slow`); `benchmarks.demo` asks three times.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.cli import run_command
from desktop_app.engine import paths
from desktop_app.engine.answering.pipeline import AnswerPipeline
from desktop_app.engine.llm.catalogue import load_catalogue
from desktop_app.engine.llm.llama_chat import LlamaChat
from desktop_app.engine.llm.protocols import Embedder
from desktop_app.engine.llm.registry import ModelRegistry, find_entry_path
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.demo import (
    cites_its_source,
    demo_files,
    demo_param,
    is_right,
    load_demo_questions,
)
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader

QUESTIONS = load_demo_questions()
STARTER = "qwen2.5-coder-1.5b"
N_FIRST = 8  # passages that must hold the anchors
each_question = pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.id)


def build_library(folder: Path, find_embedder: Callable[[], Embedder | None]) -> Library:
    """Return the demo library, read and indexed."""
    library = Library(folder / "demo.inkgraph")
    add_files(library.writer, demo_files())
    IndexingService(library.writer, find_embedder).run()
    return library


@pytest.fixture(
    scope="module",
    params=[
        "words alone",
        pytest.param("with vectors", marks=[pytest.mark.model, pytest.mark.slow]),
    ],
)
def asking(
    request, tmp_path_factory, models_are_not_tried
) -> Iterator[tuple[AnswerPipeline, Library]]:
    """Yield the indexed demo library without a chat model."""
    registry = ModelRegistry(paths.model_folders())
    find_embedder = registry.find_embedder if request.param == "with vectors" else lambda: None
    if request.param == "with vectors" and find_embedder() is None:
        pytest.fail("No embedding model is installed; INKGRAPH_NO_MODELS=1 leaves it out.")
    library = build_library(tmp_path_factory.mktemp("demo"), find_embedder)
    yield (
        AnswerPipeline(Retriever(library.writer, find_embedder), library.writer, lambda: None),
        library,
    )
    registry.close()
    library.close()


@each_question
def test_the_first_passages_contain_the_anchors_at_their_offsets(asking, question):
    asker, library = asking
    found = asker.query(question.question, demo_param()).found
    for anchor in question.anchors:
        holding = [p for p in found.passages[:N_FIRST] if anchor in p.text]
        assert holding, f"{question.id}: {anchor}"
        for passage in holding:
            start = passage.start + passage.text.index(anchor)
            text = LibraryReader(library.writer).fetch_text(passage.document_id)
            assert text[start : start + len(anchor)] == anchor


@each_question
@pytest.mark.slow  # to embed the demo library takes 14 s
@pytest.mark.model
@pytest.mark.parametrize("asking", ["with vectors"], indirect=True)
def test_the_prompt_of_the_demo_contains_the_anchors(asking, question):
    param = replace(demo_param(), only_need_context=True)
    text = " ".join(asking[0].query(question.question, param).text.split())
    for anchor in question.anchors:
        assert anchor in text, f"{question.id}: {anchor}"


@each_question
def test_without_a_chat_model_the_answer_consists_of_passages_with_an_anchor(asking, question):
    asker, library = asking
    answer = asker.query(question.question, demo_param())
    titles = {d.id: d.title for d in LibraryReader(library.writer).list_documents()}
    for citation in answer.citations:
        text = LibraryReader(library.writer).fetch_text(citation.document_id)
        assert text[citation.start : citation.end] == citation.quote
        assert titles[citation.document_id] == citation.title
    cited = {citation.chunk_id for citation in answer.citations}
    texts = [p.text for p in answer.found.passages if p.chunk_id in cited]
    assert any(anchor in text for anchor in question.anchors for text in texts)


def run_demo(capsys, library: Path, *more: str) -> str:
    assert run_command(["demo", "--library", str(library), *more]) == 0
    return capsys.readouterr().out


def test_the_command_shows_steps_sources_and_times(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("INKGRAPH_MODELS", str(tmp_path / "none"))
    printed = run_demo(capsys, tmp_path / "demo.inkgraph")
    assert "Step 1 of 2" in printed and "Step 2 of 2" in printed
    assert "inkgraph models install starter" in printed
    for number, question in enumerate(QUESTIONS, start=1):
        assert f"Question {number} of {len(QUESTIONS)}" in printed
        assert question.question in printed
    n_listed = printed.count("Sources:") + printed.count("来源：")  # by the question's language
    assert n_listed == printed.count("Found in ") - 1 == len(QUESTIONS)
    printed = json.loads(run_demo(capsys, tmp_path / "demo.inkgraph", "--json"))
    assert [a["id"] for a in printed["answers"]] == [q.id for q in QUESTIONS]
    assert all(a["citations"] for a in printed["answers"])


@pytest.mark.slow
@pytest.mark.model
def test_the_starter_model_answers_every_question_correctly(tmp_path, installed_models):
    path = find_entry_path(load_catalogue().get(STARTER), [installed_models])
    assert path is not None, f"{STARTER} is not installed; INKGRAPH_NO_MODELS=1 leaves it out"
    registry = ModelRegistry([installed_models])
    library = build_library(tmp_path, registry.find_embedder)
    model = LlamaChat(path)
    try:
        finder = Retriever(library.writer, registry.find_embedder)
        asker = AnswerPipeline(finder, library.writer, lambda: model)
        for question in QUESTIONS:
            answer = asker.query(question.question, demo_param())
            assert is_right(answer.text, question), f"{question.id}: {answer.text}"
            assert cites_its_source(answer, question), f"{question.id}: {answer.citations}"
    finally:
        model.close()
        registry.close()
        library.close()
