"""Paints a view of the graph into a file without a window, for the command line.

Starts Qt on the offscreen platform where no application runs.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QApplication

from desktop_app.engine.errors import cannot_write
from desktop_app.engine.graph.view.arrangement import lay_out
from desktop_app.engine.graph.view.view import DiscPositions, View
from desktop_app.engine.services.view_reader import read_view
from desktop_app.ui.explorer.node_colors import set_colors

from ..theme.theme import Theme
from .export import frame_of_all, write_picture
from .focus import Focus
from .labels import LabelLayer
from .layers import DiscLayer, GuideLayer, RelationLayer
from .palette import build_graph_palette


def paint_view(
    library_reader: Any,
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
    set_colors(data, color, content.titles)
    small = theme.font("small")
    layers = (GuideLayer(small), RelationLayer(), DiscLayer(), LabelLayer(small))
    frame = frame_of_all(data, width, height)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        palette = build_graph_palette(theme.tokens)
        write_picture(path, layers, frame, data, Focus(), palette, scale)
    except OSError as error:
        raise cannot_write(path, error) from error
    return len(data)
