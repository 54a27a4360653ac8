"""Reading options are stored, and the panel does not cover the text."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt

from desktop_app.ui.reader.body import PANEL_WIDTH
from desktop_app.ui.reader.screen import ReaderScreen


@pytest.fixture
def again(qtbot, reader, context):
    """Return a function that builds the screen again, as the next start does."""
    made = []

    def make() -> ReaderScreen:
        screen = ReaderScreen(context)
        qtbot.addWidget(screen)
        screen.resize(900, 600)
        screen.show()
        made.append(screen)
        return screen

    yield make
    for screen in made:
        screen.shut_down()


def test_reading_options_are_restored(qtbot, opened, again):
    reader = opened(1)
    reader.resize(900, 600)
    reader.head.names.click()
    reader.head.outline.click()
    reader.body.side.tabs["notes"].click()
    reader.head.colors["dark"].trigger()
    reader.head.lines[0.75].trigger()
    reader.head.facing.trigger()
    reader.head.cover.trigger()
    reader.text_view.set_zoom(1.5)
    reader.head.pen.actions_by_color["green"].trigger()
    reader.body.side.annotations.orders["newest"].trigger()
    new = again()
    assert new.head.pen.color == "green" and not new.head.pen.isChecked()
    assert new.body.side.annotations.order == "newest"
    assert new.head.names.isChecked()
    assert new.pdf_view.worker.dark and new.text_view.look.paper.dark
    assert new.pdf_view.cover and new.pdf_view.facing and not new.pdf_view.single
    assert new.text_view.typesetter.column < reader.text_view.typesetter.column * 1.01
    assert new.text_view.zoom == 1.5
    assert new.pdf_view.zoom == 1.0
    new.open_document(1)
    qtbot.waitUntil(lambda: new.head.outline.isChecked())
    assert new.body.side.tab == "notes"
    assert new.page_bar.percent.text() == "150%"


def test_by_default_no_names_are_underlined_and_no_panel_is_open(qtbot, again):
    new = again()
    new.open_document(1)
    qtbot.waitUntil(lambda: new.view is new.text_view)
    assert not new.head.names.isChecked()
    assert not new.head.outline.isChecked()


@pytest.mark.parametrize("width", [900, 560, 500, 340])
def test_the_panel_pushes_the_text_and_never_covers_it(qtbot, opened, width):
    reader = opened(5)
    reader.resize(width, 500)
    side, stack = reader.body.side, reader.body.stack
    reader.head.outline.click()
    for choose in (
        lambda: side.thumbs.chosen.emit(1),
        lambda: reader.outline.chosen.emit(0),
        lambda: reader.find_bar.searched.emit("bridge"),
    ):
        choose()
        qtbot.waitUntil(lambda: not side.geometry().intersects(stack.geometry()))
        assert side.isVisible() and stack.width() >= 320 and stack.height() >= 200
    reader.outline.tree.setFocus()
    qtbot.keyClick(reader.outline.tree, Qt.Key.Key_Escape)
    assert side.isVisible() and reader.view.hasFocus()


def test_a_panel_beside_the_text_stays_open(qtbot, opened):
    reader = opened(1)
    reader.resize(900, 400)
    reader.head.outline.click()
    qtbot.mouseClick(reader.text_view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(450, 300))
    reader.outline.chosen.emit(1)
    assert reader.body.side.isVisible()


def test_the_width_of_the_panel_is_kept_and_leaves_room_for_the_text(opened, again):
    reader = opened(5)
    reader.resize(1200, 600)
    reader.head.outline.setChecked(True)
    body, splitter = reader.body, reader.body.side.parentWidget()
    assert body.side.width() == PANEL_WIDTH
    splitter.setSizes([400, 799])
    splitter.splitterMoved.emit(400, 1)  # as while its edge is dragged
    for width, expected in ((1200, 400), (700, 315), (600, 270), (1200, 400)):
        reader.resize(width, 600)
        assert body.side.width() == expected, "no more than its share, and 320 are for the text"
        assert body.stack.width() >= 320
    new = again()
    new.resize(1200, 600)
    new.body.show_side(True)
    assert new.body.side.width() == 400


def test_contents_are_shown_where_there_is_room_until_they_are_closed(qtbot, again):
    new = again()
    new.resize(1300, 700)
    new.open_document(1)
    qtbot.waitUntil(lambda: new.head.outline.isChecked() and new.body.side.isVisible())
    new.head.outline.click()
    after = again()
    after.resize(1300, 700)
    after.open_document(1)
    qtbot.waitUntil(lambda: after.loaded is not None)
    assert not after.head.outline.isChecked()
