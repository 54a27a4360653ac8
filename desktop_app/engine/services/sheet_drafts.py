"""What was typed in dialogs and not saved yet: stored in the library, so that it is encrypted too.

Typing is no edit: it is not in the history, and undo leaves it alone.
"""

from __future__ import annotations

from ..store.db import Db
from ..store.sheet_drafts import DraftKey, SheetDraft, fetch_sheet_drafts, write_sheet_draft


class SheetDrafts:
    """The drafts of one library."""

    def __init__(self, writer: Db) -> None:
        self._writer = writer

    def list_all(self) -> dict[DraftKey, SheetDraft]:
        """Return the drafts about what still exists."""
        return fetch_sheet_drafts(self._writer)

    def save(self, key: DraftKey, fields: SheetDraft) -> None:
        """Store a draft, or remove it if there are no fields; nothing where nothing is written."""
        if self._writer.is_writable and self._writer.damage.found is None:
            with self._writer.transaction():
                write_sheet_draft(self._writer, key, fields)
