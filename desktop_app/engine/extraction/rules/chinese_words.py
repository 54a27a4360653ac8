"""Word lists for Chinese names, simplified and traditional: surnames, titles, common nouns.

The words are in `words/chinese.toml`; `chinese_names.py` and `chinese_tagger.py` use them.
"""

from __future__ import annotations

from ...word_lists import WordLists

_LISTS = WordLists("chinese")
SURNAMES = _LISTS.characters("surnames")
DOUBLE_SURNAMES = _LISTS.words("double_surnames")
TITLES = _LISTS.longest_first("titles")
GENERIC = _LISTS.words("generic")
ATTACHED_AFTER = _LISTS.longest_first("attached_after")
ATTACHED_BEFORE = _LISTS.longest_first("attached_before")
VERBS_AFTER = _LISTS.in_order("verbs_after")
NARRATION_BEFORE = _LISTS.in_order("narration_before")
FUNCTION = _LISTS.characters("function")
PLACE_TAILS = _LISTS.characters("place_tails")
ORGANISATION_TAILS = _LISTS.in_order("organisation_tails")
RARE_SURNAMES = _LISTS.characters("rare_surnames")
ACTIONS_AFTER = _LISTS.characters("actions_after")
