"""Writes the derived graph; only changed rows are written.

The `replace_` functions compare all rows with the stored ones, the `change_` functions get the
changes from the caller.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from .db import Db

EntityValues = tuple[str, str, str, int, int, int, int, int]
"""name, key, type, n_mentions, n_relations, n_documents, edited, n_enriched"""

RelationValues = tuple[float, int, str, str, str, int | None, int, float]
"""weight, n_evidence, description, keywords, kind, best_claim, n_enriched, confidence"""

_ENTITY = "name, key, type, n_mentions, n_relations, n_documents, edited, n_enriched"
_RELATION = "weight, n_evidence, description, keywords, kind, best_claim, n_enriched, confidence"


def replace_entities(
    db: Db, entities: Mapping[int, EntityValues], name_entity: Mapping[int, int]
) -> set[int]:
    """Replace the entity tables; return the ids that were changed, added or deleted."""
    old = {r[0]: r[1:] for r in db.rows(f"SELECT id, {_ENTITY} FROM entity")}
    old_names = dict(db.rows("SELECT name_id, entity_id FROM entity_name"))
    changed = {i: values for i, values in entities.items() if old.get(i) != values}
    gone = old.keys() - entities.keys()
    entity_of_name: dict[int, int | None] = dict.fromkeys(old_names.keys() - name_entity.keys())
    entity_of_name |= {n: e for n, e in name_entity.items() if old_names.get(n) != e}
    change_entities(db, changed, gone, entity_of_name)
    return {*changed, *gone, *(e for e in entity_of_name.values() if e is not None)}


def change_entities(
    db: Db,
    changed: Mapping[int, EntityValues],
    gone: Iterable[int],
    entity_of_name: Mapping[int, int | None],
) -> None:
    """Write changed entities, delete others, and assign names to entities."""
    db.write_many(
        f"INSERT INTO entity({_ENTITY}, id) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9)"
        " ON CONFLICT(id) DO UPDATE SET name=?1, key=?2, type=?3, n_mentions=?4,"
        " n_relations=?5, n_documents=?6, edited=?7, n_enriched=?8",
        ((*changed[i], i) for i in sorted(changed)),
    )
    db.write_many(
        "DELETE FROM entity_name WHERE name_id = ?",
        ((n,) for n, e in sorted(entity_of_name.items()) if e is None),
    )
    db.write_many(
        "INSERT OR REPLACE INTO entity_name VALUES (?, ?)",
        (pair for pair in sorted(entity_of_name.items()) if pair[1] is not None),
    )
    db.write_many("DELETE FROM entity WHERE id = ?", ((i,) for i in sorted(gone)))


def find_entities_of_names(db: Db, names: Iterable[str]) -> set[int]:
    """Return the entities that have any of these names."""
    sql = (
        "SELECT en.entity_id FROM name n JOIN entity_name en ON en.name_id = n.id WHERE n.text = ?"
    )
    return {i for name in names for (i,) in db.rows(sql, (name,))}


def replace_descriptions(db: Db, descriptions: Mapping[int, str]) -> set[int]:
    """Store the descriptions of entities; return the ids that changed."""
    old = dict(db.rows("SELECT id, description FROM entity"))
    changed = {i: text for i, text in descriptions.items() if old.get(i) != text}
    change_descriptions(db, changed)
    return set(changed)


def change_descriptions(db: Db, descriptions: Mapping[int, str]) -> None:
    db.write_many(
        "UPDATE entity SET description = ?2 WHERE id = ?1 AND description <> ?2",
        sorted(descriptions.items()),
    )


def replace_relations(db: Db, relations: Mapping[tuple[int, int], RelationValues]) -> set[int]:
    """Replace the relation table; return the ids that were changed or added.

    Deleting an entity has deleted its relations already.
    """
    old = _fetch_relations(db, None)
    changed = {pair: values for pair, values in relations.items() if old.get(pair) != values}
    return change_relations(db, changed, old.keys() - relations.keys())


def change_relations(
    db: Db, changed: Mapping[tuple[int, int], RelationValues], gone: Iterable[tuple[int, int]]
) -> set[int]:
    """Write changed relations and delete others; return the ids of those that were changed.

    A new document changes most weights a little, because they depend on how frequent the names
    are in the library. A relation with no other change is left out of the result.
    """
    old = _fetch_relations(db, changed)
    db.write_many("DELETE FROM relation WHERE source_id = ? AND target_id = ?", sorted(gone))
    db.write_many(
        f"INSERT INTO relation(source_id, target_id, {_RELATION})"
        " VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)"
        " ON CONFLICT(source_id, target_id) DO UPDATE SET weight=?3, n_evidence=?4,"
        " description=?5, keywords=?6, kind=?7, best_claim=?8, n_enriched=?9, confidence=?10",
        ((*pair, *values) for pair, values in sorted(changed.items())),
    )
    different = (p for p, values in changed.items() if p not in old or old[p][1:] != values[1:])
    return _relation_ids(db, different)


def fetch_relation_ids(db: Db) -> set[int]:
    return {row[0] for row in db.rows("SELECT id FROM relation")}


def _fetch_relations(
    db: Db, pairs: Collection[tuple[int, int]] | None
) -> dict[tuple[int, int], tuple[Any, ...]]:
    """Return the values of these relations, or of all."""
    sql = f"SELECT source_id, target_id, {_RELATION} FROM relation"
    if pairs is None or len(pairs) > 2000:
        rows = db.rows(sql)
    else:
        sql += " WHERE source_id = ? AND target_id = ?"
        rows = [row for pair in pairs for row in db.rows(sql, pair)]
    return {(row[0], row[1]): row[2:] for row in rows}


def _relation_ids(db: Db, pairs: Iterable[tuple[int, int]]) -> set[int]:
    pairs = list(pairs)
    if len(pairs) > 2000:
        wanted = set(pairs)
        rows = db.rows("SELECT source_id, target_id, id FROM relation")
        return {i for a, b, i in rows if (a, b) in wanted}
    sql = "SELECT id FROM relation WHERE source_id = ? AND target_id = ?"
    return {i for pair in pairs if (i := db.value(sql, pair)) is not None}


def fetch_introductions(
    db: Db, entity_ids: Iterable[int] | None = None, per_entity: int = 8
) -> dict[int, list[str]]:
    """Return, per entity, the sentences that introduce it best, best first.

    Args:
        entity_ids: None for all.
    """
    found: dict[int, list[str]] = {}
    rows = (
        db.rows(_INTRODUCTIONS.format(where=""), (per_entity,))
        if entity_ids is None
        else (
            row
            for i in sorted(entity_ids)
            for row in db.rows(
                _INTRODUCTIONS.format(where="WHERE en.entity_id = ?2"), (per_entity, i)
            )
        )
    )
    for entity_id, sentence in rows:
        found.setdefault(entity_id, []).append(" ".join(sentence.split()))
    return found


# One sentence may be in several chunks or extractions; each column is chosen separately.
_INTRODUCTIONS = """
SELECT b.entity_id, substr(c.text, max(b.sentence_start, c.start) - c.start + 1,
                           min(b.sentence_end, c.end) - max(b.sentence_start, c.start))
  FROM (SELECT *, row_number() OVER (PARTITION BY entity_id
                  ORDER BY best DESC, document_id, sentence_start) AS place
          FROM (SELECT en.entity_id, m.document_id, m.sentence_start, max(m.weight) AS best,
                       max(m.sentence_end) AS sentence_end, min(m.chunk_id) AS chunk_id
                  FROM entity_name en JOIN mention m USING (name_id) {where}
                 GROUP BY en.entity_id, m.document_id, m.sentence_start)) b
  JOIN chunk c ON c.id = b.chunk_id
 WHERE b.place <= ?1 ORDER BY b.entity_id, b.place
"""
