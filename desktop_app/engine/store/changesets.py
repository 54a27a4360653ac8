"""The rows in a changeset of SQLite's session extension: what one edit changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import apsw


@dataclass(frozen=True, slots=True)
class RowChange:
    """A changed row; `values` are the new or, where there are none, the old ones.

    Columns that the change leaves alone are None, except the primary key.
    """

    table: str
    is_delete: bool
    values: tuple[Any, ...]


def read_changes(changeset: bytes, *, invert: bool = False) -> list[RowChange]:
    """Return the changes of a changeset, or of its inverse."""
    return [
        read_change(change)
        for change in apsw.Changeset.iter(apsw.Changeset.invert(changeset) if invert else changeset)
    ]


def read_change(change: apsw.TableChange) -> RowChange:
    old = change.old or (apsw.no_change,) * change.column_count
    new = change.new or (apsw.no_change,) * change.column_count
    values = (o if n is apsw.no_change else n for o, n in zip(old, new, strict=True))
    return RowChange(
        change.name,
        change.op == "DELETE",
        tuple(None if v is apsw.no_change else v for v in values),
    )
