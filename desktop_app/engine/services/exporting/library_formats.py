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
        load: the command that loads it, with {path} or, inside quotes, {quoted} for the place.
    """

    write: Callable[[LibraryTables, Path], None]
    ending: str
    load: str


LIBRARY_FORMATS = {
    "neo4j": LibraryFormat(
        export_neo4j,
        "",
        f"cd {{path}} && neo4j-admin database import full neo4j @{ARGUMENTS}",
    ),
    "cypher": LibraryFormat(export_cypher, ".cypher", "cypher-shell -f {path}"),
    "postgresql": LibraryFormat(
        export_postgresql, ".sql", "psql -v ON_ERROR_STOP=1 -d DATABASE -f {path}"
    ),
    "duckdb": LibraryFormat(
        export_duckdb, "", "duckdb library.duckdb -c \"IMPORT DATABASE '{quoted}'\""
    ),
    "turtle": LibraryFormat(
        export_turtle,
        ".ttl",
        "python -c \"import rdflib; g = rdflib.Graph().parse('{quoted}'); print(len(g))\"",
    ),
    "networkx": LibraryFormat(
        export_networkx,
        ".json",
        'python -c "import json, networkx; g = networkx.node_link_graph('
        "json.load(open('{quoted}', encoding='utf-8')), edges='edges'); print(g)\"",
    ),
}


def build_load_command(format_: str, path: Path) -> str:
    """Return the command that loads an export, for a shell."""
    place = path.as_posix()
    return LIBRARY_FORMATS[format_].load.format(path=shlex.quote(place), quoted=place)


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
