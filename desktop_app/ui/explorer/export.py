"""Exports of the graph: pictures with title and legend, and graph files for other programs.

`ask_and_save` asks for a file and exports the canvas, `copy_picture` puts a picture into the
clipboard; data is written in the reader lane. Pictures have light colours unless those of a dark
window are wanted, because most are printed or put into a text.
`paint_view` paints a view for the command line and needs no window.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QMarginsF, QRect, QRectF, QSize, QSizeF, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QImage,
    QPageSize,
    QPaintDevice,
    QPainter,
    QPdfWriter,
    QTransform,
)
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QApplication, QWidget

from desktop_app.engine.errors import AppError
from desktop_app.engine.graph.view.arrangement import lay_out
from desktop_app.engine.graph.view.graph_data import GraphData
from desktop_app.engine.graph.view.view import DiscPositions, View
from desktop_app.engine.services.exporting.output import replace_file
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.services.view_reader import read_view
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..theme.design_tokens import LOOKS
from ..theme.theme import Theme
from ..translation import tr
from ..widgets import STRETCH, Button, Label, NumberBox, PrimaryButton, build_row, format_number
from ..widgets.save_dialog import ask_where_to_save
from ..widgets.sheet import Sheet
from .canvas import GraphCanvas
from .caption import CaptionLayout, PictureCaption, describe_view
from .frame import Focus, Layer, Scene, ViewFrame, build_frame
from .labels import LabelLayer
from .layers import DiscLayer, GuideLayer, RelationLayer
from .node_colors import build_graph_palette, describe_size, set_colors
from .zooming import find_fit

PICTURES = ("png", "svg", "pdf")
SCREEN_DPI, POINTS = 96, 72  # pixels and points of an inch
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
        UserError: an export may not replace this file.
        EnvironmentProblem: the file could not be written.
    """
    with replace_file(path) as place:
        _write_picture(place, layers, scene, scale, caption, name=path.name)


def _write_picture(
    path: Path,
    layers: Sequence[Layer],
    scene: Scene,
    scale: float,
    caption: CaptionLayout | None,
    *,
    name: str,
) -> None:
    suffix = path.suffix.lower()
    if suffix not in (".svg", ".pdf"):
        image = render_picture(layers, scene, scale, caption=caption, name=name)
        if not image.save(str(path)):
            raise OSError(tr("{name} could not be written", name=name))
        return
    path.write_bytes(b"")  # Qt's writers report no error when a file cannot be written
    size = _measure(scene, caption)
    title = caption.title if caption is not None else tr("Graph of names")
    target: QSvgGenerator | QPdfWriter
    if suffix == ".pdf":
        target = QPdfWriter(str(path))
        points = QSizeF(size) * POINTS / SCREEN_DPI
        target.setPageSize(QPageSize(points, QPageSize.Unit.Point))
        target.setPageMargins(QMarginsF())
        target.setResolution(SCREEN_DPI)
    else:
        target = QSvgGenerator()
        target.setFileName(str(path))
        target.setSize(size)
        target.setViewBox(QRect(0, 0, size.width(), size.height()))
    target.setTitle(title)
    _paint(target, layers, scene, caption)
    if suffix == ".svg":  # sans-serif as the fallback font
        text = path.read_text("utf-8")
        text = re.sub(r'font-family="([^"]+)"', r'font-family="\1,sans-serif"', text)
        path.write_text(text, "utf-8")


def render_picture(
    layers: Sequence[Layer],
    scene: Scene,
    scale: float = USUAL,
    *,
    caption: CaptionLayout | None = None,
    name: str = "PNG",
) -> QImage:
    """Return the picture of a scene at full detail, `scale` pixels for each pixel of the screen.

    Raises:
        OSError: the picture would be too large; `name` is in the message.
    """
    size = _measure(scene, caption)
    scale = min(scale, (MOST_PIXELS / max(size.width() * size.height(), 1)) ** 0.5)
    image = QImage(QSizeF(size * scale).toSize(), QImage.Format.Format_RGB32)
    if image.isNull():
        raise OSError(tr("{name}: the picture would be too large", name=name))
    image.setDevicePixelRatio(scale)
    _paint(image, layers, scene, caption)
    return image


def _measure(scene: Scene, caption: CaptionLayout | None) -> QSize:
    beside = caption.top + caption.bottom if caption is not None else 0.0
    return QSize(int(scene.frame.width), int(scene.frame.height + beside))


def _paint(
    target: QPaintDevice, layers: Sequence[Layer], scene: Scene, caption: CaptionLayout | None
) -> None:
    """Paint a scene between the title and the legend of its caption."""
    frame, scene, size = scene.frame, replace(scene, exact=True), _measure(scene, caption)
    top = caption.top if caption is not None else 0.0
    painter = QPainter(target)
    painter.fillRect(0, 0, size.width() + 1, size.height() + 1, scene.palette.background)
    painter.translate(0, top)
    painter.setClipRect(QRectF(0, 0, size.width(), frame.height))
    for layer in layers if len(scene.data) else ():
        layer.paint(painter, scene)
    painter.setClipping(False)
    painter.translate(0, -top)
    if caption is not None:
        caption.paint(painter, frame.height)
    painter.end()


def frame_of_all(data: GraphData, width: int, height: int) -> ViewFrame:
    """Return the frame of a canvas of this size with everything fitted."""
    rect = find_fit(data, width, height, [])
    transform = QTransform()
    if rect is not None:
        scale = width / rect.width()
        transform = QTransform(scale, 0, 0, scale, -rect.x() * scale, -rect.y() * scale)
    return build_frame(data, transform, width, height)


class PictureSizeDialog(Sheet):
    """Asks how wide a picture of the canvas is to be; `given` carries the width in pixels."""

    given = Signal(int)

    def __init__(self, shown: QSize, parent: QWidget | None = None) -> None:
        super().__init__(tr("Picture size"), parent)
        self._shown = shown
        self.width_box = NumberBox()
        self.width_box.setRange(100, 20_000)
        self.width_box.setSingleStep(100)
        self.width_box.setValue(round(USUAL * shown.width()))
        self.width_box.setAccessibleName(tr("Width in pixels"))
        self.height_label = Label("", "muted")
        line = QWidget()
        build_row(self.width_box, self.height_label, STRETCH, parent=line)
        self.add_field(tr("Width in pixels"), line)
        cancel, go_on = Button(tr("Cancel")), PrimaryButton(tr("Export…"))
        cancel.clicked.connect(self.reject)
        go_on.clicked.connect(self._give)
        self.add_foot([cancel, go_on])
        self.width_box.valueChanged.connect(lambda _: self._show_height())
        self._show_height()
        self.fit_content(400)
        self.width_box.selectAll()
        self.width_box.setFocus()

    def _show_height(self) -> None:
        width = self.width_box.value()
        height = round(width * self._shown.height() / self._shown.width())
        self.height_label.setText(
            tr("× {height}, without the legend", height=format_number(height))
        )

    def _give(self) -> None:
        self.given.emit(self.width_box.value())
        self.accept()


def ask_and_save(
    canvas: GraphCanvas,
    context: SessionContext,
    ending: str,
    *,
    chosen: bool = False,
    caption: PictureCaption | None = None,
    light: bool = True,
) -> None:
    """Ask for a file, write the view or the selection into it, and show the result.

    Args:
        ending: of the file; with "@", the size of the picture is asked for.
        light: pictures have a light background, also in a dark window.
    """
    messages = context.messages
    if not _has_names(canvas, context, chosen):
        return
    what = tr("Export selection") if chosen else tr("Export view")

    def save_as_picture(scale: float = USUAL) -> None:
        path = ask_where_to_save(canvas, what, f"graph.{kind}", f"*.{kind}")
        if path is None:
            return
        try:
            save_picture(canvas, path, scale=scale, chosen=chosen, caption=caption, light=light)
        except AppError as error:
            messages.show_error(error)
        else:
            messages.show(tr("Saved {name}", name=path.name), kind="ok")

    kind = ending.rstrip("@")
    if kind != ending:
        shown = canvas.size().expandedTo(QSize(1, 1))
        dialog = PictureSizeDialog(shown, canvas.window())
        dialog.given.connect(lambda width: save_as_picture(width / shown.width()))
        dialog.open()
        return
    if kind in PICTURES:
        save_as_picture()
        return
    path = ask_where_to_save(canvas, what, f"graph.{ending}", f"*.{ending}")
    if path is None:
        return
    message = tr("Saved {name}", name=path.name)
    data = canvas.data
    rows = [data.row_of[i] for i in canvas.chosen_ids()] if chosen else data.shown.nonzero()[0]
    places = {int(data.entities[row].id): tuple(data.places[row].tolist()) for row in rows}
    export, ids = context.library_reader.graph.export, list(places)
    query = Query(context.reader_lane, export, Path(path), ending, ids, places, owner=canvas)
    query.on_success(lambda _: messages.show(message, kind="ok")).run()


def copy_picture(
    canvas: GraphCanvas,
    context: SessionContext,
    *,
    chosen: bool = False,
    caption: PictureCaption | None = None,
    light: bool = True,
) -> None:
    """Copy the picture of the view or of the selection; the arguments are those of above."""
    if not _has_names(canvas, context, chosen):
        return

    def copy(scene: Scene, laid: CaptionLayout | None) -> None:
        image = render_picture(canvas.layers, scene, caption=laid)
        QGuiApplication.clipboard().setImage(image)

    _with_scene(canvas, copy, chosen=chosen, caption=caption, light=light)
    context.messages.show(tr("Copied the picture"), kind="ok")


def _has_names(canvas: GraphCanvas, context: SessionContext, chosen: bool) -> bool:
    if chosen and not canvas.focus.chosen:
        words = tr("Select names first: click them, or drag around them with Shift.")
        context.messages.show(words)
        return False
    return True


def save_picture(
    canvas: GraphCanvas,
    path: Path,
    *,
    scale: float = USUAL,
    chosen: bool = False,
    caption: PictureCaption | None = None,
    light: bool = True,
) -> None:
    """Write the view of a canvas at full detail, or only the selection, fitted.

    Raises:
        UserError: an export may not replace this file.
        EnvironmentProblem: the file could not be written.
    """

    def write(scene: Scene, laid: CaptionLayout | None) -> None:
        write_picture(path, canvas.layers, scene, scale, caption=laid)

    _with_scene(canvas, write, chosen=chosen, caption=caption, light=light)


def _with_scene(
    canvas: GraphCanvas,
    use: Callable[[Scene, CaptionLayout | None], None],
    *,
    chosen: bool,
    caption: PictureCaption | None,
    light: bool,
) -> None:
    """Call `use` with the scene of the view or of the selection, and with its caption."""
    data, width, height = canvas.data, canvas.width(), canvas.height()
    palette = canvas.build_palette(LOOKS[False, canvas.theme.is_high]) if light else None

    def show(frame: ViewFrame, focus: Focus) -> None:
        scene = Scene(frame, data, focus, palette or canvas.palette_now)
        use(scene, CaptionLayout(caption, scene, canvas.labels.font) if caption else None)

    if not chosen:
        if canvas.fitted:  # again, without the panels of the window
            frame = frame_of_all(data, width, height)
        else:
            frame = build_frame(data, canvas.view_transform(), width, height)
        show(frame, canvas.focus)
        return
    shown = data.shown.copy()
    try:
        data.shown[:] = False
        data.shown[sorted(canvas.focus.chosen)] = True
        show(frame_of_all(data, width, height), Focus())
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
    """Write the picture of a view as PNG, SVG or PDF and return how many names are in it.

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
    caption = PictureCaption(
        describe_view(content.view, data), color, lines, size, describe_size(size, data)
    )
    small, palette = theme.font("small"), build_graph_palette(theme.tokens)
    layers = (GuideLayer(small), RelationLayer(), DiscLayer(), LabelLayer(small))
    scene = Scene(frame_of_all(data, width, height), data, Focus(), palette)
    laid = CaptionLayout(caption, scene, small)
    rest = max(height - round(laid.top + laid.bottom), height // 4)  # asked for with caption
    scene = replace(scene, frame=frame_of_all(data, width, rest))
    write_picture(path, layers, scene, scale, caption=CaptionLayout(caption, scene, small))
    return len(data)
