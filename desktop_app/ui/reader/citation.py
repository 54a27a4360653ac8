"""A passage with its source: the place as shown in the window, and the citation as copied.

Owns the form of a citation, which follows the document's language, not the window's. Knows no
views and no clipboard.
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop_app.engine.model import DocumentRow, Heading, Page
from desktop_app.engine.services.annotations import describe_place
from desktop_app.ui.language import tr

from .loading import LoadedDocument


def place_words(start: int, outline: Sequence[Heading], pages: Sequence[Page]) -> str:
    """Return "p. 12 · Chapter 3" in the window's language, as far as either is known."""
    return describe_place(start, outline, pages, page_words=tr("p. {page}"))


def cite(words: str, loaded: LoadedDocument, start: int) -> str:
    """Return a quotation with author, title and page, or chapter if there are no pages.

    Args:
        words: the passage; its line breaks are removed.
        start: its offset in the text.
    """
    quoted = " ".join(words.split())
    outline = () if loaded.pages else loaded.outline
    if loaded.row.language.startswith("zh"):
        place = describe_place(start, outline, loaded.pages, page_words="第 {page} 页")
        return f"「{quoted}」（{_source_zh(loaded.row, place)}）"
    place = describe_place(start, outline, loaded.pages)
    source = (loaded.row.author, loaded.row.title or loaded.row.file_name, place)
    return f"“{quoted}” ({', '.join(part for part in source if part)})"


def _source_zh(row: DocumentRow, place: str) -> str:
    title = (row.title or row.file_name).strip("《》")
    return f"{row.author}《{title}》" + (f"，{place}" if place else "")
