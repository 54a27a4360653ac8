"""Reads a bibliography in a child process with limits.

One child for one file or folder (`reader_child`): its sandbox lets it read that only. Its death,
its silence or too much data is a refusal; a cancel ends it.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from pathlib import Path

from ...child_protocol import ProtocolError, parse_frame
from ...errors import Cancelled, UserError
from ...messages import Message
from ...progress import CancelToken
from ...text.parser_process import (
    MEMORY_BYTES,
    START_S,
    ChildDied,
    ParserBug,
    ParserProcess,
    raise_failure,
)
from .model import Bibliography
from .protocol import MAX_ENTRIES, BibliographyAssembler, TooManyEntries

log = logging.getLogger(__name__)

CHILD_MODULE = "desktop_app.engine.services.bibliography.reader_child"
CHILD_ARGUMENT = "--bibliography-reader"
_MAX_BYTES = 800_000_000  # of all frames


@dataclass(frozen=True, slots=True)
class BibliographyLimits:
    """Limits of one reading."""

    memory_bytes: int = MEMORY_BYTES
    silence_s: float = 180.0
    start_s: float = START_S


def read_bibliography(
    path: Path, *, cancel: CancelToken, limits: BibliographyLimits | None = None
) -> Bibliography:
    """Return the works of a data folder of Zotero, or of a BibTeX, RIS or CSL-JSON file.

    Raises:
        UserError: it is none of these, is broken, or ended its reader.
        EnvironmentProblem: no child process can be started, or Zotero is writing all the time.
        Cancelled: the token was set; the child is ended.
    """
    limits = limits or BibliographyLimits()
    path = path.absolute()
    cancel.check()
    child = ParserProcess(
        CHILD_MODULE,
        CHILD_ARGUMENT,
        memory_bytes=limits.memory_bytes,
        start_s=limits.start_s,
        settings={"idle_s": limits.silence_s, "readable": [str(path), str(path.resolve())]},
    )
    try:
        with child.ended_by(cancel):
            return _receive(child, path, limits)
    except TooManyEntries:
        reason = Message("it has more than {n:,} references.", n=MAX_ENTRIES)
        raise _refuse(path, reason) from None
    except ParserBug as bug:
        log.error("a bibliography can't be read:\n%s", bug)
        raise _refuse(path, Message("its reader has a bug.")) from bug
    except ChildDied as death:
        if cancel.cancelled:
            raise Cancelled from None
        raise _refuse(path, death.explain(limits.memory_bytes)) from death
    finally:
        child.close()


def _receive(child: ParserProcess, path: Path, limits: BibliographyLimits) -> Bibliography:
    child.send({"path": str(path), "processor_s": limits.silence_s})
    assembler = BibliographyAssembler()
    n_bytes = 0
    deadline = time.monotonic() + 2 * limits.silence_s
    while True:
        frame = child.receive(limits.silence_s)
        n_bytes += len(frame)
        if not frame or time.monotonic() > deadline:
            seconds = round(limits.silence_s)
            raise _refuse(
                path,
                Message("its reader did not answer for {seconds:g} seconds.", seconds=seconds),
            )
        if n_bytes > _MAX_BYTES:
            raise TooManyEntries
        try:
            items = parse_frame(frame)
            raise_failure(items[0] if items else {})
            for item in items:
                if "end" in item:
                    return assembler.finish()
                if "begun" not in item:
                    assembler.add(item)
        except ProtocolError as error:
            log.warning("the process that reads bibliographies sent %s", error)
            raise child.end() from error


def _refuse(path: Path, reason: Message) -> UserError:
    return UserError(
        "“{name}” can't be read: {reason}",
        "Check that it is what the other program wrote.",
        name=path.name,
        reason=reason,
    )
