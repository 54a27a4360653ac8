"""Tests which files `bad_files` counts as read, refused and failed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.bad_files import Readers, judge_document, read_content
from benchmarks.format_files import draw_page, iter_many_parts, make_huge_png, make_zip
from benchmarks.format_files import save_picture as save
from desktop_app.engine.model import ReadDocument

PAGE = save(draw_page("Port Ellis").convert("L"), "PNG")


@pytest.fixture(scope="module")
def readers() -> Iterator[Readers]:
    made = Readers()
    yield made
    made.close()


def test_pages_that_are_pictures_need_no_text_and_others_do():
    made = ReadDocument(title="a", text="", format="png", language="und", pictures=(0,))
    assert judge_document(made) == ""
    empty = ReadDocument(title="a", text=" \n", format="txt", language="und")
    assert judge_document(empty) == "empty text"
    torn = ReadDocument(title="a", text="a\x00b", format="pdf", language="und", pictures=(1,))
    assert judge_document(torn) == "control characters"


@pytest.mark.parametrize(
    ("name", "content", "outcome", "reason"),
    [
        ("page.png", PAGE, "read", "is a picture"),
        ("page.png", PAGE[: len(PAGE) // 2], "refused", "the picture is damaged"),
        ("map.png", make_huge_png(30_000, 30_000), "refused", "too many pixels"),
        ("maps.zip", make_zip({"a/page.png": PAGE, "b.txt": "Ada Byron."}), "read", ""),
        ("cut.zip", make_zip({"page.png": PAGE[: len(PAGE) // 2]}), "refused", "damaged"),
    ],
)
def test_pictures_are_judged_by_whether_they_can_be_drawn(
    readers: Readers, name: str, content: bytes, outcome: str, reason: str
):
    result = read_content(readers, content, name)
    assert result["outcome"] == outcome and reason in str(result["reason"])
    assert result.get("pages", 0) == (1 if outcome == "read" else 0)


def test_all_pages_of_a_long_scan_are_counted(readers: Readers):
    state, name, content = next(iter_many_parts())
    assert (state, name) == ("1,000 pages", "scan.pdf")
    result = read_content(readers, content, name)
    assert (result["outcome"], result["pages"]) == ("read", 1_000)
