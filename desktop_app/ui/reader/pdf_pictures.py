"""Pictures of pages that were drawn: the latest used, as many as fit into so many bytes.

Owns what is kept and what goes first. Draws nothing and asks for nothing.
"""

from __future__ import annotations

from collections import OrderedDict

from PySide6.QtGui import QImage

from .pdf_pages import PagePicture

Part = tuple[int, int, int, int]  # left, top, right, bottom; pixels of the whole page


class Pictures:
    """Pictures of pages by index, the latest used, as many as fit."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._kept: OrderedDict[int, tuple[float, QImage, PagePicture]] = OrderedDict()

    def get(self, index: int) -> QImage | None:
        kept = self._kept.get(index)
        if kept is None:
            return None
        self._kept.move_to_end(index)
        return kept[1]

    def has(self, index: int, scale: float, part: Part | None = None) -> bool:
        kept = self._kept.get(index)
        if kept is None or abs(kept[0] - scale) > 1e-3:
            return False
        there = kept[2]
        return part is None or (
            there.left <= part[0]
            and there.top <= part[1]
            and there.left + there.width >= part[2]
            and there.top + there.height >= part[3]
        )

    def made(self, index: int, scale: float) -> tuple[QImage, PagePicture] | None:
        """Return the picture with where it begins, if it is as sharp as that."""
        return self._kept[index][1:] if self.has(index, scale) else None

    def keep(self, picture: PagePicture) -> None:
        form = QImage.Format.Format_RGB32
        image = QImage(picture.pixels, picture.width, picture.height, picture.stride, form)
        # the picture's bytes stand beside the image, which only points at them
        self._kept[picture.index] = (picture.scale, image, picture)
        self._kept.move_to_end(picture.index)
        total = sum(len(kept[2].pixels) for kept in self._kept.values())
        while total > self._most_bytes and len(self._kept) > 2:
            _, (_, _, oldest) = self._kept.popitem(last=False)
            total -= len(oldest.pixels)

    def clear(self) -> None:
        self._kept.clear()
