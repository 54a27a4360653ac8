"""Compares the schema of a library with the one that the migrations make.

Triggers, views, generated columns and expressions run when a library is used, so that nothing may
be in the schema that Inkgraph did not put there. Knows no connection: rows of `sqlite_schema` in,
names of strange objects out.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable

SchemaRow = tuple[str, str, str, int | None, str | None]  # type, name, table, root page, SQL

# What `digest_schema` returns for the schema that all migrations make. Making it to compare takes a
# tenth of a second at each start; another one is compared object by object.
NEWEST_SCHEMA = "1a7713f6011992a243b52ae5391692560f568eed6df5d0ff111f07380bab05cf"

# Text in quotes, which may contain two hyphens, or a comment.
_QUOTED_OR_COMMENT = re.compile(r"('(?:[^']|'')*+'|\"(?:[^\"]|\"\")*+\")|--[^\n]*|/\*.*?\*/", re.S)
_SPACE = re.compile(r"\s+")

# Made when an embedding model is chosen (`store.search.ensure_vector_index`).
_VECTOR_TABLE = re.compile(
    r"CREATE VIRTUAL TABLE vec_window USING vec0\(window_id INTEGER PRIMARY KEY, "
    r"vector float\[\d{1,5}\] distance_metric=cosine\)"
)
_VECTOR_TRIGGERS = {
    "embedding_insert": "CREATE TRIGGER embedding_insert AFTER INSERT ON embedding BEGIN"
    " INSERT INTO vec_window(window_id, vector) VALUES (new.window_id, new.vector); END",
    "embedding_delete": "CREATE TRIGGER embedding_delete AFTER DELETE ON embedding BEGIN"
    " DELETE FROM vec_window WHERE window_id = old.window_id; END",
}
# Tables that sqlite-vec makes for `vec_window`.
_VECTOR_SHADOW = re.compile(
    r"vec_window_(?:info|chunks|rowids|vector_chunks\d\d|auxiliary|metadata\w*)"
)
# Plain columns only: no expression, no generated column, no constraint that calls a function.
_PLAIN_TABLE = re.compile(
    r"CREATE TABLE [\"\w. ]+\((?:[\w\", ]|PRIMARY KEY\([\w, ]+\))*\)(?: WITHOUT ROWID)?"
)


def list_own_objects(found: Iterable[SchemaRow]) -> list[SchemaRow]:
    """Return the rows that migrations make: without indexes of vectors and SQLite's statistics."""
    return [
        row
        for row in found
        if not row[2].startswith(("vec_window", "sqlite_stat")) and row[1] not in _VECTOR_TRIGGERS
    ]


def digest_schema(rows: Iterable[SchemaRow]) -> str:
    """Return the SHA-256 of a schema; pages and the order of its objects do not count."""
    parts = sorted((kind, name, table, sql or "") for kind, name, table, _, sql in rows)
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def find_strange_objects(found: Iterable[SchemaRow], expected: Iterable[SchemaRow]) -> list[str]:
    """Return the names of objects that differ from the expected schema or are missing."""
    wanted = {(kind, name): (table, sql) for kind, name, table, _, sql in expected}
    strange: list[str] = []
    roots: set[int] = set()
    for kind, name, table, root, sql in found:
        if root and root in roots:  # two objects on the same pages
            strange.append(name)
            continue
        roots.add(root or 0)
        key = (kind, name)
        if key in wanted:
            wanted_table, wanted_sql = wanted.pop(key)
            # Most SQL is equal as it stands, and every connection comes here.
            is_equal = sql == wanted_sql or _normalise(sql) == _normalise(wanted_sql)
            if table != wanted_table or not is_equal:
                strange.append(name)
        elif not _is_derived(kind, name, table, sql):
            strange.append(name)
    return sorted({*strange, *(name for _, name in wanted)})


def _is_derived(kind: str, name: str, table: str, sql: str | None) -> bool:
    """Return whether SQLite or sqlite-vec made an object of a vector index."""
    if kind == "index":  # of a UNIQUE or PRIMARY KEY constraint of such a table
        return sql is None and name.startswith(f"sqlite_autoindex_{table}_")
    plain = _normalise(sql)
    if kind == "table":
        if name == "vec_window":
            return _VECTOR_TABLE.fullmatch(plain) is not None
        if name.startswith("sqlite_stat"):
            return _PLAIN_TABLE.fullmatch(plain) is not None
        return _VECTOR_SHADOW.fullmatch(name) is not None and bool(_PLAIN_TABLE.fullmatch(plain))
    return kind == "trigger" and plain == _VECTOR_TRIGGERS.get(name)


def _normalise(sql: str | None) -> str:
    """Return SQL without comments, and with single spaces."""
    bare = _QUOTED_OR_COMMENT.sub(lambda match: match.group(1) or " ", sql or "")
    return _SPACE.sub(" ", bare).strip()
