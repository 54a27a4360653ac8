"""The area under the reader's head: the view in use or an empty state, and the side panel.

Owns which of these is shown and whether the panel is beside the text or above it: it never covers
the text. Fetches nothing.
"""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from desktop_app.workers.failures import FailureHandler

from ..theme.theme import Theme
from ..translation import later, tr
from ..widgets.buttons import PrimaryButton, add_shortcut
from ..widgets.layout import build_column
from ..widgets.states import EmptyState, Skeleton
from .loading import LoadedDocument
from .name_legend import NameLegend
from .pdf.view import PdfView
from .side_panel import LEAST_WIDTH, MOST_WIDTH, ReaderSidePanel
from .text.view import TextView
from .view import DocumentView

NARROW = 560  # below this width the panel is above the text
PANEL_WIDTH = 308  # pixels: the words of five tabs, and titles of chapters on two lines
MOST_PANEL_SHARE = 0.45  # of the width of the reader
LEAST_TEXT = 320  # pixels beside the panel
ABOVE_SHARE = 0.34  # of the height, for a panel above the text
NOTHING_OPEN = later("Nothing is open")
HOW_TO_OPEN = later("Open a document from the library, or click a citation to open its passage.")


class ReaderBody(QWidget):
    """The two views, the loading state and the empty state, with the side panel at the left.

    Args:
        on_failure: shows why a page of a PDF can't be drawn.
    """

    side_width_chosen = Signal(int)  # pixels, when the edge of the panel was dragged

    def __init__(
        self, theme: Theme, on_failure: FailureHandler, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._side_wanted, self._side_width = False, PANEL_WIDTH
        # each widget has its last parent from the start, because another one restyles it
        self._splitter = QSplitter(self)
        self._splitter.setHandleWidth(1)
        self._splitter.setChildrenCollapsible(False)
        self.stack = QStackedWidget(self._splitter)
        self.text_view = TextView(theme, self.stack)
        self.pdf_view = PdfView(theme, on_failure, self.stack)
        self.side = ReaderSidePanel(theme, self.pdf_view.worker, self._splitter)
        self.side.thumbs.set_shown_part(self.pdf_view.shown_part)
        self.pdf_view.margins_changed.connect(self.side.thumbs.show_other_parts)
        self._splitter.insertWidget(0, self.side)
        for index in (0, 1):  # more width is for the text
            self._splitter.setStretchFactor(index, index)
        self.outline = self.side.outline
        self.restore_button = PrimaryButton(tr("Restore"), theme=theme, icon="undo")
        self.restore_button.hide()
        self.empty = EmptyState(
            *(theme, "reader", tr(NOTHING_OPEN), tr(HOW_TO_OPEN), (self.restore_button,)),
            parent=self.stack,
        )
        self.empty.text.setMinimumWidth(0)  # beside a chat the window may be very narrow
        self.empty.text.setMaximumWidth(420)
        self.waiting = Skeleton(theme, self.stack, words=tr("Opening the document…"))
        for widget in (self.empty, self.waiting, self.text_view, self.pdf_view):
            self.stack.addWidget(widget)
        self.side.hide()
        self._splitter.splitterMoved.connect(self._keep_side_width)
        self.legend = NameLegend(theme, self)
        build_column(self.legend, (self._splitter, 1), parent=self, spacing=0)
        for page_view in (self.text_view, self.pdf_view):
            self.legend.hidden_kinds_changed.connect(page_view.set_hidden_kinds)
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
                rotations=loaded.rotations,
            )
        else:
            view = self.text_view
            self.pdf_view.clear()
            self.text_view.set_document(loaded.text, loaded.blocks)
        self.waiting.stop()
        self.side.set_paged(view is self.pdf_view)
        self.legend.set_paged(view is self.pdf_view)
        self.stack.setCurrentWidget(view)
        return view

    def show_waiting(self) -> None:
        self.stack.setCurrentWidget(self.waiting)
        self.waiting.start()

    def show_empty(
        self, title: str = "", text: str = "", icon: str = "reader", *, can_restore: bool = False
    ) -> None:
        """Show that nothing is open, or why a document can't be shown.

        Args:
            can_restore: offers to restore it from the trash.
        """
        if not title:
            title, text = tr(NOTHING_OPEN), tr(HOW_TO_OPEN)
        self.waiting.stop()
        self.pdf_view.clear()
        self.empty.set_texts(title, text, icon)
        self.restore_button.setVisible(can_restore)
        self.show_side(False)
        self.stack.setCurrentWidget(self.empty)

    def show_side(self, shown: bool) -> None:
        self._side_wanted = shown
        self._place_side()

    def set_side_width(self, width: int) -> None:
        """Give the panel beside the text a width in pixels, as far as there is room for it."""
        self._side_width = min(max(width, LEAST_WIDTH), MOST_WIDTH)
        self._place_side()

    def _place_side(self) -> None:
        """Place the panel beside the text, or above it in a narrow reader."""
        above = self.is_narrow
        orientation = Qt.Orientation.Vertical if above else Qt.Orientation.Horizontal
        self._splitter.setOrientation(orientation)
        height = round(ABOVE_SHARE * self.height())
        self.side.place(height if above and self._side_wanted else 0)
        self.side.setVisible(self._side_wanted)
        most = min(round(MOST_PANEL_SHARE * self.width()), self.width() - LEAST_TEXT - 1)
        size = height if above else max(LEAST_WIDTH, min(self._side_width, most))
        room = self._splitter.height() if above else self.width()
        self._splitter.setSizes([size, max(1, room - size - 1)])

    def _keep_side_width(self) -> None:
        if not self.is_narrow:
            self._side_width = self.side.width()
            self.side_width_chosen.emit(self._side_width)

    def _focus_text(self) -> None:
        if self.view is not None:
            self.view.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_side()
