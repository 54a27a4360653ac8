"""Rows of collections of documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .db import Db


def fetch_collections(db: Db) -> list[tuple[int, str, int]]:
    """Return (id, name, documents), by name."""
    return db.rows(
        "SELECT c.id, c.name, count(d.document_id) FROM collection c"
        " LEFT JOIN collection_document d ON d.collection_id = c.id"
        " GROUP BY c.id ORDER BY c.name COLLATE NOCASE, c.id"
    )


def find_collection(db: Db, name: str) -> int | None:
    """Return the collection of that name, ignoring case."""
    found: int | None = db.value("SELECT id FROM collection WHERE name = ? COLLATE NOCASE", (name,))
    return found


def find_name(db: Db, collection_id: int) -> str | None:
    found: str | None = db.value("SELECT name FROM collection WHERE id = ?", (collection_id,))
    return found


def fetch_documents_of(db: Db, collection_ids: Sequence[int]) -> list[int]:
    """Return the documents in any of the collections, without excluded ones."""
    marks = ",".join("?" * len(collection_ids))
    return db.column(
        "SELECT DISTINCT d.id FROM collection_document c JOIN document d"
        f" ON d.id = c.document_id WHERE c.collection_id IN ({marks}) AND d.set_aside = 0"
        " ORDER BY d.id",
        collection_ids,
    )


def fetch_members(db: Db, collection_id: int) -> list[int]:
    """Return all documents of a collection, including excluded ones."""
    return db.column(
        "SELECT document_id FROM collection_document WHERE collection_id = ? ORDER BY 1",
        (collection_id,),
    )


def fetch_collections_of(db: Db, document_id: int) -> list[str]:
    """Return the names of the collections that a document belongs to."""
    return db.column(
        "SELECT c.name FROM collection c JOIN collection_document m ON m.collection_id = c.id"
        " WHERE m.document_id = ? ORDER BY c.name COLLATE NOCASE",
        (document_id,),
    )


def add_collection(db: Db, name: str) -> int:
    return db.write("INSERT INTO collection(name) VALUES (?)", (name,))


def rename_collection(db: Db, collection_id: int, name: str) -> None:
    db.write("UPDATE collection SET name = ? WHERE id = ?", (name, collection_id))


def delete_collection(db: Db, collection_id: int) -> None:
    # Explicit, because undo changesets do not contain cascades.
    db.write("DELETE FROM collection_document WHERE collection_id = ?", (collection_id,))
    db.write("DELETE FROM collection WHERE id = ?", (collection_id,))


def add_documents(db: Db, collection_id: int, document_ids: Iterable[int]) -> None:
    """Add documents to a collection; those already in it stay."""
    db.write_many(
        "INSERT OR IGNORE INTO collection_document SELECT ?, id FROM document WHERE id = ?",
        [(collection_id, i) for i in document_ids],
    )


def remove_documents(db: Db, collection_id: int, document_ids: Iterable[int]) -> None:
    db.write_many(
        "DELETE FROM collection_document WHERE collection_id = ? AND document_id = ?",
        [(collection_id, i) for i in document_ids],
    )


def fetch_all_members(db: Db) -> list[tuple[str, int]]:
    """Return every (collection name, document), by name."""
    return db.rows(
        "SELECT c.name, d.document_id FROM collection c"
        " JOIN collection_document d ON d.collection_id = c.id ORDER BY c.name"
    )
