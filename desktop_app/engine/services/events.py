"""Events of an entity, as the window, the command line and exports show them. Reads only."""

from __future__ import annotations

from collections.abc import Sequence

from ..model import EventRow
from ..store import events
from ..store.db import Db

MOST_EVENTS = 2000


def list_events(db: Db, entity_id: int, limit: int = MOST_EVENTS) -> list[EventRow]:
    """Return the events in which an entity takes part, in the order of the text."""
    return events.fetch_events(db, events.fetch_event_ids(db, [entity_id]))[:limit]


def list_events_among(db: Db, entity_ids: Sequence[int] | None = None) -> list[EventRow]:
    """Return all events, or those of some entities, in the order of the text."""
    if entity_ids is None:
        return events.fetch_events(db, events.fetch_all_event_ids(db))
    return events.fetch_events(db, events.fetch_event_ids(db, entity_ids))
