"""From a given graph to all that is to be written, before anything is written.

Reads of the library only which texts it has already; a graph that can't be used is refused here.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ...errors import UserError, said
from ...text.assembling import assemble
from ...text.counting import load_tiktoken_counter
from ...types import ChunkEvidence, ChunkSpan, ReadDocument
from .building import EvidenceBuilder, Findings
from .given import GivenChunk, GivenDocument, GivenGraph
from .laying import attach, find_places, gather, join_chunks, lay_out
from .names import NameBook
from .passages import Passage
from .sourceless import give_text

_HASH = re.compile(r"^(?:doc-|chunk-)?[0-9a-f-]{24,}$")


@dataclass(frozen=True, slots=True)
class KnownText:
    """A document of the library: its id, and its text as it was cut; None if not read yet."""

    id: int
    title: str
    text: str | None
    language: str
    spans: tuple[ChunkSpan, ...]


@dataclass(slots=True)
class PlannedDocument:
    """A document as it is to be; `known` where the library has its text already."""

    file_name: str
    sha256: str
    read: ReadDocument
    spans: list[ChunkSpan]
    known: KnownText | None = None
    evidence: dict[int, ChunkEvidence] = field(default_factory=dict)


@dataclass(slots=True)
class Plan:
    """All that an import will write, and the counts for its report."""

    graph: GivenGraph
    documents: list[PlannedDocument]
    found: Findings
    n_attached: int = 0


FindKnown = Callable[[str], KnownText | None]


def plan_import(graph: GivenGraph, find_known: FindKnown) -> Plan:
    """Return what importing a graph would write.

    Args:
        find_known: gives the library's document of a content hash, None if it has none.

    Raises:
        UserError: nothing in it can be used, or a text is still being read.
    """
    laying = _Laying(graph, find_known)
    passages, passages_of = laying.lay_all()
    book = NameBook(graph, passages, passages_of)
    if give_text(graph, book):
        # What was counted comes up again when everything is looked at anew.
        graph.left_out.clear()
        graph.left_out.update(laying.counted)
        passages, passages_of = laying.lay_all(only_new=True)
        book = NameBook(graph, passages, passages_of)
    if not laying.documents:
        raise UserError(
            f"“{graph.name}” has no passages, names or relations.",
            "Check that its index was finished.",
        )
    found = EvidenceBuilder(graph, book, passages).build(passages_of)
    for (number, order), evidence in found.evidence.items():
        laying.documents[number].evidence[order] = evidence
    return Plan(graph, laying.documents, found, laying.n_attached)


class _Laying:
    """Lays documents out one after the other and keeps whose passages are whose."""

    def __init__(self, graph: GivenGraph, find_known: FindKnown) -> None:
        self._graph, self._find_known = graph, find_known
        self._count_tokens = load_tiktoken_counter()
        self._laid: set[str] = set()
        self._passages: list[Passage] = []
        self._passages_of: dict[str, list[Passage]] = defaultdict(list)
        self.documents: list[PlannedDocument] = []
        self.n_attached = 0
        self.counted = dict(graph.left_out)

    def lay_all(self, *, only_new: bool = False) -> tuple[list[Passage], dict[str, list[Passage]]]:
        by_text: dict[str, tuple[GivenDocument, list[GivenChunk]]] = {}
        for document, text, chunks in gather(self._graph):
            if document.key in self._laid:
                continue
            self._laid.add(document.key)
            by_text.setdefault(text, (document, []))[1].extend(chunks)
        for text, (document, chunks) in by_text.items():
            strays = self._lay(document, text, chunks)
            if strays:
                title = document.title or document.file_name
                other = replace(document, title=f"{title}: other passages" if title else "")
                self._lay(other, join_chunks([c.text for c in strays]), strays)
        if not only_new:
            self.counted = dict(self._graph.left_out)
        return self._passages, self._passages_of

    def _lay(
        self, document: GivenDocument, text: str, chunks: list[GivenChunk]
    ) -> list[GivenChunk]:
        """Lay one document out; return the chunks that its text doesn't hold."""
        sha256 = hashlib.sha256(text.encode("utf-8")).hexdigest()
        known = self._find_known(sha256)
        if known is not None and known.text is None:
            raise UserError(
                f"“{known.title}” is in the library but not read yet.",
                "Let it finish, or try it again if it failed, and import then.",
            )
        read = _read(document, text, self._graph)
        if known is not None:
            text, language = known.text or "", known.language
            layout = attach(text, chunks, find_places(text, chunks), known.spans)
        else:
            language = read.language
            layout = lay_out(text, chunks, read.outline, language, self._count_tokens)
        number = len(self.documents)
        self.documents.append(
            PlannedDocument(document.file_name, sha256, read, layout.spans, known)
        )
        made = {
            s.order: Passage(number, s.order, s.start, text[s.start : s.end], language)
            for s in layout.spans
        }
        self._passages += made.values()
        for key, orders in layout.orders_of.items():
            self._passages_of[key] += [made[order] for order in orders]
        self.n_attached += layout.n_attached
        return layout.strays


def _read(document: GivenDocument, text: str, graph: GivenGraph) -> ReadDocument:
    stem = graph.name if _HASH.match(document.key) else document.key
    return assemble(
        text,
        format="txt",
        stem=stem,
        title=document.title,
        notes=[said(f"Its graph was imported from {graph.origin} (“{graph.name}”).")]
        if graph.origin != "custom"
        else [said(f"Its graph was imported from “{graph.name}”.")],
    )
