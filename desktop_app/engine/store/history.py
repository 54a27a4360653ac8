"""The edit history: listing edits, and undo and redo by applying their changesets.

Documents themselves are in no changeset. Undo of "Move to the trash" moves the document's rows back
out of the trash (`store/trash.py`), and redo moves them there again. A document that was deleted
permanently does not come back: changes that concern it are left out. The bytes of files
are in no changeset either: undo of a choice between two versions queues the other one to be read.
"""

from __future__ import annotations

from ..changes import NOTHING, ChangeNotice
from ..errors import UserError
from ..messages import Message
from ..model import UserEvent
from . import document_metadata as metadata
from . import file_versions, scanned_pages, trash
from .annotations import find_annotation
from .db import UNDOABLE_TABLES, Db, RowChange, read_changes
from .documents import fetch_ids_of_key
from .events import fetch_entities_with_events
from .graph import fetch_entities_by_key, mark_curation_newer

# The column of the document's id in the undoable tables.
_DOCUMENT_COLUMN = {
    "annotation": 1,
    "document_edit": 0,
    "excluded_document": 0,
    "collection_document": 1,
    "trash": 1,
    "version_choice": 0,
}
_CHAT_COLUMN = {"chat": 0, "message": 1, "chat_draft": 0, "waiting_question": 1}


def fetch_history(db: Db) -> list[tuple[int, Message, float, int]]:
    """Return (id, label, time, undone) of every edit, newest first."""
    rows = db.rows("SELECT id, label, created_at, undone FROM history ORDER BY id DESC")
    return [(id_, Message.from_stored(label), at, undone) for id_, label, at, undone in rows]


def fetch_changesets(db: Db) -> list[tuple[int, Message, float, int, bytes]]:
    """Return (id, label, time, undone, changeset) of every edit, newest first.

    One statement: between two, another thread may make or delete an edit.
    """
    rows = db.rows("SELECT id, label, created_at, undone, changeset FROM history ORDER BY id DESC")
    return [(i, Message.from_stored(label), *others) for i, label, *others in rows]


def find_newest_edit(db: Db) -> int:
    """Return the id of the last edit in effect, 0 if there is none."""
    return int(db.value("SELECT max(id) FROM history WHERE undone = 0") or 0)


def find_undone_edit(db: Db) -> int:
    """Return the id of the edit that is redone next, 0 if there is none."""
    return int(db.value("SELECT min(id) FROM history WHERE undone = 1") or 0)


def find_foreign_step(db: Db, *, is_undo: bool) -> tuple[int, Message] | None:
    """Return id and label of the edit that undo or redo takes, if another process made it.

    None if this process made it, or there is none.
    """
    which = "undone = 0 ORDER BY id DESC" if is_undo else "undone = 1 ORDER BY id"
    row = db.row(f"SELECT id, label, created_at FROM history WHERE {which} LIMIT 1")
    if row is None or row[2] in db.own_edits:
        return None
    return int(row[0]), Message.from_stored(row[1])


def undo(db: Db) -> tuple[Message | None, ChangeNotice]:
    """Undo the last edit; return its label, None if there is none, and what changed.

    The caller updates the graph.

    Raises:
        UserError: rows were changed since, a document was added again, or all documents or versions
            that the edit concerns were deleted; in the last case, the edit is forgotten.
    """
    return _step(db, "undone = 0 ORDER BY id DESC", is_undo=True)


def redo(db: Db) -> tuple[Message | None, ChangeNotice]:
    """Redo the edit that was undone last; as `undo`."""
    return _step(db, "undone = 1 ORDER BY id", is_undo=False)


def _step(db: Db, which: str, *, is_undo: bool) -> tuple[Message | None, ChangeNotice]:
    with db.transaction(durable=True):
        row = db.row(f"SELECT id, label, changeset FROM history WHERE {which} LIMIT 1")
        if row is None:
            return None, NOTHING
        edit_id, label, changeset = row[0], Message.from_stored(row[1]), row[2]
        recorded = read_changes(changeset, invert=is_undo)
        # a file from elsewhere may name other tables
        changes = [change for change in recorded if change.table in UNDOABLE_TABLES]
        restored = frozenset(
            document_id
            for change in changes
            if change.table == "trash" and change.is_delete
            if (document_id := trash.restore_document(db, change.values[0])) is not None
        )
        concerned = [_find_document(db, change) for change in changes]
        documents = {i for i in concerned if i is not None}
        exist = metadata.fetch_existing(db, documents) if documents else set()
        kept: list[RowChange] = []
        kept_documents: set[int] = set()
        for change, document_id in zip(changes, concerned, strict=True):
            if (document_id is None or document_id in exist) and _is_version_kept(db, change):
                kept.append(change)
                if document_id is not None:
                    kept_documents.add(document_id)
        reread: set[int] = set()
        described: set[int] = set()
        if kept:
            keep = set(kept).__contains__ if len(kept) < len(recorded) else None
            if not db.apply_changeset(changeset, invert=is_undo, keep=keep):
                raise UserError(
                    "“{label}” can't be undone: what it changed was changed again later.",
                    "Undo the later change first.",
                    label=label,
                )
            for change in kept:
                if change.table == "trash" and not change.is_delete:
                    trash.remove_to_trash(db, change.values[0], change.values[1])
                elif change.table == "document_edit":
                    metadata.apply_details(db, change.values[0])
                elif change.table == "version_choice":
                    sha256 = file_versions.find_chosen(change)
                    if sha256 and file_versions.choose_version(db, change.values[0], sha256):
                        reread.add(change.values[0])
                elif change.table == "line_correction":
                    reread.update(scanned_pages.follow_correction(db, *change.values[:2]))
                elif change.table == "description_correction":
                    described.update(fetch_ids_of_key(db, change.values[0]))
            for document_id in restored:
                trash.note_exclusion(db, document_id)
            db.write("UPDATE history SET undone = ? WHERE id = ?", (int(is_undo), edit_id))
            mark_curation_newer(db)
        else:
            db.write("DELETE FROM history WHERE id = ?", (edit_id,))
    if not kept:
        hint = "Undo again for the edit before it."
        if any(change.table == "version_choice" for change in changes):
            raise UserError(
                "“{label}” can't be undone: that version of the file is no longer kept.",
                hint,
                label=label,
            )
        raise UserError(
            "“{label}” can't be undone: its documents were deleted permanently.",
            hint,
            label=label,
        )
    removed = {c.values[0] for c in kept if c.table == "removed_event"}
    named = [name for c in changes if c.table == "never_merged" for name in c.values[:2]]
    named += [
        name
        for c in kept
        if c.table == "hand_event"
        for name in UserEvent.from_stored(c.values).names
    ]
    return label, ChangeNotice(
        entities=frozenset(
            entity_id for ids in fetch_entities_by_key(db, named).values() for entity_id in ids
        )
        | (fetch_entities_with_events(db, removed) if removed else frozenset()),
        documents=frozenset(kept_documents) | described,
        communities=frozenset(c.values[0] for c in kept if c.table == "report_edit"),
        chats=frozenset(
            c.values[column]
            for c in kept
            if (column := _CHAT_COLUMN.get(c.table)) is not None and c.values[column] is not None
        ),
        queued=frozenset(i for i in restored if trash.has_work(db, i)) | reread,
        collections=any(c.table == "collection" for c in kept),
        views=any(c.table == "graph_view" for c in kept),
    )


def _is_version_kept(db: Db, change: RowChange) -> bool:
    """Return False for a choice of a version of a file that is no longer in the library."""
    if change.table != "version_choice":
        return True
    sha256 = file_versions.find_chosen(change)
    return sha256 is None or file_versions.can_choose(db, change.values[0], sha256)


def _find_document(db: Db, change: RowChange) -> int | None:
    """Return the document that a change concerns, 0 if it is unknown, None if there is none."""
    column = _DOCUMENT_COLUMN.get(change.table)
    if column is None:
        return None
    if change.values[column] is None:  # a changed annotation: the changeset has only its id
        annotation = find_annotation(db, change.values[0])
        return annotation[1] if annotation else 0
    return int(change.values[column])


def go_to(db: Db, edit_id: int) -> ChangeNotice:
    """Undo or redo until this edit is the last one in effect; 0 undoes all."""
    rows = fetch_history(db)
    if edit_id and edit_id not in {row[0] for row in rows}:
        raise UserError("This step is no longer kept.", "Choose a later one.")
    changed = NOTHING
    for row_id, _, _, undone in rows:
        if row_id > edit_id and not undone:
            changed |= undo(db)[1]
    for row_id, _, _, undone in reversed(rows):
        if row_id <= edit_id and undone:
            changed |= redo(db)[1]
    return changed
