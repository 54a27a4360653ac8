"""The merge desk's verbs that read: clusters of likely duplicates, their evidence, their order.

Merging and keeping apart are edits like any other (`Editing.merge`, `Editing.never_merge`);
what was decided there is respected here, because the graph is read as it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from ..graph.duplicates import METHODS, Companies, NameFacts, Reason, cluster, find_pairs
from ..models.protocols import ChatModel, Embedder
from ..progress import CancelToken
from ..store import duplicates as rows
from ..store import graph
from ..store.db import Db
from ..types import EntityRow
from . import duplicate_asking
from .duplicate_clusters import SORTS, DuplicateCluster, DuplicateMember, arrange
from .duplicate_facts import FindVectors, read_facts
from .duplicate_joined import JoinedEntity, fetch_sentences, list_joined
from .duplicate_vectors import NameVectors
from .introducing import choose_introductions

_N_SHARED = 6

__all__ = [
    "METHODS",
    "SORTS",
    "DuplicateCluster",
    "DuplicateMember",
    "Duplicates",
    "arrange",
    "build_duplicates",
]


class Duplicates:
    """Finds likely duplicates in a library; never writes.

    Args:
        db: a connection of the calling thread's own.
        find_vectors: gives the vectors of entities by id, if an embedding model made some.
    """

    def __init__(self, db: Db, find_vectors: FindVectors | None = None) -> None:
        self._db = db
        self._find_vectors = find_vectors

    def find(
        self,
        *,
        methods: Collection[str] = METHODS,
        certainty: float = 0.5,
        since: float = 0.0,
    ) -> list[DuplicateCluster]:
        """Return the clusters of the library as it is now, newest first, then the surest.

        Args:
            methods: those of `METHODS` that may speak.
            certainty: the least mean certainty of a cluster; 0.25 shows nearly all there is.
            since: when the desk was last looked at, as a time stamp; 0 makes nothing new.
        """
        facts, text = read_facts(self._db, self._find_vectors)
        pairs = find_pairs(facts, text, methods=methods)
        clusters = cluster(pairs, sure=certainty, near=min(0.25, certainty / 2))
        if not clusters:
            return []
        wanted = sorted({i for one in clusters for i in one.ids})
        entities = {row.id: row for row in graph.fetch_entities(self._db, wanted)}
        came = rows.fetch_first_seen(self._db, wanted)
        by_id = {one.id: one for one in facts}
        companies = Companies(facts, text)
        found = []
        for one in clusters:
            reasons: dict[str, Reason] = {}
            for reason in sorted(
                (r for pair in one.pairs for r in pair.reasons), key=lambda r: (-r.strength, r.text)
            ):
                reasons.setdefault(reason.method, reason)
            newest = max((came.get(i, 0.0) for i in one.ids), default=0.0)
            found.append(
                DuplicateCluster(
                    members=_list_members(one.ids, entities, by_id),
                    certainty=one.certainty,
                    reasons=tuple(reasons.values()),
                    shared=_list_shared(one.ids, companies, by_id),
                    newest_at=newest,
                    is_new=0.0 < since < newest,
                )
            )
        return arrange(found)

    def fetch_evidence(self, found: DuplicateCluster, n_sentences: int = 3) -> DuplicateCluster:
        """Return the cluster with the sentences that introduce each member best."""
        members = tuple(
            replace(
                member,
                sentences=tuple(
                    choose_introductions(
                        graph.fetch_best_mentions(self._db, member.entity.id, 4 * n_sentences),
                        n_sentences,
                        lambda mention: mention.sentence,
                    )
                ),
            )
            for member in found.members
        )
        return replace(found, members=members)

    def list_joined(self) -> list[JoinedEntity]:
        """Return what was made one on its own, each name with its reason."""
        return list_joined(self._db)

    def fetch_joined_sentences(self, found: JoinedEntity) -> JoinedEntity:
        return fetch_sentences(self._db, found)

    def ask(
        self, found: DuplicateCluster, model: ChatModel, cancel: CancelToken | None = None
    ) -> DuplicateCluster:
        """Return the cluster with its sentences and what a chat model says of it in `asked`.

        Raises:
            Cancelled: the token was set.
        """
        return duplicate_asking.ask_model(self.fetch_evidence(found), model, cancel)


def build_duplicates(db: Db, find_embedder: Callable[[], Embedder | None]) -> Duplicates:
    """Return the service with an embedding model that may say which names are described alike."""
    return Duplicates(db, NameVectors(db, find_embedder))


def _list_members(
    ids: Sequence[int], entities: dict[int, EntityRow], facts: dict[int, NameFacts]
) -> tuple[DuplicateMember, ...]:
    members = [DuplicateMember(entities[i], facts[i].names[1:]) for i in ids if i in entities]
    return tuple(sorted(members, key=lambda one: (-one.entity.n_mentions, one.entity.id)))


def _list_shared(
    ids: Sequence[int], companies: Companies, facts: dict[int, NameFacts]
) -> tuple[str, ...]:
    """Return the neighbours that most pairs of the members have in common."""
    counts: dict[int, int] = {}
    for n, a in enumerate(ids):
        for b in ids[n + 1 :]:
            for other in companies.list_common(a, b, 2 * _N_SHARED):
                counts[other] = counts.get(other, 0) + 1
    best = sorted(counts, key=lambda i: -counts[i])[:_N_SHARED]
    return tuple(facts[i].name for i in best if i in facts and i not in ids)
