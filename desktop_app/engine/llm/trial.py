"""Tries llama.cpp and a model in a child process before the program trusts them.

A build of llama.cpp can use an instruction that this processor does not have, and a damaged model
file can make llama.cpp abort: both end the whole process. So the first use of a model on a
machine happens in a child (`trial_child.py`). The result is remembered until the processor, the
installed llama.cpp or the file changes.

Standard library only: run.py tries a new build with this module.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from ..child_process import track_child
from ..errors import Cancelled, EnvironmentProblem
from ..exit_status import describe_signal, find_signal
from ..progress import CancelToken
from .processor_features import read_processor

# Loading may read many gigabytes from a slow disk; the work itself takes seconds.
TIMEOUT_S = 300.0
_POLL_S = 0.1
STEP, PROBLEM, DONE = "step: ", "problem: ", "done"
_OF_LLAMA = "llama.cpp "


@dataclass(frozen=True)
class TrialResult:
    """How a trial ended.

    Attributes:
        problem: one sentence without its subject ("was stopped by SIGILL (…) while loading"),
            empty if all went well.
        is_lasting: the same trial would end the same way; False after a lack of memory or time.
        crashed: a signal ended the child, or it had to be ended.
        pid, errors: of the child, for the record of a crash.
    """

    problem: str = ""
    is_lasting: bool = True
    crashed: bool = False
    pid: int = 0
    errors: str = ""

    @property
    def ok(self) -> bool:
        return not self.problem


class ModelCannotRun(EnvironmentProblem):
    """A trial failed: this model, or every model, can't run on this machine."""


def run_trial(
    *arguments: str,
    python: str = sys.executable,
    timeout_s: float = TIMEOUT_S,
    cancel: CancelToken | None = None,
) -> TrialResult:
    """Run a trial in a child process and return how it ended.

    Args:
        arguments: a role ("chat", "embedding", "reranker") and a path, or "vision", a projector,
            the layers on the graphics card and a chat model; "installed" for the models in use;
            nothing for small models made for the purpose, which try llama.cpp itself.
        python: the interpreter of the environment that is tried.

    Raises:
        Cancelled: the token was set; the child is ended.
    """
    # `-m` looks into the working directory first: the child runs the parent's own source.
    root = Path(__file__).resolve().parents[3]
    command = [python, "-m", "desktop_app.engine.llm.trial_child", *arguments]
    try:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "PYTHONFAULTHANDLER": "1"},
            cwd=root,
        )
    except OSError as error:
        problem = f"could not be tried: {error.strerror or error}"
        return TrialResult(problem, is_lasting=False, crashed=True)
    track_child(child)
    deadline = time.monotonic() + timeout_s
    while True:
        try:
            output, errors = child.communicate(timeout=_POLL_S)
            result = read_outcome(child.returncode, output, errors)
            return replace(result, pid=child.pid, errors=errors)
        except subprocess.TimeoutExpired:
            is_late = time.monotonic() > deadline
            if not is_late and not (cancel and cancel.cancelled):
                continue
        child.kill()
        output, _ = child.communicate()
        if not is_late:
            raise Cancelled
        problem = f"did not end within {timeout_s:.0f} s while {_find_last(output, STEP)}"
        return TrialResult(problem, is_lasting=False, crashed=True)


def read_outcome(code: int, output: str, errors: str) -> TrialResult:
    """Return how a child process ended, from its exit status and output."""
    step = _find_last(output, STEP) or "starting"
    if name := find_signal(code):
        problem = f"was stopped by {describe_signal(name)} while {step}"
        return TrialResult(problem, is_lasting=name != "SIGKILL", crashed=True)
    if problem := _find_last(output, PROBLEM):
        return TrialResult(problem, is_lasting=code != 2)
    if code == 0 and output.rstrip().endswith(DONE):
        return TrialResult()
    lines = [line for line in errors.strip().splitlines() if line.strip()]
    reason = lines[-1].strip() if lines else f"exit code {code}"
    return TrialResult(f"failed while {step}: {reason}", crashed=True)


def _find_last(output: str, start: str) -> str:
    found = [line[len(start) :] for line in output.splitlines() if line.startswith(start)]
    return found[-1].strip() if found else ""


# --- what is remembered ---------------------------------------------------------------------------


class ModelTrials:
    """Tries GGUF models before their first use, and remembers the results in one JSON file.

    A result counts for one file, processor and build of llama.cpp. Safe from several threads.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._known: dict[str, TrialResult] = {}  # read or found in this run, by key

    def find_failure(
        self,
        role: str,
        path: Path,
        *,
        n_gpu_layers: int = 0,
        title: str = "",
        chat: Path | None = None,
    ) -> ModelCannotRun | None:
        """Return why a model can't run, None if it can or was not tried yet."""
        result = self._find(_build_key(role, path, n_gpu_layers, chat))
        return None if result is None or result.ok else describe_trial(result, title or path.name)

    def ensure_runs(
        self,
        role: str,
        path: Path,
        *,
        n_gpu_layers: int = 0,
        title: str = "",
        again: bool = False,
        cancel: CancelToken | None = None,
        chat: Path | None = None,
    ) -> None:
        """Try a model in a child process unless its result is known.

        Args:
            again: try it also if its result is known.
            chat: the chat model of a projector.

        Raises:
            ModelCannotRun: the trial failed, now or before.
            Cancelled: the token was set.
        """
        key = _build_key(role, path, n_gpu_layers, chat)
        result = None if again else self._find(key)
        if result is None:
            places = [str(path.absolute()), str(n_gpu_layers)]
            places += [str(chat.absolute())] if chat is not None else []
            result = run_trial(role, *places, cancel=cancel)
            if not result.ok and not (build := run_trial(cancel=cancel)).ok:
                result = TrialResult(_OF_LLAMA + build.problem, build.is_lasting, build.crashed)
            if result.crashed:
                from ..crash_log import keep_child_crash  # needs packages: not for run.py

                keep_child_crash("trial", result.pid, result.problem, result.errors)
            self._save(key, path, result)
        if not result.ok:
            raise describe_trial(result, title or path.name)

    def record(
        self,
        role: str,
        path: Path,
        n_gpu_layers: int,
        result: TrialResult,
        *,
        title: str = "",
        chat: Path | None = None,
    ) -> ModelCannotRun:
        """Remember how a model failed at work, as if in a trial; return the error."""
        self._save(_build_key(role, path, n_gpu_layers, chat), path, result)
        return describe_trial(result, title or path.name)

    def forget(self, role: str, path: Path, n_gpu_layers: int, *, chat: Path | None = None) -> bool:
        """Forget the failure of a model, so that it is tried again; False if there was none."""
        key = _build_key(role, path, n_gpu_layers, chat)
        if (known := self._find(key)) is None or known.ok:
            return False
        with self._lock:
            self._known.pop(key, None)
            kept = self._load()
            if kept.pop(key, None) is not None:
                self._store(kept)
        return True

    def clear(self) -> None:
        """Forget every result: a model that passed its trial ended the program later."""
        with self._lock:
            self._known.clear()
            self._file.unlink(missing_ok=True)

    def _find(self, key: str) -> TrialResult | None:
        with self._lock:
            if key not in self._known and (found := self._load().get(key)):
                self._known[key] = TrialResult(str(found["problem"]))
            return self._known.get(key)

    def _save(self, key: str, path: Path, result: TrialResult) -> None:
        with self._lock:
            self._known[key] = result
            if not result.is_lasting:
                return
            kept = self._load()
            kept[key] = {
                "file": path.name,
                "tried": time.strftime("%Y-%m-%d"),
                "problem": result.problem,
                "crashed": result.crashed,
            }
            self._store(kept)

    def _store(self, kept: dict[str, dict[str, Any]]) -> None:
        fresh = self._file.with_suffix(f".{os.getpid()}.new")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
            os.replace(fresh, self._file)
        except OSError:
            fresh.unlink(missing_ok=True)  # it counts until the program ends

    def _load(self) -> dict[str, dict[str, Any]]:
        try:
            kept = json.loads(self._file.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        if not isinstance(kept, dict):
            return {}
        return {k: v for k, v in kept.items() if isinstance(v, dict) and "problem" in v}


def describe_trial(result: TrialResult, title: str) -> ModelCannotRun:
    if result.problem.startswith(_OF_LLAMA):
        return ModelCannotRun(
            "Models can't run here: {problem}.",
            "Search by words, the graph and the reader work without models. "
            "Close Inkgraph and start it again: it builds llama.cpp for this processor.",
            problem=result.problem,
        )
    return ModelCannotRun(
        "The model {title} can't run here: it {problem}.",
        "Test it again, install it again, or choose another model in Models.",
        title=title,
        problem=result.problem,
    )


def _build_key(role: str, path: Path, n_gpu_layers: int, chat: Path | None) -> str:
    settings = f"{role}|{n_gpu_layers}"
    parts = [read_processor().fingerprint, _fingerprint_llama(), _describe_file(path), settings]
    parts += [_describe_file(chat)] if chat is not None else []
    return hashlib.sha256("|".join(parts).encode()).hexdigest()[:24]


def _describe_file(path: Path) -> str:
    try:
        stat = path.stat()
    except OSError:
        return path.name
    return f"{path.name}|{stat.st_size}|{stat.st_mtime_ns}"


@cache
def _fingerprint_llama() -> str:
    """Return a text that differs for another build of llama.cpp; imports nothing."""
    spec = importlib.util.find_spec("llama_cpp")
    if spec is None or spec.origin is None:
        return "missing"
    files = sorted((Path(spec.origin).parent / "lib").glob("*ggml-cpu*"))
    stats = [(file.name, file.stat()) for file in files]
    return "|".join(f"{name}:{stat.st_size}:{stat.st_mtime_ns}" for name, stat in stats)
