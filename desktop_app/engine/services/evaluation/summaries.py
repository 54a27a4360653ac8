"""Sums up runs: the table of measures, the best column, two columns against each other.

A command and a screen show the same figures. Knows no library: runs are given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ...errors import UserError
from .measures import MEASURES, NEITHER, Measure
from .model import EvaluationRun, Result
from .statistics import SAME, ColumnComparison, Summary, WinRate, compare, count_wins, summarise

# Of the words of a known answer: with less than half of them, what is shown names something else.
# All of them is too much: a known answer of a whole sentence is never repeated word for word.
RIGHT_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class MeasureRow:
    """One measure in all columns of a run.

    Attributes:
        cells: one a column, None where no question has the measure.
        best: the column that is better than each other one, and hardly by chance; None without one.
    """

    measure: Measure
    cells: tuple[Summary | None, ...]
    best: int | None


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """How often a judge preferred the first column of a pair, by criterion."""

    judge: str
    rates: tuple[WinRate, ...]


@dataclass(frozen=True, slots=True)
class ColumnPair:
    """Two columns of a run against each other, in every measure that both have."""

    first: int
    second: int
    comparisons: tuple[ColumnComparison, ...]
    judged: tuple[JudgedPair, ...]


@dataclass(frozen=True, slots=True)
class RunSummary:
    """The table of a run, and its columns in pairs."""

    rows: tuple[MeasureRow, ...]
    pairs: tuple[ColumnPair, ...]


def summarise_run(run: EvaluationRun) -> RunSummary:
    """Return the measures that a run has, by column, and its columns in pairs."""
    numbers = range(len(run.plan.columns))
    pairs = tuple(_compare_pair(run, *pair) for pair in combinations(numbers, 2))
    rows = []
    for measure in MEASURES:
        values = [list(run.values(column, measure.key).values()) for column in numbers]
        if any(values):
            cells = tuple(summarise(one, measure) if one else None for one in values)
            rows.append(MeasureRow(measure, cells, _find_best(measure, cells, pairs)))
    return RunSummary(tuple(rows), pairs)


def _compare_pair(run: EvaluationRun, first: int, second: int) -> ColumnPair:
    found = (
        compare(run.values(first, measure.key), run.values(second, measure.key), measure)
        for measure in MEASURES
    )
    compared = tuple(one for one in found if one is not None)
    return ColumnPair(first, second, compared, list_judged(run, first, second))


def list_judged(run: EvaluationRun, first: int, second: int) -> tuple[JudgedPair, ...]:
    """Return what each judge says of two columns of a run."""
    judges = dict.fromkeys(one.judge for one in run.judgements if one.other >= 0)
    return tuple(
        JudgedPair(judge, tuple(rates))
        for judge in judges
        if (rates := count_wins(run, first, second, judge))
    )


def _find_best(
    measure: Measure, cells: Sequence[Summary | None], pairs: Sequence[ColumnPair]
) -> int | None:
    """Return the column that beats each other one, None if one of the differences may be chance.

    Each comparison has to hold by itself, so the number of comparisons makes no error more likely
    (intersection-union test, Berger 1982).
    """
    if measure.better == NEITHER:
        return None
    have = [column for column, cell in enumerate(cells) if cell is not None]
    won = dict.fromkeys(have, 0)
    for pair in pairs:
        for one in pair.comparisons:
            if one.measure.key == measure.key and not one.is_chance:
                won[pair.first if one.n_better > one.n_worse else pair.second] += 1
    return next((c for c, n in won.items() if len(have) > 1 and n == len(have) - 1), None)


# --- two columns, also of two runs ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RunComparison:
    """A column against another one, perhaps of an earlier run, over the questions of both.

    Attributes:
        cells: for each comparison the measure of the first and of the second column.
        differ: the settings or versions of the two runs are not the same.
    """

    n_common: int
    comparisons: tuple[ColumnComparison, ...]
    cells: tuple[tuple[Summary, Summary], ...]
    differ: bool


def compare_runs(
    one: EvaluationRun, first: int, other: EvaluationRun, second: int
) -> RunComparison:
    """Return how two columns differ, over the questions that both runs have.

    Raises:
        UserError: they have no question in common.
    """
    numbers = [
        {question.text: number for number, question in enumerate(run.plan.questions)}
        for run in (one, other)
    ]
    common = [text for text in numbers[0] if text in numbers[1]]
    if not common:
        raise UserError(
            "Evaluations {one} and {other} have no question in common.",
            "Only columns with the same questions can be compared.",
            one=one.id,
            other=other.id,
        )
    comparisons, cells = [], []
    for measure in MEASURES:
        values = [
            {i: found[n] for i, text in enumerate(common) if (n := of_run[text]) in found}
            for of_run, found in zip(
                numbers,
                (one.values(first, measure.key), other.values(second, measure.key)),
                strict=True,
            )
        ]
        compared = compare(values[0], values[1], measure)
        if compared is not None:
            both = sorted(values[0].keys() & values[1].keys())
            comparisons.append(compared)
            mine, others = ([of_run[n] for n in both] for of_run in values)
            cells.append((summarise(mine, measure), summarise(others, measure)))
    differ = (one.plan.settings, one.plan.versions) != (other.plan.settings, other.plan.versions)
    return RunComparison(len(common), tuple(comparisons), tuple(cells), differ)


# --- one question ---------------------------------------------------------------------------------


def is_wrong(result: Result) -> bool:
    """Return whether an answer is wrong as far as its measures show.

    It failed, was refused though there is an answer, was not refused though there is none, or has
    less than half the words of the known answer (`RIGHT_SHARE`); without a model, the passages have
    less than half of them, or of the evidence.
    """
    measures = result.measures
    if result.outcome.error or measures.get("answered") == 0 or measures.get("refused") == 0:
        return True
    keys = ("answer_shown", "answer_in_prompt", "evidence_in_prompt")
    known = next((measures[key] for key in keys if key in measures), 1.0)
    return known < RIGHT_SHARE


def find_differing(run: EvaluationRun) -> frozenset[int]:
    """Return the questions for which the columns differ in what is right, or in a share.

    Times and tokens always differ, so they do not count.
    """
    by_question: dict[int, list[Result]] = {}
    for one in run.results:
        by_question.setdefault(one.question, []).append(one)
    return frozenset(
        number
        for number, found in by_question.items()
        if len({is_wrong(one) for one in found}) > 1
        or any(_differs([one.measures for one in found], measure) for measure in MEASURES)
    )


def _differs(found: Sequence[Mapping[str, float]], measure: Measure) -> bool:
    values = [one[measure.key] for one in found if measure.key in one]
    is_share = measure.unit == "share"
    return is_share and len(values) > 1 and max(values) - min(values) > SAME["share"]
