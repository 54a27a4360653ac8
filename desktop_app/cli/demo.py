"""The command `demo`: indexes the demo library and answers its questions."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, ClassVar

from ..engine.model import DocumentId
from ..engine.progress import Progress
from .ask import open_pipeline, print_answer
from .command_context import (
    ProgressPrinter,
    count_words,
    open_indexing,
    open_library,
    open_models,
    open_registry,
    show,
)

if TYPE_CHECKING:
    from ..engine.answering.pipeline import AnswerPipeline
    from ..engine.llm.registry import ModelRegistry
    from ..engine.services.demo import DemoQuestion
    from ..engine.services.library import Library

N_TOP_NAMES = 12


def run(options: argparse.Namespace) -> int:
    """Index the demo texts, show the top names, and answer the demo's questions with citations."""
    from ..engine.services.demo import demo_library, load_demo_questions

    options.library = options.library or demo_library()
    questions = load_demo_questions()
    with open_library(options, create=True) as library, open_registry() as registry:
        overview_data = _index(library, registry, len(questions), options.json)
        models = open_models(library, registry)
        pipeline, has_model = open_pipeline(library, models), bool(models.chat_model_name())
        answers: list[dict[str, Any]] = []
        for number, question in enumerate(questions, start=1):
            if not options.json:
                note = " (needs two places of the story that are far apart)" * question.joins
                print(f"\n--- Question {number} of {len(questions)}{note}")
                print(f"{question.question}\n", flush=True)
            answers.append(_answer(pipeline, question, options.json, has_model=has_model))
        if options.json:
            show({**overview_data, "answers": answers}, [], as_json=True)
        else:
            seconds = sum(answer["seconds"] for answer in answers)
            print(f"\n--- Done: {len(questions)} questions answered in {seconds:.0f} s")
            print(f"The library is {library.path}.")
            print("To open it in the window: python3 run.py window --demo")
    return 0


def _index(
    library: Library, registry: ModelRegistry, n_questions: int, as_json: bool
) -> dict[str, Any]:
    """Read the demo texts into the library and print what was found; return it as plain data."""
    from ..engine.services.demo import demo_files
    from ..engine.services.document_import import add_files
    from ..engine.services.library_reader import LibraryReader

    files = demo_files()
    if not as_json:
        print("The Inkgraph demo: two short stories, one in English and one in Chinese.\n")
        print("--- Step 1 of 2: read the stories and build the graph (no language model needed)")
        for path in files:
            print(f"    {path.name}", flush=True)
    started = time.monotonic()
    added = add_files(library.writer, files)
    reader = LibraryReader(library.writer)
    titles = {d.id: d.title for d in reader.list_documents()}
    on_progress = IndexingLine(titles)
    open_indexing(library, registry).run(on_progress=on_progress)
    on_progress.end()
    seconds = time.monotonic() - started
    overview = reader.overview()
    top = [entity.name for entity in reader.top_entities(N_TOP_NAMES)]
    model = registry.chat_model_name()
    if not as_json:
        found = (
            f"{count_words(overview.n_documents, 'document')}, "
            f"{count_words(overview.n_entities, 'name')} and "
            f"{count_words(overview.n_relations, 'connection')}"
        )
        how = f"Found in {seconds:.0f} s" if added.documents else "Already read"
        print(f"{how}: {found}.")
        print(f"Most connected names: {', '.join(top)}\n")
        if model:
            print(f"--- Step 2 of 2: answer {n_questions} questions with the model {model}")
        else:
            print(f"--- Step 2 of 2: find the passages that answer {n_questions} questions")
            print("No chat model is installed, so the answers are passages. Get one with:")
            print("  inkgraph models install starter")
    return {
        "library": str(library.path),
        "documents": overview.n_documents,
        "entities": overview.n_entities,
        "relations": overview.n_relations,
        "top_entities": top,
        "seconds": round(seconds, 2),
        "model": model,
    }


def _answer(
    pipeline: AnswerPipeline, question: DemoQuestion, as_json: bool, *, has_model: bool
) -> dict[str, Any]:
    """Answer one question and print the answer with its sources and its time."""
    from ..engine.services.demo import demo_param

    if as_json:
        answer = pipeline.query(question.question, demo_param())
    else:
        line = AnswerLine()
        answer = print_answer(
            pipeline, question.question, demo_param(), False, on_step=line, has_model=has_model
        )
        words = f"Found in {answer.seconds:.1f} s."
        if answer.model:
            words = (
                f"Answered in {answer.seconds:.1f} s; the first word came after "
                f"{answer.first_token_s:.1f} s ({answer.n_prompt_tokens} tokens were read)."
            )
        print(f"\n{words}", flush=True)
    return {
        "id": question.id,
        "question": question.question,
        "answer": answer.text,
        "citations": [asdict(citation) for citation in answer.citations],
        "seconds": answer.seconds,
        "first_token_s": answer.first_token_s,
        "prompt_tokens": answer.n_prompt_tokens,
    }


class IndexingLine(ProgressPrinter):
    """Prints the progress of indexing with the title of the document.

    Args:
        titles: the title of each document, by id.
    """

    def __init__(self, titles: Mapping[DocumentId, str]) -> None:
        super().__init__()
        self._titles = titles

    def words(self, progress: Progress) -> str:
        title = self._titles.get(DocumentId(progress.document_id or 0), "")
        return f"    {super().words(progress)}{f' ({title})' if title else ''}"


class AnswerLine(ProgressPrinter):
    """Prints the steps of one answer: finding passages, reading them, writing."""

    stages: ClassVar[Mapping[str, str]] = {
        "finding": "finding passages",
        "translating": "translating",
        "reading": "reading",
        "answering": "writing the answer",
    }

    def words(self, progress: Progress) -> str:
        passages = ""
        if progress.stage == "reading" and progress.done:
            passages = f" passage {progress.done} of {progress.total}"
        elif progress.stage == "reading":
            passages = f" ({progress.total} passages)"
        return f"    {self.stages.get(progress.stage, progress.stage)}{passages}…"
