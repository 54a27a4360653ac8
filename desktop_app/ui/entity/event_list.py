"""The events of an entity in the order of the text, with a choice of one kind.

Owns which kind is shown. Reads nothing itself: it receives rows and emits requests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QWidget

from desktop_app.engine.model import ACTOR, PATIENT, PLACE, EventRow
from desktop_app.engine.text.shown_text import show_text

from ..theme.theme import Theme
from ..translation import later, tr
from ..widgets import STRETCH, ChoiceBox, build_column, build_row, format_number, join_words
from ..widgets.emphasis import cut_around, find_name_spans
from ..widgets.words import describe_page
from .quote_list import QuoteList
from .quotes import CLAIM, GROUP, Quote

# By kind of `words/events.toml`: its name, then what to say where both are known, only who does it,
# or only to whom.
KIND_WORDS = {
    "dies": (later("dies"), "", later("{actor} dies"), later("{patient} dies")),
    "kills": (
        later("kills"),
        later("{actor} kills {patient}"),
        later("{actor} kills someone"),
        later("{patient} is killed"),
    ),
    "marries": (
        later("marries"),
        later("{actor} marries {patient}"),
        later("{actor} marries"),
        later("{patient} is married"),
    ),
    "born": (
        later("is born"),
        later("{actor} gives birth to {patient}"),
        later("{actor} gives birth"),
        later("{patient} is born"),
    ),
    "meets": (
        later("meets"),
        later("{actor} meets {patient}"),
        later("{actor} meets someone"),
        later("Someone meets {patient}"),
    ),
    "helps": (
        later("helps"),
        later("{actor} helps {patient}"),
        later("{actor} helps someone"),
        later("Someone helps {patient}"),
    ),
    "fights": (
        later("fights"),
        later("{actor} fights {patient}"),
        later("{actor} fights"),
        later("Someone fights {patient}"),
    ),
    "wins": (
        later("wins"),
        later("{actor} defeats {patient}"),
        later("{actor} wins"),
        later("{patient} is defeated"),
    ),
    "captures": (
        later("captures"),
        later("{actor} captures {patient}"),
        later("{actor} captures someone"),
        later("{patient} is captured"),
    ),
    "wounds": (
        later("wounds"),
        later("{actor} wounds {patient}"),
        later("{actor} wounds someone"),
        later("{patient} is wounded"),
    ),
    "departs": (
        later("departs"),
        later("{actor} leaves {patient}"),
        later("{actor} departs"),
        later("Someone leaves {patient}"),
    ),
    "arrives": (later("arrives"), "", later("{actor} arrives"), later("{patient} arrives")),
    "appointed": (
        later("is appointed"),
        later("{actor} appoints {patient}"),
        later("{actor} appoints someone"),
        later("{patient} is appointed"),
    ),
    "vows": (
        later("takes vows"),
        later("{actor} takes vows with {patient}"),
        later("{actor} takes vows"),
        later("{patient} takes vows"),
    ),
    "betrays": (
        later("betrays"),
        later("{actor} betrays {patient}"),
        later("{actor} betrays someone"),
        later("{patient} is betrayed"),
    ),
    "learns": (
        later("learns"),
        "",
        later("{actor} learns something"),
        later("{patient} learns something"),
    ),
    "gives": (
        later("gives"),
        later("{actor} gives something to {patient}"),
        later("{actor} gives something"),
        later("{patient} is given something"),
    ),
    "tells": (
        later("says"),
        later("{actor} speaks to {patient}"),
        later("{actor} speaks to someone"),
        later("Someone speaks to {patient}"),
    ),
}


def format_event(event: EventRow) -> str:
    """Return what happens in one line: "Orlick fights Joe".

    A kind without words is shown as the library has it: a newer program may have written it.
    """
    actors, patients = (
        join_words([part.name for part in event.parts if part.role == role])
        for role in (ACTOR, PATIENT)
    )
    words, both, active, passive = KIND_WORDS.get(event.kind, (event.kind, "", "", ""))
    form = (both or active) if actors and patients else active if actors else passive
    return tr(form, actor=actors, patient=patients) if form else tr(words)


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
        self.kinds.setVisible(len(counts) > 1)
        self._show()

    def _show(self) -> None:
        kind = self.kinds.currentData()
        self.quotes.set_quotes(quote_events(e for e in self._events if kind in ("", e.kind)))

    def _ask_for_menu(self, event_id: int, point: QPoint) -> None:
        event = next((e for e in self._events if e.id == event_id), None)
        if event is not None:
            self.menu_wanted.emit(event, point)
