"""Two choices beside the question: how long the answer is to be, and which model writes it.

Owns what the buttons say and their menus. Reads no models itself: it is told them and says which
one a person wants.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from desktop_app.ui.language import tr, tr_said
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button

from .popups import show_by
from .wishes import FORMS

LONGEST = 22


class _MenuButton(Button):
    """A quiet button whose menu opens over it."""

    def __init__(self, theme: Theme, icon: str, parent: QWidget | None = None) -> None:
        super().__init__("", parent, kind="quiet", theme=theme, icon=icon)
        self.menu_box = QMenu(self)
        self.menu_box.setToolTipsVisible(True)
        self._group = QActionGroup(self)
        self.clicked.connect(self._open)

    def _open(self) -> None:
        self.menu_box.adjustSize()
        self.menu_box.resize(self.menu_box.sizeHint())
        show_by(self.menu_box, self)

    def _add(self, words: str, hint: str, chosen: bool):
        action = self.menu_box.addAction(words.replace("&", "&&"))
        action.setToolTip(hint)
        action.setCheckable(True)
        action.setChecked(chosen)
        self._group.addAction(action)
        return action


class LengthButton(_MenuButton):
    """`form` is what `QueryParam.response_type` takes."""

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "text-align-left", parent)
        self.form = ""
        self._compact = False
        self._by_form = {}
        for form, words, hint in FORMS:
            action = self._add(tr(words), tr(hint), form == "")
            action.triggered.connect(lambda _=False, f=form: self.set_form(f))
            self._by_form[form] = action
        self._say()

    def set_form(self, form: str) -> None:
        """Wish for answers of this form from now on."""
        self.form = form
        if form in self._by_form:
            self._by_form[form].setChecked(True)
        self._say()
        self.changed.emit()

    def set_compact(self, compact: bool) -> None:
        self._compact = compact
        self._say()

    def _say(self) -> None:
        words = next((tr(short) for form, short, _ in FORMS if form == self.form), self.form)
        # a choice that is not the usual one is never hidden behind an icon
        self.setText("" if self._compact and not self.form else words)
        self.setToolTip(tr("Length and form of the answer: {form}", form=words))
        self.setAccessibleName(self.toolTip())


class ModelButton(_MenuButton):
    """`opened` asks for the models that are here now; `wanted` is the name of one."""

    opened = Signal()
    wanted = Signal(str)
    more = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "models", parent)
        self._compact = False
        self._title = ""
        self.set_models(())

    def set_models(self, rows: Sequence[Any]) -> None:
        """Show the chat models that are installed; one of them is active."""
        self.menu_box.clear()
        self._title = ""
        for row in rows:
            if row.role != "chat" or not row.installed:
                continue
            if row.active:
                self._title = row.title
            action = self._add(row.title, tr_said(row.note), row.active)
            action.triggered.connect(lambda _=False, name=row.name: self.wanted.emit(name))
        if not self.menu_box.isEmpty():
            self.menu_box.addSeparator()
        self.menu_box.addAction(tr("Other models…"), self.more.emit)
        self._say()

    def set_compact(self, compact: bool) -> None:
        self._compact = compact
        self._say()

    def _open(self) -> None:
        self.opened.emit()
        super()._open()

    def _say(self) -> None:
        words = self._title or tr("No model")
        short = words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"
        self.setText("" if self._compact and self._title else short.replace("&", "&&"))
        self.setToolTip(tr("Written by: {model}", model=words))
        self.setAccessibleName(self.toolTip())
