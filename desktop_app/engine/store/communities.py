"""Rows of communities: the tree, its members, reports, the input of clustering and naming.

Findings of reports are JSON with their evidence. Knows no algorithm and no model.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

from ..model import BY_HAND, CommunityId, CommunityRow, Evidence, Finding, Report
from .db import Db
from .stored_json import reads_stored


@dataclass(frozen=True, slots=True)
class CommunityValues:
    """A community to be written.

    Attributes:
        members: the most central first; () of the loose one, whose members the store finds.
        is_loose: contains the entities without relations, of which there may be very many.
    """

    level: int
    parent_id: int | None
    title: str
    key_words: tuple[str, ...]
    top_names: tuple[str, ...]
    members: tuple[int, ...]
    n_members: int
    n_relations: int
    weight: float
    is_loose: bool
    fingerprint: str


@dataclass(frozen=True, slots=True)
class LooseEntities:
    """The entities without relations to others; `top_names` by mentions.

    `fingerprint` changes with their ids and names.
    """

    n: int
    n_mentions: int
    top_names: tuple[str, ...]
    fingerprint: str


# --- input of clustering --------------------------------------------------------------------


_IS_RELATED = """(
    EXISTS (SELECT 1 FROM relation r WHERE r.source_id = e.id AND r.target_id <> e.id)
    OR EXISTS (SELECT 1 FROM relation r WHERE r.target_id = e.id AND r.source_id <> e.id))"""


class RelatedEntity(NamedTuple):
    """An entity with a relation to another."""

    id: int
    name: str
    type: str
    n_mentions: int


def fetch_related_entities(db: Db) -> list[RelatedEntity]:
    """Return every entity with a relation to another, by id."""
    found = db.rows(
        f"SELECT e.id, e.name, e.type, e.n_mentions FROM entity e WHERE {_IS_RELATED} ORDER BY e.id"
    )
    return list(map(RelatedEntity._make, found))


def fetch_loose_entities(db: Db, n_names: int) -> LooseEntities:
    """Return what describes the entities without relations; they are not kept in memory."""
    n, n_mentions = 0, 0
    digest = hashlib.sha256()
    for entity_id, name, n_own in db.iterate(
        f"SELECT e.id, e.name, e.n_mentions FROM entity e WHERE NOT {_IS_RELATED} ORDER BY e.id"
    ):
        n, n_mentions = n + 1, n_mentions + n_own
        digest.update(f"{entity_id}\t{name}\n".encode("utf-8", "surrogatepass"))
    top = db.column(
        f"SELECT e.name FROM entity e WHERE NOT {_IS_RELATED}"
        " ORDER BY e.n_mentions DESC, e.id LIMIT ?",
        (n_names,),
    )
    return LooseEntities(n, n_mentions, tuple(top), digest.hexdigest()[:24])


def find_known_names(db: Db, words: Collection[str]) -> set[str]:
    """Return those of the words, in lower case, that are names of entities."""
    names = db.iterate("SELECT n.text FROM entity_name en JOIN name n ON n.id = en.name_id")
    return {name for (text,) in names if (name := text.casefold()) in words}


def fetch_text_languages(db: Db) -> list[tuple[int, str]]:
    """Return (id, language) of the documents that have a text."""
    return db.rows(
        "SELECT d.id, d.language FROM document d JOIN document_text t ON t.document_id = d.id"
        " ORDER BY d.id"
    )


def iter_claimed_spans(db: Db, document_id: int) -> Iterable[tuple[int, int, int, int]]:
    """Yield (source entity, target entity, start, end) of what a document says of two names."""
    return db.iterate(
        "SELECT a.entity_id, b.entity_id, q.start, q.end FROM claimed_relation q"
        " JOIN entity_name a ON a.name_id = q.source_id"
        " JOIN entity_name b ON b.name_id = q.target_id"
        " WHERE q.document_id = ? AND a.entity_id <> b.entity_id",
        (document_id,),
    )


class DescribedRelation(NamedTuple):
    """A relation with what reports and key words are made of.

    Attributes:
        n_evidence: sentences that support it.
        keywords: one on each line.
    """

    id: int
    source_id: int
    target_id: int
    weight: float
    n_evidence: int
    description: str
    keywords: str
    kind: str


class InnerRelation(NamedTuple):
    """A relation between two members of a community."""

    id: int
    source_id: int
    target_id: int
    weight: float


def fetch_described_relations(db: Db) -> list[DescribedRelation]:
    """Return all relations in the order of their ids."""
    found = db.iterate(
        "SELECT id, source_id, target_id, weight, n_evidence, description, keywords, kind"
        " FROM relation ORDER BY id"
    )
    return list(map(DescribedRelation._make, found))


def fetch_memberships(db: Db) -> dict[int, tuple[int, frozenset[int]]]:
    """Return community -> (level, members), without the loose one."""
    members: dict[int, set[int]] = {}
    for community_id, entity_id in db.iterate(
        "SELECT m.community_id, m.entity_id FROM community c"
        " JOIN community_member m ON m.community_id = c.id WHERE NOT c.is_loose"
    ):
        members.setdefault(community_id, set()).add(entity_id)
    return {
        i: (level, frozenset(members.get(i, ())))
        for i, level in db.rows("SELECT id, level FROM community WHERE NOT is_loose")
    }


def find_loose_community(db: Db) -> int | None:
    """Return the community of the entities without relations, None if there is none."""
    found: int | None = db.value("SELECT id FROM community WHERE is_loose LIMIT 1")
    return found


# --- writing ----------------------------------------------------------------------------------


def replace_communities(
    db: Db, kept: Mapping[int, CommunityValues], gone: Iterable[int]
) -> set[int]:
    """Replace the stored communities; return the ids that were changed, added or deleted.

    Args:
        kept: id -> values; includes the parents.
    """
    gone = set(gone)
    old = {
        r[0]: r[1:]
        for r in db.rows(
            "SELECT id, level, parent_id, title, key_words, top_names, n_members, n_relations,"
            " weight, is_loose, fingerprint FROM community"
        )
    }
    old_members = {i: members for i, (_, members) in fetch_memberships(db).items()}
    changed: set[int] = set(gone)
    db.write_many("DELETE FROM community WHERE id = ?", ((i,) for i in sorted(gone)))
    for community_id in sorted(kept, key=lambda i: (kept[i].level, i)):
        value = kept[community_id]
        row = (
            value.level,
            value.parent_id,
            value.title,
            "\n".join(value.key_words),
            "\n".join(value.top_names),
            value.n_members,
            value.n_relations,
            round(value.weight, 4),
            int(value.is_loose),
            value.fingerprint,
        )
        if old.get(community_id) != row:
            changed.add(community_id)
            db.write(
                "INSERT INTO community(id, level, parent_id, title, key_words, top_names,"
                " n_members, n_relations, weight, is_loose, fingerprint)"
                " VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11) ON CONFLICT(id) DO UPDATE SET"
                " level=?2, parent_id=?3, title=?4, key_words=?5, top_names=?6, n_members=?7,"
                " n_relations=?8, weight=?9, is_loose=?10, fingerprint=?11",
                (community_id, *row),
            )
        if value.is_loose:
            _replace_loose_members(db, community_id)
            continue
        before, now = old_members.get(community_id, frozenset()), frozenset(value.members)
        if before != now or community_id in changed:
            db.write_many(
                "DELETE FROM community_member WHERE community_id = ? AND entity_id = ?",
                ((community_id, e) for e in sorted(before - now)),
            )
            db.write_many(
                "INSERT OR REPLACE INTO community_member VALUES (?, ?, ?)",
                ((community_id, e, place) for place, e in enumerate(value.members)),
            )
    return changed


def _replace_loose_members(db: Db, community_id: int) -> None:
    """Write the entities without relations as the members, those with most mentions first."""
    db.write(
        "DELETE FROM community_member WHERE community_id = ?1 AND entity_id NOT IN"
        f" (SELECT e.id FROM entity e WHERE NOT {_IS_RELATED})",
        (community_id,),
    )
    # Equal places are in the order of the ids: a new entity does not move all the others.
    db.write(
        "INSERT OR REPLACE INTO community_member(community_id, entity_id, place)"
        " SELECT ?1, e.id, -e.n_mentions FROM entity e"
        " LEFT JOIN community_member m ON m.community_id = ?1 AND m.entity_id = e.id"
        f" WHERE m.place IS NOT -e.n_mentions AND NOT {_IS_RELATED}",
        (community_id,),
    )


def next_id(db: Db) -> int:
    """Return an id that was never used."""
    return 1 + int(
        db.value("SELECT seq FROM sqlite_sequence WHERE name = 'community'")
        or db.value("SELECT max(id) FROM community")
        or 0
    )


# --- reading ----------------------------------------------------------------------------------

_ROW = """
SELECT c.id, c.level, c.parent_id, coalesce(e.title, nullif(r.title, ''), c.title), c.n_members,
       c.n_relations, (SELECT count(*) FROM community k WHERE k.parent_id = c.id), c.weight,
       c.top_names, c.key_words, c.is_loose, r.model, coalesce(e.rating, r.rating, 0),
       r.fingerprint IS NOT NULL AND r.fingerprint <> c.fingerprint,
       e.title IS NOT NULL OR e.summary IS NOT NULL OR e.findings IS NOT NULL
        OR e.rating IS NOT NULL OR e.reason IS NOT NULL,
       coalesce(e.pinned, 0)
  FROM community c LEFT JOIN report r ON r.community_id = c.id
  LEFT JOIN report_edit e ON e.community_id = c.id
"""


def fetch_communities(db: Db, level: int | None = None) -> list[CommunityRow]:
    """Return the communities of a level, or of all; largest weight first, unconnected last."""
    where, values = ("WHERE c.level = ?", (level,)) if level is not None else ("", ())
    return [
        _row(r)
        for r in db.rows(f"{_ROW}{where} ORDER BY c.level, c.is_loose, c.weight DESC, c.id", values)
    ]


def fetch_rows(db: Db, community_ids: Sequence[int]) -> list[CommunityRow]:
    """Return those that exist, in the order of the ids."""
    order = {int(i): n for n, i in enumerate(community_ids)}
    rows = db.rows(
        f"{_ROW}WHERE c.id IN (SELECT value FROM json_each(?))", (json.dumps(list(order)),)
    )
    return sorted((_row(r) for r in rows), key=lambda row: order[int(row.id)])


def fetch_children(db: Db, community_id: int) -> list[CommunityRow]:
    return [
        _row(r)
        for r in db.rows(f"{_ROW}WHERE c.parent_id = ? ORDER BY c.weight DESC", (community_id,))
    ]


def fetch_members(db: Db, community_id: int) -> list[int]:
    """Return the members, the most central first."""
    return db.column(
        "SELECT entity_id FROM community_member WHERE community_id = ? ORDER BY place, entity_id",
        (community_id,),
    )


def fetch_communities_of(db: Db, entity_ids: Iterable[int]) -> list[tuple[int, int, int]]:
    """Return (entity, community, level) of all communities of the entities."""
    return db.rows(
        "SELECT m.entity_id, m.community_id, c.level FROM json_each(?) w"
        " JOIN community_member m ON m.entity_id = w.value JOIN community c"
        " ON c.id = m.community_id ORDER BY c.level, m.community_id",
        (json.dumps([int(i) for i in entity_ids]),),
    )


def fetch_inner_relations(
    db: Db, community_id: int, limit: int | None = None
) -> list[InnerRelation]:
    """Return the relations among the members, strongest first."""
    found = db.rows(
        "SELECT r.id, r.source_id, r.target_id, r.weight FROM relation r"
        " JOIN community_member a ON a.entity_id = r.source_id AND a.community_id = ?1"
        " JOIN community_member b ON b.entity_id = r.target_id AND b.community_id = ?1"
        " ORDER BY r.weight DESC, r.id LIMIT ?2",
        (community_id, -1 if limit is None else limit),
    )
    return list(map(InnerRelation._make, found))


InnerSentence = tuple[int, int, int, str, float]


def fetch_inner_sentences(db: Db, community_id: int) -> list[InnerSentence]:
    """Return (document, start, chunk, heading, weight) of the evidence among members."""
    return db.rows(
        "SELECT q.document_id, q.start, q.chunk_id, c.heading_path, sum(q.weight)"
        " FROM community_member m JOIN entity_name a ON a.entity_id = m.entity_id"
        " JOIN claimed_relation q ON q.source_id = a.name_id"
        " JOIN entity_name b ON b.name_id = q.target_id"
        " JOIN community_member o ON o.entity_id = b.entity_id AND o.community_id = ?1"
        " JOIN chunk c ON c.id = q.chunk_id"
        " WHERE m.community_id = ?1 AND a.entity_id <> b.entity_id"
        " GROUP BY q.document_id, q.start ORDER BY q.document_id, q.start",
        (community_id,),
    )


def count_levels(db: Db) -> list[tuple[int, int]]:
    """Return (level, number of communities) of every level."""
    return db.rows("SELECT level, count(*) FROM community GROUP BY level ORDER BY level")


def _row(r: tuple[Any, ...]) -> CommunityRow:
    return CommunityRow(
        id=CommunityId(r[0]),
        level=r[1],
        parent_id=None if r[2] is None else CommunityId(r[2]),
        title=r[3],
        n_members=r[4],
        n_relations=r[5],
        n_children=r[6],
        weight=r[7],
        top_names=_lines(r[8]),
        key_words=_lines(r[9]),
        is_loose=bool(r[10]),
        model=r[11],
        rating=r[12],
        is_stale=bool(r[13]),
        is_edited=bool(r[14]),
        is_pinned=bool(r[15]),
    )


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line for line in text.split("\n") if line)


def find_inner_sentence(
    db: Db, community_id: int, document_id: int, near: int
) -> tuple[int, int] | None:
    """Return (start, end) of the evidence among members that is nearest to a place."""
    return db.row(
        "SELECT q.start, max(q.end) FROM community_member m"
        " JOIN entity_name a ON a.entity_id = m.entity_id"
        " JOIN claimed_relation q ON q.source_id = a.name_id AND q.document_id = ?2"
        " JOIN entity_name b ON b.name_id = q.target_id"
        " JOIN community_member o ON o.entity_id = b.entity_id AND o.community_id = ?1"
        " WHERE m.community_id = ?1 AND a.entity_id <> b.entity_id"
        " GROUP BY q.start ORDER BY abs(q.start - ?3) LIMIT 1",
        (community_id, document_id, near),
    )


def fetch_related_communities(
    db: Db, community_id: int, level: int
) -> list[tuple[int, int, float]]:
    """Return (community, relations, weight) of the related communities on a level."""
    return db.rows(
        "WITH inside(id) AS (SELECT entity_id FROM community_member WHERE community_id = ?1),"
        " across(other, weight) AS ("
        "  SELECT r.target_id, r.weight FROM inside JOIN relation r ON r.source_id = inside.id"
        "  UNION ALL"
        "  SELECT r.source_id, r.weight FROM inside JOIN relation r ON r.target_id = inside.id)"
        " SELECT c.id, count(*), sum(x.weight) FROM across x"
        " JOIN community_member o ON o.entity_id = x.other"
        " JOIN community c ON c.id = o.community_id AND c.level = ?2 AND c.id <> ?1"
        " WHERE x.other NOT IN inside GROUP BY c.id ORDER BY 2 DESC, 3 DESC, c.id",
        (community_id, level),
    )


def fetch_member_rows(db: Db) -> list[tuple[int, int]]:
    """Return every (community, entity), by community."""
    return db.rows("SELECT community_id, entity_id FROM community_member ORDER BY community_id")


def fetch_community_of(db: Db, wanted: Collection[int]) -> dict[int, int]:
    """Return entity id -> the community among `wanted` that it belongs to."""
    found = db.rows(
        "SELECT entity_id, community_id FROM community_member"
        " WHERE community_id IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(wanted)),),
    )
    return dict(found)


def fetch_scale(db: Db, level: int) -> tuple[int, float]:
    """Return the number of entities, and the largest weight of the communities of a level."""
    heaviest = db.value("SELECT max(weight) FROM community WHERE level = ?", (level,))
    return db.value("SELECT count(*) FROM entity"), float(heaviest or 0.0)


def find_communities_version(db: Db) -> int | None:
    """Return the graph version that the communities were made from, None without communities."""
    found: int | None = db.value("SELECT communities_version FROM library_state")
    return found


# Communities that a connection computed which only reads, under the names of the stored ones. Its
# tables need no foreign keys: they are made anew as a whole.
_COMPUTED = ("community", "community_member", "computed_communities")
_MAKE_COMPUTED = (
    "CREATE TEMP TABLE community AS SELECT * FROM main.community LIMIT 0",
    "CREATE UNIQUE INDEX temp.community_of_id ON community(id)",
    "CREATE INDEX temp.computed_by_level ON community(level, weight DESC)",
    "CREATE TEMP TABLE community_member AS SELECT * FROM main.community_member LIMIT 0",
    "CREATE UNIQUE INDEX temp.computed_member ON community_member(community_id, entity_id)",
    "CREATE INDEX temp.computed_member_by_entity ON community_member(entity_id)",
    "CREATE TEMP TABLE computed_communities(graph_version, communities_version)",
)


def hold_computed(
    db: Db, values: Mapping[int, CommunityValues], graph_version: int, stored: int | None
) -> None:
    """Keep computed communities in memory, in place of those in the file; no other reader has them.

    Args:
        graph_version, stored: of the file for which they were computed.
    """
    with db.temporary_tables(_COMPUTED, _MAKE_COMPUTED):
        replace_communities(db, values, ())
        db.write("INSERT INTO computed_communities VALUES (?, ?)", (graph_version, stored))


def drop_computed(db: Db) -> None:
    """Read the communities of the file again."""
    db.drop_temporary(_COMPUTED)


def find_computed_versions(db: Db) -> tuple[int, int | None] | None:
    """Return for which versions communities were computed, None without such."""
    if not db.value("SELECT 1 FROM temp.sqlite_schema WHERE name = 'computed_communities'"):
        return None
    found = db.row("SELECT graph_version, communities_version FROM computed_communities")
    return found and (found[0], found[1])


def store_communities_version(db: Db, version: int) -> None:
    db.write("UPDATE library_state SET communities_version = ?", (version,))


# --- reports: generated ones, and the edits of the user ------------------------------------------


def find_report(db: Db, community_id: int) -> Report | None:
    """Return the report of a community with the user's edits, None if there is none."""
    row = db.row(
        "SELECT r.title, r.summary, r.rating, r.reason, r.findings, r.language, r.model,"
        " r.fingerprint <> c.fingerprint, r.created_at, r.seconds"
        " FROM report r JOIN community c ON c.id = r.community_id WHERE r.community_id = ?",
        (community_id,),
    )
    if row is None:
        return None
    made = Report(
        CommunityId(community_id),
        title=row[0],
        summary=row[1],
        rating=row[2],
        reason=row[3],
        findings=load_findings(row[4]),
        language=row[5],
        model=row[6],
        is_stale=bool(row[7]),
        created_at=row[8],
        seconds=row[9],
    )
    return apply_report_edit(db, made)


def apply_report_edit(db: Db, report: Report) -> Report:
    """Return a report with the user's edits applied."""
    edit = db.row(
        "SELECT title, summary, rating, reason, findings, pinned FROM report_edit"
        " WHERE community_id = ?",
        (int(report.community_id),),
    )
    if edit is None:
        return report
    title, summary, rating, reason, findings, pinned = edit
    edits: dict[str, Any] = {"title": title, "summary": summary, "rating": rating, "reason": reason}
    edits = {name: value for name, value in edits.items() if value is not None}
    if findings is not None:
        edits["findings"] = load_findings(findings)
    if edits:
        edits |= {"is_edited": True, "model": report.model or BY_HAND}
    return replace(report, is_pinned=bool(pinned), **edits)


def store_report(db: Db, report: Report, fingerprint: str) -> None:
    """Store a report, replacing the existing one."""
    db.write(
        "INSERT OR REPLACE INTO report(community_id, fingerprint, language, model, title, summary,"
        " rating, reason, findings, seconds, created_at) VALUES (?,?,?,?,?,?,?,?,?,?,?)",
        (
            int(report.community_id),
            fingerprint,
            report.language,
            report.model,
            report.title,
            report.summary,
            float(report.rating),
            report.reason,
            dump_findings(report.findings),
            float(report.seconds),
            time.time(),
        ),
    )


def store_report_edit(db: Db, community_id: int, **edits: Any) -> None:
    """Store the user's edits of a report; fields that are not given stay."""
    db.write("INSERT OR IGNORE INTO report_edit(community_id) VALUES (?)", (community_id,))
    for name in ("title", "summary", "rating", "reason", "findings", "pinned"):
        if name in edits:
            db.write(
                f"UPDATE report_edit SET {name} = ? WHERE community_id = ?",
                (edits[name], community_id),
            )


def delete_report_edit(db: Db, community_id: int) -> None:
    """Delete the user's edits of a report."""
    db.write("DELETE FROM report_edit WHERE community_id = ?", (community_id,))


def fetch_edited_reports(db: Db) -> set[int]:
    """Return the communities whose report the user changed or pinned."""
    return set(db.column("SELECT community_id FROM report_edit"))


def find_fingerprint(db: Db, community_id: int) -> str:
    return str(db.value("SELECT fingerprint FROM community WHERE id = ?", (community_id,)) or "")


def dump_findings(findings: tuple[Finding, ...]) -> str:
    return json.dumps([asdict(finding) for finding in findings], ensure_ascii=False)


@reads_stored
def load_findings(text: str) -> tuple[Finding, ...]:
    return tuple(
        Finding(
            str(kept["headline"]),
            str(kept["text"]),
            tuple(Evidence(**one) for one in kept.get("evidence", ())),
        )
        for kept in json.loads(text)
    )


def fetch_mean_seconds(db: Db, model: str) -> float | None:
    """Return the mean time of the reports by a model, None if it wrote none."""
    found: float | None = db.value(
        "SELECT avg(seconds) FROM report WHERE model = ? AND seconds > 0", (model,)
    )
    return found
