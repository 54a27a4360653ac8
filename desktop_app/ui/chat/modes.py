"""The ways of finding in plain words: what each is called and when to use it. No Qt here.

Owns these words and their groups; the ways themselves are the engine's `ALL_MODES`.
"""

from __future__ import annotations

from dataclasses import dataclass

BYPASS = "bypass"


@dataclass(frozen=True, slots=True)
class Mode:
    """One way: `short` for the button, `title` and `use` for the menu."""

    key: str
    short: str
    title: str
    use: str


MODE_GROUPS: tuple[tuple[str, tuple[Mode, ...]], ...] = (
    (
        "Names and passages together",
        (
            Mode(
                "walk",
                "Names and passages",
                "Names and passages",
                "Follows names from passage to passage. Best for most questions.",
            ),
            Mode(
                "mix",
                "Everything together",
                "Everything together",
                "Names, connections and passages. For broad questions.",
            ),
        ),
    ),
    (
        "What is said of names",
        (
            Mode(
                "local",
                "Around the names",
                "Around the names asked about",
                "For one person, place or thing: who, what, where.",
            ),
            Mode(
                "global",
                "Connections",
                "How things are connected",
                "For themes and ties across many documents.",
            ),
            Mode(
                "hybrid",
                "Names and connections",
                "Around the names and how they are connected",
                "Both of these, when a question has names and a theme.",
            ),
        ),
    ),
    (
        "Passages alone",
        (
            Mode(
                "naive",
                "By meaning",
                "By meaning",
                "Passages that say something close, also in other words.",
            ),
            Mode(
                "words",
                "By exact words",
                "By exact words",
                "For quotations, numbers and rare terms.",
            ),
        ),
    ),
    (
        "The whole library",
        (
            Mode(
                "overview",
                "Themes",
                "The themes of all documents",
                "What it is all about. Reads reports on themes; takes a while.",
            ),
            Mode(
                "drift",
                "Themes, then details",
                "From themes to details",
                "Asks itself further questions on the way; takes longest.",
            ),
        ),
    ),
    (
        "Without your documents",
        (
            Mode(
                BYPASS,
                "The model only",
                "Ask the model only, without your documents",
                "Nothing is looked up, and there are no sources to check.",
            ),
        ),
    ),
)
_BY_KEY = {mode.key: mode for _, modes in MODE_GROUPS for mode in modes}


def all_modes() -> list[Mode]:
    """Return every way, in the order of the menu."""
    return [mode for _, modes in MODE_GROUPS for mode in modes]


def mode_of(key: str) -> Mode:
    """Return a way by its key; one without words here is called by its key."""
    return _BY_KEY.get(key) or Mode(key, key.capitalize(), key.capitalize(), "")
