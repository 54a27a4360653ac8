"""The main window with fake screens: layout, connections, saved state."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QPushButton

from desktop_app.engine.progress import Progress
from desktop_app.engine.services.model_servers import ModelServer
from desktop_app.ui.dialogs import build_privacy_sheet
from desktop_app.ui.quotations.sheet import QuotationSheet
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.widgets import IconButton, Label
from tests.ui.fakes import FakeContext
from tests.ui.shell.fake_screens import build_window


@pytest.fixture
def window(context: FakeContext, qtbot, tmp_path: Path, monkeypatch) -> MainWindow:
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path))
    return make_window(context, qtbot)


def make_window(context: FakeContext, qtbot) -> MainWindow:
    made = build_window(context)
    qtbot.addWidget(made)
    made.set_overview(context.library_reader.overview())
    made.set_chats(context.chats.list_chats())
    made.resize(1280, 800)
    made.show()
    return made


def test_the_window_opens_with_the_library_and_without_the_reader(window: MainWindow):
    assert window.current == "library"
    assert not window.screens.reader.isVisible()
    assert window.windowTitle().startswith("Novels and papers")


@pytest.mark.parametrize("name", ["graph", "entity", "chat", "models"])
def test_a_row_of_the_sidebar_shows_its_screen(window: MainWindow, qtbot, name: str):
    qtbot.mouseClick(window.sidebar.rows[name], Qt.MouseButton.LeftButton)
    assert window.screens.get(name).isVisible()
    assert window.sidebar.rows[name].isChecked()


def test_rows_of_the_sidebar_do_not_overlap_in_a_low_window_with_the_largest_text(
    context: FakeContext, qtbot, qapp, tmp_path: Path, monkeypatch
):
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path))
    context.theme.set_scale(1.5)
    context.theme.apply(qapp)
    window = make_window(context, qtbot)
    window.resize(900, 600)
    rows = list(window.sidebar.rows.values())

    def overlap() -> list[str]:
        return [
            above.text()
            for above, below in pairwise(rows)
            if above.geometry().bottom() >= below.geometry().top()
        ]

    qtbot.waitUntil(lambda: window.sidebar.height() == 600 and overlap() == [])
    text = rows[0].fontMetrics().height()
    assert all(row.height() >= text for row in rows)
    assert window.sidebar.chats.rows.height() >= text  # and the chats are still listed


def test_the_sidebar_shows_counts(window: MainWindow):
    assert window.sidebar.rows["library"].count.text() == "9"
    assert window.sidebar.rows["entity"].count.text() == "3,412"
    assert window.sidebar.rows["entity"].toolTip() == "3,412 names"
    assert window.sidebar.rows["entity"].accessibleDescription() == "3,412 names"


@pytest.mark.parametrize(
    ("name", "words"),
    [("merge", "12 suggestions to merge names"), ("communities", "12 communities")],
)
def test_the_last_known_number_is_shown_at_the_next_start(window: MainWindow, name, words):
    row = window.sidebar.rows[name]
    window.show_screen(name)
    window.show_count(name, 12)
    window.save_place("/here/one.inkgraph")
    window.restore_place("/here/other.inkgraph")
    assert row.count.text() == "…" and row.toolTip().startswith("Counted when")
    window.save_place("/here/other.inkgraph")
    window.restore_place("/here/one.inkgraph")
    assert row.count.text() == "12" and row.toolTip() == words
    window.restore_place("/here/other.inkgraph")
    assert row.count.text() == "…", "that it was not known is not saved as none"
    assert window.sidebar.chats.count() == 3


def test_the_places_of_the_library_stand_where_the_chats_do(window: MainWindow):
    library, sidebar = window.screens.library, window.sidebar
    window.show_screen("library")
    assert library.places_panel.isVisible() and not sidebar.chats.isVisible()
    window.show_screen("chat")
    assert sidebar.chats.isVisible() and not library.places_panel.isVisible()
    library.place_opened.emit()
    assert window.current == "library" and library.places_panel.isVisible()


def test_library_in_the_sidebar_shows_all_documents_again(window: MainWindow):
    library = window.screens.library
    window.show_screen("graph")
    library.calls.clear()
    window.sidebar.rows["library"].click()
    assert ("show_all",) not in library.calls  # the chosen place stays
    window.sidebar.rows["library"].click()
    assert library.calls.count(("show_all",)) == 1
    window.actions_by_name["library"].trigger()
    assert library.calls.count(("show_all",)) == 2


def test_without_the_sidebar_the_library_has_a_button_for_its_places(window: MainWindow):
    library = window.screens.library
    window.show_sidebar(False)
    assert library.calls[-1] == ("show_places_button", True)
    window.show_sidebar(True)
    assert library.calls[-1] == ("show_places_button", False)


def test_a_citation_opens_the_reader_and_the_chat_stays(window: MainWindow):
    window.show_screen("chat")
    window.screens.chat.open_passage.emit(2, 10, 30)
    assert window.screens.chat.isVisible() and window.screens.reader.isVisible()
    assert window.screens.reader.calls == [("open_at", 2, 10, 30)]
    left, right = window.document_tabs.splitter.sizes()
    assert left > 300 and right > 300


def test_closing_the_reader_hides_its_pane(window: MainWindow):
    window.show_screen("reader")
    window.screens.reader.closed.emit()
    assert not window.screens.reader.isVisible()
    window.actions_by_name["reader"].trigger()
    assert window.screens.reader.isVisible()


def test_screens_open_each_other_through_the_navigator(window: MainWindow):
    reader = window.screens.reader
    reader.open_entity.emit(7)
    assert window.current == "entity" and window.screens.entity.calls == [("show_entity", 7)]
    window.screens.entity.show_in_graph.emit([7, 8])
    assert window.current == "graph"
    assert window.screens.graph.calls == [("show_entities", [7, 8])]
    reader.ask_about.emit("林秋白是谁?")
    assert window.screens.chat.calls == [("set_question", "林秋白是谁?")]
    window.screens.library.names_wanted.emit(3)
    assert window.current == "entity"
    assert window.screens.entity.calls[-1] == ("show_names_of", 3)
    window.screens.library.open_entity.emit(9)
    assert window.screens.entity.calls[-1] == ("show_entity", 9)
    window.screens.entity.open_community.emit(5)
    assert window.current == "communities"
    assert window.screens.communities.calls[-1] == ("show_community", 5)


def test_a_chat_of_the_list_is_opened(window: MainWindow):
    window.sidebar.chats.chat_wanted.emit(12)
    assert window.current == "chat" and window.screens.chat.calls == [("open_chat", 12, 0)]


def test_a_deleted_chat_is_restored(window: MainWindow, context: FakeContext, qtbot):
    with qtbot.waitSignal(context.hub.changed) as emitted:
        window.sidebar.chats.delete(12, "宋江为什么上梁山?")
    assert emitted.args[0].chats == {12}
    assert [row.id for row in context.chats.rows] == [11, 13]
    with qtbot.waitSignal(context.hub.changed):
        context.messages.last.action()
    assert [row.id for row in context.chats.rows] == [11, 12, 13]


def test_a_search_hit_in_a_chat_is_opened(window: MainWindow):
    window.sidebar.chats.message_wanted.emit(12, 4)
    assert window.current == "chat" and window.screens.chat.calls == [("open_chat", 12, 4)]


def test_progress_and_time_of_work_are_shown_and_it_can_be_paused(window: MainWindow, qtbot):
    work = window.sidebar.work
    assert not work.isVisible()
    window.show_work(Progress("names", 64, 100, 1.0, 118.0), "Indexing 水浒传")
    assert work.title.full_text() == "Indexing 水浒传"
    assert work.detail.full_text() == "64% · 2 min left"
    window.show_work(Progress("names", 100, 100, 90.0, 20.0), "Indexing 水浒传")
    assert work.detail.text() == work.detail.full_text() == "100% · less than a minute left"
    with qtbot.waitSignal(window.pause_wanted):
        qtbot.mouseClick(work.pause_button, Qt.MouseButton.LeftButton)
    window.show_work(None, "Paused")
    with qtbot.waitSignal(window.resume_wanted):
        qtbot.mouseClick(work.resume_button, Qt.MouseButton.LeftButton)
    window.show_work(None, "")
    assert not work.isVisible()


def _icon_left(window: MainWindow, name: str) -> int:
    """Return the first column of a row of the sidebar that is not its ground."""
    row = window.sidebar.rows[name]
    place = row.mapTo(window, QPoint(0, 0))
    image = window.grab().toImage()
    y = place.y() + row.height() // 2
    ground = image.pixelColor(place.x() + 2, y)
    return next(x for x in range(place.x() + 2, 220) if image.pixelColor(x, y) != ground)


def test_no_icon_moves_where_the_sidebar_is_a_column_of_icons(
    window: MainWindow, context: FakeContext, qapp: QApplication
):
    context.theme.apply(qapp)
    try:
        left = _icon_left(window, "graph")
        window.show_sidebar(False)
        assert _icon_left(window, "graph") == left
    finally:
        qapp.setStyleSheet("")


def test_the_sidebar_is_a_column_of_icons_on_demand(window: MainWindow, qtbot):
    sidebar, wide = window.sidebar, window.sidebar.width()
    window.actions_by_name["sidebar"].trigger()
    assert sidebar.is_narrow and sidebar.width() < 60 < wide
    assert not sidebar.chats.isVisible() and not sidebar.rows["library"].count.isVisible()
    qtbot.mouseClick(sidebar.rows["graph"], Qt.MouseButton.LeftButton)
    assert window.current == "graph"
    qtbot.mouseClick(sidebar.fold_button, Qt.MouseButton.LeftButton)
    assert not sidebar.is_narrow and sidebar.width() == wide


def test_the_column_of_icons_says_that_work_is_running(window: MainWindow, qtbot):
    sidebar, button = window.sidebar, window.sidebar.work_button
    window.show_sidebar(False)
    assert not button.isVisible()
    window.show_work(Progress("names", 64, 100, 1.0, 118.0), "Indexing 水浒传.txt")
    assert button.isVisible() and button.toolTip() == "Indexing 水浒传.txt"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert sidebar.work.isVisible() and not button.isVisible()
    window.show_sidebar(False)
    window.show_work(None, "")
    assert not button.isVisible()


def test_documents_have_a_sidebar_of_icons_and_their_tabs_do_not_move(window: MainWindow, qtbot):
    window.show_screen("library")
    window.document_tabs.open_document(1)
    tabs, sidebar = window.document_tabs.bar, window.sidebar
    qtbot.waitUntil(lambda: sidebar.is_narrow)

    def left() -> int:
        window.centralWidget().layout().activate()
        QApplication.processEvents()
        return tabs.mapTo(window, tabs.tabRect(1).topLeft()).x()

    document = left()
    window.document_tabs.show_home()
    assert not sidebar.is_narrow and left() == document
    window.document_tabs.step(1)
    window.show_sidebar(True)  # what was chosen for documents says nothing about screens
    assert not sidebar.is_narrow and left() == document
    window.document_tabs.show_home()
    window.show_sidebar(False)
    assert sidebar.is_narrow and left() == document
    window.document_tabs.step(1)
    assert not sidebar.is_narrow


def test_the_inspector_of_the_current_screen_is_hidden(window: MainWindow):
    window.screens.library.calls.clear()
    window.actions_by_name["inspector"].trigger()
    assert window.screens.library.calls == [("toggle_inspector",)]


def test_the_theme_menu_emits_a_request(window: MainWindow, qtbot):
    with qtbot.waitSignal(window.theme_wanted) as asked:
        window.actions_by_name["dark"].trigger()
    assert asked.args == ["dark"]


def test_a_recent_library_can_be_opened(window: MainWindow, qtbot):
    window.set_recent_libraries(["/somewhere/研究.inkgraph"])
    menu = window.sidebar.build_library_menu()
    with qtbot.waitSignal(window.library_wanted) as asked:
        menu.actions()[0].trigger()
    assert asked.args == ["/somewhere/研究.inkgraph"]


def test_a_quotation_is_looked_for_from_the_menu_of_libraries(window: MainWindow):
    entries = window.sidebar.build_library_menu().actions()
    assert window.actions_by_name["find_quotation"] in entries
    window.screens.library.quotation_wanted.emit("It was the best of times")
    [sheet] = window.findChildren(QuotationSheet)
    assert sheet.field.toPlainText() == "It was the best of times"
    sheet.close()


def test_files_dropped_anywhere_are_added(window: MainWindow, qtbot, tmp_path: Path):
    book = tmp_path / "水浒传.txt"
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(book)), QUrl("https://example.org/a.txt")])
    what = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton)
    mods = Qt.KeyboardModifier.NoModifier
    window.dragEnterEvent(QDragEnterEvent(QPoint(5, 5), *what, mods))
    assert window.drop_overlay.isVisible()
    with qtbot.waitSignal(window.files_dropped) as dropped:
        window.dropEvent(QDropEvent(QPointF(5, 5), *what, mods))
    assert [Path(path) for path in dropped.args[0]] == [book]
    assert not window.drop_overlay.isVisible()


def test_window_size_and_sidebar_are_restored(window: MainWindow, context, qtbot):
    window.resize(1100, 640)
    window.actions_by_name["sidebar"].trigger()
    window.close()
    again = make_window_as_kept(context, qtbot)
    assert again.height() == 640  # the offscreen display is narrower than the window
    assert again.sidebar.is_narrow


def test_the_width_of_the_reader_is_restored(window: MainWindow, context, qtbot):
    window.show_screen("reader")
    window.document_tabs.splitter.setSizes([300, 700])
    window.document_tabs.splitter.splitterMoved.emit(300, 1)
    window.close()
    again = make_window(context, qtbot)
    again.show_screen("reader")
    left, right = again.document_tabs.splitter.sizes()
    assert 0.6 < right / (left + right) < 0.75


def test_screen_and_document_of_a_library_are_restored(window: MainWindow, context, qtbot):
    window.screens.reader.document_id = 2
    window.show_screen("graph")
    window.show_screen("reader")
    window.save_place("/somewhere/one.inkgraph")
    other = make_window(context, qtbot)
    other.restore_place("/somewhere/another.inkgraph")
    assert other.current == "library" and other.screens.reader.isHidden()
    other.restore_place("/somewhere/one.inkgraph")
    assert other.current == "graph" and other.screens.reader.calls == [("open_document", 2)]
    assert other.screens.reader.isVisible()


def test_a_saved_screen_that_no_longer_exists_is_ignored(context, qtbot, window: MainWindow):
    window.current = "a screen of an older version"
    window.save_place("/somewhere/one.inkgraph")
    again = make_window_as_kept(context, qtbot)
    again.restore_place("/somewhere/one.inkgraph")
    assert again.current == "library"


def test_the_settings_button_and_shortcut_open_the_settings(context, qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path))
    made = build_window(context)
    qtbot.addWidget(made)
    made.show()
    qtbot.mouseClick(made.sidebar.settings_button, Qt.MouseButton.LeftButton)
    assert made.current == "settings" and made.sidebar.settings_button.isChecked()
    assert not any(row.isChecked() for row in made.sidebar.rows.values())
    made.actions_by_name["library"].trigger()
    assert made.sidebar.rows["library"].isChecked()
    assert not made.sidebar.settings_button.isChecked()
    assert made.actions_by_name["settings"].shortcut().toString() == "Ctrl+,"


def test_a_shortcut_moves_the_focus_between_panes_and_back(window: MainWindow, qtbot):
    field = QLineEdit(window.screens.library)
    field.show()
    window.activateWindow()
    field.setFocus()
    assert list(window.areas.shown()) == ["sidebar", "screen"]
    window.actions_by_name["next_area"].trigger()
    inside = QApplication.focusWidget()
    assert inside is not None and window.sidebar.isAncestorOf(inside)
    window.actions_by_name["previous_area"].trigger()
    assert QApplication.focusWidget() is field


def test_the_focus_of_a_list_that_is_hidden_does_not_go_to_the_sidebar(window: MainWindow, qtbot):
    window.show_screen("highlights")
    inside = QLineEdit(window.screens.highlights)
    inside.show()
    inside.setFocus()
    qtbot.waitUntil(inside.hasFocus)
    inside.hide()
    focused = QApplication.focusWidget()
    assert focused is None or not window.sidebar.isAncestorOf(focused)


def test_a_shortcut_runs_the_action_of_the_message(window: MainWindow, context, qtbot):
    done = []
    window.actions_by_name["message"].trigger()
    context.messages.show("Merged", action_text="Undo", action=lambda: done.append(1))
    window.actions_by_name["message"].trigger()
    window.actions_by_name["message"].trigger()
    assert done == [1] and not window.message_bar.isVisible()


def test_a_message_is_beside_the_screens_and_nothing_moves(window: MainWindow, context, qtbot):
    sidebar, bar = window.sidebar, window.message_bar
    parts = (*sidebar.rows.values(), sidebar.settings_button, window.stack)

    def places() -> list[tuple[QPoint, object]]:
        return [(part.mapTo(window, QPoint(0, 0)), part.size()) for part in parts]

    before = places()
    context.messages.show("Merged 3 names", action_text="Undo", action=lambda: None)
    assert sidebar.geometry().contains(bar.geometry()) and bar.action.isVisible()
    assert bar.rect().contains(bar.action.geometry()) and bar.rect().contains(bar.text.geometry())
    assert bar.geometry().bottom() < sidebar.settings_button.mapTo(window, QPoint(0, 0)).y()
    assert places() == before
    window.show_sidebar(False)  # the message goes to the screens
    qtbot.waitUntil(lambda: bar.geometry().left() >= window.sidebar.geometry().right())
    assert bar.height() < 60
    window.show_sidebar(True)
    qtbot.waitUntil(lambda: sidebar.geometry().contains(bar.geometry()))


def test_a_message_without_room_in_the_sidebar_is_shown_on_the_screen(
    window: MainWindow, context, qtbot
):
    context.messages.show("A long message about something that happened. " * 30)
    sidebar, bar = window.sidebar, window.message_bar
    assert bar.x() > sidebar.geometry().right()
    qtbot.waitUntil(lambda: window.centralWidget().rect().contains(bar.geometry()))


def test_libraries_with_the_same_name_are_distinguished(window: MainWindow, tmp_path):
    for folder in ("work", "home"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "Notes.inkgraph").write_bytes(bytes(2_000_000))
    paths = [str(tmp_path / folder / "Notes.inkgraph") for folder in ("work", "home")]
    window.set_recent_libraries([*paths, str(tmp_path / "Gone.inkgraph")])
    shown = [a.text() for a in window.sidebar.build_library_menu().actions()][:3]
    assert [s.split("\t")[0] for s in shown] == ["Notes – work", "Notes – home", "Gone"]
    assert shown[0].endswith("MB")


def make_window_as_kept(context: FakeContext, qtbot) -> MainWindow:
    made = build_window(context)
    qtbot.addWidget(made)
    return made


def test_every_icon_button_has_an_accessible_name(window: MainWindow):
    buttons = window.findChildren(IconButton)
    assert len(buttons) > 5
    assert all(b.toolTip() and b.accessibleName() for b in buttons)


# --- sheets ------------------------------------------------------------------------------------


def words(sheet: QDialog) -> str:
    return "\n".join(label.text() for label in sheet.findChildren(Label))


def test_the_offline_label_explains_what_is_accessed(window: MainWindow, tmp_path: Path):
    opened: list[bool] = []
    server = ModelServer(url="https://models.example.org/v1", chat="tiny", agreed=("chat",))
    path = "/somewhere/My library.inkgraph"
    sheet = build_privacy_sheet(window, path, server, lambda: opened.append(True))
    assert path in words(sheet) and "stay on this computer" in words(sheet)
    server = replace(server, is_on=True)
    sheet = build_privacy_sheet(window, path, server, lambda: opened.append(True))
    assert "models.example.org" in words(sheet) and "Questions" in words(sheet)
    buttons = {button.text(): button for button in sheet.findChildren(QPushButton)}
    buttons["Server settings…"].click()
    assert opened == [True]
    assert str(tmp_path) in words(sheet)


# --- documents in tabs ---------------------------------------------------------------------------


def test_actions_step_through_close_and_reopen_tabs(window: MainWindow, qtbot):
    actions, documents = window.actions_by_name, window.document_tabs
    window.screens.library.open_document.emit(1)
    window.navigator.open_document(2)
    assert documents.open_ids == [[1], [2]] and not window.stack.isVisible()
    actions["previous_tab"].trigger()
    assert documents.page is not None and documents.page.document_ids == [1]
    actions["tab_right"].trigger()
    assert documents.open_ids == [[2], [1]]
    actions["next_tab"].trigger()
    assert documents.page is None and window.stack.isVisible()
    assert documents.bar.tabText(0) == "Library"
    window.show_screen("graph")
    assert documents.bar.tabText(0) == "Graph"
    actions["next_tab"].trigger()
    actions["close_tab"].trigger()
    assert documents.open_ids == [[1]]
    actions["reopen_tab"].trigger()
    assert documents.open_ids == [[1], [2]]
    actions["tab_window"].trigger()
    assert documents.open_ids == [[1]] and len(documents.windows) == 1
    window.show_screen("chat")
    assert documents.page is None and window.screens.chat.isVisible()
    documents.shut_down()


def test_tabs_of_a_library_are_restored(window: MainWindow, context, qtbot):
    for document_id in (1, 2):
        window.document_tabs.open_document(document_id)
    window.save_place("/somewhere/one.inkgraph")
    other = make_window(context, qtbot)
    other.restore_place("/somewhere/one.inkgraph")
    assert other.document_tabs.open_ids == [[1], [2]]
    assert other.document_tabs.page is not None and other.document_tabs.page.document_ids == [2]
    for made in (window, other):
        made.document_tabs.shut_down()


def test_a_program_that_ends_by_a_crash_has_screen_tabs_and_windows_again(
    window: MainWindow, context, qtbot
):
    library = "/somewhere/one.inkgraph"
    window.restore_place(library)
    window.keep_place(library)
    assert window._place_timer.isActive() and window._place_timer.interval() <= 5_000
    window._place_timer.timeout.emit()
    window.show_screen("graph")
    for document_id in (1, 2):
        window.document_tabs.open_document(document_id)
    window.actions_by_name["tab_window"].trigger()
    window._place_timer.timeout.emit()
    other = make_window(context, qtbot)  # without `save_place`
    other.restore_place(library)
    assert other.current == "graph" and other.document_tabs.open_ids == [[1]]
    [own] = other.document_tabs.windows
    assert own.page.document_ids == [2]
    for made in (window, other):
        made.document_tabs.shut_down()


def test_documents_at_which_the_program_ended_are_tabs_that_are_not_shown(
    window: MainWindow, context, qtbot
):
    library = "/somewhere/one.inkgraph"
    window.show_screen("graph")
    for document_id in (1, 2):
        window.document_tabs.open_document(document_id)
    window.actions_by_name["tab_window"].trigger()
    window.save_place(library)
    ended = make_window(context, qtbot)
    ended.restore_place(library)  # and not saved: it ended meanwhile
    other = make_window(context, qtbot)
    other.restore_place(library)
    documents = other.document_tabs
    assert documents.open_ids == [[1], [2]] and documents.windows == []
    assert documents.page is None and other.current == "graph"
    other.save_place(library)
    again = make_window(context, qtbot)
    documents.bar.setCurrentIndex(1)
    other.save_place(library)
    again.restore_place(library)
    assert again.document_tabs.page is not None
    for made in (window, ended, other, again):
        made.document_tabs.shut_down()


def test_a_document_opens_beside_the_library(window: MainWindow):
    window.screens.library.open_beside.emit(2)
    assert window.screens.reader.calls == [("open_document", 2)]
    assert window.screens.library.isVisible() and window.screens.reader.isVisible()


def test_questions_are_suggested_about_the_documents_that_are_open_or_selected(
    window: MainWindow,
):
    library, reader, chat = window.screens.library, window.screens.reader, window.screens.chat
    library.list.selected_rows = lambda: [SimpleNamespace(id=7), SimpleNamespace(id=3)]
    assert chat.list_in_use() == [7, 3]
    reader.document_id = 3
    window.document_tabs.show_beside(True)
    assert chat.list_in_use() == [3, 7]


def test_no_screen_is_marked_while_a_document_is_in_front(window: MainWindow):
    window.show_screen("graph")
    rows, documents = window.sidebar.rows, window.document_tabs
    documents.open_document(1)
    assert not any(row.isChecked() for row in rows.values())
    documents.close_current()
    assert rows["graph"].isChecked()
