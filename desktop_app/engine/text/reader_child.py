"""The process that reads documents: `python -m desktop_app.engine.text.reader_child`.

Started by `reader_process`. Gets a file's name and bytes on stdin, answers on stdout with frames
(`reader_protocol`), and waits for the next file. It restricts itself (`reader_sandbox`) before it
gets the first file, and it opens no file of the person.
"""

from __future__ import annotations

import os
import signal
import sys
import sysconfig
import time
import traceback
from pathlib import Path
from typing import IO, Any

from ..crash_log import enable_child_faults
from ..errors import AppError
from ..paths import PACKAGE_ROOT
from ..progress import CancelToken
from .reader_protocol import encode_error, parse_frame, read_frame, split_documents, write_frame
from .reader_sandbox import limit_processor_time, restrict_process
from .reading import read_bytes

_SYSTEM_FOLDERS = ("/usr", "/lib", "/lib64", "/etc/fonts", "/etc/ld.so.cache", "/etc/localtime")
_DEVICES = ("/dev/null", "/dev/urandom", "/proc/self", "/proc/meminfo", "/proc/cpuinfo")
_ALIVE_EVERY_S = 1.0
_MAX_TRACEBACK = 8_000


class _Reporter(CancelToken):
    """Reports each check of a reader as progress; the parent cancels by ending this process."""

    def __init__(self, answers: IO[bytes]) -> None:
        super().__init__()
        self._answers = answers
        self._reported_at = time.monotonic()

    def check(self) -> None:
        if time.monotonic() - self._reported_at > _ALIVE_EVERY_S:
            self._reported_at = time.monotonic()
            write_frame(self._answers, [{"alive": True}])

    def report_page(self, done: int, total: int) -> None:
        write_frame(self._answers, [{"page": [done, total]}])


def answer_request(requests: IO[bytes], answers: IO[bytes], request: dict[str, Any]) -> bool:
    """Read one file and send its documents, or why it can't be read.

    Returns:
        False if the process should end: its memory was exhausted.
    """
    write_frame(answers, [{"begun": True}])
    limit_processor_time(request["processor_s"])
    reporter = _Reporter(answers)
    try:
        content = requests.read(request["size"])
        if len(content) < request["size"]:
            return False
        documents = read_bytes(
            content,
            request["name"],
            password=request["password"] or None,
            cancel=reporter,
            on_page=reporter.report_page,
        )
        del content
        for items in split_documents(documents):
            write_frame(answers, items)
        write_frame(answers, [{"end": True}])
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


def list_readable() -> list[Path]:
    """Return what this process may read: the system's libraries, Python, its packages, itself."""
    places = [
        *_SYSTEM_FOLDERS,
        *_DEVICES,
        PACKAGE_ROOT,
        sys.prefix,
        sys.base_prefix,
        sys.exec_prefix,
    ]
    places += [path for path in sysconfig.get_paths().values() if "site-packages" in path]
    places += [path for path in sys.path if path.endswith(("site-packages", ".zip"))]
    return [Path(place) for place in dict.fromkeys(map(str, places)) if place not in ("", "/")]


def prepare_readers() -> None:
    """Import what the readers import when they first need it."""
    import pypdfium2  # noqa: F401

    for name, content in (
        ("a.txt", "A story.\n潮水".encode("gb18030")),
        ("a.html", b"<html><title>A</title><p>story"),
        ("a.md", b"# A\n\nstory"),
        ("a.csv", b"title,text\nA,story\n"),
        ("a.jsonl", b'{"text": "story"}'),
    ):
        read_bytes(content, name)


def main() -> int:
    """Answer requests until stdin is closed."""
    for name in ("SIGINT", "SIGHUP"):  # the parent decides when this process ends
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    enable_child_faults()
    requests = sys.stdin.buffer
    # What a library prints must not come between the frames.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    settings = parse_frame(read_frame(requests) or b"[]")
    if not settings:
        return 0
    prepare_readers()
    os.chdir(os.path.abspath(os.sep))
    waiting_since: list[float] = []

    def is_idle() -> bool:
        return bool(waiting_since) and time.monotonic() - waiting_since[0] > settings[0]["idle_s"]

    parts = restrict_process(settings[0]["memory_bytes"], list_readable(), idle=is_idle)
    write_frame(answers, [{"ready": parts}])
    while True:
        waiting_since.append(time.monotonic())
        frame = read_frame(requests)
        waiting_since.clear()
        if frame is None or not answer_request(requests, answers, parse_frame(frame)[0]):
            return 0


if __name__ == "__main__":
    sys.exit(main())
