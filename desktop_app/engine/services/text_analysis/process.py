"""Splits texts and extracts names in child processes, like `split_text` and `InstantExtractor`.

The taggers are native code, need up to 300 MB, and hold Python's interpreter for long. In a child
they can't end the program, its window does not wait for them, and their memory goes with them. A
child is kept for the next text and ends by itself when none comes. If one dies, the chunks that are
left are extracted once more in a new one.
"""

from __future__ import annotations

import atexit
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from ...child_process import find_peak_bytes
from ...child_protocol import PIECE_CHARS, ProtocolError, parse_frame
from ...child_sandbox import MEMORY_EXIT
from ...errors import AppError, Cancelled, UserError
from ...messages import Message
from ...model import ChunkEvidence, ChunkSpan, ReadDocument
from ...progress import CancelToken
from ...text.chunking import ChunkingSettings
from ...text.parser_process import (
    FULL_SHARE,
    MEMORY_BYTES,
    START_S,
    ChildDied,
    ParserBug,
    ParserProcess,
    raise_failure,
)
from .evidence_protocol import decode_evidence

if TYPE_CHECKING:  # imports all rules of extraction, which the child needs
    from .splitting import SplitText

log = logging.getLogger(__name__)
T = TypeVar("T")

CHILD_MODULE = "desktop_app.engine.services.text_analysis.child"
CHILD_ARGUMENT = "--text-analyser"  # of a packaged program, which has no interpreter to start

# Texts with which the tagger of a language is loaded.
SAMPLES = {"en": "Clara Wren winds clocks.", "zh": "柳三娘住在白芦渡。"}


@dataclass(frozen=True, slots=True)
class AnalysisLimits:
    """Limits of a child process.

    Attributes:
        memory_bytes: memory of the child; the taggers take 0.3 GB, a part of a huge text 0.4 GB.
        silence_s: time without progress: paragraphs read, or a piece of the result.
        start_s: time to start the child.
        idle_s: time without a text after which the child ends: it takes 140 MB, and two seconds to
            start again.
    """

    memory_bytes: int = MEMORY_BYTES
    silence_s: float = 120.0
    start_s: float = START_S
    idle_s: float = 120.0


class TextAnalysis:
    """Analyses texts in child processes; safe from several threads, each has its own child."""

    def __init__(self, limits: AnalysisLimits | None = None) -> None:
        self.limits = limits or AnalysisLimits()
        self._lock = threading.Lock()
        self._preparing = threading.RLock()  # held while a child is prepared
        self._waiting: ParserProcess | None = None  # the child that is kept for the next text
        self._working: set[ParserProcess] = set()
        self._n_closed = 0

    def extract(
        self,
        text: str,
        chunks: Sequence[ChunkSpan],
        language: str,
        *,
        skip: frozenset[int] = frozenset(),
        cancel: CancelToken | None = None,
        body: tuple[int, int] | None = None,
        people: Sequence[str] = (),
    ) -> Iterator[ChunkEvidence]:
        """Yield the evidence of each chunk in order, as `InstantExtractor.extract` does.

        Raises:
            UserError: the child died twice, or needs more memory than it may.
            EnvironmentProblem: no child process can be started.
            ParserBug: the analysis has a bug.
            Cancelled: the token was set, or `close` was called; the child is ended.
        """
        done = set(skip)

        def make_request() -> _Request:
            content = {
                "language": language,
                "chunks": [[c.order, c.start, c.end] for c in chunks],
                "skip": sorted(done),
                "body": body,
                "people": list(people),
            }
            return _Request(text, content, self.limits)

        def read(items: Iterator[dict[str, Any]]) -> Iterator[ChunkEvidence]:
            wanted = {chunk.order for chunk in chunks} - done
            for one in decode_evidence(items, len(text)):
                if one.chunk_order not in wanted:
                    raise ProtocolError("evidence of no chunk")
                wanted.discard(one.chunk_order)
                done.add(one.chunk_order)
                yield one
            if wanted:
                raise ProtocolError("evidence of some chunks only")

        if any(chunk.order not in done for chunk in chunks):
            yield from self._run(make_request, read, cancel or CancelToken())

    def split(
        self, read: ReadDocument, settings: ChunkingSettings, cancel: CancelToken
    ) -> SplitText:
        """Return a document in chunks and windows, as `split_text` does; raises as `extract`."""
        from .splitting import decode_split, encode_request

        def make_request() -> _Request:
            return _Request(read.text, encode_request(read, settings), self.limits)

        def join(items: Iterator[dict[str, Any]]) -> Iterator[SplitText]:
            yield decode_split(items, len(read.text))

        [split] = self._run(make_request, join, cancel)
        return split

    def prepare(self, language: str, cancel: CancelToken | None = None) -> None:
        """Start a child and load its tagger of a language, so that the next text does not wait.

        A text that comes meanwhile waits for this child. Does nothing while a child works.
        Raises as `extract`.
        """
        with self._preparing:
            if not self._working:
                sample = SAMPLES.get(language, SAMPLES["en"])
                for _ in self.extract(
                    sample, [ChunkSpan(0, 0, len(sample), 0, "")], language, cancel=cancel
                ):
                    pass

    def _run(
        self,
        make_request: Callable[[], _Request],
        read: Callable[[Iterator[dict[str, Any]]], Iterator[T]],
        token: CancelToken,
    ) -> Iterator[T]:
        """Yield what is read from the answer to a request; after a death, to a second request.

        Args:
            make_request: returns a request for what was not yielded yet.
        """
        n_closed = self._n_closed
        for is_last in (False, True):
            token.check()
            child = self._take()
            request = make_request()
            try:
                with child.ended_by(token):
                    for one in read(request.receive(child)):
                        yield one
                        token.check()
                self._keep(child)
                return
            except (AppError, ParserBug) as error:
                peak_bytes = find_peak_bytes(child.pid)
                self._end(child) if token.cancelled else self._keep(child)
                # Some libraries raise errors of their own where there is no memory left.
                if (
                    isinstance(error, ParserBug)
                    and peak_bytes > FULL_SHARE * self.limits.memory_bytes
                ):
                    log.warning("a text needs too much memory:\n%s", error)
                    raise self._refuse(request, ChildDied(MEMORY_EXIT, peak_bytes)) from error
                raise
            except (ChildDied, ProtocolError) as error:
                if isinstance(error, ProtocolError):
                    log.warning("the process that analyses texts sent %s", error)
                death = error if isinstance(error, ChildDied) else child.end()
                self._end(child)
                if token.cancelled or self._n_closed != n_closed:
                    raise Cancelled from None
                log.warning("the process that analyses texts ended with %s", death.code)
                if is_last:
                    raise self._refuse(request, death) from error
            except BaseException:  # also of an iterator that is not used to its end
                self._end(child)
                raise

    def close(self) -> None:
        """End all children; a text that is being read is cancelled."""
        with self._lock:
            self._n_closed += 1
            for child in self._working:
                child.kill()
            waiting, self._waiting = self._waiting, None
        if waiting is not None:
            waiting.close()

    @property
    def child_pids(self) -> list[int]:
        """The process ids of the children that work or wait."""
        with self._lock:
            return [child.pid for child in (*self._working, self._waiting) if child is not None]

    def _take(self) -> ParserProcess:
        with self._preparing, self._lock:
            child, self._waiting = self._waiting, None
            if child is not None and child.is_alive:
                self._working.add(child)
                return child
        if child is not None:
            child.close()
        limits = self.limits
        child = ParserProcess(
            CHILD_MODULE,
            CHILD_ARGUMENT,
            memory_bytes=limits.memory_bytes,
            start_s=limits.start_s,
            settings={"idle_s": limits.idle_s},
        )
        with self._lock:
            self._working.add(child)
        return child

    def _keep(self, child: ParserProcess) -> None:
        """Keep a child for the next text, unless another one waits already."""
        with self._lock:
            self._working.discard(child)
            if self._waiting is None:
                self._waiting = child
                return
        child.close()

    def _end(self, child: ParserProcess) -> None:
        with self._lock:
            self._working.discard(child)
        child.close()

    def _refuse(self, request: _Request, death: ChildDied) -> UserError:
        reason = death.explain(self.limits.memory_bytes)
        if request.silent_for_s:
            reason = Message(
                "its reader did not answer for {seconds:g} seconds.", seconds=request.silent_for_s
            )
        return UserError(
            "Its text can't be analysed: {reason}",
            "Split it into several documents.",
            reason=reason,
        )


@cache
def shared_analysis() -> TextAnalysis:
    """Return the analysis of this process; its children end with the process."""
    analysis = TextAnalysis()
    atexit.register(analysis.close)
    return analysis


class _TextContent:
    """A text in UTF-8, encoded piece by piece."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.size = sum(map(len, self.iter_pieces()))

    def iter_pieces(self) -> Iterator[bytes]:
        for start in range(0, len(self._text), PIECE_CHARS):
            yield self._text[start : start + PIECE_CHARS].encode("utf-8", "surrogatepass")


class _Request:
    """One text: sends it, and takes the frames that answer it.

    Args:
        content: what is asked about the text.

    Attributes:
        silent_for_s: the limit that the child exceeded without progress, 0 if it did not.
    """

    def __init__(self, text: str, content: dict[str, Any], limits: AnalysisLimits) -> None:
        self._text, self._content, self._limits = text, content, limits
        self.silent_for_s = 0.0

    def receive(self, child: ParserProcess) -> Iterator[dict[str, Any]]:
        """Send the request and yield the items of the answer.

        Raises:
            ChildDied: the child ended, or was ended for its silence.
            ParserBug: the analysis has a bug.
            ProtocolError: the child sends nonsense.
        """
        text = _TextContent(self._text)
        child.send({"size": text.size, **self._content}, text)
        while True:
            frame = child.receive(self._limits.silence_s)
            if not frame:
                self.silent_for_s = self._limits.silence_s
                raise child.end()
            for item in parse_frame(frame):
                raise_failure(item)
                if "end" in item:
                    return
                if "begun" not in item and "alive" not in item:
                    yield item
