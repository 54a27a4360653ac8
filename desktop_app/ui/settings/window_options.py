"""The settings of the window: language, colours, contrast, text size, notifications.

Owns these options and their storage in `window.ini`. Draws nothing: the theme does.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from PySide6.QtCore import QSettings

from desktop_app.engine import paths
from desktop_app.engine.errors import UserError
from desktop_app.engine.settings import RESTART, check_value, option, options_of
from desktop_app.ui.language import LANGUAGES, later
from desktop_app.ui.theme.theme import Theme

SCALE_CHOICES = (
    (0.9, later("Small")),
    (1.0, later("Normal")),
    (1.15, later("Large")),
    (1.3, later("Very large")),
    (1.5, later("Largest")),
)


@dataclass(frozen=True, slots=True)
class WindowSettings:
    """The appearance and language of the window."""

    language: str = option(
        "system",
        later("Language"),
        later("Of the window. Documents, questions and answers keep theirs."),
        choices=(("system", later("As the system")), *LANGUAGES.items()),
        applies=RESTART,
    )
    theme: str = option(
        "system",
        later("Colours"),
        choices=(
            ("system", later("As the system")),
            ("light", later("Light")),
            ("dark", later("Dark")),
        ),
    )
    contrast: str = option(
        "system",
        later("High contrast"),
        later("Stronger lines and inks, in light and in dark."),
        choices=(
            ("system", later("As the system")),
            ("on", later("Always")),
            ("off", later("Never")),
        ),
    )
    scale: float = option(
        1.0,
        later("Size of text"),
        later("Of everything in the window; books have a size of their own in the reader."),
        choices=SCALE_CHOICES,
    )
    notify: bool = option(
        True,
        later("Tell when long work is done"),
        later("A notice of the system, only while the window is hidden or behind others."),
    )


class WindowStore:
    """Loads and saves the settings of the window; same calls as a section of the engine."""

    def load(self) -> WindowSettings:
        """Return the saved settings, with defaults for invalid values."""
        kept, sound = open_settings(), {}
        for one in options_of(WindowSettings):
            stored = kept.value(one.name)
            if stored is None:
                continue
            try:
                sound[one.name] = check_value(one, _read(stored, one.default))
            except (UserError, ValueError):
                continue
        return WindowSettings(**sound)

    def change(self, name: str, value: Any) -> WindowSettings:
        """Save one value and return all current settings."""
        if name not in {f.name for f in fields(WindowSettings)}:
            raise KeyError(name)
        settings = open_settings()
        settings.setValue(name, value)
        settings.sync()
        return self.load()


def build_theme() -> Theme:
    """Return the theme for the saved settings."""
    kept = WindowStore().load()
    return Theme(kept.theme, contrast=kept.contrast, scale=kept.scale)


def paint(theme: Theme, settings: WindowSettings) -> None:
    """Apply the settings that differ to a theme in use."""
    if settings.theme != theme.mode:
        theme.set_mode(settings.theme)
    if settings.contrast != theme.contrast:
        theme.set_contrast(settings.contrast)
    if abs(settings.scale - theme.scale) > 0.001:
        theme.set_scale(settings.scale)


def open_settings() -> QSettings:
    """Return the store; all stores open at the same time share one cache."""
    return QSettings(str(paths.data_dir() / "window.ini"), QSettings.Format.IniFormat)


def _read(stored: Any, default: Any) -> Any:
    """Convert the text of an ini file to the type of the default."""
    if isinstance(default, bool):
        return stored if isinstance(stored, bool) else str(stored).lower() in ("true", "1")
    return float(stored) if isinstance(default, float) else str(stored)
