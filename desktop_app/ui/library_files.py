"""Asks which library file to open or to make. Owns the two questions; opens nothing."""

from __future__ import annotations

from PySide6.QtWidgets import QFileDialog, QWidget

from desktop_app.engine import paths

from .language import later, tr

LIBRARY_FILTER = later("Inkgraph libraries (*.inkgraph)")


def ask_for_library(parent: QWidget) -> str:
    """Return the library that was chosen, "" for none."""
    start = str(paths.default_library().parent)
    path, _ = QFileDialog.getOpenFileName(parent, tr("Open a library"), start, tr(LIBRARY_FILTER))
    return path


def ask_for_new_library(parent: QWidget) -> str:
    """Return where a new library is to lie, "" for nowhere."""
    start = str(paths.default_library().parent / tr("New library.inkgraph"))
    path, _ = QFileDialog.getSaveFileName(parent, tr("New library"), start, tr(LIBRARY_FILTER))
    return path
