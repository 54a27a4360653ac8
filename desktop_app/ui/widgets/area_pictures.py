"""Kept pictures of areas of pages, for the lists that show them.

Owns decoding and how dark they are. Fetches nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from desktop_app.engine.png import decode_png
from desktop_app.engine.text.pdf_pages import darken

from ..theme.theme import Theme


def load_image(png: bytes, most_width: int = 0) -> QImage | None:
    """Return the picture of an area, None if it is damaged.

    Args:
        most_width: pixels; a wider one is made smaller. 0 for as it is.
    """
    found = decode_png(png)
    if found is None:
        return None
    width, height, pixels = found
    made = QImage(pixels, width, height, 3 * width, QImage.Format.Format_RGB888)
    image = made.convertToFormat(QImage.Format.Format_RGB32)  # a copy: the bytes go
    if 0 < most_width < width:
        return image.scaledToWidth(most_width, Qt.TransformationMode.SmoothTransformation)
    return image


class AreaPictures:
    """Pictures by annotation, dark in a dark theme, as the pages are; figures are only dimmed.

    Attributes:
        light: the pictures as they are kept.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.light: Mapping[int, QImage] = {}
        # with the key of the light one
        self._dark: dict[tuple[int, bool], tuple[int, QImage]] = {}

    def find(self, annotation_id: int, *, as_printed: bool = False) -> QImage | None:
        """Return the picture to be shown, None if there is none.

        Args:
            as_printed: of a figure: it keeps its colours in a dark theme.
        """
        picture = self.light.get(annotation_id)
        if picture is None or not self._theme.is_dark:
            return picture
        key, dark = self._dark.get((annotation_id, as_printed), (0, None))
        if dark is None or key != picture.cacheKey():
            width, height, stride = picture.width(), picture.height(), picture.bytesPerLine()
            parts = [(0, 0, width, height)] if as_printed else []
            pixels = darken(bytes(picture.constBits()), stride, parts)
            made = QImage(pixels, width, height, stride, QImage.Format.Format_RGB32)
            dark = made.copy()  # its own pixels: these bytes go
            self._dark[annotation_id, as_printed] = picture.cacheKey(), dark
        return dark
