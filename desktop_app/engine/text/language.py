"""Language detection, by script and by the most frequent words of each language.

Owns the lists of frequent characters and words, which the detection of encodings uses too.
"""

from __future__ import annotations

import re
from collections import Counter

from ..word_lists import WordLists
from ..writing_systems import HAN, HAN_COMPATIBILITY, HAN_RARE

_LISTS = WordLists("frequent_words")
FREQUENT_HAN = _LISTS.characters("simplified") | _LISTS.characters("traditional")
FREQUENT_HANGUL = _LISTS.characters("hangul")
FUNCTION_WORDS = {
    language: frozenset(words) for language, words in _LISTS.table("function_words").items()
}

_SLICES = 6
_SLICE_CHARS = 3_000
_SCRIPTS = {
    "kana": re.compile("[\u3041-\u30fa\u31f0-\u31ff]"),
    "han": re.compile(f"[{HAN}{HAN_COMPATIBILITY}{HAN_RARE}]"),
    "ko": re.compile("[\uac00-\ud7af\u1100-\u11ff]"),
    "cyrillic": re.compile("[\u0400-\u04ff]"),
    "el": re.compile("[\u0370-\u03ff\u1f00-\u1fff]"),
    "arabic": re.compile("[\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff]"),
    "he": re.compile("[\u0590-\u05ff]"),
    "th": re.compile("[\u0e00-\u0e7f]"),
    "hi": re.compile("[\u0900-\u097f]"),
    "latin": re.compile("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]"),
}
_LETTERS = re.compile(r"[^\W\d_]+")


def detect_language(text: str) -> str:
    """Return the ISO 639-1 code of the main language of a text, "und" if it is unknown."""
    sample = _sample_text(text)
    counts = {name: len(pattern.findall(sample)) for name, pattern in _SCRIPTS.items()}
    # One Chinese character carries about as much text as four letters.
    east = 4 * (counts["han"] + counts["kana"])
    weights = {"ko": 3 * counts["ko"], "east": east}
    weights |= {n: c for n, c in counts.items() if n not in ("han", "kana", "ko")}
    script, weight = max(weights.items(), key=lambda item: item[1])
    if not weight:
        return "und"
    if script == "east":
        return "ja" if counts["kana"] * 12 > counts["han"] else "zh"
    if script == "cyrillic":
        if re.search("[іїєґІЇЄҐ]", sample):
            return "be" if re.search("[ўЎ]", sample) else "uk"
        if re.search("[ыэЫЭ]", sample):
            return "ru"
        if re.search("[ћђљњџјЋЂЉЊЏЈ]", sample):
            return "mk" if re.search("[ѓќѕЃЌЅ]", sample) else "sr"
        return "bg" if sample.count("ъ") * 100 > len(sample) else "ru"
    if script == "arabic":
        return "fa" if len(re.findall("[پچژگ]", sample)) * 60 > weight else "ar"
    return _latin_language(sample) if script == "latin" else script


def _sample_text(text: str) -> str:
    if len(text) <= _SLICES * _SLICE_CHARS:
        return text
    step = (len(text) - _SLICE_CHARS) // (_SLICES - 1)
    return "\n".join(text[i * step : i * step + _SLICE_CHARS] for i in range(_SLICES))


def _latin_language(sample: str) -> str:
    words = Counter(_LETTERS.findall(sample.lower()))
    total = sum(words.values())
    scores = {
        code: sum(words[word] for word in known) / (8 + total)
        for code, known in FUNCTION_WORDS.items()
    }
    best = max(scores, key=lambda code: scores[code])
    n_known = sum(1 for word in FUNCTION_WORDS[best] if words[word] and len(word) > 1)
    return best if scores[best] >= 0.1 and n_known >= 3 else "und"


def find_asked_language(question: str) -> str:
    """Return the language that a question is answered in: that of prompts and fixed sentences."""
    return "zh" if detect_language(question) == "zh" else "en"
