"""One section of the settings screen: its heading and its rows; hides what is not asked for.

Owns which rows are shown for a search and for experts. Decides nothing about values.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_app.ui.language import tr
from desktop_app.ui.privacy import STAYS_HERE, list_places
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import FactGrid, Label

from .rows import LinkRow, Row, SettingRow
from .sections import Section


class SectionView(QWidget):
    """`changed` with the section's key, the option and the settings as they are now."""

    changed = Signal(str, object, object)
    action_wanted = Signal(str)

    def __init__(self, theme: Theme, section: Section, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.section = section
        self.rows: dict[str, SettingRow] = {}
        self.links: dict[str, LinkRow] = {}
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 16)
        self.column.setSpacing(4)
        self.column.addWidget(Label(section.title, "title"))
        for option in section.options:
            row = self.rows[option.name] = SettingRow(theme, option, section.change)
            row.changed.connect(lambda _, option=option: self._tell(option))
            self.column.addWidget(row)
        for link in section.links:
            help = tr(link.help) if link.help else ""
            row = LinkRow(
                theme,
                tr(link.title),
                help,
                tr(link.button),
                lambda _=False, name=link.action: self.action_wanted.emit(name),
            )
            self.links[link.action] = row
            self.column.addWidget(row)
        self.facts: FactGrid | None = None
        if section.key == "privacy":
            self._add_privacy()

    def _add_privacy(self) -> None:
        told = self.told = Label(tr(STAYS_HERE), wrap=True)
        self.facts = FactGrid()
        self.column.addWidget(told)
        self.column.addSpacing(8)
        self.column.addWidget(self.facts)

    def _tell(self, option: object) -> None:
        self.changed.emit(self.section.key, option, self.section.load())

    def refresh(self) -> None:
        """Show what is kept."""
        kept = self.section.load()
        for name, row in self.rows.items():
            row.show_value(getattr(kept, name))

    def show_library(self, path: str, size: str) -> None:
        """Say where the library lies and how large it is."""
        if "care" in self.links:
            words = tr("{path}, {size}", path=path, size=size)
            self.links["care"].set_help(words)
        if self.facts is not None:
            self.facts.set_facts(list_places(path))

    def all_rows(self) -> list[Row]:
        return [*self.rows.values(), *self.links.values()]

    def filter(self, wanted: list[str], *, expert: bool) -> int:
        """Show the rows that have all the words; return how many that are."""
        title = self.section.title.casefold()
        whole = bool(wanted) and all(w in title for w in wanted)
        n_shown = 0
        for row in self.all_rows():
            hidden = isinstance(row, SettingRow) and row.option.expert and not expert and not wanted
            shown = not hidden and (whole or row.has_words(wanted))
            row.setVisible(shown)
            n_shown += shown
        if self.facts is not None:
            n_shown += whole or all(w in tr(STAYS_HERE).casefold() for w in wanted)
        self.setVisible(n_shown > 0)
        return n_shown
