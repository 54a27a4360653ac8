"""Prompt tuning: proposes enrichment settings from a sample of the library.

Proposes domain, language, entity types, relation kinds and a worked example; the user edits and
accepts them. With a chat model the questions are multiple choice over sample passages; without
one, rules decide.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, Literal

from ...errors import AppError
from ...extraction.llm.evidence_placement import ChunkText
from ...extraction.llm.free_form import (
    EXAMPLE_RULE,
    extract_free_form,
    free_form_messages,
    render_records,
)
from ...extraction.llm.parsing import EntityRecord, Records, RelationRecord, parse_records
from ...extraction.llm.relation_kinds import KIND_SETS, NONE, SAME, guess_domain
from ...extraction.llm.strategy import choose_strategy, split_task
from ...extraction.llm.tasks import ChunkTask, EnrichSettings
from ...llm.protocols import ChatModel
from ...messages import Message
from ...model import ENTITY_TYPES, ChatMessage, ChunkEvidence, ClaimedRelation
from ...progress import CancelToken, Progress, ProgressCallback, ignore_progress
from ...prompt_files import load_prompt
from ...prompt_program import PromptProgram, share_out
from ...store import enrichment
from ...store.db import Db
from ...text.chunking import split_sentences
from ...text.language import detect_language
from .run import TaskMaker
from .settings import load_settings, save_settings

EXAMPLE_CHARS = 700
_MAX_ATTEMPTS = 3
QUOTE_CHARS = 160
MAX_RELATIONS = 3


def build_example(
    tasks: list[ChunkTask], settings: EnrichSettings, chat: ChatModel | None, cancel: CancelToken
) -> str:
    """Return a passage of the library with its records, "" if none is valid."""
    shorter = [task for task in (_shorten(task) for task in tasks) if len(task.text) >= 120]
    shorter.sort(key=lambda task: -_richness(task))
    for task in shorter[:_MAX_ATTEMPTS]:
        cancel.check()
        records = _ask_records(task, settings, chat, cancel) if chat else Records()
        if len(records.entities) < 2 or not records.relations:
            records = _instant_records(task, settings)
        example = f"{task.text.strip()}{EXAMPLE_RULE}{render_records(records)}\ndone"
        if is_sound_example(example, settings.entity_types):
            return example
    return ""


def is_sound_example(example: str, entity_types: tuple[str, ...]) -> bool:
    """Return whether the example's text contains its records: two names and a relation at least."""
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
    """Return how useful a passage is as an example: several names of several types, relations."""
    names = {m.name for m in task.mentions}
    types = {m.type for m in task.mentions}
    is_good = 2 <= len(names) <= 12 and len(task.text) <= EXAMPLE_CHARS
    return (len(names) + 2 * len(types) + len(task.relations) / 3) if is_good else 0.0


def _ask_records(
    task: ChunkTask, settings: EnrichSettings, chat: ChatModel, cancel: CancelToken
) -> Records:
    settings = replace(settings, entity_extract_max_gleaning=0, max_entities=8, max_relations=8)
    program = PromptProgram(
        task.key,
        free_form_messages(settings, task.language),
        task.text,
        partial(extract_free_form, task, settings, split_sentences),
    )
    for run in chat.run_programs([program], cancel=cancel):
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


def _count_sentences(
    relation: ClaimedRelation, task: ChunkTask, sentences: list[tuple[int, int]]
) -> int:
    """Return how many sentences the evidence of a relation overlaps."""
    start, end = relation.start - task.start, relation.end - task.start
    return sum(a < end and start < b for a, b in sentences)


def _instant_records(task: ChunkTask, settings: EnrichSettings) -> Records:
    """Return the records of the instant graph, with sentences of the text as descriptions."""

    def quote(start: int, end: int) -> str:
        quoted = " ".join(task.text[max(0, start - task.start) : end - task.start].split())
        return quoted.replace("|", "/")[:QUOTE_CHARS]

    best = {m.name: m for m in sorted(task.mentions, key=lambda m: (m.weight, -m.start))}
    kinds = settings.entity_types
    entities = [
        EntityRecord(
            m.name, m.type if m.type in kinds else "other", quote(m.sentence_start, m.sentence_end)
        )
        for m in sorted(best.values(), key=lambda m: m.start)
    ]
    # Prefer relations within one short sentence, as examples of good records.
    sentences = split_sentences(task.text, task.language)
    reach = {id(r): _count_sentences(r, task, sentences) for r in task.relations}
    relations_by_reach = sorted(task.relations, key=lambda r: (reach[id(r)], -r.weight))
    sure = [r for r in relations_by_reach if reach[id(r)] == 1 and r.end - r.start <= QUOTE_CHARS]
    relations = [
        RelationRecord(r.source, r.target, r.keywords[:3], quote(r.start, r.end), 5.0)
        for r in (sure or relations_by_reach[:1])[:MAX_RELATIONS]
    ]
    return Records(tuple(entities[:8]), tuple(relations))


CORE = frozenset(ENTITY_TYPES)


@dataclass(frozen=True, slots=True)
class PoolType:
    """A type, its description for a model, and the words that indicate it."""

    name: str
    english: str
    chinese: str
    cues: re.Pattern[str] | None = None


@cache
def load_pool() -> tuple[PoolType, ...]:
    """Return the types in file order."""
    pool = []
    for line in load_prompt("tuning_types", "en").splitlines():
        name, english, chinese, words, signs = (*line.split(" | "), "", "")[:5]
        parts = [rf"\b(?:{words.replace(', ', '|')})s?\b"] if words else []
        parts += [signs.replace(", ", "|")] if signs else []
        cues = re.compile("|".join(parts), re.IGNORECASE) if parts else None
        pool.append(PoolType(name, english, chinese, cues))
    return tuple(pool)


def share_by_cues(kind: PoolType, passages: Sequence[str]) -> float:
    """Return the share of passages that contain at least two words of a type."""
    if kind.cues is None or not passages:
        return 0.0
    return sum(len(kind.cues.findall(text)) > 1 for text in passages) / len(passages)


SAMPLE = 24
ASKED_PASSAGES = 8  # passages of the sample that the model reads
PASSAGE_CHARS = 900
MIN_CHARS = 80  # of a chunk in the sample
MAX_TYPES = 9
MIN_TYPES = 4
_MIN_SHARE = 0.15  # minimum share of passages with a type
# Above this share of passages with words of a type, the model's judgement of it counts.
_MIN_CUE_SHARE = 0.08
_MIN_LEAD = 0.5  # how far above its mean the model's probability of a type without words must be
_ALWAYS = {"story": ("person", "place", "organisation"), "paper": ("person", "concept")}
_NEARLY_ALL = 0.9

Domain = Literal["auto", "story", "paper"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """Proposed enrichment settings, for the user to edit.

    Attributes:
        language: language of descriptions, "" where the documents differ.
        kinds: relation kinds; empty uses the set of the domain.
        example: a worked example from the library, "" if none is valid.
        n_passages: the size of the sample.
        model: the model that was asked, "" for rules alone.
        notes: remarks for the user.
    """

    domain: Domain = "auto"
    language: str = ""
    entity_types: tuple[str, ...] = ENTITY_TYPES
    kinds: tuple[str, ...] = ()
    example: str = ""
    n_passages: int = 0
    model: str = ""
    notes: tuple[Message, ...] = ()


def propose(
    db: Db,
    find_chat: Callable[[], ChatModel | None] = lambda: None,
    *,
    sample: int = SAMPLE,
    n_parameters: int = 0,
    cancel: CancelToken | None = None,
    on_progress: ProgressCallback = ignore_progress,
) -> Proposal:
    """Return settings proposed from a sample of the library; changes nothing.

    Args:
        n_parameters: of the chat model; for a small model the example is made by rules,
            because its own are unreliable.

    Raises:
        Cancelled: the token was set.
    """
    cancel = cancel or CancelToken()
    tasks = _sample_tasks(db, sample)
    if not tasks:
        return Proposal(
            notes=(Message("There is nothing to learn from yet: add documents first."),)
        )
    passages = [task.text for task in tasks]
    language = _common_language(tasks)
    domain = _guess_domain(passages)
    shares = {kind.name: _share(kind, tasks) for kind in load_pool()}
    notes: list[Message] = []
    chat: ChatModel | None = None
    try:
        if (chat := find_chat()) is not None:
            judged = _judge(chat, tasks, cancel, on_progress)
            domain, shares = _weigh(judged, shares, domain)
    except AppError as error:
        cancel.check()
        notes.append(
            Message(
                "The model could not be asked, so rules decided: {reason}",
                reason=error.full_message,
            )
        )
        chat = None
    types = _pick_types(shares, _ALWAYS.get(domain, ()))
    draft = EnrichSettings(domain=domain, language=language, entity_types=types)
    cancel.check()
    writer = chat if choose_strategy(draft, n_parameters) == "free" else None
    example = build_example(tasks, draft, writer, cancel)
    if not example:
        notes.append(Message("No passage made a good example; the built-in one is used."))
    return Proposal(
        domain,
        language,
        draft.entity_types,
        _kinds(domain),
        example,
        len(tasks),
        chat.name if chat else "",
        tuple(notes),
    )


def _guess_domain(passages: list[str]) -> Domain:
    """Return the domain of most passages; "auto" decides for each text."""
    votes = Counter(guess_domain(text) for text in passages)
    best, n = votes.most_common(1)[0]
    return best if best in ("story", "paper") and 2 * n > len(passages) else "auto"  # type: ignore


def accept(db: Db, proposal: Proposal) -> EnrichSettings:
    """Store an edited proposal in the library's settings and return these."""
    types = tuple(dict.fromkeys(kind.strip() for kind in proposal.entity_types if kind.strip()))
    settings = replace(
        load_settings(db),
        domain=proposal.domain,
        language=proposal.language,
        entity_types=types or ENTITY_TYPES,
        kinds=proposal.kinds,
        example=proposal.example,
    )
    save_settings(db, settings)
    return settings


# --- the sample ---------------------------------------------------------------------------------


def _sample_tasks(db: Db, most: int) -> list[ChunkTask]:
    """Return a deterministic sample of chunks, spread over all documents and within each."""
    chunks: dict[int, list[int]] = {}
    for document_id, chunk_id in enrichment.fetch_chunks_to_sample(db, MIN_CHARS):
        chunks.setdefault(document_id, []).append(chunk_id)
    documents = _spread(list(chunks.values()), most)
    each = math.ceil(most / len(documents)) if documents else 0
    chosen = [chunk_id for ids in documents for chunk_id in _spread(ids, each)][:most]
    maker = TaskMaker(db)
    made = [maker.make(chunk_id) for chunk_id in chosen]
    return [task for found in made if found is not None for task in found[1:] if task.text.strip()]


def _spread(values: list[Any], most: int) -> list[Any]:
    if len(values) <= most:
        return values
    return [values[(2 * i + 1) * len(values) // (2 * most)] for i in range(most)]


def _common_language(tasks: list[ChunkTask]) -> str:
    counts = Counter(detect_language(task.text) for task in tasks)
    counts.pop("und", None)
    language, n = counts.most_common(1)[0] if counts else ("", 0)
    return language if n >= _NEARLY_ALL * max(1, counts.total()) else ""


def _share(kind: PoolType, tasks: list[ChunkTask]) -> float:
    if kind.name in CORE:
        return sum(any(m.type == kind.name for m in t.mentions) for t in tasks) / len(tasks)
    return share_by_cues(kind, [task.text for task in tasks])


# --- asking a model -----------------------------------------------------------------------------


def _judge(
    chat: ChatModel, tasks: list[ChunkTask], cancel: CancelToken, on_progress: ProgressCallback
) -> dict[str, float]:
    """Return the model's mean probability of each type and domain over a few passages."""
    asked = _spread(tasks, ASKED_PASSAGES)
    sums: dict[str, float] = defaultdict(float)
    for number, task in enumerate(asked):
        cancel.check()
        prompt = "zh" if task.language == "zh" else "en"
        messages = (
            ChatMessage("system", load_prompt("tuning", prompt)),
            ChatMessage("user", task.text[:PASSAGE_CHARS]),
        )
        chinese = prompt == "zh"
        lines = [f"{kind.chinese if chinese else kind.english}:" for kind in load_pool()]
        options = ("有", "无") if chinese else (" yes", " no")
        for kind, choice in zip(
            load_pool(), chat.choose(messages, lines, options, cancel=cancel), strict=True
        ):
            sums[kind.name] += share_out(choice.logprobs)[0]
        line = "文体：" if chinese else "The passage is from a"
        genres = ("小说", "论文", "其他") if chinese else (" novel", " research paper", " manual")
        (choice,) = chat.choose(messages, [line], genres, cancel=cancel)
        for domain, p in zip(("story", "paper", "auto"), share_out(choice.logprobs), strict=True):
            sums[domain] += p
        on_progress(Progress("sampling", done=number + 1, total=len(asked)))
    return {key: total / len(asked) for key, total in sums.items()}


def _weigh(
    judged: dict[str, float], shares: dict[str, float], by_rules: Domain
) -> tuple[Domain, dict[str, float]]:
    """Return domain and shares combined with the model's judgement.

    Small models say yes too often, so only the difference to the model's mean counts; for a type
    without words in the text only a large difference. An uncertain domain is left to the rules.
    """
    mean = sum(judged[name] for name in shares) / len(shares)
    mixed = {
        name: share + (judged[name] - mean)
        for name, share in shares.items()
        if share >= _MIN_CUE_SHARE or judged[name] - mean >= _MIN_LEAD
    }
    best = max(("story", "paper", "auto"), key=lambda domain: judged[domain])
    domain: Domain = best if judged[best] >= 0.6 else by_rules  # type: ignore[assignment]
    return domain, mixed


def _pick_types(shares: dict[str, float], always: tuple[str, ...]) -> tuple[str, ...]:
    """Return the types with a sufficient share, in the pool's order; "other" is the last."""
    ranked = sorted((name for name in shares), key=lambda name: (-shares[name], name not in CORE))
    shown = [name for name in ranked if shares[name] >= _MIN_SHARE and name not in always]
    picked = [*always, *shown][: MAX_TYPES - 1]
    for name in (*ranked, *(kind.name for kind in load_pool())):
        if len(picked) >= MIN_TYPES - 1:
            break
        if name in CORE and name not in picked:
            picked.append(name)
    return (*(kind.name for kind in load_pool() if kind.name in picked), "other")


def _kinds(domain: Domain) -> tuple[str, ...]:
    """Return the relation kinds to edit; empty where each document has its own."""
    return tuple(k.key for k in KIND_SETS.get(domain, ()) if k.key not in (NONE, SAME))
