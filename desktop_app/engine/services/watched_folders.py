"""Watched folders: adds new and changed files to the library and reports missing ones.

Folders are watched only if the user added them. The caller decides when to scan.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import UserError
from ..messages import Message
from ..store import document_metadata as rows
from ..store.db import Db
from ..text.reading import SUPPORTED_SUFFIXES
from .document_import import Added, add_files, decode_path, encode_path, list_files

SETTLED_S = 2.0  # a file younger than this may still be written


@dataclass(frozen=True, slots=True)
class WatchedFile:
    """Result of a scan: added files, and (document id, title) of missing files."""

    added: Added = field(default_factory=Added)
    gone: tuple[tuple[int, str], ...] = ()


class FolderWatcher:
    """Scans the watched folders and remembers each file by its size and time.

    Args:
        db: the read-write connection.
    """

    def __init__(self, db: Db) -> None:
        self._db = db
        self._scanned: dict[str, tuple[int, int]] = {}
        self._reported: set[int] = set()
        self._delayed: set[str] = set()  # refused at the last scan because the disk was full

    def list_folders(self) -> list[str]:
        return rows.fetch_watched(self._db)

    def watch(self, path: Path) -> list[str]:
        """Watch a folder from now on, and return all watched folders."""
        if not path.is_dir():
            raise UserError("“{path}” is no folder.", "Choose another one.", path=path)
        with self._db.edit(Message("Watch the folder “{name}”", name=path.name)):
            rows.add_watched(self._db, str(path.resolve()))
        return self.list_folders()

    def unwatch(self, path: str) -> list[str]:
        """Stop watching a folder; its documents stay."""
        with self._db.edit(Message("Stop watching the folder “{name}”", name=Path(path).name)):
            rows.remove_watched(self._db, path)
        return self.list_folders()

    def scan(self) -> WatchedFile:
        """Add new or changed files, and report missing files, each once."""
        folders = self.list_folders()
        if not folders:
            return WatchedFile()
        changed = self._find_changed(folders)
        added = add_files(self._db, changed, is_scan=True) if changed else Added()
        return WatchedFile(
            Added(added.documents, (), self._take_refused(added)), self._find_gone(folders)
        )

    def _take_refused(self, added: Added) -> dict[str, Message]:
        """Return the refused files that were not reported; the delayed ones are tried again."""
        for path in added.delayed:
            self._scanned.pop(path, None)
        new = {p: reason for p, reason in added.refused.items() if p not in self._delayed}
        self._delayed = set(added.delayed)
        return new

    def _find_changed(self, folders: list[str]) -> list[Path]:
        known = {path: (size, at) for path, size, at in rows.fetch_files_known(self._db)}
        changed: list[Path] = []
        for folder in folders:
            for path in list_files(Path(folder)):
                if path.suffix.lower() not in SUPPORTED_SUFFIXES or path.name.startswith("."):
                    continue
                try:
                    stat = path.stat()
                except OSError:
                    continue
                sign = (stat.st_size, stat.st_mtime_ns)
                if time.time() - stat.st_mtime < SETTLED_S or self._scanned.get(str(path)) == sign:
                    continue
                self._scanned[str(path)] = sign
                size, at = known.get(encode_path(path), (-1, 0.0))
                if size != stat.st_size or stat.st_mtime > at:
                    changed.append(path)
        return changed

    def _find_gone(self, folders: list[str]) -> tuple[tuple[int, str], ...]:
        gone = []
        for document_id, title, path in rows.fetch_documents_from_files(self._db):
            # A missing folder is a drive that is not mounted; its files were not deleted.
            file = decode_path(path)
            watched = any(file.is_relative_to(f) and Path(f).is_dir() for f in folders)
            if watched and document_id not in self._reported and not file.exists():
                self._reported.add(document_id)
                gone.append((document_id, title))
        return tuple(gone)
