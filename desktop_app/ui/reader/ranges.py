"""Plain types of the reader: ranges and names of a text, and the target of a menu."""

from __future__ import annotations

from dataclasses import dataclass

Name = tuple[int, int, int, str, str]  # start, end, entity id, name, type
Range = tuple[int, int]  # half-open offsets of the document's text


@dataclass(frozen=True, slots=True)
class MenuTarget:
    """A range with its text, and the name or highlight under the pointer."""

    start: int
    end: int
    text: str
    name: Name | None = None
    note_id: int | None = None
