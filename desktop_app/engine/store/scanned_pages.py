"""Rows of pages that are pictures: which wait, and what was read of them.

The lines that the user corrected are in a table of their own, under the document's SHA-256 and the
digest of the page's picture, and are applied whenever a page is fetched.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..messages import NO_MESSAGE, Message
from ..scanned_pages import (
    REGIONS_KEY,
    LineCorrection,
    ScannedPage,
    build_text,
    correct_lines,
    pack_page,
    unpack_page,
)
from . import documents, file_versions
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
    """Delete the pages of a document whose file is gone."""
    db.write("DELETE FROM scanned_page WHERE document_id = ?", (document_id,))


def queue_again(db: Db, document_ids: Iterable[int]) -> None:
    """Let all pages of documents wait, because their file is another one.

    What was read stays until then: a page whose picture is the same is not read again.
    """
    db.write_many(
        "UPDATE scanned_page SET state = 'waiting', attempts = 0, reason = '', is_in_text = 0"
        " WHERE document_id = ?",
        [(document_id,) for document_id in document_ids],
    )


def fetch_known_pages(db: Db, document_id: int) -> dict[str, ScannedPage]:
    """Return the pages that were read of a document's file, by the digest of their picture."""
    known: dict[str, ScannedPage] = {}
    for own_id in fetch_ids_of_file(db, document_id):
        for digest, stored in db.rows(
            "SELECT picture, content FROM scanned_page WHERE document_id = ?"
            " AND picture <> '' AND content <> ''",
            (own_id,),
        ):
            known[digest] = unpack_page(stored)
    return known


def fetch_known_pictures(db: Db, document_id: int) -> dict[str, str]:
    """Return digest -> page as it is stored, of the pictures of a document's file that were read.

    "" for a page that stays in its row, where `find_known_page` finds it. What was read of a row
    that waits gives way to the page that the file has there now.
    """
    return {
        digest: stored
        for own_id in fetch_ids_of_file(db, document_id)
        for digest, stored in db.rows(
            "SELECT picture, iif(state = 'waiting', content, '') AS kept FROM scanned_page"
            " WHERE document_id = ? AND picture <> '' AND content <> '' ORDER BY kept",
            (own_id,),
        )
    }


def find_known_page(db: Db, document_id: int, picture: str) -> ScannedPage | None:
    """Return what was read of a picture in a document's file, None if it is no longer there."""
    for own_id in fetch_ids_of_file(db, document_id):
        stored = db.value(
            "SELECT content FROM scanned_page WHERE picture = ? AND document_id = ?"
            " AND picture <> '' AND content <> ''",
            (picture, own_id),
        )
        if stored is not None:
            return unpack_page(stored)
    return None


def keep_known_pages(db: Db, document_id: int, known: Mapping[str, ScannedPage]) -> None:
    """Keep pages that were read of a changed file until its pages have been looked at again.

    The documents in an archive may have changed places, so that a page may be kept in the row of
    another one: what counts is the digest.

    Args:
        known: what `fetch_known_pages` returned before the change.
    """
    ids = fetch_ids_of_file(db, document_id)
    there = fetch_known_pictures(db, document_id).keys()
    lost = [(digest, page) for digest, page in known.items() if digest not in there]
    if not lost:
        return
    rows = [
        (own_id, index)
        for own_id in ids
        for index in db.column(
            "SELECT page_index FROM scanned_page WHERE document_id = ? AND state = 'waiting'"
            " AND content = '' ORDER BY page_index",
            (own_id,),
        )
    ]
    db.write_many(
        "UPDATE scanned_page SET content = ?, picture = ? WHERE document_id = ? AND page_index = ?",
        [
            (pack_page(page), digest, own_id, index)
            for (digest, page), (own_id, index) in zip(lost, rows, strict=False)
        ],
    )


def fetch_ids_of_file(db: Db, document_id: int) -> list[int]:
    """Return the documents in the file of one that have pages which are pictures, and that one."""
    file_id = documents.find_with_file(db, document_id)
    if file_id is None:
        return [document_id]
    ids = {int(file_id), document_id, *map(int, documents.fetch_inner_places(db, file_id))}
    return sorted(ids)


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


def fetch_texts_of_file(db: Db, document_id: int) -> dict[str, dict[int, str]]:
    """Return the texts of the pages that no longer wait, of all documents in a file.

    Args:
        document_id: the document that has the file.
    """
    own = {document_id: "", **documents.fetch_inner_places(db, document_id)}
    found = {place: fetch_page_texts(db, own_id) for own_id, place in own.items()}
    return {place: texts for place, texts in found.items() if texts}


def fetch_page_texts(db: Db, document_id: int) -> dict[int, str]:
    """Return page index -> text of the pages that no longer wait; "" of those not read."""
    settled = db.column(
        "SELECT page_index FROM scanned_page WHERE document_id = ? AND state <> 'waiting'",
        (document_id,),
    )
    read = fetch_pages(db, document_id)
    return {index: build_text(read[index].lines) if index in read else "" for index in settled}


def count_pages(db: Db, document_ids: Sequence[int] | None = None) -> dict[int, ScanCount]:
    """Return document id -> number of its pages that are pictures; others are left out."""
    columns = (
        "SELECT document_id, sum(state = 'waiting'), sum(state = 'read'),"
        " sum(state = 'failed'), sum(state = 'left'), sum(is_in_text), sum(seconds)"
        " FROM scanned_page"
    )
    rows = (
        db.rows(f"{columns} GROUP BY document_id")
        if document_ids is None  # what was read of all documents is a lot
        else db.rows_in(f"{columns} WHERE document_id", document_ids, " GROUP BY document_id")
    )
    return {row[0]: ScanCount(*row) for row in rows}


def fetch_states(db: Db, document_id: int) -> dict[int, tuple[str, Message]]:
    """Return page index -> state and, of a page that can't be read, the reason."""
    # Of all but these the index has what is wanted, and what was read of them is not loaded.
    states = {
        index: (state, NO_MESSAGE)
        for index, state in db.rows(
            "SELECT page_index, state FROM scanned_page INDEXED BY scanned_page_by_state"
            " WHERE document_id = ? AND state IN ('waiting', 'read', 'left')",
            (document_id,),
        )
    }
    failed = db.rows(
        "SELECT page_index, reason FROM scanned_page INDEXED BY scanned_page_by_state"
        " WHERE document_id = ? AND state = 'failed'",
        (document_id,),
    )
    states |= {index: ("failed", Message.from_stored(reason)) for index, reason in failed}
    return dict(sorted(states.items()))


def find_page_without_regions(db: Db, document_id: int) -> tuple[int, ScannedPage] | None:
    """Return (index, page as it was read) of a page on which no drawings were looked for."""
    row = db.row(
        "SELECT page_index, content FROM scanned_page WHERE document_id = ? AND state = 'read'"
        f" AND instr(content, '{REGIONS_KEY}') = 0 ORDER BY page_index LIMIT 1",
        (document_id,),
    )
    return (int(row[0]), unpack_page(row[1])) if row is not None else None


def store_regions(db: Db, document_id: int, page_index: int, page: ScannedPage) -> None:
    """Store a page that was read before, now with its regions."""
    db.write(
        "UPDATE scanned_page SET content = ? WHERE document_id = ? AND page_index = ?"
        " AND state = 'read'",
        (pack_page(page), document_id, page_index),
    )


# --- the queue ------------------------------------------------------------------------------------


def find_waiting_page(
    db: Db, pages: Iterable[tuple[int, int]] = (), documents: Iterable[int] = ()
) -> tuple[int, int] | None:
    """Return (document, page) of the next page to be read, None if there is none.

    Args:
        pages: those that are wanted most, in this order.
        documents: those whose pages come next, in this order; then the order of adding counts.
    """
    if (first := find_first_waiting(db, pages)) is not None:
        return first
    for condition, values in (*(("document_id = ?", (i,)) for i in documents), ("1", ())):
        for attempts in ("= 0", "> 0"):  # the first of them without looking at all that wait
            row = db.row(
                "SELECT document_id, page_index FROM scanned_page INDEXED BY scanned_page_by_state"
                f" WHERE state = 'waiting' AND {condition} AND attempts {attempts}"
                " ORDER BY attempts, document_id, page_index LIMIT 1",
                values,
            )
            if row is not None:
                return int(row[0]), int(row[1])
    return None


def find_first_waiting(db: Db, pages: Iterable[tuple[int, int]]) -> tuple[int, int] | None:
    """Return the first of these pages (document, page) that waits, None if none of them does."""
    for document_id, index in pages:
        if db.value(
            "SELECT 1 FROM scanned_page WHERE document_id = ? AND page_index = ?"
            " AND state = 'waiting'",
            (document_id, index),
        ):
            return document_id, index
    return None


def fetch_waiting_documents(db: Db) -> list[int]:
    """Return the documents of which pages wait."""
    return [
        int(i)
        for i in db.column("SELECT DISTINCT document_id FROM scanned_page WHERE state = 'waiting'")
    ]


def count_waiting(db: Db) -> int:
    return int(db.value("SELECT count(*) FROM scanned_page WHERE state = 'waiting'"))


def is_waiting(db: Db, document_id: int, page_index: int) -> bool:
    sql = "SELECT state FROM scanned_page WHERE document_id = ? AND page_index = ?"
    return bool(db.value(sql, (document_id, page_index)) == "waiting")


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
        " picture = ?, seconds = ?, is_in_text = 0 WHERE document_id = ? AND page_index = ?"
        " AND state = 'waiting'",
        (pack_page(page), page.picture, seconds, document_id, page_index),
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
                f"UPDATE scanned_page SET state = ?, attempts = 0, reason = '', is_in_text = 0,"
                f" content = '' {where}",
                (to, document_id, *states),
            )
            changed.append(document_id)
    return changed


def set_page_waiting(db: Db, document_id: int, page_index: int) -> None:
    """Queue a page that was left or can't be read."""
    db.write(
        "UPDATE scanned_page SET state = 'waiting', attempts = 0, reason = '', is_in_text = 0"
        " WHERE document_id = ? AND page_index = ? AND state IN ('left', 'failed')",
        (document_id, page_index),
    )


# --- corrections ----------------------------------------------------------------------------------


def fetch_corrections(db: Db, document_id: int) -> Mapping[int, Sequence[LineCorrection]]:
    """Return page index -> the user's corrections of its lines.

    Those of the same picture in another file, or on another page, count too; of two corrections of
    one point that of the page itself.
    """
    found: defaultdict[int, dict[tuple[int, int], LineCorrection]] = defaultdict(dict)
    of_same_picture = (
        "SELECT p.page_index, c.x, c.y, c.before, c.text FROM scanned_page p"
        " JOIN line_correction c ON c.picture = p.picture"
        " WHERE p.document_id = ? AND p.picture <> '' AND p.state = 'read'"
        " ORDER BY c.document, c.page_index"
    )
    of_page = "SELECT page_index, x, y, before, text FROM line_correction WHERE document = ?"
    key = documents.find_correction_key(db, document_id)
    for row in (*db.rows(of_same_picture, (document_id,)), *db.rows(of_page, (key,))):
        index, x, y, before, text = row
        found[index][y, x] = LineCorrection(x / _MILLION, y / _MILLION, before, text)
    return {index: [of[place] for place in sorted(of)] for index, of in found.items()}


def write_correction(
    db: Db,
    document_id: int,
    page_index: int,
    correction: LineCorrection,
    *,
    is_confirmation: bool = False,
) -> None:
    """Store the text that the user gave a line; the text that was read removes it.

    Args:
        is_confirmation: the user says that the text that was read is right.
    """
    x, y = round(correction.x * _MILLION), round(correction.y * _MILLION)
    key = documents.find_correction_key(db, document_id)
    picture = db.value(
        "SELECT picture FROM scanned_page WHERE document_id = ? AND page_index = ?",
        (document_id, page_index),
    )
    if correction.text == correction.before and not is_confirmation:
        db.write(
            "DELETE FROM line_correction WHERE x = ?1 AND y = ?2 AND"
            " ((document = ?3 AND page_index = ?4) OR (picture = ?5 AND ?5 <> ''))",
            (x, y, key, page_index, picture or ""),
        )
        return
    db.write(
        "INSERT INTO line_correction(document, page_index, x, y, before, text, picture)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO UPDATE SET text = ?6",
        (key, page_index, x, y, correction.before, correction.text, picture or ""),
    )


def read_more(db: Db, document_id: int) -> bool:
    """Queue a document's file to be read again, so that its text has all pages that were read.

    Names that were found stay with the chunks whose text stays. Returns False if the document has
    no text yet, or another version of its file waits.
    """
    file_id = documents.find_with_file(db, document_id) or document_id
    row = db.row("SELECT sha256, size_bytes FROM document WHERE id = ?", (file_id,))
    waiting = file_versions.find_new_version(db, file_id)
    if row is None or (waiting is not None and waiting != (row[0], "waiting")):
        return False
    if waiting is not None:
        return True  # it is queued already
    file_versions.offer_version(db, file_id, row[0], None, row[1], is_accepted=True, is_more=True)
    return True


def follow_correction(db: Db, key: str, page_index: int) -> list[int]:
    """Queue the documents again of which a correction changed, also by undo; return them.

    Args:
        key: of the document, see `documents.find_correction_key`.
    """
    rows = [
        row
        for document_id in documents.fetch_ids_of_key(db, key)
        for row in db.rows(
            "SELECT document_id, page_index, picture FROM scanned_page"
            " WHERE document_id = ? AND page_index = ? AND state = 'read'",
            (document_id, page_index),
        )
    ]
    pages = {(int(i), int(index)) for i, index, _ in rows}
    for picture in {picture for _, _, picture in rows if picture}:
        pages |= set(
            db.rows(
                "SELECT document_id, page_index FROM scanned_page WHERE picture = ?"
                " AND state = 'read'",
                (picture,),
            )
        )
    for document_id, index in sorted(pages):
        db.write(
            "UPDATE scanned_page SET is_in_text = 0 WHERE document_id = ? AND page_index = ?",
            (document_id, index),
        )
        read_more(db, document_id)
    return sorted({document_id for document_id, _ in pages})
