"""Which names a chunk ties together, how closely, and by which sentence and words.

Owns the pairing of names by sentence and by neighbouring sentences. A roll call of a hundred
names gives each only its nearest, so that it doesn't explode.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ..types import ClaimedRelation
from .keywords import find_keywords
from .spans import Located, Span, spread

MOST_IN_A_SENTENCE = 12
NEXT_IN_A_ROLL_CALL = 3
_NEIGHBOUR_SHARE = 0.3
_MOST_NEIGHBOURS = 4


@dataclass(slots=True)
class _Tie:
    """One pair of names while the chunk is read."""

    source: str
    target: str
    weight: float = 0.0
    best: float = 0.0
    start: int = 0
    end: int = 0
    between: Span = (0, 0)


def pair_names(
    text: str,
    groups: Sequence[tuple[Span, Sequence[Located]]],
    language: str,
    known_words: Collection[str],
) -> tuple[ClaimedRelation, ...]:
    """Return one relation a pair of names of a chunk.

    Args:
        groups: sentences of the chunk, in order, each with its located names.
        known_words: the document's lower-case words, for lemmas.
    """
    ties: dict[frozenset[str], _Tie] = {}
    before: tuple[Span, Sequence[Located]] | None = None
    for sentence, names in groups:
        reach = len(names) if len(names) <= MOST_IN_A_SENTENCE else NEXT_IN_A_ROLL_CALL
        for index, left in enumerate(names):
            for right in names[index + 1 : index + 1 + reach]:
                apart = max(0, right.start - left.end)
                _tie(ties, left, right, 1.0 / spread(apart), sentence)
        if before is not None and sentence[0] - before[0][1] < 200:
            for left in before[1][-_MOST_NEIGHBOURS:]:
                for right in names[:_MOST_NEIGHBOURS]:
                    apart = max(0, right.start - left.end)
                    weight = _NEIGHBOUR_SHARE / spread(apart)
                    _tie(ties, left, right, weight, (before[0][0], sentence[1]))
        before = (sentence, names)
    relations = []
    for tie in ties.values():
        between = text[tie.between[0] : tie.between[1]]
        around = text[tie.start : tie.end]
        words = find_keywords(between, around, language, known_words)
        relations.append(
            ClaimedRelation(
                tie.source,
                tie.target,
                tie.start,
                tie.end,
                weight=round(tie.weight, 4),
                keywords=words,
            )
        )
    return tuple(relations)


def _tie(
    ties: dict[frozenset[str], _Tie], left: Located, right: Located, weight: float, span: Span
) -> None:
    if left.name == right.name:
        return
    key = frozenset((left.name, right.name))
    tie = ties.get(key)
    if tie is None:
        tie = ties[key] = _Tie(left.name, right.name)
    tie.weight += weight
    if weight > tie.best:
        tie.best = weight
        tie.source, tie.target = left.name, right.name
        tie.start, tie.end = span
        tie.between = (left.end, right.start)
