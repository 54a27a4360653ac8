"""Rendering of an answer's Markdown: citation links, and unsafe markup as text."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QEnterEvent, QFontMetricsF, QTextCharFormat
from PySide6.QtWidgets import QApplication, QWidget

from desktop_app.engine.model import Citation
from desktop_app.engine.services.library_reader import NamedPart
from desktop_app.ui.chat.answer_panels import AnswerBlock
from desktop_app.ui.chat.answer_view import (
    CITE,
    AnswerView,
    close_bold,
    join_same_marks,
    link_number,
    put_marks_last,
    render_answer,
    split_half_mark,
)
from desktop_app.ui.theme.design_tokens import BODY_PX, LEAD_PX, LIGHT
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import STRETCH, build_column


def test_a_known_mark_becomes_a_link_and_an_unknown_one_stays_text() -> None:
    html = render_answer("She rows [1]. She sings [7].", {1}, LIGHT)
    assert '<a href="cite:1"' in html
    assert "[7]" in html and "cite:7" not in html


def test_marks_in_one_bracket_and_in_chinese_brackets_are_understood() -> None:
    html = render_answer("她会唱歌【1】，也会划船 [2, 3]。", {1, 2, 3}, LIGHT)
    assert all(f'href="cite:{n}"' in html for n in (1, 2, 3))


def test_a_number_has_a_gap_before_it_unless_it_follows_a_chinese_full_stop() -> None:
    assert "rows.\u00a0<a" in render_answer("She rows. [1]", {1}, LIGHT)
    html = render_answer("火焰山。 [1] [2]（是文中人物说的。）", {1, 2}, LIGHT)
    assert "。<a" in html and "</a>\u00a0<a" in html


def test_adjacent_citation_marks_stay_separate_numbers() -> None:
    html = render_answer("She rows [1] [2].", {1, 2}, LIGHT)
    assert "</a>\u00a0<a" in html.replace(" ", "")


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src='file:///etc/passwd'>",
        "![x](file:///etc/passwd)",
        "a\n\n<div onclick='x'>b</div>",
    ],
)
def test_html_and_pictures_stay_text(text: str) -> None:
    html = render_answer(text, {1}, LIGHT)
    assert "<img" not in html and "<script" not in html and "<div" not in html
    assert "<a " not in html


def test_a_picture_is_shown_as_it_was_written() -> None:
    html = render_answer("![a cat](cat.png) ![x](https://example.org/x.png)", {1}, LIGHT)
    assert "![a cat](cat.png) ![x](" in html and "<img" not in html
    assert html.count("<a ") == 1 and 'href="https://example.org/x.png"' in html


def test_a_line_that_looks_like_a_link_definition_is_not_lost() -> None:
    assert "The ferry" in render_answer("[1]: The ferry sank.", {1}, LIGHT)


def test_a_mark_in_code_is_left_alone() -> None:
    assert "cite:" not in render_answer("`x[1]`", {1}, LIGHT)


@pytest.mark.parametrize("half", ["[", "[1", "[1, ", "【2", "*", "**"])
def test_an_incomplete_mark_is_held_back(half: str) -> None:
    assert split_half_mark("She rows " + half) == ("She rows ", half)


def test_a_complete_mark_is_shown_at_once() -> None:
    assert split_half_mark("She rows [1]") == ("She rows [1]", "")


def test_unclosed_bold_is_closed_while_streaming() -> None:
    assert close_bold("She is **brave and") == "She is **brave and**"
    assert close_bold("She is **") == "She is "
    assert close_bold("**a** b") == "**a** b"


@pytest.mark.parametrize("url", ["https://x/1", "file:///1", "cite:x", "cite:", "1"])
def test_only_marks_have_numbers(url: str) -> None:
    assert link_number(url, CITE) is None
    assert link_number("cite:12", CITE) == 12


@pytest.mark.parametrize("scale", [0.9, 1.0, 1.5])
def test_a_citation_is_at_least_20_pixels_large(qtbot, scale: float) -> None:
    view = AnswerView(Theme("light", scale=scale))
    qtbot.addWidget(view)
    view.resize(500, 200)
    quote = Citation(1, 1, 1, "Book", 0, 8, "She rows")
    view.set_answer("Before.\n\nShe rows [1] across the river.\n\nAfter.", (quote,))
    view.show()
    [chip] = view.find_chips()
    area = chip.toAlignedRect().adjusted(-20, -20, 20, 20) & view.viewport().rect()
    hits = [
        (x, y)
        for x in range(area.left(), area.right() + 1)
        for y in range(area.top(), area.bottom() + 1)
        if view.find_mark(QPoint(x, y)) is not None
    ]
    wide = max(x for x, _ in hits) - min(x for x, _ in hits) + 1
    high = max(y for _, y in hits) - min(y for _, y in hits) + 1
    assert wide >= 20 and high >= 20
    x, y = min(hits, key=lambda hit: hit[1])
    assert not view.anchorAt(QPoint(x, y))  # just above the number
    with qtbot.waitSignal(view.mark_clicked) as clicked:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, y))
    assert clicked.args == [1]


def test_each_citation_has_a_painted_ground_of_its_own(qtbot) -> None:
    theme = Theme("light")
    view = AnswerView(theme)
    qtbot.addWidget(view)
    view.resize(300, 200)
    quotes = tuple(Citation(n, n, 1, "Book", 0, 8, "She rows") for n in (1, 2))
    view.append_piece("She rows [1] on.")
    assert len(view.find_chips()) == 1  # while it is written, too
    view.set_answer("She rows [1][2].\n\n> “A long way, wide and dark.” [2]", quotes)
    view.show()
    areas = view.find_chips()
    assert len(areas) == 3
    assert not any(a.intersects(b) for i, a in enumerate(areas) for b in areas[:i])
    shown = view.grab().toImage()
    ratio = shown.devicePixelRatio()
    for area in areas:
        assert view.rect().contains(area.toAlignedRect())
        middle = QPoint(round((area.left() + 3) * ratio), round(area.center().y() * ratio))
        corner = QPoint(round(area.left() * ratio), round(area.top() * ratio))
        ground = theme.chip()
        assert shown.pixelColor(middle).name() == ground.name()
        assert shown.pixelColor(corner).name() != ground.name()  # it is rounded


def test_quotations_have_a_rule_beside_all_their_lines(qtbot) -> None:
    view = AnswerView(Theme("light"))
    qtbot.addWidget(view)
    view.resize(500, 200)
    view.set_answer("Before.\n\n> A long way, wide and dark.\n\n> Another.\n\nAfter.", ())
    view.show()
    first, second = view.find_rules()
    assert first.bottom() < second.top() and second.bottom() < view.height()


@pytest.mark.parametrize("text", ["word " * 200, "长句" * 200])
def test_lines_are_short_enough_to_read(qtbot, text: str) -> None:
    view = AnswerView(Theme("light"))
    qtbot.addWidget(view)
    view.resize(1100, 200)
    view.show()
    view.set_answer(text.strip(), ())
    layout = view.document().firstBlock().layout()
    lengths = [layout.lineAt(n).textLength() for n in range(layout.lineCount() - 1)]
    assert max(lengths) <= (40 if text[0] == "长" else 85)
    assert view.document().idealWidth() <= view.viewport().width()


def test_names_are_underlined_under_the_mouse_and_with_the_focus_only(qtbot) -> None:
    view = AnswerView(Theme("light"))
    qtbot.addWidget(view)
    view.resize(500, 200)
    view.set_answer("Ada Merrow rows.", ())
    view.set_names([NamedPart("Ada Merrow", 7, "Ada Merrow", "person")])
    view.show()

    def is_underlined() -> bool:
        piece = view.document().firstBlock().begin().fragment()
        style = piece.charFormat().underlineStyle()
        return style == QTextCharFormat.UnderlineStyle.DotLine

    assert not is_underlined()
    at = QPointF(5, 5)
    QApplication.sendEvent(view, QEnterEvent(at, at, at))
    assert is_underlined()
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert not is_underlined()
    view.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(is_underlined)


def test_a_bullet_has_a_gap_before_its_text(qtbot) -> None:
    view = AnswerView(Theme("light"))
    qtbot.addWidget(view)
    view.set_answer("- One\n- Two", ())
    block = view.document().firstBlock()
    assert block.textList() is not None
    gap = QFontMetricsF(block.charFormat().font()).horizontalAdvance(" ")
    assert 9 <= gap <= 11


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("She rows [1].", "She rows.[1]"),
        ("She rows [1] [2]. He sings [3]!", "She rows.[1] [2] He sings![3]"),
        ("她会划船 [1]。", "她会划船。[1]"),
        ("She rows. [1] He sings.", "She rows. [1] He sings."),
        ("`x [1].` and [1].5", "`x [1].` and [1].5"),
        ("[1]. A line", "[1]. A line"),
    ],
)
def test_a_citation_is_shown_behind_the_full_stop(text: str, shown: str) -> None:
    assert put_marks_last(text) == shown


def test_a_stop_that_streams_in_after_a_citation_is_before_it_and_the_text_stays(qtbot) -> None:
    view = AnswerView(Theme("light"))
    qtbot.addWidget(view)
    for piece in ("She rows", " [1]", ".", " He sings."):
        view.append_piece(piece)
    assert view.toPlainText().split() == ["She", "rows.", "1", "He", "sings."]
    assert view.text == "She rows [1]. He sings."


def find_sizes(view: AnswerView) -> list[int]:
    """Return the font size of each paragraph's first letter."""
    sizes, block = [], view.document().begin()
    while block.isValid():
        sizes.append(block.begin().fragment().charFormat().font().pixelSize())
        block = block.next()
    return sizes


@pytest.mark.parametrize("short", ["A tiny golden key.", "一把小小的金钥匙。"])
def test_a_short_answer_is_the_largest_text_also_while_it_is_written(qtbot, short: str) -> None:
    theme = Theme("light")
    view = AnswerView(theme)
    qtbot.addWidget(view)
    for piece in (short[:4], short[4:]):
        view.append_piece(piece)
        assert find_sizes(view) == [theme.px(LEAD_PX)]
    view.set_answer(f"{short} [1]\n\nShe finds it there.", ())
    assert find_sizes(view) == [theme.px(LEAD_PX), theme.px(BODY_PX)]
    assert theme.px(LEAD_PX) > theme.font("title").pixelSize()
    view.set_answer(f"{short} " * 40, ())
    assert find_sizes(view) == [theme.px(BODY_PX)]
    view.set_answer("Nothing is said of it.", (), has_notice=True)
    assert find_sizes(view) == [theme.px(BODY_PX)]


def test_a_paragraph_that_grows_too_long_gets_the_size_of_text(qtbot) -> None:
    theme = Theme("light")
    view = AnswerView(theme)
    qtbot.addWidget(view)
    for _ in range(60):
        view.append_piece("one more ")
    assert find_sizes(view) == [theme.px(BODY_PX)]


def test_an_answer_that_becomes_higher_is_whole_in_its_panel(qtbot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    view = AnswerView(Theme("light"))
    block = AnswerBlock(Theme("light"), view, holder)
    build_column(block, STRETCH, parent=holder)
    view.set_answer("The Abbess is a brass weight of fifty-six pounds. [1] " * 4, ())
    holder.resize(700, 500)
    holder.show()

    def is_placed() -> bool:
        around = block.height() - view.height()
        return 0 < view.y() < around and view.height() >= view.document().size().height()

    for width in (700, 320, 560, 260):
        holder.resize(width, 500)
        qtbot.waitUntil(is_placed)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("A sang. [1] B sang. [1] C sang. [1]", "A sang. B sang. C sang. [1]"),
        ("甲在此。[1]乙在此。[1]", "甲在此。乙在此。[1]"),
        ("A sang. [1] B sang. [2] C sang. [1]", "A sang. [1] B sang. [2] C sang. [1]"),
        ("A sang. [1]\nB sang. [1]", "A sang. [1]\nB sang. [1]"),
        ("A sang. [1] [2] B sang. [1, 2]", "A sang. B sang. [1, 2]"),
        ("A sang. [1] B `x. [1]` sang. [1]", "A sang. [1] B `x. [1]` sang. [1]"),
    ],
)
def test_sentences_beside_each_other_have_the_same_citation_once(text: str, shown: str) -> None:
    assert join_same_marks(text) == shown
