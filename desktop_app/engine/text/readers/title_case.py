"""Titles that a file has in capitals or only as its name, written as its text writes their words.

Capitals hide how a word is written: "LIGHTRAG" may be "Lightrag" or "LightRAG", "NATO" an
abbreviation and "SEA" a word. Nobody is asked and nothing is looked up: the text below the title
mostly has the same words in sentences. Only titles that were read from a file come here, never one
that the user typed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from ...writing_systems import has_han

READ_CHARS = 400_000  # of the text: what a title names is named early, and often
SMALL_WORDS = {  # by language; not first, last or after a colon
    "en": "a an and as at but by for from in into nor of on or over per the to upon via vs with",
    "de": "am an auf aus bei das dem den der des die durch ein eine einem einen einer für im in mit"
    " nach oder ohne über um und unter vom von vor zu zum zur",
    "fr": "à au aux avec chez dans de des du en et la le les ou par pour sans sous sur un une vers",
    "es": "a al con de del e el en la las lo los o para por sin sobre u un una y",
    "it": "a ad al alla con da dal dei del della di e ed gli i il in la le lo nel o per un una",
    "pt": "a ao as com da das de do dos e em na no nos o os ou para por um uma",
}
_SMALL = {language: frozenset(words.split()) for language, words in SMALL_WORDS.items()}
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ROMAN = re.compile(r"(?=[IVX])(?:XL|X{0,3})(?:IX|IV|V?I{0,3})")  # no longer ones: MIX, CIVIL
_ORDINAL = re.compile(r"(\d+)(ST|ND|RD|TH|S)")
# A word after it begins a part.
_ENDS_PART = re.compile(r"(?:[:：!?—–(\[/]|[^\W_]{3}\.)\s*[\"“‘'«]*$")
_CONSONANTS = re.compile(r"[B-DF-HJ-NP-TV-XZ]+")
_LETTER_BEFORE = re.compile(r"([^\W\d_])(['’])([^\W\d_]{2,})")  # O’Brien, L’Étranger
# No title has a number before an article, so the number is that of a catalogue ("155_the_moonstone"
# of Project Gutenberg). Left alone are numbers below 100, which order the parts of a work, numbers
# with leading zeros for the same reason, and what may be a year ("2001 A Space Odyssey").
_CATALOGUE_NUMBER = re.compile(
    r"(?!1[5-9]\d\d |20\d\d )[1-9]\d{2,} (?=(?:the|an?|der|die|das|le|la|les|el|los|las|il|gli) \w)"
)
_JOINED_WORDS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+){2,}")  # one hyphen may belong to the title


def restore_case(title: str, text: str = "", language: str = "en") -> str:
    """Return a title in capitals with the case of its words; any other title unchanged.

    Each word is written as most often in the text, lines in capitals aside: so "LightRAG", "NATO"
    and "iPhone" come back. What the text does not have gets a capital at its start, but stays in
    capitals if it is a Roman numeral, has digits or no vowel (HENRY IV, GPT-4, BBC). An
    abbreviation with vowels that its own document never uses becomes a word ("Nato"): to keep
    every short word would leave OLD, MAN and SEA. A title of one such word is not touched, and
    none with Chinese characters, beside which capitals are abbreviations.

    Args:
        text: of the document.
        language: of the text, which says what small words are, and whether all other words of a
            title begin with a capital, as in English.
    """
    words = list(_WORD.finditer(title))
    if not words or not title.isupper() or has_han(title):
        return title
    spellings = _count_spellings({word[0].lower() for word in words}, text[:READ_CHARS])
    if len(words) == 1 and not spellings:
        return title
    small = _SMALL.get(language, _SMALL["en"])
    made, end = [], 0
    for word in words:
        before, after = title[: word.start()], title[word.end() :]
        begins = word is words[0] or _ENDS_PART.search(before) is not None
        closes = word is words[-1] or after.lstrip()[:1] in (":", "：")
        is_lettered = len(word[0]) == 1 and (before[-1:] == "." or after[:1] == ".")  # U.S.
        made.append(title[end : word.start()])
        end = word.end()
        if is_lettered or (len(word[0]) == 1 and word[0].lower() not in small):
            made.append(word[0])
        elif word[0].lower() in small and not begins and not closes:
            made.append(word[0].lower())
        else:
            is_numbered = re.match(r"-\d", after) is not None
            shown = _write(word[0], spellings.get(word[0].lower(), ""), is_numbered=is_numbered)
            if begins or language == "en" or not shown.islower():
                shown = shown[:1].upper() + shown[1:] if shown.islower() else shown
            made.append(shown)
    return "".join(made) + title[end:]


def title_from_file_name(stem: str, text: str = "", language: str = "en") -> str:
    """Return the name of a file, without extension, as the title of its document.

    Words that are joined by underscores or hyphens are separated, and those of a name that is all
    in lower case are written as `restore_case` writes them. A name with spaces was written by a
    person: it keeps its case.

    Args:
        text: of the document.
        language: of the text.
    """
    stem = " ".join(stem.split())
    if " " in stem:
        return stem
    title = " ".join(stem.replace("_", " ").split())
    if (number := _CATALOGUE_NUMBER.match(title.replace("-", " "))) is not None:
        title = title[number.end() :]
    if " " not in title and _JOINED_WORDS.fullmatch(title):
        title = title.replace("-", " ")
    if " " not in title or not title.islower():
        return title
    written = restore_case(title.upper(), text, language)
    if len(written) != len(title):  # capitals of another length: STRASSE
        return title
    # A number with letters has the case of the file's name: "v2", "285p".
    digits = [word.span() for word in _WORD.finditer(title) if re.search(r"\d", word[0])]
    for start, end in digits:
        written = written[:start] + title[start:end] + written[end:]
    return written[:1].upper() + written[1:]


def _write(word: str, spelling: str, *, is_numbered: bool) -> str:
    """Return a word in capitals as the text writes it, if it does, else by its form.

    Args:
        is_numbered: a number is joined to it ("COVID-19").
    """
    if _ROMAN.fullmatch(word):
        return word
    if spelling:
        return spelling
    if ordinal := _ORDINAL.fullmatch(word):
        return ordinal[1] + ordinal[2].lower()
    if is_numbered or _CONSONANTS.fullmatch(word) or any(char.isdigit() for char in word):
        return word
    if parts := _LETTER_BEFORE.fullmatch(word):
        return parts[1] + parts[2] + parts[3].capitalize()
    return word[:1] + word[1:].lower()


def _count_spellings(words: set[str], text: str) -> Mapping[str, str]:
    """Return a word in lower case -> how a text mostly writes it, lines in capitals aside."""
    any_word = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
    pattern = re.compile(rf"(?<!\w)(?:{any_word})(?!\w)", re.IGNORECASE)
    counts: dict[str, Counter[str]] = {}
    for line in text.split("\n"):
        if line.isupper():
            continue
        for found in pattern.finditer(line):
            counts.setdefault(found[0].lower(), Counter())[found[0]] += 1
    return {word: max(found, key=lambda w: (found[w], w)) for word, found in counts.items()}
