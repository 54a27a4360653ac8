"""Reads a LightRAG working folder: its graphml file and its key-value stores.

LightRAG's own graph is undirected: its file names the ends of an edge in no particular order, so
their direction is not known. A file that calls itself directed, and our own export, state it.
`graph_chunk_entity_relation.graphml` holds names and relations, `kv_store_text_chunks.json` the
passages, `kv_store_full_docs.json` the texts. Newer versions have the complete sources of a name
in `kv_store_entity_chunks.json`. A single graphml file, such as our own export, is enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

from ...errors import UserError, cannot_read
from ...messages import Message
from ...model import FORWARD, UNDIRECTED, parse_direction
from .custom_kg import NO_FILE, load_json_file
from .model import (
    SEPARATOR,
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

ORIGIN = "LightRAG"
GRAPH_FILE = "graph_chunk_entity_relation.graphml"
CHUNKS_FILE = "kv_store_text_chunks.json"
DOCUMENTS_FILE = "kv_store_full_docs.json"
STATUS_FILE = "kv_store_doc_status.json"
ENTITY_CHUNKS_FILE = "kv_store_entity_chunks.json"
RELATION_CHUNKS_FILE = "kv_store_relation_chunks.json"


def read_lightrag(folder: Path) -> ImportedGraph:
    """Return the graph of a working folder.

    Raises:
        UserError: a file is missing or broken; the hint says what to do.
    """
    if not (folder / GRAPH_FILE).is_file():
        raise UserError(
            "“{name}” has passages of LightRAG but no “{graph_file}”.",
            "Copy the whole working folder; graphs kept in a database server can't be read.",
            name=folder.name,
            graph_file=GRAPH_FILE,
        )
    graph = ImportedGraph(ORIGIN, folder.name)
    chunks = _load_store(folder / CHUNKS_FILE)
    _read_texts(graph, folder, chunks)
    _read_graphml(
        graph,
        folder / GRAPH_FILE,
        _load_store(folder / ENTITY_CHUNKS_FILE),
        _load_store(folder / RELATION_CHUNKS_FILE),
    )
    return graph


def read_graphml(path: Path) -> ImportedGraph:
    """Return the graph of one graphml file, without texts."""
    graph = ImportedGraph(ORIGIN if path.name == GRAPH_FILE else "custom", path.name)
    _read_graphml(graph, path, {}, {})
    return graph


def _load_store(path: Path) -> Mapping[str, Any]:
    if not path.is_file():
        return {}
    found = load_json_file(path)
    if not isinstance(found, Mapping) or not all(isinstance(v, Mapping) for v in found.values()):
        raise UserError(
            "“{name}” is not a key-value store of LightRAG.",
            "Copy the working folder again.",
            name=path.name,
        )
    return found


def _read_texts(graph: ImportedGraph, folder: Path, chunks: Mapping[str, Any]) -> None:
    texts = _load_store(folder / DOCUMENTS_FILE)
    status = _load_store(folder / STATUS_FILE)
    named: dict[str, str] = {}
    for number, (key, entry) in enumerate(chunks.items()):
        text = clean_imported_text(entry.get("content"))
        if not text.strip():
            graph.left_out[Message("passages without text")] += 1
            continue
        document = str(entry.get("full_doc_id") or key)
        named.setdefault(document, _file_name(entry))
        order = entry.get("chunk_order_index")
        graph.chunks.append(
            ImportedChunk(key, text, document, order if isinstance(order, int) else number)
        )
    for key in dict.fromkeys((*texts, *named)):
        entry, state = texts.get(key, {}), status.get(key, {})
        file_name = _file_name(entry) or _file_name(state) or named.get(key, "")
        graph.documents.append(
            ImportedDocument(
                key, Path(file_name).stem, file_name, clean_imported_text(entry.get("content"))
            )
        )


def _file_name(entry: Mapping[str, Any]) -> str:
    value = entry.get("file_path")
    first = value.split(SEPARATOR)[0] if isinstance(value, str) else ""
    name = Path(first.replace("\\", "/")).name
    return "" if name.casefold() in NO_FILE else name


def _read_graphml(
    graph: ImportedGraph,
    path: Path,
    entity_chunks: Mapping[str, Any],
    relation_chunks: Mapping[str, Any],
) -> None:
    import networkx as nx

    try:
        found = nx.read_graphml(path)
    except OSError as error:
        raise cannot_read(path, error) from error
    except (ParseError, nx.NetworkXError, ValueError, KeyError, TypeError) as error:
        raise UserError(
            "“{name}” is not valid GraphML: {reason}.",
            "Write or copy it again.",
            name=path.name,
            reason=error,
        ) from error
    name_of: dict[Any, str] = {}
    for node, values in found.nodes(data=True):
        given = values.get("entity_id") or values.get("label") or node
        name = clean_imported_name(given)
        if not name:
            graph.left_out[Message("names that are empty or too long")] += 1
            continue
        name_of[node] = name
        graph.entities.append(
            ImportedEntity(
                name=name,
                type=clean_imported_name(values.get("entity_type") or values.get("type")),
                descriptions=split_fragments(values.get("description")),
                chunks=_sources(values, entity_chunks.get(str(given))),
                aliases=tuple(
                    filter(
                        None, map(clean_imported_name, str(values.get("aliases", "")).split("|"))
                    )
                ),
            )
        )
    for a, b, values in found.edges(data=True):
        if a not in name_of or b not in name_of:
            graph.left_out[Message("connections of names that are empty or too long")] += 1
            continue
        key = SEPARATOR.join(sorted((str(a), str(b))))
        graph.relations.append(
            ImportedRelation(
                source=name_of[a],
                target=name_of[b],
                descriptions=split_fragments(values.get("description")),
                keywords=split_keywords(values.get("keywords")),
                weight=read_weight(values.get("weight"), graph.left_out),
                chunks=_sources(values, relation_chunks.get(key)),
                direction=_read_direction(values, is_directed=found.is_directed()),
                kind=clean_kind(values.get("kind")),
            )
        )


def _read_direction(values: Mapping[str, Any], *, is_directed: bool) -> int:
    if "direction" in values:
        return parse_direction(values["direction"])
    return FORWARD if is_directed else UNDIRECTED


def _sources(values: Mapping[str, Any], complete: object) -> tuple[str, ...]:
    """Return the passages of a name or relation: newer versions shorten the list in the graph."""
    listed = complete.get("chunk_ids") if isinstance(complete, Mapping) else None
    return tuple(dict.fromkeys((*split_keys(values.get("source_id")), *split_keys(listed))))
