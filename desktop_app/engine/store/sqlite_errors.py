"""What SQLite's errors mean: the only place where they become errors of the program.

Owns the sentences for a library that can't be opened, read or written, and the decision whether an
error is damage. `db` calls it with every error that it gets.
"""

from __future__ import annotations

import errno
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import apsw

from ..errors import (
    Cancelled,
    DamagedLibrary,
    DiskFull,
    EnvironmentProblem,
    NotALibrary,
    PassphraseNeeded,
    ReadOnlyLibrary,
)
from ..messages import Message
from . import damage
from .damage import DamageRecord
from .encryption import LibraryKey, is_encrypted
from .library_file import HEADER_DAMAGED, describe_file_damage, find_damaged_pages

# I/O errors of which the content of the file, and not the system, is the cause.
_DAMAGE_CODES = {
    apsw.SQLITE_IOERR_DATA,
    apsw.SQLITE_IOERR_CORRUPTFS,
    apsw.SQLITE_IOERR_SHORT_READ,
}
# An expression in the schema calls a function that could reach outside the file.
_UNSAFE_SCHEMA = re.compile(r"malformed database schema \((.+)\) - unsafe use of")


class ErrorTranslator:
    """Translates the errors of one connection to a library, and records damage.

    Args:
        read_only: the connection was wanted for reading only.
        key: the library is opened with it.
        is_key_given: by the caller, so that it may be a wrong one.

    Attributes:
        damage: where damage is recorded.
    """

    def __init__(
        self, path: Path, *, read_only: bool, key: LibraryKey | None, is_key_given: bool
    ) -> None:
        self._path = path
        self._read_only, self._key, self._is_key_given = read_only, key, is_key_given
        self.damage = DamageRecord(path)

    def translate_opening(self, error: Exception) -> Exception:
        """Return the error to raise for a file that can't be opened."""
        match error:
            case OSError(errno=errno.ENOSPC | errno.EDQUOT):
                return _disk_full_at_opening(self._path)
            case apsw.CantOpenError() | apsw.ReadOnlyError() | apsw.PermissionsError() | OSError():
                return EnvironmentProblem(
                    "The library “{path}” can't be opened: {reason}.",
                    "Check that the folder exists and that you may write there.",
                    path=self._path,
                    reason=error,
                )
            case apsw.BusyError() | apsw.LockedError():
                return library_in_use(self._path)
        if unsafe := _UNSAFE_SCHEMA.search(str(error)):
            return strange_schema(self._path, [unsafe[1]])
        what = describe_file_damage(self._path)
        if isinstance(error, apsw.NotADBError) and what is None:
            if self._is_known_library():
                what = HEADER_DAMAGED
            elif self._key is not None and is_encrypted(self._path):
                return wrong_passphrase(self._path)
            else:
                return not_a_library(self._path)
        if what or is_damage(error):
            return self.refuse_opening(what or describe_damage(error))
        translated = self.translate(error)
        if isinstance(translated, (EnvironmentProblem, Cancelled, apsw.ExtensionLoadingError)):
            return translated
        # SQLite reports a schema that it cannot read as an error in its SQL.
        return self.refuse_opening(describe_damage(error))

    def refuse_opening(self, what: Message) -> DamagedLibrary:
        """Record damage because of which the library can't be opened; return the error."""
        self.damage.add(what, prevents_opening=True)
        return damage.cannot_open(self._path, what)

    def _is_known_library(self) -> bool:
        """Return whether this process has the file open as a library, with the same key if any."""
        return self.damage.was_opened and not self._is_key_given

    def translate(self, error: Exception) -> Exception:
        """Return the error to raise for one at reading or writing, and record damage."""
        match error:
            case apsw.ConnectionClosedError() | apsw.InterruptError():
                return Cancelled()
            case apsw.FullError():
                return DiskFull(
                    "The disk is full; nothing was changed.", "Make room and try again."
                )
            case apsw.IOError() if _is_disk_full(self._path):  # the index of the log has no room
                return _disk_full_at_opening(self._path)
            case apsw.BusyError() | apsw.LockedError():
                return EnvironmentProblem(
                    "Another program is writing to this library.",
                    "Close the other Inkgraph window or command and try again.",
                )
            case apsw.ReadOnlyError() | apsw.CantOpenError() if not self._read_only:
                return read_only_library(self._path)
        # sqlite-vec reports a damaged page that it met as an error of its own.
        if is_damage(error) or self.verify_pages():
            self.damage.add(describe_damage(error))
            return damage.cannot_read_part(self._path, self.damage.found or describe_damage(error))
        if isinstance(error, apsw.IOError):
            return EnvironmentProblem(
                "The disk reports an error at the library “{name}”: {reason}.",
                "Check the disk, and that there is a backup on another one.",
                name=self._path.name,
                reason=error,
            )
        return error

    def verify_pages(self) -> bool:
        """Verify the checksums of all pages; record damage and return whether there is any."""
        if pages := find_damaged_pages(self._path):
            self.damage.add(describe_damaged_pages(len(pages)))
        return bool(pages)


def _is_disk_full(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < 2**20
    except OSError:
        return False


def _disk_full_at_opening(path: Path) -> DiskFull:
    return DiskFull(
        "The library “{name}” can't be opened: the disk is full.",
        "Make room on the disk, a megabyte is enough, and try again.",
        name=path.name,
    )


# --- what can be wrong with a library -----------------------------------------------------------


def library_in_use(path: Path) -> EnvironmentProblem:
    return EnvironmentProblem(
        "The library “{name}” is in use by another program.",
        "Close the other Inkgraph window or command and try again.",
        name=path.name,
    )


def wrong_passphrase(path: Path) -> PassphraseNeeded:
    # The first page holds the salt and is authenticated like every other, so that nothing in
    # the file tells a wrong passphrase from damage there.
    return PassphraseNeeded(
        "The passphrase of “{name}” is wrong, or the beginning of the file is damaged.",
        "Try again. If you are sure of the passphrase, restore a backup or recover the library.",
        wrong=True,
        name=path.name,
    )


def not_a_library(path: Path) -> NotALibrary:
    return NotALibrary(
        "“{name}” is not an Inkgraph library.",
        "Choose a file that Inkgraph made, or another name for a new one.",
        name=path.name,
    )


def strange_schema(path: Path, objects: Sequence[str]) -> NotALibrary:
    """Return the error for a file with these triggers, views or tables of another program."""
    return NotALibrary(
        "“{name}” is not opened, because it contains objects that Inkgraph did not create: "
        "{objects}.",
        "If you trust its source, open it and choose “Recover what can be read”.",
        name=path.name,
        objects=_describe_objects(objects),
    )


def read_only_library(path: Path) -> ReadOnlyLibrary:
    return ReadOnlyLibrary(
        "Nothing was changed: the library “{name}” is read-only where it is.",
        "Copy it to a folder where you may write, and open the copy.",
        name=path.name,
    )


def _describe_objects(names: Sequence[str], n_shown: int = 3) -> Message | str:
    """Return the first names of a list, each cut to a length that fits into a message."""
    shown = ", ".join(f"“{name[:40]}”" for name in names[:n_shown])
    more = len(names) - n_shown
    return Message("{names} and {n} more", names=shown, n=more) if more > 0 else shown


# --- damage ---------------------------------------------------------------------------------------


def is_damage(error: Exception) -> bool:
    """Return whether an error means that the content of the file is damaged."""
    if isinstance(error, (apsw.CorruptError, apsw.NotADBError, apsw.FormatError)):
        return True
    return isinstance(error, UnicodeDecodeError) or (
        isinstance(error, apsw.Error) and getattr(error, "extendedresult", 0) in _DAMAGE_CODES
    )


def describe_damage(error: Exception) -> Message:
    """Return what an error of SQLite means for the file."""
    if getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_DATA:
        return Message("a page does not fit its checksum")
    if getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_SHORT_READ:
        return Message("its end is missing")
    if isinstance(error, UnicodeDecodeError):
        return Message("a text in it is not valid UTF-8")
    return Message("its structure is inconsistent ({reason})", reason=error)


def describe_damaged_pages(n_pages: int) -> Message:
    if n_pages == 1:
        return Message("1 page does not fit its checksum")
    return Message("{n:,} pages do not fit their checksums", n=n_pages)
