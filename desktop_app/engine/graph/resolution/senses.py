"""Which of several namesakes each mention of a name means, once a person has told some apart.

What the person chose stands. A later mention goes by the company it keeps: its document, and
the names around it. Pure; where nothing tells, it stays with the name as it was, as doubtful.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

MIN_LEAD = 1.5  # how many times more the company must speak for the first than for the second


@dataclass(frozen=True, slots=True)
class MentionContext:
    """One mention of the split name; `beside` are the other names of its chunk."""

    mention_id: int
    document_id: int
    start: int
    beside: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class SenseChoice:
    """Which namesake a mention means; `doubtful` where a person had better look."""

    mention_id: int
    sense: int
    doubtful: bool = False


def choose_senses(
    mentions: Sequence[MentionContext], chosen: Mapping[tuple[int, int], int]
) -> list[SenseChoice]:
    """Return the sense of every mention, in the order given.

    Args:
        chosen: (document id, start) -> sense, as the person said; sense 0 is the name itself.
    """
    told = [(m, chosen[m.document_id, m.start]) for m in mentions if _place(m) in chosen]
    by_document: dict[int, set[int]] = defaultdict(set)
    company: dict[int, Counter[str]] = defaultdict(Counter)
    for mention, sense in told:
        by_document[mention.document_id].add(sense)
        company[sense].update(mention.beside)
    sizes = Counter(sense for _, sense in told)
    found = []
    for mention in mentions:
        sense = chosen.get(_place(mention))
        if sense is not None:
            found.append(SenseChoice(mention.mention_id, sense))
            continue
        here = by_document.get(mention.document_id, set())
        if len(here) == 1:
            found.append(SenseChoice(mention.mention_id, next(iter(here))))
            continue
        found.append(_by_company(mention, here or set(sizes), company, sizes))
    return found


def _by_company(
    mention: MentionContext,
    senses: Iterable[int],
    company: Mapping[int, Counter[str]],
    sizes: Mapping[int, int],
) -> SenseChoice:
    """Choose by the share of a sense's mentions that have the same names beside them."""
    scored = sorted(
        ((sum(company[s][name] for name in mention.beside) / max(1, sizes[s]), -s) for s in senses),
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
