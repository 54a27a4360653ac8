"""Pictures that a browser saved beside a page become parts of the page."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from desktop_app.engine.text import saved_pages
from desktop_app.engine.text.document_pages import open_pages
from desktop_app.engine.text.figure_pages import FigureFile, draw_pixels
from desktop_app.engine.text.reading import read_bytes
from desktop_app.engine.text.saved_pages import embed_pictures
from tests.figure_files import draw_picture

PICTURE = draw_picture()


def make_page(folder: Path, *sources: str, pictures: str = "page_files", encoding="utf-8") -> Path:
    """Return a page with pictures that has one in a folder beside it."""
    (folder / pictures).mkdir(parents=True)
    (folder / pictures / "a map.png").write_bytes(PICTURE)
    tags = "".join(f"<p>Before.</p><img alt='A map' src={source}>" for source in sources)
    page = folder / "page.html"
    page.write_bytes(f"<html><body>{tags}<p>Figure 2. The bay</p></body></html>".encode(encoding))
    return page


@pytest.mark.parametrize(
    ("folder", "source"),
    [
        ("page_files", '"page_files/a%20map.png"'),
        ("page_files", "'./page_files/a map.png?width=300'"),
        ("page.files", '"page.files\\a map.png"'),
        ("images", "images/a%20map.png"),
        ("潮水_files", '"潮水_files/a map.png"'),
    ],
)
def test_a_picture_beside_a_page_is_a_figure_of_it(tmp_path: Path, folder: str, source: str):
    for encoding in ("utf-8", "gb18030"):
        page = make_page(tmp_path / encoding, source, pictures=folder, encoding=encoding)
        content = embed_pictures(page.read_bytes(), page)
        [document] = read_bytes(content, page.name)
        [figure] = document.figures
        assert document.text[figure.start : figure.end] == "Figure 2. The bay"
        assert (figure.alt, figure.width, figure.height) == ("A map", 200, 150)
        pages = open_pages(content)
        assert isinstance(pages, FigureFile)
        assert draw_pixels(pages.open_picture(figure.path), 60).std() > 10
        pages.close()


def test_only_pictures_in_the_folder_of_the_page_are_read(tmp_path: Path):
    (tmp_path / "outside.png").write_bytes(PICTURE)
    page = make_page(
        tmp_path / "site",
        *('"../outside.png"', f'"{tmp_path}/outside.png"', '"page_files/%2e%2e/../../outside.png"'),
        *(f'"file://{tmp_path}/outside.png"', '"link.png"', '"note.png"', '"page_files"', '"x\0y"'),
        *('"http://a.example/a.png"', '"//a.example/a.png"', '"gone.png"', '""'),
    )
    os.symlink(tmp_path / "outside.png", page.parent / "link.png")
    (page.parent / "note.png").write_bytes(b"no picture")
    content = page.read_bytes()
    assert embed_pictures(content, page) == content


def test_pictures_above_the_limit_stay_references(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(saved_pages, "MAX_EMBEDDED_BYTES", len(PICTURE) + 10)
    page = make_page(tmp_path, '"page_files/a map.png"', '"page_files/a map.png"')
    content = embed_pictures(page.read_bytes(), page)
    assert content.count(b"data:image/png") == content.count(b"page_files/") == 1


def test_a_page_without_pictures_beside_it_keeps_its_bytes(tmp_path: Path):
    page = tmp_path / "page.html"
    content = b"\xff\xfe<img src='a.png'><img src=>" + b"<img " * 50_000
    assert embed_pictures(content, page) == content
