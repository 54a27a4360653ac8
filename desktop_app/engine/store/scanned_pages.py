"""Rows of pages that are pictures: which wait, and what was read of them.

The lines that the user corrected are in a table of their own, under the document's SHA-256, and are
applied whenever a page is fetched.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..messages import Message
from ..scanned_pages import (
    LineCorrection,
    ScannedPage,
    build_text,
    correct_lines,
    pack_page,
    unpack_page,
)
from . import file_versions
from .db import Db

_MILLION = 1_000_000  # places of corrections are whole numbers, so that a key finds them again


@dataclass(frozen=True, slots=True)
class ScanCount:
    """How many pages of a document are pictures, by state.

    Attributes:
        n_in_text: settled pages that the document's text takes into account.
        seconds: that reading took.
    """

    document_id: int
    n_waiting: int = 0
    n_read: int = 0
    n_failed: int = 0
    n_left: int = 0
    n_in_text: int = 0
    seconds: float = 0.0

    @property
    def n_pages(self) -> int:
        return self.n_waiting + self.n_settled

    @property
    def n_settled(self) -> int:
        """Pages with which nothing more happens: read, failed or left."""
        return self.n_read + self.n_failed + self.n_left


def note_pictures(db: Db, document_id: int, pictures: Sequence[int], used: Collection[int]) -> None:
    """Store which pages of a document are pictures; what was read of them stays.

    Args:
        used: pages whose text is now in the document's.
    """
    known = set(
        db.column("SELECT page_index FROM scanned_page WHERE document_id = ?", (document_id,))
    )
    db.write_many(
        "DELETE FROM scanned_page WHERE document_id = ? AND page_index = ?",
        [(document_id, index) for index in known.difference(pictures)],
    )
    db.write_many(
        "INSERT INTO scanned_page(document_id, page_index) VALUES (?, ?)",
        [(document_id, index) for index in pictures if index not in known],
    )
    db.write_many(
        "UPDATE scanned_page SET is_in_text = 1 WHERE document_id = ? AND page_index = ?"
        " AND state <> 'waiting'",
        [(document_id, index) for index in used],
    )


def forget_pages(db: Db, document_id: int) -> None:
    """Delete what was read of a document's pages, because its file is another one."""
    db.write("DELETE FROM scanned_page WHERE document_id = ?", (document_id,))


def fetch_page(db: Db, document_id: int, page_index: int) -> ScannedPage | None:
    """Return a page that was read, with the user's corrections; None if it was not."""
    stored = db.value(
        "SELECT content FROM scanned_page WHERE document_id = ? AND page_index = ?"
        " AND state = 'read'",
        (document_id, page_index),
    )
    if stored is None:
        return None
    corrections = fetch_corrections(db, document_id).get(page_index, ())
    return correct_lines(unpack_page(stored), corrections)


def fetch_pages(db: Db, document_id: int) -> dict[int, ScannedPage]:
    """Return page index -> page of those that were read, with the user's corrections."""
    corrections = fetch_corrections(db, document_id)
    return {
        index: correct_lines(unpack_page(stored), corrections.get(index, ()))
        for index, stored in db.rows(
            "SELECT page_index, content FROM scanned_page WHERE document_id = ?"
            " AND state = 'read' ORDER BY page_index",
            (document_id,),
        )
    }


def fetch_texts(db: Db, document_id: int) -> dict[int, str]:
    """Return page index -> text of the pages that no longer wait; "" of those not read."""
    settled = db.column(
        "SELECT page_index FROM scanned_page WHERE document_id = ? AND state <> 'waiting'",
        (document_id,),
    )
    read = fetch_pages(db, document_id)
    return {index: build_text(read[index].lines) if index in read else "" for index in settled}


def count_pages(db: Db, document_ids: Sequence[int] | None = None) -> dict[int, ScanCount]:
    """Return document id -> number of its pages that are pictures; others are left out."""
    found = {
        row[0]: ScanCount(*row)
        for row in db.rows(
            "SELECT document_id, sum(state = 'waiting'), sum(state = 'read'),"
            " sum(state = 'failed'), sum(state = 'left'), sum(is_in_text), sum(seconds)"
            " FROM scanned_page GROUP BY document_id"
        )
    }
    return found if document_ids is None else {i: found[i] for i in document_ids if i in found}


def fetch_states(db: Db, document_id: int) -> dict[int, tuple[str, Message]]:
    """Return page index -> state and, of a page that can't be read, the reason."""
    return {
        index: (state, Message.from_stored(reason))
        for index, state, reason in db.rows(
            "SELECT page_index, state, reason FROM scanned_page WHERE document_id = ?"
            " ORDER BY page_index",
            (document_id,),
        )
    }


# --- the queue ------------------------------------------------------------------------------------


def find_waiting_page(
    db: Db, pages: Iterable[tuple[int, int]] = (), documents: Iterable[int] = ()
) -> tuple[int, int] | None:
    """Return (document, page) of the next page to be read, None if there is none.

    Args:
        pages: those that are wanted most, in this order.
        documents: those whose pages come next, in this order; then the order of adding counts.
    """
    for document_id, index in pages:
        if db.value(
            "SELECT 1 FROM scanned_page WHERE document_id = ? AND page_index = ?"
            " AND state = 'waiting'",
            (document_id, index),
        ):
            return document_id, index
    where = "FROM scanned_page WHERE state = 'waiting'"
    for document_id in documents:
        row = db.row(
            f"SELECT document_id, page_index {where} AND document_id = ?"
            " ORDER BY attempts, page_index LIMIT 1",
            (document_id,),
        )
        if row is not None:
            return int(row[0]), int(row[1])
    row = db.row(
        f"SELECT document_id, page_index {where} ORDER BY attempts, document_id, page_index LIMIT 1"
    )
    return (int(row[0]), int(row[1])) if row is not None else None


def count_waiting(db: Db) -> int:
    return int(db.value("SELECT count(*) FROM scanned_page WHERE state = 'waiting'"))


def count_attempt(db: Db, document_id: int, page_index: int) -> int:
    """Count a beginning of reading a page; return the number of those that did not end."""
    where = "WHERE document_id = ? AND page_index = ?"
    key = (document_id, page_index)
    db.write(f"UPDATE scanned_page SET attempts = attempts + 1 {where}", key)
    return int(db.value(f"SELECT attempts FROM scanned_page {where}", key) or 0)


def forget_attempt(db: Db, document_id: int, page_index: int) -> None:
    """Take back `count_attempt`, because reading was interrupted in order."""
    db.write(
        "UPDATE scanned_page SET attempts = max(0, attempts - 1)"
        " WHERE document_id = ? AND page_index = ?",
        (document_id, page_index),
    )


def store_page(
    db: Db, document_id: int, page_index: int, page: ScannedPage, seconds: float
) -> None:
    """Store what was read of a page, if it still waits."""
    db.write(
        "UPDATE scanned_page SET state = 'read', attempts = 0, reason = '', content = ?,"
        " seconds = ?, is_in_text = 0 WHERE document_id = ? AND page_index = ?"
        " AND state = 'waiting'",
        (pack_page(page), seconds, document_id, page_index),
    )


def fail_page(db: Db, document_id: int, page_index: int, reason: Message) -> None:
    """Store why a page can't be read."""
    db.write(
        "UPDATE scanned_page SET state = 'failed', reason = ? WHERE document_id = ?"
        " AND page_index = ? AND state = 'waiting'",
        (reason.to_stored() if reason else "", document_id, page_index),
    )


def set_waiting(
    db: Db, document_ids: Sequence[int], *, states: Sequence[str], to: str
) -> list[int]:
    """Change the state of pages; return the documents of which some changed.

    Args:
        states: the states in which pages are concerned.
    """
    marks = ", ".join("?" * len(states))
    changed = []
    for document_id in document_ids:
        where = f"WHERE document_id = ? AND state IN ({marks})"
        if db.value(f"SELECT 1 FROM scanned_page {where} LIMIT 1", (document_id, *states)):
            db.write(
                f"UPDATE scanned_page SET state = ?, attempts = 0, reason = '', is_in_text = 0"
                f" {where}",
                (to, document_id, *states),
            )
            changed.append(document_id)
    return changed


# --- corrections ----------------------------------------------------------------------------------


def fetch_corrections(db: Db, document_id: int) -> Mapping[int, Sequence[LineCorrection]]:
    """Return page index -> the user's corrections of its lines."""
    found: defaultdict[int, list[LineCorrection]] = defaultdict(list)
    for index, x, y, before, text in db.rows(
        "SELECT c.page_index, c.x, c.y, c.before, c.text FROM line_correction c"
        " JOIN document d ON d.sha256 = c.document WHERE d.id = ?"
        " ORDER BY c.page_index, c.y, c.x",
        (document_id,),
    ):
        found[index].append(LineCorrection(x / _MILLION, y / _MILLION, before, text))
    return found


def write_correction(db: Db, document_id: int, page_index: int, correction: LineCorrection) -> None:
    """Store the text that the user gave a line; the text that was read removes it."""
    x, y = round(correction.x * _MILLION), round(correction.y * _MILLION)
    sha256 = db.value("SELECT sha256 FROM document WHERE id = ?", (document_id,))
    if correction.text == correction.before:
        db.write(
            "DELETE FROM line_correction WHERE document = ? AND page_index = ? AND x = ? AND y = ?",
            (sha256, page_index, x, y),
        )
        return
    db.write(
        "INSERT INTO line_correction VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
        " ON CONFLICT DO UPDATE SET text = ?6",
        (sha256, page_index, x, y, correction.before, correction.text),
    )


def read_more(db: Db, document_id: int) -> bool:
    """Queue a document's file to be read again, so that its text has all pages that were read.

    Names that were found stay with the chunks whose text stays. Returns False if the document has
    no text yet, or another version of its file waits.
    """
    row = db.row("SELECT sha256, size_bytes FROM document WHERE id = ?", (document_id,))
    waiting = file_versions.find_new_version(db, document_id)
    if row is None or (waiting is not None and waiting != (row[0], "waiting")):
        return False
    if waiting is not None:
        return True  # it is queued already
    file_versions.offer_version(
        db, document_id, row[0], None, row[1], is_accepted=True, is_more=True
    )
    return True


def follow_correction(db: Db, sha256: str, page_index: int) -> list[int]:
    """Queue the documents again of which a correction changed, also by undo; return them."""
    ids = [
        int(i)
        for i in db.column(
            "SELECT d.id FROM document d JOIN scanned_page p ON p.document_id = d.id"
            " WHERE d.sha256 = ? AND p.page_index = ? AND p.state = 'read'",
            (sha256, page_index),
        )
    ]
    for document_id in ids:
        db.write(
            "UPDATE scanned_page SET is_in_text = 0 WHERE document_id = ? AND page_index = ?",
            (document_id, page_index),
        )
        read_more(db, document_id)
    return ids
