"""Collections of documents, to limit questions to them.

Every change is one undoable edit. `retriever.resolve_documents` applies the limit to a question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..changes import ChangeNotice
from ..errors import UserError
from ..messages import Message
from ..model import CollectionId, DocumentId
from ..store import collections as collection_rows
from ..store.db import Db

MAX_NAME_CHARS = 120


@dataclass(frozen=True, slots=True)
class CollectionRow:
    """One collection in a list."""

    id: CollectionId
    name: str
    n_documents: int


def list_collections(db: Db) -> list[CollectionRow]:
    """Return all collections, by name."""
    return [
        CollectionRow(CollectionId(i), name, n)
        for i, name, n in collection_rows.fetch_collections(db)
    ]


def list_documents(db: Db, collection_id: int) -> list[DocumentId]:
    """Return the documents of a collection, including excluded ones."""
    return [DocumentId(i) for i in collection_rows.fetch_members(db, collection_id)]


def list_members(db: Db) -> dict[str, frozenset[int]]:
    """Return the documents of each collection, by its name."""
    found = list_collections(db)
    return {
        one.name: frozenset(map(int, collection_rows.fetch_members(db, one.id))) for one in found
    }


def get_collection(db: Db, name: str) -> CollectionRow:
    """Return the collection of that name, ignoring case.

    Raises:
        UserError: there is none; the hint lists the existing ones.
    """
    found = collection_rows.find_collection(db, name.strip())
    all_rows = list_collections(db)
    for row in all_rows:
        if row.id == found:
            return row
    known = ", ".join(f"“{row.name}”" for row in all_rows)
    raise UserError(
        "There is no collection “{name}”.",
        "Choose one of: {known}." if known else "Create one first.",
        name=name,
        known=known,
    )


class Collections:
    """Changes collections; every method writes and returns what changed.

    Args:
        db: the read-write connection.
    """

    def __init__(self, db: Db) -> None:
        self._db = db

    def create(self, name: str, document_ids: Sequence[int] = ()) -> CollectionId:
        """Create a collection with these documents, and return its id."""
        name = self._free_name(name)
        with self._db.edit(Message("Create collection “{name}”", name=name)):
            made = collection_rows.add_collection(self._db, name)
            collection_rows.add_documents(self._db, made, document_ids)
        return CollectionId(made)

    def rename(self, collection_id: int, name: str) -> ChangeNotice:
        old = self._get(collection_id)
        name = self._free_name(name, collection_id)
        with self._db.edit(Message("Rename collection “{old}” to “{name}”", old=old, name=name)):
            collection_rows.rename_collection(self._db, collection_id, name)
        return self._changed(collection_id)

    def delete(self, collection_id: int) -> ChangeNotice:
        """Delete a collection; its documents stay in the library."""
        name = self._get(collection_id)
        changed = self._changed(collection_id)
        with self._db.edit(Message("Delete collection “{name}”", name=name)):
            collection_rows.delete_collection(self._db, collection_id)
        return changed

    def add(self, collection_id: int, document_ids: Sequence[int]) -> ChangeNotice:
        name = self._get(collection_id)
        with self._db.edit(
            Message("Add {documents} to “{name}”", documents=_count(document_ids), name=name)
        ):
            collection_rows.add_documents(self._db, collection_id, document_ids)
        return _documents(document_ids)

    def remove(self, collection_id: int, document_ids: Sequence[int]) -> ChangeNotice:
        """Remove documents from a collection; they stay in the library."""
        name = self._get(collection_id)
        with self._db.edit(
            Message("Remove {documents} from “{name}”", documents=_count(document_ids), name=name)
        ):
            collection_rows.remove_documents(self._db, collection_id, document_ids)
        return _documents(document_ids)

    def _get(self, collection_id: int) -> str:
        name = collection_rows.find_name(self._db, collection_id)
        if name is None:
            raise UserError("This collection no longer exists.", "Choose another one.")
        return name

    def _free_name(self, name: str, own_id: int | None = None) -> str:
        name = " ".join(name.split())[:MAX_NAME_CHARS]
        if not name:
            raise UserError("A collection needs a name.", "Type one, or press Escape.")
        if collection_rows.find_collection(self._db, name) not in (None, own_id):
            raise UserError(
                "A collection “{name}” already exists.", "Choose another name.", name=name
            )
        return name

    def _changed(self, collection_id: int) -> ChangeNotice:
        return _documents(collection_rows.fetch_members(self._db, collection_id))


def _documents(document_ids: Sequence[int]) -> ChangeNotice:
    return ChangeNotice(documents=frozenset(DocumentId(i) for i in document_ids))


def _count(document_ids: Sequence[int]) -> Message:
    n = len(document_ids)
    return Message("{n} document" if n == 1 else "{n} documents", n=n)
