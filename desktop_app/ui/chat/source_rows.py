"""What the cards of an answer's sources show, worked out without Qt.

Owns which part of a passage is marked, how close it is said to be, and that cards of one
document stand together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_app.ui.language import tr

from .turns import Turn, place_words

AROUND = 90
VERY_CLOSE, CLOSE = 0.75, 0.4  # of the closest passage's score


@dataclass(frozen=True, slots=True)
class Source:
    """What one card shows; `number` 0 for a passage that was read and not cited.

    `share` is its score beside the best one's, 0 where there is none.
    """

    number: int
    document_id: int
    title: str
    place: str
    start: int
    end: int
    before: str
    quote: str
    after: str
    share: float
    weak: bool = False

    @property
    def closeness(self) -> str:
        """How close the passage is to the question, in words."""
        if not self.share:
            return ""
        if self.weak or self.share < CLOSE:
            return tr("Loosely")
        return tr("Very close" if self.share >= VERY_CLOSE else "Fairly close")


def build_sources(turn: Turn) -> list[Source]:
    """Return the cited passages in the order of their numbers, then those only read."""
    best = max((p.score for p in turn.passages), default=0.0) or 1.0
    by_chunk = {p.chunk_id: p for p in turn.passages}
    sources = []
    for citation in turn.citations:
        passage = by_chunk.get(citation.chunk_id)
        text, start = (passage.text, passage.start) if passage else (citation.quote, citation.start)
        place = place_words(citation.page_label, passage.heading if passage else "", citation.title)
        share = max(0.0, passage.score / best) if passage else 0.0
        parts = _cut(text, citation.start - start, citation.end - start, citation.quote)
        where = (citation.document_id, citation.title, place, citation.start, citation.end)
        sources.append(Source(citation.number, *where, *parts, share, turn.weak))
    cited = {c.chunk_id for c in turn.citations}
    for p in turn.passages:
        if p.chunk_id in cited:
            continue
        parts = _cut(p.text, p.best_start - p.start, p.best_end - p.start, "")
        where = (p.document_id, p.title, place_words(p.page_label, p.heading, p.title))
        span = (p.best_start, p.best_end)
        share = max(0.0, p.score / best)
        sources.append(Source(0, *where, *span, *parts, share, turn.weak))
    return sources


def group_sources(sources: Sequence[Source]) -> list[tuple[str, list[Source]]]:
    """Return the sources by document, each under its title, in the order of the first of each."""
    groups: dict[int, list[Source]] = {}
    for source in sources:
        groups.setdefault(source.document_id, []).append(source)
    return [(group[0].title, group) for group in groups.values()]


def _cut(text: str, start: int, end: int, quote: str) -> tuple[str, str, str]:
    """Return what stands before, in and after the quoted part, cut at words where it can."""
    if not 0 <= start < end <= len(text):
        return "", " ".join((quote or text[:240]).split()), ""
    before, after = text[:start], text[end:]
    if len(before) > AROUND:
        before = before[-AROUND:]
        blank = before.find(" ", 0, 20)
        before = "… " + before[blank + 1 :]
    if len(after) > AROUND:
        after = after[:AROUND]
        blank = after.rfind(" ", AROUND - 20)
        after = (after[:blank] if blank > 0 else after).rstrip(" .。") + " …"
    return tuple(" ".join(f"|{part}|".split())[1:-1] for part in (before, text[start:end], after))
