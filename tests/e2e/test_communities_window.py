"""Tests communities in the real window: computed, asked about, coloured, reports written."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from desktop_app.engine.progress import Progress
from desktop_app.engine.scheduler import Priority
from desktop_app.session import Session
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.workspace import Workspace
from desktop_app.workers.background_jobs import ReportOrder
from tests.books import add_book
from tests.fakes import HashEmbedder, NoOtherModels, ScriptedChatModel

WAIT_MS = 60_000


class FakeModelRegistry(NoOtherModels):
    """The part of the registry that services use, with models that need no files."""

    def find_chat(self) -> ScriptedChatModel:
        return ScriptedChatModel([""])

    def find_reranker(self) -> None:
        return None

    def find_embedder(self) -> HashEmbedder:
        return HashEmbedder()

    def chat_model_name(self) -> str:
        return "fake"

    def embedding_name(self) -> str:
        return "fake"

    def reranker_name(self) -> str:
        return ""

    def list_models(self) -> list:
        return []

    def find_problems(self, cancel: object = None) -> list:
        return []


@pytest.fixture
def workspace(qtbot, tmp_path):
    theme = Theme("light")
    theme.apply(QApplication.instance(), sets_sheet=False)  # as the program does
    made = Workspace(Session(tmp_path / "window.inkgraph", FakeModelRegistry()), theme)
    add_book(made.session.library)
    made.window.show()
    yield made
    made.close()


@pytest.fixture
def screen(qtbot, workspace):
    workspace.window.show_screen("communities")
    made = workspace.window.screens.communities
    qtbot.waitUntil(lambda: made.page.content is not None, timeout=WAIT_MS)
    return made


def test_communities_are_computed_before_the_screen_is_opened(qtbot, workspace):
    row = workspace.window.sidebar.rows["communities"]
    qtbot.waitUntil(lambda: row.count.text().isdigit(), timeout=WAIT_MS)
    assert workspace.session.library.writer.value("SELECT count(*) FROM community") > 0


def test_a_question_about_a_community_opens_a_new_chat(qtbot, workspace, screen):
    screen.page.head.ask_button.click()
    chat = workspace.window.screens.chat
    assert workspace.window.current == "chat" and chat.options.mode == "overview"
    assert screen.page.head.title.text() in chat.box.text()


def test_the_graph_is_coloured_by_community(qtbot, workspace, screen):
    screen.page.head.more_actions["color"].trigger()
    graph = workspace.window.screens.graph
    qtbot.waitUntil(
        lambda: len(graph.canvas.data) > 0 and graph.surface.legend.mode == "group", timeout=WAIT_MS
    )
    assert workspace.window.current == "graph"
    words = {toggle.words for toggle in graph.surface.legend.toggles.values()}
    assert screen.page.head.title.text() in words


def test_writing_reports_shows_progress_and_a_final_message(qtbot, workspace, screen):
    work, messages = workspace.context.communities, workspace.context.messages
    work.job.add(ReportOrder(use_model=False))
    work.runner.start()
    qtbot.waitUntil(
        lambda: messages.last is not None and "written" in messages.last.text, timeout=WAIT_MS
    )
    assert work.runner.state == "idle" and workspace.window.sidebar.report_work.isHidden()
    qtbot.waitUntil(
        lambda: screen.community_tree.n_written == len(screen.community_tree), timeout=WAIT_MS
    )


def test_reports_say_that_they_wait_while_a_question_is_answered(qtbot, workspace, screen):
    work, foot = workspace.context.communities, workspace.window.sidebar.report_work
    with workspace.context.scheduler.hold(Priority.QUESTION):
        work.job.add(ReportOrder(again=True))
        work.runner.start()
        qtbot.waitUntil(lambda: work.runner.is_running, timeout=WAIT_MS)
        qtbot.waitUntil(lambda: foot.pace.text() == "Paused while answering", timeout=WAIT_MS)
        work.runner.progressed.emit(Progress("reports", 1, 7, 0.1, 600.0))
        assert foot.pace.text() == "Paused while answering"
        assert screen.head.status.text() == "1 of 7 written · Paused while answering"
    qtbot.waitUntil(lambda: foot.pace.text() != "Paused while answering", timeout=WAIT_MS)
    qtbot.waitUntil(lambda: work.runner.state == "idle", timeout=WAIT_MS)


def test_stopping_reports_empties_the_queue(qtbot, workspace, screen):
    work = workspace.context.communities
    work.job.add(ReportOrder(use_model=False))
    work.runner.start()
    screen.head.stop_wanted.emit()
    qtbot.waitUntil(lambda: work.runner.state == "idle", timeout=WAIT_MS)
    assert workspace.window.sidebar.report_work.isHidden()
    work.runner.start()
    qtbot.waitUntil(lambda: work.runner.state == "idle", timeout=WAIT_MS)
