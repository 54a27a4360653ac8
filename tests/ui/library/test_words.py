"""Tests the words for formats and for the progress of files of several documents."""

from __future__ import annotations

import pytest

from desktop_app.engine.model import DocumentRow
from desktop_app.engine.progress import Progress
from desktop_app.ui.library.words import describe_pace, name_format


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
