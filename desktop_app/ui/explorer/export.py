"""Exports of the graph: pictures with title and legend, and graph files for other programs.

`ask_and_save` asks for a file and exports the canvas; data is written in the reader lane.
`paint_view` paints a view for the command line and needs no window.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QRect, QRectF, QSize
from PySide6.QtGui import QImage, QPainter, QTransform
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QApplication, QInputDialog

from desktop_app.engine.errors import cannot_write
from desktop_app.engine.graph.view.arrangement import lay_out
from desktop_app.engine.graph.view.graph_data import GraphData
from desktop_app.engine.graph.view.view import DiscPositions, View
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.services.view_reader import read_view
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..theme.theme import Theme
from ..translation import tr
from ..widgets.save_dialog import ask_where_to_save
from .canvas import GraphCanvas
from .caption import CaptionLayout, PictureCaption, describe_view
from .frame import Focus, Layer, Scene, ViewFrame, build_frame
from .labels import LabelLayer
from .layers import DiscLayer, GuideLayer, RelationLayer
from .node_colors import build_graph_palette, set_colors
from .zooming import find_fit

PICTURES = ("png", "svg")
USUAL = 2.0  # pixels of the image per pixel of the screen
MOST_PIXELS = 400_000_000


def write_picture(
    path: Path,
    layers: Sequence[Layer],
    scene: Scene,
    scale: float = USUAL,
    *,
    caption: CaptionLayout | None = None,
) -> None:
    """Write a scene into a file at full detail; the suffix of `path` decides the format.

    A caption makes the picture higher: nothing of the graph is covered.

    Raises:
        OSError: the file could not be written.
    """
    frame, scene = scene.frame, replace(scene, exact=True)
    top, bottom = (caption.top, caption.bottom) if caption is not None else (0.0, 0.0)
    width, height = int(frame.width), int(frame.height + top + bottom)
    as_svg = path.suffix.lower() == ".svg"
    target: QSvgGenerator | QImage
    if as_svg:
        path.write_bytes(b"")  # QSvgGenerator reports no error when a file cannot be written
        target = QSvgGenerator()
        target.setFileName(str(path))
        target.setSize(QSize(width, height))
        target.setViewBox(QRect(0, 0, width, height))
        target.setTitle(caption.title if caption is not None else tr("Graph of names"))
    else:
        scale = min(scale, (MOST_PIXELS / max(width * height, 1)) ** 0.5)
        target = QImage(round(width * scale), round(height * scale), QImage.Format.Format_RGB32)
        if target.isNull():
            raise OSError(tr("{name}: the picture would be too large", name=path.name))
        target.setDevicePixelRatio(scale)
    painter = QPainter(target)
    painter.fillRect(0, 0, width + 1, height + 1, scene.palette.background)
    painter.translate(0, top)
    painter.setClipRect(QRectF(0, 0, width, frame.height))
    for layer in layers if len(scene.data) else ():
        layer.paint(painter, scene)
    painter.setClipping(False)
    painter.translate(0, -top)
    if caption is not None:
        caption.paint(painter, frame.height)
    painter.end()
    if isinstance(target, QImage):
        if not target.save(str(path)):
            raise OSError(tr("{name} could not be written", name=path.name))
    else:  # sans-serif as the fallback font
        text = path.read_text("utf-8")
        text = re.sub(r'font-family="([^"]+)"', r'font-family="\1,sans-serif"', text)
        path.write_text(text, "utf-8")


def frame_of_all(data: GraphData, width: int, height: int) -> ViewFrame:
    """Return the frame of a canvas of this size with everything fitted."""
    rect = find_fit(data, width, height, [])
    transform = QTransform()
    if rect is not None:
        scale = width / rect.width()
        transform = QTransform(scale, 0, 0, scale, -rect.x() * scale, -rect.y() * scale)
    return build_frame(data, transform, width, height)


def ask_and_save(
    canvas: GraphCanvas,
    context: SessionContext,
    ending: str,
    *,
    chosen: bool = False,
    caption: PictureCaption | None = None,
) -> None:
    """Ask for a file, write the view or the selection into it, and show the result."""
    messages = context.messages
    if chosen and not canvas.focus.chosen:
        messages.show(tr("Select names first: click them, or drag around them with Shift."))
        return
    what = tr("Export selection") if chosen else tr("Export view")
    scale = USUAL
    if ending.endswith("@"):
        ending, now = ending.rstrip("@"), max(canvas.width(), 1)
        pixels, wanted = QInputDialog.getInt(
            canvas, tr("Picture size"), tr("Width in pixels"), 2 * now, 100, 20_000, 100
        )
        if not wanted:
            return
        scale = pixels / now
    path = ask_where_to_save(canvas, what, f"graph.{ending}", f"*.{ending}")
    if path is None:
        return
    message = tr("Saved {name}", name=path.name)
    if ending in PICTURES:
        try:
            save_picture(canvas, Path(path), scale=scale, chosen=chosen, caption=caption)
        except OSError as error:
            messages.show_error(cannot_write(path, error))
        else:
            messages.show(message, kind="ok")
        return
    data = canvas.data
    rows = [data.row_of[i] for i in canvas.chosen_ids()] if chosen else data.shown.nonzero()[0]
    places = {int(data.entities[row].id): tuple(data.places[row].tolist()) for row in rows}
    export, ids = context.library_reader.graph.export, list(places)
    query = Query(context.reader_lane, export, Path(path), ending, ids, places, owner=canvas)
    query.on_success(lambda _: messages.show(message, kind="ok")).run()


def save_picture(
    canvas: GraphCanvas,
    path: Path,
    *,
    scale: float = USUAL,
    chosen: bool = False,
    caption: PictureCaption | None = None,
) -> None:
    """Write the view of a canvas at full detail, or only the selection, fitted.

    Raises:
        OSError: the file could not be written.
    """
    data, width, height = canvas.data, canvas.width(), canvas.height()

    def write(frame: ViewFrame, focus: Focus) -> None:
        scene = Scene(frame, data, focus, canvas.palette_now)
        laid = CaptionLayout(caption, scene, canvas.labels.font) if caption is not None else None
        write_picture(path, canvas.layers, scene, scale, caption=laid)

    if not chosen:
        write(build_frame(data, canvas.view_transform(), width, height), canvas.focus)
        return
    shown = data.shown.copy()
    try:
        data.shown[:] = False
        data.shown[sorted(canvas.focus.chosen)] = True
        write(frame_of_all(data, width, height), Focus())
    finally:
        data.shown[:] = shown


def paint_view(
    library_reader: LibraryReader,
    view: View,
    path: Path,
    *,
    width: int = 1600,
    height: int = 1000,
    scale: float = 2.0,
    mode: str = "light",
    color: str = "type",
    size: str = "connections",
) -> int:
    """Write the picture of a view as PNG or SVG and return how many names are in it.

    Starts Qt on the offscreen platform where no application runs.

    Raises:
        EnvironmentProblem: the file could not be written.
    """
    alone = QApplication.instance() is None
    if alone:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"  # there may be no display, and none is needed
        application = QApplication([])
    theme = Theme(mode)
    if alone:
        application.setFont(theme.font("text"))
    content = read_view(library_reader, view)
    data = lay_out(content.graph, DiscPositions(), content=content, size_mode=size)
    lines = set_colors(data, color, content.titles)
    caption = PictureCaption(describe_view(content.view, data), color, lines)
    small, palette = theme.font("small"), build_graph_palette(theme.tokens)
    layers = (GuideLayer(small), RelationLayer(), DiscLayer(), LabelLayer(small))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        scene = Scene(frame_of_all(data, width, height), data, Focus(), palette)
        laid = CaptionLayout(caption, scene, small)
        rest = max(height - round(laid.top + laid.bottom), height // 4)  # asked for with caption
        scene = replace(scene, frame=frame_of_all(data, width, rest))
        write_picture(path, layers, scene, scale, caption=CaptionLayout(caption, scene, small))
    except OSError as error:
        raise cannot_write(path, error) from error
    return len(data)
