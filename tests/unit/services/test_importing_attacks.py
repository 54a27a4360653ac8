"""Foreign graphs are read in a child process: no file ends or fills the program."""

from __future__ import annotations

import hashlib
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
from desktop_app.engine.services.importing import reader
from desktop_app.engine.services.importing.custom_kg import read_custom_kg
from desktop_app.engine.services.importing.formats import read_graph
from desktop_app.engine.services.importing.model import (
    ImportedClaim,
    ImportedDocument,
    ImportedEntity,
    ImportedRelation,
)
from desktop_app.engine.services.importing.planning import Plan, plan_import
from desktop_app.engine.services.importing.reader import GraphLimits, GraphReader
from desktop_app.engine.services.importing.reader_protocol import (
    PlanAssembler,
    ReceivedDocument,
    ReceivedPlan,
    TooMuchData,
    encode_plan,
)
from desktop_app.engine.services.importing.service import import_graph
from desktop_app.engine.text import parser_process

CHUNK = {"content": "Clara Wren winds the clocks.", "source_id": "a"}
GOOD = {"chunks": [CHUNK], "entities": [{"entity_name": "Clara Wren", "source_id": "a"}]}
SMALL = GraphLimits(memory_bytes=400_000_000)


def plan(path: Path, limits: GraphLimits | None = None) -> ReceivedPlan:
    return GraphReader(limits).plan(path, lambda sha256: None, cancel=CancelToken())


def read_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def write_table(path: Path, query: str) -> None:
    with duckdb.connect(":memory:") as connection:
        connection.execute(f"COPY ({query}) TO '{path}' (FORMAT parquet, COMPRESSION zstd)")


def load_all(document: ReceivedDocument) -> tuple:
    return (*document.load_text(), {one.chunk_order: one for one in document.iter_evidence()})


def make_plan(description: str = "winds clocks") -> Plan:
    """Return a plan with evidence of every kind."""
    graph = read_custom_kg(GOOD, name="good")
    graph.documents.append(ImportedDocument("long", text="Clara winds 钟。" * (PIECE_CHARS // 5)))
    graph.entities.append(ImportedEntity("clocks", "object", (description,), ("a",), ("winds",)))
    graph.relations.append(
        ImportedRelation("Clara Wren", "clocks", ("winds",), ("k",), 2.5, ("a",))
    )
    graph.claims.append(
        ImportedClaim("Clara Wren", "t", "true", "d", "winds the clocks", "a", "o", "1", "2")
    )
    return plan_import(graph, lambda sha256: None, CancelToken())


def send(made: Plan, max_bytes: int = 100_000_000) -> ReceivedPlan:
    assembler = PlanAssembler(max_bytes, {})
    for items in encode_plan(made):
        frame = json.dumps(items).encode()
        assembler.add(frame, json.loads(frame))
    return assembler.finish()


def test_the_child_gives_the_same_plan(tmp_path):
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(GOOD), "utf-8")
    here = plan_import(read_graph(path), lambda sha256: None, CancelToken())
    [document], [expected] = plan(path).documents, here.documents
    assert load_all(document) == (expected.read, expected.spans, expected.evidence)


def test_a_plan_comes_through_the_protocol_unchanged():
    made = make_plan("x" * 3 * PIECE_CHARS)  # the evidence of one chunk needs several frames
    received = send(made)
    assert [load_all(d) for d in received.documents] == [
        (d.read, d.spans, d.evidence) for d in made.documents
    ]
    assert [d.sha256 for d in received.documents] == [d.sha256 for d in made.documents]
    counts = received.n_names, received.n_relations, received.n_claims
    assert counts == (made.found.n_names, made.found.n_relations, made.found.n_claims)
    assert all(counts)


def test_the_version_of_a_document_is_that_of_its_evidence():
    """Libraries of earlier versions hold it, so that a second import changes nothing."""
    made = make_plan()
    evidence = made.documents[0].evidence
    content = repr([(order, evidence[order]) for order in sorted(evidence)])
    digest = hashlib.sha256(content.encode()).hexdigest()[:16]
    assert send(made).documents[0].version == digest


EVIDENCE = {"evidence": 0, "rows": [[], [], [], [], [], []]}


def rows_of(kind: int, row: list) -> list:
    return [[row] if number == kind else [] for number in range(5)]


@pytest.mark.parametrize(
    "item",
    [
        EVIDENCE | {"evidence": 7},
        EVIDENCE | {"evidence": -1},
        EVIDENCE | {"rows": []},
        EVIDENCE | {"rows": rows_of(0, ["Clara"])},
        EVIDENCE | {"rows": rows_of(0, [1, "person", 0, 1, 0, 1])},
        EVIDENCE | {"rows": rows_of(0, ["Clara", "person", 0, 999, 0, 1])},
        EVIDENCE | {"rows": rows_of(0, ["half \ud800", "person", 0, 1, 0, 1])},
        EVIDENCE | {"rows": rows_of(1, ["a", "b", 0, 1, "heavy", "", []])},
        EVIDENCE | {"rows": rows_of(1, ["a", "b", 0, 1, -1, "", []])},
        EVIDENCE | {"rows": rows_of(4, ["a"])},
        {"spans": [[0, 999, 1, ""]]},
        {"spans": [["a", 1, 1, ""]]},
        {"library": "x"},
        {"text": 5},
    ],
)
def test_a_row_that_no_reader_sends_is_an_error(item):
    assembler = PlanAssembler(1_000_000, {})
    [head, start, text, spans, *_] = encode_plan(
        plan_import(read_custom_kg(GOOD), lambda sha256: None, CancelToken())
    )
    for items in (head, start, text, spans):
        assembler.add(json.dumps(items).encode(), items)
    with pytest.raises(ProtocolError):
        frame = json.dumps([item]).encode()
        assembler.add(frame, [item])
        assembler.finish()


def test_the_size_of_a_plan_is_limited():
    with pytest.raises(TooMuchData):
        send(make_plan(), 100_000)


def test_a_small_table_of_far_too_much_data_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(reader, "_MIN_BYTES", reader._MIN_BYTES // 10)
    write_table(tmp_path / "entities.parquet", "SELECT 'Clara' AS title FROM range(10)")
    write_table(
        tmp_path / "relationships.parquet",
        "SELECT 'Clara' AS source, 'b' AS target, repeat('x', 4000) AS description"
        " FROM range(10000)",
    )
    before = read_memory()
    with pytest.raises(UserError, match="far too much data"):
        plan(tmp_path)
    assert read_memory() - before < 150_000_000


def test_json_that_is_nested_too_deep_is_refused(tmp_path):
    path = tmp_path / "deep.json"
    path.write_text('{"chunks": ' + "[" * 100_000 + "]" * 100_000 + "}", "utf-8")
    with pytest.raises(UserError, match=r"deep\.json"):
        plan(path)


def test_a_graph_that_needs_too_much_memory_is_refused(tmp_path):
    path = tmp_path / "many.json"
    path.write_text('{"chunks": [' + "{}," * 20_000_000 + "{}]}", "utf-8")
    with pytest.raises(UserError, match=r"more than 0\.4 GB"):
        plan(path, SMALL)


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
        plan(path)


def test_half_characters_do_no_harm(library, tmp_path):
    path = tmp_path / "half.json"
    names = ["Clara \ud800 Wren", "\udfff Ann Wren", "\ud83d Tom Wren"]
    entities = [{"entity_name": name, "source_id": "a"} for name in names]
    chunk = {"content": f"{', '.join(names)} wind the clocks.", "source_id": "a"}
    path.write_text(json.dumps({"chunks": [chunk], "entities": entities}), "utf-8")
    assert import_graph(library.writer, path, find_names=False).n_entities == len(names)


def test_a_pipe_is_refused(tmp_path):
    path = tmp_path / "pipe.json"
    os.mkfifo(path)
    with pytest.raises(UserError, match="a device or a pipe"):
        plan(path)


def test_a_link_out_of_the_folder_is_not_followed(tmp_path):
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "entities.parquet").write_bytes(b"PAR1")
    folder = tmp_path / "graph"
    folder.mkdir()
    (folder / "entities.parquet").symlink_to(secret / "entities.parquet")
    (folder / "relationships.parquet").symlink_to(secret / "entities.parquet")
    with pytest.raises(UserError, match="not a valid Parquet"):
        plan(folder)


def test_cancelling_ends_the_child(tmp_path, monkeypatch):
    path = tmp_path / "many.json"
    path.write_text('{"chunks": [' + "{}," * 5_000_000 + "{}]}", "utf-8")
    token = CancelToken()
    pids: list[int] = []
    send = parser_process.ParserProcess.send

    def send_and_cancel(self, request, content=None):
        send(self, request, content)
        pids.append(self.pid)
        thread = threading.Thread(target=token.cancel)
        thread.start()
        thread.join()

    monkeypatch.setattr(parser_process.ParserProcess, "send", send_and_cancel)
    with pytest.raises(Cancelled):
        GraphReader().plan(path, lambda sha256: None, cancel=token)
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)


def test_a_reader_without_an_answer_is_ended(tmp_path):
    path = tmp_path / "many.json"
    path.write_text('{"chunks": [' + "{}," * 3_000_000 + "{}]}", "utf-8")
    with pytest.raises(UserError, match="did not answer"):
        plan(path, GraphLimits(silence_s=-8.9))
