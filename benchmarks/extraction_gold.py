"""Re-DocRED as the benchmark takes it: thirty documents by a fixed seed, read as prose.

Owns the reading of its JSON. Dates and numbers are no names here: pairs with one are counted
apart and who claims them is not judged.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .extraction_scores import GoldDocument, fold_name

SEED = 20260
N_DOCUMENTS = 30
NOT_NAMES = frozenset(("TIME", "NUM"))

_NO_SPACE_BEFORE = re.compile(r"^(?:[.,;:!?)\]%]|'s|n't|'(?:re|ve|ll|d|m)|')$")
_NO_SPACE_AFTER = frozenset(("(", "[", "$", "£"))
_QUOTES = frozenset(('"', "``", "''"))
_DASHES = frozenset(("-", "–", "/"))


@dataclass(frozen=True, slots=True)
class PairDocument:
    """One document with its gold pairs; `half` is "tune" or "report"."""

    title: str
    text: str
    gold: GoldDocument
    half: str


def load_documents(path: Path, n: int = N_DOCUMENTS) -> list[PairDocument]:
    """Return the benchmark's documents: the first half of `n` to tune on, the rest to report.

    A smaller `n` takes fewer of the same documents, as many of either half.
    """
    rows = json.loads(path.read_text(encoding="utf-8"))
    drawn = random.Random(SEED).sample(range(len(rows)), N_DOCUMENTS)
    half = N_DOCUMENTS // 2
    n_tune = n // 2
    chosen = [(i, "tune") for i in drawn[:half][:n_tune]]
    chosen += [(i, "report") for i in drawn[half:][: n - n_tune]]
    return [_read(rows[i], half) for i, half in chosen]


def _read(row: dict[str, Any], half: str) -> PairDocument:
    clusters = tuple(
        frozenset(fold_name(mention["name"]) for mention in entity) for entity in row["vertexSet"]
    )
    outside = frozenset(
        number
        for number, entity in enumerate(row["vertexSet"])
        if all(mention["type"] in NOT_NAMES for mention in entity)
    )
    pairs = {frozenset((label["h"], label["t"])) for label in row["labels"]}
    pairs = {pair for pair in pairs if len(pair) == 2}
    inside = frozenset(pair for pair in pairs if not pair & outside)
    text = " ".join(join_tokens(sentence) for sentence in row["sents"])
    gold = GoldDocument(clusters, inside, outside, len(pairs) - len(inside))
    return PairDocument(row["title"], text, gold, half)


def join_tokens(tokens: Sequence[str]) -> str:
    """Return a sentence as it would be printed, from its tokens."""
    text = ""
    glued, inside_quotes = True, False
    for token in tokens:
        closes = token in _QUOTES and inside_quotes
        if not (glued or closes or _NO_SPACE_BEFORE.match(token) or token in _DASHES):
            text += " "
        text += '"' if token in _QUOTES else token
        glued = token in _NO_SPACE_AFTER or token in _DASHES
        if token in _QUOTES:
            inside_quotes = not inside_quotes
            glued = inside_quotes
    return text.strip()
