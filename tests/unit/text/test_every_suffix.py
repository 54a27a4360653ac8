"""A real, a broken and a misnamed file of every name that is read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.bad_files import judge_text
from benchmarks.format_files import FILES_OF_SUFFIXES, iter_damaged, make_pdf
from desktop_app.engine.errors import UserError
from desktop_app.engine.model import PICTURE_FORMATS, ReadDocument
from desktop_app.engine.text.file_kinds import (
    SUPPORTED_SUFFIXES,
    ZIPPED_SUFFIXES,
    find_file_kind,
)
from desktop_app.engine.text.picture_pages import PicturePages
from desktop_app.engine.text.readers.archives import Unreadable
from desktop_app.engine.text.reading import read_bytes
from tests.scanned import ENGLISH_LINES, draw_page, save

HEIC = (Path(__file__).parents[2] / "data" / "photograph.heic").read_bytes()
PAGE = draw_page(ENGLISH_LINES)
PICTURES: dict[str, Callable[[], bytes]] = {
    ".png": lambda: save(PAGE, "PNG"),
    **dict.fromkeys((".jpg", ".jpeg"), lambda: save(PAGE, "JPEG")),
    **dict.fromkeys((".tif", ".tiff"), lambda: save(PAGE, "TIFF")),
    **{".webp": lambda: save(PAGE, "WEBP"), ".gif": lambda: save(PAGE, "GIF")},
    **{".avif": lambda: save(PAGE, "AVIF"), ".bmp": lambda: save(PAGE, "BMP")},
    **dict.fromkeys((".heic", ".heif"), lambda: HEIC),
    ".jp2": lambda: save(PAGE, "JPEG2000"),
    ".j2k": lambda: save(PAGE, "JPEG2000", no_jp2=True),
}
PDF = make_pdf()
# Whose content has a form that prose has not: what has none of it is damaged, or not what it says.
NEVER_PROSE = {
    *ZIPPED_SUFFIXES,
    *(".pdf", ".fb2", ".mobi", ".azw3", ".azw", ".prc", ".rtf", ".mht", ".mhtml"),
    *(".json", ".jsonl", ".ndjson", ".eml", ".msg", ".mbox", ".srt", ".vtt", ".zip", ".7z"),
}
FILES = {**FILES_OF_SUFFIXES, **PICTURES}


def read_or_refuse(content: bytes, name: str) -> list[ReadDocument] | None:
    """Return the documents, None for a refusal, which has the name, a reason and advice."""
    try:
        return read_bytes(content, name)
    except UserError as error:
        assert f"“{name}”" in error.message and error.hint
        return None


def test_each_suffix_has_a_file():
    assert FILES.keys() == set(SUPPORTED_SUFFIXES)


@pytest.mark.parametrize("suffix", SUPPORTED_SUFFIXES)
def test_a_real_a_broken_and_a_misnamed_file_of_each_suffix(suffix: str):
    content, name = FILES[suffix](), f"mill{suffix}"
    kind = find_file_kind(name)
    assert kind is not None and suffix in kind.suffixes

    found = read_bytes(content, name)
    if kind.name == "picture":
        assert (found[0].format in PICTURE_FORMATS, found[0].pictures) == (True, (0,))
    else:
        assert judge_text(found[0].text) == "" and found[0].pictures == ()
        assert any(word in found[0].text for word in ("Clara Wren", "Harwich", "France", "潮水"))

    results = [read_or_refuse(damaged, name) for _, damaged in iter_damaged(content)]
    assert None in results  # at least what is cut within its head
    for documents in filter(None, results):
        texts = [one.text for one in documents if not one.pictures]
        assert not [problem for text in texts if (problem := judge_text(text))]

    [other] = read_bytes(PDF if suffix != ".pdf" else save(PAGE), name)
    assert other.format == ("pdf" if suffix != ".pdf" else "png")
    prose = read_or_refuse(b"Dear Bob, the gauge of Harwich is broken.\n" * 3, name)
    assert (prose is None) == (suffix in NEVER_PROSE)
    assert prose is None or "gauge of Harwich" in prose[0].text


@pytest.mark.parametrize("suffix", PICTURES)
def test_the_pixels_of_a_broken_picture_are_refused_or_drawn(suffix: str):
    content = FILES[suffix]()
    for share in (0.3, 0.6, 0.9):
        try:
            pages = PicturePages(content[: int(len(content) * share)])
        except Unreadable as error:
            assert error.hint
            continue
        with pytest.raises(Unreadable, match=r"damaged|cut off"):
            pages.read_pixels(0, 10**6)
        pages.close()
