"""Tests the real window and a real server process that both change one library."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from PySide6.QtCore import Qt

from desktop_app.ui.workspace import Workspace
from tests.e2e.test_servers import run_server
from tests.e2e.test_undo_in_window import (
    WAIT_MS,
    change,
    last_message,
    press,
    titles,
    wait_for_jobs,
    workspace,
)

__all__ = ["workspace"]  # a fixture
pytestmark = pytest.mark.loopback
EDIT = "Rename “Ada Merrow” to “Ada Quill” (python-httpx)"


@pytest.fixture
def client(workspace: Workspace, tmp_path: Path) -> Iterator[httpx.Client]:
    """Yield a client of a server that may change the library which the window has open."""
    with run_server(workspace.session.library.path, tmp_path, "--allow-edit") as (_, printed):
        [address] = re.findall(r"at (http://\S+?),", printed)
        [token] = re.findall(r"Token: (\S+)", printed)
        headers = {"Authorization": f"Bearer {token}"}
        with httpx.Client(base_url=address, headers=headers, timeout=60, trust_env=False) as made:
            yield made


def test_each_shows_what_the_other_changed(qtbot, workspace: Workspace, client: httpx.Client):
    body = {"text": "Orla Finch mended the bells of Saint Anne.", "file_source": "Notes of May"}
    assert client.post("/documents/text", json=body).json()["status"] == "success"
    qtbot.waitUntil(lambda: "Notes of May" in titles(workspace), timeout=WAIT_MS)

    rename = {
        "entity_name": "Ada Merrow",
        "updated_data": {"entity_name": "Ada Quill"},
        "allow_rename": True,
    }
    assert client.post("/graph/entity/edit", json=rename).status_code == 200
    qtbot.waitUntil(lambda: EDIT in last_message(workspace), timeout=WAIT_MS)
    wait_for_jobs(qtbot, workspace)
    workspace.context.messages.clear()
    press(qtbot, workspace, Qt.Key.Key_Z)  # it is no change of this window, which asks first
    qtbot.waitUntil(lambda: last_message(workspace).endswith(EDIT), timeout=WAIT_MS)
    asked = workspace.context.messages.last
    assert "another window or program" in asked.text and asked.action_text == "Undo it"
    asked.action()
    qtbot.waitUntil(lambda: last_message(workspace) == f"Undone: {EDIT}", timeout=WAIT_MS)
    labels = client.get("/graph/label/list").json()
    assert "Ada Merrow" in labels and "Ada Quill" not in labels

    [first, *_] = workspace.context.library_reader.list_documents()
    documents = workspace.context.documents
    change(qtbot, workspace, lambda: documents.trash_documents([first.id])[0])
    listed = client.get("/documents").json()["statuses"]
    assert str(first.id) not in {one["id"] for group in listed.values() for one in group}
    qtbot.waitUntil(lambda: len(titles(workspace)) == 3, timeout=WAIT_MS)
    wait_for_jobs(qtbot, workspace)
