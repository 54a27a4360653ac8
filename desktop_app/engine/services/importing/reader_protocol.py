"""An import's plan as the frames between the program and the process that makes it.

The process reads the graph, aligns it to passages and sends what the import will write: documents
with their spans, and the evidence of each chunk. The program checks each item and keeps the frames
compressed, so that it never holds the graph as objects. The process measures the graph before: a
small file that unpacks to hundreds of megabytes is refused.
"""

from __future__ import annotations

import hashlib
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ...child_protocol import (
    ProtocolError,
    check_list,
    check_number,
    check_text,
    decode_message,
    encode_message,
    parse_frame,
)
from ...errors import UserError
from ...messages import Message
from ...model import (
    ChunkEvidence,
    ChunkSpan,
    ReadDocument,
)
from ...text.reader_protocol import DocumentAssembler, encode_documents
from ...text.readers.archives import MAX_TEXT_CHARS
from ..text_analysis.evidence_protocol import (
    check_string,
    decode_evidence,
    encode_evidence,
    encode_text,
)
from .model import MAX_NAME, ImportedGraph
from .planning import KnownText, Plan

ROW_BYTES = 300  # of memory for a row, besides its texts
_FRAMES_PER_GRAPH = 4  # a plan repeats names and has offsets
_PIECE_ROWS = 1_000
_MAX_FIELD = 100_000
_MAX_REASONS = 1_000
_MAX_NUMBER = 2**53


class TooMuchData(Exception):
    """The graph is far larger than its files."""


def measure_graph(graph: ImportedGraph, max_bytes: int) -> None:
    """Raise `TooMuchData` if the rows of a graph need more memory than that, about.

    Raises:
        UserError: a text is longer than a document may be.
    """
    for text in (row.text for rows in (graph.documents, graph.chunks) for row in rows):
        if len(text) > MAX_TEXT_CHARS:
            raise UserError(
                "It has a text of more than {n} million characters.",
                "Split it into several documents.",
                n=MAX_TEXT_CHARS // 1_000_000,
            )
    for rows in (graph.documents, graph.chunks, graph.entities, graph.relations, graph.claims):
        for row in rows:
            max_bytes -= ROW_BYTES + sum(_measure(getattr(row, name)) for name in row.__slots__)
            if max_bytes < 0:
                raise TooMuchData


def _measure(value: object) -> int:
    """Return the size of the texts of a field in bytes."""
    if isinstance(value, str):
        return len(value) if value.isascii() else len(value.encode("utf-8", "surrogatepass"))
    return sum(map(_measure, value)) if isinstance(value, tuple) else 0


# --- the process that plans -----------------------------------------------------------------------


def encode_plan(plan: Plan) -> Iterator[list[Any]]:
    """Yield the items of a plan in frames of about `PIECE_CHARS` characters."""
    reasons = list(plan.graph.left_out.items())[:_MAX_REASONS]
    found = plan.found
    counts = [found.n_names, found.n_relations, found.n_claims, found.n_unseen_relations]
    yield [
        {
            "graph": [plan.graph.origin, plan.graph.name[:MAX_NAME]],
            "counts": [*counts, plan.n_attached],
            "left_out": [[encode_message(reason), count] for reason, count in reasons],
        }
    ]
    for start in range(0, len(found.unseen_names), _PIECE_ROWS):
        yield [{"unseen": found.unseen_names[start : start + _PIECE_ROWS]}]
    for document in plan.documents:
        head = [document.file_name[:MAX_NAME], document.sha256, document.is_generated]
        yield [{"next": [*head, len(document.spans)]}]
        if document.known is None:
            yield from encode_documents([document.read])
            for start in range(0, len(document.spans), _PIECE_ROWS):
                spans = document.spans[start : start + _PIECE_ROWS]
                rows = [[s.start, s.end, s.n_tokens, s.heading_path[:_MAX_FIELD]] for s in spans]
                yield [{"spans": rows}]
        evidence = (document.evidence[order] for order in sorted(document.evidence))
        yield from encode_evidence(evidence)


# --- the program ----------------------------------------------------------------------------------


@dataclass(slots=True)
class ReceivedDocument:
    """A document of a plan, with its frames compressed.

    Attributes:
        known_id: the document of the library with the same text, None for a new one.
        version: a hash of all its evidence, of `n_evidence` chunks.
    """

    file_name: str
    is_generated: bool
    n_spans: int
    known_id: int | None = None
    n_chars: int = 0
    sha256: str = ""
    version: str = ""
    n_evidence: int = 0
    _text_frames: list[bytes] = field(default_factory=list)
    _evidence_frames: list[bytes] = field(default_factory=list)

    def add_frame(self, frame: bytes, *, is_evidence: bool) -> None:
        frames = self._evidence_frames if is_evidence else self._text_frames
        frames.append(zlib.compress(frame, 1))

    def load_text(self) -> tuple[ReadDocument, list[ChunkSpan]]:
        """Return the text with the spans of its chunks.

        Raises:
            ProtocolError: they do not fit.
        """
        assembler = DocumentAssembler()
        spans: list[ChunkSpan] = []
        for item in _iter_items(self._text_frames):
            if "spans" not in item:
                if item.keys().isdisjoint(("document", "text", "pages", "outline")):
                    raise ProtocolError("an item of an unknown kind")
                assembler.add(item)
                continue
            for row in check_list(item["spans"], None, _PIECE_ROWS):
                start, end, n_tokens, path = check_list(row, 4)
                start, end, n_tokens = (
                    check_number(n, _MAX_NUMBER) for n in (start, end, n_tokens)
                )
                spans.append(ChunkSpan(len(spans), start, end, n_tokens, check_text(path)))
        [read] = assembler.finish()
        if len(spans) != self.n_spans or any(not s.start <= s.end <= len(read.text) for s in spans):
            raise ProtocolError("spans that do not fit the text")
        return read, spans

    def iter_evidence(self) -> Iterator[ChunkEvidence]:
        """Yield the evidence of each chunk, in order.

        Raises:
            ProtocolError: a part of it has the wrong type, or is too long.
        """
        return decode_evidence(_iter_items(self._evidence_frames), self.n_chars)

    def finish(self) -> None:
        """Check all parts, once all have come."""
        if self.known_id is None:
            read, _ = self.load_text()
            self.n_chars = len(read.text)
            self.sha256 = hashlib.sha256(encode_text(read.text)).hexdigest()
        digest, separator = hashlib.sha256(b"["), b""
        for one in self.iter_evidence():
            if self.known_id is None and one.chunk_order >= self.n_spans:
                raise ProtocolError("evidence of no chunk")
            digest.update(separator + repr((one.chunk_order, one)).encode("utf-8"))
            separator = b", "
            self.n_evidence += 1
        digest.update(b"]")
        self.version = digest.hexdigest()[:16]


def _iter_items(frames: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    for frame in frames:
        yield from parse_frame(zlib.decompress(frame))


@dataclass(slots=True)
class ReceivedPlan:
    """What an import will write, and the counts for its report."""

    origin: str
    name: str
    n_names: int
    n_relations: int
    n_claims: int
    n_unseen_relations: int
    n_attached: int
    left_out: Counter[Message] = field(default_factory=Counter)
    unseen_names: list[str] = field(default_factory=list)
    documents: list[ReceivedDocument] = field(default_factory=list)


class PlanAssembler:
    """Puts a plan together from frames that are not trusted.

    Args:
        max_bytes: limit on the memory of the graph, about.
        known: SHA-256 -> the document of the library with this text.
    """

    def __init__(self, max_bytes: int, known: dict[str, KnownText]) -> None:
        self._left = _FRAMES_PER_GRAPH * max_bytes
        self._known = known
        self._plan: ReceivedPlan | None = None

    def add(self, frame: bytes, items: list[dict[str, Any]]) -> None:
        """Take one frame with its items.

        Raises:
            ProtocolError: a part of it has the wrong type, or is too long.
            TooMuchData: the limit is exceeded.
        """
        self._left -= len(frame)
        if self._left < 0:
            raise TooMuchData
        if not items:
            raise ProtocolError("a frame without items")
        first = items[0]
        if "graph" in first:
            self._plan = _read_plan(first)
            return
        if self._plan is None:
            raise ProtocolError("a row of no graph")
        documents = self._plan.documents
        if "unseen" in first:
            self._plan.unseen_names += map(
                check_string, check_list(first["unseen"], None, _PIECE_ROWS)
            )
        elif "next" in first:
            if documents:
                documents[-1].finish()
            documents.append(self._read_head(first["next"]))
        elif not documents:
            raise ProtocolError("a piece of no document")
        else:
            is_evidence = "evidence" in first
            if any(("evidence" in item) is not is_evidence for item in items):
                raise ProtocolError("a frame of several kinds")
            documents[-1].add_frame(frame, is_evidence=is_evidence)

    def finish(self) -> ReceivedPlan:
        """Return the plan.

        Raises:
            ProtocolError: none came, or a part of it is missing.
        """
        if self._plan is None or not self._plan.documents:
            raise ProtocolError("no plan")
        self._plan.documents[-1].finish()
        return self._plan

    def _read_head(self, value: object) -> ReceivedDocument:
        file_name, sha256, is_generated, n_spans = check_list(value, 4)
        n_spans = check_number(n_spans, _MAX_NUMBER)
        document = ReceivedDocument(check_text(file_name, MAX_NAME), is_generated is True, n_spans)
        known = self._known.get(check_text(sha256, 64))
        if known is not None:
            document.known_id, document.n_chars = known.id, len(known.text or "")
            document.sha256 = sha256
        return document


def _read_plan(item: dict[str, Any]) -> ReceivedPlan:
    origin, name = map(check_text, check_list(item["graph"], 2))
    n_names, n_relations, n_claims, n_unseen, n_attached = (
        check_number(n, _MAX_NUMBER) for n in check_list(item.get("counts"), 5)
    )
    plan = ReceivedPlan(origin, name, n_names, n_relations, n_claims, n_unseen, n_attached)
    for row in check_list(item.get("left_out"), None, _MAX_REASONS):
        reason, count = check_list(row, 2)
        plan.left_out[decode_message(reason)] = check_number(count, _MAX_NUMBER)
    return plan
