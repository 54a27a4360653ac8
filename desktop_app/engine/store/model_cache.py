"""Cached answers of chat models, by a key of model, prompt and parameters."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from ..progress import CancelToken
from ..prompt_program import ProgramResult, PromptProgram
from .db import Db

MAX_CACHE_BYTES = 64 << 20


def find_call(db: Db, key: str, *, before: float | None = None) -> str | None:
    """Return a model's cached answer, None if there is none.

    Args:
        before: only an answer that was stored before this time, in seconds since 1970.
    """
    found: str | None = db.value(
        "SELECT value FROM model_cache WHERE key = ?1 AND (?2 IS NULL OR created_at < ?2)",
        (key, before),
    )
    return found


def store_calls(db: Db, calls: Sequence[tuple[str, str]]) -> None:
    """Store new answers, given as (key, value)."""
    now = time.time()
    db.write_many(
        "INSERT OR REPLACE INTO model_cache(key, value, created_at) VALUES (?, ?, ?)",
        [(key, value, now) for key, value in calls],
    )


def store_call(db: Db, key: str, value: str) -> None:
    """Store one new answer in a transaction of its own."""
    with db.transaction():
        store_calls(db, [(key, value)])


def run_cached(
    db: Db,
    run_programs: Callable[..., Iterable[ProgramResult]],
    programs: Iterable[PromptProgram],
    cancel: CancelToken | None = None,
) -> Iterator[ProgramResult]:
    """Yield the results of prompt programs, with their calls cached.

    Args:
        db: the read-write connection.
        run_programs: of a `ChatModel`.
    """
    for result in run_programs(programs, find_call=partial(find_call, db), cancel=cancel):
        if result.calls and db.is_writable:
            with db.transaction():
                store_calls(db, result.calls)
        yield result


def trim_cache(db: Db, max_bytes: int = MAX_CACHE_BYTES) -> int:
    """Delete the oldest answers beyond `max_bytes`; return their number."""
    size = db.value("SELECT total(length(key) + length(value)) FROM model_cache")
    if size <= max_bytes:
        return 0
    n_before = db.value("SELECT count(*) FROM model_cache")
    db.write(
        "DELETE FROM model_cache WHERE key IN (SELECT key FROM (SELECT key,"
        " sum(length(key) + length(value)) OVER (ORDER BY created_at DESC, key) AS reached"
        " FROM model_cache) WHERE reached > ?)",
        (max_bytes,),
    )
    found: int = n_before - db.value("SELECT count(*) FROM model_cache")
    return found
