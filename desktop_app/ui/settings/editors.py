"""The control that goes with each kind of option: shows a value, says what was written.

Owns how values look while they are edited. Checks nothing and keeps nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QWidget,
)

from desktop_app.engine.settings import Option
from desktop_app.ui.language import later, tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, ElidedLabel, Label

PAUSE_MS = 600
UNITS = {
    "": "",
    "tokens": later("tokens"),
    "days": later("days"),
    "threads": later("threads"),
    "layers": later("layers"),
}


class Editor(QWidget):
    """Emits `written` with what the person wrote; `set_value` shows without saying so."""

    written = Signal(object)

    def __init__(self, option: Option, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.option = option
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(8)

    def set_value(self, value: Any) -> None:
        raise NotImplementedError

    def _take(self, widget: QWidget, stretch: int = 0) -> None:
        widget.setAccessibleName(tr(self.option.label))
        self.setFocusProxy(widget)
        self.row.addWidget(widget, stretch)


class Pause(QObject):
    """Takes what is typed when the typing pauses or ends: "60" on the way to "600" is no wish."""

    def __init__(self, field: QLineEdit, take: Callable[[], None]) -> None:
        super().__init__(field)
        self._timer = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._timer.timeout.connect(take)
        self._take = take
        field.textEdited.connect(lambda _: self._timer.start())
        field.editingFinished.connect(self._end)

    def _end(self) -> None:
        if self._timer.isActive():
            self._timer.stop()
            self._take()


class ChoiceEditor(Editor):
    """A box that opens; the wheel scrolls the page and changes nothing."""

    def __init__(self, option: Option, parent: QWidget | None = None) -> None:
        super().__init__(option, parent)
        self.box = QComboBox()
        self.box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.box.installEventFilter(self)
        for value, words in option.choices:
            self.box.addItem(tr(words), value)
        self.box.activated.connect(lambda _: self.written.emit(self.box.currentData()))
        self.box.currentTextChanged.connect(self.box.setToolTip)
        self._take(self.box, 1)

    def set_value(self, value: Any) -> None:
        self.box.setCurrentIndex(max(0, self.box.findData(value)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel and not self.box.hasFocus():
            event.ignore()
            return True
        return False


class NumberEditor(Editor):
    """A field and its unit; empty where 0 has a meaning, which stands there in pale ink."""

    def __init__(self, option: Option, parent: QWidget | None = None) -> None:
        super().__init__(option, parent)
        self.field = QLineEdit()
        if option.zero:
            self.field.setPlaceholderText(tr(option.zero))
        else:
            self.field.setMaximumWidth(120)
        Pause(self.field, lambda: self.written.emit(self.field.text()))
        self._take(self.field, 1 if option.zero else 0)
        self.unit = Label(tr(UNITS.get(option.unit, option.unit)), "muted")
        self.row.addWidget(self.unit)
        if not option.zero:
            self.row.addStretch(1)

    def set_value(self, value: Any) -> None:
        text = "" if value == 0 and self.option.zero else str(value)
        if text != self.field.text():
            self.field.setText(text)


class FlagEditor(Editor):
    """A box to tick."""

    def __init__(self, option: Option, parent: QWidget | None = None) -> None:
        super().__init__(option, parent)
        self.box = QCheckBox(tr("On"))
        self.box.clicked.connect(lambda on: self.written.emit(bool(on)))
        self._take(self.box)
        self.row.addStretch(1)

    def set_value(self, value: Any) -> None:
        self.box.setChecked(bool(value))


class TextEditor(Editor):
    r"""A line of text; new lines and tabs are written as \n and \t."""

    def __init__(self, option: Option, parent: QWidget | None = None) -> None:
        super().__init__(option, parent)
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr(option.zero) if option.zero else "")
        Pause(self.field, lambda: self.written.emit(self._said()))
        self._take(self.field, 1)

    def set_value(self, value: Any) -> None:
        text = str(value).replace("\n", "\\n").replace("\t", "\\t")
        if text != self.field.text():
            self.field.setText(text)

    def _said(self) -> str:
        return self.field.text().replace("\\n", "\n").replace("\\t", "\t")


class FolderEditor(Editor):
    """Where a folder lies, and a button that asks for another."""

    def __init__(self, theme: Theme, option: Option, parent: QWidget | None = None) -> None:
        super().__init__(option, parent)
        self.path = ElidedLabel("", "muted", mode=Qt.TextElideMode.ElideMiddle)
        self.row.addWidget(self.path, 1)
        self.button = Button(tr("Choose…"), theme=theme, icon="folder-open")
        self.button.clicked.connect(self._ask)
        self._value = ""
        self._take(self.button)

    def set_value(self, value: Any) -> None:
        self._value = str(value)
        self.path.setText(self._value or tr(self.option.zero))

    def _ask(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, tr(self.option.label), self._value)
        if folder:
            self.written.emit(folder)


def build_editor(theme: Theme, option: Option, parent: QWidget | None = None) -> Editor:
    """Return the control for an option."""
    if option.kind == "folder":
        return FolderEditor(theme, option, parent)
    kinds = {"choice": ChoiceEditor, "number": NumberEditor, "flag": FlagEditor}
    return kinds.get(option.kind, TextEditor)(option, parent)
