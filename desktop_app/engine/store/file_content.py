"""The bytes of files in a library: written, read and copied piece by piece.

A file is one BLOB; the functions here never hold the whole of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..file_content import PIECE_BYTES, FileContent
from .db import Db


@dataclass(frozen=True, slots=True)
class StoredContent:
    """The file of a document in one of the tables `original`, `new_version`, `previous_version`."""

    db: Db
    table: str
    document_id: int
    size: int

    def iter_pieces(self) -> Iterator[bytes]:
        """Yield the bytes; other statements may run in between.

        Raises:
            Cancelled: the file was deleted or replaced meanwhile.
        """
        for start in range(0, self.size, PIECE_BYTES):
            n = min(PIECE_BYTES, self.size - start)
            yield self.db.read_blob(self.table, self.document_id, start, n, of_size=self.size)


def find_content(db: Db, table: str, document_id: int) -> StoredContent | None:
    """Return the file of a document in a table, None if it has none there."""
    size = db.value(f"SELECT length(content) FROM {table} WHERE document_id = ?", (document_id,))
    return None if size is None else StoredContent(db, table, document_id, size)


def write_content(db: Db, table: str, document_id: int, content: FileContent) -> None:
    """Write the bytes of a file into the row of a document; inside a transaction."""
    sql = f"UPDATE {table} SET content = zeroblob(?) WHERE document_id = ?"
    db.write(sql, (content.size, document_id))
    if content.size:
        db.write_blob(table, document_id, content.iter_pieces())
