"""Types into the dialog that asks for one line of text."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from desktop_app.ui.widgets.line_dialog import LineDialog


def find_line_dialog() -> LineDialog:
    """Return the open dialog that asks for one line."""
    [dialog] = [
        one
        for one in QApplication.topLevelWidgets()
        if isinstance(one, LineDialog) and one.isVisible()
    ]
    return dialog


def give_line(words: str) -> None:
    """Type a text into the open dialog and accept it."""
    dialog = find_line_dialog()
    dialog.field.setText(words)
    dialog.save_button.click()
