"""Exports of the graph screen: pictures of the canvas, and graph files for other programs.

Asks for the file. Pictures are painted here on the window's thread, data is written in the
reader lane.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QColor, QImage, QPainter, QTransform
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QFileDialog, QInputDialog

from desktop_app.engine.errors import cannot_write
from desktop_app.engine.graph.view.graph_data import GraphData
from desktop_app.workers.operations import Query

from ..language import tr
from .canvas import GraphCanvas
from .focus import Focus
from .frame import ViewFrame, build_frame
from .palette import GraphPalette
from .zooming import find_fit

MOST_PIXELS = 400_000_000


def write_picture(
    path: Path,
    layers: tuple,
    frame: ViewFrame,
    data: GraphData,
    focus: Focus,
    palette: GraphPalette,
    scale: float = 2.0,
) -> None:
    """Write a frame into a file; the suffix of `path` decides the format.

    Raises:
        OSError: the file could not be written.
    """
    width, height = int(frame.width), int(frame.height)

    def paint(painter: QPainter) -> None:
        for layer in layers if len(data) else ():
            layer.paint(painter, frame, data, focus, palette, exact=True)

    if path.suffix.lower() == ".svg":
        with path.open("wb"):  # QSvgGenerator reports no error when a file cannot be written
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
    """Add sans-serif as the fallback font of an SVG."""
    text = path.read_text("utf-8")
    path.write_text(re.sub(r'font-family="([^"]+)"', r'font-family="\1,sans-serif"', text), "utf-8")


def frame_of_all(data: GraphData, width: int, height: int) -> ViewFrame:
    """Return the frame of a canvas of this size with everything fitted."""
    rect = find_fit(data, width, height, [])
    transform = QTransform()
    if rect is not None:
        scale = width / rect.width()
        transform = QTransform(scale, 0, 0, scale, -rect.x() * scale, -rect.y() * scale)
    return build_frame(data, transform, width, height)


PICTURES = ("png", "svg")
USUAL = 2.0  # pixels of the image per pixel of the screen


def ask_and_save(canvas: GraphCanvas, context: Any, ending: str, *, chosen: bool = False) -> None:
    """Ask for a file, write the view or the selection into it, and show the result."""
    messages = context.messages
    if chosen and not canvas.focus.chosen:
        messages.show(tr("Choose names first: click them, or draw round them with Shift."))
        return
    what = tr("Export what is chosen") if chosen else tr("Export the view")
    ending, scale = ending.rstrip("@"), _ask_scale(canvas) if ending.endswith("@") else USUAL
    if scale is None:
        return
    path, _ = QFileDialog.getSaveFileName(canvas, what, f"graph.{ending}", f"*.{ending}")
    if not path:
        return
    message = tr("Saved {name}", name=Path(path).name)
    if ending in PICTURES:
        try:
            save_picture(canvas, Path(path), scale=scale, chosen=chosen)
        except OSError as error:
            messages.show_error(cannot_write(path, error))
        else:
            messages.show(message, kind="ok")
        return
    data = canvas.data
    ids = canvas.chosen_ids() if chosen else [i for i, on in zip(data.ids, data.shown) if on]  # noqa: B905
    places = {i: tuple(data.places[data.row_of[i]].tolist()) for i in ids}
    query = Query(
        context.reader_lane,
        context.library_reader.graph.export,
        Path(path),
        ending,
        ids,
        places,
        owner=canvas,
    )
    query.on_success(lambda _: messages.show(message, kind="ok")).run()


def _ask_scale(canvas: GraphCanvas) -> float | None:
    """Ask for the width in pixels; return it as a factor of the canvas width."""
    now = max(canvas.width(), 1)
    pixels, wanted = QInputDialog.getInt(
        canvas, tr("Picture of another size"), tr("Width in pixels"), 2 * now, 100, 20_000, 100
    )
    return pixels / now if wanted else None


def save_picture(
    canvas: GraphCanvas, path: Path, *, scale: float = USUAL, chosen: bool = False
) -> None:
    """Write the view of a canvas at full detail, or only the selection, fitted.

    Raises:
        OSError: the file could not be written.
    """
    data, width, height = canvas.data, canvas.width(), canvas.height()
    if not chosen:
        frame = build_frame(data, canvas.view_transform(), width, height)
        write_picture(path, canvas.layers, frame, data, canvas.focus, canvas.palette_now, scale)
        return
    shown = data.shown.copy()
    try:
        data.shown[:] = False
        data.shown[sorted(canvas.focus.chosen)] = True
        frame = frame_of_all(data, width, height)
        write_picture(path, canvas.layers, frame, data, Focus(), canvas.palette_now, scale)
    finally:
        data.shown[:] = shown
