"""What both views of the reader paint with: the theme's colours, mixed where marks need it.

Owns colours of marks, hits, selection and names. Knows no text and no pages.
"""

from __future__ import annotations

from PySide6.QtCore import QAbstractAnimation, QEasingCurve, QObject, QVariantAnimation, Signal
from PySide6.QtGui import QColor

from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.theme.tokens import Tokens


def mixed(first: QColor, second: QColor, share: float) -> QColor:
    """Return the colour `share` of the way from first to second."""
    return QColor.fromRgbF(
        *(
            a + (b - a) * share
            for a, b in zip(first.getRgbF()[:3], second.getRgbF()[:3], strict=True)
        )
    )


NOTE_ROLES = {"yellow": "event", "green": "place", "blue": "object", "pink": "organisation"}


def note_color(
    theme: Theme, color: str, *, strong: bool = False, paper: Tokens | None = None
) -> QColor:
    """Return the colour behind a highlight, or of its stripe if `strong`.

    Args:
        paper: colours of the page, where they are not the theme's.
    """
    role = NOTE_ROLES.get(color, "event")
    tokens = paper or theme.tokens
    ink = QColor(tokens.types[role])
    return ink if strong else mixed(QColor(tokens.surface), ink, 0.36)


class Look:
    """Colours for painting, asked of the theme each time, so that a switch shows at once."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme

    def color(self, name: str) -> QColor:
        return self.theme.color(name)

    def mark(self, pulse: float = 0.0) -> QColor:
        """Return the colour behind the passage; `pulse` 0 to 1 while it calls attention."""
        return mixed(self.color("mark"), self.color("warn"), 0.45 * pulse)

    def hit(self) -> QColor:
        return mixed(self.color("surface"), self.color("mark"), 0.6)

    def current_hit(self) -> QColor:
        return mixed(self.color("mark"), self.color("warn"), 0.35)

    def selection(self) -> QColor:
        return mixed(self.color("accent_soft"), self.color("accent"), 0.12)


class Pulse(QObject):
    """The one movement of the reader: the mark swells once and settles."""

    changed = Signal()

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.value = 0.0
        self._animation = QVariantAnimation(self)
        self._animation.setStartValue(0.0)
        self._animation.setKeyValueAt(0.35, 1.0)
        self._animation.setEndValue(0.0)
        self._animation.setEasingCurve(QEasingCurve.Type.OutQuad)
        self._animation.valueChanged.connect(self._step)

    def start(self) -> None:
        duration = self._theme.animation_ms(180) * 3
        self._animation.stop()
        self._step(0.0)
        if duration:
            self._animation.setDuration(duration)
            self._animation.start(QAbstractAnimation.DeletionPolicy.KeepWhenStopped)

    def stop(self) -> None:
        self._animation.stop()
        self._step(0.0)

    def _step(self, value: float) -> None:
        self.value = float(value)
        self.changed.emit()
