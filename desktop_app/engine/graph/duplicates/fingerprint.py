"""The strictest methods, as in OpenRefine: equal fingerprints and equal n-grams."""

from __future__ import annotations

from collections.abc import Iterator

from ...errors import said
from .facts import Hint
from .forms import Form, Forms, group, iter_pairs


def propose_fingerprints(forms: Forms) -> Iterator[Hint]:
    """Propose names of the same words in any order, whatever case, accents and marks."""
    keys = [" ".join(sorted(set(form.words))) for form in forms.all]
    for block in group(forms.all, keys):
        for a, b in iter_pairs(block):
            text = said(f"“{a.name}” and “{b.name}” are the same words")
            yield Hint(a.id, b.id, "fingerprint", 0.93, text)


def propose_ngrams(forms: Forms) -> Iterator[Hint]:
    """Propose names of the same letter pairs ("Baker Street" and "Bakerstreet")."""
    for block in group(forms.latin, map(_bigrams, forms.latin)):
        for a, b in iter_pairs(block):
            text = said(f"“{a.name}” and “{b.name}” are the same letters")
            yield Hint(a.id, b.id, "ngram", 0.85, text)


def _bigrams(form: Form) -> str:
    letters = "".join(form.words)
    if len(letters) < 5:
        return ""
    return " ".join(sorted({letters[i : i + 2] for i in range(len(letters) - 1)}))
