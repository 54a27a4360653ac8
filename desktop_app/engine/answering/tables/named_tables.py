"""Tables among the passages found, each whole, with the words around it that name it.

What introduces a table is found by its place and form alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ...model import Passage
from ...store.db import Db
from ...store.documents import fetch_part
from ...store.table_headers import fetch_tables
from ...text_tables import Grid, Span, move_table, read_grid

MAX_TABLE_CHARS = 1_000_000  # of a table that is searched
_CHARS_AROUND = 400  # before and after a table that may introduce it
_CAPTION = re.compile(
    r"(?:Table|Tab\.|TABLE|表)\s*(?:[\d.-]+|[IVX]+|[一二三四五六七八九十]+)(?![\w,，)）])"
)
_MAX_CAPTION_CHARS = 300
_MAX_TITLE_CHARS = 60  # of a line above a table that is its title


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A table with the words around it.

    Attributes:
        key: its document and its start in it.
        text: of the table and around it, that the spans of the grid point into.
        offset: of this text in the document.
        titles: of the document, its section, the table's caption.
        caption: what introduces the table, "" where nothing does.
    """

    key: tuple[int, int]
    text: str
    offset: int
    grid: Grid
    titles: tuple[str, ...] = ()
    caption: str = ""

    def read(self, span: Span) -> str:
        """Return the text of a cell or of another span of the grid."""
        return self.text[slice(*span)]


def find_caption(before: str, after: str) -> str:
    """Return what introduces a table: "Table 2: …" above or below it, or a short line above it.

    "" where both sides have such a caption, as between two tables: it may be that of the other.

    Args:
        before, after: the text on both sides of the table.
    """
    above = next((line.strip() for line in reversed(before.split("\n")) if line.strip()), "")
    below = next((line.strip() for line in after.split("\n") if line.strip()), "")
    captions = [*_CAPTION.finditer(above)]  # a paragraph of a PDF may end with it
    first = above[captions[-1].start() :][:_MAX_CAPTION_CHARS] if captions else ""
    second = below[:_MAX_CAPTION_CHARS] if _CAPTION.match(below) else ""
    if first or second:
        return "" if first and second else first or second
    above = above.lstrip("# ")  # of a heading in Markdown
    is_title = len(above) <= _MAX_TITLE_CHARS and not re.search(r"[。，,;；|]|\.\s|\.$", above)
    return above if is_title else ""


def load_tables(db: Db, passages: Sequence[Passage]) -> list[NamedTable]:
    """Return the tables that have rows in the passages, each once, with all their rows."""
    found: dict[tuple[int, int], NamedTable] = {}
    for passage in passages:
        if "|" not in passage.text:
            continue
        tables = fetch_tables(db, passage.document_id)
        for table in tables.list_between(passage.start, passage.end):
            key = (int(passage.document_id), table.start)
            if key in found or table.end - table.start > MAX_TABLE_CHARS:
                continue
            first = max(0, table.start - _CHARS_AROUND)
            text = fetch_part(db, passage.document_id, first, table.end + _CHARS_AROUND)
            moved = move_table(table, -first)
            grid = read_grid(text, moved)
            if grid is None or not grid.rows:
                continue
            caption = find_caption(text[: moved.start], text[moved.end :])
            titles = tuple(filter(None, (passage.title, passage.heading, caption)))
            found[key] = NamedTable(key, text, first, grid, titles, caption)
    return list(found.values())
