"""What a bibliography says of works and their files, as plain data. Knows no format and no library.

These are made by the process that reads the bibliography, and again in the program from what that
process sends (`protocol`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ...messages import Message


@dataclass(frozen=True, slots=True)
class Mark:
    """A highlight or a note of the other program on a file.

    Attributes:
        key: its identifier there, which tells what was taken before.
        text: the marked words, "" for a note.
        note: what the person wrote.
        color: as "#rrggbb", "" where unknown.
        page: index of the page in the file, from 0; -1 where there are no pages.
        tags: of the mark itself.
    """

    key: str
    text: str = ""
    note: str = ""
    color: str = ""
    page: int = -1
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file of a work.

    Attributes:
        places: where the file may be, the likeliest first; relative to the bibliography's folder.
        label: what the other program calls the file, "" where it is the work itself.
    """

    places: tuple[str, ...]
    label: str = ""
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """A work in a bibliography.

    Attributes:
        item_key: its key in Zotero.
        authors: full names, "Family, Given" where the parts are known.
        kind: of work, as CSL names it: "article-journal", "book", "chapter", …
        container: the journal or book that it appeared in; `editors` are its editors, separated
            by semicolons.
        text: of a note that belongs to no work and no file.
        collections: names of its collections, a nested one as "Parent / Child".
    """

    title: str = ""
    item_key: str = ""
    authors: tuple[str, ...] = ()
    year: str = ""
    doi: str = ""
    isbn: str = ""
    kind: str = ""
    container: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    publisher: str = ""
    place: str = ""
    edition: str = ""
    editors: str = ""
    tags: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    files: tuple[AttachedFile, ...] = ()
    text: str = ""


TEXT_FIELDS = (
    "title", "item_key", "year", "doi", "isbn", "kind", "container", "volume", "issue", "pages",
    "publisher", "place", "edition", "editors",
)  # fmt: skip


@dataclass(slots=True)
class Bibliography:
    """All works of a bibliography, and what of it could not be used, counted by reason.

    Attributes:
        has_all_marks: it names every mark that there is, so that one that is missing was deleted.
    """

    origin: str
    entries: list[Entry] = field(default_factory=list)
    left_out: Counter[Message] = field(default_factory=Counter)
    has_all_marks: bool = False
