"""Commands that find and answer: search and ask."""

from __future__ import annotations

import argparse

from ..engine.errors import UserError
from ..engine.models.shelf import ModelShelf
from ..engine.query import QueryParam
from ..engine.services.asking import Asking
from ..engine.services.exploring import Exploring
from ..engine.services.finding import Finder
from ..engine.services.library import Library
from ..engine.types import Answer
from .opening import open_library, open_shelf
from .output import show


def run_search(options: argparse.Namespace) -> int:
    with open_library(options) as library, open_shelf() as shelf:
        found = Finder(library.writer, shelf.find_embedder).find(
            options.question,
            QueryParam(
                mode=options.mode,
                chunk_top_k=options.top,
                document_ids=choose_documents(library, options.document),
            ),
        )
        lines = [
            f"{n}. {p.title}{' · p. ' + p.page_label if p.page_label else ''}"
            f"{' · ' + p.heading if p.heading else ''} ({p.score:.2f})\n   "
            f"{' '.join(p.text[p.best_start - p.start : p.best_end - p.start].split())}"
            for n, p in enumerate(found.passages, start=1)
        ]
        result = {
            "question": found.question,
            "mode": found.mode,
            "passages": [
                {
                    "document": p.document_id,
                    "title": p.title,
                    "page": p.page_label or p.page_index,
                    "start": p.start,
                    "end": p.end,
                    "score": p.score,
                    "text": p.text,
                    "best_start": p.best_start,
                    "best_end": p.best_end,
                    "routes": p.routes,
                }
                for p in found.passages
            ],
            "entities": [e.name for e in found.entities],
            "weak": found.weak,
            "timings_ms": found.timings_ms,
            "notes": found.notes,
        }
        show(result, lines or ["Nothing was found."], options.json)
        return 0


def run_ask(options: argparse.Namespace) -> int:
    with open_library(options) as library, open_shelf() as shelf:
        print_answer(library, shelf, options.question, options)
    return 0


def print_answer(
    library: Library, shelf: ModelShelf, question: str, options: argparse.Namespace
) -> Answer:
    asking = Asking(Finder(library.writer, shelf.find_embedder), library.writer, shelf.find_chat)
    answer = asking.ask(
        None,
        question,
        QueryParam(
            mode=getattr(options, "mode", "walk"),
            chunk_top_k=getattr(options, "top", 8),
            document_ids=choose_documents(library, getattr(options, "document", [])),
        ),
    )
    lines = [answer.text, ""]
    lines += [
        f"[{c.number}] {c.title}{' · p. ' + c.page_label if c.page_label else ''} "
        f"({c.start}–{c.end}): {' '.join(c.quote.split())}"
        for c in answer.citations
    ]
    show(answer, lines, options.json)
    return answer


def choose_documents(library: Library, names: list[str]) -> tuple[int, ...] | None:
    """Return the documents of these titles or file names, None if none is named."""
    if not names:
        return None
    rows = Exploring(library.writer).list_documents()
    chosen = tuple(d.id for d in rows if d.title in names or d.file_name in names)
    if not chosen:
        raise UserError(f"No document is called “{names[0]}”.", "See: inkgraph status")
    return chosen
