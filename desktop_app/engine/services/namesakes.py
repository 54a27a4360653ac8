"""Separates the people that have one name in different stories, when a story was indexed."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence

from ..graph.namesakes import (
    MIN_MENTIONS,
    Cast,
    find_namesakes,
    find_story,
    is_story,
)
from ..store import documents, namesakes
from ..store.db import Db

log = logging.getLogger(__name__)

_MIN_PERSON_SHARE = 0.5  # of the mentions of a name


def separate_namesakes(db: Db, unread: Sequence[tuple[int, str]]) -> list[str]:
    """Find the story of each new document, and the names that mean other people in it.

    Runs inside a transaction.

    Args:
        unread: id and SHA-256 of long documents whose story is not known.

    Returns:
        The names, as written, whose mentions belong to other senses than before.
    """
    casts = _fetch_casts(db, namesakes.fetch_stories(db))
    changed: set[str] = set()
    for document_id, sha256 in unread:
        if not is_story(documents.fetch_text(db, document_id) or ""):
            namesakes.write_story(db, sha256, 0)
            continue
        cast = _fetch_cast(db, document_id)
        number = find_story(cast, casts) or namesakes.number_story(sha256)
        namesakes.write_story(db, sha256, number)
        for other, its_cast in casts:
            if other != number:
                changed.update(namesakes.add_namesakes(db, find_namesakes(cast, its_cast), other))
        casts.append((number, cast))
        log.info("document %d is a story with a cast of %d", document_id, len(cast.mentions))
    return namesakes.fetch_names_with_keys(db, changed)


def _fetch_casts(db: Db, stories: Mapping[int, int]) -> list[tuple[int, Cast]]:
    """Return (number of the story, cast) of documents, in the order of their ids."""
    return [(stories[i], _fetch_cast(db, i)) for i in sorted(stories)]


def _fetch_cast(db: Db, document_id: int) -> Cast:
    people: Collection[tuple[str, int, int]] = namesakes.fetch_people(db, document_id)
    return Cast(
        {
            key: n
            for key, n, n_person in people
            if n >= MIN_MENTIONS and n_person >= _MIN_PERSON_SHARE * n
        }
    )
