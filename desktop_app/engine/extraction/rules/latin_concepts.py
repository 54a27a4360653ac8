"""Types of names in papers and manuals: concepts (methods, systems, data sets), cited authors.

The tagger learned from news, where a name in capitals is an organisation and one with a capital
inside is a person or a place. Papers and manuals are full of such names of methods and programs. So
in a text that cites and numbers its figures as papers do, or that has words of program code as
manuals do, the form of a name and the words beside it decide; texts of other kinds are left alone.
The points were chosen on three papers (`benchmarks.paper_names`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from . import latin_words as lists
from .latin_tokens import Words, has_english_base_form

_SCHOLARLY = re.compile(
    r"\bet al\b|\[\d{1,3}(?:[,–-] ?\d{1,3})*\]|\((?:[^()]{2,60},? )?(?:19|20)\d\d[a-z]?\)"
    r"|\b(?:Figure|Fig\.|Table|Section|Sect\.|Eq\.|Equation) ?\d"
)
_LEAST_PER_1000 = 0.3  # novels have at most 0.04, papers 0.8 to 2
_LEAST_CHARS = 2_000
# Words of program code: with an underscore or a capital inside. Of 1,000 characters, 17 manuals and
# pages of documentation have 0.37 to 13, 24 novels and other books at most 0.31, and these at most
# two different ones ("eBook" of the licence), unless a scan was read badly.
_CODE = re.compile(r"\b(?=\w*[A-Za-z])(?:[A-Za-z\d]+(?:_[A-Za-z\d]+)+|\w*[a-z][A-Z]\w*)\b")
_IN_CODE = re.compile(r"[a-z][A-Z]|[A-Za-z\d]_[A-Za-z\d]")  # one of these is in each such word
_LEAST_CODE_PER_1000, _LEAST_CODE_WORDS = 0.33, 8
# Values that C, Java, JavaScript, Python, Ruby, SQL and JSON have as words of the language: every
# manual has them, and none is about them.
CODE_VALUES = frozenset(("null", "nil", "none", "true", "false", "undefined", "void", "nan"))
_YEAR = re.compile(r"(?:19|20)\d\d")
_ACRONYMS = re.compile(r"[A-Z]{2,}s")
_MIXED = re.compile(r".*[a-z]\w*[A-Z].*|.*[A-Za-z]\d.*|.*\d[A-Z].*|[A-Z]{2,}[a-z]{2,}.*")
_OF_SURNAMES = re.compile(r"(?:Mc|Mac|O['’]|D['’]|De|Di|Du|La|Le|Van|Fitz)[A-Z]")
_TAILS = lists.PLACE_TAILS | lists.ORGANISATION_TAILS | lists.EVENT_TAILS
_GIVEN = lists.MALE_NAMES | lists.FEMALE_NAMES
LEAST_POINTS = 2.0
LEAST_CITED = 0.25  # share of a person's occurrences


def is_paper(text: str) -> bool:
    """Return whether a text has as many citations and numbered figures as papers have."""
    if len(text) < _LEAST_CHARS:
        return False
    return len(_SCHOLARLY.findall(text)) * 1000 > _LEAST_PER_1000 * len(text)


def is_manual(text: str) -> bool:
    """Return whether a text has as many words of program code as manuals have."""
    if len(text) < _LEAST_CHARS:
        return False
    least = max(_LEAST_CODE_WORDS, _LEAST_CODE_PER_1000 * len(text) / 1000)
    if len(_IN_CODE.findall(text)) < least:  # most texts; half of the time
        return False
    found = [word for word in _CODE.findall(text) if not _OF_SURNAMES.match(word)]
    return len(found) >= least and len(set(found)) >= _LEAST_CODE_WORDS


def is_cited(words: Words, first: int, stop: int) -> bool:
    """Return whether a name is cited as an author: "Gao et al.", "Gao (2023)", "(Gao, 2023)"."""
    if stop + 1 >= len(words):
        return False
    after = words.forms[stop]
    if after == "et":
        return words.forms[stop + 1].startswith("al")
    if not _YEAR.fullmatch(after[:4]) or len(after) > 5:
        return False
    gap = words.text[words.ends[stop - 1] : words.starts[stop]]
    before = words.text[max(0, words.starts[first] - 5) : words.starts[first]].rstrip()
    return gap.strip() == "(" or (gap.strip() == "," and before.endswith(("(", ";", "and", "&")))


def is_headed(words: Words, first: int, stop: int) -> bool:
    """Return whether a word for methods follows a name: "the LIR instruction"."""
    if stop >= len(words):
        return False
    gap = words.text[words.ends[stop - 1] : words.starts[stop]]
    return gap.isspace() and _is_concept_word(words.forms[stop])


def _is_concept_word(form: str) -> bool:
    low = form.lower()
    return low in lists.CONCEPT_HEADS or low.removesuffix("s") in lists.CONCEPT_HEADS


def rate_concept(
    words: Words,
    forms: tuple[str, ...],
    shares: Mapping[str, float],
    votes: Mapping[str, int],
    *,
    is_repeated: bool,
) -> float:
    """Return points for a name being a concept; from `LEAST_POINTS` on it is one.

    Args:
        shares: of its occurrences: `headed`, `at` (after a preposition of place), `the`.
        votes: of the tagger.
        is_repeated: the name is there more than once; else it may be an emphasised phrase.
    """
    last, length = forms[-1], len(forms)
    points = 0.0
    if _ACRONYMS.fullmatch(last):
        points += 3.0
    elif any(_MIXED.fullmatch(form) and not _OF_SURNAMES.match(form) for form in forms):
        points += 2.5
    elif any(2 <= len(form) <= 6 and form.isupper() for form in forms):
        points += 2.0
    if length > 1 and _is_concept_word(last):
        points += 2.5
    if all(words.n_lower[form.lower()] for form in forms):
        points += 1.5 if length > 1 else 1.0
        if is_repeated and all(map(has_english_base_form, forms)):
            points += 1.0
    if shares["headed"] >= 0.1:
        points += 1.5
    if shares["the"] >= 0.3:
        points += 0.5
    if shares["at"] >= 0.4:
        points -= 1.5
    if forms[0] in _GIVEN:
        points -= 1.5 if length == 1 else 3.0
    elif length > 1 and len(forms[0]) == 1:
        points -= 3.0
    if last in _TAILS or not lists.ORGANISATION_TAILS.isdisjoint(forms):
        points -= 4.0
    total = sum(votes.values())
    if total and votes.get("place", 0) > 0.6 * total and points < 3.0:
        points -= 0.5
    return points
