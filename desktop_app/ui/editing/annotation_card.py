"""The popup cards that edit highlights: note, colour and tags of one, tags of several.

Owns their content and what was changed. Runs no edit: signals carry what is wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import cast

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine.services.annotations import Annotation
from desktop_app.engine.services.documents import tidy_tags

from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets.buttons import Button, IconButton
from ..widgets.cards import Card
from ..widgets.fields import WordList
from ..widgets.highlight_colors import COLOR_WORDS, Swatch
from ..widgets.labels import ElidedLabel, Label
from ..widgets.layout import STRETCH, build_column, build_row, scroll_area
from ..widgets.save_timer import SaveTimer

WIDTH = 340  # pixels
NOTE_HEIGHT = 96  # pixels
MOST_OFFERED = 6  # known tags that are offered at once
SHARED_ROOM = 196  # pixels at most for the tags that only some annotations have
TAG_ROLE = Qt.ItemDataRole.UserRole
_sessions = count(1)  # of writing, one for each card


def describe_removal(mark: Annotation) -> str:
    """Return the words of the button that removes an annotation."""
    if mark.area is not None:
        return tr("Remove area")
    return tr("Remove bookmark") if mark.kind == "bookmark" else tr("Remove highlight")


class TagField(WordList):
    """The tags of highlights. While one is typed, the known tags that contain it are listed.

    A typed tag is added by Return or a comma; it stays in the field when the field is left, and
    `words` has it. `resized` is emitted when the list comes, changes or goes.
    """

    resized = Signal()

    def __init__(self, theme: Theme, tags: Sequence[str], known: Sequence[str]) -> None:
        super().__init__(theme, tr("Tags"), adds_on_leaving=False)
        self._known = sorted(known, key=str.casefold)
        self.field.setPlaceholderText(tr("Add tags, separated by commas"))
        self.offered = QListWidget()
        self.offered.setObjectName("tagSuggestions")
        self.offered.setAccessibleName(tr("Known tags"))
        self.offered.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the field keeps the keyboard
        self.offered.setMouseTracking(True)
        self.offered.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.offered.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.offered.hide()
        self.offered.entered.connect(self._point_at)
        self.offered.clicked.connect(lambda index: self._take(self.offered.item(index.row())))
        self._column = cast(QVBoxLayout, self.layout())
        self._column.addWidget(self.offered)
        self.field.installEventFilter(self)
        self.field.textEdited.connect(lambda _: self._offer())
        self.changed.connect(self._hide_offered)
        self.set_words(tuple(tags))

    def find_known(self, typed: str) -> list[str]:
        """Return the known tags that contain a text and are not chosen, its beginnings first."""
        part, chosen = typed.casefold(), {word.casefold() for word in self._words}
        found = [
            tag for tag in self._known if part in tag.casefold() and tag.casefold() not in chosen
        ]
        return sorted(found, key=lambda tag: not tag.casefold().startswith(part))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut:
            reason = cast(QFocusEvent, event).reason()
            if reason != Qt.FocusReason.ActiveWindowFocusReason:
                self._hide_offered()
        if event.type() != QEvent.Type.KeyPress:
            return False
        key, keys = cast(QKeyEvent, event).key(), Qt.Key
        if key in (keys.Key_Down, keys.Key_Up):
            self._step(1 if key == keys.Key_Down else -1)
            return True
        item = self.offered.currentItem()
        if key in (keys.Key_Return, keys.Key_Enter) and item is not None:
            self._take(item)
            return True
        return False

    def _offer(self, *, all_of_them: bool = False) -> None:
        """List what fits to the typed word; all known tags for an empty field if wanted."""
        typed = self.typed_word()
        found = self.find_known(typed)[:MOST_OFFERED] if typed or all_of_them else []
        rows = [(tag, tag) for tag in found]
        if typed and typed.casefold() not in (tag.casefold() for tag in (*self._known, *found)):
            rows.append((tr("New tag: {tag}", tag=typed), typed))
        self.offered.clear()
        for text, tag in rows:
            item = QListWidgetItem(text, self.offered)
            item.setData(TAG_ROLE, tag)
        if not rows:
            self._hide_offered()
            return
        self.offered.ensurePolished()
        height = sum(self.offered.sizeHintForRow(row) for row in range(len(rows)))
        self.offered.setFixedHeight(height + 2 * self.offered.frameWidth() + 2)
        self.offered.show()
        self._report_size()

    def _hide_offered(self) -> None:
        self.offered.clear()
        if not self.offered.isHidden():
            self.offered.hide()
            self._report_size()

    def _report_size(self) -> None:
        self._column.activate()  # else a card around it would get the size of before
        self.resized.emit()

    def _step(self, step: int) -> None:
        """Go to the next row of the list, from its end to the field and on to its other end."""
        if self.offered.isHidden():
            self._offer(all_of_them=True)
        n = self.offered.count() + 1  # with the field
        self.offered.setCurrentRow((self.offered.currentRow() + 1 + step) % n - 1)

    def _point_at(self, index: QModelIndex) -> None:
        self.offered.setCurrentRow(index.row())

    def _take(self, item: QListWidgetItem) -> None:
        self.complete_word(item.data(TAG_ROLE))


class SomeHaveTag(QWidget):
    """A tag that only some annotations have, with what is done with it when the card closes.

    `added` is emitted when all are to have it. `is_dropped` is whether none is to have it.
    """

    added = Signal(str)

    def __init__(self, tag: str, n_with: int, n: int) -> None:
        super().__init__()
        self.tag, self.is_dropped = tag, False
        self.name = ElidedLabel(tag)
        self.count = Label(tr("{n} of {all}", n=n_with, all=n), "small")
        self.give = Button(tr("Add to all"), kind="link")
        self.drop = Button(tr("Remove"), kind="link")
        self.keep = Button(tr("Keep"), kind="link")
        self.give.setAccessibleName(tr("Add the tag {tag} to all", tag=tag))
        self.drop.setAccessibleName(tr("Remove the tag {tag} from all", tag=tag))
        self.keep.setAccessibleName(tr("Keep the tag {tag}", tag=tag))
        self.give.clicked.connect(lambda: self.added.emit(self.tag))
        self.drop.clicked.connect(lambda: self._set_dropped(True))
        self.keep.clicked.connect(lambda: self._set_dropped(False))
        self.keep.hide()
        build_row((self.name, 1), self.count, self.give, self.drop, self.keep, parent=self)

    def _set_dropped(self, is_dropped: bool) -> None:
        """Mark the tag as one that is taken from all, by a line through it, or as one to keep."""
        self.is_dropped = is_dropped
        font = self.name.font()
        font.setStrikeOut(is_dropped)
        self.name.setFont(font)
        for button in (self.give, self.drop, self.count):
            button.setHidden(is_dropped)
        self.keep.setVisible(is_dropped)
        (self.keep if is_dropped else self.drop).setFocus()


def _build_done(card: Card) -> Button:
    """Return the button that closes a card and so stores what was changed in it."""
    done = Button(tr("Done"), kind="link")
    done.setToolTip(tr("Close (Esc)"))
    done.clicked.connect(card.close_card)
    return done


class AnnotationCard(Card):
    """Edits one annotation.

    `changed` carries its id, colour, note, tags and the session of writing if it was edited: a few
    seconds after the first change that is not stored yet, and when the card closes. A tag that is
    still typed is stored when it closes.

    Args:
        known_tags: of the library, for completion.
        can_ask: whether there is a button for questions about the passage.
    """

    changed = Signal(int, str, str, object, str)
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
        self._stored = mark.note, mark.color, mark.tags
        self._session = f"card/{next(_sessions)}"  # not shown
        self._is_removed = False
        self._timer = SaveTimer(self)
        top = QHBoxLayout()
        top.setSpacing(2)
        self.swatches = [Swatch(theme, color) for color in COLOR_WORDS]
        for swatch in self.swatches:
            swatch.setChecked(swatch.color == mark.color)
            swatch.setVisible(mark.kind == "highlight")
            swatch.clicked.connect(self._timer.begin)
            top.addWidget(swatch)
        remove = IconButton(theme, "delete", describe_removal(mark))
        remove.clicked.connect(self._remove)
        top.addSpacing(8)
        top.addWidget(remove)
        top.addStretch(1)
        top.addWidget(_build_done(self))
        self.column.addLayout(top)
        self.note = QPlainTextEdit(mark.note)
        self.note.setProperty("kind", "field")
        self.note.setPlaceholderText(tr("Add a note"))
        self.note.setAccessibleName(tr("Note"))
        self.note.setTabChangesFocus(True)
        self.note.setFixedHeight(NOTE_HEIGHT)
        self.note.textChanged.connect(self._timer.begin)
        self.column.addWidget(self.note)
        self.tags = TagField(theme, mark.tags, known_tags)
        self.tags.changed.connect(self.place)
        self.tags.changed.connect(self._timer.begin)
        self.tags.resized.connect(self.place)
        self.column.addWidget(self.tags)
        self.ask = Button(tr("Ask about this"))
        self.copy = Button(tr("Copy with citation") if mark.area is None else tr("Copy picture"))
        is_highlight = mark.kind == "highlight"
        self.ask.setVisible(is_highlight and can_ask and bool(mark.quote))
        self.copy.setVisible(is_highlight)
        self.column.addLayout(build_row(self.ask, self.copy, STRETCH))
        self.ask.clicked.connect(self._ask)
        self.copy.clicked.connect(self._copy)
        self._timer.timeout.connect(lambda: self._store(self.tags.chosen()))
        self.closed.connect(lambda: self._store(self.tags.words()))
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

    def _store(self, tags: Sequence[str]) -> None:
        """Emit what differs from what was stored last."""
        self._timer.stop()
        note, color = self.note.toPlainText().strip(), self.chosen_color()
        now = note, color, tuple(tidy_tags(tags))
        if not self._is_removed and now != self._stored:
            self._stored = now
            self.changed.emit(self._mark.id, color, note, now[2], self._session)


class TagsCard(Card):
    """Edits the tags of several annotations.

    `changed` carries the tags to add to all and those to take from all.

    Args:
        marks: the annotations, at least one; tags that only some of them have stay, unless they
            are added to all or removed.
    """

    changed = Signal(object, object)

    def __init__(
        self, theme: Theme, marks: Sequence[Annotation], parent: QWidget, known_tags: Sequence[str]
    ) -> None:
        super().__init__(theme, WIDTH, parent)
        self._shared = sorted(set.intersection(*(set(mark.tags) for mark in marks)))
        n = len(marks)
        title = Label(trn("Tags of {n} entry", "Tags of {n} entries", n), "strong")
        self.column.addLayout(build_row((title, 1), _build_done(self)))
        self.tags = TagField(theme, self._shared, known_tags)
        self.tags.changed.connect(self._list_some)
        self.tags.resized.connect(self.place)
        self.column.addWidget(self.tags)
        some = sorted({tag for mark in marks for tag in mark.tags} - set(self._shared))
        self.some = [SomeHaveTag(tag, sum(tag in m.tags for m in marks), n) for tag in some]
        self._some_title = Label(tr("Only some have:"), "small")
        body = QWidget()
        body.setObjectName("surface")
        build_column(*self.some, parent=body, spacing=0)
        self._some_area = scroll_area(body)
        self.column.addWidget(self._some_title)
        self.column.addWidget(self._some_area)
        for row in self.some:
            row.added.connect(self._add_to_all)
        self._list_some()
        self.closed.connect(self._emit_changes)
        self.tags.field.setFocus()

    def _add_to_all(self, tag: str) -> None:
        self.tags.set_words((*self.tags.chosen(), tag))
        self._list_some()
        self.tags.field.setFocus()

    def _list_some(self) -> None:
        """List the tags that only some have and that were not added to all."""
        chosen = self.tags.chosen()
        for row in self.some:
            row.setHidden(row.tag in chosen)
        listed = [row for row in self.some if row.tag not in chosen]
        self._some_title.setHidden(not listed)
        self._some_area.setHidden(not listed)
        height = sum(row.sizeHint().height() for row in listed)
        self._some_area.setFixedHeight(min(height, SHARED_ROOM))
        self.place()

    def _emit_changes(self) -> None:
        now = tidy_tags(self.tags.words())
        added = [tag for tag in now if tag not in self._shared]
        dropped = [tag for tag in self._shared if tag not in now]
        dropped += [row.tag for row in self.some if row.is_dropped and row.tag not in now]
        if added or dropped:
            self.changed.emit(added, dropped)
