"""Corrections by hand: each is one undoable edit of the curation, then the graph is derived.

Everything is keyed by names, so that it holds for what is read tomorrow. What an edit would do
is told by `previews`.
"""

from __future__ import annotations

from ...changes import ChangeSet
from ...store import annotations, reports
from . import history
from .entities import EntityVerbs
from .joining import JoiningVerbs
from .relating import RelationVerbs


class Editing(EntityVerbs, JoiningVerbs, RelationVerbs):
    """Changes entities and relations so that it lasts, whatever is read later."""

    def undo(self) -> tuple[str | None, ChangeSet]:
        """Take the last edit back; the label is None if there was none."""
        marked = self._marked("undone = 0 ORDER BY id DESC LIMIT 1")
        label = self._db.undo()
        return label, self._derive() | marked if label else ChangeSet()

    def redo(self) -> tuple[str | None, ChangeSet]:
        label = self._db.redo()
        marked = self._marked("undone = 0 ORDER BY id DESC LIMIT 1")
        return label, self._derive() | marked if label else ChangeSet()

    def go_to(self, history_id: int) -> ChangeSet:
        """Undo or redo until this edit is the last one made; 0 takes all back.

        A step that is refused stops there: what was taken back until then stays so.
        """
        marked = self._marked("1")
        try:
            history.go_to(self._db, history_id)
        finally:
            changed = self._derive()
        return changed | marked

    def _marked(self, where: str) -> ChangeSet:
        """Return documents whose highlights, and communities whose reports such edits tell of."""
        return ChangeSet(
            documents=annotations.fetch_documents_of_edits(self._db, where),
            communities=reports.fetch_communities_of_edits(self._db, where),
        )
