"""A word from the system when long work ends while nobody looks at the window.

Owns when that is worth a word and how it is said: a message by the tray where there is one, a
mark on the window's place in the task bar elsewhere. The setting "notify" turns it off.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QSettings, QTimer, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from desktop_app.engine import paths

NOTIFY = "notify"
TRAY_STAYS_MS = 15_000


class FinishedNotification(QObject):
    """Hears runners that start and end; `told` carries what was said, for whoever wants to know.

    Args:
        window: whose being hidden or minimised counts.
        icon: stands in the tray while a message is there.
    """

    told = Signal(str)

    def __init__(self, window: QWidget, icon: QIcon) -> None:
        super().__init__(window)
        self._window, self._icon = window, icon
        self._tray: QSystemTrayIcon | None = None
        self._gone = QTimer(self, singleShot=True, interval=TRAY_STAYS_MS)
        self._gone.timeout.connect(self._hide_tray)

    def watch(self, runner: QObject, say: Callable[[], str]) -> None:
        """Tell when a runner has worked its queue off; a run that did nothing is not told.

        Args:
            runner: has `progressed` and `state_changed`, as `QueueRunner` does.
            say: gives the sentence.
        """
        has_worked = False

        def note_work(progress: object) -> None:
            nonlocal has_worked
            has_worked = has_worked or getattr(progress, "done", 0) > 0

        def note_state(state: str) -> None:
            nonlocal has_worked
            if state == "idle" and has_worked:
                self.tell(say())
            if state != "running":
                has_worked = False

        runner.progressed.connect(note_work)  # type: ignore[attr-defined]
        runner.state_changed.connect(note_state)  # type: ignore[attr-defined]

    def tell(self, text: str) -> None:
        """Say it, if nobody looks and the person wants to hear."""
        if not _is_wanted() or self._is_seen():
            return
        if self._is_away() and QSystemTrayIcon.isSystemTrayAvailable():
            self._tell_by_tray(text)
        else:
            QApplication.alert(self._window)
        self.told.emit(text)

    def _is_away(self) -> bool:
        return not self._window.isVisible() or self._window.isMinimized()

    def _is_seen(self) -> bool:
        return not self._is_away() and self._window.isActiveWindow()

    def _tell_by_tray(self, text: str) -> None:
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


def _is_wanted() -> bool:
    settings = QSettings(str(paths.data_dir() / "window.ini"), QSettings.Format.IniFormat)
    return bool(settings.value(NOTIFY, True, type=bool))
