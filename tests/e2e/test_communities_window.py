"""Communities through the real window: found by themselves, asked about, coloured, written."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from desktop_app.session import Session
from desktop_app.ui.theme.theme import Theme
from desktop_app.workers.background_jobs import ReportOrder
from tests.books import add_book
from tests.fakes import HashEmbedder, ScriptedChatModel

WAIT_MS = 60_000


class FakeModelRegistry:
    """The registry's part that services use, with models that need no files."""

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
def desk(qtbot, tmp_path):
    theme = Theme("light")
    theme.apply(QApplication.instance())
    made = Session(tmp_path / "window.inkgraph", theme, FakeModelRegistry())
    add_book(made.library)
    made.window.show()
    yield made
    made.close()


@pytest.fixture
def screen(qtbot, desk):
    desk.window.show_screen("communities")
    made = desk.window.screens.communities
    qtbot.waitUntil(lambda: made.page.content is not None, timeout=WAIT_MS)
    return made


def test_communities_are_found_before_anybody_looks(qtbot, desk):
    row = desk.window.sidebar.rows["communities"]
    qtbot.waitUntil(lambda: row.count.text() != "", timeout=WAIT_MS)
    assert desk.library.writer.value("SELECT count(*) FROM community") > 0


def test_a_theme_is_asked_about_in_a_chat_of_its_own(qtbot, desk, screen):
    screen.page.head.ask_button.click()
    chat = desk.window.screens.chat
    assert desk.window.current == "chat" and chat.choices.mode == "overview"
    assert screen.page.head.title.text() in chat.box.text()


def test_the_graph_is_coloured_by_a_community(qtbot, desk, screen):
    screen.page.head.color_button.click()
    graph = desk.window.screens.graph
    qtbot.waitUntil(
        lambda: len(graph.canvas.data) > 0 and graph.surface.legend.mode == "group", timeout=WAIT_MS
    )
    assert desk.window.current == "graph"
    words = {toggle.words for toggle in graph.surface.legend.toggles.values()}
    assert screen.page.head.title.text() in words


def test_writing_is_told_at_the_foot_and_ends_with_a_word(qtbot, desk, screen):
    work, messages = desk.context.communities, desk.context.messages
    work.job.add(ReportOrder(use_model=False))
    work.runner.start()
    qtbot.waitUntil(
        lambda: messages.last is not None and "written" in messages.last.text, timeout=WAIT_MS
    )
    assert work.runner.state == "idle" and desk.window.sidebar.report_work.isHidden()
    qtbot.waitUntil(
        lambda: screen.community_tree.n_written == len(screen.community_tree), timeout=WAIT_MS
    )


def test_writing_that_is_stopped_leaves_nothing_waiting(qtbot, desk, screen):
    work = desk.context.communities
    work.job.add(ReportOrder(use_model=False))
    work.runner.start()
    screen.head.stop_wanted.emit()
    qtbot.waitUntil(lambda: work.runner.state == "idle", timeout=WAIT_MS)
    assert desk.window.sidebar.report_work.isHidden()
    work.runner.start()
    qtbot.waitUntil(lambda: work.runner.state == "idle", timeout=WAIT_MS)
