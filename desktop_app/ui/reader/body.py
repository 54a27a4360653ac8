"""The area under the reader's head: the view in use or an empty state, and the side panel.

Owns which of these is shown and whether the panel is beside the text or over it; fetches nothing.
"""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_app.workers.failures import FailureHandler

from ..language import later, tr
from ..theme.theme import Theme
from ..widgets.buttons import IconButton, add_shortcut
from ..widgets.states import EmptyState, Skeleton
from .annotations_panel import AnnotationsPanel
from .loading import LoadedDocument
from .outline_panel import OutlinePanel
from .pdf.view import PdfView
from .pdf.worker import PdfWorker
from .text.view import TextView
from .thumbs_panel import ThumbsPanel
from .view import DocumentView

WIDTH = 236
TABS = (
    ("chapters", "list", later("Chapters")),
    ("pages", "ph.squares-four", later("Pages")),
    ("notes", "ph.highlighter-circle", later("Highlights and bookmarks")),
)


class ReaderSidePanel(QFrame):
    """Tabs for the outline, the page thumbnails and the annotations."""

    def __init__(self, theme: Theme, worker: PdfWorker, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("readerSide")
        self.setFixedWidth(WIDTH)
        self.outline = OutlinePanel(theme)
        self.thumbs = ThumbsPanel(theme, worker)
        self.notes = AnnotationsPanel(theme)
        self._panels = {"chapters": self.outline, "pages": self.thumbs, "notes": self.notes}
        self.stack = QStackedWidget(self)
        self.tabs: dict[str, IconButton] = {}
        group = QButtonGroup(self)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 8, 0)
        row.setSpacing(4)
        for name, icon, words in TABS:
            button = self.tabs[name] = IconButton(theme, icon, tr(words), self)
            button.setCheckable(True)
            button.clicked.connect(lambda _=False, name=name: self.show_tab(name))
            group.addButton(button)
            row.addWidget(button)
            self.stack.addWidget(self._panels[name])
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 1, 8)
        column.setSpacing(8)
        column.addLayout(row)
        column.addWidget(self.stack, 1)
        theme.changed.connect(self._restyle)
        self._restyle()
        self.show_tab("chapters")

    @property
    def tab(self) -> str:
        return next(name for name, button in self.tabs.items() if button.isChecked())

    @property
    def stops(self) -> list[QWidget]:
        """The widgets that the Tab key visits, in order."""
        notes = self.notes
        return [*self.tabs.values(), self.outline.tree, self.thumbs, notes.list, notes.export]

    def show_tab(self, name: str) -> None:
        name = name if name in self.tabs else "chapters"
        self.tabs[name].setChecked(True)
        self.stack.setCurrentWidget(self._panels[name])

    def set_paged(self, paged: bool) -> None:
        """Show the tab of pages only for documents with pages."""
        self.tabs["pages"].setVisible(paged)
        if not paged and self.tab == "pages":
            self.show_tab("chapters")

    def _restyle(self) -> None:
        tokens = self._theme.tokens
        self.setStyleSheet(
            f"#readerSide {{ background: {tokens.bg}; border: none;"
            f" border-right: 1px solid {tokens.line}; }}"
        )
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground, True)


NARROW = 620
NOTHING_OPEN = later("Nothing is open")
HOW_TO_OPEN = later(
    "Open a document from the library, or click on a citation to land on its passage."
)


class ReaderBody(QWidget):
    """The two views, the loading state and the empty state, with the side panel at the left.

    `panel_left` is emitted when the user goes back to the text while the panel covers it.

    Args:
        on_failure: shows why a page of a PDF can't be drawn.
    """

    panel_left = Signal()

    def __init__(
        self, theme: Theme, on_failure: FailureHandler, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._side_wanted = False
        self.text_view = TextView(theme, self)
        self.pdf_view = PdfView(theme, on_failure, self)
        self.side = ReaderSidePanel(theme, self.pdf_view.worker, self)
        self.outline = self.side.outline
        self.empty = EmptyState(theme, "reader", tr(NOTHING_OPEN), tr(HOW_TO_OPEN))
        self.empty.text.setMinimumWidth(0)  # beside a chat the window may be very narrow
        self.empty.text.setMaximumWidth(420)
        self.waiting = Skeleton(theme)
        self.stack = QStackedWidget(self)
        for widget in (self.empty, self.waiting, self.text_view, self.pdf_view):
            self.stack.addWidget(widget)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._row.addWidget(self.stack, 1)
        self.side.hide()
        add_shortcut(self.side, "Esc", self._focus_text)
        for view in (self.text_view, self.pdf_view):
            view.viewport().installEventFilter(self)
        # the Tab key visits the panel at the left first, then the text
        for first, second in pairwise((*self.side.stops, self.text_view, self.pdf_view)):
            self.setTabOrder(first, second)

    @property
    def view(self) -> DocumentView | None:
        """The view in use, None while no document is shown."""
        widget = self.stack.currentWidget()
        return widget if isinstance(widget, DocumentView) else None

    @property
    def is_narrow(self) -> bool:
        """Whether the panel covers the text instead of being beside it."""
        return self.width() < NARROW

    def show_document(self, loaded: LoadedDocument) -> DocumentView:
        """Show a document in the view that fits it, and return that view."""
        view: DocumentView
        if loaded.blocks is None:
            view = self.pdf_view
            self.pdf_view.set_document(
                loaded.content or b"", loaded.password, loaded.text, loaded.pages
            )
        else:
            view = self.text_view
            self.pdf_view.clear()
            self.text_view.set_document(loaded.text, loaded.blocks)
        self.waiting.stop()
        self.side.set_paged(view is self.pdf_view)
        self.stack.setCurrentWidget(view)
        return view

    def show_waiting(self) -> None:
        self.stack.setCurrentWidget(self.waiting)
        self.waiting.start()

    def show_empty(self, title: str = "", text: str = "", icon: str = "reader") -> None:
        """Show that nothing is open, or why a document can't be shown."""
        if not title:
            title, text = tr(NOTHING_OPEN), tr(HOW_TO_OPEN)
        self.waiting.stop()
        self.pdf_view.clear()
        self.empty.set_texts(title, text, icon)
        self.show_side(False)
        self.stack.setCurrentWidget(self.empty)

    def show_side(self, shown: bool) -> None:
        self._side_wanted = shown
        self._place_side()

    def _place_side(self) -> None:
        """Place the panel beside the text, or over it in a narrow window."""
        shown = self._side_wanted
        self._row.removeWidget(self.side)
        if shown and not self.is_narrow:
            self._row.insertWidget(0, self.side)
        self.side.setVisible(shown)
        if shown and self.is_narrow:
            self.side.setGeometry(0, 0, self.side.width(), self.height())
            self.side.raise_()

    def _focus_text(self) -> None:
        if self.is_narrow:
            self.panel_left.emit()
        if self.view is not None:
            self.view.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        pressed = event.type() == QEvent.Type.MouseButtonPress
        if pressed and self.is_narrow and self.side.isVisible():
            self.panel_left.emit()
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_side()
