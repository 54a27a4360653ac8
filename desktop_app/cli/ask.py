"""The command `ask`: answers a question."""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from ..engine.model import (
    Answer,
    AskedQuestion,
    Citation,
    CommunitiesFound,
    Passage,
    RetrievalResult,
)
from ..engine.progress import ignore_progress
from ..engine.query import MAX_READ, PRESETS, READ_MORE, THEME_MODES, QueryParam
from ..engine.text.shown_text import show_text
from ..engine.text_tables import find_bars, lay_out_rows, split_cells, start_in_piece
from .command_context import (
    ProgressPrinter,
    cut_at,
    open_library,
    open_models,
    open_registry,
    show,
    stop_on_interrupt,
)
from .search import add_retrieval_options, count, read_param

if TYPE_CHECKING:
    from ..engine.answering.pipeline import AnswerPipeline
    from ..engine.services.library import Library
    from ..engine.services.library_models import LibraryModels


N_NEAREST, NEAREST_CHARS = 3, 240


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_retrieval_options(parser, top=20)
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--only-context",
        action="store_true",
        help="print the passages for the model instead of an answer",
    )
    instead.add_argument(
        "--only-prompt", action="store_true", help="print the whole prompt instead of an answer"
    )
    parser.add_argument("--user-prompt", default="", help="further instructions for the answer")
    parser.add_argument(
        "--response-type", default="", help='form of the answer, such as "Bullet Points"'
    )
    parser.add_argument(
        "--system-prompt",
        default="",
        help="replaces the built-in system prompt; {context_data} stands for the passages",
    )
    parser.add_argument(
        "--max-total-tokens", type=count, default=0, help="limit of the whole prompt"
    )
    parser.add_argument(
        "--max-calls",
        type=count,
        default=0,
        help="limit of calls of the model, in the modes overview and drift",
    )
    parser.add_argument(
        "--plan", action="store_true", help="only print the number of calls and the time they need"
    )
    parser.add_argument(
        "--preset",
        choices=PRESETS,
        default="",
        help="graphrag: shares of reports, names and text as in GraphRAG",
    )
    parser.add_argument(
        "--anyway",
        action="store_true",
        help="ask the model even if no passage is close to the question",
    )
    parser.add_argument(
        "--most-read",
        type=count,
        default=MAX_READ,
        help="passages that a small model reads one by one until one has the answer",
    )
    parser.add_argument("--references", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument(
        "--chunk-content",
        action="store_true",
        help="also print the text of the references (with --json)",
    )


def run(options: argparse.Namespace) -> int:
    with open_library(options) as library, open_registry() as registry:
        param = read_param(library, options)
        models = open_models(library, registry)
        pipeline = open_pipeline(library, models)
        if options.plan:
            plan = pipeline.plan(param)
            show(plan, [f"{plan.words[0].upper()}{plan.words[1:]}."], options.json)
            return 0
        if param.mode in THEME_MODES and not options.json:
            print(f"inkgraph: {pipeline.plan(param).words}", file=sys.stderr)
        has_model = bool(models.chat_model_name())
        answer = print_answer(pipeline, options.question, param, options.json, has_model=has_model)
    return 130 if answer.stopped else 0


def open_pipeline(library: Library, models: LibraryModels) -> AnswerPipeline:
    from ..engine.answering.pipeline import AnswerPipeline
    from ..engine.retrieval.retriever import Retriever

    return AnswerPipeline(
        Retriever(library.writer, models.find_embedder, models.find_reranker),
        library.writer,
        models.find_chat,
    )


def print_answer(
    pipeline: AnswerPipeline,
    question: str,
    param: QueryParam,
    as_json: bool,
    on_step: ProgressPrinter | None = None,
    *,
    has_model: bool,
) -> Answer:
    """Print the nearest passages and then the checked answer; Ctrl+C stops it.

    What a model writes is not printed before its sentences were compared with their passages. The
    passages are printed on a terminal only, as soon as they are found.

    Args:
        on_step: prints the steps until the first word; slow modes always print them.
        has_model: whether a model reads them; without one they are the answer.
    """
    from ..engine.answering.context import ignore_found
    from ..engine.answering.query_data import list_source_documents

    live = sys.stdout.isatty() and not as_json and has_model
    answer = None
    if on_step is None and param.mode in THEME_MODES and not as_json:
        on_step = ProgressPrinter()
    with stop_on_interrupt() as cancel:
        for piece in pipeline.query_stream(
            question,
            param,
            cancel=cancel,
            on_step=on_step or ignore_progress,
            on_found=_print_nearest if live else ignore_found,
        ):
            if on_step is not None:
                on_step.end()
            if isinstance(piece, Answer):
                answer = piece
    assert answer is not None
    references = []
    if param.include_references:
        cited = {c.document_id for c in answer.citations}
        cited_passages = [p for p in answer.found.passages if p.document_id in cited]
        references = list_source_documents(cited_passages, param)
    outcome = _name_outcome(answer)
    lines = [*_lay_out_quotations(answer), ""]
    if outcome == "quoted" and answer.found.check is not None:
        lines.insert(0, "No written answer: what the model wrote was not confirmed.")
    for note in answer.found.notes:
        print(f"inkgraph: {note}", file=sys.stderr)
    if isinstance(answer.found, CommunitiesFound) and answer.found.tree:
        lines += ["Asked on the way:", *_tree_lines(answer.found.tree), ""]
    if answer.found.asked:
        lines.append(f"(Understood as: {answer.found.question})")
    if answer.stopped:
        lines.append("(Stopped here.)")
    if param.include_references:
        lines += list_sources(answer)
    n_read, n_found = answer.found.n_read, len(answer.found.passages)
    if outcome == "not found" and 0 < n_read < n_found:
        lines.append(
            f"({n_read} of {n_found} passages were read one by one; "
            f"--most-read {min(n_found, n_read + READ_MORE)} reads further.)"
        )
    show({**asdict(answer), "outcome": outcome, "references": references}, lines, as_json)
    return answer


def _name_outcome(answer: Answer) -> str:
    """Return "stated", "quoted" (passages in place of an answer) or "not found"."""
    from ..engine.answering.citations import is_refusal
    from ..engine.services.evaluation.measures import iter_shown

    if is_refusal(answer.text.partition("\n")[0]):
        return "not found"
    is_stated = any(stated for _, _, stated in iter_shown(answer))
    is_quoted = bool(answer.citations) and not is_stated
    return "quoted" if is_quoted else "stated"


def _print_nearest(found: RetrievalResult) -> None:
    """Print the best sentence of the best passages, before a model reads them."""
    for passage in found.passages[:N_NEAREST]:
        start = passage.best_start - passage.start
        window = passage.text[start : passage.best_end - passage.start]
        quote = show_text(window, one_line=True).text
        print(f"- {passage.title}: “{cut_at(quote, NEAREST_CHARS)}”")
    if found.passages:
        print("\nComparing and writing…\n", flush=True)


def list_sources(answer: Answer) -> list[str]:
    """Return the sources of an answer, each with its place and the cited sentence.

    A sentence that the answer quotes as a whole is not repeated. A cell is shown with its row, and
    each row of a table on its own line.
    """
    shown = _list_letters(answer.text)
    passages = {p.chunk_id: p for p in answer.found.passages}
    lines = ["Sources:"] if answer.citations else []
    for c in answer.citations:
        page = f", p. {c.page_label}" if c.page_label else ""
        page += f", {c.cells}" if c.cells else ""
        # The first heading of a Markdown file is often its title: not shown twice.
        passage = passages.get(c.chunk_id)
        heading = passage.heading if passage else ""
        heading = heading.removeprefix(c.title).removeprefix(" › ")
        lines.append(
            f"[{c.number}] {c.title}{f', {heading}' if heading else ''}{page} "
            f"(characters {c.start:,}–{c.end:,})"
        )
        quote = _find_row(passage, c) if passage and c.cells else c.quote
        if _list_letters(quote) not in shown:
            rows = _lay_out_table(passage, c) if passage else []
            lines += [f"    {row}" for row in rows or [f"“{' '.join(quote.split())}”"]]
    return lines


def _lay_out_quotations(answer: Answer) -> list[str]:
    """Return the lines of an answer, with rows of quoted tables on lines of their own.

    In the text of an answer, a quotation is one line.
    """
    passages = {p.chunk_id: p for p in answer.found.passages}
    tables = {
        c.number: _lay_out_table(passages[c.chunk_id], c)
        for c in answer.citations
        if c.chunk_id in passages
    }
    lines: list[str] = []
    for line in answer.text.split("\n"):
        mark = re.fullmatch(r"> .* \[(\d+)\]", line)
        rows = tables.get(int(mark[1])) if mark is not None else None
        if rows:
            lines += [f"> {row}" for row in rows]
            lines[-1] += line[line.rindex(" [") :]
        else:
            lines.append(line)
    return lines


def _lay_out_table(passage: Passage, citation: Citation) -> list[str]:
    """Return the lines of a quotation that has two rows of a table or more, [] for another one."""
    offset = citation.start - passage.start
    start = start_in_piece(passage.text, passage.table, offset)
    rows = lay_out_rows(citation.quote, start)
    if sum(bool(find_bars(row, 0, len(row))) for row in rows) < 2:
        return []
    cells = ([row[a:b] for a, b in split_cells(row, 0, len(row))] for row in rows)
    return [show_text(" | ".join(own), one_line=True).text for own in cells]


def _find_row(passage: Passage, citation: Citation) -> str:
    """Return the rows of a table that a citation is in."""
    start, end = citation.start - passage.start, citation.end - passage.start
    first = passage.text.rfind("\n", 0, max(0, start)) + 1
    last = passage.text.find("\n", max(0, end))
    return passage.text[first : last if last >= 0 else len(passage.text)]


def _list_letters(text: str) -> str:
    """Return the letters and digits of a text: an answer has other signs between them."""
    return "".join(char for char in text.casefold() if char.isalnum())


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
