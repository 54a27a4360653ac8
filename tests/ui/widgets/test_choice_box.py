"""Drop-down lists mark the current choice and that of the keyboard, in every theme."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QStyleOptionComboBox

from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import ChoiceBox


def colors_in(image: QImage, area: QRect) -> set[str]:
    return {image.pixelColor(x, y).name() for x in range(area.left(), area.right())
            for y in range(area.top(), area.bottom())}  # fmt: skip


@pytest.mark.parametrize("contrast", ["off", "on"])
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_list_marks_two_rows(qapp: QApplication, qtbot, mode: str, contrast: str):
    theme = Theme(mode, contrast=contrast)
    theme.apply(qapp)
    box = ChoiceBox()
    qtbot.addWidget(box)
    box.addItems(["English", "Deutsch", "Italiano", "Polski"])
    box.setCurrentIndex(1)
    box.resize(240, 32)
    box.show()
    box.showPopup()
    view = box.view()
    qtbot.keyClick(view, Qt.Key.Key_Down)
    image = view.viewport().grab().toImage()
    rows = [view.visualRect(box.model().index(row, 0)) for row in range(4)]
    accent = theme.tokens.accent.lower()  # in high contrast, the row of the keyboard is filled
    soft = QColor(theme.tokens.accent_soft).name()
    ground = theme.tokens.on_accent.lower() if theme.is_high else soft
    plain, current, keyboard, last = (colors_in(image, row) for row in rows)
    assert accent in current and soft not in current  # the check mark
    assert accent in keyboard and ground in keyboard
    assert not {accent, soft} & (plain | last)
    box.hidePopup()
    qapp.setStyleSheet("")


def test_the_chosen_row_is_shown_in_the_box(qtbot):
    box = ChoiceBox()
    qtbot.addWidget(box)
    box.addItems(["one", "two"])
    box.show()
    box.showPopup()
    qtbot.keyClick(box.view(), Qt.Key.Key_Down)
    qtbot.keyClick(box.view(), Qt.Key.Key_Return)
    assert box.currentText() == "two"


def test_every_drop_down_box_of_the_window_is_one_of_these():
    from pathlib import Path

    import desktop_app.ui

    plain = [
        path.name
        for path in Path(desktop_app.ui.__file__).parent.rglob("*.py")
        if "= QComboBox(" in path.read_text("utf-8")
    ]
    assert plain == []


def test_a_choice_without_room_is_elided_in_the_box(qtbot) -> None:
    box = ChoiceBox()
    qtbot.addWidget(box)
    box.addItems(["A Christmas Carol: A Ghost Story of Christmas", "Emma"])
    box.resize(160, 30)
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    assert option.currentText.startswith("A Ch") and option.currentText.endswith("…")
    box.setCurrentIndex(1)
    box.initStyleOption(option)
    assert option.currentText == "Emma" and box.currentText() == "Emma"
