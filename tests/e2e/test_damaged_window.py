"""Tests the window of a damaged and of a read-only library."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from desktop_app.engine.services.backups import read_backup_content
from desktop_app.engine.services.library import Library
from desktop_app.session import Session
from desktop_app.ui.controllers.library_export import LibraryExport
from desktop_app.ui.library.dialogs import LibraryFileDialog
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.workspace import Workspace
from tests.damaged_files import PAGE, compute_hash, cut, find_page_of, flip_bit
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


def damage_text(path: Path) -> None:
    """Damage the pages from the text of the second document on."""
    for page in range(find_page_of(path, LONG_TEXT[:300]), path.stat().st_size // PAGE + 1):
        flip_bit(path, (page - 1) * PAGE + 700)


def test_damage_that_the_thread_of_backups_finds_is_shown_once_and_ends_changes(
    qtbot, path, open_window, monkeypatch
):
    monkeypatch.setattr("desktop_app.engine.services.backups.LOOK_S", 0.01)
    workspace = open_window(path)
    backups = workspace.session.library.backups
    qtbot.waitUntil(lambda: len(backups.list()) == 1, timeout=WAIT_MS)
    wait_for_lanes(qtbot, workspace)
    [good] = backups.list()
    texts: list[str] = []
    workspace.context.messages.posted.connect(lambda message: texts.append(message.text))
    damage_text(path)
    before = compute_hash(path)
    qtbot.waitUntil(workspace.window.banner.isVisible, timeout=WAIT_MS)
    wait_for_lanes(qtbot, workspace)
    assert texts == []
    workspace.session.delete_documents([1])
    qtbot.waitUntil(lambda: len(texts) == 1, timeout=WAIT_MS)
    assert "Nothing was changed" in texts[0]
    workspace.close()
    assert compute_hash(path) == before
    assert backups.list() == [good] and read_backup_content(good.path).n_documents == 2


def test_what_the_user_asked_for_is_answered_although_the_banner_shows_the_damage(
    qtbot, path, open_window
):
    workspace = open_window(path)
    wait_for_lanes(qtbot, workspace)
    damage_text(path)
    workspace.library_controller.back_up_now()
    qtbot.waitUntil(lambda: "is damaged" in last_text(workspace), timeout=WAIT_MS)
    assert workspace.window.banner.isVisible()
    workspace.library_controller.show_maintenance()
    qtbot.waitUntil(lambda: isinstance(workspace.library_controller.sheet, LibraryFileDialog))
    sheet = workspace.library_controller.sheet
    workspace.context.messages.clear()
    sheet.backup_wanted.emit(str(path.with_name("copy.inkgraph")))
    assert sheet.message.text() == "Backing up…"
    qtbot.waitUntil(lambda: "is damaged" in last_text(workspace), timeout=WAIT_MS)
    assert sheet.message.text() == ""
    sheet.reject()
    workspace.context.messages.clear()
    exports = workspace.window.findChild(LibraryExport)
    exports.run(path.with_name("out.cypher"), "cypher")
    qtbot.waitUntil(lambda: "is damaged" in last_text(workspace), timeout=WAIT_MS)


def test_a_check_of_a_library_that_cannot_be_opened_any_more_says_so(qtbot, path, open_window):
    workspace = open_window(path)
    wait_for_lanes(qtbot, workspace)
    cut(path, 5 * PAGE)
    workspace.library_controller.state.check()
    dialog = workspace.library_controller.state.dialog
    qtbot.waitUntil(lambda: dialog.restore.isVisible(), timeout=WAIT_MS)
    assert len(dialog.texts) == 1 and "is damaged" in dialog.texts[0]
    assert workspace.window.banner.isVisible() and dialog.stage.isHidden()
    dialog.reject()


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
