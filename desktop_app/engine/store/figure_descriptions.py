"""Rows of the descriptions of figures: which wait, what a model wrote, and the user's corrections.

A figure is known by its place in the file (`PLACE`), since its number changes when figures are
found again. `store.figures` joins what is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..messages import Message
from .db import Db
from .documents import DOCUMENT_KEY
from .enrichment import find_setting, store_setting
from .figures import PLACE, find_first_wanted

MAX_TEXT_CHARS = 2_000
MEASURED = 20  # descriptions of one model whose mean time is the estimate for the next
_PAUSED = "descriptions_paused"  # the setting of the library
# From the figures of the documents that have some: a place can't be looked up the other way.
_WAITING = (
    "FROM figure f CROSS JOIN figure_description e ON e.document_id = f.document_id"
    f" AND e.place = {PLACE} WHERE e.state = 'waiting' AND f.document_id IN"
    " (SELECT document_id FROM figure_description WHERE state = 'waiting')"
)


@dataclass(frozen=True, slots=True)
class DescriptionCount:
    """How far the pictures of a document, or of the library, are described.

    Attributes:
        n_open: pictures that were neither described nor tried.
        seconds_each: mean time of the last ones, 0.0 if none was measured.
    """

    n_figures: int = 0
    n_described: int = 0
    n_waiting: int = 0
    n_failed: int = 0
    seconds_each: float = 0.0

    @property
    def n_open(self) -> int:
        return self.n_figures - self.n_described - self.n_waiting - self.n_failed


def count_descriptions(db: Db, document_id: int | None = None) -> DescriptionCount:
    """Return the numbers of pictures by state, of one document or of all."""
    where, params = ("", ()) if document_id is None else ("WHERE f.document_id = ?", (document_id,))
    row = db.row(
        "SELECT count(*), coalesce(sum(state = 'done'), 0), coalesce(sum(state = 'waiting'), 0),"
        " coalesce(sum(state = 'failed'), 0)"
        f" FROM (SELECT DISTINCT f.document_id, {PLACE} AS p FROM figure f {where}) f"
        " LEFT JOIN figure_description e ON e.document_id = f.document_id AND e.place = f.p",
        params,
    )
    n_figures, n_described, n_waiting, n_failed = map(int, row or (0, 0, 0, 0))
    return DescriptionCount(n_figures, n_described, n_waiting, n_failed, measure_seconds(db))


def measure_seconds(db: Db) -> float:
    """Return the mean time of the last descriptions of the model that wrote last, 0.0 if none."""
    model = db.value(
        "SELECT model FROM figure_description WHERE seconds > 0 ORDER BY described_at DESC LIMIT 1"
    )
    if model is None:
        return 0.0
    return float(
        db.value(
            "SELECT avg(seconds) FROM (SELECT seconds FROM figure_description"
            " WHERE model = ? AND seconds > 0 ORDER BY described_at DESC LIMIT ?)",
            (model, MEASURED),
        )
    )


# --- the queue ------------------------------------------------------------------------------------


def queue_figures(
    db: Db, document_id: int, numbers: Sequence[int] | None = None, *, again: bool = False
) -> int:
    """Let figures of a document wait for a description; return how many more wait now.

    Args:
        numbers: of the figures; None for all.
        again: also those that were described or could not be.
    """
    before = count_waiting(db)
    marks = "" if numbers is None else f" AND f.number IN ({', '.join('?' * len(numbers))})"
    params = (document_id, *(numbers or ()))
    db.write(
        "INSERT OR IGNORE INTO figure_description(document_id, place)"
        f" SELECT f.document_id, {PLACE} FROM figure f WHERE f.document_id = ?{marks}",
        params,
    )
    if again:
        # What was written stays until there is another description.
        db.write(
            "UPDATE figure_description SET state = 'waiting', attempts = 0, reason = ''"
            " WHERE document_id = ? AND place IN"
            f" (SELECT {PLACE} FROM figure f WHERE f.document_id = ?{marks})",
            (document_id, *params),
        )
    return count_waiting(db) - before


def leave_waiting(db: Db, document_ids: Sequence[int] | None = None) -> list[int]:
    """Take figures out of the queue, of all documents by default; return the documents."""
    waiting = db.column(
        "SELECT DISTINCT document_id FROM figure_description WHERE state = 'waiting'"
    )
    chosen = [i for i in waiting if document_ids is None or i in set(document_ids)]
    for document_id in chosen:
        where = "WHERE state = 'waiting' AND document_id = ?"
        db.write(
            f"UPDATE figure_description SET state = 'done' {where} AND text <> ''", (document_id,)
        )
        db.write(f"DELETE FROM figure_description {where}", (document_id,))
    return [int(i) for i in chosen]


def count_waiting(db: Db) -> int:
    """Return how many pictures wait for a description."""
    if not db.value("SELECT 1 FROM figure_description WHERE state = 'waiting' LIMIT 1"):
        return 0
    return int(db.value(f"SELECT count(DISTINCT e.document_id || ':' || e.place) {_WAITING}"))


def find_waiting(
    db: Db, figures: Iterable[tuple[int, int]] = (), documents: Iterable[int] = ()
) -> tuple[int, int] | None:
    """Return (document, number) of the next figure to be described, None if there is none.

    Args: see `find_first_wanted`.
    """
    return find_first_wanted(db, _WAITING, "e.attempts", figures, documents)


def is_paused(db: Db) -> bool:
    """Return whether the user paused the describing of pictures."""
    return find_setting(db, _PAUSED) == "1"


def set_paused(db: Db, paused: bool) -> None:
    store_setting(db, _PAUSED, "1" if paused else "")


_OF_FIGURE = (
    "WHERE document_id = ?1 AND place ="
    f" (SELECT {PLACE} FROM figure f WHERE f.document_id = ?1 AND f.number = ?2)"
)


def count_attempt(db: Db, document_id: int, number: int, by: int = 1) -> int:
    """Count a beginning of describing, or take it back; return those that did not end."""
    db.write(
        f"UPDATE figure_description SET attempts = max(0, attempts + ?3) {_OF_FIGURE}",
        (document_id, number, by),
    )
    sql = f"SELECT attempts FROM figure_description {_OF_FIGURE}"
    return int(db.value(sql, (document_id, number)) or 0)


def store_description(
    db: Db, document_id: int, number: int, text: str, *, model: str, at: float, seconds: float
) -> None:
    """Store what a model wrote about a figure, if it still waits."""
    db.write(
        "UPDATE figure_description SET state = 'done', attempts = 0, reason = '', text = ?3,"
        f" model = ?4, described_at = ?5, seconds = ?6 {_OF_FIGURE} AND state = 'waiting'",
        (document_id, number, text[:MAX_TEXT_CHARS], model, at, seconds),
    )


def fail_description(db: Db, document_id: int, number: int, reason: Message) -> None:
    """Store why a figure has no description; an older one stays."""
    db.write(
        "UPDATE figure_description SET state = CASE text WHEN '' THEN 'failed' ELSE 'done' END,"
        f" attempts = 0, reason = ?3 {_OF_FIGURE} AND state = 'waiting'",
        (document_id, number, reason.to_stored()),
    )


# --- corrections ----------------------------------------------------------------------------------


def write_correction(db: Db, document_id: int, number: int, text: str) -> None:
    """Store the user's description of a figure, "" to delete it; the model's takes it back."""
    db.write(
        "DELETE FROM description_correction WHERE (document, place) ="
        f" (SELECT {DOCUMENT_KEY}, {PLACE} FROM figure f JOIN document d ON d.id = f.document_id"
        " WHERE f.document_id = ?1 AND f.number = ?2)",
        (document_id, number),
    )
    written = db.value(f"SELECT text FROM figure_description {_OF_FIGURE}", (document_id, number))
    if text != (written or ""):
        db.write(
            "INSERT INTO description_correction(document, place, text)"
            f" SELECT {DOCUMENT_KEY}, {PLACE}, ?3 FROM figure f JOIN document d"
            f" ON d.id = f.document_id WHERE f.document_id = ?1 AND f.number = ?2"
            f" AND {DOCUMENT_KEY} <> ''",
            (document_id, number, text[:MAX_TEXT_CHARS]),
        )
