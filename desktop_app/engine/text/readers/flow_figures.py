"""Figures of documents whose text flows: their pictures are parts of the document's file.

The readers note where a picture stands in the text (`PictureMark`); here its size is read from the
first bytes, decorations are left out, and its caption is found. The bytes stay in the file, and are
read again when the picture is shown (`text.figure_pages`).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
import re
import warnings
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from ...errors import AppError
from ...figures import (
    MAX_ALT_CHARS,
    MAX_CAPTION_CHARS,
    MAX_PATH_CHARS,
    MAX_REPEATED,
    Figure,
    find_caption_label,
    find_figure_caption,
    is_decoration,
    limit_figures,
)
from ...messages import Message
from ...model import Page

HEAD_BYTES = 256 * 1024  # in which the size of a picture stands, after profiles and thumbnails
MIN_CAPTIONED = 32  # pixels: a picture with a caption is no icon, also if it is small
MAX_MARKS = 20_000  # of a document
_MAX_DATA_CHARS = 100_000_000  # of a picture that is written into a page
_DATA = re.compile(r"data:image/[\w.+-]{1,40}(?:;[\w=.-]{1,40})*,", re.I)


@dataclass(frozen=True, slots=True)
class PictureMark:
    """A picture in a text.

    Attributes:
        path: of the picture inside the file.
        at: the offset at which it stands.
        caption: offsets of what the file marks as its caption.
        page_index: of the slide that it stands on; slides without text share their offset.
    """

    path: str
    at: int
    alt: str = ""
    caption: tuple[int, int] | None = None
    page_index: int | None = None


def build_figures(
    text: str,
    marks: Sequence[PictureMark],
    load_head: Callable[[str], bytes],
    pages: Sequence[Page] = (),
) -> tuple[list[Figure], list[Message]]:
    """Return the figures of a document, and notes for the user.

    Left out are pictures of fewer than 100 pixels, lines and ornaments, those without a caption
    that stand in a document three times or more, and formats that no picture has here.

    Args:
        load_head: returns the first bytes of a picture in the file; raises `AppError` if it is
            missing.
        pages: slides, of a presentation.
    """
    sizes: dict[str, tuple[int, int]] = {}
    for mark in marks[:MAX_MARKS]:
        if mark.path not in sizes:
            sizes[mark.path] = _measure(mark.path, load_head)
    copies = Counter(mark.path for mark in marks)
    starts = [page.start for page in pages]
    figures: list[Figure] = []
    shown: set[str] = set()  # paths: a picture without a caption is listed once
    used: set[int] = set()  # captions above a picture that belong to one before it
    for mark in marks[:MAX_MARKS]:
        width, height = sizes[mark.path]
        if min(width, height) < MIN_CAPTIONED:
            continue
        at = min(mark.at, len(text))
        start, end = mark.caption or find_figure_caption(text, at)
        end = min(end, start + MAX_CAPTION_CHARS, len(text))
        start = min(start, end)
        if mark.caption is None and end <= at and start in used:
            start = end = at
        if start == end and is_decoration(width, height):
            continue
        if start == end and (copies[mark.path] >= MAX_REPEATED or mark.path in shown):
            continue
        used.add(start)
        shown.add(mark.path)
        index = bisect_right(starts, at) - 1 if mark.page_index is None else mark.page_index
        figures.append(
            Figure(
                start,
                end,
                find_caption_label(text[start:end]),
                " ".join(mark.alt.split())[:MAX_ALT_CHARS],
                pages[index].index if pages and index >= 0 else None,
                path=mark.path,
                width=width,
                height=height,
            )
        )
    return limit_figures(figures, 0)


def _measure(path: str, load_head: Callable[[str], bytes]) -> tuple[int, int]:
    """Return width and height in pixels, (0, 0) of what is no picture that is drawn here."""
    if not path or len(path) > MAX_PATH_CHARS:
        return 0, 0
    try:
        head = load_head(path)
    except AppError:
        return 0, 0
    return measure_picture(head)


def measure_picture(head: bytes) -> tuple[int, int]:
    """Return width and height from the first bytes of a picture, (0, 0) if they don't say it."""
    from PIL import Image

    from ..picture_pages import OPENED_FORMATS

    limit = Image.MAX_IMAGE_PIXELS
    Image.MAX_IMAGE_PIXELS = None  # nothing is decoded here
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(head), formats=OPENED_FORMATS) as image:
                width, height = image.size
    except (MemoryError, KeyboardInterrupt):
        raise
    except Exception:  # its parsers raise exceptions of every kind
        return 0, 0
    finally:
        Image.MAX_IMAGE_PIXELS = limit
    return min(width, 1_000_000), min(height, 1_000_000)


# --- pictures that are written into a page --------------------------------------------------------


def name_data(address: str) -> str:
    """Return the path of a picture that an address of a page contains, "" if it has none."""
    if not _DATA.match(address) or len(address) > _MAX_DATA_CHARS:
        return ""
    return f"data:{hashlib.sha256(address.encode('utf-8', 'replace')).hexdigest()[:32]}"


def decode_data(address: str) -> bytes:
    """Return the bytes in an address that begins with "data:"; empty if they are damaged."""
    head, _, content = address.partition(",")
    if not head.lower().endswith(";base64"):
        return unquote_to_bytes(content)
    return decode_base64(unquote_to_bytes(content))


def decode_base64(packed: bytes) -> bytes:
    """Return the bytes that are written in Base64; empty if they are damaged."""
    packed = re.sub(rb"[^A-Za-z0-9+/]", b"", packed)
    try:
        return base64.b64decode(packed + b"=" * (-len(packed) % 4))
    except (binascii.Error, ValueError):
        return b""


def list_data(addresses: Iterable[str]) -> dict[str, str]:
    """Return path -> address of those that contain a picture."""
    return {path: address for address in addresses if (path := name_data(address))}
