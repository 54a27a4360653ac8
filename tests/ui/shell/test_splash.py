"""Tests the picture shown while the program is being loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from desktop_app.ui.shell.splash import HEIGHT, WIDTH, Splash

ROOT = Path(__file__).resolve().parents[3]
# Would delay the picture by as long as it is meant to bridge.
HEAVY = ("numpy", "pyqtgraph", "apsw", "desktop_app.session", "desktop_app.engine.model")


def count_dark_pixels(splash: Splash, top: float) -> int:
    """Return the number of dark pixels from a height on, which is a share of the whole."""
    image = splash.grab().toImage().scaled(WIDTH, HEIGHT)
    rows = range(round(HEIGHT * top), HEIGHT - 2)
    return sum(QColor(image.pixel(x, y)).lightness() < 160 for y in rows for x in range(WIDTH))


def test_it_imports_nothing_heavy():
    code = "import sys, desktop_app.ui.shell.splash; print(*sys.modules)"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert not {*HEAVY} & {*done.stdout.split()}


def test_it_says_what_is_done_and_does_not_end_the_program(qtbot):
    splash = Splash()
    assert splash.isVisible() and not splash.testAttribute(Qt.WidgetAttribute.WA_QuitOnClose)
    assert count_dark_pixels(splash, 0) > 1000, "logo and name"
    before = count_dark_pixels(splash, 0.7)
    splash.show_work("Opening “A library with a name that is far too long for one line, 甲”…")
    assert count_dark_pixels(splash, 0.7) > before + 100
    ended: list[bool] = []
    QApplication.instance().lastWindowClosed.connect(lambda: ended.append(True))
    splash.close()
    assert not ended and not splash.isVisible()
