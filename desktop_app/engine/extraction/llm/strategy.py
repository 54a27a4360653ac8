"""Entry point of extraction by a chat model: the prompt program of a chunk.

Chooses the strategy by the settings and the model's size, identifies prompts by a version, and
splits chunks that are too long. The value of a program is a `ChunkEvidence`. Knows no model and no
database.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ...model import ChatMessage, ChunkEvidence, ClaimedRelation, NameClaim
from ...prompt_program import PromptProgram
from ..spans import SplitSentences
from .descriptions import describe_messages
from .free_form import extract_free_form, free_form_messages
from .relation_kinds import KIND_SETS
from .slots import (
    asked_types,
    build_slot_messages,
    choose_kinds,
    extract_with_slots,
    slots_messages,
)
from .tasks import (
    DESCRIBE_FROM_PARAMETERS,
    FREE_FORM_FROM_PARAMETERS,
    ChunkTask,
    EnrichSettings,
    prompt_language,
)

VERSION = 5  # of the evaluation of replies; changed prompts change `prompt_version` by themselves


def choose_strategy(settings: EnrichSettings, n_parameters: int, can_choose: bool = True) -> str:
    """Return "slots" or "free", by the settings or, if these are "auto", by model size.

    Slots need a model that can choose; with another one it is always "free".
    """
    if not can_choose:
        return "free"
    if settings.strategy != "auto":
        return settings.strategy
    return "free" if n_parameters >= FREE_FORM_FROM_PARAMETERS else "slots"


def fit_settings(settings: EnrichSettings, n_parameters: int) -> EnrichSettings:
    """Return the settings with `describe` decided by model size.

    Args:
        n_parameters: 0 if unknown.
    """
    if settings.describe != "auto":
        return settings
    is_reliable = n_parameters >= DESCRIBE_FROM_PARAMETERS
    return replace(settings, describe="always" if is_reliable else "never")


def prompt_version(settings: EnrichSettings, strategy: str, language: str) -> str:
    """Return a hash of prompts and settings: extractions with another version are out of date.

    Args:
        settings: as `fit_settings` returns them. Settings that only change the order, the speed
            or the use of extractions do not count.
    """
    prompts: list[tuple[ChatMessage, ...]]
    limits: list[int] = []
    if strategy == "free":
        prompts = [free_form_messages(settings, language)]
        limits += [settings.max_entities, settings.max_relations]
        limits += [settings.entity_extract_max_gleaning]
    else:
        prompt = prompt_language(language)
        domains = list(KIND_SETS) if settings.domain == "auto" else [settings.domain]
        prompts = [
            slots_messages(d, choose_kinds(d, settings), asked_types(settings), prompt)
            for d in domains
        ]
        if settings.describe == "always":
            prompts.append(describe_messages(prompt))
        if settings.claims:
            prompts.append(free_form_messages(settings, language))
            limits += [settings.max_entities]
    texts = [[[m.role, m.text] for m in messages] for messages in prompts]
    parts = json.dumps([VERSION, strategy, limits, texts], ensure_ascii=False)
    return hashlib.sha256(parts.encode()).hexdigest()[:12]


def build_prompt_program(
    task: ChunkTask, settings: EnrichSettings, strategy: str, split: SplitSentences
) -> PromptProgram:
    """Return the prompt program of one chunk; its value is a `ChunkEvidence`.

    Args:
        settings: as `fit_settings` returns them.
        split: text and language -> sentence spans.
    """
    if strategy == "free":
        messages = free_form_messages(settings, task.language)
        answer = partial(extract_free_form, task, settings, split)
    else:
        messages = build_slot_messages(task, settings)
        answer = partial(extract_with_slots, task, settings, split)
    return PromptProgram(task.key, messages, task.text, answer)


MIN_HALF_CHARS = 40


def find_sentence_cut(length: int, sentences: Sequence[tuple[int, int]]) -> int | None:
    """Return the sentence start nearest the middle, None if a half would be too short."""
    cuts = [start for start, _ in sentences if MIN_HALF_CHARS <= start <= length - MIN_HALF_CHARS]
    return min(cuts, key=lambda at: abs(at - length / 2), default=None)


def split_task(task: ChunkTask, cut: int) -> tuple[ChunkTask, ChunkTask]:
    """Return the tasks of the text before and after `cut`, an offset in the task's text.

    A mention belongs to its half; a relation to the half of its sentence if both names are there.
    """
    return _part(task, 0, cut), _part(task, cut, len(task.text))


def _part(task: ChunkTask, first: int, end: int) -> ChunkTask:
    start, stop = task.start + first, task.start + end
    mentions = tuple(m for m in task.mentions if start <= m.start and m.end <= stop)
    names = {m.name for m in mentions}
    relations = tuple(
        r
        for r in task.relations
        if start <= r.start < stop and r.source in names and r.target in names
    )
    return replace(
        task, start=start, text=task.text[first:end], mentions=mentions, relations=relations
    )


def merge_halves(
    task: ChunkTask, halves: Sequence[ChunkTask], found: Sequence[ChunkEvidence]
) -> ChunkEvidence:
    """Return the evidence of the halves of a chunk as the evidence of the whole chunk.

    A relation in both halves is taken from the more confident one; relations of the task that are
    in neither half stay unchanged.
    """
    relations: dict[frozenset[str], ClaimedRelation] = {}
    for relation in (r for evidence in found for r in evidence.relations):
        known = relations.get(_pair(relation))
        relations[_pair(relation)] = _more_confident(known, relation) if known else relation
    asked = {_pair(r) for half in halves for r in half.relations}
    for relation in task.relations:
        if _pair(relation) not in asked:
            relations.setdefault(_pair(relation), relation)
    names: dict[str, NameClaim] = {}
    for claim in (n for evidence in found for n in evidence.names):
        known_claim = names.get(claim.name)
        names[claim.name] = _more_confident_claim(known_claim, claim) if known_claim else claim
    return ChunkEvidence(
        chunk_order=task.chunk_order,
        mentions=_distinct(m for evidence in found for m in evidence.mentions),
        relations=tuple(relations.values()),
        also_called=_distinct(p for evidence in found for p in evidence.also_called),
        names=tuple(names.values()),
        claims=_distinct(c for evidence in found for c in evidence.claims),
    )


def _pair(relation: ClaimedRelation) -> frozenset[str]:
    return frozenset((relation.source, relation.target))


def _more_confident(one: ClaimedRelation, other: ClaimedRelation) -> ClaimedRelation:
    best = max(one, other, key=lambda r: (bool(r.description), r.confidence, r.weight))
    return replace(best, weight=max(one.weight, other.weight))


def _more_confident_claim(one: NameClaim, other: NameClaim) -> NameClaim:
    best = max(one, other, key=lambda c: (bool(c.type), c.confidence))
    return replace(best, description=best.description or one.description or other.description)


def _distinct(values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(values))
