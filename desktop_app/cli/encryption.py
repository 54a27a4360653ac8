"""The commands `encrypt`, `decrypt` and `passphrase`."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..engine import paths
from ..engine.errors import UserError
from .command_context import show
from .passphrase import NEW_VARIABLE, NO_WAY_BACK, VARIABLE, find_library_key, find_new_passphrase

OLD_BLOCKS = "The disk may keep old blocks of the deleted plain file until they are overwritten."


def _existing_library(options: argparse.Namespace) -> Path:
    from ..engine.services.encryption import is_new
    from ..engine.services.library import complete_path

    path = complete_path(options.library or paths.default_library())
    if is_new(path):
        raise UserError("There is no library at “{path}”.", path=path)
    return path


def add_encrypt_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--delete-plain-copies",
        action="store_true",
        help="delete the older backups, which are not encrypted",
    )


def encrypt(options: argparse.Namespace) -> int:
    """Encrypt a library, and list the plain copies beside it, or delete them."""
    from ..engine.services.encryption import (
        delete_plain_copies,
        encrypt_library,
        find_plain_copies,
    )
    from ..engine.store.encryption import is_encrypted

    path = _existing_library(options)
    if is_encrypted(path):
        raise UserError("“{name}” is already encrypted.", name=path.name)
    hint = f"Give --passphrase-file FILE, or set {VARIABLE}."
    encrypt_library(path, find_new_passphrase(options.passphrase_file, options.passphrase, hint))
    copies = find_plain_copies(path)
    lines = [f"“{path.name}” is encrypted. {NO_WAY_BACK}", OLD_BLOCKS]
    if copies and options.delete_plain_copies:
        delete_plain_copies(copies)
        lines += ["Deleted:", *(f"  {copy}" for copy in copies)]
    elif copies:
        lines += ["These copies can be read without it:", *(f"  {copy}" for copy in copies)]
    show({"library": path, "plain_copies": copies}, lines, options.json)
    return 0


def decrypt(options: argparse.Namespace) -> int:
    from ..engine.services.encryption import decrypt_library

    path = _existing_library(options)
    key = find_library_key(options, path)
    if key is None:
        raise UserError("“{name}” is not encrypted.", name=path.name)
    decrypt_library(path, key)
    show({"library": path}, [f"“{path.name}” is not encrypted any more."], options.json)
    return 0


def add_change_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--new-passphrase-file",
        type=Path,
        help=f"file whose first line is the new passphrase (or set {NEW_VARIABLE})",
    )


def change(options: argparse.Namespace) -> int:
    """Encrypt a library with another passphrase; older backups keep the former one."""
    from ..engine.services.encryption import change_passphrase

    path = _existing_library(options)
    key = find_library_key(options, path)
    if key is None:
        raise UserError(
            "“{name}” is not encrypted.", "See: inkgraph encrypt --help", name=path.name
        )
    hint = f"Give --new-passphrase-file FILE, or set {NEW_VARIABLE}."
    change_passphrase(
        path, key, find_new_passphrase(options.new_passphrase_file, options.new_passphrase, hint)
    )
    lines = ["The passphrase is changed. Backups made before still need the former one."]
    show({"library": path}, lines, options.json)
    return 0
