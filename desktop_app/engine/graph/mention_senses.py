"""Which sense of a name a mention has, where the user split the name.

The user's choices are kept, other mentions go by their context; without evidence a mention keeps
sense 0 and is marked as doubtful.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

MIN_LEAD = 1.5  # least ratio of the best to the second-best score

NamesBeside = Mapping[int, frozenset[str]]
"""Chunk id -> the other names in it."""


class SplitMention(NamedTuple):
    """One mention of the split name."""

    mention_id: int
    document_id: int
    start: int
    chunk_id: int


class SenseChoice(NamedTuple):
    """The sense of a mention; `doubtful` if the user should check it."""

    mention_id: int
    sense: int
    doubtful: bool = False


def choose_senses(
    mentions: Sequence[SplitMention],
    chosen: Mapping[tuple[int, int], int],
    by_story: Mapping[int, int] = MappingProxyType({}),
    read_beside: Callable[[], NamesBeside] = dict,
) -> list[SenseChoice]:
    """Return the sense of every mention, in the order given.

    Args:
        chosen: (document id, start) -> sense chosen by the user; sense 0 is the name itself.
        by_story: document id -> sense of the name in its story.
        read_beside: returns the other names of each chunk; called only if a sense depends on them.
            After a split, the user has chosen that of each mention.
    """
    by_document: dict[int, set[int]] = defaultdict(set)
    for mention in mentions:
        if (choice := chosen.get((mention.document_id, mention.start))) is not None:
            by_document[mention.document_id].add(choice)
    scores: _ContextScores | None = None
    found = []
    for mention in mentions:
        document_id = mention.document_id
        choice = chosen.get((document_id, mention.start))
        if choice is None:
            senses_here = by_document.get(document_id, set())
            if len(senses_here) == 1:
                choice = next(iter(senses_here))
            elif not senses_here:
                choice = by_story.get(document_id)
            if choice is None:
                if scores is None:
                    scores = _ContextScores(mentions, chosen, by_story, read_beside)
                found.append(scores.choose(mention, senses_here))
                continue
        found.append(SenseChoice(mention.mention_id, choice))
    return found


class _ContextScores:
    """Chooses the sense whose mentions most often have the same names in their chunks."""

    def __init__(
        self,
        mentions: Sequence[SplitMention],
        chosen: Mapping[tuple[int, int], int],
        by_story: Mapping[int, int],
        read_beside: Callable[[], NamesBeside],
    ) -> None:
        known = [
            (m, sense)
            for m in mentions
            if (sense := chosen.get((m.document_id, m.start), by_story.get(m.document_id)))
            is not None
        ]
        self._sizes = Counter(sense for _, sense in known)
        self._beside: NamesBeside = read_beside() if known else {}
        self._counts: dict[int, Counter[str]] = defaultdict(Counter)
        for mention, sense in known:
            self._counts[sense].update(self._beside.get(mention.chunk_id, ()))

    def choose(self, mention: SplitMention, senses_here: Iterable[int]) -> SenseChoice:
        """Return the sense of a mention, one of those in its document, if there are any."""
        beside = self._beside.get(mention.chunk_id, ())
        scored = [
            (sum(self._counts[s][name] for name in beside) / max(1, self._sizes[s]), -s)
            for s in senses_here or self._sizes
        ]
        scored.sort(reverse=True)
        if not scored or scored[0][0] == 0.0:
            return SenseChoice(mention.mention_id, 0, doubtful=bool(scored))
        second = scored[1][0] if len(scored) > 1 else 0.0
        if scored[0][0] < MIN_LEAD * second:
            return SenseChoice(mention.mention_id, 0, doubtful=True)
        return SenseChoice(mention.mention_id, -scored[0][1])
