"""Tests of the row that explains the underlines of names."""

from __future__ import annotations


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
