"""The queue, versions of files, metadata (details and tags), the trash and chunking of documents.

Details that the user edits override those of the file and survive reindexing. Documents in the
trash keep what was read and found in them; restoring one brings that back with its annotations,
tags and collections.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from ..changes import ChangeNotice
from ..deferred import import_later
from ..errors import DiskFull, UserError
from ..messages import Message
from ..model import DocumentId
from ..settings import load_valid
from ..store import document_metadata as metadata_rows
from ..store import documents, file_versions, trash
from ..store.db import Db
from ..store.disk_reserve import ensure_reserve, release_reserve
from ..store.stored_json import parse_stored_json
from ..text.chunking import ChunkingSettings
from ..text.identifiers import read_doi, read_isbn
from ..writing_systems import replace_lone_surrogates
from .document_passwords import shared_passwords

if TYPE_CHECKING:
    from .graph_update import update_graph
else:  # not needed before the window is shown
    update_graph = import_later("desktop_app.engine.services.graph_update", "update_graph")

TRASH_DAYS = 30
MAX_TAG = 60


@dataclass(frozen=True, slots=True)
class TrashRow:
    """One document in the trash."""

    id: int
    title: str
    file_name: str
    size_bytes: int
    trashed_at: float


class DocumentService:
    """Actions on documents: queue, chunking, details, tags and the trash.

    Every method writes and returns what changed, except `list_trash` and
    `find_common_chunking`, which read. Details, tags, the trash and the choice between two versions
    of a file can be undone.

    Args:
        db: the read-write connection.
    """

    trash_days = TRASH_DAYS

    def __init__(self, db: Db) -> None:
        self._db = db

    # --- deleting and reading again ---------------------------------------------------------------

    def delete_documents(self, document_ids: Sequence[int]) -> ChangeNotice:
        """Delete several documents and update the graph once; works on a full disk too.

        Raises:
            DiskFull: the deletion needs more room than the reserve has.
        """

        def delete() -> ChangeNotice:
            with self._db.transaction():
                for document_id in document_ids:
                    documents.delete_document(self._db, document_id)
                metadata_rows.drop_unused_given(self._db)
                return _documents(document_ids) | update_graph(self._db)

        return self._with_reserve(delete)

    def _with_reserve(self, delete: Callable[[], ChangeNotice]) -> ChangeNotice:
        """Delete something; if the disk is full, with the room of the reserve."""
        try:
            return delete()
        except DiskFull as error:
            if not release_reserve(self._db.path):
                raise _needs_room() from error
        self._db.checkpoint()
        try:
            change = delete()
        except DiskFull as error:
            raise _needs_room() from error
        self._db.checkpoint()
        ensure_reserve(self._db.path)
        return change

    def stop_document(self, document_id: int) -> ChangeNotice:
        """Take a document out of the queue; finished parts stay, and so does the text it has."""
        with self._db.transaction():
            waiting = file_versions.find_new_version(self._db, document_id)
            if documents.find_state(self._db, document_id) in ("waiting", "reading", "indexing"):
                documents.set_state(self._db, document_id, "paused")
            elif waiting is not None:
                reason = Message("The file changed, but reading its new version was stopped.")
                if waiting[0] == file_versions.find_previous(self._db, document_id):
                    reason = Message("Restoring the previous version was stopped.")
                elif not file_versions.is_changed(self._db, document_id):
                    reason = Message("Reading the file again was stopped.")
                file_versions.refuse_version(self._db, document_id, waiting[0], reason)
        return ChangeNotice(documents=frozenset({document_id}))

    def retry_document(self, document_id: int, password: str = "") -> ChangeNotice:
        """Queue a failed or stopped document, or a refused new version of its file, again."""
        with self._db.transaction():
            if documents.find_state(self._db, document_id) in ("failed", "paused"):
                documents.requeue(self._db, document_id)
            else:
                file_versions.retry_version(self._db, document_id)
            source = file_versions.find_file_to_read(self._db, document_id)
            if password and source is not None:
                shared_passwords().remember(source.content, password)
        return _documents([document_id]) | ChangeNotice(queued=frozenset({document_id}))

    def reindex_documents(
        self, document_ids: Sequence[int], chunking: ChunkingSettings | None = None
    ) -> ChangeNotice:
        """Queue documents to be read again and their names to be extracted again.

        They keep their text until then. Corrections, annotations and details stay; results of
        models stay for chunks whose text is unchanged. For a row of a table, the whole table is
        read again.

        Args:
            chunking: the new chunking settings; None: as before.

        Raises:
            UserError: none of the files is in the library any more.
        """
        if chunking is not None:
            chunking.check()
        with self._db.transaction():
            found = [documents.find_with_file(self._db, i) for i in document_ids]
            queued = list(dict.fromkeys(i for i in found if i is not None))
            if document_ids and not queued:
                raise UserError("The document's file is missing from the library.", "Add it again.")
            for document_id in queued:
                if documents.has_text(self._db, document_id):
                    file_versions.offer_again(self._db, document_id)
                else:
                    documents.set_state(self._db, document_id, "waiting")
                if chunking is not None:
                    store_chunking_settings(self._db, document_id, chunking)
        return ChangeNotice(documents=frozenset(queued))

    def find_common_chunking(
        self, document_ids: Sequence[int], otherwise: ChunkingSettings
    ) -> ChunkingSettings | None:
        """Return the chunking settings that all of these documents share; None if they differ."""
        found = {
            load_chunking(self._db, documents.find_with_file(self._db, i) or i) or otherwise
            for i in document_ids
        }
        return found.pop() if len(found) == 1 else None

    def read_next(self, document_ids: int | Sequence[int]) -> ChangeNotice:
        """Put waiting documents at the front of the reading queue, in this order."""
        ids = [document_ids] if isinstance(document_ids, int) else list(document_ids)
        with self._db.transaction():
            documents.index_first(self._db, ids)
        return _documents(ids)

    # --- versions of files ------------------------------------------------------------------------

    def restore_previous(self, document_ids: Sequence[int]) -> ChangeNotice:
        """Queue the files before the last change to be read, as one undoable edit.

        The documents keep their texts until then; the present files become the previous ones.

        Raises:
            UserError: none of the documents has a previous version.
        """
        found = {i: file_versions.find_previous(self._db, i) for i in document_ids}
        versions = {i: sha256 for i, sha256 in found.items() if sha256 is not None}
        if not versions:
            raise UserError("There is no previous version of this file.")
        label = Message(
            "Restore the previous version of {documents}",
            documents=_quote_titles(self._db, list(versions)),
        )
        with self._db.edit(label):
            for document_id, sha256 in versions.items():
                present = self._db.value("SELECT sha256 FROM document WHERE id = ?", (document_id,))
                file_versions.write_choice(self._db, document_id, sha256, declined=present)
                file_versions.choose_version(self._db, document_id, sha256)
        return _documents(list(versions)) | ChangeNotice(queued=frozenset(versions))

    def use_new_version(self, document_id: int) -> ChangeNotice:
        """Read a new version that was refused, and take it however short, as an undoable edit.

        Raises:
            UserError: there is none, or its bytes are no longer kept.
        """
        version = file_versions.find_new_version(self._db, document_id)
        if version is None or not file_versions.can_choose(self._db, document_id, version[0]):
            raise UserError("The new version is no longer kept.", "Add the file again.")
        label = Message(
            "Use the new version of {documents}", documents=_quote_titles(self._db, [document_id])
        )
        with self._db.edit(label):
            file_versions.write_choice(self._db, document_id, version[0])
            file_versions.choose_version(self._db, document_id, version[0])
        return _documents([document_id]) | ChangeNotice(queued=frozenset({document_id}))

    def keep_old_text(self, document_ids: Sequence[int]) -> ChangeNotice:
        """Decline the new versions that were refused, as one undoable edit.

        The notice ends, and scans of watched folders do not offer them again.
        """
        found = {i: file_versions.find_new_version(self._db, i) for i in document_ids}
        versions = {i: row[0] for i, row in found.items() if row is not None}
        label = Message(
            "Keep the text of {documents}", documents=_quote_titles(self._db, list(versions))
        )
        with self._db.edit(label):
            for document_id, sha256 in versions.items():
                file_versions.keep_present(self._db, document_id, sha256)
        return _documents(list(versions))

    def remove_versions(self) -> ChangeNotice:
        """Delete the previous versions of all files, which can't be undone."""

        def remove() -> ChangeNotice:
            with self._db.transaction():
                return _documents(file_versions.remove_versions(self._db))

        return self._with_reserve(remove)

    # --- details and tags -------------------------------------------------------------------------

    def set_aside(self, document_ids: Sequence[int], aside: bool) -> ChangeNotice:
        """Exclude documents from answers, or include them again, as one undoable edit."""
        what = _quote_titles(self._db, document_ids)
        label = (
            Message("Exclude {documents} from answers", documents=what)
            if aside
            else Message("Include {documents} in answers", documents=what)
        )
        with self._db.edit(label):
            for document_id in document_ids:
                documents.set_excluded(self._db, document_id, aside)
        return _documents(document_ids)

    def edit_details(
        self,
        document_ids: Sequence[int],
        *,
        title: str | None = None,
        author: str | None = None,
        year: str | None = None,
        doi: str | None = None,
        isbn: str | None = None,
        container: str | None = None,
        volume: str | None = None,
        issue: str | None = None,
        pages: str | None = None,
        publisher: str | None = None,
        language: str | None = None,
        comment: str | None = None,
        tags: Sequence[str] | None = None,
        add_tags: Sequence[str] = (),
        drop_tags: Sequence[str] = (),
    ) -> ChangeNotice:
        """Set details of documents as one undoable edit; None leaves a field unchanged.

        Args:
            author: the names of all authors, separated by semicolons.
            container: the journal or book that it appeared in; `pages` are its pages there.
            tags: all tags; None: the present ones, without `drop_tags` and with `add_tags`.

        Raises:
            UserError: the title is empty, or the DOI or ISBN is not valid.
        """
        given = {
            "title": title, "author": author, "year": year, "doi": doi, "isbn": isbn,
            "language": language,
            "container": container, "volume": volume, "issue": issue, "pages": pages,
            "publisher": publisher,
            "comment": comment, "tags": None if tags is None else "\n".join(tidy_tags(tags)),
        }  # fmt: skip
        details = {field: value.strip() for field, value in given.items() if value is not None}
        if details.get("title") == "":
            raise UserError("A document needs a title.", "Type one, or press Escape to keep it.")
        _check_identifiers(details)
        add, drop = tidy_tags(add_tags), {tag.casefold() for tag in drop_tags}
        with self._db.edit(
            Message(
                "Edit the details of {documents}", documents=_quote_titles(self._db, document_ids)
            )
        ):
            for document_id in document_ids:
                if add or drop:
                    old = (
                        metadata_rows.fetch_details(self._db, document_id).get("tags") or ""
                    ).split("\n")
                    kept = [tag for tag in old if tag.casefold() not in drop]
                    details["tags"] = "\n".join(tidy_tags([*kept, *add]))
                metadata_rows.write_details(self._db, document_id, details)
        return _documents(document_ids)

    def tag(self, document_ids: Sequence[int], tag: str, *, on: bool = True) -> ChangeNotice:
        """Add a tag to documents, or remove it."""
        tags = tidy_tags([tag])
        if not tags:
            raise UserError("A tag needs a name.", "Type one, or press Escape.")
        if on:
            return self.edit_details(document_ids, add_tags=tags)
        return self.edit_details(document_ids, drop_tags=tags)

    # --- trash ------------------------------------------------------------------------------------

    def trash_documents(self, document_ids: Sequence[int]) -> tuple[ChangeNotice, list[int]]:
        """Move documents to the trash as one undoable edit.

        Documents in the trash for longer than `trash_days` are deleted permanently.

        Returns:
            The changes, and the ids in the trash.
        """
        try:
            return self._move_to_trash(document_ids)
        except DiskFull as error:
            raise DiskFull(
                "The disk is full; nothing was moved to the trash.",
                "Delete documents permanently: that needs less room.",
            ) from error

    def _move_to_trash(self, document_ids: Sequence[int]) -> tuple[ChangeNotice, list[int]]:
        with self._db.transaction(durable=True):
            trash.purge_trash(self._db, before=time.time() - self.trash_days * 86_400)
            there = [i for i, _ in documents.fetch_titles(self._db, document_ids)]
            with self._db.edit(
                Message("Move {documents} to the trash", documents=_quote_titles(self._db, there))
            ):
                made = [trash.add_to_trash(self._db, i) for i in there]
            change = _documents(document_ids) | update_graph(self._db)
        return change, made

    def list_trash(self) -> list[TrashRow]:
        """Return the documents in the trash, most recent first."""
        return [TrashRow(*row) for row in trash.fetch_trash(self._db)]

    def restore_documents(self, trash_ids: Sequence[int]) -> ChangeNotice:
        """Restore documents with their annotations, tags and collections as one undoable edit.

        Raises:
            UserError: one of them has been added again.
        """
        titles = {row.id: row.title for row in self.list_trash() if row.id in trash_ids}
        what = "".join(titles.values()) if len(titles) == 1 else ""
        made = []
        with self._db.transaction(durable=True):
            with self._db.edit(
                Message(
                    "Restore “{what}”" if what else "Restore {n} documents",
                    what=what,
                    n=len(titles),
                )
            ):
                for trash_id in titles:
                    document_id = trash.restore_document(self._db, trash_id)
                    if document_id is not None:
                        trash.restore_user_data(self._db, trash_id, document_id)
                        made.append(document_id)
            queued = frozenset(i for i in made if trash.has_work(self._db, i))
            return update_graph(self._db, _documents(made) | ChangeNotice(queued=queued))

    def restore_document(self, document_id: int) -> ChangeNotice:
        """Restore the document that had this id, as `restore_documents`."""
        trash_id = trash.find_in_trash(self._db, document_id)
        if trash_id is None:
            raise UserError("This document is no longer in the trash.", "Look in the library.")
        return self.restore_documents([trash_id])

    def empty_trash(self, trash_ids: Sequence[int] | None = None) -> ChangeNotice:
        """Delete documents from the trash permanently, which can't be undone; None deletes all."""

        def purge() -> ChangeNotice:
            with self._db.transaction():
                trash.purge_trash(self._db, trash_ids, before=float("inf"))
            return ChangeNotice()

        return self._with_reserve(purge)


def _needs_room() -> DiskFull:
    return DiskFull(
        "The disk is full; nothing was deleted.",
        "Deleting needs some megabytes for a moment: make room on the disk and try again.",
    )


def _quote_titles(db: Db, document_ids: Sequence[int]) -> Message:
    titles = documents.fetch_titles(db, document_ids)
    if len(titles) == 1:
        return Message("“{title}”", title=titles[0][1])
    return Message("{n} documents", n=len(titles))


def tidy_tags(tags: Sequence[str]) -> list[str]:
    """Return the tags with normalized whitespace, unique ignoring case, sorted."""
    known: dict[str, str] = {}
    for tag in tags:
        words = " ".join(replace_lone_surrogates(tag).replace(",", " ").split())[:MAX_TAG]
        if words:
            known.setdefault(words.casefold(), words)
    return [known[key] for key in sorted(known)]


def _documents(document_ids: Sequence[int]) -> ChangeNotice:
    return ChangeNotice(documents=frozenset(DocumentId(i) for i in document_ids))


def load_chunking(db: Db, document_id: int) -> ChunkingSettings | None:
    """Return the chunking settings of a document; None if none are stored."""
    kept = documents.fetch_chunking(db, document_id)
    if not kept:
        return None
    return load_valid(ChunkingSettings, parse_stored_json(kept, dict))


def store_chunking_settings(db: Db, document_id: int, settings: ChunkingSettings) -> None:
    """Store the chunking settings for the next time a document is read."""
    documents.store_chunking(db, document_id, json.dumps(asdict(settings), ensure_ascii=False))


def _check_identifiers(details: dict[str, str]) -> None:
    """Replace DOI and ISBN by the form in which they are stored."""
    if doi := details.get("doi"):
        details["doi"] = read_doi(doi)
        if not details["doi"]:
            raise UserError(
                "“{doi}” is not a DOI.", "A DOI begins with “10.” and a number.", doi=doi
            )
    if isbn := details.get("isbn"):
        details["isbn"] = read_isbn(isbn)
        if not details["isbn"]:
            raise UserError(
                "“{isbn}” is not a valid ISBN: its last digit does not match the others.",
                "Compare it with the book; it has 10 or 13 digits.",
                isbn=isbn,
            )
