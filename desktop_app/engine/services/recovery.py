"""Recovery of a damaged library into a new file, with a report of what was saved and lost.

The damaged file is only read. The new library appears under its name when it is complete; its
graph is built from what was saved, and documents that must be read again wait in its queue. What
is recovered of an encrypted library has the same key; its plain text is only in memory.
"""

from __future__ import annotations

import logging
import os
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..errors import (
    DamagedLibrary,
    EnvironmentProblem,
    PassphraseNeeded,
    UserError,
    cannot_read,
    cannot_write,
)
from ..progress import CancelToken
from ..store.backup import PART_SUFFIX, list_companions, sync_folder
from ..store.db import Db
from ..store.encryption import LibraryKey, find_known_key, is_encrypted
from ..store.raw_file import open_database_file
from ..store.salvage import SalvageResult, salvage
from .backups import ROOM_BYTES, find_free_path, measure_library
from .graph_update import rebuild_graph

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RecoveryReport:
    """The new library and what it holds.

    Attributes:
        n_waiting: documents that the new library reads again when it is opened.
    """

    path: Path
    saved: SalvageResult
    n_entities: int
    n_waiting: int


def choose_target(damaged: Path, clock: Callable[[], float] = time.time) -> Path:
    """Return a path beside a damaged library for what is recovered of it."""
    return find_free_path(damaged, "recovered", clock())


def recover(
    damaged: Path,
    target: Path | None = None,
    *,
    key: LibraryKey | None = None,
    cancel: CancelToken | None = None,
) -> RecoveryReport:
    """Save what can be read of a damaged library in a new one.

    Args:
        target: the new library; by default it is made beside the damaged one.
        key: of an encrypted library; needed unless it is open.

    Raises:
        UserError: there is no such file, or the target exists.
        DamagedLibrary: nothing could be saved.
        PassphraseNeeded: the library is encrypted, and the key is missing or decrypts nothing.
        EnvironmentProblem: there is no room, or the target can't be written.
        Cancelled: the token was set; nothing is left.
    """
    target = target or choose_target(damaged)
    if target.exists():
        raise UserError("“{name}” already exists.", "Choose another name.", name=target.name)
    try:
        with open_database_file(damaged) as file:
            file.read(1)
    except OSError as error:
        raise cannot_read(damaged, error) from error
    key = key or find_known_key(damaged)
    if not is_encrypted(damaged):
        key = None
    elif key is None:
        raise PassphraseNeeded("“{name}” is encrypted.", "Enter its passphrase.", name=damaged.name)
    part = target.with_name(target.name + PART_SUFFIX)
    try:
        _check_room(damaged, target.parent)
        _remove(part)
        report = _recover(damaged, part, target, key, cancel)
        os.replace(part, target)
        sync_folder(target.parent)
    except OSError as error:
        raise cannot_write(target.name, error) from error
    finally:
        _remove(part)
    log.info("recovered %s into %s: %s", damaged.name, target.name, report.saved.n_rows)
    return report


def _recover(
    damaged: Path,
    part: Path,
    target: Path,
    key: LibraryKey | None,
    cancel: CancelToken | None,
) -> RecoveryReport:
    db = Db(part, key=key)
    try:
        saved = salvage(damaged, db, rebuild_graph, key=key, cancel=cancel)
        if not saved.documents and not saved.n_corrections:
            raise DamagedLibrary(
                "Nothing of “{name}” can be recovered: it contains no readable page of a library.",
                "Restore a backup.",
                name=damaged.name,
            )
        problems = db.integrity_problems()
        if problems:
            raise RuntimeError(f"the recovered library is not sound: {problems[0]}")
        return RecoveryReport(
            target,
            saved,
            db.value("SELECT count(*) FROM entity"),
            db.value("SELECT count(*) FROM job"),
        )
    finally:
        db.close()


def _check_room(damaged: Path, folder: Path) -> None:
    needed = measure_library(damaged) + ROOM_BYTES
    if shutil.disk_usage(folder).free < needed:
        raise EnvironmentProblem(
            "{folder} has too little room for the recovered library: {needed:,} MB are needed.",
            "Make room, or choose another folder.",
            folder=folder,
            needed=needed // 1_000_000,
        )


def _remove(part: Path) -> None:
    for path in (part, *list_companions(part)):
        path.unlink(missing_ok=True)
