"""Files and folders of exports that are there completely or not at all.

What is written first has a name of its own beside its place, so that an error, a full disk or a
cancelled export leaves what was there before. A library is never replaced, nor what belongs to one.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from ...errors import UserError, cannot_write
from ...store.backup import list_companions
from ...store.encryption import is_encrypted, is_plain_library
from ..backups import is_backup_name
from ..library import SUFFIX

_UNFINISHED = ".unfinished"


def check_replaceable(path: Path, inputs: Collection[Path] = ()) -> None:
    """Check that an export may be written to a file, which may be there already.

    A library is known by its name, also where it is damaged, and by its content, also under the
    name of a backup or behind a link.

    Args:
        inputs: files that the same command reads.

    Raises:
        UserError: it is a library, part of one or a backup, or one of `inputs`.
    """
    if any(path.exists() and one.exists() and path.samefile(one) for one in inputs):
        raise UserError(
            "“{name}” is read by this command, and would be replaced by the result.",
            "Choose another name.",
            name=path.name,
        )
    target = Path(os.path.realpath(path))
    beside = _list_owners(target)
    is_library = any(map(_is_library, (target, *beside)))
    if is_library or any(one.suffix == SUFFIX for one in (path, target, *beside)):
        raise UserError(
            "“{name}” is a library or belongs to one. An export does not replace it.",
            "Choose another name.",
            name=path.name,
        )
    if is_backup_name(target.name) and target.exists():
        raise UserError(
            "“{name}” is a backup of a library. An export does not replace it.",
            "Choose another name.",
            name=path.name,
        )


def _is_library(path: Path) -> bool:
    return path.is_file() and (is_plain_library(path) or is_encrypted(path))


def _list_owners(path: Path) -> list[Path]:
    """Return the library beside which SQLite keeps a file of this name, if it has such a name."""
    own = "library"
    ends = [one.name.removeprefix(own) for one in list_companions(Path(own))]
    names = [path.name.removesuffix(end) for end in ends if path.name.endswith(end)]
    return [path.with_name(name) for name in names if name]


@contextmanager
def replace_file(path: Path) -> Iterator[Path]:
    """Yield where to write a file; it replaces `path` when everything is written.

    A link is followed. What is no file of a folder, such as a pipe or `/dev/stdout`, is written to
    directly: replacing it would remove the device. Both names have the same ending, because some
    writers decide by it.

    Raises:
        UserError: there is a folder of this name, or a library; see `check_replaceable`.
        EnvironmentProblem: the file can't be written.
    """
    if path.is_dir():
        raise UserError("“{name}” is a folder.", "Enter the name of a file.", name=path.name)
    try:
        check_replaceable(path)
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
