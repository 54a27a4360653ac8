"""Reads a graph in the format of LightRAG's `insert_custom_kg`, and Inkgraph's JSON export.

`chunks` (content, source_id, file_path, chunk_order_index), `entities` (entity_name,
entity_type, description, source_id) and `relationships` (src_id, tgt_id, description, keywords,
weight, source_id). The names of our own export (`name`, `type`, `source`, `target`, `relations`)
are accepted as well. A relation goes from `src_id` to `tgt_id`; our own export states its
`direction`. Reads only.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...errors import UserError
from ...messages import Message
from ...model import FORWARD, UNDIRECTED, parse_direction
from ...writing_systems import replace_lone_surrogates
from ..document_import import load_file
from .model import (
    ImportedChunk,
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
    split_keywords,
)

ORIGIN = "custom"
MAX_JSON_BYTES = 1024 * 1024 * 1024
_HINT = Message(
    "It needs lists named “chunks”, “entities” and “relationships”, as LightRAG takes them."
)
Entry = tuple[Message, Mapping[str, Any]]
NO_FILE = frozenset(("", "custom_kg", "unknown_source", "unknown", "no-file-path"))


def load_json_file(path: Path) -> Any:
    """Return the content of a JSON file.

    Raises:
        UserError: it can't be read or is no JSON, with the line of the error.
    """
    try:
        found = json.loads(load_file(path, MAX_JSON_BYTES).decode("utf-8-sig"))
        return json.loads(replace_lone_surrogates(json.dumps(found, ensure_ascii=False)))
    except json.JSONDecodeError as error:
        raise UserError(
            "“{name}” is not valid JSON: there is an error in line {line}, column {column}.",
            "Write or copy it again.",
            name=path.name,
            line=error.lineno,
            column=error.colno,
        ) from error
    except (UnicodeDecodeError, RecursionError) as error:
        raise UserError(
            "“{name}” is not JSON in UTF-8.", "Write it again.", name=path.name
        ) from error


def read_custom_kg(custom_kg: Mapping[str, Any], *, name: str = "custom_kg") -> ImportedGraph:
    """Return the graph of LightRAG's `custom_kg` dictionary.

    Chunks with one `full_doc_id`, else one file, else one `source_id` are one document.

    Raises:
        UserError: a part is no list, or an entry lacks a required field.
    """
    if not isinstance(custom_kg, Mapping):
        raise UserError("“{name}” contains no graph.", _HINT, name=name)
    chunks = _entries(custom_kg, name, "chunks")
    entities = _entries(custom_kg, name, "entities")
    relations = _entries(custom_kg, name, "relationships", "relations")
    if not chunks and not entities and not relations:
        raise UserError("“{name}” has no chunks, entities or relationships.", _HINT, name=name)
    graph = ImportedGraph(ORIGIN, name)
    _read_chunks(graph, chunks)
    for where, entry in entities:
        graph.entities.append(
            ImportedEntity(
                name=_need(entry, where, "entity_name", "name"),
                type=clean_imported_name(entry.get("entity_type", entry.get("type"))),
                descriptions=split_fragments(entry.get("description")),
                chunks=split_keys(entry.get("source_id")),
                aliases=tuple(
                    filter(None, map(clean_imported_name, _aliases(entry.get("aliases"))))
                ),
            )
        )
    for where, entry in relations:
        graph.relations.append(
            ImportedRelation(
                source=_need(entry, where, "src_id", "source"),
                target=_need(entry, where, "tgt_id", "target"),
                descriptions=split_fragments(entry.get("description") or entry.get("sentence")),
                keywords=split_keywords(entry.get("keywords")),
                weight=read_weight(entry.get("weight"), graph.left_out),
                # In our own export a relation's source_id is an entity, not a passage.
                chunks=split_keys(entry.get("source_id")) if "source" not in entry else (),
                direction=_read_direction(entry),
                kind=clean_kind(entry.get("kind")),
            )
        )
    return graph


def _entries(custom_kg: Mapping[str, Any], name: str, *keys: str) -> list[Entry]:
    key = next((k for k in keys if k in custom_kg), keys[0])
    found = custom_kg.get(key) or []
    if not isinstance(found, (list, tuple)):
        raise UserError("“{key}” in “{name}” is not a list.", _HINT, key=key, name=name)
    for number, entry in enumerate(found, 1):
        if not isinstance(entry, Mapping):
            raise UserError(
                "Entry {number} of “{key}” in “{name}” is not an object.",
                _HINT,
                number=number,
                key=key,
                name=name,
            )
    return [
        (Message("Entry {number} of “{key}” in “{name}”", number=number, key=key, name=name), e)
        for number, e in enumerate(found, 1)
    ]


def _need(entry: Mapping[str, Any], where: Message, *keys: str) -> str:
    """Return the value of the first key that is present; the first key is LightRAG's."""
    value = clean_imported_name(next((entry[key] for key in keys if key in entry), None))
    if not value:
        raise UserError(
            "{where} has no “{key}”, or it is empty or too long.",
            "Fill it in, or take the entry out.",
            where=where,
            key=keys[0],
        )
    return value


def _read_direction(entry: Mapping[str, Any]) -> int:
    if "direction" in entry:
        return parse_direction(entry["direction"])
    return FORWARD if "src_id" in entry else UNDIRECTED


def _aliases(value: object) -> list[object]:
    if isinstance(value, str):
        return list(value.split("|"))
    return list(value) if isinstance(value, (list, tuple)) else []


def _read_chunks(graph: ImportedGraph, chunks: list[Entry]) -> None:
    documents: dict[str, ImportedDocument] = {}
    for number, (where, entry) in enumerate(chunks):
        text = clean_imported_text(entry.get("content", entry.get("text")))
        if not text.strip():
            raise UserError(
                "{where} has no “content”.", "Fill it in, or take the entry out.", where=where
            )
        key = next(iter(split_keys(entry.get("source_id"))), f"chunk {number + 1}")
        file_path = entry.get("file_path")
        file_name = Path(file_path).name if isinstance(file_path, str) else ""
        if file_name.casefold() in NO_FILE:
            file_name = ""
        document = str(entry.get("full_doc_id") or file_name or key)
        documents.setdefault(
            document, ImportedDocument(document, title=Path(file_name).stem, file_name=file_name)
        )
        order = entry.get("chunk_order_index")
        graph.chunks.append(
            ImportedChunk(key, text, document, order if isinstance(order, int) else number)
        )
    graph.documents = list(documents.values())
