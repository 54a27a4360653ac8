"""The models of this machine: which there are, which are in use, and the loaded ones.

Owns the choice of the active model for each role (`active.json` in the first folder) and the one
loaded copy of each. Knows nothing of libraries; safe to call from several threads.
"""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from .. import paths
from ..errors import AppError, EnvironmentProblem, UserError
from ..messages import NO_MESSAGE, Message
from ..progress import CancelToken, Progress, ProgressCallback, ignore_progress
from . import installer
from .catalogue import MODEL_ROLES, Catalogue, CatalogueEntry, Suggestion, load_catalogue
from .gguf_header import load_header
from .installer import is_installed, size_of
from .machine import LoadingTimes, Machine, MeasuredSpeeds, read_machine
from .model_checks import CHECKS, CheckResult
from .model_folders import CHAT_RERANKER, is_cross_encoder_folder, is_model_folder
from .model_settings import ModelSettings
from .projectors import find_pair, is_for_pictures
from .protocols import ChatModel, Embedder, Reranker, VisionModel
from .trial import ModelCannotRun, ModelTrials, TrialResult

if TYPE_CHECKING:  # imported when a model is opened or downloaded: after the window is shown
    from .hosted_models import (
        HostedChat,
        HostedModel,
    )
    from .link_download import AddedModel, LinkedModel, UnfinishedDownload

log = logging.getLogger(__name__)

_LATER_SHARD = re.compile(r"-(?!00001-)\d{5}-of-\d{5}$")
_MEMORY_OVER_SIZE = 1.4
_MEMORY_BESIDE = 300_000_000
_CONTEXT_BYTES = 1_200_000_000
_ENCODER_MEMORY = 500_000_000  # for computing on one picture

UNUSED_S = 600.0  # after which a model's process is ended; its next use starts another
_LOOK_S = 20.0  # between two looks for unused models


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One model, installed or to be had.

    `path` is None if it is not installed; `active` says that it is the one in use for its role;
    `damaged` that its file can't be used, or failed its trial here (then `note` says why).
    `tokens_per_s` was measured on this computer by `check`, 0.0 if it was not; `sha256` and `link`
    were recorded when the user's own file came, "" otherwise. `in_starter`: one of the set that the
    program suggests first; `for_tests`: one that only tests of the program need. A row of the role
    "vision" is a projector: `chat_path` and `chat_title` are of the chat model with which it
    describes pictures. Of a chat model, `pictures` says whether it describes them, or what is
    missing for that.
    """

    name: str
    role: str
    title: str
    size_bytes: int
    languages: tuple[str, ...]
    licence: str
    memory_bytes: int
    installed: bool
    path: Path | None
    active: bool
    note: Message
    damaged: bool = False
    in_catalogue: bool = False
    tokens_per_s: float = 0.0
    sha256: str = ""
    link: str = ""
    in_starter: bool = False
    for_tests: bool = False
    publisher: str = ""
    parameters: str = ""
    quantisation: str = ""
    chat_path: Path | None = None
    chat_title: str = ""
    pictures: Message = NO_MESSAGE


def find_entry_path(entry: CatalogueEntry, folders: Sequence[Path]) -> Path | None:
    """Return the path of a complete model of the catalogue, or None."""
    for folder in folders:
        path = folder / entry.file
        if is_installed(entry, folder):
            return path
        try:
            if path.exists() and size_of(path) == entry.size_bytes:
                return path  # copied there by the user
        except OSError:
            continue
    return None


def iter_models(catalogue: Catalogue, folders: Sequence[Path]) -> Iterator[ModelRow]:
    """Yield the catalogue's models in its order, then all others by name; none is active."""
    taken: set[str] = set()
    for entry in catalogue.entries:
        taken.add(entry.name)
        path = find_entry_path(entry, folders)
        yield ModelRow(
            entry.name,
            entry.role,
            entry.title,
            entry.size_bytes,
            entry.languages,
            entry.licence,
            entry.memory_bytes,
            path is not None,
            path,
            False,
            Message(entry.note),
            in_catalogue=True,
            in_starter=entry.name in catalogue.sets.get("starter", ()),
            for_tests=catalogue.is_for_tests(entry.name),
            publisher=entry.publisher,
            parameters=entry.parameters,
            quantisation=entry.quantisation,
        )
    known = {entry.file for entry in catalogue.entries}
    for path in _iter_others(folders, known):
        row = _describe_gguf(path) if path.is_file() else _describe_folder(path)
        if row.name not in taken:
            taken.add(row.name)
            yield row


def _iter_others(folders: Sequence[Path], known: set[str]) -> Iterator[Path]:
    for folder in folders:
        try:
            found = sorted(folder.iterdir(), key=lambda path: path.name.lower())
        except OSError:
            continue
        for path in found:
            if path.name.startswith(".") or path.name in known:
                continue
            if path.is_dir():
                if is_model_folder(path) or is_cross_encoder_folder(path):
                    yield path
                else:
                    yield from sorted(p for p in path.glob("*.gguf") if _is_model_file(p))
            elif _is_model_file(path):
                yield path


def _is_model_file(path: Path) -> bool:
    stem = path.stem.lower()
    is_gguf = path.suffix.lower() == ".gguf" and path.is_file()
    return is_gguf and not _LATER_SHARD.search(stem)


def _describe_gguf(path: Path) -> ModelRow:
    name, size = path.stem.lower(), path.stat().st_size
    try:
        header = load_header(path)
    except UserError as error:
        role = "vision" if name.startswith("mmproj") else "chat"
        return ModelRow(
            *(name, role, path.stem, size, (), "", 0, False, path, False, error.full_message),
            damaged=True,
        )
    licence = str(header.fields.get("general.license", ""))
    from . import link_download

    _, sha256, link = link_download.read_marker(path)
    note = Message("Downloaded from your link.") if link else Message("A file of your own.")
    # The name inside a projector is often that of its chat model.
    title = path.stem if header.role == "vision" else header.title or path.stem
    return ModelRow(
        *(name, header.role, title, size, (), licence, needed_memory(size)),
        *(True, path, False, note),
        sha256=sha256,
        link=link,
        publisher=str(header.fields.get("general.organization", "")),
        parameters=str(header.fields.get("general.size_label", "")),
        quantisation=find_quantisation(path.stem),
    )


def pair_projectors(rows: Sequence[ModelRow], chosen_chat: str) -> list[ModelRow]:
    """Return the rows with each projector and its chat model put together, see `projectors`.

    A projector without its chat model counts as damaged, with what is missing as its note.

    Args:
        chosen_chat: the name of the chat model in use, which is taken where several fit as well.
    """
    chats = [r for r in rows if r.role == "chat" and r.installed and r.path and r.path.is_file()]
    chats.sort(key=lambda row: row.name != chosen_chat)
    by_path = {row.path: row for row in chats}
    paired: dict[Path | None, ModelRow] = {}  # the projector of a chat model, by its path
    found = []
    for row in rows:
        if row.role == "vision" and row.installed and row.path is not None:
            pair = find_pair(row.path, [chat.path for chat in chats if chat.path])
            chat = by_path.get(pair.chat)
            if chat is None:
                row = replace(row, damaged=True, note=pair.lack, memory_bytes=0)
            else:
                needed = row.size_bytes + chat.memory_bytes + _ENCODER_MEMORY
                row = replace(
                    row,
                    chat_path=chat.path,
                    chat_title=chat.title,
                    memory_bytes=needed,
                    note=Message("Describes pictures together with {model}.", model=chat.title),
                )
                paired.setdefault(chat.path, row)
        found.append(row)
    return [_note_pictures(row, paired) if row in chats else row for row in found]


def _note_pictures(row: ModelRow, paired: Mapping[Path | None, ModelRow]) -> ModelRow:
    """Return the row of a chat model with what it can do with pictures."""
    assert row.path is not None  # the row is installed
    if (projector := paired.get(row.path)) is not None:
        words = Message("With {projector} it describes pictures.", projector=projector.title)
        return replace(row, pictures=words)
    if row.in_catalogue or not is_for_pictures(load_header(row.path), row.path.stem):
        return row
    return replace(
        row,
        pictures=Message(
            "To describe pictures, it needs its projector too: add the file mmproj-….gguf that "
            "belongs to it."
        ),
    )


def find_quantisation(stem: str) -> str:
    """Return the quantisation in the name of a GGUF file: "Q4_K_M", "" if there is none."""
    found = _QUANTISATION.search(stem)
    return found[1].upper() if found else ""


_QUANTISATION = re.compile(r"[-._](i?q\d(?:_[a-z0-9]+)*|mxfp4|b?f16|f32)(?=$|[-.])", re.I)


def needed_memory(size_bytes: int) -> int:
    """Return about what a GGUF model of this size takes when loaded.

    Its weights, and a context of 8,000 tokens: half of the weights for models up to 4B, then about
    1.2 GB.
    """
    return int(size_bytes * 1.1 + min(size_bytes / 2, _CONTEXT_BYTES)) + _MEMORY_BESIDE


def _describe_folder(path: Path) -> ModelRow:
    size = size_of(path)
    memory = int(size * _MEMORY_OVER_SIZE) + _MEMORY_BESIDE
    role = "reranker" if is_cross_encoder_folder(path) else "embedding"
    return ModelRow(
        *(path.name.lower(), role, path.name, size, (), "", memory),
        *(True, path, False, Message("A folder of your own.")),
    )


@dataclass(frozen=True, slots=True)
class _Loaded:
    """A loaded model; it is the one in use as long as the stamp is the same."""

    path: Path
    model: HostedModel
    stamp: tuple[object, ...]
    chat_path: Path | None = None


class ModelRegistry:
    """Finds, fetches, tries, chooses and loads models."""

    def __init__(
        self,
        folders: Sequence[Path],
        settings: ModelSettings | None = None,
        *,
        catalogue: Catalogue | None = None,
        trials: ModelTrials | None = None,
        speeds: MeasuredSpeeds | None = None,
        loading_times: LoadingTimes | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`folders` are searched in order; new models go into the first.

        Args:
            trials: tries a GGUF file in a child process before its first use.
            speeds: remembers how fast models were.
            loading_times: remembers how long they took to load.
            clock: says when a model was used.
        """
        self._folders = list(folders)
        self._trials = trials or ModelTrials(paths.data_dir() / "model_trials.json")
        self._speeds = speeds or MeasuredSpeeds(paths.data_dir() / "model_speeds.json")
        kept = paths.data_dir() / "model_loading.json"
        self._loading_times = loading_times or LoadingTimes(kept)
        # Called from any thread with what `find_chat` and the like pass over, and with the death
        # of a model whose work is done again.
        self.on_problem: Callable[[EnvironmentProblem], None] = lambda p: log.warning("%s", p)
        self.also_closed: list[Callable[[], None]] = []  # called once by `close`
        self._settings = settings or ModelSettings()
        self._catalogue = catalogue or load_catalogue()
        self._lock = threading.RLock()
        self._install_lock = threading.Lock()
        self._choice_lock = threading.Lock()
        self._loaded: dict[str, _Loaded] = {}  # by role
        self._clock = clock
        self._reported: set[tuple[str, Message]] = set()  # problems by role
        self._watch_ends: threading.Event | None = None  # of the thread that looks for unused ones
        self._closing = CancelToken()  # renewed when the registry was closed

    def list_models(self) -> list[ModelRow]:
        """Return every model of the catalogue and of the folders, with those in use marked.

        A model that failed its trial on this machine counts as damaged.
        """
        found = list(iter_models(self._catalogue, self._folders))
        rows = [
            self._mark_failed(row)
            for row in pair_projectors(found, self._load_choice().get("chat", ""))
        ]
        active = {role: self._choose(role, rows) for role in MODEL_ROLES}
        return [
            replace(
                row,
                active=active.get(row.role) == row.name,
                tokens_per_s=self._speeds.find(row.path) if row.role == "chat" else 0.0,
            )
            for row in rows
        ]

    def list_suggestions(self) -> tuple[Suggestion, ...]:
        """Return larger models that the user may get."""
        return self._catalogue.suggestions

    def read_machine(self) -> Machine:
        """Return what this computer has for models."""
        folder, free = paths.models_dir(), 0
        with suppress(OSError):  # a disk that was taken out
            folder = next(p for p in (folder, *folder.parents) if p.exists())
            free = shutil.disk_usage(folder).free
        return replace(read_machine(), free_disk_bytes=free)

    def chat_model_name(self) -> str:
        """Return the chat model in use, "" if none is installed."""
        return self._active_name("chat")

    def embedding_name(self) -> str:
        """Return the embedding model in use, "" if none is installed."""
        return self._active_name("embedding")

    def reranker_name(self) -> str:
        """Return the reranker in use, `CHAT_RERANKER`, or "" for none."""
        chosen = self._load_choice().get("reranker", "")
        return chosen if chosen == CHAT_RERANKER else self._active_name("reranker")

    def install(
        self,
        name: str,
        cancel: CancelToken | None = None,
        on_progress: ProgressCallback = ignore_progress,
    ) -> tuple[Path, ...]:
        """Fetch a model, or all of a set such as "starter", and return their paths.

        Raises:
            Cancelled: stopped; calling again goes on where it stopped.
            UserError, EnvironmentProblem: see `installer.install`.
        """
        entries = self._catalogue.expand(name)
        total = sum(entry.size_bytes for entry in entries)
        paths: list[Path] = []
        before = 0
        with self._install_lock:
            for entry in entries:

                def report_progress(progress: Progress, before: int = before) -> None:
                    on_progress(replace(progress, done=before + progress.done, total=total))

                paths.append(
                    installer.install(
                        entry,
                        target_dir=self._folders[0],
                        cancel=cancel,
                        on_progress=report_progress,
                    )
                )
                before += entry.size_bytes
        return tuple(paths)

    def inspect_link(self, link: str, sha256: str = "") -> LinkedModel:
        """Ask the server what is behind a link; see `link_download.inspect_link`.

        Raises:
            UserError: also if a file of this name and size is installed.
        """
        from . import link_download

        model = link_download.inspect_link(link, sha256)
        for row in self.list_models():
            same_name = row.path is not None and row.path.name == model.file
            if same_name and row.size_bytes == model.size_bytes and not row.damaged:
                raise UserError("{model} is already installed.", model=row.title)
        return model

    def download(
        self,
        model: LinkedModel,
        cancel: CancelToken | None = None,
        on_progress: ProgressCallback = ignore_progress,
    ) -> AddedModel:
        """Download the model behind a link; see `link_download.download`."""
        from . import link_download

        folder = self._folders[0]
        with self._install_lock:
            return link_download.download(model, folder, cancel=cancel, on_progress=on_progress)

    def list_unfinished(self) -> list[UnfinishedDownload]:
        """Return the downloads of links that were stopped or broke."""
        from . import link_download

        return link_download.list_unfinished(self._folders[0])

    def discard_download(self, file: str) -> None:
        """Delete what an unfinished download left."""
        from . import link_download

        link_download.discard(file, self._folders[0])

    def add_file(
        self,
        path: Path,
        cancel: CancelToken | None = None,
        on_progress: ProgressCallback = ignore_progress,
    ) -> AddedModel:
        """Take a GGUF file of the user into the models folder; see `link_download.add_file`."""
        from . import link_download

        folder = self._folders[0]
        with self._install_lock:
            return link_download.add_file(path, folder, cancel=cancel, on_progress=on_progress)

    def remove(self, name: str) -> None:
        """Delete a model from the disk, closing it first if it is loaded.

        Raises:
            UserError: there is no such model.
            EnvironmentProblem: its files can't be deleted.
        """
        row = self._get_row(name)
        with self._lock:
            for role, loaded in list(self._loaded.items()):
                if row.path in (loaded.path, loaded.chat_path):
                    self._unload(role)
        entry = self._catalogue.find(row.name)
        try:
            if entry:
                for folder in self._folders:
                    installer.remove(entry, folder)
            elif row.path:
                installer.delete(row.path)
                from . import link_download

                link_download.marker_of(row.path).unlink(missing_ok=True)
        except OSError as error:
            raise EnvironmentProblem(
                "{model} can't be deleted: {reason}.",
                "Close other programs that use it.",
                model=row.title,
                reason=error.strerror or error,
            ) from error

    def use(self, name: str) -> None:
        """Make a model the one in use for its role, from now on.

        Raises:
            UserError: there is no such model, it is damaged or not installed.
        """
        row = self._get_row(name)
        if row.damaged and row.installed:
            if row.role == "vision" and row.chat_path is None:
                raise UserError(row.note)
            if row.path is None or not self._trials.forget(*self._key(row), chat=row.chat_path):
                raise UserError(row.note)
            row = self._get_row(name)  # it is tried again at its next use
        self._reported.clear()
        if not row.installed:
            raise UserError(
                row.note if row.damaged else "{model} is not installed.",
                "Install it first." if row.in_catalogue else "",
                model=row.title,
            )
        self._save_choice(row.role, row.name)

    def use_reranker(self, name: str) -> None:
        """Put passages in order with this reranker, `CHAT_RERANKER`, or none ("")."""
        if name in ("", CHAT_RERANKER):
            return self._save_choice("reranker", name)
        self.use(name)

    def _save_choice(self, role: str, name: str) -> None:
        with self._choice_lock:
            chosen = self._load_choice() | {role: name}
            file = self._choice_file()
            fresh = file.with_suffix(".new")
            try:
                file.parent.mkdir(parents=True, exist_ok=True)
                fresh.write_text(json.dumps(chosen, indent=1) + "\n", "utf-8")
                os.replace(fresh, file)
            except OSError as error:
                raise EnvironmentProblem(
                    "The choice can't be saved in {folder}: {reason}.",
                    folder=file.parent,
                    reason=error.strerror or error,
                ) from error

    def check(self, name: str) -> CheckResult:
        """Try a model with one real question; never raises for a model that does not work."""
        try:
            row = self._get_row(name)
            if not row.installed or row.path is None:
                return CheckResult(
                    False, row.note if row.damaged else Message("It is not installed.")
                )
            result = self._check_row(row)
        except AppError as error:
            return CheckResult(False, error.full_message)
        if result.ok and row.role == "chat":
            self._speeds.store(row.path, result.tokens_per_s)
        return result

    def _check_row(self, row: ModelRow) -> CheckResult:
        if row.role == "vision" and row.chat_path is None:
            return CheckResult(False, row.note)
        loaded = self._loaded.get(row.role)
        if loaded and loaded.path == row.path:
            return CHECKS[row.role](loaded.model)
        self._reported.clear()
        model = self._open(row, try_again=True)
        try:
            return CHECKS[row.role](model)
        finally:
            model.close()

    def find_chat(self) -> ChatModel | None:
        """Return the chat model in use; None if none is installed, or it can't run here."""
        return self._find("chat")

    def estimate_loading(self) -> float:
        """Return the seconds that `find_chat` is likely to need to load the model.

        0.0 if it is loaded, or where it is not known.
        """
        loaded = self._loaded.get("chat")
        if loaded is not None and loaded.model.host_pid:
            return 0.0
        row = self._find_active("chat")
        return self._loading_times.find(row.path) if row and row.path is not None else 0.0

    @contextmanager
    def borrow_chat(self, name: str) -> Iterator[ChatModel]:
        """Yield an installed chat model by its name, without making it the one in use.

        The one in use is not loaded a second time; another one is loaded now and its process ended
        at the end.

        Raises:
            UserError: there is no such model, it is no chat model, or it is not installed.
            ModelCannotRun: it does not work here.
        """
        row = self.get_chat_row(name)
        if row.active and (shared := self.find_chat()) is not None:
            yield shared
            return
        model = self._open(row)
        try:
            yield cast("HostedChat", model)  # a row of the role "chat"
        finally:
            model.close()

    def get_chat_row(self, name: str) -> ModelRow:
        """Return an installed chat model by its name; raises as `borrow_chat` does."""
        row = self._get_row(name)
        if row.role != "chat":
            raise UserError("{model} is no chat model.", "Choose a chat model.", model=row.title)
        if not row.installed or row.damaged:
            raise UserError(
                row.note if row.damaged else "{model} is not installed.",
                "Install it first." if row.in_catalogue else "",
                model=row.title,
            )
        return row

    def find_embedder(self) -> Embedder | None:
        """Return the embedding model in use; None if none is installed, or it can't run here."""
        return self._find("embedding")

    def find_reranker(self) -> Reranker | None:
        """Return the reranker in use; None unless one was chosen and can run here."""
        chosen = self._load_choice().get("reranker", "")
        if chosen == CHAT_RERANKER:
            from .reranking import ChatReranker

            chat = self.find_chat()
            return ChatReranker(chat) if chat else None
        return self._find("reranker") if chosen else None

    def find_vision_row(self) -> ModelRow | None:
        """Return the projector in use with its chat model, None if no pair can be used."""
        return self._find_active("vision")

    def find_vision(self) -> VisionModel | None:
        """Return the model that describes pictures; None if there is none, or it can't run here."""
        return self._find("vision")

    def find_problems(self, cancel: CancelToken | None = None) -> list[ModelCannotRun]:
        """Try the models in use, if that was not done yet; return why some can't run here.

        Takes seconds for a model that is new on this machine.

        Raises:
            Cancelled: the token was set.
        """
        found = []
        for role in ("chat", "embedding", "reranker"):
            row = self._find_active(role) or self._find_failed(role)
            if row is None:
                continue
            try:
                self._ensure_runs(row, cancel=cancel)
            except ModelCannotRun as problem:
                found.append(problem)
        # One broken build is one problem, whichever model met it.
        return list({problem.message: problem for problem in found}.values())

    def forget_trials(self) -> None:
        """Try every model again before its next use: one of them ended the program."""
        self._trials.clear()

    def close(self) -> None:
        """End the processes of all models, also of one that loads; the next use starts them."""
        closing, self._closing = self._closing, CancelToken()
        closing.cancel()
        while self.also_closed:
            self.also_closed.pop()()
        with self._lock:
            for role in list(self._loaded):
                self._unload(role)
            if self._watch_ends is not None:
                self._watch_ends.set()
                self._watch_ends = None

    def release_unused(self) -> None:
        """End the processes of models that nobody used for ten minutes."""
        for role, loaded in list(self._loaded.items()):
            if loaded.model.release_if_unused(UNUSED_S):
                log.info("the %s model is not used; its process was ended", role)

    def _load(self, role: str) -> Any | None:
        """Return the model in use for a role, loaded; None if none is installed."""
        with self._lock:
            # Listing the models reads many files: not for every question.
            times = (folder.stat().st_mtime_ns for folder in self._folders if folder.is_dir())
            stamp = (self._load_choice().get(role, ""), *times)
            loaded = self._loaded.get(role)
            if loaded and loaded.stamp == stamp:
                return loaded.model
            row = self._find_active(role)
            if row is None or row.path is None:
                return None
            if loaded and (loaded.path, loaded.chat_path) == (row.path, row.chat_path):
                model = loaded.model
            else:
                self._unload(role)
                model = self._open(row)
            self._loaded[role] = _Loaded(row.path, model, stamp, row.chat_path)
            self._ensure_watch()
            return model

    def _ensure_watch(self) -> None:
        """Start the thread that ends unused processes."""
        if self._watch_ends is not None:
            return
        ends = self._watch_ends = threading.Event()

        def watch() -> None:
            while not ends.wait(_LOOK_S):
                self.release_unused()

        threading.Thread(target=watch, name="unused-models", daemon=True).start()

    def _unload(self, role: str) -> None:
        if loaded := self._loaded.pop(role, None):
            loaded.model.close()

    def _find(self, role: str) -> Any | None:
        """Return the loaded model or None; report why an installed model cannot run."""
        try:
            if (model := self._load(role)) is not None:
                return model
            if (failed := self._find_failed(role)) is not None:
                self._ensure_runs(failed)
        except ModelCannotRun as problem:
            self._report(role, problem)
        return None

    def _report(self, role: str, problem: EnvironmentProblem) -> None:
        """Report a problem once, until a model is chosen or checked."""
        if (role, problem.message) not in self._reported:
            self._reported.add((role, problem.message))
            self.on_problem(problem)

    def _set_aside(self, row: ModelRow, result: TrialResult) -> None:
        """Use a model no more that died twice; `use` and `check` try it again."""
        problem = self._trials.record(*self._key(row), result, title=row.title, chat=row.chat_path)
        self._reported.add((row.role, problem.message))  # the failure of the work tells it
        loaded = self._loaded.get(row.role)
        if loaded is not None and loaded.path == row.path:
            self._loaded.pop(row.role, None)
            loaded.model.close()

    def _key(self, row: ModelRow) -> tuple[str, Path, int]:
        """Return what a trial depends on: role, file and layers on the graphics card."""
        assert row.path is not None  # the row is installed
        return row.role, row.path, self._gpu_layers(row.role)

    def _mark_failed(self, row: ModelRow) -> ModelRow:
        if not row.installed or row.path is None or row.damaged:
            return row
        problem = self._trials.find_failure(
            row.role,
            row.path,
            n_gpu_layers=self._gpu_layers(row.role),
            title=row.title,
            chat=row.chat_path,
        )
        return replace(row, damaged=True, note=problem.full_message) if problem else row

    def _find_failed(self, role: str) -> ModelRow | None:
        """Return the installed model that would be in use had it not failed its trial."""
        failed = [
            row
            for row in self.list_models()
            # a projector without its chat model can't be tried
            if row.role == role
            and row.installed
            and row.damaged
            and (role != "vision" or row.chat_path is not None)
        ]
        chosen = self._load_choice().get(role, "")
        return next((row for row in failed if row.name == chosen or role != "reranker"), None)

    def _ensure_runs(
        self, row: ModelRow, *, again: bool = False, cancel: CancelToken | None = None
    ) -> None:
        """Try a GGUF file in a child process before its first use on this machine.

        Raises:
            ModelCannotRun: it does not work here.
        """
        if row.path is None:
            return
        role, path, n_gpu_layers = self._key(row)
        if path.is_file():
            self._trials.ensure_runs(
                role,
                path,
                n_gpu_layers=n_gpu_layers,
                title=row.title,
                again=again,
                cancel=cancel,
                chat=row.chat_path,
            )
        elif again:
            self._trials.forget(role, path, n_gpu_layers)
        elif problem := self._trials.find_failure(role, path, title=row.title):
            raise problem

    def _gpu_layers(self, role: str) -> int:
        return self._settings.n_gpu_layers if role in ("chat", "vision") else 0

    def _open(self, row: ModelRow, *, try_again: bool = False) -> HostedModel:
        from .host_protocol import HostSpec
        from .hosted_models import HostedChat, HostedEmbedder, HostedReranker, HostedVision

        hosted: dict[str, type[HostedModel]] = {
            "chat": HostedChat,
            "embedding": HostedEmbedder,
            "reranker": HostedReranker,
            "vision": HostedVision,
        }
        cancel = self._closing
        self._ensure_runs(row, again=try_again, cancel=cancel)
        settings, path = self._settings, row.path
        assert path is not None  # the row is installed
        name, projector = row.name, None
        if row.chat_path is not None:  # a description is by the chat model
            path, projector, name = row.chat_path, row.path, row.chat_path.stem.lower()
        spec = HostSpec(
            row.role,
            path,
            name,
            n_ctx=settings.n_ctx if row.role == "chat" else 0,
            n_threads=settings.n_threads,
            n_gpu_layers=self._gpu_layers(row.role),
            projector=projector,
        )
        return hosted[row.role](
            spec,
            title=row.title,
            clock=self._clock,
            cancel=cancel,
            on_restart=partial(self._report, row.role),
            on_broken=partial(self._set_aside, row),
            on_loaded=partial(self._loading_times.store, path),
        )

    # --- the choice ---------------------------------------------------------------------------

    def _get_row(self, name: str) -> ModelRow:
        wanted = name.strip().lower()
        row = next((row for row in self.list_models() if row.name == wanted), None)
        if row is None:
            self._catalogue.get(name)  # raises, with the names there are
            raise UserError("There is no model called “{name}”.", name=name)
        return row

    def _find_active(self, role: str) -> ModelRow | None:
        return next((row for row in self.list_models() if row.active and row.role == role), None)

    def _active_name(self, role: str) -> str:
        row = self._find_active(role)
        return row.name if row else ""

    def _choose(self, role: str, rows: Sequence[ModelRow]) -> str:
        """Return the chosen model if it is installed, else the first (no reranker by default)."""
        of_role = [row for row in rows if row.role == role and row.installed]
        there = [row.name for row in of_role if not row.damaged]
        chosen = self._load_choice().get(role, "")
        # A chosen model that cannot run is not replaced by another one silently. A reranker
        # makes every question slower, so it is used only if it was chosen.
        if role == "reranker" or any(row.name == chosen for row in of_role):
            there = [chosen] * (chosen in there)
        return there[0] if there else ""

    def _choice_file(self) -> Path:
        return self._folders[0] / "active.json"

    def _load_choice(self) -> dict[str, str]:
        try:
            choice = json.loads(self._choice_file().read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return choice if isinstance(choice, dict) else {}
