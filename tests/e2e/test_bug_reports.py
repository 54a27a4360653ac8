"""Tests that a bug in the running program is shown and logged, and the program continues."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

# Runs the program as `inkgraph --library` does. A slot fails once the window is there; the next
# step waits for what the message bar shows, presses its button and closes the window.
PROGRAM = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow, QPlainTextEdit, QPushButton
from desktop_app.app import run_window
from desktop_app.engine import crash_log

crash_log.start_session("window")
application = QApplication(sys.argv[:1])

def window():
    return next((w for w in application.topLevelWidgets() if isinstance(w, QMainWindow)), None)

def fail():
    raise KeyError("a slot that fails")

def look():
    bar = window().message_bar
    if bar.isVisible():
        timer.stop()
        print("shown:", bar.text.text())
        bar.action.click()
        sheet = window().findChild(QDialog)
        shown = sheet.findChild(QPlainTextEdit).toPlainText()
        next(b for b in sheet.findChildren(QPushButton) if b.text() == "Copy report").click()
        print("copied:", shown == QGuiApplication.clipboard().text(), "in fail" in shown)
        print("text of the bug:", "a slot that fails" in shown)
        window().close()

hook = sys.excepthook
timer = QTimer(interval=50)
timer.timeout.connect(look)
QTimer.singleShot(0, fail)
QTimer.singleShot(0, timer.start)
code = run_window(["--library", sys.argv[1]])
print("ended:", code, sys.excepthook is hook)
"""


def test_a_bug_in_a_slot_is_shown_in_the_window_of_the_running_program(tmp_path: Path):
    environment = {**os.environ, "INKGRAPH_HOME": str(tmp_path / "home")}
    environment["INKGRAPH_MODELS"] = str(tmp_path / "no models")
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "one.inkgraph")],
        env=environment,
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ended.returncode == 0, ended.stderr
    lines = [line for line in ended.stdout.splitlines() if ": " in line]
    assert lines == [
        "shown: Something went wrong in Inkgraph: KeyError: 'a slot that fails'",
        "copied: True True",
        "text of the bug: False",
        "ended: 0 True",
    ]
    assert ended.stderr.count("KeyError") == 1 and "a slot that fails" not in ended.stderr
    assert "ERROR desktop_app.workers.failures" in ended.stderr
