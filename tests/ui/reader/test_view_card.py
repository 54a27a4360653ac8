"""The panel "Aa": what it shows for pages and for texts, its keys, and what is marked in it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def paged(qtbot, opened):
    """The reader with a PDF and the open panel."""
    reader = opened(5)
    reader.resize(1300, 700)
    reader.activateWindow()
    qtbot.waitUntil(lambda: reader.pdf_view.worker.letters(0) is not None)
    qtbot.mouseClick(reader.head.zoom, LEFT)
    return reader


def marked(row) -> list[object]:
    return [key for key, button in row.buttons.items() if button.isChecked()]


def test_the_panel_shows_and_changes_what_is_chosen(qtbot, paged):
    card, view = paged._view_card, paged.pdf_view
    assert card.isVisible() and paged.head.zoom.isChecked()
    assert paged.rect().contains(card.geometry())
    assert marked(card.fits) == ["text"] and marked(card.pages) == ["column"]
    assert [key for key, swatch in card.colors.items() if swatch.isChecked()] == ["window"]
    qtbot.mouseClick(card.colors["sepia"], LEFT)
    assert [key for key, swatch in card.colors.items() if swatch.isChecked()] == ["sepia"]
    assert view.paper.name == "sepia"
    qtbot.mouseClick(card.fits.buttons["page"], LEFT)
    assert marked(card.fits) == ["page"] and not view.fits_text
    qtbot.mouseClick(card.fits.buttons["paper"], LEFT)
    assert marked(card.fits) == ["paper"] and view.shown_zoom == pytest.approx(1.0, abs=0.002)
    view.set_shown_zoom(1.1)
    assert marked(card.fits) == []  # none of them
    qtbot.mouseClick(card.fits.buttons["width"], LEFT)
    assert marked(card.fits) == ["width"]
    assert not card.cover.isVisible()
    qtbot.mouseClick(card.pages.buttons["facing"], LEFT)
    assert view.facing and marked(card.pages) == ["facing"] and card.cover.isVisible()
    qtbot.mouseClick(card.pages.buttons["single"], LEFT)
    assert view.single and not view.facing and marked(card.pages) == ["single"]
    qtbot.mouseClick(card.pages.buttons["column"], LEFT)
    assert not view.single and not view.facing and card.isVisible()


def test_pages_are_turned_in_the_panel(qtbot, paged):
    card, view = paged._view_card, paged.pdf_view
    qtbot.mouseClick(card.right, LEFT)
    assert view.worker.rotations == {0: 1}
    qtbot.mouseClick(card.scope.buttons["all"], LEFT)
    qtbot.mouseClick(card.left, LEFT)
    assert view.worker.rotations == {1: 3, 2: 3}


def test_the_panel_is_used_with_the_keyboard_and_closed_by_escape_or_its_button(qtbot, paged):
    card = paged._view_card
    assert QApplication.focusWidget() is card.colors["window"]
    for _ in card.colors:
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is card.fits.buttons["text"]
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Right)
    assert QApplication.focusWidget() is card.fits.buttons["width"]
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    assert marked(card.fits) == ["width"]
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert paged._view_card is None and not paged.head.zoom.isChecked()
    qtbot.mouseClick(paged.head.zoom, LEFT)
    assert paged._view_card is not None
    qtbot.mouseClick(paged.head.zoom, LEFT)
    assert paged._view_card is None and not paged.head.zoom.isChecked()
    qtbot.mouseClick(paged.head.zoom, LEFT)
    qtbot.mouseClick(paged.pdf_view.viewport(), LEFT)
    assert paged._view_card is None and not paged.head.zoom.isChecked()


def test_a_text_has_its_lines_instead_of_pages(qtbot, opened):
    reader = opened(1)
    reader.resize(1200, 600)
    qtbot.mouseClick(reader.head.zoom, LEFT)
    card = reader._view_card
    assert marked(card.lines) == [1.0]
    assert not any(part.isVisible() for part in (card.fits, card.pages, card.scope, card.right))
    qtbot.mouseClick(card.lines.buttons[0.75], LEFT)
    assert marked(card.lines) == [0.75] and reader.head.lines[0.75].isChecked()


def test_a_narrow_reader_has_the_zoom_in_its_panel(qtbot, opened):
    reader = opened(5)
    reader.resize(420, 700)
    qtbot.mouseClick(reader.head.zoom, LEFT)
    card = reader._view_card
    assert reader.rect().contains(card.geometry())
    steps = [b for b in card.findChildren(type(card.left)) if b.accessibleName() == "Zoom in"]
    before = reader.pdf_view.shown_zoom
    qtbot.mouseClick(steps[0], LEFT)
    assert reader.pdf_view.shown_zoom > before
