"""Unites all claims about one pair into a relation. Pure, and blind to the claims' order."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from .curation import UserRelation
from .evidence import Claim, describe, hash_fragments, list_fragments

MAX_KEYWORDS = 6
PASSING = {"talk": 0.25}


@dataclass(frozen=True, slots=True)
class DerivedRelation:
    """A relation to be kept; the smaller entity id comes first."""

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
    """How much the text, before any model, has the two ends near other names; `total` of all."""

    source: float
    target: float
    total: float


def merge_claims(
    pair: tuple[int, int],
    found: Sequence[Claim],
    closeness: Closeness,
    summaries: Mapping[str, str],
) -> tuple[DerivedRelation, str]:
    """Return the relation of a pair and the key that a summary of it would have, "" if none."""
    strengths = [claim.strength for claim in found]
    words = Counter(k for c in found for k in c.keywords)
    fragments = list_fragments((c.place, c.description) for c in found if c.description)
    kind, confidence = _choose_kind([c for c in found if c.kind])
    said = {c.chunk_id for c in found if c.description or c.kind}
    weight = math.fsum(strengths) * _damping(math.fsum(c.weight for c in found), closeness)
    relation = DerivedRelation(
        *pair,
        weight=round(weight, 6),
        n_evidence=len(found),
        description=describe(fragments, summaries),
        keywords=tuple(sorted(words, key=lambda k: (-words[k], k))[:MAX_KEYWORDS]),
        kind=kind,
        best_claim=_choose_best(found, strengths, kind).id,
        n_enriched=len(said),
        confidence=confidence,
    )
    return relation, hash_fragments(fragments) if len(fragments) > 1 else ""


def apply_user_relations(
    pair: tuple[int, int], made: DerivedRelation | None, by_hand: Sequence[UserRelation]
) -> DerivedRelation | None:
    """Return the relation as the person wants it; None where it is taken out."""
    for hand in by_hand:
        if hand.deleted:
            made = None
            continue
        old = made or DerivedRelation(*pair, weight=0.0, n_evidence=0)
        made = replace(
            old,
            weight=max(hand.weight, old.weight),
            description=hand.description or old.description,
            keywords=hand.keywords or old.keywords,
            kind=hand.kind or old.kind,
            confidence=1.0 if hand.kind else old.confidence,
        )
    return made


def _damping(weight: float, closeness: Closeness) -> float:
    """Return how much of a weight counts where both ends are named everywhere, 0.3 to 1.

    Normalised pointwise mutual information (Bouma 2009) over claim weights. What is common is
    read off the text alone: a model that adds or drops a claim moves no other pair.
    """
    total = max(closeness.total, weight)
    share = weight / total
    if share >= 1.0 or weight <= 0.0:
        return 1.0
    expected = max(closeness.source, weight) * max(closeness.target, weight) / (4.0 * total * total)
    npmi = math.log(share / expected) / -math.log(share)
    return 0.3 + 0.7 * min(1.0, max(0.0, npmi))


def _choose_best(found: Sequence[Claim], strengths: Sequence[float], kind: str) -> Claim:
    """Return the strongest claim of the kind that is shown, the earliest of those alike."""
    told = [pair for pair in zip(found, strengths, strict=True) if pair[0].kind == kind]
    most = max(strength for _, strength in told)
    best = [claim for claim, strength in told if strength == most]
    if len(best) == 1:
        return best[0]
    return min(best, key=lambda claim: (claim.place, claim.description, claim.id))


def _choose_kind(asked: Sequence[Claim]) -> tuple[str, float]:
    """Return the kind with most confidence × weight, and how sure those that say so are of it.

    People who are family also talk, every day: a passing kind counts for a part. Directions are
    not told apart: who is whose master is said by the descriptions.
    """
    if not asked:
        return "", 0.0
    votes: dict[str, list[Claim]] = defaultdict(list)
    for claim in asked:
        votes[claim.kind].append(claim)
    sums = {
        kind: math.fsum(c.weight * c.confidence for c in each) * PASSING.get(kind, 1.0)
        for kind, each in votes.items()
    }
    kind = min(sums, key=lambda k: (-sums[k], -len(votes[k]), k))
    weight = math.fsum(c.weight for c in votes[kind]) or 1.0
    return kind, round(math.fsum(c.weight * c.confidence for c in votes[kind]) / weight, 4)
