"""The log files: one per process, bounded in size and number, without any text of the user.

A log must be safe to send to a stranger. Document text, names, questions, answers, file names and
passphrases reach log calls in two ways: as values of a message, and in the words of exceptions. So
a file gets neither: `PrivateFormatter` writes the template of a message with its numbers, and in
the place of a text its length, unless the caller marked it with `plain` as a word of the program.
Of an exception it writes the type, the places in the code and the template of its message; of
other libraries the name of the logger. Documents appear as their number in the library: a file
name often names people, and a digest of one can be guessed.
"""

from __future__ import annotations

import logging
import os
import re
import time
import traceback
from collections.abc import Mapping
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

from .errors import AppError
from .messages import Message

FILE_BYTES, OLD_PARTS = 1_000_000, 1  # of one process
KEPT_FILES = 10  # of ended processes of one kind
LEVEL_VARIABLE = "INKGRAPH_LOG"  # DEBUG, INFO (the default), WARNING or ERROR
OWN = "desktop_app"
_MAX_FRAMES = 60
_FRAME = re.compile(r'File "([^"\n]*)", line (\d+)(?:, in|\s+in) ([\w<>.]+)')
_FATAL = re.compile(r"(?:Fatal Python error|Windows fatal exception): [\w ,.-]+$")
_THREAD = re.compile(r"(?:Current thread|Thread) 0x[0-9a-f]+ .*\(most recent call first\):$")
_FOREIGN_ROOTS = ("site-packages/", "dist-packages/")


class PlainText(str):
    """A text of the program itself that a log file may contain."""


def plain(text: object) -> PlainText:
    """Mark a text as safe for log files: a word of the program, never of the user."""
    return PlainText(text)


class PrivateFormatter(logging.Formatter):
    """Formats records without the texts of the user."""

    default_msec_format = "%s.%03d"

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record, with its traceback."""
        record.message = describe_message(record)
        record.asctime = self.formatTime(record)
        line = self.formatMessage(record)
        if record.exc_info and record.exc_info[1] is not None:
            line = f"{line}\n{describe_exception(record.exc_info[1])}"
        return line


def describe_message(record: logging.LogRecord) -> str:
    """Return the message of a record with the lengths of texts in place of the texts."""
    if not f"{record.name}.".startswith(f"{OWN}."):
        return "a message of another library"
    arguments: Any = record.args
    if isinstance(arguments, Mapping):
        arguments = {name: hide_text(value) for name, value in arguments.items()}
    elif arguments:
        arguments = tuple(hide_text(value) for value in arguments)
    try:
        return str(record.msg) % arguments if arguments else str(record.msg)
    except (TypeError, ValueError):
        return str(record.msg)


def hide_text(value: Any) -> Any:
    """Return a value as it may be logged: numbers and marked texts, else what kind it is."""
    if value is None or isinstance(value, (int, float, PlainText)):
        return value
    if isinstance(value, BaseException):
        return describe_logged_error(value)
    if isinstance(value, Message):
        return value.template
    if isinstance(value, (str, bytes, bytearray)):
        return f"<{len(value)} characters>"
    return f"<{type(value).__name__}>"


def describe_logged_error(error: BaseException) -> str:
    """Return the type of an exception, and what of its message belongs to the program."""
    name = type(error).__qualname__
    if isinstance(error, AppError):
        return f"{name}: {error.message.template}"
    if isinstance(error, OSError):
        reason = os.strerror(error.errno) if error.errno else "unknown"
        return f"{name}: {error.errno} {reason}"
    if places := list_frames(getattr(error, "child_traceback", "")):  # of a `ParserBug`
        return f"{name}, in a child process:\n{places}"
    code = getattr(error, "extendedresult", None)  # of SQLite
    return f"{name}: code {code}" if isinstance(code, int) else name


def describe_exception(error: BaseException) -> str:
    """Return the traceback of an exception and its causes, without messages and local values."""
    parts: list[str] = []
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        frames = traceback.extract_tb(current.__traceback__)[-_MAX_FRAMES:]
        lines = [f"  {shorten_path(f.filename)}:{f.lineno} in {f.name}" for f in frames]
        parts.append("\n".join(["Traceback:", *lines, describe_logged_error(current)]))
        is_hidden = current.__suppress_context__ and current.__cause__ is None
        current = current.__cause__ or (None if is_hidden else current.__context__)
    return "\ncaused by\n".join(parts)


def list_frames(text: str) -> str:
    """Return only the places in the code out of a traceback or a record of faulthandler."""
    lines = []
    for line in text.splitlines():
        if found := _FRAME.search(line):
            lines.append(f"  {shorten_path(found[1])}:{found[2]} in {found[3]}")
        elif _FATAL.match(line):
            lines.append(line)
        elif _THREAD.match(line):
            lines.append("Thread:")
    return "\n".join(lines[: 4 * _MAX_FRAMES])


def shorten_path(path: str) -> str:
    """Return the path of a module without the folders above its package, which name the user."""
    path = path.replace("\\", "/")
    for root in _FOREIGN_ROOTS:
        if root in path:
            return path.rpartition(root)[2]
    _, found, after = path.rpartition(f"/{OWN}/")
    return f"{OWN}/{after}" if found else path.rpartition("/")[2]


def find_level(name: str = "") -> int:
    """Return the level of the log files: of this name, or of the environment."""
    names = logging.getLevelNamesMapping()
    return names.get((name or os.environ.get(LEVEL_VARIABLE, "")).upper(), logging.INFO)


def open_log(folder: Path, kind: str) -> RotatingFileHandler:
    """Return the handler of this process's own log file; older files are removed.

    Several processes cannot rotate one file, so each has its own.

    Raises:
        OSError: the folder can't be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    remove_old_logs(folder, kind)
    file = folder / f"{kind}-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.log"
    handler = RotatingFileHandler(
        file, maxBytes=FILE_BYTES, backupCount=OLD_PARTS, encoding="utf-8", errors="replace"
    )
    handler.setFormatter(PrivateFormatter())
    handler.setLevel(find_level())
    return handler


def remove_old_logs(folder: Path, kind: str) -> None:
    """Keep the newest logs of a kind; those of running processes always stay."""
    running = {file.stem.rpartition("-")[2] for file in folder.glob(f"session-{kind}-*.txt")}
    files = [
        file
        for file in sorted(folder.glob(f"{kind}-*.log"))
        if file.stem.rpartition("-")[2] not in running
    ]
    for file in files[: len(files) - KEPT_FILES + 1]:
        for part in (file, *folder.glob(f"{file.name}.*")):
            try:
                part.unlink(missing_ok=True)
            except OSError:  # Windows: another program reads it
                continue


def read_last_lines(folder: Path, kind: str, n_lines: int) -> list[str]:
    """Return the last lines of the newest logs of a kind, oldest first."""
    lines: list[str] = []
    for file in sorted(folder.glob(f"{kind}-*.log"), reverse=True):
        for part in (file, file.with_name(f"{file.name}.1")):
            if len(lines) < n_lines and part.exists():
                found = part.read_text("utf-8", errors="replace").splitlines()
                lines = [*found[len(lines) - n_lines :], *lines]
    return lines
