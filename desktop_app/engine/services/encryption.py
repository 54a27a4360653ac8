"""Encrypts a library, decrypts it, or changes its passphrase; finds copies that stay readable.

The library is written to a new file, the new file is compared with the old one, and then takes
its place. Until then the old file is untouched. Disks may keep old blocks of a deleted file.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import EnvironmentProblem, UserError, cannot_write
from ..store.db import Db
from ..store.encryption import (
    LibraryKey,
    derive_key,
    is_encrypted,
    is_plain_library,
    make_key,
    read_salt,
)
from .backups import list_backups
from .library import Library

ROOM_FACTOR = 1.1  # the copy has no unused space, but 32 bytes more on each page


@dataclass(frozen=True, slots=True)
class EncryptionChange:
    """What to do with a library: encrypt it with a passphrase, or with None decrypt it.

    Attributes:
        copies: plain copies that are deleted when the library is encrypted.
    """

    passphrase: str | None = field(repr=False)
    copies: tuple[Path, ...] = ()


def apply_change(path: Path, key: LibraryKey | None, change: EncryptionChange) -> LibraryKey | None:
    """Encrypt or decrypt a library, or change its passphrase; return its new key.

    Args:
        key: the present one, None for a plain library.
    """
    if change.passphrase is None:
        if key is not None:
            decrypt_library(path, key)
        return None
    if key is not None:
        new_key = change_passphrase(path, key, change.passphrase)
    else:
        new_key = encrypt_library(path, change.passphrase)
    delete_plain_copies(change.copies)
    return new_key


def is_new(path: Path) -> bool:
    """Return whether opening a path makes a new library."""
    return not path.exists()


def key_to_open(path: Path, passphrase: str) -> LibraryKey | None:
    """Return the key to open a library or to make a new one; None if the library is plain.

    Raises:
        UserError: the passphrase of a new library is too short.
    """
    if is_new(path):
        return make_key(passphrase)
    salt = read_salt(path)
    return derive_key(passphrase, salt) if salt is not None else None


def encrypt_library(path: Path, passphrase: str) -> LibraryKey:
    """Encrypt a plain library in place; return its key.

    Raises:
        UserError: it is encrypted already, or the passphrase is too short.
        EnvironmentProblem: another program has it open, or there is too little room.
    """
    if is_encrypted(path):
        raise UserError("“{name}” is already encrypted.", name=path.name)
    key = make_key(passphrase)
    _rewrite(path, None, key)
    return key


def change_passphrase(path: Path, key: LibraryKey, passphrase: str) -> LibraryKey:
    """Encrypt an encrypted library with another passphrase; return its new key.

    Raises:
        PassphraseNeeded: `key` does not open it.
        UserError: the new passphrase is too short.
        EnvironmentProblem: another program has it open, or there is too little room.
    """
    new_key = make_key(passphrase)
    _rewrite(path, key, new_key)
    return new_key


def decrypt_library(path: Path, key: LibraryKey) -> None:
    """Write an encrypted library as a plain one; raises as `change_passphrase` does."""
    _rewrite(path, key, None)


def _rewrite(path: Path, key: LibraryKey | None, new_key: LibraryKey | None) -> None:
    if is_new(path):
        raise UserError("There is no library at “{path}”.", path=path)
    _check_room(path)
    part = path.with_name(path.name + ".part")
    on_windows = os.name == "nt"  # an open file can't be replaced there
    try:
        with closing(Library(path, create=False, key=key)) as library:
            db = library.writer
            db.exclude_others()
            part.unlink(missing_ok=True)
            db.write_encrypted(part, new_key)
            _compare(db, part, new_key)
            _sync(part)
            if not on_windows:
                part.replace(path)
        if on_windows:
            part.replace(path)
        else:
            _sync(path.parent)
    except OSError as error:
        raise cannot_write(path.name, error) from error
    finally:
        part.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    """Wait until a file or folder is on the disk."""
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _check_room(path: Path) -> None:
    log = path.with_name(path.name + "-wal")
    size = path.stat().st_size + (log.stat().st_size if log.exists() else 0)
    if shutil.disk_usage(path.parent).free < size * ROOM_FACTOR:
        raise EnvironmentProblem(
            "There is too little room on the disk to write the library a second time.",
            "It needs as much free room as the library has, for a while.",
        )


def _compare(db: Db, copy: Path, key: LibraryKey | None) -> None:
    """Check that a copy opens with its key, is sound and has as many rows in every table."""
    other = Db(copy, read_only=True, key=key)
    try:
        same = other.count_rows() == db.count_rows() and all(
            other.value(f"PRAGMA {name}") == db.value(f"PRAGMA {name}")
            for name in ("user_version", "application_id")
        )
        sound = not other.integrity_problems()
    finally:
        other.close()
    if not same or not sound:
        raise EnvironmentProblem(
            "The new file of “{name}” is not complete; the library is unchanged.",
            "Check the library, and whether the disk is in order.",
            name=db.path.name,
        )


def find_plain_copies(path: Path) -> list[Path]:
    """Return plain copies of a library: its backups, and others in its folder.

    A copy in its folder is another library whose name begins with the name of this one.
    """
    if not path.parent.is_dir():
        return []
    beside = (other for other in path.parent.iterdir() if other.name.startswith(path.stem))
    backups = (backup.path for backup in list_backups(path))
    return sorted({p for p in (*beside, *backups) if p != path and is_plain_library(p)})


def delete_plain_copies(copies: Iterable[Path]) -> None:
    """Delete files that `find_plain_copies` found.

    Raises:
        EnvironmentProblem: one can't be deleted.
    """
    for copy in copies:
        if not is_plain_library(copy):
            continue
        try:
            for file in (copy, *(copy.with_name(copy.name + end) for end in ("-wal", "-shm"))):
                file.unlink(missing_ok=True)
        except OSError as error:
            raise EnvironmentProblem(
                "“{name}” can't be deleted: {reason}.",
                "Delete it in its folder.",
                name=copy.name,
                reason=error.strerror or error,
            ) from error
