"""The sidebar: library, screens, chats or the part of a screen, and the progress of running work.

Shows what it is given and emits signals for clicks. Narrow, it is a column of icons.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QIcon, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QMenu,
    QStackedWidget,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QWidget,
)

from desktop_app.engine.model import ChatRow, LibraryOverview
from desktop_app.engine.progress import Progress
from desktop_app.engine.services.library_models import ModelServerState
from desktop_app.engine.store.encryption import is_encrypted

from ..context import SessionContext
from ..theme.theme import Theme
from ..translation import later, tr, trn
from ..widgets import (
    STRETCH,
    Button,
    ElidedLabel,
    IconButton,
    Label,
    ProgressLine,
    SectionTitle,
    build_column,
    build_row,
    format_left,
    format_number,
    format_size,
)
from ..widgets.buttons import ICON_GAP
from ..widgets.words import plain_tip
from .chat_list import ChatList

# For each kind of work: to pause it, to resume it, and to end it, "" where it can only be paused.
BUTTONS = {
    "": (later("Pause"), later("Resume"), ""),
    "enriching": (later("Pause enriching"), later("Resume enriching"), later("Stop enriching")),
    "writing": (later("Pause writing"), later("Resume writing"), later("Stop writing")),
    "reading": (
        later("Pause reading pages"),
        later("Resume reading pages"),
        later("Don't read the other pages"),
    ),
    "describing": (
        later("Pause describing pictures"),
        later("Resume describing pictures"),
        later("Don't describe the other pictures"),
    ),
    "importing": (later("Pause importing"), later("Resume importing"), later("Stop importing")),
}


class WorkStatus(QWidget):
    """Progress of one kind of work with its buttons; hidden while nothing runs."""

    pause_wanted = Signal()
    resume_wanted = Signal()
    cancel_wanted = Signal()
    changed = Signal()

    def __init__(self, theme: Theme, name: str = "", parent: QWidget | None = None) -> None:
        """Create the widget; `name` sets the accessible names of the buttons ("enriching", …)."""
        super().__init__(parent)
        self.title = ElidedLabel()
        self.detail = ElidedLabel("", "small")
        self.pace = ElidedLabel("", "small")
        self.line = ProgressLine()
        pause, resume, stop = (tr(words) if words else "" for words in BUTTONS[name])
        self.pause_button = IconButton(theme, "pause", pause)
        self.resume_button = IconButton(theme, "play", resume)
        self.cancel_button = IconButton(theme, "stop", stop) if stop else None
        buttons = [self.pause_button, self.resume_button]
        if self.cancel_button is not None:
            buttons.append(self.cancel_button)
            self.cancel_button.clicked.connect(self.cancel_wanted)
        policy = self.line.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # the buttons stay at the right
        self.line.setSizePolicy(policy)
        row = build_row((self.line, 1), *buttons, spacing=4)
        build_column(
            *(self.title, self.detail, self.pace, row),
            parent=self,
            spacing=0,
            margins=(16, 8, 8, 8),
        )
        self.pause_button.clicked.connect(self.pause_wanted)
        self.resume_button.clicked.connect(self.resume_wanted)
        self.hide()

    def show_work(
        self,
        progress: Progress | None,
        title: str,
        *,
        detail: str = "",
        pace: str = "",
        paused: bool = False,
    ) -> None:
        """Show progress; without progress, a title means "paused" and "" hides the widget.

        Args:
            detail: replaces the share and the remaining time.
            pace: a line below, such as the speed.
            paused: show the last progress with the resume button.
        """
        if progress is None and not title:
            self.hide()
            self.changed.emit()
            return
        running = progress is not None and not paused
        self.title.setText(title)
        self.detail.setText(detail or (describe(progress) if progress else tr("Nothing is lost.")))
        self.pace.setText(pace)
        self.pace.setVisible(bool(pace))
        self.line.setVisible(progress is not None)
        if progress is not None:
            known = progress.total > 0
            self.line.set_share(progress.done / progress.total if known else None)
        self.pause_button.setVisible(running)
        if self.cancel_button is not None:
            self.cancel_button.setVisible(running)
        self.resume_button.setVisible(not running)
        self.show()
        self.changed.emit()


def describe(progress: Progress) -> str:
    """Return for example "64% · 2 min left", as far as it is known."""
    parts = []
    if progress.total > 0:
        parts.append(f"{min(100, int(100 * progress.done / progress.total))}%")
    elif progress.done > 0:
        parts.append(trn("{n} done", "{n} done", progress.done))
    if left := format_left(progress.left_s):
        parts.append(left)
    return " · ".join(parts) or tr("starting")


WIDTH = 220
# pixels: lower sidebars have lower rows, at last no higher than their texts, so that none overlap
LOW, LOWEST = 560, 460
AROUND_ICON = 35  # pixels of a column of icons that are no icon: margins, paddings, edges
ROWS = (
    ("library", later("Library"), "library"),
    ("graph", later("Graph"), "graph"),
    ("entity", later("Names"), "names"),
    ("merge", later("Merge desk"), "merge"),
    ("communities", later("Communities"), "communities"),
    ("chat", later("Chat"), "chat"),
    ("highlights", later("Highlights"), "highlights"),
    ("models", later("Models"), "models"),
    ("evaluation", later("Evaluation"), "evaluation"),
)


class NavButton(Button):
    """One row of the sidebar: icon, text, and a count at the right."""

    def __init__(self, theme: Theme, text: str, icon: str, *, checkable: bool = True) -> None:
        super().__init__(text, kind="nav", elide=True)
        self._theme = theme
        self._is_icon = False
        self.setIcon(theme.icon(icon, fills=QIcon.State.On))
        theme.changed.connect(self._fit)
        self._fit()
        self.setCheckable(checkable)
        self.toggled.connect(self._restyle_count)
        self.setAutoExclusive(checkable)
        self.count = Label("", "small", self)
        self.count.setFont(theme.font("number"))
        build_row(STRETCH, self.count, parent=self, spacing=-1, margins=(8, 0, 8, 0))

    def _fit(self) -> None:
        side = self._theme.length(16)
        self.setIconSize(QSize(side, side))

    def _restyle_count(self, checked: bool) -> None:
        self.count.setProperty("role", "chosen" if checked else "small")
        self.count.style().polish(self.count)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_count()

    def set_icon_only(self, icon_only: bool) -> None:
        """Show the icon alone, at the place where it is beside words; the tooltip has the words."""
        self._is_icon = icon_only
        self._fit_count()
        self.update()

    @property
    def is_icon_alone(self) -> bool:
        return self._is_icon

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._is_icon:
            super().paintEvent(event)
            return
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text, option.iconSize = "", self.iconSize()
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        painter.end()

    def _fit_count(self) -> None:
        # A shortcut without room is hidden; the list of shortcuts (F1) still has it.
        icon = self._theme.length(16 + ICON_GAP)
        words = self.fontMetrics().horizontalAdvance(self.text()) + icon + 28
        fits = words + self.count.sizeHint().width() < self.width()
        self.count.setVisible(fits and not self._is_icon)

    def set_mark(self, icon: str) -> None:
        """Show a small icon in place of the count."""

        def draw() -> None:
            self.count.setPixmap(self._theme.icon(icon).pixmap(12, 12))

        self._theme.changed.connect(draw)
        draw()

    def set_count(self, count: int, words: str) -> None:
        """Show a number; `words` say what is counted, for the tooltip and screen readers."""
        self._show_count(format_number(count) if count else "", words if count else "")

    def set_pending(self) -> None:
        """Show dots in place of a number while it is counted; the tooltip says so."""
        self._show_count("…", tr(PENDING))

    def _show_count(self, text: str, words: str) -> None:
        self.count.setText(text)
        self.setToolTip(words)
        self.setAccessibleDescription(words)


# Of a number that is not known, or known to be another by now.
PENDING = later("Counted when no document is being read")


def describe_count(name: str, n: int) -> str:
    """Return what the number beside a row of the sidebar counts."""
    match name:
        case "library":
            return trn("{n} document", "{n} documents", n)
        case "entity":
            return trn("{n} name", "{n} names", n)
        case "merge":
            return trn("{n} suggestion to merge names", "{n} suggestions to merge names", n)
        case "communities":
            return trn("{n} community", "{n} communities", n)
        case "chat":
            return trn("{n} chat", "{n} chats", n)
    return trn("{n} highlight, bookmark or note", "{n} highlights, bookmarks and notes", n)


class _ScrolledParts(QStackedWidget):
    """The lists below the rows, which are scrolled: they never need their whole height."""

    def hasHeightForWidth(self) -> bool:
        return False  # else the height that they would like is their least one


class Sidebar(QFrame):
    """220 px at the left of the window, wider with larger text, or a column of icons.

    The icons have the same places in both forms. Chats, the part of a screen and the progress of
    work are in the wide form only; in the narrow one an icon says that work is running.
    """

    screen_wanted = Signal(str)
    library_wanted = Signal(str)

    def __init__(
        self, context: SessionContext, actions: dict[str, QAction], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("sidebar")
        theme: Theme = context.theme
        self._theme = theme
        theme.changed.connect(self._fit)
        self._actions = actions
        self._recent: list[str] = []
        self._current_path = ""
        self.is_narrow = False
        self.library_button = NavButton(theme, tr("Library"), "notebook", checkable=False)
        self.library_button.setFont(theme.font("strong"))
        self.library_button.setAccessibleName(tr("Switch library"))
        self.library_button.set_mark("caret-down")
        self.library_button.clicked.connect(lambda: self.show_libraries(self.library_button))
        self.search_button = NavButton(theme, tr("Search everything"), "search", checkable=False)
        self.search_button.count.setText("Ctrl+K")
        self.search_button.clicked.connect(actions["palette"].trigger)
        self.rows = {name: NavButton(theme, tr(text), icon) for name, text, icon in ROWS}
        for name, button in self.rows.items():
            button.clicked.connect(lambda _=False, name=name: self.screen_wanted.emit(name))
        self.chats_title = SectionTitle(tr("Chats"))
        self.new_chat_button = IconButton(theme, "add", tr("New chat"), shortcut="Ctrl+N")
        self.new_chat_button.clicked.connect(actions["new_chat"].trigger)
        self.chats = ChatList(context)
        self.work = WorkStatus(theme)
        self.enrich_work = WorkStatus(theme, "enriching")
        self.report_work = WorkStatus(theme, "writing")
        self.import_work = WorkStatus(theme, "importing")
        self.scan_work = WorkStatus(theme, "reading")
        self.description_work = WorkStatus(theme, "describing")
        self.settings_button = IconButton(theme, "settings", tr("Settings"), shortcut="Ctrl+,")
        self.settings_button.setCheckable(True)
        self.settings_button.clicked.connect(actions["settings"].trigger)
        self.offline_button = NavButton(theme, tr("Offline"), "offline", checkable=False)
        self.offline_button.setToolTip(tr("Nothing leaves this computer. Show details."))
        self.offline_button.clicked.connect(actions["privacy"].trigger)
        self.fold_button = IconButton(theme, "caret-double-left", "")
        self.fold_button.clicked.connect(actions["sidebar"].trigger)
        top = build_column(
            *(self.library_button, self.search_button, 8),
            *self.rows.values(),
            spacing=2,
            margins=(8, 8, 8, 8),
        )
        head = build_row(
            (self.chats_title, 1), self.new_chat_button, spacing=-1, margins=(16, 8, 8, 0)
        )
        listed = build_column(self.chats, spacing=-1, margins=(8, 0, 8, 0))
        self.chats_part = QWidget()
        build_column(head, (listed, 1), parent=self.chats_part, spacing=0)
        self.pages = _ScrolledParts()
        self.pages.addWidget(self.chats_part)
        self._parts: dict[str, QWidget] = {}
        self.works = (
            *(self.work, self.scan_work, self.description_work, self.enrich_work),
            *(self.report_work, self.import_work),
        )
        self.wide_part = QWidget()
        build_column((self.pages, 1), *self.works, parent=self.wide_part, spacing=0)
        self._gap = QWidget()  # in the column of icons
        self.work_button = IconButton(theme, "clock", tr("Work is running"), color="accent")
        self.work_button.clicked.connect(actions["sidebar"].trigger)
        for work in self.works:
            work.changed.connect(self._show_work)
        self._foot = build_row(
            *(self.settings_button, self.offline_button, STRETCH, self.fold_button),
            spacing=0,
            margins=(8, 4, 8, 8),
        )
        self._column = build_column(
            *(top, (self.wide_part, 1), (self._gap, 1), self.work_button, self._foot),
            parent=self,
            spacing=0,
            margins=(0, 0, 1, 0),
        )
        self._column.setAlignment(self.work_button, Qt.AlignmentFlag.AlignHCenter)
        self.set_narrow(False)

    @property
    def nav_buttons(self) -> list[NavButton]:
        rows = self.rows.values()
        return [self.library_button, self.search_button, *rows, self.offline_button]

    @property
    def widths(self) -> tuple[int, int]:
        """The width as a column of icons and with words, in pixels."""
        return self._theme.length(16) + AROUND_ICON, self._theme.breadth(WIDTH)

    def set_narrow(self, narrow: bool) -> None:
        """Show icons only, or icons with words and the lists below them."""
        self.is_narrow = narrow
        for button in self.nav_buttons:
            button.set_icon_only(narrow)
        self.wide_part.setVisible(not narrow)
        self._gap.setVisible(narrow)
        directions = QBoxLayout.Direction
        self._foot.setDirection(directions.TopToBottom if narrow else directions.LeftToRight)
        self._foot.setSpacing(2 if narrow else 0)
        self.fold_button.set_icon("caret-double-right" if narrow else "caret-double-left")
        words = tr("Show the words of the sidebar") if narrow else tr("Show only icons here")
        self.fold_button.set_tooltip(words, "Ctrl+\\")
        align = Qt.AlignmentFlag.AlignHCenter if narrow else Qt.AlignmentFlag(0)
        for icon_button in (self.settings_button, self.fold_button):
            self._foot.setAlignment(icon_button, align)
        self._show_work()
        self._fit()

    def _show_work(self) -> None:
        """Show in the column of icons that work is running, and which."""
        running = [work.title.full_text() for work in self.works if not work.isHidden()]
        self.work_button.setVisible(self.is_narrow and bool(running))
        self.work_button.set_tooltip("\n".join(running) or tr("Work is running"))

    def _fit(self) -> None:
        narrow, wide = self.widths
        self.setFixedWidth(narrow if self.is_narrow else wide)
        self._fit_rows()

    def _fit_rows(self) -> None:
        """Leave the lists below the rows some height in a low window, as with large text."""
        height, length = self.height(), self._theme.length
        low = "most" if height < length(LOWEST) else "true" if height < length(LOW) else ""
        for button in self.nav_buttons if height else ():
            if button.property("low") != low:
                button.setProperty("low", low)
                button.style().unpolish(button)
                button.style().polish(button)
                button.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_rows()

    def add_part(self, name: str, part: QWidget) -> None:
        """Show a part in place of the chats while this screen is in front."""
        self._parts[name] = part
        self.pages.addWidget(part)

    def set_current(self, name: str) -> None:
        """Mark a screen and show its part; "" marks none, while a document is in front."""
        if name:
            self.pages.setCurrentWidget(self._parts.get(name, self.chats_part))
        for row in self.rows.values():  # The settings have no row, so none is checked then.
            row.setAutoExclusive(False)
            row.setChecked(row is self.rows.get(name))
            row.setAutoExclusive(True)
        self.settings_button.setChecked(name == "settings")
        if name not in ("chat", ""):
            self.chats.clear_selection()

    def set_count(self, name: str, n: int) -> None:
        """Show the number beside a row."""
        self.rows[name].set_count(n, describe_count(name, n))

    def set_pending(self, name: str) -> None:
        """Show beside a row that its number is being counted."""
        self.rows[name].set_pending()

    def set_server(self, state: ModelServerState) -> None:
        """Show the name of the server whose models are used, or that nothing leaves this computer.

        The name stays while the server is gone: it is used again as soon as it is back.
        """
        if not state.site:
            words, tip = tr("Offline"), tr("Nothing leaves this computer. Show details.")
        elif state.is_away:
            words = tr("{site} (away)", site=state.site)
            tip = tr(
                "{site} can't be reached. Models on this computer are used until it is back.",
                site=state.site,
            )
        else:
            words = state.site
            tip = tr(
                "Questions and passages of this library are sent to {site}. Show details.",
                site=state.site,
            )
        self.offline_button.setText(words.replace("&", "&&"))
        self.offline_button.setIcon(
            self._theme.icon("server" if state.site else "offline", fills=QIcon.State.On)
        )
        self.offline_button.setToolTip(plain_tip(tip))
        self.offline_button.setAccessibleName(words)

    def set_overview(self, overview: LibraryOverview) -> None:
        self._current_path = overview.path
        self.library_button.setText(overview.name.replace("&", "&&"))
        self.library_button.setToolTip(f"{overview.path}\n{format_size(overview.size_bytes)}")
        self.set_count("library", overview.n_documents)
        self.set_count("entity", overview.n_entities)
        self.set_count("chat", overview.n_chats)
        self.set_count("highlights", overview.n_annotations)

    def set_chats(self, rows: list[ChatRow]) -> None:
        self.chats.set_chats(rows)
        self.set_count("chat", len(rows))
        self.chats_title.setVisible(bool(rows))
        self.new_chat_button.setVisible(bool(rows))

    def set_recent(self, paths: list[str]) -> None:
        self._recent = list(paths)

    def build_library_menu(self) -> QMenu:
        """Return the menu of recent libraries, with actions for others and for the open one."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setToolTipsVisible(True)
        stems = [Path(path).stem for path in self._recent]
        for path, stem in zip(self._recent, stems, strict=True):
            # libraries with the same name are distinguished by their folder
            name = stem if stems.count(stem) == 1 else f"{stem} – {Path(path).parent.name}"
            file = Path(path)
            size = format_size(file.stat().st_size) if file.exists() else ""
            shown = menu.addAction("\t".join((name.replace("&", "&&"), size)).strip())
            shown.setToolTip(path)
            if is_encrypted(file):
                shown.setIcon(self._theme.icon("ph.lock", fills=QIcon.Mode.Active))
                shown.setToolTip(f"{path}\n{tr('Encrypted')}")
            shown.setCheckable(True)
            shown.setChecked(path == self._current_path)
            shown.triggered.connect(lambda _=False, path=path: self.library_wanted.emit(path))
        if self._recent:
            menu.addSeparator()
        menu.addAction(self._actions["open_library"])
        menu.addAction(self._actions["new_library"])
        menu.addSeparator()
        for name in ("find_quotation", "history", "maintenance", "export_library"):
            menu.addAction(self._actions[name])
        return menu

    def show_libraries(self, below: QWidget) -> None:
        """Open the menu of libraries below a widget."""
        self.build_library_menu().popup(below.mapToGlobal(below.rect().bottomLeft()))
