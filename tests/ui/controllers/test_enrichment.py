"""Enrichment from the window: a real library and queue, a scripted model."""

from __future__ import annotations

import json
import threading

import pytest
import shiboken6
from PySide6.QtWidgets import QApplication

from desktop_app.engine.llm.registry import ModelRow
from desktop_app.engine.messages import NO_MESSAGE
from desktop_app.engine.progress import Progress
from desktop_app.engine.scheduler import Priority
from desktop_app.engine.services.enrichment.settings import is_paused
from desktop_app.engine.services.enrichment.tuning import Proposal
from desktop_app.engine.services.library import Library
from desktop_app.session import Session
from desktop_app.ui.controllers.graph_import import GraphImport
from desktop_app.ui.enrichment.dialogs import StartEnrichmentDialog
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.workspace import Workspace
from tests.books import add_book
from tests.fakes import HashEmbedder, NoOtherModels, ScriptedChatModel, reply_alike

WAIT_MS = 20_000


ROW = ModelRow(
    *("scripted", "chat", "Scripted", 1_000, ("en",), "", 1_000, True, None, True, NO_MESSAGE)
)


class OneModelRegistry(NoOtherModels):
    """A registry with one chat model, or none; `go` lets the model work."""

    def __init__(self) -> None:
        self.has_chat = True
        self.go = threading.Event()
        self.go.set()
        self.chat = ScriptedChatModel(reply=self._reply, n_at_once=1)
        self.embedder = HashEmbedder()

    def _reply(self, script, ask, line):
        self.go.wait(10)
        return reply_alike(script, ask, line)

    def find_chat(self):
        return self.chat if self.has_chat else None

    def find_reranker(self):
        return None

    def find_problems(self, cancel: object = None) -> list:
        return []

    def reranker_name(self) -> str:
        return ""

    def find_embedder(self):
        return self.embedder

    def chat_model_name(self) -> str:
        return self.chat.name if self.has_chat else ""

    def embedding_name(self) -> str:
        return self.embedder.name

    def list_models(self) -> list[ModelRow]:
        return [ROW] if self.has_chat else []


@pytest.fixture
def path(tmp_path):
    made = Library(tmp_path / "enriched.inkgraph")
    add_book(made)
    add_book(made, ("林冲遇见鲁智深。", "鲁智深与林冲结拜。"), title="水浒传", language="zh")
    made.close()
    return tmp_path / "enriched.inkgraph"


@pytest.fixture
def registry():
    return OneModelRegistry()


@pytest.fixture
def open_workspace(qtbot, path, registry):
    opened = []

    def make() -> Workspace:
        theme = Theme("light")
        theme.apply(QApplication.instance(), sets_sheet=False)  # as the program does
        workspace = Workspace(Session(path, registry), theme)
        workspace.window.show()
        opened.append(workspace)
        quiet(qtbot, workspace)
        return workspace

    yield make
    registry.go.set()
    for workspace in filter(shiboken6.isValid, opened):  # a test may have closed it
        workspace.close()


def quiet(qtbot, workspace: Workspace) -> None:
    """Wait until the lanes are idle, except for the blocked model."""

    def settled() -> bool:
        session = workspace.session
        is_busy = any(session.lanes[name].n_jobs for name in ("reader", "writer", "indexing"))
        return not is_busy and not session.publish_timer.isActive()

    qtbot.waitUntil(settled, timeout=WAIT_MS)


def total(workspace: Workspace):
    return workspace.context.enrichment_reader.status().total


def done(workspace: Workspace) -> bool:
    return workspace.context.enrichment_runner.state == "idle" and total(workspace).n_waiting == 0


def test_a_library_is_enriched_from_the_start_dialog(qtbot, open_workspace):
    workspace = open_workspace()
    library = workspace.window.screens.library
    library.enrich_wanted.emit([])  # "Enrich all…"
    (sheet,) = workspace.window.findChildren(StartEnrichmentDialog)
    qtbot.waitUntil(sheet.start_button.isEnabled, timeout=WAIT_MS)
    sheet.start_button.click()
    qtbot.waitUntil(lambda: total(workspace).n_enriched == 7 and done(workspace), timeout=WAIT_MS)
    qtbot.waitUntil(
        lambda: {e.n_enriched for e in library.enrichment.by_document.values()} == {5, 2},
        timeout=WAIT_MS,
    )
    assert workspace.context.messages.last.text == "Enriched 7 passages."
    assert workspace.window.sidebar.enrich_work.isHidden()


def test_a_prioritised_document_is_enriched_first(qtbot, open_workspace, registry):
    workspace = open_workspace()
    registry.go.clear()
    workspace.enrichment.enrich([1], first=False)
    qtbot.waitUntil(lambda: len(registry.chat.begun) == 1, timeout=WAIT_MS)
    workspace.window.screens.library.enrich_now_wanted.emit([2])
    quiet(qtbot, workspace)
    registry.go.set()
    qtbot.waitUntil(lambda: total(workspace).n_enriched == 7 and done(workspace), timeout=WAIT_MS)
    assert "林冲" in registry.chat.begun[1].text and "林冲" in registry.chat.begun[2].text


def test_progress_is_shown_in_the_sidebar_and_a_pause_is_stored(qtbot, open_workspace, registry):
    workspace = open_workspace()
    foot = workspace.window.sidebar.enrich_work
    registry.go.clear()
    workspace.enrichment.enrich()
    qtbot.waitUntil(foot.isVisible, timeout=WAIT_MS)
    assert foot.detail.full_text() == "0 of 7 passages"
    foot.pause_button.click()
    registry.go.set()
    qtbot.waitUntil(lambda: workspace.context.enrichment_runner.lane.n_jobs == 0, timeout=WAIT_MS)
    quiet(qtbot, workspace)
    assert foot.title.full_text() == "Enrichment paused" and foot.resume_button.isVisible()
    assert is_paused(workspace.session.library.writer)
    foot.resume_button.click()
    qtbot.waitUntil(lambda: total(workspace).n_enriched == 7 and done(workspace), timeout=WAIT_MS)
    assert not is_paused(workspace.session.library.writer)


@pytest.mark.parametrize("paused", [False, True])
def test_unfinished_work_continues_at_the_next_start_unless_paused(
    qtbot, open_workspace, registry, paused
):
    first = open_workspace()
    registry.go.clear()
    first.enrichment.enrich()
    qtbot.waitUntil(lambda: len(registry.chat.begun) == 1, timeout=WAIT_MS)
    if paused:
        first.enrichment.pause()
        quiet(qtbot, first)
    registry.go.set()
    first.close()
    begun = len(registry.chat.begun)
    again = open_workspace()
    if paused:
        foot = again.window.sidebar.enrich_work
        qtbot.waitUntil(foot.isVisible, timeout=WAIT_MS)
        assert foot.title.full_text() == "Enrichment paused"
        assert len(registry.chat.begun) == begun and total(again).n_waiting > 0
    else:
        qtbot.waitUntil(lambda: total(again).n_enriched == 7 and done(again), timeout=WAIT_MS)


def test_stopping_empties_the_queue(qtbot, open_workspace, registry):
    workspace = open_workspace()
    foot = workspace.window.sidebar.enrich_work
    registry.go.clear()
    workspace.enrichment.enrich()
    qtbot.waitUntil(foot.isVisible, timeout=WAIT_MS)
    foot.cancel_button.click()
    registry.go.set()
    qtbot.waitUntil(lambda: workspace.context.enrichment_runner.lane.n_jobs == 0, timeout=WAIT_MS)
    quiet(qtbot, workspace)
    assert total(workspace).n_waiting == 0 and foot.isHidden()
    assert is_paused(workspace.session.library.writer), (
        "what is owed does not begin at the next start"
    )
    assert "stopped" in workspace.context.messages.last.text


def test_an_entity_and_a_chapter_can_be_enriched_now(qtbot, open_workspace, registry):
    workspace = open_workspace()
    marsh = workspace.context.library_reader.find_entities("Marsh")[0]
    workspace.enrichment.enrich(entity=marsh.id)
    qtbot.waitUntil(lambda: total(workspace).n_enriched == 2 and done(workspace), timeout=WAIT_MS)
    workspace.enrichment.enrich(chapter=(1, 0, 10))
    qtbot.waitUntil(lambda: total(workspace).n_enriched == 3 and done(workspace), timeout=WAIT_MS)


def test_without_a_model_a_message_says_what_to_do(qtbot, open_workspace, registry):
    registry.has_chat = False
    workspace = open_workspace()
    workspace.enrichment.enrich([1])
    quiet(qtbot, workspace)
    message = workspace.context.messages.last
    assert "chat model" in message.text and message.action_text == "Open Models"
    message.action()
    assert workspace.window.current == "models"
    assert total(workspace).n_waiting == 0


@pytest.mark.parametrize(
    ("priority", "words"),
    [
        (Priority.QUESTION, "Paused while answering"),
        (Priority.IMPORT, "Paused while reading documents"),
        (Priority.REPORTS, "Paused while writing reports"),
    ],
)
def test_the_sidebar_says_what_enrichment_waits_for(qtbot, open_workspace, priority, words):
    workspace = open_workspace()
    foot = workspace.window.sidebar.enrich_work
    with workspace.context.scheduler.hold(priority):
        workspace.enrichment.enrich()
        qtbot.waitUntil(lambda: workspace.context.enrichment_runner.is_running, timeout=WAIT_MS)
        workspace.context.enrichment_runner.progressed.emit(Progress("enriching", 0, 7))
        assert foot.pace.text() == words
        assert total(workspace).n_enriched == 0
    qtbot.waitUntil(lambda: total(workspace).n_enriched == 7 and done(workspace), timeout=WAIT_MS)


def test_an_accepted_suggestion_is_stored_in_the_library(qtbot, open_workspace):
    workspace = open_workspace()
    sheet = workspace.enrichment.suggest()
    qtbot.waitUntil(lambda: not sheet.again_button.isHidden(), timeout=WAIT_MS)
    sheet.show_proposal(Proposal("story", "zh", ("person", "weapon"), n_passages=2))
    sheet.use_button.click()
    quiet(qtbot, workspace)
    settings = workspace.context.enrichment.load_settings()
    assert (settings.domain, settings.entity_types) == ("story", ("person", "weapon"))


def test_a_graph_is_imported_and_reported(qtbot, open_workspace, tmp_path):
    workspace = open_workspace()
    file = tmp_path / "ferry.json"
    file.write_text(json.dumps(CUSTOM), "utf-8")
    graph_import = workspace.window.findChild(GraphImport)
    graph_import.run_import(file)
    qtbot.waitUntil(lambda: not graph_import.is_running, timeout=WAIT_MS)
    assert workspace.context.messages.last.text == (
        "The graph in “ferry.json”: 1 new document; 2 names, 1 connection."
    )
    quiet(qtbot, workspace)
    assert workspace.context.library_reader.find_entities("Ada Merrow")
    qtbot.waitUntil(lambda: workspace.session.indexing_runner.state == "idle", timeout=WAIT_MS)


CUSTOM = {
    "chunks": [{"content": "Ada Merrow rowed the ferry to Harrow Ford.", "source_id": "a"}],
    "entities": [
        {"entity_name": "Ada Merrow", "entity_type": "person", "description": "", "source_id": "a"},
        {"entity_name": "Harrow Ford", "entity_type": "place", "description": "", "source_id": "a"},
    ],
    "relationships": [
        {
            "src_id": "Ada Merrow",
            "tgt_id": "Harrow Ford",
            "description": "Ada rows to the ford.",
            "keywords": "ferry",
            "source_id": "a",
        }
    ],
}
