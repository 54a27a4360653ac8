"""What a person does with documents as books on a shelf: their details, tags, and the trash.

Details stand over what the file says and last when it is read again. What is in the trash is out
of everything, and is read anew when it is brought back, with its marks.
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
from ..store import documents
from ..store.db import Db
from ..text.chunking import ChunkingSettings
from .graph_update import update_graph

TRASH_DAYS = 30
MAX_TAG = 60
MOST_NEXT = 1000  # documents whose place in the queue is kept


@dataclass(frozen=True, slots=True)
class TrashRow:
    """One document in the trash."""

    id: int
    title: str
    file_name: str
    size_bytes: int
    trashed_at: float


@dataclass(frozen=True, slots=True)
class KeptDetails:
    """What was said of a document before it was changed: by a person, and as it was shown."""

    document_id: int
    edited: dict[str, str | None]
    shown: dict[str, str]


class DocumentMetadataActions:
    """Verbs of `LibraryWork` on details and the trash; every method writes."""

    trash_days = TRASH_DAYS

    _db: Db

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
        """Write over what documents say of themselves; None leaves a field as it is."""
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

    def keep_details(self, document_ids: Sequence[int]) -> list[KeptDetails]:
        """Return what is said of documents now, for `put_back_details`."""
        return [
            KeptDetails(i, rows.fetch_details(self._db, i), shown)
            for i in document_ids
            if (shown := rows.fetch_shown_details(self._db, i))
        ]

    def put_back_details(self, kept: Sequence[KeptDetails]) -> ChangeSet:
        """Undo a change of details; a document that is gone meanwhile is passed over."""
        with self._db.transaction():
            for one in kept:
                if rows.fetch_shown_details(self._db, one.document_id):
                    rows.put_back_details(self._db, one.document_id, one.edited, one.shown)
        return _documents([one.document_id for one in kept])

    def tag(self, document_ids: Sequence[int], tag: str, *, on: bool = True) -> ChangeSet:
        """Put a tag on documents, or take it off."""
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

    def read_next(self, document_ids: int | Sequence[int]) -> ChangeSet:
        """Have waiting documents read before the others that wait, in this order."""
        ids = [document_ids] if isinstance(document_ids, int) else list(document_ids)
        with self._db.transaction():
            before = self._db.value("SELECT value FROM setting WHERE key = 'read_next'") or ""
            queue = dict.fromkeys([*map(str, ids), *filter(None, before.split(","))])
            self._db.write(
                "INSERT OR REPLACE INTO setting VALUES ('read_next', ?)",
                (",".join(list(queue)[:MOST_NEXT]),),
            )
        return _documents(ids)

    # --- trash ------------------------------------------------------------------------------

    def trash_documents(self, document_ids: Sequence[int]) -> tuple[ChangeSet, list[int]]:
        """Take documents out so that they can come back; what is older than `trash_days` goes.

        Returns:
            What changed, and the ids in the trash. Rows of tables have no file of their own and
            go for good.
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
        """Return what is in the trash, the latest first."""
        return [TrashRow(*row) for row in rows.fetch_trash(self._db)]

    def restore_documents(self, trash_ids: Sequence[int]) -> ChangeSet:
        """Bring documents back: queued to be read again, with their marks, tags, collections.

        Raises:
            UserError: one of them was added anew meanwhile.
        """
        made: list[int] = []
        with self._db.transaction():
            for trash_id in trash_ids:
                found = rows.find_trashed(self._db, trash_id)
                if found is None:
                    continue
                if documents.find_by_hash(self._db, found["sha256"]) is not None:
                    raise UserError(
                        f"“{found['title']}” is in the library already.", "Delete one of the two."
                    )
                kept = found.pop("kept")
                document_id = documents.add_waiting(self._db, **found)
                rows.bring_back(self._db, document_id, kept)
                rows.remove_from_trash(self._db, trash_id)
                made.append(document_id)
        return _documents(made)

    def empty_trash(self, trash_ids: Sequence[int] | None = None) -> ChangeSet:
        """Let documents in the trash go for good; all of them if none is named."""
        with self._db.transaction():
            if trash_ids is None:
                rows.empty_trash(self._db, float("inf"))
            for trash_id in trash_ids or ():
                rows.remove_from_trash(self._db, trash_id)
        return ChangeSet()


def tidy_tags(tags: Sequence[str]) -> list[str]:
    """Return tags without blanks around them and each once, whatever the case, by name."""
    known: dict[str, str] = {}
    for tag in tags:
        words = " ".join(tag.replace(",", " ").split())[:MAX_TAG]
        if words:
            known.setdefault(words.casefold(), words)
    return [known[key] for key in sorted(known)]


def _documents(document_ids: Sequence[int]) -> ChangeSet:
    return ChangeSet(documents=frozenset(DocumentId(i) for i in document_ids))


def load_cut(db: Db, document_id: int) -> ChunkingSettings | None:
    """Return how a document was cut, or is to be cut; None if that was never kept."""
    kept = db.value("SELECT value FROM setting WHERE key = ?", (_key(document_id),))
    if kept is None:
        return None
    known = {field.name for field in fields(ChunkingSettings)}
    return ChunkingSettings(**{k: v for k, v in json.loads(kept).items() if k in known})


def keep_cut(db: Db, document_id: int, settings: ChunkingSettings) -> None:
    """Have a document cut so when it is read the next time."""
    db.write(
        "INSERT OR REPLACE INTO setting VALUES (?, ?)",
        (_key(document_id), json.dumps(asdict(settings), ensure_ascii=False)),
    )


def common_cut(
    db: Db, document_ids: Sequence[int], otherwise: ChunkingSettings
) -> ChunkingSettings | None:
    """Return how all of these were cut; None if they differ."""
    found = {load_cut(db, document_id) or otherwise for document_id in document_ids}
    return found.pop() if len(found) == 1 else None


def _key(document_id: int) -> str:
    return f"cut:{document_id}"
