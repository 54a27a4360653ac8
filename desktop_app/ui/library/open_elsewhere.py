"""The dialog for a library that another window has open."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QPushButton, QWidget

from ..translation import tr
from ..widgets import Button, Label, PrimaryButton
from ..widgets.sheet import Sheet

WIDTH = 520


class OpenElsewhereDialog(Sheet):
    """Offers to show the other window, to open the library here too, or another library.

    Args:
        has_other: whether another library can be chosen here, because no window is open.
    """

    show_wanted = Signal()
    open_wanted = Signal()
    other_wanted = Signal()

    def __init__(self, name: str, parent: QWidget | None = None, *, has_other: bool = False):
        super().__init__(tr("“{name}” is open in another window", name=name), parent)
        text = tr(
            "Two windows on one library share its history: each asks before it undoes a change of "
            "the other, and shows what the other changed a few seconds later."
        )
        self.add(Label(text, wrap=True))
        self.problem = Label("", "bad", wrap=True)
        self.problem.hide()
        self.add(self.problem)
        self.open_button = Button(tr("Open anyway"))
        self.show_button = PrimaryButton(tr("Show that window"))
        self.open_button.clicked.connect(self.open_wanted)
        self.show_button.clicked.connect(self.show_wanted)
        left: list[QPushButton] = []
        if has_other:
            other = Button(tr("Another library…"))
            other.clicked.connect(self.other_wanted)
            left.append(other)
        self.add_foot([self.open_button, self.show_button], left, line=True)
        self.fit_content(WIDTH)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.fit_content(WIDTH)  # without a window, the style sheet comes after the texts

    def set_busy(self, busy: bool) -> None:
        self.show_button.setEnabled(not busy)

    def show_problem(self, text: str) -> None:
        """Show why nothing was opened."""
        self.set_busy(False)
        self.problem.setText(text)
        self.problem.show()
        self.fit_content(WIDTH)
