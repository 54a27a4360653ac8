"""The words of a question for a cell: where names stand in it, and what its other words ask for.

Places in a question are ranges of its tokens. Knows the question and names that it is searched for,
no tables; the word lists are in `words/table_questions.toml`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, cached_property, lru_cache
from itertools import pairwise

from ...text.folded_words import fold_letters
from ...text_tables import Span
from ...writing_systems import HAN, has_han
from .column_wordings import is_done_by, list_phrases, list_superlatives
from .name_forms import (
    POSSESSIVE,
    YEARS,
    fold_word,
    get_word_lists,
    join_keys,
    join_text,
    list_name_forms,
    split_aside,
    split_tokens,
    stem_plural,
)

MAX_QUESTION_TOKENS = 80  # a longer question has more than the names of a row and a column
_PART = re.compile(rf"(?:1[5-9]|20)\d\d年?|[{HAN}]+|\d+(?:[.,]\d+)*|[^\W\d_{HAN}]+")


class TableQuestion:
    """The words of a question, and where names stand in it."""

    def __init__(self, text: str) -> None:
        self.text = unicodedata.normalize("NFKC", text).strip()
        self.tokens = split_tokens(self.text)
        self._places: dict[str, list[Span]] = {}  # of each range of words, joined
        if len(self.tokens) > MAX_QUESTION_TOKENS:
            return  # no question for a cell, and its pairs of words could be millions
        keys, stems = [t.key for t in self.tokens], [t.stem for t in self.tokens]
        for first in range(len(self.tokens)):
            for last in range(first + 1, len(self.tokens) + 1):
                for joined in {join_keys(keys[first:last]), join_keys(stems[first:last])}:
                    self._places.setdefault(joined, []).append((first, last))

    # --- where names stand -----------------------------------------------------------------

    def find_name(self, name: str) -> list[Span]:
        """Return the places of the longest form of a name."""
        for form in list_name_forms(name):
            for joined in dict.fromkeys(join_text(form)):
                if joined and joined in self._places:
                    return self._places[joined]
        return []

    def find_name_parts(self, name: str) -> list[list[Span]]:
        """Return the places of each part of a name, in any order; none if one is missing.

        A name that stands in the question as a whole has one part.
        """
        if whole := self.find_name(name):
            return [whole]
        core, _ = split_aside(name)
        parts = [p for p in _PART.findall(core) if fold_word(p) not in get_function_words()]
        found: list[list[Span]] = []
        for part in parts:
            places = next((self._places[j] for j in join_text(part) if j in self._places), None)
            if places is None and part.endswith("年"):
                places = self._places.get(part[:-1])
            if places is None:
                return []
            found.append(places)
        return found if len(parts) > 1 else []

    def find_column_wording(self, name: str) -> list[Span]:
        """Return the places of everyday words that ask for a column: "how old" for "Age"."""
        core, _ = split_aside(name)
        found = [
            span
            for phrase in list_phrases(core)
            for span in self._places.get(join_text(phrase)[0], ())
        ]
        keys, own = [t.key for t in self.tokens], [t.key for t in split_tokens(core)]
        found += [
            (place, place + 1)
            for place in range(1, len(keys))
            if keys[place - 1] == "who" and is_done_by(keys[place], own)
        ]
        return found

    def find_superlative(self, name: str, extreme: str) -> list[Span]:
        """Return the places of words such as "deepest", which ask for a row and for "Depth"."""
        core, _ = split_aside(name)
        joined = (join_text(word)[0] for word in list_superlatives(core, extreme))
        return [span for one in joined for span in self._places.get(one, ())]

    def find_shared_words(self, text: str) -> set[int]:
        """Return the indexes of the tokens that a text has too.

        Of Chinese, two characters and more count.
        """
        known: set[str] = set()
        for part in _PART.findall(POSSESSIVE.sub(" ", unicodedata.normalize("NFKC", text))):
            if has_han(part):
                key = fold_letters(part)
                known |= {key} | {key[i : i + 2] for i in range(len(key) - 1)}
            elif key := fold_word(part):
                known |= {key, stem_plural(key)}
        years = set(YEARS.findall(text))
        if len(years) > 1:
            known -= years  # the title of a table names the first and the last one
        found = {i for i, t in enumerate(self.tokens) if t.key in known or t.stem in known}
        for i in range(len(self.tokens) - 1):
            if join_keys((self.tokens[i].key, self.tokens[i + 1].key)) in known:
                found |= {i, i + 1}
        return found

    def are_joined(self, spans: Iterable[Span]) -> bool:
        """Return whether two of these places have "and" between them, or a comma."""
        for (_, end), (start, _) in pairwise(sorted(spans)):
            if end <= start:
                between = self.text[self.tokens[end - 1].end : self.tokens[start].start]
                keys = {t.key for t in split_tokens(between)}
                if keys & get_word_lists().words("joining") or re.search("[,，、;；&/]", between):
                    return True
        return False

    # --- what the other words ask for ------------------------------------------------------

    @cached_property
    def stop_words(self) -> set[int]:
        """The indexes of the tokens that ask for nothing in particular.

        "Large" is one of them in "how large", and a part of a name in "BERT large".
        """
        keys = ["", *(t.key for t in self.tokens)]
        how = get_word_lists().words("english_how")
        found = {
            i
            for i, (before, key) in enumerate(pairwise(keys))
            if key in get_stop_words() and (key not in how or before == "how")
        }
        for match in _get_chinese_phrases().finditer(self.text):
            start, end = match.span()
            found |= {i for i, t in enumerate(self.tokens) if start <= t.start and t.end <= end}
        return found

    @cached_property
    def function_words(self) -> set[int]:
        """The indexes of the stop words without English verbs and nouns."""
        keys = {i: self.tokens[i].key for i in self.stop_words}
        return {i for i, key in keys.items() if has_han(key) or key in get_function_words()}

    @cached_property
    def whole_row_words(self) -> set[int]:
        """The indexes of the tokens that ask for everything that a row has; none without "all".

        "All" counts before results and data alone: a column may have this name.
        """
        if {t.key for t in self.tokens} & get_word_lists().words("asking_for_one"):
            return set()
        found = {i for span in self._find_listed("everything") for i in range(*span)}
        contents = [*self._find_listed("english_contents"), *self._find_listed("chinese_contents")]
        wholes = [*self._find_listed("english_whole"), *self._find_listed("chinese_whole")]
        for start, end in wholes:
            behind = end
            while behind < len(self.tokens) and self.tokens[behind].key in {"of", "the", "的"}:
                behind += 1
            if any(first == behind for first, _ in contents):
                found |= set(range(start, end))
        return found | {i for span in contents for i in range(*span)} if found else set()

    def _find_listed(self, key: str) -> list[Span]:
        """Return the places of the words of a list."""
        joined = (join_text(word)[0] for word in get_word_lists().in_order(key))
        return [span for one in joined for span in self._places.get(one, ())]

    def find_extreme(self) -> tuple[str, set[int]]:
        """Return "highest" or "lowest" and the words that ask for it; "" for both or none."""
        found: dict[str, set[int]] = {}
        for extreme in ("highest", "lowest"):
            english = get_word_lists().words(f"english_{extreme}")
            words = {i for i, t in enumerate(self.tokens) if t.key in english}
            for phrase in get_word_lists().in_order(f"chinese_{extreme}"):
                words |= {i for span in self.find_name(phrase) for i in range(*span)}
            if words:
                found[extreme] = words
        return next(iter(found.items())) if len(found) == 1 else ("", set())

    # --- the kind of answer ----------------------------------------------------------------

    @cached_property
    def is_for_cell(self) -> bool:
        """Whether a cell or row can answer it: it does not ask why, how, or for yes or no."""
        if not 2 <= len(self.tokens) <= MAX_QUESTION_TOKENS:
            return False
        keys = [t.key for t in self.tokens]
        how = get_word_lists().words("english_how") | get_word_lists().table("how").keys()
        if "how" in keys and not get_word_lists().words("english_using").isdisjoint(keys):
            return False  # what a thing has is not what it uses
        for place, key in enumerate(keys):
            if key == "how" and (place + 1 == len(keys) or keys[place + 1] not in how):
                return False
        asks = not get_word_lists().words("english_asking").isdisjoint(keys)
        return asks or keys[0] not in get_word_lists().words("english_yes_no")

    @cached_property
    def asks_count(self) -> bool:
        """Whether it asks how many there are, which no share in per cent answers."""
        keys = [t.key for t in self.tokens]
        many = ("how", "many") in pairwise(keys)
        return (
            many
            or re.search("多少[人个名家位只件本种项]|几[人个名家位只件本种项]", self.text)
            is not None
        )

    def fits_answer_type(self, value: str) -> bool:
        """Return whether a value is of the kind that is asked for: a number, a time, a name."""
        keys = [t.key for t in self.tokens]
        has_digit = any(char.isdigit() for char in value)
        if not {"who", "whom", "谁"}.isdisjoint(keys):
            return not has_digit
        if "where" in keys or re.search("哪里|哪儿|何处", self.text):
            return not has_digit
        if "when" in keys or re.search("何时|什么时候|哪一?年|几月", self.text):
            return has_digit
        if not {("what", "year"), ("which", "year")}.isdisjoint(pairwise(keys)):
            return YEARS.search(value) is not None
        counts = "how" in keys or re.search("多少|[有是为]几", self.text) is not None
        return has_digit if counts else True


@lru_cache(maxsize=8)
def read_question(text: str) -> TableQuestion:
    """Return the words of a question; those of the last questions are kept."""
    return TableQuestion(text)


@cache
def get_function_words() -> frozenset[str]:
    """Return grammatical and question words of English."""
    return get_word_lists().words("english_function")


@cache
def get_stop_words() -> frozenset[str]:
    """Return English words that ask for nothing in particular: also "have", "value", "system"."""
    return get_function_words() | get_word_lists().words("english_general")


@cache
def _get_chinese_phrases() -> re.Pattern[str]:
    longest = sorted(get_word_lists().in_order("chinese"), key=len, reverse=True)
    return re.compile(
        "|".join(map(re.escape, longest)) + r"|(?<=\d)年|[上中里](?=的|[,，有是?？]|$)"
    )
