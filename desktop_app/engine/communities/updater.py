"""Updates the stored communities from the graph: cluster, match with earlier ones, name, write.

Computing only reads, so that edits need not wait for it; storing writes only differences. Reports
are not written here; a report is stale if the fingerprint of its community changed.
"""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..changes import NOTHING, ChangeNotice
from ..garbage import without_full_collections
from ..graph.community_detection import (
    MAX_KEY_WORDS,
    CommunityCluster,
    choose_key_words,
    find_hierarchy,
    match_clusters,
    rank_members,
)
from ..graph.duplicates.model import NameFacts, PairKey, TextFacts, pair_key
from ..graph.duplicates.search import SURE, find_pairs
from ..progress import CancelToken
from ..store import communities as community_rows
from ..store import duplicates
from ..store.communities import (
    CommunityValues,
    DescribedRelation,
    LooseEntities,
    RelatedEntity,
    find_communities_version,
    store_communities_version,
)
from ..store.db import Db
from ..store.graph import fetch_graph_version
from ..word_lists import WordLists
from ..writing_systems import has_han
from .key_words import find_text_key_words

logger = logging.getLogger(__name__)

_OF_ANY_TEXT = WordLists("stop_words").words("of_any_text")
_CHINESE_NOUN_TAGS = frozenset(("n", "nz", "l"))  # common nouns, other terms, set phrases
N_TOP_NAMES = 8
TITLE_NAMES = 3
MIN_SIMILARITY_IF_EDITED = (
    0.25  # least similarity for matching a community whose report the user edited
)


def are_fresh(db: Db) -> bool:
    """Return whether the communities were computed from the current graph."""
    return fetch_graph_version(db) == find_communities_version(db)


@dataclass(frozen=True, slots=True)
class CommunityUpdate:
    """Communities computed from one state of the library, not stored yet.

    Attributes:
        state: of the library while they were computed; see `_fetch_state`.
        values: by id of the community.
        removed: ids of the communities that no longer exist.
    """

    state: tuple[object, ...]
    values: dict[int, CommunityValues]
    removed: frozenset[int]


def refresh_communities(db: Db, *, from_scratch: bool = False) -> ChangeNotice:
    """Update the communities from the graph and return which changed.

    Args:
        db: the read-write connection; one that only reads computes those of its own, which it has
            in memory until the file has communities of its graph.
        from_scratch: ignore the earlier partition; matching communities still keep their ids.
    """
    if not db.is_writable:
        _compute_in_memory(db)
        return NOTHING
    if are_fresh(db) and not from_scratch:
        return NOTHING  # also in a library that can't be written
    with db.transaction():
        update = compute_communities(db, from_scratch=from_scratch)
        return NOTHING if update is None else store_communities(db, update)


def _compute_in_memory(db: Db) -> None:
    """Let a connection that only reads have communities of the current graph."""
    with db.lock:
        if are_fresh(db):
            community_rows.drop_computed(db)
            return
        versions = fetch_graph_version(db), find_communities_version(db)
        if community_rows.find_computed_versions(db) == versions:
            return
        community_rows.drop_computed(db)
        with db.snapshot():
            update = compute_communities(db)
        if update is not None:
            community_rows.hold_computed(db, update.values, *versions)


def compute_communities(
    db: Db, *, from_scratch: bool = False, cancel: CancelToken | None = None
) -> CommunityUpdate | None:
    """Compute the communities of the present graph; None if the stored ones are up to date.

    Writes nothing: it takes seconds for a large library, and edits must not wait for it.

    Args:
        db: any connection, inside `Db.snapshot` or a transaction.
        cancel: checked between the steps.

    Raises:
        Cancelled: the token was set.
    """
    if are_fresh(db) and not from_scratch:
        return None
    started = time.monotonic()
    cancel = cancel or CancelToken()
    with without_full_collections():
        state = _fetch_state(db)
        # By name: ids follow the order in which documents were added, and Leiden, among partitions
        # that are equally good, the order of the rows.
        entities = community_rows.fetch_related_entities(db)
        entities.sort(key=lambda one: one.name)
        relations = community_rows.fetch_described_relations(db)
        before = community_rows.fetch_memberships(db)
        clusters = _cluster(entities, relations, {} if from_scratch else before, cancel)
        members = [frozenset(entities[r].id for r in c.rows.tolist()) for c in clusters]
        ids = _assign_ids(db, clusters, members, before)
        cancel.check()
        loose = community_rows.fetch_loose_entities(db, N_TOP_NAMES)
        all_mentions = loose.n_mentions + sum(one.n_mentions for one in entities)
        made = _build_values(db, entities, relations, clusters, members, ids, all_mentions, cancel)
        values = dict(zip(ids, made, strict=True))
        loose_id = community_rows.find_loose_community(db)
        removed = before.keys() - values.keys()
        if loose.n:
            new_id = max([community_rows.next_id(db) - 1, *ids]) + 1
            values[loose_id or new_id] = _describe_loose(loose, all_mentions, made)
        elif loose_id is not None:
            removed |= {loose_id}
    logger.info("%d communities in %.2f s", len(values), time.monotonic() - started)
    return CommunityUpdate(state, values, frozenset(removed))


def _describe_loose(
    loose: LooseEntities, all_mentions: int, others: Sequence[CommunityValues]
) -> CommunityValues:
    return CommunityValues(
        level=0,
        parent_id=None,
        title=name_community(loose.top_names, taken={one.title for one in others}),
        key_words=(),
        top_names=loose.top_names,
        members=(),
        n_members=loose.n,
        n_relations=0,
        weight=loose.n_mentions / (all_mentions or 1) / 2,
        is_loose=True,
        fingerprint=loose.fingerprint,
    )


def store_communities(db: Db, update: CommunityUpdate) -> ChangeNotice:
    """Store computed communities; nothing if the library changed since they were computed."""
    with db.small_cache(), db.transaction():
        if _fetch_state(db) != update.state:
            return NOTHING
        changed = community_rows.replace_communities(db, update.values, update.removed)
        store_communities_version(db, fetch_graph_version(db))
    return ChangeNotice(communities=frozenset(changed))


def _fetch_state(db: Db) -> tuple[object, ...]:
    """Return what the communities depend on, as versions and ids."""
    edited = frozenset(community_rows.fetch_edited_reports(db))
    return fetch_graph_version(db), find_communities_version(db), community_rows.next_id(db), edited


def _cluster(
    entities: Sequence[RelatedEntity],
    relations: Sequence[DescribedRelation],
    before: dict[int, tuple[int, frozenset[int]]],
    cancel: CancelToken,
) -> list[CommunityCluster]:
    row_of = {one.id: row for row, one in enumerate(entities)}
    known = [r for r in relations if r.source_id in row_of and r.target_id in row_of]
    pairs = np.array([(row_of[r.source_id], row_of[r.target_id]) for r in known], dtype=np.int64)
    weights = np.array([r.weight for r in known], dtype=float)
    depth = max((level for level, _ in before.values()), default=-1) + 1
    old = [np.full(len(entities), -1, dtype=np.int64) for _ in range(depth)]
    for community_id, (level, members) in before.items():
        own = [row_of[m] for m in members if m in row_of]
        old[level][own] = community_id
    return find_hierarchy(len(entities), pairs.reshape(-1, 2), weights, before=old, cancel=cancel)


def _assign_ids(
    db: Db,
    clusters: Sequence[CommunityCluster],
    members: Sequence[frozenset[int]],
    before: dict[int, tuple[int, frozenset[int]]],
) -> list[int]:
    """Return an id for each community: that of an earlier one which it continues, or a new one."""
    new = [(c.level, m) for c, m in zip(clusters, members, strict=True)]
    found = match_clusters(new, before)
    edited = {
        i: before[i] for i in community_rows.fetch_edited_reports(db) & before.keys() - set(found)
    }
    if edited:
        free = [n for n, i in enumerate(found) if i is None]
        rematched = match_clusters([new[n] for n in free], edited, least=MIN_SIMILARITY_IF_EDITED)
        for n, community_id in zip(free, rematched, strict=True):
            found[n] = community_id
    next_id, ids = community_rows.next_id(db), []
    for community_id in found:
        if community_id is None:
            community_id, next_id = next_id, next_id + 1
        ids.append(community_id)
    return ids


def _build_values(
    db: Db,
    entities: Sequence[RelatedEntity],
    relations: Sequence[DescribedRelation],
    clusters: Sequence[CommunityCluster],
    members: Sequence[frozenset[int]],
    ids: Sequence[int],
    all_mentions: int,
    cancel: CancelToken,
) -> list[CommunityValues]:
    entity_of = {one.id: one for one in entities}
    names = {one.id: one.name for one in entities}
    mentions = {one.id: one.n_mentions for one in entities}
    equated = {(a, b): n for a, b, n in duplicates.fetch_equated_pairs(db)}
    apart = frozenset(duplicates.fetch_pairs_kept_apart(db))
    inner = _list_inner(relations, clusters, members)
    cancel.check()
    words = _key_words(db, clusters, inner, members, names, cancel)
    all_weight = sum(r.weight for r in relations) or 1.0
    values: list[CommunityValues] = []
    titles: set[str] = set()
    for n, cluster in enumerate(clusters):
        cancel.check()
        own = inner[n]
        ends = [(r.source_id, r.target_id, r.weight) for r in own]
        ranked = rank_members(members[n], ends, mentions)
        top = ranked[:N_TOP_NAMES]
        in_title = _put_duplicates_last([entity_of[i] for i in top], equated, apart)
        title = name_community([names[i] for i in in_title], taken=titles)
        titles.add(title)
        weight = sum(r.weight for r in own) / all_weight
        weight += sum(mentions[i] for i in ranked) / (all_mentions or 1)
        values.append(
            CommunityValues(
                level=cluster.level,
                parent_id=None if cluster.parent < 0 else ids[cluster.parent],
                title=title,
                key_words=tuple(words[n]),
                top_names=tuple(names[i] for i in top),
                members=tuple(ranked),
                n_members=len(ranked),
                n_relations=len(own),
                weight=weight / 2,
                is_loose=False,
                fingerprint=_fingerprint(sorted((i, names[i]) for i in members[n]), own),
            )
        )
    return values


def _put_duplicates_last(
    top: Sequence[RelatedEntity], equated: Mapping[PairKey, int], apart: frozenset[PairKey]
) -> list[int]:
    """Return the ids of names, those that may be one with a better connected one at the end.

    Judged by the forms of these few names and by what the text equates: the whole search of the
    merge desk, which compares the contexts of all names, takes longer than everything else here.
    """
    facts = [NameFacts(one.id, (one.name,), one.type, one.n_mentions) for one in top]
    own = {pair_key(a.id, b.id) for a, b in combinations(facts, 2)}
    text = TextFacts(
        stated={pair: equated[pair] for pair in own if pair in equated}, never=own & apart
    )
    pairs = {(pair.a, pair.b) for pair in find_pairs(facts, text, floor=SURE)}
    kept: list[int] = []
    last: list[int] = []
    for one in top:
        is_double = any(pair_key(one.id, other) in pairs for other in kept)
        (last if is_double else kept).append(one.id)
    return [*kept, *last]


def _list_inner(
    relations: Sequence[DescribedRelation],
    clusters: Sequence[CommunityCluster],
    members: Sequence[frozenset[int]],
) -> list[list[DescribedRelation]]:
    """Return the relations inside each community."""
    place_of: list[dict[int, int]] = []  # by level: entity id -> index of its community
    for n, cluster in enumerate(clusters):
        while len(place_of) <= cluster.level:
            place_of.append({})
        place_of[cluster.level].update(dict.fromkeys(members[n], n))
    inner: list[list[DescribedRelation]] = [[] for _ in clusters]
    for relation in relations:
        for places in place_of:
            place = places.get(relation.source_id, -1)
            if place >= 0 and place == places.get(relation.target_id, -2):
                inner[place].append(relation)
    return inner


def _key_words(
    db: Db,
    clusters: Sequence[CommunityCluster],
    inner: Sequence[Sequence[DescribedRelation]],
    members: Sequence[frozenset[int]],
    names: Mapping[int, str],
    cancel: CancelToken,
) -> list[list[str]]:
    """Return the words that distinguish each community.

    Of a community about texts in both writing systems, words of the one that has more come first.
    """
    levels = [cluster.level for cluster in clusters]
    latin = find_text_key_words(db, members, levels, names, _OF_ANY_TEXT, cancel)
    counts = [_count_words(own) for own in inner]
    chosen = _chinese_key_words(db, clusters, counts)
    for n, found in enumerate(latin):
        own = [word for _, word in found]
        n_han = sum(map(has_han, counts[n].elements()))
        pair = (chosen[n], own) if 2 * n_han > counts[n].total() else (own, chosen[n])
        chosen[n] = [*pair[0], *pair[1]][:MAX_KEY_WORDS]
    return chosen


def _chinese_key_words(
    db: Db, clusters: Sequence[CommunityCluster], all_counts: Sequence[Counter[str]]
) -> list[list[str]]:
    """Return the Chinese words that each community has more often than others of its level."""
    counts = [Counter({w: n for w, n in own.items() if has_han(w)}) for own in all_counts]
    words = {word for count in counts for word in count}
    left_out = community_rows.find_known_names(db, words)
    chosen: list[list[str]] = [[] for _ in clusters]
    for level in {c.level for c in clusters}:
        places = [n for n, c in enumerate(clusters) if c.level == level]
        found = choose_key_words(
            [counts[n] for n in places], leave_out=frozenset(left_out), is_accepted=_may_be_noun
        )
        for n, own_words in zip(places, found, strict=True):
            chosen[n] = own_words
    return chosen


def _may_be_noun(word: str) -> bool:
    """Return whether a Chinese word can say what a community is about; False for non-nouns.

    The dictionary of the segmenter has the part of speech. Words that it does not have are pieces
    of sentences ("催起", "写表"); names have their own place.
    """
    import rjieba  # loads its dictionary, which a library of other languages does not need

    found = rjieba.tag(word, False)
    return len(found) == 1 and found[0][1] in _CHINESE_NOUN_TAGS


def _count_words(relations: Sequence[DescribedRelation]) -> Counter[str]:
    """Return how many relations have a word, counting each name of them once at most.

    One sentence that lists ten names gives each of their 45 pairs the same words. Among pairs that
    share no name it counts five times at most, and a word of one name's relations only once.
    """
    counts: Counter[str] = Counter()
    used: defaultdict[str, set[int]] = defaultdict(set)
    for relation in relations:
        ends = relation.source_id, relation.target_id
        for word in filter(None, relation.keywords.split("\n")):
            if used[word].isdisjoint(ends):
                used[word].update(ends)
                counts[word] += 1
    return counts


def name_community(top_names: Sequence[str], *, taken: set[str] | None = None) -> str:
    """Return a title for a community without a report: its central names.

    Args:
        taken: titles of others; names are added until the title is none of them.
    """
    own = top_names[:TITLE_NAMES]
    comma = "、" if 2 * sum(map(has_han, own)) > len(own) else ", "
    title = ""
    for n_names in range(TITLE_NAMES, len(top_names) + TITLE_NAMES + 1):
        title = comma.join(top_names[:n_names])
        if not taken or title not in taken:
            break
    return title


def _fingerprint(members: Sequence[tuple[int, str]], inner: Sequence[DescribedRelation]) -> str:
    """Return a hash of what a report depends on; without weights, which change all the time."""
    relations = [
        [one.source_id, one.target_id, one.n_evidence, one.description, one.kind] for one in inner
    ]
    packed = json.dumps([members, sorted(relations)], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(packed.encode("utf-8", "surrogatepass")).hexdigest()[:24]
