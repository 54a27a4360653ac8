"""Normalisation of names: one key for all spellings of the same name.

Store, services and entity resolution match names by this key; the window always shows the name as
written. Also encodes the sense of a name (one of several entities with the same name).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from ..writing_systems import HAN, HAN_COMPATIBILITY, KANA

_SENSE = "\u2063"  # INVISIBLE SEPARATOR, which does not occur in names

_QUOTES = str.maketrans(
    {
        "’": "'", "‘": "'", "‛": "'", "`": "'", "´": "'", "“": '"', "”": '"', "„": '"',
        "«": '"', "»": '"', "「": '"', "」": '"', "『": '"', "』": '"', "《": '"', "》": '"',
        "〈": '"', "〉": '"', "•": "·", "・": "·", "‧": "·", "∙": "·", "–": "-", "—": "-", "‐": "-",
    }
)  # fmt: skip
_SPACE = re.compile(r"\s+")
_CJK = re.compile(f"[{KANA}{HAN}{HAN_COMPATIBILITY}]")
_CJK_SPACE = re.compile(r"(?<=[\u3040-\u9fff])\s+(?=[\u3040-\u9fff])")
_POSSESSIVE = re.compile(r"'s?$")
_ARTICLE = re.compile(r"^(?:the|a|an) (?=\S)")
_TITLE_STOP = re.compile(r"\b(mr|mrs|ms|dr|st|capt|col|gen|lt|prof|rev|jr|sr|mme|messrs)\.")
# These do not distinguish people; "Mrs.", "Miss" and "Lady" do, so they are kept.
_SAFE_TITLE = re.compile(r"^(?:mr|monsieur|esq|dear|old|little|poor|young) (?=\S)")
_EDGES = " \t\n\"'.,;:!?()[]{}*_~-"


@lru_cache(maxsize=16384)
def normalise_name(name: str, language: str = "") -> str:
    """Return the key for matching a name; names with the same key denote the same entity.

    Ignores width, case, quotes, spaces, middle dots, a possessive, an article and titles that do
    not distinguish people ("Mr."). A name that consists only of these is returned as it is.
    """
    plain = unicodedata.normalize("NFKC", name).translate(_QUOTES).casefold()
    plain = _SPACE.sub(" ", plain).strip()
    if language == "zh" or _CJK.search(plain):
        plain = _CJK_SPACE.sub("", plain)
        return plain.strip(_EDGES) or plain
    key = _TITLE_STOP.sub(r"\1", plain).strip(_EDGES)
    key = _POSSESSIVE.sub("", key) if "'" in key[-2:] else key
    key = _ARTICLE.sub("", key)
    key = _SAFE_TITLE.sub("", key).strip(_EDGES)
    return key or plain


def sense_key(name: str, sense: int) -> str:
    """Return the name with the number of its sense; the name itself for sense 0."""
    return f"{name}{_SENSE}{sense}" if sense else name


def split_sense(key: str) -> tuple[str, int]:
    """Return the name as written and its sense; 0 if the name was not split."""
    if _SENSE not in key:
        return key, 0
    name, _, sense = key.partition(_SENSE)
    return (name, int(sense)) if sense.isdigit() else (key, 0)
