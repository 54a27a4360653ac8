"""Reading options are stored, and the panel does not cover an opened passage."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt

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
    reader.head.dark.trigger()
    reader.text_view.set_zoom(1.5)
    new = again()
    assert new.head.names.isChecked()
    assert new.pdf_view.worker.dark
    assert new.text_view.zoom == 1.5
    assert new.pdf_view.zoom == 1.0
    new.open_document(1)
    qtbot.waitUntil(lambda: new.head.outline.isChecked())
    assert new.body.side.tab == "notes"
    assert new.head.zoom.text() == "150 %"


def test_by_default_no_names_are_underlined_and_no_panel_is_open(qtbot, again):
    new = again()
    new.open_document(1)
    qtbot.waitUntil(lambda: new.view is new.text_view)
    assert not new.head.names.isChecked()
    assert not new.head.outline.isChecked()


def test_a_panel_over_the_text_closes_after_a_choice(qtbot, opened):
    reader = opened(5)
    reader.resize(500, 400)
    for choose in (
        lambda: reader.body.side.thumbs.chosen.emit(1),
        lambda: reader.outline.chosen.emit(0),
        lambda: reader.find_bar.searched.emit("bridge"),
    ):
        reader.head.outline.setChecked(True)
        assert reader.body.side.isVisible()
        choose()
        assert not reader.body.side.isVisible()


def test_a_panel_over_the_text_closes_on_a_click_in_the_text(qtbot, opened):
    reader = opened(1)
    reader.resize(500, 400)
    reader.head.outline.click()
    qtbot.mouseClick(reader.text_view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(450, 300))
    assert not reader.body.side.isVisible()
    reader.head.outline.click()
    reader.outline.tree.setFocus()
    qtbot.keyClick(reader.outline.tree, Qt.Key.Key_Escape)
    assert not reader.body.side.isVisible()
    assert reader.text_view.hasFocus()


def test_a_panel_beside_the_text_stays_open(qtbot, opened):
    reader = opened(1)
    reader.resize(900, 400)
    reader.head.outline.click()
    qtbot.mouseClick(reader.text_view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(450, 300))
    reader.outline.chosen.emit(1)
    assert reader.body.side.isVisible()
