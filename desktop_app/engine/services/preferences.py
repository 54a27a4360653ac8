"""The engine's settings on this computer, by section, as stored in `settings.json`.

Settings of a library (enrichment) and of the window (appearance) are elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .. import paths
from ..llm.model_settings import ModelSettings
from ..settings import SettingsFile, option
from ..text.chunking import ChunkingSettings
from .documents import TRASH_DAYS

DEFAULT_PORT = 9621  # of LightRAG's server, whose clients then need no other address


@dataclass(frozen=True, slots=True)
class TrashSettings:
    """Settings of the trash."""

    trash_days: int = option(
        TRASH_DAYS,
        "Keep trash for",
        "Deleted documents can be restored during this time.",
        unit="days",
        least=1,
        most=3650,
    )


@dataclass(frozen=True, slots=True)
class BackupSettings:
    """Settings of the backups that the program makes by itself."""

    folder: str = option(
        "",
        "Backup folder",
        "A folder on another disk also protects against the failure of this one.",
        kind="folder",
        zero="Folder of the library",
    )
    n_days: int = option(
        7,
        "Daily backups",
        "Keeps one backup a day for this many days.",
        unit="days",
        least=1,
        most=365,
    )
    n_weeks: int = option(
        4,
        "Weekly backups",
        "Keeps one backup a week for this many weeks.",
        unit="weeks",
        least=0,
        most=520,
    )


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Settings of the server for programs on this computer; it is off until it is switched on."""

    port: int = option(
        DEFAULT_PORT,
        "Port",
        "Part of the address. It can be changed while the library is not served.",
        least=1024,
        most=65535,
    )
    may_edit: bool = option(
        False,
        "Let programs change the library",
        "They can add documents and correct names. Each correction can be undone and has the name "
        "of the program.",
    )


SECTIONS: dict[str, type] = {
    "models": ModelSettings,
    "reading": ChunkingSettings,
    "care": TrashSettings,  # the name that settings files have for it
    "backups": BackupSettings,
    "server": ServerSettings,
}


class Preferences:
    """Reads and writes the sections; each read gives the values written last."""

    def __init__(self, path: Path | None = None) -> None:
        self._file = SettingsFile(path or paths.settings_file())

    def load(self, section: str) -> Any:
        """Return a section's settings; invalid stored values are replaced by defaults."""
        return self._file.load(section, SECTIONS[section])

    def change(self, section: str, name: str, value: Any) -> Any:
        """Store one checked value, and return the section as it is now.

        Raises:
            UserError: it conflicts with another setting.
            EnvironmentProblem: it can't be written.
        """
        settings = replace(self.load(section), **{name: value})
        self._file.save(section, settings)
        return settings

    @property
    def models(self) -> ModelSettings:
        settings: ModelSettings = self.load("models")
        return settings

    @property
    def reading(self) -> ChunkingSettings:
        settings: ChunkingSettings = self.load("reading")
        return settings

    @property
    def trash(self) -> TrashSettings:
        settings: TrashSettings = self.load("care")
        return settings

    @property
    def backups(self) -> BackupSettings:
        settings: BackupSettings = self.load("backups")
        return settings

    @property
    def server(self) -> ServerSettings:
        settings: ServerSettings = self.load("server")
        return settings
