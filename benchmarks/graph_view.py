"""How smoothly the graph pans and zooms: frames a second of the canvas, painted offscreen.

Run `python benchmarks/graph_view.py`. Made-up graphs, a scripted tour, every frame painted in
full; the last line is JSON.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QApplication

from desktop_app.engine.graph.layout import force_layout
from desktop_app.engine.types import (
    ENTITY_TYPES,
    EntityRow,
    RelationRow,
    Subgraph,
)
from desktop_app.ui.explorer.canvas import GraphCanvas
from desktop_app.ui.explorer.graph_data import build_graph_data
from desktop_app.ui.theme.theme import Theme

WIDTH, HEIGHT = 1280, 800


def build_graph(n: int, n_relations: int) -> Subgraph:
    """Return a made-up graph whose connections are as uneven as those of a novel."""
    random = np.random.default_rng(5)
    share = 1 / np.arange(1, n + 1) ** 0.7
    ends = random.choice(n, (n_relations, 2), p=share / share.sum())
    ends = np.unique(np.sort(ends[ends[:, 0] != ends[:, 1]], axis=1), axis=0)
    degrees = np.bincount(ends.ravel(), minlength=n)
    entities = tuple(
        EntityRow(i, f"Name {i}", ENTITY_TYPES[i % 7], 1, int(degrees[i]), 1) for i in range(n)
    )
    weights = random.pareto(1.5, len(ends)) + 1
    relations = tuple(
        RelationRow(k, int(a), int(b), "", "", float(weights[k]), 1)
        for k, (a, b) in enumerate(ends)
    )
    return Subgraph(entities, relations, n)


def measure(theme: Theme, n: int, n_relations: int) -> tuple[float, float, float]:
    """Return median and worst frames a second of the tour, and seconds of layout."""
    data = build_graph_data(build_graph(n, n_relations))
    started = time.perf_counter()
    data.places = force_layout(n, data.pairs, data.weights, radii=data.radii)
    layout_s = time.perf_counter() - started
    canvas = GraphCanvas(theme)
    canvas.resize(WIDTH, HEIGHT)
    canvas.show()
    canvas.show_data(data)
    canvas.grab()
    steps = [lambda: canvas.pan(QPointF(14, 6))] * 15
    steps += [lambda: canvas.zoom(1.15, QPointF(500, 380))] * 15
    steps += [lambda: canvas.pan(QPointF(-22, 9))] * 15
    steps += [lambda: canvas.zoom(1 / 1.15, QPointF(700, 420))] * 15
    times = []
    for step in steps:
        started = time.perf_counter()
        step()
        canvas.grab()
        times.append(time.perf_counter() - started)
    canvas.close()
    return 1 / float(np.median(times)), 1 / max(times), layout_s


def main() -> None:
    app = QApplication.instance() or QApplication([])
    theme = Theme("light")
    theme.apply(app)
    result: dict[str, object] = {"bench": "graph-view"}
    for key, n, n_relations in (("2k", 2_000, 6_000), ("20k", 20_000, 60_000)):
        middle, worst, layout_s = measure(theme, n, n_relations)
        print(f"{n} names: {middle:.1f} fps, worst {worst:.1f}, layout {layout_s:.2f} s")
        result |= {f"fps_{key}": round(middle, 1), f"worst_fps_{key}": round(worst, 1)}
        result[f"layout_s_{key}"] = round(layout_s, 2)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
