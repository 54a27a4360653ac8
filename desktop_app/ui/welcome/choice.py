"""What a first start ends in: where the library lies, and what to begin with. No Qt here."""

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
    """`sample` adds the texts that come with Inkgraph; `files` are the person's own."""

    library: Path = field(default_factory=paths.default_library)
    sample: bool = False
    files: list[str] = field(default_factory=list)


def place_in(folder: str | Path, name: str) -> Path:
    """Return where a library of this name lies in a folder."""
    plain = name.strip().removesuffix(SUFFIX).strip() or paths.default_library().stem
    return Path(folder).expanduser() / f"{plain}{SUFFIX}"


def find_missing(models: Sequence[Any]) -> list[Any]:
    """Return the models to get: for each role that none can fill, the smallest of the catalogue."""
    missing = []
    for role in ROLES:
        of_role = [m for m in models if m.role == role]
        if not any(m.installed and not m.damaged for m in of_role):
            missing += [m for m in of_role if m.in_catalogue][:1]
    return missing


def install_command(missing: Sequence[Any]) -> str:
    """Return what to write in a terminal to get these models."""
    return "inkgraph models install " + " ".join(m.name for m in missing)  # not shown: a command
