"""Detects which program made the graph of a file or folder, and reads it.

Runs in the child process of `reader`, because the files may come from anywhere.
"""

from __future__ import annotations

from pathlib import Path

from ...errors import UserError
from ...messages import Message
from . import graphrag, lightrag
from .custom_kg import load_json_file, read_custom_kg
from .model import ImportedGraph

_KINDS = Message(
    "It can be a LightRAG working folder (with graph_chunk_entity_relation.graphml), GraphRAG's"
    " output folder (with entities.parquet), or a JSON file with chunks, entities and"
    " relationships."
)


def read_graph(path: Path) -> ImportedGraph:
    """Return the graph of a file or folder in any supported format.

    Raises:
        UserError: the format is unknown, or a file is missing or broken.
    """
    if not path.exists():
        raise UserError("There is no “{path}”.", "Check the name.", path=path)
    if path.is_file():
        return _read_file(path)
    if not path.is_dir():
        raise UserError(
            "“{name}” is a device or a pipe, not a file.", "Choose another.", name=path.name
        )
    try:
        return _read_folder(path)
    except PermissionError as error:
        raise UserError(
            "“{path}” can't be read.", "Check that you have permission to read it.", path=path
        ) from error


def _read_file(path: Path) -> ImportedGraph:
    suffix = path.suffix.lower()
    is_store = path.name.startswith("kv_store_") or path.name == lightrag.GRAPH_FILE
    if suffix == ".parquet" or (is_store and (path.parent / lightrag.GRAPH_FILE).is_file()):
        return _read_folder(path.parent)
    if suffix == ".graphml":
        return lightrag.read_graphml(path)
    if suffix == ".json":
        return read_custom_kg(load_json_file(path), name=path.name)
    raise UserError("“{name}” contains no graph that Inkgraph can import.", _KINDS, name=path.name)


def _read_folder(path: Path) -> ImportedGraph:
    below = sorted(p for p in path.iterdir() if p.is_dir())
    # A LightRAG workspace is a subfolder of the working folder.
    light = [p for p in (path, *below) if (p / lightrag.GRAPH_FILE).is_file()]
    if (path / lightrag.CHUNKS_FILE).is_file() and path not in light:
        light.insert(0, path)
    # GraphRAG's root has output/; until 0.5 the tables were in output/TIME/artifacts.
    places = [path, path / "output", path / "artifacts"]
    places += sorted(path.glob("output/*/artifacts"), reverse=True)
    graph_rag = [p for p in places if graphrag.find_table(p, "entities")]
    if light and light[0] == path:
        return lightrag.read_lightrag(path)
    if graph_rag:
        return graphrag.read_graphrag(graph_rag[0])
    if len(light) == 1:
        return lightrag.read_lightrag(light[0])
    if light:
        names = ", ".join(p.name for p in light)
        raise UserError(
            "“{name}” has several LightRAG workspaces: {names}.",
            "Choose one of them.",
            name=path.name,
            names=names,
        )
    if graphrag.find_table(path, "relationships") or graphrag.find_table(path, "text_units"):
        return graphrag.read_graphrag(path)
    raise UserError("“{path}” contains no graph that Inkgraph can import.", _KINDS, path=path)
