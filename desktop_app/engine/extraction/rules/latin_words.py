"""Word lists for names in English text: titles, place and company words, words that are no names.

The words are in `words/latin.toml`; `latin_names.py` decides how they are used.
"""

from __future__ import annotations

from ...word_lists import WordLists

_LISTS = WordLists("latin")
FEMALE_TITLES = _LISTS.words("female_titles")
MALE_TITLES = _LISTS.words("male_titles")
NEUTRAL_TITLES = _LISTS.words("neutral_titles")
TITLES = FEMALE_TITLES | MALE_TITLES | NEUTRAL_TITLES
ABBREVIATIONS = _LISTS.words("abbreviations")
COMMON = _LISTS.words("common")
DEMONYMS = _LISTS.words("demonyms")
CONNECTORS = _LISTS.words("connectors")
OF_HEADS = _LISTS.words("of_heads")
PLACE_HEADS = _LISTS.words("place_heads")
ORGANISATION_HEADS = _LISTS.words("organisation_heads")
OBJECT_HEADS = _LISTS.words("object_heads")
EVENT_HEADS = _LISTS.words("event_heads")
PERSON_HEADS = _LISTS.words("person_heads")
CONCEPT_HEADS = _LISTS.words("concept_heads")
PLACE_TAILS = _LISTS.words("place_tails")
ORGANISATION_TAILS = _LISTS.words("organisation_tails")
EVENT_TAILS = _LISTS.words("event_tails")
FEMALE_NAMES = _LISTS.words("female_names")
MALE_NAMES = _LISTS.words("male_names")
SPEECH = _LISTS.words("speech")
PLACE_BEFORE = _LISTS.words("place_before")
NEVER_FIRST = _LISTS.words("never_first")
SPLITTERS = _LISTS.words("splitters")
MADE_BY = _LISTS.words("made_by")
KIN_OF = _LISTS.words("kin_of")
RULER_OF = _LISTS.words("ruler_of")
