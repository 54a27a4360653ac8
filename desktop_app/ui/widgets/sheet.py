"""The frame of dialogs: a title, a scrolling body, one line of buttons.

Owns sizes and margins, and when what was typed is stored. Does not know where: see
`ui/sheet_drafts.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QTextCursor
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
from .layout import STRETCH, Hairline, build_row, scroll_area
from .save_timer import SaveTimer

MARGIN = 24


class Sheet(QDialog):
    """A dialog over the window; Escape closes it, closing deletes it.

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
        self.column.setContentsMargins(0, MARGIN, 0, 16)
        self.column.setSpacing(12)
        self._draft_fields: dict[str, QLineEdit | QPlainTextEdit | QComboBox] = {}
        self._draft_before: dict[str, Any] | None = None  # without drafts
        self._draft_line: QWidget | None = None
        self._fixed_width = 0
        self._draft_timer = SaveTimer(self)
        self._draft_timer.timeout.connect(self.store_draft)
        self.add(self.title)

    def add(self, widget: QWidget) -> None:
        """Add a widget at the bottom, with the margins of the sheet."""
        self.column.addLayout(inset(widget))

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
    body.setContentsMargins(MARGIN, 0, MARGIN - 8, 8)
    body.setObjectName("screenBody")
    return scroll_area(body)
