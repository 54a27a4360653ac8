"""Estimates how long an evaluation takes, from the answers of earlier ones.

Without earlier answers of a model, its size says how long one takes here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from ...query import THEME_MODES
from ...store.db import Db
from .model import EvaluationColumn
from .service import get_run, list_runs

SEARCH_S = 0.4  # to find passages: 309 questions took two minutes on two busy cores
# With a model of 1.5 billion parameters, a file of 1.1 GB, three questions of which no passage
# states the answer took about 130 s of the processor each, 65 s on two cores: all passages are read
# one by one, then together (decisions 96 and 113). Others take less. Reading takes as long as the
# file is large. What is measured here replaces this.
SECONDS_PER_BYTE = 65 / 1.1e9
THEME_FACTOR = 8  # reports of communities are read in several prompts
RECENT_RUNS = 5  # older ones had another computer, program or library


@dataclass(frozen=True, slots=True)
class TimeEstimate:
    """Seconds for all questions in all columns.

    Attributes:
        is_measured: there are models, and each has answered here before in these modes.
        unknown: models of which nothing is known, because they are on a server; not in `seconds`.
    """

    seconds: float
    is_measured: bool
    unknown: tuple[str, ...] = ()


KnownTimes = Mapping[EvaluationColumn, float]


def load_known_times(db: Db) -> KnownTimes:
    """Return the median seconds of an answer by column, from the last runs."""
    found: dict[EvaluationColumn, list[float]] = {}
    for row in list_runs(db)[:RECENT_RUNS]:
        run = get_run(db, row.id)
        for one in run.results:
            if one.outcome.has_model and one.outcome.seconds:
                column = run.plan.columns[one.column]
                found.setdefault(column, []).append(one.outcome.seconds)
    return {column: median(seconds) for column, seconds in found.items()}


def estimate_time(
    columns: Sequence[EvaluationColumn],
    n_questions: int,
    known: KnownTimes,
    sizes: Mapping[str, int],
) -> TimeEstimate:
    """Return how long the questions take in all columns.

    Args:
        known: of `load_known_times`.
        sizes: bytes of the file of each chat model; 0 for one on a server.
    """
    seconds, unknown = 0.0, dict[str, None]()
    is_measured = any(column.model for column in columns)
    for column in columns:
        if not column.model:
            seconds += SEARCH_S
        elif column in known:
            seconds += known[column]
        else:
            size = sizes.get(column.model, 0)
            guess = _guess(column, known) or size * SECONDS_PER_BYTE
            is_measured = False
            if guess:
                factor = THEME_FACTOR if column.mode in THEME_MODES else 1
                seconds += guess * factor
            else:
                unknown[column.model] = None
    return TimeEstimate(seconds * n_questions, is_measured, tuple(unknown))


def _guess(column: EvaluationColumn, known: KnownTimes) -> float:
    """Return the seconds of the same model in other modes of its kind, 0 if there are none."""
    of_model: Iterable[float] = [
        seconds
        for other, seconds in known.items()
        if other.model == column.model and other.mode not in THEME_MODES
    ]
    return median(of_model) if of_model else 0.0
