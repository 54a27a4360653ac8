"""Passwords of encrypted documents: kept in memory, and in the system's keyring if it has one.

They are found by the SHA-256 of the file, and never stored in a library. Must not be called in the
window's thread, because the keyring may make it wait.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ..file_content import BytesContent, FileContent, has_bytes, hash_content
from ..text.file_kinds import HEAD_BYTES, OLE, SEVEN_ZIP, is_tar
from .system_keyring import KEYRING_LIMIT_S, SystemKeyring, find_system_keyring

KEYRING_SERVICE = "Inkgraph documents"
# Archives and letters may have a locked PDF in them, whose bytes are packed; its name is not.
_PACKED = (SEVEN_ZIP, b"\x1f\x8b", b"BZh", b"\xfd7zXZ")
_MAIL_HEADER = re.compile(rb"^(?:From|To|Subject|Message-ID|MIME-Version):", re.M | re.I)
_PDF_NAMES = (b".pdf", b".PDF", ".pdf".encode("utf-16-le"), b"application/pdf")
MAX_MOVED = 200  # passwords of one older library that are stored in the keyring


def document_key(content: bytes | FileContent) -> str:
    """Return what the password of a file is found by."""
    return hash_content(BytesContent(content) if isinstance(content, bytes) else content)


def looks_encrypted(content: bytes | FileContent) -> bool:
    """Return whether a file may need a password, so that the keyring is asked for no other."""
    content = BytesContent(content) if isinstance(content, bytes) else content
    if has_bytes(content, b"/Encrypt"):
        return True
    head = next(iter(content.iter_pieces()), b"")[:HEAD_BYTES]
    if head.startswith(_PACKED):
        return True  # its names are packed, too
    is_mail = head.startswith(OLE) or _MAIL_HEADER.search(head) is not None
    is_container = is_mail or head.startswith(b"PK") or is_tar(head)
    return is_container and any(has_bytes(content, name) for name in _PDF_NAMES)


class DocumentPasswords:
    """The passwords of this process; may be used from any thread but the window's.

    Args:
        find_keyring: gives the backend, None where there is none; called in a thread.
        limit_s: time to wait for the keyring.
    """

    def __init__(
        self,
        find_keyring: Callable[[], Any | None] = find_system_keyring,
        limit_s: float = KEYRING_LIMIT_S,
    ) -> None:
        self._keyring = SystemKeyring(find_keyring, limit_s)
        self._memory: dict[str, str] = {}
        self._stored: set[str] = set()  # keys that the keyring has

    def find(self, content: bytes | FileContent) -> str | None:
        """Return the password of a file, None if it is not known or the keyring does not answer."""
        if not looks_encrypted(content):
            return None
        key = document_key(content)
        if key not in self._memory:
            self._keyring.use(lambda backend: self._load(backend, key))
        return self._memory.get(key)

    def remember(self, content: bytes | FileContent, password: str) -> None:
        """Keep a password until the program ends; it may be wrong."""
        if password:
            key = document_key(content)
            self._memory[key] = password
            self._stored.discard(key)

    def confirm(self, content: bytes | FileContent) -> None:
        """Store the password of a file that it opened in the keyring."""
        key = document_key(content)
        password = self._memory.get(key)
        if password is not None and key not in self._stored:
            self._keyring.use(lambda backend: self._store(backend, {key: password}))

    def forget(self, content: bytes | FileContent) -> None:
        """Forget a password that did not open its file; the keyring keeps what it has."""
        self._memory.pop(document_key(content), None)

    def take_over(self, passwords: Mapping[str, str]) -> None:
        """Keep the passwords, by key, that a library of an older version held."""
        self._memory.update(passwords)
        few = dict(list(passwords.items())[:MAX_MOVED])
        if few:
            self._keyring.use(lambda backend: self._store(backend, few))

    def _load(self, backend: Any, key: str) -> None:
        found = backend.get_password(KEYRING_SERVICE, key)
        if isinstance(found, str) and found:
            self._memory[key] = found
            self._stored.add(key)

    def _store(self, backend: Any, passwords: Mapping[str, str]) -> None:
        for key, password in passwords.items():
            backend.set_password(KEYRING_SERVICE, key, password)
            self._stored.add(key)


_shared = DocumentPasswords()


def shared_passwords() -> DocumentPasswords:
    """Return the passwords of this process."""
    return _shared
