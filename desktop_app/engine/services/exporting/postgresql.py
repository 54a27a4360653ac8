"""Export as one SQL script for psql: schema, data, keys, comments and a view for first questions.

The data are COPY blocks, as pg_dump writes them. All is one transaction in a schema of its own, so
a load that fails leaves nothing, and no table of the user is touched.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from .library_tables import (
    BOOLEAN,
    INTEGER,
    REAL,
    TABLES,
    TEXT,
    TEXTS,
    ExportTable,
    LibraryTables,
    Row,
)
from .output import write_file
from .tie_view import TIE_COLUMNS, build_tie_view

SCHEMA = "inkgraph"
_TYPES = {
    INTEGER: "bigint",
    REAL: "double precision",
    BOOLEAN: "boolean",
    TEXT: "text",
    TEXTS: "text[]",
}
_HEAD = f"""\
-- A library of Inkgraph for PostgreSQL 12 or newer. Load it with
--   psql -v ON_ERROR_STOP=1 -d DATABASE -f THIS_FILE
-- It makes the schema {SCHEMA}; "DROP SCHEMA {SCHEMA} CASCADE" removes it. First question:
--   SELECT other_name, weight, sentence, document, heading, page FROM {SCHEMA}.tie
--    WHERE name = 'NAME' ORDER BY weight DESC LIMIT 10;
SET client_encoding = 'UTF8';
BEGIN;
CREATE SCHEMA {SCHEMA};
SET LOCAL search_path = {SCHEMA};
"""
# The escapes of the text format of COPY; all other characters stand for themselves.
_COPY_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_COPY_SPECIAL = re.compile(r"[\\\n\r\t]")


def export_postgresql(tables: LibraryTables, path: Path) -> None:
    """Write the script."""
    with write_file(path) as write:
        write(_HEAD)
        for table in TABLES:
            write(_create(table))
            names = ", ".join(column.name for column in table.columns)
            write(f"COPY {table.name} ({names}) FROM stdin;\n")
            for row in tables.rows(table.name):
                write(build_copy_line(row))
            write("\\.\n\n")
        for table in TABLES:
            write(_connect(table))
        write(build_tie_view())
        write("COMMENT ON VIEW tie IS 'Each relation from both of its ends.';\n")
        for name, words in TIE_COLUMNS.items():
            if words:
                write(f"COMMENT ON COLUMN tie.{name} IS {_quote(words)};\n")
        write("COMMIT;\n")
        write("".join(f"ANALYZE {SCHEMA}.{table.name};\n" for table in TABLES))


def build_copy_line(row: Row) -> str:
    """Return a row in the text format of COPY."""
    return "\t".join(map(_copy_value, row)) + "\n"


def _copy_value(value: Any) -> str:
    if value is None:
        return "\\N"
    if isinstance(value, bool):
        return "t" if value else "f"
    if isinstance(value, list):
        value = "{" + ",".join(map(_array_element, value)) + "}"
    elif not isinstance(value, str):
        return repr(value)
    return _COPY_SPECIAL.sub(lambda found: _COPY_ESCAPES[found[0]], value)


def _array_element(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _create(table: ExportTable) -> str:
    columns = [
        f"    {c.name} {_TYPES[c.kind]}{'' if c.is_optional else ' NOT NULL'}"
        for c in table.columns
    ]
    lines = [f"CREATE TABLE {table.name} (\n" + ",\n".join(columns) + "\n);"]
    lines.append(f"COMMENT ON TABLE {table.name} IS {_quote(table.words)};")
    lines += [
        f"COMMENT ON COLUMN {table.name}.{c.name} IS {_quote(c.words)};"
        for c in table.columns
        if c.words
    ]
    return "\n".join(lines) + "\n"


def _connect(table: ExportTable) -> str:
    """Return the keys of a table, which are faster to add after its rows, and indexes for joins."""
    lines = [f"ALTER TABLE {table.name} ADD PRIMARY KEY ({', '.join(table.key)});"]
    for c in table.columns:
        if c.refers_to:
            key = f"FOREIGN KEY ({c.name}) REFERENCES {c.refers_to} (id)"
            lines.append(f"ALTER TABLE {table.name} ADD {key};")
            if c.name != table.key[0]:
                lines.append(f"CREATE INDEX ON {table.name} ({c.name});")
    if table.name == "entity":
        lines.append("CREATE INDEX ON entity (name);")
    return "\n".join(lines) + "\n"


def _quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
