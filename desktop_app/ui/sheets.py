"""Two pages to read: the keys, and what the program may touch. Own no state."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from desktop_app.engine import paths

from .actions import WORDS
from .widgets import FactGrid, Label, PrimaryButton, SectionTitle

READER_KEYS = (
    ("Search in the document", "Ctrl+F"),
    ("Next hit", "F3"),
    ("Go to page", "Ctrl+G"),
    ("Bookmark this place", "Ctrl+D"),
    ("Highlight what is selected", "Ctrl+Shift+H"),
    ("Next place of the followed name", "Alt+Down"),
    ("Back", "Alt+Left"),
    ("Larger", "Ctrl++"),
)


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
    """Return the sheet that F1 shows: every action with a key, its groups in two columns."""
    groups: dict[str, list[tuple[str, QKeySequence]]] = {}
    for name, words in WORDS.items():
        if not (key := actions[name].shortcut()).isEmpty():
            groups.setdefault(words.group, []).append((words.text, key))
    groups["Reader"] = [(words, QKeySequence(keys)) for words, keys in READER_KEYS]
    n_rows = sum(len(lines) + 1 for lines in groups.values())
    body = QWidget()
    sides = QHBoxLayout(body)
    sides.setContentsMargins(0, 0, 0, 0)
    sides.setSpacing(48)
    grid, row = _add_side(sides), 0
    for group, lines in groups.items():
        if row + len(lines) / 2 > n_rows / 2 and sides.count() == 1:
            grid, row = _add_side(sides), 0
        grid.addWidget(SectionTitle(group), row, 0, 1, 2)
        for text, key in lines:
            row += 1
            grid.addWidget(Label(text), row, 0)
            shown = Label(key.toString(QKeySequence.SequenceFormat.NativeText), "muted")
            grid.addWidget(shown, row, 1, Qt.AlignmentFlag.AlignRight)
        row += 1
    return _build_sheet(parent, "Keyboard shortcuts", body)


def _add_side(sides: QHBoxLayout) -> QGridLayout:
    column = QVBoxLayout()
    grid = QGridLayout()
    grid.setHorizontalSpacing(24)
    grid.setVerticalSpacing(4)
    grid.setColumnMinimumWidth(0, 220)
    column.addLayout(grid)
    column.addStretch(1)
    sides.addLayout(column)
    return grid


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
