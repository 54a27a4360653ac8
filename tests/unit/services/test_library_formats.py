"""Tests exports to databases and graph programs: each is loaded there and compared with the tables.

DuckDB, PostgreSQL, networkx, rdflib and an engine that runs Cypher load what is written. The CSV
files for Neo4j are read by the rules of its importer.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import duckdb
import networkx
import postgast
import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.cli.export import DATABASE_FORMATS
from desktop_app.engine.communities.updater import refresh_communities
from desktop_app.engine.errors import Cancelled, EnvironmentProblem, UserError
from desktop_app.engine.model import BACKWARD
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.exporting import neo4j
from desktop_app.engine.services.exporting.library_formats import (
    LIBRARY_FORMATS,
    build_load_command,
    export_library,
)
from desktop_app.engine.services.exporting.library_tables import (
    BOOLEAN,
    INTEGER,
    REAL,
    TABLE,
    TABLES,
    TEXTS,
    LibraryTables,
    clean_text,
)
from desktop_app.engine.services.exporting.neo4j import build_csv_line, build_cypher_value
from desktop_app.engine.services.exporting.parquet_writer import write_parquet
from desktop_app.engine.services.exporting.postgresql import build_copy_line
from desktop_app.engine.services.exporting.turtle_rdf import VOCABULARY, build_node, quote_text
from desktop_app.engine.services.library import Library
from desktop_app.engine.store import graph
from desktop_app.engine.store.db import Db
from tests.awkward_texts import AWKWARD_TEXTS
from tests.books import BOOK, add_book
from tests.cypher_process import CypherProcess
from tests.postgres_server import DATABASE, PostgresServer
from tests.read_only import read_only

SPECIAL = '"\'`\\ \\u0041 \\. \\N {a,"b"} $$;\n\n\r\t//x黑爾\U0001f600<b>&amp;\u2028\x07'
CHAPTERS = (
    f"Tobias {SPECIAL} met Petrel. ",
    "“Hale,” cried Clara, “is here!” Marsh came, too. Clara loved Marsh. ",
)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    made = Library(tmp_path_factory.mktemp("library") / "two books.inkgraph")
    add_book(made)
    add_book(made, CHAPTERS, title=f"Second; {SPECIAL}")
    db = made.writer
    with db.transaction():
        tobias, clara = (
            db.value("SELECT id FROM entity WHERE name = ?", (name,))
            for name in ("Tobias", "Clara")
        )
        ends = min(tobias, clara), max(tobias, clara)
        db.write(
            "UPDATE relation SET direction = 2, kind = 'teacher' WHERE (source_id, target_id) ="
            " (?, ?)",
            ends,
        )
        db.write("INSERT INTO hand_relation(source, target, kind) VALUES ('Clara', 'Tobias', '')")
        db.write("UPDATE entity SET edited = 1, description = ? WHERE id = ?", (SPECIAL, tobias))
        db.write("UPDATE document SET author = 'A. Writer; B. Writer' WHERE id = 1")
        db.write("INSERT INTO page VALUES (1, 0, 'xii', 0, 60), (1, 1, '', 60, 400)")
    add_events(db)
    refresh_communities(db)
    yield made
    made.close()


def add_events(db: Db) -> None:
    """Store "Marsh dies" as the rules do, "Hale meets Clara" and "Clara learns" as a user does."""
    text = db.value("SELECT text FROM document_text WHERE document_id = 1")
    said = "Marsh had sailed with Hale for nine years."
    start = text.index(said)
    with db.transaction():
        mention = db.row(
            "SELECT extraction_id, chunk_id FROM mention WHERE document_id = 1 AND start = ?",
            (start,),
        )
        assert mention is not None
        event_id = db.write(
            "INSERT INTO event(extraction_id, chunk_id, document_id, kind, start, end, word_start,"
            " word_end) VALUES (?, ?, 1, 'dies', ?, ?, ?, ?)",
            (*mention, start, start + len(said), start + 10, start + 16),
        )
        db.write(
            "INSERT INTO event_part(event_id, extraction_id, chunk_id, role, start)"
            " VALUES (?, ?, ?, 'actor', ?)",
            (event_id, *mention, start),
        )
    ids = dict(db.rows("SELECT name, id FROM entity"))
    editing = EditingService(db)
    said = "Hale came in from the rain with Clara and Tobias."
    start = text.index(said)
    editing.add_event(
        1, start, start + len(said), "meets", word=(start + 5, start + 9), actors=[ids["Hale"]],
        patients=[ids["Clara"], ids["Tobias"]], places=[ids["Petrel"]],
    )  # fmt: skip
    second = f"Tobias {SPECIAL} met Petrel."
    start = db.value("SELECT text FROM document_text WHERE document_id = 2").index(second)
    editing.add_event(2, start, start + len(second), "learns", actors=[ids["Clara"]])


@pytest.fixture(scope="module")
def tables(library) -> dict[str, list[tuple]]:
    reader = LibraryTables(library.writer)
    return {table.name: list(reader.rows(table.name)) for table in TABLES}


@pytest.fixture(scope="module")
def exported(library, tmp_path_factory) -> dict[str, Path]:
    """Return where each format was written."""
    folder = tmp_path_factory.mktemp("exported") / "my files"
    paths = {name: folder / f"{name}{form.ending}" for name, form in LIBRARY_FORMATS.items()}
    for name, path in paths.items():
        counts = export_library(library.writer, path, name)
        assert counts["entity"] == 5 and min(counts.values()) > 0
    return paths


@pytest.fixture(scope="module")
def ties(tables) -> set[str]:
    """Return the names that Tobias is related to."""
    names = {row[0]: row[1] for row in tables["entity"]}
    pairs = [{names[row[1]], names[row[2]]} for row in tables["relation"]]
    return {name for pair in pairs if "Tobias" in pair for name in pair - {"Tobias"}}


def as_dicts(table: str, rows: list[tuple]) -> list[dict]:
    return [dict(zip([c.name for c in TABLE[table].columns], r, strict=True)) for r in rows]


# --- the tables -----------------------------------------------------------------------------------


def test_the_tables_have_the_rows_that_their_columns_name(tables):
    kinds = {INTEGER: int, REAL: float, BOOLEAN: bool, TEXTS: list}
    ids = {name: {row[0] for row in rows} for name, rows in tables.items()}
    for table in TABLES:
        keys = [tuple(row[table.index(name)] for name in table.key) for row in tables[table.name]]
        assert len(set(keys)) == len(keys)
        for place, column in enumerate(table.columns):
            values = [row[place] for row in tables[table.name]]
            given_ = [value for value in values if value is not None]
            assert column.is_optional or len(given_) == len(values)
            assert {type(value) for value in given_} <= {kinds.get(column.kind, str)}
            if column.refers_to:
                assert set(given_) <= ids[column.refers_to]


def test_sentences_mentions_and_evidence_are_those_of_the_library(library, tables):
    db = library.writer
    texts = dict(db.rows("SELECT document_id, text FROM document_text"))
    sentences = {row["id"]: row for row in as_dicts("sentence", tables["sentence"])}
    for row in sentences.values():
        assert row["text"] == texts[row["document_id"]][row["start_char"] : row["end_char"]]
        assert row["id"] == f"{row['document_id']}:{row['start_char']}-{row['end_char']}"
    [first] = [s for s in sentences.values() if (s["document_id"], s["start_char"]) == (1, 0)]
    assert first["heading"] == "Part" and first["page"] == "xii"
    second = [s for s in sentences.values() if s["document_id"] == 1 and s["start_char"] >= 60]
    assert {s["page"] for s in second if s["start_char"] < 400} == {"2"}
    for row in as_dicts("mention", tables["mention"]):
        document = sentences[row["sentence_id"]]["document_id"]
        assert texts[document][row["start_char"] : row["end_char"]] == row["name"]
    named = Counter(row[0] for row in tables["mention"])
    proofs = Counter(row["relation_id"] for row in as_dicts("evidence", tables["evidence"]))
    assert {e["id"]: e["n_mentions"] for e in as_dicts("entity", tables["entity"])} == named
    relations = as_dicts("relation", tables["relation"])
    assert {r["id"]: r["n_evidence"] for r in relations} == proofs
    assert [r["id"] for r in relations] == [
        f"{r.source_id}-{r.target_id}"
        for r in sorted(graph.fetch_top_relations(db), key=lambda r: (r.source_id, r.target_id))
    ]


def test_directed_relations_point_forward_and_corrections_are_marked(library, tables):
    [row] = [r for r in as_dicts("relation", tables["relation"]) if r["kind"] == "teacher"]
    stored = next(r for r in graph.fetch_top_relations(library.writer) if r.kind == "teacher")
    assert stored.direction == BACKWARD and row["direction"] == "forward"
    assert (row["source_id"], row["target_id"]) == (stored.target_id, stored.source_id)
    assert [r["id"] for r in as_dicts("relation", tables["relation"]) if r["is_edited"]] == [
        row["id"]
    ]
    edited = [e["name"] for e in as_dicts("entity", tables["entity"]) if e["is_edited"]]
    assert edited == ["Tobias"]


def test_events_have_their_sentences_and_who_takes_part(tables):
    sentences = {row["id"]: row for row in as_dicts("sentence", tables["sentence"])}
    names = {row["id"]: row["name"] for row in as_dicts("entity", tables["entity"])}
    parts = as_dicts("participant", tables["participant"])
    found = [
        (
            event["kind"],
            sentences[event["sentence_id"]]["text"],
            event["end_char"] - event["start_char"],
            event["is_edited"],
            {(p["role"], names[p["entity_id"]], p["name"]) for p in parts
             if p["event_id"] == event["id"]},
        )
        for event in as_dicts("event", tables["event"])
    ]  # fmt: skip
    came, second = BOOK[1].split(". ")[0] + ".", f"Tobias {SPECIAL} met Petrel."
    said = "Marsh had sailed with Hale for nine years."
    assert found == [
        ("meets", came, 4, True, {
            ("actor", "Hale", "Hale"), ("patient", "Clara", "Clara"),
            ("patient", "Tobias", "Tobias"), ("place", "Petrel", ""),
        }),
        ("dies", said, 6, False, {("actor", "Marsh", "Marsh")}),
        ("learns", clean_text(second), len(second), True, {("actor", "Clara", "")}),
    ]  # fmt: skip


def test_the_direction_of_evidence_is_that_of_its_relation(library, tables):
    db = library.writer
    claim, source, target = db.row(
        "SELECT q.id, a.entity_id, b.entity_id FROM claimed_relation q"
        " JOIN entity_name a ON a.name_id = q.source_id"
        " JOIN entity_name b ON b.name_id = q.target_id"
        " WHERE a.entity_id > b.entity_id LIMIT 1"
    )
    with db.transaction():
        db.write("UPDATE claimed_relation SET direction = 1 WHERE id = ?", (claim,))
    [found] = [r for r in as_dicts("evidence", list(_evidence(db))) if r["id"] == claim]
    relation = {r["id"]: r for r in as_dicts("relation", tables["relation"])}[found["relation_id"]]
    is_same = (relation["source_id"], relation["target_id"]) == (source, target)
    with db.transaction():
        db.write("UPDATE claimed_relation SET direction = 0 WHERE id = ?", (claim,))
    assert found["direction"] == ("forward" if is_same else "backward")


def _evidence(db):
    return LibraryTables(db).rows("evidence")


# --- DuckDB ---------------------------------------------------------------------------------------


def test_duckdb_imports_every_row(exported, tables, ties):
    with duckdb.connect() as connection:
        connection.execute(f"IMPORT DATABASE '{exported['duckdb'].as_posix()}'")
        for table in TABLES:
            assert connection.execute(f"FROM {table.name}").fetchall() == tables[table.name]
        found = connection.execute(
            "SELECT other_name, sentence, document, heading FROM tie WHERE name = 'Tobias'"
            " ORDER BY weight DESC"
        ).fetchall()
        described = connection.execute("SELECT count(*) FROM duckdb_tables() WHERE comment <> ''")
        assert described.fetchone() == (len(TABLES),)
    assert {name for name, *_ in found} == ties and len(ties) > 1
    assert any(SPECIAL in sentence for _, sentence, *_ in found)


# --- PostgreSQL -----------------------------------------------------------------------------------


def read_copy_value(text: str):
    """Return a value of COPY's text format by the rules of PostgreSQL's documentation."""
    if text == "\\N":
        return None
    escapes = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v"}
    return re.sub(r"\\(.)", lambda found: escapes.get(found[1], found[1]), text)


def read_array(text: str) -> list[str]:
    """Return the elements of an array as PostgreSQL writes it, with all elements quoted."""
    assert re.fullmatch(r'\{(?:"(?:[^"\\]|\\.)*"(?:,(?=")|(?=\})))*\}', text, re.DOTALL), text
    found = re.findall(r'"((?:[^"\\]|\\.)*)"', text, re.DOTALL)
    return [re.sub(r"\\(.)", r"\1", one, flags=re.DOTALL) for one in found]


def read_script(script: str) -> tuple[str, dict[str, list[tuple]]]:
    """Return the statements of a script without the data, and the rows of each table."""
    blocks = re.split(
        r"^(COPY (\w+) \([^)]*\) FROM stdin;\n)(.*?)^\\\.\n", script, flags=re.M | re.S
    )
    statements, rows = [blocks[0]], {}
    for copy, table, data, rest in zip(*(blocks[n::4] for n in range(1, 5)), strict=True):
        statements += [copy, rest]
        rows[table] = [read_row(table, line) for line in data.split("\n")[:-1]]
    return "".join(statements), rows


def read_row(table: str, line: str) -> tuple:
    convert = {INTEGER: int, REAL: float, BOOLEAN: lambda t: t == "t", TEXTS: read_array}
    cells = map(read_copy_value, line.split("\t"))
    pairs = zip(cells, TABLE[table].columns, strict=True)
    return tuple(None if v is None else convert.get(c.kind, str)(v) for v, c in pairs)


def test_the_script_for_postgresql_has_every_row_and_parses_by_its_grammar(exported, tables):
    statements, rows = read_script(exported["postgresql"].read_text("utf-8"))
    assert rows == tables
    parsed = postgast.parse(statements)
    found = [one.stmt for one in parsed.stmts]
    created = {
        one.create_stmt.relation.relname: [
            part.column_def.colname for part in one.create_stmt.table_elts
        ]
        for one in found
        if one.HasField("create_stmt")
    }
    copied = {
        one.copy_stmt.relation.relname: [part.string.sval for part in one.copy_stmt.attlist]
        for one in found
        if one.HasField("copy_stmt")
    }
    assert created == copied == {t.name: [c.name for c in t.columns] for t in TABLES}
    assert sum(one.HasField("view_stmt") for one in found) == 1
    kinds = [one.WhichOneof("node") for one in found]
    assert kinds.index("transaction_stmt") < kinds.index("create_schema_stmt")
    references = sum(bool(column.refers_to) for table in TABLES for column in table.columns)
    assert kinds.count("alter_table_stmt") == len(TABLES) + references


@pytest.fixture(scope="module")
def postgres(exported) -> Iterator[PostgresServer]:
    """Return a server that loaded the script with the command of docs/EXPORTS.md."""
    with PostgresServer() as server:
        loaded = server.run(build_psql_command(exported["postgresql"]))
        assert (loaded.returncode, loaded.stderr) == (0, "")
        yield server


def build_psql_command(script: Path) -> list[str]:
    command = shlex.split(build_load_command("postgresql", script))
    return [DATABASE if word == "DATABASE" else word for word in command]


def fetch_as_json(server: PostgresServer, table: str) -> list[tuple]:
    lines = server.query(f"SELECT row_to_json(t) FROM inkgraph.{table} t")
    return [tuple(json.loads(line).values()) for line in lines]


def test_postgresql_loads_every_row(postgres, tables):
    assert {name: fetch_as_json(postgres, name) for name in tables} == tables
    described = "SELECT count(*) FROM pg_class WHERE relkind = 'r' AND obj_description(oid) <> ''"
    described += " AND relnamespace = 'inkgraph'::regnamespace"
    assert postgres.query(described) == [str(len(TABLES))]


def test_postgresql_answers_the_first_question_of_the_manual(postgres, ties):
    manual = Path("docs/EXPORTS.md").read_text("utf-8")
    [question] = re.findall(r"^    (SELECT .*? FROM inkgraph\.tie\n.*?);$", manual, re.M | re.S)
    asked = question.replace("'Pip'", "'Tobias'")
    assert asked != question
    lines = postgres.query(f"SELECT row_to_json(found) FROM ({asked}) found")
    found = [json.loads(line) for line in lines]
    assert {one["other_name"] for one in found} == ties
    weights = [one["weight"] for one in found]
    assert weights == sorted(weights, reverse=True)
    assert any(SPECIAL in one["sentence"] for one in found)


def test_postgresql_refuses_a_second_load_and_keeps_the_first(postgres, exported, tables):
    second = postgres.run(build_psql_command(exported["postgresql"]))
    assert second.returncode == 3  # a script that failed with ON_ERROR_STOP: manual of psql
    assert 'schema "inkgraph" already exists' in second.stderr
    for name, rows in tables.items():
        assert postgres.query(f"SELECT count(*) FROM inkgraph.{name}") == [str(len(rows))]


# --- Neo4j ----------------------------------------------------------------------------------------


def read_import(folder: Path) -> tuple[dict, list]:
    """Return {(label, id): (properties, labels)} and relationships as Neo4j's importer reads them.

    Rules: the arguments of a file are separated by white space; an option with several values takes
    the words behind it, so it is not the last; node ids are unique in their group; both ends of a
    relationship exist; an empty field without quotes is no property.
    """
    arguments = shlex.split((folder / "import.args").read_text("utf-8"), comments=True)
    options = [argument.partition("=")[::2] for argument in arguments]
    assert options[-1][0] not in ("--nodes", "--relationships")
    separator = chr(int(dict(options)["--array-delimiter"].removeprefix("U+"), 16))
    assert dict(options)["--multiline-fields"] == "true"
    used, nodes, edges = {"import.args", "indexes.cypher"}, {}, []
    for option, value in options:
        if option == "--nodes":
            used.add(value)
            for record in read_csv(folder / value, separator):
                [(group, identity)] = [(k[1], v) for k, v in record.items() if k[0] == ":ID"]
                labels = record[":LABEL", ""].split(separator)
                assert (group, identity) not in nodes and group in labels
                nodes[group, identity] = ({k: v for k, v in record.items() if isinstance(k, str)},
                                          labels)  # fmt: skip
        elif option == "--relationships":
            type_, _, name = value.partition("=")
            used.add(name)
            for record in read_csv(folder / name, separator):
                ends = [
                    (group, record[role, group])
                    for role in (":START_ID", ":END_ID")
                    for key, group in [k for k in record if isinstance(k, tuple)]
                    if key == role
                ]
                values = {k: v for k, v in record.items() if isinstance(k, str)}
                edges.append((type_, *ends, values))
    assert used == {path.name for path in folder.iterdir()}
    for _, start, end, _ in edges:
        assert start in nodes and end in nodes
    return nodes, edges


def read_csv(path: Path, separator: str):
    """Yield records of a CSV file: property -> value, and (role, group) -> id or labels."""
    text = path.read_bytes().decode("utf-8")  # the importer keeps every kind of line end
    header, _, _ = text.partition("\n")
    convert = {
        "long": int,
        "double": float,
        "boolean": lambda word: {"true": True, "false": False}[word],
        "string": str,
        "string[]": lambda text: text.split(separator),
    }
    # The importer tells "" from an empty field, the csv module does not.
    marked = re.sub(r'(?<=,)(?=,|\n)(?=(?:[^"]*"[^"]*")*[^"]*\Z)', "\\\\N", text)
    for row in list(csv.reader(io.StringIO(marked, newline=""), strict=True))[1:]:
        record = {}
        for field, value in zip(header.split(","), row, strict=True):
            name, _, kind = field.partition(":")
            if not name:
                role = re.fullmatch(r"(ID|START_ID|END_ID|LABEL)(?:\((\w+)\))?", kind)
                assert role, field
                record[f":{role[1]}", role[2] or ""] = value
            elif value != "\\N":
                record[name] = convert[kind](value)
        yield record


def expected_graph(tables) -> tuple[dict, Counter]:
    """Return the properties of each node and how many relationships of each type there are."""
    nodes = {}
    for node in neo4j.NODES:
        for row in as_dicts(node.table, tables[node.table]):
            values = {camel(k): v for k, v in row.items() if k in node.properties}
            nodes[node.label, str(row["id"])] = {
                k: v for k, v in values.items() if v is not None and v != []
            }
    types = Counter()
    for edge in neo4j.EDGES:
        types[edge.type] = sum(
            row[edge.end] is not None for row in as_dicts(edge.table, tables[edge.table])
        )
    return nodes, +types


def camel(name: str) -> str:
    return re.sub("_(.)", lambda found: found[1].upper(), name)


def test_the_importer_of_neo4j_finds_every_row(exported, tables):
    nodes, edges = read_import(exported["neo4j"])
    expected, types = expected_graph(tables)
    assert {key: values for key, (values, _) in nodes.items()} == expected
    assert Counter(type_ for type_, *_ in edges) == types
    by_name = {values["name"]: labels for (label, _), (values, labels) in nodes.items()
               if label == "Entity"}  # fmt: skip
    assert by_name["Clara"] == ["Entity", "Person"]
    proofs = [values for type_, _, _, values in edges if type_ == "EVIDENCE"]
    assert {row["id"] for row in proofs} == {row[0] for row in tables["evidence"]}


def run_script(graph: CypherProcess, script: str) -> None:
    lines = [line for line in script.split("\n") if not line.startswith("//")]
    for statement in "\n".join(lines).split(";\n"):
        if statement.strip():
            graph.run(statement)


def test_the_cypher_script_makes_the_graph_of_the_tables(exported, tables, ties):
    script = exported["cypher"].read_text("utf-8")
    expected, types = expected_graph(tables)
    with CypherProcess() as made:
        run_script(made, script)
        for node in neo4j.NODES:
            fields = ", ".join(f"n.{camel(p)} AS {camel(p)}" for p in node.properties)
            found = made.run(f"MATCH (n:{node.label}) RETURN {fields}")
            without_empty = [{k: v for k, v in r.items() if v not in (None, [])} for r in found]
            wanted = [values for (label, _), values in expected.items() if label == node.label]
            assert sorted(without_empty, key=str) == sorted(wanted, key=str)
        counted = made.run("MATCH ()-[r]->() RETURN type(r) AS type, count(r) AS n")
        assert Counter({row["type"]: row["n"] for row in counted}) == types
        question = "".join(neo4j.FIRST_QUESTION).replace("NAME", "Tobias").rstrip(";\n")
        rows = made.run(question)
        assert {row["y.name"] for row in rows} == ties
        assert any(SPECIAL in row["s.text"] for row in rows)
        assert all(line in script for line in neo4j.FIRST_QUESTION.splitlines())
        assert made.run("MATCH (p:Person) RETURN count(p) AS n") == [{"n": 5}]


# --- networkx and RDF -----------------------------------------------------------------------------


def test_networkx_loads_every_fact(exported, tables):
    data = json.loads(exported["networkx"].read_text("utf-8"))
    made = networkx.node_link_graph(data, edges="edges")
    for table in ("document", "community", "sentence"):
        found = [{"id": key} | values for key, values in made.graph[table].items()]
        wanted = [row | {"id": str(row["id"])} for row in as_dicts(table, tables[table])]
        assert found == wanted
    parts = as_dicts("participant", tables["participant"])
    assert list(made.graph["event"]) == [str(row[0]) for row in tables["event"]]
    for event in as_dicts("event", tables["event"]):
        read = made.graph["event"][str(event["id"])]
        own = [part for part in parts if part["event_id"] == event["id"]]
        assert [{"event_id": event["id"], **one} for one in read.pop("participants")] == own
        assert {"id": event["id"], **read} == event
    mentions = as_dicts("mention", tables["mention"])
    for entity in as_dicts("entity", tables["entity"]):
        node = made.nodes[entity["id"]]
        assert all(node[k] == v for k, v in entity.items() if k != "id")
        own = [m for m in mentions if m["entity_id"] == entity["id"]]
        assert [{"entity_id": entity["id"], **m} for m in node["mentions"]] == own
        member_of = [row[0] for row in tables["community_member"] if row[1] == entity["id"]]
        assert node["communities"] == member_of
    relations = as_dicts("relation", tables["relation"])
    assert made.number_of_edges() == len(relations)
    evidence = as_dicts("evidence", tables["evidence"])
    for relation in relations:
        edge = made.edges[relation["source_id"], relation["target_id"]]
        assert all(edge[key] == value for key, value in relation.items())
        own = [e for e in evidence if e["relation_id"] == relation["id"]]
        assert [{"relation_id": relation["id"], **e} for e in edge["evidence"]] == [
            {"relation_id": e["relation_id"], **e} for e in own
        ]


def test_rdflib_finds_every_sentence_with_its_provenance(exported, tables, ties):
    path = exported["turtle"]
    made = rdflib.Graph().parse(path)
    text = path.read_text("utf-8")
    prefixes = "".join(
        f"PREFIX {prefix} {address}\n"
        for prefix, address in re.findall(r"^@prefix (\S+) (<\S+>) \.$", text, re.M)
    )

    def ask(query: str) -> Counter:
        rows = made.query(prefixes + query)
        return Counter(tuple(v.toPython() if v is not None else None for v in row) for row in rows)

    sentences = as_dicts("sentence", tables["sentence"])
    titles = {row["id"]: row["title"] for row in as_dicts("document", tables["document"])}
    found = ask(
        "SELECT ?title ?start ?end ?words ?page WHERE { ?s a oa:SpecificResource, prov:Entity ;"
        " oa:hasSource/schema:name ?title ; oa:hasSelector [ oa:start ?start ; oa:end ?end ],"
        " [ oa:exact ?words ] . OPTIONAL { ?s schema:pagination ?page } }"
    )
    assert found == Counter(
        (titles[s["document_id"]], s["start_char"], s["end_char"], s["text"], s["page"] or None)
        for s in sentences
    )
    names = {row["id"]: row["name"] for row in as_dicts("entity", tables["entity"])}
    relations = {row["id"]: row for row in as_dicts("relation", tables["relation"])}
    words = {row["id"]: row["text"] for row in sentences}
    assert ask(
        "SELECT ?one ?other ?weight ?kind ?direction ?words ?method WHERE { ?r a rdf:Statement ;"
        " rdf:subject/schema:name ?one ; rdf:object/schema:name ?other ;"
        " prov:wasDerivedFrom ?s ; prov:qualifiedDerivation ?e ."
        " ?e prov:entity ?s ; ink:weight ?weight ; prov:hadActivity/schema:name ?method ."
        " OPTIONAL { ?r ink:kind ?kind ; ink:direction ?direction }"
        " ?s oa:hasSelector/oa:exact ?words }"
    ) == Counter(
        (
            names[relations[e["relation_id"]]["source_id"]],
            names[relations[e["relation_id"]]["target_id"]],
            e["weight"],
            relations[e["relation_id"]]["kind"] or None,
            relations[e["relation_id"]]["direction"] or None,
            words[e["sentence_id"]],
            "instant",
        )
        for e in as_dicts("evidence", tables["evidence"])
    )
    assert ask(
        "SELECT ?name ?written ?start ?end ?words WHERE { ?m a oa:Annotation ; schema:name ?written"
        " ; oa:hasBody/schema:name ?name ; oa:hasTarget [ oa:hasSelector [ oa:start ?start ;"
        " oa:end ?end ] ; oa:hasScope/oa:hasSelector/oa:exact ?words ] }"
    ) == Counter(
        (names[m["entity_id"]], m["name"], m["start_char"], m["end_char"], words[m["sentence_id"]])
        for m in as_dicts("mention", tables["mention"])
    )
    events = {row["id"]: row for row in as_dicts("event", tables["event"])}
    roles = {"actor": "agent", "patient": "object", "place": "location"}
    assert ask(
        "SELECT ?kind ?role ?name ?start ?end ?words ?edited WHERE { ?e a schema:Action ;"
        " ink:kind ?kind ; ?role ?who ; prov:wasDerivedFrom/oa:hasSelector/oa:exact ?words ;"
        " oa:hasTarget/oa:hasSelector [ oa:start ?start ; oa:end ?end ] . ?who schema:name ?name ."
        " OPTIONAL { ?e ink:edited ?edited } }"
    ) == Counter(
        (
            event["kind"],
            f"https://schema.org/{roles[part['role']]}",
            names[part["entity_id"]],
            event["start_char"],
            event["end_char"],
            words[event["sentence_id"]],
            event["is_edited"] or None,
        )
        for part in as_dicts("participant", tables["participant"])
        for event in [events[part["event_id"]]]
    )
    community = as_dicts("community", tables["community"])[0]
    members = [row[1] for row in tables["community_member"] if row[0] == community["id"]]
    assert ask(
        f"SELECT ?name WHERE {{ :community-{community['id']} schema:hasPart/schema:name ?name }}"
    ) == Counter((names[i],) for i in members)
    question = "\n".join(re.findall(r"^# ((?:SELECT|  |\}).*)$", text, re.M))
    assert {row[0] for row in ask(question.replace("NAME", "Tobias"))} == ties
    terms = {str(term) for pair in made for term in pair if str(term).startswith(VOCABULARY)}
    described = {str(s) for s in made.subjects(rdflib.RDFS.comment)}
    assert terms == described


# --- texts ----------------------------------------------------------------------------------------

TEXTS_OF_ANY_KIND = st.one_of(
    st.text(),
    st.text(st.sampled_from("\0\ud800\udfff'\"`\\\n\r\tuU0041N;,.{}[]$-/黑爾\u2028\x1f\x07")),
)


@pytest.fixture(scope="module")
def cypher() -> Iterator[CypherProcess]:
    with CypherProcess() as made:
        yield made


def check_texts(texts: list[str], cypher: CypherProcess) -> None:
    """Check that texts come back as they are from each notation but that of DuckDB."""
    texts = list(map(clean_text, texts))
    line = build_copy_line((*texts, texts, None))
    assert line.count("\n") == 1 and line.endswith("\n")
    *singly, together, none = map(read_copy_value, line[:-1].split("\t"))
    assert (singly, read_array(together), none) == (texts, texts, None)
    written = build_csv_line([*texts, 1])
    [row] = csv.reader(io.StringIO(written, newline=""), strict=True)
    assert row == [*texts, "1"]
    literal = build_cypher_value(texts)
    assert not re.search(r"\\u|[\n\r]", literal)
    found = cypher.run(f"UNWIND {literal} AS x RETURN x")
    assert [one["x"] for one in found] == texts
    nodes = [
        build_node(f"<urn:x:{n}>", "<urn:x:b>", {"<urn:x:c>": [quote_text(text)]})
        for n, text in enumerate(texts)
    ]
    made = rdflib.Graph().parse(data="".join(nodes), format="turtle")
    for n, text in enumerate(texts):
        value = made.value(rdflib.URIRef(f"urn:x:{n}"), rdflib.URIRef("urn:x:c"))
        assert str(value) == text


@settings(max_examples=15)
@given(st.lists(TEXTS_OF_ANY_KIND, max_size=8))
def test_any_text_comes_back_from_every_notation(cypher, texts: list[str]):
    for text in texts:
        assert len(clean_text(text)) == len(text)
    check_texts(texts, cypher)


def test_awkward_texts_come_back(cypher):
    check_texts([text[:5000] for text in AWKWARD_TEXTS.values()], cypher)


def test_awkward_texts_come_back_from_duckdb(tmp_path):
    rows = [(clean_text(text), [clean_text(text)]) for text in AWKWARD_TEXTS.values()]
    path = tmp_path / "it's.parquet"
    columns = {"one": "VARCHAR", "many": "VARCHAR[]"}
    assert write_parquet(path, rows, columns, scratch=tmp_path) == len(rows)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]
    assert duckdb.execute("FROM read_parquet(?)", [str(path)]).fetchall() == rows


# --- files ----------------------------------------------------------------------------------------


def test_a_second_export_has_the_same_bytes_and_replaces_the_first(library, exported):
    for name, path in exported.items():
        files = [path] if path.is_file() else sorted(path.iterdir())
        before = {file.name: file.read_bytes() for file in files}
        export_library(library.writer, path, name)
        assert {file.name: file.read_bytes() for file in files} == before
        assert [p.name for p in path.parent.iterdir() if "unfinished" in p.name] == []


def test_a_full_disk_leaves_what_was_there(library, tmp_path):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    file, folder = tmp_path / "library.sql", tmp_path / "new" / "neo4j"
    file.write_text("earlier")
    resource.setrlimit(resource.RLIMIT_FSIZE, (512, limits[1]))  # as a full disk: writing fails
    try:
        with pytest.raises(EnvironmentProblem, match=r"library\.sql.*can't be written"):
            export_library(library.writer, file, "postgresql")
        with pytest.raises(EnvironmentProblem, match=r"neo4j.*can't be written"):
            export_library(library.writer, folder, "neo4j")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert file.read_text() == "earlier"
    assert sorted(p.name for p in tmp_path.iterdir()) in (["library.sql"], ["library.sql", "new"])
    assert not folder.exists()


def test_a_place_that_cannot_be_written_is_an_error_before_anything_is_read(library, tmp_path):
    locked = tmp_path / "locked"
    locked.mkdir()
    (locked / "old.sql").write_text("earlier")
    with read_only(locked):
        for name, path in (
            ("turtle", locked / "library.ttl"),
            ("postgresql", locked / "old.sql"),
            ("duckdb", locked / "duckdb"),
            ("neo4j", locked),
        ):
            with pytest.raises((EnvironmentProblem, UserError), match=path.name):
                export_library(library.writer, path, name)
        assert [p.name for p in locked.iterdir()] == ["old.sql"]


def test_files_of_the_user_are_not_mixed_with_an_export(library, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UserError, match=r"notes\.txt"):
        export_library(library.writer, tmp_path, "duckdb")
    with pytest.raises(UserError, match="is a file"):
        export_library(library.writer, tmp_path / "notes.txt", "neo4j")
    with pytest.raises(UserError, match="is a folder"):
        export_library(library.writer, tmp_path, "turtle")
    assert [p.name for p in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("name", LIBRARY_FORMATS)
def test_a_cancelled_export_leaves_nothing(library, tmp_path, name):
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        export_library(library.writer, tmp_path / "out", name, cancel=cancel)
    assert list(tmp_path.iterdir()) == []


def test_devices_and_links_are_written_to_and_stay(library, tmp_path):
    (tmp_path / "real.cypher").write_text("earlier")
    link = tmp_path / "link.cypher"
    link.symlink_to(tmp_path / "real.cypher")
    export_library(library.writer, link, "cypher")
    expected = (tmp_path / "real.cypher").read_text("utf-8")
    assert link.is_symlink() and "CREATE (:Entity" in expected
    with tempfile.TemporaryFile() as file:  # as standard output that goes into such a file
        export_library(library.writer, Path(f"/proc/self/fd/{file.fileno()}"), "cypher")
        assert file.read().decode() == expected
    # a device takes everything, and its folder is left alone
    export_library(library.writer, Path("/dev/null"), "cypher")
    assert Path("/dev/null").is_char_device()


def test_a_read_only_connection_exports_too(library, tmp_path):
    db = library.reader()
    counts = export_library(db, tmp_path / "g.json", "networkx")
    assert counts["entity"] == 5


def test_an_empty_library_is_exported(tmp_path):
    made = Library(tmp_path / "empty.inkgraph")
    for name, form in LIBRARY_FORMATS.items():
        counts = export_library(made.writer, tmp_path / f"{name}{form.ending}", name)
        assert set(counts.values()) == {0}
    made.close()
    with duckdb.connect() as connection:
        connection.execute(f"IMPORT DATABASE '{(tmp_path / 'duckdb').as_posix()}'")
        assert connection.execute("SELECT count(*) FROM tie").fetchone() == (0,)
    _, rows = read_script((tmp_path / "postgresql.sql").read_text("utf-8"))
    assert list(rows.values()) == [[]] * len(TABLES)
    data = json.loads((tmp_path / "networkx.json").read_text("utf-8"))
    assert networkx.node_link_graph(data, edges="edges").number_of_nodes() == 0
    assert len(rdflib.Graph().parse(tmp_path / "turtle.ttl")) > 0
    with CypherProcess() as made:
        run_script(made, (tmp_path / "cypher.cypher").read_text("utf-8"))
    assert read_import(tmp_path / "neo4j") == ({}, [])


def test_the_documentation_has_the_commands_and_its_first_questions_are_answered(exported, ties):
    text = (Path(__file__).parents[3] / "docs" / "EXPORTS.md").read_text("utf-8")
    for name, form in LIBRARY_FORMATS.items():
        place = Path(f"library{form.ending}" if form.ending else "FOLDER")
        assert f"| `{name}` |" in text and f"`{build_load_command(name, place)}`" in text
    sql, cypher, python, life = [
        textwrap.dedent(block).replace("Pip", "Tobias")
        for block in re.findall(r"^(?:    \S.*\n(?:     .*\n|    \S.*\n)*)", text, re.M)
    ]
    with duckdb.connect() as connection:
        connection.execute(f"IMPORT DATABASE '{exported['duckdb'].as_posix()}'")
        rows = connection.execute(sql.replace("inkgraph.", "")).fetchall()
        lived = connection.execute(life).fetchall()
    assert {name for name, *_ in rows} == ties
    assert [row[:2] for row in lived] == [("meets", "patient")]
    assert "Hale came in from the rain" in lived[0][3]
    assert cypher == neo4j.FIRST_QUESTION.replace("NAME", "Tobias")
    data = json.loads(exported["networkx"].read_text("utf-8"))
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        exec(python, {"g": networkx.node_link_graph(data, edges="edges")})
    assert all(name in shown.getvalue() for name in ties)


def test_load_commands_name_the_place():
    assert list(LIBRARY_FORMATS) == list(DATABASE_FORMATS)
    for name in LIBRARY_FORMATS:
        words = shlex.split(build_load_command(name, Path("/tmp/my files/x")))
        assert any("/tmp/my files/x" in word for word in words)


@pytest.mark.parametrize("name", ["duckdb", "turtle", "networkx"])
def test_load_commands_are_right_for_any_place(exported, tmp_path, name):
    target = tmp_path / 'it\'s a "test" of $HOME, `pwd`!' / f"x{LIBRARY_FORMATS[name].ending}"
    target.parent.mkdir()
    (shutil.copytree if exported[name].is_dir() else shutil.copyfile)(exported[name], target)
    command = build_load_command(name, target)
    if name == "duckdb":  # its program is not installed with the module
        code = shlex.split(command)[-1]
        with duckdb.connect() as connection:
            connection.execute(code)
            [(n,)] = connection.execute("SELECT count(*) FROM entity").fetchall()
        assert n > 0
        return
    python = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(
        ["sh", "-c", command], env={**os.environ, "PATH": python}, capture_output=True, text=True
    )
    assert ran.returncode == 0 and ran.stdout.strip(), ran.stderr
