"""Ties two names by hand, changes how they are tied, or unties them.

Owns the sheet that asks for it and what is said afterwards. Knows no menus.
"""

from __future__ import annotations

from desktop_app.engine.types import EntityRow, RelationRow
from desktop_app.ui.language import tr

from .opening import Opening
from .relation_sheet import RelationSheet

KINDS = ("family", "love", "friend", "enemy", "work", "talk", "place", "part")


class Tying(Opening):
    """The edits of connections."""

    def relate(self, row: EntityRow, relation: RelationRow | None = None) -> None:
        """Tie a name to another one, or edit how it is tied."""
        editing = self._context.editing
        sheet = RelationSheet(
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
