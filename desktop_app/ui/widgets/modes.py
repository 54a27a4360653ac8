"""Titles and descriptions of the retrieval modes for the window. No Qt.

The modes themselves are the engine's `ALL_MODES`.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..translation import later

BYPASS = "bypass"


@dataclass(frozen=True, slots=True)
class Mode:
    """One mode: `short` for the button, `title` and `use` for the menu; translated when shown."""

    key: str
    short: str
    use: str
    long: str = ""

    @property
    def title(self) -> str:
        return self.long or self.short


WALK = Mode(
    "walk",
    later("Names and passages"),
    later("Follows names from passage to passage. Best for most questions."),
)
MIX = Mode(
    "mix", later("Everything"), later("Names, connections and passages. For broad questions.")
)
LOCAL = Mode("local", later("Names"), later("For one person, place or thing: who, what, where."))
GLOBAL = Mode(
    "global", later("Connections"), later("For themes and relations across many documents.")
)
HYBRID = Mode(
    "hybrid",
    later("Names and connections"),
    later("Both of these, when a question has names and a theme."),
)
NAIVE = Mode(
    "naive", later("By meaning"), later("Passages with a similar meaning, also in other words.")
)
WORDS = Mode("words", later("By exact words"), later("For quotations, numbers and rare terms."))
OVERVIEW = Mode(
    "overview",
    later("Overview"),
    later("What the whole library is about, from its reports. Slow."),
)
DRIFT = Mode(
    "drift",
    later("Overview, then details"),
    later("Asks itself follow-up questions. Slowest."),
)
ALONE = Mode(
    BYPASS,
    later("Model only"),
    later("Nothing is looked up, and there are no sources to check."),
    later("Ask the model only, without your documents"),
)
MODE_GROUPS: tuple[tuple[str, tuple[Mode, ...]], ...] = (
    (later("Recommended"), (WALK, MIX)),
    (later("Knowledge graph"), (LOCAL, GLOBAL, HYBRID)),
    (later("Passages only"), (NAIVE, WORDS)),
    (later("Whole library"), (OVERVIEW, DRIFT)),
    (later("Without your documents"), (ALONE,)),
)
_BY_KEY = {mode.key: mode for _, modes in MODE_GROUPS for mode in modes}


def all_modes() -> list[Mode]:
    """Return all modes in the order of the menu."""
    return list(_BY_KEY.values())


def mode_of(key: str) -> Mode:
    """Return a mode by its key; an unknown one is titled with its key."""
    return _BY_KEY.get(key) or Mode(key, key.capitalize(), "")
