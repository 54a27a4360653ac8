"""The processes that read documents are started when files are expected, and when they come."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent
from PySide6.QtWidgets import QApplication, QFileDialog

from desktop_app.engine.services.text_analysis.process import shared_analysis
from desktop_app.engine.text.reader_process import shared_reader
from desktop_app.session import Session
from desktop_app.ui.shell import screen_preparation
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.workspace import Workspace
from tests.ui.controllers.test_enrichment import WAIT_MS, OneModelRegistry


def find_children() -> tuple[list[int], int | None]:
    return shared_analysis().child_pids, shared_reader().child_pid


def end_children() -> None:
    shared_analysis().close()
    shared_reader().close()


@pytest.fixture
def workspace(qapp, tmp_path, monkeypatch):
    end_children()  # of earlier tests
    monkeypatch.setattr(screen_preparation, "START_MS", 0)
    monkeypatch.setattr(screen_preparation, "PAUSE_MS", 0)
    theme = Theme("light")
    theme.apply(QApplication.instance(), sets_sheet=False)
    made = Workspace(Session(tmp_path / "w.inkgraph", OneModelRegistry()), theme)
    yield made
    made.close()


def wait_for_children(qtbot) -> tuple[list[int], int | None]:
    qtbot.waitUntil(lambda: all(find_children()), timeout=WAIT_MS)
    return find_children()


def drop(workspace: Workspace, path: Path) -> None:
    path.write_text("Clara Wren winds the clocks of Leeds.", "utf-8")
    workspace.window.files_dropped.emit([str(path)])


def hold_over(workspace: Workspace, path: Path) -> None:
    """Hold a file over the window, as at the beginning of a drop."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    button, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    event = QDragEnterEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, button, keys)
    workspace.window.dragEnterEvent(event)


@pytest.mark.parametrize("ask", ["add_files", "add_folder"])
def test_what_reads_documents_starts_while_files_are_chosen(qtbot, workspace, monkeypatch, ask):
    seen = []
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: (seen.append(1), ([], ""))[1])
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: seen.append(1) or "")
    workspace.window.show()
    getattr(workspace.window.screens.library, ask)()
    assert seen
    wait_for_children(qtbot)


def test_a_document_finds_its_processes_started(qtbot, workspace, tmp_path):
    workspace.window.show()
    qtbot.waitUntil(lambda: workspace.preparation.is_done, timeout=WAIT_MS)
    assert find_children() == ([], None)  # they take memory while nothing is added
    (tmp_path / "first.txt").touch()
    hold_over(workspace, tmp_path / "first.txt")
    prepared = wait_for_children(qtbot)
    drop(workspace, tmp_path / "first.txt")
    reader = workspace.context.library_reader
    qtbot.waitUntil(
        lambda: [row.state for row in reader.list_documents()] == ["ready"], timeout=WAIT_MS
    )
    assert find_children() == prepared
    # Later they ended by themselves; files that come start them before indexing does.
    workspace.session.indexing_runner.pause()
    qtbot.waitUntil(lambda: not workspace.session.lanes["preparing"]._jobs, timeout=WAIT_MS)
    end_children()
    drop(workspace, tmp_path / "second.txt")
    wait_for_children(qtbot)
