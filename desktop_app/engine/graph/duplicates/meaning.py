"""Names whose vectors (of name and description) are near, where an embedding model was there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from .facts import Hint, NameFacts, TextFacts

_MOST = 4000  # names compared with each other, those named most often
_NEAREST = 3
_ROWS = 512


def propose_meanings(facts: Sequence[NameFacts], text: TextFacts) -> Iterator[Hint]:
    """Propose the nearest of each name, where they stand out from what names have in common."""
    if text.vectors is None or len(facts) < 3:
        return
    order = sorted(range(len(facts)), key=lambda i: (-facts[i].n_mentions, facts[i].id))[:_MOST]
    mat = np.asarray(text.vectors, dtype=np.float32)[order]
    centred = mat - mat.mean(axis=0)
    centred /= np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-6)
    for start in range(0, len(order), _ROWS):
        near = centred[start : start + _ROWS] @ centred.T
        for row in range(len(near)):
            near[row, start + row] = -1.0
            for column in np.argsort(-near[row], kind="stable")[:_NEAREST]:
                cosine = float(near[row, column])
                a, b = facts[order[start + row]], facts[order[int(column)]]
                if cosine < 0.7 or a.type != b.type or (a.id > b.id and cosine < 1.0):
                    continue
                words = f"are described alike ({cosine:.2f})"
                yield Hint(
                    a.id, b.id, "meaning", cosine - 0.45, f"“{a.name}” and “{b.name}” {words}"
                )
