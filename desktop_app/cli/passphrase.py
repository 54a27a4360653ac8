"""Where commands get the passphrase of an encrypted library from: a file, a variable or a terminal.

A passphrase is never an argument: other users of the machine see the arguments of a process.
"""

from __future__ import annotations

import argparse
import getpass
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ..engine.errors import PassphraseNeeded, UserError, cannot_read

if TYPE_CHECKING:
    from ..engine.store.encryption import LibraryKey

VARIABLE = "INKGRAPH_PASSPHRASE"
NEW_VARIABLE = "INKGRAPH_NEW_PASSPHRASE"
NO_WAY_BACK = (
    "Nobody can open the library without the passphrase, and nothing can recover it. "
    "Keep it in a safe place."
)


def add_passphrase_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--passphrase-file",
        type=Path,
        help=f"file whose first line opens an encrypted library (or set {VARIABLE})",
    )


def take_passphrases(options: argparse.Namespace) -> None:
    """Move the passphrases of the environment to the options: child processes don't get them."""
    options.passphrase = os.environ.pop(VARIABLE, None)
    options.new_passphrase = os.environ.pop(NEW_VARIABLE, None)


def find_library_key(options: argparse.Namespace, path: Path) -> LibraryKey | None:
    """Return the key that opens a library or encrypts a new one; None for a plain one.

    Raises:
        PassphraseNeeded: it is encrypted, and there is no passphrase and no terminal to ask on.
    """
    from ..engine.services.encryption import is_new, key_to_open
    from ..engine.store.encryption import is_encrypted

    given = _read_first_line(options.passphrase_file) or options.passphrase
    if is_new(path):
        if given is not None:
            print(f"inkgraph: the new library is encrypted. {NO_WAY_BACK}", file=sys.stderr)
        return key_to_open(path, given) if given is not None else None
    if not is_encrypted(path):
        if options.passphrase_file:
            print(f"inkgraph: “{path.name}” is not encrypted.", file=sys.stderr)
        return None
    return key_to_open(path, _find_passphrase(options, path))


@contextmanager
def hold_keys(options: argparse.Namespace, *paths: Path) -> Iterator[None]:
    """Hold the keys of encrypted libraries and backups, which have the same passphrase.

    They may have different keys: each change of the passphrase makes a new salt.

    Raises:
        PassphraseNeeded: one is encrypted, and there is no passphrase and no terminal.
    """
    from ..engine.store.encryption import derive_key, hold_key, read_salt, release_key

    salts = {salt: path for path in reversed(paths) if (salt := read_salt(path))}
    keys = []
    if salts:
        passphrase = _find_passphrase(options, next(reversed(salts.values())))
        keys = [derive_key(passphrase, salt) for salt in salts]
    for key in keys:
        hold_key(key)
    try:
        yield
    finally:
        for key in keys:
            release_key(key)


def _find_passphrase(options: argparse.Namespace, path: Path) -> str:
    given = _read_first_line(options.passphrase_file) or options.passphrase
    if given is None:
        given = _ask(f"Passphrase of “{path.name}”: ")
    if given is None:
        raise PassphraseNeeded(
            "“{name}” is encrypted.",
            "Give --passphrase-file FILE, or set {variable}.",
            name=path.name,
            variable=VARIABLE,
        )
    return given


def _read_first_line(file: Path | None) -> str:
    """Return the first line of a file, "" without a file."""
    if file is None:
        return ""
    try:
        return file.read_text("utf-8").partition("\n")[0].removesuffix("\r")
    except OSError as error:
        raise cannot_read(file, error) from error
    except UnicodeDecodeError as error:
        raise UserError("“{name}” is not a UTF-8 text file.", name=file.name) from error


def _ask(question: str) -> str | None:
    """Ask on the terminal; None where there is none."""
    return getpass.getpass(question, stream=sys.stderr) if sys.stdin.isatty() else None


def find_new_passphrase(file: Path | None, from_variable: str | None, hint: str) -> str:
    """Return the passphrase to encrypt with, asked for twice if it is typed."""
    given = _read_first_line(file) or from_variable
    if given is None:
        print(NO_WAY_BACK, file=sys.stderr)
        given = _ask("New passphrase: ")
        if given is not None and given != _ask("The same again: "):
            raise UserError("The two are different; nothing was changed.", "Try again.")
    if given is None:
        raise UserError("There is no new passphrase.", hint)
    return given
