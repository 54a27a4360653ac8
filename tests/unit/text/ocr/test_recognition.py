"""Pictures of texts are read by the real networks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PIL import Image

from desktop_app.engine.errors import EnvironmentProblem
from desktop_app.engine.scanned_pages import ScannedPage, build_text
from desktop_app.engine.text.ocr import recognition
from desktop_app.engine.text.ocr.page_reading import recognise_page
from desktop_app.engine.text.ocr.recognition import LineReader, find_outlines, split_column
from tests.scanned import CHINESE, CHINESE_LINES, ENGLISH_LINES, draw_column, draw_page


@pytest.fixture(scope="module")
def reader() -> LineReader:
    return LineReader()


@pytest.fixture(scope="module")
def english() -> Image.Image:
    return draw_page(ENGLISH_LINES)


def read(reader: LineReader, image: Image.Image) -> ScannedPage:
    return recognise_page(reader, np.asarray(image))


def test_english_lines_are_read_with_the_places_of_their_words(
    reader: LineReader, english: Image.Image
):
    page = read(reader, english)
    assert build_text(page.lines).split("\n") == list(ENGLISH_LINES)
    assert page.confidence > 0.9 and page.is_certain and page.turn == 0
    first = page.lines[0]
    assert first.corners[0] == pytest.approx(0.07, abs=0.02)
    begins = first.words[0::2]
    assert len(begins) == 9 and list(begins) == sorted(begins)
    ferry = np.asarray(english)[60:110, 70 + 60 : 70 + 145]  # "ferry" is about there
    assert ferry.min() < 100
    width = (first.corners[2] - first.corners[0]) * 1000
    assert 120 < first.corners[0] * 1000 + width * first.words[2] / 1000 < 160


def test_chinese_lines_are_read(reader: LineReader):
    page = read(reader, draw_page(CHINESE_LINES, CHINESE))
    assert build_text(page.lines).split("\n") == list(CHINESE_LINES)


@pytest.mark.parametrize("turn", [180, 270, pytest.param(90, marks=pytest.mark.slow)])
def test_a_turned_page_is_noticed_and_read(reader: LineReader, english: Image.Image, turn: int):
    page = read(reader, english.rotate(-turn, expand=True))
    assert page.turn == turn
    assert build_text(page.lines).split("\n") == list(ENGLISH_LINES)
    x, y = page.lines[0].corners[:2]  # the line begins where the picture shows it
    begin = {90: (0.86, 0.07), 180: (0.93, 0.86), 270: (0.14, 0.93)}[turn]
    assert (x, y) == pytest.approx(begin, abs=0.05)


def test_an_inclined_page_is_read(reader: LineReader, english: Image.Image):
    inclined = english.rotate(-2, expand=True, fillcolor=(255, 255, 255), resample=3)
    page = read(reader, inclined)
    assert build_text(page.lines).split("\n") == list(ENGLISH_LINES)
    assert page.angle == pytest.approx(2, abs=0.6)


def test_columns_of_chinese_are_read_from_right_to_left(reader: LineReader):
    page = read(reader, draw_column("那日柳三娘对沈砚说道|先生可认得陆青山|沈砚笑道是我的同窗"))
    assert all(line.is_vertical for line in page.lines)
    assert build_text(page.lines).split("\n") == [
        "那日柳三娘对沈砚说道",
        "先生可认得陆青山",
        "沈砚笑道是我的同窗",
    ]


def test_an_empty_page_has_no_lines(reader: LineReader):
    page = read(reader, Image.new("RGB", (400, 300), (250, 250, 250)))
    assert page.lines == ()


def test_noise_is_no_text(reader: LineReader):
    noise = np.random.default_rng(1).integers(0, 255, (300, 300, 3), dtype=np.uint8)
    assert len(recognise_page(reader, noise).lines) < 3


def test_a_strip_of_one_pixel_is_no_error(reader: LineReader):
    assert recognise_page(reader, np.zeros((1, 500, 3), dtype=np.uint8)).lines == ()


def test_outlines_follow_inclined_lines():
    shares = np.zeros((200, 300), dtype=np.float32)
    for x in range(40, 260):
        y = round(60 + 0.1 * x)
        shares[y : y + 14, x] = 0.9
    [box] = find_outlines(shares)
    top_left, top_right, _, bottom_left = box
    slope = (top_right[1] - top_left[1]) / (top_right[0] - top_left[0])
    assert slope == pytest.approx(0.1, abs=0.02)
    assert bottom_left[1] > top_left[1]


def test_a_column_is_cut_between_its_characters():
    cut = np.full((220, 50, 3), 255, dtype=np.uint8)
    for i in range(4):
        cut[10 + 50 * i : 50 + 50 * i, 5:45] = 0
        cut[15 + 50 * i : 45 + 50 * i, 10:40] = 255
    assert [start for start, _ in split_column(cut)] == [10, 60, 110, 160]
    assert split_column(np.full((90, 30, 3), 255, dtype=np.uint8)) == []


@pytest.fixture
def no_package(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(recognition.importlib.util, "find_spec", lambda name: None)
    yield


def test_a_missing_package_is_named(no_package: None):
    with pytest.raises(EnvironmentProblem, match="not installed"):
        LineReader()
