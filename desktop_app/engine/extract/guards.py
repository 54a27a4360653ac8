"""Bounds on sentences that a model writes about names: its words must come from the text.

Small models invent fathers and masters. A sentence that may only use the passage's own words and
a few that join them, that must hold the names it is about, and that ends with its first full
stop, stays close to what the text says.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from functools import lru_cache

_JOINING_EN = frozenset(
    re.findall(
        r"\w+",
        """
    a an the of to in on at by for from with without as is was are were be been being am and or but
    not no nor that this these those it its he she they him his her hers their them who whom whose
    which what when where while after before because so than then there into onto out up down over
    under about between against through during both each other one two had has have did does do
    will would could should may might must also only named called known s
    """,
    )
)
_JOINING_ZH = frozenset(
    "的是在与和同了被把将对向从到给为有之他她其人两个中上下来去也都并而但因此这那说叫做"
)
_MARKS = frozenset("’‘—–…，、；：。！？·《》（）")  # beyond ASCII, whatever the text has
_WIDE_RANGE = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WIDE = re.compile(f"[{_WIDE_RANGE}]")  # characters that are words by themselves
_WORD = re.compile(rf"[^\W_{_WIDE_RANGE}]+")  # numbers are made up as easily as words
_ENDS = re.compile(r"[.!?。！？]$")
_SHORT_FORM = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|Prof|Capt|Col|Gen|Rev|Jr|Sr|[A-Z])\.$")
_NEVER = re.compile(r"[\x00-\x1f\x7f|<>\[\]{}\"“”「」_*#`\\]")


@dataclass(frozen=True, slots=True)
class FaithfulGuard:
    """Lets one sentence pass that holds all of `names` and is in the words of `text`.

    `instead` may be written in its place ("none").
    """

    names: tuple[str, ...]
    text: str
    instead: str = ""

    def begin(self) -> FaithfulState:
        return FaithfulState(self)


class FaithfulState:
    """Where one sentence is; see `GuardState`."""

    def __init__(self, guard: FaithfulGuard) -> None:
        self._names = tuple(_name_pattern(name) for name in guard.names)
        self._words = _vocabulary(guard.text, guard.names)
        self._instead = guard.instead
        self._bytes = b""
        self._text = ""
        self._is_open = False  # the last character is not whole yet

    def take(self, piece: bytes) -> bool:
        if self.must_end:
            return False
        whole = self._bytes + piece
        # Characters of several bytes may come in pieces: the last one may still be open.
        decoder = codecs.getincrementaldecoder("utf-8")()
        try:
            text = decoder.decode(whole)
        except UnicodeDecodeError:
            return False
        rest = decoder.getstate()[0]
        begins_instead = self._instead.encode().startswith(whole.lstrip(b" "))
        if not begins_instead and not self._allows(text, rest):
            return False
        self._bytes, self._text, self._is_open = whole, text, bool(rest)
        return True

    @property
    def may_end(self) -> bool:
        if self._is_open:
            return False
        return self._is_instead or (self._holds_names(self._text) and self._is_whole(self._text))

    @property
    def must_end(self) -> bool:
        return not self._is_open and (
            self._is_instead or (_is_over(self._text) and self._holds_names(self._text))
        )

    @property
    def _is_instead(self) -> bool:
        return bool(self._instead) and self._text.strip() == self._instead

    def _holds_names(self, text: str) -> bool:
        return all(name.search(text) for name in self._names)

    def _is_whole(self, text: str) -> bool:
        """Say whether the last word is one, not only the beginning of one."""
        return all(word in self._words.whole for word in _WORD.findall(text.casefold()))

    def _allows(self, text: str, rest: bytes) -> bool:
        """Say whether a text may begin so; `rest` is what there is of its next character."""
        if rest and rest not in self._words.half_characters:
            return False
        if _NEVER.search(text) or (_is_over(text) and not self._holds_names(text)):
            return False
        if any(c not in self._words.characters for c in text if c > "\x7f"):
            return False
        folded = text.casefold()
        return all(
            word.group() in self._words.whole
            or (word.end() == len(folded) and word.group() in self._words.begun)
            for word in _WORD.finditer(folded)
        )


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """What a sentence about a text may be made of.

    Attributes:
        whole, begun: words, and all their beginnings.
        characters: those beyond ASCII.
        half_characters: the first bytes of those.
    """

    whole: frozenset[str]
    begun: frozenset[str]
    characters: frozenset[str]
    half_characters: frozenset[bytes]


def count_own_words(text: str, names: tuple[str, ...]) -> int:
    """Return how many words a sentence has beside the names and the words that join them."""
    known = _JOINING_EN.union(*(_WORD.findall(name.casefold()) for name in names))
    n_words = sum(word not in known for word in _WORD.findall(text.casefold()))
    wide = _JOINING_ZH.union("".join(names))
    return n_words + sum(character not in wide for character in _WIDE.findall(text))


def _is_over(text: str) -> bool:
    return bool(_ENDS.search(text)) and not _SHORT_FORM.search(text)


@lru_cache(maxsize=256)
def _name_pattern(name: str) -> re.Pattern[str]:
    """Return what finds a name as a word of its own: "Sam" is not in "Samuel"."""
    before = rf"(?<![^\W_{_WIDE_RANGE}])" if _WORD.match(name) else ""
    after = rf"(?![^\W_{_WIDE_RANGE}])" if name and _WORD.match(name[-1]) else ""
    return re.compile(before + re.escape(name) + after, re.IGNORECASE)


@lru_cache(maxsize=64)
def _vocabulary(text: str, names: tuple[str, ...]) -> _Vocabulary:
    said = f"{text} {' '.join(names)}"
    is_chinese = 4 * len(_WIDE.findall(text)) > len(text)
    whole = frozenset(_WORD.findall(said.casefold())) | (frozenset() if is_chinese else _JOINING_EN)
    begun = frozenset(word[:n] for word in whole for n in range(1, len(word)))
    characters = _MARKS | (_JOINING_ZH if is_chinese else frozenset())
    characters |= {c for s in (said, said.upper(), said.casefold()) for c in s if c > "\x7f"}
    characters = frozenset(c for c in characters if not _NEVER.match(c))
    encoded = [c.encode("utf-8", "ignore") for c in characters]
    halves = frozenset(code[:n] for code in encoded for n in range(1, len(code)))
    return _Vocabulary(whole, begun, characters, halves)
