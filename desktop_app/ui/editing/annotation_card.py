"""The popup cards that edit highlights: note, colour and tags of one, tags of several.

Owns their content and what was changed. Runs no edit: signals carry what is wanted.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QWidget

from desktop_app.engine.services.annotations import COLORS, Annotation
from desktop_app.engine.services.documents import tidy_tags

from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets.buttons import Button, IconButton
from ..widgets.cards import Card
from ..widgets.fields import WordList
from ..widgets.labels import Label
from ..widgets.layout import STRETCH, build_row
from ..widgets.note_colors import Swatch

WIDTH = 340  # pixels
NOTE_HEIGHT = 96  # pixels


def describe_removal(mark: Annotation) -> str:
    """Return the words of the button that removes an annotation."""
    if mark.area is not None:
        return tr("Remove area")
    return tr("Remove bookmark") if mark.kind == "bookmark" else tr("Remove highlight")


class TagField(WordList):
    """The tags of highlights, completed from those that are known."""

    def __init__(self, theme: Theme, tags: Sequence[str], known: Sequence[str]) -> None:
        super().__init__(theme, tr("Tags"))
        self.field.setPlaceholderText(tr("Add tags, separated by commas"))
        self.set_completions(known)
        self.set_words(tuple(tags))


class AnnotationCard(Card):
    """Edits one annotation.

    `changed` carries its id, colour, note and tags if it was edited.

    Args:
        known_tags: of the library, for completion.
        can_ask: whether there is a button for questions about the passage.
    """

    changed = Signal(int, str, str, object)
    removed = Signal(int)
    asked = Signal(object)
    copied = Signal(object)

    def __init__(
        self,
        theme: Theme,
        mark: Annotation,
        parent: QWidget,
        *,
        known_tags: Sequence[str] = (),
        can_ask: bool = True,
    ) -> None:
        super().__init__(theme, WIDTH, parent)
        self._mark = mark
        self._is_removed = False
        top = QHBoxLayout()
        top.setSpacing(2)
        self.swatches = [Swatch(theme, color) for color in COLORS]
        for swatch in self.swatches:
            swatch.setChecked(swatch.color == mark.color)
            swatch.setVisible(mark.kind == "highlight")
            top.addWidget(swatch)
        top.addStretch(1)
        remove = IconButton(theme, "delete", describe_removal(mark))
        remove.clicked.connect(self._remove)
        close = IconButton(theme, "close", tr("Close"), shortcut="Esc")
        close.clicked.connect(self.close_card)
        top.addWidget(remove)
        top.addWidget(close)
        self.column.addLayout(top)
        self.note = QPlainTextEdit(mark.note)
        self.note.setProperty("kind", "field")
        self.note.setPlaceholderText(tr("Add a note"))
        self.note.setAccessibleName(tr("Note"))
        self.note.setTabChangesFocus(True)
        self.note.setFixedHeight(NOTE_HEIGHT)
        self.column.addWidget(self.note)
        self.tags = TagField(theme, mark.tags, known_tags)
        self.tags.changed.connect(self.place)
        self.column.addWidget(self.tags)
        self.ask = Button(tr("Ask about this"))
        self.copy = Button(tr("Copy with citation") if mark.area is None else tr("Copy picture"))
        is_highlight = mark.kind == "highlight"
        self.ask.setVisible(is_highlight and can_ask and bool(mark.quote))
        self.copy.setVisible(is_highlight)
        self.column.addLayout(build_row(self.ask, self.copy, STRETCH))
        self.ask.clicked.connect(self._ask)
        self.copy.clicked.connect(self._copy)
        self.closed.connect(self._emit_changes)
        self.note.setFocus()

    def chosen_color(self) -> str:
        return next((s.color for s in self.swatches if s.isChecked()), self._mark.color)

    def _remove(self) -> None:
        self._is_removed = True
        self.close_card()
        self.removed.emit(self._mark.id)

    def _ask(self) -> None:
        self.close_card()
        self.asked.emit(self._mark)

    def _copy(self) -> None:
        self.close_card()
        self.copied.emit(self._mark)

    def _emit_changes(self) -> None:
        note, color = self.note.toPlainText().strip(), self.chosen_color()
        tags = tuple(tidy_tags(self.tags.words()))
        before = self._mark.note, self._mark.color, self._mark.tags
        if not self._is_removed and (note, color, tags) != before:
            self.changed.emit(self._mark.id, color, note, tags)


class TagsCard(Card):
    """Edits the tags that several annotations share.

    `changed` carries the tags to add and those to take away.

    Args:
        marks: the annotations, at least one; tags that only some of them have stay.
    """

    changed = Signal(object, object)

    def __init__(
        self, theme: Theme, marks: Sequence[Annotation], parent: QWidget, known_tags: Sequence[str]
    ) -> None:
        super().__init__(theme, WIDTH, parent)
        self._shared = sorted(set.intersection(*(set(mark.tags) for mark in marks)))
        n = len(marks)
        title = Label(trn("Tags of {n} entry", "Tags of {n} entries", n), "strong")
        close = IconButton(theme, "close", tr("Close"), shortcut="Esc")
        close.clicked.connect(self.close_card)
        self.column.addLayout(build_row((title, 1), close))
        self.tags = TagField(theme, self._shared, known_tags)
        self.tags.changed.connect(self.place)
        self.column.addWidget(self.tags)
        some = sorted({tag for mark in marks for tag in mark.tags} - set(self._shared))
        if some:
            words = tr("Only some have: {tags}", tags=tr(", ").join(some))
            self.column.addWidget(Label(words, "small", wrap=True))
        self.closed.connect(self._emit_changes)
        self.tags.field.setFocus()

    def _emit_changes(self) -> None:
        now = tidy_tags(self.tags.words())
        added = [tag for tag in now if tag not in self._shared]
        dropped = [tag for tag in self._shared if tag not in now]
        if added or dropped:
            self.changed.emit(added, dropped)
