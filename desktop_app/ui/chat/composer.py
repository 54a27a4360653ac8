"""The question box: grows to six lines; Enter sends, Shift+Enter inserts a line break.

Owns the text until it is sent, the editing of an earlier question, the slash commands, and the
Stop button. The options below it belong to `options_row`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QTextCursor
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QSizePolicy,
    QWidget,
)

from desktop_app.engine.query import LIST_FORM, LONG_FORM, SHORT_FORM, QueryParam

from ..theme.theme import Theme
from ..translation import later, tr
from ..widgets import (
    Button,
    ElidedLabel,
    IconButton,
    KeyDescriptions,
    TextDelegate,
    build_column,
    build_row,
    paint_box,
)
from ..widgets.modes import all_modes
from ..widgets.tables import SUBTITLE_ROLE
from .options_panel import FORMS
from .options_row import OptionsRow
from .turns import Turn

MAX_LINES = 6
TEXT_LEFT = 8  # pixels
FOCUS_RING = 3.0  # pixels, in high contrast


KEYS = (
    ("Return", later("Ask")),
    ("Shift+Return", later("New line")),
    ("Esc", later("Stop the answer")),
    ("/", later("Commands, at the start of a question")),
)


class QuestionEdit(QPlainTextEdit):
    """The text field; distinguishes Enter from Shift+Enter. `take_key` receives keys first."""

    sent = Signal()
    escaped = Signal()
    take_key: Callable[[int], bool] | None = None

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        KeyDescriptions(self, KEYS)

    def focusNextPrevChild(self, forward: bool) -> bool:
        if forward and self.take_key is not None and self.take_key(Qt.Key.Key_Tab):
            return True
        return super().focusNextPrevChild(forward)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.take_key is not None and self.take_key(event.key()):
            return
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.sent.emit()
            return
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
            return
        super().keyPressEvent(event)


class QuestionBox(QWidget):
    """Emits `asked` with the trimmed text and clears itself; `stopped` for Stop and Escape.

    Escape first cancels the editing of an earlier question; with nothing to stop, `escaped`.
    """

    asked = Signal(str)
    stopped = Signal()
    escaped = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.edit = QuestionEdit(self)
        self.edit.setPlaceholderText(tr("Ask about your documents"))
        self.edit.setAccessibleName(tr("Question"))
        self.edit.setTabChangesFocus(True)
        self.edit.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.edit.setStyleSheet("background: transparent; border: none; padding: 0;")
        self.edit.document().setDocumentMargin(4)
        enter, escape = "Enter", "Esc"  # not shown otherwise in any language
        self.stop_button = IconButton(
            theme, "stop-fill", tr("Stop"), self, color="text", shortcut=escape
        )
        self.stop_button.setProperty("kind", "outlined")
        self.stop_button.hide()
        self.send_button = IconButton(
            theme, "send", tr("Ask"), self, color="on_accent", shortcut=enter
        )
        self.send_button.setProperty("kind", "primary")
        theme.changed.connect(self._show_send)
        self.options = OptionsRow(theme, self)
        self.editing: Turn | None = None  # the turn whose question is being edited
        self._draft = ""  # what was typed before
        self.editing_row = self._build_editing_row()
        # "Stop" is last, so that it does not move when something is typed
        self.foot = build_row((self.options, 1), self.send_button, self.stop_button)
        field = build_row(self.edit, margins=(TEXT_LEFT, 0, 0, 0))
        # the icons of the options are below the text: their buttons have a padding of 12 pixels
        build_column(
            *(self.editing_row, field, self.foot), parent=self, spacing=2, margins=(0, 6, 6, 6)
        )
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusProxy(self.edit)
        self.edit.sent.connect(self._send)
        self.edit.escaped.connect(self._escape)
        self.send_button.clicked.connect(self._send)
        self.stop_button.clicked.connect(self.stopped)
        self.edit.textChanged.connect(self._changed)
        self.edit.installEventFilter(self)
        theme.changed.connect(self._restyle)
        self._restyle()
        self._changed()

    def _build_editing_row(self) -> QWidget:
        row = QWidget(self)
        words = tr("Edit your question; both versions and their answers are kept")
        cancel = Button(tr("Cancel"), row, kind="link")
        cancel.clicked.connect(self.end_editing)
        label = ElidedLabel(words, "small", row)
        build_row((label, 1), cancel, parent=row, spacing=-1, margins=(TEXT_LEFT + 4, 0, 0, 0))
        row.hide()
        return row

    def begin_editing(self, turn: Turn, question: str) -> None:
        """Edit an earlier question; the new version is stored beside the old one."""
        self._draft = self.draft()
        self.editing = turn
        self.editing_row.show()
        self.set_text(question)
        self.edit.selectAll()

    def end_editing(self) -> None:
        """End the editing of an earlier question; what was typed before is shown again."""
        if self.editing is not None:
            self.editing = None
            self.editing_row.hide()
            self.restore(self._draft)

    def text(self) -> str:
        return self.edit.toPlainText()

    def draft(self) -> str:
        """Return the text for a new question, also while an earlier one is edited; "" if blank."""
        text = self._draft if self.editing is not None else self.text()
        return text if text.strip() else ""

    def set_text(self, text: str) -> None:
        """Put a question in the box without sending it."""
        self.restore(text)
        self.edit.setFocus()

    def restore(self, text: str) -> None:
        """Show a text that was typed before; the focus stays where it is."""
        self.edit.setPlainText(text)
        self.edit.moveCursor(QTextCursor.MoveOperation.End)

    def set_answering(self, answering: bool) -> None:
        self.stop_button.setVisible(answering)
        self._changed()

    def _send(self) -> None:
        if text := self.text().strip():
            self.edit.clear()
            self.asked.emit(text)

    def _escape(self) -> None:
        if self.editing is not None:
            self.end_editing()
            return
        (self.stopped if self.stop_button.isVisible() else self.escaped).emit()

    def _show_send(self) -> None:
        """Show in the colour of the icon whether there is a question to send."""
        off = "text2" if self._theme.is_high else "accent"
        self.send_button.set_icon("send", "on_accent" if self.send_button.isEnabled() else off)

    def _changed(self) -> None:
        has_text = bool(self.text().strip())
        self.send_button.setEnabled(has_text)
        self._show_send()
        self.send_button.setVisible(has_text or self.stop_button.isHidden())
        self._fit()
        self._fit_options()

    def _restyle(self) -> None:
        self.edit.setFont(self._theme.font("text"))
        self._fit()
        self.update()

    def _fit(self) -> None:
        # a plain text document counts its height in lines
        n_lines = max(1, min(MAX_LINES, round(self.edit.document().size().height())))
        line = self.edit.fontMetrics().lineSpacing()
        self.edit.setFixedHeight(max(28, n_lines * line + 10))
        full = self.edit.document().size().height() > MAX_LINES
        policy = Qt.ScrollBarPolicy
        self.edit.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if full else policy.ScrollBarAlwaysOff
        )

    def _fit_options(self) -> None:
        buttons = (self.send_button, self.stop_button)
        beside = [button for button in buttons if not button.isHidden()]
        taken = sum(button.width() + self.foot.spacing() for button in beside)
        self.options.fit(max(1, self.edit.width() + TEXT_LEFT - taken))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._fit_options()
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        elif event.type() == QEvent.Type.Resize:
            self._fit()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        is_focused = self.edit.hasFocus()
        edge = self._theme.color("accent" if is_focused else "line")
        width = FOCUS_RING if is_focused and self._theme.is_high else 1.0
        with QPainter(self) as painter:
            paint_box(painter, QRectF(self.rect()), self._theme.color("surface"), edge, width)


MODE, FORM, ACTION = "mode", "form", "action"  # kinds of slash commands


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """A slash command.

    `kind` is MODE, FORM or ACTION; a mode or form before a question applies to it only.
    """

    name: str
    kind: str
    value: str
    words: str


_FORM_NAMES = {SHORT_FORM: "short", "": "medium", LONG_FORM: "long", LIST_FORM: "points"}
_ACTIONS = (
    ("new", later("Start a new chat")),
    ("again", later("Answer the last question again")),
    ("find", later("Search in all chats")),
    ("export", later("Save this chat as a file")),
    ("rename", later("Rename this chat")),
)
COMMANDS = (
    *(SlashCommand(m.key, MODE, m.key, m.title) for m in all_modes()),
    *(SlashCommand(_FORM_NAMES[form], FORM, form, hint) for form, _, _, hint in FORMS),
    *(SlashCommand(name, ACTION, name, words) for name, words in _ACTIONS),
)
_BY_NAME = {command.name: command for command in COMMANDS}


def match_commands(text: str) -> list[SlashCommand]:
    """Return the commands that match an incomplete input; none if it is not a command."""
    if not text.startswith("/") or any(c.isspace() for c in text):
        return []
    wanted = text[1:].casefold()
    begin = [c for c in COMMANDS if c.name.startswith(wanted)]
    by_words = [c for c in COMMANDS if len(wanted) > 1 and wanted in tr(c.words).casefold()]
    inside = [c for c in by_words if c not in begin]
    return begin + inside


def split_commands(text: str) -> tuple[list[SlashCommand], str]:
    """Return the commands at the start of a question, and the rest of the text.

    An unknown command stays part of the text.
    """
    found: list[SlashCommand] = []
    rest = text.strip()
    while rest.startswith("/"):
        name, _, behind = rest.partition(" ")
        if "\n" in name:
            name, _, behind = rest.partition("\n")
        command = _BY_NAME.get(name[1:].casefold())
        if command is None:
            break
        found.append(command)
        rest = behind.strip()
    return found, rest


def apply_commands(commands: Sequence[SlashCommand], param: QueryParam) -> QueryParam:
    """Return the parameters of one question with its commands applied."""
    for command in commands:
        if command.kind == MODE:
            param = replace(param, mode=command.value)
        elif command.kind == FORM:
            param = replace(param, response_type=command.value)
    return param


MAX_ROWS = 8
WIDTH = 440
NAME_ROLE = Qt.ItemDataRole.UserRole


class SlashMenu(QFrame):
    """The commands that match the text of a question box; emits `picked` with the name of one.

    Args:
        box: the list is shown above it while its text is an incomplete command.
        parent: contains the box and the area above it.
    """

    picked = Signal(str)

    def __init__(self, theme: Theme, box: QuestionBox, parent: QWidget) -> None:
        super().__init__(parent)
        self._parent, self._box = parent, box
        self.setObjectName("palette")
        self.rows = QListWidget(self)
        self.rows.setAccessibleName(tr("Commands"))
        self.rows.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.rows.setFrameShape(QFrame.Shape.NoFrame)
        self.rows.setMouseTracking(True)
        self.rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows.setItemDelegate(TextDelegate(theme, self.rows))
        build_column(self.rows, parent=self, margins=(4, 4, 4, 4))
        self.rows.itemClicked.connect(self._pick)
        box.edit.take_key = self.take_key
        box.edit.textChanged.connect(self._match)
        self.hide()

    def _match(self) -> None:
        """Show the commands that match the text, or hide the list if there are none."""
        commands = match_commands(self._box.text())
        self.rows.clear()
        for command in commands:
            row = QListWidgetItem(f"/{command.name}", self.rows)
            row.setData(SUBTITLE_ROLE, tr(command.words))
            row.setData(NAME_ROLE, command.name)
            row.setData(Qt.ItemDataRole.AccessibleDescriptionRole, tr(command.words))
        self.setVisible(bool(commands))
        if commands:
            self.rows.setCurrentRow(0)
            height = min(MAX_ROWS, len(commands)) * max(self.rows.sizeHintForRow(0), 28) + 10
            height = min(height, self._box.mapTo(self._parent, QPoint(0, 0)).y() - 8)
            self.resize(min(WIDTH, self._box.width()), height)
            self.move(self._box.mapTo(self._parent, QPoint(0, -height - 4)))
            self.raise_()

    def take_key(self, key: int) -> bool:
        """Move the selection, choose or close; return whether the key was used."""
        if not self.isVisible():
            return False
        row, last = self.rows.currentRow(), self.rows.count() - 1
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            by = 1 if key == Qt.Key.Key_Down else -1
            self.rows.setCurrentRow(min(last, max(0, row + by)))
            return True
        if key in (Qt.Key.Key_Tab, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._pick(self.rows.currentItem())
            return True
        if key == Qt.Key.Key_Escape:
            self.hide()
            return True
        return False

    def _pick(self, row: QListWidgetItem | None) -> None:
        if row is not None:
            self.hide()
            self.picked.emit(row.data(NAME_ROLE))
