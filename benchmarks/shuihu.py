"""The seven questions of the tutorial on 水浒传: does the context of the answer hold the evidence.

The context is the one an answer is written from, with the starter model's tokens and budget. A
question counts as found if a passage of its evidence is in it; for questions that gather, how
many of the passages are is printed beside it. With `--answers` the model answers, for reading.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path

from desktop_app.engine.answering.context import USUAL_RATE, plan_budget
from desktop_app.engine.answering.pipeline import AnswerPipeline
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.library import Library

from .common import make_parser, print_result
from .contexts import fill_context, find_counter
from .novels import Question, load_shuihu, open_indexed

N_CTX = 4096
INSTRUCTION_TOKENS = 180  # about what stands around the passages


def look(finder: Retriever, question: Question, mode: str, count: Callable[[str], int]) -> int:
    """Print how the question fares; return how many anchors stand in the context."""
    started = time.monotonic()
    found = finder.find(question.text, QueryParam(mode=mode))
    ms = 1000 * (time.monotonic() - started)
    budget = plan_budget(QueryParam(mode=mode), N_CTX, USUAL_RATE, INSTRUCTION_TOKENS)
    context = fill_context(found.passages, budget.context, count)
    inside = [any(anchor in p.text for p in context) for anchor in question.anchors]
    ranks = [
        next((n for n, p in enumerate(found.passages, 1) if anchor in p.text), None)
        for anchor in question.anchors
    ]
    names = ", ".join(e.name for e in found.entities)
    print(
        f"  {question.text}  {sum(inside)} of {len(inside)} (ranks {ranks}) in {len(context)}"
        f" passages, {budget.context} tokens, {ms:.0f} ms   names: {names}",
        flush=True,
    )
    return sum(inside)


def answer(library: Library, registry: ModelRegistry, questions: list[Question], mode: str) -> None:
    """Print what the chat model answers."""
    asking = AnswerPipeline(
        Retriever(library.writer, registry.find_embedder), library.writer, registry.find_chat
    )
    for question in questions:
        given = asking.ask(None, question.text, QueryParam(mode=mode))
        print(f"\n{question.text}\n{given.text}")
        for citation in given.citations:
            print(f"  [{citation.number}] {citation.quote[:80]}")


def main() -> None:
    """Ask the seven, in the mode given."""
    parser = make_parser(__doc__)
    parser.add_argument("--mode", default="walk")
    parser.add_argument("--answers", action="store_true", help="have the chat model answer")
    parser.add_argument("--keep", type=Path, help="folder that keeps the indexed library")
    options = parser.parse_args()
    path, questions = load_shuihu()
    with open_indexed("shuihu", options.keep, lambda _: [path]) as (library, registry):
        finder, count = Retriever(library.writer, registry.find_embedder), find_counter(registry)
        finder.find("水浒", QueryParam(mode=options.mode))
        inside = [look(finder, q, options.mode, count) for q in questions]
        if options.answers:
            answer(library, registry, questions, options.mode)
    shares = [n / len(q.anchors) for n, q in zip(inside, questions, strict=True)]
    print_result(
        "shuihu",
        found=sum(n > 0 for n in inside),
        of=len(questions),
        share=round(statistics.mean(shares), 3),
    )


if __name__ == "__main__":
    main()
