"""Events of an entity, as the window, the command line and exports show them. Reads only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from ..errors import UserError
from ..model import EVENT_ROLES, DocumentId, EntityRow, EventRow
from ..store import documents, events, graph
from ..store.annotations import fetch_names_by_hand
from ..store.db import Db
from ..text.chunking import MAX_SENTENCE, split_sentences
from .annotations import find_words

MOST_EVENTS = 2000
_AROUND = 2 * MAX_SENTENCE  # characters before and after a selection in which its sentences end
_MOST_SELECTED = 2 * MAX_SENTENCE  # of several sentences that state one event


def list_events(db: Db, entity_id: int, limit: int = MOST_EVENTS) -> list[EventRow]:
    """Return the events in which an entity takes part, in the order of the text."""
    return events.fetch_events(db, [entity_id])[:limit]


def list_events_among(db: Db, entity_ids: Sequence[int] | None = None) -> list[EventRow]:
    """Return all events, or those of some entities, in the order of the text."""
    return events.fetch_events(db, entity_ids)


def describe_event_briefly(event: EventRow) -> str:
    """Return an event in one line, as files have it: "meets: Hale → Clara + Tobias (London)"."""
    actors, patients, places = (" + ".join(event.list_names(role)) for role in EVENT_ROLES)
    who = f"{actors or '?'} → {patients}" if patients else actors
    return f"{event.kind}: {who}{f' ({places})' if places else ''}"


def group_brief_events(
    events: Iterable[EventRow],
) -> tuple[dict[int, list[str]], dict[frozenset[int], list[str]]]:
    """Return the events of each entity, and those of both ends of each pair, in one line each."""
    of_entity: dict[int, list[str]] = defaultdict(list)
    of_pair: dict[frozenset[int], list[str]] = defaultdict(list)
    for event in events:
        words = describe_event_briefly(event)
        people = sorted({int(part.entity_id) for part in event.parts})
        for entity_id in people:
            of_entity[entity_id].append(words)
        for pair in combinations(people, 2):
            of_pair[frozenset(pair)].append(words)
    return of_entity, of_pair


@dataclass(frozen=True, slots=True)
class EventSentence:
    """The sentence of an event that the user writes, and the entities that it names.

    Attributes:
        word_start, word_end: what was selected in it.
    """

    document_id: DocumentId
    start: int
    end: int
    text: str
    word_start: int
    word_end: int
    names: tuple[EntityRow, ...] = ()


def read_event_sentence(db: Db, document_id: int, start: int, end: int) -> EventSentence:
    """Return the sentence in which a selection is; of a long selection, the first one.

    Raises:
        UserError: nothing is selected, or the document has no such text.
    """
    row = documents.find_document(db, document_id)
    text = documents.fetch_text(db, document_id) or ""
    start, end = _trim(text, start, end)
    if row is None or not start < end:
        raise UserError("This sentence is no longer in the document.", "Select it again.")
    first, last = max(0, start - _AROUND), end + _AROUND
    blank = text.rfind("\n\n", first, start)
    first = blank + 2 if blank >= 0 else first
    spans = [
        (first + low, first + high)
        for low, high in split_sentences(text[first:last], row.language)
        if first + low < end and start < first + high
    ] or [(start, end)]
    low, high = spans[0][0], spans[-1][1]
    if high - low > _MOST_SELECTED:
        low, high = spans[0]
    word = max(start, low), min(end, high)
    names = [row[2] for row in graph.fetch_mentions_between(db, document_id, low, high)]
    names += [
        entity_id
        for entity_id, words, *_ in fetch_names_by_hand(db)
        if find_words(text, words, low, high)
    ]
    rows = graph.fetch_entities(db, dict.fromkeys(names))
    return EventSentence(row.id, low, high, text[low:high], *word, tuple(rows))


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a range without the white space at its ends."""
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), start + len(part.rstrip())
