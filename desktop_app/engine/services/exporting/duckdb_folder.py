"""Export as Parquet files with the scripts by which DuckDB's IMPORT DATABASE loads them.

The folder is what EXPORT DATABASE writes: `schema.sql`, `load.sql` and a file per table. Other
programs read the Parquet files directly.
"""

from __future__ import annotations

from pathlib import Path

from .library_tables import BOOLEAN, INTEGER, REAL, TABLES, TEXT, TEXTS, ExportTable, LibraryTables
from .output import open_part, write_folder
from .parquet_writer import write_parquet
from .tie_view import build_tie_view

FILES = ("schema.sql", "load.sql", *(f"{table.name}.parquet" for table in TABLES))
_TYPES = {
    INTEGER: "BIGINT",
    REAL: "DOUBLE",
    BOOLEAN: "BOOLEAN",
    TEXT: "VARCHAR",
    TEXTS: "VARCHAR[]",
}


def export_duckdb(tables: LibraryTables, folder: Path) -> None:
    """Write the folder."""
    with write_folder(folder, FILES) as part:
        with open_part(part, "schema.sql") as schema, open_part(part, "load.sql") as load:
            for table in TABLES:
                schema.write(_create(table))
                load.write(f"COPY {table.name} FROM '{table.name}.parquet' (FORMAT 'parquet');\n")
            schema.write(build_tie_view())
        for table in TABLES:
            columns = {column.name: _TYPES[column.kind] for column in table.columns}
            rows = tables.rows(table.name)
            write_parquet(part / f"{table.name}.parquet", rows, columns, scratch=part)


def _create(table: ExportTable) -> str:
    columns = [
        f"{c.name} {_TYPES[c.kind]}{'' if c.is_optional else ' NOT NULL'}" for c in table.columns
    ]
    lines = [f"CREATE TABLE {table.name} ({', '.join(columns)});"]
    for words, what in (
        (table.words, f"TABLE {table.name}"),
        *((c.words, f"COLUMN {table.name}.{c.name}") for c in table.columns),
    ):
        if words:
            quoted = words.replace("'", "''")
            lines.append(f"COMMENT ON {what} IS '{quoted}';")
    return "\n".join(lines) + "\n"
