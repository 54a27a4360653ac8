"""Pages fit the width of their text, and a name is underlined once on each page."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit

from desktop_app.engine.model import Page
from desktop_app.engine.text.page_ink import find_blank_top
from desktop_app.engine.text.pdf_pages import PagePicture
from desktop_app.ui.reader.pdf.layout import GAP, KEPT_WHITE, find_text_block, in_page
from desktop_app.ui.reader.pdf.text_fit import LARGEST_LETTER
from desktop_app.ui.reader.pdf.view import find_title
from desktop_app.ui.reader.screen import ReaderScreen
from desktop_app.ui.widgets.words import format_authors
from desktop_app.ui.window_file import open_window_file

from .conftest import make_pdf

LINES = tuple(f"Small line {n} of the ferry timetable" for n in range(8))


@pytest.fixture
def small_print(books, context, monkeypatch):
    """A page whose lines are in the left half, in letters of 7 points."""
    lines = (f"Small) Tj /F1 7 Tf ({LINES[0][5:]}", *LINES[1:])
    books.original = make_pdf([lines])
    books.text = " ".join(LINES)
    books.pages = [Page(0, "1", 0, len(books.text))]
    monkeypatch.setattr(context.library_reader, "fetch_outline", lambda document_id: [])
    context.library_reader.texts[5] = books.text
    return books


def test_a_document_opens_with_its_text_as_wide_as_fits(qtbot, opened, small_print):
    reader = opened(5)
    view = reader.pdf_view
    assert view.fits_text
    reader.resize(500, 400)
    qtbot.waitUntil(lambda: view.zoom > 1.0)
    assert not view.text_fit.fills  # letters would be too large
    share = round(100 * view.shown_zoom)
    assert reader.page_bar.percent.text() == f"Fit text · {share}%"
    assert "too few lines" in reader.page_bar.percent.toolTip()
    letters = view.worker.letters(0)
    assert not view.horizontalScrollBar().isVisible(), "only margins are out of sight"
    height = (letters.boxes[:, 3] - letters.boxes[:, 1]).mean() * view.page_rect(0).height()
    assert height < LARGEST_LETTER + 4
    reader.resize(1800, 700)
    assert view.shown_zoom <= 1.5001  # a wide window has no larger pages
    card, middle = view.card_rect(0), view.viewport().width() / 2
    assert abs(card.center().x() - middle) <= 2  # although the text is at the left of its page
    reader.resize(500, 400)
    zoom = view.zoom
    reader.resize(400, 400)
    assert view.zoom != zoom or view.zoom == 1.0  # it follows the window
    place = view.page_rect(0)
    box = letters.boxes
    first = in_page(place, tuple(float(side) for side in box[0]))
    assert view.viewport().rect().contains(first.center().toPoint())


def test_a_chosen_zoom_ends_the_fit_and_is_kept(qtbot, opened, small_print):
    reader = opened(5)
    view = reader.pdf_view
    qtbot.waitUntil(lambda: view.worker.letters(0) is not None)
    assert not open_window_file().contains("reader/zoom_pages")  # a fitted zoom is not a chosen one
    view.set_zoom(1.5)
    assert not view.fits_text
    assert float(open_window_file().value("reader/zoom_pages")) == 1.5
    reader.resize(500, 400)
    assert view.zoom == 1.5
    reader.head.fit_text.trigger()
    assert view.fits_text and reader.head.fit_text.isChecked()
    reader.head.fit_text.trigger()
    assert view.fits_text and reader.head.fit_text.isChecked()


def test_the_zoom_box_offers_to_fit(reader):
    texts = [action.text() for action in reader.page_bar.zoom_menu.actions()]
    for words in ("Fit text (margins hidden)", "Fit page", "100%"):
        assert words in texts
    trailing = [a for a in reader.page_bar.percent.findChildren(QAction) if a.toolTip()]
    assert trailing and isinstance(reader.page_bar.percent, QLineEdit)


def test_a_name_is_underlined_everywhere_or_once_on_a_page_and_then_under_the_pointer(
    qtbot, opened, books, context
):
    first = books.text.index("ferry")
    second = books.text.index("ferry", first + 1)
    places = [(at, at + 5, 77, "ferry", "object") for at in (first, second)]
    context.library_reader.mentions_in = lambda *_: places
    reader = opened(5)
    reader.head.names.click()
    view = reader.pdf_view
    qtbot.waitUntil(lambda: bool(view.worker.boxes((second, second + 5), 0)))
    assert [name[0] for name in view.marked_names(0)] == [first, second]
    reader.head.every_name.trigger()
    assert [name[0] for name in view.marked_names(0)] == [first]
    place = in_page(view.page_rect(0), view.worker.boxes((second, second + 5), 0)[0])
    qtbot.mouseMove(view.viewport(), place.center().toPoint())
    assert [name[0] for name in view.marked_names(0)] == [first, second]
    qtbot.mouseMove(view.viewport(), QPoint(2, 2))
    assert len(view.marked_names(0)) == 1


def test_the_title_of_a_document_is_found_over_two_lines():
    text = "LayoutParser : A Toolkit for Deep\n\nLearning\n\nZejiang Shen"
    start, end = find_title(text, "LayoutParser: A Toolkit for Deep Learning")
    assert text[start:end].endswith("Learning") and start == 0
    assert find_title(text, "") == find_title(text, "Another title") == (0, 0)


def test_several_authors_are_counted():
    assert format_authors("Ada Lovelace", "1843") == "Ada Lovelace · 1843"
    assert format_authors("Zejiang Shen; Ruochen Zhang; Melissa Dell", "2021") == (
        "Zejiang Shen and 2 others · 2021"
    )
    assert format_authors("", "") == ""


def test_the_toolbar_is_one_row_and_has_words_where_there_is_room(opened):
    reader = opened(5)
    head, bar = reader.head, reader.page_bar
    for width in (1440, 1230, 1000, 700, 480, 420):
        reader.resize(width, 500)
        head.row.activate()
        shown = [head.row.itemAt(n).widget() for n in range(head.row.count())]
        shown = [widget for widget in shown if widget is not None and not widget.isHidden()]
        edges = [(widget.geometry().left(), widget.geometry().right() + 1) for widget in shown]
        assert all(left >= last for (_, last), (left, _) in pairwise(edges)), width
        assert edges[-1][1] <= width
    reader.resize(1280, 500)
    head.row.activate()
    assert bar.percent.isVisible() and head.pen.isVisible() and head.area.isVisible()
    tools = {head.pen: "Highlight", head.underliner: "Underline", head.area: "Area"}
    assert all(tool.width() == tool.words_width(words) for tool, words in tools.items())
    assert head.note.text().strip() == "Note" and not head.search.text()
    reader.resize(1440, 500)
    head.row.activate()
    assert head.search.text().strip() == "Find" and head.names.text().strip() == "Names"
    reader.resize(1000, 500)
    head.row.activate()  # none has words where there is no room for all
    assert all(tool.width() < tool.words_width(words) for tool, words in tools.items())
    assert head.zoom.text() == "Aa" and head.names.toolTip() == "Underline names"
    reader.resize(700, 500)
    assert not head.search.text() and head.search.toolTip() == "Search in document (Ctrl+F)"


def test_the_toolbar_says_that_margins_are_hidden_and_shows_them(qtbot, opened, small_print):
    reader = opened(5)
    view, bar = reader.pdf_view, reader.page_bar
    reader.resize(1200, 500)
    fit, whole = reader.head.fit_text, reader.head.fit_width
    assert fit.isChecked() and "argins" in bar.percent.toolTip()
    whole.trigger()
    assert not view.fits_text and not fit.isChecked()
    assert "with their margins" in bar.percent.toolTip()
    fit.trigger()
    assert view.fits_text and fit.isChecked()
    fit.trigger()  # a second choice does not end it
    assert view.fits_text and fit.isChecked()


@pytest.fixture
def low_print(books, context, monkeypatch):
    """Three pages whose text begins a fifth below their top."""
    lines = [(f") Tj 0 -60 Td (Page {n} begins here", *LINES[:5]) for n in range(3)]
    books.original = make_pdf(lines)
    parts = [" ".join((f"Page {n} begins here", *LINES[:5])) for n in range(3)]
    books.text = "\n\n".join(parts)
    starts = [books.text.index(part) for part in parts]
    books.pages = [Page(n, str(n + 1), at, at + len(parts[n])) for n, at in enumerate(starts)]
    monkeypatch.setattr(context.library_reader, "fetch_outline", lambda document_id: [])
    context.library_reader.texts[5] = books.text
    return books


def _first_row(view, index: int) -> float:
    """Return where the first row of letters of a page is in the window."""
    box = view.worker.letters(index).boxes[0]
    return in_page(view.page_rect(index), tuple(float(side) for side in box)).top()


def test_a_page_is_shown_from_its_first_printed_row(qtbot, opened, low_print):
    reader = opened(5)
    view, bar = reader.pdf_view, reader.pdf_view.verticalScrollBar()
    qtbot.waitUntil(lambda: view.card_rect(0).top() > view.page_rect(0).top() + 60)
    qtbot.waitUntil(lambda: view.worker.letters(0) is not None)
    assert 16 < _first_row(view, 0) < 2 * KEPT_WHITE
    assert view.place() == (0, 0.0)  # nothing is read
    assert "read" not in reader.head.position.text()
    reader.position.go_to_page(1)
    qtbot.waitUntil(lambda: view.worker.letters(1) is not None)
    qtbot.waitUntil(lambda: 16 < _first_row(view, 1) < 2 * KEPT_WHITE)
    view.set_zoom(1.5)
    assert 16 < _first_row(view, 1) < 2 * KEPT_WHITE
    bar.setValue(bar.value() - 40)  # what the user scrolled to stays
    value = bar.value()
    view.worker.page_ready.emit(1)
    assert bar.value() == value and view.place() != (1, 0.0)
    view.fit_page()
    view.set_zoom(view.zoom * 0.9)  # the whole page has room: nothing of it is out of sight
    view.show_page(1)
    assert view.page_rect(1).top() >= 0


@pytest.mark.parametrize("dark", [False, True])
def test_the_first_printed_row_is_found_on_white_and_dark_pages(dark):
    def blank_top(*rows: tuple[int, int]) -> float:
        pixels = np.full((200, 100, 4), 20 if dark else 250, dtype=np.uint8)
        for top, ink in rows:
            pixels[top : top + 4, 20:80] = ink
        return find_blank_top(PagePicture(0, 1.0, 100, 200, 400, pixels.tobytes(), dark=dark))

    ink = 230 if dark else 0
    assert blank_top((30, ink), (60, ink)) == 0.15
    assert blank_top((30, 40 if dark else 230), (40, ink)) == 0.2  # the grain of a scan
    assert blank_top((0, ink), (60, ink)) == 0.0  # something is printed at the edge
    assert blank_top((120, ink)) == 0.0  # in the middle of the page on purpose
    assert blank_top() == 0.0


def open_with_front(opened, books, context, front: str, body: str) -> ReaderScreen:
    """Open a document whose first page has other text than the two pages after it."""
    books.text = f"{front} {body} {body}"
    starts = [0, len(front) + 1, len(front) + len(body) + 2, len(books.text)]
    books.pages = [Page(i, str(i + 1), a, b) for i, (a, b) in enumerate(pairwise(starts))]
    context.library_reader.texts[5] = books.text
    reader = opened(5)
    reader.resize(900, 500)
    return reader


def test_a_cover_is_shown_whole_while_the_pages_after_it_fit_their_text(
    qtbot, opened, small_print, books, context
):
    title = ("The Ferry", "by Ada Voss")
    lines = (f"Small) Tj /F1 7 Tf ({LINES[0][5:]}", *LINES[1:])
    books.original = make_pdf([title, lines, lines])
    front, body = " ".join(title), " ".join(LINES)
    reader = open_with_front(opened, books, context, front, body)
    view = reader.pdf_view
    qtbot.waitUntil(lambda: view.text_fit.has_cover)
    height = view.viewport().height()
    qtbot.waitUntil(lambda: view.page_rect(0).height() <= height)
    assert view.page_rect(0).bottom() < height - GAP / 2, "the foot of the page is seen"
    assert view.pages_in_sight() == [0]
    assert reader.page_bar.percent.text().startswith("Fit page · ")
    assert view.page_rect(1).height() > height, "the text of the others fits the width"
    reader.position.go_to_page(1)
    qtbot.waitUntil(lambda: reader.page_bar.percent.text().startswith("Fit text · "))
    reader.position.go_to_page(0)
    reader.head.fit_width.trigger()  # leaves the fit: the cover is as wide as the other pages
    assert not view.fits_text
    qtbot.waitUntil(lambda: view.page_rect(0).width() == view.page_rect(1).width())
    assert abs(view.page_rect(0).width() - view._room()) <= 2


@pytest.mark.parametrize("size", [14, 7])
def test_a_cover_with_several_long_lines_is_known_by_its_large_title(
    qtbot, opened, small_print, books, context, size
):
    """One whose lines are as small as the text is a first page like any other."""
    first = (
        "The ferries of the north coast",
        "and of the islands in winter",
        "with the lives of the crews",
    )
    title = (f"By) Tj /F1 {size} Tf (Ada Voss and Tom Penrose", *first)
    lines = (f"Small) Tj /F1 7 Tf ({LINES[0][5:]}", *LINES[1:])
    books.original = make_pdf([title, lines, lines])
    front, body = " ".join(("By Ada Voss and Tom Penrose", *first)), " ".join(LINES)
    reader = open_with_front(opened, books, context, front, body)
    view = reader.pdf_view
    qtbot.waitUntil(lambda: view.worker.letters(0) is not None)
    qtbot.waitUntil(lambda: not view.text_fit.wanted_pages)
    assert find_text_block(view.worker.letters(0)) is not None
    assert view.text_fit.has_cover == (size == 14)
    is_whole = view.page_rect(0).height() <= view.viewport().height()
    assert is_whole == (size == 14)
