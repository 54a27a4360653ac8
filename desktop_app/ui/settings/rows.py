"""The rows of the settings screen: one setting with its help text, or a link to another screen.

Owns the layout, validation and reset of a row. Saves nothing itself: it calls `change`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine.errors import AppError
from desktop_app.engine.settings import NEW_DOCUMENTS, RESTART, Option, check_value

from ..language import later, tr, tr_message
from ..theme.theme import Theme
from ..widgets import Button, ElidedLabel, IconButton, Label

PAUSE_MS = 600
UNITS = {
    "": "",
    "tokens": later("tokens"),
    "days": later("days"),
    "threads": later("threads"),
    "layers": later("layers"),
}


class OptionEditor(QWidget):
    """Emits `written` with the user's input; `set_value` emits nothing."""

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


class TypingDelay(QObject):
    """Delays typed input until a pause, so that "60" is not saved while "600" is typed."""

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


class ChoiceEditor(OptionEditor):
    """A combo box that ignores the mouse wheel, so that the page scrolls."""

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


class NumberEditor(OptionEditor):
    """A number field with its unit; where 0 has a special meaning, it is shown as a placeholder."""

    def __init__(self, option: Option, parent: QWidget | None = None) -> None:
        super().__init__(option, parent)
        self.field = QLineEdit()
        if option.zero:
            self.field.setPlaceholderText(tr(option.zero))
        else:
            self.field.setMaximumWidth(120)
        TypingDelay(self.field, lambda: self.written.emit(self.field.text()))
        self._take(self.field, 1 if option.zero else 0)
        self.unit = Label(tr(UNITS.get(option.unit, option.unit)), "muted")
        self.row.addWidget(self.unit)
        if not option.zero:
            self.row.addStretch(1)

    def set_value(self, value: Any) -> None:
        text = "" if value == 0 and self.option.zero else str(value)
        if text != self.field.text():
            self.field.setText(text)


class FlagEditor(OptionEditor):
    """A check box."""

    def __init__(self, option: Option, parent: QWidget | None = None) -> None:
        super().__init__(option, parent)
        self.box = QCheckBox(tr("On"))
        self.box.clicked.connect(lambda on: self.written.emit(bool(on)))
        self._take(self.box)
        self.row.addStretch(1)

    def set_value(self, value: Any) -> None:
        self.box.setChecked(bool(value))


class TextEditor(OptionEditor):
    r"""A line of text; new lines and tabs are written as \n and \t."""

    def __init__(self, option: Option, parent: QWidget | None = None) -> None:
        super().__init__(option, parent)
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr(option.zero) if option.zero else "")
        TypingDelay(self.field, lambda: self.written.emit(self._said()))
        self._take(self.field, 1)

    def set_value(self, value: Any) -> None:
        text = str(value).replace("\n", "\\n").replace("\t", "\\t")
        if text != self.field.text():
            self.field.setText(text)

    def _said(self) -> str:
        return self.field.text().replace("\\n", "\n").replace("\\t", "\t")


class FolderEditor(OptionEditor):
    """A folder path, and a button that opens the folder dialog."""

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


def build_editor(theme: Theme, option: Option, parent: QWidget | None = None) -> OptionEditor:
    """Return the control for an option."""
    if option.kind == "folder":
        return FolderEditor(theme, option, parent)
    kinds = {"choice": ChoiceEditor, "number": NumberEditor, "flag": FlagEditor}
    return kinds.get(option.kind, TextEditor)(option, parent)


EDITOR_WIDTH = 248
APPLIES = {
    NEW_DOCUMENTS: later("For documents that are read from now on."),
    RESTART: later("After a restart."),
}


class Row(QWidget):
    """Labels at the left, a control at the right."""

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
        notes = QVBoxLayout()
        notes.setSpacing(0)
        notes.addWidget(self.help)
        notes.addWidget(self.problem)
        self.grid.addWidget(self.title, 0, 0)
        self.grid.addLayout(notes, 1, 0, 1, 2)

    def has_words(self, wanted: list[str]) -> bool:
        return all(word in self.words for word in wanted)

    def place(self, widget: QWidget) -> None:
        self.grid.addWidget(widget, 0, 1, Qt.AlignmentFlag.AlignTop)


class SettingRow(Row):
    """One option; `changed` after a value was saved, `problem` shows why one was rejected."""

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
        """Show the saved value."""
        self.value = value
        self.editor.set_value(value)
        self._say("")
        self.reset_button.setVisible(not self.is_usual)

    def reset(self) -> None:
        """Reset the option to its default."""
        self.editor.set_value(self.option.default)
        self.take(self.option.default)

    def take(self, written: Any) -> None:
        """Save the value if it is valid."""
        try:
            value = check_value(self.option, written)
            if value != self.value:
                self._change(self.option.name, value)
        except AppError as error:
            self._say(tr_message(error.full_message))
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
    """A link to a screen with more settings, with a button that opens it."""

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
        # the text may be wider than the controls of settings
        wide = self.button.sizeHint().width()
        # aligned with the controls that have a reset button beside them
        beside = self._theme.length(28) + 4
        self._right.setFixedWidth(max(wide, self._theme.breadth(EDITOR_WIDTH) + beside))

    def set_help(self, text: str) -> None:
        self.words = f"{self.title.text()} {text}".casefold()
        self.help.setText(text)
        self.help.setVisible(bool(text))
