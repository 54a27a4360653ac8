"""The exact prompt: monospaced, selectable, never changed, and a button that copies all of it.

Owns how it is shown. Knows nothing of models.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button

HEIGHT = 280


class PromptText(QPlainTextEdit):
    """Text to read; Escape and Tab belong to the panel around it."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            event.ignore()
            return
        super().keyPressEvent(event)


class PromptView(QWidget):
    """The prompt with its copy button."""

    def __init__(self, theme: Theme, prompt: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._prompt = prompt
        self.text = PromptText(self)
        self.text.setPlainText(prompt)
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setProperty("kind", "field")
        self.text.setAccessibleName(tr("Prompt"))
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.copy_button = Button(tr("Copy"), self, theme=theme, icon="copy")
        self.copy_button.setToolTip(tr("Copy the whole prompt"))
        self.copy_button.clicked.connect(self._copy)
        row = QHBoxLayout()
        row.addWidget(self.copy_button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.text)
        column.addLayout(row)
        theme.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        mono = self._theme.font("fixed")
        # the style sheet's size would win over a font that is only set
        names = ", ".join(f'"{family}"' for family in mono.families())
        self.text.setStyleSheet(
            f"font-family: {names}; font-size: {mono.pixelSize()}px;"
            f" min-height: {HEIGHT}px; max-height: {HEIGHT}px;"
        )
        self.text.setFont(mono)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._prompt)
        self.copy_button.setText(tr("Copied"))
        self.copy_button.setIcon(self._theme.icon("check"))
