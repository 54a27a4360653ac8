"""The text view shows rows of tables as cells in columns, with every offset at its place."""

from __future__ import annotations

import pytest

from desktop_app.ui.reader.text.blocks import ROW, build_blocks, display_text, join_paragraphs
from desktop_app.ui.reader.text.view import TextView

TEXT = """Some prose before the table.

 | Product 1998 | Remarks
France | 1,500 | Much was written about this country and the years in which it grew
Germany | 2,100 |
Overseas
Spain 𝔸 | 610 | Little

Prose after it."""
MARKDOWN = "# Years\n\n| Name | Born |\n|:--|---:|\n| Alice | 1832 |\n| Bob | 1840 |\n\nEnd."


@pytest.fixture
def view(qtbot, context):
    made = TextView(context.theme)
    qtbot.addWidget(made)
    made.resize(500, 600)
    made.show()
    made.set_document(TEXT, build_blocks(TEXT))
    return made


def rect_of(view: TextView, words: str):
    start = view.text.index(words)
    for _, top, block in view.visible_blocks():
        if block.start <= start < block.end:
            return block.rects(start, start + len(words))[0].translated(view.column_left, top)
    raise AssertionError("not in sight")


def test_rows_are_blocks_and_keep_every_offset():
    for text in (TEXT, MARKDOWN):
        blocks = build_blocks(text)
        kinds = blocks.kinds.tolist()
        assert kinds.count(ROW) == (5 if text is TEXT else 3)
        for start, end, kind in zip(blocks.starts, blocks.ends, kinds, strict=True):
            assert len(display_text(text, int(start), int(end), kind)) == end - start
        covered = "".join(text[a:b] for a, b in zip(blocks.starts, blocks.ends, strict=True))
        assert covered.replace("\n", "") == text.replace("\n", "").replace(" | Pr", "| Pr")


def test_cells_stand_below_each_other_and_wrap_in_their_column(view):
    country, product, remark = (rect_of(view, w) for w in ("France", "1,500", "Much"))
    assert country.top() == product.top() == remark.top()
    assert country.right() < product.left() < product.right() < remark.left()
    assert rect_of(view, "Germany").left() == country.left()
    # numbers are aligned at the right
    assert rect_of(view, "2,100").right() == pytest.approx(product.right(), abs=1.5)
    assert rect_of(view, "610").right() == pytest.approx(product.right(), abs=1.5)
    assert rect_of(view, "Little").left() == pytest.approx(remark.left(), abs=1.5)
    grew = rect_of(view, "grew")
    assert grew.top() > remark.top() and grew.left() >= remark.left() - 1.5
    assert rect_of(view, "Germany").top() >= grew.bottom()
    assert rect_of(view, "Product 1998").left() > country.left()


def test_a_place_in_a_cell_is_its_offset(view):
    for words in ("France", "1,500", "Much", "grew", "Germany", "610", "Little", "Overseas"):
        rect = rect_of(view, words)
        at = view.offset_at(rect.left() + 1, rect.center().y())
        assert 0 <= TEXT.index(words) - at <= 1  # perhaps the blank before it


def test_the_header_has_a_line_below_it(view):
    rules = [block.rule for _, _, block in view.visible_blocks()]
    assert [rule is not None for rule in rules if rule] == [True]


def test_a_search_hit_and_a_passage_are_drawn_in_their_cells(view):
    start = TEXT.index("2,100")
    view.show_passage(start, start + 5)
    assert view.passage == (start, start + 5)
    view.grab()


def test_rows_are_copied_with_tabs():
    blocks = build_blocks(MARKDOWN)
    start, end = MARKDOWN.index("| Name"), MARKDOWN.index("\n\nEnd")
    copied = join_paragraphs(MARKDOWN, blocks, start, end)
    assert [[cell.strip() for cell in row.split("\t")] for row in copied.split("\n")] == [
        ["Name", "Born"],
        ["Alice", "1832"],
        ["Bob", "1840"],
    ]


def test_a_table_that_is_too_wide_uses_the_empty_space_and_cuts_no_word(qtbot, context):
    header = " | ".join(f"Comprehensiveness{n}" for n in range(6))
    text = "Prose.\n\n" + header + "\n" + "\n".join(" | ".join(["1.5"] * 6) for _ in range(3))
    made = TextView(context.theme)
    qtbot.addWidget(made)
    made.resize(1300, 600)
    made.show()
    made.set_document(text, build_blocks(text))
    first, last = rect_of(made, "Comprehensiveness0"), rect_of(made, "Comprehensiveness5")
    assert first.top() == last.top()
    assert 0 < first.left() < made.column_left and last.right() < made.viewport().width()


def test_a_table_of_many_columns_can_be_shown(qtbot, context):
    text = "\n".join(" | ".join(str(n * 1000) for n in range(120)) for _ in range(4))
    made = TextView(context.theme)
    qtbot.addWidget(made)
    made.resize(500, 400)
    made.show()
    made.set_document(text, build_blocks(text))
    made.grab()
    assert made.visible_blocks()


def test_rows_that_repeat_their_labels_are_shown_without_them(qtbot, context):
    text = (
        "Sheet\n\nCountry | 1998 | 1999\nCountry: France | 1998: 1,500 | 1999: 1,600\n"
        "Country: Germany | 1999: 2,150\nCountry: Spain | 1998: 610 | 1999: 640"
    )
    made = TextView(context.theme)
    qtbot.addWidget(made)
    made.resize(600, 400)
    made.show()
    made.set_document(text, build_blocks(text))
    country, first, second = (rect_of(made, w) for w in ("France", "1,500", "1,600"))
    assert country.left() < 1 + rect_of(made, "Country | ").left() + 3
    assert country.right() < first.left() < first.right() < second.left()
    # the cell of 1999 is in its column although that of 1998 is missing
    assert rect_of(made, "2,150").right() == pytest.approx(second.right(), abs=1.5)
    germany = text.index("Country: Germany")
    rows = [b for _, _, b in made.visible_blocks() if b.start == germany]
    assert rows[0].rects(germany, germany + len("Country: ")) == []
