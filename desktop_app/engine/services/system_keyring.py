"""The keyring of the system, which may not answer, or wait until the user unlocks it.

Each call runs in a thread of its own and has a time limit. Must not be called in the window's
thread.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

log = logging.getLogger(__name__)

KEYRING_LIMIT_S = 5.0
LEAST_PRIORITY = 1  # of a keyring backend; those that store plain text have less


def find_system_keyring() -> Any | None:
    """Return the backend of the system's keyring; None if it has none that encrypts."""
    import keyring

    chosen: Any = keyring.get_keyring()
    backends = list(getattr(chosen, "backends", ())) or [chosen]
    return next((b for b in backends if b.priority >= LEAST_PRIORITY), None)


class SystemKeyring:
    """Calls the keyring; may be used from any thread but the window's.

    Args:
        find_backend: gives the backend, None where there is none; called in a thread.
        limit_s: time to wait for the keyring.
    """

    def __init__(
        self,
        find_backend: Callable[[], Any | None] = find_system_keyring,
        limit_s: float = KEYRING_LIMIT_S,
    ) -> None:
        self._find_backend, self._limit_s = find_backend, limit_s
        self._running: threading.Thread | None = None
        self._lock = threading.Lock()

    def use(self, work: Callable[[Any], None]) -> None:
        """Run `work` with the backend and wait for it, at most until the time limit.

        What takes longer goes on, as when the user unlocks the keyring; until it has ended, the
        keyring is not asked again.
        """

        def run() -> None:
            try:
                backend = self._find_backend()
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
