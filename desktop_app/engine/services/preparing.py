"""From a document that was read to what is stored of it: chunks, windows, its title as a name."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..extract.language_guess import guess_language
from ..graph.linking import strip_title
from ..progress import CancelToken
from ..text.chunking import ChunkingSettings, chunk_text, split_windows
from ..text.counting import load_tiktoken_counter
from ..text.sentences import split_sentences
from ..types import ChunkEvidence, ChunkSpan, Mention, ReadDocument

# About three sentences; the counter's vocabulary takes 1.4 tokens for a Chinese character.
WINDOW_TOKENS = {"en": 100, "zh": 170, "ja": 170, "ko": 170}


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document cut up; `windows` has one list of (start, end) for each chunk."""

    read: ReadDocument
    chunks: list[ChunkSpan]
    windows: list[list[tuple[int, int]]]


def prepare(read: ReadDocument, settings: ChunkingSettings, cancel: CancelToken) -> Prepared:
    """Cut a document into chunks and windows, in the language that it is in or seems to be in."""
    if read.language == "und":
        guessed = guess_language(read.text[read.body_start : read.body_end])
        read = replace(read, language=guessed)
    count_tokens = load_tiktoken_counter()
    chunks = chunk_text(read.text, read.outline, read.language, settings, count_tokens)
    windows = []
    for chunk in chunks:
        cancel.check()
        windows.append(
            split_windows(
                read.text,
                chunk.start,
                chunk.end,
                read.language,
                target_tokens=WINDOW_TOKENS.get(read.language, WINDOW_TOKENS["en"]),
                count_tokens=count_tokens,
            )
        )
    return Prepared(read, chunks, windows)


def with_title(found: ChunkEvidence, chunk: ChunkSpan, title: str, text: str) -> ChunkEvidence:
    """Add a short document's title as a name, where its text has it and no name stands there."""
    name = strip_title(title)
    start = text.find(name, chunk.start, chunk.end) if len(name) >= 2 else -1
    if start < 0:
        return found
    end = start + len(name)
    if any(m.start < end and m.end > start for m in found.mentions):
        return found
    sentence_start, sentence_end = next(
        (
            (a + chunk.start, b + chunk.start)
            for a, b in split_sentences(text[chunk.start : chunk.end], "und")
            if a + chunk.start <= start < b + chunk.start
        ),
        (chunk.start, chunk.end),
    )
    mention = Mention(name, "other", start, end, sentence_start, sentence_end, 1.0)
    return replace(found, mentions=(*found.mentions, mention))
