"""A scan in the real window: its strip, uncertain lines corrected on the picture, pause, selection.

What the networks would read is stored by the tests; `test_scanned_pages` has the real ones.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.messages import Message
from desktop_app.engine.model import DocumentId
from desktop_app.engine.progress import Progress
from desktop_app.engine.scanned_pages import ScannedLine, ScannedPage, measure_words
from desktop_app.engine.store import scanned_pages
from tests.scanned import ENGLISH_LINES, draw_page, make_scan

LEFT = Qt.MouseButton.LeftButton


def make_page(*, unsure: tuple[int, ...] = (), is_certain: bool = True) -> ScannedPage:
    """Return the lines of `draw_page(ENGLISH_LINES)`, where they are on the picture."""
    lines = []
    for row, text in enumerate(ENGLISH_LINES):
        top, right = (55 + row * 61.2) / 420, (70 + 18.2 * len(text)) / 1000
        bottom = top + 50 / 420
        places = tuple((i + 0.5) / len(text) for i in range(len(text)))
        confidence = 0.6 if row in unsure else 0.999
        corners = (0.07, top, right, top, right, bottom, 0.07, bottom)
        lines.append(ScannedLine(corners, text, confidence, measure_words(text, places), row))
    return ScannedPage(tuple(lines), is_certain=is_certain)


@pytest.fixture
def add_scan(qtbot: Any, workspace: Any, tmp_path: Path) -> Callable[..., int]:
    """Return a function that adds a scan of three pages, of which those given were read."""

    def add(pages: dict[int, ScannedPage]) -> int:
        session = workspace.session
        writer = session.library.writer
        session.services.ocr.set_paused(True)
        scan = tmp_path / "The Ferry.pdf"
        scan.write_bytes(make_scan([draw_page(ENGLISH_LINES)] * 3))
        workspace.library_controller.add([str(scan)])
        waiting = "SELECT count(*) FROM scanned_page WHERE state = 'waiting'"
        qtbot.waitUntil(lambda: writer.value(waiting) == 3, timeout=20_000)
        document_id = int(writer.value("SELECT document_id FROM scanned_page LIMIT 1"))
        with writer.transaction():
            for index, page in pages.items():
                scanned_pages.store_page(writer, document_id, index, page, 1.0)
            scanned_pages.read_more(writer, document_id)
        ids = frozenset({DocumentId(document_id)})
        session.publish_work(ChangeNotice(documents=ids, queued=ids))
        session.indexing_runner.start()
        qtbot.waitUntil(lambda: "Clara Wren" in text_of(workspace, document_id), timeout=20_000)
        return document_id

    return add


def text_of(workspace: Any, document_id: int) -> str:
    found = workspace.session.library.writer.value(
        "SELECT text FROM document_text WHERE document_id = ?", (document_id,)
    )
    return found or ""


def open_reader(qtbot: Any, workspace: Any, document_id: int) -> Any:
    workspace.window.navigator.open_document(document_id)
    reader = workspace.window.document_tabs.reader

    def is_there() -> bool:
        loaded = reader.loaded
        is_shown = loaded is not None and loaded.row.id == document_id and loaded.text
        return bool(is_shown and reader.pdf_view.scans.states and reader.pdf_view.worker.sizes)

    qtbot.waitUntil(is_there, timeout=20_000)
    return reader


def line_point(reader: Any, index: int, number: int) -> QPoint:
    """Return the middle of a line in the view's viewport."""
    place = reader.pdf_view.page_rect(index)
    x, y = reader.pdf_view.scans.pages[index].lines[number].centre
    return QPoint(round(place.left() + x * place.width()), round(place.top() + y * place.height()))


def test_an_uncertain_line_is_corrected_on_the_picture_and_its_text_follows(
    qtbot, workspace, add_scan
):
    document_id = add_scan({0: make_page(unsure=(1, 2), is_certain=False)})
    reader = open_reader(qtbot, workspace, document_id)
    view, strip = reader.pdf_view, reader.scan_strip
    assert "uncertain" in view.scans.describe_page(0)
    assert "waits" in view.scans.describe_page(1)
    assert strip.words.full_text().startswith("2 uncertain lines on this page")
    assert strip.next.isVisible() and strip.previous.isVisible()
    opened = view.worker._document
    QTest.mouseClick(view.viewport(), LEFT, pos=line_point(reader, 0, 1))
    qtbot.waitUntil(lambda: view.scans.edited == (0, 1))
    editor = view.scans.editor
    assert editor.field.text() == ENGLISH_LINES[1] and "60%" in editor.words.text()
    QTest.keyClick(editor.field, Qt.Key.Key_Escape)
    assert view.scans.edited is None and editor.isHidden()
    reader.scans.step(1)
    assert view.scans.edited == (0, 1)
    editor.field.setText("waits for it on the stone pier but Clara Wrenfield.")
    QTest.keyClick(editor.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: view.scans.list_unsure(0) == [2], timeout=10_000)
    qtbot.waitUntil(lambda: "Wrenfield" in text_of(workspace, document_id), timeout=20_000)
    qtbot.waitUntil(lambda: "Wrenfield" in view.text, timeout=10_000)
    assert view.worker._document is opened  # its pictures are not drawn again
    # The next uncertain line is confirmed as it is, and then none is left.
    reader.scans.step(1)
    assert view.scans.edited == (0, 2)
    QTest.keyClick(editor.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: view.scans.list_unsure(0) == [], timeout=10_000)
    writer = workspace.session.library.writer
    assert writer.value("SELECT count(*) FROM line_correction") == 2
    reader.scans.step(1)
    assert view.scans.edited is None
    qtbot.waitUntil(strip.next.isHidden, timeout=10_000)
    view.scans.set_page(2, make_page(unsure=(1,)))
    assert view.scans.find_unsure(1, (0, 0)) == (2, 1)


def test_pages_that_wait_are_paused_left_and_read_one_by_one(qtbot, workspace, add_scan):
    document_id = add_scan({0: make_page()})
    reader = open_reader(qtbot, workspace, document_id)
    strip, ocr = reader.scan_strip, workspace.session.services.ocr
    writer = workspace.session.library.writer
    assert "Paused: 1 of 3 pages read" in strip.words.full_text()
    status = workspace.window.sidebar.scan_work
    # a document is in front: the column of icons says that pages are read, and leads to the words
    running = workspace.window.sidebar.work_button
    qtbot.waitUntil(running.isVisible)
    running.click()
    qtbot.waitUntil(status.isVisible)
    assert (status.title.text(), status.detail.text()) == (
        "Text recognition is paused",
        "2 pages wait",
    )
    known = workspace.window.screens.library.model
    qtbot.waitUntil(lambda: bool(known._all))
    row = known._all[0]
    assert (row.scans.n_waiting, row.scans.n_read) == (2, 1)
    assert not strip.read_button.isVisible()  # this page was read
    reader.pdf_view.show_page(1)
    qtbot.waitUntil(strip.read_button.isVisible, timeout=5_000)
    with writer.transaction():
        scanned_pages.fail_page(writer, document_id, 1, Message("it is damaged."))
    strip.leave_button.click()
    qtbot.waitUntil(lambda: "damaged" in reader.pdf_view.scans.describe_page(1), timeout=10_000)
    scans = reader.pdf_view.scans
    left = "This page was not read"
    qtbot.waitUntil(lambda: scans.describe_page(2) == left, timeout=10_000)
    assert strip.read_button.isVisible() and not strip.leave_button.isVisible()
    qtbot.waitUntil(status.isHidden, timeout=10_000)
    workspace.window.screens.library.pages_next_wanted.emit([document_id])
    qtbot.waitUntil(lambda: not ocr.is_paused, timeout=10_000)


def test_words_on_the_picture_are_selected_and_its_lines_are_in_the_menu(
    qtbot, workspace, add_scan
):
    from desktop_app.ui.reader.passage_actions import build_menu

    document_id = add_scan({0: make_page()})
    reader = open_reader(qtbot, workspace, document_id)
    view = reader.pdf_view
    qtbot.waitUntil(lambda: view.worker.letters(0) is not None, timeout=10_000)
    middle = line_point(reader, 0, 2)
    begin, end = view.scans.pages[0].lines[2].corners[0], view.scans.pages[0].lines[2].corners[2]
    place = view.page_rect(0)
    left = QPoint(round(place.left() + begin * place.width()) + 1, middle.y())
    right = QPoint(round(place.left() + end * place.width()) - 1, middle.y())
    QTest.mousePress(view.viewport(), LEFT, pos=left)
    QTest.mouseMove(view.viewport(), right)
    QTest.mouseRelease(view.viewport(), LEFT, pos=right)
    assert view.selection.text.strip().strip(".") == ENGLISH_LINES[2].strip(".")
    assert view.scans.edited is None  # a certain line is not opened by a click
    view.selection.copy()
    assert ENGLISH_LINES[2].strip(".") in QApplication.clipboard().text()
    offset = view.offset_at(middle.x(), middle.y())
    menu = build_menu(view, None, offset)
    [correct] = [a for a in menu.actions() if a.text() == "Correct this line…"]
    correct.trigger()
    assert view.scans.edited == (0, 2)
    menu.deleteLater()


def test_sidebar_and_strip_count_the_same_pages_also_those_read_before_this_start(
    qtbot, workspace, add_scan
):
    document_id = add_scan({0: make_page()})  # as after a restart: one page was read earlier
    reader = open_reader(qtbot, workspace, document_id)
    session, strip = workspace.session, reader.scan_strip
    status, runner = workspace.window.sidebar.scan_work, session.services.ocr_runner
    goes_on, ends = Event(), Event()
    ids = frozenset({DocumentId(document_id)})

    def read(*, cancel: Any, on_progress: Any, on_change: Any) -> None:
        on_progress(Progress("ocr", 0, 2, document_id=DocumentId(document_id)))
        goes_on.wait(20)
        writer = session.library.writer
        with writer.transaction():
            scanned_pages.store_page(writer, document_id, 1, make_page(), 1.0)
        on_change(ChangeNotice(documents=ids))
        on_progress(Progress("ocr", 1, 2, document_id=DocumentId(document_id)))
        ends.wait(20)

    runner._run = read  # what the networks would do, one page at a time
    session.publish_work(session.services.ocr.set_paused(False))
    runner.start()

    def both_say(words: str) -> bool:
        return status.detail.text() == words and words in strip.words.full_text()

    try:
        qtbot.waitUntil(lambda: both_say("1 of 3 pages read"), timeout=10_000)
        assert status.title.text().startswith("Recognising text")
        goes_on.set()
        qtbot.waitUntil(lambda: both_say("2 of 3 pages read"), timeout=10_000)
    finally:
        goes_on.set()
        ends.set()
        qtbot.waitUntil(lambda: runner.state == "idle", timeout=10_000)
