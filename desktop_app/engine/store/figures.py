"""Rows of figures: where they are, their captions, and the text that was read in them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..figures import Figure
from ..messages import NO_MESSAGE, Message
from .db import Db
from .documents import DOCUMENT_KEY, SAME_FILE

# The number of the rules that find figures: in documents that were read with older ones, they are
# found again. The second rules find more in files within files, the third on pages that were read
# as pictures, the fourth in `_NEW_FORMATS`.
FIGURE_RULES = 4
_RULES_OF_FILES, _RULES_OF_INNER_FILES, _RULES_OF_REGIONS, _RULES_OF_NEW_FORMATS = 1, 2, 3, 4
_RULES_WITHOUT_REGIONS = 2
_NEW_FORMATS = ("xlsx", "fb2", "mobi")
FORMATS = (  # that may have figures
    *("pdf", "epub", "docx", "html", "mht", "pptx", "odt", "odp"),
    *_NEW_FORMATS,
)
MAX_READ = 60  # figures of a document in which text is read, those with a caption first
MAX_WORDS_CHARS = 4_000
# The place of a figure `f` in its file; three decimals are a third of a pixel of a page on screens.
PLACE = (
    "printf('%d|%.3f|%.3f|%.3f|%.3f|%s', f.page_index, f.box_left, f.box_top, f.box_right,"
    " f.box_bottom, f.path)"
)


@dataclass(frozen=True, slots=True)
class StoredFigure:
    """A figure of a document in the library.

    Attributes:
        number: counts the figures of the document from 0.
        words: the text that was read in it, "" if there is none or it was not read yet.
        page_label: the printed number of its page, "" if there is none.
        description: what a model or the user says of the picture; no text of the document.
        described_by: the model that wrote the description, "" if the user did.
        described_at: when the model wrote it, in seconds since 1970.
        describing: "waiting" while a model is to describe it, "failed" if that was no use.
        failure: why a model could not describe it.
    """

    document_id: int
    number: int
    figure: Figure
    caption: str
    words: str = ""
    title: str = ""
    page_label: str = ""
    description: str = ""
    described_by: str = ""
    described_at: float = 0.0
    describing: str = ""
    failure: Message = NO_MESSAGE

    @property
    def key(self) -> tuple[int, int]:
        return self.document_id, self.number

    @property
    def page_text(self) -> str:
        """The number of the page as it is printed, or counted from 1; "" without pages."""
        index = self.figure.page_index
        return self.page_label or ("" if index is None else str(index + 1))


def store_figures(
    db: Db,
    document_id: int,
    text: str,
    figures: Sequence[Figure],
    *,
    is_same_file: bool,
    words: Mapping[int, str] | None = None,
    is_complete: bool = True,
) -> None:
    """Replace the figures of a document; of the same file, what was read in them stays.

    Args:
        text: of the document, which has the captions.
        words: figure -> text in it, of those in which it was read already.
        is_complete: figures were looked for on all pages that were read as pictures.
    """
    words = words or {}
    known: dict[tuple[object, ...], tuple[str, str]] = {}
    if is_same_file:
        known = {
            (page, *box, path): (state, words)
            for page, *box, path, state, words in db.rows(
                "SELECT page_index, round(box_left, 3), round(box_top, 3), round(box_right, 3),"
                " round(box_bottom, 3), path, state, words FROM figure WHERE document_id = ?"
                " AND state <> 'waiting'",
                (document_id,),
            )
        }
    else:
        db.write("DELETE FROM figure_description WHERE document_id = ?", (document_id,))
    db.write("DELETE FROM figure WHERE document_id = ?", (document_id,))
    # A page may have pictures without a caption by the hundred; those with one are read first.
    order = sorted(range(len(figures)), key=lambda i: figures[i].start == figures[i].end)
    is_read = set(order[:MAX_READ])
    rows = []
    for number, figure in enumerate(figures):
        box = figure.box or (None, None, None, None)
        key = (
            figure.page_index,
            *(None if side is None else round(side, 3) for side in box),
            figure.path,
        )
        state, own = known.get(key, ("waiting" if number in is_read else "left", ""))
        if number in words:
            state, own = "read", words[number][:MAX_WORDS_CHARS]
        rows.append((
            *(document_id, number, figure.start, figure.end, figure.label),
            *(text[figure.start : figure.end], figure.alt, figure.page_index, *box),
            *(figure.path, figure.width, figure.height, state, own),
        ))  # fmt: skip
    db.write_many(
        "INSERT INTO figure(document_id, number, start, end, label, caption, alt, page_index,"
        " box_left, box_top, box_right, box_bottom, path, width, height, state, words)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        rows,
    )
    rules = FIGURE_RULES if is_complete else _RULES_WITHOUT_REGIONS
    db.write("UPDATE document SET figure_rules = ? WHERE id = ?", (rules, document_id))


_SHOWN = "coalesce(c.text, e.text, '')"
_WRITER = "CASE WHEN c.text IS NULL THEN coalesce(e.model, '') ELSE '' END"
_COLUMNS = (
    "SELECT f.document_id, f.number, f.start, f.end, f.label, f.alt, f.page_index, f.box_left,"
    " f.box_top, f.box_right, f.box_bottom, f.path, f.width, f.height, f.caption, f.words,"
    f" d.title, coalesce(p.label, ''), {_SHOWN}, {_WRITER}, coalesce(e.described_at, 0),"
    " coalesce(e.state, ''), coalesce(e.reason, '')"
    " FROM figure f JOIN document d ON d.id = f.document_id"
    " LEFT JOIN page p ON p.document_id = f.document_id AND p.page_index = f.page_index"
    f" LEFT JOIN figure_description e ON e.document_id = f.document_id AND e.place = {PLACE}"
    f" LEFT JOIN description_correction c ON c.document = {DOCUMENT_KEY} AND c.place = {PLACE}"
)


def _read_row(row: Sequence[Any]) -> StoredFigure:
    (document_id, number, start, end, label, alt, page, left, top, right, bottom, path, width,
     height, caption, words, title, page_label, *described) = row  # fmt: skip
    sides = (left, top, right, bottom)
    box = None if None in sides else sides
    figure = Figure(start, end, label, alt, page, box, path, width, height)
    text, model, at, state, reason = described
    return StoredFigure(
        *(document_id, number, figure, caption, words, title, page_label),
        *(text, model if text else "", at, state if state != "done" else ""),
        Message.from_stored(reason) if reason else NO_MESSAGE,
    )


def fetch_figures(db: Db, document_id: int) -> list[StoredFigure]:
    """Return the figures of a document in the order of its text."""
    sql = f"{_COLUMNS} WHERE f.document_id = ? ORDER BY f.start, f.number"
    return [_read_row(row) for row in db.rows(sql, (document_id,))]


def find_figure(db: Db, document_id: int, number: int) -> StoredFigure | None:
    row = db.row(f"{_COLUMNS} WHERE f.document_id = ? AND f.number = ?", (document_id, number))
    return _read_row(row) if row is not None else None


def fetch_labelled(db: Db, document_id: int, labels: Collection[str]) -> list[StoredFigure]:
    """Return the figures of a document with one of these labels."""
    marks = ", ".join("?" * len(labels))
    sql = f"{_COLUMNS} WHERE f.document_id = ? AND f.label IN ({marks}) ORDER BY f.number"
    return [_read_row(row) for row in db.rows(sql, (document_id, *labels))]


def search_figures(
    db: Db, words: Sequence[str], limit: int, *, captions_only: bool = False
) -> list[StoredFigure]:
    """Return figures whose caption, text or description has all words, in this order.

    Args:
        words: parts of words, in any case.
        captions_only: leave out the text that was read in the pictures, and their descriptions.
    """
    if not words:
        return []
    own = "f.caption || ' ' || f.alt" + ("" if captions_only else " || ' ' || f.words")
    fields = own if captions_only else f"{own} || ' ' || {_SHOWN}"
    sql = (
        f"{_COLUMNS} WHERE d.state = 'ready' AND {_has_all(fields)}"
        f" ORDER BY NOT {_has_all('f.caption')}, NOT {_has_all(own)}, f.document_id, f.number"
        " LIMIT ?"
    )
    wanted = json.dumps(words)
    return [_read_row(row) for row in db.rows(sql, (wanted, wanted, wanted, limit))]


def find_documents(db: Db, words: Sequence[str]) -> list[int]:
    """Return the documents with a figure that has all words in its description or in it."""
    if not words:
        return []
    has_all = _has_all("f.alt || ' ' || f.words")
    return db.column(
        f"SELECT DISTINCT f.document_id FROM figure f WHERE {has_all}", (json.dumps(words),)
    )


def _has_all(text: str) -> str:
    """Return a condition: a text has each string of a JSON list, in any case of A to Z."""
    is_absent = f"instr(lower({text}), lower(wanted.value)) = 0"
    return f"(NOT EXISTS (SELECT 1 FROM json_each(?) wanted WHERE {is_absent}))"


# --- reading the text in figures ------------------------------------------------------------------


def find_waiting_figure(
    db: Db, figures: Iterable[tuple[int, int]] = (), documents: Iterable[int] = ()
) -> tuple[int, int] | None:
    """Return (document, number) of the next figure in which text is read, None if there is none.

    Args: see `find_first_wanted`.
    """
    waiting = "FROM figure f WHERE f.state = 'waiting'"
    return find_first_wanted(db, waiting, "f.attempts", figures, documents)


def find_first_wanted(
    db: Db,
    waiting: str,
    attempts: str,
    figures: Iterable[tuple[int, int]],
    documents: Iterable[int],
) -> tuple[int, int] | None:
    """Return (document, number) of the figure that is next among those that wait for something.

    Args:
        waiting: the end of a query of these figures, `f`, from FROM to the last condition.
        attempts: the column with the beginnings that did not end; figures with fewer come first.
        figures: those that are wanted most, in this order.
        documents: those whose figures come next.
    """
    for document_id, number in figures:
        sql = f"SELECT 1 {waiting} AND f.document_id = ? AND f.number = ?"
        if db.value(sql, (document_id, number)):
            return document_id, number
    order = f"ORDER BY {attempts}, f.start = f.end, f.document_id, f.number LIMIT 1"
    for document_id in documents:
        sql = f"SELECT f.number {waiting} AND f.document_id = ? {order}"
        number = db.value(sql, (document_id,))
        if number is not None:
            return document_id, int(number)
    row = db.row(f"SELECT f.document_id, f.number {waiting} {order}")
    return (int(row[0]), int(row[1])) if row is not None else None


def count_waiting(db: Db) -> int:
    return int(db.value("SELECT count(*) FROM figure WHERE state = 'waiting'"))


def count_attempt(db: Db, document_id: int, number: int, by: int = 1) -> int:
    """Count a beginning of reading, or take it back; return those that did not end."""
    where = "WHERE document_id = ? AND number = ?"
    db.write(
        f"UPDATE figure SET attempts = max(0, attempts + ?) {where}", (by, document_id, number)
    )
    return int(db.value(f"SELECT attempts FROM figure {where}", (document_id, number)) or 0)


def settle_figure(db: Db, document_id: int, number: int, state: str, words: str = "") -> None:
    """Store the text in a figure, or that it can't be read."""
    db.write(
        "UPDATE figure SET state = ?, attempts = 0, words = ? WHERE document_id = ? AND number = ?"
        " AND state = 'waiting'",
        (state, words[:MAX_WORDS_CHARS], document_id, number),
    )


# --- documents of older rules ---------------------------------------------------------------------


def fetch_outdated(db: Db) -> list[tuple[int, str]]:
    """Return (id, file name) of the files in which figures are to be found, the newest first."""
    marks, new = (", ".join("?" * len(formats)) for formats in (FORMATS, _NEW_FORMATS))
    return db.rows(
        "SELECT f.id, f.file_name FROM document f JOIN original o ON o.document_id = f.id"
        f" WHERE f.state = 'ready' AND f.row_number = 0 AND EXISTS (SELECT 1 FROM document d WHERE"
        f" {SAME_FILE} AND (d.id = f.id OR d.place <> '') AND d.format IN ({marks})"
        f"   AND d.figure_rules < iif(d.format IN ({new}), ?, iif(d.place = '', ?, ?)))"
        " ORDER BY f.added_at DESC, f.id DESC",
        (
            *(*FORMATS, *_NEW_FORMATS),
            *(_RULES_OF_NEW_FORMATS, _RULES_OF_FILES, _RULES_OF_INNER_FILES),
        ),
    )


def find_without_regions(db: Db) -> int | None:
    """Return a document with pages that were read before drawings were looked for on them."""
    found = db.value(
        "SELECT d.id FROM document d WHERE d.state = 'ready' AND d.figure_rules < ? AND EXISTS"
        " (SELECT 1 FROM scanned_page p WHERE p.document_id = d.id AND p.state = 'read')"
        " ORDER BY d.added_at DESC, d.id DESC LIMIT 1",
        (_RULES_OF_REGIONS,),
    )
    return None if found is None else int(found)


def skip_document(db: Db, document_id: int) -> None:
    """Note that the figures of a document can't be found."""
    db.write("UPDATE document SET figure_rules = ? WHERE id = ?", (FIGURE_RULES, document_id))


def fetch_of_entity(db: Db, entity_id: int, limit: int) -> list[StoredFigure]:
    """Return figures whose caption mentions an entity, those that mention it often first."""
    keys = db.rows(
        "SELECT f.document_id, f.number FROM mention m JOIN entity_name en USING (name_id)"
        " JOIN figure f ON f.document_id = m.document_id AND m.start >= f.start AND m.end <= f.end"
        " WHERE en.entity_id = ? GROUP BY f.document_id, f.number"
        " ORDER BY count(*) DESC, f.document_id, f.number LIMIT ?",
        (entity_id, limit),
    )
    found = (find_figure(db, document_id, number) for document_id, number in keys)
    return [figure for figure in found if figure is not None]
