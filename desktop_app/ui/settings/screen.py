"""The settings screen: the list of sections, the settings, a search, and a switch for experts.

Valid values are saved immediately; required follow-up work is requested by signals. The screen
is built from the option tables and contains no code for a particular option.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine.model import LibraryOverview
from desktop_app.engine.services.preferences import Preferences
from desktop_app.engine.settings import RESTART, Option
from desktop_app.workers.operations import Query

from ..dialogs import STAYS_HERE, list_places
from ..language import tr
from ..theme.theme import Theme
from ..theme.tokens import ROW
from ..widgets import (
    EmptyState,
    FactGrid,
    IconButton,
    Label,
    PrimaryButton,
    SearchField,
    TextDelegate,
    ToolbarRow,
    add_shortcut,
    format_size,
)
from ..widgets.tables import ICON_ROLE
from .rows import LinkRow, Row, SettingRow
from .sections import Entry, Section, build_sections, list_entries
from .window_options import open_settings, paint


class SectionView(QWidget):
    """Emits `changed` with the section's key, the option and all current settings."""

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
        privacy_note = self.told = Label(tr(STAYS_HERE), wrap=True)
        self.facts = FactGrid()
        self.column.addWidget(privacy_note)
        self.column.addSpacing(8)
        self.column.addWidget(self.facts)

    def _tell(self, option: object) -> None:
        self.changed.emit(self.section.key, option, self.section.load())

    def refresh(self) -> None:
        """Show the saved values."""
        kept = self.section.load()
        for name, row in self.rows.items():
            row.show_value(getattr(kept, name))

    def show_library(self, path: str, size: str) -> None:
        """Show the path and the size of the library."""
        if "care" in self.links:
            words = tr("{path}, {size}", path=path, size=size)
            self.links["care"].set_help(words)
        if self.facts is not None:
            self.facts.set_facts(list_places(path))

    def all_rows(self) -> list[Row]:
        return [*self.rows.values(), *self.links.values()]

    def filter(self, wanted: list[str], *, expert: bool) -> int:
        """Show the rows that contain all the words; return their number."""
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


class RestartBanner(QWidget):
    """Hidden until a setting changes that takes effect only after a restart."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        ground = QFrame()
        ground.setObjectName("banner")
        row = QHBoxLayout(ground)
        row.setContentsMargins(12, 6, 6, 6)
        row.addWidget(Label(tr("What you changed holds after a restart."), wrap=True), 1)
        self.button = PrimaryButton(tr("Restart now"))
        self.button.setToolTip(tr("Opens this library again; work goes on where it was"))
        row.addWidget(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 16, 0)
        column.addWidget(ground)
        self.hide()


ROUNDED = "QListView{background:transparent} QListView::item{border-radius:6px}"  # not shown
LIST_WIDTH, LIST_FROM, TEXT_WIDTH = 200, 720, 680


class SettingsScreen(QWidget):
    """Emits `changed` with the section and its settings, `action_wanted` with a window action."""

    changed = Signal(str, object)
    action_wanted = Signal(str)
    restart_wanted = Signal()

    def __init__(
        self, context: Any, preferences: Preferences | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._sections = build_sections(preferences)
        self._views: dict[str, SectionView] = {}
        kept = {section.key: section.load() for section in self._sections}
        self._at_start = {
            (s.key, o.name): getattr(kept[s.key], o.name) for s in self._sections for o in s.options
        }

    @property
    def views(self) -> dict[str, SectionView]:
        """The views of the sections, created on first access to keep the start fast."""
        if not self._views:
            theme = self._context.theme
            self._views = {s.key: SectionView(theme, s) for s in self._sections}
            self._place()
            self._join()
            self.refresh()
            self._filter()
        return self._views

    def _place(self) -> None:
        theme = self._context.theme
        self.head = ToolbarRow(tr("Settings"))
        self.head.add_stretch()
        self.search = SearchField(theme, tr("Search settings"))
        self.expert = QCheckBox(tr("For experts"))
        self.expert.setToolTip(tr("Show the settings that are seldom needed as well"))
        self.expert.setChecked(open_settings().value("expert", False, type=bool))
        self.reset_button = IconButton(theme, "undo", tr("Set everything back to the usual…"))
        for widget in (self.search, self.expert, self.reset_button):
            self.head.add(widget)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Sections"))
        self.list.setItemDelegate(TextDelegate(theme, self.list))
        self.list.setStyleSheet(ROUNDED)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for key, view in self.views.items():
            item = QListWidgetItem(view.section.title)
            item.setData(ICON_ROLE, view.section.icon)
            item.setData(Qt.ItemDataRole.UserRole, key)
            self.list.addItem(item)
        self.nothing = EmptyState(
            theme, "search", tr("No setting has these words"), tr("Try fewer, or other words.")
        )
        self.nothing.hide()
        page = QWidget()
        page.setObjectName("screenBody")
        inside = QVBoxLayout(page)
        inside.setContentsMargins(24, 16, 24, 24)
        inside.setSpacing(16)
        for view in self.views.values():
            inside.addWidget(view)
        inside.addStretch(1)
        self.page = page
        self.scroll = QScrollArea()
        self.scroll.setWidgetResizable(True)
        self.scroll.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll.setObjectName("screenBody")
        self.scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll.setWidget(page)
        body = QHBoxLayout()
        body.setSpacing(0)
        self.left = QWidget()
        column = QVBoxLayout(self.left)
        column.setContentsMargins(8, 16, 0, 0)
        column.addWidget(self.list)
        body.addWidget(self.left)
        body.addWidget(self.scroll, 1)
        body.addWidget(self.nothing, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.head)
        self.banner = RestartBanner()
        self.restart_button = self.banner.button
        whole.addWidget(self.banner)
        whole.addLayout(body, 1)

    def _join(self) -> None:
        self.search.searched.connect(lambda _: self._filter())
        self.search.textChanged.connect(lambda text: text or self._filter())
        self.expert.toggled.connect(self._switch_expert)
        self.reset_button.clicked.connect(self._offer_reset)
        self.restart_button.clicked.connect(self.restart_wanted)
        self.list.itemClicked.connect(self._go_to)
        self.list.itemActivated.connect(self._go_to)
        self.scroll.verticalScrollBar().valueChanged.connect(self._follow)
        for view in self.views.values():
            view.changed.connect(self._changed)
            view.action_wanted.connect(self.action_wanted)
        add_shortcut(self, "Ctrl+F", self.search.setFocus, tr("Search settings"))
        self._context.theme.changed.connect(self.views["window"].refresh)
        self._context.theme.changed.connect(self._fit)
        self._fit()

    # --- what is shown ------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the saved values and the path of the library."""
        for view in self.views.values():
            view.refresh()
        lane, library_reader = self._context.reader_lane, self._context.library_reader
        Query(lane, library_reader.overview, owner=self).on_success(self._show_library).run()

    def entries(self) -> list[Entry]:
        """Return every setting, for the global search."""
        return list_entries(self._sections)

    def show_setting(self, section: str, name: str) -> None:
        """Scroll to a setting and give it the keyboard focus."""
        view = self.views.get(section)
        row = (view.rows | view.links).get(name) if view is not None else None
        if row is None:
            return
        if name in view.rows and view.rows[name].option.expert:
            self.expert.setChecked(True)
        self.search.clear()
        self._filter()
        self.layout().activate()
        self.page.adjustSize()
        self.scroll.ensureWidgetVisible(row, 0, 120)
        target = view.rows[name].editor if name in view.rows else view.links[name].button
        target.setFocus(Qt.FocusReason.TabFocusReason)

    def _show_library(self, overview: LibraryOverview) -> None:
        for view in self.views.values():
            view.show_library(overview.path, format_size(overview.size_bytes))

    def _filter(self) -> None:
        wanted = self.search.text().casefold().split()
        counts = {
            key: view.filter(wanted, expert=self.expert.isChecked())
            for key, view in self.views.items()
        }
        for place, key in enumerate(self.views):
            self.list.item(place).setHidden(not counts[key])
        found = any(counts.values())
        self.scroll.setVisible(found)
        self.nothing.setVisible(not found)
        QTimer.singleShot(0, self, self._follow)

    def _go_to(self, item: QListWidgetItem) -> None:
        view = self.views[item.data(Qt.ItemDataRole.UserRole)]
        bar = self.scroll.verticalScrollBar()
        bar.setValue(min(bar.maximum(), max(0, view.y() - 16)))
        self.list.setCurrentItem(item)

    def _follow(self) -> None:
        """Mark the section at the top; when scrolled to the end, the last one."""
        bar = self.scroll.verticalScrollBar()
        shown = [(i, v) for i, v in enumerate(self.views.values()) if not v.isHidden()]
        above = [i for i, v in shown if v.y() - ROW <= bar.value() + 16]
        if shown and not self.list.hasFocus():
            at_end = bar.maximum() > 0 and bar.value() >= bar.maximum()
            self.list.setCurrentRow(shown[-1][0] if at_end else (above or [shown[0][0]])[-1])

    # --- what is changed ----------------------------------------------------------------------

    def _changed(self, section: str, option: Option, settings: Any) -> None:
        if section == "window":
            paint(self._context.theme, settings)
        if option.applies == RESTART:
            self.banner.setVisible(self.needs_restart)
        self.changed.emit(section, settings)

    @property
    def needs_restart(self) -> bool:
        """Return whether a setting that needs a restart differs from its value at the start."""
        return any(
            row.option.applies == RESTART and row.value != self._at_start[key, name]
            for key, view in self.views.items()
            for name, row in view.rows.items()
        )

    def _switch_expert(self, on: bool) -> None:
        open_settings().setValue("expert", on)
        self._filter()

    def _offer_reset(self) -> None:
        changed = [r for v in self.views.values() for r in v.rows.values() if not r.is_usual]
        messages = self._context.messages
        if not changed:
            messages.show(tr("Everything is as it was at first."))
            return
        before = [(row, row.value) for row in changed]
        for row in changed:
            row.reset()

        def put_back() -> None:
            for row, value in before:
                row.editor.set_value(value)
                row.take(value)

        messages.show(
            tr("All settings are as they were at first."),
            kind="ok",
            action_text=tr("Undo"),
            action=put_back,
        )

    # --- the room there is --------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._views:
            self._fit()

    def _fit(self) -> None:
        breadth = self._context.theme.breadth
        self.left.setVisible(self.width() >= breadth(LIST_FROM))
        self.list.setFixedWidth(breadth(LIST_WIDTH))
        self.search.setFixedWidth(breadth(220))
        self.page.setMaximumWidth(breadth(TEXT_WIDTH))
