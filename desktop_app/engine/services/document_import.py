"""Adds files to a library: stores their bytes, queues them and reports copies.

The changed file of a document that has a text is stored beside it and replaces it only after it was
read (`services.indexing`).
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from urllib.parse import quote, unquote_to_bytes

from ..errors import (
    AppError,
    Cancelled,
    DamagedLibrary,
    EnvironmentProblem,
    ReadOnlyLibrary,
    UserError,
    cannot_read,
)
from ..file_content import (
    PIECE_BYTES,
    BytesContent,
    ContentChanged,
    FileContent,
    FilePart,
    OpenFile,
    VerifiedContent,
    hash_content,
    load_bytes,
)
from ..file_names import check_path, make_file_name
from ..messages import Message
from ..model import DocumentId
from ..progress import CancelToken
from ..store import documents, file_versions
from ..store.db import Db
from ..store.raw_file import open_database_file
from ..text import saved_pages
from ..text.file_kinds import HEAD_BYTES, is_mail_box, is_supported, refuse_unread_kind
from ..writing_systems import replace_lone_surrogates
from .document_passwords import looks_encrypted, shared_passwords

MAX_FILE_BYTES = 500 * 1024 * 1024
# A larger mail box becomes several files of the library: a letter that is added to it changes only
# the last one, and reading one needs no more memory than this several times. 64 MB are about 2,000
# letters with attachments.
MAIL_PART_BYTES = 64 * 1024 * 1024
MAX_MAIL_BOX_BYTES = 20 * 1024**3  # the library grows by as much
MAX_TITLE = 200
# Of a web page whose pictures are looked for beside it: with these it has less than the 40 million
# characters that a page may have (`text/readers/html.py`).
MAX_PAGE_BYTES = 10 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class AddedFiles:
    """The result of adding files; `refused` maps a path to the reason.

    `duplicates` are (file name, title of the document that has the same content), and `same_as`
    the ids of those documents, in the same order. `passed_over` are files in folders with a format
    that can't be read. `delayed` are refused paths that may be added later: the disk is full.
    """

    documents: tuple[DocumentId, ...] = ()
    duplicates: tuple[tuple[str, str], ...] = ()
    refused: dict[str, Message] = field(default_factory=dict)
    same_as: tuple[DocumentId, ...] = ()
    passed_over: dict[str, Message] = field(default_factory=dict)
    delayed: tuple[str, ...] = ()


def add_files(
    db: Db,
    paths: Iterable[Path],
    *,
    password: str = "",
    is_scan: bool = False,
    leave_out: Collection[Path] = (),
    cancel: CancelToken | None = None,
) -> AddedFiles:
    """Queue files and the readable files of folders; their bytes are stored in the library.

    A changed file replaces the text of its document after it was read: chunks with unchanged text
    keep their evidence. No file stops the others.

    Args:
        is_scan: nobody chose these files: what was refused or declined is not tried again.
        leave_out: files in the folders that are added in another way.

    Raises:
        Cancelled: the token was set; what was added stays.
    """
    added: dict[DocumentId, None] = {}
    duplicates: list[tuple[str, str]] = []
    same_as: list[DocumentId] = []
    refused: dict[str, Message] = {}
    delayed: list[str] = []
    paths = list(paths)
    for path in paths:
        try:
            check_path(path)
        except UserError as error:
            refused[str(path)] = error.full_message
    files, passed_over, unreadable = _expand(
        (p for p in paths if str(p) not in refused), frozenset(leave_out)
    )
    for folder, problem in unreadable:
        refused[str(folder)] = cannot_read(folder, problem).full_message
    for path in files:
        try:
            with open_file(path, _find_limit(path)) as content:
                for name, part in _split_file(db, path, content):
                    if cancel is not None:
                        cancel.check()
                    sha256 = hash_content(part)
                    if password and looks_encrypted(part):
                        shared_passwords().remember(part, password)
                    verified = VerifiedContent(part, sha256)
                    with db.small_cache() if part.size > PIECE_BYTES else nullcontext():
                        document_id, is_known = _add_file(db, path, name, verified, sha256, is_scan)
                    if document_id is not None and is_known:
                        row = documents.find_document(db, document_id)
                        duplicates.append((name, row.title if row else ""))
                        same_as.append(document_id)
                    elif document_id is not None:
                        added[document_id] = None
        except (Cancelled, DamagedLibrary, ReadOnlyLibrary):
            raise  # the reason is the library, not this file
        except EnvironmentProblem as error:
            refused[str(path)] = error.full_message
            delayed.append(str(path))
        except AppError as error:
            refused[str(path)] = error.full_message
        except ContentChanged:
            refused[str(path)] = Message(
                "“{name}” was changed while it was read. Add it again.", name=path.name
            )
    return AddedFiles(
        tuple(added),
        tuple(duplicates),
        refused,
        tuple(same_as),
        {str(path): _find_reason(path) for path in passed_over},
        tuple(delayed),
    )


def _find_limit(path: Path) -> int:
    """Return how large a file may be."""
    if not path.is_file():  # opening a pipe waits until another process writes into it
        return MAX_FILE_BYTES
    try:
        with path.open("rb") as file:
            is_mail = is_mail_box(file.read(HEAD_BYTES), path.suffix.lower())
    except (OSError, ValueError):
        return MAX_FILE_BYTES  # `open_file` finds the reason
    return MAX_MAIL_BOX_BYTES if is_mail else MAX_FILE_BYTES


def _split_file(db: Db, path: Path, content: OpenFile) -> Iterator[tuple[str, FileContent]]:
    """Yield (name, content) of what a file becomes in the library: a large mail box of its parts.

    A web page gets the pictures that were saved beside it.
    A mail box that was added whole by an older version stays whole as long as it can.
    """
    if path.suffix.lower() in saved_pages.SUFFIXES and content.size <= MAX_PAGE_BYTES:
        page = load_bytes(content)
        yield path.name, BytesContent(saved_pages.embed_pictures(page, path))
        return
    is_large = content.size > MAIL_PART_BYTES
    if is_large and content.size <= MAX_FILE_BYTES:
        is_large = documents.find_of_file(db, encode_path(path), path.name) is None
    head = next(content.iter_pieces(), b"")[:HEAD_BYTES] if is_large else b""
    if not is_large or not is_mail_box(head, path.suffix.lower()):
        yield path.name, content
        return
    from ..text.readers.mail import split_mbox

    parts = split_mbox(content.file, content.size, MAIL_PART_BYTES)
    for number, (start, size) in enumerate(parts, 1):
        if size > MAX_FILE_BYTES:
            raise UserError(
                "“{name}” has a letter that is larger than {limit} MB.",
                "Delete this letter from the mail box, or save its attachments and add those.",
                name=path.name,
                limit=MAX_FILE_BYTES // 2**20,
            )
        yield f"{path.stem} {number}{path.suffix}", FilePart(content.file, start, size)


def _add_file(
    db: Db, path: Path, name: str, content: FileContent, sha256: str, is_scan: bool
) -> tuple[DocumentId | None, bool]:
    """Return the document of a file, None if it is not tried again; and whether it is known."""
    source_path = encode_path(path)
    with db.transaction():
        own = documents.find_of_file(db, source_path, name)
        known = documents.find_by_hash(db, sha256)
        if known is not None:
            if own == known:
                file_versions.drop_new_version(db, known)
            return known, True
        failed = documents.find_failed(db, sha256)
        if failed is not None:  # added again: retry, perhaps with a password
            if is_scan:
                return None, False
            documents.requeue(db, failed)
            return failed, False
        if own is None:
            if not is_scan:  # a scan would refuse it again and again
                refuse_unread_kind(next(content.iter_pieces(), b"")[:HEAD_BYTES], path.name)
            return documents.add_waiting(
                db,
                title=Path(name).stem,
                file_name=name,
                source_path=source_path,
                content=content,
                sha256=sha256,
            ), False
        if not documents.has_text(db, own):
            documents.replace_unread(db, own, content, sha256)
            return own, False
        return (own if _offer(db, own, content, sha256, is_scan) else None), False


def _offer(
    db: Db, document_id: DocumentId, content: FileContent, sha256: str, is_scan: bool
) -> bool:
    """Queue the changed file of a document that has a text; return whether it is to be read."""
    is_declined = sha256 == file_versions.find_declined(db, document_id)
    new = file_versions.find_new_version(db, document_id)
    if is_scan and (is_declined or new == (sha256, "refused")):
        return False
    if new != (sha256, "waiting"):
        file_versions.offer_version(db, document_id, sha256, content, content.size)
    if is_declined:
        title = documents.fetch_titles(db, [document_id])[0][1]
        with db.edit(Message("Use the new version of “{title}”", title=title)):
            file_versions.write_choice(db, document_id, sha256)
    return True


def add_text(db: Db, title: str, text: str, own: DocumentId | None = None) -> AddedFiles:
    """Queue a text without a file, such as a pasted one, under a title.

    Args:
        own: the document that gets this text instead of the one it has.

    Raises:
        UserError: there is no text, or no title.
    """
    title = " ".join(title.split())[:MAX_TITLE]
    if not text.strip():
        raise UserError("There is no text to add.", "Copy some first.")
    if not title:
        raise UserError("A document needs a title.", "Type one.")
    content = BytesContent("\n".join(text.splitlines()).encode("utf-8", "replace"))
    sha256 = hash_content(content)
    suffix = "md" if re.search(r"(?m)^#{1,6} \S", text) else "txt"
    file_name = f"{make_file_name(title[:80], 'text')}.{suffix}"
    known = documents.find_by_hash(db, sha256)
    if known is not None:
        row = documents.find_document(db, known)
        return AddedFiles(duplicates=((title, row.title if row else ""),), same_as=(known,))
    with db.transaction():
        if own is not None:
            if documents.has_text(db, own):
                file_versions.offer_version(db, own, sha256, content, content.size)
            else:
                documents.replace_unread(db, own, content, sha256)
            return AddedFiles((own,))
        document_id = documents.add_waiting(
            db, title=title, file_name=file_name, source_path="", content=content, sha256=sha256
        )
    return AddedFiles((document_id,))


def _expand(
    paths: Iterable[Path], leave_out: Collection[Path]
) -> tuple[list[Path], list[Path], list[tuple[Path, OSError]]]:
    """Return the files to add, those in folders that can't be read here, and unreadable folders."""
    files: list[Path] = []
    others: list[Path] = []
    unreadable: list[tuple[Path, OSError]] = []
    for path in map(Path, paths):
        if not is_folder(path):
            files.append(path)
            continue
        for found in list_files(path, lambda *problem: unreadable.append(problem)):
            if found in leave_out:
                continue
            if is_supported(found.name):
                files.append(found)
            elif not found.name.startswith("."):
                others.append(found)
    return list(dict.fromkeys(files)), others, unreadable


def _find_reason(path: Path) -> Message:
    """Return why a file with a name of another kind is not read."""
    try:
        with open_database_file(path) as file:  # it may be the library that is open
            refuse_unread_kind(file.read(HEAD_BYTES), path.name)
    except UserError as error:
        return error.full_message
    except OSError as error:
        return cannot_read(path, error).full_message
    reason = Message("files of this kind are not supported.")
    return Message("“{name}” can't be read: {reason}", name=path.name, reason=reason)


def is_folder(path: Path) -> bool:
    """Return whether a path is a folder; one that the system does not take is none."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def list_files(
    folder: Path, on_problem: Callable[[Path, OSError], None] = lambda folder, error: None
) -> list[Path]:
    """Return the files in a folder and its folders, sorted; links to folders are not followed.

    Args:
        on_problem: called for each folder that can't be listed; the others are.
    """

    def report(error: OSError) -> None:
        on_problem(Path(error.filename or folder), error)

    return sorted(
        path
        for place, _, names in os.walk(folder, onerror=report)
        for path in (Path(place) / name for name in names)
        if _may_be_file(path)
    )


def _may_be_file(path: Path) -> bool:
    """Return False for pipes, devices and dangling links; an unreadable file is refused later."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return not path.is_symlink()


_BYTES = "bytes:"


def encode_path(path: Path) -> str:
    """Return a path for the library; one that is no Unicode in a form that stays unique."""
    text = str(path)
    if replace_lone_surrogates(text) == text:
        return text
    return _BYTES + quote(os.fsencode(path))


def decode_path(stored: str) -> Path:
    """Return the path that `encode_path` stored."""
    if stored.startswith(_BYTES):
        return Path(os.fsdecode(unquote_to_bytes(stored.removeprefix(_BYTES))))
    return Path(stored)


def load_file(path: Path, max_bytes: int = MAX_FILE_BYTES) -> bytes:
    """Return the content of a regular file; raises as `open_file` does."""
    with open_file(path, max_bytes) as content:
        return content.file.read(content.size)


@contextmanager
def open_file(path: Path, max_bytes: int = MAX_FILE_BYTES) -> Iterator[OpenFile]:
    """Open a regular file to be read piece by piece.

    Reads no more than the size that the system names: some files of /proc have size 0 and block.

    Raises:
        UserError: it is missing, no regular file, too large or not readable.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise UserError(
                "“{name}” is a device, a pipe or a folder, not a file.",
                "Choose a file with text in it.",
                name=path.name,
            )
        if status.st_size > max_bytes:
            raise UserError(
                "“{name}” is larger than {limit} MB.",
                "Split it and add the parts.",
                name=path.name,
                limit=max_bytes // 2**20,
            )
        if not status.st_size:
            yield OpenFile(BytesIO(), 0)
            return
        with path.open("rb") as file:
            yield OpenFile(file, status.st_size)
    except FileNotFoundError as error:
        raise UserError("There is no file “{path}”.", "Check the name.", path=path) from error
    except (OSError, ValueError) as error:  # ValueError: no path of this system
        raise cannot_read(path, error) from error
