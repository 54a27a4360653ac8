"""The rows of the settings screen: one setting with what it does, or one way to another place.

Owns how a row is laid out, checked and reset. Keeps nothing itself: `change` does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from desktop_app.engine.errors import AppError
from desktop_app.engine.settings import NEW_DOCUMENTS, RESTART, Option, check_value
from desktop_app.ui.language import later, tr, tr_said
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, IconButton, Label

from .editors import build_editor

EDITOR_WIDTH = 248
APPLIES = {
    NEW_DOCUMENTS: later("For documents that are read from now on."),
    RESTART: later("After a restart."),
}


class Row(QWidget):
    """Words at the left, something to press or to fill in at the right."""

    def __init__(self, title: str, help: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = f"{title} {help}".casefold()
        self.title = Label(title)
        self.title.setMinimumHeight(30)
        self.help = Label(help, "small", wrap=True)
        self.help.setVisible(bool(help))
        self.problem = Label("", "bad", wrap=True)
        self.problem.hide()
        self.grid = QGridLayout(self)
        self.grid.setContentsMargins(0, 4, 0, 4)
        self.grid.setHorizontalSpacing(24)
        self.grid.setVerticalSpacing(0)
        self.grid.setColumnStretch(0, 1)
        told = QVBoxLayout()
        told.setSpacing(0)
        told.addWidget(self.help)
        told.addWidget(self.problem)
        self.grid.addWidget(self.title, 0, 0)
        self.grid.addLayout(told, 1, 0, 1, 2)

    def has_words(self, wanted: list[str]) -> bool:
        return all(word in self.words for word in wanted)

    def place(self, widget: QWidget) -> None:
        self.grid.addWidget(widget, 0, 1, Qt.AlignmentFlag.AlignTop)


class SettingRow(Row):
    """One option; `changed` after a value was taken, `problem` says why one was not."""

    changed = Signal(object)

    def __init__(
        self,
        theme: Theme,
        option: Option,
        change: Callable[[str, Any], Any],
        parent: QWidget | None = None,
    ) -> None:
        help = tr(option.help) if option.help else ""
        if option.applies in APPLIES:
            applies = tr(APPLIES[option.applies])
            help = tr("{help} {applies}", help=help, applies=applies) if help else applies
        super().__init__(tr(option.label), help, parent)
        self.option = option
        self.value: Any = option.default
        self._change = change
        self.words += " " + " ".join(tr(w) for _, w in option.choices).casefold()
        self.editor = build_editor(theme, option)
        self._theme = theme
        theme.changed.connect(self._fit)
        self._fit()
        self.editor.written.connect(self.take)
        self.title.setBuddy(self.editor)
        self.reset_button = IconButton(theme, "undo", tr("Back to the usual"))
        self.reset_button.setAccessibleName(tr("Reset: {name}", name=tr(option.label)))
        self.reset_button.clicked.connect(self.reset)
        policy = self.reset_button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.reset_button.setSizePolicy(policy)
        right = QWidget()
        line = QHBoxLayout(right)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(4)
        line.addWidget(self.editor)
        line.addWidget(self.reset_button)
        self.place(right)
        self.setTabOrder(self.editor, self.reset_button)

    @property
    def is_usual(self) -> bool:
        return self.value == self.option.default

    def show_value(self, value: Any) -> None:
        """Show what is kept now."""
        self.value = value
        self.editor.set_value(value)
        self._say("")
        self.reset_button.setVisible(not self.is_usual)

    def reset(self) -> None:
        """Take the value that was there at first."""
        self.editor.set_value(self.option.default)
        self.take(self.option.default)

    def take(self, written: Any) -> None:
        """Keep what was written, if it can be."""
        try:
            value = check_value(self.option, written)
            if value != self.value:
                self._change(self.option.name, value)
        except AppError as error:
            self._say(f"{tr_said(error.message)} {tr_said(error.hint)}".strip())
            return
        self._say("")
        changed, self.value = value != self.value, value
        self.reset_button.setVisible(not self.is_usual)
        if self.option.kind == "folder":
            self.editor.set_value(value)
        if changed:
            self.changed.emit(value)

    def _fit(self) -> None:
        self.editor.setFixedWidth(self._theme.breadth(EDITOR_WIDTH))

    def _say(self, problem: str) -> None:
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))


class LinkRow(Row):
    """Names a place where more is set, with the button that goes there."""

    def __init__(
        self,
        theme: Theme,
        title: str,
        help: str,
        button: str,
        act: Callable[[], Any],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(title, help, parent)
        self.button = Button(button)
        self.button.setAccessibleName(f"{title}: {button}")
        self.button.clicked.connect(act)
        right = QWidget()
        line = QHBoxLayout(right)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.button)
        line.addStretch(1)
        self._theme, self._right = theme, right
        theme.changed.connect(self._fit)
        self._fit()
        self.place(right)

    def _fit(self) -> None:
        # words may be longer than the controls of settings are wide
        wide = self.button.sizeHint().width()
        # as far in as they are: beside them stands the button that resets
        beside = self._theme.length(28) + 4
        self._right.setFixedWidth(max(wide, self._theme.breadth(EDITOR_WIDTH) + beside))

    def set_help(self, text: str) -> None:
        self.words = f"{self.title.text()} {text}".casefold()
        self.help.setText(text)
        self.help.setVisible(bool(text))
