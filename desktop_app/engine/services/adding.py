"""Taking files into a library: their bytes are kept and queued, copies are named."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import AppError, UserError
from ..store import documents
from ..store.db import Db
from ..text.reading import SUPPORTED_SUFFIXES
from ..types import DocumentId

MAX_FILE_BYTES = 500 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Added:
    """What became of the files handed in; `refused` maps a path to the reason."""

    documents: tuple[DocumentId, ...] = ()
    duplicates: tuple[tuple[str, str], ...] = ()
    refused: dict[str, str] = field(default_factory=dict)


def add_files(db: Db, paths: Iterable[Path], *, password: str = "") -> Added:
    """Queue files and the readable files of folders; their bytes go into the library.

    A file that was read before and has changed since takes its document's place: what stands in
    it as before keeps its evidence.
    """
    added: list[DocumentId] = []
    duplicates: list[tuple[str, str]] = []
    refused: dict[str, str] = {}
    for path in _expand(paths):
        try:
            content = _load_file(path)
            sha256 = hashlib.sha256(content).hexdigest()
            known = documents.find_by_hash(db, sha256)
            if known is not None:
                row = documents.find_document(db, known)
                duplicates.append((path.name, row.title if row else ""))
                continue
            with db.transaction():
                failed = documents.find_failed(db, sha256)
                if failed is not None:  # added again: another try, perhaps with a password
                    documents.requeue(db, failed, password)
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
                        password=password,
                    )
                )
        except AppError as error:
            refused[str(path)] = str(error)
    return Added(tuple(added), tuple(duplicates), refused)


def _expand(paths: Iterable[Path]) -> list[Path]:
    files: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            files += sorted(
                p for p in path.rglob("*") if p.is_file() and p.suffix.lower() in SUPPORTED_SUFFIXES
            )
        else:
            files.append(path)
    return list(dict.fromkeys(files))


def _load_file(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise UserError(
                f"“{path.name}” is larger than {MAX_FILE_BYTES // 2**20} MB.",
                "Split it and add the parts.",
            )
        return path.read_bytes()
    except FileNotFoundError as error:
        raise UserError(f"There is no file “{path}”.", "Check the name.") from error
    except OSError as error:
        raise UserError(
            f"“{path.name}” can't be read: {error.strerror}.", "Check that you may read it."
        ) from error
