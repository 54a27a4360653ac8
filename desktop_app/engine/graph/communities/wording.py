"""What tells a community from the others without a model: its middle, and its own words.

Counts in, rankings out; where words come from is the caller's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log

MOST_KEY_WORDS = 6
LEAST_USES = 2.0


def rank_members(
    members: Iterable[int], ties: Iterable[tuple[int, int, float]], mentions: Mapping[int, int]
) -> list[int]:
    """Return the members, those that hold it together first.

    Args:
        ties: (member, member, weight) inside the community.
        mentions: entity -> how often it is named, which breaks ties.
    """
    strength: dict[int, float] = dict.fromkeys(members, 0.0)
    for a, b, weight in ties:
        strength[a] += weight
        strength[b] += weight
    return sorted(strength, key=lambda i: (-strength[i], -mentions.get(i, 0), i))


def choose_key_words(
    counts: Sequence[Mapping[str, float]],
    *,
    leave_out: frozenset[str] = frozenset(),
    most: int = MOST_KEY_WORDS,
) -> list[list[str]]:
    """Return, for each community, the words that it has more of than all together.

    A word's score is how often it is used here times the logarithm of how much more often than
    elsewhere (the part of a log-likelihood that speaks for this community).

    Args:
        counts: for each community, word -> uses.
        leave_out: words that are names.
    """
    everywhere: Counter[str] = Counter()
    for own in counts:
        everywhere.update(own)
    total = sum(everywhere.values()) or 1.0
    chosen = []
    for own in counts:
        n_own = sum(own.values()) or 1.0
        scored = []
        for word, uses in own.items():
            if word in leave_out or len(word) < 2 or "'" in word or "’" in word:
                continue
            ratio = (uses / n_own) / (everywhere[word] / total)
            if ratio > 1.0 and (uses >= LEAST_USES or len(own) < 12):
                scored.append((-uses * log(ratio), word))
        chosen.append([word for _, word in sorted(scored)[:most]])
    return chosen
