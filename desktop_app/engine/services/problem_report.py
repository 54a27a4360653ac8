"""The report on a problem that a user can copy and send: versions, the machine, the log, a crash.

Contains no text of the user: the log has none (`engine/log_files.py`), of a bug only the places in
the code are taken, and of the library only counts. It is shown before it is copied, never sent.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

from ... import __version__
from .. import crash_log
from ..llm.machine import find_memory_bytes
from ..llm.processor_features import read_processor
from ..log_files import describe_exception, read_last_lines, shorten_path

LOG_LINES = 80
_PACKAGES = ("PySide6", "PySide6-Essentials", "apsw", "apsw-sqlite3mc", "sqlite-vec",
             "llama-cpp-python", "pypdfium2", "duckdb", "numpy")  # fmt: skip
# Those that decide which build of llama.cpp runs.
_FEATURES = ("sse4_2", "avx", "avx2", "fma", "f16c", "avx512f", "avx512_vnni", "avx512_bf16",
             "amx_tile", "neon", "asimd", "asimddp", "i8mm", "sve")  # fmt: skip


def build_problem_report(
    *,
    counts: Mapping[str, int] | None = None,
    error: BaseException | None = None,
    crash: Path | None = None,
) -> str:
    """Return the report as text.

    Args:
        counts: what the open library has, such as its number of documents.
        error: the bug that it is about.
        crash: the record of a crash; None for the last one.
    """
    processor = read_processor()
    features = [name for name in _FEATURES if name in processor.features]
    parts = [
        f"Inkgraph {__version__}",
        f"Python {platform.python_version()}, {platform.platform()}",
        ", ".join(_list_versions()),
        f"Processor: {processor.name} ({processor.machine}), {os.cpu_count()} cores, "
        + (" ".join(features) or "features unknown"),
        f"Memory: {find_memory_bytes() / 1e9:.1f} GB",
    ]
    if counts is not None:
        parts.append("Library: " + ", ".join(f"{n:,} {name}" for name, n in counts.items()))
    if error is not None:
        parts.append(f"\n--- What failed\n{describe_exception(error)}")
    record = crash or crash_log.find_last_crash()
    if record is not None:
        parts.append(f"\n--- The last crash\n{read_record(record)}")
    lines = read_last_lines(crash_log.logs_dir(), "window", LOG_LINES)
    lines = lines or read_last_lines(crash_log.logs_dir(), "command", LOG_LINES)
    parts.append("\n--- The last lines of the log\n" + "\n".join(lines))
    return "\n".join(parts) + "\n"


def read_record(file: Path) -> str:
    """Return the record of a crash without the folders of the user."""
    try:
        text = file.read_text("utf-8", errors="replace")
    except OSError as error:
        return f"can't be read: {error.strerror}"
    lines = []
    for line in text.splitlines():
        if line.startswith("boot: "):  # identifies this computer until it is started again
            continue
        before, found, after = line.partition('File "')
        path, quote, rest = after.partition('"')
        lines.append(f"{before}{found}{shorten_path(path)}{quote}{rest}" if found else line)
    return "\n".join(line.rstrip() for line in lines)


def _list_versions() -> list[str]:
    """Return names and versions of the installed packages; apsw's is SQLite's."""
    found = []
    for name in _PACKAGES:
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    return found
