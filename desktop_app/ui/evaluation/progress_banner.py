"""The banner over the page while questions are asked, judged or proposed, or while that pauses."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from desktop_app.engine.progress import Progress
from desktop_app.engine.scheduler import Priority
from desktop_app.engine.services.evaluation.model import EvaluationColumn
from desktop_app.engine.services.evaluation.service import EvaluationProgress

from ..theme.theme import Theme
from ..translation import tr
from ..widgets import Button, ElidedLabel, ProgressLine, build_column, build_row
from .words import describe_progress


class ProgressBanner(QFrame):
    """Shows the state of the runner; emits a signal for each command."""

    pause_wanted = Signal()
    resume_wanted = Signal()
    stop_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.status = ElidedLabel("", "strong")
        self.question = ElidedLabel("", "small")
        self.line = ProgressLine()
        self.pause_button = Button(tr("Pause"), theme=theme, icon="pause")
        self.resume_button = Button(tr("Continue"), theme=theme, icon="play")
        self.stop_button = Button(tr("Stop"), theme=theme, icon="stop", kind="quiet")
        self.stop_button.setToolTip(tr("The answers so far are kept"))
        self.pause_button.clicked.connect(self.pause_wanted)
        self.resume_button.clicked.connect(self.resume_wanted)
        self.stop_button.clicked.connect(self.stop_wanted)
        texts = build_column(self.status, self.question, self.line, spacing=4)
        build_row(
            *((texts, 1), self.pause_button, self.resume_button, self.stop_button),
            parent=self,
            margins=(16, 8, 12, 8),
        )
        self.hide()

    def show_work(
        self,
        state: str,
        progress: Progress | None,
        columns: Sequence[EvaluationColumn],
        *,
        problem: str = "",
        blocker: Priority | None = None,
    ) -> None:
        """Show the state of the runner.

        Args:
            state: "running", "pausing", "paused" or "idle".
            problem: why an idle runner did not finish; it can be continued.
            blocker: the more urgent work that a running one waits for.
        """
        self.setVisible(state != "idle" or bool(problem))
        is_running, is_proposing = state == "running", False
        if progress is not None and progress.total:
            self.line.set_share(progress.done / progress.total)
            is_proposing = progress.stage == "proposing"
        else:
            self.line.set_share(None if is_running else 0.0)
        words = describe_progress(progress, columns, blocker if is_running else None)
        if state == "pausing":
            words = tr("Stopping…")
        elif state == "paused":
            words = tr("Paused: {work}", work=words)
        elif problem:
            words = problem
        self.status.setText(words)
        question = progress.question if isinstance(progress, EvaluationProgress) else ""
        self.question.setText(question)
        self.question.setVisible(bool(question))
        self.pause_button.setVisible(is_running and not is_proposing)
        self.resume_button.setVisible(state in ("paused", "idle"))
        self.stop_button.setVisible(state != "pausing")
