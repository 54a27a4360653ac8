"""The area under the reader's head: the view in use or an empty state, and the side panel.

Owns which of these is shown and whether the panel is beside the text or above it: it never covers
the text. Fetches nothing.
"""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QStackedWidget, QWidget

from desktop_app.workers.failures import FailureHandler

from ..theme.theme import Theme
from ..translation import later, tr
from ..widgets.buttons import add_shortcut
from ..widgets.layout import build_row
from ..widgets.states import EmptyState, Skeleton
from .loading import LoadedDocument
from .pdf.view import PdfView
from .side_panel import ReaderSidePanel
from .text.view import TextView
from .view import DocumentView

NARROW = 560  # below this width the panel is above the text
WIDE_PANEL_FROM = 960  # pixels of the reader: a line of text fits beside a wide panel
ABOVE_SHARE = 0.34  # of the height, for a panel above the text
NOTHING_OPEN = later("Nothing is open")
HOW_TO_OPEN = later("Open a document from the library, or click a citation to open its passage.")


class ReaderBody(QWidget):
    """The two views, the loading state and the empty state, with the side panel at the left.

    Args:
        on_failure: shows why a page of a PDF can't be drawn.
    """

    def __init__(
        self, theme: Theme, on_failure: FailureHandler, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._side_wanted = False
        self.stack = QStackedWidget(self)  # first: a widget that gets another parent is restyled
        self.text_view = TextView(theme, self.stack)
        self.pdf_view = PdfView(theme, on_failure, self.stack)
        self.side = ReaderSidePanel(theme, self.pdf_view.worker, self)
        self.outline = self.side.outline
        self.empty = EmptyState(
            theme, "reader", tr(NOTHING_OPEN), tr(HOW_TO_OPEN), parent=self.stack
        )
        self.empty.text.setMinimumWidth(0)  # beside a chat the window may be very narrow
        self.empty.text.setMaximumWidth(420)
        self.waiting = Skeleton(theme, self.stack, words=tr("Opening the document…"))
        for widget in (self.empty, self.waiting, self.text_view, self.pdf_view):
            self.stack.addWidget(widget)
        self._row = build_row(self.side, (self.stack, 1), parent=self, spacing=0)
        self.side.hide()
        add_shortcut(self.side, "Esc", self._focus_text)
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
        """Whether the panel is above the text instead of beside it."""
        return self.width() < NARROW

    def show_document(self, loaded: LoadedDocument) -> DocumentView:
        """Show a document in the view that fits it, and return that view."""
        view: DocumentView
        if loaded.blocks is None:
            view = self.pdf_view
            self.pdf_view.set_document(
                loaded.content or b"",
                loaded.password,
                loaded.text,
                loaded.pages,
                loaded.scanned,
                title=loaded.row.title,
                name=loaded.row.file_name,
                place=loaded.inner_place,
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
        """Place the panel beside the text, or above it in a narrow reader."""
        above = self.is_narrow
        directions = QBoxLayout.Direction
        self._row.setDirection(directions.TopToBottom if above else directions.LeftToRight)
        height = round(ABOVE_SHARE * self.height())
        wide = self.width() >= WIDE_PANEL_FROM
        self.side.place(height if above and self._side_wanted else 0, wide=wide)
        self.side.setVisible(self._side_wanted)

    def _focus_text(self) -> None:
        if self.view is not None:
            self.view.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_side()
