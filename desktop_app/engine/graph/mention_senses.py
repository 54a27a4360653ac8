"""Which sense of a name a mention has, where the user split the name.

The user's choices are kept, other mentions go by their context; without evidence a mention keeps
sense 0 and is marked as doubtful.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

MIN_LEAD = 1.5  # least ratio of the best to the second-best score


@dataclass(frozen=True, slots=True)
class MentionContext:
    """One mention of the split name; `beside` are the other names in its chunk."""

    mention_id: int
    document_id: int
    start: int
    beside: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class SenseChoice:
    """The sense of a mention; `doubtful` if the user should check it."""

    mention_id: int
    sense: int
    doubtful: bool = False


def choose_senses(
    mentions: Sequence[MentionContext],
    chosen: Mapping[tuple[int, int], int],
    by_story: Mapping[int, int] = MappingProxyType({}),
) -> list[SenseChoice]:
    """Return the sense of every mention, in the order given.

    Args:
        chosen: (document id, start) -> sense chosen by the user; sense 0 is the name itself.
        by_story: document id -> sense of the name in its story.
    """
    known = [
        (m, sense)
        for m in mentions
        if (sense := chosen.get((m.document_id, m.start), by_story.get(m.document_id))) is not None
    ]
    by_document: dict[int, set[int]] = defaultdict(set)
    context_counts: dict[int, Counter[str]] = defaultdict(Counter)
    for mention, sense in known:
        if (mention.document_id, mention.start) in chosen:
            by_document[mention.document_id].add(sense)
        context_counts[sense].update(mention.beside)
    sizes = Counter(sense for _, sense in known)
    found = []
    for mention in mentions:
        senses_here = by_document.get(mention.document_id, set())
        choice = chosen.get((mention.document_id, mention.start))
        if choice is None and len(senses_here) == 1:
            choice = next(iter(senses_here))
        if choice is None and not senses_here:
            choice = by_story.get(mention.document_id)
        if choice is not None:
            found.append(SenseChoice(mention.mention_id, choice))
        else:
            senses = senses_here or set(sizes)
            found.append(_choose_by_context(mention, senses, context_counts, sizes))
    return found


def _choose_by_context(
    mention: MentionContext,
    senses: Iterable[int],
    context_counts: Mapping[int, Counter[str]],
    sizes: Mapping[int, int],
) -> SenseChoice:
    """Choose the sense whose mentions most often have the same names in their chunks."""
    scored = [
        (sum(context_counts[s][name] for name in mention.beside) / max(1, sizes[s]), -s)
        for s in senses
    ]
    scored.sort(reverse=True)
    if not scored or scored[0][0] == 0.0:
        return SenseChoice(mention.mention_id, 0, doubtful=bool(scored))
    second = scored[1][0] if len(scored) > 1 else 0.0
    if scored[0][0] < MIN_LEAD * second:
        return SenseChoice(mention.mention_id, 0, doubtful=True)
    return SenseChoice(mention.mention_id, -scored[0][1])
