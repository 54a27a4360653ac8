"""The damage that was found in a library: shared by its connections, noted beside the file.

Nothing is written into a damaged library. Damage that `check` found in one process is known to
the next one by a note, because not all of it is met when the file is opened.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable
from pathlib import Path

from ..errors import DamagedLibrary
from ..messages import Message

log = logging.getLogger(__name__)

NOTE_SUFFIX = ".damage"
WAYS_OUT = Message(
    "Choose “Restore a backup…”. There you restore a backup, or recover what can be read."
)


class DamageRecord:
    """What damage was found in one library since it was opened.

    `listener` is called once, from any thread, with what was found first.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.found: Message | None = None
        self.listener: Callable[[Message], None] | None = None
        self._lock = threading.Lock()

    def add(self, what: Message) -> None:
        """Note damage; only the first counts."""
        with self._lock:
            if self.found is not None:
                return
            self.found = what
        log.info("%s is damaged: %s", self.path.name, what)
        write_note(self.path, what)
        if self.listener is not None:
            self.listener(what)

    def build_refusal(self) -> DamagedLibrary:
        """Return the error for a change of the damaged library."""
        return DamagedLibrary(
            "Nothing was changed, because the library “{name}” is damaged: {what}.",
            WAYS_OUT,
            is_refusal=True,
            name=self.path.name,
            what=self.found or "",
        )


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
