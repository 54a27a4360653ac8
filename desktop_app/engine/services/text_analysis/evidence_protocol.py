"""The evidence of chunks as the items of frames, and back.

A child process that worked on hostile text sends it, so each value is checked: its type, its
length, and that places lie inside the text. The rows follow the fields of the dataclasses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import Field, fields
from typing import Any

from ...child_protocol import PIECE_CHARS, ProtocolError, check_list, check_number, check_text
from ...model import (
    BOTH_WAYS,
    ChunkEvidence,
    ClaimedEvent,
    ClaimedRelation,
    Mention,
    NameClaim,
    TextClaim,
)

_MAX_TEXT = 5_000_000  # descriptions of one passage are joined
_MAX_NUMBER = 2**53
_MAX_WEIGHT = 1e9  # relations sum it over a chunk
_ROW_CHARS = 40  # of a row, besides its texts
# The kinds of rows, in the order in which they are sent.
_KINDS = (
    ("mentions", Mention),
    ("relations", ClaimedRelation),
    ("also_called", tuple),
    ("names", NameClaim),
    ("claims", TextClaim),
    ("events", ClaimedEvent),
)


def encode_evidence(evidence: Iterable[ChunkEvidence]) -> Iterator[list[dict[str, Any]]]:
    """Yield the evidence of chunks, ascending, as items in groups, each group for one frame.

    A chunk with much evidence has several items; one without any has an empty item.
    """
    items: list[dict[str, Any]] = []
    size = 0
    for one in evidence:
        items.append(_make_item(one.chunk_order))
        for number, row in _iter_rows(one):
            if size >= PIECE_CHARS:
                yield items
                items, size = [_make_item(one.chunk_order)], 0
            items[-1]["rows"][number].append(row)
            size += _ROW_CHARS + sum(len(value) if isinstance(value, str) else 8 for value in row)
        size += _ROW_CHARS
    if items:
        yield items


def decode_evidence(items: Iterable[dict[str, Any]], n_chars: int) -> Iterator[ChunkEvidence]:
    """Yield the evidence of each chunk, once all its items have come.

    Args:
        n_chars: length of the text that the evidence is of.

    Raises:
        ProtocolError: a part of it has the wrong type, or is too long, or is not in order.
    """
    pieces: list[ChunkEvidence] = []
    for item in items:
        piece = _read_item(item, n_chars)
        if pieces and piece.chunk_order != pieces[0].chunk_order:
            if piece.chunk_order < pieces[0].chunk_order:
                raise ProtocolError("evidence that is not in order")
            yield _join_pieces(pieces)
            pieces = []
        pieces.append(piece)
    if pieces:
        yield _join_pieces(pieces)


def _make_item(chunk_order: int) -> dict[str, Any]:
    return {"evidence": chunk_order, "rows": [[] for _ in _KINDS]}


def _iter_rows(one: ChunkEvidence) -> Iterator[tuple[int, list[Any]]]:
    """Yield the rows of a chunk's evidence, each with the number of its kind."""
    for number, (name, kind) in enumerate(_KINDS):
        for row in getattr(one, name):
            is_plain = kind is tuple
            values = list(row) if is_plain else [getattr(row, f.name) for f in fields(row)]
            yield number, values


def _read_item(item: dict[str, Any], n_chars: int) -> ChunkEvidence:
    rows = check_list(item.get("rows"), len(_KINDS))
    found: dict[str, tuple[Any, ...]] = {}
    for (name, kind), of_kind in zip(_KINDS, rows, strict=True):
        checks = [check_string, check_string] if kind is tuple else _list_checks(kind, n_chars)
        made = []
        for row in check_list(of_kind, None):
            raw = check_list(row, len(checks))
            values = [check(value) for check, value in zip(checks, raw, strict=True)]
            made.append(tuple(values) if kind is tuple else kind(*values))
        found[name] = tuple(made)
    return ChunkEvidence(check_number(item.get("evidence"), _MAX_NUMBER), **found)


def _list_checks(kind: Any, n_chars: int) -> list[Callable[[object], Any]]:
    """Return the check of each field of a dataclass; most whole numbers are places in the text."""

    def check_place(value: object) -> int:
        return check_number(value, n_chars)

    def check_places(value: object) -> tuple[int, ...]:
        return tuple(map(check_place, check_list(value, None)))

    by_type: dict[str, Callable[[object], Any]] = {
        "str": check_string,
        "int": check_place,
        "float": _check_weight,
        "tuple[str, ...]": _check_strings,
        "tuple[int, ...]": check_places,
    }
    of_fields: tuple[Field[Any], ...] = fields(kind)
    return [_BY_NAME.get(one.name) or by_type[str(one.type)] for one in of_fields]


def _check_direction(value: object) -> int:
    return check_number(value, BOTH_WAYS)


# Checks of fields that are whole numbers, but no places in the text.
_BY_NAME: dict[str, Callable[[object], Any]] = {"direction": _check_direction}


def check_string(value: object) -> str:
    """Return a text of the evidence.

    Raises:
        ProtocolError: it is none, too long, or has half characters.
    """
    text = check_text(value, _MAX_TEXT)
    encode_text(text)
    return text


def encode_text(text: str) -> bytes:
    """Return a text in UTF-8.

    Raises:
        ProtocolError: it has half characters.
    """
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ProtocolError("a text with half characters") from error


def _check_strings(value: object) -> tuple[str, ...]:
    return tuple(map(check_string, check_list(value, None)))


def _check_weight(value: object) -> float:
    if not isinstance(value, (int, float)) or not 0 <= value <= _MAX_WEIGHT:
        raise ProtocolError("a weight that is none")
    return float(value)


def _join_pieces(pieces: list[ChunkEvidence]) -> ChunkEvidence:
    if len(pieces) == 1:
        return pieces[0]
    joined = {
        name: tuple(row for piece in pieces for row in getattr(piece, name)) for name, _ in _KINDS
    }
    return ChunkEvidence(pieces[0].chunk_order, **joined)
