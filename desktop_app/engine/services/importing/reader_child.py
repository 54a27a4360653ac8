"""The process that plans an import: `python -m desktop_app.engine.services.importing.reader_child`.

Started by `reader` for one import. It may read the files of that import, and nothing else of the
person (`child_sandbox`); the program sends it the texts of the library that the import contains.
"""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import IO, Any

from ...child_protocol import parse_frame, read_frame, write_frame
from ...child_sandbox import limit_processor_time
from ...model import ChunkSpan
from ...progress import CancelToken
from ...text.parser_child import AliveReporter, read_request_bytes, serve
from .custom_kg import read_custom_kg
from .formats import read_graph
from .planning import KnownText, plan_import
from .reader_protocol import TooMuchData, encode_plan, measure_graph


def prepare() -> None:
    """Import what reads the tables, and what planning loads.

    networkx, which takes a third of the start, is imported with the first GraphML: a process may
    read its own packages.
    """
    import duckdb

    duckdb.connect(":memory:").close()
    small = {"chunks": [{"content": "Clara Wren winds clocks. 柳三娘来了。"}]}
    plan_import(read_custom_kg(small), lambda sha256: None, CancelToken())
    gc.disable()  # this process ends soon, and examining all objects would take most of its time


def answer(requests: IO[bytes], answers: IO[bytes], request: dict[str, Any]) -> None:
    """Read one file or folder and send the plan of its import in pieces."""
    write_frame(answers, [{"begun": True}])
    limit_processor_time(request["processor_s"])
    path = Path(request["path"])
    if path.exists():
        os.chdir(path if path.is_dir() else path.parent)
    graph = read_graph(path)
    try:
        measure_graph(graph, request["max_bytes"])
    except TooMuchData:
        write_frame(answers, [{"too much": True}])
        return
    plan = plan_import(
        graph, lambda sha256: _ask_known(requests, answers, sha256), AliveReporter(answers)
    )
    for items in encode_plan(plan):
        write_frame(answers, items)
    write_frame(answers, [{"end": True}])


def _ask_known(requests: IO[bytes], answers: IO[bytes], sha256: str) -> KnownText | None:
    """Ask the program for the document of the library with this content."""
    write_frame(answers, [{"find": sha256}])
    [reply] = parse_frame(read_frame(requests) or b"[]") or [{}]
    if not reply.get("known"):
        return None
    document_id, title, language, spans, is_read, n_bytes = reply["known"]
    text = read_request_bytes(requests, n_bytes).decode("utf-8")
    chunks = tuple(ChunkSpan(*span) for span in spans)
    return KnownText(document_id, title, text if is_read else None, language, chunks)


def main() -> int:
    """Answer requests until stdin is closed."""
    return serve(prepare, answer)


if __name__ == "__main__":
    sys.exit(main())
