"""Two pages to read: the keys, and what the program may touch. Own no state."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from desktop_app.engine import paths

from .actions import WORDS
from .widgets import FactGrid, Label, PrimaryButton, SectionTitle


def _build_sheet(parent: QWidget, title: str, body: QWidget) -> QDialog:
    sheet = QDialog(parent)
    sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    sheet.setWindowTitle(title)
    close = PrimaryButton("Close")
    close.clicked.connect(sheet.accept)
    foot = QHBoxLayout()
    foot.addStretch(1)
    foot.addWidget(close)
    column = QVBoxLayout(sheet)
    column.setContentsMargins(24, 24, 24, 24)
    column.setSpacing(16)
    column.addWidget(Label(title, "title"))
    column.addWidget(body, 1)
    column.addLayout(foot)
    return sheet


def build_shortcuts_sheet(parent: QWidget, actions: dict[str, QAction]) -> QDialog:
    """Return the sheet that F1 shows: every action with a key, in groups of two columns."""
    body = QWidget()
    grid = QGridLayout(body)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(24)
    grid.setVerticalSpacing(4)
    group, row = "", 0
    for name, words in WORDS.items():
        key = actions[name].shortcut()
        if key.isEmpty():
            continue
        if words.group != group:
            group = words.group
            grid.addWidget(SectionTitle(group), row, 0, 1, 2)
            row += 1
        grid.addWidget(Label(words.text), row, 0)
        shown = Label(key.toString(QKeySequence.SequenceFormat.NativeText), "muted")
        grid.addWidget(shown, row, 1, Qt.AlignmentFlag.AlignRight)
        row += 1
    grid.setColumnMinimumWidth(0, 280)
    return _build_sheet(parent, "Keyboard shortcuts", body)


def build_privacy_sheet(parent: QWidget, library_path: str) -> QDialog:
    """Return the page behind the offline mark: which files are touched, and that is all."""
    body = QWidget()
    column = QVBoxLayout(body)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(12)
    text = Label(
        "Your documents, questions and answers stay on this computer. Reading, searching and "
        "answering use no network. Only “Install” on the Models screen fetches something, when "
        "you press it.",
        wrap=True,
    )
    text.setFixedWidth(440)
    facts = FactGrid()
    facts.setFixedWidth(440)
    facts.set_facts(
        [
            ("This library", library_path),
            ("Models", str(paths.models_dir())),
            ("Settings", str(paths.data_dir())),
        ]
    )
    column.addWidget(text)
    column.addWidget(SectionTitle("What Inkgraph writes"))
    column.addWidget(facts)
    return _build_sheet(parent, "What Inkgraph may touch", body)
