"""The command `search`: finds passages. Also the options of retrieval, for `ask`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..engine.errors import UserError
from ..engine.model import ChatMessage
from ..engine.query import ALL_MODES, MAX_READ, QueryParam
from .command_context import (
    choose_documents,
    open_library,
    open_models,
    open_registry,
    path_argument,
    show,
)

if TYPE_CHECKING:
    from ..engine.services.library import Library

TURN_ROLES = ("user", "assistant")


MAX_HISTORY_BYTES = 20 * 2**20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_retrieval_options(parser, top=10)


def add_retrieval_options(parser: argparse.ArgumentParser, *, top: int) -> None:
    """Add the question and the options of retrieval."""
    parser.add_argument("question")
    parser.add_argument("--mode", choices=ALL_MODES, default="walk")
    parser.add_argument(
        "--level",
        type=int,
        default=1,
        help="level of the reports for overview and drift; 0 is the coarsest",
    )
    parser.add_argument(
        "--document",
        action="append",
        default=[],
        help="only in this title or file name; may be repeated",
    )
    parser.add_argument(
        "--collection", action="append", default=[], help="only in this collection; may be repeated"
    )
    parser.add_argument(
        "--top-k",
        type=count,
        default=40,
        help="number of names or connections at which the graph modes start",
    )
    parser.add_argument(
        *("--chunk-top-k", "--top"), dest="top", type=count, default=top, help="number of passages"
    )
    parser.add_argument("--keywords-high", default="", help="themes, separated by commas")
    parser.add_argument("--keywords-low", default="", help="names and things, separated by commas")
    parser.add_argument(
        "--history",
        type=path_argument,
        help='JSON: [{"role": "user", "content": "…"}, …], oldest first',
    )
    parser.add_argument("--rerank", action=argparse.BooleanOptionalAction, default=True)


def run(options: argparse.Namespace) -> int:
    """Print the passages found, without a chat model."""
    from ..engine.answering.pipeline import AnswerPipeline
    from ..engine.retrieval.retriever import Retriever

    with open_library(options) as library, open_registry() as registry:
        models = open_models(library, registry)
        finder = Retriever(library.writer, models.find_embedder, models.find_reranker)
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
    given = vars(options)  # the options of answers are missing for `search`
    return QueryParam(
        mode=options.mode,
        top_k=options.top_k,
        chunk_top_k=options.top,
        max_total_tokens=given.get("max_total_tokens", 0),
        hl_keywords=_split(options.keywords_high),
        ll_keywords=_split(options.keywords_low),
        conversation_history=load_history(options.history) if options.history else (),
        user_prompt=given.get("user_prompt", ""),
        response_type=given.get("response_type", ""),
        system_prompt=given.get("system_prompt", ""),
        only_need_context=given.get("only_context", False),
        only_need_prompt=given.get("only_prompt", False),
        enable_rerank=options.rerank,
        most_read=given.get("most_read", MAX_READ),
        only_if_found=not given.get("anyway", False),
        include_references=given.get("references", True),
        include_chunk_content=given.get("chunk_content", False),
        document_ids=choose_documents(library, options.document),
        collection_ids=chosen,
        level=options.level,
        max_calls=given.get("max_calls", 0),
        preset=given.get("preset", ""),
    )


def load_history(path: Path) -> tuple[ChatMessage, ...]:
    """Return the turns of a JSON file.

    Raises:
        UserError: the file is not a list of turns.
    """
    from ..engine.services.document_import import load_file

    hint = 'It needs to be like [{"role": "user", "content": "Who is Marley?"}].'
    try:
        turns = json.loads(load_file(path, MAX_HISTORY_BYTES).decode("utf-8-sig"))
        made = tuple(
            ChatMessage(turn["role"], str(turn.get("content") or turn["text"])) for turn in turns
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UserError(
            "The history in {path} can't be read: {reason}.", hint, path=path, reason=repr(error)
        ) from error
    if strange := next((turn.role for turn in made if turn.role not in TURN_ROLES), None):
        raise UserError(
            "A turn of {path} has the role “{strange}”.", hint, path=path, strange=strange
        )
    return made


def _split(words: str) -> tuple[str, ...]:
    return tuple(w for part in words.replace("，", ",").split(",") if (w := part.strip()))


def count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise ValueError(text)
    return value


def count_or_zero(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError("a number from 0 on is needed")
    return int(text)
