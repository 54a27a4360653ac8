"""Stores the enrichment settings of a library as JSON in the library itself.

Unreadable values, values of the wrong type and values of later versions are replaced by the
default, so that the library can always be opened.
"""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

from ...extraction.llm.tasks import EnrichSettings
from ...store.db import Db
from ...store.library_settings import find_setting, store_setting

SETTING_KEY = "enrichment"
_MOST = {"entity_extract_max_gleaning": 5, "max_entities": 500, "max_relations": 500}
_MOST |= {"n_threads": 256}


def load_settings(db: Db) -> EnrichSettings:
    """Return the enrichment settings of this library; defaults where no valid ones are stored."""
    try:
        stored = json.loads(find_setting(db, SETTING_KEY) or "{}")
    except ValueError:
        stored = {}
    if not isinstance(stored, dict):
        stored = {}
    kinds = get_type_hints(EnrichSettings)
    sound: dict[str, Any] = {}
    for field in fields(EnrichSettings):
        value = stored.get(field.name)
        if isinstance(value, list):
            value = tuple(value)
        if _fits(field.name, value, kinds[field.name]):
            sound[field.name] = value
    if not sound.get("entity_types", True):
        del sound["entity_types"]
    return EnrichSettings(**sound)


def save_settings(db: Db, settings: EnrichSettings) -> None:
    """Store the enrichment settings of this library."""
    with db.transaction():
        store_setting(db, SETTING_KEY, json.dumps(asdict(settings), ensure_ascii=False))


def _fits(name: str, value: Any, kind: Any) -> bool:
    """Return whether a stored value is valid for the field `name` of type `kind`."""
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    if get_origin(kind) is tuple:
        return isinstance(value, tuple) and all(isinstance(v, str) and v.strip() for v in value)
    if kind is int:
        return type(value) is int and 0 <= value <= _MOST.get(name, value)
    return type(value) is kind


PAUSED = "enrich_paused"
NEEDS_SUMMARIES = "enrich_summaries_owed"


def is_paused(db: Db) -> bool:
    """Return whether the user paused enrichment."""
    return _load_flag(db, PAUSED)


def store_paused(db: Db, paused: bool) -> None:
    _store_flag(db, PAUSED, paused)


def needs_summaries(db: Db) -> bool:
    """Return whether chunks were enriched since the last summaries were written."""
    return _load_flag(db, NEEDS_SUMMARIES)


def store_needs_summaries(db: Db, owed: bool) -> None:
    _store_flag(db, NEEDS_SUMMARIES, owed)


def _load_flag(db: Db, key: str) -> bool:
    return find_setting(db, key) == "1"


def _store_flag(db: Db, key: str, on: bool) -> None:
    if _load_flag(db, key) == on:
        return
    with db.transaction():
        store_setting(db, key, "1" if on else "0")
