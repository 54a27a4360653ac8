"""Versions of a document's file: a changed file until its text is taken, and the one before.

`new_version` holds what is to be read or was refused; the document keeps its text until
`take_version`. `previous_version` holds the file before the last change. `version_choice` is what
the user chose, written inside `Db.edit` only.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from ..file_content import FileContent
from ..messages import NO_MESSAGE, Message
from . import documents
from .db import Db, RowChange
from .file_content import find_content, has_digest, write_content

CHOICE_COLUMNS = ("document_id", "sha256", "declined", "before")


@dataclass(frozen=True, slots=True)
class FileSource:
    """The file that is to be read for a document.

    Attributes:
        is_new: the document has a text, which stays until this one is taken.
        is_same: the file of the present text is read again.
        is_previous: the previous version is restored.
        is_accepted: the user wants this version, however short its text is.
        is_more: it is read again only because more of its pages were read.
    """

    sha256: str
    content: FileContent
    is_new: bool = False
    is_same: bool = False
    is_previous: bool = False
    is_accepted: bool = False
    is_more: bool = False


def find_file_to_read(db: Db, document_id: int) -> FileSource | None:
    """Return the file that is to be read: a waiting version, or of a document without text its own.

    None if nothing is to be read, or its bytes are no longer kept.
    """
    content = find_content(db, "original", document_id)
    sha256 = db.value("SELECT sha256 FROM document WHERE id = ?", (document_id,))
    if content is None or sha256 is None:
        return None
    if not documents.has_text(db, document_id):
        return FileSource(sha256, content)
    row = db.row(
        "SELECT sha256, is_accepted, is_more FROM new_version"
        " WHERE document_id = ? AND state = 'waiting'",
        (document_id,),
    )
    if row is None:
        return None
    wanted, is_accepted, is_more = row
    is_same = wanted == sha256
    new_content = find_content(db, "new_version", document_id)
    is_previous = new_content is None and not is_same
    if is_previous and wanted == find_previous(db, document_id):
        new_content = find_content(db, "previous_version", document_id)
    if is_same:
        new_content = content
    if new_content is None:
        return None
    return FileSource(
        wanted,
        new_content,
        is_new=True,
        is_same=is_same,
        is_previous=is_previous,
        is_accepted=bool(is_accepted),
        is_more=bool(is_more) and is_same,
    )


def offer_version(
    db: Db,
    document_id: int,
    sha256: str,
    content: FileContent | None,
    size_bytes: int,
    *,
    is_accepted: bool = False,
    is_more: bool = False,
) -> None:
    """Queue a version of a document's file to be read; the text stays until it is taken.

    Args:
        content: None if the bytes are those of the present or of the previous version.
    """
    db.write(
        "INSERT OR REPLACE INTO new_version(document_id, sha256, size_bytes, found_at,"
        " is_accepted, is_more) VALUES (?, ?, ?, ?, ?, ?)",
        (document_id, sha256, size_bytes, time.time(), int(is_accepted), int(is_more)),
    )
    if content is not None:
        write_content(db, "new_version", document_id, content)
    documents.restart_job(db, document_id)


def offer_again(db: Db, document_id: int) -> None:
    """Queue the file of a document's present text to be read again."""
    row = db.row("SELECT sha256, size_bytes FROM document WHERE id = ?", (document_id,))
    if row is not None:
        offer_version(db, document_id, row[0], None, row[1], is_accepted=True)


def retry_version(db: Db, document_id: int) -> bool:
    """Queue the refused version of a document again; return False if there is none."""
    if find_new_version(db, document_id) is None:
        return False
    db.write("UPDATE new_version SET state = 'waiting' WHERE document_id = ?", (document_id,))
    documents.restart_job(db, document_id)
    return True


def find_new_version(db: Db, document_id: int) -> tuple[str, str] | None:
    """Return (sha256, state) of the version that waits or was refused."""
    return db.row("SELECT sha256, state FROM new_version WHERE document_id = ?", (document_id,))


def is_changed(db: Db, document_id: int) -> bool:
    """Return whether the version that waits or was refused is another than the present one."""
    return bool(
        db.value(
            "SELECT v.sha256 <> d.sha256 FROM new_version v JOIN document d ON d.id = v.document_id"
            " WHERE d.id = ?",
            (document_id,),
        )
    )


def is_waiting(db: Db, document_id: int, sha256: str) -> bool:
    return find_new_version(db, document_id) == (sha256, "waiting")


def refuse_version(
    db: Db, document_id: int, sha256: str, reason: Message = NO_MESSAGE, n_chars: int = 0
) -> None:
    """Keep the document's text, and store why the version that waits does not replace it.

    Args:
        reason: empty: the reason for which it was refused before.
        n_chars: length of its text; with 0 the user can't choose it.
    """
    if not is_waiting(db, document_id, sha256):
        return
    db.write("UPDATE new_version SET state = 'refused' WHERE document_id = ?", (document_id,))
    if reason:
        db.write(
            "UPDATE new_version SET reason = ?, n_chars = ? WHERE document_id = ?",
            (reason.to_stored(), n_chars, document_id),
        )
    documents.drop_job(db, document_id)


def find_damaged_versions(db: Db, document_id: int) -> list[str]:
    """Return which kept files do not fit their SHA-256: "previous_version", "new_version"."""
    found = []
    for table in ("previous_version", "new_version"):
        sha256 = db.value(f"SELECT sha256 FROM {table} WHERE document_id = ?", (document_id,))
        if sha256 is not None and not has_digest(db, table, document_id, sha256):
            found.append(table)
    return found


def take_version(db: Db, document_id: int, source: FileSource) -> None:
    """Make a version that was read the file of the document; the present one becomes the previous.

    The caller stores its text in the same transaction.
    """
    if not source.is_same:
        taken_at = db.value(  # of a restored version: when it was added first
            "SELECT taken_at FROM previous_version WHERE document_id = ? AND sha256 = ?",
            (document_id, source.sha256),
        )
        if source.is_previous:  # its bytes are overwritten by those of the present version
            write_content(db, "new_version", document_id, source.content)
        db.write(
            "INSERT OR REPLACE INTO previous_version SELECT id, sha256, size_bytes,"
            " coalesce(taken_at, added_at), ?, x'' FROM document WHERE id = ?",
            (time.time(), document_id),
        )
        _copy_content(db, "original", "previous_version", document_id)
        _copy_content(db, "new_version", "original", document_id)
        db.write(
            "UPDATE document SET sha256_before = sha256, sha256 = ?1, size_bytes = ?2,"
            " sha256_former = iif(instr(sha256_former, sha256), sha256_former,"
            " ltrim(sha256_former || char(10) || sha256, char(10))),"
            " taken_at = coalesce(?4, (SELECT found_at FROM new_version WHERE document_id = ?3))"
            " WHERE id = ?3",
            (source.sha256, source.content.size, document_id, taken_at),
        )
    db.write("DELETE FROM new_version WHERE document_id = ?", (document_id,))


def _copy_content(db: Db, source: str, target: str, document_id: int) -> None:
    content = find_content(db, source, document_id)
    if content is not None:
        write_content(db, target, document_id, content)


def drop_new_version(db: Db, document_id: int) -> None:
    """Forget a changed file, because the file has its old content again."""
    db.write(
        "DELETE FROM new_version WHERE document_id = ? AND typeof(content) <> 'null'",
        (document_id,),
    )
    if find_new_version(db, document_id) is None and documents.find_state(db, document_id) not in (
        "waiting",
        "reading",
        "indexing",
    ):
        documents.drop_job(db, document_id)


def count_chars(db: Db, document_id: int) -> int:
    """Return the length of the text of a file, over all rows of a table."""
    ids = [document_id, *documents.fetch_row_documents(db, document_id).values()]
    return sum(row[0] for row in db.rows_in("SELECT n_chars FROM document WHERE id", ids))


# --- what the user chose --------------------------------------------------------------------------


def find_previous(db: Db, document_id: int) -> str | None:
    """Return the sha256 of the version before the last change."""
    found: str | None = db.value(
        "SELECT sha256 FROM previous_version WHERE document_id = ?", (document_id,)
    )
    return found


def find_declined(db: Db, document_id: int) -> str:
    """Return the sha256 of the version that the user chose not to have, "" if there is none."""
    return (
        db.value("SELECT declined FROM version_choice WHERE document_id = ?", (document_id,)) or ""
    )


def write_choice(db: Db, document_id: int, sha256: str, *, declined: str = "") -> None:
    """Store which version the user chose, and over which."""
    db.write(
        "INSERT OR REPLACE INTO version_choice SELECT id, ?, ?, sha256 FROM document WHERE id = ?",
        (sha256, declined, document_id),
    )


def keep_present(db: Db, document_id: int, declined: str) -> None:
    """Store that the user keeps the present version and declines another one."""
    present = db.value("SELECT sha256 FROM document WHERE id = ?", (document_id,))
    write_choice(db, document_id, present, declined=declined)


def can_choose(db: Db, document_id: int, sha256: str) -> bool:
    """Return whether the bytes of a version are kept."""
    return bool(
        db.value(
            "SELECT 1 FROM document WHERE id = ?1 AND sha256 = ?2"
            " UNION SELECT 1 FROM previous_version WHERE document_id = ?1 AND sha256 = ?2"
            " UNION SELECT 1 FROM new_version WHERE document_id = ?1 AND sha256 = ?2"
            " AND typeof(content) <> 'null'",
            (document_id, sha256),
        )
    )


def choose_version(db: Db, document_id: int, sha256: str) -> bool:
    """Make a version that is kept the document's; return whether it is to be read for that."""
    if sha256 == db.value("SELECT sha256 FROM document WHERE id = ?", (document_id,)):
        chosen = db.value(
            "SELECT sha256 FROM new_version WHERE document_id = ? AND is_accepted", (document_id,)
        )
        if chosen is not None:  # the choice is taken back before it was read
            refuse_version(db, document_id, chosen)
            db.write(
                "DELETE FROM new_version WHERE document_id = ? AND reason = ''", (document_id,)
            )
            db.write("UPDATE new_version SET is_accepted = 0 WHERE document_id = ?", (document_id,))
        return False
    if sha256 == find_previous(db, document_id):
        size_bytes = db.value(
            "SELECT size_bytes FROM previous_version WHERE document_id = ?", (document_id,)
        )
        offer_version(db, document_id, sha256, None, size_bytes, is_accepted=True)
        return True
    db.write(
        "UPDATE new_version SET is_accepted = 1 WHERE document_id = ? AND sha256 = ?",
        (document_id, sha256),
    )
    return retry_version(db, document_id)


def find_chosen(change: RowChange) -> str | None:
    """Return the version that a change of `version_choice` chooses; None: it chooses none."""
    values = dict(zip(CHOICE_COLUMNS, change.values, strict=True))
    chosen: str | None = values["before" if change.is_delete else "sha256"]
    return chosen


# --- size -----------------------------------------------------------------------------------------


def measure_versions(db: Db) -> tuple[int, int]:
    """Return the number and the size of the versions that are kept besides the present ones."""
    n, size_bytes = db.row(
        "SELECT count(*), coalesce(sum(size_bytes), 0) FROM ("
        " SELECT size_bytes FROM previous_version UNION ALL"
        " SELECT size_bytes FROM new_version WHERE typeof(content) <> 'null')"
    ) or (0, 0)
    return int(n), int(size_bytes)


def remove_versions(db: Db) -> list[int]:
    """Delete the previous versions, and the bytes of refused ones; return their documents."""
    waiting = "SELECT document_id FROM new_version WHERE state = 'waiting'"
    concerned = db.column(
        f"SELECT document_id FROM previous_version WHERE document_id NOT IN ({waiting})"
        " UNION SELECT document_id FROM new_version WHERE state = 'refused'"
    )
    db.write(f"DELETE FROM previous_version WHERE document_id NOT IN ({waiting})")
    db.write("UPDATE new_version SET content = NULL WHERE state = 'refused'")
    return concerned
