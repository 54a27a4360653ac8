"""The events of an entity in the order of the text, with a choice of one kind.

Owns which kind is shown. Reads nothing itself: it receives rows and emits requests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QWidget

from desktop_app.engine.model import PLACE, EventRow
from desktop_app.engine.text.shown_text import show_text

from ..theme.theme import Theme
from ..translation import tr
from ..widgets import STRETCH, ChoiceBox, build_column, build_row, format_number, join_words
from ..widgets.emphasis import cut_around, find_name_spans
from ..widgets.event_words import KIND_WORDS, format_event
from ..widgets.words import describe_page
from .quote_list import QuoteList
from .quotes import CLAIM, GROUP, Quote


def quote_events(events: Iterable[EventRow]) -> list[Quote]:
    """Return events with their sentences, with a heading for each new document or chapter."""
    rows: list[Quote] = []
    last: tuple[int, str] | None = None
    for event in events:
        here = (event.document_id, event.heading)
        if here != last:
            rows.append(Quote(GROUP, title=event.document_title, detail=event.heading))
            last = here
        sentence = show_text(event.sentence, one_line=True).with_closed_quotes()
        names = [words for part in event.parts for words in (part.name, part.written)]
        sentence, marks = cut_around(sentence, find_name_spans(sentence.text, names))
        places = join_words([part.name for part in event.parts if part.role == PLACE])
        rows.append(
            Quote(
                CLAIM,
                title=format_event(event),
                detail=tr("place: {name}", name=places) if places else "",
                text=sentence.text,
                marks=marks,
                italics=sentence.italics,
                bolds=sentence.bolds,
                count=describe_page(event.page_label),
                mark=tr("edited by you") if event.is_edited else "",
                mark_tip=tr("You added or corrected this event") if event.is_edited else "",
                place=(event.document_id, event.word_start, event.word_end),
                tie_id=event.id,
            )
        )
    return rows


class EventList(QWidget):
    """Emits the place of a clicked event, or the event whose menu is requested."""

    menu_wanted = Signal(object, QPoint)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._events: Sequence[EventRow] = ()
        self.kinds = ChoiceBox(self)
        self.kinds.setAccessibleName(tr("Kind of event"))
        self.kinds.currentIndexChanged.connect(lambda _: self._show())
        self.quotes = QuoteList(theme, tr("Events"), self)
        self.quotes.menu_wanted.connect(self._ask_for_menu)
        build_column(
            build_row(self.kinds, STRETCH, margins=(12, 4, 12, 4)),
            self.quotes,
            parent=self,
            spacing=0,
        )

    def set_events(self, events: Sequence[EventRow]) -> None:
        """Show events, in the order of the text; the chosen kind stays while it still occurs."""
        self._events = events
        chosen = self.kinds.currentData()
        counts = Counter(event.kind for event in events)
        self.kinds.blockSignals(True)
        self.kinds.clear()
        self.kinds.addItem(tr("All kinds ({n})", n=format_number(len(events))), "")
        for kind in (kind for kind in KIND_WORDS if counts[kind]):
            words = tr("{kind} ({n})", kind=tr(KIND_WORDS[kind][0]), n=format_number(counts[kind]))
            self.kinds.addItem(words, kind)
        self.kinds.setCurrentIndex(max(0, self.kinds.findData(chosen)))
        self.kinds.blockSignals(False)
        self.kinds.fit_choices()
        self.kinds.setVisible(len(counts) > 1)
        self._show()

    def _show(self) -> None:
        kind = self.kinds.currentData()
        self.quotes.set_quotes(quote_events(e for e in self._events if kind in ("", e.kind)))

    def _ask_for_menu(self, event_id: int, point: QPoint) -> None:
        event = next((e for e in self._events if e.id == event_id), None)
        if event is not None:
            self.menu_wanted.emit(event, point)
