"""The filters of the highlights screen: which entries are listed.

Owns the boxes and what they offer. Knows no list; the screen lists what `wanted` fits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QWidget

from desktop_app.engine.services.annotation_entries import AnnotationEntry, EntryFilter

from ..theme.theme import Theme
from ..translation import tr
from ..widgets import Button, CheckBox, Flow, build_column
from ..widgets.fields import ChoiceBox
from ..widgets.highlight_colors import COLOR_WORDS, color_icon
from .list import NO_FILES, describe_title

CHOICE_CHARS = 10  # the boxes and “With a note” share a line of a window of 1280 pixels


class EntryFilters(QWidget):
    """A row of filters, with other controls of the list before them.

    `changed` is emitted when the user chooses something.
    """

    changed = Signal()

    def __init__(self, theme: Theme, before: Sequence[QWidget] = ()) -> None:
        super().__init__()
        self._theme = theme
        self._collections: Mapping[str, frozenset[int]] = {}
        self.document = self._add_choice(tr("Document"))
        self.collection = self._add_choice(tr("Collection"))
        self.tag, self.color = self._add_choice(tr("Tag")), self._add_choice(tr("Colour"))
        self.with_note = CheckBox(tr("With a note"))
        self.with_note.toggled.connect(lambda _: self.changed.emit())
        self.clear_button = Button(tr("Clear filters"), kind="quiet")
        line = Flow(gap=8)
        line.add(*before, *self.boxes, self.with_note, self.clear_button)
        for part in (self.collection, self.tag, self.clear_button):
            part.hide()  # from the start: the list below would move
        build_column(line, parent=self, margins=(16, 8, 16, 8))
        theme.changed.connect(self._fill_colors)

    @property
    def boxes(self) -> tuple[ChoiceBox, ...]:
        return self.document, self.collection, self.tag, self.color

    def _add_choice(self, name: str) -> ChoiceBox:
        box = build_choice(name)
        box.currentIndexChanged.connect(lambda _: self.changed.emit())
        return box

    def fill(
        self,
        entries: Sequence[AnnotationEntry],
        collections: Mapping[str, frozenset[int]],
        files: Mapping[int, str] = NO_FILES,
    ) -> None:
        """Offer what the entries have; what is chosen stays chosen.

        Args:
            collections: the documents of each collection that has entries.
            files: what tells documents with the same title apart, `distinguish_titles`.
        """
        self._collections = collections
        titles = {entry.mark.document_id: describe_title(entry, files) for entry in entries}
        own = {tag.casefold(): tag for entry in entries for tag in entry.mark.tags}
        shared = {tag.casefold(): tag for entry in entries for tag in entry.reference.tags}
        tags = [own[key] for key in sorted(own)]
        tags += [shared[key] for key in sorted(shared.keys() - own.keys())]
        _fill(self.document, tr("All documents"), [(t, i) for i, t in titles.items()])
        _fill(self.collection, tr("All collections"), [(n, n) for n in sorted(collections)])
        _fill(self.tag, tr("All tags"), [(tag, tag) for tag in tags])
        for place in range(1, self.tag.count()):
            is_own = self.tag.itemData(place).casefold() in own
            icon = "ph.tag" if is_own else "document"
            self.tag.setItemIcon(place, self._theme.icon(icon, color="text2"))
            if not is_own:
                words = tr("Tag of documents")
                self.tag.setItemData(place, words, Qt.ItemDataRole.ToolTipRole)
        self._fill_colors()
        self.collection.setVisible(bool(collections))  # a box without choices says nothing
        self.tag.setVisible(bool(tags))

    def _fill_colors(self) -> None:
        choices = [(tr(words), color) for color, words in COLOR_WORDS.items()]
        _fill(self.color, tr("All colours"), [*choices, (tr("Bookmarks"), "bookmark")])
        for place, color in enumerate(COLOR_WORDS, 1):
            self.color.setItemIcon(place, color_icon(self._theme, color))

    def find_wanted(self, text: str) -> EntryFilter:
        """Return what the filters ask for, with the words of a search."""
        documents: frozenset[int] | None = None
        if (document := self.document.currentData()) is not None:
            documents = frozenset({document})
        if (collection := self.collection.currentData()) is not None:
            members = self._collections.get(collection, frozenset())
            documents = members if documents is None else documents & members
        return EntryFilter(
            text=text.strip(),
            document_ids=documents,
            tag=self.tag.currentData() or "",
            color=self.color.currentData() or "",
            with_note=self.with_note.isChecked(),
        )

    def clear(self) -> None:
        """Ask for all entries; `changed` is emitted for each filter that narrowed the list."""
        for box in self.boxes:
            box.setCurrentIndex(0)
        self.with_note.setChecked(False)

    def mark_active(self, *, narrows: bool) -> None:
        """Mark the boxes that narrow the list, and offer to clear the filters if one does."""
        for box in self.boxes:
            box.mark_active(box.currentData() is not None)
        self.clear_button.setVisible(narrows)


def build_choice(name: str) -> ChoiceBox:
    """Return a box whose width does not follow its choices, so that its neighbours stay."""
    box = ChoiceBox()
    box.setAccessibleName(name)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(CHOICE_CHARS)
    return box


def _fill(box: QComboBox, every: str, choices: Sequence[tuple[str, object]]) -> None:
    chosen = box.currentData()
    box.blockSignals(True)
    box.clear()
    box.addItem(every, None)
    for text, value in choices:
        box.addItem(text, value)
        box.setItemData(box.count() - 1, text, Qt.ItemDataRole.ToolTipRole)
    box.setCurrentIndex(max(0, box.findData(chosen)) if chosen is not None else 0)
    box.blockSignals(False)
