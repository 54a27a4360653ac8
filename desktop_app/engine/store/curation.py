"""Rows of the user's decisions, and the senses of names that they split.

Decisions are written inside `Db.edit` only, so that they can be undone. The senses of names in
mentions and claims are set from them whenever the graph is updated; the text and offsets stay.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..model import FIRST_STORY, Curation, EntityEdit, UserEvent, UserRelation
from .db import Db

# Which columns of the tables of curation have names of entities.
NAME_COLUMNS: dict[str, tuple[int, ...]] = {
    "merged": (0, 1),
    "never_merged": (0, 1),
    "entity_edit": (0,),
    "alias": (0, 1),
    "split_mention": (0,),
    "deleted_name": (0,),
    "hand_relation": (0, 1),
    "hand_entity": (0,),
    "removed_event": (),
    "hand_event": (),
}
# Which have several names, by lines.
NAME_LISTS: dict[str, tuple[int, ...]] = {"hand_event": (5, 6, 7)}


def fetch_curation(db: Db) -> Curation:
    """Return all decisions of the user that the graph depends on."""
    return Curation(
        merged=tuple(fetch_merged(db)),
        never_merged=frozenset(frozenset(pair) for pair in fetch_never_merged(db)),
        edits={
            name: EntityEdit(*edit)
            for name, *edit in db.rows("SELECT name, new_name, type, description FROM entity_edit")
        },
        aliases=tuple(db.rows("SELECT name, alias FROM alias")),
        deleted_names=fetch_deleted_names(db),
        user_relations=tuple(
            UserRelation(
                a,
                b,
                text,
                tuple(filter(None, words.split("\n"))),
                weight,
                bool(gone),
                kind,
                direction,
            )
            for a, b, text, words, weight, gone, kind, direction in db.rows(
                "SELECT source, target, description, keywords, weight, deleted, kind, direction & 3"
                " FROM hand_relation"
            )
        ),
        user_entities=frozenset(db.column("SELECT name FROM hand_entity")),
    )


def fetch_merged(db: Db) -> list[tuple[str, str]]:
    return db.rows("SELECT keep, dropped FROM merged")


def fetch_never_merged(db: Db) -> list[tuple[str, str]]:
    return db.rows("SELECT name, other FROM never_merged")


def fetch_deleted_names(db: Db) -> dict[str, frozenset[int] | None]:
    """Return the deleted names with the documents concerned; None for all, forever."""
    document_ids: dict[str, int] = {}
    rows = db.rows("SELECT name, documents FROM deleted_name")
    if any(within for _, within in rows):
        documents = db.rows("SELECT id, sha256, sha256_former FROM document")
        document_ids = {h: i for i, _, former in documents for h in former.split("\n")}
        document_ids |= {sha256: i for i, sha256, _ in documents}
    return {
        name: frozenset(document_ids.get(h, 0) for h in within.split("\n")) if within else None
        for name, within in rows
    }


def add_merged(db: Db, keep: str, dropped: str) -> None:
    db.write("INSERT OR IGNORE INTO merged VALUES (?, ?)", (keep, dropped))
    db.write(
        "DELETE FROM never_merged WHERE (name = ?1 AND other = ?2) OR (name = ?2 AND other = ?1)",
        (keep, dropped),
    )


def add_never_merged(db: Db, name: str, other: str) -> None:
    db.write("INSERT OR IGNORE INTO never_merged VALUES (?, ?)", tuple(sorted((name, other))))
    db.write(
        "DELETE FROM merged WHERE (keep = ?1 AND dropped = ?2) OR (keep = ?2 AND dropped = ?1)",
        (name, other),
    )


def write_entity_edit(
    db: Db,
    name: str,
    *,
    new_name: str | None = None,
    type_: str | None = None,
    description: str | None = None,
) -> None:
    """Store the user's edits of the entity with this name; None leaves a field unchanged."""
    db.write(
        "INSERT INTO entity_edit VALUES (?1, ?2, ?3, ?4) ON CONFLICT(name) DO UPDATE SET"
        " new_name = coalesce(?2, new_name), type = coalesce(?3, type),"
        " description = coalesce(?4, description)",
        (name, new_name, type_, description),
    )


def remove_never_merged(db: Db, name: str, other: str) -> None:
    db.write("DELETE FROM never_merged WHERE name = ? AND other = ?", tuple(sorted((name, other))))


def delete_entity_edit(db: Db, name: str, field: str = "") -> None:
    """Delete the user's edits of an entity: one field, or all."""
    if field:
        assert field in ("new_name", "type", "description")
        db.write(f"UPDATE entity_edit SET {field} = NULL WHERE name = ?", (name,))
    else:
        db.write("DELETE FROM entity_edit WHERE name = ?", (name,))


def fetch_own_descriptions(db: Db, names: Sequence[str]) -> list[str]:
    """Return what the user wrote about these names, in their order; "" and None are left out."""
    found = dict(
        db.rows_in(
            "SELECT name, description FROM entity_edit WHERE description <> '' AND name", names
        )
    )
    return [found[name] for name in dict.fromkeys(names) if name in found]


def add_alias(db: Db, name: str, alias: str) -> None:
    db.write("INSERT OR IGNORE INTO alias VALUES (?, ?)", (name, alias))


def remove_alias(db: Db, name: str, alias: str) -> None:
    db.write("DELETE FROM alias WHERE name = ? AND alias = ?", (name, alias))


def add_deleted_name(db: Db, name: str, documents: Iterable[str] = ()) -> None:
    """Delete a name: in these documents (sha256), or forever if there are none."""
    db.write(
        "INSERT INTO deleted_name VALUES (?1, ?2) ON CONFLICT(name) DO UPDATE SET documents = ?2",
        (name, "\n".join(sorted(documents))),
    )


def remove_deleted_name(db: Db, name: str) -> None:
    db.write("DELETE FROM deleted_name WHERE name = ?", (name,))


def add_user_entity(db: Db, name: str) -> None:
    db.write("INSERT OR IGNORE INTO hand_entity VALUES (?)", (name,))


def remove_user_entity(db: Db, name: str) -> None:
    db.write("DELETE FROM hand_entity WHERE name = ?", (name,))


def write_user_relation(
    db: Db,
    source: str,
    target: str,
    *,
    description: str = "",
    keywords: Iterable[str] = (),
    kind: str = "",
    weight: float = 1.0,
    deleted: bool = False,
    direction: int | None = None,
) -> None:
    """Store the user's relation of two names, replacing an older one."""
    db.write("DELETE FROM hand_relation WHERE source = ? AND target = ?", (target, source))
    db.write(
        "INSERT OR REPLACE INTO hand_relation"
        "(source, target, description, keywords, weight, deleted, kind, direction)"
        " VALUES (?,?,?,?,?,?,?,?)",
        (
            source,
            target,
            description,
            "\n".join(keywords),
            float(weight),
            int(deleted),
            kind,
            direction,
        ),
    )


def remove_event(db: Db, document: str, kind: str, sentence: str, place: int) -> None:
    """Store that the user removed an event.

    Args:
        document: its sha256.
        place: of the verb in the sentence.
    """
    db.write(
        "INSERT OR IGNORE INTO removed_event VALUES (?, ?, ?, ?)", (document, kind, sentence, place)
    )


def add_event(db: Db, event: UserEvent) -> None:
    """Store an event that the user wrote."""
    db.write("INSERT OR IGNORE INTO hand_event VALUES (?,?,?,?,?,?,?,?,?)", event.to_stored())


def delete_event(db: Db, event: UserEvent) -> None:
    """Delete an event that the user wrote."""
    db.write(
        "DELETE FROM hand_event WHERE document = ? AND kind = ? AND sentence = ? AND place = ?"
        " AND start = ? AND actors = ? AND patients = ? AND places = ?",
        event.to_stored()[:-1],
    )


def choose_sense(db: Db, name: str, sense: int, places: Iterable[tuple[str, int]]) -> None:
    """Store the sense of the mentions at these (document sha256, start)."""
    db.write_many(
        "INSERT OR REPLACE INTO split_mention(name, sense, document, start) VALUES (?, ?, ?, ?)",
        [(name, sense, document, start) for document, start in places],
    )


def fetch_decisions(db: Db, table: str, columns: Sequence[str]) -> list[tuple[Any, ...]]:
    """Return the rows of a curation table, sorted, as another library understands them.

    The documents of a deleted name are given by the digests they had when it was deleted and by
    the present ones: another library has read the present files only.
    """
    names = ", ".join(columns)
    rows = db.rows(f"SELECT {names} FROM {table} ORDER BY {names}")
    if "documents" not in columns:
        return rows
    present = {
        digest: sha256
        for sha256, former in db.rows("SELECT sha256, sha256_former FROM document")
        for digest in former.split("\n")
        if digest
    }
    at = columns.index("documents")
    return [(*row[:at], _add_present_digests(row[at], present), *row[at + 1 :]) for row in rows]


def _add_present_digests(documents: str, present: Mapping[str, str]) -> str:
    digests = set(filter(None, documents.split("\n")))
    return "\n".join(sorted(digests | {present[d] for d in digests & present.keys()}))


def add_decisions(
    db: Db, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Add rows to a curation table; existing rows stay."""
    marks = ", ".join("?" * len(columns))
    db.write_many(f"INSERT OR IGNORE INTO {table}({', '.join(columns)}) VALUES ({marks})", rows)


# --- senses of split names ------------------------------------------------------------------------


def fetch_split_names(db: Db) -> list[str]:
    """Return the names that are or were split by the user."""
    return db.column(
        "SELECT name FROM split_mention UNION"
        f" SELECT text FROM name WHERE sense > 0 AND sense < {FIRST_STORY}"
    )


def fetch_chosen(db: Db, name: str) -> dict[tuple[int, int], int]:
    """Return (document id, start) -> sense, as the user chose, for present documents."""
    return {
        (document_id, start): sense
        for document_id, start, sense in db.rows(
            "SELECT d.id, s.start, s.sense FROM split_mention s"
            " JOIN document d ON d.sha256 = s.document WHERE s.name = ?",
            (name,),
        )
    }


MentionOfName = tuple[int, int, int, int, int]
"""mention id, document id, start, chunk id, present sense"""


def fetch_mentions_of(db: Db, name: str) -> list[MentionOfName]:
    """Return the mentions of a name in all its senses, in reading order."""
    return db.rows(
        "SELECT m.id, m.document_id, m.start, m.chunk_id, n.sense FROM mention m"
        " JOIN name n ON n.id = m.name_id WHERE n.text = ? ORDER BY m.document_id, m.start, m.id",
        (name,),
    )


def fetch_co_occurring_names(db: Db, name: str) -> dict[int, frozenset[str]]:
    """Return chunk id -> the other names in it, for chunks with this name."""
    beside: dict[int, set[str]] = defaultdict(set)
    for chunk_id, other in db.rows(
        "SELECT DISTINCT o.chunk_id, n.text FROM mention o JOIN name n ON n.id = o.name_id"
        " WHERE n.text <> ?1 AND o.chunk_id IN (SELECT m.chunk_id FROM mention m"
        "  JOIN name t ON t.id = m.name_id WHERE t.text = ?1)",
        (name,),
    ):
        beside[chunk_id].add(other)
    return {chunk_id: frozenset(names) for chunk_id, names in beside.items()}


def ensure_senses(db: Db, name: str, key: str, senses: Iterable[int]) -> dict[int, int]:
    """Return the name id of each sense, created where it is new."""
    ids = dict(db.rows("SELECT sense, id FROM name WHERE text = ?", (name,)))
    for sense in sorted(set(senses) - ids.keys()):
        ids[sense] = db.write(
            "INSERT INTO name(text, sense, key) VALUES (?, ?, ?)", (name, sense, key)
        )
    return ids


def write_senses(
    db: Db,
    name: str,
    mentions: Sequence[MentionOfName],
    sense_of: Mapping[int, int],
    ids: Mapping[int, int],
) -> set[int]:
    """Set the senses of mentions and of the claims near them; return the changed chunks.

    Args:
        mentions: all mentions of the name, as `fetch_mentions_of` returns them.
        sense_of: mention id -> sense, for all of them.
        ids: the name id of each sense.
    """
    changed = [(m, chunk_id) for m, _, _, chunk_id, sense in mentions if sense_of[m] != sense]
    _set_names(db, "mention", "name_id", ((ids[sense_of[m]], m) for m, _ in changed))
    chunks = {chunk_id for _, chunk_id in changed}
    places: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for mention_id, _, start, chunk_id, _ in mentions:
        places[chunk_id].append((start, sense_of[mention_id]))
    # Most chunks have the name in one sense only, and then it does not matter which is nearest.
    single = {i: own[0][1] for i, own in places.items() if len({sense for _, sense in own}) == 1}
    for column in ("source_id", "target_id"):
        of_claims = []
        for claim_id, chunk_id, start, end, sense in db.rows(
            f"SELECT q.id, q.chunk_id, q.start, q.end, n.sense FROM name n"
            f" CROSS JOIN claimed_relation q ON q.{column} = n.id WHERE n.text = ?",
            (name,),
        ):
            new = single.get(chunk_id)
            if new is None:
                new = _nearest(places.get(chunk_id, []), start, end)
            if new != sense:
                of_claims.append((ids[new], claim_id))
                chunks.add(chunk_id)
        _set_names(db, "claimed_relation", column, of_claims)
    of_judgements = []
    for claim_id, chunk_id, sense in db.rows(
        "SELECT c.id, c.chunk_id, n.sense FROM name_claim c JOIN name n ON n.id = c.name_id"
        " WHERE n.text = ?",
        (name,),
    ):
        new = _nearest(places.get(chunk_id, []), 0, 0)
        if new != sense:
            of_judgements.append((ids[new], claim_id))
            chunks.add(chunk_id)
    _set_names(db, "name_claim", "name_id", of_judgements)
    return chunks


def _set_names(db: Db, table: str, column: str, rows: Iterable[tuple[int, int]]) -> None:
    """Write names into a column of rows, given as (name id, row id).

    One statement for each name: one for each row took half as long again.
    """
    of_name: dict[int, list[int]] = defaultdict(list)
    for name_id, row_id in rows:
        of_name[name_id].append(row_id)
    for name_id, row_ids in of_name.items():
        db.write(
            f"UPDATE {table} SET {column} = ? WHERE id IN (SELECT value FROM json_each(?))",
            (name_id, json.dumps(row_ids)),
        )


def _nearest(places: list[tuple[int, int]], start: int, end: int) -> int:
    """Return the sense of the mention inside a range, else of the nearest one."""
    if not places:
        return 0
    return min(places, key=lambda p: (0 if start <= p[0] < end else abs(p[0] - start) + 1, p[0]))[1]


def fetch_namesakes(db: Db, name: str) -> list[int]:
    """Return the entities with this name, the original one first."""
    return db.column(
        "SELECT en.entity_id FROM name n JOIN entity_name en ON en.name_id = n.id"
        " WHERE n.text = ? GROUP BY en.entity_id ORDER BY min(n.sense)",
        (name,),
    )


def fetch_entities_of_mentions(db: Db, mention_ids: list[int]) -> dict[int, int]:
    """Return mention -> entity, for those that are in the graph."""
    return dict(
        db.rows_in(
            "SELECT m.id, en.entity_id FROM mention m JOIN entity_name en USING (name_id)"
            " WHERE m.id",
            mention_ids,
        )
    )


def fetch_highest_sense(db: Db, name: str) -> int:
    """Return the highest sense number that the user gave this name, 0 if it was never split."""
    return int(
        db.value("SELECT max(sense) FROM name WHERE text = ? AND sense < ?", (name, FIRST_STORY))
        or 0
    )
