"""The slots strategy from end to end: names and pairs are judged, then, where wanted, more is told.

Sentences and claims have instructions of their own and come last, so that they change nothing of
what was judged.
"""

from __future__ import annotations

from dataclasses import replace

from ..asks import Talk
from ..types import STRUCK, ChunkEvidence
from .describing import describe_talk
from .free_form import free_form_messages, render_records
from .parsing_records import EntityRecord, Records
from .placing import Placing
from .slots import SplitSentences, slots_talk
from .tasks import ChunkTask, EnrichSettings
from .text_claims import claims_talk


def judging_talk(task: ChunkTask, settings: EnrichSettings, split: SplitSentences) -> Talk:
    """Ask about a chunk's names and pairs, and for what else is wanted; return its evidence.

    Args:
        split: text and language -> sentence spans.
    """
    found: ChunkEvidence = yield from slots_talk(task, settings, split)
    if settings.describe == "always":
        found = yield from describe_talk(task, found)
    if settings.claims:
        found = yield from _claim_talk(task, settings, split, found)
    return found


def _claim_talk(
    task: ChunkTask, settings: EnrichSettings, split: SplitSentences, found: ChunkEvidence
) -> Talk:
    """Ask for claims as the free form does, after a list of the names as if it had made it."""
    whole = replace(task, mentions=(*task.mentions, *found.mentions))
    types = {m.name: m.type for m in whole.mentions}
    types |= {claim.name: claim.type for claim in found.names if claim.type}
    names = [name for name, type_ in types.items() if type_ != STRUCK]
    if not names:
        return found
    told = {claim.name: claim.description for claim in found.names}
    listed = tuple(
        EntityRecord(name, types[name], told.get(name, ""))
        for name in names[: settings.max_entities]
    )
    claims = yield from claims_talk(
        whole,
        settings,
        Placing(whole, split),
        f"{render_records(Records(listed))}\ndone",
        free_form_messages(settings, task.language),
    )
    # A claim is about names that have a place in the graph.
    kept = (replace(c, object=c.object if c.object in names else "") for c in claims)
    return replace(found, claims=tuple(c for c in kept if c.subject in names))
