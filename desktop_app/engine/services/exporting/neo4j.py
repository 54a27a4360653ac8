"""Exports for Neo4j: CSV files for its offline importer, and a Cypher script for a running server.

Both make the same graph: each table with an id becomes nodes, each reference between tables becomes
a relationship. `RELATED_TO` connects entities directly, for algorithms; a `Relation` node beside it
is what evidence can be connected to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from ...model import ENTITY_TYPES
from .library_tables import (
    BOOLEAN,
    INTEGER,
    REAL,
    TABLE,
    TABLES,
    TEXT,
    TEXTS,
    ExportColumn,
    LibraryTables,
    Row,
)
from .output import open_part, write_file, write_folder


@dataclass(frozen=True, slots=True)
class NodeSource:
    """A table whose rows become nodes with this label and these columns as properties."""

    table: str
    label: str
    properties: tuple[str, ...]

    @property
    def file(self) -> str:
        return f"{self.label.lower()}.csv"

    def build_csv_layout(self) -> tuple[list[str], Callable[[Row], list[Any] | None]]:
        """Return the header of its file, and a function that gives the fields of a row."""
        columns, places = (
            _columns(self.table, self.properties),
            _places(self.table, self.properties),
        )
        labels = _node_labels(self)
        header = [f":ID({self.label})", *map(_header, columns), ":LABEL"]
        return header, lambda row: [row[0], *(row[place] for place in places), labels(row)]


@dataclass(frozen=True, slots=True)
class EdgeSource:
    """A table whose rows become relationships; no relationship where an end is empty.

    Attributes:
        start, end: the columns with the ids of the nodes.
        start_label, end_label: of these nodes.
    """

    table: str
    type: str
    start: str
    start_label: str
    end: str
    end_label: str
    properties: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        return f"{self.type.lower()}.csv"

    def build_csv_layout(self) -> tuple[list[str], Callable[[Row], list[Any] | None]]:
        """Return the header of its file, and a function that gives the fields of a row, or None."""
        header = [f":START_ID({self.start_label})", f":END_ID({self.end_label})"]
        header += map(_header, _columns(self.table, self.properties))
        return header, self.build_picker()

    def build_picker(self) -> Callable[[Row], list[Any] | None]:
        """Return a function that gives both ends and the properties, None without an end."""
        places = _places(self.table, (self.start, self.end, *self.properties))
        end = places[1]
        return lambda row: None if row[end] is None else [row[place] for place in places]


def _all_but(table: str, *left_out: str) -> tuple[str, ...]:
    return tuple(c.name for c in TABLE[table].columns if c.name not in left_out)


NODES = (
    NodeSource("document", "Document", _all_but("document")),
    NodeSource("entity", "Entity", _all_but("entity")),
    NodeSource("sentence", "Sentence", _all_but("sentence", "document_id")),
    NodeSource(
        "relation",
        "Relation",
        _all_but("relation", "source_id", "target_id", "best_sentence_id"),
    ),
    # not "Event", which entities of this type have, with ids of their own
    NodeSource("event", "TextEvent", _all_but("event", "sentence_id")),
    NodeSource("community", "Community", _all_but("community", "parent_id")),
)
EDGES = (
    EdgeSource(
        "relation",
        "RELATED_TO",
        *("source_id", "Entity", "target_id", "Entity"),
        ("id", "weight", "kind", "direction", "n_evidence"),
    ),
    EdgeSource("relation", "SOURCE", "id", "Relation", "source_id", "Entity"),
    EdgeSource("relation", "TARGET", "id", "Relation", "target_id", "Entity"),
    EdgeSource("relation", "BEST_EVIDENCE", "id", "Relation", "best_sentence_id", "Sentence"),
    EdgeSource(
        "evidence",
        "EVIDENCE",
        *("relation_id", "Relation", "sentence_id", "Sentence"),
        _all_but("evidence", "relation_id", "sentence_id"),
    ),
    EdgeSource(
        "mention",
        "MENTIONS",
        *("sentence_id", "Sentence", "entity_id", "Entity"),
        _all_but("mention", "sentence_id", "entity_id"),
    ),
    EdgeSource("event", "STATED_BY", "id", "TextEvent", "sentence_id", "Sentence"),
    EdgeSource(
        "participant",
        "PARTICIPANT",
        *("event_id", "TextEvent", "entity_id", "Entity"),
        ("role", "name"),
    ),
    EdgeSource("sentence", "IN_DOCUMENT", "id", "Sentence", "document_id", "Document"),
    EdgeSource("community", "PART_OF", "id", "Community", "parent_id", "Community"),
    EdgeSource(
        "community_member",
        "IN_COMMUNITY",
        *("entity_id", "Entity", "community_id", "Community"),
        ("place",),
    ),
)

ARGUMENTS, INDEXES = "import.args", "indexes.cypher"
FILES = (
    ARGUMENTS,
    INDEXES,
    *(source.file for source in (*NODES, *EDGES)),
)
FIRST_QUESTION = """\
MATCH (x:Entity {name: 'NAME'})<-[:SOURCE|TARGET]-(r:Relation)-[:SOURCE|TARGET]->(y:Entity)
OPTIONAL MATCH (r)-[:BEST_EVIDENCE]->(s:Sentence)-[:IN_DOCUMENT]->(d:Document)
RETURN y.name, r.weight, s.text, d.title, s.heading, s.page ORDER BY r.weight DESC LIMIT 10;
"""
# The importer splits lists at one character and can't escape it. This control character separates
# units by its definition and is in no name.
_SEPARATOR = "\x1f"
_CSV_TYPES = {
    INTEGER: "long",
    REAL: "double",
    BOOLEAN: "boolean",
    TEXT: "string",
    TEXTS: "string[]",
}
# A statement of so many rows stays below a megabyte, which the parser of Neo4j takes at once.
_ROWS_PER_STATEMENT = 500


def export_neo4j(tables: LibraryTables, folder: Path) -> None:
    """Write CSV files for `neo4j-admin database import` and a file with its arguments."""
    with write_folder(folder, FILES) as part:
        for table in TABLES:
            with ExitStack() as files:
                sinks = [
                    (files.enter_context(open_part(part, source.file)), source.build_csv_layout())
                    for source in (*NODES, *EDGES)
                    if source.table == table.name
                ]
                for file, (header, _) in sinks:
                    file.write(",".join(header) + "\n")
                for row in tables.rows(table.name):
                    for file, (_, build) in sinks:
                        if (values := build(row)) is not None:
                            file.write(build_csv_line(values))
        with open_part(part, INDEXES) as file:
            file.write("".join(_build_indexes()))
        with open_part(part, ARGUMENTS) as file:
            file.write(_build_arguments())


def _build_arguments() -> str:
    """Return the arguments of the importer, one per line.

    `--nodes` and `--relationships` take every word that follows them, so another option is last.
    """
    lines = [f"--nodes={node.file}" for node in NODES]
    lines += [f"--relationships={edge.type}={edge.file}" for edge in EDGES]
    lines += [f"--array-delimiter=U+{ord(_SEPARATOR):04X}", "--multiline-fields=true"]
    return "\n".join(lines) + "\n"


def _build_indexes() -> Iterator[str]:
    for node in NODES:
        yield (
            f"CREATE CONSTRAINT {node.label.lower()}_id IF NOT EXISTS"
            f" FOR (n:{node.label}) REQUIRE n.id IS UNIQUE;\n"
        )
    yield "CREATE INDEX entity_name IF NOT EXISTS FOR (n:Entity) ON (n.name);\n"


def _node_labels(node: NodeSource) -> Callable[[Row], str]:
    """Return a function that gives the labels of a row: an entity also has that of its type."""
    if node.table != "entity":
        return lambda row: node.label
    place = TABLE["entity"].index("type")
    return lambda row: _SEPARATOR.join(("Entity", *_type_label(row[place])))


def _type_label(type_: str) -> tuple[str, ...]:
    # Types that users of the command line choose themselves are no valid labels in general.
    return (type_.capitalize(),) if type_ in ENTITY_TYPES else ()


def build_csv_line(values: list[Any]) -> str:
    """Return a line of CSV. Texts are always in quotes: an empty field would be no value."""
    return ",".join(map(_csv_value, values)) + "\n"


def _csv_value(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        if not value:
            return ""
        value = _SEPARATOR.join(one.replace(_SEPARATOR, "\ufffd") for one in value)
    elif not isinstance(value, str):
        return repr(value)
    escaped = value.replace('"', '""')
    return f'"{escaped}"'


def export_cypher(tables: LibraryTables, path: Path) -> None:
    """Write a script of Cypher statements for `cypher-shell`."""
    with write_file(path) as write:
        write(
            "// A library of Inkgraph for Neo4j 5 or newer. Load it into an empty database with\n"
        )
        write("//   cypher-shell -f THIS_FILE\n// First question:\n")
        write("".join(f"//   {line}\n" for line in FIRST_QUESTION.splitlines()))
        write("".join(_build_indexes()))
        for node in NODES:
            names = map(_camel, node.properties)
            values = ", ".join(f"{name}: r[{n}]" for n, name in enumerate(names))
            statement = f"CREATE (:{node.label} {{{values}}})"
            _write_statements(write, _node_rows(tables, node), statement)
        for type_ in ENTITY_TYPES:
            write(f"MATCH (n:Entity {{type: '{type_}'}}) SET n:{type_.capitalize()};\n")
        for edge in EDGES:
            names = map(_camel, edge.properties)
            values = ", ".join(f"{name}: r[{n}]" for n, name in enumerate(names, 2))
            statement = (
                f"MATCH (a:{edge.start_label} {{id: r[0]}})"
                f" MATCH (b:{edge.end_label} {{id: r[1]}})"
                f" CREATE (a)-[:{edge.type}{f' {{{values}}}' if values else ''}]->(b)"
            )
            _write_statements(write, _edge_rows(tables, edge), statement)


def _write_statements(
    write: Callable[[str], object], rows: Iterator[list[Any]], statement: str
) -> None:
    while part := list(islice(rows, _ROWS_PER_STATEMENT)):
        write("UNWIND [\n")
        write(",\n".join(map(build_cypher_value, part)))
        write(f"\n] AS r {statement};\n")


_CYPHER_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_CYPHER_SPECIAL = re.compile(r"[\\'\n\r\t]")


def build_cypher_value(value: Any) -> str:
    """Return a value as a Cypher literal.

    Older parsers replace a backslash with "u" and four digits before they read strings, even behind
    another backslash, so these two characters are put into two strings.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{','.join(map(build_cypher_value, value))}]"
    if not isinstance(value, str):
        return repr(value)
    text = _CYPHER_SPECIAL.sub(lambda found: _CYPHER_ESCAPES[found[0]], value)
    return "'" + text.replace("\\\\u", "\\\\'+'u") + "'"


def _node_rows(tables: LibraryTables, node: NodeSource) -> Iterator[list[Any]]:
    places = _places(node.table, node.properties)
    for row in tables.rows(node.table):
        yield [row[place] for place in places]


def _edge_rows(tables: LibraryTables, edge: EdgeSource) -> Iterator[list[Any]]:
    build = edge.build_picker()
    for row in tables.rows(edge.table):
        if (values := build(row)) is not None:
            yield values


def _places(table: str, names: tuple[str, ...]) -> list[int]:
    return [TABLE[table].index(name) for name in names]


def _columns(table: str, names: tuple[str, ...]) -> list[ExportColumn]:
    return [TABLE[table].columns[place] for place in _places(table, names)]


def _header(column: ExportColumn) -> str:
    return f"{_camel(column.name)}:{_CSV_TYPES[column.kind]}"


def _camel(name: str) -> str:
    """Return the name of a column in the style of Neo4j: `n_mentions` is `nMentions`."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
