"""Texts wrapped narrower than their licence header."""

from __future__ import annotations

from desktop_app.ui.reader.text.blocks import HEADING, PARAGRAPH, VERSE, build_blocks, display_text

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
