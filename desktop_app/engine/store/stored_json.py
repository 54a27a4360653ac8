"""Reads JSON out of a library, which may have been written by another program.

What a list shows is left out if it is not stored as Inkgraph writes it; where nothing can be left
out, the reading function fails with a sentence instead of a bug.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from ..errors import DamagedLibrary

log = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T", list[Any], dict[str, Any])


def parse_stored_json(text: str | None, kind: type[T]) -> T:
    """Return the list or object that a text contains; an empty one if it contains none."""
    try:
        found = json.loads(text) if text else kind()
    except (ValueError, RecursionError) as error:
        log.info("stored JSON can't be read: %s", error)
        return kind()
    return found if isinstance(found, kind) else kind()


def reads_stored(fn: Callable[P, R]) -> Callable[P, R]:
    """Return `fn` so that it raises `DamagedLibrary` if stored values have another form."""

    @wraps(fn)
    def read(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return fn(*args, **kwargs)
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
            raise DamagedLibrary(
                "This part of the library is damaged, or was not written by Inkgraph: {reason}.",
                "The rest can be used; a backup may have it.",
                reason=f"{type(error).__name__} {error}"[:200],
            ) from error

    return read
