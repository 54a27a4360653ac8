"""The damage that was found in a library: shared by its connections, noted beside the file.

Nothing is written into a damaged library, whichever connection found the damage: all connections
of a process to one file have the same record. Damage that `check` found in one process is known to
the next one by a note, because not all of it is met when the file is opened.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from weakref import WeakSet

from ..errors import DamagedLibrary
from ..messages import Message
from .encryption import read_salt

log = logging.getLogger(__name__)

NOTE_SUFFIX = ".damage"
WAYS_OUT = Message(
    "Choose “Restore a backup…”. There you restore a backup, or recover what can be read."
)


class DamageRecord:
    """What damage was found in one library file while connections of this process had it open.

    Attributes:
        listeners: each is called once, from any thread, with what was found first.
        connections: those that have the file open, or are opening it.
        salt: of an encrypted library, as it was when the first of them opened the file.
        was_opened: one of them could open it, so that it is a library.
    """

    def __init__(self, path: Path, salt: bytes | None = None) -> None:
        self.path = path
        self.found: Message | None = None
        self.listeners: list[Callable[[Message], None]] = []
        self.connections: WeakSet[object] = WeakSet()
        self.salt = salt
        self.was_opened = False
        self._lock = threading.Lock()

    def add(self, what: Message, *, prevents_opening: bool = False) -> None:
        """Record damage; only the first counts.

        Args:
            prevents_opening: the next process meets it without a note.
        """
        with self._lock:
            if self.found is not None:
                return
            self.found = what
        log.info("%s is damaged: %s", self.path.name, what)
        if not prevents_opening:
            write_note(self.path, what)
        for listener in tuple(self.listeners):
            listener(what)

    def build_refusal(self) -> DamagedLibrary:
        """Return the error for a change of the damaged library."""
        return DamagedLibrary(
            "Nothing was changed, because the library “{name}” is damaged: {what}.",
            WAYS_OUT,
            is_refusal=True,
            name=self.path.name,
            what=self.found or "",
        )


_FileId = tuple[Path, int, int]

_records: dict[_FileId, DamageRecord] = {}
_records_lock = threading.Lock()


def join_record(path: Path, connection: object) -> DamageRecord:
    """Return the record that all connections of this process to a library file share.

    It ends with the last of them, since the file may be replaced then. A file that takes the place
    of one that is still open has another identity, and a record of its own.

    Args:
        connection: counts as open until `leave_record`, or until it is deleted.
    """
    try:
        status = path.stat()
    except OSError:  # there is no file yet
        return DamageRecord(path)
    file_id = path.resolve(), status.st_dev, status.st_ino
    with _records_lock:
        _forget_unused_records()
        record = _records.get(file_id)
        if record is None:
            record = _records[file_id] = DamageRecord(path, read_salt(path))
        record.connections.add(connection)
    return record


def leave_record(record: DamageRecord, connection: object) -> None:
    """Count a connection as closed."""
    with _records_lock:
        record.connections.discard(connection)
        _forget_unused_records()


def _forget_unused_records() -> None:
    for file_id in [key for key, record in _records.items() if not record.connections]:
        del _records[file_id]


def cannot_open(path: Path, what: Message) -> DamagedLibrary:
    """Return the error for a library that is too damaged to be opened."""
    return DamagedLibrary(
        "The library “{name}” is damaged and can't be opened: {what}.",
        WAYS_OUT,
        name=path.name,
        what=what,
    )


def cannot_read_part(path: Path, what: Message) -> DamagedLibrary:
    """Return the error for a part of a library that cannot be read."""
    return DamagedLibrary(
        "A part of the library “{name}” can't be read, because it is damaged: {what}.",
        WAYS_OUT,
        name=path.name,
        what=what,
    )


# --- the note beside the file ------------------------------------------------------------------


def write_note(path: Path, what: Message) -> None:
    """Note the damage beside the library, with what tells this state of the file from others."""
    try:
        _note(path).write_text(
            json.dumps({"file": _identify(path), "what": what.to_stored()}), "utf-8"
        )
    except OSError as error:
        log.info("the damage can't be noted beside the library: %s", error)


def read_note(path: Path) -> Message | None:
    """Return the damage that was noted of this state of the file; delete a note of another."""
    try:
        kept = json.loads(_note(path).read_text("utf-8"))
        if kept["file"] == _identify(path):
            return Message.from_stored(kept["what"])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        log.info("the note of damage can't be read: %s", error)
    remove_note(path)
    return None


def remove_note(path: Path) -> None:
    """Delete the note, because no damage is left."""
    try:
        _note(path).unlink(missing_ok=True)
    except OSError as error:
        log.info("the note of damage can't be deleted: %s", error)


def _note(path: Path) -> Path:
    return path.with_name(path.name + NOTE_SUFFIX)


def _identify(path: Path) -> list[int]:
    stat = path.stat()
    return [stat.st_size, stat.st_mtime_ns]
