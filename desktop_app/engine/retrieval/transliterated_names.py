"""Links names that a question writes by their sound: Lu Zhishen for 鲁智深, 斯克鲁奇 for Scrooge.

The spellings of Chinese names are made when such a question is first asked, and kept as long as
the library's own names are. What Chinese writes of a Latin name is less sure, so it is looked
for only among the names of the passages that are near the question by their meaning.
"""

from __future__ import annotations

from itertools import islice
from weakref import WeakKeyDictionary

from ..graph.name_linking import NameFinder
from ..graph.transliteration import SoundedNames, SpelledNames, is_foreign, is_latin
from ..store import graph_evidence as evidence
from ..store import search as rows
from .search_state import LinkedName, SearchState

RARER = 0.1
NEAR = 12  # passages

_kept: WeakKeyDictionary[NameFinder, SpelledNames] = WeakKeyDictionary()
_foreign: WeakKeyDictionary[NameFinder, frozenset[int]] = WeakKeyDictionary()


def link_spelled(search: SearchState) -> list[LinkedName]:
    """Return the question's linked names with those that it spells by sound, in reading order."""
    if not is_latin(search.question):
        return _link_sounded(search)
    names = search.index.names
    spelled = _kept.get(names)
    if spelled is None:
        spelled = SpelledNames(rows.fetch_known_names(search.db))
        _kept[names] = spelled
    return _join(search, spelled.find(search.question))


def _link_sounded(search: SearchState) -> list[LinkedName]:
    foreign = _foreign.get(search.index.names)
    if foreign is None:
        named = rows.fetch_known_names(search.db)
        foreign = frozenset(entity_id for name, entity_id in named if is_foreign(name))
        _foreign[search.index.names] = foreign
    if not foreign:
        return search.linked
    near = evidence.fetch_named_in(search.db, list(islice(search.cosines, NEAR)))
    ids = [i for i in dict.fromkeys(entity_id for _, entity_id, *_ in near) if i in foreign]
    known = [
        (name, entity_id) for entity_id, _, name, *_ in evidence.fetch_names_of(search.db, ids)
    ]
    return _join(search, SoundedNames(known).find(search.question))


def _join(search: SearchState, more: list[LinkedName]) -> list[LinkedName]:
    """Return the linked names with those of `more` that take no place of theirs."""
    taken = [(start, end) for start, end, _ in search.linked]
    added = [
        (start, end, _best_known(search, values))
        for start, end, values in more
        if not any(start < last and first < end for first, last in taken)
    ]
    return sorted([*search.linked, *added], key=lambda hit: hit[:2])


def _best_known(search: SearchState, values: list[int]) -> list[int]:
    """Return those of several names of one sound that are not far rarer than the best known."""
    uses = {value: len(search.index.chunks_of_entity.get(value, ())) for value in values}
    return [value for value in values if uses[value] >= RARER * max(uses.values())]
