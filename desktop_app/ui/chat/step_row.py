"""The row below a question while its answer is prepared: what is being done, and since when.

The steps before and after are in its tooltip. A long step says what can be done meanwhile. What
the steps are is known to `turns`.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget

from ..theme.theme import Theme
from ..translation import tr
from ..widgets import Button, ElidedLabel, Label, build_row
from ..widgets.words import plain_tip
from .sources import INDENT

STATUS_HEIGHT = 28  # of the line below a question, before the answer and after it
STEP_DOT = 3.4  # radius in pixels, in the ring
STEP_ICON = 16  # pixels


class StepIcon(QLabel):
    """The sign of the current step."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        theme.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        side = self._theme.length(STEP_ICON)
        self.setPixmap(self._theme.icon("ph.circle", color="accent").pixmap(side, side))
        self.setFixedSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        radius = STEP_DOT * self._theme.length(STEP_ICON) / STEP_ICON
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("accent"))
            painter.drawEllipse(QRectF(self.rect()).center(), radius, radius)


class StepRow(QWidget):
    """The current step of an answer with its seconds, or a state with its actions."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sign = StepIcon(theme, self)
        self.step = Label("", "muted", self)
        self.action = Button(tr("Cancel"), self, kind="link")
        self.remove_button = Button(tr("Remove"), self, kind="link")
        self.elapsed = Label("", "muted", self)
        self.meanwhile = ElidedLabel("", "muted", self)
        buttons = (self.action, self.remove_button)
        self._row = build_row(
            *(self.sign, self.step, self.elapsed, *buttons, (self.meanwhile, 1)),
            parent=self,
            spacing=6,
            margins=(0, 0, INDENT, 0),
        )
        self.setMinimumHeight(theme.length(STATUS_HEIGHT))

    def show_step(self, words: str, action: str, role: str) -> None:
        """Show the current step, or a state in the role "muted" or "bad", with its action."""
        self.step.setText(words)
        self.step.set_role(role)
        self.step.setWordWrap(role == "bad")
        self._row.setStretch(1, int(role == "bad"))  # a long text has the room of the row
        self._row.setStretch(self._row.count() - 1, int(role != "bad"))
        self.sign.setVisible(role == "step")
        self.action.setText(action)
        self.action.setVisible(bool(action))

    def show_around(
        self, done: Sequence[str], coming: Sequence[str], elapsed: str, meanwhile: str = ""
    ) -> None:
        """Show the seconds of the current step, and in the tooltip the steps around it.

        Args:
            meanwhile: what can be done during the step.
        """
        self.elapsed.setText(elapsed)
        self.meanwhile.setText(meanwhile)
        lines = [tr("Done: {steps}", steps=tr(", ").join(done))] if done else []
        lines += [tr("Next: {steps}", steps=tr(", ").join(coming))] if coming else []
        self.setToolTip(plain_tip("\n".join(lines)))
        self.step.setAccessibleDescription("\n".join(lines))
