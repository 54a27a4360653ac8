"""The row over the screen: its title, how many there are, how the writing goes, what to do.

Owns these words and buttons.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_app.engine.progress import Progress
from desktop_app.ui.language import tr, trn
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import (
    Button,
    ElidedLabel,
    IconButton,
    Label,
    ProgressLine,
    format_left,
    format_number,
)

from .forest import Forest

HEIGHT = 51


class ScreenHead(QWidget):
    """Emits what was wanted."""

    list_wanted = Signal()
    fresh_wanted = Signal()
    write_wanted = Signal()
    pause_wanted = Signal()
    resume_wanted = Signal()
    stop_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        theme.changed.connect(self._fit)
        self._fit()
        self.list_button = IconButton(theme, "sidebar", tr("All communities"), self)
        self.list_button.hide()
        self.title = Label(tr("Communities"), "title", self)
        self.count = ElidedLabel("", "muted", self)
        self.fresh_button = Button(
            tr("Bring up to date"), self, theme=theme, icon="retry",
            tooltip=tr("The graph has changed since these were found"),
        )  # fmt: skip
        self.fresh_button.hide()
        self.write_button = Button(
            tr("Write reports…"), self, theme=theme, icon="ph.pen-nib",
            tooltip=tr("Write reports for all, or for what has changed"),
        )  # fmt: skip
        self.work = self._build_work(theme)
        row = QHBoxLayout(self, spacing=8)
        row.setContentsMargins(16, 0, 12, 0)
        row.addWidget(self.list_button)
        row.addWidget(self.title)
        row.addWidget(self.count, 1)
        row.addWidget(self.work)
        row.addWidget(self.fresh_button)
        row.addWidget(self.write_button)
        self.list_button.clicked.connect(self.list_wanted)
        self.fresh_button.clicked.connect(self.fresh_wanted)
        self.write_button.clicked.connect(self.write_wanted)

    def _fit(self) -> None:
        self.setFixedHeight(self._theme.length(HEIGHT))

    def _build_work(self, theme: Theme) -> QWidget:
        work = QWidget(self)
        self.said = Label("", "small", work)
        self.line = ProgressLine(work)
        self.line.setFixedWidth(96)
        self.pause_button = IconButton(theme, "pause", tr("Pause writing"), work)
        self.resume_button = IconButton(theme, "play", tr("Go on writing"), work)
        self.stop_button = IconButton(theme, "stop", tr("Stop writing"), work)
        row = QHBoxLayout(work, spacing=4)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.said)
        row.addSpacing(4)
        row.addWidget(self.line)
        for button, signal in (
            (self.pause_button, self.pause_wanted),
            (self.resume_button, self.resume_wanted),
            (self.stop_button, self.stop_wanted),
        ):
            button.clicked.connect(signal)
            row.addWidget(button)
        work.hide()
        return work

    def set_forest(self, forest: Forest) -> None:
        """Say how many there are, and how many reports have fallen behind."""
        parts = []
        if n := forest.n_real:
            parts.append(trn("{n} on one level", "{n} on one level", n)
                if forest.n_levels == 1
                else tr("{n} on {levels} levels", n=format_number(n), levels=forest.n_levels)
            )  # fmt: skip
        if forest.n_written:
            parts.append(trn("{n} report kept", "{n} reports kept", forest.n_written))
        if forest.n_stale:
            parts.append(trn("{n} changed since", "{n} changed since", forest.n_stale))
        self.count.setText(" · ".join(parts))
        self.write_button.setVisible(n > 0)

    def show_work(self, state: str, progress: Progress | None) -> None:
        """Show how the writing goes: "running", "paused", or "idle"."""
        self.work.setVisible(state != "idle")
        running = state == "running"
        self.pause_button.setVisible(running)
        self.resume_button.setVisible(state == "paused")
        if progress is None or not progress.total:
            self.line.set_share(None if running else 0.0)
            self.said.setText(tr("Writing…") if running else tr("Paused"))
            return
        self.line.set_share(progress.done / progress.total)
        done, total = format_number(progress.done), format_number(progress.total)
        said = tr("{done} of {total} written", done=done, total=total)
        left = format_left(progress.left_s) if running else tr("Paused")
        self.said.setText(f"{said} · {left}" if left else said)
