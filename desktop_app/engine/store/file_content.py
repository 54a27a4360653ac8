"""The bytes of files in a library: written, read and copied piece by piece.

A file is one BLOB; the functions here never hold the whole of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import Cancelled
from ..file_content import PIECE_BYTES, FileContent, hash_content
from .db import Db


@dataclass(frozen=True, slots=True)
class StoredContent:
    """The file of a document in one of the tables `original`, `new_version`, `previous_version`.

    In `trash_file` it is the file of an entry of the trash.
    """

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
    """Return the file of a document in a table, None if it has none there.

    Args:
        document_id: in `trash_file` the id of the entry of the trash.
    """
    key = "trash_id" if table == "trash_file" else "document_id"
    size = db.value(f"SELECT length(content) FROM {table} WHERE {key} = ?", (document_id,))
    return None if size is None else StoredContent(db, table, document_id, size)


def has_digest(db: Db, table: str, document_id: int, sha256: str) -> bool:
    """Return whether a stored file has this SHA-256, reading it in pieces.

    True if there is none, or none any more: it was deleted or replaced meanwhile.
    """
    content = find_content(db, table, document_id)
    try:
        return content is None or hash_content(content) == sha256
    except Cancelled:
        return True


def write_content(db: Db, table: str, document_id: int, content: FileContent) -> None:
    """Write the bytes of a file into the row of a document; inside a transaction."""
    sql = f"UPDATE {table} SET content = zeroblob(?) WHERE document_id = ?"
    db.write(sql, (content.size, document_id))
    if content.size:
        db.write_blob(table, document_id, content.iter_pieces())
