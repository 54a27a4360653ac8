"""Commands that find and answer: search and ask."""

from __future__ import annotations

import argparse
import json
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..engine.errors import UserError
from ..engine.model import (
    Answer,
    AskedQuestion,
    ChatMessage,
    CollectionId,
    CommunitiesFound,
    DocumentId,
)
from ..engine.progress import CancelToken, ignore_progress
from ..engine.query import ALL_MODES, PRESETS, THEME_MODES, QueryParam
from .output import AddCommand, ProgressPrinter, open_library, open_registry, show

if TYPE_CHECKING:
    from ..engine.answering.pipeline import AnswerPipeline
    from ..engine.llm.registry import ModelRegistry
    from ..engine.services.library import Library

COMMANDS = ("search", "ask")
ROLES = ("user", "assistant")


def add_arguments(add_command: AddCommand) -> None:
    search = add_command("search", "Find passages.")
    _add_retrieval_options(search, top=10)
    search.set_defaults(run=run_search)
    ask = add_command("ask", "Ask a question; Ctrl+C ends the answer with what is there.")
    _add_retrieval_options(ask, top=20)
    _add_answer_options(ask)
    ask.set_defaults(run=run_ask)


def _add_retrieval_options(parser: argparse.ArgumentParser, *, top: int) -> None:
    """Add the question and the options of retrieval."""
    parser.add_argument("question")
    parser.add_argument("--mode", choices=ALL_MODES, default="walk")
    parser.add_argument(
        "--level", type=int, default=1, help="of the reports for overview and drift; 0 is coarsest"
    )
    parser.add_argument("--document", action="append", default=[], help="title or file name")
    parser.add_argument("--collection", action="append", default=[], help="by name")
    parser.add_argument(
        "--top-k", type=_count, default=40, help="names or relations the graph modes start from"
    )
    parser.add_argument(
        *("--chunk-top-k", "--top"), dest="top", type=_count, default=top, help="passages to keep"
    )
    parser.add_argument("--keywords-high", default="", help="themes, with commas between")
    parser.add_argument("--keywords-low", default="", help="names and things, with commas between")
    parser.add_argument(
        "--history", type=Path, help='JSON: [{"role": "user", "content": "…"}, …], oldest first'
    )
    parser.add_argument("--rerank", action=argparse.BooleanOptionalAction, default=True)


def _add_answer_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the answer."""
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--only-context", action="store_true", help="print the context instead")
    instead.add_argument("--only-prompt", action="store_true", help="print the prompt instead")
    parser.add_argument("--user-prompt", default="", help="a further wish for the answer")
    parser.add_argument("--response-type", default="", help='its form, such as "Bullet Points"')
    parser.add_argument(
        "--system-prompt", default="", help="instead of ours; {context_data} is the context"
    )
    parser.add_argument("--max-total-tokens", type=_count, default=0, help="of the whole prompt")
    parser.add_argument("--max-calls", type=_count, default=0, help="of the model, in those modes")
    parser.add_argument("--plan", action="store_true", help="only say how many calls, how long")
    parser.add_argument(
        "--preset", choices=PRESETS, default="", help="graphrag: reports, names and text as there"
    )
    parser.add_argument("--references", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--chunk-content", action="store_true", help="with the references (JSON)")


def run_search(options: argparse.Namespace) -> int:
    """Print the passages found, without pipeline a chat model."""
    from ..engine.answering.pipeline import AnswerPipeline
    from ..engine.retrieval.retriever import Retriever

    with open_library(options) as library, open_registry() as registry:
        finder = Retriever(library.writer, registry.find_embedder, registry.find_reranker)
        pipeline = AnswerPipeline(finder, library.writer, lambda: None)
        data = pipeline.query_data(options.question, read_param(library, options))
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
    with open_library(options) as library, open_registry() as registry:
        param = read_param(library, options)
        pipeline = open_pipeline(library, registry)
        if options.plan:
            plan = pipeline.plan(param)
            show(plan, [f"{plan.words[0].upper()}{plan.words[1:]}."], options.json)
            return 0
        if param.mode in THEME_MODES and not options.json:
            print(f"inkgraph: {pipeline.plan(param).words}", file=sys.stderr)
        answer = print_answer(pipeline, options.question, param, options.json)
    return 130 if answer.stopped else 0


def open_pipeline(library: Library, registry: ModelRegistry) -> AnswerPipeline:
    from ..engine.answering.pipeline import AnswerPipeline
    from ..engine.retrieval.retriever import Retriever

    return AnswerPipeline(
        Retriever(library.writer, registry.find_embedder, registry.find_reranker),
        library.writer,
        registry.find_chat,
    )


def print_answer(
    pipeline: AnswerPipeline,
    question: str,
    param: QueryParam,
    as_json: bool,
    on_step: ProgressPrinter | None = None,
) -> Answer:
    """Print an answer, on a terminal while it is generated; Ctrl+C stops it.

    Args:
        on_step: prints the steps until the first word; slow modes always print them.
    """
    from ..engine.answering.query_data import list_references

    live = sys.stdout.isatty() and not as_json
    shown, answer = "", None
    if on_step is None and param.mode in THEME_MODES and not as_json:
        on_step = ProgressPrinter()
    with stop_on_interrupt() as cancel:
        for piece in pipeline.query_stream(
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
    """Return the sources of an answer, each with its place and the cited sentence."""
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
    """Return the questions of a DRIFT search as an indented tree."""
    lines: list[str] = []

    def add(parent: int, depth: int) -> None:
        for one in tree:
            if one.parent == parent:
                lines.append(f"{'  ' * depth}- {one.question} {one.answer}".rstrip())
                add(one.number, depth + 1)

    add(-1, 0)
    return lines


def _notes(shown: str, answer: Answer) -> list[str]:
    """Return a note on marks that were printed during generation and then removed."""
    written = {int(n) for marks in re.findall(r"\[([\d,，\s]+)\]", shown) for n in _numbers(marks)}
    wrong = sorted(written - {c.number for c in answer.citations})
    return [f"(No source stands behind {', '.join(f'[{n}]' for n in wrong)}.)"] if wrong else []


def _numbers(marks: str) -> list[str]:
    return re.findall(r"\d+", marks)


@contextmanager
def stop_on_interrupt() -> Iterator[CancelToken]:
    """Yield a token that Ctrl+C cancels; a second Ctrl+C ends the command at once."""
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
    """Return the query parameters of the options, with documents and collections by name.

    Raises:
        UserError: a document or collection does not exist, or the history cannot be read.
    """
    from ..engine.services import collections

    chosen = None
    if options.collection:
        named = [collections.get_collection(library.writer, name) for name in options.collection]
        chosen = tuple(row.id for row in named)
    return build_param(options, choose_documents(library, options.document), chosen)


def choose_documents(library: Library, names: list[str]) -> tuple[DocumentId, ...] | None:
    """Return the documents of these titles or file names, None if none is named.

    Raises:
        UserError: no document has one of the names.
    """
    from ..engine.services.library_reader import LibraryReader

    if not names:
        return None
    rows = LibraryReader(library.writer).list_documents()
    known = {name for d in rows for name in (d.title, d.file_name)}
    if strange := next((name for name in names if name not in known), None):
        raise UserError(
            "No document is called “{strange}”.", "See: inkgraph status", strange=strange
        )
    return tuple(d.id for d in rows if d.title in names or d.file_name in names)


def build_param(
    options: argparse.Namespace,
    document_ids: tuple[DocumentId, ...] | None,
    collection_ids: tuple[CollectionId, ...] | None,
) -> QueryParam:
    """Return the query parameters; options that a command lacks keep their defaults."""
    history = load_history(options.history) if options.history else ()
    return QueryParam(
        mode=options.mode,
        top_k=options.top_k,
        chunk_top_k=options.top,
        max_total_tokens=getattr(options, "max_total_tokens", 0),
        hl_keywords=_split(options.keywords_high),
        ll_keywords=_split(options.keywords_low),
        conversation_history=history,
        user_prompt=getattr(options, "user_prompt", ""),
        response_type=getattr(options, "response_type", ""),
        system_prompt=getattr(options, "system_prompt", ""),
        only_need_context=getattr(options, "only_context", False),
        only_need_prompt=getattr(options, "only_prompt", False),
        enable_rerank=options.rerank,
        include_references=getattr(options, "references", True),
        include_chunk_content=getattr(options, "chunk_content", False),
        document_ids=document_ids,
        collection_ids=collection_ids,
        level=options.level,
        max_calls=getattr(options, "max_calls", 0),
        preset=getattr(options, "preset", ""),
    )


def load_history(path: Path) -> tuple[ChatMessage, ...]:
    """Return the turns of a JSON file.

    Raises:
        UserError: the file is not a list of turns.
    """
    hint = 'It needs to be like [{"role": "user", "content": "Who is Marley?"}].'
    try:
        turns = json.loads(path.read_text("utf-8"))
        made = tuple(
            ChatMessage(turn["role"], str(turn.get("content") or turn["text"])) for turn in turns
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(
            "The history in {path} can't be read: {reason}.", hint, path=path, reason=repr(error)
        ) from error
    if strange := next((turn.role for turn in made if turn.role not in ROLES), None):
        raise UserError(
            "A turn of {path} has the role “{strange}”.", hint, path=path, strange=strange
        )
    return made


def _split(words: str) -> tuple[str, ...]:
    return tuple(w for part in words.replace("，", ",").split(",") if (w := part.strip()))


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise ValueError(text)
    return value


_count.__name__ = "count"  # argparse prints: invalid count value: '0'
