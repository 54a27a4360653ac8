"""Tests where a quotation is placed in a text, and which differences are listed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.text.folded_words import fold_words
from desktop_app.engine.text.quotation_alignment import Alignment, Quotation

TEXT = (
    "Old Tobias Wren kept a shop of clocks in Harrow Lane. His niece, Clara Wren, wound them "
    "every\nnight. “Nobody,” said Captain Hale--a quiet man--“has seen the door-nail since.”"
)


def align(quotation: str, text: str = TEXT) -> Alignment:
    [found] = Quotation(quotation).align(text, 0, 0.4)
    return found


def list_differences(quotation: str, text: str = TEXT) -> list[tuple[str, str, str]]:
    return [
        (part.kind, text[part.start : part.end], part.quoted)
        for part in align(quotation, text).parts
        if part.kind != "same"
    ]


@pytest.mark.parametrize(
    "quotation",
    [
        "kept a shop of clocks in Harrow Lane. His niece",
        "KEPT a shop of\n clocks in Har-\nrow Lane. His niece",
        "'Nobody', said Captain Hale — a quiet man — \"has seen the doornail since",
        "every night nobody said Captain Hale a quiet man has seen",
        "said Captain Hale—a quiet man - has seen",
    ],
)
def test_what_editions_set_in_their_own_way_is_no_difference(quotation):
    found = align(quotation)
    assert (found.is_exact, found.found, found.likeness) == (True, 1.0, 1.0)


def test_a_changed_an_omitted_and_an_added_word_are_listed():
    assert list_differences("Tobias Wren kept the shop of clocks in Harrow Lane") == [
        ("changed", "a", "the")
    ]
    assert list_differences("Tobias Wren kept a shop in Harrow Lane. His niece") == [
        ("omitted", "of clocks", "")
    ]
    assert list_differences("Tobias Wren kept a small shop of clocks") == [("added", "", "small")]


def test_a_letter_read_wrongly_costs_little():
    found = align("Tobias Wrcn kept a sh0p of clocks in Harrow Lane")
    assert found.found == pytest.approx(0.95, abs=0.02)
    assert [p.quoted for p in found.parts if p.kind == "changed"] == ["Wrcn", "sh0p"]


def test_other_punctuation_is_listed_but_costs_nothing():
    found = align("a shop of clocks in Harrow Lane; his niece, Clara")
    assert found.likeness == 1.0
    assert not found.is_exact
    assert list_differences("a shop of clocks in Harrow Lane; his niece, Clara") == [
        ("changed", ".", ";")
    ]


@pytest.mark.parametrize("sign", ["…", "...", ". . .", "[…]", "(...)", "……"])
def test_an_ellipsis_skips_any_words(sign):
    quotation = f"Old Tobias Wren kept a shop {sign} wound them every night"
    found = align(quotation)
    assert found.is_exact
    assert found.found == 1.0
    assert list_differences(quotation) == [
        ("skipped", "of clocks in Harrow Lane. His niece, Clara Wren", "")
    ]


def test_chinese_in_the_other_script_is_the_same():
    text = "郑屠右手拿刀，左手便来要揪鲁达；被这鲁提辖就势按住左手。"
    assert align("鄭屠右手拿刀，左手便來要揪魯達", text).is_exact
    assert list_differences("鄭屠右手拿劍，左手便來揪魯達", text) == [
        ("changed", "刀", "劍"),
        ("omitted", "要", ""),
    ]


def test_a_place_begins_and_ends_with_words_like_the_quoted_ones():
    found = align("He wrote: Tobias Wren kept a shop of clocks once upon a time")
    assert TEXT[found.start : found.end] == "Tobias Wren kept a shop of clocks"
    assert [p.quoted for p in found.parts if p.kind == "added"] == [
        "He wrote",
        "once upon a time",
    ]


def test_every_place_of_a_repeated_sentence_is_found():
    text = "The clock struck nine that night. " + TEXT + " The clock struck ten that night."
    found = Quotation("the clock struck nine that night").align(text, 50, 0.6)
    assert [(one.start, one.is_exact) for one in found] == [
        (50, True),
        (50 + text.index("The clock struck ten"), False),
    ]


def test_a_text_without_words_has_no_place():
    assert Quotation("some words of a text").align("… — !") == []
    assert Quotation("…").align(TEXT) == []


WORDS = st.lists(st.sampled_from(["one", "two", "twos", "林", "three-four", "…", ", ", "\n", "-"]))


@given(WORDS, WORDS)
def test_the_parts_are_in_order_and_cover_every_word_of_the_quotation(mine, theirs):
    quotation, text = " ".join(mine), " ".join(theirs)
    for found in Quotation(quotation).align(text):
        assert 0 <= found.likeness <= 1
        assert 0 <= found.found <= 1
        position = found.start
        for part in found.parts:
            assert position <= part.start <= part.end <= found.end
            position = part.end
        assert found.start < found.end
        same = sum(part.kind == "same" for part in found.parts)
        assert not found.is_exact or same


@given(st.data())
def test_a_piece_of_the_text_is_found_where_it_is(data):
    words = fold_words(TEXT)
    first = data.draw(st.integers(0, len(words) - 4))
    last = data.draw(st.integers(first + 3, len(words) - 1))
    start, end = words[first].start, words[last].end
    found = max(Quotation(TEXT[start:end]).align(TEXT), key=lambda one: one.likeness)
    assert (found.start, found.end, found.is_exact) == (start, end, True)
