"""A document in chunks and windows: how it is split, and how a child process sends the result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from ...child_protocol import ProtocolError, check_list, check_number, check_text
from ...extraction.instant import guess_language
from ...model import ChunkSpan, Heading, ReadDocument
from ...progress import CancelToken
from ...text.chunking import (
    ChunkingSettings,
    CountTokens,
    chunk_text,
    load_tiktoken_counter,
    split_windows,
)

# About three sentences; the counter's vocabulary takes 1.4 tokens for a Chinese character.
WINDOW_TOKENS = {"en": 100, "zh": 170, "ja": 170, "ko": 170}
_PIECE_ROWS = 1_000  # of chunks, with their windows, in one frame
_MAX_NUMBER = 2**53


@dataclass(frozen=True, slots=True)
class SplitText:
    """A text in chunks; `windows` has one list of (start, end) per chunk."""

    language: str
    chunks: list[ChunkSpan] = field(default_factory=list)
    windows: list[list[tuple[int, int]]] = field(default_factory=list)


def split_text(
    text: str,
    outline: Sequence[Heading],
    language: str,
    body: tuple[int, int],
    settings: ChunkingSettings,
    cancel: CancelToken,
) -> SplitText:
    """Split a text into chunks and windows, by its language; "und" is replaced by a guess."""
    if language == "und":
        language = guess_language(text[slice(*body)])
    count_all = load_tiktoken_counter()

    def count_tokens(part: str) -> int:
        cancel.check()
        return count_all(part)

    chunks = chunk_text(text, outline, language, settings, count_tokens)
    return SplitText(language, chunks, split_into_windows(text, chunks, language, count_tokens))


def split_into_windows(
    text: str, chunks: Iterable[ChunkSpan], language: str, count_tokens: CountTokens
) -> list[list[tuple[int, int]]]:
    """Return the windows of each chunk of a text."""
    target = WINDOW_TOKENS.get(language, WINDOW_TOKENS["en"])
    return [
        split_windows(
            text, one.start, one.end, language, target_tokens=target, count_tokens=count_tokens
        )
        for one in chunks
    ]


# --- the request ----------------------------------------------------------------------------------


def encode_request(read: ReadDocument, settings: ChunkingSettings) -> dict[str, Any]:
    """Return what a child needs to split a document, besides its text."""
    return {
        "settings": asdict(settings),
        "language": read.language,
        "body": [read.body_start, read.body_end],
        "outline": [[getattr(h, f.name) for f in fields(Heading)] for h in read.outline],
    }


def split_as_requested(text: str, request: dict[str, Any], cancel: CancelToken) -> SplitText:
    """Split a text as a request of `encode_request` says."""
    first, last = request["body"]
    return split_text(
        text,
        [Heading(*row) for row in request["outline"]],
        request["language"],
        (first, last),
        ChunkingSettings(**request["settings"]),
        cancel,
    )


# --- the answer -----------------------------------------------------------------------------------


def encode_split(split: SplitText) -> Iterator[list[dict[str, Any]]]:
    """Yield the items of an answer in groups, each group for one frame."""
    yield [{"language": split.language}]
    for first in range(0, len(split.chunks), _PIECE_ROWS):
        part = slice(first, first + _PIECE_ROWS)
        chunks = [[c.start, c.end, c.n_tokens, c.heading_path] for c in split.chunks[part]]
        yield [{"chunks": chunks, "windows": split.windows[part]}]


def decode_split(items: Iterable[dict[str, Any]], n_chars: int) -> SplitText:
    """Return the chunks and windows of an answer.

    Args:
        n_chars: length of the text.

    Raises:
        ProtocolError: a part of it has the wrong type, is missing, or lies outside the text.
    """

    def check_span(start: object, end: object) -> tuple[int, int]:
        first, last = check_number(start, n_chars), check_number(end, n_chars)
        if first > last:
            raise ProtocolError("a place that ends before it starts")
        return first, last

    split: SplitText | None = None
    for item in items:
        if "language" in item:
            split = SplitText(check_text(item["language"], 20))
            continue
        if split is None:
            raise ProtocolError("chunks of no text")
        rows = check_list(item.get("chunks"), None, _PIECE_ROWS)
        for row in rows:
            start, end, n_tokens, path = check_list(row, 4)
            span = check_span(start, end)
            n_tokens = check_number(n_tokens, _MAX_NUMBER)
            split.chunks.append(ChunkSpan(len(split.chunks), *span, n_tokens, check_text(path)))
        for windows in check_list(item.get("windows"), len(rows)):
            spans = [check_span(*check_list(one, 2)) for one in check_list(windows, None)]
            split.windows.append(spans)
    if split is None:
        raise ProtocolError("no text")
    return split
