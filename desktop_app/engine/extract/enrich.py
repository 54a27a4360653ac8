"""The one door to enrichment: which strategy a chunk gets, as a script for a chat model.

A script's value is the chunk's `ChunkEvidence`. Knows no model and no database.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from functools import partial

from ..asks import Script
from ..types import ChatMessage
from .describing import describe_messages
from .free_form import free_form_messages, free_form_talk
from .judging import judging_talk
from .kinds import KIND_SETS
from .slots import SplitSentences, asked_types, kinds_for, messages_for
from .slots_prompt import prompt_language, slots_messages
from .tasks import (
    DESCRIBE_FROM_PARAMETERS,
    FREE_FORM_FROM_PARAMETERS,
    ChunkTask,
    EnrichSettings,
)

VERSION = 5  # of what is made of the answers; prompts are counted in by themselves


def choose_strategy(settings: EnrichSettings, n_parameters: int) -> str:
    """Return "slots" or "free", by the person's wish or the model's size."""
    if settings.strategy != "auto":
        return settings.strategy
    return "free" if n_parameters >= FREE_FORM_FROM_PARAMETERS else "slots"


def fit_settings(settings: EnrichSettings, n_parameters: int) -> EnrichSettings:
    """Return the settings with what is left to the model's size decided; 0: size unknown."""
    if settings.describe != "auto":
        return settings
    writes_soundly = n_parameters >= DESCRIBE_FROM_PARAMETERS
    return replace(settings, describe="always" if writes_soundly else "never")


def prompt_version(settings: EnrichSettings, strategy: str, language: str) -> str:
    """Return what changes when prompts or settings do: extractions are kept by it.

    Args:
        settings: as `fit_settings` returns them; what only decides when and how fast work is
            done, or what is made of extractions, does not count.
    """
    spoken: list[tuple[ChatMessage, ...]]
    if strategy == "free":
        spoken = [free_form_messages(settings, language)]
    else:
        prompt = prompt_language(language)
        domains = list(KIND_SETS) if settings.domain == "auto" else [settings.domain]
        spoken = [
            slots_messages(d, kinds_for(d, settings), asked_types(settings), prompt)
            for d in domains
        ]
    limits: list[int] = []
    if strategy == "free":
        limits += [settings.max_entities, settings.max_relations]
        limits += [settings.entity_extract_max_gleaning]
    else:
        if settings.describe == "always":
            spoken.append(describe_messages(prompt_language(language)))
        if settings.claims:
            spoken.append(free_form_messages(settings, language))
            limits += [settings.max_entities]
    said = [[[m.role, m.text] for m in messages] for messages in spoken]
    parts = json.dumps([VERSION, strategy, limits, said], ensure_ascii=False)
    return hashlib.sha256(parts.encode()).hexdigest()[:12]


def build_script(
    task: ChunkTask, settings: EnrichSettings, strategy: str, split: SplitSentences
) -> Script:
    """Return the script of one chunk; its value is a `ChunkEvidence`.

    Args:
        settings: as `fit_settings` returns them.
        split: text and language -> sentence spans.
    """
    if strategy == "free":
        messages = free_form_messages(settings, task.language)
        return Script(task.key, messages, task.text, partial(free_form_talk, task, settings, split))
    messages = messages_for(task, settings)
    return Script(task.key, messages, task.text, partial(judging_talk, task, settings, split))
