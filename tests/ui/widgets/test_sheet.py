"""Dialogs stand out from the window below: by an edge, and by dimming it."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QWidget

from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, Label, PrimaryButton
from desktop_app.ui.widgets.line_dialog import LineDialog
from desktop_app.ui.widgets.sheet import Sheet, Veil
from tests.ui.theme.test_theme import contrast

UI = Path(__file__).parents[3] / "desktop_app" / "ui"
LEAST_EDGE = 3.0  # WCAG 1.4.11: what tells a part of the window from what is beside it
MOST_DIMMED, LEAST_DIMMED = 0.75, 0.35  # of the brightness of the window


@pytest.fixture(params=itertools.product(("light", "dark"), ("off", "on")), ids="-".join)
def theme(request: pytest.FixtureRequest, qapp: QApplication):
    mode, contrast_ = request.param
    made = Theme(mode, contrast=contrast_)
    made.apply(qapp)
    yield made
    Theme("light", contrast="off").apply(qapp)
    qapp.setStyleSheet("")


@pytest.fixture
def window(qtbot, theme: Theme) -> QWidget:
    made = QWidget()
    made.setObjectName("surface")
    qtbot.addWidget(made)
    made.resize(800, 600)
    QLabel("a text of the page", made).move(20, 20)
    made.show()
    return made


def open_sheet(window: QWidget) -> Sheet:
    sheet = Sheet("Rename", window)
    sheet.add(Label("a text"))
    sheet.add_foot([Button("Cancel"), PrimaryButton("Save")], line=True)
    sheet.fit_content(300)
    sheet.open()
    return sheet


def find_veils(window: QWidget) -> list[Veil]:
    return [one for one in window.findChildren(Veil) if one.isVisible()]


def test_the_edge_of_a_dialog_is_seen_in_every_look(window, theme, qtbot):
    sheet = open_sheet(window)
    qtbot.waitUntil(lambda: find_veils(window) != [])
    picture = sheet.grab().toImage()
    right, bottom = picture.width() - 1, picture.height() - 1
    edge = QColor(picture.pixel(0, bottom // 2))
    for place in ((0, 0), (right // 2, 0), (right, bottom // 2), (right // 2, bottom)):
        assert QColor(picture.pixel(*place)) == edge
    ground = QColor(picture.pixel(8, 8))
    below = QColor(window.grab().toImage().pixel(790, 590))
    assert edge == sheet.palette().color(QPalette.ColorRole.Shadow)
    assert contrast(edge, ground) >= LEAST_EDGE
    if not theme.is_dark:  # on the dark ones, the ground is darker than the edge in any case
        assert contrast(ground, below) > 1.4


def test_the_window_is_dimmed_while_a_dialog_waits_for_an_answer(window, theme, qtbot):
    place = QPoint(20, 20)
    before = window.grab().toImage()
    letters = [
        (x, y)
        for x in range(place.x(), place.x() + 80)
        for y in range(place.y(), place.y() + 14)
        if before.pixel(x, y) != before.pixel(790, 590)
    ]
    assert letters
    sheet = open_sheet(window)
    assert find_veils(window) == []  # only after the dialog itself is drawn
    qtbot.waitUntil(lambda: find_veils(window) != [])
    after = window.grab().toImage()
    brightest = max(letters, key=lambda at: before.pixelColor(*at).lightness())
    at = brightest if theme.is_dark else (790, 590)
    share = after.pixelColor(*at).lightness() / before.pixelColor(*at).lightness()
    assert LEAST_DIMMED < share < MOST_DIMMED
    window.resize(900, 700)
    qtbot.waitUntil(lambda: find_veils(window)[0].size() == window.size())
    sheet.reject()
    qtbot.waitUntil(lambda: find_veils(window) == [])
    assert window.grab().toImage().pixel(790, 590) == before.pixel(790, 590)


def test_a_dialog_over_a_dialog_dims_that_one(qapp, qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    first = open_sheet(window)
    second = open_sheet(first)
    qtbot.waitUntil(lambda: len(find_veils(window)) == 2)
    assert {one.parentWidget() for one in find_veils(window)} == {window, first}
    second.reject()
    qtbot.waitUntil(lambda: [one.parentWidget() for one in find_veils(window)] == [window])


def test_control_and_return_accept_from_a_field_of_several_lines(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    dialog = LineDialog("Rename", "Title", "Save", text="old", parent=window)
    field = QPlainTextEdit()
    dialog.add(field)
    dialog.open()
    qtbot.waitUntil(lambda: find_veils(window) != [])
    given: list[str] = []
    dialog.given.connect(given.append)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert field.toPlainText() == "\n" and dialog.isVisible() and given == []
    qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert given == ["old"]
    qtbot.waitUntil(lambda: find_veils(window) == [])


def test_every_dialog_of_the_program_has_this_frame():
    """The welcome and the recovery are windows of their own; the files are those of the system."""
    own = {"widgets/sheet.py", "welcome/window.py"}
    others = [
        f"{path.relative_to(UI)}: {word}"
        for path in sorted(UI.rglob("*.py"))
        for word in ("QInputDialog", "QMessageBox", "QProgressDialog", "(QDialog)")
        if word in path.read_text("utf-8") and str(path.relative_to(UI)) not in own
    ]
    assert others == []
