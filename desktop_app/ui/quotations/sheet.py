"""The dialog that finds where a quotation stands, while it is typed or as soon as it is pasted.

Owns the text, the search for it and the list of places. A chosen place closes the dialog.
"""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QSize, QTimer, Signal
from PySide6.QtWidgets import QPlainTextEdit, QStackedWidget, QWidget

from desktop_app.engine.errors import UserError
from desktop_app.engine.services.quotation_search import QuotationPlace
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..translation import tr, tr_message, trn
from ..widgets import EmptyState, Label, PrimaryButton, build_column, build_row
from ..widgets.layout import STRETCH
from ..widgets.sheet import Sheet, inset
from ..widgets.tables import ROW_ROLE
from .place_list import MINUS, PLUS, PlaceList, list_shown_pieces

WIDTH, HEIGHT, FIELD_HEIGHT = 760, 640, 96
TYPING_MS = 200
MOST_PLACES = 20


class QuotationSheet(Sheet):
    """Emits `place_chosen` with document, start and end; `text_kept` with the text at the end.

    Args:
        text: the quotation to begin with.
    """

    place_chosen = Signal(int, int, int)
    text_kept = Signal(str)

    def __init__(
        self, context: SessionContext, text: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(tr("Find a quotation"), parent)
        self._context = context
        self._serial = 0
        theme = context.theme
        self.field = QPlainTextEdit(text)
        self.field.setAccessibleName(tr("Quotation"))
        self.field.setPlaceholderText(
            tr("Paste a sentence or more. “…” stands for words that are left out.")
        )
        self.field.setProperty("kind", "field")
        self.field.setTabChangesFocus(True)
        self.field.setFixedHeight(theme.length(FIELD_HEIGHT))
        self.add(self.field)
        self.count = Label("", "small")
        self.legend = Label("", "small")
        line = QWidget()
        build_row(self.count, STRETCH, self.legend, parent=line, spacing=12)
        self.column.addLayout(inset(line))
        self.list = PlaceList(theme)
        self.empty = EmptyState(theme, "ph.quotes", "", "")
        self.stack = QStackedWidget()
        for page in (self.list, self.empty):
            self.stack.addWidget(page)
        body = QWidget()
        build_column((self.stack, 1), parent=body, spacing=0)
        self.column.addWidget(body, 1)
        close = PrimaryButton(tr("Close"))
        close.clicked.connect(self.reject)
        self.add_foot([close], line=True)
        self._timer = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._timer.timeout.connect(self._search)
        self.field.textChanged.connect(self._timer.start)
        self.list.clicked.connect(self._choose)
        self.list.activated.connect(self._choose)
        self.finished.connect(lambda _: self.text_kept.emit(self.field.toPlainText()))
        self.fit(theme.breadth(WIDTH), HEIGHT)
        self._explain()
        self.field.selectAll()
        self.field.setFocus()
        if text:
            self._search()

    def minimumSizeHint(self) -> QSize:
        return QSize(480, 420)

    def _explain(self) -> None:
        self._show_state(
            tr("Where does it stand?"),
            tr(
                "The library names the document, the page and the chapter, also where the "
                "quotation has errors, missing or other words, or the other Chinese script."
            ),
        )

    def _show_state(self, title: str, text: str) -> None:
        self.empty.set_texts(title, text)
        self.stack.setCurrentWidget(self.empty)
        self.count.setText("")
        self.legend.setText("")

    def _search(self) -> None:
        self._timer.stop()
        self._serial += 1
        serial, text = self._serial, self.field.toPlainText().strip()
        if not text:
            self._explain()
            return

        def show(places: list[QuotationPlace]) -> None:
            if serial == self._serial:
                self.show_places(places)

        def refuse(error: BaseException) -> None:
            if not isinstance(error, UserError):
                self._context.messages.show_error(error)
            elif serial == self._serial:
                self._show_state(tr_message(error.message), tr_message(error.hint))

        reader = self._context.library_reader

        def find() -> list[QuotationPlace]:
            places = reader.find_quotation(text, MOST_PLACES)
            for place in places:
                list_shown_pieces(place)  # kept for the window's thread
            return places

        query = Query(self._context.reader_lane, find, owner=self)
        query.on_success(show).on_error(refuse).run()

    def show_places(self, places: list[QuotationPlace]) -> None:
        """Show what was found."""
        if not places:
            self._show_state(
                tr("This quotation is not in the library"),
                tr("Only documents that were read are searched. Try a longer piece of it."),
            )
            return
        self.count.setText(trn("{n} place", "{n} places", len(places)))
        is_different = any(place.wording != "exact" for place in places)
        legend = tr(
            "{plus} only in the document   {minus} only in the quotation", plus=PLUS, minus=MINUS
        )
        self.legend.setText(legend if is_different else "")
        self.list.show_places(places)
        self.stack.setCurrentWidget(self.list)

    def _choose(self, index: QModelIndex) -> None:
        if not self.isVisible():
            return  # a system that opens by one click sends both signals
        place: QuotationPlace = index.data(ROW_ROLE)
        self.accept()
        self.place_chosen.emit(place.document_id, place.start, place.end)
