"""How fast this machine enriches with a model, measured while it works, and as words for people.

Kept for each model and strategy in the library; before the first measurement the model's size
says roughly how long it takes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from ..errors import said
from ..store.db import Db

# Characters a second times parameters: a 1.5B model reads about 100 with choices on two cores.
_CHARS_TIMES_PARAMETERS = 1.5e11
_FREE_IS_SLOWER = 5.0
_USUAL_PARAMETERS = 1_500_000_000
_MEMORY_CHARS = 200_000  # after so many characters older measurements count half


@dataclass(frozen=True, slots=True)
class Rate:
    """Characters of text a second; `is_measured` is false for a guess by the model's size."""

    chars_per_s: float
    is_measured: bool


def load_rate(db: Db, model: str, strategy: str, n_parameters: int = 0) -> Rate:
    """Return how fast a model enriched so far, or a guess."""
    chars, seconds = _load(db, model, strategy)
    if chars > 0 and seconds > 0:
        return Rate(chars / seconds, True)
    guess = _CHARS_TIMES_PARAMETERS / (n_parameters or _USUAL_PARAMETERS)
    return Rate(max(0.5, guess / (_FREE_IS_SLOWER if strategy == "free" else 1.0)), False)


def add_measurement(db: Db, model: str, strategy: str, n_chars: int, seconds: float) -> None:
    """Count text that was enriched, and the time it took; inside a transaction."""
    if n_chars <= 0 or seconds <= 0:
        return
    chars, before = _load(db, model, strategy)
    if chars > _MEMORY_CHARS:
        chars, before = chars / 2, before / 2
    db.write(
        "INSERT OR REPLACE INTO setting VALUES (?, ?)",
        (_key(model, strategy), json.dumps([chars + n_chars, round(before + seconds, 3)])),
    )


def _key(model: str, strategy: str) -> str:
    return f"enrich_rate:{strategy}:{model}"


def _load(db: Db, model: str, strategy: str) -> tuple[float, float]:
    kept = db.value("SELECT value FROM setting WHERE key = ?", (_key(model, strategy),))
    try:
        chars, seconds = json.loads(kept or "[0, 0]")
        return float(chars), float(seconds)
    except (ValueError, TypeError):
        return 0.0, 0.0


def say_duration(seconds: float) -> str:
    """Return a duration as people say it: "about 25 minutes"."""
    minutes = seconds / 60
    if minutes < 0.75:
        return said("less than a minute")
    if minutes < 1.5:
        return said("about a minute")
    if minutes < 12.5:
        return said(f"about {minutes:.0f} minutes")
    if minutes < 57.5:
        return said(f"about {5 * round(minutes / 5)} minutes")
    hours = minutes / 60
    if hours < 1.25:
        return said("about an hour")
    if hours < 4:
        whole, half = divmod(round(hours * 2), 2)
        return said(f"about {whole}½ hours" if half else f"about {whole} hours")
    return said(f"about {hours:.0f} hours" if hours < 48 else f"about {hours / 24:.0f} days")
