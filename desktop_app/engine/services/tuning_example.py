"""A worked example for the free form, made from a passage of the library itself.

Owns which passage shows most and what makes an example sound: every name stands in its text. A
chat model writes the records; without one they are what the instant graph has.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ..asks import Script
from ..extract.free_form import EXAMPLE_RULE, free_form_messages, free_form_talk, render_records
from ..extract.halving import split_task
from ..extract.locating import ChunkText
from ..extract.parsing import EntityRecord, Records, RelationRecord, parse_records
from ..extract.tasks import ChunkTask, EnrichSettings
from ..models.protocols import ChatModel
from ..progress import CancelToken
from ..text.sentences import split_sentences
from ..types import ChunkEvidence, ClaimedRelation

EXAMPLE_CHARS = 700
_TRIED = 3
QUOTE_CHARS = 160
MOST_TIES = 3


def build_example(
    tasks: list[ChunkTask], settings: EnrichSettings, chat: ChatModel | None, cancel: CancelToken
) -> str:
    """Return a passage of the library and its records, "" where none comes out sound."""
    shorter = [task for task in (_shorten(task) for task in tasks) if len(task.text) >= 120]
    shorter.sort(key=lambda task: -_richness(task))
    for task in shorter[:_TRIED]:
        cancel.check()
        records = _ask_records(task, settings, chat, cancel) if chat else Records()
        if len(records.entities) < 2 or not records.relations:
            records = _instant_records(task, settings)
        example = f"{task.text.strip()}{EXAMPLE_RULE}{render_records(records)}\ndone"
        if is_sound_example(example, settings.entity_types):
            return example
    return ""


def is_sound_example(example: str, entity_types: tuple[str, ...]) -> bool:
    """Say whether an example has its text and at least two names and a relation standing in it."""
    text, rule, listed = example.partition(EXAMPLE_RULE)
    read, chunk = parse_records(listed, entity_types), ChunkText(text)
    names = [e.name for e in read.entities]
    names += [name for r in read.relations for name in (r.source, r.target)]
    return (
        bool(rule)
        and len(read.entities) > 1
        and bool(read.relations)
        and all(chunk.find(name) for name in names)
    )


def _shorten(task: ChunkTask) -> ChunkTask:
    if len(task.text) <= EXAMPLE_CHARS:
        return task
    ends = [end for _, end in split_sentences(task.text, task.language) if end <= EXAMPLE_CHARS]
    return split_task(task, ends[-1])[0] if ends else task


def _richness(task: ChunkTask) -> float:
    """Return how much a passage has to show: names in few characters, several types, ties."""
    names = {m.name for m in task.mentions}
    types = {m.type for m in task.mentions}
    is_good = 2 <= len(names) <= 12 and len(task.text) <= EXAMPLE_CHARS
    return (len(names) + 2 * len(types) + len(task.relations) / 3) if is_good else 0.0


def _ask_records(
    task: ChunkTask, settings: EnrichSettings, chat: ChatModel, cancel: CancelToken
) -> Records:
    settings = replace(settings, entity_extract_max_gleaning=0, max_entities=8, max_relations=8)
    script = Script(
        task.key,
        free_form_messages(settings, task.language),
        task.text,
        partial(free_form_talk, task, settings, split_sentences),
    )
    for run in chat.run_scripts([script], cancel=cancel):
        if isinstance(run.value, ChunkEvidence):
            return _to_records(run.value)
    return Records()


def _to_records(evidence: ChunkEvidence) -> Records:
    entities = [EntityRecord(c.name, c.type or "other", c.description) for c in evidence.names]
    relations = [
        RelationRecord(r.source, r.target, r.keywords, r.description, 10 * r.confidence)
        for r in evidence.relations
        if r.description
    ]
    return Records(tuple(entities), tuple(relations))


def _reach(tie: ClaimedRelation, task: ChunkTask, sentences: list[tuple[int, int]]) -> int:
    """Return over how many sentences a tie stretches."""
    start, end = tie.start - task.start, tie.end - task.start
    return sum(a < end and start < b for a, b in sentences)


def _instant_records(task: ChunkTask, settings: EnrichSettings) -> Records:
    """Return what the instant graph has, with the sentences of the text as descriptions."""

    def quote(start: int, end: int) -> str:
        said = " ".join(task.text[max(0, start - task.start) : end - task.start].split())
        return said.replace("|", "/")[:QUOTE_CHARS]

    best = {m.name: m for m in sorted(task.mentions, key=lambda m: (m.weight, -m.start))}
    kinds = settings.entity_types
    entities = [
        EntityRecord(
            m.name,
            m.type if m.type in kinds else "other",
            quote(m.sentence_start, m.sentence_end),
        )
        for m in sorted(best.values(), key=lambda m: m.start)
    ]
    # Only ties that one short sentence carries: an example teaches what a good record is.
    sentences = split_sentences(task.text, task.language)
    reach = {id(r): _reach(r, task, sentences) for r in task.relations}
    ties = sorted(task.relations, key=lambda r: (reach[id(r)], -r.weight))
    sure = [r for r in ties if reach[id(r)] == 1 and r.end - r.start <= QUOTE_CHARS]
    relations = [
        RelationRecord(r.source, r.target, r.keywords[:3], quote(r.start, r.end), 5.0)
        for r in (sure or ties[:1])[:MOST_TIES]
    ]
    return Records(tuple(entities[:8]), tuple(relations))
