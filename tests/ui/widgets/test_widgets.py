"""Shared texts and widgets: times, types, rows, headings, the spread chart."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest
from PySide6.QtCore import QLocale, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QKeySequence, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QApplication, QLineEdit, QListView, QMenu, QVBoxLayout, QWidget

from desktop_app.engine.services.provenance import EntityProvenance
from desktop_app.ui import translation
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import (
    Badge,
    IconButton,
    RowTable,
    add_heading,
    format_left,
    format_type,
    format_when,
)
from desktop_app.ui.widgets.buttons import format_keys
from desktop_app.ui.widgets.labels import ElidedLabel
from desktop_app.ui.widgets.provenance import describe_description_source, describe_type_source
from desktop_app.ui.widgets.spread_chart import SpreadChart
from desktop_app.ui.widgets.tables import RowsModel
from desktop_app.ui.widgets.words import (
    format_heading,
    format_kind,
    format_language,
    join_sentences,
    join_words,
    look_of_kind,
    shorten_list,
    sign_of_type,
)

NOON = datetime(2023, 11, 15, 12).timestamp()
DAY = 86_400.0


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    return Theme("light", contrast="off")


@pytest.fixture
def chinese(qapp: QApplication) -> Iterator[None]:
    before = QLocale()
    installed = translation.install(qapp, "zh")
    yield
    for translator in installed:
        qapp.removeTranslator(translator)
    QLocale.setDefault(before)


def test_texts_are_chinese_in_a_chinese_window(chinese: None) -> None:
    assert format_type("person") == "人物"
    assert sign_of_type("other") == "?" and sign_of_type("飞船") == "飞"
    assert format_kind("family") == look_of_kind("family").words == "亲属"
    assert format_left(7_500) == "还需 2 小时 5 分钟"
    assert format_when(NOON - 3 * DAY, NOON) == "3 天前"
    assert format_when(NOON - 400 * DAY, NOON) == "2022 年 10 月 11 日"
    assert shorten_list(["宋江", "林冲", "武松"]) == "宋江、林冲等，另有 1 个"


def test_sentences_have_a_space_between_them_except_after_a_chinese_mark() -> None:
    assert join_sentences(["One.", "", "Two."]) == "One. Two."
    assert join_sentences(["出错较少。", "速度是估计。", "Qwen"]) == "出错较少。速度是估计。Qwen"
    assert join_sentences(["“Ada.”", "（赵四）", "二"]) == "“Ada.” （赵四）二"
    assert join_sentences([]) == join_sentences([""]) == ""


def test_provenance_is_described_in_whole_sentences_in_both_languages(qapp, request) -> None:
    standing = EntityProvenance(
        description_from="quote", type_from="model", type_sureness=0.8, models=("qwen",), n_judged=1
    )
    assert (
        describe_type_source(standing, "person")
        == "Person: sure, according to qwen, asked in 1 passage"
    )
    request.getfixturevalue("chinese")
    assert describe_type_source(standing, "person") == "人物：qwen 表示有把握，就 1 个段落询问"
    assert "qwen" in describe_description_source(standing)


def test_a_user_defined_type_is_shown_unchanged(qapp: QApplication) -> None:
    assert format_type("ship") == "ship"
    assert format_type("ship", capital=True) == "Ship"


def test_buttons_badges_and_rows_grow_with_the_font(theme: Theme, qtbot) -> None:
    button, badge, table = IconButton(theme, "add", "Add"), Badge(theme, "Ready"), RowTable(theme)
    for widget in (button, badge, table):
        qtbot.addWidget(widget)
    small = (button.width(), badge.sizeHint().width(), table.verticalHeader().defaultSectionSize())
    assert small[0] == 28 and small[2] == 32
    theme.set_scale(1.5)
    large = (button.width(), badge.sizeHint().width(), table.verticalHeader().defaultSectionSize())
    assert large[0] == 42 and large[2] == 48 and large[1] > small[1]
    theme.set_scale(0.9)  # click targets never shrink
    assert button.width() == 28


@pytest.mark.parametrize(
    ("heading", "shown"),
    [
        ("CHAPTER I. IN BRIGHTON LODGINGS", "Chapter I. In Brighton Lodgings"),
        ("CHAPTER I. Down the Rabbit-Hole", "Chapter I. Down the Rabbit-Hole"),
        ("CHAPTER 12: the flood", "Chapter 12: the flood"),
        ("SIXTH NARRATIVE. Told by CUFF", "Sixth Narrative. Told by CUFF"),
        ("NASA. A history", "NASA. A history"),
        ("RAG systems", "RAG systems"),
        ("第一回 渡口", "第一回 渡口"),
        (
            "CHAPTER II. JONATHAN HARKER'S JOURNAL--continued",
            "Chapter II. Jonathan Harker's Journal—continued",
        ),
        ("DR. SEWARD'S DIARY (continued).", "Dr. Seward's Diary (continued)."),
        ("A war long continued", "A war long continued"),
    ],
)
def test_headings_in_capitals_are_shown_as_titles(heading: str, shown: str) -> None:
    assert format_heading(heading) == shown


def test_a_heading_in_a_menu_is_disabled(theme: Theme, qtbot) -> None:
    menu = QMenu()
    qtbot.addWidget(menu)
    menu.addAction("Open")
    heading = add_heading(menu, "Layout", theme)
    assert heading.text() == "Layout" and not heading.isEnabled()
    assert menu.actions()[1].isSeparator()


def test_the_row_with_the_keyboard_focus_has_a_bar(theme: Theme, qtbot) -> None:
    window, field, table = QWidget(), QLineEdit(), RowTable(theme)
    column = QVBoxLayout(window)
    column.addWidget(field)
    column.addWidget(table)
    model = QStandardItemModel()
    for name in ("Scrooge", "Marley"):
        model.appendRow([QStandardItem(name), QStandardItem("person")])
    table.setModel(model)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitUntil(window.isActiveWindow)
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Tab)
    assert table.hasFocus()
    row = table.currentIndex().row()
    accent = QApplication.palette().accent().color()
    assert edge(table, row) == accent
    assert edge(table, 1 - row) != accent
    qtbot.mouseClick(field, Qt.MouseButton.LeftButton)
    assert edge(table, row) != accent


def edge(table: RowTable, row: int) -> QColor:
    rect = table.visualRect(table.model().index(row, 0))
    return table.viewport().grab().toImage().pixelColor(rect.left() + 1, rect.center().y())


def test_keys_move_between_mentions_of_the_spread_chart(theme: Theme, qtbot) -> None:
    chart = SpreadChart(theme)
    qtbot.addWidget(chart)
    chart.resize(600, 100)
    chart.set_spread([(7, "A Christmas Carol", [0.5, 0.1, 0.9]), (8, "水浒传", [0.3])])
    opened: list[tuple[int, float]] = []
    chart.tick_clicked.connect(lambda document, at: opened.append((document, at)))
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Right, Qt.Key.Key_Return, Qt.Key.Key_Down):
        qtbot.keyClick(chart, key)
    qtbot.keyClick(chart, Qt.Key.Key_Space)
    assert opened == [(7, 0.1), (7, 0.5), (8, 0.3)]
    qtbot.keyClick(chart, Qt.Key.Key_Down)  # none below
    qtbot.keyClick(chart, Qt.Key.Key_Return)
    assert opened[-1] == (8, 0.3)


def test_an_elided_label_with_margins_shows_its_whole_ellipsis(qtbot):
    label = ElidedLabel("A Christmas Carol: A Ghost Story of Christmas")
    qtbot.addWidget(label)
    label.setContentsMargins(16, 0, 16, 0)
    label.resize(200, 20)
    label.show()
    room = label.contentsRect().width()
    assert room < label.width()
    assert label.text().endswith("…")
    assert label.fontMetrics().horizontalAdvance(label.text()) <= room
    assert label.toolTip() == label.full_text()
    label.resize(label.sizeHint())
    assert label.text() == label.full_text()


class WordsModel(RowsModel):
    def describe(self, row, role):
        return row if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole) else None


def test_a_list_of_rows_can_be_selected_and_not_edited_or_dragged(qtbot, theme):
    model = WordsModel()
    model.show_rows(["bridge", "ferry", "toll"])
    view = QListView()
    qtbot.addWidget(view)
    view.setModel(model)
    view.show()
    place = view.visualRect(model.index(1)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert view.currentIndex().row() == 1 and view.findChild(QLineEdit) is None
    flags = model.flags(model.index(1))
    assert flags == Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled


def test_rows_are_inserted_removed_and_moved_with_the_selection():
    model = WordsModel()
    model.show_rows(["bridge", "ferry", "toll"])
    kept = QPersistentModelIndex(model.index(1))
    model.insert_row(0, "abbey")
    assert model.rows == ["abbey", "bridge", "ferry", "toll"] and kept.row() == 2
    model.move_row(2, 0)
    assert model.rows == ["ferry", "abbey", "bridge", "toll"] and kept.row() == 0
    model.move_row(0, 3)
    assert model.rows == ["abbey", "bridge", "toll", "ferry"] and kept.data() == "ferry"
    model.remove_row(1)
    assert model.rows == ["abbey", "toll", "ferry"] and kept.row() == 2
    assert model.rowCount() == 3 and model.index(0).data() == "abbey"


def test_keys_have_the_name_that_is_on_the_keyboard():
    assert format_keys("Ctrl+Return") == "Ctrl+Enter" and format_keys("Return") == "Enter"
    assert format_keys(QKeySequence("Ctrl+Shift+M")) == "Ctrl+Shift+M"
    assert format_keys("") == "" and format_keys(QKeySequence()) == ""


def test_times_of_one_day_have_one_form():
    words = [format_when(NOON - seconds, NOON) for seconds in (30, 17 * 60, 3 * 3600)]
    assert words == ["just now", "17 min ago", "3 h ago"]


def test_languages_are_named_in_the_language_of_the_window():
    assert [format_language(code) for code in ("en", "zh", "xx", "")] == [
        "English",
        "Chinese",
        "xx",
        "",
    ]


def test_names_that_are_all_chinese_have_a_chinese_separator() -> None:
    assert join_words(["行者", "大圣"]) == "行者、大圣"
    assert join_words(["行者", "Monkey"]) == "行者, Monkey"
    assert join_words([]) == ""
