"""The area under the reader's head: the view in use or an empty state, and the side panel.

Owns which of these is shown and whether the panel is beside the text or over it; fetches nothing.
"""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QStackedWidget,
    QWidget,
)

from desktop_app.workers.failures import FailureHandler

from ..language import later, tr
from ..theme.theme import Theme
from ..widgets.buttons import add_shortcut
from ..widgets.layout import build_row
from ..widgets.states import EmptyState, Skeleton
from .loading import LoadedDocument
from .pdf.view import PdfView
from .side_panel import ReaderSidePanel
from .text.view import TextView
from .view import DocumentView

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
        self._row = build_row((self.stack, 1), parent=self, spacing=0)
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
