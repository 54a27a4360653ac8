"""Whether what a PDF says that a page says can be its text.

A page may be a picture, or have fonts without a table of their letters, so that its text is a row
of wrong letters. Judges one page by itself; knows no PDF.
"""

from __future__ import annotations

import re

# Control characters, the replacement character and private use: what a font without a table gives.
UNREADABLE = re.compile("[\x00-\x01\x03-\x08\x0e-\x1f\x7f-\x9f\ufffd\ue000-\uf8ff]")
_UNREADABLE_SHARE = 0.2
_TOKEN = re.compile(r"\S+")
_MIN_TOKENS = 30  # below, a page is a table, a formula or a title
_WORDS_SHARE = 0.4  # of the tokens with letters
_EDGES = "\"'“”‘’«»„()[]{}<>.,;:!?…—–-*/|·•†‡§¶#"
# Every language that is written with Latin letters has a vowel about every third letter, and writes
# words in one case, or with one capital. Initials, numbers and abbreviations are not words.
_VOWELS = re.compile("[aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýÿāăąēĕėęěīĭįıōŏőœūŭůűųạảấầẩẫậắằẳẵặẹẻẽếềểễệ"
                     "ỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹơư]", re.I)  # fmt: skip
_CONSONANTS = re.compile("[bcdfghjklmnpqrstvwxz]{6}", re.I)
_CASE_CHANGE = re.compile("[a-z][A-Z]")


def is_unreadable(text: str) -> bool:
    """Return whether the letters of a page can't be its text."""
    n_bad = len(UNREADABLE.findall(text))
    return n_bad > _UNREADABLE_SHARE * len(text) or _is_scrambled(text)


def _is_scrambled(text: str) -> bool:
    """Return whether a page in Latin letters has almost no token that could be a word.

    Texts in other writing systems are not judged: any of their characters may follow any other.
    """
    n_words = n_tokens = 0
    for match in _TOKEN.finditer(text[:20_000]):
        token = match.group().strip(_EDGES)
        letters = sum(c.isalpha() for c in token)
        if letters < 3:
            n_tokens += (
                not token.isdigit()
                and len(token) > 2
                and not letters
                and not any(c.isdigit() for c in token)
            )
            continue
        if not all(c < "\u0250" or "\u1e00" <= c < "\u1f00" or not c.isalpha() for c in token):
            return False  # another writing system
        n_tokens += 1
        n_words += _may_be_word(token)
    return n_tokens >= _MIN_TOKENS and n_words < _WORDS_SHARE * n_tokens


def _may_be_word(token: str) -> bool:
    plain = re.sub(r"[-'’.,/&–—]", "", token)
    return (
        plain.isalpha()
        and _VOWELS.search(plain) is not None
        and _CONSONANTS.search(plain) is None
        and len(_CASE_CHANGE.findall(plain)) <= 1
    )
