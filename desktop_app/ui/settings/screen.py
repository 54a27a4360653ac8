"""The settings screen: the list of sections, the settings, a search and the advanced settings.

Valid values are saved immediately; required follow-up work is requested by signals. The screen
is built from the settings classes and contains no code for a particular option.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from PySide6.QtCore import QRect, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
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

from ..context import SessionContext
from ..dialogs import describe_privacy
from ..translation import tr, trn
from ..widgets import (
    Button,
    EmptyState,
    Label,
    PrimaryButton,
    SearchField,
    TextDelegate,
    ToolbarRow,
    add_shortcut,
    format_size,
)
from ..widgets.buttons import Switch
from ..widgets.layout import STRETCH, build_column, build_row
from ..widgets.option_form import OptionRow
from ..widgets.tables import ICON_ROLE
from ..window_file import open_window_file
from .model_server import ModelServerView
from .sections import Section, SectionView, build_sections
from .server import ServerView
from .window_options import apply_appearance

ROUNDED = "QListView{background:transparent} QListView::item{border-radius:6px}"  # not shown
LIST_WIDTH, LIST_FROM, TEXT_WIDTH = 200, 720, 800
ABOVE_TITLE = 16  # pixels, of a section that was chosen in the list
HEAD_FROM = 600  # pixels; below, the search is narrower, and there is no title


class SettingsEntry(NamedTuple):
    """A setting as an entry of the global search."""

    section: str
    name: str
    label: str
    section_title: str


class RestartBanner(QWidget):
    """Hidden until a setting changes that takes effect only after a restart."""

    def __init__(self) -> None:
        super().__init__()
        ground = QFrame()
        ground.setObjectName("banner")
        self.button = PrimaryButton(tr("Restart now"))
        self.button.setToolTip(tr("Reopens this library; running work continues"))
        build_row(
            (Label(tr("Restart to apply the changes."), wrap=True), 1),
            self.button,
            parent=ground,
            spacing=-1,
            margins=(12, 6, 6, 6),
        )
        build_column(ground, parent=self, spacing=-1, margins=(16, 8, 16, 0))
        self.hide()


class SectionColumn(QVBoxLayout):
    """A column that gives its widgets the height they need, also where its page is too low.

    The scroll area makes its page higher only in a later turn of the event loop. Until then, Qt's
    column takes the missing height from the highest section, whose rows then overlap.
    """

    def setGeometry(self, rect: QRect) -> None:
        needed = self.totalHeightForWidth(rect.width())
        super().setGeometry(QRect(rect.x(), rect.y(), rect.width(), max(rect.height(), needed)))


class SettingsScreen(QWidget):
    """Emits `changed` with the section and its settings, `action_wanted` with a window action."""

    changed = Signal(str, object)
    action_wanted = Signal(str)
    restart_wanted = Signal()

    def __init__(
        self,
        context: SessionContext,
        preferences: Preferences | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._sections = build_sections(context.library_models, preferences)
        self._views: dict[str, SectionView] = {}
        self._is_placed = False
        self._at_start = {
            (section.key, option.name): getattr(values, option.name)
            for section in self._sections
            for values in [section.load()]
            for option in section.options
        }

    @property
    def views(self) -> dict[str, SectionView]:
        """The views of all sections; those that are missing are created now."""
        self._ensure_placed()
        while not self._is_complete:
            self._add_next()
        return self._views

    @property
    def _is_complete(self) -> bool:
        return len(self._views) == len(self._sections)

    def _add_next(self, view: SectionView | None = None) -> None:
        section = self._sections[len(self._views)]
        view = self._views[section.key] = view or self._build_view(section)
        self._column.insertWidget(len(self._views) - 1, view)
        view.changed.connect(self._changed)
        view.action_wanted.connect(self.action_wanted)
        if section.key == "window":
            self._context.theme.changed.connect(view.refresh)
        view.refresh()
        if self._is_complete:
            self._read_library()
        self._filter([view])

    def prepare(self) -> Iterator[None]:
        """Create the sections before the screen is shown, one by one."""
        self._ensure_placed()
        yield
        while not self._is_complete:
            section = self._sections[len(self._views)]
            view = self._build_view(section)
            yield
            if section.key in self._views:  # the screen was shown meanwhile
                view.deleteLater()
            else:
                self._add_next(view)
                yield

    def _build_view(self, section: Section) -> SectionView:
        if section.key == "model_server":
            return ModelServerView(self._context, section, self.page)
        if section.key != "server":
            return SectionView(self._context.theme, section, self.page)
        view = ServerView(self._context.theme, section, self._context.library_server, self.page)
        view.copied.connect(lambda text: self._context.messages.show(text, kind="ok"))
        return view

    def _add_later(self) -> None:
        """Create the sections one by one, each in a turn of the event loop of its own.

        The screen has 300 widgets, which take 150 ms together. This is for a user who is here
        before `prepare` has ended.
        """

        def add() -> None:
            if not self._is_complete:
                self._add_next()
                self._add_later()

        QTimer.singleShot(0, self, add)

    def _ensure_placed(self) -> None:
        if not self._is_placed:
            self._is_placed = True
            self._place()
            self._connect()

    def _place(self) -> None:
        theme = self._context.theme
        self.head = ToolbarRow(tr("Settings"))
        self.head.add_stretch()
        self.search = SearchField(theme, tr("Search settings"))
        self.expert = Switch(theme, tr("Show advanced"))
        self.expert.setToolTip(tr("Also show advanced settings"))
        self.expert.setChecked(bool(open_window_file().value("expert", False, type=bool)))
        self.reset_button = Button(tr("Reset all…"), tooltip=tr("Reset all settings"))
        for widget in (self.search, self.expert):
            self.head.add(widget)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Sections"))
        self.list.setItemDelegate(TextDelegate(theme, self.list))
        self.list.setStyleSheet(ROUNDED)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for section in self._sections:
            item = QListWidgetItem(section.title)
            item.setData(ICON_ROLE, section.icon)
            item.setData(Qt.ItemDataRole.UserRole, section.key)
            self.list.addItem(item)
        self.nothing = EmptyState(
            theme, "search", tr("No setting found"), tr("Try fewer or other words.")
        )
        self.nothing.hide()
        self.page = page = QWidget()
        page.setObjectName("screenBody")
        reset = build_row(self.reset_button, STRETCH)
        self._column = SectionColumn(page)
        self._column.setContentsMargins(24, 16, 24, 24)
        self._column.setSpacing(16)
        self._column.addLayout(reset)
        self._column.addStretch(1)
        self.scroll_area = QScrollArea()
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll_area.setObjectName("screenBody")
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll_area.setWidget(page)
        self.left = QWidget()
        build_column(self.list, parent=self.left, spacing=-1, margins=(8, 16, 0, 0))
        body = build_row(self.left, (self.scroll_area, 1), (self.nothing, 1), spacing=0)
        self.whole = whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.head)
        self.banner = RestartBanner()
        self.restart_button = self.banner.button
        whole.addWidget(self.banner)
        whole.addLayout(body, 1)

    def _connect(self) -> None:
        self.search.searched.connect(lambda _: self._filter())
        self.search.textChanged.connect(self._unfilter)
        self.expert.toggled.connect(self._switch_expert)
        self.reset_button.clicked.connect(self._ask_to_reset)
        self.restart_button.clicked.connect(self.restart_wanted)
        self.list.itemClicked.connect(self._go_to)
        self.list.itemActivated.connect(self._go_to)
        self.scroll_area.verticalScrollBar().valueChanged.connect(self._follow)
        add_shortcut(self, "Ctrl+F", self.search.setFocus, tr("Search settings"))
        self._context.theme.changed.connect(self._fit)
        self._fit()

    def refresh(self) -> None:
        """Show the saved values and the path of the library."""
        for view in self.views.values():
            view.refresh()
        self._read_library()

    def _read_library(self) -> None:
        def show_library(overview: LibraryOverview) -> None:
            words = describe_privacy(self._context.library_models.server)
            for view in self.views.values():
                view.show_server(words)
                view.show_library(overview.path, format_size(overview.size_bytes))

        query = Query(self._context.reader_lane, self._context.library_reader.overview, owner=self)
        query.on_success(show_library).run()

    def entries(self) -> list[SettingsEntry]:
        """Return every setting and link, for the global search."""
        return [
            SettingsEntry(section.key, name, tr(label), section.title)
            for section in self._sections
            for name, label in (
                *((option.name, option.label) for option in section.options),
                *((link.action, link.title) for link in section.links),
            )
        ]

    def show_setting(self, section: str, name: str) -> None:
        """Scroll to a setting and give it the keyboard focus."""
        view = self.views.get(section)
        if view is None or name not in (view.rows | view.links):
            return
        row = view.rows.get(name)
        target: QWidget = view.links[name].button if row is None else row.editor
        if row is not None and row.option.expert:
            self.expert.setChecked(True)
        self.search.clear()
        self._filter()
        self.whole.activate()
        self.page.adjustSize()
        self.scroll_area.ensureWidgetVisible(row or view.links[name], 0, 120)
        target.setFocus(Qt.FocusReason.TabFocusReason)

    def show_section(self, key: str) -> None:
        """Scroll to a section."""
        self.search.clear()
        self._filter()
        item = self.list.item(list(self.views).index(key))
        # Once the sections have their places.
        QTimer.singleShot(0, self, lambda: QTimer.singleShot(0, self, lambda: self._go_to(item)))

    def _filter(self, views: Iterable[SectionView] | None = None) -> None:
        """Show what matches the search, in these sections or in all."""
        words = self.search.text().casefold().split()
        expert = self.expert.isChecked()
        places = {key: place for place, key in enumerate(self._views)}
        for view in self._views.values() if views is None else views:
            shown = view.filter(words, expert=expert)
            self.list.item(places[view.section.key]).setHidden(not shown)
        found = (not self.list.item(place).isHidden() for place in places.values())
        nothing = self._is_complete and not any(found)
        self.scroll_area.setVisible(not nothing)
        self.nothing.setVisible(nothing)
        QTimer.singleShot(0, self, self._follow_layout)

    def _unfilter(self, text: str) -> None:
        if not text:
            self._filter()

    def _go_to(self, item: QListWidgetItem) -> None:
        view = self.views[item.data(Qt.ItemDataRole.UserRole)]
        bar = self.scroll_area.verticalScrollBar()
        bar.setValue(min(bar.maximum(), max(0, view.y() - ABOVE_TITLE)))
        self.list.setCurrentItem(item)  # also where a short one is not at the top

    def _follow(self) -> None:
        """Mark the last section that begins in the upper third; at the end, the last one.

        What is below the third fills the screen: its title is what the user reads.
        """
        if not self.isVisible():
            return  # the sections have no places yet
        bar = self.scroll_area.verticalScrollBar()
        shown = [(i, v) for i, v in enumerate(self._views.values()) if not v.isHidden()]
        third = bar.value() + self.scroll_area.viewport().height() // 3
        above = [i for i, v in shown if v.y() <= third]
        if shown:
            at_end = bar.maximum() > 0 and bar.value() >= bar.maximum()
            at_start = bar.value() == 0
            first, last = shown[0][0], shown[-1][0]
            self.list.setCurrentRow(
                first if at_start else last if at_end else (above or [first])[-1]
            )

    def _follow_layout(self) -> None:
        """Mark the section that is read, unless the user chooses one in the list."""
        if not self.list.hasFocus():
            self._follow()

    def _changed(self, section: str, option: Option, settings: Any) -> None:
        if section == "window":
            apply_appearance(self._context.theme, settings)
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
        open_window_file().setValue("expert", on)
        self._filter()

    def _list_changed(self) -> list[tuple[OptionRow, Any]]:
        """Return the rows that differ from their defaults, with their values."""
        rows = (row for view in self.views.values() for row in view.rows.values())
        return [(row, row.value) for row in rows if not row.is_default]

    def _ask_to_reset(self) -> None:
        messages, n_changed = self._context.messages, len(self._list_changed())
        if not n_changed:
            messages.show(tr("All settings already have their default values."))
            return
        messages.show(
            trn(
                "Reset {n} changed setting to its default?",
                "Reset {n} changed settings to their defaults?",
                n_changed,
            ),
            kind="warn",
            action_text=tr("Reset"),
            action=self._reset_all,
        )

    def _reset_all(self) -> None:
        messages, changed = self._context.messages, self._list_changed()
        for row, _ in changed:
            row.reset()

        def undo() -> None:
            for row, value in changed:
                row.enter(value)

        messages.show(
            tr("All settings were reset."), kind="ok", action_text=tr("Undo"), action=undo
        )

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_complete:
            self.refresh()
            QTimer.singleShot(0, self, self._follow_layout)
        else:
            self._ensure_placed()
            self._add_later()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._is_placed:
            self._fit()

    def _fit(self) -> None:
        breadth = self._context.theme.breadth
        self.left.setVisible(self.width() >= breadth(LIST_FROM))
        self.list.setFixedWidth(breadth(LIST_WIDTH))
        has_room = self.width() >= breadth(HEAD_FROM)
        self.head.title.setVisible(has_room)  # the tab has it, too
        self.search.setFixedWidth(breadth(220 if has_room else 140))
        self.page.setMaximumWidth(breadth(TEXT_WIDTH))
