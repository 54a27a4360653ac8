"""The filter by values of documents: type, language, author, tag, reading and enrichment.

Owns the chosen values and their menu. Values of one kind widen the list, kinds narrow it. A tag is
a place of the library (`PlacesList`), also if it is chosen here, so that both show one state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu

from desktop_app.engine.model import DocumentRow
from desktop_app.engine.person_names import split_authors

from ..theme.theme import Theme
from ..translation import later, tr
from ..widgets.menus import add_heading
from ..widgets.words import format_language, format_number, name_format
from .places import PlacesList
from .table_model import DocumentTableModel
from .words import is_finished

FORMAT, LANGUAGE, READING, ENRICHMENT = "format", "language", "reading", "enrichment"
AUTHOR, TAG, PUBLISHED = "author", "tag", "published"
MOST_VALUES = 12  # of one kind, the most frequent ones


@dataclass(frozen=True, slots=True)
class Facet:
    """One kind of value. `words` names a value; `is_long` kinds have a menu of their own."""

    title: str
    words: Callable[[str], str]
    is_long: bool = False


READING_WORDS = {
    "unread": later("Not read yet"),
    "begun": later("Being read"),
    "read": later("Finished"),
}
ENRICHMENT_WORDS = {"yes": later("Enriched"), "no": later("Not enriched")}
FACETS = {
    FORMAT: Facet(later("Type of file"), name_format),
    LANGUAGE: Facet(later("Language"), format_language),
    READING: Facet(later("Reading progress"), lambda value: tr(READING_WORDS[value])),
    ENRICHMENT: Facet(later("Enrichment"), lambda value: tr(ENRICHMENT_WORDS[value])),
    AUTHOR: Facet(later("Author"), lambda value: value, is_long=True),
    PUBLISHED: Facet(later("Published in"), lambda value: value, is_long=True),
    TAG: Facet(later("Tag"), lambda value: value, is_long=True),
}


class ValueFilter(QObject):
    """Narrows the model to documents with the chosen values; `changed` after each choice."""

    changed = Signal()

    def __init__(
        self, theme: Theme, model: DocumentTableModel, places: PlacesList, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._theme, self._model, self._places = theme, model, places
        self._chosen: dict[str, set[str]] = {}
        places.chosen.connect(lambda _: self.changed.emit())

    def chosen(self, kind: str) -> Collection[str]:
        """Return the chosen values of a kind."""
        if kind != TAG:
            return self._chosen.get(kind, set())
        place = self._places.current
        return {place.words} if place.kind == TAG else set()

    @property
    def n_chosen(self) -> int:
        return sum(len(self.chosen(kind)) for kind in FACETS)

    def toggle(self, kind: str, value: str) -> None:
        """Choose a value, or no longer."""
        if kind == TAG:
            if value in self.chosen(TAG):
                self._places.choose("all")
            else:
                self._places.choose(TAG, value)
            return
        self._chosen.setdefault(kind, set()).symmetric_difference_update({value})
        self._apply()

    def clear(self) -> None:
        """Choose nothing, so that all documents of the place are shown."""
        if self.n_chosen:
            self._chosen.clear()
            if self.chosen(TAG):
                self._places.choose("all")
            self._apply()

    def _apply(self) -> None:
        kinds = [kind for kind, values in self._chosen.items() if values]
        self._model.set_choice((lambda row: self._accepts(row, kinds)) if kinds else None)
        self.changed.emit()

    def _accepts(self, row: DocumentRow, kinds: Sequence[str]) -> bool:
        return all(not self._chosen[kind].isdisjoint(self._values(kind, row)) for kind in kinds)

    def _values(self, kind: str, row: DocumentRow) -> Collection[str]:
        """Return the values of a document; those of no kind are empty."""
        if kind == AUTHOR:
            return split_authors(row.author)
        if kind == TAG:
            return row.tags
        if kind == PUBLISHED:
            return tuple(filter(None, (row.container or row.publisher,)))
        if kind == READING:
            share = self._model.share_read(row.id)
            return ("read" if is_finished(share) else "begun" if share else "unread",)
        if kind == ENRICHMENT:
            found = self._model.enrichment_of(row.id)
            return ("yes" if found is not None and found.n_enriched else "no",)
        value = row.format if kind == FORMAT else row.language
        return (value,) if value else ()

    def count_values(self, kind: str) -> Counter[str]:
        """Return the values of a kind with the number of documents that choosing one would show.

        Without those that all of these documents have, which narrow nothing; chosen ones stay.
        """
        others = [k for k, values in self._chosen.items() if values and k != kind]
        rows = self._model.list_candidates(any_place=kind == TAG)
        rows = [row for row in rows if self._accepts(row, others)]
        counts = Counter(value for row in rows for value in set(self._values(kind, row)))
        kept = self.chosen(kind)
        shown = [(v, n) for v, n in counts.most_common() if n < len(rows) or kept]
        return Counter(dict(shown[:MOST_VALUES])) | Counter({v: max(1, counts[v]) for v in kept})

    def build_menu(self, parent: QMenu) -> None:
        """Fill a menu with the values that narrow the list, and the entry that clears it."""
        for kind, facet in FACETS.items():
            counts = self.count_values(kind)
            if not counts:
                continue
            if facet.is_long:
                if parent.actions() and parent.actions()[-1].menu() is None:
                    parent.addSeparator()
                chosen = len(self.chosen(kind))
                title = tr(facet.title)
                target = parent.addMenu(f"{title} ({format_number(chosen)})" if chosen else title)
            else:
                add_heading(parent, tr(facet.title), self._theme)
                target = parent
            for value, n in counts.most_common():
                words = f"{facet.words(value)}  ({format_number(n)})".replace("&", "&&")
                action = target.addAction(words)
                action.setCheckable(True)
                action.setChecked(value in self.chosen(kind))
                action.triggered.connect(
                    lambda _=False, kind=kind, value=value: self.toggle(kind, value)
                )
        if not parent.actions():
            parent.addAction(tr("All documents have the same values")).setEnabled(False)
        parent.addSeparator()
        clear = parent.addAction(tr("Clear filter"), self.clear)
        clear.setEnabled(self.n_chosen > 0)
