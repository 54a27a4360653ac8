"""What this computer has for models: memory, whether one fits, and what was measured of each.

Owns the files of what was measured. Knows no models; the registry passes paths and sizes.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

RUNS_WELL, RUNS_SLOWLY = "runs well", "runs slowly"
CORES, MEMORY = "cores", "memory"  # what stands against a larger model
FITS, TIGHT, TOO_LARGE, UNKNOWN = "fits", "tight", "too large", "unknown"
# Of the whole memory. The system, the window and a browser take 3 to 4 of 8 GB.
_FITS_SHARE, _TIGHT_SHARE = 0.6, 0.85

# How large a model may be that is recommended: what it needs, for each processor core. A model
# that is twice as large reads and writes half as fast. A rule of thumb: larger models than the
# starter were not measured. Those up to the second size are quick enough on two cores.
_RECOMMENDED_PER_CORE, _ALWAYS_QUICK = 700_000_000, 2_000_000_000


@dataclass(frozen=True, slots=True)
class Machine:
    """Memory, processors and disk of this computer; 0 for unknown.

    `free_bytes` is memory, `free_disk_bytes` is where the models are.
    """

    memory_bytes: int
    free_bytes: int
    n_processors: int
    free_disk_bytes: int = 0

    def judge(self, needed_bytes: int) -> str:
        """Return whether a model that takes so much memory `FITS`, is `TIGHT`, or `TOO_LARGE`."""
        if not self.memory_bytes or not needed_bytes:
            return UNKNOWN
        share = needed_bytes / self.memory_bytes
        return FITS if share <= _FITS_SHARE else TIGHT if share <= _TIGHT_SHARE else TOO_LARGE

    def rate(self, needed_bytes: int) -> str:
        """Return whether a model `RUNS_WELL`, `RUNS_SLOWLY`, is `TOO_LARGE`, or `UNKNOWN`.

        Memory that is free now does not count: it changes while the program runs.
        """
        fit = self.judge(needed_bytes)
        if fit in (UNKNOWN, TOO_LARGE):
            return fit
        quick = max(_ALWAYS_QUICK, self.n_processors * _RECOMMENDED_PER_CORE)
        return RUNS_WELL if fit == FITS and needed_bytes <= quick else RUNS_SLOWLY

    def find_best(self, needs: Mapping[str, int]) -> str:
        """Return the largest model that `RUNS_WELL`, or "".

        Args:
            needs: bytes of memory of each model, by any key.
        """
        fitting = [k for k, n in needs.items() if self.rate(n) == RUNS_WELL]
        return max(fitting, key=needs.__getitem__, default="")

    def find_well_limit(self) -> tuple[int, str]:
        """Return how many bytes a model may need that `RUNS_WELL`, and what limits it.

        The limit is `CORES` or `MEMORY`; (0, "") where the memory is unknown.
        """
        fitting = round(self.memory_bytes * _FITS_SHARE)
        quick = max(_ALWAYS_QUICK, self.n_processors * _RECOMMENDED_PER_CORE)
        if not fitting:
            return 0, ""
        return (quick, CORES) if quick < fitting else (fitting, MEMORY)


def read_machine() -> Machine:
    """Return what this computer has now."""
    total, free = find_memory_bytes(), 0
    with suppress(OSError):  # other systems than Linux have no such file
        found = re.search(r"^MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text(), re.M)
        free = int(found[1]) * 1024 if found else 0
    return Machine(total, free, os.cpu_count() or 0)


def find_memory_bytes() -> int:
    """Return the memory of this machine, 0 where it is unknown."""
    if os.name == "nt":
        return _find_memory_of_windows()
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return 0


def _find_memory_of_windows() -> int:
    n_kilobytes = ctypes.c_ulonglong(0)
    kernel = getattr(ctypes, "windll").kernel32  # noqa: B009 - other systems do not have it
    if not kernel.GetPhysicallyInstalledSystemMemory(ctypes.byref(n_kilobytes)):
        return 0
    return n_kilobytes.value * 1024


class KeptByModel:
    """Keeps in one JSON file what was measured of each model on this computer.

    Safe from several threads. A file that can't be written is no failure: it is measured again.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()

    def find(self, key: str) -> Any:
        """Return what was kept for a model, None if nothing was.

        Args:
            key: of `key_of_file`, or the name of a model that is no file of this computer.
        """
        return self._load().get(key)

    def store(self, key: str, value: Any) -> None:
        with self._lock, suppress(OSError):
            kept = {**self._load(), key: value}
            fresh = self._file.with_suffix(f".{os.getpid()}.new")
            self._file.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
            os.replace(fresh, self._file)

    def _load(self) -> dict[str, Any]:
        try:
            kept = json.loads(self._file.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return kept if isinstance(kept, dict) else {}


class MeasuredSpeeds:
    """Remembers how fast each model file wrote on this computer; see `KeptByModel`."""

    def __init__(self, file: Path) -> None:
        self._kept = KeptByModel(file)

    def find(self, path: Path | None) -> float:
        """Return tokens per second of a model file, 0.0 if it was not measured."""
        try:
            return float(self._kept.find(key_of_file(path)) or 0.0) if path is not None else 0.0
        except (TypeError, ValueError):
            return 0.0

    def store(self, path: Path, tokens_per_s: float) -> None:
        self._kept.store(key_of_file(path), round(tokens_per_s, 2))


class LoadingTimes:
    """Remembers how long each model file took to load on this computer; see `KeptByModel`."""

    _N_KEPT = 5  # a load from a cold disk among them does not change the median

    def __init__(self, file: Path) -> None:
        self._kept = KeptByModel(file)

    def find(self, path: Path) -> float:
        """Return the median of the last loads of a model file in seconds, 0.0 without any."""
        return median(self._list(path) or [0.0])

    def store(self, path: Path, seconds: float) -> None:
        times = [*self._list(path), round(seconds, 2)]
        self._kept.store(key_of_file(path), times[-self._N_KEPT :])

    def _list(self, path: Path) -> list[float]:
        kept = self._kept.find(key_of_file(path))
        times = kept if isinstance(kept, list) else []
        return [float(one) for one in times if isinstance(one, int | float) and one > 0]


def key_of_file(path: Path) -> str:
    """Return a text that differs for another file of the same name."""
    try:
        stat = path.stat()
    except OSError:
        return path.name
    return f"{path.name}|{stat.st_size}|{stat.st_mtime_ns}"
