"""Reads all rows of a library, so that two libraries can be compared table by table."""

from __future__ import annotations

from desktop_app.engine.store.db import Db


def compare(rows: dict[str, list[str]], wanted: dict[str, list[str]]) -> None:
    """Compare table by table, so that a failure shows little."""
    for table in wanted:
        assert rows[table] == wanted[table], table


def list_rows(db: Db) -> dict[str, list[str]]:
    """Return the rows of all tables, without times, what counts changes, and ids of relations.

    Relations are numbered when the graph is updated, which is done every few seconds.
    """
    found = {}
    tables = db.column(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
    )
    for table in tables:
        columns = db.column("SELECT name FROM pragma_table_info(?)", (table,))
        kept = [
            f'"{column}"'
            for column in columns
            if not column.endswith("_at") and column != "seconds"
            if (table, column) != ("relation", "id")
        ]
        if table.startswith(("chunk_fts", "sqlite_")) or table == "library_state":
            continue
        found[table] = sorted(map(repr, db.rows(f"SELECT {', '.join(kept)} FROM {table}")))
    return found
