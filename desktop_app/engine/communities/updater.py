"""Keeps communities in step with the graph: read, cluster, match with before, name, write.

All in one transaction, and only what differs is written. Reports are not made here; one whose
community is no longer what it was made of is stale by its fingerprint.
"""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections import Counter
from collections.abc import Sequence
from math import log

import numpy as np

from ..changes import NOTHING, ChangeSet
from ..graph.communities.clustering import (
    CommunityCluster,
    choose_key_words,
    find_hierarchy,
    match_clusters,
    rank_members,
)
from ..store import communities as rows
from ..store import reports
from ..store.communities import CommunityValues, TieRow
from ..store.db import Db
from ..text.features import language_of

log_ = logging.getLogger(__name__)

N_TOP_NAMES = 8
TITLE_NAMES, TITLE_WORDS = 3, 2
LEAST_OF_EDITED = 0.25  # a person's words follow their community further than a model's


def are_fresh(db: Db) -> bool:
    """Say whether communities were made of the graph as it is now."""
    graph, made_of = rows.fetch_versions(db)
    return graph == made_of


def refresh_communities(db: Db, *, from_scratch: bool = False) -> ChangeSet:
    """Bring communities in line with the graph, and say which changed.

    Args:
        db: the read-write connection.
        from_scratch: find them as if there were none; ids go on nevertheless.
    """
    graph_version, made_of = rows.fetch_versions(db)
    if graph_version == made_of and not from_scratch:
        return NOTHING
    started = time.monotonic()
    with db.transaction():
        entities = rows.fetch_entities(db)
        ties = rows.fetch_ties(db)
        before = rows.fetch_memberships(db)
        clusters = _cluster(entities, ties, {} if from_scratch else before)
        members = [frozenset(entities[r][0] for r in c.rows.tolist()) for c in clusters]
        ids, gone = _identify(db, clusters, members, before)
        values = _describe(db, entities, ties, clusters, members, ids)
        changed = rows.replace_communities(db, dict(zip(ids, values, strict=True)), gone)
        rows.store_version(db, graph_version)
    log_.info("%d communities in %.2f s", len(clusters), time.monotonic() - started)
    return ChangeSet(communities=frozenset(changed))


def _cluster(
    entities: Sequence[tuple[int, str, int]],
    ties: Sequence[TieRow],
    before: dict[int, tuple[int, frozenset[int]]],
) -> list[CommunityCluster]:
    row_of = {entity_id: row for row, (entity_id, _, _) in enumerate(entities)}
    known = [t for t in ties if t[1] in row_of and t[2] in row_of]
    pairs = np.array([(row_of[t[1]], row_of[t[2]]) for t in known], dtype=np.int64)
    weights = np.array([t[3] for t in known], dtype=float)
    depth = max((level for level, _ in before.values()), default=-1) + 1
    old = [np.full(len(entities), -1, dtype=np.int64) for _ in range(depth)]
    for community_id, (level, members) in before.items():
        own = [row_of[m] for m in members if m in row_of]
        old[level][own] = community_id
    return find_hierarchy(len(entities), pairs.reshape(-1, 2), weights, before=old)


def _identify(
    db: Db,
    clusters: Sequence[CommunityCluster],
    members: Sequence[frozenset[int]],
    before: dict[int, tuple[int, frozenset[int]]],
) -> tuple[list[int], set[int]]:
    """Return an id for each community, and the ids that no community has any more."""
    new = [(c.level, m) for c, m in zip(clusters, members, strict=True)]
    found = match_clusters(new, before)
    edited = {i: before[i] for i in reports.fetch_edited(db) & before.keys() - set(found)}
    if edited:
        free = [n for n, i in enumerate(found) if i is None]
        again = match_clusters([new[n] for n in free], edited, least=LEAST_OF_EDITED)
        for n, community_id in zip(free, again, strict=True):
            found[n] = community_id
    next_id, ids = rows.next_id(db), []
    for community_id in found:
        if community_id is None:
            community_id, next_id = next_id, next_id + 1
        ids.append(community_id)
    return ids, before.keys() - set(ids)


def _describe(
    db: Db,
    entities: Sequence[tuple[int, str, int]],
    ties: Sequence[TieRow],
    clusters: Sequence[CommunityCluster],
    members: Sequence[frozenset[int]],
    ids: Sequence[int],
) -> list[CommunityValues]:
    names = {i: name for i, name, _ in entities}
    mentions = {i: n for i, _, n in entities}
    inner = _inner_ties(ties, clusters, members)
    words = _key_words(db, clusters, inner)
    all_weight = sum(t[3] for t in ties) or 1.0
    all_mentions = sum(mentions.values()) or 1
    values, titles = [], set()
    for n, cluster in enumerate(clusters):
        own = inner[n]
        ranked = rank_members(members[n], [(t[1], t[2], t[3]) for t in own], mentions)
        top = tuple(names[i] for i in ranked[:N_TOP_NAMES])
        title = name_community(top, words[n], taken=titles)
        titles.add(title)
        weight = sum(t[3] for t in own) / all_weight
        weight += sum(mentions[i] for i in ranked) / all_mentions
        values.append(
            CommunityValues(
                level=cluster.level,
                parent_id=None if cluster.parent < 0 else ids[cluster.parent],
                title=title,
                key_words=tuple(words[n]),
                top_names=top,
                members=tuple(ranked),
                n_relations=len(own),
                weight=weight / 2,
                is_loose=cluster.is_loose,
                fingerprint=_fingerprint(sorted((i, names[i]) for i in members[n]), own),
            )
        )
    return values


def _inner_ties(
    ties: Sequence[TieRow], clusters: Sequence[CommunityCluster], members: Sequence[frozenset[int]]
) -> list[list[TieRow]]:
    """Return the ties inside each community."""
    place_of: list[dict[int, int]] = []  # by level: entity -> place of its community
    for n, cluster in enumerate(clusters):
        while len(place_of) <= cluster.level:
            place_of.append({})
        place_of[cluster.level].update(dict.fromkeys(members[n], n))
    inner: list[list[TieRow]] = [[] for _ in clusters]
    for tie in ties:
        for places in place_of:
            place = places.get(tie[1], -1)
            if place >= 0 and place == places.get(tie[2], -2):
                inner[place].append(tie)
    return inner


def _key_words(
    db: Db, clusters: Sequence[CommunityCluster], inner: Sequence[Sequence[TieRow]]
) -> list[list[str]]:
    """Return the words that set each community apart from the others of its level."""
    counts: list[Counter[str]] = []
    for own in inner:
        count: Counter[str] = Counter()
        for _, _, _, _, n_evidence, _, keywords, _ in own:
            for word in keywords.split("\n"):
                if word:
                    count[word] += 1.0 + log(max(1, n_evidence))
        counts.append(count)
    names = frozenset(rows.fetch_names(db))
    chosen: list[list[str]] = [[] for _ in clusters]
    for level in {c.level for c in clusters}:
        places = [n for n, c in enumerate(clusters) if c.level == level]
        found = choose_key_words([counts[n] for n in places], leave_out=names)
        for n, words in zip(places, found, strict=True):
            chosen[n] = words
    return chosen


def name_community(
    top_names: Sequence[str], key_words: Sequence[str], *, taken: set[str] | None = None
) -> str:
    """Return a name for a community that nobody reported on: its middle, and its own words."""
    chinese = language_of(" ".join(top_names)) == "zh"
    comma, colon = ("、", "：") if chinese else (", ", ": ")
    words = comma.join(key_words[:TITLE_WORDS])
    title = ""
    for n_names in range(TITLE_NAMES, len(top_names) + TITLE_NAMES + 1):
        title = comma.join(top_names[:n_names]) + (f"{colon}{words}" if words else "")
        if not taken or title not in taken:
            break
    return title


def _fingerprint(members: Sequence[tuple[int, str]], inner: Sequence[TieRow]) -> str:
    """Return a hash of all that a report could say; weights shift with every new page."""
    said = [[a, b, n, text, kind] for _, a, b, _, n, text, _, kind in inner]
    packed = json.dumps([members, sorted(said)], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(packed.encode("utf-8", "surrogatepass")).hexdigest()[:24]
