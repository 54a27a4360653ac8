"""The row of steps while an answer is prepared: the current one, those done and those to come.

Owns which steps have room. What the steps are is known to `turns`.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from ..theme.theme import Theme
from ..translation import tr
from ..widgets import STRETCH, Button, Label, build_row, clear_layout
from .sources import INDENT

STATUS_HEIGHT = 28  # of the line below a question, before the answer and after it
STEP_ICONS = {"done": "ph.check-circle", "current": "ph.circle", "coming": "ph.circle"}
STEP_DOT = 3.4  # radius in pixels, in the ring of the current step
STEP_GAP, STEP_ICON, QUIET_GAP, QUIET_ICON = 16, 16, 12, 12  # pixels


class StepIcon(QLabel):
    """The sign of a step: done, current or coming."""

    def __init__(self, theme: Theme, state: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._state = theme, state
        theme.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        color = "accent" if self._state == "current" else "text2"
        side = self._theme.length(STEP_ICON if self._state == "current" else QUIET_ICON)
        icon = self._theme.icon(STEP_ICONS[self._state], color=color)
        self.setPixmap(icon.pixmap(side, side))
        self.setFixedSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._state == "current":
            radius = STEP_DOT * self._theme.length(STEP_ICON) / STEP_ICON
            with QPainter(self) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(self._theme.color("accent"))
                painter.drawEllipse(QRectF(self.rect()).center(), radius, radius)


class StepGroup(QWidget):
    """Steps beside each other that are all done, or all still to come."""

    def __init__(self, theme: Theme, state: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._state = theme, state
        self.steps: list[QWidget] = []
        self._row = build_row(parent=self, spacing=theme.length(QUIET_GAP))

    @property
    def names(self) -> list[str]:
        """The steps that are shown."""
        shown = [step for step in self.steps if not step.isHidden()]
        return [label.text() for step in shown for label in step.findChildren(Label)]

    def show_steps(self, names: Sequence[str]) -> None:
        """Show these steps; unchanged ones stay."""
        labels = [label for step in self.steps for label in step.findChildren(Label)]
        if [label.text() for label in labels] != list(names):
            clear_layout(self._row)
            self.steps = [self._build(name) for name in names]
            for step in self.steps:
                self._row.addWidget(step)

    def _build(self, name: str) -> QWidget:
        step = QWidget(self)
        sign = StepIcon(self._theme, self._state, step)
        build_row(sign, Label(name, "small", step), parent=step, spacing=4)
        return step


class StepRow(QWidget):
    """The current step of an answer with its seconds; at the right, small, the steps around it.

    These are those that are done, then those to come. Without room for all, the first ones that are
    done are left out, then the last ones to come.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.done = StepGroup(theme, "done", self)
        self.coming = StepGroup(theme, "coming", self)
        self.sign = StepIcon(theme, "current", self)
        self.step = Label("", "muted", self)
        self.action = Button(tr("Cancel"), self, kind="link")
        self.remove_button = Button(tr("Remove"), self, kind="link")
        self.elapsed = Label("", "muted", self)
        self._current = build_row(
            *(self.sign, self.step, self.elapsed, self.action, self.remove_button), spacing=6
        )
        self._around = build_row(self.done, self.coming, spacing=theme.length(QUIET_GAP))
        self._row = build_row(
            *(self._current, STRETCH, self._around),
            parent=self,
            spacing=theme.length(STEP_GAP),
            margins=(0, 0, INDENT, 0),
        )
        self.setMinimumHeight(theme.length(STATUS_HEIGHT))

    def show_step(self, words: str, action: str, role: str) -> None:
        """Show the current step, or a state in the role "muted" or "bad", with its action."""
        self.step.setText(words)
        self.step.set_role(role)
        self.step.setWordWrap(role == "bad")
        self.sign.setVisible(role == "step")
        self.action.setText(action)
        self.action.setVisible(bool(action))

    def show_around(self, done: Sequence[str], coming: Sequence[str], elapsed: str) -> None:
        """Show the steps before and after the current one, and its seconds."""
        self.done.show_steps(done)
        self.coming.show_steps(coming)
        self.elapsed.setText(elapsed)
        self._fit()

    def _fit(self) -> None:
        gap = self._theme.length(QUIET_GAP)
        # its seconds become wider, which must not move or remove a step
        current = self._current.sizeHint().width() - self.elapsed.sizeHint().width()
        room = self.width() - INDENT - current - 2 * self._theme.length(STEP_GAP)
        room -= QFontMetrics(self._theme.font()).horizontalAdvance("000 s")
        steps = [*self.coming.steps, *reversed(self.done.steps)]  # those that are kept first
        for group in (self.done, self.coming):
            group.setVisible(bool(group.steps))
        for step in steps:
            room -= step.sizeHint().width() + gap
            step.setVisible(room >= 0)
        for group in (self.done, self.coming):
            group.setVisible(any(not step.isHidden() for step in group.steps))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
