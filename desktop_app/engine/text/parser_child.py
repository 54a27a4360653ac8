"""The child's side of `parser_process`: restricts the process, then answers requests until the end.

Each child module has its own requests. Before the first one comes, the process has given up the
network, other programs, writing, and reading of files outside the program (`child_sandbox`).
"""

from __future__ import annotations

import os
import signal
import sys
import sysconfig
import time
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO, Any

from ..child_protocol import encode_error, parse_frame, read_frame, write_frame
from ..child_sandbox import restrict_process
from ..crash_log import enable_child_faults
from ..errors import AppError
from ..paths import PACKAGE_ROOT
from ..progress import CancelToken

_SYSTEM_FOLDERS = ("/usr", "/lib", "/lib64", "/etc/fonts", "/etc/ld.so.cache", "/etc/localtime")
_DEVICES = ("/dev/null", "/dev/urandom", "/proc/self", "/proc/meminfo", "/proc/cpuinfo")
# DuckDB aborts when it may not read how many processors it has.
_PROCESSORS = ("/proc/stat", "/sys/devices/system/cpu", "/sys/fs/cgroup")
_MAX_TRACEBACK = 8_000
_ALIVE_EVERY_S = 1.0

# Takes the stream of requests (for bytes after a request), the stream of answers and one request.
Answer = Callable[[IO[bytes], IO[bytes], dict[str, Any]], None]


class AliveReporter(CancelToken):
    """Reports each check of a long work as progress; the parent cancels by ending this process."""

    def __init__(self, answers: IO[bytes]) -> None:
        super().__init__()
        self._answers = answers
        self._reported_at = time.monotonic()

    def check(self) -> None:
        if time.monotonic() - self._reported_at > _ALIVE_EVERY_S:
            self._reported_at = time.monotonic()
            write_frame(self._answers, [{"alive": True}])


class _ParentGone(Exception):
    """Stdin ended within a request."""


def serve(prepare: Callable[[], None], answer: Answer) -> int:
    """Answer requests until stdin is closed or the memory is exhausted; return the exit code.

    Args:
        prepare: imports what `answer` needs, before files can no longer be read.
    """
    for name in ("SIGINT", "SIGHUP"):  # the parent decides when this process ends
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    enable_child_faults()
    requests = sys.stdin.buffer
    # What a library prints must not come between the frames.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    first = parse_frame(read_frame(requests) or b"[]")
    if not first:
        return 0
    [settings] = first
    prepare()
    os.chdir(os.path.abspath(os.sep))
    waiting_since: list[float] = []

    def is_idle() -> bool:
        return bool(waiting_since) and time.monotonic() - waiting_since[0] > settings["idle_s"]

    readable = list_readable(settings.get("readable", ()))
    parts = restrict_process(settings["memory_bytes"], readable, idle=is_idle)
    write_frame(answers, [{"ready": parts}])
    while True:
        waiting_since.append(time.monotonic())
        frame = read_frame(requests)
        waiting_since.clear()
        if frame is None or not _answer(answer, requests, answers, parse_frame(frame)[0]):
            return 0


def _answer(
    answer: Answer, requests: IO[bytes], answers: IO[bytes], request: dict[str, Any]
) -> bool:
    """Answer one request, or say why not; return False if the process should end."""
    try:
        answer(requests, answers, request)
    except _ParentGone:
        return False
    except AppError as error:
        if isinstance(error.__cause__, MemoryError):
            write_frame(answers, [{"memory": True}])
            return False
        write_frame(answers, [encode_error(error)])
    except MemoryError:
        write_frame(answers, [{"memory": True}])
        return False
    except Exception:
        write_frame(answers, [{"bug": traceback.format_exc()[-_MAX_TRACEBACK:]}])
    return True


def read_request_bytes(requests: IO[bytes], n_bytes: int) -> bytes:
    """Return the bytes that follow a request.

    The process ends if the parent is gone.
    """
    content = requests.read(n_bytes)
    if len(content) < n_bytes:
        raise _ParentGone
    return content


def list_readable(more: Iterable[str] = ()) -> list[Path]:
    """Return what the process may read: the system's libraries, Python, its packages, itself.

    Args:
        more: files and folders of the person that this child is for.
    """
    places = [
        *_SYSTEM_FOLDERS,
        *_DEVICES,
        *_PROCESSORS,
        PACKAGE_ROOT,
        sys.prefix,
        sys.base_prefix,
        sys.exec_prefix,
    ]
    places += [path for path in sysconfig.get_paths().values() if "site-packages" in path]
    places += [path for path in sys.path if path.endswith(("site-packages", ".zip"))]
    named = [place for place in map(str, places) if place not in ("", "/")]
    return [Path(place) for place in dict.fromkeys([*named, *map(str, more)])]
