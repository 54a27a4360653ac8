"""Adds files to a library: stores their bytes, queues them and reports copies."""

from __future__ import annotations

import hashlib
import re
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import AppError, UserError, cannot_read
from ..file_names import check_path, make_file_name
from ..messages import Message
from ..model import DocumentId
from ..store import documents
from ..store.db import Db
from ..text.reading import SUPPORTED_SUFFIXES
from .document_passwords import looks_encrypted, shared_passwords

MAX_FILE_BYTES = 500 * 1024 * 1024
MAX_TITLE = 200


@dataclass(frozen=True, slots=True)
class Added:
    """The result of adding files; `refused` maps a path to the reason.

    `duplicates` are (file name, title of the document that has the same content), and `same_as`
    the ids of those documents, in the same order. `passed_over` are files in folders with a format
    that can't be read.
    """

    documents: tuple[DocumentId, ...] = ()
    duplicates: tuple[tuple[str, str], ...] = ()
    refused: dict[str, Message] = field(default_factory=dict)
    same_as: tuple[DocumentId, ...] = ()
    passed_over: tuple[str, ...] = ()


def add_files(db: Db, paths: Iterable[Path], *, password: str = "") -> Added:
    """Queue files and the readable files of folders; their bytes are stored in the library.

    A changed file replaces its document: chunks with unchanged text keep their evidence.
    """
    passwords = shared_passwords()
    added: list[DocumentId] = []
    duplicates: list[tuple[str, str]] = []
    same_as: list[DocumentId] = []
    refused: dict[str, Message] = {}
    paths = list(paths)
    for path in paths:
        try:
            check_path(path)
        except UserError as error:
            refused[str(path)] = error.full_message
    files, passed_over = _expand(path for path in paths if str(path) not in refused)
    for path in files:
        try:
            content = load_file(path)
            sha256 = hashlib.sha256(content).hexdigest()
            known = documents.find_by_hash(db, sha256)
            if known is not None:
                row = documents.find_document(db, known)
                duplicates.append((path.name, row.title if row else ""))
                same_as.append(known)
                continue
            if password and looks_encrypted(content):
                passwords.remember(content, password)
            with db.transaction():
                failed = documents.find_failed(db, sha256)
                if failed is not None:  # added again: retry, perhaps with a password
                    documents.requeue(db, failed)
                    added.append(failed)
                    continue
                changed = documents.find_changed(db, str(path))
                if changed is not None:
                    documents.replace_original(db, changed, content, sha256)
                    added.append(changed)
                    continue
                added.append(
                    documents.add_waiting(
                        db,
                        title=path.stem,
                        file_name=path.name,
                        source_path=str(path),
                        content=content,
                        sha256=sha256,
                    )
                )
        except AppError as error:
            refused[str(path)] = error.full_message
    return Added(tuple(added), tuple(duplicates), refused, tuple(same_as), tuple(passed_over))


def add_text(db: Db, title: str, text: str) -> Added:
    """Queue a text without a file, such as a pasted one, under a title.

    Raises:
        UserError: there is no text, or no title.
    """
    title = " ".join(title.split())[:MAX_TITLE]
    if not text.strip():
        raise UserError("There is no text to add.", "Copy some first.")
    if not title:
        raise UserError("A document needs a title.", "Type one.")
    content = "\n".join(text.splitlines()).encode("utf-8", "replace")
    sha256 = hashlib.sha256(content).hexdigest()
    suffix = "md" if re.search(r"(?m)^#{1,6} \S", text) else "txt"
    file_name = f"{make_file_name(title[:80], 'text')}.{suffix}"
    known = documents.find_by_hash(db, sha256)
    if known is not None:
        row = documents.find_document(db, known)
        return Added(duplicates=((title, row.title if row else ""),), same_as=(known,))
    with db.transaction():
        document_id = documents.add_waiting(
            db, title=title, file_name=file_name, source_path="", content=content, sha256=sha256
        )
    return Added((document_id,))


def _expand(paths: Iterable[Path]) -> tuple[list[Path], list[str]]:
    """Return the files to add, and the files in folders with a format that can't be read."""
    files: list[Path] = []
    others: list[str] = []
    for path in map(Path, paths):
        if not path.is_dir():
            files.append(path)
            continue
        for found in sorted(p for p in path.rglob("*") if p.is_file()):
            if found.suffix.lower() in SUPPORTED_SUFFIXES:
                files.append(found)
            elif not found.name.startswith("."):
                others.append(str(found))
    return list(dict.fromkeys(files)), others


def load_file(path: Path, max_bytes: int = MAX_FILE_BYTES) -> bytes:
    """Return the content of a regular file.

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
            return b""
        with path.open("rb") as file:
            return file.read(status.st_size)
    except FileNotFoundError as error:
        raise UserError("There is no file “{path}”.", "Check the name.", path=path) from error
    except OSError as error:
        raise cannot_read(path, error) from error
