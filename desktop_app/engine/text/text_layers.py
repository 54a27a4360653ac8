"""Whether what a PDF says that a page says can be its text.

A page may be a picture, or have fonts without a table of their letters, so that its text is a row
of wrong letters. Judges one page by itself; knows no PDF.
"""

from __future__ import annotations

import re

from ..word_lists import WordLists

_LISTS = WordLists("frequent_words")
# Control characters, the replacement character and private use: what a font without a table gives.
UNREADABLE = re.compile("[\x00-\x01\x03-\x08\x0e-\x1f\x7f-\x9f\ufffd\ue000-\uf8ff]")
_UNREADABLE_SHARE = 0.2
_TOKEN = re.compile(r"\S{3,}")
_NUMBER = re.compile(r"[\d.,:;/%$€£¥()\[\]{}<>=+*^~±×·°′″'\"“”‘’!?#&|–—-]*")
_RUN = re.compile(r"[^\W\d_]{3,}")
_MIN_TOKENS = 30  # below, a page is a table, a formula or a title
_BAD_SHARE = 0.6  # of the tokens
_MIN_LETTERS = 200
# Every language in Latin letters has a vowel about every third letter (Czech and Polish too), and
# writes words in one case, or with one capital inside.
_VOWEL_SHARE = 0.24
_VOWELS = re.compile("[aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýÿāăąēĕėęěīĭįıōŏőœūŭůűųạảấầẩẫậắằẳẵặẹẻẽếềểễệ"
                     "ỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹơư]", re.I)  # fmt: skip
# A Chinese text whose bytes were taken for Latin letters is "ÂòÇàÉ½": almost all letters have
# accents. Of 472 languages in the Universal Declaration of Human Rights, the one with most has
# 0.29; pages of GBK or UTF-8 that were read so have 0.63 and more.
_ACCENTED_SHARE = 0.5
_MIN_ACCENTED_LETTERS = 60
# A few hundred characters make up most of every Chinese text, whatever its time and subject, and
# half of the Chinese characters of a Japanese one. Least shares of 200 characters in a row: 0.22 in
# 3 million of novels in both scripts and of newspapers (in a rhapsody, and in a list of members of
# parliament), 0.11 in the book of surnames (百家姓); of a page of a PDF 0.38. Random characters
# have 0.07 at most, UTF-8 that was read as GBK 0.08 (0.01 in the median), GBK as Big5 0.02 in the
# median. None of 42,200 parts of these texts, of 300 characters or more, and none of 1,855 pages of
# PDFs is taken for unreadable but four parts that are.
_FREQUENT = _LISTS.characters("simplified") | _LISTS.characters("traditional")
_FREQUENT_SHARE = 0.1
_MIN_HAN = 200  # below, a page may be a table of names or of chemical elements
_CONSONANTS = re.compile("[bcdfghjklmnpqrstvwxz]{6}", re.I)
_CASE_CHANGE = re.compile("[a-z][A-Z]")


def is_unreadable(text: str) -> bool:
    """Return whether the letters of a page can't be its text."""
    n_bad = len(UNREADABLE.findall(text))
    if n_bad > _UNREADABLE_SHARE * len(text):
        return True
    head = text[:20_000]
    return _has_wrong_encoding(head) or _is_scrambled(head)


def _has_wrong_encoding(text: str) -> bool:
    """Return whether a page has Chinese characters at random, or accented letters for them."""
    letters = [char for char in text if char.isalpha()]
    n_accented = sum("\u00c0" <= char <= "\u00ff" for char in letters)
    if len(letters) >= _MIN_ACCENTED_LETTERS and n_accented > _ACCENTED_SHARE * len(letters):
        return True
    han = [char for char in letters if "\u3400" <= char <= "\u9fff"]
    if len(han) < _MIN_HAN or 2 * len(han) < len(letters):
        return False
    return sum(char in _FREQUENT for char in han) < _FREQUENT_SHARE * len(han)


def _is_scrambled(text: str) -> bool:
    """Return whether a page in Latin letters has almost no vowels, or almost nothing like a word.

    Texts in other writing systems are not judged here: any of their characters may follow any
    other.
    """
    letters = [c for c in text if c.isalpha()]
    if any(not _is_latin(c) for c in letters):
        n_other = sum(not _is_latin(c) for c in letters)
        if n_other > 0.05 * len(letters):
            return False
    n_vowels = len(_VOWELS.findall(text))
    if len(letters) >= _MIN_LETTERS and n_vowels < _VOWEL_SHARE * len(letters):
        return True
    tokens = [token for token in _TOKEN.findall(text) if not _is_number(token)]
    n_bad = sum(not any(map(_may_be_word, _RUN.findall(token))) for token in tokens)
    return len(tokens) >= _MIN_TOKENS and n_bad > _BAD_SHARE * len(tokens)


def _is_latin(letter: str) -> bool:
    return letter < "\u0250" or "\u1e00" <= letter < "\u1f00"


def _is_number(token: str) -> bool:
    """Return whether a token is a number or consists of signs of which tables are made."""
    digits = sum(c.isdigit() for c in token)
    return _NUMBER.fullmatch(token) is not None and (
        2 * digits >= len(token) or len(set(token)) < 3
    )


def _may_be_word(letters: str) -> bool:
    return (
        _VOWELS.search(letters) is not None
        and _CONSONANTS.search(letters) is None
        and len(_CASE_CHANGE.findall(letters)) <= 1
    )
