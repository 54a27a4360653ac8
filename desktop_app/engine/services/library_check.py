"""Checks a library: finds damage, says which documents it concerns and what can still be used.

Reads everything once: the checksums of all pages, SQLite's structure, each document's file and
text, the graph, and both search indexes. Never writes into the library.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ..errors import DamagedLibrary
from ..messages import Message
from ..model import DocumentId
from ..progress import CancelToken, Progress, ProgressCallback, ignore_progress
from ..store import damage, documents, file_versions, graph, search, trash
from ..store.db import UNDOABLE_TABLES, Db
from ..store.file_content import has_digest
from ..store.library_file import find_damaged_pages, read_header
from ..store.sqlite_errors import describe_damaged_pages
from .backups import CHECK
from .graph_update import count_graph_differences, rebuild_graph
from .library import Library

log = logging.getLogger(__name__)

MAX_STRUCTURE_LINES = 20
MAX_LISTED = 10  # documents named in the report
CHAT_TABLES = ("chat", "message", "citation", "chat_draft", "waiting_question")
# Parts of a library that can be damaged alone, in the order in which they are reported.
PARTS = ("documents", "trash", "corrections", "chats", "graph", "words", "vectors")
PART_NAMES = {
    "documents": Message("reading all documents"),
    "trash": Message("restoring from the trash"),
    "corrections": Message("your corrections and marks"),
    "chats": Message("chats"),
    "graph": Message("the graph"),
    "words": Message("searching for words"),
    "vectors": Message("searching by meaning"),
}
REPAIRABLE = ("graph", "words", "vectors")  # can be made again from the documents


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is not as it should be.

    Attributes:
        part: one of `PARTS`, or "file".
        detail: lines for a maintainer, in the words of SQLite.
    """

    part: str
    message: Message
    document_id: DocumentId | None = None
    detail: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LibraryCheckResult:
    """What a check found; `problems` is empty if the library is in order.

    Attributes:
        n_damaged_documents: documents that are not completely as they were added.
        usable: the parts that were read completely.
        is_damaged: something is lost or cannot be trusted; otherwise, problems are only in what
            can be made again from the documents.
        may_be_foreign: only checksums differ, as after a change by a program without them.
        has_checksums: a flipped bit anywhere in the file is found.
    """

    problems: tuple[Problem, ...]
    n_documents: int
    n_damaged_documents: int
    usable: tuple[str, ...]
    is_damaged: bool
    may_be_foreign: bool
    has_checksums: bool

    @property
    def is_sound(self) -> bool:
        return not self.problems

    def describe(self) -> list[Message]:
        """Return what was found, what can still be used, and what to do; one sentence each."""
        if self.is_sound:
            lines = [Message("The library is in order.")]
            if not self.has_checksums:
                lines.append(
                    Message(
                        "It has no page checksums, which detect damage: close it in other "
                        "programs, and open it again."
                    )
                )
            return lines
        of_documents = [p.message for p in self.problems if p.document_id is not None]
        lines = [p.message for p in self.problems if p.document_id is None]
        lines += of_documents[:MAX_LISTED]
        if (more := len(of_documents) - MAX_LISTED) > 0:
            lines.append(Message("And {n:,} more of this kind.", n=more))
        if self.n_damaged_documents:
            lines.append(
                Message(
                    "{n:,} of {total:,} documents are damaged.",
                    n=self.n_damaged_documents,
                    total=self.n_documents,
                )
            )
        if self.usable:
            usable: Message | str = PART_NAMES[self.usable[0]]
            for part in self.usable[1:]:
                usable = Message("{one}, {other}", one=usable, other=PART_NAMES[part])
            lines.append(Message("Can still be used: {parts}.", parts=usable))
        if self.may_be_foreign:
            lines.append(
                Message(
                    "All documents and the structure of the file are as they should be: perhaps"
                    " another program wrote into the library without its checksums."
                )
            )
        if self.is_damaged:
            lines.append(Message("Nothing is written into this library any more."))
            lines.append(damage.WAYS_OUT)
        else:
            lines.append(
                Message("All of this can be rebuilt from the documents: choose “Rebuild”.")
            )
        return lines


def check_library(
    db: Db,
    *,
    cancel: CancelToken | None = None,
    on_progress: ProgressCallback = ignore_progress,
) -> LibraryCheckResult:
    """Check a whole library; damage is recorded, so that nothing is written into it any more.

    Args:
        db: a connection that nothing else uses: cancelling interrupts its query.

    Raises:
        Cancelled: the token was set.
    """
    return _Check(db, cancel or CancelToken(), on_progress).run()


def check_open_library(
    library: Library,
    *,
    cancel: CancelToken | None = None,
    on_progress: ProgressCallback = ignore_progress,
) -> LibraryCheckResult:
    """Check a library that is open, with a connection of its own; as `check_library`."""
    db = Db(library.path, read_only=True, looks_for_damage=False)
    try:
        return check_library(db, cancel=cancel, on_progress=on_progress)
    finally:
        db.close()


@dataclass
class _Check:
    db: Db
    cancel: CancelToken
    on_progress: ProgressCallback
    problems: list[Problem] = field(default_factory=list)
    failed_parts: set[str] = field(default_factory=set)
    damaged_documents: set[int] = field(default_factory=set)
    n_documents: int = 0
    has_dangling_rows: bool = False

    def run(self) -> LibraryCheckResult:
        header = read_header(self.db.path)
        n_pages = self._check_pages()
        with self.cancel.notifying(self.db.stop):
            # Without verification, SQLite can look at the content of a page that does not fit.
            plain = Db(self.db.path, read_only=True, looks_for_damage=False, verify_pages=False)
            try:
                with self.cancel.notifying(plain.stop):
                    self._check_structure(plain)
                    is_structure_sound = not any(p.part == "file" for p in self.problems[1:])
                    may_be_foreign = (
                        n_pages > 0 and is_structure_sound and self._is_content_sound(plain)
                    )
            finally:
                plain.close()
            self._check_documents()
            self._guard("trash", self._check_trash)
            self._check_tables("corrections", set(UNDOABLE_TABLES) - set(CHAT_TABLES))
            self._check_tables("chats", CHAT_TABLES)
            self._guard("graph", self._check_graph)
            self._guard("words", self._check_words)
            self._guard("vectors", self._check_vectors)
        is_damaged = any(p.part not in REPAIRABLE for p in self.problems)
        if is_damaged and self.db.damage.found is None:
            self.db.damage.add(Message("the check found damage"))
        elif not self.problems:
            damage.remove_note(self.db.path)
        return LibraryCheckResult(
            tuple(self.problems),
            self.n_documents,
            len(self.damaged_documents),
            tuple(part for part in PARTS if part not in self.failed_parts),
            is_damaged,
            may_be_foreign,
            header is None or header.has_checksums,  # None: encrypted, so authenticated
        )

    def _report(self, stage: str, done: int = 0, total: int = 0) -> None:
        self.cancel.check()
        self.on_progress(Progress(stage, done, total))

    def _add(
        self,
        part: str,
        message: Message,
        document_id: DocumentId | None = None,
        detail: Iterable[str] = (),
    ) -> None:
        self.problems.append(Problem(part, message, document_id, tuple(detail)))
        self.failed_parts.add(part)

    # --- the file -------------------------------------------------------------------------------

    def _check_pages(self) -> int:
        self._report("pages")
        pages = find_damaged_pages(
            self.db.path, on_block=lambda done, total: self._report("pages", done, total)
        )
        if pages:
            what = describe_damaged_pages(len(pages))
            self.db.damage.add(what)
            numbers = ", ".join(map(str, pages[:MAX_STRUCTURE_LINES]))
            self._add("file", Message("The file is damaged: {what}.", what=what), None, [numbers])
        return len(pages)

    def _check_structure(self, plain: Db) -> None:
        self._report("structure")
        inconsistent = Message("The structure of the file is inconsistent.")
        try:
            lines = [r[0] for r in plain.rows("PRAGMA integrity_check") if r[0] != "ok"]
            dangling = plain.rows("PRAGMA foreign_key_check")
        except DamagedLibrary as error:
            self._add("file", inconsistent, None, [str(error)])
            return
        words = [line for line in lines if "chunk_fts" in line]
        other = [line for line in lines if "chunk_fts" not in line]
        if words:
            self._add("words", Message("The word index is damaged."), None, words)
        if other:
            self._add("file", inconsistent, None, other[:MAX_STRUCTURE_LINES])
        if dangling:
            self.has_dangling_rows = True
            names = sorted({str(row[0]) for row in dangling})
            self._add(
                "file",
                Message("{n:,} entries refer to entries that are missing.", n=len(dangling)),
                None,
                names,
            )

    # --- documents ------------------------------------------------------------------------------

    def _is_content_sound(self, plain: Db) -> bool:
        """Return whether files and texts are what they were, as far as their digests show."""
        try:
            return not any(
                self._find_changed(plain, row_id)
                for row_id in plain.column("SELECT id FROM document ORDER BY id")
            ) and not any(
                self._find_changed_in_trash(plain, trash_id, document_id)
                for trash_id, document_id in plain.rows("SELECT id, document_id FROM trash")
            )
        except DamagedLibrary:
            return False

    def _check_documents(self) -> None:
        try:
            rows = self.db.rows("SELECT id, title FROM document ORDER BY id")
        except DamagedLibrary:
            self._add("documents", Message("The list of documents can't be read."))
            return
        self.n_documents = len(rows)
        for number, (document_id, title) in enumerate(rows):
            self._report("documents", number, len(rows))
            found = self._check_document(document_id)
            for what in found:
                message = Message("“{title}”: {what}.", title=title, what=what)
                self._add("documents", message, document_id)
            if found:
                self.damaged_documents.add(document_id)

    def _check_document(self, document_id: int) -> list[Message]:
        """Return what is wrong with one document."""
        try:
            found = self._find_changed(self.db, document_id)
        except DamagedLibrary:
            found = [Message("its file or its text can't be read")]
        for table, what in (
            ("page", Message("its pages can't be read")),
            ("heading", Message("its outline can't be read")),
            ("mention", Message("its names can't be read")),
            ("claimed_relation", Message("its connections can't be read")),
        ):
            try:
                documents.read_all_of(self.db, table, document_id)
            except DamagedLibrary:
                found.append(what)
        return found

    def _find_changed(self, db: Db, document_id: int) -> list[Message]:
        """Return what of a document is not what its digests say."""
        self.cancel.check()
        found: list[Message] = []
        sha256, text_sha256 = documents.fetch_digests(db, document_id)
        if sha256 and not has_digest(db, "original", document_id, sha256):
            found.append(Message("its file is not what was added"))
        for table in file_versions.find_damaged_versions(db, document_id):
            found.append(_DAMAGED_VERSIONS[table])
        text = documents.fetch_text(db, document_id)
        if text is not None:
            encoded = text.encode("utf-8", "surrogatepass")
            if text_sha256 and _hash(encoded) != text_sha256:
                found.append(Message("its text is not what was read"))
            chunks = documents.fetch_spans(db, document_id)
            if any(text[start:end] != stored for start, end, stored in chunks):
                found.append(Message("its passages are not parts of its text"))
        return found

    def _check_trash(self) -> None:
        """Check the files in the trash, and the kept versions of them."""
        rows = self.db.rows("SELECT id, document_id, title FROM trash ORDER BY id")
        for number, (trash_id, document_id, title) in enumerate(rows):
            self._report("trash", number, len(rows))
            try:
                found = self._find_changed_in_trash(self.db, trash_id, document_id)
            except DamagedLibrary:
                found = [Message("its file or its text can't be read")]
            for what in found:
                message = Message("“{title}” in the trash: {what}.", title=title, what=what)
                self._add("trash", message, document_id)

    def _find_changed_in_trash(self, db: Db, trash_id: int, document_id: int) -> list[Message]:
        self.cancel.check()
        found = [
            _DAMAGED_VERSIONS[table]
            for table in file_versions.find_damaged_versions(db, document_id)
        ]
        return [_DAMAGED_IN_TRASH[what] for what in trash.find_damaged(db, trash_id)] + found

    # --- what is derived ------------------------------------------------------------------------

    def _guard(self, part: str, check: Callable[[], None]) -> None:
        self._report(part)
        try:
            check()
        except DamagedLibrary:
            self._add(part, _UNREADABLE[part])

    def _check_tables(self, part: str, tables: Iterable[str]) -> None:
        def check() -> None:
            for table in sorted(tables):
                documents.read_all_of(self.db, table)

        self._guard(part, check)

    def _check_graph(self) -> None:
        for table in ("entity", "entity_name", "relation", "community", "report"):
            documents.read_all_of(self.db, table)
        if graph.is_graph_stale(self.db) or self.has_dangling_rows:
            return  # is made again anyway, or from incomplete evidence
        if n := count_graph_differences(self.db):
            message = Message(
                "{n:,} names or connections of the graph do not match the documents.", n=n
            )
            self._add("graph", message)

    def _check_words(self) -> None:
        for table in ("chunk_fts_data", "chunk_fts_idx", "chunk_fts_docsize"):
            documents.read_all_of(self.db, table)
        missing, extra = search.count_word_index_differences(self.db)
        if missing or extra:
            message = Message(
                "The word index lacks {n:,} passages, and has {m:,} that do not exist.",
                n=missing,
                m=extra,
            )
            self._add("words", message)

    def _check_vectors(self) -> None:
        if n := search.count_vector_index_differences(self.db):
            self._add("vectors", Message("{n:,} passages have no correct vector.", n=n))


_DAMAGED_VERSIONS = {
    "previous_version": Message("the previous version of its file is not what was added"),
    "new_version": Message("the changed file that waits is not what was read"),
}
_DAMAGED_IN_TRASH = {
    "file": Message("its file is not what was added"),
    "text": Message("its text is not what was read"),
}
_UNREADABLE = {
    "trash": Message("A part of the trash can't be read."),
    "corrections": Message("Some of your corrections or marks can't be read."),
    "chats": Message("Some chats can't be read."),
    "graph": Message("A part of the graph can't be read."),
    "words": Message("The word index can't be read."),
    "vectors": Message("The vectors can't be read."),
}


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def repair_library(library: Library) -> None:
    """Make a backup, then make the graph and the search indexes again.

    Raises:
        DamagedLibrary: the documents themselves are damaged.
        EnvironmentProblem: there is no room for the backup; nothing was changed.
    """
    library.backups.make(CHECK)
    repair_derived(library.writer)


def repair_derived(db: Db) -> None:
    """Make the graph and the search indexes again from the documents.

    Raises:
        DamagedLibrary: the documents themselves are damaged.
    """
    with db.transaction():
        search.rebuild_word_index(db)
        search.rebuild_vector_index(db)
        rebuild_graph(db)
        graph.mark_graph_stale(db, False)
