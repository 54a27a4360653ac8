"""Whether a string of a long Chinese text is used as a name is, or as a common word is.

The tagger takes common words for names where it has read none like them, most of all in verse:
天晓, 向东 and 柴扉 of 西游记. In a long text their use tells them from names: nobody speaks to a
door, and a name stands between any two characters. The weights were learned from the names of
novels that readers judged (`python -m benchmarks.chinese_use`).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping

from .chinese_tagger import has_surname, iter_found

# A person's name whose estimate is lower is none. Each half of four novels, judged with the weights
# of the other half: of 154 strings that are no names 52 are found, and of 1,086 names 12 are lost.
LEAST_LIKELY = 0.3
RARE = 3  # the least number of places that was learned from
_TOWARDS_PEOPLE = frozenset("与與对對向见見叫教请請令命替同和问問")
_SPEECH = "道曰"
# Characters that end or begin a clause.
_BORDERS = frozenset('。！？!?；;，,：:“”"「」『』《》（）()…—、\u3000\n ‘’')

# With the weight of each. Shares are of all places of a string, and two more are added, so that few
# places prove little.
WEIGHTS = {
    "addressed": 15.692,  # share of places after a word for speaking to or acting with somebody
    "tagged": 3.837,  # share of places where the tagger takes it for a name
    "speaks": 6.994,  # share of places soon before a verb of speech
    "same_after": -4.951,  # share of places before the character that follows it most
    "short": -1.016,  # two characters
    "alone": 3.268,  # share of places where it is a whole clause
    "frequent": 0.88,  # natural logarithm of its number of places
    "full_name": 0.457,  # three characters, the first one a surname
}
CONSTANT = -2.681


def measure_use(text: str, tagged: Mapping[str, int]) -> dict[str, dict[str, float]]:
    """Return the features of `WEIGHTS` for each string.

    Args:
        tagged: string -> at how many of its places the tagger takes it for a name.
    """
    counts: dict[str, Counter[str]] = {name: Counter() for name in tagged}
    after: dict[str, Counter[str]] = defaultdict(Counter)
    for at, name in iter_found(text, tagged):
        end = at + len(name)
        first, last = text[at - 1 : at], text[end : end + 1]
        here = counts[name]
        here["n"] += 1
        here["addressed"] += first in _TOWARDS_PEOPLE
        here["alone"] += first in _BORDERS and last in _BORDERS
        here["speaks"] += any(char in _SPEECH for char in text[end : end + 3])
        if last not in _BORDERS:
            after[name][last] += 1
    return {
        name: {
            **{key: here[key] / (here["n"] + 2) for key in ("addressed", "speaks", "alone")},
            "tagged": tagged[name] / max(1, here["n"]),
            "same_after": max(after[name].values(), default=0) / (here["n"] + 2),
            "short": float(len(name) == 2),
            "frequent": math.log(max(here["n"], RARE)),
            "full_name": float(len(name) == 3 and has_surname(name)),
        }
        for name, here in counts.items()
    }


def find_used_as_words(text: str, tagged: Mapping[str, int]) -> list[str]:
    """Return the strings that are used as common words are, of those taken for names of persons.

    Args:
        text: a long one; tagged: see `measure_use`.
    """
    least = math.log(LEAST_LIKELY / (1 - LEAST_LIKELY))
    return [
        name
        for name, values in measure_use(text, tagged).items()
        if CONSTANT + sum(WEIGHTS[key] * value for key, value in values.items()) < least
    ]
