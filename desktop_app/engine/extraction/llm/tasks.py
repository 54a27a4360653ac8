"""Input of enrichment: its settings and the task for one chunk. Plain data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ...model import ENTITY_TYPES, ClaimedRelation, Mention

Strategy = Literal["auto", "slots", "free"]
Describe = Literal["auto", "always", "never"]
DESCRIBE_FROM_PARAMETERS = 2_500_000_000  # with smaller models 4 of 10 sentences are wrong
FREE_FORM_FROM_PARAMETERS = 6_500_000_000  # models of about 7B and more write correct lists


@dataclass(frozen=True, slots=True)
class EnrichSettings:
    """Settings of enrichment, with the names of LightRAG and GraphRAG where they have one.

    Attributes:
        strategy: "slots" (the instant graph proposes, the model judges) suits small models, "free"
            (the model lists names and relations) large ones; "auto" chooses by model size.
        entity_types: the types from which the model chooses.
        kinds: the kinds of relations to ask for; empty for the kinds of `domain`.
        domain: "story", "paper", "general" or "auto" (by document).
        language: language of descriptions; "" for the language of each document.
        example: the user's worked example for the free form, "" for the built-in one.
        entity_extract_max_gleaning: how often the free form asks again for missed names.
        max_entities, max_relations: limits for one chunk.
        claims: also ask for claims.
        describe: with slots, also ask for descriptions; "auto" does so for larger models.
        summaries: summarize the descriptions of an entity; does not change extraction.
        order: "importance" (most central chunks first) or "document".
        n_threads: 0 chooses by processor; fewer leave capacity for other work.
    """

    strategy: Strategy = "auto"
    entity_types: tuple[str, ...] = ENTITY_TYPES
    kinds: tuple[str, ...] = ()
    domain: Literal["auto", "story", "paper", "general"] = "auto"
    language: str = ""
    example: str = ""
    entity_extract_max_gleaning: int = 1
    max_entities: int = 40
    max_relations: int = 40
    claims: bool = False
    summaries: bool = True
    order: Literal["importance", "document"] = "importance"
    n_threads: int = 0
    describe: Describe = "auto"


@dataclass(frozen=True, slots=True)
class ChunkTask:
    """One chunk to enrich, with its instant evidence.

    Attributes:
        key: identifies the chunk for the caller.
        chunk_order, start: its number in the document and the offset of `text` there; mentions
            and relations have document offsets, as everywhere.
        mentions, relations: the instant evidence of this chunk.
        importance: number of mentions of each name in the whole document.
        domain: "story", "paper" or "general", by the whole document; "" to decide by the chunk.
        described: names and pairs (frozensets of names) that other chunks describe; see
            `description_plan`.
    """

    key: int
    chunk_order: int
    start: int
    text: str
    language: str
    title: str
    heading: str = ""
    mentions: tuple[Mention, ...] = ()
    relations: tuple[ClaimedRelation, ...] = ()
    importance: Mapping[str, int] = field(default_factory=dict)
    described: frozenset[str | frozenset[str]] = frozenset()
    domain: str = ""


_HEADING = re.compile(
    r"^\s*(?:第[一二三四五六七八九十百零〇\d]+[回章节卷部]|(?:chapter|stave|book|volume)\b)",
    re.IGNORECASE,
)


def cut_passage(task: ChunkTask, start: int, end: int) -> str:
    """Return the passage between two document offsets with white space collapsed."""
    text = task.text[max(0, start - task.start) : max(0, end - task.start)]
    return " ".join(text.split())


def is_heading(passage: str) -> bool:
    return _HEADING.match(passage) is not None


def prompt_language(language: str) -> str:
    """Return the language of the prompts for texts in `language`."""
    return "zh" if language in ("zh", "ja") else "en"


def option(label: str, language: str) -> str:
    """Return a label in the form in which it continues a line."""
    return label if language == "zh" else f" {label}"
