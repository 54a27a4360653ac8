"""The dialog that finds a quotation: what it shows, and where a click leads."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from desktop_app.ui.quotations.place_list import JOIN, THIN, describe_wording, write_passage
from desktop_app.ui.quotations.sheet import QuotationSheet
from tests.ui.fakes import CHINESE, ENGLISH, FakeContext

EXACT = "and she had never learned to swim"
DAMAGED = "Tobias Quill swam to the old ferry with the brass larnp in his teeth"


@pytest.fixture
def open_sheet(context: FakeContext, qtbot):
    def build(text: str = "") -> QuotationSheet:
        sheet = QuotationSheet(context, text)
        sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        qtbot.addWidget(sheet)
        sheet.open()
        return sheet

    return build


def wait_for_places(sheet: QuotationSheet, qtbot) -> list:
    qtbot.waitUntil(lambda: sheet.stack.currentWidget() is sheet.list)
    return sheet.list.places.rows


def plain(place) -> str:
    return write_passage(place).replace(JOIN, "").replace(THIN, " ")


def test_a_pasted_text_is_looked_for_at_once(open_sheet, qtbot):
    sheet = open_sheet()
    assert sheet.stack.currentWidget() is sheet.empty
    sheet.field.setPlainText(EXACT)
    [place] = wait_for_places(sheet, qtbot)
    assert ENGLISH[place.start : place.end] == EXACT
    assert (describe_wording(place), sheet.count.text()) == ("Exact", "1 place")
    assert sheet.legend.text() == ""


def test_differences_have_signs_and_a_legend(open_sheet, qtbot):
    sheet = open_sheet(DAMAGED)
    [place] = wait_for_places(sheet, qtbot)
    assert "swam to the −old ferry with the brass −larnp +lamp in his teeth" in plain(place)
    assert describe_wording(place).startswith("Small differences · 9")
    assert "+ only in the document" in sheet.legend.text()
    index = sheet.list.places.index(0, 0)
    spoken = index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert "The Ferry at Harrow Ford" in spoken


def test_the_other_chinese_script_is_no_difference(open_sheet, qtbot):
    [place] = wait_for_places(open_sheet("林秋白是順昌票號的賬房，住在青石鎮東頭"), qtbot)
    assert CHINESE[place.start : place.end].startswith("林秋白是顺昌票号")


def test_a_short_and_an_unknown_quotation_are_explained(open_sheet, qtbot):
    sheet = open_sheet("two words")
    qtbot.waitUntil(lambda: "too short" in sheet.empty.title.text())
    sheet.field.setPlainText("This sentence was written by none of the people in these documents")
    qtbot.waitUntil(lambda: "not in the library" in sheet.empty.title.text())
    sheet.field.clear()
    qtbot.waitUntil(lambda: "Where" in sheet.empty.title.text())


@pytest.mark.parametrize("way", ["click", "return"])
def test_a_chosen_place_closes_the_dialog_and_is_opened(open_sheet, qtbot, way):
    sheet = open_sheet(EXACT)
    [place] = wait_for_places(sheet, qtbot)
    chosen, kept = [], []
    sheet.place_chosen.connect(lambda *args: chosen.append(args))
    sheet.text_kept.connect(kept.append)
    if way == "click":
        area = sheet.list.visualRect(sheet.list.places.index(0, 0))
        qtbot.mouseClick(sheet.list.viewport(), Qt.MouseButton.LeftButton, pos=area.center())
    else:
        sheet.list.setFocus()
        qtbot.keyClick(sheet.list, Qt.Key.Key_Return)
    assert chosen == [(1, place.start, place.end)]
    assert kept == [EXACT]
    assert not sheet.isVisible()


def test_a_row_is_as_high_as_its_passage(open_sheet, qtbot):
    sheet = open_sheet(EXACT)
    wait_for_places(sheet, qtbot)
    index = sheet.list.places.index(0, 0)
    short = sheet.list.visualRect(index).height()
    sheet.field.setPlainText(ENGLISH[ENGLISH.index("Ada Merrow was") : ENGLISH.index("Chapter 2")])
    qtbot.waitUntil(lambda: sheet.list.visualRect(sheet.list.places.index(0, 0)).height() > short)
