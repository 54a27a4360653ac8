"""A small data folder of Zotero 7: a database with the tables that are read, and small files.

Tables and columns are named as Zotero's; those that nothing reads are left out.
"""

from __future__ import annotations

import json
from pathlib import Path

import apsw

from tests.pdf_layouts import Words, make_layout

TABLES = """
CREATE TABLE version (schema TEXT PRIMARY KEY, version INT NOT NULL);
CREATE TABLE libraries (libraryID INTEGER PRIMARY KEY, type TEXT NOT NULL);
CREATE TABLE groups (groupID INTEGER PRIMARY KEY, libraryID INT, name TEXT);
CREATE TABLE itemTypes (itemTypeID INTEGER PRIMARY KEY, typeName TEXT);
CREATE TABLE fields (fieldID INTEGER PRIMARY KEY, fieldName TEXT);
CREATE TABLE fieldsCombined (fieldID INTEGER PRIMARY KEY, fieldName TEXT, custom INT);
CREATE TABLE items (itemID INTEGER PRIMARY KEY, itemTypeID INT, dateAdded TEXT, libraryID INT,
    key TEXT);
CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, value UNIQUE);
CREATE TABLE itemData (itemID INT, fieldID INT, valueID INT);
CREATE TABLE itemNotes (itemID INTEGER PRIMARY KEY, parentItemID INT, note TEXT, title TEXT);
CREATE TABLE itemAttachments (itemID INTEGER PRIMARY KEY, parentItemID INT, linkMode INT,
    contentType TEXT, path TEXT);
CREATE TABLE itemAnnotations (itemID INTEGER PRIMARY KEY, parentItemID INT, type INT,
    authorName TEXT, text TEXT, comment TEXT, color TEXT, pageLabel TEXT, sortIndex TEXT,
    position TEXT, isExternal INT);
CREATE TABLE tags (tagID INTEGER PRIMARY KEY, name TEXT UNIQUE);
CREATE TABLE itemTags (itemID INT, tagID INT, type INT);
CREATE TABLE creators (creatorID INTEGER PRIMARY KEY, firstName TEXT, lastName TEXT,
    fieldMode INT);
CREATE TABLE creatorTypes (creatorTypeID INTEGER PRIMARY KEY, creatorType TEXT);
CREATE TABLE itemCreators (itemID INT, creatorID INT, creatorTypeID INT, orderIndex INT);
CREATE TABLE collections (collectionID INTEGER PRIMARY KEY, collectionName TEXT,
    parentCollectionID INT, libraryID INT, key TEXT);
CREATE TABLE collectionItems (collectionID INT, itemID INT, orderIndex INT);
CREATE TABLE deletedItems (itemID INTEGER PRIMARY KEY, dateDeleted TEXT);
CREATE TABLE deletedCollections (collectionID INTEGER PRIMARY KEY, dateDeleted TEXT);
INSERT INTO version VALUES ('userdata', 125);
INSERT INTO libraries VALUES (1, 'user'), (2, 'group'), (3, 'feed');
INSERT INTO groups VALUES (7, 2, 'Harbour group');
INSERT INTO itemTypes VALUES (1, 'annotation'), (2, 'attachment'), (3, 'note'),
    (4, 'journalArticle'), (5, 'book'), (6, 'case');
INSERT INTO creatorTypes VALUES (1, 'author'), (2, 'editor'), (3, 'translator');
"""
FIELDS = (
    "title", "date", "DOI", "ISBN", "publicationTitle", "volume", "issue", "pages", "publisher",
    "place", "caseName", "extra", "url",
)  # fmt: skip
KINDS = {"annotation": 1, "attachment": 2, "note": 3, "journalArticle": 4, "book": 5, "case": 6}
PAGES = (
    ("A Study of Harbour Clocks", "Clara Wren winds the clocks of the harbour every morning."),
    ("Tobias Hale re-", "paired the great clock in the winter of 1871, and no-", "body saw him."),
)  # fmt: skip


def make_pdf(pages=PAGES) -> bytes:
    """Return a PDF with one line of text below the other."""
    return make_layout(
        [[Words(line, 12, 72, 700 - 16 * n) for n, line in enumerate(page)] for page in pages]
    )


class ZoteroFolder:
    """A data folder that a test fills; `close` writes it to the disk and lets others read it."""

    def __init__(self, folder: Path, journal_mode: str = "delete") -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        self.connection = apsw.Connection(str(folder / "zotero.sqlite"))
        self.connection.execute(f"PRAGMA journal_mode = {journal_mode}").fetchall()
        self.connection.execute("PRAGMA synchronous = OFF")  # no test cuts the power
        self.connection.execute(TABLES)
        for number, name in enumerate(FIELDS, 1):
            for table, more in (("fields", ""), ("fieldsCombined", ", 0")):
                self.connection.execute(f"INSERT INTO {table} VALUES (?, ?{more})", (number, name))
        self._next = 1

    def _item(self, kind: str, library: int = 1) -> tuple[int, str]:
        item, self._next = self._next, self._next + 1
        key = f"KEY{item:05d}"
        self.connection.execute(
            "INSERT INTO items VALUES (?, ?, '2024-01-01', ?, ?)",
            (item, KINDS[kind], library, key),
        )
        return item, key

    def _set_fields(self, item: int, fields: dict[str, str]) -> None:
        for name, value in fields.items():
            self.connection.execute(
                "INSERT OR IGNORE INTO itemDataValues(value) VALUES (?)", (value,)
            )
            self.connection.execute(
                "INSERT INTO itemData SELECT ?, ?, valueID FROM itemDataValues WHERE value = ?",
                (item, 1 + FIELDS.index(name), value),
            )

    def add_work(self, kind="journalArticle", authors=(), tags=(), library=1, **fields) -> int:
        """Add a work; authors are (given name, family name) or (…, kind of creator)."""
        item, _ = self._item(kind, library)
        self._set_fields(item, fields)
        for order, (first, last, *role) in enumerate(authors):
            self.connection.execute(
                "INSERT INTO creators(firstName, lastName, fieldMode) VALUES (?, ?, 0)",
                (first, last),
            )
            creator = self.connection.last_insert_rowid()
            role_id = {"author": 1, "editor": 2, "translator": 3}[(role or ["author"])[0]]
            self.connection.execute(
                "INSERT INTO itemCreators VALUES (?, ?, ?, ?)", (item, creator, role_id, order)
            )
        self._tag(item, tags)
        return item

    def _tag(self, item: int, tags) -> None:
        for tag in tags:
            self.connection.execute("INSERT OR IGNORE INTO tags(name) VALUES (?)", (tag,))
            self.connection.execute(
                "INSERT INTO itemTags SELECT ?, tagID, 0 FROM tags WHERE name = ?", (item, tag)
            )

    def add_file(self, work, name="paper.pdf", content=None, title="Full Text PDF", path="") -> int:
        """Add a stored file to a work, or a link to `path`; the file of a link is not made."""
        item, key = self._item("attachment")
        self._set_fields(item, {"title": title})
        kinds = {"pdf": "application/pdf", "epub": "application/epub+zip", "html": "text/html",
                 "png": "image/png"}  # fmt: skip
        kind = kinds.get(name.rpartition(".")[2], "text/plain")
        if path:
            self.connection.execute(
                "INSERT INTO itemAttachments VALUES (?, ?, 2, ?, ?)", (item, work, kind, path)
            )
            return item
        self.connection.execute(
            "INSERT INTO itemAttachments VALUES (?, ?, 0, ?, ?)",
            (item, work, kind, f"storage:{name}"),
        )
        place = self.folder / "storage" / key / name
        place.parent.mkdir(parents=True)
        place.write_bytes(make_pdf() if content is None else content)
        return item

    def add_mark(self, file, text="", comment="", color="#ffd400", page=0, kind=1, tags=()) -> int:
        item, _ = self._item("annotation")
        self._tag(item, tags)
        self.connection.execute(
            "INSERT INTO itemAnnotations VALUES (?, ?, ?, '', ?, ?, ?, ?, ?, ?, 0)",
            (item, file, kind, text, comment, color, str(page + 1), f"{page:05d}|000100|00100",
             json.dumps({"pageIndex": page, "rects": [[1, 2, 3, 4]]})),
        )  # fmt: skip
        return item

    def add_note(self, work, note: str) -> int:
        item, _ = self._item("note")
        self.connection.execute("INSERT INTO itemNotes VALUES (?, ?, ?, '')", (item, work, note))
        return item

    def add_collection(self, name, items=(), parent=None, library=1) -> int:
        self.connection.execute(
            "INSERT INTO collections(collectionName, parentCollectionID, libraryID, key)"
            " VALUES (?, ?, ?, ?)",
            (name, parent, library, f"C{name}"),
        )
        number = self.connection.last_insert_rowid()
        for item in items:
            self.connection.execute("INSERT INTO collectionItems VALUES (?, ?, 0)", (number, item))
        return number

    def delete(self, item: int) -> None:
        """Put an item into Zotero's trash."""
        self.connection.execute("INSERT INTO deletedItems VALUES (?, '2024-02-02')", (item,))

    def close(self) -> Path:
        self.connection.close()
        return self.folder


def make_study(folder: Path) -> ZoteroFolder:
    """Return a folder with one article, its PDF, three marks, a note and nested collections."""
    zotero = ZoteroFolder(folder)
    work = zotero.add_work(
        title="A study of <i>harbour</i> clocks", date="1999-05-00 May 1999",
        DOI="10.1000/Clocks.7", publicationTitle="Journal of Clocks", volume="12", issue="3",
        pages="1-20", authors=[("Clara", "Wren"), ("Li", "Wei")], tags=["clocks", "harbour"],
    )  # fmt: skip
    file = zotero.add_file(work)
    zotero.add_mark(file, "Clara Wren winds the clocks", "Every day?", "#5fb236")
    zotero.add_mark(file, "repaired the great clock in the winter of 1871", "", "#a28ae5", page=1)
    zotero.add_mark(file, "words that stand nowhere in this paper at all", "Where?", page=1)
    zotero.add_note(work, "<div><p>Read <b>again</b></p><p>before May</p></div>")
    parent = zotero.add_collection("Reading")
    zotero.add_collection("Clocks", [work], parent)
    return zotero
