"""Where in a book passages stand: chapters with their headings, and how late among others.

A heading that names who is asked about says what its chapter tells of them. Books without
headings are cut into parts of equal length instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from ...store.db import Db
from ...text.features import features
from .index import FindingIndex

_CJK = re.compile(r"[\u3400-\u9fff]")
_COMMON = frozenset("的是谁了过吗呢怎么样什哪些有何如为与和主要在人上下大小一二三不")
NAME_ONLY = 0.3
PARTS = 20  # of a book without chapters

Chapter = tuple[int, str]  # document, heading (or number of the part)


def fetch_chapters(db: Db, index: FindingIndex, positions: Sequence[int]) -> dict[int, Chapter]:
    """Return position in the index -> the chapter that it stands in."""
    ids = [int(index.chunk_ids[p]) for p in positions]
    headings: dict[int, str] = {}
    for i in range(0, len(ids), 500):
        part = ids[i : i + 500]
        headings |= dict(
            db.rows(
                f"SELECT id, heading_path FROM chunk WHERE id IN ({','.join('?' * len(part))})",
                part,
            )
        )
    chapters: dict[int, Chapter] = {}
    spans: dict[int, tuple[int, int]] = {}
    for position, chunk_id in zip(positions, ids, strict=True):
        document = int(index.documents[position])
        heading = headings.get(chunk_id, "")
        if not heading:
            if document not in spans:
                spans[document] = _span_of(index, document)
            first, n = spans[document]
            heading = str(PARTS * (position - first) // n)
        chapters[position] = (document, heading)
    return chapters


def _span_of(index: FindingIndex, document: int) -> tuple[int, int]:
    """Return the first position of a document and how many it has."""
    own = np.flatnonzero(index.documents == document)
    return int(own[0]), len(own)


def rate_headings(
    chapters: dict[int, Chapter], names: Iterable[str], wanted: str
) -> dict[Chapter, float]:
    """Return chapter -> 1 where its heading has a name and a word wanted, less for a name alone."""
    names = [name for name in names if len(name) > 1]
    words = features(wanted) | {c for c in wanted if _CJK.match(c)} - _COMMON
    rated: dict[Chapter, float] = {}
    for chapter in set(chapters.values()):
        heading = chapter[1].casefold()
        if any(name.casefold() in heading for name in names):
            rated[chapter] = 1.0 if any(word in heading for word in words) else NAME_ONLY
    return rated


def place_late(positions: Sequence[int], index: FindingIndex) -> dict[int, float]:
    """Return position -> 0 (the first in its document) to 1 (the last)."""
    of_document: dict[int, list[int]] = {}
    for position in sorted(positions):
        of_document.setdefault(int(index.documents[position]), []).append(position)
    return {
        position: rank / max(1, len(own) - 1)
        for own in of_document.values()
        for rank, position in enumerate(own)
    }


def fit_headings(
    db: Db, index: FindingIndex, chapters: dict[int, Chapter], told_of: Iterable[Chapter]
) -> dict[int, float]:
    """Return position -> 0..1, how much of its chapter's heading a passage tells itself.

    Only for passages of the chapters given; what a heading promises is told in few of them.
    """
    wanted = {chapter: features(chapter[1]) for chapter in told_of}
    inside = {int(index.chunk_ids[p]): p for p, c in chapters.items() if wanted.get(c)}
    ids, fitting = list(inside), {}
    for i in range(0, len(ids), 500):
        part = ids[i : i + 500]
        for chunk_id, text in db.rows(
            f"SELECT id, text FROM chunk WHERE id IN ({','.join('?' * len(part))})", part
        ):
            position = inside[chunk_id]
            words = wanted[chapters[position]]
            body = _without_heading(text, chapters[position][1])
            fitting[position] = len(words & features(body)) / len(words)
    best: dict[Chapter, float] = {}
    for position, value in fitting.items():
        best[chapters[position]] = max(value, best.get(chapters[position], 0.0))
    return {p: v / (best[chapters[p]] or 1.0) for p, v in fitting.items()}


def _without_heading(text: str, heading: str) -> str:
    """Return a passage without the lines that are its chapter's heading: they tell nothing."""
    plain = "".join(heading.split())
    lines = (line for line in text.splitlines() if "".join(line.split()) not in plain)
    return "\n".join(lines)
