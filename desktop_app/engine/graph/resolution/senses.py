"""Assigns mentions of a name to its senses (several entities with one name).

The user's choices are kept. Other mentions are assigned by their context: the document and the
other names in the chunk. Without evidence a mention keeps sense 0 and is marked as doubtful.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

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
    mentions: Sequence[MentionContext], chosen: Mapping[tuple[int, int], int]
) -> list[SenseChoice]:
    """Return the sense of every mention, in the order given.

    Args:
        chosen: (document id, start) -> sense chosen by the user; sense 0 is the name itself.
    """
    by_user = [(m, chosen[m.document_id, m.start]) for m in mentions if _place(m) in chosen]
    by_document: dict[int, set[int]] = defaultdict(set)
    context_counts: dict[int, Counter[str]] = defaultdict(Counter)
    for mention, sense in by_user:
        by_document[mention.document_id].add(sense)
        context_counts[sense].update(mention.beside)
    sizes = Counter(sense for _, sense in by_user)
    found = []
    for mention in mentions:
        choice = chosen.get(_place(mention))
        if choice is not None:
            found.append(SenseChoice(mention.mention_id, choice))
            continue
        senses_here = by_document.get(mention.document_id, set())
        if len(senses_here) == 1:
            found.append(SenseChoice(mention.mention_id, next(iter(senses_here))))
            continue
        found.append(_choose_by_context(mention, senses_here or set(sizes), context_counts, sizes))
    return found


def _choose_by_context(
    mention: MentionContext,
    senses: Iterable[int],
    context_counts: Mapping[int, Counter[str]],
    sizes: Mapping[int, int],
) -> SenseChoice:
    """Choose the sense whose mentions most often have the same names in their chunks."""
    scored = sorted(
        (
            (sum(context_counts[s][name] for name in mention.beside) / max(1, sizes[s]), -s)
            for s in senses
        ),
        reverse=True,
    )
    if not scored or scored[0][0] == 0.0:
        return SenseChoice(mention.mention_id, 0, doubtful=bool(scored))
    second = scored[1][0] if len(scored) > 1 else 0.0
    if scored[0][0] < MIN_LEAD * second:
        return SenseChoice(mention.mention_id, 0, doubtful=True)
    return SenseChoice(mention.mention_id, -scored[0][1])


def _place(mention: MentionContext) -> tuple[int, int]:
    return mention.document_id, mention.start
