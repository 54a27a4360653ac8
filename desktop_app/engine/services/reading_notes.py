"""A person's marks as Markdown: to read, to print, to put into another program.

Owns the form of the page. Places are given in words (page, chapter), as the reader says them.
"""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from pathlib import Path

from ..errors import cannot_write
from ..store.db import Db
from ..types import DocumentRow, Heading, Page
from .exploring import Exploring
from .reading import Annotation, Reading


def build_notes_markdown(
    document: DocumentRow,
    annotations: Sequence[Annotation],
    outline: Sequence[Heading] = (),
    pages: Sequence[Page] = (),
    *,
    page_words: str = "p. {page}",
    bookmark_words: str = "Bookmark",
) -> str:
    """Return the marks of one document under its title, by chapter, quotes as quotes.

    Args:
        page_words, bookmark_words: how a page and a bookmark are called.
    """
    lines = [f"# {document.title or document.file_name}", ""]
    if document.author:
        lines += [f"*{document.author}*", ""]
    chapter = -1
    starts = [heading.start for heading in outline]
    for one in annotations:
        now = bisect.bisect_right(starts, one.start) - 1
        if now != chapter and now >= 0:
            lines += [f"## {' '.join(outline[now].title.split())}", ""]
        chapter = now
        place = tell_place(one.start, (), pages, page_words=page_words)
        if one.kind == "bookmark":
            words = " ".join(one.quote.split())
            lines += [f"**{bookmark_words}**{f' · {place}' if place else ''}", "", words, ""]
        else:
            lines += [f"> {line}" if line.strip() else ">" for line in one.quote.splitlines()]
            lines += [">", f"> — {place}", ""] if place else [""]
        if one.note:
            lines += [one.note, ""]
    return "\n".join(lines).rstrip() + "\n"


def tell_place(
    start: int,
    outline: Sequence[Heading],
    pages: Sequence[Page],
    *,
    page_words: str = "p. {page}",
) -> str:
    """Return "p. 12 · Chapter 3", as far as either is known."""
    words = []
    if pages:
        at = bisect.bisect_right([page.start for page in pages], start) - 1
        page = pages[max(0, at)]
        words.append(page_words.replace("{page}", page.label or str(page.index + 1)))
    if outline:
        at = bisect.bisect_right([heading.start for heading in outline], start) - 1
        if at >= 0:
            words.append(" ".join(outline[at].title.split()))
    return " · ".join(words)


def export_notes(db: Db, path: Path, document_ids: Sequence[int] = ()) -> int:
    """Write the marks of documents (of all, if none is named) to a file; return how many."""
    reading, exploring = Reading(db, db), Exploring(db)
    parts, count = [], 0
    for document_id in document_ids or reading.list_annotated():
        annotations = reading.list_annotations(document_id)
        if annotations:
            count += len(annotations)
            parts.append(
                build_notes_markdown(
                    exploring.get_document(document_id),
                    annotations,
                    exploring.fetch_outline(document_id),
                    exploring.fetch_pages(document_id),
                )
            )
    try:
        path.write_text("\n\n".join(parts), encoding="utf-8")
    except OSError as error:
        raise cannot_write(path.name, error) from error
    return count
