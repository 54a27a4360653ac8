"""Backups of a library: where they are, when one is made, which are kept, and restoring one.

A backup is one file, `NAME 2026-11-22 11-30-05.REASON.backup` (time in UTC), in the folder
`NAME.backups` beside the library, or in the folder of the settings. It appears there only after
it was verified (`store/backup.py`). Restoring never overwrites a library: it is set aside.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from ..errors import AppError, Cancelled, EnvironmentProblem, UserError, cannot_write
from ..progress import CancelToken
from ..store.backup import (
    EDITS,
    PART_SUFFIX,
    fetch_state,
    is_in_use,
    list_companions,
    sync_folder,
    write_copy,
)
from ..store.db import Db
from ..store.edit_copy import apply_edits, write_edits
from .preferences import BackupSettings, Preferences

log = logging.getLogger(__name__)
_Read = TypeVar("_Read")

AUTOMATIC, UPGRADE, CHECK, BY_HAND = "automatic", "upgrade", "check", "by-hand"
REASONS = (AUTOMATIC, UPGRADE, CHECK, BY_HAND)
SUFFIX = ".backup"
EDITS_SUFFIX = ".edits"
LOOK_S = 60.0
INTERVAL_MIN = 30  # texts and documents state it: `tests/arch/test_shared_rules.py`
INTERVAL_S = INTERVAL_MIN * 60 - 2 * LOOK_S  # less the time until a look and of the backup
EDITS_INTERVAL_S = INTERVAL_S  # of the file of edits, whatever the size of the library
RETRY_S = INTERVAL_S  # after a failed backup: a full disk is seldom freed sooner
BYTES_AN_INTERVAL = 2_000_000_000  # of larger libraries the interval grows, to spare the disk
N_NEWEST = 3  # kept whatever their day
ROOM_BYTES = 200_000_000  # to stay free on the disk
OLD_PART_S = 3600.0
_NAME = re.compile(r" (\d{4}-\d\d-\d\d \d\d-\d\d-\d\d)(?:\.([a-z-]+)\.backup|\.edits)$")
_TIME = "%Y-%m-%d %H-%M-%S"


@dataclass(frozen=True, slots=True)
class BackupFile:
    """A backup in a folder of backups; `created_at` is in seconds since 1970."""

    path: Path
    created_at: float
    reason: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class BackupContent:
    """What a backup holds; `problem` says why it can't be read, "" if it can."""

    n_documents: int = 0
    n_entities: int = 0
    problem: str = ""


def backup_folder(library: Path, settings: BackupSettings) -> Path:
    """Return the folder for the backups of a library, which may not exist yet."""
    library = library.absolute()
    if not settings.folder:
        return library.with_suffix(".backups")
    digest = hashlib.sha256(str(library).encode(errors="surrogateescape")).hexdigest()
    return Path(settings.folder) / f"{library.stem} {digest[:8]}"


def list_backups(library: Path, settings: BackupSettings | None = None) -> list[BackupFile]:
    """Return the backups of a library, newest first; unfinished ones are not among them.

    Those beside the library are listed too if the settings name another folder.
    """
    settings = settings or Preferences().backups
    folders = dict.fromkeys(
        (backup_folder(library, settings), backup_folder(library, BackupSettings()))
    )
    found = [file for folder in folders for file in _read_folder(folder)]
    return sorted(found, key=lambda file: file.created_at, reverse=True)


def _read_folder(folder: Path) -> list[BackupFile]:
    found = []
    try:
        for path in folder.iterdir():
            match, at = _NAME.search(path.name), _read_stamp(path.name)
            if match and at is not None and match[2] in REASONS:
                found.append(BackupFile(path, at, match[2], path.stat().st_size))
    except OSError as error:
        log.info("the backups in %s can't be listed: %s", folder, error)
    return sorted(found, key=lambda file: file.created_at, reverse=True)


def is_backup_name(name: str) -> bool:
    """Return whether a file has the name of a backup, or of the edits since one."""
    return _NAME.search(name) is not None


def _format_stamp(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime(_TIME)


def _read_stamp(name: str) -> float | None:
    """Return the time in the name of a backup, in seconds since 1970."""
    match = _NAME.search(name)
    try:
        return datetime.strptime(match[1], _TIME).replace(tzinfo=UTC).timestamp() if match else None
    except ValueError:
        return None


def read_backup_content(path: Path) -> BackupContent:
    """Return what a backup holds."""
    try:
        db = Db(path, read_only=True, any_version=True)
    except AppError as error:
        return BackupContent(problem=error.message)
    try:
        return BackupContent(
            db.value("SELECT count(*) FROM document"), db.value("SELECT count(*) FROM entity")
        )
    except Exception as error:
        log.info("the backup %s can't be read", path.name, exc_info=True)
        return BackupContent(problem=str(error))
    finally:
        db.close()


def choose_kept(files: Iterable[BackupFile], settings: BackupSettings, now: float) -> set[Path]:
    """Return the backups to keep.

    These are the newest three, the newest of each of the last days and weeks that have one, and
    the newest before an upgrade. Backups from the future, made while the clock was wrong, count
    as the oldest.
    """
    order = sorted(
        files, key=lambda f: f.created_at if f.created_at < now + 86_400 else 0.0, reverse=True
    )
    by_day: dict[tuple[int, ...], Path] = {}
    by_week: dict[tuple[int, ...], Path] = {}
    for file in order:
        date = datetime.fromtimestamp(file.created_at).date()
        by_day.setdefault((date.year, date.month, date.day), file.path)
        by_week.setdefault(tuple(date.isocalendar())[:2], file.path)
    upgrade = [file.path for file in order if file.reason == UPGRADE][:1]
    return {
        *(file.path for file in order[:N_NEWEST]),
        *list(by_day.values())[: settings.n_days],
        *list(by_week.values())[: settings.n_weeks],
        *upgrade,
    }


class Backups:
    """Makes the backups of one library.

    Args:
        load_settings: gives the settings when a backup is made.
        clock: gives the time in seconds since 1970.
    """

    def __init__(
        self,
        library: Path,
        load_settings: Callable[[], BackupSettings] = lambda: Preferences().backups,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.library = library
        self._load_settings, self._clock = load_settings, clock

    def list(self) -> list[BackupFile]:
        """Return the backups, newest first."""
        return list_backups(self.library, self._load_settings())

    def make(self, reason: str, *, cancel: CancelToken | None = None) -> BackupFile:
        """Make a backup, and delete those that are no longer kept.

        None is deleted if damage was found in the library: the older ones may be better.

        Raises:
            EnvironmentProblem: there is no room, or the library or its copy is damaged.
            Cancelled: the token was set; nothing is left.
        """
        db = Db(self.library, read_only=True)
        try:
            return self.make_from(db, reason, cancel=cancel)
        finally:
            db.close()

    def make_from(self, db: Db, reason: str, *, cancel: CancelToken | None = None) -> BackupFile:
        """Make a backup from a connection that nothing else uses meanwhile; as `make`."""
        settings, now = self._load_settings(), self._clock()
        folder = self._prepare_folder(settings, now, measure_library(self.library))
        while (
            path := folder / f"{self.library.stem} {_format_stamp(now)}.{reason}{SUFFIX}"
        ).exists():
            now += 1  # another one of this second
        write_copy(db, path, cancel=cancel)
        made = BackupFile(path, int(now), reason, path.stat().st_size)
        log.info("backup of %s made, %d bytes, %s", self.library.name, made.size_bytes, reason)
        if db.damage.found is None:
            self._delete_superseded(folder, settings, made, now)
        return made

    def save_edits(self, db: Db) -> Path:
        """Save what the user wrote since the last backup; replaces the file of the last time."""
        settings, now = self._load_settings(), self._clock()
        folder = self._prepare_folder(settings, now, 0)
        path = folder / f"{self.library.stem} {_format_stamp(now)}{EDITS_SUFFIX}"
        write_edits(db, path)
        for other in folder.glob(f"*{EDITS_SUFFIX}"):
            if other != path:
                other.unlink(missing_ok=True)
        return path

    def find_edits(self, backup: Path) -> Path | None:
        """Return the edits that were saved after a backup, None if a newer backup has them."""
        newest = next(iter(_read_folder(backup.parent)), None)
        edits = sorted(backup.parent.glob(f"*{EDITS_SUFFIX}"))
        if newest is None or newest.path != backup or not edits:
            return None
        at = _read_stamp(edits[-1].name)
        return edits[-1] if at is not None and at > newest.created_at else None

    def _prepare_folder(self, settings: BackupSettings, now: float, n_bytes: int) -> Path:
        folder = backup_folder(self.library, settings)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _delete_old_parts(folder, now)
            _check_room(folder, n_bytes)
        except OSError as error:
            raise cannot_write(folder, error) from error
        return folder

    @staticmethod
    def _delete_superseded(
        folder: Path, settings: BackupSettings, made: BackupFile, now: float
    ) -> None:
        files = _read_folder(folder)
        kept = choose_kept(files, settings, now) | {made.path}
        for file in files:
            if file.path not in kept:
                try:
                    file.path.unlink()
                except OSError as error:
                    log.warning("the old backup %s stays: %s", file.path.name, error)


def _delete_old_parts(folder: Path, now: float) -> None:
    """Delete unfinished copies that a process left which was killed."""
    for path in folder.glob(f"*{PART_SUFFIX}*"):
        if path.stat().st_mtime < now - OLD_PART_S:
            path.unlink(missing_ok=True)


def measure_library(library: Path) -> int:
    """Return the bytes of a library with its write-ahead log."""
    return sum(p.stat().st_size for p in (library, *list_companions(library)[:1]) if p.exists())


def check_room(library: Path, folder: Path) -> None:
    """Raise `EnvironmentProblem` unless the disk of a folder has room for a copy of a library."""
    _check_room(folder, measure_library(library))


def _check_room(folder: Path, n_bytes: int) -> None:
    needed = n_bytes + ROOM_BYTES
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise EnvironmentProblem(
            "No backup was made: {folder} has {free:,} MB free, and {needed:,} MB are needed.",
            "Make room, or choose another folder for backups in the settings.",
            folder=folder,
            free=free // 1_000_000,
            needed=needed // 1_000_000,
        )


# --- when one is made ---------------------------------------------------------------------------


class AutomaticBackups:
    """Makes a backup when the library has changed and the last one is about `INTERVAL_MIN` old.

    Looks once a minute in a thread of its own. In a minute without changes it moves the
    write-ahead log into the library's file, so that a copy of that file alone is complete.

    Args:
        writer: the library's read-write connection.
        on_problem: gets the reason why no backup could be made; the same reason only once until
            a backup succeeds again. Called in the thread.
        on_made: gets the backup. Called in the thread.
    """

    def __init__(
        self,
        writer: Db,
        backups: Backups,
        on_problem: Callable[[AppError], None],
        on_made: Callable[[BackupFile], None] = lambda made: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._writer, self._backups = writer, backups
        self._on_problem, self._on_made, self._clock = on_problem, on_made, clock
        self._cancel = CancelToken()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._state: tuple[object, ...] | None = None
        self._saved: tuple[Path, tuple[object, ...] | None] | None = None
        self._last_problem = ""
        self._retry_at = 0.0  # after a failure
        self._edits_saved_at = 0.0
        self._saved_edits: object = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="backups", daemon=True)
        self._thread.start()

    def stop(self, timeout_s: float = 1.0) -> None:
        """Stop; a backup that is being made is cancelled and leaves nothing."""
        self._stop.set()
        self._cancel.cancel()
        if self._thread is not None:
            self._thread.join(timeout_s)

    def _run(self) -> None:
        while not self._stop.wait(LOOK_S):
            try:
                self.look()
            except Cancelled:
                return
            except AppError as error:
                self._report(error)
            except Exception:
                log.exception("looking for changes to back up failed")

    def look(self) -> BackupFile | None:
        """Make a backup if one is due, else checkpoint a quiet library; return the backup.

        Raises:
            EnvironmentProblem: no backup can be made.
            Cancelled: `stop` was called.
        """
        if not self._writer.is_writable or 0 < self._retry_at - self._clock() <= RETRY_S:
            return None
        db = Db(self._backups.library, read_only=True)
        try:
            if not self._writer.is_writable:  # damage was found when the file was opened
                return None
            state = fetch_state(db)
            is_quiet, self._state = state == self._state, state
            newest = next(iter(self._backups.list()), None)
            if not self._is_due(newest, state):
                if newest is not None and self._are_edits_due(newest, state):
                    self._backups.save_edits(db)
                    self._edits_saved_at, self._saved_edits = self._clock(), state[EDITS]
                if is_quiet:
                    self._writer.checkpoint()
                return None
            made = self._backups.make_from(db, AUTOMATIC, cancel=self._cancel)
        finally:
            db.close()
        self._last_problem = ""
        self._on_made(made)
        return made

    def _are_edits_due(self, newest: BackupFile, state: tuple[object, ...]) -> bool:
        """Return whether edits were made that neither a backup nor the file of edits has.

        Only of large libraries: of others, a backup is due then.
        """
        since = max(newest.created_at, self._edits_saved_at)
        if 0 <= self._clock() - since < EDITS_INTERVAL_S or self._saved_edits == state[EDITS]:
            return False
        saved = self._find_saved_state(newest)
        return saved is None or saved[EDITS] != state[EDITS]

    def _is_due(self, newest: BackupFile | None, state: tuple[object, ...]) -> bool:
        if newest is None:
            return not is_empty(state)
        n_bytes = measure_library(self._backups.library)
        interval_s = INTERVAL_S * max(1.0, n_bytes / BYTES_AN_INTERVAL)
        if 0 <= self._clock() - newest.created_at < interval_s:
            return False
        return self._find_saved_state(newest) != state

    def _find_saved_state(self, newest: BackupFile) -> tuple[object, ...] | None:
        """Return the state that a backup holds, None if it can't be read."""
        if self._saved is None or self._saved[0] != newest.path:
            self._saved = newest.path, read_state(newest.path)
        return self._saved[1]

    def _report(self, error: AppError) -> None:
        log.warning("no backup: %s", error)
        self._retry_at = self._clock() + RETRY_S
        if error.message.template != self._last_problem:
            self._last_problem = error.message.template
            self._on_problem(error)


def is_empty(state: tuple[object, ...]) -> bool:
    """Return whether a state is that of a library which nothing was added to."""
    return not any(value for row in state if isinstance(row, tuple) for value in row)


def read_state(path: Path) -> tuple[object, ...] | None:
    """Return the state of the library in a backup, None if it can't be read."""
    return read_library_file(path, fetch_state)


def read_library_file(path: Path, read: Callable[[Db], _Read]) -> _Read | None:
    """Return what `read` finds in a library that is not open, of any version; None on failure."""
    try:
        db = Db(path, read_only=True, any_version=True)
    except AppError:
        return None
    try:
        return read(db)
    except Exception:
        log.info("the library in %s can't be read", path.name, exc_info=True)
        return None
    finally:
        db.close()


# --- restoring ----------------------------------------------------------------------------------


def find_free_path(library: Path, word: str, now: float) -> Path:
    """Return a path beside a library that is not taken: `NAME (WORD 2026-11-22 11-30-05)`."""
    stamp = datetime.fromtimestamp(now).strftime(_TIME)
    number, path = 1, library.with_name(f"{library.stem} ({word} {stamp}){library.suffix}")
    while path.exists():
        number += 1
        path = library.with_name(f"{library.stem} ({word} {stamp}, {number}){library.suffix}")
    return path


def set_aside(library: Path, now: float) -> Path | None:
    """Give a library a second name, with its write-ahead log; None if there is no library.

    The first name stays where the file system has hard links, so that a kill between this and the
    replacement leaves a library there. Without its log, that is an earlier state.
    """
    aside = find_free_path(library, "set aside", now)
    for path, new in zip(list_companions(library), list_companions(aside), strict=True):
        if path.exists():
            path.rename(new)
    if not library.exists():
        return None
    try:
        os.link(library, aside)
    except OSError:
        library.rename(aside)
    return aside


def restore(
    backup: Path,
    library: Path,
    *,
    cancel: CancelToken | None = None,
    clock: Callable[[], float] = time.time,
) -> Path | None:
    """Put a verified copy of a backup in the place of a library, which is set aside.

    Returns:
        The path of the library that was there, None if there was none.

    Raises:
        UserError: the file is no library, or is the library itself.
        EnvironmentProblem: the library is open elsewhere, the backup is damaged, or there is no
            room.
    """
    if backup.absolute() == library.absolute():
        raise UserError("This is the library itself.", "Choose one of its backups.")
    if not backup.is_file():
        raise UserError("There is no backup “{name}”.", "Choose another one.", name=backup.name)
    if library.exists() and is_in_use(library):
        raise EnvironmentProblem(
            "The library “{name}” is in use by another program.",
            "Close the other Inkgraph window or command and try again.",
            name=library.name,
        )
    fresh = library.with_name(f"{library.name}.restored{PART_SUFFIX}")
    try:
        library.parent.mkdir(parents=True, exist_ok=True)
        check_room(backup, library.parent)
        db = Db(backup, read_only=True, any_version=True)
        try:
            write_copy(db, fresh, cancel=cancel)
        finally:
            db.close()
        edits = Backups(library).find_edits(backup)
        if edits is not None:
            _add_edits(Db(fresh, key=db.key), edits)
        aside = set_aside(library, clock())
        os.replace(fresh, library)
        sync_folder(library.parent)
    except OSError as error:
        raise cannot_write(library.name, error) from error
    finally:
        fresh.unlink(missing_ok=True)
    return aside


def _add_edits(db: Db, edits: Path) -> None:
    """Apply the edits that were saved after a backup to a copy of it; closes the copy."""
    try:
        apply_edits(db, edits)
        with db.transaction():
            from .graph_update import rebuild_graph  # takes a tenth of the start to import

            rebuild_graph(db)
    finally:
        db.close()
