"""Shared by all commands: open the library and the models, print results and progress.

Results go to stdout as lines or JSON, progress goes to stderr.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

from ..engine import paths
from ..engine.model import DocumentId
from ..engine.progress import Progress

if TYPE_CHECKING:
    from ..engine.llm.registry import ModelRegistry
    from ..engine.llm.trial import ModelCannotRun
    from ..engine.services.library import Library


AddCommand = Callable[[str, str], argparse.ArgumentParser]
"""Adds the parser of a command, from its name and its description."""


@contextmanager
def open_library(options: argparse.Namespace, *, create: bool = False) -> Iterator[Library]:
    """Yield the library of `--library`, or the default one, and close it at the end."""
    from ..engine.services.library import Library

    library = Library(options.library or paths.default_library(), create=create)
    try:
        yield library
    finally:
        library.close()


@contextmanager
def open_registry() -> Iterator[ModelRegistry]:
    """Yield the model registry and unload its models at the end.

    The reason why an installed model cannot run is printed to stderr once.
    """
    from ..engine.llm.registry import ModelRegistry

    registry = ModelRegistry(paths.model_folders())
    printed: set[str] = set()

    def print_problem(problem: ModelCannotRun) -> None:
        if problem.message not in printed:
            printed.add(problem.message)
            print(f"inkgraph: {problem}", file=sys.stderr, flush=True)

    registry.on_problem = print_problem
    try:
        yield registry
    finally:
        registry.close()


STAGES = {
    "reading": "reading",
    "names": "finding names",
    "graph": "building the graph",
    "embedding": "computing vectors",
}


def show(value: Any, lines: list[str], as_json: bool) -> None:
    """Print `value` as JSON, or the lines."""
    if as_json:
        print(json.dumps(value, ensure_ascii=False, indent=1, default=_plain))
    else:
        print("\n".join(lines))


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return sorted(value) if isinstance(value, (set, frozenset)) else str(value)


class ProgressPrinter:
    """Prints progress on stderr: one updated line on a terminal, else one line per stage."""

    stages: ClassVar[Mapping[str, str]] = STAGES

    def __init__(self) -> None:
        self._stage: tuple[str, int | None] | None = None
        self._last = 0.0

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        new_stage = (progress.stage, progress.document_id) != self._stage
        if not new_stage and now - self._last < (0.2 if sys.stderr.isatty() else 15.0):
            return
        self._stage, self._last = (progress.stage, progress.document_id), now
        words = self.words(progress)
        print(
            f"\r\033[K{words}" if sys.stderr.isatty() else words,
            end="" if sys.stderr.isatty() else "\n",
            file=sys.stderr,
            flush=True,
        )

    def words(self, progress: Progress) -> str:
        words = self.stages.get(progress.stage, progress.stage)
        of = f" {progress.done:,} of {progress.total:,}" if progress.total else ""
        left = f", {format_duration(progress.left_s)} left" if progress.left_s else ""
        return f"{words}{of}{left}"

    def end(self) -> None:
        if self._stage and sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)


class IndexingLine(ProgressPrinter):
    """Prints the progress of indexing with the title of the document.

    Args:
        titles: the title of each document, by id.
    """

    def __init__(self, titles: Mapping[DocumentId, str]) -> None:
        super().__init__()
        self._titles = titles

    def words(self, progress: Progress) -> str:
        title = self._titles.get(DocumentId(progress.document_id or 0), "")
        return f"    {super().words(progress)}{f' ({title})' if title else ''}"


class AnswerLine(ProgressPrinter):
    """Prints the steps of one answer: finding passages, reading them, writing."""

    stages: ClassVar[Mapping[str, str]] = {
        "finding": "finding passages",
        "translating": "translating",
        "reading": "reading",
        "answering": "writing the answer",
    }

    def words(self, progress: Progress) -> str:
        passages = f" ({progress.total} passages)" if progress.stage == "reading" else ""
        return f"    {self.stages.get(progress.stage, progress.stage)}{passages}…"


def format_duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
