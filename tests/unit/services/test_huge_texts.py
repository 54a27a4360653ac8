"""Texts longer than any book are chunked and searched for names in parts."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.errors import Cancelled
from desktop_app.engine.extraction import instant
from desktop_app.engine.extraction.instant import InstantExtractor, split_into_parts
from desktop_app.engine.extraction.rules import latin_tokens
from desktop_app.engine.model import ChunkSpan
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.services.text_analysis.splitting import split_text
from desktop_app.engine.text import chunking
from desktop_app.engine.text.chunking import ChunkingSettings, chunk_text, split_sentences

STORY = (
    "Clara Wren wound the clocks of Dover. Then Clara Wren met Ada Byron in London,"
    " and Ada Byron told Clara Wren about the tide.\n\n"
)


def cut(text: str, size: int) -> list[ChunkSpan]:
    starts = range(0, len(text), size)
    return [ChunkSpan(i, at, min(len(text), at + size), 1) for i, at in enumerate(starts)]


def test_the_parts_of_a_huge_text_are_whole_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instant, "_MAX_CHARS", 1_000)
    monkeypatch.setattr(instant, "_PART_CHARS", 400)
    chunks = cut("a" * 1_950, 100)
    parts = list(split_into_parts(chunks))
    assert [chunk for part in parts for chunk in part] == chunks
    assert [len(part) for part in parts] == [3, 4, 4, 4, 5]
    assert list(split_into_parts(chunks[:9])) == [chunks[:9]]
    assert list(split_into_parts(cut("a" * 3_000, 3_000))) == [cut("a" * 3_000, 3_000)]


def test_each_part_of_a_huge_text_has_its_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instant, "_MAX_CHARS", 2 * len(STORY))
    monkeypatch.setattr(instant, "_PART_CHARS", 2 * len(STORY))
    text = STORY * 6
    chunks = cut(text, len(STORY))
    extractor = InstantExtractor(split_sentences)
    found = list(extractor.extract(text, chunks, "en"))
    assert [one.chunk_order for one in found] == list(range(6))
    for one, chunk in zip(found, chunks, strict=True):
        assert {"Clara Wren", "Ada Byron"} <= {mention.name for mention in one.mentions}
        assert all(text[m.start : m.end] == m.name for m in one.mentions)
        assert all(chunk.start <= m.start < m.end <= chunk.end for m in one.mentions)
    rest = list(extractor.extract(text, chunks, "en", skip=frozenset({0, 1, 2, 4})))
    assert rest == [found[3], found[5]]


def test_a_huge_section_is_cut_at_ends_of_paragraphs(monkeypatch: pytest.MonkeyPatch) -> None:
    text = STORY * 40
    settings = ChunkingSettings(chunk_token_size=50)
    whole = chunk_text(text, (), "en", settings, len)
    monkeypatch.setattr(chunking, "_MAX_SECTION", 10 * len(STORY))
    monkeypatch.setattr(chunking, "_SECTION_PART", 4 * len(STORY))
    chunks = chunk_text(text, (), "en", settings, len)
    assert [c.start for c in chunks] == [0, *(c.end for c in chunks[:-1])]
    assert chunks[-1].end == len(text)
    assert {c.end for c in chunks} >= {n * len(STORY) for n in range(4, 37, 4)}
    assert "".join(text[c.start : c.end] for c in whole) == text


def test_chunking_a_long_text_can_be_cancelled() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        split_text(STORY, (), "en", (0, len(STORY)), ChunkingSettings(), token)


LINES = st.lists(st.sampled_from(["", " ", "\t", "\u3000a", "  a", "a b", "A wide line " * 4]))


@given(LINES, st.integers(0, 20))
def test_spans_of_paragraphs_are_those_of_the_whole_pattern(lines: list[str], start: int) -> None:
    """A pattern for whole paragraphs needs memory for each of their characters."""
    text = "\n".join(lines)
    start = min(start, len(text))
    pattern = re.compile(r"(?:[^\n]|\n(?![ \t]*\n))+")
    expected = [match.span() for match in pattern.finditer(text, start)]
    assert list(latin_tokens._iter_paragraphs(text, start, len(text))) == expected


@given(LINES)
def test_wrapped_lines_are_those_of_the_whole_pattern(lines: list[str]) -> None:
    text = "\n".join(lines)
    groups = re.compile(r"[^\n]+(?:\n[ \t]*[^\s][^\n]*)*")
    expected: set[int] = set()
    for match in groups.finditer(text):
        found = match.group().split("\n")
        width, at = max(map(len, found)), match.start()
        for line, following in pairwise(found):
            at += len(line)
            word = following.split(maxsplit=1)[:1]
            least = width if width < 45 else 0.7 * width
            if width >= 30 and word and len(line.rstrip()) + 1 + len(word[0]) > least:
                expected.add(at)
            at += 1
    assert latin_tokens.find_wrapped_lines(text, 0, len(text)) == expected
