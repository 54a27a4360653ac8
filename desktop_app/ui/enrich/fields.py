"""The settings of enrichment as a table: what each is called, what it does, what it may be.

The dialogs are built from it, so that a new setting is one more row here.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from desktop_app.engine.types import ENTITY_TYPES


@dataclass(frozen=True, slots=True)
class Field:
    """One setting.

    Attributes:
        name: the attribute of `EnrichSettings`.
        kind: "choice", "words", "number", "flag" or "text".
        choices: pairs of value and words, for a choice.
        least, most, unit: the range of a number.
        hint: what an empty list or text stands for.
    """

    name: str
    kind: str
    label: str
    help: str = ""
    choices: tuple[tuple[Any, str], ...] = ()
    least: int = 0
    most: int = 0
    unit: str = ""
    hint: str = ""


def thread_choices(n_cores: int = 0) -> tuple[tuple[int, str], ...]:
    """Return how much of the machine may work: all, half of it, one core."""
    n_cores = n_cores or os.cpu_count() or 1
    half = n_cores // 2
    choices = [(0, "All of the processor")]
    if half > 1:
        choices.append((half, f"Half of it ({half} threads)"))
    if n_cores > 1:
        choices.append((1, "One thread: leaves the computer free"))
    return tuple(choices)


STRATEGY = Field(
    "strategy",
    "choice",
    "How the model is asked",
    "Small models answer short questions better than they write lists.",
    (
        ("auto", "As suits the model's size"),
        ("slots", "Short questions: for small models"),
        ("free", "A list of all it sees: for large models"),
    ),
)
ORDER = Field(
    "order",
    "choice",
    "Order",
    "",
    (("importance", "What matters most first"), ("document", "As it is read")),
)
THREADS = Field("n_threads", "choice", "Processor", "", thread_choices())
DOMAIN = Field(
    "domain",
    "choice",
    "Kind of text",
    "Decides which kinds of relations are asked for.",
    (
        ("auto", "Each document's own"),
        ("story", "Stories and history"),
        ("paper", "Papers and reports"),
        ("general", "Encyclopedias, news and the rest"),
    ),
)
LANGUAGE = Field(
    "language",
    "choice",
    "Written in",
    "",
    (("", "Each document's language"), ("en", "English"), ("zh", "中文")),
)
TYPES = Field(
    "entity_types",
    "words",
    "Types of names",
    "What a name may be; the model picks the first that fits.",
    hint="Add a type",
)
KINDS = Field(
    "kinds",
    "words",
    "Kinds of relations",
    "Empty: those that go with the kind of text.",
    hint="Add a kind, such as “teacher of”",
)
GLEANING = Field(
    "entity_extract_max_gleaning",
    "number",
    "Look again",
    "How often a large model is asked what it has missed.",
    most=5,
)
MOST_NAMES = Field(
    "max_entities", "number", "Names", "The most that one passage gives.", least=1, most=500
)
MOST_RELATIONS = Field(
    "max_relations", "number", "Relations", "The most that one passage gives.", least=1, most=500
)
DESCRIBE = Field(
    "describe",
    "choice",
    "Sentences",
    "What a passage tells of a name or a pair. Small models often err here.",
    (
        ("auto", "As suits the model's size"),
        ("always", "Always"),
        ("never", "Never"),
    ),
)
CLAIMS = Field(
    "claims",
    "flag",
    "Claims",
    "Note who did what to whom, and when. Takes longer.",
)
SUMMARIES = Field(
    "summaries",
    "flag",
    "Summaries",
    "At the end, sum up what many passages say of a name.",
)
EXAMPLE = Field(
    "example",
    "text",
    "Worked example",
    "Shows a large model what is wanted.",
    hint="Empty: the built-in one",
)

# What the settings dialog shows, in groups; the second is what tuning proposes.
GROUPS: tuple[tuple[str, tuple[Field, ...]], ...] = (
    ("The work", (STRATEGY, ORDER, THREADS)),
    ("What is looked for", (DOMAIN, LANGUAGE, TYPES, KINDS)),
    ("What is written", (DESCRIBE, SUMMARIES, CLAIMS)),
    ("For large models", (GLEANING, MOST_NAMES, MOST_RELATIONS, EXAMPLE)),
)
PROPOSED = (DOMAIN, LANGUAGE, TYPES, KINDS, EXAMPLE)


def check(values: dict[str, Any]) -> str:
    """Return what stands against these values, "" if nothing does."""
    if not values.get("entity_types", ENTITY_TYPES):
        return "At least one type of names is needed."
    return ""
