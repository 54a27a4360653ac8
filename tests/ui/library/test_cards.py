"""The documents as cards: one model, selection and order with the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRectF, QSettings, Qt
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter, QPalette
from PySide6.QtWidgets import QApplication, QPushButton

from desktop_app.engine import paths
from desktop_app.engine.model import LibraryOverview
from desktop_app.engine.store.enrichment import DocumentEnrichment
from desktop_app.ui.library.cards import ABOVE, PADDING, READ_HEIGHT, paint_share
from desktop_app.ui.library.covers import RATIO, find_initial
from desktop_app.ui.library.places import read_documents
from desktop_app.ui.library.screen import LibraryScreen
from desktop_app.ui.library.table_model import (
    ADDED,
    AUTHOR,
    ENRICHED,
    ENRICHED_ROLE,
    NAMES,
    READ_ROLE,
    STATE,
    TITLE,
    YEAR,
)
from desktop_app.ui.library.toolbar import SORT, VIEW
from desktop_app.ui.library.words import (
    describe_content,
    describe_read,
    format_share_read,
    is_busy,
    is_settled,
)
from desktop_app.ui.widgets.words import format_size
from tests.ui.fakes import FakeContext


def forget_choice() -> None:
    settings = QSettings(str(paths.data_dir() / "window.ini"), QSettings.Format.IniFormat)
    settings.remove(VIEW)
    settings.remove(SORT)
    settings.sync()


@pytest.fixture(autouse=True)
def no_choice() -> Iterator[None]:
    forget_choice()
    yield
    forget_choice()


def open_screen(context: FakeContext, qtbot) -> LibraryScreen:
    screen = LibraryScreen(context)
    screen.resize(1220, 760)
    qtbot.addWidget(screen)
    screen.show()
    qtbot.waitUntil(lambda: not screen.is_loading and screen.stack.currentWidget() is screen.list)
    screen.activateWindow()
    return screen


@pytest.fixture
def screen(context: FakeContext, qtbot) -> LibraryScreen:
    made = open_screen(context, qtbot)
    made.views.cards_button.click()
    return made


def card_at(screen: LibraryScreen, place: int) -> QPoint:
    index = screen.model.index(place, TITLE)
    return screen.list.cards.visualRect(index).center()


def test_the_view_button_switches_between_cards_and_table(screen):
    cards = screen.list.cards
    assert screen.list.shows_cards and cards.isVisible()
    assert card_at(screen, 0).y() == card_at(screen, 1).y() < card_at(screen, 8).y()
    assert card_at(screen, 0).x() < card_at(screen, 1).x()
    cards.grab()
    assert screen.views.cards_button.isChecked() and not screen.views.table_button.isChecked()
    screen.views.table_button.click()
    assert not screen.list.shows_cards and screen.list.table.isVisible()
    assert screen.views.table_button.isChecked() and not screen.views.cards_button.isChecked()


def test_view_and_sorting_are_stored(screen, context, qtbot):
    screen.views.build_menu().actions()[NAMES].trigger()
    again = open_screen(context, qtbot)
    assert again.list.shows_cards and again.views.sort_button.isVisible()
    names = [again.model.index(i, NAMES).data() for i in range(again.model.rowCount())]
    assert names[0] == "812"


def test_cards_and_table_share_the_selection(screen, qtbot):
    place = screen.model.place_of(4)
    screen.list.cards.scrollTo(screen.model.index(place, TITLE))
    qtbot.mouseClick(
        screen.list.cards.viewport(), Qt.MouseButton.LeftButton, pos=card_at(screen, place)
    )
    assert screen.list.current_row().id == 4
    assert "A Christmas Carol" in screen.list.inspector.title.text()
    screen.views.table_button.click()
    rows = screen.list.table.selectionModel().selectedRows()
    assert [screen.model.row_at(index).id for index in rows] == [4]
    screen.views.cards_button.click()
    qtbot.mouseClick(
        screen.list.cards.viewport(), Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.ControlModifier, card_at(screen, screen.model.place_of(3)),
    )  # fmt: skip
    assert {row.id for row in screen.list.selected_rows()} == {3, 4}


def test_filter_and_sorting_apply_to_cards(screen, qtbot):
    screen.filter.setText("carol")
    qtbot.waitUntil(lambda: screen.list.cards.model().rowCount() == 2)
    screen.filter.clear()
    qtbot.waitUntil(lambda: screen.model.rowCount() == 9)
    actions = {a.text(): a for a in screen.views.build_menu().actions()}
    assert actions["Added"].isChecked() and actions["Reverse order"].isChecked()
    actions["Title"].trigger()
    first = screen.model.index(0, TITLE).data()
    screen.views.build_menu().actions()[TITLE].trigger()
    assert screen.model.index(8, TITLE).data() == first


def test_keys_open_and_delete_cards(screen, qtbot, context):
    screen.list.select(1)
    screen.list.cards.setFocus()
    with qtbot.waitSignal(screen.open_document) as opened:
        qtbot.keyClick(screen.list.cards, Qt.Key.Key_Return)
    assert opened.args == [1]
    qtbot.keyClick(screen.list.cards, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: ("trash", [1]) in context.documents.calls)


def test_cards_are_dragged_like_rows(screen):
    screen.list.select(1, 2)
    cards = screen.list.cards
    data = screen.model.mimeData(cards.selectionModel().selectedIndexes())
    assert sorted(read_documents(data)) == [1, 2] and cards.dragEnabled()


def test_the_selection_of_many_survives_new_documents(qapp, qtbot):
    context = FakeContext(n_documents=10_000)
    screen = open_screen(context, qtbot)
    screen.views.cards_button.click()
    screen.list.table.selectAll()
    screen.model.set_filter("水浒传")
    screen.model.set_filter("")
    assert len(screen.list.selected_rows()) == 5_000
    context.close()


def test_ten_thousand_cards_are_painted_at_every_scroll_position(qapp, qtbot):
    context = FakeContext(n_documents=10_000)
    screen = open_screen(context, qtbot)
    screen.views.cards_button.click()
    cards, bar = screen.list.cards, screen.list.cards.verticalScrollBar()
    assert bar.maximum() > 100_000
    seen = set()
    for step in range(60):
        bar.setValue(bar.maximum() * step // 60)
        cards.viewport().repaint()
        seen.add(cards.indexAt(cards.viewport().rect().center()).row())
    assert len(seen - {-1}) > 50
    context.close()


def test_nothing_moves_when_the_view_changes(screen, qtbot):
    views, search = screen.toolbar.views, screen.toolbar.filter
    places = [w.mapTo(screen, QPoint(0, 0)) for w in (views.cards_button, search)]
    for button in (views.table_button, views.cards_button):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        QApplication.processEvents()
        assert [w.mapTo(screen, QPoint(0, 0)) for w in (views.cards_button, search)] == places


def test_columns_without_any_value_are_hidden(screen):
    table, model = screen.list.table, screen.list.model
    screen.resize(1600, 800)
    assert not table.isColumnHidden(AUTHOR)
    rows = [replace(row, author="", year="") for row in model._all]
    model.set_rows(rows[:3])
    assert table.isColumnHidden(AUTHOR) and table.isColumnHidden(YEAR)
    model.set_rows([replace(rows[0], author="Ada Voss"), *rows[1:3]])
    assert not table.isColumnHidden(AUTHOR) and table.isColumnHidden(YEAR)


def test_a_selected_row_has_a_bar_in_the_accent_colour(screen):
    table = screen.list.table
    screen.views.table_button.click()
    table.clearSelection()
    edge = table.visualRect(screen.model.index(1, TITLE)).topLeft() + QPoint(1, 12)
    accent = QApplication.palette().color(QPalette.ColorRole.Accent)
    assert table.viewport().grab().toImage().pixelColor(edge) != accent
    screen.list.select(screen.model.shown_row(1).id)
    assert table.viewport().grab().toImage().pixelColor(edge) == accent


def test_of_the_selected_cards_the_one_that_keys_act_on_has_a_thicker_edge(screen, qtbot, context):
    cards, accent = screen.list.cards, context.theme.color("accent")
    screen.list.select(*(screen.model.shown_row(place).id for place in (0, 1)))
    cards.setFocus()
    qtbot.waitUntil(cards.hasFocus)

    def edges() -> list[int]:
        image = cards.viewport().grab().toImage()
        found = []
        for place in range(3):
            at = cards.visualRect(screen.model.index(place, TITLE)).topLeft() + QPoint(0, 60)
            found.append(sum(image.pixelColor(at.x() + x, at.y()) == accent for x in range(4)))
        return found

    assert edges() == [2, 1, 0]
    screen.filter.setFocus()
    qtbot.waitUntil(lambda: not cards.hasFocus())
    assert edges() == [1, 1, 0]


def test_authors_take_no_more_room_than_they_need(screen):
    table, model = screen.list.table, screen.list.model
    screen.views.table_button.click()
    rows = [replace(row, author="Ada Li") for row in model._all]
    model.set_rows(rows)
    narrow = table.columnWidth(AUTHOR)
    model.set_rows([replace(rows[0], author="Ada Featherstonehaugh"), *rows[1:]])
    assert narrow < table.columnWidth(AUTHOR) <= 144


def test_the_enrichment_has_no_column_before_it_is_begun(screen, qtbot):
    table, model = screen.list.table, screen.list.model
    screen.resize(1700, 800)
    qtbot.waitUntil(lambda: not table.isColumnHidden(ENRICHED))
    model.set_enrichment({})
    assert table.isColumnHidden(ENRICHED)


def test_all_covers_have_one_size_and_captions_begin_at_their_edge(screen):
    cards, delegate = screen.list.cards, screen.list.cards.itemDelegate()
    for width in (1220, 1000, 700):
        screen.resize(width, 760)
        QApplication.processEvents()
        cells = [cards.visualRect(screen.model.index(i, TITLE)) for i in range(9)]
        covers = [delegate._find_cover(cell) for cell in cells]
        assert len({cover.width() for cover in covers}) == 1
        assert all(cell.contains(cover) for cell, cover in zip(cells, covers, strict=True))
        assert abs(covers[0].width() / covers[0].height() - RATIO) < 0.01
        card = delegate.card_height(covers[0].width())
        assert ABOVE + card <= cells[0].height()


def test_a_title_without_room_is_cut_at_its_end_as_in_the_list(screen):
    delegate, row = screen.list.cards.itemDelegate(), screen.model._all[0]

    def lines(title: str) -> list[str]:
        return delegate._break_title(replace(row, title=title), 150)

    assert lines("Emma: A Novel") == ["Emma: A Novel"]
    parser = "LayoutParser: A Unified Toolkit for Images"
    assert 1 < len(lines(parser)) <= 3 and " ".join(lines(parser)) == parser
    assert (
        "".join(lines("水浒传（第一回至第二十回，附序言）")) == "水浒传（第一回至第二十回，附序言）"
    )
    assert len(lines("A" * 400)) == 3
    longer = lines("LayoutParser: A Unified Toolkit for Document Image Analysis by Deep Networks")
    assert len(longer) == 3 and longer[2].endswith("…")


def test_a_document_without_author_and_year_has_nothing_in_the_line_of_authors(screen):
    delegate = screen.list.cards.itemDelegate()
    row = replace(screen.model._all[0], author="", year="", language="en", n_pages=12)
    assert delegate._fit_origin(row, 150) == ""


def test_every_caption_has_the_format_and_the_number_of_names(screen):
    row = replace(screen.model._all[0], format="pdf", n_entities=19)
    assert describe_content(row) == "PDF · 19 names"
    assert describe_content(replace(row, format="md", n_entities=0)) == "Markdown · 0 names"
    assert describe_content(replace(row, format="", n_entities=1)) == "1 name"


@pytest.mark.parametrize(
    ("share", "short", "words"),
    [
        (None, "", ""),
        (0.004, "1%", "1% read"),
        (0.12, "12%", "12% read"),
        (1.0, "100%", "Finished"),
    ],
)
def test_what_is_read_stands_beside_the_names_and_replaces_nothing(screen, share, short, words):
    model, cards = screen.model, screen.list.cards
    assert format_share_read(share) == short and describe_read(share) == words
    place = next(i for i in range(9) if is_settled(model.shown_row(i)))
    document_id, cell = model.shown_row(place).id, model.index(place, TITLE)
    painted = []
    cards._cards._paint_line = lambda painter, area, top, text: painted.append((area.width(), text))
    model.set_read_shares({document_id: share} if share else {})
    cards.grab()
    content = describe_content(model.shown_row(place))
    assert content in [text for _, text in painted]
    assert words in cell.data(Qt.ItemDataRole.AccessibleDescriptionRole)
    width = cards._cards.cover_width(cards.gridSize().width())
    room = next(room for room, text in painted if text == content)
    assert (room < width) == bool(share)


def test_the_bar_of_what_is_read_is_as_long_as_its_share(screen):
    delegate, theme = screen.list.cards.itemDelegate(), screen.list._theme
    image = QImage(60, 20, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    delegate._paint_read(painter, QRectF(10, 9, 40, READ_HEIGHT), 0.5, chosen=False)
    painter.end()
    read, rest = image.pixelColor(20, 10), image.pixelColor(40, 10)
    assert read == theme.color("accent")
    assert rest not in (read, QColor("white"))
    assert image.pixelColor(5, 10) == image.pixelColor(55, 10) == QColor("white")


def test_a_card_shows_what_is_read_and_enriched(screen, context, qtbot):
    model = screen.model
    place = next(i for i in range(9) if is_settled(model.shown_row(i)))
    cell = model.index(place, TITLE)
    assert not cell.data(READ_ROLE) and "read" not in cell.data(Qt.ItemDataRole.ToolTipRole)
    before = screen.list.cards.grab().toImage()
    document_id = model.shown_row(place).id
    context.annotations.shares = {document_id: 0.34}  # stored by the reader meanwhile
    screen.hide()
    screen.show()
    qtbot.waitUntil(lambda: cell.data(READ_ROLE) == 0.34)
    assert "34% read" in cell.data(Qt.ItemDataRole.ToolTipRole)
    assert screen.list.cards.grab().toImage() != before
    found = DocumentEnrichment(document_id, n_chunks=4)
    model.set_enrichment({document_id: found})
    assert not cell.data(ENRICHED_ROLE)
    model.set_enrichment({document_id: replace(found, n_enriched=3)})
    assert cell.data(ENRICHED_ROLE)
    assert "Enriched: 3 of 4 passages" in cell.data(Qt.ItemDataRole.ToolTipRole)


def test_the_sort_button_names_the_order_and_keeps_its_width(screen, qtbot):
    button, table = screen.views.sort_button, screen.list.table
    assert button.text() == "Recently added"
    width = button.width()
    table.sortByColumn(ADDED, Qt.SortOrder.AscendingOrder)
    assert button.text() == "First added"
    table.sortByColumn(YEAR, Qt.SortOrder.AscendingOrder)
    assert button.text() == "Year" and button.width() == width
    screen.resize(800, 760)
    qtbot.waitUntil(lambda: button.text() == "")
    assert button.toolTip() == "Sorted by: Year" and button.width() < width


def test_the_caret_of_a_menu_stays_beside_its_word(screen):
    for button in (screen.views.sort_button, screen.values_button):
        button.setText("Year")
        button.setFixedWidth(button.sizeHint().width())
        beside = button.caret_place()
        assert beside.right() < button.width()
        button.setFixedWidth(3 * button.width())
        assert button.caret_place() == beside


def test_the_main_button_of_the_toolbar_and_of_the_panel_are_filled(screen):
    """“Open” was pale here and filled in the graph."""
    screen.list.select(1)
    filled = [
        button
        for button in screen.findChildren(QPushButton)
        if button.isVisible() and button.property("kind") == "primary"
    ]
    assert set(filled) == {screen.add_button, screen.list.inspector.open_button}


def test_the_details_panel_leads_to_names_and_details(screen, qtbot):
    place = next(i for i in range(9) if screen.model.shown_row(i).n_entities)
    row = screen.model.shown_row(place)
    screen.list.select(row.id)
    panel = screen.list.inspector
    assert panel.open_button.width() > 240
    with qtbot.waitSignal(screen.names_wanted) as asked:
        panel.names_button.click()
    assert asked.args == [row.id]
    panel.details_button.click()
    assert screen.collections.details.sheet.title_field.text() == row.title
    screen.collections.details.sheet.reject()
    screen.list.select(1, 2)
    assert panel.names_button.isHidden() and panel.details_button.isHidden()


def test_there_is_room_above_the_first_row_of_covers(screen):
    cell = screen.list.cards.visualRect(screen.model.index(0, TITLE))
    assert cell.top() == 0 and ABOVE + PADDING == 16


def test_titles_get_the_room_of_the_state_while_every_document_is_ready(screen):
    table, model = screen.list.table, screen.list.model
    screen.resize(1600, 800)
    screen.views.table_button.click()
    QApplication.processEvents()
    ready = [row for row in model._all if is_settled(row)]
    assert 0 < len(ready) < len(model._all)
    title = table.columnWidth(TITLE)
    model.set_rows(ready)
    assert table.isColumnHidden(STATE) and table.columnWidth(TITLE) > title
    model.set_rows([replace(ready[0], state="failed"), *ready[1:]])
    assert not table.isColumnHidden(STATE) and table.columnWidth(TITLE) == title


@pytest.mark.parametrize(
    ("author", "room", "shown"),
    [
        ("Ada Voss", 400, "Ada Voss · 1911"),
        ("Alexandrina Featherstonehaugh (Smith) Voss", 90, "Voss · 1911"),
        ("Alexandrina Featherstonehaugh", 90, " · 1911"),
    ],
)
def test_the_year_stays_on_a_card_where_the_authors_give_way(screen, author, room, shown):
    delegate = screen.list.cards.itemDelegate()
    row = replace(screen.list.model._all[0], author=author, year="1911")
    words = delegate._fit_origin(row, room)
    assert words.endswith(shown)
    assert QFontMetrics(screen.list._theme.font("small")).horizontalAdvance(words) <= room


def test_the_line_below_says_how_much_is_listed_and_that_files_can_be_dropped(screen):
    rows = list(screen.list.model._all)
    screen.resize(1400, 900)
    listed = screen.list
    size = format_size(sum(row.size_bytes for row in rows))
    assert listed.summary.text() == f"9 documents · {size}"
    overview = LibraryOverview("/x/Quay.inkgraph", "Quay", 4096, 9, 1830, 77, 5000, 1, 1, 0, 0)
    listed.set_overview(overview)
    assert listed.summary.text() == f"9 documents · 1,830 names · {size}"
    panel = listed.inspector
    assert panel.title.text() == "Quay" and panel.facts.isVisible()
    shown = {name.text(): value.text() for name, value in panel.facts.rows}
    assert (shown["Documents"], shown["Names"], shown["Connections"]) == ("9", "1,830", "77")
    assert shown["Last added"].startswith(max(rows, key=lambda row: row.added_at).title)
    n_waiting = sum(map(is_busy, rows))
    assert n_waiting and shown["Waiting"] == str(n_waiting)
    listed.select(rows[0].id)
    assert panel.title.text() != "Quay"
    listed.table.clearSelection()
    assert panel.title.text() == "Quay"
    assert listed.hint.isHidden()  # who has more documents knows
    listed.model.set_filter(rows[0].title)
    assert listed.summary.text().startswith("1 of 9 documents · ")  # names are not counted again
    listed.model.set_filter("")
    listed.model.set_rows(rows[:2])
    assert listed.hint.isVisible() and listed.summary.text().startswith("2 documents")
    screen.resize(480, 600)
    QApplication.processEvents()
    assert listed.summary.isVisible() and not listed.hint.isVisible()


@pytest.mark.parametrize(
    ("title", "initial"),
    [("The Weigh-House", "W"), ("Les Misérables", "M"), ("The", "T"), ("白芦渡", "白"),
     ("_A Note_", "N"), ("“Emma”", "E"), ("…", ""), ("An", "A")],
)  # fmt: skip
def test_initials_of_titles(title, initial):
    assert find_initial(title) == initial


@pytest.mark.parametrize("width", [1000, 1165, 1220, 1440, 1700])
def test_the_last_cover_of_a_row_is_as_far_from_the_edge_as_from_its_neighbour(
    screen, qtbot, width
):
    screen.resize(width, 760)
    QApplication.processEvents()
    cards = screen.list.cards
    delegate = cards.itemDelegate()
    cells = [cards.visualRect(screen.model.index(i, TITLE)) for i in range(9)]
    covers = [delegate._find_cover(cell) for cell in cells if cell.top() == cells[0].top()]
    gap = covers[1].left() - covers[0].right() - 1
    left = covers[0].left() + cards.mapTo(screen.list, QPoint()).x()
    right = screen.list.views.width() - cards.x() - covers[-1].right() - 1
    assert left == 16 and 16 <= gap <= 40 and abs(right - gap) <= 16


def test_a_track_has_an_outline_where_an_edge_is_wanted(qapp) -> None:
    def paint(edge: QColor | None) -> QImage:
        image = QImage(60, 12, QImage.Format.Format_RGB32)
        image.fill(QColor("white"))
        with QPainter(image) as painter:
            bar = QRectF(5, 5, 50, 3)
            paint_share(painter, bar, 0.2, QColor("black"), QColor("white"), edge)
        return image

    assert paint(None).pixelColor(40, 4) == QColor("white")
    shown = paint(QColor("black"))
    assert shown.pixelColor(40, 4) == shown.pixelColor(40, 8) == QColor("black")
    assert shown.pixelColor(40, 6) == QColor("white")  # what is not read yet


def test_numbers_that_changed_behind_another_screen_are_shown_with_the_list(screen):
    overview = LibraryOverview("/x/Quay.inkgraph", "Quay", 4096, 9, 1830, 77, 5000, 1, 1, 0, 0)
    screen.list.set_overview(overview)
    screen.hide()
    screen.list.set_overview(replace(overview, name="Mole"))
    assert screen.list.inspector.title.text() == "Quay"  # an edit does not wait for it
    screen.show()
    assert screen.list.inspector.title.text() == "Mole"


def test_the_title_on_a_drawn_cover_is_not_repeated_below_it(screen):
    delegate, cards = screen.list.cards.itemDelegate(), screen.list.cards
    lines, painted = [], delegate._paint_title
    delegate._paint_title = lambda painter, area, shown: (
        lines.append(shown) or painted(painter, area, shown)
    )
    long = "LayoutParser: A Unified Toolkit for Document Image Analysis by Deep Networks"
    rows = [
        replace(screen.model._all[0], id=n, title=title, format="txt")
        for n, title in enumerate(("The Ferry", long), 1)
    ]
    screen.model.set_rows(rows)
    cards.viewport().repaint()
    shown = {" ".join(one)[:12] for one in lines}
    assert shown == {"", "LayoutParser"}
