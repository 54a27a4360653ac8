"""Where documents are shown: in tabs, beside a screen, or in windows of their own.

`DocumentTabs` is the object that the rest of the program asks to show a document or a passage. It
owns the tab bar (the first tab holds the screens), the reader beside the screens, the windows, and
what of these is open after a restart. What one document looks like is in `screen.py`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import shiboken6
from PySide6.QtCore import QByteArray, QPoint, QRect, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QContextMenuEvent,
    QHideEvent,
    QIcon,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QMenu,
    QSplitter,
    QStackedWidget,
    QStyle,
    QStyleOptionTab,
    QStyleOptionToolButton,
    QTabBar,
    QToolButton,
    QWidget,
)

from desktop_app.engine.garbage import release_freed_memory
from desktop_app.engine.store.figures import StoredFigure
from desktop_app.workers.lane import Lane
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..messages import MessageBar
from ..theme.theme import Theme
from ..translation import tr
from ..widgets.buttons import IconButton
from ..widgets.layout import build_column, build_row
from ..widgets.menus import is_menu_key
from ..widgets.words import plain_tip

if TYPE_CHECKING:  # imported when the first document is opened
    from .screen import ReaderScreen, ReaderSession

MIN_WIDTH = 320  # pixels, of a reader and of the screens beside it
MAX_LOADED = 5  # pages; older ones are loaded again when they are shown
RELEASE_MS = 500  # after the last tab was closed
MAX_CLOSED = 20  # tabs that can be opened again
DRAG_OUT_PX = 56  # below or above the bar, where a dropped tab becomes a window
SEPARATOR, BEFORE_FILE = " | ", " · "  # not shown: between titles; after one that two files have
MAX_OFFERED = 10  # documents beside which another can be shown; more only if they are open
MIN_TAB, MAX_TAB, MAX_SPLIT_TAB, TAB_HEIGHT = 96, 520, 460, 36
MIN_SHARED = 190  # pixels: tabs share the row until they are so narrow; then it is scrolled
TAB_EDGES = 64  # pixels of a tab for its close button and its padding
SPLIT, ICON_GAP = "ph.square-half", 4  # of a tab with documents side by side; pixels after its icon


class DocumentPage(QSplitter):
    """The content of one tab or window: one document, or several side by side.

    The readers are built when the page is shown for the first time.

    Args:
        build_reader: returns a reader with this parent, connected to the rest of the program.
        with_panel: the documents whose side panel was opened although there is little room.
    """

    changed = Signal()
    emptied = Signal()

    def __init__(
        self,
        document_ids: Sequence[int],
        build_reader: Callable[[QWidget], ReaderScreen],
        with_panel: Collection[int] = (),
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self._build_reader = build_reader
        self.document_ids = list(document_ids)
        self.readers: list[ReaderScreen] = []
        self._sessions: list[ReaderSession] = []  # of the readers, while they are not loaded
        self._with_panel = with_panel  # until the readers are built for the first time
        self._active: ReaderScreen | None = None

    @property
    def reader(self) -> ReaderScreen:
        """The reader that had the focus last."""
        self.load()
        return self._active if self._active in self.readers else self.readers[0]

    def load(self) -> None:
        """Build the readers, if they are not built yet."""
        if not self.readers:
            sessions, self._sessions = self._sessions, []
            for document_id in self.document_ids:
                reader = self._add_reader(document_id)
                reader.preferences.keep_panel(document_id in self._with_panel)
            self._with_panel = ()
            for reader, session in zip(self.readers, sessions, strict=False):
                reader.resume_session(session)

    def unload(self) -> None:
        """Delete the readers and keep the documents with their searches and jumps."""
        if self.readers:
            self._sessions = [reader.keep_session() for reader in self.readers]
        readers, self.readers = self.readers, []
        for reader in readers:
            _discard(reader)

    def list_with_panel(self) -> list[int]:
        """Return the documents whose side panel was opened although there is little room."""
        if self.readers:
            kept = [reader.preferences.has_kept_panel for reader in self.readers]
        else:
            kept = [session.has_panel for session in self._sessions]
            kept = kept or [document_id in self._with_panel for document_id in self.document_ids]
        return [one for one, is_kept in zip(self.document_ids, kept, strict=False) if is_kept]

    def reader_of(self, document_id: int) -> ReaderScreen:
        """Return the reader of a document of this page."""
        self.load()
        return self.readers[self.document_ids.index(document_id)]

    def add(self, document_id: int) -> ReaderScreen:
        """Show one more document, at the right of the others."""
        self.load()
        self.document_ids.append(document_id)
        reader = self._add_reader(document_id)
        self.setSizes([1000] * len(self.readers))
        self.changed.emit()
        return reader

    def remove(self, reader: ReaderScreen) -> None:
        """Close one document; `emptied` is emitted instead if it is the only one."""
        if len(self.readers) < 2:
            self.emptied.emit()
            return
        at = self.readers.index(reader)
        del self.readers[at], self.document_ids[at]
        _discard(reader)
        self._mark_alone()
        self.changed.emit()

    def forget(self, document_id: int) -> None:
        """Remove a document that is no longer in the library."""
        if self.readers:
            self.remove(self.reader_of(document_id))
        else:
            at = self.document_ids.index(document_id)
            del self.document_ids[at], self._sessions[at : at + 1]

    def note_focus(self, widget: QWidget) -> None:
        for reader in self.readers:
            if reader is widget or reader.isAncestorOf(widget):
                self._active = reader

    def showEvent(self, event: QShowEvent) -> None:
        self.load()
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        for reader in self.readers:
            reader.pdf_view.worker.forget_pictures()  # drawn again when they are in sight
        super().hideEvent(event)

    def _add_reader(self, document_id: int) -> ReaderScreen:
        reader = self._build_reader(self)  # a parent from the start: Qt styles the widgets once
        reader.setMinimumWidth(MIN_WIDTH)
        reader.closed.connect(lambda: self.remove(reader))
        self.readers.append(reader)
        self.addWidget(reader)
        self._mark_alone()
        reader.open_document(document_id)
        return reader

    def _mark_alone(self) -> None:
        for reader in self.readers:  # others may still be built
            reader.set_alone(len(self.document_ids) == 1)


def _discard(reader: ReaderScreen) -> None:
    reader.hide()
    reader.shut_down()
    reader.deleteLater()


class DocumentWindow(QWidget):
    """A window of its own for one page; `closed` is emitted when the user closes it."""

    closed = Signal()

    def __init__(self, context: SessionContext, page: DocumentPage) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self.page = page
        area = QWidget(self)
        build_column((page, 1), parent=area, spacing=0)
        build_column((area, 1), parent=self, spacing=0)
        page.show()
        self.message_bar = MessageBar(context.theme, context.messages, area)
        self.setMinimumSize(MIN_WIDTH + 40, 320)
        context.theme.adopt(self)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()


class TabCloseButton(IconButton):
    """Closes its tab; its icon stands out from the ground of the tab in front, too."""

    def __init__(self, theme: Theme, bar: QTabBar) -> None:
        super().__init__(theme, "close", tr("Close tab"), bar, size=12, shortcut="Ctrl+W")
        self._bar = bar
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Delete closes the focused tab

    def initStyleOption(self, option: QStyleOptionToolButton) -> None:
        super().initStyleOption(option)
        front = self._bar.tabButton(self._bar.currentIndex(), QTabBar.ButtonPosition.RightSide)
        if front is self:
            option.state |= QStyle.StateFlag.State_On


def share_room(widths: Sequence[int], room: int) -> list[int]:
    """Return a width for each of several titles; what a short one leaves is for the others."""
    shared, left = [0] * len(widths), room
    shortest_first = sorted(range(len(widths)), key=widths.__getitem__)
    for n_done, at in enumerate(shortest_first):
        shared[at] = min(widths[at], left // (len(widths) - n_done))
        left -= shared[at]
    return shared


class TabBar(QTabBar):
    """The tabs of the documents; the first one stays first and has no close button.

    `torn_off` carries the index of a tab dropped outside the bar, and the point of the screen.
    """

    torn_off = Signal(int, QPoint)
    menu_wanted = Signal(int, QPoint)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._grip = -1
        self._is_drawing = False
        self.home_titles: Sequence[str] = ()  # the first tab has room for each of them
        self.setObjectName("documentTabs")
        self.setDocumentMode(True)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(True)
        # many titles of one library begin alike, and of many others the end says more
        self.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.setAccessibleName(tr("Open documents"))

    def tabSizeHint(self, index: int) -> QSize:
        hint = super().tabSizeHint(index)
        if index == 0 and self.home_titles:  # else the documents move when the screen changes
            widths = [self._measure(title) for title in self.home_titles]
            hint.setWidth(hint.width() + max(widths) - self._measure(self.tabText(0)))
        narrow, wide = self._theme.length(MIN_TAB), self._theme.length(MAX_TAB)
        if index:
            wide = self._widest(self.tabData(index) or 1)
        return QSize(min(max(hint.width(), narrow), wide), self._theme.length(TAB_HEIGHT))

    def initStyleOption(self, option: QStyleOptionTab, index: int) -> None:
        super().initStyleOption(option, index)
        if index == 0 and self._is_drawing:  # Qt would centre the title in the room of the longest
            option.text, option.icon = "", QIcon()

    def paintEvent(self, event: QPaintEvent) -> None:
        self._is_drawing = True
        super().paintEvent(event)
        self._is_drawing = False
        area, side = self.tabRect(0).adjusted(12, 0, -12, 0), self.iconSize().width()
        painter = QPainter(self)
        is_shown = self.currentIndex() == 0
        place = QRect(area.left(), area.center().y() - side // 2, side, side)
        with self._theme.inverted(chosen=is_shown):
            self.tabIcon(0).paint(painter, place)
            painter.setPen(self._theme.color("text" if is_shown else "text2"))
        metrics = self.fontMetrics()
        baseline = area.center().y() + (metrics.capHeight() + 1) // 2
        painter.drawText(area.left() + side + 8, baseline, self.tabText(0))
        painter.end()

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)  # many tabs are scrolled, not squeezed

    def _measure(self, title: str) -> int:
        return self.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, title).width()  # as Qt does

    def _widest(self, n_titles: int) -> int:
        if n_titles > 1:
            return self._theme.length(MAX_SPLIT_TAB)
        n_documents = max(1, self.count() - 1)
        shared = (self.width() - self.tabSizeHint(0).width()) // n_documents
        least, most = self._theme.length(MIN_SHARED), self._theme.length(MAX_TAB)
        return min(max(least, shared), most)

    def set_titles(self, index: int, titles: Sequence[str], n_documents: int = 0) -> None:
        """Show the titles of a tab's documents; several share the width, so that all are seen.

        Args:
            n_documents: if they are not as many as the titles.
        """
        n_documents = n_documents or len(titles)
        self.setTabData(index, n_documents)
        is_split = n_documents > 1
        icon = self._theme.icon(SPLIT, fills=QIcon.State.On) if is_split else QIcon()
        self.setTabIcon(index, icon)
        if len(titles) > 1:
            metrics = self.fontMetrics()
            room = self._widest(n_documents) - self._theme.length(TAB_EDGES)
            room -= self.iconSize().width() + ICON_GAP
            room -= metrics.horizontalAdvance(SEPARATOR) * (len(titles) - 1)
            widths = list(map(metrics.horizontalAdvance, titles))
            if sum(widths) > room:
                middle, shared = Qt.TextElideMode.ElideMiddle, share_room(widths, room)
                titles = [
                    title if width <= own else metrics.elidedText(title, middle, own)
                    for title, width, own in zip(titles, widths, shared, strict=True)
                ]
        # a mnemonic sign would underline the next letter
        self.setTabText(index, SEPARATOR.join(titles).replace("&", "&&"))

    def add_page(self, index: int) -> None:
        """Insert a tab with a close button."""
        self.insertTab(index, "")
        close = TabCloseButton(self._theme, self)
        close.clicked.connect(lambda: self.tabCloseRequested.emit(self._index_of(close)))
        self.setTabButton(index, QTabBar.ButtonPosition.RightSide, close)

    def _index_of(self, button: QToolButton) -> int:
        side = QTabBar.ButtonPosition.RightSide
        return next((i for i in range(self.count()) if self.tabButton(i, side) is button), -1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = self.tabAt(event.position().toPoint())
        self._grip = at if event.button() == Qt.MouseButton.LeftButton else -1
        self.setMovable(at > 0)
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        point, grip = event.position().toPoint(), self._grip
        self._grip = -1
        if event.button() == Qt.MouseButton.MiddleButton and self.tabAt(point) > 0:
            self.tabCloseRequested.emit(self.tabAt(point))
        elif grip > 0 and not -DRAG_OUT_PX < point.y() < self.height() + DRAG_OUT_PX:
            self.torn_off.emit(self.currentIndex(), event.globalPosition().toPoint())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        at = self.tabAt(event.pos())
        if at > 0:
            self.menu_wanted.emit(at, event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        at = self.currentIndex()
        if at > 0 and is_menu_key(event):
            self.menu_wanted.emit(at, self.mapToGlobal(self.tabRect(at).bottomLeft()))
        elif at > 0 and event.key() == Qt.Key.Key_Delete:
            self.tabCloseRequested.emit(at)
        else:
            super().keyPressEvent(event)


class DocumentTabs(QWidget):
    """Shows documents: a row of tabs over the screens, and readers.

    Args:
        home: the screens; they are the first tab.
        build_beside: builds the reader beside the screens and hands it to `place_beside`; called
            when it is needed for the first time.
    """

    open_entity = Signal(int)
    show_in_graph = Signal(object)
    ask_about = Signal(str)
    enrich_chapter_wanted = Signal(int, int, int)
    current_changed = Signal()  # another tab is in front

    def __init__(
        self, context: SessionContext, home: QWidget, build_beside: Callable[[], ReaderScreen]
    ) -> None:
        super().__init__()
        self._context, self._home, self._build_beside = context, home, build_beside
        self._beside: ReaderScreen | None = None
        self._spare: ReaderScreen | None = None  # hidden, for the first tab
        self.beside_share = 0.5  # share of the width of the reader beside a screen
        self.windows: list[DocumentWindow] = []
        self._pages: list[DocumentPage] = []
        self._recent: list[DocumentPage] = []  # loaded pages, the last shown one last
        self.window_actions: list[QAction] = []  # those that work in every window
        self._titles: Mapping[int, str] = {}
        self._titles_in_trash: Mapping[int, str] = {}
        self._files: Mapping[int, str] = {}
        self._from_trash: set[int] = set()  # documents that were opened while they were in it
        self._closed: list[list[int]] = []
        self._release = QTimer(self, singleShot=True, interval=RELEASE_MS)
        self._release.timeout.connect(self._release_memory)
        self._home_title = ""
        self._place()
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._note_focus)

    def _place(self) -> None:
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self._home)
        self.splitter.splitterMoved.connect(self._keep_share)
        self._home.setMinimumWidth(MIN_WIDTH)
        self.bar = TabBar(self._context.theme, self)
        self.bar.addTab("")
        self.before_tabs = QFrame(self)
        self.before_tabs.setObjectName("beforeTabs")
        self.set_room_before_tabs(0)
        self.tab_row = QWidget(self)
        build_row(self.before_tabs, (self.bar, 1), parent=self.tab_row, spacing=0)
        self.tab_row.hide()
        self.stack = QStackedWidget(self)
        self.stack.addWidget(self.splitter)
        build_column(self.tab_row, (self.stack, 1), parent=self, spacing=0)
        self.bar.currentChanged.connect(self._show_current)
        self.bar.tabCloseRequested.connect(self._close_index)
        self.bar.tabMoved.connect(self._follow_move)
        self.bar.torn_off.connect(self._tear_off_index)
        self.bar.menu_wanted.connect(self._show_menu)
        for keys, act in (
            ("Ctrl+PgDown", lambda: self.step(1)),
            ("Ctrl+PgUp", lambda: self.step(-1)),
            ("Ctrl+Shift+PgDown", lambda: self.move_tab(1)),
            ("Ctrl+Shift+PgUp", lambda: self.move_tab(-1)),
        ):
            # not on the screens, which use these keys for lists of their own
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.activated.connect(act)
            shortcut.setEnabled(False)
            self.current_changed.connect(
                lambda shortcut=shortcut: shortcut.setEnabled(self.page is not None)
            )

    def place_beside(self, reader: ReaderScreen) -> None:
        """Take the reader beside the screens, hidden; once."""
        self._beside = reader
        reader.setMinimumWidth(MIN_WIDTH)
        reader.hide()
        reader.head.tab_button.show()
        self.splitter.addWidget(reader)
        self._connect_reader(reader)
        reader.closed.connect(lambda: self.show_beside(False))
        reader.head.tab_button.clicked.connect(self._move_beside_to_tab)

    def set_room_before_tabs(self, width: int) -> None:
        """Leave room before the first tab, so that tabs keep their place beside a narrow sidebar.

        Otherwise another tab would be under the pointer after a click on one.
        """
        self.before_tabs.setFixedWidth(width)
        self.before_tabs.setVisible(width > 0)

    # --- showing documents ------------------------------------------------------------------

    @property
    def page(self) -> DocumentPage | None:
        """The page in front, None while the screens are."""
        at = self.bar.currentIndex() - 1
        return self._pages[at] if 0 <= at < len(self._pages) else None

    @property
    def beside(self) -> ReaderScreen:
        """The reader beside the screens."""
        return self._beside if self._beside is not None else self._build_beside()

    @property
    def is_beside_shown(self) -> bool:
        return self._beside is not None and not self._beside.isHidden()

    @property
    def reader(self) -> ReaderScreen:
        """The reader in use: of the active window, of the tab in front, or beside the screens."""
        window = self._active_window()
        if window is not None:
            return window.page.reader
        return self.page.reader if self.page is not None else self.beside

    @property
    def open_ids(self) -> list[list[int]]:
        """The documents of each tab, in order."""
        return [list(page.document_ids) for page in self._pages]

    @property
    def last_shown_ids(self) -> list[int]:
        """The documents of the tab in front, or of the one that was last."""
        return list(self._recent[-1].document_ids) if self._recent else []

    def open_document(self, document_id: int) -> None:
        """Show a document where it is open, else in a new tab, at the place where it was left."""
        if self._show_where_open(document_id, [*self.windows], self._pages):
            return
        at = self.bar.currentIndex() if self.page is not None else len(self._pages)
        self._insert(at, [document_id])
        self.bar.setCurrentIndex(at + 1)

    def open_passage(self, document_id: int, start: int, end: int) -> None:
        """Show and mark a passage beside the screen; in a tab, if a tab is in front."""
        self._find_reader(document_id).open_at(document_id, start, end)

    def open_figure(self, figure: StoredFigure) -> None:
        """Show the place of a figure, where `open_passage` shows passages."""
        self._find_reader(figure.document_id).show_figure(figure)

    def _find_reader(self, document_id: int) -> ReaderScreen:
        """Return the reader for a passage: where its document is open, beside, or in a tab."""
        for window in self.windows:
            if document_id in window.page.document_ids:
                _bring_to_front(window)
                return window.page.reader_of(document_id)
        if self.page is None:
            self.show_beside(True)
            return self.beside
        self.open_document(document_id)
        return self.page.reader_of(document_id)

    def open_beside(self, document_id: int) -> None:
        """Show a document beside the screens."""
        self.show_home()
        self.show_beside(True)
        self.beside.open_document(document_id)

    def open_in_window(self, document_id: int) -> None:
        """Show a document in a window of its own; a tab with it becomes the window."""
        if self._show_where_open(document_id, [*self.windows], ()):
            return
        page = next((p for p in self._pages if p.document_ids == [document_id]), None)
        if page is None:
            page = self._insert(len(self._pages), [document_id])
        self.tear_off(page)

    def open_side_by_side(self, page: DocumentPage, document_id: int) -> None:
        """Show a document at the right of those of a page; a tab with only it is closed."""
        self._note_opened([document_id])
        reader = page.add(document_id)
        for other in list(self._pages):
            if other is not page and other.document_ids == [document_id]:
                self._remove(other)
        reader.focus_text()

    def show_home(self) -> None:
        """Bring the screens to the front."""
        self.bar.setCurrentIndex(0)

    def show_beside(self, shown: bool) -> None:
        """Show or hide the reader beside the screens."""
        if self.is_beside_shown == shown:
            return
        self.beside.setVisible(shown)
        if shown and 0 in self.splitter.sizes():
            part = round(1000 * self.beside_share)
            self.splitter.setSizes([1000 - part, part])

    def toggle_beside(self) -> None:
        """Show or hide the reader beside the screens; from a tab, show its document there."""
        if self.page is None:
            self.show_beside(not self.is_beside_shown)
        else:
            self.move_beside_screen(self.page)

    def _show_where_open(
        self, document_id: int, windows: Sequence[DocumentWindow], pages: Sequence[DocumentPage]
    ) -> bool:
        for window in windows:
            if document_id in window.page.document_ids:
                _bring_to_front(window)
                window.page.reader_of(document_id).focus_text()
                return True
        for at, page in enumerate(pages):
            if document_id in page.document_ids:
                self.bar.setCurrentIndex(at + 1)
                page.reader_of(document_id).focus_text()
                return True
        return False

    def _move_beside_to_tab(self) -> None:
        """Give the document beside the screen a tab, at the same place."""
        document_id, view = self.beside.document_id, self.beside.view
        if document_id is None:
            return
        place = view.position() if view is not None else None
        passage = view.passage if view is not None else None
        self.beside.close_document()
        self.open_document(document_id)
        if self.page is not None:
            self.page.reader_of(document_id).go_to(document_id, place, passage)

    def move_beside_screen(self, page: DocumentPage) -> None:
        """Show the document of a tab beside the screen, at the same place, and close the tab."""
        reader = page.reader
        document_id, view = page.document_ids[page.readers.index(reader)], reader.view
        place = view.position() if view is not None else None
        passage = view.passage if view is not None else None
        page.remove(reader)
        self.show_home()
        self.show_beside(True)
        self.beside.go_to(document_id, place, passage)

    # --- tabs -------------------------------------------------------------------------------

    def set_home(self, title: str, icon: QIcon) -> None:
        """Show the title of the current screen in the first tab."""
        self._home_title = title
        self.bar.setTabText(0, title)
        self.bar.setTabIcon(0, icon)

    def step(self, by: int) -> None:
        """Bring the next (1) or previous (-1) tab to the front; after the last comes the first."""
        if not self.tab_row.isHidden():
            self.bar.setCurrentIndex((self.bar.currentIndex() + by) % self.bar.count())

    def move_tab(self, by: int) -> None:
        """Move the tab in front to the right (1) or to the left (-1)."""
        at = self.bar.currentIndex()
        if at > 0 and 0 < at + by < self.bar.count():
            self.bar.moveTab(at, at + by)

    def close_current(self) -> None:
        """Close the document in use: of the active window, of the tab, or beside the screen."""
        window = self._active_window()
        if window is not None:
            window.page.remove(window.page.reader)
        elif self.page is not None:
            self.page.remove(self.page.reader)
        elif self.is_beside_shown:
            self.beside.close_document()

    def close_page(self, page: DocumentPage) -> None:
        """Close a tab or window with all its documents."""
        self._closed.append(list(page.document_ids))
        del self._closed[:-MAX_CLOSED]
        window = next((w for w in self.windows if w.page is page), None)
        if window is not None:
            self.windows.remove(window)
            window.hide()
            self._unload(page)
            window.deleteLater()
        elif page in self._pages:
            self._remove(page)

    def reopen_closed(self) -> None:
        """Open the tab again that was closed last."""
        while self._closed:
            known = [d for d in self._closed.pop() if not self._titles or d in self._titles]
            if known:
                self._insert(len(self._pages), known)
                self.bar.setCurrentIndex(len(self._pages))
                return

    def tear_off(self, page: DocumentPage, where: QPoint | None = None) -> DocumentWindow:
        """Move a tab into a window of its own.

        Args:
            where: the point of the screen for the top of the window.
        """
        size = self.stack.size()
        self._take_out(page)
        window = self._add_window(page)
        window.resize(size)
        if where is not None:
            window.move(where - QPoint(size.width() // 3, 12))
        _bring_to_front(window)
        page.reader.focus_text()
        return window

    def tear_off_current(self) -> None:
        """Move the tab in front into a window of its own."""
        if self.page is not None:
            self.tear_off(self.page)

    def dock(self, window: DocumentWindow) -> None:
        """Move the page of a window back into a tab."""
        page = window.page
        self.windows.remove(window)
        page.setParent(None)
        window.hide()
        window.deleteLater()
        self._insert_page(len(self._pages), page)
        self.bar.setCurrentIndex(len(self._pages))
        _bring_to_front(self.window())

    def set_titles(
        self,
        titles: Mapping[int, str],
        in_trash: Mapping[int, str] | None = None,
        files: Mapping[int, str] | None = None,
    ) -> None:
        """Show the titles of all documents; those that are no longer there are closed.

        Args:
            files: what tells documents with the same title apart, `distinguish_titles`.
            in_trash: of the documents in the trash. Those that were opened from there, by a
                citation or a link, stay open as long as they are in it.
        """
        self._titles, self._titles_in_trash = titles, in_trash or {}
        self._files = files or {}
        self._from_trash &= self._titles_in_trash.keys() - titles.keys()
        for page in [*self._pages, *(window.page for window in self.windows)]:
            kept = titles.keys() | self._from_trash
            gone = [d for d in page.document_ids if d not in kept]
            if len(gone) == len(page.document_ids):
                self.close_page(page)
                continue
            for document_id in gone:
                page.forget(document_id)
        self._show_titles()

    def title_of(self, page: DocumentPage) -> str:
        """Return the titles of a page's documents, one beside the other."""
        return SEPARATOR.join(self._list_titles(page))

    def _list_titles(self, page: DocumentPage) -> list[str]:
        """Return the titles of a page's documents; one of several files only once."""
        ids = list(dict.fromkeys(page.document_ids))
        titles = [self._find_title(document_id) or "…" for document_id in ids]
        files = [self._files.get(document_id, "") for document_id in ids]
        if len(set(titles)) == 1 and all(files):
            return [titles[0] + BEFORE_FILE + SEPARATOR.join(files)]
        return [
            title + BEFORE_FILE + file if file else title
            for title, file in zip(titles, files, strict=True)
        ]

    def _find_title(self, document_id: int) -> str:
        """Return the title of a document; "" while it is not known."""
        if title := " ".join(self._titles.get(document_id, "").split()):
            return title
        title = " ".join(self._titles_in_trash.get(document_id, "").split())
        return tr("{title} (in the trash)", title=title) if title else ""

    def _note_opened(self, document_ids: Sequence[int]) -> None:
        self._from_trash |= self._titles_in_trash.keys() & (set(document_ids) - self._titles.keys())

    def _show_titles(self) -> None:
        for at, page in enumerate(self._pages):
            titles = self._list_titles(page)
            self.bar.set_titles(at + 1, titles, len(page.document_ids))
            tip = SEPARATOR.join(titles)
            if len(page.document_ids) > 1:
                tip = tr("Side by side: {titles}", titles=tip)
            self.bar.setTabToolTip(at + 1, plain_tip(tip))
        for window in self.windows:
            window.setWindowTitle(f"{self.title_of(window.page)} – Inkgraph")  # not shown: a name

    def _insert(
        self, at: int, document_ids: Sequence[int], with_panel: Collection[int] = ()
    ) -> DocumentPage:
        page = self._build_page(document_ids, with_panel)
        self._insert_page(at, page)
        return page

    def _build_page(
        self, document_ids: Sequence[int], with_panel: Collection[int] = ()
    ) -> DocumentPage:
        self._note_opened(document_ids)
        page = DocumentPage(document_ids, self._build_reader, with_panel)
        page.changed.connect(self._show_titles)
        page.emptied.connect(lambda: self.close_page(page))
        return page

    def _insert_page(self, at: int, page: DocumentPage) -> None:
        self._pages.insert(at, page)
        self.stack.addWidget(page)
        with QSignalBlocker(self.bar):  # a tab before the current one changes its index
            self.bar.add_page(at + 1)
        self._show_titles()
        self.tab_row.show()

    def _take_out(self, page: DocumentPage) -> None:
        """Remove a page from the tabs without closing its documents."""
        at = self._pages.index(page)
        was_in_front = page is self.page
        del self._pages[at]
        self.stack.removeWidget(page)
        if page in self._recent:
            self._recent.remove(page)
        with QSignalBlocker(self.bar):
            self.bar.removeTab(at + 1)
            if was_in_front:  # the tab at the right, else the one at the left
                self.bar.setCurrentIndex(min(at + 1, len(self._pages)))
        had_focus = self.bar.hasFocus()
        self.tab_row.setVisible(bool(self._pages))
        self._show_current()
        if had_focus and not self._pages:
            self._home.setFocus()

    def _remove(self, page: DocumentPage) -> None:
        self._take_out(page)
        self._unload(page)
        page.hide()
        page.deleteLater()

    def _unload(self, page: DocumentPage) -> None:
        page.unload()
        self._release.start()

    def _release_memory(self) -> None:
        Query(self._context.reader_lane, release_freed_memory, owner=self).run()

    def _add_window(self, page: DocumentPage) -> DocumentWindow:
        window = DocumentWindow(self._context, page)
        window.closed.connect(lambda: self._close_window(window))
        window.addActions(self.window_actions)
        self.windows.append(window)
        self._show_titles()
        return window

    def _close_window(self, window: DocumentWindow) -> None:
        if window in self.windows and self.window().isVisible():
            self.close_page(window.page)

    def _close_index(self, index: int) -> None:
        if index > 0:
            self.close_page(self._pages[index - 1])

    def _tear_off_index(self, index: int, where: QPoint) -> None:
        self.tear_off(self._pages[index - 1], where)

    def _follow_move(self, before: int, after: int) -> None:
        """Keep the pages in the order of the tabs, and the screens in the first tab."""
        if 0 in (before, after):
            # dropped before the first tab: put that one back
            with QSignalBlocker(self.bar):
                self.bar.moveTab(after, before)
            return
        self._pages.insert(after - 1, self._pages.pop(before - 1))

    def _show_current(self) -> None:
        page = self.page
        self.stack.setCurrentWidget(page or self.splitter)
        if page is not None:
            if page in self._recent:
                self._recent.remove(page)
            self._recent.append(page)
            for old in self._recent[:-MAX_LOADED]:
                self._unload(old)
            del self._recent[:-MAX_LOADED]
            if not self.bar.hasFocus():
                page.reader.focus_text()
        self.current_changed.emit()

    def _show_menu(self, index: int, where: QPoint) -> None:
        menu = self.build_menu(self._pages[index - 1])
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(where)

    def build_menu(self, page: DocumentPage) -> QMenu:
        """Return the menu of a tab."""
        menu = QMenu(self)
        menu.addAction(tr("Close"), lambda: self.close_page(page))
        others = [other for other in self._pages if other is not page]
        close_others = menu.addAction(tr("Close other tabs"), lambda: self._close_pages(others))
        close_others.setEnabled(bool(others))
        reopen = menu.addAction(tr("Reopen closed tab"), self.reopen_closed)
        reopen.setEnabled(bool(self._closed))
        menu.addSeparator()
        self._add_places(menu, page)
        return menu

    def build_place_menu(self, reader: ReaderScreen) -> QMenu:
        """Return the menu of a reader's button that says where documents are shown."""
        menu = QMenu(reader)
        page = self._page_of(reader)
        if page is not None:
            self._add_places(menu, page)
        return menu

    def _add_places(self, menu: QMenu, page: DocumentPage) -> None:
        side = menu.addMenu(tr("Side by side with"))
        opened = self._other_documents(page)
        shown = {*opened, *page.document_ids}
        newest = [d for d in sorted(self._titles, reverse=True) if d not in shown]
        for group in (opened, newest[: max(0, MAX_OFFERED - len(opened))]):
            if side.actions() and group:
                side.addSeparator()
            for document_id in group:
                title = self._find_title(document_id)
                side.addAction(
                    (title if len(title) < 60 else f"{title[:59]}…").replace("&", "&&"),
                    partial(self.open_side_by_side, page, document_id),
                )
        if side.actions():
            side.addSeparator()
        side.addAction(
            tr("This document again"),
            lambda: self.open_side_by_side(page, page.document_ids[0]),
        )
        if len(page.document_ids) > 1:
            menu.addAction(tr("Separate tabs"), lambda: self.separate(page))
        window = next((w for w in self.windows if w.page is page), None)
        if window is not None:
            menu.addAction(tr("Back into a tab"), lambda: self.dock(window))
            return
        menu.addAction(tr("Move to a new window"), lambda: self.tear_off(page))
        words = tr("Show beside “{screen}”", screen=self._home_title)
        menu.addAction(words, lambda: self.move_beside_screen(page))

    def separate(self, page: DocumentPage) -> None:
        """Give each document of a page a tab of its own."""
        at = self._pages.index(page) + 1 if page in self._pages else len(self._pages)
        for document_id in page.document_ids[1:]:
            page.remove(page.readers[1])
            self._insert(at, [document_id])
            at += 1

    def _close_pages(self, pages: Sequence[DocumentPage]) -> None:
        for page in pages:
            self.close_page(page)

    def _other_documents(self, page: DocumentPage) -> list[int]:
        """Return the documents open elsewhere: in other tabs and beside the screens."""
        found = [d for other in self._pages if other is not page for d in other.document_ids]
        if self.is_beside_shown and self.beside.document_id is not None:
            found.append(self.beside.document_id)
        return [d for d in dict.fromkeys(found) if d not in page.document_ids]

    # --- readers ----------------------------------------------------------------------------

    def iter_readers(self) -> Iterator[ReaderScreen]:
        """Yield all readers that are built: beside the screens, of loaded pages, the spare one."""
        yield from filter(None, (self._beside, self._spare))
        for page in [*self._pages, *(window.page for window in self.windows)]:
            yield from page.readers

    def prepare(self) -> Iterator[None]:
        """Build the reader of the first tab before a document is opened: half of what it takes."""
        from .screen import ReaderScreen

        if self._spare is None and not any(page.readers for page in self._pages):
            spare = self._spare = ReaderScreen(self._context)
            yield
            if self._spare is spare:
                spare.setParent(self)  # hidden, as it is in no layout; takes half of the time
                yield

    def _build_reader(self, parent: QWidget) -> ReaderScreen:
        from .screen import ReaderScreen

        reader, self._spare = self._spare, None
        if reader is None:
            reader = ReaderScreen(self._context, parent)
        self._connect_reader(reader)
        head = reader.head
        head.offer_places()

        def show_menu() -> None:
            menu = self.build_place_menu(reader)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            anchor = head.place_anchor
            menu.popup(anchor.mapToGlobal(anchor.rect().bottomLeft()))

        head.place_button.clicked.connect(show_menu)
        return reader

    def _connect_reader(self, reader: ReaderScreen) -> None:
        reader.open_entity.connect(self.open_entity)
        reader.show_in_graph.connect(self.show_in_graph)
        reader.ask_about.connect(self.ask_about)
        reader.enrich_chapter_wanted.connect(self.enrich_chapter_wanted)
        reader.preferences.changed.connect(lambda: self._share_preferences(reader))

    def _share_preferences(self, source: ReaderScreen) -> None:
        """Apply what the user changed in one reader to the others."""
        for reader in self.iter_readers():
            if reader is not source:
                reader.preferences.load()

    def _page_of(self, reader: ReaderScreen) -> DocumentPage | None:
        pages = [*self._pages, *(window.page for window in self.windows)]
        return next((page for page in pages if reader in page.readers), None)

    def _active_window(self) -> DocumentWindow | None:
        active = QApplication.activeWindow()
        return next((w for w in self.windows if w is active), None)

    def _note_focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        if now is not None and shiboken6.isValid(self):
            for page in [*self._pages, *(window.page for window in self.windows)]:
                page.note_focus(now)

    def _keep_share(self) -> None:
        left, right = self.splitter.sizes()
        self.beside_share = right / max(1, left + right)

    # --- restart and end --------------------------------------------------------------------

    def save_state(self) -> str:
        """Return which documents are open where, as JSON, for `restore_state`."""
        state = {
            "tabs": self.open_ids,
            "panels": [page.list_with_panel() for page in self._pages],
            "current": self.bar.currentIndex(),
            "beside": self.beside.document_id if self.is_beside_shown else None,
            "windows": [
                {
                    "documents": list(window.page.document_ids),
                    "panels": window.page.list_with_panel(),
                    "geometry": bytes(window.saveGeometry().toHex().data()).decode(),
                }
                for window in self.windows
            ],
        }
        return json.dumps(state)

    def restore_state(self, stored: str, *, shows_them: bool = True) -> None:
        """Open what `save_state` returned; documents are loaded when their tab is shown.

        Args:
            shows_them: False makes tabs of all documents and shows none.
        """
        state = _parse_state(stored)
        for ids, with_panel in state["tabs"]:
            self._insert(len(self._pages), ids, with_panel)
        if not shows_them:
            for documents, with_panel, _ in state["windows"]:
                self._insert(len(self._pages), documents, with_panel)
            if state["beside"]:
                self._insert(len(self._pages), [state["beside"]])
            return
        for documents, with_panel, geometry in state["windows"]:
            window = self._add_window(self._build_page(documents, with_panel))
            if not window.restoreGeometry(QByteArray.fromHex(geometry.encode())):
                window.resize(900, 800)
            window.show()
        if state["beside"]:
            self.show_beside(True)
            self.beside.open_document(state["beside"])
        self.bar.setCurrentIndex(min(state["current"], len(self._pages)))

    def hide_windows(self) -> None:
        """Hide the windows, when the main window is closed; they are remembered."""
        for window in self.windows:
            window.hide()

    def lanes(self) -> list[Lane]:
        """Return the lanes of all readers."""
        return [reader.pdf_view.worker.lane for reader in self.iter_readers()]

    def save_changes(self) -> None:
        """Save notes that are being written and positions, before the program ends."""
        for reader in self.iter_readers():
            reader.save_changes()

    def shut_down(self) -> None:
        """Stop the threads of all readers and delete the windows; nothing may be opened then."""
        for reader in self.iter_readers():
            reader.shut_down()
        for window in self.windows:
            window.deleteLater()
        self.windows.clear()


def _parse_state(stored: str) -> dict[str, Any]:
    """Return a stored state; what is damaged in it is left out."""
    try:
        state = json.loads(stored)
    except ValueError:
        state = None
    if not isinstance(state, dict):
        state = {}
    windows = [w for w in _as_list(state.get("windows")) if isinstance(w, dict)]
    tabs = [_as_ids(ids) for ids in _as_list(state.get("tabs"))]
    panels = [_as_ids(ids) for ids in _as_list(state.get("panels"))]
    panels += [[]] * (len(tabs) - len(panels))  # older versions stored none
    current, beside = state.get("current"), state.get("beside")
    return {
        "tabs": [(ids, kept) for ids, kept in zip(tabs, panels, strict=False) if ids],
        "windows": [
            (ids, _as_ids(w.get("panels")), str(w.get("geometry", "")))
            for w in windows
            if (ids := _as_ids(w["documents"]))
        ],
        "current": max(0, current) if isinstance(current, int) else 0,
        "beside": beside if isinstance(beside, int) else None,
    }


def _as_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _as_ids(value: object) -> list[int]:
    return [one for one in _as_list(value) if isinstance(one, int) and one > 0]


def _bring_to_front(window: QWidget) -> None:
    window.show()
    window.raise_()
    window.activateWindow()
