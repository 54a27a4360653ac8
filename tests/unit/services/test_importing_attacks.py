"""Foreign graphs are read in a child process: no file ends or fills the program."""

from __future__ import annotations

import json
import os
import resource
import threading
from pathlib import Path

import duckdb
import pytest

from desktop_app.engine.child_protocol import PIECE_CHARS, ProtocolError
from desktop_app.engine.errors import Cancelled, UserError
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.services.importing.formats import read_graph
from desktop_app.engine.services.importing.model import (
    ImportedChunk,
    ImportedClaim,
    ImportedDocument,
    ImportedEntity,
    ImportedGraph,
    ImportedRelation,
)
from desktop_app.engine.services.importing.reader import GraphLimits, GraphReader
from desktop_app.engine.services.importing.reader_protocol import (
    GraphAssembler,
    TooMuchData,
    split_graph,
)
from desktop_app.engine.services.importing.service import import_graph
from desktop_app.engine.text import parser_process

CHUNK = {"content": "Clara Wren winds the clocks.", "source_id": "a"}
GOOD = {"chunks": [CHUNK], "entities": [{"entity_name": "Clara Wren", "source_id": "a"}]}
SMALL = GraphLimits(memory_bytes=400_000_000)


def read(path: Path, limits: GraphLimits | None = None) -> ImportedGraph:
    return GraphReader(limits).read(path, cancel=CancelToken())


def read_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def write_table(path: Path, query: str) -> None:
    with duckdb.connect(":memory:") as connection:
        connection.execute(f"COPY ({query}) TO '{path}' (FORMAT parquet, COMPRESSION zstd)")


def test_the_child_gives_the_same_graph(tmp_path):
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(GOOD), "utf-8")
    assert read(path) == read_graph(path)


def test_a_graph_comes_through_the_protocol_unchanged():
    long = "Clara winds 钟。" * PIECE_CHARS
    graph = ImportedGraph("GraphRAG", "out")
    graph.documents = [ImportedDocument("d", "Clocks", "c.txt", long), ImportedDocument("e")]
    graph.chunks = [ImportedChunk("a", long, "d", 3), ImportedChunk("b", "short", "e")]
    graph.entities = [ImportedEntity("Clara", "person", ("one", "two"), ("a", "b"), ("C",))]
    graph.relations = [ImportedRelation("Clara", "clock", ("winds",), ("key",), 2.5, ("a",))]
    graph.claims = [ImportedClaim("Clara", "t", "true", "d", "q", "a", "o", "1", "2")]
    assembler = GraphAssembler(100_000_000)
    for items in json.loads(json.dumps(list(split_graph(graph)))):
        for item in items:
            assembler.add(item)
    assert assembler.finish() == graph


@pytest.mark.parametrize(
    "item",
    [
        {"entity": ["Clara"]},
        {"entity": [1, "", [], [], []]},
        {"relation": ["a", "b", [], [], "heavy", []]},
        {"relation": ["a", "b", [], [], -1, []]},
        {"chunk": ["a", "d", -5, "text"]},
        {"chunk": ["a", "d", 0, "half \ud800"]},
        {"claim": ["a"]},
        {"library": "x"},
        {"more": 5},
    ],
)
def test_a_row_that_no_reader_sends_is_an_error(item):
    assembler = GraphAssembler(1_000_000)
    assembler.add({"graph": ["custom", "x"], "left_out": []})
    with pytest.raises(ProtocolError):
        assembler.add(item)


def test_the_size_of_a_graph_is_limited():
    assembler = GraphAssembler(1_000_000)
    assembler.add({"graph": ["custom", "x"], "left_out": []})
    with pytest.raises(TooMuchData):
        for number in range(10_000):
            assembler.add({"document": [str(number), "", "", ""]})


def test_a_small_table_of_far_too_much_data_is_refused(tmp_path):
    write_table(tmp_path / "entities.parquet", "SELECT 'Clara' AS title FROM range(10)")
    write_table(
        tmp_path / "relationships.parquet",
        "SELECT 'Clara' AS source, 'b' AS target, repeat('x', 4000) AS description"
        " FROM range(100000)",
    )
    before = read_memory()
    with pytest.raises(UserError, match="far too much data"):
        read(tmp_path)
    assert read_memory() - before < 150_000_000


def test_json_that_is_nested_too_deep_is_refused(tmp_path):
    path = tmp_path / "deep.json"
    path.write_text('{"chunks": ' + "[" * 100_000 + "]" * 100_000 + "}", "utf-8")
    with pytest.raises(UserError, match=r"deep\.json"):
        read(path)


def test_a_graph_that_needs_too_much_memory_is_refused(tmp_path):
    path = tmp_path / "many.json"
    path.write_text('{"chunks": [' + "{}," * 20_000_000 + "{}]}", "utf-8")
    with pytest.raises(UserError, match=r"more than 0\.4 GB"):
        read(path, SMALL)


def test_nested_entities_of_graphml_are_refused(tmp_path):
    entities = "".join(
        f'<!ENTITY a{i} "{"&a" + str(i - 1) + ";" if i else "x" * 100}'
        f'{("&a" + str(i - 1) + ";") * 9 if i else ""}">'
        for i in range(10)
    )
    path = tmp_path / "laughs.graphml"
    path.write_text(
        f"<!DOCTYPE graphml [{entities}]><graphml><graph edgedefault='directed'>"
        "<node id='&a9;'/></graph></graphml>",
        "utf-8",
    )
    with pytest.raises(UserError, match=r"laughs\.graphml"):
        read(path)


@pytest.mark.parametrize("name", ["Clara \\ud800", "\\udfff", "\\ud83d"])
def test_half_characters_do_no_harm(library, tmp_path, name):
    path = tmp_path / "half.json"
    text = json.dumps(GOOD).replace("Clara Wren", name + " Clara Wren")
    path.write_text(text, "utf-8")
    assert import_graph(library.writer, path, find_names=False).n_entities == 1


def test_a_pipe_is_refused(tmp_path):
    path = tmp_path / "pipe.json"
    os.mkfifo(path)
    with pytest.raises(UserError, match="a device or a pipe"):
        read(path)


def test_a_link_out_of_the_folder_is_not_followed(tmp_path):
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "entities.parquet").write_bytes(b"PAR1")
    folder = tmp_path / "graph"
    folder.mkdir()
    (folder / "entities.parquet").symlink_to(secret / "entities.parquet")
    (folder / "relationships.parquet").symlink_to(secret / "entities.parquet")
    with pytest.raises(UserError, match="no complete parquet"):
        read(folder)


def test_cancelling_ends_the_child(tmp_path, monkeypatch):
    path = tmp_path / "many.json"
    path.write_text('{"chunks": [' + "{}," * 5_000_000 + "{}]}", "utf-8")
    token = CancelToken()
    pids: list[int] = []
    send = parser_process.ParserProcess.send

    def send_and_cancel(self, request, content=b""):
        send(self, request, content)
        pids.append(self.pid)
        thread = threading.Thread(target=token.cancel)
        thread.start()
        thread.join()

    monkeypatch.setattr(parser_process.ParserProcess, "send", send_and_cancel)
    with pytest.raises(Cancelled):
        GraphReader().read(path, cancel=token)
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)


def test_a_reader_without_an_answer_is_ended(tmp_path):
    path = tmp_path / "many.json"
    path.write_text('{"chunks": [' + "{}," * 3_000_000 + "{}]}", "utf-8")
    with pytest.raises(UserError, match="did not answer"):
        GraphReader(GraphLimits(silence_s=-8.9)).read(path, cancel=CancelToken())
