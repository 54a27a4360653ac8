"""The settings of the window: language, colours, contrast, text size, drawing, notifications.

Owns these options and their storage in `window.ini`. Draws nothing: the theme does.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, fields
from typing import Any

from desktop_app.engine.settings import RESTART, load_valid, option, options_of
from desktop_app.ui.theme.theme import Theme

from ..translation import LANGUAGES
from ..window_file import open_window_file


@dataclass(frozen=True, slots=True)
class WindowSettings:
    """The appearance and language of the window."""

    language: str = option(
        "system",
        "Language",
        "This is the language of the window, not of your documents.",
        choices=(("system", "Follow system"), *LANGUAGES.items()),
        applies=RESTART,
    )
    theme: str = option(
        "system",
        "Theme",
        choices=(("system", "Follow system"), ("light", "Light"), ("dark", "Dark")),
    )
    contrast: str = option(
        "system",
        "High contrast",
        "Lines and text have stronger colours.",
        choices=(("system", "Follow system"), ("on", "On"), ("off", "Off")),
    )
    scale: float = option(
        1.0,
        "Text size",
        "This applies to the whole window. Documents have a text size of their own.",
        choices=(
            (0.9, "Small"),
            (1.0, "Normal"),
            (1.15, "Large"),
            (1.3, "Very large"),
            (1.5, "Largest"),
        ),
    )
    drawing: str = option(
        "automatic",
        "Graph drawing",
        "“Automatic” uses the graphics card where a short test on this computer found it faster. "
        "If the graph looks wrong, choose “Processor”.",
        choices=(
            ("automatic", "Automatic"),
            ("processor", "Processor"),
            ("card", "Graphics card"),
        ),
        applies=RESTART,
    )
    notify: bool = option(
        True,
        "Notify when finished",
        "You get a system notification when long work ends while the window is in the background.",
    )


class WindowStore:
    """Loads and saves the settings of the window; same calls as a section of the engine."""

    def load(self) -> WindowSettings:
        """Return the saved settings, with defaults for invalid values."""
        file, stored = open_window_file(), {}
        for one in options_of(WindowSettings):
            value = file.value(one.name)
            if isinstance(value, str):  # an ini file stores every value as text
                if isinstance(one.default, bool):
                    value = value.lower() in ("true", "1")
                elif isinstance(one.default, float):
                    with suppress(ValueError):
                        value = float(value)
            stored[one.name] = value
        return load_valid(WindowSettings, stored)

    def change(self, name: str, value: Any) -> WindowSettings:
        """Save one value and return all current settings."""
        if name not in {f.name for f in fields(WindowSettings)}:
            raise KeyError(name)
        settings = open_window_file()
        settings.setValue(name, value)
        settings.sync()
        return self.load()


def build_theme() -> Theme:
    """Return the theme for the saved settings."""
    kept = WindowStore().load()
    return Theme(kept.theme, contrast=kept.contrast, scale=kept.scale)


def apply_appearance(theme: Theme, settings: WindowSettings) -> None:
    """Apply the settings that differ to a theme in use."""
    if settings.theme != theme.mode:
        theme.set_mode(settings.theme)
    if settings.contrast != theme.contrast:
        theme.set_contrast(settings.contrast)
    if abs(settings.scale - theme.scale) > 0.001:
        theme.set_scale(settings.scale)
