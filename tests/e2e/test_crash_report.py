"""Tests the window after a crash, and on a machine where no model can run."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QPushButton

from desktop_app.app import App
from desktop_app.engine import crash_log
from desktop_app.engine.llm.trial_child import write_chat_model, write_embedding_model

ROOT = Path(__file__).resolve().parents[2]
WAIT_MS = 60_000
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")


def crash_a_window(name: str) -> None:
    program = (
        "import os, signal\nfrom desktop_app.engine import crash_log\n"
        "crash_log.start_session('window')\ncrash_log.note_step('loading the model a.gguf')\n"
        f"os.kill(os.getpid(), signal.{name})\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    code = subprocess.call([sys.executable, "-c", program], env=environment)
    assert code == -signal.Signals[name]


def test_the_window_reports_the_last_crash_and_shows_its_log(app: App, tmp_path: Path):
    crash_a_window("SIGILL")
    window = app.open_library(tmp_path / "one.inkgraph").window
    [report] = crash_log.take_crashes("window")
    app.report_crash(report)
    message = app.workspace.context.messages.last
    assert "ended unexpectedly last time: SIGILL" in message.text
    assert message.action_text == "Show report"
    message.action()
    sheet = next(s for s in window.findChildren(QDialog) if s.findChildren(QPlainTextEdit))
    text = sheet.findChild(QPlainTextEdit).toPlainText()
    assert "Fatal Python error: Illegal instruction" in text
    assert "loading the model a.gguf" in text
    assert "Memory:" in text and "--- The last lines of the log" in text
    copy = next(b for b in sheet.findChildren(QPushButton) if b.text() == "Copy report")
    copy.click()
    assert "Illegal instruction" in QGuiApplication.clipboard().text()
    sheet.close()


def test_without_usable_models_the_window_reports_it_and_the_rest_works(
    app: App, models: Path, tmp_path: Path, qtbot, monkeypatch
):
    deadly = tmp_path / "deadly" / "llama_cpp"
    models.mkdir()
    write_chat_model(models / "chat.gguf")
    write_embedding_model(models / "embedding.gguf")
    deadly.mkdir(parents=True)
    (deadly / "__init__.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGILL)\n")
    monkeypatch.setenv("PYTHONPATH", str(deadly.parent))
    note = tmp_path / "note.txt"
    note.write_text("Robert Vale met Ann Stone in Leeds. Ann Stone kept the letter of the pilot.")
    workspace = app.open_library(tmp_path / "one.inkgraph")

    def says_so() -> bool:
        last = workspace.context.messages.last
        return last is not None and "Models can't run here: llama.cpp was stopped" in last.text

    qtbot.waitUntil(says_so, timeout=WAIT_MS)
    assert "SIGILL" in workspace.context.messages.last.text
    workspace.session.add_paths([str(note)])
    library_reader = workspace.context.library_reader
    qtbot.waitUntil(lambda: bool(library_reader.top_entities(5)), timeout=WAIT_MS)
    answer = workspace.context.answer_pipeline.query("Who kept the letter of the pilot?")
    assert any("kept the letter" in passage.text for passage in answer.found.passages)
    shutil.rmtree(deadly)
