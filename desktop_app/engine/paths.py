"""Paths of models, settings and the default library. `INKGRAPH_HOME` moves them all."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import platformdirs

PACKAGE_ROOT = Path(__file__).resolve().parents[1]
CHECKOUT_ROOT = PACKAGE_ROOT.parent


def data_dir() -> Path:
    """Return the folder of all data of this user."""
    home = os.environ.get("INKGRAPH_HOME")
    return Path(home) if home else Path(platformdirs.user_data_dir("inkgraph", appauthor=False))


def models_dir() -> Path:
    """Return the folder that `inkgraph models install` fills.

    `INKGRAPH_MODELS` moves it, otherwise the user's setting.
    """
    if own := os.environ.get("INKGRAPH_MODELS"):
        return Path(own)
    try:  # the file is read here, because loading the settings needs these paths
        folder = json.loads(settings_file().read_text("utf-8"))["models"]["folder"]
        if folder and Path(folder).is_dir():
            return Path(folder)
    except (OSError, ValueError, LookupError, TypeError):
        pass
    return data_dir() / "models"


def model_folders() -> list[Path]:
    """Return every folder that is searched for models, the user's own first."""
    first, usual = models_dir(), data_dir() / "models"
    more = [usual] if usual != first else []
    return [first, *more, CHECKOUT_ROOT / "models"]


def open_windows_dir() -> Path:
    """Return the folder with a file for each window that has a library open."""
    return data_dir() / "windows"


def settings_file() -> Path:
    return data_dir() / "settings.json"


def watched_folders_file() -> Path:
    return data_dir() / "watched folders.json"


def zotero_folders_file() -> Path:
    return data_dir() / "zotero folders.json"


def model_servers_file() -> Path:
    """Return the file with the model server of each library; without keys."""
    return data_dir() / "model servers.json"


def token_file() -> Path:
    """Return the file with the token of the window's server, which stays the same."""
    return data_dir() / "server token"


def lock_file(library: Path) -> Path:
    """Return the file that a process locks while it indexes a library."""
    name = hashlib.sha256(str(library.resolve()).encode("utf-8", "surrogatepass")).hexdigest()
    return data_dir() / "locks" / f"{name[:32]}.lock"


def style_images_dir() -> Path:
    """Return the folder of the images that style sheets load, which Qt reads from files only."""
    return data_dir() / "style images"


def default_library() -> Path:
    return data_dir() / "libraries" / "My library.inkgraph"


def resource(*parts: str) -> Path:
    """Return a file of `resources/`, in a checkout or an installed package."""
    for root in (CHECKOUT_ROOT / "resources", PACKAGE_ROOT / "resources"):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    return CHECKOUT_ROOT.joinpath("resources", *parts)
