"""The free-form strategy: the model lists names and relations, then those it missed.

For models of about 7B and more, as in LightRAG. Owns the conversation; `record_guard` enforces the
format, `parsing` reads it, and `evidence_placement` keeps only records that occur in the text, so
that no text of the worked example can appear in a result.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from ...model import ChatMessage, TextClaim
from ...prompt_files import load_prompt
from ...prompt_program import PASSAGE, Talk, Write, Written
from ...writing_systems import is_wide
from ..spans import SplitSentences
from .claims import extract_claims
from .evidence_placement import EvidencePlacer
from .parsing import Records, parse_records
from .record_guard import RecordGuard
from .tasks import ChunkTask, EnrichSettings

EXAMPLE_RULE = "\n---\n"  # between text and list of the user's worked example
_FIRST = "entity |"
_MOST_TOKENS = 1000
_LANGUAGES = {
    "en": "English", "zh": "Chinese", "ja": "Japanese", "ko": "Korean", "de": "German",
    "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese", "ru": "Russian",
    "nl": "Dutch", "pl": "Polish",
}  # fmt: skip
_CHINESE_LANGUAGES = _LANGUAGES | {"zh": "中文", "en": "英文", "ja": "日文", "ko": "韩文"}


def free_form_messages(settings: EnrichSettings, language: str) -> tuple[ChatMessage, ...]:
    """Return the instruction, a worked example and `PASSAGE`, the same for all chunks.

    Args:
        language: language of the document. Names are not translated; descriptions are written in
            `settings.language` or else in this language.
    """
    prompt = "zh" if language == "zh" else "en"
    names = _CHINESE_LANGUAGES if prompt == "zh" else _LANGUAGES
    wanted = settings.language or language
    system = load_prompt("free_form", prompt).format(
        types=", ".join(settings.entity_types),
        language=names.get(wanted, wanted if wanted not in ("", "und") else names[prompt]),
        kinds=", ".join(settings.kinds) or load_prompt("free_form_kinds", prompt),
    )
    if settings.claims:
        system += "\n" + load_prompt("free_form_claims", prompt)
    ask = load_prompt("free_form_user", prompt)
    text, listed = _example(settings, prompt)
    return (
        ChatMessage("system", system),
        ChatMessage("user", ask.format(text=text)),
        ChatMessage("assistant", listed),
        ChatMessage("user", ask.format(text=PASSAGE)),
    )


def extract_free_form(
    task: ChunkTask, settings: EnrichSettings, split: SplitSentences | None = None
) -> Talk:
    """Ask for records, missed records and perhaps claims; return the `ChunkEvidence`.

    Args:
        split: text and language -> sentence spans; without it the sentences of the instant
            mentions are used.
    """
    placer = EvidencePlacer(task, split)
    replies: list[Written] = []

    def read(begun: str, reply: Written, records: Records) -> Records:
        replies.append(reply)
        new = parse_records(begun + reply.text, settings.entity_types)
        return _merge_records(records, new, placer, settings)

    n_wide = sum(map(is_wide, task.text))
    n_tokens = min(_MOST_TOKENS, 240 + n_wide * 3 // 4 + (len(task.text) - n_wide) // 4)
    guard = RecordGuard(
        task.text, settings.entity_types, settings.max_entities, settings.max_relations
    )
    (reply,) = yield Write((_FIRST,), n_tokens, replace(guard, begun=_FIRST))
    records = read(_FIRST, reply, Records())
    if len(records.entities) > 1 and not records.relations and settings.max_relations:
        # Small models often stop after the entities: ask for the relations again.
        begun = "relation |"
        line = f"{render_records(records)}\n{begun}"
        only = replace(_guard_for_continuation(guard, records), begun=begun, forms=("relation",))
        (reply,) = yield Write((line,), n_tokens, only)
        records = read(begun, reply, records)
    for _ in range(settings.entity_extract_max_gleaning):
        n_before = len(records.entities) + len(records.relations)
        if not n_before:
            break
        line = f"{render_records(records)}\ndone\nmissed\n"
        (reply,) = yield Write((line,), n_tokens // 2, _guard_for_continuation(guard, records))
        records = read("", reply, records)
        if len(records.entities) + len(records.relations) == n_before:
            break
    claims: tuple[TextClaim, ...] = ()
    if settings.claims:
        listing = f"{render_records(records)}\ndone" if records.entities else ""
        claims = yield from extract_claims(task, settings, placer, listing)
    first = replies[0]
    return placer.build(
        records,
        settings,
        confidence=round(min(0.95, max(0.3, math.exp(first.mean_logprob))), 3),
        complete=all(reply.ended == "finished" for reply in replies),
        claims=claims,
    )


def render_records(records: Records) -> str:
    """Return records in the format that the model is asked to write."""
    lines = [f"entity | {e.name} | {e.type} | {e.description or e.type}" for e in records.entities]
    lines += [
        f"relation | {r.source} | {r.target} | {', '.join(r.keywords) or '-'}"
        f" | {r.description or '-'} | {max(1, round(r.strength))}"
        for r in records.relations
    ]
    return "\n".join(lines)


def _example(settings: EnrichSettings, prompt: str) -> tuple[str, str]:
    """Return text and list of the worked example, with only the requested types."""
    text, rule, listed = settings.example.partition(EXAMPLE_RULE)
    if not rule or not parse_records(listed, settings.entity_types).entities:
        text, listed = (load_prompt(f"free_form_{part}", prompt) for part in ("text", "list"))
    types: Sequence[str] = settings.entity_types or ("other",)
    spare = "other" if "other" in types else types[-1]
    lines = []
    for line in listed.strip().splitlines():
        fields = line.split(" | ")
        if fields[0] == "entity" and len(fields) > 2 and fields[2] not in types:
            fields[2] = spare
        lines.append(" | ".join(fields))
    if "missed" in lines and not settings.entity_extract_max_gleaning:
        lines = lines[: lines.index("missed")]
    if settings.claims and not settings.example:
        lines.append(load_prompt("free_form_claims_list", prompt))
    return text.strip(), "\n".join(lines)


def _merge_records(
    old: Records, new: Records, placer: EvidencePlacer, settings: EnrichSettings
) -> Records:
    """Return both lists as one, without names that do not occur in the text."""
    entities = [e for e in new.entities if placer.find_name(e.name)]
    relations = [
        r for r in new.relations if placer.find_name(r.source) and placer.find_name(r.target)
    ]
    n_lost = len(new.entities) + len(new.relations) - len(entities) - len(relations)
    known = {e.name.casefold() for e in old.entities}
    pairs = {frozenset((r.source.casefold(), r.target.casefold())) for r in old.relations}
    entities = [e for e in entities if e.name.casefold() not in known]
    relations = [
        r for r in relations if frozenset((r.source.casefold(), r.target.casefold())) not in pairs
    ]
    refused = old.refused + new.refused
    if n_lost:
        refused["not in the text"] += n_lost
    return Records(
        (*old.entities, *entities)[: settings.max_entities],
        (*old.relations, *relations)[: settings.max_relations],
        refused,
    )


def _guard_for_continuation(guard: RecordGuard, records: Records) -> RecordGuard:
    """Return the guard of a further list, in which known records count as repeated."""
    return replace(
        guard,
        max_entities=guard.max_entities - len(records.entities),
        max_relations=guard.max_relations - len(records.relations),
        names=tuple(e.name for e in records.entities),
        pairs=tuple((r.source, r.target) for r in records.relations),
    )
