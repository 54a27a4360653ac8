"""Writes the derived graph by difference, so that only what changed is touched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .db import Db

EntityValues = tuple[str, str, str, int, int, int, int]
"""name, key, type, n_mentions, n_relations, n_documents, edited"""

RelationValues = tuple[float, int, str, str, str, int | None]
"""weight, n_evidence, description, keywords, kind, best_claim"""


def replace_entities(
    db: Db, entities: Mapping[int, EntityValues], name_entity: Mapping[int, int]
) -> set[int]:
    """Make the entity tables hold exactly these; return the ids that changed, came or went."""
    old = {
        r[0]: tuple(r[1:])
        for r in db.rows(
            "SELECT id, name, key, type, n_mentions, n_relations, n_documents, edited FROM entity"
        )
    }
    changed = {i for i, values in entities.items() if old.get(i) != values}
    gone = old.keys() - entities.keys()
    db.write_many(
        "INSERT INTO entity(name, key, type, n_mentions, n_relations, n_documents, edited, id)"
        " VALUES (?1,?2,?3,?4,?5,?6,?7,?8) ON CONFLICT(id) DO UPDATE SET name=?1, key=?2,"
        " type=?3, n_mentions=?4, n_relations=?5, n_documents=?6, edited=?7",
        ((*entities[i], i) for i in sorted(changed)),
    )
    old_names = dict(db.rows("SELECT name_id, entity_id FROM entity_name"))
    db.write_many(
        "DELETE FROM entity_name WHERE name_id = ?",
        ((i,) for i in sorted(old_names.keys() - name_entity.keys())),
    )
    moved = [(n, e) for n, e in sorted(name_entity.items()) if old_names.get(n) != e]
    db.write_many("INSERT OR REPLACE INTO entity_name VALUES (?, ?)", moved)
    _delete(db, "entity", gone)
    return changed | gone | {e for _, e in moved}


def replace_descriptions(db: Db, descriptions: Mapping[int, str]) -> set[int]:
    """Give entities these descriptions; return the ids that changed."""
    old = dict(db.rows("SELECT id, description FROM entity"))
    changed = {i for i, text in descriptions.items() if old.get(i) != text}
    db.write_many(
        "UPDATE entity SET description = ? WHERE id = ?",
        ((descriptions[i], i) for i in sorted(changed)),
    )
    return changed


def replace_relations(db: Db, relations: Mapping[tuple[int, int], RelationValues]) -> set[int]:
    """Make the relation table hold exactly these; return the ids that changed or went."""
    old = {
        (r[1], r[2]): (r[0], tuple(r[3:]))
        for r in db.rows(
            "SELECT id, source_id, target_id, weight, n_evidence, description, keywords, kind,"
            " best_claim FROM relation"
        )
    }
    gone = {old[pair][0] for pair in old.keys() - relations.keys()}
    _delete(db, "relation", gone)
    changed = {old[p][0] for p, v in relations.items() if p in old and old[p][1] != v}
    db.write_many(
        "INSERT INTO relation(source_id, target_id, weight, n_evidence, description, keywords,"
        " kind, best_claim) VALUES (?1,?2,?3,?4,?5,?6,?7,?8)"
        " ON CONFLICT(source_id, target_id) DO UPDATE SET weight=?3, n_evidence=?4,"
        " description=?5, keywords=?6, kind=?7, best_claim=?8",
        ((*p, *v) for p, v in sorted(relations.items()) if p not in old or old[p][1] != v),
    )
    return changed | gone


def _delete(db: Db, table: str, ids: Iterable[int]) -> None:
    db.write_many(f"DELETE FROM {table} WHERE id = ?", ((i,) for i in sorted(ids)))


def fetch_introductions(db: Db, per_entity: int = 8) -> dict[int, list[str]]:
    """Return, per entity, the sentences that introduce it best, the best first."""
    found: dict[int, list[str]] = {}
    for entity_id, sentence in db.rows(
        "SELECT entity_id, sentence FROM (SELECT en.entity_id, m.document_id, m.sentence_start,"
        " substr(c.text, max(m.sentence_start, c.start) - c.start + 1,"
        "  min(m.sentence_end, c.end) - max(m.sentence_start, c.start)) AS sentence,"
        " row_number() OVER (PARTITION BY en.entity_id ORDER BY max(m.weight) DESC,"
        "  m.document_id, m.sentence_start) AS place"
        " FROM mention m JOIN entity_name en USING (name_id) JOIN chunk c ON c.id = m.chunk_id"
        " GROUP BY en.entity_id, m.document_id, m.sentence_start) WHERE place <= ?"
        " ORDER BY entity_id, place",
        (per_entity,),
    ):
        found.setdefault(entity_id, []).append(" ".join(sentence.split()))
    return found
