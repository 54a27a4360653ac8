"""The frame of dialogs: a title, a scrolling body, one line of buttons.

Owns sizes and margins, how a dialog stands out from the window, and when what was typed is stored.
Does not know where: see `ui/sheet_drafts.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import shiboken6
from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QTextCursor,
)
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from ..translation import tr
from .buttons import Button
from .labels import Label
from .layout import STRETCH, Hairline, build_column, build_row, scroll_area
from .save_timer import SaveTimer

MARGIN = 24
EDGE = 1  # pixel, inside the dialog
TITLE_BAR = 12  # pixels; a frame that is lower at its top has none, and a line of 1 to 4 pixels
# Of black over the window below. On a dark ground, which is nearly black itself, it takes more
# until the texts of the window no longer compete with those of the dialog.
DIMMED, DIMMED_DARK = 0.3, 0.55


class Veil(QWidget):
    """Dims a window while a dialog over it waits for an answer; transparent for the mouse."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setGeometry(window.rect())
        window.installEventFilter(self)
        self.raise_()
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and isinstance(watched, QWidget):
            self.setGeometry(watched.rect())
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        shade = QColor(Qt.GlobalColor.black)
        is_dark = self.palette().color(QPalette.ColorRole.Window).lightness() < 128
        shade.setAlphaF(DIMMED_DARK if is_dark else DIMMED)
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), shade)


class Sheet(QDialog):
    """A dialog over the window; Escape closes it, closing deletes it, Ctrl+Return accepts.

    It has an edge where the window manager draws no title bar. A modal one dims the window below as
    soon as it is drawn itself, so that it opens no later for that.

    What is typed in its fields is a draft until it is saved: `draft_changed` carries the fields
    that differ from what the sheet showed first, a few seconds after the first key that is not
    stored yet and when the sheet is closed; none when the draft is discarded.

    Attributes:
        is_accepted_when_saved: the sheet stays open until the edit succeeded, so that nothing typed
            is a draft after it was accepted. Other sheets are accepted before the edit, which may
            fail; who opened them drops the draft.
    """

    draft_changed = Signal(object)
    is_accepted_when_saved = False

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.title = Label(title, "title", wrap=True)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(EDGE, MARGIN, EDGE, 16)
        self.column.setSpacing(12)
        self._draft_fields: dict[str, QLineEdit | QPlainTextEdit | QComboBox] = {}
        self._draft_before: dict[str, Any] | None = None  # without drafts
        self._draft_line: QWidget | None = None
        self._fixed_width = 0
        self._draft_timer = SaveTimer(self)
        self._draft_timer.timeout.connect(self.store_draft)
        self._veil: Veil | None = None
        self.add(self.title)

    def add(self, widget: QWidget) -> None:
        """Add a widget at the bottom, with the margins of the sheet."""
        self.column.addLayout(inset(widget))

    def add_field(self, words: str | Label, field: QWidget) -> None:
        """Add a field with its label above it."""
        label = Label(words, "small") if isinstance(words, str) else words
        label.setBuddy(field)
        self.column.addLayout(build_column(label, field, spacing=4, margins=(MARGIN, 0, MARGIN, 0)))

    def add_foot(
        self, right: Sequence[QPushButton], left: Sequence[QPushButton] = (), *, line: bool = False
    ) -> None:
        """Add the buttons; the last one at the right is the default."""
        if line:
            self.column.addWidget(Hairline())
        for button in (*right, *left):
            button.setAutoDefault(False)
        right[-1].setDefault(True)
        foot = build_row(*left, STRETCH, *right, spacing=8, margins=(MARGIN, 0, MARGIN, 0))
        self.column.addLayout(foot)

    def fit_content(self, width: int) -> None:
        """Set the width, more if texts that don't wrap need it, and the height for it."""
        self.column.activate()
        around = self.parentWidget()
        room = around.window().width() - 32 if around is not None else width
        width = max(width, min(room, self.column.minimumSize().width()))
        self._fixed_width = width
        self.setFixedWidth(width)
        self.column.activate()
        self.setFixedHeight(self.column.totalHeightForWidth(width))

    def fit(self, width: int, height: int) -> None:
        """Set this size, limited by the screen and the parent window."""
        around = self.parentWidget()
        room = (around or self).screen().availableSize() - QSize(32, 64)
        if around is not None and (window := around.window()).isVisible():
            room = room.boundedTo(window.size() - QSize(32, 32))
        self.resize(min(width, room.width()), min(height, room.height()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Ctrl+Return accept, also in a field of several lines, where Return is a line."""
        is_return = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if not (is_return and event.modifiers() & Qt.KeyboardModifier.ControlModifier):
            super().keyPressEvent(event)
            return
        for button in self.findChildren(QPushButton):
            if button.isDefault() and button.isVisible():
                button.click()

    # --- edge and ground -----------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        handle = self.windowHandle()
        if self.isWindow() and (handle is None or handle.frameMargins().top() < TITLE_BAR):
            with QPainter(self) as painter:
                painter.setPen(self.palette().color(QPalette.ColorRole.Shadow))
                painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        if self._veil is None and self.isModal() and self.parentWidget() is not None:
            QTimer.singleShot(0, self, self._dim)

    def _dim(self) -> None:
        """Dim the window below; a dialog over a dialog dims that one."""
        around = self.parentWidget()
        if around is not None and self._veil is None and self.isVisible():
            self._veil = Veil(around.window())

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if event.spontaneous():  # minimized with its window
            return
        if self._veil is not None and shiboken6.isValid(self._veil):
            self._veil.hide()
            self._veil.deleteLater()
        self._veil = None

    # --- what is typed -------------------------------------------------------------------------

    def register_fields(self, **fields: QLineEdit | QPlainTextEdit | QComboBox) -> None:
        """Name the fields whose content is a draft until the sheet is saved."""
        self._draft_fields = fields
        for field in fields.values():
            if isinstance(field, QComboBox):
                field.currentTextChanged.connect(self.note_typing)
            else:
                field.textChanged.connect(self.note_typing)

    def read_typed(self) -> dict[str, Any]:
        """Return the content of each field that is kept; JSON values."""
        return {name: _read_field(field) for name, field in self._draft_fields.items()}

    def show_typed(self, fields: Mapping[str, Any]) -> None:
        """Show the content of some of the fields that are kept, as `read_typed` returned it."""
        for name, value in fields.items():
            if name in self._draft_fields:
                _show_in_field(self._draft_fields[name], value)

    def note_typing(self, *_: object) -> None:
        """Store what was typed soon; connected with the signals of the fields."""
        if self._draft_before is not None:
            self._draft_timer.begin()

    def keep_draft(self, stored: Mapping[str, Any]) -> None:
        """Show what was typed before, with a line that says so, and emit what is typed now."""
        self._draft_before = self.read_typed()
        self.finished.connect(self._end_draft)
        found = {name: v for name, v in stored.items() if self._draft_before.get(name, v) != v}
        if not found:
            return
        self.show_typed(found)
        self._draft_line = QWidget()
        words = Label(tr("Restored what you had typed"), "small")
        self.discard_button = Button(tr("Discard"), kind="link")
        self.discard_button.setToolTip(tr("Show what is stored in its place"))
        self.discard_button.clicked.connect(self.discard_draft)
        build_row(words, STRETCH, self.discard_button, parent=self._draft_line)
        self.column.insertLayout(1, inset(self._draft_line))
        self._fit_again()

    def discard_draft(self) -> None:
        """Show what is stored again, and drop what was typed."""
        if self._draft_before is not None:
            self.show_typed(self._draft_before)
        if self._draft_line is not None:
            self._draft_line.hide()
            self._fit_again()
        self.store_draft()

    def store_draft(self) -> None:
        """Emit now what was typed."""
        self._draft_timer.stop()
        if self._draft_before is not None:
            now, before = self.read_typed(), self._draft_before
            changed = {name: value for name, value in now.items() if before.get(name) != value}
            self.draft_changed.emit(changed)

    def _end_draft(self, result: int) -> None:
        self._draft_timer.stop()
        if result == QDialog.DialogCode.Accepted and self.is_accepted_when_saved:
            self.draft_changed.emit({})
        else:
            self.store_draft()
        self._draft_before = None

    def _fit_again(self) -> None:
        if self._fixed_width:
            self.fit_content(self._fixed_width)


def _read_field(field: QLineEdit | QPlainTextEdit | QComboBox) -> Any:
    if isinstance(field, QComboBox):
        return field.currentText() if field.isEditable() else field.currentData()
    return field.text() if isinstance(field, QLineEdit) else field.toPlainText()


def _show_in_field(field: QLineEdit | QPlainTextEdit | QComboBox, value: Any) -> None:
    if isinstance(field, QLineEdit):
        field.setText(str(value))
    elif isinstance(field, QPlainTextEdit):
        field.setPlainText(str(value))
        field.moveCursor(QTextCursor.MoveOperation.End)
    elif field.isEditable():
        field.setCurrentText(str(value))
    elif (at := field.findData(value)) >= 0:
        field.setCurrentIndex(at)


def inset(widget: QWidget) -> QHBoxLayout:
    """Return a widget with a sheet's margins at its sides."""
    return build_row(widget, margins=(MARGIN, 0, MARGIN, 0), spacing=0)


def scrolling(body: QWidget) -> QScrollArea:
    """Return a scroll area as wide as the sheet."""
    body.setObjectName("screenBody")
    area = scroll_area(body)
    bar = area.verticalScrollBar()

    def fit(_low: int = 0, high: int = 0) -> None:
        """Let the content end where the buttons do, with and without a scroll bar."""
        body.setContentsMargins(MARGIN, 0, MARGIN - (bar.sizeHint().width() if high else 0), 8)

    bar.rangeChanged.connect(fit)
    fit()
    return area
