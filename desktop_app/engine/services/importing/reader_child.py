"""The process that reads a graph: `python -m desktop_app.engine.services.importing.reader_child`.

Started by `reader` for one import. It may read the files of that import, and nothing else of the
person (`child_sandbox`).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO, Any

from ...child_protocol import write_frame
from ...child_sandbox import limit_processor_time
from ...text.parser_child import serve
from .formats import read_graph
from .reader_protocol import split_graph


def prepare() -> None:
    """Import what reads the tables and the graphs."""
    import duckdb
    import networkx  # noqa: F401

    duckdb.connect(":memory:").close()


def answer(requests: IO[bytes], answers: IO[bytes], request: dict[str, Any]) -> None:
    """Read one file or folder and send its graph in pieces."""
    write_frame(answers, [{"begun": True}])
    limit_processor_time(request["processor_s"])
    path = Path(request["path"])
    if path.exists():
        os.chdir(path if path.is_dir() else path.parent)
    for items in split_graph(read_graph(path)):
        write_frame(answers, items)
    write_frame(answers, [{"end": True}])


def main() -> int:
    """Answer requests until stdin is closed."""
    return serve(prepare, answer)


if __name__ == "__main__":
    sys.exit(main())
