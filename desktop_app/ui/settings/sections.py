"""The sections of the settings screen: their options and links, and the store that saves each.

Sections of the engine and of the window are read and changed by the same two calls.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop_app.engine.services.library_models import LibraryModels
from desktop_app.engine.services.model_servers import ModelServer
from desktop_app.engine.services.preferences import SECTIONS, Preferences
from desktop_app.engine.settings import Option, options_of

from ..dialogs import STAYS_HERE, list_program_files
from ..theme.theme import Theme
from ..translation import later, tr
from ..widgets import Button, FactGrid, Label
from ..widgets.layout import STRETCH, build_column, build_row
from ..widgets.option_form import EDITOR_WIDTH, FormRow, OptionForm, OptionRow
from .window_options import WindowSettings, WindowStore


@dataclass(frozen=True, slots=True)
class SettingsLink:
    """A link to another screen: `action` is a window action."""

    title: str
    help: str
    button: str
    action: str


@dataclass(frozen=True, slots=True)
class Section:
    """A title with its options and links; `change` saves one value that is already validated."""

    key: str
    title: str
    icon: str
    links: tuple[SettingsLink, ...] = ()
    options: tuple[Option, ...] = ()
    load: Callable[[], Any] = lambda: None
    change: Callable[[str, Any], Any] = lambda name, value: None


LINKS = {
    "window": (
        SettingsLink(
            later("Keyboard shortcuts"),
            later("All shortcuts in one list, which you can search."),
            later("Show shortcuts…"),
            "shortcuts",
        ),
    ),
    "models": (
        SettingsLink(
            later("Installed models"),
            later("The Models screen installs, chooses and tests models."),
            later("Open Models"),
            "models",
        ),
        SettingsLink(
            later("Answer options"),
            later("Length, search mode and model are chosen below the question in a chat."),
            later("Go to chat"),
            "chat",
        ),
    ),
    "reading": (
        SettingsLink(
            later("Watched folders"),
            later("New and changed files in these folders are added automatically."),
            later("Choose folders…"),
            "watch",
        ),
    ),
    "care": (
        SettingsLink(later("This library"), "", later("Library maintenance…"), "maintenance"),
        SettingsLink(
            later("Enrichment of this library"),
            later("How a model adds descriptions and kinds of connections. Kept in the library."),
            later("Enrichment settings…"),
            "enrich_settings",
        ),
        SettingsLink(
            later("Another library"),
            later("Each is one file with its documents, names, chats and corrections."),
            later("Open library…"),
            "open_library",
        ),
        SettingsLink(
            later("New library"),
            later("Use a separate library for each subject."),
            later("New library…"),
            "new_library",
        ),
    ),
    "backups": (
        SettingsLink(
            later("Backups of this library"),
            later("Backups are made while the library is open, at most 30 minutes after a change."),
            later("Back up now"),
            "back_up",
        ),
        SettingsLink(
            later("Restore"),
            later("The current library is kept as a file."),
            later("Restore a backup…"),
            "restore",
        ),
    ),
    "server": (),
}


def build_sections(
    models: LibraryModels, preferences: Preferences | None = None
) -> tuple[Section, ...]:
    """Return all sections in order.

    Args:
        models: of the library, for its model server.
    """
    stored, window = preferences or Preferences(), WindowStore()

    def of_engine(key: str, title: str, icon: str) -> Section:
        load, change = partial(stored.load, key), partial(stored.change, key)
        return Section(key, title, icon, LINKS[key], options_of(SECTIONS[key]), load, change)

    appearance = options_of(WindowSettings)
    title = tr("Appearance and language")
    return (
        Section("window", title, "sun", LINKS["window"], appearance, window.load, window.change),
        of_engine("models", tr("Models"), "models"),
        Section(
            *("model_server", tr("Models on a server"), "server", ()),
            *(options_of(ModelServer), lambda: models.server, models.change_option),
        ),
        of_engine("reading", tr("Documents"), "document"),
        of_engine("care", tr("Libraries"), "library"),
        of_engine("backups", tr("Backups"), "clock-counter-clockwise"),
        of_engine("server", tr("Other programs"), "terminal-window"),
        Section("privacy", tr("Privacy"), "offline"),
    )


class LinkRow(FormRow):
    """A link to a screen with more settings, with a button that opens it."""

    def __init__(self, theme: Theme, link: SettingsLink, act: Callable[[], Any]) -> None:
        title, button = tr(link.title), tr(link.button)
        super().__init__(theme, title, tr(link.help) if link.help else "")
        self.button = Button(button)
        self.button.setAccessibleName(f"{title}: {button}")
        self.button.clicked.connect(act)
        self._gap = QWidget()  # where other controls have a reset button
        self._place = QWidget()  # as wide as other controls
        build_row(self.button, STRETCH, parent=self._place, spacing=0)
        self.place_beside(self._place, self._gap)
        theme.changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        """Begin the button where other controls begin."""
        width = self._theme.breadth(EDITOR_WIDTH)
        self._place.setFixedWidth(max(self.button.sizeHint().width(), width))
        self._gap.setFixedWidth(self._theme.length(28))


class SectionView(QWidget):
    """Emits `changed` with the section's key, the option and all current settings."""

    changed = Signal(str, object, object)
    action_wanted = Signal(str)

    def __init__(self, theme: Theme, section: Section, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.section = section
        form = OptionForm(theme, section.options, section.change)
        form.changed.connect(self._emit_changed)
        self.rows = form.rows
        self.form = form
        self.links = {
            link.action: LinkRow(theme, link, partial(self.action_wanted.emit, link.action))
            for link in section.links
        }
        self.column = column = build_column(
            Label(section.title, "title"),
            form,
            *self.links.values(),
            parent=self,
            spacing=4,
            margins=(0, 0, 0, 16),
        )
        self.facts: FactGrid | None = None
        self._library = ""  # the path that the facts are about
        if section.key == "privacy":
            self.facts = FactGrid()
            self.privacy = Label(tr(STAYS_HERE), wrap=True)
            column.addWidget(self.privacy)
            column.addSpacing(8)
            column.addWidget(self.facts)

    def _emit_changed(self, name: str) -> None:
        self.changed.emit(self.section.key, self.rows[name].option, self.section.load())

    def refresh(self) -> None:
        """Show the saved values."""
        self.form.set_values(self.section.load())

    def show_server(self, words: str) -> None:
        """Show in the section on privacy what leaves this computer."""
        if self.facts is not None:
            self.privacy.setText(words)

    def show_library(self, path: str, size: str) -> None:
        """Show the path and the size of the library."""
        if "maintenance" in self.links:
            self.links["maintenance"].set_help(
                tr("{path}, {size}. Copy, check, compact.", path=path, size=size)
            )
        if self.facts is not None and path != self._library:
            self._library = path
            self.facts.set_facts(list_program_files(path))

    def filter(self, words: list[str], *, expert: bool) -> bool:
        """Show the rows that contain all the words; return whether there are any."""
        title = self.section.title.casefold()
        whole = bool(words) and all(word in title for word in words)
        found = False
        for row in (*self.rows.values(), *self.links.values()):
            is_expert = isinstance(row, OptionRow) and row.option.expert
            shown = (expert or bool(words) or not is_expert) and (whole or row.contains(words))
            row.setVisible(shown)
            found = found or shown
        if self.facts is not None:
            found = whole or all(word in self.privacy.text().casefold() for word in words)
        self.setVisible(found)
        return found
