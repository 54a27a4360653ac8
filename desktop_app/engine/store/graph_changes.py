"""What has changed since the last update of the graph, and the evidence that an update reads.

Triggers of the tables of evidence and decisions record changed names, pairs of names and decisions
(migration 0015), so no change is missed, whichever process, cascade or undo made it. Counts by name
and document are stored as of the last update: an update reads the rows of what changed only.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from ..model import FIRST_STORY, Claim, Judgement, PlacedJudgement
from .db import Db
from .graph import ENTITY_VALUES, RELATION_VALUES, EntityValues, RelationValues

Pair = tuple[int, int]

# --- changes --------------------------------------------------------------------------------------


def iter_changed_names(db: Db) -> Iterator[int]:
    """Yield the names with changed mentions, claims or closeness, ascending."""
    for (name_id,) in db.iterate("SELECT DISTINCT name_id FROM changed_name ORDER BY 1"):
        yield name_id


def has_changed_equations(db: Db) -> bool:
    """Return whether the text may equate other names than at the last update."""
    # Statements of the text are recorded without their document.
    return db.value("SELECT 1 FROM changed_name WHERE document_id = 0 LIMIT 1") is not None


def fetch_changed_name_pairs(db: Db) -> set[Pair]:
    """Return the pairs of names, smaller id first, with new, deleted or replaced claims."""
    return set(db.rows("SELECT name_id, other_id FROM changed_link"))


def fetch_changed_decisions(db: Db) -> set[tuple[str, str]]:
    """Return the names whose edits changed, as (name, ""), and pairs with relations of the user."""
    return set(db.rows("SELECT name, other FROM changed_decision"))


def fetch_changed_splits(db: Db) -> list[str]:
    """Return the split names whose mentions may belong to other senses than before.

    Their decisions changed, or something changed in a document that has them: a mention's sense
    depends on the names beside it and on all mentions of its name. Names that were split once are
    among them.
    """
    return db.column(
        "WITH split AS (SELECT name FROM split_mention UNION"
        f"  SELECT text FROM name WHERE sense > 0 AND sense < {FIRST_STORY})"
        " SELECT name FROM changed_split UNION"
        " SELECT s.name FROM split s JOIN name n ON n.text = s.name WHERE EXISTS"
        "  (SELECT 1 FROM changed_name c WHERE c.name_id = n.id)"
        "  OR EXISTS (SELECT 1 FROM mention m WHERE m.name_id = n.id"
        "   AND m.document_id IN (SELECT document_id FROM changed_name))"
    )


def fetch_unread_stories(db: Db, min_chars: int) -> list[tuple[int, str]]:
    """Return (document id, sha256) of long documents whose story is not known."""
    return db.rows(
        "SELECT id, sha256 FROM document WHERE state = 'ready' AND n_chars >= ? AND row_number = 0"
        " AND sha256 <> '' AND sha256 NOT IN (SELECT document FROM story) ORDER BY id",
        (min_chars,),
    )


def fetch_changed_namesakes(db: Db) -> list[str]:
    """Return the names of several people whose mentions changed since the last update."""
    return db.column(
        "SELECT DISTINCT n.text FROM changed_name c CROSS JOIN name n ON n.id = c.name_id"
        " WHERE n.key IN (SELECT key FROM namesake)"
    )


def forget_changes(db: Db) -> None:
    """Record that the graph follows everything."""
    for table in ("changed_name", "changed_link", "changed_decision", "changed_split"):
        db.write(f"DELETE FROM {table}")


def mark_everything_changed(db: Db) -> None:
    """Make the next update build the whole graph."""
    db.write(
        "INSERT OR IGNORE INTO changed_name"
        " SELECT name_id, document_id FROM mention UNION"
        " SELECT source_id, document_id FROM claimed_relation UNION"
        " SELECT target_id, document_id FROM claimed_relation UNION"
        " SELECT name_id, document_id FROM name_count UNION"
        " SELECT name_id, document_id FROM name_closeness UNION"
        " SELECT name_id, 0 FROM name_claim UNION SELECT id, 0 FROM entity UNION"
        " SELECT name_id, 0 FROM entity_name"
    )
    db.write(
        "INSERT OR IGNORE INTO changed_link"
        " SELECT min(source_id, target_id), max(source_id, target_id) FROM claimed_relation UNION"
        " SELECT source_id, target_id FROM relation"
    )
    db.write("INSERT OR IGNORE INTO changed_decision SELECT name, '' FROM entity_edit")
    db.write("INSERT OR IGNORE INTO changed_decision SELECT source, target FROM hand_relation")
    db.write(
        "INSERT OR IGNORE INTO changed_split"
        " SELECT name FROM split_mention UNION SELECT text FROM name WHERE sense > 0"
    )


# --- counts by name -------------------------------------------------------------------------------

# Closeness is a property of the text, so the instant extraction of a chunk is preferred.
_IS_COUNTED = """
x.state = 'done' AND (x.strategy = 'instant' OR NOT EXISTS (
    SELECT 1 FROM extraction i
     WHERE i.chunk_id = x.chunk_id AND i.strategy = 'instant' AND i.state = 'done'))
"""
_UNITS = "CAST(round(q.weight * 1000000) AS INTEGER)"

# Reads all claims of the documents once: for many names.
_CLOSENESS_BY_DOCUMENT = f"""
WITH claim AS MATERIALIZED (
    SELECT q.source_id, q.target_id, q.document_id, {_UNITS} AS units
      FROM claimed_relation q JOIN extraction x ON x.id = q.extraction_id
     WHERE q.document_id IN (SELECT document_id FROM changed_name) AND {_IS_COUNTED}),
end_of_claim(name_id, document_id, units) AS (
    SELECT source_id, document_id, units FROM claim UNION ALL
    SELECT target_id, document_id, units FROM claim)
INSERT INTO name_closeness
SELECT name_id, document_id, sum(units) FROM end_of_claim
 WHERE (name_id, document_id) IN (SELECT name_id, document_id FROM changed_name)
 GROUP BY 1, 2
"""

# Reads the claims of each name once, by index, in novels that have ten thousands: for few names.
_CLOSENESS_BY_NAME = " UNION ALL ".join(
    f"""
SELECT q.{end} AS name_id, q.document_id, {_UNITS} AS units
  FROM (SELECT DISTINCT name_id FROM changed_name) c
  CROSS JOIN claimed_relation q ON q.{end} = c.name_id
  JOIN extraction x ON x.id = q.extraction_id
 WHERE (q.{end}, q.document_id) IN (SELECT name_id, document_id FROM changed_name)
   AND {_IS_COUNTED}
"""
    for end in ("source_id", "target_id")
)
_CLOSENESS_BY_NAME = f"""
INSERT INTO name_closeness
SELECT name_id, document_id, sum(units) FROM ({_CLOSENESS_BY_NAME}) GROUP BY 1, 2
"""
FEW_NAMES = 1_000  # rows of `changed_name`


def recount_changed_names(db: Db) -> None:
    """Bring the stored counts and closeness of the changed names up to date."""
    has_few = db.value("SELECT count(*) FROM changed_name") <= FEW_NAMES
    changed = "(name_id, document_id) IN (SELECT name_id, document_id FROM changed_name)"
    db.write(f"DELETE FROM name_count WHERE {changed}")
    # CROSS JOIN: begins with the changed names, where SQLite would read all mentions
    join = "changed_name c CROSS JOIN mention m" if has_few else "changed_name c JOIN mention m"
    db.write(
        "INSERT INTO name_count SELECT m.name_id, m.document_id, m.type, count(*)"
        f" FROM {join} ON m.name_id = c.name_id AND m.document_id = c.document_id GROUP BY 1, 2, 3"
    )
    db.write(f"DELETE FROM name_closeness WHERE {changed}")
    db.write(_CLOSENESS_BY_NAME if has_few else _CLOSENESS_BY_DOCUMENT)


NameCountRow = tuple[int, int, str, str, int]
"""name id, document id, language of the document, type, mentions"""

_COUNTS = (
    "SELECT c.name_id, c.document_id, coalesce(d.language, ''), c.type, c.n FROM name_count c"
    " LEFT JOIN document d ON d.id = c.document_id"
)


def fetch_name_counts(db: Db, name_ids: Collection[int]) -> list[NameCountRow]:
    """Return the stored counts of names."""
    return db.rows_in(f"{_COUNTS} WHERE c.name_id", name_ids)


def fetch_closeness(db: Db, name_ids: Collection[int]) -> dict[int, int]:
    """Return the stored closeness of names to all others, in millionths."""
    sql = "SELECT name_id, sum(units) FROM name_closeness"
    return dict(db.rows_in(f"{sql} WHERE name_id", name_ids, " GROUP BY 1"))


def fetch_votes(db: Db, name_ids: Collection[int]) -> dict[int, list[Judgement]]:
    """Return the types that models gave names."""
    rows = db.rows_in("SELECT name_id, type, confidence FROM name_claim WHERE name_id", name_ids)
    found: dict[int, list[Judgement]] = defaultdict(list)
    for name_id, type_, confidence in rows:
        found[name_id].append(Judgement(name_id, type_, "", confidence))
    return found


def fetch_judgements(db: Db, name_ids: Collection[int]) -> dict[int, list[PlacedJudgement]]:
    """Return the judgements of models about names."""
    found: dict[int, list[PlacedJudgement]] = defaultdict(list)
    for name_id, type_, description, confidence, document_id, start, chunk_id in db.rows_in(
        "SELECT q.name_id, q.type, q.description, q.confidence, q.document_id, c.start, q.chunk_id"
        " FROM name_claim q JOIN chunk c ON c.id = q.chunk_id WHERE q.name_id",
        name_ids,
    ):
        judgement = Judgement(name_id, type_, description, confidence)
        found[name_id].append((judgement, (document_id, start), chunk_id))
    return found


# --- claims of pairs ------------------------------------------------------------------------------


def fetch_name_pairs_of(db: Db, name_ids: Collection[int]) -> set[Pair]:
    """Return the pairs of names, smaller id first, that have claims and one of these names."""
    found: set[Pair] = set()
    for sql in (
        "SELECT DISTINCT source_id, target_id FROM claimed_relation WHERE source_id",
        "SELECT DISTINCT target_id, source_id FROM claimed_relation WHERE target_id",
    ):
        found.update((min(pair), max(pair)) for pair in db.rows_in(sql, name_ids))
    return found


def fetch_claims_of_pairs(db: Db, pairs: Sequence[Pair]) -> dict[Pair, list[Claim]]:
    """Return the claims that stand for pairs of entities, by pair, with directions between these.

    The names of the entities must be written already.
    """
    found: dict[Pair, list[Claim]] = defaultdict(list)
    wanted = json.dumps(pairs)
    # The claims of the second query have their source in the second entity of the pair.
    reversed_ = "((q.direction & 1) << 1) | ((q.direction & 2) >> 1)"
    for own, other, direction in (
        ("source_id", "target_id", "q.direction & 3"),
        ("target_id", "source_id", reversed_),
    ):
        for r in db.iterate(
            "SELECT w.value ->> 0, w.value ->> 1, q.id, q.source_id, q.target_id, q.weight,"
            " q.keywords, q.description, q.kind, q.confidence, q.document_id, q.start, q.chunk_id,"
            f" {direction} FROM json_each(?) w"
            " CROSS JOIN entity_name a ON a.entity_id = w.value ->> 0"
            " CROSS JOIN entity_name b ON b.entity_id = w.value ->> 1"
            f" CROSS JOIN standing_claim q ON q.{own} = a.name_id AND q.{other} = b.name_id",
            (wanted,),
        ):
            keywords = tuple(filter(None, r[6].split("\n"))) if r[6] else ()
            place = (r[10], r[11])
            found[r[0], r[1]].append(
                Claim(r[2], r[3], r[4], r[5], keywords, r[7], r[8], r[9], place, r[12], r[13])
            )
    return found


# --- stored rows that an update compares ----------------------------------------------------------


def fetch_entity_values(db: Db, entity_ids: Collection[int]) -> dict[int, EntityValues]:
    """Return the values of those of the entities that exist."""
    sql = f"SELECT id, {ENTITY_VALUES} FROM entity WHERE id"
    return {row[0]: row[1:] for row in db.rows_in(sql, entity_ids)}


def fetch_relation_values(db: Db, pairs: Sequence[Pair]) -> dict[Pair, tuple[int, RelationValues]]:
    """Return the id and the values of those of the pairs that have a relation."""
    columns = ", ".join(f"r.{name}" for name in RELATION_VALUES.split(", "))
    return {
        (row[0], row[1]): (row[2], row[3:])
        for row in db.iterate(
            f"SELECT r.source_id, r.target_id, r.id, {columns} FROM json_each(?) w"
            " CROSS JOIN relation r ON r.source_id = w.value ->> 0 AND r.target_id = w.value ->> 1",
            (json.dumps(pairs),),
        )
    }


def update_relation_counts(db: Db, entity_ids: Iterable[int]) -> set[int]:
    """Count the relations of these entities again; return the entities with another number."""
    different = [
        (n, entity_id)
        for entity_id, old, n in db.rows_in(
            "SELECT e.id, e.n_relations, (SELECT count(*) FROM relation WHERE source_id = e.id)"
            " + (SELECT count(*) FROM relation WHERE target_id = e.id) FROM entity e WHERE e.id",
            entity_ids,
        )
        if n != old
    ]
    db.write_many("UPDATE entity SET n_relations = ? WHERE id = ?", different)
    return {entity_id for _, entity_id in different}
