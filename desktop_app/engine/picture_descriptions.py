"""The prompt for the description of a picture, and what of an answer can be used.

Small models that read pictures repeat themselves, or write marks without words, when they do not
understand one. Such an answer is no description.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from .model import ChatMessage
from .prompt_files import load_prompt
from .writing_systems import has_han

MAX_CHARS = 500  # of a description: two sentences have about 250
MAX_CAPTION_CHARS = 400
MAX_TOKENS = 160
_LANGUAGES = ("en", "zh")
_MIN_LETTERS = 0.7  # of the characters that are no blanks; sentences with numbers have 0.9
_MIN_WORDS, _MIN_HAN = 2, 4
_MAX_REPEATED = 6  # times one character, one after another
_MIN_DISTINCT = 0.35  # of the words, from 12 on; two plain sentences have 0.7
_WORD_LENGTHS = (1.8, 20.0)  # mean, of words in an alphabet
_MARKUP = re.compile(r"[*_`#>|~]+|<\|?/?[a-z_]{1,30}\|?>")
_LEAD = re.compile(r"^\s*(?:assistant|description|answer|caption|描述|回答)\s*[:：]\s*", re.I)
_BLANKS = re.compile(r"\s+")
_RUN = re.compile(rf"(.)\1{{{_MAX_REPEATED - 1},}}")
_WORD = re.compile(r"[^\W\d_]+")
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|[。！？]")


def build_picture_messages(caption: str, language: str) -> Sequence[ChatMessage]:
    """Return the prompt for a picture, in Chinese for a Chinese document, else in English."""
    language = language if language in _LANGUAGES else "en"
    text = load_prompt("describe_picture", language)
    if words := _BLANKS.sub(" ", caption).strip()[:MAX_CAPTION_CHARS]:
        text += "\n" + load_prompt("describe_picture_caption", language).format(caption=words)
    return [ChatMessage("user", text)]


def tidy_description(text: str) -> str:
    """Return an answer as a description of at most `MAX_CHARS`, "" if it can't be used."""
    plain = _BLANKS.sub(" ", _MARKUP.sub("", text)).strip().strip("\"“”'")
    plain = _LEAD.sub("", plain).strip()
    if not is_usable(plain):
        return ""
    if len(plain) <= MAX_CHARS:
        return plain
    ends = [match.end() for match in _SENTENCE_END.finditer(plain, 0, MAX_CHARS)]
    if ends and ends[-1] > MAX_CHARS // 3:
        return plain[: ends[-1]]
    cut = plain.rfind(" ", MAX_CHARS // 2, MAX_CHARS)
    return plain[: cut if cut > 0 else MAX_CHARS].rstrip(" ,;:，；：") + "…"


def is_usable(text: str) -> bool:
    """Return whether a text has words that say something, and no repetition without an end."""
    signs = [char for char in text if not char.isspace()]
    n_letters = sum(char.isalnum() for char in signs)
    if not signs or "\ufffd" in text or n_letters < _MIN_LETTERS * len(signs):
        return False
    if _RUN.search(text):
        return False
    if has_han(text):
        han = _HAN.findall(text)
        return len(han) >= _MIN_HAN and not _repeats(_pairs(han))
    words = [word.lower() for word in _WORD.findall(text)]
    if len(words) < _MIN_WORDS:
        return False
    shortest, longest = _WORD_LENGTHS
    mean = sum(map(len, words)) / len(words)
    return shortest <= mean <= longest and not _repeats(words)


def _pairs(han: Sequence[str]) -> list[str]:
    return [a + b for a, b in pairwise(han)]


def _repeats(words: Sequence[str]) -> bool:
    return len(words) >= 12 and len(set(words)) < _MIN_DISTINCT * len(words)
