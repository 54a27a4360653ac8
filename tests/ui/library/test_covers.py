"""Covers in the cards, the list and the details: pictures of files, and drawn ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter

from desktop_app.app import App
from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.model import DocumentRow
from desktop_app.engine.scheduler import Priority
from desktop_app.engine.services.covers import Cover
from desktop_app.engine.services.library import Library
from desktop_app.ui.library.covers import (
    BANDED,
    FRAMED,
    MAX_KEPT,
    TITLE_LINES,
    CoverBox,
    Covers,
    break_lines,
    pick_composition,
)
from desktop_app.ui.theme.design_tokens import CLOTH_INK
from desktop_app.ui.theme.fonts import find_families
from desktop_app.ui.theme.theme import Theme
from tests.cover_files import GREEN, add_as_read, make_covered_book, make_png

ROW = DocumentRow(3, "The Ferry", "ferry.pdf", "pdf", "en", "ready", author="Ada Voss")
BLUE = Cover(60, 80, bytes((20, 40, 200)) * (60 * 80))


@pytest.fixture
def theme(qapp) -> Theme:
    return Theme("light")


@pytest.fixture
def covers(theme) -> Iterator[Covers]:
    made = Covers(theme)
    yield made
    made.deleteLater()


def paint(covers: Covers, row: DocumentRow, width: int = 90, height: int = 120) -> QImage:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor("magenta"))
    painter = QPainter(image)
    covers.paint(painter, QRect(0, 0, width, height), row)
    painter.end()
    return image


def colors(image: QImage) -> set[str]:
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(plain.constBits(), np.uint32)
    return {QColor(int(pixel)).name() for pixel in np.unique(pixels)}


def test_an_empty_page_stands_for_a_picture_until_it_is_there_and_no_drawn_cover(covers, qtbot):
    with qtbot.waitSignal(covers.wanted) as asked:
        empty = paint(covers, ROW)
        paint(covers, ROW)
    assert asked.args == [[3]]
    surface = covers._theme.color("surface").name()
    assert empty.pixelColor(12, 12).name() == surface
    with qtbot.waitSignal(covers.changed):
        covers.take([3], {})  # the file was not looked into yet
    with qtbot.assertNotEmitted(covers.wanted, wait=80):
        assert paint(covers, ROW) == empty
    covers.forget([3])  # its cover was made
    with qtbot.waitSignal(covers.wanted):
        assert paint(covers, ROW) == empty
    covers.take([3], {3: BLUE})
    assert paint(covers, ROW).pixelColor(45, 60).name() == "#1428c8"


def test_a_document_without_a_picture_is_drawn_and_is_not_asked_for_again(covers, qtbot):
    with qtbot.waitSignal(covers.wanted):
        paint(covers, ROW)
    covers.take([3], {3: None})
    with qtbot.assertNotEmitted(covers.wanted, wait=80):
        drawn = paint(covers, ROW)
        paint(covers, replace(ROW, id=4, format="txt"))  # has none in any case
    assert drawn.pixelColor(12, 12) != covers._theme.color("surface")
    covers.forget([3])
    with qtbot.waitSignal(covers.wanted):
        paint(covers, ROW)


def test_a_cover_made_while_the_library_was_asked_for_it_is_shown(covers, qtbot):
    with qtbot.waitSignal(covers.wanted):
        paint(covers, ROW)
    covers.forget([3])  # it was stored after the library was read
    covers.take([3], {})  # as it was read
    with qtbot.waitSignal(covers.wanted) as asked:
        paint(covers, ROW)
    covers.take(asked.args[0], {3: BLUE})
    assert covers.find(ROW) is not None


def test_a_cover_that_could_not_be_read_is_asked_for_again(covers, qtbot):
    with qtbot.waitSignal(covers.wanted):
        paint(covers, ROW)
    covers.give_up([3])
    with qtbot.waitSignal(covers.wanted):
        paint(covers, ROW)


def test_only_so_many_pictures_are_kept(covers, qtbot):
    for start in (1, 11):
        ids = range(start, start + MAX_KEPT)
        with qtbot.waitSignal(covers.wanted):
            for i in ids:
                covers.find(replace(ROW, id=i))
        covers.take(ids, dict.fromkeys(ids, BLUE))
    assert covers.find(replace(ROW, id=1)) is None
    assert covers.find(replace(ROW, id=MAX_KEPT + 10)) is not None


@pytest.mark.parametrize(
    ("mode", "contrast"),
    [
        ("light", "off"),
        ("dark", "on"),
        pytest.param("light", "on", marks=pytest.mark.slow),
        pytest.param("dark", "off", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("title", ["The Ferry", "红楼梦", "", "A" * 400, "🂡🂢 ...", "word " * 90])
@pytest.mark.parametrize(
    "width", [18, 90, *(pytest.param(width, marks=pytest.mark.slow) for width in (60, 150))]
)
def test_every_title_is_drawn_within_the_cover(qapp, mode, contrast, title, width):
    covers = Covers(Theme(mode, contrast=contrast))
    image = paint(covers, replace(ROW, format="txt", title=title), width, round(width / 0.75))
    shown = colors(image)
    assert "#ff00ff" not in {image.pixelColor(width // 2, y).name() for y in range(4, width)}
    assert len(shown) > 3


def test_large_drawn_covers_of_one_initial_differ_and_small_ones_have_the_letter(covers):
    one, other = (
        replace(ROW, format="txt", title=t) for t in ("Persuasion", "Pride and Prejudice")
    )
    assert paint(covers, one, 150, 200) != paint(covers, other, 150, 200)
    assert paint(covers, one, 60, 80) == paint(covers, other, 60, 80)


def draw_page() -> Cover:
    """Return a first page with lines of letters below each other."""
    image = QImage(270, 360, QImage.Format.Format_RGB888)
    image.fill(QColor("white"))
    painter = QPainter(image)
    for top in range(12, 348, 6):
        for left in range(12, 258, 6):
            painter.fillRect(left, top, 3, 4, QColor("black"))
    painter.end()
    rows = [bytes(image.constScanLine(y))[: 3 * 270] for y in range(360)]
    return Cover(270, 360, b"".join(rows))


def load(covers: Covers, row: DocumentRow, cover: Cover, qtbot) -> None:
    with qtbot.waitSignal(covers.wanted):
        paint(covers, row)
    covers.take([row.id], {row.id: cover})


@pytest.mark.parametrize("cover", [BLUE, draw_page])
def test_a_first_page_is_shown_as_it_is_without_a_drawn_title(covers, qtbot, cover):
    load(covers, ROW, cover if isinstance(cover, Cover) else cover(), qtbot)
    page = paint(covers, ROW, 160, 213)
    assert paint(covers, replace(ROW, title="The Harbour"), 160, 213) == page


def test_the_details_panel_shows_the_drawn_cover_of_the_cards_scaled(theme, covers, qtbot):
    row = replace(ROW, format="txt", title="A Christmas Carol: A Ghost Story of Christmas")
    box = CoverBox(theme, covers)
    qtbot.addWidget(box)
    box.show_row(row)
    shown = box.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    how = Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    card = paint(covers, row, 160, 213).scaled(shown.size(), *how)
    letter = paint(covers, row, 60, 80).scaled(shown.size(), *how)

    def differ(one: QImage, other: QImage) -> int:
        return sum(
            abs(one.pixelColor(x, y).lightness() - other.pixelColor(x, y).lightness())
            for x in range(12, shown.width() - 4)
            for y in range(4, shown.height() - 4)
        )

    assert 3 * differ(shown, card) < differ(shown, letter)


@pytest.mark.parametrize(
    ("title", "parts"),
    [
        ("Pride and Prejudice", [["Pride and", "Prejudice"]]),
        ("A Christmas Carol: A Ghost Story", [["A Christmas", "Carol"], ["A Ghost Story"]]),
        ("水浒传（节选）", [["水浒传"], ["（节选）"]]),
    ],
)
def test_a_drawn_cover_has_title_and_subtitle_in_at_most_four_lines(covers, title, parts):
    assert [lines for _, lines in covers._set_title(title, 140, 112)] == parts
    for long in (f"{title} {title} {title}", "A" * 400, "word " * 90, "红楼梦" * 30):
        made = covers._set_title(long, 140, 112)
        assert 0 < sum(len(lines) for _, lines in made) <= TITLE_LINES


@pytest.mark.parametrize(("width", "height"), [(60, 80), (50, 100), (110, 80)])
def test_pictures_of_all_shapes_fill_one_frame_and_are_not_cut(covers, qtbot, width, height):
    with qtbot.waitSignal(covers.wanted):
        paint(covers, ROW)
    row = bytes((200, 30, 30)) + bytes((20, 40, 200)) * (width - 2) + bytes((30, 160, 30))
    covers.take([3], {3: Cover(width, height, row * height)})
    picture = covers.find(ROW)
    assert abs(picture.width() / picture.height() - 0.75) < 0.02
    line = [picture.pixelColor(x, picture.height() // 2).name() for x in range(picture.width())]
    assert line[0] == "#c81e1e" and line[-1] == "#1ea01e"  # each edge goes on to the frame
    assert line.count("#1428c8") == width - 2
    paint(covers, ROW)


def test_a_drawn_cover_follows_from_the_document_alone(covers):
    text = replace(ROW, format="txt")
    shown = paint(covers, text, 150, 200)
    for other in (
        replace(text, id=4),
        replace(text, id=5, file_name="other.txt", added_at=9.0, n_chars=7, language="zh"),
    ):
        assert paint(covers, other, 150, 200) == shown
    assert paint(Covers(Theme("light")), text, 150, 200) == shown


def test_titles_have_all_compositions_and_the_same_ones_on_every_computer():
    titles = ["The Moonstone", "Persuasion", "Emma", "水浒传", "西游记"]
    assert [pick_composition(title) for title in titles] == [0, BANDED, FRAMED, 0, BANDED]


def test_a_short_chinese_title_stands_on_a_slip_of_paper(covers):
    book = replace(ROW, format="txt", title="水浒传")
    slip, banded = (paint(covers, replace(book, title=t), 150, 200) for t in ("水浒传", "西游记"))
    assert CLOTH_INK.lower() in {slip.pixelColor(x, 22).name() for x in range(10, 50)}
    assert CLOTH_INK.lower() not in {banded.pixelColor(x, 22).name() for x in range(10, 50)}
    for long in ("红楼梦脂砚斋重评石头记", "三体Ⅱ（黑暗森林）"):
        paint(covers, replace(book, title=long), 150, 200)


@pytest.mark.parametrize(
    ("title", "lines"),
    [
        ("The Weigh-House at Quenby", ["The", "Weigh-House", "at Quenby"]),
        (
            "Twenty Thousand Leagues Under the Seas",
            ["Twenty", "Thousand", "Leagues Under", "the Seas"],
        ),
        ("红楼梦脂砚斋重评石头记", ["红楼梦脂砚斋", "重评石头记"]),
    ],
)
def test_the_lines_of_a_title_are_about_as_long_and_no_word_is_cut_at_its_hyphen(
    covers, title, lines
):
    assert covers._set_title(title, 160, 126)[0][1] == lines


def test_a_title_without_an_author_stands_lower_on_its_cover(covers):
    for title in ("The Moonstone", "Persuasion", "Emma"):  # of all compositions
        book = replace(ROW, format="txt", title=title)
        with_author, alone = (
            first_row_of_letters(paint(covers, one, 160, 213))
            for one in (book, replace(book, author=""))
        )
        assert alone > with_author + 8, title


def first_row_of_letters(image: QImage) -> int:
    """Return the first line of pixels with the ink of titles, in the middle of a cover."""
    return next(
        y
        for y in range(12, image.height())
        if any(image.pixelColor(x, y).lightness() > 200 for x in range(30, image.width() - 14))
    )


def test_works_of_one_author_have_one_colour(covers):
    text = replace(ROW, format="txt")
    ground = [
        paint(covers, row).pixelColor(83, 110).name()
        for row in (text, replace(text, title="Another"), replace(text, author="Cy Poe"))
    ]
    assert ground[0] == ground[1] != ground[2]


def test_documents_of_an_older_library_get_covers_and_references_in_the_background(
    app: App, qtbot, tmp_path: Path
):
    path = tmp_path / "library.inkgraph"
    library = Library(path)
    book = add_as_read(
        library, tmp_path, "x.epub", make_covered_book(make_png(300, 400, GREEN)), rules=0
    )
    library.close()
    workspace = app.open_library(path)
    window = workspace.window
    window.show()
    screen, messages = window.screens.library, workspace.context.messages
    with qtbot.waitSignal(workspace.context.hub.covers_changed, timeout=60_000):
        pass
    qtbot.waitUntil(lambda: messages.last is not None, timeout=10_000)
    assert messages.last.action_text == "Show" and "1 document" in messages.last.text
    qtbot.waitUntil(
        lambda: screen.model.rowCount() == 1 and screen.model.shown_row(0).title == "The Ferry",
        timeout=10_000,
    )
    messages.last.action()
    row = screen.list.current_row()
    assert (row.id, row.author) == (book, "Ada Voss") and "x" in str(row.notes[-1])

    def is_shown() -> bool:
        picture = screen.list.covers.find(row)
        return picture is not None and picture.pixelColor(90, 120) == QColor(*GREEN)

    qtbot.waitUntil(is_shown, timeout=10_000)
    screen.list.show_cards(True)
    assert QColor(*GREEN).name() in colors(screen.list.cards.grab().toImage())
    assert screen.list.inspector.cover.isVisible()


def test_a_document_added_while_others_are_indexed_gets_its_cover(app: App, qtbot, tmp_path: Path):
    workspace = app.open_library(tmp_path / "library.inkgraph")
    session, screen = workspace.session, workspace.window.screens.library
    workspace.window.show()
    screen.list.show_cards(True)
    cover = make_covered_book(make_png(300, 400, GREEN))
    with session.scheduler.hold(Priority.IMPORT):  # as indexing of the others does
        book = add_as_read(session.library, tmp_path, "x.epub", cover)
        workspace.context.hub.publish_edit(ChangeNotice(documents=frozenset({book})))
        with qtbot.waitSignal(workspace.context.hub.covers_changed, timeout=60_000):
            pass

    def is_shown() -> bool:
        return QColor(*GREEN).name() in colors(screen.list.cards.grab().toImage())

    qtbot.waitUntil(is_shown)


def test_dots_behind_an_english_title_are_on_its_line_in_a_chinese_window(qapp):
    families = find_families().interface_order(chinese=True)
    font = QFont(families)
    font.setPixelSize(14)
    [title] = break_lines("The response of flow duration curves", font, 120, 1)[0]
    assert title.endswith("...")
    [title] = break_lines("高质量稳健增长双十一稳定发挥", font, 120, 1)[0]
    assert title.endswith("…")


@pytest.mark.parametrize(
    ("title", "is_whole"),
    [
        ("The Ferry", True),
        ("A Christmas Carol: A Ghost Story of Christmas", True),
        ("水浒传", True),
        ("西游记（第一回至第二十回）", True),
        ("LayoutParser: A Unified Toolkit for Document Image Analysis by Deep Networks", False),
        ("A" * 120, False),
        ("…", False),  # has no letter
    ],
)
def test_a_drawn_cover_says_whether_it_has_the_whole_title(covers, title, is_whole):
    row = replace(ROW, format="txt", title=title)
    assert covers.shows_title(row, 150) is is_whole
    assert not covers.shows_title(row, 60)  # a letter
    assert not covers.shows_title(replace(row, format="pdf"), 150)  # may still get its picture
    covers._asked.add(3)
    covers.take([3], {3: BLUE})
    assert not covers.shows_title(replace(row, format="pdf"), 150)
