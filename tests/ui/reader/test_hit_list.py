"""The search in the open document: its options, and the list of all matches."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt

from desktop_app.ui.reader.hit_list import COUNT_ROLE, PARTS_ROLE, HitList, HitModel
from desktop_app.ui.reader.loading import PlaceWords


def _search(qtbot, reader, words: str, count: str) -> None:
    reader.search.start()
    reader.find_bar.field.setText(words)
    qtbot.waitUntil(lambda: reader.find_bar.count.text() == count)


def _rows(reader) -> list[tuple[str, str, str, str]]:
    model = reader.hit_list.model
    return [model.parts(hit) for hit in model.rows]


def test_all_matches_are_listed_with_their_words_and_place(qtbot, opened):
    reader = opened(5)
    reader.resize(1100, 700)
    _search(qtbot, reader, "ferry", "1 of 2")
    assert not reader.body.side.isVisible()
    reader.find_bar.list_button.click()
    assert reader.body.side.isVisible() and reader.hit_list.list.isVisible()
    rows = _rows(reader)
    assert [row[1] for row in rows] == ["ferry", "ferry"]
    assert rows[0][0] == "The " and rows[0][2].startswith(" leaves at dawn.")
    assert rows[0][3].page == "p. i"
    assert reader.hit_list.heading.text() == "2 matches on 1 page"
    second = reader.hit_list.model.index(1)
    reader.hit_list.list.clicked.emit(second)
    assert reader.find_bar.count.text() == "2 of 2" and reader.view.current_hit == 1
    reader.find_bar.previous.click()
    assert reader.hit_list.list.currentIndex().row() == 0  # the list follows the arrows


def test_the_list_gives_way_to_what_was_there(qtbot, opened):
    reader = opened(5)
    reader.resize(1100, 700)
    reader.head.outline.setChecked(True)
    reader.body.side.show_tab("pages")
    side = reader.body.side
    assert side.tabs["matches"].isHidden()
    _search(qtbot, reader, "bridge", "1 of 2")  # the panel is open, so it shows the matches
    assert side.tab == "matches" and reader.hit_list.heading.text().startswith("2 matches on")
    assert side.tabs["matches"].isChecked() and side.tabs["matches"].isVisible()
    reader.hit_list.close_button.click()
    assert side.tab == "pages" and side.tabs["pages"].isChecked()
    assert not reader.find_bar.isHidden()  # the search goes on
    reader.find_bar.list_button.click()
    reader.body.side.tabs["notes"].click()
    assert not reader.find_bar.list_button.isChecked()
    reader.find_bar.list_button.click()
    assert reader.find_bar.list_button.isChecked()
    reader.find_bar.closed.emit()
    assert reader.body.side.tab == "notes" and reader.body.side.isVisible()
    assert reader.find_bar.isHidden() and side.tabs["matches"].isHidden()


def test_a_panel_opened_for_the_list_closes_with_it(qtbot, opened):
    reader = opened(5)
    _search(qtbot, reader, "bridge", "1 of 2")
    reader.find_bar.list_button.click()
    assert reader.head.outline.isChecked()
    reader.head.search.click()  # the button closes the search, too
    assert reader.find_bar.isHidden() and not reader.head.outline.isChecked()


def test_case_and_whole_words_are_options(qtbot, opened):
    reader = opened(5)
    _search(qtbot, reader, "the", "1 of 7")
    reader.find_bar.match_case.click()
    qtbot.waitUntil(lambda: reader.find_bar.count.text() == "1 of 5")
    reader.find_bar.match_case.click()
    _search(qtbot, reader, "dge", "1 of 2")
    reader.find_bar.whole_words.click()
    qtbot.waitUntil(lambda: reader.find_bar.count.text() == "No matches")
    assert reader.hit_list.list.isHidden() and reader.hit_list.nothing.isVisibleTo(reader.hit_list)


def test_words_over_a_line_break_are_shown_on_one_line(qapp):
    model = HitModel()
    text = "Before it.\n\nThe toll\nkeeper went home.\nAfter it."
    start = text.index("toll")
    model.set_hits(text, [(start, start + len("toll\nkeeper"))], lambda at: PlaceWords(f"at {at}"))
    assert model.parts(model.rows[0]) == (
        "The ",  # words of other paragraphs are no context
        "toll keeper",
        " went home. After it.",
        PlaceWords("at 16"),
    )
    words = model.data(model.index(0), Qt.ItemDataRole.DisplayRole)
    assert words == "The toll keeper went home. After it.. at 16"


def test_each_place_has_the_number_of_its_matches(qapp):
    model = HitModel()
    starts = [1, 5, 12, 31, 22, 33]  # of a place that is left and comes again
    model.set_hits(
        "x" * 40, [(start, start + 1) for start in starts], lambda at: PlaceWords(f"p. {at // 10}")
    )
    assert [model.index(row).data(COUNT_ROLE) for row in range(6)] == [2, 2, 1, 1, 1, 1]


def test_the_place_of_the_first_row_in_sight_stays_above_the_list(qtbot, context):
    found = HitList(context.theme)
    qtbot.addWidget(found)
    found.resize(300, 400)
    text = "a word here " * 60
    found.show_hits(
        text,
        [(12 * n + 2, 12 * n + 6) for n in range(60)],
        lambda at: PlaceWords(f"p. {at // 240}"),
    )
    found.show()
    bar = found.list.verticalScrollBar()
    assert found.list.place_in_sight() is None  # the first row shows its own
    bar.setValue(60)
    index, area = found.list.place_in_sight()
    assert index.data(PARTS_ROLE).place.page == "p. 0" and area.top() == 0
    found.set_current(29)  # in the middle of its place
    _, area = found.list.place_in_sight()
    assert found.list.visualRect(found.list.currentIndex()).top() >= area.bottom()
    top = found.list.visualRect(found.list.indexAt(QPoint(12, area.bottom() + 2))).top()
    assert top >= area.bottom()  # no row is cut by the place
    found.set_current(5)  # scrolled back to it: it may not be under the place
    assert found.list.visualRect(found.list.currentIndex()).top() >= area.height()


def test_a_short_line_has_no_empty_line_below_it(qtbot, context):
    found = HitList(context.theme)
    qtbot.addWidget(found)
    found.resize(300, 400)
    text = "Short label\n\n" + "A label of many words that goes on and on over the line. " * 3
    found.show_hits(text, [(6, 11), (15, 20)], lambda at: PlaceWords("p. 1"))
    found.show()
    rows = [found.list.visualRect(found.model.index(n)).height() for n in (0, 1)]
    assert rows[0] - found.list.itemDelegate().place_height < rows[1]


def test_words_of_another_section_page_or_label_are_no_context(qapp):
    model = HitModel()
    text = "It ends here. 2 The toll\n\nof the ferry goes Query Label"
    at, end = text.index("2 The toll"), text.index("Query")
    model.part = lambda start: (at, end)
    model.set_hits(
        text, [(text.index("toll"), text.index("toll") + 4)], lambda at: PlaceWords("p. 1")
    )
    assert model.parts(model.rows[0])[:3] == ("2 The ", "toll", "")
    ferry = text.index("ferry")
    assert model.parts((ferry, ferry + 5))[2] == " goes …"  # it goes on elsewhere


def test_no_row_in_sight_is_cut_by_the_place_above_the_list(qtbot, context):
    found = HitList(context.theme)
    qtbot.addWidget(found)
    found.resize(300, 400)
    text = "a word here and some more words so that there are two lines of them " * 60
    hits = [(68 * n + 2, 68 * n + 6) for n in range(60)]
    found.show_hits(text, hits, lambda at: PlaceWords(f"p. {at // 680}"))
    found.show()
    bar = found.list.verticalScrollBar()
    for value in (50, 75, 90, 430, 700):
        bar.setValue(value)
        found.list.snap()
        shown = found.list.place_in_sight()
        if shown is not None:
            below = shown[1].bottom() + 1
            row = found.list.indexAt(QPoint(12, below))
            assert found.list.visualRect(row).top() == below, value


def test_the_search_bar_pushes_the_document_down_and_its_top_line_stays(qtbot, opened):
    reader = opened(5)
    reader.resize(1100, 700)
    view, bar = reader.pdf_view, reader.find_bar
    view.verticalScrollBar().setValue(view.verticalScrollBar().minimum() + 150)
    value, top, height = view.verticalScrollBar().value(), reader.body.y(), reader.body.height()
    reader.search.start()
    qtbot.waitUntil(lambda: reader.body.y() == top + bar.height())
    assert reader.body.height() == height - bar.height()
    assert bar.y() == reader.head.geometry().bottom() + 1 and bar.width() == reader.width()
    assert view.verticalScrollBar().value() == value
    reader.search.stop()
    qtbot.waitUntil(lambda: reader.body.y() == top)
    assert view.verticalScrollBar().value() == value
    reader.search.start()
    reader.resize(340, 500)
    qtbot.waitUntil(bar.match_case.isHidden)
    assert bar.field.width() > 60 and bar.next.isVisible()
    assert bar.rect().contains(bar.close_button.geometry())


def test_the_place_of_a_hit_is_asked_for_once(qapp):
    """A place is found in the outline and the pages of a document; a search has thousands."""
    model, asked = HitModel(), []

    def place(start: int) -> PlaceWords:
        asked.append(start)
        return PlaceWords(f"p. {start}")

    model.set_hits("the toll and the ferry", [(4, 8), (17, 22)], place)
    assert [model.parts(hit).place.page for hit in model.rows] == ["p. 4", "p. 17"]
    assert asked == [4, 17]
