"""Tests of the row that explains the underlines of names."""

from __future__ import annotations

from PySide6.QtCore import QPoint

from desktop_app.ui.reader.ranges import is_in_reference_mark


def test_the_legend_shows_the_types_in_sight_while_names_are_underlined(qtbot, opened):
    book = opened(1)
    legend = book.legend
    assert legend.isHidden()
    book.head.names.setChecked(True)
    qtbot.waitUntil(lambda: bool(book.text_view.names))
    start, end = book.text_view.visible_range()
    seen = [name for name in book.text_view.names if start < name[1] and name[0] < end]
    assert set(legend.types) == {name[4] for name in seen}
    assert legend.isVisibleTo(book) and "person" in legend.toolTip()
    book.head.names.setChecked(False)
    assert legend.isHidden()


def test_each_type_has_a_sample_of_its_underline(qtbot, opened):
    book = opened(1)
    legend = book.legend
    legend.resize(600, legend.height())
    legend.show_types(["concept", "person"])
    assert legend.types == ["person", "concept"]  # in the order of types everywhere
    shown = legend.grab().toImage()
    colors = {shown.pixelColor(x, y).name() for x in range(16, 36) for y in range(shown.height())}
    assert book.theme.type_color("person").name() in colors
    legend.resize(40, legend.height())
    assert legend.grab().toImage().size() != shown.size()  # no room: nothing is drawn, no error
    assert legend.toolTip() == "person, concept"


def test_the_legend_is_beside_a_page_with_room_and_below_the_text_otherwise(qtbot, opened):
    reader = opened(5)
    view, legend, stack = reader.pdf_view, reader.legend, reader.body.stack
    legend.show_types(["person", "organisation"])
    reader.resize(1400, 800)
    qtbot.waitUntil(lambda: legend.is_column and legend.isVisible())
    card = view.card_rect(0).toRect().translated(view.mapTo(reader.body, QPoint(0, 0)))
    assert not legend.geometry().intersects(card)
    assert stack.geometry().contains(legend.geometry())
    assert legend.other_rule.isVisible() and not legend.rule.isVisible()
    shown = legend.grab().toImage()
    colors = {shown.pixelColor(x, y).name() for x in range(22) for y in range(shown.height())}
    assert {view.theme.type_color(k).name() for k in ("person", "organisation")} <= colors
    reader.resize(480, 800)
    qtbot.waitUntil(lambda: not legend.is_column)
    assert legend.isVisible() and legend.width() == reader.body.width()
    assert stack.mapTo(reader.body, stack.rect().bottomLeft()).y() < legend.y()
    reader.resize(1400, 800)
    legend.show_types([])
    qtbot.waitUntil(lambda: stack.height() == reader.body.height())
    assert not legend.isVisible()


def test_authors_in_the_marks_of_cited_works_are_not_underlined():
    def is_mark(text: str, words: str, kind: str = "person") -> bool:
        start = text.index(words)
        return is_in_reference_mark(text, (start, start + len(words), 1, words, kind))

    for text, words in (
        ("embedding methods (Gao et al., 2023) and", "Gao"),
        ("as Traag et al. (2019) say", "Traag"),
        ("is fast (Edge, 2024b; Guo, 2025)", "Edge"),
        ("is fast (Edge, 2024b; Guo, 2025)", "Guo"),
        ("as Turing (1950) asked", "Turing"),
        ("in (Brin and Page, 1998)", "Brin"),
        ("张三等人（2020）提出", "张三"),
    ):
        assert is_mark(text, words), text
    for text, words, kind in (
        ("Alan Turing (1912) was born", "Alan Turing", "person"),
        ("Gao wrote it in 2023", "Gao", "person"),
        ("at the University of Waterloo (1957)", "University of Waterloo", "organisation"),
        ("Paris (1920); then", "Paris", "place"),
        ("张三等人来了", "张三", "person"),
    ):
        assert not is_mark(text, words, kind), text
