"""Text and questions that were not sent survive the end of the window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from desktop_app.engine.services.annotations import AnnotationService
from desktop_app.engine.services.library import Library
from desktop_app.engine.store import chats
from desktop_app.session import Session
from desktop_app.ui.editing.dialogs import TextDialog
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.workspace import Workspace
from tests.e2e.test_main_task import WAIT_MS, FakeModelRegistry
from tests.read_only import read_only
from tests.small_library import add

OpenWindow = Callable[[], Workspace]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the file of a closed library with a chat, of which one question was not asked."""
    (tmp_path / "in").mkdir()
    library = Library(tmp_path / "in" / "books.inkgraph")
    add(library, tmp_path)
    with library.writer.transaction():
        chat_id = chats.add_chat(library.writer, "Clocks")
        chats.add_question(library.writer, chat_id, "Who kept a shop?")
        waiting = chats.WaitingQuestion(chat_id, "Who wound the clocks?", "walk", "")
        chats.add_waiting_question(library.writer, waiting)
    library.close()
    return library.path


@pytest.fixture
def open_window(qtbot, qapp, path: Path) -> Iterator[OpenWindow]:
    made: list[Workspace] = []

    def open_() -> Workspace:
        made.append(Workspace(Session(path, FakeModelRegistry("Ada Merrow [1].")), Theme("light")))
        made[-1].window.show()
        made[-1].window.show_screen("chat")
        return made[-1]

    yield open_
    if made[-1].session.lanes["writer"].isRunning():
        made[-1].close()


def close(qtbot, workspace: Workspace) -> None:
    workspace.close()
    lanes = workspace.session.lanes.values()
    qtbot.waitUntil(lambda: not any(lane.isRunning() for lane in lanes), timeout=WAIT_MS)


def wait_for_lanes(qtbot, workspace: Workspace) -> None:
    lanes = workspace.session.lanes.values()
    qtbot.waitUntil(lambda: all(lane.n_jobs == 0 for lane in lanes), timeout=WAIT_MS)


def test_typed_text_is_there_again_after_the_window_closed(qtbot, open_window):
    first = open_window()
    wait_for_lanes(qtbot, first)
    qtbot.keyClicks(first.window.screens.chat.box.edit, "What is Ada")
    close(qtbot, first)  # before the text was stored by itself
    box = open_window().window.screens.chat.box
    qtbot.waitUntil(lambda: box.text() == "What is Ada", timeout=WAIT_MS)


def test_a_note_in_the_card_of_a_highlight_is_stored_when_the_window_closes(
    qtbot, open_window, path
):
    library = Library(path)
    document_id = library.writer.value("SELECT id FROM document")
    AnnotationService(library.writer, library.writer).highlight(document_id, 0, 20)
    library.close()
    workspace = open_window()
    workspace.window.show_screen("highlights")
    highlights = workspace.window.screens.highlights
    qtbot.waitUntil(lambda: len(highlights.model.entries) == 1, timeout=WAIT_MS)
    highlights.edit_note(highlights.model.entries[0])
    qtbot.keyClicks(highlights.card.note, "A long thought")
    close(qtbot, workspace)
    library = Library(path)
    assert library.writer.value("SELECT note FROM annotation") == "A long thought"
    library.close()


def test_what_is_typed_in_a_sheet_is_there_again_after_the_window_closed(qtbot, open_window):
    def describe(workspace: Workspace) -> TextDialog:
        row = workspace.context.library_reader.find_entities("Tobias")[0]
        menu = workspace.window.screens.entity.corrections.menu
        menu.describe(row)
        qtbot.waitUntil(lambda: menu.sheet is not None, timeout=WAIT_MS)
        return menu.sheet

    first = open_window()
    wait_for_lanes(qtbot, first)
    qtbot.keyClicks(describe(first).text, "A maker of clocks. ")
    close(qtbot, first)  # with the sheet open, before the text was stored by itself
    second = open_window()
    wait_for_lanes(qtbot, second)
    sheet = describe(second)
    assert "A maker of clocks. " in sheet.text.toPlainText() and sheet.discard_button.isVisible()
    sheet.reject()


def test_a_question_that_waited_is_shown_and_asked_when_wanted(qtbot, open_window, path):
    workspace = open_window()
    chat, found = workspace.window.screens.chat, []
    workspace.context.messages.posted.connect(found.append)
    qtbot.waitUntil(lambda: bool(found), timeout=WAIT_MS)
    assert "1 question was not asked" in found[0].text
    found[0].action()
    qtbot.waitUntil(lambda: len(chat.turns.widgets()) == 2, timeout=WAIT_MS)
    held = chat.turns.widgets()[1]
    assert (held.turn.question, held.step.text()) == ("Who wound the clocks?", "Not asked yet")
    held.step_action.click()
    qtbot.waitUntil(lambda: held.turn.answered, timeout=WAIT_MS)
    close(qtbot, workspace)
    library = Library(path)
    assert chats.fetch_waiting(library.writer) == []
    library.close()


def test_typed_text_of_a_read_only_library_lasts_while_it_is_open(qtbot, open_window, path):
    with read_only(path.parent):
        workspace = open_window()
        wait_for_lanes(qtbot, workspace)
        chat = workspace.window.screens.chat
        chat.box.set_text("What is Ada")
        chat.save_changes()
        chat.open_chat(1)
        assert chat.box.text() == ""
        chat.new_chat()
        assert chat.box.text() == "What is Ada"
        wait_for_lanes(qtbot, workspace)
        close(qtbot, workspace)
    library = Library(path)
    assert chats.fetch_drafts(library.writer) == {}
    library.close()
