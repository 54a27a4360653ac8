"""A picture painted onto something other than the screen: PNG at any scale, SVG with real text.

Owns the painting of the layers at full detail, for a window and without one.
"""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QColor, QImage, QPainter, QTransform
from PySide6.QtSvg import QSvgGenerator

from desktop_app.ui.language import tr

from .fitting import find_fit
from .focus import Focus
from .frame import Frame, build_frame
from .graph_data import GraphData
from .palette import Palette

MOST_PIXELS = 400_000_000


def write_picture(
    path: Path,
    layers: tuple,
    frame: Frame,
    data: GraphData,
    focus: Focus,
    palette: Palette,
    scale: float = 2.0,
) -> None:
    """Write a frame into a file; the ending of `path` decides the form.

    Raises:
        OSError: the file could not be written.
    """
    width, height = int(frame.width), int(frame.height)

    def paint(painter: QPainter) -> None:
        for layer in layers if len(data) else ():
            layer.paint(painter, frame, data, focus, palette, exact=True)

    if path.suffix.lower() == ".svg":
        with path.open("wb"):  # QSvgGenerator says nothing when a file cannot be written
            pass
        target = QSvgGenerator()
        target.setFileName(str(path))
        target.setSize(QSize(width, height))
        target.setViewBox(QRect(0, 0, width, height))
        target.setTitle(tr("Graph of names"))
        painter = QPainter(target)
        painter.fillRect(0, 0, width, height, QColor(palette.background))
        paint(painter)
        painter.end()
        _name_generic_family(path)
        return
    scale = min(scale, (MOST_PIXELS / max(width * height, 1)) ** 0.5)
    image = QImage(round(width * scale), round(height * scale), QImage.Format.Format_RGB32)
    if image.isNull():
        raise OSError(tr("{name} would be too big a picture", name=path.name))
    image.setDevicePixelRatio(scale)
    image.fill(palette.background)
    painter = QPainter(image)
    paint(painter)
    painter.end()
    if not image.save(str(path)):
        raise OSError(tr("{name} could not be written", name=path.name))


def _name_generic_family(path: Path) -> None:
    """Let a viewer that has none of the fonts of an SVG draw its text without serifs."""
    text = path.read_text("utf-8")
    path.write_text(re.sub(r'font-family="([^"]+)"', r'font-family="\1,sans-serif"', text), "utf-8")


def frame_of_all(data: GraphData, width: int, height: int) -> Frame:
    """Return the frame in which everything fits, as a canvas of this size would have it."""
    rect = find_fit(data, width, height, [])
    transform = QTransform()
    if rect is not None:
        scale = width / rect.width()
        transform = QTransform(scale, 0, 0, scale, -rect.x() * scale, -rect.y() * scale)
    return build_frame(data, transform, width, height)
