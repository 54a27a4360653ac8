"""The data folders of Zotero that a library takes documents from.

They are a setting of the user, by library, and never read from the library file (decision 41):
a library of another person updates nothing from this computer's Zotero.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ... import paths
from ...settings import load_mapping, write_mapping

if TYPE_CHECKING:
    from ...store.db import Db

DATABASE = "zotero.sqlite"


def is_zotero_folder(path: Path) -> bool:
    """Return whether a path is a data folder of Zotero, by the names in it."""
    return path.joinpath(DATABASE).is_file()


def list_folders(db: Db) -> list[Path]:
    """Return the folders that were added to this library on this computer."""
    stored = load_mapping(paths.zotero_folders_file()).get(_key(db))
    return [Path(f) for f in stored if isinstance(f, str)] if isinstance(stored, list) else []


def remember_folder(db: Db, folder: Path) -> None:
    """Add a folder to those from which this library is updated."""
    known = [str(path) for path in list_folders(db)]
    if str(folder.resolve()) not in known:
        stored = load_mapping(paths.zotero_folders_file())
        stored[_key(db)] = sorted([*known, str(folder.resolve())])
        write_mapping(paths.zotero_folders_file(), stored)


def find_usual_folder() -> Path | None:
    """Return the place where Zotero keeps its data unless it was moved, None if it is not there."""
    folder = Path.home() / "Zotero"
    return folder if is_zotero_folder(folder) else None


def _key(db: Db) -> str:
    # The process that reads bibliographies imports this module, and opens no library.
    from ...store import document_metadata

    return f"{document_metadata.fetch_library_id(db)} {db.path.resolve()}"
