"""How smoothly the graph pans, zooms, hovers and drags: frames of the canvas, painted offscreen.

Run `python -m benchmarks.graph_view [SIZE ...]`. Made-up graphs, a scripted tour, every frame
painted in full; beside ours, the same tour over pyqtgraph's own `GraphItem` and over one
`QGraphicsItem` an element; and how long each layout takes. Times are of this process's own
processor, so that others at work on the machine count little; frames a second by the clock stand
beside them. The last line is JSON.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from functools import partial

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import (
    QApplication,
    QGraphicsEllipseItem,
    QGraphicsLineItem,
    QGraphicsScene,
    QGraphicsView,
)

from desktop_app.engine.graph.view.arrangement import lay_out
from desktop_app.engine.graph.view.graph_data import Filters, GraphData, set_sizes
from desktop_app.engine.graph.view.view import LAYOUTS, DiscPositions, View, ViewContent
from desktop_app.engine.model import (
    ENTITY_TYPES,
    EntityId,
    EntityRow,
    RelationId,
    RelationRow,
    Subgraph,
)
from desktop_app.ui.explorer.canvas import GraphCanvas
from desktop_app.ui.explorer.node_colors import set_colors
from desktop_app.ui.theme.theme import Theme

from .common import in_turn, make_parser, print_result

WIDTH, HEIGHT = 1280, 800
SIZES = {
    "2k": (2_000, 6_000),
    "5k": (5_000, 15_000),
    "20k": (20_000, 60_000),
    "50k": (50_000, 150_000),
}
BINS_MS = (0, 4, 8, 16, 33, 66, 133, 266, 100_000)
STEPS = 15  # frames a part of the tour
FEW = 2  # ... over the canvases of comparison, which take seconds a frame


def build_graph(n: int, n_relations: int) -> Subgraph:
    """Return a made-up graph whose connections are as uneven as those of a novel."""
    random = np.random.default_rng(5)
    share = 1 / np.arange(1, n + 1) ** 0.7
    ends = random.choice(n, (n_relations, 2), p=share / share.sum())
    ends = np.unique(np.sort(ends[ends[:, 0] != ends[:, 1]], axis=1), axis=0)
    degrees = np.bincount(ends.ravel(), minlength=n)
    entities = tuple(
        EntityRow(EntityId(i), f"Name {i}", ENTITY_TYPES[i % 7], 1, int(degrees[i]), 1)
        for i in range(n)
    )
    weights = random.pareto(1.5, len(ends)) + 1
    relations = tuple(
        RelationRow(
            RelationId(k),
            EntityId(int(a)),
            EntityId(int(b)),
            "",
            "",
            float(weights[k]),
            1,
            direction=k % 4,
        )
        for k, (a, b) in enumerate(ends)
    )
    return Subgraph(entities, relations, n)


class Clock:
    """Collects how long frames take, by the processor and by the clock, in seconds."""

    def __init__(self) -> None:
        self.own: list[float] = []
        self.wall: list[float] = []

    def time(self, step: Callable[[], object]) -> None:
        wall, own = time.perf_counter(), time.process_time()
        step()
        self.own.append(time.process_time() - own)
        self.wall.append(time.perf_counter() - wall)

    def figures(self) -> dict[str, object]:
        """Return frames a second (middle and worst twentieth) and the histogram in ms."""
        own = np.array(self.own)
        counts, _ = np.histogram(own * 1000, BINS_MS)
        return {
            "fps": round(1 / float(np.median(own)), 1),
            "fps_worst_5_percent": round(1 / float(np.quantile(own, 0.95)), 1),
            "fps_by_the_clock": round(1 / float(np.median(self.wall)), 1),
            "frames": len(own),
            "histogram_ms": {
                f"<{high}" if high < 1000 else f">={low}": int(n)
                for low, high, n in zip(BINS_MS[:-1], BINS_MS[1:], counts, strict=True)
                if n
            },
        }


def measure_ours(theme: Theme, graph: Subgraph) -> tuple[dict[str, object], GraphData]:
    """Return the figures of our canvas, and the picture for the others."""
    layouts_s: dict[str, float] = {}
    made: list[GraphData] = []
    for layout in LAYOUTS:
        own = time.process_time()
        content = ViewContent(graph, View(layout=layout))
        made.append(lay_out(graph, DiscPositions(), content=content))
        layouts_s[layout] = round(time.process_time() - own, 2)
    data = made[0]  # by forces
    canvas = GraphCanvas(theme)
    canvas.resize(WIDTH, HEIGHT)
    canvas.show()
    times: dict[str, float] = {}

    def once(name: str, step: Callable[[], object]) -> None:
        started = time.process_time()
        step()
        canvas.grab()
        times[name] = round(1000 * (time.process_time() - started), 1)

    once("open_ms", lambda: canvas.show_data(data))
    once("filter_ms", lambda: canvas.set_filters(Filters(frozenset({0, 1}), connections=(2, 1e9))))
    once("unfilter_ms", lambda: canvas.set_filters(Filters()))
    once("recolor_ms", in_turn(partial(set_colors, data, "group", {}), canvas.repaint_layers))
    once("resize_ms", in_turn(partial(set_sizes, data, "rank"), canvas.repaint_layers))
    set_sizes(data, "connections")
    canvas.fit()
    big = data.by_size[:STEPS]
    hub = int(big[0])
    parts = {
        "pan": lambda k: canvas.pan(QPointF(14, 6) if k % 2 else QPointF(-22, 9)),
        "zoom_in": lambda k: canvas.zoom(1.15, QPointF(500, 380)),
        "pan_near": lambda k: canvas.pan(QPointF(14, 6) if k % 2 else QPointF(-22, 9)),
        "hover": lambda k: canvas.hover_row(int(big[k])),
        "drag": lambda k: canvas.move_disc(hub, QPointF(400 + 9 * k, 300 + 4 * k)),
        "zoom_out": lambda k: canvas.zoom(1 / 1.15, QPointF(700, 420)),
    }
    every, fps = Clock(), {}
    for name, part in parts.items():
        if name == "drag":
            canvas.hover_row(None)
        clock = Clock()
        for k in range(STEPS):
            clock.time(in_turn(partial(part, k), canvas.grab))
        every.own += clock.own
        every.wall += clock.wall
        fps[name] = round(1 / float(np.median(clock.own)), 1)
    canvas.moving = False
    canvas.repaint_layers()
    once("still_ms", lambda: None)
    canvas.close()
    return every.figures() | {"layouts_s": layouts_s, "by_part": fps} | times, data


def measure_graph_item(data: GraphData) -> dict[str, object]:
    """The same tour over pyqtgraph's `GraphItem`, with a `TextItem` for the biggest names."""
    view = pg.GraphicsLayoutWidget()
    view.resize(WIDTH, HEIGHT)
    box = view.addViewBox(lockAspect=True, invertY=True)
    item = pg.GraphItem(
        pos=data.places, adj=data.pairs, size=data.radii * 2, pxMode=False, pen=(120, 120, 120, 60)
    )
    box.addItem(item)
    for row in data.by_size[:60]:
        text = pg.TextItem(data.entities[row].name, anchor=(0.5, 0))
        text.setPos(*data.places[row])
        box.addItem(text)
    view.show()
    view.grab()
    clock = Clock()
    for k in range(FEW):
        clock.time(in_turn(partial(box.translateBy, x=40 + k, y=20), view.grab))
        clock.time(in_turn(partial(box.scaleBy, (0.87, 0.87)), view.grab))
    view.close()
    return clock.figures()


def measure_items(data: GraphData) -> dict[str, object]:
    """The same tour over one `QGraphicsItem` an element."""
    scene = QGraphicsScene()
    pen = QPen(QColor(120, 120, 120, 60), 0)
    for a, b in data.pairs:
        line = QGraphicsLineItem(QLineF(QPointF(*data.places[a]), QPointF(*data.places[b])))
        line.setPen(pen)
        scene.addItem(line)
    for place, radius in zip(data.places, data.radii, strict=True):
        disc = QGraphicsEllipseItem(QRectF(-radius, -radius, 2 * radius, 2 * radius))
        disc.setPos(*place)
        disc.setBrush(QColor("#0072B2"))
        disc.setPen(Qt.PenStyle.NoPen)
        scene.addItem(disc)
    view = QGraphicsView(scene)
    view.setRenderHint(QPainter.RenderHint.Antialiasing)
    view.resize(WIDTH, HEIGHT)
    view.show()
    view.fitInView(scene.sceneRect(), Qt.AspectRatioMode.KeepAspectRatio)
    view.grab()
    clock = Clock()
    bar = view.horizontalScrollBar()
    for k in range(FEW):
        clock.time(in_turn(partial(bar.setValue, bar.value() + 14 + k), view.grab))
        clock.time(in_turn(partial(view.scale, 1.15, 1.15), view.grab))
    view.close()
    return clock.figures()


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("sizes", nargs="*", metavar="SIZE", help=" ".join(SIZES))
    wanted = parser.parse_args().sizes or list(SIZES)
    if unknown := sorted(set(wanted) - set(SIZES)):
        parser.error(f"unknown size {unknown[0]}; sizes: {' '.join(SIZES)}")
    application = QApplication([])
    theme = Theme("light")
    theme.apply(application)
    result: dict[str, object] = {}
    for key in wanted:
        ours, data = measure_ours(theme, build_graph(*SIZES[key]))
        print(f"{key} ours: {json.dumps(ours)}", flush=True)
        result[key] = ours
        others = {"graph_item": measure_graph_item, "items": measure_items}
        for name, measure in others.items() if key in ("2k", "20k") else ():
            figures = measure(data)
            print(f"{key} {name}: {json.dumps(figures)}", flush=True)
            result[f"{key}_{name}"] = figures["fps"]
    print_result("graph_view", **result)


if __name__ == "__main__":
    main()
