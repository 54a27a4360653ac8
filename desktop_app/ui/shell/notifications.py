"""Notifies the user when long work ends while the window is hidden or inactive.

Uses the system tray if there is one, otherwise the window's entry in the task bar. The setting
"notify" turns it off.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from ..window_file import open_window_file

NOTIFY = "notify"
TRAY_STAYS_MS = 15_000


class FinishedNotification(QObject):
    """Watches queue runners; `shown` is emitted with the text of each notification.

    Args:
        window: no notification is shown while it is active.
        icon: the tray icon while a notification is shown.
    """

    shown = Signal(str)

    def __init__(self, window: QWidget, icon: QIcon) -> None:
        super().__init__(window)
        self._window, self._icon = window, icon
        self._tray: QSystemTrayIcon | None = None
        self._gone = QTimer(self, singleShot=True, interval=TRAY_STAYS_MS)
        self._gone.timeout.connect(self._hide_tray)

    def watch(self, runner: QObject, build_text: Callable[[], str]) -> None:
        """Notify when a runner has emptied its queue, unless it did nothing.

        Args:
            runner: has the signals `progressed` and `state_changed`, as `QueueRunner` does.
            build_text: returns the text of the notification.
        """
        has_worked = False

        def note_work(progress: object) -> None:
            nonlocal has_worked
            has_worked = has_worked or getattr(progress, "done", 0) > 0

        def note_state(state: str) -> None:
            nonlocal has_worked
            if state == "idle" and has_worked:
                self.notify(build_text())
            if state != "running":
                has_worked = False

        runner.progressed.connect(note_work)  # type: ignore[attr-defined]
        runner.state_changed.connect(note_state)  # type: ignore[attr-defined]

    def notify(self, text: str) -> None:
        """Show a notification if the window is not active and the setting allows it."""
        settings = open_window_file()
        away = not self._window.isVisible() or self._window.isMinimized()
        seen = not away and self._window.isActiveWindow()
        if seen or not settings.value(NOTIFY, True, type=bool):
            return
        if away and QSystemTrayIcon.isSystemTrayAvailable():
            self._notify_by_tray(text)
        else:
            QApplication.alert(self._window)
        self.shown.emit(text)

    def _notify_by_tray(self, text: str) -> None:
        if self._tray is None:
            self._tray = QSystemTrayIcon(self._icon, self)
            self._tray.messageClicked.connect(self._show_window)
            self._tray.activated.connect(lambda _: self._show_window())
        self._tray.show()
        self._tray.showMessage("Inkgraph", text, self._icon)  # not shown: a name
        self._gone.start()

    def _show_window(self) -> None:
        self._hide_tray()
        if self._window.isMinimized():
            self._window.showNormal()
        self._window.show()
        self._window.raise_()
        self._window.activateWindow()

    def _hide_tray(self) -> None:
        if self._tray is not None:
            self._tray.hide()
