"""Words, and the forms that one name may have, so that names of tables are found in questions.

A name is compared as one string of its folded words: "BERT base" and "BERT-base" are alike. Knows
words and names, neither tables nor what a question means.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from ...text.folded_words import fold_letters
from ...text_tables import is_year
from ...word_lists import WordLists
from ...writing_systems import HAN, has_han

MAX_ASIDE_CHARS = 14  # of a unit, a count or a reference in brackets; longer ones are of the name
YEARS = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
POSSESSIVE = re.compile(r"['’]s\b")
_TOKEN = re.compile(rf"[{HAN}]|\d+(?:[.,]\d+)*|[^\W\d_{HAN}]+")
_BRACKETS = re.compile(r"\s*(?:\(([^()]*)\)|（([^（）]*)）|\[([^\[\]]*)\]|【([^【】]*)】)")
_AFTER_COMMA = re.compile(r"\s*[,，/]\s*([^,，]{1,12})$")
_INVERTED = re.compile(r"([^,，()（）\d]+)[,，]\s*([^,，()（）\d]+)")
_NOTE_NUMBER = re.compile(r"(?<=[^\W\d_]{3})[1-9]$")  # "FPS2" with a small 2
_NOTE_MARKS = re.compile(r"[*†‡§¶#↑↓\u2460-\u2473]+")  # the last are numbers in circles
_UNIT_SIGN = re.compile(r"[^=<>]*[%‰/°€$£¥][^=<>]*")


@cache
def get_word_lists() -> WordLists:
    """Return the word lists of questions for a cell: `words/table_questions.toml`."""
    return WordLists("table_questions")


# --- words -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a number, or one Chinese character.

    Attributes:
        key: in the form in which it is compared.
        stem: the key without the ending of an English plural.
        start, end: in the text.
    """

    key: str
    stem: str
    start: int
    end: int


@lru_cache(maxsize=100_000)
def fold_word(word: str) -> str:
    """Return the form in which a word or number is compared; "" where nothing is left of it."""
    if word[0].isdigit():
        return unicodedata.normalize("NFKC", word).replace(",", "")
    return fold_letters(word)


def stem_plural(key: str) -> str:
    """Return an English word without the ending of its plural."""
    if len(key) < 4 or not key.isascii() or not key.endswith("s") or key.endswith(("ss", "us")):
        return key
    return f"{key[:-3]}y" if key.endswith("ies") else key[:-1]


def split_tokens(text: str) -> list[Token]:
    """Return the tokens of a text, in order; "'s" is none."""
    text = POSSESSIVE.sub(lambda match: " " * len(match.group()), text)
    tokens = []
    for match in _TOKEN.finditer(text):
        if key := fold_word(match.group()):
            tokens.append(Token(key, stem_plural(key), *match.span()))
    return tokens


def join_keys(keys: Iterable[str]) -> str:
    """Return words as one: "BERT base" and "BERT-base" are alike, "1 2" and "12" are not."""
    joined = ""
    for key in keys:
        joined += f"·{key}" if joined and joined[-1].isdigit() and key[0].isdigit() else key
    return joined


@lru_cache(maxsize=50_000)
def join_text(text: str) -> tuple[str, str]:
    """Return the words of a text as one, and the same without the endings of plurals."""
    tokens = split_tokens(text)
    return join_keys(t.key for t in tokens), join_keys(t.stem for t in tokens)


# --- names -----------------------------------------------------------------------------------


def split_aside(name: str) -> tuple[str, list[str]]:
    """Return a name without what may be left out of it, and that: units, counts, references."""
    asides: list[str] = []

    def cut(match: re.Match[str]) -> str:
        inside = next((part for part in match.groups() if part is not None), "").strip()
        if len(inside) > MAX_ASIDE_CHARS:
            return match.group()
        asides.append(inside)
        return " "

    core = _NOTE_MARKS.sub("", _BRACKETS.sub(cut, name)).strip()
    after = _AFTER_COMMA.search(core)
    if after is not None and (" " not in after[1] or after[1][-1:] == "%"):
        asides.append(after[1].strip())
        core = core[: after.start()].strip()
    return (core, asides) if any(char.isalnum() for char in core) else (name, [])


def split_unit(name: str) -> tuple[str, str]:
    """Return the name of a column without its unit, and the unit."""
    core, asides = split_aside(name)
    if len(asides) == 1 and name.rstrip(")）]】 ").endswith(asides[0]) and _is_unit(asides[0]):
        return core, asides[0]
    return name, ""


def _is_unit(text: str) -> bool:
    if has_han(text):
        return text.endswith(get_word_lists().in_order("chinese_unit_endings"))
    return text in get_word_lists().words("latin_units") or _UNIT_SIGN.fullmatch(text) is not None


@lru_cache(maxsize=50_000)
def list_name_forms(name: str) -> tuple[str, ...]:
    """Return the forms of a name that a question may have, longest first."""
    core, _ = split_aside(name)
    forms = [name, core, _NOTE_NUMBER.sub("", core)]
    if inverted := _INVERTED.fullmatch(name):
        forms.append(f"{inverted[2]} {inverted[1]}")  # "Korea, Republic of", "Smith, John"
    if is_year(core) and (year := YEARS.search(core)):
        forms.append(year[0])  # "2024E", "FY2024"
    if has_han(core):
        for ending in get_word_lists().in_order("chinese_places"):
            if core.endswith(ending) and len(core) >= len(ending) + 2:
                forms.append(core.removesuffix(ending))
                break
    return tuple(dict.fromkeys(form for form in forms if form))
