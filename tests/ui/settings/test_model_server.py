"""Tests the settings of the model server in the window, and the mark in the sidebar."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_app.app import App
from desktop_app.engine.services.library_models import ModelServerState
from desktop_app.engine.services.model_servers import ModelServer
from desktop_app.ui.dialogs import describe_privacy
from desktop_app.ui.settings.model_server import ModelServerView, SentSheet
from desktop_app.ui.workspace import Workspace
from tests.chat_server import ChatServer, serve_chat

pytestmark = pytest.mark.loopback
WAIT_MS = 20_000


@pytest.fixture
def fake() -> Iterator[ChatServer]:
    def reply(body: dict) -> str | dict[str, float]:
        if body["messages"][0]["content"].startswith("Write the numbers"):
            return "12, 13"
        return {"yes": 0.6, "no": 0.2} if body["max_tokens"] == 1 else "Red and green."

    with serve_chat(ChatServer(reply=reply, models=({"id": "tiny"}, {"id": "e5"}))) as server:
        yield server


@pytest.fixture
def workspace(app: App, tmp_path: Path) -> Workspace:
    return app.open_library(tmp_path / "own.inkgraph")


def open_view(workspace: Workspace) -> ModelServerView:
    view = workspace.window.screens.settings.views["model_server"]
    assert isinstance(view, ModelServerView)
    return view


def connect(view: ModelServerView, fake: ChatServer, qtbot) -> None:
    view.address.setText(fake.address.url)
    view.connect_button.click()
    qtbot.waitUntil(lambda: view.boxes["chat"].count() == 3, timeout=WAIT_MS)


def click_switch(view: ModelServerView, qtbot) -> SentSheet:
    with qtbot.waitSignal(view.opened_sheet, timeout=WAIT_MS) as opened:
        view.switch.click()
    return opened.args[0]


def test_nothing_is_used_before_the_user_saw_what_is_sent(workspace, fake: ChatServer, qtbot):
    view, models = open_view(workspace), workspace.context.library_models
    mark = workspace.window.sidebar.offline_button
    assert mark.text() == "Offline" and not view.switch.isEnabled()
    connect(view, fake, qtbot)
    view.boxes["chat"].setCurrentIndex(1)
    view.boxes["chat"].activated.emit(1)
    sheet = click_switch(view, qtbot)
    assert fake.address.site in sheet.title.text()
    assert f"POST {fake.address.url}/chat/completions" in sheet.example.toPlainText()
    sheet.cancel_button.click()
    assert not models.server.is_on and not view.switch.isChecked() and mark.text() == "Offline"
    sheet = click_switch(view, qtbot)
    sheet.send_button.click()
    qtbot.waitUntil(lambda: mark.text() == fake.address.site, timeout=WAIT_MS)
    assert models.server.is_on and view.switch.isChecked()
    assert "sent to" in mark.toolTip()
    workspace.window.sidebar.set_server(ModelServerState(fake.address.site, is_away=True))
    assert "away" in mark.text() and "can't be reached" in mark.toolTip()
    with qtbot.waitSignal(workspace.session.server_changed, timeout=WAIT_MS):
        view.switch.click()
    qtbot.waitUntil(lambda: mark.text() == "Offline", timeout=WAIT_MS)
    view.forget_button.click()
    qtbot.waitUntil(lambda: view.address.text() == "", timeout=WAIT_MS)
    assert not models.server.url and not view.switch.isEnabled()


def test_problems_are_shown_where_the_server_is_set(workspace, fake: ChatServer, qtbot):
    view = open_view(workspace)
    view.address.setText("not an address")
    view.connect_server()
    assert "not the address of a server" in view.problem.text()
    fake.always = "401"
    view.address.setText(fake.address.url)
    view.connect_server()
    qtbot.waitUntil(lambda: "refuses the key" in view.problem.text(), timeout=WAIT_MS)
    # Plain http across the internet must be allowed first.
    view.address.setText("http://models.example.org/v1")
    assert not view.connect_button.isEnabled() and "everybody on the way" in view.warning.text()
    view.plain_http.setChecked(True)
    assert view.connect_button.isEnabled()
    view.address.setText("https://models.example.org/v1")
    assert view.connect_button.isEnabled() and view.warning.isHidden()


def test_what_a_served_model_can_do_is_asked_before_texts_are_sent(
    workspace, fake: ChatServer, qtbot
):
    view, models = open_view(workspace), workspace.context.library_models
    check = view.capabilities
    assert check.isHidden()
    connect(view, fake, qtbot)
    view.boxes["chat"].setCurrentIndex(1)
    view.boxes["chat"].activated.emit(1)
    click_switch(view, qtbot).cancel_button.click()
    assert not models.server.is_on and not check.isHidden()
    # Stopped: no result, and nothing is reported.
    fake.hold = threading.Event()
    check.button.click()
    assert check.button.isHidden() and not check.line.isHidden()
    qtbot.waitUntil(lambda: check.progress_text.text().startswith("Question "), timeout=WAIT_MS)
    check.stop_button.click()
    fake.hold.set()
    qtbot.waitUntil(lambda: not check.button.isHidden(), timeout=WAIT_MS)
    assert check.table.isHidden() and view.problem.isHidden()
    # To the end.
    check.button.click()
    qtbot.waitUntil(lambda: not check.table.isHidden(), timeout=WAIT_MS)
    titles = [name.text() for name, _ in check.table.facts.rows]
    assert titles == ["Citations", "Not in the documents", "English", "Chinese", "Speed"]
    assert "10 questions" in check.table.origin.text()
    qtbot.waitUntil(lambda: check.button.text() == "Check again what it can do")
    # A server that fails is reported where it is set, and the result before stays.
    fake.always = "401"
    check.button.click()
    qtbot.waitUntil(lambda: "refuses the key" in view.problem.text(), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not check.button.isHidden(), timeout=WAIT_MS)
    assert not check.table.isHidden()
    fake.always = ""
    view.forget_button.click()
    qtbot.waitUntil(check.isHidden, timeout=WAIT_MS)
    assert check.table.isHidden() and check.button.text() == "What can this model do?"


def test_the_words_on_privacy_say_what_is_sent(fake: ChatServer, qapp):
    assert "stay on this computer" in describe_privacy(ModelServer())
    server = ModelServer(url=fake.address.url, chat="tiny", is_on=True, agreed=("chat",))
    words = describe_privacy(server)
    assert fake.address.site in words and "Questions" in words
