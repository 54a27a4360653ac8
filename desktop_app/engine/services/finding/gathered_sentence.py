"""Which sentence of a passage answers a question that gathers: who is asked about, with others.

A window near in meaning often stands beside it. Owns the choice; the passage stays as it is.
"""

from __future__ import annotations

from dataclasses import replace

from ...graph.question_words import told_words
from ...store.graph import fetch_mentions_between
from ...text.features import features, language_of
from ...text.sentences import split_sentences
from ...types import Passage
from .search import Search

ASKED = 1.0
OTHER = 0.5  # for another person, half where who is asked about is not named
MOST_OTHERS, MOST_WORDS = 2, 2
NEAR = 0.5  # inside the window nearest in meaning
TOLD = 0.3  # for a word that stories tell such answers in


def choose_gathered(search: Search, passages: list[Passage]) -> list[Passage]:
    """Return the passages, each with the sentence that ties who is asked about to others."""
    asked, told = set(search.entity_ids), features(told_words(search.question))
    return [_choose(search, passage, asked, told) for passage in passages] if asked else passages


def _choose(search: Search, passage: Passage, asked: set[int], told: set[str]) -> Passage:
    mentions = fetch_mentions_between(
        search.db, passage.document_id, passage.start, passage.start + len(passage.text)
    )
    near = (passage.best_start - passage.start, passage.best_end - passage.start)

    def rate(span: tuple[int, int]) -> float:
        inside = [m for m in mentions if span[0] <= m[0] - passage.start < span[1]]
        named = any(m[2] in asked for m in inside)
        others = {m[2] for m in inside if m[4] == "person"} - asked
        words = told & features(passage.text[slice(*span)])
        return (
            ASKED * named
            + OTHER * min(MOST_OTHERS, len(others)) * (1.0 if named else 0.5)
            + NEAR * (span[0] < near[1] and span[1] > near[0])
            + TOLD * min(MOST_WORDS, len(words))
        )

    spans = split_sentences(passage.text, language_of(passage.text[:200]))
    if not spans:
        return passage
    start, end = max(spans, key=lambda span: (rate(span), -span[0]))
    return replace(passage, best_start=passage.start + start, best_end=passage.start + end)
