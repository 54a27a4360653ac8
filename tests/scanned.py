"""Pictures of pages for tests: texts drawn with the program's fonts, and files made of them."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont

FONTS = Path(__file__).parents[1] / "resources" / "fonts"
LATIN = FONTS / "source-serif-4" / "SourceSerif4-Regular.ttf"
CHINESE = FONTS / "noto-sans-sc" / "NotoSansSC-Regular.ttf"
ENGLISH_LINES = (
    "The ferry leaves Port Ellis at dawn, and nobody",
    "waits for it on the stone pier but Clara Wren.",
    "She carries the watch of Captain Hale.",
)
CHINESE_LINES = ("那日柳三娘对沈砚说道先生可认得陆青山", "沈砚笑道陆青山是我的同窗")


def draw_page(
    lines: Sequence[str],
    font: Path = LATIN,
    *,
    size: tuple[int, int] = (1000, 420),
    points: int = 36,
    left: int = 70,
    top: int = 60,
) -> Any:
    """Return a picture with lines of text."""
    image = Image.new("RGB", size, (255, 255, 255))
    drawing = ImageDraw.Draw(image)
    chosen = ImageFont.truetype(str(font), points)
    for i, line in enumerate(lines):
        drawing.text((left, top + i * points * 1.7), line, fill=(20, 20, 20), font=chosen)
    return image


def draw_column(text: str, *, size: tuple[int, int] = (400, 900), points: int = 44) -> Any:
    """Return a picture with columns of Chinese, from right to left, separated by `|`."""
    image = Image.new("RGB", size, (255, 255, 255))
    drawing = ImageDraw.Draw(image)
    chosen = ImageFont.truetype(str(CHINESE), points)
    for i, column in enumerate(text.split("|")):
        for j, character in enumerate(column):
            place = (size[0] - 80 - i * points * 1.8, 50 + j * points * 1.1)
            drawing.text(place, character, fill=(20, 20, 20), font=chosen)
    return image


def save(image: Any, format: str = "PNG", **options: Any) -> bytes:
    """Return the bytes of a picture file."""
    made = io.BytesIO()
    image.save(made, format, **options)
    return made.getvalue()


def make_scan(images: Sequence[Any], dpi: float = 200.0) -> bytes:
    """Return a PDF of which every page is a picture."""
    made = io.BytesIO()
    images[0].save(made, "PDF", save_all=True, append_images=images[1:], resolution=dpi)
    return made.getvalue()
