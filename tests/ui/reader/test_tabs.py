"""Documents in tabs, side by side, beside a screen and in windows of their own."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import SIGNAL, QCoreApplication, QEvent, QObject, QPoint, Qt, QThread, QTimer
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from benchmarks.live_objects import call_after
from desktop_app.ui.reader import tabs as tabs_module
from desktop_app.ui.reader.head import ReaderHead
from desktop_app.ui.reader.loading import LoadedDocument
from desktop_app.ui.reader.look import SEPIA
from desktop_app.ui.reader.screen import ReaderScreen
from desktop_app.ui.reader.tabs import MAX_LOADED, DocumentTabs, share_room
from desktop_app.ui.reader.text.blocks import Blocks
from tests.ui.fakes import FakeContext

TITLES = {n: f"Document {n}" for n in range(1, 10)} | {5: "Ferry timetable", 2: "水浒传"}


def build_tabs(qtbot, context: FakeContext) -> DocumentTabs:
    made = DocumentTabs(context, QLabel("the screens"), lambda: ReaderScreen(context))
    made.place_beside(ReaderScreen(context))
    made.set_home("Library", context.theme.icon("library"))
    made.set_titles(TITLES)
    qtbot.addWidget(made)
    made.resize(1000, 600)
    made.show()
    return made


@pytest.fixture
def tabs(qtbot, context: FakeContext, books, tmp_path, monkeypatch) -> Iterator[DocumentTabs]:
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path / "home"))
    context.theme.animation_ms = lambda wanted=150: 0
    made = build_tabs(qtbot, context)
    yield made
    made.shut_down()


def wait_for(qtbot, tabs: DocumentTabs, document_id: int) -> ReaderScreen:
    """Wait until the reader in use shows a document, and return it."""

    def is_shown() -> bool:
        loaded = tabs.reader.loaded
        return loaded is not None and loaded.row.id == document_id

    qtbot.waitUntil(is_shown)
    return tabs.reader


def texts(tabs: DocumentTabs) -> list[str]:
    return [tabs.bar.tabText(i) for i in range(tabs.bar.count())]


def test_the_first_tab_takes_the_reader_that_was_prepared(qtbot, tabs: DocumentTabs):
    assert [spare.parent() for _ in tabs.prepare() for spare in [tabs._spare]] == [None, tabs]
    beside, spare = tabs.iter_readers()
    assert beside is tabs.beside and spare.isHidden()
    tabs.open_document(1)
    assert wait_for(qtbot, tabs, 1) is spare and spare.isVisible()
    assert spare.geometry() == tabs.page.rect()
    tabs.open_document(2)
    assert wait_for(qtbot, tabs, 2) is not spare
    assert [None for _ in tabs.prepare()] == []


def test_a_document_gets_a_tab_with_the_whole_width(qtbot, tabs: DocumentTabs):
    assert not tabs.bar.isVisible()
    tabs.open_document(1)
    reader = wait_for(qtbot, tabs, 1)
    assert texts(tabs) == ["Library", "Document 1"]
    assert reader.isVisible() and reader.width() == tabs.width()
    assert not tabs.splitter.isVisible()
    qtbot.waitUntil(lambda: reader.view.hasFocus())
    tabs.bar.setCurrentIndex(0)
    assert tabs.splitter.isVisible() and not reader.isVisible()
    tabs.open_document(1)
    assert tabs.bar.count() == 2 and reader.isVisible()


def test_tabs_are_closed_and_opened_again(qtbot, tabs: DocumentTabs):
    for document_id in (1, 5, 2):
        tabs.open_document(document_id)
    assert texts(tabs)[1:] == ["Document 1", "Ferry timetable", "水浒传"]
    side = tabs.bar.ButtonPosition.RightSide
    qtbot.mouseClick(tabs.bar.tabButton(2, side), Qt.MouseButton.LeftButton)
    assert tabs.open_ids == [[1], [2]]
    middle = tabs.bar.tabRect(1).center()
    qtbot.mouseClick(tabs.bar, Qt.MouseButton.MiddleButton, pos=middle)
    assert tabs.open_ids == [[2]]
    tabs.close_current()
    assert tabs.open_ids == [] and not tabs.bar.isVisible() and tabs.splitter.isVisible()
    qtbot.mouseClick(tabs.bar, Qt.MouseButton.MiddleButton, pos=QPoint(4, 4))
    for _ in range(4):
        tabs.reopen_closed()
    assert tabs.open_ids == [[2], [1], [5]]


def test_the_tab_at_the_right_follows_a_closed_one(qtbot, tabs: DocumentTabs):
    for document_id in (1, 5, 2):
        tabs.open_document(document_id)
    tabs.bar.setCurrentIndex(2)
    tabs.close_current()
    assert tabs.page is not None and tabs.page.document_ids == [2]
    tabs.close_current()
    assert tabs.page is not None and tabs.page.document_ids == [1]


def test_tabs_are_stepped_through_and_moved(qtbot, tabs: DocumentTabs):
    for document_id in (1, 5, 2):
        tabs.open_document(document_id)
    tabs.step(1)
    assert tabs.page is None
    tabs.step(-1)
    assert tabs.page is not None and tabs.page.document_ids == [2]
    tabs.move_tab(-1)
    assert tabs.open_ids == [[1], [2], [5]] and tabs.page.document_ids == [2]
    tabs.move_tab(-1)
    tabs.move_tab(-1)  # the screens stay first
    assert tabs.open_ids == [[2], [1], [5]] and texts(tabs)[0] == "Library"
    wait_for(qtbot, tabs, 2)
    qtbot.keyClick(tabs.reader.view, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    assert tabs.page.document_ids == [1]


def test_a_dragged_tab_stays_behind_the_screens(qtbot, tabs: DocumentTabs):
    for document_id in (1, 5, 2):
        tabs.open_document(document_id)
    bar, left = tabs.bar, Qt.MouseButton.LeftButton
    start = bar.tabRect(3).center()
    qtbot.mousePress(bar, left, pos=start)
    for x in range(start.x(), 2, -10):
        qtbot.mouseMove(bar, QPoint(x, start.y()))
    qtbot.mouseRelease(bar, left, pos=QPoint(3, start.y()))
    assert texts(tabs)[0] == "Library"
    shown = [TITLES[page[0]] for page in tabs.open_ids]
    assert shown == texts(tabs)[1:]


def test_two_documents_are_side_by_side(qtbot, tabs: DocumentTabs):
    tabs.open_document(1)
    tabs.open_document(5)
    page = tabs.page
    assert page is not None
    tabs.open_side_by_side(page, 1)
    assert tabs.open_ids == [[5, 1]] and texts(tabs)[1] == "Ferry timetable | Document 1"
    first, second = page.readers
    qtbot.waitUntil(lambda: first.loaded is not None and second.loaded is not None)
    assert first.isVisible() and second.isVisible() and abs(first.width() - second.width()) < 8
    second.view.setFocus()
    qtbot.keyClick(second.view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert second.find_bar.isVisible() and not first.find_bar.isVisible()
    tabs.separate(page)
    assert tabs.open_ids == [[5], [1]]
    tabs.open_side_by_side(tabs.page, 5)
    second = tabs.page.readers[1]
    qtbot.mouseClick(second.head.close_button, Qt.MouseButton.LeftButton)
    assert tabs.open_ids == [[5], [1]]


def test_a_tab_becomes_a_window_and_comes_back(qtbot, tabs: DocumentTabs):
    tabs.open_document(1)
    wait_for(qtbot, tabs, 1)
    reader = tabs.reader
    window = tabs.tear_off(tabs.page)
    qtbot.waitExposed(window)
    assert tabs.open_ids == [] and reader.window() is window and reader.isVisible()
    assert window.windowTitle().startswith("Document 1")
    tabs.open_passage(1, 3, 9)
    assert reader.view.passage == (3, 9) and tabs.beside.isHidden()
    tabs.open_document(1)
    assert tabs.open_ids == []
    tabs.dock(window)
    assert tabs.open_ids == [[1]] and tabs.reader is reader and reader.isVisible()
    window = tabs.tear_off(tabs.page)
    window.close()
    assert tabs.windows == []
    tabs.reopen_closed()
    assert tabs.open_ids == [[1]]


def test_a_passage_opens_beside_the_screen_or_in_a_tab(qtbot, tabs: DocumentTabs):
    tabs.open_passage(1, 3, 9)
    reader = wait_for(qtbot, tabs, 1)
    assert reader is tabs.beside and reader.view.passage == (3, 9) and tabs.open_ids == []
    qtbot.mouseClick(reader.head.tab_button, Qt.MouseButton.LeftButton)
    reader = wait_for(qtbot, tabs, 1)
    assert reader is not tabs.beside and reader.view.passage == (3, 9)
    assert tabs.open_ids == [[1]] and tabs.beside.isHidden()
    tabs.open_passage(2, 4, 8)
    assert wait_for(qtbot, tabs, 2).view.passage == (4, 8) and tabs.open_ids == [[1], [2]]
    tabs.toggle_beside()
    assert tabs.open_ids == [[1]] and tabs.page is None
    assert wait_for(qtbot, tabs, 2) is tabs.beside and tabs.beside.view.passage == (4, 8)


def test_open_documents_are_restored_and_loaded_when_shown(qtbot, tabs, context):
    for document_id in (1, 5):
        tabs.open_document(document_id)
    tabs.open_side_by_side(tabs.page, 2)
    tabs.open_document(3)
    tabs.tear_off(tabs.page)
    tabs.bar.setCurrentIndex(2)
    tabs.beside.open_document(4)
    tabs.show_beside(True)
    stored = tabs.save_state()
    again = build_tabs(qtbot, context)
    again.restore_state(stored)
    assert again.open_ids == [[1], [5, 2]] and again.bar.currentIndex() == 2
    assert [window.page.document_ids for window in again.windows] == [[3]]
    assert again.beside.document_id == 4
    assert len(list(again.iter_readers())) == 4  # not that of the first tab
    again.shut_down()


@pytest.mark.parametrize("stored", ["", "{", "[1]", '{"tabs": [["x"], 3], "current": "no"}'])
def test_a_damaged_state_opens_nothing(tabs: DocumentTabs, stored: str):
    tabs.restore_state(stored)
    assert tabs.open_ids == [] and tabs.bar.currentIndex() == 0


def test_deleted_documents_lose_their_tabs(qtbot, tabs: DocumentTabs):
    tabs.open_document(1)
    tabs.open_document(5)
    tabs.open_side_by_side(tabs.page, 2)
    tabs.set_titles({5: "Renamed & moved"})
    assert tabs.open_ids == [[5]] and texts(tabs)[1] == "Renamed && moved"
    tabs.reopen_closed()  # the document of the closed tab is gone
    assert tabs.open_ids == [[5]]


def test_only_the_last_shown_tabs_stay_loaded(qtbot, tabs: DocumentTabs):
    for document_id in range(1, 8):
        tabs.open_document(document_id)
    assert len(list(tabs.iter_readers())) == MAX_LOADED + 1
    tabs.bar.setCurrentIndex(1)
    assert wait_for(qtbot, tabs, 1).isVisible()
    assert len(list(tabs.iter_readers())) == MAX_LOADED + 1


def test_a_tab_that_was_unloaded_keeps_its_search_and_its_jumps(qtbot, tabs: DocumentTabs):
    tabs.open_document(1)
    reader = wait_for(qtbot, tabs, 1)
    reader.search.start()
    reader.find_bar.field.setText("ferry")
    reader.search.search("ferry")
    reader.position.go_to(900)
    for document_id in range(2, 8):
        tabs.open_document(document_id)
    assert not tabs._pages[0].readers
    tabs.bar.setCurrentIndex(1)
    reader = wait_for(qtbot, tabs, 1)
    assert reader.find_bar.isVisible() and reader.find_bar.field.text() == "ferry"
    qtbot.waitUntil(lambda: " of " in reader.find_bar.count.text())
    assert reader.view.hasFocus() or not reader.find_bar.field.hasFocus()
    assert reader.head.back.isEnabled()
    reader.back()
    assert not reader.head.back.isEnabled() and reader.view.top_offset() < 900


def test_documents_side_by_side_share_the_width_of_their_tab(qtbot, tabs: DocumentTabs):
    long = "The Life and Opinions of Tristram Shandy, Gentleman"
    tabs.set_titles(TITLES | {1: long, 5: "War and Peace, in Fifteen Books"})
    tabs.open_document(1)
    assert texts(tabs)[1] == long
    tabs.open_side_by_side(tabs.page, 5)
    assert "War and" in texts(tabs)[1] and texts(tabs)[1].startswith("The Life")
    room = tabs.bar.tabRect(1).width()
    assert tabs.bar.fontMetrics().horizontalAdvance(texts(tabs)[1]) < room
    assert long in tabs.bar.tabToolTip(1)
    tabs.set_titles(TITLES | {1: "Tristram", 5: "War & Peace"})
    assert texts(tabs)[1] == "Tristram | War && Peace"
    window = tabs.tear_off(tabs.page)
    assert window.windowTitle().startswith("Tristram | War & Peace")
    tabs.set_titles(TITLES | {1: "Sterne", 5: "Tolstoy"})
    assert window.windowTitle().startswith("Sterne | Tolstoy")


def test_a_document_beside_another_opens_without_its_panel(qtbot, tabs: DocumentTabs, context):
    tabs.resize(1400, 600)
    tabs.open_document(1)
    left = wait_for(qtbot, tabs, 1)
    qtbot.waitUntil(left.body.side.isVisible)  # a wide reader shows the contents at first
    tabs.open_side_by_side(tabs.page, 5)
    right = wait_for(qtbot, tabs, 5)
    assert not left.body.side.isVisible() and not right.body.side.isVisible()
    right.head.outline.click()
    again = build_tabs(qtbot, context)
    again.resize(1400, 600)
    again.restore_state(tabs.save_state())
    wait_for(qtbot, again, 1)
    there = again.page.reader_of(5)
    qtbot.waitUntil(lambda: there.loaded is not None)
    assert there.body.side.isVisible(), "it is kept where it was opened"
    assert not again.page.reader_of(1).body.side.isVisible()
    again.shut_down()
    tabs.separate(tabs.page)
    assert left.body.side.isVisible(), "as it was before another document came beside it"
    tabs.open_document(5)
    alone = wait_for(qtbot, tabs, 5)
    alone.head.outline.click()
    tabs.open_side_by_side(tabs.page, 2)
    assert not alone.head.outline.isChecked()


def test_an_unloaded_page_keeps_the_panels_that_were_opened(qtbot, tabs: DocumentTabs):
    tabs.resize(1400, 600)
    tabs.open_document(1)
    tabs.open_side_by_side(tabs.page, 5)
    right = wait_for(qtbot, tabs, 5)
    right.head.outline.click()
    page = tabs.page
    for document_id in range(2, 2 + MAX_LOADED):
        if document_id != 5:
            tabs.open_document(document_id)
    tabs.open_document(8)
    tabs.open_document(9)
    assert not page.readers and page.list_with_panel() == [5]
    tabs.bar.setCurrentIndex(1)
    qtbot.waitUntil(lambda: page.reader_of(5).loaded is not None)
    assert page.reader_of(5).body.side.isVisible()


def test_tabs_of_files_with_one_title_say_which_file_it_is(qtbot, tabs: DocumentTabs):
    files = {1: "Markdown", 5: "PDF"}
    tabs.set_titles(TITLES | {1: "Quenby", 5: "Quenby"}, {}, files)
    tabs.open_document(1)
    tabs.open_document(5)
    assert texts(tabs)[1:] == ["Quenby · Markdown", "Quenby · PDF"]
    assert tabs.bar.tabIcon(2).isNull()
    tabs.open_side_by_side(tabs.page, 1)
    assert texts(tabs)[1:] == ["Quenby · PDF | Markdown"]
    assert not tabs.bar.tabIcon(1).isNull()
    assert tabs.bar.tabToolTip(1) == "Side by side: Quenby · PDF | Markdown"
    tabs.open_side_by_side(tabs.page, 2)
    assert texts(tabs)[1:] == ["Quenby · PDF | Quenby · Markdown | 水浒传"]
    tabs.open_document(3)
    tabs.open_side_by_side(tabs.page, 3)
    assert texts(tabs)[tabs.bar.currentIndex()] == "Document 3", "the same document twice"


@pytest.mark.parametrize("width", [320, 400, 480, 560, 615, 670, 720, 800])
def test_the_toolbar_of_a_pane_has_room_between_its_parts(qtbot, tabs: DocumentTabs, width: int):
    tabs.resize(2 * width + 1, 600)
    tabs.open_document(1)
    tabs.open_side_by_side(tabs.page, 5)
    qtbot.waitUntil(lambda: all(reader.loaded for reader in tabs.page.readers))
    for reader in tabs.page.readers:
        head = reader.head

        def list_sides(head: ReaderHead = head) -> list[tuple[int, int]]:
            parts = (head.outline, head.back, head.forward, head._words, head.page_bar, head.names,
                     head.tools, head.search, head.zoom, head.more, head.place_button,
                     head.close_button)  # fmt: skip
            shown = [part.geometry() for part in parts if part.isVisible() and part.width()]
            return [(place.left(), place.right()) for place in shown]

        qtbot.waitUntil(lambda sides=list_sides: all(a[1] < b[0] for a, b in pairwise(sides())))
        assert head.rect().right() >= list_sides()[-1][1]
        if width >= 615:  # only this bar has the whole title
            qtbot.waitUntil(lambda head=head: head._words.width() >= 120)
            marking = (head.pen, head.underliner, head.note, head.search, head.names)
            assert all(tool.isVisible() for tool in marking)
            is_in_menu = head.bookmark.isHidden() or head.tools.isHidden()
            names = [action.text() for action in head.build_more_menu().actions()]
            assert is_in_menu == (head.bookmark.accessibleName() in names)


def test_each_document_side_by_side_is_marked_with_its_own_tools(qtbot, tabs: DocumentTabs):
    tabs.resize(1231, 600)
    tabs.open_document(1)
    tabs.open_side_by_side(tabs.page, 2)
    qtbot.waitUntil(lambda: all(reader.loaded for reader in tabs.page.readers))
    for reader in tabs.page.readers:
        view, bar = reader.view, reader.selection_bar
        for n_marks, tool in enumerate((reader.head.pen, reader.head.underliner), 1):
            assert tool.isVisible()
            view.selection.select(20 * n_marks, 20 * n_marks + 9)
            tool.click()
            qtbot.waitUntil(lambda view=view, n_marks=n_marks: len(view.marks) == n_marks)
        assert [mark.style for mark in view.marks] == ["fill", "underline"]
        view.selection.select(3, 12)
        qtbot.waitUntil(bar.isVisible)
        assert all(tool.isVisible() for tool in (*bar.swatches, *bar.buttons.values()))
        with qtbot.waitSignal(reader.ask_about):
            bar.buttons["ask"].click()
    menu = tabs.page.readers[1].head.build_more_menu()
    places = tabs.page.readers[1].head.place_button
    assert places.isHidden() and tabs.page.readers[1].head.place_anchor is not places
    assert places.accessibleName() in [action.text() for action in menu.actions()]


def test_a_tab_of_a_document_in_the_trash_says_so_and_stays(tabs: DocumentTabs):
    there = {n: title for n, title in TITLES.items() if n != 5}
    tabs.open_document(5)
    assert texts(tabs)[1:] == ["Ferry timetable"]
    tabs.set_titles(there, {5: "Ferry timetable"})
    assert texts(tabs)[1:] == []  # it was deleted while it was open
    tabs.open_document(5)  # as a citation does
    assert texts(tabs)[1:] == ["Ferry timetable (in the trash)"]
    tabs.set_titles(there | {3: "Another title"}, {5: "Ferry timetable"})
    assert texts(tabs)[1:] == ["Ferry timetable (in the trash)"]
    tabs.set_titles(TITLES, {})  # restored
    assert texts(tabs)[1:] == ["Ferry timetable"]
    tabs.set_titles(there, {5: "Ferry timetable"})
    assert texts(tabs)[1:] == []
    tabs.open_document(5)
    tabs.open_side_by_side(tabs.page, 2)
    tabs.set_titles(there, {})  # the trash was emptied
    assert texts(tabs)[1:] == ["水浒传"]


def test_titles_share_the_row_and_are_cut_in_the_middle(qtbot, tabs: DocumentTabs):
    assert share_room([50, 300, 400], 600) == [50, 275, 275]
    assert share_room([50, 60], 600) == [50, 60] and share_room([], 9) == []
    tabs.resize(1300, 500)
    tabs.set_titles(
        {n: f"{n} is a very long title of a document that ends with {n}" for n in TITLES}
    )
    for document_id in list(TITLES)[:5]:
        tabs.open_document(document_id)
    bar = tabs.bar
    assert bar.elideMode() == Qt.TextElideMode.ElideMiddle
    last = bar.tabRect(bar.count() - 1)
    assert last.right() <= bar.width(), "nothing has to be scrolled"
    for document_id in list(TITLES)[5:9]:
        tabs.open_document(document_id)
    widths = {bar.tabRect(at).width() for at in range(1, bar.count())}
    assert min(widths) >= 190


def test_the_menu_of_a_tab_names_what_can_be_done(qtbot, tabs: DocumentTabs):
    tabs.open_document(1)
    tabs.open_document(5)
    menu = tabs.build_menu(tabs.page)
    words = [action.text() for action in menu.actions() if action.text()]
    assert words[:3] == ["Close", "Close other tabs", "Reopen closed tab"]
    assert "Move to a new window" in words and "Show beside “Library”" in words
    side = next(a.menu() for a in menu.actions() if a.text() == "Side by side with")
    assert side.actions()[0].text() == "Document 1"
    assert [a.text() for a in side.actions()[1:4]] == ["", "Document 9", "Document 8"]
    side.actions()[0].trigger()
    assert tabs.open_ids == [[5, 1]]


def test_a_focused_tab_is_closed_by_delete(qtbot, tabs: DocumentTabs):
    tabs.open_document(1)
    tabs.bar.setFocus()
    qtbot.keyClick(tabs.bar, Qt.Key.Key_Delete)
    assert tabs.open_ids == [] and QApplication.focusWidget() is not tabs.bar


def test_reading_options_are_shared_by_all_readers(qtbot, tabs: DocumentTabs):
    tabs.open_document(1)
    first = tabs.reader
    tabs.open_document(2)
    wait_for(qtbot, tabs, 2)
    tabs.reader.head.colors["sepia"].trigger()
    tabs.reader.head.lines[0.0].trigger()
    tabs.reader.view.set_zoom(1.5)
    for reader in (first, tabs.beside):
        assert reader.text_view.look.paper is SEPIA and reader.text_view.zoom == 1.5
        assert reader.head.lines[0.0].isChecked()


class StyleEvents(QObject):
    """Counts how often widgets of readers are styled again, while it filters the events."""

    def __init__(self) -> None:
        super().__init__()
        self.n_styled = 0
        self.moved: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.StyleChange and isinstance(watched, QWidget):
            self.n_styled += 1
        elif event.type() == QEvent.Type.ParentChange:
            self.moved.append(type(watched).__name__)
        return False


def test_a_tab_is_opened_without_styling_its_widgets_again(
    qtbot, qapp, context: FakeContext, tabs: DocumentTabs
):
    context.theme.apply(qapp)
    try:
        events = StyleEvents()
        qapp.installEventFilter(events)
        tabs.open_document(1)
        reader = wait_for(qtbot, tabs, 1)
        qapp.removeEventFilter(events)
    finally:
        qapp.setStyleSheet("")
    n_widgets = len(reader.findChildren(QWidget))
    assert n_widgets < 185  # 50 of them are in the head, 30 are buttons of panels
    assert events.n_styled < 1.3 * n_widgets  # once each, when it was built
    parts = {"ReaderScreen", "OutlinePanel", "AnnotationsPanel", "TextView", "PdfView"}
    assert not parts & set(events.moved)


def test_the_memory_of_closed_tabs_goes_back_to_the_system(qtbot, tabs: DocumentTabs, monkeypatch):
    released: list[int] = []
    monkeypatch.setattr(
        tabs_module, "release_freed_memory", lambda: released.append(threading.get_ident())
    )
    tabs.open_document(1)
    wait_for(qtbot, tabs, 1)
    tabs.open_document(2)
    wait_for(qtbot, tabs, 2)
    tabs.close_current()
    tabs.close_current()
    qtbot.waitUntil(lambda: bool(released))
    assert len(released) == 1 and released[0] != threading.get_ident()


@contextmanager
def describe_living(kind: type, describe: Callable[[Any], Any]) -> Iterator[dict[int, Any]]:
    """Give what describes each instance that was made in this context and is not freed, by `id`."""
    living: dict[int, Any] = {}

    def note_start(one: Any) -> None:
        living[id(one)] = describe(one)

    def note_end(one: Any) -> None:
        living.pop(id(one), None)

    with call_after(kind, "__init__", note_start), call_after(kind, "__del__", note_end):
        yield living


def count_receivers(context: FakeContext) -> tuple[int, int]:
    """Return how many slots the hub and the theme have."""
    changed = SIGNAL("changed(PyObject)")
    return context.hub.receivers(changed), context.theme.receivers(SIGNAL("changed()"))


def test_closed_tabs_are_deleted_with_all_their_timers_threads_and_connections(
    qtbot, context: FakeContext, tabs: DocumentTabs
):
    tabs.open_document(2)
    wait_for(qtbot, tabs, 2)
    receivers = count_receivers(context)
    readers, objects = [], []
    with (
        describe_living(LoadedDocument, lambda one: one.row.id) as documents,
        describe_living(Blocks, len) as blocks,
    ):
        for document_id in (1, 5):
            tabs.open_document(document_id)
            reader = wait_for(qtbot, tabs, document_id)
            readers.append(weakref.ref(reader))
            objects += [reader, *reader.findChildren(QObject), reader.pdf_view.worker.lane]
        assert sorted(documents.values()) == [1, 5] and sum(n > 0 for n in blocks.values()) == 1
        assert count_receivers(context) != receivers
        qtbot.waitUntil(lambda: bool(tabs.reader.pdf_view.worker.sizes))  # the PDF is open
        assert {QTimer, QThread} <= {kind for one in objects for kind in type(one).__mro__}
        del reader
        tabs.close_current()
        tabs.close_current()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert not [one for one in objects if shiboken6.isValid(one)]
        assert count_receivers(context) == receivers
        objects.clear()  # texts end without the garbage collector, which does not run at once
        assert not documents and not any(blocks.values())

    def are_freed() -> bool:  # after the last query of a closed reader has ended
        gc.collect()
        return all(ref() is None for ref in readers)

    qtbot.waitUntil(are_freed)


def test_documents_stay_in_their_place_when_the_screen_changes(
    qtbot, context: FakeContext, tabs: DocumentTabs
):
    tabs.bar.home_titles = ["Chat", "Communities"]
    icon = context.theme.icon("chat")
    tabs.set_home("Communities", icon)
    tabs.open_document(1)
    place = tabs.bar.tabRect(1)
    tabs.set_home("Chat", icon)
    assert tabs.bar.tabRect(1) == place
    assert tabs.bar.tabRect(0).width() > tabs.bar.fontMetrics().horizontalAdvance("Communities")
