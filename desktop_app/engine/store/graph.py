"""Rows of the derived graph: entities, relations, and both with their evidence.

Only changed rows are written: the `replace_` functions compare all rows with the stored ones, the
`change_` functions get the changes from the caller.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..model import DocumentId, EntityRow, MentionRow, RelationRow, reverse_direction
from .db import Db
from .page_labels import PAGE_LABEL

_MAX_COMPARED_CHARS = 5_000  # of a searched name
_SENSE = "\u2063"  # as in `graph.names.sense_key`
_ENTITY = (
    "SELECT id, name, type, n_mentions, n_relations, n_documents, description, n_enriched"
    " FROM entity"
)
_RELATION = """
SELECT r.id, r.source_id, r.target_id, s.name, t.name, r.weight, r.n_evidence, r.description,
       r.keywords, r.kind,
       coalesce(substr(c.text, q.start - c.start + 1, q.end - q.start), ''),
       q.document_id, coalesce(q.start, 0), coalesce(q.end, 0), r.n_enriched, r.confidence,
       r.direction & 3, s.type, t.type
  FROM relation r
  JOIN entity s ON s.id = r.source_id
  JOIN entity t ON t.id = r.target_id
  LEFT JOIN claimed_relation q ON q.id = r.best_claim
  LEFT JOIN chunk c ON c.id = q.chunk_id
"""


def _relation(r: tuple[Any, ...]) -> RelationRow:
    return RelationRow(*(*r[:8], tuple(k for k in r[8].split("\n") if k), *r[9:]))


# Entities of which the names are looked up singly: 400 names take 1.3 ms in 20 novels, all 9 ms.
_FEW = 1_000


def _to_entities(db: Db, rows: Iterable[tuple[Any, ...]]) -> list[EntityRow]:
    rows = list(rows)
    titles = fetch_story_titles(db, [row[1] for row in rows] if len(rows) <= _FEW else None)
    return [EntityRow(*(*row[:8], titles.get(row[0], ""))) for row in rows]


def fetch_story_titles(db: Db, names: Sequence[str] | None) -> dict[int, str]:
    """Return entity -> title of its story, of entities that are shown by one name.

    The story is the document that has most of its mentions.

    Args:
        names: of the entities that are asked about; None for all.
    """
    select = (
        "SELECT e.id, e.name, d.title, max(c.n) FROM namesake k JOIN name n ON n.key = k.key"
        " JOIN entity_name en ON en.name_id = n.id"
        " JOIN entity e ON e.id = en.entity_id AND e.name = n.text"
        " JOIN name_count c ON c.name_id = n.id JOIN document d ON d.id = c.document_id"
    )
    if names is None:
        found = db.rows(f"{select} GROUP BY e.id")
    else:
        found = db.rows_in(f"{select} WHERE n.text", names, " GROUP BY e.id")
    n_called = Counter(name for _, name, _, _ in found)
    return {entity_id: title for entity_id, name, title, _ in found if n_called[name] > 1}


def fetch_top_entities(db: Db, limit: int, type_: str = "") -> list[EntityRow]:
    """Return the entities with most connections first."""
    clause = " WHERE type = ?" if type_ else ""
    return _to_entities(
        db,
        db.rows(
            f"{_ENTITY}{clause} ORDER BY n_relations DESC, n_mentions DESC, id LIMIT ?",
            (*((type_,) if type_ else ()), limit),
        ),
    )


def fetch_unconnected(db: Db, entity_id: int, limit: int) -> list[EntityRow]:
    """Return the entities without a relation to one, those most mentioned in its documents first.

    Where no document is shared, as with a name that is in no text, these are the most connected
    ones of the library.
    """
    apart = (
        "NOT EXISTS (SELECT 1 FROM relation WHERE source_id = ?1 AND target_id = {0}.{1})"
        " AND NOT EXISTS (SELECT 1 FROM relation WHERE target_id = ?1 AND source_id = {0}.{1})"
    )
    near = db.column(
        "WITH own AS (SELECT DISTINCT c.document_id AS id FROM entity_name n"
        " JOIN name_count c USING (name_id) WHERE n.entity_id = ?1)"
        " SELECT en.entity_id FROM name_count c JOIN entity_name en USING (name_id)"
        " WHERE c.document_id IN (SELECT id FROM own) AND en.entity_id <> ?1"
        f" AND {apart.format('en', 'entity_id')}"
        " GROUP BY en.entity_id ORDER BY sum(c.n) DESC, en.entity_id LIMIT ?2",
        (entity_id, limit),
    ) or db.column(
        f"SELECT id FROM entity WHERE id <> ?1 AND {apart.format('entity', 'id')}"
        " ORDER BY n_relations DESC, n_mentions DESC, id LIMIT ?2",
        (entity_id, limit),
    )
    return fetch_entities(db, near)


# Of a first view: a book with a hundred characters would leave no room for the others. Three names
# tell a book; one document for five names leaves two fifths to the most connected of all. Of few
# documents each has more of these three fifths, but a dozen names show what a book is about: of
# nine documents and 150 names, the largest novel still has most.
_MIN_OF_DOCUMENT, _MAX_OF_DOCUMENT, _NAMES_PER_DOCUMENT = 3, 12, 5


def fetch_main_entities(db: Db, limit: int) -> list[EntityRow]:
    """Return the main entities of the largest documents, and those with most connections of all.

    Those with most connections are first. The size of a document is the number of its mentions;
    entities without connections count only for the rest.
    """
    large = db.column(
        "SELECT document_id FROM name_count GROUP BY document_id"
        " ORDER BY sum(n) DESC, document_id LIMIT ?",
        (limit // _NAMES_PER_DOCUMENT,),
    )
    share = _MIN_OF_DOCUMENT * limit // (_NAMES_PER_DOCUMENT * max(1, len(large)))
    share = min(max(share, _MIN_OF_DOCUMENT), _MAX_OF_DOCUMENT)
    named: dict[int, None] = {}
    n_found: Counter[int] = Counter()
    for document_id, entity_id, _ in db.rows_in(
        "SELECT c.document_id, en.entity_id, sum(c.n) AS n FROM name_count c"
        " CROSS JOIN entity_name en USING (name_id)"
        " JOIN entity e ON e.id = en.entity_id AND e.n_relations > 0 WHERE c.document_id",
        large,
        " GROUP BY c.document_id, en.entity_id ORDER BY n DESC, en.entity_id",
    ):
        n_found[document_id] += 1
        if n_found[document_id] <= share:
            named[entity_id] = None
    connected = fetch_top_entities(db, limit)
    found = fetch_entities(db, named)
    shown = {row.id for row in found}
    found += [row for row in connected if row.id not in shown]
    return sorted(found[:limit], key=lambda row: (-row.n_relations, -row.n_mentions, row.id))


def fetch_entities_of_document(db: Db, document_id: int, limit: int) -> list[EntityRow]:
    """Return the entities of a document, those most mentioned in it first.

    Their `n_mentions` is that of the document.
    """
    return _to_entities(
        db,
        db.rows(
            "WITH own AS (SELECT n.entity_id AS id, count(*) AS n FROM mention m"
            " JOIN entity_name n USING (name_id) WHERE m.document_id = ? GROUP BY n.entity_id)"
            " SELECT id, name, type, own.n, n_relations, n_documents, description, n_enriched"
            " FROM own JOIN entity USING (id) ORDER BY own.n DESC, n_relations DESC, id LIMIT ?",
            (document_id, limit),
        ),
    )


def fetch_typed_mentions(
    db: Db, document_id: int, entity_ids: Iterable[int]
) -> list[tuple[int, str, int, int]]:
    """Return (entity id, type, start, end) of each mention of these entities in a document."""
    return db.rows_in(
        "SELECT n.entity_id, m.type, m.start, m.end FROM entity_name n"
        f" JOIN mention m ON m.name_id = n.name_id AND m.document_id = {int(document_id)}"
        " WHERE n.entity_id",
        entity_ids,
    )


def fetch_repeated_entities(db: Db, document_id: int) -> list[tuple[int, int]]:
    """Return (entity id, mentions) of what a document mentions more than once, most first."""
    return db.rows(
        "SELECT n.entity_id, count(*) AS n FROM mention m JOIN entity_name n USING (name_id)"
        " WHERE m.document_id = ? GROUP BY n.entity_id HAVING count(*) > 1"
        " ORDER BY count(*) DESC, n.entity_id",
        (document_id,),
    )


def find_entity(db: Db, entity_id: int) -> EntityRow | None:
    row = db.row(f"{_ENTITY} WHERE id = ?", (entity_id,))
    return _to_entities(db, [row])[0] if row else None


def fetch_entities(db: Db, entity_ids: Iterable[int]) -> list[EntityRow]:
    """Return those of the entities that exist, in the order of the ids."""
    marks = {i: n for n, i in enumerate(entity_ids)}
    found = _to_entities(db, db.rows_in(f"{_ENTITY} WHERE id", marks))
    return sorted(found, key=lambda e: marks[e.id])


def find_entities(db: Db, text: str, key: str, limit: int) -> list[EntityRow]:
    """Return entities one of whose names matches: equal first, then prefixes, then substrings.

    What is called exactly so comes before what has it as another name, and both before equal keys:
    the key of "Mr. Heathcliff" is that of "Heathcliff", and both may be in the graph.

    Of a very long text, the first characters are compared: SQLite limits patterns to 50,000 bytes.
    """
    escaped = (
        text[:_MAX_COMPARED_CHARS].replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    )
    return _to_entities(
        db,
        db.rows(
            "SELECT e.id, e.name, e.type, e.n_mentions, e.n_relations, e.n_documents,"
            " e.description, e.n_enriched,"
            " min(CASE WHEN e.name = ?1 THEN 0 WHEN n.text = ?1 THEN 1"
            "  WHEN e.name = ?1 COLLATE NOCASE THEN 2 WHEN n.text = ?1 COLLATE NOCASE THEN 3"
            "  WHEN n.key = ?2 THEN 4"
            "  WHEN n.text LIKE ?3 || '%' ESCAPE '\\' OR e.name LIKE ?3 || '%' ESCAPE '\\'"
            "  THEN 5 ELSE 6 END) AS rank"
            " FROM entity e JOIN entity_name en ON en.entity_id = e.id"
            " JOIN name n ON n.id = en.name_id"
            " WHERE n.key = ?2 OR n.text LIKE '%' || ?3 || '%' ESCAPE '\\'"
            "  OR e.name LIKE '%' || ?3 || '%' ESCAPE '\\'"
            " GROUP BY e.id ORDER BY rank, e.n_relations DESC, e.n_mentions DESC, e.id LIMIT ?4",
            (text, key, escaped, limit),
        ),
    )


def fetch_aliases(db: Db, entity_id: int) -> list[tuple[str, int]]:
    """Return the entity's names in the text with the count of each."""
    return db.rows(
        "SELECT n.text, (SELECT count(*) FROM mention m WHERE m.name_id = n.id) AS uses"
        " FROM entity_name en JOIN name n ON n.id = en.name_id WHERE en.entity_id = ?"
        " ORDER BY uses DESC, n.text",
        (entity_id,),
    )


def fetch_names_of(db: Db, entity_id: int) -> list[tuple[str, int, int]]:
    """Return (name, sense, uses) of an entity, most frequent first; see `graph.names.sense_key`."""
    return db.rows(
        "SELECT n.text, n.sense, (SELECT count(*) FROM mention m WHERE m.name_id = n.id) AS uses"
        " FROM entity_name en JOIN name n ON n.id = en.name_id WHERE en.entity_id = ?"
        " ORDER BY uses DESC, n.text, n.sense",
        (entity_id,),
    )


def split_key(key: str) -> tuple[str, int]:
    """Return the name and the sense of a curation key, as `graph.names.split_sense`."""
    text, _, sense = key.partition(_SENSE)
    return (text, int(sense)) if sense.isdigit() else (key, 0)


def fetch_entities_by_key(db: Db, keys: Iterable[str]) -> dict[str, set[int]]:
    """Return the entities of names, by their keys (see `graph.names.sense_key`)."""
    wanted = set(keys)
    found: dict[str, set[int]] = {}
    for entity_id, text, sense in db.rows_in(
        "SELECT en.entity_id, n.text, n.sense FROM name n"
        " JOIN entity_name en ON en.name_id = n.id WHERE n.text",
        {key.partition(_SENSE)[0] for key in wanted},
    ):
        key = f"{text}{_SENSE}{sense}" if sense else text
        if key in wanted:
            found.setdefault(key, set()).add(entity_id)
    return found


def fetch_mentions(db: Db, entity_id: int, limit: int = 200, offset: int = 0) -> list[MentionRow]:
    """Return the mentions of an entity, in reading order."""
    ids = db.rows(
        "SELECT m.id FROM mention m JOIN entity_name en USING (name_id)"
        " WHERE en.entity_id = ? ORDER BY m.document_id, m.start LIMIT ? OFFSET ?",
        (entity_id, limit, offset),
    )
    return fetch_mention_rows(db, [i for (i,) in ids])


def fetch_mention_ids(db: Db, entity_id: int, limit: int) -> list[int]:
    """Return an entity's mentions in reading order, one per place in a text."""
    return db.column(
        "SELECT min(m.id) FROM mention m JOIN entity_name en USING (name_id)"
        " WHERE en.entity_id = ? GROUP BY m.document_id, m.start"
        " ORDER BY m.document_id, m.start LIMIT ?",
        (entity_id, limit),
    )


def fetch_best_mentions(db: Db, entity_id: int, limit: int) -> list[MentionRow]:
    """Return the mentions whose sentences introduce the entity best, one per sentence.

    Sentences of less than 12 characters say too little, Chinese ones of less than 8.
    """
    ids = db.rows(
        "SELECT m.id, max(m.weight) AS best FROM mention m JOIN entity_name en USING (name_id)"
        " JOIN document d ON d.id = m.document_id WHERE en.entity_id = ?"
        " AND m.sentence_end - m.sentence_start BETWEEN iif(d.language = 'zh', 8, 12) AND 420"
        " GROUP BY m.document_id, m.sentence_start ORDER BY best DESC, m.document_id, m.start"
        " LIMIT ?",
        (entity_id, limit),
    )
    return fetch_mention_rows(db, [i for (i, _) in ids])


def fetch_chunk_text(db: Db, chunk_id: int) -> tuple[str, int]:
    """Return the text of a chunk and where it starts in its document; ("", 0) if it is gone."""
    text, start = db.row("SELECT text, start FROM chunk WHERE id = ?", (chunk_id,)) or ("", 0)
    return str(text), int(start)


def fetch_chunk_texts(db: Db, chunk_ids: Collection[int]) -> list[tuple[int, int, int, str, str]]:
    """Return (document id, chunk id, start, text, title of the document), in reading order."""
    return sorted(
        db.rows_in(
            "SELECT c.document_id, c.id, c.start, c.text, d.title FROM chunk c"
            " JOIN document d ON d.id = c.document_id WHERE c.id",
            chunk_ids,
        )
    )


def fetch_mention_rows(db: Db, mention_ids: Sequence[int]) -> list[MentionRow]:
    """Return mentions with sentence, page and heading, in the order of the ids.

    A chunk's own text gives the sentence; one that crosses the chunk's boundary is cut there.
    """
    found = {
        r[0]: MentionRow(*r[1:])
        for r in db.rows_in(
            "SELECT m.id, m.document_id, d.title, m.chunk_id, n.text, m.start, m.end,"
            " substr(c.text, max(m.sentence_start, c.start) - c.start + 1,"
            "  min(m.sentence_end, c.end) - max(m.sentence_start, c.start)),"
            " max(m.sentence_start, c.start),"
            f" coalesce((SELECT {PAGE_LABEL} FROM page p WHERE p.document_id = m.document_id"
            "  AND p.page_index BETWEEN c.page_first AND c.page_last"
            "  AND p.start <= m.start AND p.end > m.start), ''), c.heading_path"
            " FROM mention m JOIN document d ON d.id = m.document_id"
            " JOIN chunk c ON c.id = m.chunk_id JOIN name n ON n.id = m.name_id"
            " WHERE m.id",
            mention_ids,
        )
    }
    return [found[i] for i in dict.fromkeys(mention_ids) if i in found]


def fetch_spread(db: Db, entity_id: int) -> list[tuple[DocumentId, str, list[float]]]:
    """Return, per document, its title and the relative positions of mentions, 0 to 1."""
    spread: dict[int, tuple[str, list[float]]] = {}
    for document_id, title, n_chars, start in db.rows(
        "SELECT m.document_id, d.title, d.n_chars, m.start FROM mention m"
        " JOIN entity_name en USING (name_id) JOIN document d ON d.id = m.document_id"
        " WHERE en.entity_id = ? ORDER BY m.document_id, m.start",
        (entity_id,),
    ):
        spread.setdefault(document_id, (title, []))[1].append(start / max(1, n_chars))
    return [(DocumentId(i), title, places) for i, (title, places) in spread.items()]


def fetch_chapters(db: Db, document_ids: Sequence[int]) -> dict[int, list[tuple[float, str]]]:
    """Return, per document, the relative starts (0 to 1) and titles of its chapters.

    Chapters are the headings of the highest level that has several: above them may be a title.
    """
    levels: dict[int, dict[int, list[tuple[float, str]]]] = {}
    for document_id, level, title, start, n_chars in db.rows_in(
        "SELECT h.document_id, h.level, h.title, h.start, d.n_chars FROM heading h"
        " JOIN document d ON d.id = h.document_id WHERE h.document_id",
        document_ids,
    ):
        chapters = levels.setdefault(document_id, {}).setdefault(level, [])
        chapters.append((start / max(1, n_chars), title))
    found = {}
    for document_id, by_level in levels.items():
        several = [chapters for _, chapters in sorted(by_level.items()) if len(chapters) > 1]
        if several:
            found[document_id] = sorted(several[0])
    return found


def find_relation(db: Db, relation_id: int) -> RelationRow | None:
    row = db.row(_RELATION + "WHERE r.id = ?", (relation_id,))
    return _relation(row) if row else None


def fetch_relations(db: Db, entity_id: int, limit: int = 100) -> list[RelationRow]:
    """Return the relations of an entity, strongest first."""
    return [
        _relation(r)
        for r in db.rows(
            _RELATION
            + "WHERE r.source_id = ?1 OR r.target_id = ?1 ORDER BY r.weight DESC, r.id LIMIT ?2",
            (entity_id, limit),
        )
    ]


def fetch_top_relations(db: Db, limit: int = 200) -> list[RelationRow]:
    """Return the strongest relations of the whole graph."""
    return [
        _relation(r) for r in db.rows(_RELATION + "ORDER BY r.weight DESC, r.id LIMIT ?", (limit,))
    ]


def fetch_relation_rows(db: Db, relation_ids: Sequence[int]) -> list[RelationRow]:
    """Return those of the relations that exist, in the order of the ids."""
    found = {r[0]: _relation(r) for r in db.rows_in(f"{_RELATION}WHERE r.id", relation_ids)}
    return [found[i] for i in dict.fromkeys(relation_ids) if i in found]


def fetch_relations_among(db: Db, entity_ids: Sequence[int]) -> list[RelationRow]:
    """Return every relation whose two ends are both among the entities."""
    # the + keeps the index of the targets out: it would be walked beside that of the sources
    rows = db.rows(
        f"{_RELATION}WHERE r.source_id IN (SELECT value FROM json_each(?1))"
        " AND +r.target_id IN (SELECT value FROM json_each(?1))",
        (json.dumps([int(i) for i in entity_ids]),),
    )
    return [_relation(r) for r in rows]


def fetch_neighbour_ids(db: Db, entity_ids: Sequence[int], limit: int) -> list[int]:
    """Return the entities most strongly related to any of these, strongest first."""
    given = set(entity_ids)
    strength: dict[int, float] = {}
    for other, weight in (
        *db.rows_in("SELECT target_id, weight FROM relation WHERE source_id", entity_ids),
        *db.rows_in("SELECT source_id, weight FROM relation WHERE target_id", entity_ids),
    ):
        if other not in given:
            strength[other] = strength.get(other, 0.0) + weight
    return sorted(strength, key=lambda i: (-strength[i], i))[:limit]


def fetch_relation_evidence(db: Db, relation_id: int, limit: int = 50) -> list[MentionRow]:
    """Return the evidence sentences of a relation, strongest first."""
    return [
        MentionRow(*r)
        for r in db.rows(
            "SELECT q.document_id, d.title, q.chunk_id, s.text, q.start, q.end,"
            " substr(c.text, q.start - c.start + 1, q.end - q.start), q.start,"
            f" coalesce((SELECT {PAGE_LABEL} FROM page p WHERE p.document_id = q.document_id"
            "  AND p.start <= q.start AND p.end > q.start), ''), c.heading_path"
            " FROM relation r"
            " JOIN entity_name a ON a.entity_id IN (r.source_id, r.target_id)"
            " JOIN standing_claim q ON q.source_id = a.name_id"
            " JOIN entity_name b ON b.name_id = q.target_id"
            "  AND b.entity_id IN (r.source_id, r.target_id) AND b.entity_id <> a.entity_id"
            " JOIN document d ON d.id = q.document_id JOIN chunk c ON c.id = q.chunk_id"
            " JOIN name s ON s.id = q.source_id"
            " WHERE r.id = ? ORDER BY q.weight DESC, q.id LIMIT ?",
            (relation_id, limit),
        )
    ]


def fetch_mentioned_entities(db: Db, document_id: int) -> set[int]:
    """Return the entities that are mentioned in a document."""
    return set(db.column(f"{_NAMED} WHERE m.document_id = ?", (document_id,)))


def fetch_mentions_between(
    db: Db, document_id: int, start: int, end: int
) -> list[tuple[int, int, int, str, str]]:
    """Return (start, end, entity id, entity name, type) of the names in a part of a document."""
    return db.rows(
        "SELECT m.start, m.end, e.id, e.name, e.type FROM mention m"
        " JOIN entity_name en USING (name_id) JOIN entity e ON e.id = en.entity_id"
        " WHERE m.document_id = ? AND m.start >= ? AND m.start < ? ORDER BY m.start",
        (document_id, start, end),
    )


def count_entities(db: Db) -> int:
    return int(db.value("SELECT count(*) FROM entity"))


def find_last_entity_id(db: Db) -> int:
    """Return the largest id of an entity, 0 without one."""
    return int(db.value("SELECT max(id) FROM entity") or 0)


def find_last_relation_id(db: Db) -> int:
    """Return the largest id of a relation, 0 without one."""
    return int(db.value("SELECT max(id) FROM relation") or 0)


def count_mentions(db: Db) -> int:
    return int(db.value("SELECT count(*) FROM mention"))


def iter_entity_names(db: Db) -> Iterator[tuple[int, str]]:
    """Yield each entity with its displayed name."""
    yield from db.iterate("SELECT id, name FROM entity")


def iter_entities_of_names(db: Db) -> Iterator[tuple[int, int]]:
    """Yield each name id that belongs to an entity, with the entity."""
    yield from db.iterate("SELECT name_id, entity_id FROM entity_name")


def is_edited(db: Db, entity_id: int) -> bool:
    """Return whether the user edited an entity."""
    return bool(db.value("SELECT edited FROM entity WHERE id = ?", (entity_id,)))


def find_entity_of_name(db: Db, name: str, sense: int) -> int | None:
    """Return the entity that has this name in this sense."""
    entity_id: int | None = db.value(
        "SELECT en.entity_id FROM name n JOIN entity_name en ON en.name_id = n.id"
        " WHERE n.text = ? AND n.sense = ?",
        (name, sense),
    )
    return entity_id


def find_entity_by_name(db: Db, name: str, key: str) -> int | None:
    """Return the entity with this display name or one of this name's mentions.

    Args:
        key: of the name, by which it is looked up.
    """
    entity_id: int | None = db.value(
        "SELECT id FROM entity WHERE key = ?2 AND name = ?1 UNION ALL"
        " SELECT en.entity_id FROM name n JOIN entity_name en ON en.name_id = n.id"
        " WHERE n.text = ?1 LIMIT 1",
        (name, key),
    )
    return entity_id


def fetch_document_hashes(db: Db, entity_id: int) -> list[str]:
    """Return the documents (sha256) with mentions of an entity."""
    return db.column(
        "SELECT DISTINCT d.sha256 FROM mention m JOIN entity_name en USING (name_id)"
        " JOIN document d ON d.id = m.document_id WHERE en.entity_id = ?",
        (entity_id,),
    )


def fetch_mention_places(db: Db, entity_id: int) -> list[tuple[int, str, int, str, int]]:
    """Return (mention id, name, sense, document sha256, start) of an entity, in reading order."""
    return db.rows(
        "SELECT m.id, n.text, n.sense, d.sha256, m.start FROM mention m"
        " JOIN entity_name en USING (name_id) JOIN name n ON n.id = m.name_id"
        " JOIN document d ON d.id = m.document_id WHERE en.entity_id = ?"
        " ORDER BY m.document_id, m.start",
        (entity_id,),
    )


def find_mention_place(db: Db, mention_id: int) -> tuple[str, str, int] | None:
    """Return (name as written, document sha256, start) of a mention."""
    return db.row(
        "SELECT n.text, d.sha256, m.start FROM mention m JOIN name n ON n.id = m.name_id"
        " JOIN document d ON d.id = m.document_id WHERE m.id = ?",
        (mention_id,),
    )


_NAMED = "SELECT DISTINCT en.entity_id FROM mention m JOIN entity_name en USING (name_id)"


def fetch_entities_in(db: Db, document_ids: Sequence[int]) -> list[int]:
    """Return the entities with mentions in these documents."""
    marks = ",".join("?" * len(document_ids))
    return db.column(f"{_NAMED} WHERE m.document_id IN ({marks})", document_ids)


def fetch_entities_without(db: Db, document_ids: Sequence[int]) -> set[int]:
    """Return the entities that remain without these documents.

    They have mentions elsewhere, or were added or given an alias by the user.
    """
    marks = ",".join("?" * len(document_ids))
    found = db.rows(
        f"{_NAMED} WHERE m.document_id NOT IN ({marks}) UNION SELECT en.entity_id FROM name n"
        " JOIN entity_name en ON en.name_id = n.id WHERE n.text IN"
        " (SELECT name FROM hand_entity UNION SELECT name FROM alias UNION"
        "  SELECT alias FROM alias)",
        document_ids,
    )
    return {r[0] for r in found}


def count_relations_only_in(db: Db, document_ids: Sequence[int]) -> int:
    """Return the number of relations without evidence outside these documents."""
    marks = ",".join("?" * len(document_ids))
    return int(
        db.value(
            "SELECT count(*) FROM relation r WHERE NOT EXISTS (SELECT 1 FROM entity_name a"
            "  JOIN standing_claim q ON q.source_id = a.name_id JOIN entity_name b"
            "  ON b.name_id = q.target_id WHERE a.entity_id IN (r.source_id, r.target_id)"
            "  AND b.entity_id IN (r.source_id, r.target_id) AND a.entity_id <> b.entity_id"
            f"  AND q.document_id NOT IN ({marks}))",
            document_ids,
        )
    )


def fetch_chunks_of_entities(db: Db) -> list[tuple[int, int]]:
    """Return every (entity, chunk with a mention of it), by chunk."""
    return db.rows(
        "SELECT DISTINCT en.entity_id, m.chunk_id FROM mention m"
        " JOIN entity_name en USING (name_id) ORDER BY m.chunk_id"
    )


def fetch_chunks_of_pairs(db: Db) -> list[tuple[int, int, int]]:
    """Return every (smaller entity id, greater one, chunk that relates them), by chunk."""
    return db.rows(
        "SELECT DISTINCT min(a.entity_id, b.entity_id), max(a.entity_id, b.entity_id),"
        " q.chunk_id FROM standing_claim q JOIN entity_name a ON a.name_id = q.source_id"
        " JOIN entity_name b ON b.name_id = q.target_id WHERE a.entity_id <> b.entity_id"
        " ORDER BY q.chunk_id"
    )


# --- writing --------------------------------------------------------------------------------------


def fetch_graph_version(db: Db) -> int:
    """Return the version of the graph tables, 0 if the graph was never written."""
    return int(db.value("SELECT graph_version FROM library_state"))


def increase_graph_version(db: Db) -> int:
    """Count up and return the version of the graph tables, so that others read them again."""
    db.write("UPDATE library_state SET graph_version = graph_version + 1")
    return fetch_graph_version(db)


_EVIDENCE_IS_NEWER, _CURATION_IS_NEWER = 1, 2  # bits of `is_graph_stale`


def is_graph_stale(db: Db) -> bool:
    """Return whether the graph is older than its evidence or the edits of the user."""
    return bool(db.value("SELECT is_graph_stale FROM library_state"))


def mark_graph_stale(db: Db, stale: bool = True) -> None:
    """Record that evidence was stored since the last update of the graph, or that nothing was."""
    db.write("UPDATE library_state SET is_graph_stale = ?", (_EVIDENCE_IS_NEWER * stale,))


def is_curation_newer(db: Db) -> bool:
    """Return whether a process ended between an edit and the update of the graph."""
    return bool((db.value("SELECT is_graph_stale FROM library_state") or 0) & _CURATION_IS_NEWER)


def mark_curation_newer(db: Db, is_newer: bool = True) -> None:
    """Record, in the transaction of an edit, that the graph is older, or that it follows now."""
    if is_newer:
        sql = "UPDATE library_state SET is_graph_stale = is_graph_stale | ?"
    else:
        sql = "UPDATE library_state SET is_graph_stale = is_graph_stale & ~?"
    db.write(sql, (_CURATION_IS_NEWER,))


EntityValues = tuple[str, str, str, int, int, int, int, int, str]
"""name, key, type, n_mentions, n_relations, n_documents, edited, n_enriched, summary_key"""

RelationValues = tuple[float, int, str, str, str, int | None, int, float, str, int, float, float]
"""weight, n_evidence, description, keywords, kind, best_claim, n_enriched, confidence,
summary_key, direction, strength, closeness"""

ENTITY_VALUES = (
    "name, key, type, n_mentions, n_relations, n_documents, edited, n_enriched, summary_key"
)
RELATION_VALUES = (
    "weight, n_evidence, description, keywords, kind, best_claim, n_enriched, confidence,"
    " summary_key, direction, strength, closeness"
)


def count_differences(
    db: Db,
    entities: Mapping[int, EntityValues],
    relations: Mapping[tuple[int, int], RelationValues],
) -> int:
    """Return the number of stored entities and relations that differ from these.

    Weights count as equal within rounding, because they are sums in the order of reading.
    """
    old = {r[0]: r[1:] for r in db.rows(f"SELECT id, {ENTITY_VALUES} FROM entity")}
    n_entities = sum(old.get(i) != values for i, values in entities.items())
    rows = db.rows(f"SELECT source_id, target_id, {RELATION_VALUES} FROM relation")
    found = {(row[0], row[1]): row[2:] for row in rows}
    n_relations = sum(
        pair not in found
        or found[pair][1:-2] != values[1:-2]
        or not _is_close(found[pair][0], values[0])
        or not _is_close(found[pair][-2], values[-2])
        or not _is_close(found[pair][-1], values[-1])
        for pair, values in relations.items()
    )
    extra = len(old.keys() - entities.keys()) + len(found.keys() - relations.keys())
    return n_entities + n_relations + extra


def _is_close(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-9)


def change_entities(
    db: Db,
    changed: Mapping[int, EntityValues],
    gone: Iterable[int],
    entity_of_name: Mapping[int, int],
) -> None:
    """Write changed entities, delete others, and assign names to entities (0 for none)."""
    db.write_many(
        f"INSERT INTO entity({ENTITY_VALUES}, id) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)"
        " ON CONFLICT(id) DO UPDATE SET name=?1, key=?2, type=?3, n_mentions=?4,"
        " n_relations=?5, n_documents=?6, edited=?7, n_enriched=?8, summary_key=?9",
        ((*changed[i], i) for i in sorted(changed)),
    )
    db.write_many(
        "DELETE FROM entity_name WHERE name_id = ?",
        ((n,) for n, e in sorted(entity_of_name.items()) if not e),
    )
    db.write_many(
        "INSERT OR REPLACE INTO entity_name VALUES (?, ?)",
        (pair for pair in sorted(entity_of_name.items()) if pair[1]),
    )
    db.write_many("DELETE FROM entity WHERE id = ?", ((i,) for i in sorted(gone)))


def find_entities_of_names(db: Db, names: Iterable[str]) -> set[int]:
    """Return the entities that have any of these names."""
    sql = (
        "SELECT en.entity_id FROM name n JOIN entity_name en ON en.name_id = n.id WHERE n.text = ?"
    )
    return {i for name in names for (i,) in db.rows(sql, (name,))}


def change_descriptions(db: Db, descriptions: Mapping[int, str]) -> list[int]:
    """Store the descriptions of entities; return the ids that changed."""
    old = dict(db.rows_in("SELECT id, description FROM entity WHERE id", descriptions))
    changed = [(text, i) for i, text in descriptions.items() if old.get(i) != text]
    db.write_many("UPDATE entity SET description = ? WHERE id = ?", changed)
    return [i for _, i in changed]


def write_relations(
    db: Db, changed: Mapping[tuple[int, int], RelationValues], gone: Iterable[tuple[int, int]]
) -> None:
    """Write new and changed relations and delete others."""
    db.write_many("DELETE FROM relation WHERE source_id = ? AND target_id = ?", sorted(gone))
    db.write_many(
        f"INSERT INTO relation(source_id, target_id, {RELATION_VALUES})"
        " VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14)"
        " ON CONFLICT(source_id, target_id) DO UPDATE SET weight=?3, n_evidence=?4,"
        " description=?5, keywords=?6, kind=?7, best_claim=?8, n_enriched=?9, confidence=?10,"
        " summary_key=?11, direction=?12, strength=?13, closeness=?14",
        ((*pair, *values) for pair, values in sorted(changed.items())),
    )


WeightRow = tuple[int, int, int, float, float, float]
"""id, source id, target id, weight, strength, closeness"""


def fetch_weight_rows(db: Db, after_id: int, limit: int) -> list[WeightRow]:
    """Return what the weights of relations with claims are computed of, by id."""
    return db.rows(
        "SELECT id, source_id, target_id, weight, strength, closeness FROM relation"
        " WHERE id > ? AND strength > 0 ORDER BY id LIMIT ?",
        (after_id, limit),
    )


def fetch_weight_rows_of(db: Db, entity_ids: Collection[int]) -> list[WeightRow]:
    """Return the same of the relations of entities; that of two of them comes twice."""
    select = "SELECT id, source_id, target_id, weight, strength, closeness FROM relation"
    return [
        row
        for end in ("source_id", "target_id")
        for row in db.rows_in(f"{select} WHERE strength > 0 AND {end}", entity_ids)
    ]


def change_weights(db: Db, changed: Iterable[tuple[float, int]]) -> None:
    """Write the new weights of relations, as (weight, id)."""
    db.write_many("UPDATE relation SET weight = ? WHERE id = ?", changed)


def fetch_introductions(
    db: Db, entity_ids: Collection[int], per_entity: int = 8
) -> dict[int, list[str]]:
    """Return, per entity, the sentences that introduce it best, best first."""
    found: dict[int, list[str]] = {}
    for entity_id, sentence in db.iterate(
        _INTRODUCTIONS, (per_entity, json.dumps(list(entity_ids)))
    ):
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
                  FROM json_each(?2) w CROSS JOIN entity_name en ON en.entity_id = w.value
                  JOIN mention m USING (name_id)
                 GROUP BY en.entity_id, m.document_id, m.sentence_start)) b
  JOIN chunk c ON c.id = b.chunk_id
 WHERE b.place <= ?1 ORDER BY b.entity_id, b.place
"""


# --- evidence for retrieval ----------------------------------------------------------------------


NamedPlace = tuple[int, int, int, int, float]
"""chunk id, entity id, start and end of the sentence, how well it introduces the name"""

TiedPlace = tuple[int, int, int, int, int, float]
"""chunk id, first and second entity id (smaller first), start and end, weight"""

ClaimFields = tuple[int, int, int, float, str, str, str, float, int, int, int, int]
"""claim id, entity ids (smaller first), weight, keywords, description, kind, confidence,
document id, start, chunk id, direction between the entities in this order"""


def fetch_named_in(db: Db, chunk_ids: Sequence[int]) -> list[NamedPlace]:
    """Return the entities mentioned in chunks, sentence by sentence."""
    return db.rows_in(
        "SELECT m.chunk_id, en.entity_id, m.sentence_start, m.sentence_end, max(m.weight)"
        " FROM mention m JOIN entity_name en USING (name_id) WHERE m.chunk_id",
        chunk_ids,
        " GROUP BY 1, 2, 3, 4",
    )


def fetch_tied_in(db: Db, chunk_ids: Sequence[int]) -> list[TiedPlace]:
    """Return the pairs of entities related in chunks, with the evidence sentence."""
    return db.rows_in(
        "SELECT q.chunk_id, min(a.entity_id, b.entity_id), max(a.entity_id, b.entity_id),"
        " q.start, q.end, q.weight FROM standing_claim q"
        " JOIN entity_name a ON a.name_id = q.source_id"
        " JOIN entity_name b ON b.name_id = q.target_id"
        " WHERE a.entity_id <> b.entity_id AND q.chunk_id",
        chunk_ids,
    )


def find_relation_ids(db: Db, pairs: Iterable[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """Return pair (smaller id first) -> relation, for those pairs that have one."""
    wanted = set(pairs)
    if len(wanted) > 2000:
        rows = db.rows("SELECT source_id, target_id, id FROM relation")
        return {(a, b): i for a, b, i in rows if (a, b) in wanted}
    sql = "SELECT id FROM relation WHERE source_id = ? AND target_id = ?"
    return {pair: i for pair in wanted if (i := db.value(sql, pair)) is not None}


def fetch_strongest_pairs(db: Db, entity_id: int, limit: int) -> list[tuple[int, int, float]]:
    """Return (smaller entity id, greater one, weight) of an entity's strongest relations."""
    return db.rows(
        "SELECT source_id, target_id, weight FROM"
        " (SELECT id, source_id, target_id, weight FROM relation WHERE source_id = ?1 UNION ALL"
        "  SELECT id, source_id, target_id, weight FROM relation WHERE target_id = ?1)"
        " ORDER BY weight DESC, id LIMIT ?2",
        (entity_id, limit),
    )


def fetch_names_and_degrees(db: Db, entity_ids: Iterable[int]) -> dict[int, tuple[str, int]]:
    """Return entity -> (all its names in one line, number of relations)."""
    return {
        r[0]: r[1:]
        for r in db.rows_in(
            "SELECT e.id, group_concat(n.text, ' '), e.n_relations FROM entity e"
            " JOIN entity_name en ON en.entity_id = e.id JOIN name n ON n.id = en.name_id"
            " WHERE e.id",
            entity_ids,
            " GROUP BY e.id",
        )
    }


def fetch_chunks_of_pair(db: Db, pair: tuple[int, int]) -> list[tuple[int, float]]:
    """Return (chunk id, weight) of the chunks that relate two entities, strongest first."""
    own, other = (f"(SELECT name_id FROM entity_name WHERE entity_id = ?{n})" for n in (1, 2))
    return db.rows(
        "SELECT q.chunk_id, sum(q.weight) AS weight FROM standing_claim q"
        f" WHERE (q.source_id IN {own} AND q.target_id IN {other})"
        f"  OR (q.source_id IN {other} AND q.target_id IN {own})"
        " GROUP BY 1 ORDER BY weight DESC, 1",
        pair,
    )


# --- evidence of given entities ------------------------------------------------------------------
# The caller filters documents: passing a hundred thousand ids to SQLite is slower than reading the
# rows that they would exclude.


def fetch_name_counts(
    db: Db, entity_ids: Sequence[int]
) -> list[tuple[int, int, str, str, int, int]]:
    """Return (entity id, name id, name, type, document id, mentions) of entities."""
    return db.rows_in(
        "SELECT en.entity_id, m.name_id, n.text, m.type, m.document_id, count(*)"
        " FROM entity_name en JOIN mention m USING (name_id) JOIN name n ON n.id = m.name_id"
        " WHERE en.entity_id",
        entity_ids,
        " GROUP BY 1, 2, 4, 5",
    )


def fetch_judgements_of(
    db: Db, entity_ids: Sequence[int]
) -> list[tuple[int, int, str, str, float, int, int, int]]:
    """Return the judgements of models about entities.

    As (entity id, name id, type, description, confidence, document id, start, chunk id).
    """
    return db.rows_in(
        "SELECT en.entity_id, q.name_id, q.type, q.description, q.confidence, q.document_id,"
        " c.start, q.chunk_id FROM entity_name en JOIN name_claim q USING (name_id)"
        " JOIN extraction x ON x.id = q.extraction_id AND x.state = 'done'"
        " JOIN chunk c ON c.id = q.chunk_id WHERE en.entity_id",
        entity_ids,
    )


def fetch_sentences_of(db: Db, entity_id: int) -> list[tuple[int, int, int, int]]:
    """Return (document id, chunk id, start, end) of all sentences that mention an entity.

    Those that introduce it best come first.
    """
    return db.rows(
        "SELECT m.document_id, min(m.chunk_id), m.sentence_start, max(m.sentence_end)"
        " FROM entity_name en JOIN mention m USING (name_id) WHERE en.entity_id = ?"
        " GROUP BY m.document_id, m.sentence_start"
        " ORDER BY max(m.weight) DESC, m.document_id, m.sentence_start",
        (entity_id,),
    )


def fetch_partners_of(db: Db, entity_ids: Sequence[int]) -> list[tuple[int, int, int]]:
    """Return every (entity id, related entity, document id)."""
    return [
        row
        for own, other in (("source_id", "target_id"), ("target_id", "source_id"))
        for row in db.rows_in(
            "SELECT DISTINCT n.entity_id, o.entity_id, q.document_id FROM entity_name n"
            f" JOIN standing_claim q ON q.{own} = n.name_id"
            f" JOIN entity_name o ON o.name_id = q.{other} AND o.entity_id <> n.entity_id"
            " WHERE n.entity_id",
            entity_ids,
        )
    ]


def fetch_claims_among(db: Db, entity_ids: Sequence[int]) -> list[ClaimFields]:
    """Return the valid claims whose two ends are both among the entities."""
    wanted = set(entity_ids)
    found = db.rows_in(
        "SELECT q.id, a.entity_id, b.entity_id, q.weight, q.keywords, q.description, q.kind,"
        " q.confidence, q.document_id, q.start, q.chunk_id, q.direction & 3"
        " FROM entity_name a JOIN standing_claim q ON q.source_id = a.name_id"
        " JOIN entity_name b ON b.name_id = q.target_id WHERE a.entity_id",
        wanted,
    )
    return [
        (r[0], *r[1:3], *r[3:])
        if r[1] < r[2]
        else (r[0], r[2], r[1], *r[3:-1], reverse_direction(r[-1]))
        for r in found
        if r[2] in wanted and r[1] != r[2]
    ]


def fetch_quotes(db: Db, claim_ids: Sequence[int]) -> dict[int, tuple[str, int, int, int]]:
    """Return claim -> (its sentence, document id, start, end)."""
    return {
        r[0]: r[1:]
        for r in db.rows_in(
            "SELECT q.id, substr(c.text, q.start - c.start + 1, q.end - q.start), q.document_id,"
            " q.start, q.end FROM claimed_relation q JOIN chunk c ON c.id = q.chunk_id"
            " WHERE q.id",
            claim_ids,
        )
    }
