"""An open picture document: page sizes and rendered pages, as `PdfPages` has them.

Decodes PNG, JPEG, TIFF (each of its pages), WebP, AVIF, BMP, JPEG 2000 and the first frame of GIF
with Pillow, and HEIC, the format of photographs of many telephones, with pi-heif; in a child
process only. A picture is decoded once while its page is shown; a large one is kept smaller.
"""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from .pdf_pages import PageLetters, PagePicture, darken, limit_part, limit_scale
from .pdf_positions import Box
from .readers.archives import MAX_PAGES, Unreadable

FORMATS = {
    "PNG": "png",
    "JPEG": "jpeg",
    "MPO": "jpeg",
    "TIFF": "tiff",
    "WEBP": "webp",
    "GIF": "gif",
    "HEIF": "heic",
    "AVIF": "avif",
    "BMP": "bmp",
    "JPEG2000": "jp2",
}
OPENED_FORMATS = tuple(name for name in FORMATS if name != "MPO")  # the reader of JPEG opens it
MAX_DECODED_BYTES = 600_000_000  # of one picture while it is decoded
MAX_KEPT_PIXELS = 30_000_000  # of the picture that is kept
# Pixels of the shorter side: a sheet has 500 at 60 dpi, where a letter of 10 points is 5 pixels
# high and the networks read nothing any more; marks of senders and buttons have up to 300.
MIN_SIDE = 500
_SHEET = 842.0  # points of the long side of a picture that does not say how large it is: A4
_ROUNDED = 0.02  # PNG counts pixels by the metre
_MIN_DPI, _MAX_DPI = 100.0, 2400.0
_ORIENTATION = 0x0112
_SIDEWAYS = (5, 6, 7, 8)  # values of the orientation with which width and height change places
_BYTES = {"1": 1, "L": 1, "P": 1, "I;16": 2, "I": 4, "F": 4, "LA": 2, "PA": 2}  # others have 4
_FRAMES = ("tiff",)  # formats whose frames are pages; those of others are an animation


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn what Pillow raises for a broken or an enormous picture into a refusal."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except Image.DecompressionBombError as error:
        raise _too_large() from error
    except (Unreadable, MemoryError):
        raise
    except Exception as error:  # its decoders raise exceptions of every kind
        raise Unreadable(
            "the picture is damaged.", "Open it in its program and save it again."
        ) from error


def _too_large() -> Unreadable:
    return Unreadable("its picture has too many pixels.", "Save it smaller, then add that.")


def is_as_large_as_a_page(content: bytes) -> bool:
    """Return whether a picture has enough pixels to be a page that can be read.

    Signatures and icons of letters and web pages are smaller. A damaged picture counts as a page,
    so that opening it says what is wrong with it.
    """
    from PIL import Image

    prepare_pictures()
    Image.MAX_IMAGE_PIXELS = None
    try:
        with _refusing(), Image.open(io.BytesIO(content), formats=OPENED_FORMATS) as image:
            return min(image.size) >= MIN_SIDE
    except Unreadable:
        return True


def prepare_pictures() -> None:
    """Import what decodes pictures, before files can no longer be read."""
    from pi_heif import register_heif_opener
    from PIL import (  # noqa: F401
        AvifImagePlugin,
        BmpImagePlugin,
        GifImagePlugin,
        Image,
        ImageOps,
        Jpeg2KImagePlugin,
        JpegImagePlugin,
        MpoImagePlugin,
        PngImagePlugin,
        TiffImagePlugin,
        WebPImagePlugin,
    )

    register_heif_opener()


class PicturePages:
    """One open picture document; call its methods in one thread at a time.

    Attributes:
        sizes: width and height of each page in points.

    Raises:
        Unreadable: it is damaged, or too large.
    """

    def __init__(self, content: bytes, *, max_decoded_bytes: int = MAX_DECODED_BYTES) -> None:
        from PIL import Image

        prepare_pictures()
        self._max_bytes = max_decoded_bytes
        # Sizes are checked here before anything is decoded.
        Image.MAX_IMAGE_PIXELS = None
        with _refusing():
            self._image: Any = Image.open(io.BytesIO(content), formats=OPENED_FORMATS)
            self.format = FORMATS[str(self._image.format)]
            self._first = self._image.tell()  # the main one of several pictures in a HEIC file
            n_frames = getattr(self._image, "n_frames", 1) if self.format in _FRAMES else 1
        if n_frames > MAX_PAGES:
            raise Unreadable(
                "it has {n:,} pages.",
                "Split it into files of at most {most:,} pages.",
                n=n_frames,
                most=MAX_PAGES,
            )
        self.sizes: list[tuple[float, float]] = []
        for index in range(n_frames):
            with _refusing():
                self._image.seek(self._first + index)
                width, height = self._image.size
                if self._find_orientation() in _SIDEWAYS:
                    width, height = height, width
                dpi = self._find_dpi(width, height)
            self.sizes.append((72 * width / dpi, 72 * height / dpi))
        self._kept: tuple[int, Any] | None = None

    def close(self) -> None:
        self._kept = None
        self._image.close()

    def _find_orientation(self) -> int:
        """Return how the camera was turned; a PNG would have to be decoded for that."""
        if self.format == "png":
            return 1
        return int(self._image.getexif().get(_ORIENTATION, 1))

    def _find_dpi(self, width: int, height: int) -> float:
        """Return pixels per inch, from the size of a sheet if the file says none that can be."""
        given = self._image.info.get("dpi")
        dpi = float(given[0]) if isinstance(given, tuple) and given else 0.0
        if _MIN_DPI <= dpi <= _MAX_DPI:
            return round(dpi) if abs(dpi - round(dpi)) < _ROUNDED else dpi
        return max(1.0, 72 * max(width, height) / _SHEET)

    def _load(self, index: int) -> Any:
        """Return the decoded picture of a page in red, green and blue, upright."""
        from PIL import Image, ImageOps

        if self._kept is not None and self._kept[0] == index:
            return self._kept[1]
        self._kept = None
        with _refusing():
            image = self._image
            image.seek(self._first + index)
            width, height = image.size
            if self.format == "jpeg":  # decodes to a half, a quarter or an eighth
                share = math.sqrt(width * height / MAX_KEPT_PIXELS)
                if share > 1:
                    image.draft("RGB", (int(width / share), int(height / share)))
                    width, height = image.size
            if width * height * _BYTES.get(image.mode, 4) > self._max_bytes:
                raise _too_large()
            image.load()
            made = image
            share = math.sqrt(width * height / MAX_KEPT_PIXELS)
            if share > 1:
                made = (
                    image.reduce(math.ceil(share))
                    if image.mode not in ("P", "1")
                    else (image.convert("L").reduce(math.ceil(share)))
                )
            made = _on_white(made)
            orientation = self._find_orientation()
            if orientation != 1:
                made.info.pop("exif", None)
                made.getexif()[_ORIENTATION] = orientation
                made = ImageOps.exif_transpose(made)
            if made is image:
                made = image.copy()
            if not isinstance(made, Image.Image):
                raise Unreadable("the picture is damaged.")
        self._kept = index, made
        return made

    def read_pixels(self, index: int, most: int) -> np.ndarray:
        """Return a page's picture, red, green and blue, with at most so many pixels."""
        image = self._load(index)
        share = math.sqrt(image.width * image.height / most)
        if share > 1:
            size = max(1, int(image.width / share)), max(1, int(image.height / share))
            image = image.resize(size)
        return np.array(image)

    def render(self, index: int, scale: float, *, dark: bool = False) -> PagePicture:
        """Return a page at `scale` pixels per point, fewer where it would be too large."""
        own = limit_scale(self.sizes[index], scale)
        width, height = (math.ceil(side * own) for side in self.sizes[index])
        return self._draw(index, scale, (width, height), (0, 0, width, height), dark=dark)

    def render_part(
        self, index: int, scale: float, part: tuple[int, int, int, int], *, dark: bool = False
    ) -> PagePicture:
        """Return the part (left, top, right, bottom in pixels) of a page at `scale`."""
        width, height = (math.ceil(side * scale) for side in self.sizes[index])
        cut = limit_part(self.sizes[index], scale, part)
        return self._draw(index, scale, (width, height), cut, dark=dark)

    def _draw(
        self,
        index: int,
        scale: float,
        size: tuple[int, int],
        part: tuple[int, int, int, int],
        *,
        dark: bool,
    ) -> PagePicture:
        from PIL import Image

        image = self._load(index)
        left, top, right, bottom = part
        width, height = max(1, right - left), max(1, bottom - top)
        across, down = image.width / size[0], image.height / size[1]
        box = (
            min(left * across, image.width - 1),
            min(top * down, image.height - 1),
            min(max(right, left + 1) * across, image.width),
            min(max(bottom, top + 1) * down, image.height),
        )
        drawn = image.resize((width, height), Image.Resampling.BILINEAR, box=box, reducing_gap=2.0)
        pixels = np.empty((height, width, 4), dtype=np.uint8)
        pixels[:, :, :3] = np.asarray(drawn)[:, :, ::-1]
        pixels[:, :, 3] = 255
        made = pixels.tobytes()
        if dark and _is_paper(drawn):
            made = darken(made)
        return PagePicture(index, scale, width, height, 4 * width, made, left, top, dark)

    def find_boxes(
        self, index: int, page_text: str, ranges: Sequence[tuple[int, int]]
    ) -> list[list[Box]]:
        """Return no boxes: a picture has no letters of its own."""
        return [[] for _ in ranges]

    def find_letters(self, index: int, page_text: str, page_start: int) -> PageLetters:
        """Return no letters."""
        none = np.zeros(0, dtype=np.int32), np.zeros((0, 4), dtype=np.float32)
        return PageLetters(*none, *self.sizes[index])


def _on_white(image: Any) -> Any:
    """Return a picture in red, green and blue; what is transparent becomes white."""
    from PIL import Image

    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        image = image.convert("RGBA")
        paper = Image.new("RGB", image.size, (255, 255, 255))
        paper.paste(image, mask=image.getchannel("A"))
        return paper
    if image.mode in ("I", "I;16", "I;16B", "F"):  # more than 256 shades
        low, high = image.getextrema()
        shades = np.asarray(image, dtype=np.float32)
        spread = max(1e-6, float(high) - float(low))
        image = Image.fromarray(((shades - low) * (255.0 / spread)).astype(np.uint8))
    return image.convert("RGB")


def _is_paper(image: Any) -> bool:
    """Return whether a picture is mostly light, as paper is; a photograph stays as it is."""
    grey = np.asarray(image.resize((64, 64)).convert("L"))
    return bool((grey > 160).mean() > 0.6)
