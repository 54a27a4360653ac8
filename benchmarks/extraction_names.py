"""How typed names are scored against a gold standard, and LitBank's names. Mostly pure functions.

Owns what a model's judgements make of a name in one document, and the counts of overlapping
spans. LitBank's named people, places, organisations and vehicles are mapped onto our types.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .extraction_scores import f1
from .names import load_gold, load_text

TypedSpan = tuple[int, int, str]
TYPES = {
    "PER": "person",
    "ORG": "organisation",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "VEH": "object",
}
NONE = "none"
# Types that LitBank does not annotate: what is found of them is not held against anybody.
ONLY_IF_RIGHT = frozenset(("object",))
NOT_JUDGED = frozenset(("event", "concept", NONE))


def iter_passages(folder: Path) -> Iterator[tuple[str, str, list[TypedSpan]]]:
    """Yield (name, text, named spans with our types) of every LitBank passage, in order."""
    for path in sorted(folder.glob("*.txt")):
        text, spans = load_text(path)
        gold = load_gold(path.with_suffix(".ann"), spans, TYPES)
        yield path.stem, text, [(*span, kind) for span, kind in gold.items()]


def settle_type(seen: Mapping[str, int], claims: Sequence[tuple[str, float]]) -> tuple[str, bool]:
    """Return the type of a name in one document, and whether a model struck it out there.

    Args:
        seen: types of its mentions, counted.
        claims: (type, confidence) of each model's judgement; "" says nothing of the type.
    """
    said: dict[str, float] = {}
    for type_, confidence in claims:
        if type_:
            said[type_] = said.get(type_, 0.0) + (confidence or 1e-9)
    total = sum(said.values())
    if said.pop(NONE, 0.0) > total / 2:
        return NONE, True
    votes: Mapping[str, float] = said or seen
    return (min(votes, key=lambda t: (-votes[t], t)) if votes else "other"), False


@dataclass(frozen=True, slots=True)
class NameScore:
    """Counts of names that overlap the gold ones; `typed` where the types agree as well."""

    n_gold: int = 0
    n_found: int = 0
    hits: int = 0
    covered: int = 0
    typed_hits: int = 0
    typed_covered: int = 0

    def __add__(self, other: NameScore) -> NameScore:
        return NameScore(
            *(getattr(self, field) + getattr(other, field) for field in NameScore.__slots__)
        )

    def figures(self) -> dict[str, float]:
        precision, recall = self.hits / max(1, self.n_found), self.covered / max(1, self.n_gold)
        typed = self.typed_hits / max(1, self.n_found), self.typed_covered / max(1, self.n_gold)
        return {
            "precision": round(precision, 4),
            "recall": round(recall, 4),
            "f1": round(f1(precision, recall), 4),
            "typed_precision": round(typed[0], 4),
            "typed_recall": round(typed[1], 4),
            "typed_f1": round(f1(*typed), 4),
            "found": self.n_found,
            "gold": self.n_gold,
        }


def score_names(
    gold: Sequence[TypedSpan], found: Sequence[TypedSpan], judged_only: frozenset[str] = frozenset()
) -> NameScore:
    """Compare typed spans by overlap; found ones of types in `judged_only` count only if right."""
    met = _meetings(found, gold)
    kept = [
        (span, types)
        for span, types in zip(found, met, strict=True)
        if types or span[2] not in judged_only
    ]
    back = _meetings(gold, [span for span, _ in kept])
    return NameScore(
        n_gold=len(gold),
        n_found=len(kept),
        hits=sum(bool(types) for _, types in kept),
        covered=sum(bool(types) for types in back),
        typed_hits=sum(span[2] in types for span, types in kept),
        typed_covered=sum(span[2] in types for span, types in zip(gold, back, strict=True)),
    )


def _meetings(spans: Sequence[TypedSpan], others: Sequence[TypedSpan]) -> list[set[str]]:
    """Return for each span the types of the others that overlap it."""
    ordered = sorted(others)
    longest = max((end - start for start, end, _ in ordered), default=0)
    met = []
    for start, end, _ in spans:
        first = bisect_left(ordered, start - longest, key=lambda other: other[0])
        last = bisect_left(ordered, end, key=lambda other: other[0])
        met.append({kind for a, b, kind in ordered[first:last] if a < end and start < b})
    return met
