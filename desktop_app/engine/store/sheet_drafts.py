"""What was typed in a dialog and not saved yet, kept among the settings of the library.

Owns which drafts are about something that still exists. Knows no dialogs: what a field contains is
any JSON value.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from .db import Db
from .enrichment import find_setting, store_setting
from .stored_json import parse_stored_json

SETTING_KEY = "sheet_drafts"
# Each is a text that somebody did not finish; more than a person comes back to.
MAX_DRAFTS = 200
# The queries that say whether a draft is about something that exists: ids of deleted rows are used
# again, so that the name has to fit, too. A renamed entity keeps its old name as an alias.
_EXISTS = {
    "": "SELECT 1",
    "entity": "SELECT 1 FROM entity e WHERE e.id = :id AND (e.name = :name OR EXISTS ("
    "SELECT 1 FROM entity_name o JOIN name n ON n.id = o.name_id"
    " WHERE o.entity_id = e.id AND n.text = :name))",
    "document": "SELECT 1 FROM document WHERE id = :id AND :name IN ('', file_name)",
    "community": "SELECT 1 FROM community WHERE id = :id",  # its ids are not used again
}


@dataclass(frozen=True, slots=True)
class DraftKey:
    """The dialog and the thing that a draft is about.

    Attributes:
        sheet: the kind of dialog.
        thing: "entity", "document", "community", or "" for something that does not exist yet.
        name: of the entity, or the file name of the document.
        part: which part of the thing, such as the number of a figure.
    """

    sheet: str
    thing: str = ""
    thing_id: int = 0
    name: str = ""
    part: str = ""

    @property
    def place(self) -> tuple[str, str, int, str]:
        """What makes two drafts the same one; the name may have changed since."""
        return self.sheet, self.thing, self.thing_id, self.part


SheetDraft = Mapping[str, Any]  # field -> what was typed in it


def fetch_sheet_drafts(db: Db) -> dict[DraftKey, SheetDraft]:
    """Return the drafts about what still exists, the oldest first."""
    return {key: fields for key, fields in _fetch_all(db).items() if _exists(db, key)}


def write_sheet_draft(db: Db, key: DraftKey, fields: SheetDraft) -> None:
    """Store a draft; without fields it is removed. Those of what was deleted are removed, too."""
    drafts = {k: v for k, v in fetch_sheet_drafts(db).items() if k.place != key.place}
    if fields:
        drafts[key] = fields
    kept = list(drafts.items())[-MAX_DRAFTS:]
    rows = [{**asdict(one), "fields": dict(typed)} for one, typed in kept]
    store_setting(db, SETTING_KEY, json.dumps(rows, ensure_ascii=False))


def _fetch_all(db: Db) -> dict[DraftKey, SheetDraft]:
    """Return all drafts; one that another version stored in another form is left out."""
    found: dict[DraftKey, SheetDraft] = {}
    for row in parse_stored_json(find_setting(db, SETTING_KEY), list):
        try:
            fields = dict(row["fields"])
            key = DraftKey(
                str(row["sheet"]),
                str(row["thing"]),
                int(row["thing_id"]),
                str(row["name"]),
                str(row["part"]),
            )
        except (KeyError, TypeError, ValueError):
            continue
        found[key] = fields
    return found


def _exists(db: Db, key: DraftKey) -> bool:
    query = _EXISTS.get(key.thing)
    values = {"id": key.thing_id, "name": key.name}
    return query is not None and bool(db.value(query, values))
