"""Clusters of likely duplicates with their evidence, for the merge desk.

Writes nothing but the clusters of the last search (`Duplicates.keep`). Merging and keeping apart
are edits (`EditingService.merge`, `EditingService.never_merge`); the graph read here already
contains them.
"""

from __future__ import annotations

import json
import logging
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np

from ... import __version__
from ..garbage import without_full_collections
from ..graph.duplicates.automatic_merges import explain_automatic_merge
from ..graph.duplicates.complete_names import KnownName, choose_complete_name, is_complete_name
from ..graph.duplicates.model import DuplicateReason, NameFacts, pair_key
from ..graph.duplicates.search import DUPLICATE_RULES, METHODS, cluster, find_pairs
from ..graph.duplicates.shared_context import SharedContexts
from ..graph.evidence import choose_introductions
from ..graph.names import normalise_name, sense_key, split_sense
from ..graph.resolution import parse_latin_name
from ..llm.protocols import ChatModel, Embedder
from ..llm.remote.contract import ServerGone
from ..messages import Message
from ..model import ChatMessage, EntityRow, MentionRow, NameCount
from ..progress import CancelToken, never_pause
from ..prompt_files import load_prompt
from ..prompt_program import share_out
from ..scheduler import Priority, WorkPermit, WorkScheduler
from ..store import curation, evidence, graph, provenance
from ..store import duplicates as duplicate_rows
from ..store.db import Db
from ..store.enrichment import find_chunk_source
from ..text.chunking import split_sentences
from ..writing_systems import language_of
from .duplicate_facts import read_facts

log = logging.getLogger(__name__)

SORTS = ("newest", "certainty", "size", "mentions", "asked")
VERY_LIKELY, LIKELY, UNCERTAIN = "very likely", "likely", "uncertain"
MIN_VERY_LIKELY, MIN_LIKELY = 0.85, 0.6
_LEVELS = (VERY_LIKELY, LIKELY, UNCERTAIN)
# Of these a graph says who met whom and where; a constant of program code is seldom looked up.
_WHO_AND_WHERE = frozenset(("person", "place", "organisation"))
_SAME_WORDS = frozenset(("fingerprint", "ngram"))
_STRONG = frozenset(("nickname", "initials", "titles", "part", "also_called", "beside"))
_STRENGTH = 0.7  # a weaker one rests on two sentences or on one of several alternatives


@dataclass(frozen=True, slots=True)
class DuplicateMember:
    """One entity of a cluster with its other names.

    `sentences` and `connections` are filled with the evidence: the latter are the names of its
    strongest neighbours, first those that another member has, too.
    """

    entity: EntityRow
    names: tuple[str, ...] = ()
    sentences: tuple[MentionRow, ...] = ()
    connections: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DuplicateCluster:
    """Entities that may be duplicates, first the one whose name is kept, then by mentions.

    Attributes:
        ids: of the members, in their order.
        reasons: the best reason of each method, strongest first.
        against: the same for what speaks against it.
        supporting, contrary: sentences that name two members and speak for or against it; filled
            with the evidence.
        shared: neighbours that members have in common.
        newest_at: when the latest member was added to the library.
        is_new: whether that was after the last visit of the merge desk.
        asked: the chat model's answer, 0 to 1; None if it was not asked. Shown only: it does not
            change the certainty.
    """

    members: tuple[DuplicateMember, ...]
    certainty: float
    reasons: tuple[DuplicateReason, ...]
    shared: tuple[str, ...] = ()
    newest_at: float = 0.0
    is_new: bool = False
    asked: float | None = None
    against: tuple[DuplicateReason, ...] = ()
    supporting: tuple[MentionRow, ...] = ()
    contrary: tuple[MentionRow, ...] = ()
    ids: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ids", tuple(member.entity.id for member in self.members))

    @property
    def likelihood(self) -> str:
        """VERY_LIKELY, LIKELY or UNCERTAIN: in words, because the certainty is no measured rate.

        Nothing with evidence against it is more than uncertain. Very likely are names with
        the same words, and those with two kinds of evidence of which one is more than a
        surname, a sound or a spelling in common.
        """
        if self.against or self.certainty < MIN_LIKELY:
            return UNCERTAIN
        is_strong = any(r.method in _STRONG and r.strength >= _STRENGTH for r in self.reasons)
        is_backed = any(r.method in _SAME_WORDS for r in self.reasons) or (
            is_strong and (len(self.reasons) > 1 or bool(self.shared))
        )
        return VERY_LIKELY if self.certainty >= MIN_VERY_LIKELY and is_backed else LIKELY

    @property
    def type(self) -> str:
        return self.members[0].entity.type

    @property
    def names_to_keep(self) -> list[str]:
        """All names: the proposed one, then the best known, then other complete ones.

        Of a person, the most complete name is proposed ("Agnes Roke" before "Mrs. Roke"), of all
        others the one with most mentions.
        """
        rows = [member.entity for member in self.members]
        known = [KnownName(row.name, row.n_mentions) for row in rows]
        known += [KnownName(n, one.entity.n_mentions) for one in self.members for n in one.names]
        first, *others = (one.name for one in known)
        if self.type != "person":
            return list(dict.fromkeys((first, *others)))
        complete = filter(is_complete_name, others)
        return list(dict.fromkeys((choose_complete_name(known), first, *complete, *others)))


def arrange(
    clusters: Sequence[DuplicateCluster],
    *,
    sort: str = "newest",
    type: str = "",
    method: str = "",
    least: float = 0.0,
    text: str = "",
) -> list[DuplicateCluster]:
    """Return the clusters that pass the filters, sorted; equal ones by what a merge gives.

    First all that are at least likely: uncertain ones have evidence against them, which takes
    longer to decide. Among these first, in this order, those whose merge gives most mentions
    another name (a missing merge of a main character costs more than that of a name that stands
    once), people, places and organisations, the more frequent names, and the more certain ones.
    "Very likely" does not stand before "likely": such pairs differ in a mark or a space, are
    mostly rare, and can be merged all at once.

    Args:
        sort: one of `SORTS`; "newest" puts new clusters first.
        type: keeps clusters with a member of this type.
        method: keeps clusters with a reason of this method.
        least: minimum certainty.
        text: keeps clusters with a name that contains this text, ignoring case.
    """
    wanted = text.strip().casefold()
    kept = [
        one
        for one in clusters
        if one.certainty >= least
        and (not type or any(member.entity.type == type for member in one.members))
        and (not method or any(reason.method == method for reason in one.reasons))
        and (
            not wanted
            or any(
                wanted in name.casefold()
                for member in one.members
                for name in (member.entity.name, *member.names)
            )
        )
    ]

    def rank(one: DuplicateCluster) -> tuple[object, ...]:
        counts = sorted(member.entity.n_mentions for member in one.members)
        first = {
            "newest": -one.newest_at if one.is_new else 0.0,
            "certainty": (_LEVELS.index(one.likelihood), -one.certainty),
            "size": -float(len(one.members)),
            "asked": -one.asked if one.asked is not None else 1.0,
            "mentions": -float(sum(counts)),
        }[sort]
        return (
            first,
            one.likelihood == UNCERTAIN,
            -sum(counts[:-1]),
            one.type not in _WHO_AND_WHERE,
            -sum(counts),
            -one.certainty,
            one.ids,
        )

    return sorted(kept, key=rank)


_BATCH_SIZE = 16
_MAX_DESCRIPTION_CHARS = 300
_MIN_MENTIONS = 2


class NameVectors:
    """Embeds entity descriptions and caches the vectors.

    Args:
        find_embedder: gives the embedding model, None where none is installed.
        find_name: gives the name of the model in use, without loading it.
        budget_s: time limit of one call.

    Attributes:
        is_whole: whether the last call had the time for all descriptions.
    """

    def __init__(
        self,
        db: Db,
        find_embedder: Callable[[], Embedder | None],
        find_name: Callable[[], str] = lambda: "",
        budget_s: float = 2.0,
    ) -> None:
        self._db, self._find_embedder, self._budget_s = db, find_embedder, budget_s
        self.find_name = find_name
        self.is_whole = True
        self._made: dict[str, np.ndarray] = {}
        self._model = ""

    def __call__(
        self, entity_ids: list[int], pause: Callable[[], None] = never_pause
    ) -> np.ndarray | None:
        """Return float32 (N, D), a zero row where there is no vector yet; None without a model."""
        embedder = self._find_embedder()
        self.is_whole = True
        if embedder is None:
            return None
        if embedder.name != self._model:
            self._made, self._model = {}, embedder.name
        texts: dict[int, str] = {}
        for row in sorted(
            graph.fetch_entities(self._db, entity_ids), key=lambda row: -row.n_mentions
        ):
            if row.n_mentions >= _MIN_MENTIONS and row.description:
                description = " ".join(row.description.split())[:_MAX_DESCRIPTION_CHARS]
                texts[row.id] = f"{row.name}: {description}"
        try:
            self._embed(embedder, [t for t in texts.values() if t not in self._made], pause)
        except ServerGone:
            self.is_whole = False
            return None
        kept = set(texts.values())
        self.is_whole = kept <= self._made.keys()
        self._made = {text: vector for text, vector in self._made.items() if text in kept}
        rows = np.zeros((len(entity_ids), embedder.dim), dtype=np.float32)
        for number, entity_id in enumerate(entity_ids):
            vector = self._made.get(texts.get(entity_id, ""))
            if vector is not None:
                rows[number] = vector
        return rows

    def _embed(self, embedder: Embedder, texts: list[str], pause: Callable[[], None]) -> None:
        left_s = self._budget_s
        for start in range(0, len(texts), _BATCH_SIZE):
            if left_s < 0:
                return
            pause()
            started = time.monotonic()
            part = texts[start : start + _BATCH_SIZE]
            self._made.update(zip(part, embedder.embed_passages(part), strict=True))
            left_s -= time.monotonic() - started


_MAX_CHARS = 1200  # of the sentences of two members


def ask_model(
    found: DuplicateCluster, model: ChatModel, cancel: CancelToken | None = None
) -> DuplicateCluster:
    """Return the cluster with the mean probability of "yes" over the pairs of its first member.

    Args:
        found: with sentences from `Duplicates.fetch_evidence`; without them the model judges
            by the names.

    Raises:
        Cancelled: the token was set.
    """
    first, others = found.members[0], found.members[1:]
    chances = [_ask_pair(first, other, model, cancel) for other in others]
    return replace(found, asked=round(sum(chances) / max(1, len(chances)), 4))


def _ask_pair(
    one: DuplicateMember, other: DuplicateMember, model: ChatModel, cancel: CancelToken | None
) -> float:
    language = language_of(one.entity.name)
    sentences = [" ".join(m.sentence.split()) for m in (*one.sentences, *other.sentences)]
    room = _MAX_CHARS // max(1, len(sentences))
    messages = (
        ChatMessage("system", load_prompt("duplicates", language)),
        ChatMessage("user", "\n".join(sentence[:room] for sentence in sentences) or "-"),
    )
    names = [(one.entity.name, other.entity.name), (other.entity.name, one.entity.name)]
    line = "{}和{}是同一个：" if language == "zh" else "{} and {} are one and the same:"
    options = ("是", "否") if language == "zh" else (" yes", " no")
    # Both orders, because models prefer the name they read last.
    lines = [line.format(*pair) for pair in names]
    choices = model.choose(messages, lines, options, cancel=cancel)
    return sum(share_out(choice.logprobs)[0] for choice in choices) / len(choices)


@dataclass(frozen=True, slots=True)
class MergedName:
    """One automatically merged name with its curation key; `to` is the name it belongs to."""

    key: str
    name: str
    n_mentions: int
    to: str
    rule: str
    reason: Message
    sentences: tuple[MentionRow, ...] = ()


@dataclass(frozen=True, slots=True)
class AutomaticMerge:
    """An entity with its automatically merged names, most frequent first."""

    entity: EntityRow
    names: tuple[MergedName, ...]


def list_automatic_merges(db: Db) -> list[AutomaticMerge]:
    """Return all entities with automatically merged names, most mentions first."""
    by_entity: dict[int, list[tuple[NameCount, str]]] = defaultdict(list)
    for entity_id, name_id, text, sense, n, types, language in duplicate_rows.fetch_joined_names(
        db
    ):
        by_entity[entity_id].append(
            (NameCount(name_id, text, n, types, language), sense_key(text, sense))
        )
    by_hand: dict[str, set[str]] = defaultdict(set)
    decided = curation.fetch_curation(db)
    for a, b in (*decided.merged, *decided.aliases):
        by_hand[a].add(b)
        by_hand[b].add(a)
    also_called: dict[frozenset[str], int] = defaultdict(int)
    for left, right, n in evidence.fetch_also_called(db):
        also_called[frozenset((normalise_name(left), normalise_name(right)))] += n
    shown: dict[int, EntityRow] = {row.id: row for row in graph.fetch_entities(db, by_entity)}
    found = []
    for entity_id, members in by_entity.items():
        row = shown[entity_id]
        counts = [count for count, _ in members]
        main = next((c for c in counts if c.name == row.name), counts[0])
        # a reason cites no name that the documents do not contain
        counts = [c for c in counts if c.n_mentions or c is main]
        keys = {count.name_id: key for count, key in members}
        there = set(keys.values())
        names = {count.name_id: count for count in counts}
        joined = [
            MergedName(keys[i], names[i].name, names[i].n_mentions, names[to].name, rule, reason)
            for i, (rule, reason, to) in explain_automatic_merge(counts, main, also_called).items()
            if not by_hand[keys[i]] & there
        ]
        if joined:
            joined.sort(key=lambda one: (-one.n_mentions, one.key))
            found.append(AutomaticMerge(row, tuple(joined)))
    return sorted(found, key=lambda one: (-one.entity.n_mentions, one.entity.id))


_RULES_OF_SEARCH = f"{__version__}/{DUPLICATE_RULES}"  # stored with what it found


@dataclass(frozen=True, slots=True)
class _Search:
    """What a search found, with what it depends on."""

    certainty: float
    model: str
    version: int
    clusters: list[DuplicateCluster]
    is_whole: bool


def _to_data(one: DuplicateCluster) -> list[Any]:
    """Return a cluster as JSON data, as `Duplicates.find` finds it: without what is asked later."""
    members = [[member.entity.id, member.names] for member in one.members]
    reasons, against = (
        [[r.method, r.strength, r.text.to_stored(), r.rivals, r.place] for r in found]
        for found in (one.reasons, one.against)
    )
    return [members, one.certainty, reasons, against, one.shared, one.newest_at]


def _from_data(data: list[Any], entities: Mapping[int, EntityRow]) -> DuplicateCluster:
    """Return the cluster of `_to_data` with the present entities.

    Raises:
        ValueError, TypeError, LookupError, AttributeError: another program wrote it.
    """
    members, certainty, reasons, against, shared, newest_at = data
    return DuplicateCluster(
        members=_order_members(
            DuplicateMember(entities[entity_id], tuple(map(str, names)))
            for entity_id, names in members
        ),
        certainty=float(certainty),
        reasons=tuple(_to_reason(*one) for one in reasons),
        against=tuple(_to_reason(*one) for one in against),
        shared=tuple(map(str, shared)),
        newest_at=float(newest_at),
    )


def _to_reason(
    method: str, strength: float, text: str, rivals: list[int], place: list[int] | None
) -> DuplicateReason:
    document_id, start = place or (0, 0)
    return DuplicateReason(
        str(method),
        float(strength),
        Message.from_stored(text),
        tuple(map(int, rivals)),
        (int(document_id), int(start)) if place else None,
    )


_N_SHARED = 6
_N_SENTENCES = 3
_N_SHOWN = 2  # sentences for, and sentences against
_N_CONNECTIONS = 8
_EXPLAINED_BY_SENTENCES = frozenset(("also_called", "beside"))


class Duplicates:
    """Finds likely duplicates in a library, and keeps what was found.

    Args:
        db: a connection of the calling thread's own.
        find_vectors: gives entity vectors by id, if an embedding model is installed.
        writer: what was found is kept in this library; None keeps nothing.
    """

    def __init__(
        self, db: Db, find_vectors: NameVectors | None = None, writer: Db | None = None
    ) -> None:
        self._db, self._writer = db, writer
        self._find_vectors = find_vectors
        self._unkept: _Search | None = None

    def find(
        self,
        *,
        methods: Collection[str] = METHODS,
        certainty: float = 0.5,
        since: float = 0.0,
        anew: bool = False,
        pause: Callable[[], None] = never_pause,
    ) -> list[DuplicateCluster]:
        """Return the clusters of the present graph, new ones first, then by certainty.

        They are read from the library if a search with all methods was kept and nothing that it
        read has changed since.

        Args:
            methods: the methods of `METHODS` to use.
            certainty: minimum mean certainty of a cluster; 0.25 shows nearly all.
            since: time stamp of the last visit of the merge desk; 0 marks none as new.
            anew: search again where a model had no time for all descriptions.
            pause: called every millisecond or so; a search in the background rests in it.

        Raises:
            Cancelled: raised by `pause`.
        """
        self._unkept = None
        uses_all = set(methods) == set(METHODS)
        found = self._read_kept(certainty, must_be_whole=anew) if uses_all else None
        if found is None:
            version, model = duplicate_rows.fetch_input_version(self._db), self._find_model()
            with without_full_collections():  # of a million objects without cycles
                found = self._search(methods, certainty, pause)
            # A change during the search: what was read is no one state of the library.
            now = (duplicate_rows.fetch_input_version(self._db), self._find_model())
            if uses_all and (version, model) == now:
                is_whole = self._find_vectors is None or self._find_vectors.is_whole
                self._unkept = _Search(certainty, model, version, found, is_whole)
        if since > 0.0:
            found = [replace(one, is_new=since < one.newest_at) for one in found]
        return arrange(found)

    def keep(self) -> None:
        """Store what the last call of `find` found anew, so that the next one reads it."""
        search, self._unkept = self._unkept, None
        if search is None or self._writer is None or not self._writer.is_writable:
            return
        clusters = json.dumps([_to_data(one) for one in search.clusters], ensure_ascii=False)
        with self._writer.transaction():
            if duplicate_rows.fetch_input_version(self._writer) == search.version:
                duplicate_rows.write_search(
                    self._writer,
                    search.certainty,
                    search.model,
                    search.version,
                    _RULES_OF_SEARCH,
                    clusters,
                    is_whole=search.is_whole,
                )

    def _find_model(self) -> str:
        return self._find_vectors.find_name() if self._find_vectors is not None else ""

    def _read_kept(self, certainty: float, *, must_be_whole: bool) -> list[DuplicateCluster] | None:
        """Return the clusters that were kept, None if there are none for the present input."""
        version = duplicate_rows.fetch_input_version(self._db)
        kept = duplicate_rows.fetch_search(
            self._db, certainty, self._find_model(), version, _RULES_OF_SEARCH
        )
        if kept is None or (must_be_whole and not kept[1]):
            return None
        try:
            data = json.loads(kept[0])
            wanted = sorted({member[0] for one in data for member in one[0]})
            entities: dict[int, EntityRow] = {
                row.id: row for row in graph.fetch_entities(self._db, wanted)
            }
            found = [_from_data(one, entities) for one in data]
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
            log.info("the clusters that were kept can't be read: %s", type(error).__name__)
            return None
        # the entities are of this version, too
        return found if duplicate_rows.fetch_input_version(self._db) == version else None

    def _search(
        self, methods: Collection[str], certainty: float, pause: Callable[[], None]
    ) -> list[DuplicateCluster]:
        facts, text = read_facts(self._db, self._find_vectors, pause)
        contexts = SharedContexts(facts, text)
        pairs = find_pairs(facts, text, methods=methods, contexts=contexts, pause=pause)
        clusters = cluster(pairs, sure=certainty, near=min(0.25, certainty / 2))
        if not clusters:
            return []
        wanted = sorted({i for one in clusters for i in one.ids})
        entities: dict[int, EntityRow] = {
            row.id: row for row in graph.fetch_entities(self._db, wanted)
        }
        came = duplicate_rows.fetch_first_seen(self._db, wanted)
        by_id = {one.id: one for one in facts}
        found = []
        for one in clusters:
            pause()
            members = set(one.ids)
            reasons = _choose_best(r for pair in one.pairs for r in pair.reasons)
            against = _choose_best(
                r
                for pair in one.pairs
                for r in pair.against
                if not (r.rivals and members.issuperset(r.rivals))
            )
            found.append(
                DuplicateCluster(
                    members=_list_members(one.ids, entities, by_id),
                    certainty=one.certainty,
                    reasons=reasons,
                    against=against,
                    shared=_list_shared(one.ids, contexts, by_id),
                    newest_at=max((came.get(i, 0.0) for i in one.ids), default=0.0),
                )
            )
        return found

    def count(self, *, certainty: float = 0.5, pause: Callable[[], None] = never_pause) -> int:
        """Return the number of clusters, found without a model: `find` may return some more."""
        facts, text = read_facts(self._db, pause=pause)
        pairs = find_pairs(facts, text, pause=pause)
        return len(cluster(pairs, sure=certainty, near=min(0.25, certainty / 2)))

    def list_undecided(self, clusters: Sequence[DuplicateCluster]) -> list[DuplicateCluster]:
        """Return those clusters that can still be decided, with the present entities.

        The others have a member that is gone, or two that the user keeps apart.
        """
        wanted = {i for one in clusters for i in one.ids}
        present = {row.id: row for row in graph.fetch_entities(self._db, wanted)}
        apart = {pair_key(a, b) for a, b in duplicate_rows.fetch_pairs_kept_apart(self._db)}
        return [
            replace(
                one,
                members=tuple(replace(m, entity=present[m.entity.id]) for m in one.members),
            )
            for one in clusters
            if all(i in present for i in one.ids)
            and not any(pair_key(a, b) in apart for a, b in combinations(one.ids, 2))
        ]

    def fetch_evidence(
        self, found: DuplicateCluster, *, with_context: bool = True
    ) -> DuplicateCluster:
        """Return the cluster with the sentences of its members, and those against it.

        Each member has the sentences that introduce it best, and one for each of its other names
        that a reason cites. Where a member has few, each comes with the sentences around it,
        unless `with_context` is off.
        """
        cited = {
            str(value) for r in (*found.reasons, *found.against) for value in r.text.params.values()
        }
        supporting: tuple[MentionRow, ...] = ()
        if any(reason.method in _EXPLAINED_BY_SENTENCES for reason in found.reasons):
            supporting = self._fetch_meetings(found.ids)
        contrary = self._fetch_contrary(found)
        quoted = {(m.document_id, m.sentence_start) for m in (*supporting, *contrary)}
        connections = self._fetch_connections(found.ids)
        members = []
        for member in found.members:
            entity_id = member.entity.id
            mentions = graph.fetch_best_mentions(self._db, entity_id, 12)
            others = [m for m in mentions if (m.document_id, m.sentence_start) not in quoted]
            mentions = others or mentions  # no sentence is shown twice, and none has none
            best = choose_introductions(mentions, _N_SENTENCES, lambda mention: mention.sentence)
            seen = {mention.name for mention in best}
            named = [name for name in member.names if name in cited]
            ids = [
                i
                for name in named
                if name not in seen
                for i in duplicate_rows.fetch_mentions_by_name(self._db, entity_id, name, None, 1)
            ]
            best = [*graph.fetch_mention_rows(self._db, ids), *best][: _N_SENTENCES + len(ids)]
            if with_context and len(best) < _N_SENTENCES:
                best = [self._add_context(mention) for mention in best]
            uncited = [name for name in member.names if name not in cited]
            members.append(
                replace(
                    member,
                    sentences=tuple(best),
                    names=tuple((*named, *uncited)),
                    connections=connections[entity_id],
                )
            )
        return replace(found, members=tuple(members), supporting=supporting, contrary=contrary)

    def _fetch_connections(self, entity_ids: Sequence[int]) -> dict[int, tuple[str, ...]]:
        """Return the strongest neighbours of each of these entities, the common ones first."""
        near = {i: provenance.fetch_named_neighbours(self._db, i) for i in entity_ids}
        counts = Counter(other for own in near.values() for other, *_ in own)
        return {
            i: tuple(
                name
                for other, name, *_ in sorted(own, key=lambda one: counts[one[0]] < 2)
                if other not in near
            )[:_N_CONNECTIONS]
            for i, own in near.items()
        }

    def _add_context(self, mention: MentionRow) -> MentionRow:
        """Return the mention with the sentences before and after its own, of the same passage."""
        if (chunk := find_chunk_source(self._db, mention.chunk_id)) is None:
            return mention
        start = mention.sentence_start - chunk.start
        spans = split_sentences(chunk.text, chunk.language)
        here = [n for n, span in enumerate(spans) if span[0] < start + len(mention.sentence)]
        here = [n for n in here if start < spans[n][1]]
        if start < 0 or not here:
            return mention
        first, last = max(0, here[0] - 1), min(len(spans) - 1, here[-1] + 1)
        begin, end = min(start, spans[first][0]), max(spans[last][1], start + len(mention.sentence))
        text = chunk.text[begin:end]
        return replace(mention, sentence=text, sentence_start=chunk.start + begin)

    def _fetch_meetings(self, entity_ids: Sequence[int]) -> tuple[MentionRow, ...]:
        """Return sentences that name two of these entities, the closest first; the rarer marked."""
        ids: list[int] = []
        for a, b in combinations(entity_ids, 2):
            ids += duplicate_rows.fetch_closest_mentions(self._db, b, a, _N_SHOWN)
        return tuple(graph.fetch_mention_rows(self._db, ids[:_N_SHOWN]))

    def _fetch_contrary(self, found: DuplicateCluster) -> tuple[MentionRow, ...]:
        """Return the sentences that the evidence against a cluster refers to."""
        sentences: list[MentionRow] = []
        for reason in found.against:
            if reason.place is not None:
                here = duplicate_rows.fetch_mentions_in_sentence(self._db, *reason.place)
                ids = [i for i, entity_id in here if entity_id in found.ids]
                sentences += graph.fetch_mention_rows(self._db, ids[:1])
            elif reason.method == "together":
                sentences += self._fetch_meetings(found.ids)
        return tuple(sentences[:_N_SHOWN])

    def list_automatic_merges(self) -> list[AutomaticMerge]:
        """Return the automatic merges, each name with its reason."""
        return list_automatic_merges(self._db)

    def fetch_joined_sentences(self, found: AutomaticMerge) -> AutomaticMerge:
        """Return the merge with two sentences for each of its names.

        Where the text equates it with another name, these are sentences with both.
        """
        names = []
        for one in found.names:
            (name, sense), here = split_sense(one.key), found.entity.id
            ids: list[int] = []
            if one.rule == "also_called":
                ids = duplicate_rows.fetch_closest_mentions(
                    self._db, here, here, _N_SHOWN, name=name, other=one.to
                )
            best = duplicate_rows.fetch_mentions_by_name(self._db, here, name, sense, _N_SHOWN)
            ids = list(dict.fromkeys([*ids, *best]))[:_N_SHOWN]
            names.append(replace(one, sentences=tuple(graph.fetch_mention_rows(self._db, ids))))
        return AutomaticMerge(found.entity, tuple(names))

    def ask(
        self, found: DuplicateCluster, model: ChatModel, cancel: CancelToken | None = None
    ) -> DuplicateCluster:
        """Return the cluster with its sentences and the chat model's answer in `asked`.

        Raises:
            Cancelled: the token was set.
        """
        return ask_model(self.fetch_evidence(found, with_context=False), model, cancel)


def build_duplicates(
    db: Db,
    find_embedder: Callable[[], Embedder | None],
    find_name: Callable[[], str] = lambda: "",
    writer: Db | None = None,
) -> Duplicates:
    """Return the service; an embedding model, if there is one, compares descriptions."""
    return Duplicates(db, NameVectors(db, find_embedder, find_name), writer)


_REST_S = 0.005  # as long as it worked before: half of one processor for the window and others


class DuplicateMaintenance:
    """Searches in the background and keeps what is found, so that the merge desk has it at once.

    Args:
        duplicates: with a connection of its own and the library to keep in.
    """

    def __init__(self, duplicates: Duplicates, scheduler: WorkScheduler) -> None:
        self._duplicates, self._scheduler = duplicates, scheduler

    def run(self, cancel: CancelToken) -> int:
        """Return the number of clusters, after a search if something has changed since the last.

        Raises:
            Cancelled: the token was set.
        """
        with self._scheduler.hold(Priority.ENRICHMENT, cancel) as permit:
            found = self._duplicates.find(pause=_build_pause(permit))
        self._duplicates.keep()
        return len(found)

    def count(self, cancel: CancelToken) -> int:
        """Return the number of clusters while documents are read, which change it soon.

        Uses no model and keeps nothing.

        Raises:
            Cancelled: the token was set.
        """
        with self._scheduler.hold(Priority.IMPORT, cancel) as permit:
            return self._duplicates.count(pause=_build_pause(permit))


def _build_pause(permit: WorkPermit) -> Callable[[], None]:
    """Return a function that lets more urgent work go first, and rests half of the time."""
    rest_at = 0.0

    def pause() -> None:
        nonlocal rest_at
        if time.monotonic() >= rest_at:
            permit.checkpoint()
            permit.cancel.wait(_REST_S)
            rest_at = time.monotonic() + _REST_S

    return pause


def _choose_best(reasons: Iterable[DuplicateReason]) -> tuple[DuplicateReason, ...]:
    """Return the best reason of each method, strongest first."""
    best: dict[str, DuplicateReason] = {}
    for reason in sorted(reasons, key=lambda r: (-r.strength, r.text)):
        best.setdefault(reason.method, reason)
    return tuple(best.values())


def _list_members(
    ids: Sequence[int], entities: dict[int, EntityRow], facts: dict[int, NameFacts]
) -> tuple[DuplicateMember, ...]:
    members = [DuplicateMember(entities[i], facts[i].names[1:]) for i in ids if i in entities]
    return _order_members(members)


_WORDS = re.compile(r"\w+")
_TIDY = re.compile(r"[\w\s.'’·-]*")  # what a name consists of that was not cut from a list


def _order_members(members: Iterable[DuplicateMember]) -> tuple[DuplicateMember, ...]:
    """Return members with the one first whose name a merge keeps.

    It is the one with most mentions, then most connections; one with the same words and without
    a comma or bracket between them is better: "Captain Donelson" than "Captain, Donelson".
    """

    def rank(one: DuplicateMember) -> tuple[int, int, int]:
        return -one.entity.n_mentions, -one.entity.n_relations, one.entity.id

    ordered = sorted(members, key=rank)
    if ordered and not _TIDY.fullmatch(ordered[0].entity.name):
        words = _split_words(ordered[0].entity.name)
        for one in ordered[1:]:
            if _TIDY.fullmatch(one.entity.name) and _split_words(one.entity.name) == words:
                ordered.remove(one)
                ordered.insert(0, one)
                break
    return tuple(ordered)


def _split_words(name: str) -> list[str]:
    return sorted(_WORDS.findall(name.casefold()))


def _list_shared(
    ids: Sequence[int], contexts: SharedContexts, facts: dict[int, NameFacts]
) -> tuple[str, ...]:
    """Return the neighbours that most pairs of the members have in common.

    Not those with a word of a member's name: Agnes Penhallow, whom “Agnes” may mean, too, is no
    independent evidence that Agnes is Agnes Roke.
    """
    counts: dict[int, int] = {}
    for n, a in enumerate(ids):
        for b in ids[n + 1 :]:
            for other in contexts.list_common(a, b, 2 * _N_SHARED):
                counts[other] = counts.get(other, 0) + 1
    own = set().union(*(_list_own_words(facts[i]) for i in ids))
    best = sorted(
        (i for i in counts if i in facts and own.isdisjoint(_list_own_words(facts[i]))),
        key=lambda i: -counts[i],
    )
    return tuple(facts[i].name for i in best[:_N_SHARED] if i not in ids)


def _list_own_words(one: NameFacts) -> set[str]:
    """Return the words of the names of an entity without titles; a Chinese name is one word."""
    words: set[str] = set()
    for name in one.names:
        parsed = parse_latin_name(name)
        words.update(parsed.words if parsed else _WORDS.findall(name.casefold()))
    return words
