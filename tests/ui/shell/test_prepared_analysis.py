"""The processes that read documents are started while the window is idle, and when files come."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from desktop_app.engine.services.text_analysis.process import shared_analysis
from desktop_app.engine.text.reader_process import shared_reader
from desktop_app.session import Session
from desktop_app.ui import workspace as workspace_module
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
    monkeypatch.setattr(workspace_module, "IDLE_S", 0.0)
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


def test_a_document_finds_its_processes_started(qtbot, workspace, tmp_path):
    workspace.window.show()
    assert find_children() == ([], None)  # not before the window is shown
    prepared = wait_for_children(qtbot)
    assert workspace.preparation.is_done
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
