"""A graph that Cypher is run on, in a process of its own.

kglite takes so much of the memory that a process has for libraries (static TLS, with glibc) that
PyTorch and scikit-learn can't be loaded after it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from types import TracebackType
from typing import Any

_CHILD = """
import json, sys
import kglite
graph = kglite.KnowledgeGraph()
for line in sys.stdin:
    try:
        answer = {"rows": graph.cypher(json.loads(line)).to_list()}
    except Exception as error:
        answer = {"error": repr(error)}
    print(json.dumps(answer), flush=True)
"""


class CypherProcess:
    """A new, empty graph; use it as a context manager."""

    def __enter__(self) -> CypherProcess:
        command = [sys.executable, "-c", _CHILD]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._process.communicate(timeout=30)

    def run(self, statement: str) -> list[dict[str, Any]]:
        """Run a statement and return its rows.

        Raises:
            AssertionError: the statement is not valid.
        """
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(statement) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        assert "error" not in answer, answer["error"]
        rows: list[dict[str, Any]] = answer["rows"]
        return rows
