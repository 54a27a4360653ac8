"""Changed files in the library: what the list and the details show of them, and the actions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_app.engine.messages import Message
from desktop_app.engine.model import NewVersion, PreviousVersion
from desktop_app.ui.library.dialogs import LibraryFileDialog
from desktop_app.ui.library.screen import LibraryScreen
from desktop_app.ui.library.table_model import STATE
from desktop_app.ui.library.words import describe_state
from tests.ui.fakes import FakeContext

EMPTY = Message(
    "The file changed, but its new version can't be read: {reason}",
    reason=Message("it is empty (0 bytes)."),
)
AT = 1_700_000_000.0


@pytest.fixture
def screen(context: FakeContext, qtbot) -> LibraryScreen:
    screen = LibraryScreen(context)
    screen.resize(1200, 700)
    qtbot.addWidget(screen)
    screen.show()
    qtbot.waitUntil(lambda: not screen.is_loading)
    return screen


def show_version(screen: LibraryScreen, context: FakeContext, qtbot, **fields) -> None:
    rows = context.library_reader.documents
    rows[0] = replace(rows[0], taken_at=AT, **fields)
    screen.refresh()
    qtbot.waitUntil(lambda: not screen.is_loading)
    screen.list.select(1)


def test_a_refused_version_is_shown_with_its_actions(screen, context, qtbot):
    show_version(screen, context, qtbot, new_version=NewVersion("refused", EMPTY))
    model, panel = screen.model, screen.list.inspector.versions
    cell = model.index(model.place_of(1), STATE)
    assert cell.data() == "Old text kept"
    told = panel.words.text()
    assert told.startswith("The file changed, but its new version can't be read: it is empty (0 ")
    assert "The text of 14 Nov 2023, " in told and told.endswith(" is kept.")
    assert panel.read_button.isVisible() and panel.keep_button.isVisible()
    assert not panel.use_button.isVisible() and not panel.restore_button.isVisible()
    assert screen.list.inspector.open_button.isVisible()
    with qtbot.waitSignal(screen.retry_wanted) as asked:
        panel.read_button.click()
    assert asked.args == [1]
    panel.keep_button.click()
    qtbot.waitUntil(lambda: ("keep", [1]) in context.documents.calls)
    qtbot.waitUntil(lambda: not panel.words.isVisible())


def test_a_version_with_little_text_can_be_used(screen, context, qtbot):
    version = NewVersion("refused", Message("Almost nothing."), n_chars=4)
    show_version(screen, context, qtbot, new_version=version)
    screen.list.inspector.versions.use_button.click()
    qtbot.waitUntil(lambda: ("use", 1) in context.documents.calls)


def test_a_refused_version_that_needs_a_password_asks_for_it(screen, context, qtbot):
    version = NewVersion("refused", Message("It needs a password."))
    show_version(screen, context, qtbot, new_version=version)
    inspector = screen.list.inspector
    assert inspector.password.isVisible()
    inspector.password.setText("quay")
    inspector.versions.read_button.click()
    qtbot.waitUntil(lambda: ("retry", 1, "quay") in context.documents.calls)


def test_the_previous_version_is_restored_from_the_panel_and_the_menu(screen, context, qtbot):
    show_version(screen, context, qtbot, previous=PreviousVersion(2_000, AT))
    panel = screen.list.inspector.versions
    assert panel.restore_button.isVisible() and not panel.read_button.isVisible()
    panel.restore_button.click()
    calls = context.documents.calls
    qtbot.waitUntil(lambda: ("restore version", [1]) in calls)
    calls.clear()
    menu = screen.build_document_menu(screen.list.selected_rows())
    next(a for a in menu.actions() if a.text() == "Restore the previous version").trigger()
    qtbot.waitUntil(lambda: ("restore version", [1]) in calls)


@pytest.mark.parametrize("kind", ["changed", "same", "previous"])
def test_a_version_that_waits_or_is_read_can_be_stopped(screen, context, qtbot, kind):
    show_version(screen, context, qtbot, new_version=NewVersion("waiting", kind=kind))
    inspector = screen.list.inspector
    assert inspector.stop_button.isVisible() and inspector.next_button.isVisible()
    assert inspector.open_button.isVisible()
    row = context.library_reader.documents[0]
    waiting = describe_state(row)
    reading = describe_state(replace(row, new_version=NewVersion("reading", kind=kind)))
    refused = describe_state(replace(row, new_version=NewVersion("refused", kind=kind)))
    assert len({waiting.text, reading.text, refused.text}) == 3 and refused.color == "warn"


def test_the_library_dialog_shows_the_size_of_versions_and_removes_them(context, qtbot):
    dialog = LibraryFileDialog(context.theme)
    qtbot.addWidget(dialog)
    overview = context.library_reader.overview()
    dialog.set_overview(overview)
    dialog.show()
    assert not dialog.remove_versions.isVisible()
    dialog.set_overview(replace(overview, versions_bytes=5_000_000))
    with qtbot.waitSignal(dialog.remove_versions_wanted):
        dialog.remove_versions.click()
