"""Clusters of likely duplicates with their evidence, for the merge desk.

Reads only. Merging and keeping apart are edits (`EditingService.merge`,
`EditingService.never_merge`); the graph read here already contains them.
"""

from __future__ import annotations

import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from operator import itemgetter

import numpy as np

from ..graph.duplicates.automatic_merges import explain_automatic_merge
from ..graph.duplicates.model import ApartSentence, NameFacts, Reason, TextFacts, pair_key
from ..graph.duplicates.search import METHODS, cluster, find_pairs
from ..graph.duplicates.shared_context import DISTINGUISHING, SharedContexts, is_equating
from ..graph.evidence import choose_introductions
from ..graph.names import normalise_name, sense_key, split_sense
from ..llm.protocols import ChatModel, Embedder
from ..messages import Message
from ..model import ChatMessage, EntityRow, MentionRow, NameCount
from ..progress import CancelToken
from ..prompt_files import load_prompt
from ..prompt_program import share_out
from ..store import curation, evidence, graph
from ..store import duplicates as rows
from ..store.db import Db
from ..writing_systems import language_of

_MAX_NAMES = 16  # more names in one sentence are a list
_ACROSS_QUOTES = 0.3
_MAX_GAP_CHARS = 24  # most characters between two names in an equating phrase
_QUOTES = frozenset("”“\"'」「』『")

_LEAST_PRONOUNS, _LEAST_PRONOUN_SHARE = 4, 0.8  # of one gender beside the mentions of a person
_AFTER_SENTENCE_CHARS = 120  # about a sentence
_GENDERS = {
    **dict.fromkeys(("he", "him", "his", "himself"), "m"),
    **dict.fromkeys(("she", "her", "hers", "herself"), "f"),
}
_PRONOUN = re.compile(rf"(?<![^\W\d_])(?:{'|'.join(_GENDERS)})(?![^\W\d_])", re.IGNORECASE)

FindVectors = Callable[[list[int]], np.ndarray | None]


def read_facts(
    db: Db, find_vectors: FindVectors | None = None
) -> tuple[list[NameFacts], TextFacts]:
    """Return all entities and, for pairs of them, what the text states.

    Args:
        find_vectors: gives one row of length 1 per entity id, or None without a model.
    """
    names: dict[int, list[str]] = {}
    about: dict[int, tuple[str, int]] = {}
    for entity_id, shown, type_, n_mentions, name, _ in rows.fetch_names(db):
        about[entity_id] = (type_, n_mentions)
        known = names.setdefault(entity_id, [shown])
        if name not in known:
            known.append(name)
    neighbours: dict[int, dict[int, float]] = defaultdict(dict)
    for source, target, weight in rows.fetch_ties(db):
        neighbours[source][target] = neighbours[target][source] = weight
    places = rows.fetch_places(db)
    texts = dict(rows.iter_texts(db))
    people = {entity_id for entity_id, (type_, _) in about.items() if type_ == "person"}
    genders = _read_genders(texts, places, people)
    chunks: dict[int, set[int]] = defaultdict(set)
    documents: dict[int, set[int]] = defaultdict(set)
    for document_id, chunk_id, *_, entity_id in places:
        chunks[entity_id].add(chunk_id)
        documents[entity_id].add(document_id)
    facts = [
        NameFacts(
            id=entity_id,
            names=tuple(names[entity_id]),
            type=type_,
            n_mentions=n_mentions,
            documents=frozenset(documents[entity_id]),
            chunks=frozenset(chunks[entity_id]),
            neighbours=neighbours.get(entity_id, {}),
            gender=genders.get(entity_id, ""),
        )
        for entity_id, (type_, n_mentions) in about.items()
    ]
    vectors = find_vectors([one.id for one in facts]) if find_vectors else None
    return facts, _read_text(db, texts, places, vectors)


def _read_genders(
    texts: Mapping[int, str],
    places: Sequence[tuple[int, int, int, int, int, int, int]],
    people: Set[int],
) -> dict[int, str]:
    """Return "m" or "f" for the people of which the English pronouns after them tell it.

    Sentences that name nobody else count, with what follows up to the next name: of 326 people
    of seventeen novels whose title or first name tells the gender, 311 have the same by pronouns.
    """
    beside: dict[int, Counter[str]] = defaultdict(Counter)
    # of each: document, start, end of the first name, end, its entity or -1 if it names several
    sentences: list[tuple[int, int, int, int, int]] = []
    previous, only = (-1, -1), -1
    for document_id, _, _, name_end, start, end, entity_id in places:
        if (document_id, start) != previous:
            previous, only = (document_id, start), entity_id
            sentences.append((document_id, start, name_end, end, entity_id))
        elif entity_id != only != -1:
            sentences[-1] = (*sentences[-1][:4], -1)
            only = -1
    sentences.append((-1, 0, 0, 0, -1))
    for (document_id, _, name_end, end, entity_id), following in pairwise(sentences):
        if entity_id not in people:
            continue
        stop = following[1] if following[0] == document_id else end + _AFTER_SENTENCE_CHARS
        last = max(end, min(stop, end + _AFTER_SENTENCE_CHARS))
        words = _PRONOUN.findall(texts.get(document_id, ""), name_end, last)
        if words:
            beside[entity_id].update(_GENDERS[word.lower()] for word in words)
    genders = {}
    for entity_id, counts in beside.items():
        gender, n = max(counts.items(), key=itemgetter(1), default=("", 0))
        if n >= _LEAST_PRONOUNS and n >= _LEAST_PRONOUN_SHARE * counts.total():
            genders[entity_id] = gender
    return genders


def _read_text(
    db: Db,
    texts: Mapping[int, str],
    places: list[tuple[int, int, int, int, int, int, int]],
    vectors: np.ndarray | None,
) -> TextFacts:
    equated: Counter[tuple[int, int]] = Counter()
    for a, b, n in rows.fetch_equated_pairs(db):
        equated[a, b] += n
    adjacent: Counter[tuple[int, int]] = Counter()
    together: dict[tuple[int, int], float] = defaultdict(float)
    sentence: dict[tuple[int, int], None] = {}  # (entity, number of quotation marks before it)
    n_quotes = 0
    joined: set[tuple[int, int]] = set()
    previous = (-1, -1, -1, -1)  # document, sentence, end, entity
    final = (-1, 0, 0, 0, 0, 0, 0)
    for document_id, _, start, end, sentence_start, _, entity_id in [*places, final]:
        if (document_id, sentence_start) != previous[:2]:
            if 1 < len(sentence) <= _MAX_NAMES:
                for pair, weight in _weigh_pairs(sentence).items():
                    if pair not in joined:
                        together[pair] += weight
            sentence, joined, n_quotes = {}, set(), 0
        else:
            between = texts.get(document_id, "")[previous[2] : start]
            n_quotes += not _QUOTES.isdisjoint(between)
            if entity_id != previous[3] and start >= previous[2] and len(between) <= _MAX_GAP_CHARS:
                pair = pair_key(entity_id, previous[3])
                if not between or (len(between) == 1 and between in _QUOTES):
                    adjacent[previous[3], entity_id] += 1
                    joined.add(pair)
                elif is_equating(between):
                    equated[pair] += 1
                    joined.add(pair)
        sentence[entity_id, n_quotes] = None
        previous = (document_id, sentence_start, end, entity_id)
    return TextFacts(
        stated=equated,
        adjacent=adjacent,
        together=together,
        never=frozenset(pair_key(a, b) for a, b in rows.fetch_pairs_kept_apart(db)),
        vectors=vectors,
        distinguished=_find_apart_sentences(texts, places),
    )


def _find_apart_sentences(
    texts: Mapping[int, str], places: Sequence[tuple[int, int, int, int, int, int, int]]
) -> dict[int, list[ApartSentence]]:
    """Return the sentences with a phrase of `distinguished`, by the entities that they name."""
    # sentence by sentence, because a search of a whole novel holds the interpreter for 0.2 s
    named: dict[tuple[int, int], set[int]] = defaultdict(set)
    previous, is_hit = (-1, -1), False
    for document_id, _, _, _, sentence_start, sentence_end, entity_id in places:
        if (document_id, sentence_start) != previous:
            previous = (document_id, sentence_start)
            text = texts.get(document_id, "")
            is_hit = DISTINGUISHING.search(text, sentence_start, sentence_end) is not None
        if is_hit:
            named[previous].add(entity_id)
    found: dict[int, list[ApartSentence]] = defaultdict(list)
    for (document_id, start), entities in named.items():
        for entity_id in entities:
            found[entity_id].append(ApartSentence(document_id, start, frozenset(entities)))
    return found


def _weigh_pairs(sentence: Collection[tuple[int, int]]) -> dict[tuple[int, int], float]:
    """Return pairs of entities in a sentence with weights.

    Pairs across a quotation mark count less, because speakers can mention themselves.
    """
    found: dict[tuple[int, int], float] = {}
    for (a, side), (b, other_side) in combinations(sentence, 2):
        if a != b:
            pair = pair_key(a, b)
            found[pair] = max(found.get(pair, 0.0), 1.0 if side == other_side else _ACROSS_QUOTES)
    return found


SORTS = ("newest", "certainty", "size", "mentions", "asked")
VERY_LIKELY, LIKELY, UNCERTAIN = "very likely", "likely", "uncertain"
LEAST_VERY_LIKELY, LEAST_LIKELY = 0.85, 0.6
_LEVELS = (VERY_LIKELY, LIKELY, UNCERTAIN)
_SAME_WORDS = frozenset(("fingerprint", "ngram"))
_STRONG = frozenset(("nickname", "initials", "titles", "part", "told", "beside"))
_STRENGTH = 0.7  # a weaker one rests on two sentences or on one of several alternatives


@dataclass(frozen=True, slots=True)
class DuplicateMember:
    """One entity of a cluster with its other names; `sentences` are filled with the evidence."""

    entity: EntityRow
    names: tuple[str, ...] = ()
    sentences: tuple[MentionRow, ...] = ()


@dataclass(frozen=True, slots=True)
class DuplicateCluster:
    """Entities that may be duplicates, most mentions first.

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
    reasons: tuple[Reason, ...]
    shared: tuple[str, ...] = ()
    newest_at: float = 0.0
    is_new: bool = False
    asked: float | None = None
    against: tuple[Reason, ...] = ()
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
        if self.against or self.certainty < LEAST_LIKELY:
            return UNCERTAIN
        is_strong = any(r.method in _STRONG and r.strength >= _STRENGTH for r in self.reasons)
        is_backed = any(r.method in _SAME_WORDS for r in self.reasons) or (
            is_strong and (len(self.reasons) > 1 or bool(self.shared))
        )
        return VERY_LIKELY if self.certainty >= LEAST_VERY_LIKELY and is_backed else LIKELY

    @property
    def type(self) -> str:
        return self.members[0].entity.type


def arrange(
    clusters: Sequence[DuplicateCluster],
    *,
    sort: str = "newest",
    type: str = "",
    method: str = "",
    least: float = 0.0,
    text: str = "",
) -> list[DuplicateCluster]:
    """Return the clusters that pass the filters, sorted; ties by likelihood, then by ids.

    Args:
        sort: one of `SORTS`; "newest" puts new clusters first and the others by certainty.
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

    def rank(one: DuplicateCluster) -> tuple[float, int, float, tuple[int, ...]]:
        first = {
            "newest": -one.newest_at if one.is_new else 0.0,
            "size": -float(len(one.members)),
            "asked": -one.asked if one.asked is not None else 1.0,
            "mentions": -float(sum(member.entity.n_mentions for member in one.members)),
        }.get(sort, 0.0)
        return first, _LEVELS.index(one.likelihood), -one.certainty, one.ids

    return sorted(kept, key=rank)


_BATCH_SIZE = 16
_MAX_DESCRIPTION_CHARS = 300
_MIN_MENTIONS = 2


class NameVectors:
    """Embeds entity descriptions and caches the vectors.

    Args:
        find_embedder: gives the embedding model, None where none is installed.
        budget_s: time limit of one call.
    """

    def __init__(
        self, db: Db, find_embedder: Callable[[], Embedder | None], budget_s: float = 2.0
    ) -> None:
        self._db, self._find_embedder, self._budget_s = db, find_embedder, budget_s
        self._made: dict[str, np.ndarray] = {}
        self._model = ""

    def __call__(self, entity_ids: list[int]) -> np.ndarray | None:
        """Return float32 (N, D), a zero row where there is no vector yet; None without a model."""
        embedder = self._find_embedder()
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
        self._embed(embedder, [text for text in texts.values() if text not in self._made])
        kept = set(texts.values())
        self._made = {text: vector for text, vector in self._made.items() if text in kept}
        rows = np.zeros((len(entity_ids), embedder.dim), dtype=np.float32)
        for number, entity_id in enumerate(entity_ids):
            vector = self._made.get(texts.get(entity_id, ""))
            if vector is not None:
                rows[number] = vector
        return rows

    def _embed(self, embedder: Embedder, texts: list[str]) -> None:
        until = time.monotonic() + self._budget_s
        for start in range(0, len(texts), _BATCH_SIZE):
            if time.monotonic() > until:
                return
            part = texts[start : start + _BATCH_SIZE]
            self._made.update(zip(part, embedder.embed_passages(part), strict=True))


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
    for entity_id, name_id, text, sense, n, types, language in rows.fetch_joined_names(db):
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


_N_SHARED = 6
_N_SENTENCES = 3
_N_SHOWN = 2  # sentences for, and sentences against
_EXPLAINED_BY_SENTENCES = frozenset(("told", "beside"))


class Duplicates:
    """Finds likely duplicates in a library; reads only.

    Args:
        db: a connection of the calling thread's own.
        find_vectors: gives entity vectors by id, if an embedding model is installed.
    """

    def __init__(self, db: Db, find_vectors: FindVectors | None = None) -> None:
        self._db = db
        self._find_vectors = find_vectors

    def find(
        self, *, methods: Collection[str] = METHODS, certainty: float = 0.5, since: float = 0.0
    ) -> list[DuplicateCluster]:
        """Return the clusters of the present graph, new ones first, then by certainty.

        Args:
            methods: the methods of `METHODS` to use.
            certainty: minimum mean certainty of a cluster; 0.25 shows nearly all.
            since: time stamp of the last visit of the merge desk; 0 marks none as new.
        """
        facts, text = read_facts(self._db, self._find_vectors)
        pairs = find_pairs(facts, text, methods=methods)
        clusters = cluster(pairs, sure=certainty, near=min(0.25, certainty / 2))
        if not clusters:
            return []
        wanted = sorted({i for one in clusters for i in one.ids})
        entities: dict[int, EntityRow] = {
            row.id: row for row in graph.fetch_entities(self._db, wanted)
        }
        came = rows.fetch_first_seen(self._db, wanted)
        by_id = {one.id: one for one in facts}
        contexts = SharedContexts(facts, text)
        found = []
        for one in clusters:
            members = set(one.ids)
            reasons = _choose_best(r for pair in one.pairs for r in pair.reasons)
            against = _choose_best(
                r
                for pair in one.pairs
                for r in pair.against
                if not (r.rivals and members.issuperset(r.rivals))
            )
            newest = max((came.get(i, 0.0) for i in one.ids), default=0.0)
            found.append(
                DuplicateCluster(
                    members=_list_members(one.ids, entities, by_id),
                    certainty=one.certainty,
                    reasons=reasons,
                    against=against,
                    shared=_list_shared(one.ids, contexts, by_id),
                    newest_at=newest,
                    is_new=0.0 < since < newest,
                )
            )
        return arrange(found)

    def count(self, *, certainty: float = 0.5) -> int:
        """Return the number of clusters, found without a model: `find` may return some more."""
        facts, text = read_facts(self._db)
        pairs = find_pairs(facts, text)
        return len(cluster(pairs, sure=certainty, near=min(0.25, certainty / 2)))

    def list_undecided(self, clusters: Sequence[DuplicateCluster]) -> list[DuplicateCluster]:
        """Return those clusters that can still be decided, with the present entities.

        The others have a member that is gone, or two that the user keeps apart.
        """
        wanted = {i for one in clusters for i in one.ids}
        present = {row.id: row for row in graph.fetch_entities(self._db, wanted)}
        apart = {pair_key(a, b) for a, b in rows.fetch_pairs_kept_apart(self._db)}
        return [
            replace(
                one,
                members=tuple(replace(m, entity=present[m.entity.id]) for m in one.members),
            )
            for one in clusters
            if all(i in present for i in one.ids)
            and not any(pair_key(a, b) in apart for a, b in combinations(one.ids, 2))
        ]

    def fetch_evidence(self, found: DuplicateCluster) -> DuplicateCluster:
        """Return the cluster with the sentences of its members, and those against it.

        Each member has the sentences that introduce it best, and one for each of its other names
        that a reason cites.
        """
        cited = {
            str(value) for r in (*found.reasons, *found.against) for value in r.text.params.values()
        }
        supporting: tuple[MentionRow, ...] = ()
        if any(reason.method in _EXPLAINED_BY_SENTENCES for reason in found.reasons):
            supporting = self._fetch_meetings(found.ids)
        contrary = self._fetch_contrary(found)
        quoted = {(m.document_id, m.sentence_start) for m in (*supporting, *contrary)}
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
                for i in rows.fetch_mentions_by_name(self._db, entity_id, name, None, 1)
            ]
            best = [*graph.fetch_mention_rows(self._db, ids), *best][: _N_SENTENCES + len(ids)]
            uncited = [name for name in member.names if name not in cited]
            members.append(replace(member, sentences=tuple(best), names=tuple((*named, *uncited))))
        return replace(found, members=tuple(members), supporting=supporting, contrary=contrary)

    def _fetch_meetings(self, entity_ids: Sequence[int]) -> tuple[MentionRow, ...]:
        """Return sentences that name two of these entities, the closest first; the rarer marked."""
        ids: list[int] = []
        for a, b in combinations(entity_ids, 2):
            ids += rows.fetch_closest_mentions(self._db, b, a, _N_SHOWN)
        return tuple(graph.fetch_mention_rows(self._db, ids[:_N_SHOWN]))

    def _fetch_contrary(self, found: DuplicateCluster) -> tuple[MentionRow, ...]:
        """Return the sentences that the evidence against a cluster refers to."""
        sentences: list[MentionRow] = []
        for reason in found.against:
            if reason.place is not None:
                here = rows.fetch_mentions_in_sentence(self._db, *reason.place)
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
            if one.rule == "told":
                ids = rows.fetch_closest_mentions(
                    self._db, here, here, _N_SHOWN, name=name, other=one.to
                )
            best = rows.fetch_mentions_by_name(self._db, here, name, sense, _N_SHOWN)
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
        return ask_model(self.fetch_evidence(found), model, cancel)


def build_duplicates(db: Db, find_embedder: Callable[[], Embedder | None]) -> Duplicates:
    """Return the service; an embedding model, if there is one, compares descriptions."""
    return Duplicates(db, NameVectors(db, find_embedder))


def _choose_best(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """Return the best reason of each method, strongest first."""
    best: dict[str, Reason] = {}
    for reason in sorted(reasons, key=lambda r: (-r.strength, r.text)):
        best.setdefault(reason.method, reason)
    return tuple(best.values())


def _list_members(
    ids: Sequence[int], entities: dict[int, EntityRow], facts: dict[int, NameFacts]
) -> tuple[DuplicateMember, ...]:
    members = [DuplicateMember(entities[i], facts[i].names[1:]) for i in ids if i in entities]
    return tuple(sorted(members, key=lambda one: (-one.entity.n_mentions, one.entity.id)))


def _list_shared(
    ids: Sequence[int], contexts: SharedContexts, facts: dict[int, NameFacts]
) -> tuple[str, ...]:
    """Return the neighbours that most pairs of the members have in common."""
    counts: dict[int, int] = {}
    for n, a in enumerate(ids):
        for b in ids[n + 1 :]:
            for other in contexts.list_common(a, b, 2 * _N_SHARED):
                counts[other] = counts.get(other, 0) + 1
    best = sorted(counts, key=lambda i: -counts[i])[:_N_SHARED]
    return tuple(facts[i].name for i in best if i in facts and i not in ids)
