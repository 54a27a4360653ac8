"""Merges all claims about a pair of entities into one relation, independent of their order."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from .curation import UserRelation
from .evidence import Claim, choose_description, hash_fragments, list_fragments

MAX_KEYWORDS = 6
OCCASIONAL_KINDS = {"talk": 0.25}  # weight of kinds that occur besides a lasting one


@dataclass(frozen=True, slots=True)
class DerivedRelation:
    """A relation as it is stored; the smaller entity id comes first."""

    source_id: int
    target_id: int
    weight: float
    n_evidence: int
    description: str = ""
    keywords: tuple[str, ...] = ()
    kind: str = ""
    best_claim: int | None = None
    n_enriched: int = 0
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class Closeness:
    """Claim weight by the instant strategy of each end with any name; `total` of all names."""

    source: float
    target: float
    total: float


def merge_claims(
    pair: tuple[int, int],
    claims: Sequence[Claim],
    closeness: Closeness,
    summaries: Mapping[str, str],
) -> tuple[DerivedRelation, str]:
    """Return the relation of a pair, and the key of its summary ("" if it needs none)."""
    strengths = [claim.strength for claim in claims]
    words = Counter(k for c in claims for k in c.keywords)
    fragments = list_fragments((c.place, c.description) for c in claims if c.description)
    kind, confidence = _choose_kind([c for c in claims if c.kind])
    enriched_chunks = {c.chunk_id for c in claims if c.description or c.kind}
    weight = math.fsum(strengths) * _damping(math.fsum(c.weight for c in claims), closeness)
    relation = DerivedRelation(
        *pair,
        weight=round(weight, 6),
        n_evidence=len(claims),
        description=choose_description(fragments, summaries),
        keywords=tuple(sorted(words, key=lambda k: (-words[k], k))[:MAX_KEYWORDS]),
        kind=kind,
        best_claim=_choose_best(claims, strengths, kind).id,
        n_enriched=len(enriched_chunks),
        confidence=confidence,
    )
    return relation, hash_fragments(fragments) if len(fragments) > 1 else ""


def apply_user_relations(
    pair: tuple[int, int], current: DerivedRelation | None, changes: Sequence[UserRelation]
) -> DerivedRelation | None:
    """Return the relation with the user's changes; None if the user deleted it."""
    for change in changes:
        if change.deleted:
            current = None
            continue
        old = current or DerivedRelation(*pair, weight=0.0, n_evidence=0)
        current = replace(
            old,
            weight=max(change.weight, old.weight),
            description=change.description or old.description,
            keywords=change.keywords or old.keywords,
            kind=change.kind or old.kind,
            confidence=1.0 if change.kind else old.confidence,
        )
    return current


def _damping(weight: float, closeness: Closeness) -> float:
    """Return a factor of 0.3 to 1 that lowers the weight of pairs of very frequent entities.

    Normalised pointwise mutual information (Bouma 2009) over claim weights. The frequencies are
    those of the text alone, so a claim added by a model changes no other pair.
    """
    total = max(closeness.total, weight)
    share = weight / total
    if share >= 1.0 or weight <= 0.0:
        return 1.0
    expected = max(closeness.source, weight) * max(closeness.target, weight) / (4.0 * total * total)
    npmi = math.log(share / expected) / -math.log(share)
    return 0.3 + 0.7 * min(1.0, max(0.0, npmi))


def _choose_best(claims: Sequence[Claim], strengths: Sequence[float], kind: str) -> Claim:
    """Return the strongest claim of the shown kind, the earliest of equally strong ones."""
    of_kind = [pair for pair in zip(claims, strengths, strict=True) if pair[0].kind == kind]
    most = max(strength for _, strength in of_kind)
    best = [claim for claim, strength in of_kind if strength == most]
    if len(best) == 1:
        return best[0]
    return min(best, key=lambda claim: (claim.place, claim.description, claim.id))


def _choose_kind(with_kind: Sequence[Claim]) -> tuple[str, float]:
    """Return the kind with the highest sum of confidence × weight, and its mean confidence.

    Occasional kinds have a lower weight: family members also talk to each other. Directions are
    not distinguished; the descriptions contain them.
    """
    if not with_kind:
        return "", 0.0
    votes: dict[str, list[Claim]] = defaultdict(list)
    for claim in with_kind:
        votes[claim.kind].append(claim)
    sums = {
        kind: math.fsum(c.weight * c.confidence for c in each) * OCCASIONAL_KINDS.get(kind, 1.0)
        for kind, each in votes.items()
    }
    kind = min(sums, key=lambda k: (-sums[k], -len(votes[k]), k))
    weight = math.fsum(c.weight for c in votes[kind]) or 1.0
    return kind, round(math.fsum(c.weight * c.confidence for c in votes[kind]) / weight, 4)
