"""Ties to the one a text is about: articles and papers come back to their subject all the time.

A text that explains says "the album", "she", "the company" where it means its subject, so that most
of what it tells of other names is a tie to that one, though the two never share a sentence.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..types import ClaimedRelation, Mention
from .tasks import ChunkTask

MOST_TIES = 8
FARTHEST = 600  # characters between the subject's last mention and the other name
WEIGHT = 0.1  # as names of neighbouring sentences that stand apart


def tie_to_subject(task: ChunkTask, relations: Sequence[ClaimedRelation]) -> list[ClaimedRelation]:
    """Return a relation of the chunk's subject with each name it is not tied to yet.

    The evidence reaches from the subject's mention before to the sentence of the other name, so
    that both are in what is quoted.
    """
    firsts: dict[str, Mention] = {}
    for mention in sorted(task.mentions, key=lambda m: m.start):
        firsts.setdefault(mention.name, mention)
    if len(firsts) < 3:
        return []
    subject = max(firsts, key=lambda name: (task.importance.get(name, 0), -firsts[name].start))
    tied = {frozenset((r.source, r.target)) for r in relations}
    places = [m for m in task.mentions if m.name == subject]
    ties = []
    for name, mention in firsts.items():
        before = [m for m in places if m.end <= mention.start <= m.end + FARTHEST]
        if name == subject or frozenset((name, subject)) in tied or not before:
            continue
        start = max(before, key=lambda m: m.start).sentence_start
        ties.append(ClaimedRelation(subject, name, start, mention.sentence_end, WEIGHT))
    return ties[:MOST_TIES]
