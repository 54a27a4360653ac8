"""The form of a settings class: for each option a label, a control, its help and its problem.

Built from `Option`; every dialog and panel with settings uses it. Stores nothing itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QGridLayout,
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine.errors import AppError
from desktop_app.engine.settings import NEW_DOCUMENTS, RESTART, Option, check_value

from ..theme.theme import Theme
from ..translation import later, tr, tr_message
from .buttons import Button, IconButton, Switch
from .fields import AS_IS, ChoiceBox, WordFormat, WordList
from .labels import ElidedLabel, Label, SectionTitle
from .layout import STRETCH, build_column, build_row
from .words import join_sentences

PAUSE_MS = 600
EDITOR_WIDTH, COMPACT_WIDTH = 248, 150
LEAST_TEXT = 160  # pixels for texts beside a control
ROW_FOOT = 12  # pixels below the texts of a row; above it, the gap of the form is added
RESET_GAP = 4  # pixels between a control and its reset button
APPLIES = {
    NEW_DOCUMENTS: later("Applies to documents added from now on."),
    RESTART: later("Takes effect after a restart."),
}


class OptionEditor(QWidget):
    """The control of one option.

    `written` is emitted when the user enters something; `set_value` emits nothing. Typed text is
    reported after a pause, so that "60" is not taken while "600" is typed.
    """

    written = Signal()

    def __init__(self, option: Option, control: QWidget, stretch: int = 0) -> None:
        super().__init__()
        self.option = option
        control.setAccessibleName(tr(option.label))
        self.setFocusProxy(control)
        self.row = build_row((control, stretch), parent=self)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self.written)

    def _stop_pause(self) -> None:
        if self._pause.isActive():
            self._pause.stop()
            self.written.emit()

    def read(self) -> Any:
        """Return what is entered, unchecked."""
        raise NotImplementedError

    def set_value(self, value: Any) -> None:
        raise NotImplementedError


class ChoiceEditor(OptionEditor):
    """A combo box that ignores the mouse wheel, so that the page scrolls."""

    def __init__(self, option: Option) -> None:
        self.box = ChoiceBox()
        self.box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        super().__init__(option, self.box, 1)
        self.box.installEventFilter(self)
        for value, label in option.choices:
            self.box.addItem(tr(label), value)
        self.box.activated.connect(lambda _: self.written.emit())
        self.box.currentTextChanged.connect(self.box.setToolTip)

    def read(self) -> Any:
        return self.box.currentData()

    def set_value(self, value: Any) -> None:
        place = self.box.findData(value)
        if place < 0 and self.option.other_values:
            self.box.addItem(str(value), value)
            place = self.box.count() - 1
        self.box.setCurrentIndex(max(0, place))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel and not self.box.hasFocus():
            event.ignore()
            return True
        return False


class FlagEditor(OptionEditor):
    """A switch, whose label is the title of its row."""

    def __init__(self, theme: Theme, option: Option) -> None:
        self.box = Switch(theme, "")
        super().__init__(option, self.box)
        self.row.addStretch(1)
        self.box.clicked.connect(lambda _: self.written.emit())

    def read(self) -> bool:
        return self.box.isChecked()

    def set_value(self, value: Any) -> None:
        self.box.setChecked(bool(value))


class LineEditor(OptionEditor):
    r"""A line of text or a number with its unit; new lines and tabs are written as \n and \t."""

    def __init__(self, option: Option) -> None:
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr(option.zero) if option.zero else "")
        short = option.kind == "number" and not option.zero
        super().__init__(option, self.field, 0 if short else 1)
        if short:
            self.field.setMaximumWidth(120)
        if option.unit:
            self.row.addWidget(Label(tr(option.unit), "muted"))
        if short:
            self.row.addStretch(1)
        self.field.textEdited.connect(lambda _: self._pause.start())
        self.field.editingFinished.connect(self._stop_pause)

    def read(self) -> str:
        return self.field.text().replace("\\n", "\n").replace("\\t", "\t")

    def set_value(self, value: Any) -> None:
        text = str(value).replace("\n", "\\n").replace("\t", "\\t")
        if self.option.kind == "number":
            text = "" if value == 0 and self.option.zero else str(value)
        if text != self.field.text():
            self.field.setText(text)


class ParagraphEditor(OptionEditor):
    """Several lines of text."""

    def __init__(self, option: Option) -> None:
        self.field = QPlainTextEdit()
        self.field.setProperty("kind", "field")
        self.field.setTabChangesFocus(True)
        self.field.setPlaceholderText(tr(option.zero) if option.zero else "")
        super().__init__(option, self.field, 1)
        self.set_text_height(108)
        self.field.textChanged.connect(self._pause.start)
        self.field.installEventFilter(self)

    def set_text_height(self, height: int) -> None:
        # the theme's style sheet sets a minimum height, which overrides others
        self.field.setStyleSheet(f"min-height: {height}px; max-height: {height}px;")

    def read(self) -> str:
        return self.field.toPlainText().strip()

    def set_value(self, value: Any) -> None:
        if value != self.read():
            self.field.setPlainText(str(value))
        self._pause.stop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut:
            self._stop_pause()
        return False


class WordsEditor(OptionEditor):
    """A list of words."""

    def __init__(self, theme: Theme, option: Option, word_format: WordFormat) -> None:
        self.list = WordList(theme, tr(option.label), word_format)
        super().__init__(option, self.list, 1)
        self.list.changed.connect(self.written)

    def read(self) -> tuple[str, ...]:
        return self.list.words()

    def set_value(self, value: Any) -> None:
        self.list.set_words(value)


class FolderEditor(OptionEditor):
    """A folder path, and a button that opens the folder dialog."""

    def __init__(self, theme: Theme, option: Option) -> None:
        self.button = Button(tr("Choose…"), theme=theme, icon="folder-open")
        super().__init__(option, self.button)
        self.path = ElidedLabel("", "muted", mode=Qt.TextElideMode.ElideMiddle)
        self.row.addWidget(self.path, 1)
        self.button.clicked.connect(self._choose)
        self._value = ""

    def read(self) -> str:
        return self._value

    def set_value(self, value: Any) -> None:
        self._value = str(value)
        self.path.setText(self._value or tr(self.option.zero))

    def _choose(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, tr(self.option.label), self._value)
        if folder:
            self.set_value(folder)
            self.written.emit()


class FormRow(QWidget):
    """A title with its help text below; controls stand beside both, or below them.

    The problem of what was entered is below the help text.

    Args:
        compact: controls are beside the title even where there is little room.
    """

    def __init__(self, theme: Theme, title: str, help: str, *, compact: bool = False) -> None:
        super().__init__()
        self._theme, self._compact = theme, compact
        self._beside: QWidget | None = None
        self._is_stacked = False
        self.searched_text = f"{title} {help}".casefold()
        self.title = Label(title, "label", wrap=True)
        self.title.setMinimumHeight(30)
        self.help = Label(help, "small", wrap=True)
        self.problem = Label("", "bad", wrap=True)
        self.problem.hide()
        self.grid = QGridLayout(self)
        self.grid.setContentsMargins(0, *((4, 0, 4) if compact else (8, 0, ROW_FOOT)))
        self.grid.setHorizontalSpacing(24)
        self.grid.setVerticalSpacing(0)
        self.grid.setColumnStretch(0, 1)
        texts = build_column(self.title, self.help, self.problem, STRETCH, spacing=0)
        self.grid.addLayout(texts, 0, 0)
        self.help.setVisible(bool(help))  # once it has a parent: otherwise it is a window

    def place_beside(self, *controls: QWidget) -> None:
        """Place controls beside the texts, or below them where the row is narrow."""
        self._beside = QWidget()
        build_row(*controls, parent=self._beside, spacing=RESET_GAP)
        self.grid.addWidget(self._beside, 0, 1, Qt.AlignmentFlag.AlignTop)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line that separates a row from the next one."""
        if not self._compact:
            painter = QPainter(self)
            painter.setPen(self._theme.color("line"))
            painter.drawLine(0, self.height() - 1, self.width(), self.height() - 1)
            painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._beside is None or self._compact:
            return
        room = self.width() - self._beside.sizeHint().width() - self.grid.horizontalSpacing()
        is_stacked = room < self._theme.breadth(LEAST_TEXT)
        if is_stacked != self._is_stacked:
            self._is_stacked = is_stacked
            self.grid.removeWidget(self._beside)
            top = Qt.AlignmentFlag.AlignTop
            if is_stacked:
                self.grid.addWidget(self._beside, 1, 0, 1, 2, top | Qt.AlignmentFlag.AlignLeft)
            else:
                self.grid.addWidget(self._beside, 0, 1, top)

    def contains(self, words: list[str]) -> bool:
        return all(word in self.searched_text for word in words)

    def set_help(self, text: str) -> None:
        self.searched_text = f"{self.title.text()} {text}".casefold()
        self.help.setText(text)
        self.help.setVisible(bool(text))


def describe_reset(option: Option) -> str:
    """Return "Reset to “Automatic”", with the default as the control shows it."""
    default = option.default
    if option.kind == "flag":
        words = tr("on") if default else tr("off")
    elif option.kind == "choice":
        words = next((tr(label) for value, label in option.choices if value == default), "")
    elif not default and option.zero:
        words = tr(option.zero)
    elif option.kind == "number":
        words = " ".join(filter(None, (str(default), tr(option.unit) if option.unit else "")))
    else:
        words = ""  # a text or a list may be long
    return tr("Reset to “{value}”", value=words) if words else tr("Reset to default")


class OptionRow(FormRow):
    """One option; `changed` after a valid value was entered, `problem` shows why one was rejected.

    Args:
        change: stores a valid value by name; an error it raises is shown.
        compact: the help text is only the tooltip, and the row has no button for resetting.
    """

    changed = Signal(object)

    def __init__(
        self,
        theme: Theme,
        option: Option,
        change: Callable[[str, Any], object] | None,
        word_format: WordFormat,
        compact: bool,
    ) -> None:
        help = [tr(text) for text in (option.help, APPLIES.get(option.applies, "")) if text]
        super().__init__(theme, tr(option.label), join_sentences(help), compact=compact)
        self.option = option
        self.value: Any = option.default
        self._change = change
        self.searched_text += " " + " ".join(tr(label) for _, label in option.choices).casefold()
        self.editor = self._build_editor(word_format)
        self.editor.written.connect(self.commit)
        self.editor.set_value(option.default)
        self.editor.setAccessibleDescription(self.help.text())
        self.title.setBuddy(self.editor)
        self.reset_button = IconButton(theme, "undo", describe_reset(option))
        self.reset_button.setAccessibleName(tr("Reset: {name}", name=tr(option.label)))
        self.reset_button.clicked.connect(self.reset)
        policy = self.reset_button.sizePolicy()
        policy.setRetainSizeWhenHidden(not compact)
        self.reset_button.setSizePolicy(policy)
        self._place()
        self._update_reset()

    def _build_editor(self, word_format: WordFormat) -> OptionEditor:
        option, theme = self.option, self._theme
        match option.kind:
            case "choice":
                return ChoiceEditor(option)
            case "flag":
                return FlagEditor(theme, option)
            case "words":
                return WordsEditor(theme, option, word_format)
            case "folder":
                return FolderEditor(theme, option)
            case "paragraph":
                editor = ParagraphEditor(option)
                if self._compact:
                    editor.set_text_height(56)
                return editor
        return LineEditor(option)

    def _place(self) -> None:
        if self._compact:
            self.title.set_role("muted")
            self.title.setToolTip(self.help.text())
            self.editor.setToolTip(self.help.text())
            self.help.hide()
            self.grid.setHorizontalSpacing(12)
        if self.option.kind in ("words", "paragraph"):
            self.grid.addWidget(
                self.reset_button, 0, 1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop
            )
            self.editor.setContentsMargins(0, 4, 0, 0)
            self.grid.addWidget(self.editor, 1, 0, 1, 2)
            return
        self.place_beside(self.editor, self.reset_button)
        self._theme.changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        width = COMPACT_WIDTH if self._compact else EDITOR_WIDTH
        self.editor.setFixedWidth(self._theme.breadth(width))

    def _update_reset(self) -> None:
        self.reset_button.setVisible(not self._compact and not self.is_default)

    @property
    def is_default(self) -> bool:
        return bool(self.value == self.option.default)

    def set_value(self, value: Any) -> None:
        """Show a stored value."""
        self.value = value
        self.editor.set_value(value)
        self._show_problem("")
        self._update_reset()

    def reset(self) -> None:
        """Set the option to its default."""
        self.enter(self.option.default)

    def enter(self, value: Any) -> None:
        """Enter a value as the user would."""
        self.editor.set_value(value)
        self.commit()

    def commit(self) -> bool:
        """Store what is entered if it is valid; return whether it is."""
        try:
            value = check_value(self.option, self.editor.read())
            if value != self.value and self._change is not None:
                self._change(self.option.name, value)
        except AppError as error:
            self._show_problem(tr_message(error.full_message))
            return False
        self._show_problem("")
        changed, self.value = value != self.value, value
        self._update_reset()
        if changed:
            self.changed.emit(value)
        return True

    def _show_problem(self, text: str) -> None:
        self.problem.setText(text)
        self.problem.setVisible(bool(text))


class OptionForm(QWidget):
    """The rows of options, in sections; `changed` with the name of an option.

    Args:
        change: stores a valid value by name, as soon as it is entered.
        word_formats: for lists of words, by option.
    """

    changed = Signal(str)

    def __init__(
        self,
        theme: Theme,
        options: Iterable[Option],
        change: Callable[[str, Any], object] | None = None,
        *,
        compact: bool = False,
        word_formats: Mapping[str, WordFormat] | None = None,
    ) -> None:
        super().__init__()
        self.rows: dict[str, OptionRow] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        formats = word_formats or {}
        section = ""
        for option in options:
            if option.section != section:
                section = option.section
                title = SectionTitle(tr(section))
                title.setContentsMargins(0, 12 if self.rows else 0, 0, 0)
                column.addWidget(title)
            word_format = formats.get(option.name, AS_IS)
            row = OptionRow(theme, option, change, word_format, compact)
            row.changed.connect(lambda _, name=option.name: self.changed.emit(name))
            self.rows[option.name] = row
            column.addWidget(row)

    def values(self) -> dict[str, Any]:
        """Return the last valid values by name; call `commit` before to include typed text."""
        return {name: row.value for name, row in self.rows.items()}

    def set_values(self, source: Any) -> None:
        """Show the values of any object that has the attributes of the options."""
        for name, row in self.rows.items():
            row.set_value(getattr(source, name))

    def commit(self) -> bool:
        """Take what is entered in all rows; focus the first that is not valid, if any."""
        invalid = [row for row in self.rows.values() if not row.commit()]
        if invalid:
            invalid[0].editor.setFocus()
        return not invalid

    def reset(self) -> None:
        """Set all options to their defaults."""
        for row in self.rows.values():
            row.reset()
