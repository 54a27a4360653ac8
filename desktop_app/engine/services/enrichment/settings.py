"""Stores the enrichment settings of a library as JSON in the library itself.

Unreadable values, values of the wrong type and values of later versions are replaced by the
default, so that the library can always be opened.
"""

from __future__ import annotations

import json
from dataclasses import asdict

from ...extraction.llm.tasks import EnrichSettings
from ...settings import load_valid
from ...store.db import Db
from ...store.enrichment import find_setting, store_setting
from ...store.stored_json import parse_stored_json

SETTING_KEY = "enrichment"


def load_settings(db: Db) -> EnrichSettings:
    """Return the enrichment settings of this library; defaults where no valid ones are stored."""
    return load_valid(EnrichSettings, parse_stored_json(find_setting(db, SETTING_KEY), dict))


def save_settings(db: Db, settings: EnrichSettings) -> None:
    """Store the enrichment settings of this library."""
    with db.transaction():
        store_setting(db, SETTING_KEY, json.dumps(asdict(settings), ensure_ascii=False))


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
