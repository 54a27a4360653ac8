"""A second start on a library that a window has open: the question, that window, and undo."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QPushButton

from desktop_app.app import App
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.services.open_windows import find_windows
from desktop_app.ui.workspace import Workspace
from tests.small_library import TEXT, add

ROOT = Path(__file__).resolve().parents[2]
WAIT_MS = 60_000


@pytest.fixture
def path(app: App, tmp_path: Path) -> Path:
    made = Library(tmp_path / "novels.inkgraph")
    for name in ("clocks", "bells"):
        add(made, tmp_path, f"{name}.txt", f"{name}. {TEXT}")
    made.close()
    return made.path


@pytest.fixture
def other(path: Path, qtbot) -> Iterator[subprocess.Popen[bytes]]:
    """The window of another process on the library."""
    environment = {**os.environ, "INKGRAPH_SUPERVISED": "1", "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-m", "desktop_app", "--library", str(path)]
    made = subprocess.Popen(command, env=environment, cwd=ROOT, stderr=subprocess.PIPE)
    qtbot.waitUntil(lambda: bool(find_windows(path)), timeout=WAIT_MS)
    yield made
    made.kill()
    made.communicate()


def list_titles(path: Path) -> list[str]:
    library = Library(path)
    titles = [row.title for row in LibraryReader(library.reader()).list_documents()]
    library.close()
    return sorted(titles)


def test_the_window_that_is_open_is_shown_and_gets_the_files(app: App, qtbot, path, other):
    note = path.with_name("lamps.txt")
    note.write_text(f"lamps. {TEXT}", "utf-8")
    app.open_or_ask(path, lambda workspace: pytest.fail("opened"), [str(note)])
    dialog = app.elsewhere.dialog
    assert dialog.isVisible() and app.workspace is None
    assert dialog.title.text() == "“novels” is open in another window"
    with qtbot.waitSignal(dialog.accepted, timeout=WAIT_MS):
        dialog.show_button.click()
    assert app.workspace is None and other.poll() is None
    qtbot.waitUntil(lambda: len(list_titles(path)) == 3, timeout=WAIT_MS)


def test_a_window_that_ended_without_closing_is_not_asked_about(app: App, path, other):
    other.kill()
    other.wait()
    opened: list[Workspace] = []
    app.open_or_ask(path, opened.append)
    assert opened == [app.workspace] and app.elsewhere.dialog is None
    assert app.workspace.window.banner.isHidden()


def test_a_window_that_does_not_answer_is_named(app: App, qtbot, path, other, monkeypatch):
    monkeypatch.setattr("desktop_app.app.ANSWER_S", 0.2)
    os.kill(other.pid, 19)  # SIGSTOP: it computes, or hangs
    app.open_or_ask(path)
    dialog = app.elsewhere.dialog
    dialog.show_button.click()
    qtbot.waitUntil(lambda: dialog.problem.text() == "That window does not answer.")
    assert dialog.isVisible() and dialog.show_button.isEnabled()
    dialog.reject()


def test_another_library_is_opened_instead(app: App, path, other, monkeypatch):
    own = path.with_name("own.inkgraph")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(own), ""))
    opened: list[Workspace] = []
    app.open_or_ask(path, opened.append)
    [button] = [
        one
        for one in app.elsewhere.dialog.findChildren(QPushButton)
        if one.text() == "Another library…"
    ]
    button.click()
    assert opened == [app.workspace] and app.workspace.session.library.path == own


def test_opened_anyway_undo_asks_before_it_takes_a_step_of_another_window(
    app: App, qtbot, path, other, monkeypatch
):
    monkeypatch.setattr("desktop_app.workers.open_window.LOOK_MS", 200)
    app.open_or_ask(path)
    app.elsewhere.dialog.open_button.click()
    workspace = app.workspace
    assert "open in another window" in workspace.window.banner.text.text()
    messages, undo = workspace.context.messages, workspace.window.actions_by_name["undo"].trigger
    library = Library(path)  # as the other window writes
    documents = DocumentService(library.writer)
    [first, second] = [row.id for row in LibraryReader(library.reader()).list_documents()]
    documents.set_aside([first], True)
    undo()
    qtbot.waitUntil(lambda: messages.last is not None and messages.last.action_text == "Undo it")
    assert messages.last.text == (
        "The last change was made in another window or program: Exclude “bells” from answers"
    )
    workspace.context.hub.publish_edit(workspace.context.documents.set_aside([second], True))
    undo()
    qtbot.waitUntil(lambda: messages.last.text == "Undone: Exclude “clocks” from answers")
    undo()
    qtbot.waitUntil(lambda: messages.last.action_text == "Undo it")
    messages.last.action()
    qtbot.waitUntil(lambda: messages.last.text == "Undone: Exclude “bells” from answers")
    messages.last.action()  # redo by its button: the step is still one of the other window
    qtbot.waitUntil(lambda: messages.last.action_text == "Redo it")
    messages.last.action()
    qtbot.waitUntil(lambda: messages.last.text == "Redone: Exclude “bells” from answers")
    library.close()
    other.kill()
    other.wait()
    qtbot.waitUntil(workspace.window.banner.isHidden)  # killed, it could not say that it ends


def test_steps_of_before_are_undone_without_a_question(app: App, qtbot, path):
    library = Library(path)
    [row, _] = LibraryReader(library.reader()).list_documents()
    DocumentService(library.writer).set_aside([row.id], True)
    library.close()
    workspace = app.open_library(path)
    workspace.window.actions_by_name["undo"].trigger()
    messages = workspace.context.messages
    qtbot.waitUntil(lambda: messages.last is not None and "Undone" in messages.last.text)
