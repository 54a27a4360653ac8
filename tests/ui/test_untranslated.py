"""The search for untranslated texts."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QMenu,
    QTabBar,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from tests.ui.untranslated import english_texts


def label(text: str, tip: str = "") -> QLabel:
    made = QLabel(text)
    made.setToolTip(tip)
    return made


def field(hint: str) -> QLineEdit:
    made = QLineEdit("typed by a person")
    made.setPlaceholderText(hint)
    return made


def tabs(*words: str) -> QTabBar:
    made = QTabBar()
    for word in words:
        made.addTab(word)
    return made


def table(heading: str) -> QTableView:
    made = QTableView()
    model = QStandardItemModel(1, 1, made)
    model.setHorizontalHeaderLabels([heading])
    made.setModel(model)
    made.verticalHeader().hide()
    return made


def listing(row: str) -> QListWidget:
    made = QListWidget()
    made.addItem(row)
    return made


def box(choice: str) -> QComboBox:
    made = QComboBox()
    made.addItem(choice)
    return made


def menu(words: str) -> QWidget:
    made = QWidget()
    QMenu(made).addMenu("更多").addAction(words)
    return made


CASES = [
    (lambda: label("Merge desk"), ["Merge desk"]),
    (lambda: label("<b>合并</b> 3 个", "Merge them"), ["Merge them"]),
    (lambda: QCheckBox("Tick me"), ["Tick me"]),
    (lambda: tabs("关系", "Claims"), ["Claims"]),
    (lambda: table("Mentions"), ["Mentions"]),
    (lambda: listing("Newest first"), ["Newest first"]),
    (lambda: box("As it is read"), ["As it is read"]),
    (lambda: menu("Delete"), ["Delete"]),
    (lambda: label("合并 (Ctrl+Shift+Return)"), []),
    (lambda: label("占用磁盘 1.1 GB · MIT"), []),
    (lambda: label("又名：Miss Merrow"), []),
]


@pytest.mark.parametrize(("make", "found"), CASES)
def test_english_is_found_and_names_are_excepted(make, found, qtbot):
    whole = QWidget()
    QVBoxLayout(whole).addWidget(make())
    qtbot.addWidget(whole)
    assert english_texts(whole, ["Miss Merrow"]) == found


def test_user_input_and_hidden_texts_are_ignored(qtbot):
    whole = QWidget()
    column = QVBoxLayout(whole)
    for widget in (field("查找名称"), label("Hidden words")):
        column.addWidget(widget)
    whole.findChild(QLabel).hide()
    qtbot.addWidget(whole)
    assert english_texts(whole) == []
