"""Pages are read in a child process with limits: none of them ends or fills the program."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.engine.child_process import find_peak_bytes
from desktop_app.engine.errors import Cancelled, PasswordNeeded, UserError
from desktop_app.engine.scanned_pages import build_text
from desktop_app.engine.text.ocr.ocr_process import LIMITS, PictureReader
from desktop_app.engine.text.page_renderer import PageFailure
from tests.encrypted_pdf import make_encrypted_pdf
from tests.scanned import ENGLISH_LINES, draw_page, make_scan, save

PAGE = draw_page(ENGLISH_LINES)


@pytest.fixture(scope="module", autouse=True)
def page_children_are_kept() -> None:
    """Start a child for each reader: here, its start, its limits and its end are tested."""


@pytest.fixture(scope="module")
def reader() -> Iterator[PictureReader]:
    made = PictureReader()
    yield made
    made.close()


def test_pages_of_a_scan_and_of_a_picture_are_read(reader: PictureReader):
    document = reader.open(make_scan([draw_page(["nothing"]), PAGE]))
    assert build_text(reader.read_lines(document, 1).lines).split("\n") == list(ENGLISH_LINES)
    picture = reader.open(save(PAGE, "JPEG", quality=80))
    page = reader.read_lines(picture, 0)
    assert build_text(page.lines).split("\n") == list(ENGLISH_LINES)
    assert page.engine
    assert reader.child_pid is not None
    assert find_peak_bytes(reader.child_pid) < LIMITS.memory_bytes


def test_a_huge_page_is_read_in_limits(reader: PictureReader):
    huge = draw_page(["A long strip of paper"], size=(1200, 200)).resize((9000, 1500))
    page = reader.read_lines(reader.open(save(huge, "JPEG")), 0, max_pixels=400_000)
    assert build_text(page.lines) == "A long strip of paper"


@pytest.mark.skipif(sys.platform != "linux", reason="memory of a process is known on Linux")
@pytest.mark.slow
def test_memory_of_lines_is_given_back_after_each_page():
    """Pages of two lines filled 450 MB after a hundred, and a full one left 860 MB."""
    reader = PictureReader()
    try:
        for n_words in (3, 5, 2, 6, 4, 7):
            lines = [" ".join(line.split()[:n_words]) for line in ENGLISH_LINES[:2]]
            reader.read_lines(reader.open(save(draw_page(lines, size=(1000, 200)))), 0)
        reader.open(save(draw_page([], size=(60, 40))))  # the answer came before the memory went
        pid = reader.child_pid
        assert pid is not None
        n_pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        assert n_pages * os.sysconf("SC_PAGE_SIZE") < 0.85 * find_peak_bytes(pid)
    finally:
        reader.close()


def test_a_broken_picture_is_a_failure_of_its_page_alone(reader: PictureReader):
    content = save(PAGE, "PNG")
    with pytest.raises(UserError, match="damaged"):
        reader.read_lines(reader.open(content[: len(content) // 2]), 0)
    assert reader.read_lines(reader.open(content), 0).lines


def test_what_is_no_document_is_refused(reader: PictureReader):
    with pytest.raises(UserError):
        reader.open(b"no document")


def test_a_page_that_needs_too_much_memory_is_a_failure():
    reader = PictureReader(replace(LIMITS, memory_bytes=330_000_000))
    try:
        document = reader.open(save(draw_page(ENGLISH_LINES * 8, size=(1500, 2400))))
        for is_final in (False, True):
            with pytest.raises(PageFailure) as caught:
                reader.read_lines(document, 0)
            assert caught.value.is_final == is_final
            assert "memory" in caught.value.message or "crashed" in caught.value.message
    finally:
        reader.close()


def test_closing_the_document_ends_the_reading_of_a_page(reader: PictureReader):
    document = reader.open(save(draw_page(ENGLISH_LINES * 8, size=(1500, 2400))))
    timer = threading.Timer(0.2, document.close)
    timer.start()
    with pytest.raises(Cancelled):
        reader.read_lines(document, 0)
    timer.join()


def test_an_encrypted_scan_needs_its_password(reader: PictureReader):
    with pytest.raises(PasswordNeeded):
        reader.open(make_encrypted_pdf("secret", "open sesame"))
