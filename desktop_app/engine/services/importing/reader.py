"""Reads the graph of a file or folder and plans its import in a child process with limits.

One child for one import (`reader_child`): its sandbox lets it read the files of that import only.
It asks for the texts of the library that the import contains as well. Its death, its silence or
too much data is a refusal; a cancel ends it.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from ...child_protocol import ProtocolError, check_text, parse_frame
from ...errors import Cancelled, UserError
from ...file_content import BytesContent
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
from .planning import FindKnown, KnownText
from .reader_protocol import PlanAssembler, ReceivedPlan, TooMuchData

log = logging.getLogger(__name__)

CHILD_MODULE = "desktop_app.engine.services.importing.reader_child"
CHILD_ARGUMENT = "--graph-reader"
_MIN_BYTES, _MAX_BYTES = 50_000_000, 400_000_000  # of a graph in the program
_BYTES_PER_BYTE = 20  # parquet with much repetition; text in general is packed to a fifth
_SECONDS_PER_BYTE = 1e-6  # that a large file may take without a piece of the result
_SUFFIXES = (".json", ".parquet", ".graphml")
_MAX_FILES = 10_000


@dataclass(frozen=True, slots=True)
class GraphLimits:
    """Limits of one import; `silence_s` grows with the size of the files."""

    memory_bytes: int = MEMORY_BYTES
    silence_s: float = 60.0
    start_s: float = START_S


class GraphReader:
    """Reads graphs of other programs and plans their import, in a child process."""

    def __init__(self, limits: GraphLimits | None = None) -> None:
        self._limits = limits or GraphLimits()

    def plan(self, path: Path, find_known: FindKnown, *, cancel: CancelToken) -> ReceivedPlan:
        """Return what importing a file or folder in any supported format would write.

        Args:
            find_known: gives the library's document of a content hash, None if it has none.

        Raises:
            UserError: the format is unknown, a part is missing or broken, or it ended its reader.
            EnvironmentProblem: no child process can be started.
            Cancelled: the token was set; the child is ended.
        """
        path = path.absolute()
        limits, n_bytes = self._limits, _count_bytes(path)
        cancel.check()
        child = ParserProcess(
            CHILD_MODULE,
            CHILD_ARGUMENT,
            memory_bytes=limits.memory_bytes,
            start_s=limits.start_s,
            settings={"idle_s": limits.silence_s, "readable": _list_readable(path)},
        )
        try:
            with child.ended_by(cancel):
                return self._receive(child, path, n_bytes, find_known)
        except TooMuchData:
            raise _refuse(path, Message("it unpacks to far too much data.")) from None
        except ParserBug as bug:
            log.error("a graph can't be read:\n%s", bug)
            raise _refuse(path, Message("its reader has a bug.")) from bug
        except ChildDied as death:
            if cancel.cancelled:
                raise Cancelled from None
            raise _refuse(path, death.explain(limits.memory_bytes)) from death
        finally:
            child.close()

    def _receive(
        self, child: ParserProcess, path: Path, n_bytes: int, find_known: FindKnown
    ) -> ReceivedPlan:
        silence_s = self._limits.silence_s + _SECONDS_PER_BYTE * n_bytes
        max_bytes = max(_MIN_BYTES, min(_MAX_BYTES, _BYTES_PER_BYTE * n_bytes))
        child.send({"path": str(path), "processor_s": 10 * silence_s, "max_bytes": max_bytes})
        known: dict[str, KnownText] = {}
        assembler = PlanAssembler(max_bytes, known)
        deadline = time.monotonic() + 10 * silence_s
        while True:
            frame = child.receive(silence_s)
            if not frame or time.monotonic() > deadline:
                raise _refuse(
                    path,
                    Message("its reader did not answer for {seconds:g} seconds.",
                            seconds=round(silence_s)),
                )  # fmt: skip
            try:
                items = parse_frame(frame)
                first = items[0] if items else {}
                raise_failure(first)
                if "too much" in first:
                    raise TooMuchData
                if "end" in first:
                    return assembler.finish()
                if "find" in first:
                    sha256 = check_text(first["find"], 64)
                    if (found := find_known(sha256)) is not None:
                        known[sha256] = found
                    _send_known(child, found)
                elif "begun" not in first and "alive" not in first:
                    assembler.add(frame, items)
            except ProtocolError as error:
                log.warning("the process that reads graphs sent %s", error)
                raise child.end() from error


def _send_known(child: ParserProcess, known: KnownText | None) -> None:
    if known is None:
        child.send({"known": None})
        return
    content = b"" if known.text is None else known.text.encode("utf-8")
    spans = [[s.order, s.start, s.end, s.n_tokens, s.heading_path] for s in known.spans]
    fields = [known.id, known.title, known.language, spans, known.text is not None, len(content)]
    child.send({"known": fields}, BytesContent(content))


def _list_readable(path: Path) -> list[str]:
    """Return what the child may read: the folder, or the file and those beside it."""
    own = path if path.is_dir() else path.parent
    return [str(own), str(own.resolve())]


def _count_bytes(path: Path) -> int:
    """Return the size of the files that may belong to a graph."""
    try:
        if path.is_file():
            is_one_of_many = path.name.startswith("kv_store_") or path.suffix == ".parquet"
            if not is_one_of_many:
                return path.stat().st_size
            path = path.parent
        files = (p for p in path.rglob("*") if p.suffix in _SUFFIXES and p.is_file())
        return sum(p.stat().st_size for p in islice(files, _MAX_FILES))
    except OSError:
        return 0


def _refuse(path: Path, reason: Message) -> UserError:
    return UserError(
        "“{name}” can't be read: {reason}",
        "Check that it is what the other program wrote.",
        name=path.name,
        reason=reason,
    )
