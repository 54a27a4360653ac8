"""The words of the evaluation screen: columns, runs, values, progress. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_app.engine.durations import format_seconds
from desktop_app.engine.progress import Progress
from desktop_app.engine.query import THEME_MODES
from desktop_app.engine.scheduler import Priority
from desktop_app.engine.services.evaluation.measures import HIGHER, LOWER, Measure
from desktop_app.engine.services.evaluation.model import (
    PROMPT_TOKENS,
    AnswerEvidence,
    AnswerJudgement,
    EvaluationColumn,
    EvaluationPlan,
    EvaluationQuestion,
    RunRow,
)
from desktop_app.engine.services.evaluation.proposals import BLANK
from desktop_app.engine.services.evaluation.service import EvaluationProgress
from desktop_app.engine.services.evaluation.statistics import ColumnComparison, Summary
from desktop_app.engine.services.evaluation.summaries import RunSummary

from ..translation import tr, tr_message, trn
from ..widgets import format_number, format_when, join_words
from ..widgets.modes import BYPASS, Mode, mode_of
from ..widgets.words import format_model, format_pace, join_sentences

BETWEEN_ANSWERS = " | "


def format_column(column: EvaluationColumn) -> str:
    """Return a mode with its chat model: "Everything · Qwen2.5 7B"."""
    mode = tr(mode_of(column.mode).short)
    return f"{mode} · {format_model(column.model)}" if column.model else mode


def format_columns(columns: Sequence[EvaluationColumn]) -> list[str]:
    """Return the columns of a run without what is the same in all of them: model or mode."""
    if len(columns) > 1 and len({column.model for column in columns}) == 1:
        return [tr(mode_of(column.mode).short) for column in columns]
    if len(columns) > 1 and len({column.mode for column in columns}) == 1:
        return [
            format_model(column.model) if column.model else tr("Without a model")
            for column in columns
        ]
    return [format_column(column) for column in columns]


def describe_common(columns: Sequence[EvaluationColumn]) -> str:
    """Return what all columns of a run have in common: the model or the mode; "" for nothing."""
    models, modes = {one.model for one in columns}, {one.mode for one in columns}
    if len(columns) < 2:
        return ""
    if len(models) == 1:
        [model] = models
        return format_model(model) if model else tr("Without a model")
    return tr(mode_of(next(iter(modes))).short) if len(modes) == 1 else ""


def describe_mode(mode: Mode) -> str:
    """Return what a mode does, and what it needs besides an indexed library."""
    need = ""
    if mode.key in (*THEME_MODES, BYPASS):
        need = tr("Needs a chat model.")
    elif mode.key == "naive":
        need = tr("Needs a model for search by meaning.")
    return join_sentences([part for part in (tr(mode.use), need) if part])


def describe_run(row: RunRow) -> str:
    """Return when a run was begun, and what it has: "today 14:05 · 20 questions · 3 columns"."""
    parts = [
        format_when(row.created_at),
        trn("{n} question", "{n} questions", row.n_questions),
        trn("{n} column", "{n} columns", len(row.columns)),
    ]
    if not row.is_finished:  # before what may have no room
        done, total = format_number(row.n_done), format_number(row.n_all)
        parts.insert(1, tr("unfinished: {done} of {total}", done=done, total=total))
    return " · ".join(part for part in parts if part)


def describe_settings(plan: EvaluationPlan) -> str:
    """Return the settings and versions of a run in one line."""
    tokens = int(plan.settings.get("max_total_tokens", PROMPT_TOKENS))
    parts = [
        tr("Prompt: {n} tokens", n=format_number(tokens))
        if tokens
        else tr("Prompt: as many tokens as fit")
    ]
    if version := plan.versions.get("inkgraph"):
        parts.append(tr("Inkgraph {version}", version=version))
    if embedder := plan.versions.get("embedding"):
        parts.append(tr("search by meaning: {model}", model=format_model(embedder)))
    others = plan.settings.keys() - {"max_total_tokens"}  # set on the command line
    parts += [f"{name}: {plan.settings[name]}" for name in sorted(others)]
    return " · ".join(parts)


def format_value(value: float, measure: Measure) -> str:
    """Return a value of a measure with its unit."""
    value = round(value, {"share": 2, "s": 1}.get(measure.unit, 0)) or 0.0  # no "-0.0"
    if measure.unit == "share":
        return f"{value:.2f}"
    if measure.unit == "s" and value >= 60:
        return tr_message(format_seconds(value))
    return tr("{n} s", n=f"{value:.1f}") if measure.unit == "s" else format_number(round(value))


def format_interval(cell: Summary, measure: Measure) -> str:
    """Return the 95 % interval of a mean or median: "0.54–0.61"; "" if it is the value alone."""
    low, high = format_value(cell.low, measure), format_value(cell.high, measure)
    return f"{low}–{high}" if low != high else ""


def format_summary(cell: Summary, measure: Measure) -> str:
    """Return a mean with its 95 % interval, or a median: "0.58 (0.54–0.61)"."""
    value, interval = format_value(cell.value, measure), format_interval(cell, measure)
    return f"{value} ({interval})" if interval else value


def describe_outcome(summary: RunSummary, columns: Sequence[EvaluationColumn]) -> str:
    """Return in a sentence which column of a run is better, "" if there is only one."""
    if len(columns) < 2 or not summary.rows:
        return ""
    titles, found = format_columns(columns), dict[int, list[str]]()
    for row in summary.rows:
        if row.best is not None:
            found.setdefault(row.best, []).append(f"“{format_measure(row.measure)}”")
    if not any(one.n_better or one.n_worse for pair in summary.pairs for one in pair.comparisons):
        return tr("There is no difference on these questions.")
    if not found:
        return tr("No mode or model is clearly better here: the differences may be chance.")
    return join_sentences(
        [
            tr("{column} is clearly better in {measures}.", column=titles[column],
               measures=join_words(measures))
            for column, measures in found.items()
        ]
    )  # fmt: skip


def describe_chance(one: ColumnComparison) -> str:
    """Return how sure a difference is, in a few words."""
    if not one.n_better and not one.n_worse:
        return tr("no difference")
    if one.is_chance:
        return tr("may be chance (p = {p})", p=f"{one.p:.2f}")
    return tr("hardly chance (p = {p})", p=f"{max(one.p, 0.001):.3f}")


def shorten_question(text: str) -> str:
    """Return what tells a question from others: of a sentence with a gap, the sentence."""
    start = text.find("“")
    return text[start:] if 0 < start < text.find(BLANK) else text


def format_answers(question: EvaluationQuestion) -> str:
    """Return the known answers in one line, or that the documents do not have one."""
    if not question.is_answerable:
        return tr("not in the documents")
    return BETWEEN_ANSWERS.join(question.answers) or "–"


def format_evidence(evidence: Sequence[AnswerEvidence]) -> str:
    """Return where the answer of a question stands, in one line; "" if that is not known."""
    parts = []
    for one in evidence:
        page = tr("p. {page}", page=one.page) if one.page else ""
        place = " ".join(part for part in (one.document, page) if part)
        parts.append(f"“{one.quote}”" if one.quote else place)
    return " · ".join(parts)


def describe_progress(
    progress: Progress | None,
    columns: Sequence[EvaluationColumn],
    blocker: Priority | None = None,
) -> str:
    """Return what is being done: "Asking question 7 of 40 · Everything · 3 min left".

    Args:
        blocker: the more urgent work that it waits for, named in place of the time.
    """
    if progress is None:
        return tr("Starting…") if blocker is None else format_pace(None, blocker)
    pace = format_pace(progress.left_s, blocker)
    done, total = format_number(progress.done), format_number(progress.total)
    if progress.stage == "proposing":
        words = tr("{done} of {total} questions proposed", done=done, total=total)
        return " · ".join(part for part in (words, pace) if part)
    number = format_number(min(progress.done + 1, progress.total))
    if progress.stage == "judging":
        words = tr("Judging {n} of {total}", n=number, total=total)
    else:
        words = tr("Asking question {n} of {total}", n=number, total=total)
    titles = {column.title: format_column(column) for column in columns}
    column = progress.column if isinstance(progress, EvaluationProgress) else ""
    parts = (words, titles.get(column, column), pace)
    return " · ".join(part for part in parts if part)


def describe_judgement(
    one: AnswerJudgement, column: int, titles: Sequence[str], criteria: dict[str, str]
) -> str:
    """Return what a judge says of the answer of a column, against another one or alone."""
    judge = format_model(one.judge)
    if one.other < 0:
        share = one.values.get("faithfulness")
        if share is None:
            return ""
        percent = round(100 * share)
        return tr("{judge} finds {n}% of the sentences supported", judge=judge, n=percent)
    sign = 1 if one.column == column else -1
    other = titles[one.other if one.column == column else one.column]
    better = [criteria[name] for name, value in one.values.items() if value * sign > 0]
    worse = [criteria[name] for name, value in one.values.items() if value * sign < 0]
    parts = []
    if better:
        parts.append(tr("better in {criteria}", criteria=join_words(better)))
    if worse:
        parts.append(tr("worse in {criteria}", criteria=join_words(worse)))
    verdict = "; ".join(parts) or tr("no difference")
    return tr("{judge}, against {other}: {verdict}", judge=judge, other=other, verdict=verdict)


def format_measure(measure: Measure) -> str:
    return tr_message(measure.title)


def explain_measure(measure: Measure) -> str:
    """Return what a measure is, and whether more or less of it is better."""
    better = {HIGHER: tr("More is better."), LOWER: tr("Less is better.")}.get(measure.better, "")
    return join_sentences([part for part in (tr_message(measure.explanation), better) if part])
