"""Tests the window of a damaged and of a read-only library."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from desktop_app.engine.services.library import Library
from desktop_app.session import Session
from desktop_app.ui.library.dialogs import LibraryFileDialog
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.workspace import Workspace
from tests.damaged_files import PAGE, compute_hash, find_page_of, flip_bit
from tests.e2e.test_main_task import WAIT_MS, FakeModelRegistry
from tests.read_only import read_only
from tests.small_library import add

LONG_TEXT = "".join(f"Mr. Number {i} met Ada Merrow in the shop.\n" for i in range(1500))
SCREENS = ("library", "graph", "entity", "merge", "communities", "chat", "models", "settings")


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """Return a folder with two texts and the closed library of both."""
    folder = tmp_path_factory.mktemp("damaged")
    (folder / "in").mkdir()
    library = Library(folder / "in" / "books.inkgraph")
    add(library, folder)
    add(library, folder, "long.txt", LONG_TEXT)
    library.close()
    return folder


@pytest.fixture
def path(made, tmp_path) -> Path:
    """Return the file of a copy of the library."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path / "in" / "books.inkgraph"


OpenWindow = Callable[[Path], Workspace]


@pytest.fixture
def open_window(qtbot, qapp) -> Iterator[OpenWindow]:
    made: list[Workspace] = []

    def open_(path: Path) -> Workspace:
        made.append(Workspace(Session(path, FakeModelRegistry("Nothing.")), Theme("light")))
        made[-1].window.show()
        return made[-1]

    yield open_
    for workspace in made:
        workspace.close()


def wait_for_lanes(qtbot, workspace: Workspace) -> None:
    lanes = workspace.session.lanes.values()
    qtbot.waitUntil(lambda: all(lane.n_jobs == 0 for lane in lanes), timeout=WAIT_MS)


def show_all_screens(qtbot, workspace: Workspace) -> None:
    for name in SCREENS:
        workspace.window.show_screen(name)
        wait_for_lanes(qtbot, workspace)


def last_text(workspace: Workspace) -> str:
    last = workspace.context.messages.last
    return last.text if last else ""


def test_damage_is_shown_once_and_changes_are_refused(qtbot, path, open_window):
    flip_bit(path, (find_page_of(path, LONG_TEXT[20_000:20_300]) - 1) * PAGE + 700)
    before = compute_hash(path)
    workspace = open_window(path)
    banner = workspace.window.banner
    assert banner.isVisible() and "1 page does not fit its checksum" in banner.text.text()
    show_all_screens(qtbot, workspace)
    assert last_text(workspace) == ""
    workspace.session.add_paths([str(path.parent.parent / "clocks.txt")])
    workspace.session.delete_documents([1])
    qtbot.waitUntil(lambda: "Nothing was changed" in last_text(workspace), timeout=WAIT_MS)
    wait_for_lanes(qtbot, workspace)
    workspace.close()
    assert compute_hash(path) == before


def test_damage_met_while_the_window_is_open_ends_background_work(qtbot, path, open_window):
    workspace = open_window(path)
    wait_for_lanes(qtbot, workspace)
    assert workspace.window.banner.isHidden()
    first = find_page_of(path, LONG_TEXT[:300])
    for page in range(first, path.stat().st_size // PAGE):
        flip_bit(path, (page - 1) * PAGE + 700)
    before = compute_hash(path)
    workspace.window.navigator.open_document(2)
    qtbot.waitUntil(workspace.window.banner.isVisible, timeout=WAIT_MS)
    wait_for_lanes(qtbot, workspace)
    workspace.session.delete_documents([1])
    qtbot.waitUntil(lambda: "Nothing was changed" in last_text(workspace), timeout=WAIT_MS)
    workspace.close()
    assert compute_hash(path) == before


def test_the_check_shows_what_is_damaged_and_what_can_be_used(qtbot, path, open_window):
    flip_bit(path, (find_page_of(path, LONG_TEXT[20_000:20_300]) - 1) * PAGE + 700)
    workspace = open_window(path)
    workspace.window.banner.details.click()
    dialog = workspace.library_controller.state.dialog
    qtbot.waitUntil(lambda: dialog.restore.isVisible(), timeout=WAIT_MS)
    assert "“long”: its file or its text can't be read." in dialog.texts
    assert "1 of 2 documents are damaged." in dialog.texts
    assert dialog.repair.isHidden()
    dialog.reject()
    assert workspace.library_controller.state.dialog is None


def test_a_sound_library_is_checked_from_the_library_dialog(qtbot, path, open_window):
    workspace = open_window(path)
    workspace.window.screens.library.library_file_wanted.emit()
    qtbot.waitUntil(lambda: isinstance(workspace.library_controller.sheet, LibraryFileDialog))
    qtbot.waitUntil(workspace.library_controller.sheet.isVisible)
    workspace.library_controller.sheet.check.click()
    dialog = workspace.library_controller.state.dialog
    qtbot.waitUntil(lambda: dialog.texts == ["The library is in order."], timeout=WAIT_MS)
    assert dialog.restore.isHidden() and dialog.repair.isHidden()
    dialog.reject()


def test_a_graph_that_differs_is_rebuilt_from_the_dialog(qtbot, path, open_window):
    library = Library(path)
    with library.writer.transaction():
        library.writer.write("UPDATE entity SET n_mentions = n_mentions + 7 WHERE id = 1")
    library.close()
    workspace = open_window(path)
    state = workspace.library_controller.state
    state.check()
    qtbot.waitUntil(lambda: state.dialog.repair.isVisible(), timeout=WAIT_MS)
    state.dialog.repair.click()
    qtbot.waitUntil(lambda: "were rebuilt" in last_text(workspace), timeout=WAIT_MS)
    state.check()
    qtbot.waitUntil(lambda: "in order" in " ".join(state.dialog.texts), timeout=WAIT_MS)
    state.dialog.reject()


def test_a_read_only_library_is_shown_asked_and_not_changed(qtbot, path, open_window):
    before = compute_hash(path)
    with read_only(path.parent):
        workspace = open_window(path)
        window = workspace.window
        assert window.banner.isVisible() and window.banner.text.text().startswith("Read-only")
        assert window.banner.details.isHidden()
        show_all_screens(qtbot, workspace)
        window.navigator.open_document(1)
        wait_for_lanes(qtbot, workspace)
        assert last_text(workspace) == ""
        window.show_screen("chat")
        chat = window.screens.chat
        chat.ask("Who wound the clocks?")
        library_reader = workspace.context.library_reader

        def answered() -> None:
            rows = library_reader.list_chats()
            assert rows and rows[0].n_messages == 2

        qtbot.waitUntil(answered, timeout=WAIT_MS)
        wait_for_lanes(qtbot, workspace)
        assert last_text(workspace) == ""
        workspace.session.delete_documents([1])
        qtbot.waitUntil(lambda: "read-only" in last_text(workspace), timeout=WAIT_MS)
        workspace.close()
    assert compute_hash(path) == before
