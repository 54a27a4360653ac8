"""Zotero's data folder -> works. Runs in the process that reads bibliographies.

`zotero.sqlite` is opened without a lock and without a write, so that Zotero may run: Zotero holds
an exclusive lock on it. If Zotero writes meanwhile, the reading is repeated.
"""

from __future__ import annotations

import html
import json
import os
import re
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import apsw

from ...errors import EnvironmentProblem, UserError
from ...messages import Message
from ...person_names import join_authors
from ...text.identifiers import read_doi, read_isbn
from ...text.readers.html import extract_text
from .folders import DATABASE
from .model import AttachedFile, Bibliography, Entry, Mark

STORAGE = "storage"
_MAX_NOTE_TITLE = 120  # characters of a note's first line, as in Zotero's list
ATTEMPTS, WAIT_S = 20, 0.5
_IMPORTED, _IMPORTED_URL, _LINKED_FILE, _LINKED_URL = 0, 1, 2, 3
_HIGHLIGHT, _NOTE, _IMAGE, _INK, _UNDERLINE, _TEXT = 1, 2, 3, 4, 5, 6
_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
# The fields of a work, of which the first that it has counts; each kind of work has its own names.
_FIELDS = {
    "title": ("title", "caseName", "nameOfAct", "subject"),
    "date": ("date", "dateDecided", "dateEnacted", "issueDate", "filingDate"),
    "container": (
        "publicationTitle", "bookTitle", "proceedingsTitle", "encyclopediaTitle",
        "dictionaryTitle", "websiteTitle", "blogTitle", "forumTitle", "programTitle", "reporter",
        "code",
    ),
    "volume": ("volume", "codeVolume", "reporterVolume"),
    "issue": ("issue", "number", "reportNumber", "patentNumber"),
    "pages": ("pages", "codePages", "firstPage"),
    "publisher": ("publisher", "university", "institution", "company", "distributor", "repository"),
    "place": ("place",),
    "edition": ("edition",),
    "doi": ("DOI",),
    "isbn": ("ISBN",),
    "extra": ("extra",),
    "url": ("url",),
}  # fmt: skip
_KINDS = {  # of Zotero -> of CSL
    "journalArticle": "article-journal", "magazineArticle": "article-magazine",
    "newspaperArticle": "article-newspaper", "book": "book", "bookSection": "chapter",
    "encyclopediaArticle": "entry-encyclopedia", "dictionaryEntry": "entry-dictionary",
    "conferencePaper": "paper-conference", "thesis": "thesis", "report": "report",
    "webpage": "webpage", "blogPost": "post-weblog", "preprint": "article",
    "manuscript": "manuscript", "patent": "patent", "dataset": "dataset",
    "letter": "personal_communication",
    "case": "legal_case", "statute": "legislation", "computerProgram": "software",
}  # fmt: skip
# Who did not make the work itself.
_HELPERS = frozenset(
    "editor seriesEditor translator contributor reviewedAuthor recipient commenter"
    " attorneyAgent counsel".split()
)
_READABLE = re.compile(
    "pdf|epub|html|text/|word|rtf|opendocument|officedocument|excel|powerpoint|mobi|fictionbook",
    re.I,
)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_PLAIN_LABELS = frozenset(
    "pdf|full text pdf|fulltext|full text|attachment|snapshot|epub|submitted version"
    "|accepted version|published version|preprint pdf|arxiv fulltext pdf".split("|")
)


def read_zotero(folder: Path) -> Bibliography:
    """Return all works of a data folder, without what is in Zotero's trash and in feeds.

    Raises:
        UserError: the database is not one of Zotero 5 or later, or is damaged.
        EnvironmentProblem: Zotero writes to it all the time.
    """
    database = folder / DATABASE
    problem: apsw.Error | None = None
    for attempt in range(ATTEMPTS):
        if attempt:
            time.sleep(WAIT_S)
        before = _describe_state(database)
        if _is_being_written(database):
            continue
        problem = None
        try:
            with _open(database) as connection:
                found = _Reading(connection).read()
        except apsw.Error as error:
            problem = error
        if _describe_state(database) == before:
            if problem is None:
                return found
            break
    if problem is None:
        raise EnvironmentProblem(
            "Zotero is writing to its database all the time.",
            "Wait until it has finished, or close Zotero, then try again.",
        )
    if isinstance(problem, apsw.NotADBError | apsw.SQLError):
        raise UserError(
            "“{name}” is no database of Zotero 5 or later.",
            "Start Zotero once, so that it updates its database, then try again.",
            name=DATABASE,
        ) from problem
    raise UserError(
        "Zotero's database is damaged.",
        "Repair it in Zotero: the page “Zotero Database Corruption” says how.",
    ) from problem


def _describe_state(database: Path) -> list[tuple[int, int] | None]:
    """Return size and time of the database and of the files that SQLite keeps beside it."""
    found: list[tuple[int, int] | None] = []
    for end in ("", "-journal", "-wal"):
        try:
            status = os.stat(f"{database}{end}")
            found.append((status.st_size, status.st_mtime_ns))
        except OSError:
            found.append(None)
    return found


def _is_being_written(database: Path) -> bool:
    """Return whether a transaction of Zotero is on its way to the file."""
    try:
        with open(f"{database}-journal", "rb") as journal:
            return journal.read(8) == _JOURNAL_MAGIC
    except OSError:
        return False


@contextmanager
def _open(database: Path) -> Iterator[apsw.Connection]:
    """Open a database for reading, without locks and without writing anything beside it."""
    options = "immutable=1"
    try:
        if os.stat(f"{database}-wal").st_size:
            # Pages are in the log: it is read into memory, by the file system without locks.
            options = "vfs=win32-none" if sys.platform == "win32" else "vfs=unix-none"
    except OSError:
        pass
    connection = apsw.Connection(
        f"file:{quote(database.as_posix())}?mode=ro&{options}",
        flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI,
    )
    try:
        for pragma in ("locking_mode = EXCLUSIVE", "trusted_schema = OFF", "query_only = ON"):
            connection.execute(f"PRAGMA {pragma}").fetchall()
        yield connection
    finally:
        connection.close()


class _Reading:
    """One reading of a database."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._tables = {row[0] for row in self._rows("SELECT name FROM sqlite_master")}

    def _rows(self, sql: str) -> list[tuple[Any, ...]]:
        return list(self._connection.execute(sql))

    def read(self) -> Bibliography:
        found = Bibliography("Zotero", has_all_marks="itemAnnotations" in self._tables)
        kinds = dict(self._rows("SELECT itemTypeID, typeName FROM itemTypes"))
        self._deleted = {row[0] for row in self._rows("SELECT itemID FROM deletedItems")}
        feeds = self._find_feeds()
        items = {
            item: (kinds.get(kind, ""), str(key))
            for item, kind, library, key in self._rows(
                "SELECT itemID, itemTypeID, libraryID, key FROM items ORDER BY dateAdded, itemID"
            )
            if item not in self._deleted and library not in feeds
        }
        fields, creators, tags = self._read_fields(), self._read_creators(), self._read_tags()
        collections = self._read_collections()
        marks = self._read_marks(items, tags, found)
        notes = self._read_notes(items)
        attached = self._read_attachments(items, fields, marks, found)
        for item, (kind, key) in items.items():
            if kind in ("attachment", "note", "annotation"):
                continue
            files = _order_files(attached.pop(item, []))
            if files and notes.get(item):
                files[0] = replace(files[0], marks=(*files[0].marks, *notes[item]))
            found.entries.append(
                _build_entry(kind, key, fields.get(item, {}), creators.get(item, []),
                             tags.get(item, []), collections.get(item, []), files)
            )  # fmt: skip
        for item, text in self._read_own_notes(items):
            title = next(filter(None, (line.strip() for line in text.split("\n"))), "")
            found.entries.append(
                Entry(title=title[:_MAX_NOTE_TITLE], item_key=items[item][1], kind="document",
                      tags=tuple(tags.get(item, ())),
                      collections=tuple(collections.get(item, ())), text=text)
            )  # fmt: skip
        for parent, alone in attached.items():
            if parent >= 0:
                continue
            found.entries += [  # files without a work
                Entry(title=_own_title(file.label, file), tags=tuple(tags.get(-parent, ())),
                      collections=tuple(collections.get(-parent, ())),
                      files=(replace(file, label=""),))
                for _, file in alone
            ]  # fmt: skip
        return found

    def _find_feeds(self) -> set[int]:
        if "libraries" not in self._tables:
            return set()
        return {i for i, kind in self._rows("SELECT libraryID, type FROM libraries")
                if kind == "feed"}  # fmt: skip

    def _read_fields(self) -> dict[int, dict[str, str]]:
        """Return item -> the values of its fields by their meaning."""
        table = "fieldsCombined" if "fieldsCombined" in self._tables else "fields"
        meaning = {name: (means, rank) for means, names in _FIELDS.items()
                   for rank, name in enumerate(names)}  # fmt: skip
        ranks: dict[tuple[int, str], int] = {}
        found: dict[int, dict[str, str]] = defaultdict(dict)
        for item, name, value in self._rows(
            f"SELECT d.itemID, f.fieldName, v.value FROM itemData d JOIN {table} f USING (fieldID)"
            " JOIN itemDataValues v USING (valueID)"
        ):
            means, rank = meaning.get(name, ("", 0))
            if means and rank < ranks.get((item, means), 99):
                ranks[item, means] = rank
                found[item][means] = _clean(value)
        return found

    def _read_creators(self) -> dict[int, list[tuple[str, str]]]:
        """Return item -> (kind of creator, name) in order."""
        found: dict[int, list[tuple[str, str]]] = defaultdict(list)
        for item, first, last, kind in self._rows(
            "SELECT i.itemID, c.firstName, c.lastName, t.creatorType FROM itemCreators i"
            " JOIN creators c USING (creatorID) JOIN creatorTypes t USING (creatorTypeID)"
            " ORDER BY i.itemID, i.orderIndex"
        ):
            family, given = _clean(last), _clean(first)
            name = f"{family}, {given}" if family and given else family or given
            if name:
                found[item].append((str(kind), name))
        return found

    def _read_tags(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = defaultdict(list)
        for item, name in self._rows(
            "SELECT i.itemID, t.name FROM itemTags i JOIN tags t USING (tagID) ORDER BY t.name"
        ):
            found[item].append(_clean(name))
        return found

    def _read_collections(self) -> dict[int, list[str]]:
        """Return item -> the names of its collections; a group's name stands before its own."""
        deleted: set[int] = set()
        if "deletedCollections" in self._tables:
            deleted = {r[0] for r in self._rows("SELECT collectionID FROM deletedCollections")}
        groups: dict[int, str] = {}
        if "groups" in self._tables:
            groups = dict(self._rows("SELECT libraryID, name FROM groups"))
        rows = {
            number: (_clean(name), parent, library)
            for number, name, parent, library in self._rows(
                "SELECT collectionID, collectionName, parentCollectionID, libraryID"
                " FROM collections"
            )
        }

        def name_of(number: int) -> str:
            names: list[str] = []
            at: int | None = number
            for _ in range(20):  # a damaged database may have a circle
                if at is None or at not in rows:
                    break
                if at in deleted:
                    return ""
                name, at, library = rows[at]
                names.insert(0, name)
                if at is None and library in groups:
                    names.insert(0, _clean(groups[library]))
            return " / ".join(filter(None, names))

        names = {number: name_of(number) for number in rows}
        found: dict[int, list[str]] = defaultdict(list)
        for number, item in self._rows("SELECT collectionID, itemID FROM collectionItems"):
            if names.get(number):
                found[item].append(names[number])
        return found

    def _read_marks(
        self, items: dict[int, tuple[str, str]], tags: dict[int, list[str]], found: Bibliography
    ) -> dict[int, list[Mark]]:
        """Return attachment -> its highlights and notes in reading order, with their tags."""
        marks: dict[int, list[Mark]] = defaultdict(list)
        if "itemAnnotations" not in self._tables:  # before Zotero 6
            return marks
        for item, parent, kind, text, comment, color, order, position in self._rows(
            "SELECT itemID, parentItemID, type, text, comment, color, sortIndex, position"
            " FROM itemAnnotations ORDER BY parentItemID, sortIndex, itemID"
        ):
            if item not in items or parent not in items:
                continue
            words, note = _clean(text) if kind in (_HIGHLIGHT, _UNDERLINE) else "", _tidy(comment)
            if not words and not note:
                if kind in (_IMAGE, _INK):
                    found.left_out[Message("marks of a picture or drawing without a comment")] += 1
                continue
            color = color if isinstance(color, str) else ""
            page = _find_page(position, order)
            own = tuple(tags.get(item, ()))
            marks[parent].append(Mark(items[item][1], words, note, color[:7], page, own))
        return marks

    def _read_notes(self, items: dict[int, tuple[str, str]]) -> dict[int, list[Mark]]:
        """Return work -> the notes on it."""
        found: dict[int, list[Mark]] = defaultdict(list)
        for item, parent, note in self._rows(
            "SELECT itemID, parentItemID, note FROM itemNotes WHERE parentItemID IS NOT NULL"
            " ORDER BY itemID"
        ):
            if item in items and isinstance(note, str):
                text = _tidy(extract_text(note).text)
                if text:
                    found[parent].append(Mark(items[item][1], "", text))
        return found

    def _read_own_notes(self, items: dict[int, tuple[str, str]]) -> list[tuple[int, str]]:
        """Return (item, text) of the notes that belong to no work."""
        rows = self._rows(
            "SELECT itemID, note FROM itemNotes WHERE parentItemID IS NULL ORDER BY itemID"
        )
        texts = [
            (item, _tidy(extract_text(note).text))
            for item, note in rows
            if item in items and isinstance(note, str)
        ]
        return [(item, text) for item, text in texts if text]

    def _read_attachments(
        self,
        items: dict[int, tuple[str, str]],
        fields: dict[int, dict[str, str]],
        marks: dict[int, list[Mark]],
        found: Bibliography,
    ) -> dict[int, list[tuple[int, AttachedFile]]]:
        """Return work, or minus the id of a file without one -> (rank, file) of its files."""
        files: dict[int, list[tuple[int, AttachedFile]]] = defaultdict(list)
        order = {item: number for number, item in enumerate(items)}
        rows = self._rows(
            "SELECT itemID, parentItemID, linkMode, contentType, path FROM itemAttachments"
        )
        for item, parent, mode, content_type, path in sorted(
            rows, key=lambda row: order.get(row[0], 0)
        ):
            is_gone = item not in items or (parent is not None and parent not in items)
            if is_gone or mode not in (_IMPORTED, _IMPORTED_URL, _LINKED_FILE):
                continue
            if not isinstance(path, str) or not path:
                continue
            kind = content_type if isinstance(content_type, str) else ""
            if kind and not _READABLE.search(kind):
                found.left_out[Message("attached files that are no documents")] += 1
                continue
            place = _find_place(path, items[item][1])
            label = fields.get(item, {}).get("title", "")
            rank = 0 if "pdf" in kind else 1 if "epub" in kind else 2 if "html" not in kind else 3
            file = AttachedFile((place,), label, tuple(marks.get(item, ())))
            files[-item if parent is None else parent].append((rank, file))
        return files


def _build_entry(
    kind: str,
    key: str,
    fields: dict[str, str],
    creators: list[tuple[str, str]],
    tags: list[str],
    collections: list[str],
    files: list[AttachedFile],
) -> Entry:
    authors = [name for role, name in creators if role == "author"]
    authors = authors or [name for role, name in creators if role not in _HELPERS]
    editors = [name for role, name in creators if role == "editor"]
    doi = read_doi(fields.get("doi", ""))
    if not doi:  # kinds of works without the field have it in “Extra”
        match = re.search(r"^\s*DOI:\s*(\S+)", fields.get("extra", ""), re.M | re.I)
        doi = read_doi(match.group(1)) if match else read_doi(fields.get("url", ""))
    year = re.search(r"(?<!\d)[12]\d{3}(?!\d)", fields.get("date", ""))
    isbn = fields.get("isbn", "")
    return Entry(
        title=fields.get("title", ""),
        item_key=key,
        authors=tuple(authors or editors),
        editors=join_authors(editors) if authors else "",
        year=year.group() if year else "",
        doi=doi,
        isbn=read_isbn(isbn) or next(filter(None, map(read_isbn, isbn.split())), ""),
        kind=_KINDS.get(kind, "document"),
        tags=tuple(tags),
        collections=tuple(sorted(collections)),
        files=tuple(files),
        **{name: fields.get(name, "") for name in (
            "container", "volume", "issue", "pages", "publisher", "place", "edition",
        )},
    )  # fmt: skip


def _order_files(files: list[tuple[int, AttachedFile]]) -> list[AttachedFile]:
    """Return the files of a work, the work itself first; the others keep what they are called."""
    ordered = [file for _, file in sorted(files, key=lambda one: one[0])]
    return [
        replace(file, label=_own_title(file.label, file) if n else "")
        for n, file in enumerate(ordered)
    ]


def _own_title(label: str, file: AttachedFile) -> str:
    """Return what a file is called: its title, or its name where that says more."""
    if label and label.lower() not in _PLAIN_LABELS and not re.search(r"\.\w{2,5}$", label):
        return label
    stem = file.places[0].replace("\\", "/").rpartition("/")[2].rpartition(".")[0]
    return stem or label


def _find_place(path: str, key: str) -> str:
    """Return where a file is, relative to the data folder; links are as Zotero has them."""
    if path.startswith("storage:"):
        name = path.removeprefix("storage:").replace("\\", "/").rpartition("/")[2]
        return f"{STORAGE}/{key}/{name}" if re.fullmatch(r"\w+", key) else ""
    return path


def _find_page(position: object, order: object) -> int:
    """Return the index of the page of an annotation, -1 where the file has no pages."""
    try:
        page = json.loads(str(position))["pageIndex"]
    except (ValueError, LookupError, TypeError, RecursionError):
        match = re.match(r"(\d{5})\|\d+\|\d+$", str(order))  # of PDFs
        return int(match.group(1)) if match else -1
    return page if isinstance(page, int) and 0 <= page < 1_000_000 else -1


def _clean(value: object) -> str:
    """Return a value on one line, without the tags by which Zotero marks italics and the like."""
    text = "" if value is None else _CONTROL.sub("", str(value))
    text = re.sub(r"</?(?:i|b|sub|sup|span)(?:\s[^<>]*)?>", "", text)
    return " ".join(html.unescape(text).split())


def _tidy(value: object) -> str:
    lines = _CONTROL.sub("", value).splitlines() if isinstance(value, str) else ()
    return "\n".join(" ".join(line.split()) for line in lines).strip()
