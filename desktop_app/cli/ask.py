"""The command `ask`: answers a question."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
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
# What is printed around an answer, in the language of the question, as the answer is.
_TEXTS = {
    "en": {
        "unconfirmed": "No written answer: what the model wrote was not confirmed.",
        "asked": "Asked on the way:",
        "understood": "(Understood as: {question})",
        "stopped": "(Stopped here.)",
        "read": "({n_read} of {n_found} passages were read one by one; "
        "--most-read {more} reads further.)",
        "sources": "Sources:",
        "page": ", p. {page}",
        "characters": "(characters {start:,}–{end:,})",
        "reading": "Comparing and writing…",
    },
    "zh": {
        "unconfirmed": "没有写出答案：模型所写的内容未能得到核实。",
        "asked": "途中提出的问题：",
        "understood": "（理解为：{question}）",
        "stopped": "（在此停止。）",
        "read": "（找到{n_found}个段落，逐个读了{n_read}个；用 --most-read {more} 可继续读。）",
        "sources": "来源：",
        "page": "，第{page}页",
        "characters": "（第{start:,}–{end:,}个字符）",
        "reading": "正在核对和撰写……",
    },
}


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
    from ..engine.text.language import find_asked_language

    language = find_asked_language(question)
    texts = _TEXTS[language]
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
            on_found=partial(_print_nearest, texts) if live else ignore_found,
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
        lines.insert(0, texts["unconfirmed"])
    for note in answer.found.notes:
        print(f"inkgraph: {note}", file=sys.stderr)
    if isinstance(answer.found, CommunitiesFound) and answer.found.tree:
        lines += [texts["asked"], *_tree_lines(answer.found.tree), ""]
    if answer.found.asked:
        lines.append(texts["understood"].format(question=answer.found.question))
    if answer.stopped:
        lines.append(texts["stopped"])
    if param.include_references:
        lines += list_sources(answer, language)
    n_read, n_found = answer.found.n_read, len(answer.found.passages)
    if outcome == "not found" and 0 < n_read < n_found:
        more = min(n_found, n_read + READ_MORE)
        lines.append(texts["read"].format(n_read=n_read, n_found=n_found, more=more))
    show({**asdict(answer), "outcome": outcome, "references": references}, lines, as_json)
    return answer


def _name_outcome(answer: Answer) -> str:
    """Return "stated", "quoted" (passages in place of an answer) or "not found"."""
    from ..engine.answering.citations import is_refusal
    from ..engine.services.evaluation.measures import is_refused, iter_shown

    if is_refused(answer.text) or is_refusal(answer.text.partition("\n")[0]):
        return "not found"
    is_stated = any(stated for _, _, stated in iter_shown(answer))
    is_quoted = bool(answer.citations) and not is_stated
    return "quoted" if is_quoted else "stated"


def _print_nearest(texts: Mapping[str, str], found: RetrievalResult) -> None:
    """Print the best sentence of the best passages, before a model reads them."""
    for passage in found.passages[:N_NEAREST]:
        start = passage.best_start - passage.start
        window = passage.text[start : passage.best_end - passage.start]
        quote = show_text(window, one_line=True).text
        print(f"- {passage.title}: “{cut_at(quote, NEAREST_CHARS)}”")
    if found.passages:
        print(f"\n{texts['reading']}\n", flush=True)


def list_sources(answer: Answer, language: str = "en") -> list[str]:
    """Return the sources of an answer, each with its place and the cited sentence.

    A sentence that the answer quotes as a whole is not repeated. A cell is shown with its row, and
    each row of a table on its own line.
    """
    shown = _list_letters(answer.text)
    passages = {p.chunk_id: p for p in answer.found.passages}
    texts = _TEXTS[language]
    lines = [texts["sources"]] if answer.citations else []
    for c in answer.citations:
        page = texts["page"].format(page=c.page_label) if c.page_label else ""
        page += f", {c.cells}" if c.cells else ""
        # The first heading of a Markdown file is often its title: not shown twice.
        passage = passages.get(c.chunk_id)
        heading = passage.heading if passage else ""
        heading = heading.removeprefix(c.title).removeprefix(" › ")
        lines.append(
            f"[{c.number}] {c.title}{f', {heading}' if heading else ''}{page} "
            f"{texts['characters'].format(start=c.start, end=c.end)}"
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
