"""Prompt tuning: from a sample of the library, how it had best be enriched; a person accepts.

Proposes domain, language, entity types, relation kinds and a worked example. With a chat model
the questions are choices over sample passages; without one, rules answer them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from ..asks import share_out
from ..errors import AppError, said
from ..extract.enrich import choose_strategy
from ..extract.kinds import KIND_SETS, NONE, SAME, guess_domain
from ..extract.tasks import ChunkTask, EnrichSettings
from ..models.protocols import ChatModel
from ..progress import CancelToken, Progress, ProgressCallback, ignore_progress
from ..prompting import load_prompt
from ..store.db import Db
from ..text.language import detect_language
from ..types import ENTITY_TYPES, ChatMessage
from .enrich_settings import load_settings, save_settings
from .enrich_tasks import TaskMaker
from .tuning_example import build_example
from .tuning_pool import CORE, PoolType, load_pool, share_by_cues

SAMPLE = 24
ASKED_PASSAGES = 8  # of the sample, put to the model
PASSAGE_CHARS = 900
MOST_TYPES = 9
FEWEST_TYPES = 4
_ENOUGH = 0.15  # share of passages that must show a type
_SEEN = 0.08  # share of passages whose words show a type that a model may speak for
_SURE = 0.5  # how far above its mean a model must stand for a type that no words show
_ALWAYS = {"story": ("person", "place", "organisation"), "paper": ("person", "concept")}
_NEARLY_ALL = 0.9

Domain = Literal["auto", "story", "paper"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """How a library might be enriched, for a person to edit.

    Attributes:
        language: what to write in, "" where the documents differ.
        kinds: relation kinds; empty takes the set of the domain.
        example: a worked example from the library, "" where none came out sound.
        n_passages: the size of the sample; `model` is who was asked, "" for rules alone.
        notes: what a person should know of how it came about.
    """

    domain: Domain = "auto"
    language: str = ""
    entity_types: tuple[str, ...] = ENTITY_TYPES
    kinds: tuple[str, ...] = ()
    example: str = ""
    n_passages: int = 0
    model: str = ""
    notes: tuple[str, ...] = ()


def propose(
    db: Db,
    find_chat: Callable[[], ChatModel | None] = lambda: None,
    *,
    sample: int = SAMPLE,
    n_parameters: int = 0,
    cancel: CancelToken | None = None,
    on_progress: ProgressCallback = ignore_progress,
) -> Proposal:
    """Return what a sample spread over the library suggests; nothing is changed.

    Args:
        n_parameters: of the chat model; the example of a small one is not to be relied on, so
            it is made by rules.

    Raises:
        Cancelled: the token was set.
    """
    cancel = cancel or CancelToken()
    tasks = _sample_tasks(db, sample)
    if not tasks:
        return Proposal(notes=(said("There is nothing to learn from yet: add documents first."),))
    passages = [task.text for task in tasks]
    language = _common_language(tasks)
    domain = _guess_domain(passages)
    shares = {kind.name: _share(kind, tasks) for kind in load_pool()}
    notes: list[str] = []
    chat: ChatModel | None = None
    try:
        if (chat := find_chat()) is not None:
            judged = _judge(chat, tasks, cancel, on_progress)
            domain, shares = _weigh(judged, shares, domain)
    except AppError as error:
        cancel.check()
        notes.append(said(f"The model could not be asked, so rules decided: {error}"))
        chat = None
    types = _pick_types(shares, _ALWAYS.get(domain, ()))
    draft = EnrichSettings(domain=domain, language=language, entity_types=types)
    cancel.check()
    writer = chat if choose_strategy(draft, n_parameters) == "free" else None
    example = build_example(tasks, draft, writer, cancel)
    if not example:
        notes.append(said("No passage made a good example; the built-in one is used."))
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
    """Return what most passages speak like; "auto" leaves it to each text."""
    votes = Counter(guess_domain(text) for text in passages)
    best, n = votes.most_common(1)[0]
    return best if best in ("story", "paper") and 2 * n > len(passages) else "auto"  # type: ignore


def accept(db: Db, proposal: Proposal) -> EnrichSettings:
    """Keep an edited proposal as the library's settings and return these; the rest stays."""
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
    """Return chunks spread over the documents and over each of them, the same every time."""
    chunks: dict[int, list[int]] = {}
    for document_id, chunk_id in db.rows(
        "SELECT c.document_id, c.id FROM chunk c JOIN document d ON d.id = c.document_id"
        " WHERE d.set_aside = 0 AND length(c.text) >= 80 ORDER BY c.document_id, c.order_no"
    ):
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
    """Return how likely a model finds each type, and each domain, over a few passages."""
    asked = _spread(tasks, ASKED_PASSAGES)
    sums: Counter[str] = Counter()
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
        options = ("小说", "论文", "其他") if chinese else (" novel", " research paper", " manual")
        (choice,) = chat.choose(messages, [line], options, cancel=cancel)
        for domain, p in zip(("story", "paper", "auto"), share_out(choice.logprobs), strict=True):
            sums[domain] += p
        on_progress(Progress("sampling", done=number + 1, total=len(asked)))
    return {key: total / len(asked) for key, total in sums.items()}


def _weigh(
    judged: dict[str, float], shares: dict[str, float], by_rules: Domain
) -> tuple[Domain, dict[str, float]]:
    """Return domain and shares with the model's judgement: small ones say yes too easily.

    Only how far a type stands above the model's mean counts for it, and for one that no words
    show only if that is far; a domain that the model is unsure of is left to the rules.
    """
    mean = sum(judged[name] for name in shares) / len(shares)
    mixed = {
        name: share + (judged[name] - mean)
        for name, share in shares.items()
        if share >= _SEEN or judged[name] - mean >= _SURE
    }
    best = max(("story", "paper", "auto"), key=lambda domain: judged[domain])
    domain: Domain = best if judged[best] >= 0.6 else by_rules  # type: ignore[assignment]
    return domain, mixed


def _pick_types(shares: dict[str, float], always: tuple[str, ...]) -> tuple[str, ...]:
    """Return the types that enough passages show, in the pool's order; "other" is the last."""
    ranked = sorted((name for name in shares), key=lambda name: (-shares[name], name not in CORE))
    shown = [name for name in ranked if shares[name] >= _ENOUGH and name not in always]
    picked = [*always, *shown][: MOST_TYPES - 1]
    for name in (*ranked, *(kind.name for kind in load_pool())):
        if len(picked) >= FEWEST_TYPES - 1:
            break
        if name in CORE and name not in picked:
            picked.append(name)
    return (*(kind.name for kind in load_pool() if kind.name in picked), "other")


def _kinds(domain: Domain) -> tuple[str, ...]:
    """Return the relation kinds to show for editing; empty where each document has its own."""
    return tuple(k.key for k in KIND_SETS.get(domain, ()) if k.key not in (NONE, SAME))
