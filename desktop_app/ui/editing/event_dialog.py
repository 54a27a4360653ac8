"""The dialog that corrects an event or adds one: its kind, and what each name has to do with it.

It shows what is passed in and emits what the user chose; it runs no edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QListWidgetItem, QWidget

from desktop_app.engine.model import (
    ACTOR,
    EVENT_KINDS,
    EVENT_ROLES,
    PATIENT,
    EntityRow,
    EventRow,
)

from ..theme.theme import Theme
from ..translation import tr
from ..widgets import Button, ChoiceBox, Label, PrimaryButton, SearchField, build_column, build_row
from ..widgets.emphasis import build_html, cut_around
from ..widgets.event_words import KIND_WORDS, ROLE_WORDS, describe_event
from ..widgets.fields import go_to_list
from ..widgets.labels import ElidedLabel
from ..widgets.layout import scroll_area
from ..widgets.sheet import Sheet
from .pick_dialog import FindNames, HintedList, describe_nothing_found

if TYPE_CHECKING:
    from desktop_app.engine.services.events import EventSentence

WIDTH = 460
ROW = 36  # pixels, with the space below it
MAX_ROWS = 5  # in view, before the list of names scrolls
ROWS_FOUND = 4
ID_ROLE, NAME_ROLE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1

Roles = dict[str, tuple[int, ...]]
"""The entities of each role."""


@dataclass(frozen=True, slots=True)
class _Person:
    entity_id: int
    name: str
    role: ChoiceBox


class EventDialog(Sheet):
    """Emits `given` with the kind of the event and the entities of each role (`Roles`).

    The list has the names of the sentence; others are found by a search.

    Args:
        found: the sentence that states the event, and the entities that it names.
        event: the one to correct; None to add one.
        actor_id: the entity that does it, unless the user chooses another one.
        find: looks up names for the search text and passes them to a callback.
    """

    given = Signal(str, object)

    def __init__(
        self,
        theme: Theme,
        found: EventSentence,
        find: FindNames,
        *,
        event: EventRow | None = None,
        actor_id: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        title = tr("Add an event") if event is None else tr("Correct this event")
        super().__init__(title, parent)
        self._theme, self._find, self._event = theme, find, event
        self.people: list[_Person] = []
        self._add_sentence(found)
        self.kind = ChoiceBox()
        self.kind.setAccessibleName(tr("Kind of event"))
        self.kind.setPlaceholderText(tr("Choose a kind"))
        for kind in EVENT_KINDS:
            self.kind.addItem(tr(KIND_WORDS[kind][0]), kind)
        self.kind.setCurrentIndex(-1 if event is None else self.kind.findData(event.kind))
        self.kind.currentIndexChanged.connect(self._check)
        self.add_field(tr("Kind of event"), self.kind)
        body = QWidget()
        body.setObjectName("screenBody")
        self._rows = build_column(spacing=4)
        build_column(self._rows, parent=body)
        self.area = scroll_area(body)
        self.add_field(tr("Names"), self.area)
        self.search = SearchField(theme, tr("Find another name"))
        self.found = HintedList(theme)
        self.found.setFixedHeight(ROWS_FOUND * theme.length(32) + 2)
        self.found.hide()
        self.add(self.search)
        self.add(self.found)
        self.preview = Label("", "strong", wrap=True)
        self.add(self.preview)
        cancel, self.save_button = Button(tr("Cancel")), PrimaryButton(tr("Save"))
        if event is None:
            self.save_button.setText(tr("Add"))
        cancel.clicked.connect(self.reject)
        self.save_button.clicked.connect(self._give)
        self.add_foot([cancel, self.save_button])
        self.search.searched.connect(self._look_up)
        self.search.left_down.connect(lambda: go_to_list(self.found))
        self.found.itemClicked.connect(self._take)
        # after the key that activates it, which would else be one for the box that has the focus
        self.found.itemActivated.connect(self._take, Qt.ConnectionType.QueuedConnection)
        self._list_people(found.names, actor_id)
        self._check()
        self.kind.setFocus()

    def _add_sentence(self, found: EventSentence) -> None:
        from desktop_app.engine.text.shown_text import show_text  # seldom used

        shown = show_text(found.text, one_line=True).with_closed_quotes()
        word = shown.span(found.word_start - found.start, found.word_end - found.start)
        shown, marks = cut_around(shown, [word])
        self.sentence = Label("", "", wrap=True)
        self.sentence.setTextFormat(Qt.TextFormat.RichText)
        self.sentence.setFont(self._theme.book_font(shown.text, 15))
        style = f"background-color:{self._theme.color('mark').name()}"  # not shown
        is_part = found.word_end - found.word_start < found.end - found.start
        self.sentence.setText(build_html(shown, marks if is_part else (), style))
        self.sentence.setAccessibleName(shown.text)
        self.add(self.sentence)

    def _list_people(self, names: Sequence[EntityRow], actor_id: int) -> None:
        known: set[int] = set()
        for part in self._event.parts if self._event is not None else ():
            self._add_person(part.entity_id, part.name, part.role)
            known.add(part.entity_id)
        for row in names:
            if row.id not in known:
                is_actor = self._event is None and row.id == actor_id
                self._add_person(row.id, row.name, ACTOR if is_actor else "")
        self._fit_rows()

    def _add_person(self, entity_id: int, name: str, role: str) -> ChoiceBox:
        box = ChoiceBox()
        box.setAccessibleName(tr("What “{name}” has to do with it", name=name))
        for key in ("", *EVENT_ROLES):
            box.addItem(tr(ROLE_WORDS[key]), key)
        box.setCurrentIndex(box.findData(role))
        box.currentIndexChanged.connect(self._check)
        label = ElidedLabel(name)
        label.setBuddy(box)
        line = QWidget()
        build_row((label, 1), box, parent=line, spacing=8)
        self._rows.addWidget(line)
        box.fit_choices()
        self.people.append(_Person(entity_id, name, box))
        return box

    def _fit_rows(self) -> None:
        n = min(MAX_ROWS, len(self.people))
        self.area.setFixedHeight(n * self._theme.length(ROW))
        self.area.setVisible(n > 0)
        self.fit_content(WIDTH)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Return in the search take a name, and not save the event."""
        is_return = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        is_saving = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if is_return and not is_saving and self.focusWidget() in (self.search, self.found):
            if self.focusWidget() is self.search and self.found.count():
                self._take(self.found.item(0))
            return
        super().keyPressEvent(event)

    # --- other names ----------------------------------------------------------------------------

    def _look_up(self, text: str) -> None:
        self.found.setVisible(bool(text))
        self.fit_content(WIDTH)
        if text:
            self._find(text, self.show_names)

    def show_names(self, rows: Sequence[EntityRow]) -> None:
        """Show the names that were found and are not listed above."""
        known = {person.entity_id for person in self.people}
        self.found.clear()
        for row in rows:
            if row.id not in known:
                item = self.found.build_item(row)
                item.setData(ID_ROLE, row.id)
                item.setData(NAME_ROLE, row.name)
                self.found.addItem(item)
        self.found.set_hint(describe_nothing_found(self.search.text().strip()))

    def _take(self, item: QListWidgetItem) -> None:
        """Move a name that was found into the list of names."""
        entity_id, name = item.data(ID_ROLE), item.data(NAME_ROLE)
        if any(person.entity_id == entity_id for person in self.people):
            return  # a double click activates it again
        role = PATIENT if self._read_roles().get(ACTOR) else ACTOR
        box = self._add_person(entity_id, name, role)
        self.search.clear()
        self.found.hide()
        self._fit_rows()
        self._check()
        bar = self.area.verticalScrollBar()
        bar.setValue(bar.maximum())
        box.setFocus(Qt.FocusReason.TabFocusReason)

    # --- what is chosen -------------------------------------------------------------------------

    def _read_roles(self) -> Roles:
        chosen = [(person.role.currentData(), person.entity_id) for person in self.people]
        return {
            role: tuple(dict.fromkeys(i for of, i in chosen if of == role)) for role in EVENT_ROLES
        }

    def _check(self) -> None:
        roles, kind = self._read_roles(), self.kind.currentData()
        names = {person.entity_id: person.name for person in self.people}
        is_whole = bool(kind) and bool(roles[ACTOR] or roles[PATIENT])
        self.save_button.setEnabled(is_whole)
        if is_whole:
            actors, patients = ([names[i] for i in roles[role]] for role in (ACTOR, PATIENT))
            self.preview.setText(describe_event(kind, actors, patients))
        elif kind:
            self.preview.setText(tr("Choose who does it, or to whom it is done."))
        else:
            self.preview.setText(tr("Choose what happens."))
        self.preview.set_role("strong" if is_whole else "muted")

    def _give(self) -> None:
        self.given.emit(self.kind.currentData(), self._read_roles())
        self.accept()
