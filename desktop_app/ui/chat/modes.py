"""Titles and descriptions of the retrieval modes for the window. No Qt.

The modes themselves are the engine's `ALL_MODES`.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..language import later

BYPASS = "bypass"


@dataclass(frozen=True, slots=True)
class Mode:
    """One mode with its title and a sentence on its use; both are translated when shown."""

    key: str
    title: str
    use: str


# the groups of the menu, with their titles
MODE_GROUPS: tuple[tuple[str, tuple[Mode, ...]], ...] = (
    (
        later("Graph and passages"),
        (
            Mode(
                "walk",
                later("Names and passages"),
                later("Follows names from passage to passage. Best for most questions."),
            ),
            Mode(
                "mix",
                later("All sources"),
                later("Names, connections and passages. For broad questions."),
            ),
        ),
    ),
    (
        later("Graph only"),
        (
            Mode(
                "local",
                later("Names"),
                later("For one person, place or thing: who, what, where."),
            ),
            Mode(
                "global",
                later("Connections"),
                later("For topics and connections across many documents."),
            ),
            Mode(
                "hybrid",
                later("Names and connections"),
                later("For questions with names and a topic."),
            ),
        ),
    ),
    (
        later("Passages only"),
        (
            Mode(
                "naive",
                later("Semantic search"),
                later("Passages with a similar meaning, also in other words."),
            ),
            Mode(
                "words",
                later("Exact words"),
                later("For quotations, numbers and rare terms."),
            ),
        ),
    ),
    (
        later("The whole library"),
        (
            Mode(
                "overview",
                later("Topics"),
                later("What all documents are about. Reads reports on topics; takes a while."),
            ),
            Mode(
                "drift",
                later("Topics, then details"),
                later("Asks itself further questions; takes longest."),
            ),
        ),
    ),
    (
        later("Without your documents"),
        (
            Mode(
                BYPASS,
                later("Model only"),
                later("Nothing is looked up, and there are no sources to check."),
            ),
        ),
    ),
)
MODES = tuple(mode for _, modes in MODE_GROUPS for mode in modes)
_BY_KEY = {mode.key: mode for mode in MODES}


def mode_of(key: str) -> Mode:
    """Return a mode by its key; an unknown one is titled with its key."""
    return _BY_KEY.get(key) or Mode(key, key.capitalize(), "")
