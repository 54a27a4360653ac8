"""Names of authors: lists of them, which of their parts is the family name, and short forms.

A list of authors is one text, its names separated by semicolons: "Ada Lovelace; Charles Babbage".
A name may be written "Lovelace, Ada".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .word_lists import WordLists
from .writing_systems import HAN_BASIC, HANGUL, has_han

_LISTS = WordLists("chinese")
_SURNAMES = _LISTS.characters("surnames") - _LISTS.characters("rare_surnames")
_COMPOUND_SURNAMES = _LISTS.words("double_surnames")
_KOREAN_SURNAMES = frozenset(
    "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진지엄채원천방공현함변염여추"
)
_EAST_ASIAN = re.compile(f"[{HAN_BASIC}{HANGUL}·]+")
_PARTICLES = frozenset(
    "da de del della den der di do dos du el la le ten ter van von zu zum zur bin ibn al".split()
)
_SUFFIXES = frozenset("jr jr. sr sr. ii iii iv".split())
_INITIAL = re.compile(r"(?:[^\W\d_]\.-?)+|[A-Z]")
_WORD = re.compile(r"[^\W\d_][^\W\d_'’.\-‐]*(?:[-‐'’][^\W\d_]['’\w]*)*\.?")
# Words of organisations, places and page furniture, which no person is called.
_NOT_PERSONS = re.compile(
    r"\b(?:universit\w*|institut\w*|department|dept|facult\w*|school|college|academ\w*|laborator\w*|"
    r"labs?|cent(?:er|re)|corporation|corp|inc|ltd|llc|gmbh|company|group|team|research|google|"
    r"microsoft|facebook|meta|ibm|amazon|openai|deepmind|mozilla|adobe|hospital|ministry|agency|"
    r"organi[sz]ations?|council|committee|commission|consortium|federation|bureau|museum|nations|"
    r"office|society|association|foundation|press|journal|proceedings|conference|workshop|"
    r"abstract|introduction|keywords?|contents|chapter|section|volume|edition|draft|version|"
    r"report|paper|thesis|submitted|supervisor|advisor|january|february|march|april|june|july|"
    r"august|september|october|november|december|street|avenue|road|floor|city|usa|china|germany|"
    r"france|canada|australia|japan|korea|india|italy|spain|york|kingdom|states|california|"
    r"the|and|of|for|in|on|with|by|to|a|an|und|für|et|your|name|author|authors|anonymous|"
    r"text|sample|test|title|page|table|figure|example|document|data|model|learning|analysis|system|"
    r"method|theory|study|guide|handbook|manual|strategy|security|policy|project|service|law|news|"
    r"administrator|user|unknown|various|apache|acrobat|word|writer)\b",
    re.I,
)
MAX_AUTHORS = 200


def split_authors(text: str) -> tuple[str, ...]:
    """Return the names in a list of authors.

    They are separated by semicolons; also by commas, "and", "&" or 、 if each part is a whole name.
    """
    text = " ".join(text.split()).strip(" ;；,，、")
    if not text:
        return ()
    if re.search("[;；]", text):
        parts = re.split("[;；]", text)
    elif _EAST_ASIAN.search(text):
        parts = re.split("[、，,]|\\s(?:and|和|与)\\s", text)
    else:
        parts = re.split(r",\s*(?:and|&)\s+|\s+(?:and|&)\s+", text)
        if "," in text:
            pieces = [piece for part in parts for piece in part.split(",")]
            if all(len(piece.split()) > 1 or not piece.strip() for piece in pieces):
                parts = pieces
    return tuple(name for part in parts if (name := part.strip(" ,")))[:MAX_AUTHORS]


def join_authors(names: Sequence[str]) -> str:
    """Return a list of authors as one text, each name once."""
    return "; ".join(dict.fromkeys(" ".join(name.split()) for name in names if name.strip()))


def is_east_asian(name: str) -> bool:
    """Return whether a name is written in Chinese characters or Hangul."""
    return _EAST_ASIAN.fullmatch(name.replace(" ", "")) is not None


_BRACKETS = re.compile(r"\([^()]*\)")


def looks_like_person(name: str) -> bool:
    """Return whether a text has the form of one person's full name."""
    name = name.strip()
    if is_east_asian(name):
        name = name.replace(" ", "")
        if "·" in name:
            return 3 <= len(name) <= 16
        if not has_han(name):
            return name[0] in _KOREAN_SURNAMES and 2 <= len(name) <= 3
        return (name[:2] in _COMPOUND_SURNAMES and 3 <= len(name) <= 4) or (
            name[0] in _SURNAMES and 2 <= len(name) <= 3
        )
    words = name.replace(",", " ").split()
    if not 2 <= len(words) <= 6 or len(name) > 60 or _NOT_PERSONS.search(name):
        return False
    is_capitals = name.upper() == name
    n_whole = 0
    for word in words:
        if word.lower() in _PARTICLES | _SUFFIXES or _INITIAL.fullmatch(word):
            continue
        if not _WORD.fullmatch(word) or not word[0].isupper():
            return False
        if word.isupper() and not is_capitals and len(word) > 2:
            return False
        n_whole += 1
    return n_whole >= 1


def split_name(name: str) -> tuple[str, str]:
    """Return family and given name; the given name is "" for an organisation or a single name.

    Names in brackets, as of birth, are left out: "Mary Wollstonecraft (Godwin) Shelley".
    """
    name = " ".join(_BRACKETS.sub(" ", name).split()) or " ".join(name.split())
    if "," in name:
        family, _, given = name.partition(",")
        return family.strip(), given.strip()
    if is_east_asian(name):
        if "·" in name or len(name) > 4:  # 列夫·托尔斯泰
            return name, ""
        n = 2 if name[:2] in _COMPOUND_SURNAMES and len(name) > 2 else 1
        return name[:n], name[n:]
    words = name.split()
    if len(words) < 2 or not looks_like_person(name):
        return name, ""
    last = len(words) - 1
    if words[last].lower() in _SUFFIXES and last > 1:
        last -= 1
    first = last
    while first > 1 and words[first - 1].lower() in _PARTICLES:
        first -= 1
    return " ".join(words[first : last + 1]), " ".join([*words[:first], *words[last + 1 :]])


def shorten_authors(authors: str) -> str:
    """Return a list of authors as a citation in the text names them: "Guo et al."."""
    names = split_authors(authors)
    short = [name if is_east_asian(name) else split_name(name)[0] for name in names]
    if not short:
        return ""
    if is_east_asian(names[0]):
        return short[0] + "等" if len(short) > 3 else "、".join(short)
    if len(short) > 2:
        return f"{short[0]} et al."
    return " and ".join(short)
