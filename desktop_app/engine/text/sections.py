"""The sections of a document: its outline, and the headings printed before its first section.

Everything that names the section of a place uses these functions. Many outlines, such as the
bookmarks of a PDF, begin with the introduction; the abstract before it has a heading on the page.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence

from ..model import Heading, Page

LEAST_BEGINNING = 200  # characters before the first heading that are worth a name of their own
MOST_BEGINNING = 20_000  # characters in which printed headings are looked for
MOST_ADDED = 4
FIRST_LINES = 100  # characters of a page that may stand above its first heading: a running head
# Alone on its line, or before the text with a sign: "Abstract—We show", "摘要：本文". Letters of a
# spaced heading ("A B S T R A C T", "摘 要") belong together.
_WORDS = (
    r"abstract|a[ \t]b[ \t]s[ \t]t[ \t]r[ \t]a[ \t]c[ \t]t|summary|executive summary|synopsis|"
    r"zusammenfassung|kurzfassung|r[ée]sum[ée]|resumen|摘[ \t\u3000]*要|内容提要|內容提要|提要"
)
_FILE_NAME = re.compile(r"^\S+\.(?:html?|docx?|odt|rtf|tex|dvi|ps|pdf|indd|qxd|pptx?)$", re.I)
_PRINTED = re.compile(
    rf"^[ \t\u3000]*[\[【(（]?(?P<words>{_WORDS})[\]】)）]?"
    r"(?:[ \t\u3000]*[.:：—–-]*[ \t\u3000]*$|[ \t\u3000]*[:：—–]|\.[ \t]+(?=[A-Z])|[\]】])",
    re.I | re.M,
)


# Alone on its line, in the second half of the text; bookmarks of papers often leave it out, and
# pages of references would have the name of the section before.
_REFERENCES = re.compile(
    r"^[ \t\u3000]*(?P<words>references|bibliography|works cited|literature cited|"
    r"literaturverzeichnis|bibliographie|参[ \t\u3000]*考[ \t\u3000]*文[ \t\u3000]*献|參考文獻)"
    r"[ \t\u3000]*[:：]?[ \t\u3000]*$",
    re.I | re.M,
)


def has_front_matter(outline: Sequence[Heading]) -> bool:
    """Return whether the text before the first heading is named like a section."""
    return bool(outline) and outline[0].start >= LEAST_BEGINNING


def find_section(outline: Sequence[Heading], offset: int) -> int:
    """Return the index of the section that contains an offset, -1 before the first."""
    return bisect.bisect_right(outline, offset, key=lambda heading: heading.start) - 1


def find_section_on_page(
    outline: Sequence[Heading], pages: Sequence[Page], page: int, offset: int
) -> int:
    """Return the index of the section that contains a place on a page, -1 before the first.

    A page that has no text, such as a scanned one that waits, begins and ends where its neighbours
    do; the offset alone would name the last section that begins on any of them.

    Args:
        page: its number in `pages`.
    """
    starts = [one.start for one in pages]

    def place(heading: Heading) -> tuple[int, int]:
        known = heading.page_index
        at = bisect.bisect_right(starts, heading.start) - 1 if known is None else known
        return at, heading.start

    return bisect.bisect_right(outline, (page, offset), key=place) - 1


def find_section_at_top(
    outline: Sequence[Heading], pages: Sequence[Page], page: int, shown_from: int | None = None
) -> int:
    """Return the index of the section at the top of what is shown of a page, -1 before the first.

    Args:
        page: its number in `pages`.
        shown_from: offset of the first letter that is shown; None for the whole page.
    """
    top = pages[page].start if shown_from is None else shown_from
    return find_section_on_page(outline, pages, page, top + FIRST_LINES)


def find_printed_headings(
    outline: Sequence[Heading], text: str, pages: Sequence[Page] = ()
) -> list[Heading]:
    """Return headings such as "Abstract" that are printed before the first section.

    A title at the beginning of the text is no section. A document without an outline has none: all
    of its text would be the abstract.

    Args:
        outline: ascending.
        text: of the document, at least its first `MOST_BEGINNING` characters.
    """
    own = [heading for heading in outline if heading.start >= LEAST_BEGINNING]
    if not own:
        return []
    limit = min(own[0].start, MOST_BEGINNING)
    known = {_fold(heading.title) for heading in outline}
    found: list[Heading] = []
    for match in _PRINTED.finditer(text, 0, limit):
        title = re.sub(r"\s+", "", match["words"]) if _is_spaced(match["words"]) else match["words"]
        title = " ".join(title.split()).capitalize()
        if _fold(title) not in known:
            known.add(_fold(title))
            start = match.start("words")
            index = next((page.index for page in pages if page.start <= start < page.end), None)
            found.append(Heading(own[0].level, title, start, index))
    return found[:MOST_ADDED]


def find_references(
    outline: Sequence[Heading], text: str, pages: Sequence[Page] = ()
) -> Heading | None:
    """Return the printed heading of the references, None if the outline has it or there is none.

    Args:
        outline: ascending.
        text: the whole one.
    """
    own = [heading for heading in outline if heading.start >= LEAST_BEGINNING]
    titles = (re.sub(r"^[\dIVX.\s]+", "", heading.title) for heading in outline)
    if not own or any(_REFERENCES.match(title) for title in titles):
        return None
    match = _REFERENCES.search(text, len(text) // 2)
    if match is None:
        return None
    words = match["words"]
    title = re.sub(r"\s+", "", words) if _is_spaced(words) else " ".join(words.split())
    start = match.start("words")
    index = next((page.index for page in pages if page.start <= start < page.end), None)
    return Heading(own[0].level, title.capitalize(), start, index)


def complete_outline(
    outline: Sequence[Heading], text: str, pages: Sequence[Page] = ()
) -> list[Heading]:
    """Return the outline with printed headings that it lacks, ascending.

    These are such as "Abstract" before its first section, and that of the references of a document
    with pages. The name of the file that a PDF was made from is no section.
    """
    named = (heading for heading in outline if not _FILE_NAME.search(heading.title))
    known = sorted(named, key=lambda heading: heading.start)
    added = find_printed_headings(known, text, pages)
    if pages and (references := find_references(known, text, pages)) is not None:
        added.append(references)
    return sorted([*known, *added], key=lambda heading: heading.start) if added else known


def _fold(title: str) -> str:
    return re.sub(r"\s+", "", title).casefold()


def _is_spaced(words: str) -> bool:
    return all(len(part) == 1 for part in words.split())
