"""Watched folders: adds new and changed files to the library, reports missing and other ones.

Folders are watched only if the user of this computer added them here: the list is a setting of
the user, by library, and never read from the library file. The caller decides when to scan.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from .. import paths
from ..errors import UserError
from ..messages import Message
from ..settings import load_mapping, write_mapping
from ..store import document_metadata as metadata_rows
from ..store.db import Db
from ..text.file_kinds import is_supported
from .document_import import AddedFiles, add_files, decode_path, encode_path, list_files

SETTLED_S = 2.0  # a file younger than this may still be written
MAX_REQUESTED = 100  # folders of an older library that the user is asked about


@dataclass(frozen=True, slots=True)
class FolderScan:
    """Result of a scan: added files, (document id, title) of missing files, files of references.

    A file of references is named once and not added: it changes details of documents and names
    files outside the folder, which nobody chose.
    """

    added: AddedFiles = field(default_factory=AddedFiles)
    gone: tuple[tuple[int, str], ...] = ()
    references: tuple[Path, ...] = ()


class FolderWatcher:
    """Scans the watched folders and remembers each file by its size and time.

    The folders are stored under the library's id and path: a copy of the file from another
    person, or another file at the same path, watches nothing.

    Args:
        db: the read-write connection.
        settings: the file with the folders of all libraries.
    """

    def __init__(self, db: Db, settings: Path | None = None) -> None:
        self._db = db
        self._settings = settings or paths.watched_folders_file()
        self._scanned: dict[str, tuple[int, int]] = {}
        self._references: dict[Path, None] = {}  # found by the scan that runs
        self._reported: set[int] = set()
        self._delayed: set[str] = set()  # refused at the last scan because the disk was full

    def list_folders(self) -> list[str]:
        stored = load_mapping(self._settings).get(self._key())
        return [f for f in stored if isinstance(f, str)] if isinstance(stored, list) else []

    def watch(self, path: Path) -> list[str]:
        """Watch a folder from now on, and return all watched folders."""
        if not path.is_dir():
            raise UserError("“{path}” is not a folder.", "Choose another one.", path=path)
        return self._store([*self.list_folders(), str(path.resolve())])

    def unwatch(self, path: str) -> list[str]:
        """Stop watching a folder; its documents stay."""
        return self._store(folder for folder in self.list_folders() if folder != path)

    def _key(self) -> str:
        return f"{metadata_rows.fetch_library_id(self._db)} {self._db.path.resolve()}"

    def _store(self, folders: Iterable[str]) -> list[str]:
        stored = load_mapping(self._settings)
        stored[self._key()] = sorted(set(folders))
        if not stored[self._key()]:
            del stored[self._key()]
        write_mapping(self._settings, stored)
        return self.list_folders()

    # --- folders that the file names --------------------------------------------------------------

    def list_requested(self) -> list[str]:
        """Return the folders that a library of an older version names; nothing is read there."""
        return (
            []
            if self._db.read_only
            else metadata_rows.fetch_requested_folders(self._db, MAX_REQUESTED)
        )

    def answer_requested(self, watched: Iterable[str]) -> list[str]:
        """Watch those of the requested folders that the user chose, and forget the requests.

        A folder that does not exist is left out.
        """
        chosen = [path for path in watched if Path(path).is_dir()]
        with self._db.transaction():
            metadata_rows.delete_requested_folders(self._db)
        return self._store([*self.list_folders(), *(str(Path(p).resolve()) for p in chosen)])

    # --- scans ------------------------------------------------------------------------------------

    def scan(self) -> FolderScan:
        """Add new or changed files, and report missing files, each once."""
        folders = self.list_folders()
        if not folders:
            return FolderScan()
        self._references.clear()
        changed = self._find_changed(folders)
        added = add_files(self._db, changed, is_scan=True) if changed else AddedFiles()
        return FolderScan(
            AddedFiles(added.documents, (), self._take_refused(added)),
            self._find_gone(folders),
            self._take_references(folders),
        )

    def _take_references(self, folders: list[str]) -> tuple[Path, ...]:
        """Return the files of references that were not named yet, and remember them."""
        if not self._references:
            return ()
        key = f"{self._key()} references"
        stored = load_mapping(self._settings)
        known = stored.get(key)
        named = [path for path in known if isinstance(path, str)] if isinstance(known, list) else []
        new = [path for path in self._references if str(path) not in named]
        if new:
            kept = [path for path in named if any(_is_inside(path, one) for one in folders)]
            stored[key] = sorted([*kept, *map(str, new)])
            write_mapping(self._settings, stored)
        return tuple(new)

    def _take_refused(self, added: AddedFiles) -> dict[str, Message]:
        """Return the refused files that were not reported; the delayed ones are tried again."""
        for path in added.delayed:
            self._scanned.pop(path, None)
        new = {p: reason for p, reason in added.refused.items() if p not in self._delayed}
        self._delayed = set(added.delayed)
        return new

    def _find_changed(self, folders: list[str]) -> list[Path]:
        from .bibliography.service import FILE_SUFFIXES, is_bibliography  # not at the start

        known = {path: (size, at) for path, size, at in metadata_rows.fetch_files_known(self._db)}
        changed: list[Path] = []
        for folder in folders:
            for path in list_files(Path(folder)):
                is_read = is_supported(path.name) or path.suffix.lower() in FILE_SUFFIXES
                if not is_read or path.name.startswith("."):
                    continue
                try:
                    stat = path.stat()
                except OSError:
                    continue
                sign = (stat.st_size, stat.st_mtime_ns)
                if time.time() - stat.st_mtime < SETTLED_S or self._scanned.get(str(path)) == sign:
                    continue
                self._scanned[str(path)] = sign
                if is_bibliography(path):
                    self._references[path] = None
                    continue
                size, at = known.get(encode_path(path), (-1, 0.0))
                if size != stat.st_size or stat.st_mtime > at:
                    changed.append(path)
        return changed

    def _find_gone(self, folders: list[str]) -> tuple[tuple[int, str], ...]:
        gone = []
        # A missing folder is a drive that is not mounted; its files were not deleted.
        present = [folder for folder in folders if Path(folder).is_dir()]
        for document_id, title, path in metadata_rows.fetch_documents_from_files(self._db):
            # the path is from the library file: only what is inside a watched folder is looked at
            file = str(decode_path(path))
            inside = any(_is_inside(file, folder) for folder in present)
            if inside and document_id not in self._reported and not os.path.exists(file):
                self._reported.add(document_id)
                gone.append((document_id, title))
        return tuple(gone)


def _is_inside(path: str, folder: str) -> bool:
    """Return whether a path lies in a folder by its text, without "..", touching neither."""
    if "\0" in path or os.path.normpath(path) != path:
        return False
    return Path(path).is_relative_to(folder)
