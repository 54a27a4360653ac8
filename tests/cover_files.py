"""Pictures and documents with covers, for tests of what is drawn of them."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QColor, QImage, QImageWriter

from benchmarks.attack_files import make_zip
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.library import Library
from desktop_app.engine.store.document_metadata import REFERENCE_RULES

RED, GREEN = (200, 30, 30), (20, 160, 60)
TITLE_PAGE = "<html><body><h1>The Ferry</h1><p>The ferry leaves at dawn.</p></body></html>"


def make_png(width: int, height: int, color: tuple[int, int, int]) -> bytes:
    """Return a PNG of one colour with a white upper edge, made row by row."""
    white = b"\0" + b"\xff\xff\xff" * width
    row = b"\0" + bytes(color) * width
    packer = zlib.compressobj(9)
    data = packer.compress(white)
    for _ in range(height - 1):
        data += packer.compress(row)
    data += packer.flush()
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", data), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content)) + kind + content
        + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in parts
    )  # fmt: skip


def make_picture(
    format: bytes, color: tuple[int, int, int], size: tuple[int, int] = (300, 400)
) -> bytes:
    """Return a picture of one colour with a white corner in a format of Qt."""
    image = QImage(*size, QImage.Format.Format_RGB32)
    image.fill(QColor(*color))
    for x in range(20):
        for y in range(20):
            image.setPixelColor(x, y, QColor("white"))
    return write_image(image, format)


def write_image(image: QImage, format: bytes) -> bytes:
    """Return an image in a format of Qt."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(format)).write(image)
    return bytes(buffer.data().data())


def make_book(
    items: str, parts: list[tuple[str, bytes]], *, meta: str = "", guide: str = ""
) -> bytes:
    """Return an EPUB with one chapter.

    Args:
        items: elements of the manifest.
        parts: path in the archive and content of the files besides the chapter.
        meta: elements of the metadata.
        guide: elements of the guide.
    """
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The Ferry</dc:title>'
        f"<dc:creator>Ada Voss</dc:creator>{meta}</metadata><manifest>"
        f'<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>{items}</manifest>'
        f'<spine><itemref idref="a"/></spine><guide>{guide}</guide></package>'
    )
    container = (
        '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
    )
    return make_zip(
        [
            ("mimetype", b"application/epub+zip"),
            ("META-INF/container.xml", container.encode()),
            ("OEBPS/book.opf", package.encode()),
            ("OEBPS/a.xhtml", TITLE_PAGE.encode()),
            *parts,
        ]
    )


def make_covered_book(picture: bytes) -> bytes:
    """Return an EPUB whose cover is a picture."""
    item = '<item id="c" href="c.img" media-type="image/png" properties="cover-image"/>'
    return make_book(item, [("OEBPS/c.img", picture)])


def make_word_file(picture: bytes, *, height_cm: float, before: str = "") -> bytes:
    """Return a Word document that begins with a picture, or with a text before it."""
    extent = f'<wp:extent cx="5400000" cy="{int(360_000 * height_cm)}"/>'
    body = (
        f"<w:p><w:r><w:t>{before}</w:t></w:r></w:p><w:p><w:r><w:drawing><wp:inline>{extent}"
        '<a:blip r:embed="rId7"/></wp:inline></w:drawing></w:r></w:p>'
        "<w:p><w:r><w:t>The ferry leaves at dawn.</w:t></w:r></w:p>"
        '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>'
    )
    spaces = (
        'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
        ' xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"'
        ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
        ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    )
    relations = '<Relationships><Relationship Id="rId7" Target="media/c.png"/></Relationships>'
    return make_zip(
        [
            ("word/document.xml", f"<w:document {spaces}><w:body>{body}</w:body></w:document>"
             .encode()),
            ("word/_rels/document.xml.rels", relations.encode()),
            ("word/media/c.png", picture),
        ]
    )  # fmt: skip


def add_as_read(
    library: Library, folder: Path, name: str, content: bytes, *, rules: int = REFERENCE_RULES
) -> int:
    """Add a file as if it had been indexed, which takes seconds."""
    path = folder / name
    path.write_bytes(content)
    [made] = add_files(library.writer, [path]).documents
    with library.writer.transaction():
        library.writer.write(
            "UPDATE document SET state = 'ready', format = ?, reference_rules = ? WHERE id = ?",
            (path.suffix[1:], rules, made),
        )
        library.writer.write("DELETE FROM job")
    return int(made)
