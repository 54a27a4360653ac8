"""Tests the words for formats and for the progress of files of several documents."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_app.engine.model import DocumentRow, NewVersion, ScanNumbers
from desktop_app.engine.progress import Progress
from desktop_app.ui.library.words import (
    PausedWork,
    describe_pace,
    describe_state,
    describe_whole_state,
)
from desktop_app.ui.widgets.words import name_format


@pytest.mark.parametrize(
    ("format", "shown"),
    [
        ("xlsx", "Excel"),
        ("pptx", "PowerPoint"),
        ("eml", "E-mail"),
        ("mobi", "Kindle"),
        ("srt", "Subtitles"),
        ("odt", "ODT"),
        ("fb2", "FB2"),
        ("json", "JSON"),
    ],
)
def test_every_format_has_a_word(format: str, shown: str):
    assert name_format(format) == shown


@pytest.mark.parametrize(
    ("file_name", "unit"),
    [
        ("pile.tar.gz", "documents"),
        ("letters.mbox", "documents"),
        ("a.json", "rows"),
        ("a.pdf", "pages"),
        ("a.pptx", "pages"),
    ],
)
def test_the_progress_of_a_file_counts_what_is_in_it(file_name: str, unit: str):
    row = DocumentRow(1, "a", file_name, "txt", "en", "reading")
    progress = Progress("reading", 3, 9, document_id=row.id)
    assert describe_pace(row, progress) == f"3 of 9 {unit}"


INDEXING = DocumentRow(1, "a", "a.txt", "txt", "en", "indexing", n_chunks=10, n_chunks_done=4)
READING = DocumentRow(1, "a", "a.txt", "txt", "en", "reading")
WAITING = DocumentRow(1, "a", "a.txt", "txt", "en", "waiting")
READY = DocumentRow(1, "a", "a.txt", "txt", "en", "ready")


@pytest.mark.parametrize(
    ("row", "running", "paused"),
    [
        (INDEXING, "Indexing", "Paused at 40%"),
        (READING, "Indexing", "Paused"),
        (WAITING, "Waiting", "Waiting"),
        (READY, "Ready", "Ready"),
        (replace(READY, new_version=NewVersion("reading")), "Updating", "Paused"),
        (replace(INDEXING, set_aside=True), "Excluded", "Excluded"),
    ],
)
def test_the_state_of_a_document_says_that_indexing_is_paused(row, running, paused):
    assert describe_state(row).text == running
    assert describe_state(row, PausedWork(pages=True)).text == running
    words = describe_state(row, PausedWork(indexing=True))
    assert words.text == paused and words.share == describe_state(row).share
    if "Paused" in paused:
        assert words.icon == "pause"


def test_a_paused_document_says_what_is_done_and_how_to_go_on():
    assert describe_whole_state(INDEXING, PausedWork(indexing=True)) == (
        "Paused at 40%. 4 of 10 passages are indexed. What is indexed can be used already. "
        "Press “Resume” in the sidebar to go on."
    )
    assert "the queue is paused" in describe_whole_state(WAITING, PausedWork(indexing=True))


def test_pages_that_are_pictures_have_a_pause_of_their_own():
    row = replace(READY, scans=ScanNumbers(n_waiting=6, n_read=2))
    assert describe_state(row).text == "Recognising text"
    assert describe_state(row, PausedWork(pages=True)).text == "Paused at 25%"
    assert describe_state(row, PausedWork(indexing=True)).text == "Recognising text"
