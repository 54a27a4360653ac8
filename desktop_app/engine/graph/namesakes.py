"""Separates people with one name in different stories: Elizabeth Bennet and Elizabeth Lavenza.

Two stories that share hardly any person have different people, whatever their names are. Documents
that are no stories (papers, letters, notes) speak of real people, who are the same in all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..word_lists import WordLists
from .resolution import is_given_name, parse_latin_name

MIN_STORY_CHARS = 100_000
"""Shorter parts of novels may have casts of their own, and would count as other stories.

Of parts of this length, all pairs of halves of 20 novels are found to be one story, of thirds 59 of
60, of quarters 96 of 102; and none of 4,877 pairs of parts of two stories."""

# Words of speech in 1,000 characters: 18 novels in English have 0.48 to 3.3, four Chinese ones 10
# to 15; papers, manuals, reports and encyclopedia pages of that length up to 0.19.
SPEECH_VERBS = "said|says|cried|replied|asked|answered|exclaimed|returned"
_SPEECH = re.compile(rf"\b(?:{SPEECH_VERBS})\b|[说說道曰][：:，“]|曰[「『]")
_MIN_SPEECH = 0.35

MIN_MENTIONS = 5  # of a person of the cast
# Of a name that may be a famous one, like Napoleon. First names and titles belong to many people.
_MIN_MENTIONS_ALONE = 10
_MIN_CAST = 10
# Share of the smaller cast: halves of one novel have 0.25 and more in common, 230 pairs of novels
# 0.09 at most (one name of eleven); two books on Sherlock Holmes 0.2.
_MIN_SHARED = 0.1
_MIN_N_SHARED = 2

_FAMOUS = WordLists("resolution").words("in_all_stories")
_CHINESE_NAME = re.compile(r"[\u3400-\u9fff]{2}|[\u3400-\u9fff](?:夫人|娘子|小姐|太太|先生|公子)")


@dataclass(frozen=True, slots=True)
class Cast:
    """The people of a story: key of a name (`normalise_name`) -> mentions, from MIN_MENTIONS on."""

    mentions: Mapping[str, int]

    def list_own(self) -> frozenset[str]:
        """Return the names by which a story is known: no first names, nor what all stories have."""
        return frozenset(key for key in self.mentions if _find_least(key) != MIN_MENTIONS) - _FAMOUS


def is_story(text: str) -> bool:
    """Return whether a long text is a story: people speak in it."""
    return len(text) >= MIN_STORY_CHARS and has_speech(text)


def has_speech(text: str) -> bool:
    """Return whether people speak in a text as often as in a story."""
    return bool(text) and len(_SPEECH.findall(text)) * 1000 / len(text) >= _MIN_SPEECH


def are_one_story(a: Cast, b: Cast) -> bool:
    """Return whether two documents are about the same people, as the parts of a novel are."""
    left, right = a.list_own(), b.list_own()
    n_shared = len(left & right)
    return n_shared >= _MIN_N_SHARED and n_shared >= _MIN_SHARED * min(len(left), len(right))


def find_namesakes(a: Cast, b: Cast) -> list[str]:
    """Return the names, as keys, that mean different people in two stories.

    None where a cast is too small to know whether the stories share people.
    """
    if min(len(a.mentions), len(b.mentions)) < _MIN_CAST or are_one_story(a, b):
        return []
    return sorted(
        key
        for key in a.mentions.keys() & b.mentions.keys()
        if min(a.mentions[key], b.mentions[key]) >= _find_least(key)
    )


def find_story(cast: Cast, stories: Iterable[tuple[int, Cast]]) -> int | None:
    """Return the first of the stories that a document belongs to, None for none of them."""
    return next((number for number, other in stories if are_one_story(cast, other)), None)


def _find_least(key: str) -> float:
    """Return how often both stories must have a name before it means two people.

    Never that of a full name, nor of a figure that all stories may speak of.
    """
    if key in _FAMOUS:
        return float("inf")
    if _CHINESE_NAME.fullmatch(key):
        return _MIN_MENTIONS_ALONE
    parsed = parse_latin_name(key)
    if parsed is None or len(parsed.words) != 1 or parsed.words[0] in _FAMOUS:
        return float("inf")
    is_personal = parsed.title or is_given_name(parsed.words[0])
    return MIN_MENTIONS if is_personal else _MIN_MENTIONS_ALONE
