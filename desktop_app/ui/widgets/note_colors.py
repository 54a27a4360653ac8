"""The colours of highlights: their words, and the colours of the theme that they are drawn in."""

from __future__ import annotations

from ..translation import later

COLOR_WORDS = {
    "yellow": later("Yellow"),
    "green": later("Green"),
    "blue": later("Blue"),
    "pink": later("Pink"),
}
NOTE_ROLES = {"yellow": "event", "green": "place", "blue": "other", "pink": "organisation"}
