"""Texts wrapped narrower than their licence header."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QFont

from desktop_app.ui.reader.text.blocks import HEADING, PARAGRAPH, VERSE, build_blocks, display_text
from desktop_app.ui.reader.text.typesetting import BlockLayout, Typesetter

PROSE = """The clockmaker knew that it was late. The lamps
were out along the harbour, and the rain, which
had begun at noon, had not yet made up its mind
to stop. He wound the last clock and listened."""
VERSE_TEXT = """The tide comes in,
the tide goes out again and takes the sand,
and nobody asks
where it was going when it left the land."""
LICENCE = "\n".join(
    ["This text may be copied by anyone who likes to copy it, at no cost at all."] * 12
)


def kinds(text: str) -> dict[str, int]:
    blocks = build_blocks(text)
    return {text[blocks.starts[i] :][:10]: int(blocks.kinds[i]) for i in range(len(blocks))}


def test_narrow_prose_is_joined_and_verse_keeps_its_lines():
    found = kinds("\n\n".join([LICENCE, PROSE, VERSE_TEXT, PROSE, LICENCE, LICENCE]))
    assert found["The clockm"] == PARAGRAPH
    assert found["The tide c"] == VERSE


def test_markdown_heading_marks_are_hidden_and_offsets_stay():
    source = "## II. The Night Book"
    shown = display_text(source, 0, len(source), HEADING)
    assert len(shown) == len(source)
    assert shown.replace("\u200b", "") == "II. The Night Book"


def test_short_paragraphs_of_a_narrow_book_are_prose_and_its_poems_are_verse():
    licence = "\n".join(["This text is given to anyone anywhere, and at no cost, with"] * 12)
    prose = (
        "He had been cold and hungry for days, and it\n"
        "rained as if nothing would ever be dry again\n"
        "while the long road went over the dark hills\n"
        "and the wind came from the sea with the salt.\n\n"
    )
    short = '"The whole time," said the keeper. "No\nRest, no peace, by day or by night."\n\n'
    poem = (
        "The ferry is late\nAnd the river is high\nThe keeper must wait\nTill the water goes by\n\n"
    )
    text = licence + "\n\n" + prose * 30 + short + prose * 20 + poem + prose * 20 + licence
    blocks = build_blocks(text)
    assert blocks.kinds[blocks.at(text.index('"The whole'))] == PARAGRAPH
    assert blocks.kinds[blocks.at(text.index("The ferry is late"))] == VERSE


def lay_out(text: str, font: QFont) -> BlockLayout:
    typesetter = Typesetter()
    typesetter.set_text(text, build_blocks(text))
    typesetter.configure(font, 500.0)
    return typesetter.block(0)


def emphasised(layout: BlockLayout) -> list[tuple[str, bool, bool]]:
    """Return the words of each format that is not one of hidden signs."""
    words = layout.layout.text().encode("utf-16-le")
    return [
        (
            words[2 * part.start : 2 * (part.start + part.length)].decode("utf-16-le"),
            part.format.fontItalic(),
            part.format.fontWeight() == QFont.Weight.Bold,
        )
        for part in layout.layout.formats()
        if part.format.fontStretch() != 1
    ]


def test_words_between_signs_of_emphasis_are_slanted_or_bold(context):
    font = context.theme.font("book")
    source = (
        "😀 The law: *The standard is\none*, a _new_ one, **not two**; 5*3*2, snake_case_name, * no"
    )
    shown = lay_out(source, font)
    assert emphasised(shown) == [
        ("The standard is one", True, False), ("new", True, False), ("not two", False, True)
    ]  # fmt: skip


@pytest.mark.usefixtures("qapp")
@given(st.text(alphabet="ab _*\n.😀水", min_size=1, max_size=60))
def test_hidden_signs_change_no_offset(text):
    source = "a" + text
    typesetter = Typesetter()
    typesetter.set_text(source, build_blocks(source))
    font = QFont()
    font.setPixelSize(16)
    font.setFamilies(["Noto Sans"])
    typesetter.configure(font, 400.0)
    for number in range(len(typesetter.blocks)):
        block = typesetter.block(number)
        places = np.arange(block.start, block.end + 1)
        assert [block.to_offset(block.to_qt(place)) for place in places] == places.tolist()
        n_units = len(block.layout.text().encode("utf-16-le")) // 2
        assert n_units == block.to_qt(block.end)
        ends = 0
        for part in block.layout.formats():
            assert ends <= part.start and part.length > 0
            ends = part.start + part.length
        assert ends <= n_units
