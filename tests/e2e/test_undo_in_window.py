"""Tests Ctrl+Z in the real window: on every screen it undoes the last change and names it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget

from desktop_app.engine.services.chats import Chats
from desktop_app.engine.services.library import Library
from desktop_app.session import Session
from desktop_app.ui.editing.edits import EditRunner
from desktop_app.ui.shell.main_window import STACKED
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.workspace import Workspace
from tests.e2e.test_communities_window import FakeModelRegistry
from tests.small_library import TEXT, add

WAIT_MS = 20_000
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def workspace(qtbot, tmp_path):
    path = tmp_path / "undo.inkgraph"
    library = Library(path)
    for name in ("clocks", "bells", "lamps"):
        add(library, tmp_path, f"{name}.txt", f"{name}. {TEXT}")
    Chats(library.writer, library.writer).create_chat("Who is Ada?")
    library.close()
    made = Workspace(Session(path, FakeModelRegistry()), Theme("light"))
    made.window.resize(1440, 900)
    made.window.show()
    made.window.activateWindow()
    qtbot.waitActive(made.window)
    model = made.window.screens.library.model
    qtbot.waitUntil(lambda: model.rowCount() == 3, timeout=WAIT_MS)
    # The start looks for documents that wait, once the window was painted: not what is tested.
    qtbot.waitUntil(lambda: made.session.indexing_runner.state == "idle", timeout=WAIT_MS)
    yield made
    made.close()


def titles(workspace: Workspace) -> list[str]:
    model = workspace.window.screens.library.model
    return sorted(model.shown_row(i).title for i in range(model.rowCount()))


def last_message(workspace: Workspace) -> str:
    last = workspace.context.messages.last
    return last.text if last is not None else ""


def press(qtbot, workspace: Workspace, key: Qt.Key, modifiers: Qt.KeyboardModifier = CTRL) -> None:
    """Press a key where the focus is."""
    target: QWidget = QApplication.focusWidget() or workspace.window
    qtbot.keyClick(target, key, modifiers)


def undo(qtbot, workspace: Workspace, label: str) -> None:
    workspace.context.messages.clear()
    press(qtbot, workspace, Qt.Key.Key_Z)
    qtbot.waitUntil(lambda: last_message(workspace) == f"Undone: {label}", timeout=WAIT_MS)


def wait_for_jobs(qtbot, workspace: Workspace) -> None:
    context = workspace.context
    qtbot.waitUntil(
        lambda: context.writer_lane.n_jobs == context.reader_lane.n_jobs == 0, timeout=WAIT_MS
    )


def change(qtbot, workspace: Workspace, verb: Callable[..., object], *args: object) -> None:
    """Make a change as the screens do, and wait for it."""
    edits = EditRunner(workspace.context, workspace.window)
    with qtbot.waitSignal(edits.done, timeout=WAIT_MS):
        edits.run(verb, *args)


def test_several_documents_are_deleted_together_and_come_back_with_one_key(qtbot, workspace):
    library = workspace.window.screens.library
    ids = [row.id for row in workspace.context.library_reader.list_documents()][:2]
    library.list.select(*ids)
    panel = library.list.inspector.several
    assert panel.isVisible()
    qtbot.mouseClick(panel.trash_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(titles(workspace)) == 1, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: "moved to the trash" in last_message(workspace), timeout=WAIT_MS)
    wait_for_jobs(qtbot, workspace)
    undo(qtbot, workspace, "Move 2 documents to the trash")
    qtbot.waitUntil(lambda: len(titles(workspace)) == 3, timeout=WAIT_MS)
    rows = workspace.context.library_reader.list_documents()
    assert {row.state for row in rows} == {"ready"}, "none is read again"
    assert workspace.session.indexing_runner.state == "idle"
    press(qtbot, workspace, Qt.Key.Key_Z, CTRL | SHIFT)
    qtbot.waitUntil(
        lambda: last_message(workspace) == "Redone: Move 2 documents to the trash", timeout=WAIT_MS
    )
    qtbot.waitUntil(lambda: len(titles(workspace)) == 1, timeout=WAIT_MS)
    wait_for_jobs(qtbot, workspace)


def test_the_last_change_is_undone_on_every_screen(qtbot, workspace):
    context, window = workspace.context, workspace.window
    [first, *_] = [row.id for row in context.library_reader.list_documents()]
    ada = next(e for e in context.library_reader.top_entities(50) if e.name == "Ada Merrow")
    title = context.library_reader.get_document(first).title
    quote = context.library_reader.fetch_text(first)[:6]
    changes: dict[str, tuple[Callable[[], None], str]] = {
        "library": (
            lambda: change(qtbot, workspace, context.documents.tag, [first], "loan"),
            f"Edit the details of “{title}”",
        ),
        "graph": (
            lambda: change(qtbot, workspace, context.editing.retype, ada.id, "place"),
            "Change the type of “Ada Merrow” to place",
        ),
        "entity": (
            lambda: change(qtbot, workspace, context.editing.rename, ada.id, "Miss Merrow"),
            "Rename “Ada Merrow” to “Miss Merrow”",
        ),
        "merge": (
            lambda: change(qtbot, workspace, context.editing.delete, ada.id),
            "Delete “Ada Merrow”",
        ),
        "communities": (
            lambda: change(qtbot, workspace, context.annotations.highlight, first, 0, 6),
            f"Highlight “{quote}”",
        ),
        "chat": (
            lambda: change(qtbot, workspace, context.documents.set_aside, [first], True),
            f"Exclude “{title}” from answers",
        ),
    }
    # The opened library embeds its passages in the background, and the rows count them.
    qtbot.waitUntil(
        lambda: all(row.n_embedded for row in context.library_reader.list_documents()),
        timeout=WAIT_MS,
    )
    before = context.library_reader.list_documents()
    for name in (*STACKED, "library"):
        window.show_screen(name)
        wait_for_jobs(qtbot, workspace)
        make, label = changes.get(name, changes["library"])
        make()
        undo(qtbot, workspace, label)
        wait_for_jobs(qtbot, workspace)
    assert context.library_reader.list_documents() == before
    assert "Ada Merrow" in {e.name for e in context.library_reader.top_entities(50)}
    press(qtbot, workspace, Qt.Key.Key_Z)
    qtbot.waitUntil(lambda: "Nothing to undo" in last_message(workspace), timeout=WAIT_MS)


class ShownWindows(QObject):
    """Records the windows that are shown."""

    def __init__(self, application: QApplication) -> None:
        super().__init__()
        self.found: list[str] = []
        application.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.found.append(repr(watched))
        return False


def test_no_screen_takes_the_keyboard_from_the_window(qtbot, qapp, workspace):
    """A widget that is shown before it has a parent is a window, and gets the keyboard."""
    shown = ShownWindows(qapp)
    for name in STACKED:
        workspace.window.show_screen(name)
        wait_for_jobs(qtbot, workspace)
        assert qapp.activeWindow() is workspace.window, name
    qapp.removeEventFilter(shown)
    assert shown.found == []


def test_a_text_field_undoes_its_own_text_first(qtbot, workspace):
    library = workspace.window.screens.library
    [first, *_] = [row.id for row in workspace.context.library_reader.list_documents()]
    change(qtbot, workspace, workspace.context.documents.tag, [first], "loan")
    label = f"Edit the details of “{workspace.context.library_reader.get_document(first).title}”"
    library.filter.setFocus()
    qtbot.keyClicks(library.filter, "clo")
    press(qtbot, workspace, Qt.Key.Key_Z)
    assert library.filter.text() == ""
    assert "Undone" not in last_message(workspace)
    undo(qtbot, workspace, label)
    box = workspace.window.screens.chat.box.edit
    workspace.window.show_screen("chat")
    workspace.context.messages.clear()
    box.setFocus()
    qtbot.keyClicks(box, "Who?")
    press(qtbot, workspace, Qt.Key.Key_Z)
    assert box.toPlainText() == ""
    press(qtbot, workspace, Qt.Key.Key_Z, CTRL | SHIFT)
    assert box.toPlainText() == "Who?", "the field's own redo comes first, too"
    press(qtbot, workspace, Qt.Key.Key_Z, CTRL | SHIFT)
    qtbot.waitUntil(lambda: last_message(workspace) == f"Redone: {label}", timeout=WAIT_MS)
    wait_for_jobs(qtbot, workspace)


def test_undo_of_a_message_undoes_no_later_change(qtbot, workspace):
    """The button of a message undoes what the message is about, or says why not."""
    context = workspace.context
    [first, *_] = [row.id for row in context.library_reader.list_documents()]
    edits = EditRunner(context, workspace.window)
    with qtbot.waitSignal(edits.done, timeout=WAIT_MS):
        edits.run(context.documents.tag, [first], "loan", message="Tagged")
    of_the_tag = context.messages.last
    change(qtbot, workspace, context.documents.set_aside, [first], True)
    of_the_tag.action()
    qtbot.waitUntil(lambda: "Something else was changed" in last_message(workspace))
    assert context.library_reader.get_document(first).set_aside
    undo(qtbot, workspace, "Exclude “lamps” from answers")
    with qtbot.waitSignal(edits.done, timeout=WAIT_MS):
        of_the_tag.action()
    assert context.library_reader.get_document(first).tags == ()
    with qtbot.waitSignal(edits.done, timeout=WAIT_MS):
        context.messages.last.action()  # "Redo"
    assert context.library_reader.get_document(first).tags == ("loan",)
    with qtbot.waitSignal(edits.done, timeout=WAIT_MS):
        edits.run(context.documents.tag, [first], "loan", message="Tagged")
    assert context.messages.last.action_text == "", "nothing was changed"
    wait_for_jobs(qtbot, workspace)


def test_a_deleted_chat_comes_back(qtbot, workspace):
    chats = workspace.window.sidebar.chats
    qtbot.waitUntil(lambda: chats.count() == 1, timeout=WAIT_MS)
    [row] = workspace.context.library_reader.list_chats()
    chats.delete(row.id, row.title)
    qtbot.waitUntil(lambda: chats.count() == 0, timeout=WAIT_MS)
    undo(qtbot, workspace, "Delete chat “Who is Ada?”")
    qtbot.waitUntil(lambda: chats.count() == 1, timeout=WAIT_MS)
    wait_for_jobs(qtbot, workspace)


def test_a_document_in_the_trash_is_restored_where_it_is_opened(qtbot, workspace):
    context, window = workspace.context, workspace.window
    row = context.library_reader.list_documents()[0]
    text = context.library_reader.fetch_text(row.id)
    start = text.index("Ada Merrow")
    change(qtbot, workspace, lambda: context.documents.trash_documents([row.id])[0])
    window.navigator.open_passage(row.id, start, start + 10)
    reader = window.document_tabs.beside
    qtbot.waitUntil(reader.body.restore_button.isVisible, timeout=WAIT_MS)
    assert reader.body.empty.title.text() == "This document is in the trash."
    # A tab that is opened before the tabs know of the trash is closed when they do.
    qtbot.waitUntil(lambda: row.id in window.document_tabs._titles_in_trash, timeout=WAIT_MS)
    window.document_tabs.open_document(row.id)
    bar, title = window.document_tabs.bar, f"{row.title} (in the trash)"
    qtbot.waitUntil(lambda: bar.tabText(1) == title, timeout=WAIT_MS)
    window.document_tabs.close_page(window.document_tabs.page)
    qtbot.mouseClick(reader.body.restore_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: reader.view is not None, timeout=WAIT_MS)
    assert reader.document_id == row.id
    assert reader.view is not None and reader.view.passage == (start, start + 10)
    assert not reader.body.restore_button.isVisible()
    qtbot.waitUntil(lambda: len(titles(workspace)) == 3, timeout=WAIT_MS)
    wait_for_jobs(qtbot, workspace)
    undo(qtbot, workspace, f"Restore “{row.title}”")
    qtbot.waitUntil(reader.body.restore_button.isVisible, timeout=WAIT_MS)
    wait_for_jobs(qtbot, workspace)
