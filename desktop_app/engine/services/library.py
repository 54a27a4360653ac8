"""One open library: its connections, actions on whole documents, and backups."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..changes import EVERYTHING, ChangeSet
from ..errors import EnvironmentProblem, UserError, cannot_write
from ..store import documents
from ..store.db import Db
from ..text.chunking import ChunkingSettings
from ..text.reading import SUPPORTED_SUFFIXES
from .documents import DocumentMetadataActions, common_cut, keep_cut
from .graph_update import update_graph

SUFFIX = ".inkgraph"


class Library:
    """An open `.inkgraph` file: one connection for writing, others for reading.

    Each reading thread takes its own connection from `reader`.
    """

    def __init__(self, path: Path, *, create: bool = True) -> None:
        path = Path(path).expanduser()
        if path.suffix != SUFFIX:
            path = path.with_name(path.name + SUFFIX)
        if not create and not path.exists():
            raise UserError(
                f"There is no library at “{path}”.", "Add a document first: that makes it."
            )
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise EnvironmentProblem(
                f"The folder “{path.parent}” can't be made: {error.strerror}.",
                "Choose another place for the library.",
            ) from error
        self.path = path
        self.writer = Db(path)
        self._readers: list[Db] = []

    def reader(self) -> Db:
        """Return a new read-only connection, closed with the library."""
        db = Db(self.path, read_only=True)
        self._readers.append(db)
        return db

    def close(self) -> None:
        for db in self._readers:
            db.close()
        self.writer.close()


class LibraryActions(DocumentMetadataActions):
    """Actions on whole documents; every method writes and returns what changed, except `list_` and
    `common_cut`.
    """

    def __init__(self, db: Db) -> None:
        self._db = db

    def delete_document(self, document_id: int) -> ChangeSet:
        """Delete a document with its evidence and update the graph."""
        return self.delete_documents([document_id])

    def delete_documents(self, document_ids: Sequence[int]) -> ChangeSet:
        """Delete several documents and update the graph once."""
        with self._db.transaction():
            for document_id in document_ids:
                documents.delete_document(self._db, document_id)
            update_graph(self._db)
        return EVERYTHING

    def stop_document(self, document_id: int) -> ChangeSet:
        """Take a document out of the queue; finished parts stay."""
        with self._db.transaction():
            documents.set_state(self._db, document_id, "paused")
        return ChangeSet(documents=frozenset({document_id}))

    def retry_document(self, document_id: int, password: str = "") -> ChangeSet:
        """Queue a failed or stopped document again, with a password if needed."""
        with self._db.transaction():
            documents.requeue(self._db, document_id, password)
        return ChangeSet(documents=frozenset({document_id}))

    def reindex_document(self, document_id: int) -> ChangeSet:
        """Queue a document to be read again with its present settings; see `reindex_documents`."""
        return self.reindex_documents([document_id])

    def reindex_documents(
        self, document_ids: Sequence[int], chunking: ChunkingSettings | None = None
    ) -> ChangeSet:
        """Queue documents to be read again and their names to be extracted again.

        Corrections, annotations and details stay; results of models stay for chunks whose text is
        unchanged. For a row of a table, the whole table is read again.

        Args:
            chunking: the new chunking settings; None: as before.

        Raises:
            UserError: none of the files is in the library any more.
        """
        if chunking is not None:
            chunking.check()
        with self._db.transaction():
            found = [documents.find_with_file(self._db, i) for i in document_ids]
            queued = list(dict.fromkeys(i for i in found if i is not None))
            if document_ids and not queued:
                raise UserError("The document's file is missing from the library.", "Add it again.")
            for document_id in {*document_ids, *queued}:
                self._db.write(
                    "DELETE FROM extraction WHERE strategy = 'instant' AND chunk_id IN"
                    " (SELECT id FROM chunk WHERE document_id = ?)",
                    (document_id,),
                )
            for document_id in queued:
                documents.set_state(self._db, document_id, "waiting")
                if chunking is not None:
                    keep_cut(self._db, document_id, chunking)
        return ChangeSet(documents=frozenset(queued))

    def common_cut(
        self, document_ids: Sequence[int], otherwise: ChunkingSettings
    ) -> ChunkingSettings | None:
        """Return the chunking settings that all of these documents share; None if they differ."""
        first = [documents.find_with_file(self._db, i) or i for i in document_ids]
        return common_cut(self._db, first, otherwise)

    def set_aside(self, document_id: int, aside: bool) -> ChangeSet:
        """Exclude a document from questions, or include it again."""
        with self._db.transaction():
            self._db.write(
                "UPDATE document SET set_aside = ? WHERE id = ?", (int(aside), document_id)
            )
        return ChangeSet(documents=frozenset({document_id}))

    def rename_document(self, document_id: int, title: str) -> ChangeSet:
        """Rename a document; the title survives reindexing."""
        return self.edit_details([document_id], title=title)


@dataclass(frozen=True, slots=True)
class LibrarySize:
    """The files that would be added: their number and total size."""

    n_files: int
    n_bytes: int


def measure_files(paths: Iterable[str | Path]) -> LibrarySize:
    """Count files and the readable files of folders before they are added."""
    n_files = n_bytes = 0
    for path in map(Path, paths):
        found = (
            (p for p in path.rglob("*") if p.is_file() and p.suffix.lower() in SUPPORTED_SUFFIXES)
            if path.is_dir()
            else (p for p in (path,) if p.is_file())
        )
        for file in found:
            n_files += 1
            n_bytes += file.stat().st_size
    return LibrarySize(n_files, n_bytes)


def back_up(db: Db, path: Path) -> int:
    """Copy an open library to a file in a consistent state; return its size."""
    if path.exists() and path.resolve() == db.path.resolve():
        raise UserError("This is the library itself.", "Choose another file for its copy.")
    part = path.with_name(path.name + ".part")
    try:
        part.unlink(missing_ok=True)
        db.backup_to(part)
        part.replace(path)
    except OSError as error:
        raise cannot_write(path.name, error) from error
    finally:
        part.unlink(missing_ok=True)
    return path.stat().st_size


def compact(db: Db) -> tuple[int, int]:
    """Free the space of deleted data; return the size before and after."""
    before = db.path.stat().st_size
    free = shutil.disk_usage(db.path.parent).free
    if free < before * 1.2:
        raise EnvironmentProblem(
            "There is too little room on the disk to compact the library.",
            "It needs as much free room as the library has, for a while.",
        )
    db.compact()
    return before, db.path.stat().st_size


def restore_backup(backup: Path, target: Path) -> Path:
    """Copy a backup to a new file, and check that it is a library.

    Raises:
        UserError: the file exists, or the backup is no library.
    """
    if target.exists():
        raise UserError(f"There is “{target.name}” already.", "Choose another name.")
    try:
        shutil.copyfile(backup, target)
        Db(target).close()
    except OSError as error:
        raise EnvironmentProblem(
            f"“{backup.name}” can't be copied: {error.strerror}.", "Choose another place."
        ) from error
    except Exception:
        target.unlink(missing_ok=True)
        raise
    return target
