"""Which windows have a library open, and what a second start asks of the first.

Each window has a file in the data folder, which its process holds as long as it lives, so that a
window that ended without closing is in nobody's way. Servers and commands have none: they share a
library by design.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from .. import paths
from ..held_files import hold_file, is_abandoned

SUFFIX, REQUEST = ".window", ".request"


class WindowMark:
    """The file that says that a window of this process has a library open, until `release`.

    Raises:
        OSError: the data folder can't be written.
    """

    _numbers = itertools.count(1)

    def __init__(self, library: Path) -> None:
        self.library = library
        folder = paths.open_windows_dir()
        folder.mkdir(parents=True, exist_ok=True)
        name = f"{_build_key(library)}-{os.getpid()}-{next(self._numbers)}"
        self.file = folder / f"{name}{SUFFIX}"
        # On Windows an open file can't be renamed. Elsewhere it gets its name when it is held:
        # another start would take it for an abandoned one before.
        at_first = self.file if sys.platform == "win32" else folder / f"{name}.new"
        self._held = at_first.open("wb")
        try:
            hold_file(self._held)
            if at_first != self.file:
                at_first.rename(self.file)
        except OSError:
            self._held.close()
            raise

    def take_request(self) -> list[str] | None:
        """Return the files of the last request to come to the front, None if there is none."""
        request = self.file.with_suffix(REQUEST)
        try:
            text = request.read_text("utf-8", errors="replace")
            request.unlink()
            found = json.loads(text)
        except (OSError, ValueError):
            return None
        files = found.get("files", ()) if isinstance(found, dict) else ()
        return [str(file) for file in files] if isinstance(files, list) else []

    def release(self) -> None:
        """Delete the file: the window is closed."""
        self._held.close()
        _remove(self.file)


def find_windows(library: Path) -> list[Path]:
    """Return the marks of the windows of other processes that have a library open."""
    found = []
    for file in sorted(paths.open_windows_dir().glob(f"{_build_key(library)}-*{SUFFIX}")):
        if file.stem.split("-")[1] == str(os.getpid()):
            continue
        if is_abandoned(file):
            _remove(file)
        else:
            found.append(file)
    return found


def request_front(mark: Path, files: Sequence[str] = ()) -> None:
    """Ask the window with this mark to come to the front and to add files.

    Raises:
        OSError: the data folder can't be written.
    """
    written = mark.with_suffix(".asking")
    written.write_text(json.dumps({"files": list(files)}), "utf-8")
    os.replace(written, mark.with_suffix(REQUEST))


def is_request_taken(mark: Path) -> bool:
    """Return whether the window with this mark has taken the last request."""
    return not mark.with_suffix(REQUEST).exists()


def withdraw_request(mark: Path) -> None:
    """Delete a request that the window has not taken."""
    with suppress(OSError):
        mark.with_suffix(REQUEST).unlink()


def _build_key(library: Path) -> str:
    place = os.path.normcase(library.expanduser().resolve())
    return hashlib.sha256(place.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _remove(mark: Path) -> None:
    for suffix in (SUFFIX, REQUEST):
        with suppress(OSError):
            mark.with_suffix(suffix).unlink()
