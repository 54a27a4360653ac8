"""The menu of corrections for one or several entities, shared by all screens.

Owns the steps from a click to an edit: dialogs, previews, and the message with undo. Knows no
screens; the effects of an edit are published through the hub.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import shiboken6
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu, QWidget

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.errors import AppError
from desktop_app.engine.model import (
    ACTOR,
    ENTITY_TYPES,
    EVENT_KINDS,
    PATIENT,
    PLACE,
    EntityCard,
    EntityRow,
    EventRow,
    MentionRow,
    RelationRow,
    reverse_direction,
)
from desktop_app.engine.store.sheet_drafts import DraftKey
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..translation import tr, trn
from ..widgets import format_type
from ..widgets.event_words import KIND_WORDS
from ..widgets.sheet import Sheet
from .dialogs import HistoryDialog, NameDialog, RelationDialog, SplitDialog, TextDialog
from .edits import EditRunner
from .event_dialog import EventDialog, Roles
from .merge_dialog import MergeDialog
from .pick_dialog import PickEntityDialog

if TYPE_CHECKING:
    from desktop_app.engine.services.editing.previews import MergePreview
    from desktop_app.engine.services.entity_comparison import EntityComparison
    from desktop_app.engine.services.events import EventSentence

MAX_NAMES = 40
NOTHING_TYPED = ("", "person", "")


class EntityMenu(QObject):
    """Fills context menus for entities and runs the chosen action.

    Holds the open dialog (`sheet`) and the runner of its edits (`edits`). `open_wanted` and
    `place_wanted` are emitted on clicks in read-only dialogs.

    Args:
        owner: the parent widget of the dialogs.
    """

    open_wanted = Signal(int)
    place_wanted = Signal(int, int, int)

    def __init__(self, context: SessionContext, owner: QWidget) -> None:
        super().__init__(owner)
        self._context, self._owner = context, owner
        self.edits = EditRunner(context, self)
        self.sheet: Sheet | None = None
        self._typed = NOTHING_TYPED  # name, type and description of a new entity

    def open_sheet(self, sheet: Sheet) -> None:
        def forget() -> None:
            if self.sheet is sheet:
                self.sheet = None

        self.sheet = sheet
        sheet.finished.connect(lambda _: forget())
        if isinstance(sheet, NameDialog):
            sheet.show_wanted.connect(lambda entity_id: self._show_taken(sheet, entity_id))
        sheet.open()

    def _keep(
        self,
        dialog: Sheet,
        sheet: str,
        row: EntityRow | None = None,
        *,
        part: str = "",
        restore: bool = True,
    ) -> Callable[[], None]:
        """Keep what is typed in a dialog about an entity, and restore what was typed before.

        Returns:
            a function that drops the draft.
        """
        key = DraftKey(sheet, part=part)
        if row is not None:
            key = DraftKey(sheet, "entity", row.id, row.name, part)
        return self._context.draft_keeper.attach(dialog, key, restore=restore)

    def _show_taken(self, dialog: NameDialog, entity_id: int) -> None:
        """Show the entity that has a name; what was typed is there when a name is added again."""
        if dialog.has_description:
            self._typed = dialog.values
        dialog.reject()
        self.open_wanted.emit(entity_id)

    def find_names(self, text: str, then: Callable[[Sequence[EntityRow]], None]) -> None:
        """Look up names for the open dialog."""

        def show(rows: Sequence[EntityRow]) -> None:
            if self.sheet is not None:
                then(rows)

        self._read(self._context.library_reader.find_entities, text, MAX_NAMES, then=show)

    def _read(self, fn: Callable[..., Any], *args: Any, then: Callable[[Any], None]) -> None:
        Query(self._context.reader_lane, fn, *args, owner=self).on_success(then).run()

    # --- menus ----------------------------------------------------------------------------------

    def fill(self, menu: QMenu, rows: Sequence[EntityRow]) -> None:
        """Add the actions for these entities."""
        if not rows:
            return
        one = rows[0] if len(rows) == 1 else None
        if one is not None:
            menu.addAction(tr("Rename…"), lambda: self.rename(one))
            menu.addAction(tr("Describe…"), lambda: self.describe(one))
            menu.addAction(tr("Add alias…"), lambda: self.add_alias(one))
        self.fill_types(menu.addMenu(tr("Change type")), rows)
        menu.addSeparator()
        if one is not None:
            menu.addAction(tr("Merge with…"), lambda: self.pick_to_merge(one))
            menu.addAction(tr("Compare with…"), lambda: self.pick_to_compare(one))
            menu.addAction(tr("Split…"), lambda: self.split(one))
            menu.addAction(tr("Connect with…"), lambda: self.relate(one))
        else:
            words = trn("Merge {n} name…", "Merge {n} names…", len(rows))
            menu.addAction(words, lambda: self.merge(rows))
            if len(rows) == 2:
                menu.addAction(tr("Compare"), lambda: self.compare(rows[0], rows[1]))
            menu.addAction(tr("Never merge these"), lambda: self.never_merge(rows))
        menu.addSeparator()
        menu.addAction(tr("Delete"), lambda: self.delete(rows, forever=False))
        ignore = tr("Delete and ignore from now on")
        menu.addAction(ignore, lambda: self.delete(rows, forever=True))

    def fill_types(self, menu: QMenu, rows: Sequence[EntityRow]) -> None:
        """Add the types that these entities can be given."""
        for type_ in ENTITY_TYPES:
            menu.addAction(format_type(type_, capital=True)).triggered.connect(
                lambda _=False, type_=type_: self.retype(rows, type_)
            )

    # --- one name -----------------------------------------------------------------------------

    def rename(self, row: EntityRow, name: str = "", refusal: AppError | None = None) -> None:
        """Ask for a new name.

        Args:
            name: that was typed already, and refused with `refusal`.
        """
        hint = tr("The old name becomes an alias.")
        dialog = NameDialog(
            tr("Rename"), tr("Rename"), name=name or row.name, hint=hint, parent=self._owner
        )

        def run(name: str, *_: str) -> None:
            message = tr("Renamed to “{name}”", name=name)
            self.run_from(dialog, self._context.editing.rename, row.id, name, message=message)

        dialog.given.connect(run)
        self._keep(dialog, "rename", row, restore=not name)
        self.open_sheet(dialog)
        if refusal is not None:
            dialog.show_refusal(refusal)

    def give_name(self, row: EntityRow, name: str) -> None:
        """Rename an entity; a name that is refused is asked for again."""
        self.edits.run(
            self._context.editing.rename,
            row.id,
            name,
            message=tr("Renamed to “{name}”", name=name),
            refused=lambda error: self.rename(row, name, error),
        )

    def run_from(
        self, dialog: NameDialog, edit: Callable[..., ChangeNotice], *args: Any, message: str
    ) -> None:
        """Run an edit with what was typed in a dialog, which stays open if it is refused."""

        def close() -> None:
            if shiboken6.isValid(dialog):  # else the user closed it meanwhile
                dialog.accept()

        def refuse(error: AppError) -> None:
            if shiboken6.isValid(dialog):
                dialog.show_refusal(error)
            else:
                self._context.messages.show_error(error)

        self.edits.run(edit, *args, message=message, then=close, refused=refuse)

    def describe(self, row: EntityRow) -> None:
        """Edit the description; the user can also restore the one derived from the text.

        Where the text has none, a sentence that describes the name is proposed, if there is one.
        """
        reader = self._context.library_reader

        def read() -> tuple[EntityCard, str]:
            card = reader.get_entity(row.id)
            is_known = card.description or card.edited
            return card, "" if is_known else reader.propose_description(row.id)

        def show(found: tuple[EntityCard, str]) -> None:
            card, proposal = found
            title = tr("Describe “{name}”", name=row.name)
            dialog = TextDialog(
                title,
                card.description,
                can_restore=card.edited,
                hint=explain_description(card, proposal),
                proposal=proposal,
                parent=self._owner,
            )
            saved, restored = tr("Description saved"), tr("Description restored from the text")
            drop = self._keep(dialog, "describe", row)

            def run(text: str | None, message: str) -> None:
                describe = self._context.editing.describe
                self.edits.run(describe, row.id, text, message=message, then=drop)

            dialog.given.connect(lambda text: run(text, saved))
            dialog.restore_wanted.connect(lambda: run(None, restored))
            self.open_sheet(dialog)

        self._read(read, then=show)

    def add_alias(self, row: EntityRow) -> None:
        def run(name: str, *_: str) -> None:
            message = tr("Alias “{name}” added", name=name)
            self.run_from(dialog, self._context.editing.add_alias, row.id, name, message=message)

        title = tr("Alias of “{name}”", name=row.name)
        hint = tr("Every occurrence, now and later, counts as this name.")
        dialog = NameDialog(title, tr("Add"), hint=hint, parent=self._owner)
        dialog.given.connect(run)
        self._keep(dialog, "alias", row)
        self.open_sheet(dialog)

    def remove_alias(self, row: EntityRow, alias: str) -> None:
        message = tr("“{name}” is a separate name again", name=alias)
        self.edits.run(self._context.editing.remove_alias, row.id, alias, message=message)

    def create(self) -> None:
        """Create an entity that may not occur in the text."""

        def run(name: str, type_: str, text: str) -> None:
            message = tr("“{name}” added", name=name)
            create = self._context.editing.create
            self.run_from(dialog, create, name, type_, text, message=message)

        typed, type_, text = self._typed
        dialog = NameDialog(
            *(tr("Add name"), tr("Add")),
            name=typed,
            type_=type_,
            description=text,
            parent=self._owner,
        )
        dialog.given.connect(run)
        self._keep(dialog, "name", restore=self._typed == NOTHING_TYPED)
        self._typed = NOTHING_TYPED
        self.open_sheet(dialog)

    def split(self, row: EntityRow) -> None:
        def show(mentions: list[tuple[int, MentionRow]]) -> None:
            dialog = SplitDialog(self._context.theme, row, mentions, self._owner)
            drop = self._keep(dialog, "split", row)

            def run(ids: list[int], name: str) -> None:
                message = tr("“{name}” split from “{other}”", name=name, other=row.name)
                split = self._context.editing.split
                self.edits.run(split, row.id, ids, name, message=message, then=drop)

            dialog.split_wanted.connect(run)
            self.open_sheet(dialog)

        self._read(self._context.library_reader.list_mentions, row.id, then=show)

    # --- connections ----------------------------------------------------------------------------

    def relate(self, row: EntityRow, relation: RelationRow | None = None) -> None:
        """Connect an entity to another one, or edit the connection."""
        editing, run = self._context.editing, self.edits.run

        def give(other_id: int, kind: str, text: str, direction: int) -> None:
            values: dict[str, Any] = {"description": text, "kind": kind}
            if relation is not None:
                if relation.source_id != row.id:
                    direction = reverse_direction(direction)
                if direction != relation.direction:
                    values["direction"] = direction
                message = tr("Connection changed")
                run(editing.edit_relation, relation.id, **values, message=message, then=drop)
            else:
                values["direction"] = direction or None
                message = tr("Connection added")
                run(editing.relate, row.id, other_id, **values, message=message, then=drop)

        dialog = RelationDialog(
            self._context.theme, row, self.find_names, relation=relation, parent=self._owner
        )
        dialog.given.connect(give)
        pair = (relation.source_id, relation.target_id) if relation is not None else ()
        drop = self._keep(dialog, "relation", row, part="-".join(map(str, pair)))
        self.open_sheet(dialog)

        def suggest(found: tuple[Sequence[EntityRow], Sequence[str]]) -> None:
            if shiboken6.isValid(dialog):
                dialog.show_suggestions(*found)

        self._read(self._context.library_reader.suggest_connections, row.id, then=suggest)

    def delete_relation(self, relation: RelationRow) -> None:
        message = tr(
            "“{name}” and “{other}” are no longer connected",
            name=relation.source,
            other=relation.target,
        )
        self.edits.run(self._context.editing.delete_relations, [relation.id], message=message)

    # --- events ---------------------------------------------------------------------------------

    def fill_event(self, menu: QMenu, event: EventRow) -> None:
        """Add the corrections of an event."""
        menu.addAction(tr("Correct…"), lambda: self.change_event(event))
        kinds = menu.addMenu(tr("Change kind"))
        for kind in EVENT_KINDS:
            if kind != event.kind:
                kinds.addAction(tr(KIND_WORDS[kind][0])).triggered.connect(
                    lambda _=False, kind=kind: self.change_event_kind(event, kind)
                )
        place = event.document_id, event.start, event.end
        menu.addAction(tr("Add another event…"), lambda: self.add_event(*place))
        menu.addSeparator()
        menu.addAction(tr("Remove event"), lambda: self.remove_event(event))

    def change_event_kind(self, event: EventRow, kind: str) -> None:
        change = self._context.editing.change_event
        self.edits.run(change, event.id, kind=kind, message=tr("Event changed"))

    def change_event(self, event: EventRow) -> None:
        """Correct the kind of an event and who takes part."""

        def run(kind: str, roles: Roles) -> None:
            self.edits.run(
                self._context.editing.change_event,
                event.id,
                kind=kind,
                **_name_roles(roles),
                message=tr("Event changed"),
            )

        def show(found: EventSentence) -> None:
            own = replace(
                found,
                start=event.start,
                end=event.end,
                text=event.sentence,
                word_start=event.word_start,
                word_end=event.word_end,
            )
            dialog = EventDialog(
                self._context.theme, own, self.find_names, event=event, parent=self._owner
            )
            dialog.given.connect(run)
            self.open_sheet(dialog)

        place = event.document_id, event.start, event.end
        self._read(self._context.library_reader.read_event_sentence, *place, then=show)

    def add_event(
        self, document_id: int, start: int, end: int, *, actor_id: int = 0, marks: bool = False
    ) -> None:
        """Add an event that the sentence of a passage states.

        Args:
            actor_id: who does it, unless the user chooses another name.
            marks: whether the passage states the event, and not only its sentence does.
        """

        def show(found: EventSentence) -> None:
            if not marks:
                found = replace(found, word_start=found.start, word_end=found.end)
            dialog = EventDialog(
                self._context.theme, found, self.find_names, actor_id=actor_id, parent=self._owner
            )

            def run(kind: str, roles: Roles) -> None:
                self.edits.run(
                    self._context.editing.add_event,
                    *(document_id, found.start, found.end, kind),
                    word=(found.word_start, found.word_end),
                    **_name_roles(roles),
                    message=tr("Event added"),
                )

            dialog.given.connect(run)
            self.open_sheet(dialog)

        place = document_id, start, end
        self._read(self._context.library_reader.read_event_sentence, *place, then=show)

    def remove_event(self, event: EventRow) -> None:
        self.edits.run(self._context.editing.remove_event, event.id, message=tr("Event removed"))

    # --- several -------------------------------------------------------------------------------

    def retype(self, rows: Sequence[EntityRow], type_: str) -> None:
        message = tr(
            "Type of {names} changed to {type}", names=quote_names(rows), type=format_type(type_)
        )
        ids = [row.id for row in rows]
        self.edits.run(self._context.editing.retype, ids, type_, message=message)

    def pick_to_merge(self, row: EntityRow) -> None:
        dialog = PickEntityDialog(self._context.theme, row, self.find_names, self._owner)
        dialog.picked.connect(lambda others: self.merge([row, *others]))
        self.open_sheet(dialog)

    def pick_to_compare(self, row: EntityRow) -> None:
        dialog = PickEntityDialog(
            self._context.theme,
            row,
            self.find_names,
            self._owner,
            title=tr("Compare “{name}” with…", name=row.name),
            action_text=tr("Compare"),
            only_one=True,
        )
        dialog.picked.connect(lambda others: self.compare(row, others[0]))
        self.open_sheet(dialog)

    def compare(self, left: EntityRow, right: EntityRow) -> None:
        """Show two entities side by side, with their common neighbours."""

        def show(found: EntityComparison) -> None:
            from .compare_dialog import CompareEntitiesDialog

            dialog = CompareEntitiesDialog(self._context.theme, found, self._owner)
            pair = [found.left.entity, found.right.entity]
            dialog.merge_wanted.connect(lambda: self.merge(pair))
            dialog.never_wanted.connect(lambda: self.never_merge(pair))
            dialog.open_wanted.connect(self.open_wanted)
            dialog.place_wanted.connect(self.place_wanted)
            self.open_sheet(dialog)

        self._read(self._context.library_reader.compare, left.id, right.id, then=show)

    def merge(self, rows: Sequence[EntityRow], then: Callable[[], None] | None = None) -> None:
        """Preview the merge of these entities, and run it if the user confirms."""
        first, *others = ids = [row.id for row in rows]

        def run(name: str, type_: str, text: str | None) -> None:
            message = trn(
                "Merged {n} name into “{name}”",
                "Merged {n} names into “{name}”",
                len(ids),
                name=name,
            )
            self.edits.run(
                self._context.editing.merge,
                first,
                others,
                name=name,
                type_=type_,
                description=text,
                message=message,
                then=then,
            )

        def show(preview: MergePreview) -> None:
            dialog = MergeDialog(preview, self._owner)
            dialog.merge_wanted.connect(run)
            dialog.never_wanted.connect(lambda: self.never_merge(rows))
            self.open_sheet(dialog)

        self._read(self._context.library_reader.preview_merge, ids, then=show)

    def never_merge(self, rows: Sequence[EntityRow]) -> None:
        message = trn("{n} name will not be merged", "{n} names will not be merged", len(rows))
        ids = [row.id for row in rows]
        self.edits.run(self._context.editing.never_merge, ids, message=message)

    def delete(self, rows: Sequence[EntityRow], *, forever: bool) -> None:
        message = tr(
            "Deleted and ignored: {names}" if forever else "Deleted {names}",
            names=quote_names(rows),
        )
        ids = [row.id for row in rows]
        self.edits.run(self._context.editing.delete, ids, forever=forever, message=message)

    # --- history -------------------------------------------------------------------------------

    def show_history(self, of: EntityRow | None = None) -> None:
        """Open the history of one entity or of all; it stays open after a jump."""
        library_reader = self._context.library_reader
        dialog = HistoryDialog(self._context.theme, self._owner, of=of.name if of else "")

        def read() -> None:
            show = partial(dialog.set_rows, is_own=self._context.editing.is_own_step)
            if of is None:
                self._read(library_reader.list_history, then=show)
            else:
                self._read(library_reader.list_history_of, of.id, then=show)

        dialog.jump_wanted.connect(self.edits.go_to)
        connection = self.edits.done.connect(lambda _: read())
        dialog.finished.connect(lambda _: self.edits.done.disconnect(connection))
        read()
        self.open_sheet(dialog)


def _name_roles(roles: Roles) -> dict[str, Any]:
    return {"actors": roles[ACTOR], "patients": roles[PATIENT], "places": roles[PLACE]}


def explain_description(card: EntityCard, proposal: str) -> str:
    """Return where the text of the sheet of a description is from, and what an empty one does."""
    if card.edited:
        return tr("Your own description. An empty field brings back the automatic one.")
    if card.description:
        return tr("The automatic description. Your own replaces it; an empty field brings it back.")
    if proposal:
        return tr(
            "No sentence defines this name. One that says something about it is proposed; an empty "
            "field saves nothing."
        )
    return tr("Write who or what this is. An empty field saves nothing.")


def quote_names(rows: Sequence[EntityRow]) -> str:
    return f"“{rows[0].name}”" if len(rows) == 1 else trn("{n} name", "{n} names", len(rows))
