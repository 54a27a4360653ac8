"""Titles and descriptions of the retrieval modes for the window. No Qt.

The modes themselves are the engine's `ALL_MODES`.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..language import later

BYPASS = "bypass"


@dataclass(frozen=True, slots=True)
class Mode:
    """One mode: `short` for the button, `title` and `use` for the menu; translated when shown."""

    key: str
    short: str
    title: str
    use: str


MODE_GROUPS: tuple[tuple[str, tuple[Mode, ...]], ...] = (
    (
        later("Names and passages together"),
        (
            Mode(
                "walk",
                later("Names and passages"),
                later("Names and passages"),
                later("Follows names from passage to passage. Best for most questions."),
            ),
            Mode(
                "mix",
                later("Everything together"),
                later("Everything together"),
                later("Names, connections and passages. For broad questions."),
            ),
        ),
    ),
    (
        later("What is said of names"),
        (
            Mode(
                "local",
                later("Around the names"),
                later("Around the names asked about"),
                later("For one person, place or thing: who, what, where."),
            ),
            Mode(
                "global",
                later("Connections"),
                later("How things are connected"),
                later("For themes and ties across many documents."),
            ),
            Mode(
                "hybrid",
                later("Names and connections"),
                later("Around the names and how they are connected"),
                later("Both of these, when a question has names and a theme."),
            ),
        ),
    ),
    (
        later("Passages alone"),
        (
            Mode(
                "naive",
                later("By meaning"),
                later("By meaning"),
                later("Passages that say something close, also in other words."),
            ),
            Mode(
                "words",
                later("By exact words"),
                later("By exact words"),
                later("For quotations, numbers and rare terms."),
            ),
        ),
    ),
    (
        later("The whole library"),
        (
            Mode(
                "overview",
                later("Themes"),
                later("The themes of all documents"),
                later("What it is all about. Reads reports on themes; takes a while."),
            ),
            Mode(
                "drift",
                later("Themes, then details"),
                later("From themes to details"),
                later("Asks itself further questions on the way; takes longest."),
            ),
        ),
    ),
    (
        later("Without your documents"),
        (
            Mode(
                BYPASS,
                later("The model only"),
                later("Ask the model only, without your documents"),
                later("Nothing is looked up, and there are no sources to check."),
            ),
        ),
    ),
)
_BY_KEY = {mode.key: mode for _, modes in MODE_GROUPS for mode in modes}


def all_modes() -> list[Mode]:
    """Return all modes in the order of the menu."""
    return [mode for _, modes in MODE_GROUPS for mode in modes]


def mode_of(key: str) -> Mode:
    """Return a mode by its key; an unknown one is titled with its key."""
    return _BY_KEY.get(key) or Mode(key, key.capitalize(), key.capitalize(), "")
