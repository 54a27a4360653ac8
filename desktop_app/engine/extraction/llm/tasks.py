"""Input of enrichment: its settings and the task for one chunk. Plain data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ...model import ENTITY_TYPES, ClaimedRelation, Mention
from ...settings import option

Strategy = Literal["auto", "slots", "free"]
Describe = Literal["auto", "always", "never"]
LANGUAGES = (("en", "English"), ("zh", "中文"))
DESCRIBE_FROM_PARAMETERS = 2_500_000_000  # with smaller models 4 of 10 sentences are wrong
FREE_FORM_FROM_PARAMETERS = 6_500_000_000  # models of about 7B and more write correct lists


@dataclass(frozen=True, slots=True)
class EnrichSettings:
    """Settings of enrichment, with the names of LightRAG and GraphRAG where they have one.

    Attributes:
        strategy: "slots" (the instant graph proposes, the model judges) suits small models, "free"
            (the model lists names and relations) large ones; "auto" chooses by model size.
        n_threads: 0 chooses by processor.
        kinds: empty for the kinds of `domain`.
        describe: for slots, where descriptions are separate prompts.
        summaries: does not change extraction.
        entity_extract_max_gleaning, max_entities, max_relations, example: for the free form; the
            numbers are for one chunk.
    """

    strategy: Strategy = option(
        "auto",
        "Method",
        "Small models answer short questions better than they write lists.",
        section="Run",
        choices=(
            ("auto", "By size of the model"),
            ("slots", "Short questions (small models)"),
            ("free", "Lists (large models)"),
        ),
    )
    order: Literal["importance", "document"] = option(
        "importance",
        "Order",
        section="Run",
        choices=(("importance", "Most important first"), ("document", "As in the document")),
    )
    n_threads: int = option(
        0,
        "CPU threads",
        "Fewer threads leave room for other programs.",
        section="Run",
        least=1,
        most=256,
        zero="Automatic",
    )
    domain: Literal["auto", "story", "paper", "general"] = option(
        "auto",
        "Kind of text",
        "Decides which kinds of connections are asked for.",
        section="Search for",
        choices=(
            ("auto", "By document"),
            ("story", "Fiction and history"),
            ("paper", "Papers and reports"),
            ("general", "Encyclopedias, news, other"),
        ),
    )
    language: str = option(
        "",
        "Language of descriptions",
        section="Search for",
        choices=(("", "As in the document"), *LANGUAGES),
        other_values=True,
    )
    entity_types: tuple[str, ...] = option(
        ENTITY_TYPES,
        "Types of names",
        "The model picks the first that fits.",
        section="Search for",
        required=True,
    )
    kinds: tuple[str, ...] = option(
        (),
        "Kinds of connections",
        "Such as “teacher of”. Empty: those of the kind of text.",
        section="Search for",
    )
    describe: Describe = option(
        "auto",
        "Descriptions",
        "What a passage says about a name or a pair. Small models often err here.",
        section="Texts",
        choices=(("auto", "By size of the model"), ("always", "Always"), ("never", "Never")),
    )
    summaries: bool = option(
        True, "Summaries", "At the end, summarize the descriptions of each name.", section="Texts"
    )
    claims: bool = option(
        False, "Claims", "Who did what to whom, and when. Takes longer.", section="Texts"
    )
    entity_extract_max_gleaning: int = option(
        1,
        "Repetitions",
        "How often the model is asked for names that it missed.",
        section="Large models",
        most=5,
    )
    max_entities: int = option(
        40, "Names", "At most, for one passage.", section="Large models", most=500
    )
    max_relations: int = option(
        40, "Connections", "At most, for one passage.", section="Large models", most=500
    )
    example: str = option(
        "",
        "Worked example",
        "Shows the model what is wanted.",
        kind="paragraph",
        section="Large models",
        zero="Built-in",
    )


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
            `descriptions.plan_document`.
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


def continue_line(label: str, language: str) -> str:
    """Return a label in the form in which it continues a line."""
    return label if language == "zh" else f" {label}"
