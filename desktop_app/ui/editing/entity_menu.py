"""The menu of corrections for one or several entities, shared by all screens.

Owns the steps from a click to an edit: dialogs, previews, and the message with undo. Knows no
screens; the effects of an edit are published through the hub.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu, QWidget

from desktop_app.engine.model import ENTITY_TYPES, EntityCard, EntityRow, RelationRow
from desktop_app.engine.services.comparing import EntityComparison
from desktop_app.engine.services.editing.previews import MergePreview
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..language import tr, trn
from ..widgets import format_type
from ..widgets.sheet import Sheet
from .compare_dialog import CompareEntitiesDialog
from .edits import EditRunner
from .history_dialog import HistoryDialog
from .merge_dialog import MergeDialog, PickEntityDialog
from .name_dialog import NameDialog, TextDialog
from .relation_dialog import RelationDialog
from .split_dialog import SplitDialog

MAX_NAMES = 40


class DialogOpener(QObject):
    """Holds the open dialog (`sheet`) and the runner of its edits (`edits`).

    Args:
        owner: the parent widget of the dialogs.
    """

    def __init__(self, context: SessionContext, owner: QWidget) -> None:
        super().__init__(owner)
        self._context, self._owner = context, owner
        self.edits = EditRunner(context, self)
        self.sheet: Sheet | None = None

    def open_sheet(self, sheet: Sheet) -> None:
        self.sheet = sheet
        sheet.finished.connect(lambda _: self._closed(sheet))
        sheet.open()

    def find_names(self, text: str, then: Callable[[Sequence[EntityRow]], None]) -> None:
        """Look up names for the open dialog."""

        def show(rows: Sequence[EntityRow]) -> None:
            if self.sheet is not None:
                then(rows)

        self.read(self._context.library_reader.find_entities, text, MAX_NAMES, then=show)

    def read(self, fn: Callable[..., Any], *args: Any, then: Callable[[Any], None]) -> None:
        """Call a reading service and pass on its result."""
        query = Query(self._context.reader_lane, fn, *args, owner=self)
        query.on_success(then).run()

    def _closed(self, sheet: Sheet) -> None:
        if self.sheet is sheet:
            self.sheet = None


KINDS = ("family", "love", "friend", "enemy", "work", "talk", "place", "part")


class RelationEditing(DialogOpener):
    """Adds, changes and removes connections."""

    def relate(self, row: EntityRow, relation: RelationRow | None = None) -> None:
        """Connect an entity to another one, or edit the connection."""
        editing = self._context.editing
        sheet = RelationDialog(
            self._context.theme,
            row,
            KINDS,
            relation=relation,
            find=self.find_names,
            parent=self._owner,
        )

        def give(other_id: int, kind: str, text: str) -> None:
            if relation is not None:
                self.edits.run(
                    editing.edit_relation,
                    relation.id,
                    description=text,
                    kind=kind,
                    told=tr("Connection changed"),
                )
            else:
                self.edits.run(
                    editing.relate,
                    row.id,
                    other_id,
                    description=text,
                    kind=kind,
                    told=tr("Connection added"),
                )

        sheet.given.connect(give)
        self.open_sheet(sheet)

    def delete_relation(self, relation: RelationRow) -> None:
        self.edits.run(
            self._context.editing.delete_relations,
            [relation.id],
            told=tr(
                "“{name}” and “{other}” are no longer connected",
                name=relation.source,
                other=relation.target,
            ),
        )


class EntityMenu(RelationEditing):
    """Fills context menus for entities and runs the chosen action.

    `open_wanted` and `place_wanted` are emitted on clicks in read-only dialogs.
    """

    open_wanted = Signal(int)
    place_wanted = Signal(int, int, int)

    def fill(self, menu: QMenu, rows: Sequence[EntityRow]) -> None:
        """Add the actions for these entities."""
        if not rows:
            return
        one = rows[0] if len(rows) == 1 else None
        if one is not None:
            menu.addAction(tr("Rename…"), lambda: self.rename(one))
            menu.addAction(tr("Describe…"), lambda: self.describe(one))
            menu.addAction(tr("Add another name…"), lambda: self.add_alias(one))
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
                menu.addAction(tr("Compare"), lambda: self.compare(*rows))
            menu.addAction(tr("Never merge these"), lambda: self.never_merge(rows))
        menu.addSeparator()
        menu.addAction(tr("Delete"), lambda: self.delete(rows, forever=False))
        menu.addAction(tr("Delete, and never again"), lambda: self.delete(rows, forever=True))

    def fill_types(self, menu: QMenu, rows: Sequence[EntityRow]) -> None:
        """Add the types that these entities can be given."""
        for type_ in ENTITY_TYPES:
            menu.addAction(format_type(type_, capital=True), lambda t=type_: self.retype(rows, t))

    # --- one name -----------------------------------------------------------------------------

    def rename(self, row: EntityRow) -> None:
        sheet = NameDialog(
            tr("Rename"),
            name=row.name,
            hint=tr("The old name stays as another name of it, and is found as before."),
            verb=tr("Rename"),
            parent=self._owner,
        )
        sheet.given.connect(lambda name, *_: self.give_name(row, name))
        self.open_sheet(sheet)

    def give_name(self, row: EntityRow, name: str) -> None:
        rename = self._context.editing.rename
        self.edits.run(rename, row.id, name, told=tr("Renamed to “{name}”", name=name))

    def describe(self, row: EntityRow) -> None:
        """Edit the description; the user can also restore the one derived from the text."""

        def show(card: EntityCard) -> None:
            editing = self._context.editing
            sheet = TextDialog(
                tr("Describe “{name}”", name=row.name),
                card.description,
                made="" if card.edited else None,
                parent=self._owner,
            )
            sheet.given.connect(
                lambda text: self.edits.run(
                    editing.describe, row.id, text, told=tr("“{name}” described", name=row.name)
                )
            )
            sheet.let_go.connect(
                lambda: self.edits.run(
                    editing.describe, row.id, None, told=tr("The text describes it again")
                )
            )
            self.open_sheet(sheet)

        self.read(self._context.library_reader.get_entity, row.id, then=show)

    def add_alias(self, row: EntityRow) -> None:
        sheet = NameDialog(
            tr("Another name of “{name}”", name=row.name),
            hint=tr("Wherever it stands, now or in documents to come, it means the same."),
            verb=tr("Add"),
            parent=self._owner,
        )
        editing = self._context.editing
        sheet.given.connect(
            lambda name, *_: self.edits.run(
                editing.add_alias,
                row.id,
                name,
                told=tr("“{name}” is “{other}” too", name=row.name, other=name),
            )
        )
        self.open_sheet(sheet)

    def remove_alias(self, row: EntityRow, alias: str) -> None:
        editing = self._context.editing
        self.edits.run(
            editing.remove_alias,
            row.id,
            alias,
            told=tr("“{name}” stands for itself again", name=alias),
        )

    def create(self) -> None:
        """Create an entity that may not occur in the text."""
        sheet = NameDialog(
            tr("Add a name"), verb=tr("Add"), type_="person", description="", parent=self._owner
        )
        editing = self._context.editing
        sheet.given.connect(
            lambda name, type_, text: self.edits.run(
                editing.create, name, type_, text, told=tr("“{name}” added", name=name)
            )
        )
        self.open_sheet(sheet)

    def split(self, row: EntityRow) -> None:
        def show(mentions: list) -> None:
            sheet = SplitDialog(self._context.theme, row, mentions, self._owner)
            editing = self._context.editing
            sheet.split_wanted.connect(
                lambda ids, name: self.edits.run(
                    editing.split,
                    row.id,
                    ids,
                    name,
                    told=tr("“{name}” split off “{other}”", name=name, other=row.name),
                )
            )
            self.open_sheet(sheet)

        self.read(self._context.library_reader.list_mentions, row.id, then=show)

    # --- several -------------------------------------------------------------------------------

    def retype(self, rows: Sequence[EntityRow], type_: str) -> None:
        ids = [row.id for row in rows]
        message = tr(
            "{names} made an {type}" if type_[0] in "aeiou" else "{names} made a {type}",
            names=_name(rows),
            type=format_type(type_),
        )
        self.edits.run(self._context.editing.retype, ids, type_, told=message)

    def pick_to_merge(self, row: EntityRow) -> None:
        sheet = PickEntityDialog(self._context.theme, row, self.find_names, self._owner)
        sheet.picked.connect(lambda others: self.merge([row, *others]))
        self.open_sheet(sheet)

    def pick_to_compare(self, row: EntityRow) -> None:
        sheet = PickEntityDialog(
            self._context.theme,
            row,
            self.find_names,
            self._owner,
            title=tr("Compare “{name}” with…", name=row.name),
            verb=tr("Compare"),
            only_one=True,
        )
        sheet.picked.connect(lambda others: self.compare(row, others[0]))
        self.open_sheet(sheet)

    def compare(self, left: EntityRow, right: EntityRow) -> None:
        """Show two entities side by side, with their common neighbours."""

        def show(found: EntityComparison) -> None:
            sheet = CompareEntitiesDialog(self._context.theme, found, self._owner)
            pair = [found.left.entity, found.right.entity]
            sheet.merge_wanted.connect(lambda: self.merge(pair))
            sheet.never_wanted.connect(lambda: self.never_merge(pair))
            sheet.open_wanted.connect(self.open_wanted)
            sheet.place_wanted.connect(self.place_wanted)
            self.open_sheet(sheet)

        self.read(self._context.library_reader.compare, left.id, right.id, then=show)

    def merge(self, rows: Sequence[EntityRow], then: Callable[[], None] | None = None) -> None:
        """Preview the merge of these entities, and run it if the user confirms."""
        ids = [row.id for row in rows]

        def show(preview: MergePreview) -> None:
            sheet = MergeDialog(self._context.theme, preview, self._owner)
            editing = self._context.editing
            sheet.merge_wanted.connect(
                lambda name, type_, text: self.edits.run(
                    editing.merge,
                    ids[0],
                    ids[1:],
                    name=name,
                    type_=type_,
                    description=text,
                    told=trn(
                        "Merged {n} name into “{name}”",
                        "Merged {n} names into “{name}”",
                        len(ids),
                        name=name,
                    ),
                    then=then,
                )
            )
            sheet.never_wanted.connect(lambda: self.never_merge(rows))
            self.open_sheet(sheet)

        self.read(self._context.library_reader.preview_merge, ids, then=show)

    def never_merge(self, rows: Sequence[EntityRow]) -> None:
        ids = [row.id for row in rows]
        self.edits.run(
            self._context.editing.never_merge, ids, told=tr("{names} stay apart", names=_name(rows))
        )

    def delete(self, rows: Sequence[EntityRow], *, forever: bool) -> None:
        ids = [row.id for row in rows]
        message = tr(
            "Deleted {names}, and never again" if forever else "Deleted {names}", names=_name(rows)
        )
        self.edits.run(self._context.editing.delete, ids, forever=forever, told=message)

    # --- history -------------------------------------------------------------------------------

    def show_history(self, of: EntityRow | None = None) -> None:
        """Open the history of one entity or of all; it stays open after a jump."""
        library_reader = self._context.library_reader
        sheet = HistoryDialog(self._context.theme, self._owner, of=of.name if of else "")

        def read() -> None:
            if of is None:
                self.read(library_reader.list_history, then=sheet.set_rows)
            else:
                self.read(library_reader.list_history_of, of.id, then=sheet.set_rows)

        sheet.jump_wanted.connect(self.edits.go_to)
        connection = self.edits.done.connect(lambda _: read())
        sheet.finished.connect(lambda _: self.edits.done.disconnect(connection))
        read()
        self.open_sheet(sheet)


def _name(rows: Sequence[EntityRow]) -> str:
    return f"“{rows[0].name}”" if len(rows) == 1 else trn("{n} name", "{n} names", len(rows))
