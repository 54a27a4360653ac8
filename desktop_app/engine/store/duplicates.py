"""Input and result of the search for duplicates.

The input: names, their places, and pairs equated or kept apart. Triggers count its changes
(migration 0029), so that a result that was stored is known to be of the present input.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .db import Db
from .graph import fetch_entities_by_key
from .namesakes import fetch_namesakes_in_stories


class NameUse(NamedTuple):
    """A name that an entity has in the texts.

    Attributes:
        entity_name: the name by which the entity is shown.
        n_mentions: of the entity, by all its names.
    """

    entity_id: int
    entity_name: str
    entity_type: str
    n_mentions: int
    name: str


class MentionSpan(NamedTuple):
    """Where an entity is named: offsets of the name and of its sentence in the document's text."""

    document_id: int
    chunk_id: int
    start: int
    end: int
    sentence_start: int
    sentence_end: int
    entity_id: int


def fetch_input_version(db: Db) -> int:
    """Return a number that changes whenever something changes that the search reads."""
    return int(db.value("SELECT duplicates_version FROM library_state"))


def fetch_search(
    db: Db, certainty: float, model: str, version: int, rules: str
) -> tuple[str, bool] | None:
    """Return what `write_search` stored under the same values: clusters, and whether it is whole.

    Args:
        version: of `fetch_input_version`.
    """
    row = db.row(
        "SELECT clusters, is_whole FROM duplicate_search"
        " WHERE certainty = ? AND model = ? AND version = ? AND rules = ?",
        (certainty, model, version, rules),
    )
    return (row[0], bool(row[1])) if row else None


def write_search(
    db: Db,
    certainty: float,
    model: str,
    version: int,
    rules: str,
    clusters: str,
    *,
    is_whole: bool,
) -> None:
    """Store the clusters of a search, and delete those of another input or of other rules."""
    db.write("DELETE FROM duplicate_search WHERE version <> ? OR rules <> ?", (version, rules))
    db.write(
        "INSERT OR REPLACE INTO duplicate_search VALUES (?, ?, ?, ?, ?, ?)",
        (certainty, model, version, rules, is_whole, clusters),
    )


def fetch_name_uses(db: Db) -> list[NameUse]:
    """Return the names of all entities, by entity, the most frequent name first."""
    found = db.rows(
        "SELECT e.id, e.name, e.type, e.n_mentions, n.text"
        " FROM entity e JOIN entity_name en ON en.entity_id = e.id"
        " JOIN name n ON n.id = en.name_id LEFT JOIN mention m ON m.name_id = n.id"
        " GROUP BY e.id, n.id ORDER BY e.id, count(m.id) DESC, n.text"
    )
    return list(map(NameUse._make, found))


def fetch_mention_spans(db: Db) -> list[MentionSpan]:
    """Return all mentions of entities in reading order, a longer name before one inside it."""
    found = db.iterate(  # as rows and as spans at once they would need 100 MB more
        "SELECT m.document_id, m.chunk_id, m.start, m.end, m.sentence_start, m.sentence_end,"
        " en.entity_id"
        " FROM mention m JOIN entity_name en USING (name_id)"
        " ORDER BY m.document_id, m.start, m.end DESC"
    )
    return list(map(MentionSpan._make, found))


def fetch_relation_weights(db: Db) -> list[tuple[int, int, float]]:
    """Return (one entity, other entity, weight) of every relation."""
    return db.rows("SELECT source_id, target_id, weight FROM relation")


def iter_texts(db: Db) -> Iterator[tuple[int, str]]:
    yield from db.rows("SELECT document_id, text FROM document_text ORDER BY document_id")


def fetch_equated_pairs(db: Db) -> list[tuple[int, int, int]]:
    """Return pairs of entities that the text equates, smaller id first, with the count."""
    return db.rows(
        "SELECT min(a.entity_id, b.entity_id) AS one, max(a.entity_id, b.entity_id) AS other,"
        " count(*) FROM also_called t JOIN entity_name a ON a.name_id = t.name_id"
        " JOIN entity_name b ON b.name_id = t.other_id WHERE a.entity_id <> b.entity_id"
        " GROUP BY one, other"
    )


def fetch_pairs_kept_apart(db: Db) -> list[tuple[int, int]]:
    """Return pairs of entities that the user keeps apart, or that are namesakes in two stories."""
    keys = db.rows("SELECT name, other FROM never_merged")
    entities = fetch_entities_by_key(db, {key for pair in keys for key in pair})
    found = {
        (a, b)
        for one, other in keys
        for a in entities.get(one, ())
        for b in entities.get(other, ())
        if a != b
    }
    return sorted(found | fetch_namesakes_in_stories(db))


def fetch_mentions_in_sentence(
    db: Db, document_id: int, sentence_start: int
) -> list[tuple[int, int]]:
    """Return (mention, entity) for each name in a sentence, in reading order."""
    return db.rows(
        "SELECT m.id, en.entity_id FROM mention m JOIN entity_name en USING (name_id)"
        " WHERE m.document_id = ? AND m.sentence_start = ? ORDER BY m.start",
        (document_id, sentence_start),
    )


def fetch_first_seen(db: Db, entity_ids: list[int]) -> dict[int, float]:
    """Return the time when the first document with each entity was added."""
    return dict(
        db.rows_in(
            "SELECT en.entity_id, min(d.added_at) FROM entity_name en JOIN"
            " (SELECT DISTINCT name_id, document_id FROM mention) m USING (name_id)"
            " JOIN document d ON d.id = m.document_id WHERE en.entity_id",
            entity_ids,
            " GROUP BY en.entity_id",
        )
    )


def fetch_joined_names(
    db: Db,
) -> list[tuple[int, int, str, int, int, dict[str, int], str]]:
    """Return (entity, name id, name, sense, mentions, types, language) of entities with several.

    The most frequent name of each comes first.
    """
    types: dict[int, dict[str, int]] = {}
    languages: dict[int, str] = {}
    for name_id, type_, language, n in db.rows(
        "SELECT m.name_id, m.type, d.language, count(*) FROM mention m"
        " JOIN document d ON d.id = m.document_id WHERE m.name_id IN (SELECT name_id"
        "  FROM entity_name WHERE entity_id IN (SELECT entity_id FROM entity_name"
        "  GROUP BY entity_id HAVING count(*) > 1)) GROUP BY 1, 2, 3"
    ):
        kinds = types.setdefault(name_id, {})
        kinds[type_] = kinds.get(type_, 0) + n
        languages[name_id] = language
    named = db.rows(
        "SELECT en.entity_id, n.id, n.text, n.sense FROM entity_name en"
        " JOIN name n ON n.id = en.name_id WHERE en.entity_id IN (SELECT entity_id"
        "  FROM entity_name GROUP BY entity_id HAVING count(*) > 1) ORDER BY en.entity_id, n.id"
    )
    found = [
        (entity_id, name_id, text, sense, sum(types.get(name_id, {}).values()),
         types.get(name_id, {}), languages.get(name_id, ""))
        for entity_id, name_id, text, sense in named
    ]  # fmt: skip
    return sorted(found, key=lambda one: (one[0], -one[4], one[1]))


def fetch_mentions_by_name(
    db: Db, entity_id: int, name: str, sense: int | None, limit: int
) -> list[int]:
    """Return mentions of an entity by one name, those that introduce it best first.

    Args:
        sense: None for the name in all its senses.
    """
    return db.column(
        "SELECT m.id, max(m.weight) AS best FROM mention m JOIN name n ON n.id = m.name_id"
        " JOIN entity_name en USING (name_id)"
        " WHERE en.entity_id = ?1 AND n.text = ?2 AND (?3 IS NULL OR n.sense = ?3)"
        " GROUP BY m.document_id, m.sentence_start"
        " ORDER BY best DESC, m.document_id, m.start LIMIT ?4",
        (entity_id, name, sense, limit),
    )


def fetch_closest_mentions(
    db: Db, entity_id: int, other_id: int, limit: int, *, name: str = "", other: str = ""
) -> list[int]:
    """Return mentions of an entity in sentences that name another one, the closest first.

    Args:
        name, other: only mentions by these names; "" for all names.
    """
    return db.column(
        "WITH there AS MATERIALIZED ("
        "  SELECT o.document_id, o.sentence_start, o.start, o.end FROM mention o"
        "  JOIN entity_name en USING (name_id) JOIN name n ON n.id = o.name_id"
        "  WHERE en.entity_id = ?2 AND (?4 = '' OR n.text = ?4))"
        " SELECT m.id, min(max(there.start - m.end, m.start - there.end)) AS gap FROM mention m"
        " JOIN entity_name en USING (name_id) JOIN name n ON n.id = m.name_id"
        " JOIN there USING (document_id, sentence_start)"
        " WHERE en.entity_id = ?1 AND (?3 = '' OR n.text = ?3)"
        " GROUP BY m.document_id, m.sentence_start ORDER BY gap, m.document_id, m.start LIMIT ?5",
        (entity_id, other_id, name, other, limit),
    )
