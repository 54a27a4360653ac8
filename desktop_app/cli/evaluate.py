"""The command `evaluate`: examines modes and models with questions whose answers are known."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, ClassVar

from ..engine.errors import UserError
from ..engine.progress import Progress
from ..engine.query import ALL_MODES
from ..engine.services.evaluation.model import DEFAULT_MODES
from ..engine.text.shown_text import show_text
from .command_context import (
    ProgressPrinter,
    choose_documents,
    count_words,
    cut_at,
    open_library,
    open_models,
    open_registry,
    path_argument,
    show,
    stop_on_interrupt,
)
from .search import count, count_or_zero

if TYPE_CHECKING:
    from ..engine.services.evaluation.measures import Measure
    from ..engine.services.evaluation.model import (
        EvaluationColumn,
        EvaluationQuestion,
        EvaluationRun,
    )
    from ..engine.services.evaluation.statistics import Summary
    from ..engine.services.evaluation.summaries import JudgedPair
    from ..engine.services.library import Library
    from ..engine.services.library_models import LibraryModels

NO_MODEL = "none"
ANSWER_CHARS = 400  # of each answer beside the others
WRITE_A_FILE = "Give one, or let questions be written: inkgraph evaluate FILE --propose 20"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "questions",
        nargs="?",
        type=path_argument,
        help="JSONL, JSON, CSV or a list; with --propose the file that is written",
    )
    parser.add_argument(
        "--modes", nargs="+", metavar="MODE", default=list(DEFAULT_MODES), help=" ".join(ALL_MODES)
    )
    parser.add_argument(
        "--models",
        nargs="+",
        metavar="NAME",
        default=[],
        help=f"chat models; {NO_MODEL}: passages are only found (default: the model in use)",
    )
    parser.add_argument("--limit", type=count, help="ask the first N questions of the file")
    parser.add_argument("--tokens", type=count_or_zero, help="of a prompt; 0: as many as fit")
    parser.add_argument("--top", type=count, help="number of passages")
    parser.add_argument("--response-type", default="", help="form of the answers")
    parser.add_argument("--rerank", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument(
        "--anyway", action="store_true", help="ask the model even if nothing near was found"
    )
    parser.add_argument("--again", action="store_true", help="ask all questions anew")
    parser.add_argument("--judge", metavar="NAME", help="chat model that judges the answers")
    parser.add_argument("--out", type=path_argument, help="also write it to .json, .csv or .md")
    parser.add_argument(
        "--document", action="append", default=[], help="only in this title or file name"
    )
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--propose",
        type=count,
        metavar="N",
        help="write N questions to the file: by a chat model, or without one (--models none)",
    )
    instead.add_argument("--list", action="store_true", help="list the runs of the library")
    instead.add_argument("--show", type=count, metavar="RUN", help="all answers, side by side")
    instead.add_argument(
        "--compare", nargs=2, metavar=("A", "B"), help="two columns, such as 3.1 and 3.2"
    )
    instead.add_argument("--delete", type=count, metavar="RUN", help="delete a run")


def run(options: argparse.Namespace) -> int:
    from ..engine.services.evaluation import service
    from ..engine.services.evaluation.exporting import check_format
    from ..engine.services.exporting.output import check_replaceable

    if options.out is not None:
        check_format(options.out)
        check_replaceable(options.out, [options.questions] if options.questions else [])
    needs_file = not (options.list or options.delete or options.show or options.compare)
    if needs_file and options.questions is None:
        raise UserError("There is no file of questions.", WRITE_A_FILE)
    with open_library(options) as library:
        db = library.writer
        if options.list:
            return _list_runs(library, options.json)
        if options.delete:
            service.delete_run(db, options.delete)
            lines = [f"Evaluation {options.delete} is deleted."]
            show({"deleted": options.delete}, lines, options.json)
            return 0
        if options.compare:
            return _compare(library, options)
        if options.show and not options.judge:
            return _print_run(service.get_run(db, options.show), options, with_answers=True)
        with open_registry() as registry:
            models = open_models(library, registry)  # those of its server, as in the window
            if options.show:
                found = service.get_run(db, options.show)
                found = _judge(library, models, found, options.judge)
                return _print_run(found, options, with_answers=True)
            if options.propose:
                return _propose(library, models, options)
            return _evaluate(library, models, options)


# --- asking --------------------------------------------------------------------------------------


def _evaluate(library: Library, models: LibraryModels, options: argparse.Namespace) -> int:
    from ..engine.services.evaluation.model import EvaluationPlan
    from ..engine.services.evaluation.places import QuestionPlacer
    from ..engine.services.evaluation.question_files import load_questions
    from ..engine.services.evaluation.service import EvaluationService, check_columns

    file = load_questions(options.questions)
    columns, versions = _choose_columns(models, options)
    check_columns(columns)
    if options.judge:
        models.get_chat_row(options.judge)
    settings = _read_settings(library, options)
    line = EvaluationLine()
    try:
        placed = QuestionPlacer(library.writer).place(file.questions, on_progress=line)
    finally:
        line.end()
    for note in (*file.notes, *placed.problems):
        _warn(note)
    questions = placed.questions[: options.limit]
    if not any(one.asked.answers or one.asked.evidence for one in questions):
        _warn("no question has an answer or evidence; only refusals and times are measured.")
    plan = EvaluationPlan(
        tuple(one.asked for one in questions), columns, settings, versions, options.questions.name
    )
    service = EvaluationService(
        library.writer, models.find_embedder, models.find_reranker, models.borrow_chat
    )
    if not options.json:
        _announce(library, models, columns, len(questions))
    line = EvaluationLine()
    with stop_on_interrupt() as cancel:
        found = service.run(plan, questions, again=options.again, cancel=cancel, on_progress=line)
    line.end()
    if options.judge and found.is_finished:
        found = _judge(library, models, found, options.judge)
    _print_run(found, options, with_answers=False)
    if found.is_finished:
        return 0
    n_all = len(questions) * len(columns)
    _warn(
        f"stopped: {len(found.results):,} of {n_all:,} answers are kept;"
        " run the same command to go on."
    )
    return 130


def _announce(
    library: Library,
    models: LibraryModels,
    columns: tuple[EvaluationColumn, ...],
    n_questions: int,
) -> None:
    """Print how long the models take, which may be hours, before the first question is asked."""
    from ..engine.durations import format_estimate
    from ..engine.services.evaluation.estimates import estimate_time, load_known_times

    sizes = {one.model: models.get_chat_row(one.model).size_bytes for one in columns if one.model}
    if not sizes:
        return
    found = estimate_time(columns, n_questions, load_known_times(library.writer), sizes)
    work = f"{count_words(n_questions, 'question')} in {count_words(len(columns), 'column')}"
    source = "as earlier answers took" if found.is_measured else "guessed by the size of the model"
    _warn(
        f"{work}: {format_estimate(found.seconds)}, {source};"
        " what was answered before is not asked again. Ctrl+C stops and keeps the answers."
    )


def _choose_columns(
    models: LibraryModels, options: argparse.Namespace
) -> tuple[tuple[EvaluationColumn, ...], dict[str, str]]:
    """Return the columns, and the versions of the program and the models.

    Raises:
        UserError: a model is unknown or not installed.
    """
    from ..engine.services.evaluation.model import EvaluationColumn
    from ..engine.services.evaluation.service import list_versions

    names = options.models or [models.chat_model_name() or NO_MODEL]
    rows = [None if name == NO_MODEL else models.get_chat_row(name) for name in names]
    chosen = [row.name if row else "" for row in rows]
    pairs = [EvaluationColumn(mode, model) for model in chosen for mode in options.modes]
    versions = list_versions([row for row in rows if row], models.embedding_name())
    return tuple(dict.fromkeys(pairs)), versions


def _read_settings(library: Library, options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that differ from those of a question, by their names in `QueryParam`."""
    settings: dict[str, Any] = {}
    if options.tokens is not None:
        settings["max_total_tokens"] = options.tokens
    if options.top:
        settings["chunk_top_k"] = options.top
    if options.response_type:
        settings["response_type"] = options.response_type
    if not options.rerank:
        settings["enable_rerank"] = False
    if options.anyway:
        settings["only_if_found"] = False
    if chosen := choose_documents(library, options.document):
        settings["document_ids"] = list(chosen)
    return settings


def _judge(
    library: Library, models: LibraryModels, found: EvaluationRun, name: str
) -> EvaluationRun:
    """Let a model judge the answers; Ctrl+C keeps what was judged."""
    from ..engine.services.evaluation.judging import Judge

    line = EvaluationLine()
    with models.borrow_chat(name) as model, stop_on_interrupt() as cancel:
        judge = Judge(library.writer, model, models.get_chat_row(name).name)
        if judge.warning is not None:
            _warn(judge.warning)
        judged = judge.judge(found, cancel=cancel, on_progress=line)
    line.end()
    if cancel.cancelled:
        _warn("stopped; what was judged is kept.")
    return judged


def _propose(library: Library, models: LibraryModels, options: argparse.Namespace) -> int:
    from ..engine.services.evaluation.proposals import REJECTIONS, propose_questions
    from ..engine.services.evaluation.question_files import append_question, begin_file

    names = options.models or [models.chat_model_name()]
    if len(names) > 1 or not names[0]:
        raise UserError(
            "Questions are proposed by one chat model.",
            "Install one, or name it with --models. Without a model, a name is left out of"
            f" sentences: --models {NO_MODEL}",
        )
    begin_file(options.questions)
    line = ProposalLine()

    def keep(question: EvaluationQuestion) -> None:
        append_question(options.questions, question)

    with_model = nullcontext() if names[0] == NO_MODEL else models.borrow_chat(names[0])
    with with_model as model, stop_on_interrupt() as cancel:
        found = propose_questions(
            library.writer,
            model,
            options.propose,
            document_ids=choose_documents(library, options.document),
            cancel=cancel,
            on_progress=line,
            on_question=keep,
        )
    line.end()
    if found.stopped:
        _warn(
            "stopped; the questions so far are in the file. With another file name, what the"
            " model wrote is not written again."
        )
    lines = [
        f"{count_words(len(found.questions), 'question')} of {found.n_read:,} passages kept,"
        f" in {options.questions}",
        *(f"  {n:,} not kept: {REJECTIONS[key]}" for key, n in sorted(found.rejected.items())),
        "Read them and delete or correct poor ones before you use them.",
    ]
    show(
        {
            "kept": len(found.questions),
            "read": found.n_read,
            "rejected": found.rejected,
            "file": options.questions,
            "stopped": found.stopped,
        },
        lines,
        options.json,
    )
    return 130 if found.stopped else 0


# --- showing -------------------------------------------------------------------------------------


def _list_runs(library: Library, as_json: bool) -> int:
    from ..engine.services.evaluation.service import list_runs

    rows = list_runs(library.writer)
    lines = []
    for row in rows:
        state = "" if row.is_finished else f", unfinished: {row.n_done:,} of {row.n_all:,} answers"
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.created_at))
        lines.append(f"{row.id}  {when}  {row.title}, {count_words(row.n_questions, 'question')}"
                     f"{state}")  # fmt: skip
        lines += [f"   {row.id}.{n} {column.title}" for n, column in enumerate(row.columns, 1)]
    show(rows, lines or ["No evaluation was run with this library yet."], as_json)
    return 0


def _print_run(found: EvaluationRun, options: argparse.Namespace, *, with_answers: bool) -> int:
    from ..engine.services.evaluation.exporting import build_run_data, export_run

    if options.out is not None:
        export_run(found, options.out)
    lines = _summary_lines(found)
    if with_answers:
        lines += ["", *_answer_lines(found)]
    show(build_run_data(found), lines, options.json)
    return 0


def _summary_lines(found: EvaluationRun) -> list[str]:
    from ..engine.services.evaluation.summaries import summarise_run

    summary, columns = summarise_run(found), found.plan.columns
    n = len(found.plan.questions)
    lines = [f"Evaluation {found.id}: {found.plan.title}, {count_words(n, 'question')}"]
    lines += [f"  {found.id}.{i} {column.title}" for i, column in enumerate(columns, 1)]
    errors = [one for one in found.results if one.outcome.error]
    if errors:
        failed = count_words(len(errors), "answer")
        lines.append(f"  {failed} failed, the first: {errors[0].outcome.error}")
    head = [f"{found.id}.{i}" for i in range(1, len(columns) + 1)]
    rows = [["mean, or median of times; 95 % interval; questions", *head]]
    for row in summary.rows:
        cells = [_write(cell, row.measure) if cell else "–" for cell in row.cells]
        rows.append([str(row.measure.title), *cells])
    lines += ["", *_align(rows)]
    for pair in summary.pairs:
        if not pair.comparisons:  # no question was answered in both yet
            continue
        verdicts = [
            f"  {one.measure.title}: {one.verdict}"
            for one in pair.comparisons
            if one.n_better or one.n_worse
        ]
        title = f"{found.id}.{pair.first + 1} against {found.id}.{pair.second + 1}"
        lines += ["", f"{title}:", *(verdicts or ["  no difference in any measure"])]
        lines += _judge_lines(pair.judged)
    if len(summary.pairs) > 1:
        lines += ["", "With many comparisons, one in twenty looks like more than chance."]
    return lines


def _judge_lines(judged: Sequence[JudgedPair]) -> list[str]:
    from ..engine.services.evaluation.judging import CRITERION_TITLES

    lines = []
    for one in judged:
        lines.append(f"  judged by {one.judge}, in both orders:")
        lines += [f"    {CRITERION_TITLES[r.criterion]}: {r.verdict}" for r in one.rates]
    return lines


def _answer_lines(found: EvaluationRun) -> list[str]:
    """Return every question with the answers of all columns below each other."""
    by_place = {(one.question, one.column): one for one in found.results}
    lines = []
    for number, question in enumerate(found.plan.questions):
        lines.append(f"{number + 1}. {question.text}")
        gold = " | ".join(question.answers)
        lines.append(f"   expected: {gold or ('–' if question.is_answerable else 'no answer')}")
        for column in range(len(found.plan.columns)):
            one = by_place.get((number, column))
            if one is None:
                continue
            text = show_text(one.outcome.text, one_line=True).text or "(only passages)"
            shown = one.outcome.error or cut_at(text, ANSWER_CHARS)
            numbers = ", ".join(
                f"{key} {value:g}" for key, value in one.measures.items() if key != "seconds"
            )
            lines += [f"   {found.id}.{column + 1} {shown}", f"       {numbers}"]
    return lines


def _compare(library: Library, options: argparse.Namespace) -> int:
    """Compare two columns, also of two runs, over the questions that both have."""
    from ..engine.services.evaluation.summaries import compare_runs, list_judged

    (one, first), (other, second) = (_get_column(library, name) for name in options.compare)
    found = compare_runs(one, first, other, second)
    lines = [
        f"{options.compare[0]} {one.plan.columns[first].title} against "
        f"{options.compare[1]} {other.plan.columns[second].title}, "
        f"{count_words(found.n_common, 'common question')}"
    ]
    lines += [
        f"  {compared.measure.title}: {compared.difference:+.3f} "
        f"({compared.low:+.3f} to {compared.high:+.3f}), {compared.verdict}"
        for compared in found.comparisons
    ]
    if one.id == other.id:
        lines += _judge_lines(list_judged(one, first, second))
    if found.differ:
        lines.append("  (Settings or versions differ: see --show with --json.)")
    show(found.comparisons, lines, options.json)
    return 0


def _get_column(library: Library, name: str) -> tuple[EvaluationRun, int]:
    """Return the run and the column that "3.2" names; "3" is the first one of run 3.

    Raises:
        UserError: there is no such column.
    """
    from ..engine.services.evaluation.service import get_run

    run_id, _, column = name.partition(".")
    if not run_id.isdecimal() or not (column or "1").isdecimal():
        raise UserError(
            "“{name}” names no column.",
            "Write the run and the column, such as 3.2. See: inkgraph evaluate --list",
            name=name,
        )
    found = get_run(library.writer, int(run_id))
    number = int(column or "1") - 1
    if not 0 <= number < len(found.plan.columns):
        raise UserError(
            "Evaluation {run} has {n} columns.",
            "See: inkgraph evaluate --list",
            run=run_id,
            n=len(found.plan.columns),
        )
    return found, number


def _write(one: Summary, measure: Measure) -> str:
    if measure.unit == "share":
        return f"{one.value:.2f} ({one.low:.2f}–{one.high:.2f}; {one.n})"
    unit = " s" if measure.unit == "s" else ""
    digits = 1 if measure.unit == "s" else 0
    return f"{one.value:.{digits}f}{unit}, p95 {one.p95:.{digits}f}{unit} ({one.n})"


def _align(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _warn(text: str) -> None:
    print(f"inkgraph: {text}", file=sys.stderr)


class EvaluationLine(ProgressPrinter):
    """Prints progress with the column and the question that is asked or judged."""

    stages: ClassVar[Mapping[str, str]] = {
        "placing": "looking for the evidence of the questions in the documents:",
    }

    def words(self, progress: Progress) -> str:
        from ..engine.services.evaluation.service import EvaluationProgress

        words = super().words(progress)
        if not isinstance(progress, EvaluationProgress):
            return words
        return f"{words} · {progress.column}: {cut_at(progress.question, 60)}"


class ProposalLine(ProgressPrinter):
    """Prints how many questions are kept, and how many passages were read for them."""

    def words(self, progress: Progress) -> str:
        from ..engine.services.evaluation.proposals import ProposalProgress

        n_read = progress.n_read if isinstance(progress, ProposalProgress) else 0
        return f"{super().words(progress)} questions, {count_words(n_read, 'passage')} read"
