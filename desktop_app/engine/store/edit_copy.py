"""A copy of what the user wrote, for the time between two backups of a large library.

It holds the rows of the user's tables and the history, without documents and graph, so that it is
small. Applied to a restored backup, it replaces these rows; what concerns documents that the
backup does not have is left out.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ..errors import EnvironmentProblem
from . import graph
from .backup import PART_SUFFIX, sync_folder
from .db import CURATION_TABLES, Db

# Parents before children. The trash is left out: its files are as large as the documents.
EDIT_TABLES = (
    *CURATION_TABLES,
    "annotation",
    "document_edit",
    "excluded_document",
    "chat",
    "message",
    "citation",
    "chat_draft",
    "waiting_question",
    "history",
)


def write_edits(db: Db, path: Path) -> None:
    """Write the user's rows to a file, complete or not at all.

    Args:
        db: a read-only connection for this work alone.
    """
    part = path.with_name(f"{path.name}.{os.getpid()}{PART_SUFFIX}")
    part.unlink(missing_ok=True)
    target = db.connect_like(part)
    try:
        with db.snapshot(), target:
            for table in EDIT_TABLES:
                columns = _fetch_columns(db, table)
                target.execute(f"CREATE TABLE {table} ({', '.join(columns)})")
                places = ", ".join("?" * len(columns))
                rows = db.rows(f"SELECT {', '.join(columns)} FROM {table}")
                target.executemany(f"INSERT INTO {table} VALUES ({places})", rows)
        problems = [row for row in target.execute("PRAGMA integrity_check") if row[0] != "ok"]
        target.close()
        if problems:
            raise EnvironmentProblem(
                "The backup of “{name}” was not kept, because it is damaged: {reason}.",
                "Check the library, and the disk.",
                name=db.path.stem,
                reason=problems[0][0],
            )
        os.replace(part, path)
        sync_folder(path.parent)
    finally:
        target.close()
        part.unlink(missing_ok=True)


def apply_edits(db: Db, path: Path) -> None:
    """Replace the user's rows by those of a file; the caller updates the graph."""
    source = db.connect_like(path)
    try:
        with db.transaction(durable=True):
            for table in reversed(EDIT_TABLES):
                db.write(f"DELETE FROM {table}")
            for table in EDIT_TABLES:
                columns = [str(row[1]) for row in source.execute(f"PRAGMA table_info({table})")]
                rows = source.execute(f"SELECT * FROM {table}").fetchall()
                _insert(db, table, columns, rows)
            graph.mark_graph_stale(db)
    finally:
        source.close()


def _insert(db: Db, table: str, source: list[str], rows: list[tuple[Any, ...]]) -> None:
    """Insert the rows whose document or other parent exists; `source` are their columns."""
    names = [name for name in source if name in _fetch_columns(db, table)]
    places = [source.index(name) for name in names]
    parents = [
        (source.index(key[3]), set(db.column(f"SELECT {key[4] or 'rowid'} FROM {key[2]}")))
        for key in db.rows(f"PRAGMA foreign_key_list({table})")
    ]
    db.write_many(
        f"INSERT OR IGNORE INTO {table}({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
        [
            [row[place] for place in places]
            for row in rows
            if all(row[place] is None or row[place] in keys for place, keys in parents)
        ],
    )


def _fetch_columns(db: Db, table: str) -> list[str]:
    return [row[1] for row in db.rows(f"PRAGMA table_info({table})")]
