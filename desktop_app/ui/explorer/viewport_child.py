"""The child process that tries OpenGL: `python -m desktop_app.ui.explorer.viewport_child`.

Started by `workers/viewport_choice.py`, because a graphics driver can crash or hang its process.
Paints frames of a made-up graph with the layers of the canvas, by the processor and by OpenGL,
compares times and pictures, and opens a canvas that stays invisible. Prints one line of JSON.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QEventLoop, QSize, Qt
from PySide6.QtGui import (
    QImage,
    QOffscreenSurface,
    QOpenGLContext,
    QPainter,
    QTransform,
)
from PySide6.QtOpenGL import (
    QOpenGLFramebufferObject,
    QOpenGLFramebufferObjectFormat,
    QOpenGLPaintDevice,
)
from PySide6.QtWidgets import QApplication

from desktop_app.engine.crash_log import enable_child_faults
from desktop_app.engine.graph.view.graph_data import GraphData, build_graph_data, set_sizes
from desktop_app.engine.model import (
    ENTITY_TYPES,
    EntityId,
    EntityRow,
    RelationId,
    RelationRow,
    Subgraph,
)

from ..theme.theme import Theme
from .canvas import GraphCanvas
from .frame import Focus, Layer, Scene, build_frame
from .labels import LabelLayer
from .layers import DiscLayer, RelationLayer
from .node_colors import build_graph_palette
from .zooming import SAMPLES

WIDTH, HEIGHT = 1280, 800
N_NODES, N_RELATIONS = 1_500, 4_500
N_CLUSTERS, IN_CLUSTER = 30, 0.85  # the share of relations inside a cluster
SPREAD, CLUSTER_SPREAD = 700.0, 130.0  # of the places, as in a layout by forces
N_MOVING, N_RESTING, N_REPEATED = 6, 2, 4
WARM_UP = 1  # rounds that are not timed: shaders are compiled, textures made
N_ROUNDS = 3
HOPELESS = 1.5  # slower by this factor in the first round, OpenGL is measured no further
BLOCK = 16  # pixels: a missing label differs much in a few blocks, and little on average
GL_VENDOR, GL_RENDERER, GL_VERSION = 0x1F00, 0x1F01, 0x1F02


def build_trial_data() -> GraphData:
    """Return a made-up graph that is always the same, with places."""
    random = np.random.default_rng(7)
    share = 1 / np.arange(1, N_NODES + 1) ** 0.7
    ends = random.choice(N_NODES, (N_RELATIONS, 2), p=share / share.sum())
    near = random.random(N_RELATIONS) < IN_CLUSTER
    clusters = np.arange(N_NODES) % N_CLUSTERS
    ends[near, 1] += clusters[ends[near, 0]] - clusters[ends[near, 1]]
    ends = ends.clip(0, N_NODES - 1)
    degrees = np.bincount(ends.ravel(), minlength=N_NODES)
    entities = tuple(
        EntityRow(EntityId(i), f"Name {i}", ENTITY_TYPES[i % 7], 1, int(degrees[i]), 1)  # not shown
        for i in range(N_NODES)
    )
    weights = random.pareto(1.5, len(ends)) + 1
    relations = tuple(
        RelationRow(RelationId(k), EntityId(int(a)), EntityId(int(b)), "", "", float(weights[k]), 1)
        for k, (a, b) in enumerate(ends)
    )
    data = build_graph_data(Subgraph(entities, relations, N_NODES))
    middles = random.normal(0.0, SPREAD, (N_CLUSTERS, 2))
    data.places = middles[clusters] + random.normal(0.0, CLUSTER_SPREAD, (N_NODES, 2))
    set_sizes(data, "connections")
    return data


class Painter:
    """Paints the frames of the trial on one device.

    Args:
        paint: gets a function that paints a scene, and the scene; has the painter of the device.
    """

    def __init__(self, theme: Theme, data: GraphData, paint: Callable[..., None]) -> None:
        labels = LabelLayer(theme.font("small"))
        self.layers: tuple[Layer, ...] = (RelationLayer(), DiscLayer(), labels)
        self._palette = build_graph_palette(theme.tokens)
        self._data, self._paint = data, paint
        self.wall_s: list[float] = []
        self.processor_s: list[float] = []

    def paint_round(self) -> None:
        """Paint a view that moves, rests, and is painted again while a node is hovered."""
        wall, processor = time.perf_counter(), time.process_time()
        for step in range(N_MOVING):
            self._paint_frame(0.3 + 0.02 * step, Focus(), moving=True)
        for step in range(N_RESTING):
            self._paint_frame(0.4 + 0.6 * step, Focus())
        scene = self.build_scene(0.3, Focus())
        for step in range(N_REPEATED):
            focus = Focus()
            focus.hover(self._data, step)
            focus.fade = 1.0
            self._paint(self._paint_scene, replace(scene, focus=focus))
        self.wall_s.append(time.perf_counter() - wall)
        self.processor_s.append(time.process_time() - processor)

    def paint_still(self) -> None:
        """Paint one frame with lines, nodes and labels, to compare."""
        self._paint_frame(0.6, Focus())

    def build_scene(self, scale: float, focus: Focus, *, moving: bool = False) -> Scene:
        transform = QTransform(scale, 0, 0, scale, WIDTH / 2, HEIGHT / 2)
        frame = build_frame(self._data, transform, WIDTH, HEIGHT, moving=moving)
        return Scene(frame, self._data, focus, self._palette)

    def _paint_frame(self, scale: float, focus: Focus, *, moving: bool = False) -> None:
        self._paint(self._paint_scene, self.build_scene(scale, focus, moving=moving))

    def _paint_scene(self, painter: QPainter, scene: Scene) -> None:
        painter.fillRect(0, 0, WIDTH, HEIGHT, scene.palette.background)
        for layer in self.layers:
            layer.paint(painter, scene)


class OpenGLTarget:
    """A framebuffer like that of an OpenGL viewport, in a context without a window.

    Raises:
        RuntimeError: the system offers no OpenGL that can be used.
    """

    def __init__(self, ratio: float) -> None:
        self._context = QOpenGLContext()
        if not self._context.create():
            raise RuntimeError("there is no OpenGL context")
        self._surface = QOffscreenSurface()
        self._surface.setFormat(self._context.format())
        self._surface.create()
        if not self._context.makeCurrent(self._surface):
            raise RuntimeError("the OpenGL context can't be used")
        functions = self._functions = self._context.functions()
        self.names = {
            name: str(functions.glGetString(number) or "")
            for name, number in (
                ("vendor", GL_VENDOR),
                ("renderer", GL_RENDERER),
                ("version", GL_VERSION),
            )
        }
        size = QSize(round(WIDTH * ratio), round(HEIGHT * ratio))
        attachments = QOpenGLFramebufferObjectFormat()
        attachments.setAttachment(QOpenGLFramebufferObject.Attachment.CombinedDepthStencil)
        attachments.setSamples(SAMPLES)
        self._buffer: QOpenGLFramebufferObject | None = QOpenGLFramebufferObject(size, attachments)
        self._resolved: QOpenGLFramebufferObject | None = QOpenGLFramebufferObject(size)
        if not (self._buffer.isValid() and self._resolved.isValid()):
            raise RuntimeError("OpenGL has no framebuffer of this size")
        if not self._buffer.format().samples():
            raise RuntimeError("OpenGL has no smooth lines")
        self._device: QOpenGLPaintDevice | None = QOpenGLPaintDevice(size)
        self._device.setDevicePixelRatio(ratio)

    def paint(self, paint_scene: Callable[[QPainter, Scene], None], scene: Scene) -> None:
        """Paint one frame and wait until it is finished."""
        assert self._buffer and self._resolved and self._device
        self._buffer.bind()
        painter = QPainter(self._device)
        paint_scene(painter, scene)
        painter.end()
        # as for every frame of a viewport, whose samples are combined before it is shown
        QOpenGLFramebufferObject.blitFramebuffer(self._resolved, self._buffer)
        self._functions.glFinish()

    def read_image(self) -> QImage:
        assert self._resolved
        return self._resolved.toImage()

    def close(self) -> None:
        """Delete what needs the context before it ends."""
        self._device = self._buffer = self._resolved = None
        self._context.doneCurrent()


def measure_difference(one: QImage, other: QImage) -> tuple[float, float]:
    """Return how much two pictures differ on average, and in the block that differs most (0 to 1).

    Blocks are compared by their mean colours: the edges of lines differ in single pixels.
    """
    first, second = (_find_blocks(image) for image in (one, other))
    away = np.abs(first - second)
    return float(away.mean() / 255), float(away.max() / 255)


def _find_blocks(image: QImage) -> np.ndarray:
    """Return the mean colour of each block, shape (rows, columns, 3)."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    height, width = image.height() // BLOCK, image.width() // BLOCK
    pixels = np.frombuffer(image.constBits(), dtype=np.uint8)
    pixels = pixels.reshape(image.height(), image.bytesPerLine())[:, : 4 * image.width()]
    pixels = pixels.reshape(image.height(), image.width(), 4)[: height * BLOCK, : width * BLOCK, :3]
    blocks = pixels.reshape(height, BLOCK, width, BLOCK, 3).astype(np.float64)
    return np.asarray(blocks.mean(axis=(1, 3)))


def compare(theme: Theme, ratio: float) -> dict[str, Any]:
    """Paint all frames on both devices, in turn; return times, differences and names."""
    image = QImage(round(WIDTH * ratio), round(HEIGHT * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)

    def paint_image(paint_scene: Callable[[QPainter, Scene], None], scene: Scene) -> None:
        painter = QPainter(image)
        paint_scene(painter, scene)
        painter.end()

    target = OpenGLTarget(ratio)
    try:
        data = build_trial_data()
        raster, opengl = Painter(theme, data, paint_image), Painter(theme, data, target.paint)
        for _ in range(WARM_UP + N_ROUNDS):  # in turn: other work slows both alike
            raster.paint_round()
            opengl.paint_round()
            if opengl.wall_s[-1] > HOPELESS * raster.wall_s[-1] and len(opengl.wall_s) > WARM_UP:
                break
        raster.paint_still()
        opengl.paint_still()
        mean, worst = measure_difference(image, target.read_image())
        n_frames = N_MOVING + N_RESTING + N_REPEATED
        return {
            **target.names,
            "raster_ms": 1000 * min(raster.wall_s[WARM_UP:]) / n_frames,
            "opengl_ms": 1000 * min(opengl.wall_s[WARM_UP:]) / n_frames,
            "raster_processor_ms": 1000 * min(raster.processor_s[WARM_UP:]) / n_frames,
            "opengl_processor_ms": 1000 * min(opengl.processor_s[WARM_UP:]) / n_frames,
            "mean_difference": mean,
            "worst_difference": worst,
        }
    finally:
        target.close()


def open_canvas(theme: Theme) -> bool:
    """Open a canvas with an OpenGL viewport in a window that is never on the screen.

    Returns:
        Whether the viewport got a context and painted.
    """
    canvas = GraphCanvas(theme, use_opengl=True)
    canvas.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    canvas.resize(320, 200)
    canvas.show()
    for _ in range(3):
        canvas.repaint_layers()
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 50)
    works = canvas.has_opengl and not canvas.grab().isNull()
    canvas.close()
    canvas.deleteLater()
    return works


def main() -> int:
    """Run the trial that stdin asks for, and print its result."""
    enable_child_faults()
    request = json.loads(sys.stdin.readline())
    application = QApplication(sys.argv[:1])
    theme = Theme("light")
    application.setFont(theme.font("text"))
    try:
        result = compare(theme, float(request["ratio"]))
        if not open_canvas(theme):
            result = {"problem": "a window can't be drawn with OpenGL"}  # not shown
    except RuntimeError as error:
        result = {"problem": str(error)}
    print(json.dumps(result), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
