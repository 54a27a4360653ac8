"""Writes rows as a Parquet file through DuckDB, which the importer needs anyway."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

_MAX_ROW_BYTES = 1 << 30  # of a row as JSON: longer than any document


def write_parquet(
    path: Path, rows: Iterable[tuple[Any, ...]], columns: Mapping[str, str], scratch: Path
) -> int:
    """Write rows, without holding them in memory; return their number.

    Args:
        columns: name -> type of DuckDB, in the order of the values.
        scratch: a folder for a temporary file, about as large as the text of all rows.

    Raises:
        OSError: a file can't be written.
    """
    import duckdb

    lines = scratch / f"{path.name}.json"
    n = 0
    try:
        with lines.open("w", encoding="utf-8", errors="replace", buffering=1 << 20) as file:
            for row in rows:
                values = dict(zip(columns, row, strict=True))
                file.write(json.dumps(values, ensure_ascii=False) + "\n")
                n += 1
        shape = ", ".join(f"'{name}': '{kind}'" for name, kind in columns.items())
        source = (
            f"read_json({_quote(lines)}, format='newline_delimited', columns={{{shape}}},"
            f" maximum_object_size={_MAX_ROW_BYTES})"
        )
        if not n:
            empty = ", ".join(f"CAST(NULL AS {kind}) AS {name}" for name, kind in columns.items())
            source = f"(SELECT {empty} WHERE false)"
        with duckdb.connect() as connection:
            try:
                connection.execute(
                    f"COPY (SELECT * FROM {source}) TO {_quote(path)} (FORMAT parquet)"
                )
            except duckdb.IOException as error:
                raise OSError(0, str(error)) from error
    finally:
        lines.unlink(missing_ok=True)
    return n


def _quote(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
