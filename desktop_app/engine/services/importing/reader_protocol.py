"""An imported graph as the frames between the program and the process that reads it.

One item holds rows of one kind; a long text continues in items of its own. The program checks each
row, and stops at a limit that depends on the size of the files: a small file that unpacks to
hundreds of megabytes would otherwise fill the program instead of the process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ...child_protocol import (
    PIECE_CHARS,
    ProtocolError,
    check_list,
    check_number,
    check_text,
    decode_message,
    encode_message,
    group_items,
)
from ...errors import UserError
from ...text.readers.archives import MAX_TEXT_CHARS
from .model import (
    MAX_DESCRIPTION,
    MAX_KEYWORDS,
    MAX_NAME,
    ImportedChunk,
    ImportedClaim,
    ImportedDocument,
    ImportedEntity,
    ImportedGraph,
    ImportedRelation,
)

ROW_BYTES = 300  # of memory for a row, besides its texts
_MAX_KEY = 300  # characters
_MAX_FIELD = 100_000
_MAX_KEYS, _MAX_DESCRIPTIONS, _MAX_ALIASES = 10_000, 1_000, 1_000
_MAX_REASONS = 1_000
_MAX_NUMBER = 2**53


class TooMuchData(Exception):
    """The graph is far larger than its files."""


def split_graph(graph: ImportedGraph) -> Iterator[list[dict[str, Any]]]:
    """Yield the items of a graph, in groups for one frame each."""
    return group_items(_iter_items(graph))


def _iter_items(graph: ImportedGraph) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield the graph's own item, then one for each row, with its size in characters."""
    reasons = list(graph.left_out.items())[:_MAX_REASONS]
    left_out = [[encode_message(reason), count] for reason, count in reasons]
    yield {"graph": [graph.origin, graph.name[:MAX_NAME]], "left_out": left_out}, 0
    for document in graph.documents:
        head = [document.key[:_MAX_KEY], document.title[:MAX_NAME], document.file_name[:MAX_NAME]]
        yield from _iter_text("document", head, document.text)
    for chunk in graph.chunks:
        order = max(0, min(chunk.order, _MAX_NUMBER))
        yield from _iter_text(
            "chunk", [chunk.key[:_MAX_KEY], chunk.document[:_MAX_KEY], order], chunk.text
        )
    for entity in graph.entities:
        yield _row(
            "entity",
            entity.name,
            entity.type[:MAX_NAME],
            entity.descriptions[:_MAX_DESCRIPTIONS],
            _keys(entity.chunks),
            entity.aliases[:_MAX_ALIASES],
        )
    for relation in graph.relations:
        yield _row(
            "relation",
            relation.source,
            relation.target,
            relation.descriptions[:_MAX_DESCRIPTIONS],
            relation.keywords,
            relation.weight,
            _keys(relation.chunks),
        )
    for claim in graph.claims:
        texts = (
            *(claim.subject, claim.type, claim.status, claim.description, claim.quote),
            *(claim.chunk, claim.object, claim.start_date, claim.end_date),
        )
        yield _row("claim", *(text[:_MAX_FIELD] for text in texts))


def _iter_text(kind: str, head: list[Any], text: str) -> Iterator[tuple[dict[str, Any], int]]:
    if len(text) > MAX_TEXT_CHARS:
        raise UserError(
            "It has a text of more than {n} million characters.",
            "Split it into several documents.",
            n=MAX_TEXT_CHARS // 1_000_000,
        )
    yield {kind: [*head, text[:PIECE_CHARS]]}, 100 + min(len(text), PIECE_CHARS)
    for start in range(PIECE_CHARS, len(text), PIECE_CHARS):
        yield {"more": text[start : start + PIECE_CHARS]}, PIECE_CHARS


def _row(kind: str, *values: Any) -> tuple[dict[str, Any], int]:
    size = sum(
        len(value) if isinstance(value, str) else sum(map(len, value))
        for value in values
        if isinstance(value, (str, tuple))
    )
    return {kind: list(values)}, 100 + size


def _keys(keys: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(key[:_MAX_KEY] for key in keys[:_MAX_KEYS])


@dataclass(slots=True)
class GraphAssembler:
    """Puts a graph together from items that are not trusted.

    Attributes:
        max_bytes: limit on the memory of all rows, about.
    """

    max_bytes: int
    _graph: ImportedGraph | None = None
    _long: list[str] = field(default_factory=list)  # the pieces of the last text
    _finish_text: Callable[[str], None] | None = None

    def add(self, item: dict[str, Any]) -> None:
        """Take one item.

        Raises:
            ProtocolError: a part of it has the wrong type, or is too long.
            TooMuchData: the limit is exceeded.
        """
        if "graph" in item:
            origin, name = map(check_text, check_list(item["graph"], 2))
            self._graph = ImportedGraph(origin, name)
            for row in check_list(item.get("left_out"), None, _MAX_REASONS):
                reason, count = check_list(row, 2)
                self._graph.left_out[decode_message(reason)] = check_number(count, _MAX_NUMBER)
            return
        if self._graph is None or len(item) != 1:
            raise ProtocolError("a row of no graph")
        [(kind, value)] = item.items()
        if kind == "more":
            self._long.append(self._text(value, PIECE_CHARS))
            if len(self._long) * PIECE_CHARS > MAX_TEXT_CHARS + PIECE_CHARS:
                raise ProtocolError("a text that is longer than one may be")
            return
        self._end_text()
        self._count(ROW_BYTES)
        self._add_row(self._graph, kind, value)

    def finish(self) -> ImportedGraph:
        """Return the graph.

        Raises:
            ProtocolError: none came.
        """
        if self._graph is None:
            raise ProtocolError("no graph")
        self._end_text()
        return self._graph

    def _add_row(self, graph: ImportedGraph, kind: str, value: object) -> None:
        if kind == "document":
            key, title, name, text = check_list(value, 4)
            fields = (self._key(key), self._text(title, MAX_NAME), self._text(name, MAX_NAME))
            self._begin_text(
                text, lambda whole: graph.documents.append(ImportedDocument(*fields, whole))
            )
        elif kind == "chunk":
            key, document, order, text = check_list(value, 4)
            own, of = self._key(key), self._key(document)
            number = check_number(order, _MAX_NUMBER)
            self._begin_text(
                text, lambda whole: graph.chunks.append(ImportedChunk(own, whole, of, number))
            )
        elif kind == "entity":
            name, type_, descriptions, chunks, aliases = check_list(value, 5)
            graph.entities.append(
                ImportedEntity(
                    self._text(name, MAX_NAME),
                    self._text(type_, MAX_NAME),
                    self._texts(descriptions, _MAX_DESCRIPTIONS, MAX_DESCRIPTION),
                    self._texts(chunks, _MAX_KEYS, _MAX_KEY),
                    self._texts(aliases, _MAX_ALIASES, MAX_NAME),
                )
            )
        elif kind == "relation":
            source, target, descriptions, keywords, weight, chunks = check_list(value, 6)
            if not isinstance(weight, (int, float)) or not 0 < weight < float("inf"):
                raise ProtocolError("a weight that is none")
            graph.relations.append(
                ImportedRelation(
                    self._text(source, MAX_NAME),
                    self._text(target, MAX_NAME),
                    self._texts(descriptions, _MAX_DESCRIPTIONS, MAX_DESCRIPTION),
                    self._texts(keywords, MAX_KEYWORDS, MAX_NAME),
                    float(weight),
                    self._texts(chunks, _MAX_KEYS, _MAX_KEY),
                )
            )
        elif kind == "claim":
            texts = [self._text(text, _MAX_FIELD) for text in check_list(value, 9)]
            graph.claims.append(ImportedClaim(*texts))
        else:
            raise ProtocolError("a row of an unknown kind")

    def _begin_text(self, first: object, finish: Callable[[str], None]) -> None:
        self._long = [self._text(first, PIECE_CHARS)]
        self._finish_text = finish

    def _end_text(self) -> None:
        if self._finish_text is not None:
            self._finish_text("".join(self._long))
            self._finish_text, self._long = None, []

    def _key(self, value: object) -> str:
        return self._text(value, _MAX_KEY)

    def _text(self, value: object, max_chars: int) -> str:
        text = check_text(value, max_chars)
        try:
            self._count(len(text.encode("utf-8")))
        except UnicodeEncodeError as error:
            raise ProtocolError("a text with half characters") from error
        return text

    def _texts(self, value: object, n: int, max_chars: int) -> tuple[str, ...]:
        return tuple(self._text(text, max_chars) for text in check_list(value, None, n))

    def _count(self, n_bytes: int) -> None:
        self.max_bytes -= n_bytes
        if self.max_bytes < 0:
            raise TooMuchData
