"""Tests that lists keep their rows where they are while the pointer is over them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication

from desktop_app.engine.model import EntityRow
from desktop_app.ui.entity.names_panel import NamesPanel
from desktop_app.ui.library.document_list import DocumentList
from desktop_app.ui.library.table_model import NAMES, DocumentTableModel
from desktop_app.ui.widgets.tables import RowList, keep_places
from tests.ui.fakes import FakeContext, many_documents


@dataclass(frozen=True)
class Row:
    id: int


def move_pointer(view: QAbstractItemView, *, inside: bool) -> None:
    at = QPointF(20, 20)
    event = QEnterEvent(at, at, at) if inside else QEvent(QEvent.Type.Leave)
    QApplication.sendEvent(view.viewport(), event)


ids = st.lists(st.integers(0, 30), unique=True)


@given(ids, ids)
def test_shown_rows_keep_their_order_and_none_is_lost(now, before):
    found = [row.id for row in keep_places([Row(i) for i in now], before)]
    assert sorted(found) == sorted(now)
    kept = [i for i in before if i in now]
    assert found == kept + [i for i in now if i not in before]


def test_documents_stay_in_place_under_the_pointer(context: FakeContext, qtbot):
    model = DocumentTableModel()
    shown = DocumentList(context.theme, model)
    qtbot.addWidget(shown)
    rows = [replace(row, n_entities=row.id) for row in many_documents(5, 1e9)]
    model.set_rows(rows)
    model.sort(NAMES, Qt.SortOrder.DescendingOrder)

    def order() -> list[int]:
        return [model.shown_row(i).id for i in range(model.rowCount())]

    sorted_before = order()
    move_pointer(shown.table, inside=True)
    changed = [replace(row, n_entities=100 - row.id) for row in rows]
    model.set_rows(changed)
    assert order() == sorted_before
    assert model.shown_row(0).n_entities == 100 - sorted_before[0]
    move_pointer(shown.table, inside=False)
    assert order() == sorted_before[::-1]
    move_pointer(shown.cards, inside=True)
    model.set_rows(rows)
    assert order() == sorted_before[::-1]
    model.sort(NAMES, Qt.SortOrder.DescendingOrder)  # the person sorts
    assert order() == sorted_before


def test_names_stay_in_place_under_the_pointer(context: FakeContext, qtbot):
    panel = NamesPanel(context.theme)
    qtbot.addWidget(panel)
    rows = [EntityRow(i, f"Name {i}", "person", 1, 10 - i, 1) for i in range(1, 5)]
    panel.set_rows(rows)

    def order() -> list[int]:
        return [row.id for row in panel.model.rows]

    assert order() == [1, 2, 3, 4]
    move_pointer(panel.list, inside=True)
    first = EntityRow(9, "Newcomer", "person", 1, 99, 1)
    panel.set_rows([first, rows[0], replace(rows[3], n_relations=50), rows[2]])
    assert order() == [1, 3, 4, 9], "gone is what is gone, new ones come last"
    move_pointer(panel.list, inside=False)
    assert order() == [9, 4, 1, 3]


@pytest.fixture
def documents(context: FakeContext, qtbot) -> DocumentList:
    """Return a list of five documents; the one added last is the first."""
    shown = DocumentList(context.theme, DocumentTableModel())
    qtbot.addWidget(shown)
    shown.resize(1200, 600)
    shown.show()
    shown.model.set_rows(documents_up_to(5))
    return shown


def documents_up_to(n: int) -> list:
    return [replace(row, added_at=1e9 + row.id) for row in many_documents(n, 1e9)]


def order_of(shown: DocumentList) -> list[int]:
    return [shown.model.shown_row(i).id for i in range(shown.model.rowCount())]


def place_of(view: QAbstractItemView, row: int) -> QPoint:
    return view.visualRect(view.model().index(row, 0)).center()


def test_a_document_that_arrives_is_last_until_the_pointer_leaves(documents: DocumentList):
    move_pointer(documents.table, inside=True)
    documents.model.set_rows(documents_up_to(6))
    assert order_of(documents) == [5, 4, 3, 2, 1, 6]
    assert documents.update_link.isVisible() and documents.update_link.text() == "1 new"
    documents.model.set_rows(documents_up_to(8))
    assert order_of(documents) == [5, 4, 3, 2, 1, 6, 8, 7]
    assert documents.update_link.text() == "3 new"
    move_pointer(documents.table, inside=False)
    assert order_of(documents) == [8, 7, 6, 5, 4, 3, 2, 1]
    assert documents.update_link.isHidden()


def test_a_document_that_was_removed_and_returns_is_where_it_was(documents: DocumentList):
    move_pointer(documents.table, inside=True)
    rows = documents_up_to(6)
    documents.model.set_rows(rows)
    documents.model.set_rows([row for row in rows if row.id not in (3, 5)])
    assert order_of(documents) == [4, 2, 1, 6]
    documents.model.set_rows(documents_up_to(7))  # undone, and another one arrives
    assert order_of(documents) == [5, 4, 3, 2, 1, 6, 7]
    assert documents.update_link.text() == "2 new"


def test_a_name_that_was_removed_and_returns_is_where_it_was(context: FakeContext, qtbot):
    panel = NamesPanel(context.theme)
    qtbot.addWidget(panel)
    rows = [EntityRow(i, f"Name {i}", "person", 1, 10 - i, 1) for i in range(1, 5)]
    panel.set_rows(rows)
    move_pointer(panel.list, inside=True)
    panel.model.change_rows([2], [])
    assert [row.id for row in panel.model.rows] == [1, 3, 4]
    panel.model.change_rows([2], [rows[1]])
    assert [row.id for row in panel.model.rows] == [1, 2, 3, 4]
    assert panel.update_link.isHidden()


def test_a_selected_row_of_the_list_with_the_focus_holds_it_still(
    documents: DocumentList, context: FakeContext, qtbot
):
    move_pointer(documents.table, inside=False)  # where an earlier test left it
    documents.select(3)
    documents.table.setFocus()
    qtbot.waitUntil(documents.table.hasFocus)
    documents.model.set_rows(documents_up_to(6))
    assert order_of(documents) == [5, 4, 3, 2, 1, 6]
    assert [row.id for row in documents.selected_rows()] == [3]
    documents.update_link.click()
    assert order_of(documents) == [6, 5, 4, 3, 2, 1]
    assert [row.id for row in documents.selected_rows()] == [3]
    assert documents.update_link.isHidden()
    changed = [replace(row, added_at=-row.added_at) for row in documents_up_to(6)]
    documents.model.set_rows(changed)
    assert order_of(documents) == [6, 5, 4, 3, 2, 1]
    assert documents.update_link.text() == "Update"
    documents.model.set_filter("0000")  # the person searches
    assert order_of(documents) == [1, 2, 3, 4, 5, 6] and documents.update_link.isHidden()
    documents.model.set_rows(documents_up_to(6))
    assert order_of(documents) == [1, 2, 3, 4, 5, 6]
    other = RowList(NamesPanel(context.theme).model, documents.table.itemDelegate(), "", documents)
    other.show()
    other.setFocus()
    # the list was left; the window system says so later
    qtbot.waitUntil(lambda: order_of(documents) == [6, 5, 4, 3, 2, 1])


@pytest.mark.parametrize("as_cards", [False, True])
def test_the_document_that_was_pressed_opens_although_others_arrive(
    documents: DocumentList, qtbot, as_cards
):
    documents.show_cards(as_cards)
    view, opened = documents.view, []
    view.doubleClicked.connect(lambda index: opened.append(documents.model.row_at(index).id))
    move_pointer(view, inside=True)
    at = place_of(view, 1)
    left = Qt.MouseButton.LeftButton
    qtbot.mousePress(view.viewport(), left, pos=at)
    documents.model.set_rows(documents_up_to(6)[1:])  # one is gone, one is new
    qtbot.mouseRelease(view.viewport(), left, pos=at)
    assert [row.id for row in documents.selected_rows()] == [4]
    qtbot.mouseDClick(view.viewport(), left, pos=at)
    assert opened == [4]


def test_the_name_that_was_pressed_opens_although_others_arrive(context: FakeContext, qtbot):
    panel = NamesPanel(context.theme)
    qtbot.addWidget(panel)
    panel.resize(300, 500)
    panel.show()
    rows = [EntityRow(i, f"Name {i}", "person", 1, 10 - i, 1) for i in range(1, 5)]
    panel.set_rows(rows)
    picked: list[int] = []
    panel.picked.connect(picked.append)
    move_pointer(panel.list, inside=True)
    at, left = place_of(panel.list, 1), Qt.MouseButton.LeftButton
    qtbot.mousePress(panel.list.viewport(), left, pos=at)
    new = EntityRow(9, "Newcomer", "person", 1, 99, 1)
    panel.change_rows([9, 4], [new])
    qtbot.mouseRelease(panel.list.viewport(), left, pos=at)
    assert picked == [2]
    assert [row.id for row in panel.model.rows] == [1, 2, 3, 9]
    assert panel.update_link.isVisible() and panel.update_link.text() == "1 new"
    panel.update_link.click()
    assert [row.id for row in panel.model.rows] == [9, 1, 2, 3]
    assert panel.update_link.isHidden()
