"""The process that draws covers: `python -m desktop_app.workers.cover_child`.

Started by `cover_reader`, restricted as every process that parses what comes from elsewhere
(`engine/text/parser_child.py`). Gets the bytes of one document and answers with the pixels of its
cover: the first page of a PDF, the cover picture of an EPUB or a Word document. Qt decodes
pictures, which is why this module is not in the engine.
"""

from __future__ import annotations

import sys
from typing import IO, Any

import numpy as np
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageReader, QImageWriter

from desktop_app.engine.child_protocol import write_frame, write_raw
from desktop_app.engine.child_sandbox import limit_processor_time
from desktop_app.engine.text.parser_child import read_content, serve
from desktop_app.engine.text.pdf_pages import PdfPages
from desktop_app.engine.text.readers.covers import find_docx_cover, find_epub_cover

MAX_PIXELS = 40_000_000  # of a picture: a larger one is refused before anything of it is decoded
MAX_SIDE = 20_000
MAX_RATIO = 3.0  # of the sides: what is longer is a banner or a strip, not a cover
_FORMATS = (
    (b"\xff\xd8\xff", b"jpeg"),
    (b"\x89PNG\r\n\x1a\n", b"png"),
    (b"GIF8", b"gif"),
    (b"RIFF", b"webp"),
)


def draw_cover(content: bytes, kind: str, box: tuple[int, int]) -> QImage | None:
    """Return the cover of a document, as large as fits in a box of pixels; None if it has none.

    Args:
        kind: "pdf", "epub" or "docx".

    Raises:
        UserError: the file is damaged or encrypted.
    """
    if kind == "pdf":
        image = _draw_first_page(content, box)
    else:
        found = find_epub_cover(content) if kind == "epub" else find_docx_cover(content)
        image = decode_picture(found, box) if found else None
    return None if image is None or _is_uniform(image) else image


def _draw_first_page(content: bytes, box: tuple[int, int]) -> QImage | None:
    pages = PdfPages(content)
    try:
        if not pages.sizes:
            return None
        size = pages.sizes[0]
        if not _is_cover_shaped(*size):
            return None
        # drawn larger and scaled down: letters of a few pixels are even
        scale = 2 * min(box[0] / size[0], box[1] / size[1])
        page = pages.render(0, scale)
    finally:
        pages.close()
    image = QImage(
        bytes(page.pixels), page.width, page.height, page.stride, QImage.Format.Format_RGB32
    )
    return _fit(image, box)


def decode_picture(content: bytes, box: tuple[int, int]) -> QImage | None:
    """Return a picture scaled into a box; None if it is damaged, too large or of another format."""
    format = next((name for head, name in _FORMATS if content.startswith(head)), None)
    if format is None or (format == b"jpeg" and not _is_complete_jpeg(content)):
        return None
    buffer = QBuffer()
    buffer.setData(QByteArray(content))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(format))
    reader.setAutoDetectImageFormat(False)
    reader.setAutoTransform(True)
    size = reader.size()
    width, height = size.width(), size.height()
    if not size.isValid() or max(width, height) > MAX_SIDE or width * height > MAX_PIXELS:
        return None
    if not _is_cover_shaped(width, height):
        return None
    if format == b"jpeg":  # decodes no more than it needs for this size
        larger = QSize(2 * box[0], 2 * box[1])
        if width > larger.width() and height > larger.height():
            reader.setScaledSize(size.scaled(larger, Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    return None if image.isNull() else _fit(image, box)


def _is_complete_jpeg(content: bytes) -> bool:
    """Return whether the last scan has an end; a file that was cut off has none."""
    return content.find(b"\xff\xd9", content.rfind(b"\xff\xda")) >= 0


def _is_cover_shaped(width: float, height: float) -> bool:
    return min(width, height) >= 1 and max(width, height) <= MAX_RATIO * min(width, height)


def _fit(image: QImage, box: tuple[int, int]) -> QImage:
    """Return an image as large as fits in a box, on white where it is transparent."""
    size = image.size()
    if size.width() > box[0] or size.height() > box[1]:
        image = image.scaled(
            QSize(*box),
            Qt.AspectRatioMode.KeepAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
    if not image.hasAlphaChannel():
        return image.convertToFormat(QImage.Format.Format_RGB888)
    pixels = _to_array(image.convertToFormat(QImage.Format.Format_RGBA8888), 4).astype(np.uint16)
    alpha = pixels[..., 3:]
    flat = ((pixels[..., :3] * alpha + 255 * (255 - alpha)) // 255).astype(np.uint8)
    height, width = flat.shape[:2]
    return QImage(flat.tobytes(), width, height, 3 * width, QImage.Format.Format_RGB888).copy()


def _to_array(image: QImage, n_channels: int) -> np.ndarray:
    """Return the pixels of an image, shape (height, width, n_channels)."""
    rows = np.frombuffer(image.constBits(), dtype=np.uint8)
    rows = rows.reshape(image.height(), image.bytesPerLine())
    return rows[:, : n_channels * image.width()].reshape(image.height(), image.width(), n_channels)


def _is_uniform(image: QImage) -> bool:
    """Return whether an image has one colour only, as an empty first page."""
    pixels = _to_array(image, 3)
    return bool((pixels == pixels[0, 0]).all())


def answer_request(requests: IO[bytes], answers: IO[bytes], request: dict[str, Any]) -> None:
    """Draw the cover of one document; a refusal is sent by `parser_child`."""
    write_frame(answers, [{"begun": True}])
    limit_processor_time(request["processor_s"])
    content = read_content(requests, request["size"])
    image = draw_cover(content, request["kind"], (request["width"], request["height"]))
    if image is None:
        write_frame(answers, [{"none": True}])
        return
    write_frame(answers, [{"cover": [image.width(), image.height()]}])
    write_raw(answers, _to_array(image, 3).tobytes())


def prepare() -> None:
    """Load what decoding needs, before files can no longer be read."""
    import pypdfium2

    pypdfium2.PdfDocument.new().close()
    QImageReader.supportedImageFormats()  # finds the plugins
    image = QImage(8, 8, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.darkGray)
    for format in (b"jpeg", b"png", b"webp"):
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        QImageWriter(buffer, QByteArray(format)).write(image)
        decode_picture(bytes(buffer.data().data()), (4, 4))


def main() -> int:
    """Answer requests until stdin is closed."""
    return serve(prepare, answer_request)


if __name__ == "__main__":
    sys.exit(main())
