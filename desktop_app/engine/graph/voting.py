"""What the evidence says of one name, counted: its type, and whether it names anything at all.

Pure. The tagger's mentions and a model's judgements vote together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from ..types import STRUCK
from .evidence import Judgement

# A chunk names somebody about three times and a tagger errs in all of them alike, so a model that
# judges half of somebody's chunks must be able to overrule it.
MENTIONS_PER_JUDGEMENT = 8
UNKNOWN_CONFIDENCE = 0.5  # of a judgement that comes without one
# One slip must not take away somebody whom the book names five hundred times.
STRIKE_SHARE = 0.1


def count_votes(types: Mapping[str, int], judgements: Iterable[Judgement]) -> Counter[str]:
    """Return the votes for each type, in hundredths of a mention, so that sums are exact."""
    votes = Counter({kind: 100 * n for kind, n in types.items()})
    for one in judgements:
        if one.type and one.type != STRUCK:
            votes[one.type] += MENTIONS_PER_JUDGEMENT * _sureness(one)
    return votes


def is_struck(n_mentions: int, judgements: Iterable[Judgement]) -> bool:
    """Say whether models hold a word, by confidence, for nobody and nothing rather than a name."""
    against = in_favour = 0
    for one in judgements:
        if one.type == STRUCK:
            against += _sureness(one)
        elif one.type:
            in_favour += _sureness(one)
    enough = against * MENTIONS_PER_JUDGEMENT >= STRIKE_SHARE * 100 * n_mentions
    return against > in_favour and enough


def _sureness(judgement: Judgement) -> int:
    return round(100 * (judgement.confidence or UNKNOWN_CONFIDENCE))
