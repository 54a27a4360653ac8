"""The process that draws covers: `python -m desktop_app.workers.cover_child`.

Started by `cover_reader`, restricted as every process that parses what comes from elsewhere
(`engine/text/parser_child.py`). Gets the bytes of one document and answers with the pixels of its
cover: the first page of a PDF without its white margins, the cover picture of an EPUB or a Word
document. Qt decodes pictures, which is why this module is not in the engine.
"""

from __future__ import annotations

import sys
from typing import IO, Any

import numpy as np
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRect, QSize, Qt
from PySide6.QtGui import QImage, QImageReader, QImageWriter, QPainter

from desktop_app.engine.child_protocol import write_frame, write_raw
from desktop_app.engine.child_sandbox import limit_processor_time
from desktop_app.engine.model import DRAWN_FORMATS
from desktop_app.engine.text.document_pages import open_pages
from desktop_app.engine.text.parser_child import read_request_bytes, serve
from desktop_app.engine.text.readers.covers import find_docx_cover, find_epub_cover

MAX_PIXELS = 40_000_000  # of a picture: a larger one is refused before anything of it is decoded
MAX_SIDE = 20_000
MAX_RATIO = 3.0  # of the sides: what is longer is a banner or a strip, not a cover

# The part of a printed first page that is shown: shares of the width or height of the page.
MAX_ZOOM = 1.6  # more, and a page of a few words would look like a poster
PAPER = 235  # the least brightness of white paper; scans have 240 and more
EDGE = 0.01  # along the sides, where a page with margins has nothing
MARGIN = 0.035  # kept around what is printed
NARROW, OUTER = 0.05, 0.14  # a stamp or line numbers: so narrow, and so near to a side
LOW, SHORT, LAST = 0.03, 0.14, 0.12  # a page number: height, width, distance from the edge
GAP = 0.012  # parts closer to each other are one
_FORMATS = (
    (b"\xff\xd8\xff", b"jpeg"),
    (b"\x89PNG\r\n\x1a\n", b"png"),
    (b"GIF8", b"gif"),
    (b"RIFF", b"webp"),
)


def draw_cover(content: bytes, kind: str, box: tuple[int, int]) -> QImage | None:
    """Return the cover of a document, as large as fits in a box of pixels; None if it has none.

    Args:
        kind: "pdf", a format of pictures, "epub" or "docx".

    Raises:
        UserError: the file is damaged or encrypted.
    """
    if kind in DRAWN_FORMATS:
        image = _draw_first_page(content, box)
    else:
        found = find_epub_cover(content) if kind == "epub" else find_docx_cover(content)
        image = decode_picture(found, box) if found else None
    return None if image is None or _is_uniform(image) else image


def _draw_first_page(content: bytes, box: tuple[int, int]) -> QImage | None:
    pages = open_pages(content)
    try:
        if not pages.sizes:
            return None
        size = pages.sizes[0]
        if not _is_cover_shaped(*size):
            return None
        # drawn larger and scaled down: letters of a few pixels are even
        scale = 2 * MAX_ZOOM * min(box[0] / size[0], box[1] / size[1])
        page = pages.render(0, scale)
    finally:
        pages.close()
    image = QImage(
        bytes(page.pixels), page.width, page.height, page.stride, QImage.Format.Format_RGB32
    )
    pixels = _to_array(image, 4)
    part = find_printed_part(pixels, box[0] / box[1])
    columns = find_printed_columns(pixels)
    if part is None or columns is None:
        return _fit(image, box)
    cut = QImage(part.size(), QImage.Format.Format_RGB32)
    cut.fill(Qt.GlobalColor.white)  # the part may reach beyond the page
    painter = QPainter(cut)
    # only what is printed: a part of a stamp beside it would look like a fault
    left, right = columns
    printed = QRect(left, 0, right - left, image.height())
    painter.drawImage(printed.topLeft() - part.topLeft(), image, printed)
    painter.end()
    return _fit(cut.scaled(QSize(*box), mode=Qt.TransformationMode.SmoothTransformation), box)


def find_printed_columns(pixels: np.ndarray) -> tuple[int, int] | None:
    """Return the first column of what is printed on a page and the one after its last.

    None for a page without white margins, and for an empty one; see `find_printed_part`.
    """
    height, width = pixels.shape[:2]
    ink = pixels[..., :3].min(axis=2) < PAPER
    edge = max(1, round(EDGE * min(width, height)))
    if ink[:edge].any() or ink[-edge:].any() or ink[:, :edge].any() or ink[:, -edge:].any():
        return None
    columns = _find_runs(ink.any(axis=0), GAP * width)
    while len(columns) > 1 and _is_stamp(columns[0], width):
        del columns[0]
    while len(columns) > 1 and _is_stamp((width - columns[-1][1], width - columns[-1][0]), width):
        del columns[-1]
    if not columns:
        return None
    return columns[0][0], columns[-1][1]


def find_printed_part(pixels: np.ndarray, ratio: float) -> QRect | None:
    """Return the part of a page with white margins that a cover shows, in pixels.

    It is as wide as what is printed, has the shape of the cover, and begins at the top: title,
    authors and abstract stay where not all has room. A vertical stamp, numbers of lines and a page
    number are not counted as printed, so that their margin goes too.

    Args:
        pixels: shape (height, width, 4).
        ratio: width by height of the cover.

    Returns:
        None for a page without white margins (scanned, or a picture), and for an empty one.
    """
    height, width = pixels.shape[:2]
    columns = find_printed_columns(pixels)
    if columns is None:
        return None
    left, right = columns
    ink = pixels[:, left:right, :3].min(axis=2) < PAPER
    rows = _find_runs(ink.any(axis=1), GAP * height)
    while len(rows) > 1 and rows[-1][0] > (1 - LAST) * height and _is_number(ink, rows[-1], width):
        del rows[-1]
    while len(rows) > 1 and rows[0][1] < LAST * height and _is_number(ink, rows[0], width):
        del rows[0]
    top, bottom = rows[0][0], rows[-1][1]

    margin = MARGIN * width
    shown_width = max(right - left + 2 * margin, width / MAX_ZOOM)
    shown_height = shown_width / ratio
    start = _center_within((left + right) / 2, shown_width, width)
    is_whole = bottom - top + 2 * margin <= shown_height
    above = _center_within((top + bottom) / 2, shown_height, height) if is_whole else top - margin
    return QRect(round(start), round(above), round(shown_width), round(shown_height))


def _find_runs(marked: np.ndarray, gap: float) -> list[tuple[int, int]]:
    """Return (start, end) of what is marked, joined where no more than a gap is between."""
    places = np.flatnonzero(marked)
    if not len(places):
        return []
    breaks = np.flatnonzero(np.diff(places) > max(1, gap))
    starts = places[np.concatenate([[0], breaks + 1])]
    ends = places[np.concatenate([breaks, [len(places) - 1]])] + 1
    return [(int(start), int(end)) for start, end in zip(starts, ends, strict=True)]


def _is_stamp(run: tuple[int, int], width: int) -> bool:
    """Return whether columns, counted from a side, are a narrow mark near to it."""
    return run[1] - run[0] < NARROW * width and run[1] < OUTER * width


def _is_number(ink: np.ndarray, rows: tuple[int, int], width: int) -> bool:
    """Return whether rows hold one low and short mark, as a page number."""
    [*_, last] = places = np.flatnonzero(ink[slice(*rows)].any(axis=0))
    return rows[1] - rows[0] < LOW * len(ink) and last - places[0] < SHORT * width


def _center_within(middle: float, length: float, room: float) -> float:
    """Return where a length around a middle starts, moved into the room if it is shorter."""
    start = middle - length / 2
    return min(max(0.0, start), room - length) if length <= room else start


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
    content = read_request_bytes(requests, request["size"])
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
