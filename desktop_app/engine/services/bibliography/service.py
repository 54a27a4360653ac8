"""Adds bibliographies: their files as documents, and what they say of works to documents.

A work whose file is there becomes a document; one without is compared with the documents of the
library, whose details it completes. What the user wrote stays over what a bibliography says.
Adding a bibliography again takes what is new in it.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ...changes import ChangeNotice
from ...errors import UserError
from ...messages import Message
from ...model import DocumentId
from ...person_names import join_authors, split_authors, split_name
from ...progress import CancelToken, Progress, ProgressCallback, ignore_progress
from ...store import collections as collection_rows
from ...store import document_metadata, documents
from ...store.db import Db
from ...text.file_kinds import is_supported
from ..collections import MAX_NAME_CHARS
from ..document_import import add_files, add_text, encode_path, is_folder, list_files
from ..documents import tidy_tags
from .folders import is_zotero_folder, remember_folder
from .marks import Followed, add_pending, follow_marks, list_texts, place_pending
from .model import AttachedFile, Bibliography, Entry, Mark
from .reader import read_bibliography

FILE_SUFFIXES = (".bib", ".bibtex", ".ris")
_TAGS, _COLLECTIONS = "tags", "collections"  # that were taken before
_HEAD_BYTES = 200_000
# The beginning of CSL-JSON; the file is parsed by the process that reads bibliographies.
_CSL = re.compile(
    rb'"type"\s*:\s*"(?:article(?:-journal|-magazine|-newspaper)?|book|chapter|paper-conference'
    rb"|thesis|report|webpage|entry(?:-\w+)?|post(?:-weblog)?|manuscript|dataset|document"
    rb'|motion_picture|legal_case|patent|speech|software|review)"'
)
_CSL_FIELDS = re.compile(rb'"(?:issued|DOI|ISBN|container-title)"\s*:|"author"\s*:\s*\[\s*\{')


@dataclass(frozen=True, slots=True)
class AddedReferences:
    """Result of adding a bibliography.

    Attributes:
        origin: "Zotero", "BibTeX", "RIS" or "CSL-JSON".
        n_entries: works in it.
        documents: new documents.
        completed: documents of the library with new details.
        n_unchanged: works of which everything was there.
        without_file: titles of works without a file and without a document of the library.
        missing: (title of the work, place) of files that are not there.
        in_trash: number of files whose documents are in the trash; they stay there.
        refused: path -> why the file was not added.
        n_marks: highlights and notes that were placed; `n_waiting` wait until their documents are
            read; of the words of `n_lost` there is nothing in the text, they are notes.
        followed: marks that were taken before and are different in Zotero now.
        left_out: what was not used, counted by reason.
    """

    origin: str
    name: str
    n_entries: int = 0
    documents: tuple[DocumentId, ...] = ()
    completed: tuple[DocumentId, ...] = ()
    n_unchanged: int = 0
    without_file: tuple[str, ...] = ()
    missing: tuple[tuple[str, str], ...] = ()
    in_trash: int = 0
    refused: dict[str, Message] = field(default_factory=dict)
    n_marks: int = 0
    n_waiting: int = 0
    n_lost: int = 0
    followed: Followed = field(default_factory=Followed)
    left_out: dict[Message, int] = field(default_factory=dict)


def is_bibliography(path: Path) -> bool:
    """Return whether a path is a data folder of Zotero, or a file of references by its ending.

    A JSON file is one if its beginning looks like CSL-JSON.
    """
    try:
        if path.is_dir():
            return is_zotero_folder(path)
        if path.suffix.lower() in FILE_SUFFIXES:
            return True
        if path.suffix.lower() != ".json" or not path.is_file():
            return False
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
        has_title = b'"title"' in head and _CSL_FIELDS.search(head) is not None
        return has_title and _CSL.search(head) is not None
    except (OSError, ValueError):
        return False


def split_bibliographies(paths: Iterable[Path]) -> tuple[list[Path], list[Path]]:
    """Return the bibliographies among files and in folders, and the paths that are none.

    A folder stays in the second list: its other files are added as documents, and `add_files` gets
    the first list as what to leave to `add_bibliography`.
    """
    found: dict[Path, None] = {}
    others: list[Path] = []
    for path in paths:
        if is_bibliography(path):
            found[path] = None
            continue
        others.append(path)
        if is_folder(path):
            found |= dict.fromkeys(
                file
                for file in list_files(path)
                if not file.name.startswith(".") and is_bibliography(file)
            )
    return list(found), others


def add_bibliography(
    db: Db,
    path: Path,
    *,
    cancel: CancelToken | None = None,
    on_progress: ProgressCallback = ignore_progress,
    on_change: Callable[[ChangeNotice], None] = lambda change: None,
) -> AddedReferences:
    """Add the files and details of a data folder of Zotero, or of a file of references.

    The folder of Zotero is remembered for updates, on this computer only.

    Raises:
        UserError: it is no bibliography, or broken; nothing was written.
        Cancelled: the token was set; documents that were added stay.
    """
    cancel = cancel or CancelToken()
    on_progress(Progress("importing"))
    found = read_bibliography(path, cancel=cancel)
    db.check_writable()
    if path.is_dir():
        remember_folder(db, path)
    adding = _Adding(db, path, found, cancel, on_progress)
    try:
        adding.add_all_files()
    finally:
        if adding.new:
            on_change(ChangeNotice(documents=frozenset(adding.new)))
    adding.match_others()
    change = adding.write()
    if change:
        on_change(change)
    return adding.report()


class _Adding:
    """One adding of a bibliography."""

    def __init__(
        self,
        db: Db,
        path: Path,
        found: Bibliography,
        cancel: CancelToken,
        on_progress: ProgressCallback,
    ) -> None:
        self._db, self._path, self._found = db, path, found
        self._cancel, self._on_progress = cancel, on_progress
        self._folder = path if path.is_dir() else path.parent
        self._works: list[tuple[DocumentId, Entry, AttachedFile | None]] = []
        self._others: list[Entry] = []
        self.new: dict[DocumentId, None] = {}
        self._completed: dict[DocumentId, None] = {}
        self._without_file: list[str] = []
        self._missing: list[tuple[str, str]] = []
        self._refused: dict[str, Message] = {}
        self._n_unchanged = self._in_trash = 0
        self._n_marks = self._n_waiting = self._n_lost = 0
        self._followed = Followed()
        self._marks: dict[DocumentId, list[Mark]] = {}  # several files may have the same content

    # --- files ------------------------------------------------------------------------------------

    def add_all_files(self) -> None:
        """Add the files that are there, and note the documents of all of them."""
        known = {row[0]: row[1:] for row in document_metadata.fetch_files_known(self._db)}
        entries = self._found.entries
        for number, entry in enumerate(entries):
            self._cancel.check()
            self._on_progress(Progress("importing", number, len(entries)))
            n_before = len(self._works)
            n_gone = self._in_trash
            for file in entry.files:
                self._add_file(entry, file, known)
            if entry.text:
                self._add_note(entry)
            if len(self._works) == n_before and self._in_trash == n_gone:
                self._others.append(entry)

    def _add_file(
        self, entry: Entry, file: AttachedFile, known: dict[str, tuple[int, float]]
    ) -> None:
        path = self._find_file(file)
        if path is None:
            if file.places and file.places[0]:
                self._missing.append((_name(entry), file.places[0]))
            return
        document_id = None
        if self._is_unchanged(path, known):
            stored = encode_path(path)
            document_id = documents.find_of_file(self._db, stored, path.name)
            if document_id is None:  # in the trash, where the user put it
                self._in_trash += 1
                return
        else:
            own = documents.find_of_file(self._db, encode_path(path), path.name)
            added = add_files(self._db, [path])
            self._refused |= added.refused
            document_id = next(iter((*added.documents, *added.same_as)), None)
            self.new |= dict.fromkeys(i for i in added.documents if i != own)
        if document_id is not None:
            self._works.append((document_id, entry, file))

    def _add_note(self, entry: Entry) -> None:
        """Add a note that belongs to no work as a document, or its new text."""
        own = document_metadata.find_by_item_key(self._db, entry.item_key)
        if own is not None and not document_metadata.fetch_existing(self._db, [own]):
            self._in_trash += 1
            return
        try:
            added = add_text(self._db, entry.title, entry.text, own)
        except UserError as error:
            self._refused[entry.title] = error.full_message
            return
        document_id = next(iter((*added.documents, *added.same_as)), None)
        self.new |= dict.fromkeys(i for i in added.documents if i != own)
        if document_id is not None:
            self._works.append((document_id, entry, None))

    @staticmethod
    def _is_unchanged(path: Path, known: dict[str, tuple[int, float]]) -> bool:
        size, at = known.get(encode_path(path), (-1, 0.0))
        status = path.stat()
        return size == status.st_size and status.st_mtime <= at

    def _find_file(self, file: AttachedFile) -> Path | None:
        """Return the first place that has a file of a kind that can be read here.

        A bibliography may be from another person: places on the network are left out.
        """
        for place in file.places:
            if not place or "\0" in place or place.startswith(("\\\\", "//")):
                continue
            path = self._folder / (place if os.name == "nt" else place.replace("\\", "/"))
            try:
                if is_supported(path.name) and path.is_file():
                    return Path(os.path.normpath(path))
            except (OSError, ValueError):
                continue
        return None

    # --- works without a file ---------------------------------------------------------------------

    def match_others(self) -> None:
        """Find the documents of works without a file."""
        if not self._others:
            return
        known = document_metadata.fetch_document_references(self._db)
        by_doi = {one.doi: one.document_id for one in known if one.doi}
        by_isbn = {one.isbn: one.document_id for one in known if one.isbn}
        by_title = {
            key: one.document_id
            for one in known
            if (key := _build_key(one.title, one.year, split_authors(one.author)))
        }
        taken: set[int] = {document_id for document_id, _, _ in self._works}
        for entry in self._others:
            key = _build_key(entry.title, entry.year, entry.authors)
            document_id = (
                by_doi.get(entry.doi)
                or (by_isbn.get(entry.isbn) if entry.kind != "chapter" else None)
                or (by_title.get(key) if key else None)
            )
            if document_id is not None and document_id not in taken:
                taken.add(document_id)
                self._works.append((DocumentId(document_id), entry, None))
            elif document_id is None:
                self._without_file.append(_name(entry))

    # --- writing ----------------------------------------------------------------------------------

    def write(self) -> ChangeNotice:
        """Write details, tags, collections and marks as one edit; return what changed."""
        changed: set[DocumentId] = set()
        seen: set[DocumentId] = set()
        for document_id, _, file in self._works:
            if file is not None:
                self._marks.setdefault(document_id, []).extend(file.marks)
        n_collections = len(collection_rows.fetch_collections(self._db))
        with self._db.edit(Message("Add the references of “{name}”", name=self._path.name)):
            for number, (document_id, entry, file) in enumerate(self._works):
                self._cancel.check()
                self._on_progress(Progress("importing", number, len(self._works)))
                if self._write_one(document_id, entry, file, is_first=document_id not in seen):
                    changed.add(document_id)
                elif document_id not in self.new:
                    self._n_unchanged += 1
                seen.add(document_id)
            made = len(collection_rows.fetch_collections(self._db)) != n_collections
        self._completed = dict.fromkeys(i for i, _, _ in self._works if i in changed)
        return ChangeNotice(documents=frozenset(changed), collections=made)

    def _write_one(
        self, document_id: DocumentId, entry: Entry, file: AttachedFile | None, *, is_first: bool
    ) -> bool:
        """Write what a work says of a document; return whether anything was new.

        Args:
            is_first: of the works with this file; the others add only what can be several.
        """
        before = document_metadata.fetch_given(self._db, document_id)
        given = dict(before) | (_describe_work(entry, file) if is_first else {})
        old_tags, old_collections = (
            set(list_texts(before.get(name))) for name in (_TAGS, _COLLECTIONS)
        )
        if tags := [tag for tag in tidy_tags(entry.tags) if tag not in old_tags]:
            given[_TAGS] = sorted(old_tags | set(tags))
            own = document_metadata.fetch_details(self._db, document_id).get("tags") or ""
            joined = "\n".join(tidy_tags([*own.split("\n"), *tags]))
            document_metadata.write_details(self._db, document_id, {"tags": joined})
        if names := [name for name in entry.collections if name not in old_collections]:
            given[_COLLECTIONS] = sorted(old_collections | set(names))
            for name in names:
                self._collect(name, document_id)
        n_new = 0
        if is_first and (marks := self._marks.get(document_id)) is not None:
            if self._found.has_all_marks:
                self._followed += follow_marks(self._db, document_id, given, marks)
            n_new = add_pending(given, marks)
        if given == before:
            return False
        document_metadata.store_given(self._db, document_id, given)
        if n_new:
            n_placed, n_lost = place_pending(self._db, document_id)
            self._n_marks += n_placed
            self._n_lost += n_lost
            self._n_waiting += 0 if n_placed else n_new
        return True

    def _collect(self, name: str, document_id: DocumentId) -> None:
        name = " ".join(name.split())[:MAX_NAME_CHARS].rstrip()
        if not name:
            return
        collection = collection_rows.find_collection(self._db, name)
        if collection is None:
            collection = collection_rows.add_collection(self._db, name)
        collection_rows.add_documents(self._db, collection, [document_id])

    def report(self) -> AddedReferences:
        """Return what was done."""
        return AddedReferences(
            origin=self._found.origin,
            name=self._path.name,
            n_entries=len(self._found.entries),
            documents=tuple(self.new),
            completed=tuple(i for i in self._completed if i not in self.new),
            n_unchanged=self._n_unchanged,
            without_file=tuple(self._without_file),
            missing=tuple(self._missing),
            in_trash=self._in_trash,
            refused=self._refused,
            n_marks=self._n_marks,
            n_waiting=self._n_waiting,
            n_lost=self._n_lost,
            followed=self._followed,
            left_out=dict(self._found.left_out),
        )


def _describe_work(entry: Entry, file: AttachedFile | None) -> dict[str, str]:
    """Return what is stored of a work; a further file of it has a title of its own."""
    title = entry.title
    if title and file is not None and file.label:
        title = f"{title} – {file.label}"
    fields = {
        "title": title,
        "item_key": entry.item_key,
        "author": join_authors([name.replace(";", ",") for name in entry.authors]),
        "year": entry.year,
        "doi": entry.doi,
        "isbn": entry.isbn,
        **{name: getattr(entry, name) for name in document_metadata.WORK_FIELDS},
    }
    return {name: value for name, value in fields.items() if value}


def _build_key(title: str, year: str, authors: Sequence[str]) -> str:
    """Return what a title, a year and the family name of the first author say, for comparing."""
    if not title or not year or not authors:
        return ""
    plain = unicodedata.normalize("NFKD", f"{title} {split_name(authors[0])[0]}").casefold()
    return f"{year[:4]} {''.join(char for char in plain if char.isalnum())}"


def _name(entry: Entry) -> str:
    return entry.title or "; ".join(entry.authors) or entry.doi
