"""The keys of encrypted libraries: derived from a passphrase, recognised by the file's header.

Pages are encrypted and authenticated by SQLite3 Multiple Ciphers (ChaCha20-Poly1305, one random
nonce for each writing of a page); `db.py` hands it the key. Nothing here is ever stored.

Keys that opened a library stay in memory until it is closed, found by the salt in the file: a
backup of an encrypted library has the same key and the same salt.
"""

from __future__ import annotations

import hashlib
import os
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import UserError
from .raw_file import open_database_file

APPLICATION_ID = 0x496E6B67  # "Inkg", in the header of every library
CIPHER = "chacha20"
# PBKDF2 with HMAC-SHA256 as SQLite3 Multiple Ciphers does it itself, so that its own tools open
# the file with the passphrase and `PRAGMA kdf_iter`. 600,000 is OWASP's recommendation; it takes
# 0.2 s here. The number is not in the file: another one would be another format.
KDF_ITERATIONS = 600_000
KEY_BYTES = 32
SALT_BYTES = 16
MIN_PASSPHRASE_LENGTH = 8

_PLAIN_HEADER = b"SQLite format 3\0"
_HEADER_BYTES = 24
# Bytes 20 to 23 of every encrypted file: 32 reserved bytes on each page, for nonce and tag, and
# three constants of SQLite. Bytes 16 to 23 are not encrypted.
_PAGE_FORMAT = bytes((32, 64, 32, 32))


@dataclass(frozen=True, slots=True)
class LibraryKey:
    """The key of one library and its backups; `salt` is stored at the beginning of the file."""

    secret: bytes = field(repr=False)
    salt: bytes = field(repr=False)

    def to_raw(self) -> str:
        """Return the key as SQLite3 Multiple Ciphers takes it without deriving it again."""
        return f"raw:{self.secret.hex()}{self.salt.hex()}"


def read_salt(path: Path) -> bytes | None:
    """Return the salt of an encrypted library; None for every other file, and for none."""
    try:
        with open_database_file(path) as file:
            header = file.read(_HEADER_BYTES)
    except OSError:
        return None
    if len(header) < _HEADER_BYTES or header.startswith(_PLAIN_HEADER):
        return None
    page_size = int.from_bytes(header[16:18], "big")
    is_power_of_two = page_size == 1 or (page_size >= 512 and page_size & (page_size - 1) == 0)
    if not is_power_of_two or header[20:24] != _PAGE_FORMAT:
        return None
    return header[:SALT_BYTES]


def is_encrypted(path: Path) -> bool:
    """Return whether a file is an encrypted library, by its header."""
    return read_salt(path) is not None


def is_plain_library(path: Path) -> bool:
    """Return whether a file is a library that is not encrypted, by its header."""
    try:
        with open_database_file(path) as file:
            header = file.read(100)
    except OSError:
        return False
    application = int.from_bytes(header[68:72], "big")
    return header.startswith(_PLAIN_HEADER) and application == APPLICATION_ID


def derive_key(passphrase: str, salt: bytes) -> LibraryKey:
    """Return the key of a passphrase; takes about 0.2 s."""
    # The same letters typed on another system may arrive decomposed.
    text = unicodedata.normalize("NFC", passphrase).encode("utf-8", "surrogatepass")
    secret = hashlib.pbkdf2_hmac("sha256", text, salt, KDF_ITERATIONS, KEY_BYTES)
    return LibraryKey(secret, salt)


_held_keys: Counter[LibraryKey] = Counter()


def hold_key(key: LibraryKey) -> None:
    """Keep the key of a library that was opened; once for each time it is open."""
    _held_keys[key] += 1


def release_key(key: LibraryKey) -> None:
    """Forget the key of a library that was closed, unless it is still open elsewhere."""
    _held_keys[key] -= 1
    if _held_keys[key] <= 0:
        del _held_keys[key]


def find_known_key(path: Path) -> LibraryKey | None:
    """Return the key of a library that is open, for it or for a backup of it."""
    salt = read_salt(path)
    return next((key for key in tuple(_held_keys) if key.salt == salt), None)


def make_key(passphrase: str) -> LibraryKey:
    """Return the key of a new library.

    Raises:
        UserError: the passphrase is too short.
    """
    if len(passphrase) < MIN_PASSPHRASE_LENGTH:
        raise UserError(
            "The passphrase is too short: it needs at least {n} characters.",
            "Several words are easier to remember than a short password.",
            n=MIN_PASSPHRASE_LENGTH,
        )
    return derive_key(passphrase, os.urandom(SALT_BYTES))
