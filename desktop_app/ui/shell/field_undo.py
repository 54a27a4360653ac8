"""Ctrl+Z in text fields: what was typed is undone first, then the last change of the library.

A text field takes the keys of undo and redo for itself, even when it has nothing to undo. Then they
are left to the window's actions.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)


class FieldUndo(QObject):
    """Watches the field that has the focus."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._watch)

    def _watch(self, before: QWidget | None, now: QWidget | None) -> None:
        if before is not None:
            before.removeEventFilter(self)
        if now is not None and _find_field(now) is not None:
            now.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        is_undo = event.matches(QKeySequence.StandardKey.Undo)
        if not is_undo and not event.matches(QKeySequence.StandardKey.Redo):
            return False
        field = _find_field(watched)
        if field is None or _can_step(field, is_undo):
            return False
        event.ignore()
        return True


def _find_field(widget: QObject) -> QLineEdit | QTextEdit | QPlainTextEdit | None:
    if isinstance(widget, QComboBox | QAbstractSpinBox):
        return widget.lineEdit()
    return widget if isinstance(widget, QLineEdit | QTextEdit | QPlainTextEdit) else None


def _can_step(field: QLineEdit | QTextEdit | QPlainTextEdit, is_undo: bool) -> bool:
    """Return whether a field has something to undo, or to redo."""
    if field.isReadOnly():
        return False
    if isinstance(field, QLineEdit):
        return field.isUndoAvailable() if is_undo else field.isRedoAvailable()
    document = field.document()
    return document.isUndoAvailable() if is_undo else document.isRedoAvailable()
