"""Keeps how a library is enriched, as JSON in the library itself.

What can't be read, is of another kind or comes from a later version falls back to the default:
settings never stand in the way of opening a library.
"""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

from ...extraction.llm.tasks import EnrichSettings
from ...store.db import Db

SETTING_KEY = "enrichment"
_MOST = {"entity_extract_max_gleaning": 5, "max_entities": 500, "max_relations": 500}
_MOST |= {"n_threads": 256}


def load_settings(db: Db) -> EnrichSettings:
    """Return how this library is enriched; the defaults where nothing sound is kept."""
    kept = db.value("SELECT value FROM setting WHERE key = ?", (SETTING_KEY,))
    try:
        said = json.loads(kept or "{}")
    except ValueError:
        said = {}
    if not isinstance(said, dict):
        said = {}
    kinds = get_type_hints(EnrichSettings)
    sound: dict[str, Any] = {}
    for field in fields(EnrichSettings):
        value = said.get(field.name)
        if isinstance(value, list):
            value = tuple(value)
        if _fits(field.name, value, kinds[field.name]):
            sound[field.name] = value
    if not sound.get("entity_types", True):
        del sound["entity_types"]
    return EnrichSettings(**sound)


def save_settings(db: Db, settings: EnrichSettings) -> None:
    """Keep how this library is enriched from now on."""
    with db.transaction():
        db.write(
            "INSERT OR REPLACE INTO setting VALUES (?, ?)",
            (SETTING_KEY, json.dumps(asdict(settings), ensure_ascii=False)),
        )


def _fits(name: str, value: Any, kind: Any) -> bool:
    """Say whether a kept value can be used for the field `name` of type `kind`."""
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    if get_origin(kind) is tuple:
        return isinstance(value, tuple) and all(isinstance(v, str) and v.strip() for v in value)
    if kind is int:
        return type(value) is int and 0 <= value <= _MOST.get(name, value)
    return type(value) is kind


PAUSED = "enrich_paused"
SUMMARIES_OWED = "enrich_summaries_owed"


def is_paused(db: Db) -> bool:
    """Say whether the person paused enrichment and has not gone on since."""
    return _load(db, PAUSED)


def keep_paused(db: Db, paused: bool) -> None:
    _keep(db, PAUSED, paused)


def owes_summaries(db: Db) -> bool:
    """Say whether chunks were enriched since the last summaries were written."""
    return _load(db, SUMMARIES_OWED)


def keep_summaries_owed(db: Db, owed: bool) -> None:
    _keep(db, SUMMARIES_OWED, owed)


def _load(db: Db, key: str) -> bool:
    return db.value("SELECT value FROM setting WHERE key = ?", (key,)) == "1"


def _keep(db: Db, key: str, on: bool) -> None:
    if _load(db, key) == on:
        return
    with db.transaction():
        db.write("INSERT OR REPLACE INTO setting VALUES (?, ?)", (key, "1" if on else "0"))
