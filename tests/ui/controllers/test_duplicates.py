"""The number beside the merge desk: counted in a real library before the desk is opened."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.session import Session
from desktop_app.ui.controllers import duplicates
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.workspace import Workspace
from desktop_app.workers.background_jobs import QueueRunner
from tests.e2e.test_main_task import FakeModelRegistry

TEXT = """
Elizabeth met Mrs. Gilmot at Marsh End. Mr. Thornby danced with Elizabeth.
Lizzy went home to Marsh End, and Mrs. Gilmot followed Lizzy slowly.
Elizabeth told Mr. Thornby of Marsh End. Lizzy danced with Mr. Thornby at Marsh End.
"""


@pytest.fixture(params=["idle", "reading"])
def workspace(request, qtbot, qapp: QApplication, tmp_path, monkeypatch):
    monkeypatch.setattr(duplicates, "QUIET_MS", 1)
    if request.param == "reading":  # which takes minutes; the names are there from the start
        monkeypatch.setattr(QueueRunner, "is_running", property(lambda runner: True))
    (tmp_path / "story.txt").write_text(TEXT * 2, "utf-8")
    library = Library(tmp_path / "story.inkgraph")
    add_files(library.writer, [tmp_path / "story.txt"])
    IndexingService(library.writer, lambda: None).run(embed=False)
    library.close()
    made = Workspace(
        Session(tmp_path / "story.inkgraph", FakeModelRegistry("Nothing.")), Theme("light")
    )
    made.window.show()
    yield made
    made.close()


def test_suggestions_are_counted_without_opening_the_merge_desk(workspace: Workspace, qtbot):
    row = workspace.window.sidebar.rows["merge"]
    qtbot.waitUntil(lambda: row.count.text() == "1")
    assert row.toolTip() == "1 suggestion to merge names"
    assert not workspace.window.screens.merge.model.n_all
