"""Document metadata (details and tags), the trash, and the chunking settings of documents.

Details that the user edits override those of the file and survive reindexing. Documents in the
trash are in no other table; restoring one queues it to be read again and restores its
annotations, tags and collections.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields

from ..changes import EVERYTHING, ChangeSet
from ..errors import UserError
from ..model import DocumentId
from ..store import document_metadata as rows
from ..store import documents, evidence
from ..store.db import Db
from ..store.library_settings import find_setting, store_setting
from ..text.chunking import ChunkingSettings
from .graph_update import update_graph

TRASH_DAYS = 30
MAX_TAG = 60
MAX_QUEUE = 1000  # maximum length of the reading queue's order


@dataclass(frozen=True, slots=True)
class TrashRow:
    """One document in the trash."""

    id: int
    title: str
    file_name: str
    size_bytes: int
    trashed_at: float


@dataclass(frozen=True, slots=True)
class DetailsSnapshot:
    """Details of a document before a change: the user's edits, and the values shown."""

    document_id: int
    edited: dict[str, str | None]
    shown: dict[str, str]


class DocumentService:
    """Actions on documents: queue, chunking, details, tags and the trash.

    Every method writes and returns what changed, except `list_trash`, `snapshot_details` and
    `find_common_chunking`, which read.

    Args:
        db: the read-write connection.
    """

    trash_days = TRASH_DAYS

    def __init__(self, db: Db) -> None:
        self._db = db

    # --- deleting and reading again ---------------------------------------------------------------

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
                evidence.delete_extractions(self._db, document_id, "instant")
            for document_id in queued:
                documents.set_state(self._db, document_id, "waiting")
                if chunking is not None:
                    store_chunking(self._db, document_id, chunking)
        return ChangeSet(documents=frozenset(queued))

    def find_common_chunking(
        self, document_ids: Sequence[int], otherwise: ChunkingSettings
    ) -> ChunkingSettings | None:
        """Return the chunking settings that all of these documents share; None if they differ."""
        first = [documents.find_with_file(self._db, i) or i for i in document_ids]
        return find_common_chunking(self._db, first, otherwise)

    def read_next(self, document_ids: int | Sequence[int]) -> ChangeSet:
        """Put waiting documents at the front of the reading queue, in this order."""
        ids = [document_ids] if isinstance(document_ids, int) else list(document_ids)
        with self._db.transaction():
            queue = list(dict.fromkeys([*ids, *documents.fetch_queue(self._db)]))
            documents.store_queue(self._db, queue[:MAX_QUEUE])
        return _documents(ids)

    # --- details and tags -------------------------------------------------------------------------

    def set_aside(self, document_id: int, aside: bool) -> ChangeSet:
        """Exclude a document from questions, or include it again."""
        with self._db.transaction():
            documents.set_excluded(self._db, document_id, aside)
        return ChangeSet(documents=frozenset({document_id}))

    def rename_document(self, document_id: int, title: str) -> ChangeSet:
        """Rename a document; the title survives reindexing."""
        return self.edit_details([document_id], title=title)

    def edit_details(
        self,
        document_ids: Sequence[int],
        *,
        title: str | None = None,
        author: str | None = None,
        year: str | None = None,
        language: str | None = None,
        comment: str | None = None,
        tags: Sequence[str] | None = None,
    ) -> ChangeSet:
        """Set details of documents; None leaves a field unchanged."""
        given: dict[str, str | None] = {
            "title": title,
            "author": author,
            "year": year,
            "language": language,
            "comment": comment,
            "tags": None if tags is None else "\n".join(tidy_tags(tags)),
        }
        details = {field: value.strip() for field, value in given.items() if value is not None}
        if details.get("title") == "":
            raise UserError("A document needs a title.", "Type one, or press Escape to keep it.")
        with self._db.transaction():
            for document_id in document_ids:
                rows.write_details(self._db, document_id, details)
        return _documents(document_ids)

    def snapshot_details(self, document_ids: Sequence[int]) -> list[DetailsSnapshot]:
        """Return the present details of documents, for `restore_details`."""
        return [
            DetailsSnapshot(i, rows.fetch_details(self._db, i), shown)
            for i in document_ids
            if (shown := rows.fetch_shown_details(self._db, i))
        ]

    def restore_details(self, kept: Sequence[DetailsSnapshot]) -> ChangeSet:
        """Restore details of documents; deleted documents are skipped."""
        with self._db.transaction():
            for one in kept:
                if rows.fetch_shown_details(self._db, one.document_id):
                    rows.restore_details(self._db, one.document_id, one.edited, one.shown)
        return _documents([one.document_id for one in kept])

    def tag(self, document_ids: Sequence[int], tag: str, *, on: bool = True) -> ChangeSet:
        """Add a tag to documents, or remove it."""
        [tag] = tidy_tags([tag]) or [""]
        if not tag:
            raise UserError("A tag needs a name.", "Type one, or press Escape.")
        with self._db.transaction():
            for document_id in document_ids:
                known = (rows.fetch_details(self._db, document_id).get("tags") or "").split("\n")
                kept = [t for t in known if t and t.casefold() != tag.casefold()]
                tags = tidy_tags([*kept, tag] if on else kept)
                rows.write_details(self._db, document_id, {"tags": "\n".join(tags)})
        return _documents(document_ids)

    # --- trash ------------------------------------------------------------------------------------

    def trash_documents(self, document_ids: Sequence[int]) -> tuple[ChangeSet, list[int]]:
        """Move documents to the trash; those older than `trash_days` are deleted from it.

        Returns:
            The changes, and the ids in the trash. Rows of tables have no file of their own and are
            deleted at once.
        """
        made: list[int] = []
        with self._db.transaction():
            for document_id in document_ids:
                in_trash = rows.add_to_trash(self._db, document_id)
                if in_trash is not None:
                    made.append(in_trash)
                documents.delete_document(self._db, document_id)
            rows.empty_trash(self._db, time.time() - self.trash_days * 86_400)
            update_graph(self._db)
        return EVERYTHING, made

    def list_trash(self) -> list[TrashRow]:
        """Return the documents in the trash, most recent first."""
        return [TrashRow(*row) for row in rows.fetch_trash(self._db)]

    def restore_documents(self, trash_ids: Sequence[int]) -> ChangeSet:
        """Restore documents with their annotations, tags and collections; they are read again.

        Raises:
            UserError: one of them has been added again.
        """
        made: list[int] = []
        with self._db.transaction():
            for trash_id in trash_ids:
                found = rows.find_trashed(self._db, trash_id)
                if found is None:
                    continue
                if documents.find_by_hash(self._db, found["sha256"]) is not None:
                    raise UserError(
                        "“{title}” is in the library already.",
                        "Delete one of the two.",
                        title=found["title"],
                    )
                kept = found.pop("kept")
                document_id = documents.add_waiting(self._db, **found)
                rows.restore_user_data(self._db, document_id, kept)
                rows.remove_from_trash(self._db, trash_id)
                made.append(document_id)
        return _documents(made)

    def empty_trash(self, trash_ids: Sequence[int] | None = None) -> ChangeSet:
        """Delete documents from the trash; None deletes all."""
        with self._db.transaction():
            if trash_ids is None:
                rows.empty_trash(self._db, float("inf"))
            for trash_id in trash_ids or ():
                rows.remove_from_trash(self._db, trash_id)
        return ChangeSet()


def tidy_tags(tags: Sequence[str]) -> list[str]:
    """Return the tags with normalized whitespace, unique ignoring case, sorted."""
    known: dict[str, str] = {}
    for tag in tags:
        words = " ".join(tag.replace(",", " ").split())[:MAX_TAG]
        if words:
            known.setdefault(words.casefold(), words)
    return [known[key] for key in sorted(known)]


def _documents(document_ids: Sequence[int]) -> ChangeSet:
    return ChangeSet(documents=frozenset(DocumentId(i) for i in document_ids))


def load_chunking(db: Db, document_id: int) -> ChunkingSettings | None:
    """Return the chunking settings of a document; None if none are stored."""
    kept = find_setting(db, _key(document_id))
    if kept is None:
        return None
    known = {field.name for field in fields(ChunkingSettings)}
    return ChunkingSettings(**{k: v for k, v in json.loads(kept).items() if k in known})


def store_chunking(db: Db, document_id: int, settings: ChunkingSettings) -> None:
    """Store the chunking settings for the next time a document is read."""
    store_setting(db, _key(document_id), json.dumps(asdict(settings), ensure_ascii=False))


def find_common_chunking(
    db: Db, document_ids: Sequence[int], otherwise: ChunkingSettings
) -> ChunkingSettings | None:
    """Return the chunking settings that all of these documents share; None if they differ."""
    found = {load_chunking(db, document_id) or otherwise for document_id in document_ids}
    return found.pop() if len(found) == 1 else None


def _key(document_id: int) -> str:
    return f"cut:{document_id}"
