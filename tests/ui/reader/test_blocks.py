"""Paragraphs, headings and verse, with exact offsets."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.model import Heading
from desktop_app.ui.reader.text.blocks import (
    AT_RIGHT,
    CENTRED,
    CONTINUED,
    ENTRY,
    HEADING,
    MAX_BLOCK_CHARS,
    VERSE,
    build_blocks,
    display_text,
    join_paragraphs,
)

WRAPPED = """CHAPTER I
The mill

The miller had two sons, of whom the elder went to sea and was never
heard of again, while the younger one stayed with the mill, the cat and
the debts of his father.

"You will see," said the miller, "that he comes back one day with a
parrot." But he did not.

    The wheel goes round,
    The corn goes in,
    And nobody sings.
"""


def pieces(text: str, outline=()):
    blocks = build_blocks(text, outline)
    rows = zip(blocks.starts, blocks.ends, blocks.kinds, strict=True)
    return [(int(kind), display_text(text, int(a), int(b), int(kind))) for a, b, kind in rows]


def test_hard_wrapped_lines_of_a_paragraph_are_joined():
    texts = [shown for _, shown in pieces(WRAPPED)]
    assert any("sea and was never heard of again" in shown for shown in texts)


def test_verse_keeps_its_lines():
    kind, shown = pieces(WRAPPED)[-1]
    assert kind == VERSE
    assert shown.count("\u2028") == 2


def test_a_heading_covers_the_lines_of_its_title():
    blocks = pieces(WRAPPED, [Heading(1, "CHAPTER I The mill", 0)])
    assert blocks[0] == (HEADING, "CHAPTER I The mill")


def test_a_title_below_its_number_is_a_heading():
    text = "CHAPTER I.\n\nIN BRIGHTON LODGINGS.\n\nIt rained all day, and nobody came.\n"
    blocks = pieces(text, [Heading(1, "CHAPTER I. IN BRIGHTON LODGINGS.", 0)])
    assert [kind for kind, _ in blocks] == [HEADING, HEADING, 0]
    assert [shown for _, shown in blocks[:2]] == ["CHAPTER I.", "IN BRIGHTON LODGINGS."]
    blocks = pieces(text, [Heading(1, "CHAPTER I.", 0)])  # of a library that was read before
    assert [kind for kind, _ in blocks] == [HEADING, 0, 0]


def test_a_line_of_a_chinese_novel_is_a_paragraph():
    text = "第一回 渡口\n　　林秋白到了渡口。\n　　船还没有来,他便坐下。\n"
    blocks = pieces(text, [Heading(1, "第一回 渡口", 0)])
    assert [kind for kind, _ in blocks] == [HEADING, 0, 0]
    assert blocks[1][1] == "林秋白到了渡口。"


def test_wrapped_chinese_lines_join_without_a_gap():
    line = "却说那日林秋白在渡口等船等了半日也不见人影心中甚是焦急只得回去"
    shown = pieces(f"{line}\n{line}\n{line}\n{line}。\n\n" * 3)[0][1]
    assert " " not in shown
    assert shown.replace("\u200b", "").startswith(line * 2)


def test_a_very_long_paragraph_is_cut_at_sentence_ends():
    text = "他走了很久才到家。" * 3000
    blocks = build_blocks(text)
    assert int((blocks.ends - blocks.starts).max()) <= MAX_BLOCK_CHARS
    assert set(blocks.kinds.tolist()) == {0, CONTINUED}
    assert all(text[int(end) - 1] == "。" for end in blocks.ends)


def test_copied_text_has_paragraphs_without_line_wraps():
    blocks = build_blocks(WRAPPED)
    start = WRAPPED.index("sea and")
    copied = join_paragraphs(WRAPPED, blocks, start, WRAPPED.index("But he did"))
    assert copied.startswith("sea and was never heard of again, while")
    assert '\n\n"You will see,"' in copied


@given(st.text(alphabet="ab .。\n\u3000 中\t\x0c😀", max_size=400))
def test_blocks_hold_every_visible_character_once_and_keep_its_offset(text: str):
    blocks = build_blocks(text)
    covered = [False] * len(text)
    for start, end, kind in zip(blocks.starts, blocks.ends, blocks.kinds, strict=True):
        shown = display_text(text, int(start), int(end), int(kind))
        assert len(shown) == end - start
        for place in range(int(start), int(end)):
            assert not covered[place]
            covered[place] = True
            if not text[place].isspace():
                assert shown[place - int(start)] == text[place]
    assert all(done or char.isspace() for done, char in zip(covered, text, strict=True))


def test_lines_that_blanks_centre_are_a_title_page_and_nothing_else_is():
    prose = (
        "The boat went out over the bar at six, and nobody on the quay had seen who was\n"
        "at the tiller, because the lamp of the pilot house had been taken down in May.\n"
    )
    page = ["THE FERRY", "", "_by_", "", "Ada Voss", "", "PRINTED AT", "SALT QUAY PRESS, QUENBY"]
    text = "\n".join(line.center(76).rstrip() for line in page) + "\n\n" + prose * 60
    indented = "      Tom went out.\n\n" + " " * 9 + "a verse of a song that is set in\n" * 2
    blocks = build_blocks(text + indented)
    centred = [i for i in range(len(blocks)) if blocks.kinds[i] == CENTRED]
    assert centred == [0, 1, 2, 3]
    start, end = int(blocks.starts[3]), int(blocks.ends[3])
    shown = display_text(text, start, end, CENTRED)
    assert len(shown) == end - start
    assert shown.replace("\u200b", "") == "PRINTED AT\u2028SALT QUAY PRESS, QUENBY"


PROSE = (
    "The boat went out over the bar at six, and nobody on the quay had seen who was\n"
    "at the tiller, because the lamp of the pilot house had been taken down in May.\n\n"
)


def _list_entries(text: str, *titles: str) -> list[tuple[int, str]]:
    """Return the level and the shown text of each entry of contents."""
    outline = [Heading(1, title, text.rindex(title.split(". ")[0])) for title in titles]
    blocks = build_blocks(text, outline)
    return [
        (
            int(blocks.levels[i]),
            display_text(text, int(blocks.starts[i]), int(blocks.ends[i]), ENTRY).replace(
                "\u200b", ""
            ),
        )
        for i in range(len(blocks))
        if blocks.kinds[i] == ENTRY
    ]


def test_printed_contents_are_a_list_with_their_pages_at_the_right():
    contents = (
        "CONTENTS\n\nCHAPTER I\n"
        + "Page\n\n".rjust(80)
        + "The Ferry's Log".ljust(70)
        + "1\n\nCHAPTER II\n\n"
        + "The Flood".ljust(69)
        + "14\n\n\n\n"
    )
    chapters = (
        f"CHAPTER I\n\nTHE FERRY'S LOG\n\n{PROSE * 20}CHAPTER II\n\nTHE FLOOD\n\n{PROSE * 20}"
    )
    text = contents + chapters
    outline = [
        Heading(1, "CHAPTER I. THE FERRY'S LOG", text.index("CHAPTER I\n\nTHE")),
        Heading(1, "CHAPTER II. THE FLOOD", text.index("CHAPTER II\n\nTHE")),
    ]
    blocks = build_blocks(text, outline)
    entries = [i for i in range(len(blocks)) if blocks.kinds[i] == ENTRY]
    ranges = [(int(blocks.starts[i]), int(blocks.ends[i])) for i in entries]
    shown = [display_text(text, *place, ENTRY).replace("\u200b", "") for place in ranges]
    assert shown == ["CHAPTER I", "Page", "The Ferry's Log\t1", "CHAPTER II", "The Flood\t14"]
    assert [int(blocks.levels[i]) for i in entries] == [0, AT_RIGHT, 0, 0, 0]
    assert all(len(display_text(text, *place, ENTRY)) == place[1] - place[0] for place in ranges)
    copied = join_paragraphs(text, blocks, 0, outline[0].start)
    assert copied.endswith("Page\nThe Ferry's Log\t1\nCHAPTER II\nThe Flood\t14")


def test_contents_without_pages_have_the_titles_of_the_chapters_in_any_language():
    titles = ("第一回 渡口", "第二回 洪水", "第三回 灯塔", "第四回 钟表")
    text = "\n".join(titles) + "\n\n" + "".join(f"{title}\n话说江州城外。\n" for title in titles)
    assert _list_entries(text, *titles) == [(0, title) for title in titles]


def test_numbers_of_contents_that_are_set_flush_right_are_no_levels():
    entries = ("   I. The Sea", "  II. The Bar", " III. The Log", "   V. The Quay", "      A part")
    text = "\n".join(entries) + "\n\n" + PROSE * 20
    text += "".join(f"Part {entry.strip()}\n\n{PROSE}" for entry in entries)
    titles = [f"Part {entry.strip()}" for entry in entries[:4]] + ["A part"]
    outline = [Heading(1, title, text.rindex(title)) for title in titles]
    blocks = build_blocks(text, outline)
    levels = [int(blocks.levels[i]) for i in range(len(blocks)) if blocks.kinds[i] == ENTRY]
    assert levels == [0, 0, 0, 0, 1]


def test_leaders_before_pages_are_contents_and_numbers_that_fall_are_none():
    rising = [f"Section {n} {'.' * 30} {page}" for n, page in enumerate((1, 4, 4, 19))]
    falling = [f"Pump {n} {'.' * 30} {litres}" for n, litres in enumerate((9, 4, 7, 2))]
    for lines, n_entries in ((rising, 4), (falling, 0), (rising[:3], 0)):
        text = PROSE + "\n".join(lines) + "\n\n" + PROSE
        assert len(_list_entries(text)) == n_entries, lines
