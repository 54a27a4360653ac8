"""Decides whether a library has anything near a question, before a model is asked.

A question is unrelated to the library where it has no name of an entity, and either has a name
that occurs nowhere, or no window of a document is near it. Measured by `benchmarks.unanswerable`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..model import Passage
from ..store import search as search_rows
from ..store.fts_tokens import list_word_terms
from ..text.folded_words import list_forms
from ..writing_systems import HAN, language_of, stems
from .languages import has_near_in_other_language, is_certainly_about_own
from .search_state import N_MEAN_SAMPLE, SearchState

# Word of an embedding model's name -> how much the best window's cosine must exceed the mean of
# all windows. Chosen on half of the FairytaleQA stories and half of CMRC2018: decision 81.
MIN_EXCESS = {"multilingual-e5": 0.056}
MIN_WINDOWS = 200  # the best of fewer windows is near their mean for any question
# A capital inside a sentence; at its beginning every word has one.
_CAPITALIZED = re.compile(r"(?<=[a-z,;’'\"”)] )[A-Z][^\W\d_]{2,}")
# What writing marks as a name in Chinese: the dot between the parts of a foreign name, the marks of
# a title, and Latin letters. All three are rules of the written language, of any kind of text.
# Letters behind a Chinese name are left out: they may repeat it ("鬼神童子ZENKI").
# Nothing marks the end of a foreign name: it goes on to a character that such names do not have.
_DOTS = "·・•‧"
_PART = rf"(?:(?![的了是在有被把从從对對哪谁誰什何吗嗎])[{HAN}]){{1,8}}"
_MARKED_IN_CHINESE = re.compile(
    rf"(?P<parts>{_PART}(?:[{_DOTS}]{_PART})+)|《(?P<title>[^《》]{{2,40}})》"
    rf"|(?<![{HAN}A-Za-z0-9])[A-Za-z][A-Za-z0-9]{{2,}}"
)
# A question that repeats a sentence of the library is not unrelated, whatever its vector: it shares
# so many words (in Chinese, pairs of characters), and such a share of its own, with one passage.
# Of 1,440 questions about other texts that the vector found unrelated, none does.
MIN_REPEATED_WORDS, MIN_REPEATED_SHARE = 8, 0.5
_N_COMPARED = 5  # of the best passages
_BEGINNING = 3  # characters of a part of a foreign name that are looked for; its end is uncertain


def find_unknown_names(search: SearchState) -> list[str]:
    """Return the names of a question that occur nowhere in the library.

    In English these are capitalized words, in Chinese what writing marks as a name. None where the
    library knows another name of the question.
    """
    if search.linked or search.meant or search.index.names.find(search.question):
        return []
    if language_of(search.question) == "zh":
        return _find_unknown_in_chinese(search)
    words = list(dict.fromkeys(_CAPITALIZED.findall(search.question)))
    terms = {word: f'"{word}"' for word in words}
    counts = search_rows.count_chunks(search.db, terms.values())
    return [word for word, term in terms.items() if not counts[term]]


def _find_unknown_in_chinese(search: SearchState) -> list[str]:
    """Return the marked names of a Chinese question that occur nowhere, not even in part.

    What has a pair of characters that is nowhere, in no form of its characters, occurs nowhere.
    """
    unknown = []
    for match in _MARKED_IN_CHINESE.finditer(search.question):
        name = match["title"] or match[0]
        parts = [name]
        if match["parts"]:
            parts = [part[:_BEGINNING] for part in re.split(f"[{_DOTS}]", name) if len(part) > 1]
        of_parts = [list_word_terms(part, list_forms) for part in parts]
        counts = search_rows.count_chunks(search.db, (term for terms in of_parts for term in terms))
        if of_parts and not any(all(counts[term] for term in terms) for terms in of_parts):
            unknown.append(name)
    return unknown


def repeats_passage(question: str, passages: Sequence[Passage]) -> bool:
    """Return whether a question has half of its words, and many, from one of the best passages."""
    asked = stems(question)
    shared = max((len(asked & stems(one.text)) for one in passages[:_N_COMPARED]), default=0)
    return shared >= max(MIN_REPEATED_WORDS, MIN_REPEATED_SHARE * len(asked))


def is_unrelated(
    search: SearchState, passages: Sequence[Passage], unknown_names: Sequence[str]
) -> bool:
    """Return whether nothing in the library is near the question.

    A question with a name that the library knows is never unrelated, nor one in another language
    than all passages. In a small library, or with an embedding model that was not measured, only
    a question without a word in common with the library is.

    Args:
        unknown_names: of the question, see `find_unknown_names`.
    """
    if not passages:
        return True
    language = language_of(search.question)
    if all(language_of(passage.text) != language for passage in passages):
        return False
    if search.meant or search.linked or search.index.names.find(search.question):
        return False
    if has_near_in_other_language(search):
        return False
    if unknown_names:
        return True
    if search.query_vec is None or not search.cosines:
        return False  # the passages were found by words
    if repeats_passage(search.question, passages):
        return False
    if is_certainly_about_own(search):
        return False
    name = search.embedder.name if search.embedder is not None else ""
    least = next((value for word, value in MIN_EXCESS.items() if word in name), None)
    if least is None or not search_rows.has_vectors(search.db, MIN_WINDOWS):
        return search.param.mode != "naive" and not search.words
    # The mean is that of all languages, even where the passages are in one: with their own, a
    # tenth of the questions about a Chinese novel beside an English one were unrelated.
    mean = search_rows.fetch_mean_vector(search.db, N_MEAN_SAMPLE)
    return max(search.cosines.values()) - float(mean @ search.query_vec) < least
