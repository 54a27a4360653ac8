"""Stories, and the names that mean different people in them (see `graph.namesakes`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ..model import FIRST_STORY
from .db import Db


def number_story(sha256: str) -> int:
    """Return the number of the story that a document is the first part of, in any library."""
    return FIRST_STORY | int(sha256[:8], 16)


def write_story(db: Db, sha256: str, number: int) -> None:
    db.write("INSERT OR REPLACE INTO story VALUES (?, ?)", (sha256, number))


def fetch_stories(db: Db) -> dict[int, int]:
    """Return document id -> number of its story, of present documents that are part of one."""
    return dict(
        db.rows(
            "SELECT d.id, s.number FROM story s JOIN document d ON d.sha256 = s.document"
            " WHERE s.number > 0 AND d.row_number = 0"
        )
    )


def fetch_people(db: Db, document_id: int) -> list[tuple[str, int, int]]:
    """Return (key of a name, mentions in a document, of them as a person)."""
    return db.rows(
        "SELECT n.key, count(*), sum(m.type = 'person') FROM mention m"
        " JOIN name n ON n.id = m.name_id WHERE m.document_id = ? GROUP BY 1 ORDER BY 1",
        (document_id,),
    )


def add_namesakes(db: Db, keys: Iterable[str], number: int) -> list[str]:
    """Store keys of names as those of several people; return those that are new.

    Args:
        number: of the story in which they keep sense 0.
    """
    known = set(db.column("SELECT key FROM namesake"))
    new = sorted(set(keys) - known)
    db.write_many("INSERT INTO namesake VALUES (?, ?)", ((key, number) for key in new))
    return new


def fetch_names_with_keys(db: Db, keys: Collection[str]) -> list[str]:
    """Return the names, as written, that have one of these keys."""
    return sorted({text for (text,) in db.rows_in("SELECT text FROM name WHERE key", keys)})


def fetch_senses_by_story(db: Db, key: str) -> dict[int, int]:
    """Return document id -> sense of the name in its story; empty if it is one person's.

    Args:
        key: of the name.
    """
    first = db.value("SELECT number FROM namesake WHERE key = ?", (key,))
    if first is None:
        return {}
    return {
        document_id: 0 if number == first else number
        for document_id, number in fetch_stories(db).items()
    }


def keep_story(db: Db, old: str, new: str) -> None:
    """Let a changed file belong to the story of the old one.

    Args:
        old, new: SHA-256 of the file.
    """
    db.write(
        "INSERT OR IGNORE INTO story SELECT ?2, number FROM story WHERE document = ?1", (old, new)
    )


def fetch_namesakes_in_stories(db: Db) -> set[tuple[int, int]]:
    """Return pairs of entities, smaller id first, that have one name in different stories."""
    return set(
        db.rows(
            "WITH called AS (SELECT k.key, n.sense, en.entity_id AS id FROM namesake k"
            " JOIN name n ON n.key = k.key JOIN entity_name en ON en.name_id = n.id"
            " WHERE n.sense = 0 OR n.sense >= ?)"
            " SELECT DISTINCT a.id, b.id FROM called a JOIN called b"
            " ON b.key = a.key AND b.sense <> a.sense AND b.id > a.id",
            (FIRST_STORY,),
        )
    )
