"""What enrichment is given for one chunk, and how it is to be done. Plain data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ...model import ENTITY_TYPES, ClaimedRelation, Mention

Strategy = Literal["auto", "slots", "free"]
Describe = Literal["auto", "always", "never"]
DESCRIBE_FROM_PARAMETERS = 2_500_000_000  # of smaller models four sentences of ten are wrong
FREE_FORM_FROM_PARAMETERS = 6_500_000_000  # models from about 7B on write lists soundly


@dataclass(frozen=True, slots=True)
class EnrichSettings:
    """How a library is enriched; LightRAG's and GraphRAG's names where they have one.

    Attributes:
        strategy: slots (the instant graph proposes, the model answers) suits small models, free
            (the model lists what it sees) large ones; auto chooses by the model's size.
        entity_types: what the model may call a name; the first that fits the library.
        kinds: the relation kinds asked for; empty takes the set of `domain`.
        domain: "story", "paper", "general" or "auto" (by document).
        language: what to write in; "" for each document's own.
        example: a worked example of the person's own for the free form, "" for the built-in.
        entity_extract_max_gleaning: how often the free form is asked for what it missed.
        max_entities, max_relations: the most that one chunk may give.
        claims: also ask for claims.
        describe: with slots, have a sentence written on what was found, or none; auto leaves it
            out for small models.
        summaries: sum up what was said of one thing in many places; changes no extraction.
        order: "importance" (most central chunks first) or "document".
        n_threads: 0 lets the machine decide; fewer leaves room for other work.
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
    """One chunk to enrich, with what the instant graph found in it.

    Attributes:
        key: what the caller knows the chunk by.
        chunk_order, start: its number in the document and the offset of `text` there; mentions
            and relations have document offsets, as everywhere.
        mentions, relations: the instant evidence of this chunk.
        importance: per name, how often the whole document has it.
        domain: "story", "paper" or "general", as the whole document speaks; "" goes by the chunk.
        described: names and pairs (as frozensets of names) that need no more sentences here,
            since the document's better places for them are asked for theirs.
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
    """Return a passage (document offsets) without line breaks: prose is broken anywhere."""
    text = task.text[max(0, start - task.start) : max(0, end - task.start)]
    return " ".join(text.split())


def is_heading(passage: str) -> bool:
    return _HEADING.match(passage) is not None
