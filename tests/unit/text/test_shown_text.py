"""Stored text is displayed without the signs of its markup; offsets stay those stored."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.text.shown_text import remove_signs, show_text


@pytest.mark.parametrize(
    ("stored", "shown", "italics", "bolds"),
    [
        (
            "_3 May. Bistritz._—Left Munich",
            "3 May. Bistritz.—Left Munich",
            ["3 May. Bistritz."],
            [],
        ),
        ("(_Mem._, get recipe)", "(Mem., get recipe)", ["Mem."], []),
        ("**a *b* c**, ***d***", "a b c, d", ["b", "d"], ["a b c", "d"]),
        ("_a **b** c_", "a b c", ["a b c"], ["b"]),
        ("这是*强调*的，**重点**。", "这是强调的，重点。", ["强调"], ["重点"]),
        ("He went _on\nand_ on", "He went on\nand on", ["on\nand"], []),
        ("see [Duck](http://a.b/c), `a_b_c` here", "see Duck, a_b_c here", [], []),
        ("[[books/people/王熙凤.md]]与[[贾琏|琏二爷]]", "王熙凤与琏二爷", [], []),
        ("~~no~~ yes", "no yes", [], []),
    ],
)
def test_emphasis_and_links_are_shown_without_their_signs(
    stored: str, shown: str, italics: list[str], bolds: list[str]
) -> None:
    found = show_text(stored)
    assert found.text == shown
    assert [found.text[a:b] for a, b in found.italics] == italics
    assert [found.text[a:b] for a, b in found.bolds] == bolds


@pytest.mark.parametrize(
    ("piece", "shown"),
    [
        ("_3 May.", "3 May."),
        ("Bistritz._", "Bistritz."),
        ("Brown_--which?", "Brown--which?"),
        ("*Tom, Croome has taken it.", "Tom, Croome has taken it."),
        ("It can't be kept up.*”", "It can't be kept up.”"),
        ("she said, _come here at once.", "she said, come here at once."),
        ("**Note. This holds", "Note. This holds"),
    ],
)
def test_a_sentence_is_shown_without_a_sign_whose_other_end_is_outside(
    piece: str, shown: str
) -> None:
    assert show_text(piece).text == shown
    assert show_text(piece, is_piece=False).text == piece


@pytest.mark.parametrize(
    "text",
    [
        "snake_case, n_tokens_used and __init__ stay",
        "2*3*4 is d*mn M***, A* and B*",
        "def f(*args, x): return _f(x)",
        "* * * * *",
        "*** START OF THE BOOK ***",
        "* an item * and more",
        "x[0](y) and [1] and [see note]",
        "connoiss_ures_, sure_ly_!",
        "no signs at all",
        "",
    ],
)
def test_what_is_no_markup_stays(text: str) -> None:
    assert show_text(text).text == text


def test_offsets_lead_from_the_stored_to_the_shown_text_and_back() -> None:
    stored = "“_Mina_ \n Harker_,_” he said"
    shown = show_text(stored, one_line=True)
    start = stored.index("Mina")
    first, last = shown.span(start, start + len("Mina_ \n Harker"))
    assert shown.text[first:last] == "Mina Harker"
    assert shown.to_stored(first) == start
    assert shown.slice(first, last).text == "Mina Harker"
    assert remove_signs("  _a_\n b ") == "a b"


@given(st.text(alphabet='ab 王。._*`[]()~/\n"', max_size=60), st.booleans())
def test_only_signs_are_removed_and_every_offset_has_its_place(stored: str, one_line: bool) -> None:
    shown = show_text(stored, one_line=one_line)
    for place, char in enumerate(shown.text):
        offset = shown.to_stored(place)
        assert stored[offset] == char or (one_line and stored[offset].isspace() and char == " ")
        assert shown.to_shown(offset) == place
    lost = set(range(len(stored))) - {shown.to_stored(i) for i in range(len(shown.text))}
    if not {"[", "]", "/"} & set(stored):  # links lose their address
        assert all(stored[i] in "_*`~" or (one_line and stored[i].isspace()) for i in lost)
    for start, end in (*shown.italics, *shown.bolds):
        assert 0 <= start < end <= len(shown.text)


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ('"For spite," said Sayle, "or for drink.', '"For spite," said Sayle, "or for drink."'),
        ('I never saw him." She rose.', '"I never saw him." She rose.'),
        ('He had it," said Tom, "and lost it.', '"He had it," said Tom, "and lost it."'),
        ("“Come in, he said.", "“Come in, he said.”"),
        ("来了。”他说。", "“来了。”他说。"),
        ("“他说：『走吧。", "“他说：『走吧。』”"),
        ('吴用密语道："如此依计。"', '吴用密语道："如此依计。"'),
        ('他叫道"来"，便走了。', '他叫道"来"，便走了。'),
        ('如此依计。"便走了。', '"如此依计。"便走了。'),
        ('吴用道："如此依计。', '吴用道："如此依计。"'),
        ('He said:"Come in."', 'He said:"Come in."'),
        ('A whole "quotation" stays.', 'A whole "quotation" stays.'),
        ("It's the sailors' own.", "It's the sailors' own."),
        ("„So ist es“, sagte er.", "„So ist es“, sagte er."),
        ("”Hej”, sa han.", "”Hej”, sa han."),
    ],
)
def test_a_quotation_that_is_cut_is_closed(stored: str, shown: str) -> None:
    assert show_text(stored, one_line=True).with_closed_quotes().text == shown


def test_marks_move_with_a_quotation_mark_that_was_added() -> None:
    text = show_text('I never saw Tom."').with_closed_quotes()
    begin, end = text.span(12, 15)
    assert text.text[begin:end] == "Tom"


def test_two_parts_of_a_text_keep_their_emphasis_and_offsets_when_they_are_joined() -> None:
    whole = show_text("*One* and two, *three* and **four**.")
    end = whole.text.index(",")
    joined = whole.slice(0, end).followed_by(" … ", whole.slice(end + 2, len(whole.text)))
    assert joined.text == "One and two … three and four."
    assert [joined.text[slice(*span)] for span in joined.italics] == ["One", "three"]
    assert [joined.text[slice(*span)] for span in joined.bolds] == ["four"]
    assert joined.to_stored(joined.text.index("three")) == whole.to_stored(end + 2)
