"""One open library: its connections, and what is done to documents as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..changes import EVERYTHING, ChangeSet
from ..errors import EnvironmentProblem, UserError
from ..store import documents
from ..store.db import Db
from .deriving import derive_graph
from .holdings import HoldingVerbs

SUFFIX = ".inkgraph"


class Library:
    """An open `.inkgraph` file: one connection that writes, others that read.

    Every thread that reads takes a connection of its own from `reader`.
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


class LibraryWork(HoldingVerbs):
    """What a person does to whole documents; every method writes and says what changed."""

    def __init__(self, db: Db) -> None:
        self._db = db

    def delete_document(self, document_id: int) -> ChangeSet:
        """Take a document out with its evidence; the graph follows from what remains."""
        return self.delete_documents([document_id])

    def delete_documents(self, document_ids: Sequence[int]) -> ChangeSet:
        """Take several documents out at once; the graph follows once."""
        with self._db.transaction():
            for document_id in document_ids:
                documents.delete_document(self._db, document_id)
            derive_graph(self._db)
        return EVERYTHING

    def stop_document(self, document_id: int) -> ChangeSet:
        """Take a document out of the queue; what was read of it stays."""
        with self._db.transaction():
            documents.set_state(self._db, document_id, "paused")
        return ChangeSet(documents=frozenset({document_id}))

    def retry_document(self, document_id: int, password: str = "") -> ChangeSet:
        """Put a failed or stopped document back into the queue, with a password if need be."""
        with self._db.transaction():
            documents.requeue(self._db, document_id, password)
        return ChangeSet(documents=frozenset({document_id}))

    def reindex_document(self, document_id: int) -> ChangeSet:
        """Queue a document to be read again and its names to be found again.

        What models said of it stays, as far as its text does.
        """
        with self._db.transaction():
            self._db.write(
                "DELETE FROM extraction WHERE strategy = 'instant' AND chunk_id IN"
                " (SELECT id FROM chunk WHERE document_id = ?)",
                (document_id,),
            )
            documents.set_state(self._db, document_id, "waiting")
        return ChangeSet(documents=frozenset({document_id}))

    def set_aside(self, document_id: int, aside: bool) -> ChangeSet:
        """Leave a document out of questions, or take it in again."""
        with self._db.transaction():
            self._db.write(
                "UPDATE document SET set_aside = ? WHERE id = ?", (int(aside), document_id)
            )
        return ChangeSet(documents=frozenset({document_id}))

    def rename_document(self, document_id: int, title: str) -> ChangeSet:
        """Give a document another title, which lasts when it is read again."""
        return self.edit_details([document_id], title=title)
