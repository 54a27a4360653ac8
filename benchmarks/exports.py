"""Exports of a whole library: processor time, size, memory, and loading them where that runs here.

The largest memory is that of the process so far, loading included. Each format is written and then
loaded: by DuckDB, by networkx, by PostgreSQL where `--postgresql`
names an empty database that psql reaches, and the Cypher script by an engine in memory where
`--cypher` is given, which takes long for a large library. The numbers of rows are compared with
those that were written. RDF is counted by its lines: rdflib needs some GB for a large library.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from desktop_app.engine.communities.updater import refresh_communities
from desktop_app.engine.services.exporting.library_formats import LIBRARY_FORMATS, export_library
from desktop_app.engine.services.exporting.library_tables import TABLES
from desktop_app.engine.services.library import Library

from .common import make_parser, print_result


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("library", type=Path, help="a copy is read")
    parser.add_argument("--format", action="append", choices=LIBRARY_FORMATS, default=[])
    parser.add_argument("--postgresql", default="", help="an empty database")
    parser.add_argument("--cypher", action="store_true", help="run the Cypher script, too")
    options = parser.parse_args()
    figures: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.inkgraph"
        shutil.copyfile(options.library, copy)
        library = Library(copy)
        refresh_communities(library.writer)
        for name in options.format or LIBRARY_FORMATS:
            path = Path(folder) / f"{name}{LIBRARY_FORMATS[name].ending}"
            started, used = time.monotonic(), time.process_time()
            counts = export_library(library.writer, path, name)
            line = {
                "cpu_s": round(time.process_time() - used, 1),
                "s": round(time.monotonic() - started, 1),
                "mb": round(measure_size(path) / 1e6, 1),
                "peak_mb": measure_peak_mb(),
                "loaded_s": load(name, path, counts, options.postgresql, options.cypher),
            }
            figures[name] = line
            print(name, line, counts, flush=True)
        library.close()
    print_result("exports", **figures)


def measure_peak_mb() -> int:
    """Return the largest memory of this process so far."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def measure_size(path: Path) -> int:
    """Return the bytes of a file, or of the files of a folder."""
    files = path.iterdir() if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files)


def load(
    name: str, path: Path, counts: dict[str, int], database: str, with_cypher: bool
) -> float | None:
    """Return the seconds of loading an export; None where nothing here loads it.

    Raises:
        SystemExit: other numbers of rows arrived.
    """
    loaders: dict[str, Callable[[], dict[str, int]]] = {
        "duckdb": lambda: count_in_duckdb(path),
        "networkx": lambda: count_in_networkx(path),
    }
    if database:
        loaders["postgresql"] = lambda: count_in_postgresql(path, database)
    if with_cypher:
        loaders["cypher"] = lambda: count_in_cypher(path)
    if name not in loaders:
        return None
    started = time.monotonic()
    found = loaders[name]()
    if wrong := {table: n for table, n in found.items() if n != counts[table]}:
        raise SystemExit(f"{name}: {wrong} instead of {counts}")
    return round(time.monotonic() - started, 1)


def count_in_duckdb(folder: Path) -> dict[str, int]:
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(f"IMPORT DATABASE '{folder.as_posix()}'")
        counts = " UNION ALL ".join(f"SELECT '{t.name}', count(*) FROM {t.name}" for t in TABLES)
        return dict(connection.execute(counts).fetchall())


def count_in_networkx(path: Path) -> dict[str, int]:
    import networkx

    made = networkx.node_link_graph(json.loads(path.read_text("utf-8")), edges="edges")
    return {
        "entity": made.number_of_nodes(),
        "relation": made.number_of_edges(),
        "sentence": len(made.graph["sentence"]),
        "mention": sum(len(found) for _, found in made.nodes(data="mentions")),
        "evidence": sum(len(found) for *_, found in made.edges(data="evidence")),
    }


def count_in_postgresql(path: Path, database: str) -> dict[str, int]:
    psql = ["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", database]
    subprocess.run([*psql, "-f", str(path)], check=True)
    sums = " UNION ALL ".join(f"SELECT '{t.name}', count(*) FROM inkgraph.{t.name}" for t in TABLES)
    done = subprocess.run([*psql, "-At", "-c", sums], check=True, capture_output=True, text=True)
    return {name: int(n) for name, n in (line.split("|") for line in done.stdout.split())}


def count_in_cypher(path: Path) -> dict[str, int]:
    import kglite

    made = kglite.KnowledgeGraph()
    statement: list[str] = []
    with path.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            if line.startswith("//"):
                continue
            statement.append(line)
            if line.endswith(";\n"):
                made.cypher("".join(statement).rstrip(";\n"))
                statement.clear()
    found = {}
    for table in ("entity", "sentence", "relation"):
        rows: Any = made.cypher(f"MATCH (n:{table.capitalize()}) RETURN count(n) AS n")
        found[table] = next(iter(rows.to_list()))["n"]
    return found


if __name__ == "__main__":
    main()
