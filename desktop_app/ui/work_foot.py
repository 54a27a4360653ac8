"""The work that is going on, at the foot of the sidebar: what, how far, how long, and a way out.

Shows one `Progress`; knows nothing of what works.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_app.engine.progress import Progress

from .language import later, tr, trn
from .theme.theme import Theme
from .widgets import ElidedLabel, IconButton, ProgressLine, format_left

BUTTONS = {
    "": (later("Pause"), later("Go on"), later("Stop")),
    "enriching": (later("Pause enriching"), later("Go on enriching"), later("Stop enriching")),
    "writing": (later("Pause writing"), later("Go on writing"), later("Stop writing")),
    "importing": (later("Pause importing"), later("Go on importing"), later("Stop importing")),
}


class WorkFoot(QWidget):
    """Hidden while nothing works; while paused it offers to go on."""

    pause_requested = Signal()
    resume_requested = Signal()
    cancel_requested = Signal()

    def __init__(self, theme: Theme, name: str = "", parent: QWidget | None = None) -> None:
        """`name` is what works, for buttons that would be alike: "enriching", "importing"."""
        super().__init__(parent)
        self.title = ElidedLabel()
        self.detail = ElidedLabel("", "small")
        self.pace = ElidedLabel("", "small")
        self.line = ProgressLine()
        pause, resume, stop = map(tr, BUTTONS[name])
        self.pause_button = IconButton(theme, "pause", pause)
        self.resume_button = IconButton(theme, "play", resume)
        self.cancel_button = IconButton(theme, "stop", stop)
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(self.detail, 1)
        for button in (self.pause_button, self.resume_button, self.cancel_button):
            row.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 8, 8)
        column.setSpacing(0)
        column.addWidget(self.title)
        column.addLayout(row)
        column.addWidget(self.pace)
        column.addSpacing(2)
        column.addWidget(self.line)
        self.pause_button.clicked.connect(self.pause_requested)
        self.resume_button.clicked.connect(self.resume_requested)
        self.cancel_button.clicked.connect(self.cancel_requested)
        self.hide()

    def show_work(
        self,
        progress: Progress | None,
        title: str,
        *,
        detail: str = "",
        pace: str = "",
        paused: bool = False,
    ) -> None:
        """Show where work is; without progress a title says "Paused", and "" that it is done.

        Args:
            detail: how far it is, in other words than the share and the time left.
            pace: a line below, such as how fast it goes.
            paused: show where it was, with the way to go on.
        """
        if progress is None and not title:
            self.hide()
            return
        running = progress is not None and not paused
        self.title.setText(title)
        self.detail.setText(detail or (describe(progress) if progress else tr("Nothing is lost.")))
        self.pace.setText(pace)
        self.pace.setVisible(bool(pace))
        self.line.setVisible(progress is not None)
        if progress is not None:
            known = progress.total > 0
            self.line.set_share(progress.done / progress.total if known else None)
        self.pause_button.setVisible(running)
        self.cancel_button.setVisible(running)
        self.resume_button.setVisible(not running)
        self.show()


def describe(progress: Progress) -> str:
    """Return "64 % · 2 min left", with as much as is known."""
    parts = []
    if progress.total > 0:
        parts.append(f"{min(100, int(100 * progress.done / progress.total))} %")
    elif progress.done > 0:
        parts.append(trn("{n} done", "{n} done", progress.done))
    if left := format_left(progress.left_s):
        parts.append(left)
    return " · ".join(parts) or tr("starting")
