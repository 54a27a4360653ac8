"""Names whose vectors (of name and description) are near, where an embedding model was there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...errors import said
from .facts import Hint, NameFacts, TextFacts, two

_MOST = 4000  # names compared with each other, those named most often
_NEAREST = 3
_FEWEST = 3
_ALIKE = 0.75
_LEAST, _MOST_STRENGTH = 0.45, 0.35  # a hint beside others: what is quoted of many is alike
_ROWS = 512


def propose_meanings(facts: Sequence[NameFacts], text: TextFacts) -> Iterator[Hint]:
    """Propose the nearest of each name, where they stand out from what names have in common."""
    if text.vectors is None:
        return
    there = np.flatnonzero(np.any(text.vectors, axis=1)).tolist()  # a row of zeros is none yet
    order = sorted(there, key=lambda i: (-facts[i].n_mentions, facts[i].id))[:_MOST]
    if len(order) < _FEWEST:
        return
    mat = np.asarray(text.vectors, dtype=np.float32)[order]
    centred = mat - mat.mean(axis=0)
    centred /= np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-6)
    for start in range(0, len(order), _ROWS):
        near = centred[start : start + _ROWS] @ centred.T
        for row in range(len(near)):
            near[row, start + row] = -1.0
            nearest = np.argpartition(-near[row], _NEAREST - 1)[:_NEAREST]
            for column in sorted(nearest.tolist(), key=lambda c: (-near[row, c], c)):
                cosine = float(near[row, column])
                a, b = facts[order[start + row]], facts[order[column]]
                if cosine < _ALIKE or a.type != b.type or _stand_together(a, b, text):
                    continue
                strength = min(_MOST_STRENGTH, cosine - _LEAST)
                words = said(f"“{a.name}” and “{b.name}” are described alike ({cosine:.2f})")
                yield Hint(a.id, b.id, "meaning", strength, words)


def _stand_together(a: NameFacts, b: NameFacts, text: TextFacts) -> bool:
    """Say whether one sentence may describe both: then it tells nothing that they are alike."""
    pair = two(a.id, b.id)
    if pair in text.together or pair in text.told:
        return True
    n_shared = len(a.chunks & b.chunks)
    return 2 * n_shared > min(len(a.chunks), len(b.chunks))
