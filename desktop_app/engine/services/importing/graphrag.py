"""Reads the parquet tables that GraphRAG writes, versions 0.3 to 3.

`documents`, `text_units`, `entities`, `relationships` and, where claims were extracted,
`covariates`; until 1.x the file names began with `create_final_`. All former column names are
accepted. Communities and reports are not imported: ours are made from the graph.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...errors import UserError
from ...messages import Message
from ...model import FORWARD, parse_direction
from .model import (
    ImportedChunk,
    ImportedClaim,
    ImportedDocument,
    ImportedEntity,
    ImportedGraph,
    ImportedRelation,
    clean_imported_name,
    clean_imported_text,
    clean_kind,
    read_weight,
    split_fragments,
    split_keys,
)

ORIGIN = "GraphRAG"
OLD_PREFIX = "create_final_"
MAX_TABLE_SIZE = 500_000_000
MAX_TABLE_ROWS = 2_000_000
Row = Mapping[str, Any]


def find_table(folder: Path, table: str) -> Path | None:
    """Return the file of a table under its new or its old name."""
    for name in (f"{table}.parquet", f"{OLD_PREFIX}{table}.parquet"):
        if (folder / name).is_file():
            return folder / name
    return None


def read_graphrag(folder: Path) -> ImportedGraph:
    """Return the graph of an output folder.

    Raises:
        UserError: a table or a column is missing, or a file is broken.
    """
    entities = _load_table(folder, "entities", ("title", "name"))
    relations = _load_table(folder, "relationships", ("source",), ("target",))
    units = _load_table(folder, "text_units", ("id",), ("text", "chunk"), needed=False)
    documents = _load_table(folder, "documents", ("id",), needed=False)
    covariates = _load_table(folder, "covariates", ("subject_id",), needed=False)
    graph = ImportedGraph(ORIGIN, folder.name)
    _read_texts(graph, documents, units)
    units_of_entity = _turned(units, "entity_ids")
    units_of_relation = _turned(units, "relationship_ids", "relationships_ids")
    for row in entities:
        name = clean_imported_name(_first(row, "title", "name"))
        if not name:
            graph.left_out[Message("names that are empty or too long")] += 1
            continue
        sources = split_keys(row.get("text_unit_ids")) or units_of_entity.get(str(row.get("id")))
        graph.entities.append(
            ImportedEntity(
                name,
                clean_imported_name(row.get("type")),
                split_fragments(row.get("description")),
                tuple(sources or ()),
            )
        )
    for row in relations:
        source, target = (
            clean_imported_name(row.get("source")),
            clean_imported_name(row.get("target")),
        )
        if not source or not target:
            graph.left_out[Message("connections of names that are empty or too long")] += 1
            continue
        sources = split_keys(row.get("text_unit_ids")) or units_of_relation.get(str(row.get("id")))
        graph.relations.append(
            ImportedRelation(
                source,
                target,
                split_fragments(row.get("description")),
                weight=read_weight(row.get("weight"), graph.left_out),
                chunks=tuple(sources or ()),
                # GraphRAG keeps the order in which its model named the two.
                direction=parse_direction(row["direction"]) if "direction" in row else FORWARD,
                kind=clean_kind(row.get("kind")),
            )
        )
    _read_claims(graph, covariates)
    return graph


def _load_table(
    folder: Path, table: str, *columns: tuple[str, ...], needed: bool = True
) -> list[Row]:
    """Return the rows of a table; each of `columns` must be there under one of its names."""
    path = find_table(folder, table)
    if path is None:
        if needed:
            raise UserError(
                "“{name}” has no “{table}.parquet”.",
                "Choose GraphRAG's output folder, after its index is finished.",
                name=folder.name,
                table=table,
            )
        return []
    names, rows = load_parquet(path)
    for alternatives in columns:
        if not any(name in names for name in alternatives):
            raise UserError(
                "“{name}” has no column “{column}”.",
                "Check that it is a table of GraphRAG's output folder.",
                name=path.name,
                column=alternatives[0],
            )
    return rows


def load_parquet(path: Path) -> tuple[list[str], list[Row]]:
    """Return the column names and the rows of a parquet file.

    Raises:
        UserError: it is broken, no parquet, or a small file of far too much data.
    """
    import duckdb

    # A path is no glob pattern here. For an escaped folder DuckDB would list the folder above it,
    # which the process may not read, so the path is relative.
    exact = "".join(f"[{c}]" if c in "*?[" else c for c in os.path.relpath(path))
    settings: dict[str, str | bool | int | float | list[str]] = {
        "threads": 1,
        "memory_limit": "1GB",
        "temp_directory": "",
        # no downloads
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    try:
        with duckdb.connect(":memory:", config=settings) as connection:
            counted = connection.execute("SELECT count(*) FROM read_parquet(?)", [exact])
            if (counted.fetchone() or (0,))[0] > MAX_TABLE_ROWS:
                raise _too_much_data(path)
            found = connection.execute("SELECT * FROM read_parquet(?)", [exact])
            names = [column[0] for column in found.description]
            rows: list[Row] = []
            size = 0
            while (row := found.fetchone()) is not None:  # many rows at once may need gigabytes
                rows.append(dict(zip(names, row, strict=True)))
                size += _count_size(row)
                if size > MAX_TABLE_SIZE:
                    raise _too_much_data(path)
            return names, rows
    except duckdb.OutOfMemoryException as error:
        raise _too_much_data(path) from error
    except duckdb.Error as error:
        reason = str(error).splitlines()[0]
        raise UserError(
            "“{name}” is not a valid Parquet file ({reason}).",
            "Write or copy it again.",
            name=path.name,
            reason=reason,
        ) from error


def _too_much_data(path: Path) -> UserError:
    return UserError(
        "“{name}” unpacks to far too much data.", "Don't trust this file.", name=path.name
    )


def _count_size(value: object) -> int:
    """Return about how many bytes of memory a value takes: characters and elements."""
    if isinstance(value, (str, bytes)):
        return len(value)
    if isinstance(value, Mapping):
        return sum(map(_count_size, value.values()))
    return sum(map(_count_size, value)) if isinstance(value, (list, tuple)) else 8


def _first(row: Row, *columns: str) -> Any:
    return next((row[c] for c in columns if row.get(c) is not None), None)


def _read_texts(graph: ImportedGraph, documents: Sequence[Row], units: Sequence[Row]) -> None:
    document_of: dict[str, str] = {}
    for row in documents:
        key = str(row.get("id"))
        title = clean_imported_name(row.get("title"))
        for unit in split_keys(_first(row, "text_unit_ids", "text_units")):
            document_of.setdefault(unit, key)
        graph.documents.append(
            ImportedDocument(
                key,
                Path(title).stem if Path(title).suffix in (".txt", ".md", ".csv") else title,
                title,
                clean_imported_text(_first(row, "text", "raw_content")),
            )
        )
    known = {document.key for document in graph.documents}
    for number, row in enumerate(units):
        key, text = str(row.get("id")), clean_imported_text(_first(row, "text", "chunk"))
        if not text.strip():
            graph.left_out[Message("passages without text")] += 1
            continue
        listed = split_keys(_first(row, "document_ids", "document_id"))
        document = next((d for d in listed if d in known), "") or document_of.get(key, "")
        document = document or (listed[0] if listed else "text_units")
        graph.chunks.append(ImportedChunk(key, text, document, number))
    for key in dict.fromkeys(chunk.document for chunk in graph.chunks):
        if key not in known:
            graph.documents.append(ImportedDocument(key))


def _turned(units: Sequence[Row], *columns: str) -> dict[str, tuple[str, ...]]:
    """Return the text units of each id: older tables have only the opposite direction."""
    found: dict[str, list[str]] = defaultdict(list)
    for row in units:
        for key in split_keys(_first(row, *columns)):
            found[key].append(str(row.get("id")))
    return {key: tuple(of) for key, of in found.items()}


def _read_claims(graph: ImportedGraph, covariates: Sequence[Row]) -> None:
    for row in covariates:
        subject = clean_imported_name(row.get("subject_id"))
        quote = clean_imported_text(row.get("source_text"))
        if not subject or not quote.strip():
            graph.left_out[Message("claims without a subject or a quote")] += 1
            continue
        status = str(row.get("status") or "").strip().casefold()
        graph.claims.append(
            ImportedClaim(
                subject=subject,
                type=clean_imported_name(row.get("type")) or "claim",
                status=status if status in ("true", "false", "suspected") else "suspected",
                description=" ".join(split_fragments(row.get("description"))),
                quote=quote,
                chunk=next(iter(split_keys(row.get("text_unit_id"))), ""),
                object=clean_imported_name(row.get("object_id")),
                start_date=clean_imported_name(row.get("start_date")),
                end_date=clean_imported_name(row.get("end_date")),
            )
        )
