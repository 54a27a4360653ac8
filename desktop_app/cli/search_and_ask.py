"""Commands that find and answer: search and ask."""

from __future__ import annotations

import argparse
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from ..engine.answering.pipeline import AnswerPipeline
from ..engine.answering.query_data import list_references
from ..engine.errors import UserError
from ..engine.llm.registry import ModelRegistry
from ..engine.model import Answer, AskedQuestion, CommunitiesFound
from ..engine.progress import CancelToken, ignore_progress
from ..engine.query import THEME_MODES, QueryParam
from ..engine.retrieval.retriever import Retriever
from ..engine.services import collections
from ..engine.services.library import Library
from ..engine.services.library_reader import LibraryReader
from .options import build_param
from .output import ProgressPrinter, open_library, open_shelf, show


def run_search(options: argparse.Namespace) -> int:
    """Print the passages found, without asking a chat model."""
    with open_library(options) as library, open_shelf() as shelf:
        finder = Retriever(library.writer, shelf.find_embedder, shelf.find_reranker)
        asking = AnswerPipeline(finder, library.writer, lambda: None)
        data = asking.query_data(options.question, read_param(library, options))
        lines = [_describe(n, c) for n, c in enumerate(data["chunks"], start=1)]
        if data["asked"] != data["question"]:
            lines.insert(0, f"Looked for: {data['question']}")
        data["passages"] = data.pop("chunks")
        show(data, lines or ["Nothing was found."], options.json)
        return 0


def _describe(number: int, chunk: dict[str, Any]) -> str:
    page = f" · p. {chunk['page']}" if isinstance(chunk["page"], str) and chunk["page"] else ""
    heading = f" · {chunk['heading']}" if chunk["heading"] else ""
    best = slice(chunk["best_start"] - chunk["start"], chunk["best_end"] - chunk["start"])
    quote = " ".join(chunk["text"][best].split())
    return f"{number}. {chunk['title']}{page}{heading} ({chunk['score']:.2f})\n   {quote}"


def run_ask(options: argparse.Namespace) -> int:
    with open_library(options) as library, open_shelf() as shelf:
        param = read_param(library, options)
        asking = open_asking(library, shelf)
        if options.plan:
            plan = asking.plan(param)
            show(plan, [f"{plan.words[0].upper()}{plan.words[1:]}."], options.json)
            return 0
        if param.mode in THEME_MODES and not options.json:
            print(f"inkgraph: {asking.plan(param).words}", file=sys.stderr)
        answer = print_answer(asking, options.question, param, options.json)
    return 130 if answer.stopped else 0


def open_asking(library: Library, shelf: ModelRegistry) -> AnswerPipeline:
    return AnswerPipeline(
        Retriever(library.writer, shelf.find_embedder, shelf.find_reranker),
        library.writer,
        shelf.find_chat,
    )


def print_answer(
    asking: AnswerPipeline,
    question: str,
    param: QueryParam,
    as_json: bool,
    on_step: ProgressPrinter | None = None,
) -> Answer:
    """Print an answer, on a terminal as it is written; Ctrl+C ends it with what is there.

    Args:
        on_step: shows the steps until the first word; the modes that take long show them anyway.
    """
    live = sys.stdout.isatty() and not as_json
    shown, answer = "", None
    if on_step is None and param.mode in THEME_MODES and not as_json:
        on_step = ProgressPrinter()
    with stop_on_interrupt() as cancel:
        for piece in asking.query_stream(
            question, param, cancel=cancel, on_step=on_step or ignore_progress
        ):
            if on_step is not None:
                on_step.end()
            if isinstance(piece, Answer):
                answer = piece
            elif live:
                print(piece, end="", flush=True)
                shown += piece
    assert answer is not None
    references = []
    if param.include_references:
        cited = {c.document_id for c in answer.citations}
        cited_passages = [p for p in answer.found.passages if p.document_id in cited]
        references = list_references(cited_passages, param)
    lines = ["", *_notes(shown, answer)] if shown else [answer.text, ""]
    if isinstance(answer.found, CommunitiesFound) and answer.found.tree:
        lines += ["Asked on the way:", *_tree_lines(answer.found.tree), ""]
    if answer.found.asked:
        lines.append(f"(Understood as: {answer.found.question})")
    if answer.stopped:
        lines.append("(Stopped here.)")
    if param.include_references:
        lines += _source_lines(answer)
    show({**asdict(answer), "references": references}, lines, as_json)
    return answer


def _source_lines(answer: Answer) -> list[str]:
    """Return the sources of an answer: the place of each, and under it the sentence there."""
    headings = {p.chunk_id: p.heading for p in answer.found.passages}
    lines = ["Sources:"] if answer.citations else []
    for c in answer.citations:
        page = f", p. {c.page_label}" if c.page_label else ""
        # The first heading of a Markdown file is often its title: not shown twice.
        heading = headings.get(c.chunk_id, "").removeprefix(c.title).removeprefix(" › ")
        lines.append(
            f"[{c.number}] {c.title}{f', {heading}' if heading else ''}{page} "
            f"(characters {c.start:,}–{c.end:,})"
        )
        lines.append(f"    “{' '.join(c.quote.split())}”")
    return lines


def _tree_lines(tree: tuple[AskedQuestion, ...]) -> list[str]:
    """Return the questions of a DRIFT search, each under the one that it came from."""
    lines: list[str] = []

    def add(parent: int, depth: int) -> None:
        for one in tree:
            if one.parent == parent:
                lines.append(f"{'  ' * depth}- {one.question} {one.answer}".rstrip())
                add(one.number, depth + 1)

    add(-1, 0)
    return lines


def _notes(shown: str, answer: Answer) -> list[str]:
    """Return what has to be said of marks that were written and then did not hold."""
    written = {int(n) for marks in re.findall(r"\[([\d,，\s]+)\]", shown) for n in _numbers(marks)}
    wrong = sorted(written - {c.number for c in answer.citations})
    return [f"(No source stands behind {', '.join(f'[{n}]' for n in wrong)}.)"] if wrong else []


def _numbers(marks: str) -> list[str]:
    return re.findall(r"\d+", marks)


@contextmanager
def stop_on_interrupt() -> Iterator[CancelToken]:
    """Give a token that Ctrl+C sets; a second Ctrl+C ends the command at once."""
    cancel = CancelToken()

    def stop(number: int, frame: Any) -> None:
        if cancel.cancelled:
            raise KeyboardInterrupt
        cancel.cancel()

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield cancel
    finally:
        signal.signal(signal.SIGINT, before)


def read_param(library: Library, options: argparse.Namespace) -> QueryParam:
    """Return what the options ask for, documents and collections found by name.

    Raises:
        UserError: a name is nobody's, or the history can't be read.
    """
    chosen = None
    if options.collection:
        named = [collections.get_collection(library.writer, name) for name in options.collection]
        chosen = tuple(row.id for row in named)
    return build_param(options, choose_documents(library, options.document), chosen)


def choose_documents(library: Library, names: list[str]) -> tuple[int, ...] | None:
    """Return the documents of these titles or file names, None if none is named.

    Raises:
        UserError: no document has one of the names.
    """
    if not names:
        return None
    rows = LibraryReader(library.writer).list_documents()
    known = {name for d in rows for name in (d.title, d.file_name)}
    if strange := next((name for name in names if name not in known), None):
        raise UserError(f"No document is called “{strange}”.", "See: inkgraph status")
    return tuple(d.id for d in rows if d.title in names or d.file_name in names)
