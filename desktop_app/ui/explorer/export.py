"""The picture as a file: PNG at twice the size of the screen, SVG with real lines and text.

Owns asking where to and painting the three layers onto something other than the screen.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QFileDialog

from .canvas import GraphCanvas
from .frame import build_frame


def ask_and_save(canvas: GraphCanvas, messages: Any, ending: str) -> None:
    """Ask for a file and write the view into it; say what came of that."""
    name = f"graph.{ending}"
    path, _ = QFileDialog.getSaveFileName(canvas, "Export the view", name, f"*.{ending}")
    if not path:
        return
    try:
        save_picture(canvas, Path(path))
    except OSError as error:
        messages.show_error(error)
    else:
        messages.show(f"Saved {Path(path).name}", kind="ok")


def save_picture(canvas: GraphCanvas, path: Path) -> None:
    """Write the view of a canvas; the ending of `path` decides the form.

    Raises:
        OSError: the file could not be written.
    """
    if path.suffix.lower() == ".svg":
        _save_svg(canvas, path)
        return
    image = QImage(canvas.size() * 2, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(2)
    image.fill(canvas.palette_now.background)
    painter = QPainter(image)
    _paint(canvas, painter)
    painter.end()
    if not image.save(str(path)):
        raise OSError(f"{path.name} could not be written")


def _save_svg(canvas: GraphCanvas, path: Path) -> None:
    with path.open("wb"):  # QSvgGenerator says nothing when a file cannot be written
        pass
    target = QSvgGenerator()
    target.setFileName(str(path))
    target.setSize(QSize(canvas.width(), canvas.height()))
    target.setViewBox(QRect(0, 0, canvas.width(), canvas.height()))
    target.setTitle("Graph of names")
    painter = QPainter(target)
    painter.fillRect(0, 0, canvas.width(), canvas.height(), QColor(canvas.palette_now.background))
    _paint(canvas, painter)
    painter.end()


def _paint(canvas: GraphCanvas, painter: QPainter) -> None:
    view = canvas.frame()
    if not len(canvas.data):
        return
    frame = (
        view
        if not canvas.moving
        else build_frame(canvas.data, canvas.view_transform(), canvas.width(), canvas.height())
    )
    for layer in canvas.layers:
        layer.paint(painter, frame, canvas.data, canvas.focus, canvas.palette_now, exact=True)
