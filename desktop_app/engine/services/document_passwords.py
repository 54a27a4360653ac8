"""Passwords of encrypted documents: kept in memory, and in the system's keyring if it has one.

They are found by the SHA-256 of the file, and never stored in a library. The keyring of a system
may hang, or wait until the user unlocks it; so each call runs in a thread of its own and has a
time limit. Must not be called in the window's thread.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ..file_content import BytesContent, FileContent, has_bytes, hash_content

log = logging.getLogger(__name__)

T = TypeVar("T")
KEYRING_SERVICE = "Inkgraph documents"
KEYRING_LIMIT_S = 5.0
MAX_MOVED = 200  # passwords of one older library that are stored in the keyring
LEAST_PRIORITY = 1  # of a keyring backend; those that store plain text have less


def document_key(content: bytes | FileContent) -> str:
    """Return what the password of a file is found by."""
    return hash_content(BytesContent(content) if isinstance(content, bytes) else content)


def looks_encrypted(content: bytes | FileContent) -> bool:
    """Return whether a file may need a password, so that the keyring is asked for no other."""
    content = BytesContent(content) if isinstance(content, bytes) else content
    return has_bytes(content, b"/Encrypt")


def find_system_keyring() -> Any | None:
    """Return the backend of the system's keyring; None if it has none that encrypts."""
    import keyring

    chosen: Any = keyring.get_keyring()
    backends = list(getattr(chosen, "backends", ())) or [chosen]
    return next((b for b in backends if b.priority >= LEAST_PRIORITY), None)


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
        self._find_keyring = find_keyring
        self._limit_s = limit_s
        self._memory: dict[str, str] = {}
        self._stored: set[str] = set()  # keys that the keyring has
        self._running: threading.Thread | None = None
        self._lock = threading.Lock()

    def find(self, content: bytes | FileContent) -> str | None:
        """Return the password of a file, None if it is not known or the keyring does not answer."""
        if not looks_encrypted(content):
            return None
        key = document_key(content)
        if key not in self._memory:
            self._use_keyring(lambda backend: self._load(backend, key))
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
            self._use_keyring(lambda backend: self._store(backend, {key: password}))

    def forget(self, content: bytes | FileContent) -> None:
        """Forget a password that did not open its file; the keyring keeps what it has."""
        self._memory.pop(document_key(content), None)

    def take_over(self, passwords: Mapping[str, str]) -> None:
        """Keep the passwords, by key, that a library of an older version held."""
        self._memory.update(passwords)
        few = dict(list(passwords.items())[:MAX_MOVED])
        if few:
            self._use_keyring(lambda backend: self._store(backend, few))

    def _load(self, backend: Any, key: str) -> None:
        found = backend.get_password(KEYRING_SERVICE, key)
        if isinstance(found, str) and found:
            self._memory[key] = found
            self._stored.add(key)

    def _store(self, backend: Any, passwords: Mapping[str, str]) -> None:
        for key, password in passwords.items():
            backend.set_password(KEYRING_SERVICE, key, password)
            self._stored.add(key)

    def _use_keyring(self, work: Callable[[Any], None]) -> None:
        """Run `work` with the backend and wait for it, at most until the time limit.

        What takes longer goes on, as when the user unlocks the keyring; until it has ended, the
        keyring is not asked again.
        """

        def run() -> None:
            try:
                backend = self._find_keyring()
                if backend is not None:
                    work(backend)
            except Exception as error:  # backends raise what their system raises
                log.warning("the keyring can't be used: %s", type(error).__name__)

        with self._lock:
            if self._running is not None and self._running.is_alive():
                return
            thread = self._running = threading.Thread(target=run, name="keyring", daemon=True)
            thread.start()
        thread.join(self._limit_s)
        if thread.is_alive():
            log.warning("the keyring did not answer within %.0f s", self._limit_s)


_shared = DocumentPasswords()


def shared_passwords() -> DocumentPasswords:
    """Return the passwords of this process."""
    return _shared
