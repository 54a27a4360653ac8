"""The dialog for F1: all shortcuts of all screens, with a search.

Shows a given list of commands and knows no screen.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from ..theme.theme import Theme
from ..translation import tr
from ..widgets import Label, PrimaryButton, SearchField, SectionTitle, build_column, build_row
from ..widgets.sheet import Sheet, scrolling
from .actions import WindowCommand


class ShortcutsDialog(Sheet):
    """Groups in two columns, the group `first` at the top; the search hides other lines."""

    def __init__(
        self,
        theme: Theme,
        commands: Sequence[WindowCommand],
        parent: QWidget | None = None,
        *,
        first: str = "",
    ) -> None:
        super().__init__(tr("Keyboard shortcuts"), parent)
        self.search = SearchField(theme, tr("Search shortcuts"), delay_ms=60)
        self.add(self.search)
        self._lines: list[tuple[str, list[QWidget]]] = []
        self._groups: list[tuple[QWidget, list[int]]] = []
        body = QWidget()
        columns = [build_column(spacing=16), build_column(spacing=16)]
        build_row((columns[0], 1), (columns[1], 1), parent=body, spacing=40)
        self._fill(columns, sorted(commands, key=lambda c: c.group != first))
        for column in columns:
            column.addStretch(1)
        self.nothing = Label(tr("No shortcut found. Try Ctrl+K."), "muted")
        self.nothing.hide()
        self.add(self.nothing)
        self.column.addWidget(scrolling(body), 1)
        self.close_button = PrimaryButton(tr("Close"))
        self.close_button.clicked.connect(self.accept)
        self.add(Label(tr("Ctrl+K finds the rest."), "small"))
        self.add_foot([self.close_button], line=True)
        self.close_button.setDefault(False)  # Return is used in the search
        self.fit(theme.breadth(920), theme.length(720))
        self.search.searched.connect(self.filter)
        self.search.textChanged.connect(lambda text: None if text else self.filter(""))
        self.search.setFocus()

    def shown(self) -> list[str]:
        """Return the visible lines."""
        return [words for words, parts in self._lines if not parts[0].isHidden()]

    def filter(self, text: str) -> None:
        """Show only lines that contain all words, in the text or the keys."""
        wanted = text.casefold().split()
        shown = []
        for words, parts in self._lines:
            fits = all(w in words.casefold() for w in wanted)
            shown.append(fits)
            for part in parts:
                part.setVisible(fits)
        for title, places in self._groups:
            title.setVisible(any(shown[i] for i in places))
        self.nothing.setVisible(not any(shown))

    def _fill(self, columns: list[QVBoxLayout], commands: Sequence[WindowCommand]) -> None:
        groups: dict[str, list[WindowCommand]] = {}
        for command in commands:
            if command.keys:
                groups.setdefault(command.group, []).append(command)
        heights = [0, 0]
        for title, lines in groups.items():
            side = heights.index(min(heights))
            heights[side] += len(lines) + 2
            columns[side].addWidget(self._build_group(title, lines))

    def _build_group(self, title: str, lines: list[WindowCommand]) -> QWidget:
        group = QWidget()
        grid = QGridLayout(group)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 1)
        grid.addWidget(SectionTitle(title), 0, 0, 1, 2)
        places = []
        for row, command in enumerate(lines, 1):
            text, keys = Label(command.text, wrap=True), Label(command.keys, "muted")
            grid.addWidget(text, row, 0)
            grid.addWidget(keys, row, 1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
            places.append(len(self._lines))
            self._lines.append((f"{command.text} {command.keys} {title}", [text, keys]))
        self._groups.append((group, places))
        return group
