"""Files and folders of exports that are there completely or not at all.

What is written first has a name of its own beside its place, so that an error, a full disk or a
cancelled export leaves what was there before.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from ...errors import UserError, cannot_write

_UNFINISHED = ".unfinished"


@contextmanager
def replace_file(path: Path) -> Iterator[Path]:
    """Yield where to write a file; it replaces `path` when everything is written.

    A link is followed. What is no file of a folder, such as a pipe or `/dev/stdout`, is written to
    directly: replacing it would remove the device. Both names have the same ending, because some
    writers decide by it.

    Raises:
        UserError: there is a folder of this name.
        EnvironmentProblem: the file can't be written.
    """
    if path.is_dir():
        raise UserError("“{name}” is a folder.", "Enter the name of a file.", name=path.name)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        place = _find_place(path)
        if place is None:
            yield path
            return
        unfinished = place.with_name(f"{place.stem}{_UNFINISHED}{place.suffix}")
        try:
            yield unfinished
            os.replace(unfinished, place)
        finally:
            unfinished.unlink(missing_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from error


@contextmanager
def write_file(path: Path) -> Iterator[Callable[[str], object]]:
    """Yield a function that writes the text of a file; see `replace_file`."""
    with replace_file(path) as place, _open_text(place) as file:
        yield file.write


def write_bytes(path: Path, content: bytes) -> None:
    """Write a whole file; see `replace_file`."""
    with replace_file(path) as place:
        place.write_bytes(content)


def _find_place(path: Path) -> Path | None:
    """Return the file that a path names, None for something that can't be replaced by a file.

    Raises:
        OSError: the file is there and may not be changed.
    """
    if not path.exists():
        return None if path.is_symlink() else path
    place = path.resolve()
    # The link of an open file that has no name any more resolves to a name of no file.
    if not (place.is_file() and place.samefile(path)):
        return None
    place.open("a").close()
    return place


def _open_text(path: Path) -> TextIO:
    return path.open("w", encoding="utf-8", newline="\n", buffering=1 << 20)


@contextmanager
def write_folder(folder: Path, names: Collection[str] | None = None) -> Iterator[Path]:
    """Yield an empty folder; its files are moved to `folder` when everything is written.

    An earlier export of the same files is replaced.

    Args:
        names: of all files of the export, of a folder that may have no others: its program loads
            all of it. None for one in which other files may be, and stay.

    Raises:
        UserError: there is a file of this name, or the folder has other files.
        EnvironmentProblem: the folder can't be written.
    """
    unfinished = folder / _UNFINISHED
    is_new = not folder.exists()
    try:
        if not is_new:
            _check_folder(folder, names)
        try:
            unfinished.mkdir(parents=True)
            yield unfinished
            for path in sorted(unfinished.rglob("*")):
                if path.is_file():
                    place = folder / path.relative_to(unfinished)
                    place.parent.mkdir(parents=True, exist_ok=True)
                    os.replace(path, place)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
            if is_new:
                with suppress(OSError):  # it is not empty when all went well
                    folder.rmdir()
    except OSError as error:
        raise cannot_write(folder, error) from error


def _check_folder(folder: Path, names: Collection[str] | None) -> None:
    if not folder.is_dir():
        raise UserError("“{name}” is a file.", "Enter the name of a folder.", name=folder.name)
    shutil.rmtree(folder / _UNFINISHED, ignore_errors=True)  # of a process that was killed
    if names is None:
        return
    others = sorted(path.name for path in folder.iterdir() if path.name not in names)
    if others:
        raise UserError(
            "The folder “{folder}” has other files, such as “{name}”.",
            "Choose an empty folder or a new name.",
            folder=folder.name,
            name=others[0],
        )


def open_part(folder: Path, name: str) -> TextIO:
    """Return a new text file in the folder that `write_folder` yields."""
    return _open_text(folder / name)
