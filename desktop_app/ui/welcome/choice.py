"""The result of the welcome window: the path of the library and its first documents. No Qt here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop_app.engine import paths

SUFFIX = ".inkgraph"
ROLES = ("chat", "embedding")


@dataclass(slots=True)
class WelcomeChoice:
    """`sample` adds the texts supplied with Inkgraph; `files` are the user's own."""

    library: Path = field(default_factory=paths.default_library)
    sample: bool = False
    files: list[str] = field(default_factory=list)


def place_in(folder: str | Path, name: str) -> Path:
    """Return the path of a library of this name in a folder."""
    plain = name.strip().removesuffix(SUFFIX).strip() or paths.default_library().stem
    return Path(folder).expanduser() / f"{plain}{SUFFIX}"


def find_missing(models: Sequence[Any]) -> list[Any]:
    """Return the models to install: the smallest of the catalogue for each role without a model."""
    missing = []
    for role in ROLES:
        of_role = [m for m in models if m.role == role]
        if not any(m.installed and not m.damaged for m in of_role):
            missing += [m for m in of_role if m.in_catalogue][:1]
    return missing


def install_command(missing: Sequence[Any]) -> str:
    """Return the shell command that installs these models."""
    return "inkgraph models install " + " ".join(m.name for m in missing)  # not shown: a command
