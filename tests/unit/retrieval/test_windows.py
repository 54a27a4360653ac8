"""Windows of passages: what a model reads around the best sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.model import ChunkId, DocumentId, Passage
from desktop_app.engine.retrieval.windows import READ_CHARS, READ_HAN_CHARS, widen_window

START = 1_000  # of the passage in its document
ENGLISH = " ".join(
    f"Sentence number {n} tells of the {n}th day on the long road." for n in range(30)
)
CHINESE = "".join(f"第{n}天他们走在路上遇见了一个老人。" for n in range(30))


def build_passage(text: str) -> Passage:
    return Passage(
        ChunkId(1), DocumentId(1), "Road", START, START + len(text), 1.0, text, START, START
    )


def find(text: str, words: str) -> tuple[int, int]:
    place = text.index(words)
    return START + place, START + place + len(words)


@pytest.mark.parametrize(
    ("text", "sentence", "most"),
    [
        (ENGLISH, "Sentence number 15 tells of the 15th day on the long road.", READ_CHARS),
        (CHINESE, "第15天他们走在路上遇见了一个老人。", READ_HAN_CHARS),
    ],
)
def test_a_window_gets_whole_sentences_of_both_sides(text: str, sentence: str, most: int) -> None:
    first, last = find(text, sentence)
    start, end = widen_window(build_passage(text), (first, last))
    assert most - len(sentence) - 2 < end - start <= most
    assert abs((first - start) - (end - last)) <= len(sentence) + 1
    assert text[start - START - 1 : end - START].strip().endswith((".", "。"))
    assert text[start - START] in "S第"


def test_at_the_end_of_a_passage_the_window_grows_backwards() -> None:
    window = find(ENGLISH, "Sentence number 29 tells of the 29th day on the long road.")
    start, end = widen_window(build_passage(ENGLISH), window)
    assert end == START + len(ENGLISH)
    assert READ_CHARS - 70 < end - start <= READ_CHARS


def test_a_long_window_only_gets_its_last_sentence_whole() -> None:
    cut = START + ENGLISH.index("number 13 tells")
    end = START + ENGLISH.index(" Sentence number 14")
    assert cut - START > READ_CHARS
    assert widen_window(build_passage(ENGLISH), (START, cut)) == (START, end)


@given(st.text(max_size=400), st.data())
def test_a_window_only_grows_and_stays_inside(text: str, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(text)))
    last = data.draw(st.integers(first, len(text)))
    start, end = widen_window(build_passage(text), (START + first, START + last))
    assert START <= start <= START + first
    assert START + last <= end <= START + len(text)
