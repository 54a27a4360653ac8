"""Shared widgets in narrow space: broken words, elided texts, wrapped rows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QHelpEvent,
    QImage,
)
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QToolTip, QVBoxLayout, QWidget

from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, CheckBox, FactGrid, Flow, Label
from desktop_app.ui.widgets.labels import break_words
from desktop_app.ui.widgets.layout import find_ascent
from tests.ui.overflow import find_overflow

WORD = "Donaudampfschifffahrtsgesellschaftskapitänsmütze"
BREAK = "\u200b"


@pytest.fixture
def metrics(qapp: QApplication) -> QFontMetrics:
    return QFontMetrics(Theme("light").font("text"))


@given(st.text(max_size=80), st.integers(1, 400))
def test_breaking_long_words_changes_no_other_character(text: str, room: int) -> None:
    metrics = QFontMetrics(Theme("light").font("text"))
    plain = text.replace(BREAK, "")
    assert break_words(plain, metrics, room).replace(BREAK, "") == plain


def test_only_words_that_are_too_wide_are_broken(metrics: QFontMetrics) -> None:
    broken = break_words(f"The {WORD} of 黑风寨", metrics, 120)
    assert broken.startswith("The Don") and broken.endswith(" of 黑风寨")
    pieces = broken.split(" ")[1].split(BREAK)
    assert len(pieces) > 1
    assert all(metrics.horizontalAdvance(piece) <= 120 for piece in pieces)
    assert break_words(f"The {WORD}", metrics, 900) == f"The {WORD}"


def test_no_line_of_a_wrapped_label_ends_with_a_separator(qtbot) -> None:
    text = "5,978\u00a0mentions · 40\u00a0of\u00a0753\u00a0connections · 1\u00a0document"
    label = Label(text, wrap=True)
    qtbot.addWidget(label)
    label.resize(label.fontMetrics().horizontalAdvance(text[:44]), 80)
    label.show()
    lines = QLabel.text(label).split("\n")
    assert len(lines) == 2 and not any(line.strip(" ").endswith("·") for line in lines)
    assert lines[0].count("·") == 1, "what fits on a line stays there"
    assert label.text() == text
    label.resize(900, 80)
    assert QLabel.text(label) == text
    label.resize(60, 200)
    assert "\n" not in QLabel.text(label), "a part wider than the label is broken inside"


def test_a_wrapped_label_breaks_a_word_wider_than_itself(qtbot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    label = Label(WORD, wrap=True)
    QVBoxLayout(holder).addWidget(label)
    holder.resize(140, 300)
    holder.show()
    qtbot.waitUntil(lambda: find_overflow(holder) == [])
    assert holder.width() == 140 and label.text() == WORD
    assert BREAK in QLabel.text(label)
    holder.resize(700, 300)
    qtbot.waitUntil(lambda: QLabel.text(label) == WORD)


def test_a_wrapped_label_breaks_its_words_anew_in_a_larger_font(qtbot) -> None:
    label = Label("Harrow-Ford ferrywoman", wrap=True)
    qtbot.addWidget(label)
    label.resize(120, 200)
    label.show()
    assert BREAK not in QLabel.text(label)
    font = label.font()
    font.setPixelSize(40)
    label.setFont(font)
    assert BREAK in QLabel.text(label)


def test_a_broken_word_is_copied_without_the_break(qtbot) -> None:
    label = Label(WORD, wrap=True)
    qtbot.addWidget(label)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByKeyboard)
    label.resize(120, 200)
    label.show()
    label.setSelection(0, len(QLabel.text(label)))
    assert BREAK in label.selectedText()
    qtbot.keyClick(label, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == WORD
    place = QPoint(5, 5)
    reason = QContextMenuEvent.Reason.Keyboard
    QGuiApplication.clipboard().clear()
    QApplication.sendEvent(label, QContextMenuEvent(reason, place, label.mapToGlobal(place)))
    menu = label.findChild(QMenu)
    menu.actions()[0].trigger()
    menu.close()
    assert QGuiApplication.clipboard().text() == WORD


def drawn_columns(widget: QWidget) -> int:
    """Return how many columns of pixels at the right edge have the background color."""
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    ground = image.pixel(image.width() - 3, image.height() // 2)
    for n in range(3, image.width()):
        column = (image.pixel(image.width() - 1 - n, y) for y in range(6, image.height() - 6))
        if any(pixel != ground for pixel in column):
            return n
    return image.width()


@pytest.mark.parametrize("make", [lambda: Button(WORD, elide=True), lambda: CheckBox(WORD)])
def test_an_eliding_control_can_be_narrow_and_has_its_text_as_tooltip(qtbot, make) -> None:
    control = make()
    qtbot.addWidget(control)
    assert control.minimumSizeHint().width() < 60 < control.sizeHint().width()
    control.resize(130, control.sizeHint().height())
    control.show()
    assert drawn_columns(control) < 30, "the text is cut by an ellipsis at the edge, not before"
    place = QPoint(10, 10)
    event = QHelpEvent(QEvent.Type.ToolTip, place, control.mapToGlobal(place))
    QApplication.sendEvent(control, event)
    qtbot.waitUntil(lambda: QToolTip.text() == WORD)
    QToolTip.hideText()
    assert control.text() == WORD


def test_an_eliding_button_uses_its_font(qapp: QApplication, qtbot) -> None:
    theme = Theme("light")
    theme.apply(qapp)
    button = Button("Novels and papers", kind="nav", elide=True)
    qtbot.addWidget(button)
    button.setFont(theme.font("strong"))
    button.show()
    assert button.font().weight() == QFont.Weight.DemiBold
    qapp.setStyleSheet("")


def test_a_button_without_elision_keeps_the_width_of_its_text(qtbot) -> None:
    button = Button(WORD)
    qtbot.addWidget(button)
    assert button.minimumSizeHint().width() == button.sizeHint().width()


def test_buttons_in_a_flow_layout_wrap(qtbot) -> None:
    flow = Flow(gap=8)
    qtbot.addWidget(flow)
    first, hidden, second = (Button(text) for text in ("Open it", "Not now", "Expand it"))
    for button in (first, hidden, second):
        flow.add(button)
    hidden.hide()
    wide = first.sizeHint().width() + 8 + second.sizeHint().width()
    flow.resize(wide, flow.heightForWidth(wide))
    flow.show()
    assert first.y() == second.y() and second.x() == first.width() + 8
    flow.resize(wide - 1, flow.heightForWidth(wide - 1))
    qtbot.waitUntil(lambda: second.x() == 0)
    assert second.y() > first.y() and find_overflow(flow) == []


def test_facts_with_long_names_and_values_fit(qtbot) -> None:
    grid = FactGrid()
    qtbot.addWidget(grid)
    grid.set_facts([("Connections of a name", WORD), ("File", "https://example.org/" + "a" * 60)])
    grid.resize(200, 600)
    grid.show()
    qtbot.waitUntil(lambda: find_overflow(grid) == [])
    assert grid.width() == 200
    values = [label for label in grid.findChildren(QLabel) if label.text() == WORD]
    assert values[0].textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse


@pytest.mark.parametrize(("name", "value"), [("Title", "水浒传"), ("标题", "Carol"), ("A", "B")])
def test_a_field_and_its_label_share_a_baseline(qtbot, name: str, value: str) -> None:
    grid = FactGrid()
    qtbot.addWidget(grid)
    grid.set_facts([(name, value)])
    grid.resize(300, 100)
    grid.show()

    def baseline(text: str) -> int:
        label = next(label for label in grid.findChildren(QLabel) if label.text() == text)
        return label.y() + label.contentsRect().top() + find_ascent(label)

    qtbot.waitUntil(lambda: baseline(name) == baseline(value))
