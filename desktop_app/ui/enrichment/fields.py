"""The settings of enrichment as a table: title, help text, kind and valid values.

The dialogs are built from this table; a new setting is one more row.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from desktop_app.engine.model import ENTITY_TYPES

from ..language import later, tr
from .words import read_kind, read_type, say_kind, say_type


@dataclass(frozen=True, slots=True)
class Field:
    """One setting.

    Attributes:
        name: the attribute of `EnrichSettings`.
        kind: "choice", "words", "number", "flag" or "text".
        choices: pairs of value and words, for a choice.
        least, most, unit: the range of a number.
        hint: what an empty list or text stands for.
        say, read: a word of a list as it is shown, and the word that is kept for what is shown.

    The words are those of the catalogue; they are translated where they are shown.
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
    say: Callable[[str], str] = str
    read: Callable[[str], str] = str

    def offer(self) -> tuple[tuple[Any, str], ...]:
        """Return the choices in the window's language."""
        return tuple((value, tr(words)) for value, words in self.choices)


class ThreadsField(Field):
    """The number of threads; the choices depend on the machine."""

    __slots__ = ()

    def offer(self) -> tuple[tuple[Any, str], ...]:
        return thread_choices()


def thread_choices(n_cores: int = 0) -> tuple[tuple[int, str], ...]:
    """Return the choices for the number of threads: all cores, half of them, one."""
    n_cores = n_cores or os.cpu_count() or 1
    half = n_cores // 2
    choices = [(0, tr("All of the processor"))]
    if half > 1:
        choices.append((half, tr("Half of it ({n} threads)", n=half)))
    if n_cores > 1:
        choices.append((1, tr("One thread: leaves the computer free")))
    return tuple(choices)


STRATEGY = Field(
    "strategy",
    "choice",
    later("How the model is asked"),
    later("Small models answer short questions better than they write lists."),
    (
        ("auto", later("As suits the model's size")),
        ("slots", later("Short questions: for small models")),
        ("free", later("A list of all it sees: for large models")),
    ),
)
ORDER = Field(
    "order",
    "choice",
    later("Order"),
    "",
    (("importance", later("What matters most first")), ("document", later("As it is read"))),
)
THREADS = ThreadsField("n_threads", "choice", later("Processor"))
DOMAIN = Field(
    "domain",
    "choice",
    later("Kind of text"),
    later("Decides which kinds of relations are asked for."),
    (
        ("auto", later("Each document's own")),
        ("story", later("Stories and history")),
        ("paper", later("Papers and reports")),
        ("general", later("Encyclopedias, news and the rest")),
    ),
)
LANGUAGE = Field(
    "language",
    "choice",
    later("Written in"),
    "",
    (
        ("", later("Each document's language")),
        ("en", "English"),  # not shown otherwise
        ("zh", "中文"),
    ),
)
TYPES = Field(
    "entity_types",
    "words",
    later("Types of names"),
    later("What a name may be; the model picks the first that fits."),
    hint=later("Add a type"),
    say=say_type,
    read=read_type,
)
KINDS = Field(
    "kinds",
    "words",
    later("Kinds of relations"),
    later("Empty: those that go with the kind of text."),
    hint=later("Add a kind, such as “teacher of”"),
    say=say_kind,
    read=read_kind,
)
GLEANING = Field(
    "entity_extract_max_gleaning",
    "number",
    later("Look again"),
    later("How often a large model is asked what it has missed."),
    most=5,
)
MOST_NAMES = Field(
    "max_entities",
    "number",
    later("Names"),
    later("The most that one passage gives."),
    least=1,
    most=500,
)
MOST_RELATIONS = Field(
    "max_relations",
    "number",
    later("Relations"),
    later("The most that one passage gives."),
    least=1,
    most=500,
)
DESCRIBE = Field(
    "describe",
    "choice",
    later("Sentences"),
    later("What a passage tells of a name or a pair. Small models often err here."),
    (
        ("auto", later("As suits the model's size")),
        ("always", later("Always")),
        ("never", later("Never")),
    ),
)
CLAIMS = Field(
    "claims",
    "flag",
    later("Claims"),
    later("Note who did what to whom, and when. Takes longer."),
)
SUMMARIES = Field(
    "summaries",
    "flag",
    later("Summaries"),
    later("At the end, sum up what many passages say of a name."),
)
EXAMPLE = Field(
    "example",
    "text",
    later("Worked example"),
    later("Shows a large model what is wanted."),
    hint=later("Empty: the built-in one"),
)

# The groups of the settings dialog; the second is the one that prompt tuning proposes.
GROUPS: tuple[tuple[str, tuple[Field, ...]], ...] = (
    (later("The work"), (STRATEGY, ORDER, THREADS)),
    (later("What is looked for"), (DOMAIN, LANGUAGE, TYPES, KINDS)),
    (later("What is written"), (DESCRIBE, SUMMARIES, CLAIMS)),
    (later("For large models"), (GLEANING, MOST_NAMES, MOST_RELATIONS, EXAMPLE)),
)
PROPOSED = (DOMAIN, LANGUAGE, TYPES, KINDS, EXAMPLE)


def check(values: dict[str, Any]) -> str:
    """Return the problem with these values, "" if there is none."""
    if not values.get("entity_types", ENTITY_TYPES):
        return tr("At least one type of names is needed.")
    return ""
