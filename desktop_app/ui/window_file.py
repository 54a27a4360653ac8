"""The file in which the window keeps how it was left: sizes, orders, what is folded or chosen.

What the engine reads too is in its own settings (`engine/settings.py`).
"""

from __future__ import annotations

from PySide6.QtCore import QSettings

from desktop_app.engine import paths


def open_window_file() -> QSettings:
    """Return the file; all objects of it that are open at the same time share one cache."""
    return QSettings(str(paths.data_dir() / "window.ini"), QSettings.Format.IniFormat)
