"""When what is typed is stored: a fixed time after the first change that is not stored yet.

Owns the time only. Who uses it stores what was typed, and calls `stop` when that was done earlier.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

STORED_AFTER_MS = 3_000  # a crash loses no more than the last sentence


class SaveTimer(QTimer):
    """Emits `timeout` once after the first change; further changes do not delay it.

    A timer that begins again with each key would store nothing while somebody types steadily.
    """

    def __init__(self, parent: QObject, interval_ms: int = STORED_AFTER_MS) -> None:
        super().__init__(parent, singleShot=True, interval=interval_ms)

    def begin(self) -> None:
        """Count from now, unless an earlier change waits already."""
        if not self.isActive():
            self.start()
