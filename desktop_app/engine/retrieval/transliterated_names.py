"""Links transliterated names of a question to entities: Lu Zhishen to 鲁智深, 斯克鲁奇 to Scrooge.

Romanizations of the library's Chinese names are computed at the first such question and cached as
long as the index of names exists. Chinese transliterations of Latin names are ambiguous, so only
names in the passages nearest to the question by vector search are candidates.
"""

from __future__ import annotations

from itertools import islice
from weakref import WeakKeyDictionary

from ..graph.name_linking import NameFinder
from ..graph.transliteration import PhoneticNames, RomanizedNames, is_foreign, is_latin
from ..store import graph_evidence as evidence
from ..store import graph_view as rows
from .search_state import LinkedName, SearchState

MIN_FREQUENCY_SHARE = 0.1  # of the most frequent entity with the same transliteration
N_NEAR_PASSAGES = 12

_romanized_names: WeakKeyDictionary[NameFinder, RomanizedNames] = WeakKeyDictionary()
_latin_entity_ids: WeakKeyDictionary[NameFinder, frozenset[int]] = WeakKeyDictionary()


def link_transliterated_names(search: SearchState) -> list[LinkedName]:
    """Return the linked names of a question with its transliterated ones, in reading order."""
    if not is_latin(search.question):
        return _link_chinese_transliterations(search)
    names = search.index.names
    romanized = _romanized_names.get(names)
    if romanized is None:
        romanized = RomanizedNames(rows.fetch_known_names(search.db))
        _romanized_names[names] = romanized
    return _join(search, romanized.find(search.question))


def _link_chinese_transliterations(search: SearchState) -> list[LinkedName]:
    latin_ids = _latin_entity_ids.get(search.index.names)
    if latin_ids is None:
        named = rows.fetch_known_names(search.db)
        latin_ids = frozenset(entity_id for name, entity_id in named if is_foreign(name))
        _latin_entity_ids[search.index.names] = latin_ids
    if not latin_ids:
        return search.linked
    near = evidence.fetch_named_in(search.db, list(islice(search.cosines, N_NEAR_PASSAGES)))
    ids = [i for i in dict.fromkeys(entity_id for _, entity_id, *_ in near) if i in latin_ids]
    known = [
        (name, entity_id) for entity_id, _, name, *_ in evidence.fetch_names_of(search.db, ids)
    ]
    return _join(search, PhoneticNames(known).find(search.question))


def _join(search: SearchState, more: list[LinkedName]) -> list[LinkedName]:
    """Return the linked names with those of `more` that do not overlap them."""
    taken = [(start, end) for start, end, _ in search.linked]
    added = [
        (start, end, _keep_frequent(search, values))
        for start, end, values in more
        if not any(start < last and first < end for first, last in taken)
    ]
    return sorted([*search.linked, *added], key=lambda hit: hit[:2])


def _keep_frequent(search: SearchState, values: list[int]) -> list[int]:
    """Return the entities that are not far rarer than the most frequent one."""
    uses = {value: len(search.index.chunks_of_entity.get(value, ())) for value in values}
    return [value for value in values if uses[value] >= MIN_FREQUENCY_SHARE * max(uses.values())]
