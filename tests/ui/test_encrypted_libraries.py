"""Tests encrypted libraries in the window: create, open, encrypt, change, decrypt."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtWidgets import QApplication, QDialog

from desktop_app import app as app_module
from desktop_app import session
from desktop_app.app import App, FirstStart
from desktop_app.engine.services.encryption import EncryptionChange, encrypt_library, key_to_open
from desktop_app.engine.services.library import Library
from desktop_app.engine.store.encryption import is_encrypted
from desktop_app.ui.library.dialogs import LibraryFileDialog
from desktop_app.ui.library.encryption import (
    DecryptDialog,
    EncryptionProgressDialog,
    NewLibraryDialog,
    NewPassphraseDialog,
    PassphraseDialog,
)
from desktop_app.ui.recovery.dialog import RecoveryDialog
from desktop_app.ui.widgets.passphrase import NewPassphrase
from desktop_app.workers.operations import Work
from tests.books import add_book

WAIT_MS = 30_000
PASSPHRASE = "correct horse battery"
OTHER = "another long passphrase"


@pytest.fixture
def plain(tmp_path) -> Path:
    library = Library(tmp_path / "libraries" / "Diary.inkgraph")
    add_book(library, ("Zebulon keeps the ledger beneath the third stair.",), title="Monday")
    library.close()
    return library.path


@pytest.fixture
def encrypted(plain) -> Path:
    encrypt_library(plain, PASSPHRASE)
    return plain


def find_dialog(kind, qtbot):
    """Return the visible dialog of a kind, when it is there."""

    def visible() -> list[QDialog]:
        return [w for w in QApplication.topLevelWidgets() if isinstance(w, kind) and w.isVisible()]

    qtbot.waitUntil(lambda: bool(visible()), timeout=WAIT_MS)
    return visible()[-1]


def type_twice(fields: NewPassphrase, passphrase: str) -> None:
    fields.first.setText(passphrase)
    fields.second.setText(passphrase)


def enter(dialog: PassphraseDialog, passphrase: str) -> None:
    dialog.field.setText(passphrase)
    dialog.open_button.click()


def titles(app: App) -> list[str]:
    return [row.title for row in app.workspace.context.library_reader.list_documents()]


def wait_for_window(app: App, path: Path, qtbot) -> None:
    def is_there() -> bool:
        return app.workspace is not None and app.workspace.session.library.path == path

    qtbot.waitUntil(is_there, timeout=WAIT_MS)


def open_file_dialog(app: App, qtbot) -> LibraryFileDialog:
    app.workspace.window.actions_by_name["maintenance"].trigger()
    return find_dialog(LibraryFileDialog, qtbot)


def test_an_encrypted_library_opens_after_a_wrong_and_the_right_passphrase(app, encrypted, qtbot):
    app.open_or_ask(encrypted)
    dialog = find_dialog(PassphraseDialog, qtbot)
    assert app.workspace is None and not dialog.open_button.isEnabled()
    enter(dialog, "not the passphrase")
    qtbot.waitUntil(lambda: not dialog.problem.isHidden(), timeout=WAIT_MS)
    assert "is wrong" in dialog.problem.text()
    assert dialog.field.isEnabled() and dialog.field.selectedText() == "not the passphrase"
    enter(dialog, PASSPHRASE)
    wait_for_window(app, encrypted, qtbot)
    assert titles(app) == ["Monday"]
    app.restart()  # does not ask again
    assert app.workspace.session.library.path == encrypted and titles(app) == ["Monday"]


def test_giving_up_leaves_the_open_library_alone(app, encrypted, tmp_path, qtbot):
    app.open_library(tmp_path / "other.inkgraph")
    app.workspace.window.library_wanted.emit(str(encrypted))
    dialog = find_dialog(PassphraseDialog, qtbot)
    dialog.reject()
    assert app.workspace.session.library.path == tmp_path / "other.inkgraph"
    assert app.workspace.window.isVisible()


def test_another_library_can_be_opened_when_a_passphrase_is_forgotten(
    app, encrypted, tmp_path, monkeypatch, qtbot
):
    other = tmp_path / "other.inkgraph"
    Library(other).close()
    letter = tmp_path / "letter.inkgraph"
    letter.write_text("Dear Sir, " * 500)
    app.open_or_ask(encrypted)
    dialog = find_dialog(PassphraseDialog, qtbot)
    monkeypatch.setattr(app_module, "ask_for_library", lambda parent: str(letter))
    dialog.other_wanted.emit()
    assert "not an Inkgraph library" in dialog.problem.text() and dialog.isVisible()
    monkeypatch.setattr(app_module, "ask_for_library", lambda parent: str(other))
    dialog.other_wanted.emit()
    assert app.workspace.session.library.path == other


def test_a_backup_is_restored_when_the_beginning_is_damaged(app, encrypted, qtbot):
    library = Library(encrypted, key=key_to_open(encrypted, PASSPHRASE))
    library.backups.make("by-hand")
    library.close()
    content = bytearray(encrypted.read_bytes())
    content[100:3000] = bytes(2900)
    encrypted.write_bytes(content)
    app.open_or_ask(encrypted)
    dialog = find_dialog(PassphraseDialog, qtbot)
    enter(dialog, PASSPHRASE)
    qtbot.waitUntil(dialog.backups_button.isVisible, timeout=WAIT_MS)
    dialog.backups_button.click()
    recovery = find_dialog(RecoveryDialog, qtbot)
    qtbot.waitUntil(recovery.restore_button.isEnabled, timeout=WAIT_MS)
    recovery.restore_button.click()
    wait_for_window(app, encrypted, qtbot)
    assert is_encrypted(encrypted) and titles(app) == ["Monday"]


def test_an_encrypted_library_is_recovered_encrypted_and_opens(app, encrypted, qtbot):
    content = bytearray(encrypted.read_bytes())
    content[100:3000] = bytes(2900)
    encrypted.write_bytes(content)
    app.open_or_ask(encrypted)
    dialog = find_dialog(PassphraseDialog, qtbot)
    enter(dialog, PASSPHRASE)
    qtbot.waitUntil(dialog.backups_button.isVisible, timeout=WAIT_MS)
    dialog.backups_button.click()
    recovery = find_dialog(RecoveryDialog, qtbot)
    recovery.recover_button.click()
    qtbot.waitUntil(lambda: recovery.recovered is not None, timeout=WAIT_MS)
    recovered = recovery.recovered
    recovery.open_button.click()
    wait_for_window(app, recovered, qtbot)
    assert is_encrypted(recovered) and titles(app) == ["Monday"]


def test_a_backup_of_the_open_library_is_restored_without_asking(app, encrypted, qtbot):
    app.open_library(encrypted, key_to_open(encrypted, PASSPHRASE))
    app.workspace.session.library.backups.make("by-hand")
    before = app.workspace
    app.workspace.window.restore_wanted.emit()
    recovery = find_dialog(RecoveryDialog, qtbot)
    qtbot.waitUntil(recovery.restore_button.isEnabled, timeout=WAIT_MS)
    recovery.restore_button.click()
    qtbot.waitUntil(lambda: app.workspace not in (None, before), timeout=WAIT_MS)
    assert titles(app) == ["Monday"]


def test_a_new_library_is_encrypted_if_wished(app, tmp_path, qtbot):
    app.open_library(tmp_path / "first.inkgraph")
    app.workspace.window.actions_by_name["new_library"].trigger()
    dialog = find_dialog(NewLibraryDialog, qtbot)
    dialog.set_folder(tmp_path)
    dialog.name.setText("first")
    assert not dialog.button.isEnabled() and "already" in dialog.problem.text()
    dialog.name.setText("")
    assert not dialog.button.isEnabled()
    dialog.name.setText("Secret")
    assert dialog.button.isEnabled() and dialog.encryption.details.isHidden()
    dialog.encryption.box.setChecked(True)
    assert not dialog.button.isEnabled() and not dialog.encryption.details.isHidden()
    type_twice(dialog.encryption.fields, "short")
    assert not dialog.button.isEnabled()
    type_twice(dialog.encryption.fields, PASSPHRASE)
    dialog.button.click()
    path = tmp_path / "Secret.inkgraph"
    wait_for_window(app, path, qtbot)
    assert is_encrypted(path)
    assert Library(path, key=key_to_open(path, PASSPHRASE)).close() is None


def test_the_welcome_window_encrypts_the_first_library(app, tmp_path, plain, qtbot):
    first = FirstStart(app)
    first.show()
    step = first.window.library
    step.set_folder(str(plain.parent))
    step.name.setText("Letters")
    step.encryption.box.setChecked(True)
    assert not first.window.next_button.isEnabled()
    type_twice(step.encryption.fields, PASSPHRASE)
    assert first.window.next_button.isEnabled()
    step.name.setText(plain.stem)  # it would not be encrypted
    assert not first.window.next_button.isEnabled() and step.problem.isVisible()
    step.name.setText("Letters")
    for language in ("zh", "en"):  # the window is made again
        first.window.language_wanted.emit(language)
        assert first.window.library.encryption.passphrase() == PASSPHRASE
    first.window.show_step(2)
    first.window.next_button.click()
    path = plain.with_name("Letters.inkgraph")
    wait_for_window(app, path, qtbot)
    assert is_encrypted(path) and first.window is None


def test_a_new_library_is_plain_otherwise(app, tmp_path, qtbot):
    app.open_library(tmp_path / "first.inkgraph")
    app.workspace.window.actions_by_name["new_library"].trigger()
    dialog = find_dialog(NewLibraryDialog, qtbot)
    dialog.set_folder(tmp_path)
    dialog.name.setText("Open.inkgraph")
    dialog.button.click()
    wait_for_window(app, tmp_path / "Open.inkgraph", qtbot)
    assert not is_encrypted(tmp_path / "Open.inkgraph")


def test_the_open_library_is_encrypted_given_another_passphrase_and_decrypted(app, plain, qtbot):
    copy = plain.with_name("Diary.v3.backup")
    shutil.copyfile(plain, copy)
    app.open_library(plain).window.show_screen("graph")
    before = app.workspace

    def wait_for_reopening() -> None:
        qtbot.waitUntil(
            lambda: app.workspace not in (None, before) and app.workspace.window.isVisible(),
            timeout=WAIT_MS,
        )

    open_file_dialog(app, qtbot).encrypt.click()
    dialog = find_dialog(NewPassphraseDialog, qtbot)
    assert not dialog.button.isEnabled()
    type_twice(dialog.fields, PASSPHRASE)
    dialog.delete_box.setChecked(True)
    dialog.button.click()
    wait_for_reopening()
    assert is_encrypted(plain) and not copy.exists()
    assert app.workspace.window.current == "graph" and titles(app) == ["Monday"]
    assert b"Zebulon" not in b"".join(p.read_bytes() for p in plain.parent.iterdir())

    before = app.workspace
    open_file_dialog(app, qtbot).encrypt.click()
    dialog = find_dialog(NewPassphraseDialog, qtbot)
    type_twice(dialog.fields, OTHER)
    dialog.button.click()
    wait_for_reopening()
    assert app.workspace.session.library.key == key_to_open(plain, OTHER)

    before = app.workspace
    open_file_dialog(app, qtbot).decrypt.click()
    find_dialog(DecryptDialog, qtbot).button.click()
    wait_for_reopening()
    assert not is_encrypted(plain) and titles(app) == ["Monday"]


def test_a_library_open_elsewhere_is_not_encrypted_and_opens_again(app, plain, qtbot):
    elsewhere = Library(plain)
    app.open_library(plain)
    before = app.workspace
    open_file_dialog(app, qtbot).encrypt.click()
    dialog = find_dialog(NewPassphraseDialog, qtbot)
    type_twice(dialog.fields, PASSPHRASE)
    dialog.button.click()
    qtbot.waitUntil(lambda: app.workspace not in (None, before), timeout=WAIT_MS)
    shown = app.workspace.context.messages.last
    assert "in use by another program" in shown.text
    assert not is_encrypted(plain) and titles(app) == ["Monday"]
    elsewhere.close()


def test_a_library_is_encrypted_after_its_last_thread_has_ended(app, plain, qtbot, monkeypatch):
    begun, go_on = threading.Event(), threading.Event()

    def wait(job: object) -> None:
        begun.set()
        go_on.wait(WAIT_MS / 1000)

    first = app.open_library(plain)
    Work(first.session.lanes["reader"], wait).run()
    assert begun.wait(WAIT_MS / 1000)
    with monkeypatch.context() as patch:
        for limit in ("QUIET_S", "EDITS_S", "CLOSE_S"):
            patch.setattr(session, limit, 0.0)
        app.encrypted.apply(EncryptionChange(PASSPHRASE))
    assert app.workspace is None and not is_encrypted(plain)
    go_on.set()
    qtbot.waitUntil(lambda: app.workspace is not None, timeout=WAIT_MS)
    assert is_encrypted(plain) and titles(app) == ["Monday"]
    qtbot.waitUntil(lambda: not shiboken6.isValid(first.window), timeout=WAIT_MS)


def test_the_progress_dialog_stays_until_the_end(qtbot):
    dialog = EncryptionProgressDialog("Encrypting “Diary”…")
    dialog.show()
    dialog.reject()
    dialog.close()
    assert dialog.isVisible()
    dialog.show_problem("The library can't be read.")
    assert dialog.close_button.isVisible()
    dialog.close_button.click()


def test_the_menu_of_libraries_shows_a_lock_for_encrypted_ones(app, encrypted, tmp_path, qtbot):
    app.open_library(encrypted, key_to_open(encrypted, PASSPHRASE))
    app.open_library(tmp_path / "plain.inkgraph")
    menu = app.workspace.window.sidebar.build_library_menu()
    icons = {action.toolTip().split("\n")[0]: action.icon() for action in menu.actions()}
    assert not icons[str(encrypted)].isNull()
    assert icons[str(tmp_path / "plain.inkgraph")].isNull()
