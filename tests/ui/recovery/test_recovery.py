"""Tests recovery in the window: libraries that can't be opened, restoring, backups by hand."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QFileDialog

from desktop_app import app as app_module
from desktop_app.app import App
from desktop_app.engine.errors import DamagedLibrary
from desktop_app.engine.services.backups import BY_HAND, Backups
from desktop_app.engine.services.library import Library
from desktop_app.engine.store.db import Db
from desktop_app.ui.recovery import dialog as recovery_dialog
from desktop_app.ui.recovery.dialog import RecoveryDialog
from desktop_app.ui.theme.theme import Theme
from tests.small_library import TEXT, add

WAIT_MS = 30_000


@pytest.fixture
def app(app: App, tmp_path: Path) -> Iterator[App]:
    """Yield the program with an open library; the dialog of recovery is closed afterwards."""
    app.open_library(tmp_path / "first.inkgraph")
    yield app
    if app.recovery is not None:
        app.recovery.reject()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a library with one document, and with a backup."""
    folder = tmp_path_factory.mktemp("recovery")
    library = Library(folder / "lost.inkgraph")
    add(library, folder)
    library.close()
    Backups(library.path).make(BY_HAND)
    return folder


@pytest.fixture
def path(made: Path, tmp_path: Path) -> Path:
    """Return a copy of the library in a folder of its own, with its backup."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path / "lost.inkgraph"


def damage(path: Path, how: str) -> None:
    content = path.read_bytes()
    if how == "damaged":
        content = b"\xff" * 8192 + content[8192:]
    elif how == "cut off":
        content = content[: len(content) // 2]
    elif how == "empty":
        content = b""
    else:
        content = b"Dear Sir, " * 1000
    path.write_bytes(content)


def wait_for_list(qtbot, dialog: RecoveryDialog, n: int = 1) -> None:
    qtbot.waitUntil(lambda: dialog.table.model().rowCount() == n, timeout=WAIT_MS)


def read_titles(app: App) -> list[str]:
    return [row.title for row in app.workspace.context.library_reader.list_documents()]


@pytest.mark.parametrize(
    "how",
    [
        "damaged",
        "a letter",
        *(pytest.param(how, marks=pytest.mark.slow) for how in ("cut off", "empty")),
    ],
)
def test_a_library_that_can_not_be_opened_is_restored(app, qtbot, path, how):
    damage(path, how)
    before = path.read_bytes()
    app.workspace.window.library_wanted.emit(str(path))
    dialog = app.recovery
    assert dialog is not None and app.workspace.session.library.path != path
    wait_for_list(qtbot, dialog)
    row = [dialog.table.model().index(0, column).data() for column in range(4)]
    assert row[1] == "1" and row[3] == "by hand"
    qtbot.mouseClick(dialog.restore_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: app.workspace.session.library.path == path, timeout=WAIT_MS)
    assert read_titles(app) == ["clocks"] and app.recovery is None
    [aside] = path.parent.glob("lost (set aside *.inkgraph")
    assert aside.read_bytes() == before


def test_what_can_be_read_is_recovered_and_opened(app, qtbot, path, tmp_path):
    shutil.rmtree(path.with_suffix(".backups"))
    damage(path, "damaged")
    before = path.read_bytes()
    app.workspace.window.library_wanted.emit(str(path))
    dialog = app.recovery
    qtbot.waitUntil(lambda: "no backups" in dialog.found.words.text(), timeout=WAIT_MS)
    assert not dialog.restore_button.isEnabled()
    dialog.recover_button.click()
    qtbot.waitUntil(lambda: dialog.recovered is not None, timeout=WAIT_MS)
    assert "1 document and 0 corrections" in dialog.message.text()
    assert path.read_bytes() == before
    dialog.open_button.click()
    assert app.workspace.session.library.path == dialog.recovered
    assert read_titles(app) != []


@pytest.fixture
def start(app, monkeypatch) -> Callable[..., int]:
    """Return what the program does at its next start, as far as the event loop."""
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    event_loop = SimpleNamespace(exec=lambda: 0, quit=lambda: None)

    def start(*arguments: str) -> int:
        app.close_workspace()
        return app_module._run_app(app, event_loop, app_module._parse(list(arguments)), None)

    return start


def test_a_library_on_a_missing_disk_is_waited_for(app, start, path, tmp_path):
    app.open_library(path)
    app.close_workspace()
    away = path.rename(path.with_suffix(".away"))
    assert start() == 0
    dialog = app.recovery
    assert app.workspace is None and not path.exists()
    assert "is not where it was" in dialog.intro.text() and not dialog.recover_button.isVisible()
    dialog.again_button.click()
    assert dialog.message.text() == "It is still not there." and app.workspace is None
    away.rename(path)
    dialog.again_button.click()
    assert app.workspace.session.library.path == path and read_titles(app) != []


def test_files_that_were_given_are_added_to_the_library_that_is_chosen_instead(
    app, start, qtbot, path, tmp_path, monkeypatch
):
    app.open_library(path)
    app.close_workspace()
    path.rename(path.with_suffix(".away"))
    note, own = tmp_path / "lamps.txt", tmp_path / "own.inkgraph"
    note.write_text(f"lamps. {TEXT}", "utf-8")
    assert start(str(note)) == 0
    assert app.workspace is None
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(own), ""))
    app.recovery.other_button.click()
    assert app.workspace.session.library.path == own and app.recovery is None
    qtbot.waitUntil(lambda: read_titles(app) == ["lamps"], timeout=WAIT_MS)


def test_a_new_library_does_not_take_the_place_of_a_missing_one(app, start, monkeypatch, tmp_path):
    usual = tmp_path / "My library.inkgraph"
    monkeypatch.setattr(recovery_dialog, "default_library", lambda: usual)
    app.open_library(usual)
    app.close_workspace()
    away = usual.rename(tmp_path / "away")
    start()
    app.recovery.new_button.click()
    assert app.workspace.session.library.path == tmp_path / "My library 2.inkgraph"
    assert not usual.exists() and str(usual) not in app.recent_libraries()
    away.rename(usual)
    assert str(usual) in app.recent_libraries()  # it was not forgotten


def test_a_library_without_a_way_back_says_so(app, qtbot, tmp_path):
    path = tmp_path / "noise.inkgraph"
    path.write_bytes(b"\xff" * 50_000)
    app.workspace.window.library_wanted.emit(str(path))
    dialog = app.recovery
    dialog.recover_button.click()
    qtbot.waitUntil(lambda: "Nothing of" in dialog.message.text(), timeout=WAIT_MS)
    assert dialog.isVisible() and dialog.recover_button.isEnabled()
    dialog.reject()
    assert app.recovery is None and app.workspace is not None


def test_the_open_library_is_restored_from_a_chosen_file(app, qtbot, path, tmp_path, monkeypatch):
    [backup] = Backups(path).list()
    own = shutil.copy(backup.path, tmp_path / "copy of mine.backup")
    app.open_library(path)
    workspace = app.workspace
    with workspace.session.library.writer.transaction():
        workspace.session.library.writer.write("DELETE FROM document")
    assert read_titles(app) == []
    workspace.window.actions_by_name["restore"].trigger()
    dialog = app.recovery
    assert not dialog.recover_button.isVisible()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(own), ""))
    dialog.file_button.click()
    qtbot.waitUntil(lambda: app.workspace not in (None, workspace), timeout=WAIT_MS)
    assert app.workspace.session.library.path == path
    assert read_titles(app) == ["clocks"]
    [aside] = path.parent.glob("lost (set aside *.inkgraph")
    db = Db(aside, read_only=True)
    assert db.value("SELECT count(*) FROM document") == 0
    db.close()


def test_a_backup_that_can_not_be_restored_leaves_the_library(app, qtbot, path, monkeypatch):
    letter = path.with_name("letter.backup")
    letter.write_bytes(b"Dear Sir, " * 1000)
    app.open_library(path)
    app.workspace.window.restore_wanted.emit()
    dialog = app.recovery
    dialog.restore(letter)
    qtbot.waitUntil(lambda: "not an Inkgraph library" in dialog.message.text(), timeout=WAIT_MS)
    dialog.reject()
    assert app.workspace.session.library.path == path
    assert read_titles(app) == ["clocks"]


def test_a_backup_is_made_at_once(app, qtbot, path):
    app.open_library(path)
    app.workspace.window.actions_by_name["back_up"].trigger()
    qtbot.waitUntil(lambda: len(Backups(path).list()) == 2, timeout=WAIT_MS)
    messages = app.workspace.context.messages
    qtbot.waitUntil(lambda: "Backed up" in messages.last.text, timeout=WAIT_MS)


def test_the_dialog_is_chinese(chinese, qtbot, path):
    error = DamagedLibrary("The library “{name}” can't be read: {reason}.", name="x", reason="?")
    dialog = RecoveryDialog(Theme("light"), path, error)
    wait_for_list(qtbot, dialog)
    texts = [dialog.title.text(), dialog.message.text(), dialog.restore_button.text()]
    assert all(any("一" <= c <= "鿿" for c in text) for text in texts)
    dialog.reject()


def test_the_dialog_names_its_own_buttons_and_no_command(app: App, qtbot, path: Path):
    damage(path, "damaged")
    app.workspace.window.library_wanted.emit(str(path))
    dialog = app.recovery
    wait_for_list(qtbot, dialog)
    text = dialog.intro.text()
    assert "Restore a backup, or recover what can be read" in text
    assert "inkgraph re" not in text and "…" not in text
    assert dialog.restore_button.text() == "Restore this backup"
    header = dialog.table.horizontalHeader()
    metrics = QFontMetrics(Theme("light").font("text"))
    model = dialog.table.model()
    for column in range(3):
        least = metrics.horizontalAdvance(model.index(0, column).data()) + 16
        qtbot.waitUntil(lambda c=column, w=least: header.sectionSize(c) >= w)
