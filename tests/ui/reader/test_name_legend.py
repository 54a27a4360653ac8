"""Tests of the row that explains the underlines of names."""

from __future__ import annotations

from PySide6.QtCore import QPoint

from desktop_app.ui.reader.ranges import Name, count_underlined, is_in_reference_mark


def test_the_legend_counts_the_names_of_the_document_while_they_are_underlined(qtbot, opened):
    book = opened(1)
    legend, view = book.legend, book.text_view
    assert legend.isHidden()
    book.head.names.setChecked(True)
    qtbot.waitUntil(lambda: bool(view.names) and bool(legend.counts))
    names = book._context.annotations.names_in(1, 0, len(view.text))
    for kind, count in legend.counts.items():
        assert count == len({name[2] for name in names if name[4] == kind})
    assert list(legend.counts.values()) == sorted(legend.counts.values(), reverse=True)
    assert legend.isVisibleTo(book) and f"person {legend.counts['person']}" in legend.toolTip()
    before = dict(legend.counts)
    view.scroll_by(300)  # the legend does not change while one reads
    view.settled.emit()
    assert legend.counts == before
    book.head.names.setChecked(False)
    assert legend.isHidden()


def test_underlines_are_grey_until_a_type_is_chosen_in_the_legend(qtbot, opened):
    book = opened(1)
    book.resize(900, 600)
    legend, view = book.legend, book.text_view
    book.head.names.setChecked(True)
    qtbot.waitUntil(lambda: bool(view.names) and bool(legend.counts))
    kind = next(iter(legend.counts))

    def has_color() -> bool:
        shown, wanted = view.viewport().grab().toImage(), book.theme.type_color(kind).name()
        size = shown.size()
        places = [(x, y) for x in range(0, size.width(), 4) for y in range(size.height())]
        return any(shown.pixelColor(x, y).name() == wanted for x, y in places)

    assert not has_color() and not legend.chosen_kinds()
    legend.toggles[kind].click()
    assert view.colored_kinds == {kind} and has_color()
    legend.show_counts({kind: 99, "event": 1})  # the choice stays
    assert legend.chosen_kinds() == {kind}
    legend.show_counts({"event": 1})
    assert view.colored_kinds == frozenset()


def test_types_without_room_in_the_row_are_in_its_tooltip(opened):
    book = opened(1)
    legend = book.legend
    legend.resize(600, legend.height())
    legend.show_counts({"concept": 3, "person": 3, "event": 7})
    assert list(legend.counts) == ["event", "person", "concept"]  # then as types are elsewhere
    assert not any(toggle.isHidden() for toggle in legend.toggles.values())
    legend.resize(170, legend.height())
    assert [toggle.isHidden() for toggle in legend.toggles.values()] == [False, True, True]
    assert legend.toolTip().endswith("event 7, person 3, concept 3")
    assert legend.toggles["event"].accessibleName() == "event: 7 names"


def test_the_legend_is_beside_a_page_with_room_and_below_the_text_otherwise(qtbot, opened):
    reader = opened(5)
    view, legend, stack = reader.pdf_view, reader.legend, reader.body.stack
    legend.show_counts({"person": 12, "organisation": 1_234_567})
    reader.resize(1400, 800)
    qtbot.waitUntil(lambda: legend.is_column and legend.isVisible())
    card = view.card_rect(0).toRect().translated(view.mapTo(reader.body, QPoint(0, 0)))
    assert not legend.geometry().intersects(card)
    assert stack.geometry().contains(legend.geometry())
    assert legend.every.isVisible() and legend.every.geometry().bottom() < legend.height()
    assert all(toggle.isVisible() for toggle in legend.toggles.values())
    with_numbers = legend.column_size().width()
    legend.set_column(True, legend.least_column_width())
    assert legend.column_size().width() < with_numbers  # the numbers are in the tooltip
    reader.resize(480, 800)
    qtbot.waitUntil(lambda: not legend.is_column)
    assert legend.isVisible() and legend.width() == reader.body.width()
    assert stack.mapTo(reader.body, stack.rect().bottomLeft()).y() < legend.y()
    reader.resize(1400, 800)
    legend.show_counts({})
    qtbot.waitUntil(lambda: stack.height() == reader.body.height())
    assert not legend.isVisible()


def test_the_switch_of_the_legend_says_what_is_underlined_and_changes_it(qtbot, opened):
    reader = opened(5)
    every = reader.legend.every
    assert not every.isChecked() and not reader.pdf_view.every_name
    assert "only the first mention of a name on each page" in every.toolTip()
    every.click()
    assert every.isChecked() and reader.pdf_view.every_name and reader.head.every_name.isChecked()
    assert "every mention of a name is underlined" in every.toolTip()
    reader.head.every_name.toggle()  # the entry of the menu
    assert not every.isChecked() and not reader.pdf_view.every_name


def test_a_name_without_any_underline_is_not_counted():
    text = "On Tom\nTom met Ann. So says Gao (2023), and Gao et al. (2024)."

    def name(words: str, start: int, entity_id: int) -> Name:
        at = text.index(words, start)
        return at, at + len(words), entity_id, words, "person"

    names = [name("Tom", 0, 1), name("Tom", 5, 1), name("Ann", 0, 2), name("Gao", 0, 3)]
    names.append(name("Gao", text.index("and"), 3))
    assert count_underlined(text, names, (0, 6)) == {"person": 2}
    assert count_underlined(text, names[:1], (0, 6)) == {}  # in the title only


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
