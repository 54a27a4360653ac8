"""The window of a first start: three steps one after the other, each of which can be skipped.

Says what was chosen and opens nothing. The language can be changed in it, which builds it anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QComboBox, QDialog, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from desktop_app.engine.errors import AppError
from desktop_app.ui.language import LANGUAGES, tr
from desktop_app.ui.messages import describe_error
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, Hairline, Label, PrimaryButton

from .choice import Choice
from .steps import LibraryStep, ModelsStep, ReadingStep

WIDTH, HEIGHT = 640, 520


class WelcomeWindow(QDialog):
    """Emits `chosen` once: at the end, or with the usual choices when it is skipped or closed.

    Args:
        models: as the shelf lists them.
        language: the one it speaks, "en" or "zh".
    """

    chosen = Signal(object)
    language_wanted = Signal(str)

    def __init__(
        self,
        theme: Theme,
        models: Sequence[Any],
        language: str,
        choice: Choice | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Welcome to Inkgraph"))
        self.choice = choice or Choice()
        self._is_over = False
        self.library = LibraryStep(theme, self.choice)
        self.models = ModelsStep(theme, models)
        self.reading = ReadingStep(theme, self.choice)
        self.pages = QStackedWidget()
        for step in (self.library, self.models, self.reading):
            self.pages.addWidget(step)
        self.language = QComboBox()
        self.language.setAccessibleName(tr("Language"))
        for key, words in LANGUAGES.items():
            self.language.addItem(words, key)
        self.language.setCurrentIndex(max(0, self.language.findData(language)))
        self.language.activated.connect(
            lambda _: self.language_wanted.emit(self.language.currentData())
        )
        self.place = Label("", "small")
        self.problem = Label("", "bad", wrap=True)
        self.problem.hide()
        self.skip_button = Button(tr("Skip"), kind="quiet")
        self.skip_button.setToolTip(tr("Begin with an empty library where it usually lies"))
        self.back_button = Button(tr("Back"))
        self.next_button = PrimaryButton(tr("Next"))
        self.skip_button.clicked.connect(self.skip)
        self.back_button.clicked.connect(lambda: self.show_step(self.pages.currentIndex() - 1))
        self.next_button.clicked.connect(self._go_on)
        self.reading.changed.connect(self._show_place)
        self._place()
        self.resize(theme.breadth(WIDTH), theme.length(HEIGHT))
        self.show_step(0)

    def _place(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.place, 1)
        head.addWidget(self.language)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.skip_button)
        foot.addStretch(1)
        foot.addWidget(self.back_button)
        foot.addWidget(self.next_button)
        for button in (self.skip_button, self.back_button, self.next_button):
            button.setAutoDefault(False)
        self.next_button.setDefault(True)
        body = QVBoxLayout()
        body.setContentsMargins(40, 24, 40, 16)
        body.setSpacing(12)
        body.addLayout(head)
        body.addWidget(self.pages, 1)
        body.addWidget(self.problem)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 16)
        column.setSpacing(16)
        column.addLayout(body, 1)
        column.addWidget(Hairline())
        bottom = QVBoxLayout()
        bottom.setContentsMargins(40, 0, 40, 0)
        bottom.addLayout(foot)
        column.addLayout(bottom)

    def show_step(self, place: int) -> None:
        """Show one of the three."""
        self.pages.setCurrentIndex(min(self.pages.count() - 1, max(0, place)))
        self._show_place()
        self.problem.hide()
        if self.pages.currentIndex() == 0:
            self.library.name.setFocus()

    def show_problem(self, error: AppError) -> None:
        """Say why the library can't lie there; the choice is made again."""
        self.show_step(0)
        self.show_error(error)

    def show_error(self, error: BaseException) -> None:
        """Show a failure below the step that is open."""
        self.problem.setText(describe_error(error))
        self.problem.show()

    def skip(self) -> None:
        """Begin as it usually is: an empty library at its usual place."""
        self._end(Choice())

    def finish(self) -> None:
        """Go, without another word: what was chosen is being opened."""
        self._is_over = True
        self.hide()  # not `close`: it may be that being closed which led here
        self.deleteLater()

    def _show_place(self) -> None:
        now, count = self.pages.currentIndex(), self.pages.count()
        self.place.setText(tr("Step {n} of {count}", n=now + 1, count=count))
        self.back_button.setVisible(now > 0)
        is_last = now == count - 1
        self.next_button.setText(tr("Start") if is_last else tr("Next"))

    def _go_on(self) -> None:
        if self.pages.currentIndex() < self.pages.count() - 1:
            self.show_step(self.pages.currentIndex() + 1)
        else:
            self._end(self.choice)

    def _end(self, choice: Choice) -> None:
        self.chosen.emit(choice)

    def reject(self) -> None:
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._is_over and self.problem.isHidden():
            event.ignore()  # until what is opened instead is there
            self.skip()
            return
        super().closeEvent(event)
