"""Tests that lists keep their rows where they are while the pointer is over them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication

from desktop_app.engine.model import EntityRow
from desktop_app.ui.entity.names_panel import NamesPanel
from desktop_app.ui.library.document_list import DocumentList
from desktop_app.ui.library.table_model import NAMES, DocumentTableModel
from desktop_app.ui.widgets.tables import keep_places
from tests.ui.fakes import FakeContext, many_documents


@dataclass(frozen=True)
class Row:
    id: int


def move_pointer(view: QAbstractItemView, *, inside: bool) -> None:
    at = QPointF(20, 20)
    event = QEnterEvent(at, at, at) if inside else QEvent(QEvent.Type.Leave)
    QApplication.sendEvent(view.viewport(), event)


ids = st.lists(st.integers(0, 30), unique=True)


@given(ids, ids, st.booleans())
def test_shown_rows_keep_their_order_and_none_is_lost(now, before, new_last):
    found = keep_places([Row(i) for i in now], [Row(i) for i in before], new_last=new_last)
    assert sorted(row.id for row in found) == sorted(now)
    kept = [i for i in before if i in now]
    assert [row.id for row in found if row.id in before] == kept
    if new_last:
        assert [row.id for row in found][: len(kept)] == kept
    if not kept:
        assert [row.id for row in found] == now


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
