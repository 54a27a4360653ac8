"""Links names that an English question spells by sound to the Chinese names of a library.

Made when such a question is first asked, and kept as long as the library's own names are.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from ...graph.linking import NameFinder
from ...graph.pinyin_names import SpelledNames, is_latin
from ...store import search as rows
from .search import LinkedName, Search

RARER = 0.1

_kept: WeakKeyDictionary[NameFinder, SpelledNames] = WeakKeyDictionary()


def link_spelled(search: Search) -> list[LinkedName]:
    """Return the question's linked names with those that it spells by sound, in reading order."""
    if not is_latin(search.question):
        return search.linked
    names = search.index.names
    spelled = _kept.get(names)
    if spelled is None:
        spelled = SpelledNames(rows.fetch_known_names(search.db))
        _kept[names] = spelled
    taken = [(start, end) for start, end, _ in search.linked]
    more = [
        (start, end, _best_known(search, values))
        for start, end, values in spelled.find(search.question)
        if not any(start < last and first < end for first, last in taken)
    ]
    return sorted([*search.linked, *more], key=lambda hit: hit[:2])


def _best_known(search: Search, values: list[int]) -> list[int]:
    """Return those of several names of one sound that are not far rarer than the best known."""
    uses = {value: len(search.index.chunks_of_entity.get(value, ())) for value in values}
    return [value for value in values if uses[value] >= RARER * max(uses.values())]
