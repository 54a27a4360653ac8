"""The sections of the settings screen: their options, and the store that saves each.

Owns the order and the titles. Sections of the engine and of the window are read and changed
by the same two calls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from desktop_app.engine.services.preferences import SECTIONS, Preferences
from desktop_app.engine.settings import Option, options_of
from desktop_app.ui.language import later, tr

from .window_options import WindowSettings, WindowStore


@dataclass(frozen=True, slots=True)
class SettingsLink:
    """A link to another screen: `action` is a window action."""

    title: str
    help: str
    button: str
    action: str


@dataclass(frozen=True, slots=True)
class Section:
    """A title with its options and links; `change` saves one value that is already validated."""

    key: str
    title: str
    icon: str
    options: tuple[Option, ...] = ()
    links: tuple[SettingsLink, ...] = ()
    load: Callable[[], Any] = lambda: None
    change: Callable[[str, Any], Any] = lambda name, value: None


class Entry(NamedTuple):
    """A setting as an entry of the global search."""

    section: str
    name: str
    label: str
    section_title: str


def build_sections(preferences: Preferences | None = None) -> tuple[Section, ...]:
    """Return all sections in order."""
    kept, window = preferences or Preferences(), WindowStore()
    look = options_of(WindowSettings)
    return (
        Section("window", tr("Look and language"), "sun", look, _LOOK, window.load, window.change),
        _of_engine(kept, "models", tr("Models"), "models", _MODELS),
        _of_engine(kept, "reading", tr("Reading documents"), "document", _READING),
        _of_engine(kept, "care", tr("Libraries"), "library", _LIBRARIES),
        Section("asking", tr("Questions and answers"), "chat", links=_ASKING),
        Section("enriching", tr("Enrichment"), "sparkle", links=_ENRICHING),
        Section("privacy", tr("Privacy"), "offline"),
    )


def list_entries(sections: Sequence[Section]) -> list[Entry]:
    """Return every setting and every link of the sections."""
    return [
        Entry(section.key, name, tr(label), section.title)
        for section in sections
        for name, label in (
            *((o.name, o.label) for o in section.options),
            *((link.action, link.title) for link in section.links),
        )
    ]


def _of_engine(
    kept: Preferences, key: str, title: str, icon: str, links: tuple[SettingsLink, ...]
) -> Section:
    options = options_of(SECTIONS[key])
    load, change = partial(kept.load, key), partial(kept.change, key)
    return Section(key, title, icon, options, links, load, change)


_LOOK = (
    SettingsLink(
        later("Keys"),
        later("Every key of every screen, searchable."),
        later("Show keyboard shortcuts"),
        "shortcuts",
    ),
)
_MODELS = (
    SettingsLink(
        later("Models of this computer"),
        later("Which are here and in use, which can be had, and a check of each."),
        later("Open Models"),
        "models",
    ),
)
_READING = (
    SettingsLink(
        later("Watched folders"),
        later("New and changed files in them are read by themselves. None are watched at first."),
        later("Choose folders…"),
        "watch",
    ),
)
_LIBRARIES = (
    SettingsLink(later("This library"), "", later("Back up, compact, restore…"), "care"),
    SettingsLink(
        later("Another library"),
        later("Each is one file with its documents, names, chats and corrections."),
        later("Open another library…"),
        "open_library",
    ),
    SettingsLink(
        later("A library of its own"),
        later("For another subject, or to keep things apart."),
        later("New library…"),
        "new_library",
    ),
)
_ASKING = (
    SettingsLink(
        later("How questions are answered"),
        later("Length, way of finding, model and every number are chosen beside the question."),
        later("Go to chat"),
        "chat",
    ),
)
_ENRICHING = (
    SettingsLink(
        later("How this library is enriched"),
        later("What a model is asked about your documents; kept in the library itself."),
        later("How to enrich…"),
        "enrich_settings",
    ),
)
