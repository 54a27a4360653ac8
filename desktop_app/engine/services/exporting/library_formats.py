"""Exports of the whole library for databases and graph programs, by format.

`LIBRARY_FORMATS` says which there are, what each makes and by which command it is loaded; commands
and the window read it.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ...communities.updater import refresh_communities
from ...progress import CancelToken
from ...store.db import Db
from .duckdb_folder import export_duckdb
from .library_tables import TABLES, LibraryTables
from .neo4j import ARGUMENTS, export_cypher, export_neo4j
from .networkx_json import export_networkx
from .postgresql import export_postgresql
from .turtle_rdf import export_turtle


@dataclass(frozen=True, slots=True)
class LibraryFormat:
    """A format of a whole library.

    Attributes:
        ending: of the file; "" for a folder.
        load: returns the words, for a shell, of the command that loads it from a place.
    """

    write: Callable[[LibraryTables, Path], None]
    ending: str
    load: Callable[[str], str]


def _quote_code(code: str) -> str:
    """Return code as one word for a shell; it has quotation marks of the other kind, if it can."""
    return shlex.quote(code) if any(c in code for c in '"$`\\!') else f'"{code}"'


def _import_into_duckdb(place: str) -> str:
    escaped = place.replace("'", "''")
    code = f"IMPORT DATABASE '{escaped}'"
    return f"duckdb library.duckdb -c {_quote_code(code)}"


def _parse_turtle(place: str) -> str:
    code = f"import rdflib; g = rdflib.Graph().parse({place!r}); print(len(g))"
    return f"python -c {_quote_code(code)}"


def _load_networkx(place: str) -> str:
    code = (
        "import json, networkx; g = networkx.node_link_graph("
        f"json.load(open({place!r}, encoding='utf-8')), edges='edges'); print(g)"
    )
    return f"python -c {_quote_code(code)}"


LIBRARY_FORMATS = {
    "neo4j": LibraryFormat(
        export_neo4j,
        "",
        lambda place: (
            f"cd {shlex.quote(place)} && neo4j-admin database import full neo4j @{ARGUMENTS}"
        ),
    ),
    "cypher": LibraryFormat(
        export_cypher, ".cypher", lambda place: f"cypher-shell -f {shlex.quote(place)}"
    ),
    "postgresql": LibraryFormat(
        export_postgresql,
        ".sql",
        lambda place: f"psql -v ON_ERROR_STOP=1 -d DATABASE -f {shlex.quote(place)}",
    ),
    "duckdb": LibraryFormat(export_duckdb, "", _import_into_duckdb),
    "turtle": LibraryFormat(export_turtle, ".ttl", _parse_turtle),
    "networkx": LibraryFormat(export_networkx, ".json", _load_networkx),
}


def build_load_command(format_: str, path: Path) -> str:
    """Return the command that loads an export, for a shell."""
    return LIBRARY_FORMATS[format_].load(path.as_posix())


def export_library(
    db: Db, path: Path, format_: str, *, cancel: CancelToken | None = None
) -> dict[str, int]:
    """Write a library in one of `LIBRARY_FORMATS`; return the number of rows of each table.

    All of it is one state of the library, also while another connection changes it.

    Args:
        db: communities are updated first if this connection may write.

    Raises:
        UserError: something else is at this place.
        EnvironmentProblem: the file or folder can't be written.
        Cancelled: the token was set; nothing is left of the export.
    """
    if db.is_writable:
        refresh_communities(db)
    tables = LibraryTables(db, cancel or CancelToken())
    with db.snapshot():
        LIBRARY_FORMATS[format_].write(tables, path)
    return {table.name: tables.counts[table.name] for table in TABLES}
