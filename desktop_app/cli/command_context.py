"""Shared by all commands: open the library and the models, find things by name, print results.

Results go to stdout as lines or JSON, progress goes to stderr.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from ..engine import paths
from ..engine.durations import format_duration
from ..engine.errors import EnvironmentProblem, UserError
from ..engine.file_names import check_path
from ..engine.model import DocumentId, EntityId, EntityRow
from ..engine.progress import CancelToken, Progress
from .passphrase import find_library_key

if TYPE_CHECKING:
    from ..engine.llm.registry import ModelRegistry
    from ..engine.services.indexing import IndexingService
    from ..engine.services.library import Library
    from ..engine.services.library_models import LibraryModels
    from ..engine.services.library_reader import LibraryReader
    from ..engine.store.encryption import LibraryKey

WAYS_BACK = "`inkgraph restore` restores a backup, `inkgraph recover` saves what can be read."


def path_argument(text: str) -> Path:
    """Return the path in an argument.

    Raises:
        ArgumentTypeError: the system takes no such path.
    """
    path = Path(text)
    try:
        check_path(path)
    except UserError as error:
        raise argparse.ArgumentTypeError(error.message) from error
    return path


@contextmanager
def open_library(
    options: argparse.Namespace,
    *,
    create: bool = False,
    may_write: bool = True,
    key: LibraryKey | None = None,
) -> Iterator[Library]:
    """Yield the library of `--library`, or the default one, and close it at the end.

    While a long command runs, backups are made as in the window.

    Args:
        may_write: False for a command that changes nothing and runs for hours: nothing is written
            to the file, and another process upgrades it, makes its backups and updates the graph.
        key: of an encrypted library, where no passphrase is to be asked for.
    """
    from ..engine.services.backups import AutomaticBackups
    from ..engine.services.graph_update import ensure_graph_follows_edits
    from ..engine.services.library import Library, complete_path

    path = complete_path(options.library or paths.default_library())
    key = key or find_library_key(options, path)
    library = Library(path, create=create, key=key, may_write=may_write)
    if not may_write:
        try:
            yield library
        finally:
            library.close()
        return
    automatic = AutomaticBackups(
        library.writer,
        library.backups,
        lambda problem: print(f"inkgraph: {problem}", file=sys.stderr, flush=True),
    )
    automatic.start()
    try:
        ensure_graph_follows_edits(library.writer)
        yield library
    finally:
        automatic.stop()
        library.close()


def warn_of_plain_files(library: Library) -> None:
    """Warn on stderr that what a command writes from an encrypted library is not encrypted."""
    if library.key is not None:
        print("inkgraph: the library is encrypted, what is exported is not.", file=sys.stderr)


@contextmanager
def naming_new_folder(path: Path) -> Iterator[None]:
    """Say on stderr if writing a file made the folder for it, which may be a typing error."""
    was_there = path.parent.is_dir()
    yield
    if not was_there and path.parent.is_dir():
        print(f"inkgraph: the folder {path.parent} was created.", file=sys.stderr)


@contextmanager
def open_registry() -> Iterator[ModelRegistry]:
    """Yield the model registry and unload its models at the end.

    The reason why a model cannot run, or was started again, is printed to stderr once.
    """
    from ..engine.llm.registry import ModelRegistry

    registry = ModelRegistry(paths.model_folders())
    printed: set[str] = set()

    def print_problem(problem: EnvironmentProblem) -> None:
        if problem.message not in printed:
            printed.add(problem.message)
            print(f"inkgraph: {problem}", file=sys.stderr, flush=True)

    registry.on_problem = print_problem
    try:
        yield registry
    finally:
        registry.close()


def open_models(library: Library, registry: ModelRegistry) -> LibraryModels:
    """Return the models of a library: those of this computer, or of the server set for it."""
    from ..engine.services.library_models import LibraryModels
    from ..engine.services.model_servers import library_name

    models = LibraryModels(registry, library_name(library.writer))
    registry.also_closed.append(models.close)
    return models


def open_indexing(library: Library, registry: ModelRegistry) -> IndexingService:
    """Return what reads and embeds the documents of a library, with the models set for it."""
    from ..engine.services.indexing import IndexingService

    return IndexingService(library.writer, open_models(library, registry).find_embedder)


def count_words(n: int, one: str, many: str = "") -> str:
    """Return a number with its noun: "1 document", "2 documents"."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


TITLE_CHARS = 40  # before the progress of a document, which fits a line of a terminal with it


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
    """Prints progress on stderr: one updated line on a terminal, else one line per stage.

    `find_title` returns the title of a document that is worked on, "" for none.
    """

    stages: ClassVar[Mapping[str, str]] = {
        "reading": "reading",
        "names": "finding names",
        "graph": "building the graph",
        "embedding": "computing vectors",
    }

    def __init__(self) -> None:
        self.find_title: Callable[[int], str] = lambda document_id: ""
        self._stage: tuple[str, int | None] | None = None
        self._last = 0.0

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        new_stage = (progress.stage, progress.document_id) != self._stage
        if not new_stage and now - self._last < (0.2 if sys.stderr.isatty() else 15.0):
            return
        self._stage, self._last = (progress.stage, progress.document_id), now
        words = self.words(progress)
        if progress.document_id and (title := self.find_title(progress.document_id)):
            words = f"{cut_at(title, TITLE_CHARS)}: {words}"
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


def cut_at(text: str, longest: int) -> str:
    """Return a text of at most so many characters, with "…" where it is cut."""
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"


SAME_REQUEST_S = 0.3  # nobody presses Ctrl+C twice within it


@contextmanager
def stop_on_interrupt() -> Iterator[CancelToken]:
    """Yield a token that Ctrl+C cancels; a second Ctrl+C ends the command at once.

    A request to end can arrive twice, from whoever ends the group of processes and from the
    process that supervises this one. The token is set once: the handler would wait for ever for
    itself if it interrupted the setting.
    """
    cancel = CancelToken()
    asked_at: float | None = None

    def stop(number: int, frame: Any) -> None:
        nonlocal asked_at
        now = time.monotonic()
        if asked_at is None:
            asked_at = now
            cancel.cancel()
        elif now - asked_at >= SAME_REQUEST_S:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield cancel
    finally:
        signal.signal(signal.SIGINT, before)


def choose_documents(library: Library, names: list[str]) -> tuple[DocumentId, ...] | None:
    """Return the documents of these titles or file names, None if none is named.

    Raises:
        UserError: no document has one of the names.
    """
    from ..engine.services import entity_lookup
    from ..engine.services.library_reader import LibraryReader

    return entity_lookup.choose_documents(LibraryReader(library.writer), names)


def get_entity_id(library: Library, name: str) -> int:
    """Return the entity with this name, see `entity_lookup.get_entity_id`."""
    from ..engine.services import entity_lookup
    from ..engine.services.library_reader import LibraryReader

    return entity_lookup.get_entity_id(LibraryReader(library.writer), name)


def get_best_entity(reader: LibraryReader, name: str) -> EntityId:
    """Return the entity that fits a name best, see `entity_lookup.get_best_entity`."""
    from ..engine.services import entity_lookup

    return entity_lookup.get_best_entity(reader, name)


def write_name(row: EntityRow) -> str:
    """Return the name of an entity, see `entity_lookup.write_name`."""
    from ..engine.services import entity_lookup

    return entity_lookup.write_name(row)
