"""The most frequent characters and words of each language, for language detection."""

from __future__ import annotations

from ..word_lists import WordLists

_LISTS = WordLists("frequent_words")
FREQUENT_HAN = _LISTS.characters("simplified") | _LISTS.characters("traditional")
FREQUENT_HANGUL = _LISTS.characters("hangul")
FUNCTION_WORDS = {
    language: frozenset(words) for language, words in _LISTS.table("function_words").items()
}
